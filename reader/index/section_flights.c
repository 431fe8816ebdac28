/* section_flights.c - the settled flights of a segment as sums of those that are alike, so that they are counted
 * without reading the events of each; and what the segment has of other exceptions.
 *
 *     section  varint n | n times: svarint object - the one before: thrown in a segment before, and here again, or used
 *                         or held here
 *              varint least, varint greatest object of the settled flights; 0: there are none; varint least, varint
 *                         greatest - least stamp of their first events
 *              columns of the sums: place of the first one, varint kind, varint flags, varint least number of
 *                         exits, varint how many, varint data ID of its last CATCH, varint position of that - its own,
 *                         svarint stamp of that - its own - that difference
 *              kinds of the rest, and the rest as in section_exceptions.c
 *
 * An object that flew in one segment and was used in a later one changes the sums of the earlier one: then these are
 * made again without it, from the events of that segment. */
#include "formats/search.h"
#include "reader/index/flights.h"
#include "reader/index/sections.h"

enum { FLAG_SWALLOWED = 1, FLAG_THREADS = 2, FLAG_EXITS = 4, FLAGS = 8 };

/* ---- writing ---- */

static bool add_before(const struct thrown_uses *u, uint32_t object, u32_vec *to)
{
    uint32_t *new = thrown_before(u, object) ? vec_push(to) : NULL;
    if (new != NULL)
        *new = object;
    return new != NULL || !thrown_before(u, object);
}

/* The objects that earlier segments threw, rising. False: out of memory. */
static bool find_again(const struct exception_lists *l, const struct thrown_uses *u, u32_vec *again)
{
    bool room = true;
    for (size_t i = 0; room && i < l->events.count; i++)
        room = add_before(u, l->events.items[i].object, again);
    for (size_t i = 0; room && i < l->uses.count; i++)
        room = add_before(u, l->uses.items[i].object, again);
    for (size_t i = 0; room && i < l->held.count; i++)
        room = add_before(u, l->held.items[i], again);
    objects_sort(again);
    return room;
}

/* Those that exceptions of earlier segments hold. */
static bool find_held(const struct exception_lists *l, const struct thrown_uses *u, u32_vec *held)
{
    for (size_t i = 0; i < l->events.count; i++) {
        const uint32_t object = l->events.items[i].object;
        uint32_t *new = held_before(u, object) ? vec_push(held) : NULL;
        if (new != NULL)
            *new = object;
        else if (held_before(u, object))
            return false;
    }
    objects_sort(held);
    return true;
}

static bool add_all(const u32_vec *from, u32_vec *to)
{
    for (size_t i = 0; i < from->count; i++) {
        uint32_t *new = vec_push(to);
        if (new == NULL)
            return false;
        *new = from->items[i];
    }
    objects_sort(to);
    return true;
}

static struct exception_use place_of(const struct exception_event *e)
{
    return (struct exception_use){
        .stamp = e->stamp, .position = e->position, .thread = e->thread, .object = e->object, .dataid = e->dataid
    };
}

enum { SUM_KIND = PLACE_COLUMNS, SUM_FLAGS, SUM_LEFT, SUM_TIMES, SUM_CATCH, SUM_CAUGHT, SUM_STAMP, SUM_COLUMNS };
_Static_assert((int)SUM_COLUMNS <= (int)COLUMNS_MOST, "there is room for them");

static void encode_sums(const struct flight_sums *sums, struct writer *w)
{
    struct column_writer rows = { 0 };
    struct writer *c = rows.columns;
    struct exception_use before = { 0 };
    for (size_t i = 0; i < sums->list.count; i++) {
        const struct flight_sum *x = &sums->list.items[i];
        const struct exception_use first = place_of(&x->first);
        const uint64_t caught = x->caught.position - x->first.position;
        place_encode(&rows, &first, &before);
        write_varint(&c[SUM_KIND], x->first.kind);
        write_varint(&c[SUM_FLAGS], (x->swallowed ? FLAG_SWALLOWED : 0u) | (x->threads ? FLAG_THREADS : 0u) |
                                        (x->exits ? FLAG_EXITS : 0u));
        write_varint(&c[SUM_LEFT], x->left);
        write_varint(&c[SUM_TIMES], x->times);
        write_varint(&c[SUM_CATCH], x->caught.dataid);
        write_varint(&c[SUM_CAUGHT], caught);
        write_svarint(&c[SUM_STAMP], (int64_t)(x->caught.stamp - x->first.stamp - caught));
    }
    columns_end(&rows, SUM_COLUMNS, w);
}

static void encode_range(const struct settled *s, struct writer *w)
{
    uint32_t least = 0, greatest = 0;
    for (size_t i = 0; i < s->flights.count; i++) {
        const uint32_t id = s->flights.items[i].id;
        least = least == 0 || id < least ? id : least;
        greatest = id > greatest ? id : greatest;
    }
    write_varint(w, least);
    write_varint(w, greatest);
    if (s->flights.count == 0)
        return;
    const uint64_t stamp = s->events.items[s->flights.items[0].first].stamp; /* they are in order */
    write_varint(w, stamp);
    write_varint(w, s->events.items[s->flights.items[s->flights.count - 1].first].stamp - stamp);
}

enum status flights_encode(hs_trace *t, const struct exception_lists *l, struct thrown_uses *u, struct writer *w,
                           struct error *err)
{
    u32_vec again = { 0 }, held = { 0 }, aside = { 0 };
    struct settled s = { 0 };
    struct flight_sums sums = { 0 };
    enum status st = OK;
    bool room = find_again(l, u, &again) && find_held(l, u, &held) && add_all(&again, &aside) && add_all(&held, &aside);
    if (room)
        st = flights_settle(t, l, &aside, true, &s, err);
    if (room && st == OK)
        room = flight_sums_add_settled(&sums, t, &s, l->kinds.items) && add_all(&held, &s.rest.held);
    if (room && st == OK) {
        exception_objects_encode(w, &again);
        encode_range(&s, w);
        encode_sums(&sums, w);
        thrown_kinds_encode(&s.rest, w);
        exceptions_encode(&s.rest, w);
    }
    vec_free(&again);
    vec_free(&held);
    vec_free(&aside);
    settled_done(&s);
    flight_sums_done(&sums);
    return room ? st : error_memory(err, "%s", t->dir);
}

/* ---- reading ---- */

/* What a segment has. */
struct part {
    u32_vec again;
    uint64_t least, greatest;             /* objects; 0: none */
    uint64_t least_stamp, greatest_stamp; /* if there are any */
    struct exception_lists kinds;         /* `kinds` alone */
    VEC(struct flight_sum) sums;
    struct exception_lists rest;
};

static void part_done(struct part *p)
{
    vec_free(&p->again);
    vec_free(&p->sums);
    exception_lists_done(&p->kinds);
    exception_lists_done(&p->rest);
}

static struct exception_event event_at(const struct exception_use *x)
{
    return (struct exception_event){ .stamp = x->stamp,
                                     .position = x->position,
                                     .thread = x->thread,
                                     .object = x->object,
                                     .dataid = x->dataid,
                                     .entry = ENTRY_UNKNOWN };
}

/* False: it is damaged, or of another trace. */
static bool decode_sum(hs_trace *t, struct column_reader *rows, const struct part *p, struct exception_use *at,
                       struct flight_sum *x)
{
    struct reader *c = rows->columns;
    if (!place_decode(t, rows, at))
        return false;
    const uint64_t kind = read_varint(&c[SUM_KIND]), flags = read_varint(&c[SUM_FLAGS]);
    *x = (struct flight_sum){ .first = event_at(at), .left = read_varint(&c[SUM_LEFT]) };
    x->times = read_varint(&c[SUM_TIMES]);
    struct exception_use caught = *at;
    const uint64_t dataid = read_varint(&c[SUM_CATCH]), since = read_varint(&c[SUM_CAUGHT]);
    caught.position += since;
    caught.stamp += since + (uint64_t)read_svarint(&c[SUM_STAMP]);
    bool bad = false;
    for (unsigned i = PLACE_COLUMNS; i < SUM_COLUMNS; i++)
        bad |= c[i].bad;
    if (bad || kind == 0 || kind > p->kinds.kinds.count || flags >= FLAGS || x->times == 0 || dataid >= t->kind_count ||
        caught.position < at->position || caught.position >= t->streams[positions_stream(t, at->thread)].events ||
        effects_get(t, at->dataid)->event != EVENT_METHOD_THROW ||
        effects_get(t, (uint32_t)dataid)->event != EVENT_CATCH)
        return false;
    caught.dataid = (uint32_t)dataid;
    x->caught = event_at(&caught);
    x->kind = p->kinds.kinds.items[kind - 1];
    x->swallowed = (flags & FLAG_SWALLOWED) != 0;
    x->threads = (flags & FLAG_THREADS) != 0;
    x->exits = (flags & FLAG_EXITS) != 0;
    return true;
}

/* part_done in any case. */
static enum status decode_part(hs_trace *t, uint64_t segment, const void *data, size_t size, struct part *p,
                               struct error *err)
{
    struct reader r = reader_of(data, size);
    struct column_reader rows;
    struct exception_use at = { 0 };
    if (!exception_objects_decode(&r, &p->again))
        return error_memory(err, "%s", t->dir);
    p->least = read_varint(&r);
    p->greatest = read_varint(&r);
    p->least_stamp = p->least != 0 ? read_varint(&r) : 0;
    p->greatest_stamp = p->least != 0 ? p->least_stamp + read_varint(&r) : 0;
    enum status st = index_kinds(t, segment, &p->kinds, err);
    if (st != OK)
        return st;
    if (!columns_begin(&r, SUM_COLUMNS, &rows))
        return ERR_NOT_FOUND;
    for (uint64_t n = rows.rows; n > 0; n--) {
        struct flight_sum *x = vec_push(&p->sums);
        if (x == NULL)
            return error_memory(err, "%s", t->dir);
        if (!decode_sum(t, &rows, p, &at, x))
            return ERR_NOT_FOUND;
    }
    objects_sort(&p->again);
    if (!thrown_kinds_decode(&r, &p->rest))
        return error_memory(err, "%s", t->dir);
    return r.bad ? ERR_NOT_FOUND : exceptions_decode(t, &r, 0, &p->rest, err);
}

struct reading {
    hs_trace *trace;
    struct flight_parts *parts;
    struct flight_sums *sums; /* or NULL */
    struct exception_lists *rest;
};

static enum status add_again(void *context, uint64_t segment, const void *data, size_t size, struct error *err)
{
    struct reading *to = context;
    struct reader r = reader_of(data, size);
    (void)segment;
    if (!exception_objects_decode(&r, &to->parts->again))
        return error_memory(err, "%s", to->trace->dir);
    return r.bad ? ERR_NOT_FOUND : OK;
}

#define ADD_ITEMS(to, from)                                                                                            \
    (from.count == 0 || (vec_extend(&to, to.count + from.count) &&                                                     \
                         memcpy(to.items + to.count - from.count, from.items, from.count * sizeof *from.items)))

static bool add_lists(const struct exception_lists *from, struct exception_lists *to)
{
    const uint32_t kinds = (uint32_t)to->kinds.count;
    const size_t events = to->events.count;
    if (!ADD_ITEMS(to->kinds, from->kinds) || !ADD_ITEMS(to->events, from->events) ||
        !ADD_ITEMS(to->uses, from->uses) || !ADD_ITEMS(to->unsure, from->unsure) || !ADD_ITEMS(to->held, from->held))
        return false;
    for (size_t i = events; i < to->events.count; i++)
        to->events.items[i].kind += to->events.items[i].kind != 0 ? kinds : 0;
    return true;
}

/* The objects of the segment that are not in its sums, rising; and of those that several segments have the ones that
 * may be in them: `*changed` if there are any. False: out of memory. */
static bool find_aside(const u32_vec *again, const struct part *p, u32_vec *aside, bool *changed)
{
    u32_vec more = { 0 };
    size_t at;
    bool room = add_all(&p->again, aside);
    for (size_t i = 0; room && i < p->rest.events.count; i++) {
        uint32_t *new = vec_push(aside);
        room = new != NULL;
        if (room)
            *new = p->rest.events.items[i].object;
    }
    objects_sort(aside);
    LOWER_BOUND(at, again->count, again->items[at] < p->least);
    for (; room && p->least != 0 && at < again->count && again->items[at] <= p->greatest; at++) {
        if (objects_have(aside, again->items[at]))
            continue;
        uint32_t *new = vec_push(&more);
        room = new != NULL;
        if (room)
            *new = again->items[at];
    }
    *changed = more.count > 0;
    room = room && add_all(&more, aside);
    vec_free(&more);
    return room;
}

/* The sums without the objects, from the events of the segment. */
static enum status add_again_settled(const struct reading *to, uint64_t segment, const struct part *p,
                                     const u32_vec *aside, struct error *err)
{
    struct exception_lists all = { 0 };
    struct settled s = { 0 };
    enum status st = index_exceptions_of(to->trace, segment, &all, err);
    if (st == OK)
        st = flights_settle(to->trace, &all, aside, false, &s, err);
    if (st == OK && ((to->sums != NULL && !flight_sums_add_settled(to->sums, to->trace, &s, all.kinds.items)) ||
                     !add_all(&p->rest.held, &s.rest.held) || !add_lists(&s.rest, to->rest)))
        st = error_memory(err, "%s", to->trace->dir);
    exception_lists_done(&all);
    settled_done(&s);
    return st;
}

static enum status add_part(void *context, uint64_t segment, const void *data, size_t size, struct error *err)
{
    const struct reading *to = context;
    struct part p = { 0 };
    u32_vec aside = { 0 };
    bool changed = false;
    enum status st = decode_part(to->trace, segment, data, size, &p, err);
    bool room = st != OK || find_aside(&to->parts->again, &p, &aside, &changed);
    if (st == OK && room && changed)
        st = add_again_settled(to, segment, &p, &aside, err);
    for (size_t i = 0; st == OK && room && !changed && to->sums != NULL && i < p.sums.count; i++)
        room = flight_sums_add(to->sums, &p.sums.items[i]);
    struct flight_part *part = st == OK && room && p.least != 0 ? vec_push(&to->parts->list) : NULL;
    if (part != NULL)
        *part = (struct flight_part){ .segment = segment, .least = p.least_stamp, .greatest = p.greatest_stamp };
    room = room && (st != OK || p.least == 0 || part != NULL);
    room = room && (st != OK || changed || add_lists(&p.rest, to->rest));
    part_done(&p);
    vec_free(&aside);
    return room ? st : error_memory(err, "%s", to->trace->dir);
}

enum status index_flights(hs_trace *t, struct flight_parts *parts, struct flight_sums *sums,
                          struct exception_lists *rest, struct error *err)
{
    struct reading to = { .trace = t, .parts = parts, .sums = sums, .rest = rest };
    enum status st = index_each(t, SECTION_FLIGHTS, add_again, &to, err);
    objects_sort(&parts->again);
    return st == OK ? index_each(t, SECTION_FLIGHTS, add_part, &to, err) : st;
}

enum status index_settled(hs_trace *t, const struct flight_parts *parts, uint64_t segment, struct exception_lists *all,
                          struct settled *out, struct error *err)
{
    size_t size;
    struct part p = { 0 };
    u32_vec aside = { 0 };
    bool changed;
    uint8_t *data = index_section(t, segment, SECTION_FLIGHTS, &size);
    enum status st = data != NULL ? decode_part(t, segment, data, size, &p, err) : ERR_NOT_FOUND;
    if (st == OK && !find_aside(&parts->again, &p, &aside, &changed))
        st = error_memory(err, "%s", t->dir);
    if (st == OK)
        st = index_exceptions_of(t, segment, all, err);
    if (st == OK)
        st = flights_settle(t, all, &aside, false, out, err);
    part_done(&p);
    vec_free(&aside);
    free(data);
    return st;
}

void flight_parts_done(struct flight_parts *p)
{
    vec_free(&p->again);
    vec_free(&p->list);
}
