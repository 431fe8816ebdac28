/* unwoven.c - see unwoven.h. */
#include "weaver/unwoven.h"

#include "formats/reasons.h"
#include "weaver/generated.h"
#include "weaver/trivial.h"

struct text unwoven_code(const struct classfile *cf, const struct member *m)
{
    const struct attribute *a = classfile_attribute(cf, m->first_attribute, m->attribute_count, "Code");
    if (a == NULL)
        return (struct text){ 0 };
    struct reader r = reader_of(a->data, a->length);
    (void)read_u4(&r); /* max_stack, max_locals */
    const uint32_t length = read_u4(&r);
    const void *code = read_span(&r, length);
    return (struct text){ code, code != NULL ? length : 0 };
}

const char *unwoven_why(const struct class_plan *c, const struct member *member, struct text name)
{
    const struct weave_config *config = c->config;
    if (!config->skip_generated && !config->fold_trivial)
        return NULL;
    const struct text code = unwoven_code(c->cf, member);
    const char *generated = config->skip_generated ? generated_method(c->cf, member, name, code) : NULL;
    const bool folds =
        config->fold_trivial && generated == NULL && config->triggers == NULL && name.size > 0 && name.data[0] != '<';
    return folds && trivial_method(c->cf, member, code, config->groups) ? REASON_FOLDED : generated;
}
