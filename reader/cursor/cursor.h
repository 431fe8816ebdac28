/* cursor.h - the public header of this folder: cursors over the events that pass a filter (hs_events_open and the
 * others of reader/trace.h), and walks over events, which queries use.
 *
 * events.c is the cursor; filter.c decides which events pass, wanted.c and needle.c by value and text; sparse.c reads
 * only the chunks that the index names; elements.c distinguishes elements of boolean[] and byte[]; walks.c has the
 * walks, and the events beside one in its thread. */
#ifndef READER_CURSOR_H
#define READER_CURSOR_H

#include "reader/cursor/wanted.h"
#include "reader/index/index.h"

/* A condition as the filter sees it; query/condition.c makes it. */
struct hs_condition {
    bool (*passes)(hs_condition *condition, hs_trace *trace, const struct hs_event *event);
    /* The first event from `i` to `end`, by data ID and value, of which it is not known at once that it is not true. */
    uint32_t (*scan)(hs_condition *condition, hs_trace *trace, const uint32_t *ids, const uint64_t *values, uint32_t i,
                     uint32_t end);
    /* Narrows the filter by the parts of it that are constant, which it owns. */
    void (*narrow)(hs_condition *condition, struct hs_filter *want);
};

/* ---- events.c ---- */

/* A cursor over the events of these data IDs (NULL: of all) that pass the filter. */
int cursor_open_ids(hs_trace *trace, const struct hs_filter *filter, const uint32_t *ids, size_t id_count,
                    hs_cursor **out, struct hs_error *error);
/* Takes some of them out again. */
void cursor_drop_ids(hs_cursor *cursor, const uint32_t *ids, size_t count);
/* Of the chunks that the index has, only those of one of these keys (copied) need be read. */
void cursor_set_keys(hs_cursor *cursor, const struct index_key *keys, size_t count);

/* ---- elements.c ---- */

/* The kind of an element of this array: of a boolean[] it is BOOLEAN, where its instruction, which serves byte[] too,
 * has BYTE. */
char element_kind(hs_trace *t, uint64_t array, char kind);
/* The kind of the value of an event, whose kind is that of its data ID. Cursors have done it. */
char element_kind_of(hs_trace *t, const struct hs_event *e);

/* ---- walks.c ----
 *
 *     walk_open_types(&w, t, types, 2, object, UINT64_MAX);
 *     while (walk_next(&w, &e))
 *         ...
 *     return walk_close(&w, err);
 *
 * A walk ends by itself at the last event and at the first failure, also that of opening or seeking; after a failure
 * every step is false. Its status is asked for once, at the end. */

typedef VEC(struct hs_event) event_vec;

static inline enum status state_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }
/* Public error back to an internal one. */
static inline enum status state_take(const struct hs_error *from, struct error *err)
{
    return error_set(err, (enum status)from->code, "%s", from->text);
}

/* The event type of a data ID; 0 if the trace does not have it. */
static inline unsigned event_type(hs_trace *t, uint32_t dataid)
{
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    return d != NULL ? d->event : 0;
}
/* The event `steps` after (or before) another one in its thread, without seq. ERR_NOT_FOUND: there is none. */
enum status event_beside(hs_trace *t, const struct hs_event *e, int64_t steps, struct hs_event *out, struct error *err);

struct walk {
    hs_cursor *cursor;     /* NULL: not open, there is nothing to walk over */
    struct hs_error error; /* its code is OK (0) until something fails */
};

/* Events of these data IDs that have the object as value (0: any) and are not after `to`. */
void walk_open_ids(struct walk *w, hs_trace *t, const u32_vec *ids, uint32_t object, uint64_t to);
/* cursor_set_keys. */
void walk_set_keys(struct walk *w, const struct index_key *keys, size_t count);
/* The same by event types. */
void walk_open_ids_from(struct walk *w, hs_trace *t, const u32_vec *ids, uint32_t object, uint64_t from, uint64_t to);
void walk_open_types(struct walk *w, hs_trace *t, const unsigned *types, size_t count, uint32_t object, uint64_t to);
void walk_open_types_from(struct walk *w, hs_trace *t, const unsigned *types, size_t count, uint32_t object,
                          uint64_t from, uint64_t to);
/* All events that have the object as value. */
void walk_open_object(struct walk *w, hs_trace *t, uint32_t object);
/* All events that pass the filter (NULL: all events). */
void walk_open_filter(struct walk *w, hs_trace *t, const struct hs_filter *filter);
/* Stands before the event. */
void walk_seek(struct walk *w, uint64_t seq);
/* Stands after the event. */
void walk_seek_after(struct walk *w, uint64_t seq);
/* One step; false at the end and after a failure. */
bool walk_next(struct walk *w, struct hs_event *out);
bool walk_previous(struct walk *w, struct hs_event *out);
/* walk_next without a copy, for passes over all events: the event is borrowed until the next step. */
bool walk_step(struct walk *w, const struct hs_event **out);
/* Why the walk failed; OK if it did not. */
enum status walk_status(const struct walk *w, struct error *err);
/* Allows further steps after a failure, for callers that go on from elsewhere. */
static inline void walk_clear_error(struct walk *w) { w->error.code = HS_OK; }
/* Closes the cursor and gives the status. A walk of zeros is one over nothing. */
enum status walk_close(struct walk *w, struct error *err);
/* Closes it where something else may have failed meanwhile: that status comes first. */
enum status walk_end(struct walk *w, enum status st, struct error *err);
/* Both for public functions: 0, or -1 and the error. */
int walk_give(const struct walk *w, struct hs_error *error);
int walk_finish(struct walk *w, struct hs_error *error);

/* Appends the data IDs of an event type. */
bool walk_add_sites(hs_trace *t, unsigned type, u32_vec *ids);

#endif
