/* check.c - code with frames, in its order. JVMS 4.10.1.6.
 *
 * The types before an instruction follow from the instruction before it, or are those of its frame; wherever control
 * can go there must be a frame that takes the types as they are. Handlers are checked with the types before an
 * instruction only when locals have changed, and behind a constructor call also with those after it, as HotSpot
 * does. */
#include "weaver/verify/method.h"

static const struct stack_map_frame *frame_at(const struct method_check *m, uint32_t pc)
{
    size_t low = 0, high = m->frames.list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->frames.list.items[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->frames.list.count && m->frames.list.items[low].pc == pc ? &m->frames.list.items[low] : NULL;
}

static bool has_uninit(const vtype *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (types[i] == VT_UNINITIALIZED_THIS)
            return true;
    return false;
}

/* Do the slots take `count` types of a frame? Returns how many of the slots they are, UINT32_MAX if not. */
static uint32_t types_fit(struct method_check *m, const vtype *slots, uint32_t limit, const vtype *types,
                          uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (at + vtype_slots(types[i]) > limit || !types_assignable(m->t, slots[at], types[i]) ||
            (type_is_wide(types[i]) && type_tag(slots[at]) != TYPE_ANYTHING && slots[at + 1] != type_half(types[i])))
            return UINT32_MAX;
        at += vtype_slots(types[i]);
    }
    return at;
}

/* Can control go to the frame with these locals and this stack? */
static bool frame_takes(struct method_check *m, const struct stack_map_frame *f, const vtype *stack, uint32_t depth,
                        bool this_uninit)
{
    const vtype *t = m->frames.types.items + f->first;
    return types_fit(m, m->now.slots, m->locals, t, f->locals) != UINT32_MAX &&
           types_fit(m, stack, depth, t + f->locals, f->stack) == depth &&
           (!this_uninit || has_uninit(t, (uint32_t)f->locals + f->stack));
}

static bool check_target(struct method_check *m, int64_t pc)
{
    const struct stack_map_frame *f = frame_at(m, (uint32_t)pc);
    return (f != NULL && frame_takes(m, f, m->now.slots + m->locals, m->now.depth, m->now.this_uninit)) ||
           method_fault(m, "the frame of its target %lld %s", (long long)pc,
                        f == NULL ? "is missing" : "does not take the types here");
}

static bool check_handlers(struct method_check *m, bool this_uninit)
{
    const struct code *c = &m->code;
    for (size_t i = 0; i < c->handlers.count; i++) {
        const struct handler *h = &c->handlers.items[i];
        if (m->at->pc < h->start || m->at->pc >= h->end)
            continue;
        vtype caught[] = { type_known(NAME_THROWABLE), VT_TOP }; /* the stack; nothing is behind it */
        if (h->type != 0)
            (void)types_of_class(m->t, h->type, caught); /* checked with the code */
        const struct stack_map_frame *f = frame_at(m, h->handler);
        if (f == NULL || !frame_takes(m, f, caught, 1, this_uninit))
            return method_fault(m, "the frame of its handler at pc %u %s", h->handler,
                                f == NULL ? "is missing" : "does not take the types here");
    }
    m->locals_changed = false;
    return true;
}

/* The types of a frame become those here; they fit max_locals and max_stack (class.c). */
static void load_frame(struct method_check *m, const struct stack_map_frame *f)
{
    const vtype *t = m->frames.types.items + f->first;
    uint32_t at = 0;
    for (uint32_t i = 0; i < (uint32_t)f->locals + f->stack; i++) {
        if (i == f->locals) {
            while (at < m->locals)
                m->now.slots[at++] = VT_TOP;
        }
        m->now.slots[at++] = t[i];
        if (type_is_wide(t[i]))
            m->now.slots[at++] = type_half(t[i]);
    }
    while (at < m->locals)
        m->now.slots[at++] = VT_TOP;
    m->now.depth = at - m->locals;
    m->now.this_uninit = has_uninit(t, (uint32_t)f->locals + f->stack);
    m->locals_changed = true;
}

static bool check_targets(struct method_check *m)
{
    const struct insn *in = m->at;
    const unsigned format = op_table[in->op].format;
    if (format == OPF_BRANCH2 || format == OPF_BRANCH4)
        return check_target(m, in->operand);
    if (format == OPF_TABLESWITCH || format == OPF_LOOKUPSWITCH)
        for (uint32_t k = 0; k < switch_count(m->code.bytes, in); k++)
            if (!check_target(m, switch_target(m->code.bytes, in, k)))
                return false;
    return true;
}

bool method_check_frames(struct method_check *m)
{
    const struct code *c = &m->code;
    size_t next = 0;
    bool reached = true;
    if (!method_start(m))
        return false;
    m->locals_changed = true;
    for (size_t i = 0; i < c->insns.count; i++) {
        m->at = &c->insns.items[i];
        const struct stack_map_frame *f = next < m->frames.list.count ? &m->frames.list.items[next] : NULL;
        if (f != NULL && f->pc == m->at->pc) {
            if (reached && !frame_takes(m, f, m->now.slots + m->locals, m->now.depth, m->now.this_uninit))
                return method_fault(m, "its frame does not take the types behind the instruction before it");
            load_frame(m, f);
            reached = true;
            next++;
        }
        if (!reached)
            return method_fault(m, "no frame behind an unconditional branch");
        const bool guarded = c->flags[m->at->pc] & PC_GUARDED, this_uninit = m->now.this_uninit;
        if (guarded && (m->locals_changed || (c->flags[m->at->pc] & PC_RANGE_START)) && !check_handlers(m, this_uninit))
            return false;
        if (!method_step(m) || (guarded && m->initialized && !check_handlers(m, this_uninit)))
            return false;
        if (m->initialized)
            m->locals_changed = true;
        if (!check_targets(m))
            return false;
        reached = !(op_table[m->at->op].flags & OP_END);
    }
    return !reached || method_fault(m, "control falls off the end of the code");
}
