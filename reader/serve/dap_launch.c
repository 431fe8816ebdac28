/* dap_launch.c - opens the trace of a session: one that is there, a snapshot of a running recording, or one that is
 * recorded first. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reader/command/cli.h"
#include "reader/command/control.h"
#include "reader/command/moment.h"
#include "reader/serve/dap.h"
#include "reader/serve/sockets.h"

enum { WORDS_MAX = 1000 };

void dap_close_trace(struct dap *d)
{
    if (d->trace == NULL)
        return;
    for (int kind = DAP_SOURCE; kind <= DAP_DATA; kind++)
        dap_drop_breaks(d, (enum dap_break_kind)kind, NULL);
    vec_free(&d->breaks);
    vec_free(&d->frames);
    vec_free(&d->handles);
    vec_free(&d->files);
    vec_free(&d->targets);
    dap_output_close(d);
    d->sent = (struct dap_sent){ 0 };
    nav_close(d->nav);
    show_done(&d->show);
    out_done(&d->text);
    sources_close(d->sources);
    hs_close(d->trace);
    d->trace = NULL;
    d->nav = NULL;
    d->sources = NULL;
}

/* "sourcePaths": ["src", ...] or "src:lib-sources.jar". Those that are not there are reported, and left out. */
static void open_sources(struct dap *d, const cJSON *arguments)
{
    const cJSON *paths = cJSON_GetObjectItemCaseSensitive(arguments, "sourcePaths"), *path;
    struct writer w = { 0 };
    if (cJSON_IsString(paths))
        write_bytes(&w, paths->valuestring, strlen(paths->valuestring));
    cJSON_ArrayForEach(path, paths)
    {
        if (!cJSON_IsString(path) || path->valuestring[0] == '\0')
            continue;
        if (access(path->valuestring, R_OK) != 0) {
            char text[PATH_MAX + 100];
            (void)snprintf(text, sizeof text, "sourcePaths: %.*s: %s\n", PATH_MAX, path->valuestring, strerror(errno));
            dap_output(d, "stderr", text);
            continue;
        }
        if (w.size > 0)
            write_u1(&w, ':');
        write_bytes(&w, path->valuestring, strlen(path->valuestring));
    }
    write_u1(&w, '\0');
    if (!w.bad && w.data[0] != '\0' && sources_open(d->context, (const char *)w.data, &d->sources) != PARSED)
        d->sources = NULL;
    writer_free(&w);
}

static bool open_trace(struct dap *d, const char *dir, const cJSON *arguments)
{
    struct hs_error error = HS_ERROR_INIT;
    struct error err = { 0 };
    uint64_t at;
    dap_close_trace(d);
    if (session_open_trace(d->context, dir, 0, NULL, &d->trace, &error) != 0) {
        d->trace = NULL;
        return dap_fail(d, "%s", error.text);
    }
    dap_watch_progress(d);
    d->text = (struct out){ .fd = -1 };
    d->show = (struct show){ 0 };
    if (!out_init_memory(&d->text) || !show_init(&d->show, d->trace, &d->text) ||
        nav_open(d->trace, &d->nav, &err) != OK) {
        dap_close_trace(d);
        return dap_fail(d, "%s", err.text[0] != '\0' ? err.text : "out of memory");
    }
    nav_set_pass(d->nav, dap_pass, d);
    open_sources(d, arguments);
    d->entry_reason = "entry";
    const cJSON *named = cJSON_GetObjectItemCaseSensitive(arguments, "at");
    struct moment moment;
    if (cJSON_IsString(named)) {
        if (moment_find(d->trace, named->valuestring, &moment, &error) != 0)
            return dap_fail(d, "at: %s", error.text);
        at = moment.seq;
    }
    if (cJSON_IsString(named) || dap_u64(arguments, "at", &at)) {
        if (nav_go(d->nav, at, &err) != OK)
            return dap_fail(d, "at: %s", err.text);
        d->entry_reason = "goto";
    }
    return true;
}

/* Runs this program with these words; its output becomes output events. Returns its wait status, or -1. */
static int run_self(struct dap *d, char *const *words)
{
    posix_spawn_file_actions_t files;
    int pipes[2], status = -1;
    char text[4096];
    pid_t pid;
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return -1;
    bool ready = posix_spawn_file_actions_init(&files) == 0;
    if (ready) {
        int failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
        failed |= posix_spawn_file_actions_adddup2(&files, pipes[1], 1);
        failed |= posix_spawn_file_actions_adddup2(&files, pipes[1], 2);
        ready = failed == 0 && posix_spawn(&pid, "/proc/self/exe", &files, NULL, words, environ) == 0;
        (void)posix_spawn_file_actions_destroy(&files);
    }
    (void)close(pipes[1]);
    for (ssize_t n; ready && (n = read(pipes[0], text, sizeof text - 1)) != 0;) {
        if (n < 0 && errno != EINTR)
            break;
        if (n < 0)
            continue;
        text[n] = '\0';
        if (memchr(text, '\0', (size_t)n) == NULL)
            dap_output(d, "stdout", text);
    }
    (void)close(pipes[0]);
    if (ready)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    return status;
}

/* Runs programs for who has the token: any program of this user can be made to connect to a port. */
static bool may_run(const struct dap *d, const cJSON *arguments)
{
    const char *token = d->connection.token, *shown = dap_text(arguments, "token");
    return token == NULL || (shown != NULL && token_is(token, shown, strlen(shown)));
}

/* "command": ["java", "-cp", "classes", "Main"]: recorded into `trace`, or a new directory beside the others. */
static bool record(struct dap *d, const cJSON *command, const char *dir)
{
    char *words[WORDS_MAX + 6] = { (char *)(uintptr_t) "hindsight", (char *)(uintptr_t) "record",
                                   (char *)(uintptr_t) "-o", (char *)(uintptr_t)dir, (char *)(uintptr_t) "--" };
    const cJSON *word;
    size_t n = 5;
    cJSON_ArrayForEach(word, command)
    {
        if (!cJSON_IsString(word) || n == WORDS_MAX + 5)
            return dap_fail(d, "command: expected a list of at most %d texts", WORDS_MAX);
        words[n++] = word->valuestring;
    }
    if (n == 5)
        return dap_fail(d, "command: is empty");
    int status = run_self(d, words);
    if (status == -1)
        return dap_fail(d, "command: cannot be started");
    if (status != 0) {
        char text[100];
        (void)snprintf(text, sizeof text, "the program ended with status %d\n",
                       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        dap_output(d, "stderr", text);
    }
    return true;
}

/* What the command line had: members of the answer are written after events, so those are sent first. */
bool dap_launch(struct dap *d, const cJSON *arguments)
{
    const cJSON *command = cJSON_GetObjectItemCaseSensitive(arguments, "command");
    const char *trace = dap_text(arguments, "trace");
    char made[64];
    if (command != NULL && !cJSON_IsArray(command))
        return dap_fail(d, "command: expected a list of texts, the command line to record");
    if (command != NULL && !may_run(d, arguments))
        return dap_fail(d, "command: on a port it needs `token`, which hindsight dap --listen has printed");
    if (command != NULL) {
        (void)snprintf(made, sizeof made, "hindsight-dap-%d-%lld", (int)getpid(), (long long)d->request_seq);
        if (trace == NULL)
            trace = made;
        return record(d, command, trace) && open_trace(d, trace, arguments);
    }
    if (trace != NULL)
        return open_trace(d, trace, arguments);
    char *newest = cli_newest_trace();
    bool done = newest != NULL ? open_trace(d, newest, arguments)
                               : dap_fail(d, "no trace: name one by `trace`, or a `command` to record");
    free(newest);
    return done;
}

/* A trace, or a process that records: of a running recording everything up to now is stored first. */
bool dap_attach(struct dap *d, const cJSON *arguments)
{
    const char *trace = dap_text(arguments, "trace");
    char dir[PATH_MAX], pid[32];
    uint64_t process = 0;
    if (!dap_u64(arguments, "processId", &process))
        (void)dap_u64(arguments, "pid", &process);
    if (process > 0) {
        (void)snprintf(pid, sizeof pid, "%llu", (unsigned long long)process);
        if (!control_trace_of(pid, dir))
            return dap_fail(d, "%s: no such process, or none of yours that records", pid);
        trace = dir;
    }
    if (trace == NULL)
        return dap_fail(d, "attach wants `trace` or `processId`");
    if (process > 0) {
        char *const words[] = { (char *)(uintptr_t) "hindsight", (char *)(uintptr_t) "snapshot",
                                (char *)(uintptr_t)trace, NULL };
        if (run_self(d, words) != 0)
            return dap_fail(d, "%s: no snapshot can be taken of it", trace);
    }
    return open_trace(d, trace, arguments);
}
