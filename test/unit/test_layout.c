/* test_layout.c - weaver/layout.h: where original instructions and inserted code come to lie; switches, wide branches,
 * trampolines. */
#include "weave_fixture.h"

static void switches_are_padded_anew_after_insertion(void **state)
{
    for (unsigned nops = 0; nops < 8; nops++)
        for (unsigned lined = 0; lined <= nops; lined++)
            for (int table = 0; table < 2; table++) {
                end(state);
                begin(state);
                c.k.major = 49;
                for (unsigned i = 0; i < nops; i++)
                    op(&w, OPC_nop);
                op(&w, OPC_iload_0);
                size_t at = w.size;
                op(&w, table ? OPC_tableswitch : OPC_lookupswitch);
                while (w.size % 4 != 0)
                    write_u1(&w, 0);
                uint32_t end_pc = (uint32_t)w.size + (table ? 20 : 24);
                write_u4(&w, end_pc - (uint32_t)at);
                write_u4(&w, table ? 1 : 2);
                if (table)
                    write_u4(&w, 2);
                for (int i = 0; i < 2; i++) {
                    if (!table)
                        write_u4(&w, (uint32_t)i * 1000);
                    write_u4(&w, i == 0 ? (uint32_t) - (int32_t)at : end_pc - (uint32_t)at);
                }
                assert_int_equal(w.size, end_pc);
                op(&w, OPC_return);
                struct writer t = lines(0, lined + 1, 1);
                add_method(1, 1, "(I)V", NULL, 0, &(struct made_attribute){ "LineNumberTable", &t }, 1);
                weave(GROUP_BIT(LINE));
                match();
                for (uint32_t i = 0; i < c.new.insns.count; i++)
                    if (c.new.insns.items[i].op == OPC_tableswitch || c.new.insns.items[i].op == OPC_lookupswitch)
                        for (uint32_t pc = c.new.insns.items[i].pc + 1; pc % 4 != 0; pc++)
                            assert_int_equal(c.new.bytes[pc], 0);
                writer_free(&t);
            }
}

static void branches_lead_to_the_hooks_before_their_target(void **state)
{
    (void)state;
    c.k.major = 49;
    op(&w, OPC_nop);                    /* 0 */
    op(&w, OPC_iload_0);                /* 1 */
    op2(&w, OPC_ifeq, (unsigned)-2);    /* 2 -> 0 */
    op2(&w, OPC_goto, 4);               /* 5 -> 9 */
    op(&w, OPC_return);                 /* 8 */
    op(&w, OPC_iload_0);                /* 9 */
    op2(&w, OPC_ifne, (unsigned)-2);    /* 10 -> 8 */
    op4(&w, OPC_goto_w, (uint32_t)-13); /* 13 -> 0 */
    struct writer t = lines(0, 10, 1);
    add_method(1, 1, "(I)V", NULL, 0, &(struct made_attribute){ "LineNumberTable", &t }, 1);
    weave(GROUP_BIT(LINE));
    match();
    assert_int_equal(trampolines, 0);
    writer_free(&t);
}

static void far_gotos_become_wide(void **state)
{
    (void)state;
    c.k.major = 49;
    op2(&w, OPC_goto, 4); /* 0 -> 4 */
    op(&w, OPC_return);   /* 3: reached from the end */
    for (int i = 0; i < 2 * NOPS; i++)
        op(&w, OPC_nop);
    op2(&w, OPC_goto, 3 - (unsigned)w.size); /* back over everything */
    struct writer t = lines(4, 4 + 2 * NOPS, 1);
    add_method(1, 1, "(I)V", NULL, 0, &(struct made_attribute){ "LineNumberTable", &t }, 1);
    weave(GROUP_BIT(LINE));
    match();
    assert_true(c.new.length > 40000);
    assert_int_equal(c.new.insns.items[new_at[0]].op, OPC_goto); /* near: stays short */
    assert_int_equal(c.new.insns.items[new_at[c.old.insns.count - 1]].op, OPC_goto_w);
    writer_free(&t);
}

static void far_jsrs_become_wide(void **state)
{
    (void)state;
    c.k.major = 49;
    op2(&w, OPC_jsr, 0); /* 0 -> the end */
    for (int i = 0; i < 2 * NOPS; i++)
        op(&w, OPC_nop);
    op(&w, OPC_return);
    here(&w, 0);
    op(&w, OPC_astore_0);
    op1(&w, OPC_ret, 0);
    struct writer t = lines(4, 4 + 2 * NOPS, 1);
    add_method(1, 1, "(I)V", NULL, 0, &(struct made_attribute){ "LineNumberTable", &t }, 1);
    weave(GROUP_BIT(LINE));
    match();
    assert_int_equal(c.new.insns.items[new_at[0]].op, OPC_jsr_w);
    writer_free(&t);
}

static void far_conditionals_take_a_trampoline(void **state)
{
    (void)state;
    far_method(49, true);
    weave(GROUP_BIT(LINE));
    match();
    assert_int_equal(trampolines, 1);
}

static void a_trampoline_has_the_frame_of_its_target(void **state)
{
    (void)state;
    far_method(52, true);
    weave(GROUP_BIT(LINE));
    match();
    assert_int_equal(trampolines, 1);
    const vtype initial[] = { VT_INTEGER };
    struct stack_map f = read_frames(&c.new, &c.after, initial, 1);
    assert_int_equal(f.list.count, 3);
    uint32_t trampoline = (uint32_t)c.new.insns.items[new_at[1]].operand;
    assert_int_equal(f.list.items[0].pc, trampoline);
    assert_int_equal(c.new.bytes[trampoline], OPC_goto_w);
    assert_int_equal(f.list.items[1].pc, trampoline + 5);
    assert_int_equal(f.list.items[2].pc, c.new.insns.items[old_at[c.old.insns.count - 1]].pc);
    for (int i = 0; i < 3; i++)
        assert_true(f.list.items[i].locals == 1 && f.list.items[i].stack == 0);
    stack_map_done(&f);
}

static void trampolines_belong_to_no_exception_range(void **state)
{
    (void)state;
    far_method(49, true);
    weave(GROUP_BIT(LINE) | GROUP_BIT(EXEC));
    uint32_t trampoline = 0;
    for (uint32_t i = 1; i < c.new.insns.count; i++)
        if (c.new.insns.items[i].op == OPC_goto_w)
            trampoline = c.new.insns.items[i].pc;
    assert_true(trampoline != 0);
    assert_true(c.new.handlers.count >= 2);
    for (size_t i = 0; i < c.new.handlers.count; i++)
        assert_true(c.new.handlers.items[i].end <= trampoline || c.new.handlers.items[i].start >= trampoline + 5);
}

static void without_a_place_for_a_trampoline_the_group_is_given_up(void **state)
{
    (void)state;
    struct weave_config config = base;
    config.groups = GROUP_BIT(LINE) | GROUP_BIT(EXEC);
    far_method(49, false);
    made_finish(&c.k);
    assert_int_equal(weave_class(c.k.bytes.data, c.k.bytes.size, &config, &c.out, &err), OK);
    const struct method_row *row = &c.out.row.methods.items[0];
    assert_int_equal(row->groups, GROUP_BIT(EXEC));
    assert_non_null(memmem(row->reason.data, row->reason.size, "conditional branch", 18));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(switches_are_padded_anew_after_insertion),
        TEST(branches_lead_to_the_hooks_before_their_target),
        TEST(far_gotos_become_wide),
        TEST(far_jsrs_become_wide),
        TEST(far_conditionals_take_a_trampoline),
        TEST(a_trampoline_has_the_frame_of_its_target),
        TEST(trampolines_belong_to_no_exception_range),
        TEST(without_a_place_for_a_trampoline_the_group_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
