/* derive_blocks.h - the blocks of the code of methods, by their data IDs: how many events lie between two records.
 *
 * Data IDs of a method have the order of its code, and each block begins with a LABEL or CATCH_LABEL. In a method with
 * SITE_INPUTS every block that is executed to its end has a record, so that between two records that come after each
 * other lies straight code, or the end of one block and the begin of another. */
#ifndef FORMATS_DERIVE_BLOCKS_H
#define FORMATS_DERIVE_BLOCKS_H

#include "formats/derived.h"

/* Of a data ID, in its method: number of its event, from 1; those of the first and last event of its block. Data IDs
 * that control does not reach from the event before, but for handlers, have its number. */
struct block_place {
    uint16_t number, first, last;
};
struct blocks {
    struct derive_sites sites;
    const uint16_t *pcs; /* by data ID */
    VEC(struct block_place) places;
};
void blocks_done(struct blocks *b);
/* Of a method that was not asked for yet. */
const struct block_place *blocks_find(struct blocks *b, uint32_t id);
/* The place of a data ID; NULL: no memory, or it has no row. */
static inline const struct block_place *blocks_place(struct blocks *b, uint32_t id)
{
    return id < b->places.count && b->places.items[id].first != 0 ? &b->places.items[id] : blocks_find(b, id);
}
/* Does the event at `q` come behind that at `p` in the same block? */
static inline bool blocks_straight(struct block_place p, struct block_place q)
{
    return p.first == q.first && q.number > p.number;
}
/* Events behind the one at `p` and before the one at `q`, if control came from there to here. */
static inline uint32_t blocks_between(struct block_place p, struct block_place q)
{
    if (blocks_straight(p, q))
        return q.number - p.number - 1u;
    return (uint32_t)(p.last - p.number) + (uint32_t)(q.number - q.first);
}
/* The data ID of the event that comes `steps` events behind `p`, on the way to `q`. 0 < steps <= blocks_between. */
uint32_t blocks_step(struct blocks *b, uint32_t p, uint32_t q, uint32_t steps);
/* The last event of the method of `id` before an exception of the instruction at `pc`; the last one that has a record
 * is `from`. After a StackOverflowError in a hook the record of an event between the two is missing, or the frame is
 * not the one that `from` is of (docs/limits.md): then the last one that control came to for certain. */
uint32_t blocks_thrown(struct blocks *b, uint32_t from, uint32_t id, uint32_t pc);

#endif
