/* samples.c - hs_samples_open: the calls that are open at evenly spaced moments, of several threads together.
 *
 * The place of a moment in the global order takes the stamps of a chunk of every thread, so all threads are asked at
 * one moment before the next. */
#include <stdlib.h>

#include "reader/index/index.h"
#include "reader/stream/stream.h"

struct sampled {
    uint32_t thread, stream;
    uint64_t count; /* its events up to the moment before */
    bool leaving;   /* the last of them, which was that moment, ends a call: that is open at this moment alone */
};
struct sample_cursor {
    hs_cursor base;
    hs_trace *trace;
    VEC(struct sampled) threads;
    size_t next; /* thread */
    uint64_t moment, to, step, moments;
    bool done;
    struct stack_scan stacks;
    lane_frame_vec found;
    u32_vec methods; /* as the row shows them */
    u64_vec entries;
    struct hs_sample row;
};

static bool add_call(struct sample_cursor *c, uint32_t method, uint64_t entry)
{
    uint32_t *of = vec_push(&c->methods);
    uint64_t *at = vec_push(&c->entries);
    if (of == NULL || at == NULL)
        return false;
    *of = method;
    *at = entry != NO_POSITION ? entry : HS_NO_SEQ;
    return true;
}

/* The last of the first `*count` events of the thread that can be read; ERR_NOT_FOUND: there is none. */
static enum status last_event(hs_trace *t, uint32_t stream, uint64_t *count, struct hs_event *out, struct error *err)
{
    enum status st = ERR_NOT_FOUND;
    while (*count > 0 && st == ERR_NOT_FOUND) {
        const struct event_position at = { stream, *count - 1 };
        st = positions_event(t, at, out, err);
        if (st == ERR_NOT_FOUND)
            *count = positions_chunk(t, at)->before;
    }
    return st;
}

/* The calls that are open behind the first `count` events of the thread, from the index; false: it has them not. */
static bool look_up_calls(struct sample_cursor *c, struct sampled *s, uint64_t count, bool at_moment)
{
    bool leaves, room = true;
    if (!stack_scan_at(&c->stacks, s->stream, count, &c->found, &leaves))
        return false;
    s->leaving = leaves && at_moment;
    const size_t depth = c->found.count - (leaves && !at_moment && c->found.count > 0);
    for (size_t i = 0; room && i < depth; i++)
        room = add_call(c, c->found.items[i].method, c->found.items[i].entry);
    return room;
}

/* The same from the events. */
static enum status read_calls(struct sample_cursor *c, struct sampled *s, uint64_t count, bool at_moment,
                              struct error *err)
{
    hs_trace *t = c->trace;
    const struct replay *state;
    struct hs_event last;
    enum status st = last_event(t, s->stream, &count, &last, err);
    if (st != OK)
        return st;
    const struct effect *effect = effects_get(t, last.dataid);
    const bool leaves = effect->op == EFFECT_LEAVE;
    at_moment &= count == s->count;
    st = frames_at(t, (struct event_position){ s->stream, count - leaves }, &state, err);
    if (st != OK)
        return st;
    s->leaving = leaves && at_moment;
    const size_t depth = state->stack.count - (leaves && !at_moment && state->stack.count > 0);
    bool room = true;
    for (size_t i = 0; room && i < depth; i++)
        room = add_call(c, state->stack.items[i].method, state->stack.items[i].entry);
    const struct hs_dataid *d = effect->op == EFFECT_STRANGE ? hs_dataid_get(t, last.dataid) : NULL;
    if (room && d != NULL)
        room = add_call(c, d->method_id, NO_POSITION);
    return room ? OK : error_memory(err, "%s", t->dir);
}

/* ERR_NOT_FOUND: nothing has changed since the moment before, or the thread has no event yet. */
static enum status sample(struct sample_cursor *c, struct sampled *s, struct error *err)
{
    struct event_position at;
    uint64_t count;
    enum status st = positions_up_to(c->trace, c->moment, s->stream, &count, err);
    if (st == OK)
        st = positions_find(c->trace, c->moment, &at, err);
    if (st != OK)
        return st;
    if (count == 0 || (count == s->count && !s->leaving))
        return ERR_NOT_FOUND;
    s->count = count;
    s->leaving = false;
    c->methods.count = c->entries.count = 0;
    if (!look_up_calls(c, s, count, at.stream == s->stream)) {
        c->methods.count = c->entries.count = 0;
        st = read_calls(c, s, count, at.stream == s->stream, err);
    }
    c->row = (struct hs_sample){ .thread = s->thread,
                                 .seq = c->moment,
                                 .frame_count = c->methods.count,
                                 .methods = c->methods.items,
                                 .entries = c->entries.items };
    return st;
}

static int next_sample(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct sample_cursor *c = (struct sample_cursor *)base;
    struct phase phase PHASE_ENDS = trace_phase(c->trace, "samples");
    struct error err = { 0 };
    while (!c->done) {
        for (; c->next < c->threads.count; c->next++) {
            enum status st = sample(c, &c->threads.items[c->next], &err);
            if (st == ERR_NOT_FOUND)
                continue;
            if (st != OK)
                return give(error, &err);
            c->next++;
            *row = &c->row;
            return 1;
        }
        c->next = 0;
        c->done = c->to - c->moment < c->step;
        c->moment += c->done ? 0 : c->step;
    }
    return 0;
}

static void close_samples(hs_cursor *base)
{
    struct sample_cursor *c = (struct sample_cursor *)base;
    stack_scan_done(&c->stacks);
    vec_free(&c->found);
    vec_free(&c->threads);
    vec_free(&c->methods);
    vec_free(&c->entries);
    free(c);
}

static const struct cursor_ops sample_ops = { .row = ROW_sample, .next = next_sample, .close = close_samples };

/* Those that have events; `threads` NULL: all. */
static bool add_threads(struct sample_cursor *c, const uint32_t *threads, size_t count)
{
    const hs_trace *t = c->trace;
    for (size_t i = 0; i < (threads != NULL ? count : t->stream_count); i++) {
        const uint32_t stream = threads != NULL ? positions_stream(t, threads[i]) : (uint32_t)i;
        struct sampled *to = stream != UINT32_MAX ? vec_push(&c->threads) : NULL;
        if (to == NULL && stream != UINT32_MAX)
            return false;
        if (to != NULL)
            *to = (struct sampled){ .thread = t->streams[stream].thread, .stream = stream };
    }
    return true;
}

int hs_samples_open(hs_trace *trace, const uint32_t *threads, size_t thread_count, uint64_t from, uint64_t to,
                    uint64_t step, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "samples");
    const struct error no_memory = { .status = ERR_MEMORY, .text = "out of memory" };
    struct sample_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        return give(error, &no_memory);
    const uint64_t events = trace->events;
    c->base.ops = &sample_ops;
    c->trace = c->stacks.trace = trace;
    c->moment = from;
    c->to = to < events ? to : events - (events > 0);
    c->step = step > 0 ? step : 1;
    c->done = from > c->to || events == 0;
    if (!add_threads(c, threads, thread_count) || !effects_ready(trace)) {
        close_samples(&c->base);
        return give(error, &no_memory);
    }
    index_wish(trace);
    *out = &c->base;
    return 0;
}

int hs_event_seq(hs_trace *trace, uint32_t thread, uint64_t position, uint64_t *seq, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "event");
    struct error err = { 0 };
    const struct event_position at = { positions_stream(trace, thread), position };
    uint64_t stamp;
    enum status st = at.stream != UINT32_MAX ? positions_stamp(trace, at, &stamp, &err)
                                             : error_set(&err, ERR_NOT_FOUND, "%s: no such event", trace->dir);
    if (st == OK)
        st = positions_seq(trace, at, stamp, seq, &err);
    return st == OK ? 0 : give(error, &err);
}
