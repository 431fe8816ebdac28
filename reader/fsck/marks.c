/* marks.c - the rows of marks: numbered in the order of their begins, with ends not before their begins, within the
 * recording. */
#include "reader/fsck/marks.h"

#include <stdlib.h>

struct mark_pass {
    struct fsck *f;
    uint64_t next, begin; /* number of the next row, begin of the last one */
};

static enum status mark_seen(void *context, struct text key, struct text value, struct error *err)
{
    struct mark_pass *p = context;
    struct fsck *f = p->f;
    struct mark_row m;
    struct error why = { 0 };
    unsigned long long number = env_integer(key);
    (void)err;
    f->result->checked++;
    if (number != p->next)
        fsck_report(f, RULE_mark, NO_SEQ, "mark %llu follows %llu", number, (unsigned long long)p->next - 1);
    p->next = number + 1;
    if (mark_row_decode(value.data, value.size, &m, &why) != OK) {
        fsck_report(f, RULE_table, NO_SEQ, "mark row %llu: %s", number, why.text);
        return OK;
    }
    bool open = m.end_stamp == UINT64_MAX;
    if (!mark_name_fits(m.name))
        fsck_report(f, RULE_mark, NO_SEQ, "mark %llu: its name of %zu bytes is no text", number, m.name.size);
    if (m.begin_stamp <= p->begin)
        fsck_report(f, RULE_mark, NO_SEQ, "mark %llu begins at stamp %llu, the one before at %llu", number,
                    (unsigned long long)m.begin_stamp, (unsigned long long)p->begin);
    if (open != (m.end_ns == UINT64_MAX))
        fsck_report(f, RULE_mark, NO_SEQ, "mark %llu is open by its %s, but not by its %s", number,
                    open ? "stamp" : "time", open ? "time" : "stamp");
    else if (m.end_stamp <= m.begin_stamp || m.end_ns < m.begin_ns)
        fsck_report(f, RULE_mark, NO_SEQ, "mark %llu begins at stamp %llu and %llu ns, it ends at %llu and %llu ns",
                    number, (unsigned long long)m.begin_stamp, (unsigned long long)m.begin_ns,
                    (unsigned long long)m.end_stamp, (unsigned long long)m.end_ns);
    if (m.begin_stamp > f->last_stamp || (!open && m.end_stamp > f->last_stamp))
        fsck_report(f, RULE_mark, NO_SEQ, "mark %llu goes to stamp %llu, the recording to %llu", number,
                    (unsigned long long)(open ? m.begin_stamp : m.end_stamp), (unsigned long long)f->last_stamp);
    p->begin = m.begin_stamp;
    return OK;
}

enum status fsck_marks(struct fsck *f, struct error *err)
{
    struct mark_pass p = { .f = f };
    return env_each(&f->trace->env, DB_MARK, mark_seen, &p, err);
}
