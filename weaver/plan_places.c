/* plan_places.c - redact=: the places of a method as redact.h wants them, and what planners make of numbers that are
 * left out. */
#include <string.h>

#include "formats/journal.h"
#include "weaver/plan.h"

static bool hides(struct method_plan *m, const struct redact_place *place)
{
    struct redact *r = m->c->config->redact;
    return r != NULL && redact_hides(r, place);
}

unsigned plan_hidden_kind(struct method_plan *m, unsigned kind, bool hidden)
{
    if (kind == KIND_VOID || kind == KIND_REF || !hidden)
        return kind;
    m->hides_numbers = true;
    m->hidden++;
    return KIND_VOID;
}

/* May a method of another class override this one, or this one another? */
static enum redact_kind own_kind(const struct method_plan *m)
{
    return m->is_static || (m->member->access & ACC_PRIVATE) || m->name.data[0] == '<' ? REDACT_OWN_ONLY : REDACT_OWN;
}

bool plan_hides_local(struct method_plan *m, unsigned slot, uint32_t pc)
{
    const struct local_name *l = m->c->config->redact != NULL ? plan_local_at(m, slot, pc) : NULL;
    struct text name, desc;
    if (l == NULL || !cpool_utf8(&m->c->cf->cp, l->name, &name) || !cpool_utf8(&m->c->cf->cp, l->desc, &desc))
        return false;
    const struct redact_place place = { .kind = own_kind(m),
                                        .owner = m->c->name,
                                        .member = m->name,
                                        .local = name,
                                        .type = source_of_descriptor(m->c, desc.data, desc.size) };
    return hides(m, &place);
}

bool plan_hides_field(struct method_plan *m, const struct member_ref *field)
{
    const struct redact_place place = { .kind = REDACT_FIELD,
                                        .owner = field->owner,
                                        .member = field->name,
                                        .desc = field->desc,
                                        .type = source_of_descriptor(m->c, field->desc.data, field->desc.size) };
    return m->c->config->redact != NULL && hides(m, &place);
}

bool plan_hides_result(struct method_plan *m, const struct insn *in, const struct member_ref *callee)
{
    unsigned slots;
    struct text type;
    if (m->c->config->redact == NULL || !descriptor_measure(callee->desc, &slots, &type) || type.data[0] == 'V')
        return false;
    const struct redact_place place = { .kind = in->op == OPC_invokedynamic ? REDACT_OWN_ONLY
                                                : in->op == OPC_invokestatic || in->op == OPC_invokespecial
                                                    ? REDACT_RESOLVED
                                                    : REDACT_CALLED,
                                        .owner = callee->owner,
                                        .member = callee->name,
                                        .type = source_of_descriptor(m->c, type.data, type.size) };
    return hides(m, &place);
}

bool plan_hides_return(struct method_plan *m)
{
    unsigned slots;
    struct text type;
    if (m->c->config->redact == NULL || !descriptor_measure(m->desc, &slots, &type) || type.data[0] == 'V')
        return false;
    const struct redact_place place = { .kind = own_kind(m),
                                        .owner = m->c->name,
                                        .member = m->name,
                                        .type = source_of_descriptor(m->c, type.data, type.size) };
    return hides(m, &place);
}

/* By the type alone. */
bool plan_hides_type(struct method_plan *m, struct text type)
{
    return hides(m, &(struct redact_place){ .kind = REDACT_TYPE, .owner = m->c->name, .type = type });
}

bool plan_hides_element(struct method_plan *m, unsigned offset)
{
    static const char *const types[] = { "int[]", "long[]", "float[]", "double[]", "", "byte[]", "char[]", "short[]" };
    return plan_hides_type(m, (struct text){ types[offset], strlen(types[offset]) });
}
