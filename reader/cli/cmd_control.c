/* cmd_control.c - `hindsight attach start stop mark unmark snapshot status`: live control of a recording.
 *
 * All but attach ask one question on the control socket of the trace (logging/control/control.h). A process is found by the
 * journal of its trace, which it has mapped (/proc/PID/maps): nothing is kept anywhere that could be stale or forged.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "formats/schema.h"
#include "logging/control/control.h"
#include "logging/control/attach.h"
#include "reader/cli/cli.h"

struct args {
    struct common common;
};
static const struct option no_options[] = { { 0 } };

static bool is_pid(const char *word)
{
    return *word != '\0' && word[strspn(word, "0123456789")] == '\0' && strlen(word) < 10;
}

/* The trace that the process records into; false: none. A blank etc. in a path is itself there, a newline is \012. */
static bool trace_of(const char *pid, char out[PATH_MAX])
{
    static const char tail[] = "/" TRACE_JOURNAL_FILE "\n";
    char path[64], *line = NULL;
    size_t size = 0;
    bool found = false;
    (void)snprintf(path, sizeof path, "/proc/%.10s/maps", pid);
    FILE *f = fopen(path, "r");
    for (ssize_t n; f != NULL && !found && (n = getline(&line, &size, f)) > 0;) {
        const char *dir = strchr(line, '/');
        if (strstr(line, " rw-s ") == NULL || dir == NULL || (size_t)n < sizeof tail ||
            strcmp(line + n - (sizeof tail - 1), tail) != 0)
            continue;
        line[n - (ssize_t)(sizeof tail - 1)] = '\0';
        found = strlen(dir) < PATH_MAX;
        if (found)
            (void)snprintf(out, PATH_MAX, "%s", dir);
    }
    if (f != NULL)
        (void)fclose(f);
    free(line);
    return found;
}

/* ---- answers ---- */

static const char *text_of(const cJSON *answer, const char *key)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, key));
    return s != NULL ? s : "";
}

/* The answer's error, or what `text` makes of it. `pid`: the process that was attached to, or NULL. */
static int show(const char *command, const struct args *a, const char *line, const char *pid,
                void (*text)(struct out *o, const char *pid, const cJSON *answer))
{
    struct out o;
    cJSON *answer = cJSON_Parse(line);
    const char *error = answer != NULL ? text_of(answer, "error") : "the answer is no JSON";
    int status = EXIT_DONE;
    if (*error != '\0') {
        status = cli_fail(EXIT_FAILED, command, "%s%s%s", pid != NULL ? pid : "", pid != NULL ? ": " : "", error);
    } else if (!out_init(&o)) {
        status = cli_fail(EXIT_FAILED, command, "out of memory");
    } else {
        if (a->common.json) {
            out_json_document(&o, line);
            out_char(&o, '\n');
        } else {
            text(&o, pid, answer);
        }
        status = out_flush(&o) == 0 ? EXIT_DONE : EXIT_FAILED;
        out_done(&o);
    }
    cJSON_Delete(answer);
    return status;
}

static void shown_status(struct out *o, const char *pid, const cJSON *answer)
{
    (void)pid;
    const cJSON *mark, *marks = cJSON_GetObjectItemCaseSensitive(answer, "marks");
    bool on = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "recording"));
    out_format(o, "%s %s: %s, %s, %.0f events, %.1f MB", on ? "recording into" : "stopped, trace",
               text_of(answer, "trace"), text_of(answer, "format"), text_of(answer, "weave"),
               cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(answer, "events")),
               cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(answer, "bytes")) / 1e6);
    cJSON_ArrayForEach(mark, marks) out_format(o, "%s%s", mark == marks->child ? "; marks: " : ", ",
                                               cJSON_IsString(mark) ? mark->valuestring : "?");
    out_char(o, '\n');
}

/* Asks the recorder of that process or trace (NULL: the newest here). */
static int ask(const char *command, const struct args *a, const char *target, const char *argument)
{
    static char line[CONTROL_LINE_MAX];
    char dir[PATH_MAX];
    struct error err;
    char *newest = target == NULL ? cli_newest_trace() : NULL;
    const char *named = target != NULL ? target : newest;
    int status = PARSED, fd = -1;
    if (named == NULL)
        status =
            cli_fail(EXIT_FAILED, command, "which? There is no directory hindsight-* here; name a process or a trace");
    else if (strchr(argument, '\n') != NULL || strlen(argument) + 32 > sizeof line)
        status = cli_fail(EXIT_USAGE, command, "a name is one line of at most %zu characters", sizeof line - 32);
    else if (is_pid(named) && access(named, F_OK) != 0 && !trace_of(named, dir))
        status = cli_fail(EXIT_FAILED, command, "%s: no such process of yours records; see hindsight attach", named);
    else if ((fd = control_connect(is_pid(named) && access(named, F_OK) != 0 ? dir : named, &err)) < 0)
        status = cli_fail(EXIT_FAILED, command, "%s", err.text);
    free(newest);
    if (status != PARSED)
        return status;
    int n = snprintf(line, sizeof line, "%s%s%s\n", command, *argument != '\0' ? " " : "", argument);
    if (!control_write(fd, line, (size_t)n, 120) || !control_read_line(fd, line, 120))
        status = cli_fail(EXIT_FAILED, command, "no answer: the program has ended, or is stuck");
    (void)close(fd);
    return status == PARSED ? show(command, a, line, NULL, shown_status) : status;
}

#define WHERE "PID names a process, TRACE a trace that is being recorded; the newest hindsight-* here unless given."
#define USAGE(words, text, line, count)                                                                                \
    {                                                                                                                  \
        .synopsis = words, .about = text "\n" WHERE, .example = line, .options = no_options, .arguments = count        \
    }

/* Commands that take nothing but whom to ask. */
static int plain(const struct usage *usage, int argc, char **argv)
{
    struct args a = { 0 };
    int status = cli_parse(usage, argc, argv, &a);
    return status != PARSED ? status : ask(argv[0], &a, a.common.argument_count > 0 ? a.common.arguments[0] : NULL, "");
}

int cmd_status(int argc, char **argv)
{
    static const struct usage usage = USAGE("[PID|TRACE] [options]",
                                            "Tells whether it is recording, what, how many events by now (it stores "
                                            "what is in buffers first), and the marks that are open.",
                                            "hindsight status 4711 --json", 1);
    return plain(&usage, argc, argv);
}

int cmd_stop(int argc, char **argv)
{
    static const struct usage usage =
        USAGE("[PID|TRACE] [options]",
              "Stops recording: classes get their own code back, what was recorded is stored. hindsight start goes on.",
              "hindsight stop 4711", 1);
    return plain(&usage, argc, argv);
}

int cmd_snapshot(int argc, char **argv)
{
    static const struct usage usage =
        USAGE("[PID|TRACE] [options]",
              "Stores everything recorded so far, so that the trace can be read while recording goes on.",
              "hindsight snapshot 4711 && hindsight tree trace", 1);
    return plain(&usage, argc, argv);
}

/* Commands with a name: NAME, or whom to ask and NAME. */
static int named(const struct usage *usage, int argc, char **argv, bool needed)
{
    struct args a = { 0 };
    int status = cli_parse(usage, argc, argv, &a);
    if (status != PARSED)
        return status;
    int n = a.common.argument_count;
    if (needed && n == 0)
        return cli_fail(EXIT_USAGE, argv[0], "which name? See hindsight %s -h", argv[0]);
    return ask(argv[0], &a, n == 2 ? a.common.arguments[0] : NULL, n > 0 ? a.common.arguments[n - 1] : "");
}

int cmd_mark(int argc, char **argv)
{
    static const struct usage usage = USAGE(
        "[PID|TRACE] NAME [options]",
        "What is recorded from now on belongs to the feature NAME, until hindsight unmark. Marks may nest and overlap.",
        "hindsight mark 4711 checkout", 2);
    return named(&usage, argc, argv, true);
}

int cmd_unmark(int argc, char **argv)
{
    static const struct usage usage = USAGE("[PID|TRACE] [NAME] [options]",
                                            "Ends the innermost open mark of that name, or all marks. A process or "
                                            "trace is named only together with a mark.",
                                            "hindsight unmark 4711 checkout", 2);
    return named(&usage, argc, argv, false);
}

int cmd_start(int argc, char **argv)
{
    static const struct usage usage = USAGE("[PID|TRACE] [key=value,...] [options]",
                                            "Starts recording into the trace that the process has. weave= replaces the "
                                            "groups, i= e= exlocation= the filter;\n"
                                            "what is not given stays as it was.",
                                            "hindsight start 4711 weave=EXEC+CALL,i=com.acme.", 2);
    struct args a = { 0 };
    const char *target = NULL, *changes = "";
    int status = cli_parse(&usage, argc, argv, &a);
    if (status != PARSED)
        return status;
    for (int i = 0; i < a.common.argument_count; i++)
        *(strchr(a.common.arguments[i], '=') != NULL ? &changes : &target) = a.common.arguments[i];
    return ask(argv[0], &a, target, changes);
}

/* ---- attach ---- */

/* The options with a path of the trace that does not depend on where the JVM runs, and a way to answer. */
static bool attach_options(const char *given, int reply, char *out, size_t size)
{
    static const char word[] = "output=";
    char cwd[PATH_MAX] = "";
    const char *at = given, *value;
    while (at != NULL && strncmp(at, word, strlen(word)) != 0)
        at = (at = strchr(at, ',')) != NULL ? at + 1 : NULL;
    value = at != NULL ? at + strlen(word) : "hindsight-{time}-{pid}";
    bool relative = *value != '/' && *value != '\0' && getcwd(cwd, sizeof cwd) != NULL && strpbrk(cwd, ",{") == NULL;
    size_t length = strcspn(value, ","), before = at != NULL ? (size_t)(at - given) : strlen(given);
    int n = snprintf(out, size, "%.*s%s%s%s%s%.*s%s,reply=/proc/%d/fd/%d", (int)before, given,
                     at == NULL && before > 0 ? "," : "", word, relative ? cwd : "", relative ? "/" : "", (int)length,
                     value, at != NULL ? value + length : "", (int)getpid(), reply);
    return n > 0 && (size_t)n < size;
}

/* What the agent says, within the time; it may say nothing. */
static bool read_reply(int fd, char line[CONTROL_LINE_MAX], int timeout_ms)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    ssize_t n = poll(&p, 1, timeout_ms) == 1 && (p.revents & POLLIN) ? read(fd, line, CONTROL_LINE_MAX - 1) : 0;
    if (n <= 0)
        return false;
    line[n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static void shown_attached(struct out *o, const char *pid, const cJSON *answer)
{
    out_format(o, "attached to %s, trace %s\n", pid, text_of(answer, "trace"));
}

static int attach(const char *command, const struct args *a, const char *pid, const char *given)
{
    static char line[CONTROL_LINE_MAX];
    char library[PATH_MAX], options[PATH_MAX + 1024], dir[PATH_MAX];
    struct error err;
    int reply[2];
    if (trace_of(pid, dir))
        return cli_fail(EXIT_FAILED, command, "%s: it is recorded already, into %s; see hindsight status, start, stop",
                        pid, dir);
    if (!cli_find_agent(library))
        return cli_fail(EXIT_FAILED, command,
                        "libhindsight.so: not found beside this program or in ../lib, set HINDSIGHT_AGENT");
    if (pipe2(reply, O_CLOEXEC) != 0 || !attach_options(given, reply[1], options, sizeof options))
        return cli_fail(EXIT_FAILED, command, "%s: options too long, or no pipe", pid);
    bool loaded = attach_load((int)strtol(pid, NULL, 10), library, options, &err);
    bool told = read_reply(reply[0], line, loaded ? 60000 : 0);
    (void)close(reply[0]);
    (void)close(reply[1]);
    if (!loaded && !told)
        return cli_fail(EXIT_FAILED, command, "%s: %s", pid, err.text);
    if (!told)
        return cli_fail(EXIT_FAILED, command, "%s: the agent is loaded, but does not answer", pid);
    return show(command, a, line, pid, shown_attached);
}

int cmd_attach(int argc, char **argv)
{
    static const struct usage usage = {
        .synopsis = "PID [key=value,...] [options]",
        .about = "Loads the agent into a running JVM of the same user, with options as behind -agentpath (start=off: "
                 "to wait for hindsight start).\n"
                 "Without output= the trace is hindsight-{time}-{pid} here.",
        .example = "hindsight attach 4711 format=omni,weave=EXEC+CALL+PARAM,i=com.acme.",
        .options = no_options,
        .arguments = 2,
    };
    struct args a = { 0 };
    int status = cli_parse(&usage, argc, argv, &a);
    if (status != PARSED)
        return status;
    if (a.common.argument_count == 0 || !is_pid(a.common.arguments[0]))
        return cli_fail(EXIT_USAGE, argv[0], "which process? Give its number, see hindsight attach -h");
    return attach(argv[0], &a, a.common.arguments[0], a.common.argument_count > 1 ? a.common.arguments[1] : "");
}
