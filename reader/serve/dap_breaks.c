/* dap_breaks.c - breakpoints of all kinds: each request replaces those of its kind (and source). */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/cli.h"
#include "reader/serve/dap.h"

void dap_drop_breaks(struct dap *d, enum dap_break_kind kind, const char *path)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->breaks.count; i++) {
        struct dap_break b = d->breaks.items[i];
        if (b.kind != kind || (path != NULL && (b.path == NULL || strcmp(b.path, path) != 0))) {
            d->breaks.items[kept++] = b;
            continue;
        }
        if (b.id != 0)
            nav_break_remove(d->nav, b.id);
        free(b.path);
        free(b.log);
    }
    d->breaks.count = kept;
}

const struct dap_break *dap_break_of(struct dap *d, uint32_t id)
{
    for (size_t i = 0; i < d->breaks.count; i++)
        if (d->breaks.items[i].id == id)
            return &d->breaks.items[i];
    return NULL;
}

/* Writes what log points say; passes on if all that is hit are log points. */
bool dap_pass(void *dap, const struct nav_stop *stop)
{
    struct dap *d = dap;
    bool all = true;
    for (size_t i = 0; i < stop->hit_count; i++) {
        const struct dap_break *b = dap_break_of(d, stop->hits[i]);
        if (b == NULL || b->log == NULL) {
            all = false;
            continue;
        }
        struct writer w = { 0 };
        dap_expand(d, b->log, stop->thread, &w);
        write_u1(&w, '\n');
        write_u1(&w, '\0');
        if (!w.bad)
            dap_output(d, "console", (const char *)w.data);
        writer_free(&w);
    }
    return all;
}

/* ">= 3", "5", "% 10" into relation and number; false: it is none of these. */
static bool hit_condition(const char *text, struct nav_break *b)
{
    static const struct {
        const char *text;
        char relation;
    } relations[] = {
        { ">=", '}' }, { "==", '=' }, { "<", '<' }, { ">", '>' }, { "=", '=' }, { "%", '%' }, { "", '=' }
    };
    if (text == NULL || *text == '\0')
        return true;
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        size_t n = strlen(relations[i].text);
        if (strncmp(text, relations[i].text, n) != 0)
            continue;
        char digits[24] = "";
        const char *number = text + n + strspn(text + n, " ");
        size_t size = strspn(number, "0123456789");
        if (size == 0 || size >= sizeof digits || number[size + strspn(number + size, " ")] != '\0')
            return false;
        memcpy(digits, number, size);
        b->relation = relations[i].relation;
        return cli_u64(digits, &b->hits) && b->hits > 0;
    }
    return false;
}

/* Adds one and writes its row. `line` as the client counts, -1: none. */
static bool add(struct dap *d, enum dap_break_kind kind, const char *path, const cJSON *request, struct nav_break b,
                int64_t line)
{
    struct json *j = &d->json;
    struct error err = { 0 };
    const char *condition = dap_text(request, "condition"), *log = dap_text(request, "logMessage");
    struct dap_break *to = vec_push(&d->breaks);
    if (to == NULL)
        return dap_fail(d, "out of memory");
    *to = (struct dap_break){ .kind = kind };
    b.thread = UINT32_MAX;
    if (kind != DAP_EXCEPTION)
        b.condition = condition != NULL && *condition != '\0' ? condition : NULL;
    if ((path != NULL && (to->path = strdup(path)) == NULL) ||
        (log != NULL && *log != '\0' && (to->log = strdup(log)) == NULL))
        return dap_fail(d, "out of memory");
    enum status st = hit_condition(dap_text(request, "hitCondition"), &b)
                         ? OK
                         : error_set(&err, ERR_USAGE, "hitCondition: expected N, >N, >=N, <N or %%N");
    if (st == OK)
        st = nav_break_add(d->nav, &b, &to->id, NULL, &err);
    json_object(j);
    if (st == OK)
        json_member_u64(j, "id", to->id);
    json_member_bool(j, "verified", st == OK);
    if (st != OK)
        json_member_text(j, "message", err.text);
    if (line >= 0)
        json_member_i64(j, "line", line);
    json_end(j);
    return true;
}

/* ---- lines ---- */

/* The line itself, or the next one that has code in the trace; -1: there is none. */
static int32_t line_with_code(struct dap *d, const char *path, int64_t line)
{
    uint32_t *lines = NULL;
    size_t count = 0;
    int32_t found = -1;
    if (nav_lines(d->nav, path, &lines, &count, NULL) == OK)
        for (size_t i = 0; i < count && found < 0; i++)
            if (lines[i] >= line)
                found = (int32_t)lines[i];
    free(lines);
    return found;
}

bool dap_setBreakpoints(struct dap *d, const cJSON *arguments)
{
    char room[SOURCE_NAME_MAX];
    const char *path = dap_source_path(d, cJSON_GetObjectItemCaseSensitive(arguments, "source"), room);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(arguments, "breakpoints"), *one;
    if (path == NULL)
        return dap_fail(d, "setBreakpoints wants a source with a path or a sourceReference");
    dap_drop_breaks(d, DAP_SOURCE, path);
    json_name(&d->json, "breakpoints");
    json_array(&d->json);
    cJSON_ArrayForEach(one, list)
    {
        int64_t line = dap_number(one, "line", -1);
        int32_t there = line >= 0 ? line_with_code(d, path, line + d->lines_from_0) : -1;
        struct nav_break b = { .kind = NAV_BREAK_LINE, .source = path, .line = there };
        if (!add(d, DAP_SOURCE, path, one, b, there >= 0 ? there - d->lines_from_0 : line))
            return false;
    }
    json_end(&d->json);
    return true;
}

bool dap_breakpointLocations(struct dap *d, const cJSON *arguments)
{
    char room[SOURCE_NAME_MAX];
    const char *path = dap_source_path(d, cJSON_GetObjectItemCaseSensitive(arguments, "source"), room);
    int64_t line = dap_number(arguments, "line", 0), end = dap_number(arguments, "endLine", line);
    uint32_t *lines = NULL;
    size_t count = 0;
    struct error err = { 0 };
    if (path == NULL)
        return dap_fail(d, "breakpointLocations wants a source with a path or a sourceReference");
    if (nav_lines(d->nav, path, &lines, &count, &err) != OK)
        return dap_fail(d, "%s", err.text);
    json_name(&d->json, "breakpoints");
    json_array(&d->json);
    for (size_t i = 0; i < count; i++) {
        int64_t shown = (int64_t)lines[i] - d->lines_from_0;
        if (shown < line || shown > end)
            continue;
        json_object(&d->json);
        json_member_i64(&d->json, "line", shown);
        json_end(&d->json);
    }
    json_end(&d->json);
    free(lines);
    return true;
}

/* ---- methods, exceptions, data ---- */

/* Class.method, method, Class.method(int, String); classes and methods may be globs. */
bool dap_setFunctionBreakpoints(struct dap *d, const cJSON *arguments)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(arguments, "breakpoints"), *one;
    dap_drop_breaks(d, DAP_FUNCTION, NULL);
    json_name(&d->json, "breakpoints");
    json_array(&d->json);
    cJSON_ArrayForEach(one, list)
    {
        const char *name = dap_text(one, "name");
        char *text = strdup(name != NULL ? name : "");
        if (text == NULL)
            return dap_fail(d, "out of memory");
        size_t end = strcspn(text, "("), dot = end;
        while (dot > 0 && text[dot - 1] != '.' && text[dot - 1] != '#')
            dot--;
        struct nav_break b = { .kind = NAV_BREAK_METHOD, .methods = text + dot };
        if (dot > 0) {
            text[dot - 1] = '\0';
            b.classes = text;
        }
        bool done = add(d, DAP_FUNCTION, NULL, one, b, -1);
        free(text);
        if (!done)
            return false;
    }
    json_end(&d->json);
    return true;
}

static bool add_exception(struct dap *d, const char *filter, const cJSON *option)
{
    const char *classes = dap_text(option, "condition");
    struct nav_break b = { .kind = NAV_BREAK_EXCEPTION,
                           .classes = classes != NULL && *classes != '\0' ? classes : NULL,
                           .caught = filter != NULL && strcmp(filter, "caught") == 0,
                           .uncaught = filter != NULL && strcmp(filter, "uncaught") == 0 };
    d->stops_caught |= b.caught;
    d->stops_uncaught |= b.uncaught;
    if (b.caught || b.uncaught)
        return add(d, DAP_EXCEPTION, NULL, option, b, -1);
    json_object(&d->json);
    json_member_bool(&d->json, "verified", false);
    json_member_text(&d->json, "message", "there is no such filter: caught and uncaught are");
    json_end(&d->json);
    return true;
}

bool dap_setExceptionBreakpoints(struct dap *d, const cJSON *arguments)
{
    const cJSON *one;
    dap_drop_breaks(d, DAP_EXCEPTION, NULL);
    d->stops_caught = d->stops_uncaught = false;
    json_name(&d->json, "breakpoints");
    json_array(&d->json);
    cJSON_ArrayForEach(
        one, cJSON_GetObjectItemCaseSensitive(arguments, "filters")) if (!add_exception(d, cJSON_GetStringValue(one),
                                                                                        NULL)) return false;
    cJSON_ArrayForEach(
        one, cJSON_GetObjectItemCaseSensitive(
                 arguments, "filterOptions")) if (!add_exception(d, dap_text(one, "filterId"), one)) return false;
    json_end(&d->json);
    return true;
}

bool dap_location_of(struct dap *d, const cJSON *arguments, struct arena *arena, const char **what)
{
    const char *name = dap_text(arguments, "name");
    struct dap_handle h;
    struct nav_object o;
    struct error err = { 0 };
    const struct hs_frame *const *frames;
    size_t count;
    *what = NULL;
    if (name == NULL)
        return false;
    if (!dap_handle_get(d, dap_number(arguments, "variablesReference", 0), &h)) {
        *what = name; /* as it is: Class.field, ID.field, ID[index] */
        return true;
    }
    if (h.scope == SCOPE_OBJECT && nav_object(d->nav, h.object, arena, &o, &err) == OK) {
        for (size_t i = 0; i < o.member_count; i++)
            if (o.members[i].name != NULL && strcmp(o.members[i].name, name) == 0)
                *what = o.members[i].what;
        char *text = arena_chars(arena, strlen(name) + 40);
        if (*what != NULL || text == NULL)
            return *what != NULL;
        bool element = name[strspn(name, "0123456789")] == '\0';
        (void)snprintf(text, strlen(name) + 40, element ? "%u[%s]" : "%u.%s", h.object, name);
        *what = text;
        return true;
    }
    if (h.scope != SCOPE_LOCALS || strcmp(name, "this") == 0 ||
        nav_frames(d->nav, h.thread, &frames, &count, &err) != OK || h.frame >= count)
        return false;
    const struct hs_method *m = hs_method_get(d->trace, frames[h.frame]->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(d->trace, m->class_no) : NULL;
    size_t size = c != NULL ? strlen(c->name) + strlen(m->name) + strlen(m->desc) + strlen(name) + 3 : 0;
    char *text = c != NULL ? arena_chars(arena, size) : NULL;
    if (text != NULL)
        (void)snprintf(text, size, "%s.%s%s:%s", c->name, m->name, m->desc, name);
    *what = text;
    return text != NULL;
}

/* Can it be watched? A place that the trace has, or a lock. */
static bool can_be_watched(struct dap *d, const char *what, struct hs_error *error)
{
    hs_cursor *writes;
    if (strncmp(what, "lock:", 5) == 0)
        return true;
    if (hs_history_open(d->trace, what, &writes, error) != 0)
        return false;
    hs_cursor_close(writes);
    return true;
}

bool dap_dataBreakpointInfo(struct dap *d, const cJSON *arguments)
{
    struct hs_error error = HS_ERROR_INIT;
    struct arena arena = { 0 };
    struct json *j = &d->json;
    const char *what;
    bool located = dap_location_of(d, arguments, &arena, &what);
    bool found = located && can_be_watched(d, what, &error);
    json_name(j, "dataId");
    if (!found) {
        json_null(j);
        json_member_text(j, "description", located ? error.text : "this has no location that could be written");
    } else {
        json_text(j, what);
        json_member_text(j, "description", what);
        json_name(j, "accessTypes");
        json_array(j);
        json_text(j, "write");
        if (strchr(what, ':') == NULL) {
            json_text(j, "read");
            json_text(j, "readWrite");
        }
        json_end(j);
        json_member_bool(j, "canPersist", true);
    }
    arena_done(&arena);
    return true;
}

/* "lock:ID" is the monitor of an object. */
bool dap_setDataBreakpoints(struct dap *d, const cJSON *arguments)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(arguments, "breakpoints"), *one;
    dap_drop_breaks(d, DAP_DATA, NULL);
    json_name(&d->json, "breakpoints");
    json_array(&d->json);
    cJSON_ArrayForEach(one, list)
    {
        const char *what = dap_text(one, "dataId"), *access = dap_text(one, "accessType");
        struct nav_break b = { .kind = NAV_BREAK_WRITE, .what = what };
        uint64_t lock;
        if (access != NULL && strcmp(access, "write") != 0)
            b.kind = strcmp(access, "read") == 0 ? NAV_BREAK_READ : NAV_BREAK_ACCESS;
        if (what != NULL && strncmp(what, "lock:", 5) == 0 && cli_u64(what + 5, &lock) && lock - 1 < UINT32_MAX) {
            b.kind = NAV_BREAK_LOCK;
            b.object = (uint32_t)lock;
        }
        if (!add(d, DAP_DATA, NULL, one, b, -1))
            return false;
    }
    json_end(&d->json);
    return true;
}
