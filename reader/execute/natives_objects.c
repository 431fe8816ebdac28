/* natives_objects.c - equals, hashCode and toString, enum constants and exceptions; see natives.h. */
#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives.h"

enum { ACC_ENUM = 0x4000 };

static const char *type_or(struct machine *m, struct jvalue v)
{
    const char *type = machine_type(m, v.bits);
    return type != NULL ? type : "an object";
}

/* ---- equals ---- */

static bool same_units(struct machine *m, struct jvalue a, struct jvalue b, bool *equal)
{
    uint32_t x, y;
    const uint16_t *p = units_of(m, a, &x), *q = p != NULL ? units_of(m, b, &y) : NULL;
    if (q == NULL)
        return false;
    *equal = x == y && memcmp(p, q, x * sizeof *p) == 0;
    return true;
}

/* Two numbers as equals of their boxes has them: NaN is itself, 0.0 is not -0.0. */
bool same_number(struct jvalue a, struct jvalue b)
{
    const bool both_nan = a.kind == 'D'
                              ? as_double(a.bits) != as_double(a.bits) && as_double(b.bits) != as_double(b.bits)
                          : a.kind == 'F' ? as_float(a.bits) != as_float(a.bits) && as_float(b.bits) != as_float(b.bits)
                                          : false;
    return a.bits == b.bits || both_nan;
}

/* What equals and hashCode of a collection go by. */
enum alike { ALIKE_UNKNOWN, ALIKE_ITSELF, ALIKE_LIST, ALIKE_SET, ALIKE_MAP, ALIKE_ENTRY };

static enum alike alike_by(struct machine *m, struct jvalue v, enum nature nature)
{
    static const struct {
        const char *super;
        enum alike alike;
    } types[] = { { "java.util.List", ALIKE_LIST }, { "java.util.Set", ALIKE_SET }, { "java.util.Map", ALIKE_MAP } };
    const char *type = machine_type(m, v.bits);
    if (nature == NATURE_ENTRY)
        return ALIKE_ENTRY;
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++) {
        const enum sure sure = is_subtype(m, type, class_of_object(m, v), types[i].super);
        if (sure != SURE_NO)
            return sure == SURE_YES ? types[i].alike : ALIKE_UNKNOWN;
    }
    return type != NULL ? ALIKE_ITSELF : ALIKE_UNKNOWN;
}

/* Is there an entry with this key (of a map) and value? */
static bool has_entry(struct machine *m, const struct held *in, const struct jvalue *key, struct jvalue value,
                      bool *there)
{
    *there = false;
    for (size_t i = 0; i < in->count && !*there; i++) {
        if (key != NULL && !values_equal(m, *key, in->keys[i], there))
            return false;
        if ((key == NULL || *there) && !values_equal(m, value, in->values[i], there))
            return false;
        if (key != NULL && *there)
            return true;
    }
    return true;
}

/* As equals of the class of `a` has it, where `b` is another object. */
static bool same_entries(struct machine *m, struct jvalue a, struct jvalue b, enum nature nature, bool *equal)
{
    struct held x, y;
    const char *type = type_or(m, a);
    const enum alike how = alike_by(m, a, nature), other = alike_by(m, b, nature_of(m, b));
    *equal = false;
    const struct made *view = made_of(m, a);
    if (how == ALIKE_UNKNOWN || other == ALIKE_UNKNOWN || (how == ALIKE_ITSELF && view != NULL && view->shared))
        return end_not_known(m, "whether two collections of %s are equal", type);
    if (how == ALIKE_ITSELF || how != other)
        return true;
    if (strncmp(type, "java.util.Tree", strlen("java.util.Tree")) == 0)
        return end_not_known(m, "whether two collections are equal by the order of %s", type);
    if (!entries_of(m, a, &x) || !entries_of(m, b, &y))
        return false;
    *equal = x.count == y.count;
    const bool keys = how == ALIKE_MAP || how == ALIKE_ENTRY;
    if (keys && *equal && x.count > 0 && (x.keys == NULL || y.keys == NULL))
        return end_not_known(m, "whether two collections of %s are equal", type);
    for (size_t i = 0; i < x.count && *equal; i++)
        if (how == ALIKE_LIST ? !values_equal(m, x.values[i], y.values[i], equal)
                              : !has_entry(m, &x, keys ? &y.keys[i] : NULL, y.values[i], equal))
            return false;
    return true;
}

static bool same_optionals(struct machine *m, struct jvalue a, struct jvalue b, bool *equal)
{
    struct held x, y;
    if (!entries_of(m, a, &x) || !entries_of(m, b, &y))
        return false;
    *equal = x.count == y.count && strcmp(type_or(m, a), type_or(m, b)) == 0;
    if (!*equal || x.count == 0)
        return true;
    if (x.values[0].kind == 'A')
        return values_equal(m, x.values[0], y.values[0], equal);
    *equal = same_number(x.values[0], y.values[0]);
    return known(m, x.values[0]) && known(m, y.values[0]);
}

static bool entries_hash(struct machine *m, struct jvalue v, enum nature nature, struct jvalue *out)
{
    struct held held;
    const enum alike how = alike_by(m, v, nature);
    const bool keys = how == ALIKE_MAP || how == ALIKE_ENTRY;
    uint32_t hash = how == ALIKE_LIST;
    if (how == ALIKE_UNKNOWN || how == ALIKE_ITSELF)
        return end_not_known(m, "the identity hash code of %s is not recorded", type_or(m, v));
    if (!entries_of(m, v, &held))
        return false;
    for (size_t k = 0; k < held.count; k++) {
        int32_t one, key = 0;
        if ((keys && held.keys != NULL && !value_hash(m, held.keys[k], &key)) || !value_hash(m, held.values[k], &one))
            return false;
        hash = (how == ALIKE_LIST ? 31 * hash : hash) + (uint32_t)(key ^ one);
    }
    *out = int_value((int32_t)hash);
    return true;
}

bool values_equal(struct machine *m, struct jvalue a, struct jvalue b, bool *equal)
{
    if (!known(m, a) || !known(m, b))
        return false;
    *equal = a.bits == b.bits;
    if (*equal || a.bits == 0 || b.bits == 0)
        return true;
    const struct jvalue given[2] = { a, b };
    const struct invocation call = { .ref = { .name = TEXT_OF("equals"), .desc = TEXT_OF("(Ljava/lang/Object;)Z") },
                                     .given = given,
                                     .count = 2 };
    struct jvalue out;
    if (!m->invoke(m, &call, &out) || !known(m, out))
        return false;
    *equal = out.bits != 0;
    return true;
}

bool object_equals(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct jvalue a = i->given[0], b = i->given[1];
    if (!known(m, b))
        return false;
    bool equal = a.bits == b.bits;
    *out = int_value(equal);
    if (equal || b.bits == 0)
        return true;
    const enum nature x = nature_of(m, a), y = nature_of(m, b);
    struct jvalue p, q;
    char letter, other;
    bool good = true;
    if (x != y && x != NATURE_OTHER && y != NATURE_OTHER)
        return true;
    if (x == NATURE_STRING && y == x) {
        good = same_units(m, a, b, &equal);
    } else if (x == NATURE_BOX && y == x) {
        good = unboxed(m, a, &p, &letter) && unboxed(m, b, &q, &other);
        equal = good && letter == other && same_number(p, q);
    } else if ((x == NATURE_LIST || x == NATURE_MAP || x == NATURE_ENTRY) && y == x) {
        good = same_entries(m, a, b, x, &equal);
    } else if (x == NATURE_OPTIONAL && y == x) {
        good = same_optionals(m, a, b, &equal);
    } else if (x == NATURE_CLASS && y == x) {
        equal = false; /* there is one object for each class */
    } else if (x == NATURE_CONSTANT || x == NATURE_ARRAY || x == NATURE_BUILDER || x == NATURE_THROWN) {
        equal = false; /* equals is that of Object */
    } else {
        const struct lineage *c = class_of_object(m, a);
        if (c == NULL || !c->woven || is_subtype(m, c->name, c, "java.lang.Record") != SURE_NO)
            return end_not_known(m, "equals of %s is not woven", type_or(m, a));
    }
    *out = int_value(equal);
    return good;
}

/* ---- hashCode ---- */

bool value_hash(struct machine *m, struct jvalue v, int32_t *hash)
{
    if (!known(m, v))
        return false;
    *hash = 0;
    if (v.bits == 0)
        return true;
    const struct invocation call = { .ref = { .name = TEXT_OF("hashCode"), .desc = TEXT_OF("()I") },
                                     .given = &v,
                                     .count = 1 };
    struct jvalue out;
    if (!m->invoke(m, &call, &out) || !known(m, out))
        return false;
    *hash = (int32_t)out.bits;
    return true;
}

/* As the classes of boxes have it. */
int32_t number_hash(struct jvalue v, char letter)
{
    uint64_t bits = v.bits;
    switch (letter) {
    case 'Z': return bits != 0 ? 1231 : 1237;
    case 'F': return as_float(bits) != as_float(bits) ? 0x7fc00000 : (int32_t)bits;
    case 'D':
        if (as_double(bits) != as_double(bits))
            bits = UINT64_C(0x7ff8000000000000);
        return (int32_t)(bits ^ bits >> 32);
    case 'J': return (int32_t)(bits ^ bits >> 32);
    default: return (int32_t)bits;
    }
}

bool object_hash(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct jvalue v = i->given[0];
    const enum nature nature = nature_of(m, v);
    uint32_t count, hash = 0;
    if (nature == NATURE_STRING) {
        const uint16_t *units = units_of(m, v, &count);
        for (uint32_t k = 0; units != NULL && k < count; k++)
            hash = 31 * hash + units[k];
        *out = int_value((int32_t)hash);
        return units != NULL;
    }
    if (nature == NATURE_BOX) {
        struct jvalue number;
        char letter;
        if (!unboxed(m, v, &number, &letter))
            return false;
        *out = int_value(number_hash(number, letter));
        return true;
    }
    if (nature == NATURE_OPTIONAL) {
        struct held h;
        int32_t one = 0;
        if (!entries_of(m, v, &h) || (h.count > 0 && !known(m, h.values[0])) ||
            (h.count > 0 && h.values[0].kind == 'A' && !value_hash(m, h.values[0], &one)))
            return false;
        *out = int_value(h.count > 0 && h.values[0].kind != 'A' ? number_hash(h.values[0], h.values[0].kind) : one);
        return true;
    }
    if (nature == NATURE_LIST || nature == NATURE_MAP || nature == NATURE_ENTRY)
        return entries_hash(m, v, nature, out);
    return end_not_known(m, "the identity hash code of %s is not recorded", type_or(m, v));
}

bool number_hashed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!known(m, i->given[0]))
        return false;
    *out = int_value(number_hash(i->given[0], i->ref.desc.data[1]));
    return true;
}

/* ---- toString ---- */

static bool list_text(struct machine *m, units_vec *to, struct jvalue v)
{
    struct held held;
    if (!entries_of(m, v, &held))
        return false;
    const bool map = held.shape == HS_CONTENTS_MAP;
    if (!held.ordered && held.count > 1)
        return end_not_known(m, "the order of the entries of %s", type_or(m, v));
    if (held.shape == HS_CONTENTS_VALUE)
        return end_not_known(m, "the text of %s", type_or(m, v));
    bool good = append_ascii(m, to, map ? "{" : "[");
    for (size_t k = 0; k < held.count && good; k++)
        good = (k == 0 || append_ascii(m, to, ", ")) &&
               (!map || (append_text(m, to, held.keys[k], 'L') && append_ascii(m, to, "="))) &&
               append_text(m, to, held.values[k], 'L');
    return good && append_ascii(m, to, map ? "}" : "]");
}

/* Those whose copied text is what toString gives. */
static bool copied_text(struct machine *m, units_vec *to, struct jvalue v)
{
    static const char *const exact[] = { "java.math.", "java.time.", "java.util.UUID" };
    const struct hs_object_value *value = v.bits < MADE_FIRST ? m->heap.value(m->heap.context, (uint32_t)v.bits) : NULL;
    bool copied = value != NULL && value->is_constant;
    for (size_t k = 0; value != NULL && k < sizeof exact / sizeof *exact; k++)
        copied |= strncmp(type_or(m, v), exact[k], strlen(exact[k])) == 0;
    struct jvalue text;
    const struct made *made = made_of(m, v);
    if (made != NULL && made->is == MADE_ENUM)
        return append_ascii(m, to, made->name);
    if (made != NULL && made->is == MADE_BIG)
        return make_string(m, made->units, made->count, &text) && append_text(m, to, text, 'L');
    return copied ? make_text(m, value->text, strlen(value->text), &text) && append_text(m, to, text, 'L')
                  : end_not_known(m, "toString of %s is not woven", type_or(m, v));
}

/* Throwable.toString. */
static bool thrown_text(struct machine *m, units_vec *to, struct jvalue v)
{
    const struct invocation call = { .ref = { .name = TEXT_OF("getLocalizedMessage"),
                                              .desc = TEXT_OF("()Ljava/lang/String;") },
                                     .given = &v,
                                     .count = 1 };
    struct jvalue message;
    if (!m->invoke(m, &call, &message) || !known(m, message) || !append_ascii(m, to, type_or(m, v)))
        return false;
    return message.bits == 0 || (append_ascii(m, to, ": ") && append_text(m, to, message, 'L'));
}

static bool optional_text(struct machine *m, units_vec *to, struct jvalue v)
{
    struct held held;
    const struct made *made = made_of(m, v);
    return entries_of(m, v, &held) && append_ascii(m, to, type_or(m, v) + strlen("java.util.")) &&
           append_ascii(m, to, held.count > 0 ? "[" : ".empty") &&
           (held.count == 0 ||
            (append_text(m, to, held.values[0], made != NULL ? made->element : 'L') && append_ascii(m, to, "]")));
}

bool object_text(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct jvalue v = i->given[0];
    struct jvalue number;
    struct held held;
    char letter;
    units_vec text = { 0 };
    bool good;
    const enum nature nature = nature_of(m, v);
    if (nature == NATURE_STRING || nature == NATURE_BUILDER)
        return text_itself(m, i, out);
    if (nature == NATURE_BOX)
        good = unboxed(m, v, &number, &letter) && append_text(m, &text, number, letter);
    else if (nature == NATURE_LIST || nature == NATURE_MAP)
        good = list_text(m, &text, v);
    else if (nature == NATURE_ENTRY)
        good = entries_of(m, v, &held) && append_text(m, &text, held.keys[0], 'L') && append_ascii(m, &text, "=") &&
               append_text(m, &text, held.values[0], 'L');
    else if (nature == NATURE_OPTIONAL)
        good = optional_text(m, &text, v);
    else
        good = nature == NATURE_THROWN ? thrown_text(m, &text, v) : copied_text(m, &text, v);
    return good ? finish_text(m, &text, out) : (vec_free(&text), false);
}

/* ---- java.util.Objects ---- */

bool objects_equal(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    bool equal;
    if (!values_equal(m, i->given[0], i->given[1], &equal))
        return false;
    *out = int_value(equal);
    return true;
}

bool objects_hash(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t hash;
    if (!value_hash(m, i->given[0], &hash))
        return false;
    *out = int_value(hash);
    return true;
}

bool objects_required(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    *out = i->given[0];
    if (!known(m, *out))
        return false;
    if (text_is(i->ref.name, "requireNonNull")) {
        if (out->bits != 0)
            return true;
        const struct jvalue parts[2] = { i->count > 1 ? i->given[1] : null_value(), null_value() };
        struct jvalue e;
        if (i->count > 1 && !text_is(i->ref.desc, "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;"))
            return throws_unsaid(m, "java.lang.NullPointerException");
        return make_values(m, MADE_THROWN, "java.lang.NullPointerException", parts, 2, 'L', &e) && throws_object(m, e);
    }
    if (text_is(i->ref.name, "requireNonNullElse")) {
        if (out->bits == 0)
            *out = i->given[1];
        return known(m, *out) && (out->bits != 0 || throws_unsaid(m, "java.lang.NullPointerException"));
    }
    if (text_is(i->ref.name, "toString")) {
        units_vec text = { 0 };
        if (out->bits == 0)
            return *out = i->given[1], known(m, *out);
        return append_text(m, &text, i->given[0], 'L') ? finish_text(m, &text, out) : (vec_free(&text), false);
    }
    *out = int_value((out->bits == 0) == text_is(i->ref.name, "isNull"));
    return true;
}

bool objects_index(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t at, length;
    if (!int_of(m, i->given[0], &at) || !int_of(m, i->given[1], &length))
        return false;
    *out = int_value(at);
    return at >= 0 && at < length ? true
                                  : throws(m, "java.lang.IndexOutOfBoundsException",
                                           "Index %d out of bounds for length %d", (int)at, (int)length);
}

/* ---- enum constants ---- */

bool constant_name(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct made *made = made_of(m, i->given[0]);
    if (made != NULL)
        return make_text(m, made->name, strlen(made->name), out);
    const struct hs_object_value *v = m->heap.value(m->heap.context, (uint32_t)i->given[0].bits);
    return v != NULL && v->is_constant ? make_text(m, v->text, strlen(v->text), out)
                                       : end_not_known(m, "the name of a constant of %s", type_or(m, i->given[0]));
}

/* The place among the constants that the class file declares, in their order. */
static bool ordinal_of(struct machine *m, struct jvalue v, int64_t *out)
{
    const struct lineage *c = class_of_object(m, v);
    const struct hs_object_value *value = m->heap.value(m->heap.context, (uint32_t)v.bits);
    const struct made *made = made_of(m, v);
    bool missing;
    if (made != NULL)
        return *out = made->at, true;
    for (unsigned depth = 0; c != NULL && depth < 2; depth++, c = lineage_super(m->trace, c, &missing)) {
        const struct classfile *cf = c->row != NULL ? class_file(m->trace, c->row, NULL) : NULL;
        int64_t ordinal = 0;
        for (size_t k = 0; cf != NULL && value != NULL && k < cf->fields.count; k++) {
            struct text name;
            if ((cf->fields.items[k].access & ACC_ENUM) == 0 || !cpool_utf8(&cf->cp, cf->fields.items[k].name, &name))
                continue;
            if (name_is(name, value->text)) {
                *out = ordinal;
                return true;
            }
            ordinal++;
        }
    }
    return end_not_known(m, "the ordinal of a constant of %s", type_or(m, v));
}

bool constant_ordinal(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int64_t a, b = 0;
    const bool compares = text_is(i->ref.name, "compareTo");
    if (compares && known(m, i->given[1]) && i->given[1].bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (!ordinal_of(m, i->given[0], &a) || (compares && !ordinal_of(m, i->given[1], &b)))
        return false;
    *out = int_value(a - b);
    return true;
}

/* ---- exceptions ---- */

/* The constructors of Throwable, which those of the JDK's exceptions pass their arguments to. */
bool thrown_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    static const struct field_site message = { .member = "(message)", .letter = 'L' };
    static const struct field_site cause = { .member = "(cause)", .letter = 'L' };
    const struct text desc = i->ref.desc;
    struct jvalue parts[2] = { null_value(), null_value() };
    if (text_is(desc, "(Ljava/lang/String;)V") || text_is(desc, "(Ljava/lang/Object;)V")) {
        parts[0] = i->given[1];
    } else if (text_is(desc, "(Ljava/lang/String;Ljava/lang/Throwable;)V")) {
        parts[0] = i->given[1];
        parts[1] = i->given[2];
    } else if (text_is(desc, "(Ljava/lang/Throwable;)V")) {
        parts[1] = i->given[1];
    } else if (!text_is(desc, "()V")) {
        return end_not_known(m, "a constructor of %s is not woven", type_or(m, i->given[0]));
    }
    const bool of_object = text_is(desc, "(Ljava/lang/Object;)V"), of_cause = text_is(desc, "(Ljava/lang/Throwable;)V");
    if (of_object || (of_cause && !parts[1].unknown && parts[1].bits != 0)) {
        units_vec text = { 0 };
        if (!append_text(m, &text, i->given[1], 'L') || !finish_text(m, &text, &parts[0]))
            return vec_free(&text), false;
    }
    struct made *made = made_of(m, i->given[0]);
    if (made != NULL && made->is == MADE_UNWOVEN)
        made->is = MADE_THROWN;
    *out = (struct jvalue){ .kind = 'V' };
    return put_member(m, i->given[0], &message, parts[0]) && put_member(m, i->given[0], &cause, parts[1]);
}

bool thrown_part(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    static const struct field_site message = { .member = "(message)", .letter = 'L' };
    static const struct field_site cause = { .member = "(cause)", .letter = 'L' };
    const struct made *made = made_of(m, i->given[0]);
    const bool of_cause = text_is(i->ref.name, "getCause");
    const char *text, *why = NULL;
    if (written_member(m, i->given[0], of_cause ? &cause : &message, out))
        return true;
    if (made != NULL) {
        *out = made->values != NULL ? made->values[of_cause] : null_value();
        return true;
    }
    if (!of_cause && m->heap.message(m->heap.context, (uint32_t)i->given[0].bits, &text, &why))
        return text != NULL ? make_text(m, text, strlen(text), out) : (*out = null_value(), true);
    return end_not_known(m, "%s", why != NULL ? why : "the cause of an exception");
}

/* Throwable.getLocalizedMessage calls getMessage, which a subclass may have. */
bool thrown_message(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct invocation message = {
        .ref = { .name = TEXT_OF("getMessage"), .desc = TEXT_OF("()Ljava/lang/String;") }, .given = i->given, .count = 1
    };
    return m->invoke(m, &message, out);
}

/* java.lang.Object.<init> and the like: they do nothing that can be seen. */
bool nothing(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    (void)m;
    (void)i;
    *out = (struct jvalue){ .kind = 'V' };
    return true;
}
