/* jdk.h - which JVM this is, and what is different in JDKs before 17, which the hook classes are written for.
 *
 * Other files ask here by meaning, not by release. What the hook itself must know it asks by SETTING_JDK. */
#ifndef LOGGING_AGENT_JDK_H
#define LOGGING_AGENT_JDK_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>

#include "formats/rows.h"
#include "formats/status.h"

/* The release of the JDK: 8, 11, 17 ...; 0: the JVM does not say. */
unsigned jdk_release(void);

/* False: a JVM that cannot be recorded; `err` says what it is, and which can be. */
bool jdk_is_supported(struct error *err);

/* Can VMStart run Java code? Else the hook classes are defined at VMInit. */
bool jdk_starts_early(void);

/* Immutable collections of one element hold null as the second; newer ones an object that stands for none. */
bool jdk_ends_pairs_with_null(void);

/* Does JVMTI stop all threads for the value of a variable? */
bool jdk_stops_for_locals(void);
/* Then: does java.lang tell it as well (HindsightHookLocals)? */
bool jdk_walks_locals(void);

/* Objects may be biased towards a thread: such a header has no room for a hash. */
bool jdk_biases_locks(void);

/* A hook class as this JVM takes it: `bytes` itself, or those of the same class in the words of an older JDK, which are
 * kept. */
const unsigned char *jdk_hook_class(const unsigned char *bytes, size_t *size);

/* Why the class is not woven in this JDK; NULL: no reason. */
const char *jdk_never(struct text name);

/* Is the class that is being loaded one of Unsafe.defineAnonymousClass? Newer JVMs have hidden classes instead, which
 * no agent is shown. */
bool jdk_defines_anonymous(void);

/* The offset of a field in objects of the class, by reflection; -1: it has no such field. */
jlong jdk_field_offset(JNIEnv *env, jclass c, const char *name);

#endif
