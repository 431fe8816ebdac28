/* vmflags.h - setting flags of a running HotSpot through the table it exports for the serviceability agent
 * (gHotSpotVMStructs in libjvm.so). Other JVMs have none; then nothing is set and the caller is told. */
#ifndef LOGGING_AGENT_VMFLAGS_H
#define LOGGING_AGENT_VMFLAGS_H

#include <stdbool.h>
#include <stdint.h>

/* Sets a flag of type intx, or bool; false if there is no such flag to be found. Not thread-safe: call in Agent_OnLoad.
 */
bool vmflag_set_int(const char *name, intptr_t value);
bool vmflag_set_bool(const char *name, bool value);

#endif
