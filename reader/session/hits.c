/* hits.c - breakpoints: where a session stops on its way; see session.h.
 *
 * A breakpoint is a set of data IDs (with an object, an index, a thread), a location whose writes are walked, or one of
 * exceptions (throw_hits.h). The next hit in either direction is found by a cursor that reads only the chunks which the
 * index names. Hits are counted from the beginning of the trace, so a count means the same in both directions. */
#include "reader/session/hits.h"

#include "reader/query/location.h"
#include "reader/session/nav.h"
#include "reader/session/places.h"
#include "reader/session/throw_hits.h"

#include <stdlib.h>
#include <string.h>

#define NO_HIT UINT64_MAX

struct hit_place {
    uint32_t id;
    struct nav_break b; /* its texts are copies */
    struct expression_tree *condition;
    u32_vec ids;     /* that are hit, rising */
    uint32_t object; /* that their events have; 0: any */
    bool has_index;  /* of an ARRAY_LOAD, the element */
    uint64_t index;
    hs_cursor *events, *writes;
    uint64_t stands;              /* `events` stands before this seq; NO_HIT: not known */
    uint64_t counted_to, counted; /* hits up to this seq */
};

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
    expression_free(p->condition);
    free(p);
}

void hits_done(struct nav *nav)
{
    for (size_t i = 0; i < nav->breaks.count; i++)
        place_free(nav->breaks.items[i]);
    vec_free(&nav->breaks);
    throw_hits_done(nav);
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
        if (cursor_open_ids(nav->trace, &filter, p->ids.items, p->ids.count, &p->events, &error) != 0)
            return state_take(&error, err);
        p->stands = NO_HIT;
    }
    if (p->stands != (ahead ? from : to + 1) && hs_cursor_seek(p->events, ahead ? from : to + 1, &error) != 0)
        return state_take(&error, err);
    p->stands = NO_HIT;
    while ((more = ahead ? hs_event_next(p->events, &e, &error) : hs_event_previous(p->events, &e, &error)) > 0) {
        struct hs_event index;
        if (e->seq < from || e->seq > to)
            return OK;
        if (p->has_index && (event_beside(nav->trace, e, 1, &index, err) != OK || index.value != p->index))
            continue;
        *seq = e->seq;
        p->stands = ahead ? e->seq + 1 : e->seq;
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
    if (p->b.kind == NAV_BREAK_EXCEPTION)
        return throw_hits_find(nav, &p->b, from, to, ahead, seq, err);
    enum status st = find_event(nav, p, from, to, ahead, seq, err);
    return st == OK && p->writes != NULL ? find_write(p, from, to, ahead, seq, err) : st;
}

/* ---- conditions and counts ---- */

/* Is the condition true at the hit? What is not recorded, or cannot be asked there, is not. Moves the session. */
static enum status satisfied(struct nav *nav, const struct hit_place *p, uint64_t seq, bool *yes, struct error *err)
{
    enum expression_answer answer = EXPRESSION_YES;
    *yes = p->condition == NULL;
    if (*yes)
        return OK;
    enum status st = nav_go(nav, seq, err);
    if (st == OK)
        st = nav_decide(nav, nav->thread, 0, p->condition, &answer, err);
    *yes = st == OK && answer == EXPRESSION_YES;
    return st;
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

/* The number of the first hit is counted; those of the next ones follow from it. */
static enum status find_hit(struct nav *nav, struct hit_place *p, uint64_t from, uint64_t to, bool ahead, uint64_t *seq,
                            struct error *err)
{
    uint64_t number = 0;
    for (bool first = true;; first = false) {
        enum status st = find_satisfied(nav, p, from, to, ahead, seq, err);
        if (st != OK || *seq == NO_HIT || p->b.relation == 0)
            return st;
        if (first)
            st = number_of(nav, p, *seq, &number, err);
        else
            number = ahead ? number + 1 : number - 1;
        if (st != OK || counts(&p->b, number))
            return st;
        bool past = ahead ? p->b.relation != '%' && p->b.relation != '>' && p->b.relation != '}' && number >= p->b.hits
                          : p->b.relation != '%' && p->b.relation != '<' && number <= p->b.hits;
        if (past || nav_cancelled(nav) || (!ahead && *seq == 0)) {
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
static bool may_hit(struct nav *nav, const struct hit_place *p, uint32_t dataid)
{
    if (p->b.kind == NAV_BREAK_EXCEPTION)
        return is_exception_event(event_type(nav->trace, dataid));
    return p->writes != NULL ||
           (p->ids.count > 0 && bsearch(&dataid, p->ids.items, p->ids.count, sizeof dataid, places_rising) != NULL);
}

enum status nav_hits_at(struct nav *nav, uint64_t seq, struct nav_stop *stop, struct error *err)
{
    struct event_position at;
    struct hs_event e;
    stop->hit_count = nav->hits.count = 0;
    enum status st = nav->breaks.count > 0 ? positions_find(nav->trace, seq, &at, err) : OK;
    if (st == OK && nav->breaks.count > 0)
        st = positions_event(nav->trace, at, &e, err);
    for (size_t i = 0; st == OK && i < nav->breaks.count; i++) {
        uint64_t hit = NO_HIT;
        if (!may_hit(nav, nav->breaks.items[i], e.dataid))
            continue;
        st = find_hit(nav, nav->breaks.items[i], seq, seq, true, &hit, err);
        uint32_t *id = st == OK && hit == seq ? vec_push(&nav->hits) : NULL;
        if (id != NULL)
            *id = nav->breaks.items[i]->id;
        else if (st == OK && hit == seq)
            st = nav_memory(nav, err);
    }
    stop->hits = nav->hits.items;
    stop->hit_count = nav->hits.count;
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
    uint64_t parameters = places_last_parameter(nav->trace, d) - d->dataid;
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
    if (!places_of_line(nav, source, NULL, line, &p.ids))
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
    case NAV_BREAK_LINE: ok = places_of_line(nav, b->source, b->classes, b->line, &p->ids); break;
    case NAV_BREAK_PC: ok = places_of_pc(nav, b->method_id, b->pc, b->line, &p->ids); break;
    case NAV_BREAK_METHOD: ok = places_of_methods(nav, b->classes, b->methods, EVENT_METHOD_ENTRY, &p->ids); break;
    case NAV_BREAK_RETURN:
        ok = places_of_methods(nav, b->classes, b->methods, EVENT_METHOD_NORMAL_EXIT, &p->ids) &&
             places_of_methods(nav, b->classes, b->methods, EVENT_METHOD_EXCEPTIONAL_EXIT, &p->ids);
        break;
    case NAV_BREAK_LOCK:
        p->object = b->object;
        ok = walk_add_sites(nav->trace, EVENT_MONITOR_ENTER_RESULT, &p->ids) &&
             walk_add_sites(nav->trace, EVENT_MONITOR_EXIT, &p->ids);
        break;
    case NAV_BREAK_EXCEPTION: return throw_hits_open(nav, err);
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
    p->b.condition = NULL;
    st = kept ? OK : nav_memory(nav, err);
    if (st == OK && b->condition != NULL)
        st = expression_parse(b->condition, &p->condition, err);
    if (st == OK)
        st = find_places(nav, p, err);
    if (st == OK && (to = vec_push(&nav->breaks)) == NULL)
        st = nav_memory(nav, err);
    if (st != OK) {
        place_free(p);
        return st;
    }
    if (p->ids.count > 0)
        qsort(p->ids.items, p->ids.count, sizeof *p->ids.items, places_rising);
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
