/* sets.c - the sets of a segment (enum index_set): which of its chunks have a data ID, an object, a location.
 *
 * Each chunk sets a bit for its data IDs in a flat table, and for the others in hash tables. Most values of a chunk
 * repeat: small tables of recent ones filter them. */
#include "reader/index/sections.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static size_t values_bytes(const hs_trace *t)
{
    return ((size_t)t->kind_count + VALUES_KINDS) * sizeof(struct segment_values);
}

bool sets_init(struct sets *s, hs_trace *t)
{
    s->trace = t;
    s->id_bits = malloc(((size_t)t->kind_count + 1) * sizeof *s->id_bits);
    s->values = malloc(values_bytes(t));
    s->handing = handing_new(t);
    s->thrown_uses = thrown_uses_new(t);
    return s->id_bits != NULL && s->values != NULL && s->handing != NULL && s->thrown_uses != NULL;
}

void sets_done(struct sets *s)
{
    free(s->id_bits);
    free(s->values);
    free(s->handing);
    vec_free(&s->open);
    thrown_uses_free(s->thrown_uses);
    exception_lists_done(&s->exceptions);
    for (unsigned i = 0; i < SETS; i++)
        map_free(&s->keys[i]);
    vec_free(&s->blocks);
}

void sets_clear(struct sets *s)
{
    memset(s->id_bits, 0, ((size_t)s->trace->kind_count + 1) * sizeof *s->id_bits);
    memset(s->values, 0, values_bytes(s->trace));
    for (unsigned i = 0; i < SETS; i++)
        map_clear(&s->keys[i]);
    s->blocks.count = s->open.count = 0;
    exception_lists_clear(&s->exceptions);
    thrown_uses_segment(s->thrown_uses);
}

/* ---- a chunk ---- */

static bool add(struct sets *s, enum index_set set, uint32_t id, uint64_t bit)
{
    struct set_entry *e = map_put(&s->keys[set], id);
    if (e == NULL)
        return false;
    if (e->bits == 0 && set == SET_OBJECTS)
        segment_values_object(s->values + s->trace->kind_count, objects_value(s->trace, id));
    e->bits |= bit;
    return true;
}

/* Unless it was there a short time ago. */
static bool add_new(struct sets *s, enum index_set set, uint32_t id, uint64_t bit)
{
    uint32_t *recent = &s->recent[set][(id ^ id >> 8) % RECENT_KEYS];
    if (*recent == id)
        return true;
    *recent = id;
    return add(s, set, id, bit);
}

/* Event i stores an element: its value is the array, that of the next event the index. */
static uint32_t element_part(struct sets *s, const struct chunk_columns *c, uint32_t i)
{
    const bool known = i + 1 < c->count && effects_get(s->trace, c->ids[i + 1])->event == EVENT_ARRAY_STORE_INDEX;
    return known ? location_part_of_element(c->values[i + 1]) : LOCATION_PART_UNKNOWN;
}

/* ---- what is given away ---- */

static bool add_handed(struct sets *s, const struct chunk_columns *c, uint32_t i, const struct exception_use *first)
{
    const uint32_t behind = i + 1, object = (uint32_t)c->values[i];
    const enum handed may = handing_of(s->handing, c->ids[i], c->ids + behind, c->count - behind);
    if (may != HANDED_OPEN)
        return may == HANDED_NOT || add_new(s, SET_HANDED, object, s->bit);
    struct open_hand *to = vec_push(&s->open);
    if (to != NULL)
        *to = (struct open_hand){ .thread = first->thread,
                                  .id = c->ids[i],
                                  .object = object,
                                  .bit = s->bit,
                                  .next = first->position + c->count,
                                  .gap = gap_behind(s->trace, c->stamps[i]) };
    return to != NULL;
}

/* The next chunk of a thread begins; NULL: the segment ends, and what is open may be given away. */
static bool settle(struct sets *s, const struct chunk_columns *c, const struct chunk_ref *chunk, uint32_t thread)
{
    size_t left = 0;
    for (size_t i = 0; i < s->open.count; i++) {
        const struct open_hand o = s->open.items[i];
        if (c != NULL && o.thread != thread) {
            s->open.items[left++] = o;
            continue;
        }
        const bool follows = c != NULL && o.next == chunk->before && chunk->first_stamp < o.gap;
        if ((!follows || handing_of(s->handing, o.id, c->ids, c->count) != HANDED_NOT) &&
            !add(s, SET_HANDED, o.object, o.bit))
            return false;
    }
    s->open.count = left;
    return true;
}

static bool add_object_event(struct sets *s, const struct chunk_columns *c, uint32_t i, const struct effect *effect,
                             const struct exception_use *first)
{
    const uint64_t bit = s->bit;
    const uint32_t object = (uint32_t)c->values[i];
    switch (effect->event) {
    case EVENT_PUT_INSTANCE_FIELD: return add_new(s, SET_WRITTEN, location_key(object, effect->slot), bit);
    case EVENT_GET_INSTANCE_FIELD: return add_new(s, SET_READ, location_key(object, effect->slot), bit);
    case EVENT_ARRAY_STORE: return add_new(s, SET_WRITTEN, location_key(object, element_part(s, c, i)), bit);
    default: return add_handed(s, c, i, first);
    }
}

/* The chunks of the segment, but this one, that have the object. */
static uint64_t chunks_before(const struct sets *s, uint32_t object, uint64_t bit)
{
    const struct set_entry *e = map_get(&s->keys[SET_OBJECTS], object);
    return e != NULL ? e->bits & ~bit : 0;
}

static bool add_use(struct sets *s, const struct chunk_columns *c, uint32_t i, unsigned event,
                    const struct exception_use *first)
{
    struct exception_use use = *first;
    use.stamp = c->stamps[i];
    use.position += i;
    use.object = (uint32_t)c->values[i];
    use.dataid = c->ids[i];
    const uint64_t chunks = is_exception_event(event) ? chunks_before(s, use.object, s->bit) : 0;
    return thrown_uses_event(s->thrown_uses, &use, event, chunks, &s->exceptions);
}

bool sets_add_chunk(struct sets *s, const struct chunk_columns *c, const struct chunk_ref *chunk, uint32_t thread)
{
    const uint8_t *kinds = s->trace->kinds;
    const uint64_t bit = s->bit = index_bit(chunk);
    const struct exception_use first = { .position = chunk->before, .thread = thread };
    thrown_uses_chunk(s->thrown_uses, chunk);
    memset(s->recent, 0, sizeof s->recent);
    segment_values_add(s->values, kinds, c);
    if (!settle(s, c, chunk, thread))
        return false;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t id = c->ids[i];
        const uint64_t value = c->values[i];
        s->id_bits[id] |= bit; /* the decoder has checked the ids against the kinds */
        if ((kinds[id] & 0x7f) != KIND_REF || value == 0 || value > UINT32_MAX)
            continue;
        const struct effect *effect = effects_get(s->trace, id);
        if (!add_new(s, SET_OBJECTS, (uint32_t)value, bit) || !add_object_event(s, c, i, effect, &first) ||
            !add_use(s, c, i, effect->event, &first))
            return false;
    }
    return true;
}

/* ---- writing ---- */

static bool write_block(struct sets *s, const struct set_entry *entries, size_t n, struct packed *out)
{
    struct writer *w = &out->raw;
    w->size = 0;
    write_varint(w, n);
    for (size_t i = 1; i < n; i++)
        write_varint(w, entries[i].id - entries[i - 1].id - 1);
    for (size_t i = 0; i < n; i++)
        write_u1(w, (entries[i].bits & (entries[i].bits - 1)) == 0    ? (unsigned)__builtin_ctzll(entries[i].bits)
                    : i > 0 && entries[i].bits == entries[i - 1].bits ? 64
                                                                      : 65);
    for (size_t i = 0; i < n; i++)
        if ((entries[i].bits & (entries[i].bits - 1)) != 0 && !(i > 0 && entries[i].bits == entries[i - 1].bits))
            write_le8(w, entries[i].bits);
    struct block_row *row = vec_push(&s->blocks);
    if (row == NULL || w->bad)
        return false;
    *row = (struct block_row){ .first_id = (uint32_t)entries[0].id,
                               .raw_bytes = (uint32_t)w->size,
                               .offset = out->body.size };
    row->stored_bytes = pack(out, w->data, w->size);
    if (out->body.bad)
        return false;
    row->check = XXH32(out->body.data + row->offset, row->stored_bytes, 0);
    return true;
}

static bool write_blocks(struct sets *s, const struct set_entry *entries, size_t n, struct packed *out)
{
    for (size_t i = 0; i < n; i += BLOCK_IDS)
        if (!write_block(s, entries + i, n - i < BLOCK_IDS ? n - i : BLOCK_IDS, out))
            return false;
    return true;
}

/* Sorts by id: bytes of the id from the lowest up, into `other` and back. */
static void sort_entries(struct set_entry *entries, struct set_entry *other, size_t n)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t at[256] = { 0 }, sum = 0;
        for (size_t i = 0; i < n; i++)
            at[entries[i].id >> shift & 0xff]++;
        for (unsigned k = 0; k < 256; k++) {
            size_t count = at[k];
            at[k] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            other[at[entries[i].id >> shift & 0xff]++] = entries[i];
        struct set_entry *swap = entries;
        entries = other;
        other = swap;
    }
}

/* The entries of a set into `list`; how many. */
static size_t collect(const struct sets *s, enum index_set set, struct set_entry *list, struct set_entry *other)
{
    size_t n = 0;
    if (set == SET_DATAIDS) {
        for (uint32_t id = 0; id < s->trace->kind_count; id++)
            if (s->id_bits[id] != 0)
                list[n++] = (struct set_entry){ id, s->id_bits[id] };
        return n;
    }
    for (size_t i = 0; i < s->keys[set].cap; i++)
        if (s->keys[set].slots[i].id != 0)
            list[n++] = s->keys[set].slots[i];
    sort_entries(list, other, n);
    return n;
}

bool sets_write(struct sets *s, struct segment_directory *d, struct packed *out)
{
    size_t most = s->trace->kind_count;
    for (unsigned i = 0; i < SETS; i++)
        most = s->keys[i].count > most ? s->keys[i].count : most;
    struct set_entry *list = malloc((most + 1) * sizeof *list), *other = malloc((most + 1) * sizeof *other);
    bool ok = list != NULL && other != NULL && settle(s, NULL, NULL, 0);
    for (unsigned i = 0; ok && i < SETS; i++) {
        const size_t before = s->blocks.count;
        ok = write_blocks(s, list, collect(s, (enum index_set)i, list, other), out);
        d->blocks[i] = (uint32_t)(s->blocks.count - before);
    }
    free(list);
    free(other);
    return ok;
}
