/* chunk_names.c - the data ID columns of a chunk with CHUNK_NAMED: those of named events, each predicted by another
 * data ID, `from`: what followed that one the last time in this chunk, else chunk_name.first. */
#include "formats/chunk_parts.h"

/* Where what followed a data ID stands; a cell is shared by many. */
static inline uint32_t *cell_of(struct chunk_tables *t, uint32_t from)
{
    return &t->followers[from * UINT64_C(0x9e3779b97f4a7c15) >> (64 - FOLLOWER_BITS)];
}

static inline void set_cell(struct chunk_tables *t, uint32_t *cell, uint32_t id)
{
    touch(&t->followers_touched, (uint64_t)(cell - t->followers), *cell == 0);
    *cell = id + 1;
}

static void clear_followers(struct chunk_tables *t)
{
    struct touched *d = &t->followers_touched;
    if (d->count == TOUCHED_MANY)
        memset(t->followers, 0, sizeof t->followers);
    for (uint32_t i = 0; i < d->count && d->count < TOUCHED_MANY; i++)
        t->followers[d->cells[i]] = 0;
    d->count = 0;
}

static inline uint32_t guess(const uint32_t *cell, uint32_t first) { return *cell != 0 ? *cell - 1 : first; }

static void put_name(struct chunk_tables *t, const struct chunk_name *n, uint32_t id, uint32_t number, uint64_t *word,
                     struct column *columns)
{
    uint32_t *cell = cell_of(t, n->from);
    if (number > 0 && number % 64 == 0) {
        column_put_word(&columns[COL_ID_BITS], *word);
        *word = 0;
    }
    if (guess(cell, n->first) != id) {
        *word |= UINT64_C(1) << number % 64;
        column_put_varint(&columns[COL_ID_MISSES], zigzag((uint64_t)id - n->from));
    }
    set_cell(t, cell, id);
}

bool names_encode(struct chunk_tables *t, const struct chunk_columns *in, const chunk_name_vec *names,
                  uint32_t *value_count, struct column *columns)
{
    uint32_t placed = 0, named = 0;
    uint64_t word = 0;
    clear_followers(t);
    for (uint32_t i = 0; i < in->count; i++) {
        uint32_t slot = slot_find(t, in->ids[i]);
        if (slot == SLOT_NONE)
            return false;
        slot_place(t, slot, i, placed);
        placed += t->flags[slot] & SLOT_VALUE;
        if (named < names->count && names->items[named].event == i) {
            put_name(t, &names->items[named], in->ids[i], named, &word, columns);
            named++;
        }
    }
    if (named > 0)
        column_put_word(&columns[COL_ID_BITS], word);
    *value_count = placed;
    return named == names->count;
}

void names_begin(struct chunk_tables *t, struct name_reader *r, const struct column *columns)
{
    clear_followers(t);
    *r = (struct name_reader){ .bits = columns[COL_ID_BITS], .misses = columns[COL_ID_MISSES] };
}

uint64_t names_take(struct chunk_tables *t, struct name_reader *r, uint32_t from, uint32_t first)
{
    uint32_t *cell = cell_of(t, from);
    if (r->left == 0) {
        r->word = column_take_word(&r->bits);
        r->left = 64;
    }
    uint64_t id = guess(cell, first);
    if ((r->word & 1) != 0)
        id = from + unzigzag(column_take_varint(&r->misses));
    r->word >>= 1;
    r->left--;
    set_cell(t, cell, (uint32_t)id);
    return id;
}

bool names_finished(const struct name_reader *r)
{
    return column_finished(&r->bits) && column_finished(&r->misses) && r->word == 0;
}
