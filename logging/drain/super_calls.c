/* super_calls.c - see super_calls.h. */
#include "logging/drain/super_calls.h"

void super_calls_done(struct super_calls *f)
{
    vec_free(&f->stack);
    vec_free(&f->entered);
}

/* METHOD_ENTRY of the method that has this data ID and EXEC. */
static uint32_t entry_of(struct super_calls *f, const uint8_t *roles, uint32_t id)
{
    uint32_t slot = id % SUPER_KNOWN, entry = id;
    if (f->known[slot].id == id && id != 0)
        return f->known[slot].entry;
    while (entry > 0 && roles[entry] != ROLE_ENTER)
        entry--;
    f->known[slot].id = id;
    f->known[slot].entry = entry;
    return entry;
}

void super_calls_meet(struct super_calls *f, const uint8_t *roles, uint32_t id)
{
    const uint8_t role = roles[id];
    const bool ends = role == ROLE_LEAVE || role == ROLE_EXCEPTIONAL;
    if (f->stack.count == 0 || (!ends && role != ROLE_CATCH_LABEL && role != ROLE_CATCH && role != ROLE_SUPER_DONE))
        return;
    const struct pending_super *top = &f->stack.items[f->stack.count - 1];
    size_t count = f->entered.count;
    if (count == top->first)
        return;
    const uint32_t entry = entry_of(f, roles, id);
    if (role == ROLE_SUPER_DONE) {
        size_t i = f->stack.count;
        while (i > 0 && entry_of(f, roles, f->stack.items[i - 1].call_id) != entry)
            i--;
        if (i > 0) /* what was entered in the innermost call, and that itself unless it is this one */
            f->entered.count = top->first;
        return;
    }
    while (count > top->first && f->entered.items[count - 1] != entry)
        count--;
    f->entered.count = count;
}

bool super_calls_left_by(struct super_calls *f, const uint8_t *roles, uint32_t id)
{
    if (roles[id] != ROLE_SUPER_DONE || f->stack.count == 0)
        return super_calls_left(f, roles[id]);
    const struct pending_super *top = &f->stack.items[f->stack.count - 1];
    return top->first == f->entered.count && entry_of(f, roles, id) != entry_of(f, roles, top->call_id);
}

void super_calls_pop(struct super_calls *f)
{
    f->stack.count--;
    if (f->stack.count == 0)
        f->entered.count = 0;
    else if (f->entered.count > f->stack.items[f->stack.count - 1].first)
        f->entered.count--; /* its own frame */
}

bool super_calls_apply(struct super_calls *f, uint32_t id, uint8_t role)
{
    struct pending_super *top = f->stack.count > 0 ? &f->stack.items[f->stack.count - 1] : NULL;
    if (role == ROLE_SUPER || role == ROLE_SUPER_MARK) {
        struct pending_super *p = vec_push(&f->stack);
        if (p == NULL)
            return false;
        *p = (struct pending_super){ id, (uint32_t)f->entered.count };
    } else if (top != NULL && role == ROLE_ENTER) {
        uint32_t *entry = vec_push(&f->entered);
        if (entry == NULL)
            return false;
        *entry = id;
    } else if (top != NULL && (role == ROLE_LEAVE || role == ROLE_EXCEPTIONAL) && f->entered.count > top->first) {
        f->entered.count--;
    } else if (top != NULL && role == ROLE_SUPER_DONE && f->entered.count == top->first) {
        f->stack.count--; /* its frame continues */
        if (f->stack.count == 0)
            f->entered.count = 0;
    }
    return true;
}
