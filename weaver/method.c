/* method.c - weaves one method: the passes of plan.h, one after another (attempt).
 *
 * If the result breaks a limit (64 KB of code, 65535 constants), the last group in the order of groups.def is given up
 * and the method planned again, until it fits or nothing is left. */
#include "weaver/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "formats/derived.h"
#include "weaver/build.h"
#include "weaver/group.h"
#include "weaver/lower.h"
#include "weaver/monitors.h"
#include "weaver/plan.h"
#include "weaver/unwoven.h"

enum {
    LOCALS_MAX = 32000,   /* of the original; copies of ret slots and scratch locals come behind them */
    STEPS_EXPECTED = 256, /* room for the steps, events and records of most methods */
};

/* Locals that live through the whole method come right behind those of the original. */
static void place_locals(struct method_plan *m)
{
    uint32_t next = m->scan.code.max_locals;
    /* counted LABELs have no value */
    m->kept.has_from =
        plan_counts_only(m) ? plan_spans(m) : plan_has(m, EVENT_LABEL) && (m->scan.code.has_jumps || m->inputs);
    if (m->kept.has_from)
        m->kept.from = (uint16_t)next++;
    m->kept.has_thread = plan_has(m, EVENT_METHOD_EXCEPTIONAL_EXIT) && m->scan.code.handlers.count > 0;
    if (m->kept.has_thread)
        m->kept.thread = (uint16_t)next++;
    plan_direct_look(m);
    if (m->kept.has_called)
        m->kept.called = (uint16_t)next++;
    m->loops.local = (uint16_t)next;
    next += loops_find(m);
    if (m->scan.returns != NULL && plan_has(m, EVENT_RET)) {
        m->kept.jsr = (uint16_t)next;
        next += 1u + m->scan.return_count;
    }
    m->scratch = m->scratch_max = (uint16_t)next;
}

static void run_planners(struct method_plan *m)
{
    const uint16_t first_scratch = m->scratch;
    const uint8_t *flags = m->scan.code.flags;
    const group_set chosen = m->groups;
    for (uint32_t i = 0; i < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        const struct op_info *op = &op_table[in->op];
        const unsigned here = flags[in->pc], next = flags[in->pc + in->length];
        m->scratch = first_scratch;
        m->insn = i;
        m->stash = -1;
        m->planned.places[2 * i] = m->planned.places[2 * i + 1] = plan_place(m);
        if (!m->scan.flow.reached[i])
            continue;
#define NOTHING plan_nothing
#define PLANNER(name, groups, when, before, after)                                                                     \
    if ((when) && (chosen & (groups)))                                                                                 \
        before(m, i, in);
#include "weaver/planners.def"
#undef PLANNER
        m->planned.places[2 * i + 1] = plan_place(m);
        if (op->flags & OP_END)
            continue;
#define PLANNER(name, groups, when, before, after)                                                                     \
    if ((when) && (chosen & (groups)))                                                                                 \
        after(m, i, in);
#include "weaver/planners.def"
#undef PLANNER
#undef NOTHING
    }
    m->planned.places[2 * m->scan.code.insns.count] = plan_place(m);
}

static uint64_t events_of(struct class_plan *c, group_set groups)
{
    if (c->groups == groups) /* nearly always the same as for the method before */
        return c->events;
    c->groups = groups;
    c->events = 0;
    for (unsigned e = 0; e < EVENT_LIMIT; e++)
        c->events |= (uint64_t)event_woven(e, groups) << e;
    return c->events;
}

static void start_code(struct method_plan *m, struct emitter *e)
{
    e->c = m->c;
    e->code.size = 0;
    e->stack = 0;
    e->calls = 0;
    e->full = false;
}

static uint32_t hook_calls(const struct method_plan *m) { return m->glue.calls + m->inserted.emit.calls; }

static void clear_exit(struct exit_code *x)
{
    writer_free(&x->code);
    writer_free(&x->missed.code);
    *x = (struct exit_code){ 0 };
}

/* The handler behind the code, once all that it must undo is known. */
static void make_exit(struct method_plan *m)
{
    clear_exit(&m->exit);
    if (!plan_has(m, EVENT_METHOD_EXCEPTIONAL_EXIT) && m->loops.counters == 0)
        return;
    m->scratch = m->scratch_max;
    if (m->kept.has_thread)
        m->exit.locals = (struct exit_locals){ plan_scratch(m, 'A'), plan_scratch(m, 'A') };
    const uint32_t id = plan_exceptional_exit(m);
    group_exit(m);
    lower_exit(m, &m->exit.code);
    if (m->kept.has_thread)
        plan_missed_exit(m, id);
}

/* One try with m->groups. ERR_LIMIT: does not fit. */
static enum status attempt(struct method_plan *m, struct writer *code, struct error *err)
{
    start_code(m, &m->glue);
    start_code(m, &m->inserted.emit);
    plan_clear_steps(m);
    m->hidden = 0;
    m->hides_numbers = false;
    m->inserted.entered = m->planned.not_asked = 0;
    m->supers_recorded.count = 0;
    m->next_line = 0;
    m->events = events_of(m->c, m->groups);
    if (m->scan.code.max_locals > LOCALS_MAX)
        return error_set(err, ERR_LIMIT, "max_locals %u leaves no room for scratch locals", m->scan.code.max_locals);
    place_locals(m);
    plan_asked(m);
    plan_uncaught(m);
    plan_output(m);
    plan_redact_prologue(m);
    plan_prologue(m);
    run_planners(m);
    group_method(m);
    if (!m->glue.code.bad) {
        loops_assign(m);
        lower_method(m);
        make_exit(m);
    }
    if (m->glue.code.bad || m->inserted.emit.code.bad || m->exit.code.bad || m->exit.missed.code.bad)
        return error_set(err, ERR_MEMORY, "no memory for inserted code");
    struct layout l;
    enum status s = layout_run(&l, m, err);
    code->size = 0;
    if (s == OK)
        s = build_code(m, &l, code, err);
    layout_done(&l);
    if (s != OK)
        return s;
    if (m->glue.full || m->inserted.emit.full || m->c->cf->cp.next >= CPOOL_MAX)
        return error_set(err, ERR_LIMIT, "the constant pool is full");
    return OK;
}

static group_set drop_last(group_set groups)
{
    for (unsigned g = GROUP_COUNT; g-- > 0;)
        if (groups & (group_set)1 << g)
            return groups & ~((group_set)1 << g);
    return 0;
}

static struct text keep_text(struct class_plan *c, const char *s)
{
    size_t n = strlen(s);
    char *copy = arena_get(&c->arena, n + 1);
    if (copy == NULL)
        return TEXT_OF("");
    memcpy(copy, s, n);
    return (struct text){ copy, n };
}

/* State of class and data IDs before an attempt, restored if it fails. */
struct before {
    struct dataid_mark dataids;
    uint32_t next;
    size_t added, ids;
};

static struct before note_before(const struct class_plan *c)
{
    return (struct before){ dataid_rows_mark(&c->out->dataids), c->cf->cp.next, c->cf->cp.added.size,
                            c->out->ids.size };
}

static void rewind_to(struct class_plan *c, const struct before *b)
{
    dataid_rows_rewind(&c->out->dataids, b->dataids);
    c->cf->cp.next = b->next;
    c->cf->cp.added.size = b->added;
    c->out->ids.size = b->ids;
    hook_refs_rewind(&c->hooks, b->next);
    build_forget_constants(c, b->next);
    for (int i = 0; i < MEMBER_COUNT; i++)
        if (c->members[i] >= b->next)
            c->members[i] = 0;
}

/* Makes the new code the attribute's content, owned by the arena. */
static enum status keep_code(struct method_plan *m, struct attribute *attribute, struct error *err)
{
    enum { SHORT_BRANCH_MAX = 32767 };
    struct class_plan *c = m->c;
    const struct writer *code = &c->code;
    uint8_t *bytes = (uint8_t *)arena_chars(&c->arena, code->size);
    if (bytes == NULL || code->bad || c->cf->cp.added.bad)
        return error_set(err, ERR_MEMORY, "no memory for woven code");
    memcpy(bytes, code->data, code->size);
    attribute->data = bytes;
    attribute->length = (uint32_t)code->size;
    c->out->hook_calls += hook_calls(m);
    c->out->asked |= m->planned.not_asked != 0;
    c->out->hidden += m->hidden;
    c->out->rare_shape |=
        m->scan.code.has_jsr || code->size > SHORT_BRANCH_MAX || m->groups != c->config->groups || c->cf->major <= 50;
    return OK;
}

/* Do all events of the method follow from its code and its inputs (formats/derived.h)? The reader must be able
 * to execute it: reader/derive/program.c. */
static bool can_follow(const struct method_plan *m)
{
    struct text name, desc;
    uint32_t bootstrap;
    if ((m->groups & DERIVE_GROUPS) != DERIVE_GROUPS ||
        (uint32_t)m->scan.code.max_locals + m->scan.code.max_stack > DERIVE_REGISTERS_MAX || plan_has_triggers(m) ||
        m->hides_numbers || !monitors_balanced(&m->scan))
        return false;
    for (size_t i = 0; i < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        if (in->op == OPC_ret || (op_table[in->op].flags & OP_JSR))
            return false;
        if (in->op >= OPC_ldc && in->op <= OPC_ldc2_w &&
            cpool_tag(&m->c->cf->cp, (uint32_t)in->operand) == CONSTANT_Dynamic &&
            (!cpool_dynamic(&m->c->cf->cp, (uint32_t)in->operand, &bootstrap, &name, &desc) ||
             descriptor_kind(desc.data[0]) != KIND_REF))
            return false; /* no event has its value */
    }
    return true;
}

/* Is there dead code behind a switch? Its events would be of the block of the switch (derive_blocks.h); those behind
 * any other end of a block are not, since a JUMP or an exit stands there. */
static bool has_dead_code(const struct method_plan *m)
{
    for (uint32_t i = 0; i + 1 < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        if ((in->op == OPC_tableswitch || in->op == OPC_lookupswitch) &&
            !(m->scan.code.flags[m->scan.code.insns.items[i + 1].pc] & PC_LABEL) && m->scan.flow.reached[i + 1])
            return true;
    }
    return false;
}

/* Has it a handler for exceptions of one class? The JVM asks for that class where an exception is thrown, wherever that
 * is. */
static bool has_typed_handler(const struct method_plan *m)
{
    bool typed = false;
    for (size_t i = 0; i < m->scan.code.handlers.count && !typed; i++)
        typed = m->scan.code.handlers.items[i].type != 0;
    return typed;
}

/* Is it enough that its hooks record inputs? */
static bool inputs_suffice(const struct method_plan *m)
{
    enum { EVENTS_OF_INSN = 4 }; /* the drain counts the events of a method in 16 bits */
    const struct weave_config *config = m->c->config;
    return config->inputs && !config->counts_only && !config->order_total &&
           m->scan.code.insns.count + m->scan.line_entries.count < UINT16_MAX / EVENTS_OF_INSN && can_follow(m) &&
           !has_dead_code(m) && !(config->asks_loader && has_typed_handler(m));
}

/* Tries with fewer and fewer groups. On success `attribute` has its new bytes. */
static enum status fit(struct method_plan *m, struct attribute *attribute, struct method_row *row, struct error *err)
{
    struct class_plan *c = m->c;
    const struct before before = note_before(c);
    enum status s;
    m->groups = c->config->groups;
    do {
        struct error why = { 0 };
        m->hides_numbers = false;
        m->inputs = inputs_suffice(m);
        s = attempt(m, &c->code, &why);
        if (s == OK && m->inputs && m->hidden > 0) { /* each event of a method with a place of redact= has its hook */
            rewind_to(c, &before);
            m->inputs = false;
            s = attempt(m, &c->code, &why);
        }
        if (s == OK)
            break;
        rewind_to(c, &before);
        if (s == ERR_LIMIT && m->spans) { /* they may take five bytes more for each instruction that can fail */
            m->whole_pieces = true;
            continue;
        }
        if (row->reason.size == 0)
            row->reason = keep_text(c, why.text);
        m->groups = s == ERR_LIMIT ? drop_last(m->groups) : 0;
        *err = why;
        m->whole_pieces = false;
    } while (m->groups != 0);
    row->groups = m->groups;
    row->followed = s == OK && can_follow(m);
    row->inputs = row->followed && m->inputs;
    if (s != OK || hook_calls(m) == 0)
        return s;
    return keep_code(m, attribute, err);
}

static bool take_buffers(struct method_plan *m)
{
    struct plan_buffers *b = m->c->buffers;
    const size_t places = 2 * m->scan.code.insns.count + 1;
    if (b == NULL && (m->c->buffers = b = calloc(1, sizeof *b)) == NULL)
        return false;
    m->planned.places = malloc(2 * places * sizeof *m->planned.places); /* one piece for both */
    m->inserted.at = m->planned.places + places;
    m->glue.code = b->glue;
    m->inserted.emit.code = b->inserted;
    m->planned.steps = b->steps;
    m->planned.events = b->events;
    m->records = b->records;
    *b = (struct plan_buffers){ 0 };
    return m->planned.places != NULL && vec_reserve(&m->planned.steps, STEPS_EXPECTED) &&
           vec_reserve(&m->planned.events, STEPS_EXPECTED) && vec_reserve(&m->records, STEPS_EXPECTED);
}

static void give_buffers(struct method_plan *m)
{
    free(m->planned.places);
    if (m->c->buffers != NULL)
        *m->c->buffers = (struct plan_buffers){ m->glue.code, m->inserted.emit.code, m->planned.steps,
                                                m->planned.events, m->records };
}

void method_buffers_done(struct plan_buffers *b)
{
    if (b == NULL)
        return;
    writer_free(&b->glue);
    writer_free(&b->inserted);
    vec_free(&b->steps);
    vec_free(&b->events);
    vec_free(&b->records);
    free(b);
}

enum status method_weave(struct class_plan *c, struct member *member, uint32_t index, struct method_row *row,
                         struct error *err)
{
    struct attribute *a = classfile_attribute(c->cf, member->first_attribute, member->attribute_count, "Code");
    if (a == NULL)
        return OK;
    const char *left_out = unwoven_why(c, member, row->name);
    if (left_out != NULL) {
        const struct text code = unwoven_code(c->cf, member);
        row->reason = (struct text){ left_out, strlen(left_out) };
        row->code_length = (uint32_t)code.size;
        row->hash = code.size > 0 ? XXH64(code.data, code.size, 0) : 0;
        return OK;
    }
    struct method_plan m = {
        .c = c,
        .scan = { .c = c, .member = member, .index = index, .name = row->name, .desc = row->desc },
    };
    if (c->config->triggers != NULL)
        m.triggers = c->config->triggers->events(c->config->triggers->context, c->name, row->name, row->desc);
    struct error why = { 0 };
    enum status s = code_read(&m.scan.code, a->data, a->length, &why);
    if (s == OK) {
        row->code_length = m.scan.code.length;
        row->hash = XXH64(m.scan.code.bytes, m.scan.code.length, 0);
        s = scan_method(&m.scan, &why);
    }
    if (s == OK && c->config->redact != NULL)
        hidden_look(&m.scan);
    if (s == OK) {
        s = take_buffers(&m) ? fit(&m, a, row, &why) : ERR_MEMORY;
        give_buffers(&m);
    }
    if (s != OK && row->reason.size == 0)
        row->reason = keep_text(c, why.text[0] != '\0' ? why.text : status_text(s));
    clear_exit(&m.exit);
    hidden_done(&m.scan.hidden_values);
    scan_done(&m.scan);
    vec_free(&m.supers_recorded);
    loops_done(&m.loops);
    if (s == ERR_MEMORY)
        return error_set(err, s, "%s", why.text[0] != '\0' ? why.text : status_text(s));
    return OK;
}
