/* hooks.h - the hook methods (formats/hook.def) as the weaver sees them: constants of the woven class's pool. */
#ifndef WEAVER_HOOKS_H
#define WEAVER_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/jvm/cpool.h"

enum hook {
#define HOOK(shape, descriptor) HOOK_##shape,
#include "formats/hook.def"
    HOOK_COUNT
};

/* The methods that write records, those for triggers of windows, and those for records of loops (ring.c). */
enum hook_use { HOOK_RECORD, HOOK_TRIGGER, HOOK_LOOP, HOOK_USES };

/* Pool indices added so far, 0 for none. [..][1] is the releasing variant. */
struct hook_refs {
    const char *class_name;
    uint32_t class;
    uint32_t descriptors[HOOK_COUNT], loop_descriptors[HOOK_COUNT];
    uint32_t methods[HOOK_USES][HOOK_COUNT][2];
};

/* The Methodref of a hook, made on first use; 0 when the pool is full. */
uint32_t hook_ref_make(struct hook_refs *h, struct cpool *cp, enum hook_use use, enum hook hook, bool release);
static inline uint32_t hook_ref(struct hook_refs *h, struct cpool *cp, enum hook_use use, enum hook hook, bool release)
{
    uint32_t made = h->methods[use][hook][release];
    return made != 0 ? made : hook_ref_make(h, cp, use, hook, release);
}
/* Drops references at or above pool index `next` when the pool is rewound to it. */
void hook_refs_rewind(struct hook_refs *h, uint32_t next);

/* Up to four computational type letters, lower case, as a number; 0 for those that are not there. */
static inline uint32_t shape_of(char a, char b, char c) { return (uint32_t)a | (uint32_t)b << 8 | (uint32_t)c << 16; }
static inline uint32_t shape_with(uint32_t shape, unsigned count, char letter)
{
    return shape | (uint32_t)letter << (8 * count);
}
/* The hook of that shape, HOOK_COUNT if there is none. */
enum hook hook_of_shape(uint32_t shape);
/* The same for a single letter, which most events need. */
static inline enum hook hook_of_letter(char letter)
{
    switch (letter) {
    case 'v': return HOOK_v;
    case 'i': return HOOK_i;
    case 'j': return HOOK_j;
    case 'f': return HOOK_f;
    case 'd': return HOOK_d;
    case 'l': return HOOK_l;
    default: return HOOK_COUNT;
    }
}

#endif
