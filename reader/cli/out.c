/* out.c - see out.h. */
#include "reader/cli/out.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/visible.h"

enum { BUFFER_BYTES = 1 << 20, NUMBER_MAX = 24, SCREEN_ROWS = 100, LATE_MS = 100 };

bool out_init(struct out *o)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    *o = (struct out){ .fd = STDOUT_FILENO, .name_max = NAME_MAX_DEFAULT, .data = malloc(BUFFER_BYTES) };
    o->colour = isatty(o->fd) && (no_colour == NULL || *no_colour == '\0') && term != NULL && strcmp(term, "dumb") != 0;
    return o->data != NULL;
}

bool out_init_memory(struct out *o)
{
    *o = (struct out){ .fd = -1, .name_max = NAME_MAX_DEFAULT, .data = malloc(BUFFER_BYTES) };
    return o->data != NULL;
}

void out_done(struct out *o)
{
    if (o->watched) { /* from here on the exit status is the command's */
        (void)pthread_cancel(o->watcher);
        (void)pthread_join(o->watcher, NULL);
        o->watched = false;
    }
    free(o->data);
    o->data = NULL;
}

static void *watch(void *fd)
{
    struct pollfd pipe = { .fd = (int)(intptr_t)fd };
    while (poll(&pipe, 1, -1) < 0 && errno == EINTR)
        ;
    if ((pipe.revents & (POLLERR | POLLHUP)) != 0)
        _exit(0);
    return NULL;
}

void out_watch(struct out *o)
{
    struct stat info;
    o->watched = fstat(o->fd, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) &&
                 pthread_create(&o->watcher, NULL, watch, (void *)(intptr_t)o->fd) == 0;
}

static void write_all(struct out *o, const char *p, size_t n)
{
    if (o->fd < 0)
        o->failed = EFBIG;
    while (n > 0 && o->failed == 0) {
        ssize_t w = write(o->fd, p, n);
        if (w < 0 && errno == EINTR)
            continue;
        if (w < 0 && errno == EPIPE)
            _exit(0); /* whoever read has seen enough */
        if (w < 0) {
            o->failed = errno;
            return;
        }
        p += w;
        n -= (size_t)w;
    }
}

int out_flush(struct out *o)
{
    write_all(o, o->data, o->used);
    o->used = 0;
    return o->failed;
}

static uint64_t coarse_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* A row has ended: the first ones go out at once, later ones when they have waited for long. */
static void row_over(struct out *o)
{
    if (o->fd < 0)
        return;
    uint64_t now = coarse_ms();
    if (o->rows < SCREEN_ROWS || now - o->flushed_ms >= LATE_MS) {
        o->rows++;
        o->flushed_ms = now;
        (void)out_flush(o);
    }
}

void out_bytes(struct out *o, const void *p, size_t n)
{
    if (n > BUFFER_BYTES - o->used) {
        (void)out_flush(o);
        if (n > BUFFER_BYTES / 2) {
            write_all(o, p, n);
            return;
        }
    }
    memcpy(o->data + o->used, p, n);
    o->used += n;
    if (n > 0 && o->data[o->used - 1] == '\n')
        row_over(o);
}

/* The one door for text of others: visible.h. */
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
    static const char *const codes[] = { [COLOUR_NONE] = "\033[0m",
                                         [COLOUR_DIM] = "\033[2m",
                                         [COLOUR_NAME] = "\033[36m",
                                         [COLOUR_VALUE] = "\033[32m",
                                         [COLOUR_WARN] = "\033[33m" };
    if (o->colour)
        out_bytes(o, codes[c], strlen(codes[c]));
}

/* ---- JSON ---- */

/* One UTF-16 unit or code point of a string literal. */
static void put_code(struct out *o, uint32_t c)
{
    static const char hex[] = "0123456789abcdef", letters[] = "btn.fr";
    if (c >= 0x20 && c < 0x7f) {
        if (c == '"' || c == '\\')
            out_char(o, '\\');
        out_char(o, (char)c);
    } else if (c >= 8 && c <= 13 && c != 11) {
        out_char(o, '\\');
        out_char(o, letters[c - 8]);
    } else if (!visible_code(c)) { /* all of them have 16 bits */
        char escape[6] = { '\\', 'u', hex[c >> 12 & 15], hex[c >> 8 & 15], hex[c >> 4 & 15], hex[c & 15] };
        out_bytes(o, escape, sizeof escape);
    } else {
        char utf8[4] = { (char)(c < 0x800 ? 0xc0 | c >> 6 : c < 0x10000 ? 0xe0 | c >> 12 : 0xf0 | c >> 18) };
        size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        for (size_t i = 1; i < n; i++)
            utf8[i] = (char)(0x80 | (c >> (6 * (n - 1 - i)) & 0x3f));
        out_bytes(o, utf8, n);
    }
}

static bool plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

/* Decodes one code point of UTF-8 (also C0 80 and surrogates); U+FFFD and one byte for what is none. */
static uint32_t next_code(const unsigned char **at)
{
    static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
    const unsigned char *p = *at;
    unsigned n = *p < 0x80 ? 0 : *p < 0xc0 ? 4 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : *p < 0xf8 ? 3 : 4;
    uint32_t c = n == 0 ? *p : *p & (0x3fu >> n);
    for (unsigned i = 1; n < 4 && i <= n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            n = 4;
        else
            c = c << 6 | (p[i] & 0x3f);
    }
    if (n == 4 || c > 0x10ffff || (c < least[n] && !(n == 1 && c == 0))) {
        *at = p + 1;
        return 0xfffd;
    }
    *at = p + n + 1;
    return c;
}

static void put_json(struct out *o, const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s, *end = p + n, *run;
    while (p < end) {
        for (run = p; p < end && plain(*p); p++)
            ;
        out_bytes(o, run, (size_t)(p - run));
        if (p < end)
            put_code(o, next_code(&p));
    }
}

void out_json_part(struct out *o, const char *s) { put_json(o, s, strlen(s)); }

void out_json_text(struct out *o, const char *s)
{
    out_char(o, '"');
    out_json_part(o, s);
    out_char(o, '"');
}

void out_json_document(struct out *o, const char *text)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);
    while (p < end) {
        size_t run = visible_run(p, (size_t)(end - p));
        out_bytes(o, p, run);
        p += run;
        if (p < end)
            out_format(o, "\\u%04x", next_code(&p) & 0xffff);
    }
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
    put_json(o, s, n);
    o->name_cut |= s[n] != '\0';
}

void out_json_name(struct out *o, const char *s)
{
    out_char(o, '"');
    out_json_name_part(o, s);
    out_char(o, '"');
}

void out_json_cut(struct out *o)
{
    out_text(o, o->name_cut ? ",\"cut\":true" : "");
    o->name_cut = false;
}

bool out_json_string(struct out *o, const struct hs_object *object, uint64_t max)
{
    const unsigned char *p = object->data;
    size_t units = object->latin1 ? object->data_bytes : object->data_bytes / 2,
           shown = units < max ? units : (size_t)max;
    if (!object->latin1 && shown > 0 && shown < units && (p[2 * shown - 1] & 0xfc) == 0xd8 &&
        (p[2 * shown + 1] & 0xfc) == 0xdc)
        shown--; /* no half of a surrogate pair */
    out_char(o, '"');
    for (size_t i = 0; object->latin1 && i < shown;) {
        size_t run = i;
        while (i < shown && plain(p[i]))
            i++;
        out_bytes(o, p + run, i - run);
        if (i < shown)
            put_code(o, p[i++]);
    }
    for (size_t i = 0; !object->latin1 && i < shown; i++) {
        uint32_t c = p[2 * i] | (uint32_t)p[2 * i + 1] << 8;
        if (c >= 0xd800 && c < 0xdc00 && i + 1 < shown) {
            uint32_t low = p[2 * i + 2] | (uint32_t)p[2 * i + 3] << 8;
            if (low >= 0xdc00 && low < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                i++;
            }
        }
        put_code(o, c);
    }
    out_char(o, '"');
    return shown < units;
}

static void put_number(struct out *o, const char *digits)
{
    out_text(o, digits);
    if (strpbrk(digits, ".e") == NULL)
        out_text(o, ".0");
}

/* NaN and infinities, which JSON has no numbers for; false: it is another value. */
static bool put_special(struct out *o, double v, bool json)
{
    const char *name = isnan(v) ? "NaN" : !isinf(v) ? NULL : v < 0 ? "-Infinity" : "Infinity";
    if (name == NULL)
        return false;
    out_text(o, json ? "\"" : "");
    out_text(o, name);
    out_text(o, json ? "\"" : "");
    return true;
}

static void put_float(struct out *o, uint32_t bits, bool json)
{
    char digits[40];
    float v;
    memcpy(&v, &bits, sizeof v);
    if (put_special(o, (double)v, json))
        return;
    for (int precision = 6; precision <= 9; precision++) {
        (void)snprintf(digits, sizeof digits, "%.*g", precision, (double)v);
        if (strtof(digits, NULL) == v)
            break;
    }
    put_number(o, digits);
}

static void put_double(struct out *o, uint64_t bits, bool json)
{
    char digits[40];
    double v;
    memcpy(&v, &bits, sizeof v);
    if (put_special(o, v, json))
        return;
    for (int precision = 15; precision <= 17; precision++) {
        (void)snprintf(digits, sizeof digits, "%.*g", precision, v);
        if (strtod(digits, NULL) == v)
            break;
    }
    put_number(o, digits);
}

void out_json_float(struct out *o, uint32_t bits) { put_float(o, bits, true); }
void out_json_double(struct out *o, uint64_t bits) { put_double(o, bits, true); }
void out_float(struct out *o, uint32_t bits) { put_float(o, bits, false); }
void out_double(struct out *o, uint64_t bits) { put_double(o, bits, false); }
