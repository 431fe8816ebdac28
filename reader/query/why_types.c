/* why_types.c - classes of the JDK whose objects are values: see why_search.h. */
#include "reader/query/why_search.h"

#include <string.h>

bool is_box_type(const char *type)
{
    static const char *const boxes[] = { "java.lang.Integer", "java.lang.Long",      "java.lang.Short",
                                         "java.lang.Byte",    "java.lang.Character", "java.lang.Float",
                                         "java.lang.Double",  "java.lang.Boolean" };
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        if (strcmp(type, boxes[i]) == 0)
            return true;
    return false;
}

bool is_value_object(hs_trace *t, uint32_t object)
{
    const struct hs_object *o = hs_object_get(t, object);
    if (o == NULL || o->type == NULL)
        return false;
    return is_box_type(o->type) || strcmp(o->type, "java.lang.String") == 0 || strcmp(o->type, "java.lang.Class") == 0;
}

bool is_immutable_type(const char *type)
{
    static const char *const types[] = { "java.lang.String",     "java.lang.Class", "java.math.BigDecimal",
                                         "java.math.BigInteger", "java.util.UUID",  "java.net.URI" };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return is_box_type(type) || strncmp(type, "java.time.", 10) == 0;
}

bool is_immutable(hs_trace *t, uint32_t object)
{
    const struct hs_object *o = hs_object_get(t, object);
    return o != NULL && o->type != NULL && is_immutable_type(o->type);
}

bool is_array(hs_trace *t, uint32_t object)
{
    const struct hs_object *o = hs_object_get(t, object);
    const size_t size = o != NULL && o->type != NULL ? strlen(o->type) : 0;
    return size > 2 && strcmp(o->type + size - 2, "[]") == 0;
}
