/* types.c - see types.h. */
#include "weaver/verify/types.h"

#include <stdio.h>

static const char *const known_names[KNOWN_NAMES] = {
    [NAME_OBJECT] = "java/lang/Object",
    [NAME_THROWABLE] = "java/lang/Throwable",
    [NAME_STRING] = "java/lang/String",
    [NAME_CLASS] = "java/lang/Class",
    [NAME_METHOD_TYPE] = "java/lang/invoke/MethodType",
    [NAME_METHOD_HANDLE] = "java/lang/invoke/MethodHandle",
    [NAME_CLONEABLE] = "java/lang/Cloneable",
    [NAME_SERIALIZABLE] = "java/io/Serializable",
};

enum status types_init(struct class_types *t, const struct classfile *cf, struct error *err)
{
    *t = (struct class_types){ .cf = cf };
    t->of_class = arena_array(&t->arena, cf->cp.count, sizeof *t->of_class);
    t->members = arena_array(&t->arena, cf->cp.count, sizeof(struct member_types *));
    t->no_memory = t->of_class == NULL || t->members == NULL;
    for (unsigned i = 0; i < KNOWN_NAMES && !t->no_memory; i++)
        (void)types_of_name(t, (struct text){ known_names[i], strlen(known_names[i]) });
    t->super_type = VT_TOP;
    if (!t->no_memory && !types_of_class(t, cf->this_class, &t->this_type))
        return error_set(err, ERR_FORMAT, "this_class is not a class");
    if (!t->no_memory && cf->super_class != 0 && !types_of_class(t, cf->super_class, &t->super_type))
        return error_set(err, ERR_FORMAT, "super_class is not a class");
    return t->no_memory ? error_memory(err, "the types of a class") : OK;
}

void types_done(struct class_types *t)
{
    vec_free(&t->names);
    map_free(&t->numbers);
    arena_done(&t->arena);
}

vtype types_of_name(struct class_types *t, struct text name)
{
    uint64_t hash = map_hash(name.data, name.size);
    struct name_entry *e;
    for (; (e = map_get(&t->numbers, hash)) != NULL; hash = map_next_hash(hash))
        if (text_equal(e->name, name))
            return vtype_of(VT_OBJECT, e->number);
    struct text *slot = t->names.count < NAMES_MAX ? vec_push(&t->names) : NULL;
    e = slot != NULL ? map_put(&t->numbers, hash) : NULL;
    if (e == NULL) {
        t->no_memory = true;
        return VT_TOP;
    }
    *slot = e->name = name;
    e->number = NAMES_FROM + (uint32_t)t->names.count - 1;
    return vtype_of(VT_OBJECT, e->number);
}

struct text types_name(const struct class_types *t, vtype v) { return t->names.items[vtype_index(v) - NAMES_FROM]; }

vtype types_of_descriptor(struct class_types *t, const char *desc, size_t size)
{
    switch (desc[0]) {
    case 'J': return VT_LONG;
    case 'D': return VT_DOUBLE;
    case 'F': return VT_FLOAT;
    case 'L': return types_of_name(t, (struct text){ desc + 1, size - 2 });
    case '[': return types_of_name(t, (struct text){ desc, size });
    default: return VT_INTEGER;
    }
}

bool types_of_class(struct class_types *t, uint32_t index, vtype *out)
{
    struct text name;
    if (!cpool_class(&t->cf->cp, index, &name))
        return false;
    if (t->of_class[index] == 0)
        t->of_class[index] = types_of_name(t, name);
    *out = t->of_class[index];
    return true;
}

static bool add_arguments(struct class_types *t, struct member_types *m)
{
    struct text desc = m->ref.desc, result;
    unsigned slots;
    if (!descriptor_measure(desc, &slots, &result))
        return false;
    vtype *list = arena_array(&t->arena, slots + 1, sizeof *list);
    if (list == NULL) {
        t->no_memory = true;
        return false;
    }
    for (size_t i = 1; desc.data[i] != ')';) {
        size_t size = descriptor_type_length(desc.data + i, desc.size - i);
        list[m->argument_count++] = types_of_descriptor(t, desc.data + i, size);
        i += size;
    }
    m->arguments = list;
    m->argument_slots = slots;
    m->is_void = result.data[0] == 'V';
    m->result = m->is_void ? VT_TOP : types_of_descriptor(t, result.data, result.size);
    return true;
}

const struct member_types *types_of_member(struct class_types *t, uint32_t index)
{
    const struct cpool *cp = &t->cf->cp;
    struct member_types m = { 0 };
    uint32_t bootstrap;
    if (index >= cp->count)
        return NULL;
    if (t->members[index] != NULL)
        return t->members[index];
    if (cpool_tag(cp, index) == CONSTANT_InvokeDynamic) {
        if (!cpool_dynamic(cp, index, &bootstrap, &m.ref.name, &m.ref.desc))
            return NULL;
        m.ref.tag = CONSTANT_InvokeDynamic;
    } else if (!cpool_member(cp, index, &m.ref) || !types_of_class(t, m.ref.class_index, &m.owner)) {
        return NULL;
    }
    if (m.ref.tag == CONSTANT_Fieldref) {
        struct text desc = m.ref.desc;
        if (desc.size == 0 || desc.data[0] == 'V' || descriptor_type_length(desc.data, desc.size) != desc.size)
            return NULL;
        m.result = types_of_descriptor(t, desc.data, desc.size);
    } else if (!add_arguments(t, &m)) {
        return NULL;
    }
    t->members[index] = arena_get(&t->arena, sizeof m);
    if (t->members[index] == NULL)
        t->no_memory = true;
    else
        *t->members[index] = m;
    return t->members[index];
}

vtype types_element(struct class_types *t, vtype array)
{
    struct text name = type_tag(array) == VT_OBJECT ? types_name(t, array) : TEXT_OF("");
    if (name.size < 2 || name.data[0] != '[')
        return VT_TOP;
    return types_of_descriptor(t, name.data + 1, name.size - 1);
}

/* A class that is known to extend java.lang.Object directly, or to be it. */
static bool extends_object(const struct class_types *t, vtype v)
{
    return vtype_index(v) - NAMES_FROM < NAME_CLONEABLE ||
           (v == t->this_type && t->super_type == type_known(NAME_OBJECT));
}

/* Of two classes, no arrays, that differ. Interfaces are treated like java.lang.Object, and a class that is not known
 * could be one. */
static bool is_subclass(const struct class_types *t, vtype from, vtype to)
{
    bool to_is_class =
        vtype_index(to) - NAMES_FROM < NAME_CLONEABLE || (to == t->this_type && (t->cf->access & ACC_INTERFACE) == 0);
    if (to == type_known(NAME_OBJECT) || !to_is_class)
        return true;
    return !extends_object(t, from) && !(from == t->super_type && to == t->this_type);
}

static bool object_assignable(struct class_types *t, vtype from, vtype to)
{
    while (from != to && to != type_known(NAME_OBJECT)) {
        bool from_array = types_name(t, from).data[0] == '[', to_array = types_name(t, to).data[0] == '[';
        if (from_array && !to_array)
            return to == type_known(NAME_CLONEABLE) || to == type_known(NAME_SERIALIZABLE);
        if (!from_array)
            return !to_array && is_subclass(t, from, to);
        char a = types_name(t, from).data[1], b = types_name(t, to).data[1];
        if ((a != 'L' && a != '[') || (b != 'L' && b != '['))
            return false; /* arrays of different primitive types, or of a primitive type and objects */
        from = types_element(t, from);
        to = types_element(t, to);
        if (t->no_memory)
            return true;
    }
    return true;
}

bool types_assignable(struct class_types *t, vtype from, vtype to)
{
    if (from == to || to == VT_TOP || type_tag(from) == TYPE_ANYTHING)
        return true;
    if (type_tag(to) != VT_OBJECT)
        return false;
    if (from == VT_NULL || type_tag(from) == TYPE_UNKNOWN)
        return true;
    return type_tag(from) == VT_OBJECT && object_assignable(t, from, to);
}

static bool is_object(vtype v) { return type_tag(v) == VT_OBJECT || v == VT_NULL || type_tag(v) == TYPE_UNKNOWN; }

vtype types_merge(const struct class_types *t, vtype a, vtype b)
{
    if (a == b)
        return a;
    if (type_tag(a) == TYPE_ANYTHING || type_tag(b) == TYPE_ANYTHING)
        return TYPE_ANYTHING;
    if (!is_object(a) || !is_object(b))
        return VT_TOP;
    if (a == VT_NULL || b == VT_NULL)
        return a == VT_NULL ? b : a;
    if (a == type_known(NAME_OBJECT) || b == type_known(NAME_OBJECT))
        return type_known(NAME_OBJECT);
    if (type_tag(a) == TYPE_UNKNOWN || type_tag(b) == TYPE_UNKNOWN)
        return TYPE_UNKNOWN;
    bool arrays[2] = { types_name(t, a).data[0] == '[', types_name(t, b).data[0] == '[' };
    if (arrays[0] != arrays[1] || (!arrays[0] && extends_object(t, a) && extends_object(t, b)))
        return type_known(NAME_OBJECT);
    return TYPE_UNKNOWN;
}

const char *types_show(const struct class_types *t, vtype v, char out[TYPE_TEXT_MAX])
{
    static const char *const names[] = {
        [VT_TOP] = "nothing usable",
        [VT_INTEGER] = "int",
        [VT_FLOAT] = "float",
        [VT_DOUBLE] = "double",
        [VT_LONG] = "long",
        [VT_NULL] = "null",
        [VT_UNINITIALIZED_THIS] = "this before its constructor has run",
        [VT_OBJECT] = "",
        [VT_UNINITIALIZED] = "",
        [TYPE_LONG_HALF] = "half of a long",
        [TYPE_DOUBLE_HALF] = "half of a double",
        [TYPE_UNKNOWN] = "an object",
        [TYPE_RETURN_ADDRESS] = "a return address",
        [TYPE_ANYTHING] = "anything",
    };
    if (type_tag(v) == VT_UNINITIALIZED) {
        (void)snprintf(out, TYPE_TEXT_MAX, "the new object of pc %u before its constructor has run", vtype_index(v));
    } else if (type_tag(v) == VT_OBJECT) {
        struct text n = types_name(t, v);
        (void)snprintf(out, TYPE_TEXT_MAX, "%.*s", (int)n.size, n.data);
    } else {
        (void)snprintf(out, TYPE_TEXT_MAX, "%s", names[type_tag(v)]);
    }
    return out;
}
