/* hooks.h - the hook methods (hooks.def) as the weaver sees them: constants of the woven class's pool. */
#ifndef WEAVER_HOOKS_H
#define WEAVER_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/jvm/cpool.h"

enum hook {
#define HOOK(shape, descriptor) HOOK_##shape,
#include "weaver/hooks.def"
#undef HOOK
    HOOK_COUNT
};

/* Pool indices made so far; 0 is not made yet. [1] is the outlined twin class, [..][1] the releasing variant. */
struct hook_refs {
    const char *class_names[2];
    uint32_t classes[2];
    uint32_t descriptors[HOOK_COUNT];
    uint32_t methods[2][HOOK_COUNT][2];
};

/* The Methodref of a hook, made on first use; 0 when the pool is full. */
uint32_t hook_ref_make(struct hook_refs *h, struct cpool *cp, bool outline, enum hook hook, bool release);
static inline uint32_t hook_ref(struct hook_refs *h, struct cpool *cp, bool outline, enum hook hook, bool release)
{
    uint32_t made = h->methods[outline][hook][release];
    return made != 0 ? made : hook_ref_make(h, cp, outline, hook, release);
}
/* Forgets what was made at or above pool index `next`, when the pool is cut back to there. */
void hook_refs_rewind(struct hook_refs *h, uint32_t next);

/* The hook whose shape is these computational type letters (lower case: "li", padded with 0), HOOK_COUNT if there is none. */
enum { SHAPE_BYTES = 4 };
enum hook hook_of_shape(const char shape[SHAPE_BYTES]);

#endif
