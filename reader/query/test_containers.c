/* test_containers.c - what a test makes of arrays, of collections of the JDK, and of objects that a stub stands for. */
#include <stdio.h>
#include <stdlib.h>

#include "reader/query/test_builder.h"

enum { ELEMENTS_MAX = 2000, NUMBERS_MAX = 50000, PACK_MIN = 8, PACK_MAX = 2000 };

/* ---- forms of the JDK's classes ---- */

static const struct test_form forms[] = {
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

const struct test_form *test_form_of(const char *type)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].type, type) == 0)
            return &forms[i];
    return NULL;
}

const char *test_with(struct test_builder *b, const struct test_form *f, const char *text)
{
    const char *hole = strstr(f->expression, "%s");
    return hole == NULL ? f->expression
                        : test_format(b, "%.*s%s%s", (int)(hole - f->expression), f->expression, text, hole + 2);
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

const char *test_declare(struct test_builder *b, uint64_t id, const char *type, const char *declared, bool cast,
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

const char *test_array(struct test_builder *b, uint64_t id, const char *type)
{
    struct hs_error error = HS_ERROR_INIT;
    uint64_t length = 0;
    if (hs_array_length(b->trace, (uint32_t)id, &length, &error) <= 0) {
        const struct test_object *o = test_object_of(b, id);
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
        return test_declare(b, id, type, NULL, false,
                            test_format(b, "java.lang.reflect.Array.newInstance(%s, %llu)", test_class(b, element),
                                        (unsigned long long)length));
    const size_t first = strcspn(named, "[");
    return test_declare(
        b, id, type, test_format(b, "%s[]", named), false,
        test_format(b, "new %.*s[%llu]%s", (int)first, named, (unsigned long long)length, named + first));
}

static void set_element(struct test_builder *b, const char *name, const char *type, uint64_t index, struct hs_value v)
{
    const char *element = test_element(b, type), *named = test_type(b, element), *text = b->value(b, v);
    if (named == NULL)
        test_say(&b->body, "        java.lang.reflect.Array.set(%s, %llu, %s);\n", name, (unsigned long long)index,
                 text);
    else
        test_say(&b->body, "        %s[%llu] = %s;\n", name, (unsigned long long)index, test_cast(b, named, v, text));
}

typedef VEC(struct test_member) member_vec;

/* Elements that follow each other, from `from`: all of them that are equal (`*equal`), or those up to such a row. */
static size_t stretch(const member_vec *all, size_t from, bool *equal)
{
    size_t to = from + 1, same = 1;
    for (; to < all->count && to - from < PACK_MAX; to++) {
        const struct test_member *x = &all->items[to];
        if (x->index != x[-1].index + 1)
            break;
        same = x->before.bits == x[-1].before.bits ? same + 1 : 1;
        if (same == PACK_MIN && to + 1 - from > PACK_MIN)
            return to + 1 - PACK_MIN - from;
    }
    *equal = same == to - from;
    return to - from;
}

/* Numbers, of which many stand in one statement. */
static void set_numbers(struct test_builder *b, const char *name, const char *type, const member_vec *all)
{
    for (size_t i = 0, n; i < all->count && !test_stopped(b); i += n) {
        const struct test_member *first = &all->items[i];
        const size_t before = b->body.size;
        bool equal = false;
        n = stretch(all, i, &equal);
        if (n < PACK_MIN) {
            for (size_t k = 0; k < n; k++)
                set_element(b, name, type, first[k].index, first[k].before);
            continue;
        }
        if (equal) {
            test_say(&b->body, "        java.util.Arrays.fill(%s, %llu, %llu, %s);\n", name,
                     (unsigned long long)first->index, (unsigned long long)(first->index + n),
                     test_literal(b, first->before));
            continue;
        }
        struct writer text = { 0 };
        for (size_t k = 0; k < n; k++)
            test_pack(&text, b, first[k].before, k > 0);
        if (text.bad)
            test_memory(b);
        else if (first->before.kind == HS_KIND_CHAR)
            test_say(&b->body, "        \"%.*s\".getChars(0, %llu, %s, %llu);\n", (int)text.size,
                     (const char *)text.data, (unsigned long long)n, name, (unsigned long long)first->index);
        else
            test_say(&b->body, "        put(%s, %llu, \"%.*s\");\n", name, (unsigned long long)first->index,
                     (int)text.size, (const char *)text.data);
        if (first->before.kind != HS_KIND_CHAR)
            test_uses(b, HELPER_PUT);
        b->packed_bytes += b->body.size - before;
        writer_free(&text);
    }
}

static void add_element(struct test_builder *b, member_vec *all, const struct test_member *e)
{
    struct test_member *m = vec_push(all);
    if (m == NULL)
        test_memory(b);
    else
        *m = *e;
}

static int compare_elements(const void *a, const void *b)
{
    const struct test_member *x = a, *y = b;
    return x->index != y->index ? (x->index < y->index ? -1 : 1) : (int)y->read - (int)x->read;
}

/* By index, each once, as the call read it if it did; without those that are 0, as a new array has them. */
static void sort_elements(member_vec *all)
{
    size_t n = 0;
    uint64_t last = UINT64_MAX;
    if (all->count > 0)
        qsort(all->items, all->count, sizeof *all->items, compare_elements);
    for (size_t i = 0; i < all->count; i++) {
        const struct test_member m = all->items[i];
        if (m.index != last && m.before.bits != 0)
            all->items[n++] = m;
        last = m.index;
    }
    all->count = n;
}

/* What is known of all elements where code that is not woven may have read them, or of few numbers; else what the call
 * read. */
void test_fill_array(struct test_builder *b, uint64_t id, const char *type, const char *name)
{
    const struct hs_object_state *st;
    const struct test_object *o = test_object_of(b, id);
    const bool numbers = strchr(strchr(type, '[') + 1, '[') == NULL && strchr("zbcsijfd", type[0]) != NULL &&
                         strcspn(type, ".") == strlen(type),
               matters = test_matters(b, id);
    bool whole = (matters || numbers) && known_elements(b, id, &st);
    if (whole && numbers && !matters && st->element_count > ELEMENTS_MAX)
        whole = false;
    member_vec all = { 0 };
    if (whole && st->element_count > (numbers ? NUMBERS_MAX : ELEMENTS_MAX))
        test_refuse(b, "an array of %llu elements", (unsigned long long)st->element_count);
    if (whole && !st->all_known && matters)
        test_doubt(b, "not all elements of %s#%llu are known", type, (unsigned long long)id);
    for (size_t i = 0; whole && i < st->element_count && !test_stopped(b); i++) {
        const struct hs_member *e = st->elements[i];
        add_element(b, &all, &(struct test_member){ .index = e->index, .before = { e->value, e->kind } });
    }
    for (size_t i = 0; o != NULL && i < o->list.count && !test_stopped(b); i++)
        if (b->members.items[o->list.items[i]].read)
            add_element(b, &all, &b->members.items[o->list.items[i]]);
    sort_elements(&all);
    if (numbers)
        set_numbers(b, name, type, &all);
    for (size_t i = 0; !numbers && i < all.count && !test_stopped(b); i++)
        set_element(b, name, type, all.items[i].index, all.items[i].before);
    vec_free(&all);
}

/* ---- stubs ---- */

static const char *call_result(struct test_builder *b, const struct test_outside *o)
{
    if (!o->threw)
        return o->result.kind == HS_KIND_VOID ? "null" : b->value(b, o->result);
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
const char *test_stub(struct test_builder *b, uint64_t id, const char *type)
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
    return test_declare(b, id, type, NULL, false, test_format(b, "stub(%s%s)", test_class(b, interface), answers));
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

bool test_matters(struct test_builder *b, uint64_t id)
{
    const struct test_object *o = test_object_of(b, id);
    return o != NULL && (o->called || o->passed);
}

static const char *no_contents(struct test_builder *b, uint64_t id, const char *type, const char *why)
{
    test_refuse(b, "the contents of %s#%llu are not known: %s", type, (unsigned long long)id, why);
    return "null";
}

static const char *one_entry(struct test_builder *b, const struct held_entry *e)
{
    const char *key = e->has_key ? b->value(b, e->key) : NULL, *value = b->value(b, e->value);
    return key != NULL ? test_format(b, "java.util.Map.entry(%s, %s)", key, value) : value;
}

static const char *joined(struct test_builder *b, const held_vec *held)
{
    const char *all = "";
    for (size_t i = 0; i < held->count && !test_stopped(b); i++)
        all = test_format(b, "%s%s%s", all, i > 0 ? ", " : "", one_entry(b, &held->items[i]));
    return all;
}

const char *test_holder(struct test_builder *b, uint64_t id, const char *type, const struct test_form *f)
{
    held_vec held = { 0 };
    const char *text = NULL, *why, *made, *named = test_type(b, type);
    const bool known = contents(b, id, &held, &text, &why);
    const char *fixed = strstr(f->expression, "%s") == NULL ? "" : NULL;
    if (!known && test_matters(b, id)) {
        vec_free(&held);
        return f->form == FORM_FIXED ? test_stub(b, id, type) : no_contents(b, id, type, why);
    }
    if (fixed == NULL && f->form == FORM_HOLDER)
        fixed = text != NULL ? test_quoted(b, text) : held.count > 0 ? b->value(b, held.items[0].value) : "null";
    if (fixed == NULL)
        fixed = joined(b, &held);
    if (strcmp(fixed, "null") == 0 && strncmp(type, "java.lang.", 10) == 0)
        fixed = "";
    vec_free(&held);
    made = test_with(b, f, fixed);
    return test_declare(b, id, type, f->form == FORM_HOLDER ? named : NULL, false, made);
}

void test_fill_holder(struct test_builder *b, uint64_t id, const char *name, bool clear)
{
    held_vec held = { 0 };
    const char *text, *why;
    if (!contents(b, id, &held, &text, &why)) {
        if (clear && test_matters(b, id))
            (void)no_contents(b, id, test_object_type(b, id), why);
        vec_free(&held);
        return;
    }
    for (size_t i = 0; i < held.count && !test_stopped(b); i++) {
        held.items[i].key_text = held.items[i].has_key ? b->value(b, held.items[i].key) : NULL;
        held.items[i].value_text = b->value(b, held.items[i].value);
    }
    b->fill(b); /* hash codes of keys need their fields */
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
