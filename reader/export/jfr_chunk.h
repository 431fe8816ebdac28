/* jfr_chunk.h - chunks of a JFR file: the bytes of events, the constants that they name, and what describes both.
 *
 *     header 68 bytes      "FLR\0" 2.1, size, where the checkpoint and the metadata stand, times, flags; big-endian
 *     events               size, type, fields; numbers are varints of at most 9 bytes
 *     checkpoint           an event of type 1: the constants: threads, stack traces, methods, classes, symbols
 *     metadata             an event of type 0: the types and fields (jfr_types.def)
 *
 * A chunk can be read without the others, so a file is written chunk by chunk, and memory holds one. There is no
 * specification; jdk.jfr.internal.consumer.{ChunkHeader,ChunkParser,MetadataReader} of OpenJDK is what reads it. */
#ifndef READER_EXPORT_JFR_CHUNK_H
#define READER_EXPORT_JFR_CHUNK_H

#include "formats/bytes.h"
#include "formats/map.h"
#include "reader/export/call_events.h"

enum jfr_type {
    JFR_TYPE_METADATA,
    JFR_TYPE_CHECKPOINT,
#define TYPE(id, name, super, simple, label) JFR_TYPE_##id,
#define FIELD(name, type, how, unit, label)
#include "reader/export/jfr_types.def"
#undef TYPE
#undef FIELD
    JFR_TYPE_COUNT
};

/* Constants with a fixed number. */
enum { JFR_FRAME_TYPE_JAVA = 1, JFR_STATE_RUNNABLE = 1 };

/* A constant that is what its bytes are: a symbol, a stack trace. */
struct jfr_constant {
    uint64_t hash;
    uint32_t number, at, size; /* its bytes in the pool */
};
struct jfr_pool {
    MAP(struct jfr_constant) known;
    struct writer bytes; /* number and value of each */
    uint32_t count;
};
/* A constant that has a number in the trace, a thread, method or class: its own is that + 1. */
struct jfr_named {
    uint64_t number;
};
typedef MAP(struct jfr_named) jfr_names;
struct jfr_chunk {
    hs_trace *trace;
    struct writer events; /* behind the header */
    struct jfr_pool symbols, stacks;
    jfr_names threads, methods, classes;
    struct writer event, constant; /* that are being made */
    uint64_t epoch_ns;             /* of the beginning of the recording */
    uint64_t begin_ns, end_ns;     /* of the chunk, since the beginning */
    bool failed;                   /* out of memory */
};

void jfr_chunk_init(struct jfr_chunk *k, hs_trace *trace);
void jfr_chunk_done(struct jfr_chunk *k);
/* The chunk is large enough to be written. */
bool jfr_chunk_full(const struct jfr_chunk *k);
/* Writes the chunk and begins the next one. False: out of memory. */
bool jfr_chunk_write(struct jfr_chunk *k, struct out *out);

/* ---- an event: begin, its fields in the order of jfr_types.def, end ---- */

void jfr_event_begin(struct jfr_chunk *k, enum jfr_type type, uint64_t time_ns);
void jfr_event_end(struct jfr_chunk *k, uint64_t end_ns);
void jfr_number(struct jfr_chunk *k, uint64_t v);
/* NULL: no text. Made visible, as UTF-8 is expected. */
void jfr_text(struct jfr_chunk *k, const char *s);
void jfr_thread(struct jfr_chunk *k, uint32_t thread);
void jfr_no_thread(struct jfr_chunk *k);
void jfr_method(struct jfr_chunk *k, uint32_t method_id);
/* The innermost of these calls, outermost first. */
void jfr_stack(struct jfr_chunk *k, const struct open_call *calls, size_t count);

/* ---- jfr_metadata.c ---- */

/* A number as JFR has it: seven bits a byte, the ninth byte has eight. */
void jfr_varint(struct writer *w, uint64_t v);
/* A text: an encoding, bytes and characters. */
void jfr_write_text(struct writer *w, const char *s);
/* Puts the size in front: `body` becomes an event behind `to`. */
void jfr_write_event(struct writer *to, const struct writer *body);
/* The metadata event. */
void jfr_write_metadata(struct writer *to, uint64_t time_ns);

#endif
