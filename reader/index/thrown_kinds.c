/* thrown_kinds.c - what exceptions of one kind have in common, as exceptions are listed: type, message, type of the
 * cause. An index has it of each exception, so that equal ones are counted without reading what each of them held.
 *
 *     kinds    columns (columns.c): varint type, varint type of the cause, 8 bytes hash of the message */
#include <stdlib.h>
#include <string.h>

#include "reader/index/sections.h"

#define CAUSE_OF_NO_TYPE UINT32_MAX

/* Does getMessage give what the field of Throwable has, so that nothing has to be completed (query/message.c)? */
static bool message_is_kept(const struct thrown_row *row, const struct hs_type *type)
{
    return row->message_redacted || type == NULL || type->name == NULL ||
           (!row->message_overridden &&
            (row->has_message || strcmp(type->name, "java.lang.NullPointerException") != 0));
}

bool thrown_kind_of(hs_trace *t, uint32_t id, const struct thrown_row *row, struct thrown_kind *out)
{
    const struct hs_type *type = hs_type_get(t, objects_class(t, id));
    *out = (struct thrown_kind){ .type = objects_class(t, id),
                                 .message = row->has_message ? map_hash(row->message.data, row->message.size) : 0 };
    if (row->cause != 0) { /* behind the message, whose memory another object may take */
        const uint32_t cause = objects_class(t, row->cause);
        out->cause = cause != 0 ? cause : CAUSE_OF_NO_TYPE;
    }
    return message_is_kept(row, type);
}

static uint64_t hash_of_name(const hs_trace *t, uint32_t class_id)
{
    const struct hs_type *type = class_id != 0 ? hs_type_get(t, class_id) : NULL;
    return class_id == 0 ? 0 : type != NULL && type->name != NULL ? map_hash(type->name, strlen(type->name)) : 1;
}

/* Types of one name, of several class loaders, are the same here. */
uint64_t thrown_alike(const hs_trace *t, const struct thrown_kind *kind)
{
    const uint64_t parts[] = { hash_of_name(t, kind->type), hash_of_name(t, kind->cause), kind->message };
    return map_hash(parts, sizeof parts);
}

/* ---- while a segment is built ---- */

struct kind_number {
    uint64_t key;    /* a hash of the kind, or the object */
    uint32_t number; /* of the kind: position + 1; of an object also 0 */
    bool known;
};
struct numbering {
    struct exception_lists *lists;
    MAP(struct kind_number) kinds, objects;
};

/* The number of the kind; 0: out of memory. */
static uint32_t number_of(struct numbering *n, const struct thrown_kind *kind)
{
    uint64_t hash = map_hash(kind, sizeof *kind);
    struct kind_number *at;
    for (; (at = map_put(&n->kinds, hash)) != NULL && at->known; hash = map_next_hash(hash))
        if (memcmp(&n->lists->kinds.items[at->number - 1], kind, sizeof *kind) == 0)
            return at->number;
    struct thrown_kind *new = at != NULL ? vec_push(&n->lists->kinds) : NULL;
    if (new == NULL)
        return 0;
    *new = *kind;
    at->known = true;
    return at->number = (uint32_t)n->lists->kinds.count;
}

/* False: out of memory. */
static bool number_object(struct numbering *n, hs_trace *t, uint32_t id, uint32_t *number)
{
    const struct text data = objects_thrown(t, id);
    struct thrown_row row = { 0 };
    struct thrown_kind kind;
    struct error err;
    *number = 0;
    if (data.size > 0 && thrown_row_decode(data.data, data.size, &row, &err) != OK)
        return true;
    const bool known = thrown_kind_of(t, id, &row, &kind);
    thrown_row_done(&row);
    return !known || (*number = number_of(n, &kind)) != 0;
}

bool thrown_kinds_find(hs_trace *t, struct exception_lists *l)
{
    struct numbering n = { .lists = l };
    bool ok = true;
    for (size_t i = 0; ok && i < l->events.count; i++) {
        struct exception_event *e = &l->events.items[i];
        struct kind_number *object = map_put(&n.objects, e->object);
        ok = object != NULL && (object->known || number_object(&n, t, e->object, &object->number));
        if (object != NULL) {
            object->known = true;
            e->kind = object->number;
        }
    }
    map_free(&n.kinds);
    map_free(&n.objects);
    return ok;
}

/* ---- in the index ---- */

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

enum { KIND_TYPE, KIND_CAUSE, KIND_MESSAGE, KIND_COLUMNS };

void thrown_kinds_encode(const struct exception_lists *l, struct writer *w)
{
    struct column_writer kinds = { .rows = l->kinds.count };
    for (size_t i = 0; i < l->kinds.count; i++) {
        write_varint(&kinds.columns[KIND_TYPE], l->kinds.items[i].type);
        write_varint(&kinds.columns[KIND_CAUSE], l->kinds.items[i].cause);
        write_le8(&kinds.columns[KIND_MESSAGE], l->kinds.items[i].message);
    }
    columns_end(&kinds, KIND_COLUMNS, w);
}

/* False: out of memory. */
bool thrown_kinds_decode(struct reader *r, struct exception_lists *to)
{
    struct column_reader rows;
    struct reader *c = rows.columns;
    if (!columns_begin(r, KIND_COLUMNS, &rows))
        return true;
    for (uint64_t n = rows.rows; n > 0 && !r->bad; n--) {
        struct thrown_kind *kind = vec_push(&to->kinds);
        if (kind == NULL)
            return false;
        kind->type = (uint32_t)read_varint(&c[KIND_TYPE]);
        kind->cause = (uint32_t)read_varint(&c[KIND_CAUSE]);
        kind->message = read_le8(&c[KIND_MESSAGE]);
        r->bad = c[KIND_TYPE].bad || c[KIND_CAUSE].bad || c[KIND_MESSAGE].bad;
    }
    return true;
}
