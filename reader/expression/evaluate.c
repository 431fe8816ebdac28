/* evaluate.c - the value of a tree; see expression.h. */
#include <stdio.h>
#include <string.h>

#include "formats/jvm/primitive.h"
#include "reader/expression/expression.h"

static struct expression_value evaluate(struct evaluation *e, const struct expression *t);

/* In a row what does not fit is not known. */
static void settle(struct evaluation *e, struct expression_value *v)
{
    if (e->status != ERR_USAGE || !e->host->as_shown)
        return;
    e->status = OK;
    e->nameless = false;
    *v = expression_unknown;
}

static bool is_whole(const struct expression_value *v)
{
    return value_is_number(v) && v->kind != 'F' && v->kind != 'D' && v->kind != 'J';
}

/* ---- names ---- */

/* The value of a name, or of a member of one; false: nothing has the name. The longest path that the host knows counts
 * for rows, whose names may have a class (Order.state); else the first name, as in Java. */
static bool resolve(struct evaluation *e, const struct expression *t, struct expression_value *out)
{
    const struct expression_host *h = e->host;
    if (t->path == NULL) {
        *out = evaluate(e, t);
        return true;
    }
    if (t->type == EXPRESSION_NAME || h->as_shown) {
        if (h->lookup(e, t->path, out))
            return true;
        if (t->type == EXPRESSION_NAME || h->member == NULL)
            return false;
    }
    struct expression_value object;
    if (!resolve(e, t->left, &object))
        return e->status == OK && !h->as_shown && h->lookup(e, t->path, out);
    *out = object;
    if (object.known && e->status == OK)
        *out = h->member != NULL ? h->member(e, &object, t->name) : expression_unknown;
    return true;
}

static struct expression_value named(struct evaluation *e, const struct expression *t)
{
    struct expression_value v = expression_unknown;
    if (resolve(e, t, &v) || e->status != OK)
        return v;
    if (e->host->as_shown)
        return expression_unknown;
    e->nameless = true;
    return evaluation_fail(e,
                           strchr(t->path, '.') != NULL
                               ? "no variable, field or class is called so here (a class that was never loaded, or is "
                                 "not woven, is not known)"
                               : "no variable, field or class is called so here",
                           t->path);
}

static struct expression_value member(struct evaluation *e, const struct expression *t)
{
    if (t->path != NULL)
        return named(e, t);
    const struct expression_value object = evaluate(e, t->left);
    if (!object.known || e->status != OK)
        return object;
    return e->host->member != NULL ? e->host->member(e, &object, t->name) : expression_unknown;
}

static struct expression_value element(struct evaluation *e, const struct expression *t)
{
    const struct expression_value array = evaluate(e, t->left);
    struct expression_value index = e->status == OK ? evaluate(e, t->right) : expression_unknown;
    if (e->status != OK || !array.known || !index.known)
        return array.known ? index : array;
    index = value_unboxed(e, &index);
    if (array.kind != 'L' || (index.known && !is_whole(&index)))
        return evaluation_fail(e, "an array and a whole number are needed for an element", NULL);
    if (array.bits == 0)
        return value_thrown("java.lang.NullPointerException: null has no elements");
    return index.known && e->host->element != NULL ? e->host->element(e, &array, index.bits) : expression_unknown;
}

/* Null of a type that can be unboxed. */
static bool is_null_box(const struct expression_value *v)
{
    static const char package[] = "java.lang.";
    return value_is_null(v) && v->type != NULL && strncmp(v->type, package, sizeof package - 1) == 0 &&
           strcmp(v->type, "java.lang.String") != 0;
}

/* Of a call, new and an array. False: one is thrown, or failed, which is `*out`. */
static bool evaluate_arguments(struct evaluation *e, const struct expression *t, struct expression_value **arguments,
                               struct expression_value *out)
{
    *arguments = arena_array(e->arena, t->count + 1, sizeof **arguments);
    if (*arguments == NULL)
        e->status = error_memory(e->err, "expression");
    for (size_t i = 0; e->status == OK && i < t->count; i++) {
        (*arguments)[i] = evaluate(e, t->arguments[i]);
        if ((*arguments)[i].thrown != NULL) {
            *out = (*arguments)[i];
            for (size_t k = 0; k < i; k++)
                if (is_null_box(&(*arguments)[k])) { /* which the method that is called may want as a number */
                    *out = expression_unknown;
                    out->missing = "which of two arguments throws first";
                }
            return false;
        }
    }
    *out = expression_unknown;
    return e->status == OK;
}

static struct expression_value call(struct evaluation *e, const struct expression *t)
{
    struct expression_value object = expression_unknown, out, *arguments;
    struct expression_call c = { .name = t->type == EXPRESSION_NEW ? "<init>" : t->name, .count = t->count };
    c.owner = t->type == EXPRESSION_NEW ? t->name : NULL;
    if (t->left != NULL) {
        /* a path that is no value is a class: Math.max(1, 2) */
        const bool is_value = resolve(e, t->left, &object);
        if (e->status != OK)
            return expression_unknown;
        if (!is_value)
            c.owner = t->left->path;
        else
            c.object = &object;
    }
    if (!evaluate_arguments(e, t, &arguments, &out))
        return out;
    c.arguments = arguments;
    if (c.object != NULL && !object.known)
        return object;
    return e->host->call != NULL ? e->host->call(e, &c) : expression_unknown;
}

/* ---- objects ---- */

/* The type of a number or boolean in its box, as an object of class `name`; NULL: it is none. JLS 5.5. */
static const char *box_type(const struct expression_value *v, const char *name)
{
    static const struct {
        const char *kinds, *type;
    } types[] = { { "Z", "java.lang.Boolean" },
                  { "B", "java.lang.Byte" },
                  { "C", "java.lang.Character" },
                  { "S", "java.lang.Short" },
                  { "I", "java.lang.Integer" },
                  { "J", "java.lang.Long" },
                  { "F", "java.lang.Float" },
                  { "D", "java.lang.Double" },
                  { "ZBCSIJFD", "java.lang.Object" },
                  { "BSIJFD", "java.lang.Number" },
                  { "ZBCSIJFD", "java.lang.Comparable" } };
    const size_t package = strlen("java.lang.");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strchr(types[i].kinds, v->kind) != NULL &&
            (strcmp(name, types[i].type) == 0 || strcmp(name, types[i].type + package) == 0))
            return types[i].type;
    return NULL;
}

static struct expression_value instance_of(struct evaluation *e, const struct expression *t)
{
    const struct expression_value v = evaluate(e, t->left);
    const char *full;
    if (e->status != OK || !v.known)
        return v;
    if (v.kind == EXPRESSION_TEXT)
        return expression_boolean(strcmp(t->name, "String") == 0 || strcmp(t->name, "java.lang.String") == 0 ||
                                  strcmp(t->name, "Object") == 0 || strcmp(t->name, "java.lang.Object") == 0 ||
                                  strcmp(t->name, "CharSequence") == 0 || strcmp(t->name, "Comparable") == 0);
    if (v.kind != 'L' && v.type != NULL)
        return expression_boolean(box_type(&v, t->name) != NULL);
    if (v.kind != 'L')
        return evaluation_fail(e, "an object is needed on the left of instanceof", NULL);
    if (v.bits == 0 || e->host->objects == NULL)
        return v.bits == 0 ? expression_boolean(false) : expression_unknown;
    enum expression_answer yes = e->host->objects->is_a(e->host->context, v.bits, t->name, &full);
    return yes == EXPRESSION_NOT_KNOWN ? expression_unknown : expression_boolean(yes == EXPRESSION_YES);
}

static struct expression_value cast(struct evaluation *e, const struct expression *t)
{
    struct expression_value v = evaluate(e, t->left);
    const char *full = NULL;
    const char kind = expression_kind_called(t->name);
    if (e->status != OK || !v.known)
        return v;
    if (kind != '\0')
        return value_cast(e, kind, &v);
    if (v.kind == EXPRESSION_TEXT || (v.kind == 'L' && v.bits == 0) || e->host->objects == NULL)
        return v;
    if (v.kind != 'L' && (v.type = box_type(&v, t->name)) != NULL)
        return v;
    if (v.kind != 'L')
        return evaluation_fail(e, "an object is needed behind a cast to", t->name);
    enum expression_answer yes = e->host->objects->is_a(e->host->context, v.bits, t->name, &full);
    if (yes == EXPRESSION_NO)
        return value_thrown("java.lang.ClassCastException: the object is not of the class of the cast");
    v.type = yes == EXPRESSION_YES ? full : EXPRESSION_UNSURE;
    return v;
}

/* ---- comparisons ---- */

static struct expression_value of_answer(enum expression_answer answer)
{
    return answer == EXPRESSION_NOT_KNOWN ? expression_unknown : expression_boolean(answer == EXPRESSION_YES);
}

/* With what answers show; of several values of a name one is enough. */
static enum expression_answer is_shown(struct evaluation *e, const struct expression *t,
                                       const struct expression_value *v, bool *fits)
{
    enum expression_answer answer = value_is_shown(e, t->op, v, t->shown, fits);
    for (size_t i = 0; i < v->more_count && answer != EXPRESSION_YES; i++) {
        bool other;
        enum expression_answer next = value_is_shown(e, t->op, &v->more[i], t->shown, &other);
        answer = next == EXPRESSION_NO ? answer : next;
        *fits |= other;
    }
    return answer;
}

/* The comparison as in Java. False: it does not fit, the failure is `*why`, and e->status is OK again. */
static bool compare(struct evaluation *e, const struct expression *t, const struct expression_value *left,
                    struct expression_value *out, struct error *why)
{
    struct error *err = e->err;
    e->err = why;
    struct expression_value right = evaluate(e, t->right);
    if (e->status == OK)
        *out = value_compared(e, t->op, left, &right);
    e->err = err;
    if (e->status != ERR_USAGE)
        return true;
    e->status = OK;
    e->nameless = false;
    return false;
}

/* In a row: with what answers show, before it is an expression. */
static enum expression_answer compare_in_row(struct evaluation *e, const struct expression *t)
{
    struct error why;
    struct expression_value left = expression_unknown, out = expression_unknown;
    bool fits = true;
    if (t->left->path == NULL)
        left = evaluate(e, t->left);
    else if (!resolve(e, t->left, &left))
        return EXPRESSION_NOT_KNOWN;
    if (e->status != OK || !left.known)
        return EXPRESSION_NOT_KNOWN;
    const enum expression_answer answer = is_shown(e, t, &left, &fits);
    if (fits || t->right == NULL || !compare(e, t, &left, &out, &why) || !out.known)
        return answer;
    return out.bits != 0 ? EXPRESSION_YES : EXPRESSION_NO;
}

static bool is_in_row(const struct evaluation *e, const struct expression *t)
{
    return e->host->as_shown && t->shown != NULL && t->left->type != EXPRESSION_LITERAL;
}

static struct expression_value comparison(struct evaluation *e, const struct expression *t)
{
    struct error why; /* of compare, where it fails */
    if (is_in_row(e, t))
        return of_answer(compare_in_row(e, t));
    const struct expression_value left = evaluate(e, t->left);
    struct expression_value out = expression_unknown;
    enum expression_answer answer = EXPRESSION_NOT_KNOWN;
    if (e->status != OK || left.thrown != NULL || (t->right != NULL && compare(e, t, &left, &out, &why)))
        return e->status != OK || left.thrown != NULL ? left : out;
    if (t->shown != NULL) {
        bool fits;
        answer = is_shown(e, t, &left, &fits);
        if (fits || t->right == NULL)
            return of_answer(answer);
    }
    if (!e->host->as_shown)
        e->status = error_set(e->err, ERR_USAGE, "%s", why.text);
    return of_answer(answer);
}

/* ---- the tree ---- */

static bool is_boolean(struct evaluation *e, struct expression_value *v)
{
    if (v->known && v->kind == 'L')
        *v = value_unboxed(e, v);
    if (!v->known || v->kind == 'Z')
        return true;
    *v = evaluation_fail(e, "a boolean is needed on each side of && and ||, and before ?", NULL);
    settle(e, v);
    return e->status == OK;
}

/* && (`decides` false) and ||: what comes behind the value that decides is not evaluated. Behind one that is not known
 * what is thrown is not known either. */
static struct expression_value chain(struct evaluation *e, const struct expression *t, bool decides)
{
    struct expression_value unknown = expression_boolean(!decides);
    for (size_t i = 0; i < t->count; i++) {
        struct expression_value v = evaluate(e, t->arguments[i]);
        settle(e, &v);
        if (e->status != OK || !is_boolean(e, &v))
            return v;
        if (v.known && (v.bits != 0) == decides)
            return v;
        if (v.thrown != NULL && unknown.known)
            return v;
        if (!v.known && unknown.known)
            unknown = v;
    }
    return unknown;
}

/* Does it call a method? */
static bool calls(const struct expression *t)
{
    bool any = t->type == EXPRESSION_CALL || t->type == EXPRESSION_NEW;
    const struct expression *const parts[] = { t->left, t->right, t->third };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        any = any || (parts[i] != NULL && calls(parts[i]));
    for (size_t i = 0; i < t->count; i++)
        any = any || calls(t->arguments[i]);
    return any;
}

/* Of a side that is not chosen, for its type: it does not fail. */
static struct expression_value quietly(struct evaluation *e, const struct expression *t)
{
    struct error ignored, *err = e->err;
    e->err = &ignored;
    const struct expression_value v = evaluate(e, t);
    e->err = err;
    e->status = OK;
    e->nameless = false;
    return v;
}

/* The type of the whole, where its sides are objects: theirs, if it is one; null is of each. */
static const char *common_type(const struct expression_value *chosen, const struct expression_value *other)
{
    const bool same = other->known && (other->type == NULL) == (chosen->type == NULL) &&
                      (other->type == NULL || strcmp(other->type, chosen->type) == 0);
    return same || (value_is_null(other) && other->type == NULL)           ? chosen->type
           : value_is_null(chosen) && chosen->type == NULL && other->known ? other->type
                                                                           : EXPRESSION_UNSURE;
}

/* The kind of a primitive type or of what is in a box; 0: another type, or it is not known. */
static char kind_of_side(const struct expression_value *v)
{
    const struct primitive *box = v->known && v->kind == 'L' && v->type != NULL ? primitive_of_box(v->type) : NULL;
    return box != NULL ? box->letter : v->known && (v->kind == 'Z' || value_is_number(v)) ? v->kind : '\0';
}

static bool is_of_literals(const struct expression *t)
{
    const struct expression *const parts[] = { t->left, t->right, t->third };
    const bool fits = t->type == EXPRESSION_LITERAL || t->type == EXPRESSION_UNARY || t->type == EXPRESSION_CAST ||
                      t->type == EXPRESSION_CALCULATION || t->type == EXPRESSION_CONDITIONAL;
    for (size_t i = 0; fits && i < sizeof parts / sizeof *parts; i++)
        if (parts[i] != NULL && !is_of_literals(parts[i]))
            return false;
    return fits;
}

/* Is it an int that is known when it is compiled, and a number of that kind? JLS 15.29 */
static bool is_constant(struct evaluation *e, const struct expression *t, const struct expression_value *v, char kind)
{
    return v->kind == 'I' && is_of_literals(t) && value_cast(e, kind, v).bits == v->bits;
}

/* A number as one of the type that both sides have: 1 ? 2 : 3.0 is 2.0. JLS 15.25 */
static struct expression_value together(struct evaluation *e, const struct expression_value *chosen, char kind,
                                        const struct expression_value *other, const struct expression *chosen_side,
                                        const struct expression *other_side)
{
    const char from = chosen->kind;
    char to = from == 'D' || kind == 'D' ? 'D' : from == 'F' || kind == 'F' ? 'F' : 'J';
    if (from == kind || from == 'Z' || kind == 'Z')
        return *chosen;
    if (to == 'J' && from != 'J' && kind != 'J')
        to = (from == 'B' && kind == 'S') || (from == 'S' && kind == 'B') ? 'S'
             : from == 'I' && is_constant(e, chosen_side, chosen, kind)   ? kind
             : kind == 'I' && is_constant(e, other_side, other, from)     ? from
                                                                          : 'I';
    return from == to ? *chosen : value_cast(e, to, chosen);
}

/* A box beside a number, or another kind of box, is unboxed. */
static struct expression_value conditional(struct evaluation *e, const struct expression *t)
{
    struct expression_value v = evaluate(e, t->left);
    if (e->status != OK || !is_boolean(e, &v) || !v.known)
        return v;
    const struct expression *side = v.bits != 0 ? t->right : t->third, *other_side = v.bits != 0 ? t->third : t->right;
    struct expression_value chosen = evaluate(e, side);
    if (e->status != OK || !chosen.known || (chosen.kind != 'L' && kind_of_side(&chosen) == '\0'))
        return chosen;
    const bool may_be_box = chosen.kind == 'L' && (chosen.type == NULL || kind_of_side(&chosen) != '\0' ||
                                                   strcmp(chosen.type, EXPRESSION_UNSURE) == 0);
    /* a call is not executed for the type of an object alone */
    const bool skipped = chosen.kind == 'L' && !may_be_box && calls(other_side);
    const struct expression_value other = skipped ? expression_unknown : quietly(e, other_side);
    const char of_chosen = kind_of_side(&chosen), of_other = kind_of_side(&other);
    const bool both_boxes = chosen.kind == 'L' && other.kind == 'L' && of_chosen == of_other;
    if (of_chosen != '\0' && of_other != '\0' && !both_boxes) {
        if (chosen.kind == 'L')
            chosen = value_cast(e, of_chosen, &chosen);
        return chosen.known ? together(e, &chosen, of_other, &other, side, other_side) : chosen;
    }
    const bool may_be_number = !other.known || of_other != '\0';
    if (value_is_null(&chosen) && side->type != EXPRESSION_LITERAL && may_be_box && may_be_number && !both_boxes) {
        chosen = expression_unknown;
        chosen.missing = "the type of the other side of ? :, which may unbox null";
        return chosen;
    }
    if (chosen.kind == 'L')
        chosen.type = common_type(&chosen, &other);
    return chosen;
}

static struct expression_value evaluate(struct evaluation *e, const struct expression *t)
{
    struct expression_value a, b, *arguments;
    if (e->status != OK)
        return expression_unknown;
    switch (t->type) {
    case EXPRESSION_LITERAL: return t->value;
    case EXPRESSION_NAME: return named(e, t);
    case EXPRESSION_MEMBER: return member(e, t);
    case EXPRESSION_ELEMENT: return element(e, t);
    case EXPRESSION_CALL:
    case EXPRESSION_NEW: return call(e, t);
    case EXPRESSION_ARRAY:
        if (!evaluate_arguments(e, t, &arguments, &a) || e->host->array == NULL)
            return a;
        return e->host->array(e, t->name, arguments, t->count, t->op == OPERATOR_NONE);
    case EXPRESSION_UNARY: a = evaluate(e, t->left); return e->status == OK ? value_of_unary(e, t->op, &a) : a;
    case EXPRESSION_CALCULATION:
        a = evaluate(e, t->left);
        /* the left side is unboxed before the right one is evaluated, but of a + that may join texts */
        if (value_is_null(&a) && t->op != OPERATOR_ADD && e->status == OK) {
            b = expression_number('I', 1);
            return value_calculated(e, t->op, &a, &b);
        }
        b = a.thrown == NULL ? evaluate(e, t->right) : a;
        return e->status != OK || a.thrown != NULL ? a : value_calculated(e, t->op, &a, &b);
    case EXPRESSION_COMPARISON: return comparison(e, t);
    case EXPRESSION_AND: return chain(e, t, false);
    case EXPRESSION_OR: return chain(e, t, true);
    case EXPRESSION_CONDITIONAL: return conditional(e, t);
    case EXPRESSION_CAST: return cast(e, t);
    case EXPRESSION_INSTANCEOF: return instance_of(e, t);
    }
    return expression_unknown;
}

struct expression_value expression_evaluate(struct evaluation *e, const struct expression *tree)
{
    struct expression_value v = evaluate(e, tree);
    settle(e, &v);
    return v;
}

static enum expression_answer decide_value(struct evaluation *e, const struct expression *t)
{
    struct expression_value v = evaluate(e, t);
    if (e->status == ERR_USAGE)
        e->status = OK;
    else if (e->status == OK && v.known && v.kind == 'L')
        v = value_unboxed(e, &v);
    return v.known && v.kind == 'Z' ? (v.bits != 0 ? EXPRESSION_YES : EXPRESSION_NO) : EXPRESSION_NOT_KNOWN;
}

/* Of a row, whose conditions are mostly comparisons joined by && || !: without values in between. */
static enum expression_answer decide_row(struct evaluation *e, const struct expression *t)
{
    const enum expression_answer decides = t->type == EXPRESSION_OR ? EXPRESSION_YES : EXPRESSION_NO;
    enum expression_answer answer = decides == EXPRESSION_YES ? EXPRESSION_NO : EXPRESSION_YES, next;
    if (t->type == EXPRESSION_COMPARISON && is_in_row(e, t)) {
        answer = compare_in_row(e, t);
        if (e->status == ERR_USAGE) {
            e->status = OK;
            return EXPRESSION_NOT_KNOWN;
        }
        return answer;
    }
    if (t->type == EXPRESSION_UNARY && t->op == OPERATOR_NOT) {
        answer = decide_row(e, t->left);
        return answer == EXPRESSION_NOT_KNOWN ? answer : answer == EXPRESSION_NO ? EXPRESSION_YES : EXPRESSION_NO;
    }
    if (t->type != EXPRESSION_AND && t->type != EXPRESSION_OR)
        return decide_value(e, t);
    for (size_t i = 0; i < t->count && answer != decides; i++) {
        next = decide_row(e, t->arguments[i]);
        answer = next == decides || answer != EXPRESSION_NOT_KNOWN ? next : answer;
    }
    return answer;
}

enum expression_answer expression_decide(struct evaluation *e, const struct expression *tree)
{
    return e->host->as_shown ? decide_row(e, tree) : decide_value(e, tree);
}
