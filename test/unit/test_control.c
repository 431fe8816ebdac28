/* test_control.c - reader/code/control.h: methods by hand, and random ones by the definition, searching paths. */
#include "class_fixture.h"

#include "reader/code/control.h"

static struct writer w;
static struct code c;
static struct control g;
static uint8_t *bytes;

static void begin(void) { w = (struct writer){ 0 }; }

static void make(const struct handler *h, unsigned handlers)
{
    struct made k = made_class(52, "Made");
    struct writer code = made_code(&k, 2, 3, &w, h, handlers, NULL, 0);
    bytes = exact_copy(code.data, code.size);
    assert_int_equal(code_read(&c, bytes, code.size, NULL), OK);
    assert_true(control_make(&c, &g));
    writer_free(&code);
    made_done(&k);
}

static void end(void)
{
    control_done(&g);
    code_done(&c);
    free(bytes);
    writer_free(&w);
}

/* Of the instructions at these pcs. */
static bool decides(uint32_t branch, uint32_t to, uint32_t pc)
{
    return control_decides(&g, code_insn_at(&c, branch), code_insn_at(&c, to), code_insn_at(&c, pc));
}

static void each_way_of_a_branch_decides_its_own_part(void **state)
{
    (void)state;
    begin();
    op(&w, OPC_iload_0);  /* 0 */
    op2(&w, OPC_ifeq, 7); /* 1 -> 8 */
    op(&w, OPC_iconst_0); /* 4 */
    op2(&w, OPC_goto, 4); /* 5 -> 9 */
    op(&w, OPC_iconst_1); /* 8 */
    op(&w, OPC_ireturn);  /* 9 */
    make(NULL, 0);
    assert_true(control_is_branch(&c, code_insn_at(&c, 1)));
    assert_false(control_is_branch(&c, code_insn_at(&c, 5)));
    assert_true(decides(1, 4, 4));
    assert_true(decides(1, 4, 5));
    assert_true(decides(1, 8, 8));
    assert_false(decides(1, 8, 4));
    assert_false(decides(1, 4, 8));
    assert_false(decides(1, 4, 9));
    assert_false(decides(1, 4, 0));
    assert_false(decides(1, 4, 1));
    end();
}

/* while (a && b) ...; return */
static void a_loop_decides_itself(void **state)
{
    uint8_t marks[6];
    (void)state;
    begin();
    op(&w, OPC_iload_0);             /* 0 */
    op2(&w, OPC_ifeq, 10);           /* 1 -> 11 */
    op(&w, OPC_iload_1);             /* 4 */
    op2(&w, OPC_ifeq, 6);            /* 5 -> 11 */
    op2(&w, OPC_goto, (unsigned)-8); /* 8 -> 0 */
    op(&w, OPC_return);              /* 11 */
    make(NULL, 0);
    assert_true(decides(5, 8, 8));
    assert_true(decides(5, 8, 1));
    assert_true(decides(1, 4, 5));
    assert_false(decides(1, 4, 1)); /* b may end the loop */
    assert_false(decides(1, 4, 8));
    assert_false(decides(1, 11, 11));
    assert_true(control_dominates(&g, 1, 3) && !control_dominates(&g, 3, 1));
    assert_true(control_reach(&g, 2, false, marks));
    assert_memory_equal(marks, "\1\1\1\1\1\0", 6);
    assert_true(control_reach(&g, 2, true, marks));
    assert_memory_equal(marks, "\1\1\1\1\1\1", 6);
    end();
}

/* for (;;) if (a) b(); */
static void a_loop_without_an_exit_is_left_at_its_end(void **state)
{
    (void)state;
    begin();
    op(&w, OPC_iload_0);             /* 0 */
    op2(&w, OPC_ifeq, 4);            /* 1 -> 5 */
    op(&w, OPC_nop);                 /* 4 */
    op2(&w, OPC_goto, (unsigned)-5); /* 5 -> 0 */
    make(NULL, 0);
    assert_true(decides(1, 4, 4));
    assert_false(decides(1, 5, 5));
    assert_false(decides(1, 5, 4));
    end();
}

/* try { a(); if (b) throw; } catch { c } d */
static void a_handler_depends_on_what_threw(void **state)
{
    (void)state;
    begin();
    op(&w, OPC_nop);      /* 0 */
    op(&w, OPC_iload_0);  /* 1 */
    op2(&w, OPC_ifeq, 5); /* 2 -> 7 */
    op(&w, OPC_aload_1);  /* 5 */
    op(&w, OPC_athrow);   /* 6 */
    op2(&w, OPC_goto, 4); /* 7 -> 11 */
    op(&w, OPC_pop);      /* 10 */
    op(&w, OPC_return);   /* 11 */
    struct handler h = { 0, 7, 10, 0 };
    make(&h, 1);
    assert_true(decides(2, 5, 6));
    assert_true(decides(2, 5, 10)); /* the throw is caught here */
    assert_true(decides(0, 10, 10));
    assert_false(decides(0, 10, 11));
    assert_false(decides(2, 5, 11));
    assert_false(decides(6, 10, 11));
    end();
}

/* ---- random methods: the definition ---- */

static unsigned long long seed = 7;
static unsigned pick(unsigned n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % n;
}

enum { SLOTS = 12, OUT = 3 * SLOTS };

/* Where control may go from the instruction at a pc, by the bytes themselves. */
static unsigned targets(uint32_t pc, uint32_t out[2])
{
    const uint8_t *p = w.data + pc;
    const uint32_t far = (uint32_t)((int32_t)pc + (int16_t)(p[1] << 8 | p[2]));
    switch (*p) {
    case OPC_return: out[0] = OUT; return 1;
    case OPC_goto: out[0] = far; return 1;
    case OPC_ifeq:
        out[0] = far;
        out[1] = pc + 3;
        return 2;
    case OPC_nop: out[0] = pc + 1; return 1;
    default: out[0] = pc + 3; return 1; /* sipush */
    }
}

/* Is there a path from `pc` to the end that does not pass `without`? */
static bool leaves(uint32_t pc, uint32_t without, uint8_t *seen)
{
    uint32_t to[2];
    if (pc == OUT)
        return true;
    if (pc == without || seen[pc])
        return false;
    seen[pc] = 1;
    for (unsigned n = targets(pc, to); n-- > 0;)
        if (leaves(to[n], without, seen))
            return true;
    return false;
}

static bool always_comes(uint32_t from, uint32_t pc)
{
    uint8_t seen[OUT] = { 0 };
    return from == pc || !leaves(from, pc, seen);
}

static bool all_leave(void)
{
    for (uint32_t i = 0; i < c.insns.count; i++)
        if (always_comes(c.insns.items[i].pc, UINT32_MAX))
            return false;
    return true;
}

static void compare_with_paths(uint32_t branch, unsigned *yes)
{
    uint32_t to[2];
    for (unsigned n = targets(branch, to); n-- > 0;)
        for (uint32_t i = 0; i < c.insns.count; i++) {
            const uint32_t pc = c.insns.items[i].pc;
            const bool want = always_comes(to[n], pc) && (pc == branch || !always_comes(branch, pc));
            if (decides(branch, to[n], pc) != want)
                fail_msg("branch %u to %u, pc %u", branch, to[n], pc);
            *yes += want;
        }
}

static void random_methods_are_as_the_paths_say(void **state)
{
    unsigned tried = 0, yes = 0;
    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        begin();
        for (int i = 0; i < SLOTS; i++) {
            const unsigned kind = i == SLOTS - 1 ? 9 : pick(10);
            const int distance = ((int)pick(SLOTS) - i) * 3;
            if (kind < 5)
                op2(&w, OPC_ifeq, (unsigned)distance);
            else if (kind < 7)
                op2(&w, OPC_sipush, 1);
            else if (kind < 9)
                op2(&w, OPC_goto, (unsigned)distance);
            else {
                op(&w, OPC_return);
                op(&w, OPC_nop);
                op(&w, OPC_nop);
            }
        }
        w.data[w.size - 1] = OPC_return; /* the last nop must not run out of the code */
        make(NULL, 0);
        for (uint32_t i = 0; all_leave() && i < c.insns.count; i++)
            if (control_is_branch(&c, i)) {
                compare_with_paths(c.insns.items[i].pc, &yes);
                tried++;
            }
        end();
    }
    assert_true(tried > 2000 && yes > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_of_a_branch_decides_its_own_part), cmocka_unit_test(a_loop_decides_itself),
        cmocka_unit_test(a_loop_without_an_exit_is_left_at_its_end), cmocka_unit_test(a_handler_depends_on_what_threw),
        cmocka_unit_test(random_methods_are_as_the_paths_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
