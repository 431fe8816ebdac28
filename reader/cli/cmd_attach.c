/* cmd_attach.c - `hindsight attach PID`: loads the agent into a running JVM (logging/control/attach.h).
 *
 * The agent reports its success through a pipe that it opens as /proc/PID/fd/N (its option reply=). */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/bytes.h"
#include "logging/control/attach.h"
#include "logging/control/control.h"
#include "reader/command/control.h"

enum { REPLY_MS = 60000, OPTIONS_BYTES = PATH_MAX + 1024 };

struct args {
    struct common common;
    struct texts only;
};
static const struct option_row rows[] = {
    { "only", 0, "PREFIX", OPTION_TEXTS, offsetof(struct args, only),
      "record no classes but those whose name begins so, repeatable; the same as only=PREFIX" },
    { 0 },
};
const struct usage usage_attach = {
    .about = "Loads the agent into a running JVM of the same user, with options as for -agentpath (start=off: wait for "
             "hindsight start). Without format= it is latest, without output= the trace is hindsight-{time}-{pid} in "
             "the current directory.",
    .example = "hindsight attach 4711 format=omni,weave=EXEC+CALL+PARAM,only=com.acme.",
    .options = rows,
};

/* The value of output= in the options; NULL: not given. */
static const char *find_output(const char *options)
{
    static const char key[] = "output=";
    while (options != NULL) {
        if (strncmp(options, key, sizeof key - 1) == 0)
            return options + sizeof key - 1;
        const char *comma = strchr(options, ',');
        options = comma != NULL ? comma + 1 : NULL;
    }
    return NULL;
}

/* Copies the options, with an absolute path of the trace (the JVM may have another current directory) and with
 * reply=. False: too long. */
static bool make_options(const char *given, int reply, char *out, size_t size)
{
    char cwd[PATH_MAX] = "";
    const char *value = find_output(given);
    int n;
    bool absolute = value != NULL && (*value == '/' || *value == '\0' || *value == ',');
    if (absolute || getcwd(cwd, sizeof cwd) == NULL || strpbrk(cwd, ",{") != NULL)
        cwd[0] = '\0';
    const char *slash = cwd[0] != '\0' ? "/" : "";
    if (value != NULL)
        n = snprintf(out, size, "%.*s%s%s%s,reply=/proc/%d/fd/%d", (int)(value - given), given, cwd, slash, value,
                     (int)getpid(), reply);
    else
        n = snprintf(out, size, "%s%soutput=%s%shindsight-{time}-{pid},reply=/proc/%d/fd/%d", given,
                     *given != '\0' ? "," : "", cwd, slash, (int)getpid(), reply);
    return n > 0 && (size_t)n < size;
}

/* Reads the reply of the agent; false: there was none in time. */
static bool read_reply(int fd, char line[CONTROL_LINE_MAX], int timeout_ms)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    if (poll(&p, 1, timeout_ms) != 1 || (p.revents & POLLIN) == 0)
        return false;
    ssize_t n = read(fd, line, CONTROL_LINE_MAX - 1);
    if (n <= 0)
        return false;
    line[n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static void print_attached(struct out *o, bool as_json, const char *pid, const cJSON *answer)
{
    if (as_json) {
        json_object(&o->json);
        json_member_text(&o->json, "trace", control_text(answer, "trace"));
        json_end_line(&o->json);
        return;
    }
    out_format(o, "attached to %s, trace %s\n", pid, control_text(answer, "trace"));
}

static int attach(struct context *context, const struct args *a, const char *pid, const char *given)
{
    static char line[CONTROL_LINE_MAX];
    char library[PATH_MAX], options[OPTIONS_BYTES], dir[PATH_MAX];
    struct error err;
    int reply[2];
    if (control_trace_of(pid, dir))
        return cli_fail(EXIT_FAILED, context, "%s: is already recorded, into %s; see hindsight status, start, stop",
                        pid, dir);
    if (!cli_find_agent(library))
        return cli_fail(EXIT_FAILED, context, CLI_NO_AGENT);
    if (pipe2(reply, O_CLOEXEC) != 0)
        return cli_fail(EXIT_FAILED, context, "%s: no pipe for the reply of the agent: %m", pid);
    bool fits = make_options(given, reply[1], options, sizeof options);
    bool loaded = fits && attach_load((int)strtol(pid, NULL, 10), library, options, &err);
    bool replied = fits && read_reply(reply[0], line, loaded ? REPLY_MS : 0);
    (void)close(reply[0]);
    (void)close(reply[1]);
    if (!fits)
        return cli_fail(EXIT_FAILED, context, "%s: the options are too long, at most %d characters", pid,
                        OPTIONS_BYTES);
    if (!loaded && !replied)
        return cli_fail(EXIT_FAILED, context, "%s: %s", pid, err.text);
    if (!replied)
        return cli_fail(EXIT_FAILED, context, "%s: the agent is loaded, but does not answer", pid);
    return control_print(context, &a->common, line, pid, print_attached);
}

int cmd_attach(struct context *context)
{
    struct args a = { 0 };
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *pid = a.common.arguments[0], *options = a.common.arguments[1];
    if (pid == NULL || !control_is_pid(pid))
        return cli_fail(EXIT_USAGE, context, "specify which process to attach to, by its id; see hindsight attach -h");
    struct writer given = { 0 };
    write_bytes(&given, options, options != NULL ? strlen(options) : 0);
    for (size_t i = 0; i < a.only.count; i++) {
        const char *prefix = a.only.items[i];
        if (strchr(prefix, ',') != NULL) {
            writer_free(&given);
            return cli_fail(EXIT_USAGE, context, "--only: '%s' contains a comma, which separates options of the agent",
                            prefix);
        }
        write_bytes(&given, ",only=", 6);
        write_bytes(&given, prefix, strlen(prefix));
    }
    write_u1(&given, '\0');
    const char *text = (const char *)given.data;
    status =
        given.bad ? cli_fail(EXIT_FAILED, context, "out of memory") : attach(context, &a, pid, text + (*text == ','));
    writer_free(&given);
    return status;
}
