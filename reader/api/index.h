/* api/index.h - the index of a trace, which makes questions fast, and whether a trace is consistent. */
#ifndef HINDSIGHT_API_INDEX_H
#define HINDSIGHT_API_INDEX_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
