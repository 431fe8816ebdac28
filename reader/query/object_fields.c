/* object_fields.c - the fields of an object at a moment, as recorded writes and reads show them.
 *
 * One walk backwards over the accesses of the object; a field that has been seen is taken out of the filter, so that
 * the index leads to the chunks of the others only. What was written before any event could show the object
 * (creation.h) comes last. */
#include "reader/expression/expression.h"
#include "reader/query/access.h"
#include "reader/query/creation.h"
#include "reader/query/defaults.h"
#include "reader/query/kept_fields.h"
#include "reader/query/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fields_types(struct answer_members *m, const struct hs_object *o)
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

bool fields_have_type(const struct answer_members *m, uint64_t name)
{
    for (size_t i = 0; i < m->types.count; i++)
        if (m->types.items[i] == name)
            return true;
    return m->types.count == 0; /* the class hierarchy is not known: any type is possible */
}

static bool is_asked(const struct answer_members *m, uint64_t name) { return m->only == 0 || m->only == name; }

/* Adds the accesses of an event type whose field can be the object's. */
static bool add_sites(struct answer_members *m, unsigned event, u32_vec *out)
{
    const site_vec *sites = sites_of(m->trace, event);
    for (size_t i = 0; i < sites->count; i++) {
        if (sites->items[i].owner == 0 || !fields_have_type(m, sites->items[i].owner) ||
            !is_asked(m, sites->items[i].name))
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
    bool may = type == NULL || !fields_types(&m, &object), unknown;
    for (const struct lineage *c = type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
         !may && c != NULL && c->woven; c = lineage_super(t, c, &unknown))
        for (size_t i = 0; !may && i < c->field_count; i++)
            may = !c->fields[i].is_static && strcmp(c->fields[i].name, field) == 0;
    for (size_t e = 0; !may && e < sizeof events / sizeof *events; e++) {
        size_t count;
        const struct site *sites = sites_named(t, events[e], field, &count);
        for (size_t i = 0; !may && i < count; i++)
            may = m.types.count > 0 ? fields_have_type(&m, sites[i].owner) : !is_boot_class(t, type, sites[i].dataid);
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

const char *field_full_name(hs_trace *t, struct arena *arena, struct field f)
{
    bool overloaded = field_overloaded(t, f);
    size_t size = strlen(f.declaring) + strlen(f.name) + strlen(f.type) + 3;
    char *name = arena_chars(arena, size);
    if (name != NULL)
        (void)snprintf(name, size, "%s.%s%s%s", f.declaring, f.name, overloaded ? ":" : "", overloaded ? f.type : "");
    return name;
}

static const char *full_name(struct answer_members *m, struct field f)
{
    return field_full_name(m->trace, m->arena, f);
}

/* The index leads to accesses of these fields of the object. */
static void use_index(const struct answer_members *m, hs_cursor *c, const u32_vec *ids)
{
    struct index_key keys[2 * LOCATION_PARTS];
    bool there[LOCATION_PARTS + 1] = { false };
    size_t n = 0;
    for (size_t i = 0; i < ids->count; i++) {
        const uint16_t part = effects_get(m->trace, ids->items[i])->slot;
        if (part == 0 || part > LOCATION_PARTS) /* a row that cannot be read */
            return;
        if (there[part])
            continue;
        there[part] = true;
        keys[n++] = (struct index_key){ SET_WRITTEN, location_key(m->id, part) };
        keys[n++] = (struct index_key){ SET_READ, location_key(m->id, part) };
    }
    cursor_set_keys(c, keys, n);
}

/* Takes the accesses of this field out of the walk and of `ids`. */
static enum status drop_field(struct answer_members *m, hs_cursor *c, u32_vec *ids, struct field f, struct error *err)
{
    u32_vec same = { 0 };
    size_t kept = 0;
    for (size_t i = 0; i < ids->count; i++) {
        const uint32_t id = ids->items[i];
        uint32_t *to = sites_same_field(m->trace, id, f) ? vec_push(&same) : &ids->items[kept++];
        if (to == NULL)
            break;
        *to = id;
    }
    const bool all = kept + same.count == ids->count;
    ids->count = kept;
    cursor_drop_ids(c, same.items, same.count);
    use_index(m, c, ids);
    vec_free(&same);
    return all ? OK : state_memory(m->trace, err);
}

/* Adds the field that event `e` of the walk accesses, unless it is there already. */
static enum status add_accessed_field(struct answer_members *m, const struct hs_event *e, hs_cursor *c, u32_vec *ids,
                                      struct error *err)
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
    st = members_add(m, name, 0, &a.value, err);
    if (st != OK)
        return st;
    return drop_field(m, c, ids, f, err);
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
        st = members_add(m, name, 0, &kept->items[i].value, err);
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

enum status fields_accessed(struct answer_members *m, struct error *err)
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
    m->complete_until = m->seq;
    if (kept != NULL && kept->until > m->seq)
        kept = NULL;
    if (kept == NULL || kept->until < m->seq) {
        walk_open_ids_from(&w, m->trace, &ids, m->id, from, UINT64_MAX);
        if (w.cursor != NULL)
            use_index(m, w.cursor, &ids);
        walk_seek_after(&w, m->seq);
    }
    while (w.cursor != NULL && ids.count > 0 && walk_previous(&w, &e) && e.seq >= from) {
        st = add_accessed_field(m, &e, w.cursor, &ids, err);
        if (st != OK)
            goto out;
    }
    st = w.cursor != NULL ? walk_status(&w, err) : OK;
    if (st == OK)
        st = add_kept(m, kept, err);
    if (st == OK && w.cursor != NULL && m->only == 0)
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
        const struct field f = sites_field(m->trace, put->dataid);
        const char *name = full_name(m, f);
        if (put->seq > m->seq || !is_asked(m, site_hash(f.name, strlen(f.name))) || known_field(m, name))
            continue;
        st = name != NULL ? members_add(m, name, 0, put, err) : state_memory(m->trace, err);
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

enum status fields_find(struct answer_members *m, struct error *err)
{
    enum status st = fields_accessed(m, err);
    if (st != OK)
        return st;
    st = find_early_fields(m, err);
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_name);
    return st;
}

enum status fields_add_defaults(struct answer_members *m, const struct hs_object *o, const struct hs_event *made,
                                struct error *err)
{
    const struct hs_type *type = o != NULL ? hs_type_get(m->trace, o->class_id) : NULL;
    const struct lineage *c = type != NULL ? lineage_of(m->trace, type->name, type->loader) : NULL;
    enum status st = OK;
    for (bool unknown; c != NULL && c->woven; c = lineage_super(m->trace, c, &unknown))
        for (size_t i = 0; st == OK && i < c->field_count; i++) {
            const struct hs_field *d = &c->fields[i];
            const struct field f = { c->name, d->name, d->type, d->is_static, d->is_final, c->loader };
            const char *name = d->is_static ? NULL : full_name(m, f);
            if (d->is_static || !is_asked(m, site_hash(d->name, strlen(d->name))) || known_field(m, name) ||
                !default_of_field(m->trace, f))
                continue;
            st = name != NULL ? members_add_default(m, name, 0, expression_kind_of(d->type), made, err)
                              : state_memory(m->trace, err);
        }
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_name);
    return st;
}
