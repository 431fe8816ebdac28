/* tree_calls.h - the calls of one thread from METHOD_ENTRY and the exits, for tree.c.
 *
 * Calls are kept in the order of their entries, so when a call returns, the calls below it are the end of the list.
 * Folding (fold.h) relies on that: repeated rounds of a loop are removed from the end. */
#ifndef READER_QUERY_TREE_CALLS_H
#define READER_QUERY_TREE_CALLS_H

#include "formats/map.h"
#include "formats/rows.h"
#include "reader/cursor/cursor.h"
#include "reader/query/first_occurrence.h"
#include "reader/query/state.h"
#include "reader/query/tree_equal.h"
#include "reader/query/tree_skip.h"

/* A call that has not returned. */
struct open_call {
    uint32_t method_id;
    size_t node;    /* position in calls, FOLD_NO_HANDLE when it is not kept */
    bool given;     /* it was kept and then returned at a cut */
    bool begun;     /* before the walk: some of its calls may not be seen */
    uint64_t entry; /* position of its METHOD_ENTRY */
    uint64_t hash, calls;
};

/* A repetition, by the first call of its path. */
struct repeat_at {
    size_t node;
    struct hs_repeat repeat;
};

/* A call with what its public struct points to. */
struct tree_call {
    struct hs_call made;
    struct hs_value receiver, result; /* kind 0: none */
    size_t first_value;
};

struct tree_cursor {
    hs_cursor base;
    bool cut; /* there were more calls than wanted */
    struct hs_tree_options want;
    hs_trace *trace;
    struct fold fold;
    VEC(struct tree_call) calls;
    VEC(struct hs_value) values; /* arguments, in the order of calls */
    VEC(const struct hs_value *) value_list;
    VEC(struct repeat_at) repeats; /* by call when done */
    VEC(const struct hs_repeat *) repeat_list;
    VEC(struct open_call) open;  /* the first one stands for the thread */
    first_occurrence_map shapes; /* HS_FOLD_ONCE: seq of the first call of a shape */
    uint64_t gap;                /* gap_passed */
    bool no_memory;
    struct walk events;
    /* of a tree cursor */
    VEC(struct call_end) ends;
    uint32_t stream;
    uint64_t limit;          /* events of the thread up to `to` */
    uint64_t cut_at, window; /* position of the next cut; events from the cut before to it */
    bool at_cut, over;
    struct hs_event waiting; /* at a cut: the event after it */
    size_t given;            /* of `calls` */
    uint64_t read;           /* phase_resume */
    struct tree_skip skip;
    struct tree_equal equal;
    struct {
        uint64_t entry;
        size_t depth;
    } ended; /* the call that ended last: position of its entry, and how many are open around it */
};

extern const struct fold_ops tree_fold_ops;

static inline bool tree_failed(const struct tree_cursor *t) { return t->no_memory || t->fold.no_memory; }

/* An event of the thread. */
void tree_apply(struct tree_cursor *t, const struct hs_event *e);
/* Enters the calls that are open at event `open_at`, outermost first, with their arguments. */
enum status tree_enter_open_calls(struct tree_cursor *t, struct arena *arena, struct error *err);
/* Notes the result or exception of a call that this exit ended. */
void tree_set_result(struct tree_call *c, const struct hs_dataid *d, uint64_t value);
/* After the last event: removes the calls that did not return. */
void tree_close_open_calls(struct tree_cursor *t);
/* Sets the pointers of calls to their values and repeats, whose lists no longer grow. False: out of memory. */
bool tree_link_calls(struct tree_cursor *t);

#endif
