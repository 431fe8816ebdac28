/* failure_html.c - a test that failed as one HTML file: no server, no script, nothing from outside, which its policy
 * (Content-Security-Policy) forbids, too. All that a trace or a source has is text: what the functions of out.h and
 * show.h write is escaped on its way into the file, markup alone goes there as it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/failure_show.h"
#include "reader/command/show_decision.h"
#include "reader/command/source.h"

enum { AROUND = 3, SPOTS_MAX = 200, FILE_LINES_MAX = 200000 };

struct spot_of_page {
    uint32_t class_no;
    struct spot spot;
    const struct failure_step *step; /* whose value stands behind the line; NULL: none */
    bool fails;
};
struct html {
    struct show *show;
    struct out *out;
    failure_bytes *to;
    bool no_memory;
    struct sources *sources;
    VEC(struct spot_of_page) spots;
};

static void add_bytes(struct html *h, const void *bytes, size_t n)
{
    if (!vec_reserve(h->to, h->to->count + n)) {
        h->no_memory = true;
        return;
    }
    memcpy(h->to->items + h->to->count, bytes, n);
    h->to->count += n;
}

/* What out.h writes: escaped. */
static int add_escaped(void *to, const void *bytes, size_t n)
{
    static const struct {
        char c;
        const char *as;
    } special[] = { { '<', "&lt;" }, { '>', "&gt;" }, { '&', "&amp;" }, { '"', "&quot;" }, { '\'', "&#39;" } };
    const char *p = bytes;
    for (size_t i = 0; i < n; i++) {
        const char *as = NULL;
        for (size_t k = 0; k < sizeof special / sizeof *special; k++)
            if (p[i] == special[k].c)
                as = special[k].as;
        add_bytes(to, as != NULL ? as : p + i, as != NULL ? strlen(as) : 1);
    }
    return 0;
}

/* Markup. */
static void raw(struct html *h, const char *markup)
{
    (void)out_flush(h->out);
    add_bytes(h, markup, strlen(markup));
}

static void text(struct html *h, const char *s) { out_text(h->out, s); }

/* ---- the parts ---- */

static void value(struct html *h, char kind, uint64_t bits)
{
    raw(h, "<b class=v>");
    show_value_text(h->show, kind, bits);
    raw(h, "</b>");
}

static void anchor(struct html *h, uint32_t class_no, struct spot spot, const char *begin)
{
    char id[64];
    (void)snprintf(id, sizeof id, "%sL%u-%d%s", begin, class_no, (int)spot.line, "\">");
    raw(h, id);
}

static void place(struct html *h, uint32_t method_id, struct spot spot)
{
    const struct hs_method *m = hs_method_get(h->show->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(h->show->trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    anchor(h, c->class_no, spot, "<a href=\"#");
    out_class(h->out, c->name);
    out_char(h->out, '.');
    out_name(h->out, m->name);
    out_spot(h->out, c, spot);
    raw(h, "</a>");
}

static bool add_spot(struct html *h, uint32_t method_id, struct spot spot, const struct failure_step *step, bool fails)
{
    const struct hs_method *m = hs_method_get(h->show->trace, method_id);
    if (m == NULL || spot.line < 0 || h->spots.count >= SPOTS_MAX)
        return true;
    struct spot_of_page *to = vec_push(&h->spots);
    if (to != NULL)
        *to = (struct spot_of_page){ m->class_no, spot, step, fails };
    return to != NULL;
}

static void find_spots(struct html *h, const struct failure *f)
{
    bool ok = true;
    for (size_t i = 0; i < f->frames.count; i++)
        ok = ok && add_spot(h, f->frames.items[i].method_id, SPOT_OF(&f->frames.items[i]), NULL, i == 0);
    for (size_t i = 0; i < f->steps.count; i++) {
        const struct hs_dataid *d = hs_dataid_get(h->show->trace, f->steps.items[i].event.dataid);
        ok = ok && (d == NULL || add_spot(h, d->method_id, failure_spot(h->show->trace, &f->steps.items[i].event),
                                          &f->steps.items[i], false));
    }
    for (size_t i = 0; i < f->changes.count; i++) {
        const struct hs_dataid *d = hs_dataid_get(h->show->trace, f->changes.items[i].event.dataid);
        ok = ok && (d == NULL || add_spot(h, d->method_id, SPOT_OF(d), NULL, false));
    }
    h->no_memory |= !ok;
}

static bool same_file(const struct html *h, const struct spot_of_page *a, const struct spot_of_page *b)
{
    const struct hs_class *x = hs_class_get(h->show->trace, a->class_no),
                          *y = hs_class_get(h->show->trace, b->class_no);
    char left[SOURCE_NAME_MAX], right[SOURCE_NAME_MAX];
    return x != NULL && y != NULL && sources_name(x, a->spot.file, left) && sources_name(y, b->spot.file, right) &&
           strcmp(left, right) == 0;
}

static void source_line(struct html *h, const struct spot_of_page *of, int32_t line, const char *at, size_t n)
{
    bool lit = false, fails = false;
    char number[32];
    for (size_t i = 0; i < h->spots.count; i++) {
        const struct spot_of_page *x = &h->spots.items[i];
        if (x->spot.line != line || !same_file(h, of, x))
            continue;
        lit = true;
        fails |= x->fails;
    }
    raw(h, fails ? "<div class=fails" : lit ? "<div class=lit" : "<div");
    for (size_t i = 0; lit && i < h->spots.count; i++) /* one id a line: that of the first class in it */
        if (h->spots.items[i].spot.line == line && same_file(h, of, &h->spots.items[i])) {
            anchor(h, h->spots.items[i].class_no, h->spots.items[i].spot, " id=\"");
            break;
        }
    raw(h, lit ? "<i>" : "><i>");
    (void)snprintf(number, sizeof number, "%5d ", (int)line);
    text(h, number);
    raw(h, "</i>");
    char *copy = strndup(at, n);
    if (copy == NULL)
        h->no_memory = true;
    else
        for (char *part = copy, *tab; part != NULL; part = tab != NULL ? tab + 1 : NULL) {
            if ((tab = strchr(part, '\t')) != NULL)
                *tab = '\0';
            text(h, part);
            if (tab != NULL)
                text(h, "    ");
        }
    free(copy);
    unsigned shown = 0;
    const struct hs_event *before = NULL;
    for (size_t i = 0; i < h->spots.count && shown < 4; i++) {
        const struct spot_of_page *x = &h->spots.items[i];
        if (x->step == NULL || x->spot.line != line || !same_file(h, of, x) ||
            !show_has_value(h->show, &x->step->event) ||
            (before != NULL && before->kind == x->step->event.kind && before->value == x->step->event.value))
            continue;
        before = &x->step->event;
        raw(h, "<u> ");
        h->show->at = x->step->event.seq;
        show_value_text(h->show, x->step->event.kind, x->step->event.value);
        raw(h, "</u>");
        shown++;
    }
    raw(h, "</div>");
}

/* The file of this spot, its lines around all spots in it. */
static void source_file(struct html *h, size_t first)
{
    const struct spot_of_page *of = &h->spots.items[first];
    const struct hs_class *c = hs_class_get(h->show->trace, of->class_no);
    size_t size = 0;
    const char *all = h->sources != NULL ? sources_text(h->sources, c, of->spot.file, &size) : NULL;
    char name[SOURCE_NAME_MAX];
    if (all == NULL)
        return;
    raw(h, "<h3>");
    text(h, sources_name(c, of->spot.file, name) ? name : c->name);
    raw(h, "</h3><pre class=src>");
    bool gap = false;
    const char *end = all + size;
    int32_t line = 1;
    for (const char *at = all; at < end && line < FILE_LINES_MAX; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t n = (size_t)((stop != NULL ? stop : end) - at);
        bool near = false;
        for (size_t i = 0; i < h->spots.count && !near; i++)
            near = h->spots.items[i].spot.line >= line - AROUND && h->spots.items[i].spot.line <= line + AROUND &&
                   same_file(h, of, &h->spots.items[i]);
        if (near && gap)
            raw(h, "<div class=gap>...</div>");
        gap = !near && (gap || line > 1);
        if (near)
            source_line(h, of, line, at, n > 0 && at[n - 1] == '\r' ? n - 1 : n);
        at += n + 1;
    }
    raw(h, "</pre>");
}

static void sources(struct html *h)
{
    for (size_t i = 0; i < h->spots.count; i++) {
        bool before = false;
        for (size_t k = 0; k < i && !before; k++)
            before = same_file(h, &h->spots.items[i], &h->spots.items[k]);
        if (!before)
            source_file(h, i);
    }
}

static void steps(struct html *h, const struct failure *f)
{
    char markup[64];
    if (f->steps.count == 0)
        return;
    raw(h, "<h2>Where ");
    text(h, failure_origin_of(f));
    raw(h, " comes from</h2>");
    for (size_t i = 0; i < f->steps.count; i++) {
        const struct failure_step *x = &f->steps.items[i];
        const struct hs_dataid *d = hs_dataid_get(h->show->trace, x->event.dataid);
        if (x->part != NULL || x->of != NULL)
            raw(h, "<p class=part>");
        if (x->part != NULL)
            text(h, x->part);
        if (x->of != NULL) {
            text(h, "decided at ");
            show_decision_text(h->show, x->of);
        }
        (void)snprintf(markup, sizeof markup, "<div class=step style=\"margin-left:%uem\">",
                       x->depth < 24 ? x->depth : 24);
        raw(h, markup);
        h->show->at = x->event.seq;
        if (show_has_value(h->show, &x->event))
            value(h, x->event.kind, x->event.value);
        text(h, " ");
        if (d != NULL)
            place(h, d->method_id, failure_spot(h->show->trace, &x->event));
        raw(h, " <small>");
        text(h, x->because != NULL ? x->because : "explained above");
        if (x->decision != NULL) {
            raw(h, "<br>under ");
            show_decision_text(h->show, x->decision);
        }
        raw(h, "</small></div>");
    }
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'\">"
    "<meta name=viewport content=\"width=device-width\"><style>"
    "body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222;background:#fff}"
    "h1{font-size:1.4em}h2{font-size:1.1em;margin-top:1.6em}h3{font-size:1em;margin-bottom:.2em}"
    "pre{background:#f6f8fa;padding:.6em;overflow:auto;font:12px/1.5 ui-monospace,monospace}"
    "pre div{white-space:pre}.lit{background:#fff3c4}.fails{background:#ffd7d5}.gap{color:#888}"
    "pre i{color:#888;font-style:normal}pre u{color:#05a;text-decoration:none;margin-left:2em}"
    ".v{color:#05a;font-weight:600}.step{margin:.15em 0}small{color:#666}.part{margin:.8em 0 .2em;font-weight:600}"
    ".bad{color:#b00}a{color:inherit}table{border-collapse:collapse}td{padding:.1em 1em .1em 0;vertical-align:top}"
    "@media(prefers-color-scheme:dark){body{background:#16181c;color:#ddd}pre{background:#1f2228}.lit{background:#"
    "453a10}"
    ".fails{background:#5a2322}.v,pre u{color:#8bc3ff}small,pre i,.gap{color:#999}.bad{color:#f88}}"
    "</style><title>";

static void title(struct html *h, const struct failure *f)
{
    text(h, test_status_name(f->row.test->status));
    text(h, ": ");
    test_name_text(h->out, f->row.test);
}

static void row(struct html *h, const char *name, bool has, const struct hs_event *e)
{
    if (!has)
        return;
    raw(h, "<tr><td>");
    text(h, name);
    raw(h, "<td>");
    value(h, e->kind, e->value);
}

/* The page as text, from what it says of expected and actual on. */
static void as_text(struct html *h, const struct failure *f)
{
    raw(h, "<h2>All of it, as text</h2><pre>");
    const uint64_t at = h->show->at;
    failure_page(h->show, f, SIZE_MAX, false);
    h->show->at = at;
    raw(h, "</pre></body></html>\n");
}

bool failure_html(struct show *s, const struct failure *f, struct sources *from, failure_bytes *to)
{
    struct html h = { .show = s, .to = to, .sources = from };
    struct out out, *before = s->out;
    if (!out_init_sink(&out, add_escaped, &h))
        return false;
    out.source_line = before->source_line;
    out.sources = before->sources;
    out.name_max = before->name_max;
    h.out = s->out = &out;
    raw(&h, head);
    title(&h, f);
    raw(&h, "</title></head><body><h1>");
    title(&h, f);
    raw(&h, "</h1><p class=bad>");
    if (f->row.test->exception != 0) {
        out_class(&out, f->row.type != NULL ? f->row.type : "?");
        if (f->row.thrown != NULL && f->row.thrown->message != NULL) {
            text(&h, ": ");
            text(&h, f->row.thrown->message);
        }
    }
    raw(&h, "</p><table>");
    s->at = f->expected_at;
    row(&h, "expected", f->has_expected, &f->expected);
    s->at = f->actual_at;
    row(&h, "actual", f->has_actual, &f->actual);
    raw(&h, "</table>");
    find_spots(&h, f);
    steps(&h, f);
    raw(&h, "<h2>Source</h2>");
    sources(&h);
    as_text(&h, f);
    (void)out_flush(&out);
    out_done(&out);
    s->out = before;
    vec_free(&h.spots);
    return !h.no_memory;
}
