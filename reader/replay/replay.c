/* replay.c - see replay.h. The keyframe's bytes: varints only, written and read in the same order at the end of this
 * file. */
#include "reader/replay/replay.h"

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

static void copy_items(void *to, const void *from, size_t count, size_t size)
{
    if (count > 0)
        memcpy(to, from, count * size);
}

bool replay_copy(struct replay *f, const struct replay *from)
{
    if (!vec_reserve(&f->stack, from->stack.count) || !vec_reserve(&f->locals, from->locals.count) ||
        !vec_reserve(&f->monitors, from->monitors.count)) {
        f->stream = UINT32_MAX;
        return false;
    }
    const struct replay own = *f;
    *f = *from;
    f->stack.items = own.stack.items;
    f->stack.cap = own.stack.cap;
    f->locals.items = own.locals.items;
    f->locals.cap = own.locals.cap;
    f->monitors.items = own.monitors.items;
    f->monitors.cap = own.monitors.cap;
    copy_items(f->stack.items, from->stack.items, from->stack.count, sizeof *f->stack.items);
    copy_items(f->locals.items, from->locals.items, from->locals.count, sizeof *f->locals.items);
    copy_items(f->monitors.items, from->monitors.items, from->monitors.count, sizeof *f->monitors.items);
    return true;
}

/* Of all frames of a thread, half a gigabyte in a JVM: a few events can enter methods that have 65,535 locals. */
enum { LOCALS_MAX = 1 << 26 };

/* ---- replay ---- */

static struct call_frame *push(struct replay *f, uint32_t method, uint64_t entry, uint32_t entry_id)
{
    uint32_t slots = effects_slots(f->trace, method);
    size_t first = f->locals.count;
    struct call_frame *frame = vec_push(&f->stack);
    if (frame == NULL || first + slots > LOCALS_MAX || !vec_reserve(&f->locals, first + slots)) {
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

/* Removes the frames from `count` on with their locals and monitors. */
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

/* The frame of this method that an event belongs to: frames above it ended without an event. If there is none, the
 * method was entered before the recording began. */
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
                      uint64_t value, uint64_t position)
{
    while (effect->slot >=
           frame->local_count) { /* its class was loaded after the frame was entered; the frame is on top */
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
        return; /* a value recorded by its writer takes precedence */
    *l = (struct local){ .value = value, .position = position, .id = id };
}

static void lock(struct replay *f, uint64_t object, uint64_t stamp)
{
    struct monitor *m = vec_push(&f->monitors);
    if (m == NULL)
        f->no_memory = true;
    else
        *m = (struct monitor){ object, f->position, stamp, f->stack.count - 1 };
}

/* Removes the monitor of this object that the frame on top entered last. */
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

/* Events of the frame on top are missing: its locals and the monitors that it entered are not known any more. */
static void forget(struct replay *f, const struct call_frame *frame)
{
    for (uint32_t i = 0; i < frame->local_count; i++)
        f->locals.items[frame->first_local + i].id = UINT32_MAX;
    while (f->monitors.count > 0 && f->monitors.items[f->monitors.count - 1].depth + 1 == f->stack.count)
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
            set_local(f, frame, effect, id, value, f->position);
        } else if (effect->op == EFFECT_LOCK) {
            lock(f, value, stamp);
        } else if (effect->op == EFFECT_UNLOCK) {
            unlock(f, value);
        } else if (effect->op == EFFECT_LEFT_OUT) {
            forget(f, frame);
        }
    }
    f->position++;
}

uint32_t replay_run(struct replay *f, const uint32_t *ids, const uint64_t *values, const uint64_t *stamps,
                    uint32_t count, const bool *stop)
{
    const struct effect *rows = effects_known(f->trace);
    if (rows == NULL || f->stack.count == 0 || count == 0 || stamps[0] >= f->gap)
        return 0;
    struct call_frame *frame = &f->stack.items[f->stack.count - 1];
    uint32_t n = 0;
    for (; n < count && stamps[n] == stamps[0]; n++) {
        const struct effect *effect = &rows[ids[n]];
        if (effect->method != frame->method || stop[effect->event])
            break;
        if (effect->op == EFFECT_WRITE || effect->op == EFFECT_READ)
            set_local(f, frame, effect, ids[n], values[n], f->position + n);
        else if (effect->op != EFFECT_INSIDE)
            break;
    }
    if (n > 0) {
        frame->last = f->position + n - 1;
        frame->last_id = ids[n - 1];
        f->position += n;
    }
    return n;
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
        if (to == NULL || f->locals.count + slots > LOCALS_MAX || !vec_reserve(&f->locals, f->locals.count + slots))
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
