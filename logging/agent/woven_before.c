/* woven_before.c - classes that the JVM asks for again although they have not changed.
 *
 * Another agent that retransforms classes, or a debugger that redefines them, makes the JVM ask again for classes that
 * are known already. Those that were woven get the data IDs that they have: so the code is the same, the JVM goes on
 * with the methods that run (a debugger would call them obsolete). Those that were not, and woven code itself, which an
 * agent behind ours may have kept and gives back, stay as they are. So neither the trace nor the tables of the recorder
 * grow. Only within one period: hooks with older data IDs record nothing (formats/journal.h). */
#include "logging/agent/agent.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "formats/map.h"

/* 94 bits of a hash of bytes and loader stand for the class: a program may have very many. */
struct woven {
    uint64_t hash; /* not 0 */
    uint32_t first_dataid;
    uint32_t few_constants : 1, as_it_is : 1, more_hash : 30;
};

/* Under weave_mutex. */
static MAP(struct woven) classes;

static struct woven identity_of(const void *bytes, size_t size, uint64_t loader_id)
{
    XXH128_hash_t h = XXH3_128bits_withSeed(bytes, size, loader_id);
    return (struct woven){ .hash = h.low64 != 0 ? h.low64 : 1, .more_hash = (uint32_t)(h.high64 >> 34) & 0x3fffffff };
}

bool woven_before_find(const void *bytes, size_t size, uint64_t loader_id, struct woven_before *out)
{
    const struct woven class = identity_of(bytes, size, loader_id), *w = map_get(&classes, class.hash);
    if (w == NULL || w->more_hash != class.more_hash)
        return false;
    *out = (struct woven_before){ w->first_dataid, w->few_constants, w->as_it_is };
    return true;
}

void woven_before_add(const void *bytes, size_t size, uint64_t loader_id, const struct woven_before *before)
{
    struct woven class = identity_of(bytes, size, loader_id), *w = map_put(&classes, class.hash);
    class.first_dataid = before->first_dataid;
    class.few_constants = before->few_constants;
    class.as_it_is = before->as_it_is;
    if (w != NULL) /* else, without memory, it gets other data IDs */
        *w = class;
}

void woven_before_forget(void) { map_free(&classes); }
