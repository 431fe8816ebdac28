/* bench_queries.c - how long do questions about a large trace take?   bench_queries TRACE [WARM [COLD]]
 *
 * Every question of the table is asked WARM times (default 200) in a row of one process that has the trace open, each
 * time about something else, and COLD times (default 7) each in a process of its own: the trace's files are taken out
 * of the page cache, and the time is that from hs_open to the answer. What is asked about is chosen beforehand, by
 * chance (equal in every run). One JSON line per question: medians (of CPU time too: the targets are for one core that
 * has nothing else to do), the worst of ten (p90), the target of the design, and the peak memory (VmHWM) of the
 * processes that answered. The trace needs its index (`hindsight index`). */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formats/event.h"
#include "reader/derive/derive.h"
#include "reader/trace/open_trace.h"

enum { PICKS = 256, NAME_MAX_BYTES = 512, SCREEN = 40, RARE_MOST = 10, HOT_LEAST = 50000, HOT_MOST = 200000 };

/* What one asking is about. */
struct pick {
    uint64_t seq;                /* some moment */
    uint32_t object;             /* some object */
    uint32_t rare, hot;          /* data IDs */
    char field[NAME_MAX_BYTES];  /* Class.field that is read at `seq` or soon after */
    char place[NAME_MAX_BYTES];  /* ID.field, that field of one object */
    char method[NAME_MAX_BYTES]; /* name of a method that runs at `seq` */
};

static struct pick picks[PICKS];
static struct hs_error error = HS_ERROR_INIT;

static double now_ms(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_queries: %s: %s\n", what, error.text);
    exit(1);
}

/* ---- the questions: each gives the number of things it found, -1 if it failed ---- */

static long ask_chunk(hs_trace *t, const struct pick *p)
{
    struct chunk_columns c;
    struct error err;
    const struct chunk_ref *chunk = &t->chunks[p->seq % t->chunk_count];
    return trace_decode(t, t->decoder, chunk, CHUNK_ALL, &c, &err) == OK ? (long)c.count : -1;
}

static long walk(hs_trace *t, const struct hs_filter *filter, uint64_t from, long most)
{
    hs_cursor *c;
    const struct hs_event *e;
    long n = 0;
    int more = 0;
    if (hs_events_open(t, filter, &c, &error) != 0)
        return -1;
    if (from == 0 || hs_cursor_seek(c, from, &error) == 0)
        while (n < most && (more = hs_event_next(c, &e, &error)) > 0)
            n++;
    hs_cursor_close(c);
    return more < 0 ? -1 : n;
}

static long walk_history(hs_trace *t, const char *what, long most)
{
    hs_cursor *h;
    const struct hs_write *w;
    long n = 0;
    int more = 0;
    if (hs_history_open(t, what, &h, &error) != 0)
        return -1;
    while (n < most && (more = hs_write_next(h, &w, &error)) > 0)
        n++;
    hs_cursor_close(h);
    return more < 0 ? -1 : n;
}

static long ask_last_write(hs_trace *t, const struct pick *p)
{
    const struct hs_write *w;
    return hs_last_write(t, p->place, p->seq, &w, &error);
}

static long ask_object_events(hs_trace *t, const struct pick *p)
{
    struct hs_filter filter = HS_FILTER_ALL;
    filter.object = p->object;
    return walk(t, &filter, 0, INT32_MAX);
}

static long events_of(hs_trace *t, uint32_t dataid)
{
    char what[16];
    (void)snprintf(what, sizeof what, "%u", dataid);
    return walk_history(t, what, INT32_MAX);
}

static long ask_rare(hs_trace *t, const struct pick *p) { return events_of(t, p->rare); }
static long ask_hot(hs_trace *t, const struct pick *p) { return events_of(t, p->hot); }

static long ask_frames(hs_trace *t, const struct pick *p)
{
    hs_cursor *frames;
    if (hs_frames_open(t, p->seq, &frames, &error) != 0)
        return -1;
    long count = (long)hs_cursor_count(frames);
    hs_cursor_close(frames);
    return count;
}

static long ask_print(hs_trace *t, const struct pick *p)
{
    struct hs_filter filter = HS_FILTER_ALL;
    filter.from = p->seq;
    return walk(t, &filter, 0, SCREEN);
}

static long ask_method(hs_trace *t, const struct pick *p)
{
    struct hs_filter filter = HS_FILTER_ALL;
    filter.method_glob = p->method;
    return walk(t, &filter, 0, SCREEN);
}

static long ask_object(hs_trace *t, const struct pick *p)
{
    const struct hs_object_state *state;
    return hs_object_at(t, p->object, HS_NO_SEQ, &state, &error) == 0
               ? (long)(state->field_count + state->element_count)
               : -1;
}

static long ask_history(hs_trace *t, const struct pick *p) { return walk_history(t, p->field, SCREEN); }

static long ask_why(hs_trace *t, const struct pick *p)
{
    hs_cursor *causes;
    if (hs_why_open(t, p->seq, SCREEN, &causes, &error) != 0)
        return -1;
    long count = (long)hs_cursor_count(causes);
    hs_cursor_close(causes);
    return count;
}

static long ask_counts(hs_trace *t, const struct pick *p)
{
    uint64_t *counts = calloc((size_t)hs_dataid_count(t) + 1, sizeof *counts);
    double *bytes = calloc((size_t)hs_dataid_count(t) + 1, sizeof *bytes);
    long n = counts != NULL && bytes != NULL && hs_count_dataids(t, counts, bytes, &error) == 0
                 ? (long)hs_dataid_count(t)
                 : -1;
    (void)p;
    free(counts);
    free(bytes);
    return n;
}

static long ask_costs(hs_trace *t, const struct pick *p)
{
    hs_cursor *costs;
    (void)p;
    if (hs_costs_open(t, 0, HS_NO_SEQ, &costs, &error) != 0)
        return -1;
    long count = (long)hs_cursor_count(costs);
    hs_cursor_close(costs);
    return count;
}

static long ask_exceptions(hs_trace *t, const struct pick *p)
{
    hs_cursor *c;
    const struct hs_exception *x;
    long n = 0;
    int more = 0;
    (void)p;
    if (hs_exceptions_open(t, &c, &error) != 0)
        return -1;
    while (n < SCREEN && (more = hs_exception_next(c, &x, &error)) > 0)
        n++;
    hs_cursor_close(c);
    return more < 0 ? -1 : n;
}

static long ask_tree(hs_trace *t, const struct pick *p)
{
    struct hs_tree_options want = HS_TREE_OPTIONS_INIT;
    hs_cursor *c;
    const struct hs_call *call;
    const struct hs_event *e;
    long n = 0;
    int more = 0;
    if (hs_event_at(t, p->seq, &e, &error) != 0)
        return -1;
    want.thread = e->thread;
    want.from = p->seq;
    if (hs_tree_open(t, &want, &c, &error) != 0)
        return -1;
    while (n < SCREEN && (more = hs_call_next(c, &call, &error)) > 0)
        n++;
    hs_cursor_close(c);
    return more < 0 ? -1 : n;
}

static const struct question {
    const char *name;
    double target_ms;
    long (*ask)(hs_trace *t, const struct pick *p);
    int most; /* askings, for slow ones; 0: no limit */
} questions[] = {
    { "chunk fetch and decode", 0.4, ask_chunk, 0 },
    { "last write of a field before t", 1, ask_last_write, 0 },
    { "events of an object", 1, ask_object_events, 0 },
    { "rare data ID", 2, ask_rare, 0 },
    { "hot data ID", 250, ask_hot, 9 },
    { "stack and locals at t", 5, ask_frames, 0 },
    { "first screen: print --from", 100, ask_print, 0 },
    { "first screen: print --method", 100, ask_method, 20 },
    { "first screen: object", 100, ask_object, 0 },
    { "first screen: history Class.field", 100, ask_history, 50 },
    { "first screen: why", 100, ask_why, 0 },
    { "first screen: info", 100, ask_counts, 9 },
    { "first screen: report", 100, ask_costs, 5 },
    { "first screen: exceptions", 100, ask_exceptions, 20 },
    { "first screen: tree --from", 100, ask_tree, 20 },
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* ---- what to ask about ---- */

static uint64_t rng_state = 42;
static uint64_t roll(uint64_t below)
{
    rng_state = rng_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (rng_state >> 11) % below;
}

static const char *attribute(const struct hs_dataid *d, const char *name)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (strcmp(d->attrs[i]->name, name) == 0)
            return d->attrs[i]->text;
    return "";
}

/* Some data ID that has between `least` and `most` events; 0 if there seems to be none. */
static uint32_t dataid_with(const uint64_t *counts, uint32_t n, uint64_t least, uint64_t most)
{
    for (unsigned tries = 0; tries < 10000000; tries++) {
        uint32_t id = (uint32_t)roll(n);
        if (counts[id] >= least && counts[id] <= most)
            return id;
    }
    return 0;
}

/* Some object that at least one event shows. */
static uint32_t some_object(hs_trace *t, const uint32_t *ids, size_t count)
{
    struct hs_filter filter = HS_FILTER_ALL;
    do
        filter.object = ids[roll(count)];
    while (walk(t, &filter, 0, 1) == 0);
    return filter.object;
}

static void choose(hs_trace *t, const uint64_t *counts, const u32_vec *objects, struct pick *p)
{
    static const unsigned reads[] = { EVENT_GET_INSTANCE_FIELD };
    struct hs_filter filter = { .size = sizeof filter, .to = UINT64_MAX, .events = reads, .event_count = 1 };
    const struct hs_event *e = NULL;
    hs_cursor *c;
    if (hs_events_open(t, &filter, &c, &error) != 0 || hs_cursor_seek(c, roll(hs_event_count(t)), &error) != 0 ||
        hs_event_next(c, &e, &error) <= 0)
        die("no read of a field");
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    p->seq = e->seq;
    (void)snprintf(p->field, sizeof p->field, "%s.%s", attribute(d, "owner"), attribute(d, "name"));
    (void)snprintf(p->place, sizeof p->place, "%llu.%s", (unsigned long long)e->value, attribute(d, "name"));
    (void)snprintf(p->method, sizeof p->method, "%s", hs_method_get(t, d->method_id)->name);
    hs_cursor_close(c);
    p->object = some_object(t, objects->items, objects->count);
    p->rare = dataid_with(counts, hs_dataid_count(t), 1, RARE_MOST);
    p->hot = dataid_with(counts, hs_dataid_count(t), HOT_LEAST, HOT_MOST);
}

static void choose_all(const char *dir)
{
    hs_trace *t;
    u32_vec objects = { 0 };
    const struct hs_object *o;
    hs_cursor *all;
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        die(dir);
    uint64_t *counts = calloc((size_t)hs_dataid_count(t) + 1, sizeof *counts);
    if (counts == NULL || hs_count_dataids(t, counts, NULL, &error) != 0)
        die("counts");
    if (hs_objects_open(t, &all, &error) != 0)
        die("objects");
    while (hs_object_next(all, &o, &error) > 0) {
        uint32_t *to = vec_push(&objects);
        if (to == NULL)
            die("out of memory");
        *to = o->id;
    }
    hs_cursor_close(all);
    for (unsigned i = 0; i < PICKS; i++)
        choose(t, counts, &objects, &picks[i]);
    vec_free(&objects);
    free(counts);
    hs_close(t);
}

/* ---- measuring: in child processes, as a trace that is mapped stays in the page cache ---- */

static void out_of_cache(const char *dir)
{
    static const char *const files[] = { "data.mdb", "index" };
    char path[4096];
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        (void)fsync(fd);
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        (void)close(fd);
    }
}

/* Peak memory; mapped pages of the trace count while they are in use. */
static double peak_mb(void)
{
    char line[256];
    double kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            kb = strtod(line + 6, NULL);
    if (f != NULL)
        (void)fclose(f);
    return kb / 1024;
}

struct answer {
    double ms, cpu_ms;
    long found;
};

/* A process that asks `count` times, warm ones of an open trace; its answers, and then its peak memory in one more. */
static void child(const char *dir, const struct question *q, bool warm, int first, int count, int out)
{
    hs_trace *t = NULL;
    struct answer a;
    double begin = now_ms(CLOCK_MONOTONIC), begin_cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        die(dir);
    if (warm && q->ask(t, &picks[PICKS - 1]) < 0) /* tables are read, files are in the cache */
        die(q->name);
    for (int i = 0; i < count; i++) {
        if (warm) {
            begin = now_ms(CLOCK_MONOTONIC);
            begin_cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID);
        }
        a.found = q->ask(t, &picks[(first + i) % (PICKS - 1)]);
        a.ms = now_ms(CLOCK_MONOTONIC) - begin;
        a.cpu_ms = now_ms(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu;
        if (a.found < 0)
            die(q->name);
        if (write(out, &a, sizeof a) != (ssize_t)sizeof a)
            exit(1);
    }
    a = (struct answer){ .ms = peak_mb() };
    _exit(write(out, &a, sizeof a) == (ssize_t)sizeof a ? 0 : 1);
}

/* Appends the answers of a process; its peak memory. */
static double in_child(const char *dir, const struct question *q, bool warm, int first, int count,
                       struct answer *answers)
{
    int pipes[2], status = 0;
    struct answer last;
    if (pipe(pipes) != 0)
        die("pipe");
    (void)fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        (void)close(pipes[0]);
        child(dir, q, warm, first, count, pipes[1]);
    }
    (void)close(pipes[1]);
    for (int i = 0; i <= count; i++) {
        char *to = (char *)(i < count ? &answers[i] : &last);
        for (size_t have = 0; have < sizeof last;) {
            ssize_t got = read(pipes[0], to + have, sizeof last - have);
            if (got <= 0)
                die(q->name);
            have += (size_t)got;
        }
    }
    (void)close(pipes[0]);
    if (waitpid(pid, &status, 0) != pid || status != 0)
        die(q->name);
    return last.ms;
}

static int by_ms(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    return x->ms < y->ms ? -1 : x->ms > y->ms;
}

static int by_cpu_ms(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    return x->cpu_ms < y->cpu_ms ? -1 : x->cpu_ms > y->cpu_ms;
}

static void measure(const char *dir, const struct question *q, int warm, int cold)
{
    static struct answer warms[PICKS], colds[PICKS];
    double peak = 0, found = 0;
    warm = q->most > 0 && q->most < warm ? q->most : warm;
    for (int i = 0; i < cold; i++) {
        out_of_cache(dir);
        double mb = in_child(dir, q, false, i, 1, &colds[i]);
        peak = mb > peak ? mb : peak;
    }
    double mb = in_child(dir, q, true, 0, warm, warms);
    peak = mb > peak ? mb : peak;
    for (int i = 0; i < warm; i++)
        found += (double)warms[i].found / warm;
    qsort(warms, (size_t)warm, sizeof *warms, by_cpu_ms);
    double cpu = warms[warm / 2].cpu_ms, cpu_p90 = warms[warm * 9 / 10].cpu_ms;
    qsort(warms, (size_t)warm, sizeof *warms, by_ms);
    qsort(colds, (size_t)cold, sizeof *colds, by_cpu_ms);
    double cold_cpu = colds[cold / 2].cpu_ms;
    qsort(colds, (size_t)cold, sizeof *colds, by_ms);
    (void)printf("{\"bench\":\"queries\",\"question\":\"%s\",\"target_ms\":%g,\"warm_ms\":%.3f,\"warm_p90_ms\":%.3f,"
                 "\"warm_cpu_ms\":%.3f,\"warm_p90_cpu_ms\":%.3f,\"cold_ms\":%.1f,\"cold_cpu_ms\":%.1f,"
                 "\"found\":%.1f,\"peak_mb\":%.0f,\"repeats_warm\":%d,\"repeats_cold\":%d}\n",
                 q->name, q->target_ms, warms[warm / 2].ms, warms[warm * 9 / 10].ms, cpu, cpu_p90, colds[cold / 2].ms,
                 cold_cpu, found, peak, warm, cold);
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    int warm = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 200, cold = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 7;
    if (argc < 2 || warm < 1 || warm > PICKS - 1 || cold < 1 || cold > PICKS - 1) {
        (void)fprintf(stderr, "usage: bench_queries TRACE [WARM [COLD]]     at most %d askings\n", PICKS - 1);
        return 2;
    }
    choose_all(argv[1]);
    for (unsigned i = 0; i < QUESTIONS; i++)
        measure(argv[1], &questions[i], warm, cold);
    return 0;
}
