/* field_fact.c - what a class file says about a field that its code uses: only of those that it declares itself. See
 * plan.h. */
#include "weaver/plan.h"

static enum field_fact find_fact(const struct class_plan *c, const struct member_ref *ref)
{
    if (!text_equal(ref->owner, c->name))
        return FIELD_ELSEWHERE;
    for (size_t i = 0; i < c->cf->fields.count; i++) {
        const struct member *f = &c->cf->fields.items[i];
        struct text name, desc;
        if (cpool_utf8(&c->cf->cp, f->name, &name) && text_equal(name, ref->name) &&
            cpool_utf8(&c->cf->cp, f->desc, &desc) && text_equal(desc, ref->desc))
            return f->access & ACC_VOLATILE ? FIELD_VOLATILE
                   : f->access & ACC_STATIC ? FIELD_PLAIN_STATIC
                                            : FIELD_PLAIN;
    }
    return FIELD_ELSEWHERE; /* inherited */
}

enum field_fact plan_field_fact(const struct class_plan *c, const struct insn *in, const struct member_ref *ref)
{
    uint32_t *fact = &c->facts[in->operand];
    if (*fact == FIELD_UNKNOWN)
        *fact = find_fact(c, ref);
    return (enum field_fact) * fact;
}

bool plan_is_own_field(const struct method_plan *m, const struct insn *in)
{
    struct member_ref ref;
    if (!cpool_member(&m->c->cf->cp, (uint32_t)in->operand, &ref))
        return false;
    const enum field_fact fact = plan_field_fact(m->c, in, &ref);
    return fact == FIELD_PLAIN || fact == FIELD_PLAIN_STATIC;
}
