/* method.c - weaves one method: analyze (code, names, frames, flow), plan, lay out, write.
 *
 * If the result breaks a limit (64 KB of code, 65535 constants), the last group in the order of groups.def is given up
 * and the method planned again, until it fits or nothing is left. */
#include "weaver/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "formats/derived.h"
#include "weaver/build.h"
#include "weaver/generated.h"
#include "weaver/monitors.h"

enum {
    LOCALS_MAX = 32000, /* of the original; copies of ret slots and scratch locals come behind them */
};

static const struct attribute *code_attribute(const struct method_plan *m, const char *name)
{
    for (size_t i = 0; i < m->code.attributes.count; i++) {
        struct text t;
        if (cpool_utf8(&m->c->cf->cp, m->code.attributes.items[i].name, &t) && text_is(t, name))
            return &m->code.attributes.items[i];
    }
    return NULL;
}

/* Line numbers by pc, from all LineNumberTables. */
static enum status look_at_lines(struct method_plan *m)
{
    m->lines = malloc((m->code.length + 1) * sizeof *m->lines);
    if (m->lines == NULL)
        return ERR_MEMORY;
    memset(m->lines, 0xff, (m->code.length + 1) * sizeof *m->lines); /* -1 */
    m->lines_ascend = true;
    for (size_t k = 0; k < m->code.attributes.count; k++) {
        struct text t;
        const struct attribute *a = &m->code.attributes.items[k];
        if (!cpool_utf8(&m->c->cf->cp, a->name, &t) || !text_is(t, "LineNumberTable"))
            continue;
        struct reader r = reader_of(a->data, a->length);
        uint32_t n = read_u2(&r);
        for (uint32_t i = 0; i < n && !r.bad; i++) {
            struct line_entry e = { read_u2(&r), 0 };
            e.line = read_u2(&r);
            if (r.bad || e.pc >= m->code.length)
                continue;
            struct line_entry *slot = vec_push(&m->line_entries);
            if (slot == NULL)
                return ERR_MEMORY;
            *slot = e;
            m->lines_ascend &= m->line_entries.count < 2 || slot[-1].pc <= e.pc;
            m->lines[e.pc] = e.line;
            m->code.flags[e.pc] |= PC_LINE;
        }
    }
    for (uint32_t pc = 1; pc <= m->code.length; pc++)
        if (m->lines[pc] < 0)
            m->lines[pc] = m->lines[pc - 1];
    return OK;
}

static enum status look_at_locals(struct method_plan *m)
{
    const struct attribute *a = code_attribute(m, "LocalVariableTable");
    if (a == NULL)
        return OK;
    struct reader r = reader_of(a->data, a->length);
    uint32_t n = read_u2(&r);
    for (uint32_t i = 0; i < n && !r.bad; i++) {
        struct local_name l = { read_u2(&r), 0, 0, 0, 0 };
        l.length = read_u2(&r);
        l.name = read_u2(&r);
        l.desc = read_u2(&r);
        l.slot = read_u2(&r);
        struct local_name *slot = r.bad ? NULL : vec_push(&m->locals);
        if (slot != NULL)
            *slot = l;
    }
    return OK;
}

/* Frames, if this class file's version uses them, and the flow of uninitialized values. */
static enum status look_at_flow(struct method_plan *m, struct error *err)
{
    struct class_plan *c = m->c;
    const struct attribute *table = code_attribute(m, "StackMapTable");
    struct flow_method fm = {
        .cp = &c->cf->cp,
        .code = &m->code,
        .is_static = m->is_static,
        .is_constructor = m->is_constructor,
        .desc = m->desc,
    };
    /* Without a table in spite of jumps: version 50, or a class of the JVM's archive, whose tables are missing when it
     * is woven again. A method without a table gets none. */
    m->has_frames = c->frames_required && (table != NULL || !m->code.has_jumps);
    enum status s = OK;
    if (m->has_frames) {
        vtype initial[256];
        uint16_t n = build_initial_frame(m, initial, false);
        if (table != NULL)
            s = stack_map_read(&m->frames, table->data, table->length, m->code.length, initial, n, err);
        fm.frames = &m->frames;
        if (s == OK)
            s = flow_run(&m->flow, &fm, err);
        if (s == OK || s == ERR_MEMORY || c->cf->major > 50)
            return s;
        /* Version 50 may have a wrong table: the JVM then infers types (JVMS 4.10), and so does the weaver. */
        flow_done(&m->flow);
        m->flow = (struct flow){ 0 };
        m->has_frames = false;
        fm.frames = NULL;
    }
    return flow_run(&m->flow, &fm, err);
}

static bool look_at_locals_use(struct method_plan *m)
{
    for (size_t i = 0; i < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        if ((op_table[in->op].flags & OP_STORE) && in->local == 0 && !m->is_static)
            m->this_stored = true;
        if (in->op != OPC_ret || in->local >= m->code.max_locals)
            continue;
        if (m->ret_locals == NULL)
            m->ret_locals = arena_get(&m->c->arena, m->code.max_locals * sizeof *m->ret_locals);
        if (m->ret_locals == NULL)
            return false;
        m->ret_locals[in->local] = 1;
    }
    return true;
}

/* Locals that live through the whole method come right behind those of the original. */
static void place_locals(struct method_plan *m)
{
    uint32_t next = m->code.max_locals;
    /* counted LABELs have no value */
    m->has_from = plan_counts_only(m) ? plan_spans(m) : plan_has(m, EVENT_LABEL) && (m->code.has_jumps || m->inputs);
    if (m->has_from)
        m->from_local = (uint16_t)next++;
    m->takes_overflow = plan_has(m, EVENT_METHOD_EXCEPTIONAL_EXIT) && m->code.handlers.count > 0;
    if (m->takes_overflow)
        m->thread_local = (uint16_t)next++;
    plan_direct_look(m);
    if (m->has_called)
        m->called_local = (uint16_t)next++;
    m->loop_local = (uint16_t)next;
    next += plan_loops(m);
    if (m->ret_locals != NULL && plan_has(m, EVENT_RET)) {
        m->jsr_local = (uint16_t)next++;
        for (unsigned i = 0; i < m->code.max_locals; i++)
            if (m->ret_locals[i] != 0)
                m->ret_locals[i] = (uint16_t)next++;
    }
    m->scratch = m->scratch_max = (uint16_t)next;
}

static void run_planners(struct method_plan *m)
{
    const uint16_t first_scratch = m->scratch;
    const uint8_t *flags = m->code.flags;
    const group_set chosen = m->groups;
    for (uint32_t i = 0; i < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        const struct op_info *op = &op_table[in->op];
        const unsigned here = flags[in->pc], next = flags[in->pc + in->length];
        m->scratch = first_scratch;
        m->insn = m->gap = i;
        m->stash = -1;
        m->harmless = false;
        m->at[2 * i] = m->at[2 * i + 1] = (uint32_t)m->inserted.size;
        plan_loop_at(m, i);
        if (!m->flow.reached[i] || (here & PC_LABEL)) {
            m->open.open = false;
            m->unmarked = 0;
        }
        if (!m->flow.reached[i])
            continue;
#define NOTHING plan_nothing
#define PLANNER(name, groups, when, before, after)                                                                     \
    if ((when) && (chosen & (groups)))                                                                                 \
        before(m, i, in);
#include "weaver/planners.def"
#undef PLANNER
        m->at[2 * i + 1] = (uint32_t)m->inserted.size;
        record_pass(m, in);
        if (op->flags & OP_END)
            continue;
#define PLANNER(name, groups, when, before, after)                                                                     \
    if ((when) && (chosen & (groups)))                                                                                 \
        after(m, i, in);
#include "weaver/planners.def"
#undef PLANNER
#undef NOTHING
    }
    m->at[2 * m->code.insns.count] = (uint32_t)m->inserted.size;
    m->open.open = false;
    m->loop_counts = false;
    plan_loop_edges(m);
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

static bool is_described(struct text class)
{
    static const char *const classes[] = {
#define DESCRIBED(name) name,
#include "formats/described.def"
#undef DESCRIBED
#define VALUE(number, name, ...) name,
#include "formats/values.def"
#undef VALUE
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (text_is(class, classes[i]))
            return true;
    return false;
}

/* One try with m->groups. ERR_LIMIT: does not fit. */
static enum status attempt(struct method_plan *m, struct writer *code, struct error *err)
{
    m->inserted.size = 0;
    m->hook_calls = 0;
    m->hidden = 0;
    m->hides_numbers = false;
    m->stack_extra = 0;
    m->full = false;
    m->open = (struct open_record){ 0 };
    m->unmarked = 0;
    m->entered = m->not_asked = 0;
    m->supers_told.count = 0;
    m->next_line = 0;
    m->events = events_of(m->c, m->groups);
    if (m->code.max_locals > LOCALS_MAX)
        return error_set(err, ERR_LIMIT, "max_locals %u leaves no room for scratch locals", m->code.max_locals);
    place_locals(m);
    plan_asked(m);
    plan_uncaught(m);
    plan_output(m);
    plan_redact_prologue(m);
    plan_prologue(m);
    m->open.open = false;
    m->prologue = (uint32_t)m->inserted.size;
    run_planners(m);
    if (m->inserted.bad)
        return error_set(err, ERR_MEMORY, "no memory for inserted code");
    struct layout l;
    enum status s = layout_run(&l, m, err);
    code->size = 0;
    if (s == OK)
        s = build_code(m, &l, code, err);
    layout_done(&l);
    if (s != OK)
        return s;
    if (m->full || m->c->cf->cp.next >= CPOOL_MAX)
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
    c->out->hook_calls += m->hook_calls;
    c->out->asked |= m->not_asked != 0;
    c->out->hidden += m->hidden;
    c->out->rare_shape |=
        m->code.has_jsr || code->size > SHORT_BRANCH_MAX || m->groups != c->config->groups || c->cf->major <= 50;
    return OK;
}

/* Do all events of the method follow from its code and those that tell news (formats/derived.h)? The reader must be
 * able to execute it: reader/derive/program.c. */
static bool can_follow(const struct method_plan *m)
{
    if ((m->groups & DERIVE_GROUPS) != DERIVE_GROUPS ||
        (uint32_t)m->code.max_locals + m->code.max_stack > DERIVE_REGISTERS_MAX || m->c->config->triggers != NULL ||
        m->hides_numbers || !monitors_balanced(m))
        return false;
    for (size_t i = 0; i < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        if (in->op == OPC_ret || (op_table[in->op].flags & OP_JSR))
            return false;
        if (in->op >= OPC_ldc && in->op <= OPC_ldc2_w &&
            cpool_tag(&m->c->cf->cp, (uint32_t)in->operand) == CONSTANT_Dynamic)
            return false; /* no event has its value */
    }
    return true;
}

/* Is there dead code behind a switch? Its events would be of the block of the switch (derive_blocks.h); those behind
 * any other end of a block are not, since a JUMP or an exit stands there. */
static bool has_dead_code(const struct method_plan *m)
{
    for (uint32_t i = 0; i + 1 < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        if ((in->op == OPC_tableswitch || in->op == OPC_lookupswitch) &&
            !(m->code.flags[m->code.insns.items[i + 1].pc] & PC_LABEL) && m->flow.reached[i + 1])
            return true;
    }
    return false;
}

/* Has it a handler for exceptions of one class? The JVM asks for that class where an exception is thrown, wherever that
 * is. */
static bool has_typed_handler(const struct method_plan *m)
{
    bool typed = false;
    for (size_t i = 0; i < m->code.handlers.count && !typed; i++)
        typed = m->code.handlers.items[i].type != 0;
    return typed;
}

/* Is it enough that its hooks record inputs? */
static bool inputs_suffice(const struct method_plan *m)
{
    enum { EVENTS_OF_INSN = 4 }; /* the drain counts the events of a method in 16 bits */
    const struct weave_config *config = m->c->config;
    return config->inputs && !config->counts_only && !config->order_total && config->redact == NULL &&
           m->code.insns.count + m->line_entries.count < UINT16_MAX / EVENTS_OF_INSN && can_follow(m) &&
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
        m->inputs = inputs_suffice(m);
        s = attempt(m, &c->code, &why);
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
    if (s != OK || m->hook_calls == 0)
        return s;
    return keep_code(m, attribute, err);
}

/* Analyzes the method before it is planned. */
static enum status look_at(struct method_plan *m, const struct attribute *a, struct method_row *row, struct error *err)
{
    enum status s = code_read(&m->code, a->data, a->length, err);
    if (s != OK)
        return s;
    (void)code_measure(&m->code, &m->c->cf->cp); /* a wrong constant is told where control reaches it */
    row->code_length = m->code.length;
    row->hash = XXH64(m->code.bytes, m->code.length, 0);
    m->at = malloc((2 * m->code.insns.count + 1) * sizeof *m->at);
    if (m->at == NULL)
        return ERR_MEMORY;
    s = look_at_lines(m);
    if (s != OK)
        return s;
    s = look_at_locals(m);
    if (s != OK)
        return s;
    if (!look_at_locals_use(m))
        return ERR_MEMORY;
    s = look_at_flow(m, err);
    if (s == OK && m->c->config->redact != NULL)
        hidden_look(m);
    return s;
}

enum status method_weave(struct class_plan *c, struct member *member, uint32_t index, struct method_row *row,
                         struct error *err)
{
    struct attribute *a = classfile_attribute(c->cf, member->first_attribute, member->attribute_count, "Code");
    if (a == NULL)
        return OK;
    struct reader r = reader_of(a->data, a->length);
    (void)read_u4(&r); /* max_stack, max_locals */
    uint32_t length = read_u4(&r);
    const uint8_t *code = read_span(&r, length);
    const struct text bytes = { (const char *)code, code != NULL ? length : 0 };
    const char *generated = c->config->skip_generated ? generated_method(c->cf, member, row->name, bytes) : NULL;
    if (generated != NULL) {
        row->reason = (struct text){ generated, strlen(generated) };
        row->code_length = (uint32_t)bytes.size;
        row->hash = code != NULL ? XXH64(code, length, 0) : 0;
        return OK;
    }
    struct method_plan m = {
        .c = c,
        .member = member,
        .index = index,
        .name = row->name,
        .desc = row->desc,
        .is_static = (member->access & ACC_STATIC) != 0,
        .stash = -1,
        .inserted = c->inserted,
    };
    m.is_constructor = text_is(row->name, "<init>") && c->cf->super_class != 0;
    m.describes = m.is_constructor && !c->config->counts_only && is_described(c->name);
    if (c->config->triggers != NULL)
        c->config->triggers->events(c->config->triggers->context, c->name, row->name, row->desc, &m.starts, &m.ends);
    struct error why = { 0 };
    enum status s = look_at(&m, a, row, &why);
    if (s == OK)
        s = fit(&m, a, row, &why);
    if (s != OK && row->reason.size == 0)
        row->reason = keep_text(c, why.text[0] != '\0' ? why.text : status_text(s));
    code_done(&m.code);
    stack_map_done(&m.frames);
    flow_done(&m.flow);
    hidden_done(&m.hidden_values);
    vec_free(&m.line_entries);
    vec_free(&m.locals);
    vec_free(&m.supers_told);
    vec_free(&m.loops);
    vec_free(&m.nests);
    vec_free(&m.loop_edges);
    free(m.lines);
    free(m.at);
    c->inserted = m.inserted;
    if (s == ERR_MEMORY)
        return error_set(err, s, "%s", why.text[0] != '\0' ? why.text : status_text(s));
    return OK;
}
