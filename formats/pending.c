/* pending.c - records of the pending log (pending.h). */
#include "formats/pending.h"

void pending_encode(const struct pending_row *row, struct writer *w)
{
    size_t at = w->size;
    write_le4(w, 0); /* the length, known at the end */
    write_u1(w, (unsigned)row->db);
    if (schema_key_type(row->db) == KEY_TEXT)
        write_text(w, row->text_key, row->text_key_size);
    else
        write_le8(w, row->key);
    write_bytes(w, row->value, row->size);
    if (w->bad)
        return;
    size_t length = w->size - at - 4;
    if (length > UINT32_MAX) {
        w->bad = true;
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        w->data[at + i] = (uint8_t)(length >> 8 * i);
}

bool pending_decode(struct reader *r, struct pending_row *row)
{
    if (r->bad || r->at == r->size)
        return false;
    uint32_t length = read_le4(r);
    const uint8_t *p = read_span(r, length);
    if (p == NULL)
        return false;
    struct reader in = reader_of(p, length);
    struct pending_row got = { .db = (enum schema_db)read_u1(&in) };
    if ((unsigned)got.db >= DB_COUNT)
        in.bad = true;
    else if (schema_key_type(got.db) == KEY_TEXT)
        got.text_key = read_text(&in, &got.text_key_size);
    else
        got.key = read_le8(&in);
    if (!in.bad && schema_key_type(got.db) == KEY_U32 && got.key > UINT32_MAX)
        in.bad = true;
    if (in.bad) {
        r->bad = true;
        return false;
    }
    got.size = in.size - in.at;
    got.value = in.data + in.at;
    *row = got;
    return true;
}
