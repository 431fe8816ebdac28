/* report_paths.c - distinct paths of methods with their counts: the calls they made, or their basic blocks. */
#include <string.h>

#include "reader/cli/names.h"
#include "reader/cli/report.h"
#include "reader/cli/show.h"

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
    if (v->choice->json || d->line < 0)
        out_format(v->out, v->choice->json ? "%u" : "pc%u", d->pc);
    else
        out_format(v->out, "%d", d->line);
}

static void callee(const struct view *v, uint32_t id)
{
    const struct hs_method *m = hs_method_get(v->trace, id);
    const struct hs_class *c = m != NULL ? hs_class_get(v->trace, m->class_no) : NULL;
    const char *class_name = c != NULL ? c->name : "?", *dot = strrchr(class_name, '.');
    const char *name = c != NULL ? m->name : "?";
    if (!v->choice->json) {
        out_name(v->out, dot != NULL ? dot + 1 : class_name);
        out_char(v->out, '.');
        out_name(v->out, name);
        return;
    }
    out_char(v->out, '"');
    out_json_name_part(v->out, class_name);
    out_char(v->out, '.');
    out_json_name_part(v->out, name);
    out_json_name_part(v->out, c != NULL ? m->desc : "");
    out_char(v->out, '"');
}

/* Steps from..to, with the loops among them: (a b)x3, as JSON {"times":3,"path":[a,b]}. */
static void steps(struct view *v, size_t from, size_t to)
{
    const struct hs_path *p = v->path;
    bool json = v->choice->json;
    for (size_t i = from; i < to;) {
        const struct hs_path_repeat *r = v->next < p->repeat_count ? p->repeats[v->next] : NULL;
        out_text(v->out, i == from ? "" : json ? "," : " ");
        if (r == NULL || r->first != i || r->first + r->steps > to) {
            (v->choice->kind == HS_PATH_BLOCKS ? block : callee)(v, p->steps[i++]);
            continue;
        }
        v->next++;
        if (json)
            out_format(v->out, "{\"times\":%llu,\"path\":[", (unsigned long long)r->times);
        else
            out_char(v->out, '(');
        steps(v, i, i + r->steps);
        if (json)
            out_text(v->out, "]}");
        else
            out_format(v->out, ")x%llu", (unsigned long long)r->times);
        i += r->steps;
    }
}

static void json(struct view *v, const struct hs_class *c, const struct hs_method *m)
{
    out_char(v->out, '{');
    show_method_members(v->out, c->name, m->name, m->desc);
    out_format(v->out, ",\"calls\":%llu%s,\"path\":[", (unsigned long long)v->path->calls,
               v->path->threw ? ",\"exception\":true" : "");
    steps(v, 0, v->path->step_count);
    out_char(v->out, ']');
    out_json_cut(v->out);
    out_line(v->out, "}");
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
    names_empty(s, choice->limit - left, choice->limit, "call of such a method that was left");
    return session_close(s, EXIT_DONE);
}
