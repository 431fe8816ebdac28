/* state.c - see state.h. */
#include "logging/aggregate/state.h"

#include <stdio.h>

#include "formats/schema.h"

#define STATE_MAGIC UINT64_C(0x3454415453444948) /* "HIDSTAT4" */

static const uint64_t row_limits[] = {
#define X(name, bytes, rows) rows,
    STATE_REGIONS(X)
#undef X
};
static const uint64_t rooms[] = {
#define X(name, bytes, rows) (bytes) * (uint64_t)(rows),
    STATE_REGIONS(X)
#undef X
};
_Static_assert((int)STATE_REGION_COUNT <= (int)REGIONS_MAX, "tables of one file");

static void path_of(char *path, size_t size, const char *dir)
{
    (void)snprintf(path, size, "%s/%s", dir, TRACE_STATE_FILE);
}

/* Covers the fields that are written once; the others change all the time. */
static uint64_t state_check(const struct state_head *h)
{
    return (STATE_MAGIC ^ (uint64_t)h->size << 32 ^ h->timed ^ h->heap) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Uses a number that no transaction had before, aborted ones included. */
static void begin(struct state *s)
{
    s->txn = s->head->begun + 1;
    __atomic_store_n(&s->head->begun, s->txn, __ATOMIC_RELEASE);
}

enum status state_create(struct state *s, const char *dir, uint32_t size, bool timed, struct error *err)
{
    char path[4096 + 32];
    *s = (struct state){ .budget = STATE_BUDGET_BYTES };
    path_of(path, sizeof path, dir);
    enum status st = regions_create(&s->tables, path, rooms, STATE_REGION_COUNT, err);
    s->tables.leave = true;
    if (st != OK) {
        state_close(s);
        return st;
    }
    s->head = (struct state_head *)s->tables.head;
    *s->head = (struct state_head){ .size = size, .timed = timed, .rows = { [STATE_HEAP] = 8 } };
    s->head->heap = (uint64_t)(uintptr_t)s->tables.at[STATE_HEAP];
    s->head->check = state_check(s->head);
    s->head->magic = STATE_MAGIC;
    begin(s);
    return OK;
}

enum status state_open(struct state *s, const char *dir, struct error *err)
{
    char path[4096 + 32];
    *s = (struct state){ .budget = STATE_BUDGET_BYTES };
    path_of(path, sizeof path, dir);
    enum status st = regions_open(&s->tables, path, true, rooms, STATE_REGION_COUNT, err);
    if (st != OK) {
        state_close(s);
        return st;
    }
    s->head = (struct state_head *)s->tables.head;
    s->cut = s->tables.cut;
    bool sane = s->head->magic == STATE_MAGIC && s->head->size > 0 && s->head->check == state_check(s->head);
    for (int r = 0; r < STATE_REGION_COUNT; r++) {
        /* the heap begins with 8 bytes unused */
        uint64_t there = s->tables.ready[r] / state_row_bytes((enum state_region)r), least = r == STATE_HEAP ? 8 : 0;
        sane = sane &&
               (s->cut ? s->head->rows[r] <= row_limits[r] : s->head->rows[r] <= there || s->head->rows[r] == least);
        if (s->head->rows[r] > there)
            s->head->rows[r] = there > least ? there : least;
    }
    if (!sane)
        return error_set(err, ERR_FORMAT, "%s is malformed", path);
    s->committed = s->head->committed;
    begin(s);
    return OK;
}

void state_close(struct state *s)
{
    regions_close(&s->tables);
    s->head = NULL;
}

static bool provide(struct state *s, enum state_region region, uint64_t rows)
{
    if (rows > row_limits[region]) {
        (void)error_set(&s->error, ERR_LIMIT, "more than %llu rows in a table of the state",
                        (unsigned long long)row_limits[region]);
        return false;
    }
    if (regions_provide(&s->tables, region, rows * state_row_bytes(region), "the state", &s->error) != OK)
        return false;
    if (rows > s->head->rows[region])
        s->head->rows[region] = rows;
    return true;
}

void *state_row(struct state *s, enum state_region region, uint64_t row)
{
    uint64_t bytes = state_row_bytes(region);
    if (((row + 1) * bytes > s->tables.ready[region] || row >= s->head->rows[region]) && !provide(s, region, row + 1))
        return NULL;
    return s->tables.at[region] + row * bytes;
}

uint64_t state_alloc(struct state *s, uint64_t bytes)
{
    uint64_t at = s->head->rows[STATE_HEAP];
    bytes = (bytes + 7) & ~UINT64_C(7);
    return provide(s, STATE_HEAP, at + bytes) ? at : 0;
}

void state_commit(struct state *s)
{
    if (s->given_up) /* else changes of the abandoned transaction would become valid */
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
