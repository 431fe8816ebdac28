/* pendinglog.c - see pendinglog.h. */
#include "logging/store/pendinglog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/limits.h"

enum status pendinglog_open(struct pendinglog *p, const char *path, struct error *err)
{
    *p = (struct pendinglog){ .fd = file_make(AT_FDCWD, path, O_RDWR | O_EXCL | O_APPEND) };
    (void)pthread_mutex_init(&p->mutex, NULL);
    return p->fd >= 0 ? OK : error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
}

/* Keeps the published size at most that of the file. Mutex held. */
static void set_size(struct pendinglog *p, uint64_t size)
{
    p->size = size;
    if (p->published != NULL && !p->failed)
        __atomic_store_n(p->published, size, __ATOMIC_RELEASE);
}

void pendinglog_publish_size(struct pendinglog *p, uint64_t *size)
{
    (void)pthread_mutex_lock(&p->mutex);
    p->published = size;
    set_size(p, p->size);
    (void)pthread_mutex_unlock(&p->mutex);
}

bool pendinglog_add(struct pendinglog *p, const struct writer *rows)
{
    if (rows->bad)
        return false;
    (void)pthread_mutex_lock(&p->mutex);
    if (!p->failed && p->size + rows->size > limit_file_bytes())
        p->failed = EFBIG;
    for (size_t done = 0; done < rows->size && !p->failed;) {
        ssize_t n = write(p->fd, rows->data + done, rows->size - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            p->failed = n == 0 ? ENOSPC : errno;
    }
    set_size(p, p->size + rows->size);
    write_bytes(&p->rows, rows->data, rows->size);
    bool ok = !p->rows.bad;
    if (!ok && !p->failed) /* it takes no more rows: the drain ends the recording and says so */
        p->failed = ENOMEM;
    (void)pthread_mutex_unlock(&p->mutex);
    return ok;
}

bool pendinglog_put(struct pendinglog *p, enum schema_db db, uint64_t key, const struct writer *value)
{
    struct writer w = { 0 };
    struct pending_row row = { .db = db, .key = key, .value = value->data, .size = value->size };
    pending_encode(&row, &w);
    bool ok = !value->bad && pendinglog_add(p, &w);
    writer_free(&w);
    return ok;
}

bool pendinglog_put_info(struct pendinglog *p, const char *key, const char *value)
{
    struct writer w = { 0 };
    struct pending_row row = {
        .db = DB_INFO,
        .text_key = key,
        .text_key_size = strlen(key),
        .value = (const uint8_t *)value,
        .size = strlen(value),
    };
    pending_encode(&row, &w);
    bool ok = pendinglog_add(p, &w);
    writer_free(&w);
    return ok;
}

void pendinglog_take_rows(struct pendinglog *p, struct writer *out)
{
    (void)pthread_mutex_lock(&p->mutex);
    *out = p->rows;
    p->rows = (struct writer){ 0 };
    (void)pthread_mutex_unlock(&p->mutex);
}

void pendinglog_reread(struct pendinglog *p, struct writer *out)
{
    char buffer[65536];
    *out = (struct writer){ 0 };
    (void)pthread_mutex_lock(&p->mutex);
    for (ssize_t n, at = 0; (n = pread(p->fd, buffer, sizeof buffer, at)) > 0; at += n)
        write_bytes(out, buffer, (size_t)n);
    p->rows.size = 0;
    (void)pthread_mutex_unlock(&p->mutex);
}

/* Gives the disk space of the first `bytes` back, whose rows are stored. Mutex held. */
static void make_hole(struct pendinglog *p, uint64_t bytes)
{
    struct writer w = { 0 };
    pending_encode_hole(bytes, &w);
    /* where it is open to append, pwrite(2) appends too */
    if (!w.bad && fcntl(p->fd, F_SETFL, 0) == 0) {
        bool marked = pwrite(p->fd, w.data, w.size, 0) == (ssize_t)w.size;
        if (fcntl(p->fd, F_SETFL, O_APPEND) != 0)
            p->failed = errno;
        if (marked) {
            (void)fallocate(p->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, PENDING_HOLE_BYTES,
                            (off_t)(bytes - PENDING_HOLE_BYTES));
            p->hole = bytes;
        }
    }
    writer_free(&w);
}

void pendinglog_stored(struct pendinglog *p)
{
    enum { HOLE_LEAST = 64 * 1024 };
    (void)pthread_mutex_lock(&p->mutex);
    if (p->rows.size == 0 && p->size > 0) {
        uint64_t size = p->size;
        set_size(p, 0);
        if (ftruncate(p->fd, 0) != 0)
            set_size(p, size);
        else
            p->hole = 0;
    } else if (!p->failed && p->size - p->rows.size > p->hole + HOLE_LEAST) {
        make_hole(p, p->size - p->rows.size);
    }
    (void)pthread_mutex_unlock(&p->mutex);
}

enum status pending_store(struct store *s, const void *rows, size_t size, bool *damaged, struct error *err)
{
    struct reader r = reader_of(rows, size);
    struct pending_row row;
    enum status st = OK;
    enum pending_end end_of_rows = PENDING_ROW;
    while (st == OK && (end_of_rows = pending_decode(&r, &row)) == PENDING_ROW) {
        uint64_t end = 0;
        /* their keys ascend, and stored packs stay: rows stored again could hide others (pack.h) */
        if (schema_packed(row.db))
            st = store_end_of_packs(s, row.db, &end, err);
        if (schema_key_type(row.db) == KEY_TEXT)
            st = store_put_text(s, row.db, row.text_key, row.text_key_size, row.value, row.size, err);
        else if (st == OK && row.key >= end)
            st = store_put(s, row.db, row.key, row.value, row.size, err);
    }
    *damaged = end_of_rows == PENDING_DAMAGED;
    return st;
}
