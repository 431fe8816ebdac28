/* plain_diff.c - cells of a difference, whose values are of two traces, and what was not compared: see plain.h. */
#include "reader/answers/plain.h"
#include "reader/command/cli.h"

/* Cells of `from`, which is of the other trace, are put into `to`. */
static void take_cells(struct plain_row *to, const struct plain_row *from, size_t first)
{
    for (size_t i = first; to != from && i < from->count && to->count < PLAIN_CELLS_MAX; i++)
        to->cells[to->count++] = from->cells[i];
}

void diff_spot_plain(struct plain_row *to, struct plain_row *other, const struct hs_difference *x)
{
    struct plain_row *of = x->a != NULL ? to : other;
    const size_t first = of->count;
    plain_spot(of, (x->a != NULL ? x->a : x->b)->dataid);
    take_cells(to, of, first);
}

void diff_value_plain(struct plain_row *to, struct plain_row *of, const char *name, const struct hs_event *e)
{
    const size_t first = of->count;
    plain_value(of, name, e != NULL && show_has_value(&of->show, e) ? &(struct hs_value){ e->value, e->kind } : NULL);
    take_cells(to, of, first);
}

void diff_tell_partial(const hs_cursor *rows, bool ended, struct context *context)
{
    const char *more = ended ? "" : "at least "; /* --limit ended the comparison */
    uint64_t calls, methods;
    hs_diff_partial(rows, &calls, &methods);
    if (calls > 0)
        (void)cli_fail(EXIT_DONE, context,
                       "note: %s%llu calls that both runs made are compared without the events that percall= left out",
                       more, (unsigned long long)calls);
    if (methods > 0)
        (void)cli_fail(EXIT_DONE, context,
                       "note: lines of %s%llu methods are not compared where percall= left events of them out", more,
                       (unsigned long long)methods);
    if (hs_diff_noise(rows) > 0)
        (void)cli_fail(EXIT_DONE, context, "note: %s%llu differences are left out, as --noise has them too", more,
                       (unsigned long long)hs_diff_noise(rows));
}
