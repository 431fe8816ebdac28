/* given.c - see given.h. */
#include "reader/query/given.h"

#include <string.h>

void given_flush(struct given_thread *thread, given_fn *given, void *context)
{
    for (size_t i = 0; i < thread->ids.count; i++)
        given(context, thread->ids.items[i]);
    thread->ids.count = 0;
    thread->inside = 0;
}

/* Can the JVM have called the method before it enters the callee: to load or to initialize its class? */
static bool enters_before_callee(const struct hs_method *m)
{
    return strcmp(m->name, "<clinit>") == 0 ||
           (strcmp(m->name, "loadClass") == 0 && strcmp(m->desc, "(Ljava/lang/String;)Ljava/lang/Class;") == 0);
}

/* Does the event show that the code which has the objects now is woven? */
static bool taken_by_woven(hs_trace *t, const struct given_thread *thread, const struct hs_event *e,
                           const struct effect *f)
{
    const struct hs_dataid *before = hs_dataid_get(t, thread->dataid), *d = hs_dataid_get(t, e->dataid);
    if (before == NULL || d == NULL || (thread->leaves ? f->event != EVENT_CALL_RETURN : f->op != EFFECT_ENTER))
        return false;
    const struct hs_dataid *call = call_site(t, thread->leaves ? d : before);
    const struct hs_method *m = hs_method_get(t, thread->leaves ? before->method_id : f->method);
    return call != NULL && m != NULL && call_names(call, m);
}

/* The event behind the arguments, or behind the exit. */
static void settle(hs_trace *t, struct given_thread *thread, const struct hs_event *e, const struct effect *f,
                   given_fn *given, void *context)
{
    if (thread->inside > 0) {
        thread->inside += f->op == EFFECT_ENTER;
        thread->inside -= f->op == EFFECT_LEAVE;
        return;
    }
    if (f->event == EVENT_CALL_PARAM && !thread->leaves)
        return;
    const struct hs_method *m = f->op == EFFECT_ENTER && !thread->leaves ? hs_method_get(t, f->method) : NULL;
    if (m != NULL && enters_before_callee(m)) {
        thread->inside = 1;
        return;
    }
    if (taken_by_woven(t, thread, e, f))
        thread->ids.count = 0;
    else
        given_flush(thread, given, context);
}

bool given_step(hs_trace *t, struct given_thread *thread, const struct hs_event *e, const struct effect *f,
                given_fn *given, void *context)
{
    if (thread->ids.count > 0)
        settle(t, thread, e, f, given, context);
    if (e->kind != KIND_REF || e->value == 0 || e->value > UINT32_MAX)
        return true;
    const bool argument = f->event == EVENT_CALL_PARAM;
    if (f->event == EVENT_INVOKE_DYNAMIC_PARAM || (argument && thread->inside > 0)) {
        given(context, (uint32_t)e->value);
    } else if ((argument || f->event == EVENT_METHOD_NORMAL_EXIT) && thread->inside == 0) {
        uint32_t *id = vec_push(&thread->ids);
        if (id == NULL)
            return false;
        *id = (uint32_t)e->value;
        thread->dataid = e->dataid;
        thread->leaves = !argument;
    }
    return true;
}
