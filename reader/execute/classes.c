/* classes.c - classes, the methods that they have, and subtypes; see machine.h. JVMS 5.4.3, 5.4.6, 6.5 instanceof. */
#include <stdio.h>

#include "reader/execute/machine.h"

enum { CHAIN_MAX = 256 }; /* a chain of classes ends, but the trace is not trusted */

const char *machine_type(struct machine *m, uint64_t object)
{
    const struct made *made = made_of(m, (struct jvalue){ .kind = 'A', .bits = object });
    const struct hs_type *type = made == NULL ? hs_type_get(m->trace, objects_class(m->trace, object)) : NULL;
    return made != NULL ? made->type : type != NULL ? type->name : NULL;
}

const struct lineage *class_of_object(struct machine *m, struct jvalue v)
{
    const struct made *made = made_of(m, v);
    if (made != NULL)
        return made->class != NULL ? made->class : lineage_of(m->trace, made->type, 0);
    const struct hs_type *type = hs_type_get(m->trace, objects_class(m->trace, v.bits));
    return type != NULL ? lineage_of(m->trace, type->name, type->loader) : NULL;
}

const char *machine_class(struct machine *m, uint64_t object, uint64_t *loader)
{
    const struct lineage *c = class_of_object(m, (struct jvalue){ .kind = 'A', .bits = object });
    *loader = c != NULL ? c->loader : 0;
    return machine_type(m, object);
}

const struct lineage *class_named(struct machine *m, struct text internal, uint64_t loader)
{
    const char *name = keep_text(m, internal, true);
    return name != NULL ? lineage_of(m->trace, name, loader) : NULL;
}

/* The place of a constant of a method's class, or of what else `code` and `constant` stand for. */
static struct field_site *site_at(struct machine *m, const void *code, uint64_t constant, bool *found)
{
    uint64_t key = ((uint64_t)(uintptr_t)code << 16) ^ constant;
    struct field_site *s;
    for (key += key == 0; (s = map_get(&m->fields, key)) != NULL; key = key + 1 != 0 ? key + 1 : 1)
        if (s->code == code && s->constant == constant) {
            *found = true;
            return s;
        }
    *found = false;
    s = map_put(&m->fields, key);
    if (s == NULL)
        return end_memory(m), NULL;
    s->code = code;
    s->constant = constant;
    return s;
}

/* One address for one field. */
static bool name_member(struct machine *m, struct field_site *s)
{
    char member[1024];
    const int n = snprintf(member, sizeof member, "%s.%s:%s@%llu", s->field.declaring, s->field.name, s->field.type,
                           (unsigned long long)s->field.loader);
    const size_t size = n < 0 ? 0 : (size_t)n < sizeof member ? (size_t)n : sizeof member - 1;
    s->member = keep_text(m, (struct text){ member, size }, false);
    return s->member != NULL;
}

const struct field_site *field_site_of(struct machine *m, const struct hs_class *of, const struct method *code,
                                       uint32_t constant)
{
    bool found;
    struct field_site *s = site_at(m, code, constant, &found);
    if (s == NULL || found)
        return s;
    struct member_ref r;
    struct writer type = { 0 };
    if (!cpool_member(&code->classfile->cp, constant, &r) || r.desc.size == 0)
        return end_not_known(m, "the class file is malformed"), NULL;
    (void)descriptor_to_source(r.desc.data, r.desc.size, &type);
    const char *owner = keep_text(m, r.owner, true), *name = keep_text(m, r.name, false);
    const char *source = type.bad ? NULL : keep_text(m, (struct text){ (const char *)type.data, type.size }, false);
    writer_free(&type);
    if (owner == NULL || name == NULL || source == NULL)
        return end_memory(m), NULL;
    s->letter = r.desc.data[0];
    (void)field_find(m->trace, owner, name, source, of->loader_id, &s->field);
    return name_member(m, s) ? s : NULL;
}

const struct field_site *field_site_named(struct machine *m, const struct field *f)
{
    bool found;
    struct field_site *s = site_at(m, f->declaring, (uint64_t)(uintptr_t)f->name, &found);
    if (s == NULL || found)
        return s;
    s->field = *f;
    s->letter = type_letter((struct text){ f->type, strlen(f->type) });
    return name_member(m, s) ? s : NULL;
}

static const struct hs_method *declared(const struct hs_class *c, struct text name, struct text desc)
{
    for (uint32_t k = 0; k < c->method_count; k++)
        if (name_is(name, c->methods[k]->name) && name_is(desc, c->methods[k]->desc))
            return c->methods[k];
    return NULL;
}

/* A method with code among the interfaces of a class, and theirs. */
static const struct hs_method *inherited(struct machine *m, const struct lineage *c, struct text name, struct text desc,
                                         const struct hs_class **of, unsigned depth)
{
    for (size_t i = 0; depth < CHAIN_MAX && i < c->interface_count; i++) {
        const struct lineage *x = lineage_of(m->trace, c->interfaces[i], c->loader);
        const struct hs_method *found = x != NULL && x->woven ? declared(x->row, name, desc) : NULL;
        if (found != NULL && (found->access & (ACC_ABSTRACT | ACC_STATIC)) == 0) {
            *of = x->row;
            return found;
        }
        found = x != NULL && x->known ? inherited(m, x, name, desc, of, depth + 1) : NULL;
        if (found != NULL)
            return found;
    }
    return NULL;
}

const struct hs_method *select_method(struct machine *m, const struct lineage *c, struct text name, struct text desc,
                                      const struct hs_class **of)
{
    bool missing;
    const struct lineage *x = c;
    for (unsigned i = 0; i < CHAIN_MAX && x != NULL; i++, x = lineage_super(m->trace, x, &missing)) {
        const struct hs_method *found = x->woven ? declared(x->row, name, desc) : NULL;
        if (found != NULL && (found->access & ACC_ABSTRACT) == 0) {
            *of = x->row;
            return found;
        }
    }
    x = c;
    for (unsigned i = 0; i < CHAIN_MAX && x != NULL && x->known; i++, x = lineage_super(m->trace, x, &missing)) {
        const struct hs_method *found = inherited(m, x, name, desc, of, 0);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* ---- subtypes ---- */

static const char *jdk_supers(const char *type)
{
    static const struct {
        const char *name, *supers;
    } types[] = {
#define JDK_TYPE(name, supers) { name, supers },
#include "reader/execute/jdk_types.def"
#undef JDK_TYPE
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].supers;
    return NULL;
}

bool is_jdk_type(const char *name) { return jdk_supers(name) != NULL; }

static enum sure jdk_subtype(const char *type, const char *super, unsigned depth)
{
    const char *supers = jdk_supers(type);
    enum sure sure = supers != NULL && depth < CHAIN_MAX ? SURE_NO : UNSURE;
    char one[128];
    for (const char *at = supers; sure == SURE_NO && at != NULL && *at != '\0';) {
        const size_t size = strcspn(at, " ");
        if (size >= sizeof one)
            return UNSURE;
        memcpy(one, at, size);
        one[size] = '\0';
        sure = strcmp(one, super) == 0 ? SURE_YES : jdk_supers(one) != NULL ? jdk_subtype(one, super, depth + 1) : sure;
        at += size + (at[size] == ' ');
    }
    return sure;
}

static enum sure named_subtype(struct machine *m, const char *type, const struct lineage *c, const char *super,
                               unsigned depth)
{
    if (strcmp(type, super) == 0 || strcmp(super, "java.lang.Object") == 0)
        return SURE_YES;
    if (depth == CHAIN_MAX)
        return UNSURE;
    if (c == NULL || !c->known)
        return jdk_subtype(type, super, depth);
    enum sure sure = SURE_NO;
    const char *above = lineage_super_name(c);
    for (size_t i = 0; i <= c->interface_count; i++) {
        const char *next = i < c->interface_count ? c->interfaces[i] : above;
        const enum sure one = next == NULL || next[0] == '\0' || strcmp(next, "java.lang.Object") == 0
                                  ? SURE_NO
                                  : named_subtype(m, next, lineage_of(m->trace, next, c->loader), super, depth + 1);
        if (one == SURE_YES)
            return one;
        sure = one == UNSURE ? UNSURE : sure;
    }
    return sure;
}

enum sure is_subtype(struct machine *m, const char *type, const struct lineage *c, const char *super)
{
    const size_t size = strlen(type), super_size = strlen(super);
    const bool array = size > 2 && strcmp(type + size - 2, "[]") == 0;
    const bool super_array = super_size > 2 && strcmp(super + super_size - 2, "[]") == 0;
    if (!array)
        return super_array ? SURE_NO : named_subtype(m, type, c, super, 0);
    if (!super_array)
        return strcmp(super, "java.lang.Object") == 0 || strcmp(super, "java.lang.Cloneable") == 0 ||
                       strcmp(super, "java.io.Serializable") == 0
                   ? SURE_YES
                   : SURE_NO;
    if (strcmp(type, super) == 0)
        return SURE_YES;
    const char *inner = keep_text(m, (struct text){ type, size - 2 }, false);
    const char *inner_super = keep_text(m, (struct text){ super, super_size - 2 }, false);
    if (type_letter((struct text){ type, size - 2 }) != 'L' ||
        type_letter((struct text){ super, super_size - 2 }) != 'L')
        return SURE_NO;
    return inner == NULL || inner_super == NULL
               ? UNSURE
               : is_subtype(m, inner, lineage_of(m->trace, inner, c != NULL ? c->loader : 0), inner_super);
}

enum sure is_instance(struct machine *m, struct jvalue v, struct text internal)
{
    if (v.bits == 0 && !v.unknown)
        return SURE_NO;
    struct writer name = { 0 };
    if (internal.size > 0 && internal.data[0] == '[')
        (void)descriptor_to_source(internal.data, internal.size, &name);
    const struct text source = name.size > 0 ? (struct text){ (const char *)name.data, name.size } : internal;
    const char *super = name.bad ? NULL : keep_text(m, source, true),
               *type = v.unknown ? NULL : machine_type(m, v.bits);
    writer_free(&name);
    return super == NULL || type == NULL ? UNSURE : is_subtype(m, type, class_of_object(m, v), super);
}
