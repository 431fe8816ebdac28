/* arena.c - blocks in a list, the newest first; big pieces get a block of their own. */
#include "weaver/arena.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, HEAD_BYTES = 32 };

struct arena_block {
    struct arena_block *next;
    size_t size, used; /* bytes behind the head */
};
_Static_assert(sizeof(struct arena_block) <= HEAD_BYTES, "head");

void *arena_take(struct arena *a, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    struct arena_block *b = a->blocks;
    if (b == NULL || b->size - b->used < size) {
        size_t room = size > BLOCK_BYTES - HEAD_BYTES ? size : BLOCK_BYTES - HEAD_BYTES;
        if (room > (size_t)-1 - HEAD_BYTES)
            return NULL;
        b = malloc(HEAD_BYTES + room);
        if (b == NULL)
            return NULL;
        *b = (struct arena_block){ a->blocks, room, 0 };
        a->blocks = b;
    }
    void *p = (char *)b + HEAD_BYTES + b->used;
    b->used += size;
    return memset(p, 0, size);
}

void arena_done(struct arena *a)
{
    while (a->blocks != NULL) {
        struct arena_block *b = a->blocks;
        a->blocks = b->next;
        free(b);
    }
}
