/* target_derived.c - derived chunks whose checksums are right and whose content is not, in a trace with the class files
 * that the reader executes: the first query (u1), the trace (u1), then changes of what a chunk holds: u1 which chunk,
 * u1 enum part, le2 place, u1 value. Places are taken modulo what there is. Where only the code tells which events are
 * held, the columns of the chunk are changed instead. */
#include <string.h>

#include "formats/chunk_parts.h"
#include "formats/derive_parts.h"
#include "formats/event.h"
#include "formats/journal.h"
#include "reader/trace/open_trace.h"
#include "test/fuzz/kept.h"
#include "test/fuzz/questions.h"

enum { CHANGES_MAX = 32, CHUNKS = 16 };

enum part {
    PART_ID,     /* of an event that is held */
    PART_NEXT,   /* another data ID near it */
    PART_VALUE,  /* of an event that is held */
    PART_LISTED, /* the number of a listed event, and of all behind it */
    PART_UNLIST, /* one listed event less */
    PART_STAMP,  /* the number of the first event with a stamp, and of all behind it */
    PART_LESS,   /* the event is not held */
    PART_TWICE,  /* in the place of the one before it */
    PART_END,    /* the events from there on are not held */
    PART_FRESH,
    PARTS
};

struct change {
    unsigned chunk, part, at, value;
};

struct edit {
    struct change changes[CHANGES_MAX];
    unsigned count, chunk;
    struct kind_table kinds;
    struct chunk_decoder *decoder;
    struct chunk_encoder *encoder;
    struct derived_chunk now;
    uint64_t *stamps;       /* of held events: 0 */
    struct chunk_head head; /* of the held events, whose columns are in the decoder */
};

static uint64_t number_of(unsigned value)
{
    static const uint64_t notable[] = { 0, 1, UINT64_MAX, INT32_MAX, INT64_MAX, UINT32_MAX, 65535, 65536, 1u << 24 };
    return value < FUZZ_COUNT(notable) ? notable[value] : value;
}

/* Of a chunk whose held events are known by executing it. */
static void change_columns(struct edit *e, const struct change *h)
{
    struct column *c = &e->decoder->columns[h->part / PARTS % COL_COUNT];
    size_t size = (size_t)(c->end - c->data), at = size > 0 ? h->at % size : 0;
    switch ((enum part)(h->part % PARTS)) {
    case PART_ID:
    case PART_NEXT:
    case PART_VALUE:
        if (size > 0)
            c->data[at] = (uint8_t)h->value;
        break;
    case PART_LESS: c->end -= size > 0; break;
    case PART_END: c->end = c->data + at; break;
    case PART_TWICE: e->head.count = (e->head.count + h->value - 128) % CHUNK_EVENTS_MAX; break;
    case PART_LISTED:
    case PART_UNLIST:
    case PART_STAMP:
    case PART_FRESH:
    case PARTS: break;
    }
}

static void change(struct derived_chunk *c, struct kind_table kinds, const struct change *h)
{
    uint32_t held = c->pull != NULL ? 0 : c->held; /* whose data IDs and values are here */
    uint32_t at = held > 0 ? h->at % held : 0, behind = held - at;
    uint32_t listed = c->listed.count > 0 ? h->at % (uint32_t)c->listed.count : 0;
    uint32_t id =
        h->part % PARTS == PART_ID ? h->value | h->part / PARTS << 8 : (held > 0 ? c->ids[at] : 0) + h->value - 128;
    switch ((enum part)(h->part % PARTS)) {
    case PART_ID:
    case PART_NEXT:
        if (held > 0 && id < kinds.count && kinds.letters[id] != 0)
            c->ids[at] = id;
        break;
    case PART_VALUE:
        if (held > 0)
            c->values[at] = number_of(h->value);
        break;
    case PART_LISTED:
        for (size_t i = listed; i < c->listed.count; i++)
            c->listed.items[i] += h->value - 128;
        break;
    case PART_UNLIST:
        if (c->listed.count > 0)
            memmove(&c->listed.items[listed], &c->listed.items[listed + 1],
                    (--c->listed.count - listed) * sizeof *c->listed.items);
        break;
    case PART_STAMP:
        for (size_t i = c->stamp_events.count > 0 ? h->at % c->stamp_events.count : 0; i < c->stamp_events.count; i++)
            c->stamp_events.items[i] += h->value - 128;
        break;
    case PART_LESS:
        if (held == 0)
            break;
        memmove(&c->ids[at], &c->ids[at + 1], (behind - 1) * sizeof *c->ids);
        memmove(&c->values[at], &c->values[at + 1], (behind - 1) * sizeof *c->values);
        c->held--;
        break;
    case PART_TWICE:
        if (at > 0) {
            c->ids[at - 1] = c->ids[at];
            c->values[at - 1] = c->values[at];
        }
        break;
    case PART_END: c->held = c->pull != NULL ? c->held : at; break;
    case PART_FRESH: c->fresh = !c->fresh; break;
    case PARTS: break;
    }
}

static void write_list(struct writer *out, const u32_vec *events, const u64_vec *numbers)
{
    uint64_t event = 0, number = 0;
    write_varint(out, events->count);
    for (size_t i = 0; i < events->count; i++) {
        write_varint(out, events->items[i] - event); /* one that does not rise is refused */
        event = events->items[i];
        if (numbers != NULL) {
            write_varint(out, numbers->items[i] - number);
            number = numbers->items[i];
        }
    }
}

/* The columns as they are now, not packed. */
static void write_columns(struct edit *e, struct writer *out)
{
    struct writer packed = { 0 };
    for (unsigned c = 0; c < COL_COUNT; c++) {
        const struct column *column = &e->decoder->columns[c];
        e->head.raw[c] = e->head.stored[c] = (size_t)(column->end - column->data);
        write_bytes(&packed, column->data, e->head.raw[c]);
    }
    FUZZ_CHECK(frame_write(out, &e->head, &packed));
    writer_free(&packed);
}

/* formats/derived.c, read_head. */
static void write_chunk(struct edit *e, struct writer *out)
{
    struct derived_chunk *c = &e->now;
    struct writer lists = { 0 };
    struct error err = { 0 };
    write_u1(out, c->all_checked    ? DERIVED_MAGIC_1
                  : c->leaves_open  ? DERIVED_MAGIC_2
                  : c->stays_open   ? DERIVED_MAGIC_3
                  : c->shallow      ? DERIVED_MAGIC_4
                  : c->pull != NULL ? DERIVED_MAGIC
                                    : DERIVED_MAGIC_5);
    write_le4(out, 0);
    write_le8(out, c->check);
    write_u1(out, c->fresh);
    write_varint(out, c->count);
    write_list(&lists, &c->listed, NULL);
    write_list(&lists, &c->stamp_events, &c->stamps);
    write_varint(out, lists.size);
    write_varint(out, lists.size);
    write_bytes(out, lists.data, lists.size);
    writer_free(&lists);
    if (c->pull != NULL) {
        write_columns(e, out);
        derived_set_checksum(out, 0);
        return;
    }
    for (uint32_t i = 0; i < c->held; i++)
        if ((e->kinds.letters[c->ids[i]] & ~KIND_JOINED) == KIND_VOID)
            c->values[i] = 0;
    const struct chunk_columns held = { .count = c->held, .ids = c->ids, .values = c->values, .stamps = e->stamps };
    FUZZ_CHECK(chunk_encode(e->encoder, e->kinds, &held, out, &err) == OK);
    derived_set_checksum(out, 0);
}

static void edit_chunk(void *context, const void *chunk, size_t size, struct writer *out)
{
    struct edit *e = context;
    struct error err = { 0 };
    unsigned number = e->chunk++ % CHUNKS, changes = 0;
    if (!derived_is(chunk, size)) {
        write_bytes(out, chunk, size);
        return;
    }
    const void *held;
    size_t held_size;
    FUZZ_CHECK(derived_chunk_read(&e->now, e->decoder, e->kinds, chunk, size, &err) == OK);
    FUZZ_CHECK(derived_chunk_held(chunk, size, &held, &held_size));
    FUZZ_CHECK(frame_read(held, held_size, &e->head) == NULL);
    for (unsigned i = 0; i < e->count; i++)
        if (e->changes[i].chunk % CHUNKS == number) {
            if (e->now.pull != NULL)
                change_columns(e, &e->changes[i]);
            change(&e->now, e->kinds, &e->changes[i]);
            changes++;
        }
    write_chunk(e, out);
    struct derived_chunk again = { 0 };
    if (changes == 0) { /* what was not changed is read as before */
        FUZZ_CHECK(derived_chunk_read(&again, e->decoder, e->kinds, out->data, out->size, &err) == OK);
        FUZZ_CHECK(again.held == e->now.held && again.count == e->now.count && again.check == e->now.check);
        FUZZ_CHECK(again.pull != NULL || memcmp(again.values, e->now.values, again.held * sizeof *again.values) == 0);
    }
    derived_chunk_done(&again);
}

void fuzz_derived(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    struct edit e = { .decoder = chunk_decoder_new(), .encoder = chunk_encoder_new() };
    unsigned first = read_u1(&in);
    static const enum kept_trace traces[] = { KEPT_DERIVED, KEPT_INPUTS, KEPT_OLDER };
    enum kept_trace which = traces[read_u1(&in) % FUZZ_COUNT(traces)];
    while (e.count < CHANGES_MAX && in.at < in.size) {
        struct change *c = &e.changes[e.count++];
        c->chunk = read_u1(&in);
        c->part = read_u1(&in);
        c->at = read_u1(&in);
        c->at |= (unsigned)read_u1(&in) << 8;
        c->value = read_u1(&in);
    }
    hs_trace *t = NULL;
    e.stamps = calloc(CHUNK_EVENTS_MAX, sizeof *e.stamps);
    FUZZ_CHECK(e.decoder != NULL && e.encoder != NULL && e.stamps != NULL);
    FUZZ_CHECK(hs_open(kept_whole(which), HS_OPEN_READONLY, NULL, &t, NULL) == 0);
    e.kinds = (struct kind_table){ t->kinds, t->kind_count };
    const char *trace = kept_edited(which, edit_chunk, &e);
    hs_close(t);
    fuzz_ask(questions, FUZZ_COUNT(questions), first, trace);
    derived_chunk_done(&e.now);
    chunk_decoder_free(e.decoder);
    chunk_encoder_free(e.encoder);
    free(e.stamps);
}
