/* build_frames.c - see build_frames.h. */
#include "weaver/build_frames.h"

#include <stdlib.h>

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

enum status build_frames(struct method_plan *m, const struct layout *l, const struct exits *exits, struct writer *w,
                         struct error *err)
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
