/* threads.c - which threads ran, and how much of each was recorded?   threads TRACE */
#include <inttypes.h>
#include <stdio.h>

#include "reader/trace.h"

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error;
    if (argc < 2) {
        (void)fprintf(stderr, "usage: threads TRACE\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (size_t i = 0; i < hs_thread_count(trace); i++) {
        const struct hs_thread *t = hs_thread_at(trace, i);
        (void)printf("%" PRIu32 " %s: %" PRIu64 " events\n", t->thread, t->name, t->events);
    }
    hs_close(trace);
    return 0;
}
