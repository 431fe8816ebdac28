/* why_computed.c - what code that is not woven computed a value from: all that it was given. See why_search.h.
 *
 *     sum = list.stream().mapToInt(f).sum()     the numbers in list, by list.add; what f returned
 *     s = String.format("%d-%s", n, name)       the format, n and name: elements of the array of arguments
 *     n = field.getInt(point)                   what was written to fields of point
 *
 * The choices stand in the order of how much they say: values before objects, what is in the objects before them,
 * constants of the class file last. */
#include "reader/query/handover.h"
#include "reader/query/why_search.h"

#include <stdio.h>
#include <string.h>

enum { GIVEN_MAX = 8, PIECES_MAX = 64, CALLS_SEEN = 256, ELEMENTS_MAX = 32, FIELDS_MAX = 8, CALLBACKS_MAX = 32 };

static bool is_reference(const struct why *w) { return w->now.kind == HS_KIND_REF; }
static bool is_string(struct why *w, uint32_t object)
{
    const struct hs_object *o = hs_object_get(w->trace, object);
    return o != NULL && o->has_string;
}
static bool is_value(struct why *w, const struct hs_event *e)
{
    return e->kind != HS_KIND_REF || (object_of(e) != 0 && is_immutable(w->trace, object_of(e)));
}
static bool is_of_woven_class(struct why *w, uint32_t object)
{
    char type[300];
    const struct hs_object *o = hs_object_get(w->trace, object);
    if (o == NULL || o->type == NULL)
        return false;
    (void)snprintf(type, sizeof type, "%s", o->type);
    return has_woven_class(w->trace, type);
}

/* ---- the call itself ---- */

enum status offer_receiver(struct why *w, const struct outside_call *c, struct error *err)
{
    struct hs_event receiver = c->call;
    if (object_of(&receiver) == 0)
        return OK;
    return why_offer(w, &receiver, HS_BY_COMPUTED, err, "receiver of %s.%s", outside_call_owner(c),
                     outside_call_name(c));
}

static enum status offer_some(struct why *w, const struct outside_call *c, bool values, struct error *err)
{
    for (size_t i = 0; i < c->argument_count; i++) {
        struct hs_event e = c->arguments[i];
        if (is_value(w, &e) != values)
            continue;
        const char *owner = outside_call_owner(c), *name = outside_call_name(c);
        enum status st = i == 0 && asks_by_key(w, c)
                             ? why_offer(w, &e, HS_BY_COMPUTED, err, "the key of %s.%s", owner, name)
                             : why_offer(w, &e, HS_BY_COMPUTED, err, "argument %zu of %s.%s", i + 1, owner, name);
        if (st != OK)
            return st;
    }
    return OK;
}

enum status offer_arguments(struct why *w, const struct outside_call *c, struct error *err)
{
    enum status st = offer_some(w, c, true, err);
    return st == OK ? offer_some(w, c, false, err) : st;
}

/* ---- woven code that it called ---- */

/* The position before which the callbacks of the call around are: that of the result, or of the entry. */
static enum status callbacks_end(struct why *w, uint64_t *at, struct error *err)
{
    const struct replay *state;
    *at = w->now.position;
    if (!event_has(w->site->event, USE_PARAMETER))
        return OK;
    enum status st = frames_at(w->trace, why_position(w, &w->now), &state, err);
    if (st != OK)
        return st;
    *at = replay_top(state) != NULL ? replay_top(state)->entry : NO_POSITION;
    return *at != NO_POSITION ? OK : ERR_NOT_FOUND;
}

/* Is it a method whose result orders or finds objects, or loads a class? */
static bool is_no_source(hs_trace *t, uint32_t dataid)
{
    static const char *const names[] = { "hashCode", "equals", "compare", "compareTo", "loadClass" };
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    for (size_t i = 0; m != NULL && i < sizeof names / sizeof *names; i++)
        if (strcmp(m->name, names[i]) == 0)
            return true;
    return false;
}

enum status find_callbacks(struct why *w, struct hs_event *out, size_t max, size_t *count, struct error *err)
{
    const struct replay *state;
    struct hs_event e;
    const uint32_t stream = positions_stream(w->trace, w->now.thread);
    uint64_t at, begin = gap_before(w->trace, w->now.stamp);
    enum status st = callbacks_end(w, &at, err);
    *count = 0;
    while (st == OK && *count < max && at > 0 && search_goes_on(w, false)) {
        st = positions_event(w->trace, (struct event_position){ stream, at - 1 }, &e, err);
        if (st != OK || e.stamp < begin)
            break;
        unsigned event = event_type(w->trace, e.dataid);
        if (effects_get(w->trace, e.dataid)->op != EFFECT_LEAVE) {
            if (event != EVENT_CALL && event != EVENT_CALL_PARAM) /* of another call, or of none that is known */
                *count = 0;
            break;
        }
        if (event == EVENT_METHOD_NORMAL_EXIT && e.kind != HS_KIND_VOID && !is_no_source(w->trace, e.dataid))
            out[(*count)++] = e;
        st = frames_at(w->trace, (struct event_position){ stream, at - 1 }, &state, err);
        if (st != OK || replay_top(state) == NULL || replay_top(state)->entry == NO_POSITION)
            break;
        at = replay_top(state)->entry;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

static enum status offer_callbacks(struct why *w, const struct outside_call *c, size_t *count, struct error *err)
{
    struct hs_event exits[CALLBACKS_MAX];
    enum status st = find_callbacks(w, exits, CALLBACKS_MAX, count, err);
    w->more_causes |= st == OK && *count == CALLBACKS_MAX;
    for (size_t i = 0; st == OK && i < *count; i++)
        st = why_offer(w, &exits[i], HS_BY_COMPUTED, err, "returned to %s.%s", outside_call_owner(c),
                       outside_call_name(c));
    return st;
}

/* ---- what objects were given ---- */

/* Offers what the object was given by the last `max` calls on it before w->now, newest first or oldest first; only
 * values, if `values`. Counts the calls before in w->more, if `counts`. */
struct giving {
    size_t max;
    bool oldest_first, values, counts;
};

static enum status offer_given_by(struct why *w, struct outside_call *c, bool values, struct error *err)
{
    for (size_t i = 0; i < c->argument_count; i++) {
        if (values && !is_value(w, &c->arguments[i]))
            continue;
        enum status st = why_offer(w, &c->arguments[i], HS_BY_COMPUTED, err, "given to %s.%s", outside_call_owner(c),
                                   outside_call_name(c));
        if (st != OK)
            return st;
    }
    return OK;
}

/* Counts the calls on the object that the walk has not come to, and that are not offered. */
static void count_more(struct why *w, struct walk *walk, struct hs_event *e, uint64_t before)
{
    w->more_before = before;
    for (; w->more < GIVEN_MORE_MAX && walk_previous(walk, e); w->more++)
        ;
}

static enum status offer_given(struct why *w, uint32_t object, struct giving g, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL };
    struct outside_call *calls = arena_array(w->arena, g.max + 1, sizeof *calls);
    struct walk walk;
    struct hs_event e;
    size_t count = 0, n = 0;
    uint64_t before = 0;
    enum status st = OK;
    if (calls == NULL)
        return state_memory(w->trace, err);
    if (!search_goes_on(w, true))
        return OK;
    walk_open_types(&walk, w->trace, types, 1, object, w->now.seq);
    walk_seek(&walk, w->now.seq);
    for (; st == OK && n < CALLS_SEEN && count < g.max; n++) {
        if (!search_goes_on(w, false) || !walk_previous(&walk, &e))
            break;
        before = e.seq;
        st = outside_call_at(w->trace, &e, &calls[count], err);
        if (st == OK && calls[count].argument_count > 0 && !only_looks(w->trace, &calls[count]))
            count++;
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    if (st == OK && g.counts)
        count_more(w, &walk, &e, before);
    else if (st == OK && (n == CALLS_SEEN || count == g.max))
        w->more_causes |= walk_previous(&walk, &e);
    st = walk_end(&walk, st, err);
    if (st != OK)
        return st;
    if (count < g.max && !is_immutable(w->trace, object)) { /* a value is a choice itself */
        st = maker_of(w, object, &calls[count], err);
        count += st == OK;
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    for (size_t i = 0; st == OK && i < count; i++)
        st = offer_given_by(w, &calls[g.oldest_first ? count - 1 - i : i], g.values, err);
    return st;
}

/* The values that were last written to an object before w->now by events of this type, `value_at` events before the
 * value: fields, or elements of an array. One of each place. */
static enum status offer_written(struct why *w, uint32_t object, unsigned type, size_t max, struct error *err)
{
    const bool element = type == EVENT_ARRAY_STORE;
    uint64_t places[ELEMENTS_MAX];
    struct walk walk;
    struct hs_event e, index, value;
    size_t count = 0, n = 0;
    enum status st = OK;
    if (!search_goes_on(w, true))
        return OK;
    walk_open_types(&walk, w->trace, &type, 1, object, w->now.seq);
    walk_seek(&walk, w->now.seq);
    for (; st == OK && n < CALLS_SEEN && count < max; n++) {
        if (!search_goes_on(w, false) || !walk_previous(&walk, &e))
            break;
        st = element ? event_beside(w->trace, &e, 1, &index, err) : OK;
        if (st == OK)
            st = event_beside(w->trace, &e, element ? 2 : 1, &value, err);
        if (st == ERR_NOT_FOUND) {
            st = OK;
            continue;
        }
        if (st != OK)
            break;
        const char *name = attribute_text(dataid_or_none(w->trace, e.dataid), "name");
        const uint64_t place =
            element ? index.value : site_hash(name != NULL ? name : "", name != NULL ? strlen(name) : 0);
        size_t seen = 0;
        while (seen < count && places[seen] != place)
            seen++;
        if (seen < count)
            continue;
        places[count++] = place;
        if (element)
            st = why_offer(w, &value, HS_BY_COMPUTED, err, "element %lld of array %u", (long long)place, object);
        else
            st = why_offer(w, &value, HS_BY_COMPUTED, err, "field %s of object %u", name != NULL ? name : "?", object);
    }
    if (st == OK && (n == CALLS_SEEN || count == max))
        w->more_causes |= walk_previous(&walk, &e);
    return walk_end(&walk, st, err);
}

/* Adds the objects that are in arrays of the family. */
static enum status family_add_elements(struct why *w, struct family *f, struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_STORE };
    for (size_t i = 0, n = f->count; i < n; i++) {
        struct walk walk;
        struct hs_event e, value;
        if (!is_array(w->trace, f->ids[i]) || !search_goes_on(w, true))
            continue;
        walk_open_types(&walk, w->trace, types, 1, f->ids[i], w->now.seq);
        walk_seek(&walk, w->now.seq);
        for (size_t k = 0; search_goes_on(w, false); k++) {
            if (!walk_previous(&walk, &e) || event_beside(w->trace, &e, 2, &value, err) != OK)
                break;
            w->more_causes |= k == ELEMENTS_MAX || f->count == FAMILY_MAX;
            if (k == ELEMENTS_MAX || f->count == FAMILY_MAX)
                break;
            if (object_of(&value) != 0 && !is_immutable(w->trace, object_of(&value)))
                family_add(w, f, object_of(&value));
        }
        enum status st = walk_close(&walk, err);
        if (st != OK)
            return st;
    }
    return OK;
}

/* What is in the objects that the call was about, and in those that they came from. `called`: it called woven code,
 * which then is how it used objects of woven classes. */
static enum status offer_contents(struct why *w, const struct outside_call *c, bool called, struct error *err)
{
    struct family f = { 0 };
    family_add_call(w, &f, c);
    const size_t direct = f.count;
    enum status st = family_explore(w, &f, err);
    if (st == OK)
        st = family_add_given(w, &f, err);
    if (st == OK)
        st = family_add_elements(w, &f, err);
    if (st == OK)
        st = family_explore(w, &f, err);
    for (size_t i = 0; st == OK && i < f.count; i++) {
        const uint32_t id = f.ids[i];
        if (is_array(w->trace, id))
            st = offer_written(w, id, EVENT_ARRAY_STORE, ELEMENTS_MAX, err);
        else if (!is_of_woven_class(w, id))
            st = offer_given(w, id, (struct giving){ .max = GIVEN_MAX, .values = true }, err);
        else if (i < direct && !called)
            st = offer_written(w, id, EVENT_PUT_INSTANCE_FIELD, FIELDS_MAX, err);
    }
    return st;
}

enum status why_offer_contents(struct why *w, struct error *err)
{
    const uint32_t object = object_of(&w->now);
    if (object == 0 || is_immutable(w->trace, object))
        return OK;
    if (is_array(w->trace, object))
        return offer_written(w, object, EVENT_ARRAY_STORE, ELEMENTS_MAX, err);
    if (is_of_woven_class(w, object))
        return offer_written(w, object, EVENT_PUT_INSTANCE_FIELD, FIELDS_MAX, err);
    return offer_given(w, object, (struct giving){ .max = PIECES_MAX }, err);
}

/* ---- all of it ---- */

/* What an argument of a call on a map is: put(key, value). */
enum keyed {
    KEYED_NOT,
    KEYED_SAME, /* it was given under the key that `own` asks for */
    KEYED_KEY,
};

static enum keyed keyed_as(struct why *w, const struct outside_call *own, const struct hs_event *e)
{
    struct outside_call call;
    bool same = false;
    if (event_type(w->trace, e->dataid) != EVENT_CALL_PARAM || outside_call_at(w->trace, e, &call, NULL) != OK ||
        !asks_by_key(w, &call))
        return KEYED_NOT;
    if (call.arguments[0].position == e->position)
        return KEYED_KEY;
    if (asks_by_key(w, own) && object_of(&call.call) == object_of(&own->call))
        (void)is_equal(w, &own->arguments[0], &call.arguments[0], &same, NULL);
    return same ? KEYED_SAME : KEYED_NOT;
}

/* How much a choice says: an equal value, what was given under the same key, what it was computed from, constants of
 * the class file, objects that only held it, and keys. */
static unsigned rank(struct why *w, const struct outside_call *own, const struct choice *c)
{
    if (c->by != HS_BY_COMPUTED)
        return 0;
    const enum keyed keyed = keyed_as(w, own, &c->event);
    const bool null = c->event.kind == HS_KIND_REF && object_of(&c->event) == 0;
    if (keyed == KEYED_KEY)
        return 5;
    if (keyed == KEYED_SAME && (null || is_value(w, &c->event)))
        return 1;
    if (why_is_constant(w, &c->event))
        return 3;
    return is_value(w, &c->event) || is_of_woven_class(w, object_of(&c->event)) ? 2 : 4;
}

static void sort_choices(struct why *w, const struct outside_call *own)
{
    enum { RANKS = 6 };
    struct choice sorted[CHOICES_MAX];
    unsigned ranks[CHOICES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < w->choice_count; i++)
        ranks[i] = rank(w, own, &w->choices[i]);
    for (unsigned r = 0; r < RANKS; r++)
        for (size_t i = 0; i < w->choice_count; i++)
            if (ranks[i] == r)
                sorted[count++] = w->choices[i];
    memcpy(w->choices, sorted, count * sizeof *sorted);
}

/* A map gave null: goes on with the null that was given under the key. ERR_NOT_FOUND: none was, which `end` says. */
static enum status from_null_entry(struct why *w, const struct outside_call *c, const char *how, const char **end)
{
    if (!asks_by_key(w, c))
        return ERR_NOT_FOUND;
    struct hs_event e = w->choice_count > 0 ? w->choices[0].event : (struct hs_event){ 0 };
    const bool given = w->choice_count > 0 && keyed_as(w, c, &e) == KEYED_SAME;
    if (!given && w->more == 0 && !w->search.met)
        *end = "no call that was seen gave it a value under this key";
    if (!given || object_of(&e) != 0 || e.kind != HS_KIND_REF)
        return ERR_NOT_FOUND;
    (void)why_goes_on(w, &e, "%s; null was given under this key at seq %llu", how, (unsigned long long)e.seq);
    why_prefer(w, &e, HS_BY_EQUAL);
    return OK;
}

bool why_writes_output(hs_trace *t, const struct hs_dataid *site)
{
    const struct hs_class *c = site != NULL ? tables_class_of(t, site->dataid) : NULL;
    return c != NULL && site->event == EVENT_METHOD_PARAM && strcmp(c->name, OUTPUT_CLASS) == 0;
}

enum status offer_call(struct why *w, const struct outside_call *c, bool made_here, struct error *err)
{
    uint32_t receiver = object_of(&c->call);
    const bool made_of_value = receiver != 0 && is_immutable(w->trace, receiver);
    const bool pieces = is_reference(w) && is_string(w, object_of(&w->now));
    size_t called = 0;
    enum status st = made_of_value ? offer_receiver(w, c, err) : OK;
    if (st == OK)
        st = offer_some(w, c, true, err);
    if (st == OK)
        st = offer_callbacks(w, c, &called, err);
    /* a stream has written what it was given before */
    const bool alone = w->choice_count > 0 && why_writes_output(w->trace, w->site);
    if (st == OK && receiver != 0 && !made_of_value && !made_here && !alone && !is_of_woven_class(w, receiver))
        st = offer_given(w, receiver,
                         (struct giving){ pieces ? PIECES_MAX : GIVEN_MAX, .oldest_first = pieces, .counts = true },
                         err);
    if (st == OK && !made_here && !alone)
        st = offer_contents(w, c, called > 0, err);
    if (st == OK)
        st = offer_some(w, c, false, err);
    if (st == OK && !made_of_value)
        st = offer_receiver(w, c, err);
    if (st == OK)
        sort_choices(w, c);
    return st;
}

/* What is said of calls that were not offered. */
static const char *more_text(const struct why *w, char out[120])
{
    out[0] = '\0';
    if (w->more > 0)
        (void)snprintf(out, 120, "; %llu%s earlier call%s on it, before seq %llu, %s not listed",
                       (unsigned long long)w->more, w->more == GIVEN_MORE_MAX ? " or more" : "",
                       w->more == 1 ? "" : "s", (unsigned long long)w->more_before, w->more == 1 ? "is" : "are");
    return out;
}

enum status why_computed(struct why *w, const struct outside_call *c, const char *end, const char *how,
                         struct error *err)
{
    char more[120];
    const uint32_t object = object_of(&w->now);
    bool follow = is_reference(w) ? object != 0 && is_immutable(w->trace, object) : w->now.kind != HS_KIND_BOOLEAN;
    bool own = true; /* the call may have made it */
    enum status st = object != 0 ? has_identity(w, object, &own, err) : OK;
    if (st == OK)
        st = offer_call(w, c, object != 0 && !follow && own, err);
    if (st != OK)
        return st;
    if (is_reference(w) && object == 0 && from_null_entry(w, c, how, &end) == OK)
        return OK;
    if (object != 0 && !follow && own && !w->search.met)
        end = "made by code not woven"; /* it was not seen before */
    if ((!follow && own) || w->choice_count == 0)
        return why_ends(w, end, "%s%s%s", how, more_text(w, more), why_bound(w));
    struct hs_event first = w->choices[0].event;
    st = why_goes_on(w, &first, "%s; computed from what it was given, here seq %llu%s%s", how,
                     (unsigned long long)first.seq, more_text(w, more), why_bound(w));
    why_prefer(w, &first, HS_BY_COMPUTED);
    return st;
}
