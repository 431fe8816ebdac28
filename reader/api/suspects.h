/* api/suspects.h - what sets failing runs apart from passing ones. */
#ifndef HINDSIGHT_API_SUSPECTS_H
#define HINDSIGHT_API_SUSPECTS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a run did, or did not. */
enum hs_suspect_kind {
    HS_SUSPECT_BRANCH = 1,    /* a branch went this way */
    HS_SUSPECT_VALUE = 2,     /* a value satisfied this: `count < 0`, `result == null` */
    HS_SUSPECT_EXCEPTION = 3, /* one of this type was thrown or caught here, or left the method */
    HS_SUSPECT_METHOD = 4,    /* it was entered */
    HS_SUSPECT_LINE = 5       /* a line ran that no other row names; also one that passing runs ran as often */
};
/* "branch", "value", ...; NULL: no such kind. */
HS_API const char *hs_suspect_kind_name(enum hs_suspect_kind kind);

/* A run: a whole recording, or a part of one, such as a test. */
struct hs_suspect_run {
    hs_trace *trace;
    uint64_t from, to; /* seqs, both included; 0, UINT64_MAX: all of it */
    uint32_t thread;   /* only what this one did; UINT32_MAX: all threads */
    bool failed;
};
struct hs_suspect {
    enum hs_suspect_kind kind;
    const char *method;                        /* Class.method */
    const char *file;                          /* as in struct hs_dataid */
    int32_t line;                              /* -1: not known */
    const char *what;                          /* "count < 0", "throws java.io.IOException"; of a method NULL */
    uint64_t failing, passing;                 /* runs in which it was so */
    uint64_t failing_reached, passing_reached; /* runs that came to that branch or value; of other kinds all runs */
    double ochiai;                             /* 1: in all failing runs and in no passing one */
    double increase; /* by how much it raises the share of failing runs that came there; > 0, of a line >= 0 */
    size_t run;      /* number of the first failing run in which it was so; with `never` the first passing one */
    uint64_t seq;    /* the first moment in it; of a line the last one */
    bool never;      /* every passing run did it, and no failing one: scores are those of its absence */
};
struct hs_suspect_options {
    size_t size; /* sizeof(struct hs_suspect_options) */
    const struct hs_suspect_run *runs;
    size_t count;
    const char *class_glob; /* only in these classes; NULL: in all */
    bool never;             /* what every passing run did and no failing one, instead */
};
#define HS_SUSPECT_OPTIONS_INIT                                                                                        \
    {                                                                                                                  \
        .size = sizeof(struct hs_suspect_options)                                                                      \
    }
/* What is more frequent among failing runs, by `ochiai`, then by `increase`, then by the first moment; lines then by
 * the last one, that first which ran nearest to the end of the run. Reads all events
 * of each run. The traces stay open as long as the cursor; their classes are the same by name, their code by place.
 * HS_ERR_USAGE: there is no failing run, or no passing one. With `never` those come
 * first of which most failing runs came to the branch or value, then by the first moment. */
HS_API int hs_suspects_open(const struct hs_suspect_options *options, hs_cursor **out, struct hs_error *error);
HS_API int hs_suspect_next(hs_cursor *cursor, const struct hs_suspect **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
