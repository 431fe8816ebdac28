/* why.h - one link of the chain of causes. why.c links events; why_operands.c links a value that an instruction took
 * from the operand stack to the event of the instruction that pushed it; why_link.c keeps what they say. */
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
    /* the explanation: */
    char because[TEXT_MAX];
    const char *end; /* static text; NULL: `next` is the next link */
    struct hs_event next;
    uint64_t operands[OPERANDS_MAX];
    size_t operand_count;
};

/* Explain the link: the chain goes on at `next`, or ends. Both return OK. */
enum status why_goes_on(struct why *w, const struct hs_event *next, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
enum status why_ends(struct why *w, const char *end, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Gives an event its seq. */
enum status why_number(struct why *w, struct hs_event *e, struct error *err);
/* Explains a link whose value was taken from the operand stack, `depth` slots below the top; `verb` is what was done
 * with it. */
enum status why_from_stack(struct why *w, uint32_t depth, const char *verb, struct error *err);

static inline struct event_position why_position(const struct why *w, const struct hs_event *e)
{
    return (struct event_position){ positions_stream(w->trace, e->thread), e->position };
}

#endif
