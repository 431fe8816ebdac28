/* throws.c - see throws.h. */
#include "reader/export/throws.h"

bool throws_init(struct throws *t, struct export_job *x)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_exception *exception;
    hs_cursor *cursor;
    bool room = true;
    int more = 0;
    *t = (struct throws){ 0 };
    if (hs_exceptions_open(x->trace, &cursor, &error) != 0)
        return export_failed(x, &error);
    while (room && (more = hs_exception_next(cursor, &exception, &error)) > 0) {
        uint64_t *seq = vec_push(&t->seqs);
        room = seq != NULL;
        if (room)
            *seq = exception->thrown;
    }
    hs_cursor_close(cursor);
    if (!room)
        return export_fail(x, "out of memory");
    return more == 0 || export_failed(x, &error);
}

bool throws_here(struct throws *t, const struct call_step *s)
{
    if (s->event == NULL || s->kind == CALL_BEGINS)
        return false;
    while (t->at < t->seqs.count && t->seqs.items[t->at] < s->event->seq)
        t->at++;
    if (t->at == t->seqs.count || t->seqs.items[t->at] != s->event->seq)
        return false;
    t->at++;
    return true;
}

void throws_done(struct throws *t) { vec_free(&t->seqs); }
