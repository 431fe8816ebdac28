/* status.h - how functions report failure.
 *
 * A function that can fail returns `enum status`; its out-parameters are untouched unless it returns OK.
 * A `struct error *` is filled once, where the most is known, with one full sentence: what, where, why.
 * Passing NULL for the error is allowed everywhere; a lack of memory is noted then (error_memory_untold). */
#ifndef FORMATS_STATUS_H
#define FORMATS_STATUS_H

#include <stdbool.h>

enum status {
#define STATUS(name, text) name,
#include "formats/status.def"
#undef STATUS
    STATUS_COUNT
};

enum { ERROR_TEXT_MAX = 512 };

/* One sentence without a final newline; cut at ERROR_TEXT_MAX - 1 bytes. */
struct error {
    enum status status;
    char text[ERROR_TEXT_MAX];
};

/* The row's text; never NULL. */
const char *status_text(enum status s);

/* Fills `err` (may be NULL) and returns `s`, so that callers can write `return error_set(...)`. */
enum status error_set(struct error *err, enum status s, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The same with ERR_MEMORY: "WHAT: out of memory". */
enum status error_memory(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Is an ERR_MEMORY for which `err` was NULL in this thread unreported? A look-up whose other failures all mean "there
 * is none" passes NULL; what lacked memory is not absent, so the answer asks here when it ends. False the next time. */
bool error_memory_untold(void);
/* Notes one. */
void error_memory_dropped(void);

#endif
