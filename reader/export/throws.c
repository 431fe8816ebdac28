/* throws.c - see throws.h. */
#include "reader/export/throws.h"

bool throws_init(struct throws *t, struct export_job *x)
{
    struct hs_error error = HS_ERROR_INIT;
    *t = (struct throws){ .job = x, .thrown = HS_NO_SEQ, .taken = true };
    return hs_exceptions_open(x->trace, &t->rows, &error) == 0 || export_failed(x, &error);
}

/* To the next row; false: there is none, or it failed. */
static bool go_on(struct throws *t)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_exception *x;
    const int more = t->ends ? 0 : hs_exception_next(t->rows, &x, &error);
    t->ends = more <= 0;
    t->taken = t->ends;
    if (more > 0)
        t->thrown = x->thrown;
    if (more < 0)
        export_failed(t->job, &error);
    return more > 0;
}

bool throws_here(struct throws *t, const struct call_step *s)
{
    if (s->event == NULL || s->kind == CALL_BEGINS)
        return false;
    while (t->taken || t->thrown < s->event->seq)
        if (!go_on(t))
            return false;
    t->taken = t->thrown == s->event->seq;
    return t->taken;
}

const struct hs_thrown *throws_held(struct throws *t) { return hs_exception_held(t->rows); }

void throws_done(struct throws *t) { hs_cursor_close(t->rows); }
