/* section_exceptions.c - the events of exceptions in the index: which events of a segment threw, caught or passed on
 * which exception, and which have it as value behind that. They are few and scattered, and the list of exceptions needs
 * all of them.
 *
 *     section  columns of those that threw, caught or passed on: place; varint of the METHOD_ENTRY of the frame that is
 *                         open before it: 0 that was not recorded, or no frame is open; 1 that of an event of its data
 *                         ID before (struct entries), else 1 + position - that of the entry; svarint kind - the one
 *                         before, kinds from 1 on; 0: not known
 *              columns of other events: place
 *              varint n | n times: svarint object - the one before: it may have other uses
 *              varint n | n times: svarint object - the one before: one of the exceptions holds it
 *     columns  columns.c, which has the place, too
 *
 * A segment has none if a chunk of it cannot be read; then the events are read. */
#include "reader/index/flights.h"
#include "reader/index/sections.h"

#include <stdlib.h>

void exception_objects_encode(struct writer *w, const u32_vec *objects)
{
    write_varint(w, objects->count);
    for (size_t i = 0; i < objects->count; i++)
        write_svarint(w, (int64_t)objects->items[i] - (int64_t)(i > 0 ? objects->items[i - 1] : 0));
}

enum { EVENT_ENTRY = PLACE_COLUMNS, EVENT_KIND, EVENT_COLUMNS };
enum { ENTRY_NONE, ENTRY_SAME, ENTRIES = 256 };

/* Entries of frames that catch one after the other: of the last event of a data ID, or of one that shares its place. */
struct entries {
    struct entry_of {
        uint64_t entry;
        uint32_t dataid;
        bool known;
    } slots[ENTRIES];
};

static void note_entry(struct entries *e, uint32_t dataid, uint64_t entry)
{
    e->slots[dataid % ENTRIES] = (struct entry_of){ .entry = entry, .dataid = dataid, .known = entry != NO_POSITION };
}

static bool has_entry(const struct entries *e, uint32_t dataid)
{
    return e->slots[dataid % ENTRIES].known && e->slots[dataid % ENTRIES].dataid == dataid;
}

static void write_entry(struct writer *w, struct entries *e, const struct exception_event *x)
{
    const uint64_t entry = x->entry < x->position ? x->entry : NO_POSITION;
    if (entry == NO_POSITION)
        write_varint(w, ENTRY_NONE);
    else if (has_entry(e, x->dataid) && e->slots[x->dataid % ENTRIES].entry == entry)
        write_varint(w, ENTRY_SAME);
    else
        write_varint(w, x->position - entry + ENTRY_SAME);
    note_entry(e, x->dataid, entry);
}

/* False: it is damaged. */
static bool read_entry(struct reader *r, struct entries *e, const struct exception_use *x, uint64_t *entry)
{
    const uint64_t since = read_varint(r);
    *entry = NO_POSITION;
    if (r->bad || (since == ENTRY_SAME && !has_entry(e, x->dataid)))
        return false;
    if (since == ENTRY_SAME)
        *entry = e->slots[x->dataid % ENTRIES].entry;
    else if (since != ENTRY_NONE)
        *entry = x->position - (since - ENTRY_SAME);
    note_entry(e, x->dataid, *entry);
    return since == ENTRY_NONE || *entry < x->position;
}

void exceptions_encode(const struct exception_lists *l, struct writer *w)
{
    struct column_writer events = { 0 }, uses = { 0 };
    struct exception_use before = { 0 };
    struct entries entries = { 0 };
    int64_t kind = 0;
    for (size_t i = 0; i < l->events.count; i++) {
        const struct exception_event *x = &l->events.items[i];
        const struct exception_use place = {
            .stamp = x->stamp, .position = x->position, .thread = x->thread, .object = x->object, .dataid = x->dataid
        };
        place_encode(&events, &place, &before);
        write_entry(&events.columns[EVENT_ENTRY], &entries, x);
        write_svarint(&events.columns[EVENT_KIND], (int64_t)x->kind - kind);
        kind = x->kind;
    }
    columns_end(&events, EVENT_COLUMNS, w);
    before = (struct exception_use){ 0 };
    for (size_t i = 0; i < l->uses.count; i++)
        place_encode(&uses, &l->uses.items[i], &before);
    columns_end(&uses, PLACE_COLUMNS, w);
    exception_objects_encode(w, &l->unsure);
    exception_objects_encode(w, &l->held);
}

static bool add_object(u32_vec *to, uint64_t id)
{
    uint32_t *new = id != 0 && id <= UINT32_MAX ? vec_push(to) : NULL;
    if (new != NULL)
        *new = (uint32_t)id;
    return new != NULL || id == 0 || id > UINT32_MAX;
}

bool exception_held(hs_trace *t, uint32_t id, u32_vec *to)
{
    const struct text data = objects_thrown(t, id);
    struct thrown_row row = { 0 };
    struct error err = { 0 };
    if (data.size == 0)
        return true;
    if (thrown_row_decode(data.data, data.size, &row, &err) != OK) {
        trace_damaged(t, &err);
        return true;
    }
    bool ok = add_object(to, row.cause);
    for (size_t i = 0; ok && i < row.suppressed.count; i++)
        ok = add_object(to, row.suppressed.items[i]);
    thrown_row_done(&row);
    return ok;
}

bool exceptions_find_held(hs_trace *t, struct exception_lists *l)
{
    u32_vec thrown = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < l->events.count; i++)
        ok = add_object(&thrown, l->events.items[i].object);
    objects_sort(&thrown);
    for (size_t i = 0; ok && i < thrown.count; i++)
        ok = exception_held(t, thrown.items[i], &l->held);
    objects_sort(&l->held);
    vec_free(&thrown);
    return ok;
}

/* False: out of memory. */
bool exception_objects_decode(struct reader *r, u32_vec *to)
{
    uint32_t object = 0;
    for (uint64_t n = read_varint(r); n > 0 && !r->bad; n--) {
        uint32_t *new = vec_push(to);
        if (new == NULL)
            return false;
        *new = object += (uint32_t)read_svarint(r);
    }
    return true;
}

/* What the next row is a difference to. */
struct event_rows {
    struct column_reader columns;
    struct exception_use place;
    struct entries entries;
    uint64_t kind;
};
/* `kinds`: those of segments before. */
static enum status decode_event(hs_trace *t, struct event_rows *r, size_t kinds, struct exception_lists *to,
                                struct error *err)
{
    struct reader *c = r->columns.columns;
    const struct exception_use *x = &r->place;
    uint64_t entry;
    if (!place_decode(t, &r->columns, &r->place) || !read_entry(&c[EVENT_ENTRY], &r->entries, x, &entry))
        return ERR_NOT_FOUND;
    r->kind += (uint64_t)read_svarint(&c[EVENT_KIND]);
    if (c[EVENT_KIND].bad || !is_exception_event(effects_get(t, x->dataid)->event) || r->kind > to->kinds.count - kinds)
        return ERR_NOT_FOUND;
    struct exception_event *e = vec_push(&to->events);
    if (e == NULL)
        return error_memory(err, "%s", t->dir);
    *e = (struct exception_event){ .stamp = x->stamp,
                                   .position = x->position,
                                   .thread = x->thread,
                                   .object = x->object,
                                   .entry = entry,
                                   .dataid = x->dataid,
                                   .kind = r->kind != 0 ? (uint32_t)(kinds + r->kind) : 0 };
    return OK;
}

enum status exceptions_decode(hs_trace *t, struct reader *r, size_t kinds, struct exception_lists *out,
                              struct error *err)
{
    struct event_rows events = { .kind = 0 };
    struct exception_use x = { 0 };
    struct column_reader rows;
    enum status st = columns_begin(r, EVENT_COLUMNS, &events.columns) ? OK : ERR_NOT_FOUND;
    for (uint64_t n = st == OK ? events.columns.rows : 0; st == OK && n > 0; n--)
        st = decode_event(t, &events, kinds, out, err);
    if (st != OK)
        return st;
    if (!columns_begin(r, PLACE_COLUMNS, &rows))
        return ERR_NOT_FOUND;
    for (uint64_t n = rows.rows; n > 0; n--) {
        if (!place_decode(t, &rows, &x))
            return ERR_NOT_FOUND;
        struct exception_use *use = vec_push(&out->uses);
        if (use == NULL)
            return error_memory(err, "%s", t->dir);
        *use = x;
    }
    if (!exception_objects_decode(r, &out->unsure) || !exception_objects_decode(r, &out->held))
        return error_memory(err, "%s", t->dir);
    return r->bad ? ERR_NOT_FOUND : OK;
}

struct reading {
    hs_trace *trace;
    struct exception_lists *out;
};

static enum status add_section(void *context, uint64_t segment, const void *data, size_t size, struct error *err)
{
    const struct reading *to = context;
    struct reader r = reader_of(data, size);
    const size_t kinds = to->out->kinds.count;
    const enum status st = index_kinds(to->trace, segment, to->out, err);
    return st == OK ? exceptions_decode(to->trace, &r, kinds, to->out, err) : st;
}

enum status index_exceptions(hs_trace *t, struct exception_lists *out, struct error *err)
{
    struct reading to = { t, out };
    return index_each(t, SECTION_EXCEPTIONS, add_section, &to, err);
}

enum status index_exceptions_of(hs_trace *t, uint64_t segment, struct exception_lists *out, struct error *err)
{
    size_t size;
    uint8_t *data = index_section(t, segment, SECTION_EXCEPTIONS, &size);
    struct reader r = reader_of(data, data != NULL ? size : 0);
    const size_t kinds = out->kinds.count;
    enum status st = data != NULL ? index_kinds(t, segment, out, err) : ERR_NOT_FOUND;
    if (st == OK)
        st = exceptions_decode(t, &r, kinds, out, err);
    free(data);
    return st;
}

bool exceptions_note_earlier(hs_trace *t, uint64_t segment, struct thrown_uses *u)
{
    struct exception_lists lists = { 0 };
    struct error err = { 0 };
    bool ok = index_exceptions_of(t, segment, &lists, &err) != ERR_MEMORY;
    for (size_t i = 0; ok && i < lists.events.count; i++)
        ok = thrown_uses_note(u, lists.events.items[i].object);
    ok = ok && thrown_uses_passed(u, &lists);
    exception_lists_done(&lists);
    return ok;
}
