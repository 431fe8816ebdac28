/* output.c - the lines of what the program wrote to standard output and error (hs_output_open).
 *
 * Writes are read in the global order, as far as the next line needs them. A line begins in the first write that has
 * bytes of its stream which no line has had, and goes on in later ones of that stream until a newline:
 *
 *     writes    out "a"   err "x\n"   out "b\nc"   out "d\n"
 *     lines     "ab" of two parts, "x", "cd" of two parts
 *
 * Writes that are behind every line are dropped, so memory follows the longest line. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/schema.h"
#include "reader/query/output_parts.h"

enum { LINE_BYTES_MAX = 1 << 20, STREAMS = HS_STDERR + 1, KEPT_WRITES = 4096 };

/* What a data ID of HindsightOutput has: METHOD_PARAM with a text. */
struct output_site {
    uint32_t dataid;
    enum hs_stream stream;
    bool bytes;
    uint32_t index; /* of the parameter */
};
/* How far the lines of a stream have come: the number of a write, and bytes of it. */
struct reached {
    uint64_t write;
    size_t bytes;
};
struct output_cursor {
    hs_cursor base;
    hs_trace *trace;
    struct walk walk;
    VEC(struct output_site) sites;
    VEC(struct output_write) writes; /* from number `first` on */
    uint64_t first, at;              /* at: the write where the next line is looked for */
    struct reached reached[STREAMS];
    struct {
        uint64_t write; /* number + 1; 0: none */
        struct writer bytes;
        bool cut;
    } kept[STREAMS]; /* bytes of the last write that was read of each stream */
    struct output_moments moments;
    size_t clock_at;
    struct writer line, text;
    VEC(struct hs_output_part) parts;
    VEC(const struct hs_output_part *) pointers;
    struct hs_output_line row;
};

static const struct output_site *find_site(const struct output_cursor *c, uint32_t dataid)
{
    for (size_t i = 0; i < c->sites.count; i++)
        if (c->sites.items[i].dataid == dataid)
            return &c->sites.items[i];
    return NULL;
}

/* Reads the next write; false: there is none, or a failure. */
static bool read_write(struct output_cursor *c, struct error *err)
{
    struct output_write w = { 0 };
    struct hs_event charset;
    if (!walk_next(&c->walk, &w.event))
        return false;
    const struct output_site *s = find_site(c, w.event.dataid);
    if (s == NULL)
        return error_set(err, ERR_FORMAT, "%s: a write of another data ID", c->trace->dir) == OK;
    w.stream = s->stream;
    w.bytes = s->bytes;
    w.entry = w.event.position > s->index ? w.event.position - 1 - s->index : 0;
    if (w.bytes && event_beside(c->trace, &w.event, -1, &charset, err) == OK)
        w.charset = charset.value;
    *err = (struct error){ 0 };
    if (c->first + KEPT_WRITES < c->at) {
        const size_t gone = (size_t)(c->at - c->first);
        memmove(c->writes.items, c->writes.items + gone, (c->writes.count - gone) * sizeof *c->writes.items);
        c->writes.count -= gone;
        c->first = c->at;
    }
    struct output_write *to = vec_push(&c->writes);
    if (to == NULL)
        return state_memory(c->trace, err) == OK;
    *to = w;
    return true;
}

/* The write of a number; NULL: there is none, or a failure. */
static const struct output_write *get_write(struct output_cursor *c, uint64_t number, struct error *err)
{
    while (number >= c->first + c->writes.count)
        if (!read_write(c, err))
            return NULL;
    return &c->writes.items[number - c->first];
}

static const struct writer *bytes_of(struct output_cursor *c, uint64_t number, const struct output_write *w, bool *cut)
{
    struct writer *b = &c->kept[w->stream].bytes;
    if (c->kept[w->stream].write != number + 1) {
        b->size = 0;
        c->kept[w->stream].cut = false;
        output_bytes(c->trace, w, b, &c->kept[w->stream].cut);
        c->kept[w->stream].write = number + 1;
    }
    *cut = c->kept[w->stream].cut;
    return b;
}

static enum status add_part(struct output_cursor *c, const struct output_write *w, struct error *err)
{
    struct hs_output_part *part = vec_push(&c->parts);
    if (part == NULL)
        return state_memory(c->trace, err);
    const uint64_t *time = w->event.time_ns != HS_NO_TIME ? &w->event.time_ns : NULL;
    *part = (struct hs_output_part){
        .thread = w->event.thread,
        .written = w->event.seq,
        .time_ns = time != NULL ? *time : trace_clock_ns(c->trace, w->event.stamp, &c->clock_at),
        .at = c->line.size,
    };
    return output_moment(&c->moments, w, part, err);
}

/* How many of `count` bytes belong to the line, of which `c->line` has those before: up to its end, or all. */
static size_t line_bytes(const struct output_cursor *c, const uint8_t *bytes, size_t count, const char *charset,
                         bool *whole)
{
    const unsigned unit = output_unit(charset);
    uint8_t last[4] = { 0 }; /* the unit */
    if (unit == 1) {
        const uint8_t *end = count > 0 ? memchr(bytes, '\n', count) : NULL;
        *whole = end != NULL;
        return end != NULL ? (size_t)(end - bytes) + 1 : count;
    }
    const size_t before = c->line.size % unit; /* a unit may be written in parts */
    if (before > 0)
        memcpy(last, c->line.data + c->line.size - before, before);
    for (size_t i = 0, k = before; i < count; i++) {
        last[k++] = bytes[i];
        if (k < unit)
            continue;
        k = 0;
        if (output_is(last, charset, '\n'))
            return *whole = true, i + 1;
    }
    return count;
}

/* Collects the line that begins in the write `number`, which has bytes left. */
static enum status read_line(struct output_cursor *c, uint64_t number, size_t from, struct error *err)
{
    const struct output_write *w = get_write(c, number, err);
    const enum hs_stream stream = w->stream;
    enum status st = OK;
    bool whole = false;
    char name[CHARSET_MAX];
    const char *charset = NULL;
    c->row = (struct hs_output_line){ .stream = stream };
    c->line.size = c->text.size = c->parts.count = c->pointers.count = 0;
    for (; st == OK && !whole && c->line.size < LINE_BYTES_MAX && w != NULL; w = get_write(c, ++number, err)) {
        bool cut;
        if (w->stream != stream)
            continue;
        const struct writer *b = bytes_of(c, number, w, &cut);
        const size_t room = LINE_BYTES_MAX - c->line.size, left = b->size - from < room ? b->size - from : room;
        const uint8_t *begin = b->data + from;
        if (charset == NULL)
            charset = output_charset(c->trace, w, name);
        const size_t n = line_bytes(c, begin, left, charset, &whole);
        if (n > 0 || cut)
            st = add_part(c, w, err);
        c->row.cut |= cut;
        write_bytes(&c->line, begin, n);
        c->reached[stream] = (struct reached){ number, from + n };
        from = 0;
    }
    if (st != OK)
        return st;
    c->row.ended = whole;
    const unsigned unit = output_unit(charset);
    size_t length = c->line.size - (whole ? unit : 0);
    if (whole && length >= unit && output_is(c->line.data + length - unit, charset, '\r'))
        length -= unit;
    output_text(c->line.data, length, charset, &c->text);
    write_u1(&c->text, '\0');
    return c->line.bad || c->text.bad ? state_memory(c->trace, err) : OK;
}

static enum status fill_row(struct output_cursor *c, struct error *err)
{
    for (size_t i = 0; i < c->parts.count; i++) {
        const struct hs_output_part **to = vec_push(&c->pointers);
        if (to == NULL)
            return state_memory(c->trace, err);
        *to = &c->parts.items[i];
    }
    c->row.text = (const char *)c->text.data;
    c->row.bytes = c->line.data;
    c->row.byte_count = c->line.size;
    c->row.parts = c->pointers.items;
    c->row.part_count = c->pointers.count;
    return OK;
}

static int output_next(hs_cursor *cursor, const void **row, struct hs_error *error)
{
    struct output_cursor *c = (struct output_cursor *)cursor;
    struct error err = { 0 };
    const struct output_write *w;
    while ((w = get_write(c, c->at, &err)) != NULL) {
        const struct reached *r = &c->reached[w->stream];
        bool cut;
        const size_t from = r->write > c->at ? SIZE_MAX : r->write == c->at ? r->bytes : 0;
        const bool begun = from > 0;
        const struct writer *b = begun && from == SIZE_MAX ? NULL : bytes_of(c, c->at, w, &cut);
        if (b == NULL || (from >= b->size && !(cut && !begun))) {
            c->at++;
            continue;
        }
        enum status st = read_line(c, c->at, from, &err);
        if (st == OK)
            st = fill_row(c, &err);
        if (st != OK)
            return give(error, &err);
        if (c->line.size == 0) /* of a text that was not recorded */
            c->reached[c->row.stream].write = c->at + 1;
        *row = &c->row;
        return 1;
    }
    if (err.status != OK)
        return give(error, &err);
    return walk_give(&c->walk, error);
}

static void output_close(hs_cursor *cursor)
{
    struct output_cursor *c = (struct output_cursor *)cursor;
    (void)walk_close(&c->walk, NULL);
    output_moments_done(&c->moments);
    for (size_t i = 0; i < STREAMS; i++)
        writer_free(&c->kept[i].bytes);
    writer_free(&c->line);
    writer_free(&c->text);
    vec_free(&c->sites);
    vec_free(&c->writes);
    vec_free(&c->parts);
    vec_free(&c->pointers);
    free(c);
}

/* The data IDs of HindsightOutput that have a text. */
static enum status find_sites(struct output_cursor *c, u32_vec *ids, struct error *err)
{
    static const struct {
        const char *name;
        enum hs_stream stream;
        bool bytes;
    } methods[] = { { "stdout", HS_STDOUT, false },
                    { "stderr", HS_STDERR, false },
                    { "stdoutBytes", HS_STDOUT, true },
                    { "stderrBytes", HS_STDERR, true } };
    const struct hs_class *output = hs_class_find(c->trace, OUTPUT_CLASS, 0);
    for (uint32_t i = 0; output != NULL && i < output->dataid_count; i++) {
        const struct hs_dataid *d = hs_dataid_get(c->trace, output->first_dataid + i);
        const struct hs_method *m = d != NULL ? hs_method_get(c->trace, d->method_id) : NULL;
        for (size_t k = 0; m != NULL && k < sizeof methods / sizeof *methods; k++) {
            const int64_t index = d->event == EVENT_METHOD_PARAM ? attribute_number(d, "index", -1) : -1;
            if (strcmp(m->name, methods[k].name) != 0 || index != methods[k].bytes)
                continue;
            struct output_site *s = vec_push(&c->sites);
            uint32_t *id = vec_push(ids);
            if (s == NULL || id == NULL)
                return state_memory(c->trace, err);
            *s = (struct output_site){ d->dataid, methods[k].stream, methods[k].bytes, (uint32_t)index };
            *id = d->dataid;
        }
    }
    if (c->sites.count == 0 && hs_damage(c->trace) != NULL) /* the class may be what is missing */
        return error_set(err, ERR_FORMAT, "%s: damaged: %s", c->trace->dir, hs_damage(c->trace));
    return c->sites.count > 0
               ? OK
               : error_set(err, ERR_NOT_FOUND,
                           "%s: what the program wrote was not recorded; hindsight record does it unless "
                           "its options exclude it, the agent with stdout=true",
                           c->trace->dir);
}

static const struct cursor_ops output_ops = { .row = ROW_output_line, .next = output_next, .close = output_close };

int hs_output_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct output_cursor *c = calloc(1, sizeof *c);
    struct hs_filter filter = HS_FILTER_ALL;
    struct error err = { 0 };
    u32_vec ids = { 0 };
    if (c == NULL) {
        (void)state_memory(t, &err);
        return give(error, &err);
    }
    c->base.ops = &output_ops;
    c->trace = c->moments.trace = t;
    c->walk.error = (struct hs_error)HS_ERROR_INIT;
    enum status st = find_sites(c, &ids, &err);
    int failed =
        st == OK ? cursor_open_ids(t, &filter, ids.items, ids.count, &c->walk.cursor, error) : give(error, &err);
    vec_free(&ids);
    if (failed != 0) {
        output_close(&c->base);
        return -1;
    }
    *out = &c->base;
    return 0;
}
