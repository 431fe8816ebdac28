/* dataid_stats.h - how often each data ID is among some events: counts by data ID, and which ones are not zero. Zero is
 * empty. The owner sets counts back to zero; `touched` keeps what was above zero since it was emptied. */
#ifndef LOGGING_DATAID_STATS_H
#define LOGGING_DATAID_STATS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/vec.h"

struct dataid_stats {
    uint32_t *of; /* by data ID */
    size_t size;
    u32_vec touched;
};

/* False: no memory. */
static inline bool dataid_stats_add(struct dataid_stats *c, uint32_t id)
{
    if (id >= c->size) {
        size_t n = (size_t)id + 4096;
        uint32_t *p = realloc(c->of, n * sizeof *p);
        if (p == NULL)
            return false;
        memset(p + c->size, 0, (n - c->size) * sizeof *p);
        c->of = p;
        c->size = n;
    }
    uint32_t *slot = c->of[id]++ == 0 ? vec_push(&c->touched) : &id;
    if (slot != NULL)
        *slot = id;
    return slot != NULL;
}

static inline void dataid_stats_free(struct dataid_stats *c)
{
    free(c->of);
    vec_free(&c->touched);
}

#endif
