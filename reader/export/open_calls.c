/* open_calls.c - see open_calls.h. */
#include "reader/export/open_calls.h"

#include "formats/event.h"

bool open_calls_init(struct open_calls *o, hs_trace *trace)
{
    hs_cursor *intervals;
    const struct hs_interval *row;
    *o = (struct open_calls){ .trace = trace };
    if (hs_intervals_open(trace, &intervals, NULL) != 0)
        return false;
    bool room = true, first = true;
    while (room && hs_interval_next(intervals, &row, NULL) > 0) {
        uint64_t *begin = first ? NULL : vec_push(&o->intervals);
        room = first || begin != NULL;
        if (begin != NULL)
            *begin = row->first;
        first = false;
    }
    hs_cursor_close(intervals);
    return room;
}

void open_calls_done(struct open_calls *o)
{
    for (size_t i = 0; i < o->threads.cap; i++)
        if (o->threads.slots[i].key != 0) {
            calls_done(&o->threads.slots[i].stack);
            vec_free(&o->threads.slots[i].marks);
        }
    map_free(&o->threads);
    vec_free(&o->intervals);
}

const struct thread_calls *open_calls_of(const struct open_calls *o, uint32_t thread)
{
    return map_get(&o->threads, (uint64_t)thread + 1);
}

void open_calls_set(struct thread_calls *t, uint64_t mark) { t->marks.items[t->marks.count - 1] = mark; }

/* The thread of an event, without calls of an interval that has ended. NULL: out of memory. */
static struct thread_calls *thread_at(struct open_calls *o, const struct hs_event *e)
{
    while (o->interval < o->intervals.count && e->seq >= o->intervals.items[o->interval])
        o->interval++;
    struct thread_calls *t = map_put(&o->threads, (uint64_t)e->thread + 1);
    if (t != NULL && t->interval != o->interval) {
        calls_forget(&t->stack);
        t->marks.count = 0;
        t->interval = o->interval;
    }
    return t;
}

enum open_calls_result open_calls_apply(struct open_calls *o, const struct hs_event *e, struct open_calls_step *step)
{
    const struct hs_dataid *d = hs_dataid_get(o->trace, e->dataid);
    if (d == NULL || !event_has(d->event, USE_ENTER | USE_LEAVE))
        return OPEN_CALLS_NOTHING;
    uint64_t now = e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(o->trace, e->stamp);
    now = now != HS_NO_TIME ? now : 0;
    struct thread_calls *t = thread_at(o, e);
    if (t == NULL)
        return OPEN_CALLS_NO_MEMORY;
    *step = (struct open_calls_step){ .thread = t, .method = d->method_id };
    if (event_has(d->event, USE_ENTER)) {
        uint64_t *mark = vec_push(&t->marks);
        if (mark == NULL || calls_enter(&t->stack, d->method_id, now) == NULL)
            return OPEN_CALLS_NO_MEMORY;
        *mark = 0;
        return OPEN_CALLS_ENTERED;
    }
    if (!calls_leave(&t->stack, d->method_id, now, &step->took))
        return OPEN_CALLS_NOTHING;
    step->mark = t->marks.items[t->stack.calls.count];
    step->threw = event_has(d->event, USE_EXCEPTION);
    t->marks.count = t->stack.calls.count;
    if (t->marks.count == 0)
        vec_free(&t->marks);
    return OPEN_CALLS_LEFT;
}
