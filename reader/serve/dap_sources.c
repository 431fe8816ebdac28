/* dap_sources.c - sources: files below the source paths, those inside of jars, or an outline made from the trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reader/serve/dap.h"

/* The number that a client asks for the file by: odd for that of a class, even for another one; 0: out of memory. */
static uint64_t reference_of(struct dap *d, const struct hs_class *c, const char *file)
{
    if (file == NULL)
        return 2 * (uint64_t)c->class_no + 1;
    for (size_t i = 0; i < d->files.count; i++)
        if (d->files.items[i].class_no == c->class_no && d->files.items[i].file == file)
            return 2 * (i + 1);
    struct dap_file *to = vec_push(&d->files);
    if (to == NULL)
        return 0;
    *to = (struct dap_file){ c->class_no, file };
    return 2 * d->files.count;
}

static const struct hs_class *referred(struct dap *d, int64_t reference, const char **file)
{
    const uint64_t number = (uint64_t)reference / 2;
    *file = NULL;
    if (reference < 1)
        return NULL;
    if (reference % 2 != 0)
        return number <= UINT32_MAX ? hs_class_get(d->trace, (uint32_t)number) : NULL;
    if (number > d->files.count)
        return NULL;
    *file = d->files.items[number - 1].file;
    return hs_class_get(d->trace, d->files.items[number - 1].class_no);
}

static void source_json(struct dap *d, struct json *j, const struct hs_class *c, const char *file)
{
    char name[SOURCE_NAME_MAX], own[SOURCE_NAME_MAX];
    size_t size;
    if (file != NULL && sources_name(c, NULL, own) && strcmp(own, file) == 0)
        file = NULL;
    bool there = d->sources != NULL && sources_text(d->sources, c, file, &size) != NULL;
    bool opens_files = d->connection.read_message == NULL; /* a browser, which uses WebSocket, does not */
    const char *path = there && opens_files ? sources_path(d->sources, c, file) : NULL;
    const char *title = spot_file_name(c, (struct spot){ file, 1 });
    json_object(j);
    if (!sources_name(c, file, name))
        (void)snprintf(name, sizeof name, "%.1000s", c->name);
    json_member_text(j, "name", title[0] != '\0' ? title : name);
    if (path != NULL) {
        json_member_text(j, "path", path);
    } else {
        json_member_text(j, "path", name);
        json_member_u64(j, "sourceReference", reference_of(d, c, file));
        json_member_text(j, "origin", there ? "sourcePaths" : "outline from the recording");
    }
    json_end(j);
}

void dap_source_member(struct dap *d, struct json *j, const struct hs_class *c, const char *file)
{
    json_name(j, "source");
    source_json(d, j, c, file);
}

/* The next file of the trace: the source file of a class, or one that its lines are in besides. */
struct file_walk {
    hs_cursor *classes;
    const struct hs_class *class;
    const char *file;
    size_t next; /* of the class */
};
static bool next_file(struct dap *d, struct file_walk *w)
{
    if (w->class != NULL && (w->file = nav_source_file(d->nav, w->class, w->next++)) != NULL)
        return true;
    do {
        if (hs_class_next(w->classes, &w->class, NULL) <= 0)
            return false;
    } while (w->class->dataid_count == 0);
    w->file = NULL;
    w->next = 0;
    return true;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return strcmp(a, b) == 0 || (stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

/* The name of the file that is at this path, where folders of its package are left out; false: none is. */
static bool name_of_path(struct dap *d, const char *path, char room[SOURCE_NAME_MAX])
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    struct file_walk w = { 0 };
    bool found = false, matches = false;
    if (d->sources == NULL || hs_classes_open(d->trace, &w.classes, NULL) != 0)
        return false;
    while (!found && !matches && next_file(d, &w)) {
        const char *name = sources_name(w.class, w.file, room) ? strrchr(room, '/') : NULL;
        if (name == NULL || strcmp(name + 1, base) != 0)
            continue;
        const char *there = sources_path(d->sources, w.class, w.file);
        matches = nav_source_matches(d->nav, w.class, path);
        found = !matches && there != NULL && same_file(there, path);
    }
    hs_cursor_close(w.classes);
    return found;
}

const char *dap_source_path(struct dap *d, const cJSON *source, char room[SOURCE_NAME_MAX])
{
    const char *file, *path = dap_text(source, "path");
    const struct hs_class *c = referred(d, dap_number(source, "sourceReference", 0), &file);
    if (c != NULL && sources_name(c, file, room))
        return room;
    return path != NULL && name_of_path(d, path, room) ? room : path;
}

/* Is it the source file of a class, or did an earlier class name it? */
static bool listed(struct dap *d, const char *file, const struct hs_class *by)
{
    struct file_walk w = { 0 };
    char name[SOURCE_NAME_MAX];
    bool found = false, before = true;
    if (hs_classes_open(d->trace, &w.classes, NULL) != 0)
        return true;
    while (!found && next_file(d, &w)) {
        before &= w.class != by;
        found = w.file == NULL ? sources_name(w.class, NULL, name) && strcmp(name, file) == 0
                               : before && strcmp(w.file, file) == 0;
    }
    hs_cursor_close(w.classes);
    return found;
}

bool dap_loadedSources(struct dap *d, const cJSON *arguments)
{
    struct hs_error error = HS_ERROR_INIT;
    struct file_walk w = { 0 };
    (void)arguments;
    if (hs_classes_open(d->trace, &w.classes, &error) != 0)
        return dap_fail(d, "%s", error.text);
    json_name(&d->json, "sources");
    json_array(&d->json);
    while (next_file(d, &w)) /* nested classes stand in the file of their outer one */
        if (w.file == NULL ? strchr(w.class->name, '$') == NULL : !listed(d, w.file, w.class))
            source_json(d, &d->json, w.class, w.file);
    json_end(&d->json);
    hs_cursor_close(w.classes);
    return true;
}

/* ---- the outline ---- */

enum { LINES_MAX = 65536 };

static void add(struct writer *lines, int32_t line, const char *text)
{
    struct writer *w = &lines[line];
    if (w->size > 0)
        write_bytes(w, "; ", 2);
    write_bytes(w, text, strlen(text));
}

/* What happens on each line of the file at `path` (NULL: of all lines), as data IDs name it. */
static void outline_class(struct dap *d, const struct hs_class *c, const char *path, struct writer *lines)
{
    static const struct {
        unsigned event;
        bool named; /* by the owner and name in its data ID */
        const char *text;
    } shown[] = { { HS_EVENT_CALL, true, "(...)" },
                  { HS_EVENT_PUT_INSTANCE_FIELD, true, " = ..." },
                  { HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, true, " = ..." },
                  { HS_EVENT_PUT_STATIC_FIELD, true, " = ..." },
                  { HS_EVENT_GET_INSTANCE_FIELD, true, "" },
                  { HS_EVENT_GET_STATIC_FIELD, true, "" },
                  { HS_EVENT_METHOD_NORMAL_EXIT, false, "return" },
                  { HS_EVENT_METHOD_THROW, false, "throw" } };
    uint32_t method = UINT32_MAX;
    char text[600];
    for (uint32_t id = c->first_dataid; id - c->first_dataid < c->dataid_count; id++) {
        const struct hs_dataid *x = hs_dataid_get(d->trace, id);
        if (x == NULL || x->line < 1 || x->line >= LINES_MAX || (path != NULL && !nav_is_at_source(d->nav, x, path)))
            continue;
        const struct hs_method *m = hs_method_get(d->trace, x->method_id);
        if (x->method_id != method && m != NULL) {
            method = x->method_id;
            d->text.used = 0;
            show_method_text(&d->text, c->name, m->name, m->desc, ":");
            out_char(&d->text, '\0');
            add(lines, x->line, d->text.data);
        }
        const char *owner = show_text_attr(x, "owner"), *name = show_text_attr(x, "name");
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
            if (shown[i].event != x->event || (shown[i].named && (owner == NULL || name == NULL)))
                continue;
            if (shown[i].named)
                (void)snprintf(text, sizeof text, "%.250s.%.250s%s", owner, name, shown[i].text);
            add(lines, x->line, shown[i].named ? text : shown[i].text);
        }
    }
}

/* All classes of the file, each at its own lines. */
static bool outline(struct dap *d, const struct hs_class *of, const char *file, struct writer *out)
{
    struct writer *lines = calloc(LINES_MAX, sizeof *lines);
    const struct hs_class *c;
    hs_cursor *classes;
    char path[SOURCE_NAME_MAX];
    size_t last = 0;
    bool named = sources_name(of, file, path);
    if (lines == NULL || hs_classes_open(d->trace, &classes, NULL) != 0) {
        free(lines);
        return false;
    }
    while (hs_class_next(classes, &c, NULL) > 0)
        if (c->dataid_count > 0 && (named ? nav_source_matches(d->nav, c, path) : c->class_no == of->class_no))
            outline_class(d, c, named ? path : NULL, lines);
    hs_cursor_close(classes);
    for (size_t i = 0; i < LINES_MAX; i++)
        last = lines[i].size > 0 ? i : last;
    for (size_t i = 1; i < LINES_MAX; i++) {
        if (lines[i].size > 0) {
            write_bytes(out, "// ", 3);
            write_bytes(out, lines[i].data, lines[i].size);
        }
        if (i <= last)
            write_u1(out, '\n');
        writer_free(&lines[i]);
    }
    free(lines);
    return true;
}

bool dap_source(struct dap *d, const cJSON *arguments)
{
    const cJSON *source = cJSON_GetObjectItemCaseSensitive(arguments, "source");
    int64_t reference = dap_number(source, "sourceReference", dap_number(arguments, "sourceReference", 0));
    const char *file;
    const struct hs_class *c = referred(d, reference, &file);
    size_t size;
    const char *text = c != NULL && d->sources != NULL ? sources_text(d->sources, c, file, &size) : NULL;
    struct writer w = { 0 };
    if (c == NULL)
        return dap_fail(d, "sourceReference: there is no class %lld", (long long)reference);
    if (text != NULL) {
        json_name(&d->json, "content");
        json_text_n(&d->json, text, size);
    } else {
        if (!outline(d, c, file, &w) || w.bad) {
            writer_free(&w);
            return dap_fail(d, "out of memory");
        }
        json_name(&d->json, "content");
        json_text_n(&d->json, w.data, w.size);
        writer_free(&w);
    }
    json_member_text(&d->json, "mimeType", "text/x-java");
    return true;
}
