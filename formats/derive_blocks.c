/* derive_blocks.c - see derive_blocks.h. The places of all data IDs of a method are found when one is asked for. */
#include "formats/derive_blocks.h"

void blocks_done(struct blocks *b) { vec_free(&b->places); }

static bool same_method(const struct blocks *b, uint32_t id, uint32_t other)
{
    return b->sites.rows[id] >> SITE_METHOD_SHIFT == b->sites.rows[other] >> SITE_METHOD_SHIFT;
}

static uint32_t first_of(const struct blocks *b, uint32_t id)
{
    while (id > 0 && same_method(b, id - 1, id))
        id--;
    return id;
}

/* Does control that comes from the event before reach it? */
static bool follows(uint32_t row)
{
    switch (row & SITE_ROLE) {
    case SITE_NEVER:
    case SITE_BLOCK_END:
    case SITE_EXPLICIT:
    case SITE_THROWN: return false;
    default: return true;
    }
}

static void find_places(struct blocks *b, uint32_t id)
{
    struct block_place *places = b->places.items;
    uint32_t begin = first_of(b, id), end = begin;
    uint16_t number = 0, first = 1;
    bool ended = false;
    for (; end < b->sites.count && same_method(b, end, begin); end++) {
        uint32_t row = b->sites.rows[end], role = row & SITE_ROLE;
        bool next = follows(row);
        number = (uint16_t)(number + next);
        if (role == SITE_BLOCK || role == SITE_CAUGHT || (ended && next))
            first = number;
        /* what comes behind without a LABEL is dead code, and no part of the block */
        ended = role == SITE_BLOCK_END || role == SITE_EXIT || (ended && !next);
        places[end] = (struct block_place){ number, first, number };
    }
    for (uint32_t i = end - 1; i > begin; i--)
        if (places[i - 1].first == places[i].first)
            places[i - 1].last = places[i].last;
}

const struct block_place *blocks_find(struct blocks *b, uint32_t id)
{
    if (id >= b->sites.count || (id >= b->places.count && !vec_extend(&b->places, b->sites.count)))
        return NULL;
    find_places(b, id);
    return &b->places.items[id];
}

uint32_t blocks_step(struct blocks *b, uint32_t p, uint32_t q, uint32_t steps)
{
    struct block_place from = b->places.items[p], to = b->places.items[q];
    uint32_t id = p, rest = (uint32_t)(from.last - from.number), number = from.number + steps;
    bool straight = blocks_straight(from, to);
    if (!straight && steps > rest) {
        number = to.first + (steps - rest - 1);
        for (id = q; b->places.items[id].number > number || !follows(b->sites.rows[id]);)
            id--;
        return id;
    }
    while (b->places.items[id].number < number)
        id++;
    return id;
}

/* Is it in a record whenever it happens? */
static bool is_recorded(uint32_t row) { return follows(row) && (row & SITE_VALUELESS) == 0; }

/* The last event that may have come behind `from`, on the way to `last`: none of those in between has a record. */
static uint32_t without_record(struct blocks *b, uint32_t from, uint32_t last)
{
    const struct block_place *p = blocks_place(b, from), *q = blocks_place(b, last);
    if (p == NULL || q == NULL)
        return from;
    const bool straight = blocks_straight(*p, *q);
    const uint32_t behind = straight ? q->number : p->last;
    uint32_t came = from;
    for (uint32_t i = from + 1; came < b->sites.count && b->places.items[came].number < behind; i++) {
        if (is_recorded(b->sites.rows[i]))
            return came;
        if (follows(b->sites.rows[i]))
            came = i;
    }
    for (uint32_t i = last; !straight && b->places.items[i].number >= q->first; i--) {
        if (is_recorded(b->sites.rows[i]))
            return from;
        if (i == 0 || !same_method(b, i - 1, i))
            break;
    }
    return last;
}

uint32_t blocks_thrown(struct blocks *b, uint32_t from, uint32_t id, uint32_t pc)
{
    uint32_t i = first_of(b, id), last = i;
    for (; i < b->sites.count && same_method(b, i, last); i++) {
        uint32_t row = b->sites.rows[i];
        if (follows(row) && (b->pcs[i] < pc || (b->pcs[i] == pc && !(row & SITE_AFTER))))
            last = i;
    }
    const struct block_place *p = blocks_place(b, from), *q = blocks_place(b, last);
    /* those of SITE_EXPLICIT have the number of the event before */
    if (p != NULL && q != NULL && same_method(b, from, last) && p->number == q->number)
        return from;
    return without_record(b, from, last);
}
