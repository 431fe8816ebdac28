/* hits.c - breakpoints: where a session stops on its way; see session.h.
 *
 * A breakpoint is a set of data IDs (with an object, an index, a thread), a location whose writes are walked, or the
 * list of exceptions. The next hit in either direction is found by a cursor that reads only the chunks which the index
 * names. Hits are counted from the beginning of the trace, so a count means the same in both directions. */
#include "reader/session/hits.h"

#include "reader/query/location.h"
#include "reader/session/nav.h"

#include <stdlib.h>
#include <string.h>

struct hit_place {
    uint32_t id;
    struct nav_break b; /* its texts are copies */
    u32_vec ids;        /* that are hit, rising */
    uint32_t object;    /* that their events have; 0: any */
    bool has_index;     /* of an ARRAY_LOAD, the element */
    uint64_t index;
    hs_cursor *events, *writes;
    uint64_t counted_to, counted; /* hits up to this seq */
};

#define NO_HIT UINT64_MAX

static void place_free(struct hit_place *p)
{
    if (p == NULL)
        return;
    hs_cursor_close(p->events);
    hs_cursor_close(p->writes);
    vec_free(&p->ids);
    free((char *)(uintptr_t)p->b.classes);
    free((char *)(uintptr_t)p->b.methods);
    free((char *)(uintptr_t)p->b.source);
    free((char *)(uintptr_t)p->b.what);
    free((char *)(uintptr_t)p->b.condition);
    free(p);
}

void hits_done(struct nav *nav)
{
    for (size_t i = 0; i < nav->breaks.count; i++)
        place_free(nav->breaks.items[i]);
    vec_free(&nav->breaks);
    free(nav->thrown);
}

/* ---- places in code ---- */

/* The path ends with the package and file of the class: /home/a/src/com/acme/Cart.java of com.acme.Cart$Item. */
bool nav_source_matches(const struct hs_class *c, const char *path)
{
    size_t name = strlen(c->source_file), n = strlen(path);
    const char *dot = strrchr(c->name, '.');
    size_t package = dot != NULL ? (size_t)(dot - c->name) + 1 : 0;
    if (name == 0 || n < name || memcmp(path + n - name, c->source_file, name) != 0)
        return false;
    if (n < name + package)
        return false;
    const char *at = path + n - name - package;
    for (size_t i = 0; i < package; i++)
        if (at[i] != c->name[i] && !(c->name[i] == '.' && (at[i] == '/' || at[i] == '\\')))
            return false;
    return at == path || at[-1] == '/' || at[-1] == '\\' || at[-1] == '!';
}

static bool class_chosen(const struct hs_class *c, const char *source, const char *glob)
{
    return source != NULL ? nav_source_matches(c, source) : hs_class_matches(glob, c->name);
}

typedef bool line_fn(void *context, const struct hs_dataid *d);

/* Calls `each` for the data IDs with a line of the chosen classes; false: it was false once. */
static bool each_line(struct nav *nav, const char *source, const char *glob, line_fn *each, void *context)
{
    hs_trace *t = nav->trace;
    const struct hs_class *c;
    if (!tables_need_classes(t))
        return true;
    for (size_t i = 0; (c = class_at(t, i)) != NULL; i++) {
        if (c->dataid_count == 0 || !class_chosen(c, source, glob))
            continue;
        for (uint32_t id = c->first_dataid; id - c->first_dataid < c->dataid_count; id++) {
            const struct hs_dataid *d = hs_dataid_get(t, id);
            if (d != NULL && d->line >= 0 && !each(context, d))
                return false;
        }
    }
    return true;
}

/* The first instruction of a line in each method. Where LINE is woven, its LINE_NUMBER. */
struct line_search {
    struct nav *nav;
    int32_t line;
    u32_vec *ids;
};

static bool add_line(void *context, const struct hs_dataid *d)
{
    struct line_search *s = context;
    const struct hs_method *m = hs_method_get(s->nav->trace, d->method_id);
    bool lines = m != NULL && (m->groups & 1u << HS_GROUP_LINE) != 0;
    if (d->line != s->line || (lines && d->event != EVENT_LINE_NUMBER) || d->event == EVENT_METHOD_EXCEPTIONAL_EXIT ||
        d->event >= EVENT_JUMP)
        return true;
    if (s->ids->count > 0) {
        uint32_t *last = &s->ids->items[s->ids->count - 1];
        const struct hs_dataid *have = hs_dataid_get(s->nav->trace, *last);
        if (have != NULL && have->method_id == d->method_id) {
            if (d->pc < have->pc)
                *last = d->dataid;
            return true;
        }
    }
    uint32_t *to = vec_push(s->ids);
    if (to == NULL)
        return false;
    *to = d->dataid;
    return true;
}

static bool line_ids(struct nav *nav, const char *source, const char *glob, int32_t line, u32_vec *ids)
{
    struct line_search s = { nav, line, ids };
    return each_line(nav, source, glob, add_line, &s);
}

struct line_list {
    u32_vec lines;
};

static bool note_line(void *context, const struct hs_dataid *d)
{
    struct line_list *l = context;
    if (l->lines.count > 0 && l->lines.items[l->lines.count - 1] == (uint32_t)d->line)
        return true;
    uint32_t *to = vec_push(&l->lines);
    if (to == NULL)
        return false;
    *to = (uint32_t)d->line;
    return true;
}

static int rising(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

enum status nav_lines(struct nav *nav, const char *source, uint32_t **lines, size_t *count, struct error *err)
{
    struct line_list l = { { 0 } };
    size_t n = 0;
    if (!each_line(nav, source, NULL, note_line, &l)) {
        vec_free(&l.lines);
        return nav_memory(nav, err);
    }
    if (l.lines.count > 0)
        qsort(l.lines.items, l.lines.count, sizeof *l.lines.items, rising);
    for (size_t i = 0; i < l.lines.count; i++)
        if (n == 0 || l.lines.items[i] != l.lines.items[n - 1])
            l.lines.items[n++] = l.lines.items[i];
    *lines = l.lines.items;
    *count = n;
    return OK;
}

/* The last METHOD_PARAM behind METHOD_ENTRY, in the table as in the stream. */
static uint32_t last_parameter(hs_trace *t, const struct hs_dataid *entry)
{
    uint32_t id = entry->dataid;
    const struct hs_dataid *d;
    while ((d = hs_dataid_get(t, id + 1)) != NULL && d->event == EVENT_METHOD_PARAM && d->method_id == entry->method_id)
        id++;
    return id;
}

static bool add_methods(struct nav *nav, const struct nav_break *b, unsigned event, u32_vec *ids)
{
    hs_trace *t = nav->trace;
    const site_vec *sites = sites_of(t, event);
    for (size_t i = 0; i < sites->count; i++) {
        const struct hs_method *m = hs_method_get(t, sites->items[i].method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        if (c == NULL || !hs_method_matches(b->methods, m->name, m->desc) || !hs_class_matches(b->classes, c->name))
            continue;
        const struct hs_dataid *d = hs_dataid_get(t, sites->items[i].dataid);
        uint32_t *to = d != NULL ? vec_push(ids) : NULL;
        if (to == NULL)
            return d == NULL;
        *to = event == EVENT_METHOD_ENTRY ? last_parameter(t, d) : d->dataid;
    }
    return true;
}

/* ---- locations ---- */

static bool add_reads(struct nav *nav, const struct location *l, u32_vec *ids)
{
    static const unsigned reads[] = { EVENT_GET_INSTANCE_FIELD, EVENT_GET_STATIC_FIELD };
    if (l->kind == LOCATION_ELEMENT)
        return walk_add_sites(nav->trace, EVENT_ARRAY_LOAD, ids);
    for (size_t i = 0; i < 2; i++) {
        const site_vec *sites = sites_of(nav->trace, reads[i]);
        for (size_t k = 0; k < sites->count; k++)
            for (size_t f = 0; f < l->fields.count; f++)
                if (sites_same_field(nav->trace, sites->items[k].dataid, l->fields.items[f])) {
                    uint32_t *to = vec_push(ids);
                    if (to == NULL)
                        return false;
                    *to = sites->items[k].dataid;
                    break;
                }
    }
    return true;
}

static enum status open_location(struct nav *nav, struct hit_place *p, struct error *err)
{
    struct location l;
    struct hs_error error = HS_ERROR_INIT;
    enum status st = p->b.what != NULL ? OK : error_set(err, ERR_USAGE, "a location is missing");
    if (st != OK)
        return st;
    if (p->b.kind != NAV_BREAK_READ && hs_history_open(nav->trace, p->b.what, &p->writes, &error) != 0)
        return state_take(&error, err);
    if (p->b.kind == NAV_BREAK_WRITE)
        return OK;
    st = location_parse(nav->trace, p->b.what, &l, err);
    if (st == OK && l.kind != LOCATION_FIELD && l.kind != LOCATION_OBJECT_FIELD && l.kind != LOCATION_ELEMENT)
        st = error_set(err, ERR_USAGE, "%s: reads are found of fields and elements", p->b.what);
    if (st == OK) {
        p->object = l.kind == LOCATION_FIELD ? 0 : l.object;
        p->has_index = l.kind == LOCATION_ELEMENT;
        p->index = l.index;
        st = add_reads(nav, &l, &p->ids) ? OK : nav_memory(nav, err);
    }
    location_done(&l);
    return st;
}

/* ---- exceptions ---- */

static int by_seq(const void *a, const void *b)
{
    uint64_t x = ((const struct nav_thrown *)a)->seq, y = ((const struct nav_thrown *)b)->seq;
    return (x > y) - (x < y);
}

static enum status read_thrown(struct nav *nav, struct error *err)
{
    VEC(struct nav_thrown) list = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_exception *x;
    hs_cursor *rows;
    int more;
    if (nav->thrown_read)
        return OK;
    if (hs_exceptions_open(nav->trace, &rows, &error) != 0)
        return state_take(&error, err);
    while ((more = hs_exception_next(rows, &x, &error)) > 0) {
        struct nav_thrown *to = vec_push(&list);
        if (to == NULL)
            break;
        *to = (struct nav_thrown){ .seq = x->thrown, .id = x->id, .caught = x->caught != HS_NO_SEQ };
    }
    hs_cursor_close(rows);
    if (more != 0) {
        vec_free(&list);
        return more < 0 ? state_take(&error, err) : nav_memory(nav, err);
    }
    if (list.count > 0)
        qsort(list.items, list.count, sizeof *list.items, by_seq);
    nav->thrown = list.items;
    nav->thrown_count = list.count;
    nav->thrown_read = true;
    return OK;
}

static bool is_thrown(struct nav *nav, const struct hit_place *p, const struct nav_thrown *x)
{
    const struct hs_object *o = p->b.classes != NULL ? hs_object_get(nav->trace, x->id) : NULL;
    return (x->caught ? p->b.caught : p->b.uncaught) &&
           (p->b.classes == NULL || (o != NULL && o->type != NULL && hs_class_matches(p->b.classes, o->type)));
}

static uint64_t find_thrown(struct nav *nav, const struct hit_place *p, uint64_t from, uint64_t to, bool ahead)
{
    size_t i = 0, end = nav->thrown_count;
    while (i < end) {
        size_t middle = i + (end - i) / 2;
        if (ahead ? nav->thrown[middle].seq < from : nav->thrown[middle].seq <= to)
            i = middle + 1;
        else
            end = middle;
    }
    for (; ahead ? i < nav->thrown_count && nav->thrown[i].seq <= to : i > 0 && nav->thrown[i - 1].seq >= from;
         i = ahead ? i + 1 : i - 1)
        if (is_thrown(nav, p, &nav->thrown[ahead ? i : i - 1]))
            return nav->thrown[ahead ? i : i - 1].seq;
    return NO_HIT;
}

/* ---- the next hit, without its condition ---- */

static enum status find_event(struct nav *nav, struct hit_place *p, uint64_t from, uint64_t to, bool ahead,
                              uint64_t *seq, struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    int more;
    if (p->ids.count == 0)
        return OK;
    if (p->events == NULL) {
        struct hs_filter filter = HS_FILTER_ALL;
        filter.object = p->object;
        if (p->b.thread != UINT32_MAX) {
            filter.threads = &p->b.thread;
            filter.thread_count = 1;
        }
        if (cursor_open_ids(nav->trace, &filter, p->ids.items, p->ids.count, 0, &p->events, &error) != 0)
            return state_take(&error, err);
    }
    if (hs_cursor_seek(p->events, ahead ? from : to + 1, &error) != 0)
        return state_take(&error, err);
    while ((more = ahead ? hs_event_next(p->events, &e, &error) : hs_event_previous(p->events, &e, &error)) > 0) {
        struct hs_event index;
        if (e->seq < from || e->seq > to)
            return OK;
        if (p->has_index && (event_beside(nav->trace, e, 1, &index, err) != OK || index.value != p->index))
            continue;
        *seq = e->seq;
        return OK;
    }
    return more < 0 ? state_take(&error, err) : OK;
}

static enum status find_write(struct hit_place *p, uint64_t from, uint64_t to, bool ahead, uint64_t *seq,
                              struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_write *w;
    int more;
    if (hs_cursor_seek(p->writes, ahead ? from : to + 1, &error) != 0)
        return state_take(&error, err);
    while ((more = ahead ? hs_write_next(p->writes, &w, &error) : hs_write_previous(p->writes, &w, &error)) > 0) {
        uint64_t at = w->event->seq;
        if (ahead ? at > to : at < from)
            return OK;
        if (at < from || at > to || (p->b.thread != UINT32_MAX && w->event->thread != p->b.thread))
            continue;
        if (*seq == NO_HIT || (ahead ? at < *seq : at > *seq))
            *seq = at;
        return OK;
    }
    return more < 0 ? state_take(&error, err) : OK;
}

static enum status find_raw(struct nav *nav, struct hit_place *p, uint64_t from, uint64_t to, bool ahead, uint64_t *seq,
                            struct error *err)
{
    *seq = NO_HIT;
    if (from > to)
        return OK;
    if (p->b.kind == NAV_BREAK_EXCEPTION) {
        enum status read = read_thrown(nav, err);
        if (read == OK)
            *seq = find_thrown(nav, p, from, to, ahead);
        return read;
    }
    enum status st = find_event(nav, p, from, to, ahead, seq, err);
    return st == OK && p->writes != NULL ? find_write(p, from, to, ahead, seq, err) : st;
}

/* ---- conditions and counts ---- */

/* Is the condition true at the hit? What is not recorded, or cannot be asked there, is not. Moves the session. */
static enum status satisfied(struct nav *nav, const struct hit_place *p, uint64_t seq, bool *yes, struct error *err)
{
    struct arena arena = { 0 };
    struct nav_value v = { 0 };
    *yes = p->b.condition == NULL;
    if (*yes)
        return OK;
    enum status st = nav_go(nav, seq, err);
    if (st != OK)
        return st;
    st = nav_evaluate(nav, nav->thread, 0, p->b.condition, &arena, &v, err);
    *yes = st == OK && v.known && v.kind == HS_KIND_BOOLEAN && v.bits != 0;
    arena_done(&arena);
    return st == ERR_MEMORY ? st : OK;
}

static enum status find_satisfied(struct nav *nav, struct hit_place *p, uint64_t from, uint64_t to, bool ahead,
                                  uint64_t *seq, struct error *err)
{
    for (bool yes = false; !yes;) {
        enum status st = find_raw(nav, p, from, to, ahead, seq, err);
        if (st != OK || *seq == NO_HIT)
            return st;
        st = satisfied(nav, p, *seq, &yes, err);
        if (st != OK)
            return st;
        if (yes)
            return OK;
        if (nav_cancelled(nav) || (!ahead && *seq == 0)) {
            *seq = NO_HIT;
            return OK;
        }
        if (ahead)
            from = *seq + 1;
        else
            to = *seq - 1;
    }
    return OK;
}

/* The number of a hit among those of the breakpoint, from 1. */
static enum status number_of(struct nav *nav, struct hit_place *p, uint64_t hit, uint64_t *number, struct error *err)
{
    if (hit < p->counted_to)
        p->counted_to = p->counted = 0;
    while (p->counted == 0 || p->counted_to < hit) {
        uint64_t seq;
        enum status st = find_satisfied(nav, p, p->counted == 0 ? 0 : p->counted_to + 1, hit, true, &seq, err);
        if (st != OK || seq == NO_HIT)
            return st;
        p->counted_to = seq;
        p->counted++;
    }
    *number = p->counted;
    return OK;
}

static bool counts(const struct nav_break *b, uint64_t number)
{
    switch (b->relation) {
    case '=': return number == b->hits;
    case '>': return number > b->hits;
    case '}': return number >= b->hits;
    case '<': return number < b->hits;
    case '%': return b->hits != 0 && number % b->hits == 0;
    default: return true;
    }
}

static enum status find_hit(struct nav *nav, struct hit_place *p, uint64_t from, uint64_t to, bool ahead, uint64_t *seq,
                            struct error *err)
{
    for (;;) {
        uint64_t number = 0;
        enum status st = find_satisfied(nav, p, from, to, ahead, seq, err);
        if (st != OK || *seq == NO_HIT || p->b.relation == 0)
            return st;
        st = number_of(nav, p, *seq, &number, err);
        if (st != OK || counts(&p->b, number))
            return st;
        if (nav_cancelled(nav) || (!ahead && *seq == 0)) {
            *seq = NO_HIT;
            return OK;
        }
        if (ahead)
            from = *seq + 1;
        else
            to = *seq - 1;
    }
}

/* ---- for the session ---- */

/* Can the event hit it at all? Spares a look at the index for most events. */
static bool may_hit(const struct hit_place *p, uint32_t dataid)
{
    return p->writes != NULL || p->b.kind == NAV_BREAK_EXCEPTION ||
           (p->ids.count > 0 && bsearch(&dataid, p->ids.items, p->ids.count, sizeof dataid, rising) != NULL);
}

enum status nav_hits_at(struct nav *nav, uint64_t seq, struct nav_stop *stop, struct error *err)
{
    struct event_position at;
    struct hs_event e;
    stop->hit_count = 0;
    enum status st = nav->breaks.count > 0 ? positions_find(nav->trace, seq, &at, err) : OK;
    if (st == OK && nav->breaks.count > 0)
        st = positions_event(nav->trace, at, &e, err);
    for (size_t i = 0; st == OK && i < nav->breaks.count && stop->hit_count < NAV_HITS_MAX; i++) {
        uint64_t hit = NO_HIT;
        if (!may_hit(nav->breaks.items[i], e.dataid))
            continue;
        st = find_hit(nav, nav->breaks.items[i], seq, seq, true, &hit, err);
        if (st == OK && hit == seq)
            stop->hits[stop->hit_count++] = nav->breaks.items[i]->id;
    }
    return st;
}

enum status hits_mark(struct nav *nav, struct nav_stop *stop, struct error *err)
{
    uint64_t seq = nav->seq;
    enum status st = nav_hits_at(nav, seq, stop, err);
    if (st == OK && nav->seq != seq)
        st = nav_go(nav, seq, err);
    if (st == OK && stop->hit_count > 0)
        stop->reason = NAV_HIT;
    stop->seq = nav->seq;
    stop->thread = nav->thread;
    return st;
}

/* One search: to the first hit between the two, or to `to`. */
static enum status go_to_hit(struct nav *nav, uint64_t from, uint64_t to, enum nav_direction direction,
                             struct nav_stop *stop, struct error *err)
{
    bool ahead = direction == NAV_FORWARD;
    uint64_t low = ahead ? from + 1 : to, high = ahead ? to : from - 1, best = NO_HIT;
    enum status st = OK;
    for (size_t i = 0; st == OK && i < nav->breaks.count; i++) {
        uint64_t seq = NO_HIT;
        st = find_hit(nav, nav->breaks.items[i], low, high, ahead, &seq, err);
        if (seq == NO_HIT)
            continue;
        best = seq;
        if (ahead)
            high = seq;
        else
            low = seq;
    }
    if (st != OK)
        return st;
    if (nav_cancelled(nav)) {
        stop->reason = NAV_CANCELLED;
        best = from;
    }
    st = nav_go(nav, best != NO_HIT ? best : to, err);
    if (st != OK || stop->reason == NAV_CANCELLED) {
        stop->seq = nav->seq;
        stop->thread = nav->thread;
        return st;
    }
    return best != NO_HIT ? hits_mark(nav, stop, err) : OK;
}

enum status hits_between(struct nav *nav, uint64_t from, uint64_t to, enum nav_direction direction,
                         struct nav_stop *stop, struct error *err)
{
    enum nav_reason otherwise = stop->reason;
    for (;;) {
        stop->reason = otherwise;
        stop->hit_count = 0;
        enum status st = go_to_hit(nav, from, to, direction, stop, err);
        if (st != OK || stop->reason != NAV_HIT || nav->pass == NULL || !nav->pass(nav->pass_context, stop))
            return st;
        stop->reason = otherwise;
        stop->hit_count = 0;
        if (stop->seq == to)
            return OK;
        from = stop->seq;
    }
}

enum status hits_after_parameters(struct nav *nav, struct error *err)
{
    struct event_position at = nav->at;
    struct hs_event e;
    enum status st = positions_event(nav->trace, at, &e, err);
    const struct hs_dataid *d = st == OK ? hs_dataid_get(nav->trace, e.dataid) : NULL;
    if (d == NULL || d->event != EVENT_METHOD_ENTRY)
        return st;
    uint64_t parameters = last_parameter(nav->trace, d) - d->dataid;
    if (at.position + parameters >= nav->trace->streams[at.stream].events)
        return OK;
    at.position += parameters;
    return nav_move(nav, at, err);
}

enum status nav_find_line(struct nav *nav, const char *source, int32_t line, uint64_t from,
                          enum nav_direction direction, uint64_t *seq, struct error *err)
{
    struct hit_place p = { .b = { .kind = NAV_BREAK_LINE, .thread = UINT32_MAX } };
    bool ahead = direction == NAV_FORWARD;
    enum status st = OK;
    *seq = NO_HIT;
    if (!line_ids(nav, source, NULL, line, &p.ids))
        st = nav_memory(nav, err);
    else if (ahead || from > 0)
        st = find_event(nav, &p, ahead ? from + 1 : 0, ahead ? UINT64_MAX - 1 : from - 1, ahead, seq, err);
    hs_cursor_close(p.events);
    vec_free(&p.ids);
    return st == OK && *seq == NO_HIT ? ERR_NOT_FOUND : st;
}

/* ---- adding and removing ---- */

static bool keep(const char **text)
{
    if (*text == NULL)
        return true;
    *text = strdup(*text);
    return *text != NULL;
}

static enum status find_places(struct nav *nav, struct hit_place *p, struct error *err)
{
    const struct nav_break *b = &p->b;
    bool ok = true;
    switch (b->kind) {
    case NAV_BREAK_LINE: ok = line_ids(nav, b->source, b->classes, b->line, &p->ids); break;
    case NAV_BREAK_METHOD: ok = add_methods(nav, b, EVENT_METHOD_ENTRY, &p->ids); break;
    case NAV_BREAK_RETURN:
        ok = add_methods(nav, b, EVENT_METHOD_NORMAL_EXIT, &p->ids) &&
             add_methods(nav, b, EVENT_METHOD_EXCEPTIONAL_EXIT, &p->ids);
        break;
    case NAV_BREAK_LOCK:
        p->object = b->object;
        ok = walk_add_sites(nav->trace, EVENT_MONITOR_ENTER_RESULT, &p->ids) &&
             walk_add_sites(nav->trace, EVENT_MONITOR_EXIT, &p->ids);
        break;
    case NAV_BREAK_EXCEPTION: return read_thrown(nav, err);
    case NAV_BREAK_WRITE:
    case NAV_BREAK_READ:
    case NAV_BREAK_ACCESS: return open_location(nav, p, err);
    }
    if (!ok)
        return nav_memory(nav, err);
    return p->ids.count > 0 ? OK : error_set(err, ERR_NOT_FOUND, "no code of the trace is there");
}

enum status nav_break_add(struct nav *nav, const struct nav_break *b, uint32_t *id, size_t *places, struct error *err)
{
    struct hit_place *p = calloc(1, sizeof *p);
    struct hit_place **to = NULL;
    enum status st = p != NULL ? OK : nav_memory(nav, err);
    if (st != OK)
        return st;
    p->b = *b;
    bool kept = keep(&p->b.classes); /* each becomes a copy or NULL */
    kept &= keep(&p->b.methods);
    kept &= keep(&p->b.source);
    kept &= keep(&p->b.what);
    kept &= keep(&p->b.condition);
    st = kept ? OK : nav_memory(nav, err);
    if (st == OK && b->condition != NULL)
        st = nav_check_expression(b->condition, err);
    if (st == OK)
        st = find_places(nav, p, err);
    if (st == OK && (to = vec_push(&nav->breaks)) == NULL)
        st = nav_memory(nav, err);
    if (st != OK) {
        place_free(p);
        return st;
    }
    if (p->ids.count > 0)
        qsort(p->ids.items, p->ids.count, sizeof *p->ids.items, rising);
    p->id = ++nav->last_break;
    *to = p;
    *id = p->id;
    if (places != NULL)
        *places = p->ids.count;
    return OK;
}

void nav_break_remove(struct nav *nav, uint32_t id)
{
    for (size_t i = 0; i < nav->breaks.count; i++) {
        if (nav->breaks.items[i]->id != id)
            continue;
        place_free(nav->breaks.items[i]);
        memmove(&nav->breaks.items[i], &nav->breaks.items[i + 1],
                (nav->breaks.count - i - 1) * sizeof *nav->breaks.items);
        nav->breaks.count--;
        return;
    }
}
