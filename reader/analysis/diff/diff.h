/* diff.h - what the parts of `hindsight diff` share.
 *
 *     match.c     the methods and threads of both traces, and what stands at each data ID
 *     names.c     names without the numbers of compilers
 *     made.c      methods and events that only one compiler writes
 *     identity.c  are two values the same?
 *     holes.c     calls of which percall= left events out
 *     first.c     the first event in which two threads differ
 *     calls.c     calls that only one run made; arguments and results of the others
 *     coverage.c  methods and lines that only one run reached
 *     rows.c      one difference as JSON and as text
 *
 * Both traces are read as streams. Memory: the tables of methods and data IDs, the stacks, a window of events
 * (calls.c), and caches of a fixed size. */
#ifndef READER_ANALYSIS_DIFF_DIFF_H
#define READER_ANALYSIS_DIFF_DIFF_H

#include "formats/event.h"
#include "formats/map.h"
#include "formats/vec.h"
#include "reader/command/cli.h"
#include "reader/command/show.h"

/* A data ID: where it stands, in terms that both traces share. */
struct diff_site {
    uint64_t place; /* equal in both traces: the same event at the same place; 0: not looked up yet */
    uint64_t code;  /* the same without the type of the event */
    uint32_t method;
    uint8_t event;
    bool wanted;   /* it satisfies --class and --method, and both traces can have it */
    bool left_out; /* of first.c: a compiler wrote it by itself */
};
/* What a compiler wrote by itself (made.c). */
enum diff_made {
    DIFF_MADE_NOT,
    DIFF_MADE_BETWEEN,     /* an accessor: what it does is its caller's */
    DIFF_MADE_CONSTRUCTOR, /* only calls another constructor: the call is one of that */
    DIFF_MADE_WHOLE,       /* with the calls in it */
};
/* A method of either trace, or of both where they match. */
struct diff_method {
    const struct hs_method *rows[2]; /* NULL: that trace does not have it */
    bool same;                       /* both have the same code */
    enum diff_made made;             /* only one trace has it, and that is no difference */
    bool wanted;
};
struct diff_method_id {
    uint64_t key;    /* method id + 1 */
    uint32_t method; /* position in diff.methods */
};
struct diff_side {
    hs_trace *trace;
    struct show show;
    struct diff_site *sites; /* by data ID */
    uint32_t site_count;
    MAP(struct diff_method_id) by_id;
    MAP(struct diff_method_id) made; /* made.c: by a hash of owner, name and descriptor */
};
/* Two threads that are compared; UINT32_MAX: only the other trace has it. */
struct diff_threads {
    uint32_t thread[2];
};
struct diff_pair {
    uint32_t id, other;
};
enum { DIFF_CALL = 1, DIFF_VALUE = 2, DIFF_COVERAGE = 4, DIFF_ALL = 7 };
struct diff {
    struct diff_side sides[2];
    struct out *out;
    VEC(struct diff_method) methods;
    VEC(struct diff_threads) threads;
    struct diff_pair *pairs[2]; /* identity.c */
    uint32_t was[2];            /* of the last two objects that were not the same: what each was before; 0: nothing */
    bool rebuilt;               /* the traces have classes of one name with different code */
    bool recompiled;            /* class files of one name have different versions */
    bool joined;                /* and texts are joined in another way */
    group_set groups;           /* that both traces have woven */
    const char *class_glob, *method_glob;
    unsigned kinds; /* DIFF_... */
    bool json;
    uint64_t limit, found;
    /* what is compared in part, since percall= left events out of one run or both: calls that both made, and methods
     * whose lines are not compared */
    uint64_t partial_calls, partial_methods;
    struct diff_waiting {
        struct hs_event events[2];
        const char *what;
        u32_vec path;
        uint32_t was[2];
        uint64_t times; /* 0: there is none */
    } waiting;          /* as text: a value row, which is shown once with those behind it that are equal */
    struct hs_error error;
};

/* ---- match.c ---- */
/* The groups that a trace has woven. */
group_set diff_woven(hs_trace *t);
/* They return false after they have filled d->error. */
bool diff_match_methods(struct diff *d);
bool diff_match_threads(struct diff *d);
/* NULL: the trace has no such data ID. */
const struct diff_site *diff_site(struct diff *d, int side, uint32_t dataid);
/* The place of a data ID as if it stood in that method, which has other code in the other trace. */
uint64_t diff_place_in(const struct diff *d, int side, uint32_t dataid, uint32_t method);

/* The attributes by which instructions of a data ID are compared, the last one NULL. */
extern const char *const diff_attributes[];
/* Is this attribute of both the same? */
bool diff_same_attribute(const struct diff *d, const struct hs_dataid *a, const struct hs_dataid *b, const char *name);

/* ---- names.c ---- */
static inline uint64_t diff_mix(uint64_t hash, uint64_t more)
{
    uint64_t both[2] = { hash, more };
    return map_hash(both, sizeof both);
}
/* A hash of the name. `*has_number` is set if a number was left out. */
uint64_t diff_name(const struct diff *d, const char *text, bool *has_number);

/* ---- made.c ---- */
/* Notes the versions of two class files of one name. */
void diff_note_versions(struct diff *d, uint32_t a, uint32_t b);
bool diff_find_made(struct diff *d); /* false: out of memory */
/* Is it a method of an enum that nobody wrote? */
bool diff_is_implicit(const struct diff *d, const struct hs_class *c, const struct hs_method *m);
/* Is the event one of what a compiler writes by itself, in a method that another version has compiled? */
bool diff_leaves_out(const struct diff *d, int side, const struct hs_dataid *row);

/* ---- identity.c ---- */
bool diff_identity_init(struct diff *d); /* false: out of memory */
void diff_identity_clear(struct diff *d);
void diff_identity_done(struct diff *d);
/* Are these values the same: numbers by their bits, strings by content, other objects by type and by the order in which
 * they were first seen? */
bool diff_same_value(struct diff *d, const struct hs_event *a, const struct hs_event *b);

/* ---- holes.c ---- Behind an EVENTS_LEFT_OUT nothing is known of a call but the calls in it and its exit. */
struct diff_holes {
    u64_vec depths; /* of the open calls that have one: how many calls are open in them, theirs included. Rising */
};
bool diff_is_hole(const struct diff_site *site);
bool diff_hole_at(const struct diff_holes *h, size_t depth); /* of the innermost call */
/* `added`: there was none yet. False: out of memory. */
bool diff_hole_add(struct diff *d, struct diff_holes *h, size_t depth, bool *added);
/* Calls were left: only so many are open. */
void diff_hole_leave(struct diff_holes *h, size_t depth);

/* ---- the comparisons ---- false: d->error says why. They end early when d->limit rows were written. */
bool diff_first(struct diff *d, const struct diff_threads *threads);
bool diff_calls(struct diff *d, const struct diff_threads *threads);
bool diff_coverage(struct diff *d);
static inline bool diff_full(const struct diff *d) { return d->found >= d->limit || d->out->failed != 0; }
bool diff_no_memory(struct diff *d); /* fills d->error; false */

/* ---- rows.c ---- */
struct diff_row {
    unsigned kind;    /* one DIFF_... */
    bool first;       /* the first difference of two threads */
    const char *what; /* thread; receiver, argument, result, exit; method, line; NULL: what the kind says */
    const struct hs_event *events[2]; /* NULL: that run has none */
    const u32_vec *path;              /* positions in d->methods, outermost first; NULL: none */
    uint64_t times, calls;            /* how often in a row; of a call: calls in it; 0: not shown */
    uint32_t was[2];                  /* set by diff_row: as in struct diff */
};
void diff_row(struct diff *d, const struct diff_row *row);
/* Behind the last row. */
void diff_rows_end(struct diff *d);

#endif
