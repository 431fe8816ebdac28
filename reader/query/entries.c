/* entries.c - see entries.h. */
#include "reader/query/entries.h"

#include "reader/cursor/cursor.h"

static bool is_call(const struct effect *f) { return f->op == EFFECT_ENTER || f->op == EFFECT_LEAVE; }

static enum status each_of_chunk(hs_trace *t, uint32_t stream, const struct chunk_ref *chunk, entry_fn *each,
                                 void *context, struct error *err)
{
    struct chunk_columns columns;
    struct error damage = { 0 };
    enum status st = trace_decode(t, t->decoder, chunk, CHUNK_IDS | CHUNK_STAMPS | CHUNK_TIMES, &columns, &damage);
    if (st == ERR_FORMAT) {
        trace_damaged(t, &damage);
        return OK;
    }
    if (st != OK)
        return error_set(err, st, "%s", damage.text);
    for (uint32_t k = 0; k < columns.count; k++) {
        struct entry_or_exit e = { .stream = stream,
                                   .effect = effects_get(t, columns.ids[k]),
                                   .stamp = columns.stamps[k],
                                   .time_ns = columns.times != NULL ? &columns.times[k] : NULL };
        if (is_call(e.effect) && !each(context, &e))
            return state_memory(t, err);
    }
    return OK;
}

static int each_of_all(hs_trace *t, entry_fn *each, void *context, struct hs_error *error)
{
    struct error err;
    for (size_t i = 0; i < t->stream_count; i++)
        for (size_t k = 0; k < t->streams[i].count; k++)
            if (each_of_chunk(t, (uint32_t)i, &t->streams[i].chunks[k], each, context, &err) != OK)
                return give(error, &err);
    return 0;
}

static int each_between(hs_trace *t, uint64_t from, uint64_t to, entry_fn *each, void *context, struct hs_error *error)
{
    unsigned events[EVENT_LIMIT];
    struct hs_filter filter = { .size = sizeof filter, .from = from, .to = to, .events = events };
    filter.event_count = event_list(USE_ENTER | USE_LEAVE, events);
    const struct hs_event *event;
    struct error err;
    struct walk w;
    walk_open_filter(&w, t, &filter);
    while (walk_step(&w, &event)) {
        struct entry_or_exit e = { .stream = positions_stream(t, event->thread),
                                   .effect = effects_get(t, event->dataid),
                                   .stamp = event->stamp,
                                   .time_ns = event->time_ns != HS_NO_TIME ? &event->time_ns : NULL };
        if (is_call(e.effect) && !each(context, &e)) {
            (void)walk_close(&w, NULL);
            (void)state_memory(t, &err);
            return give(error, &err);
        }
    }
    return walk_finish(&w, error);
}

int entries_each(hs_trace *t, uint64_t from, uint64_t to, entry_fn *each, void *context, struct hs_error *error)
{
    struct error err;
    if (!effects_ready(t)) {
        (void)state_memory(t, &err);
        return give(error, &err);
    }
    if (from == 0 && to == HS_NO_SEQ)
        return each_of_all(t, each, context, error);
    return each_between(t, from, to, each, context, error);
}
