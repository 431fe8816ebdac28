/* paths.c - the distinct paths of methods: what each call called, or its basic blocks, folded (fold.h) and counted.
 *
 * Each thread has a stack of open calls and one list of steps. The steps of the innermost call are at the end of the
 * list and are removed when it returns, so memory is used for open calls and distinct paths only. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/cursor/cursor.h"
#include "reader/query/first_occurrence.h"
#include "reader/replay/replay.h"
#include "reader/stream/stream.h"

struct open_call {
    uint32_t method;
    size_t steps, repeats; /* positions of its first ones in the lists of the thread */
};

struct thread_paths {
    struct fold fold;
    VEC(struct open_call) calls;
    u32_vec steps;
    VEC(struct hs_path_repeat) repeats;
    uint64_t gap; /* gap_passed */
};

struct paths {
    struct list_answer base;
    VEC(struct hs_path) list;
    first_occurrence_map first_paths; /* hash of method and path -> position in list */
    bool no_memory;
};

static void drop_steps(void *context, size_t length)
{
    struct thread_paths *t = context;
    if (t->steps.count > length)
        t->steps.count = length;
    while (t->repeats.count > 0 && t->repeats.items[t->repeats.count - 1].first >= length)
        t->repeats.count--;
}

static size_t note_repeat(void *context, size_t first, uint32_t steps, uint64_t times, size_t note)
{
    struct thread_paths *t = context;
    if (note == FOLD_NO_HANDLE) {
        note = t->repeats.count;
        if (vec_push(&t->repeats) == NULL) {
            t->fold.no_memory = true;
            return FOLD_NO_HANDLE;
        }
    }
    t->repeats.items[note] = (struct hs_path_repeat){ (uint32_t)first, steps, times };
    return note;
}

static int no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

static void threads_free(struct thread_paths *threads, size_t count)
{
    for (size_t i = 0; threads != NULL && i < count; i++) {
        fold_done(&threads[i].fold);
        vec_free(&threads[i].calls);
        vec_free(&threads[i].steps);
        vec_free(&threads[i].repeats);
    }
    free(threads);
}

static const struct fold_ops ops = { drop_steps, note_repeat };

/* Adds a step to the innermost call. It is closed at once: what it calls does not belong to this path. */
static void add_step(struct thread_paths *t, uint32_t id)
{
    fold_next(&t->fold, id);
    size_t at = t->steps.count;
    uint32_t *slot = vec_push(&t->steps);
    if (slot == NULL) {
        t->fold.no_memory = true;
        return;
    }
    *slot = id;
    fold_add(&t->fold, id, at, at);
    fold_hash(&t->fold, fold_mix(1, id));
}

static void enter(struct thread_paths *t, uint32_t method)
{
    struct open_call *r = vec_push(&t->calls);
    if (r == NULL) {
        t->fold.no_memory = true;
        return;
    }
    *r = (struct open_call){ method, t->steps.count, t->repeats.count };
    fold_open(&t->fold);
}

/* By first step, the longer one first. */
static int by_first(const void *a, const void *b)
{
    const struct hs_path_repeat *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->steps > y->steps ? -1 : x->steps < y->steps;
}

/* Appends the path of a call; false: out of memory. */
static bool add_path(struct paths *p, const struct thread_paths *t, const struct open_call *r, bool threw)
{
    size_t steps = t->steps.count - r->steps, repeats = t->repeats.count - r->repeats;
    uint32_t *ids = arena_array(&p->base.arena, steps + 1, sizeof *ids);
    struct hs_path_repeat *loops = arena_array(&p->base.arena, repeats + 1, sizeof *loops);
    const struct hs_path_repeat *const *list =
        loops != NULL ? pointers_to(&p->base.arena, loops, sizeof *loops, repeats) : NULL;
    struct hs_path *path = ids != NULL && list != NULL ? vec_push(&p->list) : NULL;
    if (path == NULL)
        return false;
    for (size_t i = 0; i < steps; i++)
        ids[i] = t->steps.items[r->steps + i];
    for (size_t i = 0; i < repeats; i++) {
        loops[i] = t->repeats.items[r->repeats + i];
        loops[i].first -= (uint32_t)r->steps;
    }
    qsort(loops, repeats, sizeof *loops, by_first);
    *path = (struct hs_path){ r->method, threw, 0, ids, steps, list, repeats };
    return true;
}

/* Counts the path of a call that returned. */
static void count_path(struct paths *p, const struct thread_paths *t, const struct open_call *r, struct fold_sum sum,
                       bool threw)
{
    uint64_t hash = fold_mix(fold_mix(fold_mix(r->method, sum.hash), sum.length), threw);
    uint64_t at = first_occurrence_of(&p->first_paths, hash, p->list.count);
    if (at == NO_OCCURRENCE || (at == p->list.count && !add_path(p, t, r, threw))) {
        p->no_memory = true;
        return;
    }
    p->list.items[at].calls++;
}

/* Removes the innermost call. Its path counts if its exit was recorded. */
static void pop(struct paths *p, struct thread_paths *t, bool returned, bool threw)
{
    const struct open_call *r = &t->calls.items[t->calls.count - 1];
    struct fold_sum sum = fold_close(&t->fold);
    if (returned)
        count_path(p, t, r, sum, threw);
    t->steps.count = r->steps;
    t->repeats.count = r->repeats;
    t->calls.count--;
}

/* Removes the calls above the innermost call of the method, whose exits were not recorded; false if no call of it is
 * open. */
static bool unwind_to(struct paths *p, struct thread_paths *t, uint32_t method)
{
    size_t at = t->calls.count;
    while (at > 0 && t->calls.items[at - 1].method != method)
        at--;
    while (at > 0 && t->calls.count > at)
        pop(p, t, false, false);
    return at > 0;
}

static void apply(struct paths *p, struct thread_paths *t, const struct hs_dataid *d, uint32_t method,
                  enum hs_path_kind kind)
{
    switch (d->event) {
    case EVENT_METHOD_ENTRY:
        if (kind == HS_PATH_CALLS && t->calls.count > 0)
            add_step(t, method);
        enter(t, method);
        break;
    case EVENT_METHOD_NORMAL_EXIT:
    case EVENT_METHOD_EXCEPTIONAL_EXIT:
        if (unwind_to(p, t, method))
            pop(p, t, true, d->event == EVENT_METHOD_EXCEPTIONAL_EXIT);
        break;
    default:
        if (unwind_to(p, t, method))
            add_step(t, d->dataid);
    }
}

/* Counts the paths of all threads. */
static int count_paths(hs_trace *trace, struct paths *p, struct thread_paths *threads, enum hs_path_kind kind,
                       uint64_t from, uint64_t to, struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_ENTRY, EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT,
                                       EVENT_LABEL, EVENT_CATCH_LABEL };
    struct hs_filter filter = {
        .size = sizeof filter, .from = from, .to = to, .events = events, .event_count = kind == HS_PATH_CALLS ? 3 : 5
    };
    const struct hs_event *e;
    struct walk w;
    walk_open_filter(&w, trace, &filter);
    while (!p->no_memory && walk_step(&w, &e)) {
        struct thread_paths *t = &threads[positions_stream(trace, e->thread)];
        if (gap_passed(trace, &t->gap, e->stamp))
            while (t->calls.count > 0)
                pop(p, t, false, false);
        const struct hs_dataid *d = hs_dataid_get(trace, e->dataid);
        if (d == NULL) /* damage */
            continue;
        apply(p, t, d, same_method(trace, d->method_id), kind);
        p->no_memory |= t->fold.no_memory;
    }
    int failed = walk_finish(&w, error);
    return p->no_memory ? no_memory(error) : failed;
}

/* By method, the most frequent path first. */
static int by_method(const void *a, const void *b)
{
    const struct hs_path *x = a, *y = b;
    if (x->method_id != y->method_id)
        return x->method_id < y->method_id ? -1 : 1;
    return x->calls > y->calls ? -1 : x->calls < y->calls;
}

static void paths_done(struct list_answer *base)
{
    struct paths *p = (struct paths *)base;
    vec_free(&p->list);
    map_free(&p->first_paths);
    arena_done(&base->arena);
    free(p);
}

int hs_paths_open(hs_trace *trace, enum hs_path_kind kind, uint64_t from, uint64_t to, hs_cursor **out,
                  struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "paths");
    struct paths *p = calloc(1, sizeof *p);
    struct thread_paths *threads = calloc(trace->stream_count + 1, sizeof *threads);
    if (p == NULL || threads == NULL) {
        free(p);
        free(threads);
        return no_memory(error);
    }
    p->base.done = paths_done;
    for (size_t i = 0; i < trace->stream_count; i++)
        threads[i].fold = (struct fold){ .ops = &ops, .context = &threads[i] };
    int failed = count_paths(trace, p, threads, kind, from, to, error);
    threads_free(threads, trace->stream_count);
    if (failed != 0) {
        list_answer_free(&p->base);
        return -1;
    }
    if (p->list.count > 1)
        qsort(p->list.items, p->list.count, sizeof *p->list.items, by_method);
    return cursor_over(ROW_path, p->list.items, sizeof *p->list.items, p->list.count, &p->base, out, error);
}
