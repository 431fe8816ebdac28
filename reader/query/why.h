/* why.h - what why.c (links between events) and why_operands.c (what an instruction took from the operand stack) share.
 */
#ifndef READER_WHY_H
#define READER_WHY_H

#include "reader/query/state.h"

enum { OPERANDS_MAX = 16, TEXT_MAX = 400 };

/* One link of the chain being explained. */
struct why {
    hs_trace *trace;
    struct arena *arena;
    struct hs_event now;          /* the event; has its seq */
    const struct hs_dataid *site; /* of now */
    /* the explanation */
    char because[TEXT_MAX];
    const char *end; /* static text; NULL: `next` is the next link */
    struct hs_event next;
    uint64_t operands[OPERANDS_MAX];
    size_t operand_count;
};

/* Explains the link: it goes on to `next`, or ends. Both return OK. */
enum status why_goes_on(struct why *w, const struct hs_event *next, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
enum status why_ends(struct why *w, const char *end, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Gives an event its seq. */
enum status why_number(struct why *w, struct hs_event *e, struct error *err);
/* Explains a link that took its value from the operand stack, `depth` slots below the top. `verb` says what was done
 * with it. */
enum status why_from_stack(struct why *w, uint32_t depth, const char *verb, struct error *err);

static inline struct event_position why_position(const struct why *w, const struct hs_event *e)
{
    return (struct event_position){ positions_stream(w->trace, e->thread), e->position };
}

#endif
