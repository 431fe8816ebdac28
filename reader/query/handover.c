/* handover.c - see handover.h. */
#include "reader/query/handover.h"
#include "reader/query/past_heap.h"
#include "reader/query/state.h"

#include <stdlib.h>
#include <string.h>

/* Could the callee be a woven method whose entry is not recorded (EXEC was not selected, or the method would have
 * become too large)? One of which nothing is recorded is code that is not woven (skip=generated). */
static bool search_unentered(hs_trace *t, const struct hs_dataid *call)
{
    for (size_t i = 0; i < class_rows(t); i++) {
        const struct hs_class *c = class_at(t, i);
        for (uint32_t k = 0; c->state == HS_CLASS_WOVEN && k < c->method_count; k++) {
            const struct hs_method *m = c->methods[k];
            if (m->groups != 0 && (m->groups & GROUP_BIT(EXEC)) == 0 && call_names(call, m))
                return true;
        }
    }
    return false;
}

static bool can_be_unentered(hs_trace *t, struct known_calls *known, const struct hs_dataid *call)
{
    size_t at = call->dataid % KNOWN_CALLS;
    if (!known->slots[at].known || known->slots[at].dataid != call->dataid) {
        known->slots[at].unentered = search_unentered(t, call);
        known->slots[at].dataid = call->dataid;
        known->slots[at].known = true;
    }
    return known->slots[at].unentered;
}

/* Does a woven method write fields or elements without events, since it became too long for them? */
static bool search_unseen(hs_trace *t, const struct hs_method *m)
{
    group_set woven = 0;
    const char *bad, *text = hs_info(t, "weave");
    int length;
    if (text == NULL || !group_set_parse(text, &woven, &bad, &length))
        return false;
    const bool fields = (woven & ~m->groups & GROUP_BIT(FIELD)) != 0;
    const bool elements = (woven & ~m->groups & GROUP_BIT(ARRAY)) != 0;
    const struct method *code = fields || elements ? method_get(t, m->method_id) : NULL;
    for (size_t i = 0; code != NULL && i < code->code.insns.count; i++) {
        const unsigned op = code->code.insns.items[i].op;
        if ((fields && op == OPC_putfield) || (elements && op >= OPC_iastore && op <= OPC_sastore))
            return true;
    }
    return false;
}

static bool writes_unseen(hs_trace *t, struct known_calls *known, uint32_t method_id)
{
    const uint32_t both = GROUP_BIT(FIELD) | GROUP_BIT(ARRAY);
    const struct hs_method *m = hs_method_get(t, method_id);
    const size_t at = method_id % KNOWN_CALLS;
    if (m == NULL || (m->groups & both) == both)
        return false;
    if (!known->methods[at].known || known->methods[at].method_id != method_id) {
        known->methods[at].unseen = search_unseen(t, m);
        known->methods[at].method_id = method_id;
        known->methods[at].known = true;
    }
    return known->methods[at].unseen;
}

/* Can the JVM have called the method before it enters the callee: to load or to initialize its class? */
static bool enters_before_callee(hs_trace *t, const struct effect *f)
{
    const struct hs_method *m = f->op == EFFECT_ENTER ? hs_method_get(t, f->method) : NULL;
    return m != NULL &&
           (strcmp(m->name, "<clinit>") == 0 ||
            (strcmp(m->name, "loadClass") == 0 && strcmp(m->desc, "(Ljava/lang/String;)Ljava/lang/Class;") == 0));
}

/* A woven callee's events follow those of its call; loading and initializing its class may come in between. */
static enum status call_is_handover(hs_trace *t, struct known_calls *known, const struct hs_event *e,
                                    const struct hs_dataid *d, bool *out, struct error *err)
{
    enum { EVENTS_MAX = 1 << 22 };
    const struct hs_dataid *call = call_site(t, d);
    uint64_t gap = gap_behind(t, e->stamp);
    uint32_t depth = 0;
    struct hs_event next;
    *out = false;
    if (call == NULL)
        return OK;
    for (int64_t i = 1; i < EVENTS_MAX; i++) {
        enum status st = event_beside(t, e, i, &next, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        if (st == ERR_NOT_FOUND || next.stamp >= gap)
            break; /* the callee had not returned */
        const struct effect *f = effects_get(t, next.dataid);
        const struct hs_dataid *b = hs_dataid_get(t, next.dataid);
        if (depth > 0 || enters_before_callee(t, f)) {
            depth += f->op == EFFECT_ENTER;
            depth -= f->op == EFFECT_LEAVE;
            continue;
        }
        if (b != NULL && b->event == EVENT_CALL_PARAM && b->pc == d->pc && b->method_id == d->method_id)
            continue;
        *out = call_can_enter(t, call, f->method) ? f->op == EFFECT_ENTER && writes_unseen(t, known, f->method)
                                                  : !can_be_unentered(t, known, call);
        return OK;
    }
    *out = !can_be_unentered(t, known, call);
    return OK;
}

/* Is the event a CALL_RETURN of a call that can have entered the method? */
static bool returns_from(hs_trace *t, const struct hs_event *e, uint32_t method_id)
{
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    if (d == NULL || d->event != EVENT_CALL_RETURN)
        return false;
    const struct hs_dataid *call = call_site(t, d);
    return call != NULL && call_can_enter(t, call, method_id);
}

/* Is the result given to a caller that is not woven? */
static enum status exit_is_handover(hs_trace *t, const struct hs_event *e, const struct hs_dataid *d, bool *out,
                                    struct error *err)
{
    struct hs_event next;
    enum status st = event_beside(t, e, 1, &next, err);
    *out = st == OK && effects_get(t, next.dataid)->op != EFFECT_LEFT_OUT && !returns_from(t, &next, d->method_id);
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status is_handover(hs_trace *t, struct known_calls *known, const struct hs_event *e, bool *out, struct error *err)
{
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    *out = false;
    if (d == NULL)
        return OK;
    if (d->event == EVENT_METHOD_NORMAL_EXIT)
        return exit_is_handover(t, e, d, out, err);
    if (d->event == EVENT_METHOD_OBJECT_INITIALIZED) {
        *out = initialized_outside(t, d);
        return OK;
    }
    return call_is_handover(t, known, e, d, out, err);
}

enum status may_be_handover(hs_trace *t, const struct hs_event *e, bool *out, struct error *err)
{
    enum { PARAMETERS_MOST = 256 };
    uint32_t ids[PARAMETERS_MOST];
    enum handed may = HANDED_OPEN;
    struct handing *h = trace_attached(t, ATTACHED_HANDING);
    struct hs_event next;
    if (h == NULL && (h = handing_new(t)) != NULL)
        trace_attach(t, ATTACHED_HANDING, h, free);
    if (h == NULL)
        return state_memory(t, err);
    for (uint32_t n = 0; may == HANDED_OPEN && n < PARAMETERS_MOST; n++) {
        const enum status st = event_beside(t, e, n + 1, &next, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        if (st == ERR_NOT_FOUND)
            break;
        ids[n] = next.dataid;
        may = handing_of(h, e->dataid, ids, n + 1);
    }
    *out = may != HANDED_NOT;
    return OK;
}

static enum status check_handover(hs_trace *t, struct known_calls *known, const struct hs_event *e,
                                  struct hs_handover *out, struct error *err)
{
    bool found;
    enum status st = is_handover(t, known, e, &found, err);
    if (st != OK || !found)
        return st;
    const struct hs_dataid *call = call_site(t, hs_dataid_get(t, e->dataid));
    *out = (struct hs_handover){ e->seq, call != NULL ? call->dataid : e->dataid };
    return OK;
}

/* The last one of an object up to a moment. A debugger asks for the same objects at one moment after the other: what
 * comes between these moments is read, not all events of the object. */
enum { KEPT_SLOTS = 1 << 12 };
struct kept_handover {
    uint32_t object;
    uint64_t until;
    struct hs_handover last; /* seq HS_NO_SEQ: there is none */
};

/* NULL: out of memory, which only makes it slower. */
static struct kept_handover *kept_of(hs_trace *t, uint32_t object)
{
    struct kept_handover *all = trace_attached(t, ATTACHED_HANDOVERS);
    if (all == NULL) {
        all = calloc(KEPT_SLOTS, sizeof *all);
        if (all != NULL)
            trace_attach(t, ATTACHED_HANDOVERS, all, free);
    }
    return all != NULL ? &all[object % KEPT_SLOTS] : NULL;
}

static enum status search_last(hs_trace *t, uint32_t object, uint64_t from, uint64_t to, struct hs_handover *out,
                               struct error *err)
{
    static const unsigned types[] = { EVENT_CALL, EVENT_CALL_PARAM, EVENT_METHOD_NORMAL_EXIT,
                                      EVENT_METHOD_OBJECT_INITIALIZED };
    struct walk w;
    struct hs_event e;
    struct known_calls known = { 0 };
    *out = (struct hs_handover){ .seq = HS_NO_SEQ };
    const struct index_key handed = { SET_HANDED, object };
    walk_open_types_from(&w, t, types, sizeof types / sizeof *types, object, from, to);
    walk_set_keys(&w, &handed, 1);
    walk_seek_after(&w, to);
    enum status st = OK;
    while (st == OK && out->seq == HS_NO_SEQ && walk_previous(&w, &e) && e.seq >= from)
        st = check_handover(t, &known, &e, out, err);
    return walk_end(&w, st, err);
}

enum status handover_last(hs_trace *t, uint32_t object, uint64_t from, uint64_t to, struct hs_handover *out,
                          struct error *err)
{
    struct kept_handover *kept = kept_of(t, object);
    const bool known = kept != NULL && kept->object == object && (kept->last.seq == HS_NO_SEQ || kept->last.seq <= to);
    enum status st = OK;
    bool last; /* is it the last one up to `to`, whatever `from` is? */
    if (known && kept->until >= to) {
        *out = kept->last;
        last = false; /* more is known */
    } else if (known && kept->until >= from) {
        st = search_last(t, object, kept->until + 1, to, out, err);
        if (st == OK && out->seq == HS_NO_SEQ)
            *out = kept->last;
        last = true;
    } else {
        st = search_last(t, object, from, to, out, err);
        last = from == 0 || out->seq != HS_NO_SEQ;
    }
    if (st != OK)
        return st;
    if (kept != NULL && object != 0 && last)
        *kept = (struct kept_handover){ object, to, *out };
    if (out->seq != HS_NO_SEQ && out->seq < from)
        out->seq = HS_NO_SEQ;
    return OK;
}

/* Does no code of the class write fields of objects by reflection? Code of the JDK cannot name those of the program. */
static bool writes_no_fields(const char *name)
{
    static const char *const packages[] = { "java.util.", "java.io.PrintStream" };
    static const char *const classes[] = { "String",  "StringBuilder", "StringBuffer", "Object", "Math",
                                           "Boolean", "Character",     "Byte",         "Short",  "Integer",
                                           "Long",    "Float",         "Double" };
    static const char lang[] = "java.lang.", updaters[] = "java.util.concurrent.atomic.";
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (strncmp(name, packages[i], strlen(packages[i])) == 0)
            return strncmp(name, updaters, sizeof updaters - 1) != 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strncmp(name, lang, sizeof lang - 1) == 0 && strcmp(name + sizeof lang - 1, classes[i]) == 0)
            return true;
    return false;
}

/* Is the callee one that writes no fields? Of an instance method the class of the receiver says it, which is the value
 * of the CALL before the parameters. */
static bool is_harmless(hs_trace *t, const struct hs_handover *h)
{
    const struct hs_event *row;
    struct hs_event e;
    const struct hs_dataid *call = hs_dataid_get(t, h->dataid);
    if (call == NULL || call->event != EVENT_CALL || hs_event_at(t, h->seq, &row, NULL) != 0)
        return false;
    const char *kind = attribute_text(call, "methodtype"), *owner = attribute_text(call, "owner");
    if (kind == NULL || owner == NULL)
        return false;
    if (strcmp(kind, "static") == 0 || strcmp(kind, "constructor") == 0)
        return writes_no_fields(owner);
    e = *row;
    const struct hs_event last = e;
    for (int64_t back = 1; e.dataid != call->dataid; back++)
        if (back > 256 || event_beside(t, &last, -back, &e, NULL) != OK)
            return false;
    const struct hs_type *type = hs_type_get(t, objects_class(t, e.value));
    return type != NULL && writes_no_fields(type->name);
}

/* Methods of the JDK, as those of collections, may call methods of the object: that has events. */
bool handover_harmless(hs_trace *t, uint32_t object, uint64_t from, uint64_t to)
{
    enum { LOOKS_MAX = 64 };
    struct hs_handover h;
    for (unsigned i = 0; i < LOOKS_MAX && to > from; i++) {
        if (handover_last(t, object, from + 1, to, &h, NULL) != OK)
            return false;
        if (h.seq == HS_NO_SEQ)
            return true;
        if (!is_harmless(t, &h))
            return false;
        to = h.seq - 1;
    }
    return to <= from;
}

int hs_handed_over(hs_trace *trace, uint32_t object, uint64_t from, uint64_t to, const struct hs_handover **handover,
                   struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "handover");
    struct error err = { 0 };
    struct last_answers *last = state_last(trace);
    if (last == NULL) {
        (void)state_memory(trace, &err);
        return give(error, &err);
    }
    index_wish(trace);
    if (object == 0)
        return 0;
    if (handover_last(trace, object, from, to, &last->handover, &err) != OK)
        return give(error, &err);
    if (last->handover.seq == HS_NO_SEQ)
        return 0;
    *handover = &last->handover;
    return 1;
}
