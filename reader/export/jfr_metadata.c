/* jfr_metadata.c - numbers, texts and the metadata event of a JFR chunk: see jfr_chunk.h.
 *
 * The metadata are a tree of elements with attributes, all of them texts that stand once in a table in front:
 *
 *     root { metadata { class id name superType simpleType { annotation, field name class constantPool dimension {
 *     annotation class value } } } region locale gmtOffset } */
#include "formats/visible.h"
#include "reader/export/jfr_chunk.h"

enum text_encoding { TEXT_NULL = 0, TEXT_EMPTY = 1, TEXT_UTF8 = 3 };

void jfr_varint(struct writer *w, uint64_t v)
{
    for (int i = 0; i < 8; i++, v >>= 7) {
        if (v < 0x80)
            break;
        write_u1(w, (unsigned)(v & 0x7f) | 0x80);
    }
    write_u1(w, (unsigned)v);
}

void jfr_write_text(struct writer *w, const char *s)
{
    struct writer visible = { 0 };
    const size_t n = s != NULL ? strlen(s) : 0;
    write_u1(w, s == NULL ? TEXT_NULL : n == 0 ? TEXT_EMPTY : TEXT_UTF8);
    if (n == 0)
        return;
    if (visible_run(s, n) == n) {
        jfr_varint(w, n);
        write_bytes(w, s, n);
        return;
    }
    visible_write(s, n, &visible);
    jfr_varint(w, visible.size);
    write_bytes(w, visible.data, visible.size);
    w->bad |= visible.bad;
    writer_free(&visible);
}

void jfr_write_event(struct writer *to, const struct writer *body)
{
    size_t width = 1;
    while (width < 9 && (body->size + width) >> (7 * width) != 0)
        width++;
    jfr_varint(to, body->size + width);
    write_bytes(to, body->data, body->size);
    to->bad |= body->bad;
}

/* ---- metadata ---- */

enum field_how { HOW_VALUE, HOW_POOL, HOW_LIST };
enum field_unit { UNIT_NONE, UNIT_AT, UNIT_FOR };

static const struct row {
    const char *name; /* of a type or field */
    enum jfr_type type;
    bool is_type, simple;
    const char *super, *label;
    enum field_how how;
    enum field_unit unit;
} rows[] = {
#define TYPE(id, text, parent, one, words)                                                                             \
    { .is_type = true, .name = text, .type = JFR_TYPE_##id, .super = parent, .simple = one, .label = words },
#define FIELD(text, of, kind, measure, words)                                                                          \
    { .name = text, .type = JFR_TYPE_##of, .how = HOW_##kind, .unit = UNIT_##measure, .label = words },
#include "reader/export/jfr_types.def"
#undef TYPE
#undef FIELD
};
enum { ROWS = sizeof rows / sizeof *rows, TEXT_COUNT_MAX = 4 * ROWS, NUMBER_MAX = 12 };

struct tree {
    struct writer elements;
    char numbers[JFR_TYPE_COUNT][NUMBER_MAX]; /* of types, as texts */
    const char *texts[TEXT_COUNT_MAX];
    size_t count;
};

static void text(struct tree *t, const char *s)
{
    size_t i = 0;
    while (i < t->count && strcmp(t->texts[i], s) != 0)
        i++;
    if (i == t->count && i < TEXT_COUNT_MAX)
        t->texts[t->count++] = s;
    jfr_varint(&t->elements, i);
}

static void element(struct tree *t, const char *name, unsigned attributes)
{
    text(t, name);
    jfr_varint(&t->elements, attributes);
}

static void attribute(struct tree *t, const char *name, const char *value)
{
    text(t, name);
    text(t, value);
}

static void children(struct tree *t, size_t count) { jfr_varint(&t->elements, count); }

static void annotation(struct tree *t, enum jfr_type type, const char *name, const char *value)
{
    element(t, "annotation", 2);
    attribute(t, "class", t->numbers[type]);
    attribute(t, name, value);
    children(t, 0);
}

static void field(struct tree *t, const struct row *f)
{
    element(t, "field", 2U + (f->how != HOW_VALUE));
    attribute(t, "name", f->name);
    attribute(t, "class", t->numbers[f->type]);
    if (f->how == HOW_POOL)
        attribute(t, "constantPool", "true");
    else if (f->how == HOW_LIST)
        attribute(t, "dimension", "1");
    children(t, (size_t)(f->label[0] != '\0') + (f->unit != UNIT_NONE));
    if (f->label[0] != '\0')
        annotation(t, JFR_TYPE_LABEL, "value", f->label);
    if (f->unit != UNIT_NONE)
        annotation(t, f->unit == UNIT_AT ? JFR_TYPE_TIMESTAMP : JFR_TYPE_TIMESPAN, "value", "TICKS");
}

/* The type in row `at` with its fields. */
static void class(struct tree *t, size_t at)
{
    const struct row *c = &rows[at];
    size_t end = at + 1;
    const bool ours = strncmp(c->name, "hindsight.", strlen("hindsight.")) == 0;
    while (end < ROWS && !rows[end].is_type)
        end++;
    element(t, "class", 2U + (c->super[0] != '\0') + c->simple);
    attribute(t, "name", c->name);
    attribute(t, "id", t->numbers[c->type]);
    if (c->super[0] != '\0')
        attribute(t, "superType", c->super);
    if (c->simple)
        attribute(t, "simpleType", "true");
    children(t, end - at - 1 + (c->label[0] != '\0') + ours);
    if (c->label[0] != '\0')
        annotation(t, JFR_TYPE_LABEL, "value", c->label);
    if (ours)
        annotation(t, JFR_TYPE_CATEGORY, "value-0", "Hindsight");
    for (size_t i = at + 1; i < end; i++)
        field(t, &rows[i]);
}

void jfr_write_metadata(struct writer *to, uint64_t time_ns)
{
    struct tree t = { 0 };
    struct writer body = { 0 };
    size_t types = 0;
    for (size_t i = 0; i < ROWS; i++)
        types += rows[i].is_type;
    for (unsigned i = 0; i < JFR_TYPE_COUNT; i++)
        (void)snprintf(t.numbers[i], NUMBER_MAX, "%u", i);
    element(&t, "root", 0);
    children(&t, 2);
    element(&t, "metadata", 0);
    children(&t, types);
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].is_type)
            class(&t, i);
    element(&t, "region", 2);
    attribute(&t, "locale", "en_US");
    attribute(&t, "gmtOffset", "0");
    children(&t, 0);

    jfr_varint(&body, JFR_TYPE_METADATA);
    jfr_varint(&body, time_ns);
    jfr_varint(&body, 0); /* duration */
    jfr_varint(&body, 1); /* number of these metadata */
    jfr_varint(&body, t.count);
    for (size_t i = 0; i < t.count; i++)
        jfr_write_text(&body, t.texts[i]);
    write_bytes(&body, t.elements.data, t.elements.size);
    body.bad |= t.elements.bad;
    jfr_write_event(to, &body);
    writer_free(&body);
    writer_free(&t.elements);
}
