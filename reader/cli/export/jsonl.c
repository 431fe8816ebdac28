/* jsonl.c - the format jsonl: one JSON object per line. */
#include "reader/cli/export/export.h"
#include "reader/cli/show.h"

bool export_jsonl(struct export_job *x)
{
    struct show show;
    const struct hs_event *event;
    if (!export_events_open(x))
        return false;
    if (!show_init(&show, x->trace, x->out))
        return export_fail(x, "out of memory");
    while (export_event_next(x, &event)) {
        show_event_json(&show, event);
        out_char(x->out, '\n');
    }
    show_done(&show);
    return export_ok(x);
}
