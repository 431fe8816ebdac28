/* failure_page.c - see failure_show.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/failure_show.h"
#include "reader/command/show_decision.h"
#include "reader/command/thread_show.h"

enum { INDENT_MAX = 24, STACK_MAX = 4 };

struct thrown_row failure_swallowed_row(struct show *s, const struct failure_swallowed *x)
{
    struct failure_swallowed *to = (struct failure_swallowed *)x;
    to->x.first = &to->first;
    return thrown_row(s->trace, NULL, &to->x, THROWN_ALL);
}

const char *failure_origin_of(const struct failure *f) { return f->has_actual ? "the actual value" : "the exception"; }

/* ---- the page ---- */

void failure_left_out_text(struct show *s, size_t count, size_t rows)
{
    if (count > rows)
        out_format(s->out, "              ... and %zu more\n", count - rows);
}

static void compared_text(struct show *s, const char *name, bool has, const struct hs_event *e)
{
    struct out *o = s->out;
    if (!has)
        return;
    out_format(o, "%-10s ", name);
    out_colour(o, COLOUR_VALUE);
    show_value_text(s, e->kind, e->value);
    out_colour(o, COLOUR_NONE);
    out_char(o, '\n');
}

/* What the steps that begin here explain; it is said once of those that follow each other. */
static void root_text(struct show *s, const struct failure_step *x, const struct failure_step *before)
{
    struct out *o = s->out;
    if (x->part != NULL && (before == NULL || before->part != x->part))
        out_format(o, "    %s:\n", x->part);
    if (x->of == NULL || (before != NULL && before->of != NULL && before->of->seq == x->of->seq))
        return;
    out_text(o, "    decided at ");
    show_decision_text(s, x->of);
    out_char(o, ':');
    out_char(o, '\n');
}

/* Has a frame, or a step before, shown the line of this step? */
static bool is_shown(struct show *s, const struct failure *f, size_t step, uint32_t method_id, int32_t line)
{
    if (f->frames.count > 0 && f->frames.items[0].method_id == method_id && f->frames.items[0].line == line)
        return true;
    for (size_t i = 0; i < step; i++) {
        const struct hs_dataid *d = hs_dataid_get(s->trace, f->steps.items[i].event.dataid);
        if (d != NULL && d->method_id == method_id && failure_spot(s->trace, &f->steps.items[i].event).line == line)
            return true;
    }
    return false;
}

static void origin_text(struct show *s, const struct failure *f, size_t rows, bool calls)
{
    struct out *o = s->out;
    if (f->steps.count == 0)
        return;
    out_format(o, "\nwhere %s comes from:\n", failure_origin_of(f));
    const struct failure_step *of = NULL; /* that has begun a part */
    for (size_t i = 0; i < f->steps.count && i < rows; i++) {
        const struct failure_step *x = &f->steps.items[i];
        const struct hs_dataid *d = hs_dataid_get(s->trace, x->event.dataid);
        const int indent = (int)(x->depth * 2 < INDENT_MAX ? x->depth * 2 : INDENT_MAX);
        s->at = x->event.seq;
        root_text(s, x, of);
        of = x->of != NULL || x->part != NULL ? x : of;
        out_format(o, "%12llu  %*s", (unsigned long long)x->event.seq, indent, "");
        out_colour(o, COLOUR_VALUE);
        if (show_has_value(s, &x->event))
            show_value_text(s, x->event.kind, x->event.value);
        out_colour(o, COLOUR_NONE);
        out_text(o, "  ");
        if (d != NULL) {
            const struct spot spot = failure_spot(s->trace, &x->event);
            failure_place_text(s, d->method_id, spot, !is_shown(s, f, i, d->method_id, spot.line));
        }
        out_colour(o, COLOUR_DIM);
        out_format(o, "  %s", x->because != NULL ? x->because : "explained above");
        if (x->end != NULL)
            out_format(o, " (%s)", x->end);
        if (x->again > 0)
            out_format(o, "; and %zu more of these", x->again);
        out_char(o, '\n');
        if (x->decision != NULL) {
            out_format(o, "%*sunder ", indent + 16, "");
            show_decision_text(s, x->decision);
            out_char(o, '\n');
        }
        out_colour(o, COLOUR_NONE);
    }
    const size_t left_out = f->steps.count > rows ? f->steps.count - rows : 0;
    if (f->more_steps + left_out > 0 || f->more_unknown)
        failure_more_text(s, f->more_steps + left_out, f->more_unknown ? " steps at least" : " steps", FAILURE_SLICE,
                          f->has_actual ? f->actual.seq : f->thrown, calls);
}

static void swallowed_text(struct show *s, const struct failure *f, size_t rows)
{
    struct out *o = s->out;
    if (f->swallowed.count > 0)
        out_format(o, "\nexceptions that the program caught and never used:\n");
    for (size_t i = 0; i < f->swallowed.count && i < rows; i++) {
        const struct thrown_row row = failure_swallowed_row(s, &f->swallowed.items[i]);
        out_format(o, "%12llu  ", (unsigned long long)row.x->thrown);
        out_simple_class(o, row.type != NULL ? row.type : "?");
        if (row.known != NULL && row.known->message != NULL)
            out_format(o, ": %s", row.known->message);
        if (row.class_name != NULL) {
            out_text(o, " at ");
            out_class(o, row.class_name);
            out_format(o, ".%s:%d", row.method, row.spot.line);
        }
        out_char(o, '\n');
    }
    failure_left_out_text(s, f->swallowed.count, rows);
}

static void value_text(struct show *s, const char *name, bool has, const struct hs_value *v)
{
    struct out *o = s->out;
    out_format(o, "%s ", name);
    out_colour(o, COLOUR_VALUE);
    if (has)
        show_value_text(s, v->kind, v->bits);
    else
        out_text(o, "nothing");
    out_colour(o, COLOUR_NONE);
}

/* The part of a text that differs, with some of what is equal on both sides: ...le[a]nt... */
static void marked_text(struct show *s, const char *name, const struct hs_value *v, const struct failure_difference *x)
{
    enum { AROUND = 20, PART_MAX = 200 };
    const struct hs_object *o = v->bits - 1 < UINT32_MAX ? hs_object_get(s->trace, (uint32_t)v->bits) : NULL;
    if (o == NULL || !o->has_string)
        return;
    const unsigned char *p = o->data;
    const uint64_t n = o->latin1 ? o->data_bytes : o->data_bytes / 2;
    const uint64_t end = n > x->last ? n - x->last : 0, from = x->first > AROUND ? x->first - AROUND : 0;
    const uint64_t stop = end - x->first > PART_MAX ? x->first + PART_MAX : end;
    const uint64_t to = stop + AROUND < n ? stop + AROUND : n;
    out_format(s->out, "          %-9s %s", name, from > 0 ? "..." : "");
    for (uint64_t i = from; i <= to; i++) {
        struct hs_object unit = *o;
        if (i == x->first)
            out_text(s->out, "[");
        if (i == stop)
            out_text(s->out, stop < end ? "...]" : "]");
        if (i == to)
            break;
        unit.data = o->latin1 ? p + i : p + 2 * i;
        unit.data_bytes = o->latin1 ? 1 : 2;
        unit.length = 1;
        unit.cut = false;
        out_string_content(s->out, &unit);
    }
    out_format(s->out, "%s\n", to < n || o->cut ? "..." : "");
}

static void differences_text(struct show *s, const struct failure *f, size_t rows)
{
    struct out *o = s->out;
    for (size_t i = 0; i < f->differences.count && i < rows; i++) {
        const struct failure_difference *x = &f->differences.items[i];
        if (x->path[0] != '\0') {
            out_format(o, "  %s%s: ", i == 0 ? "differ at " : "          ", x->path);
            value_text(s, "expected", x->has_expected, &x->expected);
            value_text(s, ", actual", x->has_actual, &x->actual);
            if (x->has_actual && x->seq != HS_NO_SEQ)
                out_format(o, ", put there at seq %llu", (unsigned long long)x->seq);
            out_char(o, '\n');
        }
        if (x->is_text) {
            marked_text(s, "expected", &x->expected, x);
            marked_text(s, "actual", &x->actual, x);
        }
    }
    const size_t left_out = f->differences.count > rows ? f->differences.count - rows : 0;
    if (f->more_differences + left_out > 0)
        out_format(o, "            ... and %zu more differences\n", f->more_differences + left_out);
}

static void changes_text(struct show *s, const struct failure *f, size_t rows)
{
    struct out *o = s->out;
    for (size_t i = 0; i < f->changes.count && i < rows; i++) {
        const struct failure_change *x = &f->changes.items[i], *before = i > 0 ? x - 1 : NULL;
        const struct hs_dataid *d = hs_dataid_get(s->trace, x->event.dataid);
        if (before == NULL || before->object != x->object || before->read != x->read) {
            s->at = x->read != HS_NO_SEQ ? HS_NO_SEQ : f->compared;
            out_char(o, '\n');
            out_text(o, x->read != HS_NO_SEQ ? "what ran on " : "what changed ");
            show_value_text(s, HS_KIND_REF, x->object);
            if (x->waited)
                out_text(o, " since a thread waits for it to be notified");
            else if (x->read != HS_NO_SEQ)
                out_format(o, " after its field was written and before it was read at seq %llu",
                           (unsigned long long)x->read);
            out_text(o, ":");
            out_char(o, '\n');
        }
        out_format(o, "%12llu  %s%s", (unsigned long long)x->event.seq, x->what != NULL ? x->what : "",
                   x->what != NULL ? "  " : "");
        failure_place_text(s, d->method_id, SPOT_OF(d), true);
        if (x->times > 1)
            out_format(o, "  %llu times, the first at seq %llu", (unsigned long long)x->times,
                       (unsigned long long)x->first);
        out_char(o, '\n');
        if (x->decision != NULL) {
            out_format(o, "%16sunder ", "");
            show_decision_text(s, x->decision);
            out_char(o, '\n');
        }
        if (x->called_back != UINT32_MAX) {
            out_format(o, "%16swhich called ", "");
            failure_place_text(s, x->called_back, (struct spot){ NULL, x->back_line }, true);
            out_char(o, '\n');
        }
    }
    failure_left_out_text(s, f->changes.count, rows);
}

static void absences_text(struct show *s, const struct failure *f, size_t rows)
{
    struct out *o = s->out;
    if (f->absences.count > 0)
        out_format(o, "\nwhy it was not thrown:\n");
    for (size_t i = 0; i < f->absences.count && i < rows; i++) {
        const struct hs_absence *x = f->absences.items[i];
        out_text(o, "        ");
        out_name(o, x->method);
        if (x->line >= 0)
            out_format(o, ":%d", (int)x->line);
        out_format(o, "  %s", x->because);
        if (x->decision != NULL) {
            out_text(o, ": ");
            out_name(o, x->decision->condition);
            if (x->needs != NULL) {
                out_text(o, ", it needs ");
                out_name(o, x->needs);
            }
            show_decided_text(s, ": ", x->decision);
        }
        out_char(o, '\n');
    }
    failure_left_out_text(s, f->absences.count, rows);
}

static void threads_text(struct show *s, const struct failure *f, size_t rows)
{
    struct out *o = s->out;
    if (f->threads.count > 0)
        out_format(o, "\nthreads that were in the program then:\n");
    for (size_t i = 0; i < f->threads.count && i < rows; i++) {
        const struct hs_thread_state *x = f->threads.items[i];
        out_text(o, "        ");
        thread_name_text(o, x->thread);
        if (x->wait != HS_WAIT_NONE || x->outside != NULL)
            out_text(o, "  ");
        thread_wait_text(s, x);
        out_char(o, '\n');
        thread_stack_text(s, x, STACK_MAX, "            ");
    }
    failure_left_out_text(s, f->threads.count, rows);
}

static void event_line(struct show *s, const char *begin, uint64_t seq)
{
    const struct hs_event *e;
    if (hs_event_at(s->trace, seq, &e, NULL) != 0)
        return;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    if (d == NULL)
        return;
    out_format(s->out, "%12llu  %s", (unsigned long long)seq, begin);
    const char *field = show_text_attr(d, "name");
    if (field != NULL)
        out_format(s->out, "%s ", field);
    out_format(s->out, "by thread %u at ", e->thread);
    failure_place_text(s, d->method_id, SPOT_OF(d), true);
    out_char(s->out, '\n');
}

static void races_text(struct show *s, const struct failure *f, size_t rows)
{
    if (f->races.count > 0)
        out_format(s->out, "\ndata that two threads touched without order:\n");
    for (size_t i = 0; i < f->races.count && i < rows; i++) {
        event_line(s, "", f->races.items[i].a);
        event_line(s, "and ", f->races.items[i].b);
    }
    if (f->races_left_out)
        out_format(s->out, "\nnot looked for, as the recording is long: data that two threads touched without order\n");
    failure_left_out_text(s, f->races.count, rows);
}

static void passed_text(struct show *s, const struct failure *f)
{
    const struct failure_other *x = &f->other;
    struct out *o = s->out;
    if (x->passed == NULL)
        return;
    out_format(o, "\nfirst difference from the run of it that passed, events %llu to %llu:\n",
               (unsigned long long)x->passed->begin, (unsigned long long)x->passed->end);
    const struct hs_event *events[] = { x->has_here ? &x->here : NULL, x->has_there ? &x->there : NULL };
    for (size_t i = 0; i < 2; i++) {
        const struct hs_dataid *d = events[i] != NULL ? hs_dataid_get(s->trace, events[i]->dataid) : NULL;
        if (d == NULL)
            continue;
        out_format(o, "%12llu  %s ", (unsigned long long)events[i]->seq, i == 0 ? "here " : "there");
        failure_place_text(s, d->method_id, SPOT_OF(d), true);
        out_char(o, '\n');
    }
}

static void only_text(struct show *s, const struct failure *f, size_t rows)
{
    struct out *o = s->out;
    if (f->only.count > 0)
        out_format(o, "\nwhere this test came, and no test of the class that passed:\n");
    for (size_t i = 0; i < f->only.count && i < rows; i++) {
        const struct failure_line *x = &f->only.items[i];
        out_format(o, "%12llu  ", (unsigned long long)x->event.seq);
        failure_place_text(s, x->method_id, SPOT_OF(hs_dataid_get(s->trace, x->event.dataid)), true);
        out_char(o, '\n');
    }
    failure_left_out_text(s, f->only.count, rows);
}

static void next_text(struct show *s, const struct failure *f, bool calls)
{
    struct failure_next *next = calloc(1, sizeof *next);
    if (next == NULL)
        return;
    failure_next(s, f, calls, next);
    if (next->count > 0)
        out_format(s->out, calls ? "\nask next:\n" : "\nto go on:\n");
    for (size_t i = 0; i < next->count; i++)
        out_format(s->out, "    %s\n", next->commands[i]);
    free(next);
}

static void parts_text(struct show *s, const struct failure *f, size_t rows, bool calls)
{
    failure_frames_text(s, f, rows, calls);
    origin_text(s, f, rows, calls);
    changes_text(s, f, rows);
    swallowed_text(s, f, rows);
    absences_text(s, f, rows);
    threads_text(s, f, rows);
    races_text(s, f, rows);
    passed_text(s, f);
    only_text(s, f, rows);
}

void failure_page(struct show *s, const struct failure *f, size_t rows, bool calls)
{
    struct out *o = s->out;
    out_colour(o, COLOUR_WARN);
    out_format(o, "%s  ", test_status_name(f->row.test->status));
    out_colour(o, COLOUR_NAME);
    test_name_text(o, f->row.test);
    out_colour(o, COLOUR_NONE);
    if (f->row.test->name != NULL)
        out_format(o, "  %s", f->row.test->name);
    out_char(o, '\n');
    if (f->row.test->exception != 0) {
        out_text(o, "        ");
        out_class(o, f->row.type != NULL ? f->row.type : "?");
        if (f->row.thrown != NULL && f->row.thrown->message != NULL)
            out_format(o, ": %s", f->row.thrown->message);
        out_char(o, '\n');
    }
    const struct hs_thrown *cause = f->cause != 0 ? hs_thrown_get(s->trace, f->cause) : NULL;
    if (cause != NULL) {
        const char *message = cause->message;
        out_text(o, "        caused by ");
        show_object_name(s, f->cause);
        if (message != NULL)
            out_format(o, ": %s", message);
        out_char(o, '\n');
    }
    out_format(o, "        thread %u, events %llu to ", f->row.test->thread, (unsigned long long)f->row.test->begin);
    if (f->row.test->end != HS_NO_SEQ)
        out_format(o, "%llu", (unsigned long long)f->row.test->end);
    else
        out_text(o, "the end of the recording");
    if (f->thrown != HS_NO_SEQ)
        out_format(o, ", thrown at %llu", (unsigned long long)f->thrown);
    out_char(o, '\n');
    out_char(o, '\n');
    s->at = f->expected_at;
    compared_text(s, "expected", f->has_expected, &f->expected);
    s->at = f->actual_at;
    compared_text(s, "actual", f->has_actual, &f->actual);
    differences_text(s, f, rows);
    s->at = f->moment;
    if (rows > 0)
        parts_text(s, f, rows, calls);
    next_text(s, f, calls);
}

bool failure_page_within(struct show *s, const struct failure *f, size_t bytes, bool calls)
{
    static const size_t rows[] = { SIZE_MAX, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1, 0 };
    struct out *to = s->out, memory;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!out_init_memory(&memory))
            break;
        memory.name_max = to->name_max;
        memory.colour = to->colour;
        memory.source_line = to->source_line;
        memory.sources = to->sources;
        s->out = &memory;
        failure_page(s, f, rows[i], calls);
        s->out = to;
        const bool fits = (memory.failed == 0 && memory.used <= bytes) || rows[i] == 0;
        if (fits)
            out_bytes(to, memory.data, memory.used);
        out_done(&memory);
        if (fits)
            return i == 0;
    }
    return false;
}
