/* primitives.c - the primitive types, their letters in descriptors and their boxes; see machine.h. JLS 4.2, 5.1.7. */
#include "reader/execute/machine.h"

static const struct primitive primitives[] = {
    { 'Z', "boolean", "java.lang.Boolean" }, { 'B', "byte", "java.lang.Byte" },
    { 'C', "char", "java.lang.Character" },  { 'S', "short", "java.lang.Short" },
    { 'I', "int", "java.lang.Integer" },     { 'J', "long", "java.lang.Long" },
    { 'F', "float", "java.lang.Float" },     { 'D', "double", "java.lang.Double" }
};

const struct primitive *primitive_of_letter(char letter)
{
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (primitives[i].letter == letter)
            return &primitives[i];
    return NULL;
}

const struct primitive *primitive_of_box(const char *type)
{
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (strcmp(primitives[i].box, type) == 0)
            return &primitives[i];
    return NULL;
}

char type_letter(struct text type)
{
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (text_is(type, primitives[i].name))
            return primitives[i].letter;
    return 'L';
}
