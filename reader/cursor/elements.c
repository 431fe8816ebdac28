/* elements.c - elements of boolean[] and byte[], which baload and bastore load and store alike.
 *
 * Only the array shows which it is. Its event stands two before that of the value in its thread:
 *
 *     ARRAY_LOAD a   ARRAY_LOAD_INDEX i   ARRAY_LOAD_RESULT v */
#include "reader/cursor/elements.h"

#include <string.h>

enum { STEPS = 2 };

char element_kind(hs_trace *t, uint64_t array, char kind)
{
    const struct hs_type *type = kind == KIND_BYTE ? hs_type_get(t, objects_class(t, array)) : NULL;
    return type != NULL && strcmp(type->name, "boolean[]") == 0 ? KIND_BOOLEAN : kind;
}

/* The event type of the array, if this data ID is that of an element's value; 0 else. */
static unsigned array_event(const struct hs_dataid *d)
{
    return d == NULL                             ? 0
           : d->event == EVENT_ARRAY_LOAD_RESULT ? EVENT_ARRAY_LOAD
           : d->event == EVENT_ARRAY_STORE_VALUE ? EVENT_ARRAY_STORE
                                                 : 0;
}

static bool is_array_of(const struct hs_dataid *a, const struct hs_dataid *d)
{
    return a != NULL && d != NULL && a->event == array_event(d) && a->method_id == d->method_id && a->pc == d->pc;
}

char element_kind_of(hs_trace *t, const struct hs_event *e)
{
    const struct hs_dataid *d = e->kind == KIND_BYTE ? hs_dataid_get(t, e->dataid) : NULL;
    struct hs_event a;
    if (array_event(d) == 0 || e->position < STEPS)
        return e->kind;
    struct event_position at = { positions_stream(t, e->thread), e->position - STEPS };
    if (positions_event(t, at, &a, NULL) != OK || !is_array_of(hs_dataid_get(t, a.dataid), d) ||
        e->stamp >= gap_behind(t, a.stamp))
        return e->kind;
    return element_kind(t, a.value, e->kind);
}

/* Is the event two before this one that of the array of this element? `id` points into a column of data IDs. */
static bool has_array(hs_trace *t, struct element_memos *memos, const uint32_t *id)
{
    uint32_t value = *id + 1, before = id[-STEPS] + 1;
    const uint32_t slot = value % ELEMENT_MEMOS;
    if (memos->pairs[slot].value != value || memos->pairs[slot].before != before) {
        memos->pairs[slot].value = value;
        memos->pairs[slot].before = before;
        memos->pairs[slot].is_element = is_array_of(hs_dataid_get(t, id[-STEPS]), hs_dataid_get(t, *id));
    }
    return memos->pairs[slot].is_element;
}

char element_kind_in(hs_trace *t, struct element_memos *memos, const struct hs_event *e, const uint32_t *ids,
                     const uint64_t *values, uint64_t before)
{
    if (before < STEPS || t->intervals.count > 0)
        return element_kind_of(t, e);
    if (!has_array(t, memos, ids))
        return KIND_BYTE;
    uint64_t array = values[-STEPS];
    const uint32_t slot = array % ELEMENT_MEMOS;
    if (memos->arrays[slot].array != array || array == 0) {
        memos->arrays[slot].array = array;
        memos->arrays[slot].kind = element_kind(t, array, KIND_BYTE);
    }
    return memos->arrays[slot].kind;
}
