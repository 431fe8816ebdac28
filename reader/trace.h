/* trace.h - reading a Hindsight trace from C: the header of libhindsight-reader. It includes those in api/, one for
 * each subject, which can also be included by themselves.
 *
 *     hs_trace *trace;
 *     hs_cursor *events;
 *     const struct hs_event *event;
 *     struct hs_filter filter = HS_FILTER_ALL;
 *     struct hs_error error = HS_ERROR_INIT;
 *
 *     if (hs_open("hindsight-20261120-2031-4711", HS_OPEN_READONLY, NULL, &trace, &error) != 0)
 *         return fail(error.text);
 *     filter.class_glob = "com.acme.*";
 *     if (hs_events_open(trace, &filter, &events, &error) != 0)
 *         return fail(error.text);
 *     int more;
 *     while ((more = hs_event_next(events, &event, &error)) > 0)
 *         printf("%" PRIu64 " thread %" PRIu32 "\n", event->seq, event->thread);
 *     if (more < 0)
 *         return fail(error.text);
 *     hs_cursor_close(events);
 *     hs_close(trace);
 *
 * RESULTS. A function that can fail returns 0 for success and -1 for failure. One that steps, or that may find nothing,
 * returns 1 (here it is), 0 (there is none, or no more) or -1. On -1 the out-parameters are untouched, and `*error`, if
 * it is not NULL, holds an enum hs_status and one sentence. Look-ups (hs_..._get without `error`) return NULL for what
 * the trace does not hold; a row that cannot be read counts as missing, and hs_damage reports it.
 *
 * ITERATION. Every list is read with a cursor: hs_<list>_open gives it, hs_<row>_next gives its rows one at a time, and
 * hs_cursor_close ends it. A function that is given a cursor over other rows fails with HS_ERR_USAGE.
 *
 * OWNERSHIP. The caller closes what it opened: a trace with hs_close, each cursor with hs_cursor_close, before its
 * trace. Nothing else is ever freed by the caller. Every pointer that the library gives is borrowed:
 *   - a row of a cursor, with all that it points to, lives until the next step, seek or close of that cursor;
 *     rows of the cursors marked "rows are kept" live until that cursor is closed;
 *   - a row of a table (dataid, class, method, thread, type, thrown) and the texts of the trace live until hs_close;
 *   - what a question about one thing answers (hs_object_get, hs_object_at, hs_contents_at, hs_event_at, hs_last_event,
 *     hs_place_of, hs_life_get, hs_handed_over, hs_last_write, hs_evaluate, hs_index_info, hs_fsck) lives until the
 *     same function is called again on the same trace. What the caller passes in is copied where it is needed after the
 *     call.
 *
 * THREADS. A trace and its cursors belong to one thread at a time. Different handles are independent of each other,
 * also when they have opened the same directory. Functions without a handle may be called from any thread.
 *
 * VERSIONS. Handles are opaque. Structs that the library fills are allocated by it and may grow at their end in later
 * versions: never copy them by size, embed them or make arrays of them to be filled. Lists inside of them are arrays of
 * pointers (or of numbers). Structs that the caller fills begin with their size, which their initializers
 * (HS_ERROR_INIT) set and the library checks. Numbers of enums never change. A later version may add values to them.
 *
 * UNITS. `_ns` are nanoseconds since the start of the recording, sizes are bytes; seq counts events from 0. Text is
 * UTF-8 and ends with NUL; a NUL inside a name is written C0 80, a lone surrogate as its three bytes. Names come from
 * the recorded program and may hold any character: escape them before they go to a terminal. */
#ifndef READER_TRACE_H
#define READER_TRACE_H

#include "api/absence.h"
#include "api/allocations.h"
#include "api/base.h"
#include "api/calls.h"
#include "api/catalogue.h"
#include "api/classes.h"
#include "api/conditions.h"
#include "api/diff.h"
#include "api/evaluate.h"
#include "api/events.h"
#include "api/exceptions.h"
#include "api/features.h"
#include "api/heap.h"
#include "api/history.h"
#include "api/index.h"
#include "api/locks.h"
#include "api/moments.h"
#include "api/objects.h"
#include "api/open.h"
#include "api/output.h"
#include "api/overflows.h"
#include "api/races.h"
#include "api/slice.h"
#include "api/state.h"
#include "api/stretches.h"
#include "api/suspects.h"
#include "api/test_source.h"
#include "api/tests.h"
#include "api/threads.h"
#include "api/waits.h"
#include "api/watch.h"

#define HS_VERSION        "1.0.0-rc1"
#define HS_VERSION_NUMBER 1000000 /* major * 1000000 + minor * 1000 + patch */

#endif
