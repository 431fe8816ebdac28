/* exceptions.c - exceptions: how they were thrown and caught (METHOD_THROW, METHOD_EXCEPTIONAL_EXIT, CATCH), one row
 * for each flight (flights.h), or one for those that are alike.
 *
 * The events of all exceptions are read from the index at opening, since each may be anywhere and one exception may
 * hold another; of groups only those that the sums of its segments do not have. What else needs decoding (seq, whether
 * it is used after its CATCH) is found when an exception is returned. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/map.h"
#include "formats/search.h"
#include "reader/cursor/cursor.h"
#include "reader/index/flights.h"
#include "reader/query/flight_stream.h"
#include "reader/query/left_out.h"
#include "reader/query/thrown.h"

/* ---- the events of exceptions ---- */

/* A flight of an object, in one thread or in any (`thread` 0 of the key). */
struct flight_of {
    uint64_t key;  /* the id; above it the thread + 1 */
    size_t number; /* its position in flights + 1 */
};

struct exception_cursor {
    hs_cursor base;
    hs_trace *trace;
    uint64_t read;                /* phase_resume */
    struct exception_lists lists; /* events in the global order */
    struct flight_stream stream;  /* of those that are not in `lists` */
    bool streams;
    struct exception_event from; /* no flight before it is asked for */
    bool uses_known;             /* lists.uses has all, but those of lists.unsure */
    u64_vec until;               /* by the number of a chunk: the last stamp of those up to it; while it is needed */
    flight_vec flights;
    MAP(struct flight_of)
    by_id;          /* of objects, the only flight or one of several; of both, where a walk is: of those
                                    of which there are several */
    size_t at;      /* next flight */
    size_t checked; /* flights whose later uses were searched for one by one */
    bool all_checked;
    bool left_out_known;
    uint64_t left_out_until; /* uses before this event may be missing (left_out.h) */
    struct hs_exception answer;
    struct arena contents; /* of the answer, as far as they were asked for */
    const struct hs_thrown *held;
    const struct hs_throw_stack *stack;
    bool held_read, stack_read;
    struct hs_event first; /* of the answer */
    u64_vec exits;         /* of the answer */
    struct thrown_kind kind;
    bool kind_known; /* without its contents */
    /* groups: */
    struct flight_sums sums; /* by their first flight */
    size_t sum;              /* next one */
    struct hs_exception_group group;
};

static int no_memory(const hs_trace *t, struct hs_error *error)
{
    struct error err;
    (void)error_memory(&err, "%s", t->dir);
    return give(error, &err);
}

/* The flights: of each object one of them, and where it has several, of each object and thread the first one. */
static bool number_flights(struct exception_cursor *c)
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

/* Reads the events of exceptions without an index; they are few, in few chunks. */
static int read_exception_events(hs_trace *t, exception_event_vec *out, struct hs_error *error)
{
    unsigned events[EVENT_LIMIT];
    size_t event_count = event_list(USE_EXCEPTION, events);
    struct hs_filter filter = { .size = sizeof filter, .to = UINT64_MAX, .events = events, .event_count = event_count };
    struct walk walk;
    const struct hs_event *e;
    walk_open_filter(&walk, t, &filter);
    while (walk_step(&walk, &e)) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (e->kind != 'L' || e->value == 0 || e->value > UINT32_MAX || d == NULL)
            continue;
        struct exception_event *w = vec_push(out);
        if (w == NULL) {
            (void)walk_close(&walk, NULL);
            return no_memory(t, error);
        }
        *w = (struct exception_event){ .stamp = e->stamp,
                                       .position = e->position,
                                       .thread = e->thread,
                                       .object = (uint32_t)e->value,
                                       .entry = ENTRY_UNKNOWN,
                                       .dataid = e->dataid };
    }
    return walk_finish(&walk, error);
}

/* ---- swallowed or not ---- */

/* Of an object that flew several times it is not known which flight that was about: its uses say. */
static void set_used(struct exception_cursor *c, uint32_t id)
{
    struct flight *x = find_flight(c, id);
    if (x != NULL && x->alone)
        x->swallowed = false;
}

/* An exception that another one holds is not swallowed. False: out of memory. */
static bool mark_held(struct exception_cursor *c)
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

/* Finds out whether the exception is used after it was caught. */
static int check_swallowed(struct exception_cursor *c, struct flight *x, struct hs_error *error)
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
    return number_flights(c) ? search_uses(c, NULL, error) : no_memory(c->trace, error);
}

/* Does the index know of uses of any? Else no flight is looked for by its object. */
static bool any_known(const struct exception_cursor *c)
{
    return !c->uses_known || c->lists.uses.count > 0 || c->lists.held.count > 0;
}

/* What the index knows of uses. */
static void check_known_uses(struct exception_cursor *c)
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

/* ---- the exceptions in order ---- */

/* All of them, from the index, else from the stream of events. */
static int find_exception_events(struct exception_cursor *c, struct hs_error *error)
{
    struct error err = { 0 };
    enum status st = index_exceptions(c->trace, &c->lists, &err);
    c->uses_known = st == OK;
    if (st == OK)
        return 0;
    if (st != ERR_NOT_FOUND)
        return give(error, &err);
    exception_lists_clear(&c->lists);
    return read_exception_events(c->trace, &c->lists.events, error);
}

/* Those that are not settled, from the index; else all. */
static int find_unsettled_events(struct exception_cursor *c, struct hs_error *error)
{
    struct error err = { 0 };
    enum status st = flight_stream_open(&c->stream, c->trace, &c->lists, &err);
    c->uses_known = c->streams = st == OK;
    if (st == OK)
        return 0;
    if (st != ERR_NOT_FOUND)
        return give(error, &err);
    exception_lists_clear(&c->lists);
    return find_exception_events(c, error);
}

/* Finds the flights of the events that `find_events` gives. */
typedef int find_events_fn(struct exception_cursor *c, struct hs_error *error);
/* Before the first flight that is not before `from`. */
static void stand_before(struct exception_cursor *c)
{
    LOWER_BOUND(c->at, c->flights.count,
                exception_event_order(&c->lists.events.items[c->flights.items[c->at].first], &c->from) < 0);
    flight_stream_seek(&c->stream, c->from.stamp);
}

static int find_flights(struct exception_cursor *c, find_events_fn *find_events, struct hs_error *error)
{
    struct error err = { 0 };
    if (find_events(c, error) != 0)
        return -1;
    enum status st =
        c->lists.events.count < UINT32_MAX ? flights_find(c->trace, &c->lists.events, &c->flights, &err) : ERR_MEMORY;
    if (st != OK && st != ERR_MEMORY)
        return give(error, &err);
    if (st != OK || (any_known(c) && !number_flights(c)) || !mark_held(c))
        return no_memory(c->trace, error);
    check_known_uses(c);
    stand_before(c);
    return 0;
}

/* The index is damaged in a segment that was to be read next: goes on from the flight behind the last one without
 * it. */
static int go_on_without(struct exception_cursor *c, struct hs_error *error)
{
    flight_stream_done(&c->stream);
    c->stream = (struct flight_stream){ 0 };
    c->streams = false;
    exception_lists_clear(&c->lists);
    c->flights.count = c->at = 0;
    map_clear(&c->by_id);
    return find_flights(c, find_exception_events, error);
}

static int find_seq(const struct exception_cursor *c, const struct exception_event *w, uint64_t *seq,
                    struct hs_error *error)
{
    struct hs_event e = { .thread = w->thread, .position = w->position, .stamp = w->stamp };
    struct error err;
    if (positions_number(c->trace, &e, &err) != OK)
        return give(error, &err);
    *seq = e.seq;
    return 0;
}

/* Adds an exit or the last CATCH of an exception to the answer. */
static int add_event(struct exception_cursor *c, const struct exception_event *w, struct hs_error *error)
{
    struct hs_exception *a = &c->answer;
    const unsigned event = exception_event_type(c->trace, w);
    if (event == EVENT_CATCH && w->next == 0) {
        a->caught_dataid = w->dataid;
        return find_seq(c, w, &a->caught, error);
    }
    if (event != EVENT_METHOD_EXCEPTIONAL_EXIT)
        return 0;
    a->left++;
    uint64_t *to = vec_push(&c->exits);
    return to != NULL ? find_seq(c, w, to, error) : no_memory(c->trace, error);
}

/* Events that are missing may have used an exception after it was caught. */
static int find_left_out(struct exception_cursor *c, struct hs_error *error)
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

static void forget_contents(struct exception_cursor *c)
{
    arena_clear(&c->contents);
    c->held_read = c->stack_read = false;
}

/* Begins the answer with the first event of a flight. */
static int answer_first(struct exception_cursor *c, const struct exception_event *first, const char *type,
                        struct hs_error *error)
{
    struct hs_exception *a = &c->answer;
    *a = (struct hs_exception){
        .id = first->object, .caught = HS_NO_SEQ, .caught_dataid = UINT32_MAX, .first = &c->first, .type = type
    };
    c->exits.count = 0;
    forget_contents(c);
    if (find_seq(c, first, &a->thrown, error) != 0)
        return -1;
    c->first = (struct hs_event){ .seq = a->thrown,
                                  .thread = first->thread,
                                  .dataid = first->dataid,
                                  .value = first->object,
                                  .stamp = first->stamp,
                                  .time_ns = HS_NO_TIME,
                                  .position = first->position,
                                  .kind = HS_KIND_REF };
    return 0;
}

/* `kind`: NULL, it is not known without its contents. */
static int answer_flight(struct exception_cursor *c, const struct flight *x, const exception_event_vec *events,
                         const struct thrown_kind *kind, struct hs_error *error)
{
    struct hs_exception *a = &c->answer;
    const struct hs_type *type = hs_type_get(c->trace, kind != NULL ? kind->type : objects_class(c->trace, x->id));
    c->kind_known = kind != NULL;
    if (kind != NULL)
        c->kind = *kind;
    if (answer_first(c, &events->items[x->first], type != NULL ? type->name : NULL, error) != 0)
        return -1;
    for (uint32_t i = x->first + 1; i != 0; i = events->items[i - 1].next)
        if (add_event(c, &events->items[i - 1], error) != 0)
            return -1;
    a->exits = c->exits.items;
    a->exit_count = c->exits.count;
    return 0;
}

static int set_swallowed(struct exception_cursor *c, const struct flight *x, struct hs_error *error)
{
    struct hs_exception *a = &c->answer;
    if (x->swallowed && find_left_out(c, error) != 0)
        return -1;
    a->swallowed = x->swallowed && (a->caught == HS_NO_SEQ || a->caught >= c->left_out_until);
    return 0;
}

static int next_settled(struct exception_cursor *c, const struct settled_flight *x, struct hs_error *error)
{
    if (answer_flight(c, x->flight, x->events, x->kind, error) != 0 || set_swallowed(c, x->flight, error) != 0)
        return -1;
    flight_stream_pass(&c->stream, x);
    return 1;
}

/* The next flight of `flights`. */
static int next_listed(struct exception_cursor *c, struct hs_error *error)
{
    struct flight *x = &c->flights.items[c->at];
    const uint32_t kind = c->lists.events.items[x->first].kind;
    if (answer_flight(c, x, &c->lists.events, kind != 0 ? &c->lists.kinds.items[kind - 1] : NULL, error) != 0 ||
        (x->swallowed && check_swallowed(c, x, error) != 0) || set_swallowed(c, x, error) != 0)
        return -1;
    c->at++;
    return 1;
}

static const struct exception_event *listed_first(const struct exception_cursor *c)
{
    return c->at < c->flights.count ? &c->lists.events.items[c->flights.items[c->at].first] : NULL;
}

/* The next settled flight that is not before `from`. */
static enum status peek_settled(struct exception_cursor *c, struct settled_flight *x, struct error *err)
{
    enum status st;
    while ((st = c->streams ? flight_stream_next(&c->stream, x, err) : ERR_NOT_FOUND) == OK &&
           exception_event_order(&x->events->items[x->flight->first], &c->from) < 0)
        flight_stream_pass(&c->stream, x);
    return st;
}

static int next_exception(hs_cursor *base, const void **exception, struct hs_error *error)
{
    struct exception_cursor *c = (struct exception_cursor *)base;
    struct phase phase PHASE_ENDS = trace_phase_resume(c->trace, "exceptions", &c->read);
    struct settled_flight settled;
    struct error err = { 0 };
    enum status st = peek_settled(c, &settled, &err);
    if (st == ERR_FORMAT) {
        if (go_on_without(c, error) != 0)
            return -1;
        st = ERR_NOT_FOUND;
    }
    if (st != OK && st != ERR_NOT_FOUND)
        return give(error, &err);
    const struct exception_event *listed = listed_first(c);
    *exception = &c->answer;
    int more = 0;
    if (st == OK &&
        (listed == NULL || exception_event_order(&settled.events->items[settled.flight->first], listed) < 0))
        more = next_settled(c, &settled, error);
    else if (listed != NULL)
        more = next_listed(c, error);
    if (more > 0) /* one event after it, where it goes on without the index */
        c->from = (struct exception_event){ .stamp = c->first.stamp,
                                            .thread = c->first.thread,
                                            .position = c->first.position + 1 };
    return more;
}

/* Of contents that the index does not say. */
static uint64_t alike_by_contents(hs_trace *t, uint32_t id)
{
    const struct text data = objects_thrown(t, id);
    struct thrown_row row = { 0 };
    struct thrown_kind kind;
    struct error err;
    if (data.size > 0 && thrown_row_decode(data.data, data.size, &row, &err) != OK)
        row = (struct thrown_row){ 0 };
    if (!thrown_kind_of(t, id, &row, &kind)) { /* its message is found, not kept */
        struct arena contents = { 0 };
        const struct hs_thrown *known = thrown_read(t, id, &contents);
        const char *message = known != NULL ? known->message : NULL;
        kind.message = message != NULL ? map_hash(message, strlen(message)) : 0;
        arena_done(&contents);
    }
    thrown_row_done(&row);
    return thrown_alike(t, &kind);
}

static struct exception_cursor *with_answer(hs_cursor *base)
{
    struct exception_cursor *c = (struct exception_cursor *)base;
    return (base->ops->row == ROW_exception || base->ops->row == ROW_exception_group) && c->answer.id != 0 ? c : NULL;
}

const struct hs_thrown *hs_exception_held(hs_cursor *base)
{
    struct exception_cursor *c = with_answer(base);
    if (c != NULL && !c->held_read) {
        c->held = thrown_read(c->trace, c->answer.id, &c->contents);
        c->held_read = true;
    }
    return c != NULL ? c->held : NULL;
}

const struct hs_throw_stack *hs_exception_stack(hs_cursor *base)
{
    struct exception_cursor *c = with_answer(base);
    if (c != NULL && !c->stack_read) {
        c->stack = throw_stack_read(c->trace, &c->first, &c->contents);
        c->stack_read = true;
    }
    return c != NULL ? c->stack : NULL;
}

static uint64_t alike_of_last(const struct exception_cursor *c)
{
    return c->kind_known ? thrown_alike(c->trace, &c->kind) : alike_by_contents(c->trace, c->answer.id);
}

uint64_t hs_exception_alike(hs_cursor *base)
{
    const struct exception_cursor *c = (const struct exception_cursor *)base;
    return base->ops->row == ROW_exception && c->answer.id != 0 ? alike_of_last(c) : 0;
}

static void close_exceptions(hs_cursor *base)
{
    struct exception_cursor *c = (struct exception_cursor *)base;
    exception_lists_done(&c->lists);
    flight_stream_done(&c->stream);
    flight_sums_done(&c->sums);
    vec_free(&c->flights);
    vec_free(&c->exits);
    arena_done(&c->contents);
    vec_free(&c->until);
    map_free(&c->by_id);
    free(c);
}

static int find_from(struct exception_cursor *c, uint64_t seq, struct hs_error *error)
{
    const struct hs_event *e;
    c->from = (struct exception_event){ .stamp = seq >= hs_event_count(c->trace) ? UINT64_MAX : 0 };
    if (seq == 0 || c->from.stamp != 0)
        return 0;
    if (hs_event_at(c->trace, seq, &e, error) != 0)
        return -1;
    c->from = (struct exception_event){ .stamp = e->stamp, .thread = e->thread, .position = e->position };
    return 0;
}

static int seek_exception(hs_cursor *base, uint64_t seq, struct hs_error *error)
{
    struct exception_cursor *c = (struct exception_cursor *)base;
    if (find_from(c, seq, error) != 0)
        return -1;
    stand_before(c);
    return 0;
}

static const struct cursor_ops exception_ops = {
    .row = ROW_exception, .next = next_exception, .seek = seek_exception, .close = close_exceptions
};

/* ---- those that are alike, once ---- */

static int by_first_event(const void *a, const void *b)
{
    return exception_event_order(&((const struct flight_sum *)a)->first, &((const struct flight_sum *)b)->first);
}

/* From the sums of the index, with the events of what they do not have; else of all. */
static int find_groups(struct exception_cursor *c, struct hs_error *error)
{
    struct error err = { 0 };
    /* where uses may be missing (find_left_out), each flight is looked at */
    struct flight_parts parts = { 0 };
    enum status st =
        left_out_any(c->trace) ? ERR_NOT_FOUND : index_flights(c->trace, &parts, &c->sums, &c->lists, &err);
    flight_parts_done(&parts);
    c->uses_known = st == OK;
    if (st == OK && c->sums.list.count > 1)
        qsort(c->sums.list.items, c->sums.list.count, sizeof *c->sums.list.items, by_first_event);
    if (st == OK)
        return 0;
    if (st != ERR_NOT_FOUND)
        return give(error, &err);
    flight_sums_clear(&c->sums);
    exception_lists_clear(&c->lists);
    return find_exception_events(c, error);
}

static int answer_sum(struct exception_cursor *c, const struct flight_sum *x, struct hs_error *error)
{
    const struct hs_type *type = hs_type_get(c->trace, x->kind.type);
    struct hs_exception *a = &c->answer;
    if (answer_first(c, &x->first, type != NULL ? type->name : NULL, error) != 0 ||
        find_seq(c, &x->caught, &a->caught, error) != 0)
        return -1;
    a->caught_dataid = x->caught.dataid;
    a->left = x->left;
    a->swallowed = x->swallowed;
    c->group = (struct hs_exception_group){ .first = a,
                                            .times = x->times,
                                            .alike = thrown_alike(c->trace, &x->kind),
                                            .threads = x->threads,
                                            .exits = x->exits };
    c->sum++;
    return 1;
}

static int next_group(hs_cursor *base, const void **group, struct hs_error *error)
{
    struct exception_cursor *c = (struct exception_cursor *)base;
    struct phase phase PHASE_ENDS = trace_phase_resume(c->trace, "exceptions", &c->read);
    const struct flight_sum *sum = c->sum < c->sums.list.count ? &c->sums.list.items[c->sum] : NULL;
    const struct exception_event *listed = listed_first(c);
    const void *exception;
    *group = &c->group;
    if (sum != NULL && (listed == NULL || exception_event_order(&sum->first, listed) < 0))
        return answer_sum(c, sum, error);
    int more = next_exception(base, &exception, error);
    if (more > 0)
        c->group = (struct hs_exception_group){ .first = exception, .times = 1, .alike = alike_of_last(c) };
    return more;
}

static const struct cursor_ops group_ops = { .row = ROW_exception_group,
                                             .next = next_group,
                                             .close = close_exceptions };

/* ---- opening ---- */

static int open_flights(hs_trace *t, const struct cursor_ops *ops, find_events_fn *find_events, uint64_t from,
                        hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "exceptions");
    struct exception_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        return no_memory(t, error);
    c->base.ops = ops;
    c->trace = t;
    index_wish(t);
    if (find_from(c, from, error) != 0 || find_flights(c, find_events, error) != 0) {
        close_exceptions(&c->base);
        return -1;
    }
    *out = &c->base;
    return 0;
}

int hs_exceptions_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    return open_flights(t, &exception_ops, find_unsettled_events, 0, out, error);
}

int hs_exceptions_open_from(hs_trace *t, uint64_t from, hs_cursor **out, struct hs_error *error)
{
    return open_flights(t, &exception_ops, find_unsettled_events, from, out, error);
}

int hs_exception_groups_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    return open_flights(t, &group_ops, find_groups, 0, out, error);
}
