/* cursor.h - the door of this room: cursors over the events that pass a filter (hs_cursor_open and the others of
 * reader/trace.h), and what the questions about objects, writes and causes walk with.
 *
 * events.c is the cursor; filter.c decides which events pass, wanted.c and needle.c by value and text; sparse.c reads
 * only the chunks that the index names; walks.c gives the events of an object, and those beside one in its thread. */
#ifndef READER_CURSOR_H
#define READER_CURSOR_H

#include "reader/index/index.h"

/* ---- events.c ---- */

/* A cursor over events of these data IDs (as well as the filter's conditions); and taking some of them away
 * again. With a location key (location_key.h; 0: none) chunks that do not write it may be left out. */
int cursor_open_ids(hs_trace *trace, const struct hs_filter *filter, const uint32_t *ids, size_t id_count,
                    uint32_t location, hs_cursor **out, struct hs_error *error);
void cursor_drop_ids(hs_cursor *cursor, const uint32_t *ids, size_t count);

/* ---- walks.c ---- */

typedef VEC(struct hs_event) event_vec;

static inline enum status state_memory(const hs_trace *t, struct error *err)
{
    return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}
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
/* The event `steps` behind (or before) another one in its thread, without seq. ERR_NOT_FOUND: there is none. */
enum status event_beside(hs_trace *t, const struct hs_event *e, int64_t steps, struct hs_event *out, struct error *err);

/* A cursor over events of these data IDs that have the object as value (0: any) and are not behind `to`; `location` as
 * in cursor_open_ids. The same by event types. */
enum status walk_ids(hs_trace *t, const u32_vec *ids, uint32_t object, uint32_t location, uint64_t to, hs_cursor **out,
                     struct error *err);
enum status walk_types(hs_trace *t, const unsigned *types, size_t count, uint32_t object, uint64_t to, hs_cursor **out,
                       struct error *err);
/* One step; ERR_NOT_FOUND at the end (`err` left alone). */
enum status walk_next(hs_cursor *c, struct hs_event *out, struct error *err);
enum status walk_previous(hs_cursor *c, struct hs_event *out, struct error *err);
/* Stands before the event. */
enum status walk_seek(hs_cursor *c, uint64_t seq, struct error *err);
/* Appends the data IDs of an event type. */
bool walk_add_sites(hs_trace *t, unsigned type, u32_vec *ids);

#endif
