/* chunk_pool.c - see chunk_pool.h. Jobs are a ring: the owner puts at its end and takes from its begin; threads and the
 * owner encode the first one that waits. */
#include "logging/sinks/chunk_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* With one thread: one is being encoded, one waits, and the owner stores one or fills it. */
enum { JOBS_MAX = 2 * CHUNK_POOL_THREADS_MAX + 1 };

enum job_state { JOB_FREE, JOB_WAITS, JOB_RUNS, JOB_DONE };

struct chunk_pool {
    struct chunk_job jobs[JOBS_MAX];
    enum job_state states[JOBS_MAX];
    unsigned count;  /* jobs that are used: 1 without threads */
    unsigned oldest; /* of `used` jobs in the ring */
    unsigned used;
    struct chunk_encoder *encoder; /* of the owner */
    pthread_mutex_t mutex;         /* states, used, ended */
    pthread_cond_t waits, done;
    bool ended;
    unsigned threads;
    pthread_t ids[CHUNK_POOL_THREADS_MAX];
    struct chunk_encoder *encoders[CHUNK_POOL_THREADS_MAX];
};

/* What a thread is given. */
struct start {
    struct chunk_pool *pool;
    struct chunk_encoder *encoder;
};

static void encode(struct chunk_encoder *encoder, struct chunk_job *j)
{
    j->status = (j->info.flags & CHUNK_IS_DERIVED) != 0
                    ? derive_end_rest(encoder, j->kinds, &j->rest, 0, &j->blob, &j->error)
                    : chunk_encode(encoder, j->kinds, &j->columns, &j->blob, &j->error);
}

/* Encodes the first job that waits, with the mutex, which is released meanwhile. False: none waits. */
static bool encode_one(struct chunk_pool *p, struct chunk_encoder *encoder)
{
    for (unsigned i = 0; i < p->used; i++) {
        unsigned at = (p->oldest + i) % p->count;
        if (p->states[at] != JOB_WAITS)
            continue;
        p->states[at] = JOB_RUNS;
        (void)pthread_mutex_unlock(&p->mutex);
        encode(encoder, &p->jobs[at]);
        (void)pthread_mutex_lock(&p->mutex);
        p->states[at] = JOB_DONE;
        (void)pthread_cond_signal(&p->done);
        return true;
    }
    return false;
}

static void *run(void *arg)
{
    struct start *start = arg;
    struct chunk_pool *p = start->pool;
    struct chunk_encoder *encoder = start->encoder;
    free(start);
    (void)pthread_mutex_lock(&p->mutex);
    while (!p->ended)
        if (!encode_one(p, encoder))
            (void)pthread_cond_wait(&p->waits, &p->mutex);
    (void)pthread_mutex_unlock(&p->mutex);
    return NULL;
}

struct chunk_pool *chunk_pool_new(void)
{
    struct chunk_pool *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->encoder = chunk_encoder_new();
    if (p->encoder == NULL) {
        free(p);
        return NULL;
    }
    p->count = 1;
    (void)pthread_mutex_init(&p->mutex, NULL);
    (void)pthread_cond_init(&p->waits, NULL);
    (void)pthread_cond_init(&p->done, NULL);
    return p;
}

void chunk_pool_free(struct chunk_pool *p)
{
    if (p == NULL)
        return;
    (void)pthread_mutex_lock(&p->mutex);
    p->ended = true;
    (void)pthread_cond_broadcast(&p->waits);
    (void)pthread_mutex_unlock(&p->mutex);
    for (unsigned i = 0; i < p->threads; i++) {
        (void)pthread_join(p->ids[i], NULL);
        chunk_encoder_free(p->encoders[i]);
    }
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        chunk_columns_free(&p->jobs[i].columns);
        derived_rest_done(&p->jobs[i].rest);
        writer_free(&p->jobs[i].followers);
        writer_free(&p->jobs[i].blob);
    }
    chunk_encoder_free(p->encoder);
    (void)pthread_mutex_destroy(&p->mutex);
    (void)pthread_cond_destroy(&p->waits);
    (void)pthread_cond_destroy(&p->done);
    free(p);
}

static bool start_thread(struct chunk_pool *p)
{
    struct start *start = malloc(sizeof *start);
    struct chunk_encoder *encoder = chunk_encoder_new();
    pthread_t *id = &p->ids[p->threads];
    if (start == NULL || encoder == NULL)
        goto out;
    *start = (struct start){ p, encoder };
    if (pthread_create(id, NULL, run, start) != 0)
        goto out;
    (void)pthread_setname_np(*id, "hindsight-pack");
    (void)pthread_setschedparam(*id, SCHED_BATCH, &(struct sched_param){ 0 }); /* as the drain thread */
    p->encoders[p->threads++] = encoder;
    return true;
out:
    free(start);
    if (encoder != NULL)
        chunk_encoder_free(encoder);
    return false;
}

void chunk_pool_start(struct chunk_pool *p, unsigned threads)
{
    while (p->threads < threads && p->threads < CHUNK_POOL_THREADS_MAX && start_thread(p)) {
    }
    p->count = 2 * p->threads + 1;
}

unsigned chunk_pool_useful_threads(void)
{
    cpu_set_t cpus;
    if (sched_getaffinity(0, sizeof cpus, &cpus) != 0)
        return 0;
    unsigned others = (unsigned)CPU_COUNT(&cpus) - 1;
    return others < CHUNK_POOL_THREADS_MAX ? others : CHUNK_POOL_THREADS_MAX;
}

bool chunk_pool_has_room(const struct chunk_pool *p) { return p->used < p->count; }

struct chunk_job *chunk_pool_next(struct chunk_pool *p)
{
    struct chunk_job *j = &p->jobs[(p->oldest + p->used) % p->count];
    j->blob.size = j->followers.size = 0;
    return j;
}

void chunk_pool_put(struct chunk_pool *p)
{
    (void)pthread_mutex_lock(&p->mutex);
    p->states[(p->oldest + p->used) % p->count] = JOB_WAITS;
    p->used++;
    (void)pthread_cond_signal(&p->waits);
    (void)pthread_mutex_unlock(&p->mutex);
}

struct chunk_job *chunk_pool_oldest(struct chunk_pool *p)
{
    if (p->used == 0)
        return NULL;
    (void)pthread_mutex_lock(&p->mutex);
    while (p->states[p->oldest] != JOB_DONE)
        if (!encode_one(p, p->encoder))
            (void)pthread_cond_wait(&p->done, &p->mutex);
    (void)pthread_mutex_unlock(&p->mutex);
    return &p->jobs[p->oldest];
}

void chunk_pool_take(struct chunk_pool *p)
{
    (void)pthread_mutex_lock(&p->mutex);
    p->states[p->oldest] = JOB_FREE;
    p->oldest = (p->oldest + 1) % p->count;
    p->used--;
    (void)pthread_mutex_unlock(&p->mutex);
}
