/* history.c - which values did a field, an array element or a local variable have?   history TRACE WHAT */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    hs_cursor *history;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_write *write;
    int more = -1;
    hs_trace *trace = open_trace(argc, argv, 2, "history TRACE WHAT");
    if (hs_history_open(trace, argv[2], &history, &error) == 0) {
        while ((more = hs_write_next(history, &write, &error)) > 0)
            (void)printf("seq %" PRIu64 " thread %u value %" PRId64 "%s\n", write->event->seq, write->event->thread,
                         (int64_t)write->event->value, hs_store_done(trace, write->event) ? "" : " not stored");
        hs_cursor_close(history);
    }
    hs_close(trace);
    return more < 0 ? fail(&error) : 0;
}
