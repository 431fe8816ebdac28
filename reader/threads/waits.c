/* waits.c - hs_thread_states_open: where the threads are, from thread_state.h; hs_deadlocks_open: circles of them.
 *
 * A thread waits for one other thread at most, so each circle is found by following the owners from any of its
 * threads. */
#include <stdlib.h>

#include "reader/cursor/cursor.h"
#include "reader/threads/thread_state.h"

struct states {
    struct list_answer base;
    struct thread_states read;
    struct hs_thread_state *rows; /* as read.list */
};

static int no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

/* ---- states ---- */

static bool add_frames(struct arena *a, const struct thread_state *s, struct hs_thread_state *row)
{
    const uint64_t count = thread_frames_begin(s);
    const struct hs_frame **frames = arena_array(a, (size_t)count + 1, sizeof *frames);
    if (frames == NULL)
        return false;
    while (row->frame_count < count && hs_frame_next(s->frames, &frames[row->frame_count], NULL) > 0)
        row->frame_count++;
    row->frames = s->frames != NULL ? frames : NULL;
    return true;
}

static bool make_rows(struct states *s)
{
    const size_t count = s->read.list.count;
    bool room = (s->rows = arena_array(&s->base.arena, count + 1, sizeof *s->rows)) != NULL;
    for (size_t i = 0; room && i < count; i++) {
        const struct thread_state *from = &s->read.list.items[i];
        s->rows[i] = (struct hs_thread_state){ .thread = from->thread,
                                               .last = from->placed ? &from->last : NULL,
                                               .wait = from->wait,
                                               .timed = from->timed,
                                               .since = from->since,
                                               .object = from->object,
                                               .of_class = from->of_class,
                                               .owner = from->owner != NO_STATE ? &s->rows[from->owner] : NULL,
                                               .held_since = from->held_since,
                                               .holds = from->holds,
                                               .outside = from->outside };
        room = add_frames(&s->base.arena, from, &s->rows[i]);
    }
    return room;
}

static void states_done(struct list_answer *base)
{
    struct states *s = (struct states *)base;
    thread_states_free(&s->read);
    arena_done(&base->arena);
    free(s);
}

int hs_thread_states_open(hs_trace *trace, uint64_t seq, hs_cursor **out, struct hs_error *error)
{
    struct hs_error why = HS_ERROR_INIT;
    struct states *s = calloc(1, sizeof *s);
    if (s == NULL)
        return no_memory(error);
    s->base.done = states_done;
    if (thread_states_read(trace, seq, &s->read, &why) != 0)
        (void)error_set(&s->base.failed, (enum status)why.code, "%s", why.text);
    if (!make_rows(s)) {
        list_answer_free(&s->base);
        return no_memory(error);
    }
    return cursor_over(ROW_thread_state, s->rows, sizeof *s->rows, s->read.list.count, &s->base, out, error);
}

/* ---- deadlocks ---- */

/* The thread that holds the monitor which this one waits to enter; NULL: there is none. */
static const struct hs_thread_state *next_in_circle(const struct hs_thread_state *t)
{
    return t->wait == HS_WAIT_ENTER ? t->owner : NULL;
}

/* The circle that a thread is on, from its thread with the lowest number on; false: out of memory. */
static bool make_deadlock(struct arena *a, const struct hs_thread_state *on, struct hs_deadlock *out)
{
    const struct hs_thread_state *first = on, *at = on;
    size_t count = 0;
    do {
        first = at < first ? at : first;
        count++;
        at = next_in_circle(at);
    } while (at != on);
    const struct hs_thread_state **threads = arena_array(a, count, sizeof *threads);
    at = first;
    for (size_t i = 0; threads != NULL && i < count; i++, at = next_in_circle(at))
        threads[i] = at;
    *out = (struct hs_deadlock){ count, threads };
    return threads != NULL;
}

/* Follows the owners from a thread on: the circle that is found first by this walk; NULL: none. `walks` has, for each
 * thread, the walk that has come to it (0: none). */
static const struct hs_thread_state *find_circle(const struct states *s, size_t from, uint32_t *walks)
{
    const uint32_t walk = (uint32_t)from + 1;
    const struct hs_thread_state *at = &s->rows[from];
    while (at != NULL && walks[at - s->rows] == 0) {
        walks[at - s->rows] = walk;
        at = next_in_circle(at);
    }
    return at != NULL && walks[at - s->rows] == walk ? at : NULL;
}

int hs_deadlocks_open(hs_cursor *states, hs_cursor **out, struct hs_error *error)
{
    const struct states *s = (struct states *)cursor_answer(states, ROW_thread_state);
    if (s == NULL)
        return give(error,
                    &(struct error){ .status = ERR_USAGE, .text = "this cursor does not give states of threads" });
    if (s->base.failed.status != OK)
        return give(error, &s->base.failed);
    const size_t count = s->read.list.count;
    size_t found = 0;
    struct list_answer *answer = list_answer_new();
    struct hs_deadlock *rows = answer != NULL ? arena_array(&answer->arena, count + 1, sizeof *rows) : NULL;
    uint32_t *walks = calloc(count + 1, sizeof *walks);
    bool room = rows != NULL && walks != NULL;
    for (size_t i = 0; room && i < count; i++) {
        const struct hs_thread_state *on = find_circle(s, i, walks);
        room = on == NULL || make_deadlock(&answer->arena, on, &rows[found]);
        found += on != NULL;
    }
    free(walks);
    if (!room) {
        list_answer_free(answer);
        return no_memory(error);
    }
    return cursor_over(ROW_deadlock, rows, sizeof *rows, found, answer, out, error);
}
