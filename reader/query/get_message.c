/* get_message.c - see get_message.h.
 *
 * What such methods do is little: they read fields, call getters, super.getMessage, and join texts. So this executes
 * loads, constants, fields and elements, arithmetic, branches and calls of methods of woven classes, of boxes, of
 * StringBuilder, of String.valueOf and the like, and the concatenation of invokedynamic. Anything else ends it: the
 * message is not known then. */
#include "reader/query/get_message.h"

#include <stdio.h>
#include <string.h>

#include "formats/json.h"
#include "formats/jvm/arithmetic.h"
#include "formats/mutf8.h"
#include "reader/code/code.h"
#include "reader/query/state.h"

enum {
    STACK_MAX = 64,
    LOCALS_MAX = 64,
    STEPS_MAX = 4000,
    DEPTH_MAX = 16,
    BUILDERS_MAX = 16,
    STATES_MAX = 8,
    NESTED_MAX = 4
};
/* Bytes: of a text, and of all that are kept. Code can double a text in a few steps. */
enum { TEXT_MAX = 1 << 20, KEPT_MAX = 16 << 20 };

/* A long or double takes one. */
struct operand {
    enum { NUMBER, OBJECT, TEXT, BUILDER } is;
    uint64_t bits; /* of a number; object id, 0 null; number of a builder */
    struct text text;
};

struct machine {
    const struct get_message *g;
    struct arena arena;
    const struct hs_object_state *states[STATES_MAX]; /* of the objects that were looked into */
    unsigned state_count;
    unsigned nested; /* toString of woven classes that are being executed */
    size_t kept;     /* bytes of texts */
    struct writer builders[BUILDERS_MAX];
    unsigned builder_count, steps;
    bool no_memory;
};

struct activation {
    struct machine *m;
    const struct method *code;
    const struct hs_class *of;
    struct operand stack[STACK_MAX], locals[LOCALS_MAX];
    unsigned depth;
    bool failed;
};

static bool call(struct machine *m, const struct hs_class *of, const struct hs_method *method,
                 const struct operand *given, unsigned count, unsigned depth, struct operand *out);

static void push(struct activation *a, struct operand v)
{
    if (a->depth == STACK_MAX)
        a->failed = true;
    else
        a->stack[a->depth++] = v;
}

static struct operand pop(struct activation *a)
{
    if (a->depth > 0)
        return a->stack[--a->depth];
    a->failed = true;
    return (struct operand){ 0 };
}

static struct operand number(uint64_t bits) { return (struct operand){ .is = NUMBER, .bits = bits }; }
static struct operand text_value(struct text t) { return (struct operand){ .is = TEXT, .text = t }; }

/* What the writer holds, kept with the machine. */
static struct operand keep(struct machine *m, const struct writer *w)
{
    char *copy = arena_chars(&m->arena, w->size + 1);
    m->kept += w->size;
    m->no_memory |= copy == NULL || w->bad;
    if (copy != NULL && w->size > 0)
        memcpy(copy, w->data, w->size);
    return text_value((struct text){ copy, copy != NULL ? w->size : 0 });
}

/* ---- texts ---- */

/* A string of the class file, as UTF-8; false: it is none, or has characters that class files write in another way. */
static bool cpool_string(const struct cpool *cp, uint32_t index, struct text *out)
{
    if (cpool_tag(cp, index) != CONSTANT_String || !cpool_utf8(cp, be2(cp->data + cp->offsets[index] + 1), out))
        return false;
    for (size_t i = 0; i < out->size; i++)
        if ((uint8_t)out->data[i] == 0xc0 || (uint8_t)out->data[i] == 0xed)
            return false;
    return true;
}

/* The recorded string; false: it is none, or only its beginning was kept. */
static bool string_of(struct machine *m, uint64_t id, struct operand *out)
{
    const struct hs_object *o = id != 0 && id <= UINT32_MAX ? hs_object_get(m->g->trace, (uint32_t)id) : NULL;
    struct writer w = { 0 };
    if (o == NULL || !o->has_string || o->cut || o->length > TEXT_MAX || m->kept > KEPT_MAX)
        return false;
    if (o->latin1)
        latin1_to_utf8(o->data, (size_t)o->length, &w);
    else
        utf16le_to_utf8(o->data, 2 * (size_t)o->length, &w);
    *out = keep(m, &w);
    writer_free(&w);
    return true;
}

static bool append(struct machine *m, struct writer *w, struct operand v, char type);

/* The method of that name and descriptor, from the class on upwards. */
static const struct hs_method *method_of(struct machine *m, const struct hs_class *c, struct text name,
                                         struct text desc, const struct hs_class **of)
{
    hs_trace *t = m->g->trace;
    for (unsigned i = 0; c != NULL && i < DEPTH_MAX; i++) {
        for (uint32_t k = 0; k < c->method_count; k++)
            if (name_is(name, c->methods[k]->name) && name_is(desc, c->methods[k]->desc)) {
                *of = c;
                return c->methods[k];
            }
        const char *super = hs_class_super(t, c->name, c->loader_id);
        const struct hs_class *next = NULL;
        for (size_t n = 0; super != NULL && next == NULL && n < class_rows(t); n++)
            if (strcmp(class_at(t, n)->name, super) == 0)
                next = class_at(t, n);
        c = next;
    }
    return NULL;
}

/* The class of an object. */
static const struct hs_class *class_of(struct machine *m, uint64_t id)
{
    const struct hs_type *type = hs_type_get(m->g->trace, objects_class(m->g->trace, id));
    for (size_t n = 0; type != NULL && n < class_rows(m->g->trace); n++)
        if (strcmp(class_at(m->g->trace, n)->name, type->name) == 0 &&
            class_at(m->g->trace, n)->loader_id == type->loader)
            return class_at(m->g->trace, n);
    return NULL;
}

/* As Double.toString and Float.toString of every JDK give numbers that need no exponent and few digits. */
static bool append_real(struct writer *w, double size, const char *digits, size_t digits_max)
{
    size = size < 0 ? -size : size;
    write_bytes(w, digits, strlen(digits));
    return size == 0 || size != size || (size >= 1e-3 && size < 1e7 && strlen(digits) <= digits_max);
}

/* As toString gives it: a box, an enum constant, a number or time of the JDK. */
static bool append_value(struct machine *m, struct writer *w, uint64_t id)
{
    static const char *const exact[] = { "java.math.", "java.time.", "java.util.UUID" };
    hs_trace *t = m->g->trace;
    const struct hs_object_value *v = id <= UINT32_MAX ? hs_object_value_get(t, (uint32_t)id, HS_NO_SEQ) : NULL;
    const struct hs_type *type = hs_type_get(t, objects_class(t, id));
    const struct hs_class *of = NULL;
    const struct hs_method *own =
        method_of(m, class_of(m, id), (struct text){ "toString", 8 }, (struct text){ "()Ljava/lang/String;", 20 }, &of);
    if (own != NULL) { /* of a woven class */
        const struct operand self = { .is = OBJECT, .bits = id };
        struct operand text = { 0 };
        if (m->nested == NESTED_MAX)
            return false;
        m->nested++;
        const bool done = call(m, of, own, &self, 1, 1, &text);
        m->nested--;
        return done && text.is == TEXT && append(m, w, text, 'L');
    }
    if (v == NULL || type == NULL)
        return false;
    if (v->kind != 0)
        return append(m, w, number(v->bits), v->kind);
    bool known = v->is_constant;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        known |= strncmp(type->name, exact[i], strlen(exact[i])) == 0;
    if (known)
        write_bytes(w, v->text, strlen(v->text));
    return known;
}

/* Appends a value of that descriptor letter, as String.valueOf gives it. */
static bool append(struct machine *m, struct writer *w, struct operand v, char type)
{
    char digits[JSON_NUMBER_MAX];
    struct operand s;
    float single;
    double real;
    const uint32_t low = (uint32_t)v.bits;
    switch (type) {
    case 'F':
        memcpy(&single, &low, sizeof single);
        return append_real(w, (double)single, json_float_digits(low, digits), 8) && v.is == NUMBER;
    case 'D':
        memcpy(&real, &v.bits, sizeof real);
        return append_real(w, real, json_double_digits(v.bits, digits), 16) && v.is == NUMBER;
    case 'Z': write_bytes(w, v.bits != 0 ? "true" : "false", v.bits != 0 ? 4 : 5); return v.is == NUMBER;
    case 'C': {
        const uint8_t unit[2] = { (uint8_t)v.bits, (uint8_t)(v.bits >> 8) };
        utf16le_to_utf8(unit, sizeof unit, w);
        return v.is == NUMBER && (v.bits < 0xd800 || v.bits > 0xdfff);
    }
    case 'B':
    case 'S':
    case 'I':
    case 'J': {
        const int n = snprintf(digits, sizeof digits, "%lld", (long long)(int64_t)v.bits);
        write_bytes(w, digits, (size_t)n);
        return v.is == NUMBER;
    }
    default: break;
    }
    if (v.is == OBJECT && v.bits == 0) {
        write_bytes(w, "null", 4);
        return true;
    }
    if (v.is == OBJECT && string_of(m, v.bits, &s))
        v = s;
    else if (v.is == OBJECT)
        return append_value(m, w, v.bits);
    if (v.is != TEXT || v.text.size + w->size > TEXT_MAX || m->kept > KEPT_MAX)
        return false;
    write_bytes(w, v.text.data, v.text.size);
    return true;
}

/* ---- members ---- */

/* NULL: nothing is known of the object, or too many were looked into. */
static const struct hs_object_state *state_of(struct machine *m, uint64_t object)
{
    struct error err;
    for (unsigned i = 0; i < m->state_count; i++)
        if (m->states[i]->id == object)
            return m->states[i];
    const struct hs_object_state **to = &m->states[m->state_count];
    if (object == 0 || object > UINT32_MAX || m->state_count == STATES_MAX ||
        object_state(m->g->trace, &m->arena, (uint32_t)object, m->g->seq, PART_ALL, to, &err) != OK)
        return NULL;
    return m->states[m->state_count++];
}

static bool member_value(const struct hs_member *x, struct operand *out)
{
    *out = (struct operand){ .is = x->kind == KIND_REF ? OBJECT : NUMBER, .bits = x->value };
    return !x->stale && !x->unrecorded && x->kind != KIND_VOID;
}

static bool field_value(struct machine *m, uint64_t object, const struct field *f, struct operand *out)
{
    const size_t size = strlen(f->declaring);
    const struct hs_object_state *state = state_of(m, object);
    for (size_t i = 0; state != NULL && i < state->field_count; i++) {
        const struct hs_member *x = state->fields[i];
        if (x->name == NULL || strncmp(x->name, f->declaring, size) != 0 || x->name[size] != '.' ||
            strcmp(x->name + size + 1, f->name) != 0)
            continue;
        return member_value(x, out);
    }
    return false;
}

/* An element of an array, or with index -1 its length. */
static bool array_value(struct machine *m, struct operand array, int64_t index, struct operand *out)
{
    const struct hs_object_state *state = array.is == OBJECT ? state_of(m, array.bits) : NULL;
    if (state != NULL && index < 0 && state->has_length) {
        *out = number(state->length);
        return true;
    }
    for (size_t i = 0; state != NULL && i < state->element_count; i++)
        if ((int64_t)state->elements[i]->index == index)
            return member_value(state->elements[i], out);
    return false;
}

/* ---- calls ---- */

static bool builder_call(struct activation *a, struct member_ref r, const struct operand *given, unsigned count)
{
    struct machine *m = a->m;
    if (given[0].is != BUILDER || given[0].bits >= m->builder_count)
        return false;
    struct writer *w = &m->builders[given[0].bits];
    if (text_is(r.name, "toString") && count == 1) {
        push(a, keep(m, w));
        return true;
    }
    const bool init = text_is(r.name, "<init>");
    if (init && (count == 1 || text_is(r.desc, "(I)V")))
        return true;
    if ((!init && !text_is(r.name, "append")) || count != 2 || (init && r.desc.data[1] != 'L') ||
        !append(m, w, given[1], r.desc.data[1]))
        return false;
    if (!init)
        push(a, given[0]);
    return true;
}

/* String.valueOf, Integer.toString and the like, of one argument. */
static bool text_call(struct activation *a, struct member_ref r, const struct operand *given, unsigned count)
{
    static const char *const owners[] = { "java/lang/String", "java/lang/Integer", "java/lang/Long",
                                          "java/lang/Boolean", "java/lang/Character" };
    bool known = false;
    struct writer w = { 0 };
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        known |= text_is(r.owner, owners[i]);
    if (!known || count != 1 || (!text_is(r.name, "valueOf") && !text_is(r.name, "toString")) || r.desc.size < 18 ||
        memcmp(r.desc.data + r.desc.size - 18, "Ljava/lang/String;", 18) != 0 ||
        (r.desc.data[1] == 'L' && !text_is(r.desc, "(Ljava/lang/Object;)Ljava/lang/String;")))
        return false;
    const bool done = append(a->m, &w, given[0], r.desc.data[1] == ')' ? 'L' : r.desc.data[1]);
    if (done)
        push(a, keep(a->m, &w));
    writer_free(&w);
    return done;
}

/* intValue() and the like of a box, name() of a constant. */
static bool value_call(struct activation *a, struct member_ref r, struct operand given)
{
    static const char end[] = "Value";
    const size_t size = sizeof end - 1;
    struct operand name;
    hs_trace *t = a->m->g->trace;
    const struct hs_object_value *v = given.is == OBJECT && given.bits != 0 && given.bits <= UINT32_MAX
                                          ? hs_object_value_get(t, (uint32_t)given.bits, HS_NO_SEQ)
                                          : NULL;
    if (v == NULL)
        return false;
    if (v->kind != 0) {
        if (r.name.size < size || memcmp(r.name.data + r.name.size - size, end, size) != 0 ||
            r.desc.data[r.desc.size - 1] != v->kind)
            return false;
        push(a, number(v->bits));
        return true;
    }
    if (!v->is_constant || !text_is(r.name, "name"))
        return false;
    struct writer w = { 0 };
    write_bytes(&w, v->text, strlen(v->text));
    name = keep(a->m, &w);
    writer_free(&w);
    push(a, name);
    return true;
}

static unsigned argument_count(struct text desc)
{
    unsigned n = 0;
    for (size_t i = 1; i < desc.size && desc.data[i] != ')'; n++) {
        const size_t size = descriptor_type_length(desc.data + i, desc.size - i);
        if (size == 0)
            break;
        i += size;
    }
    return n;
}

static bool invoke(struct activation *a, const struct insn *in, unsigned depth)
{
    struct machine *m = a->m;
    struct member_ref r;
    struct operand given[STACK_MAX], result = { 0 };
    if (!cpool_member(&a->code->classfile->cp, (uint32_t)in->operand, &r))
        return false;
    const unsigned count = argument_count(r.desc) + (in->op != OPC_invokestatic);
    if (count > a->depth)
        return false;
    a->depth -= count;
    memcpy(given, &a->stack[a->depth], count * sizeof *given);
    if (text_is(r.owner, "java/lang/StringBuilder") && count > 0)
        return builder_call(a, r, given, count);
    if (text_call(a, r, given, count))
        return true;
    if (in->op == OPC_invokestatic || given[0].is != OBJECT || given[0].bits == 0)
        return false;
    if (count == 1 && value_call(a, r, given[0]))
        return true;
    const struct hs_class *of = NULL, *from = class_of(m, given[0].bits);
    for (size_t n = 0; in->op == OPC_invokespecial && n < class_rows(m->g->trace); n++)
        if (text_is_class(r.owner, class_at(m->g->trace, n)->name))
            from = class_at(m->g->trace, n);
    if (in->op == OPC_invokespecial && (from == NULL || !text_is_class(r.owner, from->name)))
        from = NULL; /* of a class that is not woven */
    const struct hs_method *method = method_of(m, from, r.name, r.desc, &of);
    if (method != NULL) {
        if (!call(m, of, method, given, count, depth + 1, &result))
            return false;
        if (r.desc.data[r.desc.size - 1] != 'V')
            push(a, result);
        return true;
    }
    if (!text_is(r.name, "getMessage") || count != 1 || given[0].bits != m->g->id)
        return false;
    push(a, m->g->detail != NULL ? text_value((struct text){ m->g->detail, strlen(m->g->detail) })
                                 : (struct operand){ .is = OBJECT });
    return true;
}

/* makeConcatWithConstants: \1 in its recipe is the next argument, \2 the next constant. */
static bool concatenate(struct activation *a, const struct insn *in)
{
    const struct cpool *cp = &a->code->classfile->cp;
    struct text name, desc, recipe, constant;
    struct member_ref bootstrap;
    struct reader r;
    uint32_t index;
    struct operand given[STACK_MAX];
    if (!cpool_dynamic(cp, (uint32_t)in->operand, &index, &name, &desc) ||
        !code_bootstrap(a->code->classfile, index, &bootstrap, &r) ||
        !text_is(bootstrap.name, "makeConcatWithConstants"))
        return false;
    const unsigned count = argument_count(desc);
    uint32_t constants = read_u2(&r);
    if (constants == 0 || count > a->depth || !cpool_string(cp, read_u2(&r), &recipe))
        return false;
    a->depth -= count;
    memcpy(given, &a->stack[a->depth], count * sizeof *given);
    struct writer w = { 0 };
    bool known = true;
    size_t at = 1;
    for (size_t i = 0, next = 0; i < recipe.size && known; i++) {
        if (recipe.data[i] == 1 && next < count) {
            known = append(a->m, &w, given[next++], desc.data[at]);
            at += descriptor_type_length(desc.data + at, desc.size - at);
        } else if (recipe.data[i] == 2) {
            known = constants-- > 1 && cpool_string(cp, read_u2(&r), &constant);
            if (known)
                write_bytes(&w, constant.data, constant.size);
        } else {
            write_u1(&w, (unsigned char)recipe.data[i]);
        }
    }
    if (known)
        push(a, keep(a->m, &w));
    writer_free(&w);
    return known;
}

/* ---- instructions ---- */

static bool push_constant(struct activation *a, const struct insn *in)
{
    const struct cpool *cp = &a->code->classfile->cp;
    uint64_t value;
    struct text s;
    if (in->op == OPC_aconst_null)
        push(a, (struct operand){ .is = OBJECT });
    else if (code_constant(cp, in, &value))
        push(a, number(value));
    else if (cpool_string(cp, (uint32_t)in->operand, &s))
        push(a, text_value(s));
    else
        return false;
    return true;
}

static bool get_field(struct activation *a, const struct insn *in)
{
    struct member_ref r;
    struct field f;
    struct operand v, object = pop(a);
    if (object.is != OBJECT || !cpool_member(&a->code->classfile->cp, (uint32_t)in->operand, &r))
        return false;
    struct writer owner = { 0 }, name = { 0 };
    for (size_t i = 0; i < r.owner.size; i++)
        write_u1(&owner, r.owner.data[i] == '/' ? '.' : (unsigned char)r.owner.data[i]);
    write_u1(&owner, '\0');
    write_bytes(&name, r.name.data, r.name.size);
    write_u1(&name, '\0');
    bool known = !owner.bad && !name.bad;
    a->m->no_memory |= !known;
    if (known)
        (void)field_find(a->m->g->trace, (const char *)owner.data, (const char *)name.data, NULL, a->of->loader_id, &f);
    known = known && field_value(a->m, object.bits, &f, &v);
    if (known)
        push(a, v);
    writer_free(&owner);
    writer_free(&name);
    return known;
}

/* Is the branch taken? False in `*known`: it depends on an object that is not null. */
static bool taken(struct activation *a, unsigned op, bool *known)
{
    if (op == OPC_ifnull || op == OPC_ifnonnull) {
        const struct operand v = pop(a);
        return (v.is == OBJECT && v.bits == 0) == (op == OPC_ifnull);
    }
    const struct operand right = pop(a);
    const bool two = op >= OPC_if_icmpeq && op <= OPC_if_acmpne;
    const struct operand left = two ? pop(a) : right;
    if (op >= OPC_if_acmpeq && op <= OPC_if_acmpne) {
        *known = left.is == OBJECT && right.is == OBJECT;
        return (left.bits == right.bits) == (op == OPC_if_acmpeq);
    }
    *known = left.is == NUMBER && right.is == NUMBER;
    return *known && (two ? arithmetic_taken(op, left.bits, right.bits) : arithmetic_taken(op, left.bits, 0));
}

/* One instruction but branches and returns. */
static bool execute(struct activation *a, const struct insn *in, unsigned depth)
{
    const unsigned op = in->op;
    struct text name;
    struct operand v;
    if (op <= OPC_ldc2_w && op != OPC_nop)
        return push_constant(a, in);
    if ((op_table[op].flags & OP_LOAD) != 0 && in->local < LOCALS_MAX) {
        push(a, a->locals[in->local]);
        return true;
    }
    if ((op_table[op].flags & OP_STORE) != 0 && in->local < LOCALS_MAX) {
        a->locals[in->local] = pop(a);
        return true;
    }
    if (op == OPC_nop || op == OPC_checkcast)
        return true;
    if (op == OPC_arraylength || (op >= OPC_iaload && op <= OPC_saload)) {
        const struct operand index = op == OPC_arraylength ? number(UINT64_MAX) : pop(a), array = pop(a);
        const bool known = index.is == NUMBER && (op == OPC_arraylength || (int64_t)index.bits >= 0) &&
                           array_value(a->m, array, (int64_t)index.bits, &v);
        if (known)
            push(a, v);
        return known;
    }
    if (op == OPC_getfield)
        return get_field(a, in);
    if (op == OPC_invokedynamic)
        return concatenate(a, in);
    if (op == OPC_invokevirtual || op == OPC_invokespecial || op == OPC_invokestatic || op == OPC_invokeinterface)
        return invoke(a, in, depth);
    if (op == OPC_new && cpool_class(&a->code->classfile->cp, (uint32_t)in->operand, &name) &&
        text_is(name, "java/lang/StringBuilder") && a->m->builder_count < BUILDERS_MAX) {
        push(a, (struct operand){ .is = BUILDER, .bits = a->m->builder_count++ });
        return true;
    }
    if (op == OPC_dup || op == OPC_pop) {
        v = pop(a);
        for (int i = 0; op == OPC_dup && i < 2; i++)
            push(a, v);
        return true;
    }
    if (op == OPC_iinc && in->local < LOCALS_MAX && a->locals[in->local].is == NUMBER) {
        a->locals[in->local].bits =
            arithmetic_binary(OPC_iadd, a->locals[in->local].bits, of_int((int32_t)in->operand));
        return true;
    }
    if ((op >= OPC_iadd && op <= OPC_lxor && op != OPC_iinc) || (op >= OPC_lcmp && op <= OPC_dcmpg)) {
        const bool one = op >= OPC_ineg && op <= OPC_dneg;
        const struct operand right = pop(a), left = one ? right : pop(a);
        push(a, number(one ? arithmetic_unary(op, right.bits) : arithmetic_binary(op, left.bits, right.bits)));
        const bool divides = (op >= OPC_idiv && op <= OPC_ldiv) || (op >= OPC_irem && op <= OPC_lrem);
        return left.is == NUMBER && right.is == NUMBER && !(divides && right.bits == 0);
    }
    if (op >= OPC_i2l && op <= OPC_i2s) {
        v = pop(a);
        push(a, number(arithmetic_unary(op, v.bits)));
        return v.is == NUMBER;
    }
    return false;
}

static bool run(struct activation *a, unsigned depth, struct operand *out)
{
    const struct insn *in;
    for (uint32_t pc = 0; a->m->steps++ < STEPS_MAX && (in = code_at(&a->code->code, pc)) != NULL;) {
        bool known = true;
        pc += in->length;
        if ((op_table[in->op].flags & OP_RETURN) != 0) {
            if (in->op != OPC_return)
                *out = pop(a);
            return !a->failed;
        }
        if (in->op == OPC_goto)
            pc = (uint32_t)in->operand;
        else if ((op_table[in->op].flags & OP_COND) != 0 && op_table[in->op].format == OPF_BRANCH2)
            pc = taken(a, in->op, &known) ? (uint32_t)in->operand : pc;
        else
            known = execute(a, in, depth);
        if (!known || a->failed || a->m->no_memory)
            return false;
    }
    return false;
}

static bool call(struct machine *m, const struct hs_class *of, const struct hs_method *method,
                 const struct operand *given, unsigned count, unsigned depth, struct operand *out)
{
    struct activation *a = depth < DEPTH_MAX ? arena_get(&m->arena, sizeof *a) : NULL;
    const struct method *code = method_get(m->g->trace, method->method_id);
    if (a == NULL || code == NULL)
        return false;
    *a = (struct activation){ .m = m, .code = code, .of = of };
    size_t slot = (method->access & ACC_STATIC) == 0, at = 1;
    const size_t size = strlen(method->desc);
    if (slot == 1)
        a->locals[0] = given[0];
    for (unsigned i = (unsigned)slot; i < count && slot + 1 < LOCALS_MAX; i++) {
        a->locals[slot] = given[i];
        slot += type_slots(method->desc[at]);
        at += descriptor_type_length(method->desc + at, size - at);
    }
    return run(a, depth, out);
}

bool get_message(const struct get_message *g, const char **out)
{
    struct machine m = { .g = g };
    struct operand v = { 0 }, self = { .is = OBJECT, .bits = g->id };
    const struct hs_class *of = NULL;
    const struct hs_method *method = method_of(&m, class_of(&m, g->id), (struct text){ "getMessage", 10 },
                                               (struct text){ "()Ljava/lang/String;", 20 }, &of);
    bool known = method != NULL && call(&m, of, method, &self, 1, 0, &v);
    struct writer w = { 0 };
    *out = NULL;
    if (known && !(v.is == OBJECT && v.bits == 0)) {
        known = append(&m, &w, v, 'L') && !w.bad;
        write_u1(&w, '\0');
        *out = known && !w.bad ? trace_text(g->trace, (struct text){ (const char *)w.data, w.size - 1 }, false) : NULL;
        known = *out != NULL;
    }
    if (w.bad)
        trace_no_memory(g->trace);
    writer_free(&w);
    for (unsigned i = 0; i < m.builder_count; i++)
        writer_free(&m.builders[i]);
    arena_done(&m.arena);
    return known;
}
