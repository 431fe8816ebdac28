/* tree_skip.c - see tree_skip.h. */
#include "reader/query/tree_skip.h"

#include <string.h>

void tree_skip_init(struct tree_skip *s, hs_trace *t, uint32_t stream)
{
    *s = (struct tree_skip){ .trace = t, .stream = stream };
    s->off = stream == UINT32_MAX || t->intervals.count > 0 || !index_present(t);
    if (!s->off)
        frame_scan_init(&s->scan, t, stream);
}

void tree_skip_done(struct tree_skip *s)
{
    if (s->scan.frames.trace != NULL)
        frame_scan_done(&s->scan);
    vec_free(&s->frames);
    vec_free(&s->found);
}

/* The next frame whose entry was recorded, from *at on; NULL: there is no more. */
static const struct call_frame *next_frame(const struct replay *state, size_t *at)
{
    while (*at < state->stack.count && state->stack.items[*at].entry == NO_POSITION)
        ++*at;
    return *at < state->stack.count ? &state->stack.items[(*at)++] : NULL;
}

/* Are the calls open before the chunk? Then `found` gets all that are open there. */
static bool same_before(struct tree_skip *s, size_t chunk)
{
    const struct replay *state = frame_scan_to(&s->scan, chunk);
    const struct call_frame *f;
    size_t at = 0, n = 0;
    if (state == NULL)
        return false;
    while (n < s->frames.count) {
        f = next_frame(state, &at);
        if (f == NULL || f->entry != s->frames.items[n].entry || f->method != s->frames.items[n].method_id)
            return false;
        n++;
    }
    if (!vec_extend(&s->found, state->stack.count))
        return false;
    memcpy(s->found.items, s->frames.items, n * sizeof *s->frames.items);
    for (; (f = next_frame(state, &at)) != NULL; n++)
        s->found.items[n] = (struct skip_frame){ f->method, f->entry };
    s->found.count = n;
    return true;
}

bool tree_skip_find(struct tree_skip *s, uint64_t position, uint64_t *to_seq)
{
    const struct thread_chunks *own = &s->trace->streams[s->stream];
    const struct chunk_ref *here = positions_chunk(s->trace, (struct event_position){ s->stream, position });
    struct error err;
    uint64_t stamp;
    if (here == NULL)
        return false;
    const struct chunk_ref *last = here, *end = own->chunks + own->count;
    while (last + 1 < end && same_before(s, (size_t)(last + 1 - own->chunks)))
        last++;
    s->check_at = last->before + last->count;
    if (last == here)
        return false;
    struct event_position at = { s->stream, last->before };
    if (positions_stamp(s->trace, at, &stamp, &err) != OK || positions_seq(s->trace, at, stamp, to_seq, &err) != OK) {
        s->off = true; /* of a chunk that cannot be read */
        return false;
    }
    return true;
}
