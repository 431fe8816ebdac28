/* generated_classes.c - skip=generated: the classes that were left out, since those nested in them are, too.
 *
 * A class is nested in others by the names in its own class file (weaver/generated.h). Only classes that were loaded
 * before it are known: no code of the program is called here to find others. */
#include "logging/agent/agent.h"

#include "formats/map.h"
#include "weaver/generated.h"

static MAP(uint64_t) left_out; /* hierarchy_hash */

void generated_classes_add(struct text internal_name, uint64_t loader)
{
    (void)map_put(&left_out,
                  hierarchy_hash(internal_name, loader)); /* out of memory: those nested in it are recorded */
}

static bool is_left_out(const void *loader, struct text internal_name)
{
    return map_get(&left_out, hierarchy_hash(internal_name, *(const uint64_t *)loader)) != NULL;
}

bool generated_classes_hold(const void *bytes, size_t size, uint64_t loader)
{
    return left_out.count > 0 && generated_around(bytes, size, is_left_out, &loader);
}
