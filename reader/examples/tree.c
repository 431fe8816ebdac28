/* tree.c - what called what in a thread? Each shape of a loop once.   tree TRACE [THREAD] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/trace.h"

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error;
    const struct hs_tree *tree = NULL;
    struct hs_tree_want want = HS_TREE_ALL;
    if (argc < 2) {
        (void)fprintf(stderr, "usage: tree TRACE [THREAD]\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    want.thread = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    int failed = hs_tree_open(trace, &want, &tree, &error) != 0;
    if (failed)
        (void)fprintf(stderr, "%s\n", error.text);
    for (size_t i = 0; tree != NULL && i < tree->count; i++) {
        const struct hs_call *c = &tree->calls[i];
        const struct hs_method *m = hs_method_get(trace, hs_dataid_get(trace, c->dataid)->method_id);
        (void)printf("%*s%s at %" PRIu64 " makes %" PRIu64 " calls\n", (int)(2 * c->depth), "",
                     m != NULL ? m->name : "?", c->seq, c->calls);
    }
    hs_tree_close(tree);
    hs_close(trace);
    return failed;
}
