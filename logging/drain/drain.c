/* drain.c - see drain.h. The inner loop is part of a long recording's hot path: a word in, columns out. */
#include "logging/drain/drain.h"

#include <stdlib.h>
#include <string.h>

enum {
    THREADS_MAX = 1 << 24, /* a greater number is damage, not a thread: tables are as long as numbers are great */
};

enum status drain_init(struct drain *d, struct store *store, bool timed, struct error *err)
{
    *d = (struct drain){ .store = store, .timed = timed, .until = UINT64_MAX, .encoder = chunk_encoder_new() };
    d->columns.ids = malloc(CHUNK_EVENTS_MAX * sizeof *d->columns.ids);
    d->columns.values = malloc(CHUNK_EVENTS_MAX * sizeof *d->columns.values);
    d->columns.stamps = malloc(CHUNK_EVENTS_MAX * sizeof *d->columns.stamps);
    d->columns.times = timed ? malloc(CHUNK_EVENTS_MAX * sizeof *d->columns.times) : NULL;
    d->order = malloc(CHUNK_EVENTS_MAX * sizeof *d->order);
    if (d->order == NULL || d->encoder == NULL || d->columns.ids == NULL || d->columns.values == NULL ||
        d->columns.stamps == NULL || (timed && d->columns.times == NULL))
        return error_set(err, ERR_MEMORY, "no memory for the drain");
    return OK;
}

void drain_done(struct drain *d)
{
    if (d->encoder != NULL)
        chunk_encoder_free(d->encoder);
    free(d->columns.ids);
    free(d->columns.values);
    free(d->columns.stamps);
    free(d->columns.times);
    free(d->order);
    vec_free(&d->thread_events);
    vec_free(&d->positions);
    for (size_t i = 0; i < d->frames.count; i++)
        vec_free(&d->frames.items[i].stack);
    vec_free(&d->frames);
    vec_free(&d->objects);
    for (size_t i = 0; i < d->carried.count; i++)
        writer_free(&d->carried.items[i].text);
    vec_free(&d->carried);
    writer_free(&d->text);
    writer_free(&d->blob);
}

static uint64_t *thread_events(struct drain *d, uint32_t thread)
{
    if (thread >= d->thread_events.count) {
        if (!vec_reserve(&d->thread_events, (size_t)thread + 1))
            return NULL;
        memset(d->thread_events.items + d->thread_events.count, 0,
               (thread + 1 - d->thread_events.count) * sizeof(uint64_t));
        d->thread_events.count = (size_t)thread + 1;
    }
    return &d->thread_events.items[thread];
}

static struct super_calls *super_calls(struct drain *d, uint32_t thread)
{
    if (thread >= d->frames.count) {
        if (!vec_reserve(&d->frames, (size_t)thread + 1))
            return NULL;
        memset(d->frames.items + d->frames.count, 0, (thread + 1 - d->frames.count) * sizeof *d->frames.items);
        d->frames.count = (size_t)thread + 1;
    }
    return &d->frames.items[thread];
}

/* The chunk as rows of the store. */
static enum status store_chunk(struct drain *d, uint64_t first_event, struct error *err)
{
    uint32_t n = d->columns.count;
    d->blob.size = 0;
    enum status s = chunk_encode(d->encoder, d->kinds, &d->columns, &d->blob, err);
    if (s != OK)
        return s;
    struct chunk_info info = {
        .thread = d->thread,
        .count = n,
        .first_stamp = d->columns.stamps[0],
        .last_stamp = d->columns.stamps[n - 1],
        .first_event = first_event,
        .bytes = (uint32_t)d->blob.size,
        .desc = d->desc,
    };
    s = store_put(d->store, DB_CHUNK, d->next_chunk, d->blob.data, d->blob.size, err);
    d->blob.size = 0;
    chunk_info_encode(&info, &d->blob);
    if (s == OK)
        s = store_put(d->store, DB_CHUNKDIR, d->next_chunk, d->blob.data, d->blob.size, err);
    if (s == OK)
        d->next_chunk++;
    return s;
}

/* Tells the bound which objects the chunk shows. */
static bool tell_bound(struct drain *d)
{
    const struct chunk_columns *c = &d->columns;
    for (uint32_t i = 0; i < c->count; i++)
        if ((d->kinds.letters[c->ids[i]] & (uint8_t)~KIND_JOINED) == KIND_REF && c->values[i] <= UINT32_MAX &&
            c->values[i] != 0 && !bound_shows(d->bound, c->values[i], d->next_chunk))
            return false;
    return true;
}

/* The chunk as the sink's state has it. */
static enum status sink_chunk(struct drain *d, uint64_t first_event, struct error *err)
{
    for (uint32_t i = 0; i < d->columns.count && d->sink->ordered && !d->counted; i++)
        d->order[i] = sink_order(first_event + i);
    struct sink_batch b = { &d->columns, d->windows, d->roles, d->order, d->thread };
    enum status s = d->sink->take(d->state, &b, err);
    uint64_t *events = s == OK ? state_number(d->state, STATE_THREAD, d->thread) : NULL;
    if (events == NULL)
        return s != OK ? s : (*err = d->state->error).status;
    *events += d->columns.count;
    if (d->counters != NULL)
        counter_tables_learn(d->counters, d->desc, d->thread, &d->columns, d->kinds.letters, d->roles);
    return OK;
}

static enum status keep_chunk(struct drain *d, struct error *err)
{
    uint32_t n = d->columns.count;
    uint64_t *before = thread_events(d, d->thread);
    if (before == NULL)
        return error_set(err, ERR_MEMORY, "no memory for thread %u", d->thread);
    if (d->bound != NULL && !tell_bound(d))
        return error_set(err, ERR_MEMORY, "no memory for what chunks show");
    enum status s = d->sink != NULL ? sink_chunk(d, *before, err) : store_chunk(d, *before, err);
    if (s != OK)
        return s;
    *before += n;
    d->events += n;
    return OK;
}

/* A chunk that cannot be kept is lost, and so is what follows: it is counted to the end of the group, which then fails.
 */
static void flush_chunk(struct drain *d)
{
    if (d->windows != NULL)
        windows_filter(d->windows, &d->columns);
    if (d->columns.count > 0 && d->use != DRAIN_COUNT && keep_chunk(d, &d->error) != OK)
        d->use = DRAIN_COUNT;
    if (d->use == DRAIN_COUNT)
        d->lost += d->columns.count;
    d->columns.count = 0;
}

void drain_committed(struct drain *d)
{
    d->events_kept = d->events;
    d->imported = 0;
}

void drain_given_up(struct drain *d)
{
    d->lost += d->events - d->events_kept - d->imported;
    d->events = d->events_kept;
    d->imported = 0;
}

/* A reference that is there but not known: never an id, since ids have 31 bits. */
#define VALUE_UNKNOWN UINT64_MAX

/* The place of the exit inserted as the k-th before the event with that number; kept where numbers leave exits out.
 * False: no disk. */
static bool order_exit(struct drain *d, uint32_t n, uint64_t number, uint32_t k)
{
    enum { EXITS_MAX = 1 << 24 };
    d->order[n] = number << ORDER_BITS | (k < ORDER_EVENT ? k : ORDER_EVENT - 1);
    uint64_t count = d->state->head->rows[STATE_EXIT],
             *row = count < EXITS_MAX ? state_row(d->state, STATE_EXIT, count) : d->order;
    if (row != NULL && row != d->order) {
        row[0] = d->thread;
        row[1] = d->order[n];
    }
    return row != NULL;
}

/* Inserts METHOD_EXCEPTIONAL_EXIT for constructors that event `id` proves to have been left. The exception is the one
 * that is caught or passed on next, where the stream shows that: not when hooks kept events that came before. */
static void insert_exits(struct drain *d, struct super_calls *f, uint32_t id, uint64_t value, uint64_t number,
                         uint64_t time)
{
    uint8_t role = d->roles[id];
    uint32_t inserted = 0;
    d->unsure = d->counted && number != f->next_number;
    /* perhaps before the window of `id` began */
    bool between = d->windows != NULL && windows_next_begin(d->windows, f->last_stamp) <= d->stamp;
    while (super_calls_left(f, role)) {
        if (d->columns.count > CHUNK_EVENTS_MAX - 2 * JOURNAL_RECORD_EVENTS)
            flush_chunk(d);
        uint32_t exit = super_calls_top(f);
        uint32_t n = d->columns.count;
        while (exit < d->kinds.count && d->roles[exit] != ROLE_EXCEPTIONAL)
            exit++;
        super_calls_pop(f);
        if (d->counters != NULL)
            journal_super_left(d->counters->journal, d->desc, d->thread);
        if (exit == d->kinds.count || between)
            continue;
        d->columns.ids[n] = exit;
        d->columns.values[n] = (role == ROLE_EXCEPTIONAL || role == ROLE_CATCH) && !d->unsure ? value : VALUE_UNKNOWN;
        d->columns.stamps[n] = d->stamp;
        if (d->counted && d->use == DRAIN_STORE && !order_exit(d, n, number, inserted++)) {
            d->error = d->state->error;
            d->use = DRAIN_COUNT;
        }
        if (d->timed)
            d->columns.times[n] = time;
        d->columns.count++;
    }
}

/* After a CATCH: exits inserted right before its CATCH_LABEL were by this exception. */
static void complete_exits(struct drain *d, uint64_t exception)
{
    uint32_t n = d->columns.count;
    if (n == 0 || d->roles[d->columns.ids[n - 1]] != ROLE_CATCH_LABEL || d->unsure)
        return;
    for (n--; n > 0 && d->roles[d->columns.ids[n - 1]] == ROLE_EXCEPTIONAL && d->columns.values[n - 1] == VALUE_UNKNOWN;
         n--)
        d->columns.values[n - 1] = exception;
}

static struct object_entry *add_object(struct drain *d, uint32_t id, uint32_t class_id)
{
    struct object_entry *o = vec_push(&d->objects);
    if (o != NULL)
        *o = (struct object_entry){ .id = id, .class_id = class_id };
    return o;
}

/* REC_STRING and REC_THROWN: id and byte count, class id, flags and length, content. Pieces of one text follow each
 * other. Until the group ends the texts of an entry are offsets into d->text. */
static bool add_text(struct drain *d, const uint64_t *p, uint64_t words, bool thrown)
{
    if (words < 3)
        return false;
    uint32_t id = (uint32_t)p[0], bytes = (uint32_t)(p[0] >> 32);
    uint64_t length = p[2] >> 8, flags = p[2] & 0xff;
    if (((uint64_t)bytes + 7) / 8 > words - 3)
        return false;
    struct object_entry *o = d->objects.count > 0 ? &d->objects.items[d->objects.count - 1] : NULL;
    if (o == NULL || o->id != id || !d->text_continues) {
        o = add_object(d, id, (uint32_t)p[1]);
        if (o == NULL)
            return true;
        if (d->text.size == 0)
            write_u1(&d->text, 0); /* no text is at offset 0: it would look like none */
        *(thrown ? &o->thrown : &o->bytes) = (struct text){ (const char *)(uintptr_t)d->text.size, 0 };
        o->has_string = !thrown;
        o->latin1 = !thrown && (flags & STRING_LATIN1) != 0;
        o->length = thrown ? 0 : length;
        o->cut = !(flags & STRING_FIRST); /* its beginning died with the recorder */
    }
    o->cut |= (flags & STRING_CUT) != 0;
    write_bytes(&d->text, p + 3, bytes);
    *(thrown ? &o->thrown.size : &o->bytes.size) += bytes;
    d->text_continues = (flags & STRING_MORE) != 0;
    return true;
}

/* By id; of one id the earliest first. */
static int by_id(const void *a, const void *b)
{
    const struct object_entry *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (uintptr_t)x->thrown.data < (uintptr_t)y->thrown.data
               ? -1
               : (uintptr_t)x->thrown.data > (uintptr_t)y->thrown.data;
}

static void settle(struct drain *d, struct text *t)
{
    *t = t->size > 0 ? (struct text){ (const char *)d->text.data + (uintptr_t)t->data, t->size }
                     : (struct text){ "", 0 };
}

static enum status flush_objects(struct drain *d, struct error *err)
{
    enum status s = d->text.bad ? error_set(err, ERR_MEMORY, "no memory for strings") : OK;
    struct object_entry *o = d->objects.items;
    size_t count = 0;
    if (d->objects.count > 1)
        qsort(o, d->objects.count, sizeof *o, by_id);
    for (size_t i = 0; i < d->objects.count; i++) { /* what is told of an object last holds */
        if (count > 0 && o[count - 1].id == o[i].id)
            count--;
        o[count++] = o[i];
    }
    for (size_t i = 0; i < count && s == OK; i++) {
        settle(d, &o[i].bytes);
        settle(d, &o[i].thrown);
    }
    for (size_t i = 0, next; i < count && s == OK; i = next) {
        for (next = i + 1; next < count && o[next].id >> OBJECT_PAGE_BITS == o[i].id >> OBJECT_PAGE_BITS; next++) {
        }
        d->blob.size = 0;
        s = objects_encode(o + i, next - i, &d->blob, err);
        if (s == OK && d->bound != NULL && !bound_shows(d->bound, o[i].id, d->next_chunk))
            s = error_set(err, ERR_MEMORY, "no memory for what chunks show");
        if (s == OK)
            s = store_put(d->store, DB_OBJECT, object_key(o[i].id, d->next_fragment++), d->blob.data, d->blob.size,
                          err);
    }
    d->objects.count = 0;
    d->text.size = 0;
    return s;
}

bool drain_resume(struct drain *d, uint32_t desc, uint64_t position)
{
    if (desc >= d->positions.count) {
        if (!vec_reserve(&d->positions, (size_t)desc + 1))
            return false;
        memset(d->positions.items + d->positions.count, 0, (desc + 1 - d->positions.count) * sizeof(uint64_t));
        d->positions.count = (size_t)desc + 1;
    }
    d->positions.items[desc] = position;
    return true;
}

uint8_t drain_record_shape(const uint8_t *letters, const uint8_t *roles, uint32_t first, uint32_t count)
{
    unsigned k = 0, supers = 0;
    for (uint32_t id = first;; id++) {
        supers |= roles[id] == ROLE_SUPER || roles[id] == ROLE_SUPER_MARK ? RECORD_SUPER
                  : roles[id] == ROLE_SUPER_DONE                          ? RECORD_SUPER_DONE
                                                                          : 0;
        if (roles[id] == ROLE_SUPER_MARK || ++k >= JOURNAL_RECORD_EVENTS || id + 1 >= count ||
            !(letters[id + 1] & KIND_JOINED))
            return (uint8_t)(k | supers);
    }
}

/* Words of an event record: its head and the values of its data ID and of those joined to it. */
static uint64_t event_words(const struct drain *d, uint32_t id)
{
    uint64_t n = 1u + d->timed + d->numbered;
    unsigned k = 0;
    do
        n += (d->kinds.letters[id] & (uint8_t)~KIND_JOINED) != KIND_VOID && d->roles[id] != ROLE_SUPER_MARK;
    while (d->roles[id++] != ROLE_SUPER_MARK && id < d->kinds.count && (d->kinds.letters[id] & KIND_JOINED) &&
           ++k < JOURNAL_RECORD_EVENTS);
    return n;
}

/* Words of a record of the agent that is stored already. */
static uint64_t pass_agent_record(struct drain *d, const uint64_t *p, uint64_t words)
{
    uint32_t kind = (uint32_t)p[0] & 0xff;
    if (kind == REC_STRING || kind == REC_THROWN)
        return words < 4 ? 0 : 4 + ((p[1] >> 32) + 7) / 8;
    if (kind == REC_SWITCH && words > 1 && p[1] < THREADS_MAX)
        d->thread = (uint32_t)p[1];
    return 2;
}

/* A record of the agent at p (header word included). Returns its words, 0 if it makes no sense. */
static uint64_t agent_record(struct drain *d, const uint64_t *p, uint64_t words)
{
    uint32_t kind = (uint32_t)p[0] & 0xff;
    if (kind == REC_STRING || kind == REC_THROWN) {
        if (words < 4 || !add_text(d, p + 1, words - 1, kind == REC_THROWN))
            return 0;
        return 4 + ((p[1] >> 32) + 7) / 8;
    }
    if (words < 2)
        return 0;
    switch (kind) {
    case REC_OBJECT: (void)add_object(d, (uint32_t)p[1], (uint32_t)(p[1] >> 32)); return 2;
    case REC_SWITCH:
        if (p[1] >= THREADS_MAX)
            return 0;
        flush_chunk(d);
        d->thread = (uint32_t)p[1];
        return 2;
    case REC_LOST: d->lost += p[1]; return 2;
    default: return 0;
    }
}

/* The full stamp for its low half: the first one at or after the last. */
static inline uint64_t full_stamp(uint64_t last, uint32_t low)
{
    uint64_t full = (last & ~UINT64_C(0xffffffff)) | low;
    return full < last ? full + (UINT64_C(1) << 32) : full;
}

static enum status drain_buffer(struct drain *d, const struct drain_buffer *b, struct error *err)
{
    const uint64_t *p = (const uint64_t *)(b->head + 1), *end = (const uint64_t *)((const uint8_t *)b->head + b->used);
    const uint8_t *kinds = d->kinds.letters;
    const uint32_t kind_count = d->kinds.count;
    const uint64_t extra = (uint64_t)d->timed + d->numbered;
    enum status s = OK;
    if (b->head->thread >= THREADS_MAX) {
        d->lost++;
        return OK;
    }
    uint64_t position = d->positions.items[d->desc], done = position >> 16 == b->head->sequence ? position & 0xffff : 0;
    const uint64_t *stored = (const uint64_t *)b->head + done, below = d->use == DRAIN_OBJECTS ? 0
                                                                       : d->journal != NULL
                                                                           ? journal_keeps_below(d->journal, b->head)
                                                                           : UINT64_MAX;
    if (position >> 16 > b->head->sequence || stored >= end)
        return OK;
    struct super_calls *frames = super_calls(d, b->head->thread);
    if (d->columns.count > 0 &&
        (d->thread != b->head->thread || b->head->first_stamp < d->columns.stamps[d->columns.count - 1]))
        flush_chunk(d);
    d->thread = b->head->thread;
    d->counted = d->numbered && !b->head->guest;
    d->stamp = b->head->first_stamp;
    if (frames == NULL)
        return error_set(err, ERR_MEMORY, "no memory for thread %u", d->thread);
    while (p < end && s == OK) {
        uint32_t id = (uint32_t)*p;
        uint64_t words = (uint64_t)(end - p);
        if (p < stored && id >= REC_FIRST) {
            uint64_t n = pass_agent_record(d, p, words);
            if (n == 0 || n > words)
                break;
            p += n;
            frames = super_calls(d, d->thread);
            continue;
        }
        if (id >= REC_FIRST) {
            uint64_t n = agent_record(d, p, words);
            if (n == 0 || n > words)
                break;
            p += n;
            if ((frames = super_calls(d, d->thread)) == NULL) /* a REC_SWITCH changes the thread */
                return error_set(err, ERR_MEMORY, "no memory for thread %u", d->thread);
            continue;
        }
        if (id >= kind_count || words < 1 + extra)
            break;
        if (p < stored || id < b->head->first_dataid || full_stamp(d->stamp, (uint32_t)(*p >> 32)) >= below) {
            uint64_t n = event_words(d, id);
            if (n > words)
                break;
            p += n;
            continue;
        }
        if (full_stamp(d->stamp, (uint32_t)(*p >> 32)) >= d->until) {
            d->stopped = true;
            d->stopped_at = (uint64_t)((const uint8_t *)p - (const uint8_t *)b->head);
            return s;
        }
        if (d->columns.count > CHUNK_EVENTS_MAX - 2 * JOURNAL_RECORD_EVENTS)
            flush_chunk(d);
        d->stamp = full_stamp(d->stamp, (uint32_t)(*p >> 32));
        uint64_t time = d->timed ? p[1] - d->start_ns : 0, number = d->counted ? p[extra] : 0;
        const uint64_t *start = p;
        p += 1 + extra;
        if (frames->stack.count > 0)
            insert_exits(d, frames, id, p < end ? *p : 0, number, time);
        if (d->roles[id] == ROLE_CATCH && p < end)
            complete_exits(d, *p);
        uint32_t n = d->columns.count;
        unsigned k = 0;
        do {
            bool mark = d->roles[id] == ROLE_SUPER_MARK;
            if ((frames->stack.count > 0 || mark || d->roles[id] == ROLE_SUPER) &&
                !super_calls_apply(frames, id, d->roles[id]))
                return error_set(err, ERR_MEMORY, "no memory for thread %u", d->thread);
            if (mark)
                break;
            uint8_t kind = kinds[id] & (uint8_t)~KIND_JOINED;
            d->columns.ids[n] = id;
            d->columns.stamps[n] = d->stamp;
            d->order[n] = sink_order(number++);
            if (d->timed)
                d->columns.times[n] = time;
            if (kind == KIND_VOID) {
                d->columns.values[n] = 0;
            } else if (p < end) {
                d->columns.values[n] = *p++;
            } else {
                k = JOURNAL_RECORD_EVENTS + 1; /* cut off */
                break;
            }
            n++;
            id++;
        } while (id < kind_count && (kinds[id] & KIND_JOINED) && ++k < JOURNAL_RECORD_EVENTS);
        if (k > JOURNAL_RECORD_EVENTS) {
            p = start;
            break;
        }
        d->columns.count = n;
        frames->next_number = number;
        frames->last_stamp = d->stamp;
    }
    if (s == OK && p < end)
        d->lost++; /* at least one record cannot be read */
    return s;
}

static struct text *open_text(struct object_entry *o) { return o->has_string ? &o->bytes : &o->thrown; }

/* Puts back what the group before of this descriptor left unfinished. */
static void resume_text(struct drain *d, uint32_t desc)
{
    d->text_continues = false;
    for (size_t i = 0; i < d->carried.count; i++) {
        struct carried_text *c = &d->carried.items[i];
        struct object_entry *o = c->desc == desc ? vec_push(&d->objects) : NULL;
        if (o == NULL)
            continue;
        *o = c->entry;
        write_u1(&d->text, 0);
        *open_text(o) = (struct text){ (const char *)(uintptr_t)d->text.size, c->text.size };
        write_bytes(&d->text, c->text.data, c->text.size);
        writer_free(&c->text);
        *c = d->carried.items[--d->carried.count];
        d->text_continues = true;
        return;
    }
}

/* Takes the unfinished text at the end of a group out of it. */
static bool carry_text(struct drain *d, uint32_t desc)
{
    if (!d->text_continues || d->objects.count == 0)
        return true;
    struct carried_text *c = vec_push(&d->carried);
    if (c == NULL)
        return false;
    *c = (struct carried_text){ .desc = desc, .entry = d->objects.items[--d->objects.count] };
    const struct text *t = open_text(&c->entry);
    write_bytes(&c->text, d->text.data + (uintptr_t)t->data, t->size);
    return !c->text.bad;
}

/* At the very end: what never got its last piece is stored as cut. */
enum status drain_rest(struct drain *d, struct error *err)
{
    enum status s = OK;
    while (d->carried.count > 0 && s == OK) {
        resume_text(d, d->carried.items[0].desc);
        d->objects.items[d->objects.count - 1].cut = true;
        s = flush_objects(d, err);
    }
    return s;
}

enum status drain_group(struct drain *d, uint32_t desc, const struct drain_buffer *buffers, size_t count,
                        struct error *err)
{
    enum status s = OK;
    d->desc = desc;
    if (desc >= d->positions.count && !drain_resume(d, desc, 0))
        return error_set(err, ERR_MEMORY, "no memory for descriptor %u", desc);
    resume_text(d, desc);
    d->stopped = false;
    for (d->whole = 0; d->whole < count && s == OK; d->whole++)
        if ((s = drain_buffer(d, &buffers[d->whole], err)) == OK && d->stopped)
            break;
    if (s == OK && !carry_text(d, desc))
        s = error_set(err, ERR_MEMORY, "no memory for a long string");
    if (s == OK)
        flush_chunk(d);
    const struct drain_buffer *last = count > 0 ? &buffers[d->stopped ? d->whole : count - 1] : NULL;
    uint64_t position =
        last != NULL ? drain_position(last->head->sequence, d->stopped ? d->stopped_at : last->used) : 0;
    if (s == OK && last != NULL)
        d->positions.items[desc] = position; /* also if what follows fails: nothing is counted twice */
    if (s == OK && d->use == DRAIN_COUNT) {
        d->objects.count = d->text.size = 0;
        return d->error.status != OK ? (*err = d->error).status : OK;
    }
    if (s == OK)
        s = flush_objects(d, err);
    if (s == OK && last != NULL) {
        uint8_t bytes[8];
        uint64_t *kept = d->sink != NULL ? state_number(d->state, STATE_DESC, desc) : NULL;
        if (d->sink != NULL && kept == NULL)
            return (*err = d->state->error).status;
        for (int i = 0; i < 8; i++)
            bytes[i] = (uint8_t)(position >> 8 * i);
        if (kept != NULL)
            *kept = position;
        else
            s = store_put(d->store, DB_DRAINED, desc, bytes, sizeof bytes, err);
    }
    d->columns.count = 0;
    return s;
}
