/* derive_parts.h - what the reader and the writer of derived chunks share; see derived.c for the layout. */
#ifndef FORMATS_DERIVE_PARTS_H
#define FORMATS_DERIVE_PARTS_H

#include "formats/derived.h"

enum { DERIVED_MAGIC = 0xd1, DERIVED_HEAD_BYTES = 5 };

#endif
