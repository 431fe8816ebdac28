/* call_tree.c - the tree of calls of all threads, equal paths merged; its first 100,000 paths.   call_tree TRACE */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    enum { PATHS_MAX = 100000 };
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *contexts;
    const struct hs_context *c;
    hs_trace *trace = open_trace(argc, argv, 1, "call_tree TRACE");
    int failed = hs_contexts_open(trace, HS_CONTEXT_TREE, 0, HS_NO_SEQ, PATHS_MAX, &contexts, &error);
    if (failed == 0) {
        while (hs_context_next(contexts, &c, NULL) > 0) {
            (void)printf("%u ", c->depth);
            print_method(trace, c->method_id);
            (void)printf(": %" PRIu64 " calls, %" PRIu64 " ns\n", c->calls, c->total_ns);
        }
        (void)printf("%" PRIu64 " calls in further paths\n", hs_contexts_cut(contexts));
        hs_cursor_close(contexts);
    }
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
