/* pending.c - records of the pending log (pending.h). */
#include "formats/pending.h"

#include <xxhash.h>

enum { HEAD_BYTES = 8 };

static uint32_t check_of(const void *bytes, size_t size) { return (uint32_t)XXH3_64bits(bytes, size); }

void pending_encode(const struct pending_row *row, struct writer *w)
{
    static const uint8_t no_head[HEAD_BYTES];
    size_t at = w->size, end;
    write_bytes(w, no_head, sizeof no_head); /* the length is known at the end */
    write_u1(w, (unsigned)row->db);
    if (schema_key_type(row->db) == KEY_TEXT)
        write_text(w, row->text_key, row->text_key_size);
    else
        write_le8(w, row->key);
    write_bytes(w, row->value, row->size);
    if (w->bad)
        return;
    size_t length = w->size - at - HEAD_BYTES;
    if (length > UINT32_MAX) {
        w->bad = true;
        return;
    }
    write_le4(w, check_of(w->data + at + HEAD_BYTES, length));
    end = w->size;
    w->size = at; /* the head, in its place */
    write_le4(w, (uint32_t)length);
    write_le4(w, check_of(w->data + at, 4));
    w->size = end;
}

void pending_encode_hole(uint64_t bytes, struct writer *w)
{
    size_t at = w->size;
    write_le4(w, 0);
    write_le4(w, w->bad ? 0 : check_of(w->data + at, 4));
    write_le8(w, bytes - PENDING_HOLE_BYTES);
    write_le4(w, w->bad ? 0 : check_of(w->data + at + HEAD_BYTES, 8));
}

static bool decode_row(const uint8_t *bytes, size_t size, struct pending_row *row)
{
    struct reader in = reader_of(bytes, size);
    struct pending_row got = { .db = (enum schema_db)read_u1(&in) };
    if ((unsigned)got.db >= DB_COUNT)
        in.bad = true;
    else if (schema_key_type(got.db) == KEY_TEXT)
        got.text_key = read_text(&in, &got.text_key_size);
    else
        got.key = read_le8(&in);
    if (in.bad || (schema_key_type(got.db) == KEY_U32 && got.key > UINT32_MAX))
        return false;
    got.size = in.size - in.at;
    got.value = in.data + in.at;
    *row = got;
    return true;
}

enum pending_end pending_decode(struct reader *r, struct pending_row *row)
{
    struct reader in = *r;
    if (in.at == in.size)
        return PENDING_END;
    uint32_t length = read_le4(&in), check = read_le4(&in);
    if (in.bad)
        return PENDING_TORN;
    if (check != check_of(r->data + r->at, 4))
        return PENDING_DAMAGED;
    if (length == 0) {
        size_t at = in.at;
        uint64_t hole = read_le8(&in);
        check = read_le4(&in);
        if (!in.bad && check != check_of(in.data + at, 8))
            return PENDING_DAMAGED;
        if (in.bad || hole > in.size - in.at)
            return PENDING_TORN;
        in.at += hole;
        *r = in;
        return pending_decode(r, row);
    }
    const uint8_t *bytes = read_span(&in, length);
    check = read_le4(&in);
    if (in.bad)
        return PENDING_TORN;
    if (check != check_of(bytes, length) || !decode_row(bytes, length, row))
        return PENDING_DAMAGED;
    *r = in;
    return PENDING_ROW;
}
