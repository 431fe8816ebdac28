/* out.c - see out.h. */
#include "reader/command/out.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/visible.h"
#include "reader/command/interrupt.h"
#include "reader/command/pager.h"
#include "reader/command/progress_line.h"

enum {
    BUFFER_BYTES = 1 << 20,
    CUT_BYTES = 16 /* behind the buffer: the end of a row that was cut */,
    NUMBER_MAX = 24,
    SCREEN_ROWS = 100,
    LATE_MS = 100
};

#define COLOUR_END "\033[0m"

static void write_json(void *out, const void *bytes, size_t n) { out_bytes(out, bytes, n); }

static bool init(struct out *o, int fd)
{
    *o = (struct out){ .fd = fd, .name_max = NAME_MAX_DEFAULT, .data = malloc(BUFFER_BYTES + CUT_BYTES) };
    json_init(&o->json, write_json, o);
    return o->data != NULL;
}

bool out_init(struct out *o)
{
    bool room = init(o, STDOUT_FILENO);
    o->colour = terminal_has_colours(o->fd, "auto");
    return room;
}

bool out_init_file(struct out *o, int fd) { return init(o, fd); }

bool out_init_memory(struct out *o) { return init(o, -1); }

bool out_init_sink(struct out *o, out_sink_fn *sink, void *to)
{
    bool room = init(o, -1);
    o->sink = sink;
    o->sink_to = to;
    return room;
}

void out_interactive(struct out *o, bool cut, bool page)
{
    o->screen = terminal_screen(o->fd);
    o->cut = cut && o->screen.columns > 0;
    o->pager = page && o->screen.rows > 0 ? pager_command() : NULL;
}

void out_unwatch(struct out *o)
{
    if (!o->watched)
        return;
    (void)eventfd_write(o->watch_end, 1);
    (void)pthread_join(o->watcher, NULL);
    (void)close(o->watch_end);
    o->watched = false;
}

void out_done(struct out *o)
{
    out_unwatch(o); /* from here on the exit status is the command's */
    if (o->fd >= 0 && !pager_end() && o->failed == 0)
        o->failed = ENOENT;
    free(o->data);
    o->data = NULL;
}

/* The reader of the pipe has closed it: it has seen enough. */
static void end_quietly(void)
{
    bool found = pager_wait();
    _exit(interrupt_seen() ? interrupt_status() : found ? 0 : 1);
}

/* `fds`: the pipe, and in the upper half what becomes readable when the command has ended. Not pthread_cancel, which
 * loads a library the first time and aborts without memory for it. */
static void *watch(void *fds)
{
    uint64_t both = (uint64_t)(uintptr_t)fds;
    struct pollfd waits[] = { { .fd = (int)(both & INT32_MAX) }, { .fd = (int)(both >> 32), .events = POLLIN } };
    while (poll(waits, 2, -1) < 0 && errno == EINTR)
        ;
    if (waits[1].revents == 0 && (waits[0].revents & (POLLERR | POLLHUP)) != 0)
        end_quietly();
    return NULL;
}

void out_watch(struct out *o)
{
    struct stat info;
    sigset_t all, before;
    if (o->watched || fstat(o->fd, &info) != 0 || !(S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)))
        return;
    o->watch_end = eventfd(0, EFD_CLOEXEC);
    if (o->watch_end < 0)
        return;
    void *fds = (void *)(uintptr_t)((uint64_t)o->watch_end << 32 | (unsigned)o->fd);
    (void)sigfillset(&all); /* signals are for the thread that writes */
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    o->watched = pthread_create(&o->watcher, NULL, watch, fds) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!o->watched)
        (void)close(o->watch_end);
}

/* So many of the bytes go out; `*ends`: no more do. */
static size_t within_budget(struct out *o, const char *p, size_t n, bool *ends)
{
    *ends = o->limited && n > o->budget;
    const char *end = *ends ? memrchr(p, '\n', o->budget) : NULL;
    if (end != NULL)
        n = (size_t)(end + 1 - p);
    else if (*ends)
        n = o->cuts ? o->budget : 0;
    while (*ends && end == NULL && n > 0 && ((unsigned char)p[n] & 0xc0) == 0x80)
        n--;
    o->budget -= o->limited ? n : 0;
    o->cuts = o->cuts && n == 0; /* only the first row */
    return n;
}

static void write_all(struct out *o, const char *p, size_t n)
{
    bool ends;
    if (o->sink != NULL) {
        if (n > 0 && o->failed == 0)
            o->failed = o->sink(o->sink_to, p, n);
        return;
    }
    if (o->fd < 0)
        o->failed = EFBIG;
    if (n > 0)
        progress_line_erase();
    n = within_budget(o, p, n, &ends);
    while (n > 0 && o->failed == 0) {
        ssize_t w = write(o->fd, p, n);
        if (w < 0 && errno == EINTR && !interrupt_seen())
            continue;
        if (w < 0 && errno == EPIPE)
            end_quietly();
        if (w < 0) {
            o->failed = errno;
            return;
        }
        p += w;
        n -= (size_t)w;
    }
    if (ends && o->failed == 0)
        o->failed = ECANCELED;
}

int out_flush(struct out *o)
{
    write_all(o, o->data, o->used);
    o->used = 0;
    o->row_at = 0;
    return o->failed;
}

static uint64_t coarse_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Cuts the row behind row_at, which has no line feed yet, at the width of the screen; false: it fits. */
static bool cut_row(struct out *o)
{
    size_t n = o->used - o->row_at, fits = terminal_fit(o->data + o->row_at, n, o->screen.columns);
    if (fits == n)
        return false;
    o->used = o->row_at + fits;
    memcpy(o->data + o->used, ELLIPSIS, sizeof ELLIPSIS - 1);
    o->used += sizeof ELLIPSIS - 1;
    if (o->colour) {
        memcpy(o->data + o->used, COLOUR_END, sizeof COLOUR_END - 1);
        o->used += sizeof COLOUR_END - 1;
    }
    return true;
}

static void start_pager(struct out *o)
{
    progress_line_erase();
    int fd = pager_start(o->pager);
    o->pager = NULL;
    if (fd < 0)
        return;
    o->fd = fd;
    out_watch(o);
}

/* Rows wait until they fill the screen: what is shorter needs no pager. */
static bool is_held(struct out *o, size_t row_bytes)
{
    if (o->pager == NULL)
        return false;
    o->lines += 1 + (o->screen.columns > 0 && !o->cut ? (unsigned)(row_bytes / o->screen.columns) : 0);
    if (o->lines < o->screen.rows)
        return true;
    start_pager(o);
    return false;
}

/* A row has ended: the first ones go out at once, later ones when they have waited for long. */
static void row_over(struct out *o)
{
    size_t bytes = o->used - o->row_at;
    o->row_at = o->used;
    if ((o->fd < 0 && o->sink == NULL) || is_held(o, bytes))
        return;
    if (interrupt_seen() && o->failed == 0)
        o->failed = EINTR;
    uint64_t now = coarse_ms();
    if (o->rows < SCREEN_ROWS || now - o->flushed_ms >= LATE_MS) {
        o->rows++;
        o->flushed_ms = now;
        (void)out_flush(o);
    }
}

/* Writes out all rows but the one that is being written. */
static void make_room(struct out *o)
{
    write_all(o, o->data, o->row_at);
    o->used -= o->row_at;
    memmove(o->data, o->data + o->row_at, o->used);
    o->row_at = 0;
}

/* Adds bytes of one row. Of one that is longer than the buffer the beginning is enough, since it will be cut. */
static void put_part(struct out *o, const char *p, size_t n)
{
    if (n > BUFFER_BYTES - o->used && !o->skips) {
        o->skips = cut_row(o);
        make_room(o);
    }
    if (o->skips)
        return;
    if (n > BUFFER_BYTES - o->used)
        n = BUFFER_BYTES - o->used;
    memcpy(o->data + o->used, p, n);
    o->used += n;
}

/* The same as out_bytes, where rows are cut. */
static void put_rows(struct out *o, const char *p, size_t n)
{
    while (n > 0) {
        const char *end = memchr(p, '\n', n);
        size_t part = end != NULL ? (size_t)(end - p) : n;
        put_part(o, p, part);
        if (end == NULL)
            return;
        if (!o->skips)
            (void)cut_row(o);
        o->skips = false;
        o->data[o->used++] = '\n'; /* there is room: CUT_BYTES */
        row_over(o);
        if (o->used >= BUFFER_BYTES)
            (void)out_flush(o);
        p += part + 1;
        n -= part + 1;
    }
}

void out_bytes(struct out *o, const void *p, size_t n)
{
    if (n == 0)
        return; /* also of an array that is NULL */
    if (o->cut) {
        put_rows(o, p, n);
        return;
    }
    if (n > BUFFER_BYTES - o->used) {
        (void)out_flush(o);
        if (n > BUFFER_BYTES / 2) {
            write_all(o, p, n);
            return;
        }
    }
    memcpy(o->data + o->used, p, n);
    o->used += n;
    if (o->data[o->used - 1] == '\n')
        row_over(o);
}

/* All text that is not ours goes through visible.h. */
static void put_bytes(void *context, const char *bytes, size_t n) { out_bytes(context, bytes, n); }
static void shown(struct out *o, const char *s, size_t n) { visible_each(s, n, put_bytes, o); }

void out_text(struct out *o, const char *s) { shown(o, s, strlen(s)); }

void out_line(struct out *o, const char *s)
{
    out_text(o, s);
    out_char(o, '\n');
}

void out_char(struct out *o, char c)
{
    if (o->cut) {
        put_rows(o, &c, 1);
        return;
    }
    if (o->used == BUFFER_BYTES)
        (void)out_flush(o);
    o->data[o->used++] = c;
    if (c == '\n')
        row_over(o);
}

void out_u64(struct out *o, uint64_t v)
{
    char digits[NUMBER_MAX], *p = digits + sizeof digits;
    do {
        *--p = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);
    out_bytes(o, p, (size_t)(digits + sizeof digits - p));
}

void out_i64(struct out *o, int64_t v)
{
    if (v < 0)
        out_char(o, '-');
    out_u64(o, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void out_format(struct out *o, const char *fmt, ...)
{
    char small[256], *text = small;
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    if (n >= (int)sizeof small && (text = malloc((size_t)n + 1)) != NULL)
        n = vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(ap);
    if (text == NULL || n < 0) {
        o->failed = ENOMEM;
    } else { /* newlines at both ends of the format are our own */
        size_t size = (size_t)n, length = strlen(fmt), first = strspn(fmt, "\n"), last = 0;
        while (last < length - first && fmt[length - 1 - last] == '\n')
            last++;
        out_bytes(o, text, first);
        shown(o, text + first, size - first - last);
        out_bytes(o, text + size - last, last);
    }
    if (text != small)
        free(text);
}

static void count_columns(void *context, const char *bytes, size_t n)
{
    size_t *columns = context;
    for (size_t i = 0; i < n; i++)
        *columns += (bytes[i] & 0xc0) != 0x80;
}

void out_padded(struct out *o, const char *s, int width)
{
    size_t columns = 0, want = (size_t)(width < 0 ? -width : width);
    visible_each(s, strlen(s), count_columns, &columns);
    for (size_t i = columns; width < 0 && i < want; i++)
        out_char(o, ' ');
    out_text(o, s);
    for (size_t i = columns; width > 0 && i < want; i++)
        out_char(o, ' ');
}

void out_colour(struct out *o, enum colour c)
{
    static const char *const codes[] = { [COLOUR_NONE] = COLOUR_END,
                                         [COLOUR_DIM] = "\033[2m",
                                         [COLOUR_NAME] = "\033[36m",
                                         [COLOUR_VALUE] = "\033[32m",
                                         [COLOUR_WARN] = "\033[33m" };
    if (o->colour)
        out_bytes(o, codes[c], strlen(codes[c]));
}

/* ---- JSON ---- */

void out_quoted(struct out *o, const char *s)
{
    out_char(o, '"');
    json_escape(write_json, o, s, strlen(s));
    out_char(o, '"');
}

/* Bytes of a name that are shown. */
static size_t name_bytes(const struct out *o, const char *s)
{
    size_t n = strlen(s), characters = 0;
    for (size_t i = 0; n > o->name_max && o->name_max > 0 && i < n; i++) {
        if ((s[i] & 0xc0) != 0x80 && characters++ == o->name_max)
            return i;
        if (i == 4 * o->name_max) /* no UTF-8 */
            return i;
    }
    return n;
}

void out_name(struct out *o, const char *s)
{
    size_t n = name_bytes(o, s);
    shown(o, s, n);
    out_text(o, s[n] != '\0' ? "..." : "");
}

void out_json_name_part(struct out *o, const char *s)
{
    size_t n = name_bytes(o, s);
    json_text_part(&o->json, s, n);
    o->name_cut |= s[n] != '\0';
}

/* Begin and end of a name, the end from `tail` on, in so many columns. */
static void middle_cut(struct out *o, const char *name, const char *tail, size_t most)
{
    while (((unsigned char)*tail & 0xc0) == 0x80)
        tail++;
    const size_t end = strlen(tail);
    shown(o, name, terminal_fit(name, (size_t)(tail - name), (unsigned)(most - end)));
    out_bytes(o, ELLIPSIS, sizeof ELLIPSIS - 1);
    shown(o, tail, end);
}

void out_simple_class(struct out *o, const char *name)
{
    const size_t most = o->screen.columns * 3 / 10, tail = most / 3, n = strlen(name);
    const char *nested = strrchr(name, '$');
    if (!out_narrow(o) || terminal_fit(name, n, (unsigned)most) == n) {
        out_name(o, name);
    } else if (nested == NULL || nested == name) {
        middle_cut(o, name, name + n - tail, most);
    } else if (strlen(nested) + tail < most) {
        middle_cut(o, name, nested, most);
    } else {
        out_bytes(o, ELLIPSIS, sizeof ELLIPSIS - 1);
        if (strlen(nested) < most)
            out_name(o, nested);
        else
            middle_cut(o, nested, name + n - tail, most - 1);
    }
}

void out_class(struct out *o, const char *name)
{
    const char *dot = out_narrow(o) ? strrchr(name, '.') : NULL;
    out_simple_class(o, dot != NULL ? dot + 1 : name);
}

void out_json_name(struct out *o, const char *s)
{
    json_text_begin(&o->json);
    out_json_name_part(o, s);
    json_text_end(&o->json);
}

void out_member_name(struct out *o, const char *name, const char *s)
{
    json_name(&o->json, name);
    out_json_name(o, s);
}

void out_name_of_member(struct out *o, const char *s)
{
    size_t n = name_bytes(o, s);
    json_name_n(&o->json, s, n);
    o->name_cut |= s[n] != '\0';
}

void out_member_hash(struct out *o, const char *name, uint64_t hash)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    json_member_text(&o->json, name, digits);
}

void out_member_cut(struct out *o)
{
    if (o->name_cut)
        json_member_bool(&o->json, "cut", true);
    o->name_cut = false;
}

/* How many units of the string are shown: `max`, but not half of a surrogate pair. */
static size_t shown_units(const struct hs_object *object, size_t units, uint64_t max)
{
    const unsigned char *p = object->data;
    if (units <= max)
        return units;
    size_t n = (size_t)max;
    bool splits = !object->latin1 && n > 0 && (p[2 * n - 1] & 0xfc) == 0xd8 && (p[2 * n + 1] & 0xfc) == 0xdc;
    return splits ? n - 1 : n;
}

static void write_latin1(struct out *o, const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t run = json_plain_run(p + i, n - i);
        out_bytes(o, p + i, run);
        i += run;
        if (i < n)
            json_escape_code(write_json, o, p[i++]);
    }
}

static void write_utf16(struct out *o, const unsigned char *p, size_t units)
{
    for (size_t i = 0; i < units; i++) {
        uint32_t c = p[2 * i] | (uint32_t)p[2 * i + 1] << 8;
        if (c >= 0xd800 && c < 0xdc00 && i + 1 < units) {
            uint32_t low = p[2 * i + 2] | (uint32_t)p[2 * i + 3] << 8;
            if (low >= 0xdc00 && low < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                i++;
            }
        }
        json_escape_code(write_json, o, c);
    }
}

/* True if `max` cut it. */
static bool write_units(struct out *o, const struct hs_object *object, uint64_t max)
{
    size_t units = object->latin1 ? object->data_bytes : object->data_bytes / 2;
    size_t shown = shown_units(object, units, max);
    if (object->latin1)
        write_latin1(o, object->data, shown);
    else
        write_utf16(o, object->data, shown);
    return shown < units;
}

void out_string_content(struct out *o, const struct hs_object *object) { (void)write_units(o, object, UINT64_MAX); }

bool out_quoted_string(struct out *o, const struct hs_object *object, uint64_t max)
{
    out_char(o, '"');
    bool cut = write_units(o, object, max);
    out_char(o, '"');
    return cut;
}

void out_member_string(struct out *o, const char *name, const struct hs_object *object)
{
    json_name(&o->json, name);
    json_raw(&o->json);
    (void)out_quoted_string(o, object, UINT64_MAX);
}

void out_character(struct out *o, uint16_t unit)
{
    out_char(o, '\'');
    if (unit == '"') /* the quotes that need an escape are the other ones */
        out_char(o, '"');
    else if (unit == '\'')
        out_text(o, "\\'");
    else
        json_escape_code(write_json, o, unit);
    out_char(o, '\'');
}

void out_float(struct out *o, uint32_t bits)
{
    char digits[JSON_NUMBER_MAX];
    out_text(o, json_float_digits(bits, digits));
}

void out_double(struct out *o, uint64_t bits)
{
    char digits[JSON_NUMBER_MAX];
    out_text(o, json_double_digits(bits, digits));
}
