/* method_names.c - see method_names.h. */
#include "reader/export/method_names.h"

#include "reader/command/show.h"

bool method_names_init(struct method_names *n, struct export_job *job)
{
    n->job = job;
    bool room = out_init_memory(&n->text);
    n->text.name_max = job->session->out.name_max;
    return room || export_fail(job, "out of memory");
}

void method_names_done(struct method_names *n)
{
    if (n->text.data != NULL)
        out_done(&n->text);
}

const char *method_name(struct method_names *n, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(n->job->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(n->job->trace, m->class_no) : NULL;
    n->text.used = 0;
    if (c == NULL)
        return "?";
    show_method_text(&n->text, c->name, m->name, m->desc, "");
    out_char(&n->text, '\0');
    if (n->text.failed == 0)
        return n->text.data;
    (void)export_fail(n->job, "out of memory");
    return "?";
}
