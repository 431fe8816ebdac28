/* cmd_tree.c - `hindsight tree`: the calls of one thread as a tree, from METHOD_ENTRY and the exits.
 *
 * Calls are nodes in the order of their entries, so what lies below a call is exactly the end of the list when it is left.
 * Folding uses that: a call equal to its sibling just before (equal hashes over the whole subtree) is taken off the end and
 * counted in the sibling's `times`. What is equal is said by --fold. Memory is bounded by NODES_MAX. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/vec.h"
#include "reader/cli/cli.h"
#include "reader/cli/show.h"

struct args {
    struct common common;
    const char *thread, *fold, *mark;
    uint64_t depth, from, to, around;
};
static const struct option options[] = {
    { "thread", 't', "T", OPTION_TEXT, offsetof(struct args, thread), "number or name (default: the first with events)" },
    { "depth", 'd', "N", OPTION_U64, offsetof(struct args, depth), "show calls down to this depth; 0 is the outermost" },
    { "from", 0, "SEQ", OPTION_U64, offsetof(struct args, from), "begin at this event" },
    { "to", 0, "SEQ", OPTION_U64, offsetof(struct args, to), "end at this event" },
    MARK_OPTION(args),
    { "around", 0, "SEQ", OPTION_U64, offsetof(struct args, around),
      "the calls open at this event and what was called near it, of its thread" },
    { "fold", 0, "HOW", OPTION_TEXT, offsetof(struct args, fold),
      "shape: repeated calls of one method that call the same (default); equal: with equal values too; none" },
    { 0 },
};
static const struct usage usage = {
    .synopsis = "[TRACE] [options]",
    .about = "--around shows the calls that are open at an event and those that begin nearest to it, unfolded.\n"
             "Needs events of the group EXEC (arguments: PARAM too). A call without result was still running, or its method is void.\n"
             "calls counts the calls a method made directly. Of folded calls the first is shown, times tells how many there were.",
    .example = "hindsight tree --thread main --depth 4",
    .options = options,
    .arguments = 1,
};

enum { NODES_MAX = 2000000, NO_NODE = -1 };
enum { AROUND_EVENTS = 50000, AROUND_NODES = 40 }; /* --around: events walked over on each side, calls shown by default */
enum fold { FOLD_SHAPE, FOLD_EQUAL, FOLD_NONE };

struct value {
    uint64_t bits;
    char kind;
};

struct node {
    uint64_t seq, hash, calls, times;
    uint32_t entry;           /* data ID of its METHOD_ENTRY */
    uint32_t depth;
    size_t first_value;       /* arguments, in `values` */
    uint32_t value_count;
    struct value receiver, result; /* kind 0: none */
    uint64_t exception;       /* object id, 0 none */
    bool left, threw;
};

/* A call that is being made. */
struct frame {
    uint32_t method_id;
    long node;                /* index, NO_NODE when it is not kept */
    size_t nodes_before, values_before;
    uint64_t hash, calls;
    uint64_t last_hash;       /* of the last call it made */
    long last_node;
    bool has_last;
};

struct tree {
    struct session *session;
    const struct args *args;
    enum fold fold;
    VEC(struct node) nodes;
    VEC(struct value) values;
    VEC(struct frame) frames; /* the first one is the thread */
    uint64_t first;           /* with --around: the calls open at this event come first */
    bool has_first;
    bool cut, no_memory;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static struct frame *top(struct tree *t) { return &t->frames.items[t->frames.count - 1]; }

static void enter(struct tree *t, const struct hs_event *e, const struct hs_dataid *d)
{
    uint32_t depth = (uint32_t)(t->frames.count - 1);
    struct frame *f;
    top(t)->calls++;
    if ((f = vec_push(&t->frames)) == NULL) {
        t->no_memory = true;
        return;
    }
    *f = (struct frame){ .method_id = d->method_id, .node = NO_NODE, .nodes_before = t->nodes.count,
                         .values_before = t->values.count, .hash = mix(1, d->method_id), .last_node = NO_NODE };
    if (e->kind == 'L' && t->fold == FOLD_EQUAL)
        f->hash = mix(f->hash, e->value);
    if (depth > t->args->depth)
        return;
    if (t->nodes.count >= NODES_MAX) {
        t->cut = true;
        return;
    }
    struct node *n = vec_push(&t->nodes);
    if (n == NULL) {
        t->no_memory = true;
        return;
    }
    f->node = (long)(t->nodes.count - 1);
    *n = (struct node){ .seq = e->seq, .entry = e->dataid, .depth = depth, .times = 1, .first_value = t->values.count };
    if (e->kind == 'L')
        n->receiver = (struct value){ e->value, 'L' };
}

static void argument(struct tree *t, const struct hs_event *e, const struct hs_dataid *d)
{
    struct frame *f = top(t);
    if (t->frames.count < 2 || f->method_id != d->method_id)
        return;
    if (t->fold == FOLD_EQUAL)
        f->hash = mix(f->hash, e->value);
    if (f->node == NO_NODE)
        return;
    struct value *v = vec_push(&t->values);
    if (v == NULL) {
        t->no_memory = true;
        return;
    }
    *v = (struct value){ e->value, e->kind };
    t->nodes.items[f->node].value_count++;
}

/* The call on top is over: it becomes a child of the one below, or one more time of that one's last child. */
static void pop(struct tree *t)
{
    struct frame *f = top(t), *parent = f - 1;
    if (f->node != NO_NODE)
        t->nodes.items[f->node].calls = f->calls;
    if (t->fold != FOLD_NONE && parent->has_last && parent->last_hash == f->hash) {
        if (parent->last_node != NO_NODE)
            t->nodes.items[parent->last_node].times++;
        t->nodes.count = f->nodes_before;
        t->values.count = f->values_before;
    } else {
        parent->hash = mix(parent->hash, f->hash);
        parent->last_hash = f->hash;
        parent->last_node = f->node;
        parent->has_last = true;
    }
    t->frames.count--;
}

static void leave(struct tree *t, const struct hs_event *e, const struct hs_dataid *d)
{
    size_t at = t->frames.count - 1;
    while (at > 0 && t->frames.items[at].method_id != d->method_id)
        at--;
    if (at == 0)
        return; /* entered before the recording, or before --from */
    while (t->frames.count - 1 > at)
        pop(t);
    struct frame *f = top(t);
    bool threw = d->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    f->hash = mix(f->hash, threw ? 3 : 5);
    if (t->fold == FOLD_EQUAL && !threw)
        f->hash = mix(f->hash, e->value);
    if (f->node != NO_NODE) {
        struct node *n = &t->nodes.items[f->node];
        n->left = true;
        n->threw = threw;
        n->exception = threw ? e->value : 0;
        if (!threw && e->kind != 'V')
            n->result = (struct value){ e->value, e->kind };
    }
    pop(t);
}

/* The calls that are open before event `from`, outermost first: their entries and arguments. */
static int open_calls(struct tree *t, uint64_t from, struct hs_error *error)
{
    hs_trace *trace = t->session->trace;
    const struct hs_frame *frames;
    size_t count = 0;
    if (hs_frames_at(trace, from, &frames, &count, error) != 0)
        return -1;
    while (count-- > 0) {
        const struct hs_frame *f = &frames[count];
        struct hs_event e;
        if (f->entered == HS_NO_SEQ || f->entered > from)
            continue; /* entered before the recording, or about to be walked over */
        if (hs_event_at(trace, f->entered, &e, error) != 0)
            return -1;
        enter(t, &e, hs_dataid_get(trace, e.dataid));
        for (size_t i = 0; i < f->parameter_count && !t->no_memory; i++) {
            struct value *v = top(t)->node != NO_NODE ? vec_push(&t->values) : NULL;
            if (v == NULL)
                continue;
            *v = (struct value){ f->parameters[i].value, f->parameters[i].kind };
            t->nodes.items[top(t)->node].value_count++;
        }
    }
    return 0;
}

static int build(struct tree *t, hs_cursor *c, struct hs_error *error)
{
    const struct hs_event *e;
    int more;
    struct frame *root = vec_push(&t->frames);
    if (root == NULL)
        t->no_memory = true;
    else
        *root = (struct frame){ .node = NO_NODE, .last_node = NO_NODE };
    if (t->has_first && root != NULL && open_calls(t, t->first, error) != 0)
        return -1;
    while (!t->no_memory && (more = hs_cursor_next(c, &e, error)) != 0) {
        if (more < 0)
            return -1;
        const struct hs_dataid *d = hs_dataid_get(t->session->trace, e->dataid);
        if (d->event == EVENT_METHOD_ENTRY)
            enter(t, e, d);
        else if (d->event == EVENT_METHOD_PARAM)
            argument(t, e, d);
        else
            leave(t, e, d);
    }
    for (size_t i = 1; i < t->frames.count; i++) /* still running */
        if (t->frames.items[i].node != NO_NODE)
            t->nodes.items[t->frames.items[i].node].calls = t->frames.items[i].calls;
    if (t->no_memory)
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    return t->no_memory ? -1 : 0;
}

/* ---- output ---- */

static void json(struct show *s, const struct tree *t, const struct node *n)
{
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, n->entry);
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    out_format(o, "{\"depth\":%u,\"seq\":%llu", n->depth, (unsigned long long)n->seq);
    if (c != NULL && m != NULL) {
        out_char(o, ',');
        show_method_members(o, c->name, m->name, m->desc);
    }
    if (d->line >= 0)
        out_format(o, ",\"line\":%d", d->line);
    if (n->receiver.kind != 0) {
        out_text(o, ",\"this\":");
        show_value_json(s, 'L', n->receiver.bits);
    }
    out_text(o, ",\"arguments\":[");
    for (uint32_t i = 0; i < n->value_count; i++) {
        const struct value *v = &t->values.items[n->first_value + i];
        out_text(o, i > 0 ? "," : "");
        show_value_json(s, v->kind, v->bits);
    }
    out_char(o, ']');
    if (n->result.kind != 0) {
        out_text(o, ",\"result\":");
        show_value_json(s, n->result.kind, n->result.bits);
    }
    if (n->threw) {
        out_text(o, ",\"exception\":");
        show_reference_json(s, n->exception);
    }
    if (t->args->around == HS_NO_SEQ || n->left)
        out_format(o, ",\"calls\":%llu", (unsigned long long)n->calls);
    if (n->times > 1)
        out_format(o, ",\"times\":%llu", (unsigned long long)n->times);
    out_text(o, "}\n");
}

static void text(struct show *s, const struct tree *t, const struct node *n)
{
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, n->entry);
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    const char *name = c != NULL ? c->name : "?", *dot = strrchr(name, '.');
    out_format(o, "%12llu  ", (unsigned long long)n->seq);
    for (uint32_t i = 0; i < n->depth; i++)
        out_text(o, "  ");
    out_colour(o, COLOUR_NAME);
    out_format(o, "%s.%s", dot != NULL ? dot + 1 : name, m != NULL ? m->name : "?");
    out_colour(o, COLOUR_NONE);
    out_char(o, '(');
    for (uint32_t i = 0; i < n->value_count; i++) {
        const struct value *v = &t->values.items[n->first_value + i];
        out_text(o, i > 0 ? ", " : "");
        show_value_text(s, v->kind, v->bits);
    }
    out_char(o, ')');
    if (n->result.kind != 0) {
        out_text(o, " = ");
        out_colour(o, COLOUR_VALUE);
        show_value_text(s, n->result.kind, n->result.bits);
        out_colour(o, COLOUR_NONE);
    }
    if (n->threw) {
        out_colour(o, COLOUR_WARN);
        out_text(o, " throws ");
        show_value_text(s, 'L', n->exception);
        out_colour(o, COLOUR_NONE);
    }
    if (!n->left && t->args->around == HS_NO_SEQ) /* else it may be left where nobody looked */
        out_text(o, " (not left)");
    if (n->times > 1)
        out_format(o, "  x%llu", (unsigned long long)n->times);
    out_char(o, '\n');
}

static const struct hs_thread *choose_thread(hs_trace *trace, const char *wanted)
{
    uint64_t number = 0;
    bool by_number = wanted != NULL && cli_u64(wanted, &number);
    for (size_t i = 0; i < hs_thread_count(trace); i++) {
        const struct hs_thread *t = hs_thread_at(trace, i);
        if (wanted == NULL ? t->events > 0 : by_number ? t->thread == number : strcmp(t->name, wanted) == 0)
            return t;
    }
    return NULL;
}

/* --around: the calls open at the event, and the `limit` calls that begin nearest to it. */
static void show_around(struct show *show, const struct tree *t)
{
    uint64_t limit = t->args->common.limit < UINT64_MAX ? t->args->common.limit : AROUND_NODES;
    size_t here = 0, n = t->nodes.count;
    while (here < n && t->nodes.items[here].seq <= t->args->around)
        here++;
    size_t from = here > limit / 2 ? here - (size_t)(limit / 2) : 0, to = n - from > limit ? from + (size_t)limit : n;
    uint32_t depth = from < n ? t->nodes.items[from].depth : 0;
    size_t *above = malloc((depth + 1) * sizeof *above);
    size_t count = 0;
    for (size_t i = from; above != NULL && i-- > 0 && depth > 0;) /* ancestors of the first one shown */
        if (t->nodes.items[i].depth < depth) {
            above[count++] = i;
            depth = t->nodes.items[i].depth;
        }
    while (count > 0)
        (t->args->common.json ? json : text)(show, t, &t->nodes.items[above[--count]]);
    for (size_t i = from; i < to; i++)
        (t->args->common.json ? json : text)(show, t, &t->nodes.items[i]);
    free(above);
}

/* Sets thread, window and folding for --around; false: there is no such event (`error`). */
static bool aim(struct session *s, struct args *a, enum fold *fold, struct tree *t, const struct hs_thread **thread,
                struct hs_error *error)
{
    struct hs_event e;
    if (hs_event_at(s->trace, a->around, &e, error) != 0)
        return false;
    *thread = hs_thread_get(s->trace, e.thread);
    *fold = FOLD_NONE;
    if (a->from == 0 && a->around > AROUND_EVENTS)
        a->from = a->around - AROUND_EVENTS;
    if (a->to == UINT64_MAX && a->around < UINT64_MAX - AROUND_EVENTS)
        a->to = a->around + AROUND_EVENTS;
    for (uint64_t seq = a->from; seq > 0; seq--) { /* the last event of the thread that is walked over before */
        if (hs_event_at(s->trace, seq - 1, &e, error) != 0)
            return false;
        if (e.thread != (*thread)->thread)
            continue;
        unsigned event = hs_dataid_get(s->trace, e.dataid)->event;
        bool leaving = event == EVENT_METHOD_NORMAL_EXIT || event == EVENT_METHOD_EXCEPTIONAL_EXIT;
        t->first = seq - 1;
        t->has_first = true;
        a->from = leaving ? seq - 1 : seq; /* state at an exit still has the frame */
        break;
    }
    return true;
}

static int run(struct session *s, struct args *a, enum fold fold)
{
    static const unsigned events[] = { EVENT_METHOD_ENTRY, EVENT_METHOD_PARAM, EVENT_METHOD_NORMAL_EXIT,
                                       EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_error error = { 0 };
    struct show show;
    hs_cursor *c;
    struct tree t = { .session = s, .args = a };
    const struct hs_thread *thread = choose_thread(s->trace, a->thread);
    if (a->around != HS_NO_SEQ && !aim(s, a, &fold, &t, &thread, &error))
        return session_fail(s, "%s", error.text);
    if (thread == NULL)
        return a->thread == NULL ? session_close(s, EXIT_DONE) : session_fail(s, "--thread %s: no such thread", a->thread);
    struct hs_filter filter = { .size = sizeof filter, .from = a->from, .to = a->to, .threads = &thread->thread,
                                .thread_count = 1, .events = events, .event_count = sizeof events / sizeof *events };
    t.fold = fold;
    if (hs_cursor_open(s->trace, &filter, &c, &error) != 0)
        return session_fail(s, "%s", error.text);
    int failed = build(&t, c, &error);
    hs_cursor_close(c);
    if (failed == 0 && show_init(&show, s->trace, &s->out)) {
        if (a->around != HS_NO_SEQ)
            show_around(&show, &t);
        for (size_t i = 0; a->around == HS_NO_SEQ && i < t.nodes.count && i < a->common.limit; i++)
            (a->common.json ? json : text)(&show, &t, &t.nodes.items[i]);
        show_done(&show);
    }
    if (t.cut && a->common.limit > NODES_MAX)
        (void)cli_fail(0, s->command, "only the first %d calls are shown: choose --depth, --from or --to", NODES_MAX);
    vec_free(&t.nodes);
    vec_free(&t.values);
    vec_free(&t.frames);
    return failed != 0 ? session_fail(s, "%s", error.text) : session_close(s, EXIT_DONE);
}

int cmd_tree(int argc, char **argv)
{
    struct args a = { .depth = UINT64_MAX, .to = UINT64_MAX, .fold = "shape", .around = HS_NO_SEQ };
    struct session s;
    int status = cli_parse(&usage, argc, argv, &a);
    if (status != PARSED)
        return status;
    enum fold fold = strcmp(a.fold, "shape") == 0 ? FOLD_SHAPE : strcmp(a.fold, "equal") == 0 ? FOLD_EQUAL : FOLD_NONE;
    if (fold == FOLD_NONE && strcmp(a.fold, "none") != 0)
        return cli_fail(EXIT_USAGE, argv[0], "--fold: '%s' is not shape, equal or none", a.fold);
    status = session_open_stream(&s, argv[0], a.common.arguments[0]);
    if (status != PARSED)
        return status;
    if (a.mark != NULL && (status = session_mark(&s, a.mark, &a.from, &a.to)) != PARSED)
        return session_close(&s, status);
    return run(&s, &a, fold);
}
