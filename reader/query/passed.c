/* passed.c - see passed.h. suspects.c writes the features. */
#include "reader/query/passed.h"

#include <string.h>

enum status passed_features(hs_trace *t, passed_feature_fn *each, void *context, uint64_t *tests, struct error *err)
{
    struct text row;
    *tests = 0;
    if (!t->env.has[DB_PASSED])
        return OK;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_get(&t->env, DB_PASSED, 0, &row, err);
    if (st == OK) {
        struct reader r = reader_of(row.data, row.size);
        *tests = read_varint(&r);
        for (uint64_t n = read_varint(&r); n > 0 && !r.bad && st == OK; n--) {
            const uint64_t key = read_le8(&r), had = read_varint(&r);
            if (!r.bad && key != 0 && !each(context, key, had < *tests ? had : *tests))
                st = error_memory(err, "%s", t->dir);
        }
        if (r.bad)
            st = error_set(err, ERR_FORMAT, "%s: what is kept of tests that passed is malformed", t->dir);
    }
    env_end(&t->env);
    return st == ERR_NOT_FOUND ? OK : st;
}

struct looking {
    struct text name;
    uint8_t *met;
    size_t count;
    bool found;
};

static enum status passed_row(void *context, struct text key, struct text value, struct error *err)
{
    struct looking *l = context;
    struct reader r = reader_of(value.data, value.size);
    struct text name = { 0 };
    uint64_t id = 0;
    (void)err;
    if (env_integer(key) == 0 || env_integer(key) >= PASSED_LEFT)
        return OK;
    name.data = read_text(&r, &name.size);
    if (r.bad || name.size != l->name.size || memcmp(name.data, l->name.data, name.size) != 0)
        return OK;
    l->found = true;
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad; n--) {
        id += read_varint(&r);
        if (!r.bad && id < l->count)
            l->met[id] = 1;
    }
    return OK;
}

bool passed_places(hs_trace *t, const char *class_name, uint8_t *met, size_t count)
{
    struct looking l = { { class_name, strlen(class_name) }, met, count, false };
    struct error ignored;
    if (!t->env.has[DB_PASSED] || env_begin(&t->env, &ignored) != OK)
        return false;
    (void)env_each(&t->env, DB_PASSED, passed_row, &l, &ignored);
    env_end(&t->env);
    return l.found;
}
