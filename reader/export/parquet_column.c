/* parquet_column.c - see parquet_column.h. Numbers of fields and values of enums are those of parquet.thrift. */
#include "reader/export/parquet_column.h"

#include <math.h>
#include <string.h>

#include "reader/export/parquet_encode.h"

enum { TYPE_BOOLEAN = 0, TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6 };
enum { PLAIN = 0, RLE = 3, DELTA_BINARY_PACKED = 5, RLE_DICTIONARY = 8, CODEC_ZSTD = 6 };
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };
enum { DICTIONARY_BYTES_MAX = 1 << 20, PLAIN_PAGE_BYTES = 1 << 20, BOUND_BYTES_MAX = 64, ZSTD_LEVEL = 1 };

int parquet_type(enum column_type type)
{
    switch (type) {
    case COLUMN_INT: return TYPE_INT64;
    case COLUMN_BOOL: return TYPE_BOOLEAN;
    case COLUMN_DOUBLE: return TYPE_DOUBLE;
    case COLUMN_NAME:
    case COLUMN_TEXT:
    case COLUMN_JSON: return TYPE_BYTE_ARRAY;
    }
    return 0;
}

/* ---- values of a batch ---- */

static size_t count_present(const struct cells *from, size_t n)
{
    size_t present = 0;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t eight = 0;
        memcpy(&eight, from->present + i, n - i < 8 ? n - i : 8);
        present += (size_t)(eight * UINT64_C(0x0101010101010101) >> 56); /* the sum of its bytes, each 0 or 1 */
    }
    return present;
}

/* Without branches: whether a value is there is hard to predict. */
static void add_ints(struct parquet_column *c, const struct cells *from, size_t n, bool all)
{
    int64_t least = c->bounded ? c->least : INT64_MAX, greatest = c->bounded ? c->greatest : INT64_MIN;
    int64_t *to = c->ints + c->values;
    size_t count = all ? n : 0;
    if (all)
        memcpy(to, from->ints, n * sizeof *to);
    for (size_t i = 0; i < n && !all; i++) {
        to[count] = from->ints[i];
        count += from->present[i];
    }
    for (size_t i = 0; i < count; i++) {
        least = to[i] < least ? to[i] : least;
        greatest = to[i] > greatest ? to[i] : greatest;
    }
    c->bounded = true;
    c->least = least;
    c->greatest = greatest;
    c->values += count;
}

static void add_doubles(struct parquet_column *c, const struct cells *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!from->present[i])
            continue;
        double v = from->doubles[i];
        c->doubles[c->values++] = v;
        c->has_nan |= isnan(v);
        if (!c->bounded || v < c->least_double)
            c->least_double = v;
        if (!c->bounded || v > c->greatest_double)
            c->greatest_double = v;
        c->bounded = true;
    }
}

static void write_plain(struct writer *w, struct span s)
{
    write_le4(w, (uint32_t)s.bytes);
    write_bytes(w, s.text, s.bytes);
}

/* A new entry of the dictionary; its index. */
static uint32_t add_entry(struct parquet_column *c, struct span s)
{
    uint64_t *entry = vec_push(&c->entries);
    if (entry == NULL)
        c->dictionary.bad = true;
    else
        *entry = c->dictionary.size;
    write_plain(&c->dictionary, s);
    return c->dictionary_count++;
}

static void add_names(struct parquet_column *c, const struct rows *r, const struct cells *from, size_t n, bool all)
{
    if (!vec_extend(&c->of_name, r->names.count)) {
        c->dictionary.bad = true;
        return;
    }
    uint32_t *to = c->indexes + c->values, *of_name = c->of_name.items;
    size_t count = all ? n : 0;
    if (all)
        memcpy(to, from->names, n * sizeof *to);
    for (size_t i = 0; i < n && !all; i++) { /* as add_ints */
        to[count] = from->names[i];
        count += from->present[i];
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t index = of_name[to[i]];
        if (index == 0)
            index = of_name[to[i]] = add_entry(c, rows_name(r, to[i])) + 1;
        to[i] = index - 1;
    }
    c->values += count;
}

static uint32_t index_of_text(struct parquet_column *c, struct span s)
{
    struct dictionary_key *k;
    uint64_t hash = map_hash(s.text, s.bytes);
    for (; (k = map_get(&c->of_text, hash)) != NULL; hash = map_next_hash(hash)) {
        const uint8_t *entry = c->dictionary.data + c->entries.items[k->index];
        uint32_t bytes;
        memcpy(&bytes, entry, sizeof bytes); /* as write_plain wrote it */
        if (bytes == s.bytes && memcmp(entry + 4, s.text, s.bytes) == 0)
            return k->index;
    }
    k = map_put(&c->of_text, hash);
    if (k == NULL) {
        c->dictionary.bad = true;
        return 0;
    }
    k->index = add_entry(c, s);
    return k->index;
}

static void add_texts(struct parquet_column *c, const struct cells *from, size_t n)
{
    for (size_t i = 0; i < n && !c->dictionary.bad; i++) {
        if (!from->present[i])
            continue;
        if (c->without_dictionary)
            write_plain(&c->plain, from->texts[i]);
        else
            c->indexes[c->values] = index_of_text(c, from->texts[i]);
        c->values++;
    }
}

bool parquet_column_add(struct parquet_column *c, const struct rows *r, size_t column)
{
    const struct cells *from = &r->columns[column];
    if (c->rows + r->count > PAGE_ROWS || c->plain.size > PLAIN_PAGE_BYTES)
        if (!parquet_column_end_page(c))
            return false;
    if (c->dictionary.size > DICTIONARY_BYTES_MAX && c->type != COLUMN_NAME && !c->without_dictionary) {
        if (!parquet_column_end_page(c))
            return false;
        c->without_dictionary = true;
    }
    memcpy(c->present + c->rows, from->present, r->count);
    c->rows += r->count;
    size_t present = count_present(from, r->count);
    bool all = present == r->count;
    if (present == 0)
        return true;
    switch (c->type) {
    case COLUMN_INT:
    case COLUMN_BOOL: add_ints(c, from, r->count, all); break;
    case COLUMN_DOUBLE: add_doubles(c, from, r->count); break;
    case COLUMN_NAME: add_names(c, r, from, r->count, all); break;
    case COLUMN_TEXT:
    case COLUMN_JSON: add_texts(c, from, r->count); break;
    }
    return !c->dictionary.bad && !c->plain.bad;
}

/* ---- pages ---- */

/* Compresses a body and appends it to `out` behind its header. */
static bool write_page(struct parquet_column *c, const struct writer *body, int type, int encoding, size_t values,
                       struct writer *out)
{
    struct thrift t = { .out = *out };
    c->packed.size = 0;
    if (body->bad || body->size > INT32_MAX || !writer_reserve(&c->packed, ZSTD_compressBound(body->size)))
        return false;
    size_t packed = ZSTD_compressCCtx(c->zstd, c->packed.data, c->packed.cap, body->data, body->size, ZSTD_LEVEL);
    if (ZSTD_isError(packed))
        return false;
    size_t before = out->size;
    thrift_begin(&t);
    thrift_i32(&t, 1, type);
    thrift_i32(&t, 2, (int32_t)body->size);
    thrift_i32(&t, 3, (int32_t)packed);
    thrift_field(&t, type == DATA_PAGE ? 5 : 7, THRIFT_STRUCT);
    thrift_begin(&t);
    thrift_i32(&t, 1, (int32_t)values);
    thrift_i32(&t, 2, encoding);
    if (type == DATA_PAGE) {
        thrift_i32(&t, 3, RLE);
        thrift_i32(&t, 4, RLE);
    }
    thrift_end(&t);
    thrift_end(&t);
    c->raw_bytes += t.out.size - before + body->size;
    write_bytes(&t.out, c->packed.data, packed);
    *out = t.out;
    return !out->bad;
}

bool parquet_column_end_page(struct parquet_column *c)
{
    struct writer *body = &c->body;
    int encoding = PLAIN;
    if (c->rows == 0)
        return true;
    body->size = 0;
    encode_levels(body, c->present, c->rows, c->values == c->rows);
    switch (c->type) {
    case COLUMN_INT:
        encoding = DELTA_BINARY_PACKED;
        encode_deltas(body, c->ints, c->values);
        break;
    case COLUMN_BOOL: encode_bits(body, c->ints, c->values); break;
    case COLUMN_DOUBLE: write_bytes(body, c->doubles, c->values * sizeof(double)); break;
    case COLUMN_NAME:
    case COLUMN_TEXT:
    case COLUMN_JSON:
        if (c->without_dictionary) {
            c->used_plain = true;
            write_bytes(body, c->plain.data, c->plain.size);
            break;
        }
        c->used_dictionary = true;
        encoding = RLE_DICTIONARY;
        encode_indexes(body, c->indexes, c->values, c->dictionary_count);
        break;
    }
    bool done = write_page(c, body, DATA_PAGE, encoding, c->rows, &c->pages);
    c->group_values += c->rows;
    c->nulls += c->rows - c->values;
    c->rows = c->values = c->plain.size = 0;
    return done;
}

bool parquet_column_dictionary(struct parquet_column *c, struct writer *out)
{
    if (!c->used_dictionary)
        return true;
    return write_page(c, &c->dictionary, DICTIONARY_PAGE, PLAIN, c->dictionary_count, out);
}

/* ---- metadata ---- */

static struct span entry_of(const struct parquet_column *c, size_t i)
{
    size_t from = c->entries.items[i], to = i + 1 < c->entries.count ? c->entries.items[i + 1] : c->dictionary.size;
    return (struct span){ (const char *)c->dictionary.data + from + 4, to - from - 4 };
}

static int compare(struct span a, struct span b)
{
    size_t n = a.bytes < b.bytes ? a.bytes : b.bytes;
    int order = memcmp(a.text, b.text, n);
    return order != 0 ? order : a.bytes < b.bytes ? -1 : a.bytes > b.bytes;
}

static void write_text_bounds(const struct parquet_column *c, struct thrift *t)
{
    if (c->used_plain || c->entries.count == 0)
        return;
    struct span least = entry_of(c, 0), greatest = least;
    for (size_t i = 1; i < c->entries.count; i++) {
        struct span s = entry_of(c, i);
        if (compare(s, least) < 0)
            least = s;
        if (compare(s, greatest) > 0)
            greatest = s;
    }
    if (least.bytes > BOUND_BYTES_MAX || greatest.bytes > BOUND_BYTES_MAX)
        return;
    thrift_binary(t, 5, greatest.text, greatest.bytes);
    thrift_binary(t, 6, least.text, least.bytes);
}

static void write_bounds(const struct parquet_column *c, struct thrift *t)
{
    double zero_below = c->least_double == 0 ? -0.0 : c->least_double;
    double zero_above = c->greatest_double == 0 ? 0.0 : c->greatest_double;
    switch (c->type) {
    case COLUMN_INT:
        if (c->bounded) {
            thrift_binary(t, 5, &c->greatest, sizeof c->greatest);
            thrift_binary(t, 6, &c->least, sizeof c->least);
        }
        break;
    case COLUMN_BOOL: break;
    case COLUMN_DOUBLE: /* NaN has no place in an order, and both zeros have the same */
        if (c->bounded && !c->has_nan) {
            thrift_binary(t, 5, &zero_above, sizeof zero_above);
            thrift_binary(t, 6, &zero_below, sizeof zero_below);
        }
        break;
    case COLUMN_NAME:
    case COLUMN_TEXT:
    case COLUMN_JSON: write_text_bounds(c, t); break;
    }
}

static void write_encodings(const struct parquet_column *c, struct thrift *t)
{
    int32_t used[4];
    size_t n = 0;
    used[n++] = RLE;
    if (c->type == COLUMN_INT)
        used[n++] = DELTA_BINARY_PACKED;
    else
        used[n++] = PLAIN;
    if (c->used_dictionary)
        used[n++] = RLE_DICTIONARY;
    thrift_list(t, 2, THRIFT_I32, n);
    for (size_t i = 0; i < n; i++)
        write_svarint(&t->out, used[i]);
}

void parquet_column_meta(const struct parquet_column *c, const char *name, struct thrift *t, uint64_t offset,
                         size_t dictionary_bytes)
{
    thrift_begin(t);
    thrift_i32(t, 1, parquet_type(c->type));
    write_encodings(c, t);
    thrift_list(t, 3, THRIFT_BINARY, 1);
    write_text(&t->out, name, strlen(name));
    thrift_i32(t, 4, CODEC_ZSTD);
    thrift_i64(t, 5, (int64_t)c->group_values);
    thrift_i64(t, 6, (int64_t)c->raw_bytes);
    thrift_i64(t, 7, (int64_t)(c->pages.size + dictionary_bytes));
    thrift_i64(t, 9, (int64_t)(offset + dictionary_bytes));
    if (dictionary_bytes > 0)
        thrift_i64(t, 11, (int64_t)offset);
    thrift_field(t, 12, THRIFT_STRUCT);
    thrift_begin(t);
    thrift_i64(t, 3, (int64_t)c->nulls);
    write_bounds(c, t);
    thrift_end(t);
    thrift_end(t);
}

void parquet_column_reset(struct parquet_column *c)
{
    c->pages.size = c->dictionary.size = c->entries.count = 0;
    c->raw_bytes = c->group_values = c->nulls = 0;
    c->without_dictionary = c->used_dictionary = c->used_plain = c->bounded = c->has_nan = false;
    c->dictionary_count = 0;
    if (c->of_name.count > 0)
        memset(c->of_name.items, 0, c->of_name.count * sizeof *c->of_name.items);
    map_clear(&c->of_text);
}

void parquet_column_free(struct parquet_column *c)
{
    writer_free(&c->plain);
    writer_free(&c->body);
    writer_free(&c->packed);
    writer_free(&c->pages);
    writer_free(&c->dictionary);
    vec_free(&c->of_name);
    vec_free(&c->entries);
    map_free(&c->of_text);
}
