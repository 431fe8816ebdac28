/* expression.c - expressions in a frame at the moment: what names, members and elements are there; see session.h.
 *
 * A method is not called: x.name(a) is what a method of the name returned last for x and such arguments in this thread,
 * up to the moment, or else next (calls.c), or what the contents of a collection give (held.c). */
#include <stdio.h>
#include <string.h>

#include "formats/mutf8.h"
#include "reader/code/types.h"
#include "reader/session/evaluating.h"

/* ---- names ---- */

/* The type that a variable of the method is declared to have. */
static const char *declared_as(struct evaluation *e, const struct hs_frame *f, const struct hs_variable *v)
{
    hs_trace *t = evaluating(e)->nav->trace;
    const struct method *code = v->kind == HS_KIND_REF ? method_get(t, f->method_id) : NULL;
    const struct variable_scope *scope = NULL;
    for (uint32_t i = 0; code != NULL && i < code->variable_count; i++) {
        const struct variable_scope *x = &code->variables[i];
        const bool here = f->pc >= (int64_t)x->start && f->pc < (int64_t)x->end;
        if (x->slot == v->slot && strcmp(x->name, v->name) == 0 && (scope == NULL || here))
            scope = x;
    }
    return scope != NULL ? type_of_variable(t, code, scope) : NULL;
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
    enum status st = nav_static(evaluating(e)->nav, class_name, evaluating_loader(e), field, out, &err);
    if (st != OK && st != ERR_NOT_FOUND && e->status == OK)
        e->status = error_set(e->err, st, "%s", err.text);
    return st == OK;
}

/* Numbers of the JDK, whose classes are not in the trace. */
static bool jdk_number(const char *path, struct expression_value *out)
{
    static const struct {
        const char *path;
        char kind;
        uint64_t bits;
    } constants[] = {
        { "Byte.MAX_VALUE", 'B', INT8_MAX },
        { "Byte.MIN_VALUE", 'B', (uint64_t)INT8_MIN },
        { "Short.MAX_VALUE", 'S', INT16_MAX },
        { "Short.MIN_VALUE", 'S', (uint64_t)INT16_MIN },
        { "Character.MAX_VALUE", 'C', UINT16_MAX },
        { "Character.MIN_VALUE", 'C', 0 },
        { "Integer.MAX_VALUE", 'I', INT32_MAX },
        { "Integer.MIN_VALUE", 'I', (uint64_t)INT32_MIN },
        { "Integer.SIZE", 'I', 32 },
        { "Integer.BYTES", 'I', 4 },
        { "Long.MAX_VALUE", 'J', INT64_MAX },
        { "Long.MIN_VALUE", 'J', (uint64_t)INT64_MIN },
        { "Long.SIZE", 'I', 64 },
        { "Long.BYTES", 'I', 8 },
        { "Float.MAX_VALUE", 'F', 0x7f7fffff },
        { "Float.MIN_VALUE", 'F', 1 },
        { "Float.POSITIVE_INFINITY", 'F', 0x7f800000 },
        { "Float.NEGATIVE_INFINITY", 'F', 0xff800000 },
        { "Float.NaN", 'F', 0x7fc00000 },
        { "Double.MAX_VALUE", 'D', 0x7fefffffffffffff },
        { "Double.MIN_VALUE", 'D', 1 },
        { "Double.POSITIVE_INFINITY", 'D', 0x7ff0000000000000 },
        { "Double.NEGATIVE_INFINITY", 'D', 0xfff0000000000000 },
        { "Double.NaN", 'D', 0x7ff8000000000000 },
        { "Math.PI", 'D', 0x400921fb54442d18 },
        { "Math.E", 'D', 0x4005bf0a8b145769 },
    };
    const char *name = strncmp(path, "java.lang.", 10) == 0 ? path + 10 : path;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(constants[i].path, name) == 0) {
            *out = expression_number(constants[i].kind, constants[i].bits);
            return true;
        }
    return false;
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
    const bool found = plain_static(e, class_name, dot + 1, out);
    if (e->status != OK || (found && out->known))
        return found;
    struct expression_value constant;
    if (!jdk_number(path, &constant) && !executed_static(e, class_name, dot + 1, &constant))
        return found;
    *out = constant;
    return true;
}

/* A static field of the class, or of one around it: A, of A$B. */
static bool static_around(struct evaluation *e, const char *class_name, const char *name, struct expression_value *out)
{
    const size_t size = strlen(class_name);
    char *around = arena_chars(e->arena, size + 1);
    if (around == NULL) {
        e->status = error_memory(e->err, "expression");
        return false;
    }
    memcpy(around, class_name, size + 1);
    for (char *dollar = around; dollar != NULL && e->status == OK;) {
        if (plain_static(e, around, name, out))
            return true;
        dollar = strrchr(around, '$');
        if (dollar != NULL)
            *dollar = '\0';
    }
    return false;
}

/* Of a field that no event shows: which one. */
static void say_missing(struct evaluation *e, uint64_t object, const char *name, struct expression_value *field)
{
    const struct nav *nav = evaluating(e)->nav;
    const struct hs_object *o = object - 1 < UINT32_MAX ? hs_object_get(nav->trace, (uint32_t)object) : NULL;
    const char *type = o != NULL && o->type != NULL ? o->type : "object", *dot = strrchr(type, '.');
    enum { ROOM = 400 };
    char *text = field->known || field->missing != NULL ? NULL : arena_chars(e->arena, ROOM);
    if (text == NULL)
        return;
    (void)snprintf(text, ROOM, "%.150s#%llu.%.100s, never read or written before event %llu",
                   dot != NULL ? dot + 1 : type, (unsigned long long)object, name, (unsigned long long)nav->seq + 1);
    field->missing = text;
}

/* A field that code of the JDK cannot have written is as it was. */
static void settle_field(struct evaluation *e, uint64_t object, struct expression_value *field)
{
    const struct nav *nav = evaluating(e)->nav;
    if (field->known && field->stale && evaluating(e)->strict && field->seq != UINT64_MAX)
        field->stale = !handover_harmless(nav->trace, (uint32_t)object, field->seq, nav->seq);
}

/* $3: the variable in slot 3 of a class that has no names of variables. */
static bool slot_named(struct evaluation *e, const struct hs_frame *f, const char *name, struct expression_value *out)
{
    const size_t size = strlen(name);
    char slot[16];
    struct hs_variable v;
    if (name[0] != '$' || size < 2 || size >= sizeof slot || strspn(name + 1, "0123456789") != size - 1)
        return false;
    memcpy(slot, name, size + 1);
    slot[0] = '#';
    if (!evaluating_variable(e, f, slot, &v))
        return false;
    *out = expression_number(v.kind, v.value);
    return true;
}

/* A name that nothing has, in code that has no names of variables: what can be said instead. */
static void say_nameless(struct evaluation *e)
{
    const struct hs_class *c = e->nameless && e->status == ERR_USAGE ? evaluating_class(e) : NULL;
    const struct hs_frame *f = c != NULL ? evaluating_frame(e) : NULL;
    const struct method *code = f != NULL ? method_get(evaluating(e)->nav->trace, f->method_id) : NULL;
    if (code == NULL || code->variable_count > 0 || code->code.max_locals == 0 || strchr(e->err->text, '.') != NULL)
        return;
    struct error why = *e->err;
    e->status =
        error_set(e->err, ERR_USAGE,
                  "%.200s; the class %.100s has no names of local variables (javac -g gives them): $1 is the one "
                  "in slot 1, args[0] the first argument",
                  why.text, c->name);
}

static bool lookup(struct evaluation *e, const char *name, struct expression_value *out)
{
    struct nav *nav = evaluating(e)->nav;
    struct error err = { 0 };
    *out = expression_unknown;
    if (strchr(name, '.') != NULL)
        return static_field(e, name, out);
    if (names_first(e, name, out))
        return true;
    const struct hs_frame *f = evaluating_frame(e);
    if (f == NULL)
        return false;
    const struct hs_method *m = hs_method_get(nav->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(nav->trace, m->class_no) : NULL;
    const char *as = c != NULL ? c->name : NULL;
    if (strcmp(name, "this") == 0) {
        if (f->has_this)
            *out = expression_number('L', f->self);
        else if (m != NULL && strcmp(m->name, "<init>") == 0)
            out->missing = "this, before the constructor of the superclass has returned";
        else
            *out = evaluation_fail(e, "this frame has no receiver", NULL);
        out->type = as;
        return true;
    }
    struct hs_variable v;
    if (evaluating_variable(e, f, name, &v)) {
        *out = expression_number(v.kind, v.value);
        out->type = declared_as(e, f, &v);
        return true;
    }
    if (e->status != OK)
        return false;
    if (variable_exists(nav, f, name)) {
        out->missing = "the variable";
        return true;
    }
    if (slot_named(e, f, name, out))
        return true;
    if (f->has_this && f->self - 1 < UINT32_MAX && !nav_has_field(nav, (uint32_t)f->self, as, name) &&
        names_last(e, name, out))
        return true;
    if (f->has_this && f->self - 1 < UINT32_MAX && nav_field(nav, (uint32_t)f->self, as, name, out, &err) == OK) {
        say_missing(e, f->self, name, out);
        settle_field(e, f->self, out);
        return true;
    }
    return (c != NULL && static_around(e, c->name, name, out)) || names_last(e, name, out);
}

/* ---- members ---- */

static struct expression_value length_of(struct evaluation *e, const struct expression_value *v)
{
    struct nav *nav = evaluating(e)->nav;
    const struct hs_object *o = hs_object_get(nav->trace, (uint32_t)v->bits);
    struct arena arena = { 0 };
    struct nav_object object;
    struct expression_value length = expression_unknown;
    length.missing = "the length of the array";
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
    if (strcmp(name, "length") == 0 && names_argument(e, v, -1, &out))
        return out;
    if (v->kind == HS_KIND_REF && v->bits >= MADE_FIRST)
        return executed_member(e, v, name);
    if (!is_object(e, v, name, &out))
        return out;
    if (strcmp(name, "length") == 0)
        return length_of(e, v);
    enum status st = nav_field(evaluating(e)->nav, (uint32_t)v->bits, v->type, name, &out, e->err);
    if (st != OK)
        e->status = st == ERR_NOT_FOUND ? ERR_USAGE : st;
    else
        say_missing(e, v->bits, name, &out);
    settle_field(e, v->bits, &out);
    keep_note(&out, v);
    return out;
}

static struct expression_value thrown_with(struct evaluation *e, const char *type, const char *message)
{
    const size_t size = strlen(type), length = strlen(message);
    char *text = arena_chars(e->arena, size + length + 1);
    if (text == NULL) {
        e->status = error_memory(e->err, "expression");
        return expression_unknown;
    }
    memcpy(text, type, size);
    memcpy(text + size, message, length + 1);
    return value_thrown(text);
}

static struct expression_value element(struct evaluation *e, const struct expression_value *v, uint64_t index)
{
    struct expression_value out = expression_unknown;
    struct error err = { 0 };
    if (names_argument(e, v, (int64_t)(index & INT64_MAX), &out))
        return out;
    if (v->bits >= MADE_FIRST)
        return executed_element(e, v, (int64_t)(index & INT64_MAX));
    if (v->bits > UINT32_MAX)
        return out;
    const enum status st = nav_element(evaluating(e)->nav, (uint32_t)v->bits, index, &out, &err);
    if (st == ERR_NOT_FOUND)
        return thrown_with(e, "java.lang.ArrayIndexOutOfBoundsException: ", err.text);
    if (st != OK)
        e->status = error_set(e->err, st, "%s", err.text);
    else if (v->type != NULL && out.kind == HS_KIND_REF)
        out.type = type_of_element(evaluating(e)->nav->trace, v->type);
    keep_note(&out, v);
    return out;
}

/* ---- calls ---- */

/* It needs no other one. */
static bool is_answer(const struct evaluation *e, const struct expression_value *v)
{
    return v->known || v->thrown != NULL || e->status != OK || evaluating(e)->strict;
}

/* A method of this, or of its class. */
static struct expression_value own_call(struct evaluation *e, const struct expression_call *c)
{
    const struct hs_frame *f = evaluating_frame(e);
    const struct hs_method *m = f != NULL ? hs_method_get(evaluating(e)->nav->trace, f->method_id) : NULL;
    const struct hs_class *owner = m != NULL ? hs_class_get(evaluating(e)->nav->trace, m->class_no) : NULL;
    struct expression_value out = expression_unknown;
    struct expression_value self = expression_number('L', f != NULL ? f->self : 0);
    struct expression_call of = *c;
    of.owner = owner != NULL ? owner->name : NULL;
    self.type = of.owner;
    if (owner != NULL && (!f->has_this || f->self != 0))
        out = value_executed(e, &of, f->has_this ? &self : NULL);
    if (is_answer(e, &out))
        return out;
    if (f != NULL && f->has_this && f->self - 1 < UINT32_MAX)
        out = value_called(e, (uint32_t)f->self, NULL, c->name, c->arguments, c->count);
    if (!out.known && owner != NULL && e->status == OK)
        out = value_called(e, 0, owner->name, c->name, c->arguments, c->count);
    return out.known || c->count > 0 || e->status != OK ? out : value_returned(e, NULL, c->name);
}

static struct expression_value call(struct evaluation *e, const struct expression_call *c)
{
    const struct expression_value *v = c->object;
    struct expression_value out = expression_unknown;
    if (v == NULL && c->owner == NULL)
        return own_call(e, c);
    if (v == NULL) {
        out = value_executed(e, c, NULL);
        return is_answer(e, &out) ? out : value_called(e, 0, c->owner, c->name, c->arguments, c->count);
    }
    if (c->count == 1 && strcmp(c->name, "equals") == 0 && value_is_text(e, v))
        return c->arguments[0].known ? value_same_text(e, v, &c->arguments[0]) : out;
    if (v->kind == EXPRESSION_TEXT || (v->kind == HS_KIND_REF ? v->bits >= MADE_FIRST : v->type != NULL))
        return value_executed(e, c, v);
    if (!is_object(e, v, c->name, &out))
        return out;
    if (c->count == 0 && strcmp(c->name, "length") == 0 && value_is_text(e, v))
        return length_of(e, v);
    out = value_held(e, (uint32_t)v->bits, v->type, c->name, c->arguments, c->count);
    if (!out.known && e->status == OK)
        out = value_executed(e, c, v);
    if (is_answer(e, &out))
        return out;
    if (c->count == 0 && !out.known && e->status == OK)
        out = value_returned(e, v, c->name);
    return out.known || e->status != OK ? out
                                        : value_called(e, (uint32_t)v->bits, NULL, c->name, c->arguments, c->count);
}

/* ---- evaluation ---- */

static void host_init(struct moment_host *h, struct nav *nav, uint32_t thread, size_t frame)
{
    h->where = (struct evaluating){
        .objects = { .trace = nav->trace, .moment = nav->seq }, .nav = nav, .thread = thread, .frame = frame
    };
    h->where.of = trace_objects;
    h->where.of.is_a = executed_is_a;
    h->host = (struct expression_host){ .context = &h->where,
                                        .lookup = lookup,
                                        .member = member,
                                        .element = element,
                                        .array = executed_array,
                                        .text = executed_text,
                                        .call = call,
                                        .objects = &h->where.of };
}

static enum status keep_text(struct arena *arena, const char **text, struct error *err)
{
    const size_t size = *text != NULL ? strlen(*text) + 1 : 0;
    char *copy = size > 0 ? arena_chars(arena, size) : NULL;
    if (size > 0 && copy == NULL)
        return error_memory(err, "expression");
    if (size > 0)
        *text = memcpy(copy, *text, size);
    return OK;
}

/* What the tree or the machine holds, which end here, lives in the arena from now on. */
static enum status keep(struct evaluating *w, struct arena *arena, struct expression_value *v, struct error *err)
{
    if (v->known && v->kind == HS_KIND_REF && v->bits >= MADE_FIRST)
        executed_shown(w, v);
    enum status st = keep_text(arena, &v->text, err);
    if (st == OK)
        st = keep_text(arena, &v->missing, err);
    return st == OK ? keep_text(arena, &v->thrown, err) : st;
}

static enum status evaluate(struct nav *nav, uint32_t thread, size_t frame, const char *text, bool strict,
                            struct arena *arena, struct expression_value *out, struct error *err)
{
    struct expression_tree *tree;
    struct moment_host h;
    enum status st = expression_parse(text, &tree, err);
    if (st != OK)
        return st;
    host_init(&h, nav, thread, frame);
    h.where.strict = strict;
    struct evaluation e = { .host = &h.host, .arena = arena, .err = err };
    struct expression_value v = expression_evaluate(&e, tree->root);
    say_nameless(&e);
    st = e.status;
    if (st == OK)
        st = keep(&h.where, arena, &v, err);
    if (st == OK)
        *out = v;
    executed_done(&h.where);
    trace_objects_done(&h.where.objects);
    expression_free(tree);
    return st;
}

enum status nav_evaluate(struct nav *nav, uint32_t thread, size_t frame, const char *text, struct arena *arena,
                         struct expression_value *out, struct error *err)
{
    enum status st = evaluate(nav, thread, frame, text, false, arena, out, err);
    return st == OK && out->thrown != NULL ? error_set(err, ERR_USAGE, "%s", out->thrown) : st;
}

enum status evaluate_strictly(struct nav *nav, uint32_t thread, size_t frame, const char *text, struct arena *arena,
                              struct expression_value *out, struct error *err)
{
    return evaluate(nav, thread, frame, text, true, arena, out, err);
}

enum status nav_decide(struct nav *nav, uint32_t thread, size_t frame, const struct expression_tree *tree,
                       enum expression_answer *out, struct error *err)
{
    struct arena arena = { 0 };
    struct moment_host h;
    host_init(&h, nav, thread, frame);
    struct evaluation e = { .host = &h.host, .arena = &arena, .err = err };
    *out = expression_decide(&e, tree->root);
    executed_done(&h.where);
    trace_objects_done(&h.where.objects);
    arena_done(&arena);
    return e.status;
}

void moment_begin(struct moment_host *h, struct nav *nav, uint32_t thread, size_t frame,
                  const struct moment_names *names, struct arena *arena, struct error *err)
{
    host_init(h, nav, thread, frame);
    h->where.strict = true;
    h->where.names = names;
    h->evaluation = (struct evaluation){ .host = &h->host, .arena = arena, .err = err };
}

struct expression_value moment_evaluate(struct moment_host *h, const struct expression *tree)
{
    struct expression_value v = expression_evaluate(&h->evaluation, tree);
    say_nameless(&h->evaluation);
    if (h->evaluation.status == OK)
        h->evaluation.status = keep(&h->where, h->evaluation.arena, &v, h->evaluation.err);
    return v;
}

enum expression_answer moment_decide(struct moment_host *h, const struct expression *tree)
{
    return expression_decide(&h->evaluation, tree);
}

/* Order#12, without the package. */
static void write_object(struct moment_host *h, uint64_t id, struct writer *out)
{
    const struct hs_object *o = id - 1 < UINT32_MAX ? hs_object_get(h->where.nav->trace, (uint32_t)id) : NULL;
    const char *type = o != NULL && o->type != NULL ? o->type : "object", *dot = strrchr(type, '.');
    char digits[24];
    type = dot != NULL ? dot + 1 : type;
    write_bytes(out, type, strlen(type));
    (void)snprintf(digits, sizeof digits, "#%llu", (unsigned long long)id);
    write_bytes(out, digits, strlen(digits));
}

void moment_text(struct moment_host *h, const struct expression_value *v, struct writer *out)
{
    struct evaluation *e = &h->evaluation;
    struct expression_value text;
    if (v->kind != HS_KIND_REF || v->bits == 0 || v->is_class || value_is_text(e, v))
        value_write(e, v, out);
    else if (executed_text(e, v, &text) && text.known)
        value_write(e, &text, out);
    else
        write_object(h, v->bits, out);
}

enum status moment_end(struct moment_host *h)
{
    executed_done(&h->where);
    trace_objects_done(&h->where.objects);
    return h->evaluation.status;
}
