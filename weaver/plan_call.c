/* plan_call.c - group CALL (with PARAM): invokes, invokedynamic, new; and the code behind a constructor call.
 *
 * Arguments lie above the receiver on the stack. Where few and narrow enough, copies are made by dup and dup2; else
 * the arguments are spilled into scratch locals, passed to the hook from there, and pushed again. The uninitialized
 * receiver of a constructor is never passed; a copy of it is kept in a scratch local, which for the verifier is
 * initialized, with all other copies, once the constructor has returned (JVMS 4.10.1.9 invokespecial). */
#include "weaver/plan.h"

#include "formats/journal.h"
#include "weaver/unwoven.h"

struct argument {
    unsigned kind;
    size_t type_at, type_size; /* in the descriptor */
};

struct call {
    struct text owner, name, desc;
    struct argument args[256];
    unsigned arg_count, arg_slots;
    const char *result;
    size_t result_size;
    bool is_static, receiver_shown;
    subject receiver; /* of a constructor call */
};

static void call_init(struct call *c, bool is_static)
{
    c->owner = c->name = c->desc = TEXT_OF("");
    c->arg_count = c->arg_slots = 0;
    c->is_static = is_static;
    c->receiver_shown = false;
    c->receiver = SUBJECT_PLAIN;
}

static bool measure(struct call *c)
{
    struct text result;
    if (!descriptor_measure(c->desc, &c->arg_slots, &result))
        return false;
    c->result = result.data;
    c->result_size = result.size;
    for (size_t i = 1; c->desc.data[i] != ')';) {
        size_t n = descriptor_type_length(c->desc.data + i, c->desc.size - i);
        c->args[c->arg_count++] = (struct argument){ descriptor_kind(c->desc.data[i]), i, n };
        i += n;
    }
    return true;
}

/* Classes whose methods neither synchronize nor call back, if the arguments are only primitives, strings and primitive
 * arrays. */
static bool pure(const struct call *c)
{
    static const char *const classes[] = {
        "java/lang/String",    "java/lang/StringBuilder", "java/lang/Math",  "java/lang/StrictMath",
        "java/lang/Integer",   "java/lang/Long",          "java/lang/Short", "java/lang/Byte",
        "java/lang/Character", "java/lang/Boolean",       "java/lang/Float", "java/lang/Double",
    };
    bool known = false;
    for (size_t i = 0; i < sizeof classes / sizeof *classes && !known; i++)
        known = text_is(c->owner, classes[i]);
    for (unsigned i = 0; i < c->arg_count && known; i++) {
        const struct argument *a = &c->args[i];
        struct text type = { c->desc.data + a->type_at, a->type_size };
        known = a->kind != KIND_REF || (type.data[0] == '[' && type.data[type.size - 1] != ';') ||
                text_is(type, "Ljava/lang/String;");
    }
    return known;
}

enum { SURE_TO_FIT = 4096 }; /* a Code attribute of this size can always be woven */

/* What is known of the callee that a constant names. */
enum callee_fact { CALLEE_UNKNOWN, CALLEE_PURE, CALLEE_FOREIGN, CALLEE_OWN /* + index of the method in this class */ };

static uint32_t find_callee(const struct class_plan *plan, const struct call *c)
{
    const struct classfile *cf = plan->cf;
    struct text name, desc;
    const bool new_object = text_is(c->owner, "java/lang/Object") && text_is(c->name, "<init>");
    if (pure(c) || (new_object && plan->config->direct)) /* plan_direct.c: finalize() */
        return CALLEE_PURE;
    for (uint32_t i = 0; text_equal(c->owner, plan->name) && i < cf->methods.count; i++)
        if (cpool_utf8(&cf->cp, cf->methods.items[i].name, &name) && text_equal(name, c->name) &&
            cpool_utf8(&cf->cp, cf->methods.items[i].desc, &desc) && text_equal(desc, c->desc))
            return CALLEE_OWN + i;
    return CALLEE_FOREIGN;
}

/* True if the callee may release (design.md 4). It does not if it is certainly a woven method, which records its own
 * releases. */
static bool releases(const struct method_plan *m, const struct call *c, const struct insn *in)
{
    const struct classfile *cf = m->c->cf;
    uint32_t *fact = &m->c->facts[in->operand];
    if (*fact == CALLEE_UNKNOWN)
        *fact = find_callee(m->c, c);
    if (*fact < CALLEE_OWN || !(m->groups & GROUP_BIT(EXEC)))
        return *fact != CALLEE_PURE;
    uint32_t index = *fact - CALLEE_OWN;
    const struct member *callee = &cf->methods.items[index];
    bool chosen_here =
        in->op != OPC_invokevirtual || (callee->access & (ACC_FINAL | ACC_PRIVATE)) || (cf->access & ACC_FINAL);
    if (!chosen_here || in->op == OPC_invokeinterface)
        return true;
    if (index < m->scan.index) /* that method has been processed: woven, or not */
        return !(m->c->out->row.methods.items[index].groups & GROUP_BIT(EXEC));
    const struct attribute *code = classfile_attribute(cf, callee->first_attribute, callee->attribute_count, "Code");
    return code == NULL || code->length > SURE_TO_FIT || unwoven_why(m->c, callee, c->name) != NULL;
}

/* With a callee that does not release: does the call enter a method of this class at once? A thread may wait for its
 * monitor, and change, before a synchronized one begins. */
static bool enters(const struct method_plan *m, const struct insn *in)
{
    const uint32_t fact = m->c->facts[in->operand];
    return fact >= CALLEE_OWN && !(m->c->cf->methods.items[fact - CALLEE_OWN].access & ACC_SYNCHRONIZED);
}

static void spill(struct method_plan *m, const struct call *c, unsigned *slots)
{
    for (unsigned i = 0; i < c->arg_count; i++)
        slots[i] = plan_scratch(m, kind_local(c->args[i].kind));
    for (unsigned i = c->arg_count; i-- > 0;)
        emit_store(&m->glue, kind_local(c->args[i].kind), slots[i]);
}

static void unspill(struct method_plan *m, const struct call *c, const unsigned *slots)
{
    for (unsigned i = 0; i < c->arg_count; i++)
        emit_load(&m->glue, kind_local(c->args[i].kind), slots[i]);
    for (unsigned i = 0; i < c->arg_count; i++)
        if (c->args[i].kind == KIND_REF)
            emit_clear(&m->glue, slots[i]);
}

/* True if one dup or dup2 copies all the values. */
static bool dup_suffices(const struct call *c, bool params)
{
    if (!params)
        return !c->receiver_shown || c->arg_slots == 0;
    unsigned values = c->arg_count + c->receiver_shown, slots = c->arg_slots + c->receiver_shown;
    if (values == 1)
        return true;
    if (values != 2 || slots != 2)
        return values == 0;
    char first = c->receiver_shown ? 'l' : kind_shape(c->args[0].kind);
    return hook_of_shape(shape_of(first, kind_shape(c->args[c->arg_count - 1].kind), 0)) != HOOK_COUNT;
}

/* CALL or INVOKE_DYNAMIC with its arguments. `first` is that event, complete but for kind and slot. */
static void emit_call(struct method_plan *m, const struct insn *in, const struct call *c, struct sequence_item *items,
                      enum event param, bool stash)
{
    bool params = plan_has(m, param), counts = plan_counts_only(m), hidden = false;
    for (unsigned i = 0; params && !counts && i < c->arg_count && !hidden; i++)
        hidden = hidden_argument(&m->scan, m->insn, i);
    bool dup = (counts || dup_suffices(c, params)) && !((stash || hidden) && c->arg_count > 0);
    unsigned count = 1, slots[256], index = in->op != OPC_invokestatic && in->op != OPC_invokedynamic;
    items[0].kind = c->receiver_shown ? KIND_REF : KIND_VOID;
    items[0].slot = SLOT_TOP;
    if (!dup)
        spill(m, c, slots);
    if (stash) {
        m->stash = (int32_t)plan_scratch(m, 'A');
        emit_op(&m->glue, OPC_dup);
        emit_store(&m->glue, 'A', (unsigned)m->stash);
        emit_stack(&m->glue, 1);
    }
    for (unsigned i = 0; params && i < c->arg_count; i++) {
        struct sequence_item *it = &items[count++];
        sequence_item_init(it, param, c->args[i].kind, dup ? SLOT_TOP : (int32_t)slots[i]);
        it->kind = plan_hidden_kind(m, it->kind, hidden && hidden_argument(&m->scan, m->insn, i));
        attr_int(&it->attrs, ATTR_index, i + index);
        attr_text(&it->attrs, ATTR_type,
                  source_of_descriptor(m->c, c->desc.data + c->args[i].type_at, c->args[i].type_size));
    }
    const uint32_t call = plan_next_id(m);
    const bool may_release = releases(m, c, in), direct = may_release && plan_direct_may(m, in, c->owner),
               release = may_release && !direct;
    unsigned values = count - 1 + c->receiver_shown;
    if (dup && values == 2 && count == 2) {
        record_pair(m, in->pc, items, release);
    } else if (dup && values == 2 && !counts) { /* two narrow values on top: one dup2 copies both */
        uint32_t shape = shape_of(kind_shape(items[1].kind), kind_shape(items[2].kind), 0);
        emit_op(&m->glue, OPC_dup2);
        plan_items(m, in->pc, items, count);
        record_pushed(m, hook_of_shape(shape), release, 2);
    } else {
        record_sequence(m, in->pc, items, count, release);
    }
    if (subject_kind(c->receiver) == SUBJECT_THIS)
        plan_role(m, ROLE_SUPER);
    if (direct)
        plan_direct_call(m, in, call, !dup, c->arg_slots);
    else if (m->direct && !may_release && enters(m, in))
        plan_direct_enter(m);
    if (!dup)
        unspill(m, c, slots);
}

static void before_invoke(struct method_plan *m, uint32_t index, const struct insn *in)
{
    struct call c;
    call_init(&c, in->op == OPC_invokestatic);
    struct member_ref ref;
    if (!cpool_member(&m->c->cf->cp, (uint32_t)in->operand, &ref))
        return;
    c.owner = ref.owner;
    c.name = ref.name;
    c.desc = ref.desc;
    bool constructor = in->op == OPC_invokespecial && text_is(ref.name, "<init>");
    c.receiver = constructor ? m->scan.flow.subjects[index] : SUBJECT_PLAIN;
    c.receiver_shown = !c.is_static && !constructor;
    if (!measure(&c))
        return;
    bool stash = (subject_kind(c.receiver) == SUBJECT_NEW && plan_has(m, EVENT_NEW_OBJECT_CREATED)) ||
                 (subject_kind(c.receiver) == SUBJECT_THIS && plan_has(m, EVENT_METHOD_OBJECT_INITIALIZED));
    struct sequence_item *items = m->c->items;
    if (!plan_has(m, EVENT_CALL)) { /* only METHOD_OBJECT_INITIALIZED needs the receiver */
        unsigned slots[256];
        if (!stash)
            return;
        if (m->c->config->frames_only) {
            m->stash = 0;
            return;
        }
        /* no event records the call itself: insert a mark that the drain removes */
        (void)plan_event(m, EVENT_RESERVED, in->pc, KIND_VOID, SLOT_TOP, NULL);
        record_alone(m, HOOK_v, false, 0);
        plan_role(m, ROLE_SUPER_MARK);
        spill(m, &c, slots);
        m->stash = (int32_t)plan_scratch(m, 'A');
        emit_op(&m->glue, OPC_dup);
        emit_store(&m->glue, 'A', (unsigned)m->stash);
        emit_stack(&m->glue, 1);
        unspill(m, &c, slots);
        return;
    }
    static const char *const opcodes[] = { "INVOKEVIRTUAL", "INVOKESPECIAL", "INVOKESTATIC", "INVOKEINTERFACE" };
    const char *opcode = opcodes[in->op - OPC_invokevirtual];
    const char *type = constructor ? "constructor" : c.is_static ? "static" : "instance";
    struct sequence_item *it = &items[0];
    sequence_item_init(it, EVENT_CALL, KIND_VOID, SLOT_TOP);
    if (subject_kind(c.receiver) == SUBJECT_NEW)
        attr_int(&it->attrs, ATTR_created, subject_pc(c.receiver));
    attr_text(&it->attrs, ATTR_desc, c.desc);
    attr_text(&it->attrs, ATTR_methodtype, (struct text){ type, strlen(type) });
    attr_text(&it->attrs, ATTR_name, c.name);
    attr_text(&it->attrs, ATTR_opcode, (struct text){ opcode, strlen(opcode) });
    attr_text(&it->attrs, ATTR_owner, source_of_class(m->c, ref.class_index));
    emit_call(m, in, &c, items, EVENT_CALL_PARAM, stash);
}

/* The method that a method reference calls: argument 1 of LambdaMetafactory. Bodies of lambdas are no news. `r` is at
 * the number of arguments. JVMS 4.4.8 */
static void implementation_attrs(struct method_plan *m, struct reader r, struct attr_list *a)
{
    enum { REF_INVOKE_STATIC = 6, REF_NEW_INVOKE_SPECIAL = 8 };
    struct member_ref method;
    uint32_t count = read_u2(&r);
    (void)read_u2(&r);
    uint32_t handle = read_u2(&r);
    if (r.bad || count < 3 || !cpool_method_handle(&m->c->cf->cp, handle, &method))
        return;
    bool lambda = method.name.size > 7 && memcmp(method.name.data, "lambda$", 7) == 0;
    if (lambda && text_equal(method.owner, m->c->name))
        return;
    unsigned kind = cpool_entry(&m->c->cf->cp, handle)[1];
    const char *type = kind == REF_INVOKE_STATIC        ? "static"
                       : kind == REF_NEW_INVOKE_SPECIAL ? "constructor"
                                                        : "instance";
    attr_text(a, ATTR_implementation_desc, method.desc);
    attr_text(a, ATTR_implementation_name, method.name);
    attr_text(a, ATTR_implementation_owner, method.owner);
    attr_text(a, ATTR_implementation_type, (struct text){ type, strlen(type) });
}

/* Attributes of a call site; of its result also what a method reference calls. */
static void dynamic_attrs(struct method_plan *m, uint32_t bootstrap, struct text name, struct text desc, bool result,
                          struct attr_list *a)
{
    const struct attribute *b = m->c->bootstrap;
    struct reader arguments = { 0 };
    bool metafactory = false;
    if (b != NULL) {
        struct reader r = reader_of(b->data, b->length);
        struct member_ref method;
        uint32_t count = read_u2(&r), handle = 0;
        for (uint32_t i = 0; i <= bootstrap && i < count && !r.bad; i++) {
            handle = read_u2(&r);
            arguments = r;
            (void)read_span(&r, 2 * (size_t)read_u2(&r));
        }
        if (!r.bad && bootstrap < count && cpool_method_handle(&m->c->cf->cp, handle, &method)) {
            attr_text(a, ATTR_bootstrap_desc, method.desc);
            attr_text(a, ATTR_bootstrap_name, method.name);
            attr_text(a, ATTR_bootstrap_owner, method.owner);
            metafactory = text_is(method.owner, "java/lang/invoke/LambdaMetafactory");
        }
    }
    attr_text(a, ATTR_desc, desc);
    if (result && metafactory)
        implementation_attrs(m, arguments, a);
    attr_text(a, ATTR_name, name);
}

static void before_dynamic(struct method_plan *m, const struct insn *in)
{
    struct call c;
    call_init(&c, true);
    uint32_t bootstrap;
    if (!cpool_dynamic(&m->c->cf->cp, (uint32_t)in->operand, &bootstrap, &c.name, &c.desc) || !measure(&c))
        return;
    struct sequence_item *items = m->c->items;
    sequence_item_init(&items[0], EVENT_INVOKE_DYNAMIC, KIND_VOID, SLOT_TOP);
    dynamic_attrs(m, bootstrap, c.name, c.desc, false, &items[0].attrs);
    emit_call(m, in, &c, items, EVENT_INVOKE_DYNAMIC_PARAM, false);
}

void plan_call_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (in->op == OPC_new && (uint32_t)in->operand != m->c->cf->this_class)
        record_mark(m, (uint32_t)in->operand);
    if (op_table[in->op].flags & OP_INVOKE)
        before_invoke(m, index, in);
    else if (in->op == OPC_invokedynamic && plan_has(m, EVENT_INVOKE_DYNAMIC))
        before_dynamic(m, in);
}

static void after_result(struct method_plan *m, const struct insn *in, enum event e, const struct member_ref *callee,
                         struct attr_list *a)
{
    struct text desc = callee->desc;
    unsigned slots;
    struct text type; /* a class name may hold a ')' too, so the descriptor is read from its start */
    if (!descriptor_measure(desc, &slots, &type))
        return;
    unsigned kind = descriptor_kind(type.data[0]);
    struct text source = source_of_descriptor(m->c, type.data, type.size);
    if (a->count == 0)
        attr_text(a, ATTR_type, source);
    kind = plan_hidden_kind(m, kind, hidden_result(&m->scan, m->insn) || hides_result(&m->scan, in, callee));
    record_top(m, e, in->pc, kind, a);
}

static void after_constructor(struct method_plan *m, const struct insn *in, subject receiver)
{
    bool created = subject_kind(receiver) == SUBJECT_NEW;
    struct attr_list a;
    a.count = 0;
    if (created)
        attr_int(&a, ATTR_created, subject_pc(receiver));
    record_value(m, created ? EVENT_NEW_OBJECT_CREATED : EVENT_METHOD_OBJECT_INITIALIZED, in->pc, KIND_REF, m->stash,
                 false, &a);
    if (m->c->config->frames_only)
        plan_role(m, ROLE_NEUTRAL);
    else
        emit_clear(&m->glue, (unsigned)m->stash);
}

/* The record of the event planned last has ROLE_SUPER_DONE. Until it is written the drain assumes that the constructor
 * can be left only without an event. */
static void super_recorded(struct method_plan *m, uint32_t index)
{
    struct super_recorded *t = vec_push(&m->supers_recorded);
    plan_role(m, ROLE_SUPER_DONE);
    if (t != NULL)
        *t = (struct super_recorded){ index, (uint32_t)m->planned.events.count - 1, 0 };
    else
        m->glue.code.bad = true;
}

void plan_call_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    struct attr_list a;
    a.count = 0;
    if (op_table[in->op].flags & OP_INVOKE) {
        struct member_ref ref;
        if (m->kept.has_thread && !enters(m, in))
            plan_record_missed(m);
        if (plan_has(m, EVENT_CALL_RETURN) && cpool_member(&m->c->cf->cp, (uint32_t)in->operand, &ref))
            after_result(m, in, EVENT_CALL_RETURN, &ref, &a);
        const bool returns = plan_has(m, EVENT_CALL_RETURN), inner = scan_calls_super(&m->scan, index);
        if (returns && inner)
            super_recorded(m, index);
        if (m->stash >= 0)
            after_constructor(m, in, m->scan.flow.subjects[index]);
        if (!returns && inner && m->stash >= 0 && !m->c->config->frames_only)
            super_recorded(m, index);
    } else if (in->op == OPC_invokedynamic && plan_has(m, EVENT_INVOKE_DYNAMIC_RESULT)) {
        uint32_t bootstrap;
        struct text name, desc;
        if (cpool_dynamic(&m->c->cf->cp, (uint32_t)in->operand, &bootstrap, &name, &desc)) {
            dynamic_attrs(m, bootstrap, name, desc, true, &a);
            const struct member_ref callee = { .owner = m->c->name, .name = name, .desc = desc };
            after_result(m, in, EVENT_INVOKE_DYNAMIC_RESULT, &callee, &a);
        }
    } else if (in->op == OPC_new && plan_has(m, EVENT_NEW_OBJECT)) {
        attr_text(&a, ATTR_type, source_of_class(m->c, (uint32_t)in->operand));
        record_void(m, EVENT_NEW_OBJECT, in->pc, false, &a);
    }
}
