/* api/overflows.h - arithmetic that did not give the exact result: it wrapped, or a conversion lost bits. */
#ifndef HINDSIGHT_API_OVERFLOWS_H
#define HINDSIGHT_API_OVERFLOWS_H

#include "conditions.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HS_OVERFLOWS_MAX = 1 << 20 };
enum hs_loss {
    HS_LOSS_WRAPPED = 1,   /* the exact result needs more bits than its type has */
    HS_LOSS_BITS = 2,      /* a conversion: the value needs more bits than the new type has */
    HS_LOSS_SATURATED = 3, /* a conversion gave the greatest or least value of its type */
    HS_LOSS_ROUNDED = 4,   /* a float or double does not have this integer */
    HS_LOSS_INFINITE = 5,  /* a double is too great for a float */
    HS_LOSS_NAN = 6        /* a conversion made 0 of NaN */
};
/* "wrapped", "bits", "saturated", ...; NULL: no such loss. */
HS_API const char *hs_loss_name(enum hs_loss loss);

/* One instruction that lost something, or all times that an instruction did. */
struct hs_overflow {
    uint64_t seq;            /* of the event right before it (else behind it) in its thread: the first time */
    uint64_t last;           /* the last time */
    uint64_t count;          /* how often */
    uint32_t thread, dataid; /* of the event `seq` */
    uint32_t method_id, pc;  /* of the instruction */
    int32_t line;            /* -1: not known */
    const char *file;        /* as in struct hs_dataid */
    const char *op;          /* "imul" */
    const char *symbol;      /* as it stands in source: "*", "(int)" */
    enum hs_loss loss;
    uint32_t bits;    /* HS_LOSS_BITS: that are lost */
    const char *what; /* "imul wrapped", "l2i lost 3 bits" */
    /* the first time; one operand: `right` alone, and `left` has no kind (0). Of iinc `left` is the old value */
    struct hs_value left, right, result;
    const char *exact; /* HS_LOSS_WRAPPED: the exact result, in decimal; else NULL */
};
struct hs_overflow_options {
    size_t size;             /* sizeof(struct hs_overflow_options) */
    uint64_t from, to;       /* seq, both inclusive */
    const uint32_t *threads; /* thread numbers; NULL: all */
    size_t thread_count;
    const char *class_glob, *method_glob; /* as in struct hs_filter */
    hs_condition *where; /* hs_condition_overflow is true of it, borrowed until the function returns; NULL: none */
    bool each;           /* a row each time, else one for each instruction */
    size_t max;          /* with `each`: the newest of them; 0, or more than HS_OVERFLOWS_MAX: so many */
};
#define HS_OVERFLOW_OPTIONS_INIT                                                                                       \
    {                                                                                                                  \
        .size = sizeof(struct hs_overflow_options), .to = UINT64_MAX                                                   \
    }
/* The newest first, by `last`; rows are kept. Reads all events of the methods asked for. Operands are those that events
 * show: instructions whose operands were not recorded are not among the rows (hs_overflows_unknown). */
HS_API int hs_overflows_open(hs_trace *trace, const struct hs_overflow_options *options, hs_cursor **out,
                             struct hs_error *error);
HS_API int hs_overflow_next(hs_cursor *cursor, const struct hs_overflow **row, struct hs_error *error);
/* Were there more than `max`? */
HS_API bool hs_overflows_cut(const hs_cursor *overflows);
/* Instructions of the methods that ran which could have lost something, but whose operands, or whether they ran, the
 * recording does not show; how often that was so of others. */
HS_API uint64_t hs_overflows_unknown(const hs_cursor *overflows, uint64_t *times);

/* Names of overflows: seq thread class method line pc op loss bits left right result count. */
HS_API enum hs_truth hs_condition_overflow(hs_condition *condition, hs_trace *trace, const struct hs_overflow *row);

#ifdef __cplusplus
}
#endif

#endif
