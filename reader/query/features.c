/* features.c - the methods and objects of features, and what features share: the answers of hs_features_open, computed
 * from the sets that feature_pass.c has found. */
#include <stdlib.h>
#include <string.h>

#include "reader/cursor/cursor.h"
#include "reader/query/feature_pass.h"

/* ---- answers ---- */

struct features_answer {
    struct list_answer base;
    struct {
        const struct hs_feature *features;
        const struct hs_feature_method *methods;
        const struct hs_feature_flow *flows;
        size_t feature_count, method_count, flow_count;
    } made;
};

/* The features with their lengths and calls; NULL: out of memory. */
static struct hs_feature *make_features(struct feature_pass *p, struct arena *a)
{
    struct hs_feature *features = arena_array(a, p->walk.count + 1, sizeof *features);
    if (features == NULL)
        return NULL;
    for (size_t f = 0; f < p->walk.count; f++)
        features[f] = (struct hs_feature){ .name = p->walk.names[f],
                                           .marks = p->walk.marks[f],
                                           .unended = p->walk.unended[f],
                                           .first = HS_NO_SEQ,
                                           .last = HS_NO_SEQ };
    struct feature_walk *w = &p->walk; /* again from the start, edge by edge */
    memset(w->opened, 0, w->count * sizeof *w->opened);
    w->next = 0;
    while (w->next < w->edge_count) {
        uint64_t seq = w->edges[w->next].seq;
        (void)feature_walk_change(w, seq);
        for (size_t i = 0; i < w->open_count; i++) { /* while a feature is open, there is a next edge */
            struct hs_feature *f = &features[w->open[i]];
            if (f->first == HS_NO_SEQ)
                f->first = seq;
            f->last = w->edges[w->next].seq - 1;
            f->events += w->edges[w->next].seq - seq;
        }
    }
    for (uint32_t set = 0; set < p->calls.count && set < p->sets.count; set++)
        for (uint32_t f = 0; f < w->count; f++)
            features[f].calls += feature_set_has(&p->sets, set, f) ? p->calls.items[set] : 0;
    return features;
}

/* Of a method that `in` of all features entered. */
static enum hs_affinity affinity_of(size_t in, size_t all)
{
    if (in == 1)
        return HS_SINGLE;
    if (in == all)
        return HS_INFRASTRUCTURAL;
    return 2 * in < all ? HS_LOW : HS_HIGH;
}

/* A set as a list. */
struct feature_list {
    const uint32_t *features; /* ascending */
    size_t count;
};

/* The lists of all sets, by set; NULL: out of memory. */
static struct feature_list *list_sets(const struct feature_pass *p, struct arena *a)
{
    struct feature_list *lists = arena_array(a, (size_t)p->sets.count + 1, sizeof *lists);
    if (lists == NULL)
        return NULL;
    for (uint32_t set = 0; set < p->sets.count; set++) {
        uint32_t *features = arena_array(a, p->walk.count + 1, sizeof *features);
        size_t n = 0;
        if (features == NULL)
            return NULL;
        for (uint32_t f = 0; f < p->walk.count; f++)
            if (feature_set_has(&p->sets, set, f))
                features[n++] = f;
        lists[set] = (struct feature_list){ features, n };
    }
    return lists;
}

/* The methods with their features; counts the methods of each feature. */
static bool make_methods(const struct feature_pass *p, struct features_answer *out, struct hs_feature *features)
{
    size_t n = 0;
    for (size_t m = 0; m < p->methods.count; m++)
        n += p->methods.items[m] != FEATURES_NONE;
    struct hs_feature_method *methods = arena_array(&out->base.arena, n + 1, sizeof *methods);
    const struct feature_list *lists = list_sets(p, &out->base.arena);
    if (methods == NULL || lists == NULL)
        return false;
    out->made.methods = methods;
    for (uint32_t m = 0; m < p->methods.count; m++) {
        uint32_t set = p->methods.items[m];
        if (set == FEATURES_NONE)
            continue;
        const struct feature_list *in = &lists[set];
        methods[out->made.method_count++] =
            (struct hs_feature_method){ m, affinity_of(in->count, p->walk.count), in->features, in->count };
        for (size_t i = 0; i < in->count; i++)
            features[in->features[i]].method_count++;
    }
    return true;
}

/* The methods of one feature, and room for their classes. */
static bool set_methods(const struct feature_pass *p, struct features_answer *out, uint32_t feature,
                        struct hs_feature *f)
{
    uint32_t *ids = arena_array(&out->base.arena, f->method_count + 1, sizeof *ids);
    uint32_t *classes = arena_array(&out->base.arena, f->method_count + 1, sizeof *classes);
    size_t n = 0;
    if (ids == NULL || classes == NULL)
        return false;
    for (size_t i = 0; i < out->made.method_count; i++) {
        uint32_t method = out->made.methods[i].method_id;
        if (feature_set_has(&p->sets, p->methods.items[method], feature))
            ids[n++] = method;
    }
    f->methods = ids;
    f->classes = classes;
    f->method_count = n;
    return true;
}

/* Fills in the classes of the feature's methods. */
static void set_classes(hs_trace *t, struct hs_feature *f)
{
    uint32_t *classes = (uint32_t *)(uintptr_t)f->classes; /* from set_methods */
    size_t n = 0;
    for (size_t i = 0; i < f->method_count; i++) {
        const struct hs_method *m = hs_method_get(t, f->methods[i]);
        if (m != NULL)
            classes[n++] = m->class_no;
    }
    qsort(classes, n, sizeof *classes, u32_order);
    for (size_t i = 0; i < n; i++)
        if (f->class_count == 0 || classes[f->class_count - 1] != classes[i])
            classes[f->class_count++] = classes[i];
}

/* The number of objects with the same key: sets and class, or of a flow features and class. */
struct object_count {
    uint32_t from, to, class_id; /* sets, or features */
    uint64_t objects;
};
typedef VEC(struct object_count) object_count_vec;

static int by_key(const void *a, const void *b)
{
    const struct object_count *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->class_id < y->class_id ? -1 : x->class_id > y->class_id;
}

/* Sorts, and merges counts with the same key. */
static void merge_counts(object_count_vec *v)
{
    size_t n = 0;
    if (v->count > 1)
        qsort(v->items, v->count, sizeof *v->items, by_key);
    for (size_t i = 0; i < v->count; i++)
        if (n > 0 && by_key(&v->items[n - 1], &v->items[i]) == 0)
            v->items[n - 1].objects += v->items[i].objects;
        else
            v->items[n++] = v->items[i];
    v->count = n;
}

/* False: out of memory. */
static bool add_count(object_count_vec *v, size_t *limit, struct object_count count)
{
    if (v->count >= *limit) { /* few keys, many objects: merge when the vector has doubled */
        merge_counts(v);
        *limit = 2 * v->count > 4096 ? 2 * v->count : 4096;
    }
    struct object_count *slot = vec_push(v);
    if (slot == NULL)
        return false;
    *slot = count;
    return true;
}

/* Object counts by sets: of all objects, and by class of those that went from one set to another. */
struct set_counts {
    object_count_vec all, flows;
    size_t all_limit, flow_limit;
};

static void set_counts_done(struct set_counts *c)
{
    vec_free(&c->all);
    vec_free(&c->flows);
}

static bool count_object(struct feature_pass *p, uint32_t id, const struct object_sets *x, struct set_counts *c)
{
    uint32_t made_in = x->made ? x->first - 1 : FEATURES_NONE;
    if (x->first == 0 || (made_in == FEATURES_NONE && x->all == FEATURES_NONE))
        return true;
    if (!add_count(&c->all, &c->all_limit, (struct object_count){ made_in, x->all, 0, 1 }))
        return false;
    if (made_in == FEATURES_NONE || made_in == x->all)
        return true;
    const struct hs_object *o = hs_object_get(p->t, id);
    uint32_t class_id = o != NULL ? o->class_id : 0;
    return add_count(&c->flows, &c->flow_limit, (struct object_count){ made_in, x->all, class_id, 1 });
}

static bool count_objects(struct feature_pass *p, struct set_counts *c)
{
    for (size_t page = 0; page < p->page_count; page++)
        for (uint32_t i = 0; p->pages[page] != NULL && i < OBJECT_PAGE_IDS; i++)
            if (!count_object(p, (uint32_t)page << OBJECT_PAGE_BITS | i, &p->pages[page][i], c))
                return false;
    merge_counts(&c->all);
    merge_counts(&c->flows);
    return true;
}

/* Adds up the objects of each feature. */
static void set_objects(const struct feature_pass *p, const object_count_vec *all, struct hs_feature *features)
{
    for (size_t i = 0; i < all->count; i++)
        for (uint32_t f = 0; f < p->walk.count; f++) {
            if (feature_set_has(&p->sets, all->items[i].to, f))
                features[f].objects += all->items[i].objects;
            if (feature_set_has(&p->sets, all->items[i].from, f))
                features[f].created += all->items[i].objects;
        }
}

/* The most objects first. */
static int by_objects(const void *a, const void *b)
{
    const struct hs_feature_type *x = a, *y = b;
    if (x->objects != y->objects)
        return x->objects > y->objects ? -1 : 1;
    return x->class_id < y->class_id ? -1 : x->class_id > y->class_id;
}

/* Adds the flows of features that one flow between sets consists of. */
static bool split_flow(const struct feature_pass *p, const struct object_count *by_sets, object_count_vec *out,
                       size_t *limit)
{
    for (uint32_t from = 0; from < p->walk.count; from++) {
        if (!feature_set_has(&p->sets, by_sets->from, from))
            continue;
        for (uint32_t to = 0; to < p->walk.count; to++) {
            if (!feature_set_has(&p->sets, by_sets->to, to) || feature_set_has(&p->sets, by_sets->from, to))
                continue;
            if (!add_count(out, limit, (struct object_count){ from, to, by_sets->class_id, by_sets->objects }))
                return false;
        }
    }
    return true;
}

/* Merged counts by features become the flows of the answer. */
static bool make_flows(struct features_answer *out, const object_count_vec *v)
{
    struct hs_feature_flow *flows = arena_array(&out->base.arena, v->count + 1, sizeof *flows);
    struct hs_feature_type *types = arena_array(&out->base.arena, v->count + 1, sizeof *types);
    size_t n = 0;
    if (flows == NULL || types == NULL)
        return false;
    for (size_t i = 0; i < v->count; i++) {
        const struct object_count *x = &v->items[i];
        types[i] = (struct hs_feature_type){ x->class_id, x->objects };
        if (n == 0 || flows[n - 1].from != x->from || flows[n - 1].to != x->to)
            flows[n++] = (struct hs_feature_flow){ .from = x->from, .to = x->to };
        flows[n - 1].objects += x->objects;
        flows[n - 1].type_count++;
    }
    struct hs_feature_type *own = types;
    for (size_t i = 0; i < n; i++) {
        qsort(own, flows[i].type_count, sizeof *own, by_objects);
        flows[i].types = pointers_to(&out->base.arena, own, sizeof *own, flows[i].type_count);
        if (flows[i].types == NULL)
            return false;
        own += flows[i].type_count;
    }
    out->made.flows = flows;
    out->made.flow_count = n;
    return true;
}

static bool find_flows(const struct feature_pass *p, struct features_answer *out, const object_count_vec *by_sets)
{
    object_count_vec v = { 0 };
    size_t limit = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < by_sets->count; i++)
        ok = split_flow(p, &by_sets->items[i], &v, &limit);
    if (ok) {
        merge_counts(&v);
        ok = make_flows(out, &v);
    }
    vec_free(&v);
    return ok;
}

/* False: out of memory. */
static bool make_answer(struct feature_pass *p, struct features_answer *out)
{
    struct hs_feature *features = make_features(p, &out->base.arena);
    struct set_counts counts = { 0 };
    bool ok = false;
    if (features == NULL || !make_methods(p, out, features))
        goto out;
    for (uint32_t f = 0; f < p->walk.count; f++) {
        if (!set_methods(p, out, f, &features[f]))
            goto out;
        set_classes(p->t, &features[f]);
    }
    if (!count_objects(p, &counts))
        goto out;
    set_objects(p, &counts.all, features);
    out->made.features = features;
    out->made.feature_count = p->walk.count;
    ok = find_flows(p, out, &counts.flows);
out:
    set_counts_done(&counts);
    return ok;
}

/* The pass and the answer of a trace that has features. */
static int find_features(struct feature_pass *p, struct features_answer *out, struct hs_error *error)
{
    if (feature_pass_run(p, error) != 0)
        return -1;
    return make_answer(p, out) ? 0 : feature_no_memory(error);
}

static void features_done(struct list_answer *base)
{
    arena_done(&base->arena);
    free((struct features_answer *)base);
}

static int answer_features(hs_trace *t, struct feature_pass *p, struct features_answer *out, struct hs_error *error)
{
    struct error err;
    p->t = t;
    if (feature_walk_begin(t, &p->walk, &err) != OK)
        return give(error, &err);
    return p->walk.count > 0 ? find_features(p, out, error) : 0;
}

int hs_features_open(hs_trace *t, hs_cursor **cursor, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "features");
    struct features_answer *out = calloc(1, sizeof *out);
    struct feature_pass *p = calloc(1, sizeof *p);
    if (p == NULL || out == NULL) {
        free(p);
        free(out);
        return feature_no_memory(error);
    }
    out->base.done = features_done;
    int failed = answer_features(t, p, out, error);
    feature_pass_done(p);
    if (failed != 0) {
        list_answer_free(&out->base);
        return -1;
    }
    return cursor_over(ROW_feature, out->made.features, sizeof *out->made.features, out->made.feature_count, &out->base,
                       cursor, error);
}

/* The answer behind a cursor over features; NULL, and `error`, if it is another. */
static const struct features_answer *answers_behind(hs_cursor *features, struct hs_error *error)
{
    struct list_answer *base = cursor_answer(features, ROW_feature);
    if (base == NULL)
        (void)give(error, &(struct error){ .status = ERR_USAGE, .text = "this cursor does not give features" });
    return (const struct features_answer *)base;
}

int hs_feature_methods_open(hs_cursor *features, hs_cursor **cursor, struct hs_error *error)
{
    const struct features_answer *a = answers_behind(features, error);
    if (a == NULL)
        return -1;
    return cursor_over(ROW_feature_method, a->made.methods, sizeof *a->made.methods, a->made.method_count, NULL, cursor,
                       error);
}

int hs_feature_flows_open(hs_cursor *features, hs_cursor **cursor, struct hs_error *error)
{
    const struct features_answer *a = answers_behind(features, error);
    if (a == NULL)
        return -1;
    return cursor_over(ROW_feature_flow, a->made.flows, sizeof *a->made.flows, a->made.flow_count, NULL, cursor, error);
}

double hs_feature_similarity(const struct hs_feature *a, const struct hs_feature *b)
{
    size_t i = 0, k = 0, both = 0;
    while (i < a->method_count && k < b->method_count) {
        uint32_t x = a->methods[i], y = b->methods[k];
        both += x == y;
        i += x <= y;
        k += y <= x;
    }
    size_t either = a->method_count + b->method_count - both;
    return either > 0 ? (double)both / (double)either : 0;
}
