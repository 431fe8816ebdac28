/* timers.c - the format timers: what a method timer logs. A line per call, when it ended: the method, what it took in
 * nanoseconds with all that it called, and the thread, with tabs between them. Lines that begin with # are comments.
 * The sums are those of `report`, which counts calls inside of calls of the same method once. */
#include "reader/command/report.h"
#include "reader/export/call_walk.h"
#include "reader/export/method_names.h"

#include <string.h>

struct timers {
    struct export_job *job;
    struct method_names names;
    uint64_t min_ns, shorter;
};

static bool enter(void *context, const struct hs_event *e, const struct open_calls_step *s, bool wanted)
{
    (void)context;
    (void)e;
    open_calls_set(s->thread, wanted);
    return true;
}

static bool leave(void *context, const struct hs_event *e, const struct open_calls_step *s)
{
    struct timers *t = context;
    struct out *o = t->job->out;
    const struct hs_thread *thread = hs_thread_get(t->job->trace, e->thread);
    if (s->mark == 0)
        return true;
    if (s->took.total < t->min_ns) {
        t->shorter++;
        return true;
    }
    const char *name = method_name(&t->names, s->method);
    out_bytes(o, name, strlen(name));
    out_char(o, '\t');
    out_u64(o, s->took.total);
    out_char(o, '\t');
    out_line(o, thread != NULL ? thread->name : "");
    return true;
}

bool export_timers(struct export_job *x)
{
    static const struct call_walk_fns fns = { enter, leave, NULL };
    uint64_t resolution = report_resolution(x->trace);
    struct timers t = { .job = x, .min_ns = x->options.min_ns };
    if (!export_has_stream(x))
        return false;
    if (resolution == HS_NO_TIME)
        return export_fail(x, "this recording has no times of calls");
    if (t.min_ns == UINT64_MAX)
        t.min_ns = resolution > 1 ? resolution : 0;
    if (!method_names_init(&t.names, x))
        return false;
    out_line(x->out, "# method, nanoseconds, thread");
    if (resolution > 1)
        out_format(x->out, "# times below %llu ns are not exact; a recording with timestamp=true has exact ones\n",
                   (unsigned long long)resolution);
    bool done = call_walk(x, &fns, &t);
    out_format(x->out, "# %llu calls that took less than %llu ns are left out\n", (unsigned long long)t.shorter,
               (unsigned long long)t.min_ns);
    method_names_done(&t.names);
    return done;
}
