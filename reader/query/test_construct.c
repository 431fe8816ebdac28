/* test_construct.c - constructors and setters that do nothing else than storing what they are given.
 *
 *     Item(String name, int count) { this.name = name; this.count = count; this.open = true; }
 *     void setCount(int count) { this.count = count; }
 *
 * Their code is followed without being executed: straight, from parameters and constants to fields of the receiver. Of
 * the constructors that the test can call the one is taken that leaves the fewest fields to be set, and none whose
 * parameters could not have given what the fields held. */
#include "reader/query/test_builder.h"

enum { STACK_MAX = 32, SUPER_MAX = 8 };

/* What stands on the operand stack. */
enum known { NOT_KNOWN, THE_RECEIVER, A_PARAMETER, A_CONSTANT, A_FRESH_OBJECT };
struct symbol {
    enum known what;
    unsigned parameter;
    uint64_t bits;
};
struct symbols {
    struct symbol items[STACK_MAX];
    unsigned count;
};

static bool push(struct symbols *s, struct symbol x)
{
    if (s->count == STACK_MAX)
        return false;
    s->items[s->count++] = x;
    return true;
}

static struct symbol pop(struct symbols *s)
{
    return s->count > 0 ? s->items[--s->count] : (struct symbol){ .what = NOT_KNOWN };
}

static unsigned slots_to_number(const char *desc, unsigned slot)
{
    unsigned at = 1, number = 0;
    for (const char *p = desc + 1; *p != ')' && *p != '\0' && at < slot; number++) {
        at += type_slots(*p);
        p += descriptor_type_length(p, strlen(p));
    }
    return number;
}

static bool follow(struct test_builder *b, struct method *m, const struct symbol *arguments, unsigned depth,
                   struct test_stores *out);

/* invokespecial: super(...) that does no more, or the constructor of a fresh object. */
static bool follow_init(struct test_builder *b, struct method *m, const struct insn *in, struct symbols *s,
                        unsigned depth, struct test_stores *out)
{
    struct member_ref r;
    struct symbol given[STACK_MAX];
    if (!cpool_member(&m->classfile->cp, (uint32_t)in->operand, &r) || !text_is(r.name, "<init>"))
        return false;
    const unsigned count = descriptor_count(r.desc);
    if (count >= s->count)
        return false;
    for (unsigned i = count; i-- > 0;)
        given[i] = pop(s);
    const struct symbol on = pop(s);
    if (on.what == A_FRESH_OBJECT)
        return count == 0;
    if (on.what != THE_RECEIVER)
        return false;
    if (text_is(r.owner, "java/lang/Object"))
        return true;
    const bool own = text_is_class(r.owner, m->owner->name);
    const struct hs_class *c = own ? m->owner : test_woven(b, m->owner->super);
    if (c == NULL || depth == SUPER_MAX)
        return false;
    for (uint32_t i = 0; i < c->method_count; i++) {
        const struct hs_method *to = c->methods[i];
        if (strcmp(to->name, "<init>") == 0 && text_is(r.desc, to->desc))
            return follow(b, method_get(b->trace, to->method_id), given, depth + 1, out);
    }
    return false;
}

static bool follow_put(struct test_builder *b, struct method *m, const struct insn *in, struct symbols *s,
                       struct test_stores *out)
{
    struct member_ref r;
    const struct symbol value = pop(s), on = pop(s);
    if (on.what != THE_RECEIVER || value.what == NOT_KNOWN || value.what == THE_RECEIVER ||
        out->count == sizeof out->items / sizeof *out->items ||
        !cpool_member(&m->classfile->cp, (uint32_t)in->operand, &r) || !text_is_class(r.owner, m->owner->name))
        return false;
    out->items[out->count++] = (struct test_store){
        .declaring = m->owner->name,
        .name = test_format(b, "%.*s", (int)r.name.size, r.name.data),
        .from_parameter = value.what == A_PARAMETER,
        .is_constant = value.what == A_CONSTANT,
        .parameter = value.parameter,
        .bits = value.bits,
    };
    return true;
}

/* False: it does something else. */
static bool follow(struct test_builder *b, struct method *m, const struct symbol *arguments, unsigned depth,
                   struct test_stores *out)
{
    struct symbols s = { .count = 0 };
    if (m == NULL || m->code.has_jumps || m->is_static)
        return false;
    for (size_t i = 0; i < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        const unsigned flags = op_table[in->op].flags;
        struct symbol x = { .what = A_CONSTANT };
        bool ok = false;
        if ((flags & OP_LOAD) != 0 && in->local == 0)
            ok = push(&s, (struct symbol){ .what = THE_RECEIVER });
        else if ((flags & OP_LOAD) != 0 && in->local < m->argument_slots)
            ok = push(&s, arguments[slots_to_number(m->row->desc, in->local)]);
        else if (code_constant(&m->classfile->cp, in, &x.bits))
            ok = push(&s, x);
        else if (in->op == OPC_new)
            ok = push(&s, (struct symbol){ .what = A_FRESH_OBJECT });
        else if (in->op == OPC_dup && s.count > 0)
            ok = push(&s, s.items[s.count - 1]);
        else if (in->op == OPC_invokespecial)
            ok = follow_init(b, m, in, &s, depth, out);
        else if (in->op == OPC_putfield)
            ok = follow_put(b, m, in, &s, out);
        else
            return in->op == OPC_return;
        if (!ok)
            return false;
    }
    return false;
}

/* What the method stores. False: it does something else, or has too many parameters. */
static bool stores_of(struct test_builder *b, const struct hs_method *row, struct test_stores *out)
{
    struct symbol arguments[STACK_MAX];
    const unsigned count = descriptor_count((struct text){ row->desc, strlen(row->desc) });
    if (count > STACK_MAX)
        return false;
    for (unsigned i = 0; i < count; i++)
        arguments[i] = (struct symbol){ .what = A_PARAMETER, .parameter = i };
    *out = (struct test_stores){ .method = row, .parameter_count = count };
    return follow(b, method_get(b->trace, row->method_id), arguments, 0, out);
}

bool test_stores_field(const struct test_stores *s, const char *declaring, const char *name, struct hs_value v)
{
    for (size_t i = s->count; i-- > 0;) { /* the last one counts */
        const struct test_store *x = &s->items[i];
        if (strcmp(x->name, name) == 0 && strcmp(x->declaring, declaring) == 0)
            return x->from_parameter || (x->is_constant && x->bits == v.bits);
    }
    return v.bits == 0;
}

/* The values of the parameters. False: the fields could not have come from them. `*missing`: fields that must be set
 * afterwards. */
static bool fits(struct test_builder *b, uint64_t id, struct test_stores *s, unsigned *missing)
{
    bool set[STACK_MAX] = { false };
    const char *p = s->method->desc + 1;
    for (unsigned i = 0; i < s->parameter_count; i++) {
        s->arguments[i] = (struct hs_value){ 0, *p == '[' ? 'L' : *p };
        p += descriptor_type_length(p, strlen(p));
    }
    for (size_t i = 0; i < s->count; i++) {
        const struct test_store *x = &s->items[i];
        struct hs_value v;
        if (!x->from_parameter || !test_field_before(b, id, x->declaring, x->name, &v))
            continue;
        if (set[x->parameter] && s->arguments[x->parameter].bits != v.bits)
            return false;
        set[x->parameter] = true;
        s->arguments[x->parameter].bits = v.bits;
    }
    *missing = 0;
    const struct test_object *o = map_get(&b->objects, id);
    for (size_t i = 0; o != NULL && i < o->list.count; i++) {
        const struct test_member *m = &b->members.items[o->list.items[i]];
        if (m->read && m->name != NULL && !test_stores_field(s, m->declaring, m->name, m->before))
            ++*missing;
    }
    return true;
}

bool test_may_call(const struct test_builder *b, const char *declaring, unsigned access)
{
    const char *dot = strrchr(declaring, '.');
    const size_t n = dot != NULL ? (size_t)(dot - declaring) : 0;
    const bool same_package = strlen(b->package) == n && strncmp(b->package, declaring, n) == 0;
    return (access & (ACC_PRIVATE | ACC_SYNTHETIC)) == 0 && ((access & ACC_PUBLIC) != 0 || same_package);
}

bool test_find_constructor(struct test_builder *b, uint64_t id, const struct hs_class *c, struct test_stores *out)
{
    unsigned best = UINT32_MAX;
    if ((c->access & ACC_ABSTRACT) != 0 || !test_is_static(b, c) || test_type(b, c->name) == NULL)
        return false;
    for (uint32_t i = 0; i < c->method_count && !test_stopped(b); i++) {
        const struct hs_method *m = c->methods[i];
        struct test_stores s;
        unsigned missing;
        if (strcmp(m->name, "<init>") != 0 || !test_may_call(b, c->name, m->access) || !stores_of(b, m, &s) ||
            !fits(b, id, &s, &missing) || missing >= best)
            continue;
        best = missing;
        *out = s;
    }
    return best != UINT32_MAX;
}

const char *test_setter(struct test_builder *b, const char *type, const char *declaring, const char *name)
{
    if (strcmp(type, declaring) != 0)
        return NULL;
    const struct hs_class *c = test_woven(b, declaring);
    for (uint32_t i = 0; c != NULL && i < c->method_count; i++) {
        const struct hs_method *m = c->methods[i];
        struct test_stores s;
        if (m->name[0] != '<' && (m->access & ACC_STATIC) == 0 && test_may_call(b, declaring, m->access) &&
            test_is_identifier(m->name) && stores_of(b, m, &s) && s.count == 1 && s.parameter_count == 1 &&
            s.items[0].from_parameter && strcmp(s.items[0].name, name) == 0)
            return m->name;
    }
    return NULL;
}
