/* dynamic.c - constants of classes and strings, and invokedynamic: concatenation, lambdas, methods of records, switches
 * over types; see machine.h. JVMS 6.5 invokedynamic, java.lang.invoke. */
#include "formats/jvm/arithmetic.h"
#include "formats/mutf8.h"
#include "reader/execute/natives.h"

static bool make_modified(struct machine *m, struct text t, struct jvalue *out)
{
    struct writer w = { 0 };
    const bool good = mutf8_to_utf8(t.data, t.size, &w) && !w.bad;
    const bool done = good ? make_text(m, (const char *)w.data, w.size, out)
                           : end_not_known(m, "a string of the class file is malformed");
    writer_free(&w);
    return done;
}

bool class_constant(struct machine *m, const struct cpool *cp, uint32_t index, struct jvalue *out)
{
    struct text t;
    const uint8_t *entry = cpool_entry(cp, index);
    if (entry == NULL || *entry != CONSTANT_String || !cpool_utf8(cp, be2(entry + 1), &t)) {
        *out = unknown(m, 'A', "an object of a class, or a constant that is computed");
        return m->ended == OUTCOME_VALUE;
    }
    if (!make_modified(m, t, out))
        return false;
    made_of(m, *out)->shared = true;
    return true;
}

/* A call site, as its bootstrap method has it. */
struct call_site {
    const struct hs_class *of;
    const struct method *code;
    const struct jvalue *given;
    unsigned count;
    struct text name, desc;
    struct member_ref bootstrap;
    uint32_t constants;
    struct reader r; /* before the first of the constants: u2 indices */
};

static bool append_constant(struct machine *m, units_vec *to, const struct call_site *s, uint32_t index)
{
    const struct cpool *cp = &s->code->classfile->cp;
    struct jvalue v;
    return class_constant(m, cp, index, &v) && append_text(m, to, v, 'L');
}

/* StringConcatFactory: \1 in its recipe is the next argument, \2 the next constant; without one, all arguments. */
static bool concatenated(struct machine *m, struct call_site *s, struct jvalue *out)
{
    units_vec text = { 0 };
    uint32_t count = s->count;
    const uint16_t *recipe = NULL;
    struct jvalue v;
    if (text_is(s->bootstrap.name, "makeConcatWithConstants")) {
        if (s->constants == 0 || !class_constant(m, &s->code->classfile->cp, read_u2(&s->r), &v) || v.unknown ||
            (recipe = units_of(m, v, &count)) == NULL)
            return end_not_known(m, "a recipe of a concatenation");
    }
    bool good = true;
    size_t at = 1;
    for (uint32_t i = 0, next = 0, more = s->constants; i < count && good; i++) {
        if (recipe == NULL || recipe[i] == 1) {
            if (next == s->count)
                return vec_free(&text), end_not_known(m, "a recipe of a concatenation");
            good = append_text(m, &text, s->given[next++], s->desc.data[at]);
            at += descriptor_type_length(s->desc.data + at, s->desc.size - at);
        } else if (recipe[i] == 2) {
            good = more > 1 && append_constant(m, &text, s, read_u2(&s->r));
            more--;
        } else {
            uint16_t *unit = vec_push(&text);
            good = unit != NULL || end_memory(m);
            if (unit != NULL)
                *unit = recipe[i];
        }
    }
    return good ? finish_text(m, &text, out) : (vec_free(&text), false);
}

static bool make_lambda(struct machine *m, struct call_site *s, struct jvalue *out)
{
    const struct cpool *cp = &s->code->classfile->cp;
    (void)read_u2(&s->r);
    const uint32_t index = read_u2(&s->r);
    const uint8_t *handle = cpool_entry(cp, index);
    struct member_ref target;
    if (s->r.bad || handle == NULL || !cpool_method_handle(cp, index, &target))
        return end_not_known(m, "a lambda of a malformed class file");
    const char *returns = memchr(s->desc.data, ')', s->desc.size);
    const size_t at = returns != NULL ? (size_t)(returns - s->desc.data) + 2 : s->desc.size;
    if (at + 1 > s->desc.size)
        return end_not_known(m, "a lambda of a malformed class file");
    const char *type = keep_text(m, (struct text){ s->desc.data + at, s->desc.size - at - 1 }, true);
    if (type == NULL || !make_values(m, MADE_LAMBDA, type, s->given, s->count, 'L', out))
        return false;
    struct made *lambda = made_of(m, *out);
    lambda->handle_kind = handle[1];
    lambda->target = target;
    lambda->from = s->of;
    lambda->name = keep_text(m, s->name, false);
    return lambda->name != NULL;
}

/* ---- java.lang.runtime.ObjectMethods ---- */

static bool component(struct machine *m, const struct call_site *s, struct reader *r, struct jvalue object,
                      char *letter, struct jvalue *out)
{
    const uint8_t *handle = cpool_entry(&s->code->classfile->cp, read_u2(r));
    if (r->bad || handle == NULL || *handle != CONSTANT_MethodHandle)
        return end_not_known(m, "a record of a malformed class file");
    const struct field_site *f = field_site_of(m, s->of, s->code, be2(handle + 2));
    if (f == NULL || !get_member(m, object, f, out))
        return false;
    *letter = f->letter;
    return known(m, *out);
}

static bool record_text(struct machine *m, struct call_site *s, struct text names, struct jvalue *out)
{
    units_vec text = { 0 };
    const char *simple = s->of->name;
    for (const char *p = simple; *p != '\0'; p++)
        if (*p == '.' || *p == '$')
            simple = p + 1;
    bool good = append_ascii(m, &text, simple) && append_ascii(m, &text, "[");
    for (size_t from = 0, n = 0; good && n + 2 < s->constants; n++) {
        size_t to = from;
        while (to < names.size && names.data[to] != ';')
            to++;
        struct jvalue v, name;
        char letter;
        good = (n == 0 || append_ascii(m, &text, ", ")) &&
               make_modified(m, (struct text){ names.data + from, to - from }, &name) &&
               append_text(m, &text, name, 'L') && append_ascii(m, &text, "=") &&
               component(m, s, &s->r, s->given[0], &letter, &v) && append_text(m, &text, v, letter);
        from = to + 1;
    }
    good = good && append_ascii(m, &text, "]");
    return good ? finish_text(m, &text, out) : (vec_free(&text), false);
}

static bool record_equals(struct machine *m, struct call_site *s, struct jvalue *out)
{
    *out = int_value(0);
    const struct jvalue a = s->given[0], b = s->given[1];
    const char *type = b.unknown || b.bits == 0 ? NULL : machine_type(m, b.bits);
    if (!known(m, b))
        return false;
    bool equal = type != NULL && strcmp(type, s->of->name) == 0;
    for (uint32_t n = 0; equal && n + 2 < s->constants; n++) {
        struct jvalue x, y;
        struct reader again = s->r;
        char letter;
        if (!component(m, s, &s->r, a, &letter, &x) || !component(m, s, &again, b, &letter, &y))
            return false;
        if (jvalue_kind(letter) != 'A')
            equal =
                x.bits == y.bits ||
                (letter == 'D' && as_double(x.bits) != as_double(x.bits) && as_double(y.bits) != as_double(y.bits)) ||
                (letter == 'F' && as_float(x.bits) != as_float(x.bits) && as_float(y.bits) != as_float(y.bits));
        else if (!values_equal(m, x, y, &equal))
            return false;
    }
    *out = int_value(equal);
    return true;
}

static bool record_hash(struct machine *m, struct call_site *s, struct jvalue *out)
{
    uint32_t hash = 0;
    for (uint32_t n = 0; n + 2 < s->constants; n++) {
        struct jvalue v, one;
        char letter;
        int32_t part;
        if (!component(m, s, &s->r, s->given[0], &letter, &v))
            return false;
        one = v;
        if (jvalue_kind(letter) != 'A' && !make_box(m, letter, v.bits, &one))
            return false;
        if (!value_hash(m, one, &part))
            return false;
        hash = 31 * hash + (uint32_t)part;
    }
    *out = int_value((int32_t)hash);
    return true;
}

static bool of_record(struct machine *m, struct call_site *s, struct jvalue *out)
{
    const struct cpool *cp = &s->code->classfile->cp;
    struct text names = { 0 };
    (void)read_u2(&s->r);
    const uint8_t *text = cpool_entry(cp, read_u2(&s->r));
    if (s->constants < 2 || text == NULL || *text != CONSTANT_String || !cpool_utf8(cp, be2(text + 1), &names))
        return end_not_known(m, "a record of a malformed class file");
    return text_is(s->name, "toString") ? record_text(m, s, names, out)
           : text_is(s->name, "equals") ? record_equals(m, s, out)
                                        : record_hash(m, s, out);
}

/* ---- java.lang.runtime.SwitchBootstraps ---- */

static bool type_switch(struct machine *m, struct call_site *s, struct jvalue *out)
{
    const struct cpool *cp = &s->code->classfile->cp;
    const struct jvalue v = s->given[0];
    if (s->count != 2 || v.unknown || s->given[1].unknown)
        return end_not_known(m, "what a switch depends on");
    *out = int_value(-1);
    if (v.bits == 0)
        return true;
    for (uint32_t n = 0; n < s->constants; n++) {
        const uint32_t index = read_u2(&s->r);
        struct text name;
        enum sure sure = UNSURE;
        if (n < s->given[1].bits)
            continue;
        if (cpool_class(cp, index, &name)) {
            sure = is_instance(m, v, name);
        } else if (cpool_tag(cp, index) == CONSTANT_String) {
            struct jvalue label;
            bool equal;
            if (!class_constant(m, cp, index, &label) || !values_equal(m, label, v, &equal))
                return false;
            sure = equal ? SURE_YES : SURE_NO;
        }
        if (sure == UNSURE)
            return end_not_known(m, "which case of a switch is taken");
        if (sure == SURE_YES)
            return *out = int_value(n), true;
    }
    *out = int_value(s->constants);
    return true;
}

bool invoke_dynamic(struct machine *m, const struct hs_class *of, const struct method *code, const struct insn *in,
                    const struct jvalue *given, unsigned count, struct jvalue *out)
{
    struct call_site s = { .of = of, .code = code, .given = given, .count = count };
    uint32_t index;
    if (!cpool_dynamic(&code->classfile->cp, (uint32_t)in->operand, &index, &s.name, &s.desc) ||
        !code_bootstrap(code->classfile, index, &s.bootstrap, &s.r))
        return end_not_known(m, "an invokedynamic of a malformed class file");
    s.constants = read_u2(&s.r);
    const struct text owner = s.bootstrap.owner;
    if (text_is(owner, "java/lang/invoke/StringConcatFactory"))
        return concatenated(m, &s, out);
    if (text_is(owner, "java/lang/invoke/LambdaMetafactory"))
        return make_lambda(m, &s, out);
    if (text_is(owner, "java/lang/runtime/ObjectMethods") && count > 0)
        return of_record(m, &s, out);
    if (text_is(s.bootstrap.name, "typeSwitch"))
        return type_switch(m, &s, out);
    return end_not_known(m, "an invokedynamic of %.*s", (int)owner.size, owner.data);
}
