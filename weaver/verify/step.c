/* step.c - what an instruction requires of the types, and what it leaves. JVMS 4.10.1.9, 6.5; operands: 4.9.1. */
#include "weaver/verify/method.h"

static vtype *stack_of(const struct method_check *m) { return m->now.slots + m->locals; }

static bool push(struct method_check *m, vtype v)
{
    uint32_t n = type_is_wide(v) ? 2 : 1;
    if (m->now.depth + n > m->slots - m->locals)
        return method_fault(m, "the operand stack needs more than max_stack %u slots", m->slots - m->locals);
    stack_of(m)[m->now.depth++] = v;
    if (n == 2)
        stack_of(m)[m->now.depth++] = type_half(v);
    return true;
}

static bool wrong(struct method_check *m, const char *what, vtype is, const char *wanted)
{
    char text[TYPE_TEXT_MAX];
    return method_fault(m, "%s is %s where %s is required", what, types_show(m->t, is, text), wanted);
}

/* The top of the stack, which stays; false: the stack is empty. */
static bool top(struct method_check *m, vtype *out)
{
    *out = VT_TOP;
    if (m->now.depth == 0)
        return method_fault(m, "the operand stack is empty");
    *out = stack_of(m)[m->now.depth - 1];
    return true;
}

/* Pops a value that can be used as `want`. */
static bool pop_type(struct method_check *m, vtype want)
{
    char text[TYPE_TEXT_MAX];
    vtype v;
    if (!top(m, &v))
        return false;
    if (type_is_wide(want)) {
        if (m->now.depth < 2 || v != type_half(want) || stack_of(m)[m->now.depth - 2] != want)
            return wrong(m, "the top of the stack", v, types_show(m->t, want, text));
        m->now.depth -= 2;
        return true;
    }
    if (!types_assignable(m->t, v, want))
        return wrong(m, "the top of the stack", v, types_show(m->t, want, text));
    m->now.depth--;
    return true;
}

/* Pops an object or null, which is initialized unless `any`. */
static bool pop_object(struct method_check *m, bool any, vtype *out)
{
    if (!top(m, out))
        return false;
    unsigned tag = type_tag(*out);
    bool uninit = tag == VT_UNINITIALIZED || tag == VT_UNINITIALIZED_THIS;
    if (tag != VT_OBJECT && tag != VT_NULL && tag != TYPE_UNKNOWN && !(any && uninit))
        return wrong(m, "the top of the stack", *out, any ? "an object" : "an initialized object");
    m->now.depth--;
    return true;
}

/* A letter of opcodes.def. */
static bool pop_letter(struct method_check *m, char letter)
{
    vtype v;
    switch (letter) {
    case 'A':
    case 'R': return pop_object(m, letter == 'R', &v);
    case 'T': return pop_type(m, type_known(NAME_THROWABLE));
    default: return pop_type(m, types_of_descriptor(m->t, &letter, 1));
    }
}

static bool fixed_effect(struct method_check *m, const char *pops, const char *pushes)
{
    for (size_t i = strlen(pops); i-- > 0;)
        if (pops[i] != '.' && !pop_letter(m, pops[i]))
            return false;
    return *pushes == '\0' || push(m, *pushes == 'N' ? (vtype)VT_NULL : types_of_descriptor(m->t, pushes, 1));
}

static void set_local(struct method_check *m, uint32_t slot, vtype v)
{
    vtype *l = m->now.slots;
    if (type_is_half(l[slot]))
        l[slot - 1] = VT_TOP; /* the first half is of no use any more */
    if (type_is_wide(l[slot]))
        l[slot + 1] = VT_TOP;
    l[slot] = v;
    m->locals_changed = true;
}

static bool load_or_store(struct method_check *m)
{
    char letter = op_local_type(m->at->op), text[TYPE_TEXT_MAX];
    vtype want = letter == 'A' ? (vtype)VT_TOP : types_of_descriptor(m->t, &letter, 1), v = want;
    uint32_t slot = m->at->local, width = type_is_wide(want) ? 2 : 1;
    vtype *l = m->now.slots;
    if (slot + width > m->locals)
        return method_fault(m, "local variable %u is not below max_locals %u", slot, m->locals);
    if (op_table[m->at->op].flags & OP_STORE) {
        if (letter != 'A') {
            if (!pop_type(m, want))
                return false;
        } else if (!top(m, &v)) {
            return false;
        } else if (type_tag(v) == TYPE_RETURN_ADDRESS) {
            m->now.depth--;
        } else if (!pop_object(m, true, &v)) {
            return false;
        }
        set_local(m, slot, v);
        if (width == 2)
            set_local(m, slot + 1, type_half(want));
        return true;
    }
    vtype is = l[slot];
    if (type_tag(is) == TYPE_ANYTHING)
        return push(m, letter == 'A' ? (vtype)TYPE_UNKNOWN : want);
    if (letter == 'A') {
        unsigned tag = type_tag(is);
        if (tag != VT_OBJECT && tag != VT_NULL && tag != TYPE_UNKNOWN && tag != VT_UNINITIALIZED &&
            tag != VT_UNINITIALIZED_THIS)
            return wrong(m, "the local variable", is, "an object");
        return push(m, is);
    }
    if (is != want || (width == 2 && l[slot + 1] != type_half(want)))
        return wrong(m, "the local variable", is, types_show(m->t, want, text));
    return push(m, want);
}

/* The dup family: which of the popped slots (0 is the top) are pushed, bottom first, and above how many slots the stack
 * is cut, where no long or double may stand. JVMS 6.5. */
static bool shuffle(struct method_check *m)
{
    static const struct {
        const char *order;
        unsigned cuts[2];
    } forms[] = {
        { "", { 1, 0 } },     { "", { 2, 0 } },                              /* pop, pop2 */
        { "00", { 1, 0 } },   { "010", { 1, 2 } },   { "0210", { 1, 3 } },   /* dup, dup_x1, dup_x2 */
        { "1010", { 2, 0 } }, { "10210", { 2, 3 } }, { "103210", { 2, 4 } }, /* dup2, dup2_x1, dup2_x2 */
        { "01", { 1, 2 } },                                                  /* swap */
    };
    unsigned form = m->at->op - OPC_pop, n = (unsigned)op_table[m->at->op].pops;
    vtype popped[4] = { 0 };
    if (m->now.depth < n)
        return method_fault(m, "the operand stack has %u slots, %u are required", m->now.depth, n);
    for (unsigned i = 0; i < n; i++)
        popped[i] = stack_of(m)[m->now.depth - 1 - i];
    for (unsigned k = 0; k < 2; k++) {
        unsigned cut = forms[form].cuts[k];
        if (cut > 0 && type_is_half(popped[cut - 1]))
            return method_fault(m, "a long or double would be divided");
    }
    for (unsigned i = 0; i < n; i++)
        if (popped[i] == VT_TOP)
            return wrong(m, "a value on the stack", VT_TOP, "a value");
    const char *order = forms[form].order;
    if (m->now.depth - n + strlen(order) > m->slots - m->locals)
        return method_fault(m, "the operand stack needs more than max_stack %u slots", m->slots - m->locals);
    m->now.depth -= n;
    for (; *order != '\0'; order++)
        stack_of(m)[m->now.depth++] = popped[*order - '0'];
    return true;
}

static bool load_constant(struct method_check *m)
{
    uint32_t index = (uint32_t)m->at->operand, bootstrap;
    const unsigned major = m->t->cf->major, tag = cpool_tag(&m->t->cf->cp, index);
    struct text name, desc;
    vtype v = VT_TOP;
    switch (tag) {
    case CONSTANT_Integer: v = VT_INTEGER; break;
    case CONSTANT_Float: v = VT_FLOAT; break;
    case CONSTANT_Long: v = VT_LONG; break;
    case CONSTANT_Double: v = VT_DOUBLE; break;
    case CONSTANT_String: v = type_known(NAME_STRING); break;
    case CONSTANT_Class: v = major >= 49 ? type_known(NAME_CLASS) : (vtype)VT_TOP; break;
    case CONSTANT_MethodType: v = type_known(NAME_METHOD_TYPE); break;
    case CONSTANT_MethodHandle: v = type_known(NAME_METHOD_HANDLE); break;
    case CONSTANT_Dynamic:
        if (cpool_dynamic(&m->t->cf->cp, index, &bootstrap, &name, &desc) && desc.size > 0 &&
            descriptor_type_length(desc.data, desc.size) == desc.size)
            v = types_of_descriptor(m->t, desc.data, desc.size);
        break;
    default: break;
    }
    if (v == VT_TOP || type_is_wide(v) != (m->at->op == OPC_ldc2_w))
        return method_fault(m, "constant %u cannot be loaded by it", index);
    return push(m, v);
}

static bool array_load_or_store(struct method_check *m)
{
    static const char arrays[] = "IJFDABCS"; /* in the order of the opcodes; B: also boolean */
    bool store = m->at->op >= OPC_iastore;
    char letter = arrays[m->at->op - (store ? OPC_iastore : OPC_iaload)];
    vtype array, value = VT_TOP;
    if (store && !(letter == 'A' ? pop_object(m, false, &value)
                                 : pop_letter(m, letter == 'B' || letter == 'C' || letter == 'S' ? 'I' : letter)))
        return false;
    if (!pop_type(m, VT_INTEGER) || !pop_object(m, false, &array))
        return false;
    if (type_tag(array) == VT_OBJECT) {
        struct text name = types_name(m->t, array);
        char held = name.size > 1 && name.data[0] == '[' ? name.data[1] : '\0';
        bool right = letter == 'A'   ? held == 'L' || held == '['
                     : letter == 'B' ? held == 'B' || held == 'Z'
                                     : held == letter;
        if (!right)
            return wrong(m, "the array", array, "an array of the right kind");
    }
    if (store)
        return true;
    if (letter == 'A')
        return push(m, type_tag(array) == VT_OBJECT ? types_element(m->t, array) : array);
    return push(m, types_of_descriptor(m->t, &letter, 1));
}

static bool has_field(const struct method_check *m, const struct member_ref *ref)
{
    const struct classfile *cf = m->t->cf;
    for (size_t i = 0; i < cf->fields.count; i++) {
        struct text name, desc;
        if (cpool_utf8(&cf->cp, cf->fields.items[i].name, &name) && text_equal(name, ref->name) &&
            cpool_utf8(&cf->cp, cf->fields.items[i].desc, &desc) && text_equal(desc, ref->desc))
            return true;
    }
    return false;
}

static bool field(struct method_check *m)
{
    const struct member_types *f = types_of_member(m->t, (uint32_t)m->at->operand);
    if (f == NULL || f->ref.tag != CONSTANT_Fieldref)
        return method_fault(m, "constant %d is no field", m->at->operand);
    if ((m->at->op == OPC_putfield || m->at->op == OPC_putstatic) && !pop_type(m, f->result))
        return false;
    if (m->at->op == OPC_putfield && m->now.depth > 0 && stack_of(m)[m->now.depth - 1] == VT_UNINITIALIZED_THIS) {
        /* a constructor may set fields of its class before it calls that of the superclass */
        if (f->owner != m->t->this_type || !has_field(m, &f->ref))
            return method_fault(m, "the object is not initialized yet");
        m->now.depth--;
        return true;
    }
    if ((m->at->op == OPC_getfield || m->at->op == OPC_putfield) && !pop_type(m, f->owner))
        return false;
    return m->at->op == OPC_putfield || m->at->op == OPC_putstatic || push(m, f->result);
}

/* Every copy of the object has its type from now on. */
static void initialize(struct method_check *m, vtype uninit, vtype type)
{
    for (uint32_t i = 0; i < m->locals + m->now.depth; i++)
        if (m->now.slots[i] == uninit)
            m->now.slots[i] = type;
    if (uninit == VT_UNINITIALIZED_THIS)
        m->now.this_uninit = false;
    m->initialized = m->locals_changed = true;
}

static bool call_constructor(struct method_check *m, const struct member_types *f)
{
    vtype object, type = m->t->this_type;
    if (!pop_object(m, true, &object))
        return false;
    if (object == VT_UNINITIALIZED_THIS) {
        if (f->owner != type && f->owner != m->t->super_type)
            return method_fault(m, "a constructor can only call those of its class and superclass");
    } else if (type_tag(object) == VT_UNINITIALIZED) {
        const struct insn *made = &m->code.insns.items[code_index(&m->code, vtype_index(object))];
        if (!types_of_class(m->t, (uint32_t)made->operand, &type) || type != f->owner)
            return method_fault(m, "the constructor is not one of the class of the new object");
    } else {
        return wrong(m, "the object of a constructor call", object, "a new object");
    }
    initialize(m, object, type);
    return true;
}

/* invokespecial of another method than a constructor: of this class, its superclasses and direct superinterfaces. */
static bool special_owner(struct method_check *m, const struct member_types *f)
{
    const struct classfile *cf = m->t->cf;
    vtype type;
    if (f->owner == m->t->this_type || f->owner == m->t->super_type)
        return true;
    for (uint32_t i = 0; i < cf->interface_count; i++)
        if (types_of_class(m->t, be2(cf->interfaces + 2 * (size_t)i), &type) && type == f->owner)
            return true;
    return f->ref.tag != CONSTANT_InterfaceMethodref && types_assignable(m->t, m->t->this_type, f->owner);
}

static bool invoke(struct method_check *m)
{
    const unsigned op = m->at->op;
    const uint8_t *bytes = m->code.bytes + m->at->pc;
    const struct member_types *f = types_of_member(m->t, (uint32_t)m->at->operand);
    unsigned tag = f != NULL ? f->ref.tag : 0;
    bool either = tag == CONSTANT_InterfaceMethodref && m->t->cf->major >= 52 &&
                  (op == OPC_invokespecial || op == OPC_invokestatic);
    unsigned wanted = op == OPC_invokeinterface ? CONSTANT_InterfaceMethodref
                      : op == OPC_invokedynamic ? CONSTANT_InvokeDynamic
                                                : CONSTANT_Methodref;
    if (f == NULL || (tag != wanted && !either))
        return method_fault(m, "constant %d cannot be called by it", m->at->operand);
    bool constructor = text_is(f->ref.name, "<init>");
    if (f->ref.name.size > 0 && f->ref.name.data[0] == '<' && !(constructor && op == OPC_invokespecial))
        return method_fault(m, "%.*s is called by the wrong instruction", (int)f->ref.name.size, f->ref.name.data);
    if (op == OPC_invokeinterface && (bytes[3] != f->argument_slots + 1 || bytes[4] != 0))
        return method_fault(m, "its count is not %u", f->argument_slots + 1);
    if (op == OPC_invokedynamic && (bytes[3] != 0 || bytes[4] != 0))
        return method_fault(m, "its last bytes are not 0");
    for (uint32_t i = f->argument_count; i-- > 0;)
        if (!pop_type(m, f->arguments[i]))
            return false;
    if (constructor)
        return f->is_void ? call_constructor(m, f) : method_fault(m, "a constructor returns nothing");
    if (op == OPC_invokespecial && !special_owner(m, f))
        return method_fault(m, "its method is not one of a superclass or direct superinterface");
    if (op != OPC_invokestatic && op != OPC_invokedynamic &&
        !pop_type(m, op == OPC_invokespecial ? m->t->this_type : f->owner))
        return false;
    return f->is_void || push(m, f->result);
}

static unsigned dimensions(struct text name)
{
    unsigned n = 0;
    while (n < name.size && name.data[n] == '[')
        n++;
    return n;
}

/* "[" before the name of an element; VT_TOP when memory is out. */
static vtype array_of(struct method_check *m, struct text element)
{
    bool is_array = element.data[0] == '[';
    size_t size = element.size + (is_array ? 1 : 3);
    char *name = arena_chars(&m->t->arena, size);
    if (name == NULL) {
        m->t->no_memory = true;
        return VT_TOP;
    }
    name[0] = '[';
    memcpy(name + (is_array ? 1 : 2), element.data, element.size);
    if (!is_array)
        name[1] = 'L', name[size - 1] = ';';
    return types_of_name(m->t, (struct text){ name, size });
}

static bool with_class(struct method_check *m)
{
    vtype type, v;
    if (!types_of_class(m->t, (uint32_t)m->at->operand, &type))
        return method_fault(m, "constant %d is no class", m->at->operand);
    struct text name = types_name(m->t, type);
    switch (m->at->op) {
    case OPC_new:
        if (name.data[0] == '[')
            return method_fault(m, "an array cannot be made by it");
        return push(m, vtype_of(VT_UNINITIALIZED, m->at->pc));
    case OPC_anewarray:
        if (dimensions(name) >= 255)
            return method_fault(m, "an array has no more than 255 dimensions");
        return pop_type(m, VT_INTEGER) && push(m, array_of(m, name));
    case OPC_checkcast: return pop_object(m, false, &v) && push(m, type);
    case OPC_instanceof: return pop_object(m, false, &v) && push(m, VT_INTEGER);
    default: /* multianewarray */
        if (m->at->extra == 0 || dimensions(name) < m->at->extra)
            return method_fault(m, "%u dimensions of %.*s", m->at->extra, (int)name.size, name.data);
        for (unsigned i = 0; i < m->at->extra; i++)
            if (!pop_type(m, VT_INTEGER))
                return false;
        return push(m, type);
    }
}

static bool return_value(struct method_check *m)
{
    char text[TYPE_TEXT_MAX];
    static const char letters[] = "IJFDA";
    vtype v = VT_TOP;
    if (m->at->op == OPC_return) {
        if (!m->returns_void)
            return method_fault(m, "the method returns a value");
        return !m->now.this_uninit || method_fault(m, "this(...) or super(...) has not been called");
    }
    char letter = letters[m->at->op - OPC_ireturn];
    if (letter == 'A' ? !pop_object(m, true, &v) : !pop_letter(m, letter))
        return false;
    if (letter != 'A')
        v = types_of_descriptor(m->t, &letter, 1);
    if (m->returns_void || !types_assignable(m->t, v, m->result))
        return wrong(m, "the value returned", v, m->returns_void ? "none" : types_show(m->t, m->result, text));
    return true;
}

/* Cases of a lookupswitch ascend; up to version 50 the padding is 0. */
static bool operands_of_switch(struct method_check *m)
{
    uint32_t pad = m->at->pc + 1, cells = (pad + 3) & ~3u;
    const uint8_t *bytes = m->code.bytes;
    for (; m->t->cf->major < 51 && pad < cells; pad++)
        if (bytes[pad] != 0)
            return method_fault(m, "its padding is not 0");
    if (m->at->op == OPC_lookupswitch)
        for (uint32_t i = 1; i < be4(bytes + cells + 4); i++)
            if ((int32_t)be4(bytes + cells + 8 * (i + 1)) <= (int32_t)be4(bytes + cells + 8 * i))
                return method_fault(m, "its cases do not ascend");
    return true;
}

static bool other(struct method_check *m)
{
    static const struct text arrays[] = { { "[Z", 2 }, { "[C", 2 }, { "[F", 2 }, { "[D", 2 },
                                          { "[B", 2 }, { "[S", 2 }, { "[I", 2 }, { "[J", 2 } };
    vtype v;
    switch (m->at->op) {
    case OPC_arraylength:
        if (!pop_object(m, false, &v))
            return false;
        if (type_tag(v) == VT_OBJECT && types_name(m->t, v).data[0] != '[')
            return wrong(m, "the top of the stack", v, "an array");
        return push(m, VT_INTEGER);
    case OPC_newarray:
        if (m->at->operand < 4 || m->at->operand > 11)
            return method_fault(m, "there is no array type %d", m->at->operand);
        return pop_type(m, VT_INTEGER) && push(m, types_of_name(m->t, arrays[m->at->operand - 4]));
    case OPC_iinc:
        if (m->at->local >= m->locals)
            return method_fault(m, "local variable %u is not below max_locals %u", m->at->local, m->locals);
        v = m->now.slots[m->at->local];
        return v == VT_INTEGER || type_tag(v) == TYPE_ANYTHING || wrong(m, "the local variable", v, "int");
    case OPC_jsr:
    case OPC_jsr_w:
        return m->inferred ? push(m, TYPE_RETURN_ADDRESS) : method_fault(m, "not allowed from version 51 on");
    case OPC_ret:
        if (!m->inferred)
            return method_fault(m, "not allowed from version 51 on");
        if (m->at->local >= m->locals)
            return method_fault(m, "local variable %u is not below max_locals %u", m->at->local, m->locals);
        v = m->now.slots[m->at->local];
        return type_tag(v) == TYPE_RETURN_ADDRESS || type_tag(v) == TYPE_ANYTHING ||
               wrong(m, "the local variable", v, "a return address");
    default: return method_fault(m, "no such instruction");
    }
}

/* Does it always pop and push the same types, which opcodes.def has? */
static bool has_fixed_effect(unsigned op)
{
    return op == OPC_nop || (op >= OPC_aconst_null && op <= OPC_sipush) || (op >= OPC_iadd && op <= OPC_lxor) ||
           (op >= OPC_i2l && op <= OPC_if_acmpne) || op == OPC_goto || op == OPC_goto_w || op == OPC_athrow ||
           op == OPC_monitorenter || op == OPC_monitorexit || op == OPC_ifnull || op == OPC_ifnonnull;
}

bool method_step(struct method_check *m)
{
    const unsigned op = m->at->op;
    const struct op_info *info = &op_table[op];
    m->initialized = false;
    if (op == OPC_tableswitch || op == OPC_lookupswitch)
        return operands_of_switch(m) && fixed_effect(m, info->popped, info->pushed);
    if (has_fixed_effect(op))
        return fixed_effect(m, info->popped, info->pushed);
    if (op_table[op].flags & (OP_LOAD | OP_STORE))
        return load_or_store(m);
    if ((op >= OPC_iaload && op <= OPC_saload) || (op >= OPC_iastore && op <= OPC_sastore))
        return array_load_or_store(m);
    if (op >= OPC_pop && op <= OPC_swap)
        return shuffle(m);
    if (op >= OPC_ldc && op <= OPC_ldc2_w)
        return load_constant(m);
    if (op_table[op].flags & OP_RETURN)
        return return_value(m);
    if (op >= OPC_getstatic && op <= OPC_putfield)
        return field(m);
    if (op >= OPC_invokevirtual && op <= OPC_invokedynamic)
        return invoke(m);
    if (op == OPC_new || op == OPC_anewarray || op == OPC_checkcast || op == OPC_instanceof || op == OPC_multianewarray)
        return with_class(m);
    return other(m);
}
