/* feature_pass.h - one pass over all events that finds which features enter a method or use an object.
 *
 * The features that are open at a moment are a set; few different sets occur, so each is stored once and has a number
 * (struct feature_sets). The pass notes per method the set of features that entered it, and per object the set at its
 * first event and the union of the sets at all its events. features.c computes the answers from these numbers. */
#ifndef READER_FEATURE_PASS_H
#define READER_FEATURE_PASS_H

#include "formats/map.h"
#include "reader/query/features.h"

enum { FEATURES_NONE = 0 }; /* number of the empty set */

struct feature_set {
    uint64_t hash; /* of its bits (map.h) */
    uint32_t number;
};

struct feature_sets {
    size_t words;       /* of a set */
    VEC(uint64_t) bits; /* by number */
    uint32_t count;
    MAP(struct feature_set) by_bits;
    u32_vec with_open; /* by number: the set together with the open features; 0 not known, else number + 1 */
};

static inline const uint64_t *feature_set_bits(const struct feature_sets *s, uint32_t set)
{
    return &s->bits.items[set * s->words];
}

static inline bool feature_set_has(const struct feature_sets *s, uint32_t set, uint32_t feature)
{
    return feature_set_bits(s, set)[feature / 64] >> feature % 64 & 1;
}

struct object_sets {
    uint32_t first, all; /* set open at its first event + 1 (0: no event); union of the sets open at its events */
    bool made;           /* woven code created it */
};
enum { FEATURE_PAGES = 1 << (32 - OBJECT_PAGE_BITS) };

struct feature_pass {
    hs_trace *t;
    struct feature_walk walk;
    struct feature_sets sets;
    uint64_t *scratch;                        /* a set */
    uint32_t open;                            /* set of the open features */
    u32_vec methods;                          /* by method id: set of the features that entered it */
    VEC(uint64_t) calls;                      /* by set: entries while it was open */
    uint32_t page_count;                      /* behind the last page; the rest is never touched: no memory */
    struct object_sets *pages[FEATURE_PAGES]; /* by object id */
};

/* Reads all events. `p->walk` has begun; the rest is zero but for `t`. 0, or -1 with `error` set. */
int feature_pass_run(struct feature_pass *p, struct hs_error *error);
/* Frees a pass from calloc; NULL is allowed. */
void feature_pass_done(struct feature_pass *p);
/* Fills in `error`; returns -1. */
int feature_no_memory(struct hs_error *error);

#endif
