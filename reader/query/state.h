/* state.h - what the questions about state and causes share, and the memory of the last answers. trace.h has the
 * questions. */
#ifndef READER_STATE_H
#define READER_STATE_H

#include "reader/cursor/cursor.h"
#include "reader/query/expression_objects.h"

/* Memory of an answer, one of each kind: what it held before is freed. NULL: out of memory. */
enum answer { ANSWER_OBJECT, ANSWER_CONTENTS, ANSWER_COUNT };
struct arena *state_answer(hs_trace *t, enum answer kind);
/* Answers of questions that have one of fixed size; NULL: out of memory. */
struct last_answers {
    struct hs_event event;        /* hs_event_at */
    struct hs_life life;          /* hs_life_get */
    struct hs_object_state state; /* hs_object_part_at */
    struct hs_handover handover;  /* hs_handed_over */
    struct hs_event write_event;  /* hs_last_write */
    struct hs_write write;
    struct hs_place place; /* hs_place_of */
};
struct last_answers *state_last(hs_trace *t);
/* What does not change in the life of an object, and takes several walks to find: of objects that were asked for
 * lately, one for each slot. */
struct object_life {
    uint32_t id; /* 0: none yet */
    uint64_t first;
    bool made; /* `created` is the event that created it */
    struct hs_event created;
};
/* The slot of an object, which may hold another one; NULL: out of memory. */
struct object_life *state_life(hs_trace *t, uint32_t id);

/* object_part_at into an arena. */
enum status object_state(hs_trace *t, struct arena *arena, uint32_t id, uint64_t seq, struct part part,
                         const struct hs_object_state **out, struct error *err);
/* The same with the fields of that name alone, if accesses show them; nothing is said of what may have changed them
 * since. -1: an access may be missing. Into the answer of hs_object_at. */
int object_accessed(hs_trace *t, uint32_t id, const char *field, uint64_t seq, const struct hs_object_state **out);
/* The event `seq`; ERR_NOT_FOUND: the stream is shorter. */
enum status event_at(hs_trace *t, uint64_t seq, struct hs_event *out, struct error *err);
/* The stack of the thread of event `seq`, innermost first. */
enum status stack_at(hs_trace *t, uint64_t seq, struct arena *arena, const struct hs_frame **out, size_t *count,
                     struct error *err);

#endif
