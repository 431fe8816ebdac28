/* sink.c - the table of sinks, and what they share: counts. `freq` is nothing else. */
#include "logging/sinks/sink.h"

#include "formats/tallies.h"

const struct sink *sink_of(const char *format)
{
    static const struct sink *const sinks[] = { &sink_freq, &sink_latest, &sink_timing };
    for (size_t i = 0; i < sizeof sinks / sizeof *sinks; i++)
        if (strcmp(format, sinks[i]->format) == 0)
            return sinks[i];
    return NULL;
}

bool sink_count(struct state *s, uint32_t id, uint64_t events)
{
    uint64_t *count = state_number(s, STATE_COUNT, id);
    if (count != NULL)
        *count += events;
    return count != NULL;
}

void sink_reset_counts(struct state *s)
{
    for (uint64_t id = 0; id < s->head->rows[STATE_COUNT]; id++)
        if (state_number_value(s, STATE_COUNT, id) != 0)
            *state_number(s, STATE_COUNT, id) = 0; /* a row that is there can be touched */
}

static enum status save_threads(struct state *s, struct store *store, struct error *err)
{
    struct writer w = { 0 };
    enum status st = OK;
    for (uint64_t thread = 0; thread < s->head->rows[STATE_THREAD] && st == OK; thread++) {
        uint64_t events = state_number_value(s, STATE_THREAD, thread);
        w.size = 0;
        write_varint(&w, events);
        if (events > 0)
            st = w.bad ? error_set(err, ERR_MEMORY, "no memory for counts")
                       : store_put(store, DB_TALLY, thread, w.data, w.size, err);
    }
    writer_free(&w);
    return st;
}

enum status sink_save_counts(struct state *s, struct store *store, struct error *err)
{
    struct writer w = { 0 };
    enum status st = save_threads(s, store, err);
    for (uint64_t first = 0; first < s->head->rows[STATE_COUNT] && st == OK; first += COUNT_BLOCK) {
        uint64_t counts[COUNT_BLOCK];
        for (uint64_t i = 0; i < COUNT_BLOCK; i++)
            counts[i] = state_number_value(s, STATE_COUNT, first + i);
        w.size = 0;
        count_block_encode(counts, &w);
        if (w.size > 0)
            st = w.bad ? error_set(err, ERR_MEMORY, "no memory for counts")
                       : store_put(store, DB_COUNTS, first, w.data, w.size, err);
    }
    writer_free(&w);
    return st;
}

static enum status take(struct state *s, const struct sink_batch *b, struct error *err)
{
    const uint32_t *ids = b->columns->ids;
    for (uint32_t i = 0, next; i < b->columns->count; i = next) {
        for (next = i + 1; next < b->columns->count && ids[next] == ids[i]; next++) {
        }
        if (!sink_count(s, ids[i], next - i)) {
            *err = s->error;
            return err->status;
        }
    }
    return OK;
}

const struct sink sink_freq = {
    .format = "freq", .counters = true, .take = take, .save = sink_save_counts, .reset = sink_reset_counts
};
