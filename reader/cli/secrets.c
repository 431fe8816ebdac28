/* secrets.c - see secrets.h. */
#include "reader/cli/secrets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "reader/code/code.h"
#include "reader/derive/derive.h"

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

int secrets_collect(struct context *context, const char *option, const struct texts *given, secret_vec *v)
{
    bool ok = true;
    for (size_t i = 0; i < given->count && ok; i++)
        ok = strcmp(given->items[i], "-") == 0 ? read_lines(v) : add_secret(v, given->items[i]);
    if (!ok)
        return cli_fail(EXIT_FAILED, context, "out of memory");
    if (v->count == 0)
        return cli_fail(EXIT_USAGE, context, "--%s TEXT is missing: what is to be removed", option);
    for (size_t i = 0; i < v->count; i++)
        if (v->items[i].text.size < SECRET_BYTES_MIN)
            return cli_fail(EXIT_USAGE, context,
                            "a secret of %zu bytes would be found where it is none; accepted are %d bytes or more",
                            v->items[i].text.size, SECRET_BYTES_MIN);
    return PARSED;
}

void secrets_free(secret_vec *v)
{
    for (size_t i = 0; i < v->count; i++)
        free((char *)(uintptr_t)v->items[i].text.data);
    vec_free(v);
}

int secrets_remove(struct session *s, const secret_vec *v, const char *out_dir, struct redact_result *result)
{
    struct error err = { 0 };
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
                                            .out_dir = out_dir };
    return redact_trace(&request, result, &err) == OK ? PARSED : session_fail(s, "%s", err.text);
}
