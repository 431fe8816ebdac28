/* test_derive_inputs.c - records of hooks that record inputs alone (SITE_INPUTS): the writer counts the events between
 * two of them by the blocks of the code (formats/derive_blocks.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "formats/derive_blocks.h"
#include "formats/derive_write.h"
#include "formats/event.h"
#include "formats/status.h"

/* A method that reads a field, and elements of an array in a loop; another block has no event that needs a record. */
static const struct {
    unsigned event;
    char kind;
    uint16_t pc;
} sites[] = {
    { EVENT_METHOD_ENTRY, 'V', 0 },
    { EVENT_LABEL, 'P', 0 },
    { EVENT_LOCAL_LOAD, 'L', 0 },
    { EVENT_GET_INSTANCE_FIELD, 'L', 1 },
    { EVENT_GET_INSTANCE_FIELD_RESULT, 'L', 1 },
    { EVENT_LOCAL_STORE, 'L', 4 },
    { EVENT_LABEL, 'P', 5 },
    { EVENT_LOCAL_LOAD, 'L', 5 },
    { EVENT_ARRAY_LOAD, 'L', 7 },
    { EVENT_ARRAY_LOAD_INDEX, 'I', 7 },
    { EVENT_ARRAY_LOAD_RESULT, 'I', 7 },
    { EVENT_LOCAL_STORE, 'I', 8 },
    { EVENT_JUMP, 'V', 9 },
    { EVENT_LABEL, 'P', 12 },
    { EVENT_LOCAL_LOAD, 'I', 12 },
    { EVENT_JUMP, 'V', 13 },
    { EVENT_METHOD_THROW, 'L', 15 }, /* dead code, as ASM leaves it */
    { EVENT_LABEL, 'P', 16 },
    { EVENT_METHOD_NORMAL_EXIT, 'V', 16 },
    { EVENT_CATCH_LABEL, 'P', 17 },
    { EVENT_CATCH, 'L', 17 },
    { EVENT_LOCAL_STORE, 'L', 17 },
    { EVENT_METHOD_EXCEPTIONAL_EXIT, 'L', 20 },
};
enum {
    ENTER,
    LABEL0,
    LOAD0,
    GET,
    GOT,
    STORE0,
    LOOP,
    LOAD1,
    ARRAY,
    INDEX,
    ELEMENT,
    STORE1,
    JUMP1,
    ALONE,
    LOAD2,
    JUMP2,
    DEAD,
    LABEL3,
    EXIT,
    CAUGHT,
    CATCH,
    STORE3,
    THROWN,
    SITES
};

static uint32_t rows[SITES];
static uint16_t pcs[SITES];
static uint8_t letters[SITES], roles[SITES];
static struct derive_encoder *encoder;
static struct derive_thread thread;

static int set_up(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SITES; i++) {
        rows[i] = derive_site_row(&(struct derive_site){ .event = sites[i].event,
                                                         .next = i + 1 < SITES ? sites[i + 1].event : 0,
                                                         .kind = (unsigned char)sites[i].kind,
                                                         .followed = true,
                                                         .inputs = true });
        letters[i] = (rows[i] & SITE_VALUELESS) != 0 ? KIND_VOID : (uint8_t)sites[i].kind;
        pcs[i] = sites[i].pc;
    }
    encoder = derive_encoder_new();
    return encoder == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    derive_encoder_free(encoder);
    vec_free(&thread.frames);
    return 0;
}

static void begin(void)
{
    const struct derive_tables tables = { { rows, SITES }, { letters, SITES }, roles, pcs, false };
    derive_begin(encoder, &thread, true, &tables);
}

/* Puts a record; `value` is left out where its data ID has none. Returns the events in the chunk. */
static uint32_t put_at(uint32_t id, uint64_t value, uint64_t stamp)
{
    const uint64_t *end = &value + (letters[id] != KIND_VOID);
    assert_ptr_equal(derive_put_record(encoder, id, stamp, &value, end), end);
    return derive_events(encoder);
}

static uint32_t put(uint32_t id, uint64_t value) { return put_at(id, value, 7); }

static void events_between_two_records_are_counted(void **state)
{
    (void)state;
    begin();
    assert_int_equal(put(ENTER, 0), 1);
    assert_int_equal(put(GOT, 5), GOT + 1);
    assert_int_equal(put(ELEMENT, 1), ELEMENT + 1);  /* through the end of a block */
    assert_int_equal(put(ELEMENT, 2), ELEMENT + 7);  /* once around: STORE1, LOOP .. ELEMENT */
    assert_int_equal(put(ALONE, 0), ELEMENT + 9);    /* STORE1; the LABEL is the record */
    assert_int_equal(put(ELEMENT, 3), ELEMENT + 15); /* LOAD2, LOOP .. ELEMENT */
    assert_int_equal(put(EXIT, 0), ELEMENT + 18);    /* STORE1, LABEL3 */
    assert_int_equal(thread.frames.count, 0);
}

static void an_exception_counts_what_came_before_it(void **state)
{
    (void)state;
    begin();
    (void)put(ENTER, 0);
    (void)put(GOT, 5);
    assert_int_equal(put(CAUGHT, 7), INDEX + 2); /* of the load at pc 7, not its result */
    assert_int_equal(put(CATCH, 6), INDEX + 3);
    assert_int_equal(put(ELEMENT, 1), INDEX + 9);                /* STORE3, LOOP .. ELEMENT */
    assert_int_equal(put(THROWN, (uint64_t)-1 - 7), INDEX + 14); /* STORE1, LOOP .. INDEX; its first record */
    assert_int_equal(put(THROWN, 6), INDEX + 15);
    assert_int_equal(thread.frames.count, 0);
}

static void an_exception_right_behind_a_record_counts_nothing(void **state)
{
    (void)state;
    begin();
    (void)put(ENTER, 0);
    (void)put(GOT, 5);
    (void)put(INDEX, 0); /* a mark */
    assert_int_equal(put(CAUGHT, 7), INDEX + 2);
}

static void events_of_an_unknown_frame_are_dropped_and_counted(void **state)
{
    (void)state;
    begin();
    (void)derive_take_dropped(encoder);
    assert_int_equal(put(ALONE, 0), 0);
    assert_int_equal(put(ELEMENT, 4), 1);
    assert_int_equal(derive_take_dropped(encoder), 1);
    assert_int_equal(derive_take_dropped(encoder), 0);
}

/* A chunk ends in the middle of events that no record has, and the next one begins there. */
static void a_chunk_can_end_between_two_records(void **state)
{
    uint64_t value = 1;
    uint32_t turns = 0, events;
    (void)state;
    begin();
    (void)put(ENTER, 0);
    (void)put(GOT, 5);
    while (derive_put_record(encoder, ELEMENT, 7, &value, &value + 1) != NULL)
        turns++;
    assert_true(derive_full(encoder));
    events = derive_events(encoder);
    assert_int_equal(events, CHUNK_EVENTS_MAX);
    assert_true(thread.frames.items[0].last_id >= STORE1 || thread.frames.items[0].last_id < ELEMENT);
    const struct derive_tables tables = { { rows, SITES }, { letters, SITES }, roles, pcs, false };
    derive_begin(encoder, &thread, false, &tables);
    (void)put(ELEMENT, 1);
    /* all of them: ENTER .. ELEMENT, then 6 a turn */
    assert_int_equal(events + derive_events(encoder), ELEMENT + 1 + 6 * turns);
}

static void dead_code_is_of_no_block(void **state)
{
    (void)state;
    begin();
    (void)put(ENTER, 0);
    (void)put(GOT, 5);
    uint32_t before = put(ALONE, 0);
    assert_int_equal(put(EXIT, 0), before + 3); /* LOAD2, LABEL3, EXIT */
}

/* The first record of METHOD_EXCEPTIONAL_EXIT is no event: a stamp that only it has is not stored. */
static void stamps_are_of_events(void **state)
{
    struct derived_chunk chunk = { 0 };
    struct chunk_decoder *decoder = chunk_decoder_new();
    struct writer out = { 0 };
    struct error err = { 0 };
    (void)state;
    begin();
    (void)put_at(ENTER, 0, 7);
    (void)put_at(GOT, 5, 7);
    const struct derive_tables tables = { { rows, SITES }, { letters, SITES }, roles, pcs, false };
    derive_begin(encoder, &thread, false, &tables);
    assert_int_equal(put_at(THROWN, (uint64_t)-1 - 3, 8), 0);
    assert_int_equal(put_at(THROWN, 6, 9), 1);
    assert_int_equal(put_at(ENTER, 0, 10), 2);
    assert_int_equal(put_at(GOT, 5, 11), 2 + GOT);
    assert_int_equal(put_at(THROWN, (uint64_t)-1 - 3, 12), 2 + GOT);
    assert_int_equal(derive_end(encoder, &out, &err), OK);
    assert_int_equal(derived_chunk_read(&chunk, decoder, tables.kinds, out.data, out.size, &err), OK);
    assert_int_equal(chunk.stamps.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(chunk.stamp_events.items[i], i);
        assert_int_equal(chunk.stamps.items[i], 9 + i);
    }
    derived_chunk_done(&chunk);
    chunk_decoder_free(decoder);
    writer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(events_between_two_records_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_exception_counts_what_came_before_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_exception_right_behind_a_record_counts_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(events_of_an_unknown_frame_are_dropped_and_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_chunk_can_end_between_two_records, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stamps_are_of_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dead_code_is_of_no_block, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
