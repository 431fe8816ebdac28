/* scan.c - see scan.h. */
#include "weaver/scan.h"

#include <stdlib.h>

static const struct attribute *code_attribute(const struct method_scan *s, const char *name)
{
    for (size_t i = 0; i < s->code.attributes.count; i++) {
        struct text t;
        if (cpool_utf8(&s->c->cf->cp, s->code.attributes.items[i].name, &t) && text_is(t, name))
            return &s->code.attributes.items[i];
    }
    return NULL;
}

/* Line numbers by pc, from all LineNumberTables. */
static enum status look_at_lines(struct method_scan *s)
{
    s->lines = malloc((s->code.length + 1) * sizeof *s->lines);
    if (s->lines == NULL)
        return ERR_MEMORY;
    memset(s->lines, 0xff, (s->code.length + 1) * sizeof *s->lines); /* -1 */
    s->lines_ascend = true;
    for (size_t k = 0; k < s->code.attributes.count; k++) {
        struct text t;
        const struct attribute *a = &s->code.attributes.items[k];
        if (!cpool_utf8(&s->c->cf->cp, a->name, &t) || !text_is(t, "LineNumberTable"))
            continue;
        struct reader r = reader_of(a->data, a->length);
        uint32_t n = read_u2(&r);
        for (uint32_t i = 0; i < n && !r.bad; i++) {
            struct line_entry e = { read_u2(&r), 0 };
            e.line = read_u2(&r);
            if (r.bad || e.pc >= s->code.length)
                continue;
            struct line_entry *slot = vec_push(&s->line_entries);
            if (slot == NULL)
                return ERR_MEMORY;
            *slot = e;
            s->lines_ascend &= s->line_entries.count < 2 || slot[-1].pc <= e.pc;
            s->lines[e.pc] = e.line;
            s->code.flags[e.pc] |= PC_LINE;
        }
    }
    for (uint32_t pc = 1; pc <= s->code.length; pc++)
        if (s->lines[pc] < 0)
            s->lines[pc] = s->lines[pc - 1];
    return OK;
}

static enum status look_at_locals(struct method_scan *s)
{
    const struct attribute *a = code_attribute(s, "LocalVariableTable");
    if (a == NULL)
        return OK;
    struct reader r = reader_of(a->data, a->length);
    uint32_t n = read_u2(&r);
    for (uint32_t i = 0; i < n && !r.bad; i++) {
        struct local_name l = { read_u2(&r), 0, 0, 0, 0 };
        l.length = read_u2(&r);
        l.name = read_u2(&r);
        l.desc = read_u2(&r);
        l.slot = read_u2(&r);
        struct local_name *slot = r.bad ? NULL : vec_push(&s->locals);
        if (slot != NULL)
            *slot = l;
    }
    return OK;
}

uint16_t scan_initial_frame(const struct method_scan *s, vtype *out)
{
    uint16_t n = 0;
    uint32_t unnamed = VTYPE_UNNAMED;
    if (!s->is_static)
        out[n++] = s->is_constructor ? vtype_of(VT_UNINITIALIZED_THIS, 0) : vtype_of(VT_OBJECT, s->c->cf->this_class);
    for (size_t i = 1; s->desc.data[i] != ')' && n < 256;) {
        size_t size = descriptor_type_length(s->desc.data + i, s->desc.size - i);
        if (size == 0)
            break;
        switch (s->desc.data[i]) {
        case 'J': out[n++] = VT_LONG; break;
        case 'D': out[n++] = VT_DOUBLE; break;
        case 'F': out[n++] = VT_FLOAT; break;
        case 'L':
        case '[': out[n++] = vtype_of(VT_OBJECT, unnamed++); break;
        default: out[n++] = VT_INTEGER;
        }
        i += size;
    }
    return n;
}

/* Frames, if this class file's version uses them, and the flow of uninitialized values. */
static enum status look_at_flow(struct method_scan *s, struct error *err)
{
    struct class_plan *c = s->c;
    const struct attribute *table = code_attribute(s, "StackMapTable");
    struct flow_method fm = {
        .cp = &c->cf->cp,
        .code = &s->code,
        .is_static = s->is_static,
        .is_constructor = s->is_constructor,
        .desc = s->desc,
    };
    /* Without a table in spite of jumps: version 50, or a class of the JVM's archive, whose tables are missing when it
     * is woven again. A method without a table gets none. */
    s->has_frames = c->frames_required && (table != NULL || !s->code.has_jumps);
    enum status status = OK;
    if (s->has_frames) {
        vtype initial[256];
        uint16_t n = scan_initial_frame(s, initial);
        if (table != NULL)
            status = stack_map_read(&s->frames, table->data, table->length, s->code.length, initial, n, err);
        fm.frames = &s->frames;
        if (status == OK)
            status = flow_run(&s->flow, &fm, err);
        if (status == OK || status == ERR_MEMORY || c->cf->major > 50)
            return status;
        /* Version 50 may have a wrong table: the JVM then infers types (JVMS 4.10), and so does the weaver. */
        flow_done(&s->flow);
        s->flow = (struct flow){ 0 };
        s->has_frames = false;
        fm.frames = NULL;
    }
    return flow_run(&s->flow, &fm, err);
}

static bool look_at_locals_use(struct method_scan *s)
{
    for (size_t i = 0; i < s->code.insns.count; i++) {
        const struct insn *in = &s->code.insns.items[i];
        if ((op_table[in->op].flags & OP_STORE) && in->local == 0 && !s->is_static)
            s->this_stored = true;
        if (in->op != OPC_ret || in->local >= s->code.max_locals)
            continue;
        if (s->returns == NULL)
            s->returns = arena_get(&s->c->arena, s->code.max_locals * sizeof *s->returns);
        if (s->returns == NULL)
            return false;
        s->returns[in->local] = 1;
    }
    for (unsigned i = 0; s->returns != NULL && i < s->code.max_locals; i++)
        if (s->returns[i] != 0)
            s->returns[i] = (uint16_t)++s->return_count;
    return true;
}

static bool is_described(struct text class)
{
    static const char *const classes[] = {
#define DESCRIBED(name) name,
#include "formats/described.def"
#undef DESCRIBED
#define VALUE(number, name, ...) name,
#include "formats/values.def"
#undef VALUE
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (text_is(class, classes[i]))
            return true;
    return false;
}

enum status scan_method(struct method_scan *s, struct error *err)
{
    s->is_static = (s->member->access & ACC_STATIC) != 0;
    s->is_constructor = text_is(s->name, "<init>") && s->c->cf->super_class != 0;
    s->describes = s->is_constructor && !s->c->config->counts_only && is_described(s->c->name);
    (void)code_measure(&s->code, &s->c->cf->cp); /* a wrong constant is reported where control reaches it */
    enum status status = look_at_lines(s);
    if (status == OK)
        status = look_at_locals(s);
    if (status == OK && !look_at_locals_use(s))
        status = ERR_MEMORY;
    if (status == OK)
        status = look_at_flow(s, err);
    return status;
}

void scan_done(struct method_scan *s)
{
    code_done(&s->code);
    stack_map_done(&s->frames);
    flow_done(&s->flow);
    vec_free(&s->line_entries);
    vec_free(&s->locals);
    free(s->lines);
}

const struct local_name *scan_local_at(const struct method_scan *s, uint32_t slot, uint32_t pc)
{
    for (size_t i = 0; i < s->locals.count; i++) {
        const struct local_name *l = &s->locals.items[i];
        if (l->slot == slot && l->start <= pc && pc < (uint32_t)l->start + l->length)
            return l;
    }
    return NULL;
}

uint32_t scan_store_pc(const struct method_scan *s, uint32_t index, const struct insn *in)
{
    const struct local_name *next = NULL;
    const uint32_t behind = in->pc + in->length;
    for (size_t i = 0; i < s->locals.count; i++) {
        const struct local_name *l = &s->locals.items[i];
        if (l->slot != in->local || (uint32_t)l->start + l->length <= behind)
            continue;
        if (l->start <= behind)
            return behind;
        if (next == NULL || l->start < next->start)
            next = l;
    }
    if (next == NULL)
        return behind;
    for (size_t i = index + 1; i < s->code.insns.count && s->code.insns.items[i].pc < next->start; i++)
        if ((op_table[s->code.insns.items[i].op].flags & OP_STORE) && s->code.insns.items[i].local == in->local)
            return behind;
    return next->start;
}

bool scan_loads_this(const struct method_scan *s, const struct insn *in)
{
    return in->local == 0 && !s->is_static && !s->this_stored && op_local_type(in->op) == 'A';
}
