/* generated.h - which classes and methods no one wrote: skip=generated.
 *
 * An annotation counts whose simple name has "Generated" in it (javax.annotation.processing.Generated is not in class
 * files; lombok.Generated and most others are), visible at run time or not, on the class or the method; a class also by
 * its supertypes (generated.def); a method also as a bridge, or as synthetic, except the body of a lambda expression,
 * which somebody wrote, and what writes a field, an accessor. A class that is nested in a generated one is generated,
 * whatever it has itself: only the caller knows of other classes (weave_config.in_generated). */
#ifndef WEAVER_GENERATED_H
#define WEAVER_GENERATED_H

#include "formats/jvm/classfile.h"

/* Why it is generated, NULL if it is not. */
const char *generated_class(const struct classfile *cf);
const char *generated_method(const struct classfile *cf, const struct member *m, struct text name, struct text code);
/* Asks about the classes around this one, by internal name, until one is generated: its nest host (JVMS 4.7.28), and
 * those that InnerClasses and EnclosingMethod name (4.7.6, 4.7.7), from the inside out. False also if the class file
 * cannot be read. */
bool generated_around(const void *data, size_t size, bool (*is_generated)(const void *context, struct text name),
                      const void *context);

#endif
