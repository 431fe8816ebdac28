/* tree.c - what called what in a thread? Each shape of a loop once.   tree TRACE [THREAD] */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_tree_options options = HS_TREE_OPTIONS_INIT;
    hs_cursor *tree;
    const struct hs_call *c;
    int more = -1;
    hs_trace *trace = open_trace(argc, argv, 1, "tree TRACE [THREAD]");
    options.thread = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    options.ahead = HS_TREE_WHOLE;
    if (hs_tree_open(trace, &options, &tree, &error) == 0) {
        while ((more = hs_call_next(tree, &c, &error)) > 0) {
            (void)printf("%*s", (int)(2 * c->depth), "");
            print_method(trace, hs_dataid_get(trace, c->dataid)->method_id);
            (void)printf(" at %" PRIu64 " makes %" PRIu64 " calls\n", c->seq, c->calls);
        }
        if (hs_tree_cut(tree)) /* not without options.max */
            (void)printf("...\n");
        hs_cursor_close(tree);
    }
    hs_close(trace);
    return more < 0 ? fail(&error) : 0;
}
