/* stretches.c - hs_stretches_open: the pieces of the index (index/lanes.c) as rows, with the calls open before each. */
#include <stdlib.h>

#include "reader/index/index.h"
#include "reader/stream/stream.h"

struct stretch_cursor {
    hs_cursor base;
    hs_trace *trace;
    struct lanes lanes;
    uint64_t from, to;
    size_t next;
    lane_frame_vec frames;
    u32_vec methods; /* as the row shows them */
    u64_vec entries;
    struct hs_stretch row;
    struct hs_pause pause;
};

static int no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

/* Copies the frames into the lists of the row. */
static bool show_frames(struct stretch_cursor *c)
{
    size_t n = c->frames.count;
    if (!vec_reserve(&c->methods, n + 1) || !vec_reserve(&c->entries, n + 1))
        return false;
    for (size_t i = 0; i < n; i++) {
        c->methods.items[i] = c->frames.items[i].method;
        c->entries.items[i] = c->frames.items[i].entry != NO_POSITION ? c->frames.items[i].entry : HS_NO_SEQ;
    }
    c->row.frame_count = n;
    c->row.methods = c->methods.items;
    c->row.entries = c->entries.items;
    return true;
}

/* The event before the next piece of the thread. One that was not loaded begins behind `to`. */
static uint64_t last_event(const struct stretch_cursor *c, const struct lane_piece *p)
{
    const struct lane_piece *next = p + 1, *end = c->lanes.pieces.items + c->lanes.pieces.count;
    uint64_t last = hs_event_count(c->trace) - 1;
    if (p->events == 0)
        return p->seq;
    if (next == end || next->stream != p->stream)
        last = c->to < last ? c->to : last;
    else
        last = next->pause != SIZE_MAX ? c->lanes.pauses.items[next->pause].begin : next->seq - 1;
    return last > p->seq ? last : p->seq;
}

static void show_piece(struct stretch_cursor *c, const struct lane_piece *p)
{
    hs_trace *t = c->trace;
    c->row = (struct hs_stretch){ .thread = t->streams[p->stream].thread,
                                  .seq = p->seq,
                                  .position = p->position,
                                  .begin_ns = p->ns != 0 ? p->ns : HS_NO_TIME,
                                  .events = p->events,
                                  .calls = p->calls,
                                  .exceptions = p->exceptions,
                                  .depth = p->depth,
                                  .least = p->least,
                                  .most = p->most,
                                  .last = last_event(c, p) };
    if (p->pause == SIZE_MAX)
        return;
    const struct lane_pause *x = &c->lanes.pauses.items[p->pause];
    c->pause = (struct hs_pause){ .ns = x->ns,
                                  .begin = x->begin,
                                  .dataid = x->dataid,
                                  .value = x->value,
                                  .kind = (char)(t->kinds[x->dataid] & 0x7f) };
    c->row.pause = &c->pause;
}

static int next_stretch(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct stretch_cursor *c = (struct stretch_cursor *)base;
    while (c->next < c->lanes.pieces.count) {
        const struct lane_piece *p = &c->lanes.pieces.items[c->next++];
        if (!lanes_frames(c->trace, &c->lanes, p, &c->frames))
            return give(error, &(struct error){ .status = ERR_FORMAT, .text = "the index is damaged: delete it" });
        bool same_thread = c->next < c->lanes.pieces.count && p[1].stream == p->stream;
        if (p->seq > c->to || (same_thread && p[1].seq <= c->from))
            continue;
        show_piece(c, p);
        if (!show_frames(c))
            return no_memory(error);
        *row = &c->row;
        return 1;
    }
    return 0;
}

static void close_stretches(hs_cursor *base)
{
    struct stretch_cursor *c = (struct stretch_cursor *)base;
    lanes_done(&c->lanes);
    vec_free(&c->frames);
    vec_free(&c->methods);
    vec_free(&c->entries);
    free(c);
}

static const struct cursor_ops stretch_ops = { .row = ROW_stretch, .next = next_stretch, .close = close_stretches };

int hs_stretches_open(hs_trace *trace, uint64_t from, uint64_t to, hs_cursor **out, struct hs_error *error)
{
    struct error err = { 0 };
    struct stretch_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        return no_memory(error);
    c->base.ops = &stretch_ops;
    c->trace = trace;
    c->from = from;
    c->to = to;
    if (lanes_load(trace, from, to, LANE_PIECES_MOST, &c->lanes, &err) != OK) {
        close_stretches(&c->base);
        return give(error, &err);
    }
    *out = &c->base;
    return 0;
}
