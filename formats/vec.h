/* vec.h - the one growable array of the project.
 *
 *     VEC(struct insn) insns = { 0 };          // zero is empty
 *     struct insn *in = vec_push(&insns);      // NULL when memory is out or VEC_MAX_BYTES would be passed
 *     vec_extend(&insns, n);                   // at least n items, new ones 0; false: as vec_push
 *     vec_free(&insns);
 *
 * `items` may move with every push. Sizes are checked for overflow. */
#ifndef FORMATS_VEC_H
#define FORMATS_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VEC_MAX_BYTES ((size_t)1 << 40)

#define VEC(type)                                                                                                      \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, cap;                                                                                             \
    }

typedef VEC(uint32_t) u32_vec;
/* For qsort and bsearch. */
static inline int u32_order(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
typedef VEC(uint64_t) u64_vec;

/* Makes room for `want` items in all; false leaves everything as it was. */
static inline bool vec_grow_raw(void **items, size_t *cap, size_t want, size_t size)
{
    if (want <= *cap)
        return true;
    size_t n = *cap < 8 ? 8 : *cap;
    while (n < want) {
        if (n > SIZE_MAX / 2)
            return false;
        n *= 2;
    }
    if (n > VEC_MAX_BYTES / size)
        return false;
    void *p = realloc(*items, n * size);
    if (p == NULL)
        return false;
    *items = p;
    *cap = n;
    return true;
}

/* Makes `want` items exist: new ones are 0. The first ones are not written: pages that nobody uses are none. */
static inline bool vec_extend_raw(void **items, size_t *count, size_t *cap, size_t want, size_t size)
{
    if (want <= *count)
        return true;
    if (*items == NULL) {
        if (want > VEC_MAX_BYTES / size || (*items = calloc(want, size)) == NULL)
            return false;
        *count = *cap = want;
        return true;
    }
    if (!vec_grow_raw(items, cap, want, size))
        return false;
    memset((char *)*items + *count * size, 0, (want - *count) * size);
    *count = want;
    return true;
}

#define vec_reserve(v, want) vec_grow_raw((void **)&(v)->items, &(v)->cap, (want), sizeof *(v)->items)
#define vec_push(v)          (vec_reserve((v), (v)->count + 1) ? &(v)->items[(v)->count++] : NULL)
#define vec_extend(v, want)  vec_extend_raw((void **)&(v)->items, &(v)->count, &(v)->cap, (want), sizeof *(v)->items)
#define vec_free(v)          (free((v)->items), (v)->items = NULL, (v)->count = (v)->cap = 0)

#endif
