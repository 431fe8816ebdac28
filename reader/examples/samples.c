/* samples.c - the calls that are open at COUNT moments of the run, of all threads.   samples TRACE COUNT */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *samples;
    const struct hs_sample *s;
    hs_trace *trace = open_trace(argc, argv, 2, "samples TRACE COUNT");
    const uint64_t count = strtoull(argv[2], NULL, 10), events = hs_event_count(trace);
    int more =
        hs_samples_open(trace, NULL, 0, 0, HS_NO_SEQ, count > 0 ? (events - 1) / count + 1 : 1, &samples, &error);
    if (more == 0) {
        while ((more = hs_sample_next(samples, &s, &error)) > 0) {
            (void)printf("%" PRIu64 " %" PRIu32, s->seq, s->thread);
            for (size_t i = 0; i < s->frame_count; i++) {
                uint64_t entered;
                (void)putchar(' ');
                print_method(trace, s->methods[i]);
                if (s->entries[i] != HS_NO_SEQ && hs_event_seq(trace, s->thread, s->entries[i], &entered, &error) == 0)
                    (void)printf("@%" PRIu64, entered);
            }
            (void)putchar('\n');
        }
        hs_cursor_close(samples);
    }
    hs_close(trace);
    return more != 0 ? fail(&error) : 0;
}
