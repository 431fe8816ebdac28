/* big.h - whole numbers of any size, for BigInteger and BigDecimal of executed code. Their limbs live in an arena; a
 * number is never changed. Functions that give a number fail (false) when memory is out. */
#ifndef READER_BIG_H
#define READER_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/arena.h"

struct big {
    bool negative; /* of 0 false */
    uint32_t count;
    const uint32_t *limbs; /* the least significant first, the last one not 0 */
};
/* `size` digits, behind an optional sign. False also: they are none. */
bool big_read(struct arena *a, const char *digits, size_t size, struct big *out);
/* In base 10; NULL: out of memory. */
char *big_write(struct arena *a, const struct big *n);
bool big_of_long(struct arena *a, int64_t n, struct big *out);
int64_t big_to_long(const struct big *n); /* the lower 64 bits of two's complement */
int big_compared(const struct big *a, const struct big *b);
int big_magnitudes(const struct big *a, const struct big *b); /* without the signs */
struct big big_negated(const struct big *n);
bool big_add(struct arena *arena, const struct big *a, const struct big *b, struct big *out);
bool big_multiply(struct arena *arena, const struct big *a, const struct big *b, struct big *out);
/* Towards 0; b is not 0. The remainder has the sign of `a`. */
bool big_divide(struct arena *arena, const struct big *a, const struct big *b, struct big *quotient,
                struct big *remainder);
/* n times 10 to that power. */
bool big_shifted(struct arena *a, const struct big *n, uint32_t power, struct big *out);

#endif
