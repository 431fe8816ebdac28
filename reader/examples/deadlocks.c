/* deadlocks.c - what does each thread wait for, and do some wait for each other?   deadlocks TRACE [SEQ] */
#include "reader/examples/example.h"

static void print_state(hs_trace *trace, const struct hs_thread_state *s)
{
    static const char *const waits[] = { "runs", "waits to enter", "waits to be notified by", "waits for the end of" };
    (void)printf("%" PRIu32 " ", s->thread->thread);
    print_name(s->thread->name);
    (void)printf(": %s ", waits[s->wait]);
    if (s->wait != HS_WAIT_NONE && s->object != 0) {
        print_type(trace, s->object);
        (void)printf("#%" PRIu64, s->object);
    } else if (s->of_class != NULL) {
        print_name(s->of_class->name);
    } else if (s->frame_count > 0) {
        print_method(trace, s->frames[0]->method_id);
    }
    if (s->owner != NULL)
        (void)printf(", held by %" PRIu32, s->owner->thread->thread);
    (void)putchar('\n');
}

/* The last event of each thread is that of its state. */
static int check_last(hs_trace *trace, const struct hs_thread_state *s, uint64_t seq, struct hs_error *error)
{
    const struct hs_event *last;
    int found = hs_last_event(trace, s->thread->thread, seq, &last, error);
    if (found < 0 || (found > 0 ? s->last != NULL && s->last->seq == last->seq : s->last == NULL))
        return found < 0 ? -1 : 0;
    (void)fprintf(stderr, "thread %" PRIu32 " has another last event\n", s->thread->thread);
    return -1;
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *states, *circles = NULL;
    const struct hs_thread_state *s;
    const struct hs_deadlock *d;
    hs_trace *trace = open_trace(argc, argv, 1, "deadlocks TRACE [SEQ]");
    const uint64_t seq = argc > 2 ? strtoull(argv[2], NULL, 10) : HS_NO_SEQ;
    int more = hs_thread_states_open(trace, seq, &states, &error);
    if (more == 0) {
        while ((more = hs_thread_state_next(states, &s, &error)) > 0 && check_last(trace, s, seq, &error) == 0)
            print_state(trace, s);
        if (more == 0 && (more = hs_deadlocks_open(states, &circles, &error)) == 0)
            while ((more = hs_deadlock_next(circles, &d, &error)) > 0) {
                (void)printf("deadlock of %zu threads:\n", d->thread_count);
                for (size_t i = 0; i < d->thread_count; i++)
                    print_state(trace, d->threads[i]);
            }
        hs_cursor_close(circles);
        hs_cursor_close(states);
    }
    if (more == 0)
        (void)printf("recorded until %" PRIu64 " ns\n", hs_recording_end_ns(trace));
    hs_close(trace);
    return more != 0 ? fail(&error) : 0;
}
