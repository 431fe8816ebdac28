/* cli.c - errors, and the traces that a command line names; see cli.h. */
#include "reader/command/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/bundle.h"
#include "formats/schema.h"
#include "formats/visible.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"

bool cli_out_init(struct out *o, const struct context *context, const struct common *c)
{
    struct host *host = context->host;
    if (host != NULL ? !out_init_sink(o, host->sink, host->to) : !out_init(o))
        return false;
    o->name_max = (size_t)c->name_max;
    o->limited = c->budget > 0;
    o->cuts = !c->json;
    o->budget = c->budget < SIZE_MAX / TOKEN_BYTES ? (size_t)c->budget * TOKEN_BYTES : SIZE_MAX;
    if (host != NULL)
        return true;
    o->colour = terminal_has_colours(o->fd, c->colour != NULL ? c->colour : "auto");
    out_interactive(o, !c->json, !c->no_pager);
    return true;
}

int cli_out_end(struct out *o, const struct context *context, int status)
{
    (void)out_flush(o);
    out_done(o);
    progress_line_erase();
    if (interrupt_seen())
        return interrupt_status();
    if (o->sink != NULL && o->failed == ECANCELED)
        return status; /* it has enough */
    if (o->limited && o->failed == ECANCELED)
        return cli_fail(EXIT_INCOMPLETE, context, "the budget of tokens ended the answer: a greater one has more");
    return o->failed == 0 ? status : cli_fail(EXIT_FAILED, context, "standard output: %s", strerror(o->failed));
}

int cli_fail(int status, const struct context *context, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    struct writer line = { 0 };
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n >= 0) {
        visible_write(text, (size_t)n, &line);
        free(text);
    }
    bool failed = n < 0 || line.bad;
    if (context != NULL && context->host != NULL) {
        host_message(context->host, failed ? "out of memory" : (const char *)line.data, failed ? 13 : line.size);
        writer_free(&line);
        return status;
    }
    progress_line_erase();
    (void)fprintf(stderr, "hindsight%s%s: %.*s\n", context != NULL ? " " : "", context != NULL ? context->name : "",
                  failed ? 13 : (int)line.size, failed ? "out of memory" : (const char *)line.data);
    writer_free(&line);
    return status;
}

void cli_answer_on_error(struct writer *line)
{
    if (line->bad)
        (void)cli_fail(EXIT_FAILED, NULL, "out of memory");
    else
        (void)fwrite(line->data, 1, line->size, stderr);
    writer_free(line);
}

void cli_address(const struct common *c, const char *text, const char *address)
{
    struct writer line = { 0 };
    struct json j;
    json_init(&j, json_to_writer, &line);
    json_object(&j);
    json_member_text(&j, "address", address);
    json_end_line(&j);
    if (c->json)
        (void)fwrite(line.data, 1, line.size, stdout);
    else
        (void)printf("%s%s\n", text, address);
    (void)fflush(stdout);
    writer_free(&line);
}

const char *cli_trace_and_word(const struct common *c, const char **word)
{
    const char *first = c->argument_count > 0 ? c->arguments[0] : NULL,
               *second = c->argument_count > 1 ? c->arguments[1] : NULL;
    bool turned = second != NULL && !trace_is_at(first) && trace_is_at(second);
    if (second != NULL) { /* if neither is a trace, opening the first one reports it */
        *word = turned ? first : second;
        return turned ? second : first;
    }
    *word = trace_is_at(first) ? NULL : first;
    return *word == NULL ? first : NULL;
}

const char *cli_trace_and_words(const struct common *c, const char **words, int count)
{
    const int given = c->argument_count, last = given - 1;
    int trace = given > 0 && trace_is_at(c->arguments[0])      ? 0
                : given > 1 && trace_is_at(c->arguments[last]) ? last
                : given > count                                ? 0 /* opening it reports that it is none */
                                                               : -1;
    for (int i = 0, n = 0; n < count; i++)
        if (i != trace)
            words[n++] = i < given ? c->arguments[i] : NULL;
    return trace >= 0 ? c->arguments[trace] : NULL;
}

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

bool cli_find_beside(const char *const *places, char out[PATH_MAX])
{
    char self[PATH_MAX], path[PATH_MAX + 64];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (slash == NULL)
        return false;
    slash[1] = '\0';
    for (; *places != NULL; places++) {
        (void)snprintf(path, sizeof path, "%s%s", self, *places);
        if (realpath(path, out) != NULL)
            return true;
    }
    return false;
}

struct newest {
    char path[PATH_MAX]; /* empty: none yet */
    struct timespec changed;
};

static bool has_file(const char *dir, const char *name, struct stat *info)
{
    char path[PATH_MAX + 16];
    return (size_t)snprintf(path, sizeof path, "%s/%s", dir, name) < sizeof path && stat(path, info) == 0;
}

/* The newest trace among the directories in `dir` whose name begins so. */
static void look_into(const char *dir, const char *begin, struct newest *n)
{
    DIR *d = opendir(dir);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        char path[PATH_MAX];
        struct stat data, run;
        const char *slash = strcmp(dir, ".") == 0 ? "" : "/";
        if (strncmp(e->d_name, begin, strlen(begin)) != 0 ||
            (size_t)snprintf(path, sizeof path, "%s%s%s", *slash != '\0' ? dir : "", slash, e->d_name) >= sizeof path ||
            !has_file(path, TRACE_DATA_FILE, &data) || (*begin == '\0' && !has_file(path, TRACE_RUN_FILE, &run)))
            continue;
        if (n->path[0] != '\0' && !is_later(data.st_mtim, n->changed))
            continue;
        (void)snprintf(n->path, sizeof n->path, "%s", path);
        n->changed = data.st_mtim;
    }
    if (d != NULL)
        (void)closedir(d);
}

/* Where Maven and Gradle put what they make, in a project or a module of it. */
static void look_into_module(const char *dir, struct newest *n)
{
    static const char *const made[] = { "target", "build" };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char path[PATH_MAX];
        if ((size_t)snprintf(path, sizeof path, "%s%s%s", dir, *dir != '\0' ? "/" : "", made[i]) < sizeof path)
            look_into(path, "", n);
    }
}

char *cli_newest_trace(void)
{
    struct newest *n = calloc(1, sizeof *n);
    DIR *d = opendir(".");
    if (n != NULL) {
        look_into(".", "hindsight-", n);
        look_into_module("", n);
    }
    for (const struct dirent *e; n != NULL && d != NULL && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            look_into_module(e->d_name, n);
    if (d != NULL)
        (void)closedir(d);
    char *path = n != NULL && n->path[0] != '\0' ? strdup(n->path) : NULL;
    free(n);
    return path;
}
