/* places.c - see places.h. */
#include "weaver/places.h"

#include "formats/journal.h"

static bool is_hidden(const struct method_scan *s, const struct redact_place *place)
{
    struct redact *r = s->c->config->redact;
    return r != NULL && redact_hides(r, place);
}

/* May a method of another class override this one, or this one another? */
static enum redact_kind own_kind(const struct method_scan *s)
{
    return s->is_static || (s->member->access & ACC_PRIVATE) || s->name.data[0] == '<' ? REDACT_OWN_ONLY : REDACT_OWN;
}

bool hides_local(const struct method_scan *s, unsigned slot, uint32_t pc)
{
    const struct local_name *l = s->c->config->redact != NULL ? scan_local_at(s, slot, pc) : NULL;
    struct text name, desc;
    if (l == NULL || !cpool_utf8(&s->c->cf->cp, l->name, &name) || !cpool_utf8(&s->c->cf->cp, l->desc, &desc))
        return false;
    const struct redact_place place = { .kind = own_kind(s),
                                        .owner = s->c->name,
                                        .member = s->name,
                                        .local = name,
                                        .type = source_of_descriptor(s->c, desc.data, desc.size) };
    return is_hidden(s, &place);
}

bool hides_field(const struct method_scan *s, const struct member_ref *field)
{
    const struct redact_place place = { .kind = REDACT_FIELD,
                                        .owner = field->owner,
                                        .member = field->name,
                                        .desc = field->desc,
                                        .type = source_of_descriptor(s->c, field->desc.data, field->desc.size) };
    return s->c->config->redact != NULL && is_hidden(s, &place);
}

bool hides_result(const struct method_scan *s, const struct insn *in, const struct member_ref *callee)
{
    unsigned slots;
    struct text type;
    if (s->c->config->redact == NULL || !descriptor_measure(callee->desc, &slots, &type) || type.data[0] == 'V')
        return false;
    const struct redact_place place = { .kind = in->op == OPC_invokedynamic ? REDACT_OWN_ONLY
                                                : in->op == OPC_invokestatic || in->op == OPC_invokespecial
                                                    ? REDACT_RESOLVED
                                                    : REDACT_CALLED,
                                        .owner = callee->owner,
                                        .member = callee->name,
                                        .type = source_of_descriptor(s->c, type.data, type.size) };
    return is_hidden(s, &place);
}

bool hides_return(const struct method_scan *s)
{
    unsigned slots;
    struct text type;
    if (s->c->config->redact == NULL || !descriptor_measure(s->desc, &slots, &type) || type.data[0] == 'V')
        return false;
    const struct redact_place place = { .kind = own_kind(s),
                                        .owner = s->c->name,
                                        .member = s->name,
                                        .type = source_of_descriptor(s->c, type.data, type.size) };
    return is_hidden(s, &place);
}

/* By the type alone. */
bool hides_type(const struct method_scan *s, struct text type)
{
    return is_hidden(s, &(struct redact_place){ .kind = REDACT_TYPE, .owner = s->c->name, .type = type });
}

bool hides_element(const struct method_scan *s, unsigned offset)
{
    static const char *const types[] = { "int[]", "long[]", "float[]", "double[]", "", "byte[]", "char[]", "short[]" };
    return hides_type(s, (struct text){ types[offset], strlen(types[offset]) });
}
