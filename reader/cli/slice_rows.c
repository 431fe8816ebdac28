/* slice_rows.c - the rows of a slice. */
#include "reader/cli/slice_rows.h"

#include <string.h>

#include "formats/event.h"
#include "reader/answers/write.h"
#include "reader/command/cause_by.h"

#define ROWS "reader/answers/slice.def"
#define ROW  struct show *show, const struct hs_slice *c
#include "reader/answers/row.h"

void slice_row_json(struct show *show, const struct hs_slice *c) { slice_json(show->out, show, c); }

/* ---- text: one line for each line of the source, with the values of its moments ---- */

/* Is the attribute "name" that of the value: of a variable or a field? */
static bool names_value(unsigned event) { return event == HS_EVENT_METHOD_ENTRY || event_has(event, USE_NAMED); }

static bool is_shown(const struct slice_line *l, const struct shown *v)
{
    for (size_t i = 0; i < l->shown_count; i++) {
        const struct shown *before = &l->shown[i];
        if (before->kind == v->kind && before->value == v->value &&
            (v->name == NULL || (before->name != NULL && strcmp(before->name, v->name) == 0)))
            return true;
    }
    return false;
}

void slice_line_close(struct show *s, struct slice_line *l)
{
    if (l->open)
        out_char(s->out, '\n');
    l->open = false;
}

const struct hs_place *decided_place(struct show *s, const struct hs_event *e, const struct hs_decision *d)
{
    static const struct hs_place unknown = { .line = -1 };
    const struct hs_place *place = d != NULL ? &d->place : NULL;
    if (place == NULL)
        (void)hs_place_of(s->trace, e, &place, NULL);
    return place != NULL ? place : &unknown;
}

/* Goes to the line of the moment; `*d` NULL: its data ID is not in the trace. */
static void go_to_line(struct show *s, struct slice_line *l, const struct hs_slice *c, const struct hs_dataid *d)
{
    struct out *o = s->out;
    const struct hs_place *place = decided_place(s, c->event, c->decision);
    if (l->open && l->distance == c->distance && l->thread == c->event->thread && l->method_id == d->method_id &&
        l->number == place->line)
        return;
    slice_line_close(s, l);
    *l = (struct slice_line){ true, c->distance, c->event->thread, d->method_id, place->line, { { 0 } }, 0 };
    out_format(o, "%4u %12llu %3u  ", c->distance, (unsigned long long)c->event->seq, c->event->thread);
    out_colour(o, COLOUR_NAME);
    show_spot_text(s, d, SPOT_OF(place));
    out_colour(o, COLOUR_NONE);
}

static void value_text(struct show *s, struct slice_line *l, const struct hs_slice *c, const struct hs_dataid *d)
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

void slice_row_text(struct show *s, struct slice_line *l, const struct hs_slice *c)
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
