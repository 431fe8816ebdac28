/* secrets.c - see secrets.h. */
#include "reader/cli/secrets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "formats/map.h"
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

/* ---- what was written to the outputs ---- */

/* How much of the string of a call is in the lines before. */
struct written_string {
    uint64_t key; /* seq of its event + 1 */
    size_t bytes;
};
struct output_search {
    struct session *s;
    const secret_vec *secrets;
    MAP(struct written_string) written;
    VEC(struct redact_range) ranges;
};

/* Where in the string of a write the byte of this number is that was written: a string of bytes has them as they are,
 * one of text was written as UTF-8. */
static size_t offset_in(const struct hs_object *o, size_t bytes, bool as_bytes)
{
    const uint8_t *data = o->data;
    const size_t step = o->latin1 ? 1 : 2;
    size_t at = 0, n = 0;
    if (as_bytes)
        return bytes;
    for (; n < bytes && at + step <= o->data_bytes; at += step) {
        const unsigned unit = o->latin1 ? data[at] : (unsigned)(data[at] | data[at + 1] << 8);
        n += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) == 0xd800 ? 2 : 3; /* a pair has four */
    }
    return at;
}

/* The bytes `from` to before `to` of a part, whose string has `before` bytes in earlier lines. */
static bool add_range(struct output_search *o, const struct hs_output_line *line, size_t part, size_t from, size_t to)
{
    const struct hs_output_part *p = line->parts[part];
    const struct written_string *w = map_get(&o->written, p->written + 1);
    const size_t before = w != NULL ? w->bytes : 0, first = before + from - p->at, end = before + to - p->at;
    const struct hs_event *e;
    if (hs_event_at(o->s->trace, p->written, &e, NULL) != 0 || e->kind != HS_KIND_REF || e->value > UINT32_MAX)
        return true;
    const struct hs_object *object = hs_object_get(o->s->trace, (uint32_t)e->value);
    if (object == NULL || !object->has_string)
        return true;
    const bool as_bytes = object->latin1 && end <= object->data_bytes &&
                          memcmp((const char *)object->data + first, (const char *)line->bytes + from, to - from) == 0;
    struct redact_range *to_add = vec_push(&o->ranges);
    if (to_add != NULL)
        *to_add =
            (struct redact_range){ object->id, offset_in(object, first, as_bytes), offset_in(object, end, as_bytes) };
    return to_add != NULL;
}

static bool add_ranges(struct output_search *o, const struct hs_output_line *line, size_t from, size_t to)
{
    bool ok = true;
    for (size_t i = 0; ok && i < line->part_count; i++) {
        const size_t at = line->parts[i]->at;
        const size_t end = i + 1 < line->part_count ? line->parts[i + 1]->at : line->byte_count;
        if (from < end && at < to)
            ok = add_range(o, line, i, from > at ? from : at, to < end ? to : end);
    }
    return ok;
}

static bool search_line(struct output_search *o, const struct hs_output_line *line)
{
    const char *bytes = line->bytes;
    bool ok = true;
    for (size_t i = 0; ok && i < o->secrets->count; i++) {
        const struct text t = o->secrets->items[i].text;
        const char *at = bytes;
        while (ok && (at = memmem(at, line->byte_count - (size_t)(at - bytes), t.data, t.size)) != NULL) {
            ok = line->part_count < 2 || add_ranges(o, line, (size_t)(at - bytes), (size_t)(at - bytes) + t.size);
            at++;
        }
    }
    for (size_t i = 0; ok && i < line->part_count; i++) {
        const size_t end = i + 1 < line->part_count ? line->parts[i + 1]->at : line->byte_count;
        struct written_string *w = map_put(&o->written, line->parts[i]->written + 1);
        ok = w != NULL;
        if (ok)
            w->bytes += end - line->parts[i]->at;
    }
    return ok;
}

static int by_object(const void *a, const void *b)
{
    const struct redact_range *x = a, *y = b;
    return (x->object > y->object) - (x->object < y->object);
}

/* A secret may be written in pieces, of which none has the whole. */
static int search_output(struct output_search *o)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_output_line *line;
    hs_cursor *lines;
    int more;
    bool ok = true;
    if (hs_output_open(o->s->trace, &lines, &error) != 0)
        return error.code == HS_ERR_NOT_FOUND ? PARSED : session_fail(o->s, "%s", error.text);
    while ((more = hs_output_line_next(lines, &line, &error)) > 0 && ok)
        ok = search_line(o, line);
    hs_cursor_close(lines);
    if (o->ranges.count > 1)
        qsort(o->ranges.items, o->ranges.count, sizeof *o->ranges.items, by_object);
    if (!ok)
        return session_fail(o->s, "out of memory");
    return more < 0 ? session_fail(o->s, "%s", error.text) : PARSED;
}

/* ---- the copy ---- */

int secrets_remove(struct session *s, const secret_vec *v, const char *out_dir, struct redact_result *result)
{
    struct error err = { 0 };
    int status = session_needs_end(s);
    if (status != PARSED)
        return status;
    struct derive_source chunks = { .trace = s->trace };
    const struct expand_source source = derive_source(&chunks);
    bool numbers = false;
    for (size_t i = 0; i < v->count; i++)
        numbers |= v->items[i].is_integer || v->items[i].is_number;
    const char *format = format_without_stream(s->trace);
    if (numbers && format != NULL && format_of_trace(format)->values)
        return session_fail(s, "%s: format=%s keeps numbers in another form, from which none can be removed",
                            hs_dir(s->trace), format);
    struct output_search o = { .s = s, .secrets = v };
    status = search_output(&o);
    const struct redact_request request = { .source = &source,
                                            .copied = value_look,
                                            .context = s->trace,
                                            .secrets = v->items,
                                            .count = v->count,
                                            .ranges = o.ranges.items,
                                            .range_count = o.ranges.count,
                                            .out_dir = out_dir };
    if (status == PARSED && redact_trace(&request, result, &err) != OK)
        status = session_fail(s, "%s", err.text);
    vec_free(&o.ranges);
    map_free(&o.written);
    return status;
}
