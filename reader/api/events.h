/* api/events.h - events: reading those that pass a filter, in both directions; where each stands; the last ones of each
 * place. */
#ifndef HINDSIGHT_API_EVENTS_H
#define HINDSIGHT_API_EVENTS_H

#include "catalogue.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    hs_condition *where;     /* of conditions.h, borrowed until the cursor is closed: it is true; NULL: none */
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
/* The seq of the event of a thread at this position. HS_ERR_NOT_FOUND: it has fewer. */
HS_API int hs_event_seq(hs_trace *trace, uint32_t thread, uint64_t position, uint64_t *seq, struct hs_error *error);
/* The last event of a thread up to event `seq` (HS_NO_SEQ: of all): 1, 0 there is none, -1. */
HS_API int hs_last_event(hs_trace *trace, uint32_t thread, uint64_t seq, const struct hs_event **event,
                         struct hs_error *error);

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

#ifdef __cplusplus
}
#endif

#endif
