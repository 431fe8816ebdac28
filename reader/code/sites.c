/* sites.c - see code.h. */
#include "reader/code/code.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "formats/search.h"

struct sites {
    bool made[EVENT_LIMIT];
    site_vec of[EVENT_LIMIT];
    site_vec named[EVENT_LIMIT]; /* the same by name, made on first use */
    struct field *fields;        /* by data ID; `name` NULL: not found yet */
};

uint64_t site_hash(const char *text, size_t size)
{
    uint64_t h = XXH64(text, size, 0);
    return h != 0 ? h : 1;
}

/* ---- making ---- */

/* Event types that questions ask for are made in one pass, since a question about one of them is soon followed by
 * others. Together they are a sixth of the rows; any other type costs a pass of its own. */
enum {
    USES_TOGETHER = USE_WRITE_LOCAL | USE_READ_FIELD | USE_WRITE_FIELD | USE_READ_ELEMENT | USE_WRITE_ELEMENT |
                    USE_READ_LENGTH | USE_CREATE
};

/* A pass over the rows. The rows of a class share their texts, so hashes of the last texts are cached by address. */
enum { HASHED = 256 };
struct site_pass {
    hs_trace *t;
    struct sites *sites;
    const bool *wanted; /* by event type */
    const struct hs_class *c;
    struct {
        const char *text;
        size_t size;
        uint64_t hash;
    } hashed[HASHED];
};

static uint64_t hash_of(struct site_pass *m, struct text s)
{
    size_t slot = ((uintptr_t)s.data ^ (uintptr_t)s.data >> 8) % HASHED;
    if (m->hashed[slot].text != s.data || m->hashed[slot].size != s.size) {
        m->hashed[slot].text = s.data;
        m->hashed[slot].size = s.size;
        m->hashed[slot].hash = site_hash(s.data, s.size);
    }
    return m->hashed[slot].hash;
}

static enum status add_row(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    struct site_pass *m = context;
    const uint32_t id = m->c->first_dataid + index;
    if (!m->wanted[row->event] || same_place(m->t, id) != id)
        return OK;
    struct site *to = vec_push(&m->sites->of[row->event]);
    if (to == NULL)
        return error_set(err, ERR_MEMORY, "out of memory");
    *to = (struct site){ .dataid = id, .method_id = m->c->methods[row->method]->method_id };
    for (unsigned i = 0; i < row->attr_count; i++) {
        if (row->attrs[i].attr == ATTR_name)
            to->name = hash_of(m, row->attrs[i].text);
        else if (row->attrs[i].attr == (row->event == EVENT_NEW_OBJECT ? ATTR_type : ATTR_owner))
            to->owner = hash_of(m, row->attrs[i].text);
    }
    return OK;
}

static void add_class(hs_trace *t, struct sites *s, const bool *wanted, const struct hs_class *c)
{
    struct error err;
    struct site_pass m = { .t = t, .sites = s, .wanted = wanted, .c = c };
    size_t before[EVENT_LIMIT];
    for (unsigned i = 0; i < EVENT_LIMIT; i++)
        before[i] = s->of[i].count;
    if (tables_skim(t, c, add_row, &m, &err) == OK)
        return;
    trace_damaged(t, &err);
    for (unsigned i = 0; i < EVENT_LIMIT; i++) /* none of a damaged class, as hs_dataid_get */
        s->of[i].count = before[i];
}

static void sites_free(void *what)
{
    struct sites *s = what;
    for (unsigned i = 0; i < EVENT_LIMIT; i++) {
        vec_free(&s->of[i]);
        vec_free(&s->named[i]);
    }
    free(s->fields);
    free(s);
}

static struct sites *sites_get(hs_trace *t)
{
    struct sites *s = trace_attached(t, ATTACHED_SITES);
    if (s != NULL)
        return s;
    s = calloc(1, sizeof *s);
    if (s == NULL) {
        trace_no_memory(t);
        return NULL;
    }
    trace_attach(t, ATTACHED_SITES, s, sites_free);
    return s;
}

static void make_sites(hs_trace *t, struct sites *s, unsigned event)
{
    bool wanted[EVENT_LIMIT] = { false };
    wanted[event] = true;
    for (unsigned e = 1; event_has(event, USES_TOGETHER) && e < EVENT_LIMIT; e++)
        wanted[e] |= event_has(e, USES_TOGETHER) || e == EVENT_NEW_OBJECT; /* creation_of */
    for (size_t i = 0; tables_need_classes(t) && i < t->by_dataid.count; i++)
        add_class(t, s, wanted, &t->classes.items[t->by_dataid.items[i]]);
    for (unsigned i = 0; i < EVENT_LIMIT; i++)
        s->made[i] |= wanted[i];
}

/* ---- finding ---- */

const site_vec *sites_of(hs_trace *t, unsigned event)
{
    static const site_vec none;
    struct sites *s = sites_get(t);
    if (s == NULL || event >= EVENT_LIMIT)
        return &none;
    if (!s->made[event])
        make_sites(t, s, event);
    return &s->of[event];
}

static int by_name_id(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->dataid < y->dataid ? -1 : x->dataid > y->dataid;
}

const struct site *sites_named(hs_trace *t, unsigned event, const char *name, size_t *count)
{
    const site_vec *all = sites_of(t, event);
    uint64_t hash = site_hash(name, strlen(name));
    *count = 0;
    if (all->count == 0)
        return NULL;
    site_vec *named = &sites_get(t)->named[event];
    if (named->count == 0) {
        if (!vec_reserve(named, all->count)) {
            trace_no_memory(t);
            return NULL;
        }
        for (size_t i = 0; i < all->count; i++)
            *vec_push(named) = all->items[i];
        qsort(named->items, named->count, sizeof *named->items, by_name_id);
    }
    size_t low;
    LOWER_BOUND(low, named->count, named->items[low].name < hash);
    while (low + *count < named->count && named->items[low + *count].name == hash)
        ++*count;
    return named->items + low;
}

/* What was found before for the data ID; NULL: it is to be found. */
static const struct field *field_found(hs_trace *t, uint32_t dataid)
{
    const struct sites *s = sites_get(t);
    return s != NULL && s->fields != NULL && dataid < t->kind_count && s->fields[dataid].name != NULL
               ? &s->fields[dataid]
               : NULL;
}

struct field sites_field(hs_trace *t, uint32_t dataid)
{
    struct sites *s = sites_get(t);
    const struct field *found = field_found(t, dataid);
    if (found != NULL)
        return *found;
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    const char *owner = d != NULL ? attribute_text(d, "owner") : NULL;
    const char *name = d != NULL ? attribute_text(d, "name") : NULL;
    const char *type = d != NULL ? attribute_text(d, "type") : NULL;
    struct field f = { .declaring = owner != NULL ? owner : "",
                       .name = name != NULL ? name : "",
                       .type = type != NULL ? type : "" };
    if (s == NULL || owner == NULL || name == NULL)
        return f;
    if (s->fields == NULL)
        s->fields = calloc((size_t)t->kind_count + 1, sizeof *s->fields);
    if (s->fields == NULL) {
        trace_no_memory(t);
        return f;
    }
    const struct hs_class *c = hs_class_get(t, d->class_no);
    (void)field_find(t, owner, name, type, c != NULL ? c->loader_id : 0, &s->fields[dataid]);
    return s->fields[dataid];
}

bool sites_very_field(hs_trace *t, uint32_t dataid, struct field f)
{
    return sites_same_field(t, dataid, f) && (!f.is_static || sites_field(t, dataid).loader == f.loader);
}

bool sites_same_field(hs_trace *t, uint32_t dataid, struct field f)
{
    const struct field *found = field_found(t, dataid);
    if (found != NULL)
        return field_same(*found, f);
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    const char *name = d != NULL ? attribute_text(d, "name") : NULL;
    return name != NULL && strcmp(name, f.name) == 0 && field_same(sites_field(t, dataid), f);
}
