/* condition_quick.c - conditions on events without looking up names: most events of a pass are turned down by their
 * data ID and a number.
 *
 * When the first event of a data ID was decided, it is known of each comparison what its name stands for there: the
 * value of the event, or the same for all of its events. Values that are objects are asked for, but of those that stand
 * for nothing but themselves: they all compare alike with a number, so one answer is kept for a class. Boxes have their
 * number, where the agent has copied it. */
#include "reader/query/condition.h"

#include <stdlib.h>
#include <string.h>

#include "reader/query/contents.h"

/* Of a data ID and a comparison. ALWAYS: no event of it has the name; PLACE: all have the same value of it; behind
 * each come two more for the other answers. */
enum { NOT_SEEN, ITS_VALUE, TO_ASK, ALWAYS, ALWAYS_YES, ALWAYS_UNKNOWN, PLACE, PLACE_YES, PLACE_UNKNOWN };
/* Beside the answers: an event has to be decided as a whole. */
#define ASK (EXPRESSION_NOT_KNOWN + 1u)

/* ---- the comparisons ---- */

static bool add_leaf(struct condition *c, const struct expression *t, bool below_not)
{
    const struct shown_value *s = t->shown;
    const bool whole = s != NULL && t->op != OPERATOR_MATCH && !s->is_object && !s->is_string;
    if (t->left->type != EXPRESSION_NAME || s == NULL || c->quick.count == QUICK_LEAVES)
        return false;
    const bool number = whole && s->real && !s->quoted && !s->is_character;
    c->quick.leaves[c->quick.count++] = (struct quick_leaf){ .tree = t,
                                                             .name = condition_name(c, t->left->path),
                                                             .integer = whole && s->integer,
                                                             .number = number,
                                                             .plain = number && !below_not && t->op != OPERATOR_NE &&
                                                                      strchr("0123456789+-", s->text[0]) != NULL };
    struct quick_leaf *l = &c->quick.leaves[c->quick.count - 1];
    for (int order = -1; l->integer && order <= 1; order++)
        l->holds[order + 1] = operator_holds(t->op, order);
    l->other = s->number;
    return true;
}

static bool add_leaves(struct condition *c, const struct expression *t, bool below_not)
{
    bool ok = true;
    if (t->type == EXPRESSION_UNARY && t->op == OPERATOR_NOT)
        return add_leaves(c, t->left, true);
    if (t->type == EXPRESSION_COMPARISON)
        return add_leaf(c, t, below_not);
    for (size_t i = 0; ok && i < t->count; i++)
        ok = add_leaves(c, t->arguments[i], below_not);
    return ok && (t->type == EXPRESSION_AND || t->type == EXPRESSION_OR);
}

void quick_init(struct condition *c)
{
    c->quick.count = 0;
    if (!add_leaves(c, c->tree->root, false))
        c->quick.count = 0;
}

void quick_done(struct quick *q)
{
    for (size_t i = 0; i < q->count; i++)
        map_free(&q->leaves[i].classes);
    free(q->states);
    q->states = NULL;
    q->id_count = 0;
    memset(q->failed, 0, sizeof q->failed);
}

/* ---- of one event ---- */

static bool is_integer(char kind)
{
    return kind == HS_KIND_INT || kind == HS_KIND_LONG || kind == HS_KIND_SHORT || kind == HS_KIND_BYTE;
}

static unsigned compare_integer(const struct quick_leaf *l, int64_t value)
{
    return l->holds[(value > l->other) - (value < l->other) + 1] ? EXPRESSION_YES : EXPRESSION_NO;
}

/* A number or null. */
static unsigned compare_shown(struct condition *c, const struct quick_leaf *l, char kind, uint64_t bits)
{
    const struct expression_host host = { .context = &c->row, .objects = &trace_objects, .as_shown = true };
    struct evaluation e = { .host = &host, .arena = &c->arena };
    const struct expression_value v = expression_number(kind, bits);
    bool fits;
    const enum expression_answer answer = value_is_shown(&e, l->tree->op, &v, l->tree->shown, &fits);
    return fits ? answer : ASK;
}

static unsigned compare_object(struct condition *c, const struct quick_leaf *l, uint64_t id)
{
    hs_trace *t = c->row.objects.trace;
    const uint32_t class_id = l->number ? objects_class(t, id) : 0;
    const struct quick_class *known = class_id != 0 ? map_get(&l->classes, class_id) : NULL;
    char kind;
    uint64_t bits;
    if (known == NULL)
        return ASK;
    if (known->standing == STANDS_FOR_NUMBER)
        return value_number(t, (uint32_t)id, &kind, &bits) ? compare_shown(c, l, kind, bits) : ASK;
    return known->standing == STANDS_FOR_NOTHING && objects_copied(t, (uint32_t)id) ? ASK : known->answer;
}

static unsigned decide_leaf(struct condition *c, const struct quick_leaf *l, uint8_t state, char kind, uint64_t value)
{
    if (state == NOT_SEEN || state == TO_ASK)
        return ASK;
    if (l->name != NULL) {
        l->name->row.asked = true;
        l->name->row.seen |= state == ITS_VALUE || state >= PLACE;
    }
    if (state != ITS_VALUE)
        return state >= PLACE ? state - PLACE : state - ALWAYS;
    if (l->integer && is_integer(kind))
        return compare_integer(l, (int64_t)value);
    if (kind == HS_KIND_REF && value != 0)
        return compare_object(c, l, value);
    return compare_shown(c, l, kind, value);
}

/* As expression_decide does it, which stops at the first comparison that has to be asked for. */
static unsigned decide_tree(struct condition *c, const struct expression *t, const uint8_t *states, char kind,
                            uint64_t value)
{
    const unsigned decides = t->type == EXPRESSION_OR ? EXPRESSION_YES : EXPRESSION_NO;
    unsigned answer = decides == EXPRESSION_YES ? EXPRESSION_NO : EXPRESSION_YES;
    if (t->type == EXPRESSION_COMPARISON) {
        size_t leaf = 0;
        while (c->quick.leaves[leaf].tree != t)
            leaf++;
        return decide_leaf(c, &c->quick.leaves[leaf], states[leaf], kind, value);
    }
    if (t->type == EXPRESSION_UNARY) {
        answer = decide_tree(c, t->left, states, kind, value);
        return answer == EXPRESSION_NO ? EXPRESSION_YES : answer == EXPRESSION_YES ? EXPRESSION_NO : answer;
    }
    for (size_t i = 0; i < t->count && answer != decides && answer != ASK; i++) {
        const unsigned next = decide_tree(c, t->arguments[i], states, kind, value);
        answer = next == decides || next == ASK || answer != EXPRESSION_NOT_KNOWN ? next : answer;
    }
    return answer;
}

static const uint8_t *states_of(const struct condition *c, const hs_trace *t, uint32_t id)
{
    return c->row.objects.trace == t && id < c->quick.id_count ? c->quick.states + (size_t)id * c->quick.count : NULL;
}

bool quick_fails(struct condition *c, hs_trace *t, uint32_t id, char kind, uint64_t value)
{
    const uint8_t *states = states_of(c, t, id);
    const unsigned answer = states != NULL ? decide_tree(c, c->tree->root, states, kind, value) : ASK;
    return answer == EXPRESSION_NO || answer == EXPRESSION_NOT_KNOWN;
}

/* Of an element of a byte[] or boolean[] the kind has to be asked, and so of all that are BYTE. */
enum quick_plan quick_plan(struct condition *c, uint32_t id, char kind)
{
    const uint8_t *states = states_of(c, c->row.objects.trace, id);
    const struct quick_leaf *first = &c->quick.leaves[0];
    if (states == NULL || (c->row.objects.trace->kinds[id] & 0x7f) == HS_KIND_BYTE)
        return PLAN_ASK;
    if (first->tree != c->tree->root || states[0] != ITS_VALUE)
        return PLAN_QUICK;
    return kind == HS_KIND_REF ? PLAN_OBJECT : first->integer && is_integer(kind) ? PLAN_INTEGER : PLAN_QUICK;
}

uint32_t quick_scan(struct condition *c, hs_trace *t, const uint32_t *ids, const uint64_t *values, uint32_t i,
                    uint32_t end)
{
    const struct quick_leaf *first = &c->quick.leaves[0];
    for (; i < end; i++) {
        const uint32_t id = ids[i];
        switch (id < c->dataid_count ? c->dataids[id] : PLAN_NONE) {
        case PLAN_FAILS: continue;
        case PLAN_INTEGER:
            if (compare_integer(first, (int64_t)values[i]) != EXPRESSION_YES)
                continue;
            return i;
        case PLAN_OBJECT: {
            uint32_t *failed = &c->quick.failed[values[i] % QUICK_OBJECTS];
            if (values[i] != 0 && *failed == values[i])
                continue;
            if (!quick_fails(c, t, id, HS_KIND_REF, values[i]))
                return i;
            *failed = values[i] <= UINT32_MAX ? (uint32_t)values[i] : 0;
            continue;
        }
        case PLAN_QUICK:
            if (quick_fails(c, t, id, (char)(t->kinds[id] & 0x7f), values[i]))
                continue;
            return i;
        default: return i;
        }
    }
    return end;
}

/* ---- learning ---- */

static unsigned part_answer(struct condition *c, const struct quick_leaf *l, const struct hs_event *e)
{
    const enum hs_truth truth = condition_part(c, l->tree, e->seq);
    return truth == HS_TRUE ? EXPRESSION_YES : truth == HS_FALSE ? EXPRESSION_NO : EXPRESSION_NOT_KNOWN;
}

static uint8_t find_state(struct condition *c, const struct quick_leaf *l, const struct hs_event *e)
{
    hs_trace *t = c->row.objects.trace;
    const char *name = l->tree->left->path;
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    if (d == NULL || strcmp(name, "seq") == 0 || strcmp(name, "thread") == 0)
        return TO_ASK;
    if (!hs_event_may_have(t, e->dataid, name))
        return ALWAYS_UNKNOWN;
    if (strcmp(name, "value") != 0 && row_is_place(d, name))
        return (uint8_t)(PLACE + part_answer(c, l, e));
    return e->kind != 0 && e->kind != HS_KIND_VOID ? ITS_VALUE : ALWAYS_UNKNOWN;
}

/* Of objects that stand for nothing, the answer of one of this class is that of all which are not copied. What holds
 * several is no number: as a text it has brackets. */
static void learn_class(struct condition *c, struct quick_leaf *l, const struct hs_event *e)
{
    hs_trace *t = c->row.objects.trace;
    const uint32_t class_id = l->number ? objects_class(t, e->value) : 0;
    if (class_id == 0 || map_get(&l->classes, class_id) != NULL)
        return;
    const enum class_standing standing = class_standing(t, class_id);
    if (standing == STANDS_FOR_SOMETHING || (standing == HOLDS_SEVERAL && !l->plain) ||
        (standing == STANDS_FOR_NOTHING && objects_copied(t, (uint32_t)e->value)))
        return;
    const unsigned answer = standing == STANDS_FOR_NOTHING ? part_answer(c, l, e) : EXPRESSION_NO;
    struct quick_class *new = map_put(&l->classes, class_id);
    if (new != NULL) {
        new->standing = standing;
        new->answer = answer;
    }
}

void quick_learn(struct condition *c, const struct hs_event *e)
{
    struct quick *q = &c->quick;
    if (q->count > 0 && q->states == NULL) {
        q->states = calloc((size_t)hs_dataid_count(c->row.objects.trace) + 1, q->count);
        q->id_count = q->states != NULL ? hs_dataid_count(c->row.objects.trace) : 0;
    }
    for (size_t i = 0; i < q->count && e->dataid < q->id_count; i++) {
        uint8_t *state = &q->states[(size_t)e->dataid * q->count + i];
        if (*state == NOT_SEEN)
            *state = find_state(c, &q->leaves[i], e);
        if (*state == ITS_VALUE && e->kind == HS_KIND_REF && e->value != 0)
            learn_class(c, &q->leaves[i], e);
    }
}
