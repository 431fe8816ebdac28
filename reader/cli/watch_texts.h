/* watch_texts.h - the texts that a watch gave, each once, with how often it did. */
#ifndef READER_CLI_WATCH_TEXTS_H
#define READER_CLI_WATCH_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/arena.h"
#include "formats/map.h"

enum { TEXTS_BYTES_MAX = 128 << 20 }; /* of all texts together */
struct text_count {
    const char *text; /* NULL: of all rows */
    uint64_t times, first, last;
};
struct watch_texts {
    struct arena arena;
    MAP(struct text_entry {
        uint64_t key;
        struct text_count *counted;
    })
    by_hash;
};
/* Counts the text. NULL: there is no room for another one. `*is_new`: it had not been there. */
struct text_count *watch_texts_add(struct watch_texts *w, const char *text, uint64_t seq, bool *is_new);
/* All of them, the most frequent first; the caller frees it. NULL: out of memory. */
struct text_count **watch_texts_sorted(const struct watch_texts *w);
void watch_texts_done(struct watch_texts *w);

#endif
