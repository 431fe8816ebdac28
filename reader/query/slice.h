/* slice.h - dynamic slices: see slice.c.
 *
 * An edge leads from a moment to one of its causes (why_moment, slice_causes.c). slice.c walks the edges from a moment
 * back, layer by layer; slice_forward.c finds them by asking each later moment for its causes. */
#ifndef READER_SLICE_H
#define READER_SLICE_H

#include "formats/map.h"
#include "reader/query/why.h"

/* A moment that is in the slice, or may come into it. */
struct slice_moment {
    struct hs_event event;
    uint64_t from;
    uint32_t distance;
    enum hs_cause_by by;
};
/* The distance at which a moment was found: by seq + 1. */
struct slice_seen {
    uint64_t key;
    uint32_t distance;
};
typedef MAP(struct slice_seen) slice_seen_map;

struct slice_forward;
struct slice_cursor {
    hs_cursor base;
    hs_trace *trace;
    struct hs_slice_options want;
    struct why why; /* its arena holds the row */
    struct arena arena;
    struct hs_slice row;
    struct hs_event event;
    slice_seen_map seen;
    VEC(struct slice_moment) layer; /* a heap, the newest first: what is not given yet of the layer */
    VEC(struct slice_moment) next;  /* the next layer */
    struct slice_forward *forward;  /* NULL: backward */
    uint64_t read;                  /* phase_resume */
    bool over;
};

/* ---- slice_causes.c ---- */

/* Explains the moment: what it depends on are the choices that slice_follows. Sets c->row but for how it was found. */
enum status slice_explain(struct slice_cursor *c, const struct hs_event *e, struct error *err);
bool slice_follows(const struct slice_cursor *c, const struct choice *choice);

/* ---- slice_forward.c ---- */

enum status slice_forward_open(struct slice_cursor *c, struct error *err);
/* Sets c->row. ERR_NOT_FOUND: there are no more. */
enum status slice_forward_next(struct slice_cursor *c, struct error *err);
void slice_forward_close(struct slice_forward *f);

#endif
