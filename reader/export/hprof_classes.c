/* hprof_classes.c - the classes of a heap dump and their fields (hprof.h): the types of objects, what they extend, and
 * the classes that declare a field which recorded code reads or writes. Classes of one name are one, but for the ids of
 * their class objects. */
#include <string.h>

#include "formats/jvm/primitive.h"
#include "formats/search.h"
#include "reader/command/show.h"
#include "reader/export/hprof.h"

static const char *const always[] = { "java.lang.Object", "java.lang.Class", "java.lang.String", "byte[]" };

bool hprof_element(const char *type, char *kind)
{
    const size_t n = strlen(type);
    if (n < 3 || strcmp(type + n - 2, "[]") != 0)
        return false;
    const struct primitive *p = primitive_named(type, n - 2);
    *kind = p != NULL ? p->letter : HS_KIND_REF;
    return true;
}

/* ---- fields ---- */

static int field_order(const void *a, const void *b)
{
    const struct hprof_field *x = a, *y = b;
    int order = strcmp(x->declaring, y->declaring);
    if (order == 0)
        order = (int)y->is_static - (int)x->is_static;
    return order != 0 ? order : strcmp(x->name, y->name);
}

static bool field_of(hs_trace *t, uint32_t dataid, struct hprof_field *f)
{
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    const char *type;
    if (d == NULL || d->event < HS_EVENT_GET_INSTANCE_FIELD || d->event > HS_EVENT_PUT_STATIC_FIELD ||
        (type = show_text_attr(d, "type")) == NULL)
        return false;
    f->declaring = hs_field_declaring(t, dataid);
    f->name = show_text_attr(d, "name");
    f->kind = primitive_letter(type);
    f->is_static = d->event == HS_EVENT_GET_STATIC_FIELD || d->event == HS_EVENT_PUT_STATIC_FIELD;
    return f->declaring != NULL && f->name != NULL;
}

static bool add_field(struct hprof_classes *c, const struct hprof_field *f)
{
    struct hprof_field *slot = vec_push(&c->fields);
    if (slot == NULL)
        return export_fail(c->job, "out of memory");
    *slot = *f;
    return true;
}

/* The fields that woven classes declare, also those that nothing reads or writes. */
static bool load_declared(struct hprof_classes *c)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_class *class;
    hs_cursor *classes;
    bool ok = true;
    if (hs_classes_open(c->job->trace, &classes, &error) != 0)
        return export_failed(c->job, &error);
    while (ok && hs_class_next(classes, &class, NULL) > 0)
        for (size_t i = 0; ok && class->state == HS_CLASS_WOVEN; i++) {
            const struct hs_field *d = hs_field_get(c->job->trace, class->name, class->loader_id, i);
            if (d == NULL)
                break;
            ok = add_field(c, &(struct hprof_field){ .declaring = class->name,
                                                     .name = d->name,
                                                     .kind = primitive_letter(d->type),
                                                     .is_static = d->is_static });
        }
    hs_cursor_close(classes);
    return ok;
}

static bool load_fields(struct hprof_classes *c)
{
    const uint32_t count = hs_dataid_count(c->job->trace);
    struct hprof_field f;
    size_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!field_of(c->job->trace, i, &f))
            continue;
        if (!add_field(c, &f))
            return false;
    }
    if (!load_declared(c))
        return false;
    if (c->fields.count > 0)
        qsort(c->fields.items, c->fields.count, sizeof *c->fields.items, field_order);
    for (size_t i = 0; i < c->fields.count; i++)
        if (i == 0 || field_order(&c->fields.items[i], &c->fields.items[kept - 1]) != 0)
            c->fields.items[kept++] = c->fields.items[i];
    c->fields.count = kept;
    if (!vec_extend(&c->of_dataid, count))
        return export_fail(c->job, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        size_t at = 0;
        if (!field_of(c->job->trace, i, &f))
            continue;
        LOWER_BOUND(at, c->fields.count, field_order(&c->fields.items[at], &f) < 0);
        c->of_dataid.items[i] = 1 + (uint32_t)at;
    }
    return true;
}

/* ---- classes ---- */

static int class_order(const void *a, const void *b)
{
    const struct hprof_class *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->id < y->id ? -1 : x->id > y->id;
}

static bool add_class(struct hprof_classes *c, const char *name, uint64_t id, uint64_t loader)
{
    struct hprof_class *slot = vec_push(&c->classes);
    if (slot == NULL)
        return export_fail(c->job, "out of memory");
    *slot = (struct hprof_class){ .name = name, .id = id != 0 ? id : HPROF_NO_ID, .loader = loader };
    return true;
}

/* The class and what it extends. */
static bool add_chain(struct hprof_classes *c, const char *name, uint64_t id, uint64_t loader)
{
    for (int i = 0; i < HS_SUPERCLASSES_MAX && name != NULL; i++, id = 0) {
        if (!add_class(c, name, id, loader))
            return false;
        name = hs_class_super(c->job->trace, name, loader);
    }
    return true;
}

/* Is the end of the chain within reach? */
static bool ends(struct hprof_classes *c, const struct hprof_class *class)
{
    const char *name = class->name;
    for (int i = 0; i < HS_SUPERCLASSES_MAX; i++)
        if ((name = hs_class_super(c->job->trace, name, class->loader)) == NULL)
            return true;
    return false;
}

static void complete(struct hprof_classes *c, struct hprof_class *class)
{
    size_t first = 0, end = 0;
    char kind;
    const char *super = ends(c, class) ? hs_class_super(c->job->trace, class->name, class->loader) : NULL;
    const bool object = strcmp(class->name, "java.lang.Object") == 0;
    class->super = object ? NULL : super == NULL || hprof_element(class->name, &kind) ? "java.lang.Object" : super;
    LOWER_BOUND(first, c->fields.count, strcmp(c->fields.items[first].declaring, class->name) < 0);
    LOWER_BOUND(end, c->fields.count, strcmp(c->fields.items[end].declaring, class->name) <= 0);
    class->field = first;
    class->field_count = end - first;
}

/* Keeps the first class of each name that was made here, and all that have a class object. */
static void drop_doubles(struct hprof_classes *c)
{
    size_t kept = 0;
    if (c->classes.count > 0)
        qsort(c->classes.items, c->classes.count, sizeof *c->classes.items, class_order);
    for (size_t i = 0; i < c->classes.count; i++) {
        const struct hprof_class *before = kept > 0 ? &c->classes.items[kept - 1] : NULL;
        if (before == NULL || strcmp(before->name, c->classes.items[i].name) != 0 ||
            (c->classes.items[i].id != HPROF_NO_ID && c->classes.items[i].id != before->id))
            c->classes.items[kept++] = c->classes.items[i];
    }
    c->classes.count = kept;
}

bool hprof_classes_load(struct hprof_classes *c, struct export_job *x)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_type *type;
    int more;
    *c = (struct hprof_classes){ .job = x };
    if (!load_fields(c))
        return false;
    if (hs_types_open(x->trace, &c->types, &error) != 0)
        return export_failed(x, &error);
    while ((more = hs_type_next(c->types, &type, &error)) > 0)
        if (!add_chain(c, type->name, type->id, type->loader))
            return false;
    if (more < 0)
        return export_failed(x, &error);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!add_class(c, always[i], 0, 0))
            return false;
    for (size_t i = 0; i < c->fields.count; i++)
        if ((i == 0 || strcmp(c->fields.items[i].declaring, c->fields.items[i - 1].declaring) != 0) &&
            !add_chain(c, c->fields.items[i].declaring, 0, 0))
            return false;
    drop_doubles(c);
    for (size_t i = 0; i < c->classes.count; i++)
        complete(c, &c->classes.items[i]);
    return true;
}

void hprof_classes_done(struct hprof_classes *c)
{
    hs_cursor_close(c->types);
    vec_free(&c->fields);
    vec_free(&c->classes);
    vec_free(&c->of_dataid);
}

const struct hprof_class *hprof_class_find(const struct hprof_classes *c, const char *name)
{
    size_t at = 0;
    LOWER_BOUND(at, c->classes.count, strcmp(c->classes.items[at].name, name) < 0);
    return at < c->classes.count && strcmp(c->classes.items[at].name, name) == 0 ? &c->classes.items[at] : NULL;
}

const struct hprof_class *hprof_class_of(const struct hprof_classes *c, uint32_t class_id)
{
    const struct hs_type *type = hs_type_get(c->job->trace, class_id);
    const struct hprof_class *class = type != NULL ? hprof_class_find(c, type->name) : NULL,
                             *end = c->classes.items + c->classes.count;
    for (const struct hprof_class *k = class; k != NULL && k < end && strcmp(k->name, class->name) == 0; k++)
        if (k->id == class_id)
            return k;
    return class != NULL ? class : hprof_class_find(c, "java.lang.Object");
}
