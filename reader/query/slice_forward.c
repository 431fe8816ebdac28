/* slice_forward.c - what came of a moment: the later moments that have one of the slice as a cause.
 *
 * The rules lead back from a moment to its causes, so later events are asked for their own, in the order of the trace;
 * each cause has had its turn then, and one pass is enough. Only those are asked that can see something of the slice:
 *
 *     in a frame that has a moment of the slice, those whose instruction uses one (slice_frames.c);
 *     a frame that is entered by a call that is in the slice; one that is left gives to its caller;
 *     what is read from the heap has a value that the slice has;
 *     what code that is not woven returned, or gave to a method that it called, once it can know something of it.
 *
 * The pass ends where nothing of the slice is left that an event could see. */
#include "reader/query/slice.h"
#include "reader/query/slice_frames.h"

#include <stdlib.h>
#include <string.h>

struct frame {
    struct marks *marks; /* of the moments of the slice that it has; NULL: it has none */
    bool given;          /* its call, or the frame that was left last, had one */
    bool calls;          /* it is about to call: `call` */
    bool called;         /* what it called was entered */
    bool passes;         /* the call that it is about to make has one */
    bool from_outside;   /* code that is not woven entered it, or it is not known what did */
    uint32_t call;       /* data ID */
};
struct stack {
    VEC(struct frame) frames; /* the first one stands for those that were entered before */
};
struct held_value {
    uint64_t key; /* its bits, mixed */
};
struct slice_forward {
    struct walk walk;
    struct uses *uses;
    VEC(struct stack) threads;
    MAP(struct held_value) values;
    /* what can still be seen of the slice: */
    size_t marked, given, passing; /* frames */
    bool in_heap;                  /* it was written to a field or element */
    bool outside;                  /* code that is not woven can know of it */
    bool dimensions;               /* it is the length of a part of an array of arrays */
};

static uint64_t value_key(uint64_t value) { return value != UINT64_MAX ? value + 1 : 1; }

static struct frame *top_of(struct slice_forward *f, uint32_t thread)
{
    if (thread >= f->threads.count && !vec_extend(&f->threads, (size_t)thread + 1))
        return NULL;
    struct stack *s = &f->threads.items[thread];
    if (s->frames.count == 0) {
        if (!vec_extend(&s->frames, 1))
            return NULL;
        s->frames.items[0].from_outside = true;
    }
    return &s->frames.items[s->frames.count - 1];
}

/* Sets a flag of a frame, of which `count` says how many have it. */
static void set_flag(bool *flag, bool to, size_t *count)
{
    *count += (size_t)to - (size_t)*flag;
    *flag = to;
}

static bool can_be_seen(const struct slice_forward *f)
{
    return f->marked > 0 || f->given > 0 || f->passing > 0 || f->in_heap || f->outside;
}

/* The frames that are open at the first moment: each may be given something, none has anything. */
enum status slice_forward_open(struct slice_cursor *c, struct error *err)
{
    c->forward = calloc(1, sizeof *c->forward);
    if (c->forward == NULL || (c->forward->uses = uses_new(c->trace)) == NULL)
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
    for (size_t i = 0; i < f->threads.count; i++) {
        for (size_t k = 0; k < f->threads.items[i].frames.count; k++)
            marks_free(f->threads.items[i].frames.items[k].marks);
        vec_free(&f->threads.items[i].frames);
    }
    vec_free(&f->threads);
    uses_free(f->uses);
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

/* Can it be in the slice at all: has it a value, or is it a branch, call or entry? */
static bool can_be_moment(const struct slice_cursor *c, const struct hs_event *e, unsigned event)
{
    if (event == EVENT_LABEL)
        return c->want.kind != HS_SLICE_THIN;
    return e->kind != KIND_VOID || (c->want.kind != HS_SLICE_THIN && (event == EVENT_METHOD_ENTRY || is_call(event)));
}

/* Can it have a cause in the slice? `top`: its frame, of METHOD_ENTRY and METHOD_PARAM the one that is entered. */
static bool may_follow(const struct slice_cursor *c, const struct frame *top, const struct hs_event *e, unsigned event)
{
    const struct slice_forward *f = c->forward;
    const bool outside = f->outside || f->passing > 0;
    if (event == EVENT_METHOD_ENTRY || event == EVENT_METHOD_PARAM)
        return top->given || top->marks != NULL;
    if (top->marks != NULL && marks_ask(top->marks, e, c->want.kind != HS_SLICE_THIN))
        return true;
    if (is_result(event))
        return top->given || (outside && !top->called && !uses_numbers_alone(f->uses, e));
    if (event == EVENT_ARRAY_LENGTH_RESULT && f->dimensions)
        return true;
    return reads_heap(event) && map_get(&f->values, value_key(e->value)) != NULL;
}

/* Is the frame entered by the call that the top frame is about to make? Else code that is not woven entered it. */
static bool enters(hs_trace *t, const struct frame *top, uint32_t method_id)
{
    const struct hs_dataid *call = top->calls ? call_site(t, dataid_or_none(t, top->call)) : NULL;
    return call != NULL && call_can_enter(t, call, method_id);
}

/* The call that the frame was about to make is over, or has been entered (`called`). */
static void end_passing(struct slice_forward *f, struct frame *top, bool called)
{
    f->outside = f->outside || (top->passes && !called);
    set_flag(&top->passes, false, &f->passing);
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
        const bool given = called ? top->passes : top->marks != NULL || f->outside || f->passing > 0;
        if (called)
            end_passing(f, top, true);
        top->called = top->called || called;
        top->calls = top->calls && !called;
        top = vec_push(&s->frames);
        if (top != NULL) {
            *top = (struct frame){ .from_outside = !called };
            set_flag(&top->given, given, &f->given);
        }
    } else if (is_call(event)) {
        if (!top->calls) {
            end_passing(f, top, top->called);
            top->called = false;
            set_flag(&top->given, false, &f->given);
        }
        top->calls = true;
        top->call = e->dataid;
    } else if (is_result(event)) {
        end_passing(f, top, top->called);
        top->calls = false;
    }
    return top;
}

static void leave(struct slice_forward *f, uint32_t thread)
{
    struct stack *s = &f->threads.items[thread];
    struct frame *left = &s->frames.items[s->frames.count - 1];
    const bool has = left->marks != NULL;
    end_passing(f, left, left->called);
    set_flag(&left->given, false, &f->given);
    f->marked -= has;
    f->outside = f->outside || (has && left->from_outside);
    marks_free(left->marks);
    if (s->frames.count > 1)
        s->frames.count--;
    else
        s->frames.items[0] = (struct frame){ .from_outside = true };
    struct frame *top = &s->frames.items[s->frames.count - 1];
    set_flag(&top->given, top->given || has, &f->given);
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

/* Where the moment can be seen from. */
static void note_moment(struct slice_forward *f, struct frame *top, unsigned event)
{
    if (is_call(event))
        set_flag(&top->passes, true, &f->passing);
    switch (event) {
    case EVENT_PUT_STATIC_FIELD: f->in_heap = true; break;
    case EVENT_PUT_INSTANCE_FIELD_VALUE:
    case EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
    case EVENT_ARRAY_STORE_VALUE:
    case EVENT_NEW_ARRAY: f->in_heap = f->outside = true; break;
    default: break;
    }
}

static bool add(struct slice_cursor *c, const struct hs_event *e, struct frame *top, uint32_t distance)
{
    struct slice_forward *f = c->forward;
    struct slice_seen *seen = map_put(&c->seen, e->seq + 1);
    if (seen == NULL || map_put(&f->values, value_key(e->value)) == NULL)
        return false;
    seen->distance = distance;
    if (top->marks == NULL) {
        top->marks = marks_new(f->uses, dataid_or_none(c->trace, e->dataid)->method_id);
        if (top->marks == NULL)
            return false;
        f->marked++;
    }
    note_moment(f, top, event_type(c->trace, e->dataid));
    c->row.distance = distance;
    return true;
}

/* Asks the event for its causes, if it can have one in the slice: at which distance it is then; UINT32_MAX: it is not
 * in it. */
static enum status ask(struct slice_cursor *c, const struct hs_event *e, unsigned event, const struct frame *top,
                       uint32_t *distance, struct error *err)
{
    struct slice_forward *f = c->forward;
    const bool first = e->seq == c->want.seq;
    *distance = UINT32_MAX;
    if (!first && (!can_be_moment(c, e, event) || !may_follow(c, top, e, event)))
        return OK;
    f->dimensions = f->dimensions || event == EVENT_MULTI_NEW_ARRAY;
    const enum status st = slice_explain(c, e, err);
    if (st != OK || (!first && (event != EVENT_LABEL || c->row.decision != NULL)))
        *distance = st == OK ? find_distance(c) : UINT32_MAX;
    if (first) {
        *distance = 0;
        c->row.from = HS_NO_SEQ;
    } else if (*distance > c->want.distance) {
        *distance = UINT32_MAX;
    }
    return st;
}

enum status slice_forward_next(struct slice_cursor *c, struct error *err)
{
    struct slice_forward *f = c->forward;
    struct hs_event e;
    uint32_t distance = UINT32_MAX;
    while (walk_next(&f->walk, &e)) {
        const unsigned event = event_type(c->trace, e.dataid);
        struct frame *top = step(c, &e, event);
        enum status st = top != NULL ? ask(c, &e, event, top, &distance, err) : state_memory(c->trace, err);
        const bool found = st == OK && distance != UINT32_MAX;
        if (found && !add(c, &e, top, distance))
            st = state_memory(c->trace, err);
        if (st == OK && top->marks != NULL)
            marks_set(top->marks, &e, found);
        if (st == OK && effects_get(c->trace, e.dataid)->op == EFFECT_LEAVE)
            leave(f, e.thread);
        if (st != OK || found)
            return st;
        if (!can_be_seen(f) && e.seq > c->want.seq)
            return ERR_NOT_FOUND;
    }
    const enum status st = walk_status(&f->walk, err);
    return st == OK ? ERR_NOT_FOUND : st;
}
