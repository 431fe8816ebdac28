/* internal.h - what the files of the reader library share; nothing of it is public.
 *
 * Who fills what: trace.c opens and owns; env.c the LMDB environment and its short read transactions; tables.c classes,
 * data IDs, threads, types; objects.c the object pages; order.c and events.c only read it. Internally errors are
 * `struct error`; the public functions hand them on with `give`. */
#ifndef READER_INTERNAL_H
#define READER_INTERNAL_H

#include <lmdb.h>

#include "formats/arena.h"
#include "formats/chunk.h"
#include "formats/intervals.h"
#include "formats/pack.h"
#include "formats/rows.h"
#include "formats/schema.h"
#include "formats/status.h"
#include "formats/vec.h"
#include "reader/trace.h"

/* ---- env.c: the LMDB environment ---- */

struct env {
    MDB_env *lmdb;
    MDB_txn *txn; /* reset between uses, so that it pins no snapshot; NULL before the first */
    MDB_dbi dbi[DB_COUNT];
    bool has[DB_COUNT];          /* the database can be read */
    char damage[ERROR_TEXT_MAX]; /* the first that was met; empty: none */
    unsigned depth;              /* nested env_begin */
    struct env_pack {
        bool open;
        uint64_t first;
        struct pack_reader reader;
    } packs[DB_COUNT]; /* the last pack looked at, of packed databases */
};
enum status env_open(struct env *env, const char *dir, struct error *err);
void env_close(struct env *env);
/* Read transactions nest; values are borrowed until the outermost env_end. */
enum status env_begin(struct env *env, struct error *err);
void env_end(struct env *env);
/* Inside a transaction. ERR_NOT_FOUND leaves `err` alone; ERR_FORMAT: there is a row, but not the one that was written
 * (which `damage` remembers). Rows of packed databases (pack.h) come out unpacked, borrowed until the next look at that
 * database. */
enum status env_get(struct env *env, enum schema_db db, uint64_t key, struct text *value, struct error *err);
/* The first row with a key >= `*key`; `*key` becomes its key, also when the row is damaged. Integer databases. */
enum status env_at_least(struct env *env, enum schema_db db, uint64_t *key, struct text *value, struct error *err);
/* Damaged rows are passed over, and remembered. */
typedef enum status env_row_fn(void *context, struct text key, struct text value, struct error *err);
enum status env_each(struct env *env, enum schema_db db, env_row_fn *row, void *context, struct error *err);
/* Native integer of a key, 0 when its size is wrong. */
uint64_t env_integer(struct text key);
/* Every row of every table against its check. Calls `tell` with a sentence for each that is not. */
typedef void env_tell_fn(void *context, const char *what);
enum status env_verify(struct env *env, env_tell_fn *tell, void *context, uint64_t *rows, struct error *err);

/* ---- one chunk, as the directory has it ---- */

struct chunk_ref {
    uint64_t number; /* key in CHUNK */
    uint64_t first_stamp, last_stamp;
    uint64_t before; /* events of the same thread in chunks before it, in order */
    uint32_t count, bytes;
};

struct thread_chunks {
    uint32_t thread;
    struct chunk_ref *chunks; /* sorted by (first_stamp, number) */
    size_t count;
    uint64_t events;
};

/* ---- the trace ---- */

struct info_pair {
    const char *key, *value;
};
struct object_cache;
struct positions; /* positions.c: decoded chunks that are kept */
struct effects;   /* effects.c: what a data ID does to frames */
struct index;     /* index.c */
struct codes;     /* bytecode.c: class files that were parsed */
struct replay;    /* replay.c: the last state of a thread */
struct answers;   /* state.c: what the last questions were answered with */
struct sites;     /* sites.c: data IDs by event and name */
struct lineages;  /* fields.c: classes by name, superclasses, fields */

struct hs_trace {
    char *dir;
    struct env env;
    struct arena arena; /* everything that lives as long as the trace */
    char *damage;       /* first one; NULL none */

    VEC(struct info_pair) info;
    uint8_t *kinds; /* letter per data ID, 0 where no class has it */
    uint32_t kind_count;

    struct chunk_ref *chunks; /* grouped by thread */
    size_t chunk_count;
    struct thread_chunks *streams; /* by thread number */
    size_t stream_count;
    uint64_t events;
    struct chunk_decoder *decoder;

    VEC(struct hs_thread) threads; /* by number; rows and streams */
    VEC(struct hs_type) types;     /* by id */
    VEC(struct hs_mark) marks;     /* by number; their seqs once marks_numbered: marks.c */
    VEC(struct mark_stamps {
        uint64_t begin;
        uint64_t end;
    })
    mark_stamps;
    bool marks_numbered;
    interval_vec intervals;            /* recorded in parts; they do not overlap: windows.c */
    VEC(struct hs_snapshot) snapshots; /* by number */
    uint32_t snapshot;                 /* counts, last values and times are those of this one; 0: of the end */

    bool classes_loaded;
    VEC(struct hs_class) classes;     /* by number */
    VEC(uint32_t) by_dataid;          /* positions in classes, those with data IDs, by first data ID */
    VEC(uint32_t) by_method;          /* positions in classes, those with methods, by first method id */
    const struct hs_dataid **dataids; /* by data ID, filled a class at a time */
    bool *dataids_loaded;             /* by position in classes */

    struct object_cache *objects;

    struct positions *positions; /* these are NULL until needed */
    struct effects *effects;
    struct index *index;
    bool index_wished; /* index_wish was asked once */
    struct codes *codes;
    struct replay *replay;
    struct answers *answers;
    struct sites *sites;
    struct lineages *lineages;

    bool clock_loaded;
    struct clock_point {
        uint64_t stamp, ns;
    } * clock;
    size_t clock_count;
};

/* Remembers the first damage; takes what `err` says. */
void trace_damaged(hs_trace *t, const struct error *err);
/* Internal error to public one; returns -1. `to` may be NULL. */
int give(struct hs_error *to, const struct error *from);
/* Text into the arena, NUL-terminated as trace.h says; NULL on no memory. `dots` turns / into dots (class names). */
const char *trace_text(hs_trace *t, struct text s, bool dots);
/* le4 raw size and a zstd frame; `out->data` is malloc'ed, freed by the caller. */

/* Decodes one chunk: the columns live until the next use of `d` (the trace's own for passing questions). */
enum status trace_decode(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                         struct chunk_columns *out, struct error *err);
/* The same for columns that were not wanted when the decoder was last used, if that was for this chunk; else
 * ERR_NOT_FOUND. */
enum status trace_decode_more(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                              struct chunk_columns *out, struct error *err);

/* tables.c */
enum status tables_load(hs_trace *t, struct error *err); /* at opening: kinds, chunk directory, threads, types */
void tables_done(hs_trace *t);
bool tables_need_classes(hs_trace *t);
/* The last class whose data IDs begin at or before this one. */
const struct hs_class *tables_class_of(hs_trace *t, uint32_t dataid);
/* The data ID rows of a class, decoded but not kept: for questions that look at all of them and want few. What is wrong
 * with them may show after some were given; `hs_dataid_get` gives none of that class then. */
enum status tables_skim(hs_trace *t, const struct hs_class *c, dataid_row_fn *each, void *context, struct error *err);
/* marks.c */
enum status marks_load(hs_trace *t, struct error *err); /* at opening */
void marks_done(hs_trace *t);
/* hs_clock_ns for stamps that mostly rise: `*at` is where the last answer was, at first 0. */
uint64_t tables_clock_ns(hs_trace *t, uint64_t stamp, size_t *at);
/* windows.c */
enum status windows_load(hs_trace *t, struct error *err); /* at opening */
void windows_done(hs_trace *t);
/* Where events are missing: the begin of the first interval behind the stamp (UINT64_MAX: none follows), of the one
 * that it lies in (0: none). */
uint64_t gap_behind(const hs_trace *t, uint64_t stamp);
uint64_t gap_before(const hs_trace *t, uint64_t stamp);
/* For a walk over events of one thread, before each: are events missing between it and the one before? `*gap` is 0 at
 * first, or gap_behind of the event before; at the first event of the thread the answer may be yes. */
static inline bool gap_passed(const hs_trace *t, uint64_t *gap, uint64_t stamp)
{
    if (stamp < *gap)
        return false;
    *gap = gap_behind(t, stamp);
    return true;
}
/* objects.c */
void objects_done(hs_trace *t);
/* the thrown_row of an exception; borrowed until the next object */
struct text objects_thrown(hs_trace *t, uint32_t id);
/* index.c: reads all of the index; calls `tell` for what is damaged. Questions do without such parts. */
void index_verify(hs_trace *t, env_tell_fn *tell, void *context);
/* events.c: a cursor over events of these data IDs (as well as the filter's conditions); and taking some of them away
 * again. With a location key (location_key.h; 0: none) chunks that do not write it may be left out. */
int cursor_open_ids(hs_trace *trace, const struct hs_filter *filter, const uint32_t *ids, size_t id_count,
                    uint32_t location, hs_cursor **out, struct hs_error *error);
void cursor_drop_ids(hs_cursor *cursor, const uint32_t *ids, size_t count);

#endif
