/* periods.h - what is not known because recording was stopped (formats/README.md, "Periods" and "Intervals").
 *
 * All events of one period lie before those of the next one in the global order, but what the program did between them
 * is in no event: a field that was 1 at the last event of a period may have had any value since.
 *
 *     period 1   PUT x=1 ....|  stopped: x=9, x=1 |  period 2   GET x: 1, of a write that is not recorded
 *                                                 ^ period_begin of period 2 */
#ifndef READER_PERIODS_H
#define READER_PERIODS_H

#include "reader/cursor/cursor.h"

/* Did the program run unrecorded between the two events (`earlier` NULL: before `later`), as they belong to two
 * periods, or to two intervals of logstart= and logend=, or as the recording began in a running program? */
bool recording_gap(hs_trace *t, const struct hs_event *earlier, const struct hs_event *later);
/* That as a phrase; NULL: it did not. */
const char *recording_gap_text(hs_trace *t, const struct hs_event *earlier, const struct hs_event *later);
/* The seq from which on everything up to this event (with its seq) was recorded: that of the first event behind the
 * last such gap; 0: there is none. */
enum status recorded_since(hs_trace *t, const struct hs_event *e, uint64_t *seq, struct error *err);
/* The seq of the first event of the period of an event with this stamp; 0: it is the first period. */
enum status period_begin(hs_trace *t, uint64_t stamp, uint64_t *seq, struct error *err);
/* The first seq of the period that event `seq` belongs to; of a seq behind all events, of the last one. */
enum status period_begin_at(hs_trace *t, uint64_t seq, uint64_t *begin, struct error *err);

#endif
