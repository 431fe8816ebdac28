/* filter.h - which events a cursor lets pass.
 *
 * Conditions on the data ID alone (class, method, event type, and kinds that the wanted value cannot have) become one
 * bit per data ID before the first event is read; the others are checked for the events that pass these. */
#ifndef READER_FILTER_H
#define READER_FILTER_H

#include "reader/cursor/cursor.h"
#include "reader/cursor/needle.h"
#include "reader/cursor/wanted.h"

struct filter {
    uint64_t from, to;
    uint32_t *threads; /* sorted */
    size_t thread_count;
    bool any_thread;
    uint64_t *ids; /* bitmap over data IDs, NULL: all */
    uint32_t id_count;
    uint32_t object;
    VEC(struct index_key) keys; /* of chunks with what is looked for; none: any */
    char *value;                /* the text that `wanted` borrows from */
    struct wanted wanted;
    bool by_value;
    struct needle text;
    bool by_text;
    /* with an index: all strings and values that have the wanted text, sorted; no other reference passes */
    bool only_found;
    u32_vec found;
    hs_condition *where; /* borrowed; NULL: none */
    /* by object id modulo MEMOS: id << 2 | 2 | does it pass? NULL: they are not kept */
    uint64_t *memos;
};
enum { FILTER_MEMOS = 4096 };

enum status event_filter_init(struct filter *f, hs_trace *t, const struct hs_filter *want, struct error *err);
/* Lets only events of these data IDs pass, among those that passed before. */
enum status filter_only_ids(struct filter *f, hs_trace *t, const uint32_t *ids, size_t count, struct error *err);
void event_filter_done(struct filter *f);
bool filter_thread(const struct filter *f, uint32_t thread);
bool filter_value_matters(const struct filter *f);
/* Does the value pass? For events whose thread and data ID pass. */
bool filter_value(const struct filter *f, hs_trace *t, uint8_t kind, uint64_t value);

/* The first event from `i` to `count` that may pass, by its data ID and what its value says at once; `count`: none. */
uint32_t filter_scan(const struct filter *f, hs_trace *t, const uint32_t *ids, const uint64_t *values, uint32_t i,
                     uint32_t count);

static inline bool filter_id(const struct filter *f, uint32_t id)
{
    return f->ids == NULL || (id < f->id_count && (f->ids[id / 64] >> (id % 64) & 1) != 0);
}

#endif
