/* busy_packages.h - the packages that most events are of, each with the option of the agent that leaves it out: a line
 * of `hindsight record`. */
#ifndef READER_CLI_BUSY_PACKAGES_H
#define READER_CLI_BUSY_PACKAGES_H

#include <stddef.h>

#include "reader/trace.h"

/* "hindsight: 71 % of the events are of org.lib. (without: --option e=org.lib.), ..."; empty if all are of one package,
 * or of the package without a name, which no option can name. A long trace is counted for COUNT_MS only. */
void busy_packages(hs_trace *t, char *out, size_t size);

#endif
