/* read_ahead.c - see read_ahead.h. */
#include "reader/derive/read_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "reader/derive/deriving.h"
#include "reader/derive/stored_state.h"
#include "reader/segments/segments.h"

/* LEAST_*: fewer chunks, or smaller ones, are decoded before another thread has begun. */
enum { RUN = 4, SLOTS = 2 * RUN, JOBS_MAX = 256, LEAST_CHUNKS = 2 * RUN, LEAST_EVENTS = 2048 };

enum slot_state { SLOT_FREE, SLOT_PLANNED, SLOT_BUSY, SLOT_DONE, SLOT_FAILED };
struct slot {
    const struct chunk_ref *chunk;
    unsigned want, worker;
    enum slot_state state;
    bool seeded; /* `seed` is the state of its thread before the chunk */
    uint8_t *seed;
    size_t seed_bytes;
    struct chunk_columns columns; /* what was decoded: arrays of `room` */
    struct chunk_columns room;    /* owned */
};

struct worker {
    struct read_ahead *all;
    unsigned number;
    hs_trace *branch;
    struct chunk_decoder *decoder;
    pthread_t thread;
    bool runs;
};

/* The last chunk of a stream that was planned. */
struct planned {
    const struct chunk_ref *chunk; /* NULL: none yet */
    unsigned worker, run;
};

struct read_ahead {
    hs_trace *trace;
    read_ahead_want_fn *want;
    void *context;
    struct chunk_probe probe; /* a copy; what is looked for may become less */
    uint64_t *probed;
    const struct chunk_ref **plan; /* in the order in which they will be needed */
    size_t plan_count, plan_at;
    struct planned *planned; /* by stream */
    uint64_t segment;        /* + 1 of `states`, 0: none */
    uint8_t *states;
    size_t states_bytes;
    struct worker *workers;
    unsigned worker_count, next_worker;

    pthread_mutex_t lock; /* of all that follows, and of the state of slots */
    pthread_cond_t planned_more, decoded_more;
    struct slot *slots; /* a ring */
    size_t slot_count, head, used;
    bool stop;
};

/* ---- the threads ---- */

static bool room_for_columns(struct chunk_columns *c)
{
    const size_t n = CHUNK_EVENTS_MAX + CHUNK_ROOM;
    if (c->ids == NULL)
        c->ids = malloc(n * sizeof *c->ids);
    if (c->values == NULL)
        c->values = malloc(n * sizeof *c->values);
    if (c->stamps == NULL)
        c->stamps = malloc(n * sizeof *c->stamps);
    if (c->times == NULL)
        c->times = malloc(n * sizeof *c->times);
    return c->ids != NULL && c->values != NULL && c->stamps != NULL && c->times != NULL;
}

/* Exchanges the arrays of the decoder for those of the slot, where columns were decoded. */
static void exchange(struct chunk_decoder *d, struct slot *s)
{
    const struct chunk_columns *filled = &s->columns;
    struct chunk_columns with = { .ids = filled->ids != NULL ? s->room.ids : NULL,
                                  .values = filled->values != NULL ? s->room.values : NULL,
                                  .stamps = filled->stamps != NULL ? s->room.stamps : NULL,
                                  .times = filled->times != NULL ? s->room.times : NULL };
    chunk_decoder_swap(d, &with);
    s->room = (struct chunk_columns){ .ids = with.ids != NULL ? with.ids : s->room.ids,
                                      .values = with.values != NULL ? with.values : s->room.values,
                                      .stamps = with.stamps != NULL ? with.stamps : s->room.stamps,
                                      .times = with.times != NULL ? with.times : s->room.times };
}

static bool stands_before(struct worker *w, const struct slot *s)
{
    struct error err;
    struct deriving *d = s->chunk->derived ? deriving_of(w->branch, &err) : NULL;
    if (!s->chunk->derived)
        return true;
    if (d != NULL && s->seeded)
        return deriving_seed(d, s->chunk, s->seed, s->seed_bytes);
    return d != NULL && deriving_is_before(d, s->chunk);
}

/* False: the walk is to decode the chunk itself. */
static bool decode_slot(struct worker *w, struct slot *s)
{
    struct error err;
    hs_trace *b = w->branch;
    if (!room_for_columns(&s->room) || !stands_before(w, s) ||
        decode_some(b, w->decoder, s->chunk, s->want, &w->all->probe, true, &s->columns, &err) != OK ||
        hs_damage(b) != NULL)
        return false;
    exchange(w->decoder, s);
    return true;
}

static struct slot *next_slot(const struct worker *w)
{
    struct read_ahead *r = w->all;
    for (size_t i = 0; i < r->used; i++) {
        struct slot *s = &r->slots[(r->head + i) % r->slot_count];
        if (s->state == SLOT_PLANNED && s->worker == w->number)
            return s;
    }
    return NULL;
}

static void *work(void *context)
{
    struct worker *w = context;
    struct read_ahead *r = w->all;
    (void)pthread_mutex_lock(&r->lock);
    while (!r->stop) {
        struct slot *s = next_slot(w);
        if (s == NULL) {
            (void)pthread_cond_wait(&r->planned_more, &r->lock);
            continue;
        }
        s->state = SLOT_BUSY;
        (void)pthread_mutex_unlock(&r->lock);
        bool done = decode_slot(w, s);
        (void)pthread_mutex_lock(&r->lock);
        s->state = done ? SLOT_DONE : SLOT_FAILED;
        (void)pthread_cond_signal(&r->decoded_more);
    }
    (void)pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* Signals are for the threads of the program. */
static bool start(struct worker *w)
{
    sigset_t all, before;
    w->branch = trace_branch(w->all->trace);
    w->decoder = chunk_decoder_new();
    if (w->branch == NULL || w->decoder == NULL)
        return false;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    w->runs = pthread_create(&w->thread, NULL, work, w) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return w->runs;
}

/* ---- the plan ---- */

/* The state of its thread before the chunk, from the index; also of no bytes, at the begin. */
static bool find_seed(struct read_ahead *r, const struct chunk_ref *c, size_t chunk, struct slot *s)
{
    const uint64_t segment = index_segment(c);
    if (chunk == 0 || !c[-1].derived)
        return true;
    if (r->segment != segment + 1) {
        free(r->states);
        r->states = index_section(r->trace, segment, SECTION_STATES, &r->states_bytes);
        r->segment = segment + 1;
    }
    const uint8_t *found = stored_state_in(r->states, r->states_bytes, c, &s->seed_bytes);
    s->seed = found != NULL ? malloc(s->seed_bytes + 1) : NULL;
    if (s->seed != NULL)
        memcpy(s->seed, found, s->seed_bytes);
    return s->seed != NULL;
}

/* Gives the chunk to a thread. False: it is not planned. */
static bool assign(struct read_ahead *r, const struct chunk_ref *c, struct slot *s)
{
    size_t chunk = 0, stream = stream_of_chunk(r->trace, c, &chunk);
    struct planned *last = &r->planned[stream];
    const bool follows = c->derived && last->chunk != NULL && last->chunk == c - 1 && c[-1].derived;
    if (follows && last->run < RUN) {
        s->worker = last->worker;
        last->run++;
    } else if (!c->derived || (s->seeded = find_seed(r, c, chunk, s))) {
        s->worker = r->next_worker++ % r->worker_count;
        last->run = 1;
    } else if (follows) {
        s->worker = last->worker;
    } else {
        return false;
    }
    last->chunk = c;
    last->worker = s->worker;
    return true;
}

/* Plans chunks as long as there are free slots. */
static void plan_more(struct read_ahead *r)
{
    bool any = false;
    for (; r->used < r->slot_count && r->plan_at < r->plan_count; r->plan_at++) {
        const struct chunk_ref *c = r->plan[r->plan_at];
        struct slot *s = &r->slots[(r->head + r->used) % r->slot_count];
        unsigned want = c->count >= LEAST_EVENTS ? r->want(r->context, c) : 0;
        *s = (struct slot){ .chunk = c, .want = want, .room = s->room };
        if (c->derived && (want & (CHUNK_IDS | CHUNK_VALUES)) == 0)
            continue; /* stamps are read without executing it */
        if (want == 0 || !assign(r, c, s))
            continue;
        if (c->derived)
            s->want |= CHUNK_IDS | CHUNK_VALUES | CHUNK_STAMPS; /* they come together */
        (void)pthread_mutex_lock(&r->lock);
        s->state = SLOT_PLANNED;
        r->used++;
        (void)pthread_mutex_unlock(&r->lock);
        any = true;
    }
    if (any)
        (void)pthread_cond_broadcast(&r->planned_more);
}

static int by_first_stamp(const void *a, const void *b)
{
    const struct chunk_ref *x = *(const struct chunk_ref *const *)a, *y = *(const struct chunk_ref *const *)b;
    if (x->first_stamp != y->first_stamp)
        return x->first_stamp < y->first_stamp ? -1 : 1;
    return x < y ? -1 : x > y; /* by thread, and within it by position */
}

static bool make_plan(struct read_ahead *r, read_ahead_from_fn *from)
{
    const hs_trace *t = r->trace;
    size_t large = 0;
    r->plan = malloc((t->chunk_count + 1) * sizeof(const struct chunk_ref *));
    for (size_t s = 0; r->plan != NULL && s < t->stream_count; s++)
        for (size_t i = from(r->context, s); i < t->streams[s].count; i++) {
            r->plan[r->plan_count++] = &t->streams[s].chunks[i];
            large += t->streams[s].chunks[i].count >= LEAST_EVENTS;
        }
    if (large < LEAST_CHUNKS)
        return false;
    if (t->stream_count > 1)
        qsort(r->plan, r->plan_count, sizeof(const struct chunk_ref *), by_first_stamp);
    return true;
}

/* ---- the walk ---- */

static bool copy_probe(struct read_ahead *r, const struct chunk_probe *probe)
{
    if (probe == NULL || probe->ids == NULL || weavings_known(r->trace)) /* threads see data IDs as they are stored */
        return true;
    const size_t bytes = ((size_t)probe->count / 64 + 1) * sizeof *r->probed;
    r->probed = malloc(bytes);
    if (r->probed != NULL)
        memcpy(r->probed, probe->ids, bytes);
    r->probe = (struct chunk_probe){ r->probed, probe->count };
    return r->probed != NULL;
}

static bool begin(struct read_ahead *r, unsigned jobs, read_ahead_from_fn *from, const struct chunk_probe *probe)
{
    struct error err;
    hs_trace *t = r->trace;
    if (!make_plan(r, from) || !copy_probe(r, probe))
        return false;
    /* the trace itself reports what is wrong with the classes */
    if (r->plan[0]->derived && deriving_of(t, &err) == NULL)
        return false;
    (void)index_present(t);
    r->slot_count = (size_t)jobs * SLOTS;
    r->slots = calloc(r->slot_count, sizeof *r->slots);
    r->planned = calloc(t->stream_count + 1, sizeof *r->planned);
    r->workers = calloc(jobs, sizeof *r->workers);
    if (r->slots == NULL || r->planned == NULL || r->workers == NULL)
        return false;
    for (unsigned i = 0; i < jobs; i++) {
        r->workers[i] = (struct worker){ .all = r, .number = i };
        r->worker_count = i + 1;
        if (!start(&r->workers[i]))
            return false;
    }
    return true;
}

struct read_ahead *read_ahead_begin(hs_trace *t, read_ahead_from_fn *from, read_ahead_want_fn *want, void *context,
                                    const struct chunk_probe *probe)
{
    if (t->jobs < 2 || t->branch || t->ahead != NULL)
        return NULL;
    struct read_ahead *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->trace = t;
    r->want = want;
    r->context = context;
    (void)pthread_mutex_init(&r->lock, NULL);
    (void)pthread_cond_init(&r->planned_more, NULL);
    (void)pthread_cond_init(&r->decoded_more, NULL);
    t->ahead = r;
    if (!begin(r, t->jobs < JOBS_MAX ? t->jobs : JOBS_MAX, from, probe)) {
        read_ahead_end(r);
        return NULL;
    }
    plan_more(r);
    return r;
}

void read_ahead_end(struct read_ahead *r)
{
    if (r == NULL)
        return;
    (void)pthread_mutex_lock(&r->lock);
    r->stop = true;
    (void)pthread_cond_broadcast(&r->planned_more);
    (void)pthread_mutex_unlock(&r->lock);
    for (unsigned i = 0; i < r->worker_count; i++) {
        struct worker *w = &r->workers[i];
        if (w->runs)
            (void)pthread_join(w->thread, NULL);
        if (w->branch != NULL)
            trace_branch_close(w->branch);
        if (w->decoder != NULL)
            chunk_decoder_free(w->decoder);
    }
    for (size_t i = 0; r->slots != NULL && i < r->slot_count; i++) {
        struct slot *s = &r->slots[i];
        free(s->seed);
        free(s->room.ids);
        free(s->room.values);
        free(s->room.stamps);
        free(s->room.times);
    }
    r->trace->ahead = NULL;
    (void)pthread_mutex_destroy(&r->lock);
    (void)pthread_cond_destroy(&r->planned_more);
    (void)pthread_cond_destroy(&r->decoded_more);
    free(r->slots);
    free(r->workers);
    free(r->planned);
    free(r->states);
    free(r->plan);
    free(r->probed);
    free(r);
}

static struct slot *slot_of(struct read_ahead *r, const struct chunk_ref *c)
{
    for (size_t i = 0; i < r->used; i++) {
        struct slot *s = &r->slots[(r->head + i) % r->slot_count];
        if (s->chunk == c && s->state != SLOT_FREE)
            return s;
    }
    return NULL;
}

/* With the lock. */
static void release(struct read_ahead *r, struct slot *s)
{
    free(s->seed);
    s->seed = NULL;
    s->state = SLOT_FREE;
    while (r->used > 0 && r->slots[r->head].state == SLOT_FREE) {
        r->head = (r->head + 1) % r->slot_count;
        r->used--;
    }
}

enum status read_ahead_take(struct read_ahead *r, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                            struct chunk_columns *out)
{
    (void)pthread_mutex_lock(&r->lock);
    struct slot *s = slot_of(r, c);
    while (s != NULL && (s->state == SLOT_PLANNED || s->state == SLOT_BUSY))
        (void)pthread_cond_wait(&r->decoded_more, &r->lock);
    const bool taken = d != NULL && s != NULL && s->state == SLOT_DONE && (want & ~s->want) == 0;
    if (taken) {
        (void)chunk_decoder_lend(d, c->number, false);
        *out = s->columns;
        exchange(d, s);
    }
    if (s != NULL)
        release(r, s);
    (void)pthread_mutex_unlock(&r->lock);
    if (s != NULL)
        plan_more(r);
    return taken ? OK : ERR_NOT_FOUND;
}

void read_ahead_drop(struct read_ahead *r, const struct chunk_ref *c) { (void)read_ahead_take(r, NULL, c, 0, NULL); }

enum status trace_decode_some(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                              const struct chunk_probe *probe, bool stored, struct chunk_columns *out,
                              struct error *err)
{
    if (t->ahead == NULL || read_ahead_take(t->ahead, d, c, want, out) != OK)
        return decode_some(t, d, c, want, probe, stored, out, err);
    t->decoded++;
    if (!stored)
        decode_name_places(t, out);
    return progress_step(&t->progress, err);
}
