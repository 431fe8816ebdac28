/* cmd_features.c - `hindsight features`: what was marked while the program ran, and what the marks have in common. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    bool affinity, similarity, instances, signal;
    const char *feature, *by;
    uint64_t buckets;
};
static const struct option_row options[] = {
    { "feature", 'f', "NAME", OPTION_TEXT, offsetof(struct args, feature),
      "only this feature; as text with its methods" },
    { "affinity", 'a', NULL, OPTION_FLAG, offsetof(struct args, affinity),
      "the affinity of each method: single, low, high or infrastructural" },
    { "similarity", 's', NULL, OPTION_FLAG, offsetof(struct args, similarity),
      "each pair of features: methods of both divided by methods of either (Jaccard)" },
    { "instances", 'i', NULL, OPTION_FLAG, offsetof(struct args, instances),
      "objects created in one feature and used in another" },
    { "signal", 'g', NULL, OPTION_FLAG, offsetof(struct args, signal),
      "calls and their depth over the course of the trace" },
    { "buckets", 0, "N", OPTION_U64, offsetof(struct args, buckets), "number of pieces of the signal (default 60)" },
    { "by", 0, "time|seq", OPTION_CHOICE, offsetof(struct args, by),
      "divide the signal into pieces of equal time (default) or equal numbers of events" },
    { 0 },
};
const struct usage usage_features = {
    .about = "A feature is a name given to one or more intervals of the run (hindsight mark). Its methods are those "
             "entered inside the intervals, which needs events of the group EXEC. Its objects are those that its "
             "events show; created counts those that woven code allocated inside.\nThe affinity of a method, given n "
             "features: single, in one of them; low, in fewer than n/2; high, in n/2 or more; infrastructural, in all.",
    .example = "hindsight features --affinity --json",
    .options = options,
};

static const char *const affinities[] = {
    [HS_SINGLE] = "single", [HS_LOW] = "low", [HS_HIGH] = "high", [HS_INFRASTRUCTURAL] = "infrastructural"
};
static const char *const headings[] = { "marks", "events", "calls", "methods", "classes", "objects", "created" };
static const int widths[] = { 6, 12, 10, 8, 8, 10, 10 };

/* The features by position, and the cursor that keeps them. */
struct all {
    hs_cursor *cursor;
    const struct hs_feature **features;
    size_t feature_count;
};

/* ---- JSON ---- */

/* The method and its class. */
static bool names_of(hs_trace *t, uint32_t method_id, const struct hs_class **c, const struct hs_method **m)
{
    *m = hs_method_get(t, method_id);
    *c = *m != NULL ? hs_class_get(t, (*m)->class_no) : NULL;
    return *c != NULL;
}

/* A text "a.b.C.m(I)V". */
static void method_name_json(struct out *o, const struct hs_class *c, const struct hs_method *m)
{
    json_text_begin(&o->json);
    out_json_name_part(o, c->name);
    json_text_code(&o->json, '.');
    out_json_name_part(o, m->name);
    out_json_name_part(o, m->desc);
    json_text_end(&o->json);
}

static void methods_member(struct out *o, hs_trace *t, const struct hs_feature *f)
{
    const struct hs_class *c;
    const struct hs_method *m;
    json_name(&o->json, "methods");
    json_array(&o->json);
    for (size_t i = 0; i < f->method_count; i++)
        if (names_of(t, f->methods[i], &c, &m))
            method_name_json(o, c, m);
    json_end(&o->json);
}

static void classes_member(struct out *o, hs_trace *t, const struct hs_feature *f)
{
    json_name(&o->json, "classes");
    json_array(&o->json);
    for (size_t i = 0; i < f->class_count; i++) {
        const struct hs_class *c = hs_class_get(t, f->classes[i]);
        if (c != NULL)
            out_json_name(o, c->name);
    }
    json_end(&o->json);
}

#define ROWS "reader/answers/features.def"
#define ROW  hs_trace *trace, const struct hs_feature *f
#include "reader/answers/row.h"

static void features_member(struct out *o, const struct all *all, const struct hs_feature_method *row)
{
    json_name(&o->json, "features");
    json_array(&o->json);
    for (size_t i = 0; i < row->feature_count; i++)
        out_json_name(o, all->features[row->features[i]]->name);
    json_end(&o->json);
}

#define ROWS "reader/answers/affinities.def"
#define ROW                                                                                                            \
    const struct all *all, const struct hs_feature_method *row, const struct hs_class *c, const struct hs_method *m
#include "reader/answers/row.h"

static void method_json(struct session *s, const struct all *all, const struct hs_feature_method *row)
{
    const struct hs_class *c;
    const struct hs_method *m;
    if (names_of(s->trace, row->method_id, &c, &m))
        affinities_json(&s->out, all, row, c, m);
}

static void similarity_member(struct out *o, const struct hs_feature *a, const struct hs_feature *b)
{
    json_name(&o->json, "similarity");
    json_rounded(&o->json, hs_feature_similarity(a, b), 6);
}

#define ROWS "reader/answers/similarities.def"
#define ROW  const struct hs_feature *a, const struct hs_feature *b
#include "reader/answers/row.h"

static const char *type_of(hs_trace *t, uint32_t class_id)
{
    const struct hs_type *type = hs_type_get(t, class_id);
    return type != NULL ? type->name : "?";
}

static void types_member(struct out *o, hs_trace *t, const struct hs_feature_flow *f)
{
    json_name(&o->json, "types");
    json_object(&o->json);
    for (size_t i = 0; i < f->type_count; i++) {
        out_name_of_member(o, type_of(t, f->types[i]->class_id));
        json_u64(&o->json, f->types[i]->objects);
    }
    json_end(&o->json);
}

#define ROWS "reader/answers/flows.def"
#define ROW  hs_trace *trace, const struct all *all, const struct hs_feature_flow *f
#include "reader/answers/row.h"

static void depth_member(struct out *o, const struct hs_signal *row)
{
    json_name(&o->json, "depth");
    json_array(&o->json);
    for (size_t i = 0; i < row->bucket_count; i++)
        json_u64(&o->json, row->depth[i]);
    json_end(&o->json);
}

#define ROWS "reader/answers/signals.def"
#define ROW  const struct hs_signal *row
#include "reader/answers/row.h"

/* ---- text ---- */

static void feature_text(struct session *s, const struct hs_feature *f)
{
    struct out *o = &s->out;
    const uint64_t columns[] = {
        f->marks, f->events, f->calls, f->method_count, f->class_count, f->objects, f->created
    };
    if (f->first != HS_NO_SEQ)
        out_format(o, "%12llu %12llu", (unsigned long long)f->first, (unsigned long long)f->last);
    else
        out_format(o, "%12s %12s", "-", "-");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        out_format(o, " %*llu", widths[i], (unsigned long long)columns[i]);
    out_format(o, "  %s%s\n", f->name, f->unended > 0 ? " (not ended)" : "");
}

static void method_text(struct session *s, const struct all *all, const struct hs_feature_method *row)
{
    const struct hs_class *c;
    const struct hs_method *m;
    if (!names_of(s->trace, row->method_id, &c, &m))
        return;
    out_format(&s->out, "%-15s  ", affinities[row->affinity]);
    show_method_text(&s->out, c->name, m->name, m->desc, "");
    for (size_t i = 0; i < row->feature_count; i++)
        out_format(&s->out, "%s%s", i > 0 ? ", " : "  in ", all->features[row->features[i]]->name);
    out_char(&s->out, '\n');
}

/* The matrix: a row and a column per feature; columns are numbered as the rows are. */
static void similarity_text(struct out *o, const struct all *all)
{
    out_format(o, "%5s", "");
    for (size_t i = 0; i < all->feature_count; i++)
        out_format(o, " %5zu", i + 1);
    out_char(o, '\n');
    for (size_t i = 0; i < all->feature_count; i++) {
        out_format(o, "%5zu", i + 1);
        for (size_t k = 0; k < all->feature_count; k++)
            out_format(o, " %5.3f", hs_feature_similarity(all->features[i], all->features[k]));
        out_format(o, "  %s\n", all->features[i]->name);
    }
}

static void flow_text(struct session *s, const struct all *all, const struct hs_feature_flow *f)
{
    enum { TYPES_SHOWN = 5 };
    struct out *o = &s->out;
    out_format(o, "%10llu  %s -> %s:", (unsigned long long)f->objects, all->features[f->from]->name,
               all->features[f->to]->name);
    for (size_t i = 0; i < f->type_count && i < TYPES_SHOWN; i++) {
        out_format(o, "%s %llu ", i > 0 ? "," : "", (unsigned long long)f->types[i]->objects);
        out_name(o, type_of(s->trace, f->types[i]->class_id));
    }
    out_line(o, f->type_count > TYPES_SHOWN ? ", ..." : "");
}

/* Eight heights, from nothing to the greatest value of the row. */
static void line_text(struct out *o, const char *what, uint64_t greatest, const struct hs_signal *row, bool depth)
{
    static const char *const heights[] = { " ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                           "\u2585", "\u2586", "\u2587", "\u2588" };
    out_format(o, "%s |", what);
    for (size_t i = 0; i < row->bucket_count; i++) {
        uint64_t v = depth ? row->depth[i] : row->calls[i];
        out_text(o, heights[v == 0 ? 0 : v == greatest ? 8 : 1 + (size_t)((double)v / (double)greatest * 7)]);
    }
    out_format(o, "| max %llu\n", (unsigned long long)greatest);
}

static void signal_text(struct out *o, const struct hs_signal *row)
{
    uint64_t calls = 0, depth = 0;
    for (size_t i = 0; i < row->bucket_count; i++) {
        calls = row->calls[i] > calls ? row->calls[i] : calls;
        depth = row->depth[i] > depth ? row->depth[i] : depth;
    }
    out_format(o, "%s\n", row->feature != NULL ? row->feature : "(the whole trace)");
    line_text(o, "  calls", calls, row, false);
    line_text(o, "  depth", depth, row, true);
}

/* ---- the command ---- */

/* --feature: a name that was marked. */
static int name_known(struct session *s, const char *name)
{
    hs_cursor *marks;
    const struct hs_mark *mark;
    struct hs_error error = HS_ERROR_INIT;
    bool found = false;
    if (name == NULL)
        return PARSED;
    if (hs_marks_open(s->trace, &marks, &error) != 0)
        return cli_fail(EXIT_FAILED, s->context, "%s", error.text);
    while (!found && hs_mark_next(marks, &mark, NULL) > 0)
        found = strcmp(mark->name, name) == 0;
    hs_cursor_close(marks);
    if (found)
        return PARSED;
    return names_no_mark(s, "feature", name);
}

static bool wanted(const struct args *a, const char *name)
{
    return a->feature == NULL || (name != NULL && strcmp(a->feature, name) == 0);
}

static bool in_features(const struct args *a, const struct all *all, const struct hs_feature_method *m)
{
    bool in = false;
    for (size_t i = 0; i < m->feature_count; i++)
        in |= wanted(a, all->features[m->features[i]]->name);
    return in;
}

static uint64_t show_features(struct session *s, const struct args *a, const struct all *all)
{
    struct out *o = &s->out;
    if (!a->common.json) {
        out_format(o, "%12s %12s", "first", "last");
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            out_format(o, " %*s", widths[i], headings[i]);
        out_line(o, "  feature");
    }
    uint64_t left = a->common.limit;
    for (size_t i = 0; i < all->feature_count && left > 0; i++) {
        const struct hs_feature *f = all->features[i];
        const struct hs_class *c;
        const struct hs_method *m;
        if (!wanted(a, f->name))
            continue;
        left--;
        if (a->common.json)
            features_json(&s->out, s->trace, f);
        else
            feature_text(s, f);
        for (size_t k = 0; k < f->method_count && a->feature != NULL && !a->common.json; k++)
            if (names_of(s->trace, f->methods[k], &c, &m)) {
                out_text(o, "    ");
                show_method_text(o, c->name, m->name, m->desc, "\n");
            }
    }
    return a->common.limit - left;
}

static uint64_t show_affinity(struct session *s, const struct args *a, const struct all *all)
{
    uint64_t left = a->common.limit;
    hs_cursor *methods;
    const struct hs_feature_method *m;
    if (hs_feature_methods_open(all->cursor, &methods, NULL) != 0)
        return 0;
    while (left > 0 && hs_feature_method_next(methods, &m, NULL) > 0) {
        if (!in_features(a, all, m))
            continue;
        left--;
        (a->common.json ? method_json : method_text)(s, all, m);
    }
    hs_cursor_close(methods);
    return a->common.limit - left;
}

static uint64_t show_similarity(struct session *s, const struct args *a, const struct all *all)
{
    uint64_t left = a->common.limit;
    if (!a->common.json) {
        similarity_text(&s->out, all);
        return all->feature_count;
    }
    for (size_t i = 0; i < all->feature_count; i++)
        for (size_t k = i + 1; k < all->feature_count && left > 0; k++)
            if (wanted(a, all->features[i]->name) || wanted(a, all->features[k]->name)) {
                left--;
                similarities_json(&s->out, all->features[i], all->features[k]);
            }
    return a->common.limit - left;
}

static uint64_t show_instances(struct session *s, const struct args *a, const struct all *all)
{
    uint64_t left = a->common.limit;
    hs_cursor *flows;
    const struct hs_feature_flow *f;
    if (hs_feature_flows_open(all->cursor, &flows, NULL) != 0)
        return 0;
    while (left > 0 && hs_feature_flow_next(flows, &f, NULL) > 0) {
        if (!wanted(a, all->features[f->from]->name) && !wanted(a, all->features[f->to]->name))
            continue;
        left--;
        if (a->common.json)
            flows_json(&s->out, s->trace, all, f);
        else
            flow_text(s, all, f);
    }
    hs_cursor_close(flows);
    return a->common.limit - left;
}

static int show_signal(struct session *s, const struct args *a)
{
    hs_cursor *signals;
    const struct hs_signal *row;
    struct hs_error error = HS_ERROR_INIT;
    uint64_t left = a->common.limit;
    bool headed = a->common.json;
    if (hs_signals_open(s->trace, (size_t)a->buckets, strcmp(a->by, "time") == 0, &signals, &error) != 0)
        return session_fail(s, "%s", error.text);
    while (hs_signal_next(signals, &row, NULL) > 0) {
        if (!headed)
            out_format(&s->out, "%zu pieces of %llu %s\n", row->bucket_count, (unsigned long long)row->width,
                       row->by_time ? "ns" : "events");
        headed = true;
        if (left == 0 || !wanted(a, row->feature))
            continue;
        left--;
        (a->common.json ? signals_json : signal_text)(&s->out, row);
    }
    hs_cursor_close(signals);
    return session_close(s, EXIT_DONE);
}

static bool open_all(hs_trace *t, struct all *all, struct hs_error *error)
{
    if (hs_features_open(t, &all->cursor, error) != 0)
        return false;
    all->features = malloc((size_t)(hs_cursor_count(all->cursor) + 1) * sizeof *all->features);
    if (all->features == NULL) {
        hs_cursor_close(all->cursor);
        (void)snprintf(error->text, sizeof error->text, "out of memory");
        return false;
    }
    while (hs_feature_next(all->cursor, &all->features[all->feature_count], NULL) > 0)
        all->feature_count++;
    return true;
}

static void close_all(struct all *all)
{
    free(all->features);
    hs_cursor_close(all->cursor);
}

int cmd_features(struct context *context)
{
    struct args a = { .by = "time", .buckets = 60 };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    struct all all = { 0 };
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.affinity + a.similarity + a.instances + a.signal > 1)
        return cli_fail(EXIT_USAGE, context, "--affinity, --similarity, --instances and --signal cannot be combined");
    if (strcmp(a.by, "time") != 0 && strcmp(a.by, "seq") != 0)
        return cli_fail(EXIT_USAGE, context, "--by wants time or seq, not '%s'", a.by);
    if (a.buckets == 0 || a.buckets > HS_BUCKETS_MAX)
        return cli_fail(EXIT_USAGE, context, "--buckets wants a number from 1 to %d", HS_BUCKETS_MAX);
    if ((status = session_open_stream(&s, context, &a.common, a.common.arguments[0])) != PARSED)
        return status;
    if ((status = name_known(&s, a.feature)) != PARSED)
        return session_close(&s, status);
    if (a.signal)
        return show_signal(&s, &a);
    if (!open_all(s.trace, &all, &error))
        return session_fail(&s, "%s", error.text);
    uint64_t shown = (a.affinity     ? show_affinity
                      : a.similarity ? show_similarity
                      : a.instances  ? show_instances
                                     : show_features)(&s, &a, &all);
    names_empty(&s, shown, a.common.limit,
                all.feature_count == 0 ? "mark"
                : a.affinity           ? "call inside a mark"
                : a.similarity         ? "pair of features"
                                       : "object that goes between features");
    close_all(&all);
    return session_close(&s, EXIT_DONE);
}
