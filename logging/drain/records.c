/* records.c - see records.h. The loop over records is a hot path. */
#include "logging/drain/records.h"

void kinds_without_values(uint8_t *letters, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        letters[i] = KIND_VOID | (letters[i] & KIND_JOINED);
}

/* Words of REC_STRING and REC_THROWN with that second word. */
static uint64_t text_words(uint64_t second) { return 4 + ((second >> 32) + 7) / 8; }

/* Skips a record of the agent that is stored already. Returns its words. */
static uint64_t pass_agent_record(struct record_reader *r, const uint64_t *p, uint64_t words)
{
    uint32_t kind = (uint32_t)p[0] & 0xff;
    if (kind == REC_STRING || kind == REC_THROWN)
        return words < 4 ? 0 : text_words(p[1]);
    if (kind != REC_SWITCH)
        return 2;
    if (words > 1 && (uint32_t)p[1] < RECORDS_THREADS_MAX)
        r->batch->thread = (uint32_t)p[1];
    return SWITCH_WORDS;
}

/* Are the records that REC_SWITCH at p has them follow still to be read? */
static bool follows_unread(const struct record_reader *r, const uint64_t *p, uint64_t words)
{
    const uint64_t desc = words < SWITCH_WORDS ? NO_DESC : p[1] >> 32;
    const bool is_switch = (uint32_t)p[0] == (REC_FIRST | REC_SWITCH) && desc != NO_DESC;
    if (!is_switch || r->positions == NULL || r->batch->use != DRAIN_STORE)
        return false;
    return desc >= r->positions->count || r->positions->items[desc] < p[2];
}

/* False: it is malformed. */
static bool read_switch(struct record_reader *r, const uint64_t *p, uint64_t words)
{
    struct batch *b = r->batch;
    const uint32_t thread = (uint32_t)p[1];
    if (words < SWITCH_WORDS || thread >= RECORDS_THREADS_MAX)
        return false;
    batch_flush(b);
    if (b->output.chunks.deriver != NULL)
        deriver_rest(b->output.chunks.deriver, b->thread);
    b->thread = thread;
    if (r->positions == NULL && p[1] >> 32 != NO_DESC && b->output.chunks.deriver != NULL)
        deriver_gap(b->output.chunks.deriver, thread); /* they may come later, or never */
    return true;
}

/* Events that no record of the hook has. False: there are no such data IDs. */
static bool read_cut(struct record_reader *r, uint32_t first, uint32_t count)
{
    if (count > JOURNAL_RECORD_EVENTS || first >= r->format->kinds.count || count > r->format->kinds.count - first)
        return false;
    batch_make_room(r->batch);
    for (uint32_t i = 0; i < count; i++)
        batch_put(r->batch, first + i, 0, r->stamp, 0);
    return true;
}

/* A record of the agent at p (header word included). Returns its words, 0 if it is malformed. */
static uint64_t read_agent_record(struct record_reader *r, const uint64_t *p, uint64_t words)
{
    uint32_t kind = (uint32_t)p[0] & 0xff;
    if (kind == REC_STRING || kind == REC_THROWN) {
        if (words < 4 || !object_records_add_text(r->objects, p + 1, words - 1, kind == REC_THROWN))
            return 0;
        return text_words(p[1]);
    }
    if (words < 2)
        return 0;
    switch (kind) {
    case REC_OBJECT: object_records_add(r->objects, object_id(p[1]), object_id(p[1] >> 32)); return 2;
    case REC_SWITCH: return read_switch(r, p, words) ? SWITCH_WORDS : 0;
    case REC_LOST: batch_lose(r->batch, p[1]); return 2;
    case REC_CUT: return read_cut(r, (uint32_t)p[1], (uint32_t)(p[1] >> 32)) ? 2 : 0;
    default: return 0;
    }
}

/* The time of an event with that clock value. It never goes back: a clock that does (of a machine that is moved, or
 * restored) counts on from the time of the event before. Of a virtual thread that one is not known where its events
 * come in any order. */
static inline uint64_t time_of(const struct record_format *f, struct super_calls *c, bool ordered, uint64_t clock_ns)
{
    int64_t time = (int64_t)(clock_ns - f->start_ns) + c->behind_ns;
    if (!ordered)
        return (uint64_t)time;
    if (time < c->last_ns) {
        c->behind_ns += c->last_ns - time;
        time = c->last_ns;
    }
    c->last_ns = time;
    return (uint64_t)time;
}

/* Keeps what is known of constructors up with the record, of which so many events are in the stream. False: no memory.
 * */
static bool follow_calls(struct super_calls *calls, const uint8_t *roles, const struct record *rec, uint32_t events)
{
    bool ok = true;
    for (uint32_t id = rec->id; id < rec->id + events && ok; id++)
        if (calls->stack.count > 0 || roles[id] == ROLE_SUPER)
            ok = super_calls_apply(calls, id, roles[id]);
    return ok && (!rec->mark || super_calls_apply(calls, rec->id + rec->count, ROLE_SUPER_MARK));
}

/* Exits of constructors that the record proves come before it; its exception is theirs. */
static void infer_exits(struct record_reader *r, struct super_calls *calls, const struct record *rec)
{
    struct batch *b = r->batch;
    const bool has_words = rec->end > rec->words;
    if (calls->stack.count > 0 && !(b->deriving && has_words && batch_is_position(b, rec)))
        super_exits_insert(r->exits, calls, b, rec);
    if (r->format->roles[rec->id] == ROLE_CATCH && has_words)
        super_exits_complete(r->exits, b, rec->values[0]);
}

/* The record goes through its consumers. False: no memory. */
static bool read_record(struct record_reader *r, struct super_calls *calls, struct record *rec, const uint64_t *end)
{
    const struct record_format *f = r->format;
    struct batch *b = r->batch;
    uint32_t events = rec->count;
    if (f->timed)
        rec->time = time_of(f, calls, !b->is_guest || b->deriving, rec->clock);
    infer_exits(r, calls, rec);
    if (b->deriving && batch_derive_record(b, rec, end, &events))
        return calls->stack.count == 0 || follow_calls(calls, f->roles, rec, events);
    if (!follow_calls(calls, f->roles, rec, rec->count))
        return false;
    if (b->percall == NULL || batch_keeps(b, rec))
        batch_put_record(b, rec);
    calls->next_number = rec->number + rec->count;
    calls->last_stamp = rec->stamp;
    return true;
}

/* Are they events of code that was woven before this period, or behind its end? */
static bool is_stale_cut(const struct record_reader *r, const struct buffer_head *head, uint64_t below,
                         const uint64_t *p)
{
    return (uint32_t)p[0] == (REC_FIRST | REC_CUT) &&
           ((uint32_t)p[1] < head->first_dataid || journal_full_stamp(r->stamp, (uint32_t)(p[0] >> 32)) >= below);
}

/* Events of this stamp or a later one are not of the period. */
static uint64_t kept_below(const struct record_reader *r, const struct buffer_head *head)
{
    if (r->batch->use == DRAIN_OBJECTS)
        return 0;
    return r->journal != NULL ? journal_keeps_below(r->journal, head) : UINT64_MAX;
}

/* Flushes the batch if this buffer does not continue its thread and stamps. */
static void begin_buffer(struct record_reader *r, const struct buffer_head *head)
{
    struct batch *b = r->batch;
    if (batch_waits(b) && (b->thread != head->thread || b->period != head->period || head->first_stamp < b->last_stamp))
        batch_flush(b);
    b->thread = head->thread;
    b->period = head->period;
    b->is_guest = head->guest != 0;
    if (b->percall != NULL)
        percall_begin(b->percall, b->thread, b->period);
    b->counted = r->format->numbered && !head->guest;
    r->stamp = head->first_stamp;
}

static enum status no_memory(const struct record_reader *r, struct error *err)
{
    return error_set(err, ERR_MEMORY, "no memory for thread %u", r->batch->thread);
}

enum status records_read(struct record_reader *r, const struct drain_buffer *buffer, uint64_t done,
                         const struct record_place *from, struct error *err)
{
    const struct record_format *f = r->format;
    const struct buffer_head *head = buffer->head;
    const uint64_t *p = (const uint64_t *)(head + 1), *stored = (const uint64_t *)head + done,
                   *end = (const uint64_t *)((const uint8_t *)head + buffer->used);
    const uint64_t below = kept_below(r, head);
    struct record rec;
    begin_buffer(r, head);
    if (done > 0 && from->position == journal_position(head->sequence, done * sizeof *p)) {
        p = stored;
        r->stamp = from->stamp;
        r->batch->thread = from->thread;
    }
    struct super_calls *calls = super_exits_of(r->exits, r->batch->thread);
    if (calls == NULL)
        return no_memory(r, err);
    if (r->batch->sink == &sink_timing && done * sizeof *p <= sizeof *head && !head->guest)
        calls->behind_ns -= (int64_t)head->waited_ns; /* the program's time is wanted */
    while (p < end) {
        const uint32_t id = (uint32_t)*p;
        const uint64_t words = (uint64_t)(end - p);
        if (id >= REC_FIRST && p >= stored && follows_unread(r, p, words)) {
            r->stopped = r->waits = true;
            r->stopped_at = (uint64_t)((const uint8_t *)p - (const uint8_t *)head);
            return OK;
        }
        if (id >= REC_FIRST) {
            const bool pass = p < stored || (words > 1 && is_stale_cut(r, head, below, p));
            uint64_t n = pass ? pass_agent_record(r, p, words) : read_agent_record(r, p, words);
            if (n == 0 || n > words)
                break;
            p += n;
            calls = super_exits_of(r->exits, r->batch->thread); /* REC_SWITCH changes the thread */
            if (calls == NULL)
                return no_memory(r, err);
            continue;
        }
        const uint64_t stamp = journal_full_stamp(r->stamp, (uint32_t)(*p >> 32));
        const bool passed = p < stored || id < head->first_dataid || stamp >= below;
        if (!passed && id < f->kinds.count && stamp >= r->until) {
            r->stopped = true;
            r->stopped_at = (uint64_t)((const uint8_t *)p - (const uint8_t *)head);
            return OK;
        }
        if (!passed && r->batch->deriving && calls->stack.count == 0 && id < f->kinds.count) {
            const uint64_t *next =
                batch_derive_many(r->batch, head->first_dataid, below < r->until ? below : r->until, p, end, &r->stamp);
            if (next != p) {
                p = next;
                continue;
            }
        }
        if (!record_decode(f, r->stamp, p, end, &rec))
            break;
        p = rec.end;
        if (passed)
            continue;
        batch_make_room(r->batch);
        r->stamp = rec.stamp;
        if (!read_record(r, calls, &rec, end))
            return no_memory(r, err);
    }
    if (p < end)
        batch_lose(r->batch, 1); /* at least one record cannot be read */
    return OK;
}
