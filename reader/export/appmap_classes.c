/* appmap_classes.c - see appmap.h. The tree is written from a sorted list: packages are opened and closed as the names
 * of classes change, so nothing recurses, and names with very many dots are joined below PACKAGES_MAX. */
#include "reader/export/appmap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/spot.h"

enum { PACKAGES_MAX = 20, ACC_STATIC = 0x0008 }; /* JVMS 4.6 */

/* a.b.C in C.java: a/b/C.java. NULL: out of memory. */
static char *source_path(const struct hs_class *c)
{
    const char *dot = strrchr(c->name, '.');
    size_t package = dot != NULL ? (size_t)(dot - c->name) + 1 : 0;
    const char *file = c->source_file[0] != '\0' ? c->source_file : c->name + package;
    size_t size = package + strlen(file) + 1;
    char *path = malloc(size);
    if (path == NULL)
        return NULL;
    memcpy(path, c->name, package);
    memcpy(path + package, file, size - package);
    for (size_t i = 0; i < package; i++)
        path[i] = path[i] == '.' ? '/' : path[i];
    return path;
}

static struct spot entry_spot(hs_trace *t, const struct hs_class *c, uint32_t method_id)
{
    for (uint32_t i = 0; i < c->dataid_count; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, c->first_dataid + i);
        if (d != NULL && d->event == HS_EVENT_METHOD_ENTRY && d->method_id == method_id)
            return SPOT_OF(d);
    }
    return (struct spot){ NULL, -1 };
}

const struct appmap_function *appmap_function(struct appmap_functions *f, uint32_t method_id, bool *room)
{
    struct appmap_position *at = map_get(&f->find, (uint64_t)method_id + 1);
    const struct hs_method *m = hs_method_get(f->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(f->trace, m->class_no) : NULL;
    *room = true;
    if (at != NULL)
        return &f->list.items[at->position];
    if (c == NULL)
        return NULL;
    const struct spot spot = entry_spot(f->trace, c, method_id);
    struct appmap_function new = { .class = c,
                                   .method = m,
                                   .path = spot.file != NULL ? strdup(spot.file) : source_path(c),
                                   .line = spot.line,
                                   .is_static = (m->access & ACC_STATIC) != 0 };
    struct appmap_function *to = new.path != NULL ? vec_push(&f->list) : NULL;
    at = to != NULL ? map_put(&f->find, (uint64_t)method_id + 1) : NULL;
    *room = at != NULL;
    if (to == NULL)
        free(new.path);
    else
        *to = new;
    if (at == NULL)
        return NULL;
    at->position = f->list.count - 1;
    return to;
}

void appmap_functions_done(struct appmap_functions *f)
{
    for (size_t i = 0; i < f->list.count; i++)
        free(f->list.items[i].path);
    vec_free(&f->list);
    map_free(&f->find);
}

/* ---- order ---- */

static int by_designator(const void *a, const void *b)
{
    const struct appmap_function *x = a, *y = b;
    int order = strcmp(x->method->name, y->method->name);
    if (order == 0)
        order = strcmp(x->path, y->path);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    return order != 0 ? order : x->is_static - y->is_static;
}

static int by_class(const void *a, const void *b)
{
    const struct appmap_function *x = a, *y = b;
    int order = (strchr(x->class->name, '.') != NULL) -
                (strchr(y->class->name, '.') != NULL); /* first those without a package */
    if (order == 0)
        order = strcmp(x->class->name, y->class->name);
    uint32_t p = x->method->method_id, q = y->method->method_id;
    return order != 0 ? order : (p > q) - (p < q);
}

static void sort(struct appmap_functions *f)
{
    size_t n = f->list.count;
    if (n < 2)
        return;
    qsort(f->list.items, n, sizeof *f->list.items, by_designator);
    for (size_t i = 1; i < n; i++)
        f->list.items[i].twin = by_designator(&f->list.items[i - 1], &f->list.items[i]) == 0;
    qsort(f->list.items, n, sizeof *f->list.items, by_class);
}

/* ---- output ---- */

/* The length of the package at the beginning of the rest of a class name; 0: it is the name of the class. */
static size_t package_length(const char *rest, size_t depth)
{
    const char *dot = depth < PACKAGES_MAX ? strchr(rest, '.') : strrchr(rest, '.');
    return dot != NULL ? (size_t)(dot - rest) : 0;
}

static void begin_node(struct json *j, const char *type, const char *name, size_t n)
{
    json_object(j);
    json_member_text(j, "type", type);
    json_name(j, "name");
    json_text_n(j, name, n);
    json_name(j, "children");
    json_array(j);
}

static void end_node(struct json *j)
{
    json_end(j);
    json_end(j);
}

static void function(struct json *j, const struct appmap_function *f)
{
    char line[16];
    json_object(j);
    json_member_text(j, "type", "function");
    json_member_text(j, "name", f->method->name);
    json_member_bool(j, "static", f->is_static);
    if (!f->twin) {
        (void)snprintf(line, sizeof line, ":%d", f->line);
        json_name(j, "location");
        json_text_begin(j);
        json_text_part(j, f->path, strlen(f->path));
        json_text_part(j, line, f->line >= 0 ? strlen(line) : 0);
        json_text_end(j);
    }
    json_end(j);
}

/* Is a class in the open package whose name is the first `n` characters of another class? 0: the default package. */
static bool is_inside(const char *name, const char *other, size_t n)
{
    return n == 0 ? strchr(name, '.') == NULL : strncmp(other, name, n) == 0;
}

/* Opens the packages of a class behind those that are open, `depth` of them, up to `*rest`. */
static size_t begin_packages(struct json *j, const char **rest, size_t depth, size_t ends[PACKAGES_MAX + 1],
                             const char *whole)
{
    size_t n;
    if (strchr(whole, '.') == NULL && depth == 0) {
        begin_node(j, "package", "(default package)", strlen("(default package)"));
        ends[depth++] = 0;
        return depth;
    }
    while ((n = package_length(*rest, depth)) > 0 && depth <= PACKAGES_MAX) {
        begin_node(j, "package", *rest, n);
        *rest += n + 1;
        ends[depth++] = (size_t)(*rest - whole);
    }
    return depth;
}

void appmap_class_map(struct appmap_functions *f, struct json *j)
{
    size_t ends[PACKAGES_MAX + 1]; /* where in the name of the class each open package ends */
    size_t depth = 0;
    const char *last = NULL;
    sort(f);
    json_name(j, "classMap");
    json_array(j);
    for (size_t i = 0; i < f->list.count; i++) {
        const char *name = f->list.items[i].class->name;
        if (last == NULL || strcmp(last, name) != 0) {
            if (last != NULL)
                end_node(j);
            while (depth > 0 && !is_inside(name, last, ends[depth - 1])) {
                end_node(j);
                depth--;
            }
            const char *rest = name + (depth > 0 ? ends[depth - 1] : 0);
            depth = begin_packages(j, &rest, depth, ends, name);
            begin_node(j, "class", rest, strlen(rest));
            last = name;
        }
        function(j, &f->list.items[i]);
    }
    if (last != NULL)
        end_node(j);
    while (depth-- > 0)
        end_node(j);
    json_end(j);
}
