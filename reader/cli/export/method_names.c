/* method_names.c - see method_names.h. */
#include "reader/cli/export/method_names.h"

#include "reader/cli/show.h"

bool method_names_init(struct method_names *n, hs_trace *trace, size_t name_max)
{
    n->trace = trace;
    bool room = out_init_memory(&n->text);
    n->text.name_max = name_max;
    return room;
}

void method_names_done(struct method_names *n)
{
    if (n->text.data != NULL)
        out_done(&n->text);
}

const char *method_name(struct method_names *n, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(n->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(n->trace, m->class_no) : NULL;
    n->text.used = 0;
    if (c == NULL)
        return "?";
    show_method_text(&n->text, c->name, m->name, m->desc, "");
    out_char(&n->text, '\0');
    return n->text.failed == 0 ? n->text.data : "?";
}
