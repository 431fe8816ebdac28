/* section_exceptions.c - the events of exceptions in the index: which events of a segment threw, caught or passed on
 * which exception. They are few and scattered, and the list of exceptions needs all of them.
 *
 *     section  varint n | n times: varint thread, svarint position - the one before, svarint stamp - the one before,
 *              varint event, svarint object - the one before
 *
 * A segment has none if a chunk of it cannot be read; then the events are read. */
#include "reader/index/sections.h"

void exception_events_encode(const exception_event_vec *events, struct writer *w)
{
    struct exception_event before = { 0 };
    write_varint(w, events->count);
    for (size_t i = 0; i < events->count; i++) {
        const struct exception_event *x = &events->items[i];
        write_varint(w, x->thread);
        write_svarint(w, (int64_t)(x->position - before.position));
        write_svarint(w, (int64_t)(x->stamp - before.stamp));
        write_varint(w, x->event);
        write_svarint(w, (int64_t)x->object - (int64_t)before.object);
        before = *x;
    }
}

struct reading {
    const hs_trace *trace;
    exception_event_vec *out;
};

static enum status exception_events_decode(void *context, const void *data, size_t size, struct error *err)
{
    const struct reading *to = context;
    const hs_trace *t = to->trace;
    struct reader r = reader_of(data, size);
    struct exception_event x = { 0 };
    uint64_t n = read_varint(&r);
    for (uint64_t i = 0; i < n && !r.bad; i++) {
        uint64_t thread = read_varint(&r);
        x.position += (uint64_t)read_svarint(&r);
        x.stamp += (uint64_t)read_svarint(&r);
        uint64_t event = read_varint(&r);
        int64_t object = (int64_t)x.object + read_svarint(&r);
        uint32_t stream = thread < UINT32_MAX ? positions_stream(t, (uint32_t)thread) : UINT32_MAX;
        if (r.bad || stream == UINT32_MAX || x.position >= t->streams[stream].events || event > UINT8_MAX ||
            object <= 0 || object > UINT32_MAX)
            return ERR_NOT_FOUND;
        x.thread = (uint32_t)thread;
        x.event = (uint32_t)event;
        x.object = (uint32_t)object;
        struct exception_event *to_fill = vec_push(to->out);
        if (to_fill == NULL)
            return error_memory(err, "%s", t->dir);
        *to_fill = x;
    }
    return r.bad ? ERR_NOT_FOUND : OK;
}

enum status index_exception_events(hs_trace *t, exception_event_vec *out, struct error *err)
{
    struct reading to = { t, out };
    return index_each(t, SECTION_EXCEPTIONS, exception_events_decode, &to, err);
}
