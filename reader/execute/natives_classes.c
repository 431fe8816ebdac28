/* natives_classes.c - getClass, in code that is executed: `getClass() != o.getClass()` of many an equals; see
 * natives.h. There is one object for each class, since == compares them. A recorded Class object counts as this
 * one. */
#include "reader/execute/natives.h"

enum { ACC_ENUM = 0x4000 };

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

bool class_object(struct machine *m, const char *type, uint64_t loader, struct jvalue *out)
{
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

bool class_of_receiver(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const char *type;
    uint64_t loader;
    if (m->calls == 0 || !class_of(m, i->given[0], &type, &loader))
        return end_not_known(m, "an object of a class");
    return class_object(m, type, loader, out);
}

/* Enum.valueOf: the static field of that name. */
bool constant_called(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct made *class = made_of(m, i->given[0]);
    const struct lineage *c =
        class != NULL && class->is == MADE_CLASS ? lineage_of(m->trace, class->name, class->loader) : NULL;
    uint32_t count;
    if (!known(m, i->given[1]) || i->given[1].bits == 0)
        return m->ended == OUTCOME_VALUE && throws(m, "java.lang.NullPointerException", "Name is null");
    const uint16_t *units = units_of(m, i->given[1], &count);
    char *name = units != NULL ? arena_chars(&m->arena, (size_t)count + 1) : NULL;
    if (name == NULL)
        return units != NULL && end_memory(m);
    for (uint32_t k = 0; k < count; k++) {
        if (units[k] == 0 || units[k] > 127)
            return end_not_known(m, "a constant with such a name");
        name[k] = (char)units[k];
    }
    name[count] = '\0';
    const struct classfile *cf = c != NULL && c->row != NULL ? class_file(m->trace, c->row, NULL) : NULL;
    for (size_t k = 0; cf != NULL && k < cf->fields.count; k++) {
        struct text own;
        struct field f;
        const bool constant = (cf->fields.items[k].access & ACC_ENUM) != 0;
        if (!constant || !cpool_utf8(&cf->cp, cf->fields.items[k].name, &own) || !name_is(own, name))
            continue;
        const struct field_site *s = field_find_in(m->trace, c, name, NULL, &f) ? field_site_named(m, &f) : NULL;
        return s != NULL ? get_member(m, null_value(), s, out) : end_not_known(m, "a constant of %s", c->name);
    }
    return cf != NULL ? throws_unsaid(m, "java.lang.IllegalArgumentException")
                      : end_not_known(m, "the constants of a class that is not woven");
}

bool class_name(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct made *made = made_of(m, i->given[0]);
    return made != NULL ? make_text(m, made->name, strlen(made->name), out) : end_not_known(m, "an object of a class");
}
