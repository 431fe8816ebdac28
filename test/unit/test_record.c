/* test_record.c - weaver/record.c: which events share a call of a hook. */
#include "weave_fixture.h"

/* The hooks that are called, in order; whether they release is left out. */
static void hooks_of(char *names, size_t room)
{
    size_t n = 0;
    for (uint32_t i = 0; i < c.new.insns.count; i++) {
        struct member_ref ref;
        if (!hook_call(i, &ref) || n + ref.name.size + 2 > room)
            continue;
        bool releases = ref.name.size > 2 && memcmp(ref.name.data + ref.name.size - 2, "_r", 2) == 0;
        n += (size_t)sprintf(names + n, "%s%.*s", n > 0 ? " " : "", (int)ref.name.size - 2 * releases, ref.name.data);
    }
    names[n] = '\0';
}

/* Which events are one record: those between which nothing can happen. A method (Object a, int b, int c, long d) with
 * lines at these pcs. */
static void events_share_records_where_nobody_can_tell(void **state)
{
    static const struct {
        const char *why;
        uint8_t code[24];
        unsigned lines; /* a bit for each pc */
        group_set groups;
        const char *hooks;
        unsigned events;
    } rows[] = {
        { "two locals are shown together",
          { OPC_iload_1, OPC_iload_2, OPC_iadd, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "ii",
          2 },
        { "three too",
          { OPC_iload_1, OPC_iload_2, OPC_iload_1, OPC_iadd, OPC_iadd, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "iii",
          3 },
        { "there is no hook for four",
          { OPC_iload_1, OPC_iload_2, OPC_iload_1, OPC_iload_2, OPC_pop2, OPC_pop2, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "iii i",
          4 },
        { "nor for these two",
          { OPC_lload_3, OPC_iload_1, OPC_pop, OPC_pop2, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "j i",
          2 },
        { "what was stored into cannot be shown later",
          { OPC_iload_1, OPC_iconst_1, OPC_iadd, OPC_istore_1, OPC_iload_1, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "ii i",
          3 },
        { "nor what was incremented",
          { OPC_iload_1, OPC_iinc, 1, 1, OPC_iload_1, OPC_pop2, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "i ii",
          3 },
        { "a line costs nothing behind a value",
          { OPC_iload_1, OPC_pop, OPC_nop, OPC_return },
          1 << 2,
          GROUP_BIT(LOCAL) | GROUP_BIT(LINE),
          "i",
          2 },
        { "nor in front of one",
          { OPC_nop, OPC_iload_1, OPC_pop, OPC_return },
          1 << 0,
          GROUP_BIT(LOCAL) | GROUP_BIT(LINE),
          "i",
          2 },
        { "four events are a record",
          { OPC_nop, OPC_nop, OPC_nop, OPC_nop, OPC_nop, OPC_return },
          0x1f,
          GROUP_BIT(LINE),
          "v v",
          5 },
        { "what may throw parts them",
          { OPC_nop, OPC_iload_1, OPC_iload_2, OPC_idiv, OPC_istore_1, OPC_return },
          0x11,
          GROUP_BIT(LINE),
          "v v",
          2 },
        { "a label parts them",
          { OPC_iload_1, OPC_iload_1, OPC_ifeq, 0, 4, OPC_nop, OPC_iload_2, OPC_pop2, OPC_return },
          1 << 6,
          GROUP_BIT(LOCAL) | GROUP_BIT(LINE),
          "ii i",
          4 },
        { "where control came from, the line, the loads",
          { OPC_iload_1, OPC_iload_2, OPC_pop2, OPC_return },
          1 << 0,
          GROUP_BIT(LABEL) | GROUP_BIT(LOCAL) | GROUP_BIT(LINE),
          "iii",
          4 },
        { "a local and the array it is",
          { OPC_aload_0, OPC_checkcast, 0, 0, OPC_arraylength, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(ARRAY),
          "l l i",
          3 },
        { "a local whose monitor is entered",
          { OPC_aload_0, OPC_monitorenter, OPC_aload_0, OPC_monitorexit, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(SYNC),
          "l l l ll",
          5 },
        { "a sum and what it is of",
          { OPC_iload_1, OPC_iload_2, OPC_iadd, OPC_istore_1, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "iii",
          3 },
        { "but not where one of them is stored into before",
          { OPC_iload_1, OPC_iload_2, OPC_istore_1, OPC_istore_2, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "iii i",
          4 },
        { "array and index as loaded and as used",
          { OPC_aload_0, OPC_iload_1, OPC_iaload, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(ARRAY),
          "lili i",
          5 },
        { "of an array of arrays",
          { OPC_aload_0, OPC_iload_1, OPC_aaload, OPC_iload_2, OPC_iaload, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(ARRAY),
          "lili lili i",
          9 },
        { "not where they are something else",
          { OPC_aload_0, OPC_iload_1, OPC_ineg, OPC_iaload, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(ARRAY),
          "li li i",
          5 },
        { "entries and exits are apart",
          { OPC_iload_1, OPC_istore_2, OPC_iload_2, OPC_ireturn },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(EXEC),
          "v ii i i l",
          0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char names[256];
        end(state);
        begin(state);
        c.k.major = 49;
        unsigned object = made_class_ref(&c.k, "[I");
        size_t size = sizeof rows[i].code;
        while (size > 1 && rows[i].code[size - 1] == 0)
            size--;
        for (size_t k = 0; k < size; k++)
            write_u1(&w, k > 1 && rows[i].code[k - 2] == OPC_checkcast ? object : rows[i].code[k]);
        struct writer t = { 0 };
        write_u2(&t, (unsigned)__builtin_popcount(rows[i].lines));
        for (unsigned pc = 0; pc < 24; pc++)
            if (rows[i].lines >> pc & 1)
                write_u4(&t, pc << 16 | (10 + pc));
        add_method(8, 5,
                   rows[i].code[size - 1] == OPC_ireturn ? "(Ljava/lang/Object;IIJ)I" : "(Ljava/lang/Object;IIJ)V",
                   NULL, 0, &(struct made_attribute){ "LineNumberTable", &t }, 1);
        weave(rows[i].groups);
        hooks_of(names, sizeof names);
        if (strcmp(names, rows[i].hooks) != 0)
            fail_msg("%s: %s are called, not %s", rows[i].why, names, rows[i].hooks);
        if (rows[i].events > 0)
            assert_int_equal(c.out.dataids.count, rows[i].events);
        writer_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(events_share_records_where_nobody_can_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
