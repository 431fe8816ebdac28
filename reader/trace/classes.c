/* classes.c - loads classes and methods on first use; dataids.c their data IDs.
 *
 * Rows that cannot be decoded are left out and remembered as damage: one bad class must not hide the other thousand. */
#include <stdlib.h>
#include <string.h>

#include "formats/limits.h"
#include "formats/search.h"
#include "reader/trace/loading.h"

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* ---- classes and methods ---- */

struct kept_method {
    struct hs_method method; /* the first member: method_followed finds the other by it */
    bool followed, inputs;
};

static enum status keep_class(hs_trace *t, const struct class_row *row, struct error *err)
{
    struct kept_method *methods = arena_array(&t->arena, row->methods.count, sizeof *methods);
    struct hs_class *c = vec_push(&t->classes);
    if (methods == NULL || c == NULL)
        return no_memory(t, err);
    bool ok = true;
    *c = (struct hs_class){ .class_no = row->class_no,
                            .state = (enum hs_class_state)row->state,
                            .name = trace_text(t, row->name, true),
                            .super = trace_text(t, row->super, true),
                            .loader = trace_text(t, row->loader, false),
                            .loader_id = row->loader_id,
                            .source = trace_text(t, row->source, false),
                            .source_file = trace_text(t, row->source_file, false),
                            .major = row->major,
                            .minor = row->minor,
                            .access = row->access,
                            .hash = row->hash,
                            .size_bytes = row->size,
                            .reason = trace_text(t, row->reason, false),
                            .first_dataid = row->first_dataid,
                            .dataid_count = row->dataid_count,
                            .method_count = (uint32_t)row->methods.count,
                            .methods = pointers_to(&t->arena, methods, sizeof *methods, row->methods.count) };
    ok = c->methods && c->name && c->super && c->loader && c->source && c->source_file && c->reason;
    for (uint32_t i = 0; ok && i < c->method_count; i++) {
        const struct method_row *m = &row->methods.items[i];
        struct hs_method *to = &methods[i].method;
        *to = (struct hs_method){ .method_id = row->first_method + i,
                                  .class_no = row->class_no,
                                  .name = trace_text(t, m->name, false),
                                  .desc = trace_text(t, m->desc, false),
                                  .access = m->access,
                                  .code_length = m->code_length,
                                  .hash = m->hash,
                                  .groups = m->groups,
                                  .reason = trace_text(t, m->reason, false) };
        methods[i].followed = m->followed;
        methods[i].inputs = m->inputs;
        ok = to->name && to->desc && to->reason;
    }
    return ok ? OK : no_memory(t, err);
}

static enum status class_table_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct class_row row = { .class_no = (uint32_t)env_integer(key) };
    struct error why;
    if (class_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    row.class_no = (uint32_t)env_integer(key);
    enum status st = OK;
    if ((uint64_t)row.first_dataid + row.dataid_count > UINT32_MAX ||
        (uint64_t)row.first_method + row.methods.count > UINT32_MAX ||
        row.first_method > t->methods_stored + NUMBERS_MISSING_MAX ||
        row.class_no > t->classes.count + NUMBERS_MISSING_MAX) {
        (void)error_set(&why, ERR_FORMAT, "%s: class %u: wild numbers of data IDs or methods", t->dir, row.class_no);
        trace_damaged(t, &why);
    } else {
        t->methods_stored += row.methods.count;
        st = keep_class(t, &row, err);
    }
    class_row_done(&row);
    return st;
}

struct sort_key {
    uint32_t first, position;
};
static int by_first(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first ? 1 : x->position < y->position ? -1 : 1;
}

/* A data ID belongs to one class, and every look-up finds the same one: a class whose data IDs begin inside those of
 * another has none. Returns how many classes are left in `keys`. */
static size_t drop_overlaps(hs_trace *t, struct sort_key *keys, size_t n)
{
    uint64_t end = 0;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        struct hs_class *c = &t->classes.items[keys[i].position];
        if (c->first_dataid >= end) {
            end = (uint64_t)c->first_dataid + c->dataid_count;
            keys[kept++] = keys[i];
            continue;
        }
        struct error why;
        (void)error_set(&why, ERR_FORMAT, "%s: class %s has data IDs of another class", t->dir, c->name);
        trace_damaged(t, &why);
        c->dataid_count = 0;
    }
    return kept;
}

/* Lists the classes with data IDs, or with methods, by their first id. */
static bool order_classes(hs_trace *t, bool methods)
{
    struct sort_key *keys = malloc((t->classes.count + 1) * sizeof *keys);
    size_t n = 0;
    for (uint32_t i = 0; keys != NULL && i < t->classes.count; i++) {
        const struct hs_class *c = &t->classes.items[i];
        if (methods ? c->method_count > 0 : c->dataid_count > 0)
            keys[n++] = (struct sort_key){ methods ? c->methods[0]->method_id : c->first_dataid, i };
    }
    bool ok = keys != NULL && (methods ? vec_reserve(&t->by_method, n) : vec_reserve(&t->by_dataid, n));
    if (ok && n > 0)
        qsort(keys, n, sizeof *keys, by_first);
    if (ok && !methods)
        n = drop_overlaps(t, keys, n);
    for (size_t i = 0; ok && i < n; i++) {
        uint32_t *to = methods ? vec_push(&t->by_method) : vec_push(&t->by_dataid);
        *to = keys[i].position;
    }
    free(keys);
    return ok;
}

static enum status load_classes(hs_trace *t, struct error *err)
{
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_each(&t->env, DB_CLASS, class_table_row, t, err);
    env_end(&t->env);
    if (st != OK)
        return st;
    t->class_ids = calloc(t->classes.count + 1, sizeof *t->class_ids);
    if (t->class_ids == NULL || !order_classes(t, false) || !order_classes(t, true))
        return no_memory(t, err);
    return OK;
}

bool tables_need_classes(hs_trace *t)
{
    struct error err;
    if (t->classes_loaded)
        return true;
    t->classes_loaded = true; /* also after a failure: not tried again */
    if (load_classes(t, &err) == OK)
        return true;
    trace_damaged(t, &err);
    t->classes.count = t->by_dataid.count = t->by_method.count = 0;
    return false;
}

void classes_done(hs_trace *t)
{
    vec_free(&t->classes);
    vec_free(&t->by_dataid);
    vec_free(&t->by_method);
}

size_t class_rows(hs_trace *t) { return tables_need_classes(t) ? t->classes.count : 0; }

const struct hs_class *class_at(hs_trace *t, size_t i)
{
    return tables_need_classes(t) && i < t->classes.count ? &t->classes.items[i] : NULL;
}

bool has_woven_class(hs_trace *t, const char *name)
{
    const struct hs_class *c;
    for (size_t i = 0; (c = class_at(t, i)) != NULL; i++)
        if (c->state == HS_CLASS_WOVEN && strcmp(c->name, name) == 0)
            return true;
    return false;
}

const struct hs_class *class_row(hs_trace *t, uint32_t class_no)
{
    size_t i;
    if (!tables_need_classes(t))
        return NULL;
    LOWER_BOUND(i, t->classes.count, t->classes.items[i].class_no < class_no);
    return i < t->classes.count && t->classes.items[i].class_no == class_no ? &t->classes.items[i] : NULL;
}

const struct hs_method *method_row(hs_trace *t, uint32_t method_id)
{
    size_t i; /* the last class that begins at or before the method is at i - 1 */
    if (!tables_need_classes(t))
        return NULL;
    LOWER_BOUND(i, t->by_method.count, t->classes.items[t->by_method.items[i]].methods[0]->method_id <= method_id);
    if (i == 0)
        return NULL;
    const struct hs_class *c = &t->classes.items[t->by_method.items[i - 1]];
    uint32_t index = method_id - c->methods[0]->method_id;
    return index < c->method_count ? c->methods[index] : NULL;
}

bool method_followed(hs_trace *t, uint32_t method_id)
{
    const struct kept_method *m = (const struct kept_method *)method_row(t, method_id);
    return m != NULL && m->followed;
}
