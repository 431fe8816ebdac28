/* api/open.h - a trace: opening and closing it, what it says of itself, progress and cancellation. */
#ifndef HINDSIGHT_API_OPEN_H
#define HINDSIGHT_API_OPEN_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hs_open_flags {
    /* Nothing in the directory is written, made or changed: no index is stored, only one in memory, and LMDB's lock
     * file is not used (so a recording that is running may make a read fail, which hs_damage reports). */
    HS_OPEN_READONLY = 1
};
struct hs_open_options {
    size_t size;   /* sizeof(struct hs_open_options) */
    bool no_index; /* questions build no index by themselves; hs_index_build still does */
    /* What hs_dir returns and messages name, if `dir` is a copy of a trace that is there; NULL: `dir`. Options without
     * this member (known by their size) are accepted. The copy may be removed once it is open with HS_OPEN_READONLY. */
    const char *copy_of;
};
#define HS_OPEN_OPTIONS_INIT                                                                                           \
    {                                                                                                                  \
        .size = sizeof(struct hs_open_options)                                                                         \
    }
/* Opens the trace in a directory. `flags`: enum hs_open_flags, or 0; `options` may be NULL.
 *
 * The trace shows what was stored when it was opened; a recording may go on beside it. A trace whose recorder died must
 * be recovered first (`hindsight recover`). A process may open one trace as often as it likes, in any thread: the
 * handles share what LMDB allows once per process. Any directory is safe to open: files are checked before they are
 * followed. They are mapped, though: when a file is cut off while the trace is open, reading behind its new end is a
 * SIGBUS. Fails with HS_ERR_NOT_FOUND (no such directory), HS_ERR_FORMAT (no trace), HS_ERR_UNSUPPORTED, HS_ERR_USAGE
 * (unknown flags, wrong size of the options). */
HS_API int hs_open(const char *dir, unsigned flags, const struct hs_open_options *options, hs_trace **out,
                   struct hs_error *error);
/* NULL is allowed. */
HS_API void hs_close(hs_trace *trace);
/* The first row found unreadable since the trace was opened, as a sentence; NULL if all were fine. The text of
 * HS_ERR_MEMORY (hs_status_text) if a look-up failed since then because memory was out. */
HS_API const char *hs_damage(const hs_trace *trace);
/* A value of the info table ("format", "weave", "end", ...: `hindsight info`); NULL if absent. */
HS_API const char *hs_info(const hs_trace *trace, const char *key);
/* Events in the stream: 0 in formats that keep none. */
HS_API uint64_t hs_event_count(const hs_trace *trace);
/* Bytes of all files in the directory but the index. */
HS_API uint64_t hs_disk_bytes(const hs_trace *trace);
/* Where the bytes of the directory are, by kind: `i` from 0 on gives the name of a kind (static) and its bytes; false:
 * there are no more kinds. Whole pages of the databases are counted, so that
 * a few rows take 4096 bytes. events: chunks and their directory. objects: types and contents of objects, and strings.
 * class_files: the original class files. tables: classes, methods, data IDs, types. values: what formats without a
 * stream keep. threads: threads, marks, clock, intervals. info. other: free pages and all other files. index: the
 * index, which hs_disk_bytes leaves out. */
HS_API bool hs_storage(hs_trace *trace, size_t i, const char **kind, uint64_t *bytes);
/* The directory as it was given to hs_open, or that of which it is a copy. */
HS_API const char *hs_dir(const hs_trace *trace);

/* Called from inside functions that read much of the trace, in the thread that called them, after each piece: `done` of
 * `total` pieces of `phase` ("index", "events", "check", ...: a text that lives for ever). When it returns something
 * else than 0 the function fails with HS_CANCELLED; the trace stays usable, and the same function can be called again.
 * A cursor over events that was cancelled in a step goes on where it stood; other cursors can then only be closed. It
 * must not call functions of the same trace. */
typedef int hs_progress_fn(void *context, uint64_t done, uint64_t total, const char *phase);
/* Sets the callback of a trace; NULL for none. */
HS_API void hs_set_progress(hs_trace *trace, hs_progress_fn *fn, void *context);

/* How many threads decode chunks for a walk forwards over many of them, beside the thread that walks: cursors over
 * events, races, locks, reports, checks; 0: as many as there are processors; at first 1, which is the thread that walks
 * itself. Answers are the same for any number. One walk of a trace reads ahead at a time, so that memory is bounded:
 * for each thread up to 8 chunks, 15 MB, and what it needs of the classes. The threads begin when a walk has read some
 * chunks in a row, block all signals, call nothing of the program (the callback of hs_set_progress neither), and end
 * when the cursor is closed, seeks or turns.
 *
 * A trace and its cursors belong to one thread at a time, also then: calls from several threads must be serialized by
 * the caller. Different handles are independent, also of the same directory. */
HS_API void hs_set_jobs(hs_trace *trace, unsigned jobs);

#ifdef __cplusplus
}
#endif

#endif
