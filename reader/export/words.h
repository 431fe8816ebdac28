/* words.h - values and methods as texts in memory, for formats that are not written through struct out. */
#ifndef READER_EXPORT_WORDS_H
#define READER_EXPORT_WORDS_H

#include "reader/command/show.h"
#include "reader/export/call_events.h"

struct words {
    struct show show;
    struct out out; /* memory */
};
bool words_init(struct words *w, hs_trace *trace); /* false: out of memory; words_done in any case */
void words_done(struct words *w);

/* Texts live until the next call. A value as `print` shows it, a string with all that was recorded of it. */
const char *words_value(struct words *w, struct call_value value);
/* Several, with ", " between them; `jfr print` cannot show a list of texts. */
const char *words_values(struct words *w, const struct call_value *values, size_t count);
/* a.b.C.method */
const char *words_method(struct words *w, uint32_t method_id);
/* What an event is about: Class.field, Class.method of a call, the name of a variable; "" of others. */
const char *words_member(struct words *w, const struct hs_dataid *d);

/* A float or a double as the bits of the double that equals it. */
uint64_t double_bits(struct call_value value);

#endif
