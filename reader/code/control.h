/* control.h - which branches decide whether an instruction of a method runs. A public header of this folder.
 *
 *     0  iload x          3 and 6 run because 1 went on, 9 because it jumped;
 *     1  ifle 9           12 runs whatever 1 does
 *     3  ...
 *     6  goto 12
 *     9  ...
 *     12 return
 *
 * An instruction is control dependent on the way from a branch to one of its targets if control that goes this way
 * always comes to it, and not always from the branch (Ferrante, Ottenstein, Warren 1987): it post-dominates the target
 * but not the branch. Instructions are numbered as in code.insns.
 *
 * Control flow is that without exceptions: a call is taken to return. Handlers are entered from outside; the way from
 * the instruction that threw to the handler can be asked about like that of a branch. athrow leads to the handlers that
 * cover it, if there are any, else out of the method. A loop without an exit is given one, at its last instruction. */
#ifndef READER_CONTROL_H
#define READER_CONTROL_H

#include "formats/jvm/code.h"
#include "formats/vec.h"

/* A tree of dominators: `a` dominates `b` if the interval of `a` encloses that of `b`. */
struct control_tree {
    uint32_t *first, *last; /* by node; first 0: it is not in the tree */
};
struct control {
    const struct code *code;
    uint32_t *from, *to;  /* edges between instructions; to == count: out of the method */
    uint32_t *edges_from; /* by instruction: its first edge; edges are sorted by `from` */
    size_t edge_count;
    struct control_tree before, after; /* dominators, post-dominators */
};
/* False: out of memory. control_done in any case. */
bool control_make(const struct code *c, struct control *out);
void control_done(struct control *g);

/* Is it a conditional branch or a switch? */
bool control_is_branch(const struct code *c, uint32_t insn);
/* Does `insn` run because control went from `branch` to `to`? */
bool control_decides(const struct control *g, uint32_t branch, uint32_t to, uint32_t insn);
/* The same of the way from an instruction that threw to the handler `to`. Behind athrow it is one of the code, so that
 * what the handler does is under the branch before it, too; the handler is nearer. */
bool control_catch_decides(const struct control *g, uint32_t from, uint32_t to, uint32_t insn);
/* The ways that decide `insn`, of those to one handler one; until `each` says false, which it gives. */
typedef bool control_way_fn(void *context, uint32_t from, uint32_t to, bool caught);
bool control_ways(const struct control *g, uint32_t insn, control_way_fn *each, void *context);
/* Does control always come to `first` before `insn`? */
bool control_dominates(const struct control *g, uint32_t first, uint32_t insn);
/* Does control always come to `insn` from `first` on? */
bool control_follows(const struct control *g, uint32_t first, uint32_t insn);
/* Marks, in bytes by instruction, from which ones control can come to `insn` (itself included). False: out of memory.
 * With `forward` instead: to which ones it can go from there. */
bool control_reach(const struct control *g, uint32_t insn, bool forward, uint8_t *marks);

#endif
