/* history.c - which values did a field, an array element or a local variable have?   history TRACE WHAT */
#include <inttypes.h>
#include <stdio.h>

#include "reader/trace.h"

int main(int argc, char **argv)
{
    hs_trace *trace;
    hs_history *history;
    struct hs_error error;
    const struct hs_write *write;
    int more = 0;
    if (argc < 3) {
        (void)fprintf(stderr, "usage: history TRACE WHAT\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (hs_history_open(trace, argv[2], &history, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        hs_close(trace);
        return 1;
    }
    while ((more = hs_history_next(history, &write, &error)) > 0)
        (void)printf("seq %" PRIu64 " thread %u value %" PRId64 "\n", write->event.seq, write->event.thread,
                     (int64_t)write->event.value);
    if (more < 0)
        (void)fprintf(stderr, "%s\n", error.text);
    hs_history_close(history);
    hs_close(trace);
    return more < 0;
}
