/* same_methods.c - methods that were recorded under several ids.
 *
 * A class gets a new number, and its methods new ids, each time that it is woven: when recording starts again after a
 * stop, and when the class is redefined. Methods are the same if class name, loader, name and descriptor are. */
#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "reader/trace/open_trace.h"

struct same_method {
    uint64_t id; /* method id + 1 */
    uint32_t first;
};
struct same_methods {
    MAP(struct same_method) map; /* methods that are not the first of their kind */
};

static void same_methods_free(void *what)
{
    struct same_methods *s = what;
    map_free(&s->map);
    free(s);
}

static int by_name(const void *a, const void *b)
{
    const struct hs_class *x = *(const struct hs_class *const *)a, *y = *(const struct hs_class *const *)b;
    if (x->loader_id != y->loader_id)
        return x->loader_id < y->loader_id ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->class_no < y->class_no ? -1 : x->class_no > y->class_no;
}

static bool same_class(const struct hs_class *x, const struct hs_class *y)
{
    return x->loader_id == y->loader_id && strcmp(x->name, y->name) == 0;
}

static int compare_methods(const struct hs_method *x, const struct hs_method *y)
{
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->desc, y->desc);
}

static int by_method(const void *a, const void *b)
{
    const struct hs_method *x = *(const struct hs_method *const *)a, *y = *(const struct hs_method *const *)b;
    int order = compare_methods(x, y);
    return order != 0 ? order : x->method_id < y->method_id ? -1 : x->method_id > y->method_id;
}

/* The methods of classes of one name and loader. False: out of memory. */
static bool add_classes(struct same_methods *s, const struct hs_class *const *classes, size_t count)
{
    VEC(const struct hs_method *) methods = { 0 };
    bool fits = true;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < classes[i]->method_count && fits; k++) {
            const struct hs_method **slot = vec_push(&methods);
            fits = slot != NULL;
            if (fits)
                *slot = classes[i]->methods[k];
        }
    if (methods.count > 1)
        qsort(methods.items, methods.count, sizeof *methods.items, by_method);
    for (size_t i = 1, first = 0; i < methods.count && fits; i++) {
        if (compare_methods(methods.items[first], methods.items[i]) != 0) {
            first = i;
            continue;
        }
        struct same_method *same = map_put(&s->map, (uint64_t)methods.items[i]->method_id + 1);
        fits = same != NULL;
        if (fits)
            same->first = methods.items[first]->method_id;
    }
    vec_free(&methods);
    return fits;
}

static bool add_all(hs_trace *t, struct same_methods *s)
{
    VEC(const struct hs_class *) classes = { 0 };
    const struct hs_class *c;
    bool fits = true;
    for (size_t i = 0; fits && (c = class_at(t, i)) != NULL; i++) {
        const struct hs_class **slot = c->method_count > 0 ? vec_push(&classes) : NULL;
        fits = slot != NULL || c->method_count == 0;
        if (slot != NULL)
            *slot = c;
    }
    if (classes.count > 1)
        qsort(classes.items, classes.count, sizeof *classes.items, by_name);
    for (size_t i = 0, next; i < classes.count && fits; i = next) {
        for (next = i + 1; next < classes.count && same_class(classes.items[i], classes.items[next]);)
            next++;
        if (next - i > 1)
            fits = add_classes(s, classes.items + i, next - i);
    }
    vec_free(&classes);
    return fits;
}

bool same_methods_ready(hs_trace *t)
{
    if (trace_attached(t, ATTACHED_METHODS) != NULL)
        return true;
    struct same_methods *s = calloc(1, sizeof *s);
    if (s == NULL || !add_all(t, s)) {
        if (s != NULL)
            same_methods_free(s);
        return false;
    }
    trace_attach(t, ATTACHED_METHODS, s, same_methods_free);
    return true;
}

uint32_t same_method(const hs_trace *t, uint32_t method_id)
{
    const struct same_methods *s = trace_attached(t, ATTACHED_METHODS);
    const struct same_method *same = s->map.count > 0 ? map_get(&s->map, (uint64_t)method_id + 1) : NULL;
    return same != NULL ? same->first : method_id;
}
