/* test_flow.c - weaver/flow.h. */
#include "class_fixture.h"

#include "weaver/flow.h"

/* One method, its class and what flow says of it. */
static struct made k;
static struct writer w;
static struct classfile cf;
static struct code code;
static struct stack_map frames;
static struct flow flow;
static struct error err;
static uint16_t object, object_init, init_int, field, string;

static int begin(void **state)
{
    (void)state;
    k = made_class(52, "Made");
    object = made_class_ref(&k, "java/lang/Object");
    object_init = made_ref(&k, CONSTANT_Methodref, "java/lang/Object", "<init>", "()V");
    init_int = made_ref(&k, CONSTANT_Methodref, "Made", "<init>", "(I)V");
    field = made_ref(&k, CONSTANT_Fieldref, "Made", "f", "I");
    string = made_ref(&k, CONSTANT_Methodref, "Made", "j", "(JLjava/lang/Object;)D");
    w = (struct writer){ 0 };
    code = (struct code){ 0 };
    cf = (struct classfile){ 0 };
    frames = (struct stack_map){ 0 };
    flow = (struct flow){ 0 };
    return 0;
}

static int end(void **state)
{
    (void)state;
    flow_done(&flow);
    stack_map_done(&frames);
    code_done(&code);
    classfile_done(&cf);
    writer_free(&w);
    made_done(&k);
    return 0;
}

enum { STATIC = 1, CONSTRUCTOR = 2, WITH_FRAMES = 4 };

static enum status run(unsigned how, const char *desc, unsigned max_stack, unsigned max_locals, const struct handler *h,
                       unsigned handlers)
{
    made_method(&k, 0, "m", desc, max_stack, max_locals, &w, h, handlers, NULL, 0);
    made_finish(&k);
    assert_int_equal(classfile_read(&cf, k.bytes.data, k.bytes.size, NULL), OK);
    struct attribute *a = &cf.attributes.items[cf.methods.items[0].first_attribute];
    assert_int_equal(code_read(&code, a->data, a->length, &err), OK);
    (void)code_measure(&code, &cf.cp);
    struct flow_method m = {
        .cp = &cf.cp,
        .code = &code,
        .frames = how & WITH_FRAMES ? &frames : NULL,
        .is_static = how & STATIC,
        .is_constructor = how & CONSTRUCTOR,
        .desc = { desc, strlen(desc) },
    };
    return flow_run(&flow, &m, &err);
}

static void add_frame(uint32_t pc, unsigned locals, unsigned stack, const vtype *types)
{
    struct stack_map_frame *f = vec_push(&frames.list);
    *f = (struct stack_map_frame){ pc, (uint32_t)frames.types.count, (uint16_t)locals, (uint16_t)stack, false, 0 };
    for (unsigned i = 0; i < locals + stack; i++) {
        vtype *t = vec_push(&frames.types);
        *t = types[i];
    }
}

#define KIND(pc)    subject_kind(flow.subjects[code_index(&code, (pc))])
#define SUBJECT(pc) flow.subjects[code_index(&code, (pc))]
#define REACHED(pc) flow.reached[code_index(&code, (pc))]
#define CAUGHT(pc)  flow.caught[code_index(&code, (pc))]
#define UNINIT(pc)  flow.this_uninit[code_index(&code, (pc))]

static void new_is_uninitialized_until_its_constructor_returns(void **state)
{
    (void)state;
    op2(&w, OPC_new, object);                /* 0 */
    op(&w, OPC_dup);                         /* 3 */
    op(&w, OPC_astore_0);                    /* 4: a copy in a local */
    op(&w, OPC_aload_0);                     /* 5 */
    op2(&w, OPC_invokespecial, object_init); /* 6 */
    op(&w, OPC_aload_0);                     /* 9 */
    op(&w, OPC_monitorenter);                /* 10 */
    op(&w, OPC_astore_0);                    /* 11: the copy on the stack */
    op(&w, OPC_return);
    assert_int_equal(run(STATIC, "()V", 3, 1, NULL, 0), OK);
    assert_int_equal(SUBJECT(4), SUBJECT_NEW | 0 << 8);
    assert_int_equal(KIND(5), SUBJECT_NEW);
    assert_int_equal(KIND(6), SUBJECT_NEW);
    assert_int_equal(KIND(9), SUBJECT_PLAIN);
    assert_int_equal(KIND(10), SUBJECT_PLAIN);
    assert_int_equal(KIND(11), SUBJECT_PLAIN);
}

static void two_news_in_flight_are_kept_apart(void **state)
{
    (void)state;
    op(&w, OPC_nop);
    op2(&w, OPC_new, k.this_class);          /* 1 */
    op2(&w, OPC_new, object);                /* 4 */
    op(&w, OPC_dup_x1);                      /* 7: 4 1 4 */
    op2(&w, OPC_invokespecial, object_init); /* 8 initializes 4 */
    op(&w, OPC_iconst_0);                    /* 11 */
    op2(&w, OPC_invokespecial, init_int);    /* 12 initializes 1 */
    op(&w, OPC_astore_0);                    /* 15: the first copy of 4 */
    op(&w, OPC_return);
    assert_int_equal(run(STATIC, "()V", 4, 1, NULL, 0), OK);
    assert_int_equal(SUBJECT(8), SUBJECT_NEW | 4 << 8);
    assert_int_equal(SUBJECT(12), SUBJECT_NEW | 1 << 8);
    assert_int_equal(KIND(15), SUBJECT_PLAIN);
}

static void the_dup_family_moves_subjects(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        const char *before, *after; /* slots, bottom first; each letter another new, `.` a plain value */
    } rows[] = {
        { OPC_dup, "a", "aa" },     { OPC_dup_x1, "ab", "bab" },     { OPC_dup_x2, "abc", "cabc" },
        { OPC_dup2, "ab", "abab" }, { OPC_dup2_x1, "abc", "bcabc" }, { OPC_dup2_x2, "abcd", "cdabcd" },
        { OPC_swap, "ab", "ba" },   { OPC_dup_x2, "..a", "a..a" },   { OPC_dup2_x2, ".ab.", "b..ab." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        end(NULL);
        begin(NULL);
        uint32_t pcs[8];
        unsigned n = (unsigned)strlen(rows[i].before), m = (unsigned)strlen(rows[i].after);
        for (unsigned s = 0; s < n; s++) {
            pcs[rows[i].before[s] == '.' ? 7 : rows[i].before[s] - 'a'] = (uint32_t)w.size;
            if (rows[i].before[s] == '.')
                op(&w, OPC_aconst_null);
            else
                op2(&w, OPC_new, object);
        }
        op(&w, rows[i].op);
        uint32_t stores = (uint32_t)w.size;
        for (unsigned s = 0; s < m; s++)
            op(&w, OPC_astore_0);
        op(&w, OPC_return);
        assert_int_equal(run(STATIC, "()V", 6, 1, NULL, 0), OK);
        for (unsigned s = 0; s < m; s++) {
            char c = rows[i].after[m - 1 - s];
            assert_int_equal(SUBJECT(stores + s), c == '.' ? SUBJECT_PLAIN : SUBJECT_NEW | pcs[c - 'a'] << 8);
        }
    }
}

static void this_is_uninitialized_before_super(void **state)
{
    (void)state;
    op(&w, OPC_aload_0);                     /* 0 */
    op(&w, OPC_iconst_1);                    /* 1 */
    op2(&w, OPC_putfield, field);            /* 2: allowed before super(...) */
    op(&w, OPC_aload_0);                     /* 5 */
    op2(&w, OPC_invokespecial, object_init); /* 6 */
    op(&w, OPC_aload_0);                     /* 9 */
    op(&w, OPC_iconst_1);                    /* 10 */
    op2(&w, OPC_putfield, field);            /* 11 */
    op(&w, OPC_return);                      /* 14 */
    assert_int_equal(run(CONSTRUCTOR, "()V", 2, 1, NULL, 0), OK);
    assert_int_equal(SUBJECT(0), SUBJECT_THIS);
    assert_int_equal(SUBJECT(2), SUBJECT_THIS);
    assert_int_equal(SUBJECT(6), SUBJECT_THIS);
    assert_true(UNINIT(0) && UNINIT(2) && UNINIT(6));
    assert_false(UNINIT(9) || UNINIT(14));
    assert_int_equal(SUBJECT(9), SUBJECT_PLAIN);
    assert_int_equal(SUBJECT(11), SUBJECT_PLAIN);
}

static void this_of_other_methods_is_a_value(void **state)
{
    (void)state;
    op(&w, OPC_aload_0);
    op(&w, OPC_areturn);
    assert_int_equal(run(0, "()Ljava/lang/Object;", 1, 1, NULL, 0), OK);
    assert_int_equal(SUBJECT(0), SUBJECT_PLAIN);
    assert_false(UNINIT(0));
}

/* Constructor with a condition before super(...): this(b ? 1 : 2). */
static void conditional_constructor(void)
{
    op(&w, OPC_aload_0);                  /* 0 */
    op(&w, OPC_iload_1);                  /* 1 */
    op2(&w, OPC_ifeq, 7);                 /* 2 -> 9 */
    op(&w, OPC_iconst_1);                 /* 5 */
    op2(&w, OPC_goto, 4);                 /* 6 -> 10 */
    op(&w, OPC_iconst_2);                 /* 9 */
    op2(&w, OPC_invokespecial, init_int); /* 10 */
    op(&w, OPC_return);                   /* 13 */
}

static void frames_carry_this_over_branches(void **state)
{
    (void)state;
    conditional_constructor();
    const vtype types[] = { VT_UNINITIALIZED_THIS, VT_INTEGER, VT_UNINITIALIZED_THIS, VT_INTEGER };
    add_frame(9, 2, 1, types);
    add_frame(10, 2, 2, types);
    assert_int_equal(run(CONSTRUCTOR | WITH_FRAMES, "(Z)V", 2, 2, NULL, 0), OK);
    assert_int_equal(SUBJECT(10), SUBJECT_THIS);
    assert_true(UNINIT(9) && UNINIT(10));
    assert_false(UNINIT(13));
}

static void the_fix_point_finds_the_same_without_frames(void **state)
{
    (void)state;
    conditional_constructor();
    assert_int_equal(run(CONSTRUCTOR, "(Z)V", 2, 2, NULL, 0), OK);
    assert_int_equal(SUBJECT(10), SUBJECT_THIS);
    assert_true(UNINIT(9) && UNINIT(10));
    assert_false(UNINIT(13));
    for (size_t i = 0; i < code.insns.count; i++)
        assert_true(flow.reached[i]);
}

static void an_uninitialized_offset_of_a_frame_names_its_new(void **state)
{
    (void)state;
    op(&w, OPC_nop);
    op2(&w, OPC_new, object);                /* 1 */
    op(&w, OPC_iload_0);                     /* 4 */
    op2(&w, OPC_ifeq, 3);                    /* 5 -> 8 */
    op2(&w, OPC_invokespecial, object_init); /* 8 */
    op(&w, OPC_return);
    const vtype types[] = { VT_INTEGER, VT_UNINITIALIZED | 1 << 8 };
    add_frame(8, 1, 1, types);
    assert_int_equal(run(STATIC | WITH_FRAMES, "(I)V", 2, 1, NULL, 0), OK);
    assert_int_equal(SUBJECT(8), SUBJECT_NEW | 1 << 8);
}

static void a_subject_that_is_not_the_same_on_both_ways_is_dropped(void **state)
{
    (void)state;
    op(&w, OPC_aconst_null);  /* 0 */
    op(&w, OPC_astore_1);     /* 1 */
    op(&w, OPC_iload_0);      /* 2 */
    op2(&w, OPC_ifeq, 7);     /* 3 -> 10 */
    op2(&w, OPC_new, object); /* 6 */
    op(&w, OPC_astore_1);     /* 9 */
    op(&w, OPC_aload_1);      /* 10: unusable for the verifier; no subject for us */
    op(&w, OPC_pop);
    op(&w, OPC_return);
    assert_int_equal(run(STATIC, "(I)V", 1, 2, NULL, 0), OK);
    assert_int_equal(SUBJECT(9), SUBJECT_NEW | 6 << 8);
    assert_int_equal(SUBJECT(10), SUBJECT_PLAIN);
}

static void a_loop_makes_each_new_afresh(void **state)
{
    (void)state;
    op2(&w, OPC_new, object);                /* 0 */
    op(&w, OPC_dup);                         /* 3 */
    op(&w, OPC_astore_1);                    /* 4 */
    op2(&w, OPC_invokespecial, object_init); /* 5 */
    op(&w, OPC_aload_1);                     /* 8 */
    op(&w, OPC_pop);                         /* 9 */
    op(&w, OPC_iload_0);                     /* 10 */
    op2(&w, OPC_ifne, (unsigned)-11);        /* 11 -> 0 */
    op(&w, OPC_return);
    assert_int_equal(run(STATIC, "(I)V", 2, 2, NULL, 0), OK);
    assert_int_equal(KIND(5), SUBJECT_NEW);
    assert_int_equal(KIND(8), SUBJECT_PLAIN);
}

static void return_addresses_are_no_values(void **state)
{
    (void)state;
    op2(&w, OPC_jsr, 8);     /* 0 -> 8 */
    op(&w, OPC_aconst_null); /* 3 */
    op(&w, OPC_astore_1);    /* 4: the same slot, now a value */
    op(&w, OPC_aload_1);     /* 5 */
    op(&w, OPC_pop);         /* 6 */
    op(&w, OPC_return);      /* 7 */
    op(&w, OPC_astore_1);    /* 8 */
    op1(&w, OPC_ret, 1);     /* 9 */
    assert_int_equal(run(STATIC, "(I)V", 1, 2, NULL, 0), OK);
    assert_int_equal(SUBJECT(8), SUBJECT_RETURN_ADDRESS);
    assert_int_equal(SUBJECT(4), SUBJECT_PLAIN);
    assert_int_equal(SUBJECT(5), SUBJECT_PLAIN);
    for (uint32_t pc = 0; pc < 10; pc++)
        assert_true(REACHED(pc) || !(code.flags[pc] & PC_INSN));
}

static void jsr_in_a_constructor_keeps_this_uninitialized(void **state)
{
    (void)state;
    op2(&w, OPC_jsr, 8);                     /* 0 -> 8 */
    op(&w, OPC_aload_0);                     /* 3 */
    op2(&w, OPC_invokespecial, object_init); /* 4 */
    op(&w, OPC_return);                      /* 7 */
    op(&w, OPC_astore_1);                    /* 8 */
    op1(&w, OPC_ret, 1);                     /* 9 */
    assert_int_equal(run(CONSTRUCTOR, "()V", 1, 2, NULL, 0), OK);
    assert_true(UNINIT(8) && UNINIT(3));
    assert_int_equal(SUBJECT(4), SUBJECT_THIS);
    assert_false(UNINIT(7));
}

static void code_that_nothing_reaches_is_not_reached(void **state)
{
    (void)state;
    op2(&w, OPC_goto, 5); /* 0 -> 5 */
    op(&w, OPC_pop);      /* 3: would underflow */
    op(&w, OPC_return);   /* 4 */
    op(&w, OPC_return);   /* 5 */
    assert_int_equal(run(STATIC, "()V", 0, 0, NULL, 0), OK);
    assert_false(REACHED(3) || REACHED(4));
    assert_true(REACHED(5));
}

static void handlers_are_reached_with_the_exception_alone(void **state)
{
    (void)state;
    op(&w, OPC_iconst_0); /* 0 */
    op(&w, OPC_iconst_1); /* 1 */
    op(&w, OPC_idiv);     /* 2 */
    op(&w, OPC_pop);      /* 3 */
    op(&w, OPC_return);   /* 4 */
    op(&w, OPC_astore_0); /* 5 */
    op(&w, OPC_return);   /* 6 */
    struct handler h = { 0, 4, 5, 0 };
    assert_int_equal(run(STATIC, "()V", 2, 1, &h, 1), OK);
    assert_true(REACHED(5) && REACHED(6));
    assert_true(CAUGHT(5));
    assert_false(CAUGHT(6));
}

static void a_handler_of_dead_code_is_entered_without_an_exception(void **state)
{
    (void)state;
    op(&w, OPC_nop);      /* 0 */
    op(&w, OPC_return);   /* 1: by falling into it */
    op(&w, OPC_iconst_0); /* 2: dead */
    op(&w, OPC_return);   /* 3 */
    struct handler h = { 2, 4, 1, 0 };
    assert_int_equal(run(STATIC, "()V", 1, 0, &h, 1), OK);
    assert_true(REACHED(1));
    assert_false(CAUGHT(1));
    assert_false(REACHED(2));
}

static void long_and_double_take_two_slots(void **state)
{
    (void)state;
    op(&w, OPC_aload_0);                /* 0 */
    op(&w, OPC_lload_1);                /* 1 */
    op(&w, OPC_aconst_null);            /* 2 */
    op2(&w, OPC_invokevirtual, string); /* 3: leaves a double */
    op(&w, OPC_dstore_1);               /* 6 */
    op(&w, OPC_return);
    assert_int_equal(run(0, "(J)V", 4, 3, NULL, 0), OK);
}

static void stacks_and_locals_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        uint8_t bytes[4];
        unsigned n, max_stack, max_locals;
    } rows[] = {
        { { OPC_pop, OPC_return }, 2, 1, 0 },                    /* underflow */
        { { OPC_iconst_0, OPC_iconst_0, OPC_return }, 3, 1, 0 }, /* overflow */
        { { OPC_lconst_0, OPC_return }, 2, 1, 0 },
        { { OPC_iload_1, OPC_return }, 2, 1, 1 }, /* no such local */
        { { OPC_lload_0, OPC_return }, 2, 2, 1 }, /* half of it */
        { { OPC_iinc, 1, 1, OPC_return }, 4, 1, 1 },
        { { OPC_ret, 7 }, 2, 1, 1 },
        { { OPC_dup, OPC_return }, 2, 2, 0 },
        { { OPC_nop }, 1, 0, 0 },                            /* falls off */
        { { OPC_new, 0, 1, OPC_return }, 4, 0, 0 },          /* no room for it */
        { { OPC_invokestatic, 0, 1, OPC_return }, 4, 4, 0 }, /* a constant that is no method */
        { { OPC_getstatic, 0, 1, OPC_return }, 4, 4, 0 },
        { { OPC_invokestatic, 0xff, 0xff, OPC_return }, 4, 4, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        end(state);
        begin(state);
        write_bytes(&w, rows[i].bytes, rows[i].n);
        assert_int_equal(run(STATIC, "()V", rows[i].max_stack, rows[i].max_locals, NULL, 0), ERR_FORMAT);
    }
    end(state);
    begin(state);
    op(&w, OPC_return);
    assert_int_equal(run(0, "(J)V", 0, 2, NULL, 0), ERR_FORMAT); /* parameters need three */
}

static void ways_that_meet_with_different_stacks_are_refused(void **state)
{
    (void)state;
    op(&w, OPC_iload_0);  /* 0 */
    op2(&w, OPC_ifeq, 4); /* 1 -> 5 */
    op(&w, OPC_iconst_0); /* 4 */
    op(&w, OPC_return);   /* 5 */
    assert_int_equal(run(STATIC, "(I)V", 2, 1, NULL, 0), ERR_FORMAT);
}

static void frames_that_do_not_fit_are_refused(void **state)
{
    const vtype types[] = { VT_LONG, VT_LONG, VT_INTEGER };
    for (int i = 0; i < 4; i++) {
        end(state);
        begin(state);
        op2(&w, OPC_sipush, 0); /* 0 */
        op(&w, OPC_pop);        /* 3 */
        op(&w, OPC_return);     /* 4 */
        if (i == 0)
            add_frame(4, 2, 0, types); /* four slots of locals */
        else if (i == 1)
            add_frame(4, 0, 2, types); /* four of stack */
        else if (i == 2)
            add_frame(1, 0, 0, types); /* inside an instruction */
        else
            add_frame(4, 1, 1, types); /* fits exactly */
        assert_int_equal(run(STATIC | WITH_FRAMES, "()V", 2, 2, NULL, 0), i == 3 ? OK : ERR_FORMAT);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(new_is_uninitialized_until_its_constructor_returns),
        TEST(two_news_in_flight_are_kept_apart),
        TEST(the_dup_family_moves_subjects),
        TEST(this_is_uninitialized_before_super),
        TEST(this_of_other_methods_is_a_value),
        TEST(frames_carry_this_over_branches),
        TEST(the_fix_point_finds_the_same_without_frames),
        TEST(an_uninitialized_offset_of_a_frame_names_its_new),
        TEST(a_subject_that_is_not_the_same_on_both_ways_is_dropped),
        TEST(a_loop_makes_each_new_afresh),
        TEST(return_addresses_are_no_values),
        TEST(jsr_in_a_constructor_keeps_this_uninitialized),
        TEST(code_that_nothing_reaches_is_not_reached),
        TEST(handlers_are_reached_with_the_exception_alone),
        TEST(a_handler_of_dead_code_is_entered_without_an_exception),
        TEST(long_and_double_take_two_slots),
        TEST(stacks_and_locals_that_do_not_fit_are_refused),
        TEST(ways_that_meet_with_different_stacks_are_refused),
        TEST(frames_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
