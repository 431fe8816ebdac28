/* handing.c - events that may give an object to code that is not woven, as query/handover.c looks for them.
 *
 *     CALL or CALL_PARAM of the object    unless the events of the call are followed by the entry of its callee
 *     METHOD_NORMAL_EXIT with the object  unless it is followed by the CALL_RETURN of a call that can enter the method
 *     METHOD_OBJECT_INITIALIZED           behind a constructor that is not woven
 *
 * What is decided here is seen in the next events alone. So too many are named, but none is missed: loading and
 * initializing the class of a callee, and the end of a segment, come in between. */
#include "reader/index/sections.h"

#include <stdlib.h>

enum role { ROLE_UNREAD, ROLE_NONE, ROLE_CALL, ROLE_PARAM, ROLE_RETURN, ROLE_EXIT, ROLE_INITIALIZED };

/* Of a data ID. */
struct hand {
    uint8_t role;
    uint32_t call;    /* CALL, PARAM, RETURN: data ID of the CALL */
    uint32_t entered; /* of a CALL: a method that it can enter + 1 */
};

struct handing {
    hs_trace *trace;
    uint32_t count;      /* data IDs that there were */
    struct hand by_id[]; /* and one of those since */
};

struct handing *handing_new(hs_trace *t)
{
    struct handing *h = calloc(1, sizeof *h + ((size_t)t->kind_count + 1) * sizeof *h->by_id);
    if (h != NULL) {
        h->trace = t;
        h->count = t->kind_count;
        h->by_id[h->count].role = ROLE_NONE;
    }
    return h;
}

static enum role role_of(hs_trace *t, const struct hs_dataid *d)
{
    switch (d->event) {
    case EVENT_CALL: return ROLE_CALL;
    case EVENT_CALL_PARAM: return ROLE_PARAM;
    case EVENT_CALL_RETURN: return ROLE_RETURN;
    case EVENT_METHOD_NORMAL_EXIT: return ROLE_EXIT;
    case EVENT_METHOD_OBJECT_INITIALIZED: return initialized_outside(t, d) ? ROLE_INITIALIZED : ROLE_NONE;
    default: return ROLE_NONE;
    }
}

static struct hand *hand_of(struct handing *h, uint32_t id)
{
    struct hand *x = &h->by_id[id < h->count ? id : h->count];
    if (x->role != ROLE_UNREAD)
        return x;
    const struct hs_dataid *d = hs_dataid_get(h->trace, id);
    const enum role role = d != NULL ? role_of(h->trace, d) : ROLE_NONE;
    const struct hs_dataid *call = role >= ROLE_CALL && role <= ROLE_RETURN ? call_site(h->trace, d) : NULL;
    x->call = call != NULL ? call->dataid : id;
    x->role = (uint8_t)role;
    return x;
}

static bool can_enter(struct handing *h, uint32_t call, uint32_t method)
{
    struct hand *x = &h->by_id[call];
    const struct hs_dataid *d;
    if (x->entered == method + 1)
        return true;
    if ((d = hs_dataid_get(h->trace, call)) == NULL || !call_can_enter(h->trace, d, method))
        return false;
    x->entered = method + 1;
    return true;
}

/* Has every write of the method an event? */
static bool writes_are_seen(hs_trace *t, uint32_t method)
{
    const uint32_t both = GROUP_BIT(FIELD) | GROUP_BIT(ARRAY);
    const struct hs_method *m = hs_method_get(t, method);
    return m != NULL && (m->groups & both) == both;
}

enum handed handing_of(struct handing *h, uint32_t id, const uint32_t *next, uint32_t count)
{
    const struct hand *x = hand_of(h, id), *then;
    const struct effect *f;
    uint32_t at = 0;
    bool seen;
    switch (x->role) {
    case ROLE_CALL:
    case ROLE_PARAM:
        while (at < count && (then = hand_of(h, next[at]))->role == ROLE_PARAM && then->call == x->call)
            at++;
        if (at == count)
            return HANDED_OPEN;
        f = effects_get(h->trace, next[at]);
        seen = f->op == EFFECT_ENTER && can_enter(h, x->call, f->method) && writes_are_seen(h->trace, f->method);
        return seen ? HANDED_NOT : HANDED_MAY;
    case ROLE_EXIT:
        if (count == 0)
            return HANDED_OPEN;
        then = hand_of(h, next[0]);
        seen = then->role == ROLE_RETURN && can_enter(h, then->call, effects_get(h->trace, id)->method);
        return seen ? HANDED_NOT : HANDED_MAY;
    case ROLE_INITIALIZED: return HANDED_MAY;
    default: return HANDED_NOT;
    }
}
