/* access.c - see access.h. */
#include "reader/query/access.h"
#include "reader/query/creation.h"

#include <string.h>

/* The event `steps` after `first` if it has that type and belongs to the same instruction, else ERR_NOT_FOUND. */
static enum status find_part(hs_trace *t, const struct hs_event *first, int64_t steps, unsigned type,
                             struct hs_event *out, struct error *err)
{
    const struct hs_dataid *own = dataid_or_none(t, first->dataid);
    enum status st = event_beside(t, first, steps, out, err);
    if (st != OK)
        return st;
    const struct hs_dataid *d = dataid_or_none(t, out->dataid);
    if (d == NULL || d->event != type || d->method_id != own->method_id || d->pc != own->pc)
        return ERR_NOT_FOUND;
    return out->stamp < gap_behind(t, first->stamp) ? OK : ERR_NOT_FOUND;
}

/* Is this an exception that the JVM throws from a store (JVMS 6.5: putstatic, aastore and the other array stores)? */
static bool store_throws(hs_trace *t, uint64_t exception, bool is_static)
{
    static const char *const of_array[] = { "java.lang.ArrayIndexOutOfBoundsException", "java.lang.ArrayStoreException",
                                            "java.lang.NullPointerException" };
    static const char *const of_static[] = { "java.lang.ExceptionInInitializerError", "java.lang.NoClassDefFoundError",
                                             "java.lang.IllegalAccessError", "java.lang.StackOverflowError" };
    const char *const *types = is_static ? of_static : of_array;
    size_t count = (is_static ? sizeof of_static : sizeof of_array) / sizeof *types;
    const struct hs_object *o = exception <= UINT32_MAX ? hs_object_get(t, (uint32_t)exception) : NULL;
    if (o == NULL || o->type == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(o->type, types[i]) == 0)
            return true;
    return false;
}

/* Did the store whose last event this is throw? The next event of its frame shows it: an exception handler entered
 * from the store's pc, or an exit by an exception that only the JVM throws there. A class initialization may come in
 * between. */
static enum status store_failed(hs_trace *t, const struct hs_event *last, bool is_static, bool *out, struct error *err)
{
    enum { EVENTS_MAX = 1 << 22 };
    const struct hs_dataid *d = dataid_or_none(t, last->dataid);
    uint64_t gap = gap_behind(t, last->stamp);
    uint32_t depth = 0;
    struct hs_event e;
    *out = false;
    for (int64_t i = 1; i < EVENTS_MAX; i++) {
        enum status st = event_beside(t, last, i, &e, err);
        if (st != OK || e.stamp >= gap)
            return st == ERR_NOT_FOUND ? OK : st;
        const struct effect *f = effects_get(t, e.dataid);
        if (is_static && f->op == EFFECT_ENTER) {
            depth++;
            continue;
        }
        if (depth > 0) {
            depth -= f->op == EFFECT_LEAVE;
            continue;
        }
        if (f->method != d->method_id)
            return OK;
        *out = (f->event == EVENT_CATCH_LABEL && e.value == d->pc) ||
               (f->event == EVENT_METHOD_EXCEPTIONAL_EXIT && store_throws(t, e.value, is_static));
        return OK;
    }
    return OK;
}

/* ERR_NOT_FOUND if the store threw. */
static enum status check_store(hs_trace *t, const struct hs_event *last, bool is_static, struct error *err)
{
    bool threw;
    enum status st = store_failed(t, last, is_static, &threw, err);
    return st == OK && threw ? ERR_NOT_FOUND : st;
}

static enum status find_element(hs_trace *t, const struct hs_event *first, bool load, struct heap_access *out,
                                struct error *err)
{
    struct hs_event index;
    enum status st = find_part(t, first, 1, load ? EVENT_ARRAY_LOAD_INDEX : EVENT_ARRAY_STORE_INDEX, &index, err);
    if (st != OK)
        return st;
    st = find_part(t, first, 2, load ? EVENT_ARRAY_LOAD_RESULT : EVENT_ARRAY_STORE_VALUE, &out->value, err);
    if (st != OK)
        return st;
    if ((int64_t)index.value < 0 || first->value == 0)
        return ERR_NOT_FOUND;
    out->index = index.value;
    out->value.kind = element_kind(t, first->value, out->value.kind);
    return load ? OK : check_store(t, &out->value, false, err);
}

static enum status find_access(hs_trace *t, const struct hs_event *first, struct heap_access *out, struct error *err)
{
    *out = (struct heap_access){ .object = first->value };
    switch (event_type(t, first->dataid)) {
    case EVENT_PUT_INSTANCE_FIELD:
        if (first->value == 0)
            return ERR_NOT_FOUND;
        return find_part(t, first, 1, EVENT_PUT_INSTANCE_FIELD_VALUE, &out->value, err);
    case EVENT_GET_INSTANCE_FIELD: return find_part(t, first, 1, EVENT_GET_INSTANCE_FIELD_RESULT, &out->value, err);
    case EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
        out->value = *first;
        return early_put_object(t, first, &out->object, err);
    case EVENT_PUT_STATIC_FIELD:
        out->value = *first;
        out->object = 0;
        return check_store(t, first, true, err);
    case EVENT_ARRAY_LOAD: return find_element(t, first, true, out, err);
    case EVENT_ARRAY_STORE: return find_element(t, first, false, out, err);
    default: return ERR_NOT_FOUND;
    }
}

enum status access_at(hs_trace *t, const struct hs_event *first, struct heap_access *out, struct error *err)
{
    enum status st = find_access(t, first, out, err);
    if (st != OK || out->value.seq != UINT64_MAX)
        return st;
    return positions_number(t, &out->value, err);
}

bool hs_store_done(hs_trace *t, const struct hs_event *event)
{
    struct hs_event first = *event;
    struct heap_access access;
    int64_t steps = 0;
    unsigned type = EVENT_PUT_STATIC_FIELD;
    switch (event_type(t, event->dataid)) {
    case EVENT_PUT_STATIC_FIELD: break;
    case EVENT_PUT_INSTANCE_FIELD_VALUE: steps = -1, type = EVENT_PUT_INSTANCE_FIELD; break;
    case EVENT_ARRAY_STORE_VALUE: steps = -2, type = EVENT_ARRAY_STORE; break;
    default: return true;
    }
    if (steps != 0 && find_part(t, event, steps, type, &first, NULL) != OK)
        return true; /* the first event is missing */
    return find_access(t, &first, &access, NULL) != ERR_NOT_FOUND;
}

uint32_t hs_early_object(hs_trace *t, const struct hs_event *event)
{
    uint64_t object = 0;
    if (event_type(t, event->dataid) != EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION ||
        early_put_object(t, event, &object, NULL) != OK)
        return 0;
    return (uint32_t)object;
}
