/* info_redact.c - see info_redact.h. */
#include "reader/cli/info_redact.h"

#include <stdlib.h>
#include <string.h>

#include "reader/command/show.h"

/* Calls `item` for each part of a list that is joined by commas. */
typedef void item_fn(void *context, const char *item, size_t length);
static void each(const char *list, item_fn *item, void *context)
{
    for (size_t n; list != NULL && *list != '\0'; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        item(context, list, n);
    }
}

static void glob_json(void *context, const char *glob, size_t length) { json_text_n(context, glob, length); }

struct places {
    hs_trace *trace;
    struct json *json;
    struct out *out;
};

/* The event that showed a string first, and its place. */
struct first {
    uint64_t seq;
    const struct hs_dataid *dataid;
    const char *class_name, *method;
};

static bool find_first(hs_trace *t, const char *object, struct first *out)
{
    const struct hs_life *life;
    const struct hs_event *e;
    struct hs_error error = HS_ERROR_INIT;
    if (hs_life_get(t, (uint32_t)strtoul(object, NULL, 10), &life, &error) <= 0 ||
        hs_event_at(t, life->first, &e, &error) != 0)
        return false;
    *out = (struct first){ .seq = e->seq, .dataid = hs_dataid_get(t, e->dataid) };
    const struct hs_class *c = out->dataid != NULL ? hs_class_get(t, out->dataid->class_no) : NULL;
    const struct hs_method *m = out->dataid != NULL ? hs_method_get(t, out->dataid->method_id) : NULL;
    if (c == NULL || m == NULL)
        return false;
    out->class_name = c->name;
    out->method = m->name;
    return true;
}

static void place_json(void *context, const char *object, size_t length)
{
    struct places *p = context;
    struct first first;
    (void)length;
    json_object(p->json);
    json_member_u64(p->json, "object", strtoul(object, NULL, 10));
    if (find_first(p->trace, object, &first)) {
        json_member_u64(p->json, "seq", first.seq);
        json_member_text(p->json, "event", hs_event_name(first.dataid->event));
        json_member_text(p->json, "class", first.class_name);
        json_member_text(p->json, "method", first.method);
        if (first.dataid->file != NULL)
            json_member_text(p->json, "file", first.dataid->file);
        if (first.dataid->line >= 0)
            json_member_i64(p->json, "line", first.dataid->line);
    }
    json_end(p->json);
}

static void place_text(void *context, const char *object, size_t length)
{
    struct places *p = context;
    struct first first;
    if (!find_first(p->trace, object, &first))
        return;
    out_format(p->out, "%-10s   #%.*s at seq %llu: %s in %s.%s", "", (int)length, object, (unsigned long long)first.seq,
               hs_event_name(first.dataid->event), first.class_name, first.method);
    out_format(p->out, ", line %d", first.dataid->line);
    const char *file = spot_other_file(hs_class_get(p->trace, first.dataid->class_no), SPOT_OF(first.dataid));
    out_format(p->out, file != NULL ? " of %s\n" : "\n", file);
}

void info_late_places_json(hs_trace *t, struct json *j)
{
    struct places p = { t, j, NULL };
    const char *late = hs_info(t, "redacted_late_objects");
    if (late == NULL)
        return;
    json_name(j, "redacted_late_places");
    json_array(j);
    each(late, place_json, &p);
    json_end(j);
}

void info_unmatched_json(hs_trace *t, struct json *j)
{
    const char *globs = hs_info(t, "redact_unmatched");
    if (globs == NULL || *globs == '\0')
        return;
    json_name(j, "redact_unmatched");
    json_array(j);
    each(globs, glob_json, j);
    json_end(j);
}

/* The globs that matched nothing, joined by commas. */
static void unmatched_lines(struct out *o, const char *globs)
{
    if (globs == NULL || *globs == '\0')
        return;
    out_format(o, "%-10s redact=%s: no recorded place in the code has such a name or type\n", "unmatched", globs);
    out_format(o,
               "%-10s accepted are NAME, Class.NAME, Class.method:VARIABLE and types as char[]; names of "
               "variables need javac -g\n",
               "");
}

void info_redact_text(hs_trace *t, struct out *o)
{
    const char *places = hs_info(t, "redacted_places"), *texts = hs_info(t, "redacted_texts"),
               *late = hs_info(t, "redacted_late");
    struct places p = { t, NULL, o };
    if (places != NULL)
        out_format(o, "%-10s %s places in the code", "redacted", places);
    if (places != NULL && texts != NULL) /* counted at the end */
        out_format(o, ", %s strings and messages left out", texts);
    if (places != NULL)
        out_char(o, '\n');
    if (late != NULL && strcmp(late, "0") != 0) {
        out_format(
            o,
            "%-10s %s of their texts %s stored before, where the string was seen first: name the places it comes "
            "from\n",
            "", late, strcmp(late, "1") == 0 ? "was" : "were");
        each(hs_info(t, "redacted_late_objects"), place_text, &p);
    }
    unmatched_lines(o, hs_info(t, "redact_unmatched"));
}
