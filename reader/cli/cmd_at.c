/* cmd_at.c - `hindsight at`: from a text of the output, or a time, to the moment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/moment.h"
#include "reader/command/names.h"
#include "reader/command/output_line.h"

struct args {
    struct common common;
};
static const struct option_row options[] = { { 0 } };
const struct usage usage_at = {
    .source = true,
    .about =
        "Each moment with its stack, and a command to go on with. TEXT is in a line that the program wrote; the "
        "moment is the call that wrote it (hindsight output). A time is 12:03:04.512, +3.5s after the start or -2s "
        "before the end: the last event up to then. hindsight help moments has all forms; --at of other commands "
        "takes them, too. --limit bounds the moments (10).",
    .example = "hindsight at 'odd http' --limit 3",
    .options = options,
};

enum { MOMENTS_SHOWN = 10, FRAMES_SHOWN = 32 };

struct found {
    uint64_t seq, time_ns;
    uint32_t thread;
    const char *stream, *text; /* NULL: of a time */
};

/* The frames at the moment; NULL: none are known. */
static hs_cursor *open_frames(struct show *s, const struct found *x)
{
    hs_cursor *frames;
    return hs_frames_open(s->trace, x->seq, &frames, NULL) == 0 ? frames : NULL;
}

static const struct hs_class *class_of(hs_trace *t, const struct hs_frame *f, const struct hs_method **m)
{
    *m = hs_method_get(t, f->method_id);
    return *m != NULL ? hs_class_get(t, (*m)->class_no) : NULL;
}

static void frames_member(struct show *s, const struct found *x)
{
    struct json *j = &s->out->json;
    const struct hs_method *m;
    const struct hs_frame *f;
    hs_cursor *frames = open_frames(s, x);
    json_name(j, "frames");
    json_array(j);
    while (frames != NULL && hs_frame_next(frames, &f, NULL) > 0) {
        const struct hs_class *c = class_of(s->trace, f, &m);
        if (c == NULL)
            continue;
        json_object(j);
        out_member_name(s->out, "class", c->name);
        out_member_name(s->out, "method", m->name);
        out_member_spot(s->out, SPOT_OF(f));
        out_member_cut(s->out);
        json_end(j);
    }
    json_end(j);
    hs_cursor_close(frames);
}

#define ROWS "reader/answers/moments.def"
#define ROW  struct show *show, const struct found *x
#include "reader/answers/row.h"

static void frames_text(struct show *s, const struct found *x)
{
    const struct hs_method *m;
    const struct hs_frame *f;
    hs_cursor *frames = open_frames(s, x);
    size_t count = 0;
    while (frames != NULL && hs_frame_next(frames, &f, NULL) > 0) {
        const struct hs_class *c = class_of(s->trace, f, &m);
        if (c == NULL || count++ >= FRAMES_SHOWN)
            continue;
        out_text(s->out, "              ");
        out_class(s->out, c->name);
        out_char(s->out, '.');
        out_name(s->out, m->name);
        out_spot(s->out, c, SPOT_OF(f));
        show_source_text(s, c->class_no, SPOT_OF(f));
        out_char(s->out, '\n');
    }
    if (count > FRAMES_SHOWN)
        out_format(s->out, "              (%zu more)\n", count - FRAMES_SHOWN);
    if (count == 0)
        out_line(s->out, "              (no recorded code was running)");
    hs_cursor_close(frames);
}

static void text(struct show *s, const struct found *x)
{
    struct out *o = s->out;
    out_format(o, "%12llu  thread %u", (unsigned long long)x->seq, x->thread);
    if (x->time_ns != HS_NO_TIME)
        out_format(o, "  %.3f s", (double)x->time_ns / 1e9);
    if (x->text != NULL) {
        out_format(o, "  %s  ", x->stream);
        out_colour(o, COLOUR_VALUE);
        out_name(o, x->text);
        out_colour(o, COLOUR_NONE);
    }
    out_char(o, '\n');
    frames_text(s, x);
}

static void show_found(struct show *s, const struct found *x, bool json)
{
    if (json)
        moments_json(s->out, s, x);
    else
        text(s, x);
}

/* "    hindsight locals --at 12 trace", to be pasted. */
static void next_command(struct out *o, hs_trace *t, uint64_t seq)
{
    out_format(o, "    hindsight locals --at %llu ", (unsigned long long)seq);
    out_name(o, hs_dir(t));
    out_char(o, '\n');
}

/* The moments: of lines with a text those behind the first `limit` are counted. 1; 0: none; -1. */
static int show_all(struct show *s, const char *word, uint64_t limit, bool json, uint64_t *first,
                    struct hs_error *error)
{
    const struct hs_moment *x;
    hs_cursor *rows;
    uint64_t count = 0;
    int more = 0;
    if (hs_moments_open(s->trace, word, &rows, error) != 0)
        return -1;
    while (s->out->failed == 0 && (more = hs_moment_next(rows, &x, error)) > 0) {
        const struct found f = { x->seq, x->time_ns, x->thread,
                                 x->line != NULL ? output_stream_name(x->line->stream) : NULL,
                                 x->line != NULL ? x->line->text : NULL };
        if (count == 0)
            *first = x->seq;
        if (count++ < limit || x->line == NULL)
            show_found(s, &f, json);
        else if (json)
            break;
    }
    hs_cursor_close(rows);
    if (more < 0)
        return -1;
    if (count > limit && !json)
        out_format(s->out, "%12s  (%llu more; hindsight output --text lists them)\n", "",
                   (unsigned long long)(count - limit));
    return count > 0;
}

/* -2s is a time, no option: it goes on as end-2s (moment.h). */
static void protect_times(int argc, char **argv, char **made)
{
    for (int i = 1; i < argc && *made == NULL; i++)
        if (argv[i][0] == '-' && argv[i][1] >= '0' && argv[i][1] <= '9') {
            const size_t size = strlen(argv[i]) + 4;
            if ((*made = malloc(size)) == NULL)
                return;
            (void)snprintf(*made, size, "end%s", argv[i]);
            argv[i] = *made;
        }
}

static int show_moments(struct session *s, const struct args *a, const char *word)
{
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    const uint64_t limit = a->common.limit != UINT64_MAX ? a->common.limit : MOMENTS_SHOWN;
    uint64_t first = 0;
    if (!show_init(&show, s->trace, &s->out))
        return session_fail(s, "out of memory");
    const int found = show_all(&show, word, limit, a->common.json, &first, &error);
    show_done(&show);
    if (found < 0)
        return session_fail(s, "%s", error.text);
    if (found == 0)
        return session_fail(s, MOMENT_NO_LINE, word);
    if (!a->common.json && limit > 0)
        next_command(&s->out, s->trace, first);
    return session_close(s, EXIT_DONE);
}

int cmd_at(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    const char *word;
    char *made = NULL;
    protect_times(context->argc, context->argv, &made);
    int status = cli_parse(context, &a);
    if (status == PARSED) {
        const char *trace = cli_trace_and_word(&a.common, &word);
        if (word == NULL || *word == '\0')
            status = cli_fail(EXIT_USAGE, context, "TEXT or TIME is required: " MOMENT_FORMS);
        else if ((status = session_open_stream(&s, context, &a.common, trace)) == PARSED)
            status = show_moments(&s, &a, word);
    }
    free(made);
    return status;
}
