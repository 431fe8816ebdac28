/* expression_host.h - names and objects of the tests of expressions, and what an expression is with them.
 *
 * Included once by each test program; everything is static. */
#ifndef HINDSIGHT_TEST_EXPRESSION_HOST_H
#define HINDSIGHT_TEST_EXPRESSION_HOST_H

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "formats/jvm/arithmetic.h"
#include "reader/expression/expression.h"
#include "reader/trace.h"

enum { BOX, OTHER_BOX, HIDDEN_BOX, TEXT, CUT_TEXT, CONSTANT, DATE, DECIMAL, OBJECTS, FIRST_OBJECT = 100 };

/* What the names are, here and in Java; a kind of 0 is not known, and not for Java. */
static const struct variable {
    const char *name, *java;
    char kind;
    uint64_t bits;
} variables[] = {
    { "b", "byte b = -128;", 'B', (uint64_t)-128 },
    { "s", "short s = -300;", 'S', (uint64_t)-300 },
    { "c", "char c = 'x';", 'C', 'x' },
    { "high", "char high = '\\uffff';", 'C', 0xffff },
    { "i", "int i = 7;", 'I', 7 },
    { "zero", "int zero = 0;", 'I', 0 },
    { "min", "int min = Integer.MIN_VALUE;", 'I', (uint64_t)INT32_MIN },
    { "max", "int max = Integer.MAX_VALUE;", 'I', INT32_MAX },
    { "j", "long j = 5000000000L;", 'J', 5000000000 },
    { "jmin", "long jmin = Long.MIN_VALUE;", 'J', (uint64_t)INT64_MIN },
    { "jmax", "long jmax = Long.MAX_VALUE;", 'J', INT64_MAX },
    { "f", "float f = 0.1f;", 'F', 0x3dcccccd },
    { "d", "double d = 0.1;", 'D', 0x3fb999999999999a },
    { "nan", "double nan = Double.NaN;", 'D', 0x7ff8000000000000 },
    { "fnan", "float fnan = Float.NaN;", 'F', 0x7fc00000 },
    { "inf", "double inf = Double.POSITIVE_INFINITY;", 'D', 0x7ff0000000000000 },
    { "minus", "double minus = -0.0;", 'D', 0x8000000000000000 },
    { "huge", "double huge = 1e300;", 'D', 0x7e37e43c8800759c },
    { "yes", "boolean yes = true;", 'Z', 1 },
    { "no", "boolean no = false;", 'Z', 0 },
    { "box", "Integer box = Integer.valueOf(1000);", 'L', FIRST_OBJECT + BOX },
    { "other", "Integer other = Integer.valueOf(1000);", 'L', FIRST_OBJECT + OTHER_BOX },
    { "text", "String text = new String(\"abc\");", 'L', FIRST_OBJECT + TEXT },
    { "none", "Object none = null;", 'L', 0 },
    { "hidden", NULL, 'L', FIRST_OBJECT + HIDDEN_BOX },
    { "cut", NULL, 'L', FIRST_OBJECT + CUT_TEXT },
    { "state", NULL, 'L', FIRST_OBJECT + CONSTANT },
    { "date", NULL, 'L', FIRST_OBJECT + DATE },
    { "price", NULL, 'L', FIRST_OBJECT + DECIMAL },
    { "unknown", NULL, 0, 0 },
};
enum { VARIABLES = sizeof variables / sizeof *variables };

static bool lookup(struct evaluation *e, const char *name, struct expression_value *out)
{
    (void)e;
    for (size_t i = 0; i < VARIABLES; i++)
        if (strcmp(variables[i].name, name) == 0) {
            *out =
                variables[i].kind != 0 ? expression_number(variables[i].kind, variables[i].bits) : expression_unknown;
            return true;
        }
    *out = expression_unknown;
    if (strcmp(name, "thread") == 0) {
        *out = expression_number('J', 3);
        out->text = "pool-1";
    } else if (strcmp(name, "class") == 0) {
        *out = expression_number(EXPRESSION_TEXT, 0);
        out->text = "a.b.Outer$Inner";
        out->is_class = true;
    } else if (strcmp(name, "x:long") == 0 || strcmp(name, "Base.x") == 0 || strcmp(name, "[3]") == 0) {
        *out = expression_number('J', name[0] == 'x' ? 5 : name[0] == 'B' ? 6 : 7);
    }
    return out->known;
}

static enum expression_answer string_of(void *context, uint64_t id, struct writer *out, bool *cut)
{
    (void)context;
    *cut = id == FIRST_OBJECT + CUT_TEXT;
    if (id != FIRST_OBJECT + TEXT && !*cut)
        return EXPRESSION_NO;
    write_bytes(out, "abc", 3);
    return EXPRESSION_YES;
}

static enum expression_answer number_of(void *context, uint64_t id, struct expression_value *out)
{
    (void)context;
    *out = expression_number('I', 1000);
    return id == FIRST_OBJECT + HIDDEN_BOX                              ? EXPRESSION_NOT_KNOWN
           : id == FIRST_OBJECT + BOX || id == FIRST_OBJECT + OTHER_BOX ? EXPRESSION_YES
                                                                        : EXPRESSION_NO;
}

static enum expression_answer stands_for(void *context, uint64_t id, uint64_t moment, struct expression_standing *out)
{
    (void)context;
    (void)moment;
    static const char *const texts[OBJECTS] = { [CONSTANT] = "EXPIRED", [DATE] = "2026-01-02", [DECIMAL] = "120.00" };
    if (id - FIRST_OBJECT >= OBJECTS)
        return EXPRESSION_NO;
    if (id == FIRST_OBJECT + BOX || id == FIRST_OBJECT + OTHER_BOX)
        *out = (struct expression_standing){ .kind = 'I', .bits = 1000, .text = "1000" };
    else
        *out = (struct expression_standing){ .text = texts[id - FIRST_OBJECT],
                                             .is_constant = id == FIRST_OBJECT + CONSTANT,
                                             .constant_of = "a.b.State",
                                             .constant_size = 9 };
    return out->text != NULL ? EXPRESSION_YES : EXPRESSION_NO;
}

static const char *type_of(void *context, uint64_t id)
{
    (void)context;
    static const char *const types[OBJECTS] = { "java.lang.Integer",   "java.lang.Integer",   "java.lang.Integer",
                                                "java.lang.String",    "java.lang.String",    "a.b.State",
                                                "java.time.LocalDate", "java.math.BigDecimal" };
    return id - FIRST_OBJECT < OBJECTS ? types[id - FIRST_OBJECT] : NULL;
}

static enum expression_answer is_a(void *context, uint64_t id, const char *name, const char **full)
{
    *full = type_of(context, id);
    if (*full == NULL)
        return EXPRESSION_NOT_KNOWN;
    return strcmp(name, "Object") == 0 || hs_class_matches(name, *full) ? EXPRESSION_YES : EXPRESSION_NO;
}

static uint64_t constant_of(void *context, uint64_t id, const char *name)
{
    (void)context;
    (void)id;
    (void)name;
    return 0;
}

static const struct expression_objects objects = {
    string_of, number_of, stands_for, type_of, is_a, constant_of, hs_class_matches,
};

/* What a value is, as the program of test_expression.c prints it: also what an error says. */
static void describe(const char *text, bool as_shown, char out[400])
{
    const struct expression_host host = { .lookup = lookup, .objects = &objects, .as_shown = as_shown };
    struct expression_tree *tree;
    struct arena arena = { 0 };
    struct error err = { 0 };
    if (expression_parse(text, &tree, &err) != OK) {
        snprintf(out, 400, "%.380s", err.text);
        return;
    }
    struct evaluation e = { .host = &host, .arena = &arena, .err = &err };
    const struct expression_value v = expression_evaluate(&e, tree->root);
    const uint64_t bits = v.kind == 'F'   ? of_int(isnan(as_float(v.bits)) ? 0x7fc00000 : (int32_t)v.bits)
                          : v.kind == 'D' ? (isnan(as_double(v.bits)) ? 0x7ff8000000000000 : v.bits)
                                          : v.bits;
    if (e.status != OK)
        snprintf(out, 400, "failed: %.380s", err.text);
    else if (v.thrown != NULL)
        snprintf(out, 400, "%s", v.thrown);
    else if (!v.known)
        snprintf(out, 400, "unknown");
    else if (v.kind == EXPRESSION_TEXT) {
        size_t n = (size_t)snprintf(out, 400, "T");
        for (const char *p = v.text; *p != '\0' && n < 390; p++)
            n += (size_t)snprintf(out + n, 400 - n, " %02x", (unsigned char)*p);
    } else
        snprintf(out, 400, "%c %" PRId64, v.kind, (int64_t)bits);
    arena_done(&arena);
    expression_free(tree);
}

#endif
