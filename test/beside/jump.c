/* jump.c - preloaded: CLOCK_MONOTONIC is off by so many seconds as the first number in the file JUMP_FILE says, and
 * waits until a time of that clock are, too, as the system's own would be. (libfaketime leaves waits as they are, so
 * that a JVM whose clock jumps hangs.) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EPOCH_FROM = 1000000000 }; /* a time after this one is of CLOCK_REALTIME */

static long off(void)
{
    char text[32] = "";
    const char *name = getenv("JUMP_FILE");
    int fd = name != NULL ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    return n > 0 ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    int failed = next(id, t);
    if (id == CLOCK_MONOTONIC)
        t->tv_sec += off();
    return failed;
}

int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict t)
{
    static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (next == NULL)
        *(void **)&next = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    struct timespec until = *t;
    if (until.tv_sec < EPOCH_FROM)
        until.tv_sec -= off();
    return next(c, m, &until);
}
