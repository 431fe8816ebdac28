/* dead_journal.c - see dead_journal.h. */
#include "logging/recording/dead_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum status map_open(struct map *m, const char *dir, const char *name, struct error *err)
{
    char path[4096 + 64];
    struct stat st;
    *m = (struct map){ 0 };
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return OK;
    void *p = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a pipe of that name must not block */
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (ok && st.st_size > 0) {
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        ok = p != MAP_FAILED;
        if (ok)
            *m = (struct map){ p, (size_t)st.st_size };
    }
    int why = errno;
    if (fd >= 0)
        (void)close(fd);
    return ok ? OK : error_set(err, ERR_IO, "%s: %s", path, strerror(why));
}

void map_close(struct map *m)
{
    if (m->data != NULL)
        (void)munmap((void *)(uintptr_t)m->data, m->size);
    *m = (struct map){ 0 };
}

const struct journal_head *dead_journal_head(const struct map *m)
{
    const struct journal_head *h = (const struct journal_head *)m->data;
    if (m->size < JOURNAL_BUFFERS_AT || h->magic != JOURNAL_MAGIC || h->version != JOURNAL_VERSION)
        return NULL;
    return h;
}

static const struct thread_desc *descs_of(const struct map *m)
{
    return (const struct thread_desc *)(m->data + JOURNAL_DESCS_AT);
}

/* Buffers that the file has room for. */
static size_t buffers_there(const struct map *m) { return (m->size - JOURNAL_BUFFERS_AT) / JOURNAL_BUFFER_BYTES; }

static int by_desc_and_sequence(const void *a, const void *b)
{
    const struct buffer_head *x = ((const struct drain_buffer *)a)->head, *y = ((const struct drain_buffer *)b)->head;
    if (x->desc != y->desc)
        return x->desc < y->desc ? -1 : 1;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* Valid bytes of the buffer; 0: none. */
static uint64_t bytes_used(const struct map *m, const struct buffer_head *b)
{
    const struct journal_head *h = dead_journal_head(m);
    uint64_t used = b->used;
    if ((b->state != BUFFER_ACTIVE && b->state != BUFFER_FULL) || b->desc >= JOURNAL_DESCS_MAX)
        return 0;
    if (b->state == BUFFER_ACTIVE)
        used = descs_of(m)[b->desc].pos - (h->base + (uint64_t)((const uint8_t *)b - m->data));
    if (used < sizeof *b || used > JOURNAL_BUFFER_BYTES)
        return 0; /* just begun, or no longer used by its descriptor */
    return used;
}

bool dead_journal_buffers(const struct map *m, drain_buffer_vec *out)
{
    const struct journal_head *h = dead_journal_head(m);
    size_t count = buffers_there(m);
    if (h->buffer_count < count)
        count = h->buffer_count;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = m->data + JOURNAL_BUFFERS_AT + i * JOURNAL_BUFFER_BYTES;
        const struct buffer_head *b = (const struct buffer_head *)at;
        uint64_t used = bytes_used(m, b);
        if (used == 0)
            continue;
        struct drain_buffer *slot = vec_push(out);
        if (slot == NULL)
            return false;
        *slot = (struct drain_buffer){ b, used };
    }
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_desc_and_sequence);
    return true;
}

void recover_lose(struct recover_result *r, unsigned long long count, const char *why)
{
    r->lost += count;
    if (r->note[0] == '\0')
        (void)snprintf(r->note, sizeof r->note, "%s", why);
}

enum status dead_journal_check(const struct map *m, const drain_buffer_vec *buffers, struct batch *b,
                               struct recover_result *out, struct error *err)
{
    const struct journal_head *h = dead_journal_head(m);
    uint32_t count = h->desc_count < JOURNAL_DESCS_MAX ? h->desc_count : JOURNAL_DESCS_MAX;
    if (h->given_up != 0) /* its events are lost, and not all buffers were in the file */
        return OK;
    if (h->buffer_count > buffers_there(m))
        recover_lose(out, 1, "the journal is cut off");
    size_t i = 0;
    for (uint32_t desc = 0; desc < count; desc++) {
        uint64_t position;
        enum status s = b->sink->storage->get_position(&b->output, desc, &position, err);
        if (s != OK)
            return s;
        uint64_t last = position >> 16;
        for (; i < buffers->count && buffers->items[i].head->desc == desc; i++) {
            uint64_t number = buffers->items[i].head->sequence;
            if (number > last + 1)
                recover_lose(out, 1, "buffers of the journal are missing");
            last = number > last ? number : last;
        }
        if (descs_of(m)[desc].sequence > last + 1)
            recover_lose(out, 1, "buffers of the journal are missing");
    }
    if (i < buffers->count)
        recover_lose(out, 1, "buffers of the journal have no descriptor");
    return OK;
}
