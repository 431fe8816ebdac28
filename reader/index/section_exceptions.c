/* section_exceptions.c - the events of exceptions in the index: which events of a segment threw, caught or passed on
 * which exception, and which have it as value behind that. They are few and scattered, and the list of exceptions needs
 * all of them.
 *
 *     section  varint n | n times: varint type, varint type of the cause, 8 bytes hash of the message: a kind
 *              varint n | n times: place, that threw, caught or passed on, varint position - that of the METHOD_ENTRY
 *                         of the frame that is open before it; 0: that was not recorded, or no frame is open; varint
 *                         kind + 1, 0: not known
 *              varint n | n times: place, another one
 *              varint n | n times: svarint object - the one before: it may have other uses
 *              varint n | n times: svarint object - the one before: one of the exceptions holds it
 *     place    varint thread, svarint position - the one before, svarint stamp - the one before, varint data ID,
 *              svarint object - the one before
 *
 * A segment has none if a chunk of it cannot be read; then the events are read. */
#include "reader/index/flights.h"
#include "reader/index/sections.h"

#include <stdlib.h>

void exception_lists_clear(struct exception_lists *l)
{
    l->kinds.count = l->events.count = l->uses.count = l->unsure.count = l->held.count = 0;
}

void exception_lists_done(struct exception_lists *l)
{
    vec_free(&l->kinds);
    vec_free(&l->events);
    vec_free(&l->uses);
    vec_free(&l->unsure);
    vec_free(&l->held);
}

void exception_place_encode(struct writer *w, const struct exception_use *x, struct exception_use *before)
{
    write_varint(w, x->thread);
    write_svarint(w, (int64_t)(x->position - before->position));
    write_svarint(w, (int64_t)(x->stamp - before->stamp));
    write_varint(w, x->dataid);
    write_svarint(w, (int64_t)x->object - (int64_t)before->object);
    *before = *x;
}

void exception_objects_encode(struct writer *w, const u32_vec *objects)
{
    write_varint(w, objects->count);
    for (size_t i = 0; i < objects->count; i++)
        write_svarint(w, (int64_t)objects->items[i] - (int64_t)(i > 0 ? objects->items[i - 1] : 0));
}

void thrown_kinds_encode(const struct exception_lists *l, struct writer *w)
{
    write_varint(w, l->kinds.count);
    for (size_t i = 0; i < l->kinds.count; i++) {
        write_varint(w, l->kinds.items[i].type);
        write_varint(w, l->kinds.items[i].cause);
        write_le8(w, l->kinds.items[i].message);
    }
}

void exceptions_encode(const struct exception_lists *l, struct writer *w)
{
    struct exception_use before = { 0 };
    thrown_kinds_encode(l, w);
    write_varint(w, l->events.count);
    for (size_t i = 0; i < l->events.count; i++) {
        const struct exception_event *x = &l->events.items[i];
        const struct exception_use place = {
            .stamp = x->stamp, .position = x->position, .thread = x->thread, .object = x->object, .dataid = x->dataid
        };
        exception_place_encode(w, &place, &before);
        write_varint(w, x->entry != NO_POSITION ? x->position - x->entry : 0);
        write_varint(w, x->kind);
    }
    write_varint(w, l->uses.count);
    for (size_t i = 0; i < l->uses.count; i++)
        exception_place_encode(w, &l->uses.items[i], &before);
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

/* False: it is damaged, or of another trace. */
bool exception_place_decode(const hs_trace *t, struct reader *r, struct exception_use *x)
{
    const uint64_t thread = read_varint(r);
    x->position += (uint64_t)read_svarint(r);
    x->stamp += (uint64_t)read_svarint(r);
    const uint64_t dataid = read_varint(r);
    const int64_t object = (int64_t)x->object + read_svarint(r);
    const uint32_t stream = thread < UINT32_MAX ? positions_stream(t, (uint32_t)thread) : UINT32_MAX;
    if (r->bad || stream == UINT32_MAX || x->position >= t->streams[stream].events || dataid >= t->kind_count ||
        object <= 0 || object > UINT32_MAX)
        return false;
    x->thread = (uint32_t)thread;
    x->dataid = (uint32_t)dataid;
    x->object = (uint32_t)object;
    return true;
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

/* False: out of memory. */
bool thrown_kinds_decode(struct reader *r, struct exception_lists *to)
{
    for (uint64_t n = read_varint(r); n > 0 && !r->bad; n--) {
        struct thrown_kind *kind = vec_push(&to->kinds);
        if (kind == NULL)
            return false;
        kind->type = (uint32_t)read_varint(r);
        kind->cause = (uint32_t)read_varint(r);
        kind->message = read_le8(r);
    }
    return true;
}

/* `kinds`: those of segments before. */
static enum status decode_event(hs_trace *t, struct reader *r, size_t kinds, struct exception_use *x,
                                struct exception_lists *to, struct error *err)
{
    if (!exception_place_decode(t, r, x))
        return ERR_NOT_FOUND;
    const uint64_t since = read_varint(r), kind = read_varint(r);
    if (!is_exception_event(effects_get(t, x->dataid)->event) || since > x->position || kind > to->kinds.count - kinds)
        return ERR_NOT_FOUND;
    struct exception_event *e = vec_push(&to->events);
    if (e == NULL)
        return error_memory(err, "%s", t->dir);
    *e = (struct exception_event){ .stamp = x->stamp,
                                   .position = x->position,
                                   .thread = x->thread,
                                   .object = x->object,
                                   .entry = since != 0 ? x->position - since : NO_POSITION,
                                   .dataid = x->dataid,
                                   .kind = kind != 0 ? (uint32_t)(kinds + kind) : 0 };
    return OK;
}

enum status exceptions_decode(hs_trace *t, struct reader *r, struct exception_lists *out, struct error *err)
{
    struct exception_use x = { 0 };
    const size_t kinds = out->kinds.count;
    enum status st = thrown_kinds_decode(r, out) ? OK : error_memory(err, "%s", t->dir);
    for (uint64_t n = read_varint(r); st == OK && n > 0 && !r->bad; n--)
        st = decode_event(t, r, kinds, &x, out, err);
    if (st != OK)
        return st;
    for (uint64_t n = read_varint(r); n > 0 && !r->bad; n--) {
        if (!exception_place_decode(t, r, &x))
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
    (void)segment;
    return exceptions_decode(to->trace, &r, to->out, err);
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
    const enum status st = data != NULL ? exceptions_decode(t, &r, out, err) : ERR_NOT_FOUND;
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
