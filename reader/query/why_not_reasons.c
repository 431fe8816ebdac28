/* why_not_reasons.c - what calls have in common, added up. */
#include <string.h>

#include "reader/query/why_not.h"

struct reason reason_new(enum hs_situation situation, struct method *m)
{
    return (struct reason){ .situation = situation, .method = m, .branch = NO_INSN, .to = NO_INSN, .needed = NO_INSN };
}

/* Of a value each event is one of its own; of a collection each place is. */
static bool same_event(const struct reason *a, const struct reason *b)
{
    return a->situation < HS_SITUATION_HELD ||
           (a->situation < HS_SITUATION_REMOVED ? a->last.seq == b->last.seq : a->last.dataid == b->last.dataid);
}

static bool is_like(const struct reason *a, const struct reason *b)
{
    return a->situation == b->situation && a->method == b->method && a->target == b->target &&
           a->target_insn == b->target_insn && a->branch == b->branch && a->to == b->to && a->needed == b->needed &&
           a->name == b->name && a->exception == b->exception && same_event(a, b);
}

struct reason *reason_like(struct asking *a, const struct reason *like)
{
    for (size_t i = 0; i < a->reasons.count; i++)
        if (is_like(&a->reasons.items[i], like))
            return &a->reasons.items[i];
    struct reason *r = vec_push(&a->reasons);
    if (r != NULL) {
        *r = *like;
        r->order = a->reasons.count;
    }
    return r;
}

enum status add_reason(struct asking *a, enum hs_situation situation, struct method *m, const char *name,
                       struct error *err)
{
    struct reason r = reason_new(situation, m);
    const size_t size = name != NULL ? strlen(name) + 1 : 0;
    char *copy = size > 0 ? arena_chars(a->arena, size) : NULL;
    if (copy != NULL)
        memcpy(copy, name, size);
    r.name = copy;
    return (copy != NULL || size == 0) && reason_like(a, &r) != NULL ? OK : state_memory(a->trace, err);
}

enum status add_value(struct asking *a, enum hs_situation situation, const struct hs_event *e, const char *what,
                      const struct hs_value *value, const struct hs_value *expected, struct error *err)
{
    const struct hs_dataid *d = dataid_or_none(a->trace, e->dataid);
    struct reason r = reason_new(situation, method_get(a->trace, d->method_id));
    const size_t size = what != NULL ? strlen(what) + 1 : 0;
    char *copy = size > 0 ? arena_chars(a->arena, size) : NULL;
    if (copy != NULL)
        memcpy(copy, what, size);
    r.last = *e;
    struct reason *to = copy != NULL || size == 0 ? reason_like(a, &r) : NULL;
    if (to == NULL)
        return state_memory(a->trace, err);
    to->calls += situation >= HS_SITUATION_REMOVED && situation <= HS_SITUATION_OTHER_ELEMENT;
    to->last = *e;
    to->has_event = true;
    to->what = copy;
    to->has_value = value != NULL;
    to->value = value != NULL ? *value : to->value;
    to->has_expected = expected != NULL;
    to->expected = expected != NULL ? *expected : to->expected;
    return OK;
}
