/* writes.c - see writes.h. */
#include "reader/query/writes.h"
#include "reader/query/access.h"
#include "reader/query/creation.h"

#include <stdlib.h>
#include <string.h>

struct writes {
    hs_trace *trace;
    struct location location;
    hs_cursor *cursor;
    event_vec early; /* OBJECT_FIELD, ELEMENT: written before any event could show the object; found when needed */
    bool early_known;
    size_t early_at;
    uint64_t begun; /* seq that was sought last */
    bool fresh;     /* no step was made since */
    struct hs_write write;
};

enum status writes_open(hs_trace *t, struct location *l, struct writes **out, struct error *err)
{
    struct writes *w = calloc(1, sizeof *w);
    uint32_t location = 0;
    if (w == NULL) {
        location_done(l);
        return state_memory(t, err);
    }
    w->trace = t;
    w->location = *l;
    *l = (struct location){ 0 };
    if (w->location.kind == LOCATION_ELEMENT)
        location = location_key(w->location.object, location_part_of_element(w->location.index));
    else if (w->location.kind == LOCATION_OBJECT_FIELD && w->location.fields.count > 0) {
        const char *name = w->location.fields.items[0].name;
        location = location_key(w->location.object, location_part_of_field((struct text){ name, strlen(name) }));
    }
    enum status st = walk_ids(t, &w->location.ids, w->location.object, location, UINT64_MAX, &w->cursor, err);
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
    hs_cursor_close(w->cursor);
    location_done(&w->location);
    vec_free(&w->early);
    free(w);
}

uint32_t writes_object(const struct writes *w) { return w->location.object; }

/* The write that an event is the value of. */
static struct hs_write write_of(struct writes *w, const struct hs_event *value, uint64_t object)
{
    const struct location *l = &w->location;
    struct hs_write write = {
        .event = *value, .object = object, .has_index = l->kind == LOCATION_ELEMENT, .index = l->index
    };
    if (l->kind == LOCATION_FIELD || l->kind == LOCATION_OBJECT_FIELD) {
        struct field f = sites_field(w->trace, value->dataid);
        write.declaring = f.declaring;
        write.field = f.name;
    }
    return write;
}

/* ---- what came before all events of the object ---- */

static void keep_own(struct writes *w)
{
    const struct location *l = &w->location;
    size_t kept = 0;
    for (size_t i = 0; i < w->early.count; i++) {
        struct field f =
            l->kind == LOCATION_OBJECT_FIELD ? sites_field(w->trace, w->early.items[i].dataid) : (struct field){ 0 };
        bool own = l->kind == LOCATION_ELEMENT && i == l->index;
        for (size_t k = 0; l->kind == LOCATION_OBJECT_FIELD && k < l->fields.count && !own; k++)
            own = field_same(l->fields.items[k], f);
        if (own)
            w->early.items[kept++] = w->early.items[i];
    }
    w->early.count = kept;
}

static void seek_early(struct writes *w)
{
    w->early_at = 0;
    while (w->early_at < w->early.count && w->early.items[w->early_at].seq < w->begun)
        w->early_at++;
}

/* Once the walk comes to them. */
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
    keep_own(w);
    seek_early(w);
    w->early_known = true;
    return OK;
}

static void give_early(struct writes *w, size_t at) { w->write = write_of(w, &w->early.items[at], w->location.object); }

/* ---- walking ---- */

/* The write that the walked event begins; ERR_NOT_FOUND if it is none of the location. */
static enum status complete(struct writes *w, const struct hs_event *e, struct error *err)
{
    const struct location *l = &w->location;
    struct heap_access a;
    if (l->kind == LOCATION_DATAID || l->kind == LOCATION_LOCAL) {
        w->write = write_of(w, e, 0);
        return OK;
    }
    enum status st = access_at(w->trace, e, &a, err);
    if (st == OK &&
        ((l->kind == LOCATION_ELEMENT && a.index != l->index) || !location_has(w->trace, l, e->dataid, a.object)))
        st = ERR_NOT_FOUND;
    if (st == OK)
        w->write = write_of(w, &a.value, a.object);
    return st;
}

/* The events of a write stand beside each other, so that a walk finds it a few events before the one it is shown by. */
enum { WRITE_EVENTS = 3 };

enum status writes_next(struct writes *w, const struct hs_write **out, struct error *err)
{
    struct hs_event e;
    bool fresh = w->fresh;
    enum status st = find_early(w, err);
    if (st == OK && w->early_at < w->early.count) {
        give_early(w, w->early_at++);
        *out = &w->write;
        return OK;
    }
    w->fresh = false;
    if (st == OK && fresh && w->begun > 0)
        st = walk_seek(w->cursor, w->begun > WRITE_EVENTS ? w->begun - WRITE_EVENTS : 0, err);
    while (st == OK && (st = walk_next(w->cursor, &e, err)) == OK) {
        st = complete(w, &e, err);
        if (st == OK && !(fresh && w->write.event.seq < w->begun))
            break;
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    *out = &w->write;
    return st;
}

enum status writes_previous(struct writes *w, const struct hs_write **out, struct error *err)
{
    struct hs_event e;
    enum status st;
    bool fresh = w->fresh;
    w->fresh = false;
    while ((st = walk_previous(w->cursor, &e, err)) == OK) {
        st = complete(w, &e, err);
        if (st != ERR_NOT_FOUND && !(st == OK && fresh && w->write.event.seq >= w->begun))
            break;
    }
    *out = &w->write;
    if (st != ERR_NOT_FOUND)
        return st;
    if ((st = find_early(w, err)) != OK)
        return st;
    if (w->early_at == 0)
        return ERR_NOT_FOUND;
    give_early(w, --w->early_at);
    return OK;
}

enum status writes_seek(struct writes *w, uint64_t seq, struct error *err)
{
    w->begun = seq;
    w->fresh = true;
    seek_early(w);
    return walk_seek(w->cursor, seq, err);
}

/* ---- the last one ---- */

/* A class initialization around an event: where it began, and the event of the frame below it that caused it. */
struct initialization {
    uint64_t entry, cause;
};

/* Those that are open at a position, the outermost first. */
static enum status initializations(hs_trace *t, struct event_position at, struct initialization *out, size_t max,
                                   size_t *count, struct error *err)
{
    const struct replay *state;
    enum status st = frames_at(t, at, &state, err);
    *count = 0;
    for (size_t i = 1; st == OK && i < state->stack.count && *count < max; i++) {
        const struct call_frame *f = &state->stack.items[i];
        const struct hs_method *m = hs_method_get(t, f->method);
        if (m != NULL && strcmp(m->name, "<clinit>") == 0 && f->entry != NO_POSITION)
            out[(*count)++] = (struct initialization){ f->entry, f[-1].last };
    }
    return st;
}

/* Has the call that was entered there been left before event `seq`? */
static enum status left_before(hs_trace *t, uint32_t stream, uint64_t entry, uint64_t seq, bool *out, struct error *err)
{
    struct call_end end = { .entry = entry };
    struct hs_event e;
    *out = false;
    enum status st = call_ends_find(t, stream, entry + 1, t->streams[stream].events, &end, 1, err);
    if (st != OK || end.exit == CALL_OPEN || end.exit == CALL_UNKNOWN)
        return st;
    st = positions_event(t, (struct event_position){ stream, end.exit }, &e, err);
    if (st == OK)
        st = positions_number(t, &e, err);
    *out = st == OK && e.seq < seq;
    return st;
}

static bool is_own(const struct writes *w, uint32_t dataid)
{
    for (size_t i = 0; i < w->location.ids.count; i++)
        if (w->location.ids.items[i] == dataid)
            return true;
    return false;
}

/* A putstatic can initialize the class: what that writes comes behind its event, but before the write. So the value is
 * that of the outermost putstatic whose initialization was over. */
static enum status settle_static(struct writes *w, uint64_t seq, struct hs_write *write, struct error *err)
{
    enum { MAX = 64 };
    struct initialization open[MAX];
    hs_trace *t = w->trace;
    uint32_t stream = positions_stream(t, write->event.thread);
    size_t count;
    enum status st =
        initializations(t, (struct event_position){ stream, write->event.position }, open, MAX, &count, err);
    for (size_t i = 0; st == OK && i < count; i++) {
        struct hs_event put;
        struct heap_access a;
        bool over;
        st = positions_event(t, (struct event_position){ stream, open[i].cause }, &put, err);
        if (st != OK || event_type(t, put.dataid) != EVENT_PUT_STATIC_FIELD || !is_own(w, put.dataid))
            continue;
        if ((st = left_before(t, stream, open[i].entry, seq, &over, err)) != OK || !over)
            continue;
        st = access_at(t, &put, &a, err);
        if (st == OK) {
            *write = write_of(w, &a.value, 0);
            return OK;
        }
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    return st;
}

enum status writes_last(struct writes *w, uint64_t seq, struct hs_write *out, struct error *err)
{
    const struct hs_write *found = NULL;
    enum status st = writes_seek(w, seq, err);
    if (st == OK)
        st = writes_previous(w, &found, err);
    if (st != OK)
        return st;
    *out = *found;
    return event_type(w->trace, out->event.dataid) == EVENT_PUT_STATIC_FIELD && w->location.kind == LOCATION_FIELD
               ? settle_static(w, seq, out, err)
               : OK;
}

static enum status last_of(hs_trace *t, struct location *l, uint64_t seq, struct hs_event *out, struct error *err)
{
    struct writes *w;
    struct hs_write write;
    enum status st = writes_open(t, l, &w, err);
    if (st != OK)
        return st;
    if ((st = writes_last(w, seq, &write, err)) == OK)
        *out = write.event;
    writes_close(w);
    return st;
}

enum status last_field_write(hs_trace *t, uint32_t object, struct field f, uint64_t seq, struct hs_event *out,
                             struct error *err)
{
    struct location l;
    enum status st = location_of_field(t, object, f, &l, err);
    return st == OK ? last_of(t, &l, seq, out, err) : st;
}

enum status last_element_write(hs_trace *t, uint32_t array, uint64_t index, uint64_t seq, struct hs_event *out,
                               struct error *err)
{
    struct location l;
    enum status st = location_of_element(t, array, index, &l, err);
    return st == OK ? last_of(t, &l, seq, out, err) : st;
}
