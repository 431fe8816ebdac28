/* natives.c - which method of the JDK a call is; see natives.h and natives.def. */
#include "reader/execute/natives.h"

static const struct native natives[] = {
#define NATIVE(nature, owner, name, desc, function) NATIVE_OF(nature, owner, name, desc, NULL, function)
#define NATIVE_OF(nature, owner, name, desc, generic, function)                                                        \
    { nature, owner, { name, sizeof name - 1 }, desc, generic, function },
#include "reader/execute/natives.def"
#undef NATIVE
#undef NATIVE_OF
};

const struct native *native_at(size_t number)
{
    return number < sizeof natives / sizeof *natives ? &natives[number] : NULL;
}

const struct native *native_named(struct text name, size_t *number)
{
    while (*number < sizeof natives / sizeof *natives) {
        const struct native *n = &natives[(*number)++];
        if (text_same(n->name, name))
            return n;
    }
    return NULL;
}

bool native_fits(const struct native *n, enum nature nature, struct text owner)
{
    const bool of = n->nature == nature || (n->nature == NATURE_ANY && nature != NATURE_STATIC);
    return of && (n->owner == NULL || text_is_class(owner, n->owner));
}

/* The parameters are the same: of a subclass's method the result may be another type. */
static bool same_parameters(struct text desc, const char *other)
{
    const size_t size = strcspn(other, ")") + 1;
    return desc.size > size && memcmp(desc.data, other, size) == 0;
}

bool invoke_native(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    size_t number = 0;
    const struct native *n = native_named(i->ref.name, &number);
    const enum nature nature = i->is_static || n == NULL ? NATURE_STATIC : nature_of(m, i->given[0]);
    for (; m->ended == OUTCOME_VALUE && n != NULL; n = native_named(i->ref.name, &number))
        if (native_fits(n, nature, i->ref.owner) && same_parameters(i->ref.desc, n->desc))
            return n->function(m, i, out);
    const char *type = i->is_static ? NULL : machine_type(m, i->given[0].bits);
    const char *owner = type != NULL ? type : keep_text(m, i->ref.owner, true);
    return end_not_known(m, "%s.%.*s is not woven", owner != NULL ? owner : "?", (int)i->ref.name.size,
                         i->ref.name.data);
}

bool machine_knows(const char *name)
{
    const struct native *n;
    for (size_t i = 0; (n = native_at(i)) != NULL; i++)
        if (n->owner != NULL && strcmp(n->owner, name) == 0)
            return true;
    return is_jdk_type(name);
}
