/* declared.c - what class files declare: fields, interfaces, local variables; see session.h. */
#include "formats/mutf8.h"
#include "reader/code/code.h"
#include "reader/session/nav.h"

/* Modified UTF-8 as a text in the arena; NULL: out of memory. */
static const char *text_in(struct text t, struct arena *arena)
{
    struct writer utf8 = { 0 };
    char *out = NULL;
    (void)mutf8_to_utf8(t.data, t.size, &utf8);
    if (!utf8.bad && (out = arena_chars(arena, utf8.size + 1)) != NULL) {
        if (utf8.size > 0)
            memcpy(out, utf8.data, utf8.size);
        out[utf8.size] = '\0';
    }
    writer_free(&utf8);
    return out;
}

/* That of a constant pool; NULL also if there is no such entry. */
static const char *text_of(const struct cpool *cp, uint16_t index, struct arena *arena)
{
    struct text t;
    return cpool_utf8(cp, index, &t) ? text_in(t, arena) : NULL;
}

enum status nav_declared_fields(struct nav *nav, uint32_t class_no, struct arena *arena,
                                const struct nav_declared **fields, size_t *count, struct error *err)
{
    const struct hs_class *c = hs_class_get(nav->trace, class_no);
    const struct classfile *cf = c != NULL ? class_file(nav->trace, c, NULL) : NULL;
    *fields = NULL;
    *count = 0;
    if (cf == NULL || cf->fields.count == 0)
        return OK;
    struct nav_declared *out = arena_array(arena, cf->fields.count, sizeof *out);
    if (out == NULL)
        return nav_memory(nav, err);
    for (size_t i = 0; i < cf->fields.count; i++) {
        const struct member *m = &cf->fields.items[i];
        out[i] = (struct nav_declared){ text_of(&cf->cp, m->name, arena), text_of(&cf->cp, m->desc, arena), m->access };
        if (out[i].name == NULL || out[i].desc == NULL)
            return nav_memory(nav, err);
    }
    *fields = out;
    *count = cf->fields.count;
    return OK;
}

const char *nav_source_debug_extension(struct nav *nav, uint32_t class_no, struct arena *arena)
{
    const struct hs_class *c = hs_class_get(nav->trace, class_no);
    const struct classfile *cf = c != NULL ? class_file(nav->trace, c, NULL) : NULL;
    const struct attribute *a =
        cf != NULL ? classfile_attribute(cf, cf->first_attribute, cf->attribute_count, "SourceDebugExtension") : NULL;
    return a != NULL ? text_in((struct text){ (const char *)a->data, a->length }, arena) : NULL;
}

static bool take_lineage(const struct lineage *l, struct nav_lineage *out)
{
    if (l == NULL)
        return false;
    *out = (struct nav_lineage){ .name = l->name, .loader = l->loader };
    if (!l->known)
        return true;
    /* a class file of an interface names Object as its superclass, a row of the hierarchy none */
    out->is_interface = l->row != NULL ? (l->row->access & ACC_INTERFACE) != 0
                                       : l->super[0] == '\0' && strcmp(l->name, "java.lang.Object") != 0;
    out->interfaces = l->interfaces;
    out->interface_count = l->interface_count;
    return true;
}

bool nav_lineage_of(struct nav *nav, const char *name, uint64_t loader, struct nav_lineage *out)
{
    return take_lineage(lineage_of(nav->trace, name, loader), out);
}

bool nav_lineage_at(struct nav *nav, size_t number, struct nav_lineage *out)
{
    return take_lineage(lineage_at(nav->trace, number), out);
}

bool nav_declared_variable(struct nav *nav, uint32_t method_id, size_t i, struct nav_scope *out)
{
    const struct method *c = method_get(nav->trace, method_id);
    if (c == NULL || i >= c->variable_count)
        return false;
    const struct variable_scope *v = &c->variables[i];
    *out = (struct nav_scope){ v->name, v->desc, v->start, v->end, v->slot };
    return true;
}
