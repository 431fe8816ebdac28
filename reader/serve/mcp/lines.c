/* lines.c - the tool `source`: the lines of a class or method, and how often each ran.
 *
 * A line ran as often as the most frequent of its data IDs was reached: each place in it gives one event a time, and
 * not all places of a line are reached. With sources the lines between those with code are shown as well. */
#include <stdlib.h>
#include <string.h>

#include "formats/vec.h"
#include "reader/command/names.h"
#include "reader/command/show.h"
#include "reader/serve/mcp/mcp.h"

/* One data ID of a line. */
struct place {
    const struct hs_class *class;
    const char *method;
    struct spot spot;
    uint64_t times;
};
typedef VEC(struct place) place_vec;

/* What is asked for; a moment is that of its method. */
struct wanted {
    const char *class_glob, *method_glob;
    const struct hs_dataid *at; /* NULL: not given */
};

static const char *file_of(const struct place *p) { return p->spot.file != NULL ? p->spot.file : ""; }

static int by_line(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    int order = strcmp(a->class->name, b->class->name);
    if (order == 0)
        order = (a->class->class_no > b->class->class_no) - (a->class->class_no < b->class->class_no);
    if (order == 0)
        order = strcmp(file_of(a), file_of(b));
    if (order == 0)
        order = (a->spot.line > b->spot.line) - (a->spot.line < b->spot.line);
    return order != 0 ? order : strcmp(a->method, b->method);
}

static bool add_class(hs_trace *t, const struct wanted *w, const struct hs_class *class, const uint64_t *counts,
                      place_vec *places)
{
    for (uint32_t i = 0; i < class->dataid_count; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, class->first_dataid + i);
        const struct hs_method *m = d != NULL && d->line >= 0 ? hs_method_get(t, d->method_id) : NULL;
        if (m == NULL || (w->at != NULL && d->method_id != w->at->method_id) ||
            !hs_method_matches(w->method_glob, m->name, m->desc))
            continue;
        struct place *p = vec_push(places);
        if (p == NULL)
            return false;
        *p = (struct place){ class, m->name, SPOT_OF(d), counts[d->dataid] };
    }
    return true;
}

static bool find_places(struct session *s, const struct wanted *w, place_vec *places)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_class *class;
    hs_cursor *classes;
    uint64_t *counts = calloc((size_t)hs_dataid_count(s->trace) + 1, sizeof *counts);
    if (counts == NULL || hs_count_dataids(s->trace, counts, NULL, &error) != 0 ||
        hs_classes_open(s->trace, &classes, &error) != 0) {
        free(counts);
        (void)cli_fail(EXIT_FAILED, s->context, "%s", error.text[0] != '\0' ? error.text : "out of memory");
        return false;
    }
    bool room = true;
    while (room && hs_class_next(classes, &class, NULL) > 0)
        if (w->at != NULL ? class->class_no == w->at->class_no : hs_class_matches(w->class_glob, class->name))
            room = add_class(s->trace, w, class, counts, places);
    free(counts);
    hs_cursor_close(classes);
    if (places->count > 0)
        qsort(places->items, places->count, sizeof *places->items, by_line);
    if (!room)
        (void)cli_fail(EXIT_FAILED, s->context, "out of memory");
    return room;
}

static uint64_t most_times(const struct place *places, size_t count)
{
    uint64_t times = 0;
    for (size_t i = 0; i < count; i++)
        times = places[i].times > times ? places[i].times : times;
    return times;
}

static void methods_member(struct out *o, const struct place *places, size_t count)
{
    if (count == 0)
        return;
    json_name(&o->json, "methods");
    json_array(&o->json);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(places[i].method, places[i - 1].method) != 0)
            out_json_name(o, places[i].method);
    json_end(&o->json);
}

#define ROWS "reader/answers/lines.def"
#define ROW                                                                                                            \
    struct show *show, const struct hs_class *class, struct spot spot, const struct place *places, size_t count,       \
        bool here
#include "reader/answers/row.h"

static void show_lines(struct show *show, const struct wanted *w, const place_vec *places)
{
    size_t end;
    for (size_t i = 0; i < places->count && show->out->failed == 0; i = end) {
        const struct place *p = &places->items[i];
        for (end = i + 1; end < places->count && places->items[end].class == p->class &&
                          spot_equal(places->items[end].spot, p->spot);)
            end++;
        lines_json(show->out, show, p->class, p->spot, p, end - i,
                   w->at != NULL && spot_equal(SPOT_OF(w->at), p->spot));
        const struct place *next = end < places->count ? &places->items[end] : NULL;
        if (next == NULL || next->class != p->class || strcmp(file_of(next), file_of(p)) != 0 ||
            show->out->source_line == NULL)
            continue;
        for (struct spot s = { p->spot.file, p->spot.line + 1 }; s.line < next->spot.line && show->out->failed == 0;
             s.line++)
            if (show->out->source_line(show->out->sources, p->class, s) != NULL)
                lines_json(show->out, show, p->class, s, NULL, 0, false);
    }
}

/* PARSED, or an exit status. */
static int read_wanted(struct call *c, struct session *s, struct wanted *w, char numbers[2][JSON_NUMBER_MAX])
{
    uint64_t at = UINT64_MAX;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    w->class_glob = call_text(c, "class", numbers[0]);
    w->method_glob = call_text(c, "method", numbers[1]);
    if (!call_u64(c, "at", &at) && w->class_glob == NULL)
        return cli_fail(EXIT_USAGE, s->context, "say a class, or the seq of a moment as `at`");
    int status = names_moment(s, at);
    if (status == PARSED && at == UINT64_MAX)
        return names_method(s, w->class_glob, w->method_glob);
    if (status != PARSED)
        return status;
    if (hs_event_at(s->trace, at, &e, &error) != 0)
        return cli_fail(EXIT_FAILED, s->context, "%s", error.text);
    w->at = hs_dataid_get(s->trace, e->dataid);
    w->class_glob = w->method_glob = NULL;
    return w->at != NULL ? PARSED : cli_fail(EXIT_FAILED, s->context, "the place of this event is not known");
}

bool tool_source(struct call *c)
{
    struct session s;
    struct rows rows;
    struct show show;
    struct wanted w = { 0 };
    char numbers[2][JSON_NUMBER_MAX];
    place_vec places = { 0 };
    if (!call_begin_rows(c, &s, &rows))
        return false;
    bool ok = read_wanted(c, &s, &w, numbers) == PARSED && find_places(&s, &w, &places);
    if (ok && show_init(&show, s.trace, &s.out)) {
        show_lines(&show, &w, &places);
        show_done(&show);
    }
    if (ok)
        names_empty(&s, places.count, 1, "line: the class has no line numbers, or none of its code was recorded");
    vec_free(&places);
    return call_end_rows(c, &s, &rows, ok);
}
