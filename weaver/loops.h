/* loops.h - loops whose records are counted, or kept, in local variables (loops.c, ring.c). */
#ifndef WEAVER_LOOPS_H
#define WEAVER_LOOPS_H

#include "formats/vec.h"
#include "weaver/emit.h"

struct method_plan;
struct record;

enum { LOOP_COUNTERS_MAX = 64 }; /* records of a method */
struct counted_loop {
    uint32_t first, end; /* instructions */
};
/* Loops that overlap or touch. */
struct loop_nest {
    struct counted_loop all;
    unsigned counter, room, used; /* its first counter, those reserved, those in use */
};
#define NOT_IN_LOOP UINT32_MAX
struct loop_counter {
    uint32_t id;   /* 1 + the first data ID of the record; 0 not in use */
    uint32_t loop; /* the innermost */
};
/* Where control may go from one loop to another, or into a nest. */
enum loop_edge_kind {
    EDGE_LEAVES,        /* what comes to the instruction may have left that loop, or, with NOT_IN_LOOP, the nest */
    EDGE_ENTERS,        /* the instruction may branch into the nest */
    EDGE_ENTERS_BEHIND, /* what comes behind the instruction is in the nest */
};
struct loop_edge {
    uint32_t insn;
    enum loop_edge_kind kind;
    uint32_t nest, loop;
};
struct loop_mark; /* by instruction, while loops are looked for */

struct loop_plan {
    VEC(struct counted_loop) loops;
    VEC(struct loop_nest) nests;
    VEC(struct loop_edge) edges; /* by instruction */
    struct loop_mark *marks;
    bool keeps;        /* records are kept (ring.c), not counted */
    uint16_t local;    /* int locals with the counters; or long ones: a number, and places of entries */
    unsigned counters; /* how many records have one */
    struct loop_counter counter[LOOP_COUNTERS_MAX];
    size_t next_edge; /* while code is lowered: the first that is not */
};

/* Once the groups are known: finds the loops; returns how many slots of locals they need. */
unsigned loops_find(struct method_plan *m);
void loops_done(struct loop_plan *l);
/* The nest that an instruction is in, or NULL. */
struct loop_nest *loops_nest(struct method_plan *m, uint32_t insn);
/* The same, if its records are counted, or kept, there: not at a return, which leaves it. */
struct loop_nest *loops_recording(struct method_plan *m, uint32_t insn);
/* Once records are grouped: which of them have counters. */
void loops_assign(struct method_plan *m);
/* The record's call, if it stands in a nest; false: it is lowered as elsewhere. */
bool loops_record(struct method_plan *m, const struct loop_nest *nest, const struct record *r);
/* Zeros, at the begin of the method; what leaves all loops, where an exception leaves the method. */
void loops_begin(struct method_plan *m, struct emitter *e);
void loops_exit(struct method_plan *m, struct emitter *e);
/* While code is lowered: what nests at the first instruction need; what the edges of this kind at an instruction do. */
void loops_enter_first(struct method_plan *m);
void loops_edges(struct method_plan *m, uint32_t insn, enum loop_edge_kind kind);

/* ---- where records are kept (ring.c) ---- */
bool ring_possible(const struct method_plan *m); /* once the groups are known */
/* May a loop whose records are kept have this instruction? */
bool ring_may_hold(struct method_plan *m, uint32_t insn);
void ring_begin(const struct loop_plan *l, struct emitter *e);
void ring_enter(const struct loop_plan *l, const struct loop_nest *n, unsigned used, struct emitter *e);
void ring_leave(const struct loop_plan *l, unsigned counter, struct emitter *e);
/* `release`: the hook is the releasing variant, and called as elsewhere. */
void ring_record(const struct loop_plan *l, const struct loop_nest *n, const struct record *r, bool release,
                 struct emitter *e);

#endif
