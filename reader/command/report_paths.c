/* report_paths.c - distinct paths of methods with their counts: the calls they made, or their basic blocks. */
#include <string.h>

#include "reader/command/names.h"
#include "reader/command/report.h"
#include "reader/command/show.h"

struct view {
    struct out *out;
    hs_trace *trace;
    const struct path_choice *choice;
    const struct hs_path *path;
    size_t next; /* repeat that is still to come */
};

static void block(const struct view *v, uint32_t id)
{
    const struct hs_dataid *d = hs_dataid_get(v->trace, id);
    const char *file = spot_other_file(hs_class_get(v->trace, d->class_no), SPOT_OF(d));
    if (v->choice->json)
        json_u64(&v->out->json, d->pc);
    else if (d->line < 0)
        out_format(v->out, "pc%u", d->pc);
    else if (file != NULL)
        out_format(v->out, "%s:%d", file, d->line);
    else
        out_format(v->out, "%d", d->line);
}

static void callee(const struct view *v, uint32_t id)
{
    struct out *o = v->out;
    const struct hs_method *m = hs_method_get(v->trace, id);
    const struct hs_class *c = m != NULL ? hs_class_get(v->trace, m->class_no) : NULL;
    const char *class_name = c != NULL ? c->name : "?", *dot = strrchr(class_name, '.');
    const char *name = c != NULL ? m->name : "?";
    if (!v->choice->json) {
        out_simple_class(o, dot != NULL ? dot + 1 : class_name);
        out_char(o, '.');
        out_name(o, name);
        return;
    }
    json_text_begin(&o->json);
    out_json_name_part(o, class_name);
    json_text_code(&o->json, '.');
    out_json_name_part(o, name);
    out_json_name_part(o, c != NULL ? m->desc : "");
    json_text_end(&o->json);
}

static void loop_begin(const struct view *v, const struct hs_path_repeat *r)
{
    struct json *j = &v->out->json;
    if (!v->choice->json) {
        out_char(v->out, '(');
        return;
    }
    json_object(j);
    json_member_u64(j, "times", r->times);
    json_name(j, "path");
    json_array(j);
}

static void loop_end(const struct view *v, const struct hs_path_repeat *r)
{
    if (!v->choice->json) {
        out_format(v->out, ")x%llu", (unsigned long long)r->times);
        return;
    }
    json_end(&v->out->json);
    json_end(&v->out->json);
}

/* Steps from..to, with the loops among them: (a b)x3, in JSON {"times":3,"path":[a,b]}. */
static void steps(struct view *v, size_t from, size_t to)
{
    const struct hs_path *p = v->path;
    size_t i = from;
    while (i < to) {
        const struct hs_path_repeat *r = v->next < p->repeat_count ? p->repeats[v->next] : NULL;
        if (i > from && !v->choice->json)
            out_char(v->out, ' ');
        if (r == NULL || r->first != i || r->first + r->steps > to) {
            (v->choice->kind == HS_PATH_BLOCKS ? block : callee)(v, p->steps[i++]);
            continue;
        }
        v->next++;
        loop_begin(v, r);
        steps(v, i, i + r->steps);
        loop_end(v, r);
        i += r->steps;
    }
}

static void json(struct view *v, const struct hs_class *c, const struct hs_method *m)
{
    struct json *j = &v->out->json;
    json_object(j);
    show_method_members(v->out, c->name, m->name, m->desc);
    json_member_u64(j, "calls", v->path->calls);
    if (v->path->threw)
        json_member_bool(j, "exception", true);
    json_name(j, "path");
    json_array(j);
    steps(v, 0, v->path->step_count);
    json_end(j);
    out_member_cut(v->out);
    json_end_line(j);
}

static void text(struct view *v, const struct hs_class *c, const struct hs_method *m, bool heading)
{
    if (heading)
        show_method_text(v->out, c->name, m->name, m->desc, "\n");
    out_format(v->out, "%12llu  %s", (unsigned long long)v->path->calls, v->path->step_count == 0 ? "-" : "");
    steps(v, 0, v->path->step_count);
    out_line(v->out, v->path->threw ? " throws" : "");
}

int report_paths(struct session *s, const struct path_choice *choice)
{
    hs_cursor *paths;
    const struct hs_path *path;
    struct hs_error error = HS_ERROR_INIT;
    uint64_t left = choice->limit;
    uint32_t shown = UINT32_MAX;
    const unsigned blocks = HS_EVENT_LABEL;
    char unwoven[NAMES_UNWOVEN_MAX];
    if (hs_paths_open(s->trace, choice->kind, choice->from, choice->to, &paths, &error) != 0)
        return session_fail(s, "%s", error.text);
    while (left > 0 && hs_path_next(paths, &path, NULL) > 0) {
        struct view v = { &s->out, s->trace, choice, path, 0 };
        const struct hs_method *m = hs_method_get(s->trace, v.path->method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
        if (c == NULL || !hs_class_matches(choice->class_glob, c->name) ||
            !hs_method_matches(choice->method_glob, m->name, m->desc))
            continue;
        left--;
        if (choice->json)
            json(&v, c, m);
        else
            text(&v, c, m, shown != m->method_id);
        shown = m->method_id;
    }
    hs_cursor_close(paths);
    names_empty_without(s, choice->limit - left, choice->limit, "call of such a method that was left", USE_ENTER);
    if (left < choice->limit && choice->kind == HS_PATH_BLOCKS &&
        *names_unwoven(s, &blocks, 1, unwoven) != '\0') /* the calls are shown, each without blocks */
        names_empty_of(s, 0, 1, "basic block", &blocks, 1);
    return session_close(s, EXIT_DONE);
}
