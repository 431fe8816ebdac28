/* table_events.c - the table events. */
#include "reader/cli/export/tables.h"

struct events_state {
    struct row_events events;
    struct sites sites;
};

static bool events_open(struct rows *r)
{
    struct events_state *s = r->state;
    return sites_init(r, &s->sites) && row_events_open(r, &s->events, ROW_EVENTS_CHOSEN, NULL, 0);
}

static bool events_next(struct rows *r)
{
    struct events_state *s = r->state;
    const struct hs_event *e;
    while (rows_room(r)) {
        if (!row_events_next(r, &s->events, &e))
            return false;
        put_int(r, COLUMN_events_seq, (int64_t)e->seq);
        put_int(r, COLUMN_events_thread, e->thread);
        put_place(r, &s->sites, COLUMN_events_dataid, e->dataid);
        put_value(r, COLUMN_events_value_kind, e->kind, e->value);
        put_seq(r, COLUMN_events_time, e->time_ns);
        rows_end(r);
    }
    return true;
}

static void events_close(struct rows *r)
{
    struct events_state *s = r->state;
    row_events_close(&s->events);
    sites_done(&s->sites);
}

const struct table_source source_events = { sizeof(struct events_state), events_open, events_next, events_close };
