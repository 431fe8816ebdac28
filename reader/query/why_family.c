/* why_family.c - the objects that a value can have passed through in code that is not woven: see why_search.h. */
#include "reader/query/why_search.h"

#include <string.h>

enum { CALLS_SEEN = 64 };

bool search_goes_on(struct why *w, bool far)
{
    uint32_t cost = far ? 40 : 1;
    if (w->search.left < cost) {
        w->search.left = 0;
        w->search.met = true;
        return false;
    }
    w->search.left -= cost;
    return true;
}

bool family_has(const struct family *f, uint32_t object)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->ids[i] == object)
            return object != 0;
    return false;
}

void family_add(struct why *w, struct family *f, uint32_t object)
{
    if (object == 0 || family_has(f, object) || is_value_object(w->trace, object))
        return;
    if (f->count < FAMILY_MAX)
        f->ids[f->count++] = object;
    else
        w->search.met = true;
}

void family_add_call(struct why *w, struct family *f, const struct outside_call *c)
{
    family_add(w, f, outside_call_object(c));
    for (size_t i = 0; i < c->argument_count; i++)
        family_add(w, f, object_of(&c->arguments[i]));
}

enum status first_event_of(struct why *w, uint32_t object, struct hs_event *out, struct error *err)
{
    struct walk walk;
    if (!search_goes_on(w, true))
        return ERR_NOT_FOUND;
    walk_open_object(&walk, w->trace, object);
    bool found = walk_next(&walk, out) && out->seq < w->now.seq;
    enum status st = walk_close(&walk, err);
    if (st != OK)
        return st;
    return found ? OK : ERR_NOT_FOUND;
}

enum status first_result_of(struct why *w, uint32_t object, struct hs_event *out, struct outside_call *call,
                            struct error *err)
{
    enum status st = first_event_of(w, object, out, err);
    if (st != OK)
        return st;
    if (event_type(w->trace, out->dataid) != EVENT_CALL_RETURN)
        return ERR_NOT_FOUND;
    return outside_call_of(w->trace, out, call, err);
}

/* Adds what the object came from, by the event that shows it first. */
static enum status add_origin(struct why *w, struct family *f, uint32_t object, struct error *err)
{
    struct hs_event first, entry;
    struct outside_call call;
    enum status st = first_event_of(w, object, &first, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    unsigned event = event_type(w->trace, first.dataid);
    if (event == EVENT_INVOKE_DYNAMIC_RESULT) {
        event_vec captured = { 0 };
        st = dynamic_parameters(w->trace, &first, &captured, err);
        for (size_t i = captured.count; i-- > 0;)
            family_add(w, f, object_of(&captured.items[i]));
        vec_free(&captured);
        return st;
    }
    if (event == EVENT_CALL_RETURN || event == EVENT_NEW_OBJECT_CREATED)
        st = outside_call_of(w->trace, &first, &call, err);
    else if (event == EVENT_METHOD_ENTRY || event == EVENT_METHOD_PARAM)
        st = outside_call_around(w->trace, &first, &call, &entry, err);
    else
        return OK;
    if (st == OK)
        family_add_call(w, f, &call);
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status family_explore(struct why *w, struct family *f, struct error *err)
{
    for (; f->explored < f->count; f->explored++) {
        enum status st = add_origin(w, f, f->ids[f->explored], err);
        if (st != OK)
            return st;
    }
    return OK;
}

enum status family_add_given(struct why *w, struct family *f, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL };
    for (size_t i = f->count; i-- > 0;) {
        struct walk walk;
        struct hs_event e;
        struct outside_call call;
        enum status st = OK;
        if (!search_goes_on(w, true))
            return OK;
        walk_open_types(&walk, w->trace, types, 1, f->ids[i], w->now.seq);
        walk_seek(&walk, w->now.seq);
        for (size_t k = 0; search_goes_on(w, false) && walk_previous(&walk, &e); k++) {
            if (k == CALLS_SEEN) {
                w->search.met = true;
                break;
            }
            st = outside_call_at(w->trace, &e, &call, err);
            if (st == OK)
                family_add_call(w, f, &call);
            if (st != OK && st != ERR_NOT_FOUND)
                break;
        }
        st = walk_end(&walk, st == ERR_NOT_FOUND ? OK : st, err);
        if (st != OK)
            return st;
    }
    return OK;
}
