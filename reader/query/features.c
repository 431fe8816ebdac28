/* features.c - what the features of a trace have in common: methods, and objects that go from one to the other.
 *
 * One pass over all events. What is open at a moment is a set of features; few different sets occur, so each is kept
 * once and has a number (struct sets). A method remembers the set of features that entered it, an object the set in
 * which it was first shown and the one of all that showed it. The answers are read off these numbers afterwards. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/query/features.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- sets of features ---- */

enum { EMPTY = 0, UNKNOWN = UINT32_MAX }; /* numbers of sets */

struct sets {
    size_t words;       /* of a set */
    VEC(uint64_t) bits; /* by number */
    uint32_t count;
    uint32_t *slots; /* open addressing: number + 1 */
    size_t cap;
    u32_vec with_open; /* by number: the set together with the open features; 0 not known, else number + 1 */
};

static const uint64_t *bits_of(const struct sets *s, uint32_t set) { return &s->bits.items[set * s->words]; }

static bool has(const struct sets *s, uint32_t set, uint32_t feature)
{
    return bits_of(s, set)[feature / 64] >> feature % 64 & 1;
}

static size_t slot_of(const struct sets *s, const uint64_t *bits)
{
    size_t at = (size_t)XXH3_64bits(bits, s->words * sizeof *bits) & (s->cap - 1);
    while (s->slots[at] != 0 && memcmp(bits_of(s, s->slots[at] - 1), bits, s->words * sizeof *bits) != 0)
        at = (at + 1) & (s->cap - 1);
    return at;
}

/* Number of the set; UNKNOWN without memory. `bits` must not point into the sets. */
static uint32_t number_of(struct sets *s, const uint64_t *bits)
{
    if (2 * ((size_t)s->count + 1) > s->cap) {
        size_t cap = s->cap == 0 ? 64 : 2 * s->cap;
        uint32_t *slots = calloc(cap, sizeof *slots);
        if (slots == NULL)
            return UNKNOWN;
        free(s->slots);
        s->slots = slots;
        s->cap = cap;
        for (uint32_t i = 0; i < s->count; i++)
            s->slots[slot_of(s, bits_of(s, i))] = i + 1;
    }
    size_t at = slot_of(s, bits);
    if (s->slots[at] != 0)
        return s->slots[at] - 1;
    if (!vec_reserve(&s->bits, s->bits.count + s->words) || !vec_reserve(&s->with_open, (size_t)s->count + 1))
        return UNKNOWN;
    memcpy(&s->bits.items[s->bits.count], bits, s->words * sizeof *bits);
    s->bits.count += s->words;
    s->with_open.items[s->with_open.count++] = 0;
    s->slots[at] = ++s->count;
    return s->count - 1;
}

static void sets_done(struct sets *s)
{
    vec_free(&s->bits);
    vec_free(&s->with_open);
    free(s->slots);
}

/* ---- the pass ---- */

/* An object as events showed it. */
struct shown {
    uint32_t first, all; /* set open at its first event + 1 (0: not shown); union of the sets open at its events */
    bool made;           /* an event says that woven code allocated it */
};
enum { PAGES = 1 << (32 - OBJECT_PAGE_BITS) };

struct pass {
    hs_trace *t;
    struct feature_walk walk;
    struct sets sets;
    uint64_t *scratch;   /* a set */
    uint32_t open;       /* set of the open features */
    u32_vec methods;     /* by method id: set of the features that entered it */
    VEC(uint64_t) calls; /* by set: entries while it was open */
    struct shown *pages[PAGES];
};

static bool open_changed(struct pass *p)
{
    memset(p->scratch, 0, p->sets.words * sizeof *p->scratch);
    for (size_t i = 0; i < p->walk.open_count; i++)
        p->scratch[p->walk.open[i] / 64] |= (uint64_t)1 << p->walk.open[i] % 64;
    p->open = number_of(&p->sets, p->scratch);
    memset(p->sets.with_open.items, 0, p->sets.with_open.count * sizeof *p->sets.with_open.items);
    return p->open != UNKNOWN;
}

/* *set becomes its union with the open features. */
static bool add_open(struct pass *p, uint32_t *set)
{
    uint32_t known = p->sets.with_open.items[*set];
    if (known == 0) {
        for (size_t i = 0; i < p->sets.words; i++)
            p->scratch[i] = bits_of(&p->sets, *set)[i] | bits_of(&p->sets, p->open)[i];
        uint32_t both = number_of(&p->sets, p->scratch);
        if (both == UNKNOWN)
            return false;
        p->sets.with_open.items[*set] = known = both + 1;
    }
    *set = known - 1;
    return true;
}

/* Makes a vector of numbers long enough for `at`, with zeros. */
#define GROW(v, at)                                                                                                    \
    ((at) < (v)->count || (vec_reserve((v), (size_t)(at) + 1) &&                                                       \
                           memset((v)->items + (v)->count, 0, ((v)->cap - (v)->count) * sizeof *(v)->items) != NULL && \
                           ((v)->count = (v)->cap, true)))

static bool entered(struct pass *p, uint32_t method)
{
    if (p->open == EMPTY)
        return true;
    if (!GROW(&p->methods, method) || !GROW(&p->calls, p->open))
        return false;
    p->calls.items[p->open]++;
    return add_open(p, &p->methods.items[method]);
}

static bool makes(unsigned event)
{
    return event == EVENT_NEW_OBJECT_CREATED || event == EVENT_METHOD_OBJECT_INITIALIZED ||
           event == EVENT_NEW_ARRAY_RESULT || event == EVENT_MULTI_NEW_ARRAY || event == EVENT_MULTI_NEW_ARRAY_OWNER ||
           event == EVENT_MULTI_NEW_ARRAY_ELEMENT;
}

static bool shows(struct pass *p, uint32_t id, unsigned event)
{
    struct shown **page = &p->pages[id >> OBJECT_PAGE_BITS];
    if (*page == NULL && (*page = calloc(OBJECT_PAGE_IDS, sizeof **page)) == NULL)
        return false;
    struct shown *x = &(*page)[id & (OBJECT_PAGE_IDS - 1)];
    if (x->first == 0)
        x->first = p->open + 1;
    x->made |= makes(event);
    return p->open == EMPTY || add_open(p, &x->all);
}

static int pass_over(struct pass *p, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *cursor;
    bool ok = open_changed(p); /* none: the empty set is number 0 */
    int more = 0;
    if (hs_cursor_open(p->t, &filter, &cursor, error) != 0)
        return -1;
    while (ok && (more = hs_cursor_next(cursor, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(p->t, e->dataid);
        unsigned event = d != NULL ? d->event : 0;
        if (feature_walk_to(&p->walk, e->seq))
            ok = open_changed(p);
        if (ok && event == EVENT_METHOD_ENTRY)
            ok = entered(p, d->method_id);
        if (ok && e->kind == 'L' && e->value != 0 && e->value <= UINT32_MAX)
            ok = shows(p, (uint32_t)e->value, event);
    }
    hs_cursor_close(cursor);
    return ok ? more : give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

static void pass_done(struct pass *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < PAGES; i++)
        free(p->pages[i]);
    vec_free(&p->methods);
    vec_free(&p->calls);
    sets_done(&p->sets);
    feature_walk_done(&p->walk);
    free(p);
}

/* ---- answers ---- */

struct answers_of_features {
    struct hs_features made;
    struct arena arena;
};

static struct hs_feature *features_of(struct pass *p, struct arena *a)
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
    struct feature_walk *w = &p->walk; /* once more, from edge to edge */
    memset(w->opened, 0, w->count * sizeof *w->opened);
    w->next = 0;
    while (w->next < w->edge_count) {
        uint64_t seq = w->edges[w->next].seq;
        (void)feature_walk_change(w, seq);
        for (size_t i = 0; i < w->open_count; i++) { /* an open feature has an edge to come */
            struct hs_feature *f = &features[w->open[i]];
            f->first = f->first == HS_NO_SEQ ? seq : f->first;
            f->last = w->edges[w->next].seq - 1;
            f->events += w->edges[w->next].seq - seq;
        }
    }
    for (uint32_t set = 0; set < p->calls.count && set < p->sets.count; set++)
        for (uint32_t f = 0; f < w->count; f++)
            features[f].calls += has(&p->sets, set, f) ? p->calls.items[set] : 0;
    return features;
}

static enum hs_affinity affinity_of(size_t in, size_t all)
{
    return in == 1 ? HS_SINGLE : in == all ? HS_INFRASTRUCTURAL : 2 * in < all ? HS_LOW : HS_HIGH;
}

/* The methods with their features, and the features with their methods and classes. */
static bool methods_of(struct pass *p, struct answers_of_features *out, struct hs_feature *features)
{
    struct arena *a = &out->arena;
    size_t n = 0;
    for (size_t m = 0; m < p->methods.count; m++)
        n += p->methods.items[m] != EMPTY;
    struct hs_feature_method *methods = arena_array(a, n + 1, sizeof *methods);
    const uint32_t **lists = arena_array(a, (size_t)p->sets.count + 1, sizeof *lists); /* by set: its features */
    size_t *counts = arena_array(a, (size_t)p->sets.count + 1, sizeof *counts);
    if (methods == NULL || lists == NULL || counts == NULL)
        return false;
    out->made.methods = methods;
    for (uint32_t set = 0; set < p->sets.count; set++) {
        uint32_t *list = arena_array(a, p->walk.count + 1, sizeof *list);
        if (list == NULL)
            return false;
        for (uint32_t f = 0; f < p->walk.count; f++)
            if (has(&p->sets, set, f))
                list[counts[set]++] = f;
        lists[set] = list;
    }
    for (uint32_t m = 0; m < p->methods.count; m++) {
        uint32_t set = p->methods.items[m];
        if (set == EMPTY)
            continue;
        methods[out->made.method_count++] =
            (struct hs_feature_method){ m, affinity_of(counts[set], p->walk.count), lists[set], counts[set] };
        for (size_t i = 0; i < counts[set]; i++)
            features[lists[set][i]].method_count++;
    }
    for (size_t f = 0; f < p->walk.count; f++) {
        uint32_t *ids = arena_array(a, features[f].method_count + 1, sizeof *ids);
        uint32_t *classes = arena_array(a, features[f].method_count + 1, sizeof *classes);
        if (ids == NULL || classes == NULL)
            return false;
        features[f].methods = ids;
        features[f].classes = classes;
        features[f].method_count = 0;
        for (size_t i = 0; i < n; i++)
            if (has(&p->sets, p->methods.items[methods[i].method_id], (uint32_t)f))
                ids[features[f].method_count++] = methods[i].method_id;
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void classes_of(hs_trace *t, struct hs_feature *f)
{
    uint32_t *classes = (uint32_t *)(uintptr_t)f->classes; /* our own, from methods_of */
    size_t n = 0;
    for (size_t i = 0; i < f->method_count; i++) {
        const struct hs_method *m = hs_method_get(t, f->methods[i]);
        if (m != NULL)
            classes[n++] = m->class_no;
    }
    qsort(classes, n, sizeof *classes, by_number);
    for (size_t i = 0; i < n; i++)
        if (f->class_count == 0 || classes[f->class_count - 1] != classes[i])
            classes[f->class_count++] = classes[i];
}

/* Objects of one class with the same sets; as a flow, of one pair of features. */
struct tally {
    uint32_t from, to, class_id; /* sets, or features */
    uint64_t objects;
};
typedef VEC(struct tally) tally_vec;

static int by_key(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    return x->from != y->from           ? (x->from < y->from ? -1 : 1)
           : x->to != y->to             ? (x->to < y->to ? -1 : 1)
           : x->class_id != y->class_id ? (x->class_id < y->class_id ? -1 : 1)
                                        : 0;
}

/* Sorts, and adds up what has the same key. */
static void add_up(tally_vec *v)
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

static bool add(tally_vec *v, size_t *limit, struct tally t)
{
    if (v->count >= *limit) { /* few keys, many objects: add up when it has doubled */
        add_up(v);
        *limit = 2 * v->count > 4096 ? 2 * v->count : 4096;
    }
    struct tally *slot = vec_push(v);
    if (slot != NULL)
        *slot = t;
    return slot != NULL;
}

/* Counts the objects of each feature; what may flow goes to `flows`, by sets. */
static bool count_objects(struct pass *p, struct hs_feature *features, tally_vec *flows)
{
    size_t limit = 0, flow_limit = 0;
    tally_vec all = { 0 };
    bool ok = true;
    for (size_t page = 0; page < PAGES; page++)
        for (uint32_t i = 0; p->pages[page] != NULL && i < OBJECT_PAGE_IDS && ok; i++) {
            const struct shown *x = &p->pages[page][i];
            uint32_t made_in = x->made ? x->first - 1 : EMPTY;
            if (x->first == 0 || (made_in == EMPTY && x->all == EMPTY))
                continue;
            ok = add(&all, &limit, (struct tally){ made_in, x->all, 0, 1 });
            if (made_in == EMPTY || made_in == x->all || !ok)
                continue;
            const struct hs_object *o = hs_object_get(p->t, (uint32_t)page << OBJECT_PAGE_BITS | i);
            ok = add(flows, &flow_limit, (struct tally){ made_in, x->all, o != NULL ? o->class_id : 0, 1 });
        }
    add_up(&all);
    add_up(flows);
    for (size_t i = 0; i < all.count; i++)
        for (uint32_t f = 0; f < p->walk.count; f++) {
            features[f].objects += has(&p->sets, all.items[i].to, f) ? all.items[i].objects : 0;
            features[f].created += has(&p->sets, all.items[i].from, f) ? all.items[i].objects : 0;
        }
    vec_free(&all);
    return ok;
}

static int by_objects(const void *a, const void *b)
{
    const struct hs_feature_type *x = a, *y = b;
    return x->objects != y->objects    ? (x->objects > y->objects ? -1 : 1)
           : x->class_id < y->class_id ? -1
                                       : x->class_id > y->class_id;
}

/* Flows between sets become flows between features. */
static bool flows_of(const struct pass *p, struct answers_of_features *out, const tally_vec *by_sets)
{
    tally_vec v = { 0 };
    size_t limit = 0, n = 0;
    bool ok = true;
    for (size_t i = 0; i < by_sets->count; i++)
        for (uint32_t from = 0; from < p->walk.count; from++)
            for (uint32_t to = 0; has(&p->sets, by_sets->items[i].from, from) && to < p->walk.count && ok; to++)
                if (has(&p->sets, by_sets->items[i].to, to) && !has(&p->sets, by_sets->items[i].from, to))
                    ok = add(&v, &limit,
                             (struct tally){ from, to, by_sets->items[i].class_id, by_sets->items[i].objects });
    add_up(&v);
    struct hs_feature_flow *flows = arena_array(&out->arena, v.count + 1, sizeof *flows);
    struct hs_feature_type *types = arena_array(&out->arena, v.count + 1, sizeof *types);
    ok = ok && flows != NULL && types != NULL;
    for (size_t i = 0; i < v.count && ok; i++) {
        const struct tally *x = &v.items[i];
        types[i] = (struct hs_feature_type){ x->class_id, x->objects };
        if (n == 0 || flows[n - 1].from != x->from || flows[n - 1].to != x->to)
            flows[n++] = (struct hs_feature_flow){ .from = x->from, .to = x->to, .types = &types[i] };
        flows[n - 1].objects += x->objects;
        flows[n - 1].type_count++;
    }
    for (size_t i = 0; i < n; i++)
        qsort(types + (flows[i].types - types), flows[i].type_count, sizeof *types, by_objects);
    vec_free(&v);
    out->made.flows = flows;
    out->made.flow_count = n;
    return ok;
}

static bool answer(struct pass *p, struct answers_of_features *out)
{
    tally_vec flows = { 0 };
    struct hs_feature *features = features_of(p, &out->arena);
    bool ok = features != NULL && methods_of(p, out, features) && count_objects(p, features, &flows) &&
              flows_of(p, out, &flows);
    vec_free(&flows);
    for (size_t f = 0; f < p->walk.count && ok; f++)
        classes_of(p->t, &features[f]);
    out->made.features = features;
    out->made.feature_count = p->walk.count;
    return ok;
}

int hs_features_open(hs_trace *t, const struct hs_features **made, struct hs_error *error)
{
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct answers_of_features *out = calloc(1, sizeof *out);
    struct pass *p = calloc(1, sizeof *p);
    int failed = -1;
    if (p != NULL)
        p->t = t;
    if (p == NULL || out == NULL || feature_walk_begin(t, &p->walk, &err) != OK) {
        (void)give(error, &err);
    } else {
        p->sets.words = p->walk.count / 64 + 1;
        p->scratch = arena_array(&p->walk.arena, p->sets.words, sizeof *p->scratch);
        failed = p->scratch == NULL ? give(error, &err) : p->walk.count > 0 ? pass_over(p, error) : 0;
        if (failed == 0 && p->walk.count > 0 && !answer(p, out))
            failed = give(error, &err);
    }
    pass_done(p);
    if (failed != 0)
        hs_features_close(out != NULL ? &out->made : NULL);
    else
        *made = &out->made;
    return failed;
}

void hs_features_close(const struct hs_features *made)
{
    struct answers_of_features *out = (struct answers_of_features *)(uintptr_t)made; /* its first member */
    if (out != NULL)
        arena_done(&out->arena);
    free(out);
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
