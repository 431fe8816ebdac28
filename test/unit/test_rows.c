/* test_rows.c - formats/rows.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/journal.h"
#include "formats/rows.h"

#define assert_text(t, literal)                                                                                        \
    do {                                                                                                               \
        assert_int_equal((t).size, sizeof(literal) - 1);                                                               \
        assert_memory_equal((t).data, literal, (t).size);                                                              \
    } while (0)

static uint64_t rng_state = 0x9e3779b97f4a7c15u;
static uint32_t rng(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (uint32_t)(rng_state >> 20);
}

/* A copy of exactly n bytes, so that the address sanitizer sees every byte read beyond. */
static uint8_t *exact_copy(const uint8_t *data, size_t n)
{
    uint8_t *p = malloc(n != 0 ? n : 1);
    assert_non_null(p);
    if (n != 0)
        memcpy(p, data, n);
    return p;
}

static struct class_row sample_class(void)
{
    struct class_row row = {
        .class_no = 70000,
        .state = CLASS_GIVEN_UP,
        .name = TEXT_OF("com/acme/Foo"),
        .super = TEXT_OF("java/lang/Object"),
        .loader = TEXT_OF("boot"),
        .loader_id = UINT64_MAX,
        .source = TEXT_OF("file:/x.jar"),
        .source_file = TEXT_OF("Foo.java"),
        .major = 61,
        .minor = 0,
        .access = 0x21,
        .hash = 0x123456789abcdef0u,
        .size = 12345,
        .reason = TEXT_OF("too big"),
        .first_dataid = 17,
        .dataid_count = 900,
        .first_method = UINT32_MAX,
    };
    for (uint32_t i = 0; i < 3; i++) {
        struct method_row *m = vec_push(&row.methods);
        assert_non_null(m);
        *m = (struct method_row){ .name = TEXT_OF("bar"),
                                  .desc = TEXT_OF("(I)V"),
                                  .access = i,
                                  .code_length = 65535,
                                  .hash = i * 77u,
                                  .groups = GROUP_ALL };
    }
    row.methods.items[1].reason = TEXT_OF("LINE: no room");
    return row;
}

static void a_class_row_comes_back(void **state)
{
    (void)state;
    struct class_row row = sample_class(), got;
    struct writer w = { 0 };
    class_row_encode(&row, &w);
    assert_int_equal(class_row_decode(w.data, w.size, &got, NULL), OK);
    assert_int_equal(got.class_no, 70000);
    assert_int_equal(got.state, CLASS_GIVEN_UP);
    assert_text(got.name, "com/acme/Foo");
    assert_text(got.super, "java/lang/Object");
    assert_text(got.loader, "boot");
    assert_true(got.loader_id == UINT64_MAX);
    assert_text(got.source, "file:/x.jar");
    assert_text(got.source_file, "Foo.java");
    assert_int_equal(got.major, 61);
    assert_int_equal(got.access, 0x21);
    assert_true(got.hash == 0x123456789abcdef0u && got.size == 12345);
    assert_text(got.reason, "too big");
    assert_int_equal(got.first_dataid, 17);
    assert_int_equal(got.dataid_count, 900);
    assert_int_equal(got.first_method, UINT32_MAX);
    assert_int_equal(got.methods.count, 3);
    assert_text(got.methods.items[1].reason, "LINE: no room");
    assert_text(got.methods.items[2].desc, "(I)V");
    assert_int_equal(got.methods.items[2].hash, 154);
    assert_int_equal(got.methods.items[2].groups, GROUP_ALL);
    class_row_done(&got);
    class_row_done(&row);
    writer_free(&w);
}

static void a_cut_class_row_is_malformed_and_leaves_the_result_alone(void **state)
{
    (void)state;
    struct class_row row = sample_class();
    struct writer w = { 0 };
    class_row_encode(&row, &w);
    for (size_t n = 0; n < w.size; n++) {
        uint8_t *cut = exact_copy(w.data, n);
        struct class_row got = { .class_no = 5 };
        struct error err;
        assert_int_equal(class_row_decode(cut, n, &got, &err), ERR_FORMAT);
        assert_int_equal(got.class_no, 5);
        assert_true(strlen(err.text) > 10);
        free(cut);
    }
    class_row_done(&row);
    writer_free(&w);
}

static void bytes_that_a_newer_version_appended_are_ignored(void **state)
{
    (void)state;
    struct class_row row = sample_class(), got;
    struct type_row type = { .id = 1, .name = TEXT_OF("int[]") }, type_got;
    struct writer w = { 0 };
    class_row_encode(&row, &w);
    write_text(&w, "new field", 9);
    assert_int_equal(class_row_decode(w.data, w.size, &got, NULL), OK);
    class_row_done(&got);
    w.size = 0;
    type_row_encode(&type, &w);
    write_u8(&w, 1);
    assert_int_equal(type_row_decode(w.data, w.size, &type_got, NULL), OK);
    assert_text(type_got.name, "int[]");
    w.data[0] = 2; /* but not another version */
    assert_int_equal(type_row_decode(w.data, w.size, &type_got, NULL), ERR_FORMAT);
    class_row_done(&row);
    writer_free(&w);
}

static struct dataid_row sample_dataid(uint32_t i, char *name)
{
    int length = snprintf(name, 32, "name%u", i % 300);
    struct dataid_row row = {
        .method = i / 20,
        .event = EVENT_CALL,
        .kind = KIND_REF,
        .joined = i % 3 == 1,
        .pc = i % 20 * 3,
        .line = i % 7 == 0 ? -1 : (int32_t)(i / 5),
        .attr_count = 3,
    };
    row.attrs[0] = (struct attr_value){ .attr = ATTR_name, .text = { name, (size_t)length } };
    row.attrs[1] = (struct attr_value){ .attr = ATTR_index, .number = i % 2 != 0 ? -(int64_t)i : INT64_MAX };
    row.attrs[2] = (struct attr_value){ .attr = ATTR_volatile, .number = i & 1 };
    return row;
}

static void check_sample_dataid(const struct dataid_row *got, uint32_t i)
{
    char name[32];
    struct dataid_row want = sample_dataid(i, name);
    assert_int_equal(got->method, want.method);
    assert_int_equal(got->event, want.event);
    assert_int_equal(got->kind, want.kind);
    assert_int_equal(got->joined, want.joined);
    assert_int_equal(got->pc, want.pc);
    assert_int_equal(got->line, want.line);
    assert_int_equal(got->attr_count, 3);
    assert_int_equal(got->attrs[0].attr, ATTR_name);
    assert_int_equal(got->attrs[0].text.size, want.attrs[0].text.size);
    assert_memory_equal(got->attrs[0].text.data, name, want.attrs[0].text.size);
    assert_true(got->attrs[1].number == want.attrs[1].number);
    assert_true(got->attrs[2].number == want.attrs[2].number);
}

static void add_samples(struct dataid_rows *d, uint32_t from, uint32_t to)
{
    static char names[300][32]; /* a text stays as it is while rows are added */
    for (uint32_t i = from; i < to; i++) {
        struct dataid_row row = sample_dataid(i, names[i % 300]);
        dataid_rows_add(d, &row, row.attrs);
    }
}

typedef VEC(struct dataid_row) dataid_row_vec;

static enum status keep_row(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    dataid_row_vec *out = context;
    struct dataid_row *to = vec_push(out);
    (void)err;
    assert_non_null(to);
    assert_int_equal(index, out->count - 1);
    *to = *row;
    return OK;
}

/* All rows; none if they are malformed. */
static enum status dataid_rows_decode(const void *data, size_t size, dataid_row_vec *out)
{
    enum status st = dataid_rows_each(data, size, keep_row, out, NULL);
    if (st != OK)
        vec_free(out);
    return st;
}

static void data_ids_come_back_with_strings_shared(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct dataid_rows d = { 0 };
    add_samples(&d, 0, N);
    assert_int_equal(d.count, N);
    assert_int_equal(d.string_count, 300);
    assert_int_equal(d.kinds.size, N);
    assert_int_equal(d.kinds.data[0], KIND_REF);
    assert_int_equal(d.kinds.data[1], KIND_REF | KIND_JOINED);
    struct writer w = { 0 };
    dataid_row_vec got = { 0 };
    dataid_rows_encode(&d, &w);
    dataid_rows_done(&d); /* nothing of it is needed any more */
    assert_int_equal(dataid_rows_decode(w.data, w.size, &got), OK);
    assert_int_equal(got.count, N);
    for (uint32_t i = 0; i < N; i++)
        check_sample_dataid(&got.items[i], i);
    vec_free(&got);
    writer_free(&w);
}

static void rewinding_takes_rows_back(void **state)
{
    (void)state;
    struct dataid_rows d = { 0 };
    add_samples(&d, 0, 100);
    struct dataid_mark mark = dataid_rows_mark(&d);
    add_samples(&d, 500, 700);
    dataid_rows_rewind(&d, mark);
    add_samples(&d, 100, 150);
    struct writer w = { 0 };
    dataid_row_vec got = { 0 };
    dataid_rows_encode(&d, &w);
    assert_int_equal(dataid_rows_decode(w.data, w.size, &got), OK);
    assert_int_equal(got.count, 150);
    assert_int_equal(d.kinds.size, 150);
    for (uint32_t i = 0; i < 150; i++)
        check_sample_dataid(&got.items[i], i);
    vec_free(&got);
    dataid_rows_done(&d);
    writer_free(&w);
}

static void no_data_ids_are_rows_too(void **state)
{
    (void)state;
    struct dataid_rows d = { 0 };
    struct writer w = { 0 };
    dataid_row_vec got = { 0 };
    dataid_rows_encode(&d, &w);
    assert_int_equal(dataid_rows_decode(w.data, w.size, &got), OK);
    assert_int_equal(got.count, 0);
    dataid_rows_done(&d);
    writer_free(&w);
}

static void an_empty_text_is_not_a_missing_one(void **state)
{
    (void)state;
    struct dataid_rows d = { 0 };
    struct writer w = { 0 };
    dataid_row_vec got = { 0 };
    struct dataid_row row = { .event = EVENT_CALL, .kind = KIND_VOID, .line = -1, .attr_count = 1 };
    row.attrs[0] = (struct attr_value){ .attr = ATTR_owner };
    dataid_rows_add(&d, &row, row.attrs);
    row.attr_count = 0;
    dataid_rows_add(&d, &row, NULL);
    dataid_rows_encode(&d, &w);
    assert_int_equal(dataid_rows_decode(w.data, w.size, &got), OK);
    assert_int_equal(got.items[0].attr_count, 1);
    assert_int_equal(got.items[0].attrs[0].text.size, 0);
    assert_int_equal(got.items[1].attr_count, 0);
    vec_free(&got);
    dataid_rows_done(&d);
    writer_free(&w);
}

static void damaged_data_ids_never_crash(void **state)
{
    (void)state;
    struct dataid_rows d = { 0 };
    struct writer w = { 0 };
    add_samples(&d, 0, 60);
    dataid_rows_encode(&d, &w);
    for (size_t n = 0; n < w.size; n++) {
        uint8_t *cut = exact_copy(w.data, n);
        dataid_row_vec got = { 0 };
        assert_int_equal(dataid_rows_decode(cut, n, &got), ERR_FORMAT);
        assert_null(got.items);
        free(cut);
    }
    for (int i = 0; i < 20000; i++) {
        uint8_t *bad = exact_copy(w.data, w.size);
        dataid_row_vec got = { 0 };
        for (uint32_t k = rng() % 3 + 1; k != 0; k--)
            bad[rng() % w.size] = (uint8_t)rng();
        enum status s = dataid_rows_decode(bad, w.size, &got);
        assert_true(s == OK || s == ERR_FORMAT);
        for (size_t k = 0; k < got.count; k++)
            assert_true(kind_known(got.items[k].kind) && event_name(got.items[k].event) != NULL);
        vec_free(&got);
        free(bad);
    }
    dataid_rows_done(&d);
    writer_free(&w);
}

static void a_thread_row_comes_back_alive_or_ended(void **state)
{
    (void)state;
    struct thread_row row = { .thread = 3,
                              .tid = 99,
                              .name = TEXT_OF("main"),
                              .group = TEXT_OF("system"),
                              .daemon = true,
                              .is_virtual = false,
                              .start_stamp = 5,
                              .end_stamp = UINT64_MAX,
                              .start_ns = 7,
                              .end_ns = UINT64_MAX,
                              .object_id = 11 };
    struct thread_row got;
    struct writer w = { 0 };
    thread_row_encode(&row, &w);
    assert_int_equal(thread_row_decode(w.data, w.size, &got, NULL), OK);
    assert_int_equal(got.thread, 3);
    assert_true(got.tid == 99 && got.object_id == 11 && got.start_stamp == 5 && got.start_ns == 7);
    assert_true(got.end_stamp == UINT64_MAX && got.end_ns == UINT64_MAX);
    assert_text(got.name, "main");
    assert_text(got.group, "system");
    assert_true(got.daemon && !got.is_virtual);
    for (size_t n = 0; n < w.size; n++)
        assert_int_equal(thread_row_decode(w.data, n, &got, NULL), ERR_FORMAT);
    w.size = 0;
    row.end_stamp = 0;
    row.end_ns = 1000;
    row.is_virtual = true;
    thread_row_encode(&row, &w);
    assert_int_equal(thread_row_decode(w.data, w.size, &got, NULL), OK);
    assert_true(got.end_stamp == 0 && got.end_ns == 1000 && got.is_virtual);
    writer_free(&w);
}

static void a_mark_row_comes_back_open_or_ended(void **state)
{
    (void)state;
    struct mark_row row = {
        .name = TEXT_OF("load file"), .begin_stamp = 5, .end_stamp = UINT64_MAX, .begin_ns = 7, .end_ns = UINT64_MAX
    };
    struct mark_row got;
    struct writer w = { 0 };
    mark_row_encode(&row, &w);
    assert_int_equal(mark_row_decode(w.data, w.size, &got, NULL), OK);
    assert_text(got.name, "load file");
    assert_true(got.begin_stamp == 5 && got.begin_ns == 7 && got.end_stamp == UINT64_MAX && got.end_ns == UINT64_MAX);
    for (size_t n = 0; n < w.size; n++)
        assert_int_equal(mark_row_decode(w.data, n, &got, NULL), ERR_FORMAT);
    w.size = 0;
    row.end_stamp = 5;
    row.end_ns = 0;
    mark_row_encode(&row, &w);
    write_u1(&w, 9); /* of a newer writer */
    assert_int_equal(mark_row_decode(w.data, w.size, &got, NULL), OK);
    assert_true(got.end_stamp == 5 && got.end_ns == 0);
    w.data[0] = 2;
    assert_int_equal(mark_row_decode(w.data, w.size, &got, NULL), ERR_FORMAT);
    writer_free(&w);
}

static void a_row_of_an_exception_comes_back(void **state)
{
    (void)state;
    struct thrown_frame frames[] = {
        { TEXT_OF("a.b.C$D"), TEXT_OF("<init>"), TEXT_OF("C.java"), 65535 },
        { TEXT_OF("java.lang.Thread"), TEXT_OF("start0"), TEXT_OF(""), -2 },
        { TEXT_OF("G"), TEXT_OF("m"), TEXT_OF("G.kt"), -1 },
        { TEXT_OF("Made"), TEXT_OF("up"), TEXT_OF("x"), INT32_MIN }, /* programs make elements with any line */
    };
    uint64_t suppressed[] = { 1, UINT32_MAX, UINT64_MAX };
    struct thrown_row row = { .has_message = true,
                              .message = TEXT_OF("no such f\303\274\303\237"),
                              .cause = UINT64_MAX,
                              .has_stack = true },
                      got;
    struct writer w = { 0 };
    for (size_t i = 0; i < sizeof suppressed / sizeof *suppressed; i++)
        *vec_push(&row.suppressed) = suppressed[i];
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        *vec_push(&row.frames) = frames[i];
    thrown_row_encode(&row, &w);
    for (size_t n = 0; n < w.size; n++) { /* cut anywhere: malformed, and the result is left alone */
        uint8_t *cut = exact_copy(w.data, n);
        struct error err;
        got = (struct thrown_row){ .cause = 5 };
        assert_int_equal(thrown_row_decode(cut, n, &got, &err), ERR_FORMAT);
        assert_true(got.cause == 5 && got.frames.items == NULL && got.suppressed.items == NULL);
        assert_true(strlen(err.text) > 10);
        free(cut);
    }
    write_u1(&w, 9); /* of a newer writer */
    assert_int_equal(thrown_row_decode(w.data, w.size, &got, NULL), OK);
    assert_true(got.has_message && got.has_stack && !got.message_redacted && got.cause == UINT64_MAX);
    assert_text(got.message, "no such f\303\274\303\237");
    assert_int_equal(got.suppressed.count, 3);
    assert_memory_equal(got.suppressed.items, suppressed, sizeof suppressed);
    assert_int_equal(got.frames.count, 4);
    assert_text(got.frames.items[0].class_name, "a.b.C$D");
    assert_text(got.frames.items[0].method, "<init>");
    assert_text(got.frames.items[0].file, "C.java");
    assert_text(got.frames.items[1].file, "");
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(got.frames.items[i].line, frames[i].line);
    thrown_row_done(&got);
    w.data[0] = 2;
    assert_int_equal(thrown_row_decode(w.data, w.size, &got, NULL), ERR_FORMAT);
    thrown_row_done(&row);
    writer_free(&w);
}

static void an_exception_without_anything_is_a_row_too(void **state)
{
    (void)state;
    struct thrown_row row = { .message = TEXT_OF(""), .message_redacted = true }, got;
    struct writer w = { 0 };
    thrown_row_encode(&row, &w);
    assert_int_equal(thrown_row_decode(w.data, w.size, &got, NULL), OK);
    assert_true(!got.has_message && !got.has_stack && got.message.size == 0 && got.cause == 0);
    assert_true(got.message_redacted);
    assert_true(got.suppressed.count == 0 && got.frames.count == 0);
    thrown_row_done(&got);
    row.has_message = true; /* an empty message is not a missing one */
    w.size = 0;
    thrown_row_encode(&row, &w);
    assert_int_equal(thrown_row_decode(w.data, w.size, &got, NULL), OK);
    assert_true(got.has_message && got.message.size == 0);
    thrown_row_done(&got);
    writer_free(&w);
}

static void damaged_rows_of_exceptions_never_crash(void **state)
{
    (void)state;
    struct thrown_row row = { .has_message = true, .message = TEXT_OF("message"), .has_stack = true }, got;
    struct writer w = { 0 };
    unsigned refused = 0;
    for (unsigned i = 0; i < 20; i++) {
        *vec_push(&row.suppressed) = i;
        *vec_push(&row.frames) = (struct thrown_frame){ TEXT_OF("a.B"), TEXT_OF("m"), TEXT_OF("B.java"), (int32_t)i };
    }
    thrown_row_encode(&row, &w);
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t *bad = exact_copy(w.data, w.size);
        for (unsigned k = 0; k <= rng() % 3; k++)
            bad[rng() % w.size] = (uint8_t)rng();
        if (thrown_row_decode(bad, w.size, &got, NULL) == OK)
            thrown_row_done(&got);
        else
            refused++;
        free(bad);
    }
    assert_true(refused > 1000);
    w.size = 0; /* a count of suppressed ones beyond all bytes, a line beyond 32 bits */
    write_u1(&w, 1), write_u1(&w, 0), write_varint(&w, 0), write_varint(&w, 0), write_varint(&w, UINT64_MAX);
    assert_int_equal(thrown_row_decode(w.data, w.size, &got, NULL), ERR_FORMAT);
    w.size -= 10;
    write_varint(&w, 0), write_varint(&w, 1), write_varint(&w, 0), write_varint(&w, 0), write_varint(&w, 0);
    write_svarint(&w, (int64_t)INT32_MAX + 1);
    assert_int_equal(thrown_row_decode(w.data, w.size, &got, NULL), ERR_FORMAT);
    thrown_row_done(&row);
    writer_free(&w);
}

static void a_hierarchy_row_comes_back(void **state)
{
    (void)state;
    struct text interfaces[] = { TEXT_OF("a.I"), TEXT_OF("a.J") };
    struct hierarchy_field fields[] = { { TEXT_OF("x"), TEXT_OF("I"), 2 },
                                        { TEXT_OF("\xed\xa0\xbd\xed\xb8\x80"), TEXT_OF("Ljava/lang/String;"), 9 } };
    struct hierarchy_row row = { .name = TEXT_OF("a.B$C"), .super = TEXT_OF("a.B"), .loader = 3 }, got;
    row.interfaces.items = interfaces;
    row.interfaces.count = 2;
    row.fields.items = fields;
    row.fields.count = 2;
    struct writer w = { 0 };
    hierarchy_row_encode(&row, &w);
    assert_int_equal(hierarchy_row_decode(w.data, w.size, &got, NULL), OK);
    assert_text(got.name, "a.B$C");
    assert_text(got.super, "a.B");
    assert_true(got.loader == 3 && got.interfaces.count == 2 && got.fields.count == 2);
    assert_text(got.interfaces.items[1], "a.J");
    assert_text(got.fields.items[0].name, "x");
    assert_int_equal(got.fields.items[0].access, 2);
    assert_text(got.fields.items[1].name, "\xf0\x9f\x98\x80"); /* Modified UTF-8 in the JVM, UTF-8 in the trace */
    assert_text(got.fields.items[1].desc, "Ljava/lang/String;");
    hierarchy_row_done(&got);
    for (size_t cut = 0; cut < w.size; cut++)
        assert_int_not_equal(hierarchy_row_decode(w.data, cut, &got, NULL), OK);
    writer_free(&w);
}

static void a_type_row_comes_back(void **state)
{
    (void)state;
    struct type_row row = { .id = UINT32_MAX, .name = TEXT_OF("a.b.C$D[]"), .loader = UINT64_MAX, .access = 0x1011 };
    struct type_row got;
    struct writer w = { 0 };
    type_row_encode(&row, &w);
    assert_int_equal(type_row_decode(w.data, w.size, &got, NULL), OK);
    assert_true(got.id == UINT32_MAX && got.loader == UINT64_MAX);
    assert_int_equal(got.access, 0x1011);
    assert_text(got.name, "a.b.C$D[]");
    for (size_t n = 0; n < w.size; n++)
        assert_int_equal(type_row_decode(w.data, n, &got, NULL), ERR_FORMAT);
    writer_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_row_comes_back),
        cmocka_unit_test(a_cut_class_row_is_malformed_and_leaves_the_result_alone),
        cmocka_unit_test(bytes_that_a_newer_version_appended_are_ignored),
        cmocka_unit_test(data_ids_come_back_with_strings_shared),
        cmocka_unit_test(rewinding_takes_rows_back),
        cmocka_unit_test(no_data_ids_are_rows_too),
        cmocka_unit_test(an_empty_text_is_not_a_missing_one),
        cmocka_unit_test(damaged_data_ids_never_crash),
        cmocka_unit_test(a_thread_row_comes_back_alive_or_ended),
        cmocka_unit_test(a_mark_row_comes_back_open_or_ended),
        cmocka_unit_test(a_row_of_an_exception_comes_back),
        cmocka_unit_test(an_exception_without_anything_is_a_row_too),
        cmocka_unit_test(damaged_rows_of_exceptions_never_crash),
        cmocka_unit_test(a_hierarchy_row_comes_back),
        cmocka_unit_test(a_type_row_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
