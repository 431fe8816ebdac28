/* counters.c - see counters.h. */
#include "logging/aggregate/counters.h"

#include "formats/journal.h"
#include "logging/aggregate/counts.h"

/* The counter of a row, checked, because recovery does not trust the file. NULL: there is none, or it is malformed,
 * which is counted. */
static struct counter *counter_at(struct counter_importer *h, uint64_t row)
{
    const struct state *s = h->state;
    const struct kind_table *kinds = &h->kinds;
    uint64_t at = *(const uint64_t *)state_peek(s, STATE_COUNTER, row), end = s->head->rows[STATE_HEAP];
    if (at == 0)
        return NULL;
    if (at % COUNTER_BYTES != 0 || at > end || end - at < COUNTER_BYTES) {
        h->malformed++;
        return NULL;
    }
    struct counter *c = state_block(s, at);
    if (c->bytes == 0) /* not in use */
        return NULL;
    const uint64_t words = c->words, ring = c->ring - s->head->heap;
    bool sane =
        c->thread < COUNTER_THREADS_MAX && c->events > 0 && c->events <= JOURNAL_RECORD_EVENTS &&
        c->id < kinds->count && c->events <= kinds->count - c->id && words <= COUNTER_WORDS_MAX &&
        (words == 0 || ((c->bytes & (c->bytes - 1)) == 0 && ring % 8 == 0 && ring <= end && c->bytes <= end - ring &&
                        counter_room(c) > 0 && __atomic_load_n(&c->position, __ATOMIC_RELAXED) % (8 * words) == 0));
    h->malformed += !sane;
    return sane ? c : NULL;
}

static uint64_t number_of(const struct state *s, const struct counter *c, uint64_t n)
{
    return __atomic_load_n(&counter_entry(s, c, n)[1], __ATOMIC_ACQUIRE);
}

uint64_t counter_count(const struct state *s, const struct counter *c)
{
    const uint64_t position = __atomic_load_n(&c->position, __ATOMIC_ACQUIRE);
    if (c->words == 0)
        return position;
    uint64_t n = position / (UINT64_C(8) * c->words), last = n > 0 ? number_of(s, c, n - 1) : 0;
    const uint64_t end = n - n % counter_room(c) + counter_room(c);
    for (uint64_t number; n < end && (number = number_of(s, c, n)) > last; n++)
        last = number;
    return n;
}

static enum status count(struct counter_importer *h, struct counter *c, struct error *err)
{
    uint64_t now = counter_count(h->state, c), *taken = state_touch(h->state, c->taken, sizeof *taken);
    if (now <= *taken)
        return OK;
    uint64_t more = now - *taken, *of_thread = state_number(h->state, STATE_THREAD, c->thread);
    bool ok = of_thread != NULL;
    for (uint32_t k = 0; k < c->events && ok; k++)
        ok = counts_add(h->state, c->id + k, more);
    if (!ok)
        return (*err = h->state->error).status;
    *of_thread += more * c->events;
    h->events += more * c->events;
    *taken = now;
    return OK;
}

enum status counter_import(struct counter_importer *h, struct counter *c, struct error *err)
{
    enum status st = count(h, c, err);
    if (st != OK)
        return st;
    if (!h->rings || h->import_ring == NULL || c->words == 0)
        return OK;
    return h->import_ring(h, c, err);
}

enum status counters_import(struct counter_importer *h, struct error *err)
{
    enum status st = OK;
    for (uint64_t row = 0; row < h->state->head->rows[STATE_COUNTER] && st == OK; row++) {
        struct counter *c = counter_at(h, row);
        if (c != NULL)
            st = counter_import(h, c, err);
    }
    return st;
}

uint64_t counters_pending(struct state *s, struct kind_table kinds)
{
    struct counter_importer h = { .state = s, .kinds = kinds };
    uint64_t left = 0;
    for (uint64_t row = 0; row < s->head->rows[STATE_COUNTER]; row++) {
        struct counter *c = counter_at(&h, row);
        uint64_t count = c != NULL ? counter_count(s, c) : 0,
                 taken = c != NULL ? *(const uint64_t *)state_value(s, c->taken, sizeof taken) : 0;
        if (count > taken)
            left += (count - taken) * c->events;
    }
    return left;
}
