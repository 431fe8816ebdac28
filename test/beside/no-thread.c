/* no-thread.c - preloaded: pthread_create fails for the thread number NO_THREAD of our agent, and for those after
 * it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static int count;
    Dl_info caller;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    if (dladdr(__builtin_return_address(0), &caller) != 0 && strstr(caller.dli_fname, "libhindsight") != NULL &&
        __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) >= atoi(getenv("NO_THREAD")))
        return EAGAIN;
    return next(thread, attr, run, arg);
}
