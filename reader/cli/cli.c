/* cli.c - options, help, opening and ending; see cli.h. */
#include "reader/cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/format.h"
#include "formats/recover.h"
#include "formats/visible.h"

static const struct option common_options[] = {
    { "json", 0, NULL, OPTION_FLAG, offsetof(struct common, json), "one JSON object per line" },
    { "limit", 0, "N", OPTION_U64, offsetof(struct common, limit), "at most N lines" },
    { "maxname", 0, "N", OPTION_U64, offsetof(struct common, name_max),
      "names are cut after N characters (default 1000, 0: never)" },
    { 0 },
};

/* --maxname: of the one command line that a process has. Here, since every command opens its session without its
 * arguments. */
static size_t name_max = NAME_MAX_DEFAULT;

int cli_fail(int status, const char *command, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    struct writer line = { 0 };
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n >= 0)
        visible_write(text, (size_t)n, &line);
    (void)fprintf(stderr, "hindsight%s%s: %.*s\n", command != NULL ? " " : "", command != NULL ? command : "",
                  n < 0 || line.bad ? 13 : (int)line.size,
                  n < 0 || line.bad ? "out of memory" : (const char *)line.data);
    writer_free(&line);
    if (n >= 0)
        free(text);
    return status;
}

bool cli_is_command(const char *typed, const char *name)
{
    while (*typed != '\0' && (*typed == *name || (*typed == '-' && *name == '_'))) {
        typed++;
        name++;
    }
    return *typed == '\0' && *name == '\0';
}

static bool is_trace(const char *word)
{
    char path[4096];
    struct stat info;
    return word != NULL && (size_t)snprintf(path, sizeof path, "%s/data.mdb", word) < sizeof path &&
           stat(path, &info) == 0;
}

const char *cli_trace_and_word(const struct common *c, const char **word)
{
    const char *first = c->argument_count > 0 ? c->arguments[0] : NULL,
               *second = c->argument_count > 1 ? c->arguments[1] : NULL;
    bool turned = second != NULL && is_trace(second) && !is_trace(first);
    if (second != NULL) { /* if neither is a trace the first one is wrong as such, and opening it says so */
        *word = turned ? first : second;
        return turned ? second : first;
    }
    *word = is_trace(first) ? NULL : first;
    return *word == NULL ? first : NULL;
}

/* ---- help ---- */

static const char *summary(const char *command)
{
#define COMMAND(name, help)                                                                                            \
    if (cli_is_command(command, #name))                                                                                \
        return help;
#include "reader/cli/commands.def"
#undef COMMAND
    return "";
}

static void help_options(const struct option *o)
{
    for (; o != NULL && o->name != NULL; o++) {
        char left[64];
        const char *value = o->value != NULL ? o->value : "";
        if (o->letter != 0)
            (void)snprintf(left, sizeof left, "-%c, --%s %s", o->letter, o->name, value);
        else
            (void)snprintf(left, sizeof left, "    --%s %s", o->name, value);
        (void)printf("  %-24s %s\n", left, o->help);
    }
}

static void help(const struct usage *u, const char *command)
{
    (void)printf("hindsight %s - %s\n\nUsage: hindsight %s %s\n", command, summary(command), command, u->synopsis);
    if (u->about != NULL)
        (void)printf("\n%s\n", u->about);
    (void)printf("\nOptions:\n");
    help_options(u->options);
    if (!u->plain)
        help_options(common_options);
    (void)printf("  %-24s %s\n\nExample:\n  %s\n", "-h, --help", "this text", u->example);
}

/* ---- options ---- */

bool cli_u64(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
        return false;
    *out = v;
    return true;
}

/* An option is written --name, --name=value or -x; *value becomes what follows the '='. */
static const struct option *find(const struct option *o, const char *word, const char **value)
{
    for (; o != NULL && o->name != NULL; o++) {
        size_t n = strlen(o->name);
        if (word[1] != '-') {
            if (o->letter == word[1] && word[2] == '\0')
                return o;
        } else if (strncmp(word + 2, o->name, n) == 0 && (word[2 + n] == '\0' || word[2 + n] == '=')) {
            *value = word[2 + n] == '=' ? word + 3 + n : NULL;
            return o;
        }
    }
    return NULL;
}

static int store(const struct option *o, const char *command, const char *value, char *args)
{
    void *to = args + o->offset;
    switch (o->type) {
    case OPTION_FLAG:
        if (value != NULL)
            return cli_fail(EXIT_USAGE, command, "--%s: takes no value", o->name);
        *(bool *)to = true;
        return PARSED;
    case OPTION_U64: {
        uint64_t v;
        if (!cli_u64(value, &v))
            return cli_fail(EXIT_USAGE, command, "--%s: '%s' is not a number", o->name, value);
        memcpy(to, &v, sizeof v);
        return PARSED;
    }
    case OPTION_TEXT: memcpy(to, &value, sizeof value); return PARSED;
    case OPTION_TEXTS: {
        struct texts *t = to;
        if (t->count == TEXTS_MAX)
            return cli_fail(EXIT_USAGE, command, "--%s: more than %d of them", o->name, TEXTS_MAX);
        t->items[t->count++] = value;
        return PARSED;
    }
    }
    return PARSED;
}

static int parse_option(const struct usage *u, int argc, char **argv, int *at, char *args)
{
    const char *command = argv[0], *word = argv[*at], *value = NULL;
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        help(u, command);
        return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
    }
    const struct option *o = find(u->options, word, &value);
    if (o == NULL && !u->plain)
        o = find(common_options, word, &value);
    if (o == NULL)
        return cli_fail(EXIT_USAGE, command, "%s: unknown option, see hindsight %s -h", word, command);
    if (o->type != OPTION_FLAG && value == NULL) {
        if (*at + 1 >= argc)
            return cli_fail(EXIT_USAGE, command, "%s: expects %s", word, o->value);
        value = argv[++*at];
    }
    return store(o, command, value, args);
}

int cli_parse(const struct usage *u, int argc, char **argv, void *args)
{
    struct common *c = args;
    c->limit = UINT64_MAX;
    c->name_max = NAME_MAX_DEFAULT;
    c->rest = argc;
    bool words_only = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0 && u->arguments == COMMAND_LINE) {
            c->rest = i + 1;
            break;
        }
        if (strcmp(argv[i], "--") == 0 && !words_only) {
            words_only = true;
        } else if (!words_only && argv[i][0] == '-' && argv[i][1] != '\0') {
            int status = parse_option(u, argc, argv, &i, args);
            if (status != PARSED)
                return status;
        } else if (c->argument_count >= u->arguments) {
            return cli_fail(EXIT_USAGE, argv[0], "%s: one word too many, see hindsight %s -h", argv[i], argv[0]);
        } else {
            c->arguments[c->argument_count++] = argv[i];
        }
    }
    name_max = (size_t)c->name_max;
    return PARSED;
}

/* ---- sessions ---- */

char *cli_newest_trace(void)
{
    DIR *d = opendir(".");
    struct dirent *e;
    struct stat info;
    struct timespec best = { 0 };
    char *name = NULL, path[sizeof e->d_name + 16];
    while (d != NULL && (e = readdir(d)) != NULL) {
        (void)snprintf(path, sizeof path, "%s/data.mdb", e->d_name);
        if (strncmp(e->d_name, "hindsight-", 10) != 0 || stat(path, &info) != 0)
            continue;
        if (name != NULL && (info.st_mtim.tv_sec < best.tv_sec ||
                             (info.st_mtim.tv_sec == best.tv_sec && info.st_mtim.tv_nsec <= best.tv_nsec)))
            continue;
        char *copy = strdup(e->d_name);
        if (copy == NULL)
            break;
        free(name);
        name = copy;
        best = info.st_mtim;
    }
    if (d != NULL)
        (void)closedir(d);
    return name;
}

int session_open(struct session *s, const char *command, const char *trace)
{
    struct hs_error error;
    *s = (struct session){ .command = command };
    char *found = trace == NULL ? cli_newest_trace() : NULL;
    if (trace == NULL && found == NULL)
        return cli_fail(EXIT_FAILED, command, "no trace: there is no directory hindsight-* here, name one");
    const char *dir = trace != NULL ? trace : found;
    if (recover_needed(dir)) {
        struct recover_result result = { 0 };
        struct error err;
        if (recover_trace(dir, &result, &err) != OK)
            (void)cli_fail(0, command, "%s: its recorder died and what it left cannot be recovered: %s", dir, err.text);
    }
    int opened = hs_open(dir, &s->trace, &error);
    free(found);
    if (opened != 0)
        return cli_fail(EXIT_FAILED, command, "%s", error.text);
    if (!out_init(&s->out)) {
        hs_close(s->trace);
        return cli_fail(EXIT_FAILED, command, "out of memory");
    }
    s->out.name_max = name_max;
    out_watch(&s->out);
    return PARSED;
}

int session_open_stream(struct session *s, const char *command, const char *trace)
{
    int status = session_open(s, command, trace);
    return status == PARSED ? session_needs_stream(s) : status;
}

int session_begin(struct session *s, const struct usage *u, int argc, char **argv, void *args)
{
    int status = cli_parse(u, argc, argv, args);
    return status == PARSED ? session_open(s, argv[0], ((const struct common *)args)->arguments[0]) : status;
}

int session_begin_stream(struct session *s, const struct usage *u, int argc, char **argv, void *args)
{
    int status = session_begin(s, u, argc, argv, args);
    return status == PARSED ? session_needs_stream(s) : status;
}

int session_needs_stream(struct session *s)
{
    const char *format = hs_info(s->trace, "format");
    if (format_of_trace(format)->stream || hs_event_count(s->trace) > 0)
        return PARSED;
    return session_fail(s, "%s: format=%s keeps no event stream; record with --format omni for one", hs_dir(s->trace),
                        format);
}

/* Tells in one line what the trace does not hold; true if there was something to tell. */
static bool tell_incomplete(const struct session *s)
{
    const char *end = hs_info(s->trace, "end"), *lost = hs_info(s->trace, "lost"),
               *why = hs_info(s->trace, "lost_reason");
    const char *damage = hs_damage(s->trace), *dir = hs_dir(s->trace);
    uint64_t lost_count = 0;
    if (lost != NULL && !cli_u64(lost, &lost_count))
        lost_count = 1;
    if (damage != NULL)
        (void)cli_fail(0, s->command, "incomplete: damaged: %s", damage);
    else if (lost_count > 0)
        (void)cli_fail(0, s->command, "%s: incomplete: %llu events were lost%s%s", dir, (unsigned long long)lost_count,
                       why != NULL ? ": " : "", why != NULL ? why : "");
    else if (hs_info(s->trace, "dropped") != NULL)
        (void)cli_fail(0, s->command,
                       "%s: incomplete: %s events were dropped from the beginning, to keep the bound maxbytes", dir,
                       hs_info(s->trace, "dropped"));
    else if (end == NULL)
        (void)cli_fail(0, s->command,
                       recover_needed(dir) ? "%s: incomplete: its recorder died, and what it left is not in the trace"
                                           : "%s: incomplete: it is still being recorded",
                       dir);
    else if (strcmp(end, "clean") != 0)
        (void)cli_fail(0, s->command, "%s: incomplete: the recording %s%s%s", dir,
                       strcmp(end, "crashed") == 0 ? "ended with a crash of the JVM" : "was cut short (end=truncated)",
                       why != NULL ? ": " : "", why != NULL ? why : "");
    else
        return false;
    return true;
}

int session_close(struct session *s, int status)
{
    int failed = out_flush(&s->out);
    out_done(&s->out);
    if (failed != 0)
        status = cli_fail(EXIT_FAILED, s->command, "standard output: %s", strerror(failed));
    else if (status == EXIT_DONE && tell_incomplete(s))
        status = EXIT_INCOMPLETE;
    hs_close(s->trace);
    return status;
}

int session_mark(struct session *s, const char *name, uint64_t *from, uint64_t *to)
{
    const struct hs_mark *marks, *found = NULL;
    size_t count, same = 0;
    struct hs_error error;
    if (hs_marks(s->trace, &marks, &count, &error) != 0)
        return cli_fail(EXIT_FAILED, s->command, "%s", error.text);
    const char *hash = strrchr(name, '#');
    uint64_t nth = 0, of_it = 0;
    bool numbered = hash != NULL && cli_u64(hash + 1, &nth);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(marks[i].name, name) == 0 && same++ == 0)
            found = &marks[i];
        size_t length = strlen(marks[i].name);
        if (same == 0 && numbered && length == (size_t)(hash - name) && strncmp(marks[i].name, name, length) == 0 &&
            ++of_it == nth)
            found = &marks[i];
    }
    if (found == NULL)
        return cli_fail(EXIT_FAILED, s->command, "--mark %s: no such mark", name);
    if (same > 1)
        return cli_fail(EXIT_USAGE, s->command, "--mark %s: there are %zu of that name: %s#1 to %s#%zu", name, same,
                        name, name, same);
    *from = found->events > 0 ? found->first : UINT64_MAX;
    *to = found->events > 0 ? found->first + found->events - 1 : 0;
    return PARSED;
}

int session_snapshot(struct session *s, uint64_t number)
{
    struct hs_error error;
    const char *format = hs_info(s->trace, "format");
    if (hs_event_count(s->trace) > 0)
        return session_fail(
            s, "--snapshot %llu: format=%s keeps every event; print --to SEQ shows those before a snapshot, see info",
            (unsigned long long)number, format != NULL ? format : format_of_trace(NULL)->name);
    if (hs_use_snapshot(s->trace, number < UINT32_MAX ? (uint32_t)number : UINT32_MAX, &error) != 0)
        return session_fail(s, "--snapshot %llu: %s", (unsigned long long)number, error.text);
    return PARSED;
}

int session_fail(struct session *s, const char *fmt, ...)
{
    char text[HS_ERROR_TEXT_MAX + 64];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    (void)out_flush(&s->out); /* what was answered before the failure comes first */
    (void)cli_fail(EXIT_FAILED, s->command, "%s", text);
    return session_close(s, EXIT_FAILED);
}
