/* test_names.c - types, literals and names as Java source. */
#include <math.h>
#include <stdio.h>

#include "formats/mutf8.h"
#include "reader/query/test_builder.h"

static const char *const primitives[] = {
    "boolean", "byte", "char", "short", "int", "long", "float", "double", "void"
};

static bool is_primitive(const char *type)
{
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (strcmp(primitives[i], type) == 0)
            return true;
    return false;
}

static bool is_letter(char c, bool digits)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (digits && c >= '0' && c <= '9');
}

bool test_is_identifier(const char *name)
{
    static const char *const words[] = { "do",   "if",   "for",   "int",   "new",   "try",  "case",
                                         "char", "else", "goto",  "this",  "byte",  "long", "null",
                                         "true", "void", "break", "class", "false", "while" };
    for (const char *p = name; *p != '\0'; p++)
        if (!is_letter(*p, p > name))
            return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return false;
    return *name != '\0';
}

/* ---- types ---- */

/* The access flags of a member class, which InnerClasses has (JVMS 4.7.6). */
static bool member_access(const struct classfile *cf, const char *name, unsigned *access)
{
    const struct attribute *a = classfile_attribute(cf, cf->first_attribute, cf->attribute_count, "InnerClasses");
    struct reader r = reader_of(a != NULL ? a->data : NULL, a != NULL ? a->length : 0);
    for (uint32_t n = a != NULL ? read_u2(&r) : 0; n > 0 && !r.bad; n--) {
        struct text inner;
        const uint32_t index = read_u2(&r), outer = read_u2(&r), simple = read_u2(&r);
        const unsigned flags = read_u2(&r);
        if (r.bad || !cpool_class(&cf->cp, index, &inner) || !text_is_class(inner, name))
            continue;
        *access = flags;
        return outer != 0 && simple != 0;
    }
    return false;
}

static size_t package_size(const char *type)
{
    const char *dot = strrchr(type, '.');
    return dot != NULL ? (size_t)(dot - type) : 0;
}

static bool same_package(const struct test_builder *b, const char *type)
{
    const size_t n = package_size(type);
    return strlen(b->package) == n && strncmp(b->package, type, n) == 0;
}

/* May the test name this class, apart from those around it? */
static bool is_accessible(struct test_builder *b, const char *name)
{
    const struct hs_class *c = hs_class_find(b->trace, name, b->method->owner->loader_id);
    if (c == NULL || c->state != HS_CLASS_WOVEN)
        return true; /* of the JDK, or a library: their types in signatures are public */
    unsigned access = c->access;
    if (strchr(name + package_size(name), '$') != NULL) {
        const struct classfile *cf = class_file(b->trace, c, NULL);
        if (cf == NULL || !member_access(cf, name, &access))
            return false; /* local or anonymous */
    }
    return (access & ACC_SYNTHETIC) == 0 && (access & ACC_PRIVATE) == 0 &&
           ((access & ACC_PUBLIC) != 0 || same_package(b, name));
}

static const char *copy(struct test_builder *b, const char *s, size_t n)
{
    char *to = arena_chars(b->arena, n + 1);
    if (to == NULL) {
        test_memory(b);
        return "";
    }
    memcpy(to, s, n);
    to[n] = '\0';
    return to;
}

/* a.b.C$D as a.b.C.D; NULL: it cannot be named. */
static const char *class_name(struct test_builder *b, const char *name)
{
    const size_t package = package_size(name), n = strlen(name);
    for (size_t i = 0; i < package; i++)
        if (name[i] != '.' && !is_letter(name[i], true))
            return NULL;
    if (package == 0 && *b->package != '\0') /* JLS 7.5: a class without a package cannot be named from one */
        return NULL;
    char *out = (char *)copy(b, name, n);
    if (test_stopped(b))
        return NULL;
    for (size_t from = package + (package > 0), i = from; i <= n; i++) {
        if (i < n && name[i] != '$')
            continue;
        if (!test_is_identifier(copy(b, name + from, i - from)) || !is_accessible(b, copy(b, name, i)))
            return NULL;
        if (i < n)
            out[i] = '.';
        from = i + 1;
    }
    return out;
}

const char *test_type(struct test_builder *b, const char *type)
{
    const char *bracket = strchr(type, '[');
    const char *element = bracket != NULL ? copy(b, type, (size_t)(bracket - type)) : type;
    const char *name = is_primitive(element) ? element : class_name(b, element);
    return name == NULL || bracket == NULL ? name : test_format(b, "%s%s", name, bracket);
}

const char *test_class(struct test_builder *b, const char *type)
{
    const char *name = test_type(b, type), *bracket = strchr(type, '[');
    if (name != NULL)
        return test_format(b, "%s.class", name);
    test_uses(b, HELPER_TYPE);
    if (bracket == NULL)
        return test_format(b, "type(%s)", test_quoted(b, type));
    char dimensions[256] = "";
    size_t n = 0;
    for (const char *p = bracket; *p != '\0' && n + 1 < sizeof dimensions; p++)
        if (*p == '[')
            dimensions[n++] = '[';
    dimensions[n] = '\0';
    return test_format(b, "type(%s)",
                       test_quoted(b, test_format(b, "%sL%.*s;", dimensions, (int)(bracket - type), type)));
}

bool test_is_static(struct test_builder *b, const struct hs_class *c)
{
    unsigned access = 0;
    if (strchr(c->name + package_size(c->name), '$') == NULL)
        return true;
    const struct classfile *cf = class_file(b->trace, c, NULL);
    return cf != NULL && member_access(cf, c->name, &access) && (access & ACC_STATIC) != 0;
}

const char *test_cast(struct test_builder *b, const char *type, struct hs_value v, const char *text)
{
    const struct test_made *m = v.kind == HS_KIND_REF && v.bits != 0 ? map_get(&b->made, v.bits) : NULL;
    const bool is_text = text[0] == '"' && strcmp(type, "java.lang.String") == 0;
    const bool same = m != NULL && m->declared != NULL && strcmp(m->declared, type) == 0;
    return v.kind != HS_KIND_REF || is_text || same ? text : test_format(b, "(%s) %s", type, text);
}

const char *test_element(struct test_builder *b, const char *array)
{
    const size_t n = strlen(array);
    return copy(b, array, n > 2 ? n - 2 : n);
}

bool test_is_record(struct test_builder *b, const char *type)
{
    const char *super = hs_class_super(b->trace, type, b->method->owner->loader_id);
    return super != NULL && strcmp(super, "java.lang.Record") == 0;
}

/* ---- literals ---- */

static void put_unit(struct writer *w, unsigned unit)
{
    switch (unit) {
    case '"': test_say(w, "\\\""); break;
    case '\\': test_say(w, "\\\\"); break;
    case '\n': test_say(w, "\\n"); break;
    case '\r': test_say(w, "\\r"); break;
    case '\t': test_say(w, "\\t"); break;
    default:
        if (unit < 0x20)
            test_say(w, "\\%03o", unit);
        else if (unit < 0x7f)
            write_u1(w, unit);
        else
            test_say(w, "\\u%04x", unit);
    }
}

static const char *taken(struct test_builder *b, struct writer *w)
{
    const char *out = w->bad ? "" : copy(b, (const char *)w->data, w->size);
    if (w->bad)
        test_memory(b);
    writer_free(w);
    return out;
}

const char *test_quoted(struct test_builder *b, const char *utf8)
{
    struct writer w = { 0 };
    write_u1(&w, '"');
    for (const char *p = utf8; *p != '\0';) {
        uint32_t code = (uint8_t)*p < 0x80 ? (uint8_t)*p : 0;
        const size_t n = code != 0 ? 1 : utf8_char((const uint8_t *)p, strlen(p), &code);
        p += n != 0 ? n : strlen(p) > 1 ? 2 : 1; /* U+0000 is C0 80 */
        if (code >= 0x10000) {
            put_unit(&w, 0xd800 + ((code - 0x10000) >> 10));
            code = 0xdc00 + ((code - 0x10000) & 0x3ff);
        }
        put_unit(&w, code);
    }
    write_u1(&w, '"');
    return taken(b, &w);
}

const char *test_string(struct test_builder *b, uint32_t id)
{
    const size_t most = 65535 / 3; /* bytes of a constant, of one character (JVMS 4.4.7) */
    const struct hs_object *o = hs_object_get(b->trace, id);
    if (o == NULL || !o->has_string || o->cut || o->data_bytes > most)
        return NULL;
    struct writer w = { 0 };
    const uint8_t *data = o->data;
    write_u1(&w, '"');
    for (size_t i = 0; i < o->data_bytes; i += o->latin1 ? 1 : 2)
        put_unit(&w, o->latin1 || i + 1 >= o->data_bytes ? data[i] : data[i] | (unsigned)data[i + 1] << 8);
    write_u1(&w, '"');
    return taken(b, &w);
}

static const char *character(struct test_builder *b, unsigned unit)
{
    if (unit == '\'')
        return "'\\''";
    struct writer w = { 0 };
    write_u1(&w, '\'');
    if (unit == '"')
        write_u1(&w, unit);
    else
        put_unit(&w, unit);
    write_u1(&w, '\'');
    return taken(b, &w);
}

static const char *floating(struct test_builder *b, double d, bool single)
{
    const char *type = single ? "Float" : "Double";
    if (isnan(d))
        return test_format(b, "%s.NaN", type);
    if (isinf(d))
        return test_format(b, "%s.%s_INFINITY", type, d > 0 ? "POSITIVE" : "NEGATIVE");
    char text[64];
    for (int digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, d);
        const double back = strtod(text, NULL);
        if (single ? (float)back == (float)d : back == d)
            break;
    }
    const bool plain = strpbrk(text, ".e") == NULL;
    return test_format(b, "%s%s%s", text, plain ? ".0" : "", single ? "f" : "");
}

const char *test_literal(struct test_builder *b, struct hs_value v)
{
    const long long n = (long long)v.bits;
    switch (v.kind) {
    case HS_KIND_BOOLEAN: return v.bits != 0 ? "true" : "false";
    case HS_KIND_BYTE: return test_format(b, "(byte) %lld", n);
    case HS_KIND_SHORT: return test_format(b, "(short) %lld", n);
    case HS_KIND_CHAR: return character(b, (unsigned)(v.bits & 0xffff));
    case HS_KIND_INT: return test_format(b, "%lld", n);
    case HS_KIND_LONG: return n == INT64_MIN ? "Long.MIN_VALUE" : test_format(b, "%lldL", n);
    case HS_KIND_FLOAT: {
        const uint32_t bits = (uint32_t)v.bits;
        float f;
        memcpy(&f, &bits, sizeof f);
        return floating(b, (double)f, true);
    }
    case HS_KIND_DOUBLE: {
        double d;
        memcpy(&d, &v.bits, sizeof d);
        return floating(b, d, false);
    }
    default: return "null";
    }
}

void test_pack(struct writer *w, struct test_builder *b, struct hs_value v, bool later)
{
    if (v.kind == HS_KIND_CHAR) {
        put_unit(w, (unsigned)(v.bits & 0xffff));
        return;
    }
    const char *number = v.kind == HS_KIND_FLOAT || v.kind == HS_KIND_DOUBLE
                             ? test_literal(b, v)
                             : test_format(b, "%lld", (long long)v.bits);
    const char *name = strrchr(number, '.'); /* Float.NaN, Double.NEGATIVE_INFINITY */
    if (name != NULL && name[1] >= 'A')
        number = name[1] == 'P' ? "Infinity" : name[1] == 'N' && name[2] == 'E' ? "-Infinity" : "NaN";
    test_say(w, "%s%s", later ? " " : "", number);
}
