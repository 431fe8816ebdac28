/* out.h - buffered standard output, and JSON written straight into it.
 *
 * The first hundred rows are written as they end, so that a screen is full as soon as it can be; later ones when the
 * buffer (1 MB) is full, flushed, or a row ends that comes 100 ms after what was written last. When the reader of a
 * pipe has gone the program ends quietly, as with SIGPIPE; any other failure is kept and told by out_flush. JSON
 * helpers write values and names, the caller the punctuation: an event stream is too fast for a document library (small
 * documents use cJSON). */
#ifndef READER_CLI_OUT_H
#define READER_CLI_OUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/trace.h"

struct out {
    char *data;
    size_t used;
    int fd;          /* -1: memory */
    int failed;      /* errno of the first failed write */
    bool colour;     /* a terminal that is not asked to be plain */
    size_t name_max; /* characters of a name that are shown; 0: all */
    bool name_cut;   /* a name was cut in JSON since out_json_cut */
    unsigned rows;   /* that were written as they ended */
    uint64_t flushed_ms;
    bool watched; /* by this thread */
    pthread_t watcher;
};

bool out_init(struct out *o); /* standard output; false: out of memory */
/* When the reader of the pipe goes, ends the program also while it has nothing to write; until out_done. */
void out_watch(struct out *o);
/* Keeps in memory what it is given, up to the size of the buffer; more sets `failed`. Set `used` to 0 to begin again.
 */
bool out_init_memory(struct out *o);
void out_done(struct out *o);
/* Writes out what is buffered; 0, or the errno of the first failure. */
int out_flush(struct out *o);

/* As they are: for words of our own, and what is made visible already. */
void out_bytes(struct out *o, const void *p, size_t n);
void out_char(struct out *o, char c);
void out_u64(struct out *o, uint64_t v);
void out_i64(struct out *o, int64_t v);
/* Anybody's text, made visible (formats/visible.h): names in a trace are chosen by the program that was recorded. A
 * newline too: end a row with out_line, or with out_char. */
void out_text(struct out *o, const char *s);
void out_line(struct out *o, const char *s);
/* The same for the whole of it, but for newlines with which `fmt` begins or ends. */
void out_format(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Text filled with blanks up to `width` columns; negative: blanks in front. */
void out_padded(struct out *o, const char *s, int width);

enum colour { COLOUR_NONE, COLOUR_DIM, COLOUR_NAME, COLOUR_VALUE, COLOUR_WARN };
void out_colour(struct out *o, enum colour c); /* nothing unless o->colour */

/* "..." with JSON escapes, also for what formats/visible.h does not show. UTF-8 that is none becomes U+FFFD, C0 80 a
 * \u0000, lone surrogates \udxxx. */
void out_json_text(struct out *o, const char *s);
/* The same without the quotes. */
void out_json_part(struct out *o, const char *s);
/* A document that is made already (by cJSON): what may not be shown can only stand in its strings, and is escaped
 * there. */
void out_json_document(struct out *o, const char *text);
/* Names of classes, methods, fields, types and the like: at most o->name_max characters of them, since a name may have
 * 65,535 and stand in every row. In text "..." shows that something is missing; in JSON the object that has the name
 * gets "cut":true: out_json_cut writes that member if a name was cut since the last time. */
enum { NAME_MAX_DEFAULT = 1000 };
void out_name(struct out *o, const char *s);
void out_json_name(struct out *o, const char *s);
void out_json_name_part(struct out *o, const char *s); /* without quotes */
void out_json_cut(struct out *o);
/* Content of a recorded string. `max` units at most (UINT64_MAX all); true if that cut it. */
bool out_json_string(struct out *o, const struct hs_object *object, uint64_t max);
/* Shortest digits that read back to the same bits; NaN and infinities in quotes. */
void out_json_float(struct out *o, uint32_t bits);
void out_json_double(struct out *o, uint64_t bits);
/* The same for people: without quotes. */
void out_float(struct out *o, uint32_t bits);
void out_double(struct out *o, uint64_t bits);

#endif
