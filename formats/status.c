/* status.c - status texts and the one place where error sentences are formatted. */
#include "formats/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const texts[] = {
#define STATUS(name, text) [name] = (text),
#include "formats/status.def"
#undef STATUS
};

const char *status_text(enum status s) { return (unsigned)s < STATUS_COUNT ? texts[s] : "unknown status"; }

static _Thread_local bool untold;

bool error_memory_untold(void)
{
    const bool was = untold;
    untold = false;
    return was;
}

void error_memory_dropped(void) { untold = true; }

enum status error_set(struct error *err, enum status s, const char *fmt, ...)
{
    if (err == NULL && s == ERR_MEMORY)
        error_memory_dropped();
    if (err != NULL) {
        va_list ap;
        va_start(ap, fmt);
        err->status = s;
        (void)vsnprintf(err->text, sizeof err->text, fmt, ap);
        va_end(ap);
    }
    return s;
}

enum status error_memory(struct error *err, const char *fmt, ...)
{
    if (err == NULL)
        error_memory_dropped();
    if (err != NULL) {
        va_list ap;
        va_start(ap, fmt);
        err->status = ERR_MEMORY;
        (void)vsnprintf(err->text, sizeof err->text, fmt, ap);
        va_end(ap);
        size_t n = strlen(err->text);
        (void)snprintf(err->text + n, sizeof err->text - n, ": out of memory");
    }
    return ERR_MEMORY;
}
