/* failure_next.c - what to ask after a page about a test, and places; see failure_show.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/failure_show.h"

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

/* As a command, where %s is the trace, and as a call of a tool of mcp; NULL: it has none. */
static const struct {
    const char *command, *call;
} questions[] = {
    [FAILURE_SLICE] = { "hindsight slice --limit 100 %s %llu", "why {\"at\":%llu,\"slice\":true}" },
    [FAILURE_OPEN] = { "hindsight calls %s --open %llu", "call {\"at\":%llu}" },
    [FAILURE_WHY] = { "hindsight why %s %llu --all --control --depth 8",
                      "why {\"at\":%llu,\"all\":true,\"control\":true}" },
    [FAILURE_THREADS] = { "hindsight threads %s --at %llu", NULL },
    [FAILURE_CONTROL] = { "hindsight why %s %llu --control", "why {\"at\":%llu,\"control\":true}" },
    [FAILURE_STATE] = { "hindsight locals %s --at %llu", "evaluate {\"at\":%llu}" },
    [FAILURE_RACES] = { "hindsight races %s", NULL },
    [FAILURE_TREE] = { "hindsight tree %s --from %llu --to %llu", NULL },
};

struct asking {
    struct failure_next *next;
    const char *dir; /* NULL: calls of tools */
};

static struct asking ask(const struct show *s, bool calls, struct failure_next *next)
{
    return (struct asking){ next, calls ? NULL : shell_word(hs_dir(s->trace), next->room, sizeof next->room) };
}

static void add_next(struct asking *a, enum failure_question q, uint64_t at, uint64_t to)
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
    struct asking a = ask(s, calls, next);
    const uint64_t actual = f->has_actual ? f->actual.seq : HS_NO_SEQ, call = call_of_value(s, f);
    add_next(&a, FAILURE_SLICE, f->has_actual ? actual : f->thrown, 0);
    add_next(&a, FAILURE_OPEN, call, 0);
    add_next(&a, FAILURE_WHY, actual, 0);
    add_next(&a, FAILURE_OPEN, f->entered, 0);
    add_next(&a, FAILURE_THREADS, f->threads.count > 0 ? f->until : HS_NO_SEQ, 0);
    /* an assertion that compares throws because of the value: why that was computed says more */
    add_next(&a, FAILURE_CONTROL, f->has_actual && call != HS_NO_SEQ ? call : f->thrown, 0);
    add_next(&a, FAILURE_STATE, f->moment, 0);
    add_next(&a, FAILURE_RACES, f->races_left_out ? 0 : HS_NO_SEQ, 0);
    add_next(&a, FAILURE_TREE, f->row.test->end != HS_NO_SEQ ? f->row.test->begin : HS_NO_SEQ, f->row.test->end);
}

void failure_more_text(struct show *s, size_t more, const char *what, enum failure_question q, uint64_t at, bool calls)
{
    struct failure_next *next = calloc(1, sizeof *next);
    if (more > 0)
        out_format(s->out, "              ... and %zu more%s", more, what);
    else
        out_text(s->out, "              ... there are more");
    if (next != NULL) {
        struct asking a = ask(s, calls, next);
        add_next(&a, q, at, 0);
    }
    if (next != NULL && next->count > 0)
        out_format(s->out, ": %s", next->commands[0]);
    out_char(s->out, '\n');
    free(next);
}

void failure_place_text(struct show *s, uint32_t method_id, struct spot spot, bool source)
{
    const struct hs_method *m = hs_method_get(s->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    out_class(s->out, c->name);
    out_char(s->out, '.');
    out_name(s->out, m->name);
    out_spot(s->out, c, spot);
    if (source)
        show_source_text(s, c->class_no, spot);
}
