/* locks.c - see locks.h. */
#include "reader/export/locks.h"

enum { PLACES = 1 << 16 };

static uint32_t reference(uint64_t bits, char kind)
{
    return kind == HS_KIND_REF && bits <= UINT32_MAX ? (uint32_t)bits : 0;
}

enum lock_use lock_use_of(hs_trace *trace, const struct call_step *step, uint32_t *object)
{
    enum lock_use use = LOCK_UNUSED;
    *object = 0;
    if (step->kind != CALL_INSIDE) {
        const struct open_call *call = step->call;
        *object =
            (uint32_t)hs_method_monitor(trace, call->method_id, reference(call->receiver.bits, call->receiver.kind));
        use = step->kind == CALL_BEGINS ? LOCK_TAKEN : LOCK_GIVEN_BACK;
    } else if (step->dataid != NULL) {
        use = step->dataid->event == HS_EVENT_MONITOR_ENTER_RESULT ? LOCK_TAKEN
              : step->dataid->event == HS_EVENT_MONITOR_EXIT       ? LOCK_GIVEN_BACK
                                                                   : LOCK_UNUSED;
        *object = reference(step->event->value, step->event->kind);
    }
    return *object != 0 ? use : LOCK_UNUSED;
}

bool locks_init(struct locks *l)
{
    l->places = calloc(PLACES, sizeof *l->places);
    return l->places != NULL;
}

void locks_done(struct locks *l)
{
    free(l->places);
    l->places = NULL;
}

static struct lock_release *place(const struct locks *l, uint32_t object)
{
    return &l->places[(object * UINT32_C(0x9e3779b1)) >> 16];
}

void locks_given_back(struct locks *l, const struct call_step *step, uint32_t object)
{
    *place(l, object) = (struct lock_release){ .object = object,
                                               .thread = step->thread,
                                               .time_ns = step->time_ns,
                                               .seq = step->event != NULL ? step->event->seq : HS_NO_SEQ };
}

const struct lock_release *locks_taken_from(struct locks *l, const struct call_step *step, uint32_t object)
{
    struct lock_release *r = place(l, object);
    if (r->object != object || r->taken || r->thread == step->thread || r->time_ns > step->time_ns)
        return NULL;
    r->taken = true;
    return r;
}
