/* weavings.c - classes that were woven several times.
 *
 * A class gets a new number, and its methods and data IDs new ones, each time that it is woven: when recording starts
 * again after a stop, when the class is redefined. What is stored has these numbers. Answers have those of the first
 * weaving:
 *
 *     method    of that name, descriptor, code, and groups woven into it, in a class of that name and loader
 *     data ID   of that method, instruction, event and kind; of a method all data IDs or none
 *     class     of which all methods are such. Else its row has those that are not.
 *
 *     stored       Vt.twice, data IDs 8 to 16      Vt.twice again, data IDs 84 to 92
 *     in answers   Vt.twice, data IDs 8 to 16 <--- same_place, by trace_decode
 *
 * fsck and derive work on what is stored (class_row, method_row, dataid_row, trace_decode_stored). */
#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "reader/trace/loading.h"
#include "reader/trace/same_code.h"

/* What data IDs of one place have in common. Several of one key are those of one row after the other. */
struct place {
    uint64_t key;        /* method, pc, event, kind */
    uint32_t id, method; /* position of the method in its class */
};
typedef VEC(struct place) place_vec;

static int by_name(const void *a, const void *b)
{
    const struct hs_class *x = *(const struct hs_class *const *)a, *y = *(const struct hs_class *const *)b;
    if (x->loader_id != y->loader_id)
        return x->loader_id < y->loader_id ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->class_no < y->class_no ? -1 : x->class_no > y->class_no;
}

static bool same_name(const struct hs_class *x, const struct hs_class *y)
{
    return x->loader_id == y->loader_id && strcmp(x->name, y->name) == 0;
}

typedef VEC(const struct hs_class *) class_vec;

/* Are there several of one name? Most traces have none. False also: out of memory, with *fits. */
static bool any_twice(const hs_trace *t, bool *fits)
{
    MAP(struct name { uint64_t hash; }) names = { 0 };
    bool twice = false;
    *fits = true;
    for (uint32_t i = 0; i < t->classes.count && !twice && *fits; i++) {
        const struct hs_class *c = &t->classes.items[i];
        if (c->method_count == 0)
            continue;
        uint64_t hash = (map_hash(c->name, strlen(c->name)) + c->loader_id) | 1;
        const size_t before = names.count;
        struct name *n = map_put(&names, hash);
        *fits = n != NULL;
        twice = *fits && names.count == before; /* or two hashes are equal: nothing is found then */
    }
    map_free(&names);
    return twice;
}

/* The classes with methods by name, those of one name in the order of their numbers. False: out of memory. */
static bool list_classes(const hs_trace *t, class_vec *out)
{
    for (size_t i = 0; i < t->classes.count; i++) {
        const struct hs_class *c = &t->classes.items[i], **to = c->method_count > 0 ? vec_push(out) : NULL;
        if (to != NULL)
            *to = c;
        else if (c->method_count > 0)
            return false;
    }
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_name);
    return true;
}

/* ---- data IDs ---- */

struct reading {
    const struct hs_class *c;
    place_vec *to;
};

static enum status add_row(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    const struct reading *r = context;
    struct place *p = vec_push(r->to);
    if (p == NULL)
        return error_memory(err, "data IDs of %s", r->c->name);
    *p = (struct place){ (uint64_t)row->method << 40 | (uint64_t)(row->pc & 0xffffff) << 16 |
                             (uint64_t)(row->event & 0xff) << 8 | (uint8_t)row->kind,
                         r->c->first_dataid + index, row->method };
    return OK;
}

static int by_key(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->id < y->id ? -1 : x->id > y->id;
}

/* The data IDs of a class, by method and place. */
static enum status read_places(hs_trace *t, const struct hs_class *c, place_vec *out, struct error *err)
{
    struct reading r = { c, out };
    out->count = 0;
    enum status st = c->dataid_count > 0 ? tables_skim(t, c, add_row, &r, err) : OK;
    if (st == OK && out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_key);
    return st;
}

/* The data IDs of a method: `count` from *first on. */
static size_t places_of(const place_vec *all, uint32_t method, size_t *first)
{
    size_t low = 0, high = all->count, end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->items[middle].method < method)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < all->count && all->items[end].method == method;)
        end++;
    *first = low;
    return end - low;
}

/* Gives the data IDs of method k of the later class those of method i of the earlier one, if all have one. */
static bool join_places(hs_trace *t, const place_vec *earlier, uint32_t i, const place_vec *later, uint32_t k)
{
    const uint64_t mask = ((uint64_t)1 << 40) - 1;
    size_t a, b, n = places_of(earlier, i, &a);
    if (places_of(later, k, &b) != n)
        return false;
    for (size_t at = 0; at < n; at++)
        if (((earlier->items[a + at].key ^ later->items[b + at].key) & mask) != 0)
            return false;
    for (size_t at = 0; at < n; at++) {
        const uint32_t id = later->items[b + at].id, first = t->weavings->places[earlier->items[a + at].id];
        t->weavings->places[id] = first;
        t->weavings->others[id] = t->weavings->others[first];
        t->weavings->others[first] = id;
    }
    return true;
}

/* ---- methods ---- */

/* The weavings of one class: methods by what they have in common. */
struct same_name {
    hs_trace *t;
    MAP(struct known {
        uint64_t hash;
        const struct hs_method *first;
        const struct hs_method *last;
    })
    by_name, by_file; /* of any class file, of one */
    place_vec earlier, later;
    const struct hs_class *read; /* the one that `earlier` is of */
    struct class_bytes file, last_file;
};

static const struct hs_class *class_of(hs_trace *t, const struct hs_method *m) { return class_row(t, m->class_no); }

static bool of_same_file(hs_trace *t, const struct hs_method *a, const struct hs_method *b)
{
    const struct hs_class *x = class_of(t, a), *y = class_of(t, b);
    return x->hash == y->hash && x->size_bytes == y->size_bytes && x->state == y->state && a->groups == b->groups;
}

/* The entry of the methods like this one, perhaps a new one; NULL: out of memory. */
static struct known *known_of(struct same_name *g, const struct hs_method *m, bool file)
{
    uint64_t hash = map_hash(m->name, strlen(m->name)) * 31 + map_hash(m->desc, strlen(m->desc));
    hash = (file ? hash * 31 + class_of(g->t, m)->hash + m->groups : hash) | 1;
    for (struct known *k;; hash = map_next_hash(hash)) {
        k = file ? map_put(&g->by_file, hash) : map_put(&g->by_name, hash);
        if (k == NULL || k->first == NULL)
            return k;
        if (strcmp(k->first->name, m->name) == 0 && strcmp(k->first->desc, m->desc) == 0 &&
            (!file || of_same_file(g->t, k->first, m)))
            return k;
    }
}

static uint32_t first_code(const hs_trace *t, uint32_t method_id)
{
    const struct method_weaving *m = map_get(&t->weavings->methods, (uint64_t)method_id + 1);
    return m != NULL ? m->same_code : method_id;
}

static uint32_t index_of(hs_trace *t, const struct hs_method *m)
{
    return m->method_id - class_of(t, m)->methods[0]->method_id;
}

/* Has the last method of that name the same code, in another class file? */
static bool has_code_of(struct same_name *g, const struct hs_method *last, const struct hs_method *m, enum status *st,
                        struct error *err)
{
    const struct hs_class *of = class_of(g->t, last), *c = class_of(g->t, m);
    if (last->code_length != m->code_length || last->groups != m->groups || of->state != c->state)
        return false;
    *st = class_bytes_read(g->t, of, &g->last_file, err);
    if (*st == OK)
        *st = class_bytes_read(g->t, c, &g->file, err);
    return *st == OK && code_is_same(&g->last_file, index_of(g->t, last), &g->file, index_of(g->t, m));
}

/* The first method of the same code, itself perhaps. */
static const struct hs_method *first_of_code(struct same_name *g, const struct hs_method *m,
                                             const struct hs_method *last, enum status *st, struct error *err)
{
    struct known *file = known_of(g, m, true);
    if (file == NULL)
        *st = error_memory(err, "methods");
    if (*st != OK || file->first != NULL)
        return *st == OK ? file->first : m;
    file->first = m;
    if (last == NULL || !has_code_of(g, last, m, st, err))
        return m;
    return file->first = method_row(g->t, first_code(g->t, last->method_id));
}

/* Gives the data IDs of the method those of the first one of its code; false: they have others. */
static bool join_data_ids(struct same_name *g, const struct hs_method *first, const struct hs_method *m,
                          enum status *st, struct error *err)
{
    const struct hs_class *of = class_of(g->t, first);
    if (g->read != of) {
        g->read = NULL;
        *st = read_places(g->t, of, &g->earlier, err);
        if (*st != OK)
            return false;
        g->read = of;
    }
    return join_places(g->t, &g->earlier, index_of(g->t, first), &g->later, index_of(g->t, m));
}

/* Finds the first method of its name, and of its code: *same, itself perhaps. */
static enum status join_method(struct same_name *g, const struct hs_method *m, const struct hs_method **same,
                               struct error *err)
{
    struct known *name = known_of(g, m, false);
    enum status st = OK;
    if (name == NULL)
        return error_memory(err, "method %s", m->name);
    if (name->first == NULL)
        name->first = m;
    const struct hs_method *first = name->first, *last = name->last;
    name->last = m;
    *same = first_of_code(g, m, last, &st, err);
    if (st != OK)
        return st;
    if (*same != m && !join_data_ids(g, *same, m, &st, err))
        *same = m;
    if (first == m && *same == m)
        return st;
    struct method_weaving *to = map_put(&g->t->weavings->methods, (uint64_t)m->method_id + 1);
    if (to == NULL)
        return error_memory(err, "method %s", m->name);
    to->by_name = first->method_id;
    to->same_code = (*same)->method_id;
    return st;
}

/* Compares a class with the earlier ones of its name. */
static enum status join_class(struct same_name *g, const struct hs_class *c, struct error *err)
{
    hs_trace *t = g->t;
    const struct hs_class *one = NULL;
    uint32_t joined = 0;
    enum status st = read_places(t, c, &g->later, err);
    for (uint32_t k = 0; k < c->method_count && st == OK; k++) {
        const struct hs_method *m = c->methods[k], *same = m;
        st = join_method(g, m, &same, err);
        if (same == m || (one != NULL && one->class_no != same->class_no))
            continue;
        one = class_of(t, same);
        joined++;
    }
    if (one != NULL && joined == c->method_count && one->method_count == joined)
        t->weavings->classes[c - t->classes.items] = (uint32_t)(one - t->classes.items);
    return st;
}

/* Compares the classes of one name, which lie together. Those whose rows cannot be read stay as they are. */
static enum status join_group(hs_trace *t, const struct hs_class *const *classes, size_t count, struct error *err)
{
    struct same_name g = { .t = t };
    enum status st = OK;
    for (size_t i = 0; i < count && st == OK; i++) {
        st = join_class(&g, classes[i], err);
        if (st != OK && st != ERR_MEMORY) {
            trace_damaged(t, err);
            st = OK;
        }
    }
    map_free(&g.by_name);
    map_free(&g.by_file);
    vec_free(&g.earlier);
    vec_free(&g.later);
    class_bytes_done(&g.file);
    class_bytes_done(&g.last_file);
    return st;
}

/* ---- all ---- */

/* The methods of a row that are not in an earlier one. */
static bool own_methods(hs_trace *t, struct hs_class *c)
{
    const struct hs_method **own = arena_array(&t->arena, (size_t)c->method_count + 1, sizeof *own);
    uint32_t count = 0;
    for (uint32_t i = 0; own != NULL && i < c->method_count; i++)
        if (first_code(t, c->methods[i]->method_id) == c->methods[i]->method_id)
            own[count++] = c->methods[i];
    c->methods = own;
    c->method_count = count;
    return own != NULL;
}

static enum status show_first(hs_trace *t, struct error *err)
{
    struct weavings *v = t->weavings;
    struct hs_class *shown = arena_array(&t->arena, t->classes.count, sizeof *shown);
    if (shown == NULL)
        return error_memory(err, "%s", t->dir);
    for (size_t i = 0; i < t->classes.count; i++) {
        if (v->classes[i] != i)
            continue;
        struct hs_class *to = &shown[v->shown_count++];
        *to = t->classes.items[i];
        if (v->methods.count > 0 && !own_methods(t, to))
            return error_memory(err, "%s", t->dir);
    }
    v->shown = shown;
    return OK;
}

static enum status join_all(hs_trace *t, const class_vec *classes, struct error *err)
{
    struct weavings *v = t->weavings = calloc(1, sizeof *v);
    enum status st = OK;
    if (v != NULL) {
        v->classes = malloc(t->classes.count * sizeof *v->classes);
        v->places = malloc(((size_t)t->kind_count + 1) * sizeof *v->places);
        v->others = calloc((size_t)t->kind_count + 1, sizeof *v->others);
    }
    if (v == NULL || v->classes == NULL || v->places == NULL || v->others == NULL)
        return error_memory(err, "%s", t->dir);
    for (uint32_t i = 0; i < t->classes.count; i++)
        v->classes[i] = i;
    for (uint32_t i = 0; i < t->kind_count; i++)
        v->places[i] = i;
    for (size_t i = 0, next; i < classes->count && st == OK; i = next) {
        for (next = i + 1; next < classes->count && same_name(classes->items[i], classes->items[next]);)
            next++;
        if (next - i > 1)
            st = join_group(t, &classes->items[i], next - i, err);
    }
    return st == OK ? show_first(t, err) : st;
}

enum status weavings_load(hs_trace *t, struct error *err)
{
    class_vec classes = { 0 };
    bool fits;
    enum status st = OK;
    if (any_twice(t, &fits))
        st = list_classes(t, &classes) ? join_all(t, &classes, err) : error_memory(err, "%s", t->dir);
    vec_free(&classes);
    return fits ? st : error_memory(err, "%s", t->dir);
}

void weavings_done(hs_trace *t)
{
    if (t->weavings == NULL)
        return;
    free(t->weavings->classes);
    map_free(&t->weavings->methods);
    free(t->weavings->places);
    free(t->weavings->others);
    free(t->weavings);
    t->weavings = NULL;
}
