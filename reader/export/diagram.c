/* diagram.c - see diagram.h. */
#include "reader/export/diagram.h"

#include <string.h>

static const struct {
    const char *name;
    bool (*run)(struct diagram *d);
} kinds[DIAGRAM_KINDS] = {
    [DIAGRAM_SEQUENCE] = { "sequence", diagram_sequence },
    [DIAGRAM_CALLS] = { "calls", diagram_calls },
    [DIAGRAM_OBJECTS] = { "objects", diagram_objects },
};

static bool choose_kind(struct diagram *d)
{
    const char *wanted = d->job->options.diagram;
    unsigned kind = d->job->options.at != UINT64_MAX ? DIAGRAM_OBJECTS : d->language->usual;
    if (wanted != NULL)
        for (kind = 0; kind < DIAGRAM_KINDS && strcmp(wanted, kinds[kind].name) != 0;)
            kind++;
    if (kind == DIAGRAM_KINDS)
        return export_wrong(d->job, "--diagram wants sequence, calls or objects, not '%s'", wanted);
    if ((d->language->kinds >> kind & 1) == 0)
        return export_wrong(d->job, "--diagram %s: %s has none; mermaid and plantuml do", kinds[kind].name,
                            d->job->exporter->name);
    d->kind = (enum diagram_kind)kind;
    return true;
}

bool diagram_export(struct export_job *x, const struct diagram_language *language)
{
    struct diagram d = { .job = x, .out = x->out, .language = language };
    d.most = x->limit != UINT64_MAX ? x->limit : DIAGRAM_PARTS;
    x->limit = UINT64_MAX; /* it counts parts, not events */
    if (!choose_kind(&d) || !export_has_stream(x))
        return false;
    if (!out_init_memory(&d.scratch))
        return export_fail(x, "out of memory");
    bool done = show_init(&d.show, x->trace, &d.scratch) || export_fail(x, "out of memory");
    if (done) {
        done = kinds[d.kind].run(&d);
        if (done)
            language->end(&d);
        show_done(&d.show);
    }
    out_done(&d.scratch);
    return done;
}
