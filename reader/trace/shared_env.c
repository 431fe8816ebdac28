/* shared_env.c - see shared_env.h. */
#include "reader/trace/shared_env.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct shared {
    struct shared *next;
    dev_t device;
    ino_t inode;
    MDB_env *env;
    unsigned users;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the list, and opening tables */
static struct shared *list;

static int add(const struct stat *file, shared_env_make_fn *make, void *context, MDB_env **out)
{
    struct shared *s = malloc(sizeof *s);
    if (s == NULL)
        return ENOMEM;
    int rc = make(context, out);
    if (rc != MDB_SUCCESS) {
        free(s);
        return rc;
    }
    *s = (struct shared){ list, file->st_dev, file->st_ino, *out, 1 };
    list = s;
    return MDB_SUCCESS;
}

int shared_env_open(const struct stat *file, shared_env_make_fn *make, void *context, MDB_env **out)
{
    (void)pthread_mutex_lock(&lock);
    for (struct shared *s = list; s != NULL; s = s->next)
        if (s->device == file->st_dev && s->inode == file->st_ino) {
            s->users++;
            *out = s->env;
            return MDB_SUCCESS;
        }
    int rc = add(file, make, context, out);
    if (rc != MDB_SUCCESS)
        (void)pthread_mutex_unlock(&lock);
    return rc;
}

void shared_env_opened(void) { (void)pthread_mutex_unlock(&lock); }

void shared_env_use(const MDB_env *env)
{
    (void)pthread_mutex_lock(&lock);
    for (struct shared *s = list; s != NULL; s = s->next)
        s->users += s->env == env;
    (void)pthread_mutex_unlock(&lock);
}

void shared_env_close(MDB_env *env)
{
    (void)pthread_mutex_lock(&lock);
    for (struct shared **at = &list; *at != NULL; at = &(*at)->next) {
        struct shared *s = *at;
        if (s->env != env)
            continue;
        if (--s->users == 0) {
            *at = s->next;
            mdb_env_close(env);
            free(s);
        }
        break;
    }
    (void)pthread_mutex_unlock(&lock);
}
