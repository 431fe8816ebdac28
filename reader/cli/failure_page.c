/* failure_page.c - see failure_show.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/failure_show.h"
#include "reader/command/show_decision.h"
#include "reader/command/thread_show.h"

enum { VARIABLES_OF_FRAMES = 4, FRAMES_MOST = 40, INDENT_MAX = 24, STACK_MAX = 4 };

/* ---- what both forms show ---- */

/* A word for a shell: as it is, or between quotation marks. */
static const char *shell_word(const char *word, char *room, size_t size)
{
    size_t n = 0;
    if (word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:+,@%-")] == '\0' &&
        word[0] != '\0')
        return word;
    room[n++] = '\'';
    for (const char *p = word; *p != '\0' && n + 6 < size; p++) {
        if (*p == '\'') {
            memcpy(room + n, "'\\''", 4);
            n += 4;
        } else {
            room[n++] = *p;
        }
    }
    room[n++] = '\'';
    room[n] = '\0';
    return room;
}

enum question { SLICE, OPEN, WHY, THREADS, CONTROL, STATE, TREE };
/* As a command, where %s is the trace, and as a call of a tool of mcp; NULL: it has none. */
static const struct {
    const char *command, *call;
} questions[] = {
    [SLICE] = { "hindsight slice --limit 100 %s %llu", "why {\"at\":%llu,\"slice\":true}" },
    [OPEN] = { "hindsight calls %s --open %llu", "call {\"at\":%llu}" },
    [WHY] = { "hindsight why %s %llu --all --control --depth 8", "why {\"at\":%llu,\"all\":true,\"control\":true}" },
    [THREADS] = { "hindsight threads %s --at %llu", NULL },
    [CONTROL] = { "hindsight why %s %llu --control", "why {\"at\":%llu,\"control\":true}" },
    [STATE] = { "hindsight locals %s --at %llu", "evaluate {\"at\":%llu}" },
    [TREE] = { "hindsight tree %s --from %llu --to %llu", NULL },
};

struct asking {
    struct failure_next *next;
    const char *dir; /* NULL: calls of tools */
};

static void add_next(struct asking *a, enum question q, uint64_t at, uint64_t to)
{
    struct failure_next *next = a->next;
    const unsigned long long x = at, y = to;
    int n = 0;
    if (at == HS_NO_SEQ || next->count >= FAILURE_NEXT_MAX)
        return;
    char *text = next->commands[next->count];
    if (a->dir == NULL && questions[q].call != NULL)
        n = snprintf(text, FAILURE_NEXT_ROOM, questions[q].call, x);
    else if (a->dir != NULL)
        n = snprintf(text, FAILURE_NEXT_ROOM, questions[q].command, a->dir, x, y);
    next->count += n > 0 && n < FAILURE_NEXT_ROOM; /* a part of a command is none */
}

/* Does it store what was computed there? */
static bool computes(const struct hs_dataid *d)
{
    return d->event == HS_EVENT_PUT_INSTANCE_FIELD_VALUE || d->event == HS_EVENT_PUT_STATIC_FIELD ||
           d->event == HS_EVENT_ARRAY_STORE_VALUE || d->event == HS_EVENT_LOCAL_STORE;
}

/* The call that computed the value outside of the test: its METHOD_ENTRY; HS_NO_SEQ: not known. */
static uint64_t call_of_value(const struct show *s, const struct failure *f)
{
    uint64_t found = HS_NO_SEQ;
    for (size_t i = 0; i < f->steps.count; i++) {
        const struct failure_step *x = &f->steps.items[i];
        const struct hs_dataid *d = hs_dataid_get(s->trace, x->event.dataid);
        const struct hs_method *m = d != NULL ? hs_method_get(s->trace, d->method_id) : NULL;
        const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
        const struct hs_frame *frame;
        hs_cursor *frames;
        uint64_t entered = HS_NO_SEQ;
        if (c == NULL || f->row.test->class_name == NULL || strcmp(c->name, f->row.test->class_name) == 0)
            continue;
        if (hs_frames_open(s->trace, x->event.seq, &frames, NULL) == 0) {
            if (hs_frame_next(frames, &frame, NULL) > 0)
                entered = frame->entered;
            hs_cursor_close(frames);
        }
        if (found == HS_NO_SEQ || computes(d))
            found = entered;
        if (computes(d))
            break;
    }
    return found;
}

void failure_next(const struct show *s, const struct failure *f, bool calls, struct failure_next *next)
{
    char room[FAILURE_NEXT_ROOM];
    struct asking a = { next, calls ? NULL : shell_word(hs_dir(s->trace), room, sizeof room) };
    const uint64_t actual = f->has_actual ? f->actual.seq : HS_NO_SEQ, call = call_of_value(s, f);
    add_next(&a, SLICE, f->has_actual ? actual : f->thrown, 0);
    add_next(&a, OPEN, call, 0);
    add_next(&a, WHY, actual, 0);
    add_next(&a, OPEN, f->entered, 0);
    add_next(&a, THREADS, f->threads.count > 0 ? f->until : HS_NO_SEQ, 0);
    /* an assertion that compares throws because of the value: why that was computed says more */
    add_next(&a, CONTROL, f->has_actual && call != HS_NO_SEQ ? call : f->thrown, 0);
    add_next(&a, STATE, f->thrown, 0);
    add_next(&a, TREE, f->row.test->end != HS_NO_SEQ ? f->row.test->begin : HS_NO_SEQ, f->row.test->end);
}

struct thrown_row failure_swallowed_row(struct show *s, const struct failure_swallowed *x)
{
    struct failure_swallowed *to = (struct failure_swallowed *)x;
    to->x.first = &to->first;
    return thrown_row(s->trace, &to->x, THROWN_ALL);
}

const char *failure_origin_of(const struct failure *f) { return f->has_actual ? "the actual value" : "the exception"; }

/* ---- the page ---- */

static void place_text(struct show *s, uint32_t method_id, struct spot spot)
{
    const struct hs_method *m = hs_method_get(s->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    out_class(s->out, c->name);
    out_char(s->out, '.');
    out_name(s->out, m->name);
    out_spot(s->out, c, spot);
    show_source_text(s, c->class_no, spot);
}

static void variables_text(struct show *s, const struct hs_frame *x)
{
    struct out *o = s->out;
    if (x->has_this) {
        out_format(o, "        %-16s ", "this");
        show_value_text(s, HS_KIND_REF, x->self);
        out_char(o, '\n');
    }
    for (size_t k = 0; k < x->parameter_count + x->local_count; k++) {
        const struct hs_variable *v = k < x->parameter_count ? x->parameters[k] : x->locals[k - x->parameter_count];
        out_format(o, "        %-16s ", v->name);
        out_colour(o, COLOUR_VALUE);
        show_value_text(s, v->kind, v->value);
        out_colour(o, COLOUR_NONE);
        out_char(o, '\n');
    }
}

static void left_out_text(struct show *s, size_t count, size_t rows)
{
    if (count > rows)
        out_format(s->out, "              ... and %zu more\n", count - rows);
}

/* Frames of recursion that stand at one line are one row; behind it the first one that is not. */
static size_t behind_recursion(const struct failure *f, size_t i)
{
    const struct hs_frame *frames = f->frames.items;
    size_t next = i + 1;
    while (i >= VARIABLES_OF_FRAMES && next < f->frames.count && frames[next].method_id == frames[i].method_id &&
           frames[next].line == frames[i].line)
        next++;
    return next;
}

static void frames_text(struct show *s, const struct failure *f, size_t rows)
{
    struct out *o = s->out;
    size_t i = 0, next;
    for (size_t shown = 0; i < f->frames.count && shown < rows && shown < FRAMES_MOST; shown++, i = next) {
        const struct hs_frame *x = &f->frames.items[i];
        next = behind_recursion(f, i);
        out_text(o, i == 0 ? "at      " : "  from  ");
        place_text(s, x->method_id, SPOT_OF(x));
        if (next - i > 1)
            out_format(o, "  (%zu times)", next - i);
        out_char(o, '\n');
        if (i < VARIABLES_OF_FRAMES)
            variables_text(s, x);
    }
    left_out_text(s, f->frames.count, i);
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

static void origin_text(struct show *s, const struct failure *f, size_t rows)
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
        if (d != NULL)
            place_text(s, d->method_id, failure_spot(s->trace, &x->event));
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
        out_format(o, "              ... and %s%zu more steps\n", f->more_unknown ? "at least " : "",
                   f->more_steps + left_out);
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
    left_out_text(s, f->swallowed.count, rows);
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
        place_text(s, d->method_id, SPOT_OF(d));
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
            place_text(s, x->called_back, (struct spot){ NULL, x->back_line });
            out_char(o, '\n');
        }
    }
    left_out_text(s, f->changes.count, rows);
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
    left_out_text(s, f->absences.count, rows);
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
    left_out_text(s, f->threads.count, rows);
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
    place_text(s, d->method_id, SPOT_OF(d));
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
    left_out_text(s, f->races.count, rows);
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
        place_text(s, d->method_id, SPOT_OF(d));
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
        place_text(s, x->method_id, SPOT_OF(hs_dataid_get(s->trace, x->event.dataid)));
        out_char(o, '\n');
    }
    left_out_text(s, f->only.count, rows);
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

static void parts_text(struct show *s, const struct failure *f, size_t rows)
{
    frames_text(s, f, rows);
    origin_text(s, f, rows);
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
        parts_text(s, f, rows);
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
