/* affinity.c - which methods belong to one feature, which to all, and when did the features run?
 *     affinity TRACE [BUCKETS] */
#include "reader/examples/example.h"

static int print_methods(hs_trace *trace, struct hs_error *error)
{
    static const char *const names[] = {
        [HS_SINGLE] = "single", [HS_LOW] = "low", [HS_HIGH] = "high", [HS_INFRASTRUCTURAL] = "infrastructural"
    };
    hs_cursor *features, *methods;
    const struct hs_feature_method *m;
    if (hs_features_open(trace, &features, error) != 0)
        return -1;
    int failed = hs_feature_methods_open(features, &methods, error);
    if (failed == 0) {
        while (hs_feature_method_next(methods, &m, NULL) > 0) {
            print_method(trace, m->method_id);
            (void)printf(" %s %zu\n", names[m->affinity], m->feature_count);
        }
        hs_cursor_close(methods);
    }
    hs_cursor_close(features);
    return failed;
}

static int print_signals(hs_trace *trace, size_t buckets, struct hs_error *error)
{
    hs_cursor *signals;
    const struct hs_signal *s;
    if (hs_signals_open(trace, buckets, false, &signals, error) != 0)
        return -1;
    while (hs_signal_next(signals, &s, NULL) > 0) {
        print_name(s->feature != NULL ? s->feature : "(all)");
        for (size_t i = 0; i < s->bucket_count; i++)
            (void)printf(" %" PRIu64, s->calls[i]);
        (void)printf("\n");
    }
    hs_cursor_close(signals);
    return 0;
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace = open_trace(argc, argv, 1, "affinity TRACE [BUCKETS]");
    int failed = print_methods(trace, &error);
    if (failed == 0)
        failed = print_signals(trace, argc > 2 ? strtoul(argv[2], NULL, 10) : 10, &error);
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
