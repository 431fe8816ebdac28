/* loss.h - what an arithmetic instruction or a conversion lost of the exact result. JVMS 6.5.
 *
 *     iadd of 2147483647 and 1       wrapped          exactly 2147483648
 *     l2i of 4294967296              2 bits lost      the value needs 34 bits with its sign, an int has 32
 *     d2i of 1e10                    saturated
 *     l2f of 16777217                rounded
 *
 * Not counted: shifts and other instructions on bits, fractions (a conversion to int that drops them, an operation of
 * float and double that rounds). */
#ifndef FORMATS_JVM_LOSS_H
#define FORMATS_JVM_LOSS_H

#include "formats/jvm/arithmetic.h"

enum loss_kind {
    LOSS_NONE,
    LOSS_WRAPPED,   /* the exact result needs more bits than its type has */
    LOSS_BITS,      /* a conversion to a type with fewer bits; so many are lost */
    LOSS_SATURATED, /* to the greatest or least value of its type */
    LOSS_ROUNDED,   /* an integer that a float or double does not have */
    LOSS_INFINITE,  /* a double that is too great for a float */
    LOSS_NAN,       /* NaN became 0 */
};
struct loss {
    enum loss_kind kind;
    unsigned bits; /* LOSS_BITS */
    bool is_exact; /* LOSS_WRAPPED: `exact` is the result without a limit */
    __extension__ __int128 exact;
};

/* Can the instruction lose something? */
static inline bool loss_possible(unsigned op)
{
    switch (op) {
    case OPC_iadd:
    case OPC_isub:
    case OPC_imul:
    case OPC_idiv:
    case OPC_ineg:
    case OPC_iinc:
    case OPC_ladd:
    case OPC_lsub:
    case OPC_lmul:
    case OPC_ldiv:
    case OPC_lneg:
    case OPC_l2i:
    case OPC_i2b:
    case OPC_i2c:
    case OPC_i2s:
    case OPC_i2f:
    case OPC_l2f:
    case OPC_l2d:
    case OPC_f2i:
    case OPC_f2l:
    case OPC_d2i:
    case OPC_d2l:
    case OPC_d2f: return true;
    default: return false;
    }
}

/* Bits of a value with its sign. */
static inline unsigned loss_width(int64_t v)
{
    const uint64_t magnitude = v < 0 ? ~(uint64_t)v : (uint64_t)v;
    return magnitude == 0 ? 1 : 65 - (unsigned)__builtin_clzll(magnitude);
}

static inline struct loss loss_wrapped(__int128 exact, bool is_long)
{
    const __int128 low = is_long ? INT64_MIN : INT32_MIN, high = is_long ? INT64_MAX : INT32_MAX;
    return exact < low || exact > high ? (struct loss){ LOSS_WRAPPED, 0, true, exact } : (struct loss){ LOSS_NONE };
}

/* From `wide` bits to `narrow`; a char has no sign, so a negative value loses all that stand above it. */
static inline struct loss loss_narrowed(int64_t v, unsigned wide, unsigned narrow, bool is_signed)
{
    const unsigned width = is_signed ? loss_width(v) : v < 0 ? wide : loss_width(v) - 1;
    return width > narrow ? (struct loss){ .kind = LOSS_BITS, .bits = width - narrow } : (struct loss){ LOSS_NONE };
}

static inline struct loss loss_saturated(double v, double below, double above)
{
    return (struct loss){ .kind = isnan(v) ? LOSS_NAN : v <= below || v >= above ? LOSS_SATURATED : LOSS_NONE };
}

static inline struct loss loss_if(bool lost, enum loss_kind kind)
{
    return (struct loss){ .kind = lost ? kind : LOSS_NONE };
}

/* Of an instruction with these operands, as events have them; of one operand it is `b`, of iinc `a` is the old value
 * and `b` the amount. */
static inline struct loss loss_of(unsigned op, uint64_t a, uint64_t b)
{
    const int64_t x = (int64_t)a, y = (int64_t)b;
    const int32_t n = (int32_t)b;
    switch (op) {
    case OPC_iinc:
    case OPC_iadd: return loss_wrapped((__int128)(int32_t)x + (int32_t)y, false);
    case OPC_isub: return loss_wrapped((__int128)(int32_t)x - (int32_t)y, false);
    case OPC_imul: return loss_wrapped((__int128)(int32_t)x * (int32_t)y, false);
    case OPC_idiv: return n == -1 ? loss_wrapped(-(__int128)(int32_t)x, false) : (struct loss){ LOSS_NONE };
    case OPC_ineg: return loss_wrapped(-(__int128)n, false);
    case OPC_ladd: return loss_wrapped((__int128)x + y, true);
    case OPC_lsub: return loss_wrapped((__int128)x - y, true);
    case OPC_lmul: return loss_wrapped((__int128)x * y, true);
    case OPC_ldiv: return y == -1 ? loss_wrapped(-(__int128)x, true) : (struct loss){ LOSS_NONE };
    case OPC_lneg: return loss_wrapped(-(__int128)y, true);
    case OPC_l2i: return loss_narrowed(y, 64, 32, true);
    case OPC_i2b: return loss_narrowed(n, 32, 8, true);
    case OPC_i2s: return loss_narrowed(n, 32, 16, true);
    case OPC_i2c: return loss_narrowed(n, 32, 16, false);
    case OPC_i2f: return loss_if((double)(float)n != (double)n, LOSS_ROUNDED);
    case OPC_l2f: return loss_if((float)y >= 0x1p63f || (int64_t)(float)y != y, LOSS_ROUNDED);
    case OPC_l2d: return loss_if((double)y >= 0x1p63 || (int64_t)(double)y != y, LOSS_ROUNDED);
    case OPC_f2i: return loss_saturated((double)as_float(b), -0x1.00000002p31, 0x1p31);
    case OPC_f2l: return loss_saturated((double)as_float(b), -0x1.0000000000001p63, 0x1p63);
    case OPC_d2i: return loss_saturated(as_double(b), -0x1.00000002p31, 0x1p31);
    case OPC_d2l: return loss_saturated(as_double(b), -0x1.0000000000001p63, 0x1p63);
    case OPC_d2f: return loss_if(isfinite(as_double(b)) && !isfinite((float)as_double(b)), LOSS_INFINITE);
    default: return (struct loss){ LOSS_NONE };
    }
}

#endif
