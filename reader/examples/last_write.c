/* last_write.c - who wrote the value that is seen at an event?   last_write TRACE WHAT SEQ */
#include "reader/examples/example.h"

/* Code that is not woven may have written the object since. */
static void print_handover(hs_trace *trace, hs_cursor *history, uint64_t from, uint64_t to)
{
    const struct hs_handover *handed;
    uint32_t object = hs_history_object(history);
    if (object != 0 && hs_handed_over(trace, object, from, to, &handed, NULL) > 0)
        (void)fprintf(stderr, "it was handed to code that is not woven at %" PRIu64 "\n", handed->seq);
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_write *write;
    hs_trace *trace = open_trace(argc, argv, 3, "last_write TRACE WHAT SEQ");
    uint64_t seq = strtoull(argv[3], NULL, 10);
    int found = hs_last_write(trace, argv[2], seq, &write, &error);
    if (found > 0) {
        const struct hs_dataid *site = hs_dataid_get(trace, write->event->dataid);
        const struct hs_thread *thread = hs_thread_get(trace, write->event->thread);
        hs_cursor *history;
        (void)printf("%" PRId64 " by ", (int64_t)write->event->value);
        print_method(trace, site->method_id);
        (void)printf(":%d in thread ", (int)site->line);
        print_name(thread != NULL ? thread->name : NULL);
        (void)printf("\n");
        if (seq > 0 && hs_history_open(trace, argv[2], &history, &error) == 0) {
            print_handover(trace, history, write->event->seq, seq - 1);
            hs_cursor_close(history);
        }
    } else {
        (void)fprintf(stderr, "%s\n", found == 0 ? "never written before" : error.text);
    }
    hs_close(trace);
    return found > 0 ? 0 : 1;
}
