/* test_source.c - hs_test_sources_open: a JUnit test of one recorded call.
 *
 *     package p;
 *     public class ItemTotalTest {
 *         @Test
 *         public void total() throws Throwable {
 *             Item item12 = (Item) make("p.Item");            test_objects.c
 *             set(item12, "p.Item", "count", 5);
 *             int result = item12.total(3);                   here
 *             assertEquals(105, result);                      test_result.c
 *         }
 *         private static Object make(String type) ...         test_helpers.def, those that are used
 *     } */
#include "reader/query/test_builder.h"

/* ---- what may make it fail ---- */

static void doubt_calls(struct test_builder *b)
{
    static const struct {
        const char *owner, *name, *why;
    } rows[] = {
#define TEST_DOUBT(owner, name, why) { owner, name, why },
#include "reader/query/test_doubts.def"
#undef TEST_DOUBT
    };
    for (size_t i = 0; i < b->outside.count; i++) {
        const struct hs_dataid *d = b->outside.items[i].site;
        const char *owner = attribute_text(d, "owner"), *name = attribute_text(d, "name");
        for (size_t k = 0; owner != NULL && name != NULL && k < sizeof rows / sizeof *rows; k++)
            if (strcmp(rows[k].owner, owner) == 0 && (rows[k].name[0] == '*' || strcmp(rows[k].name, name) == 0))
                test_doubt(b, "it calls %s.%s, and so depends on %s", owner, name, rows[k].why);
    }
}

/* ---- the call ---- */

struct call_text {
    const char *classes;   /* class objects of the parameters */
    const char *casted;    /* arguments with the types of the parameters; NULL: not all can be named */
    const char *arguments; /* as objects */
    const char *result;    /* the type of the result in source; NULL: it cannot be named */
};

static const char *source_type(struct test_builder *b, const char **desc)
{
    struct writer w = { 0 };
    const size_t n = descriptor_to_source(*desc, strlen(*desc), &w);
    const char *out = n == 0 || w.bad ? "" : test_format(b, "%.*s", (int)w.size, (const char *)w.data);
    if (n == 0)
        test_refuse(b, "its descriptor is malformed");
    writer_free(&w);
    *desc += n;
    return out;
}

static struct call_text call_text(struct test_builder *b)
{
    struct call_text t = { "", "", "", NULL };
    const char *desc = b->method->row->desc + 1;
    for (size_t i = 0; *desc != ')' && !test_stopped(b); i++) {
        const char *type = source_type(b, &desc), *named = test_type(b, type), *comma = i > 0 ? ", " : "";
        const struct hs_value v = b->arguments.items[i];
        const char *value = test_value(b, v);
        t.classes = test_format(b, "%s%s%s", t.classes, comma, test_class(b, type));
        t.arguments = test_format(b, "%s, %s", t.arguments, test_object(b, value));
        if (named == NULL)
            t.casted = NULL;
        if (t.casted == NULL)
            continue;
        t.casted = test_format(b, "%s%s%s", t.casted, comma, test_cast(b, named, v, value));
    }
    desc += *desc == ')';
    if (!test_stopped(b) && *desc != 'V')
        t.result = test_type(b, source_type(b, &desc));
    return t;
}

/* Does the receiver's class, or one above it, override the method? */
static bool is_overridden(struct test_builder *b)
{
    const struct hs_method *m = b->method->row;
    const struct hs_class *owner = b->method->owner;
    const char *type = test_object_type(b, b->self);
    for (int i = 0; type != NULL && i < HS_SUPERCLASSES_MAX && strcmp(type, owner->name) != 0; i++) {
        const struct hs_class *c = test_woven(b, type);
        for (uint32_t k = 0; c != NULL && k < c->method_count; k++)
            if (strcmp(c->methods[k]->name, m->name) == 0 && strcmp(c->methods[k]->desc, m->desc) == 0)
                return true;
        type = hs_class_super(b->trace, type, owner->loader_id);
    }
    return false;
}

static const char *construction(struct test_builder *b, const struct call_text *t)
{
    const struct hs_class *c = b->method->owner;
    const char *named = strchr(c->name, '$') == NULL ? test_type(b, c->name) : NULL;
    if ((c->access & ACC_ABSTRACT) != 0)
        test_refuse(b, "%s is abstract: its constructor cannot be called alone", c->name);
    if (test_extends(b, c->name, "java.lang.Enum"))
        test_refuse(b, "a constant of an enum cannot be made");
    if (named != NULL && t->casted != NULL && (b->method->row->access & ACC_PRIVATE) == 0)
        return test_format(b, "new %s(%s)", named, t->casted);
    test_uses(b, HELPER_CONSTRUCT);
    return test_format(b, "construct(%s, new Class<?>[] {%s}%s)", test_quoted(b, c->name), t->classes, t->arguments);
}

static const char *receiver_text(struct test_builder *b, const char *owner, const char *receiver)
{
    const char *text = test_cast(b, owner, (struct hs_value){ b->self, HS_KIND_REF }, receiver);
    return text == receiver ? text : test_format(b, "(%s)", text);
}

/* The call; `*direct`: as source has it, so that its result has its type. */
static const char *call(struct test_builder *b, const struct call_text *t, const char *receiver, bool *direct)
{
    const struct hs_method *m = b->method->row;
    const char *owner = test_type(b, b->method->owner->name);
    const bool special = !b->method->is_static && (m->access & ACC_PRIVATE) == 0 && is_overridden(b);
    *direct = owner != NULL && t->casted != NULL && (m->access & (ACC_PRIVATE | ACC_SYNTHETIC)) == 0 && !special &&
              test_is_identifier(m->name);
    if (*direct)
        return test_format(b, "%s.%s(%s)", b->method->is_static ? owner : receiver_text(b, owner, receiver), m->name,
                           t->casted);
    test_uses(b, special ? HELPER_SPECIAL : HELPER_CALL);
    return test_format(b, "%s(%s, %s, %s, new Class<?>[] {%s}%s)", special ? "special" : "call", receiver,
                       test_quoted(b, b->method->owner->name), test_quoted(b, m->name), t->classes, t->arguments);
}

static void write_call(struct test_builder *b)
{
    bool direct = false;
    const char *receiver = "null";
    test_find_statics(b);
    if (!b->method->is_static && !b->method->is_constructor)
        receiver = test_value(b, (struct hs_value){ b->self, HS_KIND_REF });
    const struct call_text t = call_text(b);
    test_fill(b);
    test_set_statics(b);
    if (test_stopped(b))
        return;
    const bool made = b->method->is_constructor, is_void = b->exit.kind == HS_KIND_VOID && !made;
    const char *text = made ? construction(b, &t) : call(b, &t, receiver, &direct);
    const char *type = direct && t.result != NULL && b->exit.kind != HS_KIND_REF ? t.result : "Object";
    if (b->threw) {
        const char *thrown = test_object_type(b, b->exit.value), *named = thrown != NULL ? test_type(b, thrown) : NULL;
        test_say(&b->body, "        Throwable thrown = assertThrows(%s.class, () -> %s);\n",
                 named != NULL ? named : "Throwable", text);
    } else if (is_void) {
        test_say(&b->body, "        %s;\n", text);
    } else {
        test_say(&b->body, "        %s result = %s;\n", type, text);
    }
    test_expect(b, !direct);
}

/* ---- the text ---- */

static const char *class_name_of(struct test_builder *b, const struct hs_test_source_options *o)
{
    const char *owner = b->method->owner->name, *name = b->method->row->name;
    if (o->class_name != NULL)
        return o->class_name;
    for (const char *p = owner; *p != '\0'; p++)
        if (*p == '.' || *p == '$')
            owner = p + 1;
    char *out =
        (char *)test_format(b, "%s_%s_%lluTest", owner, *name == '<' ? "new" : name, (unsigned long long)b->entry.seq);
    for (char *p = out; *p != '\0'; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9')))
            *p = '_';
    if (*out >= '0' && *out <= '9')
        *out = '_';
    return out;
}

static const char *whole_text(struct test_builder *b, const char *name, unsigned junit)
{
    static const struct {
        const char *source;
        unsigned needs;
    } helpers[] = {
#define TEST_HELPER(name, needs, source) { source, needs },
#include "reader/query/test_helpers.def"
#undef TEST_HELPER
    };
    struct writer w = { 0 };
    if (*b->package != '\0')
        test_say(&w, "package %s;\n\n", b->package);
    test_say(&w, "import static org.junit.%s.*;\n\nimport org.junit.%sTest;\n\n",
             junit == 4 ? "Assert" : "jupiter.api.Assertions", junit == 4 ? "" : "jupiter.api.");
    test_say(&w, "/** A call that was recorded, event %llu of the trace. */\n", (unsigned long long)b->entry.seq);
    test_say(&w, "@SuppressWarnings({\"unchecked\", \"rawtypes\"})\npublic class %s {\n    @Test\n", name);
    test_say(&w, "    public void recordedCall() throws Throwable {\n");
    write_bytes(&w, b->body.data, b->body.size);
    test_say(&w, "    }\n");
    for (size_t i = HELPER_COUNT; i-- > 0;)
        if ((b->helpers & 1u << i) != 0)
            b->helpers |= helpers[i].needs;
    for (size_t i = 0; i < HELPER_COUNT; i++)
        if ((b->helpers & 1u << i) != 0)
            test_say(&w, "\n%s", helpers[i].source);
    test_say(&w, "}\n");
    for (size_t i = 0; i < w.size; i++) /* names are chosen by the program */
        if ((w.data[i] < ' ' && w.data[i] != '\n') || w.data[i] > '~')
            test_refuse(b, "it would have a name of other characters than ASCII");
    if (w.bad || b->body.bad)
        test_memory(b);
    const char *out = test_stopped(b) ? NULL : test_format(b, "%.*s", (int)w.size, (const char *)w.data);
    writer_free(&w);
    return out;
}

static void refuse_methods(struct test_builder *b)
{
    const struct hs_class *c = b->method->owner;
    const char *dot = strrchr(c->name, '.');
    b->package = test_format(b, "%.*s", dot != NULL ? (int)(dot - c->name) : 0, c->name);
    for (const char *p = b->package; *p != '\0'; p += p[strcspn(p, ".")] == '.' ? strcspn(p, ".") + 1 : strlen(p))
        if (!test_is_identifier(test_format(b, "%.*s", (int)strcspn(p, "."), p)))
            test_refuse(b, "its package has a name that source cannot have");
    if (strcmp(b->method->row->name, "<clinit>") == 0)
        test_refuse(b, "the initializer of a class cannot be called");
    if (strncmp(c->name, "java.", 5) == 0)
        test_refuse(b, "a test cannot be in the package %s", b->package);
    if (b->self == 0 && !b->method->is_static && !b->method->is_constructor)
        test_refuse(b, "its receiver is not known");
}

static enum status make_test(struct test_builder *b, const struct hs_test_source_options *o, struct hs_test_source *out)
{
    test_read_call(b, o->seq);
    if (!test_stopped(b))
        refuse_methods(b);
    if (!test_stopped(b)) {
        doubt_calls(b);
        write_call(b);
    }
    if (b->status != OK)
        return b->status;
    *out = (struct hs_test_source){ .seq = b->entry.seq,
                                    .method_id = dataid_or_none(b->trace, b->entry.dataid)->method_id,
                                    .package = b->package != NULL ? b->package : "" };
    if (b->method != NULL)
        out->class_name = class_name_of(b, o);
    if (b->why == NULL)
        out->source = whole_text(b, out->class_name, o->junit);
    out->why = b->why;
    const char **doubts = arena_array(b->arena, b->doubts.count + 1, sizeof *doubts);
    for (size_t i = 0; doubts != NULL && i < b->doubts.count; i++)
        doubts[i] = b->doubts.items[i];
    out->doubts = doubts;
    out->doubt_count = doubts != NULL ? b->doubts.count : 0;
    return b->status;
}

static void builder_done(struct test_builder *b)
{
    for (size_t i = 0; i < b->objects.cap; i++)
        vec_free(&b->objects.slots[i].list);
    map_free(&b->objects);
    map_free(&b->member_of);
    map_free(&b->made);
    vec_free(&b->members);
    vec_free(&b->outside);
    vec_free(&b->arguments);
    vec_free(&b->to_fill);
    vec_free(&b->doubts);
    writer_free(&b->body);
}

int hs_test_sources_open(hs_trace *trace, const struct hs_test_source_options *options, hs_cursor **out,
                         struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "test");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct list_answer *answer = list_answer_new();
    struct hs_test_source *row = answer != NULL ? arena_get(&answer->arena, sizeof *row) : NULL;
    enum status st = row == NULL ? ERR_MEMORY : OK;
    if (st == OK && (options == NULL || options->size != sizeof *options))
        st = error_set(&err, ERR_USAGE, "struct hs_test_source_options has another size than this library's");
    if (st == OK && options->junit != 4 && options->junit != 5)
        st = error_set(&err, ERR_USAGE, "JUnit %u: it is 4 or 5", options->junit);
    if (st == OK && options->class_name != NULL && !test_is_identifier(options->class_name))
        st = error_set(&err, ERR_USAGE, "'%s' is not the name of a class", options->class_name);
    if (st == OK) {
        struct test_builder b = {
            .trace = trace, .arena = &answer->arena, .err = &err, .value = test_value, .fill = test_fill
        };
        st = make_test(&b, options, row);
        builder_done(&b);
    }
    if (st != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_test_source, row, sizeof *row, 1, answer, out, error);
}
