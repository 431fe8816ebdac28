/* class_edit.c - see class_edit.h. */
#include "test/fuzz/class_edit.h"

#include <stdlib.h>
#include <string.h>

bool edit_begin(struct class_edit *e, const uint8_t *data, size_t size, unsigned seed)
{
    *e = (struct class_edit){ .random = (seed + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15) };
    e->copy = malloc(size > 0 ? size : 1);
    if (e->copy == NULL)
        return false;
    if (size > 0)
        memcpy(e->copy, data, size);
    bool good = classfile_read(&e->cf, e->copy, size, NULL) == OK && e->cf.cp.count > 1;
    if (!good)
        edit_end(e);
    return good;
}

void edit_end(struct class_edit *e)
{
    classfile_done(&e->cf);
    arena_done(&e->arena);
    free(e->copy);
}

uint32_t edit_below(struct class_edit *e, uint32_t limit)
{
    e->random ^= e->random << 13;
    e->random ^= e->random >> 7;
    e->random ^= e->random << 17;
    return (uint32_t)((e->random >> 32) % limit);
}

uint32_t edit_constant(struct class_edit *e, const uint8_t *like)
{
    uint32_t i = 1;
    for (int tries = 0; tries < 100; tries++) {
        i = 1 + edit_below(e, e->cf.cp.count - 1);
        const uint8_t *p = cpool_entry(&e->cf.cp, i);
        if (p != NULL && (like == NULL || *p == *like))
            return i;
    }
    return cpool_entry(&e->cf.cp, i) != NULL ? i : 1;
}

static struct member *some_method(struct class_edit *e)
{
    size_t n = e->cf.methods.count;
    return n > 0 ? &e->cf.methods.items[edit_below(e, (uint32_t)n)] : NULL;
}

static struct attribute *code_of(struct class_edit *e, const struct member *m)
{
    return m != NULL ? classfile_attribute(&e->cf, m->first_attribute, m->attribute_count, "Code") : NULL;
}

struct attribute *edit_code_attribute(struct class_edit *e) { return code_of(e, some_method(e)); }

/* Types that only have to differ, as in build_initial_frame. */
static void initial_frame(struct class_edit *e, struct code_edit *c)
{
    struct text name, desc, result;
    uint32_t unnamed = 0x10000;
    unsigned slots;
    uint16_t n = 0;
    if (!cpool_utf8(&e->cf.cp, c->member->name, &name) || !cpool_utf8(&e->cf.cp, c->member->desc, &desc) ||
        !descriptor_measure(desc, &slots, &result))
        return;
    if (!(c->member->access & ACC_STATIC))
        c->initial[n++] = vtype_of(text_is(name, "<init>") ? VT_UNINITIALIZED_THIS : VT_OBJECT, unnamed++);
    for (size_t i = 1; desc.data[i] != ')' && n < 256;) {
        static const struct {
            char letter;
            enum verification type;
        } types[] = { { 'J', VT_LONG }, { 'D', VT_DOUBLE }, { 'F', VT_FLOAT }, { 'L', VT_OBJECT }, { '[', VT_OBJECT } };
        enum verification type = VT_INTEGER;
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            if (types[k].letter == desc.data[i])
                type = types[k].type;
        c->initial[n++] = vtype_of(type, type == VT_OBJECT ? unnamed++ : 0);
        i += descriptor_type_length(desc.data + i, desc.size - i);
    }
    c->initial_count = n;
}

static bool attribute_is(const struct class_edit *e, const struct attribute *a, const char *name)
{
    struct text t;
    return cpool_utf8(&e->cf.cp, a->name, &t) && text_is(t, name);
}

bool edit_code(struct class_edit *e, struct code_edit *c)
{
    *c = (struct code_edit){ .member = some_method(e) };
    c->attribute = code_of(e, c->member);
    if (c->attribute == NULL)
        return false;
    if (code_read(&c->code, c->attribute->data, c->attribute->length, NULL) != OK) {
        code_done(&c->code);
        return false;
    }
    c->bytes = edit_bytes(e, c->code.bytes);
    c->length = c->code.length;
    initial_frame(e, c);
    for (size_t i = 0; i < c->code.attributes.count; i++) {
        const struct attribute *a = &c->code.attributes.items[i];
        if (c->frames.list.items == NULL && attribute_is(e, a, "StackMapTable") &&
            stack_map_read(&c->frames, a->data, a->length, c->length, c->initial, c->initial_count, NULL) != OK)
            c->frames.list.count = 0;
    }
    return true;
}

uint32_t edit_pc(struct class_edit *e, const struct code_edit *c)
{
    return c->code.insns.items[edit_below(e, (uint32_t)c->code.insns.count)].pc;
}

static void write_attributes(const struct class_edit *e, const struct code_edit *c, struct writer *w)
{
    size_t count_at = w->size;
    unsigned count = 0;
    write_u2(w, 0);
    for (size_t i = 0; i < c->code.attributes.count; i++) {
        const struct attribute *a = &c->code.attributes.items[i];
        struct writer table = { 0 };
        bool frames = attribute_is(e, a, "StackMapTable") && c->new_frames;
        bool moved = c->length != c->code.length && /* its pcs would be wrong */
                     (attribute_is(e, a, "LocalVariableTable") || attribute_is(e, a, "LocalVariableTypeTable"));
        if (frames && stack_map_write(c->frames.list.items, c->frames.list.count, c->frames.types.items, c->initial,
                                      c->initial_count, &table, NULL) != OK)
            moved = true;
        if (!moved) {
            write_u2(w, a->name);
            write_u4(w, frames ? (uint32_t)table.size : a->length);
            write_bytes(w, frames ? table.data : a->data, frames ? table.size : a->length);
            count++;
        }
        writer_free(&table);
    }
    if (!w->bad)
        put_be2(w->data + count_at, count);
}

static void write_code(struct class_edit *e, const struct code_edit *c)
{
    struct writer w = { 0 };
    write_u2(&w, c->code.max_stack);
    write_u2(&w, c->code.max_locals);
    write_u4(&w, c->length);
    write_bytes(&w, c->bytes, c->length);
    write_u2(&w, (unsigned)c->code.handlers.count);
    for (size_t i = 0; i < c->code.handlers.count; i++) {
        const struct handler *h = &c->code.handlers.items[i];
        const uint16_t fields[] = { h->start, h->end, h->handler, h->type };
        for (unsigned k = 0; k < 4; k++)
            write_u2(&w, fields[k]);
    }
    write_attributes(e, c, &w);
    uint8_t *kept = w.bad ? NULL : (uint8_t *)arena_chars(&e->arena, w.size);
    if (kept != NULL) {
        memcpy(kept, w.data, w.size);
        c->attribute->data = kept;
        c->attribute->length = (uint32_t)w.size;
    }
    writer_free(&w);
}

bool edit_code_done(struct class_edit *e, struct code_edit *c, bool changed)
{
    if (changed)
        write_code(e, c);
    code_done(&c->code);
    stack_map_done(&c->frames);
    return changed;
}

/* ---- inserting ---- */

/* The distance of a branch at `from`: both move by n if they stand at or behind `pc`. A target at `pc` itself now is
 * the inserted code. */
static int64_t moved(uint32_t from, int64_t to, uint32_t pc, uint32_t n)
{
    return (to > pc ? to + n : to) - (from >= pc ? from + n : from);
}

static bool move_branches(const struct code_edit *c, uint8_t *new, uint32_t pc, uint32_t n)
{
    for (size_t i = 0; i < c->code.insns.count; i++) {
        const struct insn *in = &c->code.insns.items[i];
        uint8_t *p = new + in->pc + (in->pc >= pc ? n : 0);
        const unsigned format = op_table[in->op].format;
        if (format == OPF_BRANCH2 || format == OPF_BRANCH4) {
            int64_t distance = moved(in->pc, in->operand, pc, n);
            if (format == OPF_BRANCH2 && distance != (int16_t)distance)
                return false;
            if (format == OPF_BRANCH2)
                put_be2(p + 1, (uint16_t)distance);
            else
                put_be4(p + 1, (uint32_t)distance);
        } else if (format == OPF_TABLESWITCH || format == OPF_LOOKUPSWITCH) {
            uint8_t *cells = p + ((in->pc & ~3U) + 4 - in->pc);
            for (uint32_t k = 0; k < switch_count(c->code.bytes, in); k++) {
                int64_t distance = moved(in->pc, switch_target(c->code.bytes, in, k), pc, n);
                uint32_t at = k == 0 ? 0 : in->op == OPC_tableswitch ? 8 + 4 * k : 4 + 8 * k;
                put_be4(cells + at, (uint32_t)distance);
            }
        }
    }
    return true;
}

bool edit_insert(struct class_edit *e, struct code_edit *c, uint32_t pc, const uint8_t *bytes, uint32_t n)
{
    uint8_t *new = c->length + n <= 65535 ? (uint8_t *)arena_chars(&e->arena, c->length + n) : NULL;
    if (new == NULL)
        return false;
    memcpy(new, c->bytes, pc);
    memcpy(new + pc, bytes, n);
    memcpy(new + pc + n, c->bytes + pc, c->length - pc);
    if (!move_branches(c, new, pc, n))
        return false;
    for (size_t i = 0; i < c->code.handlers.count; i++) {
        struct handler *h = &c->code.handlers.items[i];
        uint16_t *fields[] = { &h->start, &h->end, &h->handler };
        for (unsigned k = 0; k < 3; k++)
            if (*fields[k] > pc)
                *fields[k] = (uint16_t)(*fields[k] + n);
    }
    for (size_t i = 0; i < c->frames.list.count; i++)
        if (c->frames.list.items[i].pc > pc)
            c->frames.list.items[i].pc += n;
    for (size_t i = 0; i < c->frames.types.count; i++) {
        vtype *v = &c->frames.types.items[i];
        if (vtype_tag(*v) == VT_UNINITIALIZED && vtype_index(*v) >= pc)
            *v = vtype_of(VT_UNINITIALIZED, vtype_index(*v) + n);
    }
    c->new_frames = true;
    c->bytes = new;
    c->length += n;
    return true;
}
