/* index.h - the public header of this folder: the index of a trace, with which queries read fewer chunks.
 *
 * The index is the file TRACE/index (segments/segments.h has its layout): per segment of 64 chunks, which chunks hold a
 * data ID or an object or write a location, the frames before every chunk, and sums and lists for frequent queries. It
 * is derived data: it can be deleted at any time, and what it does not have is read from the chunks. */
#ifndef READER_INDEX_H
#define READER_INDEX_H

#include "formats/event.h"
#include "reader/replay/replay.h"
#include "reader/segments/segments.h"
#include "reader/stream/stream.h"

/* ---- build.c ---- */

/* Builds missing segments if the trace is large enough for an index to be worth it. A failure is ignored: queries work
 * without one. */
void index_wish(hs_trace *t);
/* Of a derived trace: a chunk is executed from the begin of its thread, unless the index has a state before it. Builds
 * what is missing of the index up to event `seq` (HS_NO_SEQ: all) if that is far from the begin. */
void index_reach(hs_trace *t, uint64_t seq);
/* hs_index_build, without the sums over the whole trace. */
int index_build(hs_trace *trace, struct hs_error *error);

/* ---- whole.c: sums over a whole trace, made by the room that answers from them ---- */

/* Can it be kept, and is not yet? index_section(t, SEGMENT_WHOLE(which), which, ...) reads it. */
bool index_whole_wanted(hs_trace *t, enum index_section which);
/* Takes the bytes of `raw`. One that is large beside the trace, or for which there is no room, is not kept. */
bool index_whole_small(const hs_trace *t, size_t bytes);
void index_keep_whole(hs_trace *t, enum index_section which, struct writer *raw);

/* whole_rows.c: rows of an answer. A cell is a member of their struct, of 4 or 8 bytes, or a text. */
enum whole_holds { CELL_NUMBER, CELL_DATAID, CELL_METHOD, CELL_SEQ, CELL_TEXT };
struct whole_cell {
    size_t at, bytes;
    enum whole_holds holds;
};
struct whole_shape {
    size_t row_bytes, count;
    const struct whole_cell *cells;
};
#define WHOLE_CELL(type, member, holds)                                                                                \
    {                                                                                                                  \
        offsetof(type, member), sizeof((type *)0)->member, holds                                                       \
    }
void index_keep_rows(hs_trace *t, enum index_section which, const struct whole_shape *shape, const void *rows,
                     size_t count);
/* False: there are none. `*rows` is malloc'ed, texts are in the arena. */
bool index_kept_rows(hs_trace *t, enum index_section which, const struct whole_shape *shape, struct arena *texts,
                     void **rows, size_t *count);

/* class_pages.c: keeps which pages of the object table have objects of which class, if it is not kept and can be. */
enum status class_pages_keep(hs_trace *t, struct error *err);
/* objects_open_classes, of those pages alone if they are known. */
int class_pages_open(hs_trace *t, u32_vec *classes, hs_cursor **out, struct hs_error *error);

/* ---- frames_at.c: the frames at a moment ---- */

/* The state before event `at.position`, borrowed until the next call. */
enum status frames_at(hs_trace *t, struct event_position at, const struct replay **out, struct error *err);
/* A copy of it, for further replay: `f` is of this stream (replay_init); the caller frees it, also after a failure. */
enum status frames_copy(hs_trace *t, struct event_position at, struct replay *f, struct error *err);

/* Applies the events of the stream from the state's position up to `until`; not behind gaps of recordings in parts. */
enum status frames_run(struct replay *f, uint64_t until, struct error *err);

/* The state before the chunks of one thread, in rising order: from keyframes alone, each of which is read once. */
struct frame_scan {
    struct replay frames;
    size_t
        next; /* the keyframe of this chunk of the thread can be applied; SIZE_MAX: only the first of a segment can */
};
void frame_scan_init(struct frame_scan *s, hs_trace *t, uint32_t stream);
void frame_scan_done(struct frame_scan *s);
/* The state before a chunk of the thread that is not below the one of the last call; NULL: the index does not have
 * it. */
const struct replay *frame_scan_to(struct frame_scan *s, size_t chunk);

/* Walks back over the events of one frame only, skipping the calls it made with the help of keyframes. */
struct frame_walk {
    hs_trace *trace;
    uint32_t stream, method;
    uint64_t entry;    /* NO_POSITION: back to the start of the thread, or of the interval */
    uint64_t begin;    /* events before this stamp are of another interval; NO_POSITION: not determined yet */
    uint64_t position; /* events before it are not visited yet */
    uint32_t depth;    /* calls whose exits were passed and whose entries were not */
    bool done;
};
/* Begins before `at` in the frame that is open there (its top). */
void frame_walk_begin(struct frame_walk *w, hs_trace *t, struct event_position at, const struct call_frame *frame);
/* The event before; ERR_NOT_FOUND when METHOD_ENTRY was the last one (`err` is not set). */
enum status frame_walk_back(struct frame_walk *w, struct hs_event *out, struct error *err);

/* ---- call_ends.c: ends of the calls that are open at a moment, without reading up to there ---- */

struct call_end {
    uint64_t entry;  /* position of its METHOD_ENTRY in its thread */
    uint64_t exit;   /* position of the event that ended it; CALL_OPEN: none before the limit did, CALL_UNKNOWN */
    uint64_t calls;  /* that it made directly, until its end or the limit */
    uint64_t value;  /* of its METHOD_NORMAL_EXIT or METHOD_EXCEPTIONAL_EXIT; or of what ended several (call_ended,
                        sections.h) */
    uint32_t dataid; /* of that event; UINT32_MAX: it ended without one */
    uint32_t thread;
};
#define CALL_OPEN    UINT64_MAX
#define CALL_UNKNOWN (UINT64_MAX - 1) /* no such call is open at the moment */

/* Calls of one stream that are open before the event `position`, outermost first, with `entry` set by the caller;
 * considers events before `limit`. Uses the index (and calls index_wish), else replays the events. */
enum status call_ends_find(hs_trace *t, uint32_t stream, uint64_t position, uint64_t limit, struct call_end *ends,
                           size_t count, struct error *err);

/* ---- lanes.c: what each thread did, in pieces (section_lanes.c), without reading its chunks ---- */

enum {
    LANE_EVENTS = HS_STRETCH_EVENTS,
    LANE_FRAMES = 1024,
    PAUSE_NS = 1000000,        /* a thread without an event for so long has a pause */
    LANE_PIECES_MOST = 1 << 19 /* of longer parts several pieces of a chunk are joined: 90 bytes each */
};

struct lane_frame {
    uint64_t entry; /* position of its METHOD_ENTRY, NO_POSITION if that was not recorded */
    uint32_t method;
};
typedef VEC(struct lane_frame) lane_frame_vec;

/* The time before a piece in which its thread had no event. */
struct lane_pause {
    uint64_t ns; /* 0: less than PAUSE_NS */
    uint64_t begin_stamp, value;
    uint32_t dataid; /* of the event before it, as begin_stamp and value */
    uint64_t begin;  /* seq of that event, as exact as that of the piece */
};
/* Events of one thread that follow each other in one chunk; the last piece of a thread has none. */
struct lane_piece {
    uint64_t position, stamp, ns; /* of its first event; ns 0: no clock */
    uint64_t end;                 /* the last stamp of its chunk */
    /* of its first event: with several threads estimated, off by at most LANE_EVENTS for each other thread */
    uint64_t seq;
    uint32_t stream, segment; /* segment: position in lanes.segments */
    uint32_t events, calls, exceptions;
    uint32_t depth, least, most; /* open calls: before it; of those before each of its events the least and the most */
    uint32_t joined;             /* how many pieces behind it are part of it */
    size_t frames;               /* lanes_frames */
    size_t pause;                /* position in lanes.pauses; SIZE_MAX: none */
};

struct lanes {
    VEC(struct lane_piece) pieces; /* by stream and position */
    VEC(struct lane_pause) pauses;
    VEC(struct lane_segment {
        uint64_t number;
        uint8_t *bytes;
        size_t size;
    })
    segments;
};
/* The pieces of all threads with events from seq `from` to `to`, for each thread also one or more before `from` if
 * there are any. If there are more than `most`, pieces of a chunk are joined that have no pause between them.
 * ERR_NOT_FOUND (`err` is set): the index does not have them. lanes_done in any case. */
enum status lanes_load(hs_trace *t, uint64_t from, uint64_t to, uint64_t most, struct lanes *out, struct error *err);
void lanes_done(struct lanes *l);
/* The calls open before a piece, outermost first, in place of those before the piece before it in `stack`: to be called
 * for each piece of a chunk in their order. False: the index is damaged. */
bool lanes_frames(hs_trace *t, const struct lanes *l, const struct lane_piece *p, lane_frame_vec *stack);

/* ---- section_repeats.c: chunks in which one frame makes nothing but equal calls, without reading them ---- */

struct call_part {
    uint64_t count, hash; /* entries and exits */
};
struct repeat_chunk {
    uint32_t depth;              /* open calls around the equal ones, all through the chunk */
    uint32_t calls;              /* that begin and end in it */
    uint32_t begin;              /* events in front of them: the end of a call that was open before the chunk */
    struct call_part call;       /* each of them */
    struct call_part head, tail; /* of the call that was open before it; of the one that is open behind it */
};
struct repeat_scan {
    hs_trace *trace;
    bool read; /* a segment */
    uint64_t segment;
    struct repeat_chunk chunks[SEGMENT_CHUNKS];
};
/* NULL: it is no such chunk, or the index does not have it. */
const struct repeat_chunk *repeats_of(struct repeat_scan *s, const struct chunk_ref *chunk);
/* Are the calls of two chunks that follow each other in their thread equal, and the one that they share? */
bool repeats_go_on(const struct repeat_chunk *a, const struct repeat_chunk *b);

/* ---- section_stacks.c: the calls that are open at a position, without reading the chunk ---- */

enum { STACK_SEGMENTS = 4 };
struct stack_list {
    size_t at;
    uint32_t packed, raw; /* raw 0: the chunk has none */
};
struct stack_segment {
    uint64_t number; /* + 1; 0: none is read */
    uint8_t *bytes;
    size_t size;
    struct stack_list lists[SEGMENT_CHUNKS];
};
struct stack_scan {
    hs_trace *trace;
    uint8_t *list; /* unpacked */
    struct stack_segment segments[STACK_SEGMENTS];
};
/* The calls behind the first `count` events of a stream, outermost first; `*leaves`: the last of them is an exit, and
 * they are those in front of it. False: the index does not have it. */
bool stack_scan_at(struct stack_scan *s, uint32_t stream, uint64_t count, lane_frame_vec *stack, bool *leaves);
void stack_scan_done(struct stack_scan *s);

/* ---- section_values.c: which values a segment has, without reading its chunks ---- */

enum { VALUES_LISTED = 8, VALUES_RANGES = 4, VALUES_KINDS = 128 };
/* Of one data ID: keys rise; more than VALUES_LISTED: the first and the last of ranges that have them. */
struct segment_values {
    int64_t keys[2 * VALUES_RANGES], last; /* last: while they are collected */
    uint32_t count, ranges;
};
_Static_assert(VALUES_LISTED <= 2 * VALUES_RANGES, "one array has both");
bool index_values_have(const struct segment_values *v, int64_t key);
/* The data IDs of the segment for which `may` is true, appended to `ids`, rising; behind them, from t->kind_count on,
 * by kind the numbers that its objects stand for, and as KIND_REF the forms of others. False: the index does not have
 * it, or out of memory; `ids` may have some. */
typedef bool index_values_fn(void *context, uint32_t id, const struct segment_values *v);
bool index_values(hs_trace *t, uint64_t segment, index_values_fn *may, void *context, u32_vec *ids);

/* ---- handing.c: SET_HANDED ---- */

/* May an event, whose value is an object, give it to code that is not woven? `next`: data IDs of the events of the
 * thread behind it; HANDED_OPEN: those behind them say. */
struct handing;
enum handed { HANDED_NOT, HANDED_MAY, HANDED_OPEN };
struct handing *handing_new(hs_trace *t); /* free() */
enum handed handing_of(struct handing *h, uint32_t id, const uint32_t *next, uint32_t count);

/* ---- sums and lists over the whole trace ---- */

/* Adds up the times of all calls; ERR_NOT_FOUND if the index does not have it for every chunk (`c` may have some). */
enum status index_costs(hs_trace *t, struct costs *c, struct error *err);
/* The calls of all segments by path: section_paths.c. */
struct path_sum {
    uint32_t parent; /* position of the path around it in the same segment, which is below its own; NO_PATH */
    bool nested;     /* an outer call of the path is of the same method */
    struct hs_context sums;
};
#define NO_PATH UINT32_MAX
typedef enum status path_sum_fn(void *context, uint32_t position, const struct path_sum *p, struct error *err);
/* ERR_NOT_FOUND (`err` is not set) if the index does not have them for every chunk, or code was woven several times. */
enum status index_paths(hs_trace *t, path_sum_fn *each, void *context, struct error *err);
/* How often each data ID occurs, and its share of the bytes in 1 / (1 << SHARE_KEPT_BITS), of counts[t->kind_count] and
 * shares[t->kind_count], which the caller has cleared. Reads the chunks of segments that the index does not have. */
enum { SHARE_KEPT_BITS = 0 };
enum status index_count_dataids(hs_trace *t, uint64_t *counts, uint64_t *shares, struct error *err);

/* An event that throws, catches or passes on an exception. */
struct exception_event {
    uint64_t stamp, position;
    /* position of the METHOD_ENTRY of the frame that is open before it; NO_POSITION: that was not recorded, or no
     * frame is open; ENTRY_UNKNOWN: without an index */
    uint64_t entry;
    uint32_t thread, object, dataid;
    uint32_t next; /* the next one of the same flight: its position in the list + 1 (index/flights.h) */
    uint32_t kind; /* of its exception: position + 1 in `kinds`; 0: not known without its contents */
};
#define ENTRY_UNKNOWN (NO_POSITION - 1)
typedef VEC(struct exception_event) exception_event_vec;
/* Another event, but LOCAL_STORE, with an object as value that one of those had before. */
struct exception_use {
    uint64_t stamp, position;
    uint32_t thread, object, dataid;
};
/* What exceptions of a kind have in common (thrown_kinds.c). */
struct thrown_kind {
    uint64_t message;     /* a hash of the text; 0: null */
    uint32_t type, cause; /* class ids; type 0: not known; cause 0: there is none */
};
struct exception_lists {
    VEC(struct thrown_kind) kinds;
    exception_event_vec events;
    VEC(struct exception_use) uses;
    u32_vec unsure; /* objects that may have other uses */
    u32_vec held;   /* objects that are cause of, or suppressed by, one of the events */
};
void exception_lists_clear(struct exception_lists *l);
void exception_lists_done(struct exception_lists *l);
static inline unsigned exception_event_type(hs_trace *t, const struct exception_event *e)
{
    return effects_get(t, e->dataid)->event;
}
static inline bool is_exception_event(unsigned event) { return event_has(event, USE_EXCEPTION); }
/* section_exceptions.c: the cause of an exception and those that it suppressed. Contents that are damaged are reported.
 * False: out of memory. */
bool exception_held(hs_trace *t, uint32_t id, u32_vec *to);
/* thrown_kinds.c: the kind of an exception whose contents are `row`; false: what getMessage gave may not be the message
 * in them. thrown_alike: the number that exceptions of kinds with equal names of types, and equal messages, share. */
bool thrown_kind_of(hs_trace *t, uint32_t id, const struct thrown_row *row, struct thrown_kind *out);
uint64_t thrown_alike(const hs_trace *t, const struct thrown_kind *kind);
/* All of them, chunk by chunk; ERR_NOT_FOUND if the index does not have every chunk. */
enum status index_exceptions(hs_trace *t, struct exception_lists *out, struct error *err);

#endif
