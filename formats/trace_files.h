/* trace_files.h - the table of the files and directories that the directory of a trace may contain.
 *
 * It decides what is removed with a trace or parts of it, and whether a directory is a trace. Names that only this
 * table needs are in trace_files.c, the others in schema.h. */
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

/* True if the table has a row of this name and life. */
bool trace_file_is(const char *name, enum trace_life life);

/* Checks that the directory `dir` contains a trace and nothing else. ERR_NOT_FOUND: it is empty; ERR_IO: it
 * contains something that no trace has, or nothing that only traces have. File names are not enough: one file must
 * begin with the magic bytes of a trace. */
enum status trace_files_check(int dir, const char *path, struct error *err);

/* Checks that the files which are opened to read a trace are regular files, if they exist. A link could lead anywhere,
 * and opening a pipe or a device can block or have side effects. */
enum status trace_files_regular(const char *dir, struct error *err);

/* Copies the files that are read to complete and to read a trace. Empty space of a file stays empty. */
enum status trace_files_copy(int from, const char *path, int to, struct error *err);
/* Removes the files of this life in the order of the table: the journal first, since while it exists the others are
 * needed. */
void trace_files_end(int dir, enum trace_life life);
/* Removes everything of a trace except TRACE/run. Call trace_files_check first. */
enum status trace_files_remove(int dir, const char *path, struct error *err);

#endif
