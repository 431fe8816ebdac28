/* lineage.c - see lineage.h. */
#include "weaver/lineage.h"

enum { WALK_MAX = 128 }; /* classes above one; of class files that contradict each other it could go on for ever */

static bool copy(struct text *out, struct text a, const char *between, struct text b)
{
    size_t middle = strlen(between);
    char *p = malloc(a.size + middle + b.size + 1);
    if (p == NULL)
        return false;
    memcpy(p, a.data, a.size);
    memcpy(p + a.size, between, middle);
    memcpy(p + a.size + middle, b.data, b.size);
    *out = (struct text){ p, a.size + middle + b.size };
    return true;
}

static struct lineage_class *find(const struct lineage *l, struct text name, uint64_t *key)
{
    for (*key = map_hash(name.data, name.size);; *key = map_next_hash(*key)) {
        struct lineage_class *c = map_get(&l->classes, *key);
        if (c == NULL || text_equal(c->name, name))
            return c;
    }
}

static bool add_above(struct lineage_class *c, const struct cpool *cp, uint32_t index)
{
    struct text name;
    if (index == 0 || !cpool_class(cp, index, &name))
        return true;
    struct text *slot = vec_push(&c->above);
    if (slot != NULL && copy(slot, name, "", TEXT_OF("")))
        return true;
    c->above.count -= slot != NULL;
    return false;
}

static bool add_field(struct lineage_class *c, const struct cpool *cp, const struct member *f)
{
    struct text name, desc;
    if (!cpool_utf8(cp, f->name, &name) || !cpool_utf8(cp, f->desc, &desc))
        return true;
    struct text *slot = vec_push(&c->fields);
    if (slot != NULL && copy(slot, name, " ", desc))
        return true;
    c->fields.count -= slot != NULL;
    return false;
}

bool lineage_add(struct lineage *l, const struct classfile *cf)
{
    struct text name;
    uint64_t key;
    if (!cpool_class(&cf->cp, cf->this_class, &name))
        return true;
    struct lineage_class *c = find(l, name, &key);
    if (c == NULL) {
        struct text own;
        if (!copy(&own, name, "", TEXT_OF("")))
            return false;
        c = map_put(&l->classes, key);
        if (c == NULL) {
            free((char *)(uintptr_t)own.data);
            return false;
        }
        c->name = own;
    } else if (c->above.count == 1u + cf->interface_count && c->fields.count == cf->fields.count) {
        return true; /* it is woven again */
    }
    bool ok = add_above(c, &cf->cp, cf->super_class);
    for (uint32_t i = 0; ok && i < cf->interface_count; i++)
        ok = add_above(c, &cf->cp, be2(cf->interfaces + 2 * i));
    for (size_t i = 0; ok && i < cf->fields.count; i++)
        ok = add_field(c, &cf->cp, &cf->fields.items[i]);
    return ok;
}

void lineage_done(struct lineage *l)
{
    for (size_t i = 0; i < l->classes.cap; i++) {
        struct lineage_class *c = &l->classes.slots[i];
        for (size_t k = 0; k < c->above.count; k++)
            free((char *)(uintptr_t)c->above.items[k].data);
        for (size_t k = 0; k < c->fields.count; k++)
            free((char *)(uintptr_t)c->fields.items[k].data);
        vec_free(&c->above);
        vec_free(&c->fields);
        free((char *)(uintptr_t)c->name.data);
    }
    map_free(&l->classes);
}

/* Classes of the JDK have only others of the JDK above them: what is not known of them matters to nobody. */
static bool is_system(struct text name)
{
    static const char *const prefixes[] = {
#define EXCLUDE(prefix) prefix,
#include "weaver/filter_defaults.def"
#undef EXCLUDE
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (name.size >= strlen(prefixes[i]) && memcmp(name.data, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return name.size > 0 && name.data[0] == '[';
}

static bool declares(const struct lineage_class *c, struct text field, struct text desc)
{
    for (size_t i = 0; i < c->fields.count; i++) {
        struct text f = c->fields.items[i];
        if (f.size == field.size + 1 + desc.size && memcmp(f.data, field.data, field.size) == 0 &&
            f.data[field.size] == ' ' && memcmp(f.data + field.size + 1, desc.data, desc.size) == 0)
            return true;
    }
    return false;
}

static bool is_listed(const struct text *list, size_t count, struct text name)
{
    for (size_t i = 0; i < count; i++)
        if (text_equal(list[i], name))
            return true;
    return false;
}

enum lineage_answer lineage_walk(const struct lineage *l, struct text class_name, struct text field, struct text desc,
                                 lineage_fn *visit, void *context)
{
    struct text todo[WALK_MAX] = { class_name };
    size_t count = 1;
    bool unknown = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t key;
        const struct lineage_class *c = find(l, todo[i], &key);
        if (visit(context, todo[i]))
            return LINEAGE_YES;
        unknown |= c == NULL && !is_system(todo[i]);
        if (c == NULL || (field.size > 0 && declares(c, field, desc)))
            continue;
        for (size_t k = 0; k < c->above.count; k++)
            if (count == WALK_MAX)
                unknown = true;
            else if (!is_listed(todo, count, c->above.items[k]))
                todo[count++] = c->above.items[k];
    }
    return unknown ? LINEAGE_UNKNOWN : LINEAGE_NO;
}
