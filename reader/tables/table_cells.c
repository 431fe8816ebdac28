/* table_cells.c - cells that several tables have (tables.h): values, references, places; and the events that rows are
 * made of.
 *
 * Most events show an object that another one of the same batch has shown, so its type and contents are looked up once
 * a batch. What a data ID stands for is looked up once. */
#include "reader/tables/tables.h"

#include <string.h>

/* ---- objects ---- */

enum { OBJECT_SLOTS = 4096 };
struct object_cell {
    uint64_t id;   /* 0: empty */
    uint32_t type; /* number of its name, plus 1; 0: unknown */
    bool has_string;
    struct span text; /* of the batch */
};
struct object_cells {
    struct object_cell slots[OBJECT_SLOTS];
    bool used;
};

void object_cells_clear(struct rows *r)
{
    if (r->objects != NULL && r->objects->used)
        memset(r->objects, 0, sizeof *r->objects);
}

void object_cells_free(struct rows *r)
{
    free(r->objects);
    r->objects = NULL;
}

/* NULL: out of memory. */
static const struct object_cell *object_cell(struct rows *r, uint64_t id, bool contents)
{
    if (r->objects == NULL)
        r->objects = calloc(1, sizeof *r->objects);
    if (r->objects == NULL) {
        (void)rows_fail(r, "out of memory");
        return NULL;
    }
    struct object_cell *c = &r->objects->slots[id & (OBJECT_SLOTS - 1)];
    if (c->id == id && (c->text.text != NULL || !c->has_string || !contents))
        return c;
    const struct hs_object *o = id <= UINT32_MAX ? hs_object_get(r->from.trace, (uint32_t)id) : NULL;
    *c = (struct object_cell){ .id = id };
    r->objects->used = true;
    if (o != NULL && o->type != NULL)
        c->type = name_number(r, o->type) + 1;
    c->has_string = o != NULL && o->has_string;
    if (c->has_string && contents)
        c->text = rows_string(r, o, NULL);
    return c;
}

void put_reference(struct rows *r, unsigned first, uint64_t id)
{
    if (id == 0)
        return;
    put_int(r, first, (int64_t)id);
    const struct object_cell *c = rows_want(r, first + 1) ? object_cell(r, id, false) : NULL;
    if (c != NULL && c->type > 0)
        put_number(r, first + 1, c->type - 1);
}

/* ---- values ---- */

static void put_object_value(struct rows *r, unsigned first, uint64_t id)
{
    enum { ID = 3, TYPE = 4, STRING = 5 };
    if (id == 0)
        return;
    put_int(r, first + ID, (int64_t)id);
    bool contents = rows_want(r, first + STRING);
    if (!contents && !rows_want(r, first + TYPE))
        return;
    const struct object_cell *c = object_cell(r, id, contents);
    if (c == NULL)
        return;
    if (c->type > 0)
        put_number(r, first + TYPE, c->type - 1);
    if (c->has_string && contents) {
        r->columns[first + STRING].present[r->count] = 1;
        r->columns[first + STRING].texts[r->count] = c->text;
    }
}

static void put_double(struct rows *r, unsigned column, double v)
{
    r->columns[column].present[r->count] = 1;
    r->columns[column].doubles[r->count] = v;
}

void put_kind(struct rows *r, unsigned column, char kind)
{
    static const char *const names[26] = { [1] = "B",  [2] = "C",  [3] = "D",  [5] = "F",  [8] = "I", [9] = "J",
                                           [11] = "L", [15] = "P", [18] = "S", [21] = "V", [25] = "Z" };
    unsigned at = (unsigned char)kind - 'A';
    if (at >= sizeof names / sizeof *names || names[at] == NULL)
        return;
    struct name_key *known = &r->kinds[at];
    if (known->hash == 0)
        *known = (struct name_key){ .hash = 1, .number = name_number(r, names[at]) };
    put_number(r, column, known->number);
}

void put_value(struct rows *r, unsigned first, char kind, uint64_t value)
{
    enum { INT = 1, DOUBLE = 2 };
    float f;
    double d;
    uint32_t bits = (uint32_t)value;
    if (kind == HS_KIND_VOID)
        return;
    put_kind(r, first, kind);
    switch (kind) {
    case HS_KIND_REF: put_object_value(r, first, value); break;
    case HS_KIND_FLOAT:
        memcpy(&f, &bits, sizeof f);
        put_double(r, first + DOUBLE, (double)f);
        break;
    case HS_KIND_DOUBLE:
        memcpy(&d, &value, sizeof d);
        put_double(r, first + DOUBLE, d);
        break;
    case HS_KIND_BOOLEAN: put_int(r, first + INT, value != 0); break;
    default: put_int(r, first + INT, (int64_t)value); break;
    }
}

/* ---- places ---- */

bool sites_init(struct rows *r, struct sites *s)
{
    s->count = hs_dataid_count(r->from.trace);
    s->items = calloc((size_t)s->count + 1, sizeof *s->items);
    return s->items != NULL || rows_fail(r, "out of memory");
}

void sites_done(struct sites *s) { free(s->items); }

const struct site *site_load(struct rows *r, struct sites *s, uint32_t dataid)
{
    const struct hs_dataid *d = dataid < s->count ? hs_dataid_get(r->from.trace, dataid) : NULL;
    const struct hs_method *m = d != NULL ? hs_method_get(r->from.trace, d->method_id) : NULL;
    const struct hs_class *c = d != NULL ? hs_class_get(r->from.trace, d->class_no) : NULL;
    const char *event = d != NULL ? hs_event_name(d->event) : NULL;
    if (event == NULL)
        return NULL;
    struct site *to = &s->items[dataid];
    *to = (struct site){ .known = true, .event = name_number(r, event), .line = d->line, .pc = d->pc };
    to->type = (uint16_t)d->event;
    to->in_file = d->file != NULL && d->line >= 0;
    if (to->in_file)
        to->file = name_number(r, d->file);
    to->method_id = d->method_id;
    to->placed = m != NULL && c != NULL;
    if (to->placed) {
        to->class_name = name_number(r, c->name);
        to->method = name_number(r, m->name);
        to->desc = name_number(r, m->desc);
    }
    return to;
}

void put_line(struct rows *r, unsigned first, const struct site *site)
{
    if (site->in_file)
        put_number(r, first, site->file);
    if (site->line >= 0)
        put_int(r, first + 1, site->line);
}

void put_place(struct rows *r, struct sites *s, unsigned first, uint32_t dataid)
{
    enum { EVENT = 1, CLASS = 2, METHOD = 3, DESC = 4, SPOT = 5, PC = 7 };
    const struct site *site = site_get(r, s, dataid);
    put_int(r, first, dataid);
    if (site == NULL)
        return;
    put_number(r, first + EVENT, site->event);
    if (site->placed) {
        put_number(r, first + CLASS, site->class_name);
        put_number(r, first + METHOD, site->method);
        put_number(r, first + DESC, site->desc);
    }
    put_line(r, first + SPOT, site);
    put_int(r, first + PC, site->pc);
}

void put_method(struct rows *r, unsigned first, const struct hs_method *m)
{
    const struct hs_class *c = m != NULL ? hs_class_get(r->from.trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    put_name(r, first, c->name);
    put_name(r, first + 1, m->name);
    put_name(r, first + 2, m->desc);
}

/* ---- events ---- */

static const struct chosen_args no_args;

void row_events_filter(const struct rows *r, struct row_events *e, enum row_events_kind kind)
{
    enum { AROUND = 8 };
    const struct chosen_events *f = r->from.filter;
    struct hs_filter *to = &e->filter.filter;
    if (f != NULL)
        e->filter = *f;
    else
        e->filter = (struct chosen_events){ .args = &no_args, .filter = HS_FILTER_ALL };
    e->filter.trace = r->from.trace;
    to->from = r->from.from > to->from ? r->from.from : to->from;
    to->to = r->from.to < to->to ? r->from.to : to->to;
    e->from = to->from;
    e->to = to->to;
    if (kind != ROW_EVENTS_CHOSEN) {
        const uint64_t around = kind == ROW_EVENTS_RANGE ? AROUND : UINT64_MAX;
        e->filter.where = NULL;
        *to = (struct hs_filter){ .size = sizeof *to,
                                  .from = e->from > around ? e->from - around : 0,
                                  .to = e->to < UINT64_MAX - around ? e->to + around : UINT64_MAX,
                                  .threads = to->threads,
                                  .thread_count = to->thread_count };
    }
}

bool row_events_open(struct rows *r, struct row_events *e, enum row_events_kind kind, const unsigned *events,
                     size_t event_count)
{
    struct hs_filter *to = &e->filter.filter;
    row_events_filter(r, e, kind);
    if (to->events == NULL) {
        to->events = events;
        to->event_count = event_count;
    }
    if (hs_events_open(r->from.trace, to, &e->cursor, &r->error) == 0)
        return true;
    r->usage = r->error.code == HS_ERR_USAGE;
    r->failed = true;
    return false;
}

bool row_events_next(struct rows *r, struct row_events *e, const struct hs_event **event)
{
    int more = hs_event_next(e->cursor, event, &r->error);
    r->failed |= more < 0;
    return more > 0;
}

void row_events_close(struct row_events *e)
{
    hs_cursor_close(e->cursor);
    e->cursor = NULL;
}

static void picked_step(struct rows *r, struct picked *p)
{
    const struct hs_event *e;
    if (row_events_next(r, &p->events, &e))
        p->at = e->seq;
    else
        p->ended = true;
}

bool picked_open(struct rows *r, struct picked *p, const unsigned *events, size_t event_count)
{
    *p = (struct picked){ .all = r->from.filter == NULL || r->from.filter->all };
    if (p->all)
        return true;
    if (!row_events_open(r, &p->events, ROW_EVENTS_CHOSEN, events, event_count))
        return false;
    picked_step(r, p);
    return !r->failed;
}

bool picked_has(struct rows *r, struct picked *p, uint64_t seq)
{
    if (p->all)
        return true;
    while (!p->ended && p->at < seq)
        picked_step(r, p);
    return !p->ended && p->at == seq;
}

void picked_close(struct picked *p) { row_events_close(&p->events); }
