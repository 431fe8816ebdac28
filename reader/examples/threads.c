/* threads.c - which threads ran, and how much of each was recorded?   threads TRACE */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *threads;
    const struct hs_thread *t;
    hs_trace *trace = open_trace(argc, argv, 1, "threads TRACE");
    int failed = hs_threads_open(trace, &threads, &error);
    if (failed == 0) {
        while (hs_thread_next(threads, &t, NULL) > 0) {
            (void)printf("%" PRIu32 " ", t->thread);
            print_name(t->name);
            (void)printf(": %" PRIu64 " events\n", t->events);
        }
        hs_cursor_close(threads);
    }
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
