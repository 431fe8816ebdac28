/* hook_cost.c - see hook_cost.h. */
#include "logging/sinks/hook_cost.h"

#include <time.h>

enum {
    FIRST = 64,       /* intervals after which the cost is computed for the first time */
    RECENT = 1 << 14, /* so many count in full, those before them half as much, and so on */
    SHORT_PART = 50,
    OWED_HOOKS = 4, /* more than that is not taken off a later interval */
    PAIRS = 2000,
    BOUND_MORE_NS = 40
};

uint32_t hook_cost_bound(void)
{
    struct timespec begin, end;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < PAIRS; i++) {
        (void)clock_gettime(CLOCK_MONOTONIC, &begin);
        (void)clock_gettime(CLOCK_MONOTONIC, &end);
        uint64_t ns = (uint64_t)(end.tv_sec - begin.tv_sec) * 1000000000 + (uint64_t)(end.tv_nsec - begin.tv_nsec);
        least = ns < least ? ns : least;
    }
    uint64_t bound = 2 * least + BOUND_MORE_NS;
    return bound < HOOK_COST_NS ? (uint32_t)bound : HOOK_COST_NS - 1;
}

static uint32_t compute(const struct hook_cost *h, uint32_t bound)
{
    uint64_t below = 0, shortest = 0, sum = 0, among = 0;
    for (; shortest < HOOK_COST_NS - 1; shortest++)
        if ((below += h->seen[shortest]) > h->count / SHORT_PART)
            break;
    for (uint64_t ns = 0; ns <= 2 * shortest && ns < HOOK_COST_NS; ns++) {
        sum += ns * h->seen[ns];
        among += h->seen[ns];
    }
    uint64_t mean = among > 0 ? (sum + among / 2) / among : 0;
    return mean < bound ? (uint32_t)mean : bound;
}

static void note(struct hook_cost *h, uint32_t bound, uint64_t ns)
{
    if (ns < HOOK_COST_NS)
        h->seen[ns]++;
    if (++h->count < (h->next > 0 ? h->next : FIRST))
        return;
    h->cost_ns = compute(h, bound);
    if (h->count >= RECENT) {
        for (uint32_t i = 0; i < HOOK_COST_NS; i++)
            h->seen[i] /= 2;
        h->count = RECENT / 2;
    }
    h->next = h->count < RECENT / 2 ? 2 * h->count : RECENT;
}

uint64_t hook_cost_correct(struct hook_cost *h, uint32_t bound, uint64_t now, uint64_t *taken)
{
    *taken = 0;
    if (h->last == 0 || now < h->last) {
        h->corrected = h->corrected > 0 ? h->corrected : now;
        h->last = now;
        return h->corrected;
    }
    uint64_t ns = now - h->last, due = h->cost_ns + h->owed_ns;
    note(h, bound, ns);
    *taken = ns < due ? ns : due;
    uint64_t most = (uint64_t)OWED_HOOKS * h->cost_ns, owed = due - *taken;
    h->owed_ns = (uint32_t)(owed < most ? owed : most);
    h->last = now;
    return h->corrected += ns - *taken;
}
