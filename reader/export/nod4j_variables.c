/* nod4j_variables.c - varinfo.json of the format nod4j: each place in the code where a variable is read or written,
 * with its last values (nod4j.h).
 *
 *     {"recentdata":[{"dataid":"105","className":"sample/Main.java","methodName":"getMax","var":"max","linenum":"9",
 *       "inst":"P","count":1,"valueList":[{"data":"0","timestamp":"23","thread":"0"}]}]}
 *
 * Which word of its line a variable is, NOD4J derives from the order of the instructions: the count-th access to a name
 * is the count-th word, except that a value assigned at the end of a line belongs to the first one. Every place of a
 * line counts, reached or not. Where the source has fewer words (sum += i reads and writes one) the last one is it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/show.h"
#include "reader/command/source.h"
#include "reader/export/nod4j.h"
#include "reader/export/selogger.h"

/* What each event is for NOD4J: G reads, P writes, I increments. Without a name it has that of the attribute. */
static const struct role {
    unsigned event;
    char inst;
    const char *name;
} roles[] = {
    { HS_EVENT_GET_STATIC_FIELD, 'G', NULL },
    { HS_EVENT_PUT_STATIC_FIELD, 'P', NULL },
    { HS_EVENT_GET_INSTANCE_FIELD_RESULT, 'G', NULL },
    { HS_EVENT_PUT_INSTANCE_FIELD_VALUE, 'P', NULL },
    { HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, 'P', NULL },
    { HS_EVENT_LOCAL_LOAD, 'G', NULL },
    { HS_EVENT_LOCAL_STORE, 'P', NULL },
    { HS_EVENT_LOCAL_INCREMENT, 'I', NULL },
    { HS_EVENT_METHOD_PARAM, 'G', NULL },
    { HS_EVENT_ARRAY_LOAD_RESULT, 'G', "_ArrayLoad" },
    { HS_EVENT_ARRAY_STORE_VALUE, 'P', "_ArrayStore" },
    { HS_EVENT_ARRAY_LENGTH_RESULT, 'G', "_ArrayLength" },
    { HS_EVENT_CALL_RETURN, 'G', "_ReturnValue" },
};

/* A place where a variable is accessed. */
struct place {
    const struct hs_dataid *dataid;
    const struct role *role;
    const char *name;
    const char *file; /* as in struct spot */
    int32_t line;
    size_t order; /* among those of the method */
    int64_t count;
};
struct variables {
    struct export_job *job;
    hs_cursor *classes, *latest;
    u32_vec ids;
    VEC(struct place) places;  /* of one method */
    VEC(struct place *) names; /* those of one line by name */
    source_lines lines;
    const char *file; /* that `lines` are of, of the class */
    struct out text;  /* a value as text, before it is escaped */
    size_t rows;
};

/* The variable that a data ID accesses; NULL: none. `*name` as in the source. */
static const struct role *role_of(const struct hs_dataid *d, const char **name)
{
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (roles[i].event != d->event || d->kind == HS_KIND_VOID)
            continue;
        *name = roles[i].name != NULL ? roles[i].name : show_text_attr(d, "name");
        return *name != NULL ? &roles[i] : NULL;
    }
    return NULL;
}

/* ---- which word of the line ---- */

static int by_file(const char *a, const char *b)
{
    return a == NULL || b == NULL ? (a != NULL) - (b != NULL) : strcmp(a, b);
}
static int by_line(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    const int file = by_file(x->file, y->file);
    if (file != 0)
        return file;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}
static int by_name(const void *a, const void *b)
{
    const struct place *x = *(struct place *const *)a, *y = *(struct place *const *)b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->order < y->order ? -1 : x->order > y->order;
}

/* Sets `count` of the places of one line, which are in the order of their instructions. */
static bool count_words(struct variables *v, struct place *first, size_t n)
{
    const struct place *last = &first[n - 1];
    const char *assigned = last->role->inst == 'P' ? last->name : NULL;
    const struct source_line *line =
        first->line >= 1 && (size_t)first->line <= v->lines.count ? &v->lines.items[first->line - 1] : NULL;
    v->names.count = 0;
    for (size_t i = 0; i < n; i++) {
        struct place **slot = first[i].role->name == NULL ? vec_push(&v->names) : NULL;
        if (slot != NULL)
            *slot = &first[i];
        else if (first[i].role->name == NULL)
            return export_fail(v->job, "out of memory");
        first[i].count = -1;
    }
    if (v->names.count > 0)
        qsort(v->names.items, v->names.count, sizeof *v->names.items, by_name);
    int64_t before = 0, words = 0;
    for (size_t i = 0; i < v->names.count; i++) {
        struct place *p = v->names.items[i];
        if (i == 0 || strcmp(v->names.items[i - 1]->name, p->name) != 0) {
            before = 0;
            words = line != NULL ? (int64_t)nod4j_count_word(line, p->name) : 0;
        }
        p->count = p->role->inst == 'P' ? 1 : 1 + before + (assigned != NULL && strcmp(assigned, p->name) == 0);
        if (words > 0 && p->count > words)
            p->count = words;
        before++;
    }
    return true;
}

/* ---- the rows ---- */

static void member_number(struct json *j, const char *name, uint64_t number)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    json_member_text(j, name, digits);
}

static void member_text(struct out *o, const char *name, const char *text)
{
    json_name(&o->json, name);
    nod4j_text(o, text, strlen(text));
}

static void put_value(struct variables *v, const struct hs_event *e)
{
    struct out *o = v->job->out;
    v->text.used = 0;
    v->text.failed = 0;
    selogger_value(&v->text, v->job->trace, e, true);
    if (v->text.failed != 0) { /* a string that is longer than the buffer */
        v->text.used = 0;
        v->text.failed = 0;
        selogger_value(&v->text, v->job->trace, e, false);
    }
    json_object(&o->json);
    json_name(&o->json, "data");
    nod4j_text(o, v->text.data, v->text.used);
    member_number(&o->json, "timestamp", e->seq);
    member_number(&o->json, "thread", e->thread);
    json_end(&o->json);
}

static void put_class_name(struct out *o, const struct hs_class *c, const char *file)
{
    char path[1 + SOURCE_NAME_MAX] = "/"; /* stays in the default package */
    const char *name = path;
    if (!sources_name(c, file, path + 1))
        name = c->name;
    else if (strchr(path + 1, '/') != NULL)
        name = path + 1;
    member_text(o, "className", name);
}

static bool put_place(struct variables *v, const struct hs_class *c, const struct hs_method *m, const struct place *p)
{
    struct hs_error error = HS_ERROR_INIT;
    struct out *o = v->job->out;
    struct json *j = &o->json;
    const struct hs_event *e;
    const char inst[] = { p->role->inst, '\0' };
    char line[16];
    size_t recorded;
    int more;
    if (hs_latest_select(v->latest, p->dataid->dataid, &recorded, &error) != 0)
        return export_failed(v->job, &error);
    if (recorded == 0)
        return true;
    (void)snprintf(line, sizeof line, "%d", p->line);
    out_text(o, v->rows++ > 0 ? "," : "");
    out_bytes(o, "\n", 1);
    json_object(j);
    member_number(j, "dataid", p->dataid->dataid);
    put_class_name(o, c, p->file);
    member_text(o, "methodName", m->name);
    member_text(o, "var", p->name);
    json_member_text(j, "linenum", line);
    json_member_text(j, "inst", inst);
    json_member_i64(j, "count", p->count);
    json_name(j, "valueList");
    json_array(j);
    while ((more = hs_event_next(v->latest, &e, &error)) > 0)
        put_value(v, e);
    json_end(j);
    json_end(j);
    return more == 0 ? export_ok(v->job) : export_failed(v->job, &error);
}

/* Makes `lines` those of a file of the class. */
static bool look_at(struct variables *v, const struct hs_class *c, const char *file)
{
    if (by_file(v->file, file) == 0)
        return true;
    v->file = file;
    return nod4j_lines(v->job, c, file, &v->lines);
}

/* The places of a method are complete: line by line. */
static bool put_method(struct variables *v, const struct hs_class *c, const struct hs_method *m)
{
    const size_t n = v->places.count;
    if (n > 0)
        qsort(v->places.items, n, sizeof *v->places.items, by_line);
    for (size_t first = 0, end; first < n; first = end) {
        const struct place *p = &v->places.items[first];
        for (end = first + 1;
             end < n && v->places.items[end].line == p->line && by_file(v->places.items[end].file, p->file) == 0;)
            end++;
        if (!look_at(v, c, p->file) || !count_words(v, &v->places.items[first], end - first))
            return false;
        for (size_t i = first; i < end; i++)
            if (!put_place(v, c, m, &v->places.items[i]))
                return false;
    }
    v->places.count = 0;
    return true;
}

static bool wanted(const struct variables *v, const struct hs_class *c)
{
    return c->state == HS_CLASS_WOVEN && hs_class_matches(v->job->filter->filter.class_glob, c->name);
}
static const struct hs_method *wanted_method(const struct variables *v, const struct hs_dataid *d)
{
    const struct hs_method *m = hs_method_get(v->job->trace, d->method_id);
    return m != NULL && hs_method_matches(v->job->filter->filter.method_glob, m->name, m->desc) ? m : NULL;
}

static bool put_class(struct variables *v, const struct hs_class *c)
{
    const struct hs_method *method = NULL;
    const char *name;
    v->file = NULL;
    if (!nod4j_lines(v->job, c, NULL, &v->lines))
        return false;
    for (uint32_t i = 0; i < c->dataid_count; i++) {
        const struct hs_dataid *d = hs_dataid_get(v->job->trace, c->first_dataid + i);
        const struct role *role = d != NULL ? role_of(d, &name) : NULL;
        const struct hs_method *m = role != NULL ? wanted_method(v, d) : NULL;
        if (m == NULL)
            continue;
        if (m != method && method != NULL && !put_method(v, c, method))
            return false;
        method = m;
        struct place *p = vec_push(&v->places);
        if (p == NULL)
            return export_fail(v->job, "out of memory");
        *p = (struct place){
            .dataid = d, .role = role, .name = name, .file = d->file, .line = d->line, .order = v->places.count
        };
        if (d->event == HS_EVENT_METHOD_PARAM && !look_at(v, c, d->file))
            return false;
        if (d->event == HS_EVENT_METHOD_PARAM)
            p->line = nod4j_parameter_line(&v->lines, c, m, name, d->line);
    }
    return method == NULL || put_method(v, c, method);
}

static bool read_latest(struct variables *v, struct hs_error *error)
{
    const uint32_t n = hs_dataid_count(v->job->trace);
    const char *name;
    for (uint32_t i = 0; i < n; i++) {
        const struct hs_dataid *d = hs_dataid_get(v->job->trace, i);
        const struct hs_class *c =
            d != NULL && role_of(d, &name) != NULL ? hs_class_get(v->job->trace, d->class_no) : NULL;
        if (c == NULL || !wanted(v, c) || wanted_method(v, d) == NULL)
            continue;
        uint32_t *id = vec_push(&v->ids);
        if (id == NULL)
            return export_fail(v->job, "out of memory");
        *id = i;
    }
    return hs_latest_read(v->latest, v->ids.items, v->ids.count, true, error) == 0 || export_failed(v->job, error);
}

static bool put_classes(struct variables *v, struct hs_error *error)
{
    const struct hs_class *c;
    int more = 0;
    out_text(v->job->out, "{\"recentdata\":[");
    while (export_ok(v->job) && (more = hs_class_next(v->classes, &c, error)) > 0)
        if (wanted(v, c) && !put_class(v, c))
            return false;
    out_bytes(v->job->out, "\n]}\n", 4);
    return more < 0 ? export_failed(v->job, error) : export_ok(v->job);
}

bool nod4j_variables(struct export_job *x)
{
    struct hs_error error = HS_ERROR_INIT;
    struct variables v = { .job = x };
    bool done = false;
    if (!export_file_open(x, "varinfo.json"))
        return false;
    if (!out_init_memory(&v.text))
        return export_fail(x, "out of memory");
    if (hs_latest_open(x->trace, &v.latest, &error) != 0 || hs_classes_open(x->trace, &v.classes, &error) != 0)
        (void)export_failed(x, &error);
    else
        done = read_latest(&v, &error) && put_classes(&v, &error);
    hs_cursor_close(v.latest);
    hs_cursor_close(v.classes);
    vec_free(&v.ids);
    vec_free(&v.places);
    vec_free(&v.names);
    vec_free(&v.lines);
    out_done(&v.text);
    return done;
}
