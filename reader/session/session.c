/* session.c - opens and closes a session; see session.h. */
#include <stdlib.h>

#include "reader/query/past_heap.h"
#include "reader/session/hits.h"
#include "reader/session/nav.h"

enum status nav_open(hs_trace *trace, struct nav **out, struct error *err)
{
    struct nav *nav = calloc(1, sizeof *nav);
    if (nav == NULL)
        return state_memory(trace, err);
    nav->trace = trace;
    enum status st = hs_event_count(trace) > 0
                         ? nav_go(nav, 0, err)
                         : error_set(err, ERR_NOT_FOUND, "%s: has no events; record with --format omni", trace->dir);
    if (st != OK) {
        nav_close(nav);
        return st;
    }
    *out = nav;
    return OK;
}

void nav_close(struct nav *nav)
{
    if (nav == NULL)
        return;
    nav_forget(nav);
    vec_free(&nav->stacks);
    vec_free(&nav->hits);
    hits_done(nav);
    field_watch_free(nav->fields);
    free(nav);
}

uint64_t nav_seq(const struct nav *nav) { return nav->seq; }
uint32_t nav_thread(const struct nav *nav) { return nav->thread; }

void nav_set_poll(struct nav *nav, bool (*poll)(void *context), void *context)
{
    nav->poll = poll;
    nav->poll_context = context;
}

void nav_set_pass(struct nav *nav, nav_pass_fn *pass, void *context)
{
    nav->pass = pass;
    nav->pass_context = context;
}
