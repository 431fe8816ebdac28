/* test_result.c - what a test asserts: the result or the exception, and the fields that the call wrote.
 *
 * An object that the test made is asserted to be the same one, a value to be equal; of other objects the class, and
 * what is known of their fields, elements or contents as the call ended. */
#include "reader/query/test_builder.h"

enum { MEMBERS_MAX = 50 };

static bool is_floating(char kind) { return kind == HS_KIND_FLOAT || kind == HS_KIND_DOUBLE; }

static void expect_equal(struct test_builder *b, const char *expected, const char *actual)
{
    test_say(&b->body, "        assertEquals(%s, %s);\n", expected, actual);
}

/* A string, box or other value; of an object that the test made that one. False: it is none of these. */
static bool expect_simple(struct test_builder *b, struct hs_value v, const char *actual)
{
    if (v.kind != HS_KIND_REF) {
        expect_equal(b, test_object(b, test_literal(b, v)), actual);
        return true;
    }
    const struct test_made *m = v.bits != 0 ? map_get(&b->made, v.bits) : NULL;
    const char *plain = v.bits != 0 && m == NULL ? test_plain(b, v.bits) : NULL;
    if (v.bits == 0)
        test_say(&b->body, "        assertNull(%s);\n", actual);
    else if (m != NULL)
        test_say(&b->body, "        assertSame(%s, %s);\n", m->text, actual);
    else if (plain != NULL)
        expect_equal(b, plain, actual);
    return v.bits == 0 || m != NULL || plain != NULL;
}

/* Fields that an object of class `type` has. */
static void expect_fields(struct test_builder *b, uint64_t id, const char *type, const char *object)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object_state *st;
    struct kept {
        const char *declaring, *name;
        struct hs_value value;
    };
    VEC(struct kept) kept = { 0 };
    if (hs_object_at(b->trace, (uint32_t)id, b->exit.seq, &st, &error) != 0)
        return;
    for (size_t i = 0; i < st->field_count && kept.count < MEMBERS_MAX; i++) {
        const struct hs_member *m = st->fields[i];
        const char *dot = m->name != NULL ? strrchr(m->name, '.') : NULL;
        if (dot == NULL || m->stale || m->unrecorded || strchr(m->name, ':') != NULL || dot[1] == '$')
            continue;
        struct kept *k = vec_push(&kept);
        if (k != NULL)
            *k = (struct kept){ test_format(b, "%.*s", (int)(dot - m->name), m->name),
                                test_format(b, "%s", dot + 1),
                                { m->value, m->kind } };
    }
    for (size_t i = 0; i < kept.count && !test_stopped(b); i++) {
        const struct kept *k = &kept.items[i];
        if (test_woven(b, k->declaring) == NULL || !test_extends(b, type, k->declaring))
            continue;
        test_uses(b, HELPER_GET);
        (void)expect_simple(
            b, k->value,
            test_format(b, "get(%s, %s, %s)", object, test_quoted(b, k->declaring), test_quoted(b, k->name)));
    }
    vec_free(&kept);
}

static void expect_elements(struct test_builder *b, uint64_t id)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object_state *st;
    uint64_t length;
    VEC(struct hs_value) values = { 0 };
    if (hs_array_length(b->trace, (uint32_t)id, &length, &error) > 0)
        test_say(&b->body, "        assertEquals(%llu, java.lang.reflect.Array.getLength(result));\n",
                 (unsigned long long)length);
    if (hs_object_part_at(b->trace, (uint32_t)id, b->exit.seq, 0, MEMBERS_MAX, &st, &error) != 0)
        return;
    u64_vec indexes = { 0 };
    for (size_t i = 0; i < st->element_count; i++) {
        const struct hs_member *m = st->elements[i];
        struct hs_value *v = m->stale || m->unrecorded ? NULL : vec_push(&values);
        uint64_t *at = v != NULL ? vec_push(&indexes) : NULL;
        if (at == NULL)
            continue;
        *v = (struct hs_value){ m->value, m->kind };
        *at = m->index;
    }
    for (size_t i = 0; i < indexes.count && !test_stopped(b); i++)
        (void)expect_simple(
            b, values.items[i],
            test_format(b, "java.lang.reflect.Array.get(result, %llu)", (unsigned long long)indexes.items[i]));
    vec_free(&indexes);
    vec_free(&values);
}

/* False: its contents are not known, or it has none. */
static bool expect_contents(struct test_builder *b, uint64_t id)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_contents *c;
    if (hs_contents_at(b->trace, (uint32_t)id, b->exit.seq, &c, &error) <= 0 || !c->known)
        return false;
    const bool is_map = c->shape == HS_CONTENTS_MAP;
    switch (c->shape) {
    case HS_CONTENTS_TEXT:
        if (c->text != NULL)
            expect_equal(b, test_quoted(b, c->text), "result.toString()");
        return true;
    case HS_CONTENTS_LIST:
    case HS_CONTENTS_QUEUE:
    case HS_CONTENTS_SET:
    case HS_CONTENTS_MAP:
        test_say(&b->body, "        assertEquals(%llu, ((java.util.%s) result).size());\n",
                 (unsigned long long)c->entry_count, is_map ? "Map" : "Collection");
        break;
    case HS_CONTENTS_VALUE: return true;
    }
    VEC(struct hs_value) values = { 0 };
    for (size_t i = 0; c->shape == HS_CONTENTS_LIST && i < c->entry_count && i < MEMBERS_MAX; i++) {
        const struct hs_entry *e = c->entries[i];
        struct hs_value *v = vec_push(&values);
        if (v != NULL)
            *v = e->value_number != NULL ? *e->value_number : *e->value;
    }
    for (size_t i = 0; i < values.count && !test_stopped(b); i++)
        (void)expect_simple(b, values.items[i],
                            test_format(b, "((java.util.List) result).get(%llu)", (unsigned long long)i));
    vec_free(&values);
    return true;
}

static void expect_object(struct test_builder *b, uint64_t id)
{
    const char *type = test_object_type(b, id);
    if (type == NULL || strstr(type, "$$") != NULL || strchr(type, '/') != NULL) {
        test_say(&b->body, "        assertNotNull(result);\n");
        return;
    }
    if (strchr(type, '[') != NULL) {
        expect_elements(b, id);
        return;
    }
    if (expect_contents(b, id))
        return;
    expect_equal(b, test_quoted(b, type), "result.getClass().getName()");
    if (test_woven(b, type) != NULL)
        expect_fields(b, id, type, "result");
}

static void expect_thrown(struct test_builder *b)
{
    const char *type = test_object_type(b, b->exit.value);
    const struct hs_thrown *t = hs_thrown_get(b->trace, (uint32_t)b->exit.value);
    if (type != NULL)
        expect_equal(b, test_quoted(b, type), "thrown.getClass().getName()");
    if (t != NULL && t->message != NULL && strchr(t->message, '@') == NULL)
        expect_equal(b, test_quoted(b, t->message), "thrown.getMessage()");
}

/* Fields and elements of objects that the test made. */
static void expect_writes(struct test_builder *b)
{
    for (size_t i = 0, n = 0; i < b->members.count && n < MEMBERS_MAX && !test_stopped(b); i++) {
        const struct test_member m = b->members.items[i];
        const struct test_made *made = m.object != 0 ? map_get(&b->made, m.object) : NULL;
        const char *type = made != NULL ? test_object_type(b, m.object) : NULL;
        if (!m.written || type == NULL)
            continue;
        n++;
        test_uses(b, m.name != NULL ? HELPER_GET : HELPER_TYPE);
        (void)expect_simple(
            b, m.after,
            m.name != NULL
                ? test_format(b, "get(%s, %s, %s)", made->text, test_quoted(b, m.declaring), test_quoted(b, m.name))
                : test_format(b, "java.lang.reflect.Array.get(%s, %llu)", made->text, (unsigned long long)m.index));
    }
}

void test_expect(struct test_builder *b, bool is_boxed)
{
    const struct hs_value v = { b->exit.value, b->exit.kind };
    if (b->threw) {
        expect_thrown(b);
    } else if (b->method->is_constructor) {
        expect_fields(b, b->self, b->method->owner->name, "result");
    } else if (v.kind != HS_KIND_VOID && v.kind != HS_KIND_REF && !is_boxed) {
        const char *box = v.kind == HS_KIND_FLOAT ? "Float" : "Double";
        if (is_floating(v.kind))
            test_say(&b->body, "        assertEquals(%s.valueOf(%s), %s.valueOf(result));\n", box, test_literal(b, v),
                     box);
        else
            expect_equal(b, test_literal(b, v), "result");
    } else if (v.kind != HS_KIND_VOID && !expect_simple(b, v, "result")) {
        expect_object(b, v.bits);
    }
    expect_writes(b);
}
