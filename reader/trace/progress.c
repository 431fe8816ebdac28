/* progress.c - see progress.h. */
#include "reader/trace/progress.h"

struct phase phase_begin(struct progress *p, const char *name, uint64_t total)
{
    struct phase outer = { .progress = p, .outer_name = p->name, .outer_done = p->done, .outer_total = p->total };
    if (p->name == NULL)
        p->cancelled = false;
    p->name = name;
    p->done = 0;
    p->total = total;
    return outer;
}

struct phase phase_resume(struct progress *p, const char *name, uint64_t total, uint64_t *done)
{
    if (p->fn == NULL || p->name != NULL)
        return (struct phase){ 0 };
    struct phase phase = phase_begin(p, name, total);
    p->done = *done;
    phase.kept = done;
    return phase;
}

void phase_end(struct phase *phase)
{
    struct progress *p = phase->progress;
    if (p == NULL)
        return;
    if (phase->kept != NULL)
        *phase->kept = p->done;
    p->name = phase->outer_name;
    p->done = phase->outer_done;
    p->total = phase->outer_total;
}

enum status progress_step(struct progress *p, struct error *err)
{
    if (p->fn == NULL || p->name == NULL)
        return OK;
    if (p->done < p->total) /* a chunk may be read twice, and is then counted twice */
        p->done++;
    if (!p->cancelled)
        p->cancelled = p->fn(p->context, p->done, p->total, p->name) != 0;
    return p->cancelled ? error_set(err, ERR_CANCELLED, "%s: cancelled", p->name) : OK;
}
