/* hooks.c - expanding hook.def into constants. */
#include "weaver/hooks.h"

#include <string.h>

static const struct {
    char shape[8]; /* padded with 0 */
    const char *descriptor;
} hooks[HOOK_COUNT] = {
#define HOOK(shape, descriptor) [HOOK_##shape] = { #shape, descriptor },
#include "formats/hook.def"
};

/* "(II)V" becomes "(IIJJ)J". */
static uint32_t add_loop_descriptor(struct cpool *cp, enum hook hook)
{
    char text[128];
    const size_t size = strlen(hooks[hook].descriptor) - 2;
    memcpy(text, hooks[hook].descriptor, size);
    strcpy(text + size, "JJ)J");
    return cpool_add_utf8(cp, text);
}

uint32_t hook_ref_make(struct hook_refs *h, struct cpool *cp, enum hook_use use, enum hook hook, bool release)
{
    static const char *const prefixes[HOOK_USES] = { "", "trigger_", "loop_" };
    uint32_t *descriptor = use == HOOK_LOOP ? &h->loop_descriptors[hook] : &h->descriptors[hook];
    if (h->class == 0)
        h->class = cpool_add_class(cp, cpool_add_utf8(cp, h->class_name));
    if (*descriptor == 0)
        *descriptor = use == HOOK_LOOP ? add_loop_descriptor(cp, hook) : cpool_add_utf8(cp, hooks[hook].descriptor);
    char name[sizeof "trigger_" + sizeof hooks[hook].shape + 2];
    strcpy(name, prefixes[use]);
    strcat(name, hooks[hook].shape);
    if (release)
        strcat(name, "_r");
    uint32_t both = cpool_add_name_and_type(cp, cpool_add_utf8(cp, name), *descriptor);
    return h->methods[use][hook][release] = cpool_add_method(cp, h->class, both);
}

static void forget(uint32_t *index, uint32_t next)
{
    if (*index >= next)
        *index = 0;
}

void hook_refs_rewind(struct hook_refs *h, uint32_t next)
{
    forget(&h->class, next);
    for (int use = 0; use < HOOK_USES; use++)
        for (int i = 0; i < HOOK_COUNT; i++)
            for (int release = 0; release < 2; release++)
                forget(&h->methods[use][i][release], next);
    for (int i = 0; i < HOOK_COUNT; i++) {
        forget(&h->descriptors[i], next);
        forget(&h->loop_descriptors[i], next);
    }
}

enum hook hook_of_shape(uint32_t shape)
{
    for (int i = 0; i < HOOK_COUNT; i++) {
        const char *h = hooks[i].shape;
        if (shape_with(shape_of(h[0], h[1], h[2]), 3, h[3]) == shape && h[4] == '\0')
            return (enum hook)i;
    }
    return HOOK_COUNT;
}
