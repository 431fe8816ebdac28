/* object_state.c - the fields or elements of an object at a moment, as recorded writes and reads show them.
 *
 * One walk backwards over the accesses of the object; a field that has been seen is taken out of the filter, so that
 * the index leads to the chunks of the others only. What was written before any event could show the object
 * (creation.h) comes last. */
#include "formats/jvm/arithmetic.h"
#include "formats/map.h"
#include "reader/query/access.h"
#include "reader/query/creation.h"
#include "reader/query/defaults.h"
#include "reader/query/handover.h"
#include "reader/query/kept_fields.h"
#include "reader/query/left_out.h"
#include "reader/query/location.h"
#include "reader/query/periods.h"
#include "reader/query/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN_SEQ UINT64_MAX /* not looked for yet */

/* A member while it is looked for; its event becomes a pointer at the end. */
struct found_member {
    struct hs_member made;
    struct hs_event event;
};

/* The fields or elements found so far. */
struct answer_members {
    hs_trace *trace;
    struct arena *arena;
    uint32_t id;
    uint64_t seq; /* the moment */
    struct part part;
    VEC(struct found_member) members;
    bool cut;                /* there may be more elements */
    uint64_t complete_until; /* no access up to here is left out; at most `seq` */
    u64_vec types;           /* site_hash of the names of its class and superclasses; empty: not all are known */
};

static enum status add_member(struct answer_members *m, const char *name, uint64_t index, const struct hs_event *value,
                              struct error *err)
{
    struct found_member *to = vec_push(&m->members);
    if (to == NULL)
        return state_memory(m->trace, err);
    const char kind = name == NULL ? element_kind(m->trace, m->id, value->kind) : value->kind;
    *to = (struct found_member){ .made = { .name = name,
                                           .index = index,
                                           .kind = kind,
                                           .value = arithmetic_narrowed((unsigned char)kind, value->value) },
                                 .event = *value };
    return to->event.seq != UINT64_MAX ? OK : positions_number(m->trace, &to->event, err);
}

/* ---- fields ---- */

static bool find_types(struct answer_members *m, const struct hs_object *o)
{
    const struct hs_type *type = o != NULL ? hs_type_get(m->trace, o->class_id) : NULL;
    const struct lineage *c = type != NULL ? lineage_of(m->trace, type->name, type->loader) : NULL;
    bool unknown = c == NULL;
    for (; c != NULL; c = lineage_super(m->trace, c, &unknown)) {
        uint64_t *to = vec_push(&m->types);
        if (to == NULL)
            return false;
        *to = site_hash(c->name, strlen(c->name));
    }
    if (unknown)
        m->types.count = 0;
    return true;
}

static bool has_type(const struct answer_members *m, uint64_t name)
{
    for (size_t i = 0; i < m->types.count; i++)
        if (m->types.items[i] == name)
            return true;
    return m->types.count == 0; /* the class hierarchy is not known: any type is possible */
}

/* Adds the accesses of an event type whose field can be the object's. */
static bool add_sites(struct answer_members *m, unsigned event, u32_vec *out)
{
    const site_vec *sites = sites_of(m->trace, event);
    for (size_t i = 0; i < sites->count; i++) {
        if (sites->items[i].owner == 0 || !has_type(m, sites->items[i].owner))
            continue;
        uint32_t *to = vec_push(out);
        if (to == NULL)
            return false;
        *to = sites->items[i].dataid;
    }
    return true;
}

/* Is the class of the object one of the boot loader, and that of the field not? Then it is none of its superclasses. */
static bool is_boot_class(hs_trace *t, const struct hs_type *type, uint32_t dataid)
{
    const char *owner = sites_field(t, dataid).declaring;
    const struct lineage *c = owner != NULL ? lineage_of(t, owner, type->loader) : NULL;
    return type->loader == 0 && c != NULL && c->loader != 0;
}

bool hs_type_may_have(hs_trace *t, uint32_t class_id, const char *field)
{
    static const unsigned events[] = { EVENT_PUT_INSTANCE_FIELD, EVENT_GET_INSTANCE_FIELD,
                                       EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION };
    const struct hs_type *type = hs_type_get(t, class_id);
    struct answer_members m = { .trace = t };
    struct hs_object object = { .class_id = class_id };
    bool may = type == NULL || !find_types(&m, &object), unknown;
    for (const struct lineage *c = type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
         !may && c != NULL && c->woven; c = lineage_super(t, c, &unknown))
        for (size_t i = 0; !may && i < c->field_count; i++)
            may = !c->fields[i].is_static && strcmp(c->fields[i].name, field) == 0;
    for (size_t e = 0; !may && e < sizeof events / sizeof *events; e++) {
        size_t count;
        const struct site *sites = sites_named(t, events[e], field, &count);
        for (size_t i = 0; !may && i < count; i++)
            may = m.types.count > 0 ? has_type(&m, sites[i].owner) : !is_boot_class(t, type, sites[i].dataid);
    }
    vec_free(&m.types);
    return may;
}

static bool known_field(const struct answer_members *m, const char *name)
{
    if (name == NULL)
        return false;
    for (size_t i = 0; i < m->members.count; i++)
        if (strcmp(m->members.items[i].made.name, name) == 0)
            return true;
    return false;
}

/* "a.b.Declaring.field"; with the type behind it where that class declares several of this name. */
static const char *full_name(struct answer_members *m, struct field f)
{
    bool overloaded = field_overloaded(m->trace, f);
    size_t size = strlen(f.declaring) + strlen(f.name) + strlen(f.type) + 3;
    char *name = arena_chars(m->arena, size);
    if (name != NULL)
        (void)snprintf(name, size, "%s.%s%s%s", f.declaring, f.name, overloaded ? ":" : "", overloaded ? f.type : "");
    return name;
}

/* Takes the accesses of this field out of the walk; *left of `ids` remain in it. */
static enum status drop_field(struct answer_members *m, hs_cursor *c, const u32_vec *ids, struct field f, size_t *left,
                              struct error *err)
{
    enum status st = OK;
    u32_vec same = { 0 };
    for (size_t i = 0; i < ids->count; i++) {
        if (!sites_same_field(m->trace, ids->items[i], f))
            continue;
        uint32_t *to = vec_push(&same);
        if (to == NULL) {
            st = state_memory(m->trace, err);
            break;
        }
        *to = ids->items[i];
    }
    *left -= same.count < *left ? same.count : *left;
    cursor_drop_ids(c, same.items, same.count);
    vec_free(&same);
    return st;
}

/* Adds the field that event `e` of the walk accesses, unless it is there already. */
static enum status add_accessed_field(struct answer_members *m, const struct hs_event *e, hs_cursor *c,
                                      const u32_vec *ids, size_t *left, struct error *err)
{
    struct heap_access a;
    struct field f = sites_field(m->trace, e->dataid);
    const char *name = full_name(m, f);
    if (known_field(m, name)) /* the chunk was decoded before the field was dropped */
        return OK;
    enum status st = access_at(m->trace, e, &a, err);
    if (st == ERR_NOT_FOUND)
        return OK;
    if (st != OK)
        return st;
    if (a.value.seq > m->seq) { /* it will count later */
        m->complete_until = e->seq > 0 && e->seq <= m->complete_until ? e->seq - 1 : m->complete_until;
        return OK;
    }
    if (name == NULL)
        return state_memory(m->trace, err);
    st = add_member(m, name, 0, &a.value, err);
    if (st != OK)
        return st;
    return drop_field(m, c, ids, f, left, err);
}

/* Adds the fields that have not been accessed since an earlier answer. */
static enum status add_kept(struct answer_members *m, const struct kept_fields *kept, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && kept != NULL && i < kept->count; i++) {
        if (known_field(m, kept->items[i].name))
            continue;
        char *name = arena_chars(m->arena, strlen(kept->items[i].name) + 1);
        if (name == NULL)
            return state_memory(m->trace, err);
        memcpy(name, kept->items[i].name, strlen(kept->items[i].name) + 1);
        st = add_member(m, name, 0, &kept->items[i].value, err);
    }
    return st;
}

static void keep_fields(const struct answer_members *m)
{
    struct kept_fields *k = kept_fields_new(m->id, m->complete_until, m->members.count);
    bool ok = k != NULL;
    for (size_t i = 0; ok && i < m->members.count; i++)
        ok = kept_fields_set(k, i, m->members.items[i].made.name, &m->members.items[i].event);
    if (ok)
        kept_fields_put(m->trace, k);
    else
        kept_fields_free(k);
}

static enum status find_accessed_fields(struct answer_members *m, struct error *err)
{
    const struct kept_fields *kept = kept_fields_get(m->trace, m->id);
    uint64_t from = kept != NULL && kept->until < m->seq ? kept->until + 1 : 0;
    struct walk w = { 0 };
    struct hs_event e;
    u32_vec ids = { 0 };
    enum status st = OK;
    if (!add_sites(m, EVENT_PUT_INSTANCE_FIELD, &ids) || !add_sites(m, EVENT_GET_INSTANCE_FIELD, &ids)) {
        st = state_memory(m->trace, err);
        goto out;
    }
    if (ids.count == 0)
        goto out;
    size_t left = ids.count;
    m->complete_until = m->seq;
    if (kept != NULL && kept->until > m->seq)
        kept = NULL;
    if (kept == NULL || kept->until < m->seq) {
        walk_open_ids_from(&w, m->trace, &ids, m->id, from, UINT64_MAX);
        walk_seek_after(&w, m->seq);
    }
    while (w.cursor != NULL && left > 0 && walk_previous(&w, &e) && e.seq >= from) {
        st = add_accessed_field(m, &e, w.cursor, &ids, &left, err);
        if (st != OK)
            goto out;
    }
    st = w.cursor != NULL ? walk_status(&w, err) : OK;
    if (st == OK)
        st = add_kept(m, kept, err);
    if (st == OK && w.cursor != NULL)
        keep_fields(m);
out:
    (void)walk_close(&w, NULL);
    vec_free(&ids);
    return st;
}

/* Fields that were written before any event could name the object, and not since. */
static enum status find_early_fields(struct answer_members *m, struct error *err)
{
    event_vec early = { 0 };
    enum status st = early_puts(m->trace, m->id, NULL, &early, err);
    for (size_t i = st == OK ? early.count : 0; i-- > 0;) {
        const struct hs_event *put = &early.items[i];
        const char *name = full_name(m, sites_field(m->trace, put->dataid));
        if (put->seq > m->seq || known_field(m, name))
            continue;
        st = name != NULL ? add_member(m, name, 0, put, err) : state_memory(m->trace, err);
        if (st != OK)
            break;
    }
    vec_free(&early);
    return st;
}

static int by_name(const void *a, const void *b)
{
    const struct found_member *x = a, *y = b;
    return strcmp(x->made.name, y->made.name);
}

static enum status find_fields(struct answer_members *m, struct error *err)
{
    enum status st = find_accessed_fields(m, err);
    if (st != OK)
        return st;
    st = find_early_fields(m, err);
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_name);
    return st;
}

/* ---- elements ---- */

static int by_index(const void *a, const void *b)
{
    const struct found_member *x = a, *y = b;
    return x->made.index < y->made.index ? -1 : x->made.index > y->made.index;
}

/* Elements that were seen. Of a part those with the least indices are kept, so that memory follows what is asked for;
 * when the whole part is known, some more accesses are looked at, since there may be few others. */
struct seen_elements {
    struct answer_members *m;
    MAP(uint64_t) indices; /* each + 1 */
    uint64_t end;          /* those from here on are not wanted */
    uint64_t in_part;      /* seen of the part's own indices */
    uint32_t more;         /* accesses looked at since the part is known */
};
enum { BEHIND_PART = 1 << 16 };

static bool keep_least(struct seen_elements *s)
{
    struct answer_members *m = s->m;
    qsort(m->members.items, m->members.count, sizeof *m->members.items, by_index);
    m->members.count = (size_t)m->part.most;
    map_free(&s->indices);
    s->end = m->part.most > 0 ? m->members.items[m->members.count - 1].made.index : 0;
    m->cut = true;
    for (size_t i = 0; i < m->members.count; i++)
        if (map_put(&s->indices, m->members.items[i].made.index + 1) == NULL)
            return false;
    return true;
}

static enum status add_element(struct seen_elements *s, uint64_t index, const struct hs_event *value, struct error *err)
{
    struct answer_members *m = s->m;
    const size_t before = s->indices.count;
    if (index > INT32_MAX || index < m->part.from || index >= s->end) /* of a damaged trace, or not wanted */
        return OK;
    if (map_put(&s->indices, index + 1) == NULL)
        return state_memory(m->trace, err);
    if (s->indices.count == before)
        return OK;
    s->in_part += index - m->part.from < m->part.most;
    enum status st = add_member(m, NULL, index, value, err);
    if (st == OK && m->members.count >= BEHIND_PART && m->members.count / 2 >= m->part.most && !keep_least(s))
        return state_memory(m->trace, err);
    return st;
}

/* Adds the element that event `e` accesses, unless it is there already. */
static enum status add_accessed_element(struct seen_elements *s, const struct hs_event *e,
                                        const struct hs_object_state *o, struct error *err)
{
    struct heap_access a;
    enum status st = access_at(s->m->trace, e, &a, err);
    if (st == ERR_NOT_FOUND)
        return OK;
    if (st != OK)
        return st;
    if (a.value.seq > s->m->seq || (o->has_length && a.index >= o->length))
        return OK;
    return add_element(s, a.index, &a.value, err);
}

/* Is nothing to be found any more? */
static bool is_complete(struct seen_elements *s, const struct hs_object_state *o)
{
    const uint64_t from = s->m->part.from, left = o->has_length && o->length > from ? o->length - from : 0;
    if (o->has_length && s->indices.count >= left)
        return true;
    if (s->in_part < s->m->part.most || (s->m->part.most > 0 && s->more++ < BEHIND_PART))
        return false;
    return s->m->cut = true;
}

/* `made`: what multianewarray stored in the array, by index. */
static enum status collect_elements(struct answer_members *m, const event_vec *made, const struct hs_object_state *o,
                                    struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_STORE, EVENT_ARRAY_LOAD };
    struct walk w;
    struct hs_event e;
    struct seen_elements seen = { .m = m, .end = UINT64_MAX };
    enum status st = OK;
    walk_open_types(&w, m->trace, types, 2, m->id, UINT64_MAX);
    walk_seek_after(&w, m->seq);
    while (!is_complete(&seen, o) && walk_previous(&w, &e)) {
        st = add_accessed_element(&seen, &e, o, err);
        if (st != OK)
            goto out;
    }
    st = walk_status(&w, err);
    if (st != OK)
        goto out;
    for (size_t i = 0; i < made->count && made->items[i].seq <= m->seq; i++) {
        st = add_element(&seen, i, &made->items[i], err);
        if (st != OK)
            goto out;
    }
    if (m->cut && m->members.count > m->part.most && !keep_least(&seen))
        st = state_memory(m->trace, err);
out:
    (void)walk_close(&w, NULL);
    map_free(&seen.indices);
    return st;
}

/* `nested`: its elements are arrays. */
static enum status find_elements(struct answer_members *m, bool nested, struct hs_object_state *out, struct error *err)
{
    event_vec made = { 0 };
    enum status st = nested ? multi_elements(m->trace, m->id, &made, err) : OK;
    if (st != OK)
        goto out;
    if (!out->has_length && made.count > 0) {
        out->has_length = true;
        out->length = made.count;
    }
    st = collect_elements(m, &made, out, err);
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_index);
out:
    vec_free(&made);
    return st;
}

/* ---- what nothing has written ---- */

/* The kind of a value, by its type as in Java source. */
static char kind_of_type(const char *type)
{
    static const struct {
        const char *name;
        char kind;
    } kinds[] = { { "boolean", 'Z' }, { "byte", 'B' }, { "char", 'C' },  { "short", 'S' },
                  { "int", 'I' },     { "long", 'J' }, { "float", 'F' }, { "double", 'D' } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, type) == 0)
            return kinds[i].kind;
    return HS_KIND_REF;
}

static enum status add_default(struct answer_members *m, const char *name, uint64_t index, char kind,
                               const struct hs_event *made, struct error *err)
{
    struct hs_event e = *made;
    e.kind = kind;
    e.value = 0;
    enum status st = add_member(m, name, index, &e, err);
    if (st == OK) {
        m->members.items[m->members.count - 1].made.is_default = true;
        m->members.items[m->members.count - 1].event = *made;
    }
    return st;
}

/* The fields that its classes declare. A class that is not woven ends it: its own code may write those above. */
static enum status add_default_fields(struct answer_members *m, const struct hs_object *o, const struct hs_event *made,
                                      struct error *err)
{
    const struct hs_type *type = o != NULL ? hs_type_get(m->trace, o->class_id) : NULL;
    const struct lineage *c = type != NULL ? lineage_of(m->trace, type->name, type->loader) : NULL;
    enum status st = OK;
    for (bool unknown; c != NULL && c->woven; c = lineage_super(m->trace, c, &unknown))
        for (size_t i = 0; st == OK && i < c->field_count; i++) {
            const struct hs_field *d = &c->fields[i];
            const struct field f = { c->name, d->name, d->type, d->is_static, d->is_final };
            const char *name = d->is_static ? NULL : full_name(m, f);
            if (d->is_static || known_field(m, name) || !default_of_field(m->trace, f))
                continue;
            st = name != NULL ? add_default(m, name, 0, kind_of_type(d->type), made, err) : state_memory(m->trace, err);
        }
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_name);
    return st;
}

/* Of a whole array not all of them: it may be large, and few of them written. */
enum { DEFAULTS_MOST = 1 << 16 };

static enum status add_default_elements(struct answer_members *m, const char *type, struct hs_object_state *o,
                                        const struct hs_event *made, struct error *err)
{
    char element[16];
    const size_t size = strlen(type), known = m->members.count;
    (void)snprintf(element, sizeof element, "%.*s", size > 2 && size < sizeof element ? (int)size - 2 : 0, type);
    const char kind = kind_of_type(element);
    if (!o->has_length || !default_of_elements(m->trace, kind))
        return OK;
    o->all_known = true;
    uint64_t most = m->part.most < UINT64_MAX ? m->part.most : DEFAULTS_MOST;
    size_t at = 0;
    enum status st = OK;
    for (uint64_t i = m->part.from; st == OK && most > 0 && i < o->length; i++) {
        while (at < known && m->members.items[at].made.index < i)
            at++;
        const bool written = at < known && m->members.items[at].made.index == i;
        if (!written)
            st = add_default(m, NULL, i, kind, made, err);
        most -= !written || m->part.most < UINT64_MAX;
        m->cut |= most == 0 && i + 1 < o->length;
    }
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_index);
    if (m->members.count > m->part.most)
        m->members.count = (size_t)m->part.most;
    return st;
}

/* ---- the object ---- */

enum shape { NO_ARRAY, ARRAY, ARRAY_OF_ARRAYS };

/* An object of unknown type, as after its row was dropped, is an array if one of its elements was accessed. */
static enum status find_shape(hs_trace *t, uint32_t id, const struct hs_object *o, enum shape *out, struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_STORE, EVENT_ARRAY_LOAD };
    struct walk w;
    struct hs_event e;
    *out = NO_ARRAY;
    if (o != NULL && o->type != NULL) {
        if (strchr(o->type, '[') != NULL)
            *out = strstr(o->type, "[][]") != NULL ? ARRAY_OF_ARRAYS : ARRAY;
        return OK;
    }
    walk_open_types(&w, t, types, 2, id, UINT64_MAX);
    if (walk_next(&w, &e))
        *out = ARRAY;
    return walk_close(&w, err);
}

static enum status find_life(hs_trace *t, uint32_t id, uint64_t *first, uint64_t *last, struct error *err)
{
    struct walk w;
    struct hs_event e;
    walk_open_object(&w, t, id);
    if (walk_next(&w, &e))
        *first = e.seq;
    walk_seek_after(&w, UINT64_MAX);
    if (walk_previous(&w, &e))
        *last = e.seq;
    return walk_close(&w, err);
}

int hs_life_get(hs_trace *t, uint32_t id, const struct hs_life **life, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "life");
    struct error err = { 0 };
    struct last_answers *last = state_last(t);
    if (last == NULL) {
        (void)state_memory(t, &err);
        return give(error, &err);
    }
    if (id == 0)
        return 0; /* null */
    index_wish(t);
    last->life = (struct hs_life){ id, HS_NO_SEQ, HS_NO_SEQ };
    if (find_life(t, id, &last->life.first, &last->life.last, &err) != OK)
        return give(error, &err);
    if (last->life.first == HS_NO_SEQ)
        return 0;
    *life = &last->life;
    return 1;
}

/* Has this final field its value for good? Its object was created by woven code, and what is known is from after that
 * or was written by a constructor of its class. (Reflection can write it nevertheless.) */
static bool is_settled(const struct answer_members *m, const struct found_member *f, uint64_t created)
{
    const struct hs_dataid *d = hs_dataid_get(m->trace, f->event.dataid);
    if (f->made.name == NULL || d == NULL || created == HS_NO_SEQ || created > m->seq)
        return false;
    bool written =
        d->event == EVENT_PUT_INSTANCE_FIELD_VALUE || d->event == EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION;
    return (written || f->event.seq > created) && sites_field(m->trace, f->event.dataid).is_final;
}

/* What may have written the member since its event was recorded. An array's elements have the same answer: `all`. */
static enum status find_missing(struct answer_members *m, const struct found_member *f, struct left_out *all,
                                struct error *err)
{
    struct location l;
    u32_vec marks = { 0 };
    if (f->made.name == NULL && all->until != UNKNOWN_SEQ)
        return OK;
    enum status st = f->made.name != NULL
                         ? location_of_field(m->trace, m->id, sites_field(m->trace, f->event.dataid), &l, err)
                         : location_of_element(m->trace, m->id, f->made.index, &l, err);
    if (st == OK)
        st = left_out_marks(m->trace, &l.ids, &marks, err);
    if (st == OK)
        st = left_out_before(m->trace, &marks, m->seq < UINT64_MAX ? m->seq + 1 : m->seq, all, err);
    location_done(&l);
    vec_free(&marks);
    return st;
}

/* Drops the members that events which are not recorded may have written since. */
static enum status drop_left_out(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    struct left_out missing = { .until = UNKNOWN_SEQ };
    size_t kept = 0;
    if (!left_out_any(m->trace))
        return OK;
    for (size_t i = 0; i < m->members.count; i++) {
        struct found_member *f = &m->members.items[i];
        enum status st = is_settled(m, f, out->created) ? ERR_NOT_FOUND : find_missing(m, f, &missing, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        if (st == ERR_NOT_FOUND || f->event.seq >= missing.until) {
            m->members.items[kept++] = *f;
            continue;
        }
        out->left_out++;
        out->left_out_count = missing.mark.value;
    }
    m->members.count = kept;
    return OK;
}

/* Adds the members that nothing has written, where that is certain. */
static enum status find_defaults(struct answer_members *m, enum shape shape, const struct hs_event *created,
                                 struct hs_object_state *out, struct error *err)
{
    struct hs_event made;
    enum status st = OK;
    bool hold = false;
    if (out->left_out > 0 || out->first == HS_NO_SEQ)
        return OK;
    if (created != NULL)
        made = *created;
    else
        st = default_since(m->trace, m->id, &made, err);
    if (st == OK)
        st = defaults_hold(m->trace, m->id, &made, out->first, m->seq, &hold, err);
    const struct hs_object *o = st == OK && hold ? hs_object_get(m->trace, m->id) : NULL;
    if (o == NULL || o->type == NULL)
        return st == ERR_NOT_FOUND ? OK : st;
    return shape == NO_ARRAY ? add_default_fields(m, o, &made, err) : add_default_elements(m, o->type, out, &made, err);
}

/* Marks the members that unwoven code may have written since. */
static enum status find_handover(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    struct hs_handover *handed = arena_get(m->arena, sizeof *handed);
    if (handed == NULL)
        return state_memory(m->trace, err);
    enum status st = handover_last(m->trace, m->id, 0, m->seq, handed, err);
    if (st != OK || handed->seq == HS_NO_SEQ)
        return st;
    out->handed = handed;
    for (size_t i = 0; i < m->members.count; i++) {
        struct found_member *f = &m->members.items[i];
        f->made.stale = f->event.seq < handed->seq && !is_settled(m, f, out->created);
    }
    return OK;
}

/* Marks the members that may have been written while recording was stopped. */
static enum status find_stop(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    enum status st = period_begin_at(m->trace, m->seq, &out->resumed, err);
    for (size_t i = 0; st == OK && out->resumed > 0 && i < m->members.count; i++) {
        struct found_member *f = &m->members.items[i];
        f->made.unrecorded = f->event.seq < out->resumed && !is_settled(m, f, out->created);
    }
    return st;
}

static enum status find_members(struct answer_members *m, enum shape shape, const struct hs_event *created,
                                struct hs_object_state *out, struct error *err)
{
    if (shape == NO_ARRAY)
        return find_fields(m, err);
    enum status st = array_length_from(m->trace, m->id, created, &out->has_length, &out->length, err);
    if (st != OK)
        return st;
    return find_elements(m, shape == ARRAY_OF_ARRAYS, out, err);
}

/* The members move from the vector to the answer's memory. */
static enum status keep_members(const struct answer_members *m, enum shape shape, struct hs_object_state *out,
                                struct error *err)
{
    size_t n = m->members.count;
    struct found_member *kept = arena_array(m->arena, n, sizeof *kept);
    if (kept == NULL)
        return state_memory(m->trace, err);
    for (size_t i = 0; i < n; i++) {
        kept[i] = m->members.items[i];
        kept[i].made.event = &kept[i].event;
    }
    const struct hs_member *const *list = pointers_to(m->arena, kept, sizeof *kept, n);
    if (list == NULL)
        return state_memory(m->trace, err);
    out->is_part = m->cut;
    if (shape != NO_ARRAY) {
        out->elements = list;
        out->element_count = n;
    } else {
        out->fields = list;
        out->field_count = n;
    }
    return OK;
}

static enum status read_life(hs_trace *t, uint32_t id, struct object_life *out, struct error *err)
{
    struct object_life l = { .id = id, .first = HS_NO_SEQ, .last = HS_NO_SEQ }, *known = state_life(t, id);
    if (known == NULL)
        return state_memory(t, err);
    if (known->id == id) {
        *out = *known;
        return OK;
    }
    enum status st = find_life(t, id, &l.first, &l.last, err);
    if (st == OK && l.first != HS_NO_SEQ) {
        st = creation_of(t, id, &l.created, err);
        l.made = st == OK;
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    if (st == OK)
        *out = *known = l;
    return st;
}

static enum status make_object(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    const struct hs_object *o = hs_object_get(m->trace, m->id); /* until the next object */
    enum shape shape;
    *out = (struct hs_object_state){ .id = m->id, .created = HS_NO_SEQ, .first = HS_NO_SEQ, .last = HS_NO_SEQ };
    if (!find_types(m, o))
        return state_memory(m->trace, err);
    enum status st = find_shape(m->trace, m->id, o, &shape, err);
    struct object_life life;
    if (st == OK)
        st = read_life(m->trace, m->id, &life, err);
    if (st != OK)
        return st;
    out->first = life.first;
    out->last = life.last;
    if (out->first == HS_NO_SEQ)
        return st;
    if (life.made) {
        out->created = life.created.seq;
        out->created_dataid = life.created.dataid;
    }
    st = find_members(m, shape, life.made ? &life.created : NULL, out, err);
    if (st != OK)
        return st;
    st = drop_left_out(m, out, err);
    if (st != OK)
        return st;
    st = find_handover(m, out, err);
    if (st == OK)
        st = find_stop(m, out, err);
    if (st == OK)
        st = find_defaults(m, shape, life.made ? &life.created : NULL, out, err);
    if (st != OK)
        return st;
    return keep_members(m, shape, out, err);
}

enum status object_state(hs_trace *t, struct arena *arena, uint32_t id, uint64_t seq, struct part part,
                         const struct hs_object_state **state, struct error *err)
{
    struct answer_members m = { .trace = t, .arena = arena, .id = id, .seq = seq, .part = part };
    struct hs_object_state *out = arena_get(arena, sizeof *out);
    if (out == NULL)
        return state_memory(t, err);
    enum status st;
    if (id == 0)
        st = error_set(err, ERR_NOT_FOUND, "%s: there is no object 0: the id 0 is the null reference", t->dir);
    else
        st = make_object(&m, out, err);
    if (st == OK && out->first == HS_NO_SEQ && hs_object_get(t, id) == NULL)
        st = error_set(err, ERR_NOT_FOUND, "%s: there is no object %u%s", t->dir, id,
                       hs_info(t, "dropped") != NULL ? " in what was not dropped" : "");
    vec_free(&m.members);
    vec_free(&m.types);
    if (st == OK)
        *state = out;
    return st;
}

int hs_object_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_object_state **state,
                 struct hs_error *error)
{
    return hs_object_part_at(trace, id, seq, 0, UINT64_MAX, state, error);
}

int hs_object_part_at(hs_trace *trace, uint32_t id, uint64_t seq, uint64_t from, uint64_t most,
                      const struct hs_object_state **state, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "object");
    struct error err = { 0 };
    struct arena *arena = state_answer(trace, ANSWER_OBJECT);
    if (arena == NULL) {
        (void)state_memory(trace, &err);
        return give(error, &err);
    }
    index_wish(trace);
    return object_state(trace, arena, id, seq, (struct part){ from, most }, state, &err) == OK ? 0 : give(error, &err);
}
