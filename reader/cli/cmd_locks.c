/* cmd_locks.c - `hindsight locks`: monitors, how long they were waited for, in which order they are entered. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    bool order, inversions, fail_if_any;
};
static const struct option_row options[] = {
    { "order", 'o', NULL, OPTION_FLAG, offsetof(struct args, order),
      "instead: which monitor was entered while which other was held" },
    { "inversions", 'i', NULL, OPTION_FLAG, offsetof(struct args, inversions),
      "instead: monitors that threads entered in different orders, which can end in a deadlock" },
    { "fail-if-any", 0, NULL, OPTION_FLAG, offsetof(struct args, fail_if_any),
      "with --inversions: exit status 1 if there is one, for checks" },
    { 0 },
};
const struct usage usage_locks = {
    .source = true,
    .about = "Monitors of synchronized blocks and methods: how often each was entered, by how many threads, how often "
             "another thread held it when it was asked for, how long threads waited then, and how long it was held, by "
             "the clock of the recording. Whether a synchronized method was waited for is not known, but at the end: "
             "-, and behind a number +, say so. What is held or waited for when the recording ends counts up to "
             "there, and is marked: still. An inversion is a circle in the order of entering "
             "of which not all steps are of one thread; it is shown although nothing happened in this run. Locks of "
             "java.util.concurrent are not known. Needs events of the groups EXEC and SYNC.",
    .example = "hindsight locks --inversions",
    .options = options,
};

static void lock_text(struct show *s, const struct hs_lock *l)
{
    if (l->object != 0)
        show_monitor_name(s, l->object);
    else
        out_format(s->out, "class %s", l->class_name);
}

/* {"id","type"}, with "class" if it is one, or {"class"} of a class whose object is not known. */
static void lock_json(struct show *s, const struct hs_lock *l)
{
    struct json *j = &s->out->json;
    if (l->object != 0) {
        show_monitor_json(s, l->object);
        return;
    }
    json_object(j);
    out_member_name(s->out, "class", l->class_name);
    out_member_cut(s->out);
    json_end(j);
}

static void lock_member(struct show *s, const char *name, const struct hs_lock *l)
{
    json_name(&s->out->json, name);
    lock_json(s, l);
}

static bool event_at(struct show *s, uint64_t seq, struct hs_event *out)
{
    const struct hs_event *e;
    if (hs_event_at(s->trace, seq, &e, NULL) != 0)
        return false;
    *out = *e;
    return true;
}

/* ---- each monitor ---- */

static int by_wait(const void *a, const void *b)
{
    const struct hs_lock *const *x = a, *const *y = b;
    const uint64_t mine[] = { (*x)->wait_ns, (*x)->contended, (*x)->hold_ns, (*x)->entered },
                   other[] = { (*y)->wait_ns, (*y)->contended, (*y)->hold_ns, (*y)->entered };
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
        if (mine[i] != other[i])
            return mine[i] > other[i] ? -1 : 1;
    return (*x > *y) - (*x < *y); /* by the first end of a hold */
}

/* Is the sum known? Not 0, if it may be more. A monitor that one thread alone entered was never waited for. */
static bool sum_known(uint64_t sum, uint64_t unknown) { return sum > 0 || unknown == 0; }

static bool waits_known(const struct hs_lock *l) { return sum_known(l->contended, l->waits_unknown); }

static const char *type_of(struct show *s, const struct hs_lock *l)
{
    const struct hs_object *o = l->object != 0 ? hs_object_get(s->trace, (uint32_t)l->object) : NULL;
    return o != NULL && o->type != NULL ? o->type : "java.lang.Class";
}

#define ROWS "reader/answers/lock_uses.def"
#define ROW  struct show *show, const struct hs_lock *l
#include "reader/answers/row.h"

/* A column: "-" if the sum is not known, "2+" if it may be more. */
static void sum_text(struct out *o, int width, const char *text, bool known, uint64_t unknown)
{
    out_format(o, "%*s%s", width - (unknown > 0 && known), known ? text : "-", unknown > 0 && known ? "+" : "");
}

static void use_text(struct show *s, const struct hs_lock *l)
{
    enum { NUMBER_MAX = 32 };
    char contended[NUMBER_MAX], waited[NUMBER_MAX], held[NUMBER_MAX];
    const uint64_t unknown = l->waits_unknown;
    const bool known = waits_known(l);
    (void)snprintf(contended, sizeof contended, "%llu", (unsigned long long)l->contended);
    (void)snprintf(waited, sizeof waited, "%.3f", (double)l->wait_ns / 1e6);
    (void)snprintf(held, sizeof held, "%.3f", (double)l->hold_ns / 1e6);
    out_format(s->out, "%12llu", (unsigned long long)l->entered);
    sum_text(s->out, 12, contended, known, unknown);
    sum_text(s->out, 14, waited, known, unknown);
    sum_text(s->out, 14, held, sum_known(l->hold_ns, l->holds_unknown), l->holds_unknown);
    out_format(s->out, "  %-8s", l->shared ? "several" : "one");
    lock_text(s, l);
    if (l->still_held > 0)
        out_text(s->out, "  still held");
    if (l->still_waiting > 0)
        out_format(s->out, "  %llu still waiting", (unsigned long long)l->still_waiting);
    out_char(s->out, '\n');
}

static uint64_t show_uses(struct show *s, hs_cursor *locks, const struct args *a, struct hs_error *error)
{
    VEC(const struct hs_lock *) sorted = { 0 };
    const struct hs_lock *l, **to;
    uint64_t shown = 0;
    while (s->out->failed == 0 && hs_lock_next(locks, &l, error) > 0)
        if ((to = vec_push(&sorted)) != NULL)
            *to = l;
        else
            s->out->failed = ENOMEM;
    if (sorted.count > 1)
        qsort(sorted.items, sorted.count, sizeof *sorted.items, by_wait);
    if (!a->common.json && sorted.count > 0)
        out_format(s->out, "%12s%12s%14s%14s  %-8s%s\n", "entered", "contended", "waited ms", "held ms", "threads",
                   "monitor");
    for (; shown < sorted.count && shown < a->common.limit && s->out->failed == 0; shown++)
        if (a->common.json)
            lock_uses_json(s->out, s, sorted.items[shown]);
        else
            use_text(s, sorted.items[shown]);
    vec_free(&sorted);
    return shown;
}

/* ---- their order ---- */

#define ROWS "reader/answers/lock_orders.def"
#define ROW                                                                                                            \
    struct show *show, const struct hs_lock_edge *e, const struct hs_lock *from, const struct hs_lock *to,             \
        const struct hs_event *a, const struct hs_event *b
#include "reader/answers/row.h"

static void edge_json(struct show *s, const struct hs_lock_edge *e)
{
    struct hs_event a, b;
    if (event_at(s, e->outer, &a) && event_at(s, e->inner, &b))
        lock_orders_json(s->out, s, e, e->from, e->to, &a, &b);
}

static void edge_text(struct show *s, const struct hs_lock_edge *e)
{
    lock_text(s, e->from);
    out_text(s->out, " before ");
    lock_text(s, e->to);
    out_format(s->out, ", %llu time%s%s\n", (unsigned long long)e->count, e->count > 1 ? "s" : "",
               e->circle ? ", on a circle" : "");
    const uint64_t both[] = { e->outer, e->inner };
    for (size_t i = 0; i < 2; i++) {
        struct hs_event at;
        if (event_at(s, both[i], &at)) {
            out_text(s->out, "  ");
            show_event_text(s, &at);
        }
    }
}

static uint64_t show_edges(struct show *s, hs_cursor *locks, const struct args *a, struct hs_error *error)
{
    const struct hs_lock_edge *e;
    hs_cursor *edges;
    uint64_t shown = 0;
    if (hs_lock_edges_open(locks, &edges, error) != 0)
        return 0;
    for (; shown < a->common.limit && s->out->failed == 0 && hs_lock_edge_next(edges, &e, error) > 0; shown++)
        (a->common.json ? edge_json : edge_text)(s, e);
    hs_cursor_close(edges);
    return shown;
}

/* ---- inversions ---- */

static void chain_json(struct show *s, const char *name, const struct hs_lock_edge *const *way, size_t n)
{
    struct json *j = &s->out->json;
    json_name(j, name);
    json_array(j);
    for (size_t i = 0; i < 2 * n; i++) {
        struct hs_event e;
        if (event_at(s, i % 2 == 0 ? way[i / 2]->outer : way[i / 2]->inner, &e))
            show_event_json(s, &e);
    }
    json_end(j);
}

static void locks_member(struct show *s, const struct hs_lock_edge *const *way, size_t n)
{
    struct json *j = &s->out->json;
    json_name(j, "locks");
    json_array(j);
    for (size_t i = 0; i < n; i++)
        lock_json(s, way[i]->from);
    json_end(j);
}

#define ROWS "reader/answers/inversions.def"
#define ROW  struct show *show, const struct hs_lock_edge *const *way, size_t n
#include "reader/answers/row.h"

static void inversion_text(struct show *s, const struct hs_lock_edge *const *way, size_t n)
{
    out_format(s->out, "%zu monitors in different orders\n", n);
    for (size_t i = 0; i < n; i++)
        edge_text(s, way[i]);
}

static uint64_t show_inversions(struct show *s, hs_cursor *locks, const struct args *a, struct hs_error *error)
{
    const struct hs_inversion *v;
    hs_cursor *circles;
    uint64_t shown = 0;
    if (hs_inversions_open(locks, &circles, error) != 0)
        return 0;
    while (shown < a->common.limit && s->out->failed == 0 && hs_inversion_next(circles, &v, error) > 0) {
        if (a->common.json)
            inversions_json(s->out, s, v->edges, v->edge_count);
        else
            inversion_text(s, v->edges, v->edge_count);
        shown++;
    }
    hs_cursor_close(circles);
    return shown;
}

/* Is there an inversion, shown or not? */
static bool any_inversion(hs_cursor *locks)
{
    const struct hs_inversion *v;
    hs_cursor *circles;
    if (hs_inversions_open(locks, &circles, NULL) != 0)
        return false;
    const bool any = hs_inversion_next(circles, &v, NULL) > 0;
    hs_cursor_close(circles);
    return any;
}

/* Of blocks and methods one alone: an answer without rows says nothing of the other either. */
static void tell_unwoven(const struct session *s)
{
    static const struct {
        unsigned event;
        const char *rest;
    } needed[] = { { HS_EVENT_MONITOR_ENTER, "methods" }, { HS_EVENT_METHOD_ENTRY, "blocks" } };
    char unwoven[2][NAMES_UNWOVEN_MAX];
    for (size_t i = 0; i < 2; i++)
        (void)names_unwoven(s, &needed[i].event, 1, unwoven[i]);
    for (size_t i = 0; i < 2; i++)
        if (*unwoven[i] != '\0' && *unwoven[1 - i] == '\0')
            (void)cli_fail(EXIT_DONE, s->context, "%s: monitors of synchronized %s alone%s", hs_dir(s->trace),
                           needed[i].rest, unwoven[i]);
}

int cmd_locks(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct show show;
    hs_cursor *locks = NULL;
    struct hs_error error = HS_ERROR_INIT;
    int status = session_begin_stream(&s, context, &a);
    if (status != PARSED)
        return status;
    if (a.order && a.inversions)
        return session_close(&s, cli_fail(EXIT_USAGE, s.context, "--order and --inversions: choose one"));
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    (void)hs_locks_open(s.trace, &locks, &error);
    uint64_t shown = error.code != HS_OK ? 0
                     : a.inversions      ? show_inversions(&show, locks, &a, &error)
                     : a.order           ? show_edges(&show, locks, &a, &error)
                                         : show_uses(&show, locks, &a, &error);
    const bool fail = error.code == HS_OK && a.fail_if_any && a.inversions && any_inversion(locks);
    hs_cursor_close(locks);
    show_done(&show);
    if (error.code != HS_OK)
        return session_fail(&s, "%s", error.text);
    tell_unwoven(&s);
    names_empty_without(&s, shown, a.common.limit,
                        a.inversions ? "inversion"
                        : a.order    ? "monitor inside of another"
                                     : "monitor",
                        USE_LOCK);
    return session_close(&s, fail ? EXIT_FAILED : EXIT_DONE);
}
