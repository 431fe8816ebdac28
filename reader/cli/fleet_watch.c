/* fleet_watch.c - `hindsight fleet watch DIR`: pushes the traces of a folder as they appear and are complete.
 *
 * A trace is pushed when it is no longer recorded and its files were the same in two looks. What was pushed is written
 * down in the fleet alone, whose names are hashes: a watch that was killed begins again, and finds it there already.
 * While the fleet is away the traces wait, and the looks are further apart. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/schema.h"
#include "reader/cli/fleet_args.h"
#include "reader/command/interrupt.h"

enum { EVERY_S = 5, AWAY_S_MAX = 300 };

enum state { WAITS, DONE, REFUSED };
struct spooled {
    char *path;
    uint64_t bytes, time_ns; /* of its files, and when one changed last */
    enum state state;        /* of the trace with these */
    bool same, there;        /* as in the look before; in this look */
};
struct watch {
    struct context *context;
    const struct fleet_args *args;
    const char *dir, *where;
    VEC(struct spooled) traces;
    char said[ERROR_TEXT_MAX]; /* why the fleet is away; "": it is not */
    bool wrong;                /* a word of the command line */
    int status;
};

/* ---- what is there ---- */

static void measure(int dir, const char *name, struct spooled *s)
{
    struct stat st;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return;
    const uint64_t time = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
    s->bytes += (uint64_t)st.st_size;
    s->time_ns = time > s->time_ns ? time : s->time_ns;
}

/* Of the files that are pushed: the others are derived. */
static void measure_trace(const char *path, struct spooled *s)
{
    const int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) {
        measure(AT_FDCWD, path, s);
        return;
    }
    measure(dir, TRACE_DATA_FILE, s);
    measure(dir, TRACE_RUN_FILE, s);
    (void)close(dir);
}

static struct spooled *find(struct watch *w, const char *path)
{
    for (size_t i = 0; i < w->traces.count; i++)
        if (strcmp(w->traces.items[i].path, path) == 0)
            return &w->traces.items[i];
    return NULL;
}

/* A trace that is new, or has changed, waits. False: out of memory. */
static bool see(struct watch *w, const char *path)
{
    struct spooled now = { .there = true }, *known = find(w, path);
    measure_trace(path, &now);
    if (known == NULL) {
        if ((now.path = strdup(path)) == NULL || (known = vec_push(&w->traces)) == NULL) {
            free(now.path);
            return false;
        }
        *known = now;
        return true;
    }
    known->same = known->bytes == now.bytes && known->time_ns == now.time_ns;
    if (!known->same)
        known->state = WAITS;
    known->bytes = now.bytes;
    known->time_ns = now.time_ns;
    known->there = true;
    return true;
}

static int by_time(const void *a, const void *b)
{
    const struct spooled *x = a, *y = b;
    return x->time_ns != y->time_ns ? (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns) : strcmp(x->path, y->path);
}

/* Traces that are gone are forgotten; the others are in the order in which they came. */
static bool look(struct watch *w)
{
    fleet_paths paths = { 0 };
    bool room = true;
    size_t kept = 0;
    for (size_t i = 0; i < w->traces.count; i++)
        w->traces.items[i].there = false;
    room = fleet_traces_below(&paths, w->dir);
    for (size_t i = 0; room && i < paths.count; i++)
        room = see(w, paths.items[i]);
    fleet_paths_done(&paths);
    for (size_t i = 0; i < w->traces.count; i++)
        if (w->traces.items[i].there)
            w->traces.items[kept++] = w->traces.items[i];
        else
            free(w->traces.items[i].path);
    w->traces.count = kept;
    if (kept > 0)
        qsort(w->traces.items, kept, sizeof *w->traces.items, by_time);
    return room;
}

/* ---- what is removed ---- */

/* A trace that is pushed gets such a name, under which no look finds it, before its files go: one that was killed in
 * between leaves no half of a trace, and the next one ends it. */
#define REMOVED ".hindsight-removed."

/* What else is in the directory stays, and so does it. */
static void remove_files(int at, const char *name)
{
    const int dir = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *d = dir >= 0 ? fdopendir(dir) : NULL;
    if (d == NULL) {
        (void)unlinkat(at, name, 0);
        return;
    }
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        (void)unlinkat(dir, e->d_name, 0);
    (void)closedir(d);
    (void)unlinkat(at, name, AT_REMOVEDIR);
}

/* Those that a watch was killed in. */
static void remove_rest(const char *spool)
{
    DIR *d = opendir(spool);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (strncmp(e->d_name, REMOVED, strlen(REMOVED)) == 0)
            remove_files(dirfd(d), e->d_name);
    if (d != NULL)
        (void)closedir(d);
}

static void remove_trace(const char *spool, const char *path)
{
    char gone[NAME_MAX + 1];
    const char *slash = strrchr(path, '/');
    const int dir = open(spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0 && slash != NULL && snprintf(gone, sizeof gone, REMOVED "%s", slash + 1) < (int)sizeof gone &&
        renameat(dir, slash + 1, dir, gone) == 0)
        remove_files(dir, gone);
    else
        remove_files(AT_FDCWD, path);
    if (dir >= 0)
        (void)close(dir);
}

/* ---- what is done with it ---- */

/* The fleet is away: said once for each reason. */
static void say_away(struct watch *w, const struct error *err)
{
    if (err->status == ERR_USAGE)
        w->wrong = true;
    if (strcmp(w->said, err->text) != 0 && !interrupt_seen())
        (void)cli_fail(EXIT_FAILED, w->context, "%s: the traces wait: %s", w->where, err->text);
    (void)snprintf(w->said, sizeof w->said, "%s", err->text);
}

/* False: the fleet is away. */
static bool push(struct watch *w, struct spooled *s)
{
    struct error err = { 0 };
    int status = EXIT_DONE;
    switch (fleet_push_spooled(w->context, w->args, w->where, s->path, &status, &err)) {
    case PUSH_DONE:
        s->state = DONE;
        w->said[0] = '\0';
        if (w->args->remove)
            remove_trace(w->dir, s->path);
        break;
    case PUSH_RUNNING: break;
    case PUSH_REFUSED: /* it is said */
        s->state = REFUSED;
        w->status = w->status == EXIT_DONE ? status : w->status;
        break;
    case PUSH_AWAY: say_away(w, &err); return false;
    }
    return true;
}

static bool push_all(struct watch *w, bool changed_too)
{
    for (size_t i = 0; i < w->traces.count && !interrupt_seen(); i++) {
        struct spooled *s = &w->traces.items[i];
        if (s->state == WAITS && (s->same || changed_too) && !push(w, s))
            return false;
    }
    return true;
}

/* --max-bytes: the oldest of those that wait are given up. */
static void give_up(struct watch *w, uint64_t most)
{
    uint64_t all = 0;
    for (size_t i = 0; i < w->traces.count; i++)
        all += w->traces.items[i].state == WAITS ? w->traces.items[i].bytes : 0;
    for (size_t i = 0; i < w->traces.count && all > most; i++) {
        struct spooled *s = &w->traces.items[i];
        if (s->state != WAITS || !s->same)
            continue;
        (void)cli_fail(EXIT_FAILED, w->context, "%s: removed, not pushed: more than --max-bytes waits", s->path);
        remove_trace(w->dir, s->path);
        all -= s->bytes;
    }
}

/* False, and said: it is none, or is gone. */
static bool is_folder(struct watch *w)
{
    struct stat st;
    if (stat(w->dir, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    w->status = cli_fail(EXIT_FAILED, w->context, "%s: %s", w->dir, errno == ENOENT ? strerror(errno) : "not a folder");
    return false;
}

static void wait_s(uint64_t seconds)
{
    const struct timespec tick = { .tv_nsec = 100000000 };
    for (uint64_t i = 0; i < 10 * seconds && !interrupt_seen(); i++)
        (void)nanosleep(&tick, NULL);
}

int fleet_watch(struct context *context, const struct fleet_args *a, const char *where)
{
    struct watch w = { .context = context, .args = a, .dir = a->common.arguments[1], .where = where };
    uint64_t every = EVERY_S, most = UINT64_MAX, pause;
    bool room = true;
    if (a->common.argument_count != 2)
        return cli_fail(EXIT_USAGE, context, "watch wants one folder of traces");
    if (!fleet_labels_are(&a->labels))
        return cli_fail(EXIT_USAGE, context, "watch: --label wants KEY=VALUE");
    if (a->every != NULL && (!fleet_age(a->every, &every) || every == 0))
        return cli_fail(EXIT_USAGE, context, "--every wants a number with s, m, h, d or w, not '%s'", a->every);
    if (a->max_bytes != NULL && !fleet_size(a->max_bytes, &most))
        return cli_fail(EXIT_USAGE, context, "--max-bytes wants a number, with k, M, G or T behind it, not '%s'",
                        a->max_bytes);
    interrupt_catch();
    interrupt_catch_ends();
    pause = every;
    if (a->remove || a->max_bytes != NULL)
        remove_rest(w.dir);
    while (!w.wrong && is_folder(&w) && (room = look(&w))) {
        const bool there = push_all(&w, a->once);
        if (a->once || interrupt_seen())
            break;
        if (!there)
            give_up(&w, most);
        pause = there ? every : pause * 2 < AWAY_S_MAX ? pause * 2 : AWAY_S_MAX;
        wait_s(pause);
    }
    for (size_t i = 0; i < w.traces.count; i++)
        free(w.traces.items[i].path);
    vec_free(&w.traces);
    if (!room)
        return cli_fail(EXIT_FAILED, context, "out of memory");
    if (interrupt_seen())
        return interrupt_status();
    if (w.wrong)
        return EXIT_USAGE;
    return w.said[0] != '\0' ? EXIT_FAILED : w.status;
}
