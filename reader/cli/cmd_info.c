/* cmd_info.c - `hindsight info`: what a trace is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formats/bytes.h"
#include "formats/commas.h"
#include "formats/event.h"
#include "formats/reasons.h"
#include "formats/schema.h"
#include "reader/cli/info_parts.h"
#include "reader/cli/info_redact.h"
#include "reader/command/cli.h"
#include "reader/command/show.h"
#include "reader/derive/derive.h"

struct args {
    struct common common;
    bool count;
};
static const struct option_row options[] = {
    { "count", 0, NULL, OPTION_FLAG, offsetof(struct args, count),
      "read the events of a long trace that has no index yet, to say how many there are of each group and type" },
    { 0 },
};
const struct usage usage_info = {
    .about =
        "Bytes per event type are those of the event stream alone (event_bytes): what events of the type have put into "
        "each column of a chunk; its compressed bytes are shared out in that proportion. They add up to event_bytes. "
        "arguments are those of the JVM itself, and flags what recording sets in it: DontCompileHugeMethods=false lets "
        "it compile woven methods of more than 8000 bytes, and with higher thresholds C2 compiles only what is hot. "
        "Bytes per event are those of the whole directory; storage is where they are, in pages of the "
        "databases: "
        "events, objects (types and contents, with strings), class files, tables (classes, methods, data IDs), "
        "and so on; the index is not part of the sum. Events that belong to two groups count for the first "
        "(METHOD_PARAM: EXEC). Without an index they are not known at once: of a long trace they are shown when it "
        "has one (index), or with --count.\n--limit bounds the lists: classes and methods that were not woven, "
        "intervals (logstart=, logend=), and snapshots (logsave=, freeze=).",
    .example = "hindsight info hindsight-20261120-2031-4711",
    .options = options,
};

enum {
    NOT_WOVEN_LINES = 20, /* in text, unless --limit says otherwise */
    COUNTED_CHUNKS = 256, /* so many without an index are read without being asked for: 0.2 s */
};

#define UNCOUNTED "once there is an index (hindsight index), or with --count"

struct tally {
    uint64_t events, bytes;
    double exact_bytes; /* whole sixteenths */
};

struct facts {
    struct tally types[EVENT_LIMIT], groups[GROUP_COUNT];
    uint64_t states[3]; /* classes by hs_class_state */
    uint64_t events, event_bytes, disk_bytes, marks;
    uint64_t folded; /* methods that fold=trivial left out */
    bool counted;    /* events and bytes by type are known, and with them event_bytes */
    hs_cursor *intervals, *snapshots;
    char started[64], ended[64];
};

static void time_text(const char *ns_text, char *out, size_t size)
{
    uint64_t ns;
    struct tm tm;
    out[0] = '\0';
    if (ns_text == NULL || !cli_u64(ns_text, &ns))
        return;
    time_t seconds = (time_t)(ns / 1000000000);
    char day[32];
    if (gmtime_r(&seconds, &tm) != NULL && strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm) > 0)
        (void)snprintf(out, size, "%s.%09uZ", day, (unsigned)(ns % 1000000000));
}

static bool is_folded(const struct hs_method *m) { return strcmp(m->reason, REASON_FOLDED) == 0; }

/* Classes by state, marks, and the parts of the recording. */
static int count_rows(hs_trace *t, struct facts *f, struct hs_error *error)
{
    hs_cursor *classes, *marks;
    const struct hs_class *c;
    if (hs_classes_open(t, &classes, error) != 0)
        return -1;
    while (hs_class_next(classes, &c, NULL) > 0) {
        f->states[c->state] += strcmp(c->name, OUTPUT_CLASS) != 0;
        for (uint32_t k = 0; c->state == HS_CLASS_WOVEN && k < c->method_count; k++)
            f->folded += is_folded(c->methods[k]);
    }
    hs_cursor_close(classes);
    if (hs_marks_open(t, &marks, error) != 0)
        return -1;
    f->marks = (size_t)hs_cursor_count(marks);
    hs_cursor_close(marks);
    if (hs_intervals_open(t, &f->intervals, error) != 0)
        return -1;
    return hs_snapshots_open(t, &f->snapshots, error);
}

/* Whole bytes, so that their sum is that of the exact ones, which is returned. */
static uint64_t round_bytes(struct tally *tallies, size_t count)
{
    double sum = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < count; i++) {
        sum += tallies[i].exact_bytes;
        tallies[i].bytes = (uint64_t)(sum + 0.5) - given;
        given += tallies[i].bytes;
    }
    return given;
}

/* Events and bytes of each group and type. */
static int count_events(hs_trace *t, struct facts *f, struct hs_error *error)
{
    uint32_t n = hs_dataid_count(t);
    uint64_t *counts = calloc((size_t)n + 1, sizeof *counts);
    double *bytes = calloc((size_t)n + 1, sizeof *bytes);
    int failed = counts == NULL || bytes == NULL ? -1 : hs_count_dataids(t, counts, bytes, error);
    if (counts == NULL || bytes == NULL)
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    for (uint32_t i = 0; failed == 0 && i < n; i++) {
        const struct hs_dataid *d = counts[i] > 0 ? hs_dataid_get(t, i) : NULL;
        if (d == NULL)
            continue;
        struct tally *both[] = { &f->types[d->event], &f->groups[event_first_group(d->event)] };
        for (unsigned k = 0; k < 2; k++) {
            both[k]->events += counts[i];
            both[k]->exact_bytes += bytes[i];
        }
        f->events += counts[i];
    }
    free(counts);
    free(bytes);
    f->event_bytes = round_bytes(f->types, EVENT_LIMIT);
    (void)round_bytes(f->groups, GROUP_COUNT);
    return failed;
}

static int gather(hs_trace *t, struct facts *f, bool count, struct hs_error *error)
{
    const struct hs_index_info *index = hs_index_info(t);
    f->counted = count || index->chunks - index->indexed <= COUNTED_CHUNKS;
    f->events = hs_event_count(t);
    int failed = 0;
    if (f->counted) {
        f->events = 0;
        failed = count_events(t, f, error);
    }
    if (failed == 0)
        failed = count_rows(t, f, error);
    f->disk_bytes = hs_disk_bytes(t);
    time_text(hs_info(t, "started"), f->started, sizeof f->started);
    time_text(hs_info(t, "ended"), f->ended, sizeof f->ended);
    return failed;
}

/* The groups that were asked of a class: those of the start at which it was woven. */
static const char *weave_of(const hs_trace *t, const struct hs_class *c)
{
    const char *weave = info_start(t, "weave", 1);
    uint64_t first;
    for (unsigned n = 2; weave != NULL && info_start(t, "weave", n) != NULL; n++)
        if (info_start(t, "period", n) != NULL && cli_u64(info_start(t, "period", n), &first) &&
            first <= c->first_dataid)
            weave = info_start(t, "weave", n);
    return weave != NULL ? weave : hs_info(t, "weave");
}

/* The requested groups that a method lacks, joined by +. */
static void missing_groups(const char *weave, const struct hs_method *m, char *out, size_t size)
{
    const char *bad;
    int bad_length;
    group_set wanted;
    out[0] = '\0';
    if (weave != NULL && group_set_parse(weave, &wanted, &bad, &bad_length))
        group_set_text(wanted & ~m->groups, out, size);
}

/* Left out by skip=generated, or not woven although the filter wants it. */
static bool class_not_woven(const struct hs_class *c)
{
    return c->state == HS_CLASS_GIVEN_UP ||
           (c->state == HS_CLASS_FILTERED && strstr(c->reason, "(skip=generated)") != NULL);
}

/* Calls `row` for every class and method that was not woven as requested, the first `limit`; returns how many there
 * are. */
typedef void not_woven_fn(void *to, const struct hs_class *c, const struct hs_method *m, const char *reason,
                          const char *groups);
static uint64_t each_not_woven(hs_trace *t, uint64_t limit, not_woven_fn *row, void *to)
{
    uint64_t count = 0;
    const struct hs_class *c;
    hs_cursor *classes;
    if (hs_classes_open(t, &classes, NULL) != 0)
        return 0;
    while (hs_class_next(classes, &c, NULL) > 0) {
        const char *weave = weave_of(t, c);
        if (class_not_woven(c) && count++ < limit)
            row(to, c, NULL, c->reason, weave != NULL ? weave : "");
        for (uint32_t k = 0; c->state == HS_CLASS_WOVEN && k < c->method_count; k++)
            if (c->methods[k]->reason[0] != '\0' && !is_folded(c->methods[k]) && count++ < limit) {
                char groups[128];
                missing_groups(weave, c->methods[k], groups, sizeof groups);
                row(to, c, c->methods[k], c->methods[k]->reason, groups);
            }
    }
    hs_cursor_close(classes);
    return count;
}

/* ---- JSON ---- */

static void tally_json(struct json *j, const char *name, const struct tally *t)
{
    if (t->events == 0)
        return;
    json_name(j, name);
    json_object(j);
    json_member_u64(j, "events", t->events);
    json_member_u64(j, "bytes", t->bytes);
    json_end(j);
}

static void not_woven_json(void *to, const struct hs_class *c, const struct hs_method *m, const char *reason,
                           const char *groups)
{
    struct json *j = to;
    json_object(j);
    json_member_text(j, "class", c->name);
    if (m != NULL) {
        json_member_text(j, "method", m->name);
        json_member_text(j, "desc", m->desc);
    }
    json_member_text(j, "reason", reason);
    json_member_text(j, "groups", groups);
    json_end(j);
}

static double bytes_per_event(const struct facts *f)
{
    return f->events > 0 ? (double)f->disk_bytes / (double)f->events : 0;
}

static void bytes_per_event_json(struct out *o, const struct facts *f)
{
    json_name(&o->json, "bytes_per_event");
    json_rounded(&o->json, bytes_per_event(f), 6);
}

static void storage_json(struct out *o, hs_trace *t)
{
    const char *kind;
    uint64_t stored;
    json_name(&o->json, "storage");
    json_object(&o->json);
    for (size_t i = 0; hs_storage(t, i, &kind, &stored); i++)
        json_member_u64(&o->json, kind, stored);
    json_end(&o->json);
}

static void classes_json(struct out *o, const struct facts *f)
{
    json_name(&o->json, "classes");
    json_object(&o->json);
    json_member_u64(&o->json, "woven", f->states[HS_CLASS_WOVEN]);
    json_member_u64(&o->json, "filtered", f->states[HS_CLASS_FILTERED]);
    json_member_u64(&o->json, "given_up", f->states[HS_CLASS_GIVEN_UP]);
    json_end(&o->json);
}

static void groups_json(struct out *o, const struct facts *f)
{
    if (!f->counted)
        return;
    json_name(&o->json, "groups");
    json_object(&o->json);
    for (unsigned i = 0; i < GROUP_COUNT; i++)
        tally_json(&o->json, group_name(i), &f->groups[i]);
    json_end(&o->json);
}

static void types_json(struct out *o, const struct facts *f)
{
    if (!f->counted)
        return;
    json_name(&o->json, "types");
    json_object(&o->json);
    for (unsigned i = 0; i < EVENT_LIMIT; i++)
        if (event_name(i) != NULL)
            tally_json(&o->json, event_name(i), &f->types[i]);
    json_end(&o->json);
}

static void not_woven_list_json(struct out *o, hs_trace *t, uint64_t limit)
{
    json_name(&o->json, "not_woven");
    json_array(&o->json);
    (void)each_not_woven(t, limit, not_woven_json, &o->json);
    json_end(&o->json);
}

#define ROWS "reader/answers/info.def"
#define ROW  hs_trace *t, const struct facts *f, bool stopped, uint64_t limit
#include "reader/answers/row.h"

/* ---- text ---- */

static void line(struct out *o, const char *name, const char *value)
{
    if (value != NULL && value[0] != '\0')
        out_format(o, "%-10s %s\n", name, value);
}

static void tally_line(struct out *o, const char *name, const struct tally *t, bool with_bytes)
{
    char events[40], bytes[40];
    if (t->events == 0)
        return;
    out_format(o, "  %-40s %16s", name, with_commas(events, sizeof events, t->events));
    if (with_bytes)
        out_format(o, " %16s %8.3f", with_commas(bytes, sizeof bytes, t->bytes), t->exact_bytes / (double)t->events);
    out_char(o, '\n');
}

static void not_woven_line(void *to, const struct hs_class *c, const struct hs_method *m, const char *reason,
                           const char *groups)
{
    out_text(to, "  ");
    if (m != NULL)
        show_method_text(to, c->name, m->name, m->desc, "");
    else
        out_name(to, c->name);
    out_format(to, ": %s (%s)\n", reason, groups);
}

static void storage_line(struct out *o, hs_trace *t)
{
    const char *kind;
    uint64_t bytes;
    char number[40];
    const char *before = "storage    ";
    for (size_t i = 0; hs_storage(t, i, &kind, &bytes); i++) {
        if (bytes == 0)
            continue;
        out_format(o, "%s%s %s", before, kind, with_commas(number, sizeof number, bytes));
        before = ", ";
    }
    out_char(o, '\n');
}

/* How long threads of the program waited for the recorder, all together. */
static void waited_line(struct out *o, const char *ns)
{
    uint64_t waited;
    if (ns != NULL && cli_u64(ns, &waited) && waited >= 1000000)
        out_format(o, "%-10s threads waited %.3f s for the recorder\n", "waited", (double)waited / 1e9);
}

/* format=timing: what is known of the times of calls that were counted alone. */
static void counted_line(struct out *o, const hs_trace *t)
{
    const char *calls = hs_info(t, "counted_calls"), *methods = hs_info(t, "counted_methods"),
               *ns = hs_info(t, "counted_ns"), *error_ns = hs_info(t, "counted_error_ns");
    uint64_t n, error;
    char text[COMMAS_MAX];
    if (calls == NULL || methods == NULL || ns == NULL || error_ns == NULL)
        return;
    out_format(o, "%-10s ", "counted");
    if (cli_u64(calls, &n))
        out_format(o, "%s calls of %s short methods were counted, not timed", with_commas(text, sizeof text, n),
                   methods);
    if (cli_u64(ns, &n) && cli_u64(error_ns, &error))
        out_format(o, ": they took %.3f s as others did, %.3f s more or less", (double)n / 1e9, (double)error / 1e9);
    out_format(o, "\n");
}

static void print_text(struct session *s, const struct facts *f, uint64_t limit)
{
    hs_trace *t = s->trace;
    struct out *o = &s->out;
    char number[40], other[40];
    line(o, "trace", hs_dir(t));
    line(o, "jvm", hs_info(t, "jvm"));
    line(o, "command", hs_info(t, "command"));
    line(o, "directory", hs_info(t, "directory"));
    line(o, "class path", hs_info(t, "class_path"));
    line(o, "arguments", hs_info(t, "vm_arguments"));
    line(o, "flags", hs_info(t, "vm_flags"));
    line(o, "options", hs_info(t, "options"));
    line(o, "format", hs_info(t, "format"));
    line(o, "weave", hs_info(t, "weave"));
    info_starts_text(t, o);
    line(o, "started", f->started);
    line(o, "ended", f->ended);
    if (hs_info(t, "begin") != NULL)
        out_format(o, "%-10s %s: what the program did before is not recorded\n", "begin", hs_info(t, "begin"));
    line(o, "end",
         hs_info(t, "end") != NULL ? hs_info(t, "end")
         : session_stopped(s)      ? "recording is stopped for now, and may be started again; all events are stored"
                                   : "still being recorded");
    line(o, "events", with_commas(number, sizeof number, f->events));
    if (hs_info(t, "lost") != NULL)
        out_format(o, "%-10s %s%s\n", "lost", lost_at_least(t), hs_info(t, "lost"));
    if (hs_info(t, "left_out") != NULL)
        out_format(o, "%-10s %s events of %s calls, by percall=%s\n", "left out", hs_info(t, "left_out"),
                   hs_info(t, "left_out_calls"), hs_info(t, "percall"));
    if (derive_count(t) > 0)
        out_format(o, "%-10s %llu chunks hold only the events that do not follow from the bytecode\n", "derived",
                   (unsigned long long)derive_count(t));
    if (hs_info(t, "whole_because") != NULL)
        out_format(o, "%-10s of every event: %s\n", "hooks", hs_info(t, "whole_because"));
    waited_line(o, hs_info(t, "waited_ns"));
    info_redact_text(t, o);
    if (hs_info(t, "saved_used") != NULL)
        out_format(o, "%-10s %s classes used, %s made, %s refused%s%s\n", "saved", hs_info(t, "saved_used"),
                   hs_info(t, "saved_made"), hs_info(t, "saved_refused"),
                   hs_info(t, "saved_refusal") != NULL ? ": " : "",
                   hs_info(t, "saved_refusal") != NULL ? hs_info(t, "saved_refusal") : "");
    line(o, "dropped", hs_info(t, "dropped"));
    if (trace_is_to_drop(t) && hs_info(t, "end") != NULL && hs_info(t, "tests_to_drop") != NULL)
        out_format(o, "%-10s tests passed: %s, which keep= drops: hindsight compact --passed\n", "to drop",
                   hs_info(t, "tests_to_drop"));
    else if (trace_is_to_drop(t) && hs_info(t, "end") != NULL)
        out_format(o, "%-10s what is outside of logstart= and logend=: hindsight compact --passed\n", "to drop");
    if (hs_info(t, "dropped_tests") != NULL)
        out_format(o, "%-10s %s events of %s tests that passed (keep=)\n", "dropped", hs_info(t, "dropped_events"),
                   hs_info(t, "dropped_tests"));
    else if (hs_info(t, "dropped_events") != NULL)
        out_format(o, "%-10s %s events outside of logstart= and logend=\n", "dropped", hs_info(t, "dropped_events"));
    counted_line(o, t);
    if (hs_info(t, "limited") != NULL)
        out_format(o, "%-10s %s data IDs keep fewer than the last %s events: no more room was allowed\n", "limited",
                   hs_info(t, "limited"), hs_info(t, "size"));
    out_format(o, "%-10s %s (%.3f per event)\n", "bytes", with_commas(number, sizeof number, f->disk_bytes),
               bytes_per_event(f));
    storage_line(o, t);
    line(o, "threads", with_commas(number, sizeof number, hs_thread_count(t)));
    line(o, "marks", f->marks > 0 ? with_commas(number, sizeof number, f->marks) : NULL);
    out_format(o, "%-10s %s woven, %s filtered, %llu given up\n", "classes",
               with_commas(number, sizeof number, f->states[HS_CLASS_WOVEN]),
               with_commas(other, sizeof other, f->states[HS_CLASS_FILTERED]),
               (unsigned long long)f->states[HS_CLASS_GIVEN_UP]);
    if (f->folded > 0)
        out_format(o, "%-10s %s trivial methods have no events (fold=trivial)\n", "folded",
                   with_commas(number, sizeof number, f->folded));
    if (!f->counted)
        out_format(o, "%-10s of each group and type: " UNCOUNTED "\n", "events");
    else if (f->events > 0) {
        bool stream = f->event_bytes > 0;
        out_format(o, "\n  %-40s %16s", stream ? "(bytes of the stream)" : "", "events");
        out_format(o, stream ? " %16s %8s\n" : "\n", "bytes", "each");
        for (unsigned i = 0; i < GROUP_COUNT; i++)
            tally_line(o, group_name(i), &f->groups[i], stream);
        out_char(o, '\n');
        for (unsigned i = 0; i < EVENT_LIMIT; i++)
            if (event_name(i) != NULL)
                tally_line(o, event_name(i), &f->types[i], stream);
    }
    info_parts_text(t, o, f->intervals, f->snapshots, limit);
    out_format(o, "\nnot woven as asked:\n");
    limit = limit == UINT64_MAX ? NOT_WOVEN_LINES : limit;
    const uint64_t count = each_not_woven(t, limit, not_woven_line, o);
    if (count == 0)
        out_line(o, "  none");
    else if (count > limit)
        out_format(o, "  and %s more; --limit %llu shows all\n", with_commas(number, sizeof number, count - limit),
                   (unsigned long long)count);
}

int cmd_info(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct facts f = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    int status = session_begin(&s, context, &a);
    if (status != PARSED)
        return status;
    bool ok = gather(s.trace, &f, a.count, &error) == 0;
    if (ok && a.common.json)
        info_json(&s.out, s.trace, &f, hs_info(s.trace, "end") == NULL && session_stopped(&s), a.common.limit);
    else if (ok)
        print_text(&s, &f, a.common.limit);
    hs_cursor_close(f.intervals);
    hs_cursor_close(f.snapshots);
    return ok ? session_close(&s, EXIT_DONE) : session_fail(&s, "%s", error.text);
}
