/* throw_hits.c - see throw_hits.h. */
#include "reader/session/throw_hits.h"

#include <stdlib.h>
#include <string.h>

#include "formats/search.h"

enum { WINDOW = 1024, EVENTS = 1 << 14 }; /* EVENTS: looked at backwards at first, for each window */

struct throw_hits {
    hs_cursor *rows;
    uint64_t from, to; /* `list` has all exceptions between them */
    VEC(struct thrown_at {
        uint64_t seq;
        const char *type; /* NULL: not known */
        bool caught;
    })
    list;
};

void throw_hits_done(struct nav *nav)
{
    struct throw_hits *h = nav->thrown;
    if (h == NULL)
        return;
    hs_cursor_close(h->rows);
    vec_free(&h->list);
    free(h);
    nav->thrown = NULL;
}

enum status throw_hits_open(struct nav *nav, struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    if (nav->thrown != NULL)
        return OK;
    nav->thrown = calloc(1, sizeof *nav->thrown);
    if (nav->thrown == NULL)
        return nav_memory(nav, err);
    *nav->thrown = (struct throw_hits){ .from = 1 }; /* to 0: nothing */
    if (hs_exceptions_open(nav->trace, &nav->thrown->rows, &error) == 0)
        return OK;
    throw_hits_done(nav);
    return state_take(&error, err);
}

/* Makes room behind the last one: without the earlier half. */
static void drop_half(struct throw_hits *h)
{
    h->list.count -= WINDOW / 2;
    memmove(h->list.items, h->list.items + WINDOW / 2, h->list.count * sizeof *h->list.items);
    h->from = h->list.items[0].seq;
}

/* The window of the first exceptions from `from` to `to`, or (`ahead` false) of the last ones. */
static enum status read_window(struct nav *nav, uint64_t from, uint64_t to, bool ahead, struct error *err)
{
    struct throw_hits *h = nav->thrown;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_exception *x;
    int more = 0;
    h->list.count = 0;
    h->from = 1; /* nothing, should it fail */
    h->to = 0;
    if (hs_cursor_seek(h->rows, from, &error) != 0)
        return state_take(&error, err);
    uint64_t first = from, last = to;
    while ((more = hs_exception_next(h->rows, &x, &error)) > 0 && x->thrown <= to) {
        if (h->list.count == WINDOW && ahead) {
            last = x->thrown - 1;
            break;
        }
        if (h->list.count == WINDOW) {
            drop_half(h);
            first = h->from;
        }
        struct thrown_at *new = vec_push(&h->list);
        if (new == NULL)
            return nav_memory(nav, err);
        *new = (struct thrown_at){ x->thrown, x->type, x->caught != HS_NO_SEQ };
    }
    if (more < 0)
        return state_take(&error, err);
    h->from = first;
    h->to = last;
    return OK;
}

static bool is_hit(const struct nav_break *b, const struct thrown_at *x)
{
    return (x->caught ? b->caught : b->uncaught) &&
           (b->classes == NULL || (x->type != NULL && hs_class_matches(b->classes, x->type)));
}

/* In the window. */
static bool find(const struct throw_hits *h, const struct nav_break *b, uint64_t from, uint64_t to, bool ahead,
                 uint64_t *seq)
{
    size_t at, end = h->list.count;
    LOWER_BOUND(at, end, ahead ? h->list.items[at].seq < from : h->list.items[at].seq <= to);
    for (; ahead ? at < end && h->list.items[at].seq <= to : at > 0 && h->list.items[at - 1].seq >= from;
         at = ahead ? at + 1 : at - 1)
        if (is_hit(b, &h->list.items[ahead ? at : at - 1])) {
            *seq = h->list.items[ahead ? at : at - 1].seq;
            return true;
        }
    return false;
}

enum status throw_hits_find(struct nav *nav, const struct nav_break *b, uint64_t from, uint64_t to, bool ahead,
                            uint64_t *seq, struct error *err)
{
    enum status st = throw_hits_open(nav, err);
    const uint64_t events = hs_event_count(nav->trace);
    to = to < events ? to : events;
    for (uint64_t span = EVENTS; st == OK && from <= to && !nav_cancelled(nav); span *= 2) {
        const struct throw_hits *h = nav->thrown;
        const uint64_t next = ahead ? from : to;
        if (next < h->from || next > h->to)
            st = read_window(nav, ahead || to - from < span ? from : to - span, to, ahead, err);
        if (st != OK || find(h, b, from, to, ahead, seq))
            break;
        if (ahead ? h->to >= to : h->from <= from)
            break;
        if (ahead)
            from = h->to + 1;
        else
            to = h->from - 1;
    }
    return st;
}
