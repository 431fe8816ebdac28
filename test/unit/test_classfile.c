/* test_classfile.c - formats/jvm/classfile.h. */
#include "class_fixture.h"

/* Every part a class file has: fields, methods, attributes everywhere, a long in the pool. */
static struct made sample(void)
{
    struct made k = made_class(61, "a/Sample");
    struct writer code = { 0 }, lines = { 0 };
    write_u1(&k.pool, CONSTANT_Long);
    write_u8(&k.pool, 42);
    k.next += 2;
    made_field(&k, ACC_PRIVATE, "f", "J");
    made_field(&k, ACC_STATIC | ACC_VOLATILE, "g", "[[Ljava/lang/String;");
    op(&code, OPC_return);
    write_u2(&lines, 1);
    write_u2(&lines, 0);
    write_u2(&lines, 7);
    made_method(&k, ACC_STATIC, "m", "()V", 0, 0, &code, NULL, 0, &(struct made_attribute){ "LineNumberTable", &lines },
                1);
    made_method(&k, ACC_STATIC, "n", "(IJ)V", 0, 3, &code, NULL, 0, NULL, 0);
    made_class_attribute(&k, "SourceFile", "\0\1", 2);
    made_class_attribute(&k, "com.acme.Unknown", "what", 4);
    made_finish(&k);
    writer_free(&code);
    writer_free(&lines);
    return k;
}

static void reading_and_writing_is_byte_identical(void **state)
{
    (void)state;
    struct made k = sample();
    struct classfile cf;
    struct writer w = { 0 };
    assert_int_equal(classfile_read(&cf, k.bytes.data, k.bytes.size, NULL), OK);
    assert_int_equal(cf.fields.count, 2);
    assert_int_equal(cf.methods.count, 2);
    assert_int_equal(cf.attribute_count, 2);
    assert_int_equal(cf.major, 61);
    classfile_write(&cf, &w);
    assert_int_equal(w.size, k.bytes.size);
    assert_memory_equal(w.data, k.bytes.data, w.size);
    writer_free(&w);
    classfile_done(&cf);
    made_done(&k);
}

static void attributes_are_found_by_name_and_place(void **state)
{
    (void)state;
    struct made k = sample();
    struct classfile cf;
    assert_int_equal(classfile_read(&cf, k.bytes.data, k.bytes.size, NULL), OK);
    assert_non_null(classfile_attribute(&cf, cf.first_attribute, cf.attribute_count, "SourceFile"));
    assert_null(classfile_attribute(&cf, cf.first_attribute, cf.attribute_count, "Code"));
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(
            classfile_attribute(&cf, cf.methods.items[i].first_attribute, cf.methods.items[i].attribute_count, "Code"));
        assert_null(
            classfile_attribute(&cf, cf.fields.items[i].first_attribute, cf.fields.items[i].attribute_count, "Code"));
    }
    classfile_done(&cf);
    made_done(&k);
}

static void a_class_cut_at_any_byte_is_an_error(void **state)
{
    (void)state;
    struct made k = sample();
    for (size_t n = 0; n < k.bytes.size; n++) {
        uint8_t *cut = exact_copy(k.bytes.data, n);
        struct classfile cf;
        struct error err = { 0 };
        assert_int_equal(classfile_read(&cf, cut, n, &err), ERR_FORMAT);
        assert_true(err.text[0] != '\0');
        classfile_done(&cf);
        free(cut);
    }
    made_done(&k);
}

static void bytes_behind_the_end_are_an_error(void **state)
{
    (void)state;
    struct made k = sample();
    struct classfile cf;
    struct error err;
    write_u1(&k.bytes, 0);
    assert_int_equal(classfile_read(&cf, k.bytes.data, k.bytes.size, &err), ERR_FORMAT);
    assert_non_null(strstr(err.text, "behind the end"));
    classfile_done(&cf);
    made_done(&k);
}

static void something_else_is_not_a_class_file(void **state)
{
    (void)state;
    struct classfile cf;
    assert_int_equal(classfile_read(&cf, "PK\3\4 and more", 13, NULL), ERR_FORMAT);
    classfile_done(&cf);
}

static void counts_and_lengths_that_lie_never_crash(void **state)
{
    (void)state;
    struct made k = sample();
    for (size_t at = 8; at < k.bytes.size; at++) /* every byte: sooner or later each count and each length */
        for (unsigned v = 0; v < 4; v++) {
            static const uint8_t values[] = { 0xff, 0x7f, 0, 1 };
            uint8_t *bad = exact_copy(k.bytes.data, k.bytes.size);
            struct classfile cf;
            struct writer w = { 0 };
            bad[at] = values[v];
            enum status s = classfile_read(&cf, bad, k.bytes.size, NULL);
            assert_true(s == OK || s == ERR_FORMAT);
            if (s == OK) {
                classfile_write(&cf, &w);
                assert_int_equal(w.size, k.bytes.size);
                assert_memory_equal(w.data, bad, w.size);
            }
            classfile_done(&cf);
            writer_free(&w);
            free(bad);
        }
    made_done(&k);
}

static void a_constant_pool_count_of_zero_is_refused(void **state)
{
    (void)state;
    struct made k = sample();
    struct classfile cf;
    put_be2(k.bytes.data + 8, 0);
    assert_int_equal(classfile_read(&cf, k.bytes.data, k.bytes.size, NULL), ERR_FORMAT);
    classfile_done(&cf);
    made_done(&k);
}

static void descriptors_are_measured(void **state)
{
    (void)state;
    static const struct {
        const char *desc;
        int slots; /* -1: malformed */
        const char *result;
    } rows[] = {
        { "()V", 0, "V" },
        { "(IJ[J[[Ljava/lang/Object;DLx;)[I", 8, "[I" },
        { "(Lx;)Ljava/lang/String;", 1, "Ljava/lang/String;" },
        { "(ZBCSF)J", 5, "J" },
        { "", -1, NULL },
        { "V", -1, NULL },
        { "()", -1, NULL },
        { "(V)V", -1, NULL },
        { "(I", -1, NULL },
        { "(Lx)V", -1, NULL },
        { "(I)VV", -1, NULL },
        { "(I)II", -1, NULL },
        { "([)V", -1, NULL },
        { "([V)V", -1, NULL },
        { "(Q)V", -1, NULL },
        { "(I)Lx", -1, NULL },
        { "()[V", -1, NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].desc);
        char *exact = (char *)exact_copy(rows[i].desc, n);
        unsigned slots = 99;
        struct text result;
        assert_int_equal(descriptor_measure((struct text){ exact, n }, &slots, &result), rows[i].slots >= 0);
        if (rows[i].slots >= 0) {
            assert_int_equal(slots, rows[i].slots);
            assert_true(text_is(result, rows[i].result));
        }
        free(exact);
    }
}

static void at_most_255_slots_of_arguments(void **state)
{
    (void)state;
    char desc[300] = "(";
    unsigned slots;
    struct text result;
    memset(desc + 1, 'I', 255);
    memcpy(desc + 256, ")V", 2);
    assert_true(descriptor_measure((struct text){ desc, 258 }, &slots, &result) && slots == 255);
    desc[1] = 'J';
    assert_false(descriptor_measure((struct text){ desc, 258 }, &slots, &result));
}

static void types_are_shown_as_in_java_source(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "I", "int" },
        { "[Z", "boolean[]" },
        { "Ljava/lang/String;", "java.lang.String" },
        { "[[La/B$C;", "a.B$C[][]" },
        { "V", "void" },
        { "D", "double" },
        { "JI", "long" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct writer w = { 0 };
        assert_int_not_equal(descriptor_to_source(rows[i][0], strlen(rows[i][0]), &w), 0);
        assert_true(text_is((struct text){ (char *)w.data, w.size }, rows[i][1]));
        writer_free(&w);
    }
    struct writer w = { 0 };
    assert_int_equal(descriptor_to_source("[[", 2, &w), 0);
    assert_int_equal(descriptor_to_source("Lx", 2, &w), 0);
    assert_int_equal(w.size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_and_writing_is_byte_identical),
        cmocka_unit_test(attributes_are_found_by_name_and_place),
        cmocka_unit_test(a_class_cut_at_any_byte_is_an_error),
        cmocka_unit_test(bytes_behind_the_end_are_an_error),
        cmocka_unit_test(something_else_is_not_a_class_file),
        cmocka_unit_test(counts_and_lengths_that_lie_never_crash),
        cmocka_unit_test(a_constant_pool_count_of_zero_is_refused),
        cmocka_unit_test(descriptors_are_measured),
        cmocka_unit_test(at_most_255_slots_of_arguments),
        cmocka_unit_test(types_are_shown_as_in_java_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
