/* cmd_view.c - `hindsight view`: serves the page and its API (serve/web.h) until Ctrl-C. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/bundle.h"
#include "reader/command/cli.h"
#include "reader/command/control.h"
#include "reader/serve/web.h"

struct args {
    struct common common;
    uint64_t port;
    bool no_browser;
};
static const struct option_row options[] = {
    { "port", 'p', "N", OPTION_U64, offsetof(struct args, port), "listen on this port (default: any that is free)" },
    { "no-browser", 0, NULL, OPTION_FLAG, offsetof(struct args, no_browser), "do not open a browser" },
    { 0 },
};
const struct usage usage_view = {
    .source = true,
    .about = "TRACE may also be the id of a process that is recorded, or a directory that holds traces; two traces are "
             "compared. Prints the address with its token: who has it may read these traces, and control the JVMs of "
             "this user. The server listens on 127.0.0.1 alone. GET /api/COMMAND?option=value answers what the "
             "command prints with --json; /api/ lists the commands.",
    .example = "hindsight view --source src --no-browser",
    .options = options,
};

static bool add_trace(struct web *w, const char *name, const char *path)
{
    char absolute[PATH_MAX];
    if (realpath(path, absolute) == NULL)
        return false;
    struct web_trace *t = vec_push(&w->traces);
    if (t == NULL)
        return false;
    *t = (struct web_trace){ strdup(name), strdup(absolute) };
    return t->name != NULL && t->path != NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct web_trace *)a)->name, ((const struct web_trace *)b)->name);
}

/* The traces in a directory, by name. */
static bool add_folder(struct web *w, const char *folder)
{
    size_t before = w->traces.count;
    DIR *d = opendir(folder);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        char path[PATH_MAX];
        if (*e->d_name != '.' && (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < sizeof path &&
            trace_is_at(path))
            (void)add_trace(w, e->d_name, path);
    }
    if (d != NULL)
        (void)closedir(d);
    if (w->traces.count > before)
        qsort(w->traces.items + before, w->traces.count - before, sizeof *w->traces.items, by_name);
    return w->traces.count > before;
}

static bool add_operand(struct web *w, const char *word)
{
    char dir[PATH_MAX];
    const char *slash = strrchr(word, '/');
    if (control_is_pid(word) && !trace_is_at(word))
        return control_trace_of(word, dir) && add_trace(w, word, dir);
    if (!trace_is_at(word))
        return add_folder(w, word);
    return add_trace(w, slash != NULL && slash[1] != '\0' ? slash + 1 : word, word);
}

/* PARSED, or the exit status. Without an operand the newest trace here, if there is one. */
static int choose_traces(struct web *w, struct context *context, const struct common *c)
{
    for (int i = 0; i < c->argument_count; i++)
        if (!add_operand(w, c->arguments[i]))
            return cli_fail(EXIT_FAILED, context,
                            control_is_pid(c->arguments[i]) ? "%s: the process is not recorded"
                                                            : "%s: not a trace, and no directory that holds one",
                            c->arguments[i]);
    char *newest = c->argument_count == 0 ? cli_newest_trace() : NULL;
    bool ok = newest == NULL || add_operand(w, newest);
    free(newest);
    return ok ? PARSED : cli_fail(EXIT_FAILED, context, "out of memory");
}

/* Until SIGINT, SIGTERM or SIGHUP, which are blocked in all threads of the server. */
static void serve(struct web *w, const sigset_t *ends)
{
    while (sigtimedwait(ends, NULL, &(struct timespec){ .tv_sec = 1 }) < 0)
        web_live_tick(w);
}

int cmd_view(struct context *context)
{
    struct args a = { 0 };
    struct web w = { 0 };
    char why[512], address[96];
    sigset_t ends;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.port > UINT16_MAX)
        return cli_fail(EXIT_USAGE, context, "--port wants a number up to 65535, not %llu", (unsigned long long)a.port);
    status = choose_traces(&w, context, &a.common);
    if (status != PARSED)
        goto out;
    w.source = a.common.source;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    if (!web_start(&w, (int)a.port, why, sizeof why)) {
        status = cli_fail(EXIT_FAILED, context, "%s", why);
        goto out;
    }
    (void)snprintf(address, sizeof address, "http://127.0.0.1:%d/?token=%s", w.port, w.token);
    cli_address(&a.common, "", address);
    if (w.files[0] == NULL)
        (void)cli_fail(0, context, "the page was not built, since npm was missing or had no network; /api/ works");
    if (!a.no_browser)
        web_open_browser(&w, context, address);
    serve(&w, &ends);
    web_opened(&w);
    /* Stopping the server would wait for its threads' polls, about 3 s. They hold nothing but sockets; a command that
     * still runs ends when nobody reads it. */
    _exit(EXIT_DONE);
out:
    web_stop(&w);
    return status;
}
