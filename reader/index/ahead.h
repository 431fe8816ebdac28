/* ahead.h - how calls end that are open at a moment, without walking there. */
#ifndef READER_AHEAD_H
#define READER_AHEAD_H

#include "reader/trace/internal.h"

struct call_end {
    uint64_t entry;  /* position of its METHOD_ENTRY in its thread */
    uint64_t exit;   /* position of the event that ended it; CALL_OPEN: none before the limit did, CALL_UNKNOWN */
    uint64_t calls;  /* that it made directly, until its end or the limit */
    uint64_t value;  /* of its METHOD_NORMAL_EXIT or METHOD_EXCEPTIONAL_EXIT */
    uint32_t dataid; /* of that event; UINT32_MAX: it vanished without one */
    uint32_t thread;
};
#define CALL_OPEN    UINT64_MAX
#define CALL_UNKNOWN (UINT64_MAX - 1) /* not open at the moment, whatever its caller thinks */

/* Calls of one stream that are open before the event `position`, outermost first, of which `entry` is given; looks at
 * events before `limit`. Asks the index (and wishes for it), else replays the events. */
enum status ahead_ends(hs_trace *t, uint32_t stream, uint64_t position, uint64_t limit, struct call_end *ends,
                       size_t count, struct error *err);

#endif
