/* answers.c - answers TRACE: the questions of the library, many in one process.
 *
 * Each line of standard input is a question, its words separated by tabs; the answer is lines of such words and a line
 * with a dot. A value is a letter (as in struct hs_event) and its bits, an absent number is "-". What fails answers
 * "failed" and the sentence. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/trace.h"

enum { WORDS_MAX = 16, LINE_MAX_BYTES = 1 << 16 };
static hs_trace *trace;
static struct hs_error error = HS_ERROR_INIT;

static uint64_t number(const char *text)
{
    return text == NULL || strcmp(text, "-") == 0 ? HS_NO_SEQ : strtoull(text, NULL, 10);
}

static void show(uint64_t n)
{
    if (n == HS_NO_SEQ)
        (void)printf("\t-");
    else
        (void)printf("\t%" PRIu64, n);
}

static void show_value(char kind, uint64_t bits) { (void)printf("\t%c\t%" PRIu64, kind == 0 ? '-' : kind, bits); }

static void show_method(uint32_t id)
{
    const struct hs_method *m = hs_method_get(trace, id);
    const struct hs_class *c = m != NULL ? hs_class_get(trace, m->class_no) : NULL;
    (void)printf("\t%s\t%s\t%s", c != NULL ? c->name : "?", m != NULL ? m->name : "?", m != NULL ? m->desc : "?");
}

static void show_event(const char *what, const struct hs_event *e)
{
    (void)printf("%s\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32, what, e->seq, e->thread, e->dataid);
    show_value(e->kind, e->value);
}

/* ---- objects ---- */

static int object(char **w)
{
    const struct hs_object_state *s;
    if (hs_object_at(trace, (uint32_t)number(w[1]), number(w[2]), &s, &error) != 0)
        return -1;
    (void)printf("object");
    show(s->created);
    show(s->first);
    show(s->last);
    show(s->has_length ? s->length : HS_NO_SEQ);
    show(s->handed != NULL ? s->handed->seq : HS_NO_SEQ);
    (void)printf("\n");
    for (size_t i = 0; i < s->field_count + s->element_count; i++) {
        const struct hs_member *m = i < s->field_count ? s->fields[i] : s->elements[i - s->field_count];
        if (m->name != NULL)
            (void)printf("field\t%s", m->name);
        else
            (void)printf("element\t%" PRIu64, m->index);
        show_value(m->kind, m->value);
        show(m->event->seq);
        (void)printf("\t%d\t%d\n", m->stale, m->is_default);
    }
    return 0;
}

/* The length of an array by itself has to be that of its state: "length" and a number, or nothing. */
static int length(char **w)
{
    uint64_t n = 0;
    int known = hs_array_length(trace, (uint32_t)number(w[1]), &n, &error);
    if (known > 0)
        (void)printf("length\t%" PRIu64 "\n", n);
    return known < 0 ? -1 : 0;
}

/* The instance fields that the woven class of this name declares itself. */
static int fields(char **w)
{
    const struct hs_field *f;
    for (size_t i = 0; (f = hs_field_get(trace, w[1], number(w[2]), i)) != NULL; i++)
        if (!f->is_static)
            (void)printf("field\t%s\t%s\n", f->name, f->type);
    return 0;
}

static int handed(char **w)
{
    const struct hs_handover *h;
    int found = hs_handed_over(trace, (uint32_t)number(w[1]), number(w[2]), number(w[3]), &h, &error);
    if (found > 0)
        (void)printf("handed\t%" PRIu64 "\n", h->seq);
    return found < 0 ? -1 : 0;
}

static int life(char **w)
{
    const struct hs_life *l;
    int found = hs_life_get(trace, (uint32_t)number(w[1]), &l, &error);
    if (found < 0)
        return -1;
    (void)printf("life");
    show(found > 0 ? l->first : HS_NO_SEQ);
    show(found > 0 ? l->last : HS_NO_SEQ);
    (void)printf("\n");
    return 0;
}

static int lives(char **w)
{
    hs_cursor *lives, *objects;
    const struct hs_object *o;
    const struct hs_life *l;
    int more;
    (void)w;
    if (hs_lives_open(trace, &lives, &error) != 0)
        return -1;
    if (hs_objects_open(trace, &objects, &error) != 0) {
        hs_cursor_close(lives);
        return -1;
    }
    while ((more = hs_object_next(objects, &o, &error)) > 0) {
        if (hs_cursor_seek(lives, o->id, &error) == 0 && hs_life_next(lives, &l, &error) > 0 && l->id == o->id)
            (void)printf("life\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\n", l->id, l->first, l->last);
    }
    hs_cursor_close(objects);
    hs_cursor_close(lives);
    return more;
}

/* ---- stacks ---- */

static void variables(const char *what, const struct hs_variable *const *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)printf("%s\t%s", what, v[i]->name);
        show_value(v[i]->kind, v[i]->value);
        (void)printf("\n");
    }
}

static int frames(char **w)
{
    hs_cursor *frames;
    const struct hs_frame *f;
    if (hs_frames_open(trace, number(w[1]), &frames, &error) != 0)
        return -1;
    while (hs_frame_next(frames, &f, NULL) > 0) {
        (void)printf("frame");
        show_method(f->method_id);
        (void)printf("\t%" PRIu32 "\t%" PRId32, f->pc, f->line);
        show(f->entered);
        show(f->has_this ? f->self : HS_NO_SEQ);
        (void)printf("\n");
        variables("parameter", f->parameters, f->parameter_count);
        variables("local", f->locals, f->local_count);
    }
    hs_cursor_close(frames);
    return 0;
}

/* ---- writes ---- */

static void show_write(const struct hs_write *x)
{
    (void)printf("write\t%" PRIu64, x->event->seq);
    show(x->object == 0 ? HS_NO_SEQ : x->object);
    show(x->has_index ? x->index : HS_NO_SEQ);
    show_value(x->event->kind, x->event->value);
}

static int last(char **w)
{
    const struct hs_write *x;
    int found = hs_last_write(trace, w[1], number(w[2]), &x, &error);
    if (found > 0) {
        show_write(x);
        (void)printf("\n");
    }
    return found < 0 ? -1 : 0;
}

/* history WHAT [SEQ FORWARD]: all writes, oldest first; or from a moment on, forwards (1) or backwards (0) */
static int history(char **w)
{
    hs_cursor *h;
    const struct hs_write *x;
    int more = 0;
    bool forward = w[2] == NULL || w[3] == NULL || w[3][0] == '1';
    if (hs_history_open(trace, w[1], &h, &error) != 0)
        return -1;
    if (w[2] != NULL)
        more = hs_cursor_seek(h, number(w[2]), &error);
    while (more == 0 && (more = forward ? hs_write_next(h, &x, &error) : hs_write_previous(h, &x, &error)) > 0) {
        const uint32_t early = hs_early_object(trace, x->event);
        show_write(x);
        (void)printf("%s\n", early != 0 && early != x->object ? " (hs_early_object says something else)" : "");
        more = 0;
    }
    hs_cursor_close(h);
    return more;
}

static int why(char **w)
{
    hs_cursor *causes;
    const struct hs_cause *c;
    if (hs_why_open(trace, number(w[1]), (size_t)number(w[2]), &causes, &error) != 0)
        return -1;
    while (hs_cause_next(causes, &c, NULL) > 0) {
        (void)printf("cause\t%" PRIu64 "\t%s\t%s\n", c->event->seq, c->because, c->end != NULL ? c->end : "-");
        for (size_t k = 0; k < c->operand_count; k++)
            (void)printf("operand\t%" PRIu64 "\n", c->operands[k]);
    }
    hs_cursor_close(causes);
    return 0;
}

/* ---- exceptions, calls, counts ---- */

static bool same_thrown(const struct hs_thrown *a, const struct hs_thrown *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->cause == b->cause && a->suppressed_count == b->suppressed_count && a->frame_count == b->frame_count &&
           (a->message == NULL) == (b->message == NULL) && (a->message == NULL || strcmp(a->message, b->message) == 0);
}

/* Is what the cursor has of the row what the trace keeps of the exception? */
static bool holds(hs_cursor *exceptions, const struct hs_exception *x)
{
    const struct hs_thrown *held = hs_exception_held(exceptions), *kept = hs_thrown_get(trace, x->id);
    const struct hs_throw_stack *stack = hs_exception_stack(exceptions), *again = hs_throw_stack_get(trace, x->first);
    return same_thrown(held, kept) && same_thrown(hs_thrown_peek(trace, x->id), kept) &&
           (stack == NULL) == (again == NULL) &&
           (stack == NULL || again == NULL ||
            (stack->frame_count == again->frame_count && stack->caught == again->caught));
}

static int exceptions(char **w)
{
    hs_cursor *exceptions;
    const struct hs_exception *x;
    int more;
    (void)w;
    if (hs_exceptions_open(trace, &exceptions, &error) != 0)
        return -1;
    while ((more = hs_exception_next(exceptions, &x, &error)) > 0) {
        if (!holds(exceptions, x))
            (void)printf("unlike\t%" PRIu32 "\n", x->id);
        (void)printf("exception\t%" PRIu32, x->id);
        show(x->thrown);
        show(x->caught);
        (void)printf("\t%d\t%" PRIu64, x->swallowed, x->left);
        for (size_t k = 0; k < x->exit_count; k++)
            show(x->exits[k]);
        (void)printf("\nalike\t%" PRIu64 "\n", hs_exception_alike(exceptions));
    }
    hs_cursor_close(exceptions);
    if (more < 0 || hs_exceptions_open_from(trace, hs_event_count(trace) / 2, &exceptions, &error) != 0)
        return -1;
    while ((more = hs_exception_next(exceptions, &x, &error)) > 0)
        (void)printf("later\t%" PRIu64 "\n", x->thrown);
    hs_cursor_close(exceptions);
    const struct hs_exception_group *g;
    if (more < 0 || hs_exception_groups_open(trace, &exceptions, &error) != 0)
        return -1;
    while ((more = hs_exception_group_next(exceptions, &g, &error)) > 0) {
        (void)printf("group\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, g->times, g->alike, g->first->thrown);
        show(g->first->caught);
        (void)printf("\t%d\t%" PRIu64 "\n", g->first->swallowed, g->first->left);
    }
    hs_cursor_close(exceptions);
    return more;
}

static void show_call(const struct hs_call *c)
{
    (void)printf("call\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%d\t%d\t%" PRIu64, c->seq, c->depth,
                 c->calls, c->times, c->left, c->threw, c->threw ? c->exception : 0);
    show_value(c->result != NULL ? c->result->kind : 0, c->result != NULL ? c->result->bits : 0);
    for (uint32_t i = 0; i < c->argument_count; i++)
        show_value(c->arguments[i]->kind, c->arguments[i]->bits);
    (void)printf("\n");
    for (size_t i = 0; i < c->repeat_count; i++)
        (void)printf("repeat\t%" PRIu32 "\t%" PRIu64 "\n", c->repeats[i]->calls, c->repeats[i]->times);
}

/* tree THREAD FOLD CURSOR [FROM TO] */
static int tree(char **w)
{
    struct hs_tree_options want = HS_TREE_OPTIONS_INIT;
    hs_cursor *cursor;
    const struct hs_call *c;
    int more;
    want.thread = (uint32_t)number(w[1]);
    want.fold = (enum hs_fold)number(w[2]);
    if (w[4] != NULL) {
        want.from = number(w[4]);
        want.to = number(w[5]);
    }
    want.ahead = w[3][0] == '0' ? HS_TREE_WHOLE : 0;
    if (hs_tree_open(trace, &want, &cursor, &error) != 0)
        return -1;
    while ((more = hs_call_next(cursor, &c, &error)) > 0)
        show_call(c);
    hs_cursor_close(cursor);
    return more;
}

static int costs(char **w)
{
    hs_cursor *costs;
    const struct hs_cost *c;
    uint64_t from = w[1] != NULL ? number(w[1]) : 0, to = w[1] != NULL ? number(w[2]) : HS_NO_SEQ;
    if (hs_costs_open(trace, from, to, &costs, &error) != 0)
        return -1;
    while (hs_cost_next(costs, &c, NULL) > 0) {
        (void)printf("cost");
        show_method(c->method_id);
        (void)printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", c->calls, c->exceptions, c->left);
    }
    hs_cursor_close(costs);
    return 0;
}

static int counts(char **w)
{
    uint64_t *c = calloc((size_t)hs_dataid_count(trace) + 1, sizeof *c);
    int failed = c == NULL ? -1 : hs_count_dataids(trace, c, NULL, &error);
    (void)w;
    for (uint32_t i = 0; failed == 0 && i < hs_dataid_count(trace); i++)
        if (c[i] != 0)
            (void)printf("count\t%" PRIu32 "\t%" PRIu64 "\n", i, c[i]);
    free(c);
    return failed;
}

/* Each data ID of a field: the class that declares it, and the superclass of that. */
static int declared(char **w)
{
    (void)w;
    for (uint32_t i = 0; i < hs_dataid_count(trace); i++) {
        const struct hs_dataid *d = hs_dataid_get(trace, i);
        const struct hs_class *c = d != NULL ? hs_class_get(trace, d->class_no) : NULL;
        const char *declaring = hs_field_declaring(trace, i);
        if (c != NULL && c->state == HS_CLASS_WOVEN && hs_class_find(trace, c->name, c->loader_id) == NULL)
            (void)printf("not found\t%s\n", c->name);
        const char *super = c != NULL && declaring != NULL ? hs_class_super(trace, declaring, c->loader_id) : NULL;
        if (declaring != NULL)
            (void)printf("declared\t%" PRIu32 "\t%s\t%s\n", i, declaring, super != NULL ? super : "");
    }
    return 0;
}

/* ---- events ---- */

static int event(char **w)
{
    const struct hs_event *e;
    if (hs_event_at(trace, number(w[1]), &e, &error) != 0)
        return -1;
    show_event("event", e);
    (void)printf("\n");
    return 0;
}

/* events BACKWARDS MAX SEEK KEY=VALUE...: seqs that pass */
static int events(char **w)
{
    struct hs_filter f = HS_FILTER_ALL;
    uint32_t thread;
    unsigned type;
    hs_cursor *c;
    const struct hs_event *e;
    for (size_t i = 4; w[i] != NULL; i++) {
        char *value = strchr(w[i], '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        if (strcmp(w[i], "from") == 0)
            f.from = number(value);
        else if (strcmp(w[i], "to") == 0)
            f.to = number(value);
        else if (strcmp(w[i], "class") == 0)
            f.class_glob = value;
        else if (strcmp(w[i], "method") == 0)
            f.method_glob = value;
        else if (strcmp(w[i], "object") == 0)
            f.object = (uint32_t)number(value);
        else if (strcmp(w[i], "value") == 0)
            f.value = value;
        else if (strcmp(w[i], "text") == 0)
            f.text = value;
        else if (strcmp(w[i], "thread") == 0)
            thread = (uint32_t)number(value), f.threads = &thread, f.thread_count = 1;
        else if (strcmp(w[i], "event") == 0)
            type = hs_event_number(value), f.events = &type, f.event_count = 1;
    }
    if (hs_events_open(trace, &f, &c, &error) != 0)
        return -1;
    int more = number(w[3]) != HS_NO_SEQ ? hs_cursor_seek(c, number(w[3]), &error) : 0;
    uint64_t left = number(w[2]);
    while (more == 0 && left-- > 0 &&
           (more = w[1][0] == '1' ? hs_event_previous(c, &e, &error) : hs_event_next(c, &e, &error)) > 0) {
        show_event("event", e);
        (void)printf("\n");
        more = 0;
    }
    hs_cursor_close(c);
    return more;
}

static int make_index(char **w)
{
    (void)w;
    return hs_index_build(trace, &error);
}

static const struct question {
    const char *name;
    int words; /* at least, with the name */
    int (*answer)(char **words);
} questions[] = {
    { "object", 3, object },   { "length", 2, length },    { "fields", 3, fields },         { "handed", 4, handed },
    { "life", 2, life },       { "lives", 1, lives },      { "frames", 2, frames },         { "last", 3, last },
    { "history", 2, history }, { "why", 3, why },          { "exceptions", 1, exceptions }, { "tree", 4, tree },
    { "costs", 1, costs },     { "counts", 1, counts },    { "declared", 1, declared },     { "event", 2, event },
    { "events", 4, events },   { "index", 1, make_index },
};

int main(int argc, char **argv)
{
    static char line[LINE_MAX_BYTES];
    if (argc != 2) {
        (void)fprintf(stderr, "usage: answers TRACE\n");
        return 2;
    }
    if (hs_open(argv[1], 0, NULL, &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words[WORDS_MAX + 1] = { 0 }, *rest = line;
        int n = 0, failed = -1;
        line[strcspn(line, "\n")] = '\0';
        while (n < WORDS_MAX && rest != NULL)
            words[n++] = strsep(&rest, "\t");
        (void)snprintf(error.text, sizeof error.text, "%s: no such question", words[0]);
        for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
            if (strcmp(questions[i].name, words[0]) == 0 && n >= questions[i].words)
                failed = questions[i].answer(words);
        if (failed != 0)
            (void)printf("failed\t%s\n", error.text);
        (void)printf(".\n");
        (void)fflush(stdout);
    }
    hs_close(trace);
    return 0;
}
