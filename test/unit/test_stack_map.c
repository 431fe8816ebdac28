/* test_stack_map.c - weaver/stack_map.h: the StackMapTable. */
#include "class_fixture.h"

#include "weaver/stack_map.h"

static const vtype initial[] = { VT_INTEGER, VT_LONG, VT_OBJECT | 5 << 8 };
enum { INITIAL = 3, CODE = 60000 };

static enum status read_map(struct stack_map *f, const struct writer *w, struct error *err)
{
    uint8_t *p = exact_copy(w->data, w->size);
    enum status s = stack_map_read(f, p, w->size, CODE, initial, INITIAL, err);
    free(p);
    return s;
}

static void begin(struct writer *w, unsigned count)
{
    w->size = 0;
    write_u2(w, count);
}

/* One frame of every shape, from the smallest to the greatest of each, and what it means. */
static void every_shape_is_read(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct stack_map f;
    begin(&w, 10);
    write_u1(&w, 0); /* same */
    write_u1(&w, 63);
    write_u1(&w, 64); /* same_locals_1, int */
    write_u1(&w, VT_INTEGER);
    write_u1(&w, 127); /* the same, uninitialized */
    write_u1(&w, VT_UNINITIALIZED);
    write_u2(&w, 77);
    op2(&w, 247, 1000); /* same_locals_1 extended */
    write_u1(&w, VT_DOUBLE);
    op2(&w, 250, 5);   /* chop 1 */
    op2(&w, 251, 300); /* same extended */
    op2(&w, 254, 0);   /* append 3 */
    write_u1(&w, VT_FLOAT);
    write_u1(&w, VT_NULL);
    write_u1(&w, VT_OBJECT);
    write_u2(&w, 65535);
    op2(&w, 248, 1); /* chop 3 */
    op2(&w, 255, 2); /* full: locals top, this; stack long, object */
    write_u2(&w, 2);
    write_u1(&w, VT_TOP);
    write_u1(&w, VT_UNINITIALIZED_THIS);
    write_u2(&w, 2);
    write_u1(&w, VT_LONG);
    write_u1(&w, VT_OBJECT);
    write_u2(&w, 9);
    assert_int_equal(read_map(&f, &w, NULL), OK);
    static const struct {
        uint32_t pc;
        unsigned locals, stack;
        vtype types[6];
    } want[] = {
        { 0, 3, 0, { VT_INTEGER, VT_LONG, VT_OBJECT | 5 << 8 } },
        { 64, 3, 0, { VT_INTEGER, VT_LONG, VT_OBJECT | 5 << 8 } },
        { 65, 3, 1, { VT_INTEGER, VT_LONG, VT_OBJECT | 5 << 8, VT_INTEGER } },
        { 129, 3, 1, { VT_INTEGER, VT_LONG, VT_OBJECT | 5 << 8, VT_UNINITIALIZED | 77 << 8 } },
        { 1130, 3, 1, { VT_INTEGER, VT_LONG, VT_OBJECT | 5 << 8, VT_DOUBLE } },
        { 1136, 2, 0, { VT_INTEGER, VT_LONG } },
        { 1437, 2, 0, { VT_INTEGER, VT_LONG } },
        { 1438, 5, 0, { VT_INTEGER, VT_LONG, VT_FLOAT, VT_NULL, VT_OBJECT | 65535 << 8 } },
        { 1440, 2, 0, { VT_INTEGER, VT_LONG } },
        { 1443, 2, 2, { VT_TOP, VT_UNINITIALIZED_THIS, VT_LONG, VT_OBJECT | 9 << 8 } },
    };
    assert_int_equal(f.list.count, 10);
    for (size_t i = 0; i < 10; i++) {
        const struct stack_map_frame *got = &f.list.items[i];
        assert_int_equal(got->pc, want[i].pc);
        assert_int_equal(got->locals, want[i].locals);
        assert_int_equal(got->stack, want[i].stack);
        for (unsigned k = 0; k < want[i].locals + want[i].stack; k++)
            assert_int_equal(f.types.items[got->first + k], want[i].types[k]);
    }
    /* and written again it is the same */
    struct writer again = { 0 };
    assert_int_equal(stack_map_write(f.list.items, f.list.count, f.types.items, initial, INITIAL, &again, NULL), OK);
    assert_int_equal(again.size, w.size);
    assert_memory_equal(again.data, w.data, w.size);
    for (size_t n = 0; n < w.size; n++) { /* cut at every byte */
        struct writer cut = { .data = w.data, .size = n };
        struct stack_map g;
        assert_int_equal(read_map(&g, &cut, NULL), ERR_FORMAT);
        stack_map_done(&g);
    }
    writer_free(&again);
    writer_free(&w);
    stack_map_done(&f);
}

/* Strict fields that are not set yet are listed in front of a frame, and hold for the next one, too, while `this` is
 * uninitialized. What is written says so of each. */
static void early_larval_frames_list_unset_fields(void **state)
{
    (void)state;
    static const vtype locals[] = { VT_UNINITIALIZED_THIS, VT_INTEGER, VT_INTEGER };
    struct writer w = { 0 }, again = { 0 };
    struct stack_map f;
    begin(&w, 4);
    write_u1(&w, 5); /* same: all fields of the class */
    op2(&w, 246, 2);
    write_u2(&w, 40);
    write_u2(&w, 50);
    write_u1(&w, 6);
    write_u1(&w, 7);
    op2(&w, 248, 1); /* chop 3: `this` is gone */
    assert_int_equal(stack_map_read(&f, w.data, w.size, CODE, locals, 3, NULL), OK);
    assert_int_equal(f.list.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct stack_map_frame *got = &f.list.items[i];
        const bool lists = i == 1 || i == 2;
        assert_int_equal(got->early, lists);
        assert_int_equal(got->unset, lists ? 2 : 0);
        for (unsigned k = 0; k < got->unset; k++)
            assert_int_equal(f.types.items[got->first + got->locals + got->stack + k], 40 + 10 * k);
    }
    assert_int_equal(stack_map_write(f.list.items, 4, f.types.items, locals, 3, &again, NULL), OK);
    assert_int_equal(again.size, w.size + 7);
    writer_free(&again);
    for (size_t n = 0; n < w.size; n++) { /* cut at every byte */
        struct stack_map g;
        uint8_t *p = exact_copy(w.data, n);
        assert_int_equal(stack_map_read(&g, p, n, CODE, locals, 3, NULL), ERR_FORMAT);
        free(p);
        stack_map_done(&g);
    }
    writer_free(&w);
    stack_map_done(&f);
}

static void random_frames_come_back(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct stack_map f = { 0 }, g;
        uint32_t pc = noise() % 100;
        vtype last[16];
        unsigned last_count = INITIAL;
        memcpy(last, initial, sizeof initial);
        for (int k = 0; k < 12; k++) {
            vtype now[16];
            unsigned locals = last_count, stack = noise() % 4 == 0 ? noise() % 3 : 0;
            memcpy(now, last, sizeof last);
            switch (noise() % 4) {
            case 0: locals = locals > 4 ? locals - noise() % 5 : locals; break;
            case 1: locals = locals < 10 ? locals + noise() % 5 : locals; break;
            case 2: now[noise() % 10] = VT_NULL; break;
            default: break;
            }
            for (unsigned i = last_count; i < locals + stack && i < 16; i++)
                now[i] = vtype_of((enum verification)(noise() % 9), 0);
            for (unsigned i = 0; i < locals + stack; i++)
                if (vtype_tag(now[i]) >= VT_OBJECT)
                    now[i] = vtype_of(vtype_tag(now[i]), noise() & 0xffff);
            struct stack_map_frame *slot = vec_push(&f.list);
            *slot =
                (struct stack_map_frame){ pc, (uint32_t)f.types.count, (uint16_t)locals, (uint16_t)stack, false, 0 };
            for (unsigned i = 0; i < locals + stack; i++) {
                vtype *v = vec_push(&f.types);
                *v = now[i];
            }
            memcpy(last, now, sizeof now);
            last_count = locals;
            pc += 1 + noise() % (k % 3 ? 100 : 3000);
        }
        struct writer w = { 0 };
        assert_int_equal(stack_map_write(f.list.items, f.list.count, f.types.items, initial, INITIAL, &w, NULL), OK);
        assert_int_equal(read_map(&g, &w, NULL), OK);
        assert_int_equal(g.list.count, f.list.count);
        for (size_t k = 0; k < f.list.count; k++) {
            const struct stack_map_frame *a = &f.list.items[k], *b = &g.list.items[k];
            assert_true(a->pc == b->pc && a->locals == b->locals && a->stack == b->stack);
            for (unsigned i = 0; i < (unsigned)a->locals + a->stack; i++)
                assert_int_equal(f.types.items[a->first + i], g.types.items[b->first + i]);
        }
        for (int i = 0; i < 10; i++) { /* and damaged they are safe to read */
            struct stack_map bad;
            w.data[2 + noise() % (w.size - 2)] = (uint8_t)noise();
            enum status s = read_map(&bad, &w, NULL);
            assert_true(s == OK || s == ERR_FORMAT);
            stack_map_done(&bad);
        }
        writer_free(&w);
        stack_map_done(&f);
        stack_map_done(&g);
    }
}

static void malformed_entries_are_refused(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct stack_map f;
    struct error err;
#define REFUSED(...)                                                                                                   \
    do {                                                                                                               \
        static const uint8_t b_[] = { __VA_ARGS__ };                                                                   \
        begin(&w, 1);                                                                                                  \
        write_bytes(&w, b_, sizeof b_);                                                                                \
        assert_int_equal(read_map(&f, &w, &err), ERR_FORMAT);                                                          \
        stack_map_done(&f);                                                                                            \
    } while (0)
    for (unsigned shape = 128; shape < 247; shape++) {
        begin(&w, 1);
        op2(&w, shape, 0);
        assert_int_equal(read_map(&f, &w, &err), ERR_FORMAT);
        stack_map_done(&f);
    }
    REFUSED(64, 9);                  /* no such verification type */
    REFUSED(255, 0, 0, 255, 255, 0); /* 65535 locals in one byte */
    REFUSED(251, 0xff, 0xff);        /* behind the code */
    REFUSED(0, 0);                   /* a byte too many */
    begin(&w, 2);
    op2(&w, 248, 0);
    op2(&w, 250, 0); /* chops more than there is */
    assert_int_equal(read_map(&f, &w, &err), ERR_FORMAT);
    stack_map_done(&f);
    writer_free(&w);
#undef REFUSED
}

static void an_empty_table_is_a_table(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct stack_map f;
    assert_int_equal(stack_map_write(NULL, 0, NULL, initial, INITIAL, &w, NULL), OK);
    assert_int_equal(w.size, 2);
    assert_int_equal(read_map(&f, &w, NULL), OK);
    assert_int_equal(f.list.count, 0);
    stack_map_done(&f);
    writer_free(&w);
}

static void frames_that_do_not_ascend_are_not_written(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct error err;
    const struct stack_map_frame same[] = { { 7, 0, 3, 0, false, 0 }, { 7, 0, 3, 0, false, 0 } };
    assert_int_equal(stack_map_write(same, 2, initial, initial, INITIAL, &w, &err), ERR_LIMIT);
    writer_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_read),       cmocka_unit_test(early_larval_frames_list_unset_fields),
        cmocka_unit_test(random_frames_come_back),   cmocka_unit_test(malformed_entries_are_refused),
        cmocka_unit_test(an_empty_table_is_a_table), cmocka_unit_test(frames_that_do_not_ascend_are_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
