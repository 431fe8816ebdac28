/* trace.h - reading a Hindsight trace from C: the one public header of libhindsight-reader.
 *
 *     hs_trace *trace;
 *     hs_cursor *events;
 *     const struct hs_event *event;
 *     struct hs_filter filter = HS_FILTER_ALL;
 *     struct hs_error error = HS_ERROR_INIT;
 *
 *     if (hs_open("hindsight-20261120-2031-4711", HS_OPEN_READONLY, NULL, &trace, &error) != 0)
 *         return fail(error.text);
 *     filter.class_glob = "com.acme.*";
 *     if (hs_events_open(trace, &filter, &events, &error) != 0)
 *         return fail(error.text);
 *     int more;
 *     while ((more = hs_event_next(events, &event, &error)) > 0)
 *         printf("%" PRIu64 " thread %" PRIu32 "\n", event->seq, event->thread);
 *     if (more < 0)
 *         return fail(error.text);
 *     hs_cursor_close(events);
 *     hs_close(trace);
 *
 * RESULTS. A function that can fail returns 0 for success and -1 for failure. One that steps, or that may find nothing,
 * returns 1 (here it is), 0 (there is none, or no more) or -1. On -1 the out-parameters are untouched, and `*error`, if
 * it is not NULL, holds an enum hs_status and one sentence. Look-ups (hs_..._get without `error`) return NULL for what
 * the trace does not hold; a row that cannot be read counts as missing, and hs_damage reports it.
 *
 * ITERATION. Every list is read with a cursor: hs_<list>_open gives it, hs_<row>_next gives its rows one at a time, and
 * hs_cursor_close ends it. A function that is given a cursor over other rows fails with HS_ERR_USAGE.
 *
 * OWNERSHIP. The caller closes what it opened: a trace with hs_close, each cursor with hs_cursor_close, before its
 * trace. Nothing else is ever freed by the caller. Every pointer that the library gives is borrowed:
 *   - a row of a cursor, with all that it points to, lives until the next step, seek or close of that cursor;
 *     rows of the cursors marked "rows are kept" live until that cursor is closed;
 *   - a row of a table (dataid, class, method, thread, type, thrown) and the texts of the trace live until hs_close;
 *   - what a question about one thing answers (hs_object_get, hs_object_at, hs_contents_at, hs_event_at, hs_place_of,
 * hs_life_get, hs_handed_over, hs_last_write, hs_index_info, hs_fsck) lives until the same function is called again on
 * the same trace. What the caller passes in is copied where it is needed after the call.
 *
 * THREADS. A trace and its cursors belong to one thread at a time. Different handles are independent of each other,
 * also when they have opened the same directory. Functions without a handle may be called from any thread.
 *
 * VERSIONS. Handles are opaque. Structs that the library fills are allocated by it and may grow at their end in later
 * versions: never copy them by size, embed them or make arrays of them to be filled. Lists inside of them are arrays of
 * pointers (or of numbers). Structs that the caller fills begin with their size, which their initializers
 * (HS_ERROR_INIT) set and the library checks. Numbers of enums never change. A later version may add values to them.
 *
 * UNITS. `_ns` are nanoseconds since the start of the recording, sizes are bytes; seq counts events from 0. Text is
 * UTF-8 and ends with NUL; a NUL inside a name is written C0 80, a lone surrogate as its three bytes. Names come from
 * the recorded program and may hold any character: escape them before they go to a terminal. */
#ifndef READER_TRACE_H
#define READER_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HS_API __attribute__((visibility("default")))
#else
#define HS_API
#endif

typedef struct hs_trace hs_trace;
typedef struct hs_cursor hs_cursor;

/* ---- version ---- */

#define HS_VERSION        "1.0.0-rc1"
#define HS_VERSION_NUMBER 1000000 /* major * 1000000 + minor * 1000 + patch */

/* The version of the library that is running, as HS_VERSION; it may be newer than this header. */
HS_API const char *hs_version(void);
HS_API unsigned hs_version_number(void);
/* Size that the running library gives a struct of this header ("hs_event"), 0 if it has no such struct: for bindings
 * that write the structs down a second time. */
HS_API size_t hs_sizeof(const char *struct_name);

/* ---- errors ---- */

enum hs_status {
    HS_OK = 0,
    HS_ERR_MEMORY = 1,       /* out of memory */
    HS_ERR_IO = 2,           /* the system could not read or write a file */
    HS_ERR_FORMAT = 3,       /* the trace is damaged, or no trace */
    HS_ERR_LIMIT = 4,        /* larger than the format allows */
    HS_ERR_NOT_FOUND = 5,    /* the trace does not have what was requested */
    HS_ERR_EXISTS = 6,       /* it exists already */
    HS_ERR_USAGE = 7,        /* wrong argument */
    HS_ERR_STORE = 8,        /* LMDB failed */
    HS_ERR_FULL = 9,         /* the trace cannot grow any more */
    HS_ERR_UNSUPPORTED = 10, /* a trace of another version */
    HS_CANCELLED = 11        /* the progress callback requested to stop (hs_set_progress) */
};
/* What a status means, in a few words; never NULL. */
HS_API const char *hs_status_text(int status);

enum { HS_ERROR_TEXT_MAX = 512 };
/* A struct with another size than those that the library knows is left untouched. */
struct hs_error {
    size_t size;                  /* sizeof(struct hs_error) */
    enum hs_status code;          /* of the last failure that was given this struct */
    char text[HS_ERROR_TEXT_MAX]; /* one sentence: what, where, why; no newline at its end */
};
#define HS_ERROR_INIT                                                                                                  \
    {                                                                                                                  \
        .size = sizeof(struct hs_error)                                                                                \
    }

/* ---- closed lists ---- */

/* What happened: numbers of event types. `hindsight events` explains each. */
enum hs_event_type {
    HS_EVENT_METHOD_ENTRY = 1,
    HS_EVENT_METHOD_PARAM = 2,
    HS_EVENT_METHOD_NORMAL_EXIT = 3,
    HS_EVENT_METHOD_EXCEPTIONAL_EXIT = 4,
    HS_EVENT_METHOD_OBJECT_INITIALIZED = 5,
    HS_EVENT_METHOD_THROW = 6,
    HS_EVENT_CALL = 7,
    HS_EVENT_CALL_PARAM = 8,
    HS_EVENT_CALL_RETURN = 9,
    HS_EVENT_NEW_OBJECT = 10,
    HS_EVENT_NEW_OBJECT_CREATED = 11,
    HS_EVENT_INVOKE_DYNAMIC = 12,
    HS_EVENT_INVOKE_DYNAMIC_PARAM = 13,
    HS_EVENT_INVOKE_DYNAMIC_RESULT = 14,
    HS_EVENT_GET_INSTANCE_FIELD = 15,
    HS_EVENT_GET_INSTANCE_FIELD_RESULT = 16,
    HS_EVENT_GET_STATIC_FIELD = 17,
    HS_EVENT_PUT_INSTANCE_FIELD = 18,
    HS_EVENT_PUT_INSTANCE_FIELD_VALUE = 19,
    HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION = 20,
    HS_EVENT_PUT_STATIC_FIELD = 21,
    HS_EVENT_ARRAY_LOAD = 22,
    HS_EVENT_ARRAY_LOAD_INDEX = 23,
    HS_EVENT_ARRAY_LOAD_RESULT = 24,
    HS_EVENT_ARRAY_STORE = 25,
    HS_EVENT_ARRAY_STORE_INDEX = 26,
    HS_EVENT_ARRAY_STORE_VALUE = 27,
    HS_EVENT_NEW_ARRAY = 28,
    HS_EVENT_NEW_ARRAY_RESULT = 29,
    HS_EVENT_MULTI_NEW_ARRAY = 30,
    HS_EVENT_MULTI_NEW_ARRAY_OWNER = 31,
    HS_EVENT_MULTI_NEW_ARRAY_ELEMENT = 32,
    HS_EVENT_ARRAY_LENGTH = 33,
    HS_EVENT_ARRAY_LENGTH_RESULT = 34,
    HS_EVENT_MONITOR_ENTER = 35,
    HS_EVENT_MONITOR_ENTER_RESULT = 36,
    HS_EVENT_MONITOR_EXIT = 37,
    HS_EVENT_OBJECT_CONSTANT_LOAD = 38,
    HS_EVENT_OBJECT_INSTANCEOF = 39,
    HS_EVENT_OBJECT_INSTANCEOF_RESULT = 40,
    HS_EVENT_LOCAL_LOAD = 41,
    HS_EVENT_LOCAL_STORE = 42,
    HS_EVENT_LOCAL_INCREMENT = 43,
    HS_EVENT_RET = 44,
    HS_EVENT_LABEL = 45,
    HS_EVENT_CATCH_LABEL = 46,
    HS_EVENT_CATCH = 47,
    HS_EVENT_LINE_NUMBER = 48,
    HS_EVENT_JUMP = 49,
    HS_EVENT_DIVIDE = 50,
    HS_EVENT_RESERVED = 51,
    HS_EVENT_EVENTS_LEFT_OUT = 52,
};

/* Groups of event types that are chosen with weave=; bit numbers of hs_method.groups. */
enum hs_group {
    HS_GROUP_EXEC = 0,   /* method entry and exit, object initialized, throw */
    HS_GROUP_CALL = 1,   /* calls, their results, object creation, invokedynamic */
    HS_GROUP_PARAM = 2,  /* parameters of methods (with EXEC) and arguments of calls (with CALL) */
    HS_GROUP_FIELD = 3,  /* reads and writes of fields */
    HS_GROUP_ARRAY = 4,  /* array loads, stores, creation, length */
    HS_GROUP_OBJECT = 5, /* constants that are objects, instanceof */
    HS_GROUP_SYNC = 6,   /* monitor enter and exit */
    HS_GROUP_LOCAL = 7,  /* loads, stores and increments of local variables */
    HS_GROUP_LABEL = 8,  /* control flow: starts of basic blocks and of exception handlers */
    HS_GROUP_LINE = 9,   /* entries of the line number table */
};

/* What the 64 bits of a value stand for: the letter of the descriptor where there is one. */
enum hs_kind {
    HS_KIND_VOID = 'V',    /* no value */
    HS_KIND_BOOLEAN = 'Z', /* 0 false, anything else true */
    HS_KIND_BYTE = 'B',    /* sign-extended to 64 bits */
    HS_KIND_CHAR = 'C',    /* UTF-16 code unit, zero-extended */
    HS_KIND_SHORT = 'S',   /* sign-extended to 64 bits */
    HS_KIND_INT = 'I',     /* sign-extended to 64 bits */
    HS_KIND_LONG = 'J',    /* as it is */
    HS_KIND_FLOAT = 'F',   /* raw IEEE 754 bits, zero-extended from 32 bits; NaN payloads survive */
    HS_KIND_DOUBLE = 'D',  /* raw IEEE 754 bits */
    HS_KIND_REF = 'L',     /* object id, 0 is null */
    HS_KIND_PC = 'P',      /* offset in the original Code attribute */
};

/* ---- a trace ---- */

enum hs_open_flags {
    /* Nothing in the directory is written, made or changed: no index is stored, only one in memory, and LMDB's lock
     * file is not used (so a recording that is running may make a read fail, which hs_damage reports). */
    HS_OPEN_READONLY = 1
};
struct hs_open_options {
    size_t size;   /* sizeof(struct hs_open_options) */
    bool no_index; /* questions build no index by themselves; hs_index_build still does */
    /* What hs_dir returns and messages name, if `dir` is a copy of a trace that is there; NULL: `dir`. Options without
     * this member (their size tells) are accepted. The copy may be removed once it is open with HS_OPEN_READONLY. */
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

/* ---- cursors ---- */

/* Ends a cursor; NULL is allowed. */
HS_API void hs_cursor_close(hs_cursor *cursor);
/* Puts a cursor before its first row at or behind a position: the seq of events and writes, the id of objects and
 * lives, the number of the row from 0 on in lists whose rows are kept. HS_ERR_USAGE: this cursor only goes forward. */
HS_API int hs_cursor_seek(hs_cursor *cursor, uint64_t position, struct hs_error *error);
/* Rows in a list whose rows are kept; UINT64_MAX for other cursors, which find their rows as they go. */
HS_API uint64_t hs_cursor_count(const hs_cursor *cursor);

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
    char kind;         /* enum hs_kind: of its data ID; BOOLEAN of elements of boolean[], which have BYTE there */
    uint64_t position; /* events of its thread that lie before it */
};

/* A conjunction: an event passes if it satisfies every field that is set. */
struct hs_filter {
    size_t size;             /* sizeof(struct hs_filter) */
    uint64_t from, to;       /* seq, both inclusive */
    const uint32_t *threads; /* thread numbers; NULL: all */
    size_t thread_count;
    const unsigned *events; /* enum hs_event_type; NULL: all */
    size_t event_count;
    const char *class_glob;  /* as hs_class_matches: a.b.*, Outer$Inner, Outer.Inner, Inner */
    const char *method_glob; /* as hs_method_matches: get*, put(String, int), put(Ljava/lang/String;I)V */
    uint32_t object;         /* the value is a reference to this object; 0: any */
    const char *value;       /* the value is this: 42, 0x2a, -1.5, NaN, true, null, 'x', "text", "text"#12, Type#12 */
    const char *text;        /* the value is a string that contains this */
};
#define HS_FILTER_ALL                                                                                                  \
    {                                                                                                                  \
        .size = sizeof(struct hs_filter), .to = UINT64_MAX                                                             \
    }

/* The events that pass, in the global order. The filter may be NULL: all. The cursor stands between events: next gives
 * the one behind it, previous the one before it. It begins before `from` and never leaves from..to. A seek costs a few
 * chunks, not a scan. HS_ERR_USAGE: the filter cannot be understood. */
HS_API int hs_events_open(hs_trace *trace, const struct hs_filter *filter, hs_cursor **out, struct hs_error *error);
HS_API int hs_event_next(hs_cursor *cursor, const struct hs_event **event, struct hs_error *error);
HS_API int hs_event_previous(hs_cursor *cursor, const struct hs_event **event, struct hs_error *error);
/* The event `seq` itself. HS_ERR_NOT_FOUND: the stream is shorter. */
HS_API int hs_event_at(hs_trace *trace, uint64_t seq, const struct hs_event **event, struct hs_error *error);

/* The instruction at which an event stands. */
struct hs_place {
    uint32_t pc;
    int32_t line; /* -1 unknown */
    /* It can be one of several instructions: `pc` is the first of them, `line` is known if all of them are in it. */
    bool unsure;
    const char *file; /* as in struct hs_dataid */
};
/* Where an event stands: at the instruction of its data ID, but METHOD_EXCEPTIONAL_EXIT, whose data ID stands behind
 * the code, at the instruction that threw. */
HS_API int hs_place_of(hs_trace *trace, const struct hs_event *event, const struct hs_place **place,
                       struct hs_error *error);
/* Of METHOD_THROW, METHOD_EXCEPTIONAL_EXIT and CATCH: the instruction of its method that threw, or that called what
 * threw. */
HS_API int hs_thrown_at(hs_trace *trace, const struct hs_event *event, const struct hs_place **place,
                        struct hs_error *error);

/* The filter's rules for names, for callers that walk tables. A NULL glob matches everything. The name or glob is
 * compared with the whole name of the class (a.b.Outer$Inner), and without dots also with the name behind the package
 * (Outer$Inner) and with the own name of a nested class (Inner). Dots may stand for `$`, as in Java source. A method is
 * compared by its name; with a "(" by the name and the parameters as in Java source, or by the name and descriptor. */
HS_API bool hs_class_matches(const char *glob, const char *class_name);
HS_API bool hs_method_matches(const char *glob, const char *name, const char *desc);

/* "METHOD_ENTRY" of HS_EVENT_METHOD_ENTRY; NULL for a number that stands for no event type. */
HS_API const char *hs_event_name(unsigned event);
/* And back; 0: there is no such event type. */
HS_API unsigned hs_event_number(const char *name);

/* Events recorded per data ID, counts[hs_dataid_count], in any format; and, if not NULL, the bytes that they take in
 * the chunks of the stream, bytes[hs_dataid_count]: what each has put into the columns of a chunk, of which
 * the compressed bytes are shared out in that proportion, and those of its head by events. They add up to the sizes of
 * all chunks. Reads all chunks that are not in the index. */
HS_API int hs_count_dataids(hs_trace *trace, uint64_t *counts, double *bytes, struct hs_error *error);

/* The last events of data IDs: what format=latest kept, or the last 32 of a stream. Their `seq` counts the events known
 * to lie before, so it orders those of all data IDs as the stream would; with one thread it is the place in the stream.
 * The cursor is empty until data IDs were read and one of them was selected. */
HS_API int hs_latest_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
/* Finds the last events of these data IDs, which rise. A few are found soon, many in one pass over the trace.
 * `numbered`: with their seq; of format=latest that takes a look at what was kept of all data IDs, without it seq is
 * HS_NO_SEQ there. */
HS_API int hs_latest_read(hs_cursor *latest, const uint32_t *dataids, size_t n, bool numbered, struct hs_error *error);
/* hs_event_next goes on with the `*count` last events of one of the data IDs that were read, oldest first. */
HS_API int hs_latest_select(hs_cursor *latest, uint32_t dataid, size_t *count, struct hs_error *error);

/* The last events of all data IDs in one order, each with the stack of its thread as far as the kept entries and exits
 * prove it. */
struct hs_recent {
    const struct hs_event *event;
    /* Calls that are open at the event, outermost first; others may be open between them. The last one is that of the
     * event; `entered` is the seq of its METHOD_ENTRY, HS_NO_SEQ if that was not kept. */
    const uint32_t *methods; /* method ids */
    const uint64_t *entered;
    size_t frame_count;
};
/* By rising seq, of the selected snapshot (hs_use_snapshot). A seek is to a seq. A row lives until the next step. */
HS_API int hs_recents_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_recent_next(hs_cursor *cursor, const struct hs_recent **row, struct hs_error *error);

/* ---- tables: data IDs, classes, methods ---- */

enum hs_attr_type { HS_ATTR_INT = 0, HS_ATTR_TEXT = 1, HS_ATTR_BOOL = 2 };
struct hs_attr {
    const char *name;
    enum hs_attr_type type;
    int64_t number;   /* INT, BOOL */
    const char *text; /* TEXT */
};
struct hs_dataid {
    uint32_t dataid;
    unsigned event; /* enum hs_event_type */
    char kind;      /* enum hs_kind */
    bool joined;    /* stands in one instruction with the data ID before it */
    uint32_t class_no, method_id;
    uint32_t pc;
    int32_t line; /* -1: the class has none */
    uint32_t attr_count;
    const struct hs_attr *const *attrs;
    /* The file that `line` is in, below the roots of sources (a/b/Util.kt); NULL: the source_file of the class. A class
     * with a SourceDebugExtension (JSR-45) names it, where its code was made from other files: inlined functions of
     * Kotlin, JSP, templates. `line` is then a line of that file, in the default stratum. */
    const char *file;
    int32_t table_line; /* the line in LineNumberTable, as the JVM has it */
};
/* Data IDs are numbers from 0 to below this. Classes that were woven again have new ones in the trace, but every answer
 * has the first one of a place: hs_dataid_get gives NULL for others, and where there is no row. */
HS_API uint32_t hs_dataid_count(const hs_trace *trace);
HS_API const struct hs_dataid *hs_dataid_get(hs_trace *trace, uint32_t dataid);

enum hs_class_state { HS_CLASS_WOVEN = 0, HS_CLASS_FILTERED = 1, HS_CLASS_GIVEN_UP = 2 };
struct hs_method {
    uint32_t method_id, class_no;
    const char *name, *desc;
    uint32_t access, code_length;
    uint64_t hash;
    uint32_t groups;    /* bit 1 << HS_GROUP_... per group woven */
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
    const struct hs_method *const *methods;
};
/* Classes in the order of their numbers; rows are kept. A class that was woven several times, from one class file and
 * with the same groups, is one row. */
HS_API int hs_classes_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_class_next(hs_cursor *cursor, const struct hs_class **row, struct hs_error *error);
HS_API size_t hs_class_count(hs_trace *trace);
HS_API const struct hs_class *hs_class_get(hs_trace *trace, uint32_t class_no);
HS_API const struct hs_method *hs_method_get(hs_trace *trace, uint32_t method_id);
/* The method with the body of the lambda that events of this data ID make, an INVOKE_DYNAMIC_RESULT. NULL: they make
 * none, or that is not known; a reference to a method has it in its attributes. */
HS_API const struct hs_method *hs_lambda_body(hs_trace *trace, uint32_t dataid);
/* The object that a class is, whose monitor its static synchronized methods enter; 0: no event showed it. */
HS_API uint32_t hs_class_object(hs_trace *trace, const struct hs_class *c);
/* The class that declares the field of an instruction (JVMS 5.4.3.2), by the data ID of an event that reads or writes
 * one; NULL: it is no such event. Lives until hs_close. */
HS_API const char *hs_field_declaring(hs_trace *trace, uint32_t dataid);
/* Field `number` of those that the woven class of that name and loader (else of another loader) declares itself, from 0
 * on; NULL: it has no more. Lives until hs_close. */
struct hs_field {
    const char *name, *type; /* type as in Java source */
    bool is_static, is_final;
};
HS_API const struct hs_field *hs_field_get(hs_trace *trace, const char *class_name, uint64_t loader, size_t number);
/* The superclass of the class of that name and loader (else of another loader); NULL: it has none, or it is not known.
 * Lives until hs_close. */
HS_API const char *hs_class_super(hs_trace *trace, const char *name, uint64_t loader);
/* The woven class of that name and loader (else of another loader); NULL: there is none. */
HS_API const struct hs_class *hs_class_find(hs_trace *trace, const char *name, uint64_t loader);

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
/* Threads in the order of their numbers; rows are kept. */
HS_API int hs_threads_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_thread_next(hs_cursor *cursor, const struct hs_thread **row, struct hs_error *error);
HS_API size_t hs_thread_count(const hs_trace *trace);
HS_API const struct hs_thread *hs_thread_get(const hs_trace *trace, uint32_t thread);

/* ---- marks ---- */

/* An interval that was given a name while the program ran (`hindsight mark`). Intervals nest and overlap, and one name
 * may have several. Inside are the `events` events from seq `first` on, of all threads. */
struct hs_mark {
    const char *name;
    uint64_t first, events; /* without events, `first` is the seq of the next event after it */
    /* since the start; end HS_NO_TIME: not ended: it reaches to the end of the trace */
    uint64_t begin_ns, end_ns;
};
/* All marks in the order in which they began; rows are kept. */
HS_API int hs_marks_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_mark_next(hs_cursor *cursor, const struct hs_mark **row, struct hs_error *error);

/* ---- recordings in parts ---- */

/* What was recorded when logstart= and logend= say which stretches of the run are kept: `events` events from seq
 * `first` on, of all threads (0 and 0 in formats without a stream). What lies between two intervals is not known: calls
 * that were open may have been left, others entered. */
struct hs_interval {
    uint64_t first, events;
    uint64_t begin_ns, end_ns; /* since the start; end HS_NO_TIME: not ended */
    /* of the events that began and ended it; UINT32_MAX: recording began, or stopped */
    uint32_t start_dataid, end_dataid;
    uint32_t start_thread, end_thread;
};
/* The intervals in their order; rows are kept. */
HS_API int hs_intervals_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_interval_next(hs_cursor *cursor, const struct hs_interval **row, struct hs_error *error);
HS_API size_t hs_interval_count(const hs_trace *trace);
/* The seq of the first event behind `seq` with which recording began again after a stop; HS_NO_SEQ: there is none. What
 * lies before it is not known, and threads have other numbers from it on. */
HS_API uint64_t hs_next_start(hs_trace *trace, uint64_t seq);

/* The counts, last values and times of formats without a stream as they were at one moment (logsave=, freeze=). */
enum hs_snapshot_kind { HS_SNAPSHOT_INTERVAL = 0, HS_SNAPSHOT_THROW = 1, HS_SNAPSHOT_UNCAUGHT = 2 };
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
/* The snapshots by number; rows are kept. */
HS_API int hs_snapshots_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_snapshot_next(hs_cursor *cursor, const struct hs_snapshot **row, struct hs_error *error);
HS_API size_t hs_snapshot_count(const hs_trace *trace);
/* From now on hs_count_dataids, hs_latest_open and hs_costs_open answer from that snapshot; 0: from the end of the
 * recording again. HS_ERR_NOT_FOUND: the trace has no such snapshot. */
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
/* All objects by rising id. A row also ends with the next hs_object_get or hs_object_next of its trace. */
HS_API int hs_objects_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_object_next(hs_cursor *cursor, const struct hs_object **row, struct hs_error *error);

/* What an object stands for: the number in a box, the name of an enum constant, the text of a BigDecimal, LocalDate,
 * Path, ..., the components of a record, the elements of a short collection. */
struct hs_object_value {
    uint32_t id;
    char kind; /* enum hs_kind of the number in a box; 0: it has only a text */
    uint64_t bits;
    bool is_constant; /* `text` is the name of an enum constant */
    const char *text; /* as toString() gives it; a part that is not known is ? */
};
/* NULL: it stands for itself, or that is not known. `seq`: the moment of a collection that may change; with HS_NO_SEQ
 * only what never changes is answered. The effort is bounded: of the 5,000 objects that are asked for first (without an
 * index, of fewer), what must be found in the events is found; what the recording has copied is always known. */
HS_API const struct hs_object_value *hs_object_value_get(hs_trace *trace, uint32_t id, uint64_t seq);

/* Does the recorded content of a string hold this UTF-8 text? */
HS_API bool hs_string_contains(const struct hs_object *object, const char *text);

struct hs_type {
    uint32_t id;      /* of the class object */
    const char *name; /* as in Java source */
    /* number of its class loader, 0 the boot loader; with the name it says which class it is (hs_class) */
    uint64_t loader;
    uint32_t access;
};
/* Types by id; rows are kept. */
HS_API int hs_types_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_type_next(hs_cursor *cursor, const struct hs_type **row, struct hs_error *error);
HS_API size_t hs_type_count(const hs_trace *trace);
HS_API const struct hs_type *hs_type_get(const hs_trace *trace, uint32_t class_id);

/* The recorder's coarse clock: ns since the start at a stamp, interpolated; HS_NO_TIME if the trace has no clock. */
HS_API uint64_t hs_clock_ns(hs_trace *trace, uint64_t stamp);
/* Times between two events below this are not known: 1 if every event has a clock value, else two ticks of the coarse
 * clock (an event may lie anywhere between two); HS_NO_TIME if the trace has no clock. */
HS_API uint64_t hs_clock_resolution_ns(hs_trace *trace);

/* ---- exceptions, lives, costs ---- */

struct hs_stack_frame {
    /* `file` and `line` as in struct hs_dataid, for woven classes; the file without its folder, "" unknown */
    const char *class_name, *method, *file;
    int32_t line; /* -1 unknown */
    bool native;
};
/* What a Throwable held when it was recorded. */
struct hs_thrown {
    uint32_t id;
    const char
        *message;   /* that getMessage gave when it was thrown; NULL: null, or not known for one of the reasons below */
    uint64_t cause; /* object id, 0 none */
    const uint64_t *suppressed;
    size_t suppressed_count;
    bool has_stack;                             /* false: the stack trace was not recorded */
    bool message_redacted;                      /* message is NULL as redact= left it out */
    const struct hs_stack_frame *const *frames; /* innermost first */
    size_t frame_count;
    /* The JVM computes the message when it is asked for, as that of its own NullPointerExceptions. */
    bool message_computed;
    bool message_overridden; /* its class has a getMessage of its own, and what that gave is not known */
    const char *detail;      /* what Throwable keeps as the message; NULL: null, or left out by redact= */
};
/* NULL if its contents were not recorded. */
HS_API const struct hs_thrown *hs_thrown_get(hs_trace *trace, uint32_t id);

/* One flight of an exception: where it was thrown, passed on and caught, as far as recorded. One object has several if
 * it is thrown anew (those that a field keeps, or the JVM), but not where the frame that caught it throws it again. */
struct hs_exception {
    uint32_t id;
    /* seq of the first event that shows it on its way: METHOD_THROW, or the first catch or exit */
    uint64_t thrown;
    uint64_t caught; /* seq of the CATCH that ended its way; HS_NO_SEQ: none did */
    bool swallowed; /* nothing has shown it since it was caught, until its next flight, nor is it cause of or suppressed
                       by another */
    uint64_t left;  /* frames that it left */
    size_t exit_count;
    const uint64_t *exits; /* seqs of METHOD_EXCEPTIONAL_EXIT */
};
/* The exceptions by the seq at which they were thrown; the first ones are there soon if the trace has its index, else
 * the open reads all events. */
HS_API int hs_exceptions_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_exception_next(hs_cursor *cursor, const struct hs_exception **row, struct hs_error *error);

/* First and last event that show an object. */
struct hs_life {
    uint32_t id;
    uint64_t first, last; /* seq */
};
/* Of all objects that events show, by rising id. Reads all events. */
HS_API int hs_lives_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_life_next(hs_cursor *cursor, const struct hs_life **row, struct hs_error *error);
/* Of one object, from the index: 1, 0 if no event shows it, -1. */
HS_API int hs_life_get(hs_trace *trace, uint32_t id, const struct hs_life **life, struct hs_error *error);

/* What the calls of a method took. Without a clock per event times are those of the coarse clock: of what is below
 * hs_clock_resolution_ns nothing is known but that it is. A method's total counts nested calls of itself once. Calls
 * that were not left count, but without time. */
enum { HS_HISTOGRAM_BUCKETS = 64 };
struct hs_cost {
    uint32_t method_id;
    uint64_t calls, exceptions; /* entries; exits by an exception */
    uint64_t left;              /* calls with a time */
    uint64_t total_ns, self_ns, min_ns, max_ns;
    uint64_t histogram[HS_HISTOGRAM_BUCKETS]; /* calls that took [2^i, 2^(i+1)) ns; [0]: 0 and 1 */
    uint64_t hooks_ns; /* format=timing: time of the recorder that was taken off self_ns, as far as it is known */
};
/* One row per method that was entered, by method id; rows are kept. A method with several ids, since its class was
 * woven several times, has one row with the first one. Of the whole trace (`from` 0, `to` HS_NO_SEQ), from the index,
 * by reading all METHOD_ENTRY and exits, or as format=timing has counted them (freq and
 * latest: calls and exceptions alone). Else of the events from seq `from` to
 * `to` only, both inclusive: calls that began there; those that were not left there have no time. */
HS_API int hs_costs_open(hs_trace *trace, uint64_t from, uint64_t to, hs_cursor **out, struct hs_error *error);
HS_API int hs_cost_next(hs_cursor *cursor, const struct hs_cost **row, struct hs_error *error);

/* The calls of a method by who made them. */
#define HS_NO_METHOD UINT32_MAX
struct hs_context {
    uint32_t method_id;
    uint32_t caller_id;               /* method id of the recorded call around them; HS_NO_METHOD: there was none */
    uint32_t depth;                   /* TREE: 0 is outermost */
    uint64_t calls, exceptions, left; /* as in struct hs_cost */
    uint64_t total_ns, self_ns, max_ns;
};
enum hs_context_kind {
    /* One row for each sequence of methods from the outermost call on, of all threads: what a method called follows
     * it, one deeper, the greatest total first. A total is that of all calls of the row. */
    HS_CONTEXT_TREE = 0,
    /* One row for each pair of caller and method, by method id, the greatest total first. Calls nested in a call of the
     * same method add nothing to total_ns, so that the rows of a method add up to its struct hs_cost. */
    HS_CONTEXT_EDGES = 1
};
/* Of calls that began from seq `from` to `to`, both inclusive, as in hs_costs_open. At most `max` rows: further ones
 * are left out, and hs_contexts_cut gives the number of their calls, whose times are in the totals of their callers
 * alone. Reads all entries and exits; rows are kept. */
HS_API int hs_contexts_open(hs_trace *trace, enum hs_context_kind kind, uint64_t from, uint64_t to, size_t max,
                            hs_cursor **out, struct hs_error *error);
HS_API int hs_context_next(hs_cursor *cursor, const struct hs_context **row, struct hs_error *error);
HS_API uint64_t hs_contexts_cut(const hs_cursor *contexts);

/* ---- stretches: a long run at a glance ----
 *
 * The events of each thread in pieces, from the index alone: what a picture of a billion events can be drawn from. */

enum { HS_STRETCH_EVENTS = 4096 };
/* A time in which a thread had no event: it waited, or ran code that is not woven. */
struct hs_pause {
    uint64_t ns;     /* at least 1 ms */
    uint64_t begin;  /* seq of the event before, as exact as that of the stretch behind it */
    uint32_t dataid; /* of that event: what the thread waited in */
    uint64_t value;  /* of that event, of this kind (enum hs_kind) */
    char kind;
};
/* At most HS_STRETCH_EVENTS events of one thread that follow each other without a pause. The last stretch of a thread
 * has none: its calls are those that were open at the end. */
struct hs_stretch {
    uint32_t thread;
    /* of its first event; with several threads estimated, off by at most HS_STRETCH_EVENTS for each other thread */
    uint64_t seq;
    uint64_t position;            /* of its first event in the thread: exact */
    uint64_t begin_ns;            /* of its first event; HS_NO_TIME: no clock */
    uint32_t events, calls;       /* calls: METHOD_ENTRY */
    uint32_t exceptions;          /* METHOD_EXCEPTIONAL_EXIT */
    uint32_t depth, least, most;  /* open calls: before it; of those before each of its events the least and the most */
    const struct hs_pause *pause; /* before it; NULL: none */
    /* the calls open before it, outermost first, at most 1024: method id, and the position of their METHOD_ENTRY in
     * the thread (HS_NO_SEQ: not recorded) */
    size_t frame_count;
    const uint32_t *methods;
    const uint64_t *entries;
    /* seq of its last event, as exact as `seq` (of what lies behind the part asked for, at most its end) */
    uint64_t last;
};
/* The stretches of all threads from seq `from` to `to`, both inclusive, by thread and position; of each thread first
 * the one that `from` lies in, or that is the last before it, whose seq may be anything up to `from`. HS_ERR_NOT_FOUND:
 * the index does not have them, as the recording has not ended, is damaged or has less than four chunks. */
HS_API int hs_stretches_open(hs_trace *trace, uint64_t from, uint64_t to, hs_cursor **out, struct hs_error *error);
HS_API int hs_stretch_next(hs_cursor *cursor, const struct hs_stretch **row, struct hs_error *error);

/* ---- the tree of calls ----
 *
 * The calls of a thread in the order of their entries, each with its depth: what it called follows it, one deeper.
 * Loops are folded: when calls beside each other come again in the same order, the first ones stay and are counted.
 * Needs events of EXEC. */

enum hs_fold {
    /* calls of one method that call the same, and end by a result or an exception of one type, are equal; how often
     * loops ran does not matter */
    HS_FOLD_SHAPE = 0,
    HS_FOLD_ONCE = 1,  /* also, what a call called is kept only the first time that any call is equal to it: `like` */
    HS_FOLD_EQUAL = 2, /* as SHAPE, with equal values too */
    HS_FOLD_NONE = 3
};
struct hs_value {
    uint64_t bits;
    char kind; /* enum hs_kind */
};
/* This call and the next ones beside it, `calls` in all, were made in this order `times` times. */
struct hs_repeat {
    uint32_t calls;
    uint64_t times;
};
struct hs_call {
    uint64_t seq;
    uint32_t dataid; /* of its METHOD_ENTRY */
    uint32_t depth;  /* 0 is outermost */
    uint64_t calls;  /* that it made directly, all of them; HS_NO_SEQ: not known (open where the walk begins) */
    uint64_t times;  /* it was made this often in a row, or in the same place of a loop */
    const struct hs_repeat *const *repeats; /* of two calls and more; the shortest first */
    size_t repeat_count;
    const struct hs_value *receiver, *result; /* NULL: there is none */
    const struct hs_value *const *arguments;
    uint32_t argument_count;
    /* it called what the call with this seq did, which is not kept again; HS_NO_SEQ: it is kept */
    uint64_t like;
    bool left, threw;   /* it was left; by an exception */
    uint64_t exception; /* object id */
    uint64_t left_out;  /* so many of its own events are missing because of percall= */
};
#define HS_TREE_WHOLE UINT64_MAX
struct hs_tree_options {
    size_t size; /* sizeof(struct hs_tree_options) */
    uint32_t thread;
    uint64_t from, to; /* seq, both inclusive */
    uint32_t depth;    /* deeper calls are neither kept nor compared, but counted in the calls that made them */
    enum hs_fold fold;
    uint64_t open_at; /* calls open at this event come first; HS_NO_SEQ: none do */
    /* Calls are given before all events are read, so that the first ones are there soon: loops are cut where the thread
     * has had this many events, then after twice as many, and so on; what a loop calls behind a cut is shown, folded
     * and counted anew. 0: 2^20. HS_TREE_WHOLE: no cut; all calls are kept, at most `max`, and rows are kept */
    uint64_t ahead;
    uint64_t max; /* with HS_TREE_WHOLE: calls kept at most; hs_tree_cut returns whether there were more */
};
#define HS_TREE_OPTIONS_INIT                                                                                           \
    {                                                                                                                  \
        .size = sizeof(struct hs_tree_options), .to = UINT64_MAX, .depth = UINT32_MAX, .open_at = HS_NO_SEQ,           \
        .max = UINT64_MAX                                                                                              \
    }
HS_API int hs_tree_open(hs_trace *trace, const struct hs_tree_options *options, hs_cursor **out,
                        struct hs_error *error);
HS_API int hs_call_next(hs_cursor *cursor, const struct hs_call **row, struct hs_error *error);
/* Were there more than `max` calls? */
HS_API bool hs_tree_cut(const hs_cursor *tree);

/* What a call did, step by step, with its loops folded: the methods it called, or the basic blocks it went through. */
enum hs_path_kind {
    HS_PATH_CALLS = 0, /* steps are method ids; needs EXEC */
    HS_PATH_BLOCKS = 1 /* steps are data IDs of LABEL and CATCH_LABEL; needs EXEC and LABEL */
};
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
    const struct hs_path_repeat *const *repeats;
    size_t repeat_count;
};
/* The distinct paths of all calls that began and were left from seq `from` to `to`, both inclusive: by method id, those
 * of most calls first. Reads all events of entries, exits and labels; rows are kept. */
HS_API int hs_paths_open(hs_trace *trace, enum hs_path_kind kind, uint64_t from, uint64_t to, hs_cursor **out,
                         struct hs_error *error);
HS_API int hs_path_next(hs_cursor *cursor, const struct hs_path **row, struct hs_error *error);

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
    uint64_t unended; /* of the marks, those that were not ended: they reach to the end of the trace */
};
/* How a method belongs to features: to one; to less than half of them; to half or more; to all (of more than one). */
enum hs_affinity { HS_SINGLE = 0, HS_LOW = 1, HS_HIGH = 2, HS_INFRASTRUCTURAL = 3 };
struct hs_feature_method {
    uint32_t method_id;
    enum hs_affinity affinity;
    const uint32_t *features; /* positions in the list of features, rising */
    size_t feature_count;
};
struct hs_feature_type {
    uint32_t class_id; /* object id of the class object, 0 unknown */
    uint64_t objects;
};
/* Objects made in one feature (and not in the other) and shown by events of the other. Made means: woven code allocated
 * it; where is its first event. */
struct hs_feature_flow {
    uint32_t from, to; /* positions in the list of features */
    uint64_t objects;
    const struct hs_feature_type *const *types; /* most objects first */
    size_t type_count;
};
/* The features in the order in which they were first marked. Reads all events, once; rows are kept. */
HS_API int hs_features_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_feature_next(hs_cursor *cursor, const struct hs_feature **row, struct hs_error *error);
/* Of what the same pass has found: the methods of any feature, by method id; the flows between features by from, to,
 * only those with objects. Close them before `features`; rows are kept. */
HS_API int hs_feature_methods_open(hs_cursor *features, hs_cursor **out, struct hs_error *error);
HS_API int hs_feature_method_next(hs_cursor *cursor, const struct hs_feature_method **row, struct hs_error *error);
HS_API int hs_feature_flows_open(hs_cursor *features, hs_cursor **out, struct hs_error *error);
HS_API int hs_feature_flow_next(hs_cursor *cursor, const struct hs_feature_flow **row, struct hs_error *error);
/* Methods that both have, divided by methods that either has (Jaccard); 0 if neither has any. */
HS_API double hs_feature_similarity(const struct hs_feature *a, const struct hs_feature *b);

/* The trace as a signal: calls and depth of calls over its course, cut into `bucket_count` pieces of equal width. */
enum { HS_BUCKETS_MAX = 100000 };
struct hs_signal {
    const char *feature; /* NULL: the whole trace */
    bool by_time;        /* widths are ns since the start, else seq */
    uint64_t width;
    size_t bucket_count;
    const uint64_t *calls; /* METHOD_ENTRY per bucket; of a feature: those inside */
    const uint32_t *depth; /* of the deepest of them in its thread, 1 is outermost; 0 none */
};
/* First of the whole trace, then of the features in their order. Reads all entries and exits; rows are kept.
 * HS_ERR_USAGE: not from 1 to HS_BUCKETS_MAX buckets. */
HS_API int hs_signals_open(hs_trace *trace, size_t bucket_count, bool by_time, hs_cursor **out, struct hs_error *error);
HS_API int hs_signal_next(hs_cursor *cursor, const struct hs_signal **row, struct hs_error *error);

/* ---- consistency ---- */

struct hs_violation {
    const char *rule; /* name of a struct hs_rule */
    uint64_t seq;     /* the event that breaks it; HS_NO_SEQ: no event does */
    const char *what; /* one sentence */
};
struct hs_fsck_result {
    uint64_t events, checked, violations; /* checked: single proofs that were made */
};
/* The violation lives for the call. */
typedef void hs_violation_fn(void *context, const struct hs_violation *violation);
/* Checks that the whole trace is consistent, reading all of it; reports each violation as it is found (there may be
 * more than memory can hold: the one list without a cursor). 0 also when there are some. */
HS_API int hs_fsck(hs_trace *trace, hs_violation_fn *report, void *context, const struct hs_fsck_result **result,
                   struct hs_error *error);
struct hs_rule {
    const char *name, *sentence;
};
/* What is checked; rows are kept. Needs no trace. */
HS_API int hs_rules_open(hs_cursor **out, struct hs_error *error);
HS_API int hs_rule_next(hs_cursor *cursor, const struct hs_rule **row, struct hs_error *error);

/* ---- the index ---- */

/* Questions about state, history and causes, and cursors with a filter on data IDs or an object, are answered from all
 * chunks, or faster with an index: the file `index` in the trace directory, derived data that can be deleted at any
 * time. The questions build what is missing when the trace is large; cursors only use what is there. */
struct hs_index_info {
    uint64_t chunks, indexed; /* chunks of the trace, and those that the index covers */
    uint64_t bytes;
    bool kept; /* a file; else in memory until hs_close, as the directory cannot be written or is opened read-only */
};
HS_API const struct hs_index_info *hs_index_info(hs_trace *trace);
/* Builds what is missing. It may be interrupted or cancelled; the next call goes on where it was. */
HS_API int hs_index_build(hs_trace *trace, struct hs_error *error);

/* ---- state at a moment ----
 *
 * "At seq" means just after that event. What is not known from the trace is absent, never guessed. */

struct hs_variable {
    const char *name; /* "#3" for slot 3 where the class has no names */
    uint32_t slot;
    char kind; /* enum hs_kind */
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
    uint32_t pc;      /* of the instruction at which it stands: of its latest event, or that threw or called since */
    int32_t line;     /* -1 unknown */
    uint64_t entered; /* seq of its METHOD_ENTRY; HS_NO_SEQ: before the recording */
    bool has_this;
    uint64_t self; /* object id */
    size_t parameter_count, local_count;
    const struct hs_variable *const *parameters; /* as passed */
    const struct hs_variable *const *locals;     /* alive at pc; parameters only if they were written since */
    size_t monitor_count;
    /* as they were entered; held also while its thread waits for a notification */
    const struct hs_monitor *const *monitors;
    /* so many of its events are missing because of percall=, since when neither locals nor monitors are known */
    uint64_t left_out;
    bool nowhere;     /* its latest event is among them: pc and line are not known */
    bool unsure;      /* as in struct hs_place */
    const char *file; /* as in struct hs_dataid */
};
/* The call stack of the thread of event `seq`, innermost first; rows are kept. HS_ERR_NOT_FOUND: no such event. */
HS_API int hs_frames_open(hs_trace *trace, uint64_t seq, hs_cursor **out, struct hs_error *error);
HS_API int hs_frame_next(hs_cursor *cursor, const struct hs_frame **row, struct hs_error *error);

/* An object was given to code that is not woven, which may have written it unseen. */
struct hs_handover {
    uint64_t seq;    /* of the last CALL (as receiver), CALL_PARAM or METHOD_NORMAL_EXIT that did */
    uint32_t dataid; /* of the CALL, or of the METHOD_NORMAL_EXIT */
};
struct hs_member {
    /* "a.b.Declaring.field", with ":type" behind it where that class has several fields of the name; NULL for
     * elements */
    const char *name;
    uint64_t index; /* of an element */
    char kind;      /* enum hs_kind */
    uint64_t value;
    const struct hs_event *event; /* that has the value: the last write, or a later read */
    /* since then the object was handed to code that is not woven, which may have written it unseen; not of a final
     * field of a woven class once its object was created by woven code */
    bool stale;
    bool unrecorded; /* recording was stopped since then: what was written meanwhile is not known; not of a field as
                        above */
    /* nothing has written it since its object was made: null, 0 or false. `event` is then the one that made the object:
     * that of `created`, or METHOD_OBJECT_INITIALIZED of its constructor; it has another value */
    bool is_default;
};
struct hs_object_state {
    uint32_t id;
    /* seq of NEW_OBJECT_CREATED, NEW_ARRAY_RESULT, MULTI_NEW_ARRAY...; HS_NO_SEQ: not in woven code */
    uint64_t created;
    uint32_t created_dataid;          /* the allocation site, if created */
    uint64_t first, last;             /* seq of the first and last event of it in the whole trace; HS_NO_SEQ: none */
    const struct hs_handover *handed; /* the last one up to the moment; NULL: none */
    bool has_length;                  /* an array whose length is known */
    uint64_t length;
    size_t field_count, element_count;
    const struct hs_member *const *fields;   /* by name */
    const struct hs_member *const *elements; /* by index */
    size_t left_out;         /* fields or elements that are not given, since events that may have written them ... */
    uint64_t left_out_count; /* ... are missing because of percall=: so many of the last call of those */
    /* recording was stopped before the moment: seq of the first event since the last time; 0: it was not */
    uint64_t resumed;
    bool is_part;   /* there may be more elements that are known (hs_object_part_at) */
    bool all_known; /* every element of the array is known: those that nothing has written have their default */
};
/* Fields or elements of an object at `seq` (HS_NO_SEQ: at the end), as far as known from writes and reads in woven
 * code, and defaults where no other code can have written them: of an array the first 65536, the others by
 * hs_object_part_at. HS_ERR_NOT_FOUND: there is no such object. */
HS_API int hs_object_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_object_state **state,
                        struct hs_error *error);
/* The same, of an array at most so many of the elements that are known from index `from` on: time and memory follow
 * `most` where they were accessed late. */
HS_API int hs_object_part_at(hs_trace *trace, uint32_t id, uint64_t seq, uint64_t from, uint64_t most,
                             const struct hs_object_state **state, struct hs_error *error);
/* The length of an array, from its creation, the call that returned it or any arraylength: 1; 0: it is not known, or no
 * array; -1. */
HS_API int hs_array_length(hs_trace *trace, uint32_t array, uint64_t *length, struct hs_error *error);
/* May objects of this class (hs_object.class_id) have a field of this name among the fields of hs_object_at? No: no
 * woven class declares it, and none of recorded code reads or writes it. A quick answer, for choosing the objects to
 * ask for. */
HS_API bool hs_type_may_have(hs_trace *trace, uint32_t class_id, const char *field);
/* The last time that an object was handed over from event `from` to event `to` (both inclusive): 1, 0 it was not, -1.
 * After a write, with what follows it, it returns whether the value can still be relied on. Looks at every call with
 * the object in between. */
HS_API int hs_handed_over(hs_trace *trace, uint32_t object, uint64_t from, uint64_t to,
                          const struct hs_handover **handover, struct hs_error *error);

/* What a collection, text or single value of the JDK held, whose own code was not recorded: replayed from the calls
 * that recorded code made on it. */
enum hs_contents_shape {
    HS_CONTENTS_LIST = 0,
    HS_CONTENTS_QUEUE = 1, /* a list in an order that is not known: PriorityQueue */
    HS_CONTENTS_SET = 2,
    HS_CONTENTS_MAP = 3,
    HS_CONTENTS_TEXT = 4, /* StringBuilder, StringBuffer */
    HS_CONTENTS_VALUE = 5 /* one entry or none: Optional, AtomicInteger, Integer, ... */
};
struct hs_entry {
    const struct hs_value *key, *value;               /* key: of a map, else NULL */
    const struct hs_value *key_number, *value_number; /* what is in it if it is a box and that is known; else NULL */
    uint64_t seq; /* at which the call that put it there returned; HS_NO_SEQ: not looked for */
};
struct hs_contents {
    uint32_t id;
    enum hs_contents_shape shape;
    /* false: there may be others than the entries, which are those of a map that were put or read after it was lost */
    bool known;
    bool ordered;    /* entries are in the order in which the program has them; else as they were put there */
    uint64_t since;  /* not known: the event that may have changed it unseen; HS_NO_SEQ: it was never known */
    const char *why; /* not known: a phrase; NULL: how it was made is not seen */
    size_t entry_count;
    const struct hs_entry *const *entries;
    const char *text; /* of TEXT, if known; a NUL in it is C0 80 */
    uint64_t length;  /* in UTF-16 units */
};
/* At `seq` (HS_NO_SEQ: at the end): 1; 0: the object is none of these, or its own code was recorded (hs_object_at has
 * its fields); -1. The effort is bounded: of an object with very many calls the contents are not known. */
HS_API int hs_contents_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_contents **contents,
                          struct hs_error *error);

/* ---- history ----
 *
 * What is written (`what`); Type#ID may stand for ID:
 *     Class.field         of every object, or static: the field that classes of this name (a glob) declare or inherit.
 *                         Where they inherit it, only writes on objects of these classes count
 *     ID.field            of one object: the field that its class means by the name
 *     ID.Class.field      the same, declared by a superclass, where it is hidden
 *     ID[index]           an array element
 *     Class.method:local  a local variable by name, or as #slot
 *     number              a data ID: every event of it
 * HS_ERR_USAGE: it is none of these; HS_ERR_NOT_FOUND: the trace has no such class, field, object or variable. */

struct hs_write {
    const struct hs_event *event; /* carries the value written; for a data ID the event itself */
    uint64_t object;              /* of an instance field or array element; 0 none, or not known */
    bool has_index;
    uint64_t index;                /* of an array element */
    const char *declaring, *field; /* of a field: the class that declares it, and its name; NULL else */
    /* not 0: no write, but EVENTS_LEFT_OUT of a call that may have written here: so many of its events are missing */
    uint64_t left_out;
    /* recording was stopped before the write (hs_last_write: before the event asked for): seq of the first event since
     * the last time; 0: it was not. What was written while it was stopped is not known */
    uint64_t resumed;
};
/* All writes, and with percall= the places where some may be missing, the oldest first; next, previous and seek as with
 * events. */
HS_API int hs_history_open(hs_trace *trace, const char *what, hs_cursor **out, struct hs_error *error);
HS_API int hs_write_next(hs_cursor *cursor, const struct hs_write **row, struct hs_error *error);
HS_API int hs_write_previous(hs_cursor *cursor, const struct hs_write **row, struct hs_error *error);
/* The object of ID.field and ID[index], 0 of the other forms. */
HS_API uint32_t hs_history_object(const hs_cursor *history);
/* The last write before event `seq`, or what stands for one that may be missing (left_out): 1, 0 there is none, -1. */
HS_API int hs_last_write(hs_trace *trace, const char *what, uint64_t seq, const struct hs_write **write,
                         struct hs_error *error);

/* Was the value of this event stored? Events of a store are recorded before it is done: false if it threw then (null,
 * index, type, class initialization), as far as the events behind it show. True of all but PUT_INSTANCE_FIELD_VALUE,
 * PUT_STATIC_FIELD and ARRAY_STORE_VALUE. */
HS_API bool hs_store_done(hs_trace *trace, const struct hs_event *event);
/* The object of a PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, which METHOD_OBJECT_INITIALIZED of its constructor shows; 0
 * if no event does, and of all other events. */
HS_API uint32_t hs_early_object(hs_trace *trace, const struct hs_event *event);

/* ---- causes ---- */

/* How the moment where a chain goes on was found. Code that is not woven leaves no events of its own. */
enum hs_cause_by {
    HS_BY_EVENTS = 0,   /* recorded events lead there */
    HS_BY_IDENTITY = 1, /* the same object was given to code that is not woven */
    HS_BY_EQUAL = 2,    /* an equal value was: probable */
    HS_BY_COMPUTED = 3  /* code that is not woven had this when it made the value: possible */
};
/* A moment where the chain can go on. */
struct hs_choice {
    const struct hs_event *event;
    const char *role; /* of its value: "receiver", "left of +", "argument 1 of java.util.Map.put", ... */
    enum hs_cause_by by;
};
struct hs_cause {
    const struct hs_event *event;
    const char *because; /* where its value comes from, a phrase */
    /* why the chain ends here ("constant", "new object", "native", ...); NULL if it goes on */
    const char *end;
    size_t operand_count;     /* of a computed value: events that gave its operands; the chain follows the first */
    const uint64_t *operands; /* seq */
    enum hs_cause_by by;      /* how the next moment of the chain was found */
    size_t choice_count;      /* also where the chain ends */
    const struct hs_choice *const *choices;
    uint32_t branch; /* number of this moment among those of the chain with several choices, from 1 on; 0: it has not */
    uint32_t chosen; /* the choice that the chain follows, from 1 on; 0: it ends */
    uint32_t depth;  /* in a tree: 0 the value asked for, then one more a choice */
    bool repeated;   /* in a tree: this moment is explained further up */
};
/* The chain back from the value of event `seq`, newest first, of at most `max` events (0: 1000); rows are kept.
 * HS_ERR_NOT_FOUND: no such event, or it has no value. */
HS_API int hs_why_open(hs_trace *trace, uint64_t seq, size_t max, hs_cursor **out, struct hs_error *error);

enum { HS_WHY_DEPTH_MAX = 1000 };
struct hs_why_options {
    size_t size;        /* sizeof(struct hs_why_options) */
    uint64_t seq;       /* the event */
    size_t max;         /* events at most; 0: 1000 */
    const char *choose; /* "1.2,3.1": at branch 1 the chain follows choice 2, at branch 3 choice 1; else the first */
    bool all;           /* the tree of all choices, each moment before the moments it comes from */
    uint32_t depth;     /* of the tree, at most HS_WHY_DEPTH_MAX; moments deeper are left out */
};
#define HS_WHY_OPTIONS_INIT                                                                                            \
    {                                                                                                                  \
        .size = sizeof(struct hs_why_options), .depth = 16                                                             \
    }
/* hs_why_open with options. HS_ERR_USAGE: `choose` has another form, or names a branch or a choice that the chain
 * does not have. */
HS_API int hs_causes_open(hs_trace *trace, const struct hs_why_options *options, hs_cursor **out,
                          struct hs_error *error);
HS_API int hs_cause_next(hs_cursor *cursor, const struct hs_cause **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
