/* test_drain.c - logging/drain/drain.h: records as hooks write them, through the drain, read back from the store. */
#include "reader_fixture.h"

#include "formats/event.h"
#include "formats/journal.h"
#include "formats/roles.h"
#include "logging/drain/drain.h"

/* data IDs:                   0   1   2          3          4          5        6   7   8   9  10 */
static const uint8_t kinds[] = { 'V', 'I', 'L', 'I' | 0x80, 'L' | 0x80, 'J', 'V', 'V', 'V', 'L', 'L' };
static const uint8_t roles[] = { ROLE_NONE,  ROLE_NONE,  ROLE_NONE,       ROLE_NONE,        ROLE_NONE, ROLE_NONE,
                                 ROLE_ENTER, ROLE_SUPER, ROLE_SUPER_DONE, ROLE_EXCEPTIONAL, ROLE_CATCH };
enum { KINDS = sizeof kinds };

static struct error err;
static char dir[32];
static struct store *store;
static struct drain d;
static uint64_t *memory; /* one buffer, a word at a time */
static uint64_t words;
static uint32_t first_dataid; /* of the next buffer's period */

static void open_drain(bool timed)
{
    (void)snprintf(dir, sizeof dir, "drain-XXXXXX");
    assert_non_null(mkdtemp(dir));
    ok(store_open(dir, true, &store, &err));
    ok(drain_init(&d, store, timed, &err));
    d.format.kinds = (struct kind_table){ kinds, KINDS };
    d.format.roles = roles;
    ok(store_begin(store, &err));
    memory = calloc(1, JOURNAL_BUFFER_BYTES);
    words = 8;
    first_dataid = 0;
}

static int begin(void **state)
{
    (void)state;
    open_drain(false);
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(memory);
    drain_done(&d);
    store_abort(store);
    store_close(store);
    fixture_remove(strdup(dir));
    return 0;
}

static void word(uint64_t v) { memory[words++] = v; }
static void event(uint32_t id, uint32_t stamp) { word((uint64_t)stamp << 32 | id); }

/* Drains what was written as buffer `sequence` of descriptor 5, thread 2, from a block of exactly its size. */
static void drain_words(uint64_t sequence, uint64_t first_stamp)
{
    uint64_t *exact = malloc(words * 8);
    memcpy(exact, memory, words * 8);
    *(struct buffer_head *)exact = (struct buffer_head){ .state = BUFFER_FULL,
                                                         .desc = 5,
                                                         .sequence = sequence,
                                                         .first_stamp = first_stamp,
                                                         .thread = 2,
                                                         .first_dataid = first_dataid };
    struct drain_buffer b = { (struct buffer_head *)exact, words * 8 };
    ok(drain_group(&d, 5, &b, 1, &err));
    free(exact);
    words = 8;
}

static struct chunk_decoder *decoder;
static struct chunk_info info;
static struct chunk_columns chunk(uint64_t no)
{
    const void *data;
    size_t size;
    struct chunk_columns c;
    ok(chunk_writer_finish(&d.batch.output.chunks, store, &err));
    ok(store_get(store, DB_CHUNKDIR, no, &data, &size, &err));
    assert_int_equal(chunk_info_decode(data, size, &info), OK);
    ok(store_get(store, DB_CHUNK, no, &data, &size, &err));
    assert_int_equal(info.bytes, size);
    if (decoder == NULL)
        decoder = chunk_decoder_new();
    ok(chunk_decode(decoder, d.format.kinds, data, size,
                    d.format.timed ? CHUNK_ALL : CHUNK_IDS | CHUNK_VALUES | CHUNK_STAMPS, &c, &err));
    assert_int_equal(c.count, info.count);
    return c;
}

static void ids(uint64_t no, const uint32_t *want, uint32_t count)
{
    struct chunk_columns c = chunk(no);
    assert_int_equal(c.count, count);
    assert_memory_equal(c.ids, want, count * sizeof *want);
}

static void records_become_a_chunk(void **state)
{
    (void)state;
    event(0, 10);
    event(1, 10);
    word((uint64_t)-5);
    event(5, 12);
    word(UINT64_C(0x8000000000000001));
    drain_words(1, 10);
    ids(0, (const uint32_t[]){ 0, 1, 5 }, 3);
    struct chunk_columns c = chunk(0);
    assert_true(c.values[1] == (uint64_t)-5 && c.values[2] == UINT64_C(0x8000000000000001));
    assert_true(c.stamps[0] == 10 && c.stamps[2] == 12);
    assert_true(info.thread == 2 && info.desc == 5 && info.first_stamp == 10 && info.last_stamp == 12 &&
                info.first_event == 0);
    assert_true(d.batch.events == 3 && d.batch.lost == 0);
    const void *data;
    size_t size;
    ok(store_get(store, DB_DRAINED, 5, &data, &size, &err));
    assert_true(size == 8 && memcmp(data, "\15\0\1\0\0\0\0\0", 8) == 0);
}

/* A buffer that is stored twice, the second time with more in it, gives every event once. */
static void a_buffer_goes_on_where_its_storing_ended(void **state)
{
    (void)state;
    event(0, 10);
    word((uint64_t)10 << 32 | (REC_FIRST | REC_SWITCH));
    word((uint64_t)NO_DESC << 32 | 7);
    word(0);
    event(1, 11);
    word(5);
    size_t part = words;
    uint64_t *copy = malloc(part * 8);
    memcpy(copy, memory, part * 8);
    drain_words(1, 10);
    memcpy(memory, copy, part * 8);
    free(copy);
    words = part;
    event(5, 12);
    word(6);
    drain_words(1, 10);
    drain_words(1, 10); /* less than is stored */
    ids(0, (const uint32_t[]){ 0 }, 1);
    ids(1, (const uint32_t[]){ 1 }, 1);
    ids(2, (const uint32_t[]){ 5 }, 1);
    assert_true(info.thread == 7 && info.first_stamp == 12);
    assert_true(d.batch.events == 3 && d.batch.lost == 0 && d.batch.output.chunks.next_chunk == 3);
}

/* Of a period that has ended nothing comes but what was before its end; of code woven before the period nothing at
 * all. */
static void events_outside_of_the_period_are_left_out(void **state)
{
    (void)state;
    struct journal_head head = { .period = 0, .period_end = 11 };
    d.reader.journal = &head;
    event(1, 10);
    word(5);
    event(2, 10); /* with two more joined to it */
    word(100);
    word(7);
    word(200);
    event(1, 11); /* too late */
    word(6);
    event(2, 12);
    word(100);
    word(7);
    word(200);
    drain_words(1, 10);
    ids(0, (const uint32_t[]){ 1, 2, 3, 4 }, 4);
    head.period = 1;
    event(1, 10);
    word(5);
    drain_words(2, 10); /* its period is over */
    assert_true(d.batch.events == 4 && d.batch.lost == 0 && d.batch.output.chunks.next_chunk == 1);
}

static void joined_values_are_events_of_their_own(void **state)
{
    (void)state;
    event(2, 1);
    word(object_hash(100));
    word(7);
    word(object_hash(200));
    event(0, 1);
    drain_words(1, 1);
    ids(0, (const uint32_t[]){ 2, 3, 4, 0 }, 4);
    struct chunk_columns c = chunk(0);
    assert_true(c.values[0] == 100 && c.values[1] == 7 && c.values[2] == 200);
}

static void stamps_pass_32_bits(void **state)
{
    (void)state;
    event(0, 0xfffffffe);
    event(0, 3);
    drain_words(1, UINT64_C(0x5fffffff0));
    struct chunk_columns c = chunk(0);
    assert_true(c.stamps[0] == UINT64_C(0x5fffffffe) && c.stamps[1] == UINT64_C(0x600000003));
}

static void clock_values_are_counted_from_the_start(void **state)
{
    end(state);
    open_drain(true);
    d.format.start_ns = 1000;
    event(1, 1);
    word(1500);
    word(42);
    event(0, 1);
    word(1600);
    drain_words(1, 1);
    struct chunk_columns c = chunk(0);
    assert_true(c.times[0] == 500 && c.times[1] == 600 && c.values[0] == 42);
}

static void a_thread_goes_on_in_its_next_group(void **state)
{
    (void)state;
    event(0, 1);
    event(0, 1);
    drain_words(1, 1);
    event(0, 2);
    drain_words(2, 2);
    (void)chunk(1);
    assert_true(info.first_event == 2 && info.count == 1);
}

static void a_switch_of_threads_begins_a_new_chunk(void **state)
{
    (void)state;
    event(0, 1);
    event(REC_FIRST | REC_SWITCH, 0);
    word((uint64_t)NO_DESC << 32 | 9);
    word(0);
    event(1, 1);
    word(5);
    drain_words(1, 1);
    ids(0, (const uint32_t[]){ 0 }, 1);
    assert_int_equal(info.thread, 2);
    ids(1, (const uint32_t[]){ 1 }, 1);
    assert_int_equal(info.thread, 9);
}

static void chunks_end_at_their_greatest_size(void **state)
{
    (void)state;
    uint64_t sequence = 1;
    for (uint32_t done = 0; done < 70000;) {
        for (; words < JOURNAL_BUFFER_BYTES / 8 && done < 70000; done++)
            event(0, 1);
        uint64_t *exact = memory;
        *(struct buffer_head *)exact =
            (struct buffer_head){ .desc = 5, .sequence = sequence++, .first_stamp = 1, .thread = 2 };
        struct drain_buffer b[8];
        for (int i = 0; i < 8; i++)
            b[i] = (struct drain_buffer){ (struct buffer_head *)exact, words * 8 };
        ok(drain_group(&d, 5, b, 8, &err)); /* eight times the same: joined as far as chunks go */
        done += 7 * (uint32_t)(words - 8);
        words = 8;
    }
    (void)chunk(0);
    assert_true(info.count > CHUNK_EVENTS_MAX / 2 && info.count <= CHUNK_EVENTS_MAX);
    uint32_t first = info.count;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < d.batch.output.chunks.next_chunk; i++) {
        (void)chunk(i);
        assert_true(info.first_event == sum);
        sum += info.count;
    }
    assert_true(sum == d.batch.events && first > 65000);
}

/* The deriver of a method: its entry, a field that it reads, its exit with an exception. */
static struct deriver deriver;
static void begin_deriving(void)
{
    static const struct {
        unsigned event;
        uint8_t letter;
        uint16_t pc;
    } sites[] = { { EVENT_METHOD_ENTRY, 'V', 0 },
                  { EVENT_GET_STATIC_FIELD, 'I', 1 },
                  { EVENT_METHOD_EXCEPTIONAL_EXIT, 'L', 5 } };
    static uint8_t letters[3];
    static uint16_t pcs[3];
    static uint32_t rows[3];
    assert_true(deriver_init(&deriver));
    for (uint32_t i = 0; i < 3; i++) {
        letters[i] = sites[i].letter;
        pcs[i] = sites[i].pc;
        rows[i] = derive_site_row(&(struct derive_site){
            .event = sites[i].event, .kind = sites[i].letter, .followed = true, .inputs = true });
    }
    d.format.kinds = (struct kind_table){ letters, 3 };
    deriver.sites = (struct derive_sites){ rows, 3 };
    deriver.pcs = pcs;
    d.batch.output.chunks.deriver = &deriver;
}

static void end_deriving(void)
{
    d.batch.output.chunks.deriver = NULL;
    deriver_done(&deriver);
}

static void read_info(uint64_t chunk)
{
    const void *data;
    size_t size;
    ok(chunk_writer_finish(&d.batch.output.chunks, store, &err));
    ok(store_get(store, DB_CHUNKDIR, chunk, &data, &size, &err));
    assert_int_equal(chunk_info_decode(data, size, &info), OK);
}

/* A chunk's directory has the stamps of its events: the first record of METHOD_EXCEPTIONAL_EXIT is none. */
static void stamps_of_a_derived_chunk_are_those_of_events(void **state)
{
    (void)state;
    begin_deriving();
    event(0, 10);
    event(1, 10);
    word(5);
    drain_words(1, 10);
    event(2, 20);
    word((uint64_t)-1 - 3);
    event(2, 30);
    word(object_hash(6));
    event(0, 31);
    event(2, 40);
    word((uint64_t)-1 - 0);
    drain_words(2, 20);
    for (uint64_t i = 0; i < 2; i++) {
        read_info(i);
        assert_int_equal(info.count, 2);
        assert_int_equal(info.first_stamp, i == 0 ? 10 : 30);
        assert_int_equal(info.last_stamp, i == 0 ? 10 : 31);
    }
    end_deriving();
}

/* Thread 9, a virtual one, enters its method on the carrier of descriptor 6 and reads the field on that of descriptor
 * 5, where thread 2 was before. */
static void put_part(uint32_t after, uint64_t place)
{
    words = 8;
    event(0, 10);
    event(REC_FIRST | REC_SWITCH, 12);
    word((uint64_t)after << 32 | 9);
    word(place);
    event(1, 12);
    word(5);
}

static void derived_parts_of_a_thread_wait_for_those_before(void **state)
{
    (void)state;
    begin_deriving();
    put_part(6, journal_position(1, 72));
    uint64_t *other = calloc(1, 72);
    other[8] = (uint64_t)11 << 32;
    *(struct buffer_head *)other = (struct buffer_head){ .desc = 6, .sequence = 1, .first_stamp = 11, .thread = 9 };
    drain_words(1, 10);
    assert_true(d.reader.waits && d.whole == 0 && d.batch.events == 1);
    ok(drain_group(&d, 6, &(struct drain_buffer){ (struct buffer_head *)other, 72 }, 1, &err));
    d.reader.waits = false;
    put_part(6, journal_position(1, 72));
    drain_words(1, 10);
    assert_true(!d.reader.waits && d.whole == 1 && d.batch.events == 3 && d.batch.lost == 0);
    for (uint64_t i = 0; i < 3; i++) {
        read_info(i);
        assert_int_equal(info.thread, i == 0 ? 2 : 9);
        assert_int_equal(info.first_event, i == 2);
    }
    free(other);
    end_deriving();
}

/* What they follow is gone: they are read all the same. */
static void derived_parts_do_not_wait_for_ever(void **state)
{
    (void)state;
    begin_deriving();
    d.reader.positions = NULL;
    put_part(6, journal_position(1, 72));
    drain_words(1, 10);
    assert_true(!d.reader.waits && d.whole == 1);
    end_deriving();
}

static void text_record(unsigned kind, uint32_t id, uint64_t length, unsigned flags, const char *bytes, size_t n)
{
    event(REC_FIRST | kind, 0);
    word((uint64_t)n << 32 | object_hash(id));
    word(object_hash(77)); /* its class */
    word(length << 8 | flags);
    memcpy(memory + words, bytes, n);
    words += (n + 7) / 8;
}

static object_entry_vec entries;
static struct writer storage;
static void objects(uint32_t page, uint32_t fragment)
{
    const void *data;
    size_t size;
    vec_free(&entries);
    writer_free(&storage);
    ok(store_get(store, DB_OBJECT, object_key(page << OBJECT_PAGE_BITS, fragment), &data, &size, &err));
    ok(objects_decode(data, size, &entries, &storage, &err));
}

static void strings_come_whole_from_their_pieces(void **state)
{
    (void)state;
    text_record(REC_STRING, 30, 11, STRING_LATIN1 | STRING_MORE, "hello", 5);
    text_record(REC_STRING, 30, 11, STRING_LATIN1 | STRING_MORE, " wor", 4);
    text_record(REC_STRING, 30, 11, STRING_LATIN1, "ld", 2);
    text_record(REC_STRING, 20, 0, STRING_LATIN1, "", 0);
    text_record(REC_STRING, 25, 9, STRING_CUT, "a\0b\0", 4);
    event(0, 1); /* and events among them */
    drain_words(1, 1);
    objects(0, 0);
    assert_int_equal(entries.count, 3);
    const struct object_entry *o = entries.items;
    assert_true(o[0].id == 20 && o[0].has_string && o[0].bytes.size == 0);
    assert_true(o[1].id == 25 && o[1].cut && !o[1].latin1 && o[1].length == 9 && o[1].bytes.size == 4);
    assert_true(o[2].id == 30 && o[2].class_id == 77 && o[2].latin1 && o[2].length == 11);
    assert_int_equal(o[2].bytes.size, 11);
    assert_memory_equal(o[2].bytes.data, "hello world", 11);
    ids(0, (const uint32_t[]){ 0 }, 1);
    assert_true(d.batch.lost == 0);
}

static void the_last_report_of_a_thrown_object_holds(void **state)
{
    (void)state;
    event(REC_FIRST | REC_OBJECT, 0);
    word((uint64_t)object_hash(88) << 32 | object_hash(40));
    text_record(REC_THROWN, 41, 0, STRING_MORE, "first ", 6);
    text_record(REC_THROWN, 41, 0, 0, "row", 3);
    text_record(REC_THROWN, 41, 0, 0, "second", 6);
    drain_words(1, 1);
    objects(0, 0);
    assert_int_equal(entries.count, 2);
    assert_true(entries.items[0].id == 40 && entries.items[0].class_id == 88 && entries.items[0].thrown.size == 0);
    assert_int_equal(entries.items[1].thrown.size, 6);
    assert_memory_equal(entries.items[1].thrown.data, "second", 6);
    assert_false(entries.items[1].has_string);
}

static void objects_of_other_pages_are_other_fragments(void **state)
{
    (void)state;
    for (uint32_t id = 3000; id > 0; id -= 500) {
        event(REC_FIRST | REC_OBJECT, 0);
        word((uint64_t)object_hash(1) << 32 | object_hash(id));
    }
    drain_words(1, 1);
    objects(0, 0);
    assert_int_equal(entries.count, 2);
    objects(1, 1);
    assert_int_equal(entries.count, 2);
    objects(2, 2);
    assert_int_equal(entries.count, 2);
}

static void losses_reported_by_the_agent_are_counted(void **state)
{
    (void)state;
    event(REC_FIRST | REC_LOST, 0);
    word(1234);
    drain_words(1, 1);
    assert_true(d.batch.lost == 1234);
}

static void events_of_a_cut_are_events(void **state)
{
    (void)state;
    event(REC_FIRST | REC_CUT, 0);
    word(1 | UINT64_C(2) << 32);
    drain_words(1, 1);
    ids(0, (const uint32_t[]){ 1, 2 }, 2);
    assert_true(d.batch.lost == 0);
}

static void a_cut_of_code_of_an_earlier_period_is_left_out(void **state)
{
    (void)state;
    first_dataid = 1;
    event(REC_FIRST | REC_CUT, 0);
    word(0 | UINT64_C(1) << 32);
    event(REC_FIRST | REC_CUT, 0);
    word(1 | UINT64_C(1) << 32);
    drain_words(1, 1);
    ids(0, (const uint32_t[]){ 1 }, 1);
    assert_true(d.batch.lost == 0);
}

static void a_record_that_makes_no_sense_ends_its_buffer_and_is_lost(void **state)
{
    static const uint64_t bad[][4] = {
        { KINDS, 0, 0, 0 },          /* no such data ID */
        { REC_FIRST | 99, 0, 0, 0 }, /* no such record */
        { REC_FIRST, 0, 0, 0 },
        { REC_FIRST | REC_STRING, UINT64_C(1000) << 32, 0, 0 }, /* longer than the buffer */
        { REC_FIRST | REC_THROWN, UINT64_C(0xffffffff) << 32, 0, 0 },
        { REC_FIRST | REC_CUT, (KINDS - 1) | UINT64_C(2) << 32, 0, 0 },
        { REC_FIRST | REC_CUT, UINT64_C(99) << 32, 0, 0 },
        { UINT64_MAX, 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        end(state);
        begin(state);
        event(0, 1);
        for (int k = 0; k < 4; k++)
            word(bad[i][k]);
        drain_words(1, 1);
        ids(0, (const uint32_t[]){ 0 }, 1);
        assert_true(d.batch.lost == 1);
    }
}

static void a_record_cut_off_by_the_end_is_lost(void **state)
{
    for (uint64_t have = 1; have < 4; have++) {
        end(state);
        begin(state);
        event(0, 1);
        event(2, 1);
        for (uint64_t k = 1; k < have; k++)
            word(1);
        drain_words(1, 1);
        ids(0, (const uint32_t[]){ 0 }, 1);
        assert_true(d.batch.lost == 1);
    }
    for (uint64_t have = 1; have < 4; have++) { /* a string's head */
        end(state);
        begin(state);
        event(0, 1);
        event(REC_FIRST | REC_STRING, 0);
        for (uint64_t k = 1; k < have; k++)
            word(0);
        drain_words(1, 1);
        assert_true(d.batch.lost == 1);
    }
}

static void the_exit_of_a_constructor_that_super_left_is_inserted(void **state)
{
    (void)state;
    event(6, 1);  /* enter the constructor */
    event(7, 1);  /* super(...) */
    event(10, 1); /* caught outside */
    word(object_hash(555));
    drain_words(1, 1);
    ids(0, (const uint32_t[]){ 6, 7, 9, 10 }, 4);
    struct chunk_columns c = chunk(0);
    assert_true(c.values[2] == 555); /* by the exception that is caught */
    event(6, 1);                     /* and one that comes back, over a group's border */
    event(7, 1);
    drain_words(2, 1);
    event(8, 1);
    event(0, 1);
    drain_words(3, 1);
    ids(1, (const uint32_t[]){ 6, 7 }, 2);
    ids(2, (const uint32_t[]){ 8, 0 }, 2);
}

static void any_words_are_safe(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (uint64_t round = 1; round < 1500; round++) {
        for (int i = 0; i < 60; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            switch (x >> 33 & 7) {
            case 0: word(x); break;
            case 1: event((uint32_t)(REC_FIRST | (x & 7)), 0); break;
            case 2: word(x & 63); break;
            default: event((uint32_t)(x & 15), (uint32_t)(x >> 8 & 1023)); break;
            }
            /* thread numbers are taken as they are: small ones only (the drain keeps a table by thread) */
            if (words > 9 && (uint32_t)memory[words - 2] == (REC_FIRST | REC_SWITCH))
                memory[words - 1] &= UINT64_C(0xffffffff000003ff);
        }
        drain_words(round, round);
    }
    assert_true(d.batch.lost > 0 && d.batch.events > 0);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_become_a_chunk),
        TEST(a_buffer_goes_on_where_its_storing_ended),
        TEST(events_outside_of_the_period_are_left_out),
        TEST(joined_values_are_events_of_their_own),
        TEST(stamps_of_a_derived_chunk_are_those_of_events),
        TEST(derived_parts_of_a_thread_wait_for_those_before),
        TEST(derived_parts_do_not_wait_for_ever),
        TEST(stamps_pass_32_bits),
        TEST(clock_values_are_counted_from_the_start),
        TEST(a_thread_goes_on_in_its_next_group),
        TEST(a_switch_of_threads_begins_a_new_chunk),
        TEST(chunks_end_at_their_greatest_size),
        TEST(strings_come_whole_from_their_pieces),
        TEST(the_last_report_of_a_thrown_object_holds),
        TEST(objects_of_other_pages_are_other_fragments),
        TEST(losses_reported_by_the_agent_are_counted),
        TEST(events_of_a_cut_are_events),
        TEST(a_cut_of_code_of_an_earlier_period_is_left_out),
        TEST(a_record_that_makes_no_sense_ends_its_buffer_and_is_lost),
        TEST(a_record_cut_off_by_the_end_is_lost),
        TEST(the_exit_of_a_constructor_that_super_left_is_inserted),
        TEST(any_words_are_safe),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    vec_free(&entries);
    writer_free(&storage);
    if (decoder != NULL)
        chunk_decoder_free(decoder);
    return failed;
}
