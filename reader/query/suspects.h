/* suspects.h - features of runs, and the runs that had them: suspects.c counts them, suspect_rows.c scores them. */
#ifndef READER_SUSPECTS_H
#define READER_SUSPECTS_H

#include "formats/map.h"
#include "reader/query/decision.h"

/* What a value may satisfy. */
enum predicate { IS_NULL, NOT_NULL, IS_FALSE, IS_TRUE, BELOW_ZERO, IS_ZERO, ABOVE_ZERO, IS_NAN, IS_EMPTY, PREDICATES };

/* What runs had it; one without `kind` counts the runs that came there. */
struct feature {
    uint64_t key;
    uint64_t context;      /* key of the feature that counts these; 0: all runs */
    uint64_t method;       /* key of its method */
    uint64_t order;        /* of a line: of `first` among the events of its run */
    size_t last;           /* number of the last run that had it, + 1; 0: only dropped tests had (passed.h) */
    uint64_t runs[2];      /* passing, failing */
    uint32_t dataid, what; /* what: of a value its predicate, of a line its number */
    uint32_t first_run;    /* of the failing ones, with `never` of the passing ones */
    enum hs_suspect_kind kind;
    const char *word; /* for it, of an exception or of a value without a name */
    bool is_context, shown;
    struct hs_event first; /* in that run; of a line the last one */
};
/* A data ID of the trace that is being read. */
struct place_seen {
    uint64_t key;    /* the same in all traces; 0: it is not looked up yet */
    uint64_t method; /* of its method */
    size_t run;      /* number of the last run that came here, + 1 */
    unsigned had;    /* predicates in it */
    uint64_t value;
    uint64_t order, position; /* of its last event in it */
    uint32_t thread;
    uint8_t sign;
    bool wanted;
};
struct survey {
    const struct hs_suspect_options *want;
    MAP(struct feature) features;
    VEC(struct place_seen) places; /* by data ID */
    u32_vec came;                  /* data IDs that the run has */
    hs_trace *trace;
    size_t run;
    uint64_t order; /* of the event */
    uint64_t runs[2];
};

/* Key of a line of a method. */
static inline uint64_t suspect_line_key(uint64_t method, int32_t line)
{
    const uint64_t both[2] = { method, (uint64_t)line };
    return map_hash(both, sizeof both) | 1;
}
enum status suspect_rows(struct survey *s, struct arena *arena, struct hs_suspect **out, size_t *count,
                         struct error *err);

#endif
