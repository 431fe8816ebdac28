/* super_calls.c - see super_calls.h. */
#include "logging/drain/super_calls.h"

bool super_calls_apply(struct super_calls *f, uint32_t id, uint8_t role)
{
    struct pending_super *top = f->stack.count > 0 ? &f->stack.items[f->stack.count - 1] : NULL;
    if (role == ROLE_SUPER || role == ROLE_SUPER_MARK) {
        struct pending_super *p = vec_push(&f->stack);
        if (p == NULL)
            return false;
        *p = (struct pending_super){ id, 0 };
    } else if (top != NULL && role == ROLE_ENTER) {
        top->depth++;
    } else if (top != NULL && (role == ROLE_LEAVE || role == ROLE_EXCEPTIONAL) && top->depth > 0) {
        top->depth--;
    } else if (top != NULL && role == ROLE_SUPER_DONE && top->depth == 0) {
        f->stack.count--; /* its frame continues */
    }
    return true;
}
