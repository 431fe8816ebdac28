/* merged.c - see merged.h. */
#include "reader/fleet/merged.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "formats/files.h"
#include "reader/command/interrupt.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/dirs.h"

enum { TEXT_MAX_BYTES = 64 << 20, OLD_PART_S = 3600, LOCK_TRIES = 600, NAME_CHARS = RUN_ID_CHARS + 32 };

/* ---- one file of tables/ ---- */

/* Whoever owns the folder of a fleet can change all of it anyway. */
static bool is_believed(const struct merged *m, const struct stat *file)
{
    struct stat st;
    return file->st_uid == 0 || file->st_uid == geteuid() ||
           (fstat(m->place->folder.dir, &st) == 0 && file->st_uid == st.st_uid);
}

static enum status open_in_folder(const struct merged *m, const char *part, const char *name, int *fd,
                                  struct error *err)
{
    struct stat st;
    int dir = part[0] != '\0' && m->dir >= 0 ? open_dir(m->dir, part) : m->dir;
    *fd = open_regular(dir, name, &st);
    const int failed = dir < 0 ? ENOENT : errno;
    if (dir != m->dir)
        (void)closed(&dir);
    if (*fd < 0)
        return error_set(err, failed == ENOENT ? ERR_NOT_FOUND : ERR_FORMAT, "tables/%s/%s: %s", part, name,
                         strerror(failed));
    if (is_believed(m, &st))
        return OK;
    (void)closed(fd);
    return error_set(err, ERR_FORMAT, "tables/%s/%s: another user has written it", part, name);
}

/* From a bucket it is a file that keeps its name until the next one, as SQLite opens it by that. `part` "": of tables/
 * itself. */
static enum status open_table(const struct merged *m, const char *part, const char *name, int *fd, struct error *err)
{
    char object[2 * NAME_CHARS];
    if (!m->place->in_bucket)
        return open_in_folder(m, part, name, fd, err);
    (void)snprintf(object, sizeof object, "%s%s%s", part, part[0] != '\0' ? "/" : "", name);
    (void)unlinkat(m->place->folder.tmp, MERGED_CURRENT, 0);
    *fd = file_make(m->place->folder.tmp, MERGED_CURRENT, O_RDWR | O_CREAT | O_EXCL);
    if (*fd < 0)
        return error_set(err, ERR_IO, "%s: %s", m->place->path, strerror(errno));
    enum status st = bucket_get_table(&m->place->s3, object, *fd, err);
    if (st != OK)
        (void)closed(fd);
    return st;
}

/* All lines of a file; each is given to `each`, without its end, until that refuses it. */
typedef bool line_fn(void *to, char *line);
static enum status read_lines(const struct merged *m, const char *part, const char *name, line_fn *each, void *to,
                              struct error *err)
{
    struct stat st;
    int fd = -1;
    char *text = NULL;
    enum status status = open_table(m, part, name, &fd, err);
    if (status == OK &&
        (fstat(fd, &st) != 0 || st.st_size < 0 || st.st_size > TEXT_MAX_BYTES ||
         (text = calloc(1, (size_t)st.st_size + 1)) == NULL || pread(fd, text, (size_t)st.st_size, 0) != st.st_size))
        status = error_set(err, ERR_FORMAT, "tables/%s/%s: it cannot be read", part, name);
    for (char *line = text, *end; status == OK && *line != '\0'; line = end + 1) {
        if ((end = strchr(line, '\n')) == NULL)
            status = error_set(err, ERR_FORMAT, "tables/%s/%s: it is cut", part, name);
        else if (*end = '\0', !each(to, line))
            status = error_set(err, ERR_FORMAT, "tables/%s/%s: it is none", part, name);
        if (status != OK)
            break;
    }
    free(text);
    (void)closed(&fd);
    return status;
}

/* ---- what there is ---- */

static bool add_part(void *to, char *line)
{
    struct run_id *id = run_id_is(line) ? vec_push((run_ids *)to) : NULL;
    if (id != NULL)
        memcpy(id->text, line, sizeof id->text);
    return id != NULL;
}

/* Whoever may read the directory may also hold the lock. */
static bool lock(int dir)
{
    const struct timespec tick = { .tv_nsec = 100000000 };
    for (unsigned i = 0; flock(dir, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK || i >= LOCK_TRIES || interrupt_seen())
            return false;
        (void)nanosleep(&tick, NULL);
        errno = EWOULDBLOCK;
    }
    return true;
}

enum status merged_open(struct merged *m, struct place *p, bool change, struct error *err)
{
    *m = (struct merged){ .place = p, .dir = -1 };
    if (!p->in_bucket)
        m->dir = open_below(&p->folder, "tables", change);
    if (change && !p->in_bucket && (m->dir < 0 || !lock(m->dir)))
        return interrupt_seen() ? error_set(err, ERR_CANCELLED, "%s", status_text(ERR_CANCELLED))
                                : error_set(err, ERR_IO, "%s/tables: %s", p->folder.path,
                                            errno == EWOULDBLOCK ? "another process writes them" : strerror(errno));
    enum status st = read_lines(m, "", MERGED_CURRENT, add_part, &m->parts, err);
    if (st != OK)
        m->parts.count = 0;
    run_ids_sort(&m->parts);
    return st;
}

void merged_close(struct merged *m)
{
    if (m->place->in_bucket)
        (void)unlinkat(m->place->folder.tmp, MERGED_CURRENT, 0);
    (void)closed(&m->dir);
    vec_free(&m->parts);
}

static bool add_run(void *to, char *line)
{
    unsigned long long bytes, ns;
    char end;
    struct stored_run *run = NULL;
    if (strlen(line) > RUN_ID_CHARS && sscanf(line + RUN_ID_CHARS, " %llu %llu%c", &bytes, &ns, &end) == 2) {
        line[RUN_ID_CHARS] = '\0';
        run = run_id_is(line) ? vec_push((part_runs *)to) : NULL;
    }
    if (run == NULL)
        return false;
    *run = (struct stored_run){ .catalogue_bytes = bytes, .catalogue_ns = ns };
    memcpy(run->id.text, line, sizeof run->id.text);
    return true;
}

enum status merged_runs(struct merged *m, const struct run_id *part, part_runs *out, struct error *err)
{
    return read_lines(m, part->text, MERGED_KNOWN, add_run, out, err);
}

enum status merged_rows(struct merged *m, const struct run_id *part, int *fd, struct error *err)
{
    return open_table(m, part->text, CATALOGUE_FILE, fd, err);
}

/* ---- changes ---- */

enum status merged_put(struct merged *m, struct push *push, const struct run_id *part, struct error *err)
{
    return m->place->in_bucket ? bucket_put_tables(&m->place->s3, part, push->dir, err)
                               : push_into(push, m->dir, part->text, true, err);
}

/* The time of a directory is from when on it was not current. */
static void remove_old(const struct merged *m, const run_ids *current)
{
    struct stat st;
    for (size_t i = 0; i < m->parts.count; i++)
        if (run_ids_find(current, m->parts.items[i].text) == NULL)
            (void)utimensat(m->dir, m->parts.items[i].text, NULL, AT_SYMLINK_NOFOLLOW);
    DIR *d = entries(m->dir);
    for (const struct dirent *e; (e = next_entry(d)) != NULL;)
        if (run_id_is(e->d_name) && run_ids_find(current, e->d_name) == NULL &&
            fstatat(m->dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
            time(NULL) - st.st_mtim.tv_sec > OLD_PART_S)
            (void)remove_files(m->dir, e->d_name);
}

enum status merged_put_current(struct merged *m, struct push *push, const run_ids *parts, struct error *err)
{
    int fd = file_make(push->dir, MERGED_CURRENT, O_WRONLY | O_CREAT | O_EXCL);
    bool done = fd >= 0;
    for (size_t i = 0; done && i < parts->count; i++)
        done = file_write(fd, parts->items[i].text, RUN_ID_CHARS) && file_write(fd, "\n", 1);
    done = done && (m->place->in_bucket || push_sync(push));
    if (fd >= 0)
        done = close(fd) == 0 && done;
    if (done && m->place->in_bucket)
        return bucket_put_current(&m->place->s3, push->dir, &m->parts, parts, err);
    done = done && renameat(push->dir, MERGED_CURRENT, m->dir, MERGED_CURRENT) == 0 && fsync(m->dir) == 0;
    if (done)
        remove_old(m, parts);
    return done ? OK : error_set(err, ERR_IO, "tables/" MERGED_CURRENT ": %s", strerror(errno));
}
