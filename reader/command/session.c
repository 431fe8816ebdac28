/* session.c - opening, checking and closing the trace of a command; see cli.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "formats/recover.h"
#include "reader/command/cli.h"
#include "reader/command/interrupt.h"
#include "reader/command/moment.h"
#include "reader/command/names.h"
#include "reader/command/progress_line.h"
#include "reader/command/source.h"

int session_step(void *context, uint64_t done, uint64_t total, const char *phase)
{
    const struct context *c = context;
    if (c != NULL && c->host != NULL)
        return host_is_late(c->host);
    if (interrupt_seen())
        return 1;
    progress_line_show(phase, done, total);
    return 0;
}

/* Opens a copy of it in which what the journal holds is added. */
static int open_copy(struct context *context, const char *dir, const struct hs_open_options *wanted,
                     const struct error *why, hs_trace **out, struct hs_error *error)
{
    struct recover_copy copy;
    struct error err;
    struct hs_open_options options = HS_OPEN_OPTIONS_INIT;
    if (wanted != NULL)
        options = *wanted;
    if (recover_copy_make(dir, &copy, &err) != OK) {
        (void)cli_fail(0, context, "%s: its recorder died, and its journal cannot be recovered: %s; nor in a copy: %s",
                       dir, why->text, err.text);
        return hs_open(dir, HS_OPEN_READONLY, &options, out, error);
    }
    (void)cli_fail(0, context,
                   "%s: its recorder died, and it cannot be written: its journal is recovered in a copy, "
                   "for this answer",
                   dir);
    options.copy_of = dir;
    int opened = hs_open(copy.dir, HS_OPEN_READONLY, &options, out, error);
    recover_copy_remove(&copy);
    return opened;
}

int session_open_trace(struct context *context, const char *dir, unsigned flags, const struct hs_open_options *options,
                       hs_trace **out, struct hs_error *error)
{
    struct recover_result result = { 0 };
    struct error err;
    if (!recover_needed(dir) || recover_trace(dir, &result, &err) == OK)
        return hs_open(dir, flags, options, out, error);
    if (err.status == ERR_IO || err.status == ERR_STORE || err.status == ERR_FULL)
        return open_copy(context, dir, options, &err, out, error);
    (void)cli_fail(0, context, "%s: its recorder died, and its journal cannot be recovered: %s", dir, err.text);
    return hs_open(dir, flags, options, out, error);
}

/* Opens the trace of a command that runs by itself. PARSED, or the exit status. */
static int open_trace(struct session *s, struct context *context, const char *trace)
{
    struct hs_error error = HS_ERROR_INIT;
    char *found = trace == NULL ? cli_newest_trace() : NULL;
    if (trace == NULL && found == NULL)
        return cli_fail(EXIT_FAILED, context, CLI_NO_TRACE);
    const char *dir = trace != NULL ? trace : found;
    s->stopped = recover_stopped(dir, &s->period);
    progress_line_begin(context->name);
    int opened = session_open_trace(context, dir, 0, NULL, &s->trace, &error);
    free(found);
    return opened != 0 ? cli_fail(EXIT_FAILED, context, "%s", error.text) : PARSED;
}

static void close_trace(struct session *s)
{
    if (s->context->host == NULL)
        hs_close(s->trace);
    else
        hs_set_progress(s->trace, NULL, NULL); /* it stays open, the context does not */
}

static int find_moments(struct session *s, const struct common *c);

int session_open(struct session *s, struct context *context, const struct common *c, const char *trace)
{
    struct host *host = context->host;
    int status = PARSED;
    *s = (struct session){ .context = context, .trace = host != NULL ? host->trace : NULL };
    if (host == NULL && (status = open_trace(s, context, trace)) != PARSED)
        return status;
    if (!cli_out_init(&s->out, context, c)) {
        close_trace(s);
        return cli_fail(EXIT_FAILED, context, "out of memory");
    }
    if (c->source != NULL && (status = sources_open(context, c->source, &s->sources)) != PARSED) {
        out_done(&s->out);
        close_trace(s);
        return status;
    }
    if (c->source != NULL) {
        s->out.source_line = sources_line;
        s->out.sources = s->sources;
    }
    if (host == NULL) {
        if (!c->makes_file)
            out_watch(&s->out);
        interrupt_catch();
    }
    hs_set_progress(s->trace, session_step, context);
    if (host == NULL)
        hs_set_jobs(s->trace, c->jobs < UINT_MAX ? (unsigned)c->jobs : UINT_MAX);
    return find_moments(s, c);
}

int cli_trace_and_seq(struct context *context, const struct common *c, const char *wanted, const char **trace,
                      uint64_t *at)
{
    const char *word;
    *trace = cli_trace_and_word(c, &word);
    if (word != NULL && *at != HS_NO_SEQ)
        return cli_fail(EXIT_USAGE, context, "name the event by SEQ or by --at SEQ, not both");
    if (word != NULL && !cli_u64(word, at))
        return cli_fail(EXIT_USAGE, context, "'%s' is neither a trace nor SEQ, the number of an event", word);
    return *at == HS_NO_SEQ ? cli_fail(EXIT_USAGE, context, "%s", wanted) : PARSED;
}

int session_moment(struct session *s, const char *option, const char *text, uint64_t *to)
{
    struct hs_error error = HS_ERROR_INIT;
    struct moment found;
    const char *dashes = *option != '\0' ? "--" : "", *space = *option != '\0' ? " " : "";
    char list[MOMENTS_LISTED * 24] = "";
    size_t used = 0;
    if (moment_find(s->trace, text, &found, &error) != 0)
        return cli_fail(error.code == HS_ERR_USAGE ? EXIT_USAGE : EXIT_FAILED, s->context, "%s%s%s%s: %s", dashes,
                        option, space, text, error.text);
    for (uint64_t i = 0; i < found.count && i < MOMENTS_LISTED; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%llu", i > 0 ? ", " : "",
                                 (unsigned long long)found.listed[i]);
    if (found.count > 1)
        (void)cli_fail(
            0, s->context, "note: %s%s%s'%s' is in %llu%s lines of the output, written at %s%s; %llu is taken", dashes,
            option, space, text, (unsigned long long)found.count, found.count == MOMENTS_COUNTED ? " or more" : "",
            list, found.count > MOMENTS_LISTED ? ", ..." : "", (unsigned long long)found.seq);
    *to = found.seq;
    return PARSED;
}

/* The moments of the options that are no seqs. PARSED, or the exit status after the session was closed. */
static int find_moments(struct session *s, const struct common *c)
{
    int status = PARSED;
    if (c->moment_count > 0 && (status = session_needs_stream(s)) != PARSED)
        return status;
    for (size_t i = 0; i < c->moment_count && status == PARSED; i++)
        status = session_moment(s, c->moments[i].option, c->moments[i].text, c->moments[i].to);
    return status == PARSED ? PARSED : session_close(s, status);
}

int session_open_stream(struct session *s, struct context *context, const struct common *c, const char *trace)
{
    int status = session_open(s, context, c, trace);
    return status == PARSED ? session_needs_stream(s) : status;
}

int session_begin(struct session *s, struct context *context, void *args)
{
    const struct common *c = args;
    int status = cli_parse(context, args);
    return status == PARSED ? session_open(s, context, c, c->arguments[0]) : status;
}

int session_begin_stream(struct session *s, struct context *context, void *args)
{
    int status = session_begin(s, context, args);
    return status == PARSED ? session_needs_stream(s) : status;
}

const char *format_without_stream(hs_trace *t)
{
    const struct format *format = format_of_trace(hs_info(t, "format"));
    return format->stream || hs_event_count(t) > 0 ? NULL : format->name;
}

int session_needs_stream(struct session *s)
{
    const char *format = format_without_stream(s->trace);
    return format == NULL ? PARSED : session_fail(s, "%s: " NO_STREAM_TEXT, hs_dir(s->trace), format);
}

int session_needs_values(struct session *s)
{
    const char *format = hs_info(s->trace, "format");
    if (format_of_trace(format)->values || hs_event_count(s->trace) > 0)
        return PARSED;
    return session_fail(s, "%s: format=%s keeps no values, and so no objects; record with --format omni or latest",
                        hs_dir(s->trace), format);
}

int session_needs_end(struct session *s)
{
    if (hs_info(s->trace, "end") != NULL && recover_needed(hs_dir(s->trace)))
        return session_fail(s, "%s: its files are not complete, and cannot be written: copy it to where they can",
                            hs_dir(s->trace));
    if (hs_info(s->trace, "end") != NULL)
        return PARSED;
    return session_fail(s, "%s: it is still being recorded; that ends with its JVM", hs_dir(s->trace));
}

bool session_stopped(const struct session *s)
{
    uint32_t period;
    return s->stopped && recover_stopped(hs_dir(s->trace), &period) && period == s->period;
}

/* How the recording ended, or that it has not; NULL: as it should. */
static const char *how_it_ended(const struct session *s)
{
    const char *dir = hs_dir(s->trace), *end = hs_info(s->trace, "end");
    if (end == NULL && session_stopped(s))
        return NULL;
    if (end == NULL)
        return recover_needed(dir) ? "its recorder died, and its last events are not in the trace"
                                   : "it is still being recorded";
    if (strcmp(end, "clean") == 0)
        return NULL;
    return strcmp(end, "crashed") == 0 ? "the JVM was killed or crashed"
                                       : "the recording was cut short (end=truncated)";
}

const char *lost_at_least(const hs_trace *t)
{
    const char *derive = hs_info(t, "derive"), *end = hs_info(t, "end");
    const bool derived = derive != NULL && strcmp(derive, "on") == 0;
    const char *exact = hs_info(t, "lost_exact");
    const bool at_least = exact != NULL ? strcmp(exact, "1") != 0 : derived;
    return at_least && end != NULL && strcmp(end, "truncated") == 0 ? "at least " : "";
}

/* Reports in one line why the trace is incomplete; false: it is complete. */
static bool report_incomplete(const struct session *s)
{
    const char *lost = hs_info(s->trace, "lost"), *why = hs_info(s->trace, "lost_reason");
    const char *damage = hs_damage(s->trace), *dir = hs_dir(s->trace);
    const char *ended = how_it_ended(s), *and = ended != NULL ? "; " : "";
    const char *left_out = hs_info(s->trace, "left_out");
    uint64_t lost_count = 0, left_out_count = 0;
    (void)(left_out != NULL && cli_u64(left_out, &left_out_count));
    if (lost != NULL && !cli_u64(lost, &lost_count))
        lost_count = 1;
    if (damage != NULL)
        (void)cli_fail(0, s->context, "incomplete: damaged: %s", damage);
    else if (lost_count > 0)
        (void)cli_fail(0, s->context, "%s: incomplete: %s%llu events were lost%s%s", dir, lost_at_least(s->trace),
                       (unsigned long long)lost_count, why != NULL ? ": " : "", why != NULL ? why : "");
    else if (hs_info(s->trace, "dropped") != NULL)
        (void)cli_fail(0, s->context,
                       "%s: incomplete: %s events were dropped from the beginning because of maxbytes%s%s", dir,
                       hs_info(s->trace, "dropped"), and, ended != NULL ? ended : "");
    else if (left_out_count > 0)
        (void)cli_fail(0, s->context, "%s: incomplete: %llu events of %s calls are left out by percall=%s%s%s", dir,
                       (unsigned long long)left_out_count, hs_info(s->trace, "left_out_calls"),
                       hs_info(s->trace, "percall"), and, ended != NULL ? ended : "");
    else if (ended != NULL)
        (void)cli_fail(0, s->context, "%s: incomplete: %s%s%s", dir, ended, why != NULL ? ": " : "",
                       why != NULL ? why : "");
    else
        return false;
    return true;
}

bool session_no_memory(const struct session *s)
{
    const char *damage = hs_damage(s->trace);
    return damage != NULL && strcmp(damage, hs_status_text(HS_ERR_MEMORY)) == 0;
}

int session_close(struct session *s, int status)
{
    int ended = cli_out_end(&s->out, s->context, status);
    if (ended == EXIT_DONE && session_no_memory(s))
        ended = cli_fail(EXIT_FAILED, s->context, "%s: out of memory: the answer is not complete", hs_dir(s->trace));
    if (ended == EXIT_DONE && report_incomplete(s))
        ended = EXIT_INCOMPLETE;
    sources_close(s->sources);
    close_trace(s);
    return ended;
}

int session_mark(struct session *s, const char *name, uint64_t *from, uint64_t *to)
{
    hs_cursor *marks;
    const struct hs_mark *mark, *found = NULL;
    size_t same = 0;
    struct hs_error error = HS_ERROR_INIT;
    if (hs_marks_open(s->trace, &marks, &error) != 0)
        return cli_fail(EXIT_FAILED, s->context, "%s", error.text);
    const char *hash = strrchr(name, '#');
    uint64_t nth = 0, of_it = 0;
    bool numbered = hash != NULL && cli_u64(hash + 1, &nth);
    while (hs_mark_next(marks, &mark, NULL) > 0) {
        if (strcmp(mark->name, name) == 0 && same++ == 0)
            found = mark;
        size_t length = strlen(mark->name);
        if (same == 0 && numbered && length == (size_t)(hash - name) && strncmp(mark->name, name, length) == 0 &&
            ++of_it == nth)
            found = mark;
    }
    uint64_t first = found != NULL ? found->first : 0, events = found != NULL ? found->events : 0;
    hs_cursor_close(marks);
    if (found == NULL)
        return names_no_mark(s, "mark", name);
    if (same > 1)
        return cli_fail(EXIT_USAGE, s->context,
                        "--mark %s is ambiguous, there are %zu of this name: use %s#1 to %s#%zu", name, same, name,
                        name, same);
    *from = events > 0 ? first : UINT64_MAX;
    *to = events > 0 ? first + events - 1 : 0;
    return PARSED;
}

int session_snapshot(struct session *s, uint64_t number)
{
    struct hs_error error = HS_ERROR_INIT;
    const char *format = hs_info(s->trace, "format");
    if (hs_event_count(s->trace) > 0)
        return session_fail(
            s, "--snapshot %llu: format=%s keeps every event; print --to SEQ shows those before a snapshot, see info",
            (unsigned long long)number, format != NULL ? format : format_of_trace(NULL)->name);
    if (hs_use_snapshot(s->trace, number < UINT32_MAX ? (uint32_t)number : UINT32_MAX, &error) != 0)
        return session_fail(s, "--snapshot %llu: %s", (unsigned long long)number, error.text);
    return PARSED;
}

int session_fail(struct session *s, const char *fmt, ...)
{
    char text[HS_ERROR_TEXT_MAX + 64];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    (void)out_flush(&s->out); /* output before the error message */
    if (!interrupt_seen())
        (void)cli_fail(EXIT_FAILED, s->context, "%s", text);
    return session_close(s, EXIT_FAILED);
}

int session_refused(struct session *s, const struct hs_error *error)
{
    if (error->code != HS_ERR_USAGE)
        return session_fail(s, "%s", error->text);
    (void)session_close(s, EXIT_USAGE);
    return cli_fail(EXIT_USAGE, s->context, "%s", error->text);
}
