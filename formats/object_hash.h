/* object_hash.h - the identity hashes that recorded objects get, and the ids that they stand for.
 *
 * An object's id is kept in the object's header, as its identity hash (HindsightHook.ref). Ids are consecutive numbers,
 * and a program that hashes those collides more often, or less, than with the random ones of a JVM. So what goes into
 * the header is the id mapped one to one onto other numbers of 31 bits, 0 onto 0. The hook records what it finds there;
 * whoever reads its records maps it back: ids in the journal, and in counters of hooks, are hashes, everywhere else
 * they are ids.
 *
 * Multiplying by an odd number modulo 2^31 is one to one, and so is x ^ x >> k, which undoes itself if 2k >= 31. The
 * factors were chosen among random ones: of 4096 ids (consecutive, or every 2nd, 3rd, 5th, 16th, 100th, 4096th one,
 * from 7 beginnings), 12 bits of the hash, of hash * 31 and of hash ^ hash >> 16 take 2535 to 2643 different values; of
 * random numbers 2589 are expected. The hook has the same function in Java. */
#ifndef FORMATS_OBJECT_HASH_H
#define FORMATS_OBJECT_HASH_H

#include <stdint.h>

#define OBJECT_HASH_BITS UINT32_C(0x7fffffff)
#define OBJECT_ID_MAX    OBJECT_HASH_BITS

#define OBJECT_HASH_FACTOR    UINT32_C(0x4efa934f)
#define OBJECT_HASH_FACTOR_2  UINT32_C(0x124874fd)
#define OBJECT_HASH_INVERSE   UINT32_C(0x47f6a3af) /* times the factor: 1 modulo 2^31 */
#define OBJECT_HASH_INVERSE_2 UINT32_C(0x24524855)
enum { OBJECT_HASH_SHIFT = 16, OBJECT_HASH_SHIFT_2 = 17 };

static inline uint32_t object_hash(uint32_t id)
{
    uint32_t x = id * OBJECT_HASH_FACTOR & OBJECT_HASH_BITS;
    x = (x ^ x >> OBJECT_HASH_SHIFT) * OBJECT_HASH_FACTOR_2 & OBJECT_HASH_BITS;
    return x ^ x >> OBJECT_HASH_SHIFT_2;
}

/* The id with that hash. Of a word of the journal that is damaged: some number of 31 bits. */
static inline uint32_t object_id(uint64_t hash)
{
    uint32_t x = (uint32_t)hash & OBJECT_HASH_BITS;
    x = (x ^ x >> OBJECT_HASH_SHIFT_2) * OBJECT_HASH_INVERSE_2 & OBJECT_HASH_BITS;
    return (x ^ x >> OBJECT_HASH_SHIFT) * OBJECT_HASH_INVERSE & OBJECT_HASH_BITS;
}

#endif
