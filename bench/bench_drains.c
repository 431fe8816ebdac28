/* bench_drains.c - how long would a recorded program's threads wait, if several threads stored?
 *
 *     bench_drains [-c CORES] [-o ORDERED] [-p PACKED] [-w SLICES] FILE...        FILE: what bench_demand wrote
 *
 * A simulation in steps of STEP_NS. Threads of the program run as they did, by their CPU time, and fill buffers; there
 * are as many buffers as a recording has, for all. A drain works in rounds, as drain_thread.c does: it takes full
 * buffers, a chunk of them or more of a thread, or whatever there is once buffers get scarce; puts their records, which
 * threads that pack take over; when all is packed it writes, and only then are the buffers free again. The part ORDERED
 * of what the storing thread takes today is in order, one drain at a time: rows, LMDB, its commit; in the part PACKED
 * it packs. Runnable threads share CORES (0: each has one).
 *
 * Which drain a thread has: `hash`, by its number; `load`, so that all have the same bytes, as if these were known;
 * `next`, the next drain that is free takes the next thread (its state moves with it, one drain has it at a time).
 *
 * -w: no thread is more than SLICES slices of the recorded run ahead of the last one: the most that locks, queues and
 * barriers between them could do. Without it threads never wait for each other.
 *
 * Prints a JSON object for each file, number of drains and way: seconds until the program's threads are done, until
 * everything is stored; what the threads waited for buffers, together; and how busy the drains were. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/vec.h"
#include "logging/journal/journal.h"
#include "logging/recording/held.h"
#include "logging/sinks/chunk_pool.h"

enum { THREADS_MAX = 1024, DRAINS_MAX = 64, NO_DRAIN = -1, EACH = 2 /* buffers of a thread, journal.each */ };
static const double STEP_NS = 20e3, FLUSH_NS = 1e9,
                    BUFFER_RECORDS =
                        JOURNAL_BUFFER_BYTES - JOURNAL_RECORD_MAX_BYTES - (double)sizeof(struct buffer_head);

struct slice {
    uint32_t number;
    double cpu_ns, bytes;
};
typedef VEC(struct slice) slice_vec;

struct thread {
    slice_vec slices;
    double bytes; /* of all slices */
    /* of a run: */
    size_t at;     /* slice */
    double cpu_ns; /* of it, so far */
    double filled; /* of its buffer */
    bool has_buffer;
    unsigned full;  /* buffers that no drain has taken yet */
    int drain;      /* whose it is; NO_DRAIN: of the next one */
    bool is_stored; /* a drain has its buffers */
};

enum phase { IDLE, PUTTING, PACKING, WRITING };
struct drain {
    enum phase phase;
    unsigned buffers;             /* of the round */
    double put_ns, write_ns;      /* that are left of it */
    double put_all_ns, packed_ns; /* of the whole round; packing that is left of what was put */
    double pack_all_ns, busy_ns, flushed_ns;
    uint32_t threads[THREADS_MAX];
    unsigned thread_count;
};

struct options {
    double cores, ordered, packed;
    uint32_t ahead;
};

struct input {
    struct thread threads[THREADS_MAX];
    unsigned count;
    double put_ns, pack_ns, write_ns; /* for a byte */
};

struct run {
    struct input *in;
    const struct options *o;
    struct drain drains[DRAINS_MAX];
    unsigned drain_count;
    bool any; /* a free drain takes any thread */
    int writer;
    unsigned in_use, allowed, running;
    double now_ns, waited_ns, share; /* of a core, that each runnable thread gets */
};

static bool is_over(const struct thread *t) { return t->at >= t->slices.count; }

/* ---- the program ---- */

static bool take_buffer(struct run *r, struct thread *t)
{
    if (!t->has_buffer && r->in_use < r->allowed) {
        r->in_use++;
        t->has_buffer = true;
        t->filled = 0;
    }
    return t->has_buffer;
}

static void end_buffer(struct thread *t)
{
    if (t->has_buffer)
        t->full++;
    t->has_buffer = false;
}

/* The slice that the last thread is in. */
static uint32_t last_slice(const struct run *r)
{
    uint32_t last = UINT32_MAX;
    for (unsigned i = 0; i < r->in->count; i++) {
        const struct thread *t = &r->in->threads[i];
        if (!is_over(t) && t->slices.items[t->at].number < last)
            last = t->slices.items[t->at].number;
    }
    return last;
}

static bool may_run(const struct run *r, const struct thread *t, uint32_t last)
{
    return !is_over(t) && (r->o->ahead == 0 || t->slices.items[t->at].number - last <= r->o->ahead);
}

/* Which part of the time it ran. */
static double run_thread(struct run *r, struct thread *t, double all_ns)
{
    double ns = all_ns;
    while (ns > 0 && !is_over(t)) {
        const struct slice *s = &t->slices.items[t->at];
        if (!take_buffer(r, t)) {
            r->waited_ns += ns / r->share;
            break;
        }
        const double rate = s->bytes / s->cpu_ns, to_full = (BUFFER_RECORDS - t->filled) / rate;
        double step = s->cpu_ns - t->cpu_ns < ns ? s->cpu_ns - t->cpu_ns : ns;
        step = to_full < step ? to_full : step;
        t->cpu_ns += step;
        t->filled += step * rate;
        ns -= step;
        if (t->filled >= BUFFER_RECORDS - 1e-3)
            end_buffer(t);
        if (t->cpu_ns >= s->cpu_ns - 1e-3) {
            t->at++;
            t->cpu_ns = 0;
        }
    }
    if (is_over(t))
        end_buffer(t);
    return 1 - ns / all_ns;
}

static bool program_over(const struct run *r)
{
    for (unsigned i = 0; i < r->in->count; i++)
        if (!is_over(&r->in->threads[i]))
            return false;
    return true;
}

/* ---- drains ---- */

static void take_thread(struct drain *d, struct thread *t, uint32_t number)
{
    d->threads[d->thread_count++] = number;
    d->buffers += t->full;
    t->full = 0;
    t->is_stored = true;
}

/* Begins a round, if there is enough for one. */
static void begin_round(struct run *r, struct drain *d, int number)
{
    const bool pressed =
        r->in_use + JOURNAL_BUFFERS_SPARE / 4 >= r->allowed || program_over(r) || r->now_ns - d->flushed_ns >= FLUSH_NS;
    unsigned due = 0;
    for (unsigned i = 0; i < r->in->count; i++)
        due += r->in->threads[i].full;
    d->buffers = d->thread_count = 0;
    for (unsigned i = 0; i < r->in->count; i++) {
        struct thread *t = &r->in->threads[i];
        if (t->full == 0 || t->is_stored || (t->full < CHUNK_BUFFERS && !pressed))
            continue;
        if (r->any ? d->buffers > 0 && (d->buffers + t->full) * r->drain_count > due : t->drain != number)
            continue;
        take_thread(d, t, i);
    }
    if (d->buffers == 0)
        return;
    const double bytes = d->buffers * BUFFER_RECORDS;
    d->flushed_ns = r->now_ns;
    d->put_ns = d->put_all_ns = bytes * r->in->put_ns;
    d->write_ns = bytes * r->in->write_ns;
    d->pack_all_ns = bytes * r->in->pack_ns;
    d->packed_ns = 0;
    d->phase = PUTTING;
}

static void end_round(struct run *r, struct drain *d)
{
    for (unsigned i = 0; i < d->thread_count; i++)
        r->in->threads[d->threads[i]].is_stored = false;
    r->in_use -= d->buffers;
    r->writer = NO_DRAIN;
    d->phase = IDLE;
}

/* How much may wait for the threads that pack, before the drain packs itself. */
static double ring_ns(const struct run *r)
{
    return (2 * CHUNK_POOL_THREADS_MAX + 1) * CHUNK_BUFFERS * BUFFER_RECORDS * r->in->pack_ns;
}

static bool runs(const struct run *r, const struct drain *d, int number)
{
    return d->phase == PUTTING || d->phase == PACKING ||
           (d->phase == WRITING && (r->writer == NO_DRAIN || r->writer == number));
}

static void run_drain(struct run *r, struct drain *d, int number, double ns)
{
    if (d->phase == IDLE)
        begin_round(r, d, number);
    if (!runs(r, d, number))
        return;
    d->busy_ns += ns;
    if (d->phase == PUTTING && d->packed_ns <= ring_ns(r)) {
        const double step = ns < d->put_ns ? ns : d->put_ns;
        d->put_ns -= step;
        d->packed_ns += step / d->put_all_ns * d->pack_all_ns;
        if (d->put_ns <= 1e-3)
            d->phase = PACKING;
    } else if (d->phase != WRITING) {
        d->packed_ns -= ns;
        if (d->packed_ns <= 0 && d->phase == PACKING)
            d->phase = WRITING;
    } else {
        r->writer = number;
        d->write_ns -= ns;
        if (d->write_ns <= 0)
            end_round(r, d);
    }
}

/* The threads that pack, as many for each drain as a recording has: how many were busy. */
static double pack(struct drain *d, double ns)
{
    const double most = CHUNK_POOL_THREADS_MAX * ns, packed = most < d->packed_ns ? most : d->packed_ns;
    d->packed_ns -= packed > 0 ? packed : 0;
    return packed > 0 ? packed / ns : 0;
}

/* ---- a run ---- */

static double step(struct run *r)
{
    const uint32_t last = last_slice(r);
    double runnable = 0;
    for (unsigned i = 0; i < r->drain_count; i++)
        runnable += pack(&r->drains[i], STEP_NS * r->share) + runs(r, &r->drains[i], (int)i);
    for (unsigned n = 0; n < r->in->count; n++) {
        struct thread *t = &r->in->threads[(n + r->running) % r->in->count]; /* each is first once */
        if (may_run(r, t, last))
            runnable += run_thread(r, t, STEP_NS * r->share);
    }
    r->running++;
    for (unsigned i = 0; i < r->drain_count; i++)
        run_drain(r, &r->drains[i], (int)i, STEP_NS * r->share);
    r->now_ns += STEP_NS;
    return runnable;
}

static void by_load(struct input *in, unsigned drains)
{
    double load[DRAINS_MAX] = { 0 };
    for (unsigned i = 0; i < in->count; i++)
        in->threads[i].drain = NO_DRAIN;
    for (unsigned n = 0; n < in->count; n++) {
        struct thread *most = NULL;
        int least = 0;
        for (unsigned i = 0; i < in->count; i++)
            if (in->threads[i].drain == NO_DRAIN && (most == NULL || in->threads[i].bytes > most->bytes))
                most = &in->threads[i];
        for (int d = 1; d < (int)drains; d++)
            least = load[d] < load[least] ? d : least;
        most->drain = least;
        load[least] += most->bytes;
    }
}

static void simulate(struct input *in, const char *file, const struct options *o, unsigned drains, const char *way)
{
    struct run r = { .in = in, .o = o, .drain_count = drains, .any = strcmp(way, "next") == 0, .writer = NO_DRAIN };
    double done_ns = 0, busy_ns = 0, runnable;
    r.allowed = JOURNAL_BUFFERS_SPARE + EACH * in->count;
    r.share = 1;
    by_load(in, drains);
    for (unsigned i = 0; i < in->count; i++) {
        struct thread *t = &in->threads[i];
        *t = (struct thread){ .slices = t->slices, .bytes = t->bytes, .drain = t->drain };
        if (strcmp(way, "hash") == 0)
            t->drain = (int)((uint32_t)(i * UINT32_C(2654435761)) >> 16) % (int)drains;
    }
    do {
        runnable = step(&r);
        r.share = o->cores > 0 && runnable > o->cores ? o->cores / runnable : 1;
        if (!program_over(&r))
            done_ns = r.now_ns;
    } while (!program_over(&r) || r.in_use > 0);
    for (unsigned i = 0; i < drains; i++)
        busy_ns += r.drains[i].busy_ns;
    printf("{\"file\":\"%s\",\"drains\":%u,\"way\":\"%s\",\"program_s\":%.3f,\"stored_s\":%.3f,\"waited_s\":%.3f,"
           "\"busy\":%.2f}\n",
           file, drains, way, done_ns / 1e9, r.now_ns / 1e9, r.waited_ns / 1e9, busy_ns / drains / r.now_ns);
}

/* ---- input ---- */

static bool read_line(struct input *in, const char *line, uint32_t *numbers)
{
    double a, b;
    uint32_t slice, number;
    unsigned i = 0;
    if (sscanf(line, "elapsed %lf", &a) == 1)
        return true;
    if (sscanf(line, "store %lf %lf", &a, &b) == 2 || sscanf(line, "pack %lf %lf", &a, &b) == 2) {
        *(line[0] == 's' ? &in->put_ns : &in->pack_ns) = a / b;
        return b > 0;
    }
    if (sscanf(line, "%" SCNu32 " %" SCNu32 " %lf %lf", &slice, &number, &a, &b) != 4 || a < 0 || b < 0)
        return false;
    while (i < in->count && numbers[i] != number)
        i++;
    if (i == in->count && in->count == THREADS_MAX)
        return false;
    in->count += i == in->count;
    numbers[i] = number;
    struct slice *s = vec_push(&in->threads[i].slices);
    if (s == NULL)
        return false;
    *s = (struct slice){ slice, a > 1 ? a : 1, b };
    in->threads[i].bytes += b;
    return true;
}

static void read_input(const char *file, const struct options *o, struct input *in)
{
    static uint32_t numbers[THREADS_MAX];
    char line[256];
    FILE *f = fopen(file, "r");
    bool ok = f != NULL;
    while (ok && fgets(line, sizeof line, f) != NULL)
        ok = read_line(in, line, numbers);
    if (!ok || in->count == 0) {
        fprintf(stderr, "bench_drains: %s is not readable\n", file);
        exit(2);
    }
    (void)fclose(f);
    in->pack_ns += in->put_ns * o->packed;
    in->write_ns = in->put_ns * o->ordered;
    in->put_ns *= 1 - o->packed - o->ordered;
}

int main(int argc, char **argv)
{
    static const char *const ways[] = { "hash", "load", "next" };
    struct options o = { 0 };
    int c;
    while ((c = getopt(argc, argv, "c:o:p:w:")) != -1) {
        if (c == 'c')
            o.cores = atof(optarg);
        else if (c == 'o')
            o.ordered = atof(optarg);
        else if (c == 'p')
            o.packed = atof(optarg);
        else if (c == 'w')
            o.ahead = (uint32_t)atoi(optarg);
        else
            return 2;
    }
    for (; optind < argc; optind++) {
        struct input *in = calloc(1, sizeof *in);
        if (in == NULL)
            return 2;
        read_input(argv[optind], &o, in);
        for (unsigned drains = 1; drains <= 8; drains *= 2)
            for (unsigned w = 0; w < (drains == 1 ? 1 : sizeof ways / sizeof *ways); w++)
                simulate(in, argv[optind], &o, drains, ways[w]);
        for (unsigned i = 0; i < in->count; i++)
            vec_free(&in->threads[i].slices);
        free(in);
    }
    return 0;
}
