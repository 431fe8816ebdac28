/* contents_bulk.c - what a call did with what another collection or an array holds; see contents.h. */
#include "reader/query/contents_entries.h"
#include "reader/query/state.h"

enum { COPIES_MAX = 500, SAME_MAX = CONTENTS_CALLS_MAX };

/* A collection as it was when the call began. */
static bool open_source(struct contents *c, const struct contents_op *op, uint32_t id, struct contents *source,
                        bool *keys)
{
    static const unsigned types[] = { EVENT_CALL_RETURN };
    struct walk w;
    struct hs_event e;
    struct outside_call origin;
    *keys = false;
    *source = (struct contents){ 0 };
    if (c->depth >= COPIES_MAX)
        c->effort->limit = "has added what was copied from one collection to the next more than 500 times";
    if (c->depth >= COPIES_MAX || id == 0)
        return false;
    const struct contents_class *k = contents_class_of(c->t, id);
    if (k == NULL) { /* a key set, or the values of a map */
        walk_open_types(&w, c->t, types, 1, id, op->from);
        bool found = walk_next(&w, &e) && outside_call_of(c->t, &e, &origin, NULL) == OK;
        (void)walk_close(&w, NULL);
        *keys = found && strcmp(outside_call_name(&origin), "keySet") == 0;
        if (!found || (!*keys && strcmp(outside_call_name(&origin), "values") != 0))
            return false;
        id = object_of(&origin.call);
        k = contents_class_of(c->t, id);
        if (k == NULL || (k->shapes & SHAPE_MAP) == 0)
            return false;
    }
    if ((k->shapes & (SHAPE_VALUE | SHAPE_TEXT)) != 0)
        return false;
    return c->replay(c, id, op->from, source) == OK && source->known;
}

static bool add(struct contents *c, const struct contents_op *op, struct hs_value value)
{
    size_t i;
    if (entries_are_set(c)) {
        enum sameness same = entries_find(c, value, NULL, false, false, &i);
        if (same == UNSURE)
            contents_lose(c, op, entries_unclear);
        if (same != DIFFERENT)
            return true;
    }
    return entries_insert(c, contents_count(c), entries_nothing, value, op->seq);
}

/* Are its entries in the order of the program, or can they be sorted so? */
static bool in_order(struct contents *source)
{
    return contents_count(source) < 2 || contents_ordered(source) ||
           ((source->class->shapes & SHAPE_SORTED) != 0 && contents_sort(source));
}

bool bulk_add_all(struct contents *c, const struct contents_op *op, uint32_t id, size_t where)
{
    struct contents source = { 0 };
    bool keys, done = true;
    bool known = open_source(c, op, id, &source, &keys);
    if (known && c->class->ordered)
        known = in_order(&source);
    if (!known)
        contents_lose(c, op, c->effort->limit != NULL ? c->effort->limit : "has added what is not known");
    bool middle = known && where < contents_count(c);
    for (size_t i = 0; known && done && c->known && i < contents_count(&source); i++) {
        const struct held *h = entries_at(&source, i);
        if (entries_are_map(c))
            done = map_entry_put(c, op, h->key, h->value);
        else if (middle)
            done = entries_insert(c, where + i, entries_nothing, keys ? h->key : h->value, op->seq);
        else
            done = add(c, op, keys ? h->key : h->value);
    }
    contents_done(&source);
    return done;
}

bool bulk_add_array(struct contents *c, const struct contents_op *op, uint32_t array)
{
    struct arena arena = { 0 };
    const struct hs_object_state *s;
    bool done = true;
    bool known = array != 0 && object_state(c->t, &arena, array, op->from, PART_ALL, &s, NULL) == OK && s->has_length &&
                 s->element_count == s->length;
    for (size_t i = 0; known && i < s->element_count; i++) /* the call itself is the only one that it was given to */
        known = s->elements[i]->index == i && (!s->elements[i]->stale || s->handed->seq >= op->from);
    if (!known)
        contents_lose(c, op, "was given an array that is not known");
    for (size_t i = 0; known && done && i < s->element_count; i++)
        done = add(c, op, (struct hs_value){ s->elements[i]->value, s->elements[i]->kind });
    arena_done(&arena);
    return done;
}

bool bulk_arguments(struct contents *c, const struct contents_op *op)
{
    const char *desc = op->site != NULL ? attribute_text(op->site, "desc") : NULL;
    const char *end = desc != NULL ? strchr(desc, ')') : NULL;
    bool done = true;
    contents_start(c);
    if (desc != NULL && desc[1] == '[') {
        c->array = (c->class->shapes & SHAPE_BACKED) != 0 ? (uint32_t)op->arguments[0].bits : 0;
        c->backed = op->seq;
        return bulk_add_array(c, op, (uint32_t)op->arguments[0].bits);
    }
    size_t count = 0;
    for (const char *s = desc; s != NULL && s < end; s++)
        count += *s == ';';
    if (count > op->argument_count)
        contents_lose(c, op, "was given more arguments than are looked at");
    const size_t step = op->effect == DO_PAIRS ? 2 : 1;
    for (size_t i = 0; done && c->known && i + step <= count; i += step)
        done = step == 2 ? map_entry_put(c, op, op->arguments[i], op->arguments[i + 1]) : add(c, op, op->arguments[i]);
    return done;
}

bool bulk_copies(struct contents *c, const struct contents_op *op)
{
    bool done = true;
    const uint64_t n = op->arguments[0].bits;
    contents_start(c);
    if (op->argument_count < 2 || n > SAME_MAX)
        contents_lose(c, op, "has made a list of more than a million elements");
    for (uint64_t i = 0; done && c->known && i < n; i++)
        done = entries_insert(c, i, entries_nothing, op->arguments[1], op->seq);
    return done;
}

/* A clone has the order of the other one, also if what that holds is not known. */
bool bulk_clone(struct contents *c, const struct contents_op *op, uint32_t id)
{
    struct contents source = { 0 };
    bool keys, done = true;
    contents_start(c);
    bool known = open_source(c, op, id, &source, &keys) && (!c->class->ordered || in_order(&source));
    c->compared = source.compared;
    c->by_access = source.by_access;
    c->order_unclear = source.class == NULL || source.order_unclear;
    if (!known)
        contents_lose(c, op, c->effort->limit != NULL ? c->effort->limit : "has copied what is not known");
    for (size_t i = 0; known && done && i < contents_count(&source); i++) {
        const struct held *h = entries_at(&source, i);
        done = entries_insert(c, i, h->key, h->value, op->seq);
    }
    contents_done(&source);
    return done;
}

/* A TreeSet takes the elements of a smaller argument out by its own order, which may call others equal. */
static bool equal_by_own_order(struct contents *c, struct hs_value v)
{
    const struct hs_object *o = v.bits != 0 && v.bits <= UINT32_MAX ? hs_object_get(c->t, (uint32_t)v.bits) : NULL;
    return (c->class->shapes & SHAPE_SORTED) == 0 ||
           (!contents_by_comparator(c) && o != NULL && (o->has_string || contents_is_box(o->type)));
}

void bulk_keep(struct contents *c, const struct contents_op *op, bool retain)
{
    struct contents other = { 0 };
    bool keys;
    size_t unused;
    if (op->result.bits == 0)
        return;
    if (!open_source(c, op, (uint32_t)op->arguments[0].bits, &other, &keys) || entries_are_map(&other)) {
        contents_lose(c, op, entries_unclear);
        contents_done(&other);
        return;
    }
    for (size_t i = contents_count(c); i-- > 0 && c->known;) {
        enum sameness same = entries_find(&other, entries_at(c, i)->value, NULL, false, false, &unused);
        if (same == UNSURE || (!retain && !equal_by_own_order(c, entries_at(c, i)->value)))
            contents_lose(c, op, entries_unclear);
        else if ((same == SAME) != retain)
            entries_take_out(c, i);
    }
    contents_done(&other);
}
