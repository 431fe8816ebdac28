/* hprof_heap.c - what the events up to a moment say about the heap (hprof.h): one pass, which keeps the last value of
 * each field and element, so memory is that of the heap and does not grow with the trace.
 *
 * A store is recorded before it is done. It counts when the next event of its thread does not show that it threw. */
#include <string.h>

#include "formats/search.h"
#include "reader/export/hprof.h"

/* A field that a constructor has written before its object could be seen. */
struct early {
    uint32_t method_id, field;
    uint64_t value;
};
struct hprof_thread {
    uint32_t thread;
    uint64_t object, index, length; /* of the instruction that is under way */
    uint64_t elements;              /* of the array of arrays whose elements follow */
    bool stores;                    /* `store` is to be done */
    struct hprof_value store;
    VEC(struct early) early;
};

static uint64_t key_of(uint64_t object, uint64_t part) { return object << 32 | part; }

static void put(struct heap *h, uint64_t key, uint64_t value)
{
    const size_t at = (size_t)(key >> 32 >> HEAP_PART_BITS);
    struct hprof_value *v = NULL;
    if (at < h->parts.count || vec_extend(&h->parts, at + 1))
        v = map_put(&h->parts.items[at], key);
    if (v == NULL)
        (void)export_fail(h->job, "out of memory");
    else
        v->value = value;
}

const hprof_part *hprof_part_of(const struct heap *h, uint64_t object)
{
    const size_t at = (size_t)(object >> HEAP_PART_BITS);
    return at < h->parts.count ? &h->parts.items[at] : NULL;
}

static const struct hprof_value *get(const struct heap *h, uint64_t key)
{
    const hprof_part *part = hprof_part_of(h, key >> 32);
    return part != NULL ? map_get(part, key) : NULL;
}

static void put_of(struct heap *h, uint64_t object, uint64_t part, uint64_t value)
{
    if (object != 0 && object <= UINT32_MAX)
        put(h, key_of(object, part), value);
}

static struct hprof_thread *thread_of(struct heap *h, uint32_t number)
{
    size_t at = 0;
    LOWER_BOUND(at, h->threads.count, h->threads.items[at].thread < number);
    if (at < h->threads.count && h->threads.items[at].thread == number)
        return &h->threads.items[at];
    if (vec_push(&h->threads) == NULL) {
        (void)export_fail(h->job, "out of memory");
        return NULL;
    }
    memmove(&h->threads.items[at + 1], &h->threads.items[at], (h->threads.count - 1 - at) * sizeof *h->threads.items);
    h->threads.items[at] = (struct hprof_thread){ .thread = number };
    return &h->threads.items[at];
}

/* ---- stores ---- */

static bool threw(struct heap *h, const struct hs_event *e, unsigned event)
{
    static const char *const types[] = { "java.lang.ArrayStoreException", "java.lang.ArrayIndexOutOfBoundsException",
                                         "java.lang.NullPointerException" };
    if (event == HS_EVENT_CATCH_LABEL)
        return true;
    if (event != HS_EVENT_CATCH && event != HS_EVENT_METHOD_EXCEPTIONAL_EXIT)
        return false;
    const struct hs_object *o = e->value <= UINT32_MAX ? hs_object_get(h->job->trace, (uint32_t)e->value) : NULL;
    for (size_t i = 0; o != NULL && o->type != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(o->type, types[i]) == 0)
            return true;
    return false;
}

static void finish_store(struct heap *h, struct hprof_thread *t)
{
    if (t->stores)
        put(h, t->store.key, t->store.value);
    t->stores = false;
}

static void begin_store(struct hprof_thread *t, uint64_t object, uint64_t part, uint64_t value)
{
    t->stores = object != 0 && object <= UINT32_MAX;
    t->store = (struct hprof_value){ key_of(object, part), value };
}

static void store_element(struct heap *h, struct hprof_thread *t, uint64_t value)
{
    const struct hprof_value *length = t->object != 0 ? get(h, key_of(t->object, HEAP_LENGTH)) : NULL;
    if (t->index < HEAP_LENGTH && (length == NULL || t->index < length->value))
        begin_store(t, t->object, t->index, value);
}

static void keep_early(struct heap *h, struct hprof_thread *t, uint32_t method_id, uint32_t field, uint64_t value)
{
    struct early *e = vec_push(&t->early);
    if (e == NULL)
        (void)export_fail(h->job, "out of memory");
    else
        *e = (struct early){ method_id, field, value };
}

/* The constructor's object can be seen now: what it has written before belongs to it. */
static void take_early(struct heap *h, struct hprof_thread *t, uint32_t method_id, uint64_t object)
{
    for (; t->early.count > 0 && t->early.items[t->early.count - 1].method_id == method_id; t->early.count--)
        put_of(h, object, t->early.items[t->early.count - 1].field, t->early.items[t->early.count - 1].value);
}

/* ---- events ---- */

static void apply(struct heap *h, struct hprof_thread *t, const struct hs_event *e, const struct hs_dataid *d)
{
    const uint32_t field = h->classes->of_dataid.items[d->dataid]; /* 0: none */
    switch (d->event) {
    case HS_EVENT_GET_INSTANCE_FIELD:
    case HS_EVENT_PUT_INSTANCE_FIELD:
    case HS_EVENT_ARRAY_LOAD:
    case HS_EVENT_ARRAY_STORE:
    case HS_EVENT_ARRAY_LENGTH: t->object = e->value; return;
    case HS_EVENT_ARRAY_LOAD_INDEX:
    case HS_EVENT_ARRAY_STORE_INDEX: t->index = e->value; return;
    case HS_EVENT_ARRAY_LENGTH_RESULT: put_of(h, t->object, HEAP_LENGTH, e->value); return;
    case HS_EVENT_GET_INSTANCE_FIELD_RESULT:
        if (field != 0)
            put_of(h, t->object, field, e->value);
        return;
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE:
        if (field != 0)
            begin_store(t, t->object, field, e->value);
        return;
    case HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
        if (field != 0)
            keep_early(h, t, d->method_id, field, e->value);
        return;
    case HS_EVENT_METHOD_OBJECT_INITIALIZED: take_early(h, t, d->method_id, e->value); return;
    case HS_EVENT_GET_STATIC_FIELD:
    case HS_EVENT_PUT_STATIC_FIELD:
        if (field != 0)
            put(h, key_of(0, field), e->value);
        return;
    case HS_EVENT_ARRAY_LOAD_RESULT:
        if (t->index < HEAP_LENGTH)
            put_of(h, t->object, t->index, e->value);
        return;
    case HS_EVENT_ARRAY_STORE_VALUE: store_element(h, t, e->value); return;
    case HS_EVENT_NEW_ARRAY: t->length = e->value; return;
    case HS_EVENT_NEW_ARRAY_RESULT: put_of(h, e->value, HEAP_LENGTH, t->length); return;
    case HS_EVENT_MULTI_NEW_ARRAY_OWNER:
        t->object = e->value;
        t->elements = 0;
        return;
    case HS_EVENT_MULTI_NEW_ARRAY_ELEMENT:
        put_of(h, t->object, t->elements++, e->value);
        put_of(h, t->object, HEAP_LENGTH, t->elements);
        return;
    default: return;
    }
}

static int value_order(const void *a, const void *b)
{
    const struct hprof_value *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Makes each part a sorted list, where its map was: the heap is in memory once. */
static void sort(struct heap *h)
{
    for (size_t p = 0; p < h->parts.count; p++) {
        hprof_part *part = &h->parts.items[p];
        size_t count = 0;
        for (size_t i = 0; i < part->cap; i++)
            if (part->slots[i].key != 0)
                part->slots[count++] = part->slots[i];
        part->count = count;
        if (count > 0)
            qsort(part->slots, count, sizeof *part->slots, value_order);
    }
}

bool hprof_read(struct heap *h, const struct hprof_classes *c, uint64_t at)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    int more = 0;
    *h = (struct heap){ .job = c->job, .classes = c };
    filter.to = at;
    if (hs_events_open(c->job->trace, &filter, &events, &error) != 0)
        return export_failed(c->job, &error);
    while (export_ok(c->job) && (more = hs_event_next(events, &e, &error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(c->job->trace, e->dataid);
        struct hprof_thread *t = d != NULL ? thread_of(h, e->thread) : NULL;
        if (t == NULL)
            continue;
        if (t->stores && threw(h, e, d->event))
            t->stores = false;
        finish_store(h, t);
        if (e->kind == HS_KIND_REF)
            put_of(h, e->value, HEAP_SEEN, 1);
        apply(h, t, e, d);
    }
    for (size_t i = 0; i < h->threads.count; i++)
        finish_store(h, &h->threads.items[i]);
    hs_cursor_close(events);
    if (more < 0)
        return export_failed(c->job, &error);
    sort(h);
    return export_ok(c->job);
}

void hprof_done(struct heap *h)
{
    for (size_t i = 0; i < h->threads.count; i++)
        vec_free(&h->threads.items[i].early);
    vec_free(&h->threads);
    for (size_t i = 0; i < h->parts.count; i++)
        map_free(&h->parts.items[i]);
    vec_free(&h->parts);
}
