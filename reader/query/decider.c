/* decider.c - see decider.h.
 *
 *     while (i < n)    the branch of every round decides itself in the next one: a round
 *         ...
 *     if (x) while ... x decides the first: an end
 *
 * A walk over the frame would come through all rounds of a long loop. The ways that are ends are few in the code, and
 * chunks without their LABELs are passed over with an index. Where some of the branches of a loop have other ends than
 * the others it takes the walk to know which of them counts. */
#include "reader/query/decider.h"

#include "reader/query/place.h"

#include <stdlib.h>

enum { LABELS_SEEN = 256 };

struct end {
    uint32_t to;
    bool caught;
};
struct search {
    const struct control *g;
    uint32_t base;
    bool is_branch;
    uint8_t *from, *to; /* control_reach of `base` */
    u32_vec members;    /* `base`, and the branches of its rounds */
    VEC(struct end) ends;
    bool no_memory;
};

bool decider_is_round(const struct control *g, uint32_t base, uint32_t branch, const uint8_t *from, const uint8_t *to)
{
    return branch == base || (from[branch] && to[branch] && !control_dominates(g, branch, base));
}

static bool is_round(const struct search *s, uint32_t from, bool caught)
{
    return s->is_branch && !caught && decider_is_round(s->g, s->base, from, s->from, s->to);
}

static bool add_member(struct search *s, uint32_t insn)
{
    for (size_t i = 0; i < s->members.count; i++)
        if (s->members.items[i] == insn)
            return true;
    uint32_t *at = vec_push(&s->members);
    if (at != NULL)
        *at = insn;
    return at != NULL;
}

static bool add_way(void *context, uint32_t from, uint32_t to, bool caught)
{
    struct search *s = context;
    if (is_round(s, from, caught))
        return !(s->no_memory = !add_member(s, from));
    struct end *at = vec_push(&s->ends);
    if (at != NULL)
        *at = (struct end){ to, caught };
    return !(s->no_memory = at == NULL);
}

static bool decides_all(const struct search *s, uint32_t from, uint32_t to, bool caught)
{
    for (size_t i = 0; i < s->members.count; i++)
        if (!(caught ? control_catch_decides : control_decides)(s->g, from, to, s->members.items[i]))
            return false;
    return true;
}

/* Does `each` way that ends the rounds of one member end those of all? */
static bool ends_all(void *context, uint32_t from, uint32_t to, bool caught)
{
    const struct search *s = context;
    return is_round(s, from, caught) || decides_all(s, from, to, caught);
}

/* ERR_LIMIT: the members have different ends. */
static enum status find_ends(struct search *s)
{
    const size_t count = s->g->code->insns.count;
    s->from = calloc(count + 1, 1);
    s->to = calloc(count + 1, 1);
    s->no_memory = s->from == NULL || s->to == NULL || !control_reach(s->g, s->base, false, s->from) ||
                   !control_reach(s->g, s->base, true, s->to) || !add_member(s, s->base);
    for (size_t i = 0; !s->no_memory && i < s->members.count; i++)
        (void)control_ways(s->g, s->members.items[i], add_way, s);
    for (size_t i = 0; !s->no_memory && i < s->members.count; i++)
        if (!control_ways(s->g, s->members.items[i], ends_all, s))
            return ERR_LIMIT;
    return s->no_memory ? ERR_MEMORY : OK;
}

/* The data IDs of the labels that the ends lead to. */
static bool find_ids(struct why *w, const struct search *s, u32_vec *ids)
{
    const struct hs_class *c = tables_class_of(w->trace, w->site->dataid);
    uint32_t id = w->site->dataid, end = id;
    if (c == NULL)
        return true;
    for (dataid_siblings(w->trace, c, &id, &end); id < end; id++) {
        const struct hs_dataid *d = dataid_or_none(w->trace, id);
        const bool caught = d->event == EVENT_CATCH_LABEL;
        bool wanted = false;
        if (d->method_id != w->site->method_id || (d->event != EVENT_LABEL && !caught))
            continue;
        for (size_t i = 0; !wanted && i < s->ends.count; i++)
            wanted = s->ends.items[i].caught == caught && s->ends.items[i].to == code_insn_at(s->g->code, d->pc);
        uint32_t *to = wanted ? vec_push(ids) : NULL;
        if (to != NULL)
            *to = id;
        else if (wanted)
            return false;
    }
    return true;
}

static bool is_end(struct why *w, const struct search *s, const struct hs_event *e)
{
    struct way way;
    const bool caught = !way_of(w->trace, e, &way);
    if (caught && !way_caught(w->trace, e, &way))
        return false;
    return !is_round(s, way.branch, caught) && decides_all(s, way.branch, way.to, caught);
}

static enum status is_of_frame(struct why *w, const struct call_frame *frame, const struct hs_event *e, bool *out,
                               struct error *err)
{
    const struct replay *state;
    const enum status st = frames_at(w->trace, why_position(w, e), &state, err);
    const struct call_frame *top = st == OK ? replay_top(state) : NULL;
    *out = st == OK &&
           (top != NULL ? top->method == frame->method && top->entry == frame->entry : frame->entry == NO_POSITION);
    return st;
}

static enum status search_labels(struct why *w, const struct search *s, const struct call_frame *frame,
                                 const u32_vec *ids, struct hs_event *out, struct error *err)
{
    const uint64_t begin = gap_before(w->trace, w->now.stamp);
    struct walk walk;
    enum status st = ERR_NOT_FOUND;
    bool found = false;
    walk_open_ids(&walk, w->trace, ids, 0, w->now.seq);
    walk_seek(&walk, w->now.seq);
    for (size_t n = 0; st == ERR_NOT_FOUND && !found && walk_previous(&walk, out); n++) {
        if (out->stamp < begin)
            break;
        if (out->thread == w->now.thread && frame->entry != NO_POSITION && out->position < frame->entry)
            break;
        if (n == LABELS_SEEN)
            st = ERR_LIMIT;
        else if (out->thread == w->now.thread && is_end(w, s, out) && is_of_frame(w, frame, out, &found, err) != OK)
            st = err->status;
    }
    return walk_end(&walk, found ? OK : st, err);
}

enum status decider_find(struct why *w, const struct control *g, const struct call_frame *frame, uint32_t insn,
                         bool is_branch, struct hs_event *out, struct error *err)
{
    struct search s = { .g = g, .base = insn, .is_branch = is_branch };
    u32_vec ids = { 0 };
    enum status st = find_ends(&s);
    if (st == OK && !find_ids(w, &s, &ids))
        st = ERR_MEMORY;
    if (st == ERR_MEMORY)
        st = state_memory(w->trace, err);
    if (st == OK)
        st = ids.count > 0 ? search_labels(w, &s, frame, &ids, out, err) : ERR_NOT_FOUND;
    free(s.from);
    free(s.to);
    vec_free(&s.members);
    vec_free(&s.ends);
    vec_free(&ids);
    return st;
}
