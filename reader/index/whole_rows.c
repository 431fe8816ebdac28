/* whole_rows.c - rows of an answer about a whole trace, as the index keeps them (whole.c).
 *
 *     section  varint n | n times: each cell: a number: varint | a text: varint bytes + 1, bytes; 0: there is none
 *
 * An answer whose rows take long to find, and that is often asked for, is found once. */
#include <stdlib.h>
#include <string.h>

#include "reader/index/index.h"

static void encode_text(struct writer *w, const char *text)
{
    const size_t n = text != NULL ? strlen(text) : 0;
    write_varint(w, text != NULL ? n + 1 : 0);
    write_bytes(w, text, n);
}

static void encode_cell(struct writer *w, const struct whole_cell *cell, const char *row)
{
    uint64_t wide;
    uint32_t narrow;
    const char *text;
    if (cell->holds == CELL_TEXT) {
        memcpy(&text, row + cell->at, sizeof text);
        encode_text(w, text);
    } else if (cell->bytes == sizeof narrow) {
        memcpy(&narrow, row + cell->at, sizeof narrow);
        write_varint(w, narrow);
    } else {
        memcpy(&wide, row + cell->at, sizeof wide);
        write_varint(w, wide);
    }
}

void index_keep_rows(hs_trace *t, enum index_section which, const struct whole_shape *shape, const void *rows,
                     size_t count)
{
    struct writer w = { 0 };
    if (t->no_index || !index_whole_wanted(t, which))
        return;
    write_varint(&w, count);
    for (size_t i = 0; i < count && !w.bad; i++)
        for (size_t k = 0; k < shape->count; k++)
            encode_cell(&w, &shape->cells[k], (const char *)rows + i * shape->row_bytes);
    index_keep_whole(t, which, &w);
}

/* False: it is damaged, of another trace, or memory is out. */
static bool decode_text(struct reader *r, struct arena *texts, const char **out)
{
    const uint64_t n = read_varint(r);
    const uint8_t *bytes = n > 0 && n - 1 <= r->size ? read_span(r, (size_t)n - 1) : NULL;
    char *copy = bytes != NULL ? arena_chars(texts, (size_t)n) : NULL;
    *out = copy;
    if (copy == NULL)
        return n == 0 && !r->bad;
    memcpy(copy, bytes, (size_t)n - 1);
    copy[n - 1] = '\0';
    return true;
}

static bool is_of(hs_trace *t, enum whole_holds holds, uint64_t v)
{
    switch (holds) {
    case CELL_DATAID: return v < t->kind_count;
    case CELL_METHOD: return v <= UINT32_MAX && hs_method_get(t, (uint32_t)v) != NULL;
    case CELL_SEQ: return v < t->events;
    case CELL_NUMBER:
    case CELL_TEXT: break;
    }
    return true;
}

static bool decode_cell(hs_trace *t, struct reader *r, const struct whole_cell *cell, struct arena *texts, char *row)
{
    if (cell->holds == CELL_TEXT) {
        const char *text;
        const bool whole = decode_text(r, texts, &text);
        memcpy(row + cell->at, &text, sizeof text);
        return whole;
    }
    const uint64_t v = read_varint(r);
    const uint32_t narrow = (uint32_t)v;
    if (cell->bytes == sizeof narrow)
        memcpy(row + cell->at, &narrow, sizeof narrow);
    else
        memcpy(row + cell->at, &v, sizeof v);
    return !r->bad && (cell->bytes != sizeof narrow || v <= UINT32_MAX) && is_of(t, cell->holds, v);
}

bool index_kept_rows(hs_trace *t, enum index_section which, const struct whole_shape *shape, struct arena *texts,
                     void **rows, size_t *count)
{
    size_t size;
    uint8_t *data = index_section(t, SEGMENT_WHOLE(which), which, &size);
    struct reader r = reader_of(data, size);
    const uint64_t n = data != NULL ? read_varint(&r) : 0;
    bool whole = data != NULL && !r.bad && n <= size; /* each row has a byte at least */
    *rows = whole ? calloc((size_t)n + 1, shape->row_bytes) : NULL;
    *count = (size_t)n;
    whole = *rows != NULL;
    for (size_t i = 0; whole && i < n; i++)
        for (size_t k = 0; whole && k < shape->count; k++)
            whole = decode_cell(t, &r, &shape->cells[k], texts, (char *)*rows + i * shape->row_bytes);
    free(data);
    if (!whole) {
        free(*rows);
        *rows = NULL;
    }
    return whole;
}
