/* moment.c - see moment.h. */
#include "reader/command/moment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reader/command/cli.h"
#include "reader/command/output_line.h"

static int fail(struct hs_error *error, enum hs_status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(struct hs_error *error, enum hs_status code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(error->text, sizeof error->text, fmt, ap);
    va_end(ap);
    error->code = code;
    return -1;
}

/* ---- times ---- */

/* Digits behind a point as nanoseconds; the first character behind them. */
static const char *read_fraction(const char *s, uint64_t unit_ns, uint64_t *ns)
{
    *ns = 0;
    if (*s != '.')
        return s;
    for (s++; *s >= '0' && *s <= '9'; s++) {
        unit_ns /= 10;
        *ns += (uint64_t)(*s - '0') * unit_ns;
    }
    return s;
}

/* "3.5s" */
static bool read_duration(const char *s, uint64_t *ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = { { "s", 1000000000 }, { "ms", 1000000 },    { "us", 1000 },
                  { "ns", 1 },         { "m", 60000000000 }, { "h", 3600000000000 } };
    char *end;
    if (*s < '0' || *s > '9')
        return false;
    const uint64_t whole = strtoull(s, &end, 10);
    const char *unit = end;
    uint64_t fraction, total;
    if (*unit == '.')
        unit += 1 + strspn(unit + 1, "0123456789");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0) {
            (void)read_fraction(end, units[i].ns, &fraction);
            *ns =
                __builtin_mul_overflow(whole, units[i].ns, &total) || total > INT64_MAX ? INT64_MAX : total + fraction;
            return true;
        }
    return false;
}

/* When the recording started, in seconds and ns since 1970. */
static bool start_of(hs_trace *t, time_t *seconds, uint64_t *ns)
{
    const char *started = hs_info(t, "started");
    uint64_t since_1970;
    if (started == NULL || !cli_u64(started, &since_1970))
        return false;
    *seconds = (time_t)(since_1970 / 1000000000);
    *ns = since_1970 % 1000000000;
    return true;
}

/* A time by the clock, as ns since the start of the recording (negative: before it). */
static bool read_clock(hs_trace *t, const char *s, int64_t *ns)
{
    struct tm tm = { 0 };
    time_t start;
    uint64_t start_ns, fraction;
    const char *rest = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);
    const bool dated = rest != NULL;
    if (!start_of(t, &start, &start_ns))
        return false;
    if (!dated) {
        const time_t day = start;
        if (localtime_r(&day, &tm) == NULL || (rest = strptime(s, "%H:%M:%S", &tm)) == NULL)
            return false;
    }
    rest = read_fraction(rest, 1000000000, &fraction);
    const bool utc = dated && *rest == 'Z';
    if (rest[utc] != '\0')
        return false;
    tm.tm_isdst = -1;
    time_t at = utc ? timegm(&tm) : mktime(&tm);
    if (!dated && at + 1 < start) { /* the recording went on after midnight */
        tm.tm_mday++;
        tm.tm_isdst = -1;
        at = mktime(&tm);
    }
    if (llabs((long long)(at - start)) > INT64_MAX / 1000000000 - 1)
        return false;
    *ns = (int64_t)(at - start) * 1000000000 + (int64_t)fraction - (int64_t)start_ns;
    return true;
}

/* Has the text the form of a time? As ns since the start; false: it has not. */
static bool read_time(hs_trace *t, const char *s, int64_t *ns)
{
    uint64_t length;
    const bool before_end = *s == '-' || strncmp(s, "end-", 4) == 0;
    const char *number = *s == '+' || *s == '-' ? s + 1 : before_end ? s + 4 : NULL;
    if (number == NULL)
        return read_clock(t, s, ns);
    if (!read_duration(number, &length))
        return false;
    *ns = before_end ? (int64_t)hs_recording_end_ns(t) - (int64_t)length : (int64_t)length;
    return true;
}

static bool time_of(hs_trace *t, uint64_t seq, uint64_t *ns, struct hs_error *error)
{
    const struct hs_event *e;
    if (hs_event_at(t, seq, &e, error) != 0)
        return false;
    *ns = e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(t, e->stamp);
    return true;
}

/* The last event up to a time; the first one, if all are later. */
static int find_time(hs_trace *t, const char *text, int64_t ns, uint64_t *seq, struct hs_error *error)
{
    const double end = (double)hs_recording_end_ns(t) / 1e9;
    uint64_t least = 0, most = hs_event_count(t), at;
    if (most == 0)
        return fail(error, HS_ERR_NOT_FOUND, "%s: the trace has no events", hs_dir(t));
    if (ns < 0)
        return fail(error, HS_ERR_NOT_FOUND, "%s is before the recording, which took %.3f s", text, end);
    if ((double)ns / 1e9 > end)
        return fail(error, HS_ERR_NOT_FOUND, "%s is after the recording, which took %.3f s", text, end);
    while (most - least > 1) { /* least is not later, or the first one */
        const uint64_t middle = least + (most - least) / 2;
        if (!time_of(t, middle, &at, error))
            return -1;
        if (at <= (uint64_t)ns)
            least = middle;
        else
            most = middle;
    }
    *seq = least;
    return 0;
}

/* ---- texts ---- */

bool moment_is_text(hs_trace *t, const char *text, const char **begin, size_t *length)
{
    const size_t n = strlen(text);
    const bool quoted = n >= 2 && text[0] == '"' && text[n - 1] == '"';
    *begin = text + quoted;
    *length = quoted ? n - 2 : n;
    return quoted || (!cli_u64(text, &(uint64_t){ 0 }) && !read_time(t, text, &(int64_t){ 0 }));
}

static int find_text(hs_trace *t, const char *text, struct moment *out, struct hs_error *error)
{
    const struct hs_output_line *x;
    hs_cursor *lines;
    int more = 0;
    if (hs_output_open(t, &lines, error) != 0)
        return -1;
    while (out->count < MOMENTS_COUNTED && (more = hs_output_line_next(lines, &x, error)) > 0) {
        const struct hs_output_part *p = output_part_of(x, text);
        if (p == NULL)
            continue;
        if (out->count < MOMENTS_LISTED)
            out->listed[out->count] = p->seq;
        out->count++;
    }
    hs_cursor_close(lines);
    if (out->count < MOMENTS_COUNTED && more < 0)
        return -1;
    if (out->count == 0)
        return fail(error, HS_ERR_NOT_FOUND, "no line of the output contains '%.200s'; hindsight output lists them",
                    text);
    out->seq = out->listed[0];
    return 0;
}

int moment_find(hs_trace *t, const char *text, struct moment *out, struct hs_error *error)
{
    const char *begin;
    size_t length;
    int64_t ns;
    *out = (struct moment){ 0 };
    if (*text == '\0')
        return fail(error, HS_ERR_USAGE, "the moment is an empty text; it is " MOMENT_FORMS);
    if (cli_u64(text, &out->seq))
        return 0;
    if (strspn(text, "0123456789") == strlen(text))
        return fail(error, HS_ERR_USAGE, "no event has so high a number");
    if (!moment_is_text(t, text, &begin, &length))
        return read_time(t, text, &ns) ? find_time(t, text, ns, &out->seq, error) : -1;
    char *copy = strndup(begin, length);
    if (copy == NULL)
        return fail(error, HS_ERR_MEMORY, "out of memory");
    const int failed = find_text(t, copy, out, error);
    free(copy);
    return failed;
}
