/* bench_demand.c - how much do the threads of a recorded program make to store, in each slice of time?
 *
 *     bench_demand TRACE FILE COMMAND...     COMMAND records into TRACE; FILE is the input of bench_drains
 *
 * Looks at the journal of the recording (formats/journal.h) and at the CPU time of its threads (/proc) from outside,
 * every SLICE_MS. A thread of the program is found by its name, which must be unique in the first 15 characters.
 *
 * A line of FILE, numbers with spaces between: `store CPU-NS BYTES` and `pack CPU-NS BYTES`, of the whole run (the
 * storing thread's CPU time; that of the threads that pack); `elapsed NS`; and for each slice and thread that made
 * records in it `SLICE THREAD CPU-NS BYTES`. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formats/journal.h"
#include "reader/trace.h"

enum { SLICE_MS = 5, TASKS_MAX = 1024, DESCS_LOOKED = 1024, COMM = 16 };
static const uint64_t BUFFER_RECORDS = JOURNAL_BUFFER_BYTES - JOURNAL_RECORD_MAX_BYTES - sizeof(struct buffer_head);

struct task {
    int id, fd; /* of its schedstat; -1: it has ended */
    char name[COMM];
    uint64_t cpu_ns;
};

/* What a descriptor had made when it was looked at. */
struct look {
    uint32_t slice, thread;
    uint64_t bytes;
};

/* CPU time of a task when it was looked at. */
struct spent {
    uint32_t slice, task;
    uint64_t cpu_ns;
};

static struct task tasks[TASKS_MAX];
static unsigned task_count;
static uint64_t made[DESCS_LOOKED];
static struct look *looks;
static struct spent *spents;
static size_t look_count, spent_count, looks_max, spents_max;

static void die(const char *what)
{
    fprintf(stderr, "bench_demand: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void *more(void *items, size_t count, size_t *most, size_t size)
{
    if (count < *most)
        return items;
    *most = *most > 0 ? 2 * *most : 4096;
    items = realloc(items, *most * size);
    if (items == NULL)
        die("memory");
    return items;
}

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool read_text(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
    if (fd >= 0)
        (void)close(fd);
    if (n < 0)
        return false;
    out[n] = '\0';
    out[strcspn(out, "\n")] = '\0';
    return true;
}

static struct task *task_of(pid_t pid, int id)
{
    char path[64];
    for (unsigned i = 0; i < task_count; i++)
        if (tasks[i].id == id)
            return &tasks[i];
    if (task_count == TASKS_MAX)
        return NULL;
    struct task *t = &tasks[task_count++];
    *t = (struct task){ .id = id };
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", pid, id);
    t->fd = open(path, O_RDONLY | O_CLOEXEC);
    return t;
}

static void look_at_task(struct task *t, pid_t pid, uint32_t slice)
{
    char text[64], path[64];
    ssize_t n = t->fd < 0 ? -1 : pread(t->fd, text, sizeof text - 1, 0);
    if (n <= 0)
        return;
    text[n] = '\0';
    t->cpu_ns = strtoull(text, NULL, 10);
    if (t->name[0] == '\0' || strcmp(t->name, "java") == 0) { /* its creator's, until it has its own */
        (void)snprintf(path, sizeof path, "/proc/%d/task/%d/comm", pid, t->id);
        (void)read_text(path, t->name, sizeof t->name);
    }
    spents = more(spents, spent_count, &spents_max, sizeof *spents);
    spents[spent_count++] = (struct spent){ slice, (uint32_t)(t - tasks), t->cpu_ns };
}

static void look_at_tasks(pid_t pid, uint32_t slice)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    const struct dirent *e;
    while (dir != NULL && (e = readdir(dir)) != NULL) {
        struct task *t = e->d_name[0] == '.' ? NULL : task_of(pid, atoi(e->d_name));
        if (t != NULL)
            look_at_task(t, pid, slice);
    }
    if (dir != NULL)
        (void)closedir(dir);
}

/* Bytes of records that the descriptor has made so far. A hook may be writing it: what is wrong is right next time. */
static uint64_t made_by(const struct journal_head *h, const struct thread_desc *d)
{
    const uint64_t at = d->pos - h->base - JOURNAL_BUFFERS_AT, begin = (uint64_t)d->buffer * JOURNAL_BUFFER_BYTES;
    if (d->buffer == NO_BUFFER || d->sequence == 0)
        return d->sequence * BUFFER_RECORDS;
    const bool inside = at >= begin + sizeof(struct buffer_head) && at <= begin + JOURNAL_BUFFER_BYTES;
    return (d->sequence - 1) * BUFFER_RECORDS + (inside ? at - begin - sizeof(struct buffer_head) : 0);
}

static void look_at_journal(int fd, uint32_t slice)
{
    static struct thread_desc descs[DESCS_LOOKED];
    struct journal_head h;
    if (pread(fd, &h, sizeof h, 0) != sizeof h || h.magic != JOURNAL_MAGIC || h.version != JOURNAL_VERSION)
        return;
    const uint32_t count = h.desc_count < DESCS_LOOKED ? h.desc_count : DESCS_LOOKED;
    if (pread(fd, descs, count * sizeof *descs, JOURNAL_DESCS_AT) != (ssize_t)(count * sizeof *descs))
        return;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bytes = made_by(&h, &descs[i]);
        if (bytes <= made[i])
            continue;
        looks = more(looks, look_count, &looks_max, sizeof *looks);
        looks[look_count++] = (struct look){ slice, descs[i].thread, bytes - made[i] };
        made[i] = bytes;
    }
}

/* How long the program was looked at. */
static uint64_t watch(pid_t pid, const char *trace, int *status)
{
    char path[4096];
    int journal = -1;
    (void)snprintf(path, sizeof path, "%s/journal", trace);
    const uint64_t began = now_ns();
    for (uint32_t slice = 0; waitpid(pid, status, WNOHANG) == 0; slice++) {
        if (journal < 0)
            journal = open(path, O_RDONLY | O_CLOEXEC);
        if (journal >= 0)
            look_at_journal(journal, slice);
        look_at_tasks(pid, slice);
        const uint64_t next = began + (slice + 1) * (uint64_t)SLICE_MS * 1000000;
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME,
                              &(struct timespec){ (time_t)(next / 1000000000), (long)(next % 1000000000) }, NULL);
    }
    return now_ns() - began;
}

static uint64_t cpu_of(const char *name)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < task_count; i++)
        sum += strncmp(tasks[i].name, name, strlen(name)) == 0 ? tasks[i].cpu_ns : 0;
    return sum;
}

/* The task of a thread: -1 where there is none, or more than one of its name. */
static int task_named(const char *name)
{
    int found = -1;
    for (unsigned i = 0; i < task_count; i++)
        if (name[0] != '\0' && strncmp(tasks[i].name, name, COMM - 1) == 0)
            found = found < 0 ? (int)i : -2;
    return found < 0 ? -1 : found;
}

/* The rows of a thread: its CPU time since its last one, with what it made. */
static void write_thread(FILE *out, uint32_t thread, uint32_t task)
{
    uint64_t before = 0, now = 0;
    size_t s = 0;
    for (size_t i = 0; i < look_count; i++) {
        if (looks[i].thread != thread)
            continue;
        for (; s < spent_count && spents[s].slice <= looks[i].slice; s++)
            now = spents[s].task == task ? spents[s].cpu_ns : now;
        fprintf(out, "%" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", looks[i].slice, thread, now - before,
                looks[i].bytes);
        before = now;
    }
}

static uint64_t write_threads(FILE *out, const char *dir)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace;
    uint64_t unknown = 0;
    if (hs_open(dir, HS_OPEN_READONLY, NULL, &trace, &error) != 0) {
        fprintf(stderr, "bench_demand: %s\n", error.text);
        exit(2);
    }
    for (uint32_t t = 0; t < hs_thread_count(trace); t++) {
        const struct hs_thread *row = hs_thread_get(trace, t);
        int task = row == NULL ? -1 : task_named(row->name);
        for (size_t i = 0; i < look_count && task < 0; i++)
            unknown += looks[i].thread == t ? looks[i].bytes : 0;
        if (task >= 0)
            write_thread(out, t, (uint32_t)task);
    }
    hs_close(trace);
    return unknown;
}

int main(int argc, char **argv)
{
    int status = 0;
    if (argc < 4) {
        fprintf(stderr, "usage: bench_demand TRACE FILE COMMAND...\n");
        return 2;
    }
    pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        (void)execvp(argv[3], argv + 3);
        die(argv[3]);
    }
    const uint64_t elapsed = watch(pid, argv[1], &status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "bench_demand: %s ended with status %d\n", argv[3], status);
        return 1;
    }
    FILE *out = fopen(argv[2], "w");
    uint64_t bytes = 0;
    for (size_t i = 0; i < look_count; i++)
        bytes += looks[i].bytes;
    if (out == NULL)
        die(argv[2]);
    fprintf(out, "elapsed %" PRIu64 "\nstore %" PRIu64 " %" PRIu64 "\npack %" PRIu64 " %" PRIu64 "\n", elapsed,
            cpu_of("hindsight-drain"), bytes, cpu_of("hindsight-pack"), bytes);
    const uint64_t unknown = write_threads(out, argv[1]);
    printf("%.1f MB of records, %.1f MB of threads without a name of their own\n", (double)bytes / 1e6,
           (double)unknown / 1e6);
    return fclose(out) != 0;
}
