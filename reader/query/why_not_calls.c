/* why_not_calls.c - the calls of a method, and why they did not come to a target in it.
 *
 * A call that does not come there has taken, at the nearest level (why_not_ways.c) of which it executed a branch,
 * another way; or it took the right one, and an exception came between:
 *
 *     a && b     place      level 1: b true     level 2: a true
 *     a false: b was not executed, so a decided; a true, b false: b decided
 *
 * One pass over the labels, entries and exits of the method keeps for each open call what its branches did last. If a
 * call has to come there several times, that counts from the last time on. */
#include <stdlib.h>
#include <string.h>

#include "reader/query/why_not.h"

struct survey {
    struct asking *asking;
    const struct target *target;
    struct method *method;
    struct ways ways;
    uint32_t first, end; /* data IDs of the method */
};

/* ---- one call ---- */

/* What a branch did in a call, since it came to the target. */
struct branch_seen {
    uint32_t right, other; /* times */
    struct hs_event last_other;
};
struct open_call {
    uint32_t thread;
    bool wanted, caught;
    uint64_t times; /* it came to the target */
    struct hs_event handler, reached;
    enum hs_situation other; /* how it came there otherwise; 0: it did not */
    struct hs_event other_event;
    struct branch_seen *branches; /* as ways.branches */
};
typedef VEC(struct open_call) open_vec;

/* The branch of the nearest level that was executed; of several the one that went another way last. False: none was. */
static bool nearest(const struct survey *s, const struct open_call *c, size_t *out, bool *right)
{
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < s->ways.branches.count; i++) {
        const struct branch_seen *b = &c->branches[i];
        const uint32_t level = ways_level(&s->ways, s->ways.branches.items[i]);
        if (b->right + b->other == 0 || level > best)
            continue;
        if (level == best && (b->right > 0) <= *right &&
            (*right || b->last_other.seq < c->branches[*out].last_other.seq))
            continue;
        *right = b->right > 0;
        best = level;
        *out = i;
    }
    return best != UINT32_MAX;
}

static void set_event(struct reason *r, const struct hs_event *e)
{
    r->last = *e;
    r->has_event = true;
}

static const char *type_of(hs_trace *t, uint64_t object)
{
    const struct hs_object *o = object != 0 && object <= UINT32_MAX ? hs_object_get(t, (uint32_t)object) : NULL;
    return o != NULL ? o->type : NULL;
}

static void set_decision(const struct survey *s, const struct hs_event *label, struct reason *r)
{
    struct way way;
    set_event(r, label);
    if (!way_of(s->asking->trace, label, &way))
        return;
    r->branch = way.branch;
    r->to = way.to;
    r->needed = ways_right(&s->ways, way.branch);
}

/* Why a call ended, by `end` (NULL: it has not), without having come to the target often enough. */
static void why_left(const struct survey *s, const struct open_call *c, const struct hs_event *end, struct reason *r)
{
    hs_trace *t = s->asking->trace;
    const bool thrown = end != NULL && event_type(t, end->dataid) == EVENT_METHOD_EXCEPTIONAL_EXIT;
    const bool handler = ways_has_handler(&s->ways);
    size_t at = 0;
    bool right = false;
    struct hs_event exception;
    const bool executed = nearest(s, c, &at, &right);
    r->times = c->times;
    if (end != NULL)
        set_event(r, end);
    if (executed && !right) {
        r->situation = c->times > 0 ? HS_SITUATION_STOPPED : HS_SITUATION_DECISION;
        set_decision(s, &c->branches[at].last_other, r);
    } else if (thrown) {
        r->situation = HS_SITUATION_EXCEPTION;
        r->exception = type_of(t, end->value);
    } else if (c->caught && !handler) {
        r->situation = HS_SITUATION_CAUGHT;
        set_event(r, &c->handler);
        if (event_beside(t, &c->handler, 1, &exception, NULL) == OK && event_type(t, exception.dataid) == EVENT_CATCH)
            r->exception = type_of(t, exception.value);
    } else if (end == NULL) {
        r->situation = HS_SITUATION_OPEN;
    } else if (handler) {
        r->situation = HS_SITUATION_NO_EXCEPTION;
    } else if (c->times > 0) {
        r->situation = HS_SITUATION_ENDED;
    }
}

static bool end_call(const struct survey *s, struct open_call *c, const struct hs_event *end)
{
    struct reason like = reason_new(HS_SITUATION_UNKNOWN, s->method);
    bool ok = true;
    like.target = s->target->method;
    like.target_insn = s->target->insn;
    if (c->wanted) {
        if (c->times >= s->asking->least) {
            like.situation = HS_SITUATION_REACHED;
            set_event(&like, &c->reached);
        } else if (c->other != 0) {
            like.situation = c->other;
            set_event(&like, &c->other_event);
        } else {
            why_left(s, c, end, &like);
        }
        struct reason *r = reason_like(s->asking, &like);
        ok = r != NULL;
        if (ok) {
            r->calls++;
            r->times = like.times;
            r->has_event = like.has_event;
            r->last = like.last;
        }
    }
    free(c->branches);
    c->branches = NULL;
    return ok;
}

/* ---- its events ---- */

/* Does the data ID show that the place was reached? */
static bool shows_place(const struct survey *s, const struct hs_dataid *d)
{
    const struct code *c = &s->method->code;
    const uint32_t pc = c->insns.items[s->target->insn].pc;
    if (s->target->dataid != NO_ID)
        return d->dataid == s->target->dataid;
    if (s->target->insn == 0)
        return d->event == EVENT_METHOD_ENTRY;
    if (event_stand(d->event)->where != AT_INSN && d->event != EVENT_LINE_NUMBER && d->event != EVENT_LABEL &&
        d->event != EVENT_CATCH_LABEL && d->event != EVENT_CATCH)
        return false;
    if (event_has(d->event, USE_STATIC_ONLY) || d->pc < pc || d->pc >= c->length)
        return false;
    for (uint32_t p = pc + 1; p <= d->pc; p++)
        if ((c->flags[p] & PC_LABEL) != 0) /* another block */
            return false;
    return true;
}

static bool follows_call(unsigned event)
{
    return event == EVENT_METHOD_ENTRY || event == EVENT_LABEL || event == EVENT_CATCH_LABEL ||
           event == EVENT_METHOD_NORMAL_EXIT || event == EVENT_METHOD_EXCEPTIONAL_EXIT;
}

static bool list_ids(const struct survey *s, u32_vec *ids, bool *recorded)
{
    bool entry = false, label = !s->method->code.has_jumps;
    for (uint32_t id = s->first; id < s->end; id++) {
        const struct hs_dataid *d = dataid_or_none(s->asking->trace, id);
        entry |= d->event == EVENT_METHOD_ENTRY;
        label |= d->event == EVENT_LABEL;
        if (!follows_call(d->event) && !shows_place(s, d))
            continue;
        uint32_t *to = vec_push(ids);
        if (to == NULL)
            return false;
        *to = id;
    }
    *recorded = entry && label;
    return true;
}

static struct open_call *call_of(open_vec *calls, uint32_t thread)
{
    for (size_t i = calls->count; i-- > 0;)
        if (calls->items[i].thread == thread)
            return &calls->items[i];
    return NULL;
}

static void note_way(const struct survey *s, struct open_call *c, const struct hs_event *e)
{
    struct way way;
    if (!way_of(s->asking->trace, e, &way))
        return;
    for (size_t i = 0; i < s->ways.branches.count; i++) {
        if (s->ways.branches.items[i] != way.branch)
            continue;
        if (ways_is_needed(&s->ways, way.branch, way.to)) {
            c->branches[i].right++;
        } else {
            c->branches[i].other++;
            c->branches[i].last_other = *e;
        }
    }
}

/* The call came to the target. */
static enum status come(struct survey *s, struct open_call *c, const struct hs_event *e, struct error *err)
{
    enum hit hit = HIT;
    struct hs_event seen = *e;
    enum hs_situation situation = HS_SITUATION_UNKNOWN;
    const uint32_t line_event = c->times > 0 ? c->reached.dataid : e->dataid;
    const struct target *target = s->target;
    enum status st = target->hit != NULL ? target->hit(s->asking, e, &hit, &situation, &seen, err) : OK;
    if (st != OK || hit == NO_HIT)
        return st;
    if (hit == OTHER_HIT) {
        c->other = situation;
        c->other_event = seen;
        return OK;
    }
    if (target->dataid == NO_ID && e->dataid != line_event) /* one of the events of a round counts */
        return OK;
    c->reached = c->times == 0 || s->asking->least > 1 ? seen : c->reached;
    c->times++;
    if (c->times < s->asking->least) {
        memset(c->branches, 0, (s->ways.branches.count + 1) * sizeof *c->branches);
        c->caught = false;
    }
    return OK;
}

static bool begin_call(struct survey *s, open_vec *calls, const struct hs_event *e)
{
    const uint64_t in = s->asking->options->in;
    struct open_call *c = vec_push(calls);
    if (c == NULL)
        return false;
    *c = (struct open_call){ .thread = e->thread, .wanted = in == HS_NO_SEQ || in == e->seq };
    c->branches = calloc(s->ways.branches.count + 1, sizeof *c->branches);
    return c->branches != NULL;
}

static enum status take(struct survey *s, open_vec *calls, const struct hs_event *e, struct error *err)
{
    hs_trace *t = s->asking->trace;
    const struct hs_dataid *d = dataid_or_none(t, e->dataid);
    if (d->event == EVENT_METHOD_ENTRY && !begin_call(s, calls, e))
        return state_memory(t, err);
    struct open_call *c = call_of(calls, e->thread);
    if (c == NULL)
        return OK;
    if (d->event == EVENT_CATCH_LABEL && c->times < s->asking->least) {
        c->caught = true;
        c->handler = *e;
    }
    note_way(s, c, e);
    const enum status st = shows_place(s, d) ? come(s, c, e, err) : OK;
    if (st != OK || !event_has(d->event, USE_LEAVE))
        return st;
    const bool ok = end_call(s, c, e);
    const size_t at = (size_t)(c - calls->items);
    memmove(c, c + 1, (calls->count - at - 1) * sizeof *c);
    calls->count--;
    return ok ? OK : state_memory(t, err);
}

/* ---- all calls ---- */

static enum status walk_calls(struct survey *s, const u32_vec *ids, uint64_t *entered, struct error *err)
{
    hs_trace *t = s->asking->trace;
    open_vec calls = { 0 };
    struct walk walk;
    struct hs_event e;
    enum status st = OK;
    bool ok = true;
    walk_open_ids(&walk, t, ids, 0, s->asking->options->at);
    while (st == OK && walk_next(&walk, &e)) {
        *entered += event_type(t, e.dataid) == EVENT_METHOD_ENTRY;
        st = take(s, &calls, &e, err);
    }
    for (size_t i = 0; i < calls.count; i++)
        ok = end_call(s, &calls.items[i], NULL) && ok;
    vec_free(&calls);
    const enum status walked = walk_close(&walk, st == OK ? err : NULL);
    st = st == OK ? walked : st;
    return st == OK && !ok ? state_memory(t, err) : st;
}

static void find_ids(struct survey *s)
{
    const struct hs_class *c = s->method->owner;
    for (uint32_t id = c->first_dataid; id - c->first_dataid < c->dataid_count; id++) {
        const struct hs_dataid *d = hs_dataid_get(s->asking->trace, id);
        if (d == NULL || d->method_id != s->method->row->method_id)
            continue;
        s->first = s->end == 0 ? id : s->first;
        s->end = id + 1;
    }
}

enum status survey_target(struct asking *a, const struct target *target, unsigned deep, struct error *err)
{
    struct method *m = target->method;
    struct survey s = { .asking = a, .target = target, .method = m };
    u32_vec ids = { 0 };
    uint64_t entered = 0;
    bool recorded = false;
    enum status st = OK;
    find_ids(&s);
    if (!ways_find(a->trace, m, target->insn, &s.ways) || !list_ids(&s, &ids, &recorded))
        st = state_memory(a->trace, err);
    else if (!recorded)
        st = add_reason(a, HS_SITUATION_NOT_RECORDED, m, NULL, err);
    else
        st = walk_calls(&s, &ids, &entered, err);
    if (st == OK && recorded && entered == 0) {
        st = add_reason(a, HS_SITUATION_NOT_CALLED, m, NULL, err);
        struct uncalled *to = st == OK ? vec_push(&a->uncalled) : NULL;
        if (to != NULL)
            *to = (struct uncalled){ m->row, deep };
        st = st == OK && to == NULL ? state_memory(a->trace, err) : st;
    }
    vec_free(&ids);
    ways_done(&s.ways);
    return st;
}

enum status survey_method(struct asking *a, struct method *m, uint32_t insn, unsigned deep, struct error *err)
{
    const struct target target = { .method = m, .insn = insn, .dataid = NO_ID };
    return survey_target(a, &target, deep, err);
}
