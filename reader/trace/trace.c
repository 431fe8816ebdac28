/* trace.c - opening a trace, its info table, and the small helpers that every file of the library needs.
 *
 * Opening reads what each question needs (info, kinds, chunk directory, threads, types: a few hundred KB for a hundred
 * million events) inside one read transaction, so that all of it is one snapshot. Classes, data IDs and objects come on
 * demand: they are only ever added to, never changed, so a later snapshot fits. */
#include "reader/code/bytecode.h"
#include "reader/index/index.h"
#include "reader/query/state.h"
#include "reader/trace/internal.h"

#include <dirent.h>
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
    if (to != NULL) {
        to->code = (int)from->status;
        (void)snprintf(to->text, sizeof to->text, "%s", from->text);
    }
    return -1;
}

void trace_damaged(hs_trace *t, const struct error *err)
{
    if (t->damage == NULL)
        t->damage = strdup(err->text);
}

const char *hs_damage(const hs_trace *trace)
{
    return trace->damage != NULL ? trace->damage : trace->env.damage[0] != '\0' ? trace->env.damage : NULL;
}

const char *trace_text(hs_trace *t, struct text s, bool dots)
{
    size_t nuls = 0;
    for (size_t i = 0; i < s.size; i++)
        nuls += s.data[i] == '\0';
    char *copy = arena_chars(&t->arena, s.size + nuls + 1), *at = copy;
    if (copy == NULL)
        return NULL;
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

typedef enum status decode_fn(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                              unsigned want, struct chunk_columns *out, struct error *err);

static enum status decode(hs_trace *t, struct chunk_decoder *d, decode_fn *fn, const struct chunk_ref *c, unsigned want,
                          struct chunk_columns *out, struct error *err)
{
    struct text blob;
    struct error why;
    struct chunk_columns columns;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_get(&t->env, DB_CHUNK, c->number, &blob, &why);
    if (st == ERR_NOT_FOUND)
        st = error_set(&why, ERR_FORMAT, "it is in the directory but not stored");
    if (st == OK)
        st = fn(d, (struct kind_table){ t->kinds, t->kind_count }, blob.data, blob.size, want, &columns, &why);
    if (st == OK && columns.count != c->count)
        st = error_set(&why, ERR_FORMAT, "it has %u events, the directory says %u", columns.count, c->count);
    env_end(&t->env);
    if (st == ERR_NOT_FOUND)
        return st;
    if (st != OK)
        return error_set(err, why.status, "%s: chunk %llu: %s", t->dir, (unsigned long long)c->number, why.text);
    /* order.c relies on stamps that never go back within a thread and lie in the directory's range */
    for (uint32_t i = 0; columns.stamps != NULL && i < columns.count; i++) {
        if (columns.stamps[i] >= c->first_stamp)
            break;
        columns.stamps[i] = c->first_stamp;
    }
    *out = columns;
    return OK;
}

enum status trace_decode(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                         struct chunk_columns *out, struct error *err)
{
    return decode(t, d, chunk_decode, c, want, out, err);
}

enum status trace_decode_more(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                              struct chunk_columns *out, struct error *err)
{
    return decode(t, d, chunk_decode_more, c, want, out, err);
}

static enum status info_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct info_pair *pair = vec_push(&t->info);
    if (pair == NULL || (pair->key = trace_text(t, key, false)) == NULL ||
        (pair->value = trace_text(t, value, false)) == NULL)
        return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
    return OK;
}

static enum status load(hs_trace *t, struct error *err)
{
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_each(&t->env, DB_INFO, info_row, t, err);
    const char *version = st == OK ? hs_info(t, "version") : NULL;
    if (st == OK && (!t->env.has[DB_INFO] || version == NULL))
        st = error_set(err, ERR_FORMAT, "%s: is not a trace: it has no version", t->dir);
    else if (st == OK && strtoul(version, NULL, 10) != SCHEMA_VERSION)
        st = error_set(err, ERR_UNSUPPORTED, "%s: is of version %s, this program reads version %d", t->dir, version,
                       SCHEMA_VERSION);
    if (st == OK)
        st = tables_load(t, err);
    if (st == OK)
        st = marks_load(t, err);
    if (st == OK)
        st = windows_load(t, err);
    env_end(&t->env);
    return st;
}

int hs_open(const char *dir, hs_trace **out, struct hs_error *error)
{
    struct error err;
    enum status st = ERR_MEMORY;
    hs_trace *t = calloc(1, sizeof *t);
    if (t == NULL || (t->dir = strdup(dir)) == NULL || (t->decoder = chunk_decoder_new()) == NULL)
        (void)error_set(&err, ERR_MEMORY, "%s: out of memory", dir);
    else if ((st = env_open(&t->env, dir, &err)) == OK)
        st = load(t, &err);
    if (st != OK) {
        hs_close(t);
        return give(error, &err);
    }
    *out = t;
    return 0;
}

void hs_close(hs_trace *t)
{
    if (t == NULL)
        return;
    state_done(t);
    sites_done(t);
    lineage_done(t);
    codes_done(t);
    index_done(t);
    replay_forget(t);
    effects_done(t);
    positions_done(t);
    objects_done(t);
    marks_done(t);
    windows_done(t);
    tables_done(t);
    vec_free(&t->info);
    if (t->decoder != NULL)
        chunk_decoder_free(t->decoder);
    env_close(&t->env);
    arena_done(&t->arena);
    free(t->damage);
    free(t->dir);
    free(t);
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

/* Room on the disk, not lengths: the journal of a living recording is a sparse file. */
static uint64_t bytes_below(int dir_fd, const char *name, unsigned depth)
{
    enum { DEPTH_MAX = 16, BLOCK = 512 };
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    uint64_t sum = 0;
    struct dirent *e;
    struct stat info;
    while (d != NULL && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            (depth == 0 && trace_file_is(e->d_name, LIFE_DERIVED)))
            continue;
        if (fstatat(fd, e->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            sum += depth < DEPTH_MAX ? bytes_below(fd, e->d_name, depth + 1) : 0;
        else if (S_ISREG(info.st_mode))
            sum += (uint64_t)info.st_blocks * BLOCK;
    }
    if (d != NULL)
        (void)closedir(d);
    return sum;
}

uint64_t hs_disk_bytes(const hs_trace *t) { return bytes_below(AT_FDCWD, t->dir, 0); }
