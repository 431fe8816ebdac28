/* slice_forward.c - what came of a moment: the later moments that have one of the slice as a cause.
 *
 * The rules lead back from a moment to its causes, so every later event is asked for its own, in the order of the
 * trace; each cause has had its turn then, and one pass is enough. Most need not be asked, since nothing of the slice
 * can be seen where they stand:
 *
 *     in a frame that has a moment of the slice, anything can come of it;
 *     a frame that is entered gets what its caller has; one that is left gives to its caller;
 *     what is read from the heap has a value that the slice has;
 *     what code that is not woven returned, or gave to a method that it called, may come from anywhere. */
#include "reader/query/slice.h"

#include <stdlib.h>
#include <string.h>

struct frame {
    bool has;      /* a moment of the slice */
    bool given;    /* the caller, or the frame that was left last, had one */
    bool calls;    /* it is about to call: `call` */
    bool called;   /* what it called was entered */
    uint32_t call; /* data ID */
};
struct stack {
    VEC(struct frame) frames; /* the first one stands for those that were entered before */
};
struct held_value {
    uint64_t key; /* its bits, mixed */
};
struct slice_forward {
    struct walk walk;
    VEC(struct stack) threads;
    MAP(struct held_value) values;
};

static uint64_t value_key(uint64_t value) { return value != UINT64_MAX ? value + 1 : 1; }

static struct frame *top_of(struct slice_forward *f, uint32_t thread)
{
    if (thread >= f->threads.count && !vec_extend(&f->threads, (size_t)thread + 1))
        return NULL;
    struct stack *s = &f->threads.items[thread];
    if (s->frames.count == 0 && !vec_extend(&s->frames, 1))
        return NULL;
    return &s->frames.items[s->frames.count - 1];
}

/* The frames that are open at the first moment: each may be given something, none has anything. */
enum status slice_forward_open(struct slice_cursor *c, struct error *err)
{
    c->forward = calloc(1, sizeof *c->forward);
    if (c->forward == NULL)
        return state_memory(c->trace, err);
    walk_open_filter(&c->forward->walk, c->trace, NULL);
    walk_seek(&c->forward->walk, c->want.seq);
    return walk_status(&c->forward->walk, err);
}

void slice_forward_close(struct slice_forward *f)
{
    if (f == NULL)
        return;
    (void)walk_close(&f->walk, NULL);
    for (size_t i = 0; i < f->threads.count; i++)
        vec_free(&f->threads.items[i].frames);
    vec_free(&f->threads);
    map_free(&f->values);
    free(f);
}

static bool reads_heap(unsigned event)
{
    return event == EVENT_GET_INSTANCE_FIELD_RESULT || event == EVENT_GET_STATIC_FIELD ||
           event == EVENT_ARRAY_LOAD_RESULT || event == EVENT_ARRAY_LENGTH_RESULT;
}

static bool is_result(unsigned event)
{
    return event == EVENT_CALL_RETURN || event == EVENT_INVOKE_DYNAMIC_RESULT || event == EVENT_NEW_OBJECT_CREATED ||
           event == EVENT_CATCH || event == EVENT_METHOD_EXCEPTIONAL_EXIT || event == EVENT_CATCH_LABEL;
}

static bool is_call(unsigned event)
{
    return event == EVENT_CALL || event == EVENT_CALL_PARAM || event == EVENT_INVOKE_DYNAMIC ||
           event == EVENT_INVOKE_DYNAMIC_PARAM;
}

/* Can it have a cause in the slice? `top`: its frame, of METHOD_ENTRY and METHOD_PARAM the one that is entered. */
static bool may_follow(const struct slice_forward *f, const struct frame *top, const struct hs_event *e, unsigned event)
{
    if (top->has)
        return true;
    if (event == EVENT_METHOD_ENTRY || event == EVENT_METHOD_PARAM)
        return top->given;
    if (is_result(event))
        return top->given || !top->called;
    return reads_heap(event) && map_get(&f->values, value_key(e->value)) != NULL;
}

/* Is the frame entered by the call that the top frame is about to make? Else code that is not woven entered it. */
static bool enters(hs_trace *t, const struct frame *top, uint32_t method_id)
{
    const struct hs_dataid *call = top->calls ? call_site(t, dataid_or_none(t, top->call)) : NULL;
    return call != NULL && call_can_enter(t, call, method_id);
}

/* Follows calls and returns. NULL: out of memory. */
static struct frame *step(struct slice_cursor *c, const struct hs_event *e, unsigned event)
{
    struct slice_forward *f = c->forward;
    struct frame *top = top_of(f, e->thread);
    const struct effect *effect = effects_get(c->trace, e->dataid);
    if (top == NULL)
        return NULL;
    if (effect->op == EFFECT_ENTER) {
        struct stack *s = &f->threads.items[e->thread];
        const bool called = enters(c->trace, top, effect->method);
        const bool given = top->has || !called;
        top->called = top->called || called;
        top->calls = top->calls && !called;
        top = vec_push(&s->frames);
        if (top != NULL)
            *top = (struct frame){ .given = given };
    } else if (is_call(event)) {
        if (!top->calls)
            top->called = top->given = false;
        top->calls = true;
        top->call = e->dataid;
    } else if (is_result(event)) {
        top->calls = false;
    }
    return top;
}

static void leave(struct slice_forward *f, uint32_t thread)
{
    struct stack *s = &f->threads.items[thread];
    const bool has = s->frames.items[s->frames.count - 1].has;
    if (s->frames.count > 1)
        s->frames.count--;
    else
        s->frames.items[0] = (struct frame){ 0 };
    struct frame *top = &s->frames.items[s->frames.count - 1];
    top->given = top->given || has;
}

/* Can it be a cause, and so a row? What has a value, branches, calls and entries are. */
static bool is_moment(const struct slice_cursor *c, const struct hs_event *e, unsigned event)
{
    if (event == EVENT_LABEL)
        return c->row.decision != NULL;
    if (c->want.kind == HS_SLICE_THIN)
        return e->kind != KIND_VOID;
    return e->kind != KIND_VOID || event == EVENT_METHOD_ENTRY || is_call(event);
}

/* The least distance at which the moment, which is explained, follows from the slice; UINT32_MAX: it does not. */
static uint32_t find_distance(struct slice_cursor *c)
{
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < c->why.choice_count; i++) {
        const struct choice *choice = &c->why.choices[i];
        const struct slice_seen *cause = slice_follows(c, choice) ? map_get(&c->seen, choice->event.seq + 1) : NULL;
        const uint32_t distance = cause != NULL && choice->event.seq < c->why.now.seq
                                      ? cause->distance + !why_is_near(&c->why, choice)
                                      : UINT32_MAX;
        if (distance >= best)
            continue;
        best = distance;
        c->row.from = choice->event.seq;
        c->row.by = choice->by;
    }
    return best;
}

static bool add(struct slice_cursor *c, const struct hs_event *e, struct frame *top, uint32_t distance)
{
    struct slice_seen *seen = map_put(&c->seen, e->seq + 1);
    if (seen == NULL || map_put(&c->forward->values, value_key(e->value)) == NULL)
        return false;
    seen->distance = distance;
    top->has = true;
    c->row.distance = distance;
    return true;
}

enum status slice_forward_next(struct slice_cursor *c, struct error *err)
{
    struct slice_forward *f = c->forward;
    struct hs_event e;
    while (walk_next(&f->walk, &e)) {
        const unsigned event = event_type(c->trace, e.dataid);
        struct frame *top = step(c, &e, event);
        const bool first = e.seq == c->want.seq;
        uint32_t distance = first ? 0 : UINT32_MAX;
        enum status st = top != NULL ? OK : state_memory(c->trace, err);
        if (st == OK && (first || may_follow(f, top, &e, event)))
            st = slice_explain(c, &e, err);
        else if (st == OK)
            c->why.choice_count = 0;
        if (st == OK && !first && c->why.choice_count > 0 && is_moment(c, &e, event))
            distance = find_distance(c);
        if (st == OK && first)
            c->row.from = HS_NO_SEQ;
        const bool found = st == OK && (first || distance <= c->want.distance) && distance != UINT32_MAX;
        if (found && !add(c, &e, top, distance))
            st = state_memory(c->trace, err);
        if (st == OK && effects_get(c->trace, e.dataid)->op == EFFECT_LEAVE)
            leave(f, e.thread);
        if (st != OK || found)
            return st;
    }
    const enum status st = walk_status(&f->walk, err);
    return st == OK ? ERR_NOT_FOUND : st;
}
