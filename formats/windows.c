/* windows.c - see windows.h. */
#include "formats/windows.h"

enum { VERSION = 1 };

void windows_encode(const struct window *list, size_t count, struct writer *w)
{
    uint64_t stamp = 0, ns = 0;
    uint32_t start = 0, end = 0;
    write_varint(w, count);
    for (size_t i = 0; i < count; i++) {
        const struct window *v = &list[i];
        bool open = v->end == UINT64_MAX;
        write_varint(w, v->begin - stamp);
        write_varint(w, open ? 0 : v->end - v->begin + 1);
        write_varint(w, v->begin_ns - ns);
        write_varint(w, open ? 0 : v->end_ns - v->begin_ns);
        write_svarint(w, (int64_t)v->start_id - start);
        write_svarint(w, (int64_t)v->end_id - end);
        write_varint(w, v->start_thread);
        write_varint(w, v->end_thread);
        stamp = open ? v->begin : v->end;
        ns = open ? v->begin_ns : v->end_ns;
        start = v->start_id;
        end = v->end_id;
    }
}

enum status windows_decode(const void *data, size_t size, window_vec *out, struct error *err)
{
    struct reader r = reader_of(data, size);
    uint64_t stamp = 0, ns = 0, count = read_varint(&r);
    int64_t start = 0, end = 0;
    if (r.bad || count > WINDOW_BLOCK)
        return error_set(err, ERR_FORMAT, "a block of intervals is malformed");
    for (uint64_t i = 0; i < count; i++) {
        struct window v = { .begin = stamp + read_varint(&r) };
        uint64_t length = read_varint(&r);
        v.end = length == 0 ? UINT64_MAX : v.begin + length - 1;
        v.begin_ns = ns + read_varint(&r);
        v.end_ns = v.begin_ns + read_varint(&r);
        bool sums = !__builtin_add_overflow(start, read_svarint(&r), &start);
        sums &= !__builtin_add_overflow(end, read_svarint(&r), &end);
        uint64_t start_thread = read_varint(&r), end_thread = read_varint(&r);
        bool last = i + 1 == count;
        if (r.bad || !sums || v.begin < stamp || (length == 0 && !last) || (length != 0 && v.end < v.begin) ||
            start < 0 || start > UINT32_MAX || end < 0 || end > UINT32_MAX || start_thread > UINT32_MAX ||
            end_thread > UINT32_MAX)
            return error_set(err, ERR_FORMAT, "a block of intervals is malformed");
        v.start_id = (uint32_t)start;
        v.end_id = (uint32_t)end;
        v.start_thread = (uint32_t)start_thread;
        v.end_thread = (uint32_t)end_thread;
        struct window *to = vec_push(out);
        if (to == NULL)
            return error_memory(err, "intervals");
        *to = v;
        stamp = v.end;
        ns = v.end_ns;
    }
    return OK;
}

void snapshot_row_encode(const struct snapshot_row *row, struct writer *w)
{
    write_u1(w, VERSION);
    write_u1(w, row->kind);
    write_u1(w, row->saved);
    write_varint(w, row->stamp);
    write_varint(w, row->ns);
    write_varint(w, row->thread);
    write_varint(w, row->interval);
    write_varint(w, row->object);
    write_text(w, row->type.data, row->type.size);
}

enum status snapshot_row_decode(const void *data, size_t size, struct snapshot_row *row, struct error *err)
{
    struct reader r = reader_of(data, size);
    struct snapshot_row s = { 0 };
    bool known = read_u1(&r) == VERSION;
    s.kind = read_u1(&r);
    s.saved = read_u1(&r);
    s.stamp = read_varint(&r);
    s.ns = read_varint(&r);
    uint64_t thread = read_varint(&r), interval = read_varint(&r), object = read_varint(&r);
    s.type.data = read_text(&r, &s.type.size);
    if (!known || r.bad || s.kind >= SNAPSHOT_KINDS || thread > UINT32_MAX || interval > UINT32_MAX ||
        object > UINT32_MAX)
        return error_set(err, ERR_FORMAT, "the row of a snapshot is malformed");
    s.thread = (uint32_t)thread;
    s.interval = (uint32_t)interval;
    s.object = (uint32_t)object;
    *row = s;
    return OK;
}
