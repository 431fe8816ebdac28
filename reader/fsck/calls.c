/* calls.c - finds the method that a call certainly enters.
 *
 * Selection follows JVMS 5.4.6 over the class rows: from the receiver's class upwards to the first that declares name
 * and descriptor. Any class on the way that is not woven, or whose name several loaders defined, ends the search
 * without a result. */
#include "reader/fsck/calls.h"

#include <string.h>

#include "reader/fsck/objects.h"

static const struct hs_method *declared(const struct fclass *c, const char *name, const char *desc)
{
    for (uint32_t i = 0; i < c->row->method_count; i++)
        if (strcmp(c->row->methods[i]->name, name) == 0 && strcmp(c->row->methods[i]->desc, desc) == 0)
            return c->row->methods[i];
    return NULL;
}

/* First class from `c` upwards that declares it; NULL if a class that is not woven comes before. */
static struct fclass *find_upwards(struct fsck *f, struct fclass *c, const char *name, const char *desc)
{
    for (int depth = 0; class_is_woven(c) && depth < SUPERCLASSES_MOST; depth++, c = class_super(f, c))
        if (declared(c, name, desc) != NULL)
            return c;
    return NULL;
}

static bool same_package(const struct fclass *a, const struct fclass *b)
{
    const char *x = strrchr(a->row->name, '.'), *y = strrchr(b->row->name, '.');
    size_t n = x != NULL ? (size_t)(x - a->row->name) : 0, k = y != NULL ? (size_t)(y - b->row->name) : 0;
    return n == k && memcmp(a->row->name, b->row->name, n) == 0;
}

/* The class whose method an invokevirtual or invokeinterface selects. */
static struct fclass *select_virtual(struct fsck *f, const char *owner, const char *name, const char *desc,
                                     uint64_t receiver)
{
    enum { PUBLIC = 1, PRIVATE = 2, PROTECTED = 4 };
    const struct hs_type *type = hs_type_get(f->trace, object_class(f, receiver));
    struct fclass *start = type != NULL ? class_by_name(f, type->name, strlen(type->name)) : NULL;
    struct fclass *chosen = find_upwards(f, start, name, desc), *o = class_by_name(f, owner, strlen(owner));
    if (chosen == NULL || o == NULL)
        return NULL;
    uint32_t access = declared(chosen, name, desc)->access;
    if (o->row->access & ACC_INTERFACE)
        return access & PUBLIC ? chosen : NULL;
    struct fclass *resolved = find_upwards(f, o, name, desc);
    if (resolved == NULL)
        return NULL;
    uint32_t r = declared(resolved, name, desc)->access;
    if (r & PRIVATE)
        return resolved;
    if (access & (PRIVATE | ACC_STATIC))
        return NULL;
    return r & (PUBLIC | PROTECTED) || same_package(chosen, resolved) ? chosen : NULL;
}

/* Calls by receiver class: the last answer of each site. */
struct callee {
    const char *owner, *name, *desc;
    bool is_virtual, is_static;
    uint32_t class_id;
    bool answered;
    struct method *method;
};

static struct method *followed_method(struct fsck *f, struct fclass *c, const char *name, const char *desc)
{
    const struct hs_method *row = c != NULL ? declared(c, name, desc) : NULL;
    if (row == NULL || !(row->groups & GROUP_BIT(EXEC)) || row->code_length == 0 || c->row->dataid_count == 0)
        return NULL;
    struct method *m = method_of_row(f->trace, row);
    return m != NULL && m->followed && !m->is_intrinsic ? m : NULL;
}

struct method *callee_of(struct fsck *f, const struct code_event *p, uint64_t receiver)
{
    struct event_facts *facts = facts_of(f, p);
    if (facts->callee == NULL) {
        const char *opcode = attribute_text(p->row, "opcode");
        facts->callee = arena_get(&f->arena, sizeof *facts->callee);
        if (facts->callee == NULL) {
            f->no_memory = true;
            return NULL;
        }
        *facts->callee = (struct callee){ .owner = attribute_text(p->row, "owner"),
                                          .name = attribute_text(p->row, "name"),
                                          .desc = attribute_text(p->row, "desc") };
        facts->callee->is_virtual =
            opcode != NULL && (strcmp(opcode, "INVOKEVIRTUAL") == 0 || strcmp(opcode, "INVOKEINTERFACE") == 0);
        facts->callee->is_static = opcode != NULL && strcmp(opcode, "INVOKESTATIC") == 0;
    }
    struct callee *c = facts->callee;
    if (c->owner == NULL || c->name == NULL || c->desc == NULL ||
        (c->is_virtual && (receiver == 0 || receiver == UINT64_MAX)))
        return NULL;
    uint32_t class_id = c->is_virtual ? object_class(f, receiver) : 0;
    if (c->answered && c->class_id == class_id)
        return c->method;
    struct fclass *owner = class_by_name(f, c->owner, strlen(c->owner)), *chosen = NULL;
    if (c->is_virtual)
        chosen = select_virtual(f, c->owner, c->name, c->desc, receiver);
    else if (c->is_static || strcmp(c->name, "<init>") == 0 || class_is_woven(owner))
        chosen = find_upwards(f, owner, c->name, c->desc); /* special: private, super or constructor */
    if (!c->is_virtual && strcmp(c->name, "<init>") == 0 && chosen != owner)
        chosen = NULL;
    c->method = followed_method(f, chosen, c->name, c->desc);
    if (c->method != NULL &&
        (c->method->is_static != c->is_static ||
         dataid_period(f->trace, p->row->dataid) != dataid_period(f->trace, chosen->row->first_dataid)))
        c->method = NULL;
    c->class_id = class_id;
    c->answered = true;
    return c->method;
}
