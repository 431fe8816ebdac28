/* copy_trace.c - see copy_trace.h. */
#include "test/fsck/copy_trace.h"

#include <sys/stat.h>

struct pass {
    struct store *out;
    enum schema_db db;
    copy_row_fn *row;
    void *context;
};

static enum status pass_row(void *context, struct text key, struct text value, struct error *err)
{
    const struct pass *p = context;
    return p->row(p->context, p->out, p->db, key, value, err);
}

enum status copy_same(struct store *out, enum schema_db db, struct text key, struct text value, struct error *err)
{
    return db == DB_INFO ? store_put_text(out, db, key.data, key.size, value.data, value.size, err)
                         : store_put(out, db, env_integer(key), value.data, value.size, err);
}

enum status copy_trace(hs_trace *in, const char *to, copy_row_fn *row, void *context, struct error *err)
{
    struct pass p = { .row = row, .context = context };
    enum status st =
        mkdir(to, 0777) == 0 ? store_open(to, true, &p.out, err) : error_set(err, ERR_IO, "%s: cannot be made", to);
    if (st == OK)
        st = store_begin(p.out, err);
    if (st == OK)
        st = env_begin(&in->env, err);
    for (unsigned db = 0; db < DB_COUNT && st == OK; db++) {
        p.db = (enum schema_db)db;
        st = env_each(&in->env, p.db, pass_row, &p, err);
    }
    env_end(&in->env);
    if (st == OK) {
        store_flush_packs(p.out);
        st = store_commit(p.out, err);
    }
    store_close(p.out);
    return st;
}
