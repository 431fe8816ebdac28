/* class_mutator.c - see class_mutator.h. */
#include "test/fuzz/class_mutator.h"

#include <string.h>

#include "formats/arena.h"
#include "formats/jvm/classfile.h"
#include "test/fuzz/class_edit.h"

/* ---- constants ---- */

static bool change_reference(struct class_edit *e) /* to another constant of the same kind */
{
    uint32_t i = edit_constant(e, NULL);
    uint8_t *p = edit_bytes(e, cpool_entry(&e->cf.cp, i));
    unsigned tag = p[0];
    if (tag == CONSTANT_MethodHandle) {
        p[1] = (uint8_t)(1 + edit_below(e, 9));
        return true;
    }
    bool second = (tag >= CONSTANT_Fieldref && tag <= CONSTANT_NameAndType) || tag == CONSTANT_Dynamic ||
                  tag == CONSTANT_InvokeDynamic;
    if (tag < CONSTANT_Class || tag > CONSTANT_InvokeDynamic)
        return false;
    uint8_t *at = p + (second && edit_below(e, 2) ? 3 : 1);
    const uint8_t *now = cpool_entry(&e->cf.cp, be2(at));
    put_be2(at, now != NULL ? edit_constant(e, now) : edit_below(e, e->cf.cp.count));
    return true;
}

static bool change_number(struct class_edit *e)
{
    static const uint8_t notable[] = { 0, 1, 0x7f, 0x80, 0xff };
    uint8_t *p = edit_bytes(e, cpool_entry(&e->cf.cp, edit_constant(e, NULL)));
    if (*p < CONSTANT_Integer || *p > CONSTANT_Double)
        return false;
    p[1 + edit_below(e, *p <= CONSTANT_Float ? 4 : 8)] = notable[edit_below(e, sizeof notable)];
    return true;
}

static bool change_text(struct class_edit *e) /* a letter of a name or descriptor */
{
    static const char letters[] = "IJFDZBCSV[L;/()<>$aX";
    uint8_t *p = edit_bytes(e, cpool_entry(&e->cf.cp, edit_constant(e, NULL)));
    if (*p != CONSTANT_Utf8 || be2(p + 1) == 0)
        return false;
    p[3 + edit_below(e, be2(p + 1))] = (uint8_t)letters[edit_below(e, sizeof letters - 1)];
    return true;
}

static bool change_kind(struct class_edit *e) /* to another tag of the same size */
{
    static const uint8_t sets[][4] = {
        { CONSTANT_Integer, CONSTANT_Float, CONSTANT_NameAndType, CONSTANT_Dynamic },
        { CONSTANT_Fieldref, CONSTANT_Methodref, CONSTANT_InterfaceMethodref, CONSTANT_InvokeDynamic },
        { CONSTANT_Class, CONSTANT_String, CONSTANT_MethodType, CONSTANT_Module },
        { CONSTANT_Long, CONSTANT_Double, CONSTANT_Long, CONSTANT_Double },
    };
    uint8_t *p = edit_bytes(e, cpool_entry(&e->cf.cp, edit_constant(e, NULL)));
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        if (memchr(sets[s], *p, 4) != NULL) {
            *p = sets[s][edit_below(e, 4)];
            return true;
        }
    return false;
}

/* ---- the class and its members ---- */

static struct member *some_member(struct class_edit *e)
{
    size_t fields = e->cf.fields.count, methods = e->cf.methods.count;
    if (fields + methods == 0)
        return NULL;
    uint32_t i = edit_below(e, (uint32_t)(fields + methods));
    return i < fields ? &e->cf.fields.items[i] : &e->cf.methods.items[i - fields];
}

static bool change_flags(struct class_edit *e)
{
    struct member *m = some_member(e);
    uint16_t *access = m != NULL && edit_below(e, 5) > 0 ? &m->access : &e->cf.access;
    *access ^= (uint16_t)(1U << edit_below(e, 16));
    return true;
}

static bool change_names(struct class_edit *e) /* descriptor or name of another member */
{
    struct member *a = some_member(e), *b = some_member(e);
    if (a == NULL || a == b)
        return false;
    if (edit_below(e, 2))
        a->desc = b->desc;
    else
        a->name = b->name;
    return true;
}

static bool change_version(struct class_edit *e)
{
    e->cf.major = (uint16_t)(45 + edit_below(e, 25));
    return true;
}

static bool change_attribute(struct class_edit *e)
{
    struct attribute *a;
    if (e->cf.attributes.count == 0)
        return false;
    a = &e->cf.attributes.items[edit_below(e, (uint32_t)e->cf.attributes.count)];
    switch (edit_below(e, 3)) {
    case 0: a->name = e->cf.attributes.items[edit_below(e, (uint32_t)e->cf.attributes.count)].name; return true;
    case 1:
        if (a->length == 0)
            return false;
        edit_bytes(e, a->data)[edit_below(e, a->length)] ^= (uint8_t)(1U << edit_below(e, 8));
        return true;
    default: *a = e->cf.attributes.items[edit_below(e, (uint32_t)e->cf.attributes.count)]; return true;
    }
}

/* ---- code: changes that keep its length ---- */

static bool other_operand(struct class_edit *e, struct code_edit *c, const struct insn *in, uint8_t *p)
{
    const unsigned format = op_table[in->op].format;
    switch ((enum op_format)format) {
    case OPF_BYTE: p[1] = (uint8_t)edit_below(e, 256); return true;
    case OPF_SHORT: put_be2(p + 1, edit_below(e, 65536)); return true;
    case OPF_CP1:
    case OPF_CP2:
    case OPF_INTERFACE:
    case OPF_DYNAMIC:
    case OPF_MULTI: {
        const uint8_t *now = cpool_entry(&e->cf.cp, (uint32_t)in->operand);
        uint32_t index = edit_constant(e, now);
        if (format != OPF_CP1)
            put_be2(p + 1, index);
        else if (index < 256)
            p[1] = (uint8_t)index;
        return true;
    }
    case OPF_LOCAL:
    case OPF_IINC: p[in->wide ? 3 : 1] = (uint8_t)edit_below(e, c->code.max_locals + 2U); return true;
    case OPF_BRANCH2: put_be2(p + 1, (edit_pc(e, c) - in->pc) & 0xffff); return true;
    case OPF_BRANCH4: put_be4(p + 1, edit_pc(e, c) - in->pc); return true;
    case OPF_TABLESWITCH:
    case OPF_LOOKUPSWITCH:
        put_be4(p + ((in->pc & ~3U) + 4 - in->pc), edit_pc(e, c) - in->pc);
        return true; /* default */
    case OPF_NONE:
    case OPF_WIDE: break;
    }
    return false;
}

static bool change_instruction(struct class_edit *e)
{
    struct code_edit c;
    bool done = false;
    if (!edit_code(e, &c))
        return false;
    const struct insn *in = &c.code.insns.items[edit_below(e, (uint32_t)c.code.insns.count)];
    uint8_t *p = c.bytes + in->pc;
    if (edit_below(e, 2) && !in->wide) { /* another opcode of the same format */
        for (int i = 0; i < 50 && !done; i++) {
            uint8_t op = (uint8_t)edit_below(e, OPC_jsr_w + 1);
            done = op_table[op].name != NULL && op_table[op].format == op_table[in->op].format;
            if (done)
                p[0] = op;
        }
    } else {
        done = other_operand(e, &c, in, p);
    }
    return edit_code_done(e, &c, done);
}

static bool change_maxima(struct class_edit *e)
{
    struct code_edit c;
    if (!edit_code(e, &c))
        return false;
    uint16_t *max = edit_below(e, 2) ? &c.code.max_stack : &c.code.max_locals;
    *max = (uint16_t)(edit_below(e, 8) == 0 ? edit_below(e, 300) : *max + edit_below(e, 7) - 2);
    return edit_code_done(e, &c, true);
}

static bool change_handlers(struct class_edit *e)
{
    struct code_edit c;
    bool done = true;
    if (!edit_code(e, &c))
        return false;
    size_t n = c.code.handlers.count;
    struct handler *h = n > 0 ? &c.code.handlers.items[edit_below(e, (uint32_t)n)] : NULL;
    unsigned what = edit_below(e, 4);
    if (h == NULL || what == 0) {
        struct handler new = { (uint16_t)edit_pc(e, &c), (uint16_t)edit_pc(e, &c), (uint16_t)edit_pc(e, &c), 0 };
        struct handler *slot = vec_push(&c.code.handlers);
        done = slot != NULL;
        if (done)
            *slot = new;
    } else if (what == 1) {
        *h = c.code.handlers.items[--c.code.handlers.count];
    } else {
        uint16_t *fields[] = { &h->start, &h->end, &h->handler };
        *fields[edit_below(e, 3)] = (uint16_t)edit_pc(e, &c);
    }
    return edit_code_done(e, &c, done);
}

static bool change_frames(struct class_edit *e)
{
    struct code_edit c;
    if (!edit_code(e, &c))
        return false;
    size_t n = c.frames.list.count;
    if (n == 0)
        return edit_code_done(e, &c, false);
    struct stack_map_frame *f = &c.frames.list.items[edit_below(e, (uint32_t)n)];
    uint32_t types = (uint32_t)f->locals + f->stack;
    switch (edit_below(e, 4)) {
    case 0: /* one less */
        memmove(f, f + 1, (size_t)(c.frames.list.items + n - f - 1) * sizeof *f);
        c.frames.list.count--;
        break;
    case 1: /* the types of another */
    {
        const struct stack_map_frame *other = &c.frames.list.items[edit_below(e, (uint32_t)n)];
        f->first = other->first;
        f->locals = other->locals;
        f->stack = other->stack;
        break;
    }
    case 2: /* a shorter one */
        if (f->stack > 0)
            f->stack--;
        else if (f->locals > 0)
            f->locals--;
        break;
    default:
        if (types > 0)
            c.frames.types.items[f->first + edit_below(e, types)] =
                vtype_of((enum verification)edit_below(e, VT_NULL + 1), 0);
    }
    c.new_frames = true;
    return edit_code_done(e, &c, true);
}

/* ---- code: more of it ---- */

/* Code that leaves stack and locals as they are, if the stack has room. */
static unsigned snippet(struct class_edit *e, const struct code_edit *c, uint8_t out[8])
{
    uint8_t slot = (uint8_t)edit_below(e, c->code.max_locals < 255 ? c->code.max_locals + 1U : 255);
    const uint8_t class = (uint8_t)(e->cf.this_class & 0xff), high = (uint8_t)(e->cf.this_class >> 8);
    const uint8_t forms[][8] = {
        { OPC_nop, OPC_nop, OPC_nop, OPC_nop },
        { OPC_aconst_null, OPC_pop },
        { OPC_lconst_1, OPC_pop2 },
        { OPC_dup, OPC_pop },
        { OPC_dup2, OPC_pop2 },
        { OPC_aload_0, OPC_pop },
        { OPC_aload_0, OPC_monitorenter, OPC_aload_0, OPC_monitorexit },
        { OPC_iinc, slot, 1 },
        { OPC_wide, OPC_iinc, 0, slot, 0, 1 },
        { OPC_iconst_1, OPC_istore, slot },
        { OPC_aconst_null, OPC_astore, slot },
        { OPC_dconst_0, OPC_dstore, slot },
        { OPC_new, high, class, OPC_pop },
        { OPC_iconst_2, OPC_newarray, 10, OPC_pop },
        { OPC_iconst_1, OPC_anewarray, high, class, OPC_pop },
        { OPC_iconst_0, OPC_iconst_1, OPC_swap, OPC_pop2 },
        { OPC_aconst_null, OPC_checkcast, high, class, OPC_pop },
        { OPC_aload_0, OPC_instanceof, high, class, OPC_pop },
        { OPC_aload, slot, OPC_pop },
        { OPC_iload, slot, OPC_pop },
        { OPC_aconst_null, OPC_athrow },
        { OPC_return },
    };
    memcpy(out, forms[edit_below(e, sizeof forms / sizeof *forms)], 8);
    return 8; /* nop behind it: paddings of switches stay as they are */
}

static bool insert_code(struct class_edit *e)
{
    struct code_edit c;
    uint8_t bytes[8];
    if (!edit_code(e, &c))
        return false;
    unsigned n = snippet(e, &c, bytes);
    if (c.code.max_stack < 65530)
        c.code.max_stack = (uint16_t)(c.code.max_stack + 2);
    bool done = edit_insert(e, &c, edit_pc(e, &c), bytes, n);
    return edit_code_done(e, &c, done);
}

/* Much more of it, so that branches become long. */
static bool stretch_code(struct class_edit *e)
{
    static const uint8_t nops[16384];
    struct code_edit c;
    if (edit_below(e, 8) != 0 || !edit_code(e, &c))
        return false;
    bool done = edit_insert(e, &c, edit_pc(e, &c), nops, 4 + (edit_below(e, sizeof nops - 4) & ~3U));
    return edit_code_done(e, &c, done);
}

static bool copy_code(struct class_edit *e) /* the code of another method */
{
    struct attribute *to = edit_code_attribute(e), *from = edit_code_attribute(e);
    if (to == NULL || from == NULL || from == to)
        return false;
    *to = *from;
    return true;
}

static bool (*const changes[])(struct class_edit *e) = {
    change_reference, change_number,    change_text,        change_kind,        change_flags,       change_names,
    change_version,   change_attribute, change_instruction, change_instruction, change_instruction, change_maxima,
    change_handlers,  change_handlers,  change_frames,      change_frames,      insert_code,        insert_code,
    insert_code,      stretch_code,     copy_code,
};

size_t class_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct class_edit e;
    size_t new_size = 0;
    if (!edit_begin(&e, data, size, seed))
        return 0;
    unsigned wanted = 1 + edit_below(&e, 3);
    for (unsigned tries = 0; tries < 20 && wanted > 0; tries++)
        wanted -= changes[edit_below(&e, sizeof changes / sizeof *changes)](&e);
    struct writer w = { 0 };
    classfile_write(&e.cf, &w);
    if (!w.bad && w.size <= max_size) {
        memcpy(data, w.data, w.size);
        new_size = w.size;
    }
    writer_free(&w);
    edit_end(&e);
    return new_size;
}
