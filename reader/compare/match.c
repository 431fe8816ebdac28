/* match.c - see diff.h. Which methods, threads and data IDs of two traces are the same.
 *
 * The recorded hash of a method is that of its bytecode with the numbers of its constants, which another build of the
 * class may change everywhere. So the code of two methods is the same if their classes have the same name and hash, or
 * else if it has the same length and the same events at the same pcs, with the same names (the fingerprint). Methods
 * match, each step among those that are left:
 *
 *     1. by class, name and descriptor, with the same code
 *     2. by hash and fingerprint, where only one method of each trace has them: moved or renamed. Short methods, which
 *        are often alike, only within one class
 *     3. by class, name and descriptor, without the numbers that compilers give (names.c): those of one name are in the
 *        same order, if both traces have as many
 *     4. by class, name and descriptor
 *     5. by class and name, where there is one of that name in each trace
 *
 * Several ids of one method, since its class was woven several times, are one method. */
#include <stdio.h>

#include "reader/compare/diff.h"

enum { MOVED_CODE_MIN = 16 }; /* bytes of code; shorter methods match by hash only within their class */

/* A method while they are matched. */
struct candidate {
    const struct hs_method *row;
    uint64_t full, class_name, name; /* hashes: of class, name and descriptor; of the class; of class and name */
    uint64_t plain;                  /* as full, without the numbers that compilers give; 0: it has none */
    uint64_t print;                  /* of what the code does: the fingerprint */
    uint32_t first;                  /* of the ids of one method the first, + 1; 0: this one is */
    uint32_t method;                 /* position in d->methods + 1; 0: not matched */
};
typedef VEC(struct candidate) candidates;
/* How the code of methods is compared. */
enum code_by { BY_CLASS, BY_EVENTS, BY_HASH };
typedef MAP(struct diff_method_id) hash_set;

bool diff_no_memory(struct diff *d)
{
    d->error.code = HS_ERR_MEMORY;
    (void)snprintf(d->error.text, sizeof d->error.text, "out of memory");
    return false;
}

static uint64_t mix(uint64_t hash, uint64_t more) { return diff_mix(hash, more); }
static uint64_t mix_text(uint64_t hash, const char *text) { return mix(hash, map_hash(text, strlen(text))); }
static uint64_t mix_name(const struct diff *d, uint64_t hash, const char *text)
{
    bool number;
    return mix(hash, diff_name(d, text, &number));
}

/* What the instruction names; not what another build moves or another compiler writes: pcs, slots of variables, which
 * invoke instruction it is (private methods: invokespecial up to Java 10). */
const char *const diff_attributes[] = { "name", "owner", "desc", "index", "methodtype", "amount", "dimensions", NULL };

static uint64_t attribute_hash(const struct diff *d, const struct hs_attr *a)
{
    return a->type == HS_ATTR_TEXT ? mix_name(d, 1, a->text) : mix(2, (uint64_t)a->number);
}

static uint64_t names_of(const struct diff *d, const struct hs_dataid *row)
{
    uint64_t hash = row->event;
    for (size_t k = 0; diff_attributes[k] != NULL; k++) {
        const struct hs_attr *a = diff_attribute(row, diff_attributes[k]);
        if (a != NULL)
            hash = mix(mix(hash, k), attribute_hash(d, a));
    }
    return hash;
}

bool diff_same_attribute(const struct diff *d, const struct hs_dataid *a, const struct hs_dataid *b, const char *name)
{
    const struct hs_attr *x = diff_attribute(a, name), *y = diff_attribute(b, name);
    return x == NULL || y == NULL ? x == y : attribute_hash(d, x) == attribute_hash(d, y);
}

/* A method itself has its name and descriptor among the attributes of its entry. */
static bool names_itself(unsigned event)
{
    return event_has(event, USE_ENTER | USE_LEAVE) || event == EVENT_METHOD_PARAM;
}

/* The methods of a class with what their data IDs add to the fingerprints. False: out of memory. */
static bool gather_class(struct diff *d, hs_trace *t, const struct hs_class *c, enum code_by by, candidates *out)
{
    size_t begin = out->count;
    uint32_t ids = hs_dataid_count(t), at = 0;
    uint64_t class_name = mix_text(1, c->name);
    for (uint32_t m = 0; m < c->method_count; m++) {
        const struct hs_method *row = c->methods[m];
        struct candidate *to = vec_push(out);
        if (to == NULL)
            return diff_no_memory(d);
        *to = (struct candidate){ .row = row, .class_name = class_name, .name = mix_text(class_name, row->name) };
        to->full = mix_text(to->name, row->desc);
        bool numbered = false;
        to->plain = diff_mix(diff_name(d, c->name, &numbered), diff_name(d, row->name, &numbered));
        to->plain = numbered ? mix_name(d, to->plain, row->desc) : 0;
        to->print = by == BY_EVENTS ? row->code_length : mix(row->hash, row->code_length);
    }
    for (uint32_t i = c->first_dataid; by == BY_EVENTS && i < ids && i - c->first_dataid < c->dataid_count; i++) {
        const struct hs_dataid *site = hs_dataid_get(t, i);
        if (site != NULL && event_has(site->event, USE_LEFT_OUT)) /* percall= adds it to the code as it is */
            continue;
        for (uint32_t n = 0; site != NULL && n < c->method_count; n++) { /* mostly that of the data ID before */
            if (c->methods[at]->method_id == site->method_id) {
                struct candidate *to = &out->items[begin + at];
                to->print = mix(to->print, mix(names_itself(site->event) ? site->event : names_of(d, site), site->pc));
                break;
            }
            at = at + 1 < c->method_count ? at + 1 : 0;
        }
    }
    return true;
}

static uint64_t hash_of(const struct hs_class *c) { return mix_text(c->hash, c->name); }

/* The names and hashes of the classes that have methods. */
static bool gather_hashes(struct diff *d, int side, hash_set *out)
{
    hs_cursor *classes;
    const struct hs_class *c;
    bool ok = true;
    if (hs_classes_open(d->sides[side].trace, &classes, &d->error) != 0)
        return false;
    while (ok && hs_class_next(classes, &c, NULL) > 0)
        ok = c->method_count == 0 || map_put(out, hash_of(c)) != NULL || diff_no_memory(d);
    hs_cursor_close(classes);
    return ok;
}

/* Has one trace a class of a name that the other one has with different code, or from another compiler? */
static bool find_rebuilt(struct diff *d)
{
    hash_set names = { 0 }, hashes = { 0 };
    bool ok = true;
    for (int side = 0; ok && side < 2; side++) {
        hs_cursor *classes;
        const struct hs_class *c;
        ok = hs_classes_open(d->sides[side].trace, &classes, &d->error) == 0;
        while (ok && hs_class_next(classes, &c, NULL) > 0) {
            if (c->method_count == 0)
                continue;
            struct diff_method_id *name =
                side == 0 ? map_put(&names, mix_text(1, c->name)) : map_get(&names, mix_text(1, c->name));
            if (side == 0) {
                ok = (name != NULL && map_put(&hashes, hash_of(c)) != NULL) || diff_no_memory(d);
                if (ok)
                    name->method = c->major;
            } else if (name != NULL) {
                d->rebuilt |= map_get(&hashes, hash_of(c)) == NULL;
                diff_note_versions(d, name->method, c->major);
            }
        }
        if (ok)
            hs_cursor_close(classes);
    }
    map_free(&names);
    map_free(&hashes);
    return ok;
}

/* All methods of a trace. `otherwise`: how those of classes that the other trace does not have are compared. */
static bool gather(struct diff *d, int side, const hash_set *others, enum code_by otherwise, candidates *out)
{
    hs_trace *t = d->sides[side].trace;
    MAP(struct diff_method_id) full = { 0 }; /* the first candidate of that hash, + 1 */
    hs_cursor *classes;
    const struct hs_class *c;
    if (hs_classes_open(t, &classes, &d->error) != 0)
        return false;
    bool ok = true;
    while (ok && hs_class_next(classes, &c, NULL) > 0)
        ok = gather_class(d, t, c, map_get(others, hash_of(c)) != NULL ? BY_CLASS : otherwise, out);
    hs_cursor_close(classes);
    for (size_t i = 0; ok && i < out->count; i++) {
        struct diff_method_id *same = map_put(&full, out->items[i].full);
        ok = same != NULL || diff_no_memory(d);
        if (ok && same->method == 0)
            same->method = (uint32_t)i + 1;
        else if (ok)
            out->items[i].first = same->method;
    }
    map_free(&full);
    return ok;
}

enum step {
    STEP_SAME,
    STEP_SAME_PLAIN,
    STEP_MOVED_IN_CLASS,
    STEP_MOVED,
    STEP_PLAIN,
    STEP_FULL_NAME,
    STEP_NAME,
    STEP_COUNT
};
/* What has to be equal in a step; 0: the method does not take part. */
static uint64_t key_of(const struct candidate *c, enum step step)
{
    switch (step) {
    case STEP_SAME: return mix(c->full, c->print);
    case STEP_SAME_PLAIN: return c->plain != 0 ? mix(c->plain, c->print) : 0;
    case STEP_MOVED_IN_CLASS: return mix(mix(c->class_name, c->print), c->row->hash);
    case STEP_MOVED: return c->row->code_length < MOVED_CODE_MIN ? 0 : mix(c->print, c->row->hash);
    case STEP_PLAIN: return c->plain;
    case STEP_FULL_NAME: return c->full;
    case STEP_NAME: return c->name;
    case STEP_COUNT: break;
    }
    return 0;
}

struct met {
    uint64_t key;
    uint32_t at[2], count[2]; /* the first candidate of each trace, and how many have the key */
};

/* Makes a method of two candidates, of which one may be NULL. */
static bool add_method(struct diff *d, struct candidate *a, struct candidate *b)
{
    struct diff_method *m = vec_push(&d->methods);
    struct candidate *both[2] = { a, b };
    if (m == NULL)
        return diff_no_memory(d);
    *m = (struct diff_method){ .same = a != NULL && b != NULL && a->print == b->print };
    for (int i = 0; i < 2; i++) {
        if (both[i] == NULL)
            continue;
        both[i]->method = (uint32_t)d->methods.count;
        m->rows[i] = both[i]->row;
        const struct hs_class *c = hs_class_get(d->sides[i].trace, both[i]->row->class_no);
        if (m->names.name == NULL)
            m->names = (struct hs_compared_method){ c != NULL ? c->name : "?", both[i]->row->name, both[i]->row->desc };
        m->wanted |= c != NULL && hs_class_matches(d->class_glob, c->name) &&
                     hs_method_matches(d->method_glob, both[i]->row->name, both[i]->row->desc);
    }
    return true;
}

static uint64_t open_key(const struct candidate *c, enum step step)
{
    return c->method == 0 && c->first == 0 ? key_of(c, step) : 0;
}

/* Where several have a key only those of compilers' numbers are matched, in their order. */
static bool match_step(struct diff *d, candidates all[2], enum step step)
{
    MAP(struct met) met = { 0 };
    const bool in_order = step == STEP_PLAIN || step == STEP_SAME_PLAIN;
    bool ok = true;
    for (int side = 0; side < 2; side++)
        for (size_t i = all[side].count; ok && i-- > 0;) {
            uint64_t key = open_key(&all[side].items[i], step);
            struct met *m = key != 0 ? map_put(&met, key) : NULL;
            ok = key == 0 || m != NULL || diff_no_memory(d);
            if (m == NULL)
                continue;
            m->at[side] = (uint32_t)i;
            m->count[side]++;
        }
    for (size_t i = 0; ok && i < all[0].count; i++) {
        struct candidate *c = &all[0].items[i];
        uint64_t key = open_key(c, step);
        struct met *m = key != 0 ? map_get(&met, key) : NULL;
        if (m == NULL || m->count[0] != m->count[1] || (m->count[0] > 1 && !in_order))
            continue;
        while (open_key(&all[1].items[m->at[1]], step) != key)
            m->at[1]++; /* there are as many */
        ok = add_method(d, c, &all[1].items[m->at[1]++]);
    }
    map_free(&met);
    return ok;
}

/* Those that only one trace has, and the ids of all. */
static bool finish_methods(struct diff *d, candidates all[2])
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < all[side].count; i++) {
            struct candidate *c = &all[side].items[i];
            if (c->method == 0 && c->first != 0) /* the first one stands before it */
                c->method = all[side].items[c->first - 1].method;
            if (c->method == 0 && !add_method(d, side == 0 ? c : NULL, side == 1 ? c : NULL))
                return false;
            struct diff_method_id *id = map_put(&d->sides[side].by_id, (uint64_t)c->row->method_id + 1);
            if (id == NULL)
                return diff_no_memory(d);
            id->method = c->method - 1;
        }
    return true;
}

static group_set woven_in(hs_trace *t)
{
    group_set set = GROUP_ALL;
    const char *bad, *text = hs_info(t, "weave");
    int length;
    return text != NULL && group_set_parse(text, &set, &bad, &length) ? set : GROUP_ALL;
}

static bool diff_no_groups(struct diff *d)
{
    hs_trace *a = d->sides[0].trace, *b = d->sides[1].trace;
    d->error.code = HS_ERR_USAGE;
    (void)snprintf(d->error.text, sizeof d->error.text,
                   "nothing can be compared: %s has weave=%.100s, %s has weave=%.100s, and no group is in both",
                   hs_dir(a), hs_info(a, "weave"), hs_dir(b), hs_info(b, "weave"));
    return false;
}

bool diff_match_methods(struct diff *d)
{
    candidates all[2] = { 0 };
    group_set a = woven_in(d->sides[0].trace), b = woven_in(d->sides[1].trace);
    d->groups = a & b;
    hash_set classes[2] = { 0 };
    enum code_by otherwise = a == b ? BY_EVENTS : BY_HASH; /* events of other groups make other fingerprints */
    if (d->groups == 0)
        return diff_no_groups(d);
    bool ok = find_rebuilt(d) && gather_hashes(d, 0, &classes[0]) && gather_hashes(d, 1, &classes[1]) &&
              gather(d, 0, &classes[1], otherwise, &all[0]) && gather(d, 1, &classes[0], otherwise, &all[1]);
    map_free(&classes[0]);
    map_free(&classes[1]);
    for (int step = 0; ok && step < STEP_COUNT; step++)
        ok = match_step(d, all, (enum step)step);
    ok = ok && finish_methods(d, all) && (diff_find_made(d) || diff_no_memory(d));
    vec_free(&all[0]);
    vec_free(&all[1]);
    return ok;
}

const struct diff_site *diff_site(struct diff *d, int side, uint32_t dataid)
{
    struct diff_side *s = &d->sides[side];
    if (dataid >= s->site_count)
        return NULL;
    struct diff_site *site = &s->sites[dataid];
    if (site->place != 0)
        return site;
    const struct hs_dataid *row = hs_dataid_get(s->trace, dataid);
    const struct diff_method_id *id = row != NULL ? map_get(&s->by_id, (uint64_t)row->method_id + 1) : NULL;
    if (id == NULL)
        return NULL;
    const struct diff_method *m = &d->methods.items[id->method];
    site->method = id->method;
    site->event = (uint8_t)row->event;
    site->wanted = m->wanted && event_woven(row->event, d->groups);
    site->code = mix(id->method + UINT64_C(1), m->same ? row->pc : 0);
    site->place = mix(mix(site->code, row->event), names_itself(row->event) ? 0 : names_of(d, row));
    if (d->recompiled && !m->same) {
        site->left_out = diff_leaves_out(d, side, row);
        site->place = diff_place_in(d, side, dataid, id->method);
    }
    return site;
}

uint64_t diff_place_in(const struct diff *d, int side, uint32_t dataid, uint32_t method)
{
    const struct hs_dataid *row = hs_dataid_get(d->sides[side].trace, dataid);
    const struct hs_attr *name = diff_attribute(row, "name");
    uint64_t place = mix(mix(method + UINT64_C(1), 0), row->event);
    if (names_itself(row->event))
        return mix(place, 0);
    if (row->event == EVENT_CALL && name != NULL && name->type == HS_ATTR_TEXT && strcmp(name->text, "<init>") == 0)
        return mix(place, attribute_hash(d, diff_attribute(row, "owner"))); /* a compiler may add a parameter */
    return mix(place, names_of(d, row));
}

/* ---- threads ---- */

struct name_count {
    uint64_t key;
    uint32_t count;
};

/* Of the threads with events: a hash of the name, and of how many of that name came before. */
static bool name_threads(struct diff *d, int side, u64_vec *keys, u32_vec *numbers)
{
    MAP(struct name_count) names = { 0 };
    hs_cursor *threads;
    const struct hs_thread *t;
    bool ok = true;
    if (hs_threads_open(d->sides[side].trace, &threads, &d->error) != 0)
        return false;
    while (ok && hs_thread_next(threads, &t, NULL) > 0) {
        uint64_t name = mix_text(1, t->name);
        struct name_count *n = t->events > 0 ? map_put(&names, name) : NULL;
        if (t->events == 0)
            continue;
        uint64_t *key = n != NULL ? vec_push(keys) : NULL;
        uint32_t *number = key != NULL ? vec_push(numbers) : NULL;
        ok = number != NULL || diff_no_memory(d);
        if (!ok)
            break;
        *key = mix(name, n->count++);
        *number = t->thread;
    }
    hs_cursor_close(threads);
    map_free(&names);
    return ok;
}

static bool add_threads(struct diff *d, uint32_t a, uint32_t b)
{
    struct diff_threads *to = vec_push(&d->threads);
    if (to == NULL)
        return diff_no_memory(d);
    *to = (struct diff_threads){ { a, b } };
    return true;
}

bool diff_match_threads(struct diff *d)
{
    u64_vec keys[2] = { 0 };
    u32_vec numbers[2] = { 0 };
    MAP(struct name_count) in_b = { 0 }; /* position in the lists of b, + 1; 0: it has found its partner */
    bool ok = name_threads(d, 0, &keys[0], &numbers[0]) && name_threads(d, 1, &keys[1], &numbers[1]);
    for (size_t i = 0; ok && i < keys[1].count; i++) {
        struct name_count *n = map_put(&in_b, keys[1].items[i]);
        ok = n != NULL || diff_no_memory(d);
        if (ok)
            n->count = (uint32_t)i + 1;
    }
    for (size_t i = 0; ok && i < keys[0].count; i++) {
        struct name_count *n = map_get(&in_b, keys[0].items[i]);
        bool both = n != NULL && n->count > 0;
        ok = add_threads(d, numbers[0].items[i], both ? numbers[1].items[n->count - 1] : UINT32_MAX);
        if (both)
            n->count = 0;
    }
    for (size_t i = 0; ok && i < keys[1].count; i++)
        if (map_get(&in_b, keys[1].items[i])->count > 0)
            ok = add_threads(d, UINT32_MAX, numbers[1].items[i]);
    for (int side = 0; side < 2; side++) {
        vec_free(&keys[side]);
        vec_free(&numbers[side]);
    }
    map_free(&in_b);
    return ok;
}
