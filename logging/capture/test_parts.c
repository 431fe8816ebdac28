/* test_parts.c - see test_parts.h. */
#include "logging/capture/test_parts.h"

#include <string.h>

void test_parts_free(struct test_parts *p)
{
    vec_free(&p->parts);
    vec_free(&p->tests);
    vec_free(&p->wanting);
}

static bool is_test(const struct running_test *t) { return !t->holds; }

/* A part begins, in which all tests run that do. */
static void cut(struct test_parts *p, struct part_edge at)
{
    struct test_part *part = vec_push(&p->parts);
    if (part == NULL) { /* then the part before goes on */
        p->no_memory = true;
        return;
    }
    *part = (struct test_part){ .begin = at, .kept = p->spans > 0 };
    for (size_t i = 0; i < p->tests.count; i++)
        if (is_test(&p->tests.items[i]) && p->tests.items[i].end == UINT64_MAX) {
            part->tests++;
            part->running++;
        }
}

static uint64_t next_part(const struct test_parts *p) { return p->first + p->parts.count; }

/* The parts of the test have one less that is not decided. */
static void decide(struct test_parts *p, const struct running_test *t, bool kept, bool counts)
{
    const uint64_t end = t->end < next_part(p) ? t->end : next_part(p);
    for (uint64_t n = t->first; n < end; n++) {
        struct test_part *part = &p->parts.items[n - p->first];
        part->running--;
        part->tests -= !counts;
        part->kept |= kept;
    }
}

static void forget(struct test_parts *p, size_t i)
{
    memmove(&p->tests.items[i], &p->tests.items[i + 1], (--p->tests.count - i) * sizeof *p->tests.items);
}

/* The innermost test of the thread that runs; SIZE_MAX: none does. */
static size_t innermost(const struct test_parts *p, uint32_t thread)
{
    for (size_t i = p->tests.count; i-- > 0;)
        if (p->tests.items[i].thread == thread && p->tests.items[i].end == UINT64_MAX)
            return i;
    return SIZE_MAX;
}

/* Are events in parts that some test runs in? */
static bool is_running(const struct test_parts *p)
{
    return p->parts.count > 0 && p->parts.items[p->parts.count - 1].running > 0;
}

void test_parts_start(struct test_parts *p, struct part_edge at)
{
    if (p->parts.count == 0)
        cut(p, at);
}

void test_parts_stop(struct test_parts *p)
{
    p->first += p->parts.count;
    p->parts.count = p->tests.count = p->wanting.count = 0;
    p->spans = 0;
}

void test_parts_hold(struct test_parts *p, uint32_t thread)
{
    const size_t i = innermost(p, thread);
    if (i == SIZE_MAX || p->tests.items[i].holds)
        return;
    decide(p, &p->tests.items[i], false, false);
    p->tests.items[i].holds = true;
}

void test_parts_begin(struct test_parts *p, struct part_edge at)
{
    if (p->parts.count == 0)
        return;
    test_parts_hold(p, at.thread);
    const size_t around = innermost(p, at.thread);
    const uint32_t group = around != SIZE_MAX ? p->tests.items[around].serial : 0;
    struct running_test *t = vec_push(&p->tests);
    if (t == NULL) { /* it counts for nothing */
        p->no_memory = true;
        return;
    }
    *t = (struct running_test){ next_part(p), UINT64_MAX, at.thread, group, ++p->serial, false, false };
    const size_t before = p->parts.count;
    cut(p, at);
    if (p->parts.count == before)
        p->tests.count--;
}

void test_parts_fail(struct test_parts *p, uint32_t thread)
{
    const size_t i = innermost(p, thread);
    if (i != SIZE_MAX)
        p->tests.items[i].failed = true;
}

/* ---- keep=failed+1: of the passed tests of a group the last one before a failed one, else the first behind ---- */

static size_t find_wanting(const struct test_parts *p, uint32_t group)
{
    size_t i = 0;
    while (i < p->wanting.count && p->wanting.items[i] != group)
        i++;
    return i;
}

/* The passed test of the group that waits for a failed one, and is not `but`, is dropped or kept. True: it exists. */
static bool decide_waiting(struct test_parts *p, uint32_t group, uint32_t but, bool kept)
{
    for (size_t i = 0; i < p->tests.count; i++) {
        const struct running_test *t = &p->tests.items[i];
        if (t->end == UINT64_MAX || t->group != group || t->serial == but)
            continue;
        decide(p, t, kept, true);
        p->dropped += !kept;
        forget(p, i);
        return true;
    }
    return false;
}

static void failed_in(struct test_parts *p, uint32_t group)
{
    if (decide_waiting(p, group, 0, true) || find_wanting(p, group) < p->wanting.count)
        return;
    uint32_t *to = vec_push(&p->wanting);
    if (to != NULL)
        *to = group;
    else
        p->no_memory = true;
}

/* The test number `i` has passed. Returns its number then. */
static void passed(struct test_parts *p, size_t i)
{
    const struct running_test t = p->tests.items[i];
    const size_t wants = find_wanting(p, t.group);
    if (p->keep == KEEP_FAILED_AND_ONE && wants == p->wanting.count) { /* it waits */
        (void)decide_waiting(p, t.group, t.serial, false);
        return;
    }
    if (p->keep == KEEP_FAILED_AND_ONE)
        p->wanting.items[wants] = p->wanting.items[--p->wanting.count];
    decide(p, &t, p->keep == KEEP_FAILED_AND_ONE, true);
    p->dropped += p->keep == KEEP_FAILED;
    forget(p, i);
}

void test_parts_end(struct test_parts *p, struct part_edge at)
{
    const size_t i = innermost(p, at.thread);
    if (i == SIZE_MAX || p->parts.count == 0)
        return;
    struct running_test *t = &p->tests.items[i];
    const struct running_test ended = *t;
    if (ended.holds) { /* no test of its group comes any more */
        (void)decide_waiting(p, ended.serial, 0, false);
        const size_t wants = find_wanting(p, ended.serial);
        if (wants < p->wanting.count)
            p->wanting.items[wants] = p->wanting.items[--p->wanting.count];
        for (size_t k = 0; k < p->tests.count; k++)
            if (p->tests.items[k].serial == ended.serial) {
                forget(p, k);
                break;
            }
        return;
    }
    t->end = next_part(p);
    cut(p, at);
    if (!ended.failed) {
        passed(p, i);
        return;
    }
    decide(p, t, true, true);
    forget(p, i);
    if (p->keep == KEEP_FAILED_AND_ONE)
        failed_in(p, ended.group);
}

void test_parts_begin_span(struct test_parts *p, struct part_edge at)
{
    if (p->spans++ == 0 && is_running(p))
        cut(p, at);
}

void test_parts_end_span(struct test_parts *p, struct part_edge at)
{
    if (p->spans > 0 && --p->spans == 0 && is_running(p))
        cut(p, at);
}

bool test_parts_settle(struct test_parts *p, struct part_edge *from, struct part_edge *to)
{
    bool drop = false;
    size_t n = 0;
    while (!drop && n + 1 < p->parts.count && p->parts.items[n].running == 0) {
        const struct test_part *part = &p->parts.items[n++];
        drop = part->tests > 0 && !part->kept;
        *from = part->begin;
        *to = part[1].begin;
    }
    p->parts.count -= n;
    p->first += n;
    if (n > 0)
        memmove(p->parts.items, p->parts.items + n, p->parts.count * sizeof *p->parts.items);
    return drop;
}
