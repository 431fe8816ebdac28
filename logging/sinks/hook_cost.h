/* hook_cost.h - what hooks add to the time between two events of a thread, and times without it.
 *
 * Between the clock values of two events of a thread lie the rest of one hook, code of the program, and the beginning
 * of the next hook: one hook in all, whichever events they are. So each interval is shortened by the cost of one hook,
 * and callers and callees get what is theirs. Hooks cost less when they are compiled, so the cost is not measured at
 * the start, but taken from the intervals themselves: the mean of those that are about as short as the shortest ones (a
 * fiftieth of them), where next to nothing but a hook can be. A program without short methods has none of those: the
 * cost is bounded by what reading the clock takes, twice, and a little. What is left is wrong by the differences
 * between one hook and another, some ns an event. */
#ifndef LOGGING_HOOK_COST_H
#define LOGGING_HOOK_COST_H

#include <stdint.h>

enum { HOOK_COST_NS = 512 };

/* Of a thread. Zero is a thread without events. */
struct hook_cost {
    uint32_t seen[HOOK_COST_NS]; /* recent intervals of so many ns */
    uint32_t count, next;        /* recent intervals, longer ones too; when the cost is computed again */
    uint32_t cost_ns;
    uint32_t owed_ns;   /* of intervals that were shorter than a hook on the average */
    uint64_t last;      /* the clock value of the last event */
    uint64_t corrected; /* and without the hooks before it */
};

/* What the hooks of this process cost at most, in ns: measured. */
uint32_t hook_cost_bound(void);

/* The corrected time of the next event of the thread. `*taken`: what was taken off the interval before it. */
uint64_t hook_cost_correct(struct hook_cost *h, uint32_t bound, uint64_t now, uint64_t *taken);

#endif
