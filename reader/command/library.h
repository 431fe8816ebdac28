/* library.h - shared libraries that are loaded when a command needs them, as they may not be installed. */
#ifndef READER_COMMAND_LIBRARY_H
#define READER_COMMAND_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/status.h"

/* Opens the library that the environment variable `variable` names (NULL: none does), or else `file`; it stays until
 * the process ends, as its threads may. NULL with `err`, which calls it `what`. */
void *library_open(const char *what, const char *variable, const char *file, struct error *err);
/* Puts the address of the function `name` into the pointer to a function at `function`. False: there is none. */
bool library_find(void *library, const char *name, void *function, size_t bytes);

#endif
