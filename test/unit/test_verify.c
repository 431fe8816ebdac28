/* The verifier, on methods made by hand: each rule lets the right code pass and names what is wrong with the other. */
#include "class_fixture.h"

#include <stdio.h>

#include "weaver/verify/verify.h"

static struct made k;
static struct writer w, frames;
static char said[ERROR_TEXT_MAX];

static int begin(void **state)
{
    (void)state;
    k = made_class(52, "Made");
    w = frames = (struct writer){ 0 };
    return 0;
}

static int end(void **state)
{
    (void)state;
    made_done(&k);
    writer_free(&w);
    writer_free(&frames);
    return 0;
}

static bool verified(void)
{
    struct error err = { 0 };
    made_finish(&k);
    uint8_t *exact = exact_copy(k.bytes.data, k.bytes.size);
    enum status s = verify_class(exact, k.bytes.size, &err);
    free(exact);
    assert_true(s == OK || s == ERR_FORMAT);
    (void)snprintf(said, sizeof said, "%s", s == OK ? "" : err.text);
    return s == OK;
}

/* The code so far as the only method of the class, with the frames if there are some. */
static void method_as(unsigned access, const char *name, const char *desc, unsigned max_stack, unsigned max_locals,
                      const struct handler *h, unsigned handlers)
{
    const struct made_attribute table = { "StackMapTable", &frames };
    k.methods.size = k.method_count = 0;
    made_method(&k, access, name, desc, max_stack, max_locals, &w, h, handlers, &table, frames.size > 0);
    w.size = frames.size = 0;
}
static void method(const char *desc, unsigned max_stack, unsigned max_locals)
{
    method_as(ACC_STATIC, "m", desc, max_stack, max_locals, NULL, 0);
}

#define REFUSED(what)                                                                                                  \
    do {                                                                                                               \
        assert_false(verified());                                                                                      \
        if (strstr(said, what) == NULL)                                                                                \
            fail_msg("\"%s\" does not say: %s", said, what);                                                           \
    } while (0)

static void straight_code_passes(void **state)
{
    (void)state;
    op(&w, OPC_lload_0);
    op(&w, OPC_lconst_1);
    op(&w, OPC_ladd);
    op(&w, OPC_dup2);
    op(&w, OPC_lstore_2);
    op(&w, OPC_l2i);
    op(&w, OPC_ireturn);
    method("(J)I", 4, 4);
    assert_true(verified());
}

static void wrong_types_are_named(void **state)
{
    (void)state;
    op(&w, OPC_fload_0);
    op(&w, OPC_freturn);
    method("(I)F", 1, 1);
    REFUSED("m(I)F pc 0: fload_0: the local variable is int where float is required");
}

static void stack_height_is_checked(void **state)
{
    (void)state;
    op(&w, OPC_iconst_0);
    op(&w, OPC_iconst_0);
    op(&w, OPC_ireturn);
    method("()I", 2, 0);
    assert_true(verified());
    op(&w, OPC_iconst_0);
    op(&w, OPC_iconst_0);
    op(&w, OPC_ireturn);
    method("()I", 1, 0);
    REFUSED("pc 1: iconst_0: the operand stack needs more than max_stack 1 slots");
}

static void empty_stack_is_seen(void **state)
{
    (void)state;
    op(&w, OPC_pop);
    op(&w, OPC_return);
    method("()V", 1, 0);
    REFUSED("the operand stack has 0 slots");
}

static void long_is_not_divided(void **state)
{
    (void)state;
    op(&w, OPC_lconst_0);
    op(&w, OPC_pop);
    op(&w, OPC_return);
    method("()V", 2, 0);
    REFUSED("divided");
}

static void half_of_a_long_is_lost_when_the_other_is_overwritten(void **state)
{
    (void)state;
    op(&w, OPC_iconst_0);
    op(&w, OPC_istore_1);
    op(&w, OPC_lload_0);
    op(&w, OPC_lreturn);
    method("(J)J", 2, 2);
    REFUSED("pc 2: lload_0: the local variable is nothing usable");
}

/* ifeq to the end, with a frame there whose only local is of this verification type. */
static void branch(unsigned local_type)
{
    op(&w, OPC_iload_0);
    op2(&w, OPC_ifeq, 4);
    op(&w, OPC_nop);
    op(&w, OPC_return);
    write_u2(&frames, 1);
    write_u1(&frames, 255);
    write_u2(&frames, 5);
    write_u2(&frames, 1);
    write_u1(&frames, local_type);
    write_u2(&frames, 0);
}

static void frames_are_matched(void **state)
{
    (void)state;
    branch(1);
    method("(I)V", 1, 1);
    assert_true(verified());
    branch(2);
    method("(I)V", 1, 1);
    REFUSED("the frame of its target 5 does not take the types here");
}

static void missing_frames_are_seen(void **state)
{
    (void)state;
    branch(1);
    frames.size = 0;
    method("(I)V", 1, 1);
    REFUSED("the frame of its target 5 is missing");
}

static void old_code_needs_no_frames(void **state)
{
    (void)state;
    k.major = 49;
    branch(1);
    frames.size = 0;
    method("(I)V", 1, 1);
    assert_true(verified());
}

static void merged_types_are_unusable(void **state)
{
    (void)state;
    k.major = 49;
    op(&w, OPC_iload_0);
    op2(&w, OPC_ifeq, 5);
    op(&w, OPC_fconst_0);
    op(&w, OPC_fstore_0);
    op(&w, OPC_iload_0); /* 6: int on one way, float on the other */
    op(&w, OPC_ireturn);
    method("(I)I", 1, 1);
    REFUSED("pc 6: iload_0: the local variable is nothing usable");
}

static void subroutines_are_for_old_code_only(void **state)
{
    (void)state;
    for (int major = 49; major <= 52; major += 3) {
        op2(&w, OPC_jsr, 4);
        op(&w, OPC_return);
        op(&w, OPC_astore_0);
        op1(&w, OPC_ret, 0);
        k.major = (unsigned)major;
        method("()V", 1, 1);
        assert_int_equal(verified(), major == 49);
    }
    assert_non_null(strstr(said, "jsr: not allowed"));
}

static void branches_lead_to_instructions(void **state)
{
    (void)state;
    op2(&w, OPC_goto, 1);
    method("()V", 0, 0);
    REFUSED("1 is not the start of an instruction");
}

static void new_objects_are_not_used_before_their_constructor(void **state)
{
    (void)state;
    uint16_t init = made_ref(&k, CONSTANT_Methodref, "Made", "<init>", "()V");
    for (int called = 1; called >= 0; called--) {
        op2(&w, OPC_new, k.this_class);
        op(&w, OPC_dup);
        if (called)
            op2(&w, OPC_invokespecial, init);
        else
            op(&w, OPC_pop);
        op(&w, OPC_areturn);
        method("()Ljava/lang/Object;", 2, 0);
        assert_int_equal(verified(), called);
    }
    assert_non_null(strstr(said, "the new object of pc 0 before its constructor has run"));
}

static void constructors_call_one_of_the_superclass(void **state)
{
    (void)state;
    uint16_t init = made_ref(&k, CONSTANT_Methodref, "java/lang/Object", "<init>", "()V");
    op(&w, OPC_aload_0);
    op2(&w, OPC_invokespecial, init);
    op(&w, OPC_return);
    method_as(0, "<init>", "()V", 1, 1, NULL, 0);
    assert_true(verified());
    op(&w, OPC_return);
    method_as(0, "<init>", "()V", 1, 1, NULL, 0);
    REFUSED("super(...) has not been called");
}

static void handlers_have_a_frame_for_each_instruction(void **state)
{
    (void)state;
    const struct handler h = { 0, 3, 3, 0 };
    for (int kept = 1; kept >= 0; kept--) {
        op(&w, OPC_fconst_0);
        op(&w, kept ? OPC_pop : OPC_fstore_0); /* the parameter is no int any more behind it */
        op(&w, OPC_return);
        op(&w, OPC_pop);
        op(&w, OPC_return);
        write_u2(&frames, 1);
        write_u1(&frames, 64 + 3); /* the locals as at the start, and an exception */
        write_u1(&frames, 7);
        write_u2(&frames, made_class_ref(&k, "java/lang/Throwable"));
        method_as(ACC_STATIC, "m", "(I)V", 1, 1, &h, 1);
        assert_int_equal(verified(), kept);
    }
    assert_non_null(strstr(said, "the frame of its handler at pc 3"));
}

static void constants_are_of_the_right_kind(void **state)
{
    (void)state;
    op2(&w, OPC_getstatic, k.this_class);
    op(&w, OPC_pop);
    op(&w, OPC_return);
    method("()V", 1, 0);
    REFUSED("is no field");
}

static void dangling_constants_are_seen(void **state)
{
    (void)state;
    (void)made_pair(&k, CONSTANT_Methodref, k.this_class, 9999);
    REFUSED("it refers to no class or no name and descriptor");
}

static void code_ends_with_a_transfer(void **state)
{
    (void)state;
    op(&w, OPC_nop);
    method("()V", 0, 0);
    REFUSED("control falls off the end of the code");
}

static void arrays_are_assigned_by_what_they_hold(void **state)
{
    (void)state;
    static const struct {
        const char *desc;
        bool taken;
    } rows[] = {
        { "([Ljava/lang/String;)[Ljava/lang/Object;", true },
        { "([Ljava/lang/Object;)[Ljava/lang/String;", false },
        { "([[I)[Ljava/lang/Object;", true },
        { "([I)[Ljava/lang/Object;", false },
        { "([I)Ljava/lang/Cloneable;", true },
        { "([I)Ljava/util/List;", false },
        { "(Ljava/lang/Object;)Ljava/util/List;", true },
        { "(Ljava/lang/Object;)LMade;", false },
        { "(Lother/Class;)Lanother/Class;", true },
        { "(Lother/Class;)[Lother/Class;", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        made_done(&k);
        k = made_class(52, "Made");
        op(&w, OPC_aload_0);
        op(&w, OPC_areturn);
        method(rows[i].desc, 1, 1);
        if (verified() != rows[i].taken)
            fail_msg("%s: %s", rows[i].desc, said);
    }
}

static void flags_that_contradict_are_seen(void **state)
{
    (void)state;
    made_field(&k, ACC_STATIC | ACC_FINAL, "right", "I");
    assert_true(verified());
    made_field(&k, ACC_FINAL | ACC_VOLATILE, "wrong", "I");
    REFUSED("field wrong: flags 50 do not go together");
}

static void members_are_there_once(void **state)
{
    (void)state;
    made_field(&k, 0, "f", "I");
    made_field(&k, 0, "f", "J");
    assert_true(verified());
    made_field(&k, 0, "f", "I");
    REFUSED("field f: there are two");
}

static void constructors_return_nothing(void **state)
{
    (void)state;
    op(&w, OPC_iconst_0);
    op(&w, OPC_ireturn);
    method_as(0, "<init>", "()I", 1, 1, NULL, 0);
    REFUSED("method <init>: a wrong descriptor");
}

static void names_are_modified_utf8(void **state)
{
    (void)state;
    (void)made_utf8(&k, "\xc3\xa4\xc0\x80\xed\xa0\x80");
    assert_true(verified());
    (void)made_utf8(&k, "\xf0\x9f\x98\x80"); /* UTF-8, which class files do not have */
    REFUSED("malformed text");
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(straight_code_passes),
        TEST(wrong_types_are_named),
        TEST(stack_height_is_checked),
        TEST(empty_stack_is_seen),
        TEST(long_is_not_divided),
        TEST(half_of_a_long_is_lost_when_the_other_is_overwritten),
        TEST(frames_are_matched),
        TEST(missing_frames_are_seen),
        TEST(old_code_needs_no_frames),
        TEST(merged_types_are_unusable),
        TEST(subroutines_are_for_old_code_only),
        TEST(branches_lead_to_instructions),
        TEST(new_objects_are_not_used_before_their_constructor),
        TEST(constructors_call_one_of_the_superclass),
        TEST(handlers_have_a_frame_for_each_instruction),
        TEST(constants_are_of_the_right_kind),
        TEST(dangling_constants_are_seen),
        TEST(code_ends_with_a_transfer),
        TEST(arrays_are_assigned_by_what_they_hold),
        TEST(flags_that_contradict_are_seen),
        TEST(members_are_there_once),
        TEST(constructors_return_nothing),
        TEST(names_are_modified_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
