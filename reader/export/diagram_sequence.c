/* diagram_sequence.c - sequence diagrams: the calls of each thread in their order, as messages between classes.
 *
 * hs_tree gives the calls with their loops folded: calls beside each other that come again are there once, with how
 * often. What is open (calls and loops) is one stack, outermost first, so that all of them end in the right order:
 *
 *     call A 0   loop 5 times (2 calls at depth 1)   call B 1   call C 2
 *
 * With --class or --method other calls are left out, and those that they made come from the one around them. A loop is
 * written when its first call is. */
#include "reader/export/diagram.h"

#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/map.h"
#include "formats/vec.h"

/* A call or a loop. */
struct open {
    bool loop, shown;
    uint32_t depth;
    uint64_t times; /* loop */
    uint64_t left;  /* loop: calls at its depth that are still to come */
    uint32_t who;   /* call: participant */
    char *answer;   /* call: what it gave back; NULL: nothing */
};
struct participant {
    uint64_t key; /* class + 1; 2^32 + thread + 1 */
    uint32_t id;
};
struct sequence {
    struct diagram *d;
    VEC(struct open) open;
    MAP(struct participant) participants;
    uint32_t thread, actor; /* the participant that stands for the thread */
    uint64_t shown;         /* messages */
    bool cut;
};

static bool participant(struct sequence *s, uint64_t key, uint32_t *id)
{
    struct diagram *d = s->d;
    struct participant *p = map_put(&s->participants, key);
    if (p == NULL)
        return export_fail(d->job, "out of memory");
    if (p->id == 0) {
        const struct hs_class *c = key <= UINT32_MAX ? hs_class_get(d->job->trace, (uint32_t)(key - 1)) : NULL;
        const struct hs_thread *t = key > UINT32_MAX ? hs_thread_get(d->job->trace, s->thread) : NULL;
        p->id = (uint32_t)s->participants.count;
        if (key > UINT32_MAX)
            out_format(&d->scratch, "thread %s", t != NULL ? t->name : "?");
        else
            out_name(&d->scratch, c != NULL ? c->name : "?");
        d->language->participant(d, p->id, diagram_text(d));
    }
    *id = p->id;
    return true;
}

/* ---- what is open ---- */

/* Writes the loops that a message stands in. */
static void show_loops(struct sequence *s)
{
    for (size_t i = 0; i < s->open.count; i++)
        if (s->open.items[i].loop && !s->open.items[i].shown) {
            s->d->language->loop(s->d, s->open.items[i].times);
            s->open.items[i].shown = true;
        }
}

/* Who made the innermost call before position `at`. */
static uint32_t caller(const struct sequence *s, size_t at)
{
    while (at-- > 0)
        if (!s->open.items[at].loop && s->open.items[at].shown)
            return s->open.items[at].who;
    return s->actor;
}

static void end_last(struct sequence *s)
{
    const struct diagram_language *language = s->d->language;
    struct open *o = &s->open.items[--s->open.count];
    if (o->loop && o->shown)
        language->loop_end(s->d);
    if (!o->loop && o->shown) {
        if (o->answer != NULL)
            language->message(s->d, o->who, caller(s, s->open.count), o->answer, true);
        language->active(s->d, o->who, false);
    }
    free(o->answer);
}

/* Ends what ends before a call at this depth. */
static void end_before(struct sequence *s, uint32_t depth)
{
    while (s->open.count > 0) {
        const struct open *o = &s->open.items[s->open.count - 1];
        if (o->depth < depth || (o->depth == depth && o->loop && o->left > 0))
            return;
        end_last(s);
    }
}

static bool push(struct sequence *s, struct open o)
{
    struct open *to = vec_push(&s->open);
    if (to == NULL) {
        free(o.answer);
        return export_fail(s->d->job, "out of memory");
    }
    *to = o;
    return true;
}

/* The loops that begin with a call, the longest first, and those that go on with it. */
static bool begin_loops(struct sequence *s, const struct hs_call *call)
{
    for (size_t i = s->open.count; i-- > 0 && s->open.items[i].loop && s->open.items[i].depth == call->depth;)
        s->open.items[i].left--;
    for (size_t i = call->repeat_count; i-- > 0;)
        if (!push(s, (struct open){ .loop = true,
                                    .depth = call->depth,
                                    .times = call->repeats[i]->times,
                                    .left = call->repeats[i]->calls - 1 }))
            return false;
    return call->times <= 1 || push(s, (struct open){ .loop = true, .depth = call->depth, .times = call->times });
}

/* ---- calls ---- */

static const char *arguments(struct sequence *s, const struct hs_call *call, const char *name)
{
    struct out *o = &s->d->scratch;
    out_name(o, name);
    out_char(o, '(');
    for (uint32_t i = 0; i < call->argument_count; i++) {
        out_text(o, i > 0 ? ", " : "");
        show_value_text(&s->d->show, call->arguments[i]->kind, call->arguments[i]->bits);
    }
    out_char(o, ')');
    if (!call->left)
        out_text(o, " (not left)");
    return diagram_text(s->d);
}

static char *answer(struct sequence *s, const struct hs_call *call)
{
    if (call->threw) {
        out_text(&s->d->scratch, "throws ");
        show_object_name(&s->d->show, call->exception);
    } else if (call->result != NULL)
        show_value_text(&s->d->show, call->result->kind, call->result->bits);
    else
        return NULL;
    char *text = strdup(diagram_text(s->d));
    if (text == NULL)
        (void)export_fail(s->d->job, "out of memory");
    return text;
}

static bool is_wanted(const struct sequence *s, const struct hs_class *c, const struct hs_method *m)
{
    const struct hs_filter *f = &s->d->job->filter->filter;
    return hs_class_matches(f->class_glob, c != NULL ? c->name : "") &&
           (m == NULL || hs_method_matches(f->method_glob, m->name, m->desc));
}

static bool add(struct sequence *s, const struct hs_call *call)
{
    struct diagram *d = s->d;
    const struct hs_dataid *entry = hs_dataid_get(d->job->trace, call->dataid);
    const struct hs_method *m = entry != NULL ? hs_method_get(d->job->trace, entry->method_id) : NULL;
    const struct hs_class *c = m != NULL ? hs_class_get(d->job->trace, m->class_no) : NULL;
    struct open o = { .depth = call->depth, .shown = is_wanted(s, c, m) };
    end_before(s, call->depth);
    if (!begin_loops(s, call))
        return false;
    if (o.shown) {
        if (!participant(s, (uint64_t)(c != NULL ? c->class_no : 0) + 1, &o.who))
            return false;
        show_loops(s);
        d->language->message(d, caller(s, s->open.count), o.who, arguments(s, call, m != NULL ? m->name : "?"), false);
        d->language->active(d, o.who, true);
        o.answer = answer(s, call);
        s->shown++;
    }
    return push(s, o);
}

static bool thread_calls(struct sequence *s, const struct hs_thread *t)
{
    struct export_job *x = s->d->job;
    struct hs_tree_options want = HS_TREE_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_call *call;
    hs_cursor *tree;
    int more = 0;
    want.thread = s->thread = t->thread;
    want.from = x->filter->filter.from;
    want.to = x->filter->filter.to;
    if (hs_tree_open(x->trace, &want, &tree, &error) != 0)
        return export_failed(x, &error);
    bool first = true;
    while (export_ok(x) && !s->cut && (more = hs_call_next(tree, &call, &error)) > 0) {
        if (first && !participant(s, ((uint64_t)1 << 32) + t->thread + 1, &s->actor))
            break;
        first = false;
        s->cut = s->shown >= s->d->most;
        if (!s->cut && !add(s, call))
            break;
    }
    while (s->open.count > 0)
        end_last(s);
    hs_cursor_close(tree);
    return more >= 0 ? export_ok(x) : export_failed(x, &error);
}

bool diagram_sequence(struct diagram *d)
{
    struct sequence s = { .d = d };
    struct export_job *x = d->job;
    const struct hs_filter *f = &x->filter->filter;
    const struct hs_thread *t;
    hs_cursor *threads;
    if (f->event_count > 0 || f->object != 0 || f->value != NULL || f->text != NULL || x->filter->where != NULL)
        return export_wrong(x,
                            "a sequence diagram shows calls: --thread, --class, --method, --from, --until and --mark "
                            "select them");
    if (hs_threads_open(x->trace, &threads, NULL) != 0)
        return export_fail(x, "out of memory");
    bool done = true;
    d->language->begin(d);
    while (done && !s.cut && hs_thread_next(threads, &t, NULL) > 0)
        if (t->events > 0 && chosen_thread(f, t->thread))
            done = thread_calls(&s, t);
    hs_cursor_close(threads);
    if (done && s.cut) {
        out_format(&d->scratch, "%llu messages are shown; further calls are left out (--limit)",
                   (unsigned long long)s.shown);
        d->language->note(d, s.actor, diagram_text(d));
    }
    vec_free(&s.open);
    map_free(&s.participants);
    if (done)
        export_unwoven(x, "call", USE_ENTER);
    return done;
}
