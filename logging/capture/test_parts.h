/* test_parts.h - keep=failed: the parts of a run of tests, and which of them are kept.
 *
 *     test A            [......... passed)
 *     test B                    [............ failed)
 *     parts     |  kept |dropped|     kept          |  kept
 *
 * A part ends where a test begins or ends, in any thread. It is dropped if tests ran in it and all of them passed, so
 * it is decided when all of them have ended. Parts are decided in order: a test that still runs in one also runs in
 * all later ones.
 *
 * What the framework does between two tests of one thread is kept also where a test of another thread runs: it shows
 * which tests there are (spans). A test that others begin in is a container, which counts for nothing.
 *
 * Used by windows.c, under its mutex. */
#ifndef LOGGING_TEST_PARTS_H
#define LOGGING_TEST_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/vec.h"

enum keep { KEEP_ALL, KEEP_FAILED, KEEP_FAILED_AND_ONE };

/* The event that began or ended a part. */
struct part_edge {
    uint64_t stamp, ns;
    uint32_t id, thread;
};
struct test_part {
    struct part_edge begin;
    uint32_t tests, running; /* in it: all, and those that are not decided */
    bool kept;
};
struct running_test {
    uint64_t first, end; /* number of its first part, and of that behind it, UINT64_MAX: it runs */
    uint32_t thread;
    uint32_t group; /* the serial number of the test in which it began, 0 none */
    uint32_t serial;
    bool failed, holds;
};
struct test_parts {
    VEC(struct test_part) parts; /* that are not decided, and the current one; none: recording is stopped */
    uint64_t first;              /* number of parts.items[0] */
    VEC(struct running_test) tests;
    VEC(uint32_t) wanting; /* KEEP_FAILED_AND_ONE: groups that have a failed test and no passed one that is kept */
    enum keep keep;
    uint32_t serial, spans;
    uint64_t dropped; /* tests */
    bool no_memory;
};

void test_parts_free(struct test_parts *p);
/* Recording begins, or stops: what is not decided is kept. */
void test_parts_start(struct test_parts *p, struct part_edge at);
void test_parts_stop(struct test_parts *p);

/* A test begins in that thread; the innermost one of the thread ends, or fails, or turns out to hold others. */
void test_parts_begin(struct test_parts *p, struct part_edge at);
void test_parts_end(struct test_parts *p, struct part_edge at);
void test_parts_fail(struct test_parts *p, uint32_t thread);
void test_parts_hold(struct test_parts *p, uint32_t thread);
/* What comes is kept in any case, until the same number of spans has ended. */
void test_parts_begin_span(struct test_parts *p, struct part_edge at);
void test_parts_end_span(struct test_parts *p, struct part_edge at);

/* Takes the parts that are decided. True: one is to be dropped, and there may be more. */
bool test_parts_settle(struct test_parts *p, struct part_edge *from, struct part_edge *to);

#endif
