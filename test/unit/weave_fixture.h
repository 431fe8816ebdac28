/* weave_fixture.h - for the tests of the weaver: a class made by hand, woven, and taken apart again.
 *
 * Hooks are recognised by the class they call. match() leaves them out: what remains must be the original instructions,
 * and each branch must lead to the code inserted before its old target. */
#ifndef TEST_UNIT_WEAVE_FIXTURE_H
#define TEST_UNIT_WEAVE_FIXTURE_H

#include "class_fixture.h"

#include <stdio.h>

#include "weaver/stack_map.h"
#include "weaver/weave.h"

static const struct weave_config base = { .first_dataid = 1000, .hook_class = "Hook" };

/* A class with one method, before and after. */
struct subject_class {
    struct made k;
    struct weave_result out;
    struct classfile before, after;
    struct code old, new;
};
static struct subject_class c;
static struct writer w;
static struct error err;

static inline int begin(void **state)
{
    (void)state;
    c = (struct subject_class){ .k = made_class(52, "Made") };
    w = (struct writer){ 0 };
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    code_done(&c.old);
    code_done(&c.new);
    classfile_done(&c.before);
    classfile_done(&c.after);
    weave_result_done(&c.out);
    made_done(&c.k);
    writer_free(&w);
    return 0;
}

static inline struct attribute *code_of(struct classfile *cf, size_t method)
{
    return classfile_attribute(cf, cf->methods.items[method].first_attribute, cf->methods.items[method].attribute_count,
                               "Code");
}

/* Weaves the class and reads its first method; it must have hooks. */
static inline void weave_with(const struct weave_config *config)
{
    struct writer again = { 0 };
    made_finish(&c.k);
    assert_int_equal(weave_class(c.k.bytes.data, c.k.bytes.size, config, &c.out, &err), OK);
    assert_true(c.out.bytes.size > 0);
    assert_int_equal(classfile_read(&c.before, c.k.bytes.data, c.k.bytes.size, &err), OK);
    assert_int_equal(classfile_read(&c.after, c.out.bytes.data, c.out.bytes.size, &err), OK);
    const struct attribute *a = code_of(&c.before, 0), *b = code_of(&c.after, 0);
    assert_int_equal(code_read(&c.old, a->data, a->length, &err), OK);
    if (code_read(&c.new, b->data, b->length, &err) != OK)
        fail_msg("%s", err.text);
    /* and what was woven is a class file */
    assert_int_equal(weave_identity(c.out.bytes.data, c.out.bytes.size, &again, NULL), OK);
    assert_memory_equal(again.data, c.out.bytes.data, again.size);
    writer_free(&again);
}
static inline void weave_as(group_set groups, bool counts_only)
{
    struct weave_config config = base;
    config.groups = groups;
    config.counts_only = config.count_rounds = counts_only;
    weave_with(&config);
}
static inline void weave(group_set groups) { weave_as(groups, false); }

/* Is instruction i of the woven code a call of a hook? */
static inline bool hook_call(uint32_t i, struct member_ref *ref)
{
    const struct insn *in = &c.new.insns.items[i];
    return in->op == OPC_invokestatic && cpool_member(&c.after.cp, (uint32_t)in->operand, ref) &&
           text_is(ref->owner, "Hook");
}

/* Matches old and new instructions where every hook is a number and a call (METHOD_ENTRY of static methods,
 * LINE_NUMBER). old_at[i]: first new instruction of old instruction i, its hooks included; new_at[i]: itself.
 * Trampolines are those goto_w that stand behind a transfer; the exceptional exit is not looked at. */
static uint32_t old_at[70000], new_at[70000], trampolines;

static inline void match(void)
{
    uint32_t i = 0, k = 0;
    trampolines = 0;
    for (; i < c.old.insns.count; i++) {
        struct member_ref ref;
        while (k > 0 && c.new.insns.items[k].op == OPC_goto_w &&
               (op_table[c.new.insns.items[k - 1].op].flags & OP_END)) {
            trampolines++;
            k++;
        }
        old_at[i] = k;
        while (k + 1 < c.new.insns.count && hook_call(k + 1, &ref))
            k += 2;
        new_at[i] = k++;
        uint8_t was = c.old.insns.items[i].op, is = c.new.insns.items[new_at[i]].op;
        if (was != is && !(was == OPC_goto && is == OPC_goto_w) && !(was == OPC_jsr && is == OPC_jsr_w))
            fail_msg("instruction %u: %s became %s", i, op_table[was].name, op_table[is].name);
    }
    old_at[i] = k;
    /* targets */
    for (i = 0; i < c.old.insns.count; i++) {
        const struct insn *was = &c.old.insns.items[i], *is = &c.new.insns.items[new_at[i]];
        unsigned format = op_table[was->op].format;
        if (format == OPF_BRANCH2 || format == OPF_BRANCH4) {
            const struct insn *to = &c.new.insns.items[code_index(&c.new, (uint32_t)is->operand)];
            uint32_t want = old_at[code_index(&c.old, (uint32_t)was->operand)];
            if (to->pc != c.new.insns.items[want].pc) {
                assert_int_equal(to->op, OPC_goto_w);
                assert_true(op_table[was->op].flags & OP_COND);
                assert_int_equal(to->operand, c.new.insns.items[want].pc);
            }
        } else if (format == OPF_TABLESWITCH || format == OPF_LOOKUPSWITCH) {
            assert_int_equal(switch_count(c.new.bytes, is), switch_count(c.old.bytes, was));
            for (uint32_t n = 0; n < switch_count(c.old.bytes, was); n++)
                assert_int_equal(
                    switch_target(c.new.bytes, is, n),
                    c.new.insns.items[old_at[code_index(&c.old, (uint32_t)switch_target(c.old.bytes, was, n))]].pc);
        }
    }
}

static inline void add_method(unsigned max_stack, unsigned max_locals, const char *desc, const struct handler *h,
                              unsigned handlers, const struct made_attribute *a, unsigned attributes)
{
    made_method(&c.k, ACC_STATIC, "m", desc, max_stack, max_locals, &w, h, handlers, a, attributes);
}

/* A LineNumberTable with an entry for every pc in [from, to). */
static inline struct writer lines(uint32_t from, uint32_t to, uint32_t step)
{
    struct writer t = { 0 };
    write_u2(&t, (to - from + step - 1) / step);
    for (uint32_t pc = from; pc < to; pc += step) {
        write_u2(&t, pc);
        write_u2(&t, 1 + pc % 60000);
    }
    return t;
}

static inline struct stack_map read_frames(const struct code *code, const struct classfile *cf, const vtype *initial,
                                           uint16_t n)
{
    struct stack_map f = { 0 };
    for (size_t i = 0; i < code->attributes.count; i++) {
        struct text name;
        const struct attribute *a = &code->attributes.items[i];
        if (cpool_utf8(&cf->cp, a->name, &name) && text_is(name, "StackMapTable"))
            assert_int_equal(stack_map_read(&f, a->data, a->length, code->length, initial, n, &err), OK);
    }
    return f;
}

/* each with a line: 11 bytes in woven code for four of them, so that twice as many are too far for two bytes */
enum { NOPS = 11000 };

/* ifeq over everything, with a transfer in the middle for the trampoline to stand behind. */
static inline void far_method(unsigned major, bool transfer)
{
    struct writer map = { 0 };
    c.k.major = major;
    op(&w, OPC_iload_0);  /* 0 */
    op2(&w, OPC_ifeq, 0); /* 1 -> the end */
    for (int i = 0; i < NOPS; i++)
        op(&w, OPC_nop);
    size_t middle = w.size;
    if (transfer)
        op2(&w, OPC_goto, 3); /* to the next instruction */
    for (int i = 0; i < NOPS; i++)
        op(&w, OPC_nop);
    op(&w, OPC_return);
    here(&w, 1);
    op(&w, OPC_return);
    write_u2(&map, transfer ? 2 : 1); /* same_extended frames */
    if (transfer)
        op2(&map, 251, (unsigned)middle + 3);
    op2(&map, 251, (unsigned)(w.size - 1 - (transfer ? middle + 4 : 0)));
    struct writer t = lines(4, 4 + NOPS, 1), u = lines((uint32_t)middle + 3, (uint32_t)w.size - 1, 1);
    add_method(1, 1, "(I)V", NULL, 0,
               (const struct made_attribute[]){
                   { "LineNumberTable", &t }, { "LineNumberTable", &u }, { "StackMapTable", &map } },
               major >= 50 ? 3 : 2);
    writer_free(&t);
    writer_free(&u);
    writer_free(&map);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, begin, end)

#endif
