/* cmd_export.c - `hindsight export`: a trace in the format of another tool. The formats are in export/exporters.def. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/nearest.h"
#include "reader/command/cli.h"
#include "reader/command/context.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"
#include "reader/export/export.h"

struct args {
    struct common common;
    const char *to;
    struct export_options options;
    struct chosen_args filter;
};

#define EXPORTER(name, shape, summary) "|" #name
static const char choices[] =
#include "reader/export/exporters.def"
    ;
#undef EXPORTER

static const struct option_row options[] = {
    { "to", 0, choices + 1, OPTION_CHOICE, offsetof(struct args, to), "the format: one of the words above" },
    { "output", 'o', "OUT", OPTION_FILE, offsetof(struct args, options.output),
      "the file to write, or the directory of formats that are several files; it appears when it is complete. Without "
      "it standard output is written" },
    { "table", 0, "TABLE", OPTION_TEXT, offsetof(struct args, options.table),
      "the table of formats that hold one:"
#include "reader/answers/table_names.h"
      "; all: each in a file of the directory -o DIR" },
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, options.at), "the moment, of formats that show one" },
    { "time", 0, "clock|seq", OPTION_CHOICE, offsetof(struct args, options.time),
      "what formats with times take for time: the clock (default), or the seq, a microsecond for each event" },
    { "weight", 0, "calls|time|events", OPTION_CHOICE, offsetof(struct args, options.weight),
      "what stacks are weighed by in profiles (default: time in recordings with timestamp=true, else calls)" },
    { "diagram", 0, "sequence|calls|objects", OPTION_CHOICE, offsetof(struct args, options.diagram),
      "what mermaid, plantuml and dot show: calls in their order, who calls whom, or objects at --at (those of "
      "--object, "
      "or of the stack of that event)" },
    { "per", 0, "METHOD", OPTION_TEXT, offsetof(struct args, options.per),
      "of appmap: a file for each call of this method (Class.method or method, globs), with what its thread did in it; "
      "--limit is how many (default 1000)" },
    { "min", 0, "NS", OPTION_U64, offsetof(struct args, options.min_ns),
      "of timers: only calls that took so many nanoseconds (default: the resolution of the recording's clock)" },
    { "famix3", 0, NULL, OPTION_FLAG, offsetof(struct args, options.famix3), "mse: with the names of FAMIX 3" },
    { "server", 0, "URL", OPTION_TEXT, offsetof(struct args, options.server),
      "of clickhouse: http://HOST:8123; CLICKHOUSE_USER and CLICKHOUSE_PASSWORD say who asks" },
    { "database", 0, "NAME", OPTION_TEXT, offsetof(struct args, options.database),
      "of clickhouse: where the tables appear, when all of them are complete (default: the name of the trace)" },
    { "derived", 0, "all|none", OPTION_CHOICE, offsetof(struct args, options.derived),
      "of clickhouse: none leaves out events that follow from the bytecode, which can be had later, for a range or a "
      "class, in another --database (default: all)" },
    { "replace", 0, NULL, OPTION_FLAG, offsetof(struct args, options.replace),
      "of clickhouse: in place of tables that are there, or of what an export that was killed has left" },
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, filter.from), "first event, by its seq" },
    { "until", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, filter.to), "last event" },
    CHOSEN_OPTIONS_BUT_RANGE(args, filter),
    { 0 },
};
#define EXPORTER(name, shape, summary) "\n" #name ": " summary "."
const struct usage usage_export = {
    .about = "Writes what a trace holds in the format of another tool. The filters are those of print; an event has to "
             "satisfy every one. With --json, one object says what was written: on standard output, or without -o on "
             "standard error. Formats:"
#include "reader/export/exporters.def"
    ,
    .example = "hindsight export --to jsonl --class 'com.acme.*' -o events.jsonl",
    .options = options,
    .source = true,
};
#undef EXPORTER

static const struct exporter *find(struct context *context, const char *name, int *status)
{
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    if (name == NULL) {
        *status = cli_fail(EXIT_USAGE, context, "--to FORMAT is missing: one of %s", choices + 1);
        return NULL;
    }
    nearest_init(&n, name);
    for (const struct exporter *e = exporter_table; e->name != NULL; e++) {
        if (strcmp(e->name, name) == 0)
            return e;
        nearest_offer(&n, e->name);
    }
    *status = cli_fail(EXIT_USAGE, context, "--to %s: no format is called so%s; there are %s", name,
                       nearest_text(&n, text), choices + 1);
    return NULL;
}

/* Those that the format does not read too: a misspelt one is never passed over. */
static int check_choices(struct context *context, const struct args *a)
{
    for (const struct option_row *o = options; o->name != NULL; o++) {
        const char *given = NULL, *at = o->argument;
        if (o->type == OPTION_CHOICE)
            memcpy(&given, (const char *)a + o->offset, sizeof given);
        if (given == NULL || strcmp(o->name, "to") == 0)
            continue;
        const size_t n = strlen(given);
        while (at != NULL && !(strncmp(at, given, n) == 0 && (at[n] == '|' || at[n] == '\0')))
            if ((at = strchr(at, '|')) != NULL)
                at++;
        if (at == NULL)
            return cli_fail(EXIT_USAGE, context, "--%s %s: there are %s", o->name, given, o->argument);
    }
    return PARSED;
}

/* Bytes of what was written: a file, or the files of a directory, which are counted. */
static uint64_t written(const char *output, uint64_t *files)
{
    struct stat info;
    uint64_t bytes = 0;
    DIR *dir = opendir(output);
    const struct dirent *e;
    *files = 0;
    if (dir == NULL)
        return stat(output, &info) == 0 ? (uint64_t)info.st_size : 0;
    while ((e = readdir(dir)) != NULL)
        if (fstatat(dirfd(dir), e->d_name, &info, 0) == 0 && S_ISREG(info.st_mode)) {
            bytes += (uint64_t)info.st_size;
            ++*files;
        }
    (void)closedir(dir);
    return bytes;
}

static void json(struct json *j, const struct export_job *x)
{
    const char *output = x->options.output;
    json_object(j);
    json_member_text(j, "format", x->exporter->name);
    if (output != NULL) {
        uint64_t files, bytes = written(output, &files);
        json_member_text(j, "file", output);
        json_member_u64(j, "bytes", bytes);
        if (files > 0)
            json_member_u64(j, "files", files);
    }
    if (x->rows > 0)
        json_member_u64(j, "rows", x->rows);
    if (x->reads_events) {
        json_member_u64(j, "events", x->events);
        json_member_u64(j, "left_out", hs_event_count(x->trace) - x->events);
    }
    json_end_line(j);
}

/* On standard output, unless that is the export itself: then on standard error, behind it. */
static void print_answer(struct session *s, const struct export_job *x)
{
    struct writer line = { 0 };
    struct json j;
    if (x->options.output != NULL) {
        json(&s->out.json, x);
        return;
    }
    json_init(&j, json_to_writer, &line);
    json(&j, x);
    (void)out_flush(&s->out);
    cli_answer_on_error(&line);
}

static int run(struct session *s, const struct exporter *e, const struct args *a, const struct chosen_events *f)
{
    struct export_job x = { .trace = s->trace,
                            .session = s,
                            .exporter = e,
                            .options = a->options,
                            .filter = f,
                            .jobs = a->common.jobs,
                            .limit = a->common.limit };
    if (s->context->host == NULL)
        interrupt_catch_ends();
    bool done = export_begin(&x);
    done = export_end(&x, done && e->run(&x));
    progress_line_erase();
    if (done && a->common.json)
        print_answer(s, &x);
    if (done)
        return session_close(s, EXIT_DONE);
    if (interrupt_seen()) {
        (void)session_close(s, EXIT_FAILED);
        return a->options.output != NULL
                   ? cli_fail(interrupt_status(), s->context, "%s: interrupted; it was not written", a->options.output)
                   : cli_fail(interrupt_status(), s->context, "interrupted; the output is not complete");
    }
    if (x.error.text[0] == '\0')
        return session_close(s, x.status != PARSED ? x.status : EXIT_FAILED);
    (void)session_fail(s, "%s", x.error.text);
    return x.usage ? EXIT_USAGE : EXIT_FAILED;
}

int cmd_export(struct context *context)
{
    struct args a = { .filter = CHOSEN_ARGS, .options = { .at = UINT64_MAX, .min_ns = UINT64_MAX } };
    struct session s;
    struct chosen_events f = { 0 };
    const struct exporter *exporter = NULL;
    int status = cli_parse(context, &a);
    if (status == PARSED)
        exporter = find(context, a.to, &status);
    if (status == PARSED)
        status = chosen_parse(&f, context, &a.filter);
    if (status == PARSED)
        status = check_choices(context, &a);
    a.common.makes_file = a.options.output != NULL;
    if (status == PARSED && a.options.per != NULL && exporter->run != export_appmap)
        status = cli_fail(EXIT_USAGE, context, "--per is an option of --to appmap alone");
    if (status == PARSED)
        status = session_open(&s, context, &a.common, a.common.arguments[0]);
    if (status == PARSED && a.filter.to < a.filter.from)
        status = session_close(&s, cli_fail(EXIT_USAGE, context, "--until %llu: is before --from %llu",
                                            (unsigned long long)a.filter.to, (unsigned long long)a.filter.from));
    if (status != PARSED)
        goto out;
    status = chosen_resolve(&f, &s);
    if (status == PARSED)
        status = names_moment(&s, a.options.at);
    status = status == PARSED ? run(&s, exporter, &a, &f) : session_close(&s, status);
out:
    chosen_done(&f);
    return status;
}
