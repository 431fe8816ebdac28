/* test_record.c - weaver/group.c: which events share a call of a hook. */
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
        const char *counts; /* the hooks where events are only counted; NULL: not looked at */
    } rows[] = {
        { "two locals are shown together",
          { OPC_iload_1, OPC_iload_2, OPC_iadd, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "ii",
          2,
          "v" },
        { "three too",
          { OPC_iload_1, OPC_iload_2, OPC_iload_1, OPC_iadd, OPC_iadd, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "iii",
          3,
          NULL },
        { "there is no hook for five",
          { OPC_iload_1, OPC_iload_2, OPC_iload_1, OPC_iload_2, OPC_iload_1, OPC_pop2, OPC_pop2, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "iiii i",
          5,
          "v" },
        { "nor for these two",
          { OPC_lload_3, OPC_iload_1, OPC_pop, OPC_pop2, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "j i",
          2,
          "v" },
        { "what was stored into cannot be shown later",
          { OPC_iload_1, OPC_iconst_1, OPC_iadd, OPC_istore_1, OPC_iload_1, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "ii i",
          3,
          NULL },
        { "nor what was incremented",
          { OPC_iload_1, OPC_iinc, 1, 1, OPC_iload_1, OPC_pop2, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "i ii",
          3,
          NULL },
        { "a line costs nothing behind a value",
          { OPC_iload_1, OPC_pop, OPC_nop, OPC_return },
          1 << 2,
          GROUP_BIT(LOCAL) | GROUP_BIT(LINE),
          "i",
          2,
          NULL },
        { "nor in front of one",
          { OPC_nop, OPC_iload_1, OPC_pop, OPC_return },
          1 << 0,
          GROUP_BIT(LOCAL) | GROUP_BIT(LINE),
          "i",
          2,
          NULL },
        { "four events are a record",
          { OPC_nop, OPC_nop, OPC_nop, OPC_nop, OPC_nop, OPC_return },
          0x1f,
          GROUP_BIT(LINE),
          "v v",
          5,
          "v" },
        { "what may throw parts them",
          { OPC_nop, OPC_iload_1, OPC_iload_2, OPC_idiv, OPC_istore_1, OPC_return },
          0x11,
          GROUP_BIT(LINE),
          "v v",
          2,
          NULL },
        { "a label parts them",
          { OPC_iload_1, OPC_iload_1, OPC_ifeq, 0, 4, OPC_nop, OPC_iload_2, OPC_pop2, OPC_return },
          1 << 6,
          GROUP_BIT(LOCAL) | GROUP_BIT(LINE),
          "ii i",
          4,
          NULL },
        { "where control came from, the line, the loads",
          { OPC_iload_1, OPC_iload_2, OPC_pop2, OPC_return },
          1 << 0,
          GROUP_BIT(LABEL) | GROUP_BIT(LOCAL) | GROUP_BIT(LINE),
          "iii",
          4,
          NULL },
        { "a local and the array it is",
          { OPC_aload_0, OPC_checkcast, 0, 0, OPC_arraylength, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(ARRAY),
          "l l i",
          3,
          "v v v" },
        { "a local whose monitor is entered",
          { OPC_aload_0, OPC_monitorenter, OPC_aload_0, OPC_monitorexit, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(SYNC),
          "l l l ll",
          5,
          "v v" },
        { "a sum and what it is of",
          { OPC_iload_1, OPC_iload_2, OPC_iadd, OPC_istore_1, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "iii",
          3,
          NULL },
        { "but not where one of them is stored into before",
          { OPC_iload_1, OPC_iload_2, OPC_istore_1, OPC_istore_2, OPC_return },
          0,
          GROUP_BIT(LOCAL),
          "iii i",
          4,
          NULL },
        { "array and index as loaded and as used",
          { OPC_aload_0, OPC_iload_1, OPC_iaload, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(ARRAY),
          "lili i",
          5,
          NULL },
        { "of an array of arrays",
          { OPC_aload_0, OPC_iload_1, OPC_aaload, OPC_iload_2, OPC_iaload, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(ARRAY),
          "lili lili i",
          9,
          "v v v" },
        { "not where they are something else",
          { OPC_aload_0, OPC_iload_1, OPC_ineg, OPC_iaload, OPC_pop, OPC_return },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(ARRAY),
          "li li i",
          5,
          NULL },
        { "entries and exits are apart",
          { OPC_iload_1, OPC_istore_2, OPC_iload_2, OPC_ireturn },
          0,
          GROUP_BIT(LOCAL) | GROUP_BIT(EXEC),
          "v ii i i unwound l",
          0,
          "v v v unwound v" },
    };
    for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
        const size_t i = k / 2;
        const bool counts = k % 2 == 1;
        const char *wanted = counts ? rows[i].counts : rows[i].hooks;
        char names[256];
        if (wanted == NULL)
            continue;
        end(state);
        begin(state);
        c.k.major = 49;
        unsigned object = made_class_ref(&c.k, "[I");
        size_t size = sizeof rows[i].code;
        while (size > 1 && rows[i].code[size - 1] == 0)
            size--;
        for (size_t at = 0; at < size; at++)
            write_u1(&w, at > 1 && rows[i].code[at - 2] == OPC_checkcast ? object : rows[i].code[at]);
        struct writer t = { 0 };
        write_u2(&t, (unsigned)__builtin_popcount(rows[i].lines));
        for (unsigned pc = 0; pc < 24; pc++)
            if (rows[i].lines >> pc & 1)
                write_u4(&t, pc << 16 | (10 + pc));
        add_method(8, 5,
                   rows[i].code[size - 1] == OPC_ireturn ? "(Ljava/lang/Object;IIJ)I" : "(Ljava/lang/Object;IIJ)V",
                   NULL, 0, &(struct made_attribute){ "LineNumberTable", &t }, 1);
        weave_as(rows[i].groups, counts);
        hooks_of(names, sizeof names);
        if (strcmp(names, wanted) != 0)
            fail_msg("%s%s: %s are called, not %s", rows[i].why, counts ? ", counted" : "", names, wanted);
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
