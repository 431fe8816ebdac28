/* features.c - what does the code of marked intervals share, and how long is the path through each method?
 *     features TRACE */
#include "reader/examples/example.h"

enum { NAMES_MAX = 256 };

/* Rows of such a cursor are kept until it is closed, so they can be compared with each other. */
static size_t print_features(hs_cursor *features, const struct hs_feature **all)
{
    size_t count = 0;
    while (count < NAMES_MAX && hs_feature_next(features, &all[count], NULL) > 0) {
        const struct hs_feature *f = all[count];
        print_name(f->name);
        (void)printf(": %" PRIu64 " calls of %zu methods\n", f->calls, f->method_count);
        for (size_t k = 0; k < count; k++) {
            (void)printf("  like ");
            print_name(all[k]->name);
            (void)printf(": %.3f\n", hs_feature_similarity(f, all[k]));
        }
        count++;
    }
    return count;
}

static int print_flows(hs_cursor *features, const struct hs_feature **all, size_t count, struct hs_error *error)
{
    hs_cursor *flows;
    const struct hs_feature_flow *flow;
    if (hs_feature_flows_open(features, &flows, error) != 0)
        return -1;
    while (hs_feature_flow_next(flows, &flow, NULL) > 0) {
        if (flow->from >= count || flow->to >= count)
            continue;
        print_name(all[flow->from]->name);
        (void)printf(" -> ");
        print_name(all[flow->to]->name);
        (void)printf(": %" PRIu64 " objects\n", flow->objects);
    }
    hs_cursor_close(flows);
    return 0;
}

static int print_paths(hs_trace *trace, struct hs_error *error)
{
    hs_cursor *paths;
    const struct hs_path *path;
    if (hs_paths_open(trace, HS_PATH_BLOCKS, 0, HS_NO_SEQ, &paths, error) != 0)
        return -1;
    while (hs_path_next(paths, &path, NULL) > 0) {
        print_method(trace, path->method_id);
        (void)printf(": %" PRIu64 " calls went through %zu blocks and %zu loops\n", path->calls, path->step_count,
                     path->repeat_count);
    }
    hs_cursor_close(paths);
    return 0;
}

static int print_all(hs_trace *trace, struct hs_error *error)
{
    hs_cursor *features;
    const struct hs_feature *all[NAMES_MAX];
    if (hs_features_open(trace, &features, error) != 0)
        return -1;
    size_t count = print_features(features, all);
    int failed = print_flows(features, all, count, error);
    hs_cursor_close(features);
    return failed == 0 ? print_paths(trace, error) : -1;
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace = open_trace(argc, argv, 1, "features TRACE");
    int failed = print_all(trace, &error);
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
