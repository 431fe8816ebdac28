/* source_lines.c - the one answer to which line of which file a line of LineNumberTable stands for. It is asked when
 * lines come into the library: for data IDs, lines of code, and stacks that the JVM gave. */
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/classfile.h"
#include "formats/jvm/source_map.h"
#include "formats/search.h"
#include "reader/trace/open_trace.h"

#define ATTRIBUTE "SourceDebugExtension"

struct class_map {
    bool read;
    char *attribute; /* what `map` borrows; NULL: the class has none */
    struct source_map map;
    const char **files; /* as positions give them */
};
struct class_maps {
    size_t count;
    struct class_map *classes; /* by position */
    uint32_t *by_name;         /* positions of the woven ones, by name; NULL: not asked for yet */
    size_t named;
};

static void free_maps(void *what)
{
    struct class_maps *all = what;
    for (size_t i = 0; i < all->count; i++) {
        source_map_done(&all->classes[i].map);
        free(all->classes[i].attribute);
    }
    free(all->classes);
    free(all->by_name);
    free(all);
}

static struct class_maps *maps_of(hs_trace *t)
{
    struct class_maps *all = trace_attached(t, ATTACHED_SOURCE_LINES);
    if (all != NULL || !tables_need_classes(t))
        return all;
    all = calloc(1, sizeof *all);
    if (all != NULL)
        all->classes = calloc(t->classes.count + 1, sizeof *all->classes);
    if (all == NULL || all->classes == NULL) {
        free(all);
        trace_no_memory(t);
        return NULL;
    }
    all->count = t->classes.count;
    trace_attach(t, ATTACHED_SOURCE_LINES, all, free_maps);
    return all;
}

/* Copies the attribute of a class file. */
static enum status copy_attribute(struct text file, char **out, size_t *size, struct error *err)
{
    struct classfile cf;
    /* most have none, which is found soon */
    if (memmem(file.data, file.size, ATTRIBUTE, sizeof ATTRIBUTE - 1) == NULL)
        return OK;
    enum status st = classfile_read(&cf, file.data, file.size, err);
    const struct attribute *a =
        st == OK ? classfile_attribute(&cf, cf.first_attribute, cf.attribute_count, ATTRIBUTE) : NULL;
    if (a != NULL && (*out = malloc((size_t)a->length + 1)) == NULL)
        st = error_memory(err, ATTRIBUTE);
    if (a != NULL && st == OK) {
        memcpy(*out, a->data, a->length);
        *size = a->length;
    }
    classfile_done(&cf);
    return st;
}

/* a/b/util/Util.kt; without a path in the package of the class. */
static const char *file_path(hs_trace *t, const struct hs_class *c, const struct mapped_file *f)
{
    const char *dot = f->folder.data == NULL ? strrchr(c->name, '.') : NULL;
    struct writer w = { 0 };
    write_bytes(&w, f->folder.data, f->folder.size);
    for (const char *p = c->name; dot != NULL && p <= dot; p++)
        write_u1(&w, *p == '.' ? '/' : (unsigned char)*p);
    write_bytes(&w, f->name.data, f->name.size);
    const char *path = w.bad ? NULL : trace_text(t, (struct text){ (const char *)w.data, w.size }, false);
    writer_free(&w);
    return path;
}

static enum status read_map(hs_trace *t, const struct hs_class *c, struct class_map *m, struct error *err)
{
    struct text file;
    size_t size = 0;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_get(&t->env, DB_CLASSFILE, c->class_no, &file, err);
    if (st == OK)
        st = copy_attribute(file, &m->attribute, &size, err);
    env_end(&t->env);
    if (st != OK || m->attribute == NULL)
        return st;
    st = source_map_read(&m->map, (struct text){ m->attribute, size }, err);
    const size_t count = m->map.files.count;
    if (st == OK && (m->files = arena_array(&t->arena, count + 1, sizeof *m->files)) == NULL)
        st = error_memory(err, "%s", t->dir);
    for (size_t i = 0; st == OK && i < count; i++)
        if ((m->files[i] = file_path(t, c, &m->map.files.items[i])) == NULL)
            st = error_memory(err, "%s", t->dir);
    return st;
}

/* NULL: lines of the class are those of its source file. That is so also if what it has cannot be read: debuggers do
 * the same. */
static const struct class_map *map_of(hs_trace *t, const struct hs_class *c)
{
    struct class_maps *all = maps_of(t);
    const size_t position = class_position(t, c);
    struct error err;
    if (all == NULL || position >= all->count)
        return NULL;
    struct class_map *m = &all->classes[position];
    if (!m->read) {
        m->read = true;
        const enum status st = c->state == HS_CLASS_WOVEN ? read_map(t, c, m, &err) : OK;
        if (st == ERR_MEMORY)
            trace_no_memory(t);
        if (st != OK)
            source_map_done(&m->map);
    }
    return m->map.lines.count > 0 ? m : NULL;
}

struct source_line source_line_of(hs_trace *t, const struct hs_class *c, int32_t table_line)
{
    const struct class_map *m = table_line >= 0 ? map_of(t, c) : NULL;
    const struct mapped_lines *l = m != NULL ? source_map_find(&m->map, (uint32_t)table_line) : NULL;
    if (l == NULL)
        return (struct source_line){ NULL, table_line, table_line };
    const uint32_t number = ((uint32_t)table_line - l->base) / l->increment, first = l->base + number * l->increment;
    return (struct source_line){ m->files[l->file], (int32_t)((l->line + number) & INT32_MAX), (int32_t)first };
}

static int by_name(const void *a, const void *b, void *trace)
{
    const hs_trace *t = trace;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const int order = strcmp(t->classes.items[x].name, t->classes.items[y].name);
    return order != 0 ? order : (x > y) - (x < y);
}

static bool sort_names(hs_trace *t, struct class_maps *all)
{
    if (all->by_name == NULL && (all->by_name = malloc((all->count + 1) * sizeof *all->by_name)) != NULL) {
        for (size_t i = 0; i < all->count; i++)
            if (t->classes.items[i].state == HS_CLASS_WOVEN)
                all->by_name[all->named++] = (uint32_t)i;
        qsort_r(all->by_name, all->named, sizeof *all->by_name, by_name, t);
    }
    if (all->by_name == NULL)
        trace_no_memory(t);
    return all->by_name != NULL;
}

struct source_line source_line_named(hs_trace *t, const char *class_name, int32_t table_line)
{
    struct class_maps *all = maps_of(t);
    size_t i;
    if (all == NULL || table_line < 0 || !sort_names(t, all))
        return (struct source_line){ NULL, table_line, table_line };
    LOWER_BOUND(i, all->named, strcmp(t->classes.items[all->by_name[i]].name, class_name) < 0);
    const struct hs_class *c = i < all->named ? &t->classes.items[all->by_name[i]] : NULL;
    if (c == NULL || strcmp(c->name, class_name) != 0)
        return (struct source_line){ NULL, table_line, table_line };
    return source_line_of(t, c, table_line);
}

const char *source_file_at(hs_trace *t, const struct hs_class *c, size_t number)
{
    const struct class_map *m = map_of(t, c);
    return m != NULL && number < m->map.files.count ? m->files[number] : NULL;
}
