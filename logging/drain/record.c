/* record.c - see record.h. A hot path. */
#include "logging/drain/record.h"

#include "formats/roles.h"
#include "logging/aggregate/counter_tables.h"

bool record_decode(const struct record_format *f, uint64_t before, const uint64_t *p, const uint64_t *end,
                   struct record *out)
{
    const uint32_t head = 1u + f->timed + f->numbered;
    const uint8_t *kinds = f->kinds.letters;
    uint32_t id = (uint32_t)*p, count = 0;
    if (id >= f->kinds.count || (uint64_t)(end - p) < head)
        return false;
    out->id = id;
    out->stamp = journal_full_stamp(before, (uint32_t)(*p >> 32));
    out->clock = f->timed ? p[1] : 0;
    out->number = f->numbered ? p[head - 1] : 0;
    out->time = 0;
    p += head;
    out->words = p;
    do {
        const bool has_value = (kinds[id] & (uint8_t)~KIND_JOINED) != KIND_VOID;
        if ((out->mark = f->roles[id] == ROLE_SUPER_MARK))
            break;
        if (has_value && p >= end)
            return false;
        out->values[count++] = has_value ? journal_value(kinds[id], *p) : 0;
        p += has_value;
        id++;
    } while (id < f->kinds.count && (kinds[id] & KIND_JOINED) && count < JOURNAL_RECORD_EVENTS);
    out->count = count;
    out->end = p;
    return true;
}

uint8_t record_shape_of(const uint8_t *letters, const uint8_t *roles, uint32_t first, uint32_t count)
{
    unsigned k = 0, supers = 0;
    for (uint32_t id = first;; id++) {
        if (roles[id] == ROLE_SUPER || roles[id] == ROLE_SUPER_MARK)
            supers |= RECORD_SUPER;
        else if (roles[id] == ROLE_SUPER_DONE)
            supers |= RECORD_SUPER_DONE;
        if (roles[id] == ROLE_SUPER_MARK || ++k >= JOURNAL_RECORD_EVENTS || id + 1 >= count ||
            !(letters[id + 1] & KIND_JOINED))
            return (uint8_t)(k | supers);
    }
}
