/* vmflags.h - the symbols of the JVM, and through them the flags and arguments of a running HotSpot: it exports a table
 * for the serviceability agent (gHotSpotVMStructs in libjvm.so). Other JVMs have none; then nothing is set and the
 * functions fail. */
#ifndef LOGGING_AGENT_VMFLAGS_H
#define LOGGING_AGENT_VMFLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A flag of type bool; false, too, if it is not found. */
bool vmflag_is_set(const char *name);
/* Has the user set one of the flags whose name begins so: on the command line, in a file or variable of options? */
bool vmflags_are_chosen(const char *prefix);
/* Sets a flag of type bool; false if it is not found, or the user wants the other value. Not
 * thread-safe: call in Agent_OnLoad. */
bool vmflag_set_bool(const char *name, bool value);

/* A flag of type intx, which may be set and stays where it is. NULL if it is not found, or another flag lies in its
 * second half, so that it is an int. */
int64_t *vmflag_long(const char *name);

/* Arguments of the JVM (not of the program), those of JAVA_TOOL_OPTIONS included. The array is the JVM's own and stays;
 * NULL: they are not to be found. */
char *const *vm_arguments(size_t *count);

/* The address of an exported function or variable of the JVM; NULL: it has none of that name. */
void *vm_symbol(const char *name);

#endif
