/* cmd_pack.c - `hindsight pack`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bundle.h"
#include "formats/schema.h"
#include "reader/cli/pack.h"
#include "reader/cli/secrets.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"

struct args {
    struct common common;
    const char *out;
    struct texts secrets;
};
static const struct option_row options[] = {
    { "output", 'o', "FILE", OPTION_FILE, offsetof(struct args, out),
      "the file (default TRACE" BUNDLE_SUFFIX " here); one that is such a file is replaced" },
    { "redact", 0, "TEXT", OPTION_TEXTS, offsetof(struct args, secrets),
      "a text or a number that is removed as redact does it, repeatable; -: each line of standard input" },
    { 0 },
};
const struct usage usage_pack = {
    .about =
        "Writes a trace as one file, with its index: to attach to a ticket or to keep from a CI job. Every command "
        "takes it in the place of a directory; it is read as it is and never written. It is as small as compact "
        "makes a trace. The classes of dump=true are not in it.",
    .example = "hindsight pack hindsight-20261120-2031-4711 -o run.hst",
    .options = options,
};

#define ROWS "reader/answers/packings.def"
#define ROW  const struct packed_file *r
#include "reader/answers/row.h"

/* A trace that is packed: where it is, and its file `run`. */
struct source {
    char trace[PATH_MAX], run[PATH_MAX];
};

/* The name of the directory with the suffix. */
static bool default_name(const char *trace, char *out, size_t size)
{
    const char *slash = strrchr(trace, '/'), *name = slash != NULL ? slash + 1 : trace;
    size_t length = strlen(name), suffix = strlen(BUNDLE_SUFFIX);
    if (length > suffix && strcmp(name + length - suffix, BUNDLE_SUFFIX) == 0)
        length -= suffix;
    return (size_t)snprintf(out, size, "%.*s" BUNDLE_SUFFIX, (int)length, name) < size;
}

/* Closes the session. PARSED, or the exit status. */
static int find_source(struct session *s, const secret_vec *secrets, const char *beside, struct source *out,
                       struct redact_result *removed)
{
    const char *dir = hs_dir(s->trace);
    char real[PATH_MAX];
    int status = session_needs_end(s);
    if (status != PARSED)
        return status;
    if (realpath(dir, real) == NULL ||
        (size_t)snprintf(out->run, sizeof out->run, "%s/" TRACE_RUN_FILE, real) >= sizeof out->run)
        return session_fail(s, "%s: cannot be found", dir);
    (void)snprintf(out->trace, sizeof out->trace, "%s", real);
    if (secrets->count > 0) {
        (void)snprintf(out->trace, sizeof out->trace, "%.*s/" PACK_REDACTED, PATH_MAX - 16, beside);
        status = secrets_remove(s, secrets, out->trace, removed);
        if (status != PARSED)
            return status;
    }
    out_done(&s->out);
    hs_close(s->trace);
    return PARSED;
}

static int pack(struct session *s, const struct args *a, const secret_vec *secrets, const char *file)
{
    struct context *context = s->context;
    struct source source;
    struct packed_file packed;
    struct redact_result removed = { 0 };
    struct error err = { 0 };
    char beside[PATH_MAX];
    if (pack_begin(file, beside, &err) != OK)
        return session_fail(s, "%s", err.text);
    int status = find_source(s, secrets, beside, &source, &removed);
    enum status st = OK;
    if (status == PARSED)
        st = pack_write(source.trace, source.run, beside, file, session_step, context, &packed, &err);
    pack_end(beside);
    progress_line_erase();
    if (status != PARSED)
        return status;
    if (st != OK)
        return st == ERR_CANCELLED ? EXIT_INTERRUPTED : cli_fail(EXIT_FAILED, context, "%s", err.text);
    status = session_open(s, context, &a->common, file); /* opening it is the proof */
    if (status != PARSED)
        return status;
    if (a->common.json)
        packings_json(&s->out, &packed);
    else
        out_format(&s->out, "%s: %llu events, %.1f MB; hindsight view %s\n", file, (unsigned long long)packed.events,
                   (double)packed.bytes / 1e6, file);
    if (!a->common.json && secrets->count > 0)
        out_format(&s->out, "%llu texts and %llu numbers replaced%s\n", (unsigned long long)removed.texts,
                   (unsigned long long)removed.numbers,
                   removed.texts + removed.numbers == 0 ? ": the secret was not found" : "");
    return session_close(s, EXIT_DONE);
}

int cmd_pack(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    secret_vec secrets = { 0 };
    char name[PATH_MAX];
    int status = cli_parse(context, &a);
    if (status == PARSED && a.secrets.count > 0)
        status = secrets_collect(context, "redact", &a.secrets, &secrets);
    if (status == PARSED)
        status = session_open(&s, context, &a.common, a.common.arguments[0]);
    if (status == PARSED) {
        if (a.out == NULL && !default_name(hs_dir(s.trace), name, sizeof name))
            status = session_fail(&s, "%s: the name is too long", hs_dir(s.trace));
        else
            status = pack(&s, &a, &secrets, a.out != NULL ? a.out : name);
    }
    secrets_free(&secrets);
    return status;
}
