/* out.h - buffered standard output, as text and as JSON.
 *
 * On a terminal rows are cut at its width, and a pager shows what is longer than the screen (out_interactive).
 * Otherwise the first hundred rows are written when they end, so that the first screen appears at once; later rows when
 * the buffer (1 MB) is full, when it is flushed, or when a row ends more than 100 ms after the last write. When the
 * reader of a pipe has closed it, the program ends quietly, as with SIGPIPE. Any other failure is kept and returned by
 * out_flush. */
#ifndef READER_COMMAND_OUT_H
#define READER_COMMAND_OUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/json.h"
#include "reader/command/spot.h"
#include "reader/command/terminal.h"
#include "reader/trace.h"

/* Takes what is written; 0, or the errno of a failure: nothing is written any more. */
typedef int out_sink_fn(void *to, const void *bytes, size_t n);

enum { TOKEN_BYTES = 3 }; /* what a budget counts as a token */
struct out {
    char *data;
    size_t used;
    int fd;       /* -1: memory, or `sink` */
    bool limited; /* of a file: ends with ECANCELED, with a whole row, before more than `budget` bytes are written */
    bool cuts;    /* ... a row that alone is longer is cut */
    size_t budget;
    int failed; /* errno of the first failed write */
    bool colour;
    size_t name_max; /* characters of a name that are shown; 0: all */
    bool name_cut;   /* a name was cut in JSON since out_member_cut */
    unsigned rows;   /* that were written as they ended */
    uint64_t flushed_ms;
    bool watched; /* by this thread */
    pthread_t watcher;
    int watch_end;        /* eventfd: it ends */
    struct screen screen; /* of the terminal; zeros: none */
    bool cut;             /* rows are cut at its width */
    const char *pager;    /* is started when the screen is full; NULL: none, or it runs */
    unsigned lines;       /* of the screen that the held rows fill */
    size_t row_at;        /* where the row that is being written begins in `data` */
    bool skips;           /* the rest of that row, which was cut */
    out_sink_fn *sink;
    void *sink_to;
    struct json json;
    /* --source: the text of a line; NULL: there is none. Not asked for: the function is NULL */
    const char *(*source_line)(void *sources, const struct hs_class *c, struct spot spot);
    void *sources;
};

bool out_init(struct out *o); /* standard output; false: out of memory */
/* A file that the caller opened, and closes after out_done; false: out of memory. */
bool out_init_file(struct out *o, int fd);
/* If it is a terminal: cuts rows at its width (`cut`), and gives what is longer than the screen to a pager (`page`). */
void out_interactive(struct out *o, bool cut, bool page);
/* Until out_done, ends the program when the reader closes the pipe, even while nothing is written. */
void out_watch(struct out *o);
/* No longer: for a command that makes a file. */
void out_unwatch(struct out *o);
/* Keeps in memory what it is given, up to the size of the buffer; more sets `failed`. Set `used` to 0 to begin
 * again. */
bool out_init_memory(struct out *o);
bool out_init_sink(struct out *o, out_sink_fn *sink, void *to);
void out_done(struct out *o); /* also waits for the pager */
/* Writes out what is buffered; 0, or the errno of the first failure. */
int out_flush(struct out *o);

/* Written as they are: for our own words and for text that was made visible before. */
void out_bytes(struct out *o, const void *p, size_t n);
void out_char(struct out *o, char c);
void out_u64(struct out *o, uint64_t v);
void out_i64(struct out *o, int64_t v);
/* Text from outside, made visible (formats/visible.h), since names in a trace are chosen by the recorded program.
 * Newlines are escaped too: end a row with out_line or out_char. */
void out_text(struct out *o, const char *s);
void out_line(struct out *o, const char *s);
/* As out_text, of formatted text, except for newlines at the beginning and end of `fmt`. */
void out_format(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Text filled with blanks up to `width` columns; negative: blanks in front. */
void out_padded(struct out *o, const char *s, int width);

enum colour { COLOUR_NONE, COLOUR_DIM, COLOUR_NAME, COLOUR_VALUE, COLOUR_WARN };
void out_colour(struct out *o, enum colour c); /* nothing unless o->colour */

/* ---- JSON: o->json writes here (formats/json.h) ---- */

/* Names of classes, methods, fields, types and the like are cut after o->name_max characters, since a name may have
 * 65,535 and is repeated in every row. In text a cut name ends with "..."; in JSON the object that contains it gets the
 * member "cut":true, which out_member_cut writes if a name was cut since its last call. */
enum { NAME_MAX_DEFAULT = 1000 };
void out_name(struct out *o, const char *s);
/* On a terminal without much room: less columns, and classes without their packages. */
enum { NARROW = 120 };
static inline bool out_narrow(const struct out *o)
{
    return o->cut && o->screen.columns > 0 && o->screen.columns < NARROW;
}
/* The name of a class without package; where it is narrow, of a long one begin and end, so that what stands behind it
 * has room: OrderProce…ceBean.place, OrderProce…$Refused. */
void out_simple_class(struct out *o, const char *name);
/* The name of a class; without its package where it is narrow. */
void out_class(struct out *o, const char *name);
void out_json_name(struct out *o, const char *s);
void out_json_name_part(struct out *o, const char *s); /* between json_text_begin and json_text_end */
void out_member_name(struct out *o, const char *name, const char *s);
void out_member_cut(struct out *o);
void out_name_of_member(struct out *o, const char *s); /* for json_name */
/* A hash, as 16 hexadecimal digits. */
void out_member_hash(struct out *o, const char *name, uint64_t hash);
/* The content of a recorded string. */
void out_member_string(struct out *o, const char *name, const struct hs_object *object);

/* ---- the same forms in text for people ---- */

/* "..." with JSON escapes. */
void out_quoted(struct out *o, const char *s);
/* A recorded string, of `max` units at most; true if that cut it. */
bool out_quoted_string(struct out *o, const struct hs_object *object, uint64_t max);
/* The whole of it with JSON escapes, without the quotation marks. */
void out_string_content(struct out *o, const struct hs_object *object);
/* 'x', with the escapes of JSON: a UTF-16 unit. */
void out_character(struct out *o, uint16_t unit);
/* Shortest digits that read back to the same bits; NaN, Infinity, -Infinity. */
void out_float(struct out *o, uint32_t bits);
void out_double(struct out *o, uint64_t bits);

#endif
