/* test_code.c - formats/jvm/code.h. */
#include "class_fixture.h"

/* Wraps the code into the content of a Code attribute and reads it from a block of exactly its size. */
static uint8_t *bytes;
static enum status read_code(struct code *c, const struct writer *insns, const struct handler *h, unsigned handlers,
                             struct error *err)
{
    struct made k = made_class(52, "Made");
    struct writer w = made_code(&k, 2, 3, insns, h, handlers, NULL, 0);
    free(bytes);
    bytes = exact_copy(w.data, w.size);
    enum status s = code_read(c, bytes, w.size, err);
    writer_free(&w);
    made_done(&k);
    return s;
}

static void refuses(const void *insns, size_t n, const char *part)
{
    struct writer w = { 0 };
    struct code c;
    struct error err = { 0 };
    write_bytes(&w, insns, n);
    assert_int_equal(read_code(&c, &w, NULL, 0, &err), ERR_FORMAT);
    assert_non_null(strstr(err.text, part));
    code_done(&c);
    writer_free(&w);
}

static void branches_switches_and_handlers_mark_where_they_lead(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct code c;
    op(&w, OPC_iload_0);      /* 0 */
    op2(&w, OPC_ifeq, 3);     /* 1 -> 4 */
    op(&w, OPC_iload_0);      /* 4 */
    op(&w, OPC_lookupswitch); /* 5, two bytes of padding */
    write_u2(&w, 0);
    write_u4(&w, 19); /* default -> 24 */
    write_u4(&w, 1);
    write_u4(&w, 9);
    write_u4(&w, (uint32_t)-5); /* 9 -> 0 */
    op(&w, OPC_return);         /* 24 */
    op(&w, OPC_athrow);         /* 25 */
    struct handler h = { 4, 24, 25, 0 };
    assert_int_equal(read_code(&c, &w, &h, 1, NULL), OK);
    assert_int_equal(c.insns.count, 6);
    assert_int_equal(c.flags[0], PC_INSN | PC_TARGET);
    assert_int_equal(c.flags[1], PC_INSN);
    assert_int_equal(c.flags[2], 0);
    assert_int_equal(c.flags[4], PC_INSN | PC_TARGET | PC_AFTER | PC_GUARDED);
    assert_int_equal(c.flags[23], PC_GUARDED);
    assert_int_equal(c.flags[24], PC_INSN | PC_TARGET);
    assert_int_equal(c.flags[25], PC_INSN | PC_HANDLER);
    assert_true(c.has_jumps && !c.has_jsr);
    assert_int_equal(c.max_stack, 2);
    assert_int_equal(c.max_locals, 3);
    code_done(&c);
    writer_free(&w);
}

static void a_pc_inside_an_instruction_belongs_to_the_next(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct code c;
    op2(&w, OPC_sipush, 1000);
    op(&w, OPC_pop);
    op(&w, OPC_return);
    assert_int_equal(read_code(&c, &w, NULL, 0, NULL), OK);
    static const uint32_t want[] = { 0, 1, 1, 1, 2, 3 };
    for (uint32_t pc = 0; pc <= 5; pc++)
        assert_int_equal(code_index(&c, pc), want[pc]);
    assert_false(c.has_jumps);
    code_done(&c);
    writer_free(&w);
}

static void jsr_comes_back_behind_itself(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct code c;
    op2(&w, OPC_jsr, 4);  /* 0 -> 4 */
    op(&w, OPC_return);   /* 3 */
    op(&w, OPC_astore_0); /* 4 */
    op1(&w, OPC_ret, 0);  /* 5 */
    assert_int_equal(read_code(&c, &w, NULL, 0, NULL), OK);
    assert_true(c.has_jsr);
    assert_true(c.flags[3] & PC_AFTER);
    assert_true(c.flags[4] & PC_TARGET);
    code_done(&c);
    writer_free(&w);
}

static void branches_out_of_or_into_instructions_are_refused(void **state)
{
    (void)state;
    refuses("\xa7\x00\x01", 3, "not the start of an instruction");                 /* goto into itself */
    refuses("\xa7\x00\x03", 3, "not the start of an instruction");                 /* goto the end */
    refuses("\xa7\xff\xff", 3, "not the start of an instruction");                 /* goto -1 */
    refuses("\x11\x00\x00\xa7\xff\xfe\xb1", 7, "not the start of an instruction"); /* into the sipush */
    refuses("\xa8\x00\x00", 3, "falls off");                                       /* a jsr with nothing behind it */
    refuses("\xb1\x11\x00", 3, "malformed instruction");                           /* a cut sipush */
    refuses("\xff", 1, "malformed instruction");
    refuses("\xc4\xc4\x00\x00", 4, "malformed instruction"); /* wide wide */
}

static void code_that_is_empty_or_too_long_is_refused(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct code c;
    assert_int_equal(read_code(&c, &w, NULL, 0, NULL), ERR_FORMAT);
    code_done(&c);
    for (int i = 0; i < 65534; i++)
        op(&w, OPC_nop);
    op(&w, OPC_return);
    assert_int_equal(read_code(&c, &w, NULL, 0, NULL), OK);
    code_done(&c);
    op(&w, OPC_return);
    assert_int_equal(read_code(&c, &w, NULL, 0, NULL), ERR_FORMAT);
    code_done(&c);
    writer_free(&w);
}

static void exception_table_entries_are_checked(void **state)
{
    (void)state;
    static const struct {
        struct handler h;
        bool good;
    } rows[] = {
        { { 0, 3, 4, 0 }, true },  { { 0, 5, 4, 0 }, true },      { { 3, 3, 4, 0 }, false }, { { 3, 0, 4, 0 }, false },
        { { 0, 6, 4, 0 }, false }, { { 1, 3, 4, 0 }, false },     { { 0, 2, 4, 0 }, false }, { { 0, 3, 2, 0 }, false },
        { { 0, 3, 5, 0 }, false }, { { 5, 65535, 4, 0 }, false },
    };
    struct writer w = { 0 };
    op2(&w, OPC_sipush, 1); /* 0 */
    op(&w, OPC_pop);        /* 3 */
    op(&w, OPC_athrow);     /* 4 */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct code c;
        assert_int_equal(read_code(&c, &w, &rows[i].h, 1, NULL), rows[i].good ? OK : ERR_FORMAT);
        code_done(&c);
    }
    writer_free(&w);
}

static void a_code_attribute_cut_at_any_byte_is_an_error(void **state)
{
    (void)state;
    struct made k = made_class(52, "Made");
    struct writer code = { 0 }, data = { 0 };
    write_bytes(&data, "data", 4);
    op(&code, OPC_nop);
    op(&code, OPC_return);
    op(&code, OPC_athrow);
    struct handler h = { 0, 1, 2, 0 };
    struct writer w =
        made_code(&k, 1, 1, &code, &h, 1, (const struct made_attribute[]){ { "A", &data }, { "B", &data } }, 2);
    struct code c;
    for (size_t n = 0; n <= w.size; n++) {
        uint8_t *cut = exact_copy(w.data, n);
        assert_int_equal(code_read(&c, cut, n, NULL), n < w.size ? ERR_FORMAT : OK);
        code_done(&c);
        free(cut);
    }
    write_u1(&w, 0); /* and one byte too many */
    assert_int_equal(code_read(&c, w.data, w.size, NULL), ERR_FORMAT);
    code_done(&c);
    writer_free(&w);
    writer_free(&code);
    writer_free(&data);
    made_done(&k);
}

static void any_bytes_are_safe(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct writer w = { 0 };
        struct code c;
        uint32_t length = 1 + noise() % 40;
        write_u4(&w, 0x00050005);
        write_u4(&w, length);
        for (uint32_t i = 0; i < length; i++)
            write_u1(&w, round % 2 ? noise() & 0xff : "\x00\x03\xa7\x99\xaa\xab\xb1\xa8"[noise() % 8] & 0xff);
        write_u4(&w, 0);
        uint8_t *p = exact_copy(w.data, w.size);
        enum status s = code_read(&c, p, w.size, NULL);
        assert_true(s == OK || s == ERR_FORMAT);
        code_done(&c);
        free(p);
        writer_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_switches_and_handlers_mark_where_they_lead),
        cmocka_unit_test(a_pc_inside_an_instruction_belongs_to_the_next),
        cmocka_unit_test(jsr_comes_back_behind_itself),
        cmocka_unit_test(branches_out_of_or_into_instructions_are_refused),
        cmocka_unit_test(code_that_is_empty_or_too_long_is_refused),
        cmocka_unit_test(exception_table_entries_are_checked),
        cmocka_unit_test(a_code_attribute_cut_at_any_byte_is_an_error),
        cmocka_unit_test(any_bytes_are_safe),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(bytes);
    return failed;
}
