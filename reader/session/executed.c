/* executed.c - calls in an expression, executed over the heap of the moment (reader/execute); see evaluating.h. */
#include <string.h>

#include "reader/session/evaluating.h"

static const char string_type[] = "java.lang.String";

/* What getMessage of Throwable gives. */
static bool message_of(void *asks, uint32_t exception, const char **text)
{
    const struct hs_thrown *thrown = hs_thrown_get(asks, exception);
    if (thrown == NULL || thrown->message_redacted || (thrown->message_computed && thrown->message == NULL))
        return false;
    *text = thrown->message_computed ? thrown->message : thrown->detail;
    return true;
}

struct machine *executed_machine(hs_trace *t, uint64_t seq, struct past_heap *past)
{
    *past = (struct past_heap){ .trace = t, .seq = seq, .message = message_of, .asks = t };
    const struct heap heap = past_heap(past);
    return machine_new(t, &heap);
}

/* The machine of the expression, made with its first call; NULL: out of memory. */
static struct machine *machine_of(struct evaluation *e)
{
    struct evaluating *w = evaluating(e);
    if (w->machine != NULL)
        return w->machine;
    w->machine = executed_machine(w->nav->trace, w->nav->seq, &w->past);
    w->past.fields = w->nav->fields;
    if (w->machine == NULL)
        e->status = error_memory(e->err, "expression");
    return w->machine;
}

void executed_done(struct evaluating *w)
{
    machine_free(w->machine);
    past_heap_done(&w->past);
    w->machine = NULL;
}

/* A number of which an object is known to be made: a method gave it. */
static bool is_box(const struct expression_value *v)
{
    return v->known && v->type != NULL && v->kind != HS_KIND_REF && v->kind != EXPRESSION_TEXT;
}

/* False: it is not known, or memory is out. */
static bool argument(struct machine *m, const struct expression_value *v, struct jvalue *out, char *letter)
{
    *letter = v->kind == EXPRESSION_TEXT || v->kind == HS_KIND_REF || is_box(v) ? 'L' : v->kind;
    *out = (struct jvalue){ .kind = jvalue_kind(*letter), .bits = v->bits };
    if (is_box(v))
        return machine_box(m, v->kind, v->bits, out);
    return v->known && !v->stale && !v->unrecorded && !v->is_class &&
           (v->kind != EXPRESSION_TEXT || (v->text != NULL && machine_string(m, v->text, out)));
}

/* An object that was made: a string or a number is itself, of another there is its text. */
static struct expression_value made_value(struct evaluation *e, struct machine *m, const struct machine_answer *a)
{
    struct expression_value out = expression_number('L', a->value.bits);
    const char *text = NULL, *type = machine_type(m, a->value.bits);
    struct jvalue number;
    char letter;
    if (a->value.bits >= MADE_FIRST && machine_unboxed(m, a->value, &number, &letter))
        out = expression_number(letter, number.bits);
    else if (a->value.bits >= MADE_FIRST && type != NULL && strcmp(type, string_type) == 0 &&
             machine_text(m, a->value, 'L', &text) == OUTCOME_VALUE) {
        struct writer w = { 0 };
        write_bytes(&w, text, strlen(text));
        out = value_text(e, &w);
    }
    out.type = a->type;
    return out;
}

void executed_shown(struct evaluating *w, struct expression_value *v)
{
    const struct jvalue object = { .kind = 'A', .bits = v->bits };
    const char *text;
    if (machine_text(w->machine, object, 'L', &text) != OUTCOME_VALUE)
        text = machine_type(w->machine, v->bits);
    v->kind = EXPRESSION_TEXT;
    v->text = text;
    v->note = "made by the expression";
}

/* The class that a name in the source means, with dots: of this name, of this own name, or one of the JDK. `*loader`:
 * of the class that asks, then that of the class. */
static const char *class_called(struct evaluating *w, struct arena *arena, const char *name, uint64_t *loader)
{
    static const char *const packages[] = { "java.lang.", "java.util.", "java.math.", "java.util.stream." };
    hs_trace *t = w->nav->trace;
    const struct hs_class *c = class_typed(t, name, *loader);
    *loader = c != NULL ? c->loader_id : 0;
    if (c != NULL || strchr(name, '.') != NULL)
        return c != NULL ? c->name : name;
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        const size_t size = strlen(packages[i]);
        char *full = arena_chars(arena, size + strlen(name) + 1);
        if (full == NULL)
            return NULL;
        memcpy(full, packages[i], size);
        memcpy(full + size, name, strlen(name) + 1);
        if (machine_knows(full))
            return full;
    }
    return name;
}

enum expression_answer executed_is_a(void *context, uint64_t id, const char *name, const char **full)
{
    struct evaluating *w = context;
    uint64_t loader = 0;
    if (id < MADE_FIRST || w->machine == NULL)
        return trace_objects.is_a(context, id, name, full);
    *full = class_called(w, &w->past.arena, name, &loader);
    const int is =
        *full != NULL ? machine_is_instance(w->machine, (struct jvalue){ .kind = 'A', .bits = id }, *full) : -1;
    return is < 0 ? EXPRESSION_NOT_KNOWN : is > 0 ? EXPRESSION_YES : EXPRESSION_NO;
}

/* The answer of the machine as a value. */
static struct expression_value value_of(struct evaluation *e, struct machine *m, enum outcome outcome,
                                        const struct machine_answer *a)
{
    struct expression_value out = expression_unknown;
    switch (outcome) {
    case OUTCOME_VALUE:
        return jvalue_kind(a->letter) == 'A' ? made_value(e, m, a) : expression_number(a->letter, a->value.bits);
    case OUTCOME_THROWN: return value_thrown(machine_why(m));
    case OUTCOME_NO_MEMORY: e->status = error_memory(e->err, "expression"); break;
    case OUTCOME_NOT_KNOWN:
    case OUTCOME_LIMIT: out.missing = machine_why(m); break;
    }
    return out;
}

bool executed_text(struct evaluation *e, const struct expression_value *v, struct expression_value *out)
{
    struct machine *m = machine_of(e);
    struct jvalue value;
    const char *text = NULL;
    char letter;
    *out = expression_unknown;
    if (v->kind == EXPRESSION_TEXT && v->text != NULL)
        return *out = *v, true;
    if (m == NULL)
        return true;
    if (!argument(m, v, &value, &letter)) {
        out->missing = v->missing;
        return evaluating(e)->strict;
    }
    const enum outcome o = machine_text(m, value, letter, &text);
    struct writer w = { 0 };
    if (o == OUTCOME_VALUE) {
        write_bytes(&w, text, strlen(text));
        *out = value_text(e, &w);
        return true;
    }
    *out = value_of(e, m, o, &(struct machine_answer){ .value = value, .letter = letter });
    return out->thrown != NULL || e->status != OK || evaluating(e)->strict;
}

struct expression_value executed_member(struct evaluation *e, const struct expression_value *object, const char *name)
{
    struct machine *m = machine_of(e);
    struct machine_answer out;
    if (m == NULL)
        return expression_unknown;
    if (strcmp(name, "length") == 0)
        return executed_element(e, object, -1);
    const enum outcome o =
        machine_member(m, (struct jvalue){ .kind = 'A', .bits = object->bits }, object->type, name, &out);
    return value_of(e, m, o, &out);
}

struct expression_value executed_element(struct evaluation *e, const struct expression_value *array, int64_t index)
{
    struct machine *m = machine_of(e);
    struct machine_answer out;
    if (m == NULL)
        return expression_unknown;
    const enum outcome o = machine_element(m, (struct jvalue){ .kind = 'A', .bits = array->bits }, index, &out);
    return value_of(e, m, o, &out);
}

/* The type in full, "a.b.Class[]" for "Class[]"; NULL: memory is out. */
static const char *full_type(struct evaluation *e, const char *type)
{
    const size_t bare = strcspn(type, "["), brackets = strlen(type + bare);
    uint64_t loader = evaluating_loader(e);
    char *name = arena_chars(e->arena, bare + 1);
    if (name == NULL)
        return NULL;
    memcpy(name, type, bare);
    name[bare] = '\0';
    const char *of = expression_kind_called(name) != 0 ? name : class_called(evaluating(e), e->arena, name, &loader);
    char *full = of != NULL ? arena_chars(e->arena, strlen(of) + brackets + 1) : NULL;
    if (full == NULL)
        return NULL;
    memcpy(full, of, strlen(of));
    memcpy(full + strlen(of), type + bare, brackets + 1);
    return full;
}

bool executed_static(struct evaluation *e, const char *class_name, const char *field, struct expression_value *out)
{
    uint64_t loader = evaluating_loader(e);
    struct machine *m = machine_of(e);
    const char *owner = m != NULL ? class_called(evaluating(e), e->arena, class_name, &loader) : NULL;
    struct machine_answer a;
    if (owner == NULL || !machine_static(m, owner, field, &a))
        return false;
    *out = made_value(e, m, &a);
    return true;
}

struct expression_value executed_array(struct evaluation *e, const char *type, const struct expression_value *values,
                                       size_t count, bool sized)
{
    struct machine *m = machine_of(e);
    struct expression_value none = expression_unknown;
    struct jvalue *given = arena_array(e->arena, count + 1, sizeof *given);
    int32_t *lengths = arena_array(e->arena, count + 1, sizeof *lengths);
    const char *full = m != NULL ? full_type(e, type) : NULL;
    char *component = full != NULL ? arena_chars(e->arena, strlen(full) + 1) : NULL;
    struct machine_answer out = { .letter = 'L', .type = full };
    if (given == NULL || lengths == NULL || component == NULL)
        return none;
    memcpy(component, full, strlen(full) + 1);
    component[strlen(full) - 2] = '\0';
    const char primitive = expression_kind_called(component);
    for (size_t i = 0; i < count; i++) {
        char letter;
        const bool cast = sized || (primitive != 0 && values[i].known);
        const struct expression_value v = cast ? value_cast(e, sized ? 'I' : primitive, &values[i]) : values[i];
        if (v.thrown != NULL || e->status != OK)
            return v;
        if (!argument(m, &v, &given[i], &letter)) {
            none.missing = v.missing;
            return none;
        }
        if (!sized && primitive == 0 && given[i].kind != 'A' &&
            (!machine_box(m, letter, given[i].bits, &given[i]) || !machine_is_instance(m, given[i], component)))
            return evaluation_fail(e, "an element of an array of objects is an object; here", type);
        lengths[i] = (int32_t)given[i].bits;
    }
    const enum outcome o = sized ? machine_arrays(m, full, lengths, (unsigned)count, &out.value)
                                 : machine_array(m, full, primitive != 0 ? primitive : 'L', given, count, &out.value);
    return value_of(e, m, o, &out);
}

struct expression_value value_executed(struct evaluation *e, const struct expression_call *c,
                                       const struct expression_value *receiver)
{
    enum { ARGUMENTS_MAX = 64 };
    struct jvalue given[ARGUMENTS_MAX];
    struct machine_answer answer;
    char letters[ARGUMENTS_MAX], letter;
    const char *types[ARGUMENTS_MAX];
    struct expression_value out = expression_unknown;
    struct machine *m = machine_of(e);
    if (m == NULL || c->count > ARGUMENTS_MAX)
        return out;
    struct machine_call call = { .name = c->name,
                                 .loader = evaluating_loader(e),
                                 .arguments = given,
                                 .letters = letters,
                                 .types = types,
                                 .count = (unsigned)c->count };
    for (size_t i = 0; i < c->count; i++) {
        const struct expression_value *v = &c->arguments[i];
        types[i] = v->kind == EXPRESSION_TEXT ? string_type : v->type;
        if (!argument(m, v, &given[i], &letters[i])) {
            out.missing = v->missing;
            return out;
        }
    }
    if (receiver != NULL) {
        call.receiver_type = receiver->kind == EXPRESSION_TEXT ? string_type : receiver->type;
        if (!argument(m, receiver, &call.receiver, &letter) || letter != 'L') {
            out.missing = receiver->missing;
            return out;
        }
    } else {
        call.owner = c->owner != NULL ? class_called(evaluating(e), e->arena, c->owner, &call.loader) : NULL;
        if (call.owner == NULL)
            return out;
    }
    const enum outcome outcome = machine_call(m, &call, &answer);
    if (outcome == OUTCOME_VALUE && answer.letter == 'V')
        return evaluation_fail(e, "the method gives no value", c->name);
    return value_of(e, m, outcome, &answer);
}
