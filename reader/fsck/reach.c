/* reach.c - finds where control can go between two events of a frame, over instructions without events.
 *
 * With LABEL woven every block begins with an event and each search ends at once; without, it walks the silent part of
 * the control flow graph. Instructions seen in one search are marked with its number. */
#include "reader/fsck/reach.h"

enum visit { VISIT_ON, VISIT_STOP, VISIT_FOUND };
struct search;
typedef enum visit visit_fn(struct search *s, uint32_t insn);
struct search {
    struct method *m;
    visit_fn *visit;
    uint32_t id, pc;
};

/* Visits the instructions that control reaches without an event; `visit` decides whether the search continues from
 * each. */
static bool walk(struct search *s, uint32_t from)
{
    struct method *m = s->m;
    enum { STACK = 64 };
    uint32_t stack[STACK], depth = 0, mark = ++m->mark;
    stack[depth++] = from;
    while (depth > 0) {
        uint32_t i = stack[--depth];
        if (m->insns[i].mark == mark)
            continue;
        m->insns[i].mark = mark;
        enum visit v = s->visit(s, i);
        if (v == VISIT_FOUND)
            return true;
        if (v == VISIT_STOP)
            continue;
        struct successors next = { .code = &m->code, .insn = i };
        while (code_next(&next)) {
            if (m->insns[next.to].mark == mark)
                continue;
            if (depth == STACK)
                return true; /* too many paths without events: everything counts as reachable */
            stack[depth++] = next.to;
        }
    }
    return false;
}

static enum visit find_first(struct search *s, uint32_t i)
{
    const struct method_insn *in = &s->m->insns[i];
    if (in->before + in->after == 0)
        return VISIT_ON;
    return s->m->ids[in->first] == s->id ? VISIT_FOUND : VISIT_STOP;
}

bool reach_first(struct method *m, uint32_t insn, uint32_t id)
{
    const struct method_insn *in = &m->insns[insn];
    if (in->before + in->after > 0)
        return m->ids[in->first] == id;
    struct search s = { m, find_first, id, 0 };
    return walk(&s, insn);
}

/* The instructions before which, or in which, control can be without having passed an event since `at`. */
static bool walk_from(struct search *s, const struct fframe *at)
{
    struct method *m = s->m;
    const struct method_insn *in = &m->insns[at->insn];
    if (at->insn >= m->count) /* prologue */
        return at->at == in->before && walk(s, 0);
    if (at->side == SIDE_BEFORE) {
        if (at->at < in->before)
            return false;
        enum visit v = s->visit(s, at->insn);
        if (v != VISIT_ON || in->after > 0)
            return v == VISIT_FOUND;
    } else if (at->at < in->after && !m->has_multi) {
        return false;
    }
    struct successors next = { .code = &m->code, .insn = at->insn };
    while (code_next(&next))
        if (walk(s, next.to))
            return true;
    return false;
}

/* True if no event is recorded before the instruction is executed, or these events have been passed. */
static bool silent_before(const struct search *s, uint32_t i, const struct fframe *at)
{
    return s->m->insns[i].before == 0 || i == at->insn;
}

struct exception_search {
    struct search base;
    const struct fframe *at;
    bool anywhere;
};

/* True if an error in a hook at the begin of the handler may leave the method. A handler does not cover hooks whose
 * error would come back to them through it (weaver/build.c): it has that pc, or lies in front of it. */
static bool error_leaves(const struct method *m, const struct handler *h)
{
    for (size_t depth = 0; depth <= m->code.handlers.count; depth++) {
        const struct handler *next = NULL;
        uint32_t pc = h->handler;
        for (size_t k = 0; k < m->code.handlers.count && next == NULL; k++) {
            const struct handler *other = &m->code.handlers.items[k];
            if (other->type == 0 && pc >= other->start && pc < other->end && other->handler > pc)
                next = other;
        }
        if (next == NULL)
            return true;
        h = next;
    }
    return false;
}

/* True if s->id can be the first event after an exception at instruction i; `error`: one that hooks may throw. */
static bool leads_to(struct search *s, uint32_t i, bool error)
{
    struct method *m = s->m;
    uint32_t pc = m->insns[i].in->pc, mark = m->mark;
    bool found = false, caught = false;
    for (size_t k = 0; k < m->code.handlers.count && !found && !caught; k++) {
        const struct handler *h = &m->code.handlers.items[k];
        if (pc < h->start || pc >= h->end)
            continue;
        const struct method_insn *to = &m->insns[code_index(&m->code, h->handler)];
        if (to->before + to->after > 0)
            found = m->ids[to->first] == s->id;
        else
            found = true; /* a handler without events: no nested search, it counts as reachable */
        caught = h->type == 0 && !(error && error_leaves(m, h));
    }
    if (s->id == m->exit_id && !caught)
        found = true;
    m->mark = mark;
    return found;
}

static enum visit find_throw(struct search *s, uint32_t i)
{
    struct exception_search *e = (struct exception_search *)s;
    const struct method_insn *in = &s->m->insns[i];
    if (!silent_before(s, i, e->at))
        return VISIT_STOP;
    if ((e->anywhere || (op_table[in->in->op].flags & OP_THROWS)) && (s->pc == NO_INSN || s->pc == in->in->pc) &&
        leads_to(s, i, e->anywhere))
        return VISIT_FOUND;
    return in->after > 0 ? VISIT_STOP : VISIT_ON;
}

bool reach_exception(struct method *m, const struct fframe *at, uint32_t id, uint32_t pc)
{
    struct exception_search e = { { m, find_throw, id, pc }, at, false };
    return walk_from(&e.base, at);
}

bool reach_error(struct method *m, const struct fframe *at, uint32_t id)
{
    struct search s = { m, NULL, id, NO_INSN };
    if (at->insn < m->count && leads_to(&s, at->insn, true))
        return true;
    if (at->insn >= m->count)
        return id == m->exit_id || leads_to(&s, 0, true);
    struct exception_search e = { { m, find_throw, id, NO_INSN }, at, true };
    if (walk_from(&e.base, at))
        return true;
    struct successors next = { .code = &m->code, .insn = at->insn };
    while (code_next(&next)) /* thrown in the hooks of the next instruction */
        if (leads_to(&s, next.to, true))
            return true;
    return false;
}

/* True if the instruction can run code of the program: a call, or class loading and initialization. Matching the
 * handlers of anything that throws may load their classes. */
static bool runs_code(const struct method_insn *i)
{
    unsigned op = i->in->op;
    return (op >= OPC_getstatic && op <= OPC_new) || op == OPC_anewarray || op == OPC_multianewarray ||
           op == OPC_checkcast || op == OPC_instanceof || (op >= OPC_ldc && op <= OPC_ldc2_w) ||
           (i->covered && (op_table[op].flags & OP_THROWS));
}

static enum visit find_code(struct search *s, uint32_t i)
{
    struct exception_search *e = (struct exception_search *)s;
    const struct method_insn *in = &s->m->insns[i];
    if (!silent_before(s, i, e->at))
        return VISIT_STOP;
    return runs_code(in) ? VISIT_FOUND : in->after > 0 ? VISIT_STOP : VISIT_ON;
}

bool reach_code(struct method *m, const struct fframe *at)
{
    struct exception_search e = { { m, find_code, 0, 0 }, at, false };
    return walk_from(&e.base, at);
}

bool label_legal(const struct method *m, uint32_t insn, uint64_t pc)
{
    uint32_t from = pc < m->code.length ? code_insn_at(&m->code, (int64_t)pc) : NO_INSN;
    if (insn == 0 && pc == 0)
        return true; /* the start of the method */
    if (from == NO_INSN)
        return false;
    struct successors next = { .code = &m->code, .insn = from };
    while (code_next(&next))
        if (next.to == insn)
            return true;
    return false;
}
