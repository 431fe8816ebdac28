/* plain.c - see plain.h. */
#include "reader/answers/plain.h"

#include <string.h>
#include <unistd.h>

#include "formats/bytes.h"
#include "formats/mutf8.h"
#include "formats/visible.h"

bool plain_init(struct plain_row *r, hs_trace *trace)
{
    *r = (struct plain_row){ 0 };
    if (!out_init_memory(&r->words))
        return false;
    if (!show_init(&r->show, trace, &r->words)) {
        out_done(&r->words);
        return false;
    }
    r->show.bare_boxes = true;
    return true;
}

void plain_done(struct plain_row *r)
{
    show_done(&r->show);
    out_done(&r->words);
    arena_done(&r->arena);
}

void plain_begin(struct plain_row *r)
{
    r->count = 0;
    arena_clear(&r->arena);
}

/* ---- cells ---- */

static struct plain_cell *add(struct plain_row *r, const char *name)
{
    struct plain_cell *c = &r->cells[r->count < PLAIN_CELLS_MAX ? r->count++ : PLAIN_CELLS_MAX - 1];
    *c = (struct plain_cell){ .name = name };
    return c;
}

void plain_null(struct plain_row *r, const char *name) { (void)add(r, name); }

static void number_cell(struct plain_row *r, const char *name, enum plain_is is, int64_t v)
{
    struct plain_cell *c = add(r, name);
    c->is = is;
    c->number = v;
}

void plain_int(struct plain_row *r, const char *name, int64_t v) { number_cell(r, name, CELL_INT, v); }
void plain_real(struct plain_row *r, const char *name, double v)
{
    struct plain_cell *c = add(r, name);
    c->is = CELL_DOUBLE;
    c->real = v;
}

void plain_bool(struct plain_row *r, const char *name, bool v) { number_cell(r, name, CELL_BOOL, v); }

void plain_seq(struct plain_row *r, const char *name, uint64_t seq)
{
    if (seq != UINT64_MAX)
        plain_int(r, name, (int64_t)seq);
    else
        plain_null(r, name);
}

void plain_line(struct plain_row *r, const char *name, int line)
{
    plain_seq(r, name, line >= 0 ? (uint64_t)line : UINT64_MAX);
}

static void text_cell(struct plain_row *r, const char *name, const void *text, size_t size)
{
    struct plain_cell *c = add(r, name);
    char *copy = arena_chars(&r->arena, size + 1);
    if (copy == NULL)
        return;
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    c->is = CELL_TEXT;
    c->text = copy;
    c->bytes = size;
}

void plain_text(struct plain_row *r, const char *name, const char *text)
{
    const size_t size = text != NULL ? strlen(text) : 0;
    struct writer w = { 0 };
    if (text != NULL && (mutf8_is_ascii(text, size) || utf8_is_text(text, size))) {
        struct plain_cell *c = add(r, name);
        c->is = CELL_TEXT;
        c->text = text;
        c->bytes = size;
    } else if (text != NULL) {
        (void)names_to_utf8(text, size, &w);
        text_cell(r, name, w.data, w.size);
        writer_free(&w);
    } else {
        plain_null(r, name);
    }
}

/* What was written to `words`. */
static void words_cell(struct plain_row *r, const char *name)
{
    text_cell(r, name, r->words.data, r->words.used);
    r->words.used = 0;
    r->words.failed = 0;
}

static void string_cell(struct plain_row *r, const char *name, const struct hs_object *o)
{
    struct writer w = { 0 }, utf8 = { 0 };
    (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, o->data_bytes, &w);
    (void)names_to_utf8(w.data, w.size, &utf8);
    text_cell(r, name, utf8.data, utf8.size);
    writer_free(&utf8);
    writer_free(&w);
}

void plain_spot(struct plain_row *r, uint32_t dataid)
{
    hs_trace *t = r->show.trace;
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    plain_text(r, "class", c != NULL ? c->name : NULL);
    plain_text(r, "method", c != NULL ? m->name : NULL);
    plain_text(r, "file", c != NULL ? d->file : NULL);
    plain_line(r, "line", c != NULL ? d->line : -1);
}

static void real_cell(struct plain_row *r, const char *name, double v)
{
    struct plain_cell *c = add(r, name);
    c->is = CELL_DOUBLE;
    c->real = v;
}

void plain_value(struct plain_row *r, const char *name, const struct hs_value *v)
{
    const struct hs_object *o = NULL;
    uint32_t low;
    float single;
    double real;
    switch (v != NULL ? v->kind : 0) {
    case 'F':
        low = (uint32_t)v->bits;
        memcpy(&single, &low, sizeof single);
        real_cell(r, name, (double)single);
        break;
    case 'D':
        memcpy(&real, &v->bits, sizeof real);
        real_cell(r, name, real);
        break;
    case 'B':
    case 'S':
    case 'I':
    case 'J': plain_int(r, name, (int64_t)v->bits); break;
    case 'Z': plain_bool(r, name, v->bits != 0); break;
    case HS_KIND_REF:
        o = v->bits - 1 < UINT32_MAX ? hs_object_get(r->show.trace, (uint32_t)v->bits) : NULL;
        if (v->bits == 0) {
            plain_null(r, name);
            break;
        }
        if (o != NULL && o->has_string && !o->cut) {
            string_cell(r, name, o);
            break;
        }
        __attribute__((fallthrough));
    case 'C':
        show_value_text(&r->show, v->kind, v->bits);
        words_cell(r, name);
        break;
    default: plain_null(r, name); break;
    }
}

void plain_values(struct plain_row *r, const char *name, const struct hs_value *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out_text(&r->words, i > 0 ? ", " : "");
        show_value_text(&r->show, list[i].kind, list[i].bits);
    }
    words_cell(r, name);
}

/* ---- csv ---- */

static void write_run(void *out, const char *bytes, size_t n) { out_bytes(out, bytes, n); }

/* Texts are exact, but on a terminal visible. */
void plain_csv_cell(struct out *o, const char *text, size_t bytes)
{
    const char *const end = text + bytes;
    bool bare = bytes > 0;
    for (size_t i = 0; i < bytes; i++)
        bare &= text[i] != '"' && text[i] != ',' && text[i] != '\r' && text[i] != '\n';
    const bool visible = o->fd >= 0 && isatty(o->fd) != 0;
    if (!bare)
        out_char(o, '"');
    while (text < end) {
        const char *quote = memchr(text, '"', (size_t)(end - text));
        const size_t run = (size_t)((quote != NULL ? quote + 1 : end) - text);
        if (visible)
            visible_each(text, run, write_run, o);
        else
            write_run(o, text, run);
        if (quote != NULL)
            out_char(o, '"');
        text += run;
    }
    if (!bare)
        out_char(o, '"');
}

void plain_csv_heading(struct out *o, const struct plain_row *r)
{
    for (size_t i = 0; i < r->count; i++) {
        if (i > 0)
            out_char(o, ',');
        out_text(o, r->cells[i].name);
    }
    out_char(o, '\n');
}

void plain_csv(struct out *o, const struct plain_row *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct plain_cell *c = &r->cells[i];
        uint64_t bits;
        if (i > 0)
            out_char(o, ',');
        switch (c->is) {
        case CELL_NULL: break;
        case CELL_BOOL: out_text(o, c->number != 0 ? "true" : "false"); break;
        case CELL_INT: out_i64(o, c->number); break;
        case CELL_DOUBLE:
            memcpy(&bits, &c->real, sizeof bits);
            out_double(o, bits);
            break;
        case CELL_TEXT: plain_csv_cell(o, c->text, c->bytes); break;
        }
    }
    out_char(o, '\n');
}
