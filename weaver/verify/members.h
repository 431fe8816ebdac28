/* members.h - flags, names and descriptors of a class and its members. */
#ifndef WEAVER_VERIFY_MEMBERS_H
#define WEAVER_VERIFY_MEMBERS_H

#include "formats/jvm/classfile.h"

/* JVMS 4.1, 4.5, 4.6; superclass, interfaces, and no member twice. OK, ERR_MEMORY, or ERR_FORMAT with the first
 * fault. */
enum status members_check(const struct classfile *cf, struct error *err);

#endif
