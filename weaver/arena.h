/* arena.h - memory of one class being woven: given out in pieces, freed in one call. Pieces never move. */
#ifndef WEAVER_ARENA_H
#define WEAVER_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *blocks;
};

/* Zeroed, aligned to 16 bytes; NULL when memory is out. */
void *arena_take(struct arena *a, size_t size);
void arena_done(struct arena *a);

#endif
