/* table_events.c - the table events.
 *
 * It is by far the longest one, so what a data ID stands for is filled in a column at a time, behind the events of a
 * batch: a store to one column does not make the compiler load the addresses of the others again. */
#include "reader/tables/tables.h"

#include <stddef.h>
#include <string.h>

struct events_state {
    struct row_events events;
    struct sites sites;
    const struct site *of_row[ROWS_MAX];
};
static const struct site unknown_site = { .line = -1 };

static bool events_open(struct rows *r)
{
    struct events_state *s = r->state;
    return sites_init(r, &s->sites) && row_events_open(r, &s->events, ROW_EVENTS_CHOSEN, NULL, 0);
}

/* One of the names of each row's site: the member at this offset, where the member `there` is true. */
static void fill_names(const struct cells *to, size_t n, const struct site *const *sites, size_t member, size_t there)
{
    uint32_t *names = to->names;
    uint8_t *present = to->present;
    for (size_t i = 0; i < n; i++) {
        memcpy(&names[i], (const char *)sites[i] + member, sizeof names[i]);
        present[i] = *((const bool *)sites[i] + there);
    }
}

static void fill_places(struct rows *r, const struct site *const *sites)
{
    struct cells *c = r->columns;
    const size_t n = r->count;
    static const struct {
        unsigned column;
        size_t member, there;
    } names[] = {
        { COLUMN_events_event, offsetof(struct site, event), offsetof(struct site, known) },
        { COLUMN_events_class, offsetof(struct site, class_name), offsetof(struct site, placed) },
        { COLUMN_events_method, offsetof(struct site, method), offsetof(struct site, placed) },
        { COLUMN_events_desc, offsetof(struct site, desc), offsetof(struct site, placed) },
        { COLUMN_events_file, offsetof(struct site, file), offsetof(struct site, in_file) },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fill_names(&c[names[i].column], n, sites, names[i].member, names[i].there);
    int64_t *lines = c[COLUMN_events_line].ints, *pcs = c[COLUMN_events_pc].ints;
    uint8_t *with_line = c[COLUMN_events_line].present, *with_pc = c[COLUMN_events_pc].present;
    for (size_t i = 0; i < n; i++) {
        lines[i] = sites[i]->line;
        with_line[i] = sites[i]->line >= 0;
        pcs[i] = sites[i]->pc;
        with_pc[i] = sites[i]->known;
    }
    memset(c[COLUMN_events_seq].present, 1, n);
    memset(c[COLUMN_events_thread].present, 1, n);
    memset(c[COLUMN_events_dataid].present, 1, n);
}

static bool events_next(struct rows *r)
{
    struct events_state *s = r->state;
    const struct hs_event *e;
    bool more = true;
    int64_t *seqs = r->columns[COLUMN_events_seq].ints, *threads = r->columns[COLUMN_events_thread].ints,
            *dataids = r->columns[COLUMN_events_dataid].ints;
    while (rows_room(r) && (more = row_events_next(r, &s->events, &e))) {
        const struct site *site = site_get(r, &s->sites, e->dataid);
        s->of_row[r->count] = site != NULL ? site : &unknown_site;
        seqs[r->count] = (int64_t)e->seq;
        threads[r->count] = e->thread;
        dataids[r->count] = e->dataid;
        put_value(r, COLUMN_events_value_kind, e->kind, e->value);
        put_seq(r, COLUMN_events_time, e->time_ns);
        rows_end(r);
    }
    fill_places(r, s->of_row);
    return more;
}

static void events_close(struct rows *r)
{
    struct events_state *s = r->state;
    row_events_close(&s->events);
    sites_done(&s->sites);
}

const struct table_source source_events = { sizeof(struct events_state), events_open, events_next, events_close };
