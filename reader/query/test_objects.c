/* test_objects.c - the objects that a call read, as statements that make them.
 *
 *     Item item12 = (Item) make("Item");           made when a value names it first
 *     set(item12, "Item", "count", 5);             its members, once it is there: objects may hold each other
 *
 * Only what the call read is set; what it did not read cannot matter. Arrays of numbers and collections of the JDK,
 * whose own code was not recorded, have all that they held. */
#include <stdio.h>

#include "reader/query/test_builder.h"

enum { DEEP_MAX = 100 };

/* ---- values without identity ---- */

static const char *constant(struct test_builder *b, const char *type, const char *name)
{
    /* a constant with a body is of a class of its own */
    const struct hs_class *c = test_woven(b, type);
    if (c != NULL && strcmp(c->super, "java.lang.Enum") != 0 && test_woven(b, c->super) != NULL)
        type = c->super;
    const char *named = test_type(b, type);
    if (named != NULL && test_is_identifier(name))
        return test_format(b, "%s.%s", named, name);
    test_uses(b, HELPER_CONSTANT);
    return test_format(b, "constant(%s, %s)", test_quoted(b, type), test_quoted(b, name));
}

const char *test_plain(struct test_builder *b, uint64_t id)
{
    if (id > UINT32_MAX)
        return NULL;
    const char *type = test_object_type(b, id);
    if (type == NULL)
        return NULL;
    if (strcmp(type, "java.lang.String") == 0)
        return test_string(b, (uint32_t)id);
    if (strcmp(type, "java.lang.Class") == 0) {
        const struct hs_type *t = hs_type_get(b->trace, (uint32_t)id);
        return t != NULL ? test_class(b, t->name) : NULL;
    }
    const struct hs_object_value *v = hs_object_value_get(b->trace, (uint32_t)id, HS_NO_SEQ);
    if (v == NULL)
        return NULL;
    if (v->is_constant)
        return constant(b, type, v->text);
    if (v->kind != 0)
        return test_object(b, test_literal(b, (struct hs_value){ v->bits, v->kind }));
    const struct test_form *f = test_form_of(type);
    return f != NULL && f->form == FORM_VALUE && v->text != NULL && strchr(v->text, '?') == NULL
               ? test_with(b, f, test_quoted(b, v->text))
               : NULL;
}

/* ---- objects of woven classes ---- */

static char kind_of(const char *type)
{
    static const struct {
        const char *type;
        char kind;
    } kinds[] = { { "boolean", 'Z' }, { "byte", 'B' }, { "char", 'C' },  { "short", 'S' },
                  { "int", 'I' },     { "long", 'J' }, { "float", 'F' }, { "double", 'D' } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].type, type) == 0)
            return kinds[i].kind;
    return 'L';
}

static const char *record(struct test_builder *b, uint64_t id, const char *type)
{
    const uint64_t loader = b->method->owner->loader_id;
    const char *named = test_type(b, type), *classes = "", *values = "";
    const struct hs_field *f;
    for (size_t i = 0, n = 0; (f = hs_field_get(b->trace, type, loader, i)) != NULL && !test_stopped(b); i++) {
        struct hs_value v = { 0, kind_of(f->type) };
        if (f->is_static)
            continue;
        (void)test_field_before(b, id, type, f->name, &v);
        const char *text = test_value(b, v), *shown = test_type(b, f->type);
        classes = test_format(b, "%s%s%s", classes, n > 0 ? ", " : "", test_class(b, f->type));
        values = test_format(b, "%s%s%s", values, n > 0 ? ", " : "",
                             shown != NULL ? test_cast(b, shown, v, text) : test_object(b, text));
        if (shown == NULL)
            named = NULL;
        n++;
    }
    if (named != NULL)
        return test_declare(b, id, type, named, false, test_format(b, "new %s(%s)", named, values));
    test_uses(b, HELPER_CONSTRUCT);
    return test_declare(b, id, type, NULL, false,
                        test_format(b, "construct(%s, new Class<?>[] {%s}%s%s)", test_quoted(b, type), classes,
                                    *values != '\0' ? ", " : "", values));
}

/* May the value be an argument of a constructor: is it not being made itself? */
static bool is_ready(struct test_builder *b, struct hs_value v)
{
    const struct test_made *m = v.kind == HS_KIND_REF && v.bits != 0 ? map_get(&b->made, v.bits) : NULL;
    return m == NULL || m->text != NULL;
}

/* By a constructor; NULL: there is none. */
static const char *constructed(struct test_builder *b, uint64_t id, const char *type, const struct hs_class *c)
{
    struct test_stores *s = arena_get(b->arena, sizeof *s);
    struct test_made *m;
    const char *values = "";
    if (s == NULL || !test_find_constructor(b, id, c, s))
        return NULL;
    for (unsigned i = 0; i < s->parameter_count; i++)
        if (!is_ready(b, s->arguments[i]))
            return NULL;
    if ((m = map_put(&b->made, id)) == NULL)
        return NULL;
    m->text = NULL;
    const char *p = s->method->desc + 1;
    bool named = true;
    for (unsigned i = 0; i < s->parameter_count && !test_stopped(b); i++) {
        struct writer w = { 0 };
        p += descriptor_to_source(p, strlen(p), &w);
        const char *shown = test_type(b, test_format(b, "%.*s", (int)w.size, (const char *)w.data));
        writer_free(&w);
        named = named && shown != NULL;
        if (!named)
            break;
        values = test_format(b, "%s%s%s", values, i > 0 ? ", " : "",
                             test_cast(b, shown, s->arguments[i], test_value(b, s->arguments[i])));
    }
    if (!named) {
        if ((m = map_get(&b->made, id)) != NULL)
            map_remove(&b->made, m);
        return NULL;
    }
    const char *declared = test_type(b, type);
    const char *name = test_declare(b, id, type, declared, false, test_format(b, "new %s(%s)", declared, values));
    if ((m = map_get(&b->made, id)) != NULL)
        m->stores = s;
    return name;
}

static const char *instance(struct test_builder *b, uint64_t id, const char *type)
{
    const struct hs_class *c = test_woven(b, type);
    const char *name = c != NULL ? constructed(b, id, type, c) : NULL;
    if (name != NULL)
        return name;
    test_uses(b, HELPER_MAKE);
    return test_declare(b, id, type, test_type(b, type), true, test_format(b, "make(%s)", test_quoted(b, type)));
}

/* The type of a field, as the test can name it; NULL: it cannot. */
static const char *field_type(struct test_builder *b, const char *declaring, const char *name)
{
    const struct hs_field *f;
    for (size_t i = 0; (f = hs_field_get(b->trace, declaring, b->method->owner->loader_id, i)) != NULL; i++)
        if (strcmp(f->name, name) == 0)
            return test_type(b, f->type);
    return NULL;
}

static void fill_fields(struct test_builder *b, uint64_t id, const char *type, const char *name)
{
    const struct test_object *o = test_object_of(b, id);
    if (o == NULL || test_is_record(b, type))
        return;
    const u32_vec list = o->list; /* the map moves */
    for (size_t i = 0; i < list.count && !test_stopped(b); i++) {
        const struct test_member m = b->members.items[list.items[i]];
        const struct test_made *made = map_get(&b->made, id);
        const struct test_stores *stores = made != NULL ? made->stores : NULL;
        const bool is_found = made != NULL && made->is_found;
        if (!m.read || m.name == NULL ||
            (stores != NULL ? test_stores_field(stores, m.declaring, m.name, m.before)
                            : m.before.bits == 0 && !is_found))
            continue;
        const char *text = test_value(b, m.before);
        const char *setter = made != NULL && made->declared != NULL && m.before.bits != 0
                                 ? test_setter(b, type, m.declaring, m.name)
                                 : NULL;
        const char *field = setter != NULL ? field_type(b, m.declaring, m.name) : NULL;
        if (field != NULL) {
            test_say(&b->body, "        %s.%s(%s);\n", name, setter, test_cast(b, field, m.before, text));
            continue;
        }
        test_uses(b, HELPER_SET);
        test_say(&b->body, "        set(%s, %s, %s, %s);\n", name, test_quoted(b, m.declaring), test_quoted(b, m.name),
                 text);
    }
}

/* ---- all of them ---- */

static const char *make(struct test_builder *b, uint64_t id)
{
    const char *plain = test_plain(b, id);
    if (plain != NULL || test_stopped(b))
        return plain != NULL ? plain : "null";
    const char *type = test_object_type(b, id);
    if (type == NULL) {
        test_refuse(b, "the type of object %llu is not known", (unsigned long long)id);
        return "null";
    }
    const struct test_form *f = test_form_of(type);
    const struct hs_class *c = test_woven(b, type);
    if (strchr(type, '[') != NULL)
        return test_array(b, id, type);
    if (strcmp(type, "java.lang.String") == 0)
        test_refuse(b, "the text of string %llu is not known, or too long", (unsigned long long)id);
    else if (f != NULL && (f->form == FORM_HOLDER || f->form == FORM_FIXED))
        return test_holder(b, id, type, f);
    else if (f != NULL && f->form == FORM_PLAIN)
        return test_declare(b, id, type, NULL, false, f->expression);
    else if (c != NULL && test_extends(b, type, "java.lang.Enum"))
        test_refuse(b, "the name of the constant %s#%llu is not known", type, (unsigned long long)id);
    else if (c != NULL)
        return test_is_record(b, type) ? record(b, id, type) : instance(b, id, type);
    else if (test_matters(b, id) || strstr(type, "$$") != NULL)
        return test_stub(b, id, type);
    else
        return instance(b, id, type); /* only that it is there */
    return "null";
}

const char *test_value(struct test_builder *b, struct hs_value v)
{
    if (test_stopped(b))
        return "null";
    if (v.kind != HS_KIND_REF)
        return test_literal(b, v);
    const struct test_made *m = v.bits != 0 ? map_get(&b->made, v.bits) : NULL;
    if (m != NULL && m->text == NULL)
        test_refuse(b, "an object holds itself by objects that cannot be changed");
    if (v.bits == 0 || m != NULL)
        return m != NULL && m->text != NULL ? m->text : "null";
    if (b->body.size - b->packed_bytes > HS_TEST_BYTES_MAX || b->depth >= DEEP_MAX) {
        test_refuse(b, "it needs more statements than a method can have");
        return "null";
    }
    b->depth++;
    const char *text = make(b, v.bits);
    b->depth--;
    return text;
}

void test_fill(struct test_builder *b)
{
    while (b->to_fill.count > 0 && !test_stopped(b)) {
        const uint32_t id = b->to_fill.items[--b->to_fill.count];
        const struct test_made *m = map_get(&b->made, id);
        const char *type = test_object_type(b, id);
        if (m == NULL || type == NULL)
            continue;
        const char *name = m->text;
        const struct test_form *f = test_form_of(type);
        if (strchr(type, '[') != NULL)
            test_fill_array(b, id, type, name);
        else if (f != NULL && f->form == FORM_HOLDER && strstr(f->expression, "%s") == NULL)
            test_fill_holder(b, id, name, m->is_found);
        else if (f == NULL && test_woven(b, type) != NULL)
            fill_fields(b, id, type, name);
    }
}

/* ---- static fields ---- */

static void find_static(struct test_builder *b, const struct test_member *m)
{
    const uint64_t id = m->before.bits;
    const char *type = test_object_type(b, id), *named = test_type(b, m->declaring);
    if (type == NULL || map_get(&b->made, id) != NULL || test_plain(b, id) != NULL || m->name[0] == '$')
        return;
    if (test_woven(b, m->declaring) == NULL) {
        struct test_made *made = named != NULL && test_is_identifier(m->name) ? map_put(&b->made, id) : NULL;
        if (made != NULL)
            made->text = test_format(b, "%s.%s", named, m->name);
        return;
    }
    if (!m->is_final)
        return;
    test_uses(b, HELPER_GET);
    (void)test_declare(b, id, type, strchr(type, '[') != NULL ? test_type(b, type) : NULL, true,
                       test_format(b, "get(null, %s, %s)", test_quoted(b, m->declaring), test_quoted(b, m->name)));
    struct test_made *made = map_get(&b->made, id);
    if (made != NULL)
        made->is_found = true;
}

void test_find_statics(struct test_builder *b)
{
    for (size_t i = 0; i < b->members.count && !test_stopped(b); i++) {
        const struct test_member *m = &b->members.items[i];
        if (m->object == 0 && m->read && m->before.kind == HS_KIND_REF && m->before.bits != 0)
            find_static(b, m);
    }
}

void test_set_statics(struct test_builder *b)
{
    struct writer sets = { 0 };
    for (size_t i = 0; i < b->members.count && !test_stopped(b); i++) {
        const struct test_member m = b->members.items[i];
        if (m.object != 0 || !m.read || m.is_final || m.name[0] == '$' || test_woven(b, m.declaring) == NULL)
            continue;
        test_uses(b, HELPER_SET);
        test_say(&sets, "        set(null, %s, %s, %s);\n", test_quoted(b, m.declaring), test_quoted(b, m.name),
                 test_value(b, m.before));
    }
    test_fill(b);
    write_bytes(&b->body, sets.data, sets.size);
    b->body.bad |= sets.bad;
    writer_free(&sets);
}
