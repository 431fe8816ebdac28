/* syncer.c - see syncer.h. LMDB lets any thread sync while another one writes (mdb_env_sync touches the file alone). */
#include "logging/store/syncer.h"

#include <errno.h>
#include <string.h>
#include <time.h>

enum { SYNC_S = 4 };

static void *run(void *arg)
{
    struct syncer *s = arg;
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    (void)pthread_mutex_lock(&s->mutex);
    while (!s->stop) {
        until.tv_sec += SYNC_S;
        while (!s->stop && pthread_cond_timedwait(&s->stopped, &s->mutex, &until) != ETIMEDOUT) {
        }
        if (s->stop)
            break;
        struct error err = { 0 };
        (void)pthread_mutex_unlock(&s->mutex);
        enum status st = store_sync(s->store, &err);
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        (void)pthread_mutex_lock(&s->mutex);
        if (st != OK && s->error.status == OK)
            s->error = err;
    }
    (void)pthread_mutex_unlock(&s->mutex);
    return NULL;
}

enum status syncer_start(struct syncer *s, struct store *store, struct error *err)
{
    pthread_condattr_t attr;
    if (s->runs)
        return OK; /* it may be running already: a start whose later steps failed is repeated */
    *s = (struct syncer){ .store = store };
    (void)pthread_mutex_init(&s->mutex, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&s->stopped, &attr);
    (void)pthread_condattr_destroy(&attr);
    int e = pthread_create(&s->thread, NULL, run, s);
    if (e != 0)
        return error_set(err, ERR_MEMORY, "the thread that syncs cannot be started: %s", strerror(e));
    (void)pthread_setname_np(s->thread, "hindsight-sync");
    s->runs = true;
    return OK;
}

enum status syncer_status(struct syncer *s, struct error *err)
{
    (void)pthread_mutex_lock(&s->mutex);
    enum status st = s->error.status;
    if (st != OK)
        *err = s->error;
    (void)pthread_mutex_unlock(&s->mutex);
    return st;
}

void syncer_stop(struct syncer *s)
{
    if (!s->runs)
        return;
    (void)pthread_mutex_lock(&s->mutex);
    s->stop = true;
    (void)pthread_cond_signal(&s->stopped);
    (void)pthread_mutex_unlock(&s->mutex);
    (void)pthread_join(s->thread, NULL);
    s->runs = false;
}
