/* layout.h - combines original instructions and inserted code, and assigns final addresses.
 *
 * Input: a method plan whose planners have run. Output: the new code and a map from every old pc to the new one. A
 * branch to an old pc lands on the code inserted before its instruction. When code grows past 32767 bytes a two-byte
 * distance may not reach: goto and jsr become goto_w and jsr_w; a conditional branch goes to a trampoline instead, a
 * goto_w placed where control does not fall through, behind an unconditional transfer, with the frame of its target (an
 * inverted condition would need a frame that does not exist). Sizes depend on distances and distances on sizes, so
 * layout repeats until stable; it ends, because a branch once widened stays wide. Switch padding follows from the
 * address. JVMS 4.7.3, 6.5. */
#ifndef WEAVER_LAYOUT_H
#define WEAVER_LAYOUT_H

#include "weaver/plan.h"

enum { CODE_MAX = 65535 };

struct trampoline {
    uint32_t host;   /* instruction that it is placed behind */
    uint32_t target; /* instruction it jumps to */
    uint32_t new_pc;
};

struct layout {
    uint32_t *label_pc;                 /* by instruction, and one behind the last: where branches to it land */
    uint32_t *insn_pc;                  /* by instruction: its own pc */
    uint8_t *wide;                      /* by instruction: enum branch_form */
    uint32_t *via;                      /* by instruction: trampoline that a conditional branch uses */
    VEC(struct trampoline) trampolines; /* by host, ascending */
    uint32_t length;                    /* of all code; the exceptional exit handlers come behind */
};

/* ERR_LIMIT when the code passes CODE_MAX bytes or there is no place for the trampoline of a conditional branch. */
enum status layout_run(struct layout *l, const struct method_plan *m, struct error *err);
void layout_done(struct layout *l);
/* Writes the code. */
void layout_write(const struct layout *l, const struct method_plan *m, struct writer *w);

/* The new pc of an exception range that starts, or ends, at this old pc. Inserted code right behind monitorenter
 * belongs to the range that follows it, so that no code holds a monitor unprotected; trampolines belong to no range. */
uint32_t layout_range_start(const struct layout *l, const struct method_plan *m, uint32_t pc);
uint32_t layout_range_end(const struct layout *l, const struct method_plan *m, uint32_t pc);
/* Where the instruction itself ends. */
uint32_t layout_insn_end(const struct layout *l, const struct method_plan *m, size_t i);
/* New pc of an old one, for line numbers and local variable ranges; the end of the code maps to its new end. */
uint32_t layout_pc(const struct layout *l, const struct method_plan *m, uint32_t pc);

#endif
