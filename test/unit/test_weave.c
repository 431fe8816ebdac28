/* test_weave.c - weaver/weave.h: what a woven class is, beside its branches (test_layout.c) and its records
 * (test_record.c). */
#include "weave_fixture.h"

#include "weaver/verify/verify.h"

/* 60000 bytes of code with so many lines that LINE does not fit. */
static void long_method(uint32_t nops, uint32_t step)
{
    c.k.major = 49;
    for (uint32_t i = 0; i < nops; i++)
        op(&w, OPC_nop);
    op(&w, OPC_return);
    struct writer t = lines(0, nops, step);
    add_method(1, 1, "(I)V", NULL, 0, &(struct made_attribute){ "LineNumberTable", &t }, 1);
    writer_free(&t);
    made_finish(&c.k);
}

static void groups_are_given_up_in_order_when_64_kb_are_passed(void **state)
{
    (void)state;
    static const struct {
        uint32_t nops;
        group_set ask, get;
    } rows[] = {
        { 60000, GROUP_ALL, GROUP_ALL & ~GROUP_BIT(LINE) },
        { 60000, GROUP_BIT(LINE), 0 },
        { 60000, GROUP_BIT(EXEC) | GROUP_BIT(LINE), GROUP_BIT(EXEC) },
        { 65530, GROUP_ALL, 0 }, /* no room for anything */
        { 65534, GROUP_BIT(EXEC) | GROUP_BIT(LABEL), 0 },
        { 1000, GROUP_ALL, GROUP_ALL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct weave_config config = base;
        end(state);
        begin(state);
        long_method(rows[i].nops, 10);
        config.groups = rows[i].ask;
        assert_int_equal(weave_class(c.k.bytes.data, c.k.bytes.size, &config, &c.out, &err), OK);
        const struct method_row *row = &c.out.row.methods.items[0];
        assert_int_equal(row->groups, rows[i].get);
        assert_int_equal(row->reason.size > 0, rows[i].get != rows[i].ask);
        if (rows[i].get != rows[i].ask)
            assert_non_null(memmem(row->reason.data, row->reason.size, "65535 are allowed", 17));
        assert_int_equal(c.out.bytes.size > 0, rows[i].get != 0);
        if (rows[i].get == 0)
            assert_int_equal(c.out.dataids.count, 0);
        assert_int_equal(c.out.dataids.kinds.size, c.out.dataids.count);
        assert_int_equal(c.out.dataids.roles.size, c.out.dataids.count);
        assert_int_equal(row->code_length, rows[i].nops + 1);
    }
}

static void a_method_that_does_not_fit_leaves_the_others_woven(void **state)
{
    (void)state;
    long_method(65534, 10);
    w.size = 0;
    op(&w, OPC_return);
    made_method(&c.k, ACC_STATIC, "small", "()V", 0, 0, &w, NULL, 0, NULL, 0);
    weave(GROUP_BIT(EXEC));
    assert_int_equal(c.out.row.methods.items[0].groups, 0);
    assert_int_equal(c.out.row.methods.items[1].groups, GROUP_BIT(EXEC));
    const struct attribute *a = code_of(&c.before, 0), *b = code_of(&c.after, 0);
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->data, b->data, a->length);
    assert_true(code_of(&c.after, 1)->length > code_of(&c.before, 1)->length);
}

static void a_full_constant_pool_gives_the_method_up(void **state)
{
    (void)state;
    struct weave_config config = base;
    config.groups = GROUP_ALL;
    op(&w, OPC_return);
    add_method(0, 0, "()V", NULL, 0, NULL, 0);
    while (c.k.next < 65535) {
        write_u1(&c.k.pool, CONSTANT_Integer);
        write_u4(&c.k.pool, c.k.next++);
    }
    made_finish(&c.k);
    assert_int_equal(weave_class(c.k.bytes.data, c.k.bytes.size, &config, &c.out, &err), OK);
    assert_int_equal(c.out.bytes.size, 0);
    assert_int_equal(c.out.row.methods.items[0].groups, 0);
    assert_non_null(
        memmem(c.out.row.methods.items[0].reason.data, c.out.row.methods.items[0].reason.size, "constant pool", 13));
}

/* The deepest stack of straight-line code, by the descriptors of what it calls. */
static unsigned deepest(void)
{
    int depth = 0, most = 0;
    for (uint32_t i = 0; i < c.new.insns.count; i++) {
        const struct insn *in = &c.new.insns.items[i];
        struct member_ref ref;
        if (in->op == OPC_invokestatic) {
            unsigned slots = 0;
            struct text result;
            assert_true(cpool_member(&c.after.cp, (uint32_t)in->operand, &ref) &&
                        descriptor_measure(ref.desc, &slots, &result));
            depth += (int)type_slots(result.data[0]) - (int)slots;
        } else {
            depth -= op_table[in->op].pops;
            assert_true(depth >= 0);
            depth += op_table[in->op].pushes;
        }
        assert_true(depth >= 0);
        if (depth > most)
            most = depth;
        if (op_table[in->op].flags & OP_END)
            return (unsigned)most;
    }
    return (unsigned)most;
}

static void max_stack_and_max_locals_grow_enough(void **state)
{
    for (uint32_t first = 0; first < 3; first++)
        for (int few = 0; few < 2; few++) {
            end(state);
            begin(state);
            unsigned callee = made_ref(&c.k, CONSTANT_Methodref, "Other", "f", "(JDILjava/lang/Object;)D");
            op(&w, OPC_lload_0);
            op(&w, OPC_dload_2);
            op1(&w, OPC_iload, 4);
            op(&w, OPC_aconst_null);
            op2(&w, OPC_invokestatic, callee);
            op(&w, OPC_dstore_2);
            op(&w, OPC_lload_0);
            op(&w, OPC_lreturn);
            add_method(6, 5, "(JDI)J", NULL, 0, NULL, 0);
            struct weave_config config = base;
            config.groups = GROUP_ALL;
            config.few_constants = few;
            config.first_dataid = first == 0 ? 0 : first == 1 ? 40000 : 1u << 29;
            made_finish(&c.k);
            assert_int_equal(weave_class(c.k.bytes.data, c.k.bytes.size, &config, &c.out, &err), OK);
            assert_int_equal(classfile_read(&c.after, c.out.bytes.data, c.out.bytes.size, &err), OK);
            const struct attribute *a = code_of(&c.after, 0);
            assert_int_equal(code_read(&c.new, a->data, a->length, &err), OK);
            assert_true(c.new.max_stack >= deepest());
            unsigned top = 0;
            for (uint32_t i = 0; i < c.new.insns.count; i++) {
                char type = op_local_type(c.new.insns.items[i].op);
                unsigned last = type == 0 ? 0 : c.new.insns.items[i].local + type_slots(type);
                top = last > top ? last : top;
            }
            assert_true(top > 5); /* arguments were spilled */
            assert_true(c.new.max_locals >= top);
        }
}

static void the_exception_table_keeps_its_order_and_the_exit_comes_last(void **state)
{
    (void)state;
    c.k.major = 49;
    unsigned type = made_class_ref(&c.k, "java/lang/Exception");
    for (int i = 0; i < 6; i++)
        op(&w, OPC_nop);
    op(&w, OPC_return); /* 6 */
    op(&w, OPC_athrow); /* 7 */
    op(&w, OPC_pop);    /* 8 */
    op(&w, OPC_return); /* 9 */
    const struct handler h[] = {
        { 2, 4, 7, (uint16_t)type }, { 0, 6, 8, 0 }, { 2, 4, 8, (uint16_t)type }, { 7, 8, 8, 0 }
    };
    struct writer t = lines(0, 9, 1);
    add_method(1, 1, "(I)V", h, 4, &(struct made_attribute){ "LineNumberTable", &t }, 1);
    weave(GROUP_BIT(EXEC) | GROUP_BIT(LINE));
    writer_free(&t);
    assert_int_equal(c.new.handlers.count, 8);
    for (int i = 0; i < 4; i++)
        assert_int_equal(c.new.handlers.items[i].type, h[i].type);
    assert_true(c.new.handlers.items[0].start == c.new.handlers.items[2].start &&c.new.handlers.items[0].end ==
                c.new.handlers.items[2].end);
    assert_true(c.new.handlers.items[1].handler == c.new.handlers.items[2].handler &&c.new.handlers.items[3].handler ==
                c.new.handlers.items[1].handler);
    assert_true(c.new.handlers.items[1].start <= c.new.handlers.items[0].start &&c.new.handlers.items[1].end >
                c.new.handlers.items[0].end);
    const struct handler *exit = &c.new.handlers.items[4];
    assert_int_equal(exit->type, 0);
    assert_int_equal(exit->end, exit->handler);
    for (int i = 0; i < 4; i++)
        assert_true(exit->start <= c.new.handlers.items[i].start && exit->end >= c.new.handlers.items[i].handler);
    /* the exit has a handler, as the method may catch a StackOverflowError: of the hooks, not of the athrow */
    const struct handler *missed = &c.new.handlers.items[5];
    assert_int_equal(missed->type, 0);
    assert_true(missed->start > exit->handler);
    assert_int_equal(missed->end, missed->handler - 1);
    assert_int_equal(c.new.bytes[missed->end], OPC_athrow);
    /* whose monitor no exception may leave locked, else HotSpot does not compile the method: the handler covers all
     * from behind the monitorenter to the monitorexit, and itself to its own */
    const struct handler *locked = &c.new.handlers.items[6], *release = &c.new.handlers.items[7];
    assert_true(locked->type == 0 && release->type == 0);
    assert_int_equal(c.new.bytes[locked->start - 1], OPC_monitorenter);
    assert_int_equal(c.new.bytes[locked->end - 1], OPC_monitorexit);
    assert_int_equal(c.new.bytes[release->end - 1], OPC_monitorexit);
    assert_true(release->start == release->handler && locked->handler == release->handler);
    assert_int_equal(c.new.bytes[release->end], OPC_athrow);
    assert_int_equal(c.new.length, release->end + 1);
}

/* Is there a hook in the range? */
static bool covers_a_hook(const struct handler *h)
{
    for (uint32_t i = code_index(&c.new, h->start); i < c.new.insns.count &&c.new.insns.items[i].pc < h->end; i++)
        if (c.new.insns.items[i].op == OPC_invokestatic)
            return true;
    return false;
}

static void handlers_do_not_cover_hooks_that_would_lead_back_to_them(void **state)
{
    (void)state;
    c.k.major = 49;
    for (int i = 0; i < 4; i++)
        op(&w, OPC_nop);
    op(&w, OPC_return);   /* 4 */
    op(&w, OPC_astore_0); /* 5: a handler that covers itself, as that of a finally block */
    op(&w, OPC_nop);
    op(&w, OPC_return);
    op(&w, OPC_astore_0); /* 8: one that covers that of a handler in front of it, which covers this one */
    op(&w, OPC_nop);
    op(&w, OPC_return);
    const struct handler h[] = { { 0, 4, 5, 0 }, { 5, 6, 5, 0 }, { 8, 9, 5, 0 }, { 5, 6, 8, 0 } };
    struct writer t = lines(0, 9, 1);
    add_method(1, 1, "(I)V", h, 4, &(struct made_attribute){ "LineNumberTable", &t }, 1);
    weave(GROUP_BIT(EXEC) | GROUP_BIT(LOCAL) | GROUP_BIT(LABEL) | GROUP_BIT(LINE));
    writer_free(&t);
    const struct handler *n = c.new.handlers.items;
    assert_true(covers_a_hook(&n[0]));
    assert_false(covers_a_hook(&n[1]));
    assert_false(covers_a_hook(&n[2]));
    assert_true(covers_a_hook(&n[3]));
    for (int i = 0; i < 4; i++)
        assert_true(n[i].start < n[i].end);
}

static bool has_attribute(const struct code *code, const struct classfile *cf, const char *name)
{
    for (size_t i = 0; i < code->attributes.count; i++) {
        struct text t;
        if (cpool_utf8(&cf->cp, code->attributes.items[i].name, &t) && text_is(t, name))
            return true;
    }
    return false;
}

static void unknown_attributes_of_code_are_left_out(void **state)
{
    (void)state;
    struct writer t = lines(0, 1, 1), junk = { 0 };
    write_u8(&junk, 0x0102030405060708);
    op(&w, OPC_return);
    add_method(0, 1, "(I)V", NULL, 0,
               (const struct made_attribute[]){ { "com.acme.Pcs", &junk },
                                                { "LineNumberTable", &t },
                                                { "CharacterRangeTable", &junk },
                                                { "RuntimeVisibleTypeAnnotations", &junk } },
               4);
    made_class_attribute(&c.k, "com.acme.OfClass", "kept", 4);
    weave(GROUP_BIT(EXEC));
    assert_true(has_attribute(&c.old, &c.before, "com.acme.Pcs"));
    assert_false(has_attribute(&c.new, &c.after, "com.acme.Pcs"));
    assert_false(has_attribute(&c.new, &c.after, "CharacterRangeTable"));
    /* malformed: dropped, not refused */
    assert_false(has_attribute(&c.new, &c.after, "RuntimeVisibleTypeAnnotations"));
    assert_true(has_attribute(&c.new, &c.after, "LineNumberTable"));
    assert_non_null(
        classfile_attribute(&c.after, c.after.first_attribute, c.after.attribute_count, "com.acme.OfClass"));
    writer_free(&t);
    writer_free(&junk);
}

static void line_numbers_and_local_variables_move_with_the_code(void **state)
{
    (void)state;
    struct writer t = { 0 }, v = { 0 };
    unsigned name = made_utf8(&c.k, "x"), desc = made_utf8(&c.k, "I");
    op(&w, OPC_nop);
    op(&w, OPC_nop);
    op(&w, OPC_nop);
    op(&w, OPC_return);
    write_u2(&t, 2);
    write_u4(&t, 0 << 16 | 10);
    write_u4(&t, 2 << 16 | 11);
    write_u2(&v, 2);
    for (unsigned i = 0; i < 2; i++) {
        write_u2(&v, i * 2);     /* start */
        write_u2(&v, 4 - i * 2); /* length: to the end */
        write_u2(&v, name);
        write_u2(&v, desc);
        write_u2(&v, 0);
    }
    add_method(0, 1, "(I)V", NULL, 0,
               (const struct made_attribute[]){ { "LineNumberTable", &t }, { "LocalVariableTable", &v } }, 2);
    weave(GROUP_BIT(LINE));
    match();
    const uint8_t *line = c.new.attributes.items[0].data, *local = c.new.attributes.items[1].data;
    uint32_t second = c.new.insns.items[old_at[2]].pc;
    assert_int_equal(be2(line + 2), 0);
    assert_int_equal(be2(line + 6), second);
    assert_int_equal(be2(line + 8), 11);
    assert_int_equal(be2(local + 2), 0);
    assert_int_equal(be2(local + 4), c.new.length);
    assert_int_equal(be2(local + 12), second);
    assert_int_equal(be2(local + 12) + be2(local + 14), c.new.length);
    writer_free(&t);
    writer_free(&v);
}

static void a_constructor_has_an_exit_for_each_kind_of_this(void **state)
{
    (void)state;
    unsigned init = made_ref(&c.k, CONSTANT_Methodref, "java/lang/Object", "<init>", "()V");
    op(&w, OPC_nop);                  /* 0 */
    op(&w, OPC_aload_0);              /* 1 */
    op2(&w, OPC_invokespecial, init); /* 2 */
    op(&w, OPC_nop);                  /* 5 */
    op(&w, OPC_return);               /* 6 */
    made_method(&c.k, 0, "<init>", "()V", 1, 1, &w, NULL, 0, NULL, 0);
    weave(GROUP_BIT(EXEC));
    assert_int_equal(c.new.handlers.count, 2);
    assert_int_not_equal(c.new.handlers.items[0].handler, c.new.handlers.items[1].handler);
    uint32_t call = 0;
    for (uint32_t i = 0; i < c.new.insns.count; i++)
        if (c.new.insns.items[i].op == OPC_invokespecial)
            call = c.new.insns.items[i].pc;
    for (int i = 0; i < 2; i++) /* HotSpot accepts no handler over the call itself */
        assert_true(c.new.handlers.items[i].end <= call || c.new.handlers.items[i].start >= call + 3);
    const vtype initial[] = { VT_UNINITIALIZED_THIS };
    struct stack_map f = read_frames(&c.new, &c.after, initial, 1);
    assert_int_equal(f.list.count, 2);
    assert_int_equal(f.list.items[0].locals + f.list.items[1].locals, 1);
    const struct stack_map_frame *uninit = &f.list.items[f.list.items[0].locals == 1 ? 0 : 1];
    assert_int_equal(f.types.items[uninit->first], VT_UNINITIALIZED_THIS);
    assert_int_equal(uninit->stack, 1);
    stack_map_done(&f);
}

static void uninitialized_offsets_of_frames_move_to_the_new_itself(void **state)
{
    (void)state;
    struct writer map = { 0 };
    unsigned object = made_class_ref(&c.k, "java/lang/Object"),
             init = made_ref(&c.k, CONSTANT_Methodref, "java/lang/Object", "<init>", "()V");
    op(&w, OPC_nop);                  /* 0 */
    op2(&w, OPC_new, object);         /* 1 */
    op(&w, OPC_iload_0);              /* 4 */
    op2(&w, OPC_ifeq, 3);             /* 5 -> 8 */
    op2(&w, OPC_invokespecial, init); /* 8 */
    op(&w, OPC_return);
    write_u2(&map, 1);
    write_u1(&map, 64 + 8);
    write_u1(&map, VT_UNINITIALIZED);
    write_u2(&map, 1);
    struct writer t = lines(0, 9, 1);
    add_method(2, 1, "(I)V", NULL, 0,
               (const struct made_attribute[]){ { "StackMapTable", &map }, { "LineNumberTable", &t } }, 2);
    weave(GROUP_BIT(LINE));
    match();
    const vtype initial[] = { VT_INTEGER };
    struct stack_map f = read_frames(&c.new, &c.after, initial, 1);
    assert_int_equal(f.list.count, 1);
    assert_int_equal(f.list.items[0].pc, c.new.insns.items[old_at[4]].pc);
    uint32_t new_pc = vtype_index(f.types.items[f.list.items[0].first + 1]);
    assert_int_equal(new_pc, c.new.insns.items[new_at[1]].pc);
    assert_int_equal(c.new.bytes[new_pc], OPC_new);
    stack_map_done(&f);
    writer_free(&map);
    writer_free(&t);
}

static void frames_carry_where_control_came_from(void **state)
{
    (void)state;
    struct writer map = { 0 };
    op(&w, OPC_iload_0);  /* 0 */
    op2(&w, OPC_ifeq, 3); /* 1 -> 4 */
    op(&w, OPC_return);   /* 4 */
    write_u2(&map, 1);
    write_u1(&map, 4);
    add_method(1, 4, "(I)V", NULL, 0, &(struct made_attribute){ "StackMapTable", &map }, 1);
    weave(GROUP_BIT(LABEL));
    const vtype initial[] = { VT_INTEGER };
    struct stack_map f = read_frames(&c.new, &c.after, initial, 1);
    assert_int_equal(f.list.count, 1);
    assert_int_equal(f.list.items[0].locals, 5); /* the int in slot 4, tops before it */
    static const vtype want[] = { VT_INTEGER, VT_TOP, VT_TOP, VT_TOP, VT_INTEGER };
    assert_memory_equal(f.types.items + f.list.items[0].first, want, sizeof want);
    stack_map_done(&f);
    writer_free(&map);
}

static void the_same_class_gives_the_same_bytes_twice(void **state)
{
    (void)state;
    far_method(52, true);
    made_finish(&c.k);
    for (group_set groups = 1; groups <= GROUP_ALL; groups = groups < GROUP_BIT(LINE) ? groups << 1
                                                             : groups == GROUP_ALL    ? GROUP_ALL + 1
                                                                                      : GROUP_ALL) {
        struct weave_config config = base;
        struct weave_result a, b;
        struct writer x = { 0 }, y = { 0 };
        uint8_t *moved = exact_copy(c.k.bytes.data, c.k.bytes.size); /* another address: hash tables must not show it */
        config.groups = groups;
        assert_int_equal(weave_class(c.k.bytes.data, c.k.bytes.size, &config, &a, &err), OK);
        assert_int_equal(weave_class(moved, c.k.bytes.size, &config, &b, &err), OK);
        assert_int_equal(a.bytes.size, b.bytes.size);
        if (a.bytes.size > 0)
            assert_memory_equal(a.bytes.data, b.bytes.data, a.bytes.size);
        dataid_rows_encode(&a.dataids, &x);
        dataid_rows_encode(&b.dataids, &y);
        assert_int_equal(x.size, y.size);
        assert_memory_equal(x.data, y.data, x.size);
        writer_free(&x);
        writer_free(&y);
        weave_result_done(&a);
        weave_result_done(&b);
        free(moved);
    }
}

static void nothing_to_weave_gives_no_bytes(void **state)
{
    (void)state;
    struct weave_config config = base;
    config.groups = GROUP_BIT(LINE);
    op(&w, OPC_return);
    add_method(0, 0, "()V", NULL, 0, NULL, 0);
    made_finish(&c.k);
    assert_int_equal(weave_class(c.k.bytes.data, c.k.bytes.size, &config, &c.out, &err), OK);
    assert_int_equal(c.out.bytes.size, 0);
    assert_int_equal(c.out.row.methods.count, 1);
    assert_true(text_is(c.out.row.name, "Made") && text_is(c.out.row.super, "java/lang/Object"));
}

/* Ends the class with a method that can be woven, and weaves it. */
static void weave_with_good_method(void)
{
    w.size = 0;
    op(&w, OPC_return);
    made_method(&c.k, ACC_STATIC, "good", "()V", 0, 0, &w, NULL, 0, NULL, 0);
    made_finish(&c.k);
    struct weave_config config = base;
    config.groups = GROUP_BIT(EXEC);
    assert_int_equal(weave_class(c.k.bytes.data, c.k.bytes.size, &config, &c.out, &err), OK);
}

static void a_method_that_makes_no_sense_stays_as_it_was_and_says_why(void **state)
{
    (void)state;
    op(&w, OPC_pop); /* underflow */
    op(&w, OPC_return);
    add_method(1, 0, "()V", NULL, 0, NULL, 0);
    weave_with_good_method();
    assert_true(c.out.bytes.size > 0);
    assert_int_equal(c.out.row.methods.items[0].groups, 0);
    assert_non_null(memmem(c.out.row.methods.items[0].reason.data, c.out.row.methods.items[0].reason.size, "pc 0", 4));
    assert_int_equal(c.out.row.methods.items[1].groups, GROUP_BIT(EXEC));
    assert_int_equal(c.out.row.methods.items[1].reason.size, 0);
}

/* Far more than compilers make, and no fault: only this method stays as it was. */
static void a_method_with_too_many_states_stays_as_it_was(void **state)
{
    enum { GOTOS = 9000, LOCALS = 2000 };
    (void)state;
    c.k.major = 49; /* without frames */
    for (unsigned i = 0; i < GOTOS; i++)
        op2(&w, OPC_goto, 3);
    op(&w, OPC_return);
    add_method(0, LOCALS, "()V", NULL, 0, NULL, 0);
    weave_with_good_method();
    const struct method_row *rows = c.out.row.methods.items;
    assert_int_equal(rows[0].groups, 0);
    assert_non_null(memmem(rows[0].reason.data, rows[0].reason.size, "branch targets", 14));
    assert_int_equal(rows[1].groups, GROUP_BIT(EXEC));
    assert_int_equal(verify_class(c.k.bytes.data, c.k.bytes.size, &err), ERR_LIMIT);
}

static void any_byte_may_be_damaged(void **state)
{
    (void)state;
    unsigned init = made_ref(&c.k, CONSTANT_Methodref, "java/lang/Object", "<init>", "()V");
    unsigned call = made_ref(&c.k, CONSTANT_Methodref, "Made", "f", "(IJ[I)Ljava/lang/Object;");
    struct writer map = { 0 }, t = lines(0, 12, 3);
    op(&w, OPC_aload_0);              /* 0 */
    op2(&w, OPC_invokespecial, init); /* 1 */
    op(&w, OPC_iload_1);              /* 4 */
    op2(&w, OPC_ifeq, 14);            /* 5 -> 19 */
    op(&w, OPC_iload_1);              /* 8 */
    op(&w, OPC_lconst_0);             /* 9 */
    op(&w, OPC_aconst_null);          /* 10 */
    op2(&w, OPC_invokestatic, call);  /* 11 */
    op(&w, OPC_athrow);               /* 14 */
    op(&w, OPC_pop);                  /* 15 */
    op(&w, OPC_nop);                  /* 16 */
    op(&w, OPC_nop);
    op(&w, OPC_nop);
    op(&w, OPC_return); /* 19 */
    write_u2(&map, 2);
    write_u1(&map, 255);
    write_u2(&map, 15);
    write_u2(&map, 0);
    write_u2(&map, 1);
    write_u1(&map, VT_NULL);
    write_u1(&map, 3);
    const struct handler h = { 4, 15, 15, 0 };
    made_method(&c.k, 0, "<init>", "(I)V", 4, 2, &w, &h, 1,
                (const struct made_attribute[]){ { "StackMapTable", &map }, { "LineNumberTable", &t } }, 2);
    made_finish(&c.k);
    for (int round = 0; round < 6000; round++) {
        struct weave_config config = base;
        struct weave_result out;
        uint8_t *bad = exact_copy(c.k.bytes.data, c.k.bytes.size);
        for (uint32_t i = round == 0 ? 0 : 1 + noise() % 3; i > 0; i--)
            bad[10 + noise() % (c.k.bytes.size - 10)] = round % 2 ? (uint8_t)noise() : (uint8_t)(noise() % 12);
        config.groups = round % 3 == 0 ? noise() & GROUP_ALL : GROUP_ALL;
        enum status s = weave_class(bad, c.k.bytes.size, &config, &out, &err);
        assert_true(s == OK || s == ERR_FORMAT);
        assert_true(round != 0 || s == OK);
        weave_result_done(&out);
        free(bad);
    }
    writer_free(&map);
    writer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(groups_are_given_up_in_order_when_64_kb_are_passed),
        TEST(a_method_that_does_not_fit_leaves_the_others_woven),
        TEST(a_full_constant_pool_gives_the_method_up),
        TEST(max_stack_and_max_locals_grow_enough),
        TEST(the_exception_table_keeps_its_order_and_the_exit_comes_last),
        TEST(handlers_do_not_cover_hooks_that_would_lead_back_to_them),
        TEST(unknown_attributes_of_code_are_left_out),
        TEST(line_numbers_and_local_variables_move_with_the_code),
        TEST(a_constructor_has_an_exit_for_each_kind_of_this),
        TEST(uninitialized_offsets_of_frames_move_to_the_new_itself),
        TEST(frames_carry_where_control_came_from),
        TEST(the_same_class_gives_the_same_bytes_twice),
        TEST(nothing_to_weave_gives_no_bytes),
        TEST(a_method_that_makes_no_sense_stays_as_it_was_and_says_why),
        TEST(a_method_with_too_many_states_stays_as_it_was),
        TEST(any_byte_may_be_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
