/* api/slice.h - what a moment depends on, and what depends on it, over all its causes. */
#ifndef HINDSIGHT_API_SLICE_H
#define HINDSIGHT_API_SLICE_H

#include "history.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which causes are followed; the rules are those of hs_causes_open. */
enum hs_slice_kind {
    HS_SLICE_ALL = 0,    /* data and control */
    HS_SLICE_THIN = 1,   /* data: values alone, not the objects, arrays and indices by which they were reached */
    HS_SLICE_CONTROL = 2 /* the branches, calls and throws that decided that it happened */
};
/* A moment of a slice. */
struct hs_slice {
    const struct hs_event *event;
    /* writes, calls and branches that lie between at least; moments of one expression, and the object, array and index
     * of an access, have the same distance as their value */
    uint32_t distance;
    uint64_t from;       /* seq of the moment by which it was found; HS_NO_SEQ: it is the one asked for */
    enum hs_cause_by by; /* how that one depends on it (forward: it on that one) */
    const char *because; /* where its value comes from, or what it stands under, a phrase */
    const char *end;     /* why the chain of its value, or of what decided it, ends here; NULL: it goes on */
    bool output;         /* what the program wrote to standard output or error is made here */
    const struct hs_decision *decision; /* of a branch: its condition and values; NULL: it is none */
    const char *overflow; /* what arithmetic of its value, or of what the branch looked at, lost; NULL: nothing */
};
struct hs_slice_options {
    size_t size;  /* sizeof(struct hs_slice_options) */
    uint64_t seq; /* the event */
    enum hs_slice_kind kind;
    bool forward;      /* what came of it, oldest first, instead of what it came from */
    uint32_t distance; /* moments further away are left out; UINT32_MAX: none are */
};
#define HS_SLICE_OPTIONS_INIT                                                                                          \
    {                                                                                                                  \
        .size = sizeof(struct hs_slice_options), .distance = UINT32_MAX                                                \
    }
/* The moments that event `seq` depends on, itself first, each once: by distance, of the same distance the newest first.
 * They are found as they are asked for; a row stays until the next one. HS_ERR_NOT_FOUND: no such event. HS_ERR_USAGE:
 * of data alone, and it has no value. */
HS_API int hs_slice_open(hs_trace *trace, const struct hs_slice_options *options, hs_cursor **out,
                         struct hs_error *error);
HS_API int hs_slice_next(hs_cursor *cursor, const struct hs_slice **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
