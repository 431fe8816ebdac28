/* jdwp_types.c - the reference types of a trace: its classes, the types of its objects, and those that debuggers expect
 * in every JVM. */
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/primitive.h"
#include "reader/serve/jdwp.h"

enum { INTERFACE_ACCESS = 0x0601 }; /* public abstract */

static struct jdwp_named *find(struct jdwp *d, const char *name, uint64_t loader, uint64_t *free_hash)
{
    uint64_t hash = map_hash(name, strlen(name)) ^ loader * UINT64_C(0x9e3779b97f4a7c15);
    struct jdwp_named *e;
    hash += hash == 0;
    for (; (e = map_get(&d->by_name, hash)) != NULL; hash = map_next_hash(hash)) {
        const struct jdwp_type *t = &d->types.items[e->type];
        if (t->loader == loader && strcmp(t->name, name) == 0)
            return e;
    }
    *free_hash = hash;
    return NULL;
}

static bool add_class(struct jdwp *d, const char *name, uint64_t loader, uint32_t class_no, uint32_t access,
                      uint32_t method_count)
{
    uint64_t hash = 0;
    size_t size = strlen(name);
    struct jdwp_named *have = find(d, name, loader, &hash);
    if (have != NULL && class_no == NO_CLASS)
        return true;
    struct jdwp_type *t = vec_push(&d->types);
    if (t == NULL)
        return false;
    bool array = size > 2 && strcmp(name + size - 2, "[]") == 0;
    *t = (struct jdwp_type){ .name = name,
                             .loader = loader,
                             .class_no = class_no,
                             .access = access & 0xffff,
                             .method_count = method_count,
                             .tag = array                    ? TYPE_ARRAY
                                    : (access & 0x0200) != 0 ? TYPE_INTERFACE
                                                             : TYPE_CLASS };
    uint32_t number = (uint32_t)(d->types.count - 1);
    if (class_no != NO_CLASS) {
        struct jdwp_numbered *n = map_put(&d->by_class, (uint64_t)class_no + 1);
        if (n == NULL)
            return false;
        n->type = number;
    }
    if (have == NULL && (have = map_put(&d->by_name, hash)) == NULL)
        return false;
    have->type = number;
    return true;
}

static bool add(struct jdwp *d, const char *name, uint64_t loader, uint32_t access)
{
    return add_class(d, name, loader, NO_CLASS, access, 0);
}

/* It is an interface, since a class implements it. The trace may know its name alone, or not even that. */
static bool add_interface(struct jdwp *d, const char *name, uint64_t loader)
{
    struct jdwp_type *t = jdwp_type_of(d, jdwp_type_named(d, name, loader));
    if (t == NULL)
        return add(d, name, strncmp(name, "java.", 5) == 0 ? 0 : loader, INTERFACE_ACCESS);
    if (t->access != 0) /* it is known what it is */
        return true;
    t->access = INTERFACE_ACCESS;
    t->tag = TYPE_INTERFACE;
    return true;
}

static bool add_interfaces(struct jdwp *d)
{
    struct nav_lineage l;
    bool ok = true;
    for (size_t n = 0; ok && nav_lineage_at(d->nav, n, &l); n++) {
        if (l.is_interface)
            ok = add_interface(d, l.name, l.loader);
        for (size_t i = 0; ok && i < l.interface_count; i++)
            ok = add_interface(d, l.interfaces[i], l.loader);
    }
    return ok;
}

bool jdwp_types_open(struct jdwp *d)
{
    static const char *const expected[] = { "java.lang.Object",      "java.lang.Throwable", "java.lang.String",
                                            "java.lang.Thread",      "java.lang.Class",     "java.lang.ThreadGroup",
                                            "java.lang.ClassLoader", "hindsight.Time",      "hindsight.NotRecorded" };
    const struct hs_class *c;
    const struct hs_type *t;
    hs_cursor *rows;
    bool ok = true;
    if (hs_classes_open(d->trace, &rows, NULL) != 0)
        return false;
    while (ok && hs_class_next(rows, &c, NULL) > 0)
        ok = add_class(d, c->name, c->loader_id, c->class_no, c->access, c->method_count);
    hs_cursor_close(rows);
    if (!ok || hs_types_open(d->trace, &rows, NULL) != 0)
        return false;
    while (ok && hs_type_next(rows, &t, NULL) > 0)
        ok = t->name == NULL || add(d, t->name, t->loader, t->access);
    hs_cursor_close(rows);
    for (size_t i = 0; ok && i < sizeof expected / sizeof *expected; i++)
        ok = add(d, expected[i], 0, 1);
    return ok && add_interfaces(d);
}

struct jdwp_type *jdwp_type_of(struct jdwp *d, uint64_t id)
{
    uint32_t number = (uint32_t)id;
    return id >> 32 == SPACE_TYPE && number > 0 && number <= d->types.count ? &d->types.items[number - 1] : NULL;
}

uint64_t jdwp_type_named(struct jdwp *d, const char *name, uint64_t loader)
{
    uint64_t unused;
    const struct jdwp_named *e = find(d, name, loader, &unused);
    if (e == NULL && loader != 0)
        e = find(d, name, 0, &unused);
    return e != NULL ? jdwp_id(SPACE_TYPE, e->type + 1) : 0;
}

uint64_t jdwp_type_made(struct jdwp *d, const char *name, uint64_t loader)
{
    const uint64_t known = jdwp_type_named(d, name, loader);
    const size_t size = strlen(name) + 1;
    char *copy = known == 0 ? jdwp_chars(d, size) : NULL;
    if (known != 0 || copy == NULL || !add(d, memcpy(copy, name, size), loader, 1))
        return known;
    return jdwp_id(SPACE_TYPE, (uint32_t)d->types.count);
}

uint64_t jdwp_type_of_class(struct jdwp *d, uint32_t class_no)
{
    const struct jdwp_numbered *e = map_get(&d->by_class, (uint64_t)class_no + 1);
    return e != NULL ? jdwp_id(SPACE_TYPE, e->type + 1) : 0;
}

/* The class of an object of SPACE_UNKNOWN: its name has the reason, as debuggers show no more of an exception. */
static uint64_t unknown_type(struct jdwp *d, uint64_t id)
{
    enum { UNKNOWN_TYPES_MAX = 4096 };
    static const char unknown_class[] = "hindsight.NotRecorded";
    const char *why = jdwp_unknown_text(d, id) + strlen(jdwp_not_recorded);
    struct writer name = { 0 };
    uint64_t type = 0;
    const size_t before = d->types.count;
    write_bytes(&name, unknown_class, strlen(unknown_class));
    for (; *why != '\0'; why++)
        write_u1(&name, *why == ';' ? ',' : (uint8_t)*why);
    write_u1(&name, '\0');
    if (!name.bad && d->unknown_types < UNKNOWN_TYPES_MAX)
        type = jdwp_type_made(d, (const char *)name.data, 0);
    d->unknown_types += (uint32_t)(d->types.count - before);
    writer_free(&name);
    return type != 0 ? type : jdwp_type_named(d, unknown_class, 0);
}

uint64_t jdwp_type_of_object(struct jdwp *d, uint64_t object)
{
    static const char *const names[] = { "java.lang.Object",      "java.lang.Class",       "java.lang.Thread",
                                         "java.lang.ThreadGroup", "java.lang.ClassLoader", "java.lang.String",
                                         "hindsight.NotRecorded" };
    uint64_t space = object >> 32, found = 0, made, loader;
    if (space == SPACE_UNKNOWN)
        return unknown_type(d, object);
    if (space == SPACE_MADE) {
        const char *name = jdwp_made_type(d, object, &made, &loader);
        return name != NULL ? jdwp_type_made(d, name, loader) : 0;
    }
    if (space == SPACE_OBJECT) {
        const struct hs_object *o = hs_object_get(d->trace, (uint32_t)object);
        const struct hs_type *t = o != NULL ? hs_type_get(d->trace, o->class_id) : NULL;
        if (t != NULL && t->name != NULL)
            found = jdwp_type_named(d, t->name, t->loader);
    }
    return found != 0 ? found : jdwp_type_named(d, names[space], 0);
}

uint8_t jdwp_type_tag(struct jdwp *d, uint64_t type)
{
    const struct jdwp_type *t = jdwp_type_of(d, type);
    return t != NULL ? t->tag : TYPE_CLASS;
}

void jdwp_put_signature(struct writer *out, const char *name)
{
    struct writer w = { 0 };
    size_t size = strlen(name);
    for (; size > 2 && memcmp(name + size - 2, "[]", 2) == 0; size -= 2)
        write_u1(&w, '[');
    const struct primitive *p = primitive_named(name, size);
    if (p != NULL || (size == 4 && memcmp(name, "void", 4) == 0)) {
        write_u1(&w, p != NULL ? (unsigned char)p->letter : 'V');
    } else if (size > 0) {
        write_u1(&w, 'L');
        for (size_t i = 0; i < size; i++)
            write_u1(&w, name[i] == '.' ? '/' : (unsigned char)name[i]);
        write_u1(&w, ';');
    }
    write_u4(out, (uint32_t)w.size);
    write_bytes(out, w.data, w.size);
    out->bad |= w.bad;
    writer_free(&w);
}

bool jdwp_type_is(struct jdwp *d, uint64_t type, const char *name)
{
    const struct jdwp_type *t = jdwp_type_of(d, type);
    return t != NULL && strcmp(t->name, name) == 0;
}

uint64_t jdwp_super(struct jdwp *d, uint64_t type)
{
    const struct jdwp_type *t = jdwp_type_of(d, type);
    if (t == NULL || t->tag == TYPE_INTERFACE || strcmp(t->name, "java.lang.Object") == 0)
        return 0;
    const char *super = t->tag == TYPE_CLASS ? hs_class_super(d->trace, t->name, t->loader) : NULL;
    uint64_t id = super != NULL ? jdwp_type_named(d, super, t->loader) : 0;
    return id != 0 && id != type ? id : jdwp_type_named(d, "java.lang.Object", 0);
}

bool jdwp_is_a(struct jdwp *d, uint64_t type, uint64_t super)
{
    for (unsigned depth = 0; type != 0 && depth < HS_SUPERCLASSES_MAX; type = jdwp_super(d, type), depth++)
        if (type == super)
            return true;
    return false;
}

bool jdwp_read_fields(struct jdwp *d, struct jdwp_type *t)
{
    if (!t->fields_read && t->class_no != NO_CLASS &&
        nav_declared_fields(d->nav, t->class_no, &d->arena, &t->fields, &t->field_count, NULL) != OK)
        return false;
    return t->fields_read = true;
}

const struct nav_declared *jdwp_field(struct jdwp *d, uint64_t id, uint64_t *type)
{
    *type = jdwp_id(SPACE_TYPE, (uint32_t)(id >> 32));
    struct jdwp_type *t = jdwp_type_of(d, *type);
    uint32_t number = (uint32_t)id;
    if (t == NULL || !jdwp_read_fields(d, t) || number == 0 || number > t->field_count)
        return NULL;
    return &t->fields[number - 1];
}

/* ---- methods of our own ---- */

static const struct jdwp_own_method own_methods[OWN_COUNT] = {
    [OWN_NOW] = { "now", "()J", true },
    [OWN_BACK] = { "back", "()J", true },
    [OWN_FORWARD] = { "forward", "()J", true },
    [OWN_RUN_BACK] = { "runBack", "()J", true },
    [OWN_GO] = { "goTo", "(J)J", true },
    [OWN_LAST_WRITE] = { "lastWrite", "(Ljava/lang/String;)J", true },
    [OWN_WHY] = { "why", "(Ljava/lang/String;)Ljava/lang/String;", true },
    [OWN_TEXT] = { "toString", "()Ljava/lang/String;", false },
};

const struct jdwp_own_method *jdwp_own(size_t number) { return number < OWN_COUNT ? &own_methods[number] : NULL; }
