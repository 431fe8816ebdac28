/* jdwp_threads.c - threads and their frames at the moment. */
#include <stdlib.h>
#include <string.h>

#include "reader/serve/jdwp.h"

#define THREAD_OR_RETURN(thread)                                                                                       \
    uint32_t thread;                                                                                                   \
    if (!jdwp_thread(d, read_u8(in), &thread))                                                                         \
    return JDWP_INVALID_THREAD
/* As the JVM answers: JDWP has no constant for a thread that has not started, it sends -1. */
enum { THREAD_NOT_STARTED = -1, THREAD_RUNNING = 1 };

bool jdwp_thread(struct jdwp *d, uint64_t id, uint32_t *thread)
{
    *thread = (uint32_t)id - 1;
    return id >> 32 == SPACE_THREAD && (uint32_t)id > 0 && hs_thread_get(d->trace, *thread) != NULL;
}

void jdwp_moved(struct jdwp *d)
{
    d->moves++;
    jdwp_forget_made(d);
    d->written = HS_NO_SEQ;
}

/* ---- threads ---- */

static void put_threads(struct jdwp *d, struct writer *out)
{
    const struct hs_thread *t;
    struct writer ids = { 0 };
    uint32_t count = 0;
    hs_cursor *threads;
    if (hs_threads_open(d->trace, &threads, NULL) == 0) {
        for (; hs_thread_next(threads, &t, NULL) > 0;)
            if (t->events > 0 && t->thread < UINT32_MAX) {
                write_u8(&ids, jdwp_id(SPACE_THREAD, t->thread + 1));
                count++;
            }
        hs_cursor_close(threads);
    }
    jdwp_put_rows(out, count, &ids);
}

COMMAND_OF(all_threads)
{
    (void)in;
    put_threads(d, out);
    return JDWP_NONE;
}

COMMAND_OF(thread_name)
{
    THREAD_OR_RETURN(thread);
    const struct hs_thread *t = hs_thread_get(d->trace, thread);
    jdwp_text(out, t->name[0] != '\0' ? t->name : "?");
    return JDWP_NONE;
}

static uint32_t *suspends_of(struct jdwp *d, uint32_t thread)
{
    return vec_extend(&d->thread_suspends, (size_t)thread + 1) ? &d->thread_suspends.items[thread] : NULL;
}

COMMAND_OF(thread_suspend)
{
    THREAD_OR_RETURN(thread);
    uint32_t *n = suspends_of(d, thread);
    (void)out;
    if (n == NULL)
        return JDWP_OUT_OF_MEMORY;
    *n += *n < UINT32_MAX;
    d->run = false;
    return JDWP_NONE;
}

/* The threads of a trace move together: when the one that a client resumes is not suspended any more, all go on. */
COMMAND_OF(thread_resume)
{
    THREAD_OR_RETURN(thread);
    uint32_t *n = suspends_of(d, thread);
    (void)out;
    if (n == NULL)
        return JDWP_OUT_OF_MEMORY;
    if (*n > 0)
        --*n;
    else if (d->suspends > 0)
        d->suspends--;
    d->run = *n == 0 && d->suspends == 0;
    return JDWP_NONE;
}

COMMAND_OF(suspend_count)
{
    THREAD_OR_RETURN(thread);
    const uint32_t *n = suspends_of(d, thread);
    write_u4(out, d->suspends + (n != NULL ? *n : 0));
    return JDWP_NONE;
}

COMMAND_OF(thread_status)
{
    THREAD_OR_RETURN(thread);
    uint64_t seq;
    bool begun = nav_thread_seq(d->nav, thread, &seq, NULL) == OK;
    write_u4(out, (uint32_t)(begun ? THREAD_RUNNING : THREAD_NOT_STARTED));
    write_u4(out, !d->run);
    return JDWP_NONE;
}

COMMAND_OF(is_virtual)
{
    THREAD_OR_RETURN(thread);
    write_u1(out, hs_thread_get(d->trace, thread)->is_virtual);
    return JDWP_NONE;
}

/* ---- the one thread group ---- */

COMMAND_OF(thread_group)
{
    THREAD_OR_RETURN(thread);
    (void)thread;
    write_u8(out, jdwp_id(SPACE_GROUP, 1));
    return JDWP_NONE;
}
COMMAND_OF(top_groups)
{
    (void)d;
    (void)in;
    write_u4(out, 1);
    write_u8(out, jdwp_id(SPACE_GROUP, 1));
    return JDWP_NONE;
}
COMMAND_OF(group_name)
{
    (void)d;
    if (read_u8(in) != jdwp_id(SPACE_GROUP, 1))
        return JDWP_INVALID_OBJECT;
    jdwp_text(out, "main");
    return JDWP_NONE;
}
COMMAND_OF(group_parent)
{
    (void)d;
    if (read_u8(in) != jdwp_id(SPACE_GROUP, 1))
        return JDWP_INVALID_OBJECT;
    write_u8(out, 0);
    return JDWP_NONE;
}
COMMAND_OF(group_children)
{
    if (read_u8(in) != jdwp_id(SPACE_GROUP, 1))
        return JDWP_INVALID_OBJECT;
    put_threads(d, out);
    write_u4(out, 0);
    return JDWP_NONE;
}

/* ---- frames ---- */

struct jdwp_location jdwp_place(struct jdwp *d, uint32_t method_id, uint32_t pc)
{
    const struct hs_method *m = hs_method_get(d->trace, method_id);
    uint64_t type = m != NULL ? jdwp_type_of_class(d, m->class_no) : 0;
    if (type == 0)
        return (struct jdwp_location){ .tag = TYPE_CLASS };
    return (struct jdwp_location){ jdwp_type_tag(d, type), type, (uint64_t)method_id + 1, pc };
}

void jdwp_put_location(struct writer *out, const struct jdwp_location *l)
{
    write_u1(out, l->tag);
    write_u8(out, l->type);
    write_u8(out, l->method);
    write_u8(out, l->pc);
}

const struct hs_frame *jdwp_top(struct jdwp *d, uint32_t thread, struct jdwp_location *at)
{
    const struct hs_frame *const *frames;
    size_t count;
    *at = (struct jdwp_location){ .tag = TYPE_CLASS };
    if (nav_frames(d->nav, thread, &frames, &count, NULL) != OK || count == 0)
        return NULL;
    *at = jdwp_place(d, frames[0]->method_id, frames[0]->pc);
    return frames[0];
}

COMMAND_OF(frames)
{
    THREAD_OR_RETURN(thread);
    const struct hs_frame *const *frames;
    size_t have;
    uint32_t first = read_u4(in), count = read_u4(in);
    if (nav_frames(d->nav, thread, &frames, &have, NULL) != OK)
        return JDWP_INTERNAL;
    if (first > have || (count != UINT32_MAX && count > have - first))
        return JDWP_INVALID_INDEX;
    if (count == UINT32_MAX)
        count = (uint32_t)(have - first);
    write_u4(out, count);
    for (size_t i = first; i < (size_t)first + count; i++) {
        struct jdwp_location at = jdwp_place(d, frames[i]->method_id, frames[i]->pc);
        write_u8(out, (uint64_t)d->moves << 32 | i);
        jdwp_put_location(out, &at);
    }
    return JDWP_NONE;
}

COMMAND_OF(frame_count)
{
    THREAD_OR_RETURN(thread);
    const struct hs_frame *const *frames;
    size_t have;
    if (nav_frames(d->nav, thread, &frames, &have, NULL) != OK)
        return JDWP_INTERNAL;
    write_u4(out, (uint32_t)have);
    return JDWP_NONE;
}

/* The frame with an id of the present stop. */
static enum jdwp_error frame_of(struct jdwp *d, struct reader *in, uint32_t *thread, size_t *depth,
                                const struct hs_frame **frame)
{
    const struct hs_frame *const *frames;
    size_t have;
    if (!jdwp_thread(d, read_u8(in), thread))
        return JDWP_INVALID_THREAD;
    uint64_t id = read_u8(in);
    *depth = (uint32_t)id;
    if (id >> 32 != d->moves || nav_frames(d->nav, *thread, &frames, &have, NULL) != OK || *depth >= have)
        return JDWP_INVALID_FRAMEID;
    *frame = frames[*depth];
    return JDWP_NONE;
}

static bool in_slot(const struct hs_variable *const *v, size_t count, uint32_t slot, struct expression_value *out)
{
    for (size_t i = 0; i < count; i++)
        if (v[i]->slot == slot) {
            *out = (struct expression_value){ .known = true, .kind = v[i]->kind, .bits = v[i]->value };
            return true;
        }
    return false;
}

COMMAND_OF(frame_values)
{
    uint32_t thread;
    size_t depth;
    const struct hs_frame *f;
    enum jdwp_error error = frame_of(d, in, &thread, &depth, &f);
    uint32_t count = read_u4(in);
    if (error != JDWP_NONE)
        return error;
    if (count > UINT16_MAX)
        return JDWP_INVALID_LENGTH;
    write_u4(out, count);
    for (uint32_t i = 0; i < count && !in->bad; i++) {
        uint32_t slot = read_u4(in);
        struct expression_value v = { 0 };
        (void)read_u1(in);
        if (!in_slot(f->locals, f->local_count, slot, &v) && !in_slot(f->parameters, f->parameter_count, slot, &v) &&
            slot == 0 && f->has_this)
            v = (struct expression_value){ .known = true, .kind = HS_KIND_REF, .bits = f->self };
        jdwp_put_value(d, out, &v);
    }
    return JDWP_NONE;
}

COMMAND_OF(frame_this)
{
    uint32_t thread;
    size_t depth;
    const struct hs_frame *f;
    enum jdwp_error error = frame_of(d, in, &thread, &depth, &f);
    if (error == JDWP_NONE)
        jdwp_put_object(d, out, f->has_this ? f->self : 0);
    return error;
}

/* Back to the caller, just before the call of the outermost frame that is popped. */
COMMAND_OF(pop_frames)
{
    uint32_t thread;
    size_t depth, count;
    const struct hs_frame *f;
    const struct hs_frame *const *frames;
    struct nav_stop stop;
    uint64_t before = nav_seq(d->nav);
    enum jdwp_error error = frame_of(d, in, &thread, &depth, &f);
    (void)out;
    if (error != JDWP_NONE)
        return error;
    if (nav_frames(d->nav, thread, &frames, &count, NULL) != OK || depth + 1 >= count)
        return JDWP_NO_MORE_FRAMES;
    d->time = TIME_PASSES;
    enum status st = OK;
    for (size_t i = 0; st == OK && i <= depth; i++)
        st = nav_step(d->nav, thread, NAV_OUT, NAV_EVENT, NAV_BACKWARD, &stop, NULL);
    d->time = TIME_RUNS;
    if (st != OK)
        (void)nav_go(d->nav, before, NULL);
    jdwp_moved(d);
    return st == OK ? JDWP_NONE : JDWP_INTERNAL;
}

/* ---- monitors ---- */

static enum jdwp_error monitors(struct jdwp *d, struct reader *in, struct writer *out, bool with_depth)
{
    THREAD_OR_RETURN(thread);
    const struct hs_frame *const *frames;
    struct writer rows = { 0 };
    uint32_t count = 0;
    size_t have;
    if (nav_frames(d->nav, thread, &frames, &have, NULL) != OK)
        return JDWP_INTERNAL;
    for (size_t i = 0; i < have; i++)
        for (size_t k = 0; k < frames[i]->monitor_count; k++, count++) {
            jdwp_put_object(d, &rows, (uint32_t)frames[i]->monitors[k]->object);
            if (with_depth)
                write_u4(&rows, (uint32_t)i);
        }
    jdwp_put_rows(out, count, &rows);
    return JDWP_NONE;
}
COMMAND_OF(owned_monitors) { return monitors(d, in, out, false); }
COMMAND_OF(owned_monitors_depth) { return monitors(d, in, out, true); }

static uint32_t held_by(struct jdwp *d, uint32_t thread, uint64_t object)
{
    const struct hs_frame *const *frames;
    size_t have;
    uint32_t count = 0;
    if (nav_frames(d->nav, thread, &frames, &have, NULL) != OK)
        return 0;
    for (size_t i = 0; i < have; i++)
        for (size_t k = 0; k < frames[i]->monitor_count; k++)
            count += frames[i]->monitors[k]->object == object;
    return count;
}

/* The thread that holds the monitor of an object, and how often. Those that wait for it are not known. */
COMMAND_OF(monitor_info)
{
    uint64_t object = read_u8(in), owner = 0;
    const struct hs_thread *t;
    uint32_t count = 0;
    hs_cursor *threads;
    if (object == 0 || object >> 32 != SPACE_OBJECT)
        return JDWP_INVALID_OBJECT;
    if (hs_threads_open(d->trace, &threads, NULL) == 0) {
        while (count == 0 && hs_thread_next(threads, &t, NULL) > 0)
            if (t->events > 0 && (count = held_by(d, t->thread, object)) > 0)
                owner = jdwp_id(SPACE_THREAD, t->thread + 1);
        hs_cursor_close(threads);
    }
    write_u8(out, owner);
    write_u4(out, count);
    write_u4(out, 0);
    return JDWP_NONE;
}

/* What a thread waits for is not known at its latest event alone: none. */
COMMAND_OF(contended_monitor)
{
    THREAD_OR_RETURN(thread);
    (void)thread;
    jdwp_put_object(d, out, 0);
    return JDWP_NONE;
}
