/* calls.c - see calls.h. */
#include "formats/calls.h"

#include <stdlib.h>

enum { ROOM_LEAST = 16 };
#define UNUSED UINT32_MAX

/* The slot of the method, or the free slot where it belongs. */
static struct call_top *find(const struct call_stack *s, uint32_t method)
{
    uint32_t at = (uint32_t)(method * UINT32_C(0x9e3779b1)) >> 8;
    for (;; at++) {
        struct call_top *t = &s->tops[at & (s->room - 1)];
        if (t->method == method || t->method == UNUSED)
            return t;
    }
}

/* Makes room for one more method and drops methods without a running call. */
static bool make_room(struct call_stack *s)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < s->room; i++)
        running += s->tops[i].position != 0;
    struct call_stack fresh = { .room = s->room == 0 ? ROOM_LEAST : running > s->room / 4 ? 2 * s->room : s->room };
    fresh.tops = malloc(fresh.room * sizeof *fresh.tops);
    if (fresh.tops == NULL)
        return false;
    for (uint32_t i = 0; i < fresh.room; i++)
        fresh.tops[i] = (struct call_top){ UNUSED, 0 };
    for (uint32_t i = 0; i < s->room; i++)
        if (s->tops[i].position != 0)
            *find(&fresh, s->tops[i].method) = s->tops[i];
    free(s->tops);
    s->tops = fresh.tops;
    s->room = fresh.room;
    s->used = running;
    return true;
}

struct call *calls_enter(struct call_stack *s, uint32_t method, uint64_t now)
{
    struct call *call = s->used < s->room / 2 || make_room(s) ? vec_push(&s->calls) : NULL;
    if (call == NULL)
        return NULL;
    struct call_top *top = find(s, method);
    if (top->method != method) {
        *top = (struct call_top){ method, 0 };
        s->used++;
    }
    *call = (struct call){ .method = method, .below = top->position, .entered = now };
    top->position = (uint32_t)s->calls.count;
    return call;
}

bool calls_above(const struct call_stack *s, uint32_t method, struct call *top)
{
    const struct call_top *t = s->room > 0 ? find(s, method) : NULL;
    if (t == NULL || t->method != method || t->position == 0 || s->calls.count <= t->position)
        return false;
    *top = s->calls.items[s->calls.count - 1];
    return true;
}

void calls_drop(struct call_stack *s)
{
    const struct call *c = &s->calls.items[--s->calls.count];
    find(s, c->method)->position = c->below;
}

bool calls_leave(struct call_stack *s, uint32_t method, uint64_t now, struct call_took *took)
{
    struct call_top *top = s->room > 0 ? find(s, method) : NULL;
    size_t at = top != NULL && top->method == method ? top->position : 0;
    if (at == 0)
        return false;
    while (s->calls.count > at)
        calls_drop(s); /* its exit was not recorded */
    const struct call *c = &s->calls.items[at - 1];
    uint64_t total = now > c->entered ? now - c->entered : 0;
    *took =
        (struct call_took){ .total = total, .self = total > c->inner ? total - c->inner : 0, .nested = c->below != 0 };
    top->position = c->below;
    s->calls.count--;
    if (s->calls.count > 0)
        s->calls.items[s->calls.count - 1].inner += total;
    else
        calls_forget(s);
    return true;
}

void calls_forget(struct call_stack *s)
{
    uint64_t gap = s->gap;
    calls_done(s); /* not kept for the next call: there may be a hundred thousand threads */
    s->gap = gap;
}

void calls_done(struct call_stack *s)
{
    vec_free(&s->calls);
    free(s->tops);
    *s = (struct call_stack){ 0 };
}
