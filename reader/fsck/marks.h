/* marks.h - marked intervals */
#ifndef READER_FSCK_MARKS_H
#define READER_FSCK_MARKS_H

#include "reader/fsck/check.h"

/* In a transaction, as the tables. */
enum status fsck_marks(struct fsck *f, struct error *err);

#endif
