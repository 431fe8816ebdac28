/* section_exceptions.c - the events of exceptions in the index: which events of a segment threw, caught or passed on
 * which exception, and which have it as value behind that. They are few and scattered, and the list of exceptions needs
 * all of them.
 *
 *     section  varint n | n times: place, that threw, caught or passed on
 *              varint n | n times: place, another one
 *              varint n | n times: svarint object - the one before: it may have other uses
 *     place    varint thread, svarint position - the one before, svarint stamp - the one before, varint data ID,
 *              svarint object - the one before
 *
 * A segment has none if a chunk of it cannot be read; then the events are read. */
#include "reader/index/sections.h"

#include <stdlib.h>

void exception_lists_clear(struct exception_lists *l) { l->events.count = l->uses.count = l->unsure.count = 0; }

void exception_lists_done(struct exception_lists *l)
{
    vec_free(&l->events);
    vec_free(&l->uses);
    vec_free(&l->unsure);
}

static void encode_place(struct writer *w, const struct exception_use *x, struct exception_use *before)
{
    write_varint(w, x->thread);
    write_svarint(w, (int64_t)(x->position - before->position));
    write_svarint(w, (int64_t)(x->stamp - before->stamp));
    write_varint(w, x->dataid);
    write_svarint(w, (int64_t)x->object - (int64_t)before->object);
    *before = *x;
}

void exceptions_encode(const struct exception_lists *l, struct writer *w)
{
    struct exception_use before = { 0 };
    write_varint(w, l->events.count);
    for (size_t i = 0; i < l->events.count; i++) {
        const struct exception_event *x = &l->events.items[i];
        const struct exception_use place = {
            .stamp = x->stamp, .position = x->position, .thread = x->thread, .object = x->object, .dataid = x->dataid
        };
        encode_place(w, &place, &before);
    }
    write_varint(w, l->uses.count);
    for (size_t i = 0; i < l->uses.count; i++)
        encode_place(w, &l->uses.items[i], &before);
    write_varint(w, l->unsure.count);
    for (size_t i = 0; i < l->unsure.count; i++)
        write_svarint(w, (int64_t)l->unsure.items[i] - (int64_t)(i > 0 ? l->unsure.items[i - 1] : 0));
}

/* False: it is damaged, or of another trace. */
static bool decode_place(const hs_trace *t, struct reader *r, struct exception_use *x)
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

struct reading {
    hs_trace *trace;
    struct exception_lists *out;
};

static enum status decode_exceptions(void *context, const void *data, size_t size, struct error *err)
{
    const struct reading *to = context;
    hs_trace *t = to->trace;
    struct reader r = reader_of(data, size);
    struct exception_use x = { 0 };
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad; n--) {
        if (!decode_place(t, &r, &x))
            return ERR_NOT_FOUND;
        struct exception_event *e = vec_push(&to->out->events);
        if (e == NULL)
            return error_memory(err, "%s", t->dir);
        *e = (struct exception_event){ .stamp = x.stamp,
                                       .position = x.position,
                                       .thread = x.thread,
                                       .object = x.object,
                                       .event = effects_get(t, x.dataid)->event,
                                       .dataid = x.dataid };
        if (!is_exception_event(e->event))
            return ERR_NOT_FOUND;
    }
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad; n--) {
        if (!decode_place(t, &r, &x))
            return ERR_NOT_FOUND;
        struct exception_use *use = vec_push(&to->out->uses);
        if (use == NULL)
            return error_memory(err, "%s", t->dir);
        *use = x;
    }
    uint32_t object = 0;
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad; n--) {
        object += (uint32_t)read_svarint(&r);
        uint32_t *unsure = vec_push(&to->out->unsure);
        if (unsure == NULL)
            return error_memory(err, "%s", t->dir);
        *unsure = object;
    }
    return r.bad ? ERR_NOT_FOUND : OK;
}

enum status index_exceptions(hs_trace *t, struct exception_lists *out, struct error *err)
{
    struct reading to = { t, out };
    return index_each(t, SECTION_EXCEPTIONS, decode_exceptions, &to, err);
}

bool exceptions_note_earlier(hs_trace *t, uint64_t segment, struct thrown_uses *u)
{
    size_t size;
    uint8_t *data = index_section(t, segment, SECTION_EXCEPTIONS, &size);
    struct exception_lists lists = { 0 };
    struct reading to = { t, &lists };
    struct error err = { 0 };
    bool ok = data == NULL || decode_exceptions(&to, data, size, &err) != ERR_MEMORY;
    for (size_t i = 0; ok && i < lists.events.count; i++)
        ok = thrown_uses_note(u, lists.events.items[i].object);
    exception_lists_done(&lists);
    free(data);
    return ok;
}
