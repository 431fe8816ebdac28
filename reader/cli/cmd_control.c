/* cmd_control.c - `hindsight start stop mark unmark snapshot status`: control of a running recording.
 *
 * Each command sends one request to the control socket of the trace (logging/control/control.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/bundle.h"
#include "logging/control/control.h"
#include "reader/command/control.h"

enum { ANSWER_S = 120, REQUEST_WORDS_MAX = 32 /* the command and its separators */ };

struct args {
    struct common common;
};

#define TARGET "\nPID names a process, TRACE a trace that is being recorded; default is the newest hindsight-* here."
const struct usage usage_status = {
    .about = "Shows whether the JVM is recording, what it records, the number of events so far (buffers are stored "
             "first), and the open marks." TARGET,
    .example = "hindsight status 4711 --json",
};
const struct usage usage_stop = {
    .about = "Stops recording: restores the original bytecode of all classes and stores what was recorded. hindsight "
             "start continues." TARGET,
    .example = "hindsight stop 4711",
};
const struct usage usage_snapshot = {
    .about = "Stores everything recorded so far, so that the trace can be read while recording continues." TARGET,
    .example = "hindsight snapshot 4711 && hindsight tree trace",
};
const struct usage usage_mark = {
    .about = "What is recorded from now on belongs to the feature NAME, until hindsight unmark. Marks may nest and "
             "overlap." TARGET,
    .example = "hindsight mark 4711 checkout",
};
const struct usage usage_unmark = {
    .about =
        "Ends the innermost open mark with that name, or all marks if no name is given. A word that stands alone is "
        "PID or TRACE if it is the number of a process that records, or a directory with a trace; else NAME." TARGET,
    .example = "hindsight unmark 4711 checkout",
};
const struct usage usage_start = {
    .about = "Starts recording into the trace that the process already has. weave= replaces the groups, and only=, i=, "
             "e= and exlocation= the filter; other settings stay as they were." TARGET,
    .example = "hindsight start 4711 weave=EXEC+CALL,only=com.acme.",
};

static bool is_recording(const cJSON *answer)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "recording"));
}

static void marks_member(struct out *o, const cJSON *answer)
{
    const cJSON *mark;
    json_name(&o->json, "marks");
    json_array(&o->json);
    cJSON_ArrayForEach(mark, cJSON_GetObjectItemCaseSensitive(answer, "marks"))
        json_text(&o->json, cJSON_IsString(mark) ? mark->valuestring : "?");
    json_end(&o->json);
}

#define ROWS "reader/answers/running.def"
#define ROW  const cJSON *x
#include "reader/answers/row.h"

static void print_status(struct out *o, bool as_json, const char *pid, const cJSON *answer)
{
    (void)pid;
    const cJSON *mark, *marks = cJSON_GetObjectItemCaseSensitive(answer, "marks");
    const char *early = control_text(answer, "ended_early");
    if (as_json) {
        running_json(o, answer);
        return;
    }
    out_format(o, "%s %s: %s, %s, %llu events, %.1f MB",
               is_recording(answer) ? "recording into"
               : *early != 0        ? "ended early, trace"
                                    : "stopped, trace",
               control_text(answer, "trace"), control_text(answer, "format"), control_text(answer, "weave"),
               (unsigned long long)control_number(answer, "events"), (double)control_number(answer, "bytes") / 1e6);
    if (*early != 0) {
        out_text(o, "; ");
        out_text(o, early);
    }
    cJSON_ArrayForEach(mark, marks)
    {
        out_text(o, mark == marks->child ? "; marks: " : ", ");
        out_text(o, cJSON_IsString(mark) ? mark->valuestring : "?");
    }
    out_char(o, '\n');
}

/* Connects to the recorder of a process or trace. The descriptor, or -1 after the error was printed. */
static int connect_to(struct context *context, const char *target)
{
    char dir[PATH_MAX];
    struct error err;
    bool is_pid = control_is_pid(target) && access(target, F_OK) != 0; /* a trace may be called 4711 too */
    if (is_pid && !control_trace_of(target, dir)) {
        (void)cli_fail(EXIT_FAILED, context, "%s: no such process, or none of yours that records; see hindsight attach",
                       target);
        return -1;
    }
    int fd = control_connect(is_pid ? dir : target, &err);
    if (fd < 0)
        (void)cli_fail(EXIT_FAILED, context, "%s", err.text);
    return fd;
}

/* Sends `command argument` and prints the answer. `target`: a process id or trace; NULL: the newest trace here. */
static int request(struct context *context, const struct args *a, const char *target, const char *argument)
{
    static char line[CONTROL_LINE_MAX];
    if (strchr(argument, '\n') != NULL || strlen(argument) + REQUEST_WORDS_MAX > sizeof line)
        return cli_fail(EXIT_USAGE, context, "the argument must be one line of at most %zu characters",
                        sizeof line - REQUEST_WORDS_MAX);
    char *newest = target == NULL ? cli_newest_trace() : NULL;
    if (target == NULL && newest == NULL)
        return cli_fail(EXIT_FAILED, context, "no directory hindsight-* here; specify which process or trace to use");
    int fd = connect_to(context, target != NULL ? target : newest);
    free(newest);
    if (fd < 0)
        return EXIT_FAILED;
    int n = snprintf(line, sizeof line, "%s%s%s\n", context->name, *argument != '\0' ? " " : "", argument);
    bool answered = control_write(fd, line, (size_t)n, ANSWER_S) && control_read_line(fd, line, ANSWER_S);
    (void)close(fd);
    if (!answered)
        return cli_fail(EXIT_FAILED, context, "no answer within %d s: the program has ended or hangs", ANSWER_S);
    return control_print(context, &a->common, line, NULL, print_status);
}

/* A command without an argument of its own: [PID|TRACE]. */
static int plain(struct context *context)
{
    struct args a = { 0 };
    int status = cli_parse(context, &a);
    return status != PARSED ? status : request(context, &a, a.common.arguments[0], "");
}

int cmd_status(struct context *context) { return plain(context); }
int cmd_stop(struct context *context) { return plain(context); }
int cmd_snapshot(struct context *context) { return plain(context); }

/* Is this word a process that records, or a trace? */
static bool is_target(const char *word)
{
    char path[PATH_MAX];
    if (control_is_pid(word) && control_trace_of(word, path))
        return true;
    return trace_is_at(word);
}

/* A command with a name: [PID|TRACE] NAME; the name may be missing if it is not `needed`. */
static int named(struct context *context, bool needed)
{
    struct args a = { 0 };
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    int n = a.common.argument_count;
    if (needed && n == 0)
        return cli_fail(EXIT_USAGE, context, "specify which name to mark; see hindsight %s -h", context->name);
    if (needed && n == 1 && is_target(a.common.arguments[0]))
        return cli_fail(EXIT_USAGE, context, "specify which name to mark in %s; see hindsight %s -h",
                        a.common.arguments[0], context->name);
    if (!needed && n == 1 && is_target(a.common.arguments[0]))
        return request(context, &a, a.common.arguments[0], "");
    return request(context, &a, n == 2 ? a.common.arguments[0] : NULL, n > 0 ? a.common.arguments[n - 1] : "");
}

int cmd_mark(struct context *context) { return named(context, true); }
int cmd_unmark(struct context *context) { return named(context, false); }

int cmd_start(struct context *context)
{
    struct args a = { 0 };
    const char *target = NULL, *changes = "";
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    for (int i = 0; i < a.common.argument_count; i++) {
        if (strchr(a.common.arguments[i], '=') != NULL)
            changes = a.common.arguments[i];
        else
            target = a.common.arguments[i];
    }
    return request(context, &a, target, changes);
}
