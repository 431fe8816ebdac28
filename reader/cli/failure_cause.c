/* failure_cause.c - the exception that a page is about, and its frames. What a framework or the JVM throws for another
 * exception (assertThrows of the wrong type, ExecutionException, ExceptionInInitializerError) says less than that one;
 * and a framework may keep one that it has thrown and caught itself (ErrorCollector). */
#include <stdio.h>
#include <string.h>

#include "formats/event.h"
#include "reader/cli/failure_parts.h"

enum { CAUSES_MAX = 16, BACK_MAX = 100000 };

uint64_t failure_first_flight(hs_trace *t, uint64_t id, uint64_t before)
{
    unsigned events[EVENT_LIMIT];
    const size_t count = event_list(USE_EXCEPTION, events);
    const struct hs_filter filter = {
        .size = sizeof filter, .to = before, .events = events, .event_count = count, .object = (uint32_t)id
    };
    const struct hs_event *e;
    hs_cursor *found;
    if (id == 0 || id > UINT32_MAX || hs_events_open(t, &filter, &found, NULL) != 0)
        return HS_NO_SEQ;
    const uint64_t seq = hs_event_next(found, &e, NULL) > 0 ? e->seq : HS_NO_SEQ;
    hs_cursor_close(found);
    return seq < before ? seq : HS_NO_SEQ;
}

static uint64_t first_flight(hs_trace *t, const struct failure *f, uint64_t id)
{
    return failure_first_flight(t, id, f->row.test->end);
}

/* The frames of the program at this moment. */
static int frames_at(hs_trace *t, struct failure *f, uint64_t moment, failure_frame_vec *out,
                     const struct hs_frame **library, struct hs_error *error)
{
    const struct hs_frame *frame, *before = NULL;
    int more;
    hs_cursor *stack;
    *library = NULL;
    if (hs_frames_open(t, moment, &stack, error) != 0 || failure_keep(f, stack, error) != 0)
        return -1;
    while ((more = hs_frame_next(stack, &frame, error)) > 0) {
        const bool own = failure_own_class(t, frame->method_id) != NULL;
        if (!own && out->count > 0)
            break;
        if (own && out->count == 0)
            *library = before;
        struct hs_frame *to = own ? vec_push(out) : NULL;
        if (own && to == NULL)
            return failure_no_memory(error);
        if (own)
            *to = *frame;
        before = frame;
    }
    return more < 0 ? -1 : 0;
}

/* The page is about this exception, if the program was running when it was thrown. */
static int take_flight(hs_trace *t, struct failure *f, uint32_t id, uint64_t thrown, const struct hs_frame **library,
                       struct hs_error *error)
{
    failure_frame_vec frames = { 0 };
    const struct hs_frame *called;
    const int failed = thrown != HS_NO_SEQ ? frames_at(t, f, thrown, &frames, &called, error) : 0;
    if (failed != 0 || frames.count == 0) {
        vec_free(&frames);
        return failed;
    }
    vec_free(&f->frames);
    f->frames = frames;
    f->thrown = f->moment = f->until = thrown;
    f->cause = id;
    *library = called;
    return 0;
}

/* ---- which exception ---- */

/* Has code of the program thrown it itself? */
static bool thrown_by_program(hs_trace *t, const struct failure *f)
{
    const struct hs_event *e;
    const struct hs_dataid *d =
        f->thrown != HS_NO_SEQ && hs_event_at(t, f->thrown, &e, NULL) == 0 ? hs_dataid_get(t, e->dataid) : NULL;
    return d != NULL && d->event == HS_EVENT_METHOD_THROW && failure_own_class(t, d->method_id) != NULL;
}

/* The last event of a method that ended in an exception, from seq `from` up to `to`. */
static bool left_method(hs_trace *t, const char *class_name, const char *method, uint64_t from, uint64_t to,
                        struct hs_event *out)
{
    const unsigned exits = HS_EVENT_METHOD_EXCEPTIONAL_EXIT;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    filter.from = from;
    filter.to = to;
    filter.events = &exits;
    filter.event_count = 1;
    filter.class_glob = class_name;
    filter.method_glob = method;
    if (hs_events_open(t, &filter, &events, NULL) != 0)
        return false;
    const bool found = hs_cursor_seek(events, HS_NO_SEQ, NULL) >= 0 && hs_event_previous(events, &e, NULL) > 0;
    if (found)
        *out = *e;
    hs_cursor_close(events);
    return found;
}

/* The JVM refuses a class because its initializer has failed before, maybe in another test. */
static int find_initializer(hs_trace *t, struct failure *f, const struct hs_frame **library, struct hs_error *error)
{
    static const char refused[] = "Could not initialize class ";
    const char *message = f->row.thrown != NULL ? f->row.thrown->message : NULL;
    struct hs_event e;
    if (message == NULL || strncmp(message, refused, strlen(refused)) != 0 ||
        !left_method(t, message + strlen(refused), "<clinit>", 0, f->row.test->end, &e) || e.value - 1 >= UINT32_MAX)
        return 0;
    return take_flight(t, f, (uint32_t)e.value, first_flight(t, f, e.value), library, error);
}

/* The innermost cause, or what it has suppressed, that came from the program; else what has left the test method. */
static int find_cause(hs_trace *t, struct failure *f, const struct hs_frame **library, struct hs_error *error)
{
    const struct hs_test *test = f->row.test;
    const struct hs_thrown *x = f->row.thrown;
    struct hs_event e;
    for (size_t i = 0; i < CAUSES_MAX && x != NULL; i++) {
        const uint64_t next = x->cause != 0 ? x->cause : x->suppressed_count > 0 ? x->suppressed[0] : 0;
        x = next - 1 < UINT32_MAX ? hs_thrown_get(t, (uint32_t)next) : NULL;
        if (x != NULL && take_flight(t, f, x->id, first_flight(t, f, x->id), library, error) != 0)
            return -1;
    }
    if (f->cause == 0 && find_initializer(t, f, library, error) != 0)
        return -1;
    if (f->frames.count > 0 || f->entered == HS_NO_SEQ ||
        !left_method(t, test->class_name, test->method, f->entered, test->end, &e) || e.value - 1 >= UINT32_MAX)
        return 0;
    return take_flight(t, f, (uint32_t)e.value, first_flight(t, f, e.value), library, error);
}

/* ---- an exception that no event shows ---- */

/* The last event of the last call in this line, in the test. */
static bool last_call(hs_trace *t, const struct failure *f, const struct hs_stack_frame *at, uint64_t *out)
{
    const unsigned types[] = { HS_EVENT_CALL, HS_EVENT_CALL_PARAM };
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    bool found = false;
    filter.from = f->row.test->begin;
    filter.to = f->row.test->end;
    filter.events = types;
    filter.event_count = sizeof types / sizeof *types;
    filter.class_glob = at->class_name;
    filter.method_glob = at->method;
    if (hs_events_open(t, &filter, &events, NULL) != 0)
        return false;
    int more = hs_cursor_seek(events, HS_NO_SEQ, NULL);
    for (size_t i = 0; more >= 0 && !found && i < BACK_MAX && (more = hs_event_previous(events, &e, NULL)) > 0; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        found = d != NULL && d->line == at->line;
        *out = found ? e->seq : *out;
    }
    hs_cursor_close(events);
    return found;
}

/* The innermost line of the program in its stack trace, and the last call there. */
static int find_by_stack(hs_trace *t, struct failure *f, const struct hs_frame **library, struct hs_error *error)
{
    const struct hs_thrown *x = f->row.thrown;
    for (size_t i = 0; x != NULL && i < x->frame_count; i++) {
        const struct hs_stack_frame *at = x->frames[i];
        if (test_library(at->class_name))
            continue;
        return last_call(t, f, at, &f->moment) ? frames_at(t, f, f->until = f->moment, &f->frames, library, error) : 0;
    }
    return 0;
}

int failure_find_frames(hs_trace *t, struct failure *f, const struct hs_frame **library, struct hs_error *error)
{
    *library = NULL;
    if (f->moment != HS_NO_SEQ && frames_at(t, f, f->moment, &f->frames, library, error) != 0)
        return -1;
    if (f->stopped || f->row.test->exception == 0 || thrown_by_program(t, f))
        return 0;
    if (find_cause(t, f, library, error) != 0)
        return -1;
    return f->frames.count == 0 ? find_by_stack(t, f, library, error) : 0;
}
