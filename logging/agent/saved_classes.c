/* saved_classes.c - classes that were woven before: weavecache=DIR and prewoven=DIR (weaver/saved.h).
 *
 * weavecache   one file a class, named after its key. A file is written under a temporary name and renamed, so JVMs
 *              that write the same class do not disturb each other, and whoever reads sees a whole file or none.
 * prewoven     files of `hindsight weave`, one a jar. Their heads are read at the start; a class is found by its bytes
 *              before or after weaving, so the class path may have the original jars or the woven ones.
 *
 * Woven classes are code that the JVM runs: directory and files must belong to this user (prewoven: or to root), and
 * nobody else may write them; symbolic links are not followed. A file that is damaged or of another weaver is not
 * used: the class is woven. Under weave_mutex after the start. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/jvm/cpool.h"
#include "formats/map.h"
#include "logging/agent/agent.h"
#include "weaver/saved.h"

struct place {
    uint64_t hash; /* of the key (formats/map.h) */
    struct saved_key key;
    int fd;
    uint64_t at, size;
};

static struct {
    int cache; /* a directory; -1: none */
    MAP(struct place) prewoven;
    struct saved_counts counts;
} saved = { .cache = -1 };

const struct saved_counts *saved_classes_counts(void) { return &saved.counts; }

static void refuse(const char *option, const char *name, const char *why)
{
    if (saved.counts.refused++ == 0)
        (void)snprintf(saved.counts.refusal, sizeof saved.counts.refusal, "%s: %.64s: %.128s", option, name, why);
}

/* Opens a file or directory that only its owner can write. -1 with `why`; ENOENT leaves it NULL. */
static int open_owned(int dir, const char *name, int flags, bool root_too, struct stat *st, const char **why)
{
    int fd = openat(dir, name, flags | O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *why = NULL;
    if (fd < 0) {
        *why = errno == ENOENT                             ? NULL
               : errno == ELOOP                            ? "it is a symbolic link"
               : errno == ENOTDIR && (flags & O_DIRECTORY) ? "it is a symbolic link or no directory"
                                                           : strerror(errno);
        return -1;
    }
    if (fstat(fd, st) != 0)
        *why = strerror(errno);
    else if ((flags & O_DIRECTORY) == 0 && !S_ISREG(st->st_mode))
        *why = "it is not a regular file";
    else if (st->st_uid != geteuid() && !(root_too && st->st_uid == 0))
        *why = "it belongs to another user";
    else if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0)
        *why = "other users may write it";
    if (*why == NULL)
        return fd;
    (void)close(fd);
    return -1;
}

/* Reads `size` bytes, which are known to be in the file. */
static bool read_part(int fd, uint64_t at, uint64_t size, struct writer *w)
{
    if (!writer_reserve(w, size))
        return false;
    while (w->size < size) {
        ssize_t n = pread(fd, w->data + w->size, size - w->size, (off_t)(at + w->size));
        if (n <= 0)
            return false;
        w->size += (size_t)n;
    }
    return true;
}

/* ---- prewoven= ---- */

static const struct place *find(const struct saved_key *key)
{
    const struct place *p;
    for (uint64_t hash = map_hash(key, sizeof *key); (p = map_get(&saved.prewoven, hash)) != NULL;
         hash = map_next_hash(hash))
        if (memcmp(&p->key, key, sizeof *key) == 0)
            return p;
    return NULL;
}

static bool add(const struct saved_key *key, int fd, uint64_t at, uint64_t size)
{
    uint64_t hash = map_hash(key, sizeof *key);
    const struct place *have;
    for (; (have = map_get(&saved.prewoven, hash)) != NULL; hash = map_next_hash(hash))
        if (memcmp(&have->key, key, sizeof *key) == 0)
            return true;
    struct place *p = map_put(&saved.prewoven, hash);
    if (p == NULL)
        return false;
    p->key = *key;
    p->fd = fd;
    p->at = at;
    p->size = size;
    return true;
}

static bool refuse_prewoven(const char *name, const char *why, struct error *err)
{
    return error_set(err, ERR_USAGE, "option prewoven=%.200s: %s%s%.200s", agent.options.prewoven, name,
                     name[0] != '\0' ? ": " : "", why) == OK;
}

/* What of the options decides whether a class of prewoven= fits. */
static struct weave_config config_of_options(void)
{
    return (struct weave_config){ .groups = agent.options.groups,
                                  .order_total = agent.options.order_total,
                                  .skip_generated = agent.options.skip_generated,
                                  .fold_trivial = agent.options.fold_trivial,
                                  .left_out = agent.options.percall > 0,
                                  .asked = true };
}

/* Reads the heads of a file, which stays open. */
static bool add_file(int dir, const char *name, struct error *err)
{
    const struct weave_config config = config_of_options();
    struct stat st;
    struct error bad;
    const char *why;
    int fd = open_owned(dir, name, 0, true, &st, &why);
    if (fd < 0)
        return refuse_prewoven(name, why != NULL ? why : strerror(errno), err);
    for (uint64_t at = 0, size = (uint64_t)st.st_size; at < size;) {
        uint8_t bytes[SAVED_HEAD_BYTES];
        struct saved_head head;
        if (size - at < sizeof bytes || pread(fd, bytes, sizeof bytes, (off_t)at) != (ssize_t)sizeof bytes)
            return refuse_prewoven(name, "it is cut off", err);
        if (saved_head_decode(bytes, &head, &bad) != OK)
            return refuse_prewoven(name, bad.text, err);
        if (!saved_fits(&head, &config, true))
            return refuse_prewoven(
                name,
                "it was woven with other options; weave= must be as it was there, without order=total and skip=", err);
        if (head.size > size - at - sizeof bytes)
            return refuse_prewoven(name, "it is cut off", err);
        if (!add(&head.original, fd, at, sizeof bytes + head.size) ||
            !add(&head.woven, fd, at, sizeof bytes + head.size))
            return error_memory(err, "the classes of prewoven=") == OK;
        at += sizeof bytes + head.size;
    }
    return true;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static bool open_prewoven(const char *path, struct error *err)
{
    struct stat st;
    const char *why;
    int fd = open_owned(AT_FDCWD, path, O_DIRECTORY, true, &st, &why);
    if (fd < 0)
        return refuse_prewoven("", why != NULL ? why : "there is no such directory", err);
    DIR *dir = fdopendir(fd);
    if (dir == NULL) {
        (void)close(fd);
        return refuse_prewoven("", strerror(errno), err);
    }
    bool ok = true, any = false;
    for (const struct dirent *e; ok && (e = readdir(dir)) != NULL;)
        if (ends_with(e->d_name, SAVED_SUFFIX)) {
            any = true;
            ok = add_file(fd, e->d_name, err);
        }
    (void)closedir(dir);
    return ok && (any || refuse_prewoven("", "it has no file *" SAVED_SUFFIX " of `hindsight weave`", err));
}

/* The prewoven class with these bytes, before or after weaving; false: there is none that can be used. */
static bool use_prewoven(const void *bytes, size_t size, const struct weave_config *config, struct weave_result *r,
                         struct text *original)
{
    const struct saved_key key = saved_key_of(bytes, size);
    const struct place *p = saved.prewoven.count > 0 ? find(&key) : NULL;
    struct writer data = { 0 };
    struct text woven;
    struct error err = { 0 };
    if (p == NULL)
        return false;
    const char *why = read_part(p->fd, p->at, p->size, &data) ? NULL : "it cannot be read";
    if (why == NULL && saved_decode(config, &data, r, original, &woven, &err) != OK)
        why = err.text;
    writer_free(&data);
    const struct text given = { bytes, size };
    if (why == NULL && (text_equal(*original, given) || text_equal(woven, given)))
        return true;
    refuse("prewoven", "a class", why != NULL ? why : "it is of another class");
    weave_result_done(r);
    *r = (struct weave_result){ 0 };
    return false;
}

/* ---- weavecache= ---- */

static bool open_cache(const char *path, struct error *err)
{
    struct stat st;
    const char *why;
    if (!dir_make(AT_FDCWD, path) && errno != EEXIST)
        return error_set(err, ERR_IO, "option weavecache=%.200s: %s", path, strerror(errno)) == OK;
    saved.cache = open_owned(AT_FDCWD, path, O_DIRECTORY, false, &st, &why);
    if (saved.cache >= 0 && faccessat(saved.cache, ".", W_OK | X_OK, AT_EACCESS) != 0)
        why = strerror(errno);
    return why == NULL ||
           error_set(err, ERR_IO, "option weavecache=%.200s: %s; accepted is a directory of your own", path, why) == OK;
}

static bool use_cached(const char *name, const void *bytes, size_t size, const struct weave_config *config,
                       struct weave_result *r)
{
    struct writer data = { 0 };
    struct text original, woven;
    struct stat st;
    struct error err = { 0 };
    const char *why;
    int fd = open_owned(saved.cache, name, 0, false, &st, &why);
    if (fd < 0 && why == NULL)
        return false;
    if (fd >= 0 && !read_part(fd, 0, (uint64_t)st.st_size, &data))
        why = "it cannot be read";
    if (fd >= 0)
        (void)close(fd);
    if (why == NULL && saved_decode(config, &data, r, &original, &woven, &err) != OK)
        why = err.text;
    writer_free(&data);
    if (why == NULL && text_equal(original, (struct text){ bytes, size }))
        return true;
    refuse("weavecache", name, why != NULL ? why : "it is of another class");
    weave_result_done(r);
    *r = (struct weave_result){ 0 };
    return false;
}

/* A failure is not reported: the next run weaves the class again. */
static void keep(const char *name, const void *bytes, size_t size, const struct weave_config *config,
                 const struct weave_result *r)
{
    struct writer data = { 0 };
    struct timespec now;
    char temporary[2 * SAVED_KEY_BYTES + 64];
    if (!saved_encode(config, bytes, size, r, &data)) {
        writer_free(&data);
        return;
    }
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(temporary, sizeof temporary, "%s.%d.%ld", name, (int)getpid(), now.tv_nsec);
    int fd = file_make(saved.cache, temporary, O_WRONLY | O_EXCL);
    bool whole = fd >= 0 && file_write(fd, data.data, data.size);
    whole = fd >= 0 && close(fd) == 0 && whole;
    if (whole && renameat(saved.cache, temporary, saved.cache, name) == 0)
        saved.counts.made++;
    else if (fd >= 0)
        (void)unlinkat(saved.cache, temporary, 0);
    writer_free(&data);
}

/* ---- both ---- */

static void put_count(const char *key, uint32_t count)
{
    char number[16];
    (void)snprintf(number, sizeof number, "%u", count);
    (void)pendinglog_put_info(&agent.recorder.pending, key, number);
}

void saved_classes_put_counts(void)
{
    if (saved.cache < 0 && saved.prewoven.count == 0)
        return;
    (void)pthread_mutex_lock(&agent.weave_mutex);
    put_count("saved_used", saved.counts.used);
    put_count("saved_made", saved.counts.made);
    put_count("saved_refused", saved.counts.refused);
    if (saved.counts.refused > 0)
        (void)pendinglog_put_info(&agent.recorder.pending, "saved_refusal", saved.counts.refusal);
    (void)pthread_mutex_unlock(&agent.weave_mutex);
}

bool saved_classes_open(struct error *err)
{
    const struct options *o = &agent.options;
    return (o->prewoven[0] == '\0' || open_prewoven(o->prewoven, err)) &&
           (o->weavecache[0] == '\0' || open_cache(o->weavecache, err));
}

bool saved_classes_have_hooks(const void *bytes, size_t size)
{
    return memmem(bytes, size, HOOK_CLASS, sizeof HOOK_CLASS - 1) != NULL; /* in its constant pool */
}

bool saved_classes_restore(const void *bytes, size_t size, struct weave_result *r, struct text *original)
{
    const struct weave_config config = config_of_options();
    return saved.prewoven.count > 0 && saved_classes_have_hooks(bytes, size) &&
           use_prewoven(bytes, size, &config, r, original);
}

static enum status weave_verified(const void *bytes, size_t size, const struct weave_config *config,
                                  struct weave_result *r, struct error *err)
{
    enum status s = weave_class(bytes, size, config, r, err);
    return s == OK ? verified_woven(r, false, err) : s;
}

enum status saved_classes_weave(const void *bytes, size_t size, struct weave_config *config, struct weave_result *r,
                                struct text *original, struct error *err)
{
    char name[2 * SAVED_KEY_BYTES + 1 + sizeof SAVED_SUFFIX];
    if (use_prewoven(bytes, size, config, r, original)) {
        saved.counts.used++;
        return verified_woven(r, true, err);
    }
    *original = (struct text){ bytes, size };
    if (saved_classes_have_hooks(bytes, size))
        return error_set(err, ERR_FORMAT, "it has hooks already: was it woven before? Give prewoven= its directory");
    if (saved.cache < 0)
        return weave_verified(bytes, size, config, r, err);
    saved_name(config, bytes, size, name);
    memcpy(name + 2 * SAVED_KEY_BYTES, SAVED_SUFFIX, sizeof SAVED_SUFFIX);
    if (use_cached(name, bytes, size, config, r)) {
        saved.counts.used++;
        return verified_woven(r, true, err);
    }
    config->relocatable = true;
    enum status s = weave_verified(bytes, size, config, r, err);
    if (s == OK && saved_is_reduced(r)) { /* the events must be those of a run without a cache */
        config->relocatable = false;
        weave_result_done(r);
        return weave_verified(bytes, size, config, r, err);
    }
    if (s == OK)
        keep(name, bytes, size, config, r);
    return s;
}
