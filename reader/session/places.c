/* places.c - the data IDs of a line or a method; see places.h. */
#include "reader/session/places.h"

#include <stdlib.h>
#include <string.h>

/* Ends the path with these parts? */
static bool path_ends(const char *path, const char *file)
{
    const size_t size = strlen(file), n = strlen(path);
    if (size == 0 || n < size)
        return false;
    const char *at = path + n - size;
    for (size_t i = 0; i < size; i++)
        if (at[i] != file[i] && !(file[i] == '/' && at[i] == '\\'))
            return false;
    return at == path || at[-1] == '/' || at[-1] == '\\' || at[-1] == '!';
}

/* The path ends with the package and file of the class: /home/a/src/com/acme/Cart.java of com.acme.Cart$Item. */
static bool is_source_of(const struct hs_class *c, const char *path)
{
    size_t name = strlen(c->source_file), n = strlen(path);
    const char *dot = strrchr(c->name, '.');
    size_t package = dot != NULL ? (size_t)(dot - c->name) + 1 : 0;
    if (name == 0 || n < name || memcmp(path + n - name, c->source_file, name) != 0)
        return false;
    if (n < name + package)
        return false;
    const char *at = path + n - name - package;
    for (size_t i = 0; i < package; i++)
        if (at[i] != c->name[i] && !(c->name[i] == '.' && (at[i] == '/' || at[i] == '\\')))
            return false;
    return at == path || at[-1] == '/' || at[-1] == '\\' || at[-1] == '!';
}

/* Is one of the files that its lines are in, beside its source file, at the path? */
static bool has_file(hs_trace *t, const struct hs_class *c, const char *path)
{
    const char *file;
    for (size_t i = 0; (file = source_file_at(t, c, i)) != NULL; i++)
        if (path_ends(path, file))
            return true;
    return false;
}

const char *nav_source_file(struct nav *nav, const struct hs_class *c, size_t number)
{
    return source_file_at(nav->trace, c, number);
}

bool nav_source_matches(struct nav *nav, const struct hs_class *c, const char *path)
{
    return is_source_of(c, path) || has_file(nav->trace, c, path);
}

/* A line of the source at the path? */
static bool is_at_source(const struct hs_class *c, const struct hs_dataid *d, const char *path)
{
    return d->file != NULL ? path_ends(path, d->file) : is_source_of(c, path);
}

bool nav_is_at_source(struct nav *nav, const struct hs_dataid *d, const char *path)
{
    const struct hs_class *c = hs_class_get(nav->trace, d->class_no);
    return c != NULL && is_at_source(c, d, path);
}

typedef bool line_fn(void *context, const struct hs_dataid *d);

/* Calls `each` for the data IDs with a line of the source, or (NULL) of classes; false: it was false once. */
static bool each_line(struct nav *nav, const char *source, const char *glob, line_fn *each, void *context)
{
    hs_trace *t = nav->trace;
    const struct hs_class *c;
    if (!tables_need_classes(t))
        return true;
    for (size_t i = 0; (c = class_at(t, i)) != NULL; i++) {
        if (c->dataid_count == 0 ||
            (source != NULL ? !nav_source_matches(nav, c, source) : !hs_class_matches(glob, c->name)))
            continue;
        for (uint32_t id = c->first_dataid; id - c->first_dataid < c->dataid_count; id++) {
            const struct hs_dataid *d = hs_dataid_get(t, id);
            if (d != NULL && d->line >= 0 && (source == NULL || is_at_source(c, d, source)) && !each(context, d))
                return false;
        }
    }
    return true;
}

/* The first instruction of a line in each method, and in each copy of an inlined one. Where LINE is woven, its
 * LINE_NUMBER. */
struct line_search {
    struct nav *nav;
    const char *methods; /* glob; NULL: all */
    int32_t line;
    bool table_line; /* `line` is one of LineNumberTable */
    u32_vec *ids;
};

/* Is it an event of the instruction at its pc, and one that happens? */
static bool stands_at_pc(const struct hs_dataid *d)
{
    return d->event != EVENT_METHOD_EXCEPTIONAL_EXIT && !event_has(d->event, USE_STATIC_ONLY);
}

/* Are both of a method, and of one copy of what is inlined there? */
static bool same_copy(hs_trace *t, const struct hs_dataid *a, const struct hs_dataid *b)
{
    const struct hs_class *c = hs_class_get(t, a->class_no);
    return a->table_line == b->table_line ||
           (c != NULL && source_line_of(t, c, a->table_line).first == source_line_of(t, c, b->table_line).first);
}

static bool add_line(void *context, const struct hs_dataid *d)
{
    struct line_search *s = context;
    const struct hs_method *m = hs_method_get(s->nav->trace, d->method_id);
    bool lines = m != NULL && (m->groups & 1u << HS_GROUP_LINE) != 0;
    if ((s->table_line ? d->table_line : d->line) != s->line || (lines && d->event != EVENT_LINE_NUMBER) ||
        !stands_at_pc(d) || (s->methods != NULL && (m == NULL || !hs_method_matches(s->methods, m->name, m->desc))))
        return true;
    for (size_t i = s->ids->count; i-- > 0;) { /* those of the method are the last ones */
        uint32_t *other = &s->ids->items[i];
        const struct hs_dataid *have = hs_dataid_get(s->nav->trace, *other);
        if (have == NULL || have->method_id != d->method_id)
            break;
        if (!same_copy(s->nav->trace, have, d))
            continue;
        if (d->pc < have->pc)
            *other = d->dataid;
        return true;
    }
    uint32_t *to = vec_push(s->ids);
    if (to == NULL)
        return false;
    *to = d->dataid;
    return true;
}

bool places_of_line(struct nav *nav, const char *source, const char *glob, int32_t line, u32_vec *ids)
{
    struct line_search s = { nav, NULL, line, source == NULL, ids };
    return each_line(nav, source, glob, add_line, &s);
}

bool places_of_shown_line(struct nav *nav, const char *classes, const char *methods, int32_t line, u32_vec *ids)
{
    struct line_search s = { nav, methods, line, false, ids };
    return each_line(nav, NULL, classes, add_line, &s);
}

bool places_of_pc(struct nav *nav, uint32_t method_id, uint32_t pc, int32_t line, u32_vec *ids)
{
    const struct hs_method *m = hs_method_get(nav->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(nav->trace, m->class_no) : NULL;
    const struct hs_dataid *best = NULL;
    for (uint32_t i = 0; c != NULL && i < c->dataid_count; i++) {
        const struct hs_dataid *d = hs_dataid_get(nav->trace, c->first_dataid + i);
        if (d == NULL || d->method_id != method_id || d->table_line != line || !stands_at_pc(d))
            continue;
        bool behind = d->pc >= pc, best_behind = best != NULL && best->pc >= pc;
        if (best == NULL || (behind ? !best_behind || d->pc < best->pc : !best_behind && d->pc > best->pc))
            best = d;
    }
    uint32_t *to = best != NULL ? vec_push(ids) : NULL;
    if (to != NULL)
        *to = best->dataid;
    return best == NULL || to != NULL;
}

struct line_list {
    u32_vec lines;
};

static bool note_line(void *context, const struct hs_dataid *d)
{
    struct line_list *l = context;
    if (l->lines.count > 0 && l->lines.items[l->lines.count - 1] == (uint32_t)d->line)
        return true;
    uint32_t *to = vec_push(&l->lines);
    if (to == NULL)
        return false;
    *to = (uint32_t)d->line;
    return true;
}

int places_rising(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

enum status nav_lines(struct nav *nav, const char *source, uint32_t **lines, size_t *count, struct error *err)
{
    struct line_list l = { { 0 } };
    size_t n = 0;
    if (!each_line(nav, source, NULL, note_line, &l)) {
        vec_free(&l.lines);
        return nav_memory(nav, err);
    }
    if (l.lines.count > 0)
        qsort(l.lines.items, l.lines.count, sizeof *l.lines.items, places_rising);
    for (size_t i = 0; i < l.lines.count; i++)
        if (n == 0 || l.lines.items[i] != l.lines.items[n - 1])
            l.lines.items[n++] = l.lines.items[i];
    *lines = l.lines.items;
    *count = n;
    return OK;
}

/* The last METHOD_PARAM behind METHOD_ENTRY, in the table as in the stream. */
uint32_t places_last_parameter(hs_trace *t, const struct hs_dataid *entry)
{
    uint32_t id = entry->dataid;
    const struct hs_dataid *d;
    while ((d = hs_dataid_get(t, id + 1)) != NULL && d->event == EVENT_METHOD_PARAM && d->method_id == entry->method_id)
        id++;
    return id;
}

bool places_of_methods(struct nav *nav, const char *classes, const char *methods, unsigned event, u32_vec *ids)
{
    hs_trace *t = nav->trace;
    const site_vec *sites = sites_of(t, event);
    for (size_t i = 0; i < sites->count; i++) {
        const struct hs_method *m = hs_method_get(t, sites->items[i].method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        if (c == NULL || !hs_method_matches(methods, m->name, m->desc) || !hs_class_matches(classes, c->name))
            continue;
        const struct hs_dataid *d = hs_dataid_get(t, sites->items[i].dataid);
        uint32_t *to = d != NULL ? vec_push(ids) : NULL;
        if (to == NULL)
            return d == NULL;
        *to = event == EVENT_METHOD_ENTRY ? places_last_parameter(t, d) : d->dataid;
    }
    return true;
}
