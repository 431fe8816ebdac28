/* marks.c - loads the rows of marks when a trace is opened. stream/numbering.c computes their seqs. */
#include "reader/trace/loading.h"

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
    return stamps != NULL && mark != NULL && mark->name != NULL ? OK : error_memory(err, "%s", t->dir);
}

enum status marks_load(hs_trace *t, struct error *err) { return env_each(&t->env, DB_MARK, mark_table_row, t, err); }

void marks_done(hs_trace *t)
{
    vec_free(&t->marks);
    vec_free(&t->mark_stamps);
}
