/* test_class_fate.c - logging/agent/class_fate.h: what becomes of a class, by what is known of it. The agent is no
 * library to link with: the file is included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "logging/agent/class_fate.c"

/* What differs from a class of the program that is loaded while it is recorded. */
enum {
    NOT_READY = 1,
    FAILED = 2, /* and lost events are not counted */
    IDLE = 4,   /* no period */
    NOT_STARTED = 8,
    LEFT_OUT = 16, /* by the filter */
    OUTPUT = 32,
    NEVER = 64,
    REDEFINED = 128,
};

static struct class_facts facts(unsigned differs, enum loader_answer loader, enum added_call call, enum class_seen seen)
{
    return (struct class_facts){ .ready = !(differs & NOT_READY),
                                 .stores = !(differs & FAILED),
                                 .weaving = !(differs & IDLE),
                                 .started = !(differs & NOT_STARTED),
                                 .call = call,
                                 .output = differs & OUTPUT,
                                 .chosen = !(differs & LEFT_OUT),
                                 .why_not = differs & LEFT_OUT ? TEXT_OF("excluded") : TEXT_OF(""),
                                 .never = differs & NEVER ? "hooks read it" : NULL,
                                 .loader = loader,
                                 .redefined = differs & REDEFINED,
                                 .seen = seen };
}

static void each_class_has_one_fate(void **state)
{
    enum { ROW = true, NO_ROW = false };
    static const char given_up[] = "cannot be changed";
    static const struct {
        const char *what;
        unsigned differs;
        enum loader_answer loader;
        enum added_call call;
        enum class_seen seen;
        enum class_fate fate;
        bool row;
        const char *why; /* a part of it, with a row */
    } rows[] = {
        { "usual", 0, LOADER_ANSWERS, NO_CALL, NOT_SEEN, FATE_WOVEN, NO_ROW, "" },
        { "of the JDK", 0, LOADER_FINDS_HOOKS, NO_CALL, NOT_SEEN, FATE_WOVEN, NO_ROW, "" },
        { "hooks are not ready", NOT_READY, LOADER_ANSWERS, CALL_ASKED, NOT_SEEN, FATE_IGNORED, NO_ROW, "" },
        { "no period", IDLE, LOADER_ANSWERS, NO_CALL, NOT_SEEN, FATE_IGNORED, NO_ROW, "" },
        { "after a failure", FAILED, LOADER_ANSWERS, NO_CALL, NOT_SEEN, FATE_IGNORED, NO_ROW, "" },
        { "its loader must be asked", 0, LOADER_NOT_ASKED, NO_CALL, NOT_SEEN, FATE_ASK_LOADER, NO_ROW, "" },
        { "its loader refuses", 0, LOADER_REFUSES, NO_CALL, NOT_SEEN, FATE_SKIPPED, ROW, given_up },
        { "left out: why ask", LEFT_OUT, LOADER_NOT_ASKED, NO_CALL, NOT_SEEN, FATE_SKIPPED, ROW, "excluded" },
        { "never woven", NEVER, LOADER_ANSWERS, NO_CALL, NOT_SEEN, FATE_SKIPPED, ROW, "hooks read it" },
        { "both", LEFT_OUT | NEVER, LOADER_ANSWERS, NO_CALL, NOT_SEEN, FATE_SKIPPED, ROW, "excluded" },
        { "before the first period", NOT_STARTED, LOADER_ANSWERS, NO_CALL, NOT_SEEN, FATE_SKIPPED, NO_ROW, "" },
        { "the same, its loader refuses", NOT_STARTED, LOADER_REFUSES, NO_CALL, NOT_SEEN, FATE_SKIPPED, ROW, given_up },
        { "output then", NOT_STARTED | OUTPUT | LEFT_OUT, LOADER_FINDS_HOOKS, NO_CALL, NOT_SEEN, FATE_WOVEN, NO_ROW,
          "" },
        { "loaded, left out", REDEFINED | LEFT_OUT, LOADER_ANSWERS, NO_CALL, NOT_SEEN, FATE_SKIPPED, NO_ROW, "" },
        { "loaded, refused", REDEFINED, LOADER_REFUSES, NO_CALL, NOT_SEEN, FATE_SKIPPED, ROW, given_up },
        { "loaded, new to the period", REDEFINED, LOADER_ANSWERS, NO_CALL, NOT_SEEN, FATE_WOVEN, NO_ROW, "" },
        { "loaded, woven", REDEFINED, LOADER_ANSWERS, NO_CALL, SEEN_WOVEN, FATE_WOVEN_AGAIN, NO_ROW, "" },
        { "loaded, not to change", REDEFINED, LOADER_ANSWERS, NO_CALL, SEEN_AS_IT_IS, FATE_KEPT, NO_ROW, "" },
        { "Thread", 0, LOADER_FINDS_HOOKS, CALL_UNCAUGHT, NOT_SEEN, FATE_WOVEN, NO_ROW, "" },
        { "Thread, left out", LEFT_OUT, LOADER_FINDS_HOOKS, CALL_UNCAUGHT, NOT_SEEN, FATE_CALL_ADDED, ROW, "excluded" },
        { "Thread, no period", IDLE, LOADER_FINDS_HOOKS, CALL_UNCAUGHT, NOT_SEEN, FATE_CALL_ADDED, NO_ROW, "" },
        { "Thread, after a failure", FAILED, LOADER_FINDS_HOOKS, CALL_UNCAUGHT, NOT_SEEN, FATE_IGNORED, NO_ROW, "" },
        { "Thread, early", NOT_STARTED, LOADER_FINDS_HOOKS, CALL_UNCAUGHT, NOT_SEEN, FATE_CALL_ADDED, NO_ROW, "" },
        { "loader, no period", IDLE, LOADER_NOT_ASKED, CALL_ASKED, NOT_SEEN, FATE_ASK_LOADER, NO_ROW, "" },
        { "loader, after a failure", FAILED | LEFT_OUT, LOADER_ANSWERS, CALL_ASKED, NOT_SEEN, FATE_CALL_ADDED, ROW,
          "excluded" },
        { "loader, its own refuses", LEFT_OUT, LOADER_REFUSES, CALL_ASKED, NOT_SEEN, FATE_SKIPPED, ROW, "excluded" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct class_facts f = facts(rows[i].differs, rows[i].loader, rows[i].call, rows[i].seen);
        const struct class_decision d = class_decide(&f);
        const bool early = (rows[i].differs & NOT_STARTED) && d.state != CLASS_GIVEN_UP && !f.output;
        const enum added_call call = rows[i].loader == LOADER_REFUSES ? NO_CALL : rows[i].call;
        if (d.fate != rows[i].fate || d.row != rows[i].row || d.call != call || d.early != early ||
            class_is_ignored(&f) != (d.fate == FATE_IGNORED) ||
            (d.row && memmem(d.why.data, d.why.size, rows[i].why, strlen(rows[i].why)) == NULL) ||
            (d.row && (d.state == CLASS_GIVEN_UP) != (rows[i].why == given_up)))
            fail_msg("%s: fate %d, row %d, call %d, early %d, why %.*s", rows[i].what, (int)d.fate, d.row, (int)d.call,
                     d.early, (int)d.why.size, d.why.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_class_has_one_fate) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
