/* dirs.h - directories that others may write to: by descriptor, links are not followed, nothing but files is opened. */
#ifndef READER_FLEET_DIRS_H
#define READER_FLEET_DIRS_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/stat.h>

int open_dir(int dir, const char *name); /* -1 with errno */
/* A file that is one: pipes, devices and links are not opened. -1 with errno, EINVAL: it is none. */
int open_regular(int dir, const char *name, struct stat *st);
bool closed(int *fd); /* -1: nothing to do */
/* The entries of a directory, by another descriptor, as reading moves it. NULL with errno. */
DIR *entries(int dir);
/* The next one that does not begin with a dot; NULL: none is left, and it is closed. `d` NULL: there is none. */
const struct dirent *next_entry(DIR *d);
/* A directory of files below `parent`; what is no file stays, and so does the directory. */
bool remove_files(int parent, const char *name);

#endif
