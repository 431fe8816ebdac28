/* call_open.c - `hindsight calls --open BEGIN`: what one call did, a row each time that it came to a line. The events
 * of its own frame are those between its entry and its exit that are not of calls in between. */
#include <stdio.h>
#include <string.h>

#include "formats/event.h"
#include "formats/vec.h"
#include "reader/cli/call_rows.h"

/* What was written: a name, and the element of an array, which is named when its index is known. */
struct line_value {
    const char *owner, *name; /* owner: of a static field */
    uint64_t object;          /* that has the field or element; 0: none */
    bool has_index;
    uint64_t index;
    struct hs_value value;
};
struct line_callee {
    uint64_t seq;
    const char *owner, *name;
    uint64_t receiver;
    size_t first_argument, argument_count;
    bool returned;
    struct hs_value result; /* of returned; kind V: void */
};
struct call_line {
    uint64_t seq;
    uint32_t class_no;
    int32_t line;
    struct spot spot;
    VEC(struct line_value) values;
    VEC(struct line_callee) callees;
    VEC(struct hs_value) arguments;
    bool ended, threw;
    struct hs_value result;
};

static void call_values_json(struct show *show, const struct call_line *x);
static void call_callees_json(struct show *show, const struct call_line *x);
static void call_end_json(struct show *show, const struct call_line *x, bool exception);

#define ROWS "reader/answers/call_lines.def"
#define ROW  struct show *show, const struct call_line *x
#define ROW_END                                                                                                        \
    show_source_member(show, x->class_no, x->spot);                                                                    \
    json_end_line(&o->json);
#include "reader/answers/row.h"

/* ---- a row ---- */

static void value_name(struct show *show, const struct line_value *v, char *out, size_t size)
{
    const struct hs_object *o = v->object - 1 < UINT32_MAX ? hs_object_get(show->trace, (uint32_t)v->object) : NULL;
    const char *type = o != NULL && o->type != NULL ? o->type : "object", *dot = strrchr(type, '.');
    type = dot != NULL ? dot + 1 : type;
    if (v->has_index)
        (void)snprintf(out, size, "%.150s#%llu[%llu]", type, (unsigned long long)v->object,
                       (unsigned long long)v->index);
    else if (v->object != 0)
        (void)snprintf(out, size, "%.150s#%llu.%.150s", type, (unsigned long long)v->object, v->name);
    else
        (void)snprintf(out, size, "%.150s%s%.150s", v->owner != NULL ? v->owner : "", v->owner != NULL ? "." : "",
                       v->name);
}

enum { NAME_ROOM = 360 };

static void call_values_json(struct show *show, const struct call_line *x)
{
    struct json *j = &show->out->json;
    char name[NAME_ROOM];
    if (x->values.count == 0)
        return;
    json_name(j, "values");
    json_array(j);
    for (size_t i = 0; i < x->values.count; i++) {
        value_name(show, &x->values.items[i], name, sizeof name);
        json_object(j);
        json_member_text(j, "name", name);
        json_name(j, "value");
        show_value_json(show, x->values.items[i].value.kind, x->values.items[i].value.bits);
        json_end(j);
    }
    json_end(j);
}

static void call_callees_json(struct show *show, const struct call_line *x)
{
    struct json *j = &show->out->json;
    char name[NAME_ROOM];
    if (x->callees.count == 0)
        return;
    json_name(j, "callees");
    json_array(j);
    for (size_t i = 0; i < x->callees.count; i++) {
        const struct line_callee *c = &x->callees.items[i];
        (void)snprintf(name, sizeof name, "%.170s.%.170s", c->owner, c->name);
        json_object(j);
        json_member_u64(j, "seq", c->seq);
        json_member_text(j, "name", name);
        json_name(j, "arguments");
        json_array(j);
        for (size_t k = 0; k < c->argument_count; k++)
            show_value_json(show, x->arguments.items[c->first_argument + k].kind,
                            x->arguments.items[c->first_argument + k].bits);
        json_end(j);
        if (c->returned && c->result.kind != HS_KIND_VOID) {
            json_name(j, "result");
            show_value_json(show, c->result.kind, c->result.bits);
        }
        json_end(j);
    }
    json_end(j);
}

static void call_end_json(struct show *show, const struct call_line *x, bool exception)
{
    if (!x->ended || x->threw != exception || x->result.kind == HS_KIND_VOID)
        return;
    json_name(&show->out->json, exception ? "exception" : "result");
    show_value_json(show, x->result.kind, x->result.bits);
}

static void callee_text(struct show *show, const struct call_line *x, const struct line_callee *c)
{
    struct out *o = show->out;
    const char *dot = strrchr(c->owner, '.');
    if (c->receiver != 0)
        show_object_name(show, c->receiver);
    else
        out_simple_class(o, dot != NULL ? dot + 1 : c->owner);
    out_char(o, '.');
    out_name(o, c->name);
    out_char(o, '(');
    for (size_t i = 0; i < c->argument_count; i++) {
        const struct hs_value *v = &x->arguments.items[c->first_argument + i];
        out_text(o, i > 0 ? ", " : "");
        show_value_text(show, v->kind, v->bits);
    }
    out_char(o, ')');
    if (c->returned && c->result.kind != HS_KIND_VOID) {
        out_text(o, " = ");
        show_value_text(show, c->result.kind, c->result.bits);
    }
}

static void line_text(struct show *show, const struct call_line *x)
{
    struct out *o = show->out;
    char name[NAME_ROOM];
    const char *between = "";
    out_format(o, "%12llu ", (unsigned long long)x->seq);
    if (x->line >= 0)
        out_format(o, "%6d  ", x->line);
    else
        out_text(o, "     -  ");
    for (size_t i = 0; i < x->callees.count; i++, between = "; ") {
        out_text(o, between);
        callee_text(show, x, &x->callees.items[i]);
    }
    for (size_t i = 0; i < x->values.count; i++, between = "; ") {
        value_name(show, &x->values.items[i], name, sizeof name);
        out_text(o, between);
        out_colour(o, COLOUR_NAME);
        out_text(o, name);
        out_colour(o, COLOUR_NONE);
        out_text(o, " = ");
        out_colour(o, COLOUR_VALUE);
        show_value_text(show, x->values.items[i].value.kind, x->values.items[i].value.bits);
        out_colour(o, COLOUR_NONE);
    }
    if (x->ended) {
        out_text(o, between);
        out_text(o, x->threw ? "throws" : "returns");
        if (x->result.kind != HS_KIND_VOID) {
            out_char(o, ' ');
            show_value_text(show, x->result.kind, x->result.bits);
        }
    }
    show_source_text(show, x->class_no, x->spot);
    out_char(o, '\n');
}

/* ---- the events ---- */

struct opening {
    struct show *show;
    bool json, begun, no_memory;
    uint64_t left; /* rows */
    struct call_line line;
};

static void give_line(struct opening *w)
{
    if (!w->begun || w->left == 0)
        return;
    w->left--;
    w->show->at = w->line.seq;
    if (w->json)
        call_lines_json(w->show->out, w->show, &w->line);
    else
        line_text(w->show, &w->line);
    w->line.values.count = w->line.callees.count = w->line.arguments.count = 0;
    w->begun = false;
}

static void begin_line(struct opening *w, const struct hs_event *e, const struct hs_dataid *d)
{
    give_line(w);
    w->line.seq = e->seq;
    w->line.line = d->line;
    w->line.class_no = d->class_no;
    w->line.spot = SPOT_OF(d);
    w->line.ended = false;
    w->begun = true;
}

static void add_value(struct opening *w, const char *owner, const char *name, uint64_t object, const struct hs_event *e)
{
    struct line_value *to = vec_push(&w->line.values);
    if (to == NULL)
        w->no_memory = true;
    else
        *to = (struct line_value){
            .owner = owner, .name = name != NULL ? name : "?", .object = object, .value = { e->value, e->kind }
        };
}

static void begin_callee(struct opening *w, const struct hs_event *e, const struct hs_dataid *d)
{
    const char *owner = show_text_attr(d, "owner"), *name = show_text_attr(d, "name");
    struct line_callee *to = vec_push(&w->line.callees);
    if (to == NULL)
        w->no_memory = true;
    else
        *to = (struct line_callee){ .seq = e->seq,
                                    .owner = owner != NULL ? owner : "?",
                                    .name = name != NULL ? name : "?",
                                    .receiver = e->kind == HS_KIND_REF ? e->value : 0,
                                    .first_argument = w->line.arguments.count };
}

static void add_argument(struct opening *w, const struct hs_event *e)
{
    struct line_callee *c = w->line.callees.count > 0 ? &w->line.callees.items[w->line.callees.count - 1] : NULL;
    struct hs_value *to = c != NULL && !c->returned ? vec_push(&w->line.arguments) : NULL;
    if (to == NULL)
        return;
    *to = (struct hs_value){ e->value, e->kind };
    c->argument_count++;
}

/* One event of the call's own frame. `put`: the last object that a field or element was put into. */
static void own_event(struct opening *w, const struct hs_event *e, const struct hs_dataid *d, uint64_t *put)
{
    struct call_line *l = &w->line;
    struct line_callee *c = l->callees.count > 0 ? &l->callees.items[l->callees.count - 1] : NULL;
    struct line_value *v;
    if (!w->begun || d->event == HS_EVENT_LINE_NUMBER || (d->line >= 0 && d->line != l->line))
        begin_line(w, e, d);
    switch (d->event) {
    case HS_EVENT_METHOD_PARAM:
    case HS_EVENT_LOCAL_STORE:
    case HS_EVENT_LOCAL_INCREMENT: add_value(w, NULL, show_text_attr(d, "name"), 0, e); break;
    case HS_EVENT_PUT_STATIC_FIELD: add_value(w, show_text_attr(d, "owner"), show_text_attr(d, "name"), 0, e); break;
    case HS_EVENT_PUT_INSTANCE_FIELD:
    case HS_EVENT_ARRAY_STORE: *put = e->value; break;
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE: add_value(w, NULL, show_text_attr(d, "name"), *put, e); break;
    case HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
        add_value(w, "this", show_text_attr(d, "name"), 0, e);
        break;
    case HS_EVENT_ARRAY_STORE_INDEX: add_value(w, NULL, NULL, *put, e); break;
    case HS_EVENT_ARRAY_STORE_VALUE:
        v = l->values.count > 0 ? &l->values.items[l->values.count - 1] : NULL;
        if (v != NULL && v->object == *put) {
            v->index = v->value.bits;
            v->has_index = true;
            v->value = (struct hs_value){ e->value, e->kind };
        }
        break;
    case HS_EVENT_CALL: begin_callee(w, e, d); break;
    case HS_EVENT_CALL_PARAM: add_argument(w, e); break;
    case HS_EVENT_CALL_RETURN:
        if (c != NULL) {
            c->returned = true;
            c->result = (struct hs_value){ e->value, e->kind != 0 ? e->kind : HS_KIND_VOID };
        }
        break;
    case HS_EVENT_CATCH: add_value(w, NULL, "(caught)", 0, e); break;
    default: break;
    }
    if (!event_has(d->event, USE_LEAVE))
        return;
    l->ended = true;
    l->threw = d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT;
    l->result = (struct hs_value){ e->value, e->kind != 0 ? e->kind : HS_KIND_VOID };
}

static int walk(struct opening *w, hs_cursor *events, uint32_t method, struct hs_error *error)
{
    const struct hs_event *e;
    uint64_t put = 0, depth = 0;
    int more = 0;
    while (w->left > 0 && !w->no_memory && w->show->out->failed == 0 && (more = hs_event_next(events, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(w->show->trace, e->dataid);
        if (d == NULL)
            continue;
        depth += event_has(d->event, USE_ENTER);
        if (depth == 1 && d->method_id == method)
            own_event(w, e, d, &put);
        if (event_has(d->event, USE_LEAVE) && --depth == 0)
            break;
    }
    if (more < 0)
        return -1;
    give_line(w);
    return 0;
}

/* The entry of the call in which an event lies; HS_NO_SEQ: it was not recorded. */
static uint64_t entry_of(hs_trace *t, uint64_t seq)
{
    const struct hs_frame *frame;
    hs_cursor *frames;
    uint64_t entered = HS_NO_SEQ;
    if (hs_frames_open(t, seq, &frames, NULL) != 0)
        return HS_NO_SEQ;
    if (hs_frame_next(frames, &frame, NULL) > 0)
        entered = frame->entered;
    hs_cursor_close(frames);
    return entered;
}

int call_open(struct show *show, uint64_t begin, uint64_t limit, bool json, struct hs_error *error)
{
    struct opening w = { .show = show, .json = json, .left = limit, .line = { .line = -1 } };
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    const uint64_t asked = begin;
    hs_cursor *events;
    if (hs_event_at(show->trace, begin, &e, error) != 0)
        return -1;
    const struct hs_dataid *d = hs_dataid_get(show->trace, e->dataid);
    if ((d == NULL || !event_has(d->event, USE_ENTER)) && (begin = entry_of(show->trace, begin)) != HS_NO_SEQ &&
        hs_event_at(show->trace, begin, &e, error) != 0)
        return -1;
    if (begin == HS_NO_SEQ || (d = hs_dataid_get(show->trace, e->dataid)) == NULL) {
        error->code = HS_ERR_NOT_FOUND;
        (void)snprintf(error->text, sizeof error->text, "event %llu lies in no call whose entry was recorded",
                       (unsigned long long)asked);
        return -1;
    }
    const uint32_t thread = e->thread, method = d->method_id;
    filter.from = begin;
    filter.threads = &thread;
    filter.thread_count = 1;
    if (hs_events_open(show->trace, &filter, &events, error) != 0)
        return -1;
    if (!json)
        out_format(show->out, "%12s %6s  %s\n", "seq", "line", "what");
    const int failed = walk(&w, events, method, error);
    hs_cursor_close(events);
    vec_free(&w.line.values);
    vec_free(&w.line.callees);
    vec_free(&w.line.arguments);
    if (failed == 0 && w.no_memory) {
        error->code = HS_ERR_MEMORY;
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    }
    return failed != 0 || w.no_memory ? -1 : 0;
}
