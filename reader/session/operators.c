/* operators.c - the operators of expressions on values; see operators.h. */
#include "reader/session/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json.h"
#include "formats/jvm/arithmetic.h"
#include "formats/mutf8.h"

const struct nav_value value_unknown = { .seq = HS_NO_SEQ };

struct nav_value value_fail(struct reading *r, const char *what, const char *name)
{
    if (r->status == OK)
        r->status = error_set(r->err, ERR_USAGE, name != NULL ? "%s: %.200s" : "%s", what, name);
    return value_unknown;
}

struct nav_value value_number(char kind, uint64_t bits)
{
    return (struct nav_value){ .known = true, .kind = kind, .bits = bits, .seq = HS_NO_SEQ };
}
struct nav_value value_boolean(bool v) { return value_number('Z', v); }

/* ---- texts ---- */

struct nav_value value_text(struct reading *r, struct writer *w)
{
    write_u1(w, 0);
    char *copy = w->bad ? NULL : arena_chars(r->arena, w->size);
    if (copy != NULL)
        memcpy(copy, w->data, w->size);
    writer_free(w);
    if (copy == NULL) {
        r->status = error_memory(r->err, "expression");
        return value_unknown;
    }
    return (struct nav_value){ .known = true, .kind = NAV_TEXT, .text = copy, .seq = HS_NO_SEQ };
}

const struct hs_object *value_string(struct reading *r, const struct nav_value *v)
{
    const struct hs_object *o = r->nav != NULL && v->known && v->kind == 'L' && v->bits - 1 < UINT32_MAX
                                    ? hs_object_get(r->nav->trace, (uint32_t)v->bits)
                                    : NULL;
    return o != NULL && o->has_string ? o : NULL;
}

bool value_is_text(struct reading *r, const struct nav_value *v)
{
    return v->known && (v->kind == NAV_TEXT || value_string(r, v) != NULL);
}

/* The text that a value has in a concatenation. */
static void write_value(struct reading *r, const struct nav_value *v, struct writer *w)
{
    char digits[JSON_NUMBER_MAX];
    const struct hs_object *o;
    const char *text = digits;
    switch (v->kind) {
    case NAV_TEXT: text = v->text; break;
    case 'Z': text = v->bits != 0 ? "true" : "false"; break;
    case 'F': text = json_float_digits((uint32_t)v->bits, digits); break;
    case 'D': text = json_double_digits(v->bits, digits); break;
    case 'C': {
        uint8_t unit[2] = { (uint8_t)v->bits, (uint8_t)(v->bits >> 8) };
        utf16le_to_utf8(unit, 2, w);
        return;
    }
    case 'L':
        o = value_string(r, v);
        if (o != NULL) {
            (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, o->data_bytes, w);
            return;
        }
        const struct hs_object_value *known =
            v->bits - 1 < UINT32_MAX ? hs_object_value_get(r->nav->trace, (uint32_t)v->bits, HS_NO_SEQ) : NULL;
        if (known != NULL) {
            write_bytes(w, known->text, strlen(known->text));
            return;
        }
        o = v->bits - 1 < UINT32_MAX ? hs_object_get(r->nav->trace, (uint32_t)v->bits) : NULL;
        text = v->bits == 0 ? "null" : o != NULL && o->type != NULL ? o->type : "object";
        write_bytes(w, text, strlen(text));
        if (v->bits == 0)
            return;
        (void)snprintf(digits, sizeof digits, "#%llu", (unsigned long long)v->bits);
        text = digits;
        break;
    default: (void)snprintf(digits, sizeof digits, "%lld", (long long)v->bits); break;
    }
    write_bytes(w, text, strlen(text));
}

static struct nav_value concatenated(struct reading *r, const struct nav_value *a, const struct nav_value *b)
{
    struct writer w = { 0 };
    write_value(r, a, &w);
    write_value(r, b, &w);
    return value_text(r, &w);
}

/* A text, and whether it goes on behind what was recorded. */
static bool is_cut(struct reading *r, const struct nav_value *v)
{
    const struct hs_object *o = v->kind == 'L' ? value_string(r, v) : NULL;
    return o != NULL && o->cut;
}

static bool is_unrecorded_text(struct reading *r, const struct nav_value *v)
{
    const struct hs_object *o =
        v->kind == 'L' && v->bits - 1 < UINT32_MAX ? hs_object_get(r->nav->trace, (uint32_t)v->bits) : NULL;
    return o != NULL && !o->has_string && o->type != NULL && strcmp(o->type, "java.lang.String") == 0;
}

struct nav_value value_same_text(struct reading *r, const struct nav_value *a, const struct nav_value *b)
{
    struct writer x = { 0 }, y = { 0 };
    if (is_unrecorded_text(r, a) || is_unrecorded_text(r, b))
        return value_unknown;
    if (!value_is_text(r, a) || !value_is_text(r, b))
        return value_boolean(false);
    write_value(r, a, &x);
    write_value(r, b, &y);
    size_t both = x.size < y.size ? x.size : y.size;
    bool cut_x = is_cut(r, a), cut_y = is_cut(r, b);
    struct nav_value same = value_boolean(x.size == y.size && !cut_x && !cut_y);
    if (both > 0 && memcmp(x.data, y.data, both) != 0)
        same = value_boolean(false);
    else if ((cut_x && (cut_y || y.size > x.size)) || (cut_y && x.size > y.size))
        same = value_unknown; /* what one of them goes on with */
    if (x.bad || y.bad)
        same = value_unknown;
    writer_free(&x);
    writer_free(&y);
    return same;
}

/* ---- boxes ---- */

bool value_is_box(const struct hs_object *o)
{
    static const char *const boxes[] = {
        "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double"
    };
    static const char package[] = "java.lang.";
    size_t skip = sizeof package - 1;
    if (o == NULL || o->type == NULL || strncmp(o->type, package, skip) != 0)
        return false;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        if (strcmp(o->type + skip, boxes[i]) == 0)
            return true;
    return false;
}

struct nav_value value_unboxed(struct reading *r, const struct nav_value *v)
{
    const struct hs_object *o = r->nav != NULL && v->known && v->kind == HS_KIND_REF && v->bits - 1 < UINT32_MAX
                                    ? hs_object_get(r->nav->trace, (uint32_t)v->bits)
                                    : NULL;
    const struct hs_contents *box;
    if (!value_is_box(o))
        return *v;
    const struct hs_object_value *copied = hs_object_value_get(r->nav->trace, (uint32_t)v->bits, HS_NO_SEQ);
    if (copied != NULL && copied->kind != 0)
        return value_number(copied->kind, copied->bits);
    o = hs_object_get(r->nav->trace, (uint32_t)v->bits);
    if (o == NULL)
        return value_unknown;
    if (hs_contents_at(r->nav->trace, o->id, r->nav->seq, &box, NULL) <= 0 || !box->known || box->entry_count != 1)
        return value_unknown;
    return value_number(box->entries[0]->value->kind, box->entries[0]->value->bits);
}

/* ---- numbers ---- */

bool value_is_number(const struct nav_value *v) { return strchr("BCSIJFD", v->kind) != NULL && v->kind != '\0'; }

/* I, J, F or D: as binary numeric promotion has it (JLS 5.6). */
static char promoted(char a, char b)
{
    static const char order[] = "DFJ";
    for (size_t i = 0; order[i] != '\0'; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return 'I';
}

static uint64_t converted(const struct nav_value *v, char to)
{
    if (to == 'D')
        return v->kind == 'D' ? v->bits
                              : of_double(v->kind == 'F' ? (double)as_float(v->bits) : (double)(int64_t)v->bits);
    if (to == 'F')
        return v->kind == 'F' ? v->bits : of_float((float)(int64_t)v->bits);
    return v->bits;
}

char value_kind_called(const char *name)
{
    static const char *const names[] = { "boolean", "byte", "char", "short", "int", "long", "float", "double" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return "ZBCSIJFD"[i];
    return '\0';
}

struct nav_value value_cast(struct reading *r, char kind, const struct nav_value *v)
{
    struct nav_value x = value_unboxed(r, v);
    if (!x.known || (x.kind == 'Z' && kind == 'Z'))
        return x;
    if (!value_is_number(&x) || kind == 'Z')
        return value_fail(r, kind == 'Z' ? "a boolean is needed behind this cast" : "a number is needed behind a cast",
                          NULL);
    bool real = x.kind == 'F' || x.kind == 'D';
    double wide = as_double(converted(&x, 'D'));
    switch (kind) {
    case 'D': return value_number('D', of_double(wide));
    case 'F': return value_number('F', x.kind == 'D' ? of_float((float)wide) : converted(&x, 'F'));
    case 'J': return value_number('J', real ? (uint64_t)to_long(wide) : x.bits);
    default:
        return value_number(
            kind, arithmetic_narrowed((unsigned char)kind, of_int(real ? to_int(wide) : (int32_t)(uint32_t)x.bits)));
    }
}

/* The instruction of an operator for ints; those for long, float and double follow it. */
static unsigned opcode_of(const char *op)
{
    switch (op[0]) {
    case '+': return OPC_iadd;
    case '-': return OPC_isub;
    case '*': return OPC_imul;
    case '/': return OPC_idiv;
    case '%': return OPC_irem;
    case '&': return OPC_iand;
    case '|': return OPC_ior;
    case '^': return OPC_ixor;
    case '<': return OPC_ishl;
    default: return op[2] == '>' ? OPC_iushr : OPC_ishr;
    }
}

/* Is it false for & or true for |? Then the other operand, which may be unknown, does not matter. */
static bool decides(const char *op, const struct nav_value *v)
{
    return (op[0] == '&' || op[0] == '|') && v->known && v->kind == 'Z' && (v->bits != 0) == (op[0] == '|');
}

struct nav_value value_calculated(struct reading *r, const char *op, const struct nav_value *left,
                                  const struct nav_value *right)
{
    bool bitwise = strchr("&|^", op[0]) != NULL, shift = op[0] == '<' || op[0] == '>';
    struct nav_value x = left->known ? value_unboxed(r, left) : value_unknown;
    struct nav_value y = right->known ? value_unboxed(r, right) : value_unknown, *a = &x, *b = &y;
    if (decides(op, a) || decides(op, b))
        return value_boolean(op[0] == '|');
    if (!left->known || !right->known)
        return value_unknown;
    if (op[0] == '+' && (value_is_text(r, left) || value_is_text(r, right)))
        return concatenated(r, a->known ? a : left, b->known ? b : right);
    if (!a->known || !b->known)
        return value_unknown;
    if (bitwise && a->kind == 'Z' && b->kind == 'Z')
        return value_number('Z', arithmetic_binary(opcode_of(op), a->bits, b->bits));
    if (!value_is_number(a) || !value_is_number(b))
        return value_fail(r, "numbers are needed on both sides of", op);
    char kind = shift ? promoted(a->kind, 'I') : promoted(a->kind, b->kind);
    if ((bitwise || shift) && (kind == 'F' || kind == 'D' || b->kind == 'F' || b->kind == 'D'))
        return value_fail(r, "whole numbers are needed on both sides of", op);
    unsigned wide = kind == 'D' ? 3 : kind == 'F' ? 2 : kind == 'J';
    uint64_t p = converted(a, kind), q = shift ? b->bits : converted(b, kind);
    if ((op[0] == '/' || op[0] == '%') && wide < 2 && q == 0)
        return value_fail(r, "division by zero", NULL);
    return value_number(kind, arithmetic_binary(opcode_of(op) + wide, p, q));
}

struct nav_value value_compared(struct reading *r, const char *op, const struct nav_value *left,
                                const struct nav_value *right)
{
    bool equality = op[0] == '=' || op[0] == '!', yes = false;
    struct nav_value unboxed[2] = { *left, *right }, *a = &unboxed[0], *b = &unboxed[1];
    if (!a->known || !b->known)
        return value_unknown;
    if (!equality || a->kind != 'L' || b->kind != 'L') { /* == of two boxes compares the objects */
        unboxed[0] = value_unboxed(r, left);
        unboxed[1] = value_unboxed(r, right);
    }
    if (!a->known || !b->known)
        return value_unknown;
    if (value_is_number(a) && value_is_number(b)) {
        char kind = promoted(a->kind, b->kind);
        uint64_t p = converted(a, kind), q = converted(b, kind);
        double x = kind == 'D' ? as_double(p) : kind == 'F' ? (double)as_float(p) : 0;
        double y = kind == 'D' ? as_double(q) : kind == 'F' ? (double)as_float(q) : 0;
        bool whole = kind == 'I' || kind == 'J';
        bool less = whole ? (int64_t)p < (int64_t)q : x < y, same = whole ? p == q : x >= y && x <= y;
        bool more = whole ? (int64_t)p > (int64_t)q : x > y;
        yes = equality       ? same == (op[0] == '=')
              : op[0] == '<' ? less || (op[1] == '=' && same)
                             : more || (op[1] == '=' && same);
        return value_boolean(yes);
    }
    if (!equality)
        return value_fail(r, "numbers are needed on both sides of", op);
    if (a->kind == 'Z' && b->kind == 'Z')
        yes = (a->bits != 0) == (b->bits != 0);
    else if (a->kind == 'L' && b->kind == 'L')
        yes = a->bits == b->bits;
    else if ((a->kind == NAV_TEXT || a->kind == 'L') && (b->kind == NAV_TEXT || b->kind == 'L')) {
        struct nav_value same = value_same_text(r, a, b);
        if (!same.known)
            return same;
        yes = same.bits != 0;
    } else
        return value_fail(r, "these two cannot be compared by", op);
    return value_boolean(yes == (op[0] == '='));
}
