/* natures.c - what an object is for natives.def, by its type or by what it held, and its entries; see natives.h. */
#include "reader/execute/natives.h"

/* Those that can be made and changed. */
static const struct made_type made_types[] = {
    { "java.util.ArrayList", COLLECTION_LIST, false, false },
    { "java.util.LinkedList", COLLECTION_LIST, false, false },
    { "java.util.ArrayDeque", COLLECTION_LIST, false, false },
    { "java.util.HashSet", COLLECTION_SET, true, false },
    { "java.util.LinkedHashSet", COLLECTION_SET, false, false },
    { "java.util.TreeSet", COLLECTION_SET, false, true },
    { "java.util.HashMap", COLLECTION_MAP, true, false },
    { "java.util.LinkedHashMap", COLLECTION_MAP, false, false },
    { "java.util.TreeMap", COLLECTION_MAP, false, true },
};

const struct made_type *made_type(const char *type)
{
    for (size_t i = 0; i < sizeof made_types / sizeof *made_types; i++)
        if (strcmp(made_types[i].type, type) == 0)
            return &made_types[i];
    return NULL;
}

enum collection made_collection(const char *type)
{
    const struct made_type *t = made_type(type);
    return t != NULL ? t->is : COLLECTION_NONE;
}

static bool is_builder(const char *type)
{
    return strcmp(type, "java.lang.StringBuilder") == 0 || strcmp(type, "java.lang.StringBuffer") == 0;
}

static enum nature nature_of_big(const char *type)
{
    return strcmp(type, "java.math.BigInteger") == 0    ? NATURE_BIG_INTEGER
           : strcmp(type, "java.math.BigDecimal") == 0  ? NATURE_BIG_DECIMAL
           : strcmp(type, "java.math.MathContext") == 0 ? NATURE_MATH_CONTEXT
                                                        : NATURE_OTHER;
}

static enum nature nature_of_made(struct machine *m, struct jvalue v, const struct made *made)
{
    switch (made->is) {
    case MADE_STRING: return NATURE_STRING;
    case MADE_BUILDER: return NATURE_BUILDER;
    case MADE_ARRAY: return NATURE_ARRAY;
    case MADE_BOX: return NATURE_BOX;
    case MADE_THROWN: return NATURE_THROWN;
    case MADE_LIST:
    case MADE_FIXED_LIST:
    case MADE_VIEW: return NATURE_LIST;
    case MADE_MAP: return NATURE_MAP;
    case MADE_COMPARATOR: return NATURE_COMPARATOR;
    case MADE_ENUM: return NATURE_CONSTANT;
    case MADE_ITERATOR: return NATURE_ITERATOR;
    case MADE_ENTRY: return NATURE_ENTRY;
    case MADE_OPTIONAL: return NATURE_OPTIONAL;
    case MADE_STREAM: return NATURE_STREAM;
    case MADE_BIG:
    case MADE_CONTEXT: return nature_of_big(made->type);
    case MADE_CLASS: return NATURE_CLASS;
    case MADE_UNWOVEN:
        if (is_builder(made->type) || strcmp(made->type, "java.lang.String") == 0)
            return is_builder(made->type) ? NATURE_BUILDER : NATURE_STRING;
        if (made_collection(made->type) != COLLECTION_NONE)
            return made_collection(made->type) == COLLECTION_MAP ? NATURE_MAP : NATURE_LIST;
        if (nature_of_big(made->type) != NATURE_OTHER)
            return nature_of_big(made->type);
        break;
    case MADE_COLLECTOR:
    case MADE_PLAIN: break;
    case MADE_LAMBDA:
        if (strcmp(made->type, "java.util.Comparator") == 0)
            return NATURE_COMPARATOR;
        break;
    }
    return is_subtype(m, made->type, class_of_object(m, v), "java.lang.Throwable") == SURE_YES ? NATURE_THROWN
                                                                                               : NATURE_OTHER;
}

/* By what the collection held; where that is not known, by its type, so that the method says why. */
static enum nature nature_of_contents(struct machine *m, struct jvalue v, const char *type)
{
    struct held h;
    const char *why = NULL;
    if (!m->heap.contents(m->heap.context, (uint32_t)v.bits, &h, &why))
        return nature_of_type(m, type, class_of_object(m, v));
    if (h.shape == HS_CONTENTS_VALUE)
        return strcmp(type, "java.util.Optional") == 0 ? NATURE_OPTIONAL : NATURE_OTHER;
    return h.shape == HS_CONTENTS_MAP ? NATURE_MAP : h.shape == HS_CONTENTS_TEXT ? NATURE_OTHER : NATURE_LIST;
}

enum nature nature_of(struct machine *m, struct jvalue v)
{
    const struct made *made = made_of(m, v);
    const char *type = machine_type(m, v.bits);
    if (made != NULL)
        return nature_of_made(m, v, made);
    if (type == NULL)
        return NATURE_OTHER;
    const size_t size = strlen(type);
    if (strcmp(type, "java.lang.String") == 0)
        return NATURE_STRING;
    if (is_builder(type))
        return NATURE_BUILDER;
    if (primitive_of_box(type) != NULL)
        return NATURE_BOX;
    if (size > 2 && strcmp(type + size - 2, "[]") == 0)
        return NATURE_ARRAY;
    if (nature_of_big(type) != NATURE_OTHER)
        return nature_of_big(type);
    if (is_subtype(m, type, class_of_object(m, v), "java.lang.Record") == SURE_YES)
        return nature_of_type(m, type, class_of_object(m, v)); /* what it stands for takes its components */
    const struct hs_object_value *value = m->heap.value(m->heap.context, (uint32_t)v.bits);
    if (value != NULL && value->is_constant)
        return NATURE_CONSTANT;
    if (is_subtype(m, type, class_of_object(m, v), "java.lang.Throwable") == SURE_YES)
        return NATURE_THROWN;
    return nature_of_contents(m, v, type);
}

enum nature nature_of_type(struct machine *m, const char *type, const struct lineage *c)
{
    static const struct {
        const char *super;
        enum nature nature;
    } types[] = { { "java.lang.String", NATURE_STRING },
                  { "java.util.Collection", NATURE_LIST },
                  { "java.util.Map", NATURE_MAP },
                  { "java.util.Iterator", NATURE_ITERATOR },
                  { "java.util.Map$Entry", NATURE_ENTRY },
                  { "java.util.Optional", NATURE_OPTIONAL },
                  { "java.util.stream.Stream", NATURE_STREAM },
                  { "java.lang.Enum", NATURE_CONSTANT },
                  { "java.lang.Throwable", NATURE_THROWN } };
    const size_t size = strlen(type);
    if (is_builder(type))
        return NATURE_BUILDER;
    if (primitive_of_box(type) != NULL)
        return NATURE_BOX;
    if (nature_of_big(type) != NATURE_OTHER)
        return nature_of_big(type);
    if (size > 2 && strcmp(type + size - 2, "[]") == 0)
        return NATURE_ARRAY;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_subtype(m, type, c, types[i].super) == SURE_YES)
            return types[i].nature;
    return strcmp(type, "java.lang.Object") == 0 ? NATURE_ANY : NATURE_OTHER;
}

bool entries_of(struct machine *m, struct jvalue v, struct held *out)
{
    const struct made *made = made_of(m, v);
    const char *why = NULL;
    if (made == NULL)
        return m->heap.contents(m->heap.context, (uint32_t)v.bits, out, &why)
                   ? spend(m, out->count / STEP_UNITS)
                   : end_not_known(m, "%s", why != NULL ? why : "what a collection held is not known");
    if (is_outdated(made))
        return end_not_known(m, "a view of a collection that was changed");
    *out = (struct held){
        .shape = HS_CONTENTS_LIST, .ordered = !made->unordered, .count = made->count, .values = made->values
    };
    if (made->is == MADE_MAP)
        *out = (struct held){ HS_CONTENTS_MAP, !made->unordered,         made->count,
                              made->values,    made->values + made->cap, NULL };
    if (made->is == MADE_ENTRY)
        *out = (struct held){ HS_CONTENTS_MAP, true, 1, made->values, made->values + 1, NULL };
    if (made->is == MADE_OPTIONAL)
        out->shape = HS_CONTENTS_VALUE;
    if (made->is == MADE_VIEW)
        out->shape = HS_CONTENTS_SET;
    return spend(m, out->count / STEP_UNITS);
}
