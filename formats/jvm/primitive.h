/* primitive.h - the primitive types: their names, the letters of their descriptors, and their boxes (JLS 4.2, 5.1.7;
 * JVMS 4.3.2). */
#ifndef FORMATS_JVM_PRIMITIVE_H
#define FORMATS_JVM_PRIMITIVE_H

#include <stddef.h>

struct primitive {
    char letter;
    const char *name, *box;
};
/* Each is NULL for what is none; a name of `size` bytes. */
const struct primitive *primitive_of_letter(char letter);
const struct primitive *primitive_named(const char *name, size_t size);
const struct primitive *primitive_of_box(const char *type);
/* The letter of the descriptor of a type as in Java source: L of all that are not primitive. */
char primitive_letter(const char *type);

#endif
