/* cmd_diff.c - `hindsight diff A B`: where two runs differ (hs_diff_open). As text equal values in a row are one. */
#include <stdio.h>
#include <string.h>

#include "reader/answers/plain.h"
#include "reader/command/names.h"
#include "reader/command/show_decision.h"

enum { PATH_TEXT_MAX = 5 };

struct args {
    struct common common;
    const char *kind, *class_glob, *method_glob, *noise;
    bool first, fail_if_any, csv;
};
static const struct option_row options[] = {
    { "kind", 'k', "K,K", OPTION_TEXT, offsetof(struct args, kind),
      "only differences of these kinds: call, value, coverage, decision" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "only in methods of these classes" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "only in these methods: get*, put(String, int), or with the descriptor" },
    { "first", 0, NULL, OPTION_FLAG, offsetof(struct args, first),
      "only the first difference of each thread, and its first decision" },
    { "noise", 'n', "TRACE", OPTION_FILE, offsetof(struct args, noise),
      "leave out what A and this trace differ in: two runs that should be alike" },
    { "fail-if-any", 0, NULL, OPTION_FLAG, offsetof(struct args, fail_if_any),
      "exit status 1 if there is a difference, for checks" },
    { "csv", 0, NULL, OPTION_FLAG, offsetof(struct args, csv), "comma-separated, with a heading" },
    { 0 },
};
const struct usage usage_diff = {
    .about =
        "First, for each thread, the first event in which the runs differ, and the first branch that went another way "
        "in the other run: the condition, with the values that decided. Then the calls that only one run made, and "
        "the receivers, arguments, results and exits that differ in calls that both made, with the calls around them. "
        "Then the methods, and the lines of methods with the same code, that only one run reached.\n"
        "Threads are compared by name, those of one name in their order. Methods are the same by their code, else by "
        "class, name and descriptor. Strings are compared by content, other objects by type and by where they were "
        "first seen, never by id. Needs events of EXEC, and of PARAM for arguments: calls are those of recorded "
        "methods. "
        "What calls to code that is not woven are given, and return, is compared for the first difference alone.\n"
        "With --noise a place (of a value, a branch, a call) at which A and TRACE differ is left out as a whole.\n"
        "The exit status is 0 with and without differences.",
    .example = "hindsight diff trace hindsight-20261120-2031-4711 --kind call,value",
    .options = options,
};

/* --kind: names joined by commas. False: one of them is no kind. */
static bool parse_kinds(const char *text, unsigned *kinds)
{
    *kinds = 0;
    while (text != NULL) {
        const size_t length = strcspn(text, ",");
        enum hs_difference_kind kind = HS_DIFFERENCE_CALL;
        const char *name;
        for (; kind <= HS_DIFFERENCE_DECISION; kind *= 2)
            if ((name = hs_difference_kind_name(kind)) != NULL && strlen(name) == length &&
                strncmp(name, text, length) == 0)
                break;
        if (kind > HS_DIFFERENCE_DECISION)
            return false;
        *kinds |= kind;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return true;
}

/* ---- JSON and CSV ---- */

static void event_member(struct show *s, const char *name, const struct hs_event *e)
{
    if (e == NULL)
        return;
    json_name(&s->out->json, name);
    show_event_json(s, e);
}

static void differs_member(struct out *o, const struct hs_difference *x)
{
    const bool both = x->kind == HS_DIFFERENCE_CALL && x->differs != NULL;
    if (!both)
        return;
    json_name(&o->json, "differs");
    json_array(&o->json);
    for (size_t i = 0; i < x->differs_count; i++)
        json_text(&o->json, x->differs[i]);
    json_end(&o->json);
}

static void path_member(struct out *o, const struct hs_difference *x)
{
    if (!x->has_path)
        return;
    json_name(&o->json, "path");
    json_array(&o->json);
    for (size_t i = 0; i < x->path_count; i++) {
        json_object(&o->json);
        show_method_members(o, x->path[i]->class_name, x->path[i]->name, x->path[i]->desc);
        json_end(&o->json);
    }
    json_end(&o->json);
}

#define ROWS "reader/answers/diff.def"
#define ROW  struct show *shows, const struct hs_difference *x
#include "reader/answers/row.h"
#define ROWS "reader/answers/diff.def"
#define ROW  struct plain_row *other, const struct hs_difference *x
#include "reader/answers/plain_row.h"

/* ---- text ---- */

static void heading(struct out *o, const struct hs_difference *x)
{
    const char *run = x->a == NULL ? "b" : "a";
    if (x->kind == HS_DIFFERENCE_DECISION)
        out_text(o, "first decision");
    else if (x->first)
        out_text(o, "first difference");
    else if (x->kind == HS_DIFFERENCE_COVERAGE)
        out_format(o, "%s reached in %s only", x->what, run);
    else if (x->kind == HS_DIFFERENCE_CALL)
        out_format(o, "call in %s only", run);
    else
        out_text(o, x->what);
    if (x->first && (x->a == NULL || x->b == NULL))
        out_format(o, ", the other run has no %s", x->what != NULL ? "such thread" : "more events");
    if (x->times > 1)
        out_format(o, ", x%llu", (unsigned long long)x->times);
    if (x->calls > 0)
        out_format(o, ", %llu calls in it", (unsigned long long)x->calls);
}

static void path_text(struct out *o, const struct hs_difference *x)
{
    const size_t count = x->path_count, from = count > PATH_TEXT_MAX ? count - PATH_TEXT_MAX : 0;
    if (count > 0)
        out_text(o, from > 0 ? ", in ... > " : ", in ");
    for (size_t i = from; i < count; i++) {
        out_text(o, i > from ? " > " : "");
        out_name(o, x->path[i]->class_name);
        out_char(o, '.');
        out_name(o, x->path[i]->name);
    }
}

static void attribute_text(struct out *o, const struct hs_dataid *d, const char *name)
{
    for (uint32_t i = 0; d != NULL && i < d->attr_count; i++)
        if (strcmp(d->attrs[i]->name, name) == 0) {
            if (d->attrs[i]->type == HS_ATTR_TEXT)
                out_name(o, d->attrs[i]->text);
            else
                out_format(o, "%lld", (long long)d->attrs[i]->number);
            return;
        }
    out_char(o, '-');
}

/* What the lines of the two events do not show. */
static void differs_text(struct out *o, const struct show *shows, const struct hs_difference *x)
{
    for (size_t i = 0; i < x->differs_count; i++) {
        if (strcmp(x->differs[i], "name") == 0)
            continue;
        out_format(o, "    %s: a has ", x->differs[i]);
        attribute_text(o, hs_dataid_get(shows[0].trace, x->a->dataid), x->differs[i]);
        out_text(o, ", b ");
        attribute_text(o, hs_dataid_get(shows[1].trace, x->b->dataid), x->differs[i]);
        out_char(o, '\n');
    }
    const uint64_t was[2] = { x->a_was, x->b_was };
    for (int side = 0; side < 2; side++)
        if (was[side] != 0)
            out_format(o, "    before, #%llu of %s was #%llu of %s\n",
                       (unsigned long long)(side == 0 ? x->a : x->b)->value, side == 0 ? "a" : "b",
                       (unsigned long long)was[side], side == 0 ? "b" : "a");
}

static void diff_lines(struct out *o, struct show *shows, const struct hs_difference *x)
{
    const struct hs_event *events[2] = { x->a, x->b };
    const struct hs_decision *decisions[2] = { x->a_decision, x->b_decision };
    out_colour(o, COLOUR_NAME);
    heading(o, x);
    out_colour(o, COLOUR_NONE);
    path_text(o, x);
    out_char(o, '\n');
    for (int side = 0; side < 2; side++) {
        if (events[side] == NULL)
            continue;
        out_text(o, side == 0 ? "  a " : "  b ");
        if (decisions[side] == NULL) {
            show_event_text(&shows[side], events[side]);
            continue;
        }
        out_format(o, "%12llu  ", (unsigned long long)events[side]->seq);
        show_decision_text(&shows[side], decisions[side]);
        out_char(o, '\n');
    }
    differs_text(o, shows, x);
}

/* ---- rows ---- */

struct view {
    struct show shows[2];
    struct plain_row plain[2]; /* with --csv */
    struct out *out;
    const struct args *args;
    uint64_t shown;
    /* as text: a value that is shown once with those behind it that are equal; times 0: there is none */
    struct hs_difference waiting;
    struct hs_event events[2];
    const struct hs_compared_method *path[HS_DIFFERENCE_PATH_MAX];
};

static void show_waiting(struct view *v)
{
    if (v->waiting.times > 0 && v->shown < v->args->common.limit) {
        diff_lines(v->out, v->shows, &v->waiting);
        v->shown++;
    }
    v->waiting.times = 0;
}

static bool same_event(const struct hs_event *a, const struct hs_event *b)
{
    return a->thread == b->thread && a->dataid == b->dataid && a->kind == b->kind && a->value == b->value;
}

static bool is_waiting(const struct view *v, const struct hs_difference *x)
{
    const struct hs_difference *w = &v->waiting;
    return w->times > 0 && strcmp(w->what, x->what) == 0 && same_event(w->a, x->a) && same_event(w->b, x->b) &&
           w->outer == x->outer && w->path_count == x->path_count &&
           (w->path_count == 0 || memcmp(w->path, x->path, w->path_count * sizeof *w->path) == 0);
}

/* The row waits for those that are equal. */
static void add_value(struct view *v, const struct hs_difference *x)
{
    if (is_waiting(v, x)) {
        v->waiting.times++;
        return;
    }
    show_waiting(v);
    v->waiting = *x;
    v->events[0] = *x->a;
    v->events[1] = *x->b;
    if (x->path_count > 0)
        memcpy(v->path, x->path, x->path_count * sizeof *v->path);
    v->waiting.a = &v->events[0];
    v->waiting.b = &v->events[1];
    v->waiting.path = v->path;
    v->waiting.times = 1;
}

static void show_row(struct view *v, const struct hs_difference *x)
{
    if (!v->args->common.json && !v->args->csv && x->kind == HS_DIFFERENCE_VALUE && !x->first) {
        add_value(v, x);
        return;
    }
    show_waiting(v);
    if (v->shown >= v->args->common.limit)
        return;
    if (v->args->common.json) {
        diff_json(v->out, v->shows, x);
    } else if (v->args->csv) {
        plain_begin(&v->plain[1]);
        diff_plain(&v->plain[0], &v->plain[1], x);
        plain_csv(v->out, &v->plain[0]);
    } else {
        diff_lines(v->out, v->shows, x);
    }
    v->shown++;
}

/* 1: the comparison came to its end, 0, -1. */
static int show_rows(struct view *v, hs_cursor *rows, struct hs_error *error)
{
    const struct hs_difference *x;
    int more = 1;
    if (v->args->csv) {
        diff_plain_names(&v->plain[0]);
        plain_csv_heading(v->out, &v->plain[0]);
    }
    while (v->shown < v->args->common.limit && v->out->failed == 0 && (more = hs_difference_next(rows, &x, error)) > 0)
        show_row(v, x);
    show_waiting(v);
    return more < 0 ? -1 : more == 0;
}

/* ---- notes ---- */

static group_set woven_in(hs_trace *t)
{
    group_set set = GROUP_ALL;
    const char *bad, *text = hs_info(t, "weave");
    int length;
    return text != NULL && group_set_parse(text, &set, &bad, &length) ? set : GROUP_ALL;
}

/* Without a difference in what both traces have woven, which may be little. */
static void tell_empty(const struct session *a, hs_trace *b, const struct view *v)
{
    char what[256];
    const group_set in_a = woven_in(a->trace), in_b = woven_in(b);
    size_t n = (size_t)snprintf(what, sizeof what, v->args->first ? "first difference" : "difference");
    if (in_a != in_b) {
        n += (size_t)snprintf(what + n, sizeof what - n, " in the groups that both have woven: ");
        group_set_text(in_a & in_b, what + n, sizeof what - n);
    }
    names_empty(a, v->shown, v->args->common.limit, what);
}

/* ---- the command ---- */

static bool view_init(struct view *v, hs_trace *const traces[2])
{
    int made = 0;
    bool ok = true;
    for (; ok && made < 2; made++) {
        ok = show_init(&v->shows[made], traces[made], v->out);
        if (ok && !plain_init(&v->plain[made], traces[made])) {
            show_done(&v->shows[made]);
            ok = false;
        }
    }
    for (made -= ok ? 2 : 1; !ok && made > 0; made--) {
        show_done(&v->shows[made - 1]);
        plain_done(&v->plain[made - 1]);
    }
    return ok;
}

static int answer(struct session *a, hs_trace *b, hs_trace *noise, unsigned kinds, const struct args *args)
{
    struct view v = { .out = &a->out, .args = args };
    struct hs_diff_options o = HS_DIFF_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows;
    o.a = a->trace;
    o.b = b;
    o.noise = noise;
    o.kinds = kinds;
    o.class_glob = args->class_glob;
    o.method_glob = args->method_glob;
    o.first = args->first;
    if (hs_diff_open(&o, &rows, &error) != 0) {
        const int status =
            error.code == HS_ERR_NOT_FOUND ? names_method(a, args->class_glob, args->method_glob) : PARSED;
        return status == PARSED ? session_fail(a, "%s", error.text) : session_close(a, status);
    }
    if (!view_init(&v, (hs_trace *[]){ a->trace, b })) {
        hs_cursor_close(rows);
        return session_fail(a, "out of memory");
    }
    const int ended = show_rows(&v, rows, &error);
    for (int side = 0; side < 2; side++) {
        show_done(&v.shows[side]);
        plain_done(&v.plain[side]);
    }
    if (ended >= 0) {
        diff_tell_partial(rows, ended > 0, a->context);
        tell_empty(a, b, &v);
    }
    hs_cursor_close(rows);
    if (ended < 0)
        return session_fail(a, "%s", error.text);
    return session_close(a, args->fail_if_any && v.shown > 0 ? EXIT_FAILED : EXIT_DONE);
}

int cmd_diff(struct context *context)
{
    struct args args = { 0 };
    struct session sessions[3];
    unsigned kinds;
    int status = cli_parse(context, &args), opened = 0;
    if (status != PARSED)
        return status;
    if (args.common.argument_count != 2)
        return cli_fail(EXIT_USAGE, context, "name two traces; see hindsight diff -h");
    if (args.csv && args.common.json)
        return cli_fail(EXIT_USAGE, context, "--csv and --json: give one of them");
    if (!parse_kinds(args.kind, &kinds))
        return cli_fail(EXIT_USAGE, context,
                        "--kind wants call, value, coverage or decision, joined by commas, not '%s'", args.kind);
    const char *paths[] = { args.common.arguments[0], args.common.arguments[1], args.noise };
    for (; status == PARSED && opened < 3 && paths[opened] != NULL; opened += status == PARSED)
        status = session_open_stream(&sessions[opened], context, &args.common, paths[opened]);
    const bool all = status == PARSED;
    if (all)
        status = answer(&sessions[0], sessions[1].trace, opened > 2 ? sessions[2].trace : NULL, kinds, &args);
    for (int i = all; i < opened; i++) {
        const int other = session_close(&sessions[i], all ? EXIT_DONE : status);
        status = status == EXIT_DONE ? other : status;
    }
    return status;
}
