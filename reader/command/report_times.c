/* report_times.c - times of calls as `hindsight report` shows them: none that the clock cannot know. */
#include "formats/format.h"
#include "reader/command/report.h"

uint64_t report_resolution(hs_trace *t)
{
    const struct format *format = format_of_trace(hs_info(t, "format"));
    if (format->times)
        return 1;
    return format->stream ? hs_clock_resolution_ns(t) : HS_NO_TIME;
}

bool report_time_known(uint64_t ns, uint64_t resolution) { return resolution <= 1 || ns >= resolution; }

void report_time_json(struct json *j, const char *name, uint64_t ns, uint64_t resolution)
{
    if (report_time_known(ns, resolution))
        json_member_u64(j, name, ns);
}

static double percent(uint64_t ns, uint64_t whole_ns) { return whole_ns > 0 ? 100 * (double)ns / (double)whole_ns : 0; }

void report_percent_json(struct json *j, const char *name, uint64_t ns, uint64_t whole_ns, uint64_t resolution)
{
    if (!report_time_known(ns, resolution) || whole_ns == 0)
        return;
    json_name(j, name);
    json_rounded(j, percent(ns, whole_ns), 6);
}

static int time_width(const struct out *o) { return out_narrow(o) ? 9 : 11; }
static int percent_width(const struct out *o) { return out_narrow(o) ? 5 : 6; }
static int calls_width(const struct out *o) { return out_narrow(o) ? 9 : 12; }

bool report_time_text(struct out *o, uint64_t ns, bool left, uint64_t resolution)
{
    bool known = report_time_known(ns, resolution);
    if (known && left)
        out_format(o, " %*.3f", time_width(o), (double)ns / 1e6);
    else
        out_format(o, " %*s", time_width(o), "-");
    return known || (!left && resolution != HS_NO_TIME);
}

static void percent_text(struct out *o, uint64_t ns, uint64_t whole_ns, bool left, uint64_t resolution)
{
    if (report_time_known(ns, resolution) && whole_ns > 0 && left)
        out_format(o, " %*.1f", percent_width(o), percent(ns, whole_ns));
    else
        out_format(o, " %*s", percent_width(o), "-");
}

void report_time_heading(struct out *o, const char *text) { out_format(o, " %*s", time_width(o), text); }

void report_heading(struct out *o)
{
    const int time = time_width(o), percent = percent_width(o);
    out_format(o, "%*s %*s %*s %*s %*s", calls_width(o), "calls", time, "total ms", percent, "%", time, "self ms",
               percent, "%");
}

bool report_costs_text(struct out *o, uint64_t calls, uint64_t total_ns, uint64_t self_ns, uint64_t whole_ns, bool left,
                       uint64_t resolution)
{
    out_format(o, "%*llu", calls_width(o), (unsigned long long)calls);
    bool known = report_time_text(o, total_ns, left, resolution);
    percent_text(o, total_ns, whole_ns, left, resolution);
    known &= report_time_text(o, self_ns, left, resolution);
    percent_text(o, self_ns, whole_ns, left, resolution);
    return known;
}

void report_unknown_note(struct out *o, uint64_t resolution)
{
    if (resolution == HS_NO_TIME)
        out_format(o, "-: this recording has no times of calls\n");
    else
        out_format(o,
                   "-: below %.1f ms, which the clock of this recording cannot distinguish; timestamp=true and "
                   "format=timing have exact times\n",
                   (double)(resolution + 99999) / 1e6);
}

bool report_average(const struct hs_cost *c, uint64_t *ns)
{
    double least = 0; /* the time of all calls, nested ones included, is at least this */
    for (unsigned i = 0; i < HS_HISTOGRAM_BUCKETS; i++) {
        double bucket = i > 0 ? (double)(UINT64_C(1) << i) : 0;
        least += (double)c->histogram[i] * (bucket > (double)c->min_ns ? bucket : (double)c->min_ns);
    }
    *ns = c->left > 0 ? c->total_ns / c->left : 0;
    return (double)c->total_ns >= least && *ns >= c->min_ns;
}

uint64_t report_percentile(const struct hs_cost *c, unsigned percent_of_calls)
{
    uint64_t want = c->left / 100 * percent_of_calls + (c->left % 100 * percent_of_calls + 99) / 100, sum = 0;
    for (unsigned i = 0; i < HS_HISTOGRAM_BUCKETS; i++) {
        sum += c->histogram[i];
        if (sum < want || sum == 0)
            continue;
        uint64_t bound = i + 1 < HS_HISTOGRAM_BUCKETS ? (UINT64_C(2) << i) - 1 : UINT64_MAX;
        return bound < c->max_ns ? bound : c->max_ns;
    }
    return c->max_ns;
}
