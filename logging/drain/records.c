/* records.c - see records.h. The loop over events is a hot path: it decodes words into columns. */
#include "logging/drain/records.h"

uint8_t records_shape(const uint8_t *letters, const uint8_t *roles, uint32_t first, uint32_t count)
{
    unsigned k = 0, supers = 0;
    for (uint32_t id = first;; id++) {
        if (roles[id] == ROLE_SUPER || roles[id] == ROLE_SUPER_MARK)
            supers |= RECORD_SUPER;
        else if (roles[id] == ROLE_SUPER_DONE)
            supers |= RECORD_SUPER_DONE;
        if (roles[id] == ROLE_SUPER_MARK || ++k >= JOURNAL_RECORD_EVENTS || id + 1 >= count ||
            !(letters[id + 1] & KIND_JOINED))
            return (uint8_t)(k | supers);
    }
}

void kinds_without_values(uint8_t *letters, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        letters[i] = KIND_VOID | (letters[i] & KIND_JOINED);
}

/* Words before the values of an event record. */
static inline uint64_t head_words(const struct record_format *f) { return 1u + f->timed + f->numbered; }

/* Words of an event record: its head and the values of its data ID and of those joined to it. */
static uint64_t event_words(const struct record_format *f, uint32_t id)
{
    uint64_t n = head_words(f);
    unsigned k = 0;
    do
        n += (f->kinds.letters[id] & (uint8_t)~KIND_JOINED) != KIND_VOID && f->roles[id] != ROLE_SUPER_MARK;
    while (f->roles[id++] != ROLE_SUPER_MARK && id < f->kinds.count && (f->kinds.letters[id] & KIND_JOINED) &&
           ++k < JOURNAL_RECORD_EVENTS);
    return n;
}

/* Events of a record. */
static uint32_t record_events(const struct record_format *f, uint32_t id)
{
    uint32_t n = 0;
    do
        n += f->roles[id] != ROLE_SUPER_MARK;
    while (f->roles[id++] != ROLE_SUPER_MARK && id < f->kinds.count && (f->kinds.letters[id] & KIND_JOINED) &&
           n < JOURNAL_RECORD_EVENTS);
    return n;
}

/* Words of REC_STRING and REC_THROWN with that second word. */
static uint64_t text_words(uint64_t second) { return 4 + ((second >> 32) + 7) / 8; }

/* Skips a record of the agent that is stored already. Returns its words. */
static uint64_t pass_agent_record(struct record_reader *r, const uint64_t *p, uint64_t words)
{
    uint32_t kind = (uint32_t)p[0] & 0xff;
    if (kind == REC_STRING || kind == REC_THROWN)
        return words < 4 ? 0 : text_words(p[1]);
    if (kind == REC_SWITCH && words > 1 && p[1] < RECORDS_THREADS_MAX)
        r->batch->thread = (uint32_t)p[1];
    return 2;
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
    case REC_SWITCH:
        if (p[1] >= RECORDS_THREADS_MAX)
            return 0;
        batch_flush(r->batch);
        r->batch->thread = (uint32_t)p[1];
        return 2;
    case REC_LOST: batch_lose(r->batch, p[1]); return 2;
    case REC_CUT: return read_cut(r, (uint32_t)p[1], (uint32_t)(p[1] >> 32)) ? 2 : 0;
    default: return 0;
    }
}

/* The time of an event with that clock value. It never goes back: a clock that does (of a machine that is moved, or
 * restored) counts on from the time of the event before. Of a virtual thread that one is not known: it fills buffers on
 * several carriers, which come in any order. */
static inline uint64_t time_of(const struct record_format *f, struct super_calls *c, bool guest, uint64_t clock_ns)
{
    int64_t time = (int64_t)(clock_ns - f->start_ns) + c->behind_ns;
    if (guest)
        return (uint64_t)time;
    if (time < c->last_ns) {
        c->behind_ns += c->last_ns - time;
        time = c->last_ns;
    }
    c->last_ns = time;
    return (uint64_t)time;
}

enum outcome { READ, ONE_BY_ONE, CUT_OFF, NO_MEMORY };

/* Hands the record over to the deriver. ONE_BY_ONE: it wants the events so. */
static inline enum outcome derive_record(struct record_reader *r, struct super_calls *calls, uint32_t id,
                                         const uint64_t **at, const uint64_t *end)
{
    const struct record_format *f = r->format;
    struct batch *b = r->batch;
    struct derive_encoder *e = b->output.chunks.deriver->encoder;
    const uint64_t *p = derive_put_record(e, id, r->stamp, *at + 1, end);
    while (p == NULL && derive_full(e)) {
        batch_next_chunk(b);
        p = b->deriving ? derive_put_record(e, id, r->stamp, *at + 1, end) : NULL;
    }
    if (p == NULL)
        return ONE_BY_ONE;
    batch_derived(b);
    uint32_t events = derive_record_events(e, id, *at + 1);
    for (uint32_t k = 0; k < events && calls->stack.count > 0; k++)
        if (!super_calls_apply(calls, id + k, f->roles[id + k]))
            return NO_MEMORY;
    *at = p;
    return READ;
}

/* Reads the events of the record at *at, whose head is complete, and moves *at behind it, unless the record is cut off.
 * */
static inline enum outcome read_events(struct record_reader *r, struct super_calls *calls, const uint64_t **at,
                                       const uint64_t *end)
{
    const struct record_format *f = r->format;
    struct batch *b = r->batch;
    const uint8_t *kinds = f->kinds.letters;
    const uint64_t *p = *at;
    uint64_t extra = (uint64_t)f->timed + f->numbered;
    uint32_t id = (uint32_t)*p;
    uint64_t time = f->timed ? time_of(f, calls, b->is_guest, p[1]) : 0, number = b->counted ? p[extra] : 0;
    p += 1 + extra;
    if (calls->stack.count > 0 &&
        !(b->deriving && p < end && derive_is_position(b->output.chunks.deriver->encoder, id, *p)))
        super_exits_insert(
            r->exits, calls, b,
            &(struct next_event){ id, p < end ? journal_value(kinds[id], *p) : 0, r->stamp, number, time });
    if (f->roles[id] == ROLE_CATCH && p < end)
        super_exits_complete(r->exits, b, journal_value(kinds[id], *p));
    if (b->deriving) {
        enum outcome outcome = derive_record(r, calls, id, at, end);
        if (outcome != ONE_BY_ONE)
            return outcome;
        if (event_words(f, id) > (uint64_t)(end - *at))
            return CUT_OFF;
    }
    if (b->is_guest && batch_needs_order(b, id)) {
        uint64_t n = event_words(f, id);
        if (n > (uint64_t)(end - *at))
            return CUT_OFF;
        batch_lose(b, record_events(f, id));
        *at += n;
        return READ;
    }
    const bool kept = b->percall == NULL || batch_keeps(b, id, record_events(f, id), r->stamp, time);
    const uint32_t before = b->columns.count;
    unsigned k = 0;
    do {
        bool mark = f->roles[id] == ROLE_SUPER_MARK;
        if ((calls->stack.count > 0 || mark || f->roles[id] == ROLE_SUPER) &&
            !super_calls_apply(calls, id, f->roles[id]))
            return NO_MEMORY;
        if (mark)
            break;
        bool has_value = (kinds[id] & (uint8_t)~KIND_JOINED) != KIND_VOID;
        if (has_value && p >= end) {
            b->columns.count = before;
            return CUT_OFF;
        }
        if (b->counted) /* else the batch numbers them, if the sink wants it */
            b->order[b->columns.count] = sink_order(number);
        if (kept)
            batch_put(b, id, has_value ? journal_value(kinds[id], *p) : 0, r->stamp, time);
        p += has_value;
        number++;
        id++;
    } while (id < f->kinds.count && (kinds[id] & KIND_JOINED) && ++k < JOURNAL_RECORD_EVENTS);
    calls->next_number = number;
    calls->last_stamp = r->stamp;
    *at = p;
    return READ;
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

enum status records_read(struct record_reader *r, const struct drain_buffer *buffer, uint64_t done, struct error *err)
{
    const struct record_format *f = r->format;
    const struct buffer_head *head = buffer->head;
    const uint64_t *p = (const uint64_t *)(head + 1), *stored = (const uint64_t *)head + done,
                   *end = (const uint64_t *)((const uint8_t *)head + buffer->used);
    const uint64_t below = kept_below(r, head);
    begin_buffer(r, head);
    struct super_calls *calls = super_exits_of(r->exits, head->thread);
    if (calls == NULL)
        return no_memory(r, err);
    if (r->batch->sink == &sink_timing && done * sizeof *p <= sizeof *head && !head->guest)
        calls->behind_ns -= (int64_t)head->waited_ns; /* the program's time is wanted */
    while (p < end) {
        uint32_t id = (uint32_t)*p;
        uint64_t words = (uint64_t)(end - p);
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
        if (id >= f->kinds.count || words < head_words(f))
            break;
        uint64_t stamp = journal_full_stamp(r->stamp, (uint32_t)(*p >> 32));
        if (p < stored || id < head->first_dataid || stamp >= below) {
            uint64_t n = event_words(f, id);
            if (n > words)
                break;
            p += n;
            continue;
        }
        if (stamp >= r->until) {
            r->stopped = true;
            r->stopped_at = (uint64_t)((const uint8_t *)p - (const uint8_t *)head);
            return OK;
        }
        struct batch *b = r->batch;
        if (b->deriving && b->columns.count > 0 && calls->stack.count == 0) {
            struct derive_encoder *e = b->output.chunks.deriver->encoder;
            const uint64_t *next =
                derive_put_records(e, head->first_dataid, below < r->until ? below : r->until, p, end);
            bool any = next != p;
            p = next;
            batch_derived(b);
            if (any) {
                r->stamp = derive_stamp(e);
                continue;
            }
        }
        batch_make_room(b);
        r->stamp = stamp;
        enum outcome outcome = read_events(r, calls, &p, end);
        if (outcome == NO_MEMORY)
            return no_memory(r, err);
        if (outcome == CUT_OFF)
            break;
    }
    if (p < end)
        batch_lose(r->batch, 1); /* at least one record cannot be read */
    return OK;
}
