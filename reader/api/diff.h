/* api/diff.h - where two recordings differ: of one program with two inputs, or of two builds of it.
 *
 * Threads are compared by name, those of one name in their order. Methods are the same by their code, else by class,
 * name and descriptor. Strings are compared by content, other objects by type and by where they were first seen, never
 * by id. */
#ifndef HINDSIGHT_API_DIFF_H
#define HINDSIGHT_API_DIFF_H

#include "history.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hs_difference_kind {
    HS_DIFFERENCE_CALL = 1,     /* only one run made a call; the first difference of a thread: another event */
    HS_DIFFERENCE_VALUE = 2,    /* a value differs in a call that both made */
    HS_DIFFERENCE_COVERAGE = 4, /* only one run reached a method or a line */
    HS_DIFFERENCE_DECISION = 8  /* the first branch of a thread that went another way in the other run */
};
/* "call", "value", ...; NULL: no such kind. */
HS_API const char *hs_difference_kind_name(enum hs_difference_kind kind);

/* A method, by the names that the first trace has for it, or else the second one; lives as long as the cursor. */
struct hs_compared_method {
    const char *class_name, *name, *desc;
};
enum { HS_DIFFERENCE_PATH_MAX = 100 };
struct hs_difference {
    enum hs_difference_kind kind;
    bool first; /* the first difference of two threads, or their first decision */
    /* receiver, argument, result, exit; method, line; of a first difference "thread": the other run has no such
     * thread; NULL: the kind says it */
    const char *what;
    const struct hs_event *a, *b; /* in the first trace and in the second; NULL: that run has none */
    /* of a decision the branch and why it went that way; `a` and `b` are the LABELs behind it. NULL: not known */
    const struct hs_decision *a_decision, *b_decision;
    /* the values are objects of one type: the id that this object had in the other run until then; 0: none */
    uint64_t a_was, b_was;
    size_t differs_count; /* of a first difference of two events of one type: the attributes that differ, by name */
    const char *const *differs;
    uint64_t times, calls;    /* of calls: how often in a row, and the calls in them; else 0 */
    bool has_path;            /* the calls around it, outermost first: at most the innermost HS_DIFFERENCE_PATH_MAX */
    size_t path_count, outer; /* outer: further ones */
    const struct hs_compared_method *const *path;
};
struct hs_diff_options {
    size_t size; /* sizeof(struct hs_diff_options) */
    hs_trace *a, *b;
    hs_trace *noise;                      /* another run that is as `a` should be: what differs in these two is left out
                                           * wherever it is met; NULL: none */
    unsigned kinds;                       /* enum hs_difference_kind, joined by |; 0: all */
    const char *class_glob, *method_glob; /* only in these methods; NULL: in all */
    bool first;                           /* the first differences of each thread alone */
};
#define HS_DIFF_OPTIONS_INIT                                                                                           \
    {                                                                                                                  \
        .size = sizeof(struct hs_diff_options)                                                                         \
    }
/* First for each thread the first difference, and the first decision, if that is another one; then the calls and values
 * of each thread; then methods and lines, those of `a` first. Reads both traces as it goes; they stay open as long as
 * the cursor. Needs events of EXEC, of PARAM for arguments, of LABEL for decisions; groups that only one trace has
 * woven are left out. HS_ERR_NOT_FOUND: no method of either trace is chosen; HS_ERR_UNSUPPORTED: they have no group in
 * common. */
HS_API int hs_diff_open(const struct hs_diff_options *options, hs_cursor **out, struct hs_error *error);
HS_API int hs_difference_next(hs_cursor *cursor, const struct hs_difference **row, struct hs_error *error);
/* What was compared in part up to here, as percall= left out events of it: calls that both runs made, and methods whose
 * lines are not compared. Each may be NULL. */
HS_API void hs_diff_partial(const hs_cursor *diff, uint64_t *calls, uint64_t *methods);
/* Differences up to here that are left out as `noise` has them, too. */
HS_API uint64_t hs_diff_noise(const hs_cursor *diff);

#ifdef __cplusplus
}
#endif

#endif
