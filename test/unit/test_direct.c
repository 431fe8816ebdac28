/* The hooks of a method that distinguish direct calls (weaver/plan_direct.c): a method and the names of its hooks, in
 * the order of the code, the exceptional exit last. */
#include "weave_fixture.h"

enum {
    CALLS = GROUP_BIT(EXEC) | GROUP_BIT(CALL),
    FIELDS = CALLS | GROUP_BIT(FIELD),
    LOCKS = CALLS | GROUP_BIT(SYNC),
};

/* What the method does, beside returning. */
enum body {
    NOTHING,
    CALLS_ITSELF,
    CALLS_STATIC,
    CALLS_VIRTUAL,
    CALLS_JDK,
    UNLOCKS,
    WRITES_VOLATILE,
    WRITES,
    WRITES_OTHER
};

static void code(enum body body, const char *name)
{
    switch (body) {
    case NOTHING: break;
    case CALLS_ITSELF: op2(&w, OPC_invokestatic, made_ref(&c.k, CONSTANT_Methodref, "Made", name, "()V")); break;
    case CALLS_STATIC: op2(&w, OPC_invokestatic, made_ref(&c.k, CONSTANT_Methodref, "Other", "f", "()V")); break;
    case CALLS_JDK:
        op2(&w, OPC_invokestatic, made_ref(&c.k, CONSTANT_Methodref, "java/lang/Thread", "yield", "()V"));
        break;
    case CALLS_VIRTUAL:
        op(&w, OPC_aconst_null);
        op2(&w, OPC_invokevirtual, made_ref(&c.k, CONSTANT_Methodref, "Other", "g", "()V"));
        break;
    case UNLOCKS:
        op(&w, OPC_aconst_null);
        op(&w, OPC_monitorexit);
        break;
    case WRITES_VOLATILE:
    case WRITES:
    case WRITES_OTHER:
        op(&w, OPC_iconst_0);
        op2(&w, OPC_putstatic,
            made_ref(&c.k, CONSTANT_Fieldref, body == WRITES_OTHER ? "Other" : "Made",
                     body == WRITES_VOLATILE ? "shared" : "own", "I"));
        break;
    }
    op(&w, OPC_return);
}

static const struct row {
    const char *name, *desc;
    unsigned access;
    enum body body;
    group_set groups;
    const char *hooks;
} rows[] = {
    { "m", "()V", ACC_STATIC, NOTHING, CALLS, "called v leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, CALLS_ITSELF, CALLS, "called v v direct v leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC | ACC_SYNCHRONIZED, CALLS_ITSELF, CALLS, "forget v v v v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, CALLS_STATIC, CALLS, "called v v calls v leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, CALLS_VIRTUAL, CALLS, "called v l calls v leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, CALLS_JDK, CALLS, "called v v_r v leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, UNLOCKS, CALLS, "called v arrive leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, UNLOCKS, LOCKS, "called v l_r leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, WRITES, CALLS, "called v leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, WRITES_VOLATILE, CALLS, "called v arrive leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, WRITES_VOLATILE, FIELDS, "called v i_r leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, WRITES_OTHER, CALLS, "forget v_r v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, WRITES_OTHER, FIELDS, "called v i_r leaving v_r forget unwound l_r" },
    { "<clinit>", "()V", ACC_STATIC, CALLS_STATIC, CALLS, "forget v v calls v v_r forget unwound l_r" },
    { "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;", 0, CALLS_STATIC, CALLS,
      "forget l v calls v v_r forget unwound l_r" },
    { "finalize", "()V", 0, NOTHING, CALLS, "arrive called l leaving v_r forget unwound l_r" },
    { "m", "()V", ACC_STATIC, CALLS_ITSELF, GROUP_BIT(EXEC), "forget v_r v_r forget unwound l_r" },
};

static void a_method_has_the_hooks_that_distinguish_direct_calls(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct weave_config config = base;
        struct writer names = { 0 };
        struct member_ref ref;
        config.groups = r->groups;
        config.direct = true;
        made_field(&c.k, ACC_STATIC, "own", "I");
        made_field(&c.k, ACC_STATIC | ACC_VOLATILE, "shared", "I");
        code(r->body, r->name);
        made_method(&c.k, r->access, r->name, r->desc, 2, 2, &w, NULL, 0, NULL, 0);
        weave_with(&config);
        for (uint32_t k = 0; k < c.new.insns.count; k++)
            if (hook_call(k, &ref)) {
                write_bytes(&names, " ", names.size > 0);
                write_bytes(&names, ref.name.data, ref.name.size);
            }
        write_u1(&names, 0);
        if (strcmp((const char *)names.data, r->hooks) != 0)
            fail_msg("row %zu: \"%s\" in place of \"%s\"", i, (const char *)names.data, r->hooks);
        writer_free(&names);
        (void)end(state);
        (void)begin(state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_method_has_the_hooks_that_distinguish_direct_calls, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
