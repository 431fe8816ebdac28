/* held.c - size, isEmpty, get, contains and containsKey of a collection of the JDK in an expression: answered from what
 * it held at the moment, where that is known (hs_contents_at); see evaluating.h. */
#include <string.h>

#include "reader/code/types.h"
#include "reader/session/evaluating.h"

const char value_note_contents[] = "contents";

static const struct hs_object *recorded(const struct evaluation *r, const struct expression_value *v)
{
    return v->known && v->kind == HS_KIND_REF && v->bits - 1 < UINT32_MAX
               ? hs_object_get(evaluating(r)->nav->trace, (uint32_t)v->bits)
               : NULL;
}

enum sameness { SAME, DIFFERENT, UNSURE };

/* What is asked for: a text, a number with the kind of its box, or an object. */
struct sought {
    const struct expression_value *given;
    struct expression_value number; /* known: of a number or a box */
    bool is_text, is_box;
};

/* Is what the collection holds equal to it, as equals() says? */
static enum sameness equal(struct evaluation *r, const struct sought *w, const struct hs_value *held,
                           const struct hs_value *number)
{
    struct expression_value v = expression_number(held->kind, held->bits);
    if (w->given->kind == HS_KIND_REF && w->given->bits == held->bits)
        return SAME;
    const struct hs_object *o = recorded(r, &v);
    if (held->bits == 0 || (w->given->kind == HS_KIND_REF && w->given->bits == 0))
        return DIFFERENT;
    if (o == NULL || o->type == NULL)
        return UNSURE;
    bool string = strcmp(o->type, "java.lang.String") == 0;
    if (w->is_text && string) {
        struct expression_value same = value_same_text(r, &v, w->given);
        return !same.known ? UNSURE : same.bits != 0 ? SAME : DIFFERENT;
    }
    if (w->is_box && object_is_box(o)) {
        if (!w->number.known || number == NULL)
            return UNSURE;
        return w->number.kind == number->kind && w->number.bits == number->bits ? SAME : DIFFERENT;
    }
    return w->is_text || w->is_box || string || object_is_box(o) ? DIFFERENT : UNSURE;
}

/* The entry whose key (of a map) or value is equal. UNSURE: there may be one; a sorted collection has its own order. */
static enum sameness find(struct evaluation *r, const struct hs_contents *c, const struct expression_value *given,
                          size_t *at)
{
    struct sought w = { .given = given, .is_text = value_is_text(r, given) };
    const struct hs_object *o = hs_object_get(evaluating(r)->nav->trace, c->id);
    bool unsure = o == NULL || o->type == NULL || strncmp(o->type, "java.util.Tree", 14) == 0;
    w.is_box = given->kind != HS_KIND_REF && given->kind != EXPRESSION_TEXT;
    if (w.is_box)
        w.number = *given;
    else if (object_is_box(recorded(r, given)))
        return UNSURE; /* value_held has taken the number out of it where that is known */
    for (*at = 0; *at < c->entry_count; ++*at) {
        const struct hs_entry *e = c->entries[*at];
        bool keys = c->shape == HS_CONTENTS_MAP;
        enum sameness same = equal(r, &w, keys ? e->key : e->value, keys ? e->key_number : e->value_number);
        if (same == SAME)
            return SAME;
        unsure |= same == UNSURE;
    }
    return unsure ? UNSURE : DIFFERENT;
}

static struct expression_value entry_value(const struct hs_entry *e)
{
    return expression_number(e->value->kind, e->value->bits);
}

static struct expression_value answered(struct evaluation *r, const struct hs_contents *c, const char *name,
                                        const struct expression_value *argument)
{
    size_t at;
    bool collection = c->shape == HS_CONTENTS_LIST || c->shape == HS_CONTENTS_QUEUE || c->shape == HS_CONTENTS_SET;
    bool map = c->shape == HS_CONTENTS_MAP, get = strcmp(name, "get") == 0;
    if (argument == NULL) {
        if (c->shape == HS_CONTENTS_VALUE && get && c->entry_count == 1)
            return entry_value(c->entries[0]);
        if ((collection || map) && strcmp(name, "size") == 0)
            return expression_number('I', c->entry_count);
        return (collection || map) && strcmp(name, "isEmpty") == 0 ? expression_boolean(c->entry_count == 0)
                                                                   : expression_unknown;
    }
    if (get && c->shape == HS_CONTENTS_LIST)
        return argument->kind == 'I' && argument->bits < c->entry_count ? entry_value(c->entries[argument->bits])
                                                                        : expression_unknown;
    bool contains = strcmp(name, map ? "containsKey" : "contains") == 0 && (map || collection);
    if (!contains && !(map && get))
        return expression_unknown;
    enum sameness found = find(r, c, argument, &at);
    if (found == UNSURE)
        return expression_unknown;
    return contains        ? expression_boolean(found == SAME)
           : found == SAME ? entry_value(c->entries[at])
                           : expression_number(HS_KIND_REF, 0);
}

struct expression_value value_held(struct evaluation *r, uint32_t object, const char *type, const char *name,
                                   const struct expression_value *arguments, size_t n)
{
    static const char *const names[] = { "size", "isEmpty", "get", "contains", "containsKey" };
    const struct hs_contents *c;
    struct expression_value argument = expression_unknown, v;
    bool asked = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        asked |= strcmp(name, names[i]) == 0;
    if (!asked || n > 1 || (n == 1 && (!arguments[0].known || value_is_null(&arguments[0]))))
        return expression_unknown; /* null may be refused: execute/natives_collections.c */
    if (n == 1) {
        argument = value_unboxed(r, &arguments[0]);
        if (!argument.known)
            argument = arguments[0];
    }
    if (hs_contents_at(evaluating(r)->nav->trace, object, evaluating(r)->nav->seq, &c, NULL) <= 0 || !c->known)
        return expression_unknown;
    v = answered(r, c, name, n == 1 ? &argument : NULL);
    if (v.known)
        v.note = value_note_contents;
    if (v.known && v.kind == HS_KIND_REF)
        v.type = type_argument(evaluating(r)->nav->trace, type, evaluating_loader(r), c->shape == HS_CONTENTS_MAP);
    return v;
}
