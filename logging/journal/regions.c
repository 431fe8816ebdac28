/* regions.c - see regions.h. */
#include "logging/journal/regions.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/limits.h"
#include "logging/journal/cut_guard.h"

#define REGIONS_MAGIC UINT64_C(0x31534e4f49474552) /* "REGIONS1" */
enum { UNIT = 64 * 1024 /* a multiple of every page size */, LIST_AT = 4096, GROWTH = 4, MEMORY_PARTS = 24 };

/* A word of the list has table, units and a check, so that an entry is written atomically; 0 ends the list. */
enum { TABLE_BITS = 4, UNITS_BITS = 28, PIECES_MAX = (UNIT - LIST_AT) / sizeof(uint64_t) - 2 };
struct list {
    uint64_t magic;
    uint64_t pieces[PIECES_MAX + 1];
};

static struct list *list_of(const struct regions *r) { return (struct list *)(r->head + LIST_AT); }

static uint64_t piece_word(unsigned number, unsigned table, uint64_t units)
{
    uint64_t low = units << TABLE_BITS | table,
             mixed = (REGIONS_MAGIC ^ low ^ (uint64_t)number << 40) * UINT64_C(0x9e3779b97f4a7c15);
    return (mixed >> 32 | 1) << 32 | low;
}
static unsigned piece_table(uint64_t word) { return word & ((1u << TABLE_BITS) - 1); }
static uint64_t piece_units(uint64_t word) { return word >> TABLE_BITS & ((UINT64_C(1) << UNITS_BITS) - 1); }

static uint64_t whole(uint64_t bytes) { return (bytes + UNIT - 1) / UNIT * UNIT; }
static int protection(const struct regions *r) { return r->writable ? PROT_READ | PROT_WRITE : PROT_READ; }

/* Maps the piece at `at` of the file as the next one of the table. */
static bool map_piece(struct regions *r, unsigned table, uint64_t at, uint64_t bytes)
{
    uint8_t *to = r->at[table] + r->ready[table];
    if (bytes > r->room[table] - r->ready[table] ||
        mmap(to, bytes, protection(r), MAP_SHARED | MAP_FIXED, r->fd, (off_t)at) != to)
        return false;
    r->ready[table] += bytes;
    return true;
}

/* A page whose content is gone (cut_guard.h). */
static void fill_page(void *regions, uint8_t *page, size_t page_bytes, size_t offset)
{
    const struct regions *r = regions;
    (void)offset;
    if (r->fill != NULL)
        r->fill(r->fill_context, page, page_bytes);
}

/* Reserves address space: if it is limited the tables get parts in proportion to `room`, but at least what is used. */
static enum status reserve(struct regions *r, const char *path, const uint64_t *room, const uint64_t *used,
                           struct error *err)
{
    uint64_t asked = 0;
    for (unsigned t = 0; t < r->count; t++)
        asked += whole(room[t]);
    uint64_t given = limit_memory_part(asked, MEMORY_PARTS, (uint64_t)r->count * 8 * UNIT);
    r->reserved = UNIT;
    for (unsigned t = 0; t < r->count; t++) {
        uint64_t want = whole(room[t]),
                 share = given >= asked ? want : whole((uint64_t)((double)want * ((double)given / (double)asked)));
        share = share < 8 * UNIT ? 8 * UNIT : share;
        r->room[t] = share > want ? want : share;
        if (r->room[t] < used[t])
            r->room[t] = used[t];
        r->reserved += r->room[t];
    }
    uint8_t *base = mmap(NULL, r->reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return error_set(err, ERR_MEMORY, "%s: no address space: %s", path, strerror(errno));
    r->head = base;
    if (r->writable)
        cut_guard_add(&(struct cut_area){ base, r->reserved, &r->shrunk, fill_page, r, &r->leave });
    for (unsigned t = 0; t < r->count; t++)
        r->at[t] = t == 0 ? base + UNIT : r->at[t - 1] + r->room[t - 1];
    if (mmap(base, UNIT, protection(r), MAP_SHARED | MAP_FIXED, r->fd, 0) != base)
        return error_set(err, ERR_MEMORY, "%s: %s", path, strerror(errno));
    return OK;
}

enum status regions_create(struct regions *r, const char *path, const uint64_t *room, unsigned count, struct error *err)
{
    static const uint64_t none[REGIONS_MAX];
    *r = (struct regions){ .count = count, .writable = true, .fd = file_make(AT_FDCWD, path, O_RDWR | O_EXCL) };
    if (r->fd < 0)
        return error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    int e = limit_allocate(r->fd, 0, UNIT);
    if (e != 0)
        return error_set(err, ERR_FULL, "%s: %s", path, strerror(e));
    r->file_bytes = UNIT;
    enum status s = reserve(r, path, room, none, err);
    if (s == OK)
        list_of(r)->magic = REGIONS_MAGIC;
    return s;
}

/* Adds up the pieces by table, up to the end of the file. False: the list is malformed. */
static bool sum_up(struct regions *r, struct list *l, uint64_t file_bytes, const uint64_t *room,
                   uint64_t used[REGIONS_MAX])
{
    uint64_t at = UNIT;
    bool good = l->magic == REGIONS_MAGIC;
    for (unsigned i = 0; good && i <= PIECES_MAX && l->pieces[i] != 0; i++) {
        unsigned table = piece_table(l->pieces[i]);
        uint64_t units = piece_units(l->pieces[i]), there = (file_bytes - at) / UNIT;
        good = i < PIECES_MAX && table < r->count && units > 0 && l->pieces[i] == piece_word(i, table, units) &&
               units * UNIT <= whole(room[table]) - used[table];
        if (!good || r->cut)
            continue;
        r->cut = units > there;
        if (units > there)
            l->pieces[i] = there > 0 ? piece_word(i, table, units = there) : 0;
        if (l->pieces[i] == 0)
            return true;
        used[table] += units * UNIT;
        at += units * UNIT;
        r->pieces = i + 1;
    }
    return good;
}

enum status regions_open(struct regions *r, const char *path, bool writable, const uint64_t *room, unsigned count,
                         struct error *err)
{
    uint64_t used[REGIONS_MAX] = { 0 };
    struct list list;
    struct stat st;
    *r = (struct regions){ .count = count,
                           .writable = writable,
                           .fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) };
    if (r->fd < 0)
        return error_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", path, strerror(errno));
    if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < UNIT ||
        pread(r->fd, &list, sizeof list, LIST_AT) != (ssize_t)sizeof list ||
        !sum_up(r, &list, (uint64_t)st.st_size, room, used))
        return error_set(err, ERR_FORMAT, "%s is malformed", path);
    enum status s = reserve(r, path, room, used, err);
    r->file_bytes = UNIT;
    for (unsigned i = 0; s == OK && i < r->pieces; i++) {
        uint64_t bytes = piece_units(list.pieces[i]) * UNIT;
        if (!map_piece(r, piece_table(list.pieces[i]), r->file_bytes, bytes))
            s = error_set(err, ERR_MEMORY, "%s: cannot be mapped: %s", path, strerror(errno));
        r->file_bytes += bytes;
    }
    if (s == OK && r->cut && writable) { /* from now on the list matches the file */
        memset(list.pieces + r->pieces, 0, sizeof list.pieces - r->pieces * sizeof *list.pieces);
        memcpy(list_of(r), &list, sizeof list);
        /* what is left of the next piece must not be found in one that is added there */
        if (ftruncate(r->fd, (off_t)r->file_bytes) != 0)
            s = error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    }
    return s;
}

void regions_close(struct regions *r)
{
    if (r->head != NULL) {
        cut_guard_remove(r->head);
        (void)munmap(r->head, r->reserved);
    }
    if (r->fd >= 0)
        (void)close(r->fd);
    *r = (struct regions){ .fd = -1 };
}

enum status regions_provide(struct regions *r, unsigned table, uint64_t bytes, const char *what, struct error *err)
{
    if (bytes <= r->ready[table])
        return OK;
    if (bytes > r->room[table] || r->pieces == PIECES_MAX)
        return error_set(err, ERR_LIMIT, "%s cannot grow: more than %llu bytes of a table", what,
                         (unsigned long long)r->room[table]);
    uint64_t more = whole(bytes - r->ready[table]), step = whole(r->ready[table] / GROWTH),
             room = r->room[table] - r->ready[table];
    int e = r->shrunk ? ESTALE : 0;
    /* falls back to only what is needed */
    for (uint64_t n = more > step ? more : step > room ? room : step; e != ESTALE; n = more) {
        e = limit_append(r->fd, r->file_bytes, n);
        if (e == 0 || n == more) {
            more = n;
            break;
        }
    }
    if (e == ESTALE) {
        r->shrunk = true;
        return error_set(err, ERR_IO, "%s cannot grow: somebody has cut its file", what);
    }
    if (e != 0)
        return error_set(err, ERR_FULL, "%s cannot grow: %s", what, strerror(e));
    if (!map_piece(r, table, r->file_bytes, more))
        return error_set(err, ERR_MEMORY, "%s cannot grow: %s", what, strerror(errno));
    r->file_bytes += more;
    __atomic_store_n(&list_of(r)->pieces[r->pieces], piece_word(r->pieces, table, more / UNIT), __ATOMIC_RELEASE);
    r->pieces++;
    return OK;
}
