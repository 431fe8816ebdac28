/* failure_steps.c - the steps by which a value came: the tree of `why --all`, joined to lines of the program.
 *
 * They begin at the value that was compared, at the parts in which it differs from what was expected, and then at the
 * values that branches looked at: a constant says no more than that its branch was taken. All that they lead to is
 * found, within bounds; which of it is shown failure_choose.c says. */
#include <stdio.h>
#include <string.h>

#include "reader/cli/failure_parts.h"

enum {
    FOUND_MAX = 4000,
    NEXT_EVENTS_MAX = 10000,
    CONSTRUCTOR_EVENTS_MAX = 200,
    CONSTRUCTOR_LINES_MAX = 4,
    SHORT_MAX = 12,
    GIVEN_MAX = 3,
    WALK_DEPTH = 48,
    WALK_ROWS = 600,
    ROOTS_MAX = 400,
    WALKS_MAX = 40,
    COST_OF_PART = 6,
    COST_OF_SAME_LINE = 8,
    COST_OF_CONSTANT = 10,
    SEEN_MAX = 12
};

/* A moment of the tree. `step`: what was found that stands for it; SIZE_MAX: none, it is left out with what it comes
 * from. */
struct node {
    size_t step;
    uint32_t method_id;
    int32_t line;
    struct hs_event event;
    uint64_t key_seq; /* the key that it was asked for by; HS_NO_SEQ: none */
    const char *key_role;
};
struct root {
    uint64_t seq;
    const struct hs_decision *of;
    const char *part;
    unsigned cost;
    size_t found; /* it goes on from this one; SIZE_MAX: it begins steps */
    bool walked;
};
struct walk {
    hs_trace *trace;
    struct failure *f;
    failure_seen_vec *seen;
    failure_found_vec found;
    VEC(struct root) roots;  /* those to come, and those that were */
    const struct root *root; /* that is walked */
    struct node path[WALK_DEPTH + 1];
};

/* Which object a field or element was read from, or a method was called on, is not where a value comes from. */
static bool is_side_step(const struct hs_dataid *d)
{
    return d->event == HS_EVENT_GET_INSTANCE_FIELD || d->event == HS_EVENT_ARRAY_LOAD;
}

static bool see(struct walk *w, uint32_t object, uint64_t write, uint64_t read)
{
    if (object == 0 || w->seen->count >= SEEN_MAX)
        return true;
    for (size_t i = 0; i < w->seen->count; i++)
        if (w->seen->items[i].object == object && w->seen->items[i].write == write)
            return true;
    struct failure_seen *to = vec_push(w->seen);
    if (to != NULL)
        *to = (struct failure_seen){ object, write, read };
    return to != NULL;
}

static bool is_collection(hs_trace *t, const struct hs_event *e)
{
    const struct hs_object *o =
        e->kind == HS_KIND_REF && e->value - 1 < UINT32_MAX ? hs_object_get(t, (uint32_t)e->value) : NULL;
    const struct hs_contents *c;
    return o != NULL && o->type != NULL && strncmp(o->type, "java.util.", 10) == 0 &&
           hs_contents_at(t, (uint32_t)e->value, e->seq, &c, NULL) > 0 && c->shape != HS_CONTENTS_VALUE;
}

/* Collections on the way, and fields that were written long before they were read. False: out of memory. */
static bool see_objects(struct walk *w, const struct hs_cause *c, const struct hs_dataid *d)
{
    const struct node *parent = c->depth > 0 ? &w->path[c->depth - 1] : NULL;
    const bool collection = is_collection(w->trace, c->event);
    if (collection && !see(w, (uint32_t)c->event->value, HS_NO_SEQ, c->event->seq))
        return false;
    if (collection || parent == NULL || d->event != HS_EVENT_PUT_INSTANCE_FIELD_VALUE)
        return true;
    const struct hs_event read = parent->event, *e = c->event;
    const uint64_t write = e->seq;
    return see(w, failure_read_object(w->trace, &read), write, read.seq);
}

/* A key says nothing by its value alone: what it is the key of is shown, too. */
static void note_key(struct node *node, const struct hs_cause *c)
{
    static const char role[] = "the key of ";
    for (size_t i = 0; i < c->choice_count && node->key_seq == HS_NO_SEQ; i++)
        if (strncmp(c->choices[i]->role, role, sizeof role - 1) == 0) {
            node->key_seq = c->choices[i]->event->seq;
            node->key_role = c->choices[i]->role;
        }
}

/* Why, behind what it was to the step above. */
static const char *because_of(struct walk *w, const char *role, const char *because)
{
    const char *text = role != NULL && because != NULL ? failure_text(w->f, "%s; %s", role, because) : NULL;
    return text != NULL ? text : because;
}

static bool same_variable(const struct hs_dataid *a, const struct hs_dataid *b)
{
    const char *x = show_text_attr(a, "name"), *y = b != NULL ? show_text_attr(b, "name") : NULL;
    return x != NULL && y != NULL && strcmp(x, y) == 0;
}

/* Is it n++ of a field? Of a variable that the branch looks at, as in loops, it says nothing. */
static bool is_counted(struct walk *w, const struct hs_cause *c, const struct hs_dataid *d)
{
    const struct hs_event *e;
    if (c->operand_count > 1 || c->choice_count == 0 || c->choices[0]->event->value == c->event->value ||
        !same_variable(d, hs_dataid_get(w->trace, c->choices[0]->event->dataid)))
        return false;
    for (size_t i = 0; c->decision != NULL && i < c->decision->value_count; i++) {
        const uint64_t seq = c->decision->values[i]->seq;
        if (seq != HS_NO_SEQ && hs_event_at(w->trace, seq, &e, NULL) == 0 &&
            same_variable(d, hs_dataid_get(w->trace, e->dataid)))
            return false;
    }
    return true;
}

/* Does the branch say what the value is? That of a constant does, that of a counter, and one behind an operand of what
 * was computed, as in `n += x > 2 ? 10 : 0`. */
static bool is_chosen(struct walk *w, const struct hs_cause *c, const struct hs_dataid *d)
{
    const bool computed = d->event == HS_EVENT_LOCAL_STORE || d->event == HS_EVENT_PUT_INSTANCE_FIELD_VALUE ||
                          d->event == HS_EVENT_PUT_STATIC_FIELD || d->event == HS_EVENT_ARRAY_STORE_VALUE ||
                          d->event == HS_EVENT_METHOD_NORMAL_EXIT || d->event == HS_EVENT_CALL_PARAM;
    if (c->end != NULL && strcmp(c->end, "constant") == 0)
        return true;
    if (computed && is_counted(w, c, d))
        return true;
    for (size_t i = 0; computed && c->decision != NULL && i < c->choice_count; i++) {
        const struct hs_dataid *of = hs_dataid_get(w->trace, c->choices[i]->event->dataid);
        if (c->choices[i]->event->seq < c->decision->seq && of != NULL && of->method_id == d->method_id &&
            of->line == d->line)
            return true;
    }
    return false;
}

/* False: out of memory. The way to a step costs one more for each line that was not found before; where the line has
 * one already, a step is shown if there is room, and a constant last of all. */
static bool add_found(struct walk *w, const struct failure_step *step, size_t of)
{
    const struct hs_dataid *d = hs_dataid_get(w->trace, step->event.dataid);
    const int32_t line = failure_spot(w->trace, &step->event).line;
    const bool constant = step->end != NULL && strcmp(step->end, "constant") == 0;
    unsigned way = of != SIZE_MAX ? w->found.items[of].way : w->root->cost;
    bool is_new = true;
    for (size_t i = 0; is_new && i < w->found.count; i++)
        is_new = w->found.items[i].method_id != d->method_id || w->found.items[i].line != line;
    way += is_new;
    struct failure_found *to = vec_push(&w->found);
    if (to != NULL)
        *to = (struct failure_found){ .step = *step,
                                      .of = of,
                                      .method_id = d->method_id,
                                      .line = line,
                                      .way = way,
                                      .cost = way + (is_new     ? 0
                                                     : constant ? COST_OF_CONSTANT
                                                                : COST_OF_SAME_LINE) };
    return to != NULL;
}

static bool push_step(struct walk *w, const struct hs_cause *c, const struct node *parent, size_t of)
{
    const char *role = parent != NULL && parent->key_seq == c->event->seq ? parent->key_role : NULL;
    const struct failure_step step = { .event = *c->event,
                                       .because = c->repeated ? NULL : because_of(w, role, c->because),
                                       .role = role,
                                       .end = c->end,
                                       .decision = c->decision,
                                       .chosen = is_chosen(w, c, hs_dataid_get(w->trace, c->event->dataid)) };
    return add_found(w, &step, of);
}

static bool is_default(const struct hs_cause *c) { return c->end != NULL && strncmp(c->end, "default value", 13) == 0; }

/* What the constructor of an object stored, which has ended just before this event: in a field that nothing has written
 * it did not. */
static bool add_constructor(struct walk *w, const struct hs_event *made, size_t of)
{
    const struct hs_object *o = hs_object_get(w->trace, (uint32_t)made->value);
    const char *type = o != NULL ? o->type : NULL;
    struct hs_event at = *made;
    const struct hs_event *e;
    for (unsigned i = 0, lines = 0; i < CONSTRUCTOR_EVENTS_MAX && lines < CONSTRUCTOR_LINES_MAX; i++) {
        if (type == NULL || (e = failure_before(w->trace, &at)) == NULL)
            break;
        at = *e;
        const struct hs_dataid *d = hs_dataid_get(w->trace, at.dataid);
        const struct hs_method *m = d != NULL ? hs_method_get(w->trace, d->method_id) : NULL;
        const char *in = m != NULL ? failure_own_class(w->trace, d->method_id) : NULL;
        if (in == NULL || strcmp(in, type) != 0 || strcmp(m->name, "<init>") != 0)
            continue;
        if (d->event == HS_EVENT_METHOD_ENTRY)
            break;
        if (d->event != HS_EVENT_LOCAL_STORE && d->event != HS_EVENT_PUT_INSTANCE_FIELD_VALUE)
            continue;
        const struct failure_step step = { .event = at, .because = "what its constructor stored" };
        if (!add_found(w, &step, of))
            return false;
        lines++;
    }
    return true;
}

/* A field or element that nothing has written: where its object was made. */
static bool add_creation(struct walk *w, const struct hs_cause *c, size_t of)
{
    const struct hs_event read = *c->event, *made;
    const uint32_t object = failure_read_object(w->trace, &read);
    const struct hs_object_state *state;
    const bool known = object != 0 && hs_object_at(w->trace, object, read.seq, &state, NULL) == 0 &&
                       state->created != HS_NO_SEQ && hs_event_at(w->trace, state->created, &made, NULL) == 0;
    const struct hs_dataid *d = known ? hs_dataid_get(w->trace, made->dataid) : NULL;
    if (d == NULL || failure_own_class(w->trace, d->method_id) == NULL)
        return true;
    const struct failure_step step = { .event = *made, .because = "the object was made here" };
    return add_found(w, &step, of) && add_constructor(w, &step.event, w->found.count - 1);
}

static bool is_found(const struct walk *w, uint64_t seq)
{
    for (size_t i = 0; i < w->found.count; i++)
        if (w->found.items[i].step.event.seq == seq)
            return true;
    return false;
}

/* What lies deeper is walked later, if nothing else costs less. */
static bool go_on_later(struct walk *w, const struct hs_cause *c, size_t found)
{
    struct root *to;
    if (c->end == NULL || strcmp(c->end, "depth") != 0)
        return true;
    w->found.items[found].step.end = NULL;
    if (w->roots.count >= ROOTS_MAX)
        return true;
    if ((to = vec_push(&w->roots)) != NULL)
        *to = (struct root){ .seq = c->event->seq, .cost = w->found.items[found].way, .found = found };
    return to != NULL;
}

/* False: out of memory. */
static bool take_cause(struct walk *w, const struct hs_cause *c)
{
    const struct hs_dataid *d = hs_dataid_get(w->trace, c->event->dataid);
    const struct node *parent = c->depth > 0 ? &w->path[c->depth - 1] : NULL;
    struct node *node = &w->path[c->depth];
    *node = (struct node){ .step = SIZE_MAX, .event = *c->event, .key_seq = HS_NO_SEQ };
    note_key(node, c);
    if (d == NULL)
        return true;
    const char *in = failure_own_class(w->trace, d->method_id);
    node->method_id = d->method_id;
    node->line = failure_spot(w->trace, &node->event).line;
    if (in != NULL && !see_objects(w, c, d))
        return false;
    if (parent != NULL && (is_side_step(d) || in == NULL)) /* what libraries did with it is of no interest */
        return true;
    if (parent != NULL && parent->step == SIZE_MAX)
        return true;
    if (parent == NULL && w->root->found != SIZE_MAX) {
        node->step = w->root->found;
        return true;
    }
    const bool same_line = parent != NULL && parent->method_id == d->method_id && parent->line == node->line;
    const size_t above = parent != NULL ? parent->step : SIZE_MAX;
    struct failure_step *of = above != SIZE_MAX ? &w->found.items[above].step : NULL;
    if (of != NULL && same_line && of->event.kind == c->event->kind && of->event.value == c->event->value) {
        of->because = because_of(w, of->role, c->because);
        of->end = c->end;
        if (c->decision != NULL)
            of->decision = c->decision;
        of->chosen = is_chosen(w, c, d);
        node->step = above;
        return go_on_later(w, c, above) && (!is_default(c) || add_creation(w, c, above));
    }
    if ((of != NULL && (c->repeated || is_found(w, c->event->seq))) || w->found.count >= FOUND_MAX)
        return true;
    if (!push_step(w, c, parent, above))
        return false;
    node->step = w->found.count - 1;
    return go_on_later(w, c, node->step) && (!is_default(c) || add_creation(w, c, node->step));
}

static int walk_root(struct walk *w, const struct root *root, struct hs_error *error)
{
    struct hs_why_options o = HS_WHY_OPTIONS_INIT;
    const size_t begin = w->found.count;
    const struct hs_cause *c;
    hs_cursor *causes;
    size_t rows = 0;
    int more;
    o.seq = root->seq;
    o.max = WALK_ROWS;
    o.all = o.under = true;
    o.depth = WALK_DEPTH;
    if (hs_causes_open(w->trace, &o, &causes, error) != 0)
        return failure_refused(error);
    if (failure_keep(w->f, causes, error) != 0)
        return -1;
    while ((more = hs_cause_next(causes, &c, error)) > 0) {
        rows++;
        if (c->depth <= WALK_DEPTH && !take_cause(w, c))
            return failure_no_memory(error);
    }
    w->f->more_unknown |= rows >= WALK_ROWS;
    if (w->found.count > begin && root->found == SIZE_MAX) {
        w->found.items[begin].step.of = root->of;
        w->found.items[begin].step.part = root->part;
    }
    return more;
}

static bool is_explained(const struct walk *w, uint64_t seq)
{
    for (size_t i = 0; i < w->f->steps.count; i++)
        if (w->f->steps.items[i].event.seq == seq)
            return true;
    if (is_found(w, seq))
        return true;
    for (size_t i = 0; i < w->roots.count; i++)
        if (w->roots.items[i].seq == seq)
            return true;
    return false;
}

static bool add_root(struct walk *w, uint64_t seq, const struct hs_decision *of, const char *part, unsigned cost)
{
    if (seq == HS_NO_SEQ || w->roots.count >= ROOTS_MAX || is_explained(w, seq))
        return true;
    struct root *to = vec_push(&w->roots);
    if (to != NULL)
        *to = (struct root){ seq, of, part, cost, SIZE_MAX, false };
    return to != NULL;
}

static bool decided_before(const struct walk *w, size_t step)
{
    for (size_t k = 0; k < step; k++) {
        const struct hs_decision *x = w->found.items[k].step.decision;
        if (x != NULL && w->found.items[step].step.decision->seq == x->seq)
            return true;
    }
    return false;
}

/* The branch went the same way another time, which was asked for. */
static bool is_asked(const struct walk *w, const struct hs_decision *d)
{
    for (size_t i = 0; i < w->roots.count; i++) {
        const struct hs_decision *x = w->roots.items[i].of;
        if (x != NULL && x->seq != d->seq && x->method_id == d->method_id && x->place.pc == d->place.pc &&
            strcmp(x->condition, d->condition) == 0)
            return true;
    }
    return false;
}

/* What the branches looked at under which steps from `begin` on stand that come from nothing else. */
static bool add_decisions(struct walk *w, size_t begin)
{
    for (size_t i = begin; i < w->found.count; i++) {
        const struct hs_decision *of = w->found.items[i].step.decision;
        if (of == NULL || !w->found.items[i].step.chosen || decided_before(w, i) || is_asked(w, of))
            continue;
        for (size_t k = 0; k < of->value_count; k++)
            if (!add_root(w, of->values[k]->seq, of, NULL, w->found.items[i].way + 1))
                return false;
    }
    return true;
}

/* The next event of a place in this thread behind `seq`; HS_NO_SEQ: there is none. */
static uint64_t next_of(struct walk *w, uint32_t thread, uint64_t seq, uint32_t dataid)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_dataid *d = hs_dataid_get(w->trace, dataid);
    const struct hs_event *e;
    hs_cursor *events;
    uint64_t found = HS_NO_SEQ;
    if (d == NULL)
        return HS_NO_SEQ;
    filter.threads = &thread;
    filter.thread_count = 1;
    filter.from = seq + 1;
    filter.to = w->f->moment;
    filter.events = &d->event;
    filter.event_count = 1;
    if (hs_events_open(w->trace, &filter, &events, NULL) != 0)
        return HS_NO_SEQ;
    for (unsigned i = 0; found == HS_NO_SEQ && i < NEXT_EVENTS_MAX && hs_event_next(events, &e, NULL) > 0; i++)
        if (e->dataid == dataid)
            found = e->seq;
    hs_cursor_close(events);
    return found;
}

/* A part that is missing: the last one that is there was put under a branch, which then went the other way. */
static int add_missing(struct walk *w, const struct failure_difference *x, uint64_t put, struct hs_error *error)
{
    struct hs_why_options o = HS_WHY_OPTIONS_INIT;
    const struct hs_cause *c;
    const struct hs_event *e;
    hs_cursor *causes;
    o.seq = put;
    o.under = true;
    if (hs_event_at(w->trace, put, &e, error) != 0)
        return failure_refused(error);
    const uint32_t thread = e->thread;
    if (hs_causes_open(w->trace, &o, &causes, error) != 0)
        return failure_refused(error);
    if (failure_keep(w->f, causes, error) != 0)
        return -1;
    if (hs_cause_next(causes, &c, error) <= 0 || c->decision == NULL)
        return 0;
    const char *part = failure_text(w->f,
                                    "%s is missing: what came before it was put at seq %llu under %s, which was then "
                                    "asked again",
                                    x->path, (unsigned long long)put, c->decision->condition);
    for (size_t k = 0; part != NULL && k < c->decision->value_count; k++) {
        const struct hs_event *seen;
        const uint64_t seq = c->decision->values[k]->seq;
        if (seq == HS_NO_SEQ || hs_event_at(w->trace, seq, &seen, NULL) != 0)
            continue;
        if (!add_root(w, next_of(w, thread, put, seen->dataid), NULL, part, COST_OF_PART))
            return failure_no_memory(error);
    }
    return part != NULL ? 0 : failure_no_memory(error);
}

static int add_differences(struct walk *w, struct hs_error *error)
{
    for (size_t i = 0; i < w->f->differences.count; i++) {
        const struct failure_difference *x = &w->f->differences.items[i];
        if (x->path[0] == '\0' || x->seq == HS_NO_SEQ)
            continue;
        if (!x->has_actual && add_missing(w, x, x->seq, error) != 0)
            return -1;
        const char *part = failure_text(w->f, "%s%s", x->path, x->has_expected ? "" : ", which was not expected");
        if (x->has_actual && (part == NULL || !add_root(w, x->seq, NULL, part, (unsigned)i * COST_OF_PART)))
            return failure_no_memory(error);
    }
    return 0;
}

/* The next one that costs least; NULL: none. */
static struct root *next_root(struct walk *w)
{
    struct root *next = NULL;
    for (size_t i = 0; i < w->roots.count; i++)
        if (!w->roots.items[i].walked && (next == NULL || w->roots.items[i].cost < next->cost))
            next = &w->roots.items[i];
    return next;
}

static int walk_roots(struct walk *w, struct hs_error *error)
{
    struct root *next;
    int failed = 0;
    for (size_t i = 0; failed == 0 && i < WALKS_MAX && (next = next_root(w)) != NULL; i++) {
        const size_t begin = w->found.count;
        next->walked = true;
        const struct root root = *next;
        w->root = &root;
        failed = walk_root(w, &root, error);
        if (failed == 0 && !add_decisions(w, begin))
            failed = failure_no_memory(error);
    }
    w->f->more_unknown |= failed == 0 && next_root(w) != NULL;
    if (failed == 0 && !failure_choose(w->f, &w->found))
        failed = failure_no_memory(error);
    vec_free(&w->roots);
    vec_free(&w->found);
    return failed;
}

int failure_find_steps(hs_trace *t, struct failure *f, failure_seen_vec *seen, struct hs_error *error)
{
    struct walk w = { .trace = t, .f = f, .seen = seen };
    int failed = 0;
    if (!add_root(&w, f->has_actual ? f->actual.seq : f->thrown, NULL, NULL, 0))
        failed = failure_no_memory(error);
    if (failed == 0)
        failed = add_differences(&w, error);
    if (failed != 0)
        vec_free(&w.roots);
    return failed != 0 ? failed : walk_roots(&w, error);
}

/* The arguments of a call: the events behind it in its thread, at its instruction. */
static int add_arguments(struct walk *w, const struct failure_change *x, struct hs_error *error)
{
    const struct hs_dataid *call = hs_dataid_get(w->trace, x->event.dataid);
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    bool ok = true;
    filter.threads = &x->event.thread;
    filter.thread_count = 1;
    filter.from = x->event.seq + 1;
    if (call == NULL || hs_events_open(w->trace, &filter, &events, NULL) != 0)
        return 0;
    const char *part = failure_text(w->f, "%s at seq %llu was given", x->what, (unsigned long long)x->event.seq);
    for (unsigned i = 0; ok && i < GIVEN_MAX && hs_event_next(events, &e, NULL) > 0; i++) {
        const struct hs_dataid *d = hs_dataid_get(w->trace, e->dataid);
        if (d == NULL || d->event != HS_EVENT_CALL_PARAM || d->method_id != call->method_id || d->pc != call->pc)
            break;
        ok = part != NULL && add_root(w, e->seq, NULL, part, 0);
    }
    hs_cursor_close(events);
    return ok ? 0 : failure_no_memory(error);
}

int failure_add_given(hs_trace *t, struct failure *f, struct hs_error *error)
{
    failure_seen_vec seen = { 0 };
    struct walk w = { .trace = t, .f = f, .seen = &seen };
    int failed = 0;
    if (f->steps.count > SHORT_MAX)
        return 0;
    for (size_t i = 0, n = 0; failed == 0 && i < f->changes.count && n < GIVEN_MAX; i++)
        if (f->changes.items[i].what != NULL && !f->changes.items[i].made) {
            failed = add_arguments(&w, &f->changes.items[i], error);
            n++;
        }
    if (failed == 0)
        failed = walk_roots(&w, error);
    else
        vec_free(&w.roots);
    vec_free(&seen);
    return failed;
}
