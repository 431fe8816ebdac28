/* thrift.h - the compact protocol of Apache Thrift, as far as the metadata of Parquet needs it: writing only.
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 *
 *     thrift_begin(&t);                  the struct that is the message
 *     thrift_i64(&t, 3, rows);           field 3
 *     thrift_list(&t, 4, THRIFT_STRUCT, n);
 *     thrift_begin(&t); ... thrift_end(&t);      each of its n structs
 *     thrift_end(&t); */
#ifndef READER_EXPORT_THRIFT_H
#define READER_EXPORT_THRIFT_H

#include "formats/bytes.h"

enum thrift_type { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_BINARY = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };
enum { THRIFT_DEPTH_MAX = 8 };
struct thrift {
    struct writer out;
    unsigned last[THRIFT_DEPTH_MAX]; /* number of the last field of each open struct */
    unsigned depth;
};

/* A struct: the message, the element of a list, or what follows thrift_field. Fields come by rising number. */
void thrift_begin(struct thrift *t);
void thrift_end(struct thrift *t);
void thrift_field(struct thrift *t, unsigned number, enum thrift_type type);
void thrift_i32(struct thrift *t, unsigned number, int32_t v);
void thrift_i64(struct thrift *t, unsigned number, int64_t v);
void thrift_binary(struct thrift *t, unsigned number, const void *p, size_t n);
void thrift_text(struct thrift *t, unsigned number, const char *s);
/* Its elements follow: write_svarint of numbers, write_text of binaries, structs. */
void thrift_list(struct thrift *t, unsigned number, enum thrift_type type, size_t count);

#endif
