/* api/allocations.h - objects that woven code made: by place, by type, by the calls that led there. */
#ifndef HINDSIGHT_API_ALLOCATIONS_H
#define HINDSIGHT_API_ALLOCATIONS_H

#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HS_ALLOCATION_NODES_MAX = 1 << 20 }; /* calls in the tree; what is made below others is that of their callers */
#define HS_NO_DATAID UINT32_MAX
enum hs_allocations_by {
    HS_ALLOCATIONS_PLACE = 0,
    HS_ALLOCATIONS_TYPE = 1,
    /* methods by the calls that led to them, and below each the places where it made objects; a method that calls
     * itself is one row */
    HS_ALLOCATIONS_TREE = 2
};
struct hs_allocation {
    uint64_t count;     /* objects */
    uint64_t seq, last; /* of the events that made the first and the last one */
    /* of which nothing was read: no field, element or length, no method of theirs was called, none was locked, tested
     * with instanceof, thrown, or given to code that is not woven */
    uint64_t unread;
    uint64_t elements; /* of arrays: their lengths, added up, as far as the instruction that made them shows them */
    uint64_t life;     /* events from making one to the last event that shows it, added up */
    /* collections and maps of the JDK to which woven code added and from which it removed nothing, also not by their
     * iterators and views; and the calls that added to these */
    uint64_t grown, added;
    uint64_t repeated;   /* of strings and arrays: those whose text or elements another one of the row has, but one */
    uint64_t longest;    /* the most of `life` ... */
    uint32_t longest_id; /* ... and the object */
    uint32_t first_id;   /* the first object */
    uint32_t thread;     /* of the event `seq` */
    uint32_t dataid;     /* of the event `seq`; HS_NO_DATAID: the row is a method of the tree, with all below it */
    uint32_t method_id;  /* of that place; or the method */
    uint32_t depth;      /* TREE: from 0 on */
    const char *type;    /* as in Java source; NULL: not known, or a method of the tree */
};
struct hs_allocation_options {
    size_t size; /* sizeof(struct hs_allocation_options) */
    enum hs_allocations_by by;
    uint64_t from, to;       /* seq of what made the objects, both inclusive; uses count up to the end */
    const uint32_t *threads; /* that made them; NULL: all */
    size_t thread_count;
    const char *class_glob, *method_glob; /* as in struct hs_filter: of the method that made them */
    const char *type_glob;                /* their type; NULL: all */
};
#define HS_ALLOCATION_OPTIONS_INIT                                                                                     \
    {                                                                                                                  \
        .size = sizeof(struct hs_allocation_options), .to = UINT64_MAX                                                 \
    }
/* Those with the most objects first; rows are kept. One pass over the events. Objects that code which is not woven made
 * have no row. */
HS_API int hs_allocations_open(hs_trace *trace, const struct hs_allocation_options *options, hs_cursor **out,
                               struct hs_error *error);
HS_API int hs_allocation_next(hs_cursor *cursor, const struct hs_allocation **row, struct hs_error *error);
/* Calls that have no row of their own, as there are more than HS_ALLOCATION_NODES_MAX. */
HS_API uint64_t hs_allocations_cut(const hs_cursor *allocations);

#ifdef __cplusplus
}
#endif

#endif
