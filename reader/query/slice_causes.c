/* slice_causes.c - the causes of a moment that a slice follows: see slice.h. */
#include "reader/query/slice.h"

enum { SEARCH_MAX = 10000, CONTROL_MAX = 100000 };

bool slice_follows(const struct slice_cursor *c, const struct choice *choice)
{
    switch (c->want.kind) {
    case HS_SLICE_ALL: return true;
    case HS_SLICE_THIN: return choice->by != HS_BY_CONTROL && !choice->way;
    case HS_SLICE_CONTROL: return choice->by == HS_BY_CONTROL;
    }
    return false;
}

/* Is the value of such an event what it is about, not the object that it is done to? */
static bool has_own_value(unsigned type)
{
    switch (type) {
    case EVENT_METHOD_PARAM:
    case EVENT_METHOD_NORMAL_EXIT:
    case EVENT_CALL_PARAM:
    case EVENT_CALL_RETURN:
    case EVENT_GET_INSTANCE_FIELD_RESULT:
    case EVENT_GET_STATIC_FIELD:
    case EVENT_LOCAL_LOAD:
    case EVENT_LOCAL_STORE: return true;
    default: return false;
    }
}

enum status slice_explain(struct slice_cursor *c, const struct hs_event *e, struct error *err)
{
    struct why *w = &c->why;
    const bool asked = !c->want.forward && e->seq == c->want.seq;
    bool ends = true;
    arena_done(&c->arena);
    w->now = *e;
    w->search = (struct why_search){ .left = SEARCH_MAX }; /* of each moment: they do not depend on their order */
    w->control = c->want.kind != HS_SLICE_THIN;
    w->control_left = CONTROL_MAX;
    enum status st = why_moment(w, c->want.kind == HS_SLICE_ALL, false, err);
    if (st == OK && c->want.kind == HS_SLICE_ALL && w->site != NULL)
        st = why_add_ways(w, err);
    if (st == OK && asked && c->want.kind != HS_SLICE_CONTROL && w->now.kind == HS_KIND_REF && w->site != NULL &&
        has_own_value(w->site->event))
        st = why_offer_contents(w, err);
    for (size_t i = 0; st == OK && i < w->choice_count; i++)
        ends = ends && !slice_follows(c, &w->choices[i]);
    c->event = w->now;
    c->row = (struct hs_slice){
        .event = &c->event,
        .because = w->because,
        .end = w->end,
        .decision = w->decision,
        .overflow = w->overflow,
        .output = why_writes_output(c->trace, w->site),
    };
    if (ends && c->row.end == NULL)
        c->row.end = "not followed";
    return st;
}
