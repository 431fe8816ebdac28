/* library.c - see library.h. */
#include "reader/command/library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *library_open(const char *what, const char *variable, const char *file, struct error *err)
{
    const char *path = variable != NULL ? getenv(variable) : NULL;
    void *library = dlopen(path != NULL && path[0] != '\0' ? path : file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL && variable != NULL)
        (void)error_set(err, ERR_NOT_FOUND, "%s is not there: %s; %s names its library", what, dlerror(), variable);
    else if (library == NULL)
        (void)error_set(err, ERR_NOT_FOUND, "%s is not there: %s", what, dlerror());
    return library;
}

bool library_find(void *library, const char *name, void *function, size_t bytes)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, bytes);
    return found != NULL;
}
