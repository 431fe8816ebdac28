/* why_memory.c - from the load of a local, field, element or length to what was last written there. */
#include "formats/jvm/loss.h"
#include "reader/query/creation.h"
#include "reader/query/defaults.h"
#include "reader/query/why.h"
#include "reader/query/writes.h"

#include <stdio.h>

/* ---- locals ---- */

/* The write of a local that replay knows, in the link's method: in slot 0 the entry has put the receiver. *position is
 * NO_POSITION if there is none. */
static enum status find_local_write(struct why *w, uint16_t slot, uint64_t *position, struct error *err)
{
    const struct replay *state;
    *position = NO_POSITION;
    enum status st = frames_at(w->trace, why_position(w, &w->now), &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top == NULL || top->method != w->site->method_id || slot >= top->local_count)
        return OK;
    const struct local *l = &state->locals.items[top->first_local + slot];
    const struct hs_method *m = hs_method_get(w->trace, w->site->method_id);
    if (l->id != UINT32_MAX)
        *position = l->position;
    else if (slot == 0 && m != NULL && (m->access & ACC_STATIC) == 0)
        *position = top->entry;
    return OK;
}

/* LOCAL_INCREMENT: did it wrap? */
static void note_increment(struct why *w)
{
    const struct method *code =
        w->site->event == EVENT_LOCAL_INCREMENT ? method_get(w->trace, w->site->method_id) : NULL;
    const struct insn *in = code != NULL ? code_at(&code->code, w->site->pc) : NULL;
    if (in != NULL && in->op == OPC_iinc && w->now.kind != KIND_VOID)
        (void)why_note_loss(w, OPC_iinc, arithmetic_binary(OPC_isub, w->now.value, of_int(in->operand)),
                            of_int(in->operand));
}

enum status why_from_local(struct why *w, const char *verb, struct error *err)
{
    struct hs_event e;
    uint64_t position;
    uint16_t slot = effects_get(w->trace, w->now.dataid)->slot;
    const char *own = attribute_text(w->site, "name");
    char name[120];
    note_increment(w);
    if (own != NULL)
        (void)snprintf(name, sizeof name, "%s", own);
    else
        (void)snprintf(name, sizeof name, "#%u", slot);
    enum status st = find_local_write(w, slot, &position, err);
    if (st != OK)
        return st;
    if (position == NO_POSITION)
        return why_ends(w, "not recorded", "%s local %s, whose write is not recorded", verb, name);
    struct event_position at = { positions_stream(w->trace, w->now.thread), position };
    st = positions_event(w->trace, at, &e, err);
    if (st != OK)
        return st;
    st = why_number(w, &e, err);
    if (st != OK)
        return st;
    unsigned event = event_type(w->trace, e.dataid);
    bool same = w->site->event != EVENT_LOCAL_LOAD || e.value == w->now.value;
    if (!same || event == EVENT_LOCAL_LOAD)
        return why_ends(w, "not recorded", "%s local %s, which was last written unseen", verb, name);
    return why_goes_on(w, &e, "%s local %s, last written at seq %llu", verb, name, (unsigned long long)e.seq);
}
/* ---- fields and elements ---- */

/* Where an element is looked for that was copied; no index of a field. */
struct slot {
    uint64_t owner;
    bool is_final; /* a field that nothing writes again */
    bool is_element;
    uint64_t index;
};

/* The value read is not that of the last recorded write (NULL: there is none): unwoven code, to which the object was
 * handed since, may have written it. */
static enum status from_unwoven_write(struct why *w, const struct hs_event *write, struct slot slot, const char *what,
                                      struct error *err)
{
    char say[TEXT_MAX / 2] = "which no woven code wrote before";
    uint64_t from = write != NULL ? write->seq : 0;
    if (write != NULL)
        (void)snprintf(say, sizeof say,
                       "written by code that is not woven: the last write seen (seq %llu) has another "
                       "value",
                       (unsigned long long)write->seq);
    if (slot.owner == 0 || slot.owner > UINT32_MAX)
        return why_ends(w, "code not woven", "%s, %s", what, say);
    if (slot.is_element) {
        enum status st = why_from_copy(w, (uint32_t)slot.owner, slot.index, from, err);
        if (st != ERR_NOT_FOUND)
            return st;
    }
    return why_from_outside_write(w, (uint32_t)slot.owner, from, what, say, err);
}

/* Recording was stopped since the last recorded write (NULL: there is none). */
static enum status from_old_write(struct why *w, const struct hs_event *write, struct slot slot, const char *what,
                                  struct error *err)
{
    uint64_t since;
    if (slot.is_element && slot.owner <= UINT32_MAX) {
        enum status st = recorded_since(w->trace, &w->now, &since, err);
        if (st == OK)
            st = why_from_copy(w, (uint32_t)slot.owner, slot.index, since, err);
        if (st != ERR_NOT_FOUND)
            return st;
    }
    if (write != NULL && write->value == w->now.value)
        return why_from_old_write(w, write, what);
    return why_from_unrecorded(w, write, slot.owner, what, err);
}

/* `what` was not written, as far as is known. ERR_NOT_FOUND: it may have been written since its object was made. */
static enum status from_default(struct why *w, struct slot slot, const char *what, struct error *err)
{
    struct hs_event made;
    if (slot.owner == 0 || slot.owner > UINT32_MAX)
        return ERR_NOT_FOUND;
    enum status st = default_since(w->trace, (uint32_t)slot.owner, &made, err);
    if (st != OK)
        return st;
    const char *gap = why_gap(w, &made);
    uint64_t since = 0;
    if (slot.is_element) {
        st = gap != NULL ? recorded_since(w->trace, &w->now, &since, err) : OK;
        if (st == OK)
            st = why_from_copy(w, (uint32_t)slot.owner, slot.index, since, err); /* a 0 that was copied there */
        if (st != ERR_NOT_FOUND)
            return st;
    }
    return why_ends(w, "default value", "%s, %swritten since the object was made at seq %llu%s%s", what,
                    gap != NULL ? "no write of it was recorded, nor was it " : "not ", (unsigned long long)made.seq,
                    gap != NULL ? "; " : "", gap != NULL ? gap : "");
}

/* May it have been written before the last gap? Not if its object was made since. */
static enum status may_be_older(struct why *w, struct slot slot, bool *older, struct error *err)
{
    struct hs_event made;
    *older = why_gap(w, NULL) != NULL;
    if (!*older || slot.owner == 0 || slot.owner > UINT32_MAX)
        return OK;
    enum status st = default_since(w->trace, (uint32_t)slot.owner, &made, err);
    *older = st != OK || why_gap(w, &made) != NULL;
    return st == ERR_NOT_FOUND ? OK : st;
}

/* `st` and `write` are the result of a search for the last write of `what`. */
static enum status from_write(struct why *w, enum status st, const struct hs_event *write, struct slot slot,
                              const char *what, struct error *err)
{
    bool older;
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == OK && effects_get(w->trace, write->dataid)->op == EFFECT_LEFT_OUT)
        return why_left_out(w, write, what);
    if (st == OK && why_gap(w, write) != NULL && !(slot.is_final && write->value == w->now.value))
        return from_old_write(w, write, slot, what, err);
    if (st == OK && write->value == w->now.value)
        return why_goes_on(w, write, "%s, last written at seq %llu%s", what, (unsigned long long)write->seq,
                           write->thread != w->now.thread && why_gap(w, write) == NULL ? " by another thread" : "");
    if (st == OK)
        return from_unwoven_write(w, write, slot, what, err);
    if (w->now.value == 0) {
        st = from_default(w, slot, what, err);
        if (st != ERR_NOT_FOUND)
            return st;
    }
    st = may_be_older(w, slot, &older, err);
    if (st != OK)
        return st;
    if (older)
        return from_old_write(w, NULL, slot, what, err);
    if (w->now.value == 0 && !slot.is_element)
        return why_ends(w, "default value or code not woven", "%s, which no woven code wrote before", what);
    return from_unwoven_write(w, NULL, slot, what, err);
}

enum status why_from_field(struct why *w, struct error *err)
{
    char what[200];
    struct hs_event holder = { 0 }, write;
    bool instance = w->site->event == EVENT_GET_INSTANCE_FIELD_RESULT;
    struct field f = sites_field(w->trace, w->now.dataid);
    enum status st = instance ? event_beside(w->trace, &w->now, -1, &holder, err) : OK;
    if (st == ERR_NOT_FOUND)
        return why_ends(w, "not recorded", "field %s of an unknown object", f.name);
    if (st != OK)
        return st;
    if (instance)
        (void)snprintf(what, sizeof what, "field %.120s", f.name);
    else
        (void)snprintf(what, sizeof what, "field %.120s.%.60s", f.declaring, f.name);
    if (instance && holder.value > UINT32_MAX)
        return why_ends(w, "not recorded", "%s of an unknown object", what);
    st = last_field_write(w->trace, (uint32_t)holder.value, f, w->now.seq, &write, err);
    st = from_write(w, st, &write, (struct slot){ .owner = holder.value, .is_final = f.is_final }, what, err);
    if (st != OK || !instance)
        return st;
    return why_offer_way(w, &holder, err, "the object it was read from");
}

enum status why_from_element(struct why *w, struct error *err)
{
    char what[64];
    struct hs_event array, index, write;
    enum status st = event_beside(w->trace, &w->now, -2, &array, err);
    if (st == OK)
        st = event_beside(w->trace, &w->now, -1, &index, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == ERR_NOT_FOUND || array.value > UINT32_MAX)
        return why_ends(w, "not recorded", "an element of an unknown array");
    (void)snprintf(what, sizeof what, "element %lld of array %llu", (long long)index.value,
                   (unsigned long long)array.value);
    st = last_element_write(w->trace, (uint32_t)array.value, index.value, w->now.seq, &write, err);
    st = from_write(w, st, &write, (struct slot){ .owner = array.value, .is_element = true, .index = index.value },
                    what, err);
    if (st == OK)
        st = why_offer_way(w, &array, err, "the array it was read from");
    if (st == OK)
        st = why_offer_way(w, &index, err, "its index");
    return st;
}
/* ---- lengths ---- */

/* The NEW_ARRAY with the length of the array whose arraylength this is. ERR_NOT_FOUND: newarray in woven code did not
 * create it. */
static enum status find_new_array(struct why *w, struct hs_event *out, struct error *err)
{
    struct hs_event array, made;
    enum status st = event_beside(w->trace, &w->now, -1, &array, err);
    if (st != OK)
        return st;
    if (array.value > UINT32_MAX)
        return ERR_NOT_FOUND;
    st = creation_of(w->trace, (uint32_t)array.value, &made, err);
    if (st != OK)
        return st;
    if (event_type(w->trace, made.dataid) != EVENT_NEW_ARRAY_RESULT)
        return ERR_NOT_FOUND;
    st = event_beside(w->trace, &made, -1, out, err);
    if (st != OK)
        return st;
    if (event_type(w->trace, out->dataid) != EVENT_NEW_ARRAY)
        return ERR_NOT_FOUND;
    return why_number(w, out, err);
}

/* The length of an array that multianewarray created: one of its operands. ERR_NOT_FOUND: it did not. */
static enum status from_dimension(struct why *w, struct error *err)
{
    struct hs_event array, made;
    struct dimension d;
    char what[100];
    enum status st = event_beside(w->trace, &w->now, -1, &array, err);
    if (st == OK)
        st = array.value <= UINT32_MAX ? creation_of(w->trace, (uint32_t)array.value, &made, err) : ERR_NOT_FOUND;
    if (st != OK)
        return st;
    const struct hs_dataid *site = dataid_or_none(w->trace, made.dataid);
    if (!array_dimension(w->trace, (uint32_t)array.value, &made, &d))
        return ERR_NOT_FOUND;
    st = why_number(w, &made, err);
    if (st != OK)
        return st;
    (void)snprintf(what, sizeof what, "dimension %u of multianewarray at seq %llu", d.number + 1,
                   (unsigned long long)made.seq);
    const struct hs_event now = w->now;
    const struct hs_dataid *now_site = w->site;
    w->now = made;
    w->site = site;
    st = why_from_stack(w, d.depth, what, err);
    w->now = now;
    w->site = now_site;
    return st;
}

enum status why_from_length(struct why *w, struct error *err)
{
    struct hs_event length;
    enum status st = find_new_array(w, &length, err);
    if (st == ERR_NOT_FOUND) {
        st = from_dimension(w, err);
        if (st != ERR_NOT_FOUND)
            return st;
    }
    if (st == OK)
        return why_goes_on(w, &length, "the length given when the array was made at seq %llu",
                           (unsigned long long)length.seq);
    if (st != ERR_NOT_FOUND)
        return st;
    return why_ends(w, "code not woven", "the length of an array that was not made by newarray in woven code");
}

/* ---- by which way ---- */

static enum status offer_beside(struct why *w, int64_t steps, const char *role, struct error *err)
{
    struct hs_event e;
    enum status st = event_beside(w->trace, &w->now, steps, &e, err);
    return st == OK ? why_offer_way(w, &e, err, role) : st == ERR_NOT_FOUND ? OK : st;
}

enum status why_add_ways(struct why *w, struct error *err)
{
    enum status st = OK;
    if (w->site->event == EVENT_PUT_INSTANCE_FIELD_VALUE)
        return offer_beside(w, -1, "the object it was written to", err);
    if (w->site->event == EVENT_ARRAY_LENGTH_RESULT)
        return offer_beside(w, -1, "the array", err);
    if (w->site->event == EVENT_ARRAY_STORE_VALUE) {
        st = offer_beside(w, -2, "the array it was written to", err);
        if (st == OK)
            st = offer_beside(w, -1, "its index", err);
    }
    return st;
}
