/* rows_hierarchy.c - rows of classes that are not woven (hierarchy_row in rows.h). */
#include "formats/rows_parts.h"

void hierarchy_row_encode(const struct hierarchy_row *row, struct writer *w)
{
    write_u1(w, ROW_VERSION);
    put_name(w, row->name);
    put_name(w, row->super);
    write_varint(w, row->loader);
    write_varint(w, row->interfaces.count);
    for (size_t i = 0; i < row->interfaces.count; i++)
        put_name(w, row->interfaces.items[i]);
    write_varint(w, row->fields.count);
    for (size_t i = 0; i < row->fields.count; i++) {
        put_name(w, row->fields.items[i].name);
        put_name(w, row->fields.items[i].desc);
        write_varint(w, row->fields.items[i].access);
    }
}

enum status hierarchy_row_decode(const void *data, size_t size, struct hierarchy_row *row, struct error *err)
{
    struct reader r = reader_of(data, size);
    struct hierarchy_row h = { 0 };
    bool memory = true;
    if (!get_version(&r))
        return error_set(err, ERR_FORMAT, "hierarchy row of %zu bytes: not version %d", size, ROW_VERSION);
    h.name = get_text(&r);
    h.super = get_text(&r);
    h.loader = read_varint(&r);
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad && memory; n--) {
        struct text *to = vec_push(&h.interfaces);
        if ((memory = to != NULL))
            *to = get_text(&r);
    }
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad && memory; n--) {
        struct hierarchy_field *to = vec_push(&h.fields);
        if (!(memory = to != NULL))
            break;
        to->name = get_text(&r);
        to->desc = get_text(&r);
        to->access = get_u32(&r);
    }
    if (memory && !r.bad) {
        *row = h;
        return OK;
    }
    hierarchy_row_done(&h);
    return memory ? error_set(err, ERR_FORMAT, "hierarchy row of %zu bytes: malformed before byte %zu", size, r.at)
                  : error_memory(err, "a hierarchy row");
}

void hierarchy_row_done(struct hierarchy_row *row)
{
    vec_free(&row->interfaces);
    vec_free(&row->fields);
}
