/* stack_map.c - StackMapTable decoding and encoding; both know the seven frame shapes of JVMS 4.7.4 in the same
 * order. */
#include "weaver/stack_map.h"

enum {
    SAME_LOCALS_1 = 64,
    EARLY_LARVAL = 246, /* in front of any other */
    SAME_LOCALS_1_EXTENDED = 247,
    CHOP_FIRST = 248,
    SAME_EXTENDED = 251,
    FULL = 255,
    TYPES_MAX = 1 << 24
};

static vtype read_type(struct reader *r)
{
    unsigned tag = read_u1(r);
    if (tag > VT_UNINITIALIZED)
        r->bad = true;
    return vtype_of((enum verification)tag, tag >= VT_OBJECT ? read_u2(r) : 0);
}

/* Appends one type to the growing frame. */
static bool add(struct stack_map *f, vtype v)
{
    vtype *p = f->types.count < TYPES_MAX ? vec_push(&f->types) : NULL;
    if (p == NULL)
        return false;
    *p = v;
    return true;
}

static bool is_uninitialized(const vtype *locals, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (vtype_tag(locals[i]) == VT_UNINITIALIZED_THIS)
            return true;
    return false;
}

/* The strict fields that are not set in the frame `out`, behind its types: those at `listed`, or if there are none
 * listed, of the frame `last`. */
static bool add_unset(struct stack_map *f, struct stack_map_frame *out, const uint8_t *listed, unsigned count,
                      const struct stack_map_frame *last)
{
    const uint32_t inherited = last != NULL ? last->first + last->locals + last->stack : 0;
    out->early = listed != NULL;
    if (listed == NULL && last != NULL && last->early && is_uninitialized(f->types.items + out->first, out->locals)) {
        out->early = true;
        count = last->unset;
    }
    out->unset = (uint16_t)(out->early ? count : 0);
    for (unsigned i = 0; i < out->unset; i++)
        if (!add(f, listed != NULL ? (vtype)be2(listed + 2 * (size_t)i) : f->types.items[inherited + i]))
            return false;
    return true;
}

enum status stack_map_read(struct stack_map *f, const uint8_t *data, size_t size, uint32_t code_length,
                           const vtype *initial, uint16_t initial_count, struct error *err)
{
    *f = (struct stack_map){ 0 };
    struct reader r = reader_of(data, size);
    uint32_t n = read_u2(&r), pc = 0, before = 0;
    uint16_t before_locals = initial_count;
    bool full = true;
    for (uint16_t i = 0; i < initial_count && full; i++)
        full = add(f, initial[i]);
    for (uint32_t k = 0; k < n && !r.bad && full; k++) {
        unsigned shape = read_u1(&r), unset = 0;
        const uint8_t *listed = NULL;
        if (shape == EARLY_LARVAL) {
            unset = read_u2(&r);
            listed = read_span(&r, 2 * (size_t)unset);
            shape = read_u1(&r);
        }
        unsigned delta = shape < SAME_LOCALS_1 ? shape : shape < 128 ? shape - SAME_LOCALS_1 : read_u2(&r);
        unsigned keep = before_locals, append = 0, stack = 0;
        if (shape >= 128 && shape < SAME_LOCALS_1_EXTENDED)
            r.bad = true;
        else if (shape >= CHOP_FIRST && shape < SAME_EXTENDED)
            keep = keep >= SAME_EXTENDED - shape ? keep - (SAME_EXTENDED - shape) : (r.bad = true, 0u);
        else if (shape > SAME_EXTENDED && shape < FULL)
            append = shape - SAME_EXTENDED;
        else if (shape == FULL)
            keep = 0, append = read_u2(&r);
        uint32_t first = (uint32_t)f->types.count;
        for (unsigned i = 0; i < keep && full; i++)
            full = add(f, f->types.items[before + i]);
        for (unsigned i = 0; i < append && full && !r.bad; i++)
            full = add(f, read_type(&r));
        if (shape == FULL)
            stack = read_u2(&r);
        else if ((shape >= SAME_LOCALS_1 && shape < 128) || shape == SAME_LOCALS_1_EXTENDED)
            stack = 1;
        for (unsigned i = 0; i < stack && full && !r.bad; i++)
            full = add(f, read_type(&r));
        pc = k == 0 ? delta : pc + delta + 1;
        if (r.bad || pc >= code_length)
            return error_set(err, ERR_FORMAT, "StackMapTable entry %u is malformed", k);
        struct stack_map_frame frame = { pc, first, (uint16_t)(keep + append), (uint16_t)stack, false, 0 };
        const size_t done = f->list.count;
        full = full && add_unset(f, &frame, listed, unset, done > 0 ? &f->list.items[done - 1] : NULL);
        struct stack_map_frame *out = full ? vec_push(&f->list) : NULL;
        if (out == NULL)
            full = false;
        else
            *out = frame;
        before = first;
        before_locals = (uint16_t)(keep + append);
    }
    if (!full)
        return error_memory(err, "stack map frames");
    if (r.bad || r.at != size)
        return error_set(err, ERR_FORMAT, "the StackMapTable does not fill its attribute");
    return OK;
}

void stack_map_done(struct stack_map *f)
{
    vec_free(&f->list);
    vec_free(&f->types);
}

static void write_types(struct writer *w, const vtype *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        write_u1(w, vtype_tag(v[i]));
        if (vtype_tag(v[i]) >= VT_OBJECT)
            write_u2(w, vtype_index(v[i]));
    }
}

enum status stack_map_write(const struct stack_map_frame *list, size_t count, const vtype *types, const vtype *initial,
                            uint16_t initial_count, struct writer *w, struct error *err)
{
    if (count > 65535)
        return error_set(err, ERR_LIMIT, "%zu stack map frames", count);
    write_u2(w, (unsigned)count);
    const vtype *before = initial;
    unsigned before_locals = initial_count;
    int64_t last = -1;
    for (size_t k = 0; k < count; k++) {
        const struct stack_map_frame *f = &list[k];
        const vtype *t = types + f->first;
        int64_t delta = (int64_t)f->pc - last - 1;
        if (delta < 0 || delta > 65535)
            return error_set(err, ERR_LIMIT, "stack map frames do not ascend at pc %u", f->pc);
        unsigned d = (unsigned)delta, same = 0;
        while (same < before_locals && same < f->locals && before[same] == t[same])
            same++;
        if (f->early) {
            write_u1(w, EARLY_LARVAL);
            write_u2(w, f->unset);
            for (unsigned i = 0; i < f->unset; i++)
                write_u2(w, t[f->locals + f->stack + i]);
        }
        if (same == before_locals && same == f->locals && f->stack == 0) {
            if (d < SAME_LOCALS_1) {
                write_u1(w, d);
            } else {
                write_u1(w, SAME_EXTENDED);
                write_u2(w, d);
            }
        } else if (same == before_locals && same == f->locals && f->stack == 1) {
            if (d < SAME_LOCALS_1) {
                write_u1(w, SAME_LOCALS_1 + d);
            } else {
                write_u1(w, SAME_LOCALS_1_EXTENDED);
                write_u2(w, d);
            }
            write_types(w, t + f->locals, 1);
        } else if (f->stack == 0 && same == f->locals && before_locals - same <= 3) {
            write_u1(w, SAME_EXTENDED - (before_locals - same));
            write_u2(w, d);
        } else if (f->stack == 0 && same == before_locals && f->locals - same <= 3) {
            write_u1(w, SAME_EXTENDED + (f->locals - same));
            write_u2(w, d);
            write_types(w, t + same, f->locals - same);
        } else {
            write_u1(w, FULL);
            write_u2(w, d);
            write_u2(w, f->locals);
            write_types(w, t, f->locals);
            write_u2(w, f->stack);
            write_types(w, t + f->locals, f->stack);
        }
        before = t;
        before_locals = f->locals;
        last = f->pc;
    }
    return OK;
}
