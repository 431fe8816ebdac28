/* table_things.c - the tables of what events show: objects, strings, threads, classes, methods, data IDs; exceptions.
 *
 * The keys are those of the commands of the same names (cmd_objects.c and so on). */
#include "reader/tables/tables.h"

#include <stdio.h>
#include <string.h>

#include "formats/event.h"
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

/* A text that the trace does not have is "" in the rows of trace.h: null here. */
static void put_known(struct rows *r, unsigned column, const char *text)
{
    if (text[0] != '\0')
        put_name(r, column, text);
}

/* JSON for a cell is made in memory; more than 1 MB is an error. */
static struct json *json_begin(struct list_state *s)
{
    struct json *j = &s->out.json;
    s->out.used = 0;
    json_init(j, j->write, &s->out);
    return j;
}

/* What was made behind the first `skip` bytes. */
static void put_json(struct rows *r, unsigned column, size_t skip)
{
    struct list_state *s = r->state;
    if (s->out.failed != 0)
        (void)rows_fail(r, "a value of the column %s takes more than 1 MB", r->from.table->columns[column].name);
    else
        put_text(r, column, s->out.data + skip, s->out.used - skip);
}

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

static void put_life(struct rows *r, struct list_state *s, uint32_t id)
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
    if (s->life != NULL && s->life->id == id) {
        put_seq(r, COLUMN_objects_first, s->life->first);
        put_seq(r, COLUMN_objects_last, s->life->last);
    }
}

static bool objects_next(struct rows *r)
{
    struct list_state *s = r->state;
    const struct hs_object *o;
    while (rows_room(r)) {
        if (!next_object(r, &o))
            return false;
        put_int(r, COLUMN_objects_id, o->id);
        put_name(r, COLUMN_objects_type, o->type);
        put_life(r, s, o->id);
        rows_end(r);
    }
    return !r->failed;
}

const struct table_source source_objects = { sizeof(struct list_state), objects_open, objects_next, list_close };

static bool strings_open(struct rows *r) { return open_objects(r) && open_show(r); }

static bool strings_next(struct rows *r)
{
    struct list_state *s = r->state;
    const struct hs_object *o;
    bool exact;
    while (rows_room(r)) {
        if (!next_object(r, &o))
            return false;
        if (!o->has_string)
            continue;
        struct span text = rows_string(r, o, &exact);
        put_int(r, COLUMN_strings_id, o->id);
        put_int(r, COLUMN_strings_length, (int64_t)o->length);
        r->columns[COLUMN_strings_string].present[r->count] = 1;
        r->columns[COLUMN_strings_string].texts[r->count] = text;
        if (!exact || memchr(text.text, '\0', text.bytes) != NULL) { /* many tools end a text at a NUL */
            (void)json_begin(s);
            (void)out_quoted_string(&s->out, o, UINT64_MAX);
            put_json(r, COLUMN_strings_string_json, 0);
        }
        put_bool(r, COLUMN_strings_cut, o->cut);
        rows_end(r);
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

static bool threads_next(struct rows *r)
{
    struct list_state *s = r->state;
    const struct hs_thread *t;
    while (rows_room(r)) {
        int more = hs_thread_next(s->cursor, &t, &r->error);
        r->failed |= more < 0;
        if (more <= 0)
            return false;
        put_int(r, COLUMN_threads_thread, t->thread);
        put_int(r, COLUMN_threads_events, (int64_t)t->events);
        if (t->known) {
            put_text(r, COLUMN_threads_name, t->name, strlen(t->name));
            put_int(r, COLUMN_threads_id, (int64_t)t->tid);
            put_bool(r, COLUMN_threads_daemon, t->daemon);
            put_bool(r, COLUMN_threads_virtual, t->is_virtual);
            put_seq(r, COLUMN_threads_start, t->start_ns);
            put_seq(r, COLUMN_threads_end, t->end_ns);
            if (t->group[0] != '\0')
                put_text(r, COLUMN_threads_group, t->group, strlen(t->group));
            put_seq(r, COLUMN_threads_object, t->object_id != 0 ? t->object_id : HS_NO_SEQ);
        }
        rows_end(r);
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

static bool classes_next(struct rows *r)
{
    struct list_state *s = r->state;
    const struct hs_class *c;
    while (rows_room(r)) {
        int more = hs_class_next(s->cursor, &c, &r->error);
        r->failed |= more < 0;
        if (more <= 0)
            return false;
        put_text(r, COLUMN_classes_class, c->name, strlen(c->name));
        put_known(r, COLUMN_classes_loader, c->loader);
        put_known(r, COLUMN_classes_source, c->source);
        put_int(r, COLUMN_classes_version, c->major);
        put_bool(r, COLUMN_classes_woven, c->state == HS_CLASS_WOVEN);
        put_hash(r, COLUMN_classes_hash, c->hash);
        put_known(r, COLUMN_classes_super, c->super);
        put_known(r, COLUMN_classes_source_file, c->source_file);
        put_bool(r, COLUMN_classes_given_up, c->state == HS_CLASS_GIVEN_UP);
        put_known(r, COLUMN_classes_reason, c->reason);
        put_int(r, COLUMN_classes_first_dataid, c->first_dataid);
        put_int(r, COLUMN_classes_dataids, c->dataid_count);
        put_int(r, COLUMN_classes_methods, c->method_count);
        put_int(r, COLUMN_classes_bytes, (int64_t)c->size_bytes);
        rows_end(r);
    }
    return !r->failed;
}

const struct table_source source_classes = { sizeof(struct list_state), classes_open, classes_next, list_close };

static void put_groups(struct rows *r, unsigned column, uint32_t groups)
{
    char text[GROUP_SET_TEXT_MAX];
    group_set_text(groups, text, sizeof text);
    put_text(r, column, text, strlen(text));
}

static void add_method(struct rows *r, const struct hs_class *c, const struct hs_method *m)
{
    if (m->method_id < r->from.from || m->method_id > r->from.to)
        return;
    put_int(r, COLUMN_methods_method_id, m->method_id);
    put_name(r, COLUMN_methods_class, c->name);
    put_name(r, COLUMN_methods_method, m->name);
    put_name(r, COLUMN_methods_desc, m->desc);
    put_int(r, COLUMN_methods_access, m->access);
    put_hash(r, COLUMN_methods_hash, m->hash);
    put_int(r, COLUMN_methods_code_length, m->code_length);
    put_groups(r, COLUMN_methods_groups, m->groups);
    put_known(r, COLUMN_methods_reason, m->reason);
    rows_end(r);
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

static void put_attrs(struct rows *r, const struct hs_dataid *d)
{
    struct list_state *s = r->state;
    if (d->attr_count == 0 || !rows_want(r, COLUMN_dataids_attr))
        return;
    json_object(json_begin(s));
    show_attrs_member(&s->show, d);
    put_json(r, COLUMN_dataids_attr, strlen("{\"attr\":"));
}

static bool dataids_next(struct rows *r)
{
    struct list_state *s = r->state;
    for (; rows_room(r) && s->next < s->sites.count && s->next <= r->from.to; s->next++) {
        const struct hs_dataid *d = hs_dataid_get(r->from.trace, s->next);
        if (d == NULL)
            continue;
        put_place(r, &s->sites, COLUMN_dataids_dataid, s->next);
        put_attrs(r, d);
        put_kind(r, COLUMN_dataids_kind, d->kind);
        rows_end(r);
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

static void put_thrown(struct rows *r, struct list_state *s, const struct hs_thrown *t)
{
    if (t->message != NULL)
        put_text(r, COLUMN_exceptions_message, t->message, strlen(t->message));
    put_seq(r, COLUMN_exceptions_cause_id, t->cause != 0 ? t->cause : HS_NO_SEQ);
    if (!t->has_stack || !rows_want(r, COLUMN_exceptions_frames))
        return;
    json_object(json_begin(s));
    show_frames_json(&s->show, "frames", t);
    put_json(r, COLUMN_exceptions_frames, strlen("{\"frames\":"));
}

static void add_exception(struct rows *r, struct list_state *s, const struct hs_exception *x)
{
    hs_trace *trace = r->from.trace;
    const struct hs_event *e;
    const struct hs_object *o = hs_object_get(trace, x->id);
    put_int(r, COLUMN_exceptions_id, x->id);
    put_name(r, COLUMN_exceptions_type, o != NULL ? o->type : NULL);
    const struct hs_thrown *t = hs_thrown_get(trace, x->id);
    if (t != NULL)
        put_thrown(r, s, t);
    put_seq(r, COLUMN_exceptions_thrown, x->thrown);
    if (hs_event_at(trace, x->thrown, &e, NULL) == 0) {
        const struct hs_dataid *d = hs_dataid_get(trace, e->dataid);
        const struct hs_method *m = d != NULL ? hs_method_get(trace, d->method_id) : NULL;
        const struct hs_class *c = m != NULL ? hs_class_get(trace, m->class_no) : NULL;
        const struct spot spot = thrown_spot(trace, e);
        put_int(r, COLUMN_exceptions_thread, e->thread);
        if (c != NULL) {
            put_name(r, COLUMN_exceptions_class, c->name);
            put_name(r, COLUMN_exceptions_method, m->name);
        }
        if (spot.line >= 0) {
            put_known(r, COLUMN_exceptions_file, spot.file != NULL ? spot.file : "");
            put_int(r, COLUMN_exceptions_line, spot.line);
        }
    }
    put_seq(r, COLUMN_exceptions_caught, x->caught);
    put_bool(r, COLUMN_exceptions_swallowed, x->swallowed);
    put_bool(r, COLUMN_exceptions_uncaught, thrown_end(trace, x, t).uncaught);
    put_int(r, COLUMN_exceptions_exits, (int64_t)x->left);
    put_bool(r, COLUMN_exceptions_message_redacted, t != NULL && t->message_redacted);
    rows_end(r);
}

static bool exceptions_next(struct rows *r)
{
    struct list_state *s = r->state;
    const struct hs_exception *x;
    while (rows_room(r)) {
        int more = hs_exception_next(s->cursor, &x, &r->error);
        r->failed |= more < 0;
        if (more <= 0)
            return false;
        if (picked_has(r, &s->picked, x->thrown))
            add_exception(r, s, x);
    }
    return !r->failed;
}

const struct table_source source_exceptions = { sizeof(struct list_state), exceptions_open, exceptions_next,
                                                list_close };
