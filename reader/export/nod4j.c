/* nod4j.c - the format nod4j: fileinfo.json, the folders and source files of the program, and varinfo.json, the last
 * values of each variable (nod4j.h). The source comes from --source; without it the files have no lines.
 *
 *     {"name":"project","type":"dir","content":[],"children":[{"name":"src",...,"children":[ packages and files ]}]}
 *     {"name":"Cart.java","type":"file","content":["package com.acme;",""],"children":[]}
 *
 * Folders may be nested deeper than struct json counts, so the brackets are written here. */
#include "reader/export/nod4j.h"

#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "reader/command/source.h"

struct file {
    char *path;
    const char *file; /* as in struct spot, of the class */
    const struct hs_class *class;
};
typedef VEC(struct file) file_vec;

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

static bool add_file(struct export_job *x, const struct hs_class *c, const char *file, file_vec *files)
{
    char name[SOURCE_NAME_MAX];
    if (!sources_name(c, file, name))
        return true;
    struct file *f = vec_push(files);
    if (f == NULL || (*f = (struct file){ strdup(name), file, c }, f->path == NULL))
        return export_fail(x, "out of memory");
    return true;
}

/* Its source file, and those that its lines are in besides. */
static bool add_files(struct export_job *x, const struct hs_class *c, file_vec *files)
{
    const char *last = NULL;
    if (!add_file(x, c, NULL, files))
        return false;
    for (uint32_t i = 0; i < c->dataid_count; i++) {
        const struct hs_dataid *d = hs_dataid_get(x->trace, c->first_dataid + i);
        if (d == NULL || d->file == NULL || d->file == last)
            continue;
        last = d->file;
        if (!add_file(x, c, last, files))
            return false;
    }
    return true;
}

static bool find_files(struct export_job *x, hs_cursor *classes, file_vec *files)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_class *c;
    int more;
    while ((more = hs_class_next(classes, &c, &error)) > 0)
        if (c->state == HS_CLASS_WOVEN && hs_class_matches(x->filter->filter.class_glob, c->name) &&
            !add_files(x, c, files))
            return false;
    if (files->count > 0)
        qsort(files->items, files->count, sizeof *files->items, by_path);
    return more == 0 || export_failed(x, &error);
}

static void begin_folder(struct out *o, const char *name, size_t n)
{
    out_text(o, "{\"name\":");
    nod4j_text(o, name, n);
    out_text(o, ",\"type\":\"dir\",\"content\":[],\"children\":[");
}

static bool put_file(struct export_job *x, const char *name, const struct file *f, source_lines *lines)
{
    struct out *o = x->out;
    if (!nod4j_lines(x, f->class, f->file, lines))
        return false;
    out_text(o, "{\"name\":");
    nod4j_text(o, name, strlen(name));
    out_text(o, ",\"type\":\"file\",\"content\":[");
    for (size_t i = 0; i < lines->count; i++) {
        if (i > 0)
            out_char(o, ',');
        nod4j_text(o, lines->items[i].text, lines->items[i].size);
    }
    out_text(o, "],\"children\":[]}");
    return export_ok(x);
}

/* Bytes that two paths share, up to a slash. */
static size_t shared_folders(const char *a, const char *b)
{
    size_t n = 0;
    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
        if (a[i] == '/')
            n = i + 1;
    return n;
}

static void close_folders(struct out *o, const char *path)
{
    for (; (path = strchr(path, '/')) != NULL; path++)
        out_text(o, "]}");
}

/* The files are sorted: those of one folder are beside each other. */
static bool put_tree(struct export_job *x, const file_vec *files, source_lines *lines)
{
    const char *last = "", *slash;
    begin_folder(x->out, "project", strlen("project"));
    begin_folder(x->out, "src", strlen("src"));
    for (size_t i = 0; i < files->count; i++) {
        const char *path = files->items[i].path;
        if (i > 0 && strcmp(path, last) == 0)
            continue;
        const size_t shared = shared_folders(last, path);
        close_folders(x->out, last + shared);
        if (i > 0)
            out_char(x->out, ',');
        last = path;
        for (path += shared; (slash = strchr(path, '/')) != NULL; path = slash + 1)
            begin_folder(x->out, path, (size_t)(slash - path));
        if (!put_file(x, path, &files->items[i], lines))
            return false;
    }
    close_folders(x->out, last);
    out_text(x->out, "]}]}");
    out_char(x->out, '\n');
    return export_ok(x);
}

static bool put_files(struct export_job *x)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *classes;
    file_vec files = { 0 };
    source_lines lines = { 0 };
    if (hs_classes_open(x->trace, &classes, &error) != 0)
        return export_failed(x, &error);
    bool done = export_file_open(x, "fileinfo.json") && find_files(x, classes, &files) && put_tree(x, &files, &lines);
    for (size_t i = 0; i < files.count; i++)
        free(files.items[i].path);
    vec_free(&files);
    vec_free(&lines);
    hs_cursor_close(classes);
    return done;
}

bool export_nod4j(struct export_job *x)
{
    const struct hs_filter *f = &x->filter->filter;
    const struct format *format = format_of_trace(hs_info(x->trace, "format"));
    if (!format->values)
        return export_fail(x, "%s: format=%s keeps no values", hs_dir(x->trace), format->name);
    if (f->from != 0 || f->to != UINT64_MAX || f->threads != NULL || f->events != NULL || f->object != 0 ||
        f->value != NULL || f->text != NULL || x->filter->where != NULL || x->limit != UINT64_MAX)
        return export_wrong(x, "nod4j has the last values of variables; of the filters it takes --class and --method");
    return put_files(x) && nod4j_variables(x);
}
