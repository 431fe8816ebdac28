/* cmd_record.c - `hindsight record`: runs a command with the agent.
 *
 * A java launcher gets the options right after its name. Any other command (a script that starts java) gets them in
 * JAVA_TOOL_OPTIONS. The command is a child: signals are passed on to it, standard streams and exit status are its own;
 * when it has ended, the last lines are written (recorded.h). With DontCompileHugeMethods, methods that weaving
 * made larger than 8000 bytes would never be compiled (design.md 1). */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formats/bundle.h"
#include "formats/bytes.h"
#include "formats/event.h"
#include "formats/format.h"
#include "formats/nearest.h"
#include "formats/schema.h"
#include "reader/cli/archive.h"
#include "reader/cli/record_index.h"
#include "reader/cli/until_fail.h"
#include "reader/command/cli.h"

struct args {
    struct common common;
    const char *output, *format, *weave, *index;
    struct texts only, options;
    uint64_t until_fail; /* runs at most; 0: one run */
    bool tests, pack;
};
#define FORMAT(id, name, ...) ", " #name
static const char format_names[] =
#include "formats/formats.def"
    ;
static const char format_help[] =
#include "formats/formats.def"
    " (default omni)";
#undef FORMAT
static const struct option_row options[] = {
    { "output", 'o', "DIR", OPTION_DIRECTORY, offsetof(struct args, output),
      "the directory of the trace (default hindsight-{time}-{pid})" },
    { "format", 'f', "F", OPTION_FORMAT, offsetof(struct args, format), format_help + 2 },
    { "weave", 'w', "G+G", OPTION_GROUPS, offsetof(struct args, weave), "event groups, joined by + (default ALL)" },
    { "only", 0, "PREFIX", OPTION_TEXTS, offsetof(struct args, only),
      "record no classes but those whose name begins so (com.acme.), repeatable; --option e=PREFIX takes out of it" },
    { "index", 0, "now|later|off", OPTION_CHOICE, offsetof(struct args, index),
      "now (the default): make the index while the program runs, as far as the machine is idle, and the rest when it "
      "has ended; later: the first question does; off: only the command index does" },
    { "tests", 0, NULL, OPTION_FLAG, offsetof(struct args, tests),
      "only the JVM that runs the tests, as mvn test or gradle test starts it: see failure, tests" },
    { "until-fail", 0, "N", OPTION_U64, offsetof(struct args, until_fail),
      "run the command again until it or a test fails, N times at most; only the recording of the run that failed is "
      "kept" },
    { "pack", 0, NULL, OPTION_FLAG, offsetof(struct args, pack),
      "also write the trace as one file, DIR" BUNDLE_SUFFIX ", as pack does when the program has ended" },
    { "option", 0, "KEY=VALUE", OPTION_TEXTS, offsetof(struct args, options),
      "any other option of the agent, repeatable" },
    { 0 },
};
const struct usage usage_record = {
    .about =
        "Runs the command with the agent; the exit status is that of the command. The last lines on standard error "
        "say what was recorded and which commands to begin with (not with --option quiet=true); with --json the last "
        "line there is one object. A command that "
        "is not called java gets the agent through JAVA_TOOL_OPTIONS. The agent is libhindsight.so beside hindsight or "
        "in "
        "../lib, or the file that HINDSIGHT_AGENT names.",
    .example = "hindsight record -o trace --only com.acme. --weave EXEC+CALL+PARAM -- java -jar app.jar",
    .options = options,
    .plain = true,
};

#define NOT_GIVEN      UINT64_MAX
#define DEFAULT_OUTPUT "hindsight-{time}-{pid}"
static const char *const vm_options[] = { "-XX:-DontCompileHugeMethods" };
enum { VM_OPTIONS = sizeof vm_options / sizeof *vm_options, RUN_NAME_ROOM = 64 };

static void add(struct writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

bool cli_find_agent(char out[PATH_MAX])
{
    static const char *const places[] = { "libhindsight.so",
                                          "../lib/libhindsight.so",
                                          "../lib64/libhindsight.so",
                                          "../lib/x86_64-linux-gnu/libhindsight.so",
                                          "../lib/aarch64-linux-gnu/libhindsight.so",
                                          NULL };
    const char *named = getenv("HINDSIGHT_AGENT");
    if (named != NULL && *named != '\0')
        return realpath(named, out) != NULL;
    return cli_find_beside(places, out);
}

/* Adds KEY=VALUE; *separator stands in front of it. */
static int add_option(struct writer *w, char *separator, struct context *context, const char *name, const char *folder,
                      const char *value)
{
    if (strchr(value, ',') != NULL)
        return cli_fail(EXIT_USAGE, context, "--%s: '%s' contains a comma, which separates options of the agent", name,
                        value);
    write_u1(w, (unsigned char)*separator);
    *separator = ',';
    add(w, name);
    write_u1(w, '=');
    if (folder[0] != '\0') {
        add(w, folder);
        write_u1(w, '/');
    }
    add(w, value);
    return PARSED;
}

/* The value of an option of the agent that was given with --option; NULL: it was not. */
static const char *agent_option(const struct args *a, const char *name)
{
    size_t n = strlen(name);
    const char *value = NULL;
    for (size_t i = 0; i < a->options.count; i++)
        if (strncmp(a->options.items[i], name, n) == 0 && a->options.items[i][n] == '=')
            value = a->options.items[i] + n + 1; /* the last one counts */
    return value;
}

/* Can the trace have what the program writes to standard output? The agent checks it again. */
static bool shows_output(const struct args *a)
{
    const char *format = a->format != NULL ? a->format : agent_option(a, "format"), *bad;
    const char *weave = a->weave != NULL ? a->weave : agent_option(a, "weave");
    const group_set shown = GROUP_BIT(EXEC) | GROUP_BIT(PARAM);
    const struct format *f = format_find(format);
    group_set groups = GROUP_ALL;
    int length;
    return f != NULL && f->stream && f->values &&
           (weave == NULL || (group_set_parse(weave, &groups, &bad, &length) && (groups & shown) == shown));
}

static bool is_index(const struct args *a, const char *when)
{
    const char *given = a->index != NULL ? a->index : agent_option(a, "index");
    return strcmp(given != NULL ? given : "now", when) == 0;
}

/* Will what passed tests did, or what is outside of the windows, be dropped when the program has ended? */
static bool drops_events(const struct args *a)
{
    const char *tests = agent_option(a, "tests"), *keep = agent_option(a, "keep"), *derive = agent_option(a, "derive");
    const bool on = tests != NULL ? strcmp(tests, "on") == 0 : a->tests;
    if (agent_option(a, "logstart") != NULL || agent_option(a, "logend") != NULL)
        return derive != NULL && strcmp(derive, "on") == 0;
    return on && (keep == NULL || strcmp(keep, "all") != 0);
}

/* -agentpath:...=output=...,format=...; a value cannot contain a comma, which separates options. */
static int agent_argument(const struct args *a, struct context *context, struct writer *w)
{
    char agent[PATH_MAX], cwd[PATH_MAX];
    const struct {
        const char *name, *value;
    } named[] = { { "output", a->output },
                  { "format", a->format },
                  { "weave", a->weave },
                  { "index", is_index(a, "off") ? a->index : NULL } };
    char separator = '=';
    int status = PARSED;
    if (!cli_find_agent(agent))
        return cli_fail(EXIT_FAILED, context, CLI_NO_AGENT);
    add(w, "-agentpath:");
    add(w, agent);
    for (unsigned i = 0; i < sizeof named / sizeof *named && status == PARSED; i++) {
        const char *value = named[i].value;
        if (value == NULL)
            continue;
        /* a path from the root: the command may change its directory before it starts java */
        bool here = i == 0 && value[0] != '/' && getcwd(cwd, sizeof cwd) != NULL && strchr(cwd, ',') == NULL;
        status = add_option(w, &separator, context, named[i].name, here ? cwd : "", value);
    }
    for (size_t i = 0; i < a->only.count && status == PARSED; i++)
        status = add_option(w, &separator, context, "only", "", a->only.items[i]);
    if (status != PARSED)
        return status;
    for (size_t i = 0; i < a->options.count; i++) {
        if (strchr(a->options.items[i], '=') == NULL)
            return cli_fail(EXIT_USAGE, context, "--option wants KEY=VALUE, not '%s'", a->options.items[i]);
        write_u1(w, (unsigned char)separator);
        separator = ',';
        add(w, a->options.items[i]);
    }
    if (agent_option(a, "strict") == NULL)
        status = add_option(w, &separator, context, "strict", "", "true");
    if (status == PARSED && a->tests && agent_option(a, "tests") == NULL)
        status = add_option(w, &separator, context, "tests", "", "on");
    if (status == PARSED && a->tests && agent_option(a, "quiet") == NULL) /* build tools warn of what a fork prints */
        status = add_option(w, &separator, context, "quiet", "", "true");
    if (agent_option(a, "stdout") == NULL && shows_output(a))
        status = add_option(w, &separator, context, "stdout", "", "true");
    write_u1(w, '\0');
    return w->bad ? cli_fail(EXIT_FAILED, context, "out of memory") : status;
}

/* An option of this command that is given to the agent by --option, too, with another value. */
static int check_twice(const struct args *a, struct context *context, const char *name, const char *value)
{
    const char *other = agent_option(a, name);
    if (value == NULL || other == NULL || strcmp(value, other) == 0)
        return PARSED;
    return cli_fail(EXIT_USAGE, context, "--%s %s and --option %s=%s: give one of them", name, value, name, other);
}

/* What the agent would refuse when the JVM has started: no name of the trace, a format or groups that do not exist. */
static int check_choices(const struct args *a, struct context *context)
{
    const char *output = agent_option(a, "output");
    int status = check_twice(a, context, "output", a->output);
    if (status == PARSED)
        status = check_twice(a, context, "format", a->format);
    if (status == PARSED)
        status = check_twice(a, context, "weave", a->weave);
    if (status == PARSED)
        status = check_twice(a, context, "index", a->index);
    if (status != PARSED)
        return status;
    if (output != NULL && *output == '\0')
        return cli_fail(EXIT_USAGE, context, "--option output= wants DIR, not an empty name");
    const char *format = agent_option(a, "format"), *weave = agent_option(a, "weave"), *bad = NULL;
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    group_set groups;
    int length = 0;
    if (format == NULL)
        format = a->format;
    if (weave == NULL)
        weave = a->weave;
    nearest_init(&n, format != NULL ? format : "");
#define FORMAT(id, name, ...) nearest_offer(&n, #name);
#include "formats/formats.def"
#undef FORMAT
    if (a->index != NULL && strcmp(a->index, "now") != 0 && strcmp(a->index, "later") != 0 &&
        strcmp(a->index, "off") != 0)
        return cli_fail(EXIT_USAGE, context, "--index wants now, later or off, not '%s'", a->index);
    if (format != NULL && format_find(format) == NULL)
        return cli_fail(EXIT_USAGE, context, "--format: unknown format '%s'%s; they are %s", format,
                        nearest_text(&n, text), format_names + 2);
    if (weave != NULL && !group_set_parse(weave, &groups, &bad, &length))
        return cli_fail(EXIT_USAGE, context, "--weave %s: unknown group '%.*s'", weave, length, bad);
    return PARSED;
}

/* ---- the child ---- */

static const int passed_on[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };

static void signals_passed_on(sigset_t *to)
{
    (void)sigemptyset(to);
    for (unsigned i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        (void)sigaddset(to, passed_on[i]);
}

/* Waits for the child and passes signals on to it. Those of the terminal reach it anyway, as one of our group. */
static int wait_for(pid_t pid, const sigset_t *signals)
{
    int status = 0;
    for (;;) {
        siginfo_t info;
        pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid || (done < 0 && errno != EINTR))
            return status;
        int signal = sigwaitinfo(signals, &info);
        if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL)
            (void)kill(pid, signal);
    }
}

/* Runs the program; *wait_status is that of waitpid. Returns an errno: it cannot be started. Signals stay blocked, so
 * that what follows is not cut off by a Ctrl-C that was meant for the program. */
static int run_program(char **words, int *wait_status)
{
    sigset_t signals, before;
    posix_spawnattr_t how;
    pid_t pid;
    signals_passed_on(&signals);
    (void)sigaddset(&signals, SIGCHLD);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)sigprocmask(SIG_BLOCK, &signals, &before);
    int failed = posix_spawnattr_init(&how);
    if (failed != 0)
        return failed;
    (void)posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setsigmask(&how, &before);
    failed = posix_spawnp(&pid, words[0], NULL, &how, words, environ);
    (void)posix_spawnattr_destroy(&how);
    if (failed == 0)
        *wait_status = wait_for(pid, &signals);
    return failed;
}

/* Ends as the program did: with its exit status, or by the signal that killed it. */
static int end_as(int wait_status)
{
    if (!WIFSIGNALED(wait_status))
        return WEXITSTATUS(wait_status);
    int signal_number = WTERMSIG(wait_status);
    sigset_t one;
    const struct rlimit none = { 0 };
    (void)setrlimit(RLIMIT_CORE, &none); /* the core that matters is the program's */
    (void)signal(signal_number, SIG_DFL);
    (void)sigemptyset(&one);
    (void)sigaddset(&one, signal_number);
    (void)fflush(stderr);
    (void)raise(signal_number);
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    return 128 + signal_number;
}

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The run of this command, for the agent and for recorded_tell. Of all JVMs that the command starts, one records into
 * the named directory and the others beside it (logging/recording/run.h). */
static bool name_run(char *name, size_t size)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(name, size, "record-%d-%lld.%09ld", (int)getpid(), (long long)now.tv_sec, now.tv_nsec);
    return setenv(RUN_VARIABLE, name, 1) == 0;
}

/* Instead of the command: derive=off? */
static bool is_agent_option(const char *word)
{
    const char *equals = strchr(word, '=');
    return equals != NULL && equals > word && strchr(word, '/') == NULL;
}

/* PARSED, or the exit status: it cannot be run. `name`: RUN_NAME_ROOM bytes. */
static int run_once(struct context *context, const struct args *a, char **words, bool launcher, char *name,
                    struct recorded_run *done, int *wait_status)
{
    const char *output = agent_option(a, "output");
    uint64_t begin = now_ns();
    if (!name_run(name, RUN_NAME_ROOM))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    *done = (struct recorded_run){ .context = context, .output = output != NULL ? output : a->output, .name = name };
    const pid_t maker = is_index(a, "now") && !drops_events(a) ? index_maker_begin(done) : 0;
    int failed = run_program(words, wait_status);
    index_maker_end(maker);
    if (failed != 0 && is_agent_option(words[0]))
        return cli_fail(EXIT_FAILED, context, "%s: %s; options of the agent are given as --option %s", words[0],
                        strerror(failed), words[0]);
    if (failed != 0)
        return cli_fail(EXIT_FAILED, context, "%s: %s", words[0], strerror(failed));
    *done = (struct recorded_run){
        .context = context,
        .command = words[0],
        .output = output != NULL ? output : a->output,
        .name = name,
        .took_ns = now_ns() - begin,
        .signal = WIFSIGNALED(*wait_status) ? WTERMSIG(*wait_status) : 0,
        .exit_status = WEXITSTATUS(*wait_status),
        .failed_java = launcher && *wait_status != 0,
        .json = a->common.json,
        .tests = a->tests,
        .pack = a->pack,
    };
    return PARSED;
}

/* After a run that passed: shall there be another one? Its recording is removed, and of the last one, too. */
static bool go_on(const struct args *a, struct recorded_run *done, const sigset_t *signals, char why[80])
{
    if (run_outcome(done) != RUN_PASSED)
        return false;
    run_forget(done);
    if (done->runs < a->until_fail && sigtimedwait(signals, NULL, &(struct timespec){ 0 }) < 0)
        return true;
    (void)snprintf(why, 80, "no test failed in %llu run%s, of which nothing is kept", (unsigned long long)done->runs,
                   done->runs > 1 ? "s" : "");
    done->unrecorded = why;
    return false;
}

static int run(struct context *context, const struct args *a, char **words, bool launcher)
{
    char name[RUN_NAME_ROOM], why[80];
    const char *quiet = agent_option(a, "quiet");
    struct recorded_run done;
    int wait_status = 0, status;
    uint64_t runs = 0;
    sigset_t until;
    signals_passed_on(&until);
    do {
        status = run_once(context, a, words, launcher, name, &done, &wait_status);
        if (status != PARSED)
            return status;
        done.runs = a->until_fail > 0 ? ++runs : 0;
    } while (a->until_fail > 0 && go_on(a, &done, &until, why));
    if (drops_events(a))
        record_drop(&done, &until);
    if (is_index(a, "now"))
        record_index(&done, &until);
    if (a->pack)
        record_pack(&done, &until);
    if (a->common.json || quiet == NULL || strcmp(quiet, "true") != 0)
        recorded_tell(&done);
    return end_as(wait_status);
}

/* Runs a JVM that takes no agent (archive.h) without one. */
static int run_unrecorded(struct context *context, const struct args *a, char **words, const char *option)
{
    const char *strict = agent_option(a, "strict");
    char why[160];
    int wait_status = 0;
    uint64_t begin = now_ns();
    if (strict != NULL && strcmp(strict, "true") == 0)
        return cli_fail(EXIT_FAILED, context, "%s: a JVM that makes an archive of classes takes no agent", option);
    int failed = run_program(words, &wait_status);
    if (failed != 0)
        return cli_fail(EXIT_FAILED, context, "%s: %s", words[0], strerror(failed));
    (void)snprintf(why, sizeof why, "a JVM that makes an archive of classes (%.80s) takes no agent", option);
    recorded_tell(&(struct recorded_run){
        .context = context,
        .command = words[0],
        .took_ns = now_ns() - begin,
        .signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0,
        .exit_status = WEXITSTATUS(wait_status),
        .json = a->common.json,
        .unrecorded = why,
    });
    return end_as(wait_status);
}

static int run_launcher(struct context *context, const struct args *a, char **words, int count, char *agent)
{
    char **line = calloc((size_t)count + VM_OPTIONS + 2, sizeof *line);
    int n = 0;
    if (line == NULL)
        return cli_fail(EXIT_FAILED, context, "out of memory");
    line[n++] = words[0];
    for (unsigned i = 0; i < VM_OPTIONS; i++)
        line[n++] = (char *)(uintptr_t)vm_options[i];
    line[n++] = agent;
    for (int i = 1; i < count; i++)
        line[n++] = words[i];
    int status = run(context, a, line, true);
    free(line);
    return status;
}

/* Adds words to a variable of the environment. */
static bool extend_variable(const char *name, const char *words)
{
    struct writer w = { 0 };
    const char *before = getenv(name);
    if (before != NULL) {
        add(&w, before);
        write_u1(&w, ' ');
    }
    add(&w, words);
    write_u1(&w, '\0');
    const bool set = !w.bad && setenv(name, (const char *)w.data, 1) == 0;
    writer_free(&w);
    return set;
}

/* A daemon of Gradle that runs already starts JVMs with the environment that it was started with. */
static const char without_daemon[] = "-Dorg.gradle.daemon=false";

static int run_other(struct context *context, const struct args *a, char **words, const char *agent)
{
    struct writer w = { 0 };
    if (strchr(agent, '"') != NULL)
        return cli_fail(
            EXIT_USAGE, context,
            "the agent's options contain a quotation mark, which is possible only if the command is called java");
    for (unsigned i = 0; i < VM_OPTIONS; i++) {
        add(&w, vm_options[i]);
        write_u1(&w, ' ');
    }
    add(&w, "\"");
    add(&w, agent);
    add(&w, "\"");
    write_u1(&w, '\0');
    const bool set = !w.bad && extend_variable("JAVA_TOOL_OPTIONS", (const char *)w.data) &&
                     extend_variable("GRADLE_OPTS", without_daemon);
    writer_free(&w);
    return set ? run(context, a, words, false) : cli_fail(EXIT_FAILED, context, "out of memory");
}

/* --until-fail: how many runs, and traces that can be found again, since they are removed. */
static int check_runs(struct args *a, struct context *context)
{
    const char *given = agent_option(a, "output"), *output = given != NULL ? given : a->output;
    const char *slash = output != NULL ? strrchr(output, '/') : NULL,
               *brace = output != NULL ? strchr(output, '{') : NULL;
    if (a->until_fail == 0)
        return cli_fail(EXIT_USAGE, context, "--until-fail wants how many runs at most, 1 or more");
    if (a->until_fail == NOT_GIVEN)
        a->until_fail = 0;
    else if (brace != NULL && slash != NULL && brace < slash)
        return cli_fail(EXIT_USAGE, context, "--until-fail wants a folder without {...}: it removes traces in it");
    return PARSED;
}

int cmd_record(struct context *context)
{
    struct args a = { .until_fail = NOT_GIVEN };
    struct writer agent = { 0 };
    int status = cli_parse(context, &a);
    if (status == PARSED)
        status = check_runs(&a, context);
    if (status != PARSED)
        return status;
    if (a.common.rest >= context->argc)
        return cli_fail(EXIT_USAGE, context, "expected a command to run; see hindsight record -h");
    char **words = context->argv + a.common.rest;
    const char *slash = strrchr(words[0], '/'), *name = slash != NULL ? slash + 1 : words[0];
    bool launcher = strcmp(name, "java") == 0;
    if (a.format == NULL && agent_option(&a, "format") == NULL)
        a.format = "omni";
    if (a.output == NULL && agent_option(&a, "output") == NULL && !launcher)
        a.output = DEFAULT_OUTPUT; /* here, not where the command changes to */
    const int count = context->argc - a.common.rest;
    const char *archive = archive_option(words, launcher ? count : 0);
    status = check_choices(&a, context);
    if (status == PARSED && archive != NULL)
        return run_unrecorded(context, &a, words, archive);
    if (status == PARSED)
        status = agent_argument(&a, context, &agent);
    if (status == PARSED)
        status = launcher ? run_launcher(context, &a, words, count, (char *)agent.data)
                          : run_other(context, &a, words, (const char *)agent.data);
    writer_free(&agent);
    return status;
}
