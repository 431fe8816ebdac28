/* group.c - which events share a record, that is one call of a hook. See plan.h.
 *
 * A hook call costs the same for one event or three, so each event joins the last record if possible. It can if control
 * came straight from there, over instructions that neither throw, branch, call nor synchronize with another thread:
 * then no one can observe which of the two moments it was. The record grows backwards in time, since the values of its
 * first event must still be there when the hook is called for the last:
 *
 *     no value          joins without cost (LINE_NUMBER, NEW_OBJECT, CALL_RETURN of a void method)
 *     a local           its value can be pushed again, as long as nothing was stored into it
 *     top of stack      as the last one of the record, or while the program's stack is as it was
 *
 * Where events are only counted (config->counts_only) none has a value, and all of a straight piece of code join.
 *
 * With method_plan.inputs an implied event (derive_event_valueless) has no value either, and where it cannot join a
 * record none is made for it: the drain counts the events up to the next record of the method, since it knows the
 * blocks of the code. So every block has a record; a LABEL gets one if nothing else in its block does.
 *
 * hook.def has the values that one hook can take. */
#include "weaver/group.h"

#include "formats/derived.h"
#include "formats/windows.h"

#define NO_GAP UINT32_MAX

struct grouping {
    struct method_plan *m;
    /* the number of the instruction in front of which code is inserted now: the current one, or the next */
    uint32_t gap;
    bool harmless;     /* the current instruction (record_harmless) */
    uint32_t unmarked; /* 1 + data ID of the last event of this block, if no record has it; else 0 */
    /* The last record, while other events may join it: */
    bool open;
    bool known;         /* its values are known; else only events without one can join */
    bool movable;       /* its values are locals that have not changed since */
    bool passed;        /* an instruction behind its code can fail (plan_only_fails) */
    bool followed;      /* other code was inserted behind its call */
    uint32_t next;      /* the data ID behind its last */
    uint32_t at;        /* the gap where its call is */
    uint32_t top, pair; /* and where its last value, or both its values, are also on top of the program's stack */
};

static struct record *last(const struct grouping *g)
{
    return g->open ? &g->m->records.items[g->m->records.count - 1] : NULL;
}

/* True if data IDs and roles allow this event and `following` others to join the open record. */
static bool may_grow(const struct grouping *g, const struct planned_event *ev, unsigned following)
{
    const struct method_plan *m = g->m;
    /* one that has values needs room for them: with four events it has four at most */
    const uint32_t most = plan_counts_only(m) || m->inputs ? JOURNAL_RECORD_EVENTS : JOURNAL_RECORD_VALUES;
    return g->open && g->next == ev->id && last(g)->events + 1 + following <= most &&
           plain_role(plan_role_of(m, ev->event));
}

/* The record goes on with this event. */
static void join(struct grouping *g, struct planned_event *ev)
{
    plan_join(g->m, ev);
    ev->record = (uint32_t)g->m->records.count - 1;
    g->m->records.items[ev->record].events++;
    g->next = ev->id + 1;
}

/* A record that begins with this event; NULL: no memory. */
static struct record *new_record(struct grouping *g, uint32_t id)
{
    struct record *r = vec_push(&g->m->records);
    if (r == NULL) {
        g->m->glue.code.bad = true;
        g->open = false;
        return NULL;
    }
    r->first = id;
    r->events = 1;
    r->pairs = r->count = r->under = 0;
    r->counter = -1;
    r->end = 0;
    return r;
}

/* The record's hook is called at this step, where nothing stands behind it yet. */
static void call_here(struct grouping *g, struct record *r, struct step *s, enum hook hook, bool release,
                      unsigned on_stack)
{
    const struct weave_config *config = g->m->c->config;
    const struct writer *roles = &g->m->c->out->dataids.roles;
    const uint32_t number = r->first - config->first_dataid; /* not in the list if there was no memory for it */
    r->hook = hook;
    r->release = release;
    r->on_stack = (uint16_t)on_stack;
    r->call = (uint32_t)(s - g->m->planned.steps.items);
    s->records_end = (uint32_t)g->m->records.count;
    if (s->record == NO_RECORD)
        s->record = s->records_end - 1;
    /* with triggers or a total order each event needs its own stamp */
    g->open = !release && !plan_has_triggers(g->m) && !config->order_total && hook != HOOK_multi &&
              hook != HOOK_thrown && number < roles->size && plain_role(roles->data[number]);
    g->known = g->movable = hook == HOOK_v;
    g->passed = g->followed = false;
    g->next = r->first + r->events;
    g->at = g->gap;
    g->top = g->pair = NO_GAP;
    g->unmarked = 0;
}

/* Events of one record whose values are pushed at this step: it begins with them, or had none with a value before. */
static struct record *begin(struct grouping *g, struct planned_event *ev, unsigned count, struct step *s,
                            enum hook hook, bool release, unsigned on_stack)
{
    struct record *r = last(g);
    unsigned first = 0;
    if (r == NULL || !g->known || r->count > 0 || !may_grow(g, ev, count - 1)) {
        if ((r = new_record(g, ev->id)) == NULL)
            return NULL;
        ev->record = (uint32_t)g->m->records.count - 1;
        first = 1;
    }
    for (unsigned i = first; i < count; i++)
        join(g, &ev[i]);
    call_here(g, r, s, hook, release, on_stack);
    return r;
}

/* An event whose value the hook is not given. */
static void group_unvalued(struct grouping *g, struct planned_event *ev, struct step *s)
{
    if (!s->release && may_grow(g, ev, 0) && !g->passed)
        join(g, ev);
    else
        (void)begin(g, ev, 1, s, HOOK_v, s->release, 0);
}

/* Does the block that a LABEL begins get another record, each time that it is executed to its end? */
static bool block_is_recorded(const struct method_plan *m, uint32_t insn, const struct step *label)
{
    for (uint32_t i = insn; i < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        if (i > insn && (m->scan.code.flags[in->pc] & PC_LABEL))
            return false;
        const uint32_t end = m->planned.places[2 * i + 2];
        for (uint32_t k = i == insn ? (uint32_t)(label - m->planned.steps.items) + 1 : m->planned.places[2 * i];
             k < end; k++) {
            const struct step *s = &m->planned.steps.items[k];
            if (s->kind >= STEP_VALUE && s->kind <= STEP_ALONE &&
                !plan_is_valueless(m, m->planned.events.items[s->first].event))
                return true;
        }
        if (op_table[in->op].flags & (OP_COND | OP_END))
            return false;
    }
    return false;
}

/* With method_plan.inputs: an event that follows from the code. */
static void group_valueless(struct grouping *g, struct planned_event *ev, struct step *s, uint32_t insn)
{
    if (ev->event == EVENT_LABEL)
        g->unmarked = 0;
    if (s->release || (ev->event == EVENT_LABEL && !block_is_recorded(g->m, insn, s)))
        group_unvalued(g, ev, s);
    else if (may_grow(g, ev, 0))
        join(g, ev);
    else
        g->unmarked = ev->id + 1;
}

static void group_mark(struct grouping *g, struct step *s)
{
    struct record *r = g->unmarked != 0 ? new_record(g, g->unmarked - 1) : NULL;
    if (r != NULL)
        call_here(g, r, s, HOOK_v, false, 0);
    if (r != NULL)
        g->open = false;
}

/* How the values of the open record and one more get onto the stack. */
enum way {
    ALONE, /* not at all: the event begins a record */
    HERE,  /* the record's values stay where they are pushed */
    MOVED, /* the record's values are pushed again, here */
    UNDER, /* they are pushed again, below the top of the program's stack, which is kept in a scratch local */
};

static uint32_t shape_of_record(const struct record *r)
{
    uint32_t shape = 0;
    for (unsigned i = 0; i < r->count; i++)
        shape = shape_with(shape, i, kind_shape(r->values[i].kind));
    return shape;
}

static unsigned slots_of_record(const struct record *r)
{
    unsigned slots = 0;
    for (unsigned i = 0; i < r->count; i++)
        slots += type_slots(kind_local(r->values[i].kind));
    return slots;
}

/* Sets `hook` to the hook for all of them, if the event joins. */
static enum way way_for(const struct grouping *g, const struct planned_event *ev, enum hook *hook)
{
    const struct record *r = last(g);
    if (!g->known || r->count == JOURNAL_RECORD_VALUES)
        return ALONE;
    if (r->count == 0)
        return MOVED;
    enum hook both = hook_of_shape(shape_with(shape_of_record(r), r->count, kind_shape(ev->kind)));
    if (both == HOOK_COUNT || g->followed)
        return ALONE;
    bool reached = ev->slot != SLOT_TOP || g->top == g->gap; /* pushing those does not hide it */
    enum way way = reached && g->at == g->gap ? HERE : !g->movable ? ALONE : reached ? MOVED : UNDER;
    if (way != ALONE)
        *hook = both;
    return way;
}

static void add_value(struct grouping *g, struct record *r, const struct planned_event *ev, const struct step *s)
{
    r->values[r->count].kind = ev->kind;
    r->values[r->count].slot = ev->slot;
    r->values[r->count++].step = (uint32_t)(s - g->m->planned.steps.items);
}

/* The values of the record are pushed at this step, and the last of them, which is on top of the stack, is kept in a
 * scratch local meanwhile. */
static void push_under(struct method_plan *m, struct record *r, const struct step *s)
{
    const unsigned slots = type_slots(kind_local(r->values[r->count - 1].kind));
    r->under = r->count;
    r->scratch = s->scratch;
    if (m->scratch_max < s->scratch + slots)
        m->scratch_max = (uint16_t)(s->scratch + slots);
}

static void group_value(struct grouping *g, struct planned_event *ev, struct step *s)
{
    enum hook hook = hook_of_letter(kind_shape(ev->kind));
    const enum way way = may_grow(g, ev, 0) ? way_for(g, ev, &hook) : ALONE;
    const bool movable = way == ALONE || g->movable || last(g)->count == 0;
    const uint32_t top = way == ALONE ? NO_GAP : g->top;
    struct record *r = way == ALONE ? new_record(g, ev->id) : last(g);
    if (r == NULL)
        return;
    if (way == ALONE)
        ev->record = (uint32_t)g->m->records.count - 1;
    else
        join(g, ev);
    for (unsigned i = 0; i < r->count && way != HERE; i++)
        r->values[i].step = (uint32_t)(s - g->m->planned.steps.items);
    add_value(g, r, ev, s);
    if (way == UNDER)
        push_under(g->m, r, s);
    const unsigned slots = slots_of_record(r);
    call_here(g, r, s, hook, s->release, slots);
    g->known = true;
    g->movable = movable && ev->slot != SLOT_TOP;
    const bool narrow = r->count == 2 && slots == 2;
    g->pair = ev->event == EVENT_LOCAL_LOAD && narrow && top == g->gap ? g->gap + 1 : NO_GAP;
    /* it is recorded right before it is loaded */
    g->top = ev->slot == SLOT_TOP ? g->gap : ev->event == EVENT_LOCAL_LOAD ? g->gap + 1 : NO_GAP;
    g->followed = way == UNDER && kind_local(ev->kind) == 'A'; /* the scratch local is cleared */
}

/* The events of a sequence, none with a value. */
static void group_counts(struct grouping *g, struct planned_event *ev, unsigned count, struct step *s)
{
    for (unsigned i = 0, n; i < count; i += n) {
        n = count - i < JOURNAL_RECORD_EVENTS ? count - i : JOURNAL_RECORD_EVENTS;
        (void)begin(g, ev + i, n, s, HOOK_v, false, 0);
    }
}

/* How many events from the first make one record: one without a value may lead, then as many values as one hook can
 * take. */
static unsigned record_length(const struct planned_event *ev, unsigned count, enum hook *hook)
{
    const unsigned first = kind_shape(ev[0].kind) == 'v';
    uint32_t shape = 0;
    unsigned length = first;
    for (unsigned n = first; n < count && n - first < JOURNAL_RECORD_VALUES; n++) {
        const char letter = kind_shape(ev[n].kind);
        shape = shape_with(shape, n - first, letter);
        const enum hook all = n == first ? hook_of_letter(letter) : hook_of_shape(shape);
        if (letter == 'v' || all == HOOK_COUNT)
            break;
        *hook = all;
        length = n + 1;
    }
    return length;
}

static void group_sequence(struct grouping *g, struct planned_event *ev, unsigned count, struct step *s)
{
    for (unsigned i = 0, n; i < count; i += n) {
        enum hook hook = HOOK_v; /* if none has a value */
        n = record_length(ev + i, count - i, &hook);
        struct record *r = begin(g, ev + i, n, s, hook, s->release && i + n == count, 0);
        for (unsigned k = i; r != NULL && k < i + n; k++)
            if (ev[k].kind != KIND_VOID)
                add_value(g, r, &ev[k], s);
        if (r != NULL)
            r->on_stack = (uint16_t)slots_of_record(r);
    }
}

/* Two values on top of the stack: of a record of their own, or of the one that has just shown them as locals. */
static void group_pair(struct grouping *g, struct planned_event *ev, struct step *s)
{
    const uint32_t shape = shape_of(kind_shape(ev[0].kind), kind_shape(ev[1].kind), 0);
    struct record *r = last(g);
    const enum hook both = r != NULL && g->known && r->count == 2 && g->pair == g->gap && !g->followed
                               ? hook_of_shape(shape_of_record(r) | shape << 16)
                               : HOOK_COUNT;
    if (both == HOOK_COUNT || !may_grow(g, &ev[0], 1)) {
        if ((r = begin(g, ev, 2, s, hook_of_shape(shape), s->release, 2)) != NULL)
            r->pairs = 1;
        return;
    }
    join(g, &ev[0]);
    join(g, &ev[1]);
    r->count = r->under = 0; /* its two values are these two */
    r->pairs = 2;
    call_here(g, r, s, both, s->release, 4);
}

/* Those of HOOK_multi are no compound record: the hook makes one of each. */
static void group_pushed(struct grouping *g, struct planned_event *ev, unsigned count, struct step *s)
{
    const bool multi = s->hook == HOOK_multi;
    struct record *r = begin(g, ev, multi ? 1 : count, s, (enum hook)s->hook, s->release, s->on_stack);
    if (r != NULL && multi)
        r->events = count;
}

/* `insn`: the current instruction. */
static void group_step(struct grouping *g, struct step *s, uint32_t insn)
{
    struct planned_event *ev = g->m->planned.events.items + s->first;
    const unsigned count = s->end - s->first;
    const bool counts = plan_counts_only(g->m); /* counts need no order */
    switch (s->kind) {
    case STEP_CODE: g->followed = true; return;
    case STEP_CLOSE: g->open = false; return;
    case STEP_HARMLESS: g->harmless = true; return;
    case STEP_MARK: group_mark(g, s); return;
    case STEP_ALONE: g->open = false; /* fall through */
    case STEP_PUSHED: group_pushed(g, ev, count, s); return;
    case STEP_SEQUENCE:
        if (counts)
            group_counts(g, ev, count, s);
        else
            group_sequence(g, ev, count, s);
        return;
    case STEP_PAIR:
        if (counts)
            group_counts(g, ev, count, s);
        else if (plan_is_valueless(g->m, ev->event))
            group_valueless(g, &ev[0], s, insn), group_valueless(g, &ev[1], s, insn);
        else
            group_pair(g, ev, s);
        return;
    case STEP_VALUE:
        s->release &= !counts;
        if (plan_is_valueless(g->m, ev->event))
            group_valueless(g, ev, s, insn);
        else if (ev->kind == KIND_VOID || counts)
            group_unvalued(g, ev, s);
        else
            group_value(g, ev, s);
        return;
    }
}

/* True for ldc of a number; other constants are resolved on first use. */
static bool loads_number(const struct method_plan *m, const struct insn *in)
{
    if (in->op != OPC_ldc && in->op != OPC_ldc_w && in->op != OPC_ldc2_w)
        return false;
    unsigned tag = cpool_tag(&m->c->cf->cp, (uint32_t)in->operand);
    return tag == CONSTANT_Integer || tag == CONSTANT_Float || tag == CONSTANT_Long || tag == CONSTANT_Double;
}

/* The instruction is executed. */
static void pass(struct grouping *g, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    if ((op->flags & (OP_THROWS | OP_COND | OP_END | OP_JSR | OP_INVOKE))
            ? !g->harmless && !loads_number(g->m, in) && !plan_only_fails(g->m, in)
            : in->op == OPC_ret)
        g->open = false;
    g->passed |= g->m->spans && g->open && plan_only_fails(g->m, in);
    if ((op->flags & OP_STORE) || op->format == OPF_IINC)
        g->movable = false;
    bool same_top = in->op == OPC_dup && g->top == g->gap;
    g->gap++;
    if (same_top)
        g->top = g->gap;
}

static void group_place(struct grouping *g, uint32_t first, uint32_t end, uint32_t insn)
{
    for (uint32_t i = first; i < end; i++)
        group_step(g, &g->m->planned.steps.items[i], insn);
}

void group_method(struct method_plan *m)
{
    struct grouping g = { .m = m };
    m->records.count = 0;
    if (m->glue.code.bad)
        return;
    group_place(&g, 0, m->planned.places[0], 0);
    g.open = false;
    for (uint32_t i = 0; i < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        g.gap = i;
        g.harmless = false;
        if ((op_table[in->op].flags & OP_RETURN) && loops_nest(m, i) != NULL)
            g.open = false; /* what is counted in the loop stands before what leaves it */
        if (!m->scan.flow.reached[i] || (m->scan.code.flags[in->pc] & PC_LABEL)) {
            g.open = false;
            g.unmarked = 0;
        }
        if (!m->scan.flow.reached[i])
            continue;
        group_place(&g, m->planned.places[2 * i], m->planned.places[2 * i + 1], i);
        pass(&g, in);
        group_place(&g, m->planned.places[2 * i + 1], m->planned.places[2 * i + 2], i);
    }
}

void group_exit(struct method_plan *m)
{
    struct grouping g = { .m = m };
    m->records.count = 0;
    if (!m->glue.code.bad)
        group_place(&g, 0, (uint32_t)m->planned.steps.count, 0);
}
