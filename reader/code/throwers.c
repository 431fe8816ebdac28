/* throwers.c - which instructions can have thrown after an event: see code.h.
 *
 * An instruction that throws leaves the events before it and none after it. So control went from the latest event of
 * the frame over instructions without events to one that can throw:
 *
 *     LOCAL_LOAD x   pc 4    the latest event, behind its instruction
 *                    pc 5    checkcast         can have thrown
 *                    pc 8    idiv              can have thrown
 *     GET_... field  pc 9    getfield          has an event before it, which would have come: the search ends */
#include "reader/code/code.h"

#include <stdlib.h>

static const struct event_stand stands[EVENT_LIMIT] = {
#define AT(side_, first, last)                AT_INSN, .side = (side_), .low = OPC_##first, .high = OPC_##last
#define BEFORE_RANGE(first, last)             AT(SIDE_BEFORE, first, last)
#define AFTER_RANGE(first, last)              AT(SIDE_AFTER, first, last)
#define BEFORE(op)                            AT(SIDE_BEFORE, op, op)
#define AFTER(op)                             AT(SIDE_AFTER, op, op)
#define ANYWHERE                              AT_INSN
#define EVENT(no, name, cond, value, at, ...) [no] = { .where = at },
#include "formats/events.def"
#undef EVENT
};

const struct event_stand *event_stand(unsigned event) { return &stands[event < EVENT_LIMIT ? event : 0]; }

enum { HAS_BEFORE = 1, HAS_AFTER = 2, SEEN = 4, THROWS = 8 }; /* of an instruction */

struct thrower_search {
    const struct code *code;
    uint8_t *flags; /* by pc */
    u32_vec work;
    bool no_memory;
};

/* Notes at which instructions the method has events. */
static void find_events(hs_trace *t, struct thrower_search *s, uint32_t id)
{
    const struct hs_class *c = tables_class_of(t, id);
    uint32_t end = id;
    if (c == NULL)
        return;
    for (dataid_siblings(t, c, &id, &end); id < end; id++) {
        const struct hs_dataid *d = dataid_or_none(t, id);
        if (d->pc < s->code->length && event_stand(d->event)->where == AT_INSN &&
            !event_has(d->event, USE_STATIC_ONLY | USE_LEFT_OUT))
            s->flags[d->pc] |= event_stand(d->event)->side == SIDE_BEFORE ? HAS_BEFORE : HAS_AFTER;
    }
}

static void go_to(struct thrower_search *s, uint32_t pc)
{
    if (pc >= s->code->length || (s->flags[pc] & SEEN) != 0)
        return;
    s->flags[pc] |= SEEN;
    uint32_t *to = vec_push(&s->work);
    if (to == NULL)
        s->no_memory = true;
    else
        *to = pc;
}

static void go_on(struct thrower_search *s, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    if (op->format == OPF_BRANCH2 || op->format == OPF_BRANCH4) {
        go_to(s, (uint32_t)in->operand);
    } else if (op->format == OPF_TABLESWITCH || op->format == OPF_LOOKUPSWITCH) {
        const uint32_t n = switch_count(s->code->bytes, in);
        for (uint32_t i = 0; i < n; i++)
            go_to(s, (uint32_t)switch_target(s->code->bytes, in, i));
    }
    if ((op->flags & OP_END) == 0) /* also behind jsr, whose subroutine may have no events */
        go_to(s, in->pc + in->length);
}

/* Control is before the instruction, whose events before it have been recorded. */
static void pass(struct thrower_search *s, const struct insn *in)
{
    if ((op_table[in->op].flags & OP_THROWS) != 0)
        s->flags[in->pc] |= THROWS;
    if ((s->flags[in->pc] & HAS_AFTER) == 0)
        go_on(s, in);
}

static void search_from(struct thrower_search *s, const struct hs_dataid *last)
{
    const struct event_stand *stand = event_stand(last->event);
    struct insn in;
    if (stand->where != AT_INSN)
        go_to(s, 0);
    else if (!insn_decode(s->code->bytes, s->code->length, last->pc, &in))
        return;
    else if (stand->side == SIDE_BEFORE)
        pass(s, &in);
    else
        go_on(s, &in);
    while (s->work.count > 0 && !s->no_memory) {
        const uint32_t pc = s->work.items[--s->work.count];
        if ((s->flags[pc] & HAS_BEFORE) == 0 && insn_decode(s->code->bytes, s->code->length, pc, &in))
            pass(s, &in);
    }
}

/* All that can throw, if `marked` those of them that the search has found. */
static bool list(const struct thrower_search *s, bool marked, u32_vec *pcs)
{
    struct insn in;
    for (uint32_t pc = 0; pc < s->code->length && insn_decode(s->code->bytes, s->code->length, pc, &in);
         pc += in.length) {
        if ((op_table[in.op].flags & OP_THROWS) == 0 || (marked && (s->flags[pc] & THROWS) == 0))
            continue;
        uint32_t *to = vec_push(pcs);
        if (to == NULL)
            return false;
        *to = pc;
    }
    return true;
}

bool code_throwers(hs_trace *t, const struct code *c, uint32_t id, uint32_t last, u32_vec *pcs)
{
    struct thrower_search s = { .code = c, .flags = calloc((size_t)c->length + 1, 1) };
    bool ok = s.flags != NULL;
    if (ok && last != UINT32_MAX) {
        find_events(t, &s, id);
        search_from(&s, dataid_or_none(t, last));
        ok = !s.no_memory;
    }
    ok = ok && list(&s, last != UINT32_MAX, pcs);
    vec_free(&s.work);
    free(s.flags);
    return ok;
}
