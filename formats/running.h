/* running.h - copies the data file of a trace that is being recorded. Implemented by logging/store/, called by the
 * command line; declared here because reader/ includes no logging/. */
#ifndef FORMATS_RUNNING_H
#define FORMATS_RUNNING_H

#include "formats/status.h"

/* Writes TRACE/data.mdb as the last commit left it to the new file `fd`, while the recorder goes on: LMDB keeps the
 * pages of that commit as long as they are read. The trace must not be open in this process, and have been opened
 * before, which proves that LMDB can follow its pages. */
enum status running_copy(const char *trace_dir, int fd, struct error *err);

#endif
