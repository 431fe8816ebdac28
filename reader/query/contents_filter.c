/* contents_filter.c - what removeIf took out of a collection: woven code that it calls is its condition, once for each
 * element.
 *
 *     CALL list.removeIf   METHOD_ENTRY lambda$0  METHOD_PARAM a  METHOD_NORMAL_EXIT true   ...   CALL_RETURN true
 *
 * Unless exactly that was recorded, for as many elements as there are and for each of them, the result is not known. */
#include "reader/query/contents_entries.h"

enum { EVENTS_MAX = 1000000 };

struct test {
    uint64_t element;
    bool holds;
};
struct tests {
    VEC(struct test) made;
    struct test now; /* the one under way: its element is the last reference that it was given */
    unsigned depth;  /* of woven calls */
    bool bad;
};

static void take(struct tests *s, const struct hs_event *e, unsigned event)
{
    if (event == EVENT_METHOD_ENTRY && s->depth++ == 0)
        s->now.element = e->kind == HS_KIND_REF ? e->value : 0;
    else if (event == EVENT_METHOD_PARAM && s->depth == 1 && e->kind == HS_KIND_REF)
        s->now.element = e->value;
    if (event != EVENT_METHOD_NORMAL_EXIT && event != EVENT_METHOD_EXCEPTIONAL_EXIT)
        return;
    s->bad |= s->depth == 0 || (s->depth == 1 && event == EVENT_METHOD_EXCEPTIONAL_EXIT);
    if (s->bad || --s->depth > 0)
        return;
    s->now.holds = e->value != 0;
    struct test *to = vec_push(&s->made);
    s->bad = to == NULL;
    if (to != NULL)
        *to = s->now;
}

static bool collect(struct contents *c, const struct contents_op *op, struct tests *out)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct walk w;
    const struct hs_event *e;
    uint32_t looked = 0;
    filter.from = op->from;
    filter.to = op->seq;
    walk_open_filter(&w, c->t, &filter);
    while (!out->bad && walk_step(&w, &e)) {
        out->bad = looked++ == EVENTS_MAX;
        if (e->thread == op->thread)
            take(out, e, event_type(c->t, e->dataid));
    }
    return walk_close(&w, NULL) == OK && !out->bad && out->depth == 0;
}

/* Has each entry its test? In a list they have the same order. */
static bool fits(const struct contents *c, const struct tests *s)
{
    if (s->made.count != contents_count(c))
        return false;
    for (size_t i = 0; i < s->made.count; i++) {
        size_t k = contents_ordered(c) ? i : 0;
        while (!contents_ordered(c) && k < s->made.count && entries_at(c, i)->value.bits != s->made.items[k].element)
            k++;
        if (k == s->made.count || entries_at(c, i)->value.bits != s->made.items[k].element)
            return false;
    }
    return true;
}

static bool is_taken(const struct contents *c, const struct tests *s, size_t i)
{
    if (contents_ordered(c))
        return s->made.items[i].holds;
    for (size_t k = 0; k < s->made.count; k++)
        if (s->made.items[k].element == entries_at(c, i)->value.bits)
            return s->made.items[k].holds;
    return false;
}

/* Sets and queues are compared each with each. */
enum { UNORDERED_MAX = 10000 };

bool contents_filter(struct contents *c, const struct contents_op *op)
{
    struct tests s = { 0 };
    const bool few = contents_ordered(c) || contents_count(c) <= UNORDERED_MAX;
    const bool known = few && collect(c, op, &s) && fits(c, &s);
    for (size_t i = known ? contents_count(c) : 0; i-- > 0;)
        if (is_taken(c, &s, i))
            entries_take_out(c, i);
    vec_free(&s.made);
    return known;
}
