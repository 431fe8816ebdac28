/* cmd_slice.c - `hindsight slice SEQ`. */
#include <string.h>

#include "formats/event.h"
#include "formats/status.h"
#include "reader/answers/write.h"
#include "reader/command/cause_by.h"
#include "reader/command/cli.h"
#include "reader/command/show_decision.h"

struct args {
    struct common common;
    uint64_t at, to;
    bool thin, control, forward;
};
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "the event to explain, if it is not given as SEQ" },
    { "thin", 0, NULL, OPTION_FLAG, offsetof(struct args, thin),
      "values alone: no branches, nor the objects, arrays and indices by which they were reached" },
    { "control", 0, NULL, OPTION_FLAG, offsetof(struct args, control), "branches, calls and throws alone" },
    { "forward", 0, NULL, OPTION_FLAG, offsetof(struct args, forward), "what came of it, the oldest first" },
    { "to", 0, "DEPTH", OPTION_U64, offsetof(struct args, to), "up to this distance" },
    { 0 },
};
const struct usage usage_slice = {
    .source = true,
    .about =
        "All that a moment depends on, in layers: with each line the values that it had, the newest first. The first "
        "number is the distance: how many writes, calls and branches lie between. It follows every cause that `why "
        "--all --control` offers, and the objects, arrays and indices by which was written.\n"
        "--forward is the other direction: what read the value, which branches it decided, what the program wrote "
        "because of it.",
    .example = "hindsight slice 20",
    .options = options,
};

#define ROWS "reader/answers/slice.def"
#define ROW  struct show *show, const struct hs_slice *c
#include "reader/answers/row.h"

/* ---- text: one line for each line of the source, with the values of its moments ---- */

/* What the line shows already, which is not shown again. */
enum { SHOWN_MOST = 32 };
struct shown {
    const char *name; /* NULL: the value has none */
    char kind;
    uint64_t value;
};
struct line {
    bool open;
    uint32_t distance, thread, method_id;
    int32_t number;
    struct shown shown[SHOWN_MOST];
    size_t shown_count;
};

/* Is the attribute "name" that of the value: of a variable or a field? */
static bool names_value(unsigned event) { return event == HS_EVENT_METHOD_ENTRY || event_has(event, USE_NAMED); }

static bool is_shown(const struct line *l, const struct shown *v)
{
    for (size_t i = 0; i < l->shown_count; i++) {
        const struct shown *before = &l->shown[i];
        if (before->kind == v->kind && before->value == v->value &&
            (v->name == NULL || (before->name != NULL && strcmp(before->name, v->name) == 0)))
            return true;
    }
    return false;
}

static void close_line(struct show *s, struct line *l)
{
    if (l->open)
        out_char(s->out, '\n');
    l->open = false;
}

/* Goes to the line of the moment; `*d` NULL: its data ID is not in the trace. */
static void go_to_line(struct show *s, struct line *l, const struct hs_slice *c, const struct hs_dataid *d)
{
    struct out *o = s->out;
    const struct hs_place *place = c->decision != NULL ? &c->decision->place : NULL;
    if (place == NULL)
        (void)hs_place_of(s->trace, c->event, &place, NULL);
    static const struct hs_place unknown = { .line = -1 };
    if (place == NULL)
        place = &unknown;
    if (l->open && l->distance == c->distance && l->thread == c->event->thread && l->method_id == d->method_id &&
        l->number == place->line)
        return;
    close_line(s, l);
    *l = (struct line){ true, c->distance, c->event->thread, d->method_id, place->line, { { 0 } }, 0 };
    out_format(o, "%4u %12llu %3u  ", c->distance, (unsigned long long)c->event->seq, c->event->thread);
    out_colour(o, COLOUR_NAME);
    show_spot_text(s, d, SPOT_OF(place));
    out_colour(o, COLOUR_NONE);
}

static void value_text(struct show *s, struct line *l, const struct hs_slice *c, const struct hs_dataid *d)
{
    struct out *o = s->out;
    const bool has = show_has_value(s, c->event);
    const struct shown v = { has && !names_value(d->event) ? NULL : show_text_attr(d, "name"), c->event->kind,
                             c->event->value };
    if (is_shown(l, &v))
        return;
    out_text(o, l->shown_count > 0 ? "; " : "  ");
    if (v.name != NULL)
        out_name(o, v.name);
    else if (!has)
        out_text(o, hs_event_name(d->event));
    if (has) {
        out_text(o, v.name != NULL ? " " : "");
        out_colour(o, COLOUR_VALUE);
        s->at = c->event->seq;
        show_value_text(s, v.kind, v.value);
        out_colour(o, COLOUR_NONE);
    }
    if (l->shown_count < SHOWN_MOST)
        l->shown[l->shown_count++] = v;
}

static void text(struct show *s, struct line *l, const struct hs_slice *c)
{
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, c->event->dataid);
    if (d == NULL)
        return;
    go_to_line(s, l, c, d);
    if (c->decision != NULL) {
        out_text(o, l->shown_count > 0 ? "; " : "  ");
        out_name(o, c->decision->condition);
        show_decided_text(s, c->decision->relation != NULL ? ", since " : ", since it is ", c->decision);
        if (l->shown_count < SHOWN_MOST)
            l->shown[l->shown_count++] = (struct shown){ NULL, HS_KIND_VOID, c->event->seq };
    } else {
        value_text(s, l, c, d);
    }
    if (c->overflow != NULL)
        out_format(o, " (%s)", c->overflow);
    if (c->output)
        out_text(o, " (output)");
    else if (c->end != NULL && strcmp(c->end, "distance") != 0)
        out_format(o, " (%s)", c->end);
}

int cmd_slice(struct context *context)
{
    struct args a = { .at = UINT64_MAX, .to = UINT64_MAX };
    struct hs_slice_options o = HS_SLICE_OPTIONS_INIT;
    struct session s;
    struct show show;
    struct line line = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_slice *row;
    hs_cursor *rows;
    const char *trace;
    int status = cli_parse(context, &a), more = 1;
    if (status != PARSED)
        return status;
    status = cli_trace_and_seq(context, &a.common, "specify SEQ, the number of an event", &trace, &a.at);
    if (status != PARSED)
        return status;
    if (a.thin && a.control)
        return cli_fail(EXIT_USAGE, context, "--thin is without control: name one of --thin and --control");
    if ((status = session_open_stream(&s, context, &a.common, trace)) != PARSED)
        return status;
    o.seq = a.at;
    o.kind = a.thin ? HS_SLICE_THIN : a.control ? HS_SLICE_CONTROL : HS_SLICE_ALL;
    o.forward = a.forward;
    o.distance = a.to < UINT32_MAX ? (uint32_t)a.to : UINT32_MAX;
    if (hs_slice_open(s.trace, &o, &rows, &error) != 0)
        return session_refused(&s, &error);
    if (!show_init(&show, s.trace, &s.out)) {
        hs_cursor_close(rows);
        return session_fail(&s, "out of memory");
    }
    for (uint64_t left = a.common.limit; left > 0 && (more = hs_slice_next(rows, &row, &error)) > 0; left--) {
        if (a.common.json)
            slice_json(&s.out, &show, row);
        else
            text(&show, &line, row);
    }
    close_line(&show, &line);
    hs_cursor_close(rows);
    show_done(&show);
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
