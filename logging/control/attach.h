/* attach.h - loads a library into a running HotSpot JVM, as its own tools do (a JRE has none of them). */
#ifndef LOGGING_TOOL_ATTACH_H
#define LOGGING_TOOL_ATTACH_H

#include <stdbool.h>

#include "formats/status.h"

/* Asks the JVM of that process to load the agent library with these options. False: `err` says why in one line. The
 * agent may still refuse the options: that it tells elsewhere (reply=). */
bool attach_load(int pid, const char *library, const char *options, struct error *err);

#endif
