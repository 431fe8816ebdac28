/* questions.h - everything that queries can tell of a trace, for targets that change traces: lines of words, with @ for
 * the trace. */
#ifndef TEST_FUZZ_QUESTIONS_H
#define TEST_FUZZ_QUESTIONS_H

static const char *const questions[] = {
    "info @ --json",
    "print @ --json",
    "print @ --object 40 --limit 20",
    "print @ --text account --limit 20",
    "tree @ --json",
    "object @ 40 --at 300 --json",
    "locals @ --at 400 --json",
    "history @ Damaged.total --json",
    "history @ 40.state --json",
    "last-write @ Damaged.total --before 900 --json",
    "why @ 400 --json",
    "why @ 900",
    "report @ --json",
    "features @ --json",
    "freq @ --json",
    "latest @ --json",
    "exceptions @ --json",
    "objects @ --json",
    "threads @ --json",
    "deadlocks @ --json",
    "classes @ --json",
    "methods @ --json",
    "dataids @ --json",
    "strings @ --json",
    "timeline @ --json",
    "diff @ @ --json --limit 5",
    "sql @ SELECT/**/count(*),sum(seq)/**/FROM/**/events",
    "fsck @ --json",
};

#endif
