/* files.h - making the files and directories of a trace: for their owner alone.
 *
 * A trace holds what a program had in its hands, and parts of it are mapped by the recorder, which dies of SIGBUS when
 * somebody cuts them. So everything that is made in a trace is made here: directories 0700, files 0600. The umask can
 * only take rights away; where it did (umask 0277), the owner gets them back. What exists keeps the mode that its owner
 * gave it. */
#ifndef FORMATS_FILES_H
#define FORMATS_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/status.h"

/* Opens `name` below the directory `dir` (AT_FDCWD: here), which is made if it is not there; with O_EXCL it must not
 * be. `flags` are those of open(2). Symbolic links are not followed. A descriptor that is closed on exec, or -1 with
 * errno. */
int file_make(int dir, const char *name, int flags);
/* An empty file of that name, unless one is there (with O_EXCL in `flags`: which is a failure). False with errno: also
 * for a symbolic link. */
bool file_touch(const char *dir, const char *name, int flags);
/* file_make of a path below `dir` whose name comes from elsewhere (a class file): `name` of `size` bytes, components
 * joined by '/', made as directories. EINVAL if it is no such path: empty, absolute, with an empty component, "." or
 * "..", or a zero byte. */
int file_make_below(int dir, const char *name, size_t size, int flags);
/* Makes a directory; false with errno, EEXIST if something is there. */
bool dir_make(int dir, const char *name);
/* For an existing directory that becomes a trace: no other user has rights in it from now on. Refused if it belongs to
 * another user. */
enum status dir_take(const char *path, struct error *err);

#endif
