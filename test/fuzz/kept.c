/* kept.c - see kept.h. The file is a zstd frame over rows: u1 table | varint bytes of the key | key | varint bytes |
 * row. */
#include "test/fuzz/kept.h"

#include <string.h>
#include <zstd.h>

#include "formats/arena.h"
#include "formats/jvm/classfile.h"
#include "formats/rows.h"
#include "formats/vec.h"
#include "logging/store/store.h"

/* in the order of enum kept_trace */
static const char *const names[] = { "omni", "derived", "parts", "latest", "freq", "timing", "inputs", "asked" };
enum { NAMES = sizeof names / sizeof *names, FILE_MAX = 1 << 20, ROWS_BYTES_MAX = 16 << 20 };

struct row {
    enum schema_db db;
    uint64_t number;  /* the key, of tables with numbers */
    struct text name; /* the key, of the others */
    const uint8_t *data;
    size_t size;
};
typedef VEC(struct row) row_vec;

/* ---- the files ---- */

struct saved {
    enum schema_db db;
    struct writer rows;
};

static enum status save_row(void *context, uint64_t key, const void *data, size_t size)
{
    struct saved *s = context;
    write_u1(&s->rows, s->db);
    write_varint(&s->rows, 8);
    write_le8(&s->rows, key);
    write_varint(&s->rows, size);
    write_bytes(&s->rows, data, size);
    return OK;
}

static enum status save_text(void *context, const char *key, size_t key_size, const void *data, size_t size)
{
    struct saved *s = context;
    write_u1(&s->rows, s->db);
    write_varint(&s->rows, key_size);
    write_bytes(&s->rows, key, key_size);
    write_varint(&s->rows, size);
    write_bytes(&s->rows, data, size);
    return OK;
}

bool kept_save(const char *trace, const char *file)
{
    struct saved s = { 0 };
    struct store *store = NULL;
    struct error err = { 0 };
    enum status st = store_open(trace, false, &store, &err);
    if (st == OK)
        st = store_begin(store, &err);
    for (s.db = 0; st == OK && s.db < DB_COUNT; s.db++)
        st = schema_key_type(s.db) == KEY_TEXT ? store_each_text(store, s.db, save_text, &s, &err)
                                               : store_each(store, s.db, save_row, &s, &err);
    store_close(store);
    FILE *out = st == OK && !s.rows.bad ? fopen(file, "wb") : NULL;
    uint8_t *packed = malloc(ZSTD_compressBound(s.rows.size));
    size_t n =
        packed != NULL ? ZSTD_compress(packed, ZSTD_compressBound(s.rows.size), s.rows.data, s.rows.size, 19) : 0;
    bool ok = out != NULL && n > 0 && !ZSTD_isError(n) && fwrite(packed, 1, n, out) == n;
    if (!ok)
        (void)fprintf(stderr, "%s: cannot be kept in %s: %s\n", trace, file, err.text);
    if (out != NULL)
        ok &= fclose(out) == 0;
    free(packed);
    writer_free(&s.rows);
    return ok;
}

static const row_vec *rows_of(unsigned which)
{
    static row_vec kept[NAMES];
    static uint8_t file[FILE_MAX];
    char path[4096];
    row_vec *rows = &kept[which];
    if (rows->count > 0)
        return rows;
    (void)snprintf(path, sizeof path, "%s/traces/%s.rows", FUZZ_SOURCE, names[which]);
    FILE *in = fopen(path, "rb");
    FUZZ_CHECK(in != NULL);
    size_t n = fread(file, 1, sizeof file, in);
    (void)fclose(in);
    unsigned long long size = ZSTD_getFrameContentSize(file, n);
    FUZZ_CHECK(size > 0 && size < ROWS_BYTES_MAX);
    uint8_t *bytes = malloc(size); /* lives as long as the process */
    FUZZ_CHECK(bytes != NULL && ZSTD_decompress(bytes, size, file, n) == size);
    struct reader r = reader_of(bytes, size);
    while (r.at < r.size) {
        struct row *row = vec_push(rows);
        FUZZ_CHECK(row != NULL);
        *row = (struct row){ .db = read_u1(&r) };
        size_t key_size = read_varint(&r);
        const uint8_t *key = read_span(&r, key_size);
        FUZZ_CHECK(key != NULL && row->db < DB_COUNT);
        struct reader number = reader_of(key, key_size);
        row->name = (struct text){ (const char *)key, key_size };
        row->number = schema_key_type(row->db) == KEY_TEXT ? 0 : read_le8(&number);
        row->size = read_varint(&r);
        row->data = read_span(&r, row->size);
    }
    FUZZ_CHECK(!r.bad && rows->count > 0);
    return rows;
}

/* ---- changes ---- */

static const uint64_t notable[] = { 0,
                                    1,
                                    127,
                                    128,
                                    255,
                                    256,
                                    65535,
                                    65536,
                                    INT32_MAX,
                                    UINT32_MAX,
                                    1ull << 32,
                                    (1ull << 32) + 1,
                                    INT64_MAX,
                                    UINT64_MAX,
                                    1ull << 24,
                                    1ull << 40,
                                    UINT32_MAX / 2,
                                    1ull << 63 };

/* The bytes of the row with [at, at + gone) replaced. */
static void splice(struct arena *arena, struct row *row, size_t at, size_t gone, const void *with, size_t n)
{
    uint8_t *bytes = arena_get(arena, row->size - gone + n + 1);
    FUZZ_CHECK(bytes != NULL);
    if (at > 0)
        memcpy(bytes, row->data, at);
    if (n > 0)
        memcpy(bytes + at, with, n);
    if (row->size > at + gone)
        memcpy(bytes + at + n, row->data + at + gone, row->size - at - gone);
    row->data = bytes;
    row->size += n - gone;
}

static size_t read_below(struct reader *in, size_t end)
{
    size_t n = read_u1(in);
    n |= (size_t)read_u1(in) << 8;
    return end > 0 ? n % end : 0;
}

static void change(struct reader *in, row_vec *rows, struct arena *arena)
{
    enum kept_change what = read_u1(in) % CHANGES;
    size_t which = read_below(in, rows->count), at, n;
    struct row *row = &rows->items[which];
    struct writer number = { 0 };
    const uint8_t *bytes;
    switch (what) {
    case CHANGE_BYTE:
    case CHANGE_VALUE:
        at = read_below(in, row->size);
        n = read_u1(in);
        if (what == CHANGE_BYTE)
            write_u1(&number, (unsigned)n);
        else
            write_varint(&number, notable[n % (sizeof notable / sizeof *notable)]);
        splice(arena, row, at, row->size > 0, number.data, number.size);
        writer_free(&number);
        break;
    case CHANGE_CUT: row->size = read_below(in, row->size); break;
    case CHANGE_INSERT:
    case CHANGE_ROW:
        at = what == CHANGE_INSERT ? read_below(in, row->size + 1) : 0;
        n = read_u1(in);
        bytes = read_span(in, n);
        if (bytes != NULL)
            splice(arena, row, at, what == CHANGE_INSERT ? 0 : row->size, bytes, n);
        break;
    case CHANGE_DELETE: row->db = DB_COUNT; break;
    case CHANGE_KEY: row->number += (uint64_t)(int8_t)read_u1(in); break;
    case CHANGE_COPY: {
        const struct row *other = &rows->items[(which + read_u1(in)) % rows->count];
        row->data = other->data;
        row->size = other->size;
        break;
    }
    case CHANGES: break;
    }
}

/* ---- writing ---- */

static int by_table_and_key(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->db != y->db)
        return x->db < y->db ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void write_trace(const row_vec *rows, const char *to)
{
    struct store *s = NULL;
    struct error err = { 0 };
    enum status st = store_open(to, true, &s, &err);
    if (st == OK)
        st = store_begin(s, &err);
    for (size_t i = 0; st == OK && i < rows->count; i++) {
        const struct row *row = &rows->items[i];
        if (row->db >= DB_COUNT || (schema_key_type(row->db) == KEY_U32 && row->number > UINT32_MAX))
            continue;
        st = schema_key_type(row->db) == KEY_TEXT
                 ? store_put_text(s, row->db, row->name.data, row->name.size, row->data, row->size, &err)
                 : store_put(s, row->db, row->number, row->data, row->size, &err);
    }
    if (st == OK) {
        store_flush_packs(s);
        st = store_commit(s, &err);
    }
    store_close(s);
    if (st != OK)
        (void)fprintf(stderr, "%s: %s\n", to, err.text);
    FUZZ_CHECK(st == OK);
}

enum { CHANGES_MAX = 64 };

const char *kept_changed(struct reader *in)
{
    const row_vec *kept = rows_of(read_u1(in) % KEPT_CHOSEN);
    row_vec rows = { 0 };
    struct arena arena = { 0 };
    FUZZ_CHECK(vec_extend(&rows, kept->count));
    memcpy(rows.items, kept->items, kept->count * sizeof *rows.items);
    rows.count = kept->count;
    for (unsigned i = 0; i < CHANGES_MAX && in->at < in->size && !in->bad; i++)
        change(in, &rows, &arena);
    qsort(rows.items, rows.count, sizeof *rows.items, by_table_and_key);
    fuzz_clear();
    write_trace(&rows, fuzz_folder());
    vec_free(&rows);
    arena_done(&arena);
    return fuzz_folder();
}

const char *kept_unfinished(enum kept_trace which)
{
    const row_vec *kept = rows_of(which);
    row_vec rows = { 0 };
    FUZZ_CHECK(vec_extend(&rows, kept->count));
    rows.count = 0;
    for (size_t i = 0; i < kept->count; i++) {
        const struct row *row = &kept->items[i];
        if (row->db != DB_INFO || row->name.size != strlen("end") || memcmp(row->name.data, "end", row->name.size) != 0)
            rows.items[rows.count++] = *row;
    }
    FUZZ_CHECK(rows.count + 1 == kept->count);
    fuzz_clear();
    write_trace(&rows, fuzz_folder());
    vec_free(&rows);
    return fuzz_folder();
}

const char *kept_edited(enum kept_trace which, kept_edit *edit, void *context)
{
    const row_vec *kept = rows_of(which);
    row_vec rows = { 0 };
    struct arena arena = { 0 };
    struct writer out = { 0 };
    FUZZ_CHECK(vec_extend(&rows, kept->count));
    for (size_t i = 0; i < kept->count; i++) {
        struct row *row = &rows.items[i];
        *row = kept->items[i];
        if (row->db != DB_CHUNK && row->db != DB_CHUNKPACK)
            continue;
        out.size = 0;
        edit(context, row->data, row->size, &out);
        FUZZ_CHECK(!out.bad);
        splice(&arena, row, 0, row->size, out.data, out.size);
    }
    fuzz_clear();
    write_trace(&rows, fuzz_folder());
    writer_free(&out);
    vec_free(&rows);
    arena_done(&arena);
    return fuzz_folder();
}

static bool is_file_of(const struct row *row, const char *name)
{
    struct classfile cf;
    struct error err = { 0 };
    struct text own;
    bool is = row->db == DB_CLASSFILE && classfile_read(&cf, row->data, row->size, &err) == OK;
    if (is) {
        is = cpool_class(&cf.cp, cf.this_class, &own) && text_is(own, name);
        classfile_done(&cf);
    }
    return is;
}

const char *kept_with_class(enum kept_trace which, const char *name, const void *file, size_t size)
{
    const row_vec *kept = rows_of(which);
    row_vec rows = { 0 };
    unsigned replaced = 0;
    FUZZ_CHECK(vec_extend(&rows, kept->count));
    rows.count = kept->count;
    for (size_t i = 0; i < kept->count; i++) {
        rows.items[i] = kept->items[i];
        if (!is_file_of(&kept->items[i], name))
            continue;
        rows.items[i].data = file;
        rows.items[i].size = size;
        replaced++;
    }
    FUZZ_CHECK(replaced == 1);
    fuzz_clear();
    write_trace(&rows, fuzz_folder());
    vec_free(&rows);
    return fuzz_folder();
}

static char wholes[NAMES][FUZZ_PATH_MAX];
static unsigned wholes_made;

static void remove_wholes(void)
{
    for (unsigned i = 0; i < NAMES; i++)
        if (wholes[i][0] != '\0')
            fuzz_remove_folder(wholes[i]);
}

const char *kept_whole(enum kept_trace which)
{
    char *folder = wholes[which];
    if (folder[0] != '\0')
        return folder;
    if (wholes_made++ == 0)
        (void)atexit(remove_wholes);
    fuzz_make_folder(folder);
    write_trace(rows_of(which), folder);
    char *words[] = { "index", folder, NULL };
    if (which < KEPT_WITH_INDEX)
        FUZZ_CHECK(fuzz_command(2, words) == 0);
    return folder;
}
