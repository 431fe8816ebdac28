/* growth.c - see growth.h. What a method does to the size is that of the class of the object (contents.def). */
#include "reader/query/growth.h"

#include <stdlib.h>
#include <string.h>

#include "reader/query/contents.h"

enum growth_call { NOTHING, GROWS, SHRINKS, SHOWS };

static enum growth_call of_effect(enum contents_effect effect)
{
    static const uint8_t calls[] = {
#define GROWTH(effect, growth) [DO_##effect] = growth,
#include "reader/query/growth.def"
#undef GROWTH
    };
    return effect < sizeof calls ? (enum growth_call)calls[effect] : NOTHING;
}

enum { SIZED = SHAPE_LIST | SHAPE_DEQUE | SHAPE_QUEUE | SHAPE_SET | SHAPE_MAP };

/* Of iterators and views only what their methods are called is known. */
static bool removes(const char *name)
{
    static const char *const begins[] = { "remove", "clear", "retain", "poll" };
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}
static bool shows(const char *name)
{
    static const char *const names[] = { "iterator", "listIterator", "subList", "descendingIterator" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool growth_init(struct growth *g, hs_trace *t)
{
    *g = (struct growth){ .others = calloc((size_t)hs_dataid_count(t) + 1, sizeof *g->others) };
    return g->others != NULL;
}

void growth_done(struct growth *g)
{
    map_free(&g->objects);
    free(g->others);
}

static bool call(hs_trace *t, struct growth *g, struct growth_thread *thread, uint32_t id, uint32_t dataid)
{
    if (g->others[dataid])
        return true;
    const struct grown *x = map_get(&g->objects, id);
    const uint32_t of = x != NULL ? x->of : 0;
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    const char *owner = d != NULL ? attribute_text(d, "owner") : NULL;
    const char *name = d != NULL ? attribute_text(d, "name") : NULL,
               *desc = name != NULL ? attribute_text(d, "desc") : NULL;
    if (owner == NULL || desc == NULL ||
        (strncmp(owner, "java.util.", 10) != 0 && strcmp(owner, "java.lang.Iterable") != 0)) {
        g->others[dataid] = true;
        return true;
    }
    enum growth_call what = NOTHING;
    if (of != 0) {
        what = removes(name) ? SHRINKS : shows(name) ? SHOWS : NOTHING;
    } else {
        const struct contents_class *c = contents_class_of(t, id);
        if (c == NULL || (c->shapes & SIZED) == 0 || strcmp(name, "<init>") == 0)
            return true;
        what = of_effect(contents_method(c->shapes, name, desc));
    }
    if (what == NOTHING)
        return true;
    if (what == SHOWS) {
        thread->shown = of != 0 ? of : id;
        return true;
    }
    struct grown *to = map_put(&g->objects, of != 0 ? of : id);
    if (to == NULL)
        return false;
    to->added += what == GROWS;
    to->shrank = to->shrank || what == SHRINKS;
    return true;
}

bool growth_step(hs_trace *t, struct growth *g, struct growth_thread *thread, const struct hs_event *e, unsigned event)
{
    const uint32_t id = (uint32_t)e->value;
    if (event == EVENT_CALL) {
        thread->shown = 0;
        return call(t, g, thread, id, e->dataid);
    }
    if (event != EVENT_CALL_RETURN || thread->shown == 0 || thread->shown == id)
        return true;
    struct grown *view = map_put(&g->objects, id);
    if (view == NULL)
        return false;
    if (view->added == 0 && !view->shrank) /* an element that is a collection itself is none */
        view->of = thread->shown;
    thread->shown = 0;
    return true;
}

uint64_t growth_of(const struct growth *g, uint32_t id)
{
    const struct grown *x = map_get(&g->objects, id);
    return x != NULL && x->of == 0 && !x->shrank ? x->added : 0;
}
