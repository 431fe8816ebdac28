/* test_chunk.c - formats/chunk.h: every stream comes back, no damaged blob does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "formats/chunk.h"
#include "formats/chunk_pull.h"
#include "formats/event.h"
#include "formats/journal.h"

enum { IDS = 5000, CHECKSUM_AT = 1, CHECKED_FROM = 5 };

struct stream {
    uint8_t letters[IDS];
    uint32_t ids[CHUNK_EVENTS_MAX];
    uint64_t values[CHUNK_EVENTS_MAX], stamps[CHUNK_EVENTS_MAX], times[CHUNK_EVENTS_MAX];
};

static struct stream *s;
static struct chunk_encoder *encoder;
static struct chunk_decoder *decoder;

static uint64_t rng_state = 0x9e3779b97f4a7c15u;
static uint64_t rng(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return rng_state * UINT64_C(0x2545f4914f6cdd1d);
}

static int set_up(void **state)
{
    (void)state;
    static const char letters[] = "VZBCSIJFDLP";
    s = calloc(1, sizeof *s);
    encoder = chunk_encoder_new();
    decoder = chunk_decoder_new();
    for (uint32_t i = 0; s != NULL && i < IDS; i++)
        s->letters[i] = (uint8_t)letters[i % (sizeof letters - 1)] | (i % 3 == 0 ? KIND_JOINED : 0);
    return s != NULL && encoder != NULL && decoder != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(s);
    chunk_encoder_free(encoder);
    chunk_decoder_free(decoder);
    return 0;
}

static struct kind_table kinds(void) { return (struct kind_table){ s->letters, IDS }; }

static struct writer encode(uint32_t count, bool timed)
{
    struct chunk_columns in = { count, s->ids, s->values, s->stamps, timed ? s->times : NULL };
    struct writer w = { 0 };
    struct error err;
    assert_int_equal(chunk_encode(encoder, kinds(), &in, &w, &err), OK);
    return w;
}

static uint64_t stored_value(uint32_t i)
{
    return (s->letters[s->ids[i]] & ~KIND_JOINED) == KIND_VOID ? 0 : s->values[i];
}

static void check_same(const struct chunk_columns *got, uint32_t count, bool timed)
{
    assert_int_equal(got->count, count);
    assert_memory_equal(got->ids, s->ids, count * sizeof *s->ids);
    assert_memory_equal(got->stamps, s->stamps, count * sizeof *s->stamps);
    for (uint32_t i = 0; i < count; i++)
        assert_true(got->values[i] == stored_value(i));
    if (timed)
        assert_memory_equal(got->times, s->times, count * sizeof *s->times);
    else
        assert_null(got->times);
}

static size_t round_trip(uint32_t count, bool timed)
{
    struct writer w = encode(count, timed);
    struct chunk_columns got;
    struct error err;
    assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, CHUNK_ALL, &got, &err), OK);
    check_same(&got, count, timed);
    size_t size = w.size;
    writer_free(&w);
    return size;
}

/* A few methods running in loops, with objects, counters, stamps and clock. */
static void make_realistic(uint32_t count)
{
    uint64_t stamp = 1000, time = 5, object = 1 << 20, counter = 0;
    uint32_t id = 0;
    for (uint32_t i = 0; i < count; i++) {
        id = rng() % 8 == 0 ? (uint32_t)(rng() % 40) * 25 : id + 1;
        uint64_t v = counter++;
        switch (s->letters[id] & ~KIND_JOINED) {
        case KIND_REF: v = rng() % 4 == 0 ? object++ : object - rng() % 8; break;
        case KIND_BOOLEAN: v = rng() & 1; break;
        case KIND_DOUBLE: v = rng() % 16 == 0 ? rng() : UINT64_C(0x3ff0000000000000); break;
        case KIND_INT: v = i >= 5 && rng() % 4 != 0 ? s->values[i - 5] : 0 - rng() % 100; break;
        default: break;
        }
        stamp += id % 25 == 0;
        time += 10 + rng() % 3;
        s->ids[i] = id;
        s->values[i] = v;
        s->stamps[i] = stamp;
        s->times[i] = time;
    }
}

static void make_random(uint32_t count)
{
    uint64_t stamp = rng() >> 1;
    for (uint32_t i = 0; i < count; i++) {
        s->ids[i] = (uint32_t)(rng() % IDS);
        s->values[i] = rng() >> rng() % 64;
        stamp += rng() % 5 == 0 ? rng() >> 20 : 0;
        s->stamps[i] = stamp;
        s->times[i] = rng();
    }
}

static void no_events_come_back(void **state)
{
    (void)state;
    round_trip(0, false);
    round_trip(0, true);
}

static void one_event_of_every_kind_comes_back(void **state)
{
    (void)state;
    static const uint64_t values[] = { 0, 1, 127, 128, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX, 0xfffffffe };
    for (uint32_t id = 0; id < 11; id++)
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            s->ids[0] = id;
            s->values[0] = values[v];
            s->stamps[0] = s->times[0] = UINT64_MAX - v;
            round_trip(1, (v & 1) != 0);
        }
}

static void the_last_data_id_comes_back(void **state)
{
    (void)state;
    make_realistic(200);
    s->ids[0] = s->ids[100] = s->ids[101] = s->ids[199] = IDS - 1;
    round_trip(200, false);
}

static void realistic_streams_come_back_at_all_lengths(void **state)
{
    (void)state;
    static const uint32_t counts[] = { 1, 2, 63, 64, 65, 127, 128, 1000, 65535, 65536 };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        make_realistic(counts[i]);
        round_trip(counts[i], i % 2 != 0);
    }
}

static void random_streams_come_back(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        uint32_t count = (uint32_t)(rng() % CHUNK_EVENTS_MAX) + 1;
        make_random(count);
        size_t size = round_trip(count, false);
        assert_true(size < count * 24u + 100);
    }
}

static void extreme_stamps_and_times_come_back(void **state)
{
    (void)state;
    make_random(300);
    for (uint32_t i = 0; i < 300; i++)
        s->stamps[i] = i < 100 ? 0 : i < 200 ? UINT64_C(1) << 33 : UINT64_MAX;
    round_trip(300, true);
}

static void a_loop_costs_next_to_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CHUNK_EVENTS_MAX; i++) {
        s->ids[i] = 100 + i % 10;
        s->values[i] = i % 10 == 5 ? i / 10 : 4242;
        s->stamps[i] = 77 + i / 5; /* every fifth event steps */
    }
    assert_true(round_trip(CHUNK_EVENTS_MAX, false) < 500);
}

static void fresh_object_ids_cost_next_to_nothing(void **state)
{
    (void)state;
    static const uint32_t refs[] = { 9, 20, 9, 31 };
    for (uint32_t i = 0; i < CHUNK_EVENTS_MAX; i++) {
        s->ids[i] = refs[i % 4]; /* each object is shown twice, at different places */
        s->values[i] = 5000 + i / 2 + i / 2 / 1024 * 4096;
        s->stamps[i] = 1;
    }
    assert_true(round_trip(CHUNK_EVENTS_MAX, false) < 1500);
}

static void encoding_does_not_depend_on_what_was_encoded_before(void **state)
{
    (void)state;
    make_realistic(3000);
    struct writer first = encode(3000, true);
    make_random(5000);
    round_trip(5000, true);
    rng_state = 1;
    make_realistic(3000);
    struct writer second = encode(3000, true);
    struct chunk_encoder *other = chunk_encoder_new();
    struct chunk_columns in = { 3000, s->ids, s->values, s->stamps, s->times };
    struct writer third = { 0 };
    assert_int_equal(chunk_encode(other, kinds(), &in, &third, NULL), OK);
    assert_int_equal(second.size, third.size);
    assert_memory_equal(second.data, third.data, third.size);
    chunk_encoder_free(other);
    writer_free(&first);
    writer_free(&second);
    writer_free(&third);
}

/* Each event is named: what an encoder that is used again makes of them is what a new one makes, and comes back. */
static void check_named(uint32_t count)
{
    static struct chunk_name items[CHUNK_EVENTS_MAX];
    const chunk_name_vec names = { .items = items, .count = count };
    struct chunk_columns in = { count, s->ids, s->values, NULL, NULL };
    struct chunk_encoder *other = chunk_encoder_new();
    struct writer used = { 0 }, unused = { 0 };
    struct error err;
    uint32_t got = 0;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct chunk_name){ i, i > 0 ? s->ids[i - 1] : 0, i % IDS };
    assert_int_equal(chunk_encode_named(encoder, kinds(), &in, &names, &used, &err), OK);
    assert_int_equal(chunk_encode_named(other, kinds(), &in, &names, &unused, &err), OK);
    assert_int_equal(used.size, unused.size);
    assert_memory_equal(used.data, unused.data, used.size);
    assert_int_equal(chunk_pull_begin(decoder, kinds(), used.data, used.size, &got, &err), OK);
    assert_int_equal(got, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id;
        uint64_t value;
        assert_true(chunk_pull_named(decoder, items[i].from, items[i].first, &id, &value));
        assert_int_equal(id, s->ids[i]);
        assert_true(value == stored_value(i));
    }
    assert_true(chunk_pull_finished(decoder));
    chunk_encoder_free(other);
    writer_free(&used);
    writer_free(&unused);
}

/* Of few events only what they touched is cleared for the next chunk. */
static void chunks_of_few_and_many_events_follow_each_other(void **state)
{
    static const uint32_t counts[] = { 5, 900, 5, 1023, 1024, 1025, 3000, 1, 400, CHUNK_EVENTS_MAX, 20, 1100, 700 };
    (void)state;
    for (unsigned i = 0; i < 4 * sizeof counts / sizeof *counts; i++) {
        const uint32_t count = counts[i % (sizeof counts / sizeof *counts)];
        if (i % 3 == 0)
            make_realistic(count);
        else
            make_random(count);
        if (i % 2 == 0)
            check_named(count);
        else
            round_trip(count, i % 4 == 1);
    }
}

static void only_wanted_columns_are_given(void **state)
{
    (void)state;
    make_realistic(2000);
    struct writer w = encode(2000, true);
    for (unsigned want = 0; want <= CHUNK_ALL; want++) {
        struct chunk_columns got;
        assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, want, &got, NULL), OK);
        assert_int_equal(got.count, 2000);
        assert_true((got.ids != NULL) == ((want & (CHUNK_IDS | CHUNK_VALUES | CHUNK_STAMPS)) != 0));
        assert_true((got.values != NULL) == ((want & CHUNK_VALUES) != 0));
        assert_true((got.stamps != NULL) == ((want & CHUNK_STAMPS) != 0));
        assert_true((got.times != NULL) == ((want & CHUNK_TIMES) != 0));
        if (got.ids != NULL)
            assert_memory_equal(got.ids, s->ids, 2000 * sizeof *s->ids);
        if (got.stamps != NULL)
            assert_memory_equal(got.stamps, s->stamps, 2000 * sizeof *s->stamps);
        if (got.times != NULL)
            assert_memory_equal(got.times, s->times, 2000 * sizeof *s->times);
    }
    writer_free(&w);
}

static void more_columns_of_the_last_chunk_are_added(void **state)
{
    (void)state;
    static const unsigned orders[][3] = { { CHUNK_IDS, CHUNK_VALUES, CHUNK_STAMPS | CHUNK_TIMES },
                                          { CHUNK_STAMPS, CHUNK_TIMES, CHUNK_VALUES },
                                          { CHUNK_VALUES | CHUNK_TIMES, CHUNK_STAMPS, 0 } };
    struct chunk_columns got, all;
    make_random(100);
    struct writer other = encode(100, false);
    make_realistic(2000);
    struct writer w = encode(2000, true);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, orders[i][0], &all, NULL), OK);
        for (unsigned k = 1; k < 3; k++) {
            assert_int_equal(chunk_decode_more(decoder, kinds(), w.data, w.size, orders[i][k], &got, NULL), OK);
            assert_null(got.ids);
            all.values = got.values != NULL ? got.values : all.values;
            all.stamps = got.stamps != NULL ? got.stamps : all.stamps;
            all.times = got.times != NULL ? got.times : all.times;
        }
        check_same(&all, 2000, true);
        assert_int_equal(chunk_decode_more(decoder, kinds(), w.data, w.size, CHUNK_VALUES, &got, NULL), ERR_NOT_FOUND);
    }
    assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, CHUNK_TIMES, &got, NULL), OK);
    assert_int_equal(chunk_decode_more(decoder, kinds(), w.data, w.size, CHUNK_VALUES, &got, NULL), ERR_NOT_FOUND);
    assert_int_equal(chunk_decode(decoder, kinds(), other.data, other.size, CHUNK_IDS, &got, NULL), OK);
    assert_int_equal(chunk_decode_more(decoder, kinds(), w.data, w.size, CHUNK_VALUES, &got, NULL), ERR_NOT_FOUND);
    assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, CHUNK_IDS, &got, NULL), OK);
    struct kind_table few = { s->letters, 1 };
    assert_int_equal(chunk_decode(decoder, few, w.data, w.size, CHUNK_IDS, &got, NULL), ERR_FORMAT);
    assert_int_equal(chunk_decode_more(decoder, kinds(), w.data, w.size, CHUNK_VALUES, &got, NULL), ERR_NOT_FOUND);
    writer_free(&w);
    writer_free(&other);
}

static void values_of_a_data_id_without_a_letter_are_not_given(void **state)
{
    (void)state;
    struct chunk_columns got;
    make_realistic(300);
    struct writer w = encode(300, false);
    uint8_t letter = s->letters[s->ids[7]];
    s->letters[s->ids[7]] = 0;
    assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, CHUNK_STAMPS, &got, NULL), OK);
    assert_memory_equal(got.ids, s->ids, 300 * sizeof *s->ids);
    assert_memory_equal(got.stamps, s->stamps, 300 * sizeof *s->stamps);
    assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, CHUNK_ALL, &got, NULL), ERR_FORMAT);
    s->letters[s->ids[7]] = letter;
    writer_free(&w);
}

/* The shares of a chunk, by data ID; their sum is checked. */
static void shares_of(uint32_t count, bool timed, uint64_t shares[IDS])
{
    struct writer w = encode(count, timed);
    struct chunk_columns got;
    const struct chunk_share *list;
    uint32_t length;
    uint64_t sum = 0, events = 0;
    struct error err;
    assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, CHUNK_IDS, &got, &err), OK);
    assert_int_equal(chunk_shares(decoder, kinds(), w.data, w.size, &list, &length, &err), OK);
    memset(shares, 0, IDS * sizeof *shares);
    for (uint32_t i = 0; i < length; i++) {
        assert_true(list[i].dataid < IDS && shares[list[i].dataid] == 0);
        shares[list[i].dataid] = list[i].share;
        sum += list[i].share;
        events += list[i].events;
    }
    if (count > 0)
        assert_true(sum == (uint64_t)w.size << CHUNK_SHARE_BITS);
    assert_int_equal(events, count);
    writer_free(&w);
}

static void shares_add_up_to_the_chunk(void **state)
{
    (void)state;
    static uint64_t shares[IDS];
    static const uint32_t counts[] = { 0, 1, 63, 64, 65, 1000, CHUNK_EVENTS_MAX };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        make_realistic(counts[i]);
        shares_of(counts[i], i % 2 == 0, shares);
        make_random(counts[i]);
        shares_of(counts[i], i % 2 == 1, shares);
    }
}

/* Random doubles of one data ID take 8 bytes each; the others repeat their values and take next to nothing. */
static void bytes_belong_to_the_data_id_that_needs_them(void **state)
{
    (void)state;
    enum { COUNT = 3000, CONSTANT = 5, RANDOM = 8 };
    static uint64_t shares[IDS];
    uint64_t others = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        bool random = i % 3 == 0;
        s->ids[i] = random ? RANDOM : CONSTANT;
        s->values[i] = random ? rng() : 7;
        s->stamps[i] = 1;
    }
    assert_int_equal(s->letters[RANDOM] & ~KIND_JOINED, KIND_DOUBLE);
    shares_of(COUNT, false, shares);
    for (uint32_t i = 0; i < IDS; i++)
        others += i == RANDOM ? 0 : shares[i];
    assert_true(shares[RANDOM] >> CHUNK_SHARE_BITS >= 8 * COUNT / 3);
    assert_true(others >> CHUNK_SHARE_BITS < 100);
}

static void shares_are_of_the_last_chunk_only(void **state)
{
    (void)state;
    struct chunk_columns got;
    const struct chunk_share *list;
    uint32_t length;
    make_realistic(500);
    struct writer w = encode(500, false);
    struct writer other = encode(400, false);
    assert_int_equal(chunk_decode(decoder, kinds(), other.data, other.size, CHUNK_IDS, &got, NULL), OK);
    assert_int_equal(chunk_shares(decoder, kinds(), w.data, w.size, &list, &length, NULL), ERR_NOT_FOUND);
    w.data[w.size - 1] ^= 1;
    assert_int_equal(chunk_shares(decoder, kinds(), w.data, w.size, &list, &length, NULL), ERR_FORMAT);
    writer_free(&w);
    writer_free(&other);
}

static void a_repacked_chunk_decodes_to_the_same(void **state)
{
    (void)state;
    static const uint32_t counts[] = { 0, 1, 1000, CHUNK_EVENTS_MAX };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        make_realistic(counts[i]);
        struct writer w = encode(counts[i], true), small = { 0 };
        struct chunk_columns got;
        struct error err;
        assert_int_equal(chunk_repack(w.data, w.size, &small, &err), OK);
        assert_true(small.size <= w.size);
        assert_int_equal(chunk_decode(decoder, kinds(), small.data, small.size, CHUNK_ALL, &got, &err), OK);
        check_same(&got, counts[i], true);
        w.data[w.size - 1] ^= 1;
        small.size = 0;
        assert_int_equal(chunk_repack(w.data, w.size, &small, &err), ERR_FORMAT);
        writer_free(&w);
        writer_free(&small);
    }
}

static void blobs_are_appended(void **state)
{
    (void)state;
    make_realistic(100);
    struct writer w = { 0 };
    struct chunk_columns in = { 100, s->ids, s->values, s->stamps, NULL }, got;
    write_u1(&w, 'x');
    assert_int_equal(chunk_encode(encoder, kinds(), &in, &w, NULL), OK);
    size_t end = w.size;
    assert_int_equal(chunk_encode(encoder, kinds(), &in, &w, NULL), OK);
    assert_int_equal(chunk_decode(decoder, kinds(), w.data + 1, end - 1, CHUNK_ALL, &got, NULL), OK);
    check_same(&got, 100, false);
    assert_int_equal(chunk_decode(decoder, kinds(), w.data + end, w.size - end, CHUNK_ALL, &got, NULL), OK);
    check_same(&got, 100, false);
    writer_free(&w);
}

static void the_kind_table_may_grow(void **state)
{
    (void)state;
    struct chunk_encoder *e = chunk_encoder_new();
    struct chunk_decoder *d = chunk_decoder_new();
    static const uint32_t sizes[] = { 1, 10, 1100, 1101, 5000 };
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct kind_table table = { s->letters, sizes[k] };
        struct writer w = { 0 };
        make_random(500);
        for (uint32_t i = 0; i < 500; i++)
            s->ids[i] %= sizes[k];
        struct chunk_columns in = { 500, s->ids, s->values, s->stamps, NULL }, got;
        assert_int_equal(chunk_encode(e, table, &in, &w, NULL), OK);
        assert_int_equal(chunk_decode(d, kinds(), w.data, w.size, CHUNK_ALL, &got, NULL), OK);
        check_same(&got, 500, false);
        writer_free(&w);
    }
    chunk_encoder_free(e);
    chunk_decoder_free(d);
}

/* Encodes and decodes a stream of these data IDs, all of kind int, with a table of `known` of them. */
static void ids_come_back(const uint32_t *ids, uint32_t count, uint32_t known)
{
    uint8_t *letters = malloc(known);
    assert_non_null(letters);
    memset(letters, KIND_INT, known);
    for (uint32_t i = 0; i < count; i++) {
        s->values[i] = i / 3;
        s->stamps[i] = i / 1000;
    }
    struct chunk_columns in = { count, (uint32_t *)(uintptr_t)ids, s->values, s->stamps, NULL }, got;
    struct writer w = { 0 };
    assert_int_equal(chunk_encode(encoder, (struct kind_table){ letters, known }, &in, &w, NULL), OK);
    assert_int_equal(
        chunk_decode(decoder, (struct kind_table){ letters, known }, w.data, w.size, CHUNK_ALL, &got, NULL), OK);
    assert_memory_equal(got.ids, ids, count * sizeof *ids);
    assert_memory_equal(got.values, s->values, count * sizeof *got.values);
    assert_memory_equal(got.stamps, s->stamps, count * sizeof *got.stamps);
    assert_int_equal(
        chunk_decode(decoder, (struct kind_table){ letters, known }, w.data, w.size, CHUNK_IDS, &got, NULL), OK);
    assert_memory_equal(got.ids, ids, count * sizeof *ids);
    writer_free(&w);
    free(letters);
}

static void as_many_data_ids_as_events_come_back(void **state)
{
    (void)state;
    enum { N = CHUNK_EVENTS_MAX };
    for (uint32_t first = 0; first < 2; first++) {
        for (uint32_t i = 0; i < N; i++)
            s->ids[i] = first + i;
        ids_come_back(s->ids, N, first + N);
        for (uint32_t i = 0; i < N; i++)
            s->ids[i] = first + N - 1 - i;
        ids_come_back(s->ids, N, first + N);
        for (uint32_t i = N - 1; i > 0; i--) {
            uint32_t j = (uint32_t)(rng() % (i + 1)), id = s->ids[i];
            s->ids[i] = s->ids[j];
            s->ids[j] = id;
        }
        ids_come_back(s->ids, N, first + N);
    }
}

static void data_id_0_has_been_followed_by_the_first_event(void **state)
{
    (void)state;
    static const uint32_t streams[][8] = { { 7, 0, 7, 0, 7, 8, 0, 7 },
                                           { 1, 0, 1, 2, 0, 1, 0, 2 },
                                           { 0, 0, 0, 0, 1, 0, 0, 1 },
                                           { 0, 1, 0, 1, 2, 0, 0, 1 },
                                           { 9, 9, 0, 9, 9, 0, 1, 0 } };
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++)
        for (uint32_t count = 1; count <= 8; count++)
            ids_come_back(streams[i], count, 10);
}

static void tables_serve_more_chunks_than_they_have_generations(void **state)
{
    (void)state;
    static const uint32_t streams[2][5] = { { 3, 4, 5, 3, 4 }, { 5, 3, 0, 9, 8 } };
    for (uint32_t i = 0; i < 70000; i++)
        ids_come_back(streams[i & 1], 5, 10);
}

/* Columns as the specification has them; a reader of another program reads them too. */
static void bytes_of_an_older_writer_are_read(void **state)
{
    (void)state;
    static const uint8_t blob[] = {
        0xc1, 0xa8, 0xab, 0xa6, 0x74, 0x01, 0x5a, 0xe8, 0x07, 0x10, 0x10, 0x0c, 0x0c, 0x10, 0x10, 0x4c, 0x40, 0x0f,
        0x0f, 0x4e, 0x4e, 0x08, 0x08, 0x10, 0x10, 0x06, 0x06, 0x5a, 0x54, 0x00, 0x00, 0x08, 0x00, 0x48, 0x00, 0x00,
        0x88, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x9a, 0x0c, 0xd9, 0x05, 0xa3, 0x06, 0xa0, 0x01, 0xe8,
        0x05, 0xe3, 0x06, 0xfe, 0xfb, 0xdf, 0xff, 0xfd, 0xff, 0xfd, 0xff, 0xff, 0xef, 0x03, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00, 0xbd, 0x01, 0x00, 0x44, 0x02, 0x06, 0x06, 0x06, 0x06, 0x06, 0x06,
        0x07, 0x0a, 0x06, 0x05, 0x05, 0x08, 0x06, 0x05, 0x05, 0x06, 0x05, 0x06, 0x06, 0x06, 0x05, 0x0a, 0x0a, 0x06,
        0x05, 0x08, 0x06, 0x06, 0x05, 0x03, 0x06, 0x06, 0x06, 0x06, 0x06, 0x06, 0x07, 0x00, 0x44, 0x09, 0x70, 0x33,
        0x09, 0x34, 0xa0, 0x89, 0x40, 0xa5, 0x1d, 0x80, 0xc9, 0x00, 0x8e, 0x0a, 0x01, 0x0a, 0x15, 0x1e, 0x08, 0x08,
        0x0a, 0x12, 0x08, 0x03, 0x15, 0x06, 0x05, 0x10, 0x02, 0x04, 0x06, 0x15, 0x0a, 0x0c, 0x80, 0x80, 0x80, 0x01,
        0x12, 0x18, 0x1a, 0x1c, 0x14, 0x20, 0x22, 0x0d, 0x2a, 0x30, 0x32, 0x34, 0x3f, 0x38, 0x3a, 0x40, 0x46, 0x4c,
        0x4e, 0x0b, 0x54, 0x5a, 0x5c, 0x5e, 0x56, 0x62, 0x64, 0x6a, 0x70, 0x72, 0x74, 0x76, 0x0e, 0x7c, 0x09, 0x82,
        0x01, 0x88, 0x01, 0x8a, 0x01, 0x8c, 0x01, 0x07, 0x90, 0x01, 0x94, 0x01, 0x96, 0x01, 0x98, 0x01, 0x9c, 0x01,
        0x9e, 0x01, 0xa4, 0x01, 0xaa, 0x01, 0xac, 0x01, 0xae, 0x01, 0xa6, 0x01, 0xb2, 0x01, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0xf0, 0x3f, 0x00, 0x00, 0x08, 0x00, 0x48, 0x00, 0x00, 0x88, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00, 0x5d, 0x02, 0x00, 0x94,
        0x03, 0x22, 0x18, 0x16, 0x16, 0x16, 0x14, 0x18, 0x16, 0x18, 0x18, 0x18, 0x18, 0x18, 0x18, 0x14, 0x14, 0x16,
        0x14, 0x14, 0x14, 0x14, 0x16, 0x16, 0x14, 0x14, 0x18, 0x16, 0x14, 0x18, 0x16, 0x14, 0x16, 0x16, 0x18, 0x18,
        0x14, 0x16, 0x18, 0x16, 0x16, 0x18, 0x14, 0x14, 0x18, 0x14, 0x14, 0x16, 0x14, 0x16, 0x14, 0x16, 0x16, 0x18,
        0x18, 0x18, 0x14, 0x16, 0x06, 0x00, 0x40, 0xea, 0x53, 0x97, 0xd1, 0x6c, 0xd5, 0x26, 0x76, 0x2f, 0xd9, 0x6c,
        0x1d, 0x1c,
    };
    struct chunk_columns got;
    struct error err;
    rng_state = 2024;
    make_realistic(90);
    assert_int_equal(chunk_decode(decoder, kinds(), blob, sizeof blob, CHUNK_ALL, &got, &err), OK);
    check_same(&got, 90, true);
}

static void what_cannot_be_encoded_is_refused(void **state)
{
    (void)state;
    struct error err;
    struct writer w = { 0 };
    struct chunk_columns in = { 1, s->ids, s->values, s->stamps, NULL };
    s->ids[0] = IDS;
    assert_int_equal(chunk_encode(encoder, kinds(), &in, &w, &err), ERR_LIMIT);
    s->ids[0] = 7;
    s->letters[7] = 0;
    assert_int_equal(chunk_encode(encoder, kinds(), &in, &w, &err), ERR_LIMIT);
    s->letters[7] = KIND_INT;
    in.count = CHUNK_EVENTS_MAX + 1;
    assert_int_equal(chunk_encode(encoder, kinds(), &in, &w, &err), ERR_LIMIT);
    assert_int_equal(w.size, 0);
}

static void fewer_known_data_ids_than_when_encoded_is_malformed(void **state)
{
    (void)state;
    make_realistic(500);
    struct writer w = encode(500, false);
    struct chunk_columns got;
    for (uint32_t known = 0; known < 30; known++) {
        struct kind_table few = { s->letters, known };
        assert_int_equal(chunk_decode(decoder, few, w.data, w.size, CHUNK_ALL, &got, NULL), ERR_FORMAT);
    }
    writer_free(&w);
}

/* A copy of exactly n bytes, so that the address sanitizer sees every byte read beyond. */
static uint8_t *exact_copy(const uint8_t *data, size_t n)
{
    uint8_t *p = malloc(n != 0 ? n : 1);
    assert_non_null(p);
    memcpy(p, data, n);
    return p;
}

static void forge_checksum(uint8_t *blob, size_t size)
{
    uint64_t sum = XXH64(blob + CHECKED_FROM, size - CHECKED_FROM, 0);
    for (unsigned i = 0; i < 4; i++)
        blob[CHECKSUM_AT + i] = (uint8_t)(sum >> 8 * i);
}

static void a_cut_blob_is_malformed(void **state)
{
    (void)state;
    make_realistic(700);
    struct writer w = encode(700, true);
    for (size_t n = 0; n < w.size; n++) {
        uint8_t *cut = exact_copy(w.data, n);
        struct chunk_columns got = { .count = 99 };
        assert_int_equal(chunk_decode(decoder, kinds(), cut, n, CHUNK_ALL, &got, NULL), ERR_FORMAT);
        if (n > CHECKED_FROM) {
            forge_checksum(cut, n);
            assert_int_equal(chunk_decode(decoder, kinds(), cut, n, CHUNK_ALL, &got, NULL), ERR_FORMAT);
        }
        assert_int_equal(got.count, 99);
        free(cut);
    }
    writer_free(&w);
}

static void a_changed_byte_is_noticed(void **state)
{
    (void)state;
    make_realistic(300);
    struct writer w = encode(300, false);
    for (size_t i = 0; i < w.size; i++) {
        struct chunk_columns got;
        w.data[i] ^= 0x10;
        assert_int_equal(chunk_decode(decoder, kinds(), w.data, w.size, CHUNK_IDS, &got, NULL), ERR_FORMAT);
        w.data[i] ^= 0x10;
    }
    writer_free(&w);
}

/* Changes with a checksum made to fit: the parts behind it must stand for themselves. */
static void fuzz(const struct writer *w, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        uint8_t *bad = exact_copy(w->data, w->size);
        for (uint64_t k = rng() % 4 + 1; k != 0; k--)
            bad[CHECKED_FROM + rng() % (w->size - CHECKED_FROM)] = (uint8_t)rng();
        forge_checksum(bad, w->size);
        struct chunk_columns got;
        struct error err;
        enum status st = chunk_decode(decoder, kinds(), bad, w->size, i % 2 == 0 ? CHUNK_ALL : CHUNK_IDS, &got, &err);
        if (st == OK && i % 3 == 0) {
            const struct chunk_share *shares;
            uint32_t length;
            enum status shared = chunk_shares(decoder, kinds(), bad, w->size, &shares, &length, &err);
            assert_true(shared == OK || shared == ERR_FORMAT);
        }
        if (st == OK && i % 2 != 0) {
            struct chunk_columns more;
            st = chunk_decode_more(decoder, kinds(), bad, w->size, CHUNK_ALL & ~CHUNK_IDS, &more, &err);
        }
        assert_true(st == OK || st == ERR_FORMAT);
        if (st == OK)
            for (uint32_t k = 0; k < got.count; k++)
                assert_true(got.ids[k] < IDS);
        free(bad);
    }
}

static void forged_blobs_never_crash(void **state)
{
    (void)state;
    make_realistic(40); /* columns so short that they are stored raw: the predictors see the damage */
    struct writer w = encode(40, true);
    fuzz(&w, 50000);
    writer_free(&w);
    make_random(30);
    w = encode(30, false);
    fuzz(&w, 50000);
    writer_free(&w);
    make_realistic(3000);
    w = encode(3000, true);
    fuzz(&w, 5000);
    writer_free(&w);
}

static void a_directory_entry_has_48_bytes_and_comes_back(void **state)
{
    (void)state;
    struct chunk_info info = { .thread = 1,
                               .count = 65536,
                               .first_stamp = UINT64_MAX - 1,
                               .last_stamp = UINT64_MAX,
                               .first_event = UINT64_C(1) << 40,
                               .bytes = 77,
                               .desc = 5,
                               .flags = 0 };
    struct chunk_info got;
    struct writer w = { 0 };
    chunk_info_encode(&info, &w);
    assert_int_equal(w.size, 48);
    assert_int_equal(chunk_info_decode(w.data, w.size, &got), OK);
    assert_memory_equal(&got, &info, sizeof info);
    for (size_t n = 0; n < w.size; n++)
        assert_int_equal(chunk_info_decode(w.data, n, &got), ERR_FORMAT);
    writer_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_events_come_back),
        cmocka_unit_test(one_event_of_every_kind_comes_back),
        cmocka_unit_test(the_last_data_id_comes_back),
        cmocka_unit_test(realistic_streams_come_back_at_all_lengths),
        cmocka_unit_test(random_streams_come_back),
        cmocka_unit_test(extreme_stamps_and_times_come_back),
        cmocka_unit_test(a_loop_costs_next_to_nothing),
        cmocka_unit_test(fresh_object_ids_cost_next_to_nothing),
        cmocka_unit_test(encoding_does_not_depend_on_what_was_encoded_before),
        cmocka_unit_test(chunks_of_few_and_many_events_follow_each_other),
        cmocka_unit_test(only_wanted_columns_are_given),
        cmocka_unit_test(more_columns_of_the_last_chunk_are_added),
        cmocka_unit_test(values_of_a_data_id_without_a_letter_are_not_given),
        cmocka_unit_test(shares_add_up_to_the_chunk),
        cmocka_unit_test(bytes_belong_to_the_data_id_that_needs_them),
        cmocka_unit_test(shares_are_of_the_last_chunk_only),
        cmocka_unit_test(a_repacked_chunk_decodes_to_the_same),
        cmocka_unit_test(blobs_are_appended),
        cmocka_unit_test(the_kind_table_may_grow),
        cmocka_unit_test(as_many_data_ids_as_events_come_back),
        cmocka_unit_test(data_id_0_has_been_followed_by_the_first_event),
        cmocka_unit_test(tables_serve_more_chunks_than_they_have_generations),
        cmocka_unit_test(bytes_of_an_older_writer_are_read),
        cmocka_unit_test(what_cannot_be_encoded_is_refused),
        cmocka_unit_test(fewer_known_data_ids_than_when_encoded_is_malformed),
        cmocka_unit_test(a_cut_blob_is_malformed),
        cmocka_unit_test(a_changed_byte_is_noticed),
        cmocka_unit_test(forged_blobs_never_crash),
        cmocka_unit_test(a_directory_entry_has_48_bytes_and_comes_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
