/* sections.h - private to index/: what the sections of a segment hold (segments/segments.h), written and read */
#ifndef READER_SECTIONS_H
#define READER_SECTIONS_H

#include <zstd.h>

#include "formats/map.h"
#include "reader/index/index.h"

/* ---- writing a segment ---- */

/* The body of a segment, and memory for what is about to be added. */
struct packed {
    struct writer body, raw;
    ZSTD_CCtx *zstd;
};
/* pack.c: appends bytes to the body, packed if that is shorter; how many that took. */
uint32_t pack(struct packed *to, const void *bytes, size_t n);
/* pack.c: appends `raw` to the body as a section. False: out of memory. */
bool section_write(struct packed *to, struct section_row *out);

/* write_segment.c: the parts of a segment. Fills in the rest of the head. */
struct segment_parts {
    struct segment_directory directory;
    const struct block_row *blocks;
    size_t block_count;
    const struct packed *packed; /* the body */
};
enum status segment_write(const hs_trace *t, int fd, struct segment_head *h, const struct segment_parts *parts,
                          struct error *err);

/* columns.c: rows that are written column by column. The caller clears a writer. */
enum { COLUMNS_MOST = 12 };
struct column_writer {
    struct writer columns[COLUMNS_MOST];
    uint64_t rows;
};
struct column_reader {
    struct reader columns[COLUMNS_MOST];
    uint64_t rows; /* none has fewer bytes than these */
};
void columns_end(struct column_writer *c, unsigned count, struct writer *to);  /* frees them */
bool columns_begin(struct reader *r, unsigned count, struct column_reader *c); /* false: it is damaged */
/* The place of an event of an exception, as differences to the one before: the first columns of a row. */
enum { PLACE_THREAD, PLACE_POSITION, PLACE_STAMP, PLACE_DATAID, PLACE_OBJECT, PLACE_COLUMNS };
void place_encode(struct column_writer *c, const struct exception_use *x, struct exception_use *before);
/* False: it is damaged, or of another trace. */
bool place_decode(const hs_trace *t, struct column_reader *c, struct exception_use *x);

/* thrown_uses.c */
struct thrown_uses *thrown_uses_new(hs_trace *t);
void thrown_uses_free(struct thrown_uses *u);
bool thrown_uses_note(struct thrown_uses *u, uint32_t object); /* it was thrown; false: out of memory */
void thrown_uses_segment(struct thrown_uses *u);               /* the next one begins */
/* A segment has these, whose events are noted. False: out of memory. */
bool thrown_uses_passed(struct thrown_uses *u, const struct exception_lists *l);
/* Was it thrown in a segment that passed; is it held by an exception that was thrown in one? */
bool thrown_before(const struct thrown_uses *u, uint32_t object);
bool held_before(const struct thrown_uses *u, uint32_t object);
/* Chunks up to this stamp are not added: the index has them. */
void thrown_uses_earlier(struct thrown_uses *u, uint64_t until);
void thrown_uses_chunk(struct thrown_uses *u, const struct chunk_ref *chunk); /* when it is added */
/* An event of this type with an object as value. `chunks`: those of the segment, as bits, that have it before
 * this one. */
bool thrown_uses_event(struct thrown_uses *u, const struct exception_use *use, unsigned event, uint64_t chunks,
                       struct exception_lists *out);

/* sets.c */
enum { RECENT_KEYS = 4096 };
struct set_entry {
    uint64_t id; /* 32 bits, never 0 */
    uint64_t bits;
};
/* HANDED_OPEN at the end of a chunk. */
struct open_hand {
    uint32_t thread, id, object;
    uint64_t bit;       /* of the chunk */
    uint64_t next, gap; /* position of the event behind the chunk; a gap is in front of events from this stamp on */
};
struct sets {
    hs_trace *trace;
    struct handing *handing;
    VEC(struct open_hand) open;
    struct thrown_uses *thrown_uses;
    struct exception_lists exceptions; /* uses and unsure of the segment */
    uint64_t bit;                      /* of the chunk */
    struct segment_values *values;     /* by data ID; what objects stand for by kind, behind them */
    uint64_t *id_bits;                 /* SET_DATAIDS, by data ID */
    MAP(struct set_entry) keys[SETS];
    uint32_t recent[SETS][RECENT_KEYS];
    VEC(struct block_row) blocks;
};
bool sets_init(struct sets *s, hs_trace *t);
void sets_done(struct sets *s);
void sets_clear(struct sets *s); /* for the next segment */
bool sets_add_chunk(struct sets *s, const struct chunk_columns *c, const struct chunk_ref *chunk, uint32_t thread);
/* The blocks to the body and to `blocks`, and how many each set has. */
bool sets_write(struct sets *s, struct segment_directory *d, struct packed *out);

/* Does this event show how a call ended that is not open behind it, the innermost (`own`) of several or another one?
 * With an exception that a caller caught, or was left with: after a StackOverflowError exits are missing. */
static inline bool call_ended(const struct effect *f, bool own)
{
    return f->event == EVENT_CATCH || f->event == EVENT_METHOD_EXCEPTIONAL_EXIT || (own && f->op == EFFECT_LEAVE);
}
/* section_ends.c: fills in those of `ends` that are CALL_UNKNOWN and in the index; ERR_NOT_FOUND if the index does not
 * have all chunks from there on. */
enum status ends_find(hs_trace *t, uint32_t stream, uint64_t position, struct call_end *ends, size_t count);

/* Events of a data ID in one segment, and their share of the bytes of its chunks. */
struct dataid_share {
    uint64_t share;
    uint32_t events;
};
/* Of the chunk that the decoder decoded last. A chunk whose bytes cannot be read adds its events, and is damage. */
enum status shares_add_chunk(hs_trace *t, struct dataid_share *shares, struct chunk_decoder *d,
                             const struct chunk_ref *c, const struct chunk_columns *columns, struct error *err);
void shares_encode(const struct dataid_share *shares, uint32_t id_count, struct writer *w);
/* section_values.c: `values` by data ID, behind them by kind (`stood`) */
void segment_values_add(struct segment_values *values, const uint8_t *kinds, const struct chunk_columns *c);
void segment_values_object(struct segment_values *stood, struct text copy); /* what an object stands for */
void segment_values_encode(const struct segment_values *values, uint32_t id_count, struct writer *w);
typedef VEC(struct call_end) call_end_vec;
void ends_encode(const call_end_vec *ends, struct writer *w);
/* section_lanes.c: while a segment is built. Of each chunk: begin, each event with the state before it, end. */
struct lane_last {
    uint64_t position; /* of the event behind it; 0: not known */
    uint64_t stamp, ns, value;
    uint32_t id;
};
struct lane_writer {
    hs_trace *trace;
    struct writer section, pieces; /* of the segment; of the chunk */
    lane_frame_vec frames;         /* before the piece */
    size_t shared;                 /* of them with the piece before */
    uint32_t stream, count;        /* of the chunk: its stream, pieces so far */
    const struct chunk_ref *chunk;
    uint64_t stamp; /* of the piece before */
    struct lane_piece piece;
    struct lane_pause pause;
    struct lane_last *last; /* the last event, by stream */
    size_t clock_at;
};
bool lane_writer_init(struct lane_writer *w, hs_trace *t);
void lane_writer_done(struct lane_writer *w);
void lane_segment_begin(struct lane_writer *w);
void lane_chunk_begin(struct lane_writer *w, uint32_t stream, const struct chunk_ref *chunk);
bool lane_event(struct lane_writer *w, const struct replay *f, uint32_t id, uint64_t value, uint64_t stamp,
                const uint64_t *time_ns);
/* How many events with this stamp, between which the stack stays as it is, lane_run takes now. */
static inline uint32_t lane_room(const struct lane_writer *w, uint64_t stamp, const uint64_t *times)
{
    const struct lane_last *last = &w->last[w->stream];
    const bool goes_on = times == NULL && last->position > 0 && last->stamp == stamp && w->piece.events > 0;
    return goes_on ? LANE_EVENTS - w->piece.events : 0;
}
/* The same as lane_event for each of them: none begins a call or is an exception's exit. `f`: after them; `id`, `value`
 * are those of the last. */
void lane_run(struct lane_writer *w, const struct replay *f, uint32_t count, uint32_t id, uint64_t value);
bool lane_chunk_end(struct lane_writer *w, const struct replay *f);
void lane_segment_encode(const struct lane_writer *w, struct writer *out);
/* Reading: what a chunk has, behind its number and thread. False: it is damaged, or from `each`. */
typedef bool lane_piece_fn(void *context, const struct lane_piece *piece, const struct lane_pause *pause);
bool lane_read_chunk(struct reader *r, hs_trace *t, const struct thread_chunks *own, const struct chunk_ref *chunk,
                     lane_piece_fn *each, void *context);
bool lane_skip_chunk(struct reader *r, hs_trace *t);
/* `at`: lane_piece.frames. */
bool lane_read_frames(hs_trace *t, const void *section, size_t size, size_t at, lane_frame_vec *stack);
/* The frames before the pieces that were joined with it, one after the other. */
bool lane_pass_joined(hs_trace *t, const void *section, size_t size, const struct lane_piece *p, lane_frame_vec *stack);
/* section_repeats.c: while a segment is built. Of each chunk: begin, each event that may change the stack, end. */
struct repeat_writer {
    struct writer section;
    struct repeat_chunk now;
    struct call_part all; /* of the chunk */
    bool broken;          /* the chunk is no such chunk */
};
void repeat_segment_begin(struct repeat_writer *w);
void repeat_chunk_begin(struct repeat_writer *w, const struct replay *f);
/* `f`: behind event `at` of the chunk; `before`: frames that were open in front of it. */
void repeat_event(struct repeat_writer *w, const struct replay *f, const struct effect *effect, uint64_t value,
                  size_t before, uint32_t at);
bool repeat_chunk_end(struct repeat_writer *w, const struct replay *f, const struct chunk_ref *chunk);
void repeat_segment_encode(const struct repeat_writer *w, struct writer *out);
/* section_stacks.c: as section_repeats.c. */
struct stack_writer {
    struct writer section, list, packed; /* of the segment; of the chunk */
    uint32_t last;                       /* the event that changed the stack last */
    bool broken;                         /* the chunk has no list */
};
void stack_segment_begin(struct stack_writer *w);
void stack_chunk_begin(struct stack_writer *w, const struct replay *f);
void stack_event(struct stack_writer *w, const struct replay *f, const struct effect *effect, size_t before,
                 uint32_t at);
/* False: out of memory. */
bool stack_chunk_end(struct stack_writer *w, const struct chunk_ref *chunk, ZSTD_CCtx *zstd);
void stack_segment_encode(const struct stack_writer *w, struct writer *out);
void stack_writer_done(struct stack_writer *w);
/* The objects that the exceptions of `events` hold, to `held`. False: out of memory. */
bool exceptions_find_held(hs_trace *t, struct exception_lists *l);
/* thrown_kinds.c: the kinds of the exceptions, to `kinds` and to the events. False: out of memory. */
bool thrown_kinds_find(hs_trace *t, struct exception_lists *l);
/* The lists without their kinds. */
void exceptions_encode(const struct exception_lists *l, struct writer *w);
/* Behind what `out` has, whose kinds from `kinds` on are theirs. ERR_NOT_FOUND (`err` is not set): it is damaged, or of
 * another trace. */
enum status exceptions_decode(hs_trace *t, struct reader *r, size_t kinds, struct exception_lists *out,
                              struct error *err);
/* shared_kinds.c: the last segment that had all kinds of its own. */
struct kind_at {
    uint64_t key; /* a hash of the kind */
    uint32_t at;
};
struct kind_base {
    uint64_t segment;
    VEC(struct thrown_kind) kinds;
    MAP(struct kind_at) by_hash;
};
/* Of segments with rising numbers. False: out of memory. */
bool shared_kinds_encode(struct kind_base *base, uint64_t segment, const struct exception_lists *l, struct writer *w);
void kind_base_done(struct kind_base *base);
/* Appends the kinds of a segment to `to`. ERR_NOT_FOUND (`err` is not set): it has none, or they are damaged. */
enum status index_kinds(hs_trace *t, uint64_t segment, struct exception_lists *to, struct error *err);
/* Those of one segment; ERR_NOT_FOUND also if it has none. */
enum status index_exceptions_of(hs_trace *t, uint64_t segment, struct exception_lists *out, struct error *err);
/* Their parts. False: out of memory. */
void thrown_kinds_encode(const struct exception_lists *l, struct writer *w);
bool thrown_kinds_decode(struct reader *r, struct exception_lists *to); /* `r` is bad: they are damaged */
void exception_objects_encode(struct writer *w, const u32_vec *objects);
bool exception_objects_decode(struct reader *r, u32_vec *to);
/* section_flights.c: of a segment whose events passed (thrown_uses_passed) not yet. */
enum status flights_encode(hs_trace *t, const struct exception_lists *l, struct thrown_uses *u, struct writer *w,
                           struct error *err);
/* Notes the objects that segments which the index has already have thrown. */
struct thrown_uses;
bool exceptions_note_earlier(hs_trace *t, uint64_t segment, struct thrown_uses *u);
/* section_paths.c: while a segment is built. */
struct path_of {
    uint64_t key; /* path around it + 1 << 32 | method, and 1 is added */
    uint32_t path;
};
struct path_writer {
    VEC(struct path_sum) paths;
    MAP(struct path_of) by_parent;
    u32_vec *nodes; /* by stream: paths of the open calls, of the outer ones that have theirs */
    size_t stream_count;
    bool many; /* too many paths: the segment has none */
};
bool paths_init(struct path_writer *w, hs_trace *t);
void paths_done(struct path_writer *w);
void paths_clear(struct path_writer *w); /* for the next segment */
/* After costs_apply has taken the event, whose calls are `s`. False: out of memory. */
bool paths_apply(struct path_writer *w, uint32_t stream, const struct call_stack *s, const struct effect *f,
                 const struct costs *costs);
void paths_encode(const struct path_writer *w, struct writer *out);
void calls_encode_sums(struct costs *c, struct writer *w);
void calls_encode_open(uint32_t thread, uint64_t events, const struct call_stack *s, struct writer *w);
/* The calls open before a chunk, from the segment of the chunk before it in its thread; false: not known, `s` is
 * empty. */
bool index_open_calls(hs_trace *t, const struct thread_chunks *own, const struct chunk_ref *chunk,
                      struct call_stack *s);

#endif
