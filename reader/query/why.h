/* why.h - one link of the chain of causes.
 *
 * why.c makes the chain; why_event.c explains an event by its type, with why_callers.c (parameters), why_results.c
 * (results of calls), why_memory.c (what was loaded) and why_operands.c (what an instruction took from the operand
 * stack); why_link.c keeps what they say. */
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

/* ---- explanations of w->now: one link each ---- */

enum status why_explain(struct why *w, struct error *err); /* by the type of its event */
enum status why_from_caller(struct why *w, struct error *err);
enum status why_from_callee(struct why *w, struct error *err);
enum status why_from_throw(struct why *w, struct error *err);
enum status why_from_dynamic(struct why *w, struct error *err);
enum status why_from_local(struct why *w, const char *verb, struct error *err);
enum status why_from_field(struct why *w, struct error *err);
enum status why_from_element(struct why *w, struct error *err);
enum status why_from_length(struct why *w, struct error *err);

/* ---- helpers ---- */

/* How many INVOKE_DYNAMIC_PARAM come before the event. */
int64_t why_dynamic_parameters(struct why *w, const struct hs_event *result);

/* The text of an attribute, "?" without it. */
static inline const char *why_text(const struct hs_dataid *d, const char *name)
{
    const char *s = attribute_text(d, name);
    return s != NULL ? s : "?";
}

static inline struct event_position why_position(const struct why *w, const struct hs_event *e)
{
    return (struct event_position){ positions_stream(w->trace, e->thread), e->position };
}

#endif
