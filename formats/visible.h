/* visible.h - text of others (names, messages, paths) on a terminal: nothing in it moves the cursor, changes colours,
 * ends a line or turns the direction of what follows.
 *
 * Control characters (C0, DEL, C1), line and paragraph separators, marks and overrides of the writing direction, and
 * halves of surrogate pairs are shown as Java writes them (\n, \u001b); bytes that are no UTF-8 as \xff. All that the
 * command prints and all that the agent says passes here or through a JSON string. */
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
/* The whole text as it is shown, piece by piece: to a function, or to a writer. */
typedef void visible_fn(void *context, const char *bytes, size_t n);
void visible_each(const void *text, size_t n, visible_fn *put, void *context);
void visible_write(const void *text, size_t n, struct writer *out);

#endif
