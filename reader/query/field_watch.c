/* field_watch.c - fields that were asked for, while the moment moves ahead; see past_heap.h.
 *
 * One cursor goes along with the moment over the accesses of these fields and over the events that can hand an object
 * to code that is not woven. An access gives a field its new value, also of an object that was not asked for yet: most
 * are asked for soon after they were made. A handover makes what an access gave stale, and what was found otherwise is
 * dropped, to be asked for again. So the answers are those of object_state. */
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/arithmetic.h"
#include "reader/query/handover.h"
#include "reader/query/left_out.h"
#include "reader/query/past_heap.h"
#include "reader/query/state.h"

/* FAR: over more events than these, which are some chunks, it is faster to ask for the fields again. */
enum { FIELDS_MOST = 32, VALUES_MOST = 1 << 19, FAR = 1 << 17 };

struct kept_value {
    uint64_t key;
    struct watched_field value;
};
/* The object of an access whose value comes with the next event of the thread. */
struct pending_access {
    uint64_t key; /* thread + 1 */
    uint32_t dataid;
    uint64_t object;
};
struct field_watch {
    hs_trace *trace;
    struct field fields[FIELDS_MOST];
    struct watched_field settled[FIELDS_MOST]; /* final static fields that have their value; else not known */
    size_t field_count;
    uint8_t *numbers; /* by data ID: the number of its field + 2; 1: none; 0: not looked at */
    MAP(struct kept_value) values;
    MAP(struct pending_access) pending;
    struct known_calls calls;
    hs_cursor *cursor;
    struct hs_event next; /* of the cursor, not applied yet */
    bool has_next, failed;
    uint64_t at; /* events up to it are applied */
};

static uint64_t key_of(uint64_t object, size_t field) { return object * FIELDS_MOST + field + 1; }

struct field_watch *field_watch_new(hs_trace *t)
{
    if (t->intervals.count > 0 || t->periods.count > 0 || left_out_any(t))
        return NULL; /* what is known there depends on more */
    struct field_watch *w = calloc(1, sizeof *w);
    if (w != NULL)
        w->trace = t;
    return w;
}

void field_watch_free(struct field_watch *w)
{
    if (w == NULL)
        return;
    hs_cursor_close(w->cursor);
    map_free(&w->values);
    map_free(&w->pending);
    free(w->numbers);
    free(w);
}

/* ---- the events ---- */

/* `references`: only those whose value is one. */
static bool add_ids(hs_trace *t, u32_vec *ids, const struct site *sites, size_t count, bool references)
{
    for (size_t i = 0; i < count; i++) {
        if (references && (t->kinds[sites[i].dataid] & 0x7f) != KIND_REF)
            continue;
        uint32_t *to = vec_push(ids);
        if (to == NULL)
            return false;
        *to = sites[i].dataid;
    }
    return true;
}

/* The cursor anew, behind event w->at, over the accesses of all fields. */
static bool open_cursor(struct field_watch *w)
{
    static const unsigned accesses[] = { EVENT_GET_INSTANCE_FIELD, EVENT_GET_INSTANCE_FIELD_RESULT,
                                         EVENT_PUT_INSTANCE_FIELD, EVENT_PUT_INSTANCE_FIELD_VALUE,
                                         EVENT_GET_STATIC_FIELD,   EVENT_PUT_STATIC_FIELD };
    static const unsigned handovers[] = { EVENT_CALL, EVENT_CALL_PARAM, EVENT_METHOD_NORMAL_EXIT,
                                          EVENT_METHOD_OBJECT_INITIALIZED };
    struct hs_filter filter = HS_FILTER_ALL;
    u32_vec ids = { 0 };
    bool ok = true, instance = false;
    for (size_t f = 0; f < w->field_count; f++) {
        bool again = false;
        for (size_t k = 0; k < f; k++)
            again |= strcmp(w->fields[k].name, w->fields[f].name) == 0;
        instance |= !w->fields[f].is_static;
        for (size_t i = 0; !again && ok && i < sizeof accesses / sizeof *accesses; i++) {
            size_t count;
            const struct site *sites = sites_named(w->trace, accesses[i], w->fields[f].name, &count);
            ok = add_ids(w->trace, &ids, sites, count, false);
        }
    }
    for (size_t i = 0; instance && ok && i < sizeof handovers / sizeof *handovers; i++) {
        const site_vec *sites = sites_of(w->trace, handovers[i]);
        ok = add_ids(w->trace, &ids, sites->items, sites->count, true);
    }
    free(w->numbers);
    w->numbers = calloc((size_t)w->trace->kind_count + 1, 1);
    ok = ok && w->numbers != NULL;
    hs_cursor_close(w->cursor);
    w->cursor = NULL;
    w->has_next = false;
    map_free(&w->pending);
    filter.from = w->at + 1;
    if (ok && ids.count > 0) {
        qsort(ids.items, ids.count, sizeof *ids.items, u32_order);
        ok = cursor_open_ids(w->trace, &filter, ids.items, ids.count, &w->cursor, NULL) == 0;
    }
    vec_free(&ids);
    return ok;
}

/* The number of the field that the data ID accesses; field_count: it is none of them. */
static size_t number_of(struct field_watch *w, uint32_t dataid)
{
    if (w->numbers[dataid] == 0) {
        size_t f = 0;
        while (f < w->field_count && !sites_very_field(w->trace, dataid, w->fields[f]))
            f++;
        w->numbers[dataid] = (uint8_t)(f < w->field_count ? f + 2 : 1);
    }
    return w->numbers[dataid] != 1 ? w->numbers[dataid] - 2u : w->field_count;
}

/* `object` 0: a static field, which counts once it was asked for. */
static void accessed(struct field_watch *w, const struct hs_event *e, uint64_t object)
{
    const size_t f = number_of(w, e->dataid);
    if (f == w->field_count)
        return;
    if (w->values.count >= VALUES_MOST)
        map_free(&w->values);
    struct kept_value *v =
        object != 0 ? map_put(&w->values, key_of(object, f)) : map_get(&w->values, key_of(object, f));
    if (v != NULL)
        v->value = (struct watched_field){ .known = e->kind != KIND_VOID && e->kind != 0,
                                           .of_event = true,
                                           .kind = e->kind,
                                           .bits = arithmetic_narrowed((unsigned char)e->kind, e->value),
                                           .seq = e->seq };
}

/* An event that may give the object to code that is not woven. */
static void handed(struct field_watch *w, const struct hs_event *e)
{
    bool is = false, asked = false;
    struct error err;
    for (size_t f = 0; f < w->field_count; f++) {
        struct kept_value *v = w->fields[f].is_static ? NULL : map_get(&w->values, key_of(e->value, f));
        if (v == NULL || !v->value.known || v->value.stale)
            continue;
        if (!asked && is_handover(w->trace, &w->calls, e, &is, &err) != OK)
            w->failed = true;
        asked = true;
        if (is && v->value.of_event && !w->fields[f].is_final)
            v->value.stale = true;
        else if (is)
            map_remove(&w->values, v);
    }
}

static void apply(struct field_watch *w, const struct hs_event *e)
{
    struct pending_access *p;
    switch (event_type(w->trace, e->dataid)) {
    case EVENT_GET_INSTANCE_FIELD:
    case EVENT_PUT_INSTANCE_FIELD:
        p = map_put(&w->pending, (uint64_t)e->thread + 1);
        if (p == NULL)
            w->failed = true;
        else
            p->dataid = e->dataid, p->object = e->value;
        break;
    case EVENT_GET_INSTANCE_FIELD_RESULT:
    case EVENT_PUT_INSTANCE_FIELD_VALUE:
        p = map_get(&w->pending, (uint64_t)e->thread + 1);
        if (p == NULL || p->dataid + 1 != e->dataid)
            map_free(&w->values); /* it began before the cursor: of which object it is, is not known */
        else if (p->object != 0)
            accessed(w, e, p->object);
        break;
    case EVENT_GET_STATIC_FIELD:
    case EVENT_PUT_STATIC_FIELD: accessed(w, e, 0); break;
    default:
        if (e->kind == KIND_REF && e->value != 0)
            handed(w, e);
        break;
    }
}

/* Applies the events up to `seq`. */
static bool advance(struct field_watch *w, uint64_t seq)
{
    const struct hs_event *e;
    while (!w->failed && w->cursor != NULL) {
        if (!w->has_next) {
            const int more = hs_event_next(w->cursor, &e, NULL);
            w->failed = more < 0;
            if (more <= 0)
                break;
            w->next = *e;
            w->has_next = true;
        }
        if (w->next.seq > seq)
            break;
        apply(w, &w->next);
        w->has_next = false;
    }
    w->at = seq > w->at ? seq : w->at;
    return !w->failed;
}

/* Goes on behind event `seq`, without any value. */
static bool jump(struct field_watch *w, uint64_t seq)
{
    w->at = seq;
    map_free(&w->values);
    w->failed |= !open_cursor(w);
    return !w->failed;
}

/* ---- questions ---- */

static size_t field_number(const struct field_watch *w, const struct field *f)
{
    size_t i = 0;
    while (i < w->field_count && !(field_same(w->fields[i], *f) && (!f->is_static || w->fields[i].loader == f->loader)))
        i++;
    return i;
}

/* A final static field is assigned once: what is not the default value stays. */
static void settle(struct field_watch *w, size_t number, const struct watched_field *value)
{
    const struct field *f = &w->fields[number];
    if (f->is_static && f->is_final && value->known && value->bits != 0)
        w->settled[number] = *value;
}

bool field_watch_get(struct field_watch *w, uint32_t object, const struct field *f, uint64_t seq,
                     struct watched_field *out)
{
    const size_t number = field_number(w, f);
    if (number < w->field_count && w->settled[number].known && w->settled[number].seq <= seq) {
        *out = w->settled[number];
        return true;
    }
    if (seq < w->at || !(seq - w->at > FAR ? jump(w, seq) : advance(w, seq)) || number == w->field_count)
        return false;
    const struct kept_value *v = map_get(&w->values, key_of(object, number));
    if (v != NULL)
        *out = v->value;
    return v != NULL;
}

void field_watch_keep(struct field_watch *w, uint32_t object, const struct field *f, uint64_t seq,
                      const struct watched_field *value)
{
    size_t number = field_number(w, f);
    if (seq < w->at || w->failed || (number == w->field_count && number == FIELDS_MOST))
        return;
    if (number == w->field_count) {
        w->at = seq;
        map_free(&w->values); /* another cursor: what is on its way in a thread is not seen */
        w->fields[w->field_count++] = *f;
        w->failed = !open_cursor(w);
    }
    if (w->values.count >= VALUES_MOST)
        map_free(&w->values);
    struct kept_value *v = w->failed ? NULL : map_put(&w->values, key_of(object, number));
    if (v != NULL)
        v->value = *value;
    settle(w, number, value);
}
