/* needle.h - a text to look for in recorded strings, in both forms in which strings are recorded. */
#ifndef READER_NEEDLE_H
#define READER_NEEDLE_H

#include "reader/internal.h"

struct needle {
    struct writer latin1, utf16; /* owned */
    bool fits_latin1;
};

bool needle_init(struct needle *n, const char *text); /* UTF-8; false: out of memory */
void needle_done(struct needle *n);
bool needle_in(const struct needle *n, const struct hs_object *o);

#endif
