/* thrown.h - where an exception comes from, beyond the event that shows it first.
 *
 * Code that is not woven throws without an event: what shows the exception first is then its CATCH, at the line of the
 * handler, or the exit of a method: hs_thrown_at has the instruction that threw. */
#ifndef READER_COMMAND_THROWN_H
#define READER_COMMAND_THROWN_H

#include "formats/json.h"
#include "reader/command/show.h"
#include "reader/trace.h"

/* Where in the method of the event it was thrown, or what threw was called. */
struct spot thrown_spot(hs_trace *t, const struct hs_event *event);
/* What stands in the place of a message that there is, but is not known. NULL: the message is there, or there is none.
 * `thrown` NULL: its contents were not recorded. */
const char *thrown_message_missing(const struct hs_thrown *thrown);
/* The members about the message: `message`, and `message_redacted`, `message_computed`, `message_overridden`. */
void thrown_message_json(struct json *j, const struct hs_thrown *thrown);
/* The members `cause`, `suppressed` and `frames`, as far as there are any; `thrown` may be NULL. */
void thrown_cause_json(struct show *s, const struct hs_thrown *thrown);
void thrown_suppressed_json(struct show *s, const struct hs_thrown *thrown);
void thrown_frames_json(struct show *s, const struct hs_thrown *thrown);
/* Where an exception went that left recorded code and met no handler there, by its stack. */
struct thrown_end {
    bool uncaught;            /* it ended its thread: no code that is not woven called the outermost method */
    bool cut;                 /* it left more methods than its stack has: neither is known */
    struct hs_stack_frame to; /* the code that is not woven which has got it; class_name NULL: not known, or none */
};
/* Where the exception of a throw went whose stack was recorded with it. */
struct thrown_end thrown_end_of(const struct hs_throw_stack *stack);
/* How many frames it left; `exits` without a stack. */
uint64_t thrown_left(const struct hs_throw_stack *stack, uint64_t exits);
struct thrown_end thrown_end(hs_trace *t, const struct hs_exception *x, const struct hs_thrown *thrown);

/* "stack":[{"class":..,"method":..,"file":..,"line":..,"catches":true,"variables":[{"name":..,"value":..}]}]; nothing
 * without a stack. */
void thrown_stack_json(struct show *s, const struct hs_throw_stack *stack);
/* A line for each frame: of the stack, or of what is known of the exception. */
void thrown_stack_text(struct show *s, const struct hs_throw_stack *stack, const struct hs_thrown *thrown);

/* What answers have of a flight. */
struct thrown_row {
    const struct hs_exception *x;
    const struct hs_thrown *known;   /* the object; NULL: nothing is known of it */
    const char *type;                /* NULL: not known */
    uint64_t thread;                 /* of the event `thrown`; HS_NO_SEQ: the event cannot be read */
    const char *class_name, *method; /* of that event; NULL: not known */
    uint32_t class_no;
    struct spot spot; /* that threw */
    struct thrown_end end;
    const struct hs_throw_stack *stack; /* with format=exceptions: its first frame is the place; else NULL */
};
/* The parts that cost more than a look into the index; the others are always there. */
enum thrown_parts {
    THROWN_KNOWN = 1, /* `known` */
    THROWN_SPOT = 2,
    THROWN_END = 4,
    THROWN_ALL = 7
};
/* `from`: the cursor that returned it last, whose memory `known`, `end` and `stack` are in; NULL: that of the trace. */
struct thrown_row thrown_row(hs_trace *t, hs_cursor *from, const struct hs_exception *x, unsigned parts);

#endif
