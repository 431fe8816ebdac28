/* program.h - a method as a sequence of steps that execute its code and give its events.
 *
 * The depth of the operand stack before each instruction is fixed (JVMS 4.10), so that locals and stack are registers
 * with fixed numbers: locals first, then the stack. long and double are in the first of their two slots. Ints are
 * sign-extended, floats are their bits, references are object ids: as in events. */
#ifndef READER_DERIVE_PROGRAM_H
#define READER_DERIVE_PROGRAM_H

#include "formats/derived.h"
#include "reader/code/code.h"

/* What a step does. Those that give an event have its data ID in `x`; their order matters: STEP_GIVES. */
enum step_code {
    STEP_VOID,        /* the event has no value */
    STEP_VALUE,       /* value: register a */
    STEP_FROM_PC,     /* value: pc of the instruction before (LABEL) */
    STEP_INPUT,       /* value: from the chunk; register a becomes it */
    STEP_PARAM,       /* value: register a if the frame is direct, else as STEP_INPUT */
    STEP_INITIALIZED, /* value: from the chunk; registers that hold the object become it: program.uninitialized + y */
    STEP_RESULT,      /* value: the result of the call; register a becomes it, if b */
    STEP_EXIT,        /* value: register a, if b; the frame is left */
    STEP_INCREMENT,   /* value: register a, after y was added: an exception before it leaves the register as it is */
    STEP_CALL_IT,     /* value: register a, if b; the last event before a call: dst is the first argument's register, y
                     * is 1 if a constructor is called */
    STEP_GIVES,       /* steps from here on give no event */
    STEP_MOVE = STEP_GIVES, /* dst = a */
    STEP_STORE,             /* dst = a, of a store to a local: the event before it is of the same instruction */
    STEP_CONSTANT,          /* dst = x | y << 32 */
    STEP_NEW,               /* dst = uninitialized(y) */
    STEP_SET_FROM_PC,       /* the instruction before is at pc x */
    STEP_GOTO,              /* to step x, from pc y */
    STEP_IF,                /* b: opcode; registers a and dst; to step x, from pc y */
    STEP_SWITCH,            /* on register a: table x, from pc y */
    STEP_UNARY,             /* dst = opcode b of a */
    STEP_BINARY,            /* dst = opcode x of a, b */
    STEP_STOP, /* the code cannot get here, or only an exception goes on; x: step of the handler behind it, 0 none */
};

struct step {
    uint8_t code;
    uint16_t dst, a, b;
    uint32_t x, y;
};

/* Keys rise. */
struct step_switch {
    const int32_t *keys;
    const uint32_t *steps; /* of each key, then of the default */
    uint32_t count;
};

struct program {
    const struct method *method;
    struct step *steps;
    uint32_t count;
    uint32_t *handler_of; /* by instruction: the step after the CATCH_LABEL before it; 0 none */
    struct step_switch *switches;
    const uint16_t *uninitialized; /* of each STEP_INITIALIZED: number of registers, registers (uninitialized.h) */
    uint32_t registers;            /* the last PROGRAM_SCRATCH of them are used inside an instruction alone */
};
enum { PROGRAM_SCRATCH = 4 };

/* An object that has no id yet: made by the `new` at this pc; 65,536: `this` of a constructor. No event shows it, code
 * can only compare it with another reference. */
enum { PC_OF_THIS = 65536 };
static inline uint64_t uninitialized(uint32_t pc) { return UINT64_C(0xfeed0bad00000000) | pc; }

/* The program, in the arena of the trace, whose code_events are made; NULL: the code cannot be followed from its
 * events, or memory is out (trace_no_memory). */
struct program *program_of(hs_trace *t, const struct method *m);

#endif
