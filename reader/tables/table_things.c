/* table_things.c - the tables of what events show: objects, strings, threads, classes, methods, data IDs; exceptions.
 *
 * The keys are those of the commands of the same names (cmd_objects.c and so on). */
#include "reader/tables/tables.h"

#include <stdio.h>
#include <string.h>

#include "formats/event.h"
#include "reader/answers/answers.h"
#include "reader/command/show.h"
#include "reader/command/thrown.h"

/* A list of the trace that is read with one cursor, and what is looked up beside it. */
struct list_state {
    hs_cursor *cursor, *lives;
    const struct hs_life *life; /* the next one */
    const struct hs_class *c;   /* whose methods are being read */
    struct sites sites;
    struct out out; /* memory for JSON */
    struct show show;
    struct picked picked;
    uint32_t next; /* data ID, or method of `c` */
};

/* One row by its key. */
static bool one_row(const struct rows *r) { return r->from.from == r->from.to; }

static bool list_failed(struct rows *r)
{
    r->failed = true;
    return false;
}

static bool open_show(struct rows *r)
{
    struct list_state *s = r->state;
    if (!out_init_memory(&s->out) || !show_init(&s->show, r->from.trace, &s->out))
        return rows_fail(r, "out of memory");
    s->out.name_max = 0;
    return true;
}

static void list_close(struct rows *r)
{
    struct list_state *s = r->state;
    hs_cursor_close(s->cursor);
    hs_cursor_close(s->lives);
    picked_close(&s->picked);
    sites_done(&s->sites);
    if (s->show.cache != NULL)
        show_done(&s->show);
    out_done(&s->out);
}

/* JSON for a cell is made in memory; more than 1 MB is an error. */
static struct json *json_begin(struct list_state *s)
{
    struct json *j = &s->out.json;
    s->out.used = 0;
    json_init(j, j->write, &s->out);
    return j;
}

/* What was made: an object with one member, of which the value is the cell, or none. */
static void put_member(struct rows *r, struct list_state *s, unsigned column, const char *key)
{
    const size_t skip = strlen("{\"\":") + strlen(key);
    if (s->out.failed != 0)
        (void)rows_fail(r, "a value of the column %s takes more than 1 MB", key);
    else if (s->out.used > skip)
        put_text(r, column, s->out.data + skip, s->out.used - skip);
}

/* The column behind it has what is not exact here, or has a NUL, at which many tools end a text. */
static void put_string(struct rows *r, struct list_state *s, unsigned column, const struct hs_object *o)
{
    bool exact;
    const struct span text = rows_string(r, o, &exact);
    r->columns[column].present[r->count] = 1;
    r->columns[column].texts[r->count] = text;
    if (exact && memchr(text.text, '\0', text.bytes) == NULL)
        return;
    json_object(json_begin(s));
    out_member_string(&s->out, "string", o);
    put_member(r, s, column + 1, "string");
}

/* Cells that need the state of these sources (put_row.h). */
#define PUT_STRING(column, key, v) put_string(r, s, column, v)
#define PUT_ARRAY(column, key, v)  PUT_OBJECT(column, key, v)
#define PUT_OBJECT(column, key, v)                                                                                     \
    if (rows_want(r, column)) {                                                                                        \
        json_object(json_begin(s));                                                                                    \
        v;                                                                                                             \
        put_member(r, s, column, key);                                                                                 \
    }
#define PUT_PLACE(column, key, v) put_place(r, &s->sites, column, (v)->dataid)

/* ---- objects, strings ---- */

static bool open_objects(struct rows *r)
{
    struct list_state *s = r->state;
    if (hs_objects_open(r->from.trace, &s->cursor, &r->error) != 0)
        return list_failed(r);
    if (r->from.from > 0 && hs_cursor_seek(s->cursor, r->from.from, &r->error) != 0)
        return list_failed(r);
    return true;
}

/* The next object within the bounds. */
static bool next_object(struct rows *r, const struct hs_object **o)
{
    struct list_state *s = r->state;
    int more = hs_object_next(s->cursor, o, &r->error);
    r->failed |= more < 0;
    return more > 0 && (*o)->id <= r->from.to;
}

static bool objects_open(struct rows *r)
{
    struct list_state *s = r->state;
    if (!open_objects(r))
        return false;
    if (one_row(r) || (!rows_want(r, COLUMN_objects_first) && !rows_want(r, COLUMN_objects_last)))
        return true;
    if (hs_lives_open(r->from.trace, &s->lives, &r->error) != 0)
        return list_failed(r);
    return true;
}

/* NULL: no event shows it, or nobody asks. */
static const struct hs_life *find_life(struct rows *r, struct list_state *s, uint32_t id)
{
    if (one_row(r) && hs_life_get(r->from.trace, id, &s->life, &r->error) < 0)
        r->failed = true;
    while (s->lives != NULL && (s->life == NULL || s->life->id < id)) {
        int more = hs_life_next(s->lives, &s->life, &r->error);
        r->failed |= more < 0;
        if (more > 0)
            continue;
        hs_cursor_close(s->lives);
        s->lives = NULL;
        s->life = NULL;
    }
    return s->life != NULL && s->life->id == id ? s->life : NULL;
}

#define ROWS "reader/answers/objects.def"
#define ROW  const struct hs_object *x, const struct hs_life *life
#include "reader/tables/put_row.h"

static bool objects_next(struct rows *r)
{
    const struct hs_object *o;
    while (rows_room(r)) {
        if (!next_object(r, &o))
            return false;
        put_objects(r, o, find_life(r, r->state, o->id));
    }
    return !r->failed;
}

const struct table_source source_objects = { sizeof(struct list_state), objects_open, objects_next, list_close };

static bool strings_open(struct rows *r) { return open_objects(r) && open_show(r); }

#define ROWS "reader/answers/strings.def"
#define ROW  struct list_state *s, const struct hs_object *x
#include "reader/tables/put_row.h"

static bool strings_next(struct rows *r)
{
    const struct hs_object *o;
    while (rows_room(r)) {
        if (!next_object(r, &o))
            return false;
        if (o->has_string)
            put_strings(r, r->state, o);
    }
    return !r->failed;
}

const struct table_source source_strings = { sizeof(struct list_state), strings_open, strings_next, list_close };

/* ---- threads ---- */

static bool threads_open(struct rows *r)
{
    struct list_state *s = r->state;
    return hs_threads_open(r->from.trace, &s->cursor, &r->error) == 0 || list_failed(r);
}

#define ROWS "reader/answers/threads.def"
#define ROW  const struct hs_thread *t
#include "reader/tables/put_row.h"

static bool threads_next(struct rows *r)
{
    struct list_state *s = r->state;
    const struct hs_thread *t;
    while (rows_room(r)) {
        int more = hs_thread_next(s->cursor, &t, &r->error);
        r->failed |= more < 0;
        if (more <= 0)
            return false;
        put_threads(r, t);
    }
    return !r->failed;
}

const struct table_source source_threads = { sizeof(struct list_state), threads_open, threads_next, list_close };

/* ---- classes, methods ---- */

static bool classes_open(struct rows *r)
{
    struct list_state *s = r->state;
    return hs_classes_open(r->from.trace, &s->cursor, &r->error) == 0 || list_failed(r);
}

#define ROWS "reader/answers/classes.def"
#define ROW  const struct hs_class *c
#include "reader/tables/put_row.h"

static bool classes_next(struct rows *r)
{
    struct list_state *s = r->state;
    const struct hs_class *c;
    while (rows_room(r)) {
        int more = hs_class_next(s->cursor, &c, &r->error);
        r->failed |= more < 0;
        if (more <= 0)
            return false;
        put_classes(r, c);
    }
    return !r->failed;
}

const struct table_source source_classes = { sizeof(struct list_state), classes_open, classes_next, list_close };

#define ROWS "reader/answers/methods.def"
#define ROW  const struct hs_class *c, const struct hs_method *m
#include "reader/tables/put_row.h"

static void add_method(struct rows *r, const struct hs_class *c, const struct hs_method *m)
{
    if (m->method_id >= r->from.from && m->method_id <= r->from.to)
        put_methods(r, c, m);
}

static bool methods_next(struct rows *r)
{
    struct list_state *s = r->state;
    if (one_row(r)) {
        const struct hs_method *m =
            r->from.from <= UINT32_MAX ? hs_method_get(r->from.trace, (uint32_t)r->from.from) : NULL;
        const struct hs_class *c = m != NULL ? hs_class_get(r->from.trace, m->class_no) : NULL;
        if (c != NULL)
            add_method(r, c, m);
        return false;
    }
    while (rows_room(r)) {
        if (s->c == NULL || s->next == s->c->method_count) {
            int more = hs_class_next(s->cursor, &s->c, &r->error);
            s->next = 0;
            r->failed |= more < 0;
            if (more <= 0)
                return false;
            continue;
        }
        add_method(r, s->c, s->c->methods[s->next++]);
    }
    return !r->failed;
}

const struct table_source source_methods = { sizeof(struct list_state), classes_open, methods_next, list_close };

/* ---- data IDs ---- */

static bool dataids_open(struct rows *r)
{
    struct list_state *s = r->state;
    s->next = r->from.from < UINT32_MAX ? (uint32_t)r->from.from : UINT32_MAX;
    return sites_init(r, &s->sites) && open_show(r);
}

#define ROWS "reader/answers/dataids.def"
#define ROW  struct list_state *s, struct show *show, const struct hs_dataid *d
#include "reader/tables/put_row.h"

static bool dataids_next(struct rows *r)
{
    struct list_state *s = r->state;
    for (; rows_room(r) && s->next < s->sites.count && s->next <= r->from.to; s->next++) {
        const struct hs_dataid *d = hs_dataid_get(r->from.trace, s->next);
        if (d != NULL)
            put_dataids(r, s, &s->show, d);
    }
    return !r->failed && s->next < s->sites.count && s->next <= r->from.to;
}

const struct table_source source_dataids = { sizeof(struct list_state), dataids_open, dataids_next, list_close };

/* ---- exceptions ---- */

/* The list is in the order of `thrown`, so the filter is asked for rising seqs. */
static bool exceptions_open(struct rows *r)
{
    struct list_state *s = r->state;
    if (!open_show(r) || !picked_open(r, &s->picked, NULL, 0))
        return false;
    return hs_exceptions_open(r->from.trace, &s->cursor, &r->error) == 0 || list_failed(r);
}

#define ROWS "reader/answers/exceptions.def"
#define ROW  struct list_state *s, struct show *show, const struct thrown_row *row
#include "reader/tables/put_row.h"

/* Which parts of a row the wanted columns are made from. */
static unsigned parts_wanted(const struct rows *r)
{
    static const struct {
        unsigned column, parts;
    } made_from[] = { { COLUMN_exceptions_message, THROWN_KNOWN }, { COLUMN_exceptions_cause_id, THROWN_KNOWN },
                      { COLUMN_exceptions_frames, THROWN_KNOWN },  { COLUMN_exceptions_message_redacted, THROWN_KNOWN },
                      { COLUMN_exceptions_file, THROWN_SPOT },     { COLUMN_exceptions_line, THROWN_SPOT },
                      { COLUMN_exceptions_uncaught, THROWN_END } };
    unsigned parts = 0;
    for (size_t i = 0; i < sizeof made_from / sizeof *made_from; i++)
        parts |= rows_want(r, made_from[i].column) ? made_from[i].parts : 0;
    return parts;
}

static bool exceptions_next(struct rows *r)
{
    struct list_state *s = r->state;
    const unsigned parts = parts_wanted(r);
    const struct hs_exception *x;
    while (rows_room(r)) {
        int more = hs_exception_next(s->cursor, &x, &r->error);
        r->failed |= more < 0;
        if (more <= 0)
            return false;
        if (picked_has(r, &s->picked, x->thrown)) {
            const struct thrown_row row = thrown_row(r->from.trace, s->cursor, x, parts);
            put_exceptions(r, s, &s->show, &row);
        }
    }
    return !r->failed;
}

const struct table_source source_exceptions = { sizeof(struct list_state), exceptions_open, exceptions_next,
                                                list_close };
