/* invoked.c - calls that a debugger makes at a moment; see session.h. */
#include <stdlib.h>
#include <string.h>

#include "reader/session/evaluating.h"

enum { GIVEN_MAX = 256 };
static const char misfit[] = "what a method does with arguments that it does not take";

struct nav_calls {
    hs_trace *trace;
    uint64_t seq;
    struct past_heap past;
    struct machine *machine;
};

struct nav_calls *nav_calls_new(struct nav *nav, uint64_t seq)
{
    struct nav_calls *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->trace = nav->trace;
    c->seq = seq;
    c->machine = executed_machine(c->trace, seq, &c->past);
    if (c->machine != NULL)
        return c;
    nav_calls_free(c);
    return NULL;
}

void nav_calls_free(struct nav_calls *c)
{
    if (c == NULL)
        return;
    machine_free(c->machine);
    past_heap_done(&c->past);
    free(c);
}

uint64_t nav_calls_seq(const struct nav_calls *c) { return c->seq; }
size_t nav_calls_made(const struct nav_calls *c) { return machine_made(c->machine); }

bool nav_jdk_method(struct nav_calls *c, const char *type, uint64_t loader, size_t *at, struct nav_jdk_method *out)
{
    struct machine_method m;
    if (!machine_jdk_method(c->machine, type, loader, at, &m))
        return false;
    *out = (struct nav_jdk_method){ m.owner, m.name, m.desc, m.is_static };
    return true;
}

bool nav_jdk_method_at(size_t number, struct nav_jdk_method *out)
{
    struct machine_method m;
    if (!machine_jdk_method_at(number, &m))
        return false;
    *out = (struct nav_jdk_method){ m.owner, m.name, m.desc, m.is_static };
    return true;
}

static struct expression_value not_known(const char *what)
{
    struct expression_value v = expression_unknown;
    v.missing = what;
    return v;
}

/* What the machine gave; a string that was made is its text. */
static struct expression_value given(struct nav_calls *c, enum outcome o, struct jvalue result, char letter)
{
    struct expression_value v = expression_unknown;
    const char *text;
    switch (o) {
    case OUTCOME_NOT_KNOWN:
    case OUTCOME_LIMIT: return not_known(machine_why(c->machine));
    case OUTCOME_NO_MEMORY: return not_known("memory is out");
    case OUTCOME_THROWN:
        v.thrown = machine_why(c->machine);
        v.bits = result.bits;
        return v;
    case OUTCOME_VALUE: break;
    }
    v = expression_number(letter == '[' ? 'L' : letter, result.bits);
    if (v.kind != HS_KIND_REF || v.bits < MADE_FIRST)
        return v;
    const char *type = machine_type(c->machine, v.bits);
    if (type != NULL && strcmp(type, "java.lang.String") == 0 &&
        machine_text(c->machine, result, 'L', &text) == OUTCOME_VALUE) {
        v.kind = EXPRESSION_TEXT;
        v.text = text;
    }
    return v;
}

/* Are these what a method with this descriptor takes, behind a receiver or not? */
static bool fits(const char *desc, bool receiver, const struct jvalue *arguments, size_t count)
{
    size_t at = 1, k = receiver;
    if (receiver && (count == 0 || arguments[0].kind != 'A' || arguments[0].bits == 0))
        return false;
    for (size_t size; desc[at] != ')'; at += size, k++) {
        size = descriptor_type_length(desc + at, strlen(desc + at));
        if (size == 0 || k == count || arguments[k].kind != jvalue_kind(desc[at]))
            return false;
    }
    return k == count;
}

static bool taken(struct nav_calls *c, const struct expression_value *v, struct jvalue *out)
{
    const char letter = v->kind == EXPRESSION_TEXT ? 'L' : v->kind;
    *out = (struct jvalue){ .kind = jvalue_kind(letter), .bits = v->bits };
    return v->known && (v->kind != EXPRESSION_TEXT || machine_string(c->machine, v->text, out));
}

static struct expression_value call_jdk(struct nav_calls *c, const struct nav_jdk_method *jdk,
                                        const struct jvalue *arguments, unsigned count)
{
    const struct machine_method m = { jdk->owner, jdk->name, jdk->desc, jdk->is_static };
    struct jvalue result;
    if (!fits(jdk->desc, !jdk->is_static, arguments, count))
        return not_known(misfit);
    const enum outcome o = machine_dispatch(c->machine, NULL, &m, arguments, count, &result);
    const char *returns = strchr(jdk->desc, ')');
    return given(c, o, result, returns != NULL ? returns[1] : 'V');
}

/* `arguments` begins with room for the object that a constructor makes. */
static struct expression_value call_woven(struct nav_calls *c, const struct nav_call *call, struct jvalue *arguments,
                                          unsigned count)
{
    const struct hs_method *m = hs_method_get(c->trace, call->method_id);
    const struct hs_class *of = m != NULL ? hs_class_get(c->trace, m->class_no) : NULL;
    struct jvalue result;
    if (of == NULL)
        return not_known("the class of the method");
    const bool makes = strcmp(m->name, "<init>") == 0;
    const struct machine_method names = { of->name, m->name, m->desc, (m->access & ACC_STATIC) != 0 };
    if (!fits(m->desc, !makes && !names.is_static, arguments + 1, count))
        return not_known(misfit);
    if (makes && !machine_object(c->machine, of, &arguments[0]))
        return not_known(machine_why(c->machine));
    const enum outcome o = makes || call->exact
                               ? machine_invoke(c->machine, of, m, arguments + !makes, count + makes, &result)
                               : machine_dispatch(c->machine, of, &names, arguments + 1, count, &result);
    const char *returns = strchr(m->desc, ')');
    if (makes && o == OUTCOME_VALUE)
        return given(c, o, arguments[0], 'L');
    return given(c, o, result, returns != NULL ? returns[1] : 'V');
}

struct expression_value nav_call(struct nav_calls *c, const struct nav_call *call)
{
    struct jvalue arguments[GIVEN_MAX + 1];
    if (call->count > GIVEN_MAX)
        return not_known("a call with so many arguments");
    for (size_t i = 0; i < call->count; i++)
        if (!taken(c, &call->given[i], &arguments[1 + i]))
            return not_known(call->given[i].missing != NULL ? call->given[i].missing : "an argument");
    const struct expression_value v = call->jdk != NULL ? call_jdk(c, call->jdk, arguments + 1, (unsigned)call->count)
                                                        : call_woven(c, call, arguments, (unsigned)call->count);
    machine_forget(c->machine);
    return v;
}

/* ---- what was made ---- */

const char *nav_made_type(struct nav_calls *c, uint64_t id, uint64_t *loader)
{
    if (id < NAV_MADE || id - NAV_MADE >= machine_made(c->machine))
        return NULL;
    return machine_class(c->machine, id, loader);
}

struct expression_value nav_made_field(struct nav_calls *c, uint64_t id, const char *as, const char *name)
{
    struct machine_answer a;
    const enum outcome o = machine_member(c->machine, (struct jvalue){ .kind = 'A', .bits = id }, as, name, &a);
    return given(c, o, a.value, a.letter);
}

struct expression_value nav_made_element(struct nav_calls *c, uint64_t id, int64_t index)
{
    struct machine_answer a;
    const enum outcome o = machine_element(c->machine, (struct jvalue){ .kind = 'A', .bits = id }, index, &a);
    return given(c, o, a.value, a.letter);
}
