/* check.h - shared by the files of the check: the trace, facts about the recording, and the report of violations */
#ifndef READER_FSCK_CHECK_H
#define READER_FSCK_CHECK_H

#include "formats/map.h"
#include "reader/cursor/cursor.h"

enum rule {
#define RULE(name, text) RULE_##name,
#include "reader/fsck/rules.def"
#undef RULE
    RULE_COUNT
};

struct thread_life {
    uint32_t thread;
    uint64_t start, end; /* stamps */
};

/* A class by its name. */
struct name_slot {
    uint64_t hash; /* of the name (map.h) */
    const char *name;
    struct fclass *c; /* NULL: several have the name */
};

struct fsck {
    hs_trace *trace;
    hs_violation_fn *report;
    void *context;
    struct hs_fsck_result *result;
    bool clean;    /* the recording ended normally: rows must be complete */
    bool left_out; /* the trace has EVENTS_LEFT_OUT: what other threads did to an object is not known */
    bool derived;  /* it was recorded with derive=on: of a NaN that was computed the bits are not known */
    bool redacted; /* numbers are 0 that were others: values prove nothing (`hindsight redact`) */
    bool tolerant; /* events were lost, or recording began in the middle: frames prove nothing */
    struct arena arena;
    struct code_event *events; /* by data ID: reader/code/method.h */
    struct event_facts *facts; /* by data ID */
    uint32_t event_count;
    struct fclass *classes; /* by position */
    uint64_t silent;        /* instructions without events that were executed in long searches */
    uint64_t last_stamp;    /* of the recording; UINT64_MAX: not known */
    MAP(struct name_slot) names;
    VEC(struct fthread) threads;   /* by number */
    VEC(struct thread_life) lives; /* by thread number */
    struct object_page **pages;    /* by id */
    uint32_t page_count;           /* behind the last page; the rest is never touched and takes no memory */
    struct type_memo *memo;
    struct known_value *known_values;
    struct {
        struct candidate *items;
        size_t count, cap;
    } candidates;
    struct {
        size_t at;    /* the current interval */
        bool started; /* the thread that began it has an event in it */
        bool ending;  /* the thread that ended it has; the last one: */
        uint32_t last_id;
    } part; /* parts.c */
    bool no_memory;
    bool too_wide; /* frames of this thread have more than SLOTS_MAX slots */
    uint32_t wide_thread;
};

void fsck_report(struct fsck *f, enum rule rule, uint64_t seq, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#define NO_SEQ UINT64_MAX /* of violations without an event */

#endif
