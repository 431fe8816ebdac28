/* features.c - what does the code of marked intervals share, and how long is the path through each method?   features
 * TRACE */
#include <inttypes.h>
#include <stdio.h>

#include "reader/trace.h"

static void print_features(const struct hs_features *all)
{
    for (size_t i = 0; i < all->feature_count; i++) {
        const struct hs_feature *f = &all->features[i];
        (void)printf("%s: %" PRIu64 " calls of %zu methods\n", f->name, f->calls, f->method_count);
        for (size_t k = 0; k < i; k++)
            (void)printf("  like %s: %.3f\n", all->features[k].name, hs_feature_similarity(f, &all->features[k]));
    }
    for (size_t i = 0; i < all->flow_count; i++)
        (void)printf("%s -> %s: %" PRIu64 " objects\n", all->features[all->flows[i].from].name,
                     all->features[all->flows[i].to].name, all->flows[i].objects);
}

static void print_paths(hs_trace *trace, const struct hs_paths *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct hs_method *m = hs_method_get(trace, all->paths[i].method_id);
        (void)printf("%s: %" PRIu64 " calls went through %zu blocks and %zu loops\n", m != NULL ? m->name : "?",
                     all->paths[i].calls, all->paths[i].step_count, all->paths[i].repeat_count);
    }
}

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error;
    const struct hs_features *features = NULL;
    const struct hs_paths *paths = NULL;
    if (argc < 2) {
        (void)fprintf(stderr, "usage: features TRACE\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    int failed =
        hs_features_open(trace, &features, &error) != 0 || hs_paths_open(trace, HS_PATH_BLOCKS, &paths, &error) != 0;
    if (failed) {
        (void)fprintf(stderr, "%s\n", error.text);
    } else {
        print_features(features);
        print_paths(trace, paths);
    }
    hs_paths_close(paths);
    hs_features_close(features);
    hs_close(trace);
    return failed;
}
