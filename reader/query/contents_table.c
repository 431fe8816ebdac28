/* contents_table.c - looks up the rows of contents.def; see contents.h. */
#include "reader/query/contents.h"

enum {
    LIST = SHAPE_LIST,
    DEQUE = SHAPE_DEQUE,
    STACK = SHAPE_STACK,
    QUEUE = SHAPE_QUEUE,
    SET = SHAPE_SET,
    MAP = SHAPE_MAP,
    SORTED = SHAPE_SORTED,
    TEXT = SHAPE_TEXT,
    OPTIONAL = SHAPE_OPTIONAL,
    BOX = SHAPE_BOX,
    ATOMIC = SHAPE_ATOMIC,
    BACKED = SHAPE_BACKED,
};

static const struct contents_class classes[] = {
#define CLASS(type, shapes, as, ordered) { type, shapes, as, ordered },
#include "reader/query/contents.def"
#undef CLASS
};
static const struct contents_class unfollowed[] = {
#define UNFOLLOWED(type, as) { type, 0, as, false },
#include "reader/query/contents.def"
#undef UNFOLLOWED
};
static const struct {
    unsigned shapes;
    const char *name, *parameters;
    enum contents_effect effect;
} methods[] = {
#define METHOD(shapes, name, parameters, effect) { shapes, name, parameters, DO_##effect },
#include "reader/query/contents.def"
#undef METHOD
};
struct static_row {
    const char *owner, *name;
    enum contents_effect effect;
};
static const struct static_row factories[] = {
#define FACTORY(owner, name, effect) { owner, name, DO_##effect },
#include "reader/query/contents.def"
#undef FACTORY
    { 0 },
};
static const struct static_row changers[] = {
#define CHANGER(owner, name, effect) { owner, name, DO_##effect },
#include "reader/query/contents.def"
#undef CHANGER
    { 0 },
};
static const struct static_row readers[] = {
#define READER(owner, name) { owner, name, DO_READ },
#include "reader/query/contents.def"
#undef READER
    { 0 },
};

const struct contents_class *contents_class_named(const char *type)
{
    for (size_t i = 0; type != NULL && i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].type, type) == 0)
            return &classes[i];
    return NULL;
}

const struct contents_class *contents_class_unfollowed(const char *type)
{
    for (size_t i = 0; type != NULL && i < sizeof unfollowed / sizeof *unfollowed; i++)
        if (strcmp(unfollowed[i].type, type) == 0)
            return &unfollowed[i];
    return NULL;
}

const struct contents_class *contents_class_of(hs_trace *t, uint32_t id)
{
    const struct hs_object *o = hs_object_get(t, id);
    return o != NULL ? contents_class_named(o->type) : NULL;
}

/* `name` NULL in a row: any other method. */
enum contents_effect contents_method(unsigned shapes, const char *name, const char *desc)
{
    const char *end = desc != NULL ? strchr(desc, ')') : NULL;
    if (name == NULL || end == NULL)
        return DO_LOSE;
    size_t size = (size_t)(end - desc) + 1;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if ((methods[i].shapes & shapes) != 0 && (methods[i].name == NULL || strcmp(methods[i].name, name) == 0) &&
            (methods[i].parameters == NULL ||
             (strlen(methods[i].parameters) == size && memcmp(methods[i].parameters, desc, size) == 0)))
            return methods[i].effect;
    return DO_LOSE;
}

static enum contents_effect look_up(const struct static_row *rows, const char *owner, const char *name)
{
    for (; rows->owner != NULL; rows++)
        if (strcmp(rows->owner, owner) == 0 && (rows->name == NULL || strcmp(rows->name, name) == 0))
            return rows->effect;
    return DO_LOSE;
}

enum contents_effect contents_factory(const char *owner, const char *name) { return look_up(factories, owner, name); }
enum contents_effect contents_changer(const char *owner, const char *name) { return look_up(changers, owner, name); }
bool contents_reader(const char *owner, const char *name) { return look_up(readers, owner, name) != DO_LOSE; }
