/* objects.c - object id -> type and string, a page of ids at a time.
 *
 * A page (schema.h: 1024 ids) lies in the store as fragments, one per stored batch. The cache unites them: one class id
 * per id and a sorted list of the ids that have contents. Direct-mapped by page number, bounded by CACHE_BYTES. */
#include "reader/trace/open_trace.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1024, CACHE_BYTES = 64 * 1024 * 1024 };

struct page {
    uint32_t number; /* id >> OBJECT_PAGE_BITS */
    uint32_t class_id[OBJECT_PAGE_IDS];
    uint8_t seen[OBJECT_PAGE_IDS];
    object_entry_vec contents;            /* entries that carry a string, a thrown row or a value, sorted by id */
    uint32_t content_at[OBJECT_PAGE_IDS]; /* the first one of an id + 1; 0: none */
    VEC(struct writer) storage;           /* storage of their texts */
    size_t bytes;
};

struct object_cache {
    struct page *slots[SLOTS];
    size_t bytes;
    struct hs_object answer; /* borrowed by the caller until the next call */
    struct page *answered;   /* its page, which is not freed before; */
    struct page *kept;       /* that page, when its slot has another one */
};

static void page_free(struct page *p)
{
    if (p == NULL)
        return;
    vec_free(&p->contents);
    for (size_t i = 0; i < p->storage.count; i++)
        writer_free(&p->storage.items[i]);
    vec_free(&p->storage);
    free(p);
}

static void drop_slot(struct object_cache *c, struct page **slot)
{
    if (*slot != NULL && *slot == c->answered)
        c->kept = *slot;
    else
        page_free(*slot);
    *slot = NULL;
}

static void cache_clear(struct object_cache *c)
{
    for (unsigned i = 0; i < SLOTS; i++)
        drop_slot(c, &c->slots[i]);
    c->bytes = 0;
}

static void cache_free(void *what)
{
    struct object_cache *c = what;
    cache_clear(c);
    page_free(c->kept);
    free(c);
}

static struct object_cache *cache_of(hs_trace *t)
{
    struct object_cache *c = trace_attached(t, ATTACHED_OBJECTS);
    if (c != NULL)
        return c;
    c = calloc(1, sizeof *c);
    if (c != NULL)
        trace_attach(t, ATTACHED_OBJECTS, c, cache_free);
    else
        trace_no_memory(t);
    return c;
}

static enum status no_memory(struct error *err) { return error_set(err, ERR_MEMORY, "out of memory"); }

/* Adds an entry of a fragment. *keep: the page needs the storage of its texts. */
static enum status add_entry(struct page *p, const struct object_entry *e, bool *keep, struct error *err)
{
    uint32_t slot = e->id & (OBJECT_PAGE_IDS - 1);
    if (e->id >> OBJECT_PAGE_BITS != p->number)
        return error_set(err, ERR_FORMAT, "object %u lies in page %u", e->id, p->number);
    p->seen[slot] = 1;
    if (e->class_id != 0)
        p->class_id[slot] = e->class_id;
    if (!e->has_string && !e->is_value && e->thrown.size == 0)
        return OK;
    const uint32_t at = e->thrown.size > 0 ? p->content_at[slot] : 0; /* the last one is valid */
    struct object_entry *to = at != 0 ? &p->contents.items[at - 1] : vec_push(&p->contents);
    if (to == NULL)
        return no_memory(err);
    *to = *e;
    p->content_at[slot] = (uint32_t)(to - p->contents.items) + 1;
    *keep = true;
    return OK;
}

static enum status add_fragment(struct page *p, struct text blob, struct error *err)
{
    object_entry_vec entries = { 0 };
    struct writer storage = { 0 };
    bool keep = false;
    enum status st = objects_decode(blob.data, blob.size, &entries, &storage, err);
    if (st != OK)
        goto out;
    for (size_t i = 0; i < entries.count; i++) {
        st = add_entry(p, &entries.items[i], &keep, err);
        if (st != OK)
            goto out;
    }
    if (!keep)
        goto out;
    struct writer *kept = vec_push(&p->storage);
    if (kept == NULL) {
        st = no_memory(err);
        goto out;
    }
    *kept = storage;
    p->bytes += storage.cap;
    storage = (struct writer){ 0 };
out:
    if (st != OK) { /* their texts point into storage that is freed here */
        p->contents.count = 0;
        memset(p->content_at, 0, sizeof p->content_at);
    }
    writer_free(&storage);
    vec_free(&entries);
    return st;
}

static int by_id(const void *a, const void *b)
{
    const struct object_entry *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static enum status add_fragments(hs_trace *t, struct page *p, struct error *err)
{
    struct text blob;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    for (uint64_t key = (uint64_t)p->number << 32;; key++) {
        st = env_at_least(&t->env, DB_OBJECT, &key, &blob, err);
        if (st != OK || key >> 32 != p->number)
            break;
        st = add_fragment(p, blob, err);
        if (st != OK)
            break;
    }
    env_end(&t->env);
    return st == ERR_NOT_FOUND ? OK : st;
}

/* They mostly are: ids rise from fragment to fragment. */
static bool sorted(const object_entry_vec *v)
{
    for (size_t i = 1; i < v->count; i++)
        if (v->items[i - 1].id > v->items[i].id)
            return false;
    return true;
}

static struct page *load_page(hs_trace *t, uint32_t number)
{
    struct error err;
    struct page *p = calloc(1, sizeof *p);
    if (p == NULL) {
        trace_no_memory(t);
        return NULL;
    }
    p->number = number;
    p->bytes = sizeof *p;
    t->object_pages++;
    if (add_fragments(t, p, &err) != OK) {
        struct error why;
        (void)error_set(&why, err.status, "%s: objects: %.400s", t->dir, err.text);
        trace_damaged(t, &why);
    }
    if (!sorted(&p->contents))
        qsort(p->contents.items, p->contents.count, sizeof *p->contents.items, by_id);
    for (size_t i = p->contents.count; i-- > 0;)
        p->content_at[p->contents.items[i].id & (OBJECT_PAGE_IDS - 1)] = (uint32_t)i + 1;
    p->bytes += p->contents.cap * sizeof *p->contents.items;
    return p;
}

static struct page *page_of(hs_trace *t, uint32_t number)
{
    struct object_cache *c = cache_of(t);
    if (c == NULL)
        return NULL;
    struct page **slot = &c->slots[number % SLOTS];
    if (*slot != NULL && (*slot)->number == number)
        return *slot;
    if (*slot != NULL) {
        c->bytes -= (*slot)->bytes;
        drop_slot(c, slot);
    }
    if (c->bytes > CACHE_BYTES)
        cache_clear(c);
    *slot = load_page(t, number);
    c->bytes += *slot != NULL ? (*slot)->bytes : 0;
    return *slot;
}

static const struct object_entry *content_at(const struct page *p, uint32_t id)
{
    const uint32_t at = p->content_at[id & (OBJECT_PAGE_IDS - 1)];
    return at != 0 ? &p->contents.items[at - 1] : NULL;
}

static const struct hs_object *answer(hs_trace *t, struct page *p, uint32_t id)
{
    struct object_cache *cache = trace_attached(t, ATTACHED_OBJECTS);
    if (cache->answered != p) {
        page_free(cache->kept);
        cache->kept = NULL;
        cache->answered = p;
    }
    struct hs_object *o = &cache->answer;
    uint32_t slot = id & (OBJECT_PAGE_IDS - 1);
    const struct hs_type *type = hs_type_get(t, p->class_id[slot]);
    const struct object_entry *e = content_at(p, id);
    *o = (struct hs_object){ .id = id, .class_id = p->class_id[slot], .type = type != NULL ? type->name : NULL };
    if (e != NULL && e->has_string) {
        o->has_string = true;
        o->latin1 = e->latin1;
        o->cut = e->cut;
        o->length = e->length;
        o->data = e->bytes.data;
        o->data_bytes = e->latin1 ? e->bytes.size : e->bytes.size & ~(size_t)1;
        if (o->type == NULL && o->class_id == 0)
            o->type = "java.lang.String"; /* only strings have contents */
    }
    return o;
}

uint32_t objects_class(hs_trace *t, uint64_t id)
{
    const struct page *p = id != 0 && id <= UINT32_MAX ? page_of(t, (uint32_t)(id >> OBJECT_PAGE_BITS)) : NULL;
    return p != NULL ? p->class_id[id & (OBJECT_PAGE_IDS - 1)] : 0;
}

const struct hs_object *hs_object_get(hs_trace *t, uint32_t id)
{
    struct page *p = id != 0 ? page_of(t, id >> OBJECT_PAGE_BITS) : NULL;
    return p != NULL && p->seen[id & (OBJECT_PAGE_IDS - 1)] ? answer(t, p, id) : NULL;
}

/* What was copied of the object; NULL if nothing was. */
static const struct object_entry *entry_of(hs_trace *t, uint32_t id)
{
    const struct page *p = id != 0 ? page_of(t, id >> OBJECT_PAGE_BITS) : NULL;
    return p != NULL ? content_at(p, id) : NULL;
}

bool objects_copied(hs_trace *t, uint32_t id) { return entry_of(t, id) != NULL; }

struct text objects_thrown(hs_trace *t, uint32_t id)
{
    const struct object_entry *e = entry_of(t, id);
    return e != NULL ? e->thrown : (struct text){ NULL, 0 };
}

struct text objects_value(hs_trace *t, uint32_t id)
{
    const struct object_entry *e = entry_of(t, id);
    return e != NULL && e->is_value ? e->bytes : (struct text){ NULL, 0 };
}

/* The number of the page of the first objects from `*next` on, which is moved to it if it lies before; only of a page
 * that can have what is searched for, if that is not NULL. 1, 0 at the end, -1. */
static int page_from(hs_trace *t, uint64_t *next, struct object_search *search, uint32_t *page, struct error *err)
{
    enum status st = *next <= UINT32_MAX ? env_begin(&t->env, err) : ERR_NOT_FOUND;
    if (st != OK)
        return st == ERR_NOT_FOUND ? 0 : -1;
    uint64_t key = (*next >> OBJECT_PAGE_BITS) << 32;
    struct text blob;
    while ((st = env_at_least(&t->env, DB_OBJECT, &key, &blob, err)) == OK && search != NULL &&
           !objects_may_hold(blob.data, blob.size, search)) {
        t->object_pages++;
        key++;
    }
    env_end(&t->env);
    if (st != OK)
        return st == ERR_NOT_FOUND ? 0 : -1;
    if (key >> 32 > UINT32_MAX >> OBJECT_PAGE_BITS)
        return 0; /* an invalid key: no valid one follows */
    *page = (uint32_t)(key >> 32);
    if (*page != *next >> OBJECT_PAGE_BITS)
        *next = (uint64_t)*page << OBJECT_PAGE_BITS;
    return 1;
}

/* Of a page that may hold what is searched for: can it be this object? `search` NULL: any. */
static bool is_one(const struct page *p, uint32_t id, const struct object_search *search)
{
    const uint32_t slot = id & (OBJECT_PAGE_IDS - 1), class_id = p->class_id[slot];
    if (search == NULL)
        return p->seen[slot] != 0;
    if (search->classes == NULL)
        return p->content_at[slot] != 0;
    const struct object_entry *e = class_id == 0 ? content_at(p, id) : NULL;
    return p->seen[slot] != 0 && objects_is_class(search, class_id) && (class_id != 0 || (e != NULL && e->has_string));
}

/* page_from; `pages`: only of these, as bits; which are not asked again; NULL: any. */
static int page_of_set(hs_trace *t, const u64_vec *pages, uint64_t *next, struct object_search *search, uint32_t *page,
                       struct error *err)
{
    if (pages == NULL)
        return page_from(t, next, search, page, err);
    uint64_t at = *next >> OBJECT_PAGE_BITS;
    while (at / 64 < pages->count && pages->items[at / 64] >> at % 64 == 0)
        at = (at | 63) + 1;
    if (at / 64 >= pages->count)
        return 0;
    at += (unsigned)__builtin_ctzll(pages->items[at / 64] >> at % 64);
    if (at != *next >> OBJECT_PAGE_BITS)
        *next = at << OBJECT_PAGE_BITS;
    return page_from(t, next, NULL, page, err);
}

/* The first object after `*id` (0 to begin); with `search`, of those that can be what is searched for, which lie on
 * `pages` (page_of_set). 1, 0 at the end, -1. */
static int id_after(hs_trace *t, uint32_t *id, struct object_search *search, const u64_vec *pages, struct page **out,
                    struct hs_error *error)
{
    struct error err;
    uint64_t next = (uint64_t)*id + 1;
    uint32_t number = (uint32_t)(next >> OBJECT_PAGE_BITS); /* within a page: that of the one before */
    int more = 1;
    while ((next & (OBJECT_PAGE_IDS - 1)) != 0 || (more = page_of_set(t, pages, &next, search, &number, &err)) > 0) {
        struct page *p = *out = page_of(t, number);
        if (p == NULL) {
            (void)error_memory(&err, "%s", t->dir);
            return give(error, &err);
        }
        for (uint32_t slot = (uint32_t)next & (OBJECT_PAGE_IDS - 1); slot < OBJECT_PAGE_IDS; slot++, next++)
            if (is_one(p, (uint32_t)next, search)) {
                *id = (uint32_t)next;
                return 1;
            }
    }
    return more < 0 ? give(error, &err) : 0;
}

int objects_search_next(hs_trace *t, uint32_t *id, struct object_search *search, struct hs_error *error)
{
    struct page *p;
    return id_after(t, id, search, NULL, &p, error);
}

struct object_cursor {
    hs_cursor base;
    hs_trace *trace;
    uint32_t id; /* the last one returned */
    bool of_classes;
    u32_vec classes;
    struct object_search search; /* for them */
    u64_vec pages;               /* that can have them, as bits; none: any */
};

static int next_object(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct object_cursor *c = (struct object_cursor *)base;
    struct page *p;
    const int more =
        id_after(c->trace, &c->id, c->of_classes ? &c->search : NULL, c->pages.count > 0 ? &c->pages : NULL, &p, error);
    if (more > 0)
        *row = answer(c->trace, p, c->id);
    return more;
}

static int seek_object(hs_cursor *base, uint64_t id, struct hs_error *error)
{
    struct object_cursor *c = (struct object_cursor *)base;
    (void)error;
    c->id = id == 0 ? 0 : id > UINT32_MAX ? UINT32_MAX : (uint32_t)id - 1;
    return 0;
}

static void close_objects(hs_cursor *base)
{
    struct object_cursor *c = (struct object_cursor *)base;
    vec_free(&c->classes);
    vec_free(&c->pages);
    writer_free(&c->search.raw);
    free(c);
}

static const struct cursor_ops object_ops = {
    .row = ROW_object, .next = next_object, .seek = seek_object, .close = close_objects
};

int hs_objects_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct object_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
    c->base.ops = &object_ops;
    c->trace = t;
    *out = &c->base;
    return 0;
}

int objects_open_classes(hs_trace *t, u32_vec *classes, u64_vec *pages, hs_cursor **out, struct hs_error *error)
{
    static const uint32_t none[1];
    if (hs_objects_open(t, out, error) != 0)
        return -1;
    struct object_cursor *c = (struct object_cursor *)*out;
    c->of_classes = true;
    c->classes = *classes;
    c->search.classes = classes->count > 0 ? c->classes.items : none;
    c->search.class_count = classes->count;
    c->pages = *pages;
    *classes = (u32_vec){ 0 };
    *pages = (u64_vec){ 0 };
    return 0;
}
