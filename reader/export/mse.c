/* mse.c - the format mse (mse.h): the activations, that is calls, with what they were given and returned, the accesses
 * to fields inside of them, and the features that they belong to.
 *
 * An activation is written when it ends (call_events.h keeps it until then), so references also go to elements that
 * come later. `sender` is the receiver of the activation around it. start and stop are seqs: a call that was not left
 * has no stop, one that was entered before the recording no start and no number. */
#include "reader/export/mse.h"

#include "reader/export/call_events.h"

static const struct mse_dialect wiretap = { "belongsTo", "belongsTo", "FAMIX.InheritanceDefinition", "method" };
static const struct mse_dialect famix3 = { "container", "parentType", "FAMIX.Inheritance", "behaviour" };

struct feature {
    uint64_t id, first, events;
};
struct run {
    struct mse *mse;
    VEC(struct feature) features, inside; /* all; those of the current event */
    size_t next_feature;
};

static void put_reference(struct out *o, const char *name, uint64_t id)
{
    if (id != 0)
        out_format(o, " (%s (ref: %llu))", name, (unsigned long long)id);
}

static uint64_t instance(const struct mse *m, struct call_value v)
{
    return v.kind == HS_KIND_REF && v.bits != 0 ? m->first_object + v.bits : 0;
}
static uint64_t activation(const struct mse *m, const struct open_call *call)
{
    return call != NULL && call->entered != HS_NO_SEQ ? m->first_activation + call->entered : 0;
}

/* The activation around this one; NULL: there is none. */
static const struct open_call *caller(const struct call_step *s)
{
    const struct open_call *c = s->call;
    while (c > s->in->calls.items)
        if ((--c)->chosen)
            return c;
    return NULL;
}

static bool is_exit(const struct call_step *s)
{
    return s->dataid != NULL &&
           (s->dataid->event == HS_EVENT_METHOD_NORMAL_EXIT || s->dataid->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT);
}

static void put_activation(struct mse *m, const struct call_step *s)
{
    struct out *o = m->job->out;
    const struct open_call *around = caller(s);
    out_text(o, "  (Dynamix.Activation");
    if (activation(m, s->call) != 0)
        out_format(o, " (id: %llu)", (unsigned long long)activation(m, s->call));
    put_reference(o, m->dialect->behaviour, mse_method(m, s->call->method_id));
    if (s->call->entered != HS_NO_SEQ)
        out_format(o, " (start %llu)", (unsigned long long)s->call->entered);
    if (is_exit(s))
        out_format(o, " (stop %llu)", (unsigned long long)s->event->seq);
    out_format(o, " (thread %u)", s->thread);
    put_reference(o, "parent", activation(m, around));
    put_reference(o, "sender", around != NULL ? instance(m, around->receiver) : 0);
    put_reference(o, "receiver", instance(m, s->call->receiver));
    if (s->argument_count > 0) {
        out_text(o, " (arguments");
        for (size_t i = 0; i < s->argument_count; i++) {
            out_char(o, ' ');
            mse_value(m, s->arguments[i].kind, s->arguments[i].bits);
        }
        out_char(o, ')');
    }
    if (is_exit(s) && s->event->kind != HS_KIND_VOID) {
        out_text(o, s->dataid->event == HS_EVENT_METHOD_NORMAL_EXIT ? " (return " : " (exception ");
        mse_value(m, s->event->kind, s->event->value);
        out_char(o, ')');
    }
    out_bytes(o, ")\n", 2);
}

/* The object of an access to an instance field is in the event before its value, or in one behind it. */
static uint64_t accessed_object(const struct mse *m, const struct call_step *s)
{
    const uint32_t before = s->in->recent[1].dataid;
    const struct hs_dataid *d = before != UINT32_MAX ? hs_dataid_get(m->job->trace, before) : NULL;
    const bool access = d != NULL &&
                        (d->event == HS_EVENT_GET_INSTANCE_FIELD || d->event == HS_EVENT_PUT_INSTANCE_FIELD) &&
                        d->method_id == s->dataid->method_id && d->pc == s->dataid->pc;
    const struct call_value early = { hs_early_object(m->job->trace, s->event), HS_KIND_REF };
    return instance(m, access ? s->in->recent[1].value : early);
}

static void put_access(struct mse *m, const struct call_step *s)
{
    struct out *o = m->job->out;
    const uint64_t field = s->dataid != NULL ? mse_field(m, s->dataid) : 0;
    if (field == 0 || !hs_store_done(m->job->trace, s->event))
        return;
    const unsigned event = s->dataid->event;
    const bool reads = event == HS_EVENT_GET_STATIC_FIELD || event == HS_EVENT_GET_INSTANCE_FIELD_RESULT;
    out_text(o, "  (Dynamix.FieldAccess");
    put_reference(o, "field", field);
    put_reference(o, "activation", activation(m, s->call));
    put_reference(o, "object", accessed_object(m, s));
    out_format(o, " (start %llu) (isWrite %s) (value ", (unsigned long long)s->event->seq, reads ? "false" : "true");
    mse_value(m, s->event->kind, s->event->value);
    out_bytes(o, "))\n", 3);
}

/* ---- features ---- */

static bool load_features(struct run *r)
{
    struct hs_error error = HS_ERROR_INIT;
    struct export_job *x = r->mse->job;
    const struct hs_mark *mark;
    hs_cursor *marks;
    int more;
    if (hs_marks_open(x->trace, &marks, &error) != 0)
        return export_failed(x, &error);
    while ((more = hs_mark_next(marks, &mark, &error)) > 0) {
        struct feature *f = vec_push(&r->features);
        if (f == NULL)
            break;
        *f = (struct feature){ r->mse->first_feature + r->features.count - 1, mark->first, mark->events };
    }
    hs_cursor_close(marks);
    return more == 0 || (more < 0 ? export_failed(x, &error) : export_fail(x, "out of memory"));
}

/* `inside` becomes the features of an event; marks are in the order in which they began. */
static void move_features(struct run *r, uint64_t seq)
{
    size_t kept = 0;
    for (; r->next_feature < r->features.count && r->features.items[r->next_feature].first <= seq; r->next_feature++) {
        struct feature *f = vec_push(&r->inside);
        if (f == NULL) {
            (void)export_fail(r->mse->job, "out of memory");
            return;
        }
        *f = r->features.items[r->next_feature];
    }
    for (size_t i = 0; i < r->inside.count; i++)
        if (seq - r->inside.items[i].first < r->inside.items[i].events)
            r->inside.items[kept++] = r->inside.items[i];
    r->inside.count = kept;
}

static void put_memberships(struct run *r, const struct open_call *call)
{
    if (call->entered == HS_NO_SEQ)
        return;
    move_features(r, call->entered);
    for (size_t i = 0; i < r->inside.count; i++) {
        out_text(r->mse->job->out, "  (Dynamix.FeatureActivation");
        put_reference(r->mse->job->out, "feature", r->inside.items[i].id);
        put_reference(r->mse->job->out, "activation", activation(r->mse, call));
        out_bytes(r->mse->job->out, ")\n", 2);
    }
}

static bool put_events(struct run *r)
{
    struct export_job *x = r->mse->job;
    struct call_events calls;
    struct call_step step;
    if (!load_features(r) || !call_events_open(&calls, x))
        return false;
    while (call_events_next(&calls, &step))
        switch (step.kind) {
        case CALL_BEGINS: put_memberships(r, step.call); break;
        case CALL_INSIDE: put_access(r->mse, &step); break;
        case CALL_ENDS: put_activation(r->mse, &step); break;
        }
    call_events_done(&calls);
    return export_ok(x);
}

bool export_mse(struct export_job *x)
{
    struct mse m = { .job = x, .dialect = x->options.famix3 ? &famix3 : &wiretap };
    struct run r = { .mse = &m };
    bool done = export_has_stream(x) && mse_load(&m);
    if (done) {
        out_bytes(x->out, "(\n", 2);
        done = mse_put_model(&m) && put_events(&r);
        out_bytes(x->out, ")\n", 2);
    }
    vec_free(&r.features);
    vec_free(&r.inside);
    mse_done(&m);
    return done && export_ok(x);
}
