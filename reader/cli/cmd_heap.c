/* cmd_heap.c - `hindsight heap`: the objects at a moment. */
#include "reader/answers/plain.h"
#include "reader/command/moment.h"
#include "reader/command/names.h"

struct args {
    struct common common;
    const char *type;
    uint64_t at, since;
    bool dominators, csv;
};
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "just after this event (default: at the end)" },
    { "since", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, since),
      "also what has changed since this moment: reached then, made since, gone since" },
    { "dominators", 0, NULL, OPTION_FLAG, offsetof(struct args, dominators),
      "the objects that retain most, each with its dominator and its root" },
    { "type", 0, "GLOB", OPTION_TEXT, offsetof(struct args, type),
      "only objects of these types (a name without dots: of any package)" },
    { "csv", 0, NULL, OPTION_FLAG, offsetof(struct args, csv), "comma-separated, with a heading" },
    { 0 },
};
const struct usage usage_heap = {
    .about =
        "The objects that were seen up to a moment, by type. reached: from static fields, constants, and this, "
        "parameters, variables and monitors of the open calls, over fields and elements as they were last seen. "
        "outside: not so, but given to code that is not woven, or had from it, or held by such an object: whether that "
        "code holds it (a collection of the JDK its elements) is not known. unheld: nothing that was recorded holds "
        "it. retained: the objects that would not be reached without those of the type.\n"
        "It needs EXEC, CALL, PARAM, FIELD, ARRAY, OBJECT and LOCAL.",
    .example = "hindsight heap --at 20 --dominators --limit 10",
    .options = options,
};

/* ---- text ---- */

static void types_heading(struct out *o, bool since)
{
    out_format(o, "%12s %12s %12s %12s", "reached", "outside", "unheld", "retained");
    if (since)
        out_format(o, " %12s %12s %12s", "before", "made", "gone");
    out_format(o, "  type\n");
}

static void type_text(struct out *o, const struct hs_heap_row *x, bool since)
{
    out_format(o, "%12llu %12llu %12llu %12llu", (unsigned long long)x->reached, (unsigned long long)x->outside,
               (unsigned long long)x->unheld, (unsigned long long)x->retained);
    if (since)
        out_format(o, " %12llu %12llu %12llu", (unsigned long long)x->before, (unsigned long long)x->made,
                   (unsigned long long)x->gone);
    out_text(o, "  ");
    out_name(o, x->type != NULL ? x->type : "?");
    out_char(o, '\n');
}

static void object_text(struct out *o, const struct hs_heap_row *x, bool since)
{
    out_format(o, "%12llu ", (unsigned long long)x->retained);
    if (since)
        out_format(o, "%-5s ", x->made > 0 ? "made" : x->before > 0 ? "" : "again");
    out_colour(o, COLOUR_VALUE);
    out_name(o, x->type != NULL ? x->type : "?");
    out_format(o, "#%u", x->id);
    out_colour(o, COLOUR_NONE);
    if (x->dominator != 0)
        out_format(o, " below #%u", x->dominator);
    if (x->root != NULL) {
        out_text(o, x->dominator != 0 ? ", " : "  ");
        out_name(o, x->root);
    }
    out_char(o, '\n');
}

#define ROWS "reader/answers/heap.def"
#define ROW  const struct hs_heap_row *x, bool since
#include "reader/answers/row.h"
#define ROWS "reader/answers/heap.def"
#define ROW  const struct hs_heap_row *x, bool since
#include "reader/answers/plain_row.h"

static uint64_t show_rows(struct session *s, const struct args *a, hs_cursor *rows)
{
    const bool since = a->since != HS_NO_SEQ;
    struct plain_row plain = { 0 };
    const struct hs_heap_row *x;
    uint64_t shown = 0;
    if (a->csv) {
        heap_plain_names(&plain);
        plain_csv_heading(&s->out, &plain);
    } else if (!a->common.json && hs_cursor_count(rows) > 0) {
        if (a->dominators)
            out_format(&s->out, "%12s  object and what holds it\n", "retained");
        else
            types_heading(&s->out, since);
    }
    while (shown < a->common.limit && s->out.failed == 0 && hs_heap_row_next(rows, &x, NULL) > 0) {
        if (a->common.json) {
            heap_json(&s->out, x, since);
        } else if (a->csv) {
            heap_plain(&plain, x, since);
            plain_csv(&s->out, &plain);
        } else {
            (a->dominators ? object_text : type_text)(&s->out, x, since);
        }
        shown++;
    }
    arena_done(&plain.arena);
    return shown;
}

static int answer(struct session *s, const struct args *a)
{
    static const unsigned needed[] = { HS_EVENT_METHOD_ENTRY, HS_EVENT_NEW_OBJECT_CREATED, HS_EVENT_GET_STATIC_FIELD,
                                       HS_EVENT_CALL_PARAM,   HS_EVENT_ARRAY_STORE,        HS_EVENT_LOCAL_STORE };
    struct hs_heap_options o = HS_HEAP_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows = NULL;
    char why[NAMES_UNWOVEN_MAX];
    o.at = a->at;
    o.since = a->since;
    o.objects = a->dominators;
    o.type_glob = a->type;
    o.max = a->common.limit < SIZE_MAX ? (size_t)a->common.limit : 0;
    if (hs_heap_open(s->trace, &o, &rows, &error) != 0)
        return session_refused(s, &error);
    const uint64_t shown = show_rows(s, a, rows);
    for (size_t i = 0; shown > 0 && i < sizeof needed / sizeof *needed; i++)
        if (*names_unwoven(s, &needed[i], 1, why) != '\0') {
            (void)cli_fail(EXIT_DONE, s->context, "note: more objects may be held than is known%s", why);
            break;
        }
    names_empty(s, shown, a->common.limit, a->dominators ? "object that is reached" : "object");
    hs_cursor_close(rows);
    return session_close(s, EXIT_DONE);
}

int cmd_heap(struct context *context)
{
    struct args a = { .at = HS_NO_SEQ, .since = HS_NO_SEQ };
    struct session s;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.csv && a.common.json)
        return cli_fail(EXIT_USAGE, context, "--csv and --json: give one of them");
    status = session_open_stream(&s, context, &a.common, a.common.arguments[0]);
    if (status != PARSED)
        return status;
    status = names_moment(&s, a.at);
    if (status == PARSED && a.since != HS_NO_SEQ)
        status = names_moment(&s, a.since);
    if (status == PARSED && a.since != HS_NO_SEQ && a.since > a.at)
        return session_close(&s, cli_fail(EXIT_USAGE, context, "--since is behind --at"));
    if (status == PARSED)
        status = names_type(&s, a.type);
    return status == PARSED ? answer(&s, &a) : session_close(&s, status);
}
