/* monitors.c - does a method unlock all that it has locked? See monitors.h. */
#include "weaver/monitors.h"

#include <stdlib.h>

enum { NOT_SEEN = -1 };

struct walk {
    const struct method_scan *s;
    int32_t *held;   /* by instruction: monitors that are held before it; NOT_SEEN */
    uint32_t *queue; /* instructions to look at */
    uint32_t count;
    bool balanced;
};

static void come_to(struct walk *w, uint32_t i, int32_t held)
{
    if (i >= w->s->code.insns.count || held < 0) {
        w->balanced = false;
    } else if (w->held[i] == NOT_SEEN) {
        w->held[i] = held;
        w->queue[w->count++] = i;
    } else if (w->held[i] != held) {
        w->balanced = false;
    }
}

static void come_to_pc(struct walk *w, uint32_t pc, int32_t held) { come_to(w, code_index(&w->s->code, pc), held); }

/* Where an exception of this instruction goes: to handlers up to the first one that takes all. */
static void throw_from(struct walk *w, const struct insn *in, int32_t held)
{
    for (size_t i = 0; i < w->s->code.handlers.count; i++) {
        const struct handler *h = &w->s->code.handlers.items[i];
        if (in->pc < h->start || in->pc >= h->end)
            continue;
        come_to_pc(w, h->handler, held);
        if (h->type == 0)
            return;
    }
    if (held > 0)
        w->balanced = false; /* it leaves the method */
}

static void walk_from(struct walk *w, uint32_t i)
{
    const struct insn *in = &w->s->code.insns.items[i];
    const struct op_info *op = &op_table[in->op];
    int32_t held = w->held[i];
    /* an unlock throws nothing where all is balanced, and compilers may leave it out of the range of its handler */
    if ((op->flags & (OP_THROWS | OP_INVOKE)) && in->op != OPC_monitorexit)
        throw_from(w, in, held);
    held += (in->op == OPC_monitorenter) - (in->op == OPC_monitorexit);
    if ((op->flags & OP_RETURN) && held > 0)
        w->balanced = false;
    for (uint32_t k = 0; k < code_target_count(&w->s->code, in); k++)
        come_to_pc(w, code_target(&w->s->code, in, k), held);
    if (!(op->flags & OP_END))
        come_to(w, i + 1, held);
}

bool monitors_balanced(const struct method_scan *s)
{
    const uint32_t count = (uint32_t)s->code.insns.count;
    bool any = false;
    for (uint32_t i = 0; i < count && !any; i++)
        any = s->code.insns.items[i].op == OPC_monitorenter || s->code.insns.items[i].op == OPC_monitorexit;
    if (!any)
        return true;
    struct walk w = { s, malloc(count * sizeof *w.held), malloc(count * sizeof *w.queue), 0, !s->code.has_jsr };
    if (w.held == NULL || w.queue == NULL)
        w.balanced = false;
    for (uint32_t i = 0; w.held != NULL && i < count; i++)
        w.held[i] = NOT_SEEN;
    if (w.balanced)
        come_to(&w, 0, 0);
    while (w.balanced && w.count > 0)
        walk_from(&w, w.queue[--w.count]);
    free(w.held);
    free(w.queue);
    return w.balanced;
}
