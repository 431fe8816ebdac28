/* watch.c - hs_watch_open: the events of a place, and at each the values of expressions that were read once. */
#include <stdlib.h>
#include <string.h>

#include "reader/session/evaluating.h"
#include "reader/session/watch_place.h"

struct watch {
    hs_cursor base;
    struct nav *nav;
    struct watch_place place;
    struct template template;
    struct expression_tree *condition;
    hs_cursor *events, *writes; /* of WRITE the second, else the first */
    uint64_t to;
    u32_vec threads; /* of writes; none: all */
    uint64_t undecided;
    bool shown;    /* an expression had a value, or none for a reason of its moment */
    uint64_t read; /* phase_resume */
    /* the row */
    struct hs_event event;
    struct hs_watched row;
    struct hs_evaluation *values;
    const struct hs_evaluation **value_list;
    const char **texts;
    size_t *text_at; /* where each begins in `pieces` */
    struct arena arena;
    struct writer text, pieces; /* the whole, and each expression's with a NUL behind it */
};

static int next_row(hs_cursor *base, const void **row, struct hs_error *error);

static void close_watch(hs_cursor *base)
{
    struct watch *w = (struct watch *)base;
    hs_cursor_close(w->events);
    hs_cursor_close(w->writes);
    expression_free(w->condition);
    template_done(&w->template);
    watch_place_done(&w->place);
    vec_free(&w->threads);
    free(w->values);
    free(w->value_list);
    free(w->texts);
    free(w->text_at);
    writer_free(&w->pieces);
    arena_done(&w->arena);
    writer_free(&w->text);
    nav_close(w->nav);
    free(w);
}
static const struct cursor_ops watch_ops = { .row = ROW_watched, .next = next_row, .close = close_watch };

/* ---- where rows are ---- */

static bool of_thread(const struct watch *w, uint32_t thread)
{
    for (size_t i = 0; i < w->threads.count; i++)
        if (w->threads.items[i] == thread)
            return true;
    return w->threads.count == 0;
}

/* The next event of the place, in w->event; `*object`: that it wrote to. 1, 0, -1. */
static int next_event(struct watch *w, uint64_t *object, struct hs_error *error)
{
    const struct hs_event *event;
    const struct hs_write *write;
    int more;
    *object = 0;
    if (w->writes == NULL) {
        if ((more = hs_event_next(w->events, &event, error)) > 0)
            w->event = *event;
        return more;
    }
    while ((more = hs_write_next(w->writes, &write, error)) > 0) {
        if (write->event->seq > w->to)
            return 0;
        if (write->left_out != 0 || !of_thread(w, write->event->thread))
            continue;
        w->event = *write->event;
        *object = write->object;
        return 1;
    }
    return more;
}

/* ---- a row ---- */

/* What is not known, or thrown, in its place in the text. */
static void write_reason(struct writer *out, const char *begin, const char *text)
{
    write_u1(out, '<');
    write_bytes(out, begin, strlen(begin));
    write_bytes(out, text, strlen(text));
    write_u1(out, '>');
}

/* An expression that nothing at the place has a name for is a mistake, unless the place is several methods. */
static enum status evaluate_part(struct watch *w, struct moment_host *h, const struct template_part *part,
                                 struct hs_evaluation *out, struct error *err)
{
    struct expression_value v = moment_evaluate(h, part->tree->root);
    const bool nameless = h->evaluation.nameless;
    if (h->evaluation.status == ERR_USAGE && !(nameless && !w->shown)) {
        const size_t size = strlen(err->text) + 1;
        char *copy = arena_chars(&w->arena, size);
        h->evaluation.status = OK;
        h->evaluation.nameless = false;
        v = expression_unknown;
        v.missing = copy != NULL ? memcpy(copy, err->text, size) : "out of memory";
    }
    if (h->evaluation.status != OK)
        return h->evaluation.status;
    w->shown = true;
    evaluation_of(&v, out);
    if (out->throws != NULL)
        write_reason(&w->text, "throws ", out->throws);
    else if (out->not_recorded != NULL)
        write_reason(&w->text, "not recorded: ", out->not_recorded);
    else
        moment_text(h, &v, &w->text);
    return h->evaluation.status;
}

static enum status make_row(struct watch *w, struct moment_host *h, struct error *err)
{
    size_t n = 0;
    w->text.size = w->pieces.size = 0;
    w->row.known = true;
    for (size_t i = 0; i < w->template.parts.count; i++) {
        const struct template_part *part = &w->template.parts.items[i];
        if (part->tree == NULL) {
            write_bytes(&w->text, part->text, part->size);
            continue;
        }
        const size_t at = w->text.size;
        const enum status st = evaluate_part(w, h, part, &w->values[n], err);
        if (st != OK)
            return st;
        w->text_at[n] = w->pieces.size;
        write_bytes(&w->pieces, w->text.data + at, w->text.size - at);
        write_u1(&w->pieces, 0);
        w->row.known &= w->values[n++].not_recorded == NULL;
    }
    write_u1(&w->text, 0);
    if (w->text.bad || w->pieces.bad)
        return nav_memory(w->nav, err);
    for (size_t i = 0; i < n; i++)
        w->texts[i] = (const char *)w->pieces.data + w->text_at[i];
    w->row.event = &w->event;
    w->row.text = (const char *)w->text.data;
    return OK;
}

/* The row of the event; `*yes` false: its condition is not true. */
static enum status at_event(struct watch *w, uint64_t object, bool *yes, struct error *err)
{
    const struct moment_names names = { w->place.kind, &w->event, object };
    struct moment_host h;
    arena_clear(&w->arena);
    nav_stand(w->nav, &w->event);
    moment_begin(&h, w->nav, w->event.thread, 0, &names, &w->arena, err);
    const enum expression_answer answer = w->condition != NULL ? moment_decide(&h, w->condition->root) : EXPRESSION_YES;
    if (answer == EXPRESSION_NOT_KNOWN && h.evaluation.nameless && !w->shown && h.evaluation.status == OK)
        h.evaluation.status = ERR_USAGE; /* the sentence is in err */
    w->undecided += answer == EXPRESSION_NOT_KNOWN;
    *yes = answer == EXPRESSION_YES && h.evaluation.status == OK;
    enum status st = h.evaluation.status;
    if (*yes)
        st = make_row(w, &h, err);
    const enum status ended = moment_end(&h);
    return st != OK ? st : ended;
}

static int next_row(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct watch *w = (struct watch *)base;
    struct phase phase PHASE_ENDS = trace_phase_resume(w->nav->trace, "watch", &w->read);
    struct error err = { 0 };
    uint64_t object;
    int more;
    while ((more = next_event(w, &object, error)) > 0) {
        bool yes = true;
        if (at_event(w, object, &yes, &err) != OK)
            return give(error, &err);
        if (!yes)
            continue;
        *row = &w->row;
        return 1;
    }
    return more;
}

/* ---- opening ---- */

static enum status open_events(struct watch *w, const struct hs_watch_options *o, struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_filter filter = HS_FILTER_ALL;
    hs_trace *t = w->nav->trace;
    if (w->place.kind == HS_WATCH_WRITE) {
        for (size_t i = 0; i < o->thread_count; i++) {
            uint32_t *to = vec_push(&w->threads);
            if (to == NULL)
                return nav_memory(w->nav, err);
            *to = o->threads[i];
        }
        if (hs_history_open(t, o->place, &w->writes, &error) != 0 ||
            (o->from > 0 && hs_cursor_seek(w->writes, o->from, &error) != 0))
            return state_take(&error, err);
        return OK;
    }
    filter.from = o->from;
    filter.to = o->to;
    filter.threads = o->threads;
    filter.thread_count = o->thread_count;
    return cursor_open_ids(t, &filter, w->place.ids.items, w->place.ids.count, &w->events, &error) == 0
               ? OK
               : state_take(&error, err);
}

static enum status open_watch(struct watch *w, hs_trace *t, const struct hs_watch_options *o, struct error *err)
{
    index_wish(t);
    w->to = o->to;
    enum status st = template_parse(o->text != NULL ? o->text : "", &w->template, err);
    if (st == OK && o->where != NULL)
        st = expression_parse(o->where, &w->condition, err);
    if (st == OK)
        st = nav_open(t, &w->nav, err);
    if (st == OK)
        w->nav->fields = field_watch_new(t);
    if (st == OK)
        st = watch_place_find(w->nav, o->kind, o->place, true, &w->place, err);
    if (st != OK)
        return st;
    const size_t n = w->template.expressions;
    w->values = calloc(n + 1, sizeof *w->values);
    w->value_list = calloc(n + 1, sizeof *w->value_list);
    w->texts = calloc(n + 1, sizeof *w->texts);
    w->text_at = calloc(n + 1, sizeof *w->text_at);
    if (w->values == NULL || w->value_list == NULL || w->texts == NULL || w->text_at == NULL)
        return nav_memory(w->nav, err);
    for (size_t i = 0; i < n; i++)
        w->value_list[i] = &w->values[i];
    w->row.values = w->value_list;
    w->row.texts = w->texts;
    w->row.value_count = n;
    return open_events(w, o, err);
}

int hs_watch_open(hs_trace *trace, const struct hs_watch_options *options, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "watch");
    struct error err = { 0 };
    struct watch *w = options->size == sizeof *options ? calloc(1, sizeof *w) : NULL;
    if (w == NULL) {
        (void)(options->size != sizeof *options ? error_set(&err, ERR_USAGE, "hs_watch_options has an unknown size")
                                                : state_memory(trace, &err));
        return give(error, &err);
    }
    w->base.ops = &watch_ops;
    if (open_watch(w, trace, options, &err) != OK) {
        close_watch(&w->base);
        return give(error, &err);
    }
    *out = &w->base;
    return 0;
}

const char *hs_watch_expression(const hs_cursor *watch, size_t i)
{
    const struct watch *w = (const struct watch *)watch;
    for (size_t k = 0; watch->ops == &watch_ops && k < w->template.parts.count; k++)
        if (w->template.parts.items[k].tree != NULL && i-- == 0)
            return w->template.parts.items[k].text;
    return NULL;
}

enum hs_watch_place hs_watch_kind(const hs_cursor *watch)
{
    return watch->ops == &watch_ops ? ((const struct watch *)watch)->place.kind : HS_WATCH_ANY;
}

uint64_t hs_watch_undecided(const hs_cursor *watch)
{
    return watch->ops == &watch_ops ? ((const struct watch *)watch)->undecided : 0;
}
