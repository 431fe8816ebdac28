/* check.c - is a trace consistent? Shows how far it is, and can be stopped after a number of steps.
 *     check TRACE [STEPS] */
#include "reader/examples/example.h"

struct progress {
    uint64_t steps, allowed;
};

static int step(void *context, uint64_t done, uint64_t total, const char *phase)
{
    struct progress *p = context;
    (void)fprintf(stderr, "\r%s %" PRIu64 "/%" PRIu64, phase, done, total);
    return ++p->steps > p->allowed;
}

static void show(void *context, const struct hs_violation *v)
{
    (void)context;
    (void)printf("%s: ", v->rule);
    print_name(v->what);
    (void)printf("\n");
}

static void print_rules(void)
{
    hs_cursor *rules;
    const struct hs_rule *rule;
    if (hs_rules_open(&rules, NULL) != 0)
        return;
    while (hs_rule_next(rules, &rule, NULL) > 0)
        (void)printf("%s: %s\n", rule->name, rule->sentence);
    hs_cursor_close(rules);
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    struct progress progress = { 0, argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_MAX };
    const struct hs_fsck_result *result;
    hs_trace *trace = open_trace(argc, argv, 1, "check TRACE [STEPS]");
    hs_set_progress(trace, step, &progress);
    hs_set_jobs(trace, 0);
    int failed = hs_index_build(trace, &error);
    if (failed == 0)
        failed = hs_fsck(trace, show, NULL, &result, &error);
    (void)fprintf(stderr, "\n");
    if (failed == 0 && result->violations == 0)
        print_rules();
    if (failed == 0)
        (void)printf("%" PRIu64 " events, %" PRIu64 " violations\n", result->events, result->violations);
    else if (error.code == HS_CANCELLED)
        (void)printf("stopped\n");
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
