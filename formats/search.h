/* search.h - the one binary search of the project.
 *
 *     size_t at;
 *     LOWER_BOUND(at, count, items[at].key < key);     // at: the first for which it is false, or count
 *
 * The condition is true for a first part of the numbers below `count`, and false for the rest. The condition refers to
 * the candidate index as `at`. */
#ifndef FORMATS_SEARCH_H
#define FORMATS_SEARCH_H

#define LOWER_BOUND(at, count, condition) LOWER_BOUND_FROM(at, 0, count, condition)
/* The same between `first` and `count`. */
#define LOWER_BOUND_FROM(at, first, end, condition)                                                                    \
    do {                                                                                                               \
        __typeof__(at) low_ = (first), high_ = (end);                                                                  \
        while (low_ < high_) {                                                                                         \
            (at) = low_ + (high_ - low_) / 2;                                                                          \
            if (condition)                                                                                             \
                low_ = (at) + 1;                                                                                       \
            else                                                                                                       \
                high_ = (at);                                                                                          \
        }                                                                                                              \
        (at) = low_;                                                                                                   \
    } while (0)

#endif
