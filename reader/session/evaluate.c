/* evaluate.c - hs_evaluate: a session of its own, kept with the trace, and what it answered last. */
#include <stdlib.h>

#include "reader/session/evaluating.h"

struct evaluated {
    struct nav *nav;
    struct arena arena; /* of the answer */
    struct hs_evaluation answer;
};

static void evaluated_free(void *what)
{
    struct evaluated *x = what;
    nav_close(x->nav);
    arena_done(&x->arena);
    free(x);
}

static struct evaluated *evaluated_of(hs_trace *t, struct error *err)
{
    struct evaluated *x = trace_attached(t, ATTACHED_EVALUATED);
    if (x != NULL)
        return x;
    x = calloc(1, sizeof *x);
    if (x == NULL)
        return (void)error_memory(err, "expression"), NULL;
    if (nav_open(t, &x->nav, err) != OK) {
        free(x);
        return NULL;
    }
    trace_attach(t, ATTACHED_EVALUATED, x, evaluated_free);
    return x;
}

/* What is missing of a value that is there but may have changed. */
static const char *changed(const struct expression_value *v)
{
    return v->unrecorded ? "what was written while recording was stopped"
           : v->stale    ? "what code that is not woven may have written since"
                         : NULL;
}

void evaluation_of(const struct expression_value *v, struct hs_evaluation *out)
{
    *out = (struct hs_evaluation){ .kind = v->kind, .bits = v->bits, .seq = v->seq, .note = v->note };
    if (v->thrown != NULL)
        out->throws = v->thrown;
    else if (!v->known)
        out->not_recorded = v->missing != NULL ? v->missing : "something that it depends on";
    else
        out->not_recorded = changed(v);
    if (v->kind == EXPRESSION_TEXT) {
        out->kind = HS_KIND_REF;
        out->bits = 0;
        out->text = v->text != NULL ? v->text : "";
    }
}

static enum status evaluate(hs_trace *t, uint64_t seq, size_t frame, const char *text, struct evaluated **out,
                            struct error *err)
{
    struct evaluated *x = evaluated_of(t, err);
    const struct hs_frame *const *frames;
    size_t count;
    if (x == NULL)
        return err->status;
    enum status st = nav_go(x->nav, seq, err);
    if (st != OK)
        return st;
    const uint32_t thread = nav_thread(x->nav);
    st = nav_frames(x->nav, thread, &frames, &count, err);
    if (st == OK && frame >= count && (frame > 0 || count > 0))
        st = error_set(err, ERR_NOT_FOUND, "at %llu its thread has %zu frames, there is none of number %zu",
                       (unsigned long long)seq, count, frame);
    if (st != OK)
        return st;
    arena_done(&x->arena);
    x->arena = (struct arena){ 0 };
    struct expression_value v;
    st = evaluate_strictly(x->nav, thread, frame, text, &x->arena, &v, err);
    if (st != OK)
        return st;
    evaluation_of(&v, &x->answer);
    *out = x;
    return OK;
}

int hs_evaluate(hs_trace *trace, uint64_t seq, size_t frame, const char *expression,
                const struct hs_evaluation **evaluation, struct hs_error *error)
{
    struct error err;
    struct evaluated *x = NULL;
    if (evaluate(trace, seq, frame, expression, &x, &err) != OK)
        return give(error, &err);
    *evaluation = &x->answer;
    return 0;
}
