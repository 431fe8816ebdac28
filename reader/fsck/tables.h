/* tables.h - consistency of the rows, of chunks with their directory */
#ifndef READER_FSCK_TABLES_H
#define READER_FSCK_TABLES_H

#include "reader/fsck/check.h"

enum status fsck_tables(struct fsck *f, struct error *err);

#endif
