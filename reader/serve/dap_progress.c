/* dap_progress.c - long requests: the client sees how far they are, and can stop them; see dap.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reader/serve/dap.h"

bool dap_poll(void *dap)
{
    enum { EVERY = 64, QUEUE_MAX = 1000 };
    static const char *const stops[] = { "\"pause\"", "\"disconnect\"", "\"terminate\"", "\"cancel\"" };
    struct dap *d = dap;
    if (d->cancelled || d->polls++ % EVERY != 0)
        return d->cancelled;
    while (d->queue.count < QUEUE_MAX && connection_waits(&d->connection)) {
        size_t size;
        const char *message = connection_read(&d->connection, &size);
        char **to = message != NULL ? vec_push(&d->queue) : NULL;
        if (to == NULL || (*to = strdup(message)) == NULL) {
            d->queue.count -= to != NULL;
            return d->cancelled = true;
        }
        for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
            d->cancelled |= strstr(*to, stops[i]) != NULL;
    }
    return d->cancelled;
}

uint64_t dap_now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static struct json *progress_event(struct dap *d, const char *event)
{
    char id[32];
    struct json *j = dap_event_begin(d, event);
    (void)snprintf(id, sizeof id, "query-%u", d->progress.number);
    json_member_text(j, "progressId", id);
    return j;
}

/* Shown when a request has taken half a second, then twice a second. */
static int step(void *context, uint64_t done, uint64_t total, const char *phase)
{
    enum { AFTER_MS = 500 };
    struct dap *d = context;
    struct dap_progress *p = &d->progress;
    if (dap_poll(d))
        return 1;
    uint64_t now = dap_now_ms();
    if (p->since_ms == 0)
        p->since_ms = p->sent_ms = now;
    if (!p->wanted || now - p->sent_ms < AFTER_MS)
        return 0;
    p->sent_ms = now;
    p->number += !p->shown;
    struct json *j = progress_event(d, p->shown ? "progressUpdate" : "progressStart");
    if (!p->shown) {
        json_member_text(j, "title", "Hindsight");
        json_member_bool(j, "cancellable", true);
    }
    json_member_text(j, "message", phase);
    json_member_u64(j, "percentage", total > 0 ? (done < total ? done : total) * 100 / total : 0);
    dap_event_end(d);
    p->shown = true;
    return 0;
}

void dap_watch_progress(struct dap *d) { hs_set_progress(d->trace, step, d); }

void dap_end_progress(struct dap *d)
{
    if (d->progress.shown) {
        (void)progress_event(d, "progressEnd");
        dap_event_end(d);
    }
    d->progress.shown = false;
    d->progress.since_ms = 0;
}
