/* protobuf.h - writes Protocol Buffers: the wire format, without a schema compiler.
 *
 *     struct protobuf p = { 0 };                      message Person { string name = 1; repeated Phone phone = 4; }
 *     protobuf_text(&p, 1, "Ada");                    message Phone { uint32 number = 1; }
 *     protobuf_begin(&p, 4);
 *     protobuf_u64(&p, 1, 110);
 *     protobuf_end(&p);
 *     protobuf_write(&p, out);                        to the file; p is empty again
 *     protobuf_done(&p);
 *
 * A message in a message is written with its length in front, so what is not yet written stands in memory: write each
 * message of the outermost level when it is complete. Texts of the trace are made valid UTF-8, which protobuf requires
 * (formats/visible.h). Encoding: https://protobuf.dev/programming-guides/encoding. */
#ifndef READER_EXPORT_PROTOBUF_H
#define READER_EXPORT_PROTOBUF_H

#include "formats/bytes.h"
#include "reader/command/out.h"

enum { PROTOBUF_DEPTH_MAX = 8 };

/* Zero is empty. Out of memory sets bytes.bad, which protobuf_write reports. */
struct protobuf {
    struct writer bytes;
    size_t begun[PROTOBUF_DEPTH_MAX]; /* where the content of each open message begins */
    unsigned depth;
};

/* uint32, uint64, bool, enum; int32 and int64 that are not negative */
void protobuf_u64(struct protobuf *p, unsigned field, uint64_t v);
/* int32, int64 */
void protobuf_i64(struct protobuf *p, unsigned field, int64_t v);
void protobuf_fixed64(struct protobuf *p, unsigned field, uint64_t v);
/* The bits of a double. */
void protobuf_double(struct protobuf *p, unsigned field, uint64_t bits);
void protobuf_text(struct protobuf *p, unsigned field, const char *s);
void protobuf_text_n(struct protobuf *p, unsigned field, const void *s, size_t n);
/* Field `field` of the open message is a message: the fields up to protobuf_end are its own. */
void protobuf_begin(struct protobuf *p, unsigned field);
void protobuf_end(struct protobuf *p);
/* repeated uint64 or int64, packed */
void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *values, size_t n);

/* Writes what is there, and empties it; no message is open. False: out of memory. */
bool protobuf_write(struct protobuf *p, struct out *out);
void protobuf_done(struct protobuf *p);

#endif
