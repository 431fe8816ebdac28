/* source_find.h - the files below folders and in archives, by name: for sources that do not stand where their package
 * says. They are listed once, FILES_MAX at most; hidden folders and links are left out. */
#ifndef READER_COMMAND_SOURCE_FIND_H
#define READER_COMMAND_SOURCE_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/vec.h"

struct zip; /* of libzip */

struct listed_file {
    const char *name; /* the last part of `path` */
    char *path;       /* below its place */
    size_t place;
};
struct listed_files {
    VEC(struct listed_file) files; /* by name */
    bool cut;                      /* there are more */
};

/* Adds those of a folder, or of an archive if that is not NULL; false: out of memory. */
bool listed_add(struct listed_files *all, size_t place, const char *folder, struct zip *archive);
void listed_sort(struct listed_files *all);
void listed_done(struct listed_files *all);
/* The first one of that name, `*count` in all; NULL: there is none. */
const struct listed_file *listed_named(const struct listed_files *all, const char *name, size_t *count);
/* Does the text declare a package that is neither that of a/b/Cart.kt nor an outer one of it? */
bool declares_other_package(const char *text, size_t size, const char *path);

#endif
