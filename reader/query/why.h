/* why.h - one link of the chain of causes.
 *
 * why.c makes the chain; why_event.c explains an event by its type, with why_callers.c (parameters), why_results.c
 * (results of calls), why_thrown.c (exceptions), why_memory.c (what was loaded) and why_operands.c (what an instruction
 * took from the operand stack); why_control.c by what decided that it happened; why_link.c keeps what they say. */
#ifndef READER_WHY_H
#define READER_WHY_H

#include "reader/query/periods.h"
#include "reader/query/state.h"

/* What a question may still search through: events, with those in another chunk counted as many. */
struct why_search {
    uint32_t left;
    bool met;         /* the bound, or another limit, while this link was explained */
    unsigned replays; /* of collections (why_entries.c) */
};

enum { CHOICES_MAX = 128, TEXT_MAX = 400, LOST_MAX = 200 };

/* A moment where the chain can go on; has its seq. */
struct choice {
    struct hs_event event;
    const char *role; /* NULL: it is the value itself */
    enum hs_cause_by by;
    bool operand; /* of an instruction or of a joined string */
    bool way;     /* not the value: the object, array or index by which it was reached */
};

/* A box whose value was asked for. */
enum { BOXES_SEEN = 64 };
struct seen_box {
    uint32_t object;
    bool known;
    struct hs_event value;
};

/* A part of the expression that made the value of a link. */
#define NO_TERM SIZE_MAX
struct why_term {
    uint8_t op;         /* an instruction without events; 0: it is none */
    size_t left, right; /* operands: numbers of terms, NO_TERM; one operand is the right one */
    bool known;         /* its value */
    char kind;
    uint64_t value;
    bool found; /* `event` is its source */
    struct hs_event event;
};
struct why_terms {
    struct why_term *items;
    size_t count, cap;
    size_t root; /* NO_TERM: the value is not taken from the operand stack */
};

/* One link of the chain being explained. */
struct why {
    hs_trace *trace;
    struct arena *arena;
    struct hs_event now;          /* the event; has its seq */
    const struct hs_dataid *site; /* of now */
    /* the explanation: */
    char because[TEXT_MAX];
    char lost[LOST_MAX];  /* what arithmetic of it lost: "imul wrapped, exactly 10000000000" */
    const char *overflow; /* the same in the arena, also of LOCAL_INCREMENT; NULL: nothing */
    const char *end;      /* static text; NULL: the first choice is the next link */
    struct choice choices[CHOICES_MAX];
    size_t choice_count;
    bool more_causes;           /* that are not offered, or not looked for */
    uint64_t more, more_before; /* calls that gave the object something are not offered: so many, before this seq */
    struct why_search search;   /* of the whole question */
    struct seen_box boxes[BOXES_SEEN]; /* of the whole question, by object id */
    /* of the instruction that pushed the value, a constant, or an operand of it, as in `n + (x > 2 ? 10 : 0)`;
     * UINT32_MAX: it is none */
    uint32_t constant_pc;
    bool control;                       /* this link is explained by control, not by data */
    const struct hs_decision *decision; /* of this link; NULL: none */
    uint32_t control_left;              /* events that may still be walked over, of the whole question */
    struct why_terms *terms;            /* of this link; NULL: they are not asked for */
};

/* Explain the link: the chain goes on at `next`, or ends. Both return OK. */
enum status why_goes_on(struct why *w, const struct hs_event *next, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
enum status why_ends(struct why *w, const char *end, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Adds a choice behind those that are there, unless it is one of them or is not before w->now. Numbers `e`. */
enum status why_offer(struct why *w, struct hs_event *e, enum hs_cause_by by, struct error *err, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* why_offer of the object, array or index by which the value was reached. */
enum status why_offer_way(struct why *w, struct hs_event *e, struct error *err, const char *role);
/* Makes the choice at this event the first one. */
void why_prefer(struct why *w, const struct hs_event *e, enum hs_cause_by by);
/* Notes what an instruction with these operands (formats/jvm/loss.h) lost; false: nothing. */
bool why_note_loss(struct why *w, unsigned op, uint64_t a, uint64_t b);
/* Gives an event its seq. */
enum status why_number(struct why *w, struct hs_event *e, struct error *err);
/* Does the choice lie in the expression of w->now: no write, call or branch between them? */
bool why_is_near(const struct why *w, const struct choice *c);
/* Explains a link whose value was taken from the operand stack, `depth` slots below the top; `verb` is what was done
 * with it. */
enum status why_from_stack(struct why *w, uint32_t depth, const char *verb, struct error *err);

/* As why_from_stack, of the instruction at `pc` of its method. */
enum status why_from_operand(struct why *w, uint32_t pc, uint32_t depth, const char *verb, struct error *err);

/* An operand of the instruction at `pc` of the method of w->now, before that event. The moments that it comes from are
 * offered as choices, "left of <" for example: `side` and `used_by`, which the caller sets. */
struct why_operand {
    const char *side, *used_by;
    bool known; /* its value */
    char kind;
    uint64_t value;
    bool found; /* `event` has the value, or a value that it was computed from */
    struct hs_event event;
};
enum status why_operand(struct why *w, uint32_t pc, uint32_t depth, struct why_operand *out, struct error *err);

/* Explains w->now, as a link of the chain; a moment with a value by data, with w->control also (`all`), or only, by
 * what decided it; `under`: sets w->decision to the branch that it stands under. */
enum status why_moment(struct why *w, bool all, bool under, struct error *err);

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
/* Offers, in addition, the object, array or index by which a store or the read of a length was done. */
enum status why_add_ways(struct why *w, struct error *err);

/* why_outside.c: the value came from code that is not woven, in a way that `what` says. */
struct outside_call;
/* It was made by `new` here; what its constructor was given, if that is not woven, is offered. */
enum status why_from_new(struct why *w, struct error *err);
/* It is the result of this call. */
enum status why_from_result(struct why *w, const struct outside_call *c, bool native, struct error *err);
/* It is a parameter, or the receiver, that the call around the method passed (NULL: none is known); `given`: that the
 * call passed which was given the lambda, in another thread perhaps. */
enum status why_from_outer_call(struct why *w, const struct outside_call *c, bool given, const char *what,
                                struct error *err);
/* It was found in a field or element of `owner`, which was not written there by woven code after seq `from`. `say` is
 * that as a phrase, for the end of the chain. */
enum status why_from_outside_write(struct why *w, uint32_t owner, uint64_t from, const char *what, const char *say,
                                   struct error *err);
/* A call that the owner was handed to from seq `from` on was given the value, too. ERR_NOT_FOUND: none was. */
enum status why_from_handover(struct why *w, uint32_t owner, uint64_t from, const char *how, struct error *err);
/* why_copies.c: an element that System.arraycopy, clone() or Arrays.copyOf copied into the array after seq `from`.
 * ERR_NOT_FOUND: none did (`err` left alone). */
enum status why_from_copy(struct why *w, uint32_t array, uint64_t index, uint64_t from, struct error *err);

/* recording_gap_text of an event and w->now. */
static inline const char *why_gap(const struct why *w, const struct hs_event *earlier)
{
    return recording_gap_text(w->trace, earlier, &w->now);
}
/* why_unrecorded.c: behind a gap (why_gap) w->now has the value of the last recorded write of `what`, or another one
 * (NULL: there is no such write). */
enum status why_from_old_write(struct why *w, const struct hs_event *write, const char *what);
enum status why_from_unrecorded(struct why *w, const struct hs_event *write, uint64_t owner, const char *what,
                                struct error *err);

/* why_left_out.c: the chain ends at EVENTS_LEFT_OUT, which hides where `what` came from. */
enum status why_left_out(struct why *w, const struct hs_event *mark, const char *what);
/* After w->now was explained: ends the chain if events that were left out could give another explanation. */
enum status why_check_left_out(struct why *w, struct error *err);

/* ---- why_control.c ---- */

/* Explains w->now by what it stands under; of a LABEL sets w->decision. */
enum status why_explain_control(struct why *w, struct error *err);
/* Offers what it stands under, in addition to what is offered. */
enum status why_add_control(struct why *w, struct error *err);
/* Sets w->decision to the branch that it stands under, nothing else. */
enum status why_find_under(struct why *w, struct error *err);

/* ---- why_arguments.c ---- */

/* The call instruction of a data ID: its descriptor, in the link's arena, and whether it has a receiver. */
bool why_call_shape(struct why *w, const struct hs_dataid *site, const char **desc, bool *receiver_first);
/* Slots of the arguments after argument `index` (0 the receiver, where there is one) of a descriptor. */
uint32_t why_argument_depth(const char *desc, int64_t index, bool receiver_first);
/* Is it a text that the program writes to standard output or error? (why_computed.c) */
bool why_writes_output(hs_trace *t, const struct hs_dataid *site);
/* Is the argument, element or result of this event a constant of the class file, or the box of one? */
bool why_is_constant(struct why *w, const struct hs_event *e);

/* ---- why_computed.c ---- */

/* Offers, in addition, what the object of w->now holds: what was last stored into its elements or fields, or given to
 * it if it is a collection. */
enum status why_offer_contents(struct why *w, struct error *err);

/* ---- helpers ---- */

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
