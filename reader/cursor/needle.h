/* needle.h - a text to search for in recorded strings, in both encodings in which strings are recorded, and in the
 * texts of objects that are shown by what they stand for. */
#ifndef READER_NEEDLE_H
#define READER_NEEDLE_H

#include "reader/cursor/cursor.h"

struct needle {
    struct writer latin1, utf16, utf8; /* owned */
    bool fits_latin1;
};

/* The next code point of UTF-8; a malformed byte is taken as a Latin-1 character. */
uint32_t needle_next_code(const unsigned char **at);
/* Appends it as one or two UTF-16 units, little-endian. */
void needle_write_code(struct writer *w, uint32_t code);

bool needle_init(struct needle *n, const char *text); /* UTF-8; false: out of memory */
void needle_done(struct needle *n);
bool needle_in(const struct needle *n, const struct hs_object *o);
/* In the string, or in the text that the object stands for, as far as that was copied. */
bool needle_in_object(const struct needle *n, hs_trace *t, uint32_t id);

#endif
