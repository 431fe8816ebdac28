/* row_files.h - what the formats of rows (csv, jsonl) and of columns (parquet) share: which tables go to which
 * files. */
#ifndef READER_EXPORT_ROW_FILES_H
#define READER_EXPORT_ROW_FILES_H

#include "reader/export/export.h"
#include "reader/tables/tables.h"

/* Writes one table to x->out, from r; false: it failed. */
typedef bool table_writer(struct export_job *x, struct rows *r);
/* Calls `write` for the table of --table, or, if x writes a directory, for each, in a file TABLE.SUFFIX; tables that
 * the format of the trace does not have are empty. Without --table it is the table `events`. */
bool export_tables(struct export_job *x, const char *suffix, table_writer *write);
/* Is --table the name of a table that the other options fit? */
bool export_table_fits(struct export_job *x);
/* rows_next, no more than --limit rows of the table. */
bool export_rows_next(struct export_job *x, struct rows *r);

#endif
