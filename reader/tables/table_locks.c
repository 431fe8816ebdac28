/* table_locks.c - the table locks: one row for each time that a thread held a monitor (hs_holds_open).
 *
 * A filter chooses rows, and never what a row says: all holds of its threads are followed. It chooses by the event
 * with which a monitor was entered. Holds come by their ends, so the events that it chooses are kept from their own
 * moment on to the end of their hold. */
#include "reader/tables/tables.h"

#include <string.h>

struct chosen_entry {
    uint64_t key; /* seq + 1 */
};
struct locks_state {
    hs_cursor *holds;
    struct row_events range;  /* its bounds and threads alone */
    struct row_events chosen; /* events that enter a monitor and pass the filter */
    MAP(struct chosen_entry) entries;
    struct sites sites;
    uint64_t behind; /* up to this seq `chosen` was read */
    bool all, ended; /* the filter chooses all; `chosen` has no more */
};

static const unsigned entered_events[] = { HS_EVENT_MONITOR_ENTER_RESULT, HS_EVENT_METHOD_ENTRY };

static bool locks_open(struct rows *r)
{
    struct locks_state *s = r->state;
    enum { ENTERED = sizeof entered_events / sizeof *entered_events };
    s->all = r->from.filter == NULL || r->from.filter->all;
    row_events_filter(r, &s->range, ROW_EVENTS_ALL);
    const struct hs_filter *f = &s->range.filter.filter;
    r->failed |= hs_holds_open(r->from.trace, f->threads, f->thread_count, &s->holds, &r->error) != 0;
    return !r->failed && sites_init(r, &s->sites) &&
           (s->all || row_events_open(r, &s->chosen, ROW_EVENTS_CHOSEN, entered_events, ENTERED));
}

/* Does this event enter a monitor? */
static bool enters(struct rows *r, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(r->from.trace, e->dataid);
    if (d == NULL || d->event == HS_EVENT_MONITOR_ENTER_RESULT)
        return d != NULL;
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (strcmp(d->attrs[i]->name, "synchronized") == 0 && d->attrs[i]->number != 0)
            return true;
    return false;
}

/* Reads the events that the filter chooses up to `seq`. */
static void read_chosen(struct rows *r, struct locks_state *s, uint64_t seq)
{
    const struct hs_event *e;
    while (!s->ended && s->behind <= seq) {
        s->ended = !row_events_next(r, &s->chosen, &e);
        if (s->ended)
            return;
        s->behind = e->seq;
        if (enters(r, e) && map_put(&s->entries, e->seq + 1) == NULL)
            (void)rows_fail(r, "out of memory");
    }
}

static bool is_wanted(struct rows *r, struct locks_state *s, const struct hs_hold *h)
{
    if (h->entered < s->range.from || h->entered > s->range.to)
        return false;
    if (s->all)
        return true;
    read_chosen(r, s, h->entered);
    struct chosen_entry *chosen = map_get(&s->entries, h->entered + 1);
    if (chosen != NULL)
        map_remove(&s->entries, chosen);
    return chosen != NULL;
}

static void add_row(struct rows *r, struct locks_state *s, const struct hs_hold *h)
{
    const struct site *site = site_get(r, &s->sites, h->dataid);
    put_reference(r, COLUMN_locks_lock_id, h->object);
    put_int(r, COLUMN_locks_thread, h->thread);
    if (site != NULL && site->placed) {
        put_number(r, COLUMN_locks_class, site->class_name);
        put_number(r, COLUMN_locks_method, site->method);
        put_number(r, COLUMN_locks_desc, site->desc);
    }
    if (site != NULL)
        put_line(r, COLUMN_locks_file, site);
    put_seq(r, COLUMN_locks_asked, h->asked);
    put_seq(r, COLUMN_locks_entered, h->entered);
    put_seq(r, COLUMN_locks_left, h->left);
    put_seq(r, COLUMN_locks_wait_ns, h->wait_ns);
    put_seq(r, COLUMN_locks_hold_ns, h->hold_ns);
    put_bool(r, COLUMN_locks_again, h->again);
    rows_end(r);
}

static bool locks_next(struct rows *r)
{
    struct locks_state *s = r->state;
    const struct hs_hold *h;
    while (rows_room(r)) {
        const int more = hs_hold_next(s->holds, &h, &r->error);
        r->failed |= more < 0;
        if (more <= 0)
            return false;
        if (is_wanted(r, s, h))
            add_row(r, s, h);
    }
    return !r->failed;
}

static void locks_close(struct rows *r)
{
    struct locks_state *s = r->state;
    hs_cursor_close(s->holds);
    row_events_close(&s->chosen);
    map_free(&s->entries);
    sites_done(&s->sites);
}

const struct table_source source_locks = { sizeof(struct locks_state), locks_open, locks_next, locks_close };
