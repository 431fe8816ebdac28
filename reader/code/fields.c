/* fields.c - see code.h: classes and fields by name, what is above a class. */
#include "formats/search.h"
#include "reader/code/lineages.h"

#include <string.h>

static struct lineage_entry *entry_of(const struct lineage *l) { return (struct lineage_entry *)(uintptr_t)l; }

/* ---- finding ---- */

/* The classes of one name: *count of them at the result. */
static struct lineage_entry *entries_named(hs_trace *t, const char *name, size_t *count)
{
    struct lineages *all = lineages_get(t);
    uint64_t hash = lineage_hash(name);
    size_t low;
    *count = 0;
    if (all == NULL)
        return NULL;
    LOWER_BOUND(low, all->entries.count, all->entries.items[low].hash < hash);
    while (low + *count < all->entries.count && all->entries.items[low + *count].hash == hash &&
           strcmp(all->entries.items[low + *count].lineage.name, name) == 0)
        ++*count;
    return *count > 0 ? &all->entries.items[low] : NULL;
}

const struct lineage *lineage_of(hs_trace *t, const char *name, uint64_t loader)
{
    const struct lineages *all = lineages_get(t);
    struct lineage_entry *e = all != NULL ? lineages_find(all, name, loader) : NULL;
    return e != NULL ? lineage_read(t, e) : NULL;
}

const struct lineage *lineage_at(hs_trace *t, size_t position)
{
    struct lineages *all = lineages_get(t);
    return all != NULL && position < all->entries.count ? lineage_read(t, &all->entries.items[position]) : NULL;
}

size_t lineage_position(hs_trace *t, const struct lineage *c)
{
    return (size_t)(entry_of(c) - lineages_get(t)->entries.items);
}

const char *lineage_name_at(hs_trace *t, size_t position)
{
    struct lineages *all = lineages_get(t);
    return all != NULL && position < all->entries.count ? all->entries.items[position].lineage.name : NULL;
}

const char *lineage_fault(hs_trace *t, size_t number)
{
    const struct lineages *all = lineages_get(t);
    return all != NULL && number < all->faults.count ? all->faults.items[number] : NULL;
}

const struct lineage *lineage_super(hs_trace *t, const struct lineage *c, bool *unknown)
{
    if (!c->known || entry_of(c)->cut) {
        *unknown = true;
        return NULL;
    }
    const char *super = lineage_super_name(c);
    if (super == NULL || strcmp(super, "java.lang.Object") == 0)
        return NULL;
    const struct lineage *above = lineage_of(t, super, c->loader);
    if (above == NULL)
        *unknown = true;
    return above;
}

const char *lineage_super_name(const struct lineage *c)
{
    return c->known && !entry_of(c)->cut && c->super[0] != '\0' ? c->super : NULL;
}

/* ---- classes and interfaces above ---- */

/* Each class once: interfaces meet again. */
struct above_search {
    hs_trace *trace;
    name_matches_fn *matches;
    const void *wanted;
    bool *unknown;
    uint64_t walk;
};

static const char *find_above(const struct above_search *s, const struct lineage *c, unsigned depth)
{
    while (c != NULL && entry_of(c)->walk != s->walk) {
        entry_of(c)->walk = s->walk;
        if (s->matches(s->wanted, c->name))
            return c->name;
        if (!c->known || depth == LINEAGE_DEPTH_MAX) {
            *s->unknown = true;
            return NULL;
        }
        for (size_t i = 0; i < c->interface_count; i++) {
            const struct lineage *above = lineage_of(s->trace, c->interfaces[i], c->loader);
            const char *found = above != NULL                             ? find_above(s, above, depth + 1)
                                : s->matches(s->wanted, c->interfaces[i]) ? c->interfaces[i]
                                                                          : NULL;
            *s->unknown |= above == NULL;
            if (found != NULL)
                return found;
        }
        const char *super = lineage_super_name(c);
        c = lineage_super(s->trace, c, s->unknown);
        if (c == NULL && super != NULL && s->matches(s->wanted, super))
            return super;
    }
    return NULL;
}

const char *lineage_above(hs_trace *t, const struct lineage *c, name_matches_fn *matches, const void *wanted,
                          bool *unknown)
{
    struct lineages *all = lineages_get(t);
    *unknown |= all == NULL || c == NULL;
    return all != NULL ? find_above(&(struct above_search){ t, matches, wanted, unknown, ++all->walk }, c, 0) : NULL;
}

/* ---- fields ---- */

struct field_search {
    hs_trace *trace;
    const char *name, *type; /* NULL: of any type */
    uint64_t walk;
};

static bool find_declared(const struct field_search *s, const struct lineage *c, unsigned depth, struct field *out)
{
    bool unknown;
    for (; c != NULL && c->known && depth < LINEAGE_DEPTH_MAX; c = lineage_super(s->trace, c, &unknown)) {
        if (entry_of(c)->walk == s->walk)
            return false;
        entry_of(c)->walk = s->walk;
        for (size_t i = 0; i < c->field_count; i++)
            if (strcmp(c->fields[i].name, s->name) == 0 &&
                (s->type == NULL || strcmp(c->fields[i].type, s->type) == 0)) {
                const struct hs_field *f = &c->fields[i];
                *out = (struct field){ c->name, f->name, f->type, f->is_static, f->is_final, c->loader };
                return true;
            }
        for (size_t i = 0; i < c->interface_count; i++)
            if (find_declared(s, lineage_of(s->trace, c->interfaces[i], c->loader), depth + 1, out))
                return true;
    }
    return false;
}

static bool find_from(hs_trace *t, const struct lineage *c, const char *name, const char *type, struct field *out)
{
    struct lineages *all = lineages_get(t);
    return all != NULL && find_declared(&(struct field_search){ t, name, type, ++all->walk }, c, 0, out);
}

bool field_find(hs_trace *t, const char *owner, const char *name, const char *type, uint64_t loader, struct field *out)
{
    *out = (struct field){ .declaring = owner, .name = name, .type = type != NULL ? type : "", .loader = loader };
    return find_from(t, lineage_of(t, owner, loader), name, type, out);
}

bool field_find_in(hs_trace *t, const struct lineage *c, const char *name, const char *type, struct field *out)
{
    return find_from(t, c, name, type, out);
}

bool field_overloaded(hs_trace *t, struct field f)
{
    size_t count;
    struct lineage_entry *all = entries_named(t, f.declaring, &count);
    for (size_t i = 0; i < count; i++) {
        const struct lineage *c = lineage_read(t, &all[i]);
        for (size_t k = 0; k < c->field_count; k++)
            if (strcmp(c->fields[k].name, f.name) == 0 && strcmp(c->fields[k].type, f.type) != 0)
                return true;
    }
    return false;
}

const struct hs_field *hs_field_get(hs_trace *t, const char *class_name, uint64_t loader, size_t number)
{
    const struct lineage *c = lineage_of(t, class_name, loader);
    return c != NULL && c->woven && number < c->field_count ? &c->fields[number] : NULL;
}
