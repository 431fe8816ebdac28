/* bytecode.c - see code.h. */
#include "reader/code/code.h"

#include <stdlib.h>
#include <string.h>

/* ---- class files ---- */

struct class_code {
    uint32_t class_no;
    bool read;   /* reading it was tried */
    char *bytes; /* the class file, NULL if there is none */
    struct classfile cf;
    struct code *methods; /* by position in the class row; `bytes` NULL: not read or none */
    bool *methods_read;
    uint32_t method_count;
};

struct codes {
    struct class_code *classes; /* by position in hs_trace.classes */
    size_t count;
};

struct stack_states {
    struct producers **before; /* by pc; NULL: not reached, or not the start of an instruction */
    uint16_t *depth;           /* slots on the stack */
    bool *leader;              /* first of a basic block: a jump target or handler, or after a jump */
};

static void free_states(struct code *c)
{
    if (c->states == NULL)
        return;
    for (uint32_t pc = 0; c->states->before != NULL && pc < c->length; pc++)
        free(c->states->before[pc]);
    free(c->states->before);
    free(c->states->depth);
    free(c->states->leader);
    free(c->states);
    c->states = NULL;
}

static void codes_free(void *what)
{
    struct codes *codes = what;
    for (size_t i = 0; i < codes->count; i++) {
        struct class_code *c = &codes->classes[i];
        for (uint32_t m = 0; c->methods != NULL && m < c->method_count; m++)
            free_states(&c->methods[m]);
        if (c->bytes != NULL)
            classfile_done(&c->cf);
        free(c->methods);
        free(c->methods_read);
        free(c->bytes);
    }
    free(codes->classes);
    free(codes);
}

static char *class_bytes(hs_trace *t, uint32_t class_no, size_t *size)
{
    struct error err;
    struct text value;
    char *out = NULL;
    enum status st = env_begin(&t->env, &err);
    if (st != OK) {
        trace_damaged(t, &err);
        return NULL;
    }
    st = env_get(&t->env, DB_CLASSFILE, class_no, &value, &err);
    if (st == OK)
        out = malloc(value.size + 1);
    if (out != NULL) {
        memcpy(out, value.data, value.size);
        *size = value.size;
    } else if (st == OK) {
        st = error_memory(&err, "%s", t->dir);
    }
    env_end(&t->env);
    if (st != OK && st != ERR_NOT_FOUND)
        trace_damaged(t, &err);
    return out;
}

static struct codes *codes_of(hs_trace *t)
{
    struct codes *codes = trace_attached(t, ATTACHED_CODES);
    if (codes != NULL)
        return codes;
    size_t count = class_rows(t);
    codes = calloc(1, sizeof *codes);
    if (codes != NULL)
        codes->classes = calloc(count + 1, sizeof *codes->classes);
    if (codes == NULL || codes->classes == NULL) {
        free(codes);
        trace_no_memory(t);
        return NULL;
    }
    codes->count = count;
    trace_attach(t, ATTACHED_CODES, codes, codes_free);
    return codes;
}

static struct class_code *class_code(hs_trace *t, const struct hs_class *c)
{
    struct error err;
    size_t size = 0;
    struct codes *codes = codes_of(t);
    size_t position = class_position(t, c);
    if (codes == NULL || position >= codes->count)
        return NULL;
    struct class_code *k = &codes->classes[position];
    if (k->read)
        return k->bytes != NULL ? k : NULL;
    k->read = true;
    k->class_no = c->class_no;
    k->bytes = class_bytes(t, c->class_no, &size);
    if (k->bytes == NULL)
        return NULL;
    k->method_count = c->method_count;
    k->methods = calloc((size_t)c->method_count + 1, sizeof *k->methods);
    k->methods_read = calloc((size_t)c->method_count + 1, sizeof *k->methods_read);
    enum status st = classfile_read(&k->cf, k->bytes, size, &err);
    if (st == ERR_MEMORY || k->methods == NULL || k->methods_read == NULL)
        trace_no_memory(t);
    if (st != OK || k->methods == NULL || k->methods_read == NULL) {
        classfile_done(&k->cf);
        free(k->bytes);
        k->bytes = NULL;
        return NULL;
    }
    return k;
}

const struct classfile *codes_classfile(hs_trace *t, const struct hs_class *c)
{
    const struct class_code *k = class_code(t, c);
    return k != NULL ? &k->cf : NULL;
}

/* ---- methods ---- */

static const char *keep_utf8(hs_trace *t, const struct classfile *cf, uint32_t index)
{
    struct text s;
    return cpool_utf8(&cf->cp, index, &s) ? trace_text(t, s, false) : NULL;
}

static void read_variables(hs_trace *t, struct code *c, const struct attribute *a)
{
    struct reader r = reader_of(a->data, a->length);
    uint32_t n = read_u2(&r), kept = 0;
    struct variable_scope *v = arena_array(&t->arena, n, sizeof *v);
    for (uint32_t i = 0; v != NULL && i < n; i++) {
        uint32_t start = read_u2(&r), length = read_u2(&r), name = read_u2(&r), desc = read_u2(&r);
        uint16_t slot = read_u2(&r);
        if (r.bad || start > c->length || length > c->length - start)
            break;
        v[kept] = (struct variable_scope){ keep_utf8(t, c->classfile, name), keep_utf8(t, c->classfile, desc), start,
                                           start + length, slot };
        kept += v[kept].name != NULL && v[kept].desc != NULL;
    }
    if (v == NULL && n > 0)
        trace_no_memory(t);
    c->variables = v;
    c->variable_count = v != NULL ? kept : 0;
}

/* Sets the handlers; false: they cannot be parsed. */
static bool read_handlers(hs_trace *t, struct code *c, struct reader *r)
{
    const uint32_t n = read_u2(r);
    struct reader left = *r;
    (void)read_span(r, (size_t)n * 8);
    struct handler_range *h = r->bad ? NULL : arena_array(&t->arena, n, sizeof *h);
    if (h == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        h[i].start = read_u2(&left);
        h[i].end = read_u2(&left);
        h[i].pc = read_u2(&left);
        h[i].type = read_u2(&left);
    }
    c->handlers = h;
    c->handler_count = n;
    return true;
}

/* A method may have several of these attributes. */
static void read_lines(hs_trace *t, struct code *c, const struct attribute *a)
{
    struct reader r = reader_of(a->data, a->length);
    const uint32_t n = read_u2(&r);
    struct line_entry *all = arena_array(&t->arena, (size_t)c->line_count + n, sizeof *all);
    if (all == NULL) {
        trace_no_memory(t);
        return;
    }
    if (c->line_count > 0)
        memcpy(all, c->lines, c->line_count * sizeof *all);
    c->lines = all;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t pc = read_u2(&r);
        const int32_t line = read_u2(&r);
        if (r.bad)
            return;
        all[c->line_count++] = (struct line_entry){ pc, line };
    }
}

/* Sets `bytes`, handlers, lines and variables from the Code attribute, if it can be parsed. */
static void read_code(hs_trace *t, struct code *c, const struct attribute *a)
{
    struct reader r = reader_of(a->data, a->length);
    attribute_vec attributes = { 0 };
    uint32_t count;
    c->max_stack = read_u2(&r);
    c->max_locals = read_u2(&r);
    c->length = read_u4(&r);
    const uint8_t *bytes = read_span(&r, c->length);
    enum status st = !read_handlers(t, c, &r) || r.bad ? ERR_FORMAT : attributes_read(&r, &attributes, &count);
    if (st != OK) {
        if (st == ERR_MEMORY)
            trace_no_memory(t);
        vec_free(&attributes);
        return;
    }
    c->bytes = bytes;
    for (size_t i = 0; i < attributes.count; i++) {
        struct text name;
        if (!cpool_utf8(&c->classfile->cp, attributes.items[i].name, &name))
            continue;
        if (c->variables == NULL && text_is(name, "LocalVariableTable"))
            read_variables(t, c, &attributes.items[i]);
        if (text_is(name, "LineNumberTable"))
            read_lines(t, c, &attributes.items[i]);
    }
    vec_free(&attributes);
}

static const struct member *find_method(const struct classfile *cf, const struct hs_method *m)
{
    for (size_t i = 0; i < cf->methods.count; i++) {
        const struct member *member = &cf->methods.items[i];
        struct text name, desc;
        if (!cpool_utf8(&cf->cp, member->name, &name) || !text_is(name, m->name))
            continue;
        if (cpool_utf8(&cf->cp, member->desc, &desc) && text_is(desc, m->desc))
            return member;
    }
    return NULL;
}

static bool stores_slot(const struct code *c, uint16_t slot)
{
    struct insn in;
    for (uint32_t pc = 0; insn_decode(c->bytes, c->length, pc, &in); pc += in.length)
        if ((op_table[in.op].flags & OP_STORE) != 0 && in.local == slot)
            return true;
    return false;
}

static void read_method(hs_trace *t, struct code *code, const struct classfile *cf, const struct hs_method *m)
{
    *code = (struct code){ .classfile = cf, .method = m };
    const struct member *member = find_method(cf, m);
    if (member == NULL)
        return;
    const struct attribute *a = classfile_attribute(cf, member->first_attribute, member->attribute_count, "Code");
    if (a != NULL)
        read_code(t, code, a);
    code->has_this = code->bytes != NULL && (m->access & ACC_STATIC) == 0 && !stores_slot(code, 0);
}

struct code *codes_get(hs_trace *t, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(t, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    struct class_code *k = c != NULL ? class_code(t, c) : NULL;
    if (k == NULL)
        return NULL;
    uint32_t index = method_id - c->methods[0]->method_id;
    struct code *code = &k->methods[index];
    if (!k->methods_read[index]) {
        k->methods_read[index] = true;
        read_method(t, code, &k->cf, m);
    }
    return code->bytes != NULL ? code : NULL;
}

const struct variable_scope *code_variable(const struct code *c, uint16_t slot, uint32_t pc)
{
    struct insn in;
    uint32_t next_pc = insn_decode(c->bytes, c->length, pc, &in) ? pc + in.length : pc;
    const struct variable_scope *next = NULL;
    for (uint32_t i = 0; i < c->variable_count; i++) {
        const struct variable_scope *v = &c->variables[i];
        if (v->slot != slot)
            continue;
        if (v->start <= pc && pc < v->end)
            return v;
        if (v->start == next_pc && next_pc > pc)
            next = v;
    }
    return next;
}

int32_t code_line(const struct code *c, uint32_t pc)
{
    const struct line_entry *best = NULL;
    for (uint32_t i = 0; i < c->line_count; i++)
        if (c->lines[i].pc <= pc && (best == NULL || c->lines[i].pc >= best->pc))
            best = &c->lines[i];
    return best != NULL ? best->line : -1;
}

const struct variable_scope *code_stored_variable(const struct code *c, uint16_t slot, uint32_t pc)
{
    const struct variable_scope *next = code_variable(c, slot, pc);
    struct insn in;
    if (next != NULL || !insn_decode(c->bytes, c->length, pc, &in))
        return next;
    for (uint32_t i = 0; i < c->variable_count; i++) {
        const struct variable_scope *v = &c->variables[i];
        if (v->slot == slot && v->start > pc && (next == NULL || v->start < next->start))
            next = v;
    }
    for (pc += in.length; next != NULL && pc < next->start && insn_decode(c->bytes, c->length, pc, &in);
         pc += in.length)
        if ((op_table[in.op].flags & OP_STORE) != 0 && in.local == slot)
            return NULL;
    return next;
}

/* ---- operand stack ---- */

struct stack {
    struct producers *slots;
    uint32_t depth, max;
    bool bad;
};

static void push(struct stack *s, const struct producers *p)
{
    if (s->depth >= s->max)
        s->bad = true;
    else
        s->slots[s->depth++] = *p;
}

static void push_pc(struct stack *s, uint32_t pc, unsigned slots)
{
    struct producers p = { .pcs = { pc }, .count = 1 };
    while (slots-- > 0)
        push(s, &p);
}

static void pop(struct stack *s, unsigned slots)
{
    if (slots > s->depth)
        s->bad = true;
    else
        s->depth -= slots;
}

/* dup and its variants: inserts a copy of the top `count` slots `below` slots further down. */
static void dup(struct stack *s, unsigned count, unsigned below)
{
    if (s->depth < count + below || s->depth + count > s->max) {
        s->bad = true;
        return;
    }
    struct producers *top = s->slots + s->depth;
    memmove(top - below, top - below - count, (count + below) * sizeof *top);
    memcpy(top - below - count, top, count * sizeof *top);
    s->depth += count;
}

/* An instruction whose pops and pushes depend on the constant pool. */
static void apply_pool(struct stack *s, const struct classfile *cf, const struct insn *in)
{
    struct member_ref m = { 0 };
    struct text result = { 0 }, name, desc;
    unsigned arguments = 0;
    uint32_t bootstrap;
    if (in->op == OPC_invokedynamic) {
        if (!cpool_dynamic(&cf->cp, (uint32_t)in->operand, &bootstrap, &name, &desc) ||
            !descriptor_measure(desc, &arguments, &result)) {
            s->bad = true;
            return;
        }
        pop(s, arguments);
        push_pc(s, in->pc, type_slots(result.data[0]));
        return;
    }
    if (in->op == OPC_multianewarray) {
        pop(s, in->extra);
        push_pc(s, in->pc, 1);
        return;
    }
    if (!cpool_member(&cf->cp, (uint32_t)in->operand, &m) || m.desc.size == 0) {
        s->bad = true;
        return;
    }
    unsigned slots = type_slots(m.desc.data[0]);
    switch ((int)in->op) {
    case OPC_getstatic: push_pc(s, in->pc, slots); break;
    case OPC_putstatic: pop(s, slots); break;
    case OPC_getfield:
        pop(s, 1);
        push_pc(s, in->pc, slots);
        break;
    case OPC_putfield: pop(s, slots + 1); break;
    default:
        if (!descriptor_measure(m.desc, &arguments, &result)) {
            s->bad = true;
            return;
        }
        pop(s, arguments + (in->op != OPC_invokestatic));
        push_pc(s, in->pc, type_slots(result.data[0]));
    }
}

static void apply(struct stack *s, const struct classfile *cf, const struct insn *in)
{
    const struct op_info *info = &op_table[in->op];
    switch ((int)in->op) {
    case OPC_dup: dup(s, 1, 0); return;
    case OPC_dup_x1: dup(s, 1, 1); return;
    case OPC_dup_x2: dup(s, 1, 2); return;
    case OPC_dup2: dup(s, 2, 0); return;
    case OPC_dup2_x1: dup(s, 2, 1); return;
    case OPC_dup2_x2: dup(s, 2, 2); return;
    case OPC_swap:
        if (s->depth < 2) {
            s->bad = true;
            return;
        }
        dup(s, 1, 1);
        s->depth--;
        return;
    case OPC_checkcast: return; /* the same value */
    default: break;
    }
    if (info->pops < 0 || info->pushes < 0) {
        apply_pool(s, cf, in);
        return;
    }
    pop(s, (unsigned)info->pops);
    push_pc(s, in->pc, (unsigned)info->pushes);
}

static bool has_producer(const struct producers *p, uint32_t pc)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->pcs[i] == pc)
            return true;
    return false;
}

/* Adds `from` to `to`; true if that changed `to`. */
static bool merge_producers(struct producers *to, const struct producers *from)
{
    bool changed = from->more && !to->more;
    to->more = to->more || from->more;
    for (unsigned i = 0; i < from->count; i++) {
        if (has_producer(to, from->pcs[i]))
            continue;
        if (to->count == PRODUCERS_MAX) {
            changed = changed || !to->more;
            to->more = true;
            break;
        }
        to->pcs[to->count++] = from->pcs[i];
        changed = true;
    }
    return changed;
}

struct pass {
    struct code *code;
    struct stack_states *states;
    u32_vec work;
    size_t kept; /* slots of all states */
    bool no_memory;
};

/* A method can have 65,535 instructions with as many slots on the stack; compilers make a few slots for each. */
enum { KEPT_MAX = 1 << 22 };

/* Merges the stack into the state before pc; true if that changed the state. */
static bool merge_state(struct pass *p, uint32_t pc, const struct stack *s)
{
    struct producers **before = &p->states->before[pc];
    if (*before == NULL) {
        p->kept += s->depth;
        *before = p->kept <= KEPT_MAX ? malloc((s->depth + 1) * sizeof **before) : NULL;
        if (*before == NULL) {
            p->no_memory = true;
            return false;
        }
        memcpy(*before, s->slots, s->depth * sizeof **before);
        p->states->depth[pc] = (uint16_t)s->depth;
        return true;
    }
    if (p->states->depth[pc] != s->depth)
        return false;
    bool changed = false;
    for (uint32_t i = 0; i < s->depth; i++)
        changed |= merge_producers(&(*before)[i], &s->slots[i]);
    return changed;
}

/* Control reaches pc with this stack. */
static void reach(struct pass *p, uint32_t pc, const struct stack *s)
{
    if (pc >= p->code->length || !merge_state(p, pc, s))
        return;
    uint32_t *to = vec_push(&p->work);
    if (to == NULL)
        p->no_memory = true;
    else
        *to = pc;
}

static void mark_leader(struct pass *p, uint32_t pc)
{
    if (pc < p->code->length)
        p->states->leader[pc] = true;
}

/* Passes the stack after an instruction to its successors. */
static void reach_successors(struct pass *p, const struct insn *in, struct stack *s)
{
    const struct code *c = p->code;
    const struct op_info *info = &op_table[in->op];
    if (info->format == OPF_BRANCH2 || info->format == OPF_BRANCH4) {
        mark_leader(p, (uint32_t)in->operand);
        mark_leader(p, in->pc + in->length);
        reach(p, (uint32_t)in->operand, s);
        if ((info->flags & OP_JSR) != 0) { /* the subroutine returns with the stack before the return address */
            s->depth -= s->depth > 0;
            reach(p, in->pc + in->length, s);
            return;
        }
    } else if (info->format == OPF_TABLESWITCH || info->format == OPF_LOOKUPSWITCH) {
        uint32_t n = switch_count(c->bytes, in);
        for (uint32_t i = 0; i < n; i++) {
            int32_t to = switch_target(c->bytes, in, i);
            if (to < 0)
                continue;
            mark_leader(p, (uint32_t)to);
            reach(p, (uint32_t)to, s);
        }
    }
    if ((info->flags & OP_END) == 0)
        reach(p, in->pc + in->length, s);
    else
        mark_leader(p, in->pc + in->length);
}

static void reach_handlers(struct pass *p, struct stack *s)
{
    for (uint32_t i = 0; i < p->code->handler_count; i++) {
        const uint32_t pc = p->code->handlers[i].pc;
        s->depth = 0;
        push_pc(s, pc | PRODUCER_CAUGHT, 1);
        mark_leader(p, pc);
        reach(p, pc, s);
    }
}

/* Follows control flow until no state changes any more; false: out of memory. */
static bool run_pass(struct pass *p, struct stack *s)
{
    const struct code *c = p->code;
    struct stack_states *st = p->states;
    st->leader[0] = true;
    reach(p, 0, s);
    reach_handlers(p, s);
    while (p->work.count > 0 && !p->no_memory) {
        struct insn in;
        uint32_t pc = p->work.items[--p->work.count];
        s->depth = st->depth[pc];
        s->bad = false;
        memcpy(s->slots, st->before[pc], s->depth * sizeof *s->slots);
        if (!insn_decode(c->bytes, c->length, pc, &in))
            continue;
        apply(s, c->classfile, &in);
        if (!s->bad)
            reach_successors(p, &in, s);
    }
    return !p->no_memory;
}

static bool make_states(hs_trace *t, struct code *c)
{
    if (c->states != NULL)
        return c->states->leader != NULL;
    struct stack_states *st = calloc(1, sizeof *st);
    if (st == NULL) {
        trace_no_memory(t);
        return false;
    }
    c->states = st;
    struct stack s = { .slots = calloc((size_t)c->max_stack + 2, sizeof *s.slots), .max = (uint32_t)c->max_stack + 1 };
    struct pass p = { .code = c, .states = st };
    st->before = calloc((size_t)c->length + 1, sizeof(struct producers *));
    st->depth = calloc((size_t)c->length + 1, sizeof *st->depth);
    st->leader = calloc((size_t)c->length + 1, sizeof *st->leader);
    bool room = s.slots != NULL && st->before != NULL && st->depth != NULL && st->leader != NULL;
    if (room)
        room = run_pass(&p, &s);
    vec_free(&p.work);
    free(s.slots);
    if (!room) {
        trace_no_memory(t);
        free_states(c);
    }
    return room;
}

struct producers code_producers(hs_trace *t, struct code *c, uint32_t pc, uint32_t depth)
{
    struct producers none = { 0 };
    if (!make_states(t, c) || pc >= c->length || c->states->before[pc] == NULL || depth >= c->states->depth[pc])
        return none;
    return c->states->before[pc][c->states->depth[pc] - 1 - depth];
}

uint32_t code_block(hs_trace *t, struct code *c, uint32_t pc)
{
    if (!make_states(t, c) || pc >= c->length)
        return 0;
    while (pc > 0 && !c->states->leader[pc])
        pc--;
    return pc;
}
