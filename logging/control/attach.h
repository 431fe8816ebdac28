/* attach.h - loads a library into a running HotSpot JVM as jcmd does, but without a JDK. */
#ifndef LOGGING_TOOL_ATTACH_H
#define LOGGING_TOOL_ATTACH_H

#include <stdbool.h>

#include "formats/status.h"

/* Makes the JVM of the process load the agent library with these options. False: `err` says why in one line. The agent
 * itself reports through its option reply= whether it accepts the options. */
bool attach_load(int pid, const char *library, const char *options, struct error *err);

#endif
