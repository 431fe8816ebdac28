/* plain.h - a row of an answer as a list of cells: what --csv and the table functions of `sql` are made of. plain_row.h
 * fills it from the table of the answer.
 *
 * A row lives until the next plain_begin. */
#ifndef READER_ANSWERS_PLAIN_H
#define READER_ANSWERS_PLAIN_H

#include "formats/arena.h"
#include "reader/answers/answers.h"
#include "reader/command/context.h"
#include "reader/command/show.h"

struct plain_cell {
    const char *name;
    enum plain_is { CELL_NULL, CELL_BOOL, CELL_INT, CELL_DOUBLE, CELL_TEXT } is;
    int64_t number;
    double real;
    const char *text; /* UTF-8; may hold NUL */
    size_t bytes;     /* of `text` */
};
enum { PLAIN_CELLS_MAX = 24 };
struct plain_row {
    struct plain_cell cells[PLAIN_CELLS_MAX];
    size_t count;
    struct show show; /* of values: `show.at` is the moment */
    struct out words; /* of show: memory */
    struct arena arena;
};
bool plain_init(struct plain_row *r, hs_trace *trace); /* false: out of memory */
void plain_done(struct plain_row *r);
void plain_begin(struct plain_row *r);

void plain_null(struct plain_row *r, const char *name);
void plain_int(struct plain_row *r, const char *name, int64_t v);
void plain_real(struct plain_row *r, const char *name, double v);
void plain_bool(struct plain_row *r, const char *name, bool v);
void plain_seq(struct plain_row *r, const char *name, uint64_t seq);      /* UINT64_MAX: null */
void plain_line(struct plain_row *r, const char *name, int line);         /* negative: null */
void plain_text(struct plain_row *r, const char *name, const char *text); /* borrowed; NULL: null */
/* The cells class, method, file and line of a data ID; of UINT32_MAX: null. */
void plain_spot(struct plain_row *r, uint32_t dataid);
/* A number as it is, a string as its content, another object as answers show it; NULL: null. */
void plain_value(struct plain_row *r, const char *name, const struct hs_value *v);
/* As a text, joined by commas. */
void plain_values(struct plain_row *r, const char *name, const struct hs_value *list, size_t count);

/* plain_diff.c: the place of a difference, and a value of it. `to` is the row, of the first trace; `other` and `of` are
 * that of the trace which has the event, and keep the texts. */
void diff_spot_plain(struct plain_row *to, struct plain_row *other, const struct hs_difference *x);
void diff_value_plain(struct plain_row *to, struct plain_row *of, const char *name, const struct hs_event *e);
/* What percall= left out of one trace is unknown, not different: notes on standard error. `ended`: there were no more
 * rows. */
void diff_tell_partial(const hs_cursor *rows, bool ended, struct context *context);

/* The line above the rows, and a row of CSV (RFC 4180). */
void plain_csv_heading(struct out *o, const struct plain_row *r);
void plain_csv(struct out *o, const struct plain_row *r);
void plain_csv_cell(struct out *o, const char *text, size_t bytes);

#define PLAIN_INT(key, v)      plain_int(to, key, (int64_t)(v))
#define PLAIN_SEQ(key, v)      plain_seq(to, key, v)
#define PLAIN_COUNT(key, v)    plain_seq(to, key, (v) > 0 ? (uint64_t)(v) : UINT64_MAX)
#define PLAIN_LINE(key, v)     plain_line(to, key, v)
#define PLAIN_NAME(key, v)     plain_text(to, key, v)
#define PLAIN_ROW_NAME(key, v) plain_text(to, key, v)
#define PLAIN_TEXT(key, v)     plain_text(to, key, v)
#define PLAIN_IF_TRUE(key, v)  plain_bool(to, key, v)

#endif
