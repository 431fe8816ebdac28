/* build.c - builds the index: one pass over the chunks in the order of their numbers, a segment at a time.
 *
 * Each chunk is added to the sets (sets.c). It adds counts of data IDs, events of exceptions and ends of long calls,
 * and advances the frames and calls of its thread. A segment is written when its chunks are done, with one write after
 * the last whole segment, so that the next build continues where an interrupted one stopped. While the program runs
 * those are built whose times are final, since the clock has gone on behind them. The last, incomplete segment is built
 * only when the recording has ended, and none behind damage: an answer from an index would not say that its trace is
 * damaged. */
#include "reader/index/sections.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "formats/map.h"

enum { LEAST_CHUNKS = 4, KEYFRAMES_RAW_MAX = 32 << 20, FAR_EVENTS = 1 << 24 };

struct builder {
    hs_trace *trace;
    const struct numbered *all;
    size_t all_count;
    struct chunk_decoder *decoder;
    struct sets sets;
    struct replay **frames;           /* by stream; NULL: none yet */
    uint64_t *keyed;                  /* by stream: segment + 1 of its last keyframe */
    const struct chunk_ref **reached; /* by stream: the chunk whose begin its frames have reached */
    struct segment_directory directory;
    struct writer keyframes;     /* of chunks that are written together */
    unsigned together;           /* which of the rows is theirs */
    struct dataid_share *shares; /* by data ID */
    struct writer states;        /* derive/stored_state.c */
    struct lane_writer lanes;
    struct repeat_writer repeats;
    struct stack_writer stacks;
    bool looked_at[EVENT_LIMIT]; /* by event type: not passed over in runs */
    call_end_vec ends;
    struct kind_base kinds;
    struct costs costs;
    struct path_writer paths;
    struct call_stack *calls; /* by stream: open calls */
    uint64_t *calls_at;       /* by stream: the position they have reached, NO_POSITION: not known */
    bool calls_known;         /* times of the calls of this segment */
    bool ended;               /* the recording */
    struct packed out;
};

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* ---- calls ---- */

/* Sets the open calls of the thread before the chunk, if they can be known. */
static void calls_before(struct builder *b, const struct numbered *n)
{
    struct call_stack *s = &b->calls[n->stream];
    if (b->calls_known && b->calls_at[n->stream] != n->chunk->before) {
        calls_done(s);
        b->calls_known =
            n->chunk->before == 0 || index_open_calls(b->trace, &b->trace->streams[n->stream], n->chunk, s);
        s->gap = n->chunk > b->trace->streams[n->stream].chunks ? gap_behind(b->trace, n->chunk[-1].last_stamp) : 0;
    }
    /* when the chunk is done */
    b->calls_at[n->stream] = b->calls_known ? n->chunk->before + n->chunk->count : NO_POSITION;
}

/* ---- writing ---- */

static bool write_section(struct builder *b, struct section_row *out) { return section_write(&b->out, out); }

/* `chunks`: those of the segment. */
static bool write_calls(struct builder *b, const struct numbered *chunks, size_t count)
{
    uint64_t threads = 0;
    b->out.raw.size = 0;
    shares_encode(b->shares, b->trace->kind_count, &b->out.raw);
    if (!write_section(b, &b->directory.sections[SECTION_COUNTS]))
        return false;
    b->out.raw.size = 0;
    exceptions_encode(&b->sets.exceptions, &b->out.raw);
    if (!write_section(b, &b->directory.sections[SECTION_EXCEPTIONS]))
        return false;
    b->out.raw.size = 0;
    if (!shared_kinds_encode(&b->kinds, index_segment(chunks[0].chunk), &b->sets.exceptions, &b->out.raw) ||
        !write_section(b, &b->directory.sections[SECTION_KINDS]))
        return false;
    b->out.raw.size = 0;
    ends_encode(&b->ends, &b->out.raw);
    if (!write_section(b, &b->directory.sections[SECTION_ENDS]))
        return false;
    b->out.raw.size = 0;
    segment_values_encode(b->sets.values, b->trace->kind_count + VALUES_KINDS, &b->out.raw);
    if (!write_section(b, &b->directory.sections[SECTION_VALUES]))
        return false;
    if (b->states.size > 0) {
        b->out.raw.size = 0;
        write_bytes(&b->out.raw, b->states.data, b->states.size);
        if (!write_section(b, &b->directory.sections[SECTION_STATES]))
            return false;
    }
    b->out.raw.size = 0;
    lane_segment_encode(&b->lanes, &b->out.raw);
    if (!write_section(b, &b->directory.sections[SECTION_LANES]))
        return false;
    b->out.raw.size = 0;
    repeat_segment_encode(&b->repeats, &b->out.raw);
    if (!write_section(b, &b->directory.sections[SECTION_REPEATS]))
        return false;
    b->out.raw.size = 0;
    stack_segment_encode(&b->stacks, &b->out.raw);
    if (!write_section(b, &b->directory.sections[SECTION_STACKS]))
        return false;
    if (!b->calls_known)
        return true;
    b->out.raw.size = 0;
    paths_encode(&b->paths, &b->out.raw);
    if (!b->paths.many && !write_section(b, &b->directory.sections[SECTION_PATHS]))
        return false;
    b->out.raw.size = 0;
    calls_encode_sums(&b->costs, &b->out.raw);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            const struct thread_chunks *own = &b->trace->streams[chunks[i].stream];
            const struct chunk_ref *c = chunks[i].chunk;
            if (b->calls_at[chunks[i].stream] != c->before + c->count)
                continue; /* not the last chunk of its thread in this segment */
            threads += pass == 0;
            if (pass == 1)
                calls_encode_open(own->thread, c->before + c->count, &b->calls[chunks[i].stream], &b->out.raw);
        }
        if (pass == 0)
            write_varint(&b->out.raw, threads);
    }
    return write_section(b, &b->directory.sections[SECTION_CALLS]);
}

/* The body has keyframes and calls already; sets follow, and the directory is written before all. */
static enum status write_segment(struct builder *b, int fd, struct segment_head *h, struct error *err)
{
    if (!sets_write(&b->sets, &b->directory, &b->out))
        return no_memory(b->trace, err);
    const struct segment_parts parts = { .directory = b->directory,
                                         .blocks = b->sets.blocks.items,
                                         .block_count = b->sets.blocks.count,
                                         .packed = &b->out };
    return segment_write(b->trace, fd, h, &parts, err);
}

/* ---- frames ---- */

/* The frames of the chunk's thread before the chunk. */
static enum status frames_before(struct builder *b, const struct numbered *n, struct replay **out, struct error *err)
{
    struct replay *f = b->frames[n->stream];
    if (f == NULL) {
        f = calloc(1, sizeof *f);
        if (f == NULL)
            return no_memory(b->trace, err);
        b->frames[n->stream] = f;
        replay_init(f, b->trace, n->stream);
        b->reached[n->stream] = b->trace->streams[n->stream].chunks;
    }
    if (b->reached[n->stream] != n->chunk) { /* an earlier part is indexed, or chunks were stored out of order */
        const struct replay *at;
        struct writer w = { 0 };
        enum status st = frames_at(b->trace, (struct event_position){ n->stream, n->chunk->before }, &at, err);
        if (st != OK)
            return st;
        replay_encode(at, 0, &w);
        replay_clear(f);
        st = w.bad ? no_memory(b->trace, err) : replay_decode(f, w.data, w.size, err);
        writer_free(&w);
        if (st != OK)
            return st;
        f->position = n->chunk->before;
        f->gap = n->chunk > b->trace->streams[n->stream].chunks ? gap_behind(b->trace, n->chunk[-1].last_stamp) : 0;
        f->untouched = 0;
    }
    *out = f;
    return OK;
}

static bool write_keyframes(struct builder *b)
{
    if (b->keyframes.size == 0)
        return !b->keyframes.bad;
    b->out.raw.size = 0;
    write_bytes(&b->out.raw, b->keyframes.data, b->keyframes.size);
    b->keyframes.size = 0;
    return write_section(b, &b->directory.keyframe_rows[b->together]);
}

static enum status add_keyframe(struct builder *b, const struct numbered *n, struct replay *f, uint64_t segment,
                                struct error *err)
{
    /* frames can be shared only with the previous chunk of the thread, as index_keyframe expects */
    const struct chunk_ref *c = n->chunk, *first = b->trace->streams[n->stream].chunks;
    bool chained = b->keyed[n->stream] == segment + 1 && c > first && index_segment(c - 1) == segment &&
                   (c - 1)->number < c->number;
    const unsigned at = c->number % SEGMENT_CHUNKS;
    if (at / KEYFRAMES_TOGETHER != b->together && !write_keyframes(b))
        return no_memory(b->trace, err);
    b->together = at / KEYFRAMES_TOGETHER;
    b->out.raw.size = 0;
    replay_encode(f, chained ? f->untouched : 0, &b->out.raw);
    f->untouched = f->stack.count > 0 ? f->stack.count - 1 : 0;
    if (b->out.raw.bad)
        return no_memory(b->trace, err);
    if (b->keyframes.size + b->out.raw.size > KEYFRAMES_RAW_MAX) /* very deep stacks: none for the rest of the thread */
        return OK;
    b->keyed[n->stream] = segment + 1;
    b->directory.keyframes |= index_bit(c);
    write_u1(&b->keyframes, at);
    write_varint(&b->keyframes, b->out.raw.size);
    write_bytes(&b->keyframes, b->out.raw.data, b->out.raw.size);
    return b->keyframes.bad ? no_memory(b->trace, err) : OK;
}

/* ---- exceptions, ends of long calls ---- */

/* `entry`: that of the frame that is open before it. */
static bool add_exception_event(struct builder *b, const struct numbered *n, const struct chunk_columns *c, uint32_t i,
                                uint64_t entry)
{
    if ((b->trace->kinds[c->ids[i]] & 0x7f) != KIND_REF || c->values[i] == 0 || c->values[i] > UINT32_MAX)
        return true;
    struct exception_event *w = vec_push(&b->sets.exceptions.events);
    if (w != NULL)
        *w = (struct exception_event){ .stamp = c->stamps[i],
                                       .position = n->chunk->before + i,
                                       .object = (uint32_t)c->values[i],
                                       .thread = b->trace->streams[n->stream].thread,
                                       .entry = entry,
                                       .dataid = c->ids[i] };
    return w != NULL;
}

/* Adds the ends of the frames from stack.count to `*open`, which were open at the head of the chunk and ended with
 * event i; `gap`: or in the gap before it. */
static bool add_ends(struct builder *b, const struct numbered *n, const struct chunk_columns *c, uint32_t i,
                     const struct replay *f, bool gap, size_t *open)
{
    for (size_t at = f->stack.count; at < *open; at++) {
        const struct call_frame *gone = &f->stack.items[at]; /* not overwritten yet */
        struct call_end *x = gone->entry != NO_POSITION ? vec_push(&b->ends) : NULL;
        if (x == NULL && gone->entry != NO_POSITION)
            return false;
        bool left = !gap && call_ended(effects_get(b->trace, c->ids[i]), at == f->stack.count);
        if (x != NULL)
            *x = (struct call_end){ .thread = b->trace->streams[n->stream].thread,
                                    .entry = gone->entry,
                                    .exit = n->chunk->before + i,
                                    .calls = gone->calls,
                                    .dataid = left ? c->ids[i] : UINT32_MAX,
                                    .value = c->values[i] };
    }
    *open = f->stack.count < *open ? f->stack.count : *open;
    return true;
}

/* ---- segments ---- */

static enum status add_numbered(struct builder *b, const struct numbered *n, uint64_t segment, struct error *err)
{
    struct chunk_columns c;
    struct replay *f = NULL;
    struct error why = { 0 };
    enum status st = frames_before(b, n, &f, err);
    if (st != OK)
        return st;
    st = add_keyframe(b, n, f, segment, err);
    if (st != OK)
        return st;
    calls_before(b, n);
    if (!states_add(b->trace, n->chunk, &b->states))
        return no_memory(b->trace, err);
    st = trace_decode(b->trace, b->decoder, n->chunk, CHUNK_ALL, &c, &why);
    if (st == ERR_FORMAT) {
        trace_damaged(b->trace, &why);
        return OK;
    }
    if (st != OK)
        return error_set(err, st, "%s", why.text);
    if (!sets_add_chunk(&b->sets, &c, n->chunk, b->trace->streams[n->stream].thread))
        return no_memory(b->trace, err);
    st = shares_add_chunk(b->trace, b->shares, b->decoder, n->chunk, &c, err);
    if (st != OK)
        return st;
    size_t open = f->stack.count;
    lane_chunk_begin(&b->lanes, n->stream, n->chunk);
    repeat_chunk_begin(&b->repeats, f);
    stack_chunk_begin(&b->stacks, f);
    for (uint32_t i = 0; i < c.count; i++) {
        const uint32_t left = c.count - i, room = lane_room(&b->lanes, c.stamps[i], c.times),
                       run = replay_run(f, c.ids + i, c.values + i, c.stamps + i, left < room ? left : room,
                                        b->looked_at);
        if (run > 0) {
            i += run - 1;
            lane_run(&b->lanes, f, run, c.ids[i], c.values[i]);
            continue;
        }
        const struct effect *effect = effects_get(b->trace, c.ids[i]);
        const uint64_t *time_ns = c.times != NULL ? &c.times[i] : NULL;
        const size_t before = f->stack.count;
        replay_gap(f, c.stamps[i]);
        if (f->stack.count < open && !add_ends(b, n, &c, i, f, true, &open))
            return no_memory(b->trace, err);
        if (!lane_event(&b->lanes, f, c.ids[i], c.values[i], c.stamps[i], time_ns))
            return no_memory(b->trace, err);
        const struct call_frame *top = replay_top(f);
        if (is_exception_event(effect->event) &&
            !add_exception_event(b, n, &c, i, top != NULL ? top->entry : NO_POSITION))
            return no_memory(b->trace, err);
        replay_apply(f, c.ids[i], c.values[i], c.stamps[i]);
        repeat_event(&b->repeats, f, effect, c.values[i], before, i);
        stack_event(&b->stacks, f, effect, before, i);
        if (b->calls_known && (!costs_apply(&b->costs, &b->calls[n->stream], effect, c.stamps[i], time_ns) ||
                               !paths_apply(&b->paths, n->stream, &b->calls[n->stream], effect, &b->costs)))
            return no_memory(b->trace, err);
        if (f->stack.count < open && !add_ends(b, n, &c, i, f, false, &open))
            return no_memory(b->trace, err);
    }
    if (f->no_memory || !lane_chunk_end(&b->lanes, f) || !repeat_chunk_end(&b->repeats, f, n->chunk) ||
        !stack_chunk_end(&b->stacks, n->chunk, b->out.zstd))
        return no_memory(b->trace, err);
    f->position = n->chunk->before + n->chunk->count;
    b->reached[n->stream] = n->chunk + 1;
    return OK;
}

/* Writes nothing if anything was damaged: a later query, answered from it, would not meet the damage. */
static enum status build_segment(struct builder *b, int fd, uint64_t segment, struct error *err)
{
    struct segment_head h = { .magic = SEGMENT_MAGIC, .segment = segment };
    size_t first, n = index_rows(b->trace, b->all, b->all_count, segment, &first, &h.rows_hash);
    h.chunks = (uint32_t)n;
    sets_clear(&b->sets);
    memset(b->shares, 0, ((size_t)b->trace->kind_count + 1) * sizeof *b->shares);
    costs_clear(&b->costs);
    paths_clear(&b->paths);
    b->ends.count = 0;
    b->calls_known = true;
    lane_segment_begin(&b->lanes);
    repeat_segment_begin(&b->repeats);
    stack_segment_begin(&b->stacks);
    b->out.body.size = 0;
    b->states.size = 0;
    memset(&b->directory, 0, sizeof b->directory);
    b->keyframes.size = b->together = 0;
    for (size_t i = 0; i < n && hs_damage(b->trace) == NULL; i++) {
        enum status st = add_numbered(b, &b->all[first + i], segment, err);
        if (st != OK)
            return st;
    }
    /* what exceptions held may still be stored while the program runs */
    if (!exceptions_find_held(b->trace, &b->sets.exceptions) ||
        (b->ended && !thrown_kinds_find(b->trace, &b->sets.exceptions)))
        return no_memory(b->trace, err);
    if (hs_damage(b->trace) != NULL)
        return OK;
    if (!write_keyframes(b) || !write_calls(b, &b->all[first], n))
        return no_memory(b->trace, err);
    b->out.raw.size = 0;
    enum status st = flights_encode(b->trace, &b->sets.exceptions, b->sets.thrown_uses, &b->out.raw, err);
    if (st != OK)
        return st;
    if (!thrown_uses_passed(b->sets.thrown_uses, &b->sets.exceptions) ||
        !write_section(b, &b->directory.sections[SECTION_FLIGHTS]))
        return no_memory(b->trace, err);
    return write_segment(b, fd, &h, err);
}

static enum status builder_init(struct builder *b, struct error *err)
{
    hs_trace *t = b->trace;
    b->ended = hs_info(t, "end") != NULL;
    b->all = index_numbered(t, &b->all_count);
    b->decoder = chunk_decoder_new();
    b->out.zstd = ZSTD_createCCtx();
    b->frames = calloc(t->stream_count + 1, sizeof(struct replay *));
    b->keyed = calloc(t->stream_count + 1, sizeof *b->keyed);
    b->reached = calloc(t->stream_count + 1, sizeof(struct chunk_ref *));
    b->shares = malloc(((size_t)t->kind_count + 1) * sizeof *b->shares);
    b->calls = calloc(t->stream_count + 1, sizeof *b->calls);
    b->calls_at = calloc(t->stream_count + 1, sizeof *b->calls_at);
    if (b->shares == NULL || b->calls == NULL || b->calls_at == NULL || b->all == NULL || b->decoder == NULL ||
        b->out.zstd == NULL || b->frames == NULL || b->keyed == NULL || b->reached == NULL || !effects_ready(t) ||
        !sets_init(&b->sets, t) || !lane_writer_init(&b->lanes, t) || !paths_init(&b->paths, t))
        return no_memory(t, err);
    for (size_t i = 0; i < t->stream_count; i++)
        b->calls_at[i] = NO_POSITION;
    for (unsigned event = 0; event < EVENT_LIMIT; event++)
        b->looked_at[event] = is_exception_event(event);
    return OK;
}

/* A segment that the index has, whose last chunk is in front of `end`. */
static bool note_earlier(struct builder *b, uint64_t segment, size_t end)
{
    for (size_t i = end; i-- > 0 && index_segment(b->all[i].chunk) == segment;)
        thrown_uses_earlier(b->sets.thrown_uses, b->all[i].chunk->last_stamp);
    return exceptions_note_earlier(b->trace, segment, b->sets.thrown_uses);
}

/* Do the times of the segment, whose last chunk is in front of `end`, never change? */
static bool times_are_final(const struct builder *b, uint64_t segment, size_t end)
{
    uint64_t last = 0;
    for (size_t i = end; !b->ended && i-- > 0 && index_segment(b->all[i].chunk) == segment;)
        last = b->all[i].chunk->last_stamp > last ? b->all[i].chunk->last_stamp : last;
    return b->ended || trace_clock_end(b->trace) > last;
}

/* Appends the segments that the index does not have, up to the first damage, and up to those in front of which `events`
 * are. */
static enum status build_missing(struct builder *b, uint64_t events, int fd, struct error *err)
{
    uint64_t before = 0;
    for (size_t i = 0; i < b->all_count && before <= events && hs_damage(b->trace) == NULL;) {
        uint64_t segment = index_segment(b->all[i].chunk);
        while (i < b->all_count && index_segment(b->all[i].chunk) == segment)
            before += b->all[i++].chunk->count;
        if (index_has(b->trace, segment)) {
            if (!note_earlier(b, segment, i))
                return no_memory(b->trace, err);
            continue;
        }
        if ((i == b->all_count && !b->ended) || !times_are_final(b, segment, i))
            return OK;
        enum status st = build_segment(b, fd, segment, err);
        if (st != OK)
            return st;
    }
    return OK;
}

static enum status build(struct builder *b, uint64_t events, struct error *err)
{
    int fd = index_append_begin(b->trace, err);
    if (fd < 0)
        return err->status;
    enum status st = builder_init(b, err);
    if (st != OK)
        goto out;
    st = build_missing(b, events, fd, err);
out:
    index_append_end(b->trace);
    return st;
}

static void builder_done(struct builder *b)
{
    for (size_t i = 0; b->frames != NULL && i < b->trace->stream_count; i++)
        if (b->frames[i] != NULL) {
            replay_done(b->frames[i]);
            free(b->frames[i]);
        }
    if (b->decoder != NULL)
        chunk_decoder_free(b->decoder);
    ZSTD_freeCCtx(b->out.zstd);
    sets_done(&b->sets);
    for (size_t i = 0; b->calls != NULL && i < b->trace->stream_count; i++)
        calls_done(&b->calls[i]);
    costs_done(&b->costs);
    paths_done(&b->paths);
    vec_free(&b->ends);
    lane_writer_done(&b->lanes);
    writer_free(&b->repeats.section);
    stack_writer_done(&b->stacks);
    free(b->shares);
    free(b->calls);
    free(b->calls_at);
    free(b->frames);
    free(b->keyed);
    free(b->reached);
    writer_free(&b->out.body);
    writer_free(&b->out.raw);
    writer_free(&b->states);
    writer_free(&b->keyframes);
    kind_base_done(&b->kinds);
}

static int build_to(hs_trace *trace, uint64_t events, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "index");
    struct builder b = { .trace = trace, .costs = { .trace = trace } };
    struct error err = { 0 };
    enum status st = build(&b, events, &err);
    builder_done(&b);
    return st == OK ? 0 : give(error, &err);
}

int index_build(hs_trace *trace, struct hs_error *error)
{
    struct hs_index_info info;
    if (trace->bundled) { /* it has its own, which is not written */
        index_info(trace, &info);
        if (info.kept && info.indexed == info.chunks)
            return 0;
    }
    return build_to(trace, UINT64_MAX, error);
}

/* index=off */
static bool is_unwanted(const hs_trace *t)
{
    const char *wanted = hs_info(t, "index");
    return wanted != NULL && strcmp(wanted, "off") == 0;
}

static void wish(hs_trace *t, uint64_t events)
{
    struct hs_index_info info;
    const uint64_t wished = t->index_wished;
    if (wished >= events || t->chunk_count < LEAST_CHUNKS || is_unwanted(t))
        return;
    t->index_wished = events;
    index_info(t, &info);
    if (info.indexed != t->chunk_count)
        (void)build_to(t, events, NULL);
    if (t->progress.cancelled)
        t->index_wished = wished; /* cancelled: the next query may try again */
}

void index_wish(hs_trace *t) { wish(t, UINT64_MAX); }

void index_reach(hs_trace *t, uint64_t seq)
{
    const uint64_t events = seq < hs_event_count(t) ? seq : hs_event_count(t);
    if (events >= FAR_EVENTS && t->chunk_count > 0 && t->chunks[0].derived)
        wish(t, events);
}
