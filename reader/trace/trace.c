/* trace.c - helpers for all files of the library: texts, damage, chunks, attachments. */
#include "reader/trace/open_trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/event.h"
#include "formats/trace_files.h"

const char *hs_status_text(int code) { return status_text((enum status)code); }
const char *hs_event_name(unsigned event) { return event_name(event); }
unsigned hs_event_number(const char *name) { return event_find(name); }

int give(struct hs_error *to, const struct error *from)
{
    if (to == NULL && from->status == ERR_MEMORY)
        error_memory_dropped();
    if (to == NULL || to->size != sizeof *to)
        return -1;
    to->code = (enum hs_status)from->status;
    (void)snprintf(to->text, sizeof to->text, "%s", from->text);
    return -1;
}

void trace_damaged(hs_trace *t, const struct error *err)
{
    if (err->status == ERR_MEMORY)
        trace_no_memory(t);
    if (t->damage != NULL || err->status == ERR_CANCELLED || err->status == ERR_MEMORY)
        return;
    t->damage = strdup(err->text);
    if (t->damage == NULL)
        trace_no_memory(t);
}

void trace_no_memory(hs_trace *t) { t->no_memory = true; }

void hs_set_progress(hs_trace *t, hs_progress_fn *fn, void *context)
{
    t->progress.fn = fn;
    t->progress.context = context;
}

void hs_set_jobs(hs_trace *t, unsigned jobs)
{
    const long processors = jobs == 0 ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    t->jobs = jobs > 0 ? jobs : processors > 0 ? (unsigned)processors : 1;
}

const char *hs_damage(const hs_trace *trace)
{
    if (error_memory_untold())
        trace_no_memory((hs_trace *)(uintptr_t)trace);
    if (trace->no_memory)
        return status_text(ERR_MEMORY);
    return trace->damage != NULL ? trace->damage : trace->env.damage[0] != '\0' ? trace->env.damage : NULL;
}

void trace_attach(hs_trace *t, enum attachment slot, void *what, attachment_free_fn *free)
{
    t->attached[slot] = (struct attached){ what, free };
    t->attached_order[t->attached_count++] = (uint8_t)slot;
}

const char *trace_text_in(hs_trace *t, struct arena *to, struct text s, bool dots)
{
    size_t nuls = 0;
    for (size_t i = 0; i < s.size; i++)
        nuls += s.data[i] == '\0';
    char *copy = arena_chars(to, s.size + nuls + 1), *at = copy;
    if (copy == NULL) {
        trace_no_memory(t);
        return NULL;
    }
    for (size_t i = 0; i < s.size; i++) {
        char c = s.data[i];
        if (c == '\0') {
            *at++ = (char)0xc0;
            c = (char)0x80;
        }
        *at++ = dots && c == '/' ? '.' : c;
    }
    *at = '\0';
    return copy;
}

const char *trace_text(hs_trace *t, struct text s, bool dots) { return trace_text_in(t, &t->arena, s, dots); }

enum status chunk_blob(hs_trace *t, const struct chunk_ref *c, struct text *blob, struct error *err)
{
    enum status st = env_get(&t->env, c->derived ? DB_CHUNKPACK : DB_CHUNK, c->number, blob, err);
    return st == ERR_NOT_FOUND ? error_set(err, ERR_FORMAT, "it is in the directory but not stored") : st;
}

const char *hs_info(const hs_trace *t, const char *key)
{
    for (size_t i = 0; i < t->info.count; i++)
        if (strcmp(t->info.items[i].key, key) == 0)
            return t->info.items[i].value;
    return NULL;
}

const char *hs_dir(const hs_trace *t) { return t->dir; }
uint64_t hs_event_count(const hs_trace *t) { return t->events; }

/* Opens the directory of the trace, which may be a symbolic link, or one below it; NULL: it cannot be read, which is
 * damage unless it has just been removed. */
static DIR *open_below(hs_trace *t, int dir_fd, const char *name, unsigned depth)
{
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth > 0 ? O_NOFOLLOW : 0));
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    int why = errno;
    struct error err;
    if (d != NULL || why == ENOENT)
        return d;
    if (fd >= 0)
        (void)close(fd);
    (void)error_set(&err, why == ENOMEM ? ERR_MEMORY : ERR_IO, "%s: its size is not known: %s", t->dir, strerror(why));
    trace_damaged(t, &err);
    return NULL;
}

/* Allocated blocks, not lengths: the journal of a running recording is a sparse file. */
static uint64_t bytes_below(hs_trace *t, int dir_fd, const char *name, unsigned depth)
{
    enum { DEPTH_MAX = 16, BLOCK = 512 };
    DIR *d = open_below(t, dir_fd, name, depth);
    uint64_t sum = 0;
    struct stat info;
    if (d == NULL)
        return 0;
    int fd = dirfd(d);
    for (;;) {
        const struct dirent *e = readdir(d);
        if (e == NULL)
            break;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            (depth == 0 && trace_file_is(e->d_name, LIFE_DERIVED)))
            continue;
        if (fstatat(fd, e->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            sum += depth < DEPTH_MAX ? bytes_below(t, fd, e->d_name, depth + 1) : 0;
        else if (S_ISREG(info.st_mode))
            sum += (uint64_t)info.st_blocks * BLOCK;
    }
    (void)closedir(d);
    return sum;
}

uint64_t hs_disk_bytes(const hs_trace *t)
{
    hs_trace *notes = (hs_trace *)(uintptr_t)t; /* only its damage is written */
    return t->bundled ? t->bundle.bytes[BUNDLE_DATA] : bytes_below(notes, AT_FDCWD, t->dir, 0);
}
