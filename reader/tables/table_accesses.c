/* table_accesses.c - the tables writes and reads: one row for each store to, or load of, a field or an array element.
 *
 *     PUT_INSTANCE_FIELD o   PUT_INSTANCE_FIELD_VALUE v        the row has o and v, and the seq of v
 *     ARRAY_STORE a   ARRAY_STORE_INDEX i   ARRAY_STORE_VALUE v
 *     PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION v   ...   METHOD_OBJECT_INITIALIZED o    (hs_early_object)
 *
 * The events of one instruction stand next to each other in their thread. A store is recorded before it is done: that
 * of an array is held back until the next event of its thread shows whether it threw, as hs_store_done would, which has
 * to find that event; a field of null is no field. */
#include "reader/tables/tables.h"

#include <string.h>

/* The access that a thread is in, and its last store. */
struct thread_access {
    uint64_t thread;             /* its number plus 1 */
    struct hs_event base, index; /* kind 0: none */
    struct hs_event store;       /* of an array element, whose outcome is not known yet; kind 0: none */
    uint64_t array, at;
};
struct field_names {
    bool known;
    uint32_t owner, name; /* plus 1; 0: none */
};
struct accesses_state {
    struct row_events events;
    struct picked picked;
    struct sites sites;
    struct field_names *fields; /* by data ID */
    MAP(struct thread_access) threads;
    size_t flushed; /* at the end: slots of `threads` whose store was decided */
    bool ended;
};

static const unsigned write_events[] = { HS_EVENT_PUT_INSTANCE_FIELD,
                                         HS_EVENT_PUT_INSTANCE_FIELD_VALUE,
                                         HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION,
                                         HS_EVENT_PUT_STATIC_FIELD,
                                         HS_EVENT_ARRAY_STORE,
                                         HS_EVENT_ARRAY_STORE_INDEX,
                                         HS_EVENT_ARRAY_STORE_VALUE,
                                         HS_EVENT_CATCH_LABEL,
                                         HS_EVENT_METHOD_EXCEPTIONAL_EXIT };
static const unsigned read_events[] = { HS_EVENT_GET_INSTANCE_FIELD, HS_EVENT_GET_INSTANCE_FIELD_RESULT,
                                        HS_EVENT_GET_STATIC_FIELD,   HS_EVENT_ARRAY_LOAD,
                                        HS_EVENT_ARRAY_LOAD_INDEX,   HS_EVENT_ARRAY_LOAD_RESULT };
#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_writes(const struct rows *r) { return r->from.table->source == &source_writes; }

/* The columns of the two tables are the same. */
_Static_assert((int)COLUMN_writes_value_string == (int)COLUMN_reads_value_string, "ACCESS_COLUMNS differ");

static bool accesses_open(struct rows *r)
{
    struct accesses_state *s = r->state;
    const unsigned *events = is_writes(r) ? write_events : read_events;
    size_t count = is_writes(r) ? COUNT(write_events) : COUNT(read_events);
    s->fields = calloc((size_t)hs_dataid_count(r->from.trace) + 1, sizeof *s->fields);
    if (s->fields == NULL)
        return rows_fail(r, "out of memory");
    return sites_init(r, &s->sites) && picked_open(r, &s->picked, events, count) &&
           row_events_open(r, &s->events, ROW_EVENTS_RANGE, events, count);
}

static const struct field_names *fields_of(struct rows *r, struct accesses_state *s, uint32_t dataid)
{
    struct field_names *f = &s->fields[dataid];
    if (f->known)
        return f;
    const struct hs_dataid *d = hs_dataid_get(r->from.trace, dataid);
    f->known = true;
    for (uint32_t i = 0; d != NULL && i < d->attr_count; i++) {
        const struct hs_attr *a = d->attrs[i];
        if (a->type == HS_ATTR_TEXT && strcmp(a->name, "owner") == 0)
            f->owner = name_number(r, a->text) + 1;
        if (a->type == HS_ATTR_TEXT && strcmp(a->name, "name") == 0)
            f->name = name_number(r, a->text) + 1;
    }
    return f;
}

static void add_row(struct rows *r, struct accesses_state *s, const struct hs_event *e, uint64_t object, uint64_t index)
{
    put_int(r, COLUMN_writes_seq, (int64_t)e->seq);
    put_int(r, COLUMN_writes_thread, e->thread);
    put_place(r, &s->sites, COLUMN_writes_dataid, e->dataid);
    put_reference(r, COLUMN_writes_object_id, object);
    if (index != UINT64_MAX) {
        put_int(r, COLUMN_writes_index, (int64_t)index);
    } else {
        const struct field_names *f = fields_of(r, s, e->dataid);
        if (f->owner > 0)
            put_number(r, COLUMN_writes_owner, f->owner - 1);
        if (f->name > 0)
            put_number(r, COLUMN_writes_name, f->name - 1);
    }
    put_value(r, COLUMN_writes_value_kind, e->kind, e->value);
    rows_end(r);
}

/* Does this event show that the store threw? It is the next one of its thread: a handler entered from the store's pc,
 * or the exit of its method by an exception that the JVM throws there (JVMS 6.5). */
static bool store_threw(struct rows *r, struct accesses_state *s, const struct hs_event *store,
                        const struct hs_event *next)
{
    static const char *const types[] = { "java.lang.ArrayIndexOutOfBoundsException", "java.lang.ArrayStoreException",
                                         "java.lang.NullPointerException" };
    const struct site *of = site_get(r, &s->sites, store->dataid);
    const struct site *then = site_get(r, &s->sites, next->dataid);
    if (of == NULL || then == NULL || next->position != store->position + 1 || of->method_id != then->method_id)
        return false;
    if (then->type == HS_EVENT_CATCH_LABEL)
        return next->value == of->pc;
    if (then->type != HS_EVENT_METHOD_EXCEPTIONAL_EXIT || next->value > UINT32_MAX)
        return false;
    const struct hs_object *o = hs_object_get(r->from.trace, (uint32_t)next->value);
    for (size_t i = 0; i < COUNT(types) && o != NULL && o->type != NULL; i++)
        if (strcmp(o->type, types[i]) == 0)
            return true;
    return false;
}

/* The store that was held back is a row, unless `next` shows that it threw. */
static void decide_store(struct rows *r, struct accesses_state *s, struct thread_access *t, const struct hs_event *next)
{
    struct hs_event store = t->store;
    if (store.kind == 0)
        return;
    t->store.kind = 0;
    if (next == NULL || !store_threw(r, s, &store, next))
        add_row(r, s, &store, t->array, t->at);
}

/* The event of the same instruction that stands before `e`. */
static bool belongs(struct rows *r, struct accesses_state *s, const struct hs_event *before, const struct hs_event *e,
                    uint64_t steps)
{
    const struct site *a = site_get(r, &s->sites, before->dataid), *b = site_get(r, &s->sites, e->dataid);
    return before->kind != 0 && before->position + steps == e->position && a != NULL && b != NULL &&
           a->method_id == b->method_id;
}

static bool wanted(struct rows *r, struct accesses_state *s, const struct hs_event *e)
{
    return e->seq >= s->events.from && e->seq <= s->events.to && picked_has(r, &s->picked, e->seq);
}

/* An access of a field whose object is the value of the event before. */
static void field_of_object(struct rows *r, struct accesses_state *s, struct thread_access *t, const struct hs_event *e)
{
    bool known = belongs(r, s, &t->base, e, 1);
    uint64_t object = known ? t->base.value : 0;
    t->base.kind = 0;
    if ((!known || object != 0) && wanted(r, s, e))
        add_row(r, s, e, object, UINT64_MAX);
}

static void element(struct rows *r, struct accesses_state *s, struct thread_access *t, const struct hs_event *e,
                    bool store)
{
    bool known = belongs(r, s, &t->index, e, 1) && belongs(r, s, &t->base, e, 2);
    uint64_t array = t->base.value, index = t->index.value;
    t->base.kind = t->index.kind = 0;
    if (!known || array == 0 || (int64_t)index < 0 || !wanted(r, s, e))
        return;
    if (!store) {
        add_row(r, s, e, array, index);
        return;
    }
    t->store = *e;
    t->array = array;
    t->at = index;
}

static void access_event(struct rows *r, struct accesses_state *s, struct thread_access *t, const struct hs_event *e)
{
    const struct site *site = site_get(r, &s->sites, e->dataid);
    decide_store(r, s, t, e);
    switch (site != NULL ? site->type : 0) {
    case HS_EVENT_PUT_INSTANCE_FIELD:
    case HS_EVENT_GET_INSTANCE_FIELD:
    case HS_EVENT_ARRAY_STORE:
    case HS_EVENT_ARRAY_LOAD: t->base = *e; break;
    case HS_EVENT_ARRAY_STORE_INDEX:
    case HS_EVENT_ARRAY_LOAD_INDEX: t->index = *e; break;
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE:
    case HS_EVENT_GET_INSTANCE_FIELD_RESULT: field_of_object(r, s, t, e); break;
    case HS_EVENT_ARRAY_STORE_VALUE: element(r, s, t, e, true); break;
    case HS_EVENT_ARRAY_LOAD_RESULT: element(r, s, t, e, false); break;
    case HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
        if (wanted(r, s, e))
            add_row(r, s, e, hs_early_object(r->from.trace, e), UINT64_MAX);
        break;
    case HS_EVENT_PUT_STATIC_FIELD:
    case HS_EVENT_GET_STATIC_FIELD:
        if (wanted(r, s, e) && hs_store_done(r->from.trace, e))
            add_row(r, s, e, 0, UINT64_MAX);
        break;
    default: break;
    }
}

static bool accesses_next(struct rows *r)
{
    struct accesses_state *s = r->state;
    const struct hs_event *e;
    while (r->count + 2 <= ROWS_MAX && rows_room(r) && !s->ended) { /* an event may end a store and be a row itself */
        if (!row_events_next(r, &s->events, &e)) {
            s->ended = true;
            break;
        }
        struct thread_access *t = map_put(&s->threads, (uint64_t)e->thread + 1);
        if (t == NULL)
            return rows_fail(r, "out of memory");
        access_event(r, s, t, e);
    }
    while (s->ended && rows_room(r) && s->flushed < s->threads.cap)
        decide_store(r, s, &s->threads.slots[s->flushed++], NULL);
    return !r->failed && !(s->ended && s->flushed == s->threads.cap);
}

static void accesses_close(struct rows *r)
{
    struct accesses_state *s = r->state;
    row_events_close(&s->events);
    picked_close(&s->picked);
    sites_done(&s->sites);
    free(s->fields);
    map_free(&s->threads);
}

const struct table_source source_writes = { sizeof(struct accesses_state), accesses_open, accesses_next,
                                            accesses_close };
const struct table_source source_reads = { sizeof(struct accesses_state), accesses_open, accesses_next,
                                           accesses_close };
