/* timing_sample.c - see timing_sample.h. */
#include "logging/sinks/timing_sample.h"

void timing_sample_begin(struct timing_kept *k, uint64_t calls)
{
    k->seen_calls = calls;
    k->seen_left = k->row.left;
}

void timing_sample_add(struct timing_kept *k, uint32_t caller, const struct call_took *took)
{
    const uint64_t total_ns = took->nested ? 0 : took->total;
    if (took->total >= TIMING_LONG_NS)
        return;
    k->now.left++;
    k->now.total_ns += total_ns;
    k->now.self_ns += took->self;
    k->now.histogram[timing_bucket(took->total)]++;
    for (int i = 0; i < TIMING_CALLERS && caller != 0; i++) {
        if (k->callers[i].method == 0)
            k->callers[i].method = caller;
        if (k->callers[i].method == caller) {
            k->callers[i].ns += total_ns;
            return;
        }
    }
}

/* What `counted` calls take if `timed` of them take `ns`. */
static uint64_t scaled(uint64_t ns, uint64_t counted, uint64_t timed)
{
    const double all = (double)ns * (double)counted / (double)timed;
    return all < (double)(UINT64_MAX / 4) ? (uint64_t)all : UINT64_MAX / 4;
}

void timing_sample_look(struct timing_kept *k, uint64_t calls, void (*add)(void *context, uint32_t caller, uint64_t ns),
                        void *context)
{
    const uint64_t timed = k->row.left - k->seen_left, all = calls - k->seen_calls;
    const struct timing_times before = k->window;
    if (k->now.left >= TIMING_WINDOW_CALLS) {
        k->window = k->now;
        k->now = (struct timing_times){ 0 };
        for (int i = 0; i < TIMING_CALLERS; i++) {
            k->callers[i].window_ns = k->callers[i].ns;
            k->callers[i].ns = 0;
        }
    }
    timing_sample_begin(k, calls);
    if (k->window.left == 0 || all <= timed)
        return;
    const uint64_t counted = all - timed;
    const uint64_t self = scaled(k->window.self_ns, counted, k->window.left),
                   other = before.left > 0 ? scaled(before.self_ns, counted, before.left) : self;
    k->counted.left += counted;
    k->counted.total_ns += scaled(k->window.total_ns, counted, k->window.left);
    k->counted.self_ns += self;
    k->error_ns += self > other ? self - other : other - self;
    for (int i = 0; i < TIMING_SHORT_BUCKETS; i++)
        k->counted.histogram[i] += scaled(k->window.histogram[i], counted, k->window.left);
    for (int i = 0; i < TIMING_CALLERS; i++)
        if (k->callers[i].window_ns > 0) {
            const uint64_t ns = scaled(k->callers[i].window_ns, counted, k->window.left);
            k->callers[i].counted_ns += ns;
            add(context, k->callers[i].method, ns);
        }
}

uint64_t timing_sample_beyond(const struct timing_kept *k,
                              const struct timing_kept *(*find)(const void *context, uint32_t caller),
                              const void *context)
{
    uint64_t beyond = 0;
    for (int i = 0; i < TIMING_CALLERS && k->callers[i].method != 0; i++) {
        const struct timing_kept *c = find(context, k->callers[i].method);
        if (c != NULL && c->row.left == c->row.calls && c->counted_below_ns > c->row.self_ns)
            beyond += scaled(k->callers[i].counted_ns, c->counted_below_ns - c->row.self_ns, c->counted_below_ns);
    }
    return beyond;
}

struct timing_times timing_sample_counted(const struct timing_kept *k, uint64_t beyond_ns)
{
    struct timing_times t = k->counted;
    if (beyond_ns > 0 && t.total_ns > 0) {
        const uint64_t whole = t.total_ns, left = beyond_ns < whole ? whole - beyond_ns : 0;
        t.total_ns = left;
        t.self_ns = scaled(t.self_ns, left, whole);
    }
    return t;
}

/* The histogram of timed calls and of those that were counted: of `left` calls. */
static void add_histogram(struct timing_row *row, const struct timing_times *counted, uint64_t left)
{
    uint64_t sum = 0;
    int greatest = 0;
    for (int i = 0; i < TIMING_BUCKETS; i++) {
        row->histogram[i] += i < TIMING_SHORT_BUCKETS ? counted->histogram[i] : 0;
        sum += row->histogram[i];
        greatest = row->histogram[i] > row->histogram[greatest] ? i : greatest;
    }
    if (left > sum || sum - left <= row->histogram[greatest])
        row->histogram[greatest] += left - sum; /* what was rounded */
}

struct timing_row timing_sample_row(const struct timing_kept *k, const struct timing_times *counted, uint64_t calls,
                                    uint64_t left, uint64_t exceptions)
{
    struct timing_row row = k->row;
    if (k->exits != 0) {
        add_histogram(&row, counted, left);
        row.hooks_ns += row.left > 0 ? scaled(row.hooks_ns, counted->left, row.left) : 0;
        row.calls = calls;
        row.left = left;
        row.exceptions = exceptions < left ? exceptions : left;
        row.total_ns += counted->total_ns;
        row.self_ns += counted->self_ns;
    }
    row.self_ns -= k->counted_below_ns < row.self_ns ? k->counted_below_ns : row.self_ns;
    return row;
}
