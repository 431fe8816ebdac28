/* selogger_objects.c - the files LOG$* of the format selogger (selogger.h): types, and of each object its type, its
 * content if it is a string, and its message and stack if it is an exception.
 *
 * SELogger gives the numbers of types itself: first those of `basic`, then the others as they come. */
#include <string.h>

#include "formats/search.h"
#include "reader/export/selogger.h"

static const char *const basic[] = {
    "void", "boolean", "byte", "char", "double", "float", "int", "long", "short", "java.lang.Object", "java.lang.String"
};
enum { BASIC_COUNT = sizeof basic / sizeof *basic, TYPE_OBJECT = 9, TYPE_STRING = 10, TYPE_NONE = -1 };

struct type_row {
    const struct hs_type *type;
    const struct hs_class *declared; /* NULL: not known */
    int64_t number;
};
struct types {
    struct export_job *job;
    hs_cursor *cursor, *classes;
    VEC(struct type_row) rows;                  /* by the id of the class object */
    VEC(struct type_row *) by_name;             /* by name and loader */
    VEC(const struct hs_class *) class_by_name; /* by name and loader */
};

static int compare(const char *name, uint64_t loader, const char *other, uint64_t other_loader)
{
    int order = strcmp(name, other);
    return order != 0 ? order : loader < other_loader ? -1 : loader > other_loader;
}
static int type_order(const void *a, const void *b)
{
    const struct hs_type *x = (*(struct type_row *const *)a)->type, *y = (*(struct type_row *const *)b)->type;
    return compare(x->name, x->loader, y->name, y->loader);
}
static int class_order(const void *a, const void *b)
{
    const struct hs_class *x = *(const struct hs_class *const *)a, *y = *(const struct hs_class *const *)b;
    return compare(x->name, x->loader_id, y->name, y->loader_id);
}

static const struct hs_class *find_class(const struct types *t, const char *name, uint64_t loader)
{
    size_t at = 0;
    LOWER_BOUND(at, t->class_by_name.count,
                compare(t->class_by_name.items[at]->name, t->class_by_name.items[at]->loader_id, name, loader) < 0);
    const struct hs_class *c = at < t->class_by_name.count ? t->class_by_name.items[at] : NULL;
    return c != NULL && c->loader_id == loader && strcmp(c->name, name) == 0 ? c : NULL;
}

static bool load(struct types *t, struct hs_error *error)
{
    const struct hs_type *type;
    const struct hs_class *c;
    int more = -1;
    if (hs_types_open(t->job->trace, &t->cursor, error) != 0 || hs_classes_open(t->job->trace, &t->classes, error) != 0)
        return export_failed(t->job, error);
    while ((more = hs_class_next(t->classes, &c, error)) > 0) {
        const struct hs_class **slot = vec_push(&t->class_by_name);
        if (slot == NULL)
            return export_fail(t->job, "out of memory");
        *slot = c;
    }
    qsort(t->class_by_name.items, t->class_by_name.count, sizeof *t->class_by_name.items, class_order);
    int64_t next = BASIC_COUNT;
    while (more == 0 && (more = hs_type_next(t->cursor, &type, error)) > 0) {
        struct type_row *row = vec_push(&t->rows);
        if (row == NULL)
            return export_fail(t->job, "out of memory");
        *row = (struct type_row){ type, find_class(t, type->name, type->loader), TYPE_NONE };
        for (int64_t i = 0; i < BASIC_COUNT && type->loader == 0; i++)
            if (strcmp(type->name, basic[i]) == 0)
                row->number = i;
        if (row->number == TYPE_NONE)
            row->number = next++;
        more = 0;
    }
    if (more < 0)
        return export_failed(t->job, error);
    if (!vec_extend(&t->by_name, t->rows.count))
        return export_fail(t->job, "out of memory");
    for (size_t i = 0; i < t->rows.count; i++)
        t->by_name.items[i] = &t->rows.items[i];
    qsort(t->by_name.items, t->by_name.count, sizeof *t->by_name.items, type_order);
    return true;
}

/* The type of that name, of this loader if there is one; the first `n` characters of the name count. */
static int64_t number_of(const struct types *t, const char *name, size_t n, uint64_t loader)
{
    size_t at = 0;
    int64_t found = TYPE_NONE;
    for (int64_t i = 0; i < BASIC_COUNT; i++)
        if (strlen(basic[i]) == n && memcmp(basic[i], name, n) == 0)
            return i;
    LOWER_BOUND(at, t->by_name.count, strncmp(t->by_name.items[at]->type->name, name, n) < 0);
    for (; at < t->by_name.count; at++) { /* names that are equal come before longer ones */
        const struct type_row *row = t->by_name.items[at];
        if (strncmp(row->type->name, name, n) != 0 || row->type->name[n] != '\0')
            break;
        if (found == TYPE_NONE || row->type->loader == loader)
            found = row->number;
    }
    return found;
}

static bool is_array(const char *name, size_t *element)
{
    size_t n = strlen(name);
    *element = n > 2 ? n - 2 : 0;
    return n > 2 && strcmp(name + n - 2, "[]") == 0;
}

static void put_type(const struct types *t, const struct type_row *row)
{
    enum { INTERFACE = 0x200 };
    struct out *o = t->job->out;
    const char *name = row->type->name;
    const struct hs_class *c = row->declared;
    int64_t super = TYPE_NONE, component = TYPE_NONE;
    size_t element;
    if (is_array(name, &element)) {
        super = TYPE_OBJECT;
        component = number_of(t, name, element, row->type->loader);
    } else if (c != NULL && c->super[0] != '\0' && (row->type->access & INTERFACE) == 0) {
        super = number_of(t, c->super, strlen(c->super), row->type->loader);
    }
    out_format(o, "%lld,", (long long)row->number);
    selogger_text(o, name);
    out_char(o, ',');
    selogger_text(o, c != NULL ? c->source : "");
    out_format(o, ",%lld,%lld,", (long long)super, (long long)component);
    selogger_loader(o, row->type->loader, name);
    out_char(o, '\n');
}

static bool put_types(const struct types *t)
{
    if (!export_file_open(t->job, "LOG$Types.txt"))
        return false;
    for (int64_t i = 0; i < BASIC_COUNT; i++) {
        out_format(t->job->out, "%lld,%s,,%d,-1,", (long long)i, basic[i], i == TYPE_STRING ? TYPE_OBJECT : TYPE_NONE);
        selogger_loader(t->job->out, 0, basic[i]);
        out_char(t->job->out, '\n');
    }
    for (size_t i = 0; i < t->rows.count; i++)
        if (t->rows.items[i].number >= BASIC_COUNT)
            put_type(t, &t->rows.items[i]);
    return export_ok(t->job);
}

static int64_t type_of(const struct types *t, const struct hs_object *object)
{
    size_t at = 0;
    LOWER_BOUND(at, t->rows.count, t->rows.items[at].type->id < object->class_id);
    if (at < t->rows.count && t->rows.items[at].type->id == object->class_id)
        return t->rows.items[at].number;
    int64_t number = object->type != NULL ? number_of(t, object->type, strlen(object->type), 0) : TYPE_NONE;
    return number != TYPE_NONE ? number : TYPE_OBJECT;
}

/* ---- objects ---- */

static void put_string(struct out *o, const struct hs_object *object)
{
    if (!object->has_string)
        return;
    out_format(o, "%u,%llu,", object->id, (unsigned long long)object->length);
    (void)out_quoted_string(o, object, UINT64_MAX);
    out_char(o, '\n');
}

static void put_exception(struct out *o, const struct hs_thrown *e)
{
    out_format(o, "%u,M,", e->id);
    out_line(o, e->message != NULL ? e->message : "null");
    out_format(o, "%u,CS,%llu", e->id, (unsigned long long)e->cause);
    for (size_t i = 0; i < e->suppressed_count; i++)
        out_format(o, ",%llu", (unsigned long long)e->suppressed[i]);
    out_char(o, '\n');
    for (size_t i = 0; i < e->frame_count; i++) {
        const struct hs_stack_frame *f = e->frames[i];
        out_format(o, "%u,S,%c,", e->id, f->native ? 'T' : 'F');
        selogger_text(o, f->class_name);
        out_char(o, ',');
        selogger_text(o, f->method);
        out_char(o, ',');
        selogger_text(o, f->file[0] != '\0' ? f->file : "null");
        out_format(o, ",%d\n", f->line);
    }
}

/* The passes over the objects: a file each. */
enum pass { OBJECT_TYPES, STRINGS, EXCEPTIONS };
static const char *const pass_files[] = { "LOG$ObjectTypes00001.txt", "LOG$String00001.txt",
                                          "LOG$Exceptions00001.txt" };

static bool put_objects(const struct types *t, enum pass pass, struct hs_error *error)
{
    struct export_job *x = t->job;
    const struct hs_object *object;
    hs_cursor *objects = NULL;
    uint64_t next = 1; /* ids without a row in the trace get one here: SELogger's reader wants all of them */
    int more = 0;
    if (!export_file_open(x, pass_files[pass]))
        return false;
    if (hs_objects_open(x->trace, &objects, error) != 0)
        return export_failed(x, error);
    while (export_ok(x) && (more = hs_object_next(objects, &object, error)) > 0) {
        const struct hs_thrown *thrown;
        switch (pass) {
        case OBJECT_TYPES:
            for (; next < object->id && export_ok(x); next++)
                out_format(x->out, "%llu,%d\n", (unsigned long long)next, TYPE_OBJECT);
            out_format(x->out, "%u,%lld\n", object->id, (long long)type_of(t, object));
            next = (uint64_t)object->id + 1;
            break;
        case STRINGS: put_string(x->out, object); break;
        case EXCEPTIONS:
            if (!object->has_string && (thrown = hs_thrown_peek(x->trace, object->id)) != NULL)
                put_exception(x->out, thrown);
            break;
        }
    }
    hs_cursor_close(objects);
    return more < 0 ? export_failed(x, error) : export_ok(x);
}

bool selogger_objects(struct selogger *s)
{
    struct hs_error error = HS_ERROR_INIT;
    struct types t = { .job = s->job };
    bool done = load(&t, &error) && put_types(&t) && put_objects(&t, OBJECT_TYPES, &error) &&
                put_objects(&t, STRINGS, &error) && put_objects(&t, EXCEPTIONS, &error);
    hs_cursor_close(t.cursor);
    hs_cursor_close(t.classes);
    vec_free(&t.rows);
    vec_free(&t.by_name);
    vec_free(&t.class_by_name);
    return done;
}
