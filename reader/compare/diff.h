/* diff.h - what the parts of hs_diff_open share.
 *
 *     match.c     the methods and threads of both traces, and what stands at each data ID
 *     names.c     names without the numbers of compilers
 *     made.c      methods and events that only one compiler writes
 *     identity.c  are two values the same?
 *     holes.c     calls of which percall= left events out
 *     first.c     the first event in which two threads differ, and the first branch
 *     calls.c     calls that only one run made; arguments and results of the others
 *     coverage.c  methods and lines that only one run reached
 *     noise.c     differences that another run has, too
 *     rows.c      the rows of one step
 *     diff.c      the cursor
 *
 * Both traces are read as streams. Memory: the tables of methods and data IDs, the stacks, a window of events
 * (calls.c), and caches of a fixed size. */
#ifndef READER_COMPARE_DIFF_H
#define READER_COMPARE_DIFF_H

#include "formats/arena.h"
#include "formats/event.h"
#include "formats/map.h"
#include "formats/vec.h"
#include "reader/trace.h"

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
    struct hs_compared_method names;
};
struct diff_method_id {
    uint64_t key;    /* method id + 1 */
    uint32_t method; /* position in diff.methods */
};
struct diff_side {
    hs_trace *trace;
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
enum { DIFF_ALL = 15 }; /* enum hs_difference_kind */
struct diff_key {
    uint64_t key;
};
typedef MAP(struct diff_key) diff_keys;
struct diff {
    struct diff_side sides[2];
    VEC(struct diff_method) methods;
    VEC(struct diff_threads) threads;
    struct diff_pair *pairs[2]; /* identity.c */
    uint32_t was[2];            /* of the last two objects that were not the same: what each was before; 0: nothing */
    bool rebuilt;               /* the traces have classes of one name with different code */
    bool recompiled;            /* class files of one name have different versions */
    bool joined;                /* and texts are joined in another way */
    group_set groups;           /* that both traces have woven */
    const char *class_glob, *method_glob;
    unsigned kinds;    /* enum hs_difference_kind */
    diff_keys *learns; /* the differences are noise: they are noted here, and are no rows */
    const diff_keys *noise;
    bool hidden;       /* of the last row: it is one of either */
    uint64_t left_out; /* rows that are noise */
    /* what is compared in part, since percall= left events out of one run or both: calls that both made, and methods
     * whose lines are not compared */
    uint64_t partial_calls, partial_methods;
    VEC(struct hs_difference) rows; /* of the last step */
    struct arena arena;             /* of them */
    hs_cursor *decisions[2];        /* that they have */
    struct hs_error error;
};

/* ---- match.c ---- */
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

/* NULL: the data ID has none of that name. */
const struct hs_attr *diff_attribute(const struct hs_dataid *d, const char *name);

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

/* ---- the comparisons ---- false: d->error says why. */
bool diff_first(struct diff *d, const struct diff_threads *threads);
bool diff_coverage(struct diff *d);
struct diff_walk;
struct diff_walk *diff_walk_open(struct diff *d, const struct diff_threads *threads); /* NULL: d->error says why */
int diff_walk_step(struct diff_walk *w);                                              /* 1, 0: it is done, -1 */
void diff_walk_close(struct diff_walk *w);                                            /* NULL is allowed */
bool diff_no_memory(struct diff *d);                                                  /* fills d->error; false */

/* ---- noise.c ---- */
struct diff_row;
/* Sets d->hidden: the row is left out, since it is noise, or is learned as such. False: out of memory. */
bool diff_hides(struct diff *d, const struct diff_row *row);

/* ---- rows.c ---- */
struct diff_row {
    enum hs_difference_kind kind;
    bool first;
    const char *what;
    const struct hs_event *events[2]; /* NULL: that run has none */
    const u32_vec *path;              /* positions in d->methods, outermost first; NULL: none */
    uint64_t times, calls;
    uint32_t behind; /* of a first difference but a value: the data ID of `a` before it; UINT32_MAX: none */
};
/* Adds a row, if it is wanted; of a value with d->was. False: out of memory. */
bool diff_row(struct diff *d, const struct diff_row *row);
void diff_clear_rows(struct diff *d);

#endif
