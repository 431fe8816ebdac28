/* state.c - see state.h. */
#include "logging/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/schema.h"

#define STATE_MAGIC UINT64_C(0x3354415453444948) /* "HIDSTAT3" */
enum { STEP_BYTES = 1 << 20 }; /* disk is taken in steps of this */

static const uint64_t row_limits[] = {
#define X(name, bytes, rows) rows,
    STATE_REGIONS(X)
#undef X
};

static enum status map(struct state *s, const char *dir, int flags, struct error *err)
{
    char path[4096 + 32];
    *s = (struct state){ .fd = -1 };
    (void)snprintf(path, sizeof path, "%s/%s", dir, TRACE_STATE_FILE);
    s->fd = flags & O_CREAT ? file_make(AT_FDCWD, path, O_RDWR | flags) : open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags);
    if (s->fd < 0)
        return error_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", path, strerror(errno));
    struct stat info;
    if (fstat(s->fd, &info) != 0 || !S_ISREG(info.st_mode))
        return error_set(err, ERR_FORMAT, "%s is no regular file", path);
    off_t bytes = (off_t)state_region_at(STATE_REGION_COUNT);
    s->cut = info.st_size < bytes;
    if (ftruncate(s->fd, bytes) != 0)
        return error_set(err, ERR_IO, "%s cannot be made a sparse file of %lld bytes: %s", path, (long long)bytes, strerror(errno));
    int e = posix_fallocate(s->fd, 0, 4096);
    if (e != 0)
        return error_set(err, ERR_FULL, "%s: %s", path, strerror(e));
    s->base = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, s->fd, 0);
    if (s->base == MAP_FAILED) {
        s->base = NULL;
        return error_set(err, ERR_MEMORY, "%s: no address space: %s", path, strerror(errno));
    }
    s->head = (struct state_head *)s->base;
    return OK;
}

/* What was written once and never again can be checked; the rest is written by hooks. */
static uint64_t state_check(const struct state_head *h) { return (STATE_MAGIC ^ (uint64_t)h->size << 32 ^ h->timed) * UINT64_C(0x9e3779b97f4a7c15); }

/* A number that no transaction had before, dead ones included. */
static void begin(struct state *s)
{
    s->txn = s->head->begun + 1;
    __atomic_store_n(&s->head->begun, s->txn, __ATOMIC_RELEASE);
}

enum status state_create(struct state *s, const char *dir, uint32_t size, bool timed, struct error *err)
{
    enum status st = map(s, dir, O_CREAT | O_EXCL, err);
    if (st != OK)
        return st;
    *s->head = (struct state_head){ .size = size, .timed = timed, .rows = { [STATE_HEAP] = 8 } };
    s->head->check = state_check(s->head);
    s->head->magic = STATE_MAGIC;
    begin(s);
    return OK;
}

enum status state_open(struct state *s, const char *dir, struct error *err)
{
    enum status st = map(s, dir, 0, err);
    if (st != OK)
        return st;
    bool sane = s->head->magic == STATE_MAGIC && s->head->size > 0 && s->head->check == state_check(s->head);
    for (int r = 0; r < STATE_REGION_COUNT; r++)
        sane = sane && s->head->rows[r] <= row_limits[r];
    if (!sane)
        return error_set(err, ERR_FORMAT, "%s/%s is malformed", dir, TRACE_STATE_FILE);
    s->committed = s->head->committed;
    begin(s);
    return OK;
}

void state_close(struct state *s)
{
    if (s->base != NULL)
        (void)munmap(s->base, state_region_at(STATE_REGION_COUNT));
    if (s->fd >= 0)
        (void)close(s->fd);
    s->base = NULL;
    s->fd = -1;
}

static bool provide(struct state *s, enum state_region region, uint64_t rows)
{
    uint64_t bytes = rows * state_row_bytes(region);
    if (rows > row_limits[region]) {
        (void)error_set(&s->error, ERR_LIMIT, "more than %llu rows in a table of the state", (unsigned long long)row_limits[region]);
        return false;
    }
    if (bytes > s->ready[region]) {
        uint64_t more = (bytes - s->ready[region] + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
        int e = posix_fallocate(s->fd, (off_t)(state_region_at(region) + s->ready[region]), (off_t)more);
        if (e != 0) {
            (void)error_set(&s->error, ERR_FULL, "the state cannot grow: %s", strerror(e));
            return false;
        }
        s->ready[region] += more;
    }
    if (rows > s->head->rows[region])
        s->head->rows[region] = rows;
    return true;
}

void *state_row(struct state *s, enum state_region region, uint64_t row)
{
    uint64_t bytes = state_row_bytes(region);
    if (((row + 1) * bytes > s->ready[region] || row >= s->head->rows[region]) && !provide(s, region, row + 1))
        return NULL;
    return s->base + state_region_at(region) + row * bytes;
}

uint64_t state_alloc(struct state *s, uint64_t bytes)
{
    uint64_t at = s->head->rows[STATE_HEAP];
    bytes = (bytes + 7) & ~UINT64_C(7);
    return provide(s, STATE_HEAP, at + bytes) ? at : 0;
}

void state_commit(struct state *s)
{
    if (s->given_up) /* what was written in the transaction given up would count again */
        return;
    __atomic_store_n(&s->head->committed, s->txn, __ATOMIC_RELEASE);
    s->committed = s->txn;
    begin(s);
}

void state_give_up(struct state *s)
{
    s->given_up = true;
    begin(s);
}
