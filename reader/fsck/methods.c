/* methods.c - a method as the check uses it: its instructions, and for each the data IDs of its events, in order.
 *
 * The event type determines on which side of the instruction an event is (column `stands` of events.def): one before it
 * is recorded even if the instruction throws. The rows of a method are in the order of its code, so filling the lists
 * is one pass over them. */
#include "reader/fsck/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/search.h"

bool methods_init(struct fsck *f)
{
    f->sites = calloc((size_t)f->site_count + 1, sizeof *f->sites);
    return f->sites != NULL;
}

void methods_done(struct fsck *f)
{
    for (size_t i = 0; f->classes != NULL && i < class_rows(f->trace); i++) {
        struct fclass *c = &f->classes[i];
        for (uint32_t k = 0; c->methods != NULL && k < c->row->method_count; k++)
            vec_free(&c->methods[k].handlers);
    }
    free(f->sites);
}

/* The class with its class file read and room for its methods. */
static bool need_methods(struct fsck *f, struct fclass *c)
{
    if (class_need(f, c) == NULL)
        return false;
    if (c->methods == NULL && c->row->method_count > 0)
        c->methods = arena_array(&f->arena, c->row->method_count, sizeof *c->methods);
    if (c->methods == NULL && c->row->method_count > 0) {
        f->no_memory = true;
        c->usable = false;
    }
    return c->usable;
}

void site_text(const struct fsite *p, char *out, size_t size)
{
    const struct fmethod *m = p->method;
    const char *name = event_name(p->event);
    if (m == NULL || p->row == NULL)
        (void)snprintf(out, size, "%s", name != NULL ? name : "?");
    else
        (void)snprintf(out, size, "%s.%s pc %u %s", m->owner->row->name, m->row->name, p->row->pc,
                       name != NULL ? name : "?");
}

/* ---- instructions ---- */

/* Slots that field and invoke instructions pop and push; false for a wrong constant. */
static bool measure(const struct fclass *c, struct finsn *i)
{
    const struct op_info *op = &op_table[i->in.op];
    struct member_ref ref;
    struct text desc, name, result;
    unsigned arguments;
    uint32_t bootstrap;
    i->pops = op->pops;
    i->pushes = op->pushes;
    if (i->in.op == OPC_multianewarray)
        i->pops = i->in.extra;
    if (i->pops >= 0 && i->pushes >= 0)
        return true;
    if (i->in.op == OPC_invokedynamic) {
        if (!cpool_dynamic(&c->cf.cp, (uint32_t)i->in.operand, &bootstrap, &name, &desc))
            return false;
    } else if (cpool_member(&c->cf.cp, (uint32_t)i->in.operand, &ref)) {
        desc = ref.desc;
    } else {
        return false;
    }
    if (op->flags & OP_INVOKE || i->in.op == OPC_invokedynamic) {
        if (!descriptor_measure(desc, &arguments, &result))
            return false;
        i->pops = (int16_t)(arguments + (i->in.op != OPC_invokestatic && i->in.op != OPC_invokedynamic));
        i->pushes = (int16_t)stack_slots((unsigned char)result.data[0]);
        return true;
    }
    int16_t width = (int16_t)stack_slots((unsigned char)desc.data[0]),
            object = i->in.op == OPC_getfield || i->in.op == OPC_putfield;
    bool put = i->in.op == OPC_putfield || i->in.op == OPC_putstatic;
    i->pops = (int16_t)(object + (put ? width : 0));
    i->pushes = put ? 0 : width;
    return true;
}

/* Fills index_of_pc and counts the instructions; false: the code cannot be decoded. */
static bool index_insns(struct fmethod *m)
{
    uint32_t n = 0;
    for (uint32_t pc = 0; pc < m->length; n++) {
        struct insn in;
        if (!insn_decode(m->code, m->length, pc, &in))
            return false;
        for (uint32_t k = 0; k < in.length; k++)
            m->index_of_pc[pc + k] = k == 0 ? n : NO_INSN;
        pc += in.length;
    }
    m->index_of_pc[m->length] = NO_INSN;
    m->count = n;
    return true;
}

static bool read_insns(struct fsck *f, struct fmethod *m)
{
    m->index_of_pc = arena_array(&f->arena, (size_t)m->length + 1, sizeof *m->index_of_pc);
    f->no_memory |= m->index_of_pc == NULL;
    if (m->index_of_pc == NULL || !index_insns(m))
        return false;
    m->insns = arena_array(&f->arena, (size_t)m->count + 2, sizeof *m->insns);
    f->no_memory |= m->insns == NULL;
    if (m->insns == NULL)
        return false;
    uint32_t pc = 0;
    for (uint32_t n = 0; n < m->count; n++) {
        struct finsn *i = &m->insns[n];
        i->depth = UINT16_MAX;
        if (!insn_decode(m->code, m->length, pc, &i->in) || !measure(m->owner, i))
            return false;
        m->this_stored |= !m->is_static && i->in.local == 0 && (op_table[i->in.op].flags & OP_STORE);
        m->has_monitors |= i->in.op == OPC_monitorenter || i->in.op == OPC_monitorexit;
        pc += i->in.length;
    }
    return true;
}

static bool read_handlers(struct fsck *f, struct fmethod *m, struct reader *r)
{
    uint32_t n = read_u2(r);
    for (uint32_t i = 0; i < n && !r->bad; i++) {
        struct fhandler h = { .start = read_u2(r) };
        h.end = read_u2(r);
        uint32_t pc = read_u2(r);
        h.type = read_u2(r);
        if (r->bad || h.end > m->length || pc >= m->length)
            return false;
        h.insn = m->index_of_pc[pc];
        if (h.insn == NO_INSN)
            return false;
        struct fhandler *to = vec_push(&m->handlers);
        if (to == NULL) {
            f->no_memory = true;
            return false;
        }
        *to = h;
        for (uint32_t k = 0; k < m->count; k++)
            m->insns[k].covered |= m->insns[k].in.pc >= h.start && m->insns[k].in.pc < h.end;
    }
    return !r->bad;
}

uint32_t successor(const struct fmethod *m, uint32_t i, uint32_t number)
{
    const struct finsn *s = &m->insns[i];
    const struct op_info *op = &op_table[s->in.op];
    if (op->format == OPF_TABLESWITCH || op->format == OPF_LOOKUPSWITCH) {
        if (number >= switch_count(m->code, &s->in))
            return NO_INSN;
        int32_t to = switch_target(m->code, &s->in, number);
        return to >= 0 && (uint32_t)to < m->length ? m->index_of_pc[to] : NO_INSN;
    }
    if (s->in.op == OPC_ret) { /* the instruction after any jsr */
        for (uint32_t k = 0; k < m->count; k++)
            if ((op_table[m->insns[k].in.op].flags & OP_JSR) && number-- == 0)
                return k + 1 < m->count ? k + 1 : NO_INSN;
        return NO_INSN;
    }
    bool branch = op->format == OPF_BRANCH2 || op->format == OPF_BRANCH4, falls = !(op->flags & (OP_END | OP_JSR));
    if (branch && number == 0)
        return s->in.operand >= 0 && (uint32_t)s->in.operand < m->length ? m->index_of_pc[s->in.operand] : NO_INSN;
    if (falls && number == (branch ? 1u : 0u) && i + 1 < m->count)
        return i + 1;
    return NO_INSN;
}

/* Control reaches an instruction with this depth; false: out of memory. */
static bool set_depth(struct fsck *f, struct fmethod *m, uint32_t insn, uint32_t depth, u32_vec *work)
{
    if (insn >= m->count || m->insns[insn].depth != UINT16_MAX || depth >= UINT16_MAX)
        return true;
    uint32_t *to = vec_push(work);
    if (to == NULL) {
        f->no_memory = true;
        return false;
    }
    *to = insn;
    m->insns[insn].depth = (uint16_t)depth;
    return true;
}

/* Passes the depth after an instruction to its successors. */
static bool pass_depth(struct fsck *f, struct fmethod *m, uint32_t insn, u32_vec *work)
{
    const struct finsn *in = &m->insns[insn];
    if (in->depth < in->pops)
        return false;
    if (in->in.op == OPC_ret)
        return true; /* the jsr has set the depth at its return point */
    uint32_t after = (uint32_t)(in->depth - in->pops + in->pushes);
    struct successors s = { .m = m, .insn = insn };
    while (successors_next(&s))
        if (!set_depth(f, m, s.to, after, work))
            return false;
    if (op_table[in->in.op].flags & OP_JSR)
        return set_depth(f, m, insn + 1, in->depth, work);
    return true;
}

/* Handlers of instructions that are reached are reached, too, with the exception on the stack. */
static bool pass_handlers(struct fsck *f, struct fmethod *m, uint32_t insn, u32_vec *work)
{
    const uint32_t pc = m->insns[insn].in.pc;
    bool ok = true;
    for (size_t i = 0; ok && m->insns[insn].covered && i < m->handlers.count; i++)
        if (pc >= m->handlers.items[i].start && pc < m->handlers.items[i].end)
            ok = set_depth(f, m, m->handlers.items[i].insn, 1, work);
    return ok;
}

/* The depth of the stack before each instruction that is reached, which is the same on all paths (JVMS 4.10). */
static bool find_depths(struct fsck *f, struct fmethod *m)
{
    u32_vec work = { 0 };
    bool ok = set_depth(f, m, 0, 0, &work);
    while (ok && work.count > 0) {
        const uint32_t insn = work.items[--work.count];
        ok = pass_handlers(f, m, insn, &work) && pass_depth(f, m, insn, &work);
    }
    vec_free(&work);
    return ok;
}

/* True if the method is annotated as an intrinsic, whose code the JVM may replace. Then calls need not enter it. */
static bool is_intrinsic(const struct fclass *c, const struct member *member)
{
    const struct attribute *a =
        classfile_attribute(&c->cf, member->first_attribute, member->attribute_count, "RuntimeVisibleAnnotations");
    uint32_t type = a != NULL ? cpool_find_utf8(&c->cf.cp, "Ljdk/internal/vm/annotation/IntrinsicCandidate;") : 0;
    for (uint32_t i = 0; type != 0 && i + 2 <= a->length; i++)
        if (be2(a->data + i) == type)
            return true;
    return false;
}

static bool read_code(struct fsck *f, struct fmethod *m, const struct member *member)
{
    const struct fclass *c = m->owner;
    const struct attribute *a = classfile_attribute(&c->cf, member->first_attribute, member->attribute_count, "Code");
    struct text name, desc, result;
    unsigned arguments;
    if (a == NULL || !cpool_utf8(&c->cf.cp, member->name, &name) || !cpool_utf8(&c->cf.cp, member->desc, &desc))
        return false;
    struct reader r = reader_of(a->data, a->length);
    m->max_stack = read_u2(&r);
    m->max_locals = read_u2(&r);
    m->length = read_u4(&r);
    m->code = read_span(&r, m->length);
    m->is_static = (member->access & ACC_STATIC) != 0;
    m->has_monitors = (member->access & ACC_SYNCHRONIZED) != 0;
    m->is_constructor = text_is(name, "<init>");
    m->is_intrinsic = is_intrinsic(c, member);
    if (r.bad || m->length == 0 || m->length > 65535 || !descriptor_measure(desc, &arguments, &result))
        return false;
    m->argument_slots = (uint16_t)(arguments + !m->is_static);
    if (m->argument_slots > m->max_locals || m->length != m->row->code_length ||
        XXH64(m->code, m->length, 0) != m->row->hash)
        return false;
    return read_insns(f, m) && read_handlers(f, m, &r) && find_depths(f, m);
}

bool method_constant(const struct fmethod *m, const struct insn *in, uint64_t *value)
{
    unsigned op = in->op;
    static const uint64_t fixed[] = { 0, UINT64_MAX, 0,          1, 2,
                                      3, 4,          5,          0, 1,
                                      0, 0x3f800000, 0x40000000, 0, UINT64_C(0x3ff0000000000000) };
    if (op <= OPC_dconst_1) {
        *value = fixed[op - OPC_aconst_null];
        return true;
    }
    if (op == OPC_bipush || op == OPC_sipush) {
        *value = (uint64_t)(int64_t)in->operand;
        return true;
    }
    const struct cpool *cp = &m->owner->cf.cp;
    unsigned tag = cpool_tag(cp, (uint32_t)in->operand);
    if (tag == 0)
        return false;
    const uint8_t *p = cp->data + cp->offsets[in->operand] + 1;
    switch (tag) {
    case CONSTANT_Integer: *value = (uint64_t)(int64_t)(int32_t)be4(p); return true;
    case CONSTANT_Float: *value = be4(p); return true;
    case CONSTANT_Long:
    case CONSTANT_Double: *value = (uint64_t)be4(p) << 32 | be4(p + 4); return true;
    default: return false;
    }
}

/* ---- data IDs ---- */

/* The event's side at that opcode; -1: the opcode has no such event. */
static int side_of(const struct event_stand *s, unsigned op)
{
    if (s->where != AT_INSN || (s->high != 0 && (op < s->low || op > s->high)))
        return -1;
    return (int)s->side;
}

/* Where the value is when the event is recorded. Those of parameters and arguments are set by parameter_slots and
 * argument_slots. */
static void place_value(const struct fmethod *m, struct fsite *p)
{
    const struct finsn *i = p->insn < m->count ? &m->insns[p->insn] : NULL;
    const uint32_t own = stack_slots(p->kind);
    p->slots = 0;
    p->in_local = false;
    switch (event_operand(p->event)) {
    case OPERAND_ON_TOP: p->slots = (uint16_t)own; break;
    case OPERAND_FIRST_POPPED: p->slots = own > 0 && i != NULL ? (uint16_t)i->pops : 0; break;
    case OPERAND_SECOND_POPPED: p->slots = own > 0 && i != NULL ? (uint16_t)(i->pops - 1) : 0; break;
    case OPERAND_IN_LOCAL:
        p->in_local = true;
        if (i != NULL)
            p->local = i->in.local;
        break;
    case OPERAND_NOWHERE:
    case OPERAND_LAST_POPPED:
    case OPERAND_AS_ARGUMENT: break;
    }
}

/* Sets the type that the instruction requires of the value. */
static void expect_type(struct fsck *f, struct fsite *p)
{
    const struct hs_dataid *row = p->row;
    const struct fmethod *m = p->method;
    const char *type = attribute_text(row, "type");
    if (p->kind != KIND_REF)
        return;
    if (p->event == EVENT_METHOD_ENTRY || p->event == EVENT_METHOD_OBJECT_INITIALIZED) {
        p->type = m->owner->row->name;
    } else if (p->event == EVENT_GET_INSTANCE_FIELD || p->event == EVENT_PUT_INSTANCE_FIELD) {
        p->type = attribute_text(row, "owner");
    } else if (p->event == EVENT_OBJECT_CONSTANT_LOAD && type != NULL && strcmp(type, "java.lang.String") == 0) {
        p->type = type;
        p->exact_type = true;
    } else if (p->event == EVENT_NEW_ARRAY_RESULT || p->event == EVENT_NEW_OBJECT_CREATED) {
        int64_t pc = attribute_number(row, "created", -1);
        struct text name;
        struct writer w = { 0 };
        uint32_t insn = p->event == EVENT_NEW_ARRAY_RESULT ? p->insn
                        : pc >= 0 && pc < m->length        ? m->index_of_pc[pc]
                                                           : NO_INSN;
        if (insn == NO_INSN)
            return;
        const struct insn *in = &m->insns[insn].in;
        static const char *const primitives[] = {
            "boolean", "char", "float", "double", "byte", "short", "int", "long"
        };
        if (in->op == OPC_newarray) {
            const char *s = in->operand >= 4 && in->operand <= 11 ? primitives[in->operand - 4] : "?";
            write_bytes(&w, s, strlen(s));
        } else if ((in->op == OPC_new || in->op == OPC_anewarray) &&
                   cpool_class(&m->owner->cf.cp, (uint32_t)in->operand, &name)) {
            if (name.size > 0 && name.data[0] == '[')
                (void)descriptor_to_source(name.data, name.size, &w);
            for (size_t i = 0; i < name.size && name.data[0] != '['; i++)
                write_u1(&w, name.data[i] == '/' ? '.' : (unsigned char)name.data[i]);
        }
        if (in->op != OPC_new)
            write_bytes(&w, "[]", 2);
        f->no_memory |= w.bad;
        if (!w.bad && w.size > 2) {
            p->type = trace_text(f->trace, (struct text){ (const char *)w.data, w.size }, false);
            p->exact_type = true;
        }
        writer_free(&w);
    }
}

static bool site_row(struct fsck *f, struct fmethod *m, struct fsite *p, bool report)
{
    const struct hs_dataid *row = p->row;
    char text[256];
    int side = SIDE_BEFORE;
    p->method = m;
    p->event = (uint8_t)row->event;
    p->kind = (uint8_t)row->kind;
    p->purity =
        (uint8_t)(row->event == EVENT_CALL || row->event == EVENT_INVOKE_DYNAMIC ? call_purity(row) : CALL_PURE);
    const struct event_stand *stand = event_stand(row->event);
    if (stand->where == AT_ENTRY) {
        p->insn = m->count;
        side = row->pc == 0 ? SIDE_BEFORE : -1;
    } else if (stand->where == AT_EXIT) {
        p->insn = m->count + 1;
        side = row->pc == m->length ? SIDE_BEFORE : -1;
    } else {
        p->insn = row->pc < m->length ? m->index_of_pc[row->pc] : NO_INSN;
        side = p->insn != NO_INSN ? side_of(stand, m->insns[p->insn].in.op) : -1;
    }
    if (side < 0 || (!event_woven(row->event, m->groups) && !event_has(row->event, USE_STATIC_ONLY))) {
        site_text(p, text, sizeof text);
        if (report)
            fsck_report(f, RULE_code, NO_SEQ, "data ID %u: %s: %s", row->dataid, text,
                        side < 0 ? "the code gives no such event there" : "its group is not woven into the method");
        p->bad = true;
        p->method = NULL;
        return false;
    }
    p->side = (uint8_t)side;
    return true;
}

/* Slots of the parameters, by the descriptor: the event of one that redact= names has no kind. */
static void parameter_slots(struct fmethod *m, struct fsite *sites)
{
    uint16_t slot = !m->is_static;
    const char *desc = m->row->desc;
    size_t at = 1, size = strlen(desc);
    for (uint32_t k = 0; k < m->id_count; k++) {
        struct fsite *p = &sites[k];
        if (p->event != EVENT_METHOD_PARAM)
            continue;
        p->local = slot;
        size_t n = at < size && desc[at] != ')' ? descriptor_type_length(desc + at, size - at) : 0;
        slot = (uint16_t)(slot + (n > 0 ? stack_slots((unsigned char)desc[at]) : 0));
        at += n;
    }
}

static void argument_slots(struct fmethod *m, struct fsite *sites)
{
    uint32_t insn = NO_INSN, left = 0;
    for (uint32_t k = 0; k < m->id_count; k++) {
        struct fsite *p = &sites[k];
        if (p->event != EVENT_CALL_PARAM && p->event != EVENT_INVOKE_DYNAMIC_PARAM)
            continue;
        if (p->insn != insn) {
            const struct finsn *i = &m->insns[p->insn];
            bool receiver = i->in.op != OPC_invokestatic && i->in.op != OPC_invokedynamic;
            insn = p->insn;
            left = (uint32_t)(i->pops - receiver);
        }
        const char *type = attribute_text(p->row, "type"); /* also of one without a value, as redact= hides it */
        uint32_t own = type != NULL && (strcmp(type, "long") == 0 || strcmp(type, "double") == 0) ? 2 : 1;
        p->slots = p->kind != KIND_VOID ? (uint16_t)left : 0;
        left = left >= own ? left - own : 0;
    }
}

static bool fill_lists(struct fsck *f, struct fmethod *m, struct fsite *sites, bool alone)
{
    uint32_t *fill = calloc((size_t)m->count + 2, sizeof *fill), total = 0;
    m->ids = arena_array(&f->arena, (size_t)m->id_count + 1, sizeof *m->ids);
    m->marks = arena_array(&f->arena, (size_t)m->count + 2, sizeof *m->marks);
    if (fill == NULL || m->ids == NULL || m->marks == NULL) {
        free(fill);
        f->no_memory = true;
        return false;
    }
    for (uint32_t k = 0; k < m->id_count; k++) {
        struct fsite *p = &sites[k];
        if (p->method == NULL || event_has(p->event, USE_STATIC_ONLY | USE_LEFT_OUT))
            continue;
        struct finsn *i = &m->insns[p->insn];
        p->at = p->side == SIDE_BEFORE ? i->before++ : i->after++;
    }
    for (uint32_t i = 0; i < m->count + 2; i++) {
        m->insns[i].first = total;
        total += (uint32_t)m->insns[i].before + m->insns[i].after;
    }
    for (uint32_t k = 0; k < m->id_count; k++) {
        struct fsite *p = &sites[k];
        if (p->method == NULL || event_has(p->event, USE_STATIC_ONLY | USE_LEFT_OUT))
            continue;
        const struct finsn *i = &m->insns[p->insn];
        m->ids[i->first + (p->side == SIDE_BEFORE ? 0 : i->before) + p->at] = m->first_id + k;
        if (p->event == EVENT_METHOD_EXCEPTIONAL_EXIT)
            m->exit_id = m->first_id + k;
        m->has_multi |= p->event == EVENT_MULTI_NEW_ARRAY;
        place_value(m, p);
        if (alone)
            continue;
        if (p->event >= EVENT_GET_INSTANCE_FIELD && p->event <= EVENT_PUT_STATIC_FIELD)
            p->field = field_of(f, p->row);
        expect_type(f, p);
    }
    free(fill);
    parameter_slots(m, sites);
    argument_slots(m, sites);
    return true;
}

/* Loads the method whose first data ID is `id`; `count` of them are its own. */
static void load_method(struct fsck *f, struct fclass *c, uint32_t id, uint32_t count, bool report)
{
    const struct hs_dataid *row = f->sites[id].row;
    const struct hs_method *mr = method_row(f->trace, row->method_id);
    uint32_t index = mr != NULL && c != NULL ? mr->method_id - c->row->methods[0]->method_id : UINT32_MAX;
    if (c == NULL || index >= c->cf.methods.count)
        return;
    struct fmethod *m = &c->methods[index];
    if (m->id_count > 0) {
        if (report)
            fsck_report(f, RULE_code, NO_SEQ, "data ID %u: the data IDs of %s.%s are not together", id, c->row->name,
                        mr->name);
        return;
    }
    *m = (struct fmethod){
        .row = mr, .owner = c, .groups = mr->groups, .first_id = id, .id_count = count, .exit_id = NO_ID
    };
    if (!read_code(f, m, &c->cf.methods.items[index])) {
        if (report)
            fsck_report(f, RULE_code, NO_SEQ, "%s.%s: its code is not that of its row", c->row->name, mr->name);
        return;
    }
    bool ok = true;
    for (uint32_t k = 0; k < count; k++)
        ok = site_row(f, m, &f->sites[id + k], report) && ok;
    ok = fill_lists(f, m, &f->sites[id], !report) && ok;
    m->followed = ok && (m->groups & GROUP_BIT(EXEC)) != 0;
}

static struct fclass *class_of_id(struct fsck *f, uint32_t id)
{
    const struct hs_dataid *row = dataid_row(f->trace, id);
    size_t at, n = class_rows(f->trace);
    if (row == NULL)
        return NULL;
    LOWER_BOUND(at, n, f->classes[at].row->class_no < row->class_no);
    return at < n && f->classes[at].row->class_no == row->class_no ? &f->classes[at] : NULL;
}

static void set_site(struct fsck *f, uint32_t id)
{
    struct fsite *p = &f->sites[id];
    p->row = dataid_row(f->trace, id);
    p->loaded = true;
    if (p->row != NULL) {
        p->event = (uint8_t)p->row->event;
        p->kind = (uint8_t)p->row->kind;
    }
}

struct fmethod *method_alone(struct fsck *f, uint32_t id)
{
    struct fsite *p = &f->sites[id];
    if (p->loaded)
        return p->method;
    struct fclass *c = class_of_id(f, id);
    uint32_t first = id, end = id + 1;
    if (c == NULL) {
        p->loaded = true;
        return NULL;
    }
    dataid_siblings(f->trace, c->row, &first, &end);
    for (uint32_t i = first; i < end; i++)
        set_site(f, i);
    if (need_methods(f, c))
        load_method(f, c, first, end - first, false);
    return p->method;
}

struct fmethod *method_of(struct fsck *f, uint32_t id)
{
    struct fsite *p = &f->sites[id];
    if (p->loaded)
        return p->method;
    struct fclass *c = class_of_id(f, id);
    if (c == NULL) {
        p->loaded = true;
        return NULL;
    }
    uint32_t first = c->row->first_dataid, end = first + c->row->dataid_count;
    bool usable = need_methods(f, c);
    for (uint32_t i = first; i < end && i < f->site_count; i++)
        set_site(f, i);
    for (uint32_t i = first, next; i < end && i < f->site_count; i = next) {
        for (next = i + 1; next < end && next < f->site_count && f->sites[i].row != NULL &&
                           f->sites[next].row != NULL && f->sites[next].row->method_id == f->sites[i].row->method_id;
             next++) {
        }
        if (usable && f->sites[i].row != NULL)
            load_method(f, c, i, next - i, true);
    }
    return p->method;
}

void methods_load_all(struct fsck *f)
{
    for (size_t i = 0; i < class_rows(f->trace); i++)
        if (f->classes[i].row->state == HS_CLASS_WOVEN && f->classes[i].row->dataid_count > 0 &&
            f->classes[i].row->first_dataid < f->site_count)
            (void)method_of(f, f->classes[i].row->first_dataid);
}
