/* open_trace.h - the header of this folder for the rest of the reader: an open trace, its environment and its tables.
 * It is not part of the public API.
 *
 * trace.c has common helpers; env.c the LMDB environment and its short read transactions; tables.c kinds, chunk
 * directory, threads and types; classes.c classes, methods and data IDs; weavings.c classes that were woven several
 * times; answers.c what answers have of these; source_lines.c lines of other files (JSR-45); objects.c the object
 * pages; clock.c the coarse clock; windows.c
 * intervals and snapshots; marks.c marks; open.c opens and closes a trace. Internally errors are `struct error`; public
 * functions convert them with `give`. */
#ifndef READER_OPEN_TRACE_H
#define READER_OPEN_TRACE_H

#include "formats/arena.h"
#include "formats/chunk.h"
#include "formats/objects.h"
#include "formats/rows.h"
#include "formats/vec.h"
#include "formats/windows.h"
#include "reader/trace.h"
#include "reader/trace/cursor.h"
#include "reader/trace/env.h"
#include "reader/trace/location_key.h"
#include "reader/trace/progress.h"

/* ---- rows of the chunk directory ---- */

struct chunk_ref {
    uint64_t number; /* key in CHUNK */
    uint64_t first_stamp, last_stamp;
    uint64_t before; /* events of the same thread in chunks before it, in order */
    uint32_t count, bytes;
    bool derived; /* only events that do not follow from bytecode are stored (formats/derived.h) */
};

struct thread_chunks {
    uint32_t thread;
    struct chunk_ref *chunks; /* sorted by (first_stamp, number) */
    size_t count;
    size_t last; /* the chunk that positions_chunk found last */
    uint64_t events;
};

/* ---- the trace ---- */

struct info_pair {
    const char *key, *value;
};

/* Data that files of the reader keep with an open trace. Each file fills its slot on first use; hs_close frees the
 * slots in reverse order. */
enum attachment {
    ATTACHED_DERIVED,       /* derive/derive.c */
    ATTACHED_OBJECTS,       /* trace/objects.c: pages of the object table */
    ATTACHED_SOURCE_LINES,  /* trace/source_lines.c: maps of lines */
    ATTACHED_KEPT,          /* stream/kept.c: cache of decoded chunks */
    ATTACHED_POSITIONS,     /* stream/positions.c: what seqs are counted with */
    ATTACHED_STAMPS,        /* stream/stamps.c: stamps of chunks */
    ATTACHED_CODES,         /* code/methods.c: parsed class files */
    ATTACHED_CODE_EVENTS,   /* code/events.c: data IDs at their instructions */
    ATTACHED_EFFECTS,       /* code/effects.c: frame effects of data IDs */
    ATTACHED_LINEAGES,      /* code/fields.c: classes by name, superclasses, fields */
    ATTACHED_SITES,         /* code/sites.c: data IDs by event and name */
    ATTACHED_TYPES,         /* code/types.c: types of members and variables */
    ATTACHED_INDEX,         /* segments/segments.c */
    ATTACHED_FRAMES,        /* index/frames_at.c: the last states of threads */
    ATTACHED_FRAME_MARKS,   /* index/frames_at.c: states inside of chunks */
    ATTACHED_ANSWERS,       /* query/state.c: caches of the last answers */
    ATTACHED_THROWN,        /* query/exceptions.c: exceptions that were asked for */
    ATTACHED_EVENT_IDS,     /* cursor/filter.c: data IDs of the event types that were wanted last */
    ATTACHED_VALUES,        /* query/object_value.c: what objects stand for */
    ATTACHED_CLASS_OBJECTS, /* query/class_objects.c */
    ATTACHED_UNRECORDED,    /* query/defaults.c: writes that have no events */
    ATTACHED_HANDOVERS,     /* query/handover.c: the last ones that were found */
    ATTACHED_HANDING,       /* query/handover.c: of which events an index says that they may be one */
    ATTACHED_KEPT_FIELDS,   /* query/kept_fields.c */
    ATTACHED_BRANCHES,      /* query/branch_track.c: branches that frames took */
    ATTACHED_EVALUATED,     /* session/evaluate.c: a session, and the last answer */
    ATTACHMENTS
};
typedef void attachment_free_fn(void *what);

struct hs_trace {
    char *dir;
    bool read_only;          /* HS_OPEN_READONLY, or one file */
    bool bundled;            /* one file, */
    struct bundle bundle;    /* with these parts */
    bool branch;             /* of trace_branch */
    unsigned jobs;           /* hs_set_jobs; 0 is 1 */
    uint64_t decoded;        /* chunks, also those that were only executed for the state behind them: CHUNKS_SHOWN */
    uint64_t decoded_stamps; /* chunks of which stream/stamps.c took the stamps */
    uint64_t object_pages;   /* pages of the object table that trace/objects.c unpacked, or parts of them */
    /* derive/read_ahead.c: of the walk that reads ahead; NULL none */
    struct read_ahead *ahead;
    struct progress progress;
    struct env env;
    struct arena arena; /* everything that lives as long as the trace */
    char *damage;       /* first one; NULL none */
    bool no_memory;     /* a look-up failed for lack of memory: trace_no_memory */

    VEC(struct info_pair) info;
    uint8_t *kinds; /* kind letter per data ID, 0 where no class has it */
    uint32_t kind_count;
    uint64_t kinds_stored, methods_stored; /* that have rows, up to the one that was read last */

    struct chunk_ref *chunks; /* grouped by thread */
    size_t chunk_count;
    struct thread_chunks *streams; /* by thread number */
    size_t stream_count;
    uint64_t events;
    struct chunk_decoder *decoder;

    VEC(struct hs_thread) threads; /* by number; rows and streams */
    VEC(struct hs_type) types;     /* by id */
    VEC(struct hs_mark) marks;     /* by number; their seqs once marks_numbered: stream/numbering.c */
    VEC(struct mark_stamps {
        uint64_t begin;
        uint64_t end;
    })
    mark_stamps;
    bool marks_numbered;
    window_vec intervals; /* recorded in parts; they do not overlap: windows.c */
    window_vec to_keep;   /* those that will be left (trace_is_to_drop) */
    VEC(struct period {
        uint32_t first_dataid;
        uint64_t stamp; /* of its first event, once it was asked for: stream/numbering.c */
        uint64_t begin; /* the seq of that event */
    })
    periods; /* the second start of recording and those after it, rising: windows.c */
    bool periods_numbered;
    bool late;                         /* the program had run before the recording began */
    VEC(struct hs_snapshot) snapshots; /* by number */
    uint32_t snapshot;                 /* selected snapshot: source of counts, last values and times; 0: the end */

    bool classes_loaded;
    VEC(struct hs_class) classes;     /* by number */
    VEC(uint32_t) by_dataid;          /* positions in classes, those with data IDs, by first data ID */
    VEC(uint32_t) by_method;          /* positions in classes, those with methods, by first method id */
    u32_vec followed;                 /* by method id: method_row.followed */
    const struct hs_dataid **dataids; /* by data ID, filled by dataids.c */
    struct class_ids {
        VEC(struct dataid_place) runs; /* where the rows of each method begin; empty: not known yet */
        uint32_t asked;                /* how many of them were loaded alone */
        bool complete;                 /* no more are loaded */
    } * class_ids;                     /* by position in classes */

    struct weavings *weavings; /* NULL: no class was woven several times, as far as weavings_loaded */
    bool weavings_loaded;

    bool clock_loaded;
    struct clock_point {
        uint64_t stamp, ns;
    } * clock;
    size_t clock_count;

    struct hs_index_info index_info; /* the last answers */
    struct hs_fsck_result fsck_result;
    struct hs_event last_event;
    bool no_index;         /* questions leave the index as it is */
    uint64_t index_wished; /* up to this event index_wish and index_reach have been called: they do nothing more */

    struct attached {
        void *what;
        attachment_free_fn *free;
    } attached[ATTACHMENTS];
    uint8_t attached_order[ATTACHMENTS]; /* slots in the order in which they were filled */
    unsigned attached_count;
};

/* NULL: the slot is empty. */
static inline void *trace_attached(const hs_trace *t, enum attachment slot) { return t->attached[slot].what; }
/* Gives `what` to the trace. The slot must be empty. */
void trace_attach(hs_trace *t, enum attachment slot, void *what, attachment_free_fn *free);

/* A phase of the trace that reads chunks. */
static inline struct phase trace_phase(hs_trace *t, const char *name)
{
    return phase_begin(&t->progress, name, t->chunk_count);
}
static inline struct phase trace_phase_resume(hs_trace *t, const char *name, uint64_t *done)
{
    return phase_resume(&t->progress, name, t->chunk_count, done);
}

/* ---- open.c ---- */

/* When it is in the environment, hs_close says on standard error how many chunks were decoded, and pages of objects
 * unpacked: what an answer costs apart from the machine, for test/cli/screens.sh. */
#define CHUNKS_SHOWN "HINDSIGHT_CHUNKS"

/* The same trace for another thread, which decodes chunks with it: it shares what opening has read, which nothing
 * changes, and has its own transactions, classes and attachments. It keeps no states of threads, and must be closed
 * before `t`. NULL: no memory. */
hs_trace *trace_branch(const hs_trace *t);
void trace_branch_close(hs_trace *branch);

/* ---- trace.c ---- */

/* Keeps the text of `err` as the trace's damage if it is the first. ERR_MEMORY is no damage: as trace_no_memory. */
void trace_damaged(hs_trace *t, const struct error *err);
/* Notes that a look-up that has no error to return found nothing because memory was out. */
void trace_no_memory(hs_trace *t);
/* Converts an internal error to a public one; returns -1. `to` may be NULL: status.h. */
int give(struct hs_error *to, const struct error *from);
/* Text into the arena, NUL-terminated as trace.h says; without memory NULL, and trace_no_memory. `dots` turns / into
 * dots (class names). */
const char *trace_text(hs_trace *t, struct text s, bool dots);
/* The same into another arena. */
const char *trace_text_in(hs_trace *t, struct arena *to, struct text s, bool dots);
/* A chunk as it is stored, in a transaction; borrowed until its end, or the next one. ERR_FORMAT: it is not there. */
enum status chunk_blob(hs_trace *t, const struct chunk_ref *c, struct text *blob, struct error *err);
/* ---- classes.c ---- */

/* Loads the classes if they are not loaded yet; false: they cannot be read. */
bool tables_need_classes(hs_trace *t);
/* The rows of all classes as they are stored, in the order of their numbers; NULL behind the last. They are contiguous
 * in memory. */
size_t class_rows(hs_trace *t);
const struct hs_class *class_at(hs_trace *t, size_t position);
/* The row of this very number: hs_class_get and hs_method_get give that of the first weaving (weavings.c). */
const struct hs_class *class_row(hs_trace *t, uint32_t class_no);
const struct hs_method *method_row(hs_trace *t, uint32_t method_id);
/* Where the row of a class stands, also of one that a cursor gave. SIZE_MAX: there is none. */
static inline size_t class_position(hs_trace *t, const struct hs_class *c)
{
    const struct hs_class *row = class_row(t, c->class_no);
    return row != NULL ? (size_t)(row - t->classes.items) : SIZE_MAX;
}
/* Is there a woven class of that name, of any loader? */
bool has_woven_class(hs_trace *t, const char *name);

/* ---- dataids.c ---- */

/* The last class whose data IDs begin at or before this one. */
const struct hs_class *tables_class_of(hs_trace *t, uint32_t dataid);
/* The data ID rows of a class, decoded but not kept: for queries that scan all of them and need few. An error may be
 * found after some rows were passed; `hs_dataid_get` finds none of that class then. */
enum status tables_skim(hs_trace *t, const struct hs_class *c, dataid_row_fn *each, void *context, struct error *err);

/* *first is a data ID of the class for which hs_dataid_get gives a row: makes *first and *end the first data ID of its
 * method and the one behind the last, as far as they lie together. */
void dataid_siblings(hs_trace *t, const struct hs_class *c, uint32_t *first, uint32_t *end);

/* The row of this very data ID: hs_dataid_get gives only those of first weavings (weavings.c). */
const struct hs_dataid *dataid_row(hs_trace *t, uint32_t dataid);

/* ---- source_lines.c ---- */

/* A line of the program's source, as in struct hs_dataid. */
struct source_line {
    const char *file; /* NULL: the source file of the class */
    int32_t line;
    int32_t first; /* the first line of LineNumberTable that stands for it, in this copy of an inlined method */
};
/* What a line of LineNumberTable of the class stands for (SourceDebugExtension); -1 stays that. */
struct source_line source_line_of(hs_trace *t, const struct hs_class *c, int32_t table_line);
/* As source_line_of, of the first woven class of that name, for stacks that the JVM gave. */
struct source_line source_line_named(hs_trace *t, const char *class_name, int32_t table_line);
/* The files that lines of the class may be in, beside its source file; NULL behind the last. */
const char *source_file_at(hs_trace *t, const struct hs_class *c, size_t number);
static inline bool same_source_line(const struct hs_dataid *a, const struct hs_dataid *b)
{
    return a->line == b->line &&
           (a->file == b->file || (a->file != NULL && b->file != NULL && strcmp(a->file, b->file) == 0));
}

/* ---- weavings.c ---- */

/* Classes, methods and data IDs of several weavings, each as the first of its kind. */
struct weavings {
    uint32_t *classes; /* by position of a class: that of the first with the same class file */
    MAP(struct method_weaving {
        uint64_t id; /* method id + 1 */
        uint32_t same_code;
        uint32_t by_name;
    })
    methods;                      /* those that are not the first */
    uint32_t *places;             /* by data ID */
    uint32_t *others;             /* by data ID: another one of its place, each once from the first on; 0: no more */
    const struct hs_class *shown; /* the first ones */
    size_t shown_count;
};
/* ---- answers.c ---- */

/* Was any class woven several times? Then t->weavings is there. */
bool weavings_find(hs_trace *t);
static inline bool weavings_known(hs_trace *t) { return t->weavings_loaded ? t->weavings != NULL : weavings_find(t); }
/* The first method id of the same code, or of any code: of that name and descriptor, in classes of that name and
 * loader. */
uint32_t same_code(hs_trace *t, uint32_t method_id);
uint32_t same_method(hs_trace *t, uint32_t method_id);
/* The first data ID of the same place: every event that a cursor gives has that one. */
static inline uint32_t same_place(hs_trace *t, uint32_t dataid)
{
    return weavings_known(t) && dataid < t->kind_count ? t->weavings->places[dataid] : dataid;
}
/* The data IDs that are stored for a place: from the first one on; 0 behind the last. */
static inline uint32_t other_of_place(hs_trace *t, uint32_t dataid)
{
    return weavings_known(t) ? t->weavings->others[dataid] : 0;
}
/* hs_dataid_get for events that were found already: a data ID whose row cannot be read (damage, no memory) is one
 * without event, method and attributes, never NULL. */
const struct hs_dataid *dataid_or_none(hs_trace *t, uint32_t dataid);

/* method_row.followed: its events follow from its code. */
bool method_followed(hs_trace *t, uint32_t method_id);

/* ---- clock.c ---- */
/* Do events have times of their own (option timestamp)? */
bool trace_timed(const hs_trace *t);

/* hs_clock_ns for stamps that mostly rise: `*at` caches the last position, at first 0. */
uint64_t trace_clock_ns(hs_trace *t, uint64_t stamp, size_t *at);
/* The stamp of the last point of the coarse clock; times of stamps below it never change. 0: there is none. */
uint64_t trace_clock_end(hs_trace *t);

/* ---- windows.c ---- */

/* The period (start of recording, from 0 on) that a data ID as it is stored was woven in. */
size_t dataid_period(const hs_trace *t, uint32_t dataid);

/* The stamps between which events are missing: the begin of the first interval after the stamp (UINT64_MAX: none). */
uint64_t gap_behind(const hs_trace *t, uint64_t stamp);
/* Is what passed tests did, or what is outside of the windows, still there (formats/drop.h)? */
bool trace_is_to_drop(const hs_trace *t);
uint64_t gap_before(const hs_trace *t, uint64_t stamp);
/* Appends what the thread was in the middle of at the begin of the interval, or at that of the last one before it
 * since which the thread has done nothing, down to `least` (query/passed.h). ERR_NOT_FOUND: that is not known. */
enum status left_thread(hs_trace *t, size_t interval, size_t least, uint32_t thread, struct writer *out,
                        struct error *err);
/* For a walk over events of one thread, before each: true if events are missing between it and the one before. `*gap`
 * is 0 at first, or gap_behind of the event before; for the first event of the thread the result may be true. */
static inline bool gap_passed(const hs_trace *t, uint64_t *gap, uint64_t stamp)
{
    if (stamp < *gap)
        return false;
    *gap = gap_behind(t, stamp);
    return true;
}

/* ---- objects.c ---- */

/* The number of its type, 0 unknown. An answer of hs_object_get lives on. */
uint32_t objects_class(hs_trace *t, uint64_t id);
/* Is anything of its contents recorded: a string, a thrown_row, or what it stands for? */
bool objects_copied(hs_trace *t, uint32_t id);
/* Moves `*id` (0 to begin) to the next such object, of those pages that can have what is searched for
 * (formats/objects.h). 1, 0 at the end, -1. */
int objects_search_next(hs_trace *t, uint32_t *id, struct object_search *search, struct hs_error *error);
/* As hs_objects_open, only those of these classes (rising ids; taken over); of class 0, strings. `pages`: those that
 * can have them, as bits, which are taken over; none: any. */
int objects_open_classes(hs_trace *t, u32_vec *classes, u64_vec *pages, hs_cursor **out, struct hs_error *error);
/* The thrown_row of an exception; borrowed until the next object. */
struct text objects_thrown(hs_trace *t, uint32_t id);
/* The copy of what an object stands for (formats/values.def), or empty; borrowed until the next object. */
struct text objects_value(hs_trace *t, uint32_t id);

/* ---- dataid_stats.c: data of the formats without a stream ---- */

typedef VEC(struct hs_cost) cost_vec;
/* The rows of a database. */
enum status dataid_stats_each(hs_trace *t, enum schema_db db, env_row_fn *row, void *context, struct error *err);
/* Events by data ID, counts[t->kind_count], cleared by the caller. */
enum status dataid_stats_counts(hs_trace *t, uint64_t *counts, struct error *err);
/* Appends the costs of each method that was entered, perhaps in several rows: with times of format=timing, else calls
 * and exceptions. */
enum status dataid_stats_costs(hs_trace *t, cost_vec *list, struct error *err);

#endif
