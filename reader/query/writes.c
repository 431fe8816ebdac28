/* writes.c - see writes.h. */
#include "reader/query/writes.h"
#include "reader/query/access.h"
#include "reader/query/creation.h"
#include "reader/query/left_out.h"

#include <stdlib.h>
#include <string.h>

/* A row that is read ahead, to be given in its turn. */
struct ahead {
    bool there, over; /* over: there are no more in this direction */
    struct hs_event event;
    struct hs_write write; /* of that event */
};

/* Events of marks (left_out.h) between the writes. */
struct gaps {
    u32_vec marks; /* of methods that write the location; none: the writes are all there is */
    struct walk walk;
    int direction; /* of the last step: 1, -1; 0: none since `at` was set */
    uint64_t at;   /* rows from this seq on are behind the position */
    struct ahead mark, write;
};

struct writes {
    hs_trace *trace;
    struct location location;
    struct walk walk;
    struct gaps gaps;
    event_vec early; /* OBJECT_FIELD, ELEMENT: written before any event could name the object */
    bool early_known;
    size_t early_at; /* position in `early` */
    uint64_t sought; /* seq of the last writes_seek */
    bool at_sought;  /* no step was made since */
    struct hs_event event;
    struct hs_write write; /* of that event */
};

/* Writes of one field or element are looked for by their key in the index. */
static void use_index(struct walk *w, const struct location *l)
{
    uint32_t part;
    if (l->kind == LOCATION_ELEMENT)
        part = location_part_of_element(l->index);
    else if (l->kind == LOCATION_OBJECT_FIELD && l->fields.count > 0)
        part = location_part_of_field((struct text){ l->fields.items[0].name, strlen(l->fields.items[0].name) });
    else
        return;
    const struct index_key written = { SET_WRITTEN, location_key(l->object, part) };
    walk_set_keys(w, &written, 1);
}

enum status writes_open(hs_trace *t, struct location *l, struct writes **out, struct error *err)
{
    struct writes *w = calloc(1, sizeof *w);
    if (w == NULL) {
        location_done(l);
        return state_memory(t, err);
    }
    w->trace = t;
    w->location = *l;
    *l = (struct location){ 0 };
    walk_open_ids(&w->walk, t, &w->location.ids, w->location.object, UINT64_MAX);
    use_index(&w->walk, &w->location);
    enum status st = walk_status(&w->walk, err);
    if (st == OK && left_out_any(t))
        st = left_out_marks(t, &w->location.ids, &w->gaps.marks, err);
    if (st == OK && w->gaps.marks.count > 0) {
        walk_open_ids(&w->gaps.walk, t, &w->gaps.marks, 0, UINT64_MAX);
        st = walk_status(&w->gaps.walk, err);
    }
    if (st != OK) {
        writes_close(w);
        return st;
    }
    *out = w;
    return OK;
}

void writes_close(struct writes *w)
{
    if (w == NULL)
        return;
    (void)walk_close(&w->walk, NULL);
    (void)walk_close(&w->gaps.walk, NULL);
    vec_free(&w->gaps.marks);
    location_done(&w->location);
    vec_free(&w->early);
    free(w);
}

uint32_t writes_object(const struct writes *w) { return w->location.object; }

/* The write whose value this event has. */
static struct hs_write make_write(struct writes *w, const struct hs_event *value, uint64_t object)
{
    const struct location *l = &w->location;
    w->event = *value;
    struct hs_write write = {
        .event = &w->event, .object = object, .has_index = l->kind == LOCATION_ELEMENT, .index = l->index
    };
    if (l->kind == LOCATION_FIELD || l->kind == LOCATION_OBJECT_FIELD) {
        struct field f = sites_field(w->trace, value->dataid);
        write.declaring = f.declaring;
        write.field = f.name;
    }
    return write;
}

/* ---- writes before all events of the object ---- */

/* Is early write `i` one of the location? */
static bool is_own_early(struct writes *w, size_t i)
{
    const struct location *l = &w->location;
    if (l->kind == LOCATION_ELEMENT)
        return i == l->index;
    if (l->kind != LOCATION_OBJECT_FIELD)
        return false;
    struct field f = sites_field(w->trace, w->early.items[i].dataid);
    for (size_t k = 0; k < l->fields.count; k++)
        if (field_same(l->fields.items[k], f))
            return true;
    return false;
}

static void keep_own_early(struct writes *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->early.count; i++)
        if (is_own_early(w, i))
            w->early.items[kept++] = w->early.items[i];
    w->early.count = kept;
}

/* Puts early_at before the first early write from `sought` on. */
static void seek_early(struct writes *w)
{
    w->early_at = 0;
    while (w->early_at < w->early.count && w->early.items[w->early_at].seq < w->sought)
        w->early_at++;
}

/* Finds the early writes when the walk reaches them. */
static enum status find_early(struct writes *w, struct error *err)
{
    const struct location *l = &w->location;
    enum status st = OK;
    if (w->early_known)
        return OK;
    if (l->kind == LOCATION_OBJECT_FIELD)
        st = early_puts(w->trace, l->object, l->fields.count == 1 ? l->fields.items[0].name : NULL, &w->early, err);
    else if (l->kind == LOCATION_ELEMENT)
        st = multi_elements(w->trace, l->object, &w->early, err);
    if (st != OK)
        return st;
    keep_own_early(w);
    seek_early(w);
    w->early_known = true;
    return OK;
}

static void show_early(struct writes *w, size_t at, const struct hs_write **out)
{
    w->write = make_write(w, &w->early.items[at], w->location.object);
    *out = &w->write;
}

/* ---- walking ---- */

/* Fills w->write with the write whose first event is `e`. ERR_NOT_FOUND: it is not a write of the location. */
static enum status complete_write(struct writes *w, const struct hs_event *e, struct error *err)
{
    const struct location *l = &w->location;
    struct heap_access a;
    if (l->kind == LOCATION_DATAID || l->kind == LOCATION_LOCAL) {
        w->write = make_write(w, e, 0);
        return OK;
    }
    enum status st = access_at(w->trace, e, &a, err);
    if (st != OK)
        return st;
    if (l->kind == LOCATION_ELEMENT && a.index != l->index)
        return ERR_NOT_FOUND;
    if (!location_has(w->trace, l, e->dataid, a.object))
        return ERR_NOT_FOUND;
    w->write = make_write(w, &a.value, a.object);
    return OK;
}

/* The first event of a write, which the walk finds, is at most this many events before the one with the value. */
enum { WRITE_EVENTS = 3 };

static enum status next_write(struct writes *w, const struct hs_write **out, struct error *err)
{
    struct hs_event e;
    uint64_t from = w->at_sought ? w->sought : 0; /* writes before it were found only because of WRITE_EVENTS */
    walk_clear_error(&w->walk);
    enum status st = find_early(w, err);
    if (st != OK)
        return st;
    if (w->early_at < w->early.count) {
        show_early(w, w->early_at++, out);
        return OK;
    }
    w->at_sought = false;
    if (from > 0)
        walk_seek(&w->walk, from > WRITE_EVENTS ? from - WRITE_EVENTS : 0);
    while (walk_next(&w->walk, &e)) {
        st = complete_write(w, &e, err);
        if (st == ERR_NOT_FOUND || (st == OK && w->write.event->seq < from))
            continue;
        *out = &w->write;
        return st;
    }
    st = walk_status(&w->walk, err);
    return st == OK ? ERR_NOT_FOUND : st;
}

static enum status previous_write(struct writes *w, const struct hs_write **out, struct error *err)
{
    struct hs_event e;
    uint64_t before = w->at_sought ? w->sought : UINT64_MAX; /* the walk may begin within a write that ends later */
    walk_clear_error(&w->walk);
    w->at_sought = false;
    while (walk_previous(&w->walk, &e)) {
        enum status st = complete_write(w, &e, err);
        if (st == ERR_NOT_FOUND || (st == OK && w->write.event->seq >= before))
            continue;
        *out = &w->write;
        return st;
    }
    enum status st = walk_status(&w->walk, err);
    if (st != OK)
        return st;
    st = find_early(w, err);
    if (st != OK)
        return st;
    if (w->early_at == 0)
        return ERR_NOT_FOUND;
    show_early(w, --w->early_at, out);
    return OK;
}

static enum status seek_write(struct writes *w, uint64_t seq, struct error *err)
{
    w->sought = seq;
    w->at_sought = true;
    seek_early(w);
    walk_clear_error(&w->walk);
    walk_seek(&w->walk, seq);
    return walk_status(&w->walk, err);
}

/* ---- writes and marks ---- */

static enum status read_ahead(struct writes *w, bool forwards, struct error *err)
{
    struct gaps *g = &w->gaps;
    const struct hs_write *row;
    if (!g->write.there && !g->write.over) {
        enum status st = forwards ? next_write(w, &row, err) : previous_write(w, &row, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        g->write.there = st == OK;
        g->write.over = st != OK;
        if (st == OK) {
            g->write.write = *row;
            g->write.event = *row->event;
        }
    }
    if (!g->mark.there && !g->mark.over) {
        g->mark.there = forwards ? walk_next(&g->walk, &g->mark.event) : walk_previous(&g->walk, &g->mark.event);
        g->mark.over = !g->mark.there;
        g->mark.write = (struct hs_write){ .left_out = g->mark.event.value };
    }
    return g->mark.there ? OK : walk_status(&g->walk, err);
}

/* One step over writes and marks, in their common order. */
static enum status step(struct writes *w, bool forwards, const struct hs_write **out, struct error *err)
{
    struct gaps *g = &w->gaps;
    int direction = forwards ? 1 : -1;
    if (g->direction != direction) {
        enum status st = seek_write(w, g->at, err);
        if (st != OK)
            return st;
        walk_clear_error(&g->walk);
        walk_seek(&g->walk, g->at);
        g->mark = g->write = (struct ahead){ 0 };
        g->direction = direction;
    }
    enum status st = read_ahead(w, forwards, err);
    if (st != OK)
        return st;
    if (!g->mark.there && !g->write.there)
        return ERR_NOT_FOUND;
    bool mark_first = (g->mark.event.seq < g->write.event.seq) == forwards;
    struct ahead *a = g->mark.there && (!g->write.there || mark_first) ? &g->mark : &g->write;
    w->event = a->event;
    w->write = a->write;
    w->write.event = &w->event;
    *out = &w->write;
    a->there = false;
    g->at = w->event.seq + forwards;
    return OK;
}

enum status writes_next(struct writes *w, const struct hs_write **out, struct error *err)
{
    return w->gaps.marks.count > 0 ? step(w, true, out, err) : next_write(w, out, err);
}

enum status writes_previous(struct writes *w, const struct hs_write **out, struct error *err)
{
    return w->gaps.marks.count > 0 ? step(w, false, out, err) : previous_write(w, out, err);
}

enum status writes_seek(struct writes *w, uint64_t seq, struct error *err)
{
    w->gaps.direction = 0;
    w->gaps.at = seq;
    return seek_write(w, seq, err);
}

/* ---- the last write ---- */

/* A class initialization around an event: the position of its entry, and that of the event in the calling frame that
 * caused it. */
struct initialization {
    uint64_t entry, cause;
};
typedef VEC(struct initialization) initialization_vec;

/* The class initializations that are open at a position, the outermost first. */
static enum status find_initializations(hs_trace *t, struct event_position at, initialization_vec *out,
                                        struct error *err)
{
    const struct replay *state;
    enum status st = frames_at(t, at, &state, err);
    if (st != OK)
        return st;
    for (size_t i = 1; i < state->stack.count; i++) {
        const struct call_frame *f = &state->stack.items[i];
        const struct hs_method *m = hs_method_get(t, f->method);
        if (m == NULL || strcmp(m->name, "<clinit>") != 0 || f->entry == NO_POSITION)
            continue;
        struct initialization *to = vec_push(out);
        if (to == NULL)
            return state_memory(t, err);
        *to = (struct initialization){ f->entry, f[-1].last };
    }
    return OK;
}

/* Did the call with its entry at this position return before event `seq`? */
static enum status returned_before(hs_trace *t, uint32_t stream, uint64_t entry, uint64_t seq, bool *out,
                                   struct error *err)
{
    struct call_end end = { .entry = entry };
    struct hs_event e;
    *out = false;
    enum status st = call_ends_find(t, stream, entry + 1, t->streams[stream].events, &end, 1, err);
    if (st != OK || end.exit == CALL_OPEN || end.exit == CALL_UNKNOWN)
        return st;
    st = positions_event(t, (struct event_position){ stream, end.exit }, &e, err);
    if (st != OK)
        return st;
    st = positions_number(t, &e, err);
    if (st != OK)
        return st;
    *out = e.seq < seq;
    return OK;
}

static bool is_own(const struct writes *w, uint32_t dataid)
{
    for (size_t i = 0; i < w->location.ids.count; i++)
        if (w->location.ids.items[i] == dataid)
            return true;
    return false;
}

/* If the initialization was caused by a putstatic of the location and was over before `seq`, that putstatic is the
 * write (*found). */
static enum status find_causing_put(struct writes *w, uint32_t stream, const struct initialization *open, uint64_t seq,
                                    struct hs_write *write, bool *found, struct error *err)
{
    hs_trace *t = w->trace;
    struct hs_event put;
    struct heap_access a;
    bool over;
    *found = false;
    enum status st = positions_event(t, (struct event_position){ stream, open->cause }, &put, err);
    if (st != OK)
        return st;
    if (event_type(t, put.dataid) != EVENT_PUT_STATIC_FIELD || !is_own(w, put.dataid))
        return OK;
    st = returned_before(t, stream, open->entry, seq, &over, err);
    if (st != OK || !over)
        return st;
    st = access_at(t, &put, &a, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    *write = make_write(w, &a.value, 0);
    *found = true;
    return OK;
}

/* A putstatic can initialize the class. The writes of the initializer are recorded after the putstatic's event, but
 * happen before its write. So the last write is the outermost putstatic whose initialization was over. */
static enum status settle_static(struct writes *w, uint64_t seq, struct hs_write *write, struct error *err)
{
    initialization_vec open = { 0 };
    uint32_t stream = positions_stream(w->trace, write->event->thread);
    struct event_position at = { stream, write->event->position };
    bool found = false;
    enum status st = find_initializations(w->trace, at, &open, err);
    for (size_t i = 0; st == OK && !found && i < open.count; i++)
        st = find_causing_put(w, stream, &open.items[i], seq, write, &found, err);
    vec_free(&open);
    return st;
}

enum status writes_last(struct writes *w, uint64_t seq, struct hs_write *out, struct error *err)
{
    const struct hs_write *found = NULL;
    struct left_out missing;
    enum status st = left_out_before(w->trace, &w->gaps.marks, seq, &missing, err);
    if (st != OK)
        return st;
    st = writes_seek(w, seq, err);
    if (st != OK)
        return st;
    st = previous_write(w, &found, err);
    if (missing.until > 0 && (st == ERR_NOT_FOUND || (st == OK && found->event->seq < missing.until))) {
        w->event = missing.mark;
        *out = (struct hs_write){ .event = &w->event, .left_out = missing.mark.value };
        return OK;
    }
    if (st != OK)
        return st;
    *out = *found;
    if (w->location.kind != LOCATION_FIELD || event_type(w->trace, out->event->dataid) != EVENT_PUT_STATIC_FIELD)
        return OK;
    return settle_static(w, seq, out, err);
}

static enum status find_last(hs_trace *t, struct location *l, uint64_t seq, struct hs_event *out, struct error *err)
{
    struct writes *w;
    struct hs_write write;
    enum status st = writes_open(t, l, &w, err);
    if (st != OK)
        return st;
    st = writes_last(w, seq, &write, err);
    if (st == OK)
        *out = *write.event;
    writes_close(w);
    return st;
}

enum status last_field_write(hs_trace *t, uint32_t object, struct field f, uint64_t seq, struct hs_event *out,
                             struct error *err)
{
    struct location l;
    enum status st = location_of_field(t, object, f, &l, err);
    return st == OK ? find_last(t, &l, seq, out, err) : st;
}

enum status last_element_write(hs_trace *t, uint32_t array, uint64_t index, uint64_t seq, struct hs_event *out,
                               struct error *err)
{
    struct location l;
    enum status st = location_of_element(t, array, index, &l, err);
    return st == OK ? find_last(t, &l, seq, out, err) : st;
}
