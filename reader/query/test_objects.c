/* test_objects.c - the objects that a call read, as statements that make them.
 *
 *     Item item12 = (Item) make("Item");           made when a value names it first
 *     set(item12, "Item", "count", 5);             its members, once it is there: objects may hold each other
 *
 * Only what the call read is set; what it did not read cannot matter. Arrays of numbers and collections of the JDK,
 * whose own code was not recorded, have all that they held. */
#include <stdio.h>

#include "reader/query/test_builder.h"

enum { ELEMENTS_MAX = 2000, DEEP_MAX = 100 };

enum test_form { FORM_VALUE, FORM_PLAIN, FORM_HOLDER, FORM_FIXED };
static const struct form {
    const char *type;
    enum test_form form;
    const char *expression;
} forms[] = {
#define TEST_VALUE(type, expression)  { type, FORM_VALUE, expression },
#define TEST_PLAIN(type, expression)  { type, FORM_PLAIN, expression },
#define TEST_HOLDER(type, expression) { type, FORM_HOLDER, expression },
#define TEST_FIXED(type, expression)  { type, FORM_FIXED, expression },
#include "reader/query/test_values.def"
#undef TEST_VALUE
#undef TEST_PLAIN
#undef TEST_HOLDER
#undef TEST_FIXED
};

static const struct form *form_of(const char *type)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].type, type) == 0)
            return &forms[i];
    return NULL;
}

/* The expression of a form with `text` in place of its %s. */
static const char *with(struct test_builder *b, const struct form *f, const char *text)
{
    const char *hole = strstr(f->expression, "%s");
    return hole == NULL ? f->expression
                        : test_format(b, "%.*s%s%s", (int)(hole - f->expression), f->expression, text, hole + 2);
}

static struct test_object *object_of(struct test_builder *b, uint64_t id) { return map_get(&b->objects, id); }

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
    const struct form *f = form_of(type);
    return f != NULL && f->form == FORM_VALUE && v->text != NULL && strchr(v->text, '?') == NULL
               ? with(b, f, test_quoted(b, v->text))
               : NULL;
}

/* ---- variables ---- */

static const char *variable_name(struct test_builder *b, const char *type, uint64_t id)
{
    char name[64];
    const size_t dims = strcspn(type, "[");
    size_t from = dims, n = 0;
    while (from > 0 && type[from - 1] != '.' && type[from - 1] != '$')
        from--;
    for (size_t i = from; i < dims && n + 1 < sizeof name; i++)
        name[n++] = type[i];
    name[n] = '\0';
    if (n > 0 && name[0] >= 'A' && name[0] <= 'Z')
        name[0] = (char)(name[0] - 'A' + 'a');
    if (!test_is_identifier(test_format(b, "%s1", name)))
        (void)snprintf(name, sizeof name, "object");
    return test_format(b, "%s%s%llu", name, type[dims] != '\0' ? "s" : "", (unsigned long long)id);
}

/* Declares the variable of an object. `declared`: its type in source; NULL: Object. */
static const char *declare(struct test_builder *b, uint64_t id, const char *type, const char *declared, bool cast,
                           const char *made)
{
    if (b->made.count >= HS_TEST_OBJECTS_MAX) {
        test_refuse(b, "it needs more than %d objects", HS_TEST_OBJECTS_MAX);
        return "null";
    }
    struct test_made *m = map_put(&b->made, id);
    uint32_t *fill = m != NULL ? vec_push(&b->to_fill) : NULL;
    const char *name = variable_name(b, type, id);
    if (fill == NULL) {
        test_memory(b);
        return "null";
    }
    *fill = (uint32_t)id;
    m->text = name;
    m->declared = declared;
    if (declared == NULL || !cast)
        test_say(&b->body, "        %s %s = %s;\n", declared != NULL ? declared : "Object", name, made);
    else
        test_say(&b->body, "        %s %s = (%s) %s;\n", declared, name, declared, made);
    return name;
}

/* ---- arrays ---- */

static bool known_elements(struct test_builder *b, uint64_t id, const struct hs_object_state **out)
{
    struct hs_error error = HS_ERROR_INIT;
    return hs_object_at(b->trace, (uint32_t)id, b->entry.seq, out, &error) == 0;
}

static const char *array(struct test_builder *b, uint64_t id, const char *type)
{
    struct hs_error error = HS_ERROR_INIT;
    uint64_t length = 0;
    if (hs_array_length(b->trace, (uint32_t)id, &length, &error) <= 0) {
        const struct test_object *o = object_of(b, id);
        for (size_t i = 0; o != NULL && i < o->list.count; i++) /* as long as it must be */
            if (b->members.items[o->list.items[i]].index >= length)
                length = b->members.items[o->list.items[i]].index + 1;
        test_doubt(b, "the length of %s#%llu is not known", type, (unsigned long long)id);
    }
    if (length > ((uint64_t)1 << 27)) {
        test_refuse(b, "an array of %llu elements", (unsigned long long)length);
        return "null";
    }
    const char *element = test_element(b, type), *named = test_type(b, element);
    if (named == NULL)
        return declare(b, id, type, NULL, false,
                       test_format(b, "java.lang.reflect.Array.newInstance(%s, %llu)", test_class(b, element),
                                   (unsigned long long)length));
    const size_t first = strcspn(named, "[");
    return declare(b, id, type, test_format(b, "%s[]", named), false,
                   test_format(b, "new %.*s[%llu]%s", (int)first, named, (unsigned long long)length, named + first));
}

static void set_element(struct test_builder *b, const char *name, const char *type, uint64_t index, struct hs_value v)
{
    const char *element = test_element(b, type), *named = test_type(b, element), *text = test_value(b, v);
    if (named == NULL)
        test_say(&b->body, "        java.lang.reflect.Array.set(%s, %llu, %s);\n", name, (unsigned long long)index,
                 text);
    else
        test_say(&b->body, "        %s[%llu] = %s;\n", name, (unsigned long long)index, test_cast(b, named, v, text));
}

/* What is known of all elements where code that is not woven may have read them; else what the call read. */
static void fill_array(struct test_builder *b, uint64_t id, const char *type, const char *name)
{
    const struct hs_object_state *st;
    const struct test_object *o = object_of(b, id);
    const bool numbers = strchr(strchr(type, '[') + 1, '[') == NULL && strchr("zbcsijfd", type[0]) != NULL &&
                         strcspn(type, ".") == strlen(type);
    const bool whole = (o != NULL && o->passed) || numbers;
    VEC(struct test_member) all = { 0 };
    if (whole && known_elements(b, id, &st)) {
        if (st->element_count > ELEMENTS_MAX)
            test_refuse(b, "an array of %llu elements", (unsigned long long)st->element_count);
        if (!st->all_known && o != NULL && o->passed)
            test_doubt(b, "not all elements of %s#%llu are known", type, (unsigned long long)id);
        for (size_t i = 0; i < st->element_count && !test_stopped(b); i++) {
            const struct hs_member *e = st->elements[i];
            struct test_member *m = e->value != 0 ? vec_push(&all) : NULL;
            if (m != NULL)
                *m = (struct test_member){ .index = e->index, .before = { e->value, e->kind } };
        }
    }
    for (size_t i = 0; !numbers && o != NULL && i < o->list.count && !test_stopped(b); i++) {
        const struct test_member *r = &b->members.items[o->list.items[i]];
        struct test_member *m = r->read && r->before.bits != 0 && !whole ? vec_push(&all) : NULL;
        if (m != NULL)
            *m = *r;
    }
    for (size_t i = 0; i < all.count && !test_stopped(b); i++)
        set_element(b, name, type, all.items[i].index, all.items[i].before);
    vec_free(&all);
}

/* ---- stubs ---- */

static const char *call_result(struct test_builder *b, const struct test_outside *o)
{
    if (!o->threw)
        return o->result.kind == HS_KIND_VOID ? "null" : test_value(b, o->result);
    const char *type = test_object_type(b, o->exception), *named = type != NULL ? test_type(b, type) : NULL;
    const struct hs_thrown *t = hs_thrown_get(b->trace, (uint32_t)o->exception);
    if (named == NULL || test_woven(b, type) != NULL) {
        test_refuse(b, "%s threw %s, which a test cannot make", attribute_text(o->site, "name"),
                    type != NULL ? type : "an exception");
        return "null";
    }
    return t != NULL && t->message != NULL ? test_format(b, "new Thrown(new %s(%s))", named, test_quoted(b, t->message))
                                           : test_format(b, "new Thrown(new %s())", named);
}

/* An object of an interface that answers what it answered then. */
static const char *stub(struct test_builder *b, uint64_t id, const char *type)
{
    const char *interface = NULL, *answers = "";
    for (size_t i = 0; i < b->outside.count && !test_stopped(b); i++) {
        const struct test_outside o = b->outside.items[i];
        if (o.receiver != id)
            continue;
        const char *opcode = attribute_text(o.site, "opcode"), *owner = attribute_text(o.site, "owner");
        const char *name = attribute_text(o.site, "name");
        if (opcode == NULL || name == NULL || strcmp(opcode, "INVOKEINTERFACE") != 0 || owner == NULL)
            continue;
        interface = owner;
        answers = test_format(b, "%s, %s, %s", answers, test_quoted(b, name), test_object(b, call_result(b, &o)));
    }
    if (interface == NULL) {
        if (strstr(type, "$$") != NULL)
            test_refuse(b, "%s#%llu is a lambda of which the call shows no interface", type, (unsigned long long)id);
        else
            test_refuse(b, "%s is not woven, and no interface that a stub can stand for", type);
        return "null";
    }
    test_uses(b, HELPER_STUB);
    return declare(b, id, type, NULL, false, test_format(b, "stub(%s%s)", test_class(b, interface), answers));
}

/* ---- collections ---- */

struct held_entry {
    struct hs_value key, value;
    bool has_key;
    const char *key_text, *value_text;
};
typedef VEC(struct held_entry) held_vec;

static struct hs_value number_or(const struct hs_value *number, const struct hs_value *value)
{
    return number != NULL ? *number : value != NULL ? *value : (struct hs_value){ 0, HS_KIND_REF };
}

/* The contents as the call began. False: they are not known. */
static bool contents(struct test_builder *b, uint64_t id, held_vec *out, const char **text, const char **why)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_contents *c;
    const int got = hs_contents_at(b->trace, (uint32_t)id, b->entry.seq, &c, &error);
    *why = got > 0 && c->why != NULL ? test_format(b, "%s", c->why) : "how it was made is not seen";
    if (got <= 0 || !c->known)
        return false;
    *text = c->text != NULL ? test_format(b, "%s", c->text) : NULL;
    for (size_t i = 0; i < c->entry_count; i++) {
        const struct hs_entry *e = c->entries[i];
        struct held_entry *to = vec_push(out);
        if (to == NULL) {
            test_memory(b);
            return false;
        }
        to->has_key = e->key != NULL;
        to->key = number_or(e->key_number, e->key);
        to->value = number_or(e->value_number, e->value);
    }
    if (out->count > ELEMENTS_MAX)
        test_refuse(b, "a collection of %llu elements", (unsigned long long)out->count);
    return true;
}

static bool matters(struct test_builder *b, uint64_t id)
{
    const struct test_object *o = object_of(b, id);
    return o != NULL && (o->called || o->passed);
}

static const char *no_contents(struct test_builder *b, uint64_t id, const char *type, const char *why)
{
    test_refuse(b, "the contents of %s#%llu are not known: %s", type, (unsigned long long)id, why);
    return "null";
}

static const char *one_entry(struct test_builder *b, const struct held_entry *e)
{
    const char *key = e->has_key ? test_value(b, e->key) : NULL, *value = test_value(b, e->value);
    return key != NULL ? test_format(b, "java.util.Map.entry(%s, %s)", key, value) : value;
}

static const char *joined(struct test_builder *b, const held_vec *held)
{
    const char *all = "";
    for (size_t i = 0; i < held->count && !test_stopped(b); i++)
        all = test_format(b, "%s%s%s", all, i > 0 ? ", " : "", one_entry(b, &held->items[i]));
    return all;
}

static const char *holder(struct test_builder *b, uint64_t id, const char *type, const struct form *f)
{
    held_vec held = { 0 };
    const char *text = NULL, *why, *made, *named = test_type(b, type);
    const bool known = contents(b, id, &held, &text, &why);
    const char *fixed = strstr(f->expression, "%s") == NULL ? "" : NULL;
    if (!known && matters(b, id)) {
        vec_free(&held);
        return f->form == FORM_FIXED ? stub(b, id, type) : no_contents(b, id, type, why);
    }
    if (fixed == NULL && f->form == FORM_HOLDER)
        fixed = text != NULL ? test_quoted(b, text) : held.count > 0 ? test_value(b, held.items[0].value) : "null";
    if (fixed == NULL)
        fixed = joined(b, &held);
    if (strcmp(fixed, "null") == 0 && strncmp(type, "java.lang.", 10) == 0)
        fixed = "";
    vec_free(&held);
    made = with(b, f, fixed);
    return declare(b, id, type, f->form == FORM_HOLDER ? named : NULL, false, made);
}

static void fill_holder(struct test_builder *b, uint64_t id, const char *name, bool clear)
{
    held_vec held = { 0 };
    const char *text, *why;
    if (!contents(b, id, &held, &text, &why)) {
        if (clear && matters(b, id))
            (void)no_contents(b, id, test_object_type(b, id), why);
        vec_free(&held);
        return;
    }
    for (size_t i = 0; i < held.count && !test_stopped(b); i++) {
        held.items[i].key_text = held.items[i].has_key ? test_value(b, held.items[i].key) : NULL;
        held.items[i].value_text = test_value(b, held.items[i].value);
    }
    test_fill(b); /* hash codes of keys need their fields */
    const bool is_map = held.count > 0 && held.items[0].has_key;
    if (clear)
        test_say(&b->body, "        ((java.util.%s) %s).clear();\n", is_map ? "Map" : "Collection", name);
    for (size_t i = 0; i < held.count && !test_stopped(b); i++) {
        const struct held_entry *e = &held.items[i];
        const char *to = clear ? test_format(b, "((java.util.%s) %s)", is_map ? "Map" : "Collection", name) : name;
        if (is_map)
            test_say(&b->body, "        %s.put(%s, %s);\n", to, e->key_text, e->value_text);
        else
            test_say(&b->body, "        %s.add(%s);\n", to, e->value_text);
    }
    vec_free(&held);
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
        return declare(b, id, type, named, false, test_format(b, "new %s(%s)", named, values));
    test_uses(b, HELPER_CONSTRUCT);
    return declare(b, id, type, NULL, false,
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
    const char *name = declare(b, id, type, declared, false, test_format(b, "new %s(%s)", declared, values));
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
    return declare(b, id, type, test_type(b, type), true, test_format(b, "make(%s)", test_quoted(b, type)));
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
    const struct test_object *o = object_of(b, id);
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
    const struct form *f = form_of(type);
    const struct hs_class *c = test_woven(b, type);
    if (strchr(type, '[') != NULL)
        return array(b, id, type);
    if (strcmp(type, "java.lang.String") == 0)
        test_refuse(b, "the text of string %llu is not known, or too long", (unsigned long long)id);
    else if (f != NULL && (f->form == FORM_HOLDER || f->form == FORM_FIXED))
        return holder(b, id, type, f);
    else if (f != NULL && f->form == FORM_PLAIN)
        return declare(b, id, type, NULL, false, f->expression);
    else if (c != NULL && test_extends(b, type, "java.lang.Enum"))
        test_refuse(b, "the name of the constant %s#%llu is not known", type, (unsigned long long)id);
    else if (c != NULL)
        return test_is_record(b, type) ? record(b, id, type) : instance(b, id, type);
    else if (matters(b, id) || strstr(type, "$$") != NULL)
        return stub(b, id, type);
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
    if (b->body.size > HS_TEST_BYTES_MAX || b->depth >= DEEP_MAX) {
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
        const struct form *f = form_of(type);
        if (strchr(type, '[') != NULL)
            fill_array(b, id, type, name);
        else if (f != NULL && f->form == FORM_HOLDER && strstr(f->expression, "%s") == NULL)
            fill_holder(b, id, name, m->is_found);
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
    (void)declare(b, id, type, NULL, false,
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
