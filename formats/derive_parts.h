/* derive_parts.h - what the reader and the writer of derived chunks share; see derived.c for the layout. */
#ifndef FORMATS_DERIVE_PARTS_H
#define FORMATS_DERIVE_PARTS_H

#include "formats/derived.h"

/* No longer written: DERIVED_MAGIC_5, with the data IDs of all held events, DERIVED_MAGIC_4, also of .shallow,
 * DERIVED_MAGIC_3, also of .stays_open, DERIVED_MAGIC_2, also of .leaves_open, and DERIVED_MAGIC_1, also of
 * .all_checked. */
enum {
    DERIVED_MAGIC = 0xd6,
    DERIVED_MAGIC_5 = 0xd5,
    DERIVED_MAGIC_4 = 0xd4,
    DERIVED_MAGIC_3 = 0xd3,
    DERIVED_MAGIC_2 = 0xd2,
    DERIVED_MAGIC_1 = 0xd1,
    DERIVED_HEAD_BYTES = 5
};

#endif
