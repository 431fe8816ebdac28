/* same_code.c - see same_code.h. */
#include "reader/trace/same_code.h"

#include <stdlib.h>
#include <string.h>

#include "formats/jvm/opcode.h"

/* Constants in constants: a dynamic one may name others as its arguments, in a circle if the file is not valid. What
 * has more is not the same. */
enum { NESTED_MAX = 16, COMPARED_MAX = 1 << 16 };
struct nesting {
    unsigned depth;
    uint32_t compared;
};

enum status class_bytes_read(hs_trace *t, const struct hs_class *c, struct class_bytes *out, struct error *err)
{
    struct text value;
    if (out->of == c)
        return OK;
    class_bytes_done(out);
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_get(&t->env, DB_CLASSFILE, c->class_no, &value, err);
    if (st == OK && (out->bytes = malloc(value.size + 1)) == NULL)
        st = error_memory(err, "%s", t->dir);
    if (st == OK) {
        memcpy(out->bytes, value.data, value.size);
        st = classfile_read(&out->cf, out->bytes, value.size, err);
    }
    env_end(&t->env);
    if (st == OK)
        out->of = c;
    return st;
}

void class_bytes_done(struct class_bytes *c)
{
    classfile_done(&c->cf);
    free(c->bytes);
    *c = (struct class_bytes){ 0 };
}

/* ---- constants ---- */

static bool same_constant(const struct classfile *a, uint32_t i, const struct classfile *b, uint32_t k,
                          struct nesting *in);

/* bootstrap_methods[n]: where it begins, and its bytes; false: there is none. */
static bool bootstrap(const struct classfile *cf, uint32_t n, const uint8_t **at, uint32_t *arguments)
{
    const struct attribute *a = classfile_attribute(cf, cf->first_attribute, cf->attribute_count, "BootstrapMethods");
    struct reader r = a != NULL ? reader_of(a->data, a->length) : reader_of("", 0);
    const uint32_t count = read_u2(&r);
    for (uint32_t m = 0; m < count && !r.bad; m++) {
        *at = r.data + r.at;
        (void)read_u2(&r);
        *arguments = read_u2(&r);
        (void)read_span(&r, 2 * (size_t)*arguments);
        if (m == n)
            return !r.bad;
    }
    return false;
}

static bool same_bootstrap(const struct classfile *a, uint32_t i, const struct classfile *b, uint32_t k,
                           struct nesting *in)
{
    const uint8_t *x, *y;
    uint32_t n, m;
    if (!bootstrap(a, i, &x, &n) || !bootstrap(b, k, &y, &m) || n != m || !same_constant(a, be2(x), b, be2(y), in))
        return false;
    for (uint32_t at = 0; at < n; at++)
        if (!same_constant(a, be2(x + 4 + 2 * at), b, be2(y + 4 + 2 * at), in))
            return false;
    return true;
}

static bool same_entry(const struct classfile *a, const uint8_t *x, const struct classfile *b, const uint8_t *y,
                       struct nesting *in)
{
    switch (*x) {
    case CONSTANT_Utf8: return be2(x + 1) == be2(y + 1) && memcmp(x + 3, y + 3, be2(x + 1)) == 0;
    case CONSTANT_Integer:
    case CONSTANT_Float: return memcmp(x + 1, y + 1, 4) == 0;
    case CONSTANT_Long:
    case CONSTANT_Double: return memcmp(x + 1, y + 1, 8) == 0;
    case CONSTANT_Class:
    case CONSTANT_String:
    case CONSTANT_MethodType:
    case CONSTANT_Module:
    case CONSTANT_Package: return same_constant(a, be2(x + 1), b, be2(y + 1), in);
    case CONSTANT_Fieldref:
    case CONSTANT_Methodref:
    case CONSTANT_InterfaceMethodref:
    case CONSTANT_NameAndType:
        return same_constant(a, be2(x + 1), b, be2(y + 1), in) && same_constant(a, be2(x + 3), b, be2(y + 3), in);
    case CONSTANT_MethodHandle: return x[1] == y[1] && same_constant(a, be2(x + 2), b, be2(y + 2), in);
    case CONSTANT_Dynamic:
    case CONSTANT_InvokeDynamic:
        return same_bootstrap(a, be2(x + 1), b, be2(y + 1), in) && same_constant(a, be2(x + 3), b, be2(y + 3), in);
    default: return false;
    }
}

static bool same_constant(const struct classfile *a, uint32_t i, const struct classfile *b, uint32_t k,
                          struct nesting *in)
{
    const uint8_t *x = cpool_entry(&a->cp, i), *y = cpool_entry(&b->cp, k);
    if (x == NULL || y == NULL)
        return x == y && i == 0 && k == 0; /* the type of a handler for all */
    if (*x != *y || in->depth == NESTED_MAX || ++in->compared > COMPARED_MAX)
        return false;
    in->depth++;
    const bool same = same_entry(a, x, b, y, in);
    in->depth--;
    return same;
}

static bool same(const struct classfile *a, uint32_t i, const struct classfile *b, uint32_t k)
{
    struct nesting in = { 0 };
    return same_constant(a, i, b, k, &in);
}

/* ---- code ---- */

struct code_text {
    const struct classfile *cf;
    const uint8_t *code;
    uint32_t length;
    struct reader rest; /* behind the code: exception table and attributes */
};

static bool code_of(const struct class_bytes *c, uint32_t method, struct code_text *out)
{
    if (method >= c->cf.methods.count)
        return false;
    const struct member *m = &c->cf.methods.items[method];
    const struct attribute *a = classfile_attribute(&c->cf, m->first_attribute, m->attribute_count, "Code");
    if (a == NULL)
        return false;
    struct reader r = reader_of(a->data, a->length);
    (void)read_span(&r, 4);
    out->cf = &c->cf;
    out->length = read_u4(&r);
    out->code = read_span(&r, out->length);
    out->rest = r;
    return !r.bad;
}

static bool has_constant(uint8_t op)
{
    const uint8_t format = op_table[op].format;
    return format == OPF_CP1 || format == OPF_CP2 || format == OPF_INTERFACE || format == OPF_DYNAMIC ||
           format == OPF_MULTI;
}

static bool same_instructions(const struct code_text *a, const struct code_text *b)
{
    struct insn x, y;
    if (a->length != b->length)
        return false;
    for (uint32_t pc = 0; pc < a->length; pc += x.length) {
        if (!insn_decode(a->code, a->length, pc, &x) || !insn_decode(b->code, b->length, pc, &y) || x.op != y.op ||
            x.length != y.length || x.length == 0)
            return false;
        if (has_constant(x.op) ? x.extra != y.extra || !same(a->cf, (uint32_t)x.operand, b->cf, (uint32_t)y.operand)
                               : memcmp(a->code + pc, b->code + pc, x.length) != 0)
            return false;
    }
    return true;
}

static bool same_handlers(struct code_text *a, struct code_text *b)
{
    const uint32_t n = read_u2(&a->rest);
    bool equal = read_u2(&b->rest) == n;
    for (uint32_t i = 0; equal && i < n && !a->rest.bad && !b->rest.bad; i++) {
        const uint8_t *x = read_span(&a->rest, 8), *y = read_span(&b->rest, 8);
        equal = x != NULL && y != NULL && memcmp(x, y, 6) == 0 && same(a->cf, be2(x + 6), b->cf, be2(y + 6));
    }
    return equal && !a->rest.bad && !b->rest.bad;
}

/* The tables of that name, one behind the other: of entries of `size` bytes, with constants at those of `names`. */
static bool same_tables(const struct code_text *a, const attribute_vec *of_a, const struct code_text *b,
                        const attribute_vec *of_b, const char *name, size_t size, const size_t names[2])
{
    size_t i = 0, k = 0;
    struct text s;
    for (;;) {
        while (i < of_a->count && !(cpool_utf8(&a->cf->cp, of_a->items[i].name, &s) && text_is(s, name)))
            i++;
        while (k < of_b->count && !(cpool_utf8(&b->cf->cp, of_b->items[k].name, &s) && text_is(s, name)))
            k++;
        if (i == of_a->count || k == of_b->count)
            return i == of_a->count && k == of_b->count;
        const struct attribute *x = &of_a->items[i++], *y = &of_b->items[k++];
        if (x->length != y->length || x->length < 2 || (x->length - 2) % size != 0)
            return false;
        for (size_t at = 2; at < x->length; at += size) {
            uint8_t p[10], q[10];
            memcpy(p, x->data + at, size);
            memcpy(q, y->data + at, size);
            for (size_t n = 0; n < 2 && names[n] != 0; n++) {
                if (!same(a->cf, be2(p + names[n]), b->cf, be2(q + names[n])))
                    return false;
                memcpy(q + names[n], p + names[n], 2);
            }
            if (memcmp(p, q, size) != 0)
                return false;
        }
    }
}

static bool same_attributes(struct code_text *a, struct code_text *b)
{
    static const size_t none[2] = { 0 }, variable[2] = { 4, 6 };
    attribute_vec of_a = { 0 }, of_b = { 0 };
    uint32_t count;
    const bool equal = attributes_read(&a->rest, &of_a, &count) == OK &&
                       attributes_read(&b->rest, &of_b, &count) == OK &&
                       same_tables(a, &of_a, b, &of_b, "LineNumberTable", 4, none) &&
                       same_tables(a, &of_a, b, &of_b, "LocalVariableTable", 10, variable);
    vec_free(&of_a);
    vec_free(&of_b);
    return equal;
}

/* Which files and lines the lines of the class stand for (JSR-45). */
static bool same_lines(const struct classfile *a, const struct classfile *b)
{
    const char *name = "SourceDebugExtension";
    const struct attribute *x = classfile_attribute(a, a->first_attribute, a->attribute_count, name),
                           *y = classfile_attribute(b, b->first_attribute, b->attribute_count, name);
    if (x == NULL || y == NULL)
        return x == y;
    return x->length == y->length && memcmp(x->data, y->data, x->length) == 0;
}

bool code_is_same(const struct class_bytes *a, uint32_t i, const struct class_bytes *b, uint32_t k)
{
    struct code_text x, y;
    if (!same_lines(&a->cf, &b->cf))
        return false;
    const bool has = code_of(a, i, &x);
    if (code_of(b, k, &y) != has)
        return false;
    return !has || (same_instructions(&x, &y) && same_handlers(&x, &y) && same_attributes(&x, &y));
}
