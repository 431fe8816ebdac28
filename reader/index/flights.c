/* flights.c - see flights.h. */
#include "reader/index/flights.h"

#include <stdlib.h>

#include "formats/event.h"
#include "formats/map.h"
#include "reader/stream/stream.h"

/* The latest flight of an object in a thread. */
struct flown {
    uint64_t key;
    size_t flight; /* position + 1 */
};
/* The object is below the thread: a map spreads keys by their lower half. */
static uint64_t flown_key(uint32_t object, uint32_t thread) { return (uint64_t)thread << 32 | object; }

struct finding {
    hs_trace *trace;
    const exception_event_vec *events;
    flight_vec *flights;
    MAP(struct flown) latest;
};

int exception_event_order(const void *a, const void *b)
{
    const struct exception_event *x = a, *y = b;
    if (x->stamp != y->stamp)
        return x->stamp < y->stamp ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static int by_first(const void *a, const void *b)
{
    const struct flight *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Was the frame of the event open at the event before? */
static enum status frame_was_open(const struct finding *f, const struct exception_event *now,
                                  const struct exception_event *before, bool *out, struct error *err)
{
    const struct replay *state;
    const struct event_position at = { positions_stream(f->trace, now->thread), now->position };
    enum status st = OK;
    uint64_t entry = now->entry;
    *out = now->position == before->position + 1;
    if (!*out && entry == ENTRY_UNKNOWN) {
        st = frames_at(f->trace, at, &state, err);
        const struct call_frame *top = st == OK ? replay_top(state) : NULL;
        entry = top != NULL ? top->entry : NO_POSITION;
    }
    *out = *out || entry == NO_POSITION || entry < before->position;
    return st;
}

/* Does the event go on with the flight whose latest event is `before`, of the same object and thread? */
static enum status goes_on(const struct finding *f, const struct exception_event *before,
                           const struct exception_event *now, bool *out, struct error *err)
{
    *out = false;
    const unsigned was = exception_event_type(f->trace, before);
    const bool caught = was == EVENT_CATCH;
    if (exception_event_type(f->trace, now) != EVENT_METHOD_THROW)
        return caught ? OK : frame_was_open(f, now, before, out, err);
    if (caught || was == EVENT_METHOD_THROW) { /* where no CATCH is recorded, one may be between two throws */
        const bool same_method =
            effects_get(f->trace, before->dataid)->method == effects_get(f->trace, now->dataid)->method;
        if (!same_method || (!caught && before->dataid == now->dataid))
            return OK;
    }
    return frame_was_open(f, now, before, out, err);
}

static enum status add_event(struct finding *f, uint32_t i, struct error *err)
{
    struct exception_event *w = &f->events->items[i];
    struct flown *latest = map_put(&f->latest, flown_key(w->object, w->thread));
    bool same = false;
    if (latest == NULL)
        return error_memory(err, "%s", f->trace->dir);
    struct flight *before = latest->flight != 0 ? &f->flights->items[latest->flight - 1] : NULL;
    if (before != NULL) {
        enum status st = goes_on(f, &f->events->items[before->last], w, &same, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
    }
    if (same) {
        f->events->items[before->last].next = i + 1;
        before->last = i;
        return OK;
    }
    struct flight *new = vec_push(f->flights);
    if (new == NULL)
        return error_memory(err, "%s", f->trace->dir);
    *new = (struct flight){ .id = w->object, .first = i, .last = i };
    latest->flight = f->flights->count;
    return OK;
}

/* Sets `alone` of the flights, and clears `latest`. False: out of memory. */
static bool find_alone(struct finding *f)
{
    MAP(struct flown) objects = { 0 };
    bool room = true;
    map_free(&f->latest);
    for (size_t i = 0; room && i < f->flights->count; i++) {
        struct flight *x = &f->flights->items[i];
        struct flown *o = map_put(&objects, x->id);
        room = o != NULL;
        if (!room)
            break;
        x->alone = o->flight == 0;
        if (o->flight != 0)
            f->flights->items[o->flight - 1].alone = false;
        o->flight = i + 1;
    }
    map_free(&objects);
    return room;
}

/* Sets `alone` and `next` of the flights, which are in order. */
static enum status link_flights(struct finding *f, struct error *err)
{
    if (!find_alone(f))
        return error_memory(err, "%s", f->trace->dir);
    for (size_t i = f->flights->count; i-- > 0;) { /* backwards: the flight behind is known */
        struct flight *x = &f->flights->items[i];
        x->swallowed = exception_event_type(f->trace, &f->events->items[x->last]) == EVENT_CATCH;
        if (x->alone)
            continue;
        struct flown *behind = map_put(&f->latest, flown_key(x->id, f->events->items[x->first].thread));
        if (behind == NULL)
            return error_memory(err, "%s", f->trace->dir);
        x->next = (uint32_t)behind->flight;
        behind->flight = i + 1;
    }
    return OK;
}

/* Numbers of events in the order of a thread at a time. */
static int by_place(const void *a, const void *b, void *events)
{
    const struct exception_event *x = (const struct exception_event *)events + *(const uint32_t *)a,
                                 *y = (const struct exception_event *)events + *(const uint32_t *)b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* Mostly they are sorted: chunks of one thread, stored in order. */
static void sort_unless_sorted(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
    size_t i = 1;
    while (i < count && order((char *)items + (i - 1) * size, (char *)items + i * size) <= 0)
        i++;
    if (i < count)
        qsort(items, count, size, order);
}

/* The events a thread at a time, since the frames of one are read forwards. */
static enum status add_events(struct finding *f, u32_vec *places, struct error *err)
{
    const size_t count = f->events->count;
    enum status st = vec_extend(places, count) ? OK : error_memory(err, "%s", f->trace->dir);
    bool sorted = true;
    for (size_t i = 0; st == OK && i < count; i++) {
        places->items[i] = (uint32_t)i;
        sorted = sorted && (i == 0 || by_place(&places->items[i - 1], &places->items[i], f->events->items) <= 0);
    }
    if (!sorted)
        qsort_r(places->items, count, sizeof *places->items, by_place, f->events->items);
    for (size_t i = 0; st == OK && i < count; i++)
        st = add_event(f, places->items[i], err);
    return st;
}

enum status flights_find(hs_trace *t, exception_event_vec *events, flight_vec *out, struct error *err)
{
    struct finding f = { .trace = t, .events = events, .flights = out };
    u32_vec places = { 0 };
    sort_unless_sorted(events->items, events->count, sizeof *events->items, exception_event_order);
    enum status st = add_events(&f, &places, err);
    vec_free(&places);
    sort_unless_sorted(out->items, out->count, sizeof *out->items, by_first);
    if (st == OK)
        st = link_flights(&f, err);
    map_free(&f.latest);
    return st;
}
