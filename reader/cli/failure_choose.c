/* failure_choose.c - which of the steps that were found a page shows: those for which fewest lines are to be read, from
 * the value on. What a place gave again and again, as in a loop, is counted. */
#include "reader/cli/failure_parts.h"

enum { STEPS_MAX = 40, PLACE_TIMES = 2, LINE_TIMES = 5 };

static int by_cost(const void *a, const void *b)
{
    const struct failure_found *const *x = a, *const *y = b;
    if ((*x)->cost != (*y)->cost)
        return (*x)->cost < (*y)->cost ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* The shown step that has this place, or line, often enough; NULL: it has not been. */
static struct failure_found *shown_before(const failure_found_vec *found, const struct failure_found *x)
{
    size_t times = 0, of_line = 0;
    struct failure_found *last = NULL;
    for (size_t i = 0; i < found->count; i++) {
        struct failure_found *y = &found->items[i];
        if (!y->shown)
            continue;
        times += y->step.event.dataid == x->step.event.dataid;
        if (y->method_id != x->method_id || y->line != x->line)
            continue;
        of_line++;
        last = y;
    }
    return times >= PLACE_TIMES || of_line >= LINE_TIMES ? last : NULL;
}

/* The shown one that it stands below. */
static const struct failure_found *above(const failure_found_vec *found, const struct failure_found *x)
{
    while (x->of != SIZE_MAX) {
        x = &found->items[x->of];
        if (x->shown)
            return x;
    }
    return NULL;
}

static bool is_decided(const struct failure *f, const struct hs_decision *d)
{
    for (size_t i = 0; i < f->steps.count; i++)
        if (f->steps.items[i].decision != NULL && f->steps.items[i].decision->seq == d->seq)
            return true;
    return false;
}

/* A branch is shown once. */
static bool show(struct failure *f, failure_found_vec *found, struct failure_found *x)
{
    const struct failure_found *of = above(found, x);
    struct failure_step step = x->step;
    step.depth = of != NULL ? f->steps.items[of->at].depth + 1 : 0;
    if (step.decision != NULL && is_decided(f, step.decision))
        step.decision = NULL;
    struct failure_step *to = vec_push(&f->steps);
    if (to == NULL)
        return false;
    x->at = f->steps.count - 1;
    *to = step;
    return true;
}

bool failure_choose(struct failure *f, failure_found_vec *found)
{
    size_t room = f->steps.count < STEPS_MAX ? STEPS_MAX - f->steps.count : 0;
    struct failure_found **order = malloc((found->count + 1) * sizeof *order);
    bool ok = order != NULL;
    for (size_t i = 0; ok && i < found->count; i++)
        order[i] = &found->items[i];
    if (ok)
        qsort(order, found->count, sizeof *order, by_cost);
    for (size_t i = 0; ok && i < found->count; i++) {
        struct failure_found *last = order[i]->of != SIZE_MAX ? shown_before(found, order[i]) : NULL;
        order[i]->shown = last == NULL && room > 0;
        room -= order[i]->shown;
        f->more_steps += last == NULL && !order[i]->shown;
        if (last != NULL)
            last->step.again++;
    }
    free(order);
    for (size_t i = 0; ok && i < found->count; i++)
        ok = !found->items[i].shown || show(f, found, &found->items[i]);
    return ok;
}
