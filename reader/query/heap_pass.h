/* heap_pass.h - which object holds which, as the events up to a moment show it: one pass, which keeps the last value of
 * each reference, so memory is that of the objects and does not grow with the trace.
 *
 * A store is recorded before it is done. It counts when the next event of its thread does not show that it threw. */
#ifndef READER_HEAP_PASS_H
#define READER_HEAP_PASS_H

#include "formats/map.h"
#include "reader/cursor/cursor.h"
#include "reader/query/given.h"

/* A field or an element that holds a reference. Objects are nodes here: numbered from 1 on as they are seen. */
struct held {
    uint64_t key; /* (node << 32 | number of the field, or index) + 1; node 0: a static field */
    uint64_t value;
};
/* References of so many nodes that follow each other: one map of all would be moved as a whole when it grows. */
enum { HELD_PART_BITS = 14 };
typedef MAP(struct held) held_part;

enum heap_flag {
    HEAP_OUTSIDE = 2,  /* it was given to code that is not woven */
    HEAP_CONSTANT = 4, /* of the code */
    HEAP_MADE = 8,     /* by woven code */
};
struct early {
    uint32_t method_id, field, value;
};
struct heap_thread {
    uint32_t thread;
    struct hs_event last;
    struct given_thread given;
    uint32_t object; /* node, of the instruction that is under way */
    uint64_t index, elements;
    bool stores; /* `store` is to be done */
    struct held store;
    VEC(struct early) early; /* written by constructors before their objects could be seen */
};
struct heap_field {
    const char *declaring, *name;
};
struct heap_pass {
    hs_trace *trace;
    uint32_t **pages; /* by object id: its node; the rest is never touched and takes no memory */
    uint32_t page_count;
    VEC(struct heap_node {
        uint32_t id;
        uint8_t flags; /* enum heap_flag */
    })
    nodes;
    VEC(held_part) parts;          /* by node >> HELD_PART_BITS */
    u32_vec of_dataid;             /* its field + 1; 0: not looked at; UINT32_MAX: none */
    VEC(struct heap_field) fields; /* the number of a field is its place */
    MAP(struct field_number {
        uint64_t key; /* hash of its class and name */
        uint32_t number;
    })
    numbers;
    VEC(struct heap_thread) threads;
    MAP(struct thread_number {
        uint64_t key; /* thread + 1 */
        uint32_t number;
    })
    of_thread;
    bool no_memory;
};
/* Zero but for `trace` at first. False: out of memory. heap_pass_done in any case. */
bool heap_pass_begin(struct heap_pass *p);
/* Applies the next event of all threads. */
void heap_pass_take(struct heap_pass *p, const struct hs_event *e);
/* Completes what is under way: stores of the last events count. Others may follow. */
void heap_pass_settle(struct heap_pass *p);
void heap_pass_done(struct heap_pass *p);
/* 0: no event showed the object. */
uint32_t heap_node(const struct heap_pass *p, uint64_t id);

#endif
