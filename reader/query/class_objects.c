/* class_objects.c - which object a class is, so that `static synchronized` and `synchronized (X.class)` are one lock.
 *
 * The type table names every class object that an event has shown, by name and loader. The object of a class that has
 * none there was in no event: nothing but its static methods can have entered its monitor in woven code. */
#include "formats/jvm/classfile.h"
#include "reader/cursor/cursor.h"

#include <stdlib.h>

/* By the position of the class: its object + 1; 0: not looked for yet. NULL: no memory. */
static uint64_t *class_objects(hs_trace *t)
{
    uint64_t *of = trace_attached(t, ATTACHED_CLASS_OBJECTS);
    if (of != NULL)
        return of;
    of = calloc(class_rows(t) + 1, sizeof *of);
    if (of != NULL)
        trace_attach(t, ATTACHED_CLASS_OBJECTS, of, free);
    else
        trace_no_memory(t);
    return of;
}

/* The only object of that name and loader; 0: there is none, or several (of a damaged trace). */
static uint32_t find_object(const hs_trace *t, const struct hs_class *c)
{
    uint32_t found = 0;
    for (size_t i = 0; i < t->types.count; i++) {
        const struct hs_type *type = &t->types.items[i];
        if (type->loader != c->loader_id || strcmp(type->name, c->name) != 0)
            continue;
        if (found != 0)
            return 0;
        found = type->id;
    }
    return found;
}

uint32_t hs_class_object(hs_trace *t, const struct hs_class *c)
{
    uint64_t *of = class_objects(t);
    const struct hs_class *own = hs_class_get(t, c->class_no);
    if (of == NULL || own == NULL)
        return 0;
    uint64_t *object = &of[own - t->classes.items];
    if (*object == 0)
        *object = find_object(t, own) + UINT64_C(1);
    return (uint32_t)(*object - 1);
}

uint64_t hs_method_monitor(hs_trace *t, uint32_t method_id, uint64_t receiver)
{
    const struct hs_method *m = hs_method_get(t, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    if (c == NULL || (m->access & ACC_SYNCHRONIZED) == 0)
        return 0;
    return (m->access & ACC_STATIC) != 0 ? hs_class_object(t, c) : receiver;
}
