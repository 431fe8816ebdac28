/* history.c - every write of one place: a field, an array element, a local variable, or all events of a data ID.
 *
 * A write of an instance field or element is several events of one instruction; the cursor walks over the first one, which
 * names the object, and the history shows the last one, which has the value. */
#include "reader/bytecode.h"
#include "reader/index.h"
#include "reader/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum what { WHAT_DATAID, WHAT_FIELD, WHAT_OBJECT_FIELD, WHAT_ELEMENT, WHAT_LOCAL };

struct hs_history {
    hs_trace *trace;
    enum what what;
    uint32_t object;
    char *field;          /* OBJECT_FIELD */
    uint64_t index;
    uint32_t place;       /* OBJECT_FIELD, ELEMENT: for the index */
    hs_cursor *cursor;
    event_vec early;      /* puts before initialization on the object; they come before all others, and are found when needed */
    bool early_known;
    size_t early_at;
    uint64_t begun;       /* seq that was sought last */
    struct hs_write write;
};

/* ---- parsing ---- */

/* A copy of text[0, n) with NUL. */
static char *part(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (copy != NULL) {
        memcpy(copy, text, n);
        copy[n] = '\0';
    }
    return copy;
}

static bool number(const char *text, size_t n, uint64_t *out)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || v > (UINT64_MAX - 9) / 10)
            return false;
        v = v * 10 + (unsigned)(text[i] - '0');
    }
    *out = v;
    return n > 0;
}

static bool add(u32_vec *ids, uint32_t id)
{
    uint32_t *to = vec_push(ids);
    if (to != NULL)
        *to = id;
    return to != NULL;
}

/* As filters match, and a nested class by its own name as well: Account for a.Bank$Account. */
static bool class_matches(const char *glob, const char *name)
{
    const char *nested = strrchr(name, '$');
    return hs_class_matches(glob, name) || (nested != NULL && hs_class_matches(glob, nested + 1));
}

typedef VEC(const char *) name_vec;

static bool has(const name_vec *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

static bool add_name(name_vec *names, const char *name)
{
    const char **to = has(names, name) ? &name : vec_push(names);
    if (to != NULL)
        *to = name;
    return to != NULL;
}

/* The classes that declare the field when it is named by a class of `class_glob`: one of them, or one that inherits it. Instructions
 * tell most; a class that none names is resolved. */
static bool declaring_classes(hs_trace *t, const char *class_glob, const char *name, name_vec *out)
{
    static const unsigned events[] = { EVENT_PUT_INSTANCE_FIELD, EVENT_PUT_STATIC_FIELD, EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION,
                                       EVENT_GET_INSTANCE_FIELD, EVENT_GET_STATIC_FIELD };
    for (size_t e = 0; e < sizeof events / sizeof *events; e++) {
        size_t count;
        const struct site *sites = sites_named(t, events[e], name, &count);
        for (size_t i = 0; i < count; i++) {
            const struct hs_dataid *d = hs_dataid_get(t, sites[i].dataid);
            const char *owner = d != NULL ? facts_text(d, "owner") : NULL, *declaring = sites_field(t, sites[i].dataid).declaring;
            if (((owner != NULL && class_matches(class_glob, owner)) || class_matches(class_glob, declaring)) && !add_name(out, declaring))
                return false;
        }
    }
    for (size_t i = 0; out->count == 0 && i < hs_class_count(t); i++) {
        const struct hs_class *c = hs_class_at(t, i);
        if (class_matches(class_glob, c->name) && !add_name(out, field_declaring(t, c->name, name, c->loader_id)))
            return false;
    }
    return true;
}

/* Data IDs of an event type that name this field, by whatever class; `declaring` NULL: of any class. */
static bool add_fields(hs_trace *t, unsigned event, const name_vec *declaring, const char *name, u32_vec *ids)
{
    size_t count;
    const struct site *sites = sites_named(t, event, name, &count);
    for (size_t i = 0; i < count; i++)
        if ((declaring == NULL || has(declaring, sites_field(t, sites[i].dataid).declaring)) && !add(ids, sites[i].dataid))
            return false;
    return true;
}

static bool add_locals(hs_trace *t, unsigned event, const char *class_glob, const char *method_glob, const char *name, u32_vec *ids)
{
    uint64_t slot = UINT64_MAX;
    size_t count;
    bool by_slot = name[0] == '#' && number(name + 1, strlen(name + 1), &slot);
    const site_vec *all = sites_of(t, event);
    const struct site *sites = by_slot ? all->items : sites_named(t, event, name, &count);
    if (by_slot)
        count = all->count;
    for (size_t i = 0; i < count; i++) {
        const struct hs_method *m = hs_method_get(t, sites[i].method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        if (c != NULL && class_matches(class_glob, c->name) && hs_method_matches(method_glob, m->name, m->desc) &&
            (!by_slot || facts_get(t, sites[i].dataid)->slot == slot) && !add(ids, sites[i].dataid))
            return false;
    }
    return true;
}

static bool find_local(hs_trace *t, const char *place, size_t n, const char *name, u32_vec *ids)
{
    size_t end = 0, dot = 0;
    while (end < n && place[end] != '(')
        end++;
    for (size_t i = 0; i < end; i++)
        if (place[i] == '.')
            dot = i;
    char *class_glob = part(place, dot), *method = dot + 1 < n ? part(place + dot + 1, n - dot - 1) : NULL;
    bool ok = dot == 0 || method == NULL || class_glob == NULL ||
              (add_locals(t, EVENT_METHOD_PARAM, class_glob, method, name, ids) &&
               add_locals(t, EVENT_LOCAL_STORE, class_glob, method, name, ids) &&
               add_locals(t, EVENT_LOCAL_INCREMENT, class_glob, method, name, ids));
    free(class_glob);
    free(method);
    return ok;
}

/* Fills in what is meant and the data IDs of the events to walk over. */
static enum status parse(hs_history *h, const char *what, u32_vec *ids, struct error *err)
{
    hs_trace *t = h->trace;
    const char *dot = strrchr(what, '.'), *colon = strrchr(what, ':'), *bracket = strchr(what, '[');
    size_t n = strlen(what);
    uint64_t id = 0;
    bool ok = true;
    if (number(what, n, &id)) {
        h->what = WHAT_DATAID;
        if (id >= t->kind_count)
            return error_set(err, ERR_NOT_FOUND, "%s: there is no data ID %s, the last one is %u", t->dir, what,
                             t->kind_count == 0 ? 0 : t->kind_count - 1);
        ok = add(ids, (uint32_t)id);
    } else if (bracket != NULL && number(what, (size_t)(bracket - what), &id) && what[n - 1] == ']' &&
               number(bracket + 1, n - 2 - (size_t)(bracket - what), &h->index) && id <= UINT32_MAX && id != 0) {
        const site_vec *sites = sites_of(t, EVENT_ARRAY_STORE);
        h->what = WHAT_ELEMENT;
        h->object = (uint32_t)id;
        h->place = index_place(h->object, index_element(h->index));
        for (size_t i = 0; ok && i < sites->count; i++)
            ok = add(ids, sites->items[i].dataid);
    } else if (colon != NULL) {
        h->what = WHAT_LOCAL;
        ok = find_local(t, what, (size_t)(colon - what), colon + 1, ids);
    } else if (dot != NULL && number(what, (size_t)(dot - what), &id) && id <= UINT32_MAX && id != 0) {
        h->what = WHAT_OBJECT_FIELD;
        h->object = (uint32_t)id;
        h->place = index_place(h->object, index_field((struct text){ dot + 1, strlen(dot + 1) }));
        ok = add_fields(t, EVENT_PUT_INSTANCE_FIELD, NULL, dot + 1, ids);
    } else if (dot != NULL && dot != what && dot[1] != '\0') {
        char *class_glob = part(what, (size_t)(dot - what));
        h->what = WHAT_FIELD;
        name_vec declaring = { 0 };
        ok = class_glob != NULL && declaring_classes(t, class_glob, dot + 1, &declaring) &&
             add_fields(t, EVENT_PUT_INSTANCE_FIELD, &declaring, dot + 1, ids) &&
             add_fields(t, EVENT_PUT_STATIC_FIELD, &declaring, dot + 1, ids) &&
             add_fields(t, EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, &declaring, dot + 1, ids);
        vec_free(&declaring);
        free(class_glob);
    } else {
        return error_set(err, ERR_USAGE, "'%s' is not Class.field, ID.field, ID[index], Class.method:local or a data ID", what);
    }
    if (!ok)
        return state_memory(t, err);
    return OK;
}

/* Puts before initialization, once the walk comes to them. */
static enum status find_early(hs_history *h, struct error *err)
{
    if (h->early_known || h->what != WHAT_OBJECT_FIELD)
        return OK;
    enum status st = early_puts(h->trace, h->object, h->field, &h->early, err);
    while (st == OK && h->early_at < h->early.count && h->early.items[h->early_at].seq < h->begun)
        h->early_at++;
    h->early_known = st == OK;
    return st;
}

int hs_history_open(hs_trace *t, const char *what, hs_history **out, struct hs_error *error)
{
    struct error err = { 0 };
    struct hs_filter filter = HS_FILTER_ALL;
    u32_vec ids = { 0 };
    hs_history *h = calloc(1, sizeof *h);
    if (h == NULL) {
        (void)state_memory(t, &err);
        return give(error, &err);
    }
    h->trace = t;
    index_wish(t);
    enum status st = parse(h, what, &ids, &err);
    if (st == OK && h->what == WHAT_OBJECT_FIELD && (h->field = part(strrchr(what, '.') + 1, strlen(strrchr(what, '.') + 1))) == NULL)
        st = state_memory(t, &err);
    if (st == OK && ids.count == 0)
        st = find_early(h, &err);
    if (st == OK && ids.count == 0 && h->early.count == 0)
        st = error_set(&err, ERR_NOT_FOUND, "%s: no woven code writes %s", t->dir, what);
    if (st == OK) {
        struct hs_error why;
        filter.object = h->object;
        if (cursor_open_ids(t, &filter, ids.items != NULL ? ids.items : (uint32_t[]){ 0 }, ids.count, h->place, &h->cursor,
                            &why) != 0)
            st = state_take(&why, &err);
    }
    vec_free(&ids);
    if (st != OK) {
        hs_history_close(h);
        return give(error, &err);
    }
    *out = h;
    return 0;
}

void hs_history_close(hs_history *h)
{
    if (h == NULL)
        return;
    hs_cursor_close(h->cursor);
    vec_free(&h->early);
    free(h->field);
    free(h);
}

/* ---- walking ---- */

static enum status beside(hs_history *h, const struct hs_event *e, uint64_t steps, struct hs_event *out, struct error *err)
{
    return places_event(h->trace, (struct place){ places_stream(h->trace, e->thread), e->position + steps }, out, err);
}

/* The write that the walked event begins; ERR_NOT_FOUND if it is none (another element; the chunk ends there). */
static enum status complete(hs_history *h, const struct hs_event *e, struct error *err)
{
    struct hs_write *w = &h->write;
    struct hs_event index;
    const struct hs_dataid *d = hs_dataid_get(h->trace, e->dataid);
    *w = (struct hs_write){ .event = *e };
    enum status st = OK;
    if (h->what == WHAT_DATAID || h->what == WHAT_LOCAL || d == NULL || d->event == EVENT_PUT_STATIC_FIELD)
        return OK;
    if (d->event == EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION)
        return early_put_object(h->trace, e, &w->object, err);
    w->object = e->value;
    if (h->what == WHAT_ELEMENT) {
        if ((st = beside(h, e, 1, &index, err)) != OK || index.value != h->index)
            return st != OK ? st : ERR_NOT_FOUND;
        w->has_index = true;
        w->index = h->index;
        st = beside(h, e, 2, &w->event, err);
    } else {
        st = beside(h, e, 1, &w->event, err);
    }
    return st == OK ? places_number(h->trace, &w->event, err) : st;
}

static int step(hs_history *h, bool forward, const struct hs_write **write, struct hs_error *error)
{
    struct error err = { 0 };
    const struct hs_event *e;
    for (;;) {
        if (forward && find_early(h, &err) != OK)
            return give(error, &err);
        if (forward && h->early_at < h->early.count) {
            h->write = (struct hs_write){ .event = h->early.items[h->early_at++], .object = h->object };
            break;
        }
        int more = forward ? hs_cursor_next(h->cursor, &e, error) : hs_cursor_previous(h->cursor, &e, error);
        if (more < 0)
            return -1;
        if (more == 0) {
            if (!forward && find_early(h, &err) != OK)
                return give(error, &err);
            if (forward || h->early_at == 0)
                return 0;
            h->write = (struct hs_write){ .event = h->early.items[--h->early_at], .object = h->object };
            break;
        }
        enum status st = complete(h, e, &err);
        if (st == OK)
            break;
        if (st != ERR_NOT_FOUND)
            return give(error, &err);
    }
    *write = &h->write;
    return 1;
}

int hs_history_next(hs_history *h, const struct hs_write **write, struct hs_error *error) { return step(h, true, write, error); }

int hs_history_previous(hs_history *h, const struct hs_write **write, struct hs_error *error)
{
    return step(h, false, write, error);
}

int hs_history_seek(hs_history *h, uint64_t seq, struct hs_error *error)
{
    h->begun = seq;
    h->early_at = 0;
    while (h->early_at < h->early.count && h->early.items[h->early_at].seq < seq)
        h->early_at++;
    return hs_cursor_seek(h->cursor, seq, error);
}

int hs_last_write(hs_trace *trace, const char *what, uint64_t seq, struct hs_write *write, struct hs_error *error)
{
    hs_history *h;
    const struct hs_write *w;
    if (hs_history_open(trace, what, &h, error) != 0)
        return -1;
    int more = hs_history_seek(h, seq, error);
    if (more == 0)
        do
            more = hs_history_previous(h, &w, error);
        while (more > 0 && w->event.seq >= seq);
    if (more > 0)
        *write = *w;
    hs_history_close(h);
    return more;
}
