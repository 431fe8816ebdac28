/* failure_reports.c - the page of a failed test in the reports that others make: the XML of JUnit, which Maven, Gradle,
 * Ant and TestNG write, and annotations of GitHub.
 *
 * A report is changed only where it is understood: its bytes stay as they are, and the page is put before the end of an
 * element. What is not well-formed, has a document type, or is not ASCII or UTF-8 is refused. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/cli/failure_show.h"
#include "reader/command/source.h"

enum { DEPTH_MAX = 64, NAME_ROOM = 4096, REPORT_MAX = 1 << 28, NOTICES_MAX = 3, MESSAGE_STEPS = 6 };

/* ---- files ---- */

bool failure_file_read(const char *path, failure_bytes *out)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool ok = fd >= 0 && fstat(fd, &st) == 0;
    if (ok && (!S_ISREG(st.st_mode) || st.st_size > REPORT_MAX)) {
        errno = S_ISREG(st.st_mode) ? EFBIG : EINVAL;
        ok = false;
    }
    if (ok && !vec_reserve(out, (size_t)st.st_size + 1)) {
        errno = ENOMEM;
        ok = false;
    }
    while (ok && out->count < (size_t)st.st_size) {
        const ssize_t n = read(fd, out->items + out->count, (size_t)st.st_size - out->count);
        if (n <= 0)
            break;
        out->count += (size_t)n;
    }
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

static bool write_all(int fd, const char *at, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, at, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

bool failure_file_write(const char *path, const failure_bytes *bytes)
{
    char temporary[4200], real[4096];
    struct stat st;
    const bool old = stat(path, &st) == 0;
    if (old && !S_ISREG(st.st_mode)) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    if (old && realpath(path, real) != NULL) /* rename would replace a link, not the file that it names */
        path = real;
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    const int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, bytes->items, bytes->count) && (!old || fchmod(fd, st.st_mode & 0777) == 0);
    ok = close(fd) == 0 && ok && rename(temporary, path) == 0;
    if (!ok) {
        const int e = errno;
        (void)unlink(temporary);
        errno = e;
    }
    return ok;
}

/* ---- XML ---- */

struct element {
    size_t begin, name_size; /* of the tag: behind '<' */
};
struct scan {
    const char *at, *begin, *end;
    const char *why;
    struct element open[DEPTH_MAX];
    size_t depth;
};

static bool starts(const struct scan *s, const char *text)
{
    const size_t n = strlen(text);
    return (size_t)(s->end - s->at) >= n && memcmp(s->at, text, n) == 0;
}

/* Behind the next one of this text; false: there is none. */
static bool skip_past(struct scan *s, const char *text)
{
    const char *found = memmem(s->at, (size_t)(s->end - s->at), text, strlen(text));
    if (found == NULL) {
        s->why = "it is not well-formed";
        return false;
    }
    s->at = found + strlen(text);
    return true;
}

static size_t name_size(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && strchr(" \t\r\n/>='\"<", at[n]) == NULL)
        n++;
    return n;
}

/* To the '>' of the tag at `at`, behind its name; quotation marks hold what is between them. */
static bool skip_tag(struct scan *s)
{
    while (s->at < s->end && *s->at != '>') {
        if (*s->at == '<')
            break;
        if (*s->at == '"' || *s->at == '\'') {
            const char *close = memchr(s->at + 1, *s->at, (size_t)(s->end - s->at - 1));
            if (close == NULL)
                break;
            s->at = close;
        }
        s->at++;
    }
    if (s->at < s->end && *s->at == '>')
        return true;
    s->why = "it is not well-formed";
    return false;
}

/* The value of an attribute of the tag, with the five entities that XML has resolved; false: it has none, or one that
 * does not fit or has another entity. */
static bool attribute(const char *tag, const char *end, const char *name, char out[NAME_ROOM])
{
    static const struct {
        const char *text;
        char c;
    } entities[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' } };
    const char *at = tag + name_size(tag, end);
    while (at < end) {
        at += strspn(at, " \t\r\n");
        const size_t n = name_size(at, end);
        const char *value = at + n;
        value += strspn(value, " \t\r\n");
        if (n == 0 || value >= end || *value != '=')
            return false;
        value++;
        value += strspn(value, " \t\r\n");
        const char *close = value < end && (*value == '"' || *value == '\'')
                                ? memchr(value + 1, *value, (size_t)(end - value - 1))
                                : NULL;
        if (close == NULL)
            return false;
        if (n != strlen(name) || memcmp(at, name, n) != 0) {
            at = close + 1;
            continue;
        }
        size_t used = 0;
        for (const char *p = value + 1; p < close; p++) {
            char c = *p;
            if (used + 1 >= NAME_ROOM)
                return false;
            for (size_t i = 0; *p == '&' && i < sizeof entities / sizeof *entities; i++) {
                const size_t size = strlen(entities[i].text);
                if ((size_t)(close - p) >= size && memcmp(p, entities[i].text, size) == 0) {
                    c = entities[i].c;
                    p += size - 1;
                    break;
                }
            }
            out[used++] = c;
        }
        out[used] = '\0';
        return true;
    }
    return false;
}

/* Is the tag that of this test? Engines write three, three(), three(TestInfo) and, of one with parameters,
 * three(String)[1]. */
static bool is_testcase(const char *tag, const char *end, const struct hs_test *test, size_t number)
{
    char class_name[NAME_ROOM], name[NAME_ROOM], run[32];
    if (name_size(tag, end) != 8 || memcmp(tag, "testcase", 8) != 0 || test->class_name == NULL ||
        !attribute(tag, end, "classname", class_name) || !attribute(tag, end, "name", name) ||
        strcmp(class_name, test->class_name) != 0)
        return false;
    const size_t n = test->method != NULL ? strlen(test->method) : 0;
    if (test->name != NULL && strcmp(name, test->name) == 0)
        return true;
    if (n == 0 || strncmp(name, test->method, n) != 0)
        return false;
    (void)snprintf(run, sizeof run, "[%zu]", number > 0 ? number : 1); /* of one with parameters there may be one run */
    const size_t rest = strlen(name + n), size = strlen(run);
    if (rest >= size && strchr("({[", name[n]) != NULL && strcmp(name + n + rest - size, run) == 0)
        return true;
    return number == 0 && (rest == 0 || (name[n] == '(' && name[n + rest - 1] == ')'));
}

static bool check_begin(struct scan *s)
{
    if (starts(s, "\xef\xbb\xbf"))
        s->at += 3;
    if (starts(s, "<?xml")) {
        char encoding[NAME_ROOM];
        const char *begin = s->at + 2, *close = memmem(s->at, (size_t)(s->end - s->at), "?>", 2);
        if (close != NULL && attribute(begin, close, "encoding", encoding) && strcasecmp(encoding, "UTF-8") != 0 &&
            strcasecmp(encoding, "US-ASCII") != 0 && strcasecmp(encoding, "ASCII") != 0 &&
            strcasecmp(encoding, "ISO-8859-1") != 0) {
            s->why = "its encoding is another than UTF-8, ASCII and ISO-8859-1";
            return false;
        }
    }
    if (memchr(s->begin, '\0', (size_t)(s->end - s->begin)) != NULL)
        s->why = "it has a byte 0: it is no XML, or in another encoding than UTF-8";
    return s->why == NULL;
}

/* Where the page of the test goes, behind `<testcase ...>` and what stands in it; 0: nowhere. The whole report is read:
 * what is not well-formed is not touched. */
static size_t find_testcase(struct scan *s, const struct hs_test *test, size_t number, const char *mark)
{
    size_t found = 0, testcase = 0; /* the depth that it has, from 1 on */
    bool any = false;
    const char *begin = NULL;
    if (!check_begin(s))
        return 0;
    while (s->why == NULL && s->at < s->end) {
        const char *next = memchr(s->at, '<', (size_t)(s->end - s->at));
        if (next == NULL)
            break;
        s->at = next;
        if (starts(s, "<!--") ? skip_past(s, "-->") : starts(s, "<![CDATA[") ? skip_past(s, "]]>") : false)
            continue;
        if (starts(s, "<?") ? skip_past(s, "?>") : false)
            continue;
        if (s->why == NULL && starts(s, "<!"))
            s->why = "it has a document type";
        if (s->why != NULL)
            break;
        const bool closes = starts(s, "</");
        const char *tag = s->at + 1 + closes;
        const size_t n = name_size(tag, s->end);
        s->at = tag + n;
        if (n == 0 || !skip_tag(s)) {
            s->why = "it is not well-formed";
            break;
        }
        const bool empty = s->at[-1] == '/' && !closes;
        s->at++;
        any = true;
        if (closes) {
            const struct element *e = s->depth > 0 ? &s->open[s->depth - 1] : NULL;
            if (e == NULL || e->name_size != n || memcmp(s->begin + e->begin, tag, n) != 0) {
                s->why = "it is not well-formed";
                break;
            }
            if (s->depth == testcase && found == 0 && memmem(begin, (size_t)(tag - begin), mark, strlen(mark)) == NULL)
                found = (size_t)(tag - 2 - s->begin);
            if (s->depth == testcase)
                testcase = 0;
            s->depth--;
            continue;
        }
        if (empty)
            continue;
        if (s->depth == DEPTH_MAX) {
            s->why = "its elements are nested too deep";
            break;
        }
        s->open[s->depth++] = (struct element){ (size_t)(tag - s->begin), n };
        if (testcase == 0 && is_testcase(tag, s->at - 1, test, number)) {
            testcase = s->depth;
            begin = s->at;
        }
    }
    if (s->why == NULL && (s->depth > 0 || !any))
        s->why = "it is not well-formed";
    return s->why == NULL ? found : 0;
}

/* What the page has, as content of an element in ASCII. */
struct escaped {
    failure_bytes *to;
    bool no_memory;
    unsigned left; /* bytes of a character of UTF-8 that are to come */
    uint32_t code;
};

static void put(struct escaped *e, const char *bytes, size_t n)
{
    if (!vec_reserve(e->to, e->to->count + n)) {
        e->no_memory = true;
        return;
    }
    memcpy(e->to->items + e->to->count, bytes, n);
    e->to->count += n;
}

static void put_code(struct escaped *e)
{
    char text[32];
    const bool allowed = (e->code >= 0x20 && e->code < 0xd800) || (e->code >= 0xe000 && e->code < 0xfffe) ||
                         e->code >= 0x10000 || e->code == '\n' || e->code == '\t';
    const int n = snprintf(text, sizeof text, "&#%u;", allowed ? (unsigned)e->code : 0xfffdu);
    put(e, text, (size_t)n);
}

static int put_escaped(void *to, const void *bytes, size_t n)
{
    struct escaped *e = to;
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) {
        if (e->left > 0 && (p[i] & 0xc0) == 0x80) {
            e->code = e->code << 6 | (p[i] & 0x3f);
            if (--e->left == 0)
                put_code(e);
        } else if (p[i] >= 0xc0) {
            e->left = p[i] >= 0xf0 ? 3 : p[i] >= 0xe0 ? 2 : 1;
            e->code = p[i] & (0x3fu >> e->left);
        } else if (p[i] >= 0x80 || p[i] == '<' || p[i] == '>' || p[i] == '&' || (p[i] < 0x20 && p[i] != '\n')) {
            e->code = p[i] >= 0x80 ? 0xfffd : p[i];
            e->left = 0;
            put_code(e);
        } else {
            e->left = 0;
            put(e, (const char *)&p[i], 1);
        }
    }
    return 0;
}

int failure_junit_xml(struct show *s, const struct failure *f, size_t number, failure_bytes *report, const char **why)
{
    static const char mark[] = "<system-out>hindsight failure\n", close[] = "</system-out>\n";
    struct scan scan = { .at = report->items, .begin = report->items };
    struct out out, *before = s->out;
    failure_bytes page = { 0 };
    struct escaped e = { .to = &page };
    *why = NULL;
    scan.end = report->items + report->count;
    const size_t at = report->count > 0 ? find_testcase(&scan, f->row.test, number, mark) : 0;
    *why = report->count == 0 ? "it is empty" : scan.why;
    if (at == 0)
        return *why != NULL ? -1 : 0;
    if (!out_init_sink(&out, put_escaped, &e)) {
        *why = "out of memory";
        return -1;
    }
    out.source_line = before->source_line;
    out.sources = before->sources;
    out.name_max = before->name_max;
    s->out = &out;
    failure_page(s, f, SIZE_MAX, false);
    (void)out_flush(&out);
    out_done(&out);
    s->out = before;
    const size_t size = strlen(mark) + page.count + strlen(close);
    if (e.no_memory || !vec_reserve(report, report->count + size)) {
        vec_free(&page);
        *why = "out of memory";
        return -1;
    }
    char *to = report->items + at;
    memmove(to + size, to, report->count - at);
    memcpy(to, mark, strlen(mark));
    if (page.count > 0)
        memcpy(to + strlen(mark), page.items, page.count);
    memcpy(to + strlen(mark) + page.count, close, strlen(close));
    report->count += size;
    vec_free(&page);
    return 1;
}

/* ---- GitHub ---- */

/* Data of a workflow command; of a property also what ends one is escaped. */
struct command {
    struct out *out;
    bool property;
};

static int put_command(void *to, const void *bytes, size_t n)
{
    const struct command *c = to;
    const char *p = bytes;
    for (size_t i = 0; i < n; i++)
        if (p[i] == '%' || p[i] == '\r' || p[i] == '\n' || (c->property && (p[i] == ':' || p[i] == ',')))
            out_format(c->out, "%%%02X", (unsigned)(unsigned char)p[i]);
        else
            out_bytes(c->out, p + i, 1);
    return 0;
}

struct annotation {
    struct show show; /* that writes to `out` */
    struct command command;
    struct out out, *before;
};

static bool annotation_begin(struct annotation *a, struct show *s)
{
    *a = (struct annotation){ .show = *s, .before = s->out, .command = { .out = s->out } };
    if (!out_init_sink(&a->out, put_command, &a->command))
        return false;
    a->out.name_max = s->out->name_max;
    a->show.out = &a->out;
    return true;
}

static void literal(struct annotation *a, const char *text)
{
    (void)out_flush(&a->out);
    out_bytes(a->before, text, strlen(text));
}

static void annotation_end(struct annotation *a)
{
    (void)out_flush(&a->out);
    out_done(&a->out);
    out_char(a->before, '\n');
}

/* Below the current folder, as a checkout has it. */
static const char *relative(const char *path)
{
    char here[4096];
    const size_t n = path != NULL && getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    if (n > 1 && strncmp(path, here, n) == 0 && path[n] == '/')
        path += n + 1;
    while (path != NULL && strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

static void annotation_spot(struct annotation *a, uint32_t method_id, struct spot spot, struct sources *from)
{
    const struct hs_method *m = hs_method_get(a->show.trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(a->show.trace, m->class_no) : NULL;
    const char *path = c != NULL && from != NULL ? relative(sources_path(from, c, spot.file)) : NULL;
    char name[SOURCE_NAME_MAX];
    a->command.property = true;
    literal(a, "file=");
    if (path != NULL)
        out_text(&a->out, path);
    else if (c != NULL && sources_name(c, spot.file, name))
        out_text(&a->out, name);
    if (spot.line > 0) {
        literal(a, ",line=");
        out_format(&a->out, "%d", (int)spot.line);
    }
    literal(a, ",title=");
    (void)out_flush(&a->out);
}

static void value(struct annotation *a, const char *name, bool has, const struct hs_event *e)
{
    if (!has)
        return;
    out_text(&a->out, name);
    show_value_text(&a->show, e->kind, e->value);
    out_char(&a->out, '\n');
}

static void step_text(struct annotation *a, const struct failure_step *x)
{
    const struct hs_dataid *d = hs_dataid_get(a->show.trace, x->event.dataid);
    a->show.at = x->event.seq;
    if (show_has_value(&a->show, &x->event))
        show_value_text(&a->show, x->event.kind, x->event.value);
    out_char(&a->out, ' ');
    if (d != NULL)
        show_spot_text(&a->show, d, failure_spot(a->show.trace, &x->event));
    out_text(&a->out, x->because != NULL ? "  " : "");
    out_text(&a->out, x->because != NULL ? x->because : "");
    out_char(&a->out, '\n');
}

static void message_text(struct annotation *a, const struct failure *f)
{
    if (f->row.test->exception != 0) {
        out_class(&a->out, f->row.type != NULL ? f->row.type : "?");
        if (f->row.thrown != NULL && f->row.thrown->message != NULL) {
            out_text(&a->out, ": ");
            out_text(&a->out, f->row.thrown->message);
        }
        out_char(&a->out, '\n');
    }
    a->show.at = f->compared;
    value(a, "expected ", f->has_expected, &f->expected);
    value(a, "actual   ", f->has_actual, &f->actual);
    for (size_t i = 1; i < f->steps.count && i <= MESSAGE_STEPS; i++)
        step_text(a, &f->steps.items[i]);
}

void failure_github(struct show *s, const struct failure *f, struct sources *from)
{
    struct annotation a;
    const struct hs_frame *frame = f->frames.count > 0 ? &f->frames.items[0] : NULL;
    if (!annotation_begin(&a, s))
        return;
    literal(&a, "::error ");
    const struct hs_event *entry;
    const struct hs_dataid *entered = f->entered != HS_NO_SEQ && hs_event_at(s->trace, f->entered, &entry, NULL) == 0
                                          ? hs_dataid_get(s->trace, entry->dataid)
                                          : NULL;
    if (frame != NULL)
        annotation_spot(&a, frame->method_id, SPOT_OF(frame), from);
    else if (entered != NULL) /* of an exception that did not come */
        annotation_spot(&a, entered->method_id, SPOT_OF(entered), from);
    else
        literal(&a, "title=");
    a.command.property = true;
    test_name_text(&a.out, f->row.test);
    literal(&a, "::");
    a.command.property = false;
    message_text(&a, f);
    annotation_end(&a);
    unsigned notices = 0;
    for (size_t i = 0; i < f->steps.count && notices < NOTICES_MAX; i++) {
        const struct failure_step *x = &f->steps.items[i];
        const struct hs_dataid *d = hs_dataid_get(s->trace, x->event.dataid);
        const struct hs_method *m = d != NULL ? hs_method_get(s->trace, d->method_id) : NULL;
        const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
        if (c == NULL || f->row.test->class_name == NULL || strcmp(c->name, f->row.test->class_name) == 0)
            continue;
        if (!annotation_begin(&a, s))
            return;
        literal(&a, "::notice ");
        annotation_spot(&a, d->method_id, failure_spot(s->trace, &x->event), from);
        a.command.property = true;
        out_text(&a.out, "from here comes the value of ");
        test_name_text(&a.out, f->row.test);
        literal(&a, "::");
        a.command.property = false;
        step_text(&a, x);
        annotation_end(&a);
        notices++;
    }
}
