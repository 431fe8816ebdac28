/* arena.h - memory that is freed all at once: small pieces out of large blocks. Not for several threads. */
#ifndef FORMATS_ARENA_H
#define FORMATS_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_block;
struct arena {
    struct arena_block *blocks;
    uint8_t *at;
    size_t left;
    size_t bytes; /* handed out */
};

/* `size` bytes aligned for any type, zeroed; NULL when memory is out. */
void *arena_get(struct arena *a, size_t size);
/* `count` items; checks the product. */
void *arena_array(struct arena *a, size_t count, size_t size);
/* Aligned to 1, not zeroed. */
char *arena_chars(struct arena *a, size_t size);
struct writer;
/* The text that was written; frees the writer. NULL: out of memory. */
char *arena_text(struct arena *a, struct writer *w);
void arena_done(struct arena *a);
/* Frees all that was handed out; a block is kept for what comes next, until arena_done. */
void arena_clear(struct arena *a);

#endif
