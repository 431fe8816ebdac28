/* diagram_objects.c - object graphs: objects at a moment (--at, else at the end) with their fields or elements, and the
 * objects that these refer to, breadth first. It begins with --object, or with what the call stack of the event refers
 * to. Strings are values, not objects of their own. */
#include "reader/export/diagram.h"

#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "formats/vec.h"

enum { MEMBERS_SHOWN = 20 };

struct number {
    uint64_t id;
    uint32_t number;
};
struct edge {
    uint32_t from, to;
    char *name;
};
struct graph {
    struct diagram *d;
    uint64_t at;
    MAP(struct number) numbers;
    u32_vec objects; /* in the order of their numbers, which begin with 1 */
    VEC(struct edge) edges;
    bool cut;
};

/* The number of an object, which is shown from now on; 0: no more objects are. False: out of memory. */
static bool number_of(struct graph *g, uint64_t id, uint32_t *out)
{
    struct number *n = map_get(&g->numbers, id);
    *out = n != NULL ? n->number : 0;
    if (n != NULL)
        return true;
    if (id > UINT32_MAX || g->objects.count >= g->d->most) {
        g->cut = true;
        return true;
    }
    uint32_t *object = vec_push(&g->objects);
    n = map_put(&g->numbers, id);
    if (object == NULL || n == NULL)
        return export_fail(g->d->job, "out of memory");
    *object = (uint32_t)id;
    *out = n->number = (uint32_t)g->objects.count;
    return true;
}

/* A reference that is drawn as an arrow. */
static bool is_object(struct graph *g, char kind, uint64_t value)
{
    const struct hs_object *o = kind == HS_KIND_REF && value != 0 && value <= UINT32_MAX
                                    ? hs_object_get(g->d->job->trace, (uint32_t)value)
                                    : NULL;
    return o != NULL && !o->has_string;
}

/* The name of a field without the class that declares it, or the index of an element. */
static void member_name(struct out *o, const struct hs_member *m)
{
    const char *dot = m->name != NULL ? strrchr(m->name, '.') : NULL;
    if (m->name == NULL)
        out_format(o, "[%llu]", (unsigned long long)m->index);
    else
        out_name(o, dot != NULL ? dot + 1 : m->name);
}

static bool arrow(struct graph *g, uint32_t from, const struct hs_member *m)
{
    struct out *o = &g->d->scratch;
    uint32_t to;
    if (!number_of(g, m->value, &to) || to == 0)
        return export_ok(g->d->job);
    size_t before = o->used;
    struct edge *edge = vec_push(&g->edges);
    if (edge == NULL)
        return export_fail(g->d->job, "out of memory");
    member_name(o, m);
    *edge = (struct edge){ from, to, strndup(o->data + before, o->used - before) };
    o->used = before;
    return edge->name != NULL || export_fail(g->d->job, "out of memory");
}

static bool members(struct graph *g, uint32_t from, const struct hs_member *const *list, size_t count)
{
    struct out *o = &g->d->scratch;
    for (size_t i = 0; i < count && i < MEMBERS_SHOWN; i++) {
        const struct hs_member *m = list[i];
        if (is_object(g, m->kind, m->value)) {
            if (!arrow(g, from, m))
                return false;
            continue;
        }
        out_char(o, '\n');
        member_name(o, m);
        out_text(o, " = ");
        show_value_text(&g->d->show, m->kind, m->value);
    }
    if (count > MEMBERS_SHOWN)
        out_format(o, "\n%llu more", (unsigned long long)(count - MEMBERS_SHOWN));
    return true;
}

static bool object(struct graph *g, size_t i)
{
    struct export_job *x = g->d->job;
    const struct hs_object_state *state;
    struct hs_error error = HS_ERROR_INIT;
    if (hs_object_part_at(x->trace, g->objects.items[i], g->at, 0, MEMBERS_SHOWN, &state, &error) != 0)
        return export_failed(x, &error);
    show_object_name(&g->d->show, state->id);
    uint32_t number = (uint32_t)i + 1;
    if (!members(g, number, state->fields, state->field_count) ||
        !members(g, number, state->elements, state->element_count))
        return false;
    if (state->is_part)
        out_text(&g->d->scratch, "\nand more");
    g->d->language->node(g->d, number, diagram_text(g->d));
    return export_ok(x);
}

static bool variables(struct graph *g, const struct hs_variable *const *list, size_t count)
{
    uint32_t number;
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        if (is_object(g, list[i]->kind, list[i]->value))
            done = number_of(g, list[i]->value, &number);
    return done;
}

/* Begins with what the call stack refers to. */
static bool stack(struct graph *g)
{
    struct export_job *x = g->d->job;
    const struct hs_frame *f;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *frames;
    uint64_t count = hs_event_count(x->trace), at = g->at != HS_NO_SEQ ? g->at : count - 1;
    uint32_t number;
    if (count == 0)
        return true;
    if (hs_frames_open(x->trace, at, &frames, &error) != 0)
        return export_failed(x, &error);
    bool done = true;
    while (done && hs_frame_next(frames, &f, NULL) > 0)
        done = (!f->has_this || f->self == 0 || number_of(g, f->self, &number)) &&
               variables(g, f->parameters, f->parameter_count) && variables(g, f->locals, f->local_count);
    hs_cursor_close(frames);
    return done;
}

bool diagram_objects(struct diagram *d)
{
    struct graph g = { .d = d, .at = d->job->options.at != UINT64_MAX ? d->job->options.at : HS_NO_SEQ };
    uint32_t first = d->job->filter->filter.object, number;
    bool done = first != 0 ? number_of(&g, first, &number) : stack(&g);
    if (done)
        d->language->begin(d);
    for (size_t i = 0; done && i < g.objects.count; i++)
        done = object(&g, i);
    for (size_t i = 0; i < g.edges.count; i++) {
        if (done)
            d->language->edge(d, g.edges.items[i].from, g.edges.items[i].to, g.edges.items[i].name);
        free(g.edges.items[i].name);
    }
    if (done && (g.cut || g.objects.count == 0)) {
        if (g.objects.count == 0)
            out_text(&d->scratch, "the stack refers to no objects; --at SEQ and --object ID choose");
        else
            out_format(&d->scratch, "%llu objects are shown; others are left out (--limit)",
                       (unsigned long long)g.objects.count);
        d->language->note(d, 0, diagram_text(d));
    }
    vec_free(&g.edges);
    vec_free(&g.objects);
    map_free(&g.numbers);
    return done;
}
