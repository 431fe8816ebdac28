/* cmd_output.c - `hindsight output`. */
#include <string.h>

#include "reader/command/names.h"
#include "reader/command/output_line.h"

struct args {
    struct common common;
    uint64_t from, to;
    const char *thread, *text, *stream;
    bool raw, csv;
};
static const struct option_row options[] = {
    { "text", 0, "TEXT", OPTION_TEXT, offsetof(struct args, text), "only lines that contain TEXT" },
    { "stream", 0, "stdout|stderr", OPTION_CHOICE, offsetof(struct args, stream), "only lines of this stream" },
    { "thread", 't', "T", OPTION_TEXT, offsetof(struct args, thread),
      "only lines that these threads began: number, name or glob" },
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "only lines begun at this event or later" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "only lines begun up to this event" },
    { "raw", 0, NULL, OPTION_FLAG, offsetof(struct args, raw), "the bytes of the lines as they were written" },
    { "csv", 0, NULL, OPTION_FLAG, offsetof(struct args, csv), "comma-separated, with a heading" },
    { 0 },
};
const struct usage usage_output = {
    .source = true,
    .about =
        "The lines of what the program wrote to standard output and standard error, in the order in which they begin. "
        "seq is the moment of the call in the program's code: locals, eval and why take it. Where that code calls a "
        "log framework, that is the call of the framework. A line that several calls wrote has the moment of the "
        "first one; --json has all.\n"
        "hindsight record records output, the agent with stdout=true. What native code and other processes write is "
        "missing, and what was written before the recording.",
    .example = "hindsight output --stream stderr --text Exception",
    .options = options,
};

static void parts_member(struct show *s, const struct hs_output_line *x)
{
    struct json *j = &s->out->json;
    json_name(j, "parts");
    json_array(j);
    for (size_t i = 0; i < x->part_count; i++) {
        const struct hs_output_part *p = x->parts[i];
        json_object(j);
        json_member_u64(j, "seq", p->seq);
        json_member_u64(j, "thread", p->thread);
        output_place_members(s, p, false);
        json_member_u64(j, "written", p->written);
        json_member_u64(j, "at", p->at);
        json_end(j);
    }
    json_end(j);
}

#define ROWS "reader/answers/output.def"
#define ROW  struct show *show, const struct hs_output_line *x, const struct hs_output_part *p
#include "reader/answers/row.h"

#define ROWS "reader/answers/output.def"
#define ROW  const struct hs_output_line *x, const struct hs_output_part *p
#include "reader/answers/plain_row.h"

static void heading(struct out *o)
{
    if (out_narrow(o))
        out_format(o, "%10s %-6s  %s\n", "seq", "stream", "text, where");
    else
        out_format(o, "%12s %6s %10s %-6s  %s\n", "seq", "thread", "time s", "stream", "text, where");
}

static void text(struct show *s, const struct hs_output_line *x)
{
    struct out *o = s->out;
    const struct hs_output_part *p = x->parts[0];
    const bool narrow = out_narrow(o);
    out_format(o, "%*llu ", narrow ? 10 : 12, (unsigned long long)p->seq);
    if (!narrow && p->time_ns != HS_NO_TIME)
        out_format(o, "%6u %10.3f ", p->thread, (double)p->time_ns / 1e9);
    else if (!narrow)
        out_format(o, "%6u %10s ", p->thread, "-");
    out_format(o, "%-6s  ", output_stream_name(x->stream));
    out_colour(o, COLOUR_VALUE);
    out_name(o, x->text);
    out_colour(o, COLOUR_NONE);
    out_text(o, x->cut ? "...  (not all recorded; at " : "  (at ");
    output_place_text(s, p);
    if (x->part_count > 1)
        out_format(o, ", %zu calls", x->part_count);
    out_char(o, ')');
    const struct hs_dataid *d = p->by_program ? hs_dataid_get(s->trace, p->dataid) : NULL;
    if (d != NULL)
        show_source_text(s, d->class_no, SPOT_OF(d));
    out_char(o, '\n');
}

static bool wanted(const struct args *a, const u32_vec *threads, enum hs_stream stream, const struct hs_output_line *x)
{
    const struct hs_output_part *p = x->parts[0];
    bool found = threads->count == 0;
    for (size_t i = 0; i < threads->count && !found; i++)
        found = threads->items[i] == p->thread;
    return found && p->seq >= a->from && p->seq <= a->to && (a->stream == NULL || x->stream == stream) &&
           output_has(x, a->text);
}

int cmd_output(struct context *context)
{
    struct args a = { .to = UINT64_MAX };
    struct session s;
    struct show show;
    struct plain_row plain;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_output_line *x;
    u32_vec threads = { 0 };
    hs_cursor *lines;
    int more = 0, status = session_begin_stream(&s, context, &a);
    if (status != PARSED)
        return status;
    const enum hs_stream stream = a.stream != NULL && strcmp(a.stream, "stderr") == 0 ? HS_STDERR : HS_STDOUT;
    if (a.stream != NULL && strcmp(a.stream, output_stream_name(stream)) != 0)
        return session_close(&s, cli_fail(EXIT_USAGE, context, "--stream wants stdout or stderr, not '%s'", a.stream));
    if (a.raw + a.csv + a.common.json > 1)
        return session_close(&s, cli_fail(EXIT_USAGE, context, "--raw, --csv and --json: give one of them"));
    status = names_range_threads(&s, a.from, a.to, a.thread, &threads);
    if (status != PARSED) {
        vec_free(&threads);
        return session_close(&s, status);
    }
    uint64_t left = a.common.limit;
    const bool has_plain = plain_init(&plain, s.trace);
    if (!has_plain || hs_output_open(s.trace, &lines, &error) != 0 || !show_init(&show, s.trace, &s.out)) {
        if (has_plain)
            plain_done(&plain);
        vec_free(&threads);
        return session_fail(&s, "%s", error.code != 0 ? error.text : "out of memory");
    }
    if (a.csv) {
        output_plain_names(&plain);
        plain_csv_heading(&s.out, &plain);
    } else if (!a.common.json && !a.raw) {
        heading(&s.out);
    }
    while (left > 0 && s.out.failed == 0 && (more = hs_output_line_next(lines, &x, &error)) > 0) {
        if (!wanted(&a, &threads, stream, x))
            continue;
        if (a.raw)
            out_bytes(&s.out, x->bytes, x->byte_count);
        else if (a.common.json)
            output_json(&s.out, &show, x, x->parts[0]);
        else if (a.csv)
            output_plain(&plain, x, x->parts[0]), plain_csv(&s.out, &plain);
        else
            text(&show, x);
        left--;
    }
    hs_cursor_close(lines);
    show_done(&show);
    plain_done(&plain);
    vec_free(&threads);
    if (more >= 0)
        names_empty(&s, a.common.limit - left, a.common.limit, "line of output that satisfies every option");
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
