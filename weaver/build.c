/* build.c - writing the woven Code attribute.
 *
 *     code:              [prologue] [woven original] [bare handlers] [exceptional exit handler(s)]
 *     exception table:   the original's ranges, moved, then catch-all ranges over the whole body
 *
 * A compiler lets the handler of a synchronized block cover itself up to the unlock, none of which throws. Inserted
 * hooks do at the end of the stack, and the handler would begin again and again. So an exception there leads to a bare
 * handler: a copy of the original code, without hooks. The events of that unlock are missing then. Other handlers that
 * cover themselves, as that of a finally block does with the store at its begin, or that lie in front of another one
 * that they cover, cover no hooks there: an exception of those goes where it would go without that handler.
 *
 * A constructor has two kinds of body: while `this` is uninitialized a handler's frame must say so (JVMS 4.10.1.6), so
 * each kind has a handler of its own. Both record the same data ID. */
#include "weaver/build_frames.h"

#include <stdlib.h>

#include "weaver/relocate.h"

struct range {
    uint32_t start, end, handler, type;
};
typedef VEC(struct range) range_vec;

/* Adds [start, end), minus the trampolines in it. False: out of memory. */
static bool add_range(range_vec *v, const struct layout *l, uint32_t start, uint32_t end, uint32_t handler,
                      uint32_t type)
{
    for (size_t t = 0; t <= l->trampolines.count; t++) {
        bool last = t == l->trampolines.count;
        uint32_t cut = last ? end : l->trampolines.items[t].new_pc;
        if (cut > end)
            cut = end;
        if (start < cut) {
            struct range *r = vec_push(v);
            if (r == NULL)
                return false;
            *r = (struct range){ start, cut, handler, type };
        }
        if (!last && cut == l->trampolines.items[t].new_pc && start < cut + 5)
            start = cut + 5;
    }
    return true;
}

/* The bare handler that starts at this pc of the original, or NULL. */
static const struct bare_handler *bare_at(const bare_vec *v, uint32_t pc)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->items[i].start == pc)
            return &v->items[i];
    return NULL;
}

static bool covers_itself(const struct handler *h)
{
    return h->type == 0 && h->start <= h->handler && h->handler < h->end;
}

/* The end of the code from this pc to the next athrow, if it only loads, stores and unlocks, and nothing jumps into it;
 * else 0. */
static uint32_t unlocking_end(const struct method_plan *m, uint32_t pc)
{
    for (size_t i = code_index(&m->scan.code, pc); i < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        bool local = op_local_type(in->op) == 'A';
        if (!m->scan.flow.reached[i] || (m->scan.is_constructor && m->scan.flow.this_uninit[i]) ||
            (in->pc != pc && (m->scan.code.flags[in->pc] & PC_LABEL) != 0))
            return 0;
        if (in->op == OPC_athrow)
            return in->pc + in->length;
        if (!local && in->op != OPC_monitorexit)
            return 0;
    }
    return 0;
}

/* Writes copies of the handlers that cover code inserted into themselves. */
static bool put_bare_handlers(const struct method_plan *m, const struct layout *l, bare_vec *v, struct writer *tail)
{
    for (size_t i = 0; i < m->scan.code.handlers.count; i++) {
        const struct handler *h = &m->scan.code.handlers.items[i];
        if (!covers_itself(h) || bare_at(v, h->handler) != NULL ||
            layout_range_end(l, m, h->end) - layout_pc(l, m, h->handler) == (uint32_t)(h->end - h->handler))
            continue;
        uint32_t end = unlocking_end(m, h->handler);
        if (end < h->end)
            continue;
        struct bare_handler *b = vec_push(v);
        if (b == NULL)
            return false;
        *b = (struct bare_handler){ h->handler, end, l->length + (uint32_t)tail->size };
        write_bytes(tail, m->scan.code.bytes + h->handler, end - h->handler);
    }
    return true;
}

/* The copies are covered by what covers the original. */
static bool add_bare_ranges(const struct method_plan *m, const struct layout *l, const bare_vec *bare, range_vec *v)
{
    for (size_t i = 0; i < m->scan.code.handlers.count; i++) {
        const struct handler *h = &m->scan.code.handlers.items[i];
        const struct bare_handler *own = covers_itself(h) ? bare_at(bare, h->handler) : NULL;
        for (size_t k = 0; k < bare->count; k++) {
            const struct bare_handler *b = &bare->items[k];
            uint32_t start = h->start > b->start ? h->start : b->start, end = h->end < b->end ? h->end : b->end;
            if (start >= end)
                continue;
            struct range *r = vec_push(v);
            if (r == NULL)
                return false;
            *r = (struct range){ b->new_pc + start - b->start, b->new_pc + end - b->start,
                                 own != NULL ? own->new_pc : layout_pc(l, m, h->handler), h->type };
        }
    }
    return true;
}

/* Can an exception of the hooks at instruction `i`, which this handler covers, come back there through it? */
static bool comes_back(const struct method_plan *m, const struct handler *h, size_t i)
{
    uint32_t pc = m->scan.code.insns.items[i].pc;
    return h->handler <= pc && (h->start <= h->handler || (m->scan.code.flags[pc] & PC_HANDLER) != 0);
}

/* The range of a handler, without hooks whose exceptions would come back to them. */
static bool add_handler_ranges(range_vec *v, const struct method_plan *m, const struct layout *l,
                               const struct handler *h)
{
    uint32_t start = layout_range_start(l, m, h->start), end = layout_range_end(l, m, h->end),
             handler = layout_pc(l, m, h->handler);
    if (h->handler < h->end) {
        for (size_t i = code_index(&m->scan.code, h->start);
             i < m->scan.code.insns.count && m->scan.code.insns.items[i].pc < h->end; i++) {
            if (!comes_back(m, h, i))
                continue;
            if (!add_range(v, l, start, l->label_pc[i], handler, h->type))
                return false;
            start = l->insn_pc[i];
            uint32_t behind = layout_insn_end(l, m, i);
            if (h->start <= h->handler && behind != l->label_pc[i + 1]) {
                if (!add_range(v, l, start, behind, handler, h->type))
                    return false;
                start = l->label_pc[i + 1];
            }
        }
    }
    return add_range(v, l, start, end, handler, h->type);
}

static bool move_handlers(const struct method_plan *m, const struct layout *l, const bare_vec *bare, range_vec *v,
                          uint16_t *new_index)
{
    for (size_t i = 0; i < m->scan.code.handlers.count; i++) {
        const struct handler *h = &m->scan.code.handlers.items[i];
        const struct bare_handler *b = covers_itself(h) ? bare_at(bare, h->handler) : NULL;
        uint32_t start = layout_range_start(l, m, h->start), end = layout_range_end(l, m, h->end),
                 handler = layout_pc(l, m, h->handler);
        new_index[i] = (uint16_t)v->count;
        if (b != NULL && (!add_range(v, l, start, handler, handler, 0) ||
                          !add_range(v, l, handler > start ? handler : start, end, b->new_pc, 0)))
            return false;
        if (b == NULL && !add_handler_ranges(v, m, l, h))
            return false;
    }
    return add_bare_ranges(m, l, bare, v);
}

static uint32_t super_recorded_size(const struct method_plan *m, uint32_t insn)
{
    for (size_t i = 0; i < m->supers_recorded.count; i++)
        if (m->supers_recorded.items[i].insn == insn)
            return m->supers_recorded.items[i].size;
    return 0;
}

/* The runs of code in which `this` is, or is not, uninitialized: ranges of the exceptional exit. A call of this(...) or
 * super(...) itself stays outside: HotSpot checks the handler of such a call against the types before and after it at
 * once, which no single frame can satisfy. The drain detects that a constructor was left there
 * (logging/drain/super_calls.h). The hook behind the call that records its return stays outside too: near the end of
 * the stack it can throw, and then the drain does not know yet that the call is over. */
static bool add_exit_ranges(const struct method_plan *m, const struct layout *l, range_vec *v, bool uninit,
                            uint32_t handler)
{
    size_t n = m->scan.code.insns.count;
    uint32_t start = m->inserted.entered != 0 ? m->inserted.entered : m->inserted.prologue;
    bool now = m->scan.is_constructor;
    for (size_t i = 0; i <= n; i++) {
        bool state = i < n && m->scan.flow.reached[i] ? m->scan.flow.this_uninit[i] : now;
        bool call = i < n && m->scan.flow.reached[i] && scan_calls_super(&m->scan, i);
        uint32_t border = i == n ? l->length : l->label_pc[i];
        if (i == n || state != now) {
            if (now == uninit && !add_range(v, l, start, border, handler, 0))
                return false;
            start = border;
            now = state;
        }
        if (call) {
            if (uninit && !add_range(v, l, start, l->insn_pc[i], handler, 0))
                return false;
            start = l->insn_pc[i] + m->scan.code.insns.items[i].length + super_recorded_size(m, (uint32_t)i);
            now = false; /* behind it the object is initialized */
        }
    }
    return true;
}

static uint32_t stack_map_name(struct class_plan *c)
{
    if (c->stack_map_utf8 == 0)
        c->stack_map_utf8 = cpool_find_utf8(&c->cf->cp, "StackMapTable");
    if (c->stack_map_utf8 == 0)
        c->stack_map_utf8 = cpool_add_utf8(&c->cf->cp, "StackMapTable");
    return c->stack_map_utf8;
}

/* Fills the u4 length field at `at` once the content behind it is written. */
static void patch_length(struct writer *w, size_t at)
{
    if (!w->bad)
        put_be4(w->data + at, (uint32_t)(w->size - at - 4));
}

static enum status build_attributes(struct method_plan *m, const struct layout *l, const struct exits *exits,
                                    const uint16_t *handler_index, struct writer *w, struct error *err)
{
    size_t count_at = w->size;
    unsigned count = 0;
    struct relocation r = { m, l, handler_index };
    write_u2(w, 0);
    for (size_t i = 0; i < m->scan.code.attributes.count; i++) {
        const struct attribute *a = &m->scan.code.attributes.items[i];
        struct text name;
        size_t start = w->size;
        write_u2(w, a->name);
        write_u4(w, 0);
        enum relocated how = cpool_utf8(&m->c->cf->cp, a->name, &name) ? relocate_attribute(&r, name, a, w) : REFUSED;
        if (how == REFUSED)
            return error_set(err, ERR_FORMAT, "attribute %zu of the Code attribute is malformed", i);
        if (how == RELOCATED) {
            patch_length(w, start + 2);
            count++;
        } else {
            w->size = start;
        }
    }
    if (m->scan.has_frames &&
        (m->scan.frames.list.count > 0 || m->planned.not_asked != 0 || exits->pc[0] != 0 || exits->pc[1] != 0)) {
        size_t start = w->size;
        write_u2(w, stack_map_name(m->c));
        write_u4(w, 0);
        enum status s = build_frames(m, l, exits, w, err);
        if (s != OK)
            return s;
        patch_length(w, start + 2);
        count++;
    }
    if (!w->bad)
        put_be2(w->data + count_at, count);
    return OK;
}

/* Bytes of a store into a local variable. */
static uint32_t store_size(unsigned slot) { return slot < 4 ? 1 : slot < 256 ? 2 : 4; }

enum status build_code(struct method_plan *m, const struct layout *l, struct writer *w, struct error *err)
{
    range_vec ranges = { 0 };
    struct exits exits = { 0 };
    struct writer tail = { 0 };
    uint16_t *handler_index = calloc(m->scan.code.handlers.count + 1, sizeof *handler_index);
    enum status s = OK;
    bool full = handler_index == NULL || !put_bare_handlers(m, l, &exits.bare, &tail) ||
                !move_handlers(m, l, &exits.bare, &ranges, handler_index);
    if (!full && m->exit.code.size > 0) {
        const struct writer *one = &m->exit.code;
        const struct missed_exit *missed = &m->exit.missed;
        const struct exit_locals *locals = &m->exit.locals;
        for (int uninit = 0; uninit < 2 && !full; uninit++) {
            size_t before = ranges.count;
            uint32_t pc = l->length + (uint32_t)tail.size;
            if (uninit && m->scan.this_stored)
                break; /* with slot 0 reassigned there is no valid frame for the uninitialized part */
            full = !add_exit_ranges(m, l, &ranges, uninit, pc);
            if (!uninit && ranges.count > before && exits.bare.count > 0)
                full |= !add_range(&ranges, l, l->length, pc, pc, 0);
            if (ranges.count > before) {
                exits.pc[uninit] = pc;
                write_bytes(&tail, one->data, one->size);
            }
            if (ranges.count > before && m->kept.has_thread) {
                const uint32_t at = pc + (uint32_t)one->size, release = at + missed->release;
                exits.missed[uninit] = at;
                exits.release[uninit] = release;
                full |= !add_range(&ranges, l, pc + store_size(locals->exception), at - 1, at, 0) ||
                        !add_range(&ranges, l, at + missed->locked, at + missed->unlocked, release, 0) ||
                        !add_range(&ranges, l, release, at + missed->released, release, 0);
                write_bytes(&tail, missed->code.data, missed->code.size);
            }
        }
    }
    full |= tail.bad;
    uint32_t length = l->length + (uint32_t)tail.size;
    uint32_t max_stack = (uint32_t)m->scan.code.max_stack +
                         (uint32_t)(m->glue.stack > m->inserted.emit.stack ? m->glue.stack : m->inserted.emit.stack);
    if (tail.size > 0 && max_stack < 4)
        max_stack = 4; /* the handlers: the exception, its copy, the data ID, which may be the sum of two numbers */
    if (full)
        s = error_set(err, ERR_MEMORY, "no memory for an exception table");
    else if (length > CODE_MAX)
        s = error_set(err, ERR_LIMIT, "the woven code has %u bytes, %d are allowed", length, CODE_MAX);
    else if (max_stack > 65535 || ranges.count > 65535)
        s = error_set(err, ERR_LIMIT, "max_stack or the exception table of the woven code is too large");
    if (s == OK) {
        write_u2(w, max_stack);
        write_u2(w, m->scratch_max);
        write_u4(w, length);
        layout_write(l, m, w);
        write_bytes(w, tail.data, tail.size);
        write_u2(w, (unsigned)ranges.count);
        for (size_t i = 0; i < ranges.count; i++) {
            write_u2(w, ranges.items[i].start);
            write_u2(w, ranges.items[i].end);
            write_u2(w, ranges.items[i].handler);
            write_u2(w, ranges.items[i].type);
        }
        s = build_attributes(m, l, &exits, handler_index, w, err);
    }
    if (s == OK && w->bad)
        s = error_set(err, ERR_MEMORY, "no memory for woven code");
    free(handler_index);
    vec_free(&ranges);
    vec_free(&exits.bare);
    writer_free(&tail);
    return s;
}
