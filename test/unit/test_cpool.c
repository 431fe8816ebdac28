/* test_cpool.c - formats/jvm/cpool.h. */
#include "class_fixture.h"

static void every_tag_of_the_table_is_read(void **state)
{
    (void)state;
    struct writer w = { 0 };
    unsigned count = 1, tags[64] = { 0 };
#define CONSTANT(tag, name, bytes, slots)                                                                              \
    tags[count] = tag;                                                                                                 \
    count += slots;                                                                                                    \
    write_u1(&w, tag);                                                                                                 \
    if (tag == CONSTANT_Utf8) {                                                                                        \
        write_u2(&w, 3);                                                                                               \
        write_bytes(&w, "abc", 3);                                                                                     \
    }                                                                                                                  \
    for (int i = 0; i < (bytes); i++)                                                                                  \
        write_u1(&w, 0);
#include "formats/jvm/constants.def"
#undef CONSTANT
    struct reader r = reader_of(w.data, w.size);
    struct cpool cp;
    assert_int_equal(cpool_read(&cp, &r, count, NULL), OK);
    assert_int_equal(r.at, w.size);
    for (unsigned i = 0; i < count + 3; i++)
        assert_int_equal(cpool_tag(&cp, i), i < count ? tags[i] : 0); /* 0: index 0 and second halves */
    assert_int_equal(cpool_tag(&cp, UINT32_MAX), 0);
    cpool_done(&cp);
    for (size_t n = 0; n < w.size; n++) {
        uint8_t *cut = exact_copy(w.data, n);
        struct error err = { 0 };
        r = reader_of(cut, n);
        assert_int_equal(cpool_read(&cp, &r, count, &err), ERR_FORMAT);
        assert_true(err.text[0] != '\0');
        free(cut);
    }
    writer_free(&w);
}

static void unknown_tags_are_refused_by_number(void **state)
{
    (void)state;
    for (unsigned tag = 0; tag < 256; tag++) {
        bool known = false;
        uint32_t count = 2;
#define CONSTANT(number, name, bytes, slots)                                                                           \
    known |= tag == (number);                                                                                          \
    count += tag == (number) && (slots) == 2;
#include "formats/jvm/constants.def"
#undef CONSTANT
        uint8_t bytes[12] = { (uint8_t)tag };
        struct reader r = reader_of(bytes, sizeof bytes);
        struct cpool cp;
        struct error err;
        enum status s = cpool_read(&cp, &r, count, &err);
        assert_int_equal(s, known ? OK : ERR_FORMAT);
        if (s == OK)
            cpool_done(&cp);
        else
            assert_non_null(strstr(err.text, "unknown tag"));
    }
}

static void a_pool_has_at_least_its_entry_zero(void **state)
{
    (void)state;
    struct reader r = reader_of("", 0);
    struct cpool cp;
    assert_int_equal(cpool_read(&cp, &r, 0, NULL), ERR_FORMAT);
    assert_int_equal(cpool_read(&cp, &r, 1, NULL), OK);
    assert_int_equal(cp.next, 1);
    cpool_done(&cp);
}

static void a_long_has_both_its_entries(void **state)
{
    (void)state;
    uint8_t bytes[9] = { CONSTANT_Long };
    struct cpool cp;
    struct error err;
    for (uint32_t count = 2; count <= 3; count++) { /* with 2, new entries would not have the indices they are given */
        struct reader r = reader_of(bytes, sizeof bytes);
        enum status s = cpool_read(&cp, &r, count, &err);
        assert_int_equal(s, count == 3 ? OK : ERR_FORMAT);
        if (s != OK)
            continue;
        assert_int_equal(cpool_tag(&cp, 1), CONSTANT_Long);
        assert_int_equal(cpool_tag(&cp, 2), 0);
        cpool_done(&cp);
    }
}

static struct cpool read_pool(struct made *k)
{
    struct reader r = reader_of(k->pool.data, k->pool.size);
    struct cpool cp;
    assert_int_equal(cpool_read(&cp, &r, k->next, NULL), OK);
    return cp;
}

static void look_ups_give_texts(void **state)
{
    (void)state;
    struct made k = made_class(52, "Made");
    uint16_t method = made_ref(&k, CONSTANT_Methodref, "a/B", "m", "(I)V"),
             field = made_ref(&k, CONSTANT_Fieldref, "a/B", "f", "J");
    unsigned name = made_utf8(&k, "run"), desc = made_utf8(&k, "()V");
    uint16_t indy = made_pair(&k, CONSTANT_InvokeDynamic, 7, made_pair(&k, CONSTANT_NameAndType, name, desc));
    write_u1(&k.pool, CONSTANT_MethodHandle);
    write_u1(&k.pool, 6);
    write_u2(&k.pool, method);
    uint16_t handle = (uint16_t)k.next++;
    struct cpool cp = read_pool(&k);
    struct member_ref ref;
    struct text t, d;
    uint32_t bootstrap;
    assert_true(cpool_member(&cp, method, &ref));
    assert_true(ref.tag == CONSTANT_Methodref && text_is(ref.owner, "a/B") && text_is(ref.name, "m") &&
                text_is(ref.desc, "(I)V"));
    assert_true(cpool_member(&cp, field, &ref) && ref.tag == CONSTANT_Fieldref && text_is(ref.desc, "J"));
    assert_true(cpool_class(&cp, k.this_class, &t) && text_is(t, "Made"));
    assert_true(cpool_dynamic(&cp, indy, &bootstrap, &t, &d) && bootstrap == 7 && text_is(t, "run") &&
                text_is(d, "()V"));
    assert_true(cpool_method_handle(&cp, handle, &ref) && text_is(ref.name, "m"));
    assert_int_equal(cpool_find_utf8(&cp, "Made"), 1);
    assert_int_equal(cpool_find_utf8(&cp, "Mad"), 0);
    cpool_done(&cp);
    made_done(&k);
}

static void look_ups_of_the_wrong_kind_fail(void **state)
{
    (void)state;
    struct made k = made_class(52, "Made");
    uint16_t method = made_ref(&k, CONSTANT_Methodref, "a/B", "m", "(I)V");
    uint16_t loop = made_pair(&k, CONSTANT_Methodref, k.next, k.next); /* points at itself */
    uint16_t far = made_pair(&k, CONSTANT_Fieldref, 65535, 0);
    struct cpool cp = read_pool(&k);
    for (uint32_t i = 0; i < k.next + 4; i++) {
        struct member_ref ref;
        struct text t, d;
        uint32_t b;
        unsigned tag = cpool_tag(&cp, i);
        assert_int_equal(cpool_utf8(&cp, i, &t), tag == CONSTANT_Utf8);
        assert_int_equal(cpool_class(&cp, i, &t), tag == CONSTANT_Class);
        assert_int_equal(cpool_name_and_type(&cp, i, &t, &d), tag == CONSTANT_NameAndType);
        assert_int_equal(cpool_member(&cp, i, &ref), i == method);
        assert_false(cpool_dynamic(&cp, i, &b, &t, &d));
        assert_false(cpool_method_handle(&cp, i, &ref));
    }
    assert_true(loop != far);
    cpool_done(&cp);
    made_done(&k);
}

static void new_entries_stand_behind_the_old(void **state)
{
    (void)state;
    struct made k = made_class(52, "Made");
    struct cpool cp = read_pool(&k);
    uint32_t utf8 = cpool_add_utf8(&cp, "Hook"), c = cpool_add_class(&cp, utf8), i = cpool_add_integer(&cp, 0xdeadbeef);
    uint32_t name = cpool_add_utf8(&cp, "v"), desc = cpool_add_utf8(&cp, "(I)V"),
             nt = cpool_add_name_and_type(&cp, name, desc);
    uint32_t m = cpool_add_method(&cp, c, nt);
    assert_int_equal(utf8, k.next);
    assert_int_equal(m, k.next + 6);
    struct writer all = { 0 };
    write_bytes(&all, cp.data, cp.size);
    write_bytes(&all, cp.added.data, cp.added.size);
    struct reader r = reader_of(all.data, all.size);
    struct cpool again;
    struct member_ref ref;
    assert_int_equal(cpool_read(&again, &r, cp.next, NULL), OK);
    assert_true(cpool_member(&again, m, &ref) && text_is(ref.owner, "Hook") && text_is(ref.name, "v") &&
                text_is(ref.desc, "(I)V"));
    assert_int_equal(cpool_tag(&again, i), CONSTANT_Integer);
    cpool_done(&again);
    cpool_done(&cp);
    writer_free(&all);
    made_done(&k);
}

static void a_full_pool_takes_nothing_more(void **state)
{
    (void)state;
    struct made k = made_class(52, "Made");
    struct cpool cp = read_pool(&k);
    while (cp.next < CPOOL_MAX)
        assert_int_not_equal(cpool_add_integer(&cp, cp.next), 0);
    size_t size = cp.added.size;
    assert_int_equal(cpool_add_integer(&cp, 1), 0);
    assert_int_equal(cpool_add_utf8(&cp, "x"), 0);
    assert_int_equal(cpool_add_class(&cp, 1), 0);
    assert_int_equal(cpool_add_name_and_type(&cp, 1, 1), 0);
    assert_int_equal(cpool_add_method(&cp, 1, 1), 0);
    assert_int_equal(cp.added.size, size);
    assert_int_equal(cp.next, CPOOL_MAX);
    cpool_done(&cp);
    made_done(&k);
}

static void an_entry_whose_parts_could_not_be_made_is_not_made(void **state)
{
    (void)state;
    struct made k = made_class(52, "Made");
    struct cpool cp = read_pool(&k);
    assert_int_equal(cpool_add_class(&cp, 0), 0);
    assert_int_equal(cpool_add_name_and_type(&cp, 0, 1), 0);
    assert_int_equal(cpool_add_method(&cp, 1, 0), 0);
    assert_int_equal(cp.next, k.next);
    assert_int_equal(cp.added.size, 0);
    cpool_done(&cp);
    made_done(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tag_of_the_table_is_read),
        cmocka_unit_test(unknown_tags_are_refused_by_number),
        cmocka_unit_test(a_pool_has_at_least_its_entry_zero),
        cmocka_unit_test(a_long_has_both_its_entries),
        cmocka_unit_test(look_ups_give_texts),
        cmocka_unit_test(look_ups_of_the_wrong_kind_fail),
        cmocka_unit_test(new_entries_stand_behind_the_old),
        cmocka_unit_test(a_full_pool_takes_nothing_more),
        cmocka_unit_test(an_entry_whose_parts_could_not_be_made_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
