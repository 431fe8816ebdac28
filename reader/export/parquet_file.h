/* parquet_file.h - writes a file of Parquet from the rows of a table. */
#ifndef READER_EXPORT_PARQUET_FILE_H
#define READER_EXPORT_PARQUET_FILE_H

#include "reader/command/out.h"
#include "reader/tables/tables.h"

/* rows_next, or less; false: there are no more, or it failed. */
typedef bool parquet_next(void *context, struct rows *r);
/* False: out of memory. What else failed is in `r` and `out`; the file is then not whole. */
bool parquet_write(struct out *out, struct rows *r, parquet_next *next, void *context);

#endif
