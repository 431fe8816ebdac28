/* parquet.c - the format parquet: one file a table, written here since Debian has no library for C that does.
 *
 *     "PAR1"  group of rows ...  footer (FileMetaData)  its length  "PAR1"
 *     group:  column ...         column: [page of the dictionary] page ...     (parquet_column.h)
 *
 * A file is written from its beginning to its end, so it may go to a pipe; memory holds one group, compressed. */
#include <unistd.h>

#include "reader/export/parquet_column.h"
#include "reader/export/parquet_file.h"
#include "reader/export/row_files.h"

enum { GROUP_BYTES_MAX = 32 << 20 };
struct parquet_file {
    struct out *out;
    const struct table *table;
    struct parquet_column *columns;
    struct writer dictionary;
    struct thrift groups; /* RowGroup, one behind the other */
    size_t group_count;
    uint64_t offset, rows, group_rows;
};

static void put(struct parquet_file *f, const void *p, size_t n)
{
    out_bytes(f->out, p, n);
    f->offset += n;
}

static bool end_group(struct parquet_file *f)
{
    uint64_t from = f->offset;
    if (f->group_rows == 0)
        return true;
    thrift_begin(&f->groups);
    thrift_list(&f->groups, 1, THRIFT_STRUCT, f->table->column_count);
    for (size_t i = 0; i < f->table->column_count; i++) {
        struct parquet_column *c = &f->columns[i];
        uint64_t at = f->offset;
        f->dictionary.size = 0;
        if (!parquet_column_end_page(c) || !parquet_column_dictionary(c, &f->dictionary))
            return false;
        put(f, f->dictionary.data, f->dictionary.size);
        put(f, c->pages.data, c->pages.size);
        thrift_begin(&f->groups);
        thrift_i64(&f->groups, 2, (int64_t)at);
        thrift_field(&f->groups, 3, THRIFT_STRUCT);
        parquet_column_meta(c, f->table->columns[i].name, &f->groups, at, f->dictionary.size);
        thrift_end(&f->groups);
        parquet_column_reset(c);
    }
    thrift_i64(&f->groups, 2, (int64_t)(f->offset - from));
    thrift_i64(&f->groups, 3, (int64_t)f->group_rows);
    thrift_end(&f->groups);
    f->group_count++;
    f->rows += f->group_rows;
    f->group_rows = 0;
    return !f->groups.out.bad;
}

/* SchemaElement of the root, and of each column. */
static void write_schema(const struct parquet_file *f, struct thrift *t)
{
    enum { OPTIONAL = 1, CONVERTED_UTF8 = 0, LOGICAL_STRING = 1 };
    thrift_list(t, 2, THRIFT_STRUCT, f->table->column_count + 1);
    thrift_begin(t);
    thrift_text(t, 4, f->table->name);
    thrift_i32(t, 5, (int32_t)f->table->column_count);
    thrift_end(t);
    for (size_t i = 0; i < f->table->column_count; i++) {
        const struct column *c = &f->table->columns[i];
        thrift_begin(t);
        thrift_i32(t, 1, parquet_type(c->type));
        thrift_i32(t, 3, OPTIONAL);
        thrift_text(t, 4, c->name);
        if (c->type == COLUMN_NAME || c->type == COLUMN_TEXT || c->type == COLUMN_JSON) {
            thrift_i32(t, 6, CONVERTED_UTF8);
            thrift_field(t, 10, THRIFT_STRUCT);
            thrift_begin(t);
            thrift_field(t, LOGICAL_STRING, THRIFT_STRUCT);
            thrift_begin(t);
            thrift_end(t);
            thrift_end(t);
        }
        thrift_end(t);
    }
}

static bool write_footer(struct parquet_file *f)
{
    enum { VERSION = 2, TYPE_ORDER = 1 };
    struct thrift t = { 0 };
    uint8_t length[4];
    thrift_begin(&t);
    thrift_i32(&t, 1, VERSION);
    write_schema(f, &t);
    thrift_i64(&t, 3, (int64_t)f->rows);
    thrift_list(&t, 4, THRIFT_STRUCT, f->group_count);
    write_bytes(&t.out, f->groups.out.data, f->groups.out.size);
    thrift_text(&t, 6, "hindsight version " HINDSIGHT_VERSION);
    thrift_list(&t, 7, THRIFT_STRUCT, f->table->column_count); /* least and greatest are in the order of the type */
    for (size_t i = 0; i < f->table->column_count; i++) {
        thrift_begin(&t);
        thrift_field(&t, TYPE_ORDER, THRIFT_STRUCT);
        thrift_begin(&t);
        thrift_end(&t);
        thrift_end(&t);
    }
    thrift_end(&t);
    bool done = !t.out.bad && t.out.size <= INT32_MAX;
    for (unsigned i = 0; i < 4; i++)
        length[i] = (uint8_t)(t.out.size >> 8 * i);
    put(f, t.out.data, t.out.size);
    put(f, length, sizeof length);
    put(f, "PAR1", 4);
    writer_free(&t.out);
    return done;
}

/* Of what is kept in memory. */
static size_t group_bytes(const struct parquet_file *f)
{
    size_t bytes = 0;
    for (size_t i = 0; i < f->table->column_count; i++)
        bytes += f->columns[i].pages.size;
    return bytes;
}

static bool write_rows(struct parquet_file *f, struct rows *r, parquet_next *next, void *context)
{
    put(f, "PAR1", 4);
    while (next(context, r)) {
        for (size_t i = 0; i < f->table->column_count; i++)
            if (!parquet_column_add(&f->columns[i], r, i))
                return false;
        f->group_rows += r->count;
        if ((f->group_rows + ROWS_MAX > GROUP_ROWS || group_bytes(f) > GROUP_BYTES_MAX) && !end_group(f))
            return false;
    }
    return r->failed || (end_group(f) && write_footer(f));
}

bool parquet_write(struct out *out, struct rows *r, parquet_next *next, void *context)
{
    struct parquet_file f = { .out = out, .table = r->from.table };
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    bool done = false;
    f.columns = calloc(f.table->column_count, sizeof *f.columns);
    if (f.columns == NULL || zstd == NULL)
        goto out;
    for (size_t i = 0; i < f.table->column_count; i++) {
        f.columns[i].type = f.table->columns[i].type;
        f.columns[i].zstd = zstd;
    }
    done = write_rows(&f, r, next, context);
out:
    for (size_t i = 0; f.columns != NULL && i < f.table->column_count; i++)
        parquet_column_free(&f.columns[i]);
    free(f.columns);
    (void)ZSTD_freeCCtx(zstd);
    writer_free(&f.dictionary);
    writer_free(&f.groups.out);
    return done;
}

static bool next_exported(void *x, struct rows *r) { return export_rows_next(x, r); }

static bool write_parquet(struct export_job *x, struct rows *r)
{
    return parquet_write(x->out, r, next_exported, x) || export_fail(x, "out of memory");
}

bool export_parquet(struct export_job *x)
{
    if (x->shape == EXPORT_FILE && x->options.output == NULL && isatty(STDOUT_FILENO))
        return export_wrong(x, "parquet is not for a terminal: -o FILE names a file");
    return export_tables(x, "parquet", write_parquet);
}
