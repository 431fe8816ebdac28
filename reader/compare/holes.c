/* holes.c - see diff.h. Calls of which percall= left events out. */
#include "reader/compare/diff.h"

bool diff_is_hole(const struct diff_site *site) { return event_has(site->event, USE_LEFT_OUT); }

bool diff_hole_at(const struct diff_holes *h, size_t depth)
{
    return h->depths.count > 0 && h->depths.items[h->depths.count - 1] == depth;
}

bool diff_hole_add(struct diff *d, struct diff_holes *h, size_t depth, bool *added)
{
    *added = !diff_hole_at(h, depth);
    uint64_t *to = *added ? vec_push(&h->depths) : NULL;
    if (*added && to == NULL)
        return diff_no_memory(d);
    if (*added)
        *to = depth;
    return true;
}

void diff_hole_leave(struct diff_holes *h, size_t depth)
{
    while (h->depths.count > 0 && h->depths.items[h->depths.count - 1] > depth)
        h->depths.count--;
}
