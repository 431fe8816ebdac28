/* first.c - see diff.h. Two threads side by side, event by event, up to the first in which they differ.
 *
 * Where percall= left events of a call out of one trace, those of the other trace are skipped: up to the next call in
 * it or its exit, which both traces have. */
#include "reader/compare/diff.h"

/* One of the threads. Its cursor is NULL if only the other trace has the thread. */
struct walker {
    int side;
    hs_cursor *cursor;
    const struct hs_event *event; /* NULL: behind the last */
    const struct diff_site *site;
    uint64_t place; /* as diff_site has it, of an accessor's event in its caller */
    u32_vec path;   /* open calls */
    struct diff_holes holes;
};

static bool keep_path(struct diff *d, struct walker *w)
{
    if (event_has(w->site->event, USE_ENTER)) {
        uint32_t *to = vec_push(&w->path);
        if (to == NULL)
            return diff_no_memory(d);
        *to = w->site->method;
    } else if (event_has(w->site->event, USE_LEAVE) && w->path.count > 0 &&
               w->path.items[w->path.count - 1] == w->site->method) {
        w->path.count--;
        diff_hole_leave(&w->holes, w->path.count);
    } else if (event_has(w->site->event, USE_LEAVE) && w->path.count == 0) {
        w->holes.depths.count = 0; /* a call that was open before */
    }
    return true;
}

/* Notes where events are missing, which is itself no event to compare. */
static bool keep_hole(struct diff *d, struct walker *w)
{
    bool added;
    return w->site == NULL || !diff_is_hole(w->site) || diff_hole_add(d, &w->holes, w->path.count, &added);
}

/* Is the event one that a compiler wrote by itself? Else sets its place. */
static bool is_made(const struct diff *d, struct walker *w)
{
    const struct diff_method *methods = d->methods.items;
    const struct diff_site *site = w->site;
    const enum diff_made made = methods[site->method].made;
    w->place = site->place;
    if (made == DIFF_MADE_NOT && site->left_out)
        return true;
    for (size_t i = 0; d->recompiled && i < w->path.count; i++)
        if (methods[w->path.items[i]].made == DIFF_MADE_WHOLE)
            return true;
    if (made != DIFF_MADE_BETWEEN)
        return made != DIFF_MADE_NOT;
    size_t i = w->path.count;
    while (i > 0 && methods[w->path.items[i - 1]].made != DIFF_MADE_NOT)
        i--;
    if (i == 0 || site->left_out || event_has(site->event, USE_ENTER | USE_LEAVE | USE_READ_LOCAL | USE_WRITE_LOCAL) ||
        site->event == EVENT_LABEL || site->event == EVENT_LINE_NUMBER)
        return true;
    w->place = diff_place_in(d, w->side, w->event->dataid, w->path.items[i - 1]);
    return false;
}

/* Goes on to the next event that is compared. */
static bool step(struct diff *d, struct walker *w)
{
    int more = 0;
    do {
        if (w->event != NULL && w->site != NULL && !keep_path(d, w))
            return false;
        more = w->cursor != NULL ? hs_event_next(w->cursor, &w->event, &d->error) : 0;
        w->site = more > 0 ? diff_site(d, w->side, w->event->dataid) : NULL;
        if (!keep_hole(d, w))
            return false;
    } while (more > 0 && (w->site == NULL || !w->site->wanted || diff_is_hole(w->site) || is_made(d, w)));
    if (more == 0)
        w->event = NULL;
    return more >= 0;
}

/* An event of the innermost call itself: no entry, no exit. */
static bool is_inside(const struct walker *w)
{
    return w->event != NULL && !event_has(w->site->event, USE_ENTER | USE_LEAVE);
}

/* Are events of the innermost call of both, the same one, missing in one of them? */
static bool in_hole(const struct walker *a, const struct walker *b)
{
    bool top_a = a->path.count > 0, top_b = b->path.count > 0;
    if (top_a != top_b || (top_a && a->path.items[a->path.count - 1] != b->path.items[b->path.count - 1]))
        return false;
    return diff_hole_at(&a->holes, a->path.count) || diff_hole_at(&b->holes, b->path.count);
}

/* Both go on to the next events that can be compared. */
static bool step_both(struct diff *d, struct walker *a, struct walker *b)
{
    bool ok = step(d, a) && step(d, b);
    while (ok && in_hole(a, b) && (is_inside(a) || is_inside(b)))
        ok = (!is_inside(a) || step(d, a)) && (!is_inside(b) || step(d, b));
    return ok;
}

static bool open_walker(struct diff *d, struct walker *w, int side, uint32_t thread)
{
    struct hs_filter filter = HS_FILTER_ALL;
    filter.threads = &thread;
    filter.thread_count = 1;
    *w = (struct walker){ .side = side };
    return thread == UINT32_MAX || hs_events_open(d->sides[side].trace, &filter, &w->cursor, &d->error) == 0;
}

/* Goes on behind the innermost open call; without one to the end. */
static bool leave(struct diff *d, struct walker *w)
{
    const size_t depth = w->path.count;
    bool ok = true;
    while (ok && w->event != NULL && (depth == 0 || w->path.count >= depth))
        ok = step(d, w);
    return ok;
}

/* Are these behind one branch, which went another way in each? */
static bool is_decision(const struct diff *d, const struct walker *a, const struct walker *b)
{
    return a->event != NULL && b->event != NULL && a->site->event == EVENT_LABEL && b->site->event == EVENT_LABEL &&
           a->site->method == b->site->method && d->methods.items[a->site->method].same &&
           a->event->value == b->event->value;
}

/* What is found in two threads. */
struct found {
    bool value, place;
};

static bool add(struct diff *d, const struct walker *a, const struct walker *b, enum hs_difference_kind kind,
                uint32_t behind, bool *added)
{
    const bool ok = diff_row(d, &(struct diff_row){ .kind = kind,
                                                    .first = true,
                                                    .what = a->cursor == NULL || b->cursor == NULL ? "thread" : NULL,
                                                    .events = { a->event, b->event },
                                                    .path = a->cursor != NULL ? &a->path : &b->path,
                                                    .behind = behind });
    *added = *added || !d->hidden;
    return ok;
}

/* Both stand at events that differ. Behind the first difference only a decision is one more, at which the walk ends.
 * What is noise is passed over: another value itself, another way up to the end of the call. */
static bool differ(struct diff *d, struct walker *a, struct walker *b, bool same_place, uint32_t behind,
                   struct found *found)
{
    const bool decides = !same_place && is_decision(d, a, b);
    if (same_place)
        return (found->value || add(d, a, b, HS_DIFFERENCE_VALUE, UINT32_MAX, &found->value)) && step_both(d, a, b);
    if (decides || !found->value) {
        if (!add(d, a, b, decides ? HS_DIFFERENCE_DECISION : HS_DIFFERENCE_CALL, behind, &found->place))
            return false;
    } else {
        found->place = true;
    }
    return found->place || (leave(d, a) && leave(d, b));
}

bool diff_first(struct diff *d, const struct diff_threads *threads)
{
    struct walker a = { 0 }, b = { 0 };
    struct found found = { 0 };
    uint32_t behind = UINT32_MAX;
    bool ok =
        open_walker(d, &a, 0, threads->thread[0]) && open_walker(d, &b, 1, threads->thread[1]) && step_both(d, &a, &b);
    while (ok && !found.place && (a.event != NULL || b.event != NULL)) {
        const bool same_place = a.event != NULL && b.event != NULL && a.place == b.place;
        if (same_place && diff_same_value(d, a.event, b.event)) {
            behind = a.event->dataid;
            ok = step_both(d, &a, &b);
            continue;
        }
        ok = differ(d, &a, &b, same_place, behind, &found);
        if (found.value && ((d->kinds & HS_DIFFERENCE_DECISION) == 0))
            break;
    }
    hs_cursor_close(a.cursor);
    hs_cursor_close(b.cursor);
    vec_free(&a.path);
    vec_free(&b.path);
    vec_free(&a.holes.depths);
    vec_free(&b.holes.depths);
    return ok;
}
