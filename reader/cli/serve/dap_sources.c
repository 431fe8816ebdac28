/* dap_sources.c - sources: files below the source paths, those inside of jars, or an outline made from the trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/serve/dap.h"

static void source_json(struct dap *d, const struct hs_class *c)
{
    struct json *j = &d->json;
    char name[SOURCE_NAME_MAX];
    size_t size;
    bool there = d->sources != NULL && sources_text(d->sources, c, &size) != NULL;
    bool opens_files = d->connection.read_message == NULL; /* a browser, which uses WebSocket, does not */
    const char *path = there && opens_files ? sources_path(d->sources, c) : NULL;
    json_object(j);
    if (!sources_name(c, name))
        (void)snprintf(name, sizeof name, "%.1000s", c->name);
    json_member_text(j, "name", c->source_file[0] != '\0' ? c->source_file : name);
    if (path != NULL) {
        json_member_text(j, "path", path);
    } else {
        json_member_text(j, "path", name);
        json_member_u64(j, "sourceReference", (uint64_t)c->class_no + 1);
        json_member_text(j, "origin", there ? "sourcePaths" : "outline from the recording");
    }
    json_end(j);
}

void dap_source_member(struct dap *d, const struct hs_class *c)
{
    json_name(&d->json, "source");
    source_json(d, c);
}

const char *dap_source_path(struct dap *d, const cJSON *source, char room[SOURCE_NAME_MAX])
{
    int64_t reference = dap_number(source, "sourceReference", 0);
    const struct hs_class *c =
        reference > 0 && reference <= UINT32_MAX ? hs_class_get(d->trace, (uint32_t)reference - 1) : NULL;
    if (c != NULL && sources_name(c, room))
        return room;
    return dap_text(source, "path");
}

bool dap_loadedSources(struct dap *d, const cJSON *arguments)
{
    const struct hs_class *c;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *classes;
    (void)arguments;
    if (hs_classes_open(d->trace, &classes, &error) != 0)
        return dap_fail(d, "%s", error.text);
    json_name(&d->json, "sources");
    json_array(&d->json);
    while (hs_class_next(classes, &c, NULL) > 0) /* nested classes stand in the file of their outer one */
        if (c->dataid_count > 0 && strchr(c->name, '$') == NULL)
            source_json(d, c);
    json_end(&d->json);
    hs_cursor_close(classes);
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

/* What happens on each line, as its data IDs name it. */
static void outline_class(struct dap *d, const struct hs_class *c, struct writer *lines)
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
        if (x == NULL || x->line < 1 || x->line >= LINES_MAX)
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
static bool outline(struct dap *d, const struct hs_class *of, struct writer *out)
{
    struct writer *lines = calloc(LINES_MAX, sizeof *lines);
    const struct hs_class *c;
    hs_cursor *classes;
    char path[SOURCE_NAME_MAX];
    size_t last = 0;
    bool named = sources_name(of, path);
    if (lines == NULL || hs_classes_open(d->trace, &classes, NULL) != 0) {
        free(lines);
        return false;
    }
    while (hs_class_next(classes, &c, NULL) > 0)
        if (c->dataid_count > 0 && (c->class_no == of->class_no || (named && nav_source_matches(c, path))))
            outline_class(d, c, lines);
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
    const struct hs_class *c =
        reference > 0 && reference <= UINT32_MAX ? hs_class_get(d->trace, (uint32_t)reference - 1) : NULL;
    size_t size;
    const char *text = c != NULL && d->sources != NULL ? sources_text(d->sources, c, &size) : NULL;
    struct writer w = { 0 };
    if (c == NULL)
        return dap_fail(d, "sourceReference: there is no class %lld", (long long)reference);
    if (text != NULL) {
        json_name(&d->json, "content");
        json_text_n(&d->json, text, size);
    } else {
        if (!outline(d, c, &w) || w.bad) {
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
