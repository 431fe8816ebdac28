/* api/calls.h - calls: the tree of a thread, what methods cost and who called them, the paths that calls took. */
#ifndef HINDSIGHT_API_CALLS_H
#define HINDSIGHT_API_CALLS_H

#include "catalogue.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- costs ---- */

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

/* ---- paths ---- */

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

#ifdef __cplusplus
}
#endif

#endif
