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
#include "reader/query/exception_cursor.h"
#include "reader/query/left_out.h"
#include "reader/query/thrown.h"

/* ---- the events of exceptions ---- */

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
            return exceptions_no_memory(t, error);
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
    if (st != OK || (uses_any_known(c) && !uses_number(c)) || !uses_mark_held(c))
        return exceptions_no_memory(c->trace, error);
    uses_check_known(c);
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
    return to != NULL ? find_seq(c, w, to, error) : exceptions_no_memory(c->trace, error);
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
    if (x->swallowed && uses_find_left_out(c, error) != 0)
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
        (x->swallowed && uses_check(c, x, error) != 0) || set_swallowed(c, x, error) != 0)
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
        return exceptions_no_memory(t, error);
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
