/* api/heap.h - the objects at a moment: which are reachable, what keeps them, what has changed since another moment. */
#ifndef HINDSIGHT_API_HEAP_H
#define HINDSIGHT_API_HEAP_H

#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Objects are those that events up to the moment show; what holds them is what the events show:
 *
 *     reached    from the roots, over fields and elements as they were last seen. Roots are static fields, constants,
 *                this, parameters, variables and monitors of the open calls of each thread, and the value that a
 *                thread's last event has
 *     outside    not reached, but given to code that is not woven, or had from it, or held by such an object: whether
 *                that code holds it is not known
 *     unheld     neither: nothing that was recorded holds it */
struct hs_heap_row {
    const char *type; /* as in Java source; NULL: not known */
    uint32_t id;      /* of the object; 0: the row is those of the type */
    uint64_t reached, outside, unheld;
    /* objects that would not be reached without it, itself counted; of a type: without all of its objects */
    uint64_t retained;
    uint32_t dominator; /* of an object: the nearest one on every way to it from the roots; 0: there is none */
    const char *root;   /* of an object: the root that holds it, "static Bank.accounts"; NULL: none does directly */
    /* with `since`: reached then; reached now and not seen then; reached then and not now */
    uint64_t before, made, gone;
};
struct hs_heap_options {
    size_t size;           /* sizeof(struct hs_heap_options) */
    uint64_t at;           /* just after this event; HS_NO_SEQ: at the end */
    uint64_t since;        /* a moment before; HS_NO_SEQ: none */
    bool objects;          /* a row for each object that is reached, else for each type */
    const char *type_glob; /* NULL: all */
    size_t max;            /* with `objects`: those that retain most; 0: all */
};
#define HS_HEAP_OPTIONS_INIT                                                                                           \
    {                                                                                                                  \
        .size = sizeof(struct hs_heap_options), .at = HS_NO_SEQ, .since = HS_NO_SEQ                                    \
    }
/* Types by how many of their objects are reached, objects by what they retain, the most first; rows are kept. One pass
 * over the events up to the moment. What code that is not woven has written since it was given an object is not
 * known. */
HS_API int hs_heap_open(hs_trace *trace, const struct hs_heap_options *options, hs_cursor **out,
                        struct hs_error *error);
HS_API int hs_heap_row_next(hs_cursor *cursor, const struct hs_heap_row **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
