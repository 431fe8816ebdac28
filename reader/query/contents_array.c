/* contents_array.c - the list of Arrays.asList, whose elements are those of an array; see contents.h. */
#include "reader/query/contents.h"
#include "reader/query/state.h"

enum status contents_read_array(struct contents *c, struct error *err)
{
    struct arena arena = { 0 };
    const struct hs_object_state *s;
    enum status st = object_state(c->t, &arena, c->array, c->to, PART_ALL, &s, err);
    for (size_t i = 0; st == OK && c->known && i < s->element_count; i++) {
        const struct hs_member *m = s->elements[i];
        if (m->index >= contents_count(c))
            continue;
        struct held *h = &c->items.items[c->first + m->index];
        if (m->stale && s->handed->seq > c->backed) { /* Arrays.sort, or another list that has it */
            const struct contents_op op = { .seq = s->handed->seq, .site = hs_dataid_get(c->t, s->handed->dataid) };
            contents_lose(c, &op, "may have written to the array behind it");
        } else if (h->value.bits != m->value)
            *h = (struct held){ .value = { m->value, m->kind }, .seq = m->event->seq };
    }
    arena_done(&arena);
    return st;
}
