/* parquet_column.h - one column of a row group of a Parquet file: pages as they are filled, kept compressed until the
 * group ends. https://parquet.apache.org/docs/file-format/
 *
 *     batch of rows -> page (values in memory) -> encoded, zstd -> column_chunk.pages
 *     at the end of the group -> the file
 *
 * Integers are DELTA_BINARY_PACKED. Texts are RLE_DICTIONARY; when a dictionary grows too large, the rest of the group
 * is PLAIN. A group has statistics (nulls, least and greatest value), by which readers skip groups. */
#ifndef READER_EXPORT_PARQUET_COLUMN_H
#define READER_EXPORT_PARQUET_COLUMN_H

#include <zstd.h>

#include "reader/export/thrift.h"
#include "reader/tables/tables.h"

enum { PAGE_ROWS = 8 * ROWS_MAX, GROUP_ROWS = 8 * PAGE_ROWS };

struct dictionary_key {
    uint64_t hash;
    uint32_t index;
};
struct parquet_column {
    enum column_type type;
    ZSTD_CCtx *zstd; /* of the file */
    /* the page that is being filled */
    size_t rows, values; /* values: those that are not null */
    uint8_t present[PAGE_ROWS];
    union {
        int64_t ints[PAGE_ROWS + 1]; /* one more: written before it is known whether it is there */
        double doubles[PAGE_ROWS];
        uint32_t indexes[PAGE_ROWS + 1]; /* into the dictionary */
    };
    struct writer plain, body, packed; /* texts of a page without dictionary; a page as it is encoded */
    /* the group */
    struct writer pages; /* encoded and compressed, with their headers */
    uint64_t raw_bytes;  /* of the pages before compression, with their headers */
    uint64_t group_values, nulls;
    bool without_dictionary; /* from here to the end of the group */
    bool used_dictionary, used_plain;
    struct writer dictionary; /* its entries, PLAIN */
    uint32_t dictionary_count;
    u32_vec of_name; /* by number of the name: its index plus 1 */
    MAP(struct dictionary_key) of_text;
    u64_vec entries; /* where each entry begins in `dictionary` */
    int64_t least, greatest;
    double least_double, greatest_double;
    bool bounded, has_nan; /* least and greatest are there */
};

/* Adds the first r->count rows of a column of the batch; false: out of memory. */
bool parquet_column_add(struct parquet_column *c, const struct rows *r, size_t column);
/* Ends the page that is being filled. */
bool parquet_column_end_page(struct parquet_column *c);
/* The page of the dictionary as it is to be written before `pages`; empty: there is none. */
bool parquet_column_dictionary(struct parquet_column *c, struct writer *out);
/* The ColumnMetaData of the group, whose first page stands at `offset` of the file. */
void parquet_column_meta(const struct parquet_column *c, const char *name, struct thrift *t, uint64_t offset,
                         size_t dictionary_bytes);
/* Begins the next group. */
void parquet_column_reset(struct parquet_column *c);
void parquet_column_free(struct parquet_column *c);
/* The number of the physical type in the format. */
int parquet_type(enum column_type type);

#endif
