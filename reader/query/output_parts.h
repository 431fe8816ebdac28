/* output_parts.h - what output.c is made of: the writes of a trace, their moments, their text. */
#ifndef READER_OUTPUT_PARTS_H
#define READER_OUTPUT_PARTS_H

#include "formats/bytes.h"
#include "reader/cursor/cursor.h"

/* One write, in the global order. */
struct output_write {
    struct hs_event event; /* METHOD_PARAM with the text or the bytes */
    uint64_t entry;        /* position of the METHOD_ENTRY of the call in its thread */
    enum hs_stream stream;
    bool bytes; /* a char of the string is a byte, in the charset of this object; else it is text */
    uint64_t charset;
};

/* output_moments.c. The code that made each write. */
struct output_moments {
    hs_trace *trace;
    struct replay **frames; /* by stream: where it was last looked for frames; NULL: nowhere */
};
/* Fills seq, dataid and by_program. */
enum status output_moment(struct output_moments *m, const struct output_write *w, struct hs_output_part *out,
                          struct error *err);
void output_moments_done(struct output_moments *m);

/* output_text.c. The bytes that were written; `*cut`: not all of them are known. */
void output_bytes(hs_trace *t, const struct output_write *w, struct writer *out, bool *cut);
/* The text of bytes in a charset, with NUL as C0 80. NULL: they are UTF-8. */
void output_text(const void *bytes, size_t n, const char *charset, struct writer *out);
/* How many bytes a unit of the charset has: 1, 2 or 4; and whether the unit is that character of ASCII. */
unsigned output_unit(const char *charset);
bool output_is(const uint8_t *unit, const char *charset, uint8_t ascii);
/* The name of the charset of a write of bytes; NULL: it is text. Lives until the trace is closed, or `name` changes. */
enum { CHARSET_MAX = 40 };
const char *output_charset(hs_trace *t, const struct output_write *w, char name[CHARSET_MAX]);

#endif
