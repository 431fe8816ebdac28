/* tree_equal.c - see tree_equal.h. */
#include "reader/query/tree_equal.h"

void tree_equal_init(struct tree_equal *s, hs_trace *t, uint32_t stream)
{
    *s = (struct tree_equal){ .scan.trace = t, .stream = stream };
    s->off = stream == UINT32_MAX || t->intervals.count > 0 || !index_present(t);
}

bool tree_equal_find(struct tree_equal *s, size_t depth, uint64_t last, uint64_t position, uint64_t until,
                     struct equal_calls *out)
{
    hs_trace *t = s->scan.trace;
    const struct thread_chunks *own = &t->streams[s->stream];
    const struct chunk_ref *here = positions_chunk(t, (struct event_position){ s->stream, position }), *c = here;
    const struct repeat_chunk *found = here != NULL ? repeats_of(&s->scan, here) : NULL;
    struct error err;
    uint64_t stamp;
    if (here == NULL)
        return false;
    if (found == NULL)
        s->check_at = here->before + here->count;
    if (found == NULL || found->depth != depth || last < here->before + found->begin)
        return false;
    struct repeat_chunk before = *found;
    uint64_t calls = before.calls - 1; /* `last` is the first of them */
    s->check_at = here->before + here->count;
    for (; c + 1 < own->chunks + own->count; c++) {
        found = repeats_of(&s->scan, c + 1);
        if (found == NULL || !repeats_go_on(&before, found) || c[1].before + found->begin > until)
            break;
        if (c > here)
            calls += before.calls;
        calls += found->head.count > 0;
        before = *found;
    }
    if (c == here)
        return false;
    s->check_at = c->before + c->count;
    const struct event_position at = { s->stream, c->before + before.begin };
    if (positions_stamp(t, at, &stamp, &err) != OK || positions_seq(t, at, stamp, &out->seq, &err) != OK) {
        s->off = true; /* of a chunk that cannot be read */
        return false;
    }
    out->calls = calls;
    return true;
}
