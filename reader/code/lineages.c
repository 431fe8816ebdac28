/* lineages.c - see lineages.h. */
#include "reader/code/lineages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "formats/mutf8.h"
#include "formats/search.h"

uint64_t lineage_hash(const char *name) { return XXH64(name, strlen(name), 0); }

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
    return error_memory(err, "%s", t->dir);
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

struct lineage_entry *lineages_find(const struct lineages *all, const char *name, uint64_t loader)
{
    const struct lineage_entry *items = all->entries.items,
                               want = { .lineage = { .name = name }, .hash = lineage_hash(name) };
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
    return none ? NULL : lineages_find(all, l->super, l->loader);
}

/* ---- what no class loader makes ----
 *
 * Chains of superclasses are looked at once, when the classes are loaded: one that comes back to itself, or has more
 * than LINEAGE_DEPTH_MAX classes, is cut there, and every walk along it ends. */

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
            if (above > LINEAGE_DEPTH_MAX) {
                char text[200];
                path.items[k]->cut = true;
                above = 0;
                (void)snprintf(text, sizeof text, "class %.90s has more than %d superclasses above each other",
                               path.items[k]->lineage.name, LINEAGE_DEPTH_MAX);
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
            return error_memory(err, "%s", t->dir);
        *e = (struct lineage_entry){ .lineage = {
                                         .name = c->name, .super = c->super, .loader = c->loader_id, .row = c } };
    }
    for (size_t i = 0; i < all->entries.count; i++)
        all->entries.items[i].hash = lineage_hash(all->entries.items[i].lineage.name);
    if (all->entries.count > 1)
        qsort(all->entries.items, all->entries.count, sizeof *all->entries.items, by_name_and_loader);
    return cut_chains(t, all) ? OK : error_memory(err, "%s", t->dir);
}

static void lineages_free(void *what)
{
    struct lineages *all = what;
    vec_free(&all->entries);
    vec_free(&all->faults);
    free(all);
}

struct lineages *lineages_get(hs_trace *t)
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

const struct lineage *lineage_read(hs_trace *t, struct lineage_entry *e)
{
    if (!e->read) {
        const struct classfile *cf = class_file(t, e->lineage.row, NULL);
        e->read = true;
        e->lineage.known = cf != NULL && read_class_file(t, &e->lineage, cf);
        e->lineage.woven = e->lineage.known;
    }
    return &e->lineage;
}
