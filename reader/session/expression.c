/* expression.c - expressions in a frame at the moment: what names, members and elements are there; see session.h.
 *
 * A method is not called: x.name(a) is what a method of the name returned last for x and such arguments in this thread,
 * up to the moment, or else next (calls.c), or what the contents of a collection give (held.c). */
#include <stdio.h>
#include <string.h>

#include "formats/mutf8.h"
#include "reader/session/evaluating.h"

/* ---- names ---- */

static const struct hs_frame *frame_here(struct evaluation *e)
{
    struct evaluating *const w = evaluating(e);
    const struct hs_frame *const *frames;
    size_t count = 0;
    enum status st = nav_frames(w->nav, w->thread, &frames, &count, e->err);
    if (st != OK)
        e->status = st;
    return st == OK && w->frame < count ? frames[w->frame] : NULL;
}

static bool variable_in(const struct hs_variable *const *list, size_t count, const char *name,
                        struct expression_value *out)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i]->name, name) == 0) {
            *out = expression_number(list[i]->kind, list[i]->value);
            return true;
        }
    return false;
}

/* The code of the method has a variable of this name: it has no value that was recorded. */
static bool variable_exists(struct nav *nav, const struct hs_frame *f, const char *name)
{
    const struct method *code = method_get(nav->trace, f->method_id);
    for (uint32_t i = 0; code != NULL && i < code->variable_count; i++)
        if (code->variables[i].name != NULL && strcmp(code->variables[i].name, name) == 0)
            return true;
    return false;
}

static bool plain_static(struct evaluation *e, const char *class_name, const char *field, struct expression_value *out)
{
    struct error err = { 0 };
    enum status st = nav_static(evaluating(e)->nav, class_name, field, out, &err);
    if (st != OK && st != ERR_NOT_FOUND && e->status == OK)
        e->status = error_set(e->err, st, "%s", err.text);
    return st == OK;
}

/* a.b.Class.field */
static bool static_field(struct evaluation *e, const char *path, struct expression_value *out)
{
    const char *dot = strrchr(path, '.');
    char *class_name = dot != NULL ? arena_chars(e->arena, (size_t)(dot - path) + 1) : NULL;
    if (dot == NULL)
        return false;
    if (class_name == NULL) {
        e->status = error_memory(e->err, "expression");
        return false;
    }
    memcpy(class_name, path, (size_t)(dot - path));
    class_name[dot - path] = '\0';
    return plain_static(e, class_name, dot + 1, out);
}

static bool lookup(struct evaluation *e, const char *name, struct expression_value *out)
{
    struct nav *nav = evaluating(e)->nav;
    struct error err = { 0 };
    *out = expression_unknown;
    if (strchr(name, '.') != NULL)
        return static_field(e, name, out);
    const struct hs_frame *f = frame_here(e);
    if (f == NULL)
        return false;
    const struct hs_method *m = hs_method_get(nav->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(nav->trace, m->class_no) : NULL;
    const char *as = c != NULL ? c->name : NULL;
    if (strcmp(name, "this") == 0) {
        if (!f->has_this)
            *out = evaluation_fail(e, "this frame has no receiver that is known", NULL);
        else
            *out = expression_number('L', f->self);
        out->as = as;
        return true;
    }
    if (variable_in(f->locals, f->local_count, name, out) || variable_in(f->parameters, f->parameter_count, name, out))
        return true;
    if (variable_exists(nav, f, name)) {
        out->missing = "the variable";
        return true;
    }
    if (f->has_this && f->self - 1 < UINT32_MAX && nav_field(nav, (uint32_t)f->self, as, name, out, &err) == OK)
        return true;
    return c != NULL && plain_static(e, c->name, name, out);
}

/* ---- members ---- */

static struct expression_value length_of(struct evaluation *e, const struct expression_value *v)
{
    struct nav *nav = evaluating(e)->nav;
    const struct hs_object *o = hs_object_get(nav->trace, (uint32_t)v->bits);
    struct arena arena = { 0 };
    struct nav_object object;
    struct expression_value length = expression_unknown;
    if (o != NULL && o->has_string)
        return expression_number('I', o->length);
    e->status = nav_object_part(nav, (uint32_t)v->bits, 0, 0, &arena, &object, e->err);
    if (e->status == OK && object.has_length)
        length = expression_number('I', object.length);
    arena_done(&arena);
    return length;
}

/* What is in an object that a call returned at another moment says so, too. */
static void keep_note(struct expression_value *member, const struct expression_value *object)
{
    if (!member->known || object->note == NULL || object->note == value_note_contents)
        return;
    member->note = object->note;
    member->seq = object->seq;
}

/* False: it is none that can have members, and `*out` the answer. */
static bool is_object(struct evaluation *e, const struct expression_value *v, const char *name,
                      struct expression_value *out)
{
    *out = expression_unknown;
    if (v->kind != 'L')
        *out = evaluation_fail(e, "only an object has a member", name);
    else if (v->bits == 0)
        *out = value_thrown("java.lang.NullPointerException: null has no member");
    return v->kind == 'L' && v->bits - 1 < UINT32_MAX;
}

static struct expression_value member(struct evaluation *e, const struct expression_value *v, const char *name)
{
    struct expression_value out;
    if (!is_object(e, v, name, &out))
        return out;
    if (strcmp(name, "length") == 0)
        return length_of(e, v);
    enum status st = nav_field(evaluating(e)->nav, (uint32_t)v->bits, v->as, name, &out, e->err);
    if (st != OK)
        e->status = st == ERR_NOT_FOUND ? ERR_USAGE : st;
    keep_note(&out, v);
    return out;
}

static struct expression_value element(struct evaluation *e, const struct expression_value *v, uint64_t index)
{
    struct expression_value out = expression_unknown;
    if (v->bits > UINT32_MAX)
        return out;
    e->status = nav_element(evaluating(e)->nav, (uint32_t)v->bits, index, &out, e->err);
    keep_note(&out, v);
    return out;
}

/* ---- calls ---- */

/* A method of this, or of its class. */
static struct expression_value own_call(struct evaluation *e, const struct expression_call *c)
{
    if (c->count == 0)
        return value_returned(e, NULL, c->name);
    const struct hs_frame *f = frame_here(e);
    const struct hs_method *m = f != NULL ? hs_method_get(evaluating(e)->nav->trace, f->method_id) : NULL;
    const struct hs_class *owner = m != NULL ? hs_class_get(evaluating(e)->nav->trace, m->class_no) : NULL;
    struct expression_value out = expression_unknown;
    if (f != NULL && f->has_this && f->self - 1 < UINT32_MAX)
        out = value_called(e, (uint32_t)f->self, NULL, c->name, c->arguments, c->count);
    if (!out.known && owner != NULL && e->status == OK)
        out = value_called(e, 0, owner->name, c->name, c->arguments, c->count);
    return out;
}

static struct expression_value call(struct evaluation *e, const struct expression_call *c)
{
    const struct expression_value *v = c->object;
    struct expression_value out = expression_unknown;
    if (v == NULL && c->owner == NULL)
        return own_call(e, c);
    if (v == NULL)
        return value_called(e, 0, c->owner, c->name, c->arguments, c->count);
    if (c->count == 1 && strcmp(c->name, "equals") == 0 && value_is_text(e, v))
        return c->arguments[0].known ? value_same_text(e, v, &c->arguments[0]) : out;
    if (!is_object(e, v, c->name, &out))
        return out;
    if (c->count == 0 && strcmp(c->name, "length") == 0 && value_is_text(e, v))
        return length_of(e, v);
    out = value_held(e, (uint32_t)v->bits, c->name, c->arguments, c->count);
    if (c->count == 0 && !out.known && e->status == OK)
        out = value_returned(e, v, c->name);
    return out.known || e->status != OK ? out
                                        : value_called(e, (uint32_t)v->bits, NULL, c->name, c->arguments, c->count);
}

/* ---- evaluation ---- */

struct frame_host {
    struct evaluating where;
    struct expression_host host;
};
static void host_init(struct frame_host *h, struct nav *nav, uint32_t thread, size_t frame)
{
    h->where = (struct evaluating){
        .objects = { .trace = nav->trace, .moment = nav->seq }, .nav = nav, .thread = thread, .frame = frame
    };
    h->host = (struct expression_host){ .context = &h->where,
                                        .lookup = lookup,
                                        .member = member,
                                        .element = element,
                                        .call = call,
                                        .objects = &trace_objects };
}

/* Literals of the tree, which ends here, live in the arena from now on. */
static enum status keep_text(struct arena *arena, struct expression_value *v, struct error *err)
{
    const size_t size = v->text != NULL ? strlen(v->text) + 1 : 0;
    char *copy = size > 0 ? arena_chars(arena, size) : NULL;
    if (size > 0 && copy == NULL)
        return error_memory(err, "expression");
    if (size > 0)
        v->text = memcpy(copy, v->text, size);
    return OK;
}

enum status nav_evaluate(struct nav *nav, uint32_t thread, size_t frame, const char *text, struct arena *arena,
                         struct expression_value *out, struct error *err)
{
    struct expression_tree *tree;
    struct frame_host h;
    enum status st = expression_parse(text, &tree, err);
    if (st != OK)
        return st;
    host_init(&h, nav, thread, frame);
    struct evaluation e = { .host = &h.host, .arena = arena, .err = err };
    struct expression_value v = expression_evaluate(&e, tree->root);
    st = e.status;
    if (st == OK && v.thrown != NULL)
        st = error_set(err, ERR_USAGE, "%s", v.thrown);
    if (st == OK)
        st = keep_text(arena, &v, err);
    if (st == OK)
        *out = v;
    trace_objects_done(&h.where.objects);
    expression_free(tree);
    return st;
}

enum status nav_decide(struct nav *nav, uint32_t thread, size_t frame, const struct expression_tree *tree,
                       enum expression_answer *out, struct error *err)
{
    struct arena arena = { 0 };
    struct frame_host h;
    host_init(&h, nav, thread, frame);
    struct evaluation e = { .host = &h.host, .arena = &arena, .err = err };
    *out = expression_decide(&e, tree->root);
    trace_objects_done(&h.where.objects);
    arena_done(&arena);
    return e.status;
}
