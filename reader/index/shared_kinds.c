/* shared_kinds.c - the kinds of the exceptions of a segment. A program throws the same again and again: a segment names
 * those that it has in common with an earlier one, which has all of its own.
 *
 *     section  varint 0 | kinds (thrown_kinds.c)
 *              varint back: shared with segment - back | its own kinds | varint n | n times, in the order of the
 *                     segment: svarint position there + 1 - that of the last one; 0: the next of its own */
#include "reader/index/sections.h"

static const struct thrown_kind *base_kind(const struct kind_base *base, const struct thrown_kind *kind, uint32_t *at)
{
    const struct kind_at *found = map_get(&base->by_hash, map_hash(kind, sizeof *kind));
    const struct thrown_kind *same = found != NULL ? &base->kinds.items[found->at] : NULL;
    if (same == NULL || memcmp(same, kind, sizeof *kind) != 0)
        return NULL;
    *at = found->at;
    return same;
}

/* False: out of memory. */
static bool set_base(struct kind_base *base, uint64_t segment, const struct exception_lists *l)
{
    base->segment = segment;
    base->kinds.count = 0;
    map_clear(&base->by_hash);
    for (size_t i = 0; i < l->kinds.count; i++) {
        struct thrown_kind *kind = vec_push(&base->kinds);
        struct kind_at *at = map_put(&base->by_hash, map_hash(&l->kinds.items[i], sizeof *kind));
        if (kind == NULL || at == NULL)
            return false;
        *kind = l->kinds.items[i];
        at->at = (uint32_t)i;
    }
    return true;
}

static bool encode_shared(const struct kind_base *base, uint64_t segment, const struct exception_lists *l,
                          struct writer *w)
{
    struct exception_lists own = { 0 };
    struct writer places = { 0 };
    uint32_t last = 0, at;
    bool ok = true;
    for (size_t i = 0; i < l->kinds.count && ok; i++) {
        if (base_kind(base, &l->kinds.items[i], &at) != NULL) {
            write_svarint(&places, (int64_t)at + 1 - (int64_t)last);
            last = at + 1;
            continue;
        }
        struct thrown_kind *kind = vec_push(&own.kinds);
        ok = kind != NULL;
        if (ok)
            *kind = l->kinds.items[i];
        write_svarint(&places, 0);
    }
    write_varint(w, segment - base->segment);
    thrown_kinds_encode(&own, w);
    write_varint(w, l->kinds.count);
    write_bytes(w, places.data, places.size);
    ok = ok && !places.bad;
    writer_free(&places);
    exception_lists_done(&own);
    return ok;
}

bool shared_kinds_encode(struct kind_base *base, uint64_t segment, const struct exception_lists *l, struct writer *w)
{
    size_t shared = 0;
    uint32_t at;
    for (size_t i = 0; i < l->kinds.count && segment > base->segment; i++)
        shared += base_kind(base, &l->kinds.items[i], &at) != NULL;
    if (shared > l->kinds.count / 2)
        return encode_shared(base, segment, l, w);
    write_varint(w, 0);
    thrown_kinds_encode(l, w);
    return l->kinds.count == 0 || set_base(base, segment, l);
}

void kind_base_done(struct kind_base *base)
{
    vec_free(&base->kinds);
    map_free(&base->by_hash);
}

/* The kinds of a segment that has all of its own. False: out of memory; `*damaged`: it is not one. */
static bool read_base(hs_trace *t, uint64_t segment, struct exception_lists *to, bool *damaged)
{
    size_t size;
    uint8_t *data = index_section(t, segment, SECTION_KINDS, &size);
    struct reader r = reader_of(data, data != NULL ? size : 0);
    const bool room = data == NULL || read_varint(&r) != 0 || thrown_kinds_decode(&r, to);
    *damaged = data == NULL || r.bad;
    free(data);
    return room;
}

/* False: out of memory. */
static bool decode_shared(struct reader *r, const struct exception_lists *base, struct exception_lists *to)
{
    struct exception_lists own = { 0 };
    bool room = thrown_kinds_decode(r, &own);
    uint64_t last = 0, next = 0;
    for (uint64_t n = read_varint(r); n > 0 && room && !r->bad; n--) {
        const uint64_t behind = (uint64_t)read_svarint(r);
        const bool is_own = behind == 0;
        last += behind;
        if (is_own ? next >= own.kinds.count : last == 0 || last > base->kinds.count) {
            r->bad = true;
            break;
        }
        struct thrown_kind *kind = vec_push(&to->kinds);
        room = kind != NULL;
        if (room)
            *kind = is_own ? own.kinds.items[next++] : base->kinds.items[last - 1];
    }
    exception_lists_done(&own);
    return room;
}

enum status index_kinds(hs_trace *t, uint64_t segment, struct exception_lists *to, struct error *err)
{
    struct exception_lists base = { 0 };
    size_t size;
    uint8_t *data = index_section(t, segment, SECTION_KINDS, &size);
    struct reader r = reader_of(data, data != NULL ? size : 0);
    const uint64_t back = read_varint(&r);
    bool damaged = r.bad || back > segment, room = true;
    if (!damaged && back == 0)
        room = thrown_kinds_decode(&r, to);
    else if (!damaged)
        room = read_base(t, segment - back, &base, &damaged) && (damaged || decode_shared(&r, &base, to));
    damaged |= r.bad;
    exception_lists_done(&base);
    free(data);
    return !room ? error_memory(err, "%s", t->dir) : damaged ? ERR_NOT_FOUND : OK;
}
