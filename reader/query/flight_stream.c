/* flight_stream.c - see flight_stream.h. Segments of several threads overlap in time: one is read when the first
 * flights of it may be the next ones, and left when all of its flights are passed. */
#include "reader/query/flight_stream.h"

static int by_least(const void *a, const void *b)
{
    const struct flight_part *x = a, *y = b;
    return x->least != y->least ? (x->least > y->least) - (x->least < y->least)
                                : (x->segment > y->segment) - (x->segment < y->segment);
}

static void page_done(struct flight_page *p)
{
    exception_lists_done(&p->all);
    settled_done(&p->settled);
}

enum status flight_stream_open(struct flight_stream *s, hs_trace *t, struct exception_lists *rest, struct error *err)
{
    s->trace = t;
    enum status st = index_flights(t, &s->parts, NULL, rest, err);
    if (s->parts.list.count > 1)
        qsort(s->parts.list.items, s->parts.list.count, sizeof *s->parts.list.items, by_least);
    return st;
}

static void drop_pages(struct flight_stream *s)
{
    for (size_t i = 0; i < s->pages.count; i++)
        page_done(&s->pages.items[i]);
    s->pages.count = 0;
}

void flight_stream_seek(struct flight_stream *s, uint64_t stamp)
{
    drop_pages(s);
    s->next = 0;
    s->from = stamp;
}

/* The part that is read next; NULL: none. */
static const struct flight_part *next_part(struct flight_stream *s)
{
    while (s->next < s->parts.list.count && s->parts.list.items[s->next].greatest < s->from)
        s->next++;
    return s->next < s->parts.list.count ? &s->parts.list.items[s->next] : NULL;
}

static enum status read_page(struct flight_stream *s, struct error *err)
{
    struct flight_page *p = vec_push(&s->pages);
    if (p == NULL)
        return error_memory(err, "%s", s->trace->dir);
    *p = (struct flight_page){ 0 };
    enum status st =
        index_settled(s->trace, &s->parts, s->parts.list.items[s->next].segment, &p->all, &p->settled, err);
    s->next++;
    if (st == ERR_NOT_FOUND)
        st = error_set(err, ERR_FORMAT, "%s/" INDEX_FILE ": a segment is damaged", s->trace->dir);
    if (st != OK || p->settled.flights.count == 0) {
        page_done(p);
        s->pages.count--;
        return st;
    }
    /* what is in neither of them is not asked for */
    vec_free(&p->all.events);
    vec_free(&p->all.uses);
    exception_lists_done(&p->settled.rest);
    return OK;
}

static const struct exception_event *first_of(const struct flight_page *p)
{
    return &p->settled.events.items[p->settled.flights.items[p->at].first];
}

enum status flight_stream_next(struct flight_stream *s, struct settled_flight *out, struct error *err)
{
    for (;;) {
        struct flight_page *least = NULL;
        for (size_t i = 0; i < s->pages.count; i++)
            if (least == NULL || exception_event_order(first_of(&s->pages.items[i]), first_of(least)) < 0)
                least = &s->pages.items[i];
        const struct flight_part *next = next_part(s);
        if (next == NULL || (least != NULL && first_of(least)->stamp < next->least)) {
            if (least == NULL)
                return ERR_NOT_FOUND;
            *out = (struct settled_flight){ .flight = &least->settled.flights.items[least->at],
                                            .events = &least->settled.events,
                                            .kind = &least->all.kinds.items[first_of(least)->kind - 1] };
            return OK;
        }
        enum status st = read_page(s, err);
        if (st != OK)
            return st;
    }
}

void flight_stream_pass(struct flight_stream *s, const struct settled_flight *x)
{
    size_t i = 0;
    while (&s->pages.items[i].settled.events != x->events)
        i++;
    if (++s->pages.items[i].at < s->pages.items[i].settled.flights.count)
        return;
    page_done(&s->pages.items[i]);
    s->pages.items[i] = s->pages.items[--s->pages.count];
}

void flight_stream_done(struct flight_stream *s)
{
    drop_pages(s);
    vec_free(&s->pages);
    flight_parts_done(&s->parts);
}
