/* stretches.c - what each thread did, 4096 events at a time, from the index alone.   stretches TRACE */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *stretches;
    const struct hs_stretch *s;
    hs_trace *trace = open_trace(argc, argv, 1, "stretches TRACE");
    int more = hs_stretches_open(trace, 0, HS_NO_SEQ, &stretches, &error);
    if (more == 0) {
        while ((more = hs_stretch_next(stretches, &s, &error)) > 0) {
            (void)printf("%" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
                         " %" PRIu32,
                         s->thread, s->seq, s->position, s->events, s->calls, s->exceptions, s->depth, s->least,
                         s->most);
            for (size_t i = 0; i < s->frame_count; i++) {
                (void)printf(" %" PRId64 ":", (int64_t)s->entries[i]);
                print_method(trace, s->methods[i]);
            }
            (void)putchar('\n');
        }
        hs_cursor_close(stretches);
    }
    hs_close(trace);
    return more != 0 ? fail(&error) : 0;
}
