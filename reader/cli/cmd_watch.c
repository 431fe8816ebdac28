/* cmd_watch.c - `hindsight watch PLACE 'text {expr}'`. */
#include <stdlib.h>
#include <string.h>

#include "reader/answers/plain.h"
#include "reader/cli/watch_texts.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    const char *where, *thread;
    uint64_t from, to;
    bool entry, exit, write, csv, distinct, count, changes;
};
static const struct option_row options[] = {
    { "where", 0, "EXPR", OPTION_TEXT, offsetof(struct args, where), "only where this is true, a Java expression" },
    { "entry", 0, NULL, OPTION_FLAG, offsetof(struct args, entry),
      "as each call begins, after its parameters (default)" },
    { "exit", 0, NULL, OPTION_FLAG, offsetof(struct args, exit), "as each call ends: result, exception" },
    { "write", 0, NULL, OPTION_FLAG, offsetof(struct args, write),
      "PLACE is a field, element or variable, though a method has that name too" },
    { "thread", 0, "N", OPTION_TEXT, offsetof(struct args, thread), "only this thread: its number or name" },
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "first event that counts" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "last event that counts" },
    { "changes", 0, NULL, OPTION_FLAG, offsetof(struct args, changes),
      "only rows whose text is not that of the row before" },
    { "distinct", 0, NULL, OPTION_FLAG, offsetof(struct args, distinct), "each text only the first time" },
    { "count", 0, NULL, OPTION_FLAG, offsetof(struct args, count),
      "how many rows there are; with --distinct how many of each text" },
    { "csv", 0, NULL, OPTION_FLAG, offsetof(struct args, csv),
      "comma-separated: seq, thread, a column for each expression" },
    { 0 },
};
const struct usage usage_watch = {
    .about =
        "PLACE is Class.method, Class.method:line, or what is written: Class.field, ID.field, ID[index], "
        "Class.method:local. Each time that execution came there the text is printed with the values of the Java "
        "expressions in braces, as those of eval; {{ and }} are braces. A line is watched before its first "
        "instruction, a write just after it.\n"
        "Besides variables, fields and calls there are args[N] (arguments as passed), caller and stack (the methods "
        "around, as texts); with --exit result and exception; of writes value and object. What is not known stands in "
        "<> with its reason.",
    .example = "hindsight watch Main.half 'half of {x} for {caller}' --limit 3",
    .options = options,
};

struct view {
    const struct args *args;
    struct session *session;
    struct show show;
    struct plain_row plain; /* of --csv */
    hs_cursor *watch;
    struct watch_texts texts;
    struct text_count all; /* of all rows */
    char *before;          /* the text of the last row */
    size_t before_size;
    uint64_t shown;
    bool unknown, full;
};

static void value_json(struct view *v, const struct hs_evaluation *x)
{
    struct json *j = &v->show.out->json;
    if (x->throws != NULL || x->not_recorded != NULL) {
        json_member_text(j, x->throws != NULL ? "throws" : "not_recorded",
                         x->throws != NULL ? x->throws : x->not_recorded);
        return;
    }
    json_name(j, "value");
    if (x->text == NULL) {
        show_value_json(&v->show, x->kind, x->bits);
        return;
    }
    json_object(j);
    json_member_text(j, "type", "java.lang.String");
    json_member_text(j, "string", x->text);
    json_end(j);
}

static void values_json(struct view *v, const struct hs_watched *x)
{
    struct json *j = &v->show.out->json;
    json_name(j, "values");
    json_array(j);
    for (size_t i = 0; i < x->value_count; i++) {
        json_object(j);
        json_member_text(j, "expression", hs_watch_expression(v->watch, i));
        value_json(v, x->values[i]);
        json_end(j);
    }
    json_end(j);
}

#define ROWS "reader/answers/watched.def"
#define ROW                                                                                                            \
    struct view *watch, const struct hs_watched *x, const struct hs_class *c, const struct hs_method *m,               \
        const struct hs_dataid *d
#include "reader/answers/row.h"

#define ROWS "reader/answers/watch_counts.def"
#define ROW  const struct text_count *x
#include "reader/answers/row.h"

/* ---- csv ---- */

static void cell(struct view *v, const char *text)
{
    plain_begin(&v->plain);
    plain_text(&v->plain, "", text);
    out_char(v->show.out, ',');
    plain_csv_cell(v->show.out, v->plain.cells[0].text, v->plain.cells[0].bytes);
}

static void csv_heading(struct view *v)
{
    struct out *o = v->show.out;
    const char *expression;
    size_t i = 0;
    out_text(o, "seq,thread");
    for (; (expression = hs_watch_expression(v->watch, i)) != NULL; i++)
        cell(v, expression);
    if (i == 0)
        cell(v, "text");
    out_char(o, '\n');
}

static void csv_row(struct view *v, const struct hs_watched *x)
{
    struct out *o = v->show.out;
    out_format(o, "%llu,%u", (unsigned long long)x->event->seq, x->event->thread);
    for (size_t i = 0; i < x->value_count; i++)
        cell(v, x->texts[i]);
    if (x->value_count == 0)
        cell(v, x->text);
    out_char(o, '\n');
}

/* ---- rows ---- */

static void show_row(struct view *v, const struct hs_watched *x)
{
    struct out *o = v->show.out;
    const struct hs_dataid *d = hs_dataid_get(v->show.trace, x->event->dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(v->show.trace, d->method_id) : NULL;
    const struct hs_class *c = d != NULL ? hs_class_get(v->show.trace, d->class_no) : NULL;
    v->show.at = x->event->seq;
    if (v->args->common.json && m != NULL && c != NULL) {
        watched_json(o, v, x, c, m, d);
    } else if (v->args->csv) {
        csv_row(v, x);
    } else {
        out_format(o, "%12llu %6u  ", (unsigned long long)x->event->seq, x->event->thread);
        out_text(o, x->text);
        out_char(o, '\n');
    }
    v->shown++;
}

/* Is its text another one than that of the row before? */
static bool has_changed(struct view *v, const char *text)
{
    const size_t size = strlen(text) + 1;
    if (v->before != NULL && strcmp(v->before, text) == 0)
        return false;
    if (size > v->before_size) {
        char *more = realloc(v->before, 2 * size);
        if (more == NULL) {
            v->full = true;
            return true;
        }
        v->before = more;
        v->before_size = 2 * size;
    }
    memcpy(v->before, text, size);
    return true;
}

static void take(struct view *v, const struct hs_watched *x)
{
    const struct args *a = v->args;
    bool is_new = true;
    if (a->changes && !has_changed(v, x->text))
        return;
    v->unknown |= !x->known;
    v->all.first = v->all.times == 0 ? x->event->seq : v->all.first;
    v->all.last = x->event->seq;
    v->all.times++;
    if (a->distinct && watch_texts_add(&v->texts, x->text, x->event->seq, &is_new) == NULL)
        v->full = true;
    if (!a->count && is_new && !v->full)
        show_row(v, x);
}

static void show_counts(struct view *v)
{
    struct out *o = v->show.out;
    struct text_count **all = watch_texts_sorted(&v->texts), *whole = &v->all,
                      **list = v->args->distinct ? all : &whole;
    if (all == NULL)
        v->full = true;
    if (!v->args->common.json)
        watch_counts_heading(o);
    for (size_t i = 0; all != NULL && i < (v->args->distinct ? v->texts.by_hash.count : 1); i++, v->shown++) {
        if (v->args->distinct && v->shown >= v->args->common.limit)
            break;
        if (v->args->common.json)
            watch_counts_json(o, list[i]);
        else
            watch_counts_text(o, list[i]);
    }
    free(all);
}

static int ended(struct view *v, int more, const struct hs_error *error, uint64_t undecided)
{
    struct session *s = v->session;
    if (more < 0)
        return session_fail(s, "%s", error->text);
    if (v->full)
        return session_fail(s, "the distinct texts take more than %d MB: ask for less of them", TEXTS_BYTES_MAX >> 20);
    if (undecided > 0)
        (void)cli_fail(EXIT_DONE, s->context, "%llu times it is not known whether the condition was true",
                       (unsigned long long)undecided);
    names_empty(s, v->all.times, v->args->common.limit, "moment at this place that satisfies every option");
    return session_close(s, v->unknown || undecided > 0 ? EXIT_INCOMPLETE : EXIT_DONE);
}

static int run(struct session *s, const struct args *a, struct hs_watch_options *o)
{
    struct view v = { .args = a, .session = s, .all = { NULL, 0, HS_NO_SEQ, HS_NO_SEQ } };
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_watched *row;
    int more = 0;
    if (hs_watch_open(s->trace, o, &v.watch, &error) != 0)
        return error.code == HS_ERR_USAGE ? session_close(s, cli_fail(EXIT_USAGE, s->context, "%s", error.text))
                                          : session_fail(s, "%s", error.text);
    const bool has_plain = plain_init(&v.plain, s->trace);
    if (!has_plain || !show_init(&v.show, s->trace, &s->out)) {
        if (has_plain)
            plain_done(&v.plain);
        hs_cursor_close(v.watch);
        return session_fail(s, "out of memory");
    }
    if (a->csv && !a->count)
        csv_heading(&v);
    while (!v.full && s->out.failed == 0 && (a->count || v.shown < a->common.limit) &&
           (more = hs_watched_next(v.watch, &row, &error)) > 0)
        take(&v, row);
    if (a->count && more == 0)
        show_counts(&v);
    const uint64_t undecided = hs_watch_undecided(v.watch);
    hs_cursor_close(v.watch);
    show_done(&v.show);
    plain_done(&v.plain);
    watch_texts_done(&v.texts);
    free(v.before);
    return ended(&v, more < 0 ? -1 : 0, &error, undecided);
}

static int kind_of(const struct args *a, enum hs_watch_place *out)
{
    *out = a->write ? HS_WATCH_WRITE : a->exit ? HS_WATCH_EXIT : a->entry ? HS_WATCH_ENTRY : HS_WATCH_ANY;
    return a->write + a->exit + a->entry;
}

int cmd_watch(struct context *context)
{
    struct args a = { .to = UINT64_MAX };
    struct hs_watch_options o = HS_WATCH_OPTIONS_INIT;
    struct session s;
    u32_vec threads = { 0 };
    const char *words[2];
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_words(&a.common, words, 2);
    if (words[0] == NULL)
        return cli_fail(EXIT_USAGE, context, "PLACE is missing: Class.method, Class.method:line or Class.field");
    if (kind_of(&a, &o.kind) > 1)
        return cli_fail(EXIT_USAGE, context, "--entry, --exit and --write exclude each other");
    if (a.csv && a.common.json)
        return cli_fail(EXIT_USAGE, context, "--csv and --json exclude each other");
    if (a.csv && a.count)
        return cli_fail(EXIT_USAGE, context, "--csv has no form for --count");
    o.place = words[0];
    o.text = words[1];
    o.where = a.where;
    status = session_open_stream(&s, context, &a.common, trace);
    if (status != PARSED)
        return status;
    o.from = a.from;
    o.to = a.to;
    status = names_range_threads(&s, a.from, a.to, a.thread, &threads);
    o.threads = threads.items;
    o.thread_count = threads.count;
    status = status == PARSED ? run(&s, &a, &o) : session_close(&s, status);
    vec_free(&threads);
    return status;
}
