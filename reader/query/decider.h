/* decider.h - the branch that decided an instruction, far back in its frame: looked up by its data ID. */
#ifndef READER_DECIDER_H
#define READER_DECIDER_H

#include "reader/query/decision.h"

/* The nearest LABEL or CATCH_LABEL of the frame that is open before w->now, by which `insn` of it runs; of a branch
 * (`is_branch`) before all rounds of its loop. ERR_NOT_FOUND: the frame has none. ERR_LIMIT: it was not found among
 * those that were looked at. */
enum status decider_find(struct why *w, const struct control *g, const struct call_frame *frame, uint32_t insn,
                         bool is_branch, struct hs_event *out, struct error *err);
/* Is `branch`, which decided `base`, one of a round of the loop before? `from`, `to`: control_reach of `base`. */
bool decider_is_round(const struct control *g, uint32_t base, uint32_t branch, const uint8_t *from, const uint8_t *to);

#endif
