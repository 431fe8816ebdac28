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

enum { HAS_BEFORE = 1, HAS_AFTER = 2, SEEN = 4, THROWS = 8 }; /* of an instruction */

struct thrower_search {
    const struct method *method;
    uint8_t *flags; /* by instruction */
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
        const uint32_t insn = code_insn_at(&s->method->code, d->pc);
        if (insn != NO_INSN && event_stand(d->event)->where == AT_INSN &&
            !event_has(d->event, USE_STATIC_ONLY | USE_LEFT_OUT))
            s->flags[insn] |= event_stand(d->event)->side == SIDE_BEFORE ? HAS_BEFORE : HAS_AFTER;
    }
}

static void go_to(struct thrower_search *s, uint32_t insn)
{
    if (insn >= s->method->code.insns.count || (s->flags[insn] & SEEN) != 0)
        return;
    s->flags[insn] |= SEEN;
    uint32_t *to = vec_push(&s->work);
    if (to == NULL)
        s->no_memory = true;
    else
        *to = insn;
}

static void go_on(struct thrower_search *s, uint32_t insn)
{
    const struct code *c = &s->method->code;
    struct successors next = { .code = c, .insn = insn };
    while (c->insns.items[insn].op != OPC_ret && code_next(&next))
        go_to(s, next.to);
    if ((op_table[c->insns.items[insn].op].flags & OP_JSR) != 0) /* its subroutine may have no events */
        go_to(s, insn + 1);
}

static bool can_throw(const struct method *m, uint32_t insn)
{
    return (op_table[m->code.insns.items[insn].op].flags & OP_THROWS) != 0;
}

/* Control is before the instruction, whose events before it have been recorded. */
static void pass(struct thrower_search *s, uint32_t insn)
{
    if (can_throw(s->method, insn))
        s->flags[insn] |= THROWS;
    if ((s->flags[insn] & HAS_AFTER) == 0)
        go_on(s, insn);
}

static void search_from(struct thrower_search *s, const struct hs_dataid *last)
{
    const struct event_stand *stand = event_stand(last->event);
    const uint32_t from = code_insn_at(&s->method->code, last->pc);
    if (stand->where != AT_INSN)
        go_to(s, 0);
    else if (from == NO_INSN)
        return;
    else if (stand->side == SIDE_BEFORE)
        pass(s, from);
    else
        go_on(s, from);
    while (s->work.count > 0 && !s->no_memory) {
        const uint32_t insn = s->work.items[--s->work.count];
        if ((s->flags[insn] & HAS_BEFORE) == 0)
            pass(s, insn);
    }
}

/* All that can throw, if `marked` those of them that the search has found. */
static bool list(const struct thrower_search *s, bool marked, u32_vec *pcs)
{
    const struct code *c = &s->method->code;
    for (uint32_t i = 0; i < c->insns.count; i++) {
        if (!can_throw(s->method, i) || (marked && (s->flags[i] & THROWS) == 0))
            continue;
        uint32_t *to = vec_push(pcs);
        if (to == NULL)
            return false;
        *to = c->insns.items[i].pc;
    }
    return true;
}

bool method_throwers(hs_trace *t, const struct method *m, uint32_t id, uint32_t last, u32_vec *pcs)
{
    struct thrower_search s = { .method = m, .flags = calloc(m->code.insns.count + 1, 1) };
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
