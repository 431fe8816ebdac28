/* object_records.c - see object_records.h. */
#include "logging/drain/object_records.h"

#include <stdlib.h>

#include "formats/journal.h"
#include "formats/object_hash.h"

void object_records_done(struct object_records *r)
{
    vec_free(&r->entries);
    for (size_t i = 0; i < r->carried.count; i++)
        writer_free(&r->carried.items[i].text);
    vec_free(&r->carried);
    writer_free(&r->text);
    writer_free(&r->blob);
}

static struct object_entry *add(struct object_records *r, uint32_t id, uint32_t class_id)
{
    struct object_entry *o = vec_push(&r->entries);
    if (o != NULL)
        *o = (struct object_entry){ .id = id, .class_id = class_id };
    r->no_memory |= o == NULL;
    return o;
}

void object_records_add(struct object_records *r, uint32_t id, uint32_t class_id) { (void)add(r, id, class_id); }

/* The entry that this piece continues, NULL if it begins one. */
static struct object_entry *continued(const struct object_records *r, uint32_t id)
{
    struct object_entry *last = r->entries.count > 0 ? &r->entries.items[r->entries.count - 1] : NULL;
    return last != NULL && last->id == id && r->text_continues ? last : NULL;
}

/* id and byte count, class id, length and flags, content. */
bool object_records_add_text(struct object_records *r, const uint64_t *p, uint64_t words, bool thrown)
{
    if (words < 3)
        return false;
    uint32_t id = object_id(p[0]), bytes = (uint32_t)(p[0] >> 32);
    uint64_t length = p[2] >> 8, flags = p[2] & 0xff;
    if (((uint64_t)bytes + 7) / 8 > words - 3)
        return false;
    struct object_entry *o = continued(r, id);
    if (o == NULL) {
        o = add(r, id, object_id(p[1]));
        if (o == NULL)
            return true;
        if (r->text.size == 0)
            write_u1(&r->text, 0); /* offset 0 is not used, because it means no text */
        *(thrown ? &o->thrown : &o->bytes) = (struct text){ (const char *)(uintptr_t)r->text.size, 0 };
        o->is_value = !thrown && (flags & STRING_VALUE) != 0;
        o->has_string = !thrown && !o->is_value;
        o->latin1 = !thrown && (flags & STRING_LATIN1) != 0;
        o->length = thrown ? 0 : length;
        o->cut = !(flags & STRING_FIRST); /* its beginning was lost with the recorder */
    }
    o->cut |= (flags & STRING_CUT) != 0;
    write_bytes(&r->text, p + 3, bytes);
    *(thrown ? &o->thrown.size : &o->bytes.size) += bytes;
    r->text_continues = (flags & STRING_MORE) != 0;
    return true;
}

static struct text *open_text(struct object_entry *o) { return o->has_string || o->is_value ? &o->bytes : &o->thrown; }

void object_records_resume(struct object_records *r, uint32_t desc)
{
    r->text_continues = false;
    for (size_t i = 0; i < r->carried.count; i++) {
        struct carried_text *c = &r->carried.items[i];
        if (c->desc != desc)
            continue;
        struct object_entry *o = vec_push(&r->entries);
        r->no_memory |= o == NULL;
        if (o == NULL)
            return;
        *o = c->entry;
        write_u1(&r->text, 0);
        *open_text(o) = (struct text){ (const char *)(uintptr_t)r->text.size, c->text.size };
        write_bytes(&r->text, c->text.data, c->text.size);
        writer_free(&c->text);
        *c = r->carried.items[--r->carried.count];
        r->text_continues = true;
        return;
    }
}

bool object_records_carry(struct object_records *r, uint32_t desc)
{
    if (!r->text_continues || r->entries.count == 0)
        return true;
    struct carried_text *c = vec_push(&r->carried);
    if (c == NULL)
        return false;
    *c = (struct carried_text){ .desc = desc, .entry = r->entries.items[--r->entries.count] };
    const struct text *t = open_text(&c->entry);
    write_bytes(&c->text, r->text.data + (uintptr_t)t->data, t->size);
    return !c->text.bad;
}

/* Where its text begins, which is later for what is recorded later; 0 without one. */
static uintptr_t text_at(const struct object_entry *o)
{
    return (uintptr_t)(o->has_string ? o->bytes.data : o->thrown.data);
}

/* By id, entries of the same id in order of recording: an object may be described again, and better. */
static int by_id(const void *a, const void *b)
{
    const struct object_entry *x = a, *y = b;
    uintptr_t x_at = text_at(x), y_at = text_at(y);
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x_at < y_at ? -1 : x_at > y_at;
}

/* Keeps only the last entry of each object. */
static void sort_and_unite(object_entry_vec *v)
{
    struct object_entry *o = v->items;
    size_t count = 0;
    if (v->count > 1)
        qsort(o, v->count, sizeof *o, by_id);
    for (size_t i = 0; i < v->count; i++) {
        if (count > 0 && o[count - 1].id == o[i].id)
            count--;
        o[count++] = o[i];
    }
    v->count = count;
}

/* Offset to address: the text does not grow any more. */
static void resolve(const struct object_records *r, struct text *t)
{
    *t = t->size > 0 ? (struct text){ (const char *)r->text.data + (uintptr_t)t->data, t->size }
                     : (struct text){ "", 0 };
}

static size_t page_end(const struct object_records *r, size_t first)
{
    const struct object_entry *o = r->entries.items;
    size_t end = first + 1;
    while (end < r->entries.count && o[end].id >> OBJECT_PAGE_BITS == o[first].id >> OBJECT_PAGE_BITS)
        end++;
    return end;
}

static enum status store_page(struct object_records *r, size_t first, size_t end, struct store *store,
                              struct bound *bound, uint64_t chunk, struct error *err)
{
    const struct object_entry *o = r->entries.items + first;
    r->blob.size = 0;
    enum status s = objects_encode(o, end - first, &r->blob, err);
    if (s != OK)
        return s;
    if (bound != NULL && !bound_shows(bound, o->id, chunk))
        return error_set(err, ERR_MEMORY, "no memory for the objects that chunks show");
    return store_put(store, DB_OBJECT, object_key(o->id, r->next_fragment++), r->blob.data, r->blob.size, err);
}

enum status object_records_store(struct object_records *r, struct store *store, struct bound *bound, uint64_t chunk,
                                 struct error *err)
{
    enum status s = r->text.bad || r->no_memory ? error_set(err, ERR_MEMORY, "no memory for objects") : OK;
    if (s != OK)
        goto out;
    sort_and_unite(&r->entries);
    for (size_t i = 0; i < r->entries.count; i++) {
        resolve(r, &r->entries.items[i].bytes);
        resolve(r, &r->entries.items[i].thrown);
    }
    for (size_t i = 0, end; i < r->entries.count; i = end) {
        end = page_end(r, i);
        s = store_page(r, i, end, store, bound, chunk, err);
        if (s != OK)
            goto out;
    }
out:
    object_records_clear(r);
    return s;
}

void object_records_clear(struct object_records *r)
{
    r->entries.count = 0;
    r->text.size = 0;
    r->no_memory = false;
}

enum status object_records_store_carried(struct object_records *r, struct store *store, struct bound *bound,
                                         uint64_t chunk, struct error *err)
{
    while (r->carried.count > 0) {
        object_records_resume(r, r->carried.items[0].desc);
        if (r->entries.count > 0)
            r->entries.items[r->entries.count - 1].cut = true;
        enum status s = object_records_store(r, store, bound, chunk, err);
        if (s != OK)
            return s;
    }
    return OK;
}
