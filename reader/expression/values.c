/* values.c - the values of expressions: how they are calculated with and compared, as Java does; see expression.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/arithmetic.h"
#include "formats/jvm/primitive.h"
#include "formats/mutf8.h"
#include "reader/expression/expression.h"

const struct expression_value expression_unknown = { .seq = UINT64_MAX, .moment = UINT64_MAX };

struct expression_value evaluation_fail(struct evaluation *e, const char *what, const char *name)
{
    if (e->status == OK)
        e->status = error_set(e->err, ERR_USAGE, name != NULL ? "%s: %.200s" : "%s", what, name);
    return expression_unknown;
}

struct expression_value expression_number(char kind, uint64_t bits)
{
    return (
        struct expression_value){ .known = true, .kind = kind, .bits = bits, .seq = UINT64_MAX, .moment = UINT64_MAX };
}
struct expression_value expression_boolean(bool v) { return expression_number('Z', v); }

struct expression_value value_thrown(const char *thrown)
{
    struct expression_value v = expression_unknown;
    v.thrown = thrown;
    return v;
}

/* What is computed from values of which one is not known, or thrown: the first of those. */
static struct expression_value none_of(const struct expression_value *a, const struct expression_value *b)
{
    struct expression_value v = expression_unknown;
    v.thrown = !a->known ? a->thrown : b->thrown;
    v.missing = !a->known ? a->missing : b->missing;
    return v;
}

/* ---- texts ---- */

struct expression_value value_text(struct evaluation *e, struct writer *w)
{
    write_u1(w, 0);
    char *copy = w->bad ? NULL : arena_chars(e->arena, w->size);
    if (copy != NULL)
        memcpy(copy, w->data, w->size);
    writer_free(w);
    if (copy == NULL) {
        e->status = error_memory(e->err, "expression");
        return expression_unknown;
    }
    struct expression_value v = expression_number(EXPRESSION_TEXT, 0);
    v.text = copy;
    return v;
}

static const struct expression_objects *objects_for(const struct evaluation *e, const struct expression_value *v)
{
    return v->known && v->kind == 'L' && v->bits != 0 ? e->host->objects : NULL;
}

/* Appends the text of a string. NO: it is no string; NOT_KNOWN: its text was not recorded. */
static enum expression_answer string_of(struct evaluation *e, const struct expression_value *v, struct writer *out,
                                        bool *cut)
{
    const struct expression_objects *objects = objects_for(e, v);
    *cut = false;
    if (v->known && v->kind == EXPRESSION_TEXT) {
        write_bytes(out, v->text, strlen(v->text));
        return EXPRESSION_YES;
    }
    return objects != NULL ? objects->string(e->host->context, v->bits, out, cut) : EXPRESSION_NO;
}

bool value_is_text(struct evaluation *e, const struct expression_value *v)
{
    struct writer w = { 0 };
    bool cut, yes = string_of(e, v, &w, &cut) == EXPRESSION_YES;
    writer_free(&w);
    return yes;
}

/* The shortest digits that give the number again, as Double.toString and Float.toString have them: 0.001 up to 1.0E7
 * without an exponent. */
static void write_real(double v, bool is_float, struct writer *w)
{
    char e[40], out[40];
    if (isnan(v) || isinf(v)) {
        const char *text = isnan(v) ? "NaN" : v < 0 ? "-Infinity" : "Infinity";
        write_bytes(w, text, strlen(text));
        return;
    }
    for (int precision = 0; precision <= 16; precision++) {
        (void)snprintf(e, sizeof e, "%.*e", precision, v);
        if (is_float ? strtof(e, NULL) == (float)v : strtod(e, NULL) == v)
            break;
    }
    const char *first = e + (e[0] == '-');
    const int exponent = (int)strtol(strchr(e, 'e') + 1, NULL, 10), point = first[1] == '.';
    const int digits = point ? (int)strspn(first + 2, "0123456789") : 0; /* behind the point */
    if (v != 0 && (fabs(v) < 1e-3 || fabs(v) >= 1e7))
        (void)snprintf(out, sizeof out, "%.*s%sE%d", (int)(first - e) + 1 + point + digits, e, point ? "" : ".0",
                       exponent);
    else
        (void)snprintf(out, sizeof out, "%.*f", digits - exponent > 1 ? digits - exponent : 1, v);
    write_bytes(w, out, strlen(out));
}

static void write_integer(int64_t v, struct writer *w)
{
    char digits[20];
    size_t at = sizeof digits;
    uint64_t left = v < 0 ? -(uint64_t)v : (uint64_t)v;
    do
        digits[--at] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (v < 0)
        write_u1(w, '-');
    write_bytes(w, digits + at, sizeof digits - at);
}

void value_write(struct evaluation *e, const struct expression_value *v, struct writer *w)
{
    char digits[32];
    const char *text = digits, *type;
    const struct expression_objects *objects = objects_for(e, v);
    struct expression_standing known;
    bool cut;
    switch (v->kind) {
    case 'Z': text = v->bits != 0 ? "true" : "false"; break;
    case 'F': write_real((double)as_float(v->bits), true, w); return;
    case 'D': write_real(as_double(v->bits), false, w); return;
    case 'C': utf16le_to_utf8((uint8_t[]){ (uint8_t)v->bits, (uint8_t)(v->bits >> 8) }, 2, w); return;
    case 'L':
    case EXPRESSION_TEXT:
        if (string_of(e, v, w, &cut) == EXPRESSION_YES)
            return;
        if (objects == NULL) {
            text = "null";
            break;
        }
        if (objects->stands_for(e->host->context, v->bits, UINT64_MAX, &known) == EXPRESSION_YES) {
            text = known.text;
            break;
        }
        type = objects->type(e->host->context, v->bits);
        type = type != NULL ? type : "object";
        write_bytes(w, type, strlen(type));
        (void)snprintf(digits, sizeof digits, "#%llu", (unsigned long long)v->bits);
        break;
    default: write_integer((int64_t)v->bits, w); return;
    }
    write_bytes(w, text, strlen(text));
}

static struct expression_value concatenated(struct evaluation *e, const struct expression_value *a,
                                            const struct expression_value *b)
{
    const struct expression_value *const parts[] = { a, b };
    struct writer w = { 0 };
    for (size_t i = 0; i < 2; i++) {
        struct expression_value text;
        if (e->host->text == NULL || !e->host->text(e, parts[i], &text)) {
            value_write(e, parts[i], &w);
        } else if (text.known) {
            write_bytes(&w, text.text, strlen(text.text));
        } else {
            writer_free(&w);
            return text;
        }
    }
    return value_text(e, &w);
}

struct expression_value value_same_text(struct evaluation *e, const struct expression_value *a,
                                        const struct expression_value *b)
{
    struct writer x = { 0 }, y = { 0 };
    bool cut_x, cut_y;
    enum expression_answer is_x = string_of(e, a, &x, &cut_x), is_y = string_of(e, b, &y, &cut_y);
    size_t both = x.size < y.size ? x.size : y.size;
    struct expression_value same = expression_boolean(x.size == y.size && !cut_x && !cut_y);
    if (is_x == EXPRESSION_NOT_KNOWN || is_y == EXPRESSION_NOT_KNOWN)
        same = expression_unknown;
    else if (is_x == EXPRESSION_NO || is_y == EXPRESSION_NO || (both > 0 && memcmp(x.data, y.data, both) != 0))
        same = expression_boolean(false);
    else if ((cut_x && (cut_y || y.size > x.size)) || (cut_y && x.size > y.size))
        same = expression_unknown; /* what one of them goes on with */
    if (x.bad || y.bad)
        same = expression_unknown;
    writer_free(&x);
    writer_free(&y);
    return same;
}

/* ---- numbers ---- */

struct expression_value value_unboxed(struct evaluation *e, const struct expression_value *v)
{
    const struct expression_objects *objects = objects_for(e, v);
    struct expression_value number = expression_unknown;
    switch (objects != NULL ? objects->number(e->host->context, v->bits, &number) : EXPRESSION_NO) {
    case EXPRESSION_YES: return number;
    case EXPRESSION_NO: return *v;
    case EXPRESSION_NOT_KNOWN: break;
    }
    return expression_unknown;
}

static const char NULL_HAS_NO_NUMBER[] = "java.lang.NullPointerException: null has no number";
bool value_is_null(const struct expression_value *v) { return v->known && v->kind == 'L' && v->bits == 0; }
bool value_is_number(const struct expression_value *v) { return strchr("BCSIJFD", v->kind) != NULL && v->kind != '\0'; }

/* I, J, F or D: as binary numeric promotion has it (JLS 5.6). */
static char promoted(char a, char b)
{
    static const char order[] = "DFJ";
    for (size_t i = 0; order[i] != '\0'; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return 'I';
}

static uint64_t converted(const struct expression_value *v, char to)
{
    if (to == 'D')
        return v->kind == 'D' ? v->bits
                              : of_double(v->kind == 'F' ? (double)as_float(v->bits) : (double)(int64_t)v->bits);
    if (to == 'F')
        return v->kind == 'F' ? v->bits : of_float((float)(int64_t)v->bits);
    return v->bits;
}

char expression_kind_called(const char *name)
{
    const struct primitive *p = primitive_named(name, strlen(name));
    return p != NULL ? p->letter : '\0';
}

char expression_kind_of(const char *type) { return primitive_letter(type); }

struct expression_value value_cast(struct evaluation *e, char kind, const struct expression_value *v)
{
    struct expression_value x = value_unboxed(e, v);
    if (!x.known || (x.kind == 'Z' && kind == 'Z'))
        return x;
    if (x.kind == 'L' && x.bits == 0)
        return value_thrown(NULL_HAS_NO_NUMBER);
    if (!value_is_number(&x) || kind == 'Z')
        return evaluation_fail(
            e, kind == 'Z' ? "a boolean is needed behind this cast" : "a number is needed behind a cast", NULL);
    bool real = x.kind == 'F' || x.kind == 'D';
    double wide = as_double(converted(&x, 'D'));
    switch (kind) {
    case 'D': return expression_number('D', of_double(wide));
    case 'F': return expression_number('F', x.kind == 'D' ? of_float((float)wide) : converted(&x, 'F'));
    case 'J': return expression_number('J', real ? (uint64_t)to_long(wide) : x.bits);
    default:
        return expression_number(
            kind, arithmetic_narrowed((unsigned char)kind, of_int(real ? to_int(wide) : (int32_t)(uint32_t)x.bits)));
    }
}

bool operator_holds(enum expression_operator op, int order)
{
    const bool equal = op == OPERATOR_EQ || op == OPERATOR_LE || op == OPERATOR_GE;
    const bool less = op == OPERATOR_NE || op == OPERATOR_LT || op == OPERATOR_LE;
    const bool more = op == OPERATOR_NE || op == OPERATOR_GT || op == OPERATOR_GE;
    return order == 0 ? equal : order < 0 ? less : more;
}

static bool is_ordered(enum expression_operator op)
{
    return op == OPERATOR_LT || op == OPERATOR_LE || op == OPERATOR_GT || op == OPERATOR_GE;
}

static const char *text_of(enum expression_operator op)
{
    static const char *const texts[OPERATOR_LIMIT] = {
#define OPERATOR(name, text, level) [OPERATOR_##name] = text,
#include "reader/expression/operators.def"
#undef OPERATOR
    };
    return texts[op];
}

/* The instruction of an operator for ints; those for long, float and double follow it. */
static unsigned opcode_of(enum expression_operator op)
{
    static const uint8_t opcodes[OPERATOR_LIMIT] = {
        [OPERATOR_ADD] = OPC_iadd, [OPERATOR_SUB] = OPC_isub, [OPERATOR_MUL] = OPC_imul,   [OPERATOR_DIV] = OPC_idiv,
        [OPERATOR_REM] = OPC_irem, [OPERATOR_AND] = OPC_iand, [OPERATOR_OR] = OPC_ior,     [OPERATOR_XOR] = OPC_ixor,
        [OPERATOR_SHL] = OPC_ishl, [OPERATOR_SHR] = OPC_ishr, [OPERATOR_USHR] = OPC_iushr,
    };
    return opcodes[op];
}

/* Is it false for & or true for |? Then the other operand, which may be unknown, does not matter. */
static bool decides(enum expression_operator op, const struct expression_value *v)
{
    return (op == OPERATOR_AND || op == OPERATOR_OR) && v->known && v->kind == 'Z' &&
           (v->bits != 0) == (op == OPERATOR_OR);
}

struct expression_value value_calculated(struct evaluation *e, enum expression_operator op,
                                         const struct expression_value *left, const struct expression_value *right)
{
    const bool bitwise = op == OPERATOR_AND || op == OPERATOR_OR || op == OPERATOR_XOR;
    const bool shift = op == OPERATOR_SHL || op == OPERATOR_SHR || op == OPERATOR_USHR;
    struct expression_value x = left->known ? value_unboxed(e, left) : *left;
    struct expression_value y = right->known ? value_unboxed(e, right) : *right;
    const struct expression_value *a = &x, *b = &y;
    if (left->thrown == NULL && right->thrown == NULL && (decides(op, a) || decides(op, b)))
        return expression_boolean(op == OPERATOR_OR);
    if (!left->known || !right->known)
        return none_of(left, right);
    if (op == OPERATOR_ADD && (value_is_text(e, left) || value_is_text(e, right)))
        return concatenated(e, a->known ? a : left, b->known ? b : right);
    if (!a->known || !b->known)
        return expression_unknown;
    if (bitwise && a->kind == 'Z' && b->kind == 'Z')
        return expression_number('Z', arithmetic_binary(opcode_of(op), a->bits, b->bits));
    if (value_is_null(a) || value_is_null(b))
        return value_thrown(NULL_HAS_NO_NUMBER);
    if (!value_is_number(a) || !value_is_number(b))
        return evaluation_fail(e, "numbers are needed on both sides of", text_of(op));
    char kind = shift ? promoted(a->kind, 'I') : promoted(a->kind, b->kind);
    if ((bitwise || shift) && (kind == 'F' || kind == 'D' || b->kind == 'F' || b->kind == 'D'))
        return evaluation_fail(e, "whole numbers are needed on both sides of", text_of(op));
    unsigned wide = kind == 'D' ? 3 : kind == 'F' ? 2 : kind == 'J';
    uint64_t p = converted(a, kind), q = shift ? b->bits : converted(b, kind);
    if ((op == OPERATOR_DIV || op == OPERATOR_REM) && wide < 2 && q == 0)
        return value_thrown("java.lang.ArithmeticException: / by zero");
    return expression_number(kind, arithmetic_binary(opcode_of(op) + wide, p, q));
}

struct expression_value value_of_unary(struct evaluation *e, enum expression_operator op,
                                       const struct expression_value *operand)
{
    const struct expression_value v = operand->known ? value_unboxed(e, operand) : *operand;
    if (!v.known)
        return v;
    if (op == OPERATOR_NOT)
        return v.kind == 'Z' ? expression_boolean(v.bits == 0) : evaluation_fail(e, "! needs a boolean", NULL);
    if (value_is_null(&v))
        return value_thrown(NULL_HAS_NO_NUMBER);
    if (!value_is_number(&v))
        return evaluation_fail(e, "a number is needed behind", text_of(op));
    const char kind = promoted(v.kind, v.kind);
    const uint64_t bits = converted(&v, kind);
    const unsigned wide = kind == 'D' ? 3 : kind == 'F' ? 2 : kind == 'J';
    if (op == OPERATOR_COMPLEMENT)
        return wide < 2 ? expression_number(kind, ~bits)
                        : evaluation_fail(e, "a whole number is needed behind", text_of(op));
    return expression_number(kind, op == OPERATOR_SUB ? arithmetic_unary(OPC_ineg + wide, bits) : bits);
}

static bool compare_numbers(enum expression_operator op, const struct expression_value *a,
                            const struct expression_value *b)
{
    const char kind = promoted(a->kind, b->kind);
    const uint64_t p = converted(a, kind), q = converted(b, kind);
    if (kind == 'I' || kind == 'J')
        return operator_holds(op, (int64_t)p < (int64_t)q ? -1 : (int64_t)p > (int64_t)q);
    const double x = kind == 'D' ? as_double(p) : (double)as_float(p);
    const double y = kind == 'D' ? as_double(q) : (double)as_float(q);
    return isnan(x) || isnan(y) ? op == OPERATOR_NE : operator_holds(op, x < y ? -1 : x > y);
}

/* A number that a method gave in a box. */
static bool is_boxed(const struct expression_value *v)
{
    return v->type != NULL && (v->kind == 'Z' || value_is_number(v));
}
static bool is_object(const struct expression_value *v) { return v->kind == 'L' || is_boxed(v); }

/* By == or != of two objects, one of which is a box that executed code made: for one number both may be one object. */
static struct expression_value boxes_compared(struct evaluation *e, enum expression_operator op,
                                              const struct expression_value *left, const struct expression_value *right)
{
    const struct expression_value a = value_unboxed(e, left), b = value_unboxed(e, right);
    struct expression_value out = expression_boolean(op == OPERATOR_NE);
    if (!a.known || !b.known)
        return none_of(&a, &b);
    if (a.kind == b.kind && a.bits == b.bits) {
        out = expression_unknown;
        out.missing = "whether two boxes of the same number are one object";
    }
    return out;
}

struct expression_value value_compared(struct evaluation *e, enum expression_operator op,
                                       const struct expression_value *left, const struct expression_value *right)
{
    struct expression_value a = *left, b = *right, same;
    if (!a.known || !b.known)
        return none_of(left, right);
    if (!is_ordered(op) && (is_boxed(&a) || is_boxed(&b)) && is_object(&a) && is_object(&b))
        return boxes_compared(e, op, &a, &b);
    if (is_ordered(op) || a.kind != 'L' || b.kind != 'L') { /* == of two boxes compares the objects */
        a = value_unboxed(e, left);
        b = value_unboxed(e, right);
    }
    if (!a.known || !b.known)
        return none_of(&a, &b);
    if (value_is_number(&a) && value_is_number(&b))
        return expression_boolean(compare_numbers(op, &a, &b));
    if (is_ordered(op) && !e->host->as_shown && (value_is_null(&a) || value_is_null(&b)))
        return value_thrown(NULL_HAS_NO_NUMBER);
    if (is_ordered(op))
        return evaluation_fail(e, "numbers are needed on both sides of", text_of(op));
    if (a.kind == 'Z' && b.kind == 'Z')
        same = expression_boolean((a.bits != 0) == (b.bits != 0));
    else if (a.kind == 'L' && b.kind == 'L')
        same = expression_boolean(a.bits == b.bits);
    else if ((a.kind == EXPRESSION_TEXT || a.kind == 'L') && (b.kind == EXPRESSION_TEXT || b.kind == 'L'))
        same = value_same_text(e, &a, &b);
    else if (!e->host->as_shown && (value_is_null(&a) || value_is_null(&b)))
        return value_thrown(NULL_HAS_NO_NUMBER); /* it is unboxed */
    else
        return evaluation_fail(e, "these two cannot be compared by", text_of(op));
    return same.known ? expression_boolean((same.bits != 0) == (op == OPERATOR_EQ)) : same;
}
