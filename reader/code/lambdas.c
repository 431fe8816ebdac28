/* lambdas.c - which method an invokedynamic makes a lambda or a method reference of: argument 1 of LambdaMetafactory
 * (JVMS 4.7.23, 6.5 invokedynamic). */
#include "reader/code/code.h"

bool code_bootstrap(const struct classfile *cf, uint32_t index, struct member_ref *method, struct reader *r)
{
    const struct attribute *a = classfile_attribute(cf, cf->first_attribute, cf->attribute_count, "BootstrapMethods");
    if (a == NULL)
        return false;
    *r = reader_of(a->data, a->length);
    uint32_t count = read_u2(r), handle = 0;
    for (uint32_t i = 0; i <= index && i < count && !r->bad; i++) {
        if (i > 0)
            (void)read_span(r, 2 * (size_t)read_u2(r));
        handle = read_u2(r);
    }
    return !r->bad && index < count && cpool_method_handle(&cf->cp, handle, method);
}

bool method_lambda(const struct method *m, uint32_t pc, struct lambda_site *out)
{
    const struct insn *in = code_at(&m->code, pc);
    struct member_ref bootstrap;
    struct text name, desc;
    struct reader r;
    uint32_t index;
    const struct classfile *cf = m->classfile;
    if (in == NULL || in->op != OPC_invokedynamic ||
        !cpool_dynamic(&cf->cp, (uint32_t)in->operand, &index, &name, &desc) ||
        !code_bootstrap(cf, index, &bootstrap, &r))
        return false;
    if (!text_is(bootstrap.owner, "java/lang/invoke/LambdaMetafactory"))
        return false;
    uint32_t count = read_u2(&r);
    (void)read_u2(&r);
    out->captured = descriptor_count(desc);
    return count >= 3 && cpool_method_handle(&cf->cp, read_u2(&r), &out->method) && !r.bad;
}

const struct hs_method *hs_lambda_body(hs_trace *trace, uint32_t dataid)
{
    const struct hs_dataid *d = hs_dataid_get(trace, dataid);
    const struct hs_class *c = d != NULL ? hs_class_get(trace, d->class_no) : NULL;
    const struct method *m =
        c != NULL && d->event == EVENT_INVOKE_DYNAMIC_RESULT ? method_get(trace, d->method_id) : NULL;
    struct lambda_site site;
    struct text own;
    if (m == NULL || !method_lambda(m, d->pc, &site) ||
        !cpool_class(&m->classfile->cp, m->classfile->this_class, &own) || !text_equal(own, site.method.owner))
        return NULL;
    for (uint32_t i = 0; i < c->method_count; i++)
        if (name_is(site.method.name, c->methods[i]->name) && name_is(site.method.desc, c->methods[i]->desc))
            return c->methods[i];
    return NULL;
}
