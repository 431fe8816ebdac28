/* calls.c - see diff.h. The calls of two threads side by side.
 *
 * Both threads are read as entries, parameters and exits. While both enter the same method they go down together, and
 * the values are compared:
 *
 *     a   main( f( ) g(1 ) h( ) )        f: only a called it
 *     b   main(      g(2 ) h( ) )        g: another argument
 *
 * Where the next calls differ, the calls beside each other are listed that both threads make from there to the end of
 * the method around them, as far as the window reaches. The pair of equal methods with the fewest calls before it is
 * where both go on; the calls before it are in one run only. Without such a pair all listed calls are. So a run needs
 * one pass, and the memory of the window. */
#include "reader/compare/diff.h"

enum { WINDOW_FIRST = 1024, WINDOW_MAX = 1 << 18, UNWIND_MAX = 1000 };

/* What is kept of an event. */
struct step {
    uint64_t seq, value, time_ns;
    uint32_t dataid;
    char kind;
    const struct diff_site *site;
};
struct lane {
    int side;
    uint32_t thread;
    hs_cursor *cursor; /* NULL: at its end */
    VEC(struct step) steps;
    size_t head;    /* in steps: the next one */
    uint32_t whole; /* calls open in one that a compiler made (DIFF_MADE_WHOLE), with it; 0: none is open */
};
/* A call beside others. */
struct beside {
    uint64_t key; /* method + 1 */
    uint32_t at;  /* its position among them */
};
struct diff_walk {
    struct diff *d;
    struct lane lanes[2];
    u32_vec path;
    struct diff_holes holes;
    VEC(uint32_t) beside[2];  /* methods */
    MAP(struct beside) first; /* of each method of a, the first call */
    bool failed;
};

/* Is it an event of a method that only one compiler makes? */
static bool is_made(const struct diff *d, struct lane *l, const struct diff_site *site)
{
    const enum diff_made made = d->methods.items[site->method].made;
    if (l->whole > 0 || made == DIFF_MADE_WHOLE) {
        l->whole += event_has(site->event, USE_ENTER);
        l->whole -= event_has(site->event, USE_LEAVE) && l->whole > 0;
        return true;
    }
    return made != DIFF_MADE_NOT;
}

/* The i-th step from here; NULL: the thread has ended before, or it failed. */
static const struct step *peek(struct diff_walk *w, struct lane *l, size_t i)
{
    const struct hs_event *e;
    while (l->head + i >= l->steps.count) {
        int more = l->cursor != NULL && !w->failed ? hs_event_next(l->cursor, &e, &w->d->error) : 0;
        w->failed |= more < 0;
        if (more <= 0)
            return NULL;
        const struct diff_site *site = diff_site(w->d, l->side, e->dataid);
        if (site == NULL || is_made(w->d, l, site))
            continue;
        if (l->head > WINDOW_FIRST && 2 * l->head > l->steps.count) {
            l->steps.count -= l->head;
            memmove(l->steps.items, l->steps.items + l->head, l->steps.count * sizeof *l->steps.items);
            l->head = 0;
        }
        struct step *to = vec_push(&l->steps);
        if (to == NULL) {
            w->failed = !diff_no_memory(w->d);
            return NULL;
        }
        *to = (struct step){ e->seq, e->value, e->time_ns, e->dataid, e->kind, site };
    }
    return &l->steps.items[l->head + i];
}

static bool enters(const struct step *s) { return s != NULL && event_has(s->site->event, USE_ENTER); }
static bool leaves(const struct step *s) { return s != NULL && event_has(s->site->event, USE_LEAVE); }

static struct hs_event event_of(const struct lane *l, const struct step *s)
{
    return (struct hs_event){ .seq = s->seq,
                              .thread = l->thread,
                              .dataid = s->dataid,
                              .value = s->value,
                              .time_ns = s->time_ns,
                              .kind = s->kind };
}

static void push_path(struct diff_walk *w, uint32_t method)
{
    uint32_t *to = vec_push(&w->path);
    if (to == NULL)
        w->failed = !diff_no_memory(w->d);
    else
        *to = method;
}

/* The calls on the path down to `depth` were left. */
static void cut_path(struct diff_walk *w, size_t depth)
{
    w->path.count = depth;
    diff_hole_leave(&w->holes, depth);
}

/* Counts the innermost call if events of it are missing here. */
static void note_hole(struct diff_walk *w, const struct step *s)
{
    bool added = false;
    if (s == NULL || !diff_is_hole(s->site) || !s->site->wanted)
        return;
    w->failed |= !diff_hole_add(w->d, &w->holes, w->path.count, &added);
    w->d->partial_calls += added;
}

/* ---- calls that one run made ---- */

static void add_call(struct diff_walk *w, const struct lane *l, const struct step *s, uint64_t times, uint64_t calls)
{
    struct hs_event e = event_of(l, s);
    struct diff_row row = { .kind = HS_DIFFERENCE_CALL, .path = &w->path, .times = times, .calls = calls };
    row.events[l->side] = &e;
    w->failed |= !diff_row(w->d, &row);
}

/* Skips the call that comes next, and counts those in it. `adds`: the outermost calls
 * of wanted methods in it become rows. */
static uint64_t skip_call(struct diff_walk *w, struct lane *l, bool adds)
{
    uint64_t calls = 0, depth = 0, added = 0; /* added: depth of the call that was, 0 none */
    const struct step *s;
    do {
        s = peek(w, l, 0);
        if (enters(s)) {
            depth++;
            if (adds && added == 0 && s->site->wanted) {
                add_call(w, l, s, 1, 0);
                added = depth;
            }
            if (adds)
                push_path(w, s->site->method);
            calls++;
        } else if (leaves(s)) {
            if (adds && w->path.count > 0)
                w->path.count--;
            added = added == depth ? 0 : added;
            depth--;
        }
        l->head += s != NULL;
    } while (s != NULL && depth > 0);
    for (; adds && depth > 0 && w->path.count > 0; depth--) /* not left */
        w->path.count--;
    while (!w->failed && (s = peek(w, l, 0)) != NULL && !enters(s) && !leaves(s)) {
        note_hole(w, s); /* of the call around */
        l->head++;
    }
    return calls - 1;
}

/* Skips the next `count` calls beside each other, which only this run made. */
static void skip_calls(struct diff_walk *w, struct lane *l, size_t count)
{
    struct diff *d = w->d;
    bool chosen = d->class_glob != NULL || d->method_glob != NULL;
    while (count > 0 && !w->failed && enters(peek(w, l, 0))) {
        struct step first = *peek(w, l, 0);
        uint64_t times = 0, calls = 0;
        const struct step *s;
        while (count > 0 && !w->failed && enters(s = peek(w, l, 0)) && s->site->method == first.site->method) {
            calls += skip_call(w, l, chosen);
            times++;
            count--;
        }
        if (!chosen && !w->failed && first.site->wanted)
            add_call(w, l, &first, times, calls);
    }
}

/* Lists the methods of the calls beside each other among the next `window` steps. True: all of them up to the end of
 * the method around them. */
static bool list_beside(struct diff_walk *w, struct lane *l, size_t window)
{
    size_t depth = 0;
    w->beside[l->side].count = 0;
    for (size_t i = 0; i < window; i++) {
        const struct step *s = peek(w, l, i);
        if (s == NULL || (leaves(s) && depth == 0))
            return true;
        if (leaves(s))
            depth--;
        if (!enters(s))
            continue;
        if (depth++ == 0) {
            uint32_t *to = vec_push(&w->beside[l->side]);
            if (to == NULL) {
                w->failed = !diff_no_memory(w->d);
                return true;
            }
            *to = s->site->method;
        }
    }
    return false;
}

/* The first pair of equal methods: the numbers of calls before it, or false. */
static bool first_pair(struct diff_walk *w, size_t before[2])
{
    size_t best = SIZE_MAX;
    map_clear(&w->first);
    for (size_t i = 0; i < w->beside[0].count; i++) {
        struct beside *b = map_put(&w->first, w->beside[0].items[i] + UINT64_C(1));
        if (b == NULL) {
            w->failed = !diff_no_memory(w->d);
            return false;
        }
        if (b->at == 0)
            b->at = (uint32_t)i + 1;
    }
    for (size_t j = 0; j < w->beside[1].count && j < best; j++) {
        const struct beside *b = map_get(&w->first, w->beside[1].items[j] + UINT64_C(1));
        if (b != NULL && b->at - 1 + j < best) {
            best = b->at - 1 + j;
            before[0] = b->at - 1;
            before[1] = j;
        }
    }
    return best != SIZE_MAX;
}

/* The next calls differ. */
static void part(struct diff_walk *w)
{
    size_t before[2] = { 0 };
    for (size_t window = WINDOW_FIRST; !w->failed; window *= 4) {
        bool all_a = list_beside(w, &w->lanes[0], window), all_b = list_beside(w, &w->lanes[1], window);
        size_t in_a = w->beside[0].count, in_b = w->beside[1].count;
        if (w->failed)
            return;
        bool none = (all_a && in_a == 0) || (all_b && in_b == 0);
        bool found = !none && first_pair(w, before);
        if (!found && !none && !(all_a && all_b) && window < WINDOW_MAX)
            continue;
        skip_calls(w, &w->lanes[0], found ? before[0] : in_a);
        skip_calls(w, &w->lanes[1], found ? before[1] : in_b);
        return;
    }
}

/* ---- calls that both made ---- */

static void compare(struct diff_walk *w, const struct step *a, const struct step *b, const char *what)
{
    struct hs_event ea = event_of(&w->lanes[0], a), eb = event_of(&w->lanes[1], b);
    bool exits = a->site->event != b->site->event;
    w->d->was[0] = w->d->was[1] = 0;
    if ((!exits && diff_same_value(w->d, &ea, &eb)) || !(a->site->wanted && b->site->wanted))
        return;
    w->failed |= !diff_row(w->d, &(struct diff_row){ .kind = HS_DIFFERENCE_VALUE,
                                                     .what = exits ? "exit" : what,
                                                     .events = { &ea, &eb },
                                                     .path = &w->path });
}

/* An exit of another method than the innermost: of a call that was open before the recording, or above calls whose
 * exits are missing. Skips it, or ends those calls. True: it was such an exit. */
static bool stray(struct diff_walk *w, struct lane *l, const struct step *s)
{
    size_t depth = w->path.count;
    if (!leaves(s) || (depth > 0 && w->path.items[depth - 1] == s->site->method))
        return false;
    for (size_t i = depth; i > 0 && depth - i < UNWIND_MAX; i--)
        if (w->path.items[i - 1] == s->site->method) {
            cut_path(w, i);
            return true;
        }
    l->head++;
    return true;
}

/* One step of both threads. False: both are at their ends. */
static bool advance(struct diff_walk *w)
{
    struct lane *la = &w->lanes[0], *lb = &w->lanes[1];
    const struct step *a = peek(w, la, 0), *b = peek(w, lb, 0);
    if (w->failed || (a == NULL && b == NULL))
        return false;
    if (stray(w, la, a) || stray(w, lb, b))
        return true;
    bool hole_a = a != NULL && diff_is_hole(a->site), hole_b = b != NULL && diff_is_hole(b->site);
    if (hole_a || hole_b) {
        note_hole(w, hole_a ? a : b);
        la->head += hole_a;
        lb->head += hole_b;
        return true;
    }
    bool calls = enters(a) && enters(b) && a->site->method == b->site->method, exits = leaves(a) && leaves(b);
    bool value_a = a != NULL && !enters(a) && !leaves(a), value_b = b != NULL && !enters(b) && !leaves(b);
    if (calls)
        push_path(w, a->site->method);
    if (calls || exits || (value_a && value_b))
        compare(w, a, b, calls ? "receiver" : exits ? "result" : "argument");
    if (exits)
        cut_path(w, w->path.count - 1);
    if ((a == NULL && leaves(b)) || (b == NULL && leaves(a))) { /* one thread ended inside of the call */
        (a == NULL ? lb : la)->head++;
        cut_path(w, w->path.count - 1);
        return true;
    }
    if (!calls && !exits && !value_a && !value_b) {
        part(w);
        return true;
    }
    la->head += calls || exits || value_a;
    lb->head += calls || exits || value_b;
    return true;
}

static bool open_lane(struct diff_walk *w, int side, uint32_t thread)
{
    static const unsigned events[] = { HS_EVENT_METHOD_ENTRY, HS_EVENT_METHOD_PARAM, HS_EVENT_METHOD_NORMAL_EXIT,
                                       HS_EVENT_METHOD_EXCEPTIONAL_EXIT, HS_EVENT_EVENTS_LEFT_OUT };
    struct hs_filter filter = HS_FILTER_ALL;
    filter.threads = &thread;
    filter.thread_count = 1;
    filter.events = events;
    filter.event_count = sizeof events / sizeof *events;
    w->lanes[side] = (struct lane){ .side = side, .thread = thread };
    return thread == UINT32_MAX ||
           hs_events_open(w->d->sides[side].trace, &filter, &w->lanes[side].cursor, &w->d->error) == 0;
}

struct diff_walk *diff_walk_open(struct diff *d, const struct diff_threads *threads)
{
    struct diff_walk *w = calloc(1, sizeof *w);
    if (w == NULL) {
        (void)diff_no_memory(d);
        return NULL;
    }
    w->d = d;
    if (open_lane(w, 0, threads->thread[0]) && open_lane(w, 1, threads->thread[1]))
        return w;
    diff_walk_close(w);
    return NULL;
}

int diff_walk_step(struct diff_walk *w)
{
    const bool more = advance(w);
    return w->failed ? -1 : more;
}

void diff_walk_close(struct diff_walk *w)
{
    for (int side = 0; w != NULL && side < 2; side++) {
        hs_cursor_close(w->lanes[side].cursor);
        vec_free(&w->lanes[side].steps);
        vec_free(&w->beside[side]);
    }
    if (w == NULL)
        return;
    vec_free(&w->path);
    vec_free(&w->holes.depths);
    map_free(&w->first);
    free(w);
}
