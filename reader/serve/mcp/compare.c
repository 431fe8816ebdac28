/* compare.c - the tool `compare`: what differs between two moments, or between the calls of two traces.
 *
 * Both sides become lists of named values in one order, which are merged: what is on one side only, or on both with
 * another value, is a row. Ids of objects mean nothing in another trace, so that references of two traces are the same
 * if their types and strings are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/arena.h"
#include "formats/vec.h"
#include "reader/command/names.h"
#include "reader/command/show_contents.h"
#include "reader/serve/mcp/mcp.h"

/* A variable, field or element: what is known of it on one side. */
struct named {
    const char *name; /* NULL: an element */
    uint64_t index, value;
    char kind;
};
typedef VEC(struct named) named_vec;

struct side {
    hs_trace *trace;
    struct show show;
    uint64_t at;
    hs_cursor *cursor; /* of its frames */
    VEC(const struct hs_frame *) frames;
    named_vec values;
    struct arena texts; /* of `values` */
};
enum { A, B };

struct comparison {
    struct session *session;
    struct side sides[2];
    struct hs_error error;
    uint64_t rows;
    bool no_room;
    bool by_text; /* strings of one trace are the same if their texts are: of what collections hold */
};

static bool same_value(const struct comparison *c, const struct named *x, const struct named *y)
{
    hs_trace *a = c->sides[A].trace, *b = c->sides[B].trace;
    if (x->kind != y->kind)
        return false;
    if (x->kind != 'L' || x->value == 0 || y->value == 0)
        return x->value == y->value;
    if (a == b && (x->value == y->value || !c->by_text))
        return x->value == y->value;
    const struct hs_object *p = hs_object_get(a, (uint32_t)x->value), *q = hs_object_get(b, (uint32_t)y->value);
    if (a == b && (p == NULL || q == NULL || !p->has_string))
        return false;
    if (p == NULL || q == NULL || p->has_string != q->has_string)
        return p == q;
    if (p->has_string)
        return p->length == q->length && p->data_bytes == q->data_bytes && memcmp(p->data, q->data, p->data_bytes) == 0;
    return p->type != NULL && q->type != NULL && strcmp(p->type, q->type) == 0;
}

/* ---- rows ---- */

/* Where: the frame from the outside, and its method; NULL: no frame. */
static struct json *begin_row(struct comparison *c, const char *kind, size_t depth, const struct hs_method *m)
{
    struct out *o = &c->session->out;
    json_object(&o->json);
    json_member_text(&o->json, "kind", kind);
    hs_trace *t = c->sides[A].trace;
    const struct hs_class *class = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    if (class != NULL) {
        json_member_u64(&o->json, "depth", depth);
        show_method_members(o, class->name, m->name, m->desc);
    }
    c->rows++;
    return &o->json;
}

static void value_member(struct side *s, const char *name, const struct named *v)
{
    if (v == NULL)
        return;
    json_name(&s->show.out->json, name);
    show_value_json(&s->show, v->kind, v->value);
}

static int by_name(const void *x, const void *y)
{
    const struct named *a = x, *b = y;
    int order = a->name != NULL && b->name != NULL ? strcmp(a->name, b->name) : 0;
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static void compare_values(struct comparison *c, const char *kind, size_t depth, const struct hs_method *m)
{
    named_vec *a = &c->sides[A].values, *b = &c->sides[B].values;
    if (a->count > 0)
        qsort(a->items, a->count, sizeof *a->items, by_name);
    if (b->count > 0)
        qsort(b->items, b->count, sizeof *b->items, by_name);
    for (size_t i = 0, k = 0; (i < a->count || k < b->count) && c->session->out.failed == 0;) {
        int order = i == a->count ? 1 : k == b->count ? -1 : by_name(&a->items[i], &b->items[k]);
        const struct named *x = order <= 0 ? &a->items[i++] : NULL, *y = order >= 0 ? &b->items[k++] : NULL;
        if (x != NULL && y != NULL && same_value(c, x, y))
            continue;
        const struct named *either = x != NULL ? x : y;
        struct json *j = begin_row(c, kind, depth, m);
        json_name(j, "name");
        if (either->name != NULL)
            out_json_name(&c->session->out, either->name);
        else {
            json_text_begin(j);
            char digits[24];
            json_text_part(j, digits,
                           (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)either->index));
            json_text_end(j);
        }
        value_member(&c->sides[A], "a", x);
        value_member(&c->sides[B], "b", y);
        out_member_cut(&c->session->out);
        json_end_line(j);
    }
    a->count = b->count = 0;
}

/* ---- frames ---- */

static const struct hs_frame *frame_from_outside(const struct side *s, size_t i)
{
    return s->frames.items[s->frames.count - 1 - i];
}

static bool read_frames(struct comparison *c, struct side *s)
{
    const struct hs_frame *f;
    if (hs_frames_open(s->trace, s->at, &s->cursor, &c->error) != 0)
        return false;
    while (hs_frame_next(s->cursor, &f, NULL) > 0) {
        const struct hs_frame **slot = vec_push(&s->frames);
        if (slot == NULL)
            return !(c->no_room = true);
        *slot = f;
    }
    return true;
}

static const struct hs_method *method_of(const struct side *s, const struct hs_frame *f)
{
    return hs_method_get(s->trace, f->method_id);
}

/* Are these frames of one method? */
static bool same_method(const struct comparison *c, const struct hs_frame *a, const struct hs_frame *b)
{
    const struct hs_method *m = method_of(&c->sides[A], a), *n = method_of(&c->sides[B], b);
    if (m == NULL || n == NULL || strcmp(m->name, n->name) != 0 || strcmp(m->desc, n->desc) != 0)
        return false;
    const struct hs_class *p = hs_class_get(c->sides[A].trace, m->class_no),
                          *q = hs_class_get(c->sides[B].trace, n->class_no);
    return p != NULL && q != NULL && strcmp(p->name, q->name) == 0;
}

static void take_variables(struct comparison *c, struct side *s, const struct hs_variable *const *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct named *n = vec_push(&s->values);
        if (n == NULL)
            c->no_room = true;
        else
            *n = (struct named){ v[i]->name, v[i]->slot, v[i]->value, v[i]->kind };
    }
}

static void take_this(struct comparison *c, struct side *s, const struct hs_frame *f)
{
    struct named *n = f->has_this ? vec_push(&s->values) : NULL;
    if (n != NULL)
        *n = (struct named){ "this", 0, f->self, 'L' };
    c->no_room |= f->has_this && n == NULL;
}

static void compare_frame(struct comparison *c, size_t depth, const struct hs_frame *a, const struct hs_frame *b)
{
    const struct hs_method *m = method_of(&c->sides[A], a);
    if (!spot_equal(SPOT_OF(a), SPOT_OF(b))) {
        struct json *j = begin_row(c, "line", depth, m);
        json_member_i64(j, "a", a->line);
        json_member_i64(j, "b", b->line);
        if (a->file != NULL)
            json_member_text(j, "file_a", a->file);
        if (b->file != NULL)
            json_member_text(j, "file_b", b->file);
        json_end_line(j);
    }
    take_this(c, &c->sides[A], a);
    take_this(c, &c->sides[B], b);
    compare_values(c, "this", depth, m);
    take_variables(c, &c->sides[A], a->parameters, a->parameter_count);
    take_variables(c, &c->sides[B], b->parameters, b->parameter_count);
    compare_values(c, "parameter", depth, m);
    take_variables(c, &c->sides[A], a->locals, a->local_count);
    take_variables(c, &c->sides[B], b->locals, b->local_count);
    compare_values(c, "local", depth, m);
}

/* A frame of one side only: its line there. */
static void lone_frame(struct comparison *c, int side, size_t depth)
{
    const struct side *s = &c->sides[side];
    const struct hs_frame *f = frame_from_outside(s, depth);
    const struct hs_method *m = method_of(s, f);
    const struct hs_class *class = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    struct json *j = begin_row(c, "frame", depth, NULL);
    json_member_u64(j, "depth", depth);
    if (class != NULL)
        show_method_members(&c->session->out, class->name, m->name, m->desc);
    json_name(j, side == A ? "a" : "b");
    json_object(j);
    out_member_spot(&c->session->out, SPOT_OF(f));
    if (f->entered != HS_NO_SEQ)
        json_member_u64(j, "entered", f->entered);
    json_end(j);
    json_end_line(j);
}

static bool compare_frames(struct comparison *c)
{
    size_t i = 0;
    struct side *a = &c->sides[A], *b = &c->sides[B];
    if (!read_frames(c, a) || !read_frames(c, b))
        return false;
    for (; i < a->frames.count && i < b->frames.count; i++) {
        if (!same_method(c, frame_from_outside(a, i), frame_from_outside(b, i)))
            break;
        compare_frame(c, i, frame_from_outside(a, i), frame_from_outside(b, i));
    }
    for (int side = A; side <= B; side++)
        for (size_t k = i; k < c->sides[side].frames.count && c->session->out.failed == 0; k++)
            lone_frame(c, side, k);
    return true;
}

/* ---- objects ---- */

/* Elements are read and compared in blocks: memory follows a block, and reading ends with the page of the answer. */
enum { BLOCK_ELEMENTS = 4096 };

/* Fields, or elements from index `from` on; `last` becomes smaller if more may be known behind that index. */
static bool read_object(struct comparison *c, struct side *s, uint32_t id, uint64_t from, bool *elements,
                        uint64_t *last)
{
    const struct hs_object_state *st;
    if (hs_object_part_at(s->trace, id, s->at, from, BLOCK_ELEMENTS, &st, &c->error) != 0)
        return false;
    bool array = st->element_count > 0;
    size_t count = array ? st->element_count : st->field_count;
    const struct hs_member *const *m = array ? st->elements : st->fields;
    for (size_t i = 0; i < count; i++) {
        struct named *n = vec_push(&s->values);
        size_t size = m[i]->name != NULL ? strlen(m[i]->name) + 1 : 0;
        char *name = size > 0 ? arena_chars(&s->texts, size) : NULL;
        if (n == NULL || (size > 0 && name == NULL))
            return !(c->no_room = true);
        if (name != NULL)
            memcpy(name, m[i]->name, size);
        *n = (struct named){ name, m[i]->index, m[i]->value, m[i]->kind };
    }
    uint64_t read = array ? m[count - 1]->index : from + BLOCK_ELEMENTS - 1;
    if (st->is_part && read < *last)
        *last = read;
    *elements |= array;
    return true;
}

static bool compare_members(struct comparison *c, uint32_t id)
{
    uint64_t from = 0, last;
    do {
        bool elements = false;
        last = UINT64_MAX;
        for (int side = A; side <= B; side++)
            if (!read_object(c, &c->sides[side], id, from, &elements, &last))
                return false;
        for (int side = A; elements && side <= B; side++) {
            named_vec *v = &c->sides[side].values; /* by index; what is behind `last` belongs to the next block */
            while (v->count > 0 && v->items[v->count - 1].index > last)
                v->count--;
        }
        compare_values(c, elements ? "element" : "field", 0, NULL);
        from = last + 1;
    } while (last != UINT64_MAX && c->session->out.failed == 0);
    return true;
}

/* The name of an entry: of a map its key, of a set its value, of a list none; NULL with `no_room`. */
static const char *entry_name(struct comparison *c, struct side *s, struct show *names, const struct hs_entry *e)
{
    struct out *o = names->out;
    const struct hs_value *v = e->key != NULL ? e->key : e->value;
    const struct hs_object *text =
        v->kind == 'L' && v->bits - 1 < UINT32_MAX ? hs_object_get(s->trace, (uint32_t)v->bits) : NULL;
    o->used = 0;
    if (text != NULL && text->has_string && text->length > NAME_MAX_DEFAULT)
        show_value_text(names, v->kind, v->bits); /* its beginning and id */
    else
        show_contents_value(names, v, e->key != NULL ? e->key_number : e->value_number);
    char *name = o->failed == 0 ? arena_chars(&s->texts, o->used + 1) : NULL;
    c->no_room |= name == NULL;
    if (name != NULL) {
        memcpy(name, o->data, o->used);
        name[o->used] = '\0';
    }
    return name;
}

/* What it held at the moment of the side: the entries, or, where there are none to compare, a few words in `summary`.
 * 1; 0: it is no collection, text or box of the JDK; -1: it failed. */
static int read_contents(struct comparison *c, struct side *s, struct show *names, uint32_t id, const char **summary)
{
    const struct hs_contents *held;
    int found = hs_contents_at(s->trace, id, s->at, &held, &c->error);
    if (found <= 0)
        return found;
    if (!held->known && held->since == HS_NO_SEQ && held->why != NULL)
        return 0; /* a class whose calls are not followed: recorded fields of it are compared */
    if (!held->known || held->shape == HS_CONTENTS_TEXT) {
        struct out *o = names->out;
        o->used = 0;
        show_contents_summary(names, held);
        char *text = o->failed == 0 ? arena_chars(&s->texts, o->used + 1) : NULL;
        if (text == NULL)
            return -(int)(c->no_room = true);
        memcpy(text, o->data, o->used);
        text[o->used] = '\0';
        *summary = text;
        return 1;
    }
    bool listed = held->shape == HS_CONTENTS_LIST || held->shape == HS_CONTENTS_VALUE;
    for (size_t i = 0; i < held->entry_count; i++) {
        const struct hs_entry *e = held->entries[i];
        const struct hs_value *v = e->value_number != NULL ? e->value_number : e->value;
        struct named *n = vec_push(&s->values);
        c->no_room |= n == NULL;
        if (n != NULL)
            *n = (struct named){ listed ? NULL : entry_name(c, s, names, e), listed ? i : 0, v->bits, v->kind };
        if (c->no_room)
            return -1;
    }
    return 1;
}

/* Of a collection of the JDK, whose fields are not recorded: its entries. 1: compared; 0: it is none; -1. */
static int compare_contents(struct comparison *c, uint32_t id)
{
    struct out memory;
    const char *summary[2] = { NULL, NULL };
    int found = 1;
    if (!out_init_memory(&memory))
        return -(int)(c->no_room = true);
    for (int side = A; side <= B && found > 0; side++) {
        struct show names = c->sides[side].show;
        names.out = &memory;
        found = read_contents(c, &c->sides[side], &names, id, &summary[side]);
    }
    out_done(&memory);
    if (found <= 0)
        return found;
    bool entries = summary[A] == NULL && summary[B] == NULL;
    bool texts =
        summary[A] != NULL && summary[B] != NULL && strcmp(summary[A], summary[B]) == 0 && summary[A][0] == '"';
    c->by_text = true;
    if (entries)
        compare_values(c, "contents", 0, NULL);
    if (entries || texts)
        return 1;
    struct json *j = begin_row(c, "contents", 0, NULL);
    for (int side = A; side <= B; side++) {
        char count[40];
        (void)snprintf(count, sizeof count, "size = %zu", c->sides[side].values.count);
        json_member_text(j, side == A ? "a" : "b", summary[side] != NULL ? summary[side] : count);
    }
    json_end_line(j);
    return 1;
}

static bool compare_object(struct comparison *c, const char *text)
{
    uint32_t id = 0;
    size_t type_length;
    if (!cli_object(text, &id, &type_length)) {
        (void)cli_fail(EXIT_USAGE, c->session->context, "object %s: expects " CLI_OBJECT_FORMS, text);
        return false;
    }
    if (names_typed_object(c->session, "object ", text, &id) != PARSED)
        return false;
    int contents = compare_contents(c, id);
    if (contents != 0)
        return contents > 0;
    return compare_members(c, id);
}

/* ---- calls of two traces ---- */

struct calls {
    const char *class_name, *method, *desc;
    uint64_t count;
};
typedef VEC(struct calls) calls_vec;

static int by_method(const void *x, const void *y)
{
    const struct calls *a = x, *b = y;
    int order = strcmp(a->class_name, b->class_name);
    if (order == 0)
        order = strcmp(a->method, b->method);
    return order != 0 ? order : strcmp(a->desc, b->desc);
}

/* How often each method was entered, methods of one name and descriptor together. */
static bool count_calls(struct comparison *c, struct side *s, calls_vec *out)
{
    uint32_t n = hs_dataid_count(s->trace);
    uint64_t *counts = calloc((size_t)n + 1, sizeof *counts);
    bool ok = counts != NULL && hs_count_dataids(s->trace, counts, NULL, &c->error) == 0;
    c->no_room |= counts == NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        const struct hs_dataid *d = counts[i] > 0 ? hs_dataid_get(s->trace, i) : NULL;
        const struct hs_method *m =
            d != NULL && d->event == HS_EVENT_METHOD_ENTRY ? hs_method_get(s->trace, d->method_id) : NULL;
        const struct hs_class *class = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
        struct calls *row = class != NULL ? vec_push(out) : NULL;
        if (class != NULL && row == NULL)
            ok = !(c->no_room = true);
        if (row != NULL)
            *row = (struct calls){ class->name, m->name, m->desc, counts[i] };
    }
    free(counts);
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, by_method);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (kept > 0 && by_method(&out->items[kept - 1], &out->items[i]) == 0)
            out->items[kept - 1].count += out->items[i].count;
        else
            out->items[kept++] = out->items[i];
    out->count = kept;
    return ok;
}

static void calls_rows(struct comparison *c, const calls_vec *a, const calls_vec *b)
{
    for (size_t i = 0, k = 0; (i < a->count || k < b->count) && c->session->out.failed == 0;) {
        int order = i == a->count ? 1 : k == b->count ? -1 : by_method(&a->items[i], &b->items[k]);
        const struct calls *x = order <= 0 ? &a->items[i++] : NULL, *y = order >= 0 ? &b->items[k++] : NULL;
        if (x != NULL && y != NULL && x->count == y->count)
            continue;
        const struct calls *either = x != NULL ? x : y;
        struct json *j = begin_row(c, "calls", 0, NULL);
        show_method_members(&c->session->out, either->class_name, either->method, either->desc);
        json_member_u64(j, "a", x != NULL ? x->count : 0);
        json_member_u64(j, "b", y != NULL ? y->count : 0);
        json_end_line(j);
    }
}

/* Is it the same entry or parameter in both traces? */
static bool same_event(const struct comparison *c, const struct hs_event *a, const struct hs_event *b)
{
    const struct hs_dataid *x = hs_dataid_get(c->sides[A].trace, a->dataid),
                           *y = hs_dataid_get(c->sides[B].trace, b->dataid);
    if (x == NULL || y == NULL || x->event != y->event)
        return false;
    struct hs_frame f = { .method_id = x->method_id }, g = { .method_id = y->method_id };
    return same_method(c, &f, &g) && same_value(c, &(struct named){ .value = a->value, .kind = a->kind },
                                                &(struct named){ .value = b->value, .kind = b->kind });
}

/* The first entry or parameter of the first threads that differs. */
static bool first_difference(struct comparison *c)
{
    static const unsigned events[] = { HS_EVENT_METHOD_ENTRY, HS_EVENT_METHOD_PARAM };
    static const uint32_t first_thread = 0;
    struct hs_filter filter = HS_FILTER_ALL;
    hs_cursor *cursors[2] = { NULL, NULL };
    const struct hs_event *e[2] = { NULL, NULL };
    int more[2] = { 1, 1 };
    filter.threads = &first_thread;
    filter.thread_count = 1;
    filter.events = events;
    filter.event_count = 2;
    bool ok = hs_events_open(c->sides[A].trace, &filter, &cursors[A], &c->error) == 0 &&
              hs_events_open(c->sides[B].trace, &filter, &cursors[B], &c->error) == 0;
    do {
        for (int side = A; ok && side <= B; side++)
            ok = (more[side] = hs_event_next(cursors[side], &e[side], &c->error)) >= 0;
    } while (ok && more[A] > 0 && more[B] > 0 && same_event(c, e[A], e[B]));
    if (ok && (more[A] > 0 || more[B] > 0)) {
        struct json *j = begin_row(c, "first_difference", 0, NULL);
        for (int side = A; side <= B; side++)
            if (more[side] > 0) {
                json_name(j, side == A ? "a" : "b");
                show_event_json(&c->sides[side].show, e[side]);
            }
        json_end_line(j);
    }
    hs_cursor_close(cursors[A]);
    hs_cursor_close(cursors[B]);
    return ok;
}

static bool compare_traces(struct comparison *c)
{
    calls_vec a = { 0 }, b = { 0 };
    bool ok = first_difference(c) && count_calls(c, &c->sides[A], &a) && count_calls(c, &c->sides[B], &b);
    if (ok)
        calls_rows(c, &a, &b);
    vec_free(&a);
    vec_free(&b);
    return ok;
}

/* ---- the tool ---- */

static bool run(struct call *call, struct comparison *c, const char *object)
{
    bool moments[2] = { call_u64(call, "a", &c->sides[A].at), call_u64(call, "b", &c->sides[B].at) };
    bool two = c->sides[A].trace != c->sides[B].trace;
    if (!moments[A] && !moments[B] && two && object == NULL)
        return compare_traces(c);
    if (!moments[A] || !moments[B])
        return call_fail(call, "say two moments, a and b%s",
                         two ? "" : "; or another trace as `other`, to compare the calls of two recordings");
    if (two && object != NULL)
        return call_fail(call, "object: ids of one trace mean nothing in another; compare their frames");
    for (int side = A; side <= B; side++)
        if (hs_event_count(c->sides[side].trace) == 0)
            return call_fail(call, "%s: this trace keeps no events, and so no moments", side == A ? "a" : "b");
        else if (c->sides[side].at >= hs_event_count(c->sides[side].trace))
            return call_fail(call, "%s: the last event of the trace is %llu", side == A ? "a" : "b",
                             (unsigned long long)hs_event_count(c->sides[side].trace) - 1);
    return object != NULL ? compare_object(c, object) : compare_frames(c);
}

bool tool_compare(struct call *call)
{
    struct session s;
    struct rows rows;
    struct comparison c = { .session = &s, .error = HS_ERROR_INIT };
    char number[2][JSON_NUMBER_MAX];
    const char *object = call_text(call, "object", number[0]);
    bool two = call_text(call, "other", number[1]) != NULL;
    struct trace *other = two ? call_trace(call, "other") : call->trace;
    if (other == NULL || !call_begin_rows(call, &s, &rows))
        return false;
    hs_set_progress(other->open, session_step, &call->context);
    c.sides[A].trace = call->trace->open;
    c.sides[B].trace = other->open;
    bool shows[2] = { show_init(&c.sides[A].show, c.sides[A].trace, &s.out),
                      show_init(&c.sides[B].show, c.sides[B].trace, &s.out) };
    bool ok = shows[A] && shows[B] && run(call, &c, object);
    if (c.no_room || !shows[A] || !shows[B])
        ok = call_fail(call, "out of memory");
    else if (!ok && call->error.size == 0 && c.error.text[0] != '\0')
        (void)cli_fail(EXIT_FAILED, s.context, "%s", c.error.text);
    if (ok)
        names_empty(&s, c.rows, 1, "difference");
    for (int side = A; side <= B; side++) {
        struct side *d = &c.sides[side];
        if (shows[side])
            show_done(&d->show);
        hs_cursor_close(d->cursor);
        vec_free(&d->frames);
        vec_free(&d->values);
        arena_done(&d->texts);
    }
    hs_set_progress(other->open, NULL, NULL);
    return call_end_rows(call, &s, &rows, ok);
}
