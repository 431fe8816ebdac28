/* place.c - see place.h. */
#include "reader/query/place.h"

#include <string.h>

/* What is known of an instruction that threw, or called. */
struct search {
    hs_trace *trace;
    const struct method *code;
    uint32_t method;
    const struct hs_method *callee; /* which the exception left just before, or that runs; NULL: not known */
    bool throws;                    /* an exception comes from it */
    uint32_t handler;               /* pc of the handler that has taken it; UINT32_MAX: none of this method */
    const char *type;               /* of the exception; NULL: not known */
    struct thrown_row row;          /* its contents */
    size_t at;                      /* number of the frame in its stack; SIZE_MAX: not known */
    u32_vec pcs;                    /* instructions that it can be */
};

/* ---- what an instruction names ---- */

struct named {
    struct text owner, name, desc; /* empty: it names none */
};

static struct named names_of(const struct search *s, const struct insn *in)
{
    const struct cpool *cp = &s->code->classfile->cp;
    struct named out = { { "", 0 }, { "", 0 }, { "", 0 } };
    struct member_ref m;
    const unsigned op = in->op;
    if ((op >= OPC_getstatic && op <= OPC_invokeinterface && cpool_member(cp, (uint32_t)in->operand, &m)))
        out = (struct named){ m.owner, m.name, m.desc };
    else if (op == OPC_new)
        (void)cpool_class(cp, (uint32_t)in->operand, &out.owner);
    return out;
}

static bool runs_code(unsigned op) { return (op_table[op].flags & OP_INVOKE) != 0 || op == OPC_invokedynamic; }

/* May it initialize a class? */
static bool initializes(unsigned op)
{
    return op == OPC_getstatic || op == OPC_putstatic || op == OPC_invokestatic || op == OPC_new;
}

/* Does it link a class or a member, which can fail and can run a class loader? */
static bool links(unsigned op)
{
    return (op >= OPC_getstatic && op <= OPC_new) || (op >= OPC_ldc && op <= OPC_ldc2_w) || op == OPC_anewarray ||
           op == OPC_multianewarray || op == OPC_checkcast || op == OPC_instanceof;
}

/* Is the class one that the other extends? */
static bool is_super_of(hs_trace *t, const char *name, const char *of)
{
    bool unknown;
    for (const struct lineage *c = lineage_of(t, of, 0); c != NULL; c = lineage_super(t, c, &unknown))
        if (strcmp(c->name, name) == 0)
            return true;
    return false;
}

/* The class that the instruction names is initialized after its superclasses. */
static bool initializes_class(const struct search *s, const struct insn *in, const char *class_name)
{
    const struct named n = names_of(s, in);
    char owner[512];
    if (!initializes(in->op) || n.owner.size >= sizeof owner)
        return false;
    for (size_t i = 0; i <= n.owner.size; i++)
        owner[i] = i == n.owner.size ? '\0' : n.owner.data[i] == '/' ? '.' : n.owner.data[i];
    return text_is_class(n.owner, class_name) || is_super_of(s->trace, class_name, owner);
}

static bool calls_named(const struct search *s, const struct insn *in, const char *class_name, const char *method,
                        const char *desc)
{
    const struct named n = names_of(s, in);
    if (strcmp(method, "<clinit>") == 0)
        return initializes_class(s, in, class_name);
    return (op_table[in->op].flags & OP_INVOKE) != 0 && text_is(n.name, method) &&
           (desc == NULL || text_is(n.desc, desc));
}

/* ---- rules: can it be this instruction? ---- */

typedef bool rule_fn(const struct search *s, const struct insn *in);

static bool rule_callee(const struct search *s, const struct insn *in)
{
    const struct hs_class *c = s->callee != NULL ? hs_class_get(s->trace, s->callee->class_no) : NULL;
    return c != NULL && calls_named(s, in, c->name, s->callee->name, s->callee->desc);
}

/* Code that is not woven, or a lambda, lies between the two. */
static bool rule_calls(const struct search *s, const struct insn *in)
{
    if (s->callee == NULL)
        return false;
    return strcmp(s->callee->name, "<clinit>") == 0 ? initializes(in->op) : runs_code(in->op) || links(in->op);
}

static bool rule_line(const struct search *s, const struct insn *in)
{
    return s->at != SIZE_MAX && s->row.frames.items[s->at].line >= 0 &&
           method_line(s->code, in->pc) == s->row.frames.items[s->at].line;
}

/* The frame above it in the stack of the exception. */
static bool rule_called(const struct search *s, const struct insn *in)
{
    if (s->at == SIZE_MAX || s->at == 0)
        return false;
    const struct named n = names_of(s, in);
    return runs_code(in->op) && n.name.size > 0 && text_same(n.name, s->row.frames.items[s->at - 1].method);
}

/* Which exceptions the JVM itself throws at which instructions. */
enum cause {
    BY_NULL = 1,
    BY_INDEX = 2,
    BY_STORE = 4,
    BY_DIVISION = 8,
    BY_CAST = 16,
    BY_LENGTH = 32,
    BY_MONITOR = 64,
};
static const struct {
    const char *type;
    unsigned cause;
} jvm_throws[] = {
    { "java.lang.NullPointerException", BY_NULL },
    { "java.lang.ArrayIndexOutOfBoundsException", BY_INDEX },
    { "java.lang.ArrayStoreException", BY_STORE },
    { "java.lang.ArithmeticException", BY_DIVISION },
    { "java.lang.ClassCastException", BY_CAST },
    { "java.lang.NegativeArraySizeException", BY_LENGTH },
    { "java.lang.IllegalMonitorStateException", BY_MONITOR },
};

static unsigned causes_of(unsigned op)
{
    if ((op >= OPC_iaload && op <= OPC_saload) || (op >= OPC_iastore && op <= OPC_sastore))
        return BY_NULL | BY_INDEX | (op == OPC_aastore ? BY_STORE : 0u);
    if (op == OPC_getfield || op == OPC_putfield || op == OPC_arraylength || op == OPC_athrow ||
        op == OPC_monitorenter || (op >= OPC_invokevirtual && op <= OPC_invokeinterface && op != OPC_invokestatic))
        return BY_NULL;
    if (op == OPC_monitorexit)
        return BY_NULL | BY_MONITOR;
    if (op == OPC_idiv || op == OPC_ldiv || op == OPC_irem || op == OPC_lrem)
        return BY_DIVISION;
    if (op == OPC_newarray || op == OPC_anewarray || op == OPC_multianewarray)
        return BY_LENGTH;
    if ((op_table[op].flags & OP_RETURN) != 0)
        return BY_MONITOR;
    return op == OPC_checkcast ? BY_CAST : 0;
}

static unsigned cause_of_type(const char *type)
{
    for (size_t i = 0; type != NULL && i < sizeof jvm_throws / sizeof *jvm_throws; i++)
        if (strcmp(jvm_throws[i].type, type) == 0)
            return jvm_throws[i].cause;
    return 0;
}

/* The exception was made in this very frame: by the JVM, as no code creates it there. */
static bool rule_implicit(const struct search *s, const struct insn *in)
{
    const unsigned cause = cause_of_type(s->type);
    return s->at == 0 && cause != 0 && (causes_of(in->op) & cause) != 0;
}

static bool rule_type(const struct search *s, const struct insn *in)
{
    const unsigned cause = cause_of_type(s->type);
    if (!s->throws || s->type == NULL)
        return false;
    return runs_code(in->op) || links(in->op) || in->op == OPC_athrow ||
           (cause != 0 && (causes_of(in->op) & cause) != 0);
}

/* Is `type` that class, or one of its subclasses? False also if that is not known. */
static bool is_kind_of(hs_trace *t, const char *type, struct text name)
{
    bool unknown;
    const struct lineage *c = type != NULL ? lineage_of(t, type, 0) : NULL;
    if (text_is(name, "java/lang/Throwable"))
        return true;
    if (type != NULL && text_is_class(name, type))
        return true;
    while (c != NULL) {
        if (text_is_class(name, c->name) || (c->known && text_is_class(name, c->super)))
            return true;
        c = c->known ? lineage_super(t, c, &unknown) : NULL;
    }
    return false;
}

/* No handler of the method takes the exception there. */
static bool rule_not_caught(const struct search *s, const struct insn *in)
{
    for (uint32_t i = 0; s->throws && s->handler == UINT32_MAX && i < s->code->code.handlers.count; i++) {
        const struct handler *h = &s->code->code.handlers.items[i];
        struct text name;
        if (in->pc < h->start || in->pc >= h->end)
            continue;
        if (h->type == 0)
            return false;
        if (cpool_class(&s->code->classfile->cp, h->type, &name) && is_kind_of(s->trace, s->type, name))
            return false;
    }
    return true;
}

/* The handler that took the exception is the first one that fits. */
static bool rule_caught(const struct search *s, const struct insn *in)
{
    for (uint32_t i = 0; s->handler != UINT32_MAX && i < s->code->code.handlers.count; i++) {
        const struct handler *h = &s->code->code.handlers.items[i];
        if (in->pc >= h->start && in->pc < h->end && h->handler == s->handler)
            return true;
    }
    return false;
}

/* In this order: a rule that no instruction satisfies says nothing. The second part needs to know which frame of the
 * exception's stack it is. */
static rule_fn *const plain_rules[] = { rule_not_caught, rule_caught, rule_callee, rule_calls };
static rule_fn *const stack_rules[] = { rule_line, rule_called, rule_implicit, rule_type };
#define RULES(list) (list), sizeof(list) / sizeof *(list)

static void apply_rules(struct search *s, rule_fn *const *rules, size_t count)
{
    for (size_t r = 0; r < count && s->pcs.count > 1; r++) {
        size_t kept = 0;
        for (size_t i = 0; i < s->pcs.count; i++) {
            const uint32_t pc = s->pcs.items[i];
            const struct insn *in = code_at(&s->code->code, pc);
            if (in == NULL || !rules[r](s, in))
                continue;
            s->pcs.items[i] = s->pcs.items[kept]; /* those that satisfy it first, in their order */
            s->pcs.items[kept++] = pc;
        }
        if (kept > 0)
            s->pcs.count = kept;
    }
}

/* ---- the exception ---- */

/* Is it a frame of the method? */
static bool is_frame_of(hs_trace *t, const struct thrown_frame *f, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(t, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    return c != NULL && text_is(f->method, m->name) && text_is(f->class_name, c->name);
}

/* The frame of the exception's stack that is frame `depth` of the thread: matched from the outermost one on. If the
 * JVM has cut the stack off, or it is that of another thread, none is; then the innermost one is taken, if it is the
 * method of the frame and the exception has left no other frame before (`first`). */
static size_t stack_frame_of(const struct search *s, const struct replay *state, size_t depth, bool first)
{
    const struct thrown_row *row = &s->row;
    size_t at = row->frames.count;
    for (size_t k = 0; k <= depth && at != SIZE_MAX; k++) {
        while (at > 0 && !is_frame_of(s->trace, &row->frames.items[at - 1], state->stack.items[k].method))
            at--;
        at--; /* SIZE_MAX: there is none */
    }
    if (at != SIZE_MAX || !first || row->frames.count == 0)
        return at;
    return is_frame_of(s->trace, &row->frames.items[0], s->method) ? 0 : SIZE_MAX;
}

static void take_exception(struct search *s, uint64_t id)
{
    struct error err;
    s->throws = true;
    if (id == 0 || id > UINT32_MAX)
        return;
    const struct hs_type *type = hs_type_get(s->trace, objects_class(s->trace, id));
    s->type = type != NULL ? type->name : NULL;
    const struct text data = objects_thrown(s->trace, (uint32_t)id);
    if (data.size > 0 && thrown_row_decode(data.data, data.size, &s->row, &err) != OK) {
        trace_damaged(s->trace, &err);
        s->row = (struct thrown_row){ 0 };
    }
}

/* ---- the answer ---- */

/* The instructions that it can be, `last` being the latest event of the frame: out of memory is the only failure. */
static enum status find(struct search *s, uint32_t id, uint32_t last, struct error *err)
{
    if (s->code == NULL)
        return OK;
    if (!method_throwers(s->trace, s->code, id, last, &s->pcs))
        return state_memory(s->trace, err);
    apply_rules(s, RULES(plain_rules));
    return OK;
}

/* A line of LineNumberTable of the method. */
static void set_line(hs_trace *t, uint32_t method, int32_t table_line, struct hs_place *out)
{
    const struct hs_method *m = hs_method_get(t, method);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    const struct source_line line =
        c != NULL ? source_line_of(t, c, table_line) : (struct source_line){ NULL, table_line, table_line };
    out->file = line.file;
    out->line = line.line;
}

void place_of_pc(hs_trace *t, const struct method *m, uint32_t pc, struct hs_place *out)
{
    *out = (struct hs_place){ .pc = pc };
    set_line(t, m->row->method_id, method_line(m, pc), out);
}

static struct hs_place place_at(const struct hs_dataid *d)
{
    return (struct hs_place){ .pc = d->pc, .line = d->line, .file = d->file };
}

/* The instruction that was found. */
static void answer(const struct search *s, struct hs_place *out)
{
    int32_t line = method_line(s->code, s->pcs.items[0]);
    *out = (struct hs_place){ .pc = s->pcs.items[0], .unsure = s->pcs.count > 1 };
    for (size_t i = 1; i < s->pcs.count; i++)
        if (method_line(s->code, s->pcs.items[i]) != line)
            line = -1;
    set_line(s->trace, s->method, line, out);
}

/* None was: where the latest event of the frame stands, in the line that the exception's stack has. */
static void no_answer(const struct search *s, uint32_t last_id, struct hs_place *out)
{
    const struct hs_dataid *last = dataid_or_none(s->trace, last_id);
    const bool known = s->code != NULL && last->pc < s->code->code.length;
    *out = (struct hs_place){ .pc = known ? last->pc : 0, .line = -1, .unsure = true };
    if (s->at != SIZE_MAX)
        set_line(s->trace, s->method, s->row.frames.items[s->at].line, out);
}

static void search_done(struct search *s)
{
    thrown_row_done(&s->row);
    vec_free(&s->pcs);
}

/* The latest event of the frame before the event `e` of it, and what `s` needs of the event before; the events of a
 * catch are one. UINT32_MAX: not known. */
static enum status look_back(struct search *s, const struct hs_event *e, uint32_t *last, bool *passed_on,
                             struct error *err)
{
    struct hs_event before;
    *last = UINT32_MAX;
    *passed_on = false;
    enum status st = event_beside(s->trace, e, -1, &before, err);
    if (st == OK && s->handler != UINT32_MAX && event_type(s->trace, before.dataid) == EVENT_CATCH_LABEL)
        st = event_beside(s->trace, e, -2, &before, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    const struct hs_dataid *d = dataid_or_none(s->trace, before.dataid);
    *passed_on = d->event == EVENT_METHOD_EXCEPTIONAL_EXIT && before.value == e->value;
    if (*passed_on)
        s->callee = hs_method_get(s->trace, d->method_id);
    if (d->method_id == s->method && !event_has(d->event, USE_LEAVE))
        *last = before.dataid;
    return OK;
}

/* The instruction of the method of `e` that threw. */
static enum status find_thrower(struct search *s, const struct hs_event *e, struct hs_place *out, struct error *err)
{
    const struct event_position at = { positions_stream(s->trace, e->thread), e->position };
    const struct replay *state;
    uint32_t last;
    bool passed_on;
    enum status st = look_back(s, e, &last, &passed_on, err);
    if (st == OK && last != UINT32_MAX)
        st = find(s, e->dataid, last, err);
    if (st != OK)
        return st;
    if (s->pcs.count != 1) {
        st = frames_at(s->trace, at, &state, err);
        if (st != OK)
            return st;
        const struct call_frame *top = replay_top(state);
        const bool its = top != NULL && top->method == s->method;
        if (its && last == UINT32_MAX)
            last = top->last_id;
        if (its)
            s->at = stack_frame_of(s, state, state->stack.count - 1, !passed_on);
        s->pcs.count = 0;
        st = find(s, e->dataid, last, err);
        if (st != OK)
            return st;
        apply_rules(s, RULES(stack_rules));
    }
    if (s->pcs.count > 0)
        answer(s, out);
    else
        no_answer(s, last, out);
    return OK;
}

enum status place_of_throw(hs_trace *t, const struct hs_event *e, struct hs_place *out, struct error *err)
{
    const struct hs_dataid *d = dataid_or_none(t, e->dataid);
    const bool caught = d->event == EVENT_CATCH;
    struct hs_event label;
    *out = place_at(d);
    if ((!caught && d->event != EVENT_METHOD_EXCEPTIONAL_EXIT) || positions_stream(t, e->thread) == UINT32_MAX)
        return OK;
    struct search s = { .trace = t,
                        .code = method_get(t, d->method_id),
                        .method = d->method_id,
                        .handler = caught ? d->pc : UINT32_MAX,
                        .at = SIZE_MAX };
    if (caught && s.code != NULL && event_beside(t, e, -1, &label, err) == OK && label.value < s.code->code.length &&
        event_type(t, label.dataid) == EVENT_CATCH_LABEL) {
        *out = (struct hs_place){ .pc = (uint32_t)label.value };
        set_line(t, d->method_id, method_line(s.code, out->pc), out);
        return OK;
    }
    take_exception(&s, e->value);
    const enum status st = find_thrower(&s, e, out, err);
    search_done(&s);
    return st;
}

enum status place_of(hs_trace *t, const struct hs_event *e, struct hs_place *out, struct error *err)
{
    const struct hs_dataid *d = dataid_or_none(t, e->dataid);
    *out = place_at(d);
    return d->event == EVENT_METHOD_EXCEPTIONAL_EXIT ? place_of_throw(t, e, out, err) : OK;
}

enum status place_of_call(hs_trace *t, const struct replay *state, size_t depth, const struct hs_event *way,
                          struct hs_place *out, struct error *err)
{
    const struct call_frame *f = &state->stack.items[depth];
    const struct hs_dataid *last = dataid_or_none(t, f->last_id);
    struct search s = {
        .trace = t, .code = method_get(t, f->method), .method = f->method, .handler = UINT32_MAX, .at = SIZE_MAX
    };
    *out = place_at(last);
    if (f->last_id == UINT32_MAX)
        return OK;
    s.callee = hs_method_get(t, state->stack.items[depth + 1].method);
    if (way != NULL) {
        take_exception(&s, way->value);
        s.throws = false; /* it has not come so far */
        s.at = stack_frame_of(&s, state, depth, false);
    }
    const enum status st = find(&s, f->last_id, f->last_id, err);
    if (st == OK)
        apply_rules(&s, RULES(stack_rules));
    if (s.pcs.count > 0)
        answer(&s, out);
    search_done(&s);
    return st;
}
