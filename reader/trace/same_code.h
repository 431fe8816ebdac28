/* same_code.h - is the code of a method the same in two class files, whatever the numbers of their constants are?
 *
 * Instructions, handlers, lines and names of variables are compared, and constants by what they say. Another compiler,
 * or a transformer that writes the class anew, may order the constants of a class in another way. */
#ifndef READER_TRACE_SAME_CODE_H
#define READER_TRACE_SAME_CODE_H

#include "formats/jvm/classfile.h"
#include "reader/trace/open_trace.h"

struct class_bytes {
    const struct hs_class *of; /* NULL: none was read */
    void *bytes;
    struct classfile cf;
};

/* Reads the class file of a row, unless it is there already; ERR_FORMAT, ERR_NOT_FOUND: it cannot be read. */
enum status class_bytes_read(hs_trace *t, const struct hs_class *c, struct class_bytes *out, struct error *err);
void class_bytes_done(struct class_bytes *c);

/* The methods number i and k of the classes, as in the class rows. */
bool code_is_same(const struct class_bytes *a, uint32_t i, const struct class_bytes *b, uint32_t k);

#endif
