/* windows.h - capture windows: the parts of a run that are recorded (logstart=, logend=), and its snapshots.
 *
 *     stamps   ----------[begin ........ end)--------[begin ........ end)------
 *     events              kept, of all threads        kept
 *
 * A window begins and ends at a value of the shared counter that was incremented for it alone: the event that began it
 * is the first of its thread at or behind `begin`, the one that ended it the last of its thread before `end`. Windows
 * do not overlap, and events between two of them are not in the trace.
 *
 *     INTERVAL  number of the first of WINDOW_BLOCK -> their rows
 *     SNAPSHOT  number, from 1 -> snapshot_row
 *     SAVED     saved_key -> a row of COUNTS, LATEST, TIMING or TALLY as it was at that snapshot
 *
 * During a recording both lists are in the mapped file `TRACE/intervals`: two growing tables
 * (logging/journal/regions.h), snapshot requests and windows, with struct windows_head as its head, in the byte order
 * of the machine. An entry is written before the count that includes it. */
#ifndef FORMATS_WINDOWS_H
#define FORMATS_WINDOWS_H

#include <stdint.h>

#include "formats/bytes.h"
#include "formats/rows.h"
#include "formats/schema.h"
#include "formats/status.h"
#include "formats/vec.h"

/* What logstart= and logend= take (logging/capture/patterns.h). */
#define PATTERN_SYNTAX "Class#method#desc#EVENT;EVENT"

#define NO_DATAID UINT32_MAX

struct window {
    uint64_t begin, end;       /* stamps; end UINT64_MAX: not ended */
    uint64_t begin_ns, end_ns; /* since the start */
    uint32_t start_id, end_id; /* data IDs of the events; NO_DATAID: recording itself began, or stopped */
    uint32_t start_thread, end_thread;
};
typedef VEC(struct window) window_vec;

enum { WINDOW_BLOCK = 256 };
void windows_encode(const struct window *list, size_t count, struct writer *w);
/* Appends to `out`. */
enum status windows_decode(const void *data, size_t size, window_vec *out, struct error *err);

/* Why a snapshot was kept. */
enum snapshot_kind {
    SNAPSHOT_INTERVAL, /* logsave=: an interval ended */
    SNAPSHOT_THROW,    /* freeze=Class */
    SNAPSHOT_UNCAUGHT, /* freeze=uncaught */
    SNAPSHOT_KINDS
};
struct snapshot_row {
    uint8_t kind;   /* enum snapshot_kind */
    uint8_t saved;  /* the state was saved: SAVED has its rows, if any */
    uint64_t stamp; /* events before it are in the snapshot */
    uint64_t ns;
    uint32_t thread;
    uint32_t interval; /* number of the interval that ended */
    uint32_t object;   /* id of the exception, 0 none */
    struct text type;  /* of the exception, as in Java source */
};
void snapshot_row_encode(const struct snapshot_row *row, struct writer *w);
enum status snapshot_row_decode(const void *data, size_t size, struct snapshot_row *row, struct error *err);

/* Roles of a data ID for intervals, one byte per data ID. An edge is never joined to another data ID in one record, so
 * that an interval can begin and end between the events of one hook call. */
enum edge {
    EDGE_START = 1,     /* its event matches logstart= */
    EDGE_END = 2,       /* its event matches logend= */
    EDGE_SAME_CALL = 4, /* one hook call records it together with the data ID before */
    /* With EDGE_START or EDGE_END, of a method of a test framework (logging/agent/test_edges.def): */
    EDGE_TEST_FAILS = 8,
    EDGE_TEST_ENDS = 16,
    EDGE_TEST_HOLDS = 32,
    EDGE_TEST_BEGINS = 64,
    EDGE_TEST_SPAN = 128,
};

/* 26 bits snapshot | 6 bits database | 32 bits its key */
enum { SNAPSHOTS_MAX = 1 << 20 };
static inline uint64_t saved_key(uint32_t snapshot, enum schema_db db, uint32_t key)
{
    return (uint64_t)snapshot << 38 | (uint64_t)db << 32 | key;
}

/* ---- the file of a running recording ---- */

#define WINDOWS_MAGIC UINT64_C(0x3249565245544e49) /* "INTERVI2" */
struct snapshot_request {
    uint64_t stamp, ns;
    uint32_t kind, thread, interval, object;
    char type[96]; /* as in Java source, cut off if longer */
};
enum { WINDOWS_MAX = 1 << 26 };

struct windows_head {
    uint64_t magic;
    uint32_t filters; /* only events inside an interval are kept */
    uint32_t resets;  /* logsave=partial: the state is cleared after each snapshot */
    uint32_t cuts, count;
};

enum { WINDOWS_REQUESTS, WINDOWS_LIST, WINDOWS_TABLES };

_Static_assert(sizeof(struct snapshot_request) == 128, "layout");
_Static_assert(sizeof(struct window) == 48, "layout");

#endif
