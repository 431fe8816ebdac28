/* clickhouse_native.c - see clickhouse_native.h.
 *
 *     block:  columns  rows  (name  type  data) ...          numbers of 7 bits a byte, texts with their length
 *     data of Nullable(T):  a byte a row, 1: null, then T;   of a name, LowCardinality(Nullable(String)):
 *             8 bytes 1  8 bytes flags  8 bytes count of keys  key ...  8 bytes rows  number ...
 *
 * The keys of a block are its own; key 0 is null. */
#include "reader/export/clickhouse_native.h"

#include <string.h>

enum { SHARED_KEYS = 1, OWN_KEYS = 1 << 9, NUMBERS_OF_4_BYTES = 2, NUMBERS_OF_1_BYTE = 0 };

const char *native_type(enum column_type type, bool always)
{
    switch (type) {
    case COLUMN_INT: return always ? "Int64" : "Nullable(Int64)";
    case COLUMN_BOOL: return "Nullable(UInt8)";
    case COLUMN_DOUBLE: return "Nullable(Float64)";
    case COLUMN_NAME: return "LowCardinality(Nullable(String))";
    case COLUMN_TEXT:
    case COLUMN_JSON: return "Nullable(String)";
    }
    return "";
}

/* The rows' numbers of names, in the order in which names come first. */
static bool write_names(struct native *n, const struct rows *r, const struct cells *c)
{
    if (!vec_extend(&n->numbers, r->names.count))
        return false;
    n->used.count = 0;
    for (size_t i = 0; i < r->count; i++) {
        uint32_t *number = &n->numbers.items[c->names[i]];
        if (!c->present[i] || *number != 0)
            continue;
        uint32_t *name = vec_push(&n->used);
        if (name == NULL)
            return false;
        *name = c->names[i];
        *number = (uint32_t)n->used.count;
    }
    const bool narrow = n->used.count < UINT8_MAX;
    write_le8(&n->body, SHARED_KEYS);
    write_le8(&n->body, OWN_KEYS | (narrow ? NUMBERS_OF_1_BYTE : NUMBERS_OF_4_BYTES));
    write_le8(&n->body, n->used.count + 1);
    write_text(&n->body, "", 0); /* null */
    for (size_t i = 0; i < n->used.count; i++) {
        struct span s = rows_name(r, n->used.items[i]);
        write_text(&n->body, s.text, s.bytes);
    }
    write_le8(&n->body, r->count);
    for (size_t i = 0; i < r->count; i++) {
        const uint32_t number = c->present[i] ? n->numbers.items[c->names[i]] : 0;
        if (narrow)
            write_u1(&n->body, number);
        else
            write_le4(&n->body, number);
    }
    for (size_t i = 0; i < n->used.count; i++)
        n->numbers.items[n->used.items[i]] = 0;
    return true;
}

static void write_numbers(struct writer *w, const struct rows *r, const struct cells *c)
{
    for (size_t i = 0; i < r->count; i++) {
        uint64_t bits = 0;
        if (c->present[i])
            memcpy(&bits, &c->ints[i], sizeof bits);
        write_le8(w, bits);
    }
}

static bool write_column(struct native *n, const struct rows *r, size_t column, bool always)
{
    const struct cells *c = &r->columns[column];
    const struct column *about = &r->from.table->columns[column];
    const char *type = native_type(about->type, always);
    write_text(&n->body, about->name, strlen(about->name));
    write_text(&n->body, type, strlen(type));
    if (about->type == COLUMN_NAME)
        return write_names(n, r, c);
    for (size_t i = 0; !always && i < r->count; i++)
        write_u1(&n->body, !c->present[i]);
    switch (about->type) {
    case COLUMN_INT:
    case COLUMN_DOUBLE: write_numbers(&n->body, r, c); break;
    case COLUMN_BOOL:
        for (size_t i = 0; i < r->count; i++)
            write_u1(&n->body, c->present[i] && c->ints[i] != 0);
        break;
    case COLUMN_NAME: break;
    case COLUMN_TEXT:
    case COLUMN_JSON:
        for (size_t i = 0; i < r->count; i++)
            write_text(&n->body, c->present[i] ? c->texts[i].text : "", c->present[i] ? c->texts[i].bytes : 0);
        break;
    }
    return true;
}

bool native_block(struct native *n, const struct rows *r, uint32_t always)
{
    const size_t columns = r->from.table->column_count;
    bool done = true;
    write_varint(&n->body, columns);
    write_varint(&n->body, r->count);
    for (size_t i = 0; done && i < columns; i++)
        done = write_column(n, r, i, (always >> i & 1) != 0);
    return done && !n->body.bad;
}

void native_done(struct native *n)
{
    writer_free(&n->body);
    vec_free(&n->numbers);
    vec_free(&n->used);
}
