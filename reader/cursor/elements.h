/* elements.h - the kind of an event whose chunk is decoded: elements.c. */
#ifndef READER_ELEMENTS_H
#define READER_ELEMENTS_H

#include "reader/cursor/cursor.h"

/* What a cursor has found last, by data ID and by array. Zero is nothing. */
enum { ELEMENT_MEMOS = 64 };
struct element_memos {
    struct {
        uint32_t value, before; /* data IDs + 1, of an event and of that two before it */
        bool is_element;
    } pairs[ELEMENT_MEMOS];
    struct {
        uint64_t array;
        char kind;
    } arrays[ELEMENT_MEMOS];
};

/* element_kind_of, for an event that has kind BYTE. `ids` and `values` point at it in the columns of its chunk, which
 * have so many events before it. */
char element_kind_in(hs_trace *t, struct element_memos *memos, const struct hs_event *e, const uint32_t *ids,
                     const uint64_t *values, uint64_t before);

#endif
