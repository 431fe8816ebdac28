/* decision.c - see decision.h. */
#include "reader/query/decision.h"
#include "reader/query/place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEYS_MOST = 8 };

/* What a branch compares. */
enum comparison {
    COMPARES_TWO,
    COMPARES_ZERO, /* one operand */
    COMPARES_NULL,
    IS_TRUE, /* a boolean */
    SWITCHES,
    SWITCHES_NUMBERED, /* over constants of an enum, or types */
    SWITCHES_STRING,   /* the second switch of two, over the number of the case */
};
struct shape {
    enum comparison comparison;
    unsigned relation; /* position in relations, if the branch is taken */
    bool taken;
    bool real;     /* floats: NaN satisfies no relation */
    uint32_t pc;   /* the operands are those of the instruction there */
    uint32_t left; /* slots above it */
    uint32_t keys[KEYS_MOST];
    uint32_t key_count; /* cases that lead there, up to KEYS_MOST; */
    bool more, is_default;
};

/* A relation and the next, or the one before, are opposites; in the order of the opcodes. */
static const char *const relations[] = { "==", "!=", "<", ">=", ">", "<=" };

bool way_of(hs_trace *t, const struct hs_event *label, struct way *out)
{
    const struct hs_dataid *d = dataid_or_none(t, label->dataid);
    struct method *m = d->event == EVENT_LABEL ? method_get(t, d->method_id) : NULL;
    if (m == NULL || label->value > INT32_MAX)
        return false;
    *out = (struct way){ m, code_insn_at(&m->code, (int64_t)label->value), code_insn_at(&m->code, d->pc) };
    return out->branch != NO_INSN && out->to != NO_INSN && control_is_branch(&m->code, out->branch);
}

bool way_caught(hs_trace *t, const struct hs_event *label, struct way *out)
{
    const struct hs_dataid *d = dataid_or_none(t, label->dataid);
    struct method *m = d->event == EVENT_CATCH_LABEL ? method_get(t, d->method_id) : NULL;
    if (m == NULL)
        return false;
    *out = (struct way){ m, label->value <= INT32_MAX ? code_insn_at(&m->code, (int64_t)label->value) : NO_INSN,
                         code_insn_at(&m->code, d->pc) };
    return out->branch != NO_INSN && out->to != NO_INSN;
}

/* ---- what it compares ---- */

static const struct insn *pushed_by(hs_trace *t, struct method *m, uint32_t pc, uint32_t depth)
{
    const struct producers p = method_producers(t, m, pc, depth);
    return p.count == 1 && !p.more && (p.pcs[0] & PRODUCER_CAUGHT) == 0 ? code_at(&m->code, p.pcs[0]) : NULL;
}

/* Switches over constants of an enum or over types are over numbers that the compiler has given them: the call of
 * ordinal(), perhaps as index of $SwitchMap$a$Color, or of typeSwitch. `*depth`: of what it is over. */
static const struct insn *numbered(hs_trace *t, struct method *m, const struct insn *in, uint32_t *depth)
{
    struct member_ref call = { 0 };
    uint32_t bootstrap;
    const struct cpool *cp = &m->classfile->cp;
    const struct insn *array = in->op == OPC_iaload ? pushed_by(t, m, in->pc, 1) : NULL;
    if (array != NULL && array->op == OPC_getstatic && cpool_member(cp, (uint32_t)array->operand, &call) &&
        call.name.size > 11 && memcmp(call.name.data, "$SwitchMap$", 11) == 0)
        in = pushed_by(t, m, in->pc, 0);
    if (in != NULL && in->op == OPC_invokedynamic) {
        *depth = 1;
        return cpool_dynamic(cp, (uint32_t)in->operand, &bootstrap, &call.name, &call.desc) &&
                       (text_is(call.name, "typeSwitch") || text_is(call.name, "enumSwitch"))
                   ? in
                   : NULL;
    }
    *depth = 0;
    return in != NULL && in->op == OPC_invokevirtual && cpool_member(cp, (uint32_t)in->operand, &call) &&
                   text_is(call.name, "ordinal") && text_is(call.desc, "()I")
               ? in
               : NULL;
}

/* A switch over strings is two: the first compares, and stores the number of the case into a variable that the second
 * takes. The call of equals before the store of `key`; of any key if it is -1. */
static const struct insn *string_equals(hs_trace *t, struct method *m, const struct insn *load, int64_t key)
{
    const struct code *c = &m->code;
    if ((op_table[load->op].flags & OP_LOAD) == 0 || op_local_type(load->op) != 'I' ||
        method_variable(m, load->local, load->pc) != NULL)
        return NULL;
    for (uint32_t i = 3; i < c->insns.count; i++) {
        const struct insn *store = &c->insns.items[i], *constant = store - 1, *branch = store - 2, *call = store - 3;
        struct member_ref equals;
        uint64_t value;
        if ((op_table[store->op].flags & OP_STORE) != 0 && store->local == load->local && store->pc < load->pc &&
            code_constant(&m->classfile->cp, constant, &value) && (key < 0 || value == (uint64_t)key) &&
            branch->op == OPC_ifeq && call->op == OPC_invokevirtual &&
            cpool_member(&m->classfile->cp, (uint32_t)call->operand, &equals) &&
            text_is(equals.owner, "java/lang/String") && text_is(equals.name, "equals") &&
            pushed_by(t, m, call->pc, 0) != NULL)
            return call;
    }
    return NULL;
}

static void note_keys(const struct way *way, const struct insn *in, struct shape *s)
{
    const struct code *c = &way->method->code;
    const uint32_t count = switch_count(c->bytes, in);
    for (uint32_t i = 0; i < count; i++) {
        if (code_insn_at(c, switch_target(c->bytes, in, i)) != way->to)
            continue;
        if (i == 0)
            s->is_default = true;
        else if (s->key_count < KEYS_MOST)
            s->keys[s->key_count++] = (uint32_t)switch_key(c->bytes, in, i);
        else
            s->more = true;
    }
}

static void shape_of_switch(hs_trace *t, const struct way *way, const struct insn *in, struct shape *s)
{
    struct method *m = way->method;
    const struct insn *value = pushed_by(t, m, in->pc, 0), *call;
    uint32_t depth;
    s->comparison = SWITCHES;
    note_keys(way, in, s);
    if (value == NULL)
        return;
    if ((call = numbered(t, m, value, &depth)) != NULL) {
        s->comparison = SWITCHES_NUMBERED;
        s->pc = call->pc;
        s->left = depth;
    } else if ((call = string_equals(t, m, value, -1)) != NULL) {
        s->comparison = SWITCHES_STRING;
        s->pc = call->pc;
        s->left = 1;
    }
}

static struct shape shape_of(hs_trace *t, const struct way *way)
{
    const struct code *c = &way->method->code;
    const struct insn *in = &c->insns.items[way->branch];
    struct shape s = { .pc = in->pc };
    if ((op_table[in->op].flags & OP_COND) == 0) {
        shape_of_switch(t, way, in, &s);
        return s;
    }
    s.taken = code_insn_at(c, in->operand) == way->to;
    if (in->op == OPC_ifnull || in->op == OPC_ifnonnull) {
        s.comparison = COMPARES_NULL;
        s.relation = in->op - OPC_ifnull;
    } else if (in->op >= OPC_if_icmpeq) {
        s.left = 1;
        s.relation = in->op >= OPC_if_acmpeq ? in->op - OPC_if_acmpeq : in->op - OPC_if_icmpeq;
    } else {
        const struct insn *compare = pushed_by(t, way->method, in->pc, 0);
        s.relation = in->op - OPC_ifeq;
        s.comparison = COMPARES_ZERO;
        if (compare != NULL && compare->op >= OPC_lcmp && compare->op <= OPC_dcmpg) {
            s.comparison = COMPARES_TWO;
            s.real = compare->op != OPC_lcmp;
            s.pc = compare->pc;
            s.left = (uint32_t)compare->pops / 2;
        }
    }
    if (!s.taken)
        s.relation ^= 1;
    return s;
}

/* ---- as text ---- */

static void say(struct writer *out, const char *text) { write_bytes(out, text, strlen(text)); }

static void say_number(struct writer *out, int64_t n, char kind)
{
    char text[32];
    if (kind == 'C' && n >= ' ' && n < 127)
        (void)snprintf(text, sizeof text, "'%c'", (char)n);
    else
        (void)snprintf(text, sizeof text, "%lld", (long long)n);
    say(out, text);
}

/* The text of an operand; of a constant beside a character that character. `*kind`: the letter of its type. */
static void spell(hs_trace *t, struct method *m, uint32_t pc, uint32_t depth, char beside, struct writer *out,
                  char *kind)
{
    uint64_t value;
    const struct insn *in = beside == 'C' ? pushed_by(t, m, pc, depth) : NULL;
    if (in != NULL && in->op <= OPC_ldc_w && code_constant(&m->classfile->cp, in, &value)) {
        say_number(out, (int64_t)value, beside);
        *kind = beside;
        return;
    }
    *kind = method_expression(t, m, pc, depth, out);
}

/* The texts of both operands. */
struct spelled {
    struct writer left, right;
    char kind; /* letter of the left one */
};
static void spell_both(hs_trace *t, struct method *m, const struct shape *s, struct spelled *out)
{
    char other = 0;
    spell(t, m, s->pc, s->left, 0, &out->left, &out->kind);
    if (s->comparison == COMPARES_TWO)
        spell(t, m, s->pc, 0, out->kind, &out->right, &other);
    else if (s->comparison == COMPARES_NULL)
        say(&out->right, "null");
    else
        say_number(&out->right, 0, out->kind);
}

static void add(struct writer *out, const struct writer *text) { write_bytes(out, text->data, text->size); }

/* A boolean, or the opposite of it. */
static void say_boolean(const struct writer *text, bool is_true, struct writer *out)
{
    const bool spaced = memchr(text->data, ' ', text->size) != NULL;
    say(out, is_true ? "" : spaced ? "!(" : "!");
    add(out, text);
    say(out, !is_true && spaced ? ")" : "");
}

static void say_key(hs_trace *t, const struct way *way, const struct shape *s, const struct insn *load, uint32_t key,
                    struct writer *out)
{
    const struct insn *equals =
        s->comparison == SWITCHES_STRING ? string_equals(t, way->method, load, (int32_t)key) : NULL;
    if (equals != NULL)
        (void)method_expression(t, way->method, equals->pc, 0, out);
    else
        say_number(out, (int32_t)key, 0);
}

static void say_switch(hs_trace *t, const struct way *way, const struct shape *s, const struct writer *text,
                       struct writer *out)
{
    const struct insn *in = &way->method->code.insns.items[way->branch];
    const struct insn *load = pushed_by(t, way->method, in->pc, 0);
    add(out, text);
    if (s->is_default) {
        say(out, s->key_count > 0 ? " is none of the other cases" : " is none of the cases");
        return;
    }
    if (s->comparison == SWITCHES_NUMBERED) { /* which case has which number is not in the code */
        char line[48];
        (void)snprintf(line, sizeof line, " is the case at line %d",
                       (int)method_line(way->method, way->method->code.insns.items[way->to].pc));
        say(out, line);
        return;
    }
    say(out, " is ");
    for (uint32_t i = 0; i < s->key_count; i++) {
        say(out, i == 0 ? "" : " or ");
        say_key(t, way, s, load, s->keys[i], out);
    }
    say(out, s->more ? " or ..." : "");
}

static void say_condition(hs_trace *t, const struct way *way, const struct shape *s, const struct spelled *text,
                          bool is_nan, struct writer *out)
{
    if (s->comparison >= SWITCHES) {
        say_switch(t, way, s, &text->left, out);
    } else if (s->comparison == IS_TRUE) {
        say_boolean(&text->left, s->relation == 1, out);
    } else {
        say(out, is_nan ? "!(" : "");
        add(out, &text->left);
        say(out, " ");
        say(out, relations[is_nan ? s->relation ^ 1 : s->relation]);
        say(out, " ");
        add(out, &text->right);
        say(out, is_nan ? ")" : "");
    }
}

/* Of a branch on zero: is it one on a boolean? */
static void decide_boolean(struct shape *s, const struct spelled *text)
{
    if (s->comparison == COMPARES_ZERO && text->kind == 'Z' && s->relation <= 1)
        s->comparison = IS_TRUE;
}

static void spelled_done(struct spelled *s)
{
    writer_free(&s->left);
    writer_free(&s->right);
}

void way_condition(hs_trace *t, const struct way *way, struct writer *out)
{
    struct shape s = shape_of(t, way);
    struct spelled text = { 0 };
    spell_both(t, way->method, &s, &text);
    decide_boolean(&s, &text);
    say_condition(t, way, &s, &text, false, out);
    out->bad |= text.left.bad || text.right.bad;
    spelled_done(&text);
}

/* ---- values ---- */

static const char *keep(struct why *w, const struct writer *text)
{
    char *copy = arena_chars(w->arena, text->size + 1);
    if (copy == NULL || text->bad)
        return NULL;
    memcpy(copy, text->data, text->size);
    copy[text->size] = '\0';
    return copy;
}

static enum status take_value(struct why *w, const struct shape *s, uint32_t depth, const char *side,
                              struct hs_decided *out, struct error *err)
{
    struct why_operand v = { .side = side,
                             .used_by = s->comparison == COMPARES_TWO ? relations[s->relation]
                                        : s->comparison >= SWITCHES   ? "the switch"
                                                                      : "the condition" };
    enum status st = why_operand(w, s->pc, depth, &v, err);
    out->seq = HS_NO_SEQ;
    if (st != OK)
        return st;
    out->known = v.known;
    out->kind = v.kind;
    out->value = v.value;
    if (v.found && (st = why_number(w, &v.event, err)) == OK)
        out->seq = v.event.seq;
    return st;
}

/* Booleans and characters are ints to the instructions. */
static void set_kind(struct hs_decided *v, char kind)
{
    if (v->known && v->kind == HS_KIND_INT && (kind == 'Z' || kind == 'C'))
        v->kind = kind;
}

static bool is_nan_value(const struct hs_decided *v)
{
    float f;
    double d;
    memcpy(&f, &v->value, sizeof f);
    memcpy(&d, &v->value, sizeof d);
    return v->known && (v->kind == HS_KIND_FLOAT ? isnan(f) : v->kind == HS_KIND_DOUBLE && isnan(d));
}

static enum status take_values(struct why *w, const struct shape *s, char kind, struct hs_decided values[2],
                               struct error *err)
{
    const bool two = s->comparison == COMPARES_TWO;
    enum status st = take_value(w, s, s->left, two ? "left of " : "", &values[0], err);
    if (st == OK && two)
        st = take_value(w, s, 0, "right of ", &values[1], err);
    else
        values[1] = (struct hs_decided){ .known = true,
                                         .kind = s->comparison == COMPARES_NULL ? HS_KIND_REF : HS_KIND_INT,
                                         .seq = HS_NO_SEQ };
    if (s->comparison != SWITCHES_NUMBERED && s->comparison != SWITCHES_STRING)
        set_kind(&values[0], kind);
    set_kind(&values[1], kind);
    return st;
}

enum status decision_make(struct why *w, const struct hs_decision **out, struct error *err)
{
    struct way way;
    struct spelled text = { 0 };
    struct writer condition = { 0 };
    *out = NULL;
    if (!way_of(w->trace, &w->now, &way))
        return OK;
    struct shape s = shape_of(w->trace, &way);
    spell_both(w->trace, way.method, &s, &text);
    decide_boolean(&s, &text);
    struct hs_decision *made = arena_get(w->arena, sizeof *made);
    struct hs_decided *values = arena_array(w->arena, 2, sizeof *values);
    enum status st = made != NULL && values != NULL ? OK : state_memory(w->trace, err);
    if (st == OK)
        st = take_values(w, &s, text.kind, values, err);
    if (st != OK)
        goto out;
    const bool is_nan = s.real && s.relation >= 2 && (is_nan_value(&values[0]) || is_nan_value(&values[1]));
    say_condition(w->trace, &way, &s, &text, is_nan, &condition);
    values[0].text = keep(w, &text.left);
    values[1].text = keep(w, &text.right);
    const bool one = s.comparison >= IS_TRUE;
    *made = (struct hs_decision){ .seq = w->now.seq,
                                  .method_id = way.method->row->method_id,
                                  .condition = keep(w, &condition),
                                  .relation = one      ? NULL
                                              : is_nan ? "unordered with"
                                                       : relations[s.relation],
                                  .says_value = s.comparison == IS_TRUE || (one && s.comparison != SWITCHES_NUMBERED &&
                                                                            s.key_count == 1 && !s.more),
                                  .value_count = one ? 1 : 2 };
    place_of_pc(w->trace, way.method, way.method->code.insns.items[way.branch].pc, &made->place);
    made->values = pointers_to(w->arena, values, sizeof *values, made->value_count);
    if (values[0].text == NULL || values[1].text == NULL || made->condition == NULL || made->values == NULL)
        st = state_memory(w->trace, err);
    *out = made;
out:
    spelled_done(&text);
    writer_free(&condition);
    return st;
}
