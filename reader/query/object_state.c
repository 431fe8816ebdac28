/* object_state.c - an object at a moment: its life, its fields or elements (object_fields.c, object_elements.c), and
 * what may have changed them without an event. */
#include "reader/query/creation.h"
#include "reader/query/defaults.h"
#include "reader/query/handover.h"
#include "reader/query/left_out.h"
#include "reader/query/location.h"
#include "reader/query/members.h"
#include "reader/query/periods.h"
#include "reader/query/writes.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN_SEQ UINT64_MAX /* not looked for yet */

enum shape { NO_ARRAY, ARRAY, ARRAY_OF_ARRAYS };

/* An object of unknown type, as after its row was dropped, is an array if one of its elements was accessed. */
static enum status find_shape(hs_trace *t, uint32_t id, const struct hs_object *o, enum shape *out, struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_STORE, EVENT_ARRAY_LOAD };
    struct walk w;
    struct hs_event e;
    *out = NO_ARRAY;
    if (o != NULL && o->type != NULL) {
        if (strchr(o->type, '[') != NULL)
            *out = strstr(o->type, "[][]") != NULL ? ARRAY_OF_ARRAYS : ARRAY;
        return OK;
    }
    walk_open_types(&w, t, types, 2, id, UINT64_MAX);
    if (walk_next(&w, &e))
        *out = ARRAY;
    return walk_close(&w, err);
}

static enum status find_first(hs_trace *t, uint32_t id, uint64_t *first, struct error *err)
{
    struct walk w;
    struct hs_event e;
    walk_open_object(&w, t, id);
    if (walk_next(&w, &e))
        *first = e.seq;
    return walk_close(&w, err);
}

static enum status find_last(hs_trace *t, uint32_t id, uint64_t *last, struct error *err)
{
    struct walk w;
    struct hs_event e;
    walk_open_object(&w, t, id);
    walk_seek_after(&w, UINT64_MAX);
    if (walk_previous(&w, &e))
        *last = e.seq;
    return walk_close(&w, err);
}

int hs_life_get(hs_trace *t, uint32_t id, const struct hs_life **life, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "life");
    struct error err = { 0 };
    struct last_answers *last = state_last(t);
    if (last == NULL) {
        (void)state_memory(t, &err);
        return give(error, &err);
    }
    if (id == 0)
        return 0; /* null */
    index_wish(t);
    last->life = (struct hs_life){ id, HS_NO_SEQ, HS_NO_SEQ };
    if (find_first(t, id, &last->life.first, &err) != OK)
        return give(error, &err);
    if (last->life.first == HS_NO_SEQ)
        return 0;
    if (find_last(t, id, &last->life.last, &err) != OK)
        return give(error, &err);
    *life = &last->life;
    return 1;
}

static bool is_write(const struct hs_dataid *d)
{
    return d->event == EVENT_PUT_INSTANCE_FIELD_VALUE || d->event == EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION;
}

/* Has this final field its value for good? It was written by a constructor of its class, or what is known is from after
 * its object was created by woven code. Code that is not woven can create an object of a woven class too: then a read
 * is as good as the write before it. (Reflection can write it nevertheless.) */
static bool is_settled(const struct answer_members *m, const struct found_member *f, uint64_t created)
{
    const struct hs_dataid *d = hs_dataid_get(m->trace, f->event.dataid);
    struct hs_event write;
    struct error err;
    if (f->made.name == NULL || d == NULL || !sites_field(m->trace, f->event.dataid).is_final)
        return false;
    if (created != HS_NO_SEQ)
        return created <= m->seq && (is_write(d) || f->event.seq > created);
    return is_write(d) ||
           last_field_write(m->trace, m->id, sites_field(m->trace, f->event.dataid), f->event.seq, &write, &err) == OK;
}

/* What may have written the member since its event was recorded. An array's elements have the same answer: `all`. */
static enum status find_missing(struct answer_members *m, const struct found_member *f, struct left_out *all,
                                struct error *err)
{
    struct location l;
    u32_vec marks = { 0 };
    if (f->made.name == NULL && all->until != UNKNOWN_SEQ)
        return OK;
    enum status st = f->made.name != NULL
                         ? location_of_field(m->trace, m->id, sites_field(m->trace, f->event.dataid), &l, err)
                         : location_of_element(m->trace, m->id, f->made.index, &l, err);
    if (st == OK)
        st = left_out_marks(m->trace, &l.ids, &marks, err);
    if (st == OK)
        st = left_out_before(m->trace, &marks, m->seq < UINT64_MAX ? m->seq + 1 : m->seq, all, err);
    location_done(&l);
    vec_free(&marks);
    return st;
}

/* Drops the members that events which are not recorded may have written since. */
static enum status drop_left_out(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    struct left_out missing = { .until = UNKNOWN_SEQ };
    size_t kept = 0;
    if (!left_out_any(m->trace))
        return OK;
    for (size_t i = 0; i < m->members.count; i++) {
        struct found_member *f = &m->members.items[i];
        enum status st = is_settled(m, f, out->created) ? ERR_NOT_FOUND : find_missing(m, f, &missing, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        if (st == ERR_NOT_FOUND || f->event.seq >= missing.until) {
            m->members.items[kept++] = *f;
            continue;
        }
        out->left_out++;
        out->left_out_count = missing.mark.value;
    }
    m->members.count = kept;
    return OK;
}

/* Adds the members that nothing has written, where that is certain. `created`: NULL if the trace does not have it. */
static enum status find_defaults(struct answer_members *m, enum shape shape, const struct hs_event *created,
                                 struct hs_object_state *out, struct error *err)
{
    struct hs_event made;
    enum status st = OK;
    bool hold = false;
    if (out->left_out > 0 || out->first == HS_NO_SEQ)
        return OK;
    if (created != NULL)
        made = *created;
    else
        st = default_since_constructor(m->trace, m->id, &made, err);
    if (st == OK)
        st = defaults_hold(m->trace, m->id, &made, out->first, m->seq, &hold, err);
    const struct hs_object *o = st == OK && hold ? hs_object_get(m->trace, m->id) : NULL;
    if (o == NULL || o->type == NULL)
        return st == ERR_NOT_FOUND ? OK : st;
    return shape == NO_ARRAY ? fields_add_defaults(m, o, &made, err)
                             : elements_add_defaults(m, o->type, out, &made, err);
}

/* Marks the members that unwoven code may have written since. */
static enum status find_handover(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    struct hs_handover *handed = arena_get(m->arena, sizeof *handed);
    if (handed == NULL)
        return state_memory(m->trace, err);
    enum status st = handover_last(m->trace, m->id, 0, m->seq, handed, err);
    if (st != OK || handed->seq == HS_NO_SEQ)
        return st;
    out->handed = handed;
    for (size_t i = 0; i < m->members.count; i++) {
        struct found_member *f = &m->members.items[i];
        f->made.stale = f->event.seq < handed->seq && !is_settled(m, f, out->created);
    }
    return OK;
}

/* Marks the members that may have been written while recording was stopped. */
static enum status find_stop(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    enum status st = period_begin_at(m->trace, m->seq, &out->resumed, err);
    for (size_t i = 0; st == OK && out->resumed > 0 && i < m->members.count; i++) {
        struct found_member *f = &m->members.items[i];
        f->made.unrecorded = f->event.seq < out->resumed && !is_settled(m, f, out->created);
    }
    return st;
}

static enum status find_members(struct answer_members *m, enum shape shape, const struct hs_event *created,
                                struct hs_object_state *out, struct error *err)
{
    if (shape == NO_ARRAY)
        return fields_find(m, err);
    enum status st = array_length_from(m->trace, m->id, created, &out->has_length, &out->length, err);
    if (st != OK)
        return st;
    return elements_find(m, shape == ARRAY_OF_ARRAYS, out, err);
}

/* The members move from the vector to the answer's memory. */
static enum status keep_members(const struct answer_members *m, enum shape shape, struct hs_object_state *out,
                                struct error *err)
{
    size_t n = m->members.count;
    struct found_member *kept = arena_array(m->arena, n, sizeof *kept);
    if (kept == NULL)
        return state_memory(m->trace, err);
    for (size_t i = 0; i < n; i++) {
        kept[i] = m->members.items[i];
        kept[i].made.event = &kept[i].event;
    }
    const struct hs_member *const *list = pointers_to(m->arena, kept, sizeof *kept, n);
    if (list == NULL)
        return state_memory(m->trace, err);
    out->is_part = m->cut;
    if (shape != NO_ARRAY) {
        out->elements = list;
        out->element_count = n;
    } else {
        out->fields = list;
        out->field_count = n;
    }
    return OK;
}

static enum status read_life(hs_trace *t, uint32_t id, struct object_life *out, struct error *err)
{
    struct object_life l = { .id = id, .first = HS_NO_SEQ }, *known = state_life(t, id);
    if (known == NULL)
        return state_memory(t, err);
    if (known->id == id) {
        *out = *known;
        return OK;
    }
    enum status st = find_first(t, id, &l.first, err);
    if (st == OK && l.first != HS_NO_SEQ) {
        st = creation_of(t, id, &l.created, err);
        l.made = st == OK;
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    if (st == OK)
        *out = *known = l;
    return st;
}

static enum status make_object(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    const struct hs_object *o = hs_object_get(m->trace, m->id); /* until the next object */
    enum shape shape;
    *out = (struct hs_object_state){ .id = m->id, .created = HS_NO_SEQ, .first = HS_NO_SEQ, .last = HS_NO_SEQ };
    if (!fields_types(m, o))
        return state_memory(m->trace, err);
    enum status st = find_shape(m->trace, m->id, o, &shape, err);
    struct object_life life;
    if (st == OK)
        st = read_life(m->trace, m->id, &life, err);
    if (st != OK)
        return st;
    out->first = life.first;
    if (out->first == HS_NO_SEQ)
        return st;
    if (life.made) {
        out->created = life.created.seq;
        out->created_dataid = life.created.dataid;
    }
    st = find_members(m, shape, life.made ? &life.created : NULL, out, err);
    if (st != OK)
        return st;
    st = drop_left_out(m, out, err);
    if (st != OK)
        return st;
    st = find_handover(m, out, err);
    if (st == OK)
        st = find_stop(m, out, err);
    if (st == OK)
        st = find_defaults(m, shape, life.made ? &life.created : NULL, out, err);
    if (st != OK)
        return st;
    return keep_members(m, shape, out, err);
}

enum status object_state(hs_trace *t, struct arena *arena, uint32_t id, uint64_t seq, struct part part,
                         const struct hs_object_state **state, struct error *err)
{
    struct answer_members m = { .trace = t, .arena = arena, .id = id, .seq = seq, .part = part };
    m.only = left_out_any(t) ? 0 : part.field; /* what is left out may have written others */
    struct hs_object_state *out = arena_get(arena, sizeof *out);
    if (out == NULL)
        return state_memory(t, err);
    enum status st;
    if (id == 0)
        st = error_set(err, ERR_NOT_FOUND, "%s: there is no object 0: the id 0 is the null reference", t->dir);
    else
        st = make_object(&m, out, err);
    if (st == OK && out->first == HS_NO_SEQ && hs_object_get(t, id) == NULL)
        st = error_set(err, ERR_NOT_FOUND, "%s: there is no object %u%s", t->dir, id,
                       hs_info(t, "dropped") != NULL ? " in what was not dropped" : "");
    members_done(&m);
    if (st == OK)
        *state = out;
    return st;
}

int object_accessed(hs_trace *t, uint32_t id, const char *field, uint64_t seq, const struct hs_object_state **out)
{
    struct arena *arena = state_answer(t, ANSWER_OBJECT);
    struct answer_members m = {
        .trace = t, .arena = arena, .id = id, .seq = seq, .only = site_hash(field, strlen(field))
    };
    struct hs_object_state *made = arena != NULL ? arena_get(arena, sizeof *made) : NULL;
    struct error err = { 0 };
    enum status st = made != NULL ? OK : state_memory(t, &err);
    index_wish(t);
    if (st == OK && left_out_any(t))
        st = ERR_NOT_FOUND;
    if (st == OK && !fields_types(&m, hs_object_get(t, id)))
        st = state_memory(t, &err);
    if (st == OK)
        st = fields_accessed(&m, &err);
    if (st == OK) {
        *made = (struct hs_object_state){ .id = id, .created = HS_NO_SEQ, .first = HS_NO_SEQ, .last = HS_NO_SEQ };
        st = keep_members(&m, NO_ARRAY, made, &err);
    }
    members_done(&m);
    *out = made;
    return st == OK ? 0 : -1;
}

int hs_object_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_object_state **state,
                 struct hs_error *error)
{
    return hs_object_part_at(trace, id, seq, 0, UINT64_MAX, state, error);
}

enum status object_part_at(hs_trace *t, uint32_t id, uint64_t seq, struct part part,
                           const struct hs_object_state **state, struct error *err)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "object");
    struct arena *arena = state_answer(t, ANSWER_OBJECT);
    if (arena == NULL)
        return state_memory(t, err);
    index_wish(t);
    return object_state(t, arena, id, seq, part, state, err);
}

int hs_object_part_at(hs_trace *trace, uint32_t id, uint64_t seq, uint64_t from, uint64_t most,
                      const struct hs_object_state **state, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "object");
    struct error err = { 0 };
    struct last_answers *last = state_last(trace);
    const struct hs_object_state *found;
    enum status st = last != NULL ? object_part_at(trace, id, seq, (struct part){ from, most, 0 }, &found, &err)
                                  : state_memory(trace, &err);
    if (st != OK)
        return give(error, &err);
    last->state = *found;
    if (last->state.first != HS_NO_SEQ)
        st = find_last(trace, id, &last->state.last, &err);
    *state = &last->state;
    return st == OK ? 0 : give(error, &err);
}
