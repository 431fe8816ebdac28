/* natives_constants.c - static fields of the JDK that have objects; see natives.h. */
#include "reader/execute/natives.h"

enum constant_is { IS_ENUM, IS_BIG, IS_CONTEXT };
#define ROUNDING "java.math.RoundingMode"
static const struct {
    const char *owner, *name;
    enum constant_is is;
    const char *text; /* of IS_BIG; of IS_CONTEXT the rounding */
    uint32_t number;  /* the place of an IS_ENUM, the precision of an IS_CONTEXT */
} constants[] = {
    { ROUNDING, "UP", IS_ENUM, NULL, 0 },
    { ROUNDING, "DOWN", IS_ENUM, NULL, 1 },
    { ROUNDING, "CEILING", IS_ENUM, NULL, 2 },
    { ROUNDING, "FLOOR", IS_ENUM, NULL, 3 },
    { ROUNDING, "HALF_UP", IS_ENUM, NULL, 4 },
    { ROUNDING, "HALF_DOWN", IS_ENUM, NULL, 5 },
    { ROUNDING, "HALF_EVEN", IS_ENUM, NULL, 6 },
    { ROUNDING, "UNNECESSARY", IS_ENUM, NULL, 7 },
    { "java.math.BigInteger", "ZERO", IS_BIG, "0", 0 },
    { "java.math.BigInteger", "ONE", IS_BIG, "1", 0 },
    { "java.math.BigInteger", "TWO", IS_BIG, "2", 0 },
    { "java.math.BigInteger", "TEN", IS_BIG, "10", 0 },
    { "java.math.BigDecimal", "ZERO", IS_BIG, "0", 0 },
    { "java.math.BigDecimal", "ONE", IS_BIG, "1", 0 },
    { "java.math.BigDecimal", "TWO", IS_BIG, "2", 0 },
    { "java.math.BigDecimal", "TEN", IS_BIG, "10", 0 },
    { "java.math.MathContext", "UNLIMITED", IS_CONTEXT, "HALF_UP", 0 },
    { "java.math.MathContext", "DECIMAL32", IS_CONTEXT, "HALF_EVEN", 7 },
    { "java.math.MathContext", "DECIMAL64", IS_CONTEXT, "HALF_EVEN", 16 },
    { "java.math.MathContext", "DECIMAL128", IS_CONTEXT, "HALF_EVEN", 34 },
};

/* The place in the table; -1. */
static int constant_at(const char *owner, const char *name)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(constants[i].owner, owner) == 0 && strcmp(constants[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool make_enum(struct machine *m, int at, struct jvalue *out)
{
    for (size_t k = 0; k < m->made.count; k++) /* there is one of each */
        if (m->made.items[k]->is == MADE_ENUM && m->made.items[k]->name == constants[at].name)
            return *out = (struct jvalue){ .kind = 'A', .bits = MADE_FIRST + k }, true;
    struct made *made = make(m, MADE_ENUM, constants[at].owner, out);
    if (made == NULL)
        return false;
    made->name = constants[at].name;
    made->at = constants[at].number;
    made->shared = true;
    return true;
}

static bool make_context(struct machine *m, int at, struct jvalue *out)
{
    struct jvalue parts[2] = { int_value(constants[at].number), null_value() };
    if (!make_enum(m, constant_at(ROUNDING, constants[at].text), &parts[1]) ||
        !make_values(m, MADE_CONTEXT, constants[at].owner, parts, 2, 'L', out))
        return false;
    made_of(m, *out)->shared = true;
    return true;
}

bool jdk_constant(struct machine *m, const char *owner, const char *name, struct jvalue *out)
{
    const int at = constant_at(owner, name);
    if (at < 0)
        return false;
    switch (constants[at].is) {
    case IS_ENUM: return make_enum(m, at, out);
    case IS_CONTEXT: return make_context(m, at, out);
    case IS_BIG: break;
    }
    struct jvalue text;
    struct made *made = make_text(m, constants[at].text, strlen(constants[at].text), &text)
                            ? make(m, MADE_BIG, constants[at].owner, out)
                            : NULL;
    if (made == NULL)
        return false;
    const struct made *from = made_of(m, text);
    made->units = from->units;
    made->count = from->count;
    made->shared = true;
    return true;
}
