/* cmd_why_not.c - `hindsight why-not PLACE`. */
#include <stdio.h>
#include <string.h>

#include "formats/status.h"
#include "reader/answers/write.h"
#include "reader/command/cli.h"
#include "reader/command/show_decision.h"

struct args {
    struct common common;
    uint64_t in, at, times;
    const char *expect;
};
static const struct option_row options[] = {
    { "in", 0, "SEQ", OPTION_U64, offsetof(struct args, in), "only in the call that this METHOD_ENTRY begins" },
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "up to this moment" },
    { "times", 0, "N", OPTION_U64, offsetof(struct args, times), "why a call did not come there so often" },
    { "expect", 0, "VALUE", OPTION_TEXT, offsetof(struct args, expect), "why the value is not this" },
    { 0 },
};
const struct usage usage_why_not = {
    .about = "Why a line or a method was not reached: Class.method, Class.method:LINE or Class:LINE; why a field, an "
             "element or a variable was not written: Class.field, ID.field, ID[index], Class.method:local; why an "
             "exception was not thrown: 'throw TYPE'; why a collection does not contain something: 'LIST.contains(X)', "
             "'MAP.containsKey(X)', where the thread of --at stands; with --expect why the value there, or that of an "
             "event, is another one. Each row is what some calls of the method have in common: the nearest branch that "
             "went another way, with the condition that held, the one that would have to hold, and the values of the "
             "last time; an exception; the end of the recording. Of a method that was never called the rows are of "
             "those that have a call of it.",
    .example = "hindsight why-not 'Stock.order:39'",
    .options = options,
};

static void absence_value(struct show *s, const char *name, const struct hs_value *v)
{
    if (v == NULL)
        return;
    json_name(&s->out->json, name);
    show_value_json(s, v->kind, v->bits);
}

#define ROWS "reader/answers/absences.def"
#define ROW  struct show *show, const struct hs_absence *a
#include "reader/answers/row.h"

/* Behind the sentence: what the situation is about. */
static void details(struct show *s, const struct hs_absence *a)
{
    struct out *o = s->out;
    if (a->exception != NULL) {
        out_text(o, ": ");
        out_name(o, a->exception);
    }
    if (a->times > 0)
        out_format(o, ", after %llu", (unsigned long long)a->times);
    if (a->what != NULL) {
        out_text(o, ": ");
        out_name(o, a->what);
    }
    if (a->value != NULL) {
        out_text(o, ": ");
        show_value_text(s, a->value->kind, a->value->bits);
    }
    if (a->expected != NULL) {
        out_text(o, ", not ");
        show_value_text(s, a->expected->kind, a->expected->bits);
    }
}

/* Is the target neither what was asked about nor where the row stands? */
static bool is_elsewhere(const struct hs_absence *a, const char *place)
{
    const size_t n = strlen(a->method);
    char line[16];
    (void)snprintf(line, sizeof line, ":%d", (int)a->line);
    return strcmp(a->target, place) != 0 &&
           (strncmp(a->target, a->method, n) != 0 || (a->target[n] != '\0' && strcmp(a->target + n, line) != 0));
}

static void text(struct show *s, const struct hs_absence *a, const char *place)
{
    struct out *o = s->out;
    if (a->calls > 0)
        out_format(o, "%12llu  ", (unsigned long long)a->calls);
    else
        out_format(o, "%12s  ", "-");
    out_colour(o, COLOUR_NAME);
    out_name(o, a->method);
    out_colour(o, COLOUR_NONE);
    if (a->line >= 0)
        out_format(o, ":%d", (int)a->line);
    out_format(o, "  %s", a->because);
    details(s, a);
    if (a->decision != NULL) {
        out_text(o, ": ");
        out_name(o, a->decision->condition);
        if (a->needs != NULL) {
            out_text(o, ", it needs ");
            out_name(o, a->needs);
        }
    }
    if (a->seq != HS_NO_SEQ)
        out_format(o, a->calls > 0 ? "; the last time at seq %llu" : "; at seq %llu", (unsigned long long)a->seq);
    if (a->decision != NULL)
        show_decided_text(s, ": ", a->decision);
    if (a->target != NULL && is_elsewhere(a, place)) {
        out_text(o, " (to ");
        out_name(o, a->target);
        out_char(o, ')');
    }
    out_char(o, '\n');
}

int cmd_why_not(struct context *context)
{
    struct args a = { .in = HS_NO_SEQ, .at = UINT64_MAX };
    struct hs_absence_options o = HS_ABSENCE_OPTIONS_INIT;
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_absence *row;
    hs_cursor *rows;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &o.place);
    if (o.place == NULL)
        return cli_fail(EXIT_USAGE, context,
                        "specify what did not happen: Class.method, Class:LINE, Class.field, ID.field, 'throw TYPE', "
                        "'LIST.contains(X)'");
    if ((status = session_open_stream(&s, context, &a.common, trace)) != PARSED)
        return status;
    o.in = a.in;
    o.at = a.at;
    o.times = a.times;
    o.expect = a.expect;
    if (hs_absences_open(s.trace, &o, &rows, &error) != 0)
        return session_refused(&s, &error);
    if (!show_init(&show, s.trace, &s.out)) {
        hs_cursor_close(rows);
        return session_fail(&s, "out of memory");
    }
    if (!a.common.json)
        out_format(&s.out, "%12s  %s\n", "calls", "where and why");
    for (uint64_t left = a.common.limit; left > 0 && hs_absence_next(rows, &row, NULL) > 0; left--) {
        if (a.common.json)
            absences_json(&s.out, &show, row);
        else
            text(&show, row, o.place);
    }
    hs_cursor_close(rows);
    show_done(&show);
    return session_close(&s, EXIT_DONE);
}
