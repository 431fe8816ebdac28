/* why_entries.c - which entry of a collection was read, of an object that was given to it more than once.
 *
 *     list.add(x) at 10   list.add(x) at 20   list.get(0)       the entry of 10
 *
 * The contents of the collection right before the read (contents.h) show it: the entry at the place that was read, or
 * the only one with the object. */
#include "reader/query/contents.h"
#include "reader/query/why_search.h"

#include <string.h>

/* Of one question, and of one collection: each takes some milliseconds at most. */
enum { REPLAYS_MAX = 32, CALLS_MAX = 2000 };

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* The place that a call on the collection itself reads; false: it is not known. */
static bool place_read(const struct contents *c, const struct outside_call *own, uint64_t *place)
{
    static const char *const firsts[] = { "getFirst", "firstElement", "element", "peekFirst", NULL };
    static const char *const lasts[] = { "getLast", "lastElement", "peekLast", NULL };
    const char *name = outside_call_name(own);
    const bool stack = (c->class->shapes & SHAPE_STACK) != 0, peeks = strcmp(name, "peek") == 0;
    uint64_t last = contents_count(c) - 1; /* there is one at least */
    switch ((int)contents_method(c->class->shapes, name, why_text(own->site, "desc"))) {
    case DO_GET_AT:
    case DO_REMOVE_AT:
        *place = own->argument_count == 1 ? own->arguments[0].value : UINT64_MAX;
        return own->argument_count == 1 && own->arguments[0].kind == HS_KIND_INT;
    case DO_REMOVE_FIRST: *place = 0; return true;
    case DO_REMOVE_LAST: *place = last; return true;
    case DO_READ:
        *place = is_one_of(name, lasts) || (peeks && stack) ? last : 0;
        return is_one_of(name, firsts) || is_one_of(name, lasts) || peeks;
    default: return false;
    }
}

/* The place that next() of an iterator reads: as many calls of it came before. ERR_NOT_FOUND: it is none of the
 * collection from its begin on, or did something else, too. */
static enum status place_of_next(struct why *w, const struct outside_call *own, uint32_t collection, uint64_t *place,
                                 struct error *err)
{
    static const unsigned types[] = { EVENT_CALL };
    struct outside_call made;
    struct walk walk;
    struct hs_event e;
    bool straight = strcmp(outside_call_name(own), "next") == 0;
    enum status st = first_result_of(w, object_of(&own->call), &e, &made, err);
    if (st != OK)
        return st;
    if (object_of(&made.call) != collection || made.argument_count > 0 ||
        (strcmp(outside_call_name(&made), "iterator") != 0 && strcmp(outside_call_name(&made), "listIterator") != 0))
        return ERR_NOT_FOUND;
    *place = 0;
    walk_open_types(&walk, w->trace, types, 1, object_of(&own->call), own->call.seq);
    while (straight && search_goes_on(w, false) && walk_next(&walk, &e) && e.seq < own->call.seq) {
        const struct hs_dataid *d = hs_dataid_get(w->trace, e.dataid);
        bool next = d != NULL && strcmp(why_text(d, "name"), "next") == 0;
        straight = next || (d != NULL && strcmp(why_text(d, "name"), "hasNext") == 0);
        *place += next;
    }
    st = walk_close(&walk, err);
    return st != OK ? st : straight && !w->search.met ? OK : ERR_NOT_FOUND;
}

/* The entry that was read. NULL: it is not known. */
static const struct held *entry_read(const struct why *w, const struct contents *c, const struct outside_call *own,
                                     bool placed, uint64_t place)
{
    const struct held *found = NULL;
    size_t count = contents_count(c), same = 0;
    if (!c->known || count == 0)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const struct held *h = &c->items.items[c->first + i];
        if (h->value.kind != w->now.kind || h->value.bits != w->now.value)
            continue;
        same++;
        found = h;
    }
    if (same < 2)
        return found;
    if (!contents_ordered(c) || !(placed || place_read(c, own, &place)) || place >= count)
        return NULL;
    found = &c->items.items[c->first + place];
    return found->value.kind == w->now.kind && found->value.bits == w->now.value ? found : NULL;
}

/* The call that ended at the seq, if it was given the object. */
static enum status given_at(struct why *w, uint64_t seq, struct given *out, struct error *err)
{
    struct hs_event e;
    enum status st = event_at(w->trace, seq, &e, err);
    if (st != OK)
        return st;
    st = event_type(w->trace, e.dataid) == EVENT_CALL ? outside_call_at(w->trace, &e, &out->call, err)
                                                      : outside_call_of(w->trace, &e, &out->call, err);
    for (size_t i = 0; st == OK && !out->found && i < out->call.argument_count; i++) {
        out->event = out->call.arguments[i];
        out->found = is_same_value(w, &out->event);
    }
    if (st == OK && out->found)
        st = why_number(w, &out->event, err);
    out->through_call = out->entry = true;
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status find_given_entry(struct why *w, const struct outside_call *own, const struct given *last, struct given *out,
                             struct error *err)
{
    const uint32_t collection = outside_call_object(&last->call);
    const struct contents_class *class = contents_class_of(w->trace, collection);
    struct hs_event call = own->call;
    struct contents c;
    struct contents_effort effort;
    uint64_t place = 0;
    bool placed = false;
    *out = (struct given){ 0 };
    if (class == NULL || has_woven_class(w->trace, class->type) || !search_goes_on(w, true))
        return OK;
    w->search.met |= w->search.replays == REPLAYS_MAX;
    if (w->search.replays == REPLAYS_MAX)
        return OK;
    enum status st = why_number(w, &call, err);
    if (st == OK && object_of(&call) != collection) {
        struct outside_call read = *own;
        read.call = call;
        st = place_of_next(w, &read, collection, &place, err);
        placed = st == OK;
    }
    if (st != OK || call.seq == 0)
        return st == ERR_NOT_FOUND ? OK : st;
    w->search.replays++;
    st = contents_replay(w->trace, collection, call.seq - 1, CALLS_MAX, &effort, &c, err);
    const struct held *entry = st == OK ? entry_read(w, &c, own, placed, place) : NULL;
    uint64_t seq = entry != NULL ? entry->seq : HS_NO_SEQ;
    w->search.met |= st == OK && entry == NULL && effort.limit != NULL;
    contents_done(&c);
    return st == OK && seq != HS_NO_SEQ && seq < w->now.seq ? given_at(w, seq, out, err) : st;
}
