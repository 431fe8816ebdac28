/* accessed.c - see accessed.h. */
#include "reader/query/accessed.h"

#include <stdlib.h>
#include <string.h>

#include "formats/jvm/arithmetic.h"
#include "reader/query/access.h"
#include "reader/query/left_out.h"
#include "reader/query/members.h"

/* FEW: so many are looked for one by one. OBJECTS, IDS: a walk is for so many objects, among so many ids. KEYS: of more
 * objects almost every chunk has one. NARROWED: to ask the index for so many again costs less than decoding a chunk. */
enum { FEW = 8, OBJECTS = 1 << 18, IDS = 1 << 21, KEYS = 1 << 15, NARROWED = 1 << 11 };

/* A walk while it goes on. */
struct finding {
    struct accessed *a;
    u32_vec sites;
    uint32_t part;
    struct field fields[ACCESSED_FIELDS];
    const char *names[ACCESSED_FIELDS];
    unsigned field_count;
    u32_vec numbers; /* of the fields of the sites */
    u64_vec owners;
    MAP(struct class_fields {
        uint64_t class_id;
        uint32_t fields; /* bits: those that an object of it can have */
    })
    classes;
    size_t missing;   /* objects of which not all fields were found */
    size_t narrow_at; /* so few of them: the walk is narrowed again */
    uint64_t found;   /* the last one that is not missing any more; 0: none since the walk was narrowed */
    VEC(struct index_key) keys;
    bool no_memory;
};

void accessed_done(struct accessed *a)
{
    map_free(&a->objects);
    vec_free(&a->members);
    arena_done(&a->arena);
    *a = (struct accessed){ 0 };
}

/* ---- which objects ---- */

/* Bits; 0: none, or out of memory. */
static uint32_t fields_of(struct finding *f, const struct hs_object *o)
{
    struct class_fields *c = map_get(&f->classes, o->class_id);
    if (c != NULL)
        return c->fields;
    struct answer_members m = { .trace = f->a->trace };
    c = map_put(&f->classes, o->class_id);
    f->no_memory |= c == NULL || !fields_types(&m, o);
    for (size_t i = 0; !f->no_memory && i < f->sites.count; i++)
        if (fields_have_type(&m, f->owners.items[i]))
            c->fields |= 1U << f->numbers.items[i];
    vec_free(&m.types);
    return c != NULL ? c->fields : 0;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool choose_objects(struct finding *f, uint32_t id, accessed_classes_fn *classes, void *context)
{
    struct accessed *a = f->a;
    const struct hs_object *o;
    hs_cursor *objects;
    const uint32_t end = id < UINT32_MAX - IDS ? id + IDS : UINT32_MAX;
    u32_vec of = { 0 };
    bool ok = classes(context, &of);
    if (ok && of.count > 0)
        qsort(of.items, of.count, sizeof *of.items, by_id);
    ok = ok && class_pages_open(a->trace, &of, &objects, NULL) == 0;
    vec_free(&of);
    if (!ok)
        return false;
    int more = hs_cursor_seek(objects, id, NULL) == 0 ? 1 : -1;
    while (ok && more > 0 && a->objects.count < OBJECTS && (more = hs_object_next(objects, &o, NULL)) > 0 &&
           o->id <= end) {
        struct accessed_object *to = map_put(&a->objects, o->id);
        ok = to != NULL;
        a->last = o->id;
        if (ok)
            to->missing = fields_of(f, o);
        f->missing += ok && to->missing != 0;
    }
    if (a->objects.count < OBJECTS)
        a->last = end; /* there are no others up to it */
    hs_cursor_close(objects);
    return ok && more >= 0 && !f->no_memory;
}

/* ---- which accesses ---- */

/* The number of the field that the data ID accesses, a new one where there is none; ACCESSED_FIELDS: there are too
 * many. */
static unsigned field_number(struct finding *f, uint32_t dataid)
{
    unsigned n = 0;
    while (n < f->field_count && !sites_same_field(f->a->trace, dataid, f->fields[n]))
        n++;
    if (n == f->field_count && n < ACCESSED_FIELDS) {
        f->fields[n] = sites_field(f->a->trace, dataid);
        f->names[n] = field_full_name(f->a->trace, &f->a->arena, f->fields[n]);
        f->no_memory |= f->names[n] == NULL;
        f->field_count++;
    }
    return n;
}

static bool choose_sites(struct finding *f, const char *field)
{
    static const unsigned events[] = { EVENT_PUT_INSTANCE_FIELD, EVENT_GET_INSTANCE_FIELD };
    for (size_t e = 0; e < sizeof events / sizeof *events; e++) {
        size_t count;
        const struct site *sites = sites_named(f->a->trace, events[e], field, &count);
        for (size_t i = 0; i < count; i++) {
            if (sites[i].owner == 0)
                continue;
            uint32_t *to = vec_push(&f->sites), *number = vec_push(&f->numbers);
            uint64_t *owner = vec_push(&f->owners);
            const unsigned n = field_number(f, sites[i].dataid);
            if (to == NULL || number == NULL || owner == NULL || n == ACCESSED_FIELDS || f->no_memory)
                return false;
            *to = sites[i].dataid;
            *number = n;
            *owner = sites[i].owner;
            f->part = effects_get(f->a->trace, sites[i].dataid)->slot;
        }
    }
    return true;
}

static int by_key(const void *a, const void *b)
{
    const struct index_key *x = a, *y = b;
    return x->set != y->set ? (x->set > y->set) - (x->set < y->set) : (x->id > y->id) - (x->id < y->id);
}

/* The index leads to accesses of the objects that are missing, once they are not too many. */
static void use_index(struct finding *f, struct walk *w)
{
    const struct accessed *a = f->a;
    f->narrow_at = f->missing <= NARROWED ? 0 : f->missing / 2;
    f->keys.count = 0;
    if (f->missing > KEYS || f->part == 0 || f->part > LOCATION_PARTS)
        return;
    for (size_t i = 0; i < a->objects.cap; i++) {
        const struct accessed_object *o = &a->objects.slots[i];
        if (o->id == 0 || o->missing == 0)
            continue;
        struct index_key *to[] = { vec_push(&f->keys), vec_push(&f->keys) };
        if (to[0] == NULL || to[1] == NULL)
            return;
        f->keys.items[f->keys.count - 2] = (struct index_key){ SET_WRITTEN, location_key((uint32_t)o->id, f->part) };
        f->keys.items[f->keys.count - 1] = (struct index_key){ SET_READ, location_key((uint32_t)o->id, f->part) };
    }
    qsort(f->keys.items, f->keys.count, sizeof *f->keys.items, by_key);
    walk_set_keys(w, f->keys.items, f->keys.count);
}

/* As use_index, when one object was found since. */
static void drop_found(struct finding *f, struct walk *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->keys.count; i++)
        if (f->keys.items[i].id != location_key((uint32_t)f->found, f->part))
            f->keys.items[kept++] = f->keys.items[i];
    f->keys.count = kept;
    f->found = 0;
    walk_set_keys(w, f->keys.items, kept);
}

/* ---- the walk ---- */

static enum status take(struct finding *f, const struct hs_event *e, struct error *err)
{
    struct accessed *a = f->a;
    struct accessed_object *o = e->value != 0 ? map_get(&a->objects, e->value) : NULL;
    const unsigned n = o != NULL ? field_number(f, e->dataid) : 0;
    struct heap_access access;
    if (o == NULL || n == ACCESSED_FIELDS || (o->missing >> n & 1) == 0)
        return OK;
    enum status st = access_at(a->trace, e, &access, err);
    if (st != OK || access.value.seq > a->seq)
        return st == ERR_NOT_FOUND ? OK : st;
    struct accessed_member *m = vec_push(&a->members);
    if (m == NULL)
        return state_memory(a->trace, err);
    const char kind = access.value.kind;
    *m = (struct accessed_member){ .made = { .name = f->names[n],
                                             .kind = kind,
                                             .value = arithmetic_narrowed((unsigned char)kind, access.value.value) },
                                   .event = access.value,
                                   .next = o->first };
    o->first = (uint32_t)a->members.count;
    o->missing &= ~(1U << n);
    f->missing -= o->missing == 0;
    f->found = o->missing == 0 ? o->id : f->found;
    return OK;
}

/* False: the objects are looked for one by one. */
static bool find_many(struct accessed *a, uint32_t id, const char *field, accessed_classes_fn *classes, void *context)
{
    struct finding f = { .a = a };
    struct walk w = { 0 };
    struct hs_event e;
    struct error err = { 0 };
    enum status st = OK;
    bool ok = choose_sites(&f, field) && choose_objects(&f, id, classes, context);
    if (ok && f.sites.count > 0 && f.missing > 0) {
        walk_open_ids(&w, a->trace, &f.sites, 0, UINT64_MAX);
        use_index(&f, &w);
        walk_seek_after(&w, a->seq);
    }
    while (st == OK && w.cursor != NULL && f.missing > 0 && walk_previous(&w, &e)) {
        st = take(&f, &e, &err);
        if (f.missing > 0 && f.missing <= f.narrow_at)
            use_index(&f, &w);
        else if (f.missing > 0 && f.found != 0 && f.narrow_at == 0 && f.keys.count > 0)
            drop_found(&f, &w);
    }
    ok = ok && st == OK && walk_close(&w, NULL) == OK;
    (void)walk_close(&w, NULL);
    vec_free(&f.sites);
    vec_free(&f.numbers);
    vec_free(&f.owners);
    map_free(&f.classes);
    vec_free(&f.keys);
    return ok;
}

static void answer(struct accessed *a, const struct accessed_object *o)
{
    a->answer = (struct hs_object_state){
        .id = (uint32_t)o->id, .created = HS_NO_SEQ, .first = HS_NO_SEQ, .last = HS_NO_SEQ, .fields = a->list
    };
    for (uint32_t i = o->first; i != 0; i = a->members.items[i - 1].next) {
        struct accessed_member *m = &a->members.items[i - 1];
        m->made.event = &m->event;
        size_t at = a->answer.field_count++;
        for (; at > 0 && m->event.seq > a->list[at - 1]->event->seq; at--) /* the latest first, as one by one */
            a->list[at] = a->list[at - 1];
        a->list[at] = &m->made;
    }
}

int accessed_get(struct accessed *a, hs_trace *t, uint32_t id, const char *field, uint64_t seq,
                 accessed_classes_fn *classes, void *context, const struct hs_object_state **out)
{
    if (a->trace != t || a->seq != seq)
        accessed_done(a);
    a->trace = t;
    a->seq = seq;
    const struct accessed_object *o = map_get(&a->objects, id);
    if (o == NULL && ++a->alone > FEW + a->few && !left_out_any(t)) {
        const unsigned few = id <= a->last ? 2 * (a->few + FEW) : a->few; /* the walk was not for all that came */
        accessed_done(a);
        *a = (struct accessed){ .trace = t, .seq = seq, .few = few };
        if (find_many(a, id, field, classes, context)) {
            o = map_get(&a->objects, id);
        } else {
            accessed_done(a);
            *a = (struct accessed){ .trace = t, .seq = seq, .few = UINT32_MAX / 2 };
        }
    }
    if (o == NULL)
        return object_accessed(t, id, field, seq, out);
    answer(a, o);
    *out = &a->answer;
    return 0;
}
