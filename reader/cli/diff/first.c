/* first.c - see diff.h. Two threads side by side, event by event, up to the first in which they differ. */
#include "reader/cli/diff/diff.h"

/* One of the threads. Its cursor is NULL if only the other trace has the thread. */
struct walker {
    int side;
    hs_cursor *cursor;
    const struct hs_event *event; /* NULL: behind the last */
    const struct diff_site *site;
    u32_vec path; /* open calls */
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
    }
    return true;
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
    } while (more > 0 && (w->site == NULL || !w->site->wanted));
    if (more == 0)
        w->event = NULL;
    return more >= 0;
}

static bool open_walker(struct diff *d, struct walker *w, int side, uint32_t thread)
{
    struct hs_filter filter = HS_FILTER_ALL;
    filter.threads = &thread;
    filter.thread_count = 1;
    *w = (struct walker){ .side = side };
    return thread == UINT32_MAX || hs_events_open(d->sides[side].trace, &filter, &w->cursor, &d->error) == 0;
}

bool diff_first(struct diff *d, const struct diff_threads *threads)
{
    struct walker a = { 0 }, b = { 0 };
    bool ok = open_walker(d, &a, 0, threads->thread[0]) && open_walker(d, &b, 1, threads->thread[1]);
    bool same_place = true, same_value = true;
    while (ok && same_place && same_value) {
        ok = step(d, &a) && step(d, &b);
        if (!ok || (a.event == NULL && b.event == NULL))
            break;
        same_place = a.event != NULL && b.event != NULL && a.site->place == b.site->place;
        same_value = !same_place || diff_same_value(d, a.event, b.event);
    }
    if (ok && !(same_place && same_value))
        diff_row(d, &(struct diff_row){ .kind = same_place ? DIFF_VALUE : DIFF_CALL,
                                        .first = true,
                                        .what = a.cursor == NULL || b.cursor == NULL ? "thread" : NULL,
                                        .events = { a.event, b.event },
                                        .path = a.cursor != NULL ? &a.path : &b.path });
    hs_cursor_close(a.cursor);
    hs_cursor_close(b.cursor);
    vec_free(&a.path);
    vec_free(&b.path);
    return ok;
}
