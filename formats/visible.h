/* visible.h - text from outside (names, messages, paths) made safe for a terminal: it cannot move the cursor, change
 * colours, end a line or reverse the writing direction.
 *
 * Control characters (C0, DEL, C1), line and paragraph separators, marks and overrides of the writing direction, and
 * unpaired surrogates are shown as Java writes them (\n, \u001b); bytes that are not UTF-8 as \xff. All output of the
 * command and the agent goes through these functions or a JSON string. */
#ifndef FORMATS_VISIBLE_H
#define FORMATS_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/bytes.h"

/* May this character be shown as it is? */
bool visible_code(uint32_t c);
/* Bytes at the start of the text that may be shown as they are. */
size_t visible_run(const void *text, size_t n);
/* Writes the whole text as shown, piece by piece, to a function or a writer. */
typedef void visible_fn(void *context, const char *bytes, size_t n);
void visible_each(const void *text, size_t n, visible_fn *put, void *context);
void visible_write(const void *text, size_t n, struct writer *out);

#endif
