/* hidden.h - redact=: copies of a hidden value that have no name of their own.
 *
 * Values are followed through one method, along the operand stack and through local variables without a name (those of
 * the compiler, or all of a class compiled without -g). A value is hidden if it comes from a place that redact= names
 * or goes to one:
 *
 *     pin = Integer.parseInt(s)        the result, and the text s
 *     try { return pin; } finally {}   the variable that holds the result meanwhile
 *     () -> pin, new Runnable() {...}  the argument, and the parameter that the constructor of the local class stores
 *     check(pin), return pin           the argument, what is returned
 *     code[i], a[0] = pin              the elements of an array that comes from such a place; what is stored into one
 *
 * A reference that is made from a hidden number ("pin " + pin) is hidden. A named variable, a parameter and the result
 * of a call are places of their own. */
#ifndef WEAVER_HIDDEN_H
#define WEAVER_HIDDEN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/vec.h"

struct method_scan;
struct hidden_argument {
    uint32_t insn, argument; /* from 0, without the receiver */
    uint32_t node;
};
struct hidden {
    bool all;       /* what is hidden could not be found out: everything is */
    uint32_t slots; /* the first node of local variables; before them are the results of instructions */
    uint8_t *marks; /* by node */
    uint32_t node_count;
    VEC(struct hidden_argument) arguments; /* in the order of instructions */
};

/* Analyzes the method; needs its names and its flow. */
void hidden_look(struct method_scan *s);
void hidden_done(struct hidden *h);
/* Is the value that the instruction leaves on the stack hidden? */
bool hidden_result(const struct method_scan *s, uint32_t insn);
/* Is a local variable without a name? */
bool hidden_slot(const struct method_scan *s, unsigned slot);
/* Is an argument of a call, from 0 without the receiver; what a return instruction returns; what is stored into an
 * array? */
bool hidden_argument(const struct method_scan *s, uint32_t insn, unsigned argument);

#endif
