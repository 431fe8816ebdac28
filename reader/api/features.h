/* api/features.h - features: what of the program ran inside of marks, and calls over the course of a run.
 *
 * A feature is a name that was marked: its events are those inside any of the marks of that name. Its methods are those
 * entered inside. */
#ifndef HINDSIGHT_API_FEATURES_H
#define HINDSIGHT_API_FEATURES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
