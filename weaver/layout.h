/* layout.h - original instructions and inserted code put together: final addresses.
 *
 * Input: a method plan whose planners have run. Output: the new code, and where every old pc went. A branch to an old
 * pc lands on the code inserted before its instruction. When code grows past 32767 bytes a two-byte distance may not
 * reach: goto and jsr become goto_w and jsr_w; a conditional branch goes to a trampoline instead, a goto_w that stands
 * where control does not pass, behind an unconditional transfer, with the frame of its target (an inverted condition
 * would need a frame that does not exist). Sizes depend on distances and distances on sizes, so layout repeats until
 * stable; it ends, because a branch once widened stays wide. Switch padding follows from the address. JVMS 4.7.3, 6.5.
 */
#ifndef WEAVER_LAYOUT_H
#define WEAVER_LAYOUT_H

#include "weaver/plan.h"

enum { CODE_MAX = 65535 };

struct trampoline {
    uint32_t host;   /* instruction behind which it stands */
    uint32_t target; /* instruction it jumps to */
    uint32_t new_pc;
};

struct layout {
    uint32_t *label_pc;                 /* by instruction, and one behind the last: where branches to it land */
    uint32_t *insn_pc;                  /* by instruction: itself */
    uint8_t *wide;                      /* by instruction: enum branch_form */
    uint32_t *via;                      /* by instruction: trampoline that a conditional branch uses */
    VEC(struct trampoline) trampolines; /* by host, ascending */
    uint32_t length;                    /* of all code; the exceptional exit handlers come behind */
};

/* ERR_LIMIT when the code passes CODE_MAX bytes or a conditional branch finds no place for its trampoline. */
enum status layout_run(struct layout *l, const struct method_plan *m, struct error *err);
void layout_done(struct layout *l);
/* Writes the code. */
void layout_write(const struct layout *l, const struct method_plan *m, struct writer *w);

/* Where an exception range that starts, or ends, at this old pc does so now. Inserted code right behind monitorenter
 * belongs to the range that follows it, so that no code holds a monitor unprotected; trampolines belong to no range. */
uint32_t layout_range_start(const struct layout *l, const struct method_plan *m, uint32_t pc);
uint32_t layout_range_end(const struct layout *l, const struct method_plan *m, uint32_t pc);
/* New pc of an old one, for line numbers and local variable ranges; the end of the code maps to its new end. */
uint32_t layout_pc(const struct layout *l, const struct method_plan *m, uint32_t pc);

#endif
