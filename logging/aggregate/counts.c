/* counts.c - see counts.h. */
#include "logging/aggregate/counts.h"

#include "formats/dataid_stats.h"

bool counts_add(struct state *s, uint32_t id, uint64_t events)
{
    uint64_t *count = state_number(s, STATE_COUNT, id);
    if (count != NULL)
        *count += events;
    return count != NULL;
}

void counts_reset(struct state *s)
{
    for (uint64_t id = 0; id < s->head->rows[STATE_COUNT]; id++)
        if (state_number_value(s, STATE_COUNT, id) != 0)
            *state_number(s, STATE_COUNT, id) = 0; /* cannot fail: the row exists */
}

static enum status save_threads(struct state *s, struct store *store, struct error *err)
{
    struct writer w = { 0 };
    enum status st = OK;
    for (uint64_t thread = 0; thread < s->head->rows[STATE_THREAD] && st == OK; thread++) {
        uint64_t events = state_number_value(s, STATE_THREAD, thread);
        if (events == 0)
            continue;
        w.size = 0;
        write_varint(&w, events);
        st = w.bad ? error_memory(err, "counts") : store_put(store, DB_TALLY, thread, w.data, w.size, err);
    }
    writer_free(&w);
    return st;
}

static enum status save_dataids(struct state *s, struct store *store, struct error *err)
{
    struct writer w = { 0 };
    enum status st = OK;
    for (uint64_t first = 0; first < s->head->rows[STATE_COUNT] && st == OK; first += COUNT_BLOCK) {
        uint64_t counts[COUNT_BLOCK];
        for (uint64_t i = 0; i < COUNT_BLOCK; i++)
            counts[i] = state_number_value(s, STATE_COUNT, first + i);
        w.size = 0;
        count_block_encode(counts, &w);
        if (w.bad)
            st = error_memory(err, "counts");
        else if (w.size > 0)
            st = store_put(store, DB_COUNTS, first, w.data, w.size, err);
    }
    writer_free(&w);
    return st;
}

enum status counts_save(struct state *s, struct store *store, struct error *err)
{
    enum status st = save_threads(s, store, err);
    if (st != OK)
        return st;
    return save_dataids(s, store, err);
}
