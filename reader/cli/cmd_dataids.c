/* cmd_dataids.c - `hindsight dataids`. */
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    const char *class_glob, *method_glob;
};
static const struct option_row options[] = {
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "only of these classes: a.b.*, or Foo" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "only of this method: get*, put(String, int), or with its descriptor" },
    { 0 },
};
const struct usage usage_dataids = {
    .about = "A data ID stands for one place in the code and one event type. attr holds its static attributes, which "
             "hindsight print shows too.",
    .example = "hindsight dataids --class Main --method main --json",
    .options = options,
};

static void text(struct show *s, const struct hs_dataid *d)
{
    struct out *o = s->out;
    out_format(o, "%8u %c  ", d->dataid, d->kind);
    out_padded(o, hs_event_name(d->event), 26);
    out_char(o, ' ');
    show_place_text(s, d);
    out_format(o, " pc %u", d->pc);
    for (uint32_t i = 0; i < d->attr_count; i++) {
        const struct hs_attr *a = d->attrs[i];
        out_format(o, " %s=", a->name);
        switch (a->type) {
        case HS_ATTR_INT: out_i64(o, a->number); break;
        case HS_ATTR_BOOL: out_text(o, a->number != 0 ? "true" : "false"); break;
        case HS_ATTR_TEXT: out_name(o, a->text); break;
        }
    }
    out_char(o, '\n');
}

#define ROWS "reader/answers/dataids.def"
#define ROW  struct show *show, const struct hs_dataid *d
#include "reader/answers/row.h"

int cmd_dataids(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct show show;
    int status = session_begin(&s, context, &a);
    if (status != PARSED)
        return status;
    if ((status = names_method(&s, a.class_glob, a.method_glob)) != PARSED)
        return session_close(&s, status);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    if (!a.common.json)
        out_format(&s.out, "%8s %s  %-26s %s\n", "data ID", "k", "event", "where");
    uint64_t left = a.common.limit;
    for (uint32_t id = 0; left > 0 && id < hs_dataid_count(s.trace); id++) {
        const struct hs_dataid *d = hs_dataid_get(s.trace, id);
        const struct hs_class *c = d != NULL ? hs_class_get(s.trace, d->class_no) : NULL;
        const struct hs_method *m = d != NULL ? hs_method_get(s.trace, d->method_id) : NULL;
        if (c == NULL || m == NULL || !hs_class_matches(a.class_glob, c->name) ||
            !hs_method_matches(a.method_glob, m->name, m->desc))
            continue;
        if (a.common.json)
            dataids_json(&s.out, &show, d);
        else
            text(&show, d);
        left--;
    }
    show_done(&show);
    names_empty(&s, a.common.limit - left, a.common.limit, "data ID of that name: nothing was woven there");
    return session_close(&s, EXIT_DONE);
}
