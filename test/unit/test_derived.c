/* test_derived.c - formats/derived.h: which events of a thread are stored, what both sides of a chunk conclude from
 * them, and that no bytes make the reader of a chunk crash. The execution of code is tested by test/derive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "formats/chunk_pull.h"
#include "formats/derive_encoder.h"
#include "formats/derive_parts.h"
#include "formats/event.h"
#include "formats/status.h"

/* Two methods: 0 calls 1 at one place, and both read a field. Method 2 is recorded whole. */
static const struct {
    uint32_t method;
    unsigned event;
    char kind;
} sites[] = {
    { 0, EVENT_METHOD_ENTRY, 'V' },
    { 0, EVENT_LOCAL_LOAD, 'I' },
    { 0, EVENT_CALL, 'L' },
    { 0, EVENT_CALL_PARAM, 'D' },
    { 0, EVENT_CALL_RETURN, 'I' },
    { 0, EVENT_METHOD_NORMAL_EXIT, 'V' },
    { 0, EVENT_CATCH_LABEL, 'P' },
    { 0, EVENT_CATCH, 'L' },
    { 0, EVENT_METHOD_EXCEPTIONAL_EXIT, 'L' },
    { 1, EVENT_METHOD_ENTRY, 'L' },
    { 1, EVENT_METHOD_PARAM, 'D' },
    { 1, EVENT_GET_INSTANCE_FIELD_RESULT, 'I' },
    { 1, EVENT_GET_INSTANCE_FIELD_RESULT, 'D' },
    { 1, EVENT_METHOD_NORMAL_EXIT, 'I' },
    { 1, EVENT_METHOD_EXCEPTIONAL_EXIT, 'L' },
    { 2, EVENT_METHOD_ENTRY, 'V' },
    { 2, EVENT_LINE_NUMBER, 'V' },
    { 2, EVENT_METHOD_NORMAL_EXIT, 'V' },
};
enum {
    ENTER0,
    LOAD0,
    CALL0,
    ARG0,
    RESULT0,
    EXIT0,
    LABEL0,
    CATCH0,
    THROWN0,
    ENTER1,
    PARAM1,
    READ1,
    READ_DOUBLE1,
    EXIT1,
    THROWN1,
    ENTER2,
    LINE2,
    EXIT2,
    SITES
};

static uint32_t rows[SITES];
static uint8_t letters[SITES];
static struct derive_encoder *encoder;
static struct chunk_decoder *decoder;
static struct derived_chunk chunk;
static struct writer blob;
static struct error err;

static int set_up(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SITES; i++) {
        rows[i] = derive_site_row(&(struct derive_site){ .method = sites[i].method,
                                                         .event = sites[i].event,
                                                         .next = i + 1 < SITES ? sites[i + 1].event : 0,
                                                         .kind = (unsigned char)sites[i].kind,
                                                         .followed = sites[i].method != 2 });
        letters[i] = (uint8_t)sites[i].kind;
    }
    encoder = derive_encoder_new();
    decoder = chunk_decoder_new();
    return encoder == NULL || decoder == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    derive_encoder_free(encoder);
    chunk_decoder_free(decoder);
    derived_chunk_done(&chunk);
    writer_free(&blob);
    return 0;
}

struct one_event {
    uint32_t id;
    uint64_t value;
};

/* Takes the stored events of the chunk, as one who knows the data IDs that are not named. */
static void take_held(void)
{
    size_t named = 0;
    assert_int_equal(chunk.stored, encoder->rest.stored.count);
    for (uint32_t i = 0; i < chunk.stored; i++) {
        const struct chunk_name *n = named < encoder->rest.names.count ? &encoder->rest.names.items[named] : NULL;
        uint32_t id = encoder->rest.stored.ids[i];
        if (n != NULL && n->event == i) {
            assert_true(chunk_pull_named(decoder, n->from, n->first, &id, &chunk.values[i]));
            named++;
        } else {
            assert_true(chunk_pull_known(decoder, id, &chunk.values[i]));
        }
        assert_int_equal(id, encoder->rest.stored.ids[i]);
        assert_int_equal(chunk.values[i], sites[id].kind == 'V' ? 0 : encoder->rest.stored.values[i]);
        chunk.ids[i] = id;
    }
    assert_true(chunk_pull_finished(decoder));
    assert_false(chunk_pull_known(decoder, ENTER0, &(uint64_t){ 0 }));
}

/* Encodes the events as a chunk of the thread, and reads it. */
static void put(struct derive_thread *t, const struct one_event *events, uint32_t count)
{
    uint32_t ids[64];
    uint64_t values[64], stamps[64];
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = events[i].id;
        values[i] = events[i].value;
        stamps[i] = 100 + i / 4; /* rises at every fourth */
    }
    const struct chunk_columns in = { .count = count, .ids = ids, .values = values, .stamps = stamps };
    blob.size = 0;
    assert_int_equal(derive_encode(encoder, t, false, (struct derive_sites){ rows, SITES },
                                   (struct kind_table){ letters, SITES }, &in, &blob, &err),
                     OK);
    assert_int_equal(
        derived_chunk_read(&chunk, decoder, (struct kind_table){ letters, SITES }, blob.data, blob.size, &err), OK);
    assert_int_equal(chunk.count, count);
    assert_int_equal(chunk.stamps.count, (count + 3) / 4);
    for (uint32_t i = 0; i < chunk.stamps.count; i++) {
        assert_int_equal(chunk.stamp_events.items[i], 4 * i);
        assert_int_equal(chunk.stamps.items[i], 100 + i);
    }
    take_held();
}
#define PUT(t, ...)                                                                                                    \
    put(t, (const struct one_event[]){ __VA_ARGS__ },                                                                  \
        sizeof((const struct one_event[]){ __VA_ARGS__ }) / sizeof(struct one_event))

static void holds(const uint32_t *ids, uint32_t count)
{
    assert_int_equal(chunk.stored, count);
    assert_memory_equal(chunk.ids, ids, count * sizeof *ids);
}
#define HOLDS(...)                                                                                                     \
    holds((const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))
static void lists(const uint32_t *events, size_t count)
{
    assert_int_equal(chunk.explicit_events.count, count);
    if (count > 0)
        assert_memory_equal(chunk.explicit_events.items, events, count * sizeof *events);
}
#define LISTS(...)                                                                                                     \
    lists((const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void a_direct_call_needs_its_entry_and_what_is_read(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { LOAD0, 7 }, { CALL0, 5 }, { ARG0, 42 }, { ENTER1, 5 }, { PARAM1, 42 }, { READ1, 3 },
        { EXIT1, 3 }, { RESULT0, 3 }, { EXIT0, 0 });
    HOLDS(ENTER0, ENTER1, READ1);
    lists(NULL, 0);
    assert_int_equal(chunk.values[2], 3);
    assert_int_equal(t.frames.count, 0);
    vec_free(&t.frames);
}

static void other_arguments_are_recorded_and_listed(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { CALL0, 5 }, { ARG0, 42 }, { ENTER1, 6 }, { PARAM1, 42 }, { READ1, 3 }, { EXIT1, 3 },
        { RESULT0, 3 });
    HOLDS(ENTER0, ENTER1, PARAM1, READ1, RESULT0); /* its result is that of the code between */
    LISTS(3);
    vec_free(&t.frames);
}

static void another_result_is_recorded_and_listed(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { CALL0, 5 }, { ARG0, 42 }, { ENTER1, 5 }, { PARAM1, 42 }, { EXIT1, 3 }, { RESULT0, 4 },
        { LOAD0, 4 });
    HOLDS(ENTER0, ENTER1, RESULT0);
    LISTS(6);
    vec_free(&t.frames);
}

static void an_exception_is_recorded_where_it_comes(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { LOAD0, 1 }, { LABEL0, 9 }, { CATCH0, 8 }, { CALL0, 5 }, { ARG0, 42 }, { ENTER1, 5 },
        { PARAM1, 42 }, { THROWN1, 8 }, { LABEL0, 9 }, { CATCH0, 8 }, { THROWN0, 8 });
    HOLDS(ENTER0, LABEL0, CATCH0, ENTER1, THROWN1, LABEL0, CATCH0, THROWN0);
    LISTS(2, 8, 11); /* after THROWN1 any event is recorded */
    assert_int_equal(t.frames.count, 0);
    vec_free(&t.frames);
}

static void an_entry_in_the_middle_of_code_returns_there(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { LOAD0, 1 }, { ENTER1, 5 }, { PARAM1, 1 }, { EXIT1, 0 }, { LOAD0, 2 });
    HOLDS(ENTER0, ENTER1, PARAM1);
    LISTS(2);
    vec_free(&t.frames);
}

static void a_method_that_is_recorded_whole_is_held_whole(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER2, 0 }, { LINE2, 0 }, { LINE2, 0 }, { EXIT2, 0 }, { ENTER0, 0 }, { LOAD0, 1 });
    HOLDS(ENTER2, LINE2, LINE2, EXIT2, ENTER0);
    vec_free(&t.frames);
}

static void the_bits_of_a_nan_are_recorded(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { CALL0, 5 }, { ARG0, UINT64_C(0x7ff8000000000001) }, { RESULT0, 1 });
    HOLDS(ENTER0, ARG0, RESULT0);
    LISTS(2);
    vec_free(&t.frames);
}

static void a_value_that_is_held_anyway_may_be_a_nan(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER1, 5 }, { PARAM1, 1 }, { READ_DOUBLE1, UINT64_C(0x7ff8000000000001) }, { EXIT1, 3 });
    HOLDS(ENTER1, PARAM1, READ_DOUBLE1);
    lists(NULL, 0);
    vec_free(&t.frames);
}

static void a_frame_whose_events_are_not_as_expected_is_recorded_from_there(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { CALL0, 5 }, { ARG0, 42 }, { LOAD0, 1 }, { LOAD0, 2 }, { EXIT0, 0 }); /* no result */
    HOLDS(ENTER0, LOAD0, LOAD0, EXIT0);
    assert_int_equal(t.frames.count, 0);
    vec_free(&t.frames);
}

static void a_call_goes_on_in_the_next_chunk(void **state)
{
    struct derive_thread t = { 0 };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { CALL0, 5 }, { ARG0, 42 });
    PUT(&t, { ENTER1, 5 }, { PARAM1, 42 }, { EXIT1, 1 }, { RESULT0, 1 }); /* not known to be direct */
    HOLDS(ENTER1, PARAM1, RESULT0);
    lists(NULL, 0);
    vec_free(&t.frames);
}

static void a_chunk_of_another_form_is_refused(void **state)
{
    struct derive_thread t = { 0 };
    const struct kind_table kinds = { letters, SITES };
    (void)state;
    PUT(&t, { ENTER0, 0 }, { CALL0, 5 }, { ARG0, 42 }, { ENTER1, 5 }, { PARAM1, 42 }, { READ1, 3 });
    assert_true(derived_is(blob.data, blob.size));
    for (unsigned magic = 0; magic <= UINT8_MAX; magic++) {
        if (magic == DERIVED_MAGIC)
            continue;
        blob.data[0] = (uint8_t)magic;
        assert_false(derived_is(blob.data, blob.size));
        assert_int_equal(derived_chunk_read(&chunk, decoder, kinds, blob.data, blob.size, &err), ERR_FORMAT);
        assert_non_null(strstr(err.text, "not a derived chunk"));
    }
    vec_free(&t.frames);
}

static void forget_followers(void)
{
    followers_done(&encoder->followers);
    encoder->followers = (struct followers){ 0 };
}

/* Which method a call enters is noted once, for all chunks, and what was noted first stays. */
static void what_came_first_after_a_call_is_known_in_later_chunks(void **state)
{
    struct derive_thread t = { 0 };
    struct followers read = { 0 };
    struct writer row = { 0 };
    (void)state;
    forget_followers();
    PUT(&t, { ENTER0, 0 }, { CALL0, 5 }, { ARG0, 42 }, { ENTER1, 5 }, { PARAM1, 42 }, { EXIT1, 3 }, { RESULT0, 3 });
    assert_int_equal(followers_first(&encoder->followers, ARG0), ENTER1);
    followers_take_row(&encoder->followers, &row);
    assert_int_equal(followers_read(&read, row.data, row.size, SITES, &err), OK);
    assert_int_equal(followers_first(&read, ARG0), ENTER1);
    PUT(&t, { CALL0, 5 }, { ARG0, 42 }, { ENTER2, 0 }, { EXIT2, 0 }); /* by itself no entry of that call */
    assert_int_equal(followers_first(&encoder->followers, ARG0), ENTER1);
    followers_take_row(&encoder->followers, &row);
    assert_int_equal(followers_read(&read, row.data, row.size, SITES, &err), OK);
    assert_int_equal(followers_first(&read, ARG0), ENTER1);
    /* rows that are lost come again */
    followers_repeat(&encoder->followers);
    followers_take_row(&encoder->followers, &row);
    followers_done(&read);
    read = (struct followers){ 0 };
    assert_int_equal(followers_read(&read, row.data, row.size, SITES, &err), OK);
    assert_int_equal(followers_first(&read, ARG0), ENTER1);
    assert_int_equal(followers_read(&read, row.data, row.size, ENTER1, &err), ERR_FORMAT); /* no such data ID */
    assert_int_equal(followers_read(&read, row.data, row.size - 1, SITES, &err), ERR_FORMAT);
    writer_free(&row);
    followers_done(&read);
    vec_free(&t.frames);
}

/* After recovery what came first in lost chunks is not known: nothing is noted. */
static void followers_that_are_fixed_stay(void **state)
{
    struct followers f = { .fixed = true };
    (void)state;
    assert_true(followers_make_room(&f, SITES));
    followers_meet(&f, ARG0, ENTER1);
    assert_int_equal(followers_first(&f, ARG0), ARG0 + 1);
    assert_int_equal(f.row.size, 0);
    followers_done(&f);
}

static uint64_t random_state = 88172645463325252u;
static uint32_t random_below(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state % n);
}

/* Events in any order: both sides keep one state, whatever they are. */
static void any_events_can_be_written_and_read(void **state)
{
    struct derive_thread t = { 0 };
    struct one_event events[64];
    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        uint32_t count = 1 + random_below(64);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t id = random_below(SITES);
            events[i] = (struct one_event){ id, sites[id].kind == 'V' ? 0 : random_below(4) };
        }
        put(&t, events, count);
        assert_true(chunk.stored <= count);
        assert_true(t.frames.count <= 64 * (round + 1));
    }
    vec_free(&t.frames);
}

/* Records of random data IDs put as records, and their events put one by one, make the same chunk. `whole`: an entry
 * has its parameters in its record. */
static void put_random_records(bool whole)
{
    /* which data IDs come in one record with the one before */
    const bool joined[SITES] = {
        [LOAD0] = true, [ARG0] = true, [EXIT0] = true, [CATCH0] = true, [PARAM1] = whole, [LINE2] = true
    };
    enum { RECORDS = 3000 };
    static uint64_t words[RECORDS * (1 + JOURNAL_RECORD_EVENTS)], values[RECORDS * SITES], stamps[RECORDS * SITES];
    static uint32_t ids[RECORDS * SITES];
    uint8_t with[SITES], roles[SITES] = { 0 };
    struct derive_thread one = { 0 }, other = { 0 };
    struct writer again = { 0 };
    struct derive_encoder *records = derive_encoder_new(); /* its table of records is that of these letters */
    uint64_t passed = 0;
    assert_non_null(records);
    forget_followers(); /* as the other one */
    for (uint32_t i = 0; i < SITES; i++)
        with[i] = letters[i] | (joined[i] ? KIND_JOINED : 0);
    const struct derive_tables tables = { { rows, SITES }, { with, SITES }, roles, NULL, false };
    for (unsigned round = 0; round < 200; round++) {
        uint64_t *end = words, stamp = 7;
        struct chunk_columns in = { .ids = ids, .values = values, .stamps = stamps };
        unsigned wild = random_below(4) == 0 ? 2 : 60; /* how seldom the order is not that of the code */
        uint32_t id = ENTER0;
        for (unsigned n = 0; n < RECORDS; n++) {
            static const uint32_t next[SITES] = {
                [LOAD0] = CALL0, [ARG0] = ENTER1,   [ENTER1] = PARAM1, [PARAM1] = READ1,
                [READ1] = EXIT1, [EXIT1] = RESULT0, [EXIT0] = ENTER0,  [LINE2] = EXIT2
            };
            stamp += id != PARAM1 && random_below(200) == 0; /* parameters of a later stamp are not looked for */
            *end++ = stamp << 32 | id;
            do {
                uint64_t value = random_below(wild) == 0 ? random_below(100) : 5;
                if (letters[id] == KIND_DOUBLE && random_below(wild) == 0)
                    value = UINT64_C(0x7ff8000000000001);
                if (id == PARAM1 && random_below(wild) != 0)
                    value = passed;
                if (id == ARG0)
                    passed = value;
                if (letters[id] == KIND_VOID)
                    value = 0;
                else
                    *end++ = letters[id] == KIND_REF ? object_hash((uint32_t)value) : value;
                in.ids[in.count] = id;
                in.values[in.count] = value;
                in.stamps[in.count++] = stamp;
            } while (++id < SITES && joined[id]);
            id = random_below(wild) == 0 ? random_below(SITES) : next[id - 1];
            while (joined[id])
                id--;
        }
        blob.size = again.size = 0;
        assert_int_equal(derive_encode(encoder, &one, false, tables.sites, tables.kinds, &in, &blob, &err), OK);
        derive_begin(records, &other, false, &tables);
        for (const uint64_t *p = words; p < end;) {
            p = derive_put_record(records, (uint32_t)*p, *p >> 32, p + 1, end);
            assert_non_null(p);
            p = derive_put_records(records, 0, UINT64_MAX, p, end);
        }
        assert_int_equal(derive_events(records), in.count);
        assert_int_equal(derive_end(records, &again, &err), OK);
        assert_int_equal(again.size, blob.size);
        assert_memory_equal(again.data, blob.data, blob.size);
        assert_int_equal(one.frames.count, other.frames.count);
    }
    writer_free(&again);
    derive_encoder_free(records);
    vec_free(&one.frames);
    vec_free(&other.frames);
}

static void records_make_the_chunks_of_their_events(void **state)
{
    (void)state;
    put_random_records(false);
    put_random_records(true);
}

static void changed_and_cut_blobs_never_crash(void **state)
{
    struct derive_thread t = { 0 };
    struct kind_table kinds = { letters, SITES };
    uint8_t copy[4096];
    (void)state;
    PUT(&t, { ENTER0, 0 }, { LOAD0, 7 }, { CALL0, 5 }, { ARG0, 42 }, { ENTER1, 6 }, { PARAM1, 42 }, { READ1, 3 },
        { EXIT1, 3 }, { RESULT0, 3 }, { EXIT0, 0 });
    assert_true(blob.size < sizeof copy);
    for (size_t n = 0; n < blob.size; n++) {
        assert_int_equal(derived_chunk_read(&chunk, decoder, kinds, blob.data, n, &err), ERR_FORMAT);
        memcpy(copy, blob.data, blob.size);
        copy[n] ^= (uint8_t)(1 + random_below(255));
        assert_int_not_equal(derived_chunk_read(&chunk, decoder, kinds, copy, blob.size, &err), OK);
    }
    vec_free(&t.frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_direct_call_needs_its_entry_and_what_is_read),
        cmocka_unit_test(other_arguments_are_recorded_and_listed),
        cmocka_unit_test(another_result_is_recorded_and_listed),
        cmocka_unit_test(an_exception_is_recorded_where_it_comes),
        cmocka_unit_test(an_entry_in_the_middle_of_code_returns_there),
        cmocka_unit_test(a_method_that_is_recorded_whole_is_held_whole),
        cmocka_unit_test(the_bits_of_a_nan_are_recorded),
        cmocka_unit_test(a_value_that_is_held_anyway_may_be_a_nan),
        cmocka_unit_test(a_frame_whose_events_are_not_as_expected_is_recorded_from_there),
        cmocka_unit_test(a_call_goes_on_in_the_next_chunk),
        cmocka_unit_test(a_chunk_of_another_form_is_refused),
        cmocka_unit_test(what_came_first_after_a_call_is_known_in_later_chunks),
        cmocka_unit_test(followers_that_are_fixed_stay),
        cmocka_unit_test(any_events_can_be_written_and_read),
        cmocka_unit_test(records_make_the_chunks_of_their_events),
        cmocka_unit_test(changed_and_cut_blobs_never_crash),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
