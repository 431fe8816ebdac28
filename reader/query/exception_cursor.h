/* exception_cursor.h - the cursor over exceptions, for the files that make it: exceptions.c has its rows,
 * exception_uses.c says which were used after they were caught. */
#ifndef READER_QUERY_EXCEPTION_CURSOR_H
#define READER_QUERY_EXCEPTION_CURSOR_H

#include "formats/map.h"
#include "reader/cursor/cursor.h"
#include "reader/index/flights.h"
#include "reader/query/flight_stream.h"

/* A flight of an object, in one thread or in any (`thread` 0 of the key). */
struct flight_of {
    uint64_t key;  /* the id; above it the thread + 1 */
    size_t number; /* its position in flights + 1 */
};

struct exception_cursor {
    hs_cursor base;
    hs_trace *trace;
    uint64_t read;                /* phase_resume */
    struct exception_lists lists; /* events in the global order */
    struct flight_stream stream;  /* of those that are not in `lists` */
    bool streams;
    struct exception_event from; /* no flight before it is asked for */
    bool uses_known;             /* lists.uses has all, but those of lists.unsure */
    u64_vec until;               /* by the number of a chunk: the last stamp of those up to it; while it is needed */
    flight_vec flights;
    MAP(struct flight_of)
    by_id;          /* of objects, the only flight or one of several; of both, where a walk is: of those
                                    of which there are several */
    size_t at;      /* next flight */
    size_t checked; /* flights whose later uses were searched for one by one */
    bool all_checked;
    bool left_out_known;
    uint64_t left_out_until; /* uses before this event may be missing (left_out.h) */
    struct hs_exception answer;
    struct arena contents; /* of the answer, as far as they were asked for */
    const struct hs_thrown *held;
    const struct hs_throw_stack *stack;
    bool held_read, stack_read;
    struct hs_event first; /* of the answer */
    u64_vec exits;         /* of the answer */
    struct thrown_kind kind;
    bool kind_known; /* without its contents */
    /* groups: */
    struct flight_sums sums; /* by their first flight */
    size_t sum;              /* next one */
    struct hs_exception_group group;
};

static inline int exceptions_no_memory(const hs_trace *t, struct hs_error *error)
{
    struct error err;
    (void)error_memory(&err, "%s", t->dir);
    return give(error, &err);
}

/* ---- exception_uses.c ---- */

/* The flights by object. False: out of memory. */
bool uses_number(struct exception_cursor *c);
/* An exception that another one holds is not swallowed. False: out of memory. */
bool uses_mark_held(struct exception_cursor *c);
/* Does the index know of uses of any? Else no flight is looked for by its object. */
bool uses_any_known(const struct exception_cursor *c);
/* What the index knows of uses. */
void uses_check_known(struct exception_cursor *c);
/* Finds out whether the exception is used after it was caught. */
int uses_check(struct exception_cursor *c, struct flight *x, struct hs_error *error);
/* Events that are missing may have used an exception after it was caught: left_out_until. */
int uses_find_left_out(struct exception_cursor *c, struct hs_error *error);

#endif
