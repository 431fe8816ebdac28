/* access.c - see access.h. */
#include "reader/query/access.h"
#include "reader/query/creation.h"

#include <string.h>

/* The event `steps` behind `first` if it is of that type and of the same instruction. */
static enum status part(hs_trace *t, const struct hs_event *first, int64_t steps, unsigned type, struct hs_event *out,
                        struct error *err)
{
    const struct hs_dataid *d = hs_dataid_get(t, first->dataid), *b;
    enum status st = event_beside(t, first, steps, out, err);
    if (st == OK && ((b = hs_dataid_get(t, out->dataid)) == NULL || b->event != type || b->method_id != d->method_id ||
                     b->pc != d->pc || out->stamp >= gap_behind(t, first->stamp)))
        st = ERR_NOT_FOUND;
    return st;
}

/* Exceptions of the JVM that a store may end with (JVMS 6.5: putstatic, aastore and its likes). */
static bool store_throws(hs_trace *t, uint64_t exception, bool is_static)
{
    static const char *const of_array[] = { "java.lang.ArrayIndexOutOfBoundsException", "java.lang.ArrayStoreException",
                                            "java.lang.NullPointerException" };
    static const char *const of_static[] = { "java.lang.ExceptionInInitializerError", "java.lang.NoClassDefFoundError",
                                             "java.lang.IllegalAccessError", "java.lang.StackOverflowError" };
    const struct hs_object *o = exception <= UINT32_MAX ? hs_object_get(t, (uint32_t)exception) : NULL;
    for (size_t i = 0;
         o != NULL && o->type != NULL && i < (is_static ? sizeof of_static : sizeof of_array) / sizeof(char *); i++)
        if (strcmp(o->type, (is_static ? of_static : of_array)[i]) == 0)
            return true;
    return false;
}

/* Did the store whose last event this is throw? What follows in its frame tells: a handler that says it came from
 * there, or the exit of the method by an exception that only the JVM makes. The initialization of a class may come in
 * between. */
static enum status failed(hs_trace *t, const struct hs_event *last, bool is_static, bool *out, struct error *err)
{
    enum { EVENTS_MAX = 1 << 22 };
    const struct hs_dataid *d = hs_dataid_get(t, last->dataid);
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

static enum status store_done(hs_trace *t, const struct hs_event *last, bool is_static, struct error *err)
{
    bool threw;
    enum status st = failed(t, last, is_static, &threw, err);
    return st == OK && threw ? ERR_NOT_FOUND : st;
}

static enum status element(hs_trace *t, const struct hs_event *first, bool load, struct heap_access *out,
                           struct error *err)
{
    struct hs_event index;
    enum status st = part(t, first, 1, load ? EVENT_ARRAY_LOAD_INDEX : EVENT_ARRAY_STORE_INDEX, &index, err);
    if (st == OK)
        st = part(t, first, 2, load ? EVENT_ARRAY_LOAD_RESULT : EVENT_ARRAY_STORE_VALUE, &out->value, err);
    if (st == OK && ((int64_t)index.value < 0 || first->value == 0))
        st = ERR_NOT_FOUND;
    if (st == OK && !load)
        st = store_done(t, &out->value, false, err);
    out->index = index.value;
    return st;
}

enum status access_at(hs_trace *t, const struct hs_event *first, struct heap_access *out, struct error *err)
{
    enum status st = OK;
    *out = (struct heap_access){ .object = first->value };
    switch (event_type(t, first->dataid)) {
    case EVENT_PUT_INSTANCE_FIELD:
        st = first->value == 0 ? ERR_NOT_FOUND : part(t, first, 1, EVENT_PUT_INSTANCE_FIELD_VALUE, &out->value, err);
        break;
    case EVENT_GET_INSTANCE_FIELD: st = part(t, first, 1, EVENT_GET_INSTANCE_FIELD_RESULT, &out->value, err); break;
    case EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
        out->value = *first;
        st = early_put_object(t, first, &out->object, err);
        break;
    case EVENT_PUT_STATIC_FIELD:
        out->value = *first;
        out->object = 0;
        st = store_done(t, first, true, err);
        break;
    case EVENT_ARRAY_LOAD: st = element(t, first, true, out, err); break;
    case EVENT_ARRAY_STORE: st = element(t, first, false, out, err); break;
    default: st = ERR_NOT_FOUND; break;
    }
    return st == OK && out->value.seq == UINT64_MAX ? positions_number(t, &out->value, err) : st;
}

uint64_t access_narrowed(char kind, uint64_t value)
{
    switch (kind) {
    case KIND_BYTE: return (uint64_t)(int64_t)(int8_t)value;
    case KIND_CHAR: return (uint16_t)value;
    case KIND_SHORT: return (uint64_t)(int64_t)(int16_t)value;
    default: return value;
    }
}
