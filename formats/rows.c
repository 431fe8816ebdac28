/* rows.c - rows of the trace's tables to and from bytes (rows.h).
 *
 * Every row begins with ROW_VERSION; fields follow in the order in which the functions below list them, encoder and
 * decoder side by side. A later version may append fields to a row, so decoders ignore the bytes behind the last field
 * they know; a change to the meaning of earlier bytes gets a new version number, which older decoders refuse. */
#include "formats/rows_parts.h"

/* ---- class ---- */

/* Beside the groups: method_row.followed, method_row.inputs. */
enum { GROUPS_FOLLOWED = 1 << 30, GROUPS_INPUTS = 1 << 29 };

static void method_encode(const struct method_row *m, struct writer *w)
{
    put_name(w, m->name);
    put_name(w, m->desc);
    write_varint(w, m->access);
    write_varint(w, m->code_length);
    write_le8(w, m->hash);
    write_varint(w, m->groups | (m->followed ? GROUPS_FOLLOWED : 0u) | (m->inputs ? GROUPS_INPUTS : 0u));
    put_text(w, m->reason);
}

static void method_decode(struct reader *r, struct method_row *m)
{
    m->name = get_text(r);
    m->desc = get_text(r);
    m->access = get_u32(r);
    m->code_length = get_u32(r);
    m->hash = read_le8(r);
    m->groups = get_u32(r);
    m->followed = (m->groups & GROUPS_FOLLOWED) != 0;
    m->inputs = (m->groups & GROUPS_INPUTS) != 0;
    m->groups &= ~(group_set)(GROUPS_FOLLOWED | GROUPS_INPUTS);
    m->reason = get_text(r);
}

void class_row_encode(const struct class_row *row, struct writer *w)
{
    write_u1(w, ROW_VERSION);
    write_varint(w, row->class_no);
    write_u1(w, (unsigned)row->state);
    put_name(w, row->name);
    put_name(w, row->super);
    put_name(w, row->loader);
    write_varint(w, row->loader_id);
    put_name(w, row->source);
    put_name(w, row->source_file);
    write_varint(w, row->major);
    write_varint(w, row->minor);
    write_varint(w, row->access);
    write_le8(w, row->hash);
    write_varint(w, row->size);
    put_text(w, row->reason);
    write_varint(w, row->first_dataid);
    write_varint(w, row->dataid_count);
    write_varint(w, row->first_method);
    write_varint(w, row->methods.count);
    for (size_t i = 0; i < row->methods.count; i++)
        method_encode(&row->methods.items[i], w);
}

enum status class_row_decode(const void *data, size_t size, struct class_row *row, struct error *err)
{
    struct reader r = reader_of(data, size);
    struct class_row c = { 0 };
    if (!get_version(&r))
        return error_set(err, ERR_FORMAT, "class row of %zu bytes: not version %d", size, ROW_VERSION);
    c.class_no = get_u32(&r);
    unsigned state = read_u1(&r);
    if (state > CLASS_GIVEN_UP)
        r.bad = true;
    c.state = (enum class_state)state;
    c.name = get_text(&r);
    c.super = get_text(&r);
    c.loader = get_text(&r);
    c.loader_id = read_varint(&r);
    c.source = get_text(&r);
    c.source_file = get_text(&r);
    c.major = get_u32(&r);
    c.minor = get_u32(&r);
    c.access = get_u32(&r);
    c.hash = read_le8(&r);
    c.size = read_varint(&r);
    c.reason = get_text(&r);
    c.first_dataid = get_u32(&r);
    c.dataid_count = get_u32(&r);
    c.first_method = get_u32(&r);
    uint32_t n = get_u32(&r);
    for (uint32_t i = 0; i < n && !r.bad; i++) {
        struct method_row *m = vec_push(&c.methods);
        if (m == NULL) {
            class_row_done(&c);
            return error_memory(err, "class row of %zu bytes, method %u", size, i);
        }
        method_decode(&r, m);
    }
    if (r.bad) {
        class_row_done(&c);
        return error_set(err, ERR_FORMAT, "class row of %zu bytes: malformed before byte %zu", size, r.at);
    }
    *row = c;
    return OK;
}

void class_row_done(struct class_row *row) { vec_free(&row->methods); }

/* ---- thread ---- */

enum { THREAD_DAEMON = 1, THREAD_VIRTUAL = 2 };

void thread_row_encode(const struct thread_row *row, struct writer *w)
{
    write_u1(w, ROW_VERSION);
    write_varint(w, row->thread);
    write_varint(w, row->tid);
    put_text(w, row->name);
    put_text(w, row->group);
    write_u1(w, (row->daemon ? THREAD_DAEMON : 0u) | (row->is_virtual ? THREAD_VIRTUAL : 0u));
    write_varint(w, row->start_stamp);
    write_varint(w, row->end_stamp + 1); /* UINT64_MAX, alive, is stored as 0 */
    write_varint(w, row->start_ns);
    write_varint(w, row->end_ns + 1);
    write_varint(w, row->object_id);
}

enum status thread_row_decode(const void *data, size_t size, struct thread_row *row, struct error *err)
{
    struct reader r = reader_of(data, size);
    struct thread_row t = { 0 };
    if (!get_version(&r))
        return error_set(err, ERR_FORMAT, "thread row of %zu bytes: not version %d", size, ROW_VERSION);
    t.thread = get_u32(&r);
    t.tid = read_varint(&r);
    t.name = get_text(&r);
    t.group = get_text(&r);
    unsigned flags = read_u1(&r);
    t.daemon = (flags & THREAD_DAEMON) != 0;
    t.is_virtual = (flags & THREAD_VIRTUAL) != 0;
    t.start_stamp = read_varint(&r);
    t.end_stamp = read_varint(&r) - 1;
    t.start_ns = read_varint(&r);
    t.end_ns = read_varint(&r) - 1;
    t.object_id = read_varint(&r);
    if (r.bad)
        return error_set(err, ERR_FORMAT, "thread row of %zu bytes: malformed before byte %zu", size, r.at);
    *row = t;
    return OK;
}

/* ---- mark ---- */

bool mark_name_fits(struct text name) { return name.size > 0 && utf8_is_text(name.data, name.size); }

void mark_row_encode(const struct mark_row *row, struct writer *w)
{
    write_u1(w, ROW_VERSION);
    put_text(w, row->name);
    write_varint(w, row->begin_stamp);
    write_varint(w, row->end_stamp + 1); /* UINT64_MAX, open, is stored as 0 */
    write_varint(w, row->begin_ns);
    write_varint(w, row->end_ns + 1);
}

enum status mark_row_decode(const void *data, size_t size, struct mark_row *row, struct error *err)
{
    struct reader r = reader_of(data, size);
    struct mark_row m = { 0 };
    if (!get_version(&r))
        return error_set(err, ERR_FORMAT, "row of a mark, %zu bytes: not version %d", size, ROW_VERSION);
    m.name = get_text(&r);
    m.begin_stamp = read_varint(&r);
    m.end_stamp = read_varint(&r) - 1;
    m.begin_ns = read_varint(&r);
    m.end_ns = read_varint(&r) - 1;
    if (r.bad)
        return error_set(err, ERR_FORMAT, "row of a mark, %zu bytes: malformed before byte %zu", size, r.at);
    *row = m;
    return OK;
}

/* ---- type ---- */

void type_row_encode(const struct type_row *row, struct writer *w)
{
    write_u1(w, ROW_VERSION);
    write_varint(w, row->id);
    put_name(w, row->name);
    write_varint(w, row->loader);
    write_varint(w, row->access);
}

enum status type_row_decode(const void *data, size_t size, struct type_row *row, struct error *err)
{
    struct reader r = reader_of(data, size);
    struct type_row t = { 0 };
    if (!get_version(&r))
        return error_set(err, ERR_FORMAT, "type row of %zu bytes: not version %d", size, ROW_VERSION);
    t.id = get_u32(&r);
    t.name = get_text(&r);
    t.loader = read_varint(&r);
    t.access = get_u32(&r);
    if (r.bad)
        return error_set(err, ERR_FORMAT, "type row of %zu bytes: malformed before byte %zu", size, r.at);
    *row = t;
    return OK;
}

void thrown_row_encode(const struct thrown_row *row, struct writer *w)
{
    write_u1(w, ROW_VERSION);
    write_u1(w, (row->has_message ? 1u : 0u) | (row->has_stack ? 2u : 0u) | (row->message_redacted ? 4u : 0u) |
                    (row->message_overridden ? 8u : 0u));
    put_text(w, row->message);
    write_varint(w, row->cause);
    write_varint(w, row->suppressed.count);
    for (size_t i = 0; i < row->suppressed.count; i++)
        write_varint(w, row->suppressed.items[i]);
    write_varint(w, row->frames.count);
    for (size_t i = 0; i < row->frames.count; i++) {
        const struct thrown_frame *f = &row->frames.items[i];
        put_text(w, f->class_name);
        put_text(w, f->method);
        put_text(w, f->file);
        write_svarint(w, f->line);
    }
}

enum status thrown_row_decode(const void *data, size_t size, struct thrown_row *row, struct error *err)
{
    struct reader r = reader_of(data, size);
    struct thrown_row t = { 0 };
    if (!get_version(&r))
        return error_set(err, ERR_FORMAT, "row of an exception, %zu bytes: not version %d", size, ROW_VERSION);
    unsigned flags = read_u1(&r);
    t.has_message = flags & 1;
    t.has_stack = flags & 2;
    t.message_redacted = flags & 4;
    t.message_overridden = flags & 8;
    t.message = get_text(&r);
    t.cause = read_varint(&r);
    bool memory = true;
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad && memory; n--) {
        uint64_t *slot = vec_push(&t.suppressed);
        memory = slot != NULL;
        if (memory)
            *slot = read_varint(&r);
    }
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad && memory; n--) {
        struct thrown_frame *f = vec_push(&t.frames);
        memory = f != NULL;
        if (!memory)
            break;
        f->class_name = get_text(&r);
        f->method = get_text(&r);
        f->file = get_text(&r);
        int64_t line = read_svarint(&r);
        f->line = (int32_t)line;
        r.bad |= line < INT32_MIN || line > INT32_MAX;
    }
    if (memory && !r.bad) {
        *row = t;
        return OK;
    }
    thrown_row_done(&t);
    return memory ? error_set(err, ERR_FORMAT, "row of an exception, %zu bytes: malformed before byte %zu", size, r.at)
                  : error_memory(err, "the row of an exception");
}

void thrown_row_done(struct thrown_row *row)
{
    vec_free(&row->suppressed);
    vec_free(&row->frames);
}
