/* fields.c - see code.h. */
#include "formats/mutf8.h"
#include "formats/search.h"
#include "reader/code/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { DEPTH_MAX = 1000 };

/* A class; its class file is read on first use. */
struct lineage_entry {
    struct lineage lineage; /* the first member: entry_of finds the other by it */
    uint64_t hash;          /* of the name */
    uint64_t walk;          /* the last walk that was here */
    uint16_t above;         /* its superclasses, as far as they were counted */
    bool read;
    bool cut; /* its superclass is not followed: see cut_chains */
};
struct lineages {
    VEC(struct lineage_entry) entries; /* by hash, name, loader; woven classes first */
    VEC(const char *) faults;          /* sentences: what cut_chains found */
    uint64_t walk;                     /* number of the last one */
};

static struct lineage_entry *entry_of(const struct lineage *l) { return (struct lineage_entry *)(uintptr_t)l; }

static uint64_t hash_of(const char *name) { return XXH64(name, strlen(name), 0); }

/* ---- reading ---- */

static const char *source_type(hs_trace *t, struct text desc)
{
    struct writer w = { 0 };
    bool ok = descriptor_to_source(desc.data, desc.size, &w) == desc.size && !w.bad;
    if (w.bad)
        trace_no_memory(t);
    const char *type = trace_text(t, ok ? (struct text){ (const char *)w.data, w.size } : desc, false);
    writer_free(&w);
    return type;
}

/* A text of a class file, Modified UTF-8 there; NULL: out of memory (trace_no_memory). */
static const char *kept_text(hs_trace *t, struct text s, bool dots)
{
    struct writer w = { 0 };
    (void)mutf8_to_utf8(s.data, s.size, &w);
    if (w.bad)
        trace_no_memory(t);
    const char *text = w.bad ? NULL : trace_text(t, (struct text){ (const char *)w.data, w.size }, dots);
    writer_free(&w);
    return text;
}

static const char *class_file_text(hs_trace *t, const struct classfile *cf, uint32_t index)
{
    struct text s;
    return cpool_utf8(&cf->cp, index, &s) ? kept_text(t, s, false) : NULL;
}

static const char *class_file_class(hs_trace *t, const struct classfile *cf, uint32_t index)
{
    struct text s;
    return index != 0 && cpool_class(&cf->cp, index, &s) ? kept_text(t, s, true) : "";
}

/* False: a name or a descriptor in it is malformed, or there is no memory (trace_no_memory). */
static bool read_class_file(hs_trace *t, struct lineage *l, const struct classfile *cf)
{
    struct hs_field *fields = arena_array(&t->arena, cf->fields.count, sizeof *fields);
    const char **interfaces = arena_array(&t->arena, cf->interface_count, sizeof *interfaces);
    if (fields == NULL || interfaces == NULL) {
        trace_no_memory(t);
        return false;
    }
    for (uint16_t i = 0; i < cf->interface_count; i++) {
        uint32_t index = (uint32_t)cf->interfaces[2 * i] << 8 | cf->interfaces[2 * i + 1];
        interfaces[i] = class_file_class(t, cf, index);
        if (interfaces[i] == NULL)
            return false;
    }
    for (size_t i = 0; i < cf->fields.count; i++) {
        const struct member *m = &cf->fields.items[i];
        const char *desc = class_file_text(t, cf, m->desc);
        fields[i] = (struct hs_field){ .name = class_file_text(t, cf, m->name),
                                       .is_static = (m->access & ACC_STATIC) != 0,
                                       .is_final = (m->access & ACC_FINAL) != 0 };
        if (desc != NULL)
            fields[i].type = source_type(t, (struct text){ desc, strlen(desc) });
        if (fields[i].name == NULL || fields[i].type == NULL)
            return false;
    }
    l->fields = fields;
    l->field_count = cf->fields.count;
    l->interfaces = interfaces;
    l->interface_count = cf->interface_count;
    return true;
}

/* False: out of memory. */
static bool read_hierarchy_row(hs_trace *t, struct lineage *l, const struct hierarchy_row *row)
{
    struct hs_field *fields = arena_array(&t->arena, row->fields.count, sizeof *fields);
    const char **interfaces = arena_array(&t->arena, row->interfaces.count, sizeof *interfaces);
    if (fields == NULL || interfaces == NULL)
        return false;
    *l = (struct lineage){ .name = trace_text(t, row->name, false),
                           .super = trace_text(t, row->super, false),
                           .loader = row->loader,
                           .known = true,
                           .interfaces = interfaces,
                           .fields = fields,
                           .interface_count = row->interfaces.count,
                           .field_count = row->fields.count };
    if (l->name == NULL || l->super == NULL)
        return false;
    for (size_t i = 0; i < row->interfaces.count; i++) {
        interfaces[i] = trace_text(t, row->interfaces.items[i], false);
        if (interfaces[i] == NULL)
            return false;
    }
    for (size_t i = 0; i < row->fields.count; i++) {
        const struct hierarchy_field *f = &row->fields.items[i];
        fields[i] = (struct hs_field){ .name = trace_text(t, f->name, false),
                                       .type = source_type(t, f->desc),
                                       .is_static = (f->access & ACC_STATIC) != 0 };
        if (fields[i].name == NULL || fields[i].type == NULL)
            return false;
    }
    return true;
}

static enum status add_row(hs_trace *t, struct lineages *all, const struct hierarchy_row *row, struct error *err)
{
    struct lineage_entry e = { .read = true };
    if (read_hierarchy_row(t, &e.lineage, row)) {
        struct lineage_entry *to = vec_push(&all->entries);
        if (to != NULL) {
            *to = e;
            return OK;
        }
    }
    return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}

struct loading {
    hs_trace *trace;
    struct lineages *all;
};

static enum status load_row(void *context, struct text key, struct text value, struct error *err)
{
    const struct loading *loading = context;
    hs_trace *t = loading->trace;
    struct hierarchy_row row;
    struct error why;
    (void)key;
    if (hierarchy_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    enum status st = add_row(t, loading->all, &row, err);
    hierarchy_row_done(&row);
    return st;
}

static int by_name(const struct lineage_entry *x, const struct lineage_entry *y)
{
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return strcmp(x->lineage.name, y->lineage.name);
}

static int by_name_and_loader(const void *a, const void *b)
{
    const struct lineage_entry *x = a, *y = b;
    int names = by_name(x, y);
    if (names != 0)
        return names;
    if (x->lineage.loader != y->lineage.loader)
        return x->lineage.loader < y->lineage.loader ? -1 : 1;
    if (x->lineage.row == y->lineage.row)
        return 0;
    if (x->lineage.row == NULL || y->lineage.row == NULL) /* woven classes first */
        return x->lineage.row == NULL ? 1 : -1;
    return x->lineage.row < y->lineage.row ? -1 : 1;
}

static enum status load_rows(hs_trace *t, struct lineages *all, struct error *err)
{
    struct loading loading = { t, all };
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_each(&t->env, DB_HIERARCHY, load_row, &loading, err);
    env_end(&t->env);
    return st;
}

/* The class of that name and loader; else that of the boot loader, or of the loader that came first. */
static struct lineage_entry *find_entry(const struct lineages *all, const char *name, uint64_t loader)
{
    const struct lineage_entry *items = all->entries.items,
                               want = { .lineage = { .name = name }, .hash = hash_of(name) };
    size_t first, own;
    LOWER_BOUND(first, all->entries.count, by_name(&items[first], &want) < 0);
    if (first == all->entries.count || by_name(&items[first], &want) != 0)
        return NULL;
    LOWER_BOUND(own, all->entries.count,
                by_name(&items[own], &want) < 0 ||
                    (by_name(&items[own], &want) == 0 && items[own].lineage.loader < loader));
    bool found = own < all->entries.count && by_name(&items[own], &want) == 0 && items[own].lineage.loader == loader;
    return &all->entries.items[found ? own : first];
}

static struct lineage_entry *super_entry(const struct lineages *all, const struct lineage *l)
{
    bool none = l->super[0] == '\0' || strcmp(l->super, "java.lang.Object") == 0;
    return none ? NULL : find_entry(all, l->super, l->loader);
}

/* ---- what no class loader makes ----
 *
 * Chains of superclasses are looked at once, when the classes are loaded: one that comes back to itself, or has more
 * than DEPTH_MAX classes, is cut there, and every walk along it ends. */

static bool add_fault(hs_trace *t, struct lineages *all, const char *sentence)
{
    struct error why;
    const char **to = vec_push(&all->faults);
    if (to == NULL || (*to = trace_text(t, (struct text){ sentence, strlen(sentence) }, false)) == NULL)
        return false;
    (void)error_set(&why, ERR_FORMAT, "%s: %s", t->dir, *to);
    trace_damaged(t, &why);
    return true;
}

/* "class A is its own superclass: A, B, A" */
static bool add_circle(hs_trace *t, struct lineages *all, struct lineage_entry *const *circle, size_t count)
{
    char text[500];
    size_t at = 0, shown = count < 3 ? count : 3;
    at = (size_t)snprintf(text, sizeof text, "class %.90s is its own superclass:", circle[0]->lineage.name);
    for (size_t i = 0; i < shown; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, " %.90s,", circle[i]->lineage.name);
    (void)snprintf(text + at, sizeof text - at, "%s %.90s", shown < count ? " ...," : "", circle[0]->lineage.name);
    return add_fault(t, all, text);
}

static bool cut_chains(hs_trace *t, struct lineages *all)
{
    VEC(struct lineage_entry *) path = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < all->entries.count; i++) {
        struct lineage_entry *e = &all->entries.items[i], **to;
        path.count = 0;
        for (all->walk++; ok && e != NULL && e->walk == 0; e = super_entry(all, &e->lineage)) {
            e->walk = all->walk;
            if ((ok = (to = vec_push(&path)) != NULL))
                *to = e;
        }
        unsigned above = e != NULL ? e->above + 1u : 0;
        if (ok && path.count > 0 && e != NULL && e->walk == all->walk) {
            size_t first = 0;
            while (path.items[first] != e)
                first++;
            path.items[path.count - 1]->cut = true;
            above = 0;
            ok = add_circle(t, all, path.items + first, path.count - first);
        }
        for (size_t k = path.count; ok && k-- > 0; above++) {
            if (above > DEPTH_MAX) {
                char text[200];
                path.items[k]->cut = true;
                above = 0;
                (void)snprintf(text, sizeof text, "class %.90s has more than %d superclasses above each other",
                               path.items[k]->lineage.name, DEPTH_MAX);
                ok = add_fault(t, all, text);
            }
            path.items[k]->above = (uint16_t)above;
        }
    }
    vec_free(&path);
    return ok;
}

static enum status load_lineages(hs_trace *t, struct lineages *all, struct error *err)
{
    enum status st = load_rows(t, all, err);
    if (st != OK)
        return st;
    for (size_t i = 0; i < class_rows(t); i++) {
        const struct hs_class *c = class_at(t, i);
        if (c->state != HS_CLASS_WOVEN)
            continue;
        struct lineage_entry *e = vec_push(&all->entries);
        if (e == NULL)
            return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
        *e = (struct lineage_entry){ .lineage = {
                                         .name = c->name, .super = c->super, .loader = c->loader_id, .row = c } };
    }
    for (size_t i = 0; i < all->entries.count; i++)
        all->entries.items[i].hash = hash_of(all->entries.items[i].lineage.name);
    if (all->entries.count > 1)
        qsort(all->entries.items, all->entries.count, sizeof *all->entries.items, by_name_and_loader);
    return cut_chains(t, all) ? OK : error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}

static void lineages_free(void *what)
{
    struct lineages *all = what;
    vec_free(&all->entries);
    vec_free(&all->faults);
    free(all);
}

static struct lineages *lineages_get(hs_trace *t)
{
    struct error err = { 0 };
    struct lineages *all = trace_attached(t, ATTACHED_LINEAGES);
    if (all != NULL)
        return all;
    all = calloc(1, sizeof *all);
    if (all == NULL) {
        trace_no_memory(t);
        return NULL;
    }
    trace_attach(t, ATTACHED_LINEAGES, all, lineages_free);
    if (load_lineages(t, all, &err) != OK) {
        trace_damaged(t, &err);
        all->entries.count = 0;
    }
    return all;
}

/* ---- finding ---- */

static const struct lineage *read_entry(hs_trace *t, struct lineage_entry *e)
{
    if (!e->read) {
        const struct classfile *cf = class_file(t, e->lineage.row, NULL);
        e->read = true;
        e->lineage.known = cf != NULL && read_class_file(t, &e->lineage, cf);
        e->lineage.woven = e->lineage.known;
    }
    return &e->lineage;
}

/* The classes of one name: *count of them at the result. */
static struct lineage_entry *entries_named(hs_trace *t, const char *name, size_t *count)
{
    struct lineages *all = lineages_get(t);
    uint64_t hash = hash_of(name);
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
    struct lineage_entry *e = all != NULL ? find_entry(all, name, loader) : NULL;
    return e != NULL ? read_entry(t, e) : NULL;
}

const struct lineage *lineage_at(hs_trace *t, size_t position)
{
    struct lineages *all = lineages_get(t);
    return all != NULL && position < all->entries.count ? read_entry(t, &all->entries.items[position]) : NULL;
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
        if (!c->known || depth == DEPTH_MAX) {
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
    for (; c != NULL && c->known && depth < DEPTH_MAX; c = lineage_super(s->trace, c, &unknown)) {
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
        const struct lineage *c = read_entry(t, &all[i]);
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
