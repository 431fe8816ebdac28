/* redact_trace.h - a copy of a trace without some texts and numbers. Implemented by logging/ (with the store's writer),
 * called by the command line; declared here because reader/ includes no logging/. */
#ifndef FORMATS_REDACT_TRACE_H
#define FORMATS_REDACT_TRACE_H

#include "formats/expand.h"
#include "formats/values.h"

enum { SECRET_BYTES_MIN = 4 }; /* a shorter one would be found where it is none */

struct secret {
    struct text text; /* UTF-8 */
    bool is_integer, is_number;
    int64_t integer; /* if it can be read as one, */
    double number;   /* and as one with a fraction */
};
struct redact_result {
    uint64_t texts, numbers; /* that were replaced */
};
/* What the copy of an object (values.def) shows. */
struct copied_look {
    struct {
        char kind; /* as those of events: J, F, D */
        uint64_t bits;
        size_t at, size; /* its bytes in the copy */
    } numbers[VALUE_FIELDS_MAX];
    size_t count;
    struct writer text;
};
/* Fills in `look`, whose text it appends to. False: the copy cannot be read. */
typedef bool copied_fn(void *context, uint32_t id, struct text copy, struct copied_look *look);

/* Bytes of a recorded string that are removed too: those of a secret that was written to an output in pieces. */
struct redact_range {
    uint32_t object;
    size_t from, to;
};

struct redact_request {
    const struct expand_source *source;
    copied_fn *copied;
    void *context; /* of `copied` */
    const struct secret *secrets;
    size_t count;
    const struct redact_range *ranges; /* by object, rising */
    size_t range_count;
    const char *out_dir;
};
/* Writes the trace into the new directory `out_dir`, which is removed again after a failure: each byte of a secret that
 * stands in a row is a '*' there, in UTF-8, ISO 8859-1 and UTF-16; each value of an event, each number in the copy of
 * an object, and each constant of a class file, that is one of the numbers is 0. A copy that is shown by a text with a
 * secret, as that of a BigDecimal or a UUID, is left out. With numbers no chunk of the copy is derived: what is left
 * out could not be computed any more. A text that was cut, or a message, does not end with the beginning of a secret.
 * Only the store is written: no journal, no index. */
enum status redact_trace(const struct redact_request *request, struct redact_result *result, struct error *err);

#endif
