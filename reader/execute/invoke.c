/* invoke.c - calls: which method runs, and with what; see machine.h. JVMS 5.4.6, 6.5 invokevirtual and the others. */
#include "formats/jvm/arithmetic.h"
#include "reader/execute/machine.h"

static bool lambda_has(const struct made *lambda, struct text name)
{
    return lambda->name != NULL && text_is(name, lambda->name);
}

/* Of the interface that a lambda implements. */
static const struct hs_method *default_method(struct machine *m, const struct made *lambda, const struct invocation *i,
                                              const struct hs_class **of)
{
    const struct lineage *c = lineage_of(m->trace, lambda->type, lambda->from != NULL ? lambda->from->loader_id : 0);
    return c != NULL ? select_method(m, c, i->ref.name, i->ref.desc, of) : NULL;
}

/* The method that the call runs; NULL: one that is not woven. */
static const struct hs_method *target(struct machine *m, const struct invocation *i, const struct hs_class **of)
{
    const struct lineage *owner =
        i->ref.owner.size > 0 ? class_named(m, i->ref.owner, i->from != NULL ? i->from->loader_id : 0) : NULL;
    if (i->is_static || i->special)
        return owner != NULL ? select_method(m, owner, i->ref.name, i->ref.desc, of) : NULL;
    const struct hs_method *own =
        owner != NULL && owner->woven ? select_method(m, owner, i->ref.name, i->ref.desc, of) : NULL;
    if (own != NULL && (own->access & ACC_PRIVATE) != 0) /* of a nest mate */
        return own;
    const struct made *made = made_of(m, i->given[0]);
    if (made != NULL && made->is == MADE_LAMBDA) /* a default method, or its own */
        return lambda_has(made, i->ref.name) ? NULL : default_method(m, made, i, of);
    const struct lineage *c = class_of_object(m, i->given[0]);
    return c != NULL ? select_method(m, c, i->ref.name, i->ref.desc, of) : NULL;
}

/* A value as a parameter or result of that type takes it: boxed or unboxed. */
static bool adapted(struct machine *m, struct jvalue v, char letter, struct jvalue *out)
{
    *out = v;
    if (v.kind == jvalue_kind(letter) || letter == 'V')
        return true;
    if (v.kind != 'A' && jvalue_kind(letter) == 'A')
        return known(m, v) && make_box(m, v.kind, v.bits, out);
    static const char names[][16] = { ['Z' - 'A'] = "booleanValue", ['B' - 'A'] = "byteValue",
                                      ['C' - 'A'] = "charValue",    ['S' - 'A'] = "shortValue",
                                      ['I' - 'A'] = "intValue",     ['J' - 'A'] = "longValue",
                                      ['F' - 'A'] = "floatValue",   ['D' - 'A'] = "doubleValue" };
    if (v.kind == 'A' && letter >= 'A' && letter <= 'Z' && names[letter - 'A'][0] != '\0') {
        char desc[4] = { '(', ')', letter, '\0' };
        const char *name = names[letter - 'A'];
        const struct invocation unbox = { .ref = { .name = { name, strlen(name) }, .desc = { desc, 3 } },
                                          .given = &v,
                                          .count = 1 };
        if (!known(m, v))
            return false;
        return v.bits == 0 ? throws_unsaid(m, "java.lang.NullPointerException") : m->invoke(m, &unbox, out);
    }
    return end_not_known(m, "a conversion of a lambda's value");
}

/* Executes the method that a lambda or method reference stands for. */
static bool invoke_lambda(struct machine *m, const struct made *lambda, const struct invocation *call,
                          struct jvalue *out)
{
    enum { HANDLE_VIRTUAL = 5, HANDLE_STATIC, HANDLE_SPECIAL, HANDLE_NEW, HANDLE_INTERFACE, GIVEN_MAX = 256 };
    struct jvalue given[GIVEN_MAX], made, result = { .kind = 'V' };
    const unsigned kind = lambda->handle_kind, shift = kind == HANDLE_NEW;
    struct invocation i = { .ref = lambda->target,
                            .is_static = kind == HANDLE_STATIC,
                            .special = kind == HANDLE_SPECIAL || kind == HANDLE_NEW,
                            .from = lambda->from,
                            .given = given,
                            .count = shift + lambda->count + call->count - 1 };
    if (kind < HANDLE_VIRTUAL || i.count > GIVEN_MAX)
        return end_not_known(m, "a method handle of a lambda");
    if (kind == HANDLE_NEW) {
        const struct lineage *c = class_named(m, i.ref.owner, lambda->from->loader_id);
        const char *type = keep_text(m, i.ref.owner, true);
        struct made *object = make(m, c != NULL && c->woven ? MADE_PLAIN : MADE_UNWOVEN, type, &made);
        if (object == NULL)
            return false;
        object->class = c != NULL && c->woven ? c : NULL;
        given[0] = made;
    }
    const bool receiver = kind == HANDLE_VIRTUAL || kind == HANDLE_SPECIAL || kind == HANDLE_INTERFACE;
    size_t at = 1;
    for (unsigned k = 0; k + shift < i.count; k++) {
        const struct jvalue v = k < lambda->count ? lambda->values[k] : call->given[1 + k - lambda->count];
        if (k == 0 && receiver) {
            given[0] = v;
            continue;
        }
        const size_t size =
            at < i.ref.desc.size ? descriptor_type_length(i.ref.desc.data + at, i.ref.desc.size - at) : 0;
        if (size == 0 || !adapted(m, v, i.ref.desc.data[at], &given[k + shift]))
            return end_not_known(m, "a lambda whose arguments do not fit");
        at += size;
    }
    if (receiver && (given[0].kind != 'A' || given[0].unknown || given[0].bits == 0))
        return given[0].kind == 'A' && !given[0].unknown ? throws_unsaid(m, "java.lang.NullPointerException")
                                                         : end_not_known(m, "the receiver of a method reference");
    if (!m->invoke(m, &i, &result))
        return false;
    const char *returns = memchr(call->ref.desc.data, ')', call->ref.desc.size);
    if (returns == NULL || returns[1] == 'V')
        return *out = (struct jvalue){ .kind = 'V' }, true;
    return adapted(m, kind == HANDLE_NEW ? made : result, returns[1], out);
}

bool invoke_method(struct machine *m, const struct hs_class *of, const struct hs_method *method,
                   const struct jvalue *given, unsigned count, struct jvalue *out)
{
    const struct method *code = method_get(m->trace, method->method_id);
    if (code == NULL)
        return end_not_known(m, "%s.%s has no code in the trace", of->name, method->name);
    if (!interpret(m, of, code, given, count, out))
        return false;
    const char *returns = strchr(method->desc, ')');
    if (returns != NULL && strchr("ZBCS", returns[1]) != NULL && !out->unknown)
        out->bits = arithmetic_narrowed((unsigned char)returns[1], out->bits);
    return true;
}

bool invoke(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct hs_class *of = NULL;
    const struct hs_method *method = target(m, i, &of);
    if (m->ended != OUTCOME_VALUE || !spend(m, CALL_STEPS))
        return false;
    if (m->calls >= CALLS_MAX)
        return end_limit(m, "it calls too deeply");
    const struct made *made = i->is_static ? NULL : made_of(m, i->given[0]);
    m->calls++;
    const bool done = method != NULL ? invoke_method(m, of, method, i->given, i->count, out)
                      : made != NULL && made->is == MADE_LAMBDA && lambda_has(made, i->ref.name)
                          ? invoke_lambda(m, made, i, out)
                          : invoke_native(m, i, out);
    m->calls--;
    return done;
}
