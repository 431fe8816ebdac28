/* why_not_reasons.c - what calls have in common, added up. */
#include <string.h>

#include "reader/query/why_not.h"

struct reason reason_new(enum hs_situation situation, struct method *m)
{
    return (struct reason){ .situation = situation, .method = m, .branch = NO_INSN, .to = NO_INSN, .needed = NO_INSN };
}

static bool is_like(const struct reason *a, const struct reason *b)
{
    return a->situation == b->situation && a->method == b->method && a->target == b->target &&
           a->target_insn == b->target_insn && a->branch == b->branch && a->to == b->to && a->needed == b->needed &&
           a->name == b->name && a->exception == b->exception &&
           (a->situation < HS_SITUATION_HELD || a->last.seq == b->last.seq);
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
