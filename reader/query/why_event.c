/* why_event.c - explains an event by its type: the column `origin` of events.def. */
#include "reader/query/why.h"

#include <string.h>

/* ---- operands ---- */

/* Slots of the value that the instruction at the link's pc stores into a field or array. */
static uint32_t stored_slots(struct why *w)
{
    const struct method *code = method_get(w->trace, w->site->method_id);
    const struct insn *in = code != NULL ? code_at(&code->code, w->site->pc) : NULL;
    struct member_ref m;
    if (in == NULL)
        return 1;
    if (in->op == OPC_lastore || in->op == OPC_dastore)
        return 2;
    if (in->op == OPC_putfield && cpool_member(&code->classfile->cp, (uint32_t)in->operand, &m) && m.desc.size > 0)
        return type_slots(m.desc.data[0]);
    return 1;
}

/* `receiver_wanted`: the value is the receiver of the call, else the argument with the site's index. */
static enum status from_argument(struct why *w, bool receiver_wanted, struct error *err)
{
    const char *desc;
    bool receiver_first;
    if (!why_call_shape(w, w->site, &desc, &receiver_first))
        return why_ends(w, "no bytecode", "an argument; the trace has no class file of this method");
    int64_t index = receiver_wanted ? 0 : attribute_number(w->site, "index", 0);
    return why_from_stack(w, why_argument_depth(desc, index, receiver_first),
                          receiver_wanted ? "receiver of the call" : "argument of the call", err);
}

/* ---- where the value of an event comes from: the column `origin` of events.def ---- */

enum origin {
    FROM_PATH, /* the control flow: no value was computed */
    FROM_CALLER,
    FROM_THROW,
    FROM_RECEIVER,
    FROM_ARGUMENT,
    FROM_CALLEE,
    FROM_DYNAMIC,
    FROM_FIELD,
    FROM_ELEMENT,
    FROM_LENGTH,
    FROM_LOCAL,
    FROM_STACK,
    FROM_CONSTANT,
    FROM_NEW_OBJECT,
    FROM_NEW_ARRAY,
};
/* What lies above an operand on the stack. */
enum above { TOP, INDEX, STORED, STORED_INDEX };

static const struct {
    enum origin origin;
    enum above above;
    const char *because;
} origins[EVENT_LIMIT] = {
#define FROM_LOCAL(text)                           FROM_LOCAL, .because = (text)
#define FROM_STACK(above_, text)                   FROM_STACK, .above = (above_), .because = (text)
#define EVENT(no, name, c, v, at, d, o, from, ...) [no] = { .origin = from },
#include "formats/events.def"
#undef EVENT
};

bool why_is_near(const struct why *w, const struct choice *c)
{
    const struct hs_dataid *d = dataid_or_none(w->trace, c->event.dataid);
    if (c->way)
        return true;
    if (c->by == HS_BY_CONTROL || c->event.thread != w->now.thread || d->method_id != w->site->method_id)
        return false;
    switch (origins[w->site->event < EVENT_LIMIT ? w->site->event : 0].origin) {
    case FROM_RECEIVER:
    case FROM_ARGUMENT:
    case FROM_STACK:
    case FROM_PATH: return true;
    case FROM_CALLEE:
    case FROM_DYNAMIC:
    case FROM_NEW_OBJECT: /* the receiver, or an argument, of the same call */
        return d->pc == w->site->pc && (d->event == EVENT_CALL || d->event == EVENT_CALL_PARAM ||
                                        d->event == EVENT_INVOKE_DYNAMIC || d->event == EVENT_INVOKE_DYNAMIC_PARAM);
    case FROM_CALLER:
    case FROM_THROW:
    case FROM_FIELD:
    case FROM_ELEMENT:
    case FROM_LENGTH:
    case FROM_LOCAL:
    case FROM_CONSTANT:
    case FROM_NEW_ARRAY: return false;
    }
    return false;
}

/* Slots of the stack above an operand. */
static uint32_t slots_above(struct why *w, enum above above)
{
    switch (above) {
    case TOP: return 0;
    case INDEX: return 1;
    case STORED: return stored_slots(w);
    case STORED_INDEX: return stored_slots(w) + 1;
    }
    return 0;
}

/* Explains any link, by the type of its event. */
enum status why_explain(struct why *w, struct error *err)
{
    unsigned event = w->site->event < EVENT_LIMIT ? w->site->event : 0;
    const char *because = origins[event].because;
    switch (origins[event].origin) {
    case FROM_CALLER: return why_from_caller(w, err);
    case FROM_THROW: return why_from_throw(w, err);
    case FROM_RECEIVER: return from_argument(w, true, err);
    case FROM_ARGUMENT: return from_argument(w, false, err);
    case FROM_CALLEE: return why_from_callee(w, err);
    case FROM_DYNAMIC: return why_from_dynamic(w, err);
    case FROM_FIELD: return why_from_field(w, err);
    case FROM_ELEMENT: return why_from_element(w, err);
    case FROM_LENGTH: return why_from_length(w, err);
    case FROM_LOCAL: return why_from_local(w, because, err);
    case FROM_STACK: return why_from_stack(w, slots_above(w, origins[event].above), because, err);
    case FROM_CONSTANT: return why_ends(w, "constant", "a constant of the class file");
    case FROM_NEW_OBJECT: return why_from_new(w, err);
    case FROM_NEW_ARRAY: return why_ends(w, "new array", "the array was made here");
    case FROM_PATH: break;
    }
    return why_ends(w, "control flow", "the path that was taken");
}
