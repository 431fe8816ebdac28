/* state.h - the data of the formats without a stream (counts, rings, times) in a shared mapping that survives the
 * process.
 *
 * `TRACE/state` is a file of growing tables (regions.h), one for each of STATE_REGIONS, mapped MAP_SHARED, written by
 * the drain thread alone. Disk blocks are allocated before a page is touched, so that a full disk is an error and never
 * a SIGBUS.
 *
 * Events reach the state by whole groups of journal buffers. A killed process may have imported half a group; the group
 * is then imported again from its buffers. So that nothing is counted twice, a row keeps its value from before the
 * current transaction:
 *
 *     now | before | txn      state_touch: if txn is not the current one,
 *                              before = now (or, when txn was never committed, now = before), txn = current
 *
 * and `committed` in the head is set by one store of eight bytes, after LMDB has the group's objects. Rings do not need
 * this: events can be identified, and duplicates are dropped (sinks/latest.c). */
#ifndef LOGGING_STATE_H
#define LOGGING_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "formats/status.h"
#include "logging/journal/regions.h"

/* Snapshots (snapshot_requests.h): how many were served; events with a stamp below this one are not in the state any
 * more. */
enum state_request { REQUESTS_SERVED, REQUESTS_FLOOR, REQUEST_ROWS };

/* name, bytes of a row, rows at most */
#define STATE_REGIONS(X)                                                                                               \
    X(DESC, 24, 1u << 16)         /* by journal descriptor: how far its buffers are stored */                          \
    X(THREAD, 24, 1u << 24)       /* by thread number: events */                                                       \
    X(COUNT, 24, 1u << 26)        /* by data ID: events */                                                             \
    X(BLOCK, 8, 1u << 26)         /* by data ID: its block in the heap, 0 none */                                      \
    X(COUNTER, 8, 1u << 26)       /* counters of hooks: their blocks in the heap (counters.h) */                       \
    X(EXIT, 16, 1u << 24)         /* thread and order of inferred exits (sinks/latest.c) */                            \
    X(HEAP, 1, UINT64_C(1) << 36) /* blocks */                                                                         \
    X(REQUEST, 24, REQUEST_ROWS)  /* see state_request */

enum state_region {
#define X(name, bytes, rows) STATE_##name,
    STATE_REGIONS(X)
#undef X
        STATE_REGION_COUNT
};

/* The heap does not grow beyond this, or the `budget` of a state; counters of hooks get half of it. */
#define STATE_BUDGET_BYTES (UINT64_C(1) << 30)

struct state_head {
    uint64_t magic;
    uint64_t committed;                /* the last transaction that was committed */
    uint64_t begun;                    /* the last that was begun */
    uint64_t rows[STATE_REGION_COUNT]; /* first row never touched; of HEAP: first free byte */
    uint64_t limited;                  /* data IDs whose rings are too small for want of room */
    uint64_t heap;                     /* address of the heap in the process that records */
    uint32_t size;                     /* option size: events kept per data ID */
    uint32_t timed;                    /* events have times */
    uint64_t check;                    /* of both, state_check */
};

struct state {
    struct regions tables;
    struct state_head *head;
    uint64_t txn, committed; /* the open transaction; the last committed one */
    bool given_up;           /* state_give_up */
    uint64_t budget;         /* bytes of the heap, in this process */
    void *scratch;           /* private to the sink, in this process */
    bool cut;                /* the file of a dead recorder was truncated */
    struct error error;
};

/* Creates the file, or opens that of a dead recorder (`size` and `timed` are then those it had). */
enum status state_create(struct state *s, const char *dir, uint32_t size, bool timed, struct error *err);
enum status state_open(struct state *s, const char *dir, struct error *err);
void state_close(struct state *s);

/* A row, with disk blocks allocated; NULL on failure: s->error says why. */
void *state_row(struct state *s, enum state_region region, uint64_t row);
/* For reading: NULL if it was never touched. */
static inline void *state_peek(const struct state *s, enum state_region region, uint64_t row);

/* Commits everything touched since the last commit. */
void state_commit(struct state *s);
/* Rolls back everything touched since the last commit; there are no more commits. Later changes are visible in this
 * process only. */
void state_give_up(struct state *s);

/* The `now` of a row of `bytes` now, `bytes` before and a transaction number, ready to be changed in this
 * transaction. */
static inline void *state_touch(const struct state *s, void *row, size_t bytes)
{
    uint8_t *now = row, *before = now + bytes;
    uint64_t *txn = (uint64_t *)(before + bytes);
    if (*txn != s->txn) {
        if (*txn > s->committed)
            memcpy(now, before, bytes);
        else
            memcpy(before, now, bytes);
        __atomic_store_n(txn, s->txn, __ATOMIC_RELEASE);
    }
    return now;
}

/* The valid value of such a row. */
static inline const void *state_value(const struct state *s, const void *row, size_t bytes)
{
    const uint8_t *now = row;
    uint64_t txn;
    memcpy(&txn, now + 2 * bytes, sizeof txn);
    return txn > s->committed && txn != s->txn ? now + bytes : now;
}

/* Rows of one number. */
static inline uint64_t *state_number(struct state *s, enum state_region region, uint64_t row)
{
    void *r = state_row(s, region, row);
    return r != NULL ? state_touch(s, r, sizeof(uint64_t)) : NULL;
}
static inline uint64_t state_number_value(const struct state *s, enum state_region region, uint64_t row)
{
    const void *r = state_peek(s, region, row);
    return r != NULL ? *(const uint64_t *)state_value(s, r, sizeof(uint64_t)) : 0;
}

/* A new block of the heap, 8-byte aligned, zero; its offset, 0 when there is no disk. */
uint64_t state_alloc(struct state *s, uint64_t bytes);
static inline void *state_block(const struct state *s, uint64_t offset);

static inline uint64_t state_row_bytes(enum state_region region)
{
    static const uint8_t bytes[] = {
#define X(name, row_bytes, count) row_bytes,
        STATE_REGIONS(X)
#undef X
    };
    return bytes[region];
}
static inline void *state_peek(const struct state *s, enum state_region region, uint64_t row)
{
    return row < s->head->rows[region] ? s->tables.at[region] + row * state_row_bytes(region) : NULL;
}
static inline void *state_block(const struct state *s, uint64_t offset) { return s->tables.at[STATE_HEAP] + offset; }

#endif
