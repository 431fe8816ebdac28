/* moments.c - hs_moments_open: a time or a text of the output as moments. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reader/trace/open_trace.h"

struct moments_cursor {
    hs_cursor base;
    hs_trace *trace;
    hs_cursor *lines; /* of a text */
    char *text;
    bool given; /* of the others: the one row */
    struct hs_moment row;
};

/* ---- times ---- */

static bool read_number(const char *s, uint64_t *out)
{
    uint64_t n = 0;
    const char *at = s;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, (uint64_t)(*at - '0'), &n))
            return false;
    *out = n;
    return at != s && *at == '\0';
}

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
    if (started == NULL || !read_number(started, &since_1970))
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

static int row_at(struct moments_cursor *c, uint64_t seq, struct hs_error *error)
{
    const struct hs_event *e;
    if (hs_event_at(c->trace, seq, &e, error) != 0)
        return -1;
    c->row = (struct hs_moment){
        .seq = seq,
        .thread = e->thread,
        .time_ns = e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(c->trace, e->stamp),
    };
    return 0;
}

/* The last event up to a time; the first one, if all are later. */
static int find_time(struct moments_cursor *c, const char *text, int64_t ns, struct hs_error *error)
{
    const double end = (double)hs_recording_end_ns(c->trace) / 1e9;
    uint64_t least = 0, most = hs_event_count(c->trace);
    struct error err = { 0 };
    if (most == 0)
        (void)error_set(&err, ERR_NOT_FOUND, "%s: the trace has no events", hs_dir(c->trace));
    else if (ns < 0)
        (void)error_set(&err, ERR_NOT_FOUND, "%s is before the recording, which took %.3f s", text, end);
    else if ((double)ns / 1e9 > end)
        (void)error_set(&err, ERR_NOT_FOUND, "%s is after the recording, which took %.3f s", text, end);
    if (err.status != OK)
        return give(error, &err);
    while (most - least > 1) { /* least is not later, or the first one */
        const uint64_t middle = least + (most - least) / 2;
        if (row_at(c, middle, error) != 0)
            return -1;
        if (c->row.time_ns <= (uint64_t)ns)
            least = middle;
        else
            most = middle;
    }
    return row_at(c, least, error);
}

/* ---- texts ---- */

/* The part of the line in which the first occurrence of the text begins; NULL: it is not in the line. */
static const struct hs_output_part *part_of(const struct hs_output_line *x, const char *text)
{
    const struct hs_output_part *p = x->parts[0];
    const char *found = strstr(x->text, text);
    const size_t at = found != NULL ? (size_t)(found - x->text) : 0;
    const bool same = strlen(x->text) <= x->byte_count && memcmp(x->text, x->bytes, strlen(x->text)) == 0;
    if (found == NULL)
        return NULL;
    for (size_t i = 0; same && i < x->part_count && x->parts[i]->at <= at; i++) /* else bytes and text differ */
        p = x->parts[i];
    return p;
}

static int moments_next(hs_cursor *cursor, const void **row, struct hs_error *error)
{
    struct moments_cursor *c = (struct moments_cursor *)cursor;
    const struct hs_output_line *x;
    int more = c->lines == NULL && !c->given;
    c->given = true;
    while (c->lines != NULL && (more = hs_output_line_next(c->lines, &x, error)) > 0) {
        const struct hs_output_part *p = part_of(x, c->text);
        if (p == NULL)
            continue;
        c->row = (struct hs_moment){ p->seq, p->thread, p->time_ns, x, p };
        break;
    }
    *row = &c->row;
    return more;
}

static void moments_close(hs_cursor *cursor)
{
    struct moments_cursor *c = (struct moments_cursor *)cursor;
    hs_cursor_close(c->lines);
    free(c->text);
    free(c);
}

static int open_text(struct moments_cursor *c, const char *text, struct hs_error *error)
{
    const size_t n = strlen(text);
    const bool quoted = n >= 2 && text[0] == '"' && text[n - 1] == '"';
    struct error err = { 0 };
    c->text = strndup(text + quoted, quoted ? n - 2 : n);
    if (c->text == NULL)
        (void)error_memory(&err, "moments");
    else if (n == 0)
        (void)error_set(&err, ERR_USAGE, "an empty text is no moment");
    return err.status != OK ? give(error, &err) : hs_output_open(c->trace, &c->lines, error);
}

static const struct cursor_ops moments_ops = { .row = ROW_moment, .next = moments_next, .close = moments_close };

int hs_moments_open(hs_trace *t, const char *text, hs_cursor **out, struct hs_error *error)
{
    struct moments_cursor *c = calloc(1, sizeof *c);
    struct error err = { 0 };
    uint64_t seq;
    int64_t ns;
    int failed;
    if (c == NULL) {
        (void)error_memory(&err, "moments");
        return give(error, &err);
    }
    c->base.ops = &moments_ops;
    c->trace = t;
    if (read_number(text, &seq))
        failed = row_at(c, seq, error);
    else if (*text != '\0' && text[strspn(text, "0123456789")] == '\0') {
        (void)error_set(&err, ERR_USAGE, "no event has so high a number");
        failed = give(error, &err);
    } else
        failed = read_time(t, text, &ns) ? find_time(c, text, ns, error) : open_text(c, text, error);
    if (failed != 0)
        moments_close(&c->base);
    else
        *out = &c->base;
    return failed;
}
