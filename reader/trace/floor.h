/* floor.h - inside trace/: binary search in tables that are sorted by a number. */
#ifndef READER_FLOOR_H
#define READER_FLOOR_H

#include <stddef.h>

/* Position of the last item whose field is <= `want`, or -1: for tables sorted by an uint32_t field. */
#define FLOOR_OF(result, items, n, field_of, want)                                                                     \
    do {                                                                                                               \
        size_t low_ = 0, high_ = (n);                                                                                  \
        while (low_ < high_) {                                                                                         \
            size_t mid_ = low_ + (high_ - low_) / 2;                                                                   \
            if (field_of((items)[mid_]) <= (want))                                                                     \
                low_ = mid_ + 1;                                                                                       \
            else                                                                                                       \
                high_ = mid_;                                                                                          \
        }                                                                                                              \
        (result) = (ptrdiff_t)low_ - 1;                                                                                \
    } while (0)

#endif
