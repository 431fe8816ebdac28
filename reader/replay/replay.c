/* replay.c - see replay.h. The keyframe's bytes: varints only, written and read in the same order at the end of this
 * file. */
#include "reader/replay/replay.h"
#include "reader/index/index.h"

#include <stdlib.h>
#include <string.h>

void replay_init(struct replay *f, hs_trace *t, uint32_t stream)
{
    *f = (struct replay){ .trace = t, .stream = stream };
}

void replay_done(struct replay *f)
{
    vec_free(&f->stack);
    vec_free(&f->locals);
    vec_free(&f->monitors);
}

void replay_clear(struct replay *f)
{
    f->stack.count = f->locals.count = f->monitors.count = 0;
    f->position = f->gap = 0;
    f->untouched = 0;
}

/* ---- replay ---- */

static struct call_frame *push(struct replay *f, uint32_t method, uint64_t entry, uint32_t entry_id)
{
    uint32_t slots = effects_slots(f->trace, method);
    size_t first = f->locals.count;
    struct call_frame *frame = vec_push(&f->stack);
    if (frame == NULL || !vec_reserve(&f->locals, first + slots)) {
        f->no_memory = true;
        f->stack.count -= frame != NULL;
        return NULL;
    }
    for (uint32_t i = 0; i < slots; i++)
        f->locals.items[first + i].id = UINT32_MAX;
    f->locals.count += slots;
    *frame = (struct call_frame){ .method = method,
                                  .entry = entry,
                                  .entry_id = entry_id,
                                  .last = f->position,
                                  .last_id = entry_id,
                                  .first_local = first,
                                  .local_count = slots };
    return frame;
}

/* The frames from `count` on are gone, with all that they held. */
static void cut_to(struct replay *f, size_t count)
{
    f->locals.count = f->stack.items[count].first_local;
    f->stack.count = count;
    while (f->monitors.count > 0 && f->monitors.items[f->monitors.count - 1].depth >= count)
        f->monitors.count--;
}

static void pop_to(struct replay *f, size_t count)
{
    cut_to(f, count);
    if (count < f->untouched + 1)
        f->untouched = count > 0 ? count - 1 : 0;
}

/* The frame of this method that an event belongs to: what lies above it was left unseen. If there is none, the method
 * was entered before the recording began. */
static struct call_frame *own_frame(struct replay *f, uint32_t method)
{
    size_t n = f->stack.count;
    if (n > 0 && f->stack.items[n - 1].method == method)
        return &f->stack.items[n - 1];
    while (n > 0 && f->stack.items[n - 1].method != method)
        n--;
    if (n == 0)
        return push(f, method, NO_POSITION, UINT32_MAX);
    pop_to(f, n);
    return &f->stack.items[n - 1];
}

static void set_local(struct replay *f, struct call_frame *frame, const struct effect *effect, uint32_t id,
                      uint64_t value)
{
    while (effect->slot >= frame->local_count) { /* the class was read after the frame was entered; it is on top */
        struct local *l = vec_push(&f->locals);
        if (l == NULL) {
            f->no_memory = true;
            return;
        }
        l->id = UINT32_MAX;
        frame->local_count++;
    }
    struct local *l = &f->locals.items[frame->first_local + effect->slot];
    if (effect->op == EFFECT_READ && l->id != UINT32_MAX && l->value == value)
        return; /* the writer is the better witness */
    *l = (struct local){ .value = value, .position = f->position, .id = id };
}

static void lock(struct replay *f, uint64_t object, uint64_t stamp)
{
    struct monitor *m = vec_push(&f->monitors);
    if (m == NULL)
        f->no_memory = true;
    else
        *m = (struct monitor){ object, f->position, stamp, f->stack.count - 1 };
}

/* Gives back what the frame on top entered last, of this object. */
static void unlock(struct replay *f, uint64_t object)
{
    size_t n = f->monitors.count, depth = f->stack.count - 1;
    while (n > 0 && f->monitors.items[n - 1].depth == depth && f->monitors.items[n - 1].object != object)
        n--;
    if (n == 0 || f->monitors.items[n - 1].depth != depth)
        return; /* entered before the recording */
    memmove(&f->monitors.items[n - 1], &f->monitors.items[n], (f->monitors.count - n) * sizeof *f->monitors.items);
    f->monitors.count--;
}

void replay_gap(struct replay *f, uint64_t stamp)
{
    if (gap_passed(f->trace, &f->gap, stamp) && f->stack.count > 0)
        pop_to(f, 0);
}

void replay_apply(struct replay *f, uint32_t id, uint64_t value, uint64_t stamp)
{
    const struct effect *effect = effects_get(f->trace, id);
    struct call_frame *frame = NULL;
    replay_gap(f, stamp);
    size_t n = f->stack.count;
    if (effect->op == EFFECT_STRANGE) {
        f->position++;
        return;
    }
    if (effect->op == EFFECT_ENTER) {
        if (n > 0)
            f->stack.items[n - 1].calls++;
        frame = push(f, effect->method, f->position, id);
        if (frame != NULL)
            frame->entry_stamp = stamp;
        if (frame != NULL && (f->trace->kinds[id] & 0x7f) == KIND_REF && value != UINT64_MAX) {
            frame->has_self = true;
            frame->self = value;
        }
        f->position++;
        return;
    }
    if (effect->op == EFFECT_LEAVE) {
        while (n > 0 && f->stack.items[n - 1].method != effect->method)
            n--;
        if (n > 0)
            pop_to(f, n - 1);
        f->position++;
        return;
    }
    frame = own_frame(f, effect->method);
    if (frame != NULL) {
        frame->last = f->position;
        frame->last_id = id;
        if (effect->op == EFFECT_INITIALIZED) {
            frame->has_self = true;
            frame->self = value;
        } else if (effect->op == EFFECT_WRITE || effect->op == EFFECT_READ) {
            set_local(f, frame, effect, id, value);
        } else if (effect->op == EFFECT_LOCK) {
            lock(f, value, stamp);
        } else if (effect->op == EFFECT_UNLOCK) {
            unlock(f, value);
        }
    }
    f->position++;
}

/* ---- state at a moment ---- */

static enum status no_memory(const hs_trace *t, struct error *err)
{
    return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}

/* Applies the events from the state's position up to `until`. */
static enum status run_to(struct replay *f, uint64_t until, struct error *err)
{
    while (f->position < until) {
        const struct loaded *l;
        const struct chunk_ref *c = positions_chunk(f->trace, (struct event_position){ f->stream, f->position });
        if (c == NULL)
            return error_set(err, ERR_NOT_FOUND, "%s: no such event", f->trace->dir);
        enum status st = positions_load(f->trace, c, CHUNK_ALL, &l, err);
        if (st != OK)
            return st;
        uint64_t end = c->before + c->count < until ? c->before + c->count : until;
        while (f->position < end && f->position - c->before < l->count && !f->no_memory)
            replay_apply(f, l->ids[f->position - c->before], l->values[f->position - c->before],
                         l->stamps[f->position - c->before]);
        if (f->no_memory)
            return no_memory(f->trace, err);
        f->position = end; /* what cannot be read is passed over */
    }
    return OK;
}

enum status replay_at(hs_trace *t, struct event_position at, const struct replay **out, struct error *err)
{
    if (t->replay == NULL) {
        if ((t->replay = calloc(1, sizeof *t->replay)) == NULL)
            return no_memory(t, err);
        replay_init(t->replay, t, UINT32_MAX);
    }
    struct replay *f = t->replay;
    const struct thread_chunks *s = &t->streams[at.stream];
    if (at.position > s->events || !effects_ready(t))
        return error_set(err, ERR_NOT_FOUND, "%s: thread %u has no event %llu", t->dir, s->thread,
                         (unsigned long long)at.position);
    bool usable = f->stream == at.stream && f->position <= at.position, restored = false;
    uint64_t kept = usable ? f->position : 0;
    const struct chunk_ref *k = at.position == s->events ? s->chunks + s->count : positions_chunk(t, at) + 1;
    while (!restored && k-- > s->chunks && k->before > kept) { /* is there a later state to begin from? */
        struct replay fresh;
        replay_init(&fresh, t, at.stream);
        restored = index_keyframe(t, k, &fresh);
        if (restored) {
            replay_done(f);
            *f = fresh;
            f->position = k->before;
            f->gap = k > s->chunks ? gap_behind(t, k[-1].last_stamp) : 0;
        } else {
            replay_done(&fresh);
        }
    }
    if (!restored && !usable) {
        replay_clear(f);
        f->stream = at.stream;
    }
    enum status st = run_to(f, at.position, err);
    if (st != OK) {
        f->stream = UINT32_MAX;
        f->no_memory = false;
        return st;
    }
    /* the first event behind a gap finds nothing open */
    if (t->intervals.count > 0 && f->stack.count > 0 && at.position < s->events) {
        struct hs_event next;
        if (positions_event(t, at, &next, err) == OK && next.stamp >= f->gap)
            pop_to(f, 0);
    }
    *out = f;
    return OK;
}

void replay_forget(hs_trace *t)
{
    if (t->replay == NULL)
        return;
    replay_done(t->replay);
    free(t->replay);
    t->replay = NULL;
}

/* ---- walking back in one frame ---- */

void frame_walk_begin(struct frame_walk *w, hs_trace *t, struct event_position at, const struct call_frame *frame)
{
    *w = (struct frame_walk){ .trace = t,
                              .stream = at.stream,
                              .method = frame->method,
                              .entry = frame->entry,
                              .position = at.position,
                              .begin = NO_POSITION };
}

/* At the head of a chunk, inside of calls: where was the frame's own latest event? */
static void jump(struct frame_walk *w)
{
    const struct chunk_ref *c = positions_chunk(w->trace, (struct event_position){ w->stream, w->position });
    struct replay state;
    if (c == NULL || c->before != w->position || w->entry == NO_POSITION || w->entry >= c->before)
        return;
    replay_init(&state, w->trace, w->stream);
    if (index_keyframe(w->trace, c, &state))
        for (size_t i = state.stack.count; i-- > 0;)
            if (state.stack.items[i].entry == w->entry && i + 1 == state.stack.count - w->depth) {
                w->position = state.stack.items[i].last + 1;
                w->depth = 0;
                break;
            }
    replay_done(&state);
}

enum status frame_walk_back(struct frame_walk *w, struct hs_event *out, struct error *err)
{
    while (!w->done && w->position > 0 && (w->entry == NO_POSITION || w->position > w->entry)) {
        if (w->depth > 0)
            jump(w);
        struct event_position at = { w->stream, --w->position };
        enum status st = positions_event(w->trace, at, out, err);
        if (st == ERR_NOT_FOUND)
            continue; /* a chunk that cannot be read */
        if (st != OK)
            return st;
        if (w->begin == NO_POSITION)
            w->begin = gap_before(w->trace, out->stamp);
        if (out->stamp < w->begin)
            break;
        const struct effect *f = effects_get(w->trace, out->dataid);
        if (f->op == EFFECT_LEAVE && (w->depth > 0 || w->position != w->entry)) {
            w->depth++;
            continue;
        }
        if (f->op == EFFECT_ENTER && w->depth > 0) {
            w->depth--;
            continue;
        }
        if (w->depth > 0 || f->op == EFFECT_STRANGE || f->method != w->method)
            continue;
        w->done = f->op == EFFECT_ENTER;
        return OK;
    }
    w->done = true;
    return ERR_NOT_FOUND;
}

/* ---- keyframes ---- */

void replay_encode(const struct replay *f, size_t shared, struct writer *w)
{
    uint64_t before = shared > 0 ? f->stack.items[shared - 1].last : 0;
    /* of the last frame whose entry is known */
    uint64_t stamp = shared > 0 ? f->stack.items[shared - 1].entry_stamp : 0;
    size_t first = 0, end; /* monitors of the frame */
    while (first < f->monitors.count && f->monitors.items[first].depth < shared)
        first++;
    write_varint(w, shared);
    write_varint(w, f->stack.count);
    for (size_t i = shared; i < f->stack.count; i++) {
        const struct call_frame *k = &f->stack.items[i];
        bool known = k->entry != NO_POSITION;
        uint32_t set = 0;
        for (uint32_t n = 0; n < k->local_count; n++)
            set += f->locals.items[k->first_local + n].id != UINT32_MAX;
        for (end = first; end < f->monitors.count && f->monitors.items[end].depth == i;)
            end++;
        write_varint(w, (uint64_t)k->method << 3 | (end > first ? 4u : 0u) | (unsigned)known << 1 | k->has_self);
        if (known) {
            write_svarint(w, (int64_t)(k->entry - before));
            write_varint(w, k->entry_id);
            write_svarint(w, (int64_t)(k->entry_stamp - stamp));
            stamp = k->entry_stamp;
        }
        if (k->has_self)
            write_varint(w, k->self);
        write_svarint(w, (int64_t)(k->last - (known ? k->entry : before)));
        write_varint(w, (uint64_t)k->last_id + 1); /* UINT32_MAX: none */
        write_varint(w, k->calls);
        write_varint(w, k->local_count);
        write_varint(w, set);
        for (uint32_t n = 0; n < k->local_count; n++) {
            const struct local *l = &f->locals.items[k->first_local + n];
            if (l->id == UINT32_MAX)
                continue;
            write_varint(w, n);
            write_svarint(w, (int64_t)l->id - (int64_t)k->last_id);
            write_svarint(w, (int64_t)l->value);
            write_svarint(w, (int64_t)(k->last - l->position));
        }
        if (end > first)
            write_varint(w, end - first);
        for (; first < end; first++) {
            write_varint(w, f->monitors.items[first].object);
            write_svarint(w, (int64_t)(k->last - f->monitors.items[first].position));
            write_svarint(w, (int64_t)(f->monitors.items[first].stamp - stamp));
        }
        before = k->last;
    }
}

enum status replay_decode(struct replay *f, const void *data, size_t size, struct error *err)
{
    struct reader r = reader_of(data, size);
    uint64_t shared = read_varint(&r), count = read_varint(&r);
    if (r.bad || shared > f->stack.count || count < shared || count - shared > size)
        return error_set(err, ERR_FORMAT, "a keyframe is damaged");
    if (shared < f->stack.count)
        cut_to(f, shared);
    uint64_t before = shared > 0 ? f->stack.items[shared - 1].last : 0;
    uint64_t stamp = shared > 0 ? f->stack.items[shared - 1].entry_stamp : 0;
    for (uint64_t i = shared; i < count && !r.bad; i++) {
        uint64_t head = read_varint(&r);
        bool known = (head & 2) != 0;
        struct call_frame k = { .method = (uint32_t)(head >> 3),
                                .entry = NO_POSITION,
                                .entry_id = UINT32_MAX,
                                .has_self = (head & 1) != 0,
                                .first_local = f->locals.count };
        if (known) {
            k.entry = before + (uint64_t)read_svarint(&r);
            k.entry_id = (uint32_t)read_varint(&r);
            k.entry_stamp = stamp += (uint64_t)read_svarint(&r);
        }
        if (k.has_self)
            k.self = read_varint(&r);
        k.last = (known ? k.entry : before) + (uint64_t)read_svarint(&r);
        k.last_id = (uint32_t)(read_varint(&r) - 1);
        k.calls = read_varint(&r);
        uint64_t slots = read_varint(&r), set = read_varint(&r);
        if (r.bad || slots > UINT16_MAX || set > slots)
            return error_set(err, ERR_FORMAT, "a keyframe is damaged");
        k.local_count = (uint32_t)slots;
        struct call_frame *to = vec_push(&f->stack);
        if (to == NULL || !vec_reserve(&f->locals, f->locals.count + slots))
            return error_set(err, ERR_MEMORY, "out of memory");
        *to = k;
        for (uint64_t n = 0; n < slots; n++)
            f->locals.items[f->locals.count++].id = UINT32_MAX;
        for (uint64_t n = 0; n < set && !r.bad; n++) {
            uint64_t slot = read_varint(&r);
            if (slot >= slots)
                return error_set(err, ERR_FORMAT, "a keyframe is damaged");
            struct local *l = &f->locals.items[k.first_local + slot];
            l->id = (uint32_t)((int64_t)k.last_id + read_svarint(&r));
            l->value = (uint64_t)read_svarint(&r);
            l->position = k.last - (uint64_t)read_svarint(&r);
        }
        uint64_t held = (head & 4) != 0 ? read_varint(&r) : 0;
        for (uint64_t n = 0; n < held && !r.bad; n++) {
            struct monitor *m = vec_push(&f->monitors);
            if (m == NULL)
                return error_set(err, ERR_MEMORY, "out of memory");
            m->object = read_varint(&r);
            m->position = k.last - (uint64_t)read_svarint(&r);
            m->stamp = stamp + (uint64_t)read_svarint(&r);
            m->depth = f->stack.count - 1;
        }
        before = k.last;
    }
    return r.bad ? error_set(err, ERR_FORMAT, "a keyframe is damaged") : OK;
}
