/* trace.h - reading a Hindsight trace from C: the one public header of libhindsight-reader.
 *
 *     hs_trace *trace;
 *     struct hs_error error;
 *     if (hs_open("hindsight-20261120-2031-4711", &trace, &error) != 0)
 *         fprintf(stderr, "%s\n", error.text);
 *     hs_cursor *cursor;
 *     struct hs_filter filter = HS_FILTER_ALL;
 *     filter.class_glob = "com.acme.*";
 *     if (hs_cursor_open(trace, &filter, &cursor, &error) == 0) {
 *         const struct hs_event *event;
 *         while (hs_cursor_next(cursor, &event, &error) > 0)
 *             printf("%llu %s\n", (unsigned long long)event->seq, hs_event_name(hs_dataid_get(trace,
 * event->dataid)->event)); hs_cursor_close(cursor);
 *     }
 *     hs_close(trace);
 *
 * Results     functions that can fail return 0 or -1; those that walk return 1 (there is one), 0 (the end) or -1. On -1
 *             `*error` (may be NULL) is filled and out-parameters are untouched. Look-ups return NULL for what the
 * trace does not hold; rows and chunks that cannot be read count as not held and show in hs_damage. Ownership   what an
 * _open gives is freed by its _close. Every pointer to a struct or text is borrowed: from a table until hs_close, from
 * a cursor until its next step, from hs_object_get until the next hs_object_get or hs_object_next. Threads     one
 * trace and its cursors belong to one thread at a time; different traces are independent. A process opens the same
 * trace once. Snapshots   a trace shows what was stored when it was opened; a recording may go on beside it. Units
 * times are nanoseconds since the start of the recording (_ns), sizes are bytes; seq counts events from 0. Text UTF-8,
 * ends with NUL; a NUL inside a name is written C0 80, a lone surrogate as its three bytes. ABI         handles are
 * opaque; structs handed out may grow at their end; struct hs_filter carries its size. */
#ifndef READER_TRACE_H
#define READER_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HS_API         __attribute__((visibility("default")))
#define HS_ABI_VERSION 1

typedef struct hs_trace hs_trace;
typedef struct hs_cursor hs_cursor;

enum { HS_ERROR_TEXT_MAX = 512 };
struct hs_error {
    int code;                     /* hs_status_text gives its meaning */
    char text[HS_ERROR_TEXT_MAX]; /* one sentence: what, where, why */
};
HS_API const char *hs_status_text(int code);

/* ---- a trace ---- */

/* Opens the trace in a directory. A trace whose recorder died must be recovered first (`hindsight recover`). Any
 * directory is safe to open: files are proven before they are followed. They are mapped, though: one that is cut off
 * while the trace is open is a SIGBUS for the process that reads behind its end. */
HS_API int hs_open(const char *dir, hs_trace **out, struct hs_error *error);
HS_API void hs_close(hs_trace *trace); /* close its cursors before; NULL is allowed */
/* The first row found unreadable since the trace was opened, as a sentence; NULL if all were fine. */
HS_API const char *hs_damage(const hs_trace *trace);
/* A value of the info table ("format", "weave", "end", ...: `hindsight info`); NULL if absent. */
HS_API const char *hs_info(const hs_trace *trace, const char *key);
HS_API uint64_t hs_event_count(const hs_trace *trace); /* in the stream: 0 in formats that keep none */
HS_API uint64_t hs_disk_bytes(const hs_trace *trace);  /* of all files in the directory but the index */
HS_API const char *hs_dir(const hs_trace *trace);

/* ---- events ---- */

#define HS_NO_TIME UINT64_MAX
#define HS_NO_SEQ  UINT64_MAX
struct hs_event {
    uint64_t seq;      /* place in the global order, from 0 */
    uint32_t thread;   /* the trace's thread number */
    uint32_t dataid;   /* location and event type: hs_dataid_get */
    uint64_t value;    /* meaning by kind; 0 without a value */
    uint64_t stamp;    /* of the recorder's shared counter */
    uint64_t time_ns;  /* HS_NO_TIME unless the recording has a clock per event */
    char kind;         /* letter: V none, Z B C S I J F D as in descriptors (floats as raw bits), L object id, P pc */
    uint64_t position; /* events of its thread that lie before it */
};

/* A conjunction: an event passes if it satisfies every field that is set. */
struct hs_filter {
    size_t size;             /* sizeof(struct hs_filter) */
    uint64_t from, to;       /* seq, both inclusive */
    const uint32_t *threads; /* thread numbers; NULL: all */
    size_t thread_count;
    const unsigned *events; /* event numbers; NULL: all */
    size_t event_count;
    const char *class_glob;  /* "a.b.*": the whole name; without a dot: the name behind the last dot as well */
    const char *method_glob; /* "get*" the name; with "(": name and descriptor */
    uint32_t object;         /* the value is a reference to this object; 0: any */
    const char *value;       /* the value is this: 42, 0x2a, -1.5, NaN, true, null, 'x', "text", Type#12 */
    const char *text;        /* the value is a string that contains this */
};
#define HS_FILTER_ALL                                                                                                  \
    {                                                                                                                  \
        .size = sizeof(struct hs_filter), .to = UINT64_MAX                                                             \
    }

/* A cursor stands between events: next gives the one behind it, previous the one before it. It starts before `from` (or
 * wherever hs_cursor_seek puts it) and never leaves from..to. Strings of the filter are copied. */
HS_API int hs_cursor_open(hs_trace *trace, const struct hs_filter *filter, hs_cursor **out, struct hs_error *error);
HS_API void hs_cursor_close(hs_cursor *cursor);
HS_API int hs_cursor_next(hs_cursor *cursor, const struct hs_event **event, struct hs_error *error);
HS_API int hs_cursor_previous(hs_cursor *cursor, const struct hs_event **event, struct hs_error *error);
/* Puts the cursor before the event `seq` (behind the last one if there is none); costs a few chunks, not a scan. */
HS_API int hs_cursor_seek(hs_cursor *cursor, uint64_t seq, struct hs_error *error);

/* The filter's rules for names, for callers that walk tables. A NULL glob matches everything. */
HS_API bool hs_class_matches(const char *glob, const char *class_name);
HS_API bool hs_method_matches(const char *glob, const char *name, const char *desc);

/* Names and numbers of event types (formats/events.def). */
HS_API const char *hs_event_name(unsigned event);
HS_API unsigned hs_event_number(const char *name); /* 0: no such event */

/* Events recorded per data ID, counts[hs_dataid_count], in any format; and what they take in the trace,
 * bytes[hs_dataid_count], if not NULL: the bytes of a chunk are shared out among its events evenly. Reads all chunks
 * that are not in the index. */
HS_API int hs_count_dataids(hs_trace *trace, uint64_t *counts, double *bytes, struct hs_error *error);

/* The last events of a data ID: what format=latest kept, or the last 32 of a stream. Their `seq` counts the events
 * known to lie before, so it orders those of all data IDs as the stream would; with one thread it is the place in the
 * stream. */
typedef struct hs_latest hs_latest;
HS_API int hs_latest_open(hs_trace *trace, hs_latest **out, struct hs_error *error);
HS_API void hs_latest_close(hs_latest *latest); /* NULL is allowed */
/* Finds the last events of these data IDs, which rise. A few are found soon, many in one pass over the trace.
 * `numbered`: with their seq; of format=latest that takes a look at what was kept of all data IDs, without it seq is
 * HS_NO_SEQ there. */
HS_API int hs_latest_read(hs_latest *latest, const uint32_t *dataids, size_t n, bool numbered, struct hs_error *error);
/* Of one of the data IDs that were read last, oldest first; NULL and 0 if there are none. Lives until the next
 * question. */
HS_API const struct hs_event *hs_latest_get(hs_latest *latest, uint32_t dataid, size_t *count);

/* ---- tables: data IDs, classes, methods ---- */

enum hs_attr_type { HS_ATTR_INT, HS_ATTR_TEXT, HS_ATTR_BOOL };
struct hs_attr {
    const char *name;
    enum hs_attr_type type;
    int64_t number;   /* INT, BOOL */
    const char *text; /* TEXT */
};
struct hs_dataid {
    uint32_t dataid;
    unsigned event; /* number; hs_event_name */
    char kind;      /* as in struct hs_event */
    bool joined;    /* stands in one instruction with the data ID before it */
    uint32_t class_no, method_id;
    uint32_t pc;
    int32_t line; /* -1: the class has none */
    uint32_t attr_count;
    const struct hs_attr *attrs;
};
HS_API uint32_t hs_dataid_count(const hs_trace *trace);
HS_API const struct hs_dataid *hs_dataid_get(hs_trace *trace, uint32_t dataid);

enum hs_class_state { HS_CLASS_WOVEN, HS_CLASS_FILTERED, HS_CLASS_GIVEN_UP };
struct hs_method {
    uint32_t method_id, class_no;
    const char *name, *desc;
    uint32_t access, code_length;
    uint64_t hash;
    uint32_t groups;    /* bit per group woven (formats/groups.def) */
    const char *reason; /* why groups are missing, "" if none are */
};
struct hs_class {
    uint32_t class_no;
    enum hs_class_state state;
    const char *name, *super;         /* with dots: a.b.C$D; super "" if none */
    const char *loader;               /* type of the loader, "boot" */
    uint64_t loader_id;               /* number of that loader, 0 boot: two classes of one name differ in it */
    const char *source, *source_file; /* "" if unknown */
    uint32_t major, minor, access;
    uint64_t hash, size_bytes;
    const char *reason; /* why not woven, "" if woven */
    uint32_t first_dataid, dataid_count;
    uint32_t method_count;
    const struct hs_method *methods;
};
/* Classes by position 0..count-1, in the order of their numbers. */
HS_API size_t hs_class_count(hs_trace *trace);
HS_API const struct hs_class *hs_class_at(hs_trace *trace, size_t position);
HS_API const struct hs_class *hs_class_get(hs_trace *trace, uint32_t class_no);
HS_API const struct hs_method *hs_method_get(hs_trace *trace, uint32_t method_id);

/* ---- tables: threads ---- */

struct hs_thread {
    uint32_t thread;
    uint64_t tid;             /* Thread.threadId(); 0 unknown */
    const char *name, *group; /* "" unknown */
    bool known;               /* false: events of it were seen, its row was not */
    bool daemon, is_virtual;
    uint64_t start_ns, end_ns; /* end HS_NO_TIME while it lives */
    uint64_t object_id;        /* of the Thread object, 0 unknown */
    uint64_t events;
};
HS_API size_t hs_thread_count(const hs_trace *trace);
HS_API const struct hs_thread *hs_thread_at(const hs_trace *trace, size_t position);
HS_API const struct hs_thread *hs_thread_get(const hs_trace *trace, uint32_t thread);

/* ---- marks ---- */

/* An interval that was given a name while the program ran (`hindsight mark`). Intervals nest and overlap, and one name
 * may have several. Inside are the `events` events from seq `first` on, of all threads. */
struct hs_mark {
    const char *name;
    uint64_t first, events; /* without events, `first` is the seq of the next event after it */
    /* since the start; end HS_NO_TIME: nobody ended it, it reaches to the end of the trace */
    uint64_t begin_ns, end_ns;
};
/* All marks in the order in which they began. Lives until hs_close. */
HS_API int hs_marks(hs_trace *trace, const struct hs_mark **out, size_t *count, struct hs_error *error);

/* ---- recordings in parts ---- */

/* What was recorded when logstart= and logend= say which stretches of the run are kept: `events` events from seq
 * `first` on, of all threads (0 and 0 in formats without a stream). What lies between two intervals is not known: calls
 * that were open may have been left, others entered. */
struct hs_interval {
    uint64_t first, events;
    uint64_t begin_ns, end_ns; /* since the start; end HS_NO_TIME: nobody ended it */
    /* of the events that began and ended it; UINT32_MAX: recording began, or stopped */
    uint32_t start_dataid, end_dataid;
    uint32_t start_thread, end_thread;
};
HS_API size_t hs_interval_count(const hs_trace *trace);
HS_API int hs_interval_at(hs_trace *trace, size_t position, struct hs_interval *out, struct hs_error *error);

/* The counts, last values and times of formats without a stream as they were at one moment (logsave=, freeze=). */
enum hs_snapshot_kind { HS_SNAPSHOT_INTERVAL, HS_SNAPSHOT_THROW, HS_SNAPSHOT_UNCAUGHT };
struct hs_snapshot {
    uint32_t number; /* from 1 */
    enum hs_snapshot_kind kind;
    bool saved;   /* false: format omni, where the stream has it all */
    uint64_t seq; /* events before this one had happened; HS_NO_SEQ without a stream */
    uint64_t ns, stamp;
    uint32_t thread;
    uint32_t interval; /* INTERVAL: its position */
    uint32_t object;   /* THROW, UNCAUGHT: id of the exception, 0 not known */
    const char *type;  /* its type as in Java source, or "" */
};
HS_API size_t hs_snapshot_count(const hs_trace *trace);
HS_API int hs_snapshot_at(hs_trace *trace, size_t position, struct hs_snapshot *out, struct hs_error *error);
/* From now on hs_count_dataids, hs_latest_open and hs_costs answer from that snapshot; 0: from the end of the recording
 * again. */
HS_API int hs_use_snapshot(hs_trace *trace, uint32_t number, struct hs_error *error);

/* ---- objects ---- */

struct hs_object {
    uint32_t id;
    uint32_t class_id; /* object id of its class object; 0 unknown */
    const char *type;  /* as in Java source; NULL unknown */
    bool has_string;   /* a string whose content was recorded */
    bool latin1;       /* data is ISO 8859-1, else UTF-16 little-endian */
    bool cut;          /* data is only the beginning */
    uint64_t length;   /* of the whole string, in UTF-16 units */
    const void *data;
    size_t data_bytes;
};
HS_API const struct hs_object *hs_object_get(hs_trace *trace, uint32_t id);
/* Walks all objects by rising id: the first one after `id` (0 to begin). 1, 0 at the end, -1. */
HS_API int hs_object_next(hs_trace *trace, uint32_t id, const struct hs_object **object, struct hs_error *error);

/* Does the recorded content of a string hold this UTF-8 text? */
HS_API bool hs_string_contains(const struct hs_object *object, const char *text);

struct hs_type {
    uint32_t id;      /* of the class object */
    const char *name; /* as in Java source */
    /* number of its class loader, 0 the boot loader; with the name it says which class it is (hs_class) */
    uint64_t loader;
    uint32_t access;
};
HS_API size_t hs_type_count(const hs_trace *trace);
HS_API const struct hs_type *hs_type_at(const hs_trace *trace, size_t position);
HS_API const struct hs_type *hs_type_get(const hs_trace *trace, uint32_t class_id);

/* The recorder's coarse clock: ns since the start at a stamp, interpolated; HS_NO_TIME if the trace has no clock. */
HS_API uint64_t hs_clock_ns(hs_trace *trace, uint64_t stamp);
/* Times between two events below this are not known: 1 if every event has a clock value, else two ticks of the coarse
 * clock (an event may lie anywhere between two); HS_NO_TIME if the trace has no clock. */
HS_API uint64_t hs_clock_resolution_ns(hs_trace *trace);

/* ---- exceptions, lives, costs ---- */

struct hs_stack_frame {
    const char *class_name, *method, *file; /* file "" unknown */
    int32_t line;                           /* -1 unknown */
    bool native;
};
/* What a Throwable held when it was recorded. */
struct hs_thrown {
    uint32_t id;
    const char *message; /* NULL: null */
    uint64_t cause;      /* object id, 0 none */
    const uint64_t *suppressed;
    size_t suppressed_count;
    bool has_stack;                      /* false: the stack trace was not recorded */
    const struct hs_stack_frame *frames; /* innermost first */
    size_t frame_count;
};
/* NULL if its contents were not recorded. Lives until hs_close. */
HS_API const struct hs_thrown *hs_thrown_get(hs_trace *trace, uint32_t id);

/* The way of one exception, as far as events tell. */
enum { HS_EXITS_MAX = 64 };
struct hs_exception {
    uint32_t id;
    /* seq of the first event that shows it on its way: METHOD_THROW, or the first catch or exit */
    uint64_t thrown;
    uint64_t caught; /* seq of the CATCH that ended its way; HS_NO_SEQ: none did */
    bool swallowed;  /* nothing has shown it since it was caught, nor is it cause of or suppressed by another */
    uint64_t left;   /* frames that it left */
    uint64_t exits[HS_EXITS_MAX]; /* seqs of METHOD_EXCEPTIONAL_EXIT, the first ones */
};
/* The exceptions by the seq at which they were thrown; the first ones are there soon if the trace has its index, else
 * the open reads all events. What next gives lives until the next step. */
typedef struct hs_exception_cursor hs_exception_cursor;
HS_API int hs_exceptions_open(hs_trace *trace, hs_exception_cursor **out, struct hs_error *error);
HS_API void hs_exceptions_close(hs_exception_cursor *cursor); /* NULL is allowed */
HS_API int hs_exceptions_next(hs_exception_cursor *cursor, const struct hs_exception **exception,
                              struct hs_error *error);
/* All of them at once; the answer lives until hs_close. */
HS_API int hs_exceptions(hs_trace *trace, const struct hs_exception **out, size_t *count, struct hs_error *error);

/* First and last event that show each object. Reads all events. */
typedef struct hs_lives hs_lives;
HS_API int hs_lives_open(hs_trace *trace, hs_lives **out, struct hs_error *error);
HS_API void hs_lives_close(hs_lives *lives);
/* false: no event shows it */
HS_API bool hs_lives_get(const hs_lives *lives, uint32_t id, uint64_t *first, uint64_t *last);
/* The same of one object, from the index: 1, 0 if no event shows it, -1. */
HS_API int hs_life(hs_trace *trace, uint32_t id, uint64_t *first, uint64_t *last, struct hs_error *error);

/* What the calls of a method took. Without a clock per event times are those of the coarse clock: of what is below
 * hs_clock_resolution_ns nothing is known but that it is. A method's total counts nested calls of itself once. Calls
 * that were not left count, but without time. */
struct hs_cost {
    uint32_t method_id;
    uint64_t calls, exceptions; /* entries; exits by an exception */
    uint64_t left;              /* calls with a time */
    uint64_t total_ns, self_ns, min_ns, max_ns;
    uint64_t histogram[64]; /* calls that took [2^i, 2^(i+1)) ns; [0]: 0 and 1 */
};
/* One per method that was entered, by method id. With a stream it asks the index, or reads all METHOD_ENTRY and exits;
 * format=timing has counted them. Free *out with free(). */
HS_API int hs_costs(hs_trace *trace, struct hs_cost **out, size_t *count, struct hs_error *error);
/* Of the events from seq `from` to `to` only, both inclusive: calls that began there; those that were not left there
 * have no time. Reads all METHOD_ENTRY and exits between. */
HS_API int hs_costs_between(hs_trace *trace, uint64_t from, uint64_t to, struct hs_cost **out, size_t *count,
                            struct hs_error *error);

/* ---- the tree of calls ----
 *
 * The calls of a thread in the order of their entries, each with its depth: what it called follows it, one deeper.
 * Loops are folded: when calls beside each other come again in the same order, the first ones stay and are counted.
 * Needs events of EXEC. */

/* calls of one method that call the same are equal; how often loops ran does not matter */
enum hs_fold {
    HS_FOLD_SHAPE,
    /* also, what a call called is kept only the first time that any call is equal to it: `like` */
    HS_FOLD_ONCE,
    HS_FOLD_EQUAL, /* as SHAPE, with equal values too */
    HS_FOLD_NONE
};
struct hs_value {
    uint64_t bits;
    char kind; /* as in struct hs_event; 0: there is none */
};
/* This call and the next ones beside it, `calls` in all, were made in this order `times` times. */
struct hs_repeat {
    uint32_t calls;
    uint64_t times;
};
struct hs_call {
    uint64_t seq;
    uint32_t dataid;                 /* of its METHOD_ENTRY */
    uint32_t depth;                  /* 0 is outermost */
    uint64_t calls;                  /* that it made directly, all of them */
    uint64_t times;                  /* it was made this often in a row, or in the same place of a loop */
    const struct hs_repeat *repeats; /* of two calls and more; the shortest first */
    size_t repeat_count;
    struct hs_value receiver, result;
    const struct hs_value *arguments;
    uint32_t argument_count;
    /* it called what the call with this seq did, which is not kept again; HS_NO_SEQ: it is kept */
    uint64_t like;
    bool left, threw;   /* it was left; by an exception */
    uint64_t exception; /* object id */
};
struct hs_tree_want {
    size_t size; /* sizeof(struct hs_tree_want) */
    uint32_t thread;
    uint64_t from, to; /* seq, both inclusive */
    uint32_t depth;    /* deeper calls are not kept, but count and are compared */
    enum hs_fold fold;
    uint64_t open_at; /* calls open at this event come first; HS_NO_SEQ: none do */
    size_t max;       /* calls kept at most */
    /* of a cursor: events of the thread that it looks at before it gives the first calls; 0: 2^20 */
    uint64_t ahead;
};
#define HS_TREE_ALL                                                                                                    \
    {                                                                                                                  \
        .size = sizeof(struct hs_tree_want), .to = UINT64_MAX, .depth = UINT32_MAX, .open_at = HS_NO_SEQ,              \
        .max = SIZE_MAX                                                                                                \
    }
struct hs_tree {
    const struct hs_call *calls;
    size_t count;
    bool cut; /* there were more than `max` */
};
HS_API int hs_tree_open(hs_trace *trace, const struct hs_tree_want *want, const struct hs_tree **out,
                        struct hs_error *error);
HS_API void hs_tree_close(const struct hs_tree *tree); /* NULL is allowed */
/* The same call by call, without `max`: the first ones are there soon, and what was given is not kept. For that loops
 * are cut where the thread has had `ahead` events, then after twice as many, and so on: what a loop calls behind a cut
 * is shown, folded and counted anew. What next gives lives until the next step. */
typedef struct hs_tree_cursor hs_tree_cursor;
HS_API int hs_tree_cursor_open(hs_trace *trace, const struct hs_tree_want *want, hs_tree_cursor **out,
                               struct hs_error *error);
HS_API void hs_tree_cursor_close(hs_tree_cursor *cursor); /* NULL is allowed */
HS_API int hs_tree_cursor_next(hs_tree_cursor *cursor, const struct hs_call **call, struct hs_error *error);

/* What a call did, step by step, with its loops folded: the methods it called, or the basic blocks it went through. */
enum hs_path_kind {
    HS_PATH_CALLS, /* steps are method ids; needs EXEC */
    HS_PATH_BLOCKS
}; /* steps are data IDs of LABEL and CATCH_LABEL; needs EXEC and LABEL */
/* `steps` steps from `first` on, `times` times; nested ones behind those around them. */
struct hs_path_repeat {
    uint32_t first, steps;
    uint64_t times;
};
struct hs_path {
    uint32_t method_id;
    bool threw; /* left by an exception */
    /* that took this path, up to how often its loops ran; steps and repeats are those of the first */
    uint64_t calls;
    const uint32_t *steps;
    size_t step_count;
    const struct hs_path_repeat *repeats;
    size_t repeat_count;
};
struct hs_paths {
    const struct hs_path *paths; /* by method id, those of most calls first */
    size_t count;
};
/* The distinct paths of all calls that were left. Reads all events of entries, exits and labels. */
HS_API int hs_paths_open(hs_trace *trace, enum hs_path_kind kind, const struct hs_paths **out, struct hs_error *error);
/* Of the events from seq `from` to `to` only, both inclusive: calls that began and were left there. */
HS_API int hs_paths_open_between(hs_trace *trace, enum hs_path_kind kind, uint64_t from, uint64_t to,
                                 const struct hs_paths **out, struct hs_error *error);
HS_API void hs_paths_close(const struct hs_paths *paths); /* NULL is allowed */

/* ---- features ----
 *
 * A feature is a name that was marked: its events are those inside any of the marks of that name. Its methods are those
 * entered inside. */

struct hs_feature {
    const char *name;
    uint64_t marks;                    /* intervals of that name */
    uint64_t first, last;              /* seq of its first and last event; HS_NO_SEQ without events */
    uint64_t events, calls;            /* events inside; of them METHOD_ENTRY */
    uint64_t objects, created;         /* objects that its events show; of all objects, those made inside */
    const uint32_t *methods, *classes; /* method ids and class numbers of what was entered inside, rising */
    size_t method_count, class_count;
    uint64_t unended; /* of the marks, those that nobody ended: they go to the end of the trace */
};
/* How a method belongs to features: to one; to less than half of them; to half or more; to all (of more than one). */
enum hs_affinity { HS_SINGLE, HS_LOW, HS_HIGH, HS_INFRASTRUCTURAL };
struct hs_feature_method {
    uint32_t method_id;
    enum hs_affinity affinity;
    const uint32_t *features; /* positions in the list of features, rising */
    size_t feature_count;
};
/* Objects made in one feature (and not in the other) and shown by events of the other. Made means: woven code allocated
 * it; where is its first event. */
struct hs_feature_flow {
    uint32_t from, to; /* positions in the list of features */
    uint64_t objects;
    const struct hs_feature_type {
        uint32_t class_id; /* object id of the class object, 0 unknown */
        uint64_t objects;
    } * types; /* most objects first */
    size_t type_count;
};
struct hs_features {
    const struct hs_feature *features;       /* in the order in which they were first marked */
    const struct hs_feature_method *methods; /* those of any feature, by method id */
    const struct hs_feature_flow *flows;     /* by from, to; only those with objects */
    size_t feature_count, method_count, flow_count;
};
/* Reads all events, once. */
HS_API int hs_features_open(hs_trace *trace, const struct hs_features **out, struct hs_error *error);
HS_API void hs_features_close(const struct hs_features *features); /* NULL is allowed */
/* Methods that both have, divided by methods that either has (Jaccard); 0 if neither has any. */
HS_API double hs_feature_similarity(const struct hs_feature *a, const struct hs_feature *b);

/* The trace as a signal: calls and depth of calls over its course, cut into `buckets` pieces of equal width. */
enum { HS_BUCKETS_MAX = 100000 };
struct hs_signal {
    const char *feature;   /* NULL: the whole trace */
    const uint64_t *calls; /* METHOD_ENTRY per bucket; of a feature: those inside */
    const uint32_t *depth; /* of the deepest of them in its thread, 1 is outermost; 0 none */
};
struct hs_signals {
    bool by_time; /* widths are ns since the start, else seq */
    uint64_t width;
    size_t buckets, count;
    const struct hs_signal *signals; /* of the whole trace, then of the features in the order of hs_features */
};
/* Reads all entries and exits. */
HS_API int hs_signals_open(hs_trace *trace, size_t buckets, bool by_time, const struct hs_signals **out,
                           struct hs_error *error);
HS_API void hs_signals_close(const struct hs_signals *signals); /* NULL is allowed */

/* ---- consistency ---- */

struct hs_violation {
    const char *rule; /* a row of reader/fsck/rules.def */
    uint64_t seq;     /* the event that breaks it; HS_NO_SEQ: no event does */
    const char *what; /* one sentence */
};
struct hs_fsck_result {
    uint64_t events, checked, violations; /* checked: single proofs that were made */
};
/* the violation lives for the call */
typedef void hs_violation_fn(void *context, const struct hs_violation *violation);
/* Proves the whole trace consistent, reading all of it; tells each violation as it is found. 0 also when there are
 * some. */
HS_API int hs_fsck(hs_trace *trace, hs_violation_fn *tell, void *context, struct hs_fsck_result *out,
                   struct hs_error *error);
/* The rules by position: name and sentence; NULL behind the last. */
HS_API const char *hs_fsck_rule(size_t position, const char **sentence);

/* ---- the index ---- */

/* Questions about state, history and causes, and cursors with a filter on data IDs or an object, are answered from all
 * chunks, or faster with an index: the file `index` in the trace directory, derived data that can be deleted at any
 * time. The questions build what is missing when the trace is large; cursors only use what is there. */
struct hs_index_info {
    uint64_t chunks, indexed; /* chunks of the trace, and those that the index covers */
    uint64_t bytes;
    bool kept; /* a file; else in memory until hs_close, as the directory cannot be written */
};
HS_API void hs_index_info(hs_trace *trace, struct hs_index_info *out);
/* Builds what is missing. It may be interrupted; the next call goes on where it was. */
HS_API int hs_index_build(hs_trace *trace, struct hs_error *error);

/* ---- state at a moment ----
 *
 * "At seq" means just after that event. What the trace does not tell is absent, never guessed. Answers live until the
 * next question of the same kind. */

/* The event `seq` itself. */
HS_API int hs_event_at(hs_trace *trace, uint64_t seq, struct hs_event *out, struct hs_error *error);

struct hs_variable {
    const char *name; /* "#3" for slot 3 where the class has no names */
    uint32_t slot;
    char kind; /* as in struct hs_event */
    uint64_t value;
    uint64_t position; /* of the event that wrote it, in its thread */
};
/* A monitor that a frame holds; entered twice, it is there twice. */
struct hs_monitor {
    uint64_t object; /* object id */
    /* seq of MONITOR_ENTER_RESULT, or of METHOD_ENTRY if it is that of a synchronized method; HS_NO_SEQ unknown */
    uint64_t entered;
};
struct hs_frame {
    uint32_t method_id, thread;
    uint32_t pc;      /* of its latest event */
    int32_t line;     /* -1 unknown */
    uint64_t entered; /* seq of its METHOD_ENTRY; HS_NO_SEQ: before the recording */
    bool has_this;
    uint64_t self; /* object id */
    size_t parameter_count, local_count;
    const struct hs_variable *parameters; /* as passed */
    const struct hs_variable *locals;     /* alive at pc; parameters only if they were written since */
    size_t monitor_count;
    /* as they were entered; held also while its thread waits for a notification */
    const struct hs_monitor *monitors;
};
/* The call stack of the thread of event `seq`, innermost first. */
HS_API int hs_frames_at(hs_trace *trace, uint64_t seq, const struct hs_frame **frames, size_t *count,
                        struct hs_error *error);

/* An object was given to code that is not woven, which may have written it unseen. */
struct hs_handover {
    /* of the last CALL (as receiver), CALL_PARAM or METHOD_NORMAL_EXIT that did; HS_NO_SEQ: none did */
    uint64_t seq;
    uint32_t dataid; /* of the CALL, or of the METHOD_NORMAL_EXIT */
};
struct hs_member {
    /* "a.b.Declaring.field", with ":type" behind it where that class has several fields of the name; NULL for elements
     */
    const char *name;
    uint64_t index; /* of an element */
    char kind;
    uint64_t value;
    struct hs_event event; /* that tells the value: the last write, or a later read */
    /* since then the object was handed to code that is not woven, which may have written it unseen */
    bool stale;
};
struct hs_object_state {
    uint32_t id;
    /* seq of NEW_OBJECT_CREATED, NEW_ARRAY_RESULT, MULTI_NEW_ARRAY...; HS_NO_SEQ: not in woven code */
    uint64_t created;
    uint32_t created_dataid;   /* the allocation site, if created */
    uint64_t first, last;      /* seq of the first and last event of it in the whole trace; HS_NO_SEQ: none */
    struct hs_handover handed; /* the last one up to the moment */
    bool has_length;           /* an array whose length is known */
    uint64_t length;
    size_t field_count, element_count;
    const struct hs_member *fields;   /* by name */
    const struct hs_member *elements; /* by index */
};
/* Fields or elements of an object at `seq` (HS_NO_SEQ: at the end), as far as writes and reads of woven code tell. */
HS_API int hs_object_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_object_state **state,
                        struct hs_error *error);
/* The last time that an object was handed over from event `from` to event `to` (both inclusive): 1, 0 it was not, -1.
 * After a write, with what follows it, it tells whether the value can still be relied on. Looks at every call with the
 * object in between. */
HS_API int hs_handed_over(hs_trace *trace, uint32_t object, uint64_t from, uint64_t to, struct hs_handover *out,
                          struct hs_error *error);

/* ---- history ----
 *
 * What is written:
 *     Class.field          of every object, or static: the field that classes of this name (a glob) declare or inherit.
 * Where they inherit it, only writes on objects of these classes count ID.field             of one object: the field
 * that its class means by the name; ID.Class.field: that a superclass does, where it is hidden ID[index]            an
 * array element Class.method:local   a local variable by name, or as #slot number               a data ID: every event
 * of it Type#ID may stand for ID. ERR_USAGE: it is none of these; ERR_NOT_FOUND: the trace has no such class, field,
 * object or variable. */

typedef struct hs_history hs_history;
struct hs_write {
    struct hs_event event; /* carries the value written; for a data ID the event itself */
    uint64_t object;       /* of an instance field or array element; 0 none, or not known */
    bool has_index;
    uint64_t index;                /* of an array element */
    const char *declaring, *field; /* of a field: the class that declares it, and its name; NULL else */
};
/* Stands before the first write. */
HS_API int hs_history_open(hs_trace *trace, const char *what, hs_history **out, struct hs_error *error);
HS_API void hs_history_close(hs_history *history);
/* The object of ID.field and ID[index], 0 of the other forms. */
HS_API uint32_t hs_history_object(const hs_history *history);
HS_API int hs_history_next(hs_history *history, const struct hs_write **write, struct hs_error *error);
HS_API int hs_history_previous(hs_history *history, const struct hs_write **write, struct hs_error *error);
HS_API int hs_history_seek(hs_history *history, uint64_t seq, struct hs_error *error);
/* The last write before event `seq`: 1, 0 there is none, -1. */
HS_API int hs_last_write(hs_trace *trace, const char *what, uint64_t seq, struct hs_write *write,
                         struct hs_error *error);

/* ---- causes ---- */

struct hs_cause {
    struct hs_event event;
    const char *because; /* where its value comes from, a phrase */
    /* why the chain ends here ("constant", "new object", "native", ...); NULL if it goes on */
    const char *end;
    size_t operand_count;     /* of a computed value: events that gave its operands; the chain follows the first */
    const uint64_t *operands; /* seq */
};
/* The chain back from the value of event `seq`, newest first, of at most `max` events (0: 1000). */
HS_API int hs_why(hs_trace *trace, uint64_t seq, size_t max, const struct hs_cause **causes, size_t *count,
                  struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
