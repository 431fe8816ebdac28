/* call_ends.c - see index.h. Calls still open at the limit are in the state there; of the others the index has those
 * that were open at the head of the chunk in which they ended (section_ends.c). Calls that begin and end in one chunk,
 * and all calls without an index, are found by a replay from the moment on. */
#include <stdlib.h>

#include "reader/index/sections.h"

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* Marks the calls that are open in this state. */
static void mark_open(const struct replay *f, struct call_end *ends, size_t count)
{
    for (size_t i = 0, at = 0; i < count; i++) {
        while (at < f->stack.count && f->stack.items[at].entry != ends[i].entry)
            at++;
        if (at == f->stack.count)
            return;
        ends[i].exit = CALL_OPEN;
        ends[i].calls = f->stack.items[at].calls;
    }
}

static bool any_unknown(const struct call_end *ends, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ends[i].exit == CALL_UNKNOWN)
            return true;
    return false;
}

/* Notes the ends of the frames above the current stack, of `before` that were open, with event i of a chunk; `gap`: or
 * in the gap before it. */
static void note_ends(const struct replay *f, size_t before, bool gap, const struct loaded *l, uint32_t i,
                      struct call_end *ends, size_t count)
{
    for (size_t at = f->stack.count; at < before; at++) {
        const struct call_frame *gone = &f->stack.items[at]; /* not written over yet */
        for (size_t k = 0; k < count; k++)
            if (ends[k].entry == gone->entry && ends[k].exit == CALL_UNKNOWN) {
                bool exited = !gap && call_ended(effects_get(f->trace, l->ids[i]), at == f->stack.count);
                ends[k].exit = l->chunk->before + i;
                ends[k].calls = gone->calls;
                ends[k].dataid = exited ? l->ids[i] : UINT32_MAX;
                ends[k].value = l->values[i];
            }
    }
}

static enum status walk(struct replay *f, uint64_t limit, struct call_end *ends, size_t count, struct error *err)
{
    hs_trace *t = f->trace;
    while (f->position < limit && any_unknown(ends, count)) {
        const struct loaded *l;
        const struct chunk_ref *c = positions_chunk(t, (struct event_position){ f->stream, f->position });
        enum status st = c == NULL ? ERR_NOT_FOUND : positions_load(t, c, CHUNK_ALL, &l, err);
        if (st != OK)
            return st == ERR_NOT_FOUND ? OK : st;
        uint64_t end = c->before + c->count < limit ? c->before + c->count : limit;
        while (f->position < end && f->position - c->before < l->count && !f->no_memory) {
            uint32_t i = (uint32_t)(f->position - c->before);
            size_t before = f->stack.count;
            replay_gap(f, l->stamps[i]);
            if (f->stack.count < before)
                note_ends(f, before, true, l, i, ends, count);
            before = f->stack.count;
            replay_apply(f, l->ids[i], l->values[i], l->stamps[i]);
            if (f->stack.count < before)
                note_ends(f, before, false, l, i, ends, count);
        }
        if (f->no_memory)
            return no_memory(t, err);
        f->position = end; /* a chunk that cannot be read is skipped */
    }
    return OK;
}

enum status call_ends_find(hs_trace *t, uint32_t stream, uint64_t position, uint64_t limit, struct call_end *ends,
                           size_t count, struct error *err)
{
    const struct replay *last;
    struct replay f;
    for (size_t i = 0; i < count; i++)
        ends[i] = (struct call_end){ .entry = ends[i].entry, .exit = CALL_UNKNOWN, .dataid = UINT32_MAX };
    index_wish(t);
    enum status st = frames_at(t, (struct event_position){ stream, limit }, &last, err);
    if (st != OK)
        return st;
    mark_open(last, ends, count);
    if (!any_unknown(ends, count))
        return OK;
    st = ends_find(t, stream, position, ends, count);
    if ((st != OK && st != ERR_NOT_FOUND) || !any_unknown(ends, count))
        return st;
    if (st == OK) { /* calls that are not in the index ended in the chunk of the moment */
        const struct chunk_ref *c = positions_chunk(t, (struct event_position){ stream, position });
        limit = c != NULL && c->before + c->count < limit ? c->before + c->count : limit;
    }
    replay_init(&f, t, stream);
    st = frames_copy(t, (struct event_position){ stream, position }, &f, err);
    if (st != OK)
        goto out;
    st = walk(&f, limit, ends, count, err);
out:
    replay_done(&f);
    return st;
}
