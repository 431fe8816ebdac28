/* why_not_value.c - why a value is not the expected one: what it came from, back to constants and to what is not
 * recorded, with what each operand alone would have to be, and the branches under which that came.
 *
 *     total = 5 = left 2 + right 3, not 7      left would have to be 4, or right 5; and so on from either
 *
 * An instruction is turned round where one value of the operand, tried with the instruction itself, gives the expected
 * result. */
#include <string.h>

#include "formats/jvm/arithmetic.h"
#include "reader/query/why_not.h"
#include "reader/query/writes.h"

enum { MOMENTS_MOST = 64, SEARCH_FIRST = 10000 };

/* A moment whose value would have to be another one. */
struct wrong {
    struct hs_event event;
    bool known; /* `wanted` */
    struct hs_value wanted;
};
struct search {
    struct asking *asking;
    struct why why;
    struct why_terms terms;
    VEC(struct wrong) wrong;
};

/* ---- reasons ---- */

/* `term`: what has the value; NULL: the event has it. */
static enum status add(struct search *s, enum hs_situation situation, const struct hs_event *e,
                       const struct why_term *term, const char *what, const struct hs_value *wanted, struct error *err)
{
    const struct hs_dataid *d = dataid_or_none(s->asking->trace, e->dataid);
    struct reason r = reason_new(situation, method_get(s->asking->trace, d->method_id));
    r.last = *e;
    r.has_event = true;
    r.what = what;
    r.has_value = term != NULL && term->known;
    if (r.has_value)
        r.value = (struct hs_value){ .bits = term->value, .kind = term->kind };
    r.has_expected = wanted != NULL;
    r.expected = wanted != NULL ? *wanted : r.expected;
    return reason_like(s->asking, &r) != NULL ? OK : state_memory(s->asking->trace, err);
}

/* The other way of a branch that has two. */
static uint32_t other_way(const struct way *way)
{
    struct successors next = { .code = &way->method->code, .insn = way->branch };
    uint32_t other = NO_INSN, count = 0;
    while (code_next(&next)) {
        count++;
        other = next.to != way->to ? next.to : other;
    }
    return count == 2 ? other : NO_INSN;
}

/* The branch that the moment came under. */
static enum status add_under(struct search *s, struct error *err)
{
    struct hs_event label;
    struct way way;
    if (s->why.decision == NULL)
        return OK;
    const enum status st = event_at(s->asking->trace, s->why.decision->seq, &label, err);
    if (st != OK || !way_of(s->asking->trace, &label, &way))
        return st;
    struct reason r = reason_new(HS_SITUATION_UNDER, way.method);
    r.last = label;
    r.has_event = true;
    r.branch = way.branch;
    r.to = way.to;
    r.needed = other_way(&way);
    return reason_like(s->asking, &r) != NULL ? OK : state_memory(s->asking->trace, err);
}

/* ---- what operands would have to be ---- */

static bool is_real(char kind) { return kind == HS_KIND_FLOAT || kind == HS_KIND_DOUBLE; }

/* The opcode that undoes `op` for its left (or right) operand; 0: none does. `*swapped`: the known operand comes
 * first. */
static unsigned inverse_of(unsigned op, bool left, bool *swapped)
{
    const unsigned type = (op - OPC_iadd) % 4, group = op - type;
    *swapped = false;
    if (op == OPC_ixor || op == OPC_lxor)
        return op;
    switch ((int)group) {
    case OPC_iadd: return OPC_isub + type;
    case OPC_isub: *swapped = !left; return left ? OPC_iadd + type : OPC_isub + type;
    case OPC_imul: return OPC_idiv + type;
    case OPC_idiv: *swapped = !left; return left ? OPC_imul + type : OPC_idiv + type;
    default: return 0;
    }
}

static bool is_division(unsigned op) { return op >= OPC_idiv && op <= OPC_ddiv; }

/* The whole number that a conversion has made this real number of. */
static uint64_t whole_number(char kind, uint64_t bits)
{
    return arithmetic_unary(kind == HS_KIND_DOUBLE ? OPC_d2l : OPC_f2l, bits);
}

/* The value of one operand of a term with which it gives `wanted`. */
static bool solve(const struct why_term *t, const struct why_term *known, bool left, uint64_t wanted, uint64_t *out)
{
    bool swapped;
    if (known == NULL) { /* one operand */
        const bool negates = t->op >= OPC_ineg && t->op <= OPC_dneg;
        const bool to_real = t->op == OPC_i2f || t->op == OPC_i2d || t->op == OPC_l2f || t->op == OPC_l2d;
        *out = negates ? arithmetic_unary(t->op, wanted) : to_real ? whole_number(t->kind, wanted) : wanted;
        return (negates || to_real || (t->op >= OPC_i2l && t->op <= OPC_i2s && !is_real(t->kind))) &&
               arithmetic_unary(t->op, *out) == wanted;
    }
    const unsigned inverse = inverse_of(t->op, left, &swapped);
    const uint64_t p = swapped ? known->value : wanted, q = swapped ? wanted : known->value;
    if (inverse == 0 || !known->known || (is_division(inverse) && !is_real(t->kind) && q == 0))
        return false;
    *out = arithmetic_binary(inverse, p, q);
    if (is_division(t->op) && !is_real(t->kind) && (left ? known->value : *out) == 0)
        return false;
    return arithmetic_binary(t->op, left ? *out : known->value, left ? known->value : *out) == wanted;
}

static const char *role_of(const struct why *w, const struct hs_event *e)
{
    for (size_t i = 0; i < w->choice_count; i++)
        if (w->choices[i].event.seq == e->seq)
            return w->choices[i].role;
    return NULL;
}

static enum status go_on(struct search *s, const struct hs_event *e, const struct hs_value *wanted, struct error *err)
{
    for (size_t i = 0; i < s->wrong.count; i++)
        if (s->wrong.items[i].event.seq == e->seq)
            return OK;
    struct wrong *to = s->wrong.count < MOMENTS_MOST ? vec_push(&s->wrong) : NULL;
    if (to != NULL)
        *to = (struct wrong){ .event = *e, .known = wanted != NULL };
    if (to != NULL && wanted != NULL)
        to->wanted = *wanted;
    return to != NULL || s->wrong.count >= MOMENTS_MOST ? OK : state_memory(s->asking->trace, err);
}

/* What this part of the expression of why.now would have to be, from the whole down to its operands. */
static enum status turn_round(struct search *s, size_t root, const struct hs_value *wanted, struct error *err)
{
    struct part {
        size_t term;
        struct hs_value wanted;
    };
    VEC(struct part) parts = { 0 };
    enum status st = OK;
    struct part *first = vec_push(&parts);
    if (first == NULL)
        return state_memory(s->asking->trace, err);
    *first = (struct part){ root, *wanted };
    for (size_t i = 0; st == OK && i < parts.count; i++) {
        const struct part p = parts.items[i];
        const struct why_term *t = &s->terms.items[p.term];
        if (t->op == 0) { /* no instruction without events */
            if (t->found && p.term != root)
                st = add(s, HS_SITUATION_OPERAND, &t->event, NULL, role_of(&s->why, &t->event), &p.wanted, err);
            else if (!t->found)
                st =
                    add(s, t->known ? HS_SITUATION_CONSTANT : HS_SITUATION_INPUT, &s->why.now, t, NULL, &p.wanted, err);
            if (st == OK && t->found)
                st = go_on(s, &t->event, &p.wanted, err);
            continue;
        }
        const struct why_term *right = &s->terms.items[t->right];
        const struct why_term *left = t->left != NO_TERM ? &s->terms.items[t->left] : NULL;
        const size_t before = parts.count;
        for (int side = left != NULL ? 0 : 1; st == OK && side < 2; side++) {
            const struct why_term *of = side == 0 ? left : right, *other = side == 0 ? right : left;
            struct part next = { side == 0 ? t->left : t->right, { .kind = of->kind } };
            if (!solve(t, other, side == 0, p.wanted.bits, &next.wanted.bits))
                continue;
            struct part *to = vec_push(&parts);
            st = to != NULL ? OK : state_memory(s->asking->trace, err);
            if (to != NULL)
                *to = next;
        }
        if (st == OK && parts.count == before)
            st = add(s, HS_SITUATION_NO_OPERAND, &s->why.now, t, NULL, &p.wanted, err);
    }
    vec_free(&parts);
    return st;
}

/* ---- moments ---- */

/* It was computed in a way that is not turned round: all that it was computed from counts. */
static enum status look_through(struct search *s, struct error *err)
{
    const struct why *w = &s->why;
    enum status st = add(s, HS_SITUATION_COMPUTED, &w->now, NULL, NULL, NULL, err);
    for (size_t i = 0; st == OK && i < w->choice_count; i++)
        st = go_on(s, &w->choices[i].event, NULL, err);
    return st;
}

static enum status look_at(struct search *s, const struct wrong *wrong, struct error *err)
{
    struct why *w = &s->why;
    const struct hs_value *wanted = wrong->known ? &wrong->wanted : NULL;
    s->terms.count = 0;
    s->terms.root = NO_TERM;
    w->now = wrong->event;
    enum status st = why_moment(w, false, true, err);
    if (st == OK)
        st = add_under(s, err);
    if (st != OK)
        return st;
    if (s->terms.root != NO_TERM && wanted != NULL)
        return turn_round(s, s->terms.root, wanted, err);
    const bool computed = s->terms.root != NO_TERM && s->terms.items[s->terms.root].op != 0;
    if (w->choice_count > 0 && (computed || w->choices[0].by == HS_BY_COMPUTED))
        return look_through(s, err);
    if (w->end == NULL && w->choice_count > 0)
        return go_on(s, &w->choices[0].event, w->choices[0].operand ? NULL : wanted, err);
    return add(s, w->end != NULL && strcmp(w->end, "constant") == 0 ? HS_SITUATION_CONSTANT : HS_SITUATION_INPUT,
               &w->now, NULL, w->end, wanted, err);
}

/* The expected value as one of this kind. False: it is no number. */
static bool expected_as(const struct wanted *w, char kind, struct hs_value *out)
{
    const float f = (float)w->shown.fraction;
    uint32_t low;
    *out = (struct hs_value){ .kind = kind };
    switch (kind) {
    case HS_KIND_DOUBLE: memcpy(&out->bits, &w->shown.fraction, sizeof out->bits); return w->real;
    case HS_KIND_FLOAT:
        memcpy(&low, &f, sizeof low);
        out->bits = low;
        return w->real;
    case HS_KIND_BOOLEAN: out->bits = w->truth; return w->boolean;
    case HS_KIND_CHAR: out->bits = w->unit; return w->character;
    case HS_KIND_REF: return w->null;
    default: out->bits = (uint64_t)w->shown.number; return w->integer;
    }
}

enum status ask_value(struct asking *a, const struct hs_event *e, struct error *err)
{
    struct search s = { .asking = a,
                        .why = { .trace = a->trace,
                                 .arena = a->arena,
                                 .search = { .left = SEARCH_FIRST },
                                 .control_left = 4000000,
                                 .terms = &s.terms } };
    const char kind = element_kind_of(a->trace, e);
    struct hs_value wanted;
    const bool known = expected_as(&a->expected, kind, &wanted);
    const bool is = wanted_is(&a->expected, a->trace, (uint8_t)kind, e->value);
    enum status st =
        add(&s, is ? HS_SITUATION_HELD : HS_SITUATION_VALUE, e, NULL, NULL, known && !is ? &wanted : NULL, err);
    if (st == OK && !is)
        st = go_on(&s, e, known ? &wanted : NULL, err);
    for (size_t i = 0; st == OK && i < s.wrong.count; i++) {
        const struct wrong next = s.wrong.items[i];
        st = look_at(&s, &next, err);
    }
    vec_free(&s.wrong);
    vec_free(&s.terms);
    return st;
}
