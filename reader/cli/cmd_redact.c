/* cmd_redact.c - `hindsight redact`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "formats/redact_trace.h"
#include "reader/code/code.h"
#include "reader/command/cli.h"
#include "reader/derive/derive.h"

struct args {
    struct common common;
    const char *out;
    struct texts secrets;
};
static const struct option_row options[] = {
    { "out", 'o', "DIR", OPTION_FILE, offsetof(struct args, out), "the new trace, a directory that is not there yet" },
    { "secret", 's', "TEXT", OPTION_TEXTS, offsetof(struct args, secrets),
      "a text or a number that is to be removed, repeatable; -: each line of standard input" },
    { 0 },
};
const struct usage usage_redact = {
    .about =
        "Writes a copy of a trace without a secret: each character of the text is a * in strings, messages, names, "
        "the command line and class files, with the index, the journal and dumped classes left behind. If it is a "
        "number, values and constants that are equal to it are 0, also in boxes and records; a BigDecimal, a UUID or a "
        "date that is shown with it loses its content. Not found is what is made of it: parts, encodings, "
        "elements of char[] and byte[], and numbers in bytecode: those up to 32767 and the keys of a switch. The "
        "length of a text stays. The "
        "trace itself is not changed: delete it. Arguments of a command can be seen by others; standard input cannot.",
    .example = "hindsight redact hindsight-20261120-2031-4711 --out clean --secret 'correct horse'",
    .options = options,
};

typedef VEC(struct secret) secret_vec;

static bool add_secret(secret_vec *v, const char *text)
{
    struct secret *s = vec_push(v);
    char *copy = s != NULL ? strdup(text) : NULL, *end;
    if (copy == NULL) {
        v->count -= s != NULL;
        return false;
    }
    *s = (struct secret){ .text = { copy, strlen(copy) } };
    errno = 0;
    s->integer = strtoll(copy, &end, 10);
    s->is_integer = *end == '\0' && errno == 0;
    s->number = strtod(copy, &end);
    s->is_number = *end == '\0' && strspn(copy, "+-0123456789.eE") == s->text.size;
    return true;
}

static bool read_lines(secret_vec *v)
{
    char *line = NULL;
    size_t room = 0;
    bool ok = true;
    for (ssize_t n; ok && (n = getline(&line, &room, stdin)) >= 0;) {
        line[strcspn(line, "\r\n")] = '\0';
        ok = *line == '\0' || add_secret(v, line);
    }
    free(line);
    return ok;
}

/* PARSED, or the exit status after the error was reported. */
static int collect(struct context *context, const struct args *a, secret_vec *v)
{
    bool ok = true;
    for (size_t i = 0; i < a->secrets.count && ok; i++)
        ok = strcmp(a->secrets.items[i], "-") == 0 ? read_lines(v) : add_secret(v, a->secrets.items[i]);
    if (!ok)
        return cli_fail(EXIT_FAILED, context, "out of memory");
    if (v->count == 0)
        return cli_fail(EXIT_USAGE, context, "--secret TEXT is missing: what is to be removed");
    for (size_t i = 0; i < v->count; i++)
        if (v->items[i].text.size < SECRET_BYTES_MIN)
            return cli_fail(EXIT_USAGE, context,
                            "a secret of %zu bytes would be found where it is none; accepted are %d bytes or more",
                            v->items[i].text.size, SECRET_BYTES_MIN);
    return PARSED;
}

#define ROWS "reader/answers/redactions.def"
#define ROW  const struct redact_result *r
#include "reader/answers/row.h"

static int redact(struct session *s, const struct args *a, const secret_vec *v)
{
    struct redact_result result;
    struct error err = { 0 };
    if (a->out == NULL) {
        (void)session_fail(s, "--out DIR is missing: the directory of the new trace");
        return EXIT_USAGE;
    }
    int status = session_needs_end(s);
    if (status != PARSED)
        return status;
    const struct expand_source source = derive_source(s->trace);
    bool numbers = false;
    for (size_t i = 0; i < v->count; i++)
        numbers |= v->items[i].is_integer || v->items[i].is_number;
    const char *format = format_without_stream(s->trace);
    if (numbers && format != NULL && format_of_trace(format)->values)
        return session_fail(s, "%s: format=%s keeps numbers in another form, from which none can be removed",
                            hs_dir(s->trace), format);
    const struct redact_request request = { .source = &source,
                                            .copied = value_look,
                                            .context = s->trace,
                                            .secrets = v->items,
                                            .count = v->count,
                                            .out_dir = a->out };
    if (redact_trace(&request, &result, &err) != OK)
        return session_fail(s, "%s", err.text);
    if (a->common.json)
        redactions_json(&s->out, &result);
    else
        out_format(&s->out, "%llu texts and %llu numbers replaced in %s%s\n", (unsigned long long)result.texts,
                   (unsigned long long)result.numbers, a->out,
                   result.texts + result.numbers == 0 ? ": the secret was not found" : "");
    return session_close(s, EXIT_DONE);
}

int cmd_redact(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    secret_vec secrets = { 0 };
    int status = cli_parse(context, &a);
    if (status == PARSED)
        status = collect(context, &a, &secrets);
    if (status == PARSED)
        status = session_open(&s, context, &a.common, a.common.arguments[0]);
    if (status == PARSED)
        status = redact(&s, &a, &secrets);
    for (size_t i = 0; i < secrets.count; i++)
        free((char *)(uintptr_t)secrets.items[i].text.data);
    vec_free(&secrets);
    return status;
}
