/* state.h - what the questions about state and causes share, and the memory of the last answers. trace.h has the questions. */
#ifndef READER_STATE_H
#define READER_STATE_H

#include "reader/replay.h"
#include "reader/sites.h"

/* Memory of an answer, one of each kind: what it held before is freed. NULL: out of memory. */
enum answer { ANSWER_FRAMES, ANSWER_OBJECT, ANSWER_WHY, ANSWER_COUNT };
struct arena *state_answer(hs_trace *t, enum answer kind);
void state_done(hs_trace *t);

/* Puts of fields of an object whose constructor had not run: they carry no object, METHOD_OBJECT_INITIALIZED of the same frame
 * does. Appends all such puts on the object, the oldest first; of one field only unless `field` is NULL. */
typedef VEC(struct hs_event) event_vec;
enum status early_puts(hs_trace *t, uint32_t object, const char *field, event_vec *out, struct error *err);
/* The object of one such put, 0 if its constructor never came that far. */
enum status early_put_object(hs_trace *t, const struct hs_event *put, uint64_t *object, struct error *err);

/* The last write before `seq` of a field (object 0: static) or an array element. ERR_NOT_FOUND: none (`err` left alone). */
enum status last_field_write(hs_trace *t, uint32_t object, struct field f, uint64_t seq, struct hs_event *out, struct error *err);
enum status last_element_write(hs_trace *t, uint32_t array, int64_t index, uint64_t seq, struct hs_event *out, struct error *err);
/* The event that made the object, from NEW_OBJECT_CREATED, NEW_ARRAY_RESULT, MULTI_NEW_ARRAY and its elements. */
enum status creation_of(hs_trace *t, uint32_t object, struct hs_event *out, struct error *err);

static inline enum status state_memory(const hs_trace *t, struct error *err)
{
    return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}
/* Public error back to an internal one. */
static inline enum status state_take(const struct hs_error *from, struct error *err)
{
    return error_set(err, (enum status)from->code, "%s", from->text);
}

#endif
