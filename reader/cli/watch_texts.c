/* watch_texts.c - see watch_texts.h. */
#include "reader/cli/watch_texts.h"

#include <stdlib.h>
#include <string.h>

struct text_count *watch_texts_add(struct watch_texts *w, const char *text, uint64_t seq, bool *is_new)
{
    const size_t size = strlen(text) + 1;
    uint64_t key = map_hash(text, size);
    struct text_entry *entry;
    *is_new = false;
    for (; (entry = map_get(&w->by_hash, key)) != NULL; key = map_next_hash(key))
        if (strcmp(entry->counted->text, text) == 0) {
            entry->counted->times++;
            entry->counted->last = seq;
            return entry->counted;
        }
    if (w->arena.bytes + size > TEXTS_BYTES_MAX)
        return NULL;
    struct text_count *made = arena_get(&w->arena, sizeof *made);
    char *copy = arena_chars(&w->arena, size);
    if (made == NULL || copy == NULL || (entry = map_put(&w->by_hash, key)) == NULL)
        return NULL;
    *made = (struct text_count){ memcpy(copy, text, size), 1, seq, seq };
    entry->counted = made;
    *is_new = true;
    return made;
}

static int most_first(const void *a, const void *b)
{
    const struct text_count *x = *(struct text_count *const *)a, *y = *(struct text_count *const *)b;
    return x->times != y->times ? (x->times < y->times) - (x->times > y->times)
                                : (x->first > y->first) - (x->first < y->first);
}

struct text_count **watch_texts_sorted(const struct watch_texts *w)
{
    struct text_count **all = calloc(w->by_hash.count + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; all != NULL && i < w->by_hash.cap; i++)
        if (w->by_hash.slots[i].key != 0)
            all[n++] = w->by_hash.slots[i].counted;
    if (n > 1)
        qsort(all, n, sizeof *all, most_first);
    return all;
}

void watch_texts_done(struct watch_texts *w)
{
    map_free(&w->by_hash);
    arena_done(&w->arena);
}
