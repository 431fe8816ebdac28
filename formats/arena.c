/* arena.c - see arena.h. Blocks are 64 KB; larger requests get a block of their own. */
#include "formats/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"

enum { BLOCK_BYTES = 64 * 1024 };

struct arena_block {
    struct arena_block *next;
    max_align_t data[];
};

static struct arena_block *add_block(struct arena *a, size_t size)
{
    if (size > SIZE_MAX - sizeof(struct arena_block))
        return NULL;
    struct arena_block *b = malloc(sizeof *b + size);
    if (b == NULL)
        return NULL;
    b->next = a->blocks;
    a->blocks = b;
    return b;
}

static void *take(struct arena *a, size_t size, size_t align)
{
    size_t skip = a->at == NULL ? 0 : (align - (uintptr_t)a->at % align) % align;
    if (a->at == NULL || skip > a->left || size > a->left - skip) {
        if (size >= BLOCK_BYTES / 4) {
            struct arena_block *own = add_block(a, size);
            a->bytes += own != NULL ? size : 0;
            return own != NULL ? own->data : NULL;
        }
        struct arena_block *b = add_block(a, BLOCK_BYTES);
        if (b == NULL)
            return NULL;
        a->at = (uint8_t *)b->data;
        a->left = BLOCK_BYTES;
        skip = 0;
    }
    void *p = a->at + skip;
    a->at += skip + size;
    a->left -= skip + size;
    a->bytes += size;
    return p;
}

void *arena_get(struct arena *a, size_t size)
{
    void *p = take(a, size, alignof(max_align_t));
    return p != NULL ? memset(p, 0, size) : NULL;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size ? NULL : arena_get(a, count * size);
}

char *arena_chars(struct arena *a, size_t size) { return take(a, size, 1); }

char *arena_text(struct arena *a, struct writer *w)
{
    write_u1(w, 0);
    char *out = w->bad ? NULL : arena_chars(a, w->size);
    if (out != NULL)
        memcpy(out, w->data, w->size);
    writer_free(w);
    return out;
}

void arena_done(struct arena *a)
{
    for (struct arena_block *b = a->blocks, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    *a = (struct arena){ 0 };
}

void arena_clear(struct arena *a)
{
    if (a->blocks == NULL || a->blocks->next != NULL || a->at == NULL) {
        arena_done(a);
        return;
    }
    a->at = (uint8_t *)a->blocks->data;
    a->left = BLOCK_BYTES;
    a->bytes = 0;
}
