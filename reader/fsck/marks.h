/* marks.h - marked intervals */
#ifndef READER_FSCK_MARKS_H
#define READER_FSCK_MARKS_H

#include "reader/fsck/check.h"

/* Call in a transaction, like the tables. */
enum status fsck_marks(struct fsck *f, struct error *err);

#endif
