/* decimal.h - the numbers of java.math in executed code: BigInteger, whose scale is 0, and BigDecimal.
 *
 * Functions that are false have ended the execution: an exception, a bound, or no memory (machine.h). */
#ifndef READER_DECIMAL_H
#define READER_DECIMAL_H

#include "reader/execute/big.h"
#include "reader/execute/natives.h"

/* More digits than these are not known: time grows with their square. */
enum { BIG_DIGITS_MAX = 5000, BIG_SCALE_MAX = 1000000 };

/* n / 10^scale */
struct decimal {
    struct big n;
    int64_t scale;
};

static inline bool decimal_too_long(struct machine *m) { return end_limit(m, "a number has too many digits"); }
static inline bool decimal_done(struct machine *m, bool good) { return good ? true : end_memory(m); }
static inline char decimal_ascii(uint16_t unit) { return unit > 127 ? '?' : (char)unit; }
/* How many digits a text of big_write has. */
static inline int64_t decimal_digits(const char *digits) { return (int64_t)strlen(digits + (digits[0] == '-')); }

/* [sign] digits [. digits] [E [sign] digits], as toString gives it and the constructors take it. 1; 0: it is no number;
 * -1: ended. */
int decimal_read(struct machine *m, const char *text, size_t size, struct decimal *out);
/* The number that an object is, of the heap or made. */
bool decimal_of(struct machine *m, struct jvalue v, struct decimal *out);
/* The objects of numbers. */
bool decimal_make_integer(struct machine *m, const struct big *n, struct jvalue *out);
bool decimal_make(struct machine *m, const struct decimal *d, struct jvalue *out);

/* Both with the larger of their scales. */
bool decimal_aligned(struct machine *m, struct decimal *a, struct decimal *b);
/* With that scale; `mode` is the name of a RoundingMode. `out` may be `d`. */
bool decimal_scaled(struct machine *m, const struct decimal *d, int64_t scale, const char *mode, struct decimal *out);
/* Fewer digits behind the point, as long as those are 0, but not below that scale. */
bool decimal_stripped(struct machine *m, struct decimal *d, int64_t least);
bool decimal_rounded(struct machine *m, struct decimal *d, int64_t precision, const char *mode);
bool decimal_multiplied(struct machine *m, const struct decimal *a, const struct decimal *b, struct decimal *out);
bool decimal_quotient(struct machine *m, const struct decimal *a, const struct decimal *b, int64_t scale,
                      const char *mode, struct decimal *out);
bool decimal_exact_quotient(struct machine *m, const struct decimal *a, const struct decimal *b, struct decimal *out);
bool decimal_quotient_in(struct machine *m, const struct decimal *a, const struct decimal *b, int64_t precision,
                         const char *mode, struct decimal *out);

#endif
