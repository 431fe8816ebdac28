/* followers.h - which data ID came first after another one, of all derived chunks of a trace: what chunk_name.first is.
 *
 * A call mostly enters the same method. A chunk of 65,536 events is too short to learn that for itself, so the writer
 * notes it once, in the row of the chunk where it met it first (DB_FOLLOWER), and it stays what it was. */
#ifndef FORMATS_FOLLOWERS_H
#define FORMATS_FOLLOWERS_H

#include "formats/bytes.h"
#include "formats/status.h"
#include "formats/vec.h"

/* By data ID: the one that came first after it, 0 if that is not known, or is 0 or the next number. */
struct followers {
    u32_vec first;
    u32_vec met;       /* writer: bits by data ID: something came after it */
    bool fixed;        /* writer: none is added, since what was met before is not known (recovery) */
    struct writer row; /* writer: those that no row has yet */
    uint32_t last;     /* data ID of the last one in `row` */
};
void followers_done(struct followers *f);
static inline uint32_t followers_first(const struct followers *f, uint32_t from)
{
    return from < f->first.count ? f->first.items[from] : 0;
}
/* Notes that `id` comes after `from`, both below `count`, if nothing did before, and returns what came first. False: no
 * memory. */
bool followers_meet(struct followers *f, uint32_t from, uint32_t id, uint32_t count, uint32_t *first);
/* Exchanges the row of what is new for `row`, which is emptied. It is `bad` where there was no memory. */
void followers_take_row(struct followers *f, struct writer *row);
/* Rows that were taken are lost: all of it is new again. */
void followers_repeat(struct followers *f);
/* Adds what a row of DB_FOLLOWER says of data IDs below `count`. ERR_FORMAT: it is malformed. */
enum status followers_read(struct followers *f, const void *data, size_t size, uint32_t count, struct error *err);

#endif
