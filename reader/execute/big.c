/* big.c - see big.h. Schoolbook arithmetic in base 2^32; division is Knuth's algorithm D. */
#include "reader/execute/big.h"

#include <string.h>

static uint32_t *limbs_of(struct arena *a, size_t count) { return arena_array(a, count + 1, sizeof(uint32_t)); }

static struct big number(bool negative, const uint32_t *limbs, size_t count)
{
    while (count > 0 && limbs[count - 1] == 0)
        count--;
    return (struct big){ negative && count > 0, (uint32_t)count, limbs };
}

struct big big_negated(const struct big *n) { return number(!n->negative, n->limbs, n->count); }

int big_magnitudes(const struct big *a, const struct big *b)
{
    if (a->count != b->count)
        return a->count > b->count ? 1 : -1;
    for (uint32_t i = a->count; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] > b->limbs[i] ? 1 : -1;
    return 0;
}

int big_compared(const struct big *a, const struct big *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    return a->negative ? big_magnitudes(b, a) : big_magnitudes(a, b);
}

/* to = to * by + more; the number of limbs. */
static size_t scale(uint32_t *to, size_t count, uint32_t by, uint32_t more)
{
    uint64_t carry = more;
    for (size_t i = 0; i < count; i++) {
        carry += (uint64_t)to[i] * by;
        to[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        to[count++] = (uint32_t)carry;
    return count;
}

bool big_read(struct arena *a, const char *digits, size_t size, struct big *out)
{
    const bool sign = size > 0 && (digits[0] == '-' || digits[0] == '+');
    uint32_t *limbs = limbs_of(a, size / 9 + 2);
    size_t count = 0;
    if (limbs == NULL || size == sign)
        return false;
    for (size_t i = sign; i < size; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return false;
        count = scale(limbs, count, 10, (uint32_t)(digits[i] - '0'));
    }
    *out = number(sign && digits[0] == '-', limbs, count);
    return true;
}

char *big_write(struct arena *a, const struct big *n)
{
    const size_t size = (size_t)n->count * 10 + 3;
    uint32_t *rest = limbs_of(a, n->count);
    char *text = arena_chars(a, size), *at = text != NULL ? text + size : NULL;
    if (rest == NULL || text == NULL)
        return NULL;
    if (n->count > 0)
        memcpy(rest, n->limbs, n->count * sizeof *rest);
    *--at = '\0';
    for (uint32_t count = n->count; count > 0 || *at == '\0';) {
        uint64_t remainder = 0;
        for (uint32_t i = count; i-- > 0;) {
            remainder = remainder << 32 | rest[i];
            rest[i] = (uint32_t)(remainder / 1000000000);
            remainder %= 1000000000;
        }
        while (count > 0 && rest[count - 1] == 0)
            count--;
        for (unsigned k = 0; k < 9 && (count > 0 || remainder > 0 || *at == '\0'); k++, remainder /= 10)
            *--at = (char)('0' + remainder % 10);
    }
    if (n->negative)
        *--at = '-';
    return at;
}

bool big_of_long(struct arena *a, int64_t n, struct big *out)
{
    const uint64_t magnitude = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    uint32_t *limbs = limbs_of(a, 2);
    if (limbs == NULL)
        return false;
    limbs[0] = (uint32_t)magnitude;
    limbs[1] = (uint32_t)(magnitude >> 32);
    *out = number(n < 0, limbs, 2);
    return true;
}

int64_t big_to_long(const struct big *n)
{
    const uint64_t low = n->count > 0 ? n->limbs[0] : 0, high = n->count > 1 ? n->limbs[1] : 0;
    const uint64_t magnitude = high << 32 | low;
    return (int64_t)(n->negative ? 0 - magnitude : magnitude);
}

bool big_add(struct arena *arena, const struct big *a, const struct big *b, struct big *out)
{
    const bool same = a->negative == b->negative;
    const struct big *x = big_magnitudes(a, b) >= 0 ? a : b, *y = x == a ? b : a;
    uint32_t *limbs = limbs_of(arena, (size_t)x->count + 1);
    int64_t carry = 0;
    if (limbs == NULL)
        return false;
    for (uint32_t i = 0; i < x->count; i++) {
        const int64_t other = i < y->count ? (int64_t)y->limbs[i] : 0;
        carry += (int64_t)x->limbs[i] + (same ? other : -other);
        limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    limbs[x->count] = (uint32_t)carry;
    *out = number(x->negative, limbs, (size_t)x->count + 1);
    return true;
}

bool big_multiply(struct arena *arena, const struct big *a, const struct big *b, struct big *out)
{
    uint32_t *limbs = limbs_of(arena, (size_t)a->count + b->count);
    if (limbs == NULL)
        return false;
    memset(limbs, 0, ((size_t)a->count + b->count) * sizeof *limbs);
    for (uint32_t i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (uint32_t k = 0; k < b->count; k++) {
            carry += (uint64_t)a->limbs[i] * b->limbs[k] + limbs[i + k];
            limbs[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        limbs[i + b->count] = (uint32_t)carry;
    }
    *out = number(a->negative != b->negative, limbs, (size_t)a->count + b->count);
    return true;
}

/* By one limb. */
static bool divide_small(struct arena *arena, const struct big *a, uint32_t by, struct big *quotient,
                         struct big *remainder)
{
    uint32_t *q = limbs_of(arena, a->count), *r = limbs_of(arena, 1);
    uint64_t rest = 0;
    if (q == NULL || r == NULL)
        return false;
    for (uint32_t i = a->count; i-- > 0;) {
        rest = rest << 32 | a->limbs[i];
        q[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    r[0] = (uint32_t)rest;
    *quotient = number(false, q, a->count);
    *remainder = number(a->negative, r, 1);
    return true;
}

/* u[at ...] -= v * q; true: it was too much. */
static bool subtract_product(uint32_t *u, const uint32_t *v, uint32_t n, uint64_t q)
{
    uint64_t carry = 0;
    int64_t borrow = 0;
    for (uint32_t i = 0; i < n; i++) {
        carry += q * v[i];
        borrow += (int64_t)u[i] - (int64_t)(uint32_t)carry;
        u[i] = (uint32_t)borrow;
        borrow >>= 32;
        carry >>= 32;
    }
    borrow += (int64_t)u[n] - (int64_t)carry;
    u[n] = (uint32_t)borrow;
    return borrow < 0;
}

static void add_back(uint32_t *u, const uint32_t *v, uint32_t n)
{
    uint64_t carry = 0;
    for (uint32_t i = 0; i < n; i++) {
        carry += (uint64_t)u[i] + v[i];
        u[i] = (uint32_t)carry;
        carry >>= 32;
    }
    u[n] += (uint32_t)carry;
}

bool big_divide(struct arena *arena, const struct big *a, const struct big *b, struct big *quotient,
                struct big *remainder)
{
    const struct big whole = *a; /* `quotient` may be `a` */
    const bool negative = a->negative != b->negative;
    const uint32_t n = b->count, m = a->count;
    if (big_magnitudes(a, b) < 0) {
        *quotient = (struct big){ false, 0, a->limbs };
        *remainder = whole;
        return true;
    }
    if (n == 1) {
        if (!divide_small(arena, &whole, b->limbs[0], quotient, remainder))
            return false;
        *quotient = number(negative, quotient->limbs, quotient->count);
        return true;
    }
    uint32_t *u = limbs_of(arena, (size_t)m + 1), *v = limbs_of(arena, n), *q = limbs_of(arena, (size_t)(m - n) + 1);
    if (u == NULL || v == NULL || q == NULL)
        return false;
    const unsigned shift = (unsigned)__builtin_clz(b->limbs[n - 1]);
    u[m] = shift > 0 ? a->limbs[m - 1] >> (32 - shift) : 0;
    for (uint32_t i = m; i-- > 0;)
        u[i] = a->limbs[i] << shift | (shift > 0 && i > 0 ? a->limbs[i - 1] >> (32 - shift) : 0);
    for (uint32_t i = n; i-- > 0;)
        v[i] = b->limbs[i] << shift | (shift > 0 && i > 0 ? b->limbs[i - 1] >> (32 - shift) : 0);
    for (uint32_t k = m - n + 1; k-- > 0;) {
        const uint64_t top = (uint64_t)u[k + n] << 32 | u[k + n - 1];
        uint64_t guess = top / v[n - 1], rest = top % v[n - 1];
        while (guess >> 32 != 0 || guess * v[n - 2] > (rest << 32 | u[k + n - 2])) {
            guess--;
            rest += v[n - 1];
            if (rest >> 32 != 0)
                break;
        }
        if (subtract_product(u + k, v, n, guess)) {
            guess--;
            add_back(u + k, v, n);
        }
        q[k] = (uint32_t)guess;
    }
    for (uint32_t i = 0; i < n; i++)
        u[i] = u[i] >> shift | (shift > 0 ? u[i + 1] << (32 - shift) : 0);
    *quotient = number(negative, q, (size_t)(m - n) + 1);
    *remainder = number(whole.negative, u, n);
    return true;
}

bool big_shifted(struct arena *a, const struct big *n, uint32_t power, struct big *out)
{
    const size_t room = (size_t)n->count + power / 9 + 2;
    uint32_t *limbs = limbs_of(a, room);
    size_t count = n->count;
    if (limbs == NULL)
        return false;
    if (count > 0)
        memcpy(limbs, n->limbs, count * sizeof *limbs);
    for (; power >= 9; power -= 9)
        count = scale(limbs, count, 1000000000, 0);
    for (; power > 0; power--)
        count = scale(limbs, count, 10, 0);
    *out = number(n->negative, limbs, count);
    return true;
}
