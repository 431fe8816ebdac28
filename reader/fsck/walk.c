/* walk.c - checks the events of all threads in global order against the code of their methods.
 *
 * The next event of a frame must be one that its original code can give next (path.c), and its value must be the
 * computed one (operands.c). */
#include "reader/fsck/walk.h"

#include <stdlib.h>

#include "reader/fsck/heap.h"
#include "reader/fsck/operands.h"
#include "reader/fsck/parts.h"
#include "reader/fsck/path.h"
#include "reader/fsck/reach.h"
#include "reader/stream/stream.h"

static void enter(struct now *n)
{
    struct fframe *caller = frame_top(n->t), *fr;
    bool is_callee = false;
    if (caller != NULL) {
        n->f->result->checked++;
        if (!caller->left_out && !reach_code(caller->method, caller))
            violation(n, RULE_enter, "entered while %s.%s stands at pc %u (at %llu), where no other code runs",
                      caller->method->owner->name, caller->method->row->name,
                      caller->insn < caller->method->count ? caller->method->insns[caller->insn].in->pc : 0,
                      (unsigned long long)caller->last);
        is_callee = caller->call == CALL_WAITS && caller->target == n->p->method;
        if (is_callee)
            caller->call = CALL_INSIDE;
    }
    if (!is_callee || hides_writes(caller->method))
        run_unknown_code(n->t);
    fr = frame_push(n, n->p->method, is_callee);
    if (fr == NULL)
        return;
    fr->at = 1;
    operands_check(n, fr);
}

static void settle_store(struct now *n)
{
    struct fthread *t = n->t;
    if (n->p->event == EVENT_METHOD_ENTRY)
        heap_settle(n->f, n->thread, t, !t->store.erased_by_entry);
    else if (n->p->event != EVENT_CATCH_LABEL && n->p->event != EVENT_CATCH &&
             n->p->event != EVENT_METHOD_EXCEPTIONAL_EXIT)
        heap_settle(n->f, n->thread, t, true);
    else
        heap_settle(n->f, n->thread, t, false);
}

/* Events of a frame are missing: any code may have run. */
static void leave_out(struct now *n)
{
    struct fthread *t = n->t;
    struct fframe *fr;
    free(t->pending);
    t->pending = NULL;
    if (t->store.there)
        heap_settle(n->f, n->thread, t, false);
    run_unknown_code(t);
    n->f->left_out = true;
    fr = n->p->method != NULL && n->p->method->followed ? frame_find(n) : NULL;
    if (fr == NULL)
        return;
    fr->left_out = fr->initialized = true;
    fr->call = CALL_NONE;
    fr->made = 0;
    fr->last = n->seq;
}

/* The instruction that answers give as the one that threw: one that can, and to which control can have come. */
static void check_place(struct now *n, const struct fframe *fr)
{
    struct method *m = fr->method;
    const struct hs_event e = { .seq = n->seq,
                                .thread = n->thread,
                                .dataid = same_place(n->f->trace, n->id),
                                .value = n->value,
                                .kind = HS_KIND_REF,
                                .position = n->position };
    const struct hs_place *place;
    if (hs_thrown_at(n->f->trace, &e, &place, NULL) != 0)
        return;
    n->f->result->checked++;
    if (code_insn_at(&m->code, place->pc) == NO_INSN)
        violation(n, RULE_path, "it is said to stand at pc %u, where no instruction begins", place->pc);
    else if (!place->unsure && reach_exception(m, fr, n->id, NO_INSN) && !reach_exception(m, fr, n->id, place->pc))
        violation(n, RULE_path, "it is said to stand at pc %u, which cannot have thrown after seq %llu", place->pc,
                  (unsigned long long)fr->last);
}

static void check_event(struct now *n)
{
    struct fthread *t = n->t;
    if (!n->p->loaded)
        (void)method_of_event(n->f->trace, n->id);
    if (n->p->row == NULL)
        return; /* reported by tables.c */
    operands_check_value(n);
    if (n->p->event == EVENT_EVENTS_LEFT_OUT) {
        leave_out(n);
        return;
    }
    if (t->pending != NULL)
        settle_pending(n);
    if (t->store.there)
        settle_store(n);
    struct method *m = n->p->method;
    if (m == NULL || !m->followed) {
        run_unknown_code(t);
        return;
    }
    if (n->p->event == EVENT_METHOD_ENTRY) {
        enter(n);
        return;
    }
    struct fframe *fr = frame_find(n);
    if (fr == NULL)
        return;
    if (fr->left_out) {
        frame_resync(n, fr, true);
        fr->at = n->p->at;
        fr->left_out = false;
    }
    if (n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT)
        check_place(n, fr);
    path_follow(n, fr);
    if (n->p->event == EVENT_CALL_RETURN)
        operands_after_call(n, fr);
    else if (n->p->event != EVENT_CALL_PARAM)
        fr->call = CALL_NONE;
    operands_check(n, fr);
    fr->last = n->seq;
    if (n->p->event == EVENT_CALL)
        operands_begin_call(n, fr);
    else if (n->p->event == EVENT_INVOKE_DYNAMIC)
        run_unknown_code(t);
    else if (n->p->event == EVENT_METHOD_NORMAL_EXIT || n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT)
        frame_pop(n, n->p->event == EVENT_METHOD_NORMAL_EXIT, n->value);
    t->returned = n->p->event == EVENT_METHOD_NORMAL_EXIT ? m : NULL;
}

/* By its place among the threads that have events: its number, which the trace says, decides on no memory. */
static struct fthread *thread_of(struct fsck *f, uint32_t number)
{
    uint32_t at = positions_stream(f->trace, number);
    if (at == UINT32_MAX || !vec_extend(&f->threads, f->trace->stream_count)) {
        f->no_memory = true;
        return NULL;
    }
    return &f->threads.items[at];
}

/* Events are missing before the next one: open frames and values are unknown then. */
static void pass_gap(struct fsck *f, struct fthread *t)
{
    free(t->pending);
    t->pending = NULL;
    t->store.there = false;
    t->returned = NULL;
    t->frames.count = 0;
    t->rootless = f->trace->intervals.count > 0;
    run_unknown_code(t);
}

/* True if the thread was recorded to its end. */
static bool seen_to_end(const struct fsck *f, const struct fthread *t)
{
    size_t n = f->trace->intervals.count;
    return n == 0 || (f->trace->intervals.items[n - 1].end == UINT64_MAX && t->gap == UINT64_MAX);
}

/* A thread that ended has left all its methods, unless it called code that ended the JVM. */
static void end_thread(struct fsck *f, size_t at)
{
    struct fthread *t = &f->threads.items[at];
    const uint32_t number = f->trace->streams[at].thread;
    const struct hs_thread *row = hs_thread_get(f->trace, number);
    if (t->pending != NULL)
        fsck_report(f, t->pending_rule, t->pending_seq, "%s", t->pending);
    if (t->frames.count > 0 && f->clean && seen_to_end(f, t) && !f->tolerant && !t->lost && row != NULL && row->known &&
        row->end_ns != HS_NO_TIME && !frame_top(t)->left_out && !reach_code(frame_top(t)->method, frame_top(t))) {
        const struct fframe *fr = frame_top(t);
        fsck_report(f, RULE_pair, fr->last, "thread %u ended inside %s.%s, entered at %llu", number,
                    fr->method->owner->name, fr->method->row->name, (unsigned long long)fr->entered);
    }
    free(t->pending);
    vec_free(&t->frames);
    vec_free(&t->slots);
}

static void check_batch(struct fsck *f, const struct order_batch *b)
{
    struct fthread *t = thread_of(f, b->thread);
    if (t == NULL)
        return;
    f->result->events += b->count;
    if (b->ids == NULL || b->values == NULL) { /* the chunk cannot be read, which tables.c has reported */
        t->lost = true;
        t->returned = NULL;
        t->frames.count = 0;
        return;
    }
    for (uint32_t i = 0; i < b->count && !f->no_memory && !f->too_wide; i++) {
        if (b->ids[i] >= f->event_count)
            continue;
        uint64_t stamp = b->stamps != NULL ? b->stamps[i] : b->first_stamp;
        parts_event(f, b->thread, b->ids[i], stamp, b->seq + i);
        if (gap_passed(f->trace, &t->gap, stamp))
            pass_gap(f, t);
        struct now n = { f,
                         t,
                         &f->events[b->ids[i]],
                         b->ids[i],
                         b->thread,
                         b->values[i],
                         b->seq + i,
                         b->chunk->before + b->first + i,
                         t->returned };
        t->returned = NULL;
        check_event(&n);
    }
}

enum status fsck_walk(struct fsck *f, struct error *err)
{
    struct order *order;
    struct order_batch b;
    enum status st = order_new_stored(f->trace, &order, err);
    if (st != OK)
        return st;
    while (!f->no_memory && !f->too_wide) {
        st = order_next(order, UINT32_MAX, &b, err);
        if (st != OK)
            break;
        check_batch(f, &b);
    }
    order_free(order);
    parts_done_check(f);
    for (size_t i = 0; i < f->threads.count; i++)
        end_thread(f, i);
    vec_free(&f->threads);
    if (f->no_memory)
        return error_memory(err, "%s", f->trace->dir);
    if (f->too_wide)
        return error_set(err, ERR_LIMIT,
                         "%s: the methods that thread %u was in have more than %d slots of locals and stacks together, "
                         "more than fsck follows; other commands can read the trace",
                         f->trace->dir, f->wide_thread, SLOTS_MAX);
    return st == ERR_NOT_FOUND ? OK : st;
}
