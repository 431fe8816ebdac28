/* cmd_record.c - `hindsight record`: runs a command with the agent.
 *
 * A java launcher gets the options right after its name. Any other command (a script that starts java) gets them in
 * JAVA_TOOL_OPTIONS. The process is replaced by exec, so signals, exit status and standard streams are those of the
 * command. hashCode=3 makes the identity hashes of the VM sequential, so that they cannot collide with the ids that the
 * recorder assigns; with DontCompileHugeMethods, methods that weaving made larger than 8000 bytes would never be
 * compiled (design.md 1, 3). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/bytes.h"
#include "formats/schema.h"
#include "reader/cli/cli.h"

struct args {
    struct common common;
    const char *output, *format, *weave;
    struct texts options;
};
static const char format_help[] = ""
#define FORMAT(id, name, ...) ", " #name
#include "formats/formats.def"
#undef FORMAT
                                  " (default latest)";
static const struct option_row options[] = {
    { "output", 'o', "DIR", OPTION_DIRECTORY, offsetof(struct args, output),
      "the directory of the trace (default hindsight-{time}-{pid})" },
    { "format", 'f', "F", OPTION_FORMAT, offsetof(struct args, format), format_help + 2 },
    { "weave", 'w', "G+G", OPTION_GROUPS, offsetof(struct args, weave), "event groups, joined by + (default ALL)" },
    { "option", 0, "KEY=VALUE", OPTION_TEXTS, offsetof(struct args, options),
      "any other option of the agent, repeatable" },
    { 0 },
};
const struct usage usage_record = {
    .about = "Runs the command with the agent; the exit status is that of the command. A command that is not called "
             "java gets the agent through JAVA_TOOL_OPTIONS. The agent is libhindsight.so beside hindsight or in "
             "../lib, or the file that HINDSIGHT_AGENT names.",
    .example = "hindsight record -o trace --format omni --weave EXEC+CALL+PARAM -- java -jar app.jar",
    .options = options,
    .plain = true,
};

static const char *const vm_options[] = { "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=3",
                                          "-XX:-DontCompileHugeMethods" };
enum { VM_OPTIONS = sizeof vm_options / sizeof *vm_options };

static void add(struct writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

bool cli_find_agent(char out[PATH_MAX])
{
    static const char *const places[] = { "libhindsight.so", "../lib/libhindsight.so", "../lib64/libhindsight.so",
                                          "../lib/x86_64-linux-gnu/libhindsight.so",
                                          "../lib/aarch64-linux-gnu/libhindsight.so" };
    char self[PATH_MAX], path[PATH_MAX + 64];
    const char *named = getenv("HINDSIGHT_AGENT");
    if (named != NULL && *named != '\0')
        return realpath(named, out) != NULL;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash = n > 0 ? (self[n] = '\0', strrchr(self, '/')) : NULL;
    if (slash == NULL)
        return false;
    slash[1] = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        (void)snprintf(path, sizeof path, "%s%s", self, places[i]);
        if (realpath(path, out) != NULL)
            return true;
    }
    return false;
}

/* -agentpath:...=output=...,format=...; a value cannot contain a comma, which separates options. */
static int agent_argument(const struct args *a, const char *command, struct writer *w)
{
    char agent[PATH_MAX], cwd[PATH_MAX];
    const struct {
        const char *name, *value;
    } named[] = { { "output", a->output }, { "format", a->format }, { "weave", a->weave } };
    char separator = '=';
    if (!cli_find_agent(agent))
        return cli_fail(EXIT_FAILED, command, CLI_NO_AGENT);
    add(w, "-agentpath:");
    add(w, agent);
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].value == NULL)
            continue;
        if (strchr(named[i].value, ',') != NULL)
            return cli_fail(EXIT_USAGE, command, "--%s: '%s' contains a comma, which separates options of the agent",
                            named[i].name, named[i].value);
        write_u1(w, (unsigned char)separator);
        separator = ',';
        add(w, named[i].name);
        write_u1(w, '=');
        if (i == 0 && named[i].value[0] != '/' && getcwd(cwd, sizeof cwd) != NULL && strchr(cwd, ',') == NULL) {
            add(w, cwd); /* the command may change its directory before it starts java */
            write_u1(w, '/');
        }
        add(w, named[i].value);
    }
    for (size_t i = 0; i < a->options.count; i++) {
        if (strchr(a->options.items[i], '=') == NULL)
            return cli_fail(EXIT_USAGE, command, "--option wants KEY=VALUE, not '%s'", a->options.items[i]);
        write_u1(w, (unsigned char)separator);
        separator = ',';
        add(w, a->options.items[i]);
    }
    write_u1(w, '\0');
    return w->bad ? cli_fail(EXIT_FAILED, command, "out of memory") : PARSED;
}

static int run_launcher(const char *command, char **words, int count, char *agent)
{
    char **line = calloc((size_t)count + VM_OPTIONS + 2, sizeof *line);
    int n = 0;
    if (line == NULL)
        return cli_fail(EXIT_FAILED, command, "out of memory");
    line[n++] = words[0];
    for (unsigned i = 0; i < VM_OPTIONS; i++)
        line[n++] = (char *)(uintptr_t)vm_options[i];
    line[n++] = agent;
    for (int i = 1; i < count; i++)
        line[n++] = words[i];
    (void)execvp(line[0], line);
    free(line);
    return cli_fail(EXIT_FAILED, command, "%s: %s", words[0], strerror(errno));
}

/* Of all JVMs that the command starts, one records into the named directory and the others beside it
 * (logging/recording/run.h). */
static bool name_run(void)
{
    struct timespec now;
    char name[64];
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(name, sizeof name, "record-%d-%lld.%09ld", (int)getpid(), (long long)now.tv_sec, now.tv_nsec);
    return setenv(RUN_VARIABLE, name, 1) == 0;
}

static int run_other(const char *command, char **words, const char *agent)
{
    struct writer w = { 0 };
    const char *before = getenv("JAVA_TOOL_OPTIONS");
    if (strchr(agent, '"') != NULL)
        return cli_fail(
            EXIT_USAGE, command,
            "the agent's options contain a quotation mark, which is possible only if the command is called java");
    if (before != NULL)
        add(&w, before);
    for (unsigned i = 0; i < VM_OPTIONS; i++) {
        write_u1(&w, ' ');
        add(&w, vm_options[i]);
    }
    add(&w, " \"");
    add(&w, agent);
    add(&w, "\"");
    write_u1(&w, '\0');
    if (w.bad || !name_run() || setenv("JAVA_TOOL_OPTIONS", (const char *)w.data, 1) != 0) {
        writer_free(&w);
        return cli_fail(EXIT_FAILED, command, "out of memory");
    }
    writer_free(&w);
    (void)execvp(words[0], words);
    return cli_fail(EXIT_FAILED, command, "%s: %s", words[0], strerror(errno));
}

int cmd_record(int argc, char **argv)
{
    struct args a = { 0 };
    struct writer agent = { 0 };
    int status = cli_parse(argc, argv, &a);
    if (status != PARSED)
        return status;
    if (a.common.rest >= argc)
        return cli_fail(EXIT_USAGE, argv[0], "expected a command to run; see hindsight record -h");
    char **words = argv + a.common.rest;
    status = agent_argument(&a, argv[0], &agent);
    if (status == PARSED) {
        const char *slash = strrchr(words[0], '/'), *name = slash != NULL ? slash + 1 : words[0];
        status = strcmp(name, "java") == 0 ? run_launcher(argv[0], words, argc - a.common.rest, (char *)agent.data)
                                           : run_other(argv[0], words, (const char *)agent.data);
    }
    writer_free(&agent);
    return status;
}
