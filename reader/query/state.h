/* state.h - what the questions about state and causes share, and the memory of the last answers. trace.h has the
 * questions. */
#ifndef READER_STATE_H
#define READER_STATE_H

#include "reader/cursor/cursor.h"

/* Memory of an answer, one of each kind: what it held before is freed. NULL: out of memory. */
enum answer { ANSWER_FRAMES, ANSWER_OBJECT, ANSWER_WHY, ANSWER_COUNT };
struct arena *state_answer(hs_trace *t, enum answer kind);

#endif
