/* why_not_ways.c - the ways of branches on which an instruction depends (code/control.h), these branches on ways of
 * others, and so on up to the entry: levels.
 *
 *     a && b     place      level 1: b true     level 2: a true */
#include <string.h>

#include "reader/query/why_not.h"

enum { LEVELS_MOST = 64, WAYS_MOST = 4096 };

static bool add_needed(struct ways *w, uint32_t branch, uint32_t to, uint32_t level)
{
    for (size_t i = 0; i < w->needed.count; i++)
        if (w->needed.items[i].branch == branch && w->needed.items[i].to == to)
            return true;
    if (w->needed.count >= WAYS_MOST)
        return true;
    struct needed *n = vec_push(&w->needed);
    if (n == NULL)
        return false;
    *n = (struct needed){ branch, to, level };
    for (size_t i = 0; i < w->branches.count; i++)
        if (w->branches.items[i] == branch)
            return true;
    uint32_t *b = branch != NO_INSN ? vec_push(&w->branches) : NULL;
    if (b != NULL)
        *b = branch;
    return branch == NO_INSN || b != NULL;
}

/* The ways on which an instruction depends directly. */
static bool add_ways_to(struct ways *w, uint32_t insn, uint32_t level)
{
    const struct code *c = w->code;
    for (uint32_t b = 0; b < c->insns.count; b++) {
        struct successors next = { .code = c, .insn = b };
        if (!control_is_branch(c, b))
            continue;
        while (code_next(&next))
            if (control_decides(w->control, b, next.to, insn) && !add_needed(w, b, next.to, level))
                return false;
    }
    for (size_t i = 0; i < c->handlers.count; i++) {
        const uint32_t h = code_insn_at(c, c->handlers.items[i].handler);
        if (h != NO_INSN && control_dominates(w->control, h, insn) && control_follows(w->control, h, insn) &&
            !add_needed(w, NO_INSN, h, level))
            return false;
    }
    return true;
}

bool ways_find(hs_trace *t, struct method *m, uint32_t insn, struct ways *out)
{
    *out = (struct ways){ .control = method_control(t, m), .code = &m->code };
    if (out->control == NULL || !add_ways_to(out, insn, 1))
        return false;
    for (size_t i = 0; i < out->needed.count; i++) {
        const struct needed n = out->needed.items[i];
        if (n.branch != NO_INSN && n.level < LEVELS_MOST && !add_ways_to(out, n.branch, n.level + 1))
            return false;
    }
    return true;
}

void ways_done(struct ways *w)
{
    vec_free(&w->needed);
    vec_free(&w->branches);
}

/* The first of them: they come level by level. */
static const struct needed *first_of(const struct ways *w, uint32_t branch)
{
    for (size_t i = 0; i < w->needed.count; i++)
        if (w->needed.items[i].branch == branch)
            return &w->needed.items[i];
    return NULL;
}

uint32_t ways_level(const struct ways *w, uint32_t branch)
{
    const struct needed *n = first_of(w, branch);
    return n != NULL ? n->level : UINT32_MAX;
}

/* In a || b the place depends on b, which is only asked if a is false: that is no way of a to the place. */
bool ways_is_needed(const struct ways *w, uint32_t branch, uint32_t to)
{
    const uint32_t level = ways_level(w, branch);
    for (size_t i = 0; i < w->needed.count; i++)
        if (w->needed.items[i].branch == branch && w->needed.items[i].to == to && w->needed.items[i].level == level)
            return true;
    return false;
}

uint32_t ways_right(const struct ways *w, uint32_t branch)
{
    const struct needed *n = first_of(w, branch);
    return n != NULL ? n->to : NO_INSN;
}

bool ways_has_handler(const struct ways *w) { return first_of(w, NO_INSN) != NULL; }
