/* constants.h - are the constants of a class file well-formed? */
#ifndef WEAVER_VERIFY_CONSTANTS_H
#define WEAVER_VERIFY_CONSTANTS_H

#include "formats/jvm/classfile.h"

/* False: `err` names the first that is not. */
bool constants_check(const struct classfile *cf, struct error *err);

/* A valid name of a field or method, JVMS 4.2.2. */
bool constants_is_name(struct text t, bool method);
/* JVMS 4.3.2, 4.3.3, with valid names of classes. */
bool constants_is_field_descriptor(struct text t);
bool constants_is_method_descriptor(struct text t);

#endif
