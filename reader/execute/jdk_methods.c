/* jdk_methods.c - which methods of natives.def a class has, for debuggers that list them; see execute.h. */
#include "reader/execute/natives.h"

/* Of several types that a parameter can have (Integer.compareTo) that of a method of this one. */
static bool is_of_type(const struct native *n, const char *type)
{
    const char *parameter = n->nature == NATURE_BOX && n->desc[1] == 'L' ? n->desc + 2 : NULL;
    const size_t size = parameter != NULL ? strcspn(parameter, ";") : 0;
    return parameter == NULL || text_is_class((struct text){ parameter, size }, type);
}

bool machine_jdk_method(struct machine *m, const char *type, uint64_t loader, size_t *at, struct machine_method *out)
{
    const enum nature nature = nature_of_type(m, type, lineage_of(m->trace, type, loader));
    for (const struct native *n; (n = native_at(*at)) != NULL;) {
        ++*at;
        const bool is_static = n->nature == NATURE_STATIC;
        if (n->name.data[0] == '<' ||
            (is_static ? strcmp(n->owner, type) != 0 : n->nature != nature || !is_of_type(n, type)))
            continue;
        return machine_jdk_method_at(*at - 1, out);
    }
    return false;
}

bool machine_jdk_method_at(size_t number, struct machine_method *out)
{
    const struct native *n = native_at(number);
    const bool is_static = n != NULL && n->nature == NATURE_STATIC;
    if (n == NULL || n->name.data[0] == '<')
        return false;
    *out = (struct machine_method){
        .owner = is_static ? n->owner : "", .name = n->name.data, .desc = n->desc, .is_static = is_static
    };
    return true;
}
