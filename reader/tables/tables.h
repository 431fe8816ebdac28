/* tables.h - the tables of a trace as columns: what jsonl, csv, sqlite, parquet and `hindsight sql` are written from.
 *
 *     struct rows r;
 *     struct rows_from from = { .trace = t, .table = table, .to = UINT64_MAX, .wanted = ROWS_ALL_COLUMNS };
 *     bool ok = rows_open(&r, &from);
 *     while (ok && rows_next(&r))
 *         for (size_t i = 0; i < r.count; i++)
 *             ... r.columns[k].present[i], r.columns[k].ints[i] ...
 *     ok = rows_close(&r);                    (false: r.error)
 *
 * Rows come in batches of at most ROWS_MAX, a column at a time, since ten million events a second leave no time for a
 * call per cell. A batch lives until the next one. Memory is bounded by a batch and the names of the program. To add a
 * table: a line in answers/tables.def, the rows of the answer, and a struct table_source in one of the table_*.c.
 *
 * Columns are named as the keys of JSON; a key inside of an object is joined by `_`: value_id is "value":{"id"}. A
 * column that a row does not have is null. */
#ifndef READER_TABLES_TABLES_H
#define READER_TABLES_TABLES_H

#include "formats/arena.h"
#include "formats/bytes.h"
#include "formats/map.h"
#include "formats/vec.h"
#include "reader/answers/answers.h"
#include "reader/command/chosen_events.h"
#include "reader/trace.h"

/* INT 64 bits with a sign; NAME a text out of a small set; JSON a text that is JSON */
enum column_type { COLUMN_INT, COLUMN_BOOL, COLUMN_DOUBLE, COLUMN_NAME, COLUMN_TEXT, COLUMN_JSON };
struct column {
    const char *name;
    enum column_type type;
    const char *meaning;
};
#define ROWS "reader/answers/tables.def"
enum table_id {
#define ANSWER(name, question, traits, summary) TABLE_##name,
#include "reader/answers/rows.h"
    TABLE_COUNT
};
/* COLUMN_events_seq is the position of seq among the columns of events, COLUMNS_OF_events their number. */
/* clang-format off */
#define ANSWER(name, question, traits, summary) enum {
#define COLUMN(name, key, type, value, meaning) COLUMN_##name##_##key,
#define CELL(name, column, type, statement, meaning) COLUMN_##name##_##column,
#define END(name) COLUMNS_OF_##name };
#include "reader/answers/rows.h"
/* clang-format on */

enum { ROWS_MAX = 4096, ROW_COLUMNS_MAX = 32, ROWS_TEXT_MAX = 4 << 20 };
#define ROWS_ALL_COLUMNS UINT32_MAX

struct span {
    const char *text; /* UTF-8 without unpaired surrogates; may hold NUL */
    size_t bytes;
};
/* The values of a column in a batch; which array it has is said by its type. */
struct cells {
    uint8_t *present; /* 0: null */
    union {
        int64_t *ints;      /* INT, BOOL */
        double *doubles;    /* DOUBLE */
        uint32_t *names;    /* NAME: rows_name */
        struct span *texts; /* TEXT, JSON */
    };
};

struct rows_from {
    hs_trace *trace;
    const struct table *table;
    const struct chosen_events *filter; /* NULL: all. Tables that are not of events do not follow it */
    uint64_t from, to;                  /* of a KEYED table: bounds of its first column, both inclusive */
    uint32_t wanted;                    /* bit 1 << column: of others the values need not be there */
};
struct name_key {
    uint64_t hash;
    uint32_t number;
};
struct rows {
    struct rows_from from;
    size_t count;
    struct cells columns[ROW_COLUMNS_MAX];
    VEC(struct span) names; /* by number; lives until rows_close */
    struct hs_error error;
    bool usage;  /* the error is a wrong option */
    bool failed; /* there was an error */
    bool ended;  /* the source has no more rows */
    /* ---- for sources ---- */
    void *state; /* of the source */
    MAP(struct name_key) by_text, by_pointer;
    struct arena name_texts; /* of names that are not UTF-8 */
    struct arena texts;      /* of the batch */
    struct object_cells *objects;
    struct name_key kinds[26]; /* the names of the kinds, by letter; hash 0: not yet */
};
/* What is known of the objects of a batch; for tables.c. */
void object_cells_clear(struct rows *r);
void object_cells_free(struct rows *r);

/* Gives the rows of a table. */
struct table_source {
    size_t state_bytes;            /* zeroed before `open` */
    bool (*open)(struct rows *r);  /* NULL: nothing to do */
    bool (*next)(struct rows *r);  /* adds rows while rows_room(r); false: there are no more. It may add none */
    void (*close)(struct rows *r); /* NULL: nothing to do */
};
struct table {
    const char *name, *summary;
    const struct column *columns;
    size_t column_count;
    unsigned traits; /* enum table_trait */
    const struct table_source *source;
};
extern const struct table table_list[TABLE_COUNT];
/* NULL: there is none of that name. */
const struct table *table_find(const char *name);

bool rows_open(struct rows *r, const struct rows_from *from);
bool rows_next(struct rows *r);  /* false: no more, or failed */
bool rows_close(struct rows *r); /* false: it had failed */
static inline struct span rows_name(const struct rows *r, uint32_t number) { return r->names.items[number]; }

/* ---- for sources: the row r->count is filled, then rows_end ---- */

#define ANSWER(name, question, traits, summary) extern const struct table_source source_##name;
#include "reader/answers/rows.h"
#undef ROWS

bool rows_fail(struct rows *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Is there room for another row? */
static inline bool rows_room(const struct rows *r)
{
    return r->count < ROWS_MAX && r->texts.bytes < ROWS_TEXT_MAX && !r->failed;
}
static inline void rows_end(struct rows *r) { r->count++; }
static inline bool rows_want(const struct rows *r, unsigned column) { return (r->from.wanted >> column & 1) != 0; }

static inline void put_int(struct rows *r, unsigned column, int64_t v)
{
    r->columns[column].present[r->count] = 1;
    r->columns[column].ints[r->count] = v;
}
static inline void put_seq(struct rows *r, unsigned column, uint64_t seq) /* HS_NO_SEQ and HS_NO_TIME: null */
{
    if (seq != UINT64_MAX)
        put_int(r, column, (int64_t)seq);
}
static inline void put_id(struct rows *r, unsigned column, uint64_t id) /* 0: null */
{
    if (id != 0)
        put_int(r, column, (int64_t)id);
}
static inline void put_bool(struct rows *r, unsigned column, bool v) { put_int(r, column, v); }
static inline void put_number(struct rows *r, unsigned column, uint32_t name) /* of a name */
{
    r->columns[column].present[r->count] = 1;
    r->columns[column].names[r->count] = name;
}
/* A text that lives until hs_close; NULL: null. */
void put_name(struct rows *r, unsigned column, const char *text);
uint32_t name_number(struct rows *r, const char *text);
/* Any text; it is copied, and made UTF-8. */
void put_text(struct rows *r, unsigned column, const char *text, size_t bytes);
void put_any(struct rows *r, unsigned column, const char *text); /* NULL: null */
void put_groups(struct rows *r, unsigned column, uint32_t groups);
void put_hash(struct rows *r, unsigned column, uint64_t hash); /* 0: null */
/* The id and type of an object, columns `first` and the one behind it; 0: null. */
void put_reference(struct rows *r, unsigned first, uint64_t id);
void put_kind(struct rows *r, unsigned column, char kind);
/* A value, in VALUE_COLUMNS from `first` on. */
void put_value(struct rows *r, unsigned first, char kind, uint64_t value);
/* The contents of a string as a span of the batch. `exact`, if not NULL: whether the span has them as they were. */
struct span rows_string(struct rows *r, const struct hs_object *o, bool *exact);

/* What a data ID gives to PLACE_COLUMNS; numbers of names. */
struct site {
    uint32_t event, class_name, method, desc, file;
    int32_t line;
    uint32_t pc, method_id;
    uint16_t type; /* enum hs_event_type */
    bool known, placed, in_file;
};
struct sites {
    struct site *items;
    uint32_t count;
};
bool sites_init(struct rows *r, struct sites *s);
void sites_done(struct sites *s);
/* NULL: the trace has no such data ID. */
const struct site *site_load(struct rows *r, struct sites *s, uint32_t dataid);
static inline const struct site *site_get(struct rows *r, struct sites *s, uint32_t dataid)
{
    return dataid < s->count && s->items[dataid].known ? &s->items[dataid] : site_load(r, s, dataid);
}
/* The columns file and line, from `first` on. */
void put_line(struct rows *r, unsigned first, const struct site *site);
/* PLACE_COLUMNS from `first` on. */
void put_place(struct rows *r, struct sites *s, unsigned first, uint32_t dataid);
/* METHOD_COLUMNS from `first` on. */
void put_method(struct rows *r, unsigned first, const struct hs_method *m);

/* The events that rows are made of, of these types (NULL: all). ROW_EVENTS_CHOSEN: those that pass the filter, which
 * may name other types. ROW_EVENTS_RANGE: all in the filter's range and threads, beginning a few events before it: a
 * row belongs to the seq of its last event. ROW_EVENTS_ALL: all of the filter's threads: what a row shows may begin
 * long before the range and end long behind it. */
enum row_events_kind { ROW_EVENTS_CHOSEN, ROW_EVENTS_RANGE, ROW_EVENTS_ALL };
struct row_events {
    hs_cursor *cursor;
    struct chosen_events filter;
    uint64_t from, to; /* rows of events outside are not wanted */
};
/* The filter and the range alone, without a cursor. */
void row_events_filter(const struct rows *r, struct row_events *e, enum row_events_kind kind);
bool row_events_open(struct rows *r, struct row_events *e, enum row_events_kind kind, const unsigned *events,
                     size_t event_count);
/* False: no more, or failed. */
bool row_events_next(struct rows *r, struct row_events *e, const struct hs_event **event);
void row_events_close(struct row_events *e);

/* Which rows pass the filter, where a row is made of several events: asked for their seqs as they rise. */
struct picked {
    struct row_events events;
    bool all, ended;
    uint64_t at; /* seq of the event that passes and is the next one */
};
bool picked_open(struct rows *r, struct picked *p, const unsigned *events, size_t event_count);
bool picked_has(struct rows *r, struct picked *p, uint64_t seq);
void picked_close(struct picked *p);

#endif
