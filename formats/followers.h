/* followers.h - which data ID came first after another one, of all derived chunks of a trace: what chunk_name.first is.
 *
 * A call mostly enters the same method. A chunk of 65,536 events is too short to learn that for itself, so the writer
 * notes it once, in the row of the chunk where it met it first (DB_FOLLOWER), and it stays what it was. */
#ifndef FORMATS_FOLLOWERS_H
#define FORMATS_FOLLOWERS_H

#include "formats/bytes.h"
#include "formats/status.h"
#include "formats/vec.h"

struct followers {
    u32_vec first;     /* by data ID: 1 + the one that came first after it; 0: none did, or, read, the next number */
    struct writer row; /* writer: those that no row has yet */
    uint32_t last;     /* data ID of the last one in `row` */
    bool fixed;        /* writer: none is added, since what came before is not known (recovery) */
};
void followers_done(struct followers *f);
/* The data ID that is expected after `from`. */
static inline uint32_t followers_first(const struct followers *f, uint32_t from)
{
    uint32_t first = from < f->first.count ? f->first.items[from] : 0;
    return first != 0 ? first - 1 : from + 1;
}
/* Data IDs below `count` may come: false: no memory. */
bool followers_make_room(struct followers *f, uint32_t count);
/* Writer, with room: `id` comes after `from`. If nothing did before, it is noted. */
void followers_note(struct followers *f, uint32_t from, uint32_t id);
static inline void followers_meet(struct followers *f, uint32_t from, uint32_t id)
{
    if (from < f->first.count && f->first.items[from] == 0 && !f->fixed)
        followers_note(f, from, id);
}
/* Exchanges the row of what is new for `row`, which is emptied. It is `bad` where there was no memory. */
void followers_take_row(struct followers *f, struct writer *row);
/* Rows that were taken are lost: all of it is new again. */
void followers_repeat(struct followers *f);
/* Adds what a row of DB_FOLLOWER says of data IDs below `count`. ERR_FORMAT: it is malformed. */
enum status followers_read(struct followers *f, const void *data, size_t size, uint32_t count, struct error *err);

#endif
