/* dataid_stats.c - see dataid_stats.h. */
#include "formats/dataid_stats.h"

#include <string.h>

void count_block_encode(const uint64_t counts[COUNT_BLOCK], struct writer *w)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < COUNT_BLOCK; i++) {
        if (counts[i] == 0)
            continue;
        write_varint(w, i - next);
        write_varint(w, counts[i]);
        next = i + 1;
    }
}

enum status count_block_decode(const void *data, size_t size, uint64_t counts[COUNT_BLOCK], struct error *err)
{
    struct reader r = reader_of(data, size);
    uint64_t at = 0;
    memset(counts, 0, COUNT_BLOCK * sizeof *counts);
    while (r.at < r.size) {
        uint64_t skipped = read_varint(&r), count = read_varint(&r);
        if (r.bad || skipped >= COUNT_BLOCK - at)
            return error_set(err, ERR_FORMAT, "a block of counts is malformed");
        at += skipped;
        counts[at++] = count;
    }
    return OK;
}

void last_events_encode(const struct last_event *events, size_t count, struct writer *w)
{
    uint64_t stamp = 0, value = 0, time = 0;
    for (size_t i = 0; i < count; i++) {
        const struct last_event *e = &events[i];
        write_varint(w, e->stamp - stamp);
        write_varint(w, e->thread);
        write_varint(w, e->number);
        write_svarint(w, (int64_t)(e->value - value));
        write_svarint(w, (int64_t)(e->time - time));
        stamp = e->stamp;
        value = e->value;
        time = e->time;
    }
}

enum status last_events_decode(const void *data, size_t size, last_event_vec *out, struct error *err)
{
    struct reader r = reader_of(data, size);
    struct last_event last = { 0 };
    while (r.at < r.size) {
        struct last_event *e = vec_push(out);
        if (e == NULL)
            return error_memory(err, "the last events");
        last.stamp += read_varint(&r);
        uint64_t thread = read_varint(&r);
        last.number = read_varint(&r);
        last.value += (uint64_t)read_svarint(&r);
        last.time += (uint64_t)read_svarint(&r);
        if (r.bad || thread > UINT32_MAX)
            return error_set(err, ERR_FORMAT, "the last events of a data ID are malformed");
        last.thread = (uint32_t)thread;
        *e = last;
    }
    return OK;
}

/* calls left exceptions total self min max, buckets up to the last that is not 0 */
void timing_row_encode(const struct timing_row *row, struct writer *w)
{
    const uint64_t numbers[] = { row->calls,   row->left,   row->exceptions, row->total_ns,
                                 row->self_ns, row->min_ns, row->max_ns };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        write_varint(w, numbers[i]);
    for (int i = 0; i < TIMING_BUCKETS; i++)
        write_varint(w, row->histogram[i]);
    write_varint(w, row->hooks_ns);
}

enum status timing_row_decode(const void *data, size_t size, struct timing_row *row, struct error *err)
{
    struct reader r = reader_of(data, size);
    uint64_t *numbers[] = { &row->calls,   &row->left,   &row->exceptions, &row->total_ns,
                            &row->self_ns, &row->min_ns, &row->max_ns };
    *row = (struct timing_row){ 0 };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = read_varint(&r);
    for (int i = 0; i < TIMING_BUCKETS && r.at < r.size; i++)
        row->histogram[i] = read_varint(&r);
    if (r.at < r.size) /* else an older recording, whose last buckets may be missing too */
        row->hooks_ns = read_varint(&r);
    return r.bad ? error_set(err, ERR_FORMAT, "the times of a method are malformed") : OK;
}
