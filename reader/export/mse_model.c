/* mse_model.c - the format mse (mse.h): packages, classes, methods, attributes, features and instances. Classes are
 * those that were woven, the types of objects, and the owners of fields; two of one name are one. */
#include <errno.h>
#include <string.h>

#include "formats/jvm/classfile.h"
#include "formats/mutf8.h"
#include "formats/search.h"
#include "formats/visible.h"
#include "reader/command/show.h"
#include "reader/export/mse.h"

static void put_bytes(void *out, const char *bytes, size_t n) { out_bytes(out, bytes, n); }

void mse_text(struct out *o, const char *text, size_t n)
{
    out_char(o, '\'');
    while (n > 0) {
        const char *quote = memchr(text, '\'', n);
        const size_t run = quote != NULL ? (size_t)(quote - text) : n;
        visible_each(text, run, put_bytes, o);
        if (quote != NULL)
            out_text(o, "''");
        text += run + (quote != NULL);
        n -= run + (quote != NULL);
    }
    out_char(o, '\'');
}

void mse_value(struct mse *m, char kind, uint64_t value)
{
    struct out *o = m->job->out;
    char digits[JSON_NUMBER_MAX];
    const char *text;
    switch (kind) {
    case HS_KIND_REF:
        if (value == 0)
            out_text(o, "'null'");
        else
            out_format(o, "(ref: %llu)", (unsigned long long)m->first_object + value);
        return;
    case HS_KIND_VOID: out_text(o, "'(redacted)'"); return;
    case HS_KIND_BOOLEAN: out_text(o, value != 0 ? "true" : "false"); return;
    case HS_KIND_FLOAT: text = json_float_digits((uint32_t)value, digits); break;
    case HS_KIND_DOUBLE: text = json_double_digits(value, digits); break;
    default: out_i64(o, (int64_t)value); return;
    }
    const bool number = strpbrk(text, "NI") == NULL; /* NaN, Infinity */
    out_format(o, number ? "%s" : "'%s'", text);
}

/* ---- names ---- */

static int compare_names(struct mse_name a, struct mse_name b)
{
    const int order = memcmp(a.text, b.text, a.size < b.size ? a.size : b.size);
    return order != 0 ? order : a.size < b.size ? -1 : a.size > b.size;
}
static int name_order(const void *a, const void *b)
{
    return compare_names(*(const struct mse_name *)a, *(const struct mse_name *)b);
}

static bool add_name(struct mse *m, mse_names *names, const char *text, size_t n)
{
    struct mse_name *name = vec_push(names);
    if (name == NULL)
        return export_fail(m->job, "out of memory");
    *name = (struct mse_name){ text, n };
    return true;
}

static void sort_names(mse_names *names)
{
    size_t kept = 0;
    if (names->count > 0)
        qsort(names->items, names->count, sizeof *names->items, name_order);
    for (size_t i = 0; i < names->count; i++)
        if (i == 0 || compare_names(names->items[i], names->items[kept - 1]) != 0)
            names->items[kept++] = names->items[i];
    names->count = kept;
}

/* The element of a name, 0: none. */
static uint64_t find_name(const mse_names *names, uint64_t first, const char *text, size_t n)
{
    const struct mse_name wanted = { text, n };
    size_t at = 0;
    LOWER_BOUND(at, names->count, compare_names(names->items[at], wanted) < 0);
    return at < names->count && compare_names(names->items[at], wanted) == 0 ? first + at : 0;
}
static uint64_t find_class(const struct mse *m, const char *name)
{
    return find_name(&m->classes, m->first_class, name, strlen(name));
}

static size_t package_size(struct mse_name name)
{
    const char *dot = memrchr(name.text, '.', name.size);
    return dot != NULL ? (size_t)(dot - name.text) : 0;
}

/* ---- fields ---- */

static int compare_fields(const char *owner, const char *name, const struct mse_field *f)
{
    const int order = strcmp(owner, f->owner);
    return order != 0 ? order : strcmp(name, f->name);
}
static int field_order(const void *a, const void *b)
{
    const struct mse_field *x = a;
    return compare_fields(x->owner, x->name, b);
}

/* The field that an instruction accesses; false: it accesses none. */
static bool field_of(const struct hs_dataid *d, struct mse_field *f)
{
    switch (d->event) {
    case HS_EVENT_GET_STATIC_FIELD:
    case HS_EVENT_PUT_STATIC_FIELD: f->is_static = true; break;
    case HS_EVENT_GET_INSTANCE_FIELD_RESULT:
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE:
    case HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION: f->is_static = false; break;
    default: return false;
    }
    f->owner = show_text_attr(d, "owner");
    f->name = show_text_attr(d, "name");
    return f->owner != NULL && f->name != NULL;
}

uint64_t mse_field(const struct mse *m, const struct hs_dataid *d)
{
    struct mse_field f;
    size_t at = 0;
    if (!field_of(d, &f))
        return 0;
    LOWER_BOUND(at, m->fields.count, compare_fields(f.owner, f.name, &m->fields.items[at]) > 0);
    const bool found = at < m->fields.count && compare_fields(f.owner, f.name, &m->fields.items[at]) == 0;
    return found ? m->first_field + at : 0;
}

static bool load_fields(struct mse *m)
{
    const uint32_t count = hs_dataid_count(m->job->trace);
    size_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct hs_dataid *d = hs_dataid_get(m->job->trace, i);
        struct mse_field f;
        if (d == NULL || !field_of(d, &f))
            continue;
        struct mse_field *slot = vec_push(&m->fields);
        if (slot == NULL)
            return export_fail(m->job, "out of memory");
        *slot = f;
    }
    if (m->fields.count > 0)
        qsort(m->fields.items, m->fields.count, sizeof *m->fields.items, field_order);
    for (size_t i = 0; i < m->fields.count; i++)
        if (i == 0 || field_order(&m->fields.items[i], &m->fields.items[kept - 1]) != 0)
            m->fields.items[kept++] = m->fields.items[i];
    m->fields.count = kept;
    for (size_t i = 0; i < kept; i++)
        if (!add_name(m, &m->classes, m->fields.items[i].owner, strlen(m->fields.items[i].owner)))
            return false;
    return true;
}

/* ---- classes and methods ---- */

uint64_t mse_method(const struct mse *m, uint32_t method_id)
{
    size_t at = 0;
    LOWER_BOUND(at, m->methods.count, m->methods.items[at] < method_id);
    return at < m->methods.count && m->methods.items[at] == method_id ? m->first_method + at : 0;
}

static int number_order(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool load_classes(struct mse *m, struct hs_error *error)
{
    const struct hs_class *c;
    hs_cursor *classes;
    int more;
    if (hs_classes_open(m->job->trace, &classes, error) != 0)
        return export_failed(m->job, error);
    while ((more = hs_class_next(classes, &c, error)) > 0 && export_ok(m->job)) {
        if (c->state != HS_CLASS_WOVEN)
            continue;
        (void)add_name(m, &m->classes, c->name, strlen(c->name));
        if (c->super[0] != '\0')
            (void)add_name(m, &m->classes, c->super, strlen(c->super));
        for (uint32_t i = 0; i < c->method_count; i++) {
            uint32_t *id = vec_push(&m->methods);
            if (id == NULL)
                (void)export_fail(m->job, "out of memory");
            else
                *id = c->methods[i]->method_id;
        }
    }
    hs_cursor_close(classes);
    if (m->methods.count > 0)
        qsort(m->methods.items, m->methods.count, sizeof *m->methods.items, number_order);
    return more < 0 ? export_failed(m->job, error) : export_ok(m->job);
}

static bool load_types(struct mse *m, struct hs_error *error)
{
    const struct hs_type *type;
    hs_cursor *types;
    int more;
    if (hs_types_open(m->job->trace, &types, error) != 0)
        return export_failed(m->job, error);
    while ((more = hs_type_next(types, &type, error)) > 0 && export_ok(m->job))
        (void)add_name(m, &m->classes, type->name, strlen(type->name));
    hs_cursor_close(types);
    return more < 0 ? export_failed(m->job, error) : export_ok(m->job);
}

bool mse_load(struct mse *m)
{
    struct hs_error error = HS_ERROR_INIT;
    if (!load_fields(m) || !load_classes(m, &error) || !load_types(m, &error))
        return false;
    sort_names(&m->classes);
    for (size_t i = 0; i < m->classes.count; i++)
        if (!add_name(m, &m->packages, m->classes.items[i].text, package_size(m->classes.items[i])))
            return false;
    sort_names(&m->packages);
    m->first_class = 1 + m->packages.count;
    m->first_method = m->first_class + m->classes.count;
    m->first_field = m->first_method + m->methods.count;
    m->first_feature = m->first_field + m->fields.count;
    return true;
}

void mse_done(struct mse *m)
{
    vec_free(&m->packages);
    vec_free(&m->classes);
    vec_free(&m->fields);
    vec_free(&m->methods);
}

/* ---- elements ---- */

static void put_classes(struct mse *m)
{
    struct out *o = m->job->out;
    for (size_t i = 0; i < m->packages.count; i++) {
        out_format(o, "  (FAMIX.Namespace (id: %zu) (name ", 1 + i);
        mse_text(o, m->packages.items[i].text, m->packages.items[i].size);
        out_bytes(o, "))\n", 3);
    }
    for (size_t i = 0; i < m->classes.count; i++) {
        const struct mse_name name = m->classes.items[i];
        const size_t package = package_size(name), begin = package > 0 ? package + 1 : 0;
        out_format(o, "  (FAMIX.Class (id: %llu) (name ", (unsigned long long)m->first_class + i);
        mse_text(o, name.text + begin, name.size - begin);
        out_format(o, ") (%s (ref: %llu)))\n", m->dialect->container,
                   (unsigned long long)find_name(&m->packages, 1, name.text, package));
    }
}

static void put_inheritance(struct mse *m, const struct hs_class *c)
{
    const uint64_t sub = find_class(m, c->name), super = find_class(m, c->super);
    if (c->state == HS_CLASS_WOVEN && c->super[0] != '\0')
        out_format(m->job->out, "  (%s (subclass (ref: %llu)) (superclass (ref: %llu)))\n", m->dialect->inheritance,
                   (unsigned long long)sub, (unsigned long long)super);
}

static void put_method(struct mse *m, size_t i)
{
    enum { STATIC = 8 };
    struct out *o = m->job->out;
    struct writer signature = { 0 };
    const struct hs_method *method = hs_method_get(m->job->trace, m->methods.items[i]);
    const struct hs_class *c = method != NULL ? hs_class_get(m->job->trace, method->class_no) : NULL;
    if (c == NULL)
        return;
    out_format(o, "  (FAMIX.Method (id: %llu) (name ", (unsigned long long)m->first_method + i);
    mse_text(o, method->name, strlen(method->name));
    out_text(o, ") (signature ");
    write_bytes(&signature, method->name, strlen(method->name));
    (void)descriptor_to_parameters(method->desc, strlen(method->desc), &signature);
    mse_text(o, (const char *)signature.data, signature.size);
    if (signature.bad)
        o->failed = ENOMEM;
    writer_free(&signature);
    out_format(o, ") (hasClassScope %s) (%s (ref: %llu)))\n", (method->access & STATIC) != 0 ? "true" : "false",
               m->dialect->parent, (unsigned long long)find_class(m, c->name));
}

static void put_fields(struct mse *m)
{
    struct out *o = m->job->out;
    for (size_t i = 0; i < m->fields.count; i++) {
        const struct mse_field *f = &m->fields.items[i];
        out_format(o, "  (FAMIX.Attribute (id: %llu) (name ", (unsigned long long)m->first_field + i);
        mse_text(o, f->name, strlen(f->name));
        out_format(o, ") (hasClassScope %s) (%s (ref: %llu)))\n", f->is_static ? "true" : "false", m->dialect->parent,
                   (unsigned long long)find_class(m, f->owner));
    }
}

static bool put_features(struct mse *m, struct hs_error *error)
{
    struct out *o = m->job->out;
    const struct hs_mark *mark;
    hs_cursor *marks;
    uint64_t id = m->first_feature;
    int more;
    if (hs_marks_open(m->job->trace, &marks, error) != 0)
        return export_failed(m->job, error);
    while ((more = hs_mark_next(marks, &mark, error)) > 0) {
        out_format(o, "  (Dynamix.Feature (id: %llu) (name ", (unsigned long long)id++);
        mse_text(o, mark->name, strlen(mark->name));
        out_format(o, ") (start %llu)", (unsigned long long)mark->first);
        if (mark->events > 0)
            out_format(o, " (stop %llu)", (unsigned long long)(mark->first + mark->events - 1));
        out_bytes(o, ")\n", 2);
    }
    hs_cursor_close(marks);
    m->first_object = id - 1; /* ids begin at 1 */
    return more < 0 ? export_failed(m->job, error) : export_ok(m->job);
}

static void put_content(struct out *o, const struct hs_object *object)
{
    struct writer text = { 0 };
    if (object->latin1)
        latin1_to_utf8(object->data, object->data_bytes, &text);
    else
        utf16le_to_utf8(object->data, object->data_bytes, &text);
    out_text(o, " (value ");
    mse_text(o, (const char *)text.data, text.size);
    out_char(o, ')');
    if (text.bad)
        o->failed = ENOMEM;
    writer_free(&text);
}

static bool put_objects(struct mse *m, struct hs_error *error)
{
    struct out *o = m->job->out;
    const struct hs_object *object;
    hs_cursor *objects;
    uint64_t last = 0;
    int more = 0;
    if (hs_objects_open(m->job->trace, &objects, error) != 0)
        return export_failed(m->job, error);
    while (export_ok(m->job) && (more = hs_object_next(objects, &object, error)) > 0) {
        const uint64_t type = object->type != NULL ? find_class(m, object->type) : 0;
        last = object->id;
        out_format(o, "  (Dynamix.Instance (id: %llu)", (unsigned long long)m->first_object + object->id);
        if (type != 0)
            out_format(o, " (type (ref: %llu))", (unsigned long long)type);
        if (object->has_string)
            put_content(o, object);
        out_bytes(o, ")\n", 2);
    }
    hs_cursor_close(objects);
    m->first_activation = m->first_object + last + 1;
    return more < 0 ? export_failed(m->job, error) : export_ok(m->job);
}

bool mse_put_model(struct mse *m)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_class *c;
    hs_cursor *classes;
    int more;
    if (hs_classes_open(m->job->trace, &classes, &error) != 0)
        return export_failed(m->job, &error);
    put_classes(m);
    while ((more = hs_class_next(classes, &c, &error)) > 0)
        put_inheritance(m, c);
    hs_cursor_close(classes);
    if (more < 0)
        return export_failed(m->job, &error);
    for (size_t i = 0; i < m->methods.count; i++)
        put_method(m, i);
    put_fields(m);
    return put_features(m, &error) && put_objects(m, &error);
}
