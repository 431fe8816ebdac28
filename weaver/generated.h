/* generated.h - which classes and methods no one wrote: skip=generated.
 *
 * An annotation counts whose simple name has "Generated" in it (javax.annotation.processing.Generated is not in class
 * files; lombok.Generated and most others are), visible at run time or not, on the class or the method; a class also by
 * its supertypes (generated.def); a method also as a bridge, or as synthetic, except the body of a lambda expression,
 * which somebody wrote. */
#ifndef WEAVER_GENERATED_H
#define WEAVER_GENERATED_H

#include "formats/jvm/classfile.h"

/* Why it is generated, NULL if it is not. */
const char *generated_class(const struct classfile *cf);
const char *generated_method(const struct classfile *cf, const struct member *m, struct text name);

#endif
