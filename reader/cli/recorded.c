/* recorded.c - see recorded.h. */
#include "reader/cli/recorded.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/bundle.h"
#include "formats/commas.h"
#include "formats/event.h"
#include "formats/files.h"
#include "formats/format.h"
#include "formats/schema.h"
#include "formats/visible.h"
#include "reader/cli/busy_packages.h"
#include "reader/command/cli.h"

enum { COMMANDS = 2 };

/* What is worth asking first: the command, and the words behind the trace. */
struct first_commands {
    const char *name[COMMANDS], *words[COMMANDS];
};
static const struct first_commands calls = { { "exceptions", "tree" }, { "", " --depth 3" } },
                                   tests = { { "failure", "tests" }, { "", "" } },
                                   stream = { { "info", "print" }, { "", " --num 20" } };
static const struct first_commands by_format[FORMAT_COUNT] = {
    [FORMAT_LATEST] = { { "latest", "info" }, { " --limit 20", "" } },
    [FORMAT_FREQ] = { { "freq", "info" }, { " --limit 20", "" } },
    [FORMAT_TIMING] = { { "report", "info" }, { " --limit 20", "" } },
    [FORMAT_EXCEPTIONS] = { { "exceptions", "info" }, { " --stack", "" } },
    [FORMAT_DISCARD] = { { "info", "classes" }, { "", "" } },
};

/* Was the trace in this directory recorded by the run? */
static bool is_of_run(const char *dir, const char *name)
{
    char path[PATH_MAX + 16], text[512];
    (void)snprintf(path, sizeof path, "%s/%s", dir, TRACE_RUN_FILE);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        (void)close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    const char *second = strchr(text, '\n');
    size_t length = strlen(name);
    return second != NULL && strncmp(second + 1, name, length) == 0 && second[1 + length] == '\n';
}

enum worth { WORTH_BUILD_TOOL, WORTH_PROGRAM, WORTH_TESTS };

/* What one wants to look at, by the command of the JVM: rather than a build tool what it started for tests. */
static enum worth worth_of_command(const char *command)
{
    static const struct {
        const char *glob;
        enum worth worth;
    } known[] = {
#define BUILD_TOOL(glob) { glob, WORTH_BUILD_TOOL },
#define TEST_JVM(glob)   { glob, WORTH_TESTS },
#include "formats/test_jvms.def"
    };
    char main[PATH_MAX];
    (void)snprintf(main, sizeof main, "%.*s", (int)strcspn(command, " "), command);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fnmatch(known[i].glob, known[i].worth == WORTH_BUILD_TOOL ? main : command, 0) == 0)
            return known[i].worth;
    return WORTH_PROGRAM;
}

static enum worth worth_of_trace(struct context *context, const char *dir)
{
    struct hs_open_options options = HS_OPEN_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    enum worth worth = WORTH_PROGRAM;
    options.no_index = true;
    /* what the journal of a killed JVM holds is counted too */
    if (session_open_trace(context, dir, HS_OPEN_READONLY, &options, &t, &error) != 0)
        return worth;
    const char *command = hs_info(t, "command");
    if (command != NULL)
        worth = worth_of_command(command);
    hs_close(t);
    return worth;
}

int recorded_each(const struct recorded_run *run, recorded_trace_fn *each, void *context)
{
    char parent[PATH_MAX] = "", path[PATH_MAX];
    int count = 0;
    size_t n = run->output != NULL ? strlen(run->output) : 0;
    while (n > 0 && run->output[n - 1] == '/')
        n--;
    while (n > 0 && run->output[n - 1] != '/')
        n--;
    if (n > 0)
        (void)snprintf(parent, sizeof parent, "%.*s", (int)n, run->output);
    if (strchr(parent, '{') != NULL)
        return -1;
    DIR *d = opendir(parent[0] != '\0' ? parent : ".");
    if (d == NULL)
        return -1;
    for (const struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        int length = snprintf(path, sizeof path, "%s%s", parent, e->d_name);
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || length < 0 ||
            (size_t)length >= sizeof path || !is_of_run(path, run->name))
            continue;
        count++;
        each(context, path);
    }
    (void)closedir(d);
    return count;
}

struct choice {
    struct context *context;
    char *trace; /* PATH_MAX */
    int worth;   /* of it; -1: there is none yet */
};

static void choose(void *context, const char *dir)
{
    struct choice *c = context;
    const int worth = (int)worth_of_trace(c->context, dir);
    if (worth < c->worth || (worth == c->worth && strlen(dir) >= strlen(c->trace)))
        return;
    (void)snprintf(c->trace, PATH_MAX, "%s", dir);
    c->worth = worth;
}

/* Finds the traces of the run; `trace` gets the most useful one, among equals the one with the shortest name: the
 * others stand beside it and have longer ones. Returns what recorded_each does. */
static int find_traces(const struct recorded_run *run, char trace[PATH_MAX])
{
    struct choice c = { run->context, trace, -1 };
    return recorded_each(run, choose, &c);
}

static void say(const char *text)
{
    struct writer line = { 0 };
    visible_write(text, strlen(text), &line);
    if (!line.bad)
        (void)fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
    writer_free(&line);
}

/* The path as a word of a shell. */
static void shell_word(const char *path, char *out, size_t size)
{
    static const char plain[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-+:/@%";
    size_t n = 0;
    if (path[strspn(path, plain)] == '\0') {
        (void)snprintf(out, size, "%s", path);
        return;
    }
    out[n++] = '\'';
    for (; *path != '\0' && n + 8 < size; path++) {
        if (*path == '\'')
            n += (size_t)snprintf(out + n, size - n, "'\\''");
        else
            out[n++] = *path;
    }
    out[n++] = '\'';
    out[n] = '\0';
}

static group_set woven_groups(const hs_trace *t)
{
    const char *weave = hs_info(t, "weave"), *bad;
    int length;
    group_set groups = GROUP_ALL;
    return weave != NULL && group_set_parse(weave, &groups, &bad, &length) ? groups : GROUP_ALL;
}

static const struct first_commands *first_commands(const hs_trace *t)
{
    const struct format *format = format_of_trace(hs_info(t, "format"));
    if (by_format[format->id].name[0] != NULL)
        return &by_format[format->id];
    if ((woven_groups(t) & GROUP_BIT(EXEC)) == 0)
        return &stream;
    const char *options = hs_info(t, "options");
    return options != NULL && strstr(options, "tests=on") != NULL ? &tests : &calls;
}

/* Of what the program's classes that were woven can give: the data IDs. */
static uint32_t dataids_of_program(hs_trace *t)
{
    const struct hs_class *output = hs_class_find(t, OUTPUT_CLASS, 0);
    return hs_dataid_count(t) - (output != NULL ? output->dataid_count : 0);
}

/* Of a format without a stream the data IDs say it. */
static bool nothing_in(hs_trace *t)
{
    return dataids_of_program(t) == 0 || (format_of_trace(hs_info(t, "format"))->stream && hs_event_count(t) == 0);
}

/* Why the trace holds nothing. What was lost, or what a killed JVM did not store, may have been anything. */
static void why_nothing(hs_trace *t, char *out, size_t size)
{
    const char *lost = hs_info(t, "lost"), *why = hs_info(t, "lost_reason"), *end = hs_info(t, "end");
    const bool cut = end == NULL || strcmp(end, "clean") != 0;
    char number[COMMAS_MAX];
    uint64_t count;
    if (lost != NULL && cli_u64(lost, &count) && count > 0)
        (void)snprintf(out, size, "%s%s events were lost%s%.200s", lost_at_least(t),
                       with_commas(number, sizeof number, count), why != NULL ? ": " : "", why != NULL ? why : "");
    else if (cut)
        (void)snprintf(out, size, "it was cut off before anything was stored%s%.200s", why != NULL ? ": " : "",
                       why != NULL ? why : "");
    else if (woven_groups(t) == GROUP_BIT(PARAM))
        (void)snprintf(out, size, "PARAM is of methods with EXEC, and of calls with CALL: add one of them to weave=");
    else
        (void)snprintf(out, size, "%s", dataids_of_program(t) == 0 ? "no class was woven" : "there was no event");
}

#define ROWS "reader/answers/recordings.def"
#define ROW  const struct recorded_run *run, hs_trace *t, const char *dir, int count, const char *reason
#include "reader/answers/row.h"

static int to_line(void *to, const void *bytes, size_t n)
{
    write_bytes(to, bytes, n);
    return 0;
}

/* dir NULL: nothing was recorded, for this reason. */
static void tell_json(const struct recorded_run *run, const char *dir, int count, const char *reason)
{
    struct writer line = { 0 };
    struct out o;
    struct hs_open_options options = HS_OPEN_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t = NULL;
    char why[320];
    options.no_index = true;
    if (dir != NULL && hs_open(dir, HS_OPEN_READONLY, &options, &t, &error) != 0)
        reason = error.text;
    if (t != NULL && nothing_in(t)) {
        why_nothing(t, why, sizeof why);
        reason = why;
    }
    line.bad = !out_init_sink(&o, to_line, &line);
    if (!line.bad) {
        recordings_json(&o, run, t, dir, count, reason);
        (void)out_flush(&o);
        out_done(&o);
    }
    hs_close(t);
    cli_answer_on_error(&line);
}

static void tell_trace(const struct recorded_run *run, const char *dir, int count)
{
    char text[PATH_MAX * 2 + 512], took[80], events[64] = "", others[64] = "", word[PATH_MAX + 64];
    char number[COMMAS_MAX];
    struct hs_open_options options = HS_OPEN_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    double seconds = (double)run->took_ns / 1e9;
    if (run->signal != 0)
        (void)snprintf(took, sizeof took, "was killed by signal %d after %.1f s", run->signal, seconds);
    else
        (void)snprintf(took, sizeof took, "took %.1f s", seconds);
    options.no_index = true;
    if (hs_open(dir, HS_OPEN_READONLY, &options, &t, &error) != 0) {
        (void)snprintf(text, sizeof text, "hindsight: the program %s; %s", took, error.text);
        say(text);
        return;
    }
    const struct first_commands *first = first_commands(t);
    if (hs_event_count(t) > 0)
        (void)snprintf(events, sizeof events, "%s events, ", with_commas(number, sizeof number, hs_event_count(t)));
    if (count > 1)
        (void)snprintf(others, sizeof others, ", %d more beside it", count - 1);
    if (nothing_in(t)) {
        char why[320];
        why_nothing(t, why, sizeof why);
        (void)snprintf(text, sizeof text, "hindsight: the program %s; nothing was recorded in %s%s: %s", took, dir,
                       others, why);
        say(text);
        hs_close(t);
        return;
    }
    text[0] = '\0';
    if (!run->tests)
        busy_packages(t, text, sizeof text);
    if (text[0] != '\0')
        say(text);
    (void)snprintf(text, sizeof text, "hindsight: the program %s; %s%.1f MB in %s%s; to begin with:", took, events,
                   (double)hs_disk_bytes(t) / 1e6, dir, others);
    say(text);
    shell_word(dir, word, sizeof word);
    for (unsigned i = 0; i < COMMANDS; i++) {
        (void)snprintf(text, sizeof text, "    hindsight %s %s%s", first->name[i], word, first->words[i]);
        say(text);
    }
    hs_close(t);
}

void recorded_tell(const struct recorded_run *run)
{
    const char *none = run->tests
                           ? "no JVM that runs tests was recorded: none was started (Ant runs them itself without "
                             "<junit fork=\"yes\">, Maven with forkCount=0), or its agent has said why"
                           : "no JVM was recorded: none was started, or its agent has said why";
    char trace[PATH_MAX], text[PATH_MAX + 128];
    int count = run->unrecorded == NULL ? find_traces(run, trace) : 0;
    const size_t length = count > 0 ? strlen(trace) : 0;
    if (count > 0 && run->pack && length + sizeof BUNDLE_SUFFIX <= sizeof trace) {
        memcpy(trace + length, BUNDLE_SUFFIX, sizeof BUNDLE_SUFFIX);
        if (!bundle_is(trace))
            trace[length] = '\0';
    }
    if (run->json) {
        tell_json(run, count > 0 ? path_from_here(trace) : NULL, count,
                  run->unrecorded != NULL ? run->unrecorded
                  : count == 0            ? none
                                          : NULL);
    } else if (run->unrecorded != NULL) {
        (void)snprintf(text, sizeof text, "hindsight: %s%s",
                       run->runs > 0 ? "" : "nothing was recorded: ", run->unrecorded);
        say(text);
    } else if (count > 0) {
        if (run->runs > 0) {
            (void)snprintf(text, sizeof text, "hindsight: run %llu failed", (unsigned long long)run->runs);
            say(text);
        }
        tell_trace(run, path_from_here(trace), count);
    } else if (count == 0 && !run->failed_java) {
        (void)snprintf(text, sizeof text, "hindsight record: %s: %s", run->command, none);
        say(text);
    }
}
