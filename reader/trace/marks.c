/* marks.c - marked intervals: rows read at opening, their seqs when first asked for.
 *
 * A row says where a mark begins and ends on the shared counter; the events before such a stamp are counted
 * (positions.h), and that count is the seq of the first event behind it. */
#include "reader/stream/positions.h"
#include "reader/trace/internal.h"

static enum status mark_table_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct mark_row row;
    struct error why;
    (void)key;
    if (mark_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    struct mark_stamps *stamps = vec_push(&t->mark_stamps);
    struct hs_mark *mark = vec_push(&t->marks);
    if (stamps != NULL)
        *stamps = (struct mark_stamps){ row.begin_stamp, row.end_stamp };
    if (mark != NULL)
        *mark =
            (struct hs_mark){ .name = trace_text(t, row.name, false), .begin_ns = row.begin_ns, .end_ns = row.end_ns };
    return stamps != NULL && mark != NULL && mark->name != NULL
               ? OK
               : error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}

enum status marks_load(hs_trace *t, struct error *err) { return env_each(&t->env, DB_MARK, mark_table_row, t, err); }

void marks_done(hs_trace *t)
{
    vec_free(&t->marks);
    vec_free(&t->mark_stamps);
}

int hs_marks(hs_trace *t, const struct hs_mark **out, size_t *count, struct hs_error *error)
{
    struct error err;
    enum status st = OK;
    for (size_t i = 0; i < t->marks.count && !t->marks_numbered; i++) {
        const struct mark_stamps *stamps = &t->mark_stamps.items[i];
        struct hs_mark *mark = &t->marks.items[i];
        uint64_t end = t->events;
        st = positions_below(t, stamps->begin, &mark->first, &err);
        if (st == OK && stamps->end != UINT64_MAX)
            st = positions_below(t, stamps->end, &end, &err);
        if (st != OK)
            return give(error, &err);
        mark->events = end > mark->first ? end - mark->first : 0;
    }
    t->marks_numbered = true;
    *out = t->marks.items;
    *count = t->marks.count;
    return 0;
}
