/* natives_classes.c - getClass, in code that is executed: `getClass() != o.getClass()` of many an equals; see
 * natives.h. There is one object for each class, since == compares them. A recorded object of a class is not told from
 * it. */
#include "reader/execute/natives.h"

/* The class of an object, by its name and loader; false: it is not known. */
static bool class_of(struct machine *m, struct jvalue v, const char **name, uint64_t *loader)
{
    const struct made *made = made_of(m, v);
    const struct hs_type *type = made == NULL ? hs_type_get(m->trace, objects_class(m->trace, v.bits)) : NULL;
    *loader = type != NULL ? type->loader : 0;
    *name = type != NULL ? type->name : NULL;
    if (made != NULL && (made->is == MADE_STRING || made->is == MADE_BOX || made->is == MADE_BIG))
        *name = made->type;
    if (made != NULL && made->is == MADE_PLAIN && made->class != NULL) {
        *name = made->class->name;
        *loader = made->class->loader;
    }
    /* classes of lambdas have no name of their own, those of arrays several loaders */
    return *name != NULL && strpbrk(*name, "/[") == NULL && strstr(*name, "$$Lambda") == NULL;
}

bool class_of_receiver(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const char *type;
    uint64_t loader;
    if (m->calls == 0 || !class_of(m, i->given[0], &type, &loader))
        return end_not_known(m, "an object of a class");
    const char *name = keep_text(m, (struct text){ type, strlen(type) }, true);
    if (name == NULL || !spend(m, m->made.count / STEP_UNITS))
        return false;
    for (size_t k = 0; k < m->made.count; k++) {
        const struct made *made = m->made.items[k];
        if (made->is == MADE_CLASS && made->loader == loader && strcmp(made->name, name) == 0)
            return *out = (struct jvalue){ .kind = 'A', .bits = MADE_FIRST + k }, true;
    }
    struct made *made = make(m, MADE_CLASS, "java.lang.Class", out);
    if (made == NULL)
        return false;
    made->name = name;
    made->loader = loader;
    made->shared = true;
    return true;
}

bool class_name(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct made *made = made_of(m, i->given[0]);
    return made != NULL ? make_text(m, made->name, strlen(made->name), out) : end_not_known(m, "an object of a class");
}
