/* build_constants.c - the class constants that woven code and its frames name; see build.h. */
#include "weaver/build.h"

#include <stdlib.h>

/* The entry of a name, added if missing; NULL: out of memory. */
static struct class_constant *constant_of(struct class_plan *c, struct text name)
{
    uint64_t hash = map_hash(name.data, name.size);
    struct class_constant *k;
    for (; (k = map_get(&c->class_constants, hash)) != NULL; hash = map_next_hash(hash))
        if (text_equal(k->name, name))
            return k;
    k = map_put(&c->class_constants, hash);
    if (k != NULL)
        k->name = name;
    return k;
}

/* Enters the classes that the pool has. */
static bool know_constants(struct class_plan *c)
{
    for (uint32_t i = 1; i < c->cf->cp.count; i++) {
        struct text name;
        if (!cpool_class(&c->cf->cp, i, &name))
            continue;
        struct class_constant *k = constant_of(c, name);
        if (k == NULL)
            return false;
        if (k->index == 0)
            k->index = i;
    }
    c->knows_constants = true;
    return true;
}

static uint32_t add_class(struct cpool *cp, struct text name)
{
    char *copy = malloc(name.size + 1);
    if (copy == NULL) {
        cp->added.bad = true;
        return 0;
    }
    memcpy(copy, name.data, name.size);
    copy[name.size] = '\0';
    uint32_t index = cpool_add_class(cp, cpool_add_utf8(cp, copy));
    free(copy);
    return index;
}

uint32_t build_class_constant(struct class_plan *c, struct text name)
{
    bool known = c->knows_constants || know_constants(c);
    struct class_constant *k = known ? constant_of(c, name) : NULL;
    if (k == NULL) { /* no memory: the class is not woven */
        c->cf->cp.added.bad = true;
        return 0;
    }
    if (k->index == 0)
        k->index = add_class(&c->cf->cp, name);
    return k->index;
}

void build_forget_constants(struct class_plan *c, uint32_t next)
{
    for (size_t i = 0; i < c->class_constants.cap; i++)
        if (c->class_constants.slots[i].index >= next)
            c->class_constants.slots[i].index = 0; /* the name stays, and the constant is added again when needed */
    for (int i = 0; i < BASE_CONSTANTS; i++)
        if (c->base_constants[i] >= next)
            c->base_constants[i] = 0;
    if (c->stack_map_utf8 >= next)
        c->stack_map_utf8 = 0;
}
