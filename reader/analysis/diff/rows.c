/* rows.c - see diff.h. One difference, as JSON:
 *
 *     {"kind":"value","what":"argument","a":{event},"b":{event},"path":[{"class","method","desc"}, ...]}
 *
 * and as text: a heading, and a line for each event; equal values that follow each other once ("x24"). Of a deep stack
 * the innermost calls are shown, and the number of the others ("outer"). */
#include "reader/analysis/diff/diff.h"

#include <string.h>

enum { PATH_JSON_MAX = 100, PATH_TEXT_MAX = 5 };

static const char *kind_name(unsigned kind)
{
    return kind == DIFF_CALL ? "call" : kind == DIFF_VALUE ? "value" : "coverage";
}

/* The names of instructions in which the events of the row differ, and their values as text. */
static void attribute_text(const struct hs_dataid *d, const char *name, char *out, size_t size)
{
    (void)snprintf(out, size, "-");
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (strcmp(d->attrs[i]->name, name) == 0 && d->attrs[i]->type == HS_ATTR_TEXT)
            (void)snprintf(out, size, "%s", d->attrs[i]->text);
        else if (strcmp(d->attrs[i]->name, name) == 0)
            (void)snprintf(out, size, "%lld", (long long)d->attrs[i]->number);
}

/* Both data IDs of a row of two events of one type at different places; false: it is none. */
static bool both_sites(const struct diff *d, const struct diff_row *row, const struct hs_dataid *out[2])
{
    for (int side = 0; side < 2; side++) {
        if (row->events[side] == NULL)
            return false;
        out[side] = hs_dataid_get(d->sides[side].trace, row->events[side]->dataid);
        if (out[side] == NULL)
            return false;
    }
    return row->kind == DIFF_CALL && out[0]->event == out[1]->event;
}

/* The method as a trace has it; the class is that of the same trace. */
static const struct hs_method *method_of(const struct diff *d, uint32_t method, const struct hs_class **c)
{
    const struct diff_method *m = &d->methods.items[method];
    int side = m->rows[0] != NULL ? 0 : 1;
    *c = hs_class_get(d->sides[side].trace, m->rows[side]->class_no);
    return m->rows[side];
}

static void json_differs(struct diff *d, const struct diff_row *row)
{
    struct json *j = &d->out->json;
    const struct hs_dataid *sites[2];
    if (both_sites(d, row, sites)) {
        json_name(j, "differs");
        json_array(j);
        for (size_t i = 0; diff_attributes[i] != NULL; i++)
            if (!diff_same_attribute(d, sites[0], sites[1], diff_attributes[i]))
                json_text(j, diff_attributes[i]);
        json_end(j);
    }
    if (row->was[0] != 0)
        json_member_u64(j, "a_was", row->was[0]);
    if (row->was[1] != 0)
        json_member_u64(j, "b_was", row->was[1]);
}

static void json_row(struct diff *d, const struct diff_row *row)
{
    static const char *const names[] = { "a", "b" };
    struct json *j = &d->out->json;
    json_object(j);
    json_member_text(j, "kind", kind_name(row->kind));
    if (row->first)
        json_member_bool(j, "first", true);
    if (row->what != NULL)
        json_member_text(j, "what", row->what);
    for (int side = 0; side < 2; side++) {
        if (row->events[side] == NULL)
            continue;
        json_name(j, names[side]);
        show_event_json(&d->sides[side].show, row->events[side]);
    }
    json_differs(d, row);
    if (row->times > 0) {
        json_member_u64(j, "times", row->times);
        json_member_u64(j, "calls", row->calls);
    }
    if (row->path != NULL) {
        size_t count = row->path->count, from = count > PATH_JSON_MAX ? count - PATH_JSON_MAX : 0;
        json_name(j, "path");
        json_array(j);
        for (size_t i = from; i < count; i++) {
            const struct hs_class *c;
            const struct hs_method *m = method_of(d, row->path->items[i], &c);
            json_object(j);
            show_method_members(d->out, c != NULL ? c->name : "?", m->name, m->desc);
            json_end(j);
        }
        json_end(j);
        if (from > 0)
            json_member_u64(j, "outer", from);
    }
    json_end_line(j);
}

static void heading(struct diff *d, const struct diff_row *row)
{
    struct out *o = d->out;
    const char *run = row->events[0] == NULL ? "b" : "a";
    bool both = row->events[0] != NULL && row->events[1] != NULL;
    if (row->first)
        out_text(o, "first difference");
    else if (row->kind == DIFF_COVERAGE)
        out_format(o, "%s reached in %s only", row->what, run);
    else if (row->kind == DIFF_CALL)
        out_format(o, "call in %s only", run);
    else
        out_text(o, row->what);
    if (row->first && !both)
        out_format(o, ", the other run has no %s", row->what != NULL ? "such thread" : "more events");
    if (row->times > 1)
        out_format(o, ", x%llu", (unsigned long long)row->times);
    if (row->calls > 0)
        out_format(o, ", %llu calls in it", (unsigned long long)row->calls);
}

/* What the lines of the two events do not show. */
static void text_differs(struct diff *d, const struct diff_row *row)
{
    struct out *o = d->out;
    const struct hs_dataid *sites[2];
    bool both = both_sites(d, row, sites);
    for (size_t i = 0; both && diff_attributes[i] != NULL; i++) {
        char a[256], b[256];
        if (strcmp(diff_attributes[i], "name") == 0 || diff_same_attribute(d, sites[0], sites[1], diff_attributes[i]))
            continue;
        attribute_text(sites[0], diff_attributes[i], a, sizeof a);
        attribute_text(sites[1], diff_attributes[i], b, sizeof b);
        out_format(o, "    %s: a has ", diff_attributes[i]);
        out_name(o, a);
        out_text(o, ", b ");
        out_name(o, b);
        out_char(o, '\n');
    }
    for (int side = 0; side < 2; side++) {
        if (row->was[side] == 0)
            continue;
        out_format(o, "    before, #%llu of %s was #%u of %s\n", (unsigned long long)row->events[side]->value,
                   side == 0 ? "a" : "b", row->was[side], side == 0 ? "b" : "a");
    }
}

static void text_row(struct diff *d, const struct diff_row *row)
{
    struct out *o = d->out;
    out_colour(o, COLOUR_NAME);
    heading(d, row);
    out_colour(o, COLOUR_NONE);
    if (row->path != NULL && row->path->count > 0) {
        size_t count = row->path->count, from = count > PATH_TEXT_MAX ? count - PATH_TEXT_MAX : 0;
        out_text(o, from > 0 ? ", in ... > " : ", in ");
        for (size_t i = from; i < count; i++) {
            const struct hs_class *c;
            const struct hs_method *m = method_of(d, row->path->items[i], &c);
            out_text(o, i > from ? " > " : "");
            out_name(o, c != NULL ? c->name : "?");
            out_char(o, '.');
            out_name(o, m->name);
        }
    }
    out_char(o, '\n');
    for (int side = 0; side < 2; side++) {
        if (row->events[side] == NULL)
            continue;
        out_text(o, side == 0 ? "  a " : "  b ");
        show_event_text(&d->sides[side].show, row->events[side]);
    }
    text_differs(d, row);
}

static void show_row(struct diff *d, const struct diff_row *row)
{
    if (diff_full(d))
        return;
    (d->json ? json_row : text_row)(d, row);
    d->found++;
}

/* ---- value rows as text ---- */

static bool same_event(const struct hs_event *a, const struct hs_event *b)
{
    return a->thread == b->thread && a->dataid == b->dataid && a->kind == b->kind && a->value == b->value;
}

static bool same_as_waiting(const struct diff_waiting *w, const struct diff_row *row)
{
    return w->times > 0 && strcmp(w->what, row->what) == 0 && same_event(&w->events[0], row->events[0]) &&
           same_event(&w->events[1], row->events[1]) && w->path.count == row->path->count &&
           (w->path.count == 0 || memcmp(w->path.items, row->path->items, w->path.count * sizeof *w->path.items) == 0);
}

static void show_waiting(struct diff *d)
{
    struct diff_waiting *w = &d->waiting;
    if (w->times > 0)
        show_row(d, &(struct diff_row){ .kind = DIFF_VALUE,
                                        .what = w->what,
                                        .events = { &w->events[0], &w->events[1] },
                                        .path = &w->path,
                                        .times = w->times,
                                        .was = { w->was[0], w->was[1] } });
    w->times = 0;
}

/* The row waits for those that are equal; without memory it is shown. */
static void add_value(struct diff *d, const struct diff_row *row)
{
    struct diff_waiting *w = &d->waiting;
    if (same_as_waiting(w, row)) {
        w->times++;
        return;
    }
    show_waiting(d);
    w->path.count = 0;
    if (!vec_extend(&w->path, row->path->count)) {
        show_row(d, row);
        return;
    }
    for (size_t i = 0; i < row->path->count; i++)
        w->path.items[i] = row->path->items[i];
    w->events[0] = *row->events[0];
    w->events[1] = *row->events[1];
    w->what = row->what;
    w->was[0] = row->was[0];
    w->was[1] = row->was[1];
    w->times = 1;
}

/* ---- all rows ---- */

void diff_row(struct diff *d, const struct diff_row *of)
{
    struct diff_row both = *of;
    const struct diff_row *row = &both;
    for (int side = 0; side < 2 && of->kind == DIFF_VALUE; side++)
        both.was[side] = d->was[side];
    if ((d->kinds & row->kind) == 0 || diff_full(d))
        return;
    if (!d->json && row->kind == DIFF_VALUE && !row->first) {
        add_value(d, row);
        return;
    }
    show_waiting(d);
    show_row(d, row);
}

void diff_rows_end(struct diff *d)
{
    show_waiting(d);
    vec_free(&d->waiting.path);
}
