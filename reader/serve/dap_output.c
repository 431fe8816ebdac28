/* dap_output.c - what the program wrote. As output events what it had written by the moment, each line when the
 * session comes behind the write of it: after a step back a line comes again when it is passed again. By the request
 * outputLines all of it, with the moment of the call that wrote each line. */
#include "reader/serve/dap.h"

enum { LINES_SENT = 1000, LINES_ASKED_MAX = 10000 }; /* at one stop; by one request */

/* Begins anew: lines written up to `until` are not sent. */
static void rewind_output(struct dap *d, uint64_t until)
{
    dap_output_close(d);
    d->sent.until = until;
}

/* The next line; NULL: there is none, or output was not recorded. */
static const struct hs_output_line *next_line(struct dap *d)
{
    if (d->sent.lines == NULL && (d->sent.none || hs_output_open(d->trace, &d->sent.lines, NULL) != 0)) {
        d->sent.none = true;
        return NULL;
    }
    if (d->sent.next == NULL && hs_output_line_next(d->sent.lines, &d->sent.next, NULL) <= 0)
        d->sent.next = NULL;
    return d->sent.next;
}

/* The source and the line of the call that wrote it: an editor leads there. Nothing if no recorded code made it. */
static void place_members(struct dap *d, struct json *j, const struct hs_output_part *p)
{
    const struct hs_dataid *at = p->by_program ? hs_dataid_get(d->trace, p->dataid) : NULL;
    const struct hs_class *c = at != NULL && at->line >= 0 ? hs_class_get(d->trace, at->class_no) : NULL;
    if (c == NULL)
        return;
    dap_source_member(d, j, c, at->file);
    json_member_u64(j, "line", (uint64_t)at->line);
}

static const char *stream_name(const struct hs_output_line *x) { return x->stream == HS_STDERR ? "stderr" : "stdout"; }

static void send_line(struct dap *d, const struct hs_output_line *x)
{
    struct json *j = dap_event_begin(d, "output");
    struct writer text = { 0 };
    write_bytes(&text, x->text, strlen(x->text));
    write_u1(&text, '\n');
    write_u1(&text, '\0');
    json_member_text(j, "category", stream_name(x));
    json_member_text(j, "output", text.bad ? "" : (const char *)text.data);
    place_members(d, j, x->parts[0]);
    json_name(j, "data");
    json_object(j);
    json_member_u64(j, "seq", x->parts[0]->seq);
    json_end(j);
    dap_event_end(d);
    writer_free(&text);
}

void dap_send_output(struct dap *d)
{
    const uint64_t now = nav_seq(d->nav);
    const struct hs_output_line *x;
    size_t count = 0;
    if (d->sent.none)
        return;
    if (now < d->sent.until)
        rewind_output(d, now);
    for (; (x = next_line(d)) != NULL && x->parts[0]->written <= now; d->sent.next = NULL)
        if (x->parts[0]->written > d->sent.until && count++ < LINES_SENT)
            send_line(d, x);
    if (count > LINES_SENT)
        dap_output(d, "console", "(further lines are left out; hindsight output has them)\n");
    d->sent.until = now;
}

/* The lines in the order in which they begin, from the one with the number `from` on. `recorded`: output was. */
bool dap_outputLines(struct dap *d, const cJSON *arguments)
{
    const struct hs_output_line *x;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *lines = NULL;
    struct json *j = &d->json;
    uint64_t from = 0, limit = LINES_ASKED_MAX, at = 0;
    int more = 0;
    (void)dap_u64(arguments, "from", &from);
    (void)dap_u64(arguments, "limit", &limit);
    limit = limit > LINES_ASKED_MAX ? LINES_ASKED_MAX : limit;
    if (hs_output_open(d->trace, &lines, &error) != 0 && error.code != HS_ERR_NOT_FOUND)
        return dap_fail(d, "%s", error.text);
    json_name(j, "lines");
    json_array(j);
    for (; lines != NULL && (more = hs_output_line_next(lines, &x, &error)) > 0 && (at < from || at - from < limit);
         at++) {
        if (at < from)
            continue;
        json_object(j);
        json_member_u64(j, "seq", x->parts[0]->seq);
        json_member_u64(j, "written", x->parts[0]->written);
        json_member_text(j, "stream", stream_name(x));
        json_member_text(j, "text", x->text);
        json_end(j);
    }
    json_end(j);
    json_member_bool(j, "more", more > 0);
    json_member_bool(j, "recorded", lines != NULL);
    hs_cursor_close(lines);
    return more >= 0 || dap_fail(d, "%s", error.text);
}

void dap_output_close(struct dap *d)
{
    hs_cursor_close(d->sent.lines);
    d->sent.lines = NULL;
    d->sent.next = NULL;
}
