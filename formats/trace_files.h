/* trace_files.h - the files and directories that a trace's directory may hold: the one table of them.
 *
 * What removes a trace, or parts of it, asks here, and so does what tells a trace from a folder of somebody else. Names
 * that nothing else in the project needs stand nowhere but in trace_files.c; the others are in schema.h. */
#ifndef FORMATS_TRACE_FILES_H
#define FORMATS_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/status.h"

enum trace_life {
    LIFE_KEPT,      /* part of the trace */
    LIFE_RECORDING, /* while it is recorded, and after a crash until it is recovered */
    LIFE_DERIVED,   /* may be deleted at any time */
};

/* Is there a table row of this name and life? */
bool trace_file_is(const char *name, enum trace_life life);

/* Is what stands in the directory `dir` a trace, and nothing else? OK; ERR_NOT_FOUND: it is empty; ERR_EXISTS: there is
 * something that no trace has, or nothing that only traces have. Names of regular files alone prove nothing: one of
 * them must begin as ours do. */
enum status trace_files_check(int dir, const char *path, struct error *err);

/* Are the files of a trace that are opened to read it regular files, where they exist? A link could lead anywhere, and
 * opening a pipe or a device can block or have effects. */
enum status trace_files_regular(const char *dir, struct error *err);

/* Removes what has this life, in the order of the table: of a recording the journal first, since while it is there the
 * others are needed. */
void trace_files_end(int dir, enum trace_life life);
/* Removes all of a trace but TRACE/run. After trace_files_check. */
enum status trace_files_remove(int dir, const char *path, struct error *err);

#endif
