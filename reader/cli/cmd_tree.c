/* cmd_tree.c - `hindsight tree`: the calls of each thread as a tree. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/vec.h"
#include "reader/command/cli.h"
#include "reader/command/conditions.h"
#include "reader/command/names.h"
#include "reader/command/show.h"
#include "reader/command/thread_show.h"

struct args {
    struct common common;
    const char *thread, *fold, *mark, *class_glob, *method_glob, *where_text;
    hs_condition *where;
    uint64_t depth, from, to, around;
};
static const struct option_row options[] = {
    { "thread", 't', "T", OPTION_TEXT, offsetof(struct args, thread),
      "number, name or glob; of several threads one after the other (default: all; with --around: that of the event)" },
    { "depth", 'd', "N", OPTION_U64, offsetof(struct args, depth),
      "show calls down to this depth, and fold loops by them alone; 0 is the outermost" },
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "begin at this event" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "end at this event" },
    MARK_OPTION(args),
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, around), "the same as --around" },
    { "around", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, around),
      "the calls open at this event and what was called near it" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob),
      "only calls of methods of these classes, each by itself, without folding" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "only calls of these methods: get*, put(String, int), or with the descriptor" },
    { "where", 'w', "CONDITION", OPTION_TEXT, offsetof(struct args, where_text), WHERE_CALL_NAMES },
    { "fold", 0, "shape|once|equal|none", OPTION_CHOICE, offsetof(struct args, fold),
      "shape (default): repeated calls of one method are folded if they call the same and throw nothing else; once: "
      "also, what a call called "
      "is printed only the first time, later calls say `like SEQ`; equal: as shape, if values are equal too; none" },
    { 0 },
};
const struct usage usage_tree = {
    .source = true,
    .about =
        "Needs events of the group EXEC, and of PARAM for arguments. A call without a result was still running, "
        "or its method is void. The receiver stands before the method (Account#12.deposit), and behind it the class "
        "that "
        "declares the method if that is another one. calls counts the calls that a method made directly.\nLoops are "
        "folded: of "
        "repeated calls the first is printed, and x3 (times) is their number. (2 calls) x3 (repeats) means that "
        "this call and the next one were made three times in this order. Loops that differ only in how often they went "
        "round are the same, except with --fold equal: below a repeated call stand the numbers of its first one. To "
        "print the first calls at once, loops "
        "are cut after the first million events of the thread, after two million more, and so on.\n--around "
        "prints the calls that are open at an event and those that begin nearest to it, without folding.\n" WHERE_HELP,
    .example = "hindsight tree --thread main --depth 4",
    .options = options,
};

/* --around: events walked over on each side, calls shown by default */
enum { AROUND_EVENTS = 50000, AROUND_CALLS = 40 };

/* Where and how calls are printed. */
struct view {
    struct show show;
    const struct args *args;
    uint64_t shown;      /* calls */
    uint32_t thread;     /* whose calls are shown */
    bool heading;        /* of that thread, to be written before its first call */
    VEC(uint32_t) above; /* depths of the calls shown last that have made the next one, or stand above it */
};

/* ---- output ---- */

static void folding_json(struct json *j, const struct hs_call *n)
{
    if (n->times > 1)
        json_member_u64(j, "times", n->times);
    if (n->like != HS_NO_SEQ)
        json_member_u64(j, "like", n->like);
    if (n->repeat_count == 0)
        return;
    json_name(j, "repeats");
    json_array(j);
    for (size_t i = 0; i < n->repeat_count; i++) {
        json_object(j);
        json_member_u64(j, "calls", n->repeats[i]->calls);
        json_member_u64(j, "times", n->repeats[i]->times);
        json_end(j);
    }
    json_end(j);
}

static void json(struct view *v, const struct hs_call *n)
{
    struct show *s = &v->show;
    struct json *j = &s->out->json;
    const struct hs_dataid *d = hs_dataid_get(s->trace, n->dataid);
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    s->at = n->seq;
    json_object(j);
    json_member_u64(j, "depth", n->depth);
    json_member_u64(j, "seq", n->seq);
    json_member_u64(j, "thread", v->thread);
    if (c != NULL && m != NULL)
        show_method_members(s->out, c->name, m->name, m->desc);
    out_member_spot(s->out, SPOT_OF(d));
    if (n->receiver != NULL) {
        json_name(j, "this");
        show_reference_json(s, n->receiver->bits);
    }
    json_name(j, "arguments");
    json_array(j);
    for (uint32_t i = 0; i < n->argument_count; i++)
        show_value_json(s, n->arguments[i]->kind, n->arguments[i]->bits);
    json_end(j);
    if (n->result != NULL) {
        json_name(j, "result");
        show_value_json(s, n->result->kind, n->result->bits);
    } else if (show_result_redacted(s, n)) {
        json_name(j, "result");
        show_value_json(s, HS_KIND_VOID, 0);
    }
    if (n->threw) {
        json_name(j, "exception");
        show_reference_json(s, n->exception);
    }
    if ((v->args->around == HS_NO_SEQ || n->left) && n->calls != HS_NO_SEQ)
        json_member_u64(j, "calls", n->calls);
    if (n->left_out > 0)
        json_member_u64(j, "left_out", n->left_out);
    folding_json(j, n);
    show_source_member(s, d->class_no, SPOT_OF(d));
    json_end_line(j);
}

/* Class. of a static method and a constructor, Type#ID. with a receiver, and Type#ID.Class. if that inherits the
 * method. */
static void callee_text(struct show *s, const struct hs_call *n, const char *class_name)
{
    struct out *o = s->out;
    const char *dot = strrchr(class_name, '.');
    uint64_t id = n->receiver != NULL ? n->receiver->bits : 0;
    if (id != 0) {
        const struct hs_object *object = id <= UINT32_MAX ? hs_object_get(s->trace, (uint32_t)id) : NULL;
        bool inherits = object != NULL && object->type != NULL && strcmp(object->type, class_name) != 0;
        show_object_name(s, id);
        out_char(o, '.');
        if (!inherits)
            return;
    }
    out_simple_class(o, dot != NULL ? dot + 1 : class_name);
    out_char(o, '.');
}

/* A call at this depth begins, shown or not: which calls have made it? */
static void leave(struct view *v, uint32_t depth)
{
    while (v->above.count > 0 && v->above.items[v->above.count - 1] >= depth)
        v->above.count--;
}

/* By how many of the calls shown have made this one: where only some are chosen, their depth would be mostly blanks. */
static void indent(struct view *v, uint32_t depth)
{
    enum { LEVELS_MAX = 60 };
    leave(v, depth);
    for (size_t i = 0; i < v->above.count && i < LEVELS_MAX; i++)
        out_text(v->show.out, "  ");
    if (v->above.count > LEVELS_MAX)
        out_format(v->show.out, "(depth %u) ", depth);
    uint32_t *to = vec_push(&v->above);
    if (to != NULL)
        *to = depth;
    else
        v->show.out->failed = ENOMEM;
}

static void text(struct view *v, const struct hs_call *n)
{
    struct show *s = &v->show;
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, n->dataid);
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    s->at = n->seq;
    s->bare_boxes = true;
    out_format(o, "%12llu  ", (unsigned long long)n->seq);
    indent(v, n->depth);
    out_colour(o, COLOUR_NAME);
    callee_text(s, n, c != NULL ? c->name : "?");
    out_name(o, m != NULL ? m->name : "?");
    out_colour(o, COLOUR_NONE);
    out_char(o, '(');
    for (uint32_t i = 0; i < n->argument_count; i++) {
        out_text(o, i > 0 ? ", " : "");
        show_value_text(s, n->arguments[i]->kind, n->arguments[i]->bits);
    }
    out_char(o, ')');
    if (n->result != NULL || show_result_redacted(s, n)) {
        out_text(o, " = ");
        out_colour(o, COLOUR_VALUE);
        show_value_text(s, n->result != NULL ? n->result->kind : HS_KIND_VOID, n->result != NULL ? n->result->bits : 0);
        out_colour(o, COLOUR_NONE);
    }
    if (n->threw) {
        out_colour(o, COLOUR_WARN);
        out_text(o, " throws ");
        show_value_text(s, 'L', n->exception);
        out_colour(o, COLOUR_NONE);
    }
    if (!n->left && v->args->around == HS_NO_SEQ) /* outside of the part around the event it may have returned */
        out_text(o, " (not left)");
    if (n->left_out > 0)
        out_format(o, "  (%llu events left out)", (unsigned long long)n->left_out);
    if (n->times > 1)
        out_format(o, "  x%llu", (unsigned long long)n->times);
    if (n->like != HS_NO_SEQ)
        out_format(o, "  like %llu", (unsigned long long)n->like);
    for (size_t i = 0; i < n->repeat_count; i++)
        out_format(o, "  (%u calls) x%llu", n->repeats[i]->calls, (unsigned long long)n->repeats[i]->times);
    show_source_text(s, d->class_no, SPOT_OF(d));
    out_char(o, '\n');
}

static void show_heading(struct view *v)
{
    struct out *o = v->show.out;
    const struct hs_thread *t = hs_thread_get(v->show.trace, v->thread);
    out_colour(o, COLOUR_DIM);
    if (t != NULL)
        thread_name_text(o, t);
    else
        out_format(o, "thread %u", v->thread);
    out_colour(o, COLOUR_NONE);
    out_char(o, '\n');
}

static void show_call(struct view *v, const struct hs_call *n)
{
    if (v->heading)
        v->above.count = 0;
    if (v->heading && !v->args->common.json)
        show_heading(v);
    v->heading = false;
    (v->args->common.json ? json : text)(v, n);
    v->shown++;
}

/* The threads whose calls are shown. PARSED, or the exit status. */
static int choose_threads(struct session *s, const struct args *a, u32_vec *out)
{
    const struct hs_thread *t;
    const struct hs_event *e;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *threads;
    uint32_t *to = NULL;
    bool room = true;
    if (a->around != HS_NO_SEQ && hs_event_at(s->trace, a->around, &e, &error) != 0)
        return cli_fail(EXIT_FAILED, s->context, "%s", error.text);
    if (a->thread != NULL)
        return names_threads(s, a->thread, out);
    if (a->around != HS_NO_SEQ) {
        if ((to = vec_push(out)) != NULL)
            *to = e->thread;
        return to != NULL ? PARSED : cli_fail(EXIT_FAILED, s->context, "out of memory");
    }
    if (hs_threads_open(s->trace, &threads, NULL) != 0)
        return cli_fail(EXIT_FAILED, s->context, "out of memory");
    while (room && hs_thread_next(threads, &t, NULL) > 0) {
        if (t->events == 0)
            continue;
        room = (to = vec_push(out)) != NULL;
        if (room)
            *to = t->thread;
    }
    hs_cursor_close(threads);
    return room ? PARSED : cli_fail(EXIT_FAILED, s->context, "out of memory");
}

/* Shows `count` calls from the one at `from` on, and before them those that they were made in. */
static void show_window(struct view *v, const struct hs_call *const *calls, size_t from, size_t count)
{
    uint32_t depth = count > 0 ? calls[from]->depth : 0;
    size_t *above = malloc((depth + 1) * sizeof *above);
    size_t above_count = 0;
    for (size_t i = from; above != NULL && i-- > 0 && depth > 0;)
        if (calls[i]->depth < depth) {
            above[above_count++] = i;
            depth = calls[i]->depth;
        }
    while (above_count > 0)
        show_call(v, calls[above[--above_count]]);
    for (size_t i = from; i < from + count; i++)
        show_call(v, calls[i]);
    free(above);
}

/* --around: the calls open at the event, and the `limit` calls that begin nearest to it. */
static int show_around(struct view *v, struct hs_tree_options *want, struct hs_error *error)
{
    hs_cursor *tree;
    VEC(const struct hs_call *) calls = { 0 };
    const struct hs_call *call;
    int more;
    want->ahead = HS_TREE_WHOLE;
    if (hs_tree_open(v->show.trace, want, &tree, error) != 0)
        return -1;
    size_t here = 0;
    while ((more = hs_call_next(tree, &call, error)) > 0) {
        const struct hs_call **to = vec_push(&calls);
        if (to == NULL)
            break;
        *to = call;
        here += call->seq <= v->args->around;
    }
    if (more == 0) {
        uint64_t limit = v->args->common.limit < UINT64_MAX ? v->args->common.limit : AROUND_CALLS;
        size_t from = here > limit / 2 ? here - (size_t)(limit / 2) : 0;
        size_t left = calls.count - from;
        show_window(v, calls.items, from, left > limit ? (size_t)limit : left);
    } else if (more > 0) {
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    }
    vec_free(&calls);
    hs_cursor_close(tree);
    return more == 0 ? 0 : -1;
}

/* Are calls chosen by what they are? */
static bool chosen(const struct args *a) { return a->class_glob != NULL || a->method_glob != NULL || a->where != NULL; }

static bool is_chosen(struct view *v, const struct hs_call *call)
{
    const struct args *a = v->args;
    hs_trace *t = v->show.trace;
    if (!chosen(a))
        return true;
    const struct hs_dataid *d = hs_dataid_get(t, call->dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = d != NULL ? hs_class_get(t, d->class_no) : NULL;
    return m != NULL && c != NULL && hs_class_matches(a->class_glob, c->name) &&
           hs_method_matches(a->method_glob, m->name, m->desc) &&
           (a->where == NULL || hs_condition_call(a->where, t, v->thread, call) == HS_TRUE);
}

static int show_all(struct view *v, struct hs_tree_options *want, struct hs_error *error)
{
    hs_cursor *c;
    const struct hs_call *call;
    int more = 0;
    if (hs_tree_open(v->show.trace, want, &c, error) != 0)
        return -1;
    while (v->shown < v->args->common.limit && v->show.out->failed == 0) {
        more = hs_call_next(c, &call, error);
        if (more <= 0)
            break;
        leave(v, call->depth);
        if (is_chosen(v, call))
            show_call(v, call);
    }
    hs_cursor_close(c);
    return more < 0 ? -1 : 0;
}

/* Sets the window of --around in a thread, and the event at which its first calls are open. */
static int aim(struct view *v, struct hs_tree_options *want, struct hs_error *error)
{
    const struct args *a = v->args;
    const struct hs_event *e;
    want->from = a->from;
    want->to = a->to;
    want->open_at = HS_NO_SEQ;
    if (a->from == 0 && a->around > AROUND_EVENTS)
        want->from = a->around - AROUND_EVENTS;
    if (a->to == UINT64_MAX && a->around < UINT64_MAX - AROUND_EVENTS)
        want->to = a->around + AROUND_EVENTS;
    if (want->from == 0)
        return 0;
    int more = hs_last_event(v->show.trace, want->thread, want->from - 1, &e, error);
    if (more <= 0)
        return more;
    bool leaving = event_has(hs_dataid_get(v->show.trace, e->dataid)->event, USE_LEAVE);
    want->open_at = e->seq;
    want->from = leaving ? e->seq : e->seq + 1; /* the state at an exit still has the frame */
    return 0;
}

/* The trees of the threads, one after the other, each under a heading if there are several. */
static int show_threads(struct view *v, struct hs_tree_options *want, const u32_vec *threads, struct hs_error *error)
{
    bool around = v->args->around != HS_NO_SEQ;
    for (size_t i = 0; i < threads->count && v->shown < v->args->common.limit; i++) {
        want->thread = v->thread = threads->items[i];
        v->heading = threads->count > 1;
        if (around && aim(v, want, error) != 0)
            return -1;
        if ((around ? show_around : show_all)(v, want, error) != 0)
            return -1;
    }
    return 0;
}

static const char *what_is_missing(const struct args *a)
{
    if (chosen(a))
        return "call that satisfies every option";
    return a->thread != NULL || a->around != HS_NO_SEQ ? "such call in that thread" : "such call";
}

static int run(struct session *s, struct args *a, enum hs_fold fold)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_tree_options want = HS_TREE_OPTIONS_INIT;
    struct view v = { .args = a };
    u32_vec threads = { 0 };
    want.fold = chosen(a) || a->around != HS_NO_SEQ ? HS_FOLD_NONE : fold;
    want.from = a->from;
    want.to = a->to;
    want.depth = a->depth < UINT32_MAX ? (uint32_t)a->depth : UINT32_MAX;
    int status = choose_threads(s, a, &threads);
    if (status == PARSED && !show_init(&v.show, s->trace, &s->out))
        status = cli_fail(EXIT_FAILED, s->context, "out of memory");
    if (status != PARSED) {
        vec_free(&threads);
        return session_close(s, status);
    }
    int failed = show_threads(&v, &want, &threads, &error);
    show_done(&v.show);
    vec_free(&v.above);
    vec_free(&threads);
    if (failed != 0)
        return session_fail(s, "%s", error.text);
    status = v.shown == 0 ? condition_tell_unknown(a->where, s, WHERE_CALL_WORDS, true) : EXIT_DONE;
    if (status == EXIT_DONE)
        names_empty_without(s, v.shown, a->common.limit, what_is_missing(a), USE_ENTER);
    return session_close(s, status);
}

int cmd_tree(struct context *context)
{
    static const char *const folds[] = {
        [HS_FOLD_SHAPE] = "shape", [HS_FOLD_ONCE] = "once", [HS_FOLD_EQUAL] = "equal", [HS_FOLD_NONE] = "none"
    };
    struct args a = { .depth = UINT64_MAX, .to = UINT64_MAX, .fold = "shape", .around = HS_NO_SEQ };
    struct session s;
    unsigned fold = 0;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    while (fold <= HS_FOLD_NONE && strcmp(folds[fold], a.fold) != 0)
        fold++;
    if (fold > HS_FOLD_NONE)
        return cli_fail(EXIT_USAGE, context, "--fold wants shape, once, equal or none, not '%s'", a.fold);
    if ((chosen(&a) || a.where_text != NULL) && a.around != HS_NO_SEQ)
        return cli_fail(EXIT_USAGE, context,
                        "--at shows all calls near an event, without --class, --method and --where");
    status = condition_parse(context, a.where_text, &a.where);
    if (status == PARSED)
        status = session_open_stream(&s, context, &a.common, a.common.arguments[0]);
    if (status != PARSED)
        return status;
    status = a.mark != NULL ? session_mark(&s, a.mark, &a.from, &a.to) : names_range(&s, a.from, a.to);
    if (status == PARSED)
        status = names_method(&s, a.class_glob, a.method_glob);
    if (status != PARSED)
        return session_close(&s, status);
    status = run(&s, &a, (enum hs_fold)fold);
    hs_condition_free(a.where);
    return status;
}
