/* cmd_races.c - `hindsight races`: fields, elements and collections that two threads touched without order.
 *
 * Two accesses race when they are of different threads, one of them writes, and neither happened before the other
 * (happens.h). Of each place the last write and the last read of each thread are kept: what raced with an older one
 * is told by the one behind it, or was ordered by it. Only places of objects that several threads touch are kept,
 * which a first pass finds. */
#include <string.h>

#include "reader/analysis/happens.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    bool fail_if_any;
};
static const struct option_row options[] = {
    { "fail-if-any", 0, NULL, OPTION_FLAG, offsetof(struct args, fail_if_any),
      "exit status 1 if there is a race, for checks" },
    { 0 },
};
const struct usage usage_races = {
    .source = true,
    .about =
        "Candidates of data races: a field, an array element, or a collection of java.util that is not thread-safe "
        "(by calls on it), that two threads accessed, one of them by a write, "
        "where nothing in the recording makes one happen before the other: no monitor, volatile field, start or "
        "join of a thread, class initialiser, or call of java.util.concurrent. Each pair of places in the code is "
        "told once, with the first accesses and how often it was met. Needs events of EXEC, CALL and SYNC, and of "
        "FIELD or ARRAY, of all code that synchronises. Where an order may be by chance it counts as one, so "
        "that a race can be missed in this run and be found in another. Volatile fields never race.",
    .example = "hindsight races",
    .options = options,
};

enum { MANY_THREADS = UINT32_MAX, RACES_MAX = 1 << 20 };
struct owner {
    uint64_t key;    /* object + 1; of static fields the place, which is below 2^32, with bit 63 */
    uint32_t thread; /* number + 1, or MANY_THREADS */
};
struct access_at {
    struct happens_moment at;
    uint64_t seq;
    uint32_t dataid;
};
struct place {
    uint64_t key;
    struct access_at write;      /* clock 0: none */
    VEC(struct access_at) reads; /* since then, the last of each thread */
};
struct race {
    uint64_t key; /* the data IDs of both, the lower one first */
    uint64_t a, b, count, object;
    uint32_t index, order;
    bool element, collection;
};
struct search {
    struct session *session;
    struct happens happens;
    MAP(struct owner) owners;
    MAP(struct place) places;
    MAP(struct race) races;
    bool more; /* than RACES_MAX */
    struct hs_error error;
};

static uint64_t owner_key(const struct happens *h)
{
    return h->object != 0 ? h->object + 1 : h->place | UINT64_C(1) << 63;
}

static bool remember_owner(struct search *s, const struct hs_event *e)
{
    if (s->happens.place == 0)
        return true;
    struct owner *o = map_put(&s->owners, owner_key(&s->happens));
    if (o == NULL)
        return false;
    if (o->thread == 0)
        o->thread = e->thread + 1;
    else if (o->thread != e->thread + 1)
        o->thread = MANY_THREADS;
    return true;
}

static bool add_race(struct search *s, const struct access_at *a, const struct access_at *b)
{
    uint32_t low = a->dataid < b->dataid ? a->dataid : b->dataid, high = a->dataid + b->dataid - low;
    uint64_t key = ((uint64_t)low << 32 | high) + 1;
    struct race *r = s->races.count < RACES_MAX ? map_put(&s->races, key) : map_get(&s->races, key);
    s->more |= r == NULL && s->races.count >= RACES_MAX;
    if (r == NULL)
        return s->races.count >= RACES_MAX;
    if (r->count++ > 0)
        return true;
    r->a = a->seq;
    r->b = b->seq;
    r->object = s->happens.object;
    r->element = s->happens.element;
    r->collection = s->happens.collection;
    r->index = s->happens.index;
    r->order = (uint32_t)s->races.count;
    return true;
}

/* Keeps the last read of each thread. */
static bool add_read(struct place *p, const struct access_at *now)
{
    for (size_t i = 0; i < p->reads.count; i++)
        if (p->reads.items[i].at.thread == now->at.thread) {
            p->reads.items[i] = *now;
            return true;
        }
    struct access_at *r = vec_push(&p->reads);
    if (r != NULL)
        *r = *now;
    return r != NULL;
}

static bool remember_access(struct search *s, const struct hs_event *e)
{
    const struct happens *h = &s->happens;
    const struct owner *o = h->place != 0 ? map_get(&s->owners, owner_key(h)) : NULL;
    if (o == NULL || o->thread != MANY_THREADS)
        return true;
    struct place *p = map_put(&s->places, h->place);
    const struct access_at now = { h->at, e->seq, e->dataid };
    if (p == NULL)
        return false;
    if (p->write.at.clock != 0 && !happens_before(h, p->write.at) && !add_race(s, &p->write, &now))
        return false;
    if (!h->writes)
        return add_read(p, &now);
    for (size_t i = 0; i < p->reads.count; i++)
        if (!happens_before(h, p->reads.items[i].at) && !add_race(s, &p->reads.items[i], &now))
            return false;
    p->reads.count = 0;
    p->write = now;
    return true;
}

/* One pass over the events; false: s->error says why. */
static bool pass(struct search *s, bool (*each)(struct search *s, const struct hs_event *e))
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    filter.events = happens_events;
    filter.event_count = happens_event_count;
    bool room = happens_begin(&s->happens);
    int more = room ? hs_events_open(s->session->trace, &filter, &events, &s->error) : 0;
    if (room && more == 0) {
        while (room && (more = hs_event_next(events, &e, &s->error)) > 0) {
            struct hs_event now = *e;
            room = happens_event(&s->happens, &now) && each(s, &now);
        }
        hs_cursor_close(events);
    }
    if (!room)
        (void)snprintf(s->error.text, sizeof s->error.text, "%s",
                       s->happens.too_many ? "more threads and monitors than can be kept in order (1 GB)"
                                           : "out of memory");
    return room && more >= 0;
}

/* ---- what is shown ---- */

static int by_order(const void *a, const void *b)
{
    const struct race *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* Class.field, or the type of the array or collection. */
static void location_text(struct show *s, const struct race *r, const struct hs_dataid *d, char *out, size_t size)
{
    const bool whole = r->element || r->collection;
    const struct hs_object *o = whole ? hs_object_get(s->trace, (uint32_t)r->object) : NULL;
    const char *in = hs_field_declaring(s->trace, d->dataid), *name = show_text_attr(d, "name");
    if (whole)
        (void)snprintf(out, size, "%s", o != NULL && o->type != NULL ? o->type : "?");
    else
        (void)snprintf(out, size, "%s.%s", in != NULL ? in : "?", name != NULL ? name : "?");
}

static bool event_of(struct show *s, uint64_t seq, struct hs_event *out)
{
    const struct hs_event *e;
    bool ok = hs_event_at(s->trace, seq, &e, NULL) == 0;
    if (ok)
        *out = *e;
    return ok;
}

#define ROWS "reader/answers/races.def"
#define ROW                                                                                                            \
    struct show *show, const struct race *r, const char *location, const struct hs_event *a, const struct hs_event *b
#include "reader/answers/row.h"

static void text(struct show *s, const struct race *r, const char *location, const struct hs_event *a,
                 const struct hs_event *b)
{
    struct out *o = s->out;
    out_colour(o, COLOUR_NAME);
    out_text(o, location);
    out_colour(o, COLOUR_NONE);
    if (r->object != 0) {
        out_text(o, " of ");
        show_object_name(s, r->object);
    }
    if (r->element)
        out_format(o, " [%u]", r->index);
    if (r->collection)
        out_text(o, ", calls on a collection that is not thread-safe");
    out_format(o, ", %llu time%s\n", (unsigned long long)r->count, r->count > 1 ? "s" : "");
    out_text(o, "  ");
    show_event_text(s, a);
    out_text(o, "  ");
    show_event_text(s, b);
}

static uint64_t show_races(struct search *search, struct show *s, const struct args *a)
{
    size_t n = 0;
    uint64_t shown = 0;
    for (size_t i = 0; i < search->races.cap; i++)
        if (search->races.slots[i].key != 0)
            search->races.slots[n++] = search->races.slots[i];
    if (n > 1)
        qsort(search->races.slots, n, sizeof *search->races.slots, by_order);
    for (size_t i = 0; i < n && shown < a->common.limit && s->out->failed == 0; i++) {
        const struct race *r = &search->races.slots[i];
        struct hs_event first, second;
        char location[1024];
        if (!event_of(s, r->a, &first) || !event_of(s, r->b, &second))
            continue;
        location_text(s, r, hs_dataid_get(s->trace, second.dataid), location, sizeof location);
        if (a->common.json)
            races_json(s->out, s, r, location, &first, &second);
        else
            text(s, r, location, &first, &second);
        shown++;
    }
    return shown;
}

static void search_done(struct search *s)
{
    for (size_t i = 0; i < s->places.cap; i++)
        vec_free(&s->places.slots[i].reads);
    map_free(&s->places);
    map_free(&s->owners);
    map_free(&s->races);
}

/* Without these groups what orders threads was not recorded, and everything would seem to race. */
static int needs_groups(struct session *s)
{
    static const unsigned needed[] = { HS_EVENT_METHOD_ENTRY, HS_EVENT_CALL, HS_EVENT_MONITOR_EXIT };
    char why[NAMES_UNWOVEN_MAX];
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (*names_unwoven(s, &needed[i], 1, why) != '\0')
            return session_fail(s, "what orders threads is not known%s", why);
    return PARSED;
}

/* Do two threads have events? Else nothing needs to be looked for. */
static bool two_threads(hs_trace *t)
{
    const struct hs_thread *thread;
    hs_cursor *threads;
    unsigned count = 0;
    if (hs_threads_open(t, &threads, NULL) != 0)
        return true;
    while (count < 2 && hs_thread_next(threads, &thread, NULL) > 0)
        count += thread->events > 0;
    hs_cursor_close(threads);
    return count == 2;
}

int cmd_races(int argc, char **argv)
{
    static const unsigned accesses[] = { HS_EVENT_GET_STATIC_FIELD, HS_EVENT_ARRAY_LOAD };
    struct args a = { 0 };
    struct session s;
    struct show show;
    char why[NAMES_UNWOVEN_MAX];
    struct search search = { .session = &s, .error = HS_ERROR_INIT };
    int status = session_begin_stream(&s, argc, argv, &a);
    if (status != PARSED)
        return status;
    status = needs_groups(&s);
    if (status != PARSED)
        return status;
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    size_t access_count = sizeof accesses / sizeof *accesses;
    bool none = *names_unwoven(&s, accesses, access_count, why) != '\0' || !two_threads(s.trace);
    bool ok = none || (happens_init(&search.happens, s.trace) && pass(&search, remember_owner) &&
                       pass(&search, remember_access));
    uint64_t shown = ok ? show_races(&search, &show, &a) : 0;
    bool any = search.races.count > 0;
    happens_done(&search.happens);
    search_done(&search);
    show_done(&show);
    if (!ok)
        return session_fail(&s, "%s", search.error.text);
    names_empty_of(&s, shown, a.common.limit, "race", accesses, access_count);
    if (search.more)
        (void)cli_fail(0, argv[0], "%s: incomplete: there are races at more than these %d pairs of places",
                       hs_dir(s.trace), RACES_MAX);
    if (search.more)
        return session_close(&s, EXIT_INCOMPLETE);
    return session_close(&s, a.fail_if_any && any ? EXIT_FAILED : EXIT_DONE);
}
