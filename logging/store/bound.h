/* bound.h - options maxbytes and onfull: the maximum size of a trace, and what happens when it is reached.
 *
 * stop ends the recording with the transaction that would exceed the bound, which is rolled back. drop-oldest removes
 * whole chunks, the oldest first, and the data of objects that no chunk refers to any more, by pages of ids. Classes
 * stay; if what remains exceeds the bound the recording ends as well. The file of the store never gets shorter: so that
 * it stays below the bound, there must be room for the next transactions in pages that are free. */
#ifndef LOGGING_BOUND_H
#define LOGGING_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/status.h"
#include "formats/vec.h"
#include "logging/store/store.h"

struct bound;
bool bound_grow(struct bound *b, uint64_t page); /* for bound_shows */

struct bound {
    uint64_t bytes; /* of the whole directory; 0: none */
    bool drop_oldest;
    uint64_t dropped; /* events that were removed */
    /* drop-oldest: bytes of all rows after the last call, the most that a transaction added to them, the file before
     * it, and free pages that were of no use */
    uint64_t used, growth, file, scattered;
    /* drop-oldest: by page of object ids, number + 1 of the last chunk that refers to one of them; 0: no such page */
    u32_vec shown;
};

/* Chunk `chunk`, possibly a future one, refers to this object. False: no memory. */
static inline bool bound_shows(struct bound *b, uint64_t id, uint64_t chunk)
{
    uint64_t page = id >> OBJECT_PAGE_BITS;
    if (page >= b->shown.count && !bound_grow(b, page))
        return false;
    b->shown.items[page] = (uint32_t)chunk + 1;
    return true;
}

/* Before each commit, inside its transaction, with the disk space that other files of the trace take and what is still
 * to be stored of them: makes room for the next one. ERR_FULL: the recording is to end; without drop_oldest this
 * transaction is not to be committed. Info key `dropped` counts the removed events. */
enum status bound_keep(struct bound *b, struct store *store, uint64_t beside, struct error *err);

#endif
