/* saved.c - encoder and decoder of saved classes, side by side; see saved.h. */
#include "weaver/saved.h"

#include <stdio.h>
#include <xxhash.h>

#include "formats/journal.h" /* KIND_JOINED */
#include "weaver_hash.h"

static const char magic[8] = { 'H', 'S', 'W', 'O', 'V', 'E', 'N', '1' };
enum {
    FLAG_FEW_CONSTANTS = 1,
    FLAG_ORDER_TOTAL = 2,
    FLAG_UNCAUGHT = 4,
    FLAG_SKIP_GENERATED = 8,
    FLAG_COUNTS_ONLY = 16,
    FLAG_OUTPUT = 32,
    FLAG_LEFT_OUT = 64,
    FLAG_INPUTS = 128,
    FLAG_COUNT_ROUNDS = 256,
    FLAG_DIRECT = 512,
    FLAG_ASKS_LOADER = 1024,
    FLAG_ASKED = 2048,
    FLAG_FOLD_TRIVIAL = 4096,
    FLAG_FRAMES_ONLY = 8192,
    HASH_BYTES = sizeof WEAVER_HASH - 1
};
_Static_assert(sizeof magic + HASH_BYTES + 4 + 4 + 8 + 3 * SAVED_KEY_BYTES == SAVED_HEAD_BYTES, "saved.h");

static uint32_t flags_of(const struct weave_config *config)
{
    return (config->few_constants ? FLAG_FEW_CONSTANTS : 0u) | (config->order_total ? FLAG_ORDER_TOTAL : 0u) |
           (config->uncaught ? FLAG_UNCAUGHT : 0u) | (config->skip_generated ? FLAG_SKIP_GENERATED : 0u) |
           (config->counts_only ? FLAG_COUNTS_ONLY : 0u) | (config->output ? FLAG_OUTPUT : 0u) |
           (config->left_out ? FLAG_LEFT_OUT : 0u) | (config->inputs ? FLAG_INPUTS : 0u) |
           (config->count_rounds ? FLAG_COUNT_ROUNDS : 0u) | (config->direct ? FLAG_DIRECT : 0u) |
           (config->asks_loader ? FLAG_ASKS_LOADER : 0u) | (config->asked ? FLAG_ASKED : 0u) |
           (config->fold_trivial ? FLAG_FOLD_TRIVIAL : 0u) | (config->frames_only ? FLAG_FRAMES_ONLY : 0u);
}

struct saved_key saved_key_of(const void *data, size_t size)
{
    struct saved_key key;
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(data, size));
    memcpy(key.bytes, canonical.digest, sizeof key.bytes);
    return key;
}

void saved_name(const struct weave_config *config, const void *original, size_t size, char out[2 * SAVED_KEY_BYTES + 1])
{
    struct saved_key of_class = saved_key_of(original, size);
    uint8_t all[HASH_BYTES + 8 + SAVED_KEY_BYTES];
    memcpy(all, WEAVER_HASH, HASH_BYTES);
    put_le4(all + HASH_BYTES, config->groups);
    put_le4(all + HASH_BYTES + 4, flags_of(config));
    memcpy(all + HASH_BYTES + 8, of_class.bytes, SAVED_KEY_BYTES);
    struct saved_key key = saved_key_of(all, sizeof all);
    for (size_t i = 0; i < SAVED_KEY_BYTES; i++)
        (void)snprintf(out + 2 * i, 3, "%02x", key.bytes[i]);
}

/* ---- head ---- */

static void head_encode(const struct saved_head *head, struct writer *w)
{
    write_bytes(w, magic, sizeof magic);
    write_bytes(w, WEAVER_HASH, HASH_BYTES);
    write_le4(w, head->groups);
    write_le4(w, head->flags);
    write_le8(w, head->size);
    write_bytes(w, head->original.bytes, SAVED_KEY_BYTES);
    write_bytes(w, head->woven.bytes, SAVED_KEY_BYTES);
    write_bytes(w, head->checksum.bytes, SAVED_KEY_BYTES);
}

enum status saved_head_decode(const void *data, struct saved_head *head, struct error *err)
{
    struct reader r = reader_of(data, SAVED_HEAD_BYTES);
    if (memcmp(read_span(&r, sizeof magic), magic, sizeof magic) != 0)
        return error_set(err, ERR_FORMAT, "it holds no woven class");
    if (memcmp(read_span(&r, HASH_BYTES), WEAVER_HASH, HASH_BYTES) != 0)
        return error_set(err, ERR_FORMAT, "another version of the weaver made it");
    head->groups = read_le4(&r);
    head->flags = read_le4(&r);
    head->size = read_le8(&r);
    memcpy(head->original.bytes, read_span(&r, SAVED_KEY_BYTES), SAVED_KEY_BYTES);
    memcpy(head->woven.bytes, read_span(&r, SAVED_KEY_BYTES), SAVED_KEY_BYTES);
    memcpy(head->checksum.bytes, read_span(&r, SAVED_KEY_BYTES), SAVED_KEY_BYTES);
    return OK;
}

bool saved_fits(const struct saved_head *head, const struct weave_config *config, bool any_constants)
{
    uint32_t ignored = any_constants ? FLAG_FEW_CONSTANTS : 0u;
    return head->groups == config->groups && ((head->flags ^ flags_of(config)) & ~ignored) == 0;
}

/* ---- the class ----
 *
 * Texts are as in the constant pool, not converted: class_row_encode does that when the row is stored. */

static void put_text(struct writer *w, struct text t) { write_text(w, t.data, t.size); }
static void put_writer(struct writer *w, const struct writer *from)
{
    write_text(w, (const char *)from->data, from->size);
}

static struct text get_text(struct reader *r)
{
    struct text t;
    t.data = read_text(r, &t.size);
    return t.data != NULL ? t : TEXT_OF("");
}

static uint32_t get_u32(struct reader *r)
{
    uint64_t v = read_varint(r);
    r->bad |= v > UINT32_MAX;
    return (uint32_t)v;
}

static void get_writer(struct reader *r, struct writer *to)
{
    struct text t = get_text(r);
    write_bytes(to, t.data, t.size);
}

static void row_encode(const struct class_row *row, struct writer *w)
{
    put_text(w, row->name);
    put_text(w, row->super);
    put_text(w, row->source_file);
    write_varint(w, row->major);
    write_varint(w, row->minor);
    write_varint(w, row->access);
    write_le8(w, row->hash);
    write_varint(w, row->size);
    write_varint(w, row->first_dataid);
    write_varint(w, row->methods.count);
    for (size_t i = 0; i < row->methods.count; i++) {
        const struct method_row *m = &row->methods.items[i];
        put_text(w, m->name);
        put_text(w, m->desc);
        write_varint(w, m->access);
        write_varint(w, m->code_length);
        write_le8(w, m->hash);
        write_varint(w, m->groups);
        write_u1(w, (m->followed ? 1u : 0u) | (m->inputs ? 2u : 0u));
        put_text(w, m->reason);
    }
}

static void row_decode(struct reader *r, struct class_row *row)
{
    row->name = get_text(r);
    row->super = get_text(r);
    row->source_file = get_text(r);
    row->major = get_u32(r);
    row->minor = get_u32(r);
    row->access = get_u32(r);
    row->hash = read_le8(r);
    row->size = read_varint(r);
    row->first_dataid = get_u32(r);
    for (uint32_t n = get_u32(r); n > 0 && !r->bad; n--) {
        struct method_row *m = vec_push(&row->methods);
        if (m == NULL) {
            r->bad = true;
            return;
        }
        m->name = get_text(r);
        m->desc = get_text(r);
        m->access = get_u32(r);
        m->code_length = get_u32(r);
        m->hash = read_le8(r);
        m->groups = get_u32(r);
        unsigned follows = read_u1(r);
        m->followed = (follows & 1) != 0;
        m->inputs = (follows & 2) != 0;
        m->reason = get_text(r);
    }
}

static void dataids_encode(const struct dataid_rows *d, struct writer *w)
{
    write_varint(w, d->count);
    write_varint(w, d->string_count);
    put_writer(w, &d->rows);
    put_writer(w, &d->kinds);
    put_writer(w, &d->roles);
    put_writer(w, &d->places);
    put_writer(w, &d->strings);
}

static void dataids_decode(struct reader *r, struct dataid_rows *d)
{
    d->count = get_u32(r);
    d->string_count = get_u32(r);
    get_writer(r, &d->rows);
    get_writer(r, &d->kinds);
    get_writer(r, &d->roles);
    get_writer(r, &d->places);
    get_writer(r, &d->strings);
}

bool saved_is_reduced(const struct weave_result *r)
{
    for (size_t i = 0; i < r->row.methods.count; i++)
        if (r->row.methods.items[i].reason.size > 0)
            return true;
    return false;
}

bool saved_encode(const struct weave_config *config, const void *original, size_t size, const struct weave_result *r,
                  struct writer *w)
{
    size_t start = w->size;
    struct saved_head head = { .groups = config->groups, .flags = flags_of(config) };
    if (r->bytes.size == 0)
        return false;
    head_encode(&head, w); /* room for it */
    write_text(w, original, size);
    put_writer(w, &r->bytes);
    write_varint(w, r->hook_calls);
    write_u1(w, r->asked);
    row_encode(&r->row, w);
    dataids_encode(&r->dataids, w);
    put_writer(w, &r->ids);
    if (w->bad)
        return false;
    const uint8_t *body = w->data + start + SAVED_HEAD_BYTES;
    head.size = w->size - start - SAVED_HEAD_BYTES;
    head.original = saved_key_of(original, size);
    head.woven = saved_key_of(r->bytes.data, r->bytes.size);
    head.checksum = saved_key_of(body, head.size);
    struct writer at_start = { .data = w->data + start, .cap = SAVED_HEAD_BYTES };
    head_encode(&head, &at_start);
    return true;
}

/* The numbers that others use as indices. */
static bool rows_hold(const struct weave_result *r)
{
    const struct dataid_rows *d = &r->dataids;
    if (d->kinds.size != d->count || d->roles.size != d->count || d->places.size != sizeof(uint64_t) * (size_t)d->count)
        return false;
    for (uint32_t i = 0; i < d->count; i++)
        if (!kind_known(d->kinds.data[i] & ~(unsigned)KIND_JOINED) ||
            dataid_rows_place(d, i) >> 8 >= r->row.methods.count)
            return false;
    return true;
}

/* Gives the data IDs in the class their new numbers. False: something else stands where they should be. */
static bool renumber(struct weave_result *r, uint32_t first)
{
    uint32_t last = 0;
    for (size_t i = 0; i + 4 <= r->ids.size; i += 4) {
        uint32_t at = le4(r->ids.data + i);
        if (at <= last || r->bytes.size < 4 || at > r->bytes.size - 4)
            return false;
        uint32_t distance = be4(r->bytes.data + at) - r->row.first_dataid;
        if (distance >= r->dataids.count)
            return false;
        put_be4(r->bytes.data + at, first + distance);
        last = at;
    }
    r->row.first_dataid = first;
    return r->ids.size % 4 == 0;
}

enum status saved_decode(const struct weave_config *config, struct writer *data, struct weave_result *out,
                         struct text *original, struct text *woven, struct error *err)
{
    struct saved_head head;
    *out = (struct weave_result){ .strings = *data };
    *data = (struct writer){ 0 };
    if (out->strings.size < SAVED_HEAD_BYTES)
        return error_set(err, ERR_FORMAT, "it is cut off");
    enum status s = saved_head_decode(out->strings.data, &head, err);
    if (s != OK)
        return s;
    struct reader r = reader_of(out->strings.data + SAVED_HEAD_BYTES, out->strings.size - SAVED_HEAD_BYTES);
    struct saved_key checksum = saved_key_of(r.data, r.size);
    if (head.size != r.size)
        return error_set(err, ERR_FORMAT, "it is cut off");
    if (memcmp(&checksum, &head.checksum, sizeof checksum) != 0)
        return error_set(err, ERR_FORMAT, "its checksum is wrong");
    if (!saved_fits(&head, config, true))
        return error_set(err, ERR_FORMAT, "it was woven with other options");
    *original = get_text(&r);
    *woven = get_text(&r);
    write_bytes(&out->bytes, woven->data, woven->size);
    out->hook_calls = get_u32(&r);
    out->asked = read_u1(&r) != 0;
    row_decode(&r, &out->row);
    dataids_decode(&r, &out->dataids);
    get_writer(&r, &out->ids);
    const struct dataid_rows *d = &out->dataids;
    if (out->bytes.bad || out->ids.bad || d->rows.bad || d->kinds.bad || d->roles.bad || d->places.bad ||
        d->strings.bad)
        return error_set(err, ERR_MEMORY, "no memory for a woven class");
    if (r.bad || r.at != r.size || !rows_hold(out) || !renumber(out, config->first_dataid))
        return error_set(err, ERR_FORMAT, "it is malformed");
    out->row.dataid_count = d->count;
    out->row.state = CLASS_WOVEN;
    return OK;
}
