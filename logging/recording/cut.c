/* cut.c - see cut.h. */
#include "logging/recording/cut.h"

#include <sys/mman.h>

#include "formats/derived.h"
#include "formats/journal.h"

enum { METHOD_SHIFT = 32 };
#define PLACE_AFTER (UINT64_C(1) << 16)

bool cuts_init(struct cuts *c, uint32_t max)
{
    void *places =
        mmap(NULL, max * sizeof *c->places, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (places == MAP_FAILED)
        return false;
    *c = (struct cuts){ places, max };
    return true;
}

void cuts_add(struct cuts *c, uint32_t id, uint32_t method, unsigned event, uint32_t pc)
{
    if (id < c->max && c->places != NULL)
        c->places[id] = (uint64_t)method << METHOD_SHIFT | (derive_event_after(event) ? PLACE_AFTER : 0) | (uint16_t)pc;
}

uint32_t cuts_find(const struct cuts *c, const uint8_t *kinds, uint32_t count, uint32_t id, uint32_t pc,
                   uint32_t *first)
{
    if (c->places == NULL || id >= count || count > c->max)
        return 0;
    const uint64_t method = c->places[id] >> METHOD_SHIFT;
    uint32_t i = id, last = UINT32_MAX;
    while (i > 0 && c->places[i - 1] >> METHOD_SHIFT == method)
        i--;
    for (; i < count && c->places[i] >> METHOD_SHIFT == method; i++) {
        uint32_t at = (uint16_t)c->places[i];
        if (at < pc || (at == pc && (c->places[i] & PLACE_AFTER) == 0))
            last = i;
    }
    if (last == UINT32_MAX || last + 1 >= count || (kinds[last + 1] & KIND_JOINED) == 0)
        return 0; /* the record ends there: a counter has it */
    for (*first = last; *first > 0 && (kinds[*first] & KIND_JOINED) != 0;)
        --*first;
    return last - *first + 1;
}
