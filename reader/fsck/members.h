/* members.h - the field that an instruction certainly accesses, and what a call can do */
#ifndef READER_FSCK_MEMBERS_H
#define READER_FSCK_MEMBERS_H

#include "reader/fsck/classes.h"

/* Possible effect of a call on the heap. */
enum purity { CALL_ANYTHING, CALL_LIBRARY, CALL_PURE };
enum purity call_purity(const struct hs_dataid *row);
/* NULL: not certain. */
struct ffield *field_of(struct fsck *f, const struct hs_dataid *row);

#endif
