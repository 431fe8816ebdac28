/* clickhouse_native.h - rows as blocks of ClickHouse's format Native: columns with their names and types.
 * https://clickhouse.com/docs/interfaces/formats/Native */
#ifndef READER_EXPORT_CLICKHOUSE_NATIVE_H
#define READER_EXPORT_CLICKHOUSE_NATIVE_H

#include "formats/bytes.h"
#include "formats/vec.h"
#include "reader/tables/tables.h"

/* The type of a column; names are kept once a block, as numbers. `always`: it is never null. */
const char *native_type(enum column_type type, bool always);

struct native {
    struct writer body;
    u32_vec numbers; /* by the number of a name: its number in the block + 1, 0: none; all 0 between columns */
    u32_vec used;    /* names of the block */
};
/* Appends a batch of rows; `always`: bit 1 << column. False: out of memory. */
bool native_block(struct native *n, const struct rows *r, uint32_t always);
void native_done(struct native *n);

#endif
