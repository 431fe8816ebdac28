/* output_moments.c - which code of the program made a write of output: see output_parts.h.
 *
 * Code that is not woven, as PrintStream, leaves no events, so the event before the call of HindsightOutput is the last
 * one of the innermost frame, unless a call has ended since (println(Object) calls toString). Only then, and where that
 * frame is one of output_frames.def, the frames of the thread are needed: they are replayed forwards, once for all
 * writes of the thread. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/query/output_parts.h"

/* Further than this a keyframe of the index is looked for. */
enum { FAR = 1 << 17 };

static bool writes_for_others(hs_trace *t, uint32_t method_id)
{
    static const char *const prefixes[] = {
#define OUTPUT_FRAME(prefix) prefix,
#include "reader/query/output_frames.def"
#undef OUTPUT_FRAME
    };
    const struct hs_method *m = hs_method_get(t, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    for (size_t i = 0; c != NULL && i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(c->name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool ends_call(unsigned event)
{
    return event == EVENT_METHOD_NORMAL_EXIT || event == EVENT_METHOD_EXCEPTIONAL_EXIT;
}

/* The frames before the position, of a stream whose positions rise from call to call. */
static enum status frames_before(struct output_moments *m, struct event_position at, const struct replay **out,
                                 struct error *err)
{
    hs_trace *t = m->trace;
    if (t->intervals.count > 0) /* frames end where recording was stopped */
        return frames_at(t, at, out, err);
    if (m->frames == NULL && (m->frames = calloc(t->stream_count, sizeof(struct replay *))) == NULL)
        return state_memory(t, err);
    struct replay **f = &m->frames[at.stream];
    if (*f == NULL && (*f = calloc(1, sizeof **f)) == NULL)
        return state_memory(t, err);
    const bool fresh = (*f)->trace == NULL;
    if (fresh || (*f)->position > at.position || at.position - (*f)->position > FAR) {
        if (!fresh)
            replay_done(*f);
        replay_init(*f, t, at.stream);
        *out = *f;
        return frames_copy(t, at, *f, err);
    }
    *out = *f;
    return frames_run(*f, at.position, err);
}

/* The innermost frame that does not write for others, or else the innermost one; NULL: none is open. */
static const struct call_frame *frame_of_program(hs_trace *t, const struct replay *f)
{
    for (size_t i = f->stack.count; i-- > 0;)
        if (!writes_for_others(t, f->stack.items[i].method))
            return &f->stack.items[i];
    return replay_top(f);
}

enum status output_moment(struct output_moments *m, const struct output_write *w, struct hs_output_part *out,
                          struct error *err)
{
    hs_trace *t = m->trace;
    struct event_position at = { positions_stream(t, w->event.thread), w->entry };
    const struct replay *frames;
    struct hs_event e;
    out->seq = w->event.seq;
    out->dataid = w->event.dataid;
    out->by_program = false;
    if (at.position == 0)
        return OK;
    at.position--;
    enum status st = positions_event(t, at, &e, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    const struct hs_dataid *d = hs_dataid_get(t, e.dataid);
    if (d == NULL || ends_call(d->event) || t->intervals.count > 0 || writes_for_others(t, d->method_id)) {
        st = frames_before(m, (struct event_position){ at.stream, w->entry }, &frames, err);
        const struct call_frame *f = st == OK ? frame_of_program(t, frames) : NULL;
        if (f == NULL)
            return st;
        at.position = f->last;
        if ((st = positions_event(t, at, &e, err)) != OK)
            return st == ERR_NOT_FOUND ? OK : st;
    }
    if ((st = positions_number(t, &e, err)) != OK)
        return st;
    out->seq = e.seq;
    out->dataid = e.dataid;
    out->by_program = true;
    return OK;
}

void output_moments_done(struct output_moments *m)
{
    for (size_t i = 0; m->frames != NULL && i < m->trace->stream_count; i++)
        if (m->frames[i] != NULL) {
            replay_done(m->frames[i]);
            free(m->frames[i]);
        }
    free(m->frames);
}
