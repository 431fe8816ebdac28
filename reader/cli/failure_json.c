/* failure_json.c - see failure_show.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/failure_show.h"
#include "reader/command/show_decision.h"
#include "reader/command/thread_show.h"

enum { STACK_MAX = 8 };

static void assertion_member(struct show *s, const struct failure *f)
{
    char name[600];
    if (!f->has_actual || f->assertion.owner == NULL)
        return;
    (void)snprintf(name, sizeof name, "%.400s.%.150s", f->assertion.owner, f->assertion.name);
    json_member_text(&s->out->json, "assertion", name);
}

static void compared_member(struct show *s, const char *name, bool has, const struct hs_event *e)
{
    if (!has)
        return;
    json_name(&s->out->json, name);
    show_value_json(s, e->kind, e->value);
}

static void origin_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->steps.count == 0)
        return;
    json_name(j, "origin");
    json_array(j);
    for (size_t i = 0; i < f->steps.count; i++) {
        const struct failure_step *x = &f->steps.items[i];
        const struct hs_dataid *d = hs_dataid_get(s->trace, x->event.dataid);
        s->at = x->event.seq;
        json_object(j);
        json_member_u64(j, "depth", x->depth);
        json_member_u64(j, "seq", x->event.seq);
        if (show_has_value(s, &x->event)) {
            json_name(j, "value");
            show_value_json(s, x->event.kind, x->event.value);
        }
        show_spot_members(s, d, failure_spot(s->trace, &x->event), true);
        if (x->part != NULL)
            json_member_text(j, "part", x->part);
        show_decision_member(s, "of", x->of);
        if (x->again > 0)
            json_member_u64(j, "again", x->again);
        json_member_text(j, "because", x->because != NULL ? x->because : "explained above");
        if (x->end != NULL)
            json_member_text(j, "end", x->end);
        show_decision_member(s, "under", x->decision);
        json_end(j);
    }
    json_end(j);
}

static void swallowed_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->swallowed.count == 0)
        return;
    json_name(j, "swallowed");
    json_array(j);
    for (size_t i = 0; i < f->swallowed.count; i++) {
        const struct thrown_row row = failure_swallowed_row(s, &f->swallowed.items[i]);
        json_object(j);
        json_member_u64(j, "thrown", row.x->thrown);
        json_member_u64(j, "caught", row.x->caught);
        if (row.type != NULL)
            out_member_name(s->out, "type", row.type);
        if (row.known != NULL)
            thrown_message_json(j, row.known);
        if (row.class_name != NULL) {
            out_member_name(s->out, "class", row.class_name);
            out_member_name(s->out, "method", row.method);
            out_member_spot(s->out, row.spot);
        }
        out_member_cut(s->out);
        json_end(j);
    }
    json_end(j);
}

static void differences_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->differences.count == 0)
        return;
    json_name(j, "differences");
    json_array(j);
    for (size_t i = 0; i < f->differences.count; i++) {
        const struct failure_difference *x = &f->differences.items[i];
        json_object(j);
        json_member_text(j, "path", x->path);
        if (x->has_expected) {
            json_name(j, "expected");
            show_value_json(s, x->expected.kind, x->expected.bits);
        }
        if (x->has_actual) {
            json_name(j, "actual");
            show_value_json(s, x->actual.kind, x->actual.bits);
        }
        if (x->has_actual && x->seq != HS_NO_SEQ)
            json_member_u64(j, "seq", x->seq);
        if (x->is_text) {
            json_member_u64(j, "equal_begin", x->first);
            json_member_u64(j, "equal_end", x->last);
        }
        json_end(j);
    }
    json_end(j);
}

static void changes_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->changes.count == 0)
        return;
    json_name(j, "changes");
    json_array(j);
    for (size_t i = 0; i < f->changes.count; i++) {
        const struct failure_change *x = &f->changes.items[i];
        const struct hs_dataid *d = hs_dataid_get(s->trace, x->event.dataid);
        json_object(j);
        json_name(j, "object");
        show_reference_json(s, x->object);
        if (x->what != NULL)
            json_member_text(j, "call", x->what);
        json_member_u64(j, "times", x->times);
        json_member_u64(j, "seq", x->event.seq);
        if (x->read != HS_NO_SEQ)
            json_member_u64(j, "before_read", x->read);
        show_spot_members(s, d, SPOT_OF(d), true);
        show_decision_member(s, "under", x->decision);
        if (x->called_back != UINT32_MAX) {
            json_name(j, "called_back");
            json_object(j);
            show_method_spot_members(s, x->called_back, (struct spot){ NULL, x->back_line }, true);
            json_end(j);
        }
        json_end(j);
    }
    json_end(j);
}

/* The text up to `end`. */
static void member_begin(struct out *o, const char *name, const char *text, const char *end)
{
    char part[NAME_MAX_DEFAULT];
    (void)snprintf(part, sizeof part, "%.*s", (int)(end - text < NAME_MAX_DEFAULT ? end - text : 0), text);
    out_member_name(o, name, part);
}

static void absences_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->absences.count == 0)
        return;
    json_name(j, "not_thrown");
    json_array(j);
    for (size_t i = 0; i < f->absences.count; i++) {
        const struct hs_absence *x = f->absences.items[i];
        const char *dot = strrchr(x->method, '.');
        json_object(j);
        json_member_text(j, "situation", hs_situation_name(x->situation));
        if (dot != NULL)
            member_begin(s->out, "class", x->method, dot);
        out_member_name(s->out, "method", dot != NULL ? dot + 1 : x->method);
        if (x->line >= 0)
            json_member_u64(j, "line", (uint64_t)x->line);
        json_member_u64(j, "calls", x->calls);
        json_member_text(j, "because", x->because);
        if (x->needs != NULL)
            json_member_text(j, "needs", x->needs);
        show_decision_member(s, "decision", x->decision);
        json_end(j);
    }
    json_end(j);
}

static void threads_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->threads.count == 0)
        return;
    json_name(j, "threads");
    json_array(j);
    for (size_t i = 0; i < f->threads.count; i++) {
        const struct hs_thread_state *x = f->threads.items[i];
        json_object(j);
        json_member_u64(j, "thread", x->thread->thread);
        json_member_text(j, "name", x->thread->name);
        thread_wait_json(s, x);
        thread_stack_json(s, x, STACK_MAX);
        json_end(j);
    }
    json_end(j);
}

static void event_member(struct show *s, const char *name, bool has, const struct hs_event *e)
{
    const struct hs_dataid *d = has ? hs_dataid_get(s->trace, e->dataid) : NULL;
    struct json *j = &s->out->json;
    if (d == NULL)
        return;
    json_name(j, name);
    json_object(j);
    json_member_u64(j, "seq", e->seq);
    json_member_u64(j, "thread", e->thread);
    json_member_text(j, "event", hs_event_name(d->event));
    show_spot_members(s, d, SPOT_OF(d), true);
    json_end(j);
}

static void races_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    const struct hs_event *e;
    if (f->races.count == 0)
        return;
    json_name(j, "races");
    json_array(j);
    for (size_t i = 0; i < f->races.count; i++) {
        const struct hs_race *x = &f->races.items[i];
        json_object(j);
        json_member_u64(j, "count", x->count);
        if (hs_event_at(s->trace, x->a, &e, NULL) == 0)
            event_member(s, "a", true, e);
        if (hs_event_at(s->trace, x->b, &e, NULL) == 0)
            event_member(s, "b", true, e);
        json_end(j);
    }
    json_end(j);
}

static void passed_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->other.passed == NULL)
        return;
    json_name(j, "passed_run");
    json_object(j);
    json_member_u64(j, "begin", f->other.passed->begin);
    json_member_u64(j, "end", f->other.passed->end);
    event_member(s, "here", f->other.has_here, &f->other.here);
    event_member(s, "there", f->other.has_there, &f->other.there);
    json_end(j);
}

static void only_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->only.count == 0)
        return;
    json_name(j, "only_here");
    json_array(j);
    for (size_t i = 0; i < f->only.count; i++) {
        const struct failure_line *x = &f->only.items[i];
        json_object(j);
        json_member_u64(j, "seq", x->event.seq);
        show_method_spot_members(s, x->method_id, SPOT_OF(hs_dataid_get(s->trace, x->event.dataid)), true);
        json_end(j);
    }
    json_end(j);
}

static void next_member(struct show *s, const struct failure *f)
{
    struct failure_next *next = calloc(1, sizeof *next);
    if (next == NULL)
        return;
    failure_next(s, f, false, next);
    json_name(&s->out->json, "next");
    json_array(&s->out->json);
    for (size_t i = 0; i < next->count; i++)
        json_text(&s->out->json, next->commands[i]);
    json_end(&s->out->json);
    free(next);
}

#define ROWS "reader/answers/failure.def"
#define ROW  struct show *show, const struct failure *f
#include "reader/answers/row.h"

void failure_json_row(struct show *s, const struct failure *f) { failure_json(s->out, s, f); }
