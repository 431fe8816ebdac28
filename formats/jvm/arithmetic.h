/* arithmetic.h - the arithmetic of the JVM on values as events have them. JVMS 6.5.
 *
 * Ints are sign-extended, floats are their bits, long and double are one value. */
#ifndef FORMATS_JVM_ARITHMETIC_H
#define FORMATS_JVM_ARITHMETIC_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "formats/jvm/opcode.h"

static inline uint64_t of_int(int32_t v) { return (uint64_t)(int64_t)v; }
static inline uint64_t of_float(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static inline uint64_t of_double(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static inline float as_float(uint64_t v)
{
    float f;
    uint32_t bits = (uint32_t)v;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline double as_double(uint64_t v)
{
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}
static inline int32_t to_int(double v)
{
    return isnan(v) ? 0 : v >= 2147483647.0 ? INT32_MAX : v <= -2147483648.0 ? INT32_MIN : (int32_t)v;
}
static inline int64_t to_long(double v)
{
    return isnan(v) ? 0 : v >= 9223372036854775808.0 ? INT64_MAX : v <= -9223372036854775808.0 ? INT64_MIN : (int64_t)v;
}
static inline uint64_t compare(double a, double b, int32_t nan)
{
    return of_int(isnan(a) || isnan(b) ? nan : a > b ? 1 : a < b ? -1 : 0);
}

/* A division by zero throws: its result is never used. */
static inline uint64_t arithmetic_binary(unsigned op, uint64_t p, uint64_t q)
{
    uint32_t x = (uint32_t)p, y = (uint32_t)q;
    switch (op) {
    case OPC_iadd: return of_int((int32_t)(x + y));
    case OPC_isub: return of_int((int32_t)(x - y));
    case OPC_imul: return of_int((int32_t)(x * y));
    case OPC_idiv: return y == 0 ? 0 : of_int(y == UINT32_MAX ? (int32_t)(0 - x) : (int32_t)x / (int32_t)y);
    case OPC_irem: return y == 0 || y == UINT32_MAX ? 0 : of_int((int32_t)x % (int32_t)y);
    case OPC_iand: return of_int((int32_t)(x & y));
    case OPC_ior: return of_int((int32_t)(x | y));
    case OPC_ixor: return of_int((int32_t)(x ^ y));
    case OPC_ishl: return of_int((int32_t)(x << (y & 31)));
    case OPC_ishr: return of_int((int32_t)x >> (y & 31));
    case OPC_iushr: return of_int((int32_t)(x >> (y & 31)));
    case OPC_ladd: return p + q;
    case OPC_lsub: return p - q;
    case OPC_lmul: return p * q;
    case OPC_ldiv: return q == 0 ? 0 : q == UINT64_MAX ? 0 - p : (uint64_t)((int64_t)p / (int64_t)q);
    case OPC_lrem: return q == 0 || q == UINT64_MAX ? 0 : (uint64_t)((int64_t)p % (int64_t)q);
    case OPC_land: return p & q;
    case OPC_lor: return p | q;
    case OPC_lxor: return p ^ q;
    case OPC_lshl: return p << (y & 63);
    case OPC_lshr: return (uint64_t)((int64_t)p >> (y & 63));
    case OPC_lushr: return p >> (y & 63);
    case OPC_lcmp: return of_int((int64_t)p > (int64_t)q ? 1 : (int64_t)p < (int64_t)q ? -1 : 0);
    case OPC_fadd: return of_float(as_float(p) + as_float(q));
    case OPC_fsub: return of_float(as_float(p) - as_float(q));
    case OPC_fmul: return of_float(as_float(p) * as_float(q));
    case OPC_fdiv: return of_float(as_float(p) / as_float(q));
    case OPC_frem: return of_float(fmodf(as_float(p), as_float(q)));
    case OPC_dadd: return of_double(as_double(p) + as_double(q));
    case OPC_dsub: return of_double(as_double(p) - as_double(q));
    case OPC_dmul: return of_double(as_double(p) * as_double(q));
    case OPC_ddiv: return of_double(as_double(p) / as_double(q));
    case OPC_drem: return of_double(fmod(as_double(p), as_double(q)));
    case OPC_fcmpl: return compare((double)as_float(p), (double)as_float(q), -1);
    case OPC_fcmpg: return compare((double)as_float(p), (double)as_float(q), 1);
    case OPC_dcmpl: return compare(as_double(p), as_double(q), -1);
    case OPC_dcmpg: return compare(as_double(p), as_double(q), 1);
    default: return 0;
    }
}

static inline uint64_t arithmetic_unary(unsigned op, uint64_t a)
{
    switch (op) {
    case OPC_ineg: return of_int((int32_t)(0 - (uint32_t)a));
    case OPC_lneg: return 0 - a;
    case OPC_fneg: return a ^ 0x80000000u;
    case OPC_dneg: return a ^ UINT64_C(0x8000000000000000);
    case OPC_i2l: return of_int((int32_t)a);
    case OPC_i2f: return of_float((float)(int32_t)a);
    case OPC_i2d: return of_double((double)(int32_t)a);
    case OPC_l2i: return of_int((int32_t)a);
    case OPC_l2f: return of_float((float)(int64_t)a);
    case OPC_l2d: return of_double((double)(int64_t)a);
    case OPC_f2i: return of_int(to_int((double)as_float(a)));
    case OPC_f2l: return (uint64_t)to_long((double)as_float(a));
    case OPC_f2d: return of_double((double)as_float(a));
    case OPC_d2i: return of_int(to_int(as_double(a)));
    case OPC_d2l: return (uint64_t)to_long(as_double(a));
    case OPC_d2f: return of_float((float)as_double(a));
    case OPC_i2b: return of_int((int8_t)a);
    case OPC_i2c: return (uint16_t)a;
    case OPC_i2s: return of_int((int16_t)a);
    default: return 0;
    }
}

/* An int as a field, an array element or a result of that kind (kinds.def) has it. JVMS 6.5 putfield, bastore,
 * ireturn. */
static inline uint64_t arithmetic_narrowed(unsigned kind, uint64_t a)
{
    switch (kind) {
    case 'Z': return a & 1;
    case 'B': return of_int((int8_t)a);
    case 'C': return (uint16_t)a;
    case 'S': return of_int((int16_t)a);
    default: return a;
    }
}

/* Is the branch taken? References and ints compare as 64-bit values. */
static inline bool arithmetic_taken(unsigned op, uint64_t a, uint64_t b)
{
    int64_t x = (int64_t)a, y = (int64_t)b;
    switch (op) {
    case OPC_ifnull:
    case OPC_ifeq: return x == 0;
    case OPC_ifnonnull:
    case OPC_ifne: return x != 0;
    case OPC_iflt: return x < 0;
    case OPC_ifge: return x >= 0;
    case OPC_ifgt: return x > 0;
    case OPC_ifle: return x <= 0;
    case OPC_if_acmpeq:
    case OPC_if_icmpeq: return x == y;
    case OPC_if_acmpne:
    case OPC_if_icmpne: return x != y;
    case OPC_if_icmplt: return x < y;
    case OPC_if_icmpge: return x >= y;
    case OPC_if_icmpgt: return x > y;
    default: return x <= y; /* if_icmple */
    }
}

#endif
