/* verify.h - would a JVM verify this class? The check of woven code before it is handed to one.
 *
 * Checked: the references among the constants (JVMS 4.4), flags, names and descriptors (4.1, 4.5, 4.6), and of every
 * method with code the Code attribute with its tables (4.7.3, 4.7.12, 4.7.13), operands of instructions (4.9.1), and
 * the types of locals and operand stack: by StackMapTable from version 50 on (4.10.1), by inference below it, and for
 * version 50 when its table is wrong (4.10.2). Where HotSpot is more lenient than the text, this is as lenient as
 * HotSpot.
 *
 * Not checked: other attributes of the class and its members, which the weaver never changes, and what depends on other
 * classes: whether one class is a subclass of another is answered with yes unless both are known here (types.c), and
 * access to protected members is allowed. What a subroutine (jsr) may have stored in a local variable can be anything.
 *
 * A pure function like the weaver. */
#ifndef WEAVER_VERIFY_VERIFY_H
#define WEAVER_VERIFY_VERIFY_H

#include <stddef.h>

#include "formats/status.h"

/* OK, ERR_MEMORY, or ERR_FORMAT: `err` names the method, the pc and what is wrong there. ERR_LIMIT: there is no
 * verdict, since a method without frames has too many branches and locals. Any input is safe. */
enum status verify_class(const void *data, size_t size, struct error *err);

#endif
