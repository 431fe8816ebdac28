/* test_reader.c - tables, objects and JSON of the reader on the fixture's trace, and traces that are damaged. */
#include "reader_fixture.h"

#include <sys/stat.h>

/* the command's writers, without the command */
#include "output.h"
#include "reader/command/show.c"
#include "reader/command/show_places.c"
#include "reader/command/show_redacted.c"
#include "reader/command/show_values.c"

static uint32_t cut(void) { return 3; }

static const struct fake_event some[] = {
    { 0, 1, ID_ENTRY, OBJECT_USER },
    { 0, 1, ID_PARAM_INT, (uint64_t)-5 },
    { 0, 1, ID_PARAM_REF, OBJECT_LATIN1 },
    { 0, 2, ID_LOAD_FLOAT, 0x3dcccccd },
    { 0, 2, ID_LOAD_FLOAT, 0x7fc00001 },
    { 0, 2, ID_LOAD_FLOAT, 0x80000000 },
    { 0, 2, ID_INSTANCEOF, 1 },
    { 0, 2, ID_LOCAL_LONG, (uint64_t)INT64_MIN },
    { 0, 3, ID_ENTRY_OTHER, 0 },
    { 0, 3, ID_EXIT_OTHER, OBJECT_UTF16 },
    { 0, 3, ID_EXIT_OTHER, OBJECT_CUT },
    { 0, 3, ID_EXIT_OTHER, 0 },
    { 0, 4, ID_EXIT_OTHER, OBJECT_UNKNOWN },
    { 0, 4, ID_EXIT_DOUBLE, UINT64_C(0x3fb999999999999a) },
    { 0, 4, ID_EXIT_DOUBLE, UINT64_C(0xfff0000000000000) },
    { 0, 4, ID_PARAM_REF, OBJECT_FAR },
};
enum { SOME = sizeof some / sizeof *some };

#define M                 "\"class\":\"a.b.C\",\"method\":\"m\",\"desc\":\"(ILjava/lang/String;)V\",\"line\":7,\"pc\":0"
#define CALC              "\"class\":\"a.b.C\",\"method\":\"calc\",\"desc\":\"()D\",\"pc\":"
#define OTHER             "\"class\":\"a.b.C\",\"method\":\"other\",\"desc\":\"()Ljava/lang/Object;\",\"line\":"
#define STRING_ATTR       ",\"attr\":{\"type\":\"java.lang.String\",\"index\":1}}"
#define SEQ(n, id, event) "{\"seq\":" #n ",\"thread\":0,\"dataid\":" #id ",\"event\":\"" #event "\","
static const char *const expected[SOME] = {
    SEQ(0, 0, METHOD_ENTRY) M "}",
    SEQ(1, 1, METHOD_PARAM) M ",\"value\":-5}",
    SEQ(2, 2, METHOD_PARAM) M
    ",\"value\":{\"id\":2001,\"type\":\"java.lang.String\",\"string\":\"a\\\"\\n\xc3\xa9\\u0001z/\"}" STRING_ATTR,
    SEQ(3, 5, LOCAL_LOAD) CALC "3,\"value\":0.1}",
    SEQ(4, 5, LOCAL_LOAD) CALC "3,\"value\":\"NaN\"}",
    SEQ(5, 5, LOCAL_LOAD) CALC "3,\"value\":-0.0}",
    SEQ(6, 6, OBJECT_INSTANCEOF_RESULT) CALC "5,\"value\":true}",
    SEQ(7, 7, LOCAL_STORE) CALC "6,\"value\":-9223372036854775808}",
    SEQ(8, 8, METHOD_ENTRY) OTHER "20,\"pc\":0,\"attr\":{\"synchronized\":true}}",
    SEQ(9, 9, METHOD_NORMAL_EXIT) OTHER
    "21,\"pc\":8,\"value\":{\"id\":2002,\"type\":\"java.lang.String\",\"string\":\"\xf0\x9f\x98\x80x\\ud800\\u0000\"}}",
    SEQ(10, 9, METHOD_NORMAL_EXIT) OTHER "21,\"pc\":8,\"value\":{\"id\":2003,\"type\":\"java.lang.String\",\"string\":"
                                         "\"begin\",\"length\":5000,\"cut\":true}}",
    SEQ(11, 9, METHOD_NORMAL_EXIT) OTHER "21,\"pc\":8,\"value\":null}",
    SEQ(12, 9, METHOD_NORMAL_EXIT) OTHER "21,\"pc\":8,\"value\":{\"id\":2004}}",
    SEQ(13, 4, METHOD_NORMAL_EXIT) CALC "12,\"value\":0.1}",
    SEQ(14, 4, METHOD_NORMAL_EXIT) CALC "12,\"value\":\"-Infinity\"}",
    SEQ(15, 2, METHOD_PARAM) M
    ",\"value\":{\"id\":900000,\"type\":\"a.b.C$$Lambda$14/0x0000000800c03000\"}" STRING_ATTR,
};

static void writes_events_as_json(void **state)
{
    (void)state;
    char *dir = fixture_write(some, SOME, cut);
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    struct out out;
    struct show show;
    hs_cursor *c;
    const struct hs_event *e;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    assert_true(out_init_memory(&out) && show_init(&show, t, &out));
    assert_int_equal(hs_events_open(t, NULL, &c, &error), 0);
    for (unsigned round = 0; round < 2; round++, (void)hs_cursor_seek(c, 0, &error))
        for (unsigned i = 0; i < SOME; i++) {
            assert_int_equal(hs_event_next(c, &e, &error), 1);
            out.used = 0;
            show_event_json(&show, e);
            out_char(&out, '\0');
            assert_string_equal(out.data, expected[i]);
        }
    hs_cursor_close(c);
    show_done(&show);
    out_done(&out);
    hs_close(t);
    fixture_remove(dir);
}

static void answers_from_the_tables(void **state)
{
    (void)state;
    char *dir = fixture_write(some, SOME, cut);
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object *o;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    assert_string_equal(hs_info(t, "format"), "omni");
    assert_null(hs_info(t, "no such key"));
    assert_int_equal(hs_class_count(t), 3);
    assert_string_equal(hs_class_get(t, 3)->name, "a.b.C");
    assert_string_equal(hs_class_get(t, 1)->reason, "excluded: java/");
    assert_null(hs_class_get(t, 4));
    assert_string_equal(hs_method_get(t, 102)->name, "other");
    assert_null(hs_method_get(t, 103));
    assert_null(hs_method_get(t, 99));
    assert_null(hs_dataid_get(t, ID_COUNT));
    assert_int_equal(hs_thread_count(t), 2);
    assert_int_equal(hs_thread_get(t, 0)->events, SOME);
    assert_int_equal(hs_thread_get(t, 1)->events, 0);
    uint32_t ids[8], n = 0;
    hs_cursor *objects;
    assert_int_equal(hs_objects_open(t, &objects, &error), 0);
    for (; n < 8 && hs_object_next(objects, &o, &error) == 1; n++)
        ids[n] = o->id;
    assert_int_equal(hs_cursor_seek(objects, OBJECT_CUT, &error), 0);
    assert_int_equal(hs_object_next(objects, &o, &error), 1);
    assert_int_equal(o->id, OBJECT_CUT);
    hs_cursor_close(objects);
    static const uint32_t all[] = { OBJECT_USER, OBJECT_LATIN1, OBJECT_UTF16, OBJECT_CUT, OBJECT_FAR };
    assert_int_equal(n, 5);
    assert_memory_equal(ids, all, sizeof all);
    assert_null(hs_object_get(t, OBJECT_UNKNOWN));
    assert_null(hs_object_get(t, 0));
    assert_true(hs_string_contains(hs_object_get(t, OBJECT_UTF16), "\xf0\x9f\x98\x80x"));
    assert_true(hs_string_contains(hs_object_get(t, OBJECT_LATIN1), "\xc3\xa9"));
    assert_false(hs_string_contains(hs_object_get(t, OBJECT_LATIN1), "\xf0\x9f\x98\x80"));
    uint64_t counts[ID_COUNT];
    double bytes[ID_COUNT];
    assert_int_equal(hs_count_dataids(t, counts, bytes, &error), 0);
    assert_int_equal(counts[ID_EXIT_OTHER], 4);
    assert_int_equal(counts[ID_EXIT_VOID], 0);
    assert_null(hs_damage(t));
    hs_close(t);
    fixture_remove(dir);
}

/* Everything a trace can be asked; it may fail, but must come back. */
static void ask_everything(const char *dir)
{
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *c;
    const struct hs_event *e;
    const struct hs_object *o;
    if (hs_open(dir, 0, NULL, &t, &error) != 0) {
        assert_true(strlen(error.text) > 0);
        assert_null(strchr(error.text, '\n'));
        return;
    }
    unsigned steps = 0;
    if (hs_events_open(t, NULL, &c, &error) == 0) {
        while (hs_event_next(c, &e, &error) > 0 && steps++ < 1000)
            if (e->kind == 'L' && e->value <= UINT32_MAX)
                (void)hs_object_get(t, (uint32_t)e->value);
        for (steps = 0; hs_event_previous(c, &e, &error) > 0 && steps < 1000;)
            steps++;
        (void)hs_cursor_seek(c, 7, &error);
        hs_cursor_close(c);
    }
    for (uint32_t i = 0; i < hs_dataid_count(t) && i < 1000; i++)
        (void)hs_dataid_get(t, i);
    if (hs_objects_open(t, &c, &error) == 0) {
        for (steps = 0; steps < 1000 && hs_object_next(c, &o, &error) == 1;)
            steps++;
        hs_cursor_close(c);
    }
    (void)hs_clock_ns(t, 5);
    hs_close(t);
}

static void copy_damaged(const char *from, const char *to, size_t cut_at, unsigned flips)
{
    static char bytes[1 << 20];
    char path[128];
    (void)snprintf(path, sizeof path, "%s/data.mdb", from);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    (void)fclose(f);
    for (unsigned i = 0; i < flips; i++)
        bytes[fixture_random((uint32_t)n)] ^= (char)(1 << fixture_random(8));
    (void)snprintf(path, sizeof path, "%s/data.mdb", to);
    f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, n < cut_at ? n : cut_at, f), n < cut_at ? n : cut_at);
    (void)fclose(f);
}

static void survives_truncated_files(void **state)
{
    (void)state;
    char *dir = fixture_write(some, SOME, cut), copy[] = "damaged-XXXXXX";
    assert_non_null(mkdtemp(copy));
    for (size_t at = 0; at < 70000; at += at < 5000 ? 97 : 1024) {
        copy_damaged(dir, copy, at, 0);
        ask_everything(copy);
    }
    fixture_remove(dir);
    fixture_remove(strdup(copy));
}

static void survives_flipped_bits(void **state)
{
    (void)state;
    char *dir = fixture_write(some, SOME, cut), copy[] = "damaged-XXXXXX";
    assert_non_null(mkdtemp(copy));
    for (unsigned round = 0; round < 1500; round++) {
        copy_damaged(dir, copy, SIZE_MAX, 1 + round % 200);
        ask_everything(copy);
    }
    fixture_remove(dir);
    fixture_remove(strdup(copy));
}

static void reads_around_a_damaged_chunk(void **state)
{
    (void)state;
    struct error err;
    struct hs_error error = HS_ERROR_INIT;
    struct store *s;
    hs_trace *t;
    hs_cursor *c;
    const struct hs_event *e;
    char *dir = fixture_write(some, SOME, cut);
    ok(store_open(dir, false, &s, &err));
    ok(store_begin(s, &err));
    ok(store_put(s, DB_CHUNK, 1, "rubbish", 7, &err)); /* events 3, 4, 5 */
    ok(store_commit(s, &err));
    store_close(s);
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    assert_int_equal(hs_events_open(t, NULL, &c, &error), 0);
    for (unsigned i = 0; i < SOME; i = i == 2 ? 6 : i + 1) {
        assert_int_equal(hs_event_next(c, &e, &error), 1);
        assert_int_equal(e->seq, i);
    }
    assert_int_equal(hs_event_next(c, &e, &error), 0);
    assert_non_null(hs_damage(t));
    hs_cursor_close(c);
    hs_close(t);
    fixture_remove(dir);
}

/* Rows whose numbers are far beyond those of the other rows: tables by these numbers would take gigabytes. */
static void ignores_numbers_without_rows(void **state)
{
    (void)state;
    const uint32_t wild = 0xf0000000;
    struct error err;
    struct hs_error error = HS_ERROR_INIT;
    struct store *s;
    hs_trace *t;
    struct writer w = { 0 };
    char *dir = fixture_write(some, SOME, cut);
    ok(store_open(dir, false, &s, &err));
    ok(store_begin(s, &err));
    ok(store_put(s, DB_KIND, wild, "V", 1, &err));
    chunk_info_encode(&(struct chunk_info){ .thread = wild, .count = 1 }, &w);
    ok(store_put(s, DB_CHUNKDIR, 1000, w.data, w.size, &err));
    w.size = 0;
    struct class_row c = { .class_no = 9, .state = CLASS_WOVEN, .name = TEXT_OF("Wild"), .first_method = wild };
    *vec_push(&c.methods) = (struct method_row){ .name = TEXT_OF("m"), .desc = TEXT_OF("()V") };
    class_row_encode(&c, &w);
    ok(store_put(s, DB_CLASS, 9, w.data, w.size, &err));
    class_row_done(&c);
    ok(store_commit(s, &err));
    store_close(s);
    writer_free(&w);
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    assert_non_null(hs_damage(t));
    assert_int_equal(hs_dataid_count(t), ID_COUNT);
    assert_int_equal(hs_event_count(t), SOME);
    assert_non_null(hs_method_get(t, 100));
    assert_null(hs_method_get(t, wild));
    hs_close(t);
    fixture_remove(dir);
}

static void refuses_what_is_no_trace(void **state)
{
    (void)state;
    hs_trace *t = NULL;
    struct hs_error error = HS_ERROR_INIT;
    char empty[] = "empty-XXXXXX";
    assert_non_null(mkdtemp(empty));
    assert_int_equal(hs_open(empty, 0, NULL, &t, &error), -1);
    assert_non_null(strstr(error.text, "is not a trace"));
    assert_int_equal(hs_open("there-is-none", 0, NULL, &t, &error), -1);
    assert_null(t);
    (void)rmdir(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_events_as_json),        cmocka_unit_test(answers_from_the_tables),
        cmocka_unit_test(refuses_what_is_no_trace),     cmocka_unit_test(reads_around_a_damaged_chunk),
        cmocka_unit_test(survives_truncated_files),     cmocka_unit_test(survives_flipped_bits),
        cmocka_unit_test(ignores_numbers_without_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
