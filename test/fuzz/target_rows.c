/* target_rows.c - the decoders of rows: a byte chooses one, the rest is the row. What a decoder takes can be written
 * again. */
#include "formats/dataid_stats.h"
#include "formats/objects.h"
#include "formats/pack.h"
#include "formats/rowcheck.h"
#include "formats/rows.h"
#include "formats/windows.h"
#include "test/fuzz/fuzz.h"

typedef enum status row_fn(const uint8_t *data, size_t size, struct writer *w, struct error *err);

static enum status class_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    struct class_row row = { 0 };
    enum status s = class_row_decode(data, size, &row, err);
    if (s == OK)
        class_row_encode(&row, w);
    class_row_done(&row);
    return s;
}

static enum status each_dataid(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    (void)index, (void)err;
    dataid_rows_add(context, row, row->attrs);
    return OK;
}
static enum status dataids_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    struct dataid_rows *rows = malloc(sizeof *rows);
    FUZZ_CHECK(rows != NULL);
    *rows = (struct dataid_rows){ 0 };
    enum status s = dataid_rows_each(data, size, each_dataid, rows, err);
    if (s == OK)
        dataid_rows_encode(rows, w);
    dataid_rows_done(rows);
    free(rows);
    return s;
}

static enum status thrown_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    struct thrown_row row = { 0 };
    enum status s = thrown_row_decode(data, size, &row, err);
    if (s == OK)
        thrown_row_encode(&row, w);
    thrown_row_done(&row);
    return s;
}

static enum status hierarchy_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    struct hierarchy_row row = { 0 };
    enum status s = hierarchy_row_decode(data, size, &row, err);
    if (s == OK)
        hierarchy_row_encode(&row, w);
    hierarchy_row_done(&row);
    return s;
}

/* Rows without memory of their own. */
#define PLAIN(name)                                                                                                    \
    static enum status name##_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)                \
    {                                                                                                                  \
        struct name##_row row = { 0 };                                                                                 \
        enum status s = name##_row_decode(data, size, &row, err);                                                      \
        if (s == OK)                                                                                                   \
            name##_row_encode(&row, w);                                                                                \
        return s;                                                                                                      \
    }
PLAIN(thread)
PLAIN(mark)
PLAIN(type)
PLAIN(snapshot)
PLAIN(timing)

static enum status objects_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    object_entry_vec entries = { 0 };
    struct writer storage = { 0 };
    enum status s = objects_decode(data, size, &entries, &storage, err);
    if (s == OK)
        (void)objects_encode(entries.items, entries.count, w, err); /* may be of several pages, which it refuses */
    vec_free(&entries);
    writer_free(&storage);
    return s;
}

static enum status windows_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    window_vec list = { 0 };
    enum status s = windows_decode(data, size, &list, err);
    if (s == OK)
        windows_encode(list.items, list.count, w);
    vec_free(&list);
    return s;
}

static enum status counts_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    static uint64_t counts[COUNT_BLOCK];
    enum status s = count_block_decode(data, size, counts, err);
    if (s == OK)
        count_block_encode(counts, w);
    return s;
}

static enum status last_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    last_event_vec list = { 0 };
    enum status s = last_events_decode(data, size, &list, err);
    if (s == OK)
        last_events_encode(list.items, list.count, w);
    vec_free(&list);
    return s;
}

static enum status pack_of(const uint8_t *data, size_t size, struct writer *w, struct error *err)
{
    struct pack_reader r = { 0 };
    enum status s = pack_open(&r, 5, data, size, err);
    uint64_t key;
    const uint8_t *row;
    size_t row_size;
    while (s == OK && pack_next(&r, &key, &row, &row_size))
        write_bytes(w, row, row_size);
    pack_reader_done(&r);
    return s;
}

void fuzz_rows(const uint8_t *data, size_t size)
{
    static row_fn *const decoders[] = {
        class_of,    dataids_of, thrown_of,  hierarchy_of, thread_of, mark_of, type_of,
        snapshot_of, timing_of,  objects_of, windows_of,   counts_of, last_of, pack_of
    };
    if (size == 0)
        return;
    uint8_t *exact = fuzz_exact(data + 1, size - 1);
    struct writer w = { 0 };
    struct error err = { 0 };
    enum status s = decoders[data[0] % (sizeof decoders / sizeof *decoders)](exact, size - 1, &w, &err);
    FUZZ_CHECK(s == OK || err.text[0] != '\0');
    writer_free(&w);
    free(exact);
}
