/* test_opcode.c - formats/jvm/opcode.h. */
#include "class_fixture.h"

/* Bytes behind the opcode by JVMS 6.5, written down apart from opcodes.def; -1 has a length of its own, -2 is no
 * instruction. */
static int operand_bytes(unsigned code)
{
    if (code == OPC_tableswitch || code == OPC_lookupswitch || code == OPC_wide)
        return -1;
    if (code > 201)
        return -2;
    if (code == 16 || code == 18 || (code >= 21 && code <= 25) || (code >= 54 && code <= 58) || code == 169 ||
        code == 188)
        return 1;
    if (code == 17 || code == 19 || code == 20 || code == 132 || (code >= 153 && code <= 168) ||
        (code >= 178 && code <= 184) || code == 187 || code == 189 || code == 192 || code == 193 || code == 198 ||
        code == 199)
        return 2;
    if (code == 197)
        return 3;
    if (code == 185 || code == 186 || code == 200 || code == 201)
        return 4;
    return 0;
}

/* Decodes the n bytes from a block of exactly that size. */
static bool decode(const uint8_t *bytes, size_t n, uint32_t pc, struct insn *in)
{
    uint8_t *p = exact_copy(bytes, n);
    bool good = insn_decode(p, (uint32_t)n, pc, in);
    free(p);
    return good;
}

static void every_opcode_has_its_length_at_every_place(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        int operands = operand_bytes(code);
        if (operands == -1)
            continue;
        for (uint32_t pc = 0; pc < 5; pc++) {
            uint8_t bytes[16] = { 0 };
            struct insn in = { .length = 99 };
            bytes[pc] = (uint8_t)code;
            if (operands == -2) {
                assert_null(op_table[code].name);
                assert_false(decode(bytes, sizeof bytes, pc, &in));
                continue;
            }
            size_t end = pc + 1 + (size_t)operands;
            assert_non_null(op_table[code].name);
            assert_true(decode(bytes, end, pc, &in));
            assert_int_equal(in.length, operands + 1);
            assert_int_equal(in.op, code);
            assert_int_equal(in.pc, pc);
            assert_false(in.wide);
            for (size_t n = 0; n < end; n++)
                assert_false(decode(bytes, n, pc, &in));
        }
    }
}

static void wide_takes_loads_stores_iinc_and_ret_only(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        bool local = (code >= 21 && code <= 25) || (code >= 54 && code <= 58) || code == OPC_ret;
        uint8_t bytes[] = { OPC_wide, (uint8_t)code, 0x12, 0x34, 0xff, 0xfe };
        size_t length = code == OPC_iinc ? 6 : 4;
        struct insn in;
        assert_int_equal(decode(bytes, sizeof bytes, 0, &in), local || code == OPC_iinc);
        if (!local && code != OPC_iinc)
            continue;
        assert_int_equal(in.length, length);
        assert_true(in.wide && in.op == code && in.local == 0x1234);
        if (code == OPC_iinc)
            assert_int_equal(in.operand, -2);
        for (size_t n = 0; n < length; n++)
            assert_false(decode(bytes, n, 0, &in));
        assert_true(decode(bytes, length, 0, &in));
    }
}

static void switches_are_padded_at_every_alignment(void **state)
{
    (void)state;
    for (uint32_t pc = 0; pc < 9; pc++)
        for (uint32_t cases = 0; cases < 4; cases++)
            for (int table = 0; table < 2; table++) {
                if (table && cases == 0)
                    continue; /* has at least one */
                struct writer w = { 0 };
                struct insn in;
                for (uint32_t i = 0; i < pc; i++)
                    op(&w, OPC_nop);
                op(&w, table ? OPC_tableswitch : OPC_lookupswitch);
                while (w.size % 4 != 0)
                    write_u1(&w, 0);
                write_u4(&w, 100);
                if (table) {
                    write_u4(&w, (uint32_t)-1);
                    write_u4(&w, cases - 2);
                } else {
                    write_u4(&w, cases);
                }
                for (uint32_t i = 0; i < cases; i++) {
                    if (!table)
                        write_u4(&w, 7 * i);
                    write_u4(&w, (uint32_t)(i % 2 ? 200 + (int)i : -(int)i));
                }
                assert_true(decode(w.data, w.size, pc, &in));
                assert_int_equal(in.length, w.size - pc);
                assert_int_equal(switch_count(w.data, &in), cases + 1);
                assert_int_equal(switch_target(w.data, &in, 0), (int)pc + 100);
                for (uint32_t i = 0; i < cases; i++)
                    assert_int_equal(switch_target(w.data, &in, i + 1), (int)pc + (i % 2 ? 200 + (int)i : -(int)i));
                for (size_t n = pc + 1; n < w.size; n++)
                    assert_false(decode(w.data, n, pc, &in));
                writer_free(&w);
            }
}

static void switches_with_impossible_counts_are_malformed(void **state)
{
    (void)state;
    static const struct {
        uint32_t low, high;
    } rows[] = { { 1, 0 }, { 0x80000000, 0x7fffffff }, { 0, 0x7fffffff }, { 0, 0x3fffffff }, { 0xfffffffe, 0x7ffffffe },
                 { 0, 5 }, { 0x7fffffff, 0x80000000 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct writer w = { 0 };
        struct insn in;
        op4(&w, OPC_tableswitch, 0);
        write_bytes(&w, "\0\0\0", 3);
        write_u4(&w, rows[i].low);
        write_u4(&w, rows[i].high);
        write_u8(&w, 0);
        assert_false(decode(w.data, w.size, 0, &in));
        w.data[0] = OPC_lookupswitch;
        for (uint32_t npairs = 2; npairs != 0; npairs <<= 1) {
            put_be4(w.data + 8, npairs);
            put_be4(w.data + 12, 0);
            assert_int_equal(decode(w.data, w.size, 0, &in), false);
        }
        writer_free(&w);
    }
}

static void operands_are_decoded(void **state)
{
    (void)state;
    struct insn in;
    assert_true(decode((const uint8_t[]){ OPC_bipush, 0x80 }, 2, 0, &in) && in.operand == -128);
    assert_true(decode((const uint8_t[]){ OPC_sipush, 0x80, 0 }, 3, 0, &in) && in.operand == -32768);
    assert_true(decode((const uint8_t[]){ OPC_ldc, 0xff }, 2, 0, &in) && in.operand == 255);
    assert_true(decode((const uint8_t[]){ OPC_ldc_w, 0xff, 0xff }, 3, 0, &in) && in.operand == 65535);
    assert_true(decode((const uint8_t[]){ OPC_iinc, 0xff, 0xff }, 3, 0, &in) && in.local == 255 && in.operand == -1);
    assert_true(decode((const uint8_t[]){ 0, 0, OPC_goto, 0xff, 0xfe }, 5, 2, &in) && in.operand == 0);
    assert_true(decode((const uint8_t[]){ OPC_ifeq, 0x7f, 0xff }, 3, 0, &in) && in.operand == 32767);
    assert_true(decode((const uint8_t[]){ 0, OPC_goto_w, 0xff, 0xff, 0xff, 0xff }, 6, 1, &in) && in.operand == 0);
    assert_false(decode((const uint8_t[]){ OPC_goto_w, 0x80, 0, 0, 0 }, 5, 0, &in));
    assert_true(decode((const uint8_t[]){ OPC_invokeinterface, 1, 2, 3, 0 }, 5, 0, &in) && in.operand == 0x102 &&
                in.extra == 3);
    assert_true(decode((const uint8_t[]){ OPC_invokedynamic, 1, 2, 0, 0 }, 5, 0, &in) && in.operand == 0x102);
    assert_true(decode((const uint8_t[]){ OPC_multianewarray, 1, 2, 9 }, 4, 0, &in) && in.operand == 0x102 &&
                in.extra == 9);
}

static void short_forms_give_their_slot_and_type(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 5; t++)
        for (unsigned slot = 0; slot < 4; slot++) {
            struct insn load, store;
            uint8_t l = (uint8_t)(OPC_iload_0 + 4 * t + slot), s = (uint8_t)(OPC_istore_0 + 4 * t + slot);
            assert_true(decode(&l, 1, 0, &load) && decode(&s, 1, 0, &store));
            assert_int_equal(load.local, slot);
            assert_int_equal(store.local, slot);
            assert_int_equal(op_local_type(l), "IJFDA"[t]);
            assert_int_equal(op_local_type(s), "IJFDA"[t]);
            assert_int_equal(op_local_type((uint8_t)(OPC_iload + t)), "IJFDA"[t]);
            assert_int_equal(op_local_type((uint8_t)(OPC_istore + t)), "IJFDA"[t]);
        }
    assert_int_equal(op_local_type(OPC_iaload), 0);
    assert_int_equal(op_local_type(OPC_iinc), 0);
}

static void flags_agree_with_the_jvms(void **state)
{
    (void)state;
    for (unsigned c = 0; c < 256; c++) {
        unsigned f = op_table[c].flags;
        bool returns = c >= OPC_ireturn && c <= OPC_return;
        bool ends = returns || c == OPC_athrow || c == OPC_goto || c == OPC_goto_w || c == OPC_ret ||
                    c == OPC_tableswitch || c == OPC_lookupswitch;
        bool conditional = (c >= OPC_ifeq && c <= OPC_if_acmpne) || c == OPC_ifnull || c == OPC_ifnonnull;
        assert_int_equal((f & OP_RETURN) != 0, returns);
        assert_int_equal((f & OP_END) != 0, ends);
        assert_int_equal((f & OP_COND) != 0, conditional);
        assert_int_equal((f & OP_JSR) != 0, c == OPC_jsr || c == OPC_jsr_w);
        assert_int_equal((f & OP_LOAD) != 0, (c >= 21 && c <= 45));
        assert_int_equal((f & OP_STORE) != 0, (c >= 54 && c <= 78));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_opcode_has_its_length_at_every_place),
        cmocka_unit_test(wide_takes_loads_stores_iinc_and_ret_only),
        cmocka_unit_test(switches_are_padded_at_every_alignment),
        cmocka_unit_test(switches_with_impossible_counts_are_malformed),
        cmocka_unit_test(operands_are_decoded),
        cmocka_unit_test(short_forms_give_their_slot_and_type),
        cmocka_unit_test(flags_agree_with_the_jvms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
