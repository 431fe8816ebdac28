/* target_derived.c - derived chunks whose checksums are right and whose content is not, in a trace with the class files
 * that the reader executes: the first query (u1), the trace (u1), then changes of what a chunk holds: u1 which chunk,
 * u1 enum part, le2 place, u1 value. Places are taken modulo what there is. Only the code says which events are
 * stored: of them the bytes of the chunk's columns are changed. */
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
    PART_ID, /* to PART_VALUE: a byte of a column */
    PART_NEXT,
    PART_VALUE,
    PART_EXPLICIT, /* the number of an explicit event, and of all behind it */
    PART_IMPLIED,  /* one explicit event less */
    PART_STAMP,    /* the number of the first event with a stamp, and of all behind it */
    PART_LESS,     /* a column is a byte shorter */
    PART_TWICE,    /* the number of events that are stored */
    PART_END,      /* a column ends there */
    PART_RESET,
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
    struct derived_chunk now;
    struct chunk_head head; /* of the stored events, whose columns are in the decoder */
};

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
    case PART_EXPLICIT:
    case PART_IMPLIED:
    case PART_STAMP:
    case PART_RESET:
    case PARTS: break;
    }
}

static void change_lists(struct derived_chunk *c, const struct change *h)
{
    uint32_t first = c->explicit_events.count > 0 ? h->at % (uint32_t)c->explicit_events.count : 0;
    switch ((enum part)(h->part % PARTS)) {
    case PART_EXPLICIT:
        for (size_t i = first; i < c->explicit_events.count; i++)
            c->explicit_events.items[i] += h->value - 128;
        break;
    case PART_IMPLIED:
        if (c->explicit_events.count > 0)
            memmove(&c->explicit_events.items[first], &c->explicit_events.items[first + 1],
                    (--c->explicit_events.count - first) * sizeof *c->explicit_events.items);
        break;
    case PART_STAMP:
        for (size_t i = c->stamp_events.count > 0 ? h->at % c->stamp_events.count : 0; i < c->stamp_events.count; i++)
            c->stamp_events.items[i] += h->value - 128;
        break;
    case PART_RESET: c->reset = !c->reset; break;
    case PART_ID:
    case PART_NEXT:
    case PART_VALUE:
    case PART_LESS:
    case PART_TWICE:
    case PART_END:
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
    write_u1(out, DERIVED_MAGIC);
    write_le4(out, 0);
    write_le8(out, c->check);
    write_u1(out, c->reset);
    write_varint(out, c->count);
    write_list(&lists, &c->explicit_events, NULL);
    write_list(&lists, &c->stamp_events, &c->stamps);
    write_varint(out, lists.size);
    write_varint(out, lists.size);
    write_bytes(out, lists.data, lists.size);
    writer_free(&lists);
    write_columns(e, out);
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
    const void *stored;
    size_t stored_size;
    FUZZ_CHECK(derived_chunk_read(&e->now, e->decoder, e->kinds, chunk, size, &err) == OK);
    FUZZ_CHECK(derived_chunk_stored(chunk, size, &stored, &stored_size));
    FUZZ_CHECK(frame_read(stored, stored_size, &e->head) == NULL);
    for (unsigned i = 0; i < e->count; i++)
        if (e->changes[i].chunk % CHUNKS == number) {
            change_columns(e, &e->changes[i]);
            change_lists(&e->now, &e->changes[i]);
            changes++;
        }
    write_chunk(e, out);
    struct derived_chunk again = { 0 };
    if (changes == 0) { /* what was not changed is read as before */
        FUZZ_CHECK(derived_chunk_read(&again, e->decoder, e->kinds, out->data, out->size, &err) == OK);
        FUZZ_CHECK(again.stored == e->now.stored && again.count == e->now.count && again.check == e->now.check);
    }
    derived_chunk_done(&again);
}

void fuzz_derived(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    struct edit e = { .decoder = chunk_decoder_new() };
    unsigned first = read_u1(&in);
    static const enum kept_trace traces[] = { KEPT_DERIVED, KEPT_INPUTS };
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
    FUZZ_CHECK(e.decoder != NULL);
    FUZZ_CHECK(hs_open(kept_whole(which), HS_OPEN_READONLY, NULL, &t, NULL) == 0);
    e.kinds = (struct kind_table){ t->kinds, t->kind_count };
    const char *trace = kept_edited(which, edit_chunk, &e);
    hs_close(t);
    fuzz_ask(questions, FUZZ_COUNT(questions), first, trace);
    derived_chunk_done(&e.now);
    chunk_decoder_free(e.decoder);
}
