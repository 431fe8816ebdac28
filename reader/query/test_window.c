/* test_window.c - the call that a test is made of: what it read before it wrote it, what it wrote, whom it called.
 *
 * All events of its thread from its METHOD_ENTRY to its exit, those of the calls that it made included. */
#include "reader/query/test_builder.h"

#include "reader/query/access.h"

static void fail(struct test_builder *b, const struct hs_error *e)
{
    if (b->status == OK)
        b->status = state_take(e, b->err);
}

/* The METHOD_ENTRY of the frame that the event stands in. */
static bool find_entry(struct test_builder *b, uint64_t seq)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    hs_cursor *frames = NULL;
    const struct hs_frame *f;
    if (hs_event_at(b->trace, seq, &e, &error) != 0) {
        fail(b, &error);
        return false;
    }
    if (event_type(b->trace, e->dataid) != EVENT_METHOD_ENTRY) {
        if (hs_frames_open(b->trace, seq, &frames, &error) != 0) {
            fail(b, &error);
            return false;
        }
        const bool found = hs_frame_next(frames, &f, &error) > 0;
        const uint64_t entered = found ? f->entered : HS_NO_SEQ;
        hs_cursor_close(frames);
        if (entered == HS_NO_SEQ || hs_event_at(b->trace, entered, &e, &error) != 0) {
            b->status = error_set(b->err, ERR_NOT_FOUND, "event %llu stands in no call whose METHOD_ENTRY is recorded",
                                  (unsigned long long)seq);
            return false;
        }
    }
    b->entry = *e;
    return true;
}

/* ---- fields and elements ---- */

static struct test_object *object_of(struct test_builder *b, uint64_t id)
{
    struct test_object *o = map_put(&b->objects, id);
    if (o == NULL)
        test_memory(b);
    return o;
}

/* NULL: out of memory. */
static struct test_member *member(struct test_builder *b, const struct test_member *like)
{
    const uint64_t parts[] = { like->object,
                               like->name != NULL ? map_hash(like->name, strlen(like->name)) : like->index,
                               like->name != NULL ? map_hash(like->declaring, strlen(like->declaring)) : 0 };
    struct test_member_at *at = map_put(&b->member_of, map_hash(parts, sizeof parts) | 1);
    struct test_member *m = NULL;
    if (at != NULL && at->at != 0)
        return &b->members.items[at->at - 1];
    if (at == NULL || b->members.count >= UINT32_MAX - 1 || (m = vec_push(&b->members)) == NULL) {
        test_memory(b);
        return NULL;
    }
    at->at = (uint32_t)b->members.count;
    *m = *like;
    struct test_object *o = like->object != 0 ? object_of(b, like->object) : NULL;
    uint32_t *number = o != NULL ? vec_push(&o->list) : NULL;
    if (number != NULL)
        *number = at->at - 1;
    return m;
}

static bool is_write(unsigned event)
{
    return event == EVENT_PUT_INSTANCE_FIELD || event == EVENT_PUT_STATIC_FIELD || event == EVENT_ARRAY_STORE;
}

static void note_access(struct test_builder *b, const struct hs_event *e, const struct hs_dataid *d)
{
    struct heap_access access;
    struct error err;
    struct test_member like = { .name = attribute_text(d, "name") };
    const bool is_static = d->event == EVENT_GET_STATIC_FIELD;
    const enum status st = is_static ? OK : access_at(b->trace, e, &access, &err);
    if (st == ERR_NOT_FOUND)
        return;
    if (st != OK) {
        b->status = st;
        *b->err = err;
        return;
    }
    if (is_static)
        access = (struct heap_access){ .value = *e };
    like.object = access.object;
    like.index = access.index;
    if (d->event == EVENT_ARRAY_LOAD || d->event == EVENT_ARRAY_STORE) {
        like.name = NULL;
    } else {
        const struct field f = sites_field(b->trace, e->dataid);
        like.declaring = f.declaring;
        like.is_final = f.is_final;
        if (like.name == NULL || like.declaring == NULL)
            return;
    }
    struct test_member *m = member(b, &like);
    const struct hs_value v = { access.value.value, access.value.kind };
    if (m == NULL)
        return;
    if (is_write(d->event)) {
        m->written = true;
        m->after = v;
    } else if (!m->written && !m->read) {
        m->read = true;
        m->before = v;
    }
}

/* ---- calls ---- */

struct open_site {
    uint32_t depth;
    struct hs_event call;
    const struct hs_dataid *site;
    bool woven;
};
typedef VEC(struct open_site) site_stack;

static void call_begins(struct test_builder *b, site_stack *open, uint32_t depth, const struct hs_event *e,
                        const struct hs_dataid *d)
{
    struct open_site *s = vec_push(open);
    if (s == NULL) {
        test_memory(b);
        return;
    }
    *s = (struct open_site){ depth, *e, d, false };
}

/* Is it an object of a woven class, or none? What a lambda answers counts as that of a class that is not. */
static bool is_woven(struct test_builder *b, uint64_t id)
{
    const struct hs_object *o = id != 0 && id <= UINT32_MAX ? hs_object_get(b->trace, (uint32_t)id) : NULL;
    const struct hs_class *c = o != NULL && o->type != NULL ? hs_class_find(b->trace, o->type, 0) : NULL;
    return id == 0 || (c != NULL && c->state == HS_CLASS_WOVEN);
}

static void call_ends(struct test_builder *b, const struct open_site *s, const struct hs_event *result,
                      uint64_t exception)
{
    if (s->woven && is_woven(b, s->call.kind == HS_KIND_REF ? s->call.value : 0))
        return;
    struct test_outside *o = vec_push(&b->outside);
    if (o == NULL) {
        test_memory(b);
        return;
    }
    *o = (struct test_outside){ .receiver = s->call.kind == HS_KIND_REF ? s->call.value : 0, .site = s->site };
    if (result != NULL)
        o->result = (struct hs_value){ result->value, result->kind };
    o->threw = exception != 0;
    o->exception = exception;
    struct test_object *t = o->receiver != 0 ? object_of(b, o->receiver) : NULL;
    if (t != NULL)
        t->called = true;
}

static void call_returns(struct test_builder *b, site_stack *open, uint32_t depth, const struct hs_event *e,
                         const struct hs_dataid *d)
{
    const struct hs_dataid *site = call_site(b->trace, d);
    while (open->count > 0 && open->items[open->count - 1].depth >= depth) {
        const struct open_site s = open->items[--open->count];
        if (s.depth == depth && site != NULL && s.site->dataid == site->dataid) {
            call_ends(b, &s, e, 0);
            return;
        }
    }
}

/* An exception was caught in the frame at `depth`, or left it: its calls have ended. */
static void calls_end(struct test_builder *b, site_stack *open, uint32_t depth, uint64_t exception)
{
    while (open->count > 0 && open->items[open->count - 1].depth >= depth) {
        const struct open_site s = open->items[--open->count];
        call_ends(b, &s, NULL, exception);
    }
}

static void note_passed(struct test_builder *b, const site_stack *open, const struct hs_event *e)
{
    struct test_object *o = e->kind == HS_KIND_REF && e->value != 0 ? object_of(b, e->value) : NULL;
    if (o != NULL && open->count > 0)
        o->passed = true;
}

static unsigned parameters_of(const struct test_builder *b)
{
    const char *desc = b->method->row->desc;
    return descriptor_count((struct text){ desc, strlen(desc) });
}

static void take(struct test_builder *b, site_stack *open, uint32_t *depth, const struct hs_event *e)
{
    const struct hs_dataid *d = dataid_or_none(b->trace, e->dataid);
    switch (d->event) {
    case EVENT_METHOD_ENTRY:
        if (open->count > 0 && open->items[open->count - 1].depth == *depth)
            open->items[open->count - 1].woven = true;
        ++*depth;
        break;
    case EVENT_METHOD_PARAM: {
        struct hs_value *v =
            *depth == 1 && d->method_id == b->method->row->method_id && b->arguments.count < parameters_of(b)
                ? vec_push(&b->arguments)
                : NULL;
        if (v != NULL)
            *v = (struct hs_value){ e->value, e->kind };
        break;
    }
    case EVENT_METHOD_OBJECT_INITIALIZED:
        if (*depth == 1 && b->method->is_constructor)
            b->self = e->value;
        break;
    case EVENT_CALL: call_begins(b, open, *depth, e, d); break;
    case EVENT_CALL_PARAM: note_passed(b, open, e); break;
    case EVENT_CALL_RETURN: call_returns(b, open, *depth, e, d); break;
    case EVENT_CATCH: calls_end(b, open, *depth, e->value); break;
    case EVENT_METHOD_NORMAL_EXIT:
    case EVENT_METHOD_EXCEPTIONAL_EXIT:
        calls_end(b, open, *depth, d->event == EVENT_METHOD_EXCEPTIONAL_EXIT ? e->value : 0);
        --*depth;
        if (*depth == 0) {
            b->left = true;
            b->threw = d->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
            b->exit = *e;
        }
        break;
    case EVENT_EVENTS_LEFT_OUT: test_refuse(b, "events of the call are missing because of percall="); break;
    case EVENT_GET_INSTANCE_FIELD:
    case EVENT_GET_STATIC_FIELD:
    case EVENT_PUT_INSTANCE_FIELD:
    case EVENT_PUT_STATIC_FIELD:
    case EVENT_ARRAY_LOAD:
    case EVENT_ARRAY_STORE: note_access(b, e, d); break;
    default: break;
    }
}

static void read_events(struct test_builder *b)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct hs_error error = HS_ERROR_INIT;
    site_stack open = { 0 };
    hs_cursor *c = NULL;
    const struct hs_event *e;
    uint32_t depth = 0;
    int more = 1;
    filter.from = b->entry.seq;
    filter.threads = &b->entry.thread;
    filter.thread_count = 1;
    if (hs_events_open(b->trace, &filter, &c, &error) != 0) {
        fail(b, &error);
        return;
    }
    for (uint64_t n = 0; !b->left && !test_stopped(b) && (more = hs_event_next(c, &e, &error)) > 0; n++) {
        const struct hs_event now = *e;
        if (n >= HS_TEST_EVENTS_MAX)
            test_refuse(b, "the call has more than %d events", HS_TEST_EVENTS_MAX);
        else
            take(b, &open, &depth, &now);
    }
    hs_cursor_close(c);
    vec_free(&open);
    if (more < 0)
        fail(b, &error);
    else if (!b->left)
        test_refuse(b, "the call had not ended when the recording did");
}

void test_read_call(struct test_builder *b, uint64_t seq)
{
    if (!find_entry(b, seq))
        return;
    const struct hs_dataid *d = dataid_or_none(b->trace, b->entry.dataid);
    b->method = method_get(b->trace, d->method_id);
    if (b->method == NULL) {
        test_refuse(b, "the class file of the method is not in the trace");
        return;
    }
    b->self = b->method->is_static ? 0 : b->entry.value;
    read_events(b);
    if (!test_stopped(b) && b->arguments.count < parameters_of(b))
        test_refuse(b, "its parameters were not recorded (weave= with PARAM)");
}
