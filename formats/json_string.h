/* json_string.h - a text as a JSON string. */
#ifndef FORMATS_JSON_STRING_H
#define FORMATS_JSON_STRING_H

#include <stddef.h>

#include "formats/bytes.h"

/* A JSON string with its quotes, of UTF-8 or WTF-8. Quotes, backslashes and what visible.h does not show are escaped,
 * malformed bytes become \ufffd. */
void json_write_string(const void *s, size_t n, struct writer *out);

#endif
