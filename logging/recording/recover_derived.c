/* recover_derived.c - see recover_derived.h. */
#include "logging/recording/recover_derived.h"

#include "formats/journal.h"
#include "formats/jvm/cpool.h"
#include "formats/limits.h"
#include "formats/rows.h"

/* A class whose data IDs are read. The texts of the row are gone then, but for the names of constructors. */
struct class_of_ids {
    struct derived_recovery *x;
    struct class_row row;
};

static const char constructor[] = "<init>";

struct pass {
    struct derived_recovery *x;
    struct store *store;
    struct deriver *deriver;
    VEC(struct class_of_ids) classes; /* by class number */
    struct error error;
};

/* The row of a data ID. If the event is an argument of a call, the one before it is not the last event of the call: its
 * row is corrected. */
static enum status add_dataid(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    const struct class_of_ids *c = context;
    struct derived_recovery *x = c->x;
    uint64_t id = (uint64_t)c->row.first_dataid + index;
    if (id >= x->count || row->method >= c->row.methods.count)
        return error_set(err, ERR_FORMAT, "a data ID is out of range");
    const struct method_row *m = &c->row.methods.items[row->method];
    x->sites[id] = derive_site_row(&(struct derive_site){
        .method = c->row.first_method + row->method,
        .event = row->event,
        .kind = row->kind | (row->joined ? KIND_JOINED : 0u),
        .followed = m->followed,
        .inputs = m->inputs,
        .constructor = row->event == EVENT_METHOD_ENTRY ? text_is(m->name, constructor)
                                                        : dataid_calls_constructor(row, row->attrs) });
    x->pcs[id] = (uint16_t)row->pc;
    if (index > 0 && (x->sites[id] & SITE_ROLE) == SITE_ARGUMENT)
        x->sites[id - 1] &= ~(uint32_t)SITE_LAST;
    return OK;
}

static enum status add_class(void *context, uint64_t key, const void *data, size_t size)
{
    struct pass *p = context;
    if (key > p->classes.count + (uint64_t)NUMBERS_MISSING_MAX)
        return error_set(&p->error, ERR_FORMAT, "the number of a class is impossible");
    if (!vec_extend(&p->classes, key + 1))
        return error_memory(&p->error, "%llu classes", (unsigned long long)key);
    struct class_of_ids *c = &p->classes.items[key];
    class_row_done(&c->row);
    c->x = p->x;
    enum status st = class_row_decode(data, size, &c->row, &p->error);
    for (size_t i = 0; st == OK && i < c->row.methods.count; i++) {
        struct text *name = &c->row.methods.items[i].name;
        *name = text_is(*name, constructor) ? TEXT_OF(constructor) : (struct text){ 0 };
    }
    return st;
}

static enum status add_dataids(void *context, uint64_t key, const void *data, size_t size)
{
    struct pass *p = context;
    if (key >= p->classes.count || p->classes.items[key].x == NULL)
        return OK; /* of a class that was not stored */
    return dataid_rows_each(data, size, add_dataid, &p->classes.items[key], &p->error);
}

static enum status add_state(void *context, uint64_t key, const void *data, size_t size)
{
    struct pass *p = context;
    if (key >= RECORDS_THREADS_MAX)
        return error_set(&p->error, ERR_FORMAT, "the number of a thread is impossible");
    return deriver_get_state(p->deriver, (uint32_t)key, data, size, &p->error);
}

static enum status add_followers(void *context, uint64_t key, const void *data, size_t size)
{
    struct pass *p = context;
    (void)key;
    return followers_read(derive_followers(p->deriver->encoder), data, size, p->x->count, &p->error);
}

static enum status read_rows(struct pass *p)
{
    enum status s = store_each(p->store, DB_CLASS, add_class, p, &p->error);
    if (s == OK)
        s = store_each(p->store, DB_DATAID, add_dataids, p, &p->error);
    if (s == OK)
        s = store_each(p->store, DB_DERIVED, add_state, p, &p->error);
    if (s == OK)
        s = store_each(p->store, DB_FOLLOWER, add_followers, p, &p->error);
    for (size_t i = 0; i < p->classes.count; i++)
        class_row_done(&p->classes.items[i].row);
    vec_free(&p->classes);
    return s;
}

static bool was_derived(struct store *store)
{
    const void *data;
    size_t size;
    return store_get_text(store, DB_INFO, "derive", &data, &size, NULL) == OK && size == 2 &&
           memcmp(data, "on", 2) == 0;
}

enum status derived_resume(struct derived_recovery *x, struct drain *d, struct store *store, uint8_t *letters,
                           uint32_t count, struct error *err)
{
    if (count == 0 || !was_derived(store))
        return OK;
    x->count = count;
    x->sites = calloc(count, sizeof *x->sites);
    x->pcs = calloc(count, sizeof *x->pcs);
    if (x->sites == NULL || x->pcs == NULL || !deriver_init(&x->deriver))
        return error_memory(err, "%u data IDs", count);
    x->deriver.sites = (struct derive_sites){ x->sites, count };
    x->deriver.pcs = x->pcs;
    derive_followers(x->deriver.encoder)->fixed = true;
    struct pass p = { .x = x, .store = store, .deriver = &x->deriver };
    enum status s = read_rows(&p);
    if (s != OK)
        return error_set(err, s, "the rows of derived chunks: %s", p.error.text);
    for (uint32_t i = 0; i < count; i++)
        if (x->sites[i] & SITE_VALUELESS)
            letters[i] = KIND_VOID | (letters[i] & KIND_JOINED);
    d->batch.output.chunks.deriver = &x->deriver;
    return OK;
}

void derived_done(struct derived_recovery *x)
{
    if (x->deriver.encoder != NULL)
        deriver_done(&x->deriver);
    free(x->sites);
    free(x->pcs);
}
