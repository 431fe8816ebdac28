/* primitive.c - see primitive.h. */
#include "formats/jvm/primitive.h"

#include <string.h>

static const struct primitive primitives[] = {
    { 'Z', "boolean", "java.lang.Boolean" }, { 'B', "byte", "java.lang.Byte" },
    { 'C', "char", "java.lang.Character" },  { 'S', "short", "java.lang.Short" },
    { 'I', "int", "java.lang.Integer" },     { 'J', "long", "java.lang.Long" },
    { 'F', "float", "java.lang.Float" },     { 'D', "double", "java.lang.Double" }
};
enum { PRIMITIVES = sizeof primitives / sizeof *primitives };

const struct primitive *primitive_of_letter(char letter)
{
    for (size_t i = 0; i < PRIMITIVES; i++)
        if (primitives[i].letter == letter)
            return &primitives[i];
    return NULL;
}

const struct primitive *primitive_named(const char *name, size_t size)
{
    for (size_t i = 0; i < PRIMITIVES; i++)
        if (strlen(primitives[i].name) == size && memcmp(primitives[i].name, name, size) == 0)
            return &primitives[i];
    return NULL;
}

const struct primitive *primitive_of_box(const char *type)
{
    for (size_t i = 0; i < PRIMITIVES; i++)
        if (strcmp(primitives[i].box, type) == 0)
            return &primitives[i];
    return NULL;
}

char primitive_letter(const char *type)
{
    const struct primitive *p = primitive_named(type, strlen(type));
    return p != NULL ? p->letter : 'L';
}
