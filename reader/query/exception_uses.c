/* exception_uses.c - swallowed or not: was an exception used after it was caught? From the uses that the index has,
 * else from the events behind its CATCH. */
#include <stdlib.h>

#include "formats/event.h"
#include "formats/search.h"
#include "reader/query/exception_cursor.h"
#include "reader/query/left_out.h"

/* The flights: of each object one of them, and where it has several, of each object and thread the first one. */
bool uses_number(struct exception_cursor *c)
{
    for (size_t i = c->flights.count; i-- > 0;) {
        const struct flight *x = &c->flights.items[i];
        const uint64_t thread = (uint64_t)c->lists.events.items[x->first].thread + 1;
        struct flight_of *any = map_put(&c->by_id, x->id);
        if (any == NULL)
            return false;
        any->number = i + 1;
        if (x->alone)
            continue;
        struct flight_of *first = map_put(&c->by_id, thread << 32 | x->id);
        if (first == NULL)
            return false;
        first->number = i + 1;
    }
    return true;
}

static struct flight *find_flight(const struct exception_cursor *c, uint64_t key)
{
    const struct flight_of *known = key != 0 ? map_get(&c->by_id, key) : NULL;
    return known != NULL ? &c->flights.items[known->number - 1] : NULL;
}

/* Of an object that flew several times it is not known which flight that was about: its uses say. */
static void set_used(struct exception_cursor *c, uint32_t id)
{
    struct flight *x = find_flight(c, id);
    if (x != NULL && x->alone)
        x->swallowed = false;
}

bool uses_mark_held(struct exception_cursor *c)
{
    u32_vec *held = &c->lists.held;
    for (size_t i = 0; !c->uses_known && i < c->flights.count; i++)
        if (!exception_held(c->trace, c->flights.items[i].id, held))
            return false;
    for (size_t i = 0; i < held->count; i++)
        set_used(c, held->items[i]);
    return true;
}

/* Does the event read the object from where it was before, so that it is nothing that was caught? */
static bool reads_anew(unsigned event)
{
    return event == EVENT_GET_STATIC_FIELD || event == EVENT_GET_INSTANCE_FIELD_RESULT ||
           event == EVENT_ARRAY_LOAD_RESULT || event == EVENT_CALL_RETURN;
}

/* The flight of the object in the thread of the event that was the latest one then. Events of a thread come in
 * order. */
static struct flight *flight_before(struct exception_cursor *c, const struct hs_event *e)
{
    struct flight_of *at = map_get(&c->by_id, ((uint64_t)e->thread + 1) << 32 | e->value);
    if (at == NULL)
        return NULL;
    for (uint32_t next; (next = c->flights.items[at->number - 1].next) != 0; at->number = next)
        if (c->lists.events.items[c->flights.items[next - 1].first].position > e->position)
            break;
    return &c->flights.items[at->number - 1];
}

/* An event that has an exception after it was caught: it is not swallowed. A local store is no use. If the object flew
 * several times, what was caught is in the frame that caught it at first: only there it is used, and not if it is read
 * from elsewhere, as to be thrown once more. `only`: not NULL, the flight that is asked for. */
static void check_use(struct exception_cursor *c, const struct hs_event *e, struct flight *only)
{
    const struct exception_event here = { .stamp = e->stamp, .position = e->position, .thread = e->thread };
    const bool object = e->kind == 'L' && e->value != 0 && e->value <= UINT32_MAX;
    struct flight *x = !object ? NULL : only != NULL ? only : find_flight(c, e->value);
    if (x != NULL && !x->alone && only == NULL)
        x = flight_before(c, e);
    if (x == NULL || !x->swallowed || exception_event_order(&here, &c->lists.events.items[x->last]) <= 0)
        return;
    const struct hs_dataid *d = hs_dataid_get(c->trace, e->dataid);
    if (d == NULL || d->event == EVENT_LOCAL_STORE)
        return;
    if (!x->alone && (e->thread != c->lists.events.items[x->last].thread || reads_anew(d->event) ||
                      d->method_id != effects_get(c->trace, c->lists.events.items[x->last].dataid)->method))
        return;
    x->swallowed = false;
}

/* Is the event behind the begin of the next flight of that object in its thread? */
static bool is_behind(const struct exception_cursor *c, const struct flight *x, const struct hs_event *e)
{
    const struct exception_event *next =
        x->next != 0 ? &c->lists.events.items[c->flights.items[x->next - 1].first] : NULL;
    return next != NULL && e->thread == next->thread && e->position >= next->position;
}

/* Searches the events for uses of one exception after it was caught, or of all (`only` NULL). */
static int search_uses(struct exception_cursor *c, struct flight *only, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct walk w;
    const struct hs_event *e;
    filter.object = only != NULL ? only->id : 0;
    filter.from = only != NULL ? c->answer.caught : 0;
    walk_open_filter(&w, c->trace, &filter);
    while ((only == NULL || only->swallowed) && walk_step(&w, &e)) {
        if (only != NULL && is_behind(c, only, e))
            break;
        check_use(c, e, only);
    }
    return walk_finish(&w, error);
}

/* Of an exception that is unsure the index has the uses in the chunk that throws it, and in those behind. Can one
 * before have it, too, after it was thrown? */
static bool may_be_used_before(struct exception_cursor *c, const struct flight *x)
{
    enum { WORTH_CHUNKS = 256 }; /* behind so many it is searched for */
    const struct exception_event *first = &c->lists.events.items[x->first];
    const struct event_position thrown = { positions_stream(c->trace, first->thread), first->position };
    const struct chunk_ref *chunk = positions_chunk(c->trace, thrown);
    const struct index_want want = { .object = x->id };
    uint64_t segment = UINT64_MAX, bits = 0;
    size_t n, at;
    const struct numbered *all = index_numbered(c->trace, &n);
    if (!x->alone || chunk == NULL || all == NULL || !vec_extend(&c->until, n))
        return true;
    if (n > 0 && c->until.items[n - 1] == 0)
        for (uint64_t i = 0, last = 0; i < n; i++) {
            last = all[i].chunk->last_stamp > last ? all[i].chunk->last_stamp : last;
            c->until.items[i] = last;
        }
    LOWER_BOUND(at, n, all[at].chunk->number < chunk->number);
    for (size_t looked = 0; at-- > 0 && c->until.items[at] >= first->stamp; looked++) {
        if (looked == WORTH_CHUNKS)
            return true;
        if (all[at].chunk->last_stamp < first->stamp)
            continue;
        if (index_segment(all[at].chunk) != segment) {
            segment = index_segment(all[at].chunk);
            bits = index_candidates(c->trace, segment, &want);
        }
        if ((bits & index_bit(all[at].chunk)) != 0)
            return true;
    }
    return false;
}

/* Is it to be searched for? */
static bool is_unsure(const struct exception_cursor *c, const struct flight *x)
{
    return x->swallowed && (!c->uses_known || x->unsure);
}

static size_t count_unsure(const struct exception_cursor *c)
{
    size_t n = 0;
    for (size_t i = c->at; i < c->flights.count; i++)
        n += is_unsure(c, &c->flights.items[i]);
    return n;
}

/* With an index one exception costs a chunk or two. The first ONE_BY_ONE exceptions are checked that way; if more are
 * left then than there are chunks, one pass over all events checks the rest. */
enum { ONE_BY_ONE = 100 };
static bool check_singly(const struct exception_cursor *c)
{
    if (!index_present(c->trace))
        return false;
    return c->checked != ONE_BY_ONE || count_unsure(c) <= c->trace->chunk_count;
}

int uses_check(struct exception_cursor *c, struct flight *x, struct hs_error *error)
{
    if (c->all_checked || !is_unsure(c, x))
        return 0;
    if (c->uses_known && !may_be_used_before(c, x)) {
        x->unsure = false;
        return 0;
    }
    if (check_singly(c)) {
        c->checked++;
        return search_uses(c, x, error);
    }
    c->all_checked = true;
    return uses_number(c) ? search_uses(c, NULL, error) : exceptions_no_memory(c->trace, error);
}

bool uses_any_known(const struct exception_cursor *c)
{
    return !c->uses_known || c->lists.uses.count > 0 || c->lists.held.count > 0;
}

void uses_check_known(struct exception_cursor *c)
{
    for (size_t i = 0; c->uses_known && i < c->lists.uses.count; i++) {
        const struct exception_use *u = &c->lists.uses.items[i];
        const struct hs_event e = { .thread = u->thread,
                                    .dataid = u->dataid,
                                    .value = u->object,
                                    .stamp = u->stamp,
                                    .position = u->position,
                                    .kind = 'L' };
        check_use(c, &e, NULL);
    }
    u32_vec *unsure = &c->lists.unsure;
    if (unsure->count > 1)
        qsort(unsure->items, unsure->count, sizeof *unsure->items, u32_order);
    for (size_t i = 0; unsure->count > 0 && i < c->flights.count; i++)
        c->flights.items[i].unsure =
            bsearch(&c->flights.items[i].id, unsure->items, unsure->count, sizeof *unsure->items, u32_order) != NULL;
}

int uses_find_left_out(struct exception_cursor *c, struct hs_error *error)
{
    struct left_out missing;
    struct error err;
    u32_vec marks = { 0 };
    if (c->left_out_known)
        return 0;
    enum status st = left_out_marks(c->trace, NULL, &marks, &err);
    if (st == OK)
        st = left_out_before(c->trace, &marks, UINT64_MAX, &missing, &err);
    vec_free(&marks);
    if (st != OK)
        return give(error, &err);
    c->left_out_until = missing.until;
    c->left_out_known = true;
    return 0;
}
