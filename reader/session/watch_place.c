/* watch_place.c - see watch_place.h. Class.method and Class.method:line, with classes and methods as filters take them;
 * what is none of these is a location of hs_history_open. */
#include "reader/session/watch_place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/nearest.h"
#include "reader/session/places.h"

/* The text in its parts. */
struct parts {
    char *text;                           /* allocated; the others point into it */
    const char *class_glob, *method_glob; /* without a dot class_glob is NULL */
    const char *whole;                    /* the text without the line */
    long line;                            /* -1: none */
};

static enum status split(const char *text, struct parts *out, struct error *err)
{
    const size_t size = strlen(text);
    *out = (struct parts){ .text = malloc(2 * size + 2), .line = -1 };
    if (out->text == NULL)
        return error_memory(err, "%s", text);
    char *whole = out->text + size + 1;
    memcpy(out->text, text, size + 1);
    char *colon = strrchr(out->text, ':');
    if (colon != NULL && colon[1] != '\0' && strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
        out->line = strlen(colon + 1) < 10 ? strtol(colon + 1, NULL, 10) : INT_MAX;
        *colon = '\0';
    }
    memcpy(whole, out->text, strlen(out->text) + 1);
    out->whole = whole;
    size_t dot = strcspn(out->text, "(");
    while (dot > 0 && out->text[dot - 1] != '.' && out->text[dot - 1] != '#')
        dot--;
    out->method_glob = out->text + dot;
    if (dot > 0) {
        out->text[dot - 1] = '\0';
        out->class_glob = out->text;
    }
    if (*out->method_glob == '\0' || (dot > 0 && *out->class_glob == '\0')) {
        free(out->text);
        *out = (struct parts){ 0 };
        return error_set(err, ERR_USAGE, "'%.200s' is no place: Class.method, Class.method:line or Class.field is one",
                         text);
    }
    return OK;
}

static enum status methods(struct nav *nav, const struct parts *p, enum hs_watch_place kind, u32_vec *ids,
                           struct error *err)
{
    bool ok = true;
    if (p->class_glob == NULL)
        return OK;
    if (kind == HS_WATCH_EXIT)
        ok = places_of_methods(nav, p->class_glob, p->method_glob, EVENT_METHOD_NORMAL_EXIT, ids) &&
             places_of_methods(nav, p->class_glob, p->method_glob, EVENT_METHOD_EXCEPTIONAL_EXIT, ids);
    else
        ok = places_of_methods(nav, p->class_glob, p->method_glob, EVENT_METHOD_ENTRY, ids);
    return ok ? OK : nav_memory(nav, err);
}

static enum status lines(struct nav *nav, const struct parts *p, u32_vec *ids, struct error *err)
{
    const int32_t line = (int32_t)p->line;
    bool ok = p->class_glob == NULL || places_of_shown_line(nav, p->class_glob, p->method_glob, line, ids);
    if (ok && ids->count == 0) /* Class:line */
        ok = places_of_shown_line(nav, p->whole, NULL, line, ids);
    return ok ? OK : nav_memory(nav, err);
}

/* ---- what there is instead ---- */

/* The lines of the methods that match, the first and the last; false: none match. */
static bool line_range(hs_trace *t, const struct parts *p, int32_t *first, int32_t *last)
{
    const struct hs_class *c;
    bool found = false;
    if (!tables_need_classes(t))
        return false;
    for (size_t i = 0; (c = class_at(t, i)) != NULL; i++) {
        const bool in_class = p->class_glob != NULL && hs_class_matches(p->class_glob, c->name);
        const bool whole = hs_class_matches(p->whole, c->name);
        for (uint32_t k = 0; (in_class || whole) && k < c->dataid_count; k++) {
            const struct hs_dataid *d = hs_dataid_get(t, c->first_dataid + k);
            const struct hs_method *m = d != NULL && d->line >= 0 ? hs_method_get(t, d->method_id) : NULL;
            if (m == NULL || !(whole || hs_method_matches(p->method_glob, m->name, m->desc)))
                continue;
            *first = !found || d->line < *first ? d->line : *first;
            *last = !found || d->line > *last ? d->line : *last;
            found = true;
        }
    }
    return found;
}

/* What is called nearly so. */
static const char *nearest_methods(hs_trace *t, const struct parts *p, char out[NEAREST_TEXT_MAX])
{
    struct nearest classes, of_class;
    const struct hs_class *c;
    bool has_class = false;
    nearest_init(&classes, p->class_glob != NULL ? p->class_glob : p->whole);
    nearest_init(&of_class, p->method_glob);
    for (size_t i = 0; tables_need_classes(t) && (c = class_at(t, i)) != NULL; i++) {
        nearest_offer_class(&classes, c->name);
        if (p->class_glob == NULL || !hs_class_matches(p->class_glob, c->name))
            continue;
        has_class = true;
        for (uint32_t k = 0; k < c->method_count; k++)
            if (c->methods[k] != NULL)
                nearest_offer(&of_class, c->methods[k]->name);
    }
    return nearest_text(has_class ? &of_class : &classes, out);
}

static enum status not_found(struct nav *nav, const char *text, const struct parts *p, bool near, struct error *err)
{
    char names[NEAREST_TEXT_MAX];
    int32_t first, last;
    if (p->line >= 0 && line_range(nav->trace, p, &first, &last))
        return error_set(err, ERR_NOT_FOUND, "%.200s: no event of the trace is in that line; %.200s has lines %d to %d",
                         text, p->whole, first, last);
    return error_set(err, ERR_NOT_FOUND, "%.200s: the trace has no such method%s", text,
                     near ? nearest_methods(nav->trace, p, names) : "");
}

/* ---- the place ---- */

/* Is it a location that can be written? The failure of hs_history_open is in `error`. */
static bool is_location(hs_trace *t, const char *text, struct hs_error *error)
{
    hs_cursor *writes;
    if (hs_history_open(t, text, &writes, error) != 0)
        return false;
    hs_cursor_close(writes);
    return true;
}

static enum status find(struct nav *nav, enum hs_watch_place kind, const char *text, const struct parts *p, bool near,
                        struct watch_place *out, struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    enum status st = OK;
    const bool any = kind == HS_WATCH_ANY;
    out->kind = any ? (p->line >= 0 ? HS_WATCH_LINE : HS_WATCH_ENTRY) : kind;
    if ((out->kind == HS_WATCH_LINE) != (p->line >= 0) && out->kind != HS_WATCH_WRITE)
        return error_set(err, ERR_USAGE,
                         p->line >= 0 ? "'%.200s' is a line: calls begin and end in a method, Class.method"
                                      : "'%.200s' has no line: Class.method:line",
                         text);
    if (out->kind == HS_WATCH_LINE)
        st = lines(nav, p, &out->ids, err);
    else if (out->kind != HS_WATCH_WRITE)
        st = methods(nav, p, out->kind, &out->ids, err);
    if (st != OK || out->ids.count > 0)
        return st;
    if ((any || out->kind == HS_WATCH_WRITE) && p->line < 0) {
        out->kind = HS_WATCH_WRITE;
        if (is_location(nav->trace, text, &error))
            return OK;
        if (!any || (p->class_glob == NULL && error.code != HS_ERR_NOT_FOUND))
            return state_take(&error, err);
    }
    return not_found(nav, text, p, near, err);
}

enum status watch_place_find(struct nav *nav, enum hs_watch_place kind, const char *text, bool near,
                             struct watch_place *out, struct error *err)
{
    struct parts p;
    *out = (struct watch_place){ 0 };
    if (text == NULL || *text == '\0')
        return error_set(err, ERR_USAGE, "a place is missing: Class.method, Class.method:line or Class.field");
    enum status st = split(text, &p, err);
    if (st == OK)
        st = find(nav, kind, text, &p, near, out, err);
    if (st == OK && out->ids.count > 1)
        qsort(out->ids.items, out->ids.count, sizeof *out->ids.items, places_rising);
    free(p.text);
    return st;
}

void watch_place_done(struct watch_place *p) { vec_free(&p->ids); }
