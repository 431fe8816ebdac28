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
#include "weaver/build.h"

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

struct bare_handler {
    uint32_t start, end; /* pcs of the original code */
    uint32_t new_pc;     /* of the copy */
};
typedef VEC(struct bare_handler) bare_vec;

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

static uint32_t super_told_size(const struct method_plan *m, uint32_t insn)
{
    for (size_t i = 0; i < m->supers_told.count; i++)
        if (m->supers_told.items[i].insn == insn)
            return m->supers_told.items[i].size;
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
            start = l->insn_pc[i] + m->scan.code.insns.items[i].length + super_told_size(m, (uint32_t)i);
            now = false; /* behind it the object is initialized */
        }
    }
    return true;
}

/* The entry of a name, added if missing; NULL: out of memory. */
static struct class_constant *constant_of(struct class_plan *c, struct text name)
{
    uint64_t hash = map_hash(name.data, name.size);
    struct class_constant *k;
    for (; (k = map_get(&c->class_constants, hash)) != NULL; hash = map_next_hash(hash))
        if (text_equal(k->name, name))
            return k;
    k = map_put(&c->class_constants, hash);
    if (k != NULL)
        k->name = name;
    return k;
}

/* Enters the classes that the pool has. */
static bool know_constants(struct class_plan *c)
{
    for (uint32_t i = 1; i < c->cf->cp.count; i++) {
        struct text name;
        if (!cpool_class(&c->cf->cp, i, &name))
            continue;
        struct class_constant *k = constant_of(c, name);
        if (k == NULL)
            return false;
        if (k->index == 0)
            k->index = i;
    }
    c->knows_constants = true;
    return true;
}

static uint32_t add_class(struct cpool *cp, struct text name)
{
    char *copy = malloc(name.size + 1);
    if (copy == NULL) {
        cp->added.bad = true;
        return 0;
    }
    memcpy(copy, name.data, name.size);
    copy[name.size] = '\0';
    uint32_t index = cpool_add_class(cp, cpool_add_utf8(cp, copy));
    free(copy);
    return index;
}

uint32_t build_class_constant(struct class_plan *c, struct text name)
{
    bool known = c->knows_constants || know_constants(c);
    struct class_constant *k = known ? constant_of(c, name) : NULL;
    if (k == NULL) { /* no memory: the class is not woven */
        c->cf->cp.added.bad = true;
        return 0;
    }
    if (k->index == 0)
        k->index = add_class(&c->cf->cp, name);
    return k->index;
}

void build_forget_constants(struct class_plan *c, uint32_t next)
{
    for (size_t i = 0; i < c->class_constants.cap; i++)
        if (c->class_constants.slots[i].index >= next)
            c->class_constants.slots[i].index = 0; /* the name stays, and the constant is added again when needed */
    for (int i = 0; i < BASE_CONSTANTS; i++)
        if (c->base_constants[i] >= next)
            c->base_constants[i] = 0;
    if (c->stack_map_utf8 >= next)
        c->stack_map_utf8 = 0;
}

/* The types of the locals at the begin, with their constants. */
static uint16_t initial_frame(struct method_plan *m, vtype *out)
{
    const uint16_t n = scan_initial_frame(&m->scan, out);
    const char *desc = m->scan.desc.data + 1;
    for (uint16_t k = !m->scan.is_static; k < n; k++) {
        const size_t size = descriptor_type_length(desc, m->scan.desc.size - (size_t)(desc - m->scan.desc.data));
        const bool array = desc[0] == '[';
        const struct text name = { desc + !array, size - (array ? 0 : 2) };
        if (vtype_tag(out[k]) == VT_OBJECT)
            out[k] = vtype_of(VT_OBJECT, build_class_constant(m->c, name));
        desc += size;
    }
    return n;
}

struct new_frames {
    VEC(struct stack_map_frame) list;
    VEC(vtype) types;
    bool bad;
};

static void put_type(struct new_frames *f, vtype v)
{
    vtype *p = vec_push(&f->types);
    if (p == NULL)
        f->bad = true;
    else
        *p = v;
}

static struct stack_map_frame *put_frame(struct new_frames *f, uint32_t pc)
{
    struct stack_map_frame *p = vec_push(&f->list);
    if (p == NULL) {
        f->bad = true;
        return NULL;
    }
    *p = (struct stack_map_frame){ .pc = pc, .first = (uint32_t)f->types.count };
    return p;
}

/* Appends the locals that live through the whole method to the `locals` of a frame, which take `slots`; returns how
 * many there are then. */
static uint32_t put_kept(struct new_frames *out, const struct method_plan *m, uint32_t slots, uint32_t locals)
{
    if (!m->kept.has_from && !m->kept.has_thread && !m->kept.has_called && m->loops.counters == 0)
        return locals;
    for (; slots < m->scan.code.max_locals; slots++, locals++) /* method.c, place_locals */
        put_type(out, VT_TOP);
    if (m->kept.has_from) {
        put_type(out, VT_INTEGER);
        locals++;
    }
    if (m->kept.has_thread) {
        put_type(out, vtype_of(VT_OBJECT, build_class_constant(m->c, TEXT_OF("java/lang/Object"))));
        locals++;
    }
    if (m->kept.has_called) {
        put_type(out, VT_INTEGER);
        locals++;
    }
    const unsigned of_loops = m->loops.counters + (m->loops.keeps && m->loops.counters > 0);
    for (unsigned i = 0; i < of_loops; i++, locals++)
        put_type(out, m->loops.keeps ? VT_LONG : VT_INTEGER);
    return locals;
}

/* Copies an old frame to a new pc; the locals that live through the whole method join it. Placeholders of the initial
 * frame become real. */
static void move_frame(struct new_frames *out, const struct method_plan *m, const struct layout *l,
                       const struct stack_map_frame *f, uint32_t pc, const vtype *exact)
{
    struct stack_map_frame *p = put_frame(out, pc);
    const vtype *t = m->scan.frames.types.items + f->first;
    uint32_t slots = 0, locals = f->locals;
    if (p == NULL)
        return;
    for (uint32_t i = 0; i < (uint32_t)f->locals + f->stack; i++) {
        vtype v = t[i];
        if (i == f->locals)
            locals = put_kept(out, m, slots, locals);
        if (vtype_tag(v) == VT_UNINITIALIZED && vtype_index(v) < m->scan.code.length)
            v = vtype_of(VT_UNINITIALIZED, l->insn_pc[code_index(&m->scan.code, vtype_index(v))]);
        else if (vtype_tag(v) == VT_OBJECT && vtype_index(v) >= VTYPE_UNNAMED)
            v = exact[vtype_index(v) - VTYPE_UNNAMED];
        if (i < f->locals)
            slots += vtype_slots(v);
        put_type(out, v);
    }
    if (f->stack == 0)
        locals = put_kept(out, m, slots, locals);
    p = &out->list.items[out->list.count - 1];
    p->locals = (uint16_t)locals;
    p->stack = f->stack;
    p->early = f->early;
    p->unset = f->unset;
    for (uint32_t i = 0; i < f->unset; i++)
        put_type(out, t[f->locals + f->stack + i]);
}

static const struct stack_map_frame *frame_at(const struct method_plan *m, uint32_t pc)
{
    for (size_t i = 0; i < m->scan.frames.list.count; i++)
        if (m->scan.frames.list.items[i].pc == pc)
            return &m->scan.frames.list.items[i];
    return NULL;
}

/* What comes behind the woven code. */
struct exits {
    bare_vec bare;
    uint32_t pc[2];      /* of the exceptional exit of initialized code, of uninitialized code; 0 not needed */
    uint32_t missed[2];  /* of the handlers of those; 0 not needed */
    uint32_t release[2]; /* of the handlers of those again */
};

/* Says in a frame of a constructor before this(...) or super(...) that no strict field of the class may be set
 * (JEP 401): true wherever an exception comes from. The frame's types are complete. */
static void put_unset_fields(struct new_frames *f, struct class_plan *c, struct stack_map_frame *p)
{
    enum { ACC_STRICT_INIT = 0x0800, FIRST_MAJOR = 72 };
    for (size_t i = 0; c->cf->major >= FIRST_MAJOR && i < c->cf->fields.count; i++) {
        const struct member *field = &c->cf->fields.items[i];
        if ((field->access & (ACC_STATIC | ACC_STRICT_INIT)) != ACC_STRICT_INIT)
            continue;
        p->early = true;
        p->unset++;
        put_type(f, cpool_add_name_and_type(&c->cf->cp, field->name, field->desc));
    }
}

/* The frame of a handler behind the woven code: of all locals only those that it reads, with `local` (0: none) of
 * the class `type`. pc 0: it is not needed. */
static void put_exit_frame(struct new_frames *f, const struct method_plan *m, uint32_t pc, bool uninit, unsigned local,
                           struct text type)
{
    struct stack_map_frame *p = pc != 0 ? put_frame(f, pc) : NULL;
    if (p == NULL)
        return;
    const vtype throwable = vtype_of(VT_OBJECT, build_class_constant(m->c, TEXT_OF("java/lang/Throwable")));
    uint32_t locals = uninit;
    if (uninit)
        put_type(f, VT_UNINITIALIZED_THIS);
    if (m->inputs || m->counts_whole || m->loops.counters > 0 || m->kept.has_thread)
        locals = put_kept(f, m, locals, locals);
    uint32_t slots = 0;
    for (uint32_t i = p->first; i < f->types.count; i++)
        slots += vtype_slots(f->types.items[i]);
    for (; local != 0 && slots <= local; slots++, locals++)
        put_type(f, slots < local ? VT_TOP : vtype_of(VT_OBJECT, build_class_constant(m->c, type)));
    p->locals = (uint16_t)locals;
    p->stack = 1;
    put_type(f, throwable);
    if (uninit)
        put_unset_fields(f, m->c, p);
}

/* The frame in the prologue that plan_asked needs. */
static void put_not_asked_frame(struct new_frames *f, const struct method_plan *m, const vtype *initial, uint16_t n)
{
    struct stack_map_frame *p = m->planned.not_asked != 0 ? put_frame(f, m->planned.not_asked) : NULL;
    if (p == NULL)
        return;
    p->locals = n;
    p->stack = 1;
    for (uint16_t i = 0; i < n; i++)
        put_type(f, initial[i]);
    put_type(f, vtype_of(VT_OBJECT, build_class_constant(m->c, TEXT_OF("java/lang/Class"))));
}

static enum status build_frames(struct method_plan *m, const struct layout *l, const struct exits *exits,
                                struct writer *w, struct error *err)
{
    struct new_frames f = { 0 };
    vtype initial[257], exact[256];
    uint16_t n = initial_frame(m, initial);
    unsigned refs = 0; /* placeholders number the reference parameters */
    for (uint16_t i = !m->scan.is_static; i < n; i++)
        if (vtype_tag(initial[i]) == VT_OBJECT)
            exact[refs++] = initial[i];
    size_t t = 0;
    enum status s = OK;
    put_not_asked_frame(&f, m, initial, n);
    for (size_t i = 0; i <= m->scan.frames.list.count && s == OK; i++) {
        const struct stack_map_frame *old = i < m->scan.frames.list.count ? &m->scan.frames.list.items[i] : NULL;
        uint32_t pc = old != NULL ? layout_pc(l, m, old->pc) : UINT32_MAX;
        for (; t < l->trampolines.count && l->trampolines.items[t].new_pc < pc; t++) {
            const struct stack_map_frame *target =
                frame_at(m, m->scan.code.insns.items[l->trampolines.items[t].target].pc);
            if (target == NULL)
                s = error_set(err, ERR_LIMIT, "a far branch has a target without a frame");
            else
                move_frame(&f, m, l, target, l->trampolines.items[t].new_pc, exact);
        }
        if (old != NULL)
            move_frame(&f, m, l, old, pc, exact);
    }
    for (size_t i = 0; i < exits->bare.count && s == OK; i++) {
        const struct stack_map_frame *target = frame_at(m, exits->bare.items[i].start);
        if (target == NULL)
            s = error_set(err, ERR_FORMAT, "the exception handler at pc %u has no frame", exits->bare.items[i].start);
        else
            move_frame(&f, m, l, target, exits->bare.items[i].new_pc, exact);
    }
    for (int k = 0; k < 2 && s == OK; k++) {
        put_exit_frame(&f, m, exits->pc[k], k == 1, 0, TEXT_OF(""));
        put_exit_frame(&f, m, exits->missed[k], k == 1, m->exit.locals.exception, TEXT_OF("java/lang/Throwable"));
        put_exit_frame(&f, m, exits->release[k], k == 1, m->exit.locals.lock, TEXT_OF("[Ljava/lang/Object;"));
    }
    if (s == OK)
        s = f.bad ? error_set(err, ERR_MEMORY, "no memory for frames")
                  : stack_map_write(f.list.items, f.list.count, f.types.items, initial, n, w, err);
    vec_free(&f.list);
    vec_free(&f.types);
    return s;
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
