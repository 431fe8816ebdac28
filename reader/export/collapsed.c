/* collapsed.c - the format collapsed: a line per stack, `outermost;...;innermost weight`, as Brendan Gregg's
 * flamegraph.pl reads them. The format has no place for a comment: which weight it is goes to standard error. */
#include "reader/export/escape.h"
#include "reader/export/method_names.h"
#include "reader/export/profile.h"

static const struct escape semicolon = { ";", "\\u", ESCAPE_HEX, "", NULL };

static void stack_line(struct out *o, const struct profile *p, struct method_names *names, uint32_t node, uint64_t own)
{
    uint32_t path[PROFILE_DEPTH_MAX];
    size_t depth = 0;
    for (; node != PROFILE_NONE; node = p->nodes.items[node].parent)
        path[depth++] = p->nodes.items[node].method;
    while (depth-- > 0) {
        out_escaped(o, method_name(names, p->methods.items[path[depth]].method_id), &semicolon);
        if (depth > 0)
            out_char(o, ';');
    }
    out_format(o, " %llu\n", (unsigned long long)own);
}

bool export_collapsed(struct export_job *x)
{
    struct profile p;
    struct method_names names = { 0 };
    char note[PROFILE_NOTE_MAX];
    bool done = profile_read(&p, x) && method_names_init(&names, x);
    for (uint32_t i = 0; done && i < p.nodes.count && export_ok(x); i++)
        if (p.nodes.items[i].own[p.weights[0]] > 0)
            stack_line(x->out, &p, &names, i, p.nodes.items[i].own[p.weights[0]]);
    if (done && p.outside[p.weights[0]] > 0)
        out_format(x->out, "%s %llu\n", profile_outside, (unsigned long long)p.outside[p.weights[0]]);
    if (done && out_flush(x->out) == 0 && x->options.weight == NULL)
        (void)cli_fail(EXIT_DONE, x->session->context, "weights are %s; --weight calls, time or events chooses",
                       profile_note(&p, p.weights[0], note));
    method_names_done(&names);
    profile_done(&p);
    return done;
}
