/* open.c - opening and closing a trace.
 *
 * Opening reads what every query needs (info, kinds, chunk directory, threads, types: a few hundred KB for a hundred
 * million events) inside one read transaction, so that all of it is one snapshot. Classes, data IDs and objects are
 * read on demand: they are only added to, never changed, so a later snapshot is consistent. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/files.h"
#include "reader/trace/loading.h"

static enum status info_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct info_pair *pair = vec_push(&t->info);
    if (pair != NULL)
        *pair = (struct info_pair){ trace_text(t, key, false), trace_text(t, value, false) };
    if (pair == NULL || pair->key == NULL || pair->value == NULL)
        return error_memory(err, "%s", t->dir);
    return OK;
}

/* Rows come into the store a second after the beginning. */
static bool is_being_recorded(const hs_trace *t)
{
    char path[4096 + sizeof TRACE_JOURNAL_FILE];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s/%s", t->dir, TRACE_JOURNAL_FILE);
    return n > 0 && (size_t)n < sizeof path && lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static enum status check_version(const hs_trace *t, struct error *err)
{
    const char *version = hs_info(t, "version");
    if (version == NULL && is_being_recorded(t))
        return error_set(err, ERR_NOT_FOUND,
                         "%s: nothing of it is stored yet; its recording has just begun, or its JVM is stopped, or was "
                         "killed and `hindsight recover` is to complete it",
                         t->dir);
    if (!t->env.has[DB_INFO] || version == NULL)
        return error_set(err, ERR_FORMAT, "%s: is not a trace, or it is damaged: it has no version", t->dir);
    if (strcmp(version, SCHEMA_VERSION) != 0)
        return error_set(err, ERR_UNSUPPORTED, "%s: is of version %s, this program reads version " SCHEMA_VERSION,
                         t->dir, version);
    return OK;
}

/* Inside a read transaction. */
static enum status load_tables(hs_trace *t, struct error *err)
{
    enum status st = env_each(&t->env, DB_INFO, info_row, t, err);
    if (st != OK)
        return st;
    st = check_version(t, err);
    if (st != OK)
        return st;
    st = tables_load(t, err);
    if (st != OK)
        return st;
    st = dataids_prepare(t, err);
    if (st != OK)
        return st;
    st = marks_load(t, err);
    if (st != OK)
        return st;
    return windows_load(t, err);
}

static enum status load(hs_trace *t, struct error *err)
{
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = load_tables(t, err);
    env_end(&t->env);
    return st;
}

#define OPTIONS_BEFORE_COPIES offsetof(struct hs_open_options, copy_of)

static enum status check_options(unsigned flags, const struct hs_open_options *options, struct error *err)
{
    if ((flags & ~(unsigned)HS_OPEN_READONLY) != 0)
        return error_set(err, ERR_USAGE, "hs_open: unknown flags 0x%x", flags & ~(unsigned)HS_OPEN_READONLY);
    if (options != NULL && options->size != sizeof *options && options->size != OPTIONS_BEFORE_COPIES)
        return error_set(err, ERR_USAGE, "hs_open: options of %zu bytes, this library knows %zu", options->size,
                         sizeof *options);
    return OK;
}

/* A directory, or a file that `hindsight pack` wrote. */
static enum status find_trace(hs_trace *t, const char *dir, struct error *err)
{
    struct stat info;
    if (stat(dir, &info) != 0)
        return error_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", dir, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return OK;
    t->bundled = t->read_only = true;
    return bundle_read(dir, &t->bundle, err);
}

int hs_open(const char *dir, unsigned flags, const struct hs_open_options *options, hs_trace **out,
            struct hs_error *error)
{
    struct error err;
    if (check_options(flags, options, &err) != OK)
        return give(error, &err);
    files_fill_standard(); /* of the program that uses this library */
    hs_trace *t = calloc(1, sizeof *t);
    if (t != NULL) {
        t->read_only = (flags & HS_OPEN_READONLY) != 0;
        t->no_index = options != NULL && options->no_index;
        if (t->no_index)
            t->index_wished = UINT64_MAX; /* prevents the index from being built */
        bool copy = options != NULL && options->size == sizeof *options && options->copy_of != NULL;
        t->dir = strdup(copy ? options->copy_of : dir);
        t->decoder = chunk_decoder_new();
    }
    if (t == NULL || t->dir == NULL || t->decoder == NULL) {
        (void)error_memory(&err, "%s", dir);
        goto failed;
    }
    if (find_trace(t, dir, &err) != OK ||
        env_open(&t->env, dir, t->read_only, t->bundled ? &t->bundle : NULL, &err) != OK || load(t, &err) != OK)
        goto failed;
    *out = t;
    return 0;
failed:
    hs_close(t);
    return give(error, &err);
}

hs_trace *trace_branch(const hs_trace *t)
{
    struct error why;
    hs_trace *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->branch = b->read_only = true;
    b->index_wished = UINT64_MAX;
    b->dir = t->dir;
    b->info = t->info;
    b->kinds = t->kinds;
    b->kind_count = t->kind_count;
    b->kinds_stored = t->kinds_stored;
    b->methods_stored = t->methods_stored;
    b->chunks = t->chunks;
    b->chunk_count = t->chunk_count;
    b->streams = t->streams;
    b->stream_count = t->stream_count;
    b->events = t->events;
    b->threads = t->threads;
    b->types = t->types;
    b->intervals = t->intervals;
    b->periods = t->periods;
    env_share(&b->env, &t->env);
    b->decoder = chunk_decoder_new();
    if (b->decoder != NULL && dataids_prepare(b, &why) == OK)
        return b;
    trace_branch_close(b);
    return NULL;
}

void trace_branch_close(hs_trace *b)
{
    b->dir = NULL; /* what is shared stays */
    memset(&b->info, 0, sizeof b->info);
    b->kinds = NULL;
    memset(&b->threads, 0, sizeof b->threads);
    memset(&b->types, 0, sizeof b->types);
    memset(&b->intervals, 0, sizeof b->intervals);
    memset(&b->periods, 0, sizeof b->periods);
    hs_close(b);
}

void hs_close(hs_trace *t)
{
    if (t == NULL)
        return;
    if (!t->branch && getenv(CHUNKS_SHOWN) != NULL)
        (void)fprintf(stderr, "chunks decoded: %llu\nchunks decoded for stamps: %llu\npages of objects: %llu\n%s",
                      (unsigned long long)t->decoded, (unsigned long long)t->decoded_stamps,
                      (unsigned long long)t->object_pages,
                      t->ahead != NULL ? "closed before a cursor whose threads still decode\n" : "");
    while (t->attached_count > 0) {
        struct attached *last = &t->attached[t->attached_order[--t->attached_count]];
        last->free(last->what);
    }
    marks_done(t);
    windows_done(t);
    dataids_done(t);
    weavings_done(t);
    classes_done(t);
    clock_done(t);
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
