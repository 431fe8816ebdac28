/* paths.c - the distinct paths of methods: what each call called, or its basic blocks, folded (fold.h) and counted.
 *
 * Each thread has a stack of calls and one list of steps: those of the call on top are at its end and go when it is
 * left, so memory is what runs at a time and what is distinct. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/query/first_occurrence.h"
#include "reader/replay/replay.h"
#include "reader/stream/stream.h"

struct running {
    uint32_t method;
    size_t steps, repeats; /* where its own begin */
};

struct thread_paths {
    struct fold fold;
    VEC(struct running) calls;
    u32_vec steps;
    VEC(struct hs_path_repeat) repeats;
    uint64_t gap; /* gap_passed */
};

struct paths {
    struct hs_paths made;
    struct arena arena;
    VEC(struct hs_path) list;
    struct first_occurrences first_paths; /* hash of method and path -> position in list */
    bool no_memory;
};

static void drop(void *context, size_t length)
{
    struct thread_paths *t = context;
    t->steps.count = length < t->steps.count ? length : t->steps.count;
    while (t->repeats.count > 0 && t->repeats.items[t->repeats.count - 1].first >= length)
        t->repeats.count--;
}

static size_t repeat(void *context, size_t first, uint32_t steps, uint64_t times, size_t note)
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

static const struct fold_ops ops = { drop, repeat };

/* One step of the call on top; it is over at once, what it calls is none of this path's business. */
static void step(struct thread_paths *t, uint32_t id)
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
    struct running *r = vec_push(&t->calls);
    if (r == NULL) {
        t->fold.no_memory = true;
        return;
    }
    *r = (struct running){ method, t->steps.count, t->repeats.count };
    fold_open(&t->fold);
}

static int by_position(const void *a, const void *b)
{
    const struct hs_path_repeat *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1) : x->steps > y->steps ? -1 : x->steps < y->steps;
}

static bool keep(struct paths *p, const struct thread_paths *t, const struct running *r, bool threw)
{
    size_t steps = t->steps.count - r->steps, repeats = t->repeats.count - r->repeats;
    uint32_t *ids = arena_array(&p->arena, steps + 1, sizeof *ids);
    struct hs_path_repeat *loops = arena_array(&p->arena, repeats + 1, sizeof *loops);
    struct hs_path *path = ids != NULL && loops != NULL ? vec_push(&p->list) : NULL;
    if (path == NULL)
        return false;
    for (size_t i = 0; i < steps; i++)
        ids[i] = t->steps.items[r->steps + i];
    for (size_t i = 0; i < repeats; i++) {
        loops[i] = t->repeats.items[r->repeats + i];
        loops[i].first -= (uint32_t)r->steps;
    }
    qsort(loops, repeats, sizeof *loops, by_position);
    *path = (struct hs_path){ r->method, threw, 0, ids, steps, loops, repeats };
    return true;
}

/* The call on top is over. Its path counts if it was seen to be left. */
static void pop(struct paths *p, struct thread_paths *t, bool left, bool threw)
{
    const struct running *r = &t->calls.items[t->calls.count - 1];
    struct fold_sum sum = fold_close(&t->fold);
    if (left) {
        uint64_t hash = fold_mix(fold_mix(fold_mix(r->method, sum.hash), sum.length), threw);
        uint64_t at = first_occurrence_of(&p->first_paths, hash, p->list.count);
        if (at == NO_OCCURRENCE || (at == p->list.count && !keep(p, t, r, threw)))
            p->no_memory = true;
        else
            p->list.items[at].calls++;
    }
    t->steps.count = r->steps;
    t->repeats.count = r->repeats;
    t->calls.count--;
}

/* Takes away what vanished above the innermost call of the method; false if none of it runs. */
static bool settle_on(struct paths *p, struct thread_paths *t, uint32_t method)
{
    size_t at = t->calls.count;
    while (at > 0 && t->calls.items[at - 1].method != method)
        at--;
    while (at > 0 && t->calls.count > at)
        pop(p, t, false, false);
    return at > 0;
}

static void apply(struct paths *p, struct thread_paths *t, const struct hs_dataid *d, enum hs_path_kind kind)
{
    switch (d->event) {
    case EVENT_METHOD_ENTRY:
        if (kind == HS_PATH_CALLS && t->calls.count > 0)
            step(t, d->method_id);
        enter(t, d->method_id);
        break;
    case EVENT_METHOD_NORMAL_EXIT:
    case EVENT_METHOD_EXCEPTIONAL_EXIT:
        if (settle_on(p, t, d->method_id))
            pop(p, t, true, d->event == EVENT_METHOD_EXCEPTIONAL_EXIT);
        break;
    default:
        if (settle_on(p, t, d->method_id))
            step(t, d->dataid);
    }
}

static int walk(hs_trace *trace, struct paths *p, struct thread_paths *threads, enum hs_path_kind kind, uint64_t from,
                uint64_t to, struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_ENTRY, EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT,
                                       EVENT_LABEL, EVENT_CATCH_LABEL };
    struct hs_filter filter = {
        .size = sizeof filter, .from = from, .to = to, .events = events, .event_count = kind == HS_PATH_CALLS ? 3 : 5
    };
    const struct hs_event *e;
    hs_cursor *c;
    int more;
    if (hs_cursor_open(trace, &filter, &c, error) != 0)
        return -1;
    while (!p->no_memory && (more = hs_cursor_next(c, &e, error)) > 0) {
        struct thread_paths *t = &threads[positions_stream(trace, e->thread)];
        if (gap_passed(trace, &t->gap, e->stamp))
            while (t->calls.count > 0)
                pop(p, t, false, false);
        apply(p, t, hs_dataid_get(trace, e->dataid), kind);
        p->no_memory |= t->fold.no_memory;
    }
    hs_cursor_close(c);
    return p->no_memory ? give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" }) : more;
}

static int by_method(const void *a, const void *b)
{
    const struct hs_path *x = a, *y = b;
    return x->method_id != y->method_id ? (x->method_id < y->method_id ? -1 : 1)
           : x->calls > y->calls        ? -1
                                        : x->calls < y->calls;
}

int hs_paths_open(hs_trace *trace, enum hs_path_kind kind, const struct hs_paths **out, struct hs_error *error)
{
    return hs_paths_open_between(trace, kind, 0, UINT64_MAX, out, error);
}

int hs_paths_open_between(hs_trace *trace, enum hs_path_kind kind, uint64_t from, uint64_t to,
                          const struct hs_paths **out, struct hs_error *error)
{
    struct paths *p = calloc(1, sizeof *p);
    struct thread_paths *threads = calloc(trace->stream_count + 1, sizeof *threads);
    int failed = -1;
    if (p == NULL || threads == NULL) {
        (void)give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
    } else {
        for (size_t i = 0; i < trace->stream_count; i++)
            threads[i].fold = (struct fold){ .ops = &ops, .context = &threads[i] };
        failed = walk(trace, p, threads, kind, from, to, error);
    }
    for (size_t i = 0; threads != NULL && i < trace->stream_count; i++) {
        fold_done(&threads[i].fold);
        vec_free(&threads[i].calls);
        vec_free(&threads[i].steps);
        vec_free(&threads[i].repeats);
    }
    free(threads);
    if (failed != 0) {
        hs_paths_close(p != NULL ? &p->made : NULL);
        return -1;
    }
    if (p->list.count > 1)
        qsort(p->list.items, p->list.count, sizeof *p->list.items, by_method);
    p->made = (struct hs_paths){ p->list.items, p->list.count };
    *out = &p->made;
    return 0;
}

void hs_paths_close(const struct hs_paths *made)
{
    struct paths *p = (struct paths *)(uintptr_t)made; /* its first member */
    if (p == NULL)
        return;
    vec_free(&p->list);
    first_occurrences_done(&p->first_paths);
    arena_done(&p->arena);
    free(p);
}
