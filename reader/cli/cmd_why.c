/* cmd_why.c - `hindsight why SEQ`. */
#include "formats/status.h"
#include "formats/vec.h"
#include "reader/answers/write.h"
#include "reader/cli/slice_rows.h"
#include "reader/command/cause_by.h"
#include "reader/command/cli.h"
#include "reader/command/suspect_runs.h"

struct args {
    struct common common;
    uint64_t at, depth;
    const char *choose;
    bool all, control, under;
};
/* Deeper than this JSON does not nest: an object and an array a moment, and a few in the moment itself. */
enum { JSON_CAUSES_MAX = (JSON_DEPTH_MAX - 4) / 2 };
enum { ORIGIN_LINES_MAX = 20, ORIGIN_MOMENTS_MAX = 2000 }; /* behind the chain of --control */
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "the event to explain, if it is not given as SEQ" },
    { "choose", 0, "B.C,...", OPTION_TEXT, offsetof(struct args, choose),
      "at branch B follow choice C, as they are numbered in the answer; may name several" },
    { "all", 0, NULL, OPTION_FLAG, offsetof(struct args, all), "follow all choices: the tree of all causes" },
    { "control", 0, NULL, OPTION_FLAG, offsetof(struct args, control),
      "why it happened: the branches and calls that it stands under, up to the entry of the thread; with --all both" },
    { "under", 0, NULL, OPTION_FLAG, offsetof(struct args, under), "with each moment the branch that it stands under" },
    { "depth", 0, "N", OPTION_U64, offsetof(struct args, depth),
      "of the tree of --all; 16 if not given, with --json at most 30" },
    { 0 },
};
const struct usage usage_why = {
    .source = true,
    .about =
        "Follows the value of an event back: from a load to the last store, from a parameter to the caller's argument, "
        "from a result to the callee's return, and from a computed value to the operand that is unusual: that wrapped, "
        "or is 0 or negative where the other is not; else to the first that is no constant.\n"
        "Through code that is not woven it follows the same object to where it was last given to such code "
        "(\"by\":\"identity\" in JSON), of numbers and strings an equal value, which is probable (\"equal\"), or what "
        "the code was given when it computed the value, which is possible (\"computed\").\n"
        "Where a value has several causes they are numbered, as [1.2]: --choose 1.2 follows that one. The last line "
        "says why the chain ends.\n"
        "--control says why an event happened at all, be it one with a value or not: the branches that were taken, "
        "with the condition that held and its values, the calls, and the throw that a handler caught. Behind that "
        "chain "
        "stand the nearest lines that it depends on and that the chain does not name, as `slice` shows them, 20 at "
        "most.",
    .example = "hindsight why 20",
    .options = options,
};

/* ---- JSON ---- */

static void choices_member(struct show *s, const struct hs_cause *c, uint32_t branch)
{
    struct json *j = &s->out->json;
    if (branch == 0)
        return;
    json_name(j, "choices");
    json_array(j);
    for (size_t i = 0; i < c->choice_count; i++) {
        const struct hs_choice *choice = c->choices[i];
        json_object(j);
        json_member_u64(j, "seq", choice->event->seq);
        out_member_name(s->out, "role", choice->role);
        answers_text(s->out, "by", by_name(choice->by));
        if (show_has_value(s, choice->event)) {
            json_name(j, "value");
            show_value_json(s, choice->event->kind, choice->event->value);
        }
        out_member_cut(s->out);
        json_end(j);
    }
    json_end(j);
}

static void operands_member(struct out *o, const struct hs_cause *c)
{
    if (c->operand_count > 0)
        json_member_u64s(&o->json, "operands", c->operands, c->operand_count);
}

/* The object of a cause stays open. */
#define ROWS "reader/answers/causes.def"
#define ROW  struct show *show, const struct hs_cause *c, uint32_t branch
#define ROW_END
#include "reader/answers/row.h"

static void json(struct show *s, const struct hs_cause *c)
{
    causes_json(s->out, s, c, c->branch);
    json_end_line(&s->out->json);
}

/* Closes the object of a moment, and what encloses it down to the list of the moments at `depth`. */
static void close_to(struct json *j, uint32_t open, uint32_t depth)
{
    for (; open > depth; open--) {
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

/* The tree as one object: "causes" of a moment are those that follow it and lie one deeper. */
static void tree_json(struct show *s, hs_cursor *causes)
{
    struct json *j = &s->out->json;
    const struct hs_cause *c;
    bool first = true;
    uint32_t open = 0; /* depth of the moment whose object is open */
    while (hs_cause_next(causes, &c, NULL) > 0) {
        if (c->depth > open) {
            json_name(j, "causes");
            json_array(j);
        } else if (!first) {
            close_to(j, open, c->depth);
        }
        causes_json(s->out, s, c, 0);
        open = c->depth;
        first = false;
    }
    for (; open > 0; open--) {
        json_end(j);
        json_end(j);
    }
    json_end_line(j);
}

/* ---- text ---- */

enum { INDENT = 22, TREE_INDENT_MAX = 40 };

static void choices_text(struct show *s, const struct hs_cause *c)
{
    struct out *o = s->out;
    for (size_t i = 0; c->branch > 0 && i < c->choice_count; i++) {
        const struct hs_choice *choice = c->choices[i];
        out_format(o, "%*s[%u.%zu] seq %llu: ", INDENT, "", c->branch, i + 1, (unsigned long long)choice->event->seq);
        if (show_has_value(s, choice->event)) {
            show_value_text(s, choice->event->kind, choice->event->value);
            out_text(o, ", ");
        }
        out_format(o, "%s%s\n", choice->role, c->chosen == i + 1 ? " (followed)" : "");
    }
}

static void decision_text(struct show *s, const char *begin, const struct hs_decision *d)
{
    out_format(s->out, "%*s%s", INDENT, "", begin);
    show_decision_text(s, d);
    out_char(s->out, '\n');
}

static void text(struct show *s, const struct hs_cause *c)
{
    struct out *o = s->out;
    show_event_text(s, c->event);
    out_colour(o, COLOUR_DIM);
    if (c->decision != NULL && c->decision->seq == c->event->seq)
        decision_text(s, "", c->decision);
    out_format(o, "%*s%s\n", INDENT, "", c->because);
    if (c->decision != NULL && c->decision->seq != c->event->seq)
        decision_text(s, "under ", c->decision);
    choices_text(s, c);
    if (c->end != NULL)
        out_format(o, "%*s(%s)\n", INDENT, "", c->end);
    out_colour(o, COLOUR_NONE);
}

static void tree_text(struct show *s, const struct hs_cause *c)
{
    struct out *o = s->out;
    int indent = c->depth * 2 < TREE_INDENT_MAX ? (int)c->depth * 2 : TREE_INDENT_MAX;
    out_format(o, "%12llu  %*s", (unsigned long long)c->event->seq, indent, "");
    out_colour(o, COLOUR_VALUE);
    s->at = c->event->seq;
    if (show_has_value(s, c->event))
        show_value_text(s, c->event->kind, c->event->value);
    out_colour(o, COLOUR_NONE);
    out_text(o, "  ");
    show_event_place_text(s, c->event);
    out_colour(o, COLOUR_DIM);
    if (c->decision != NULL) {
        out_text(o, c->decision->seq == c->event->seq ? "  " : "  under ");
        show_decision_text(s, c->decision);
    }
    out_format(o, "  %s", c->because);
    if (c->end != NULL)
        out_format(o, " (%s)", c->end);
    out_colour(o, COLOUR_NONE);
    out_char(o, '\n');
}

static void show_tree(struct show *s, hs_cursor *causes, bool as_json)
{
    const struct hs_cause *c;
    if (as_json)
        tree_json(s, causes);
    while (hs_cause_next(causes, &c, NULL) > 0)
        tree_text(s, c);
}

/* ---- behind the chain of --control what its values came from ---- */

struct line_named {
    uint32_t method_id;
    int32_t line;
};
typedef VEC(struct line_named) named_vec;

static bool is_named(const named_vec *v, const struct line_named *x)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->items[i].method_id == x->method_id && v->items[i].line == x->line)
            return true;
    return false;
}

/* False: it is named already, or one of a test framework, or out of memory. */
static bool name_line(struct show *s, named_vec *v, const struct hs_event *e, const struct hs_decision *d)
{
    const struct hs_dataid *site = hs_dataid_get(s->trace, e->dataid);
    const struct line_named x = { site != NULL ? site->method_id : 0, decided_place(s, e, d)->line };
    const struct hs_class *c = site != NULL ? hs_class_get(s->trace, site->class_no) : NULL;
    if (c == NULL || x.line < 0 || test_library(c->name) || is_named(v, &x))
        return false;
    struct line_named *to = vec_push(v);
    if (to != NULL)
        *to = x;
    return to != NULL;
}

/* The nearest lines of the slice that the chain does not name: 0, or -1 and the error. */
static int show_origins(struct show *s, named_vec *named, uint64_t seq, uint64_t left, bool as_json,
                        struct hs_error *error)
{
    struct hs_slice_options o = HS_SLICE_OPTIONS_INIT;
    struct slice_line line = { 0 };
    const struct hs_slice *row;
    hs_cursor *rows;
    int more = 1;
    o.seq = seq;
    if (hs_slice_open(s->trace, &o, &rows, error) != 0)
        return -1;
    for (uint64_t moments = 0, lines = 0; left > 0 && lines < ORIGIN_LINES_MAX && moments < ORIGIN_MOMENTS_MAX;
         moments++) {
        if ((more = hs_slice_next(rows, &row, error)) <= 0)
            break;
        if (!name_line(s, named, row->event, row->decision))
            continue;
        if (lines == 0 && !as_json)
            out_format(s->out, "\nwhat it depends on, nearest first (slice has all):\n");
        lines++;
        left--;
        if (as_json)
            slice_row_json(s, row);
        else
            slice_row_text(s, &line, row);
    }
    slice_line_close(s, &line);
    hs_cursor_close(rows);
    return more < 0 ? -1 : 0;
}

/* 0, or -1 and the error. */
static int show_chain(struct show *s, hs_cursor *causes, const struct args *a, struct hs_error *error)
{
    const struct hs_cause *c;
    named_vec named = { 0 };
    uint64_t shown = 0;
    for (; hs_cause_next(causes, &c, NULL) > 0; shown++) {
        (a->common.json ? json : text)(s, c);
        if (a->control) {
            (void)name_line(s, &named, c->event, NULL);
            if (c->decision != NULL)
                (void)name_line(s, &named, c->event, c->decision);
        }
    }
    const int status = a->control && shown < a->common.limit
                           ? show_origins(s, &named, a->at, a->common.limit - shown, a->common.json, error)
                           : 0;
    vec_free(&named);
    return status;
}

int cmd_why(struct context *context)
{
    struct args a = { .at = UINT64_MAX, .depth = UINT64_MAX };
    struct hs_why_options o = HS_WHY_OPTIONS_INIT;
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *causes;
    const char *trace;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    status = cli_trace_and_seq(context, &a.common,
                               "specify SEQ, the number of an event that has a value, with --control of any event",
                               &trace, &a.at);
    if (status != PARSED)
        return status;
    if (a.depth != UINT64_MAX && !a.all)
        return cli_fail(EXIT_USAGE, context, "--depth is for --all");
    if (a.depth != UINT64_MAX && a.common.json && a.depth > JSON_CAUSES_MAX)
        return cli_fail(EXIT_USAGE, context, "--json nests at most %d causes", JSON_CAUSES_MAX);
    if ((status = session_open_stream(&s, context, &a.common, trace)) != PARSED)
        return status;
    o.seq = a.at;
    o.max = a.common.limit == UINT64_MAX ? 0 : (size_t)a.common.limit;
    o.choose = a.choose;
    o.all = a.all;
    o.control = a.control;
    o.under = a.under;
    if (a.depth != UINT64_MAX)
        o.depth = a.depth < UINT32_MAX ? (uint32_t)a.depth : UINT32_MAX;
    if (hs_causes_open(s.trace, &o, &causes, &error) != 0) {
        if (hs_damage(s.trace) != NULL) /* the event may be another one */
            return session_fail(&s, "%s; incomplete: damaged: %s", error.text, hs_damage(s.trace));
        return session_refused(&s, &error);
    }
    if (!show_init(&show, s.trace, &s.out)) {
        hs_cursor_close(causes);
        return session_fail(&s, "out of memory");
    }
    int shown = 0;
    if (a.all)
        show_tree(&show, causes, a.common.json);
    else
        shown = show_chain(&show, causes, &a, &error);
    hs_cursor_close(causes);
    show_done(&show);
    return shown < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
