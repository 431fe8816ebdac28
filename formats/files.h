/* files.h - creates and writes the files and directories of a trace, accessible to their owner alone.
 *
 * A trace contains data of the recorded program, and the recorder maps parts of it, so that truncation by another
 * process would kill it with SIGBUS. All files of a trace are therefore created here: directories 0700, files 0600.
 * Rights of the owner that the umask removed (umask 0277) are restored. Existing files keep their mode. */
#ifndef FORMATS_FILES_H
#define FORMATS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/status.h"

/* Opens `name` in the directory `dir` (or AT_FDCWD) and creates it if it does not exist; with O_EXCL it must not exist.
 * `flags` are those of open(2). Symbolic links are not followed; what exists is taken only if it is a file with no
 * other name (hard link). Returns a descriptor that is closed on exec, or -1 with errno. */
int file_make(int dir, const char *name, int flags);
/* Creates a file unless one exists (with O_EXCL in `flags` that is a failure). A shorter one gets `bytes` zero bytes
 * for which the disk has room: for files that are mapped, where a lack of room would be a SIGBUS. False with errno:
 * also for a symbolic link. */
bool file_touch(const char *dir, const char *name, int flags, unsigned bytes);
/* file_make of a path below `dir` whose name comes from elsewhere (a class file): `name` of `size` bytes, components
 * joined by '/', created as directories. EINVAL if it is not such a path: empty, absolute, with an empty component, "."
 * or "..", or a zero byte. */
int file_make_below(int dir, const char *name, size_t size, int flags);
/* Fills the descriptors 0, 1 and 2 that are closed, so that none of our files becomes one of them: what is printed
 * would be written into it. They stay as useless as they were: reading 0 and writing 1 or 2 fails with EBADF. Called by
 * every process of ours before it opens a file. */
void files_fill_standard(void);
/* The disk space of an open file: blocks, not its length, since files of a recording are sparse. 0: none is open. */
uint64_t file_disk_bytes(int fd);
/* Writes all of it; false with errno. */
bool file_write(int fd, const void *bytes, size_t n);
/* Makes a directory; false with errno, EEXIST if something is there. */
bool dir_make(int dir, const char *name);
/* Makes an existing directory the directory of a trace: removes the rights of all other users. Fails if it belongs to
 * another user, who could put other files in the place of ours, also when root asks. `made`: by dir_make just now; on
 * some file systems all belongs to one user. */
enum status dir_take(const char *path, bool made, struct error *err);
/* The text of an errno of a failure to make a file or directory: of ENOENT, that its directory does not exist. */
const char *make_error_text(int number);
/* The path as seen from the current directory, for messages: without that directory in front if it lies below it. A
 * part of `path`. */
const char *path_from_here(const char *path);

#endif
