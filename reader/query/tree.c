/* tree.c - the calls of one thread as a tree (tree_calls.h), batch by batch.
 *
 * A tree cursor returns calls in batches. At a cut it ends all loops, looks up how the open calls end (ahead.h), and
 * returns and forgets the calls kept so far. So the first calls are returned after `ahead` events; each cut is twice as
 * far away as the one before, so that there are few. A tree with a depth leaves out what lies deeper (tree_skip.h). */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/query/tree_calls.h"

enum { FIRST_CUT = 1 << 20, KEPT_MAX = 1 << 20 }; /* events of the thread; calls that are kept at once */
/* a tree of more levels is read as a whole */
enum { DEPTH_MOST = 1000 };

static int next_call(hs_cursor *base, const void **call, struct hs_error *error);
static void close_tree(hs_cursor *base);
static const struct cursor_ops tree_ops = { .row = ROW_call, .next = next_call, .close = close_tree };

static int no_memory(struct hs_error *error)
{
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    return give(error, &err);
}

/* A tree with the calls that are open at `open_at`, and a walk over the events that follow. */
static int begin(hs_trace *trace, const struct hs_tree_options *want, struct tree_cursor **out, struct hs_error *error)
{
    static const unsigned events[] = {
        EVENT_METHOD_ENTRY, EVENT_METHOD_PARAM,   EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT,
        EVENT_CATCH,        EVENT_EVENTS_LEFT_OUT
    };
    struct hs_filter filter = { .size = sizeof filter,
                                .from = want->from,
                                .to = want->to,
                                .threads = &want->thread,
                                .thread_count = 1,
                                .events = events,
                                .event_count = sizeof events / sizeof *events };
    struct tree_cursor *t = calloc(1, sizeof *t);
    struct open_call *root = t != NULL ? vec_push(&t->open) : NULL;
    if (root == NULL) {
        free(t);
        return no_memory(error);
    }
    *root = (struct open_call){ .node = FOLD_NO_HANDLE };
    t->base.ops = &tree_ops;
    t->trace = trace;
    t->want = *want;
    t->fold = (struct fold){ .ops = &tree_fold_ops, .context = t };
    fold_open(&t->fold);
    walk_open_filter(&t->events, trace, &filter);
    if (walk_give(&t->events, error) != 0)
        goto failed;
    if (want->open_at != HS_NO_SEQ) {
        struct error err;
        struct arena arena = { 0 };
        enum status st = tree_enter_open_calls(t, &arena, &err);
        arena_done(&arena);
        if (st != OK) {
            (void)give(error, &err);
            goto failed;
        }
    }
    *out = t;
    return 0;
failed:
    close_tree(&t->base);
    return -1;
}

/* Reads all events before the first call is given. */
static int make_whole(struct tree_cursor *t, struct hs_error *error)
{
    const struct hs_event *e;
    while (!tree_failed(t) && walk_step(&t->events, &e))
        tree_apply(t, e);
    tree_close_open_calls(t);
    if (walk_give(&t->events, error) != 0)
        return -1;
    t->over = true;
    return tree_failed(t) || !tree_link_calls(t) ? no_memory(error) : 0;
}

static void close_tree(hs_cursor *base)
{
    struct tree_cursor *t = (struct tree_cursor *)base;
    (void)walk_close(&t->events, NULL);
    fold_done(&t->fold);
    vec_free(&t->open);
    map_free(&t->shapes);
    vec_free(&t->calls);
    vec_free(&t->values);
    vec_free(&t->value_list);
    vec_free(&t->repeats);
    vec_free(&t->repeat_list);
    vec_free(&t->ends);
    tree_skip_done(&t->skip);
    free(t);
}

/* ---- call by call ---- */

/* Looks up how the calls that are open and kept end. They are given then. */
static int complete_open_calls(struct tree_cursor *t, uint64_t position, struct hs_error *error)
{
    struct error err;
    size_t n = 0;
    t->ends.count = 0;
    for (size_t i = 1; i < t->open.count; i++) {
        if (t->open.items[i].node == FOLD_NO_HANDLE)
            continue;
        struct call_end *x = vec_push(&t->ends);
        if (x == NULL)
            return no_memory(error);
        x->entry = t->open.items[i].entry;
    }
    if (t->ends.count > 0 &&
        call_ends_find(t->trace, t->stream, position, t->limit, t->ends.items, t->ends.count, &err) != OK)
        return give(error, &err);
    for (size_t i = 1; i < t->open.count; i++) {
        struct open_call *f = &t->open.items[i];
        if (f->node == FOLD_NO_HANDLE)
            continue;
        const struct call_end *x = &t->ends.items[n++];
        struct tree_call *c = &t->calls.items[f->node];
        c->made.calls = x->exit == CALL_UNKNOWN ? f->calls : x->calls;
        f->node = FOLD_NO_HANDLE;
        f->given = true;
        if (x->exit == CALL_OPEN || x->exit == CALL_UNKNOWN || x->dataid == UINT32_MAX)
            continue;
        tree_set_result(c, dataid_or_none(t->trace, x->dataid), x->value);
    }
    return 0;
}

/* Forgets the calls that were given. */
static void clear(struct tree_cursor *t) { t->calls.count = t->values.count = t->repeats.count = t->given = 0; }

/* Is there to be a cut before this event? Sets the position of the first cut. */
static bool is_cut(struct tree_cursor *t, const struct hs_event *e)
{
    if (t->window == 0) {
        t->window = t->want.ahead > 0 ? t->want.ahead : FIRST_CUT;
        t->cut_at = e->position + t->window;
    }
    if (e->position < t->cut_at && t->calls.count < KEPT_MAX)
        return false;
    return dataid_or_none(t->trace, e->dataid)->event == EVENT_METHOD_ENTRY;
}

/* Goes on behind the chunks in which no call up to the depth begins or ends, and calls
 * of that depth make no calls. False: there are none. */
static bool skip_chunks(struct tree_cursor *t, const struct hs_event *e)
{
    struct tree_skip *s = &t->skip;
    uint64_t seq;
    size_t stay = (size_t)t->want.depth + 2; /* with those that the calls of that depth make */
    if (t->open.count - 1 < stay)
        return false;
    s->frames.count = 0;
    for (size_t i = 1; i <= stay; i++) {
        struct skip_frame *to = vec_push(&s->frames);
        if (to == NULL) {
            t->no_memory = true;
            return false;
        }
        *to = (struct skip_frame){ t->open.items[i].method_id, t->open.items[i].entry };
    }
    if (!tree_skip_find(s, e->position, &seq))
        return false;
    t->open.count = stay + 1;
    for (size_t i = stay; i < s->found.count; i++) {
        const struct skip_frame *from = &s->found.items[i];
        struct open_call *f = vec_push(&t->open);
        if (f == NULL) {
            t->no_memory = true;
            return false;
        }
        *f = (struct open_call){ .method_id = from->method_id, .node = FOLD_NO_HANDLE, .entry = from->entry };
    }
    walk_seek(&t->events, seq);
    return true;
}

/* Goes on behind the chunks in which the frame on top makes only calls like the one that it made last. */
static bool skip_equal(struct tree_cursor *t, const struct hs_event *e)
{
    const size_t depth = t->open.count - 1;
    const uint64_t until = t->cut_at < t->limit ? t->cut_at : t->limit;
    struct equal_calls found;
    if (dataid_or_none(t->trace, e->dataid)->event != EVENT_METHOD_ENTRY || t->ended.depth != depth || t->window == 0 ||
        depth > t->want.depth || !tree_equal_find(&t->equal, depth, t->ended.entry, e->position, until, &found) ||
        !fold_again(&t->fold, found.calls))
        return false;
    t->open.items[depth].calls += found.calls;
    walk_seek(&t->events, found.seq);
    return true;
}

static void walk_to_cut(struct tree_cursor *t)
{
    const struct hs_event *e;
    if (t->at_cut) { /* the event after the last cut */
        tree_apply(t, &t->waiting);
        t->at_cut = false;
    }
    while (!tree_failed(t) && walk_step(&t->events, &e)) {
        if (tree_skip_due(&t->skip, e->position) && skip_chunks(t, e))
            continue;
        if (tree_equal_due(&t->equal, e->position) && skip_equal(t, e))
            continue;
        if (is_cut(t, e)) {
            t->waiting = *e;
            t->at_cut = true;
            return;
        }
        tree_apply(t, e);
    }
}

/* Walks to the next cut or the end, where calls can be given. */
static int make_batch(struct tree_cursor *t, struct hs_error *error)
{
    clear(t);
    walk_clear_error(&t->events);
    walk_to_cut(t);
    if (walk_give(&t->events, error) != 0)
        return -1;
    if (t->at_cut) {
        t->window *= 2;
        t->cut_at = t->waiting.position + t->window;
        if (t->want.fold != HS_FOLD_NONE)
            fold_cut(&t->fold);
        if (complete_open_calls(t, t->waiting.position, error) != 0)
            return -1;
    } else {
        tree_close_open_calls(t);
        t->over = true;
    }
    return tree_failed(t) || !tree_link_calls(t) ? no_memory(error) : 0;
}

/* Counts the events of the thread up to `to`. */
static int find_limit(struct tree_cursor *t, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct hs_event e;
    struct walk w;
    t->stream = positions_stream(t->trace, t->want.thread);
    t->limit = t->stream != UINT32_MAX ? t->trace->streams[t->stream].events : 0;
    if (t->want.depth <= DEPTH_MOST)
        index_wish(t->trace);
    tree_skip_init(&t->skip, t->trace, t->stream);
    tree_equal_init(&t->equal, t->trace, t->stream);
    t->equal.off = t->equal.off || t->want.fold != HS_FOLD_SHAPE || t->want.from > 0 || t->want.open_at != HS_NO_SEQ;
    t->skip.off = t->skip.off || t->want.depth > DEPTH_MOST;
    if (t->want.to >= t->trace->events || t->stream == UINT32_MAX)
        return 0;
    filter.threads = &t->want.thread;
    filter.thread_count = 1;
    walk_open_filter(&w, t->trace, &filter);
    walk_seek_after(&w, t->want.to);
    t->limit = walk_previous(&w, &e) ? e.position + 1 : 0;
    return walk_finish(&w, error);
}

static int next_call(hs_cursor *base, const void **call, struct hs_error *error)
{
    struct tree_cursor *t = (struct tree_cursor *)base;
    struct phase phase PHASE_ENDS = trace_phase_resume(t->trace, "tree", &t->read);
    while (t->given == t->calls.count) {
        if (t->over)
            return 0;
        if (make_batch(t, error) != 0)
            return -1;
    }
    *call = &t->calls.items[t->given++].made;
    return 1;
}

int hs_tree_open(hs_trace *trace, const struct hs_tree_options *options, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "tree");
    struct tree_cursor *t = NULL;
    struct error err;
    if (options->size != sizeof *options) {
        (void)error_set(&err, ERR_USAGE, "hs_tree_open: options of %zu bytes, this library knows %zu", options->size,
                        sizeof *options);
        return give(error, &err);
    }
    if (begin(trace, options, &t, error) != 0)
        return -1;
    bool whole = options->ahead == HS_TREE_WHOLE;
    if (!whole)
        t->want.max = UINT64_MAX;
    if ((whole ? make_whole(t, error) : find_limit(t, error)) != 0) {
        close_tree(&t->base);
        return -1;
    }
    *out = &t->base;
    return 0;
}

bool hs_tree_cut(const hs_cursor *c) { return c->ops == &tree_ops && ((const struct tree_cursor *)c)->cut; }
