/* why_control.c - why a moment came at all: the branch that it stands under, the handler, the call of its method.
 *
 *     LABEL 12 -> 15   LOCAL_LOAD   CALL   ...   LOCAL_STORE
 *           ^---- the nearest decision before it in its frame, on which its instruction depends (code/control.h)
 *
 * Of the rounds of a loop the last one is shown: a branch that decided itself in the round before is passed over, up to
 * what the loop stands under. */
#include "reader/query/branch_track.h"
#include "reader/query/decider.h"
#include "reader/query/periods.h"
#include "reader/query/place.h"

#include <stdio.h>
#include <string.h>

/* Control at an instruction of a frame, before an event. */
struct standing {
    struct method *method;
    struct call_frame frame;
    struct event_position at;
    uint32_t insn; /* NO_INSN: the method is being entered */
    bool is_branch;
};

/* Rounds of a loop behind a branch; uncounted: it has too many. */
struct rounds {
    size_t count;
    bool uncounted;
};

/* ---- where a moment stands ---- */

/* The instruction of w->now; of a value that is a constant the one that pushed it, as in `x > 2 ? 10 : 0`. False: it is
 * not known. */
static enum status find_insn(struct why *w, struct standing *s, bool *known, struct error *err)
{
    struct way way;
    struct hs_place place;
    *known = true;
    s->insn = NO_INSN;
    if (w->site->event == EVENT_METHOD_ENTRY || w->site->event == EVENT_METHOD_PARAM)
        return OK;
    if (way_of(w->trace, &w->now, &way)) {
        s->insn = way.branch;
        s->is_branch = true;
        return OK;
    }
    place = (struct hs_place){ .pc = w->site->pc };
    if (w->site->event == EVENT_METHOD_EXCEPTIONAL_EXIT || w->site->event == EVENT_CATCH) {
        enum status st = place_of_throw(w->trace, &w->now, &place, err);
        if (st != OK)
            return st;
    }
    s->insn = code_insn_at(&s->method->code, w->constant_pc != UINT32_MAX ? w->constant_pc : place.pc);
    *known = s->insn != NO_INSN && !place.unsure;
    return OK;
}

static enum status stand(struct why *w, struct standing *s, bool *known, struct error *err)
{
    const struct replay *state;
    *s = (struct standing){ .method = method_get(w->trace, w->site->method_id), .at = why_position(w, &w->now) };
    *known = false;
    if (s->method == NULL)
        return OK;
    enum status st = frames_at(w->trace, s->at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (w->site->event == EVENT_METHOD_ENTRY)
        s->frame = (struct call_frame){ .method = w->site->method_id, .entry = w->now.position };
    else if (top != NULL && top->method == w->site->method_id)
        s->frame = *top;
    else
        s->frame = (struct call_frame){ .method = w->site->method_id, .entry = NO_POSITION };
    return find_insn(w, s, known, err);
}

/* ---- what it stands under ---- */

/* Is `branch`, which decided the branch `base`, of a round of the loop before this one? */
static bool is_round_before(const struct control *g, uint32_t base, uint32_t branch, struct branch_chain *c,
                            bool *no_memory)
{
    const size_t count = g->code->insns.count;
    if (branch == base)
        return true;
    if (c->from == NULL) {
        c->from = calloc(count, 1);
        c->to = calloc(count, 1);
        *no_memory = c->from == NULL || c->to == NULL || !control_reach(g, base, false, c->from) ||
                     !control_reach(g, base, true, c->to);
        if (*no_memory)
            return false;
    }
    return decider_is_round(g, base, branch, c->from, c->to);
}

/* Does `insn` run because of this way? */
static bool way_decides(const struct control *g, const struct branch *b, uint32_t insn)
{
    return (b->caught ? control_catch_decides : control_decides)(g, b->from, b->to, insn);
}

static bool is_no_way(void *context, uint32_t from, uint32_t to, bool caught)
{
    (void)context, (void)from, (void)to, (void)caught;
    return false;
}

static bool has_labels(struct why *w)
{
    const struct hs_class *c = tables_class_of(w->trace, w->site->dataid);
    uint32_t id = w->site->dataid, end = id;
    if (c == NULL)
        return false;
    for (dataid_siblings(w->trace, c, &id, &end); id < end; id++) {
        const unsigned event = dataid_or_none(w->trace, id)->event;
        if (event == EVENT_LABEL || event == EVENT_CATCH_LABEL)
            return true;
    }
    return false;
}

/* The nearest branch that decided the instruction. */
static enum status find_nearest(hs_trace *t, const struct control *g, struct branch_start *start, uint32_t insn,
                                int64_t *number, struct branch *out, struct error *err)
{
    for (*number = start->number;; ++*number) {
        const enum status st = branches_get(t, start, *number, out, err);
        if (st != OK || way_decides(g, out, insn))
            return st;
    }
}

/* Goes on with the chain until its decision is known. ERR_LIMIT: it is not within the bound. */
static enum status run_chain(hs_trace *t, const struct control *g, struct branch_start *start, struct branch_chain *c,
                             struct error *err)
{
    bool no_memory = false;
    while (!c->over) {
        struct branch b;
        const enum status st = branches_get(t, start, c->next, &b, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        c->over = st == ERR_NOT_FOUND;
        if (c->over || !way_decides(g, &b, c->now)) {
            c->next += !c->over;
            continue;
        }
        if (!b.caught && is_round_before(g, c->base, b.from, c, &no_memory)) {
            no_memory = !branch_chain_add(c, c->next, false);
            c->now = b.from;
        } else {
            c->over = !no_memory;
            c->decision = c->next;
        }
        if (no_memory)
            return state_memory(t, err);
        c->next++;
    }
    return OK;
}

/* The chain of the branch at the begin of the walk; `*link`: itself. */
static enum status find_chain(hs_trace *t, const struct control *g, struct branch_start *start, uint32_t base,
                              struct branch_chain **out, int64_t *link, struct error *err)
{
    const int64_t own = start->number - 1;
    struct branch b;
    int64_t number;
    *out = branch_chain_of(start->track, base, own, link);
    if (*out != NULL)
        return OK;
    enum status st = find_nearest(t, g, start, base, &number, &b, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == OK && !b.caught && b.from == base)
        *out = branch_chain_of(start->track, base, number, link);
    if (*out != NULL) { /* a round behind one that is kept */
        const bool is_newest = *link == -(int64_t)(*out)->newer.count;
        --*link;
        return !is_newest || branch_chain_add(*out, own, true) ? OK : state_memory(t, err);
    }
    *link = 0;
    *out = branch_chain_new(start->track, base, own);
    return *out != NULL ? OK : state_memory(t, err);
}

/* What decided the branch at the begin of the walk, before all rounds of its loop. */
static enum status find_before_loop(hs_trace *t, const struct control *g, struct branch_start *start, uint32_t base,
                                    size_t *rounds, struct branch *out, struct error *err)
{
    struct branch_chain *c;
    int64_t link;
    enum status st = find_chain(t, g, start, base, &c, &link, err);
    if (st == OK)
        st = run_chain(t, g, start, c, err);
    if (st != OK)
        return st;
    *rounds = (size_t)((int64_t)c->older.count - 1 - link);
    return branches_get(t, start, c->decision != NO_BRANCH ? c->decision : c->next, out, err);
}

/* What decided: LABEL or CATCH_LABEL. ERR_NOT_FOUND: nothing did in this frame. ERR_LIMIT: the search met its bound. */
static enum status find_decision(struct why *w, const struct standing *s, struct rounds *rounds, struct hs_event *out,
                                 struct error *err)
{
    const struct control *g = method_control(w->trace, s->method);
    struct branch_start start;
    struct branch b;
    int64_t number;
    if (g == NULL)
        return state_memory(w->trace, err);
    if (control_ways(g, s->insn, is_no_way, NULL))
        return ERR_NOT_FOUND; /* without a walk over the frame */
    enum status st = branches_from(w->trace, s->at, &s->frame, s->is_branch, w->control_left, &start, err);
    if (st == OK && s->is_branch)
        st = find_before_loop(w->trace, g, &start, s->insn, &rounds->count, &b, err);
    else if (st == OK)
        st = find_nearest(w->trace, g, &start, s->insn, &number, &b, err);
    if (st == ERR_LIMIT) {
        w->control_left = 0;
        rounds->uncounted = s->is_branch;
        return decider_find(w, g, &s->frame, s->insn, s->is_branch, out, err);
    }
    if (st == OK)
        w->control_left -= (uint32_t)(b.steps - start.steps);
    else if (st == ERR_NOT_FOUND)
        w->control_left -= (uint32_t)branches_walked(&start);
    return st == OK ? positions_event(w->trace, (struct event_position){ s->at.stream, b.position }, out, err) : st;
}

/* The call that entered the frame: its CALL, or the last event before it of the frame that was then on top.
 * ERR_NOT_FOUND: no frame was. */
static enum status find_caller(struct why *w, const struct standing *s, struct hs_event *out, struct error *err)
{
    struct event_position at = { s->at.stream, s->frame.entry };
    const struct replay *state;
    enum status st = frames_at(w->trace, at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *caller = replay_top(state);
    if (caller == NULL || caller->last == NO_POSITION)
        return ERR_NOT_FOUND;
    at.position = caller->last;
    for (;;) {
        st = positions_event(w->trace, at, out, err);
        if (st != OK || event_type(w->trace, out->dataid) != EVENT_CALL_PARAM || at.position == 0)
            return st;
        at.position--;
    }
}

/* ---- links ---- */

static const char *method_text(struct why *w, char *out, size_t size)
{
    const struct hs_method *m = hs_method_get(w->trace, w->site->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(w->trace, m->class_no) : NULL;
    (void)snprintf(out, size, "%s.%s", c != NULL ? c->name : "?", m != NULL ? m->name : "?");
    return out;
}

/* Behind what was said: the rounds of its loop that are passed over. */
static void say_rounds(struct why *w, const struct rounds *rounds)
{
    const size_t n = strlen(w->because);
    if (rounds->uncounted)
        (void)snprintf(w->because + n, sizeof w->because - n, ", after rounds of the loop that were not counted");
    else if (rounds->count > 0)
        (void)snprintf(w->because + n, sizeof w->because - n, ", after %zu round%s of the loop", rounds->count,
                       rounds->count > 1 ? "s" : "");
}

/* No frame was on top when the frame was entered: nothing called it, or what was open then lies behind a gap. */
static enum status without_caller(struct why *w, const struct standing *s, struct error *err)
{
    char name[TEXT_MAX / 2];
    struct hs_event first, entered;
    enum status st = positions_event(w->trace, (struct event_position){ s->at.stream, 0 }, &first, err);
    if (st == OK)
        st = positions_event(w->trace, (struct event_position){ s->at.stream, s->frame.entry }, &entered, err);
    if (st != OK)
        return st;
    const char *gap = recording_gap_text(w->trace, &first, &entered);
    if (gap == NULL)
        return why_ends(w, "entry of the thread", "in every run of %s, which nothing recorded called",
                        method_text(w, name, sizeof name));
    return why_ends(w, "not recorded", "in every run of %s; what called it began before a gap: %s",
                    method_text(w, name, sizeof name), gap);
}

static enum status under_caller(struct why *w, const struct standing *s, struct hs_event *out, struct error *err)
{
    char name[TEXT_MAX / 2];
    if (s->frame.entry == NO_POSITION)
        return why_ends(w, "not recorded", "the begin of this call is not recorded");
    enum status st = find_caller(w, s, out, err);
    if (st == ERR_NOT_FOUND)
        return without_caller(w, s, err);
    if (st == OK)
        st = why_number(w, out, err);
    if (st != OK)
        return st;
    (void)snprintf(w->because, sizeof w->because, "in every run of %s, called at seq %llu",
                   method_text(w, name, sizeof name), (unsigned long long)out->seq);
    w->end = NULL;
    return OK;
}

static enum status under_decision(struct why *w, struct hs_event *out, struct error *err)
{
    const bool caught = event_type(w->trace, out->dataid) == EVENT_CATCH_LABEL;
    struct hs_event exception;
    if (caught && event_beside(w->trace, out, 1, &exception, NULL) == OK &&
        event_type(w->trace, exception.dataid) == EVENT_CATCH)
        *out = exception;
    enum status st = why_number(w, out, err);
    if (st != OK)
        return st;
    (void)snprintf(w->because, sizeof w->because, "%s at seq %llu",
                   caught ? "in the handler of the exception that was caught" : "under the branch",
                   (unsigned long long)out->seq);
    w->end = NULL;
    return OK;
}

/* What w->now stands under: sets because and end, and `*out` unless it ends. */
static enum status find_parent(struct why *w, struct hs_event *out, struct error *err)
{
    struct standing s;
    bool known;
    struct rounds rounds = { 0 };
    enum status st = stand(w, &s, &known, err);
    if (st != OK)
        return st;
    if (s.method == NULL)
        return why_ends(w, "no bytecode", "the trace has no class file of this method");
    if (!known)
        return why_ends(w, "not known", "which instruction threw is not known");
    if (s.insn == NO_INSN)
        return under_caller(w, &s, out, err);
    if (!has_labels(w) && (s.method->code.has_jumps || s.method->code.handlers.count > 0))
        return why_ends(w, "not recorded", "which branches were taken is not recorded: weave LABEL");
    st = find_decision(w, &s, &rounds, out, err);
    if (st == ERR_LIMIT)
        return why_ends(w, "not known", "the search for the branch met its bound");
    st = st == OK ? under_decision(w, out, err) : st == ERR_NOT_FOUND ? under_caller(w, &s, out, err) : st;
    say_rounds(w, &rounds);
    return st;
}

static bool is_throw(struct why *w, const struct hs_event *e)
{
    return event_has(event_type(w->trace, e->dataid), USE_EXCEPTION);
}

/* Adds what w->now stands under to its choices, as the first one; without it the chain ends. */
static enum status put_parent(struct why *w, struct error *err)
{
    struct hs_event parent;
    w->end = NULL;
    enum status st = find_parent(w, &parent, err);
    if (st == OK && w->end == NULL && parent.seq >= w->now.seq)
        return why_ends(w, "not known", "what it stands under is not known");
    if (st == OK && w->end == NULL) {
        why_prefer(w, &parent, HS_BY_CONTROL);
        w->choices[0].role = "what it stands under";
    }
    return st;
}

enum status why_explain_control(struct why *w, struct error *err)
{
    char thrown[TEXT_MAX / 2] = "";
    enum status st = decision_make(w, &w->decision, err);
    if (st == OK && (w->site->event == EVENT_CATCH || w->site->event == EVENT_METHOD_EXCEPTIONAL_EXIT)) {
        st = why_explain(w, err);
        if (st == OK && w->choice_count > 0 && is_throw(w, &w->choices[0].event)) {
            w->choices[0].by = HS_BY_CONTROL;
            return OK;
        }
        (void)snprintf(thrown, sizeof thrown, "%.*s; ", TEXT_MAX / 2 - 3, w->because);
    }
    if (st == OK)
        st = put_parent(w, err);
    const size_t n = strlen(thrown), m = strlen(w->because);
    if (st == OK && n > 0) {
        memmove(w->because + n, w->because, m + n < sizeof w->because ? m + 1 : sizeof w->because - n);
        memcpy(w->because, thrown, n);
        w->because[sizeof w->because - 1] = '\0';
    }
    return st;
}

/* Of w->now, explained by data: its parent behind the other choices. */
enum status why_add_control(struct why *w, struct error *err)
{
    char because[TEXT_MAX];
    const char *end = w->end;
    struct hs_event parent;
    memcpy(because, w->because, sizeof because);
    enum status st = find_parent(w, &parent, err);
    const bool found = st == OK && w->end == NULL;
    memcpy(w->because, because, sizeof because);
    w->end = end;
    return found ? why_offer(w, &parent, HS_BY_CONTROL, err, "what it stands under") : st;
}

enum status why_find_under(struct why *w, struct error *err)
{
    const struct why now = { .now = w->now, .site = w->site, .end = w->end, .choice_count = w->choice_count };
    char because[TEXT_MAX];
    struct hs_event parent;
    memcpy(because, w->because, sizeof because);
    enum status st = find_parent(w, &parent, err);
    if (st == OK && w->end == NULL) {
        w->now = parent;
        w->site = dataid_or_none(w->trace, parent.dataid);
        st = decision_make(w, &w->decision, err);
    }
    w->now = now.now;
    w->site = now.site;
    w->end = now.end;
    w->choice_count = now.choice_count;
    memcpy(w->because, because, sizeof because);
    return st;
}
