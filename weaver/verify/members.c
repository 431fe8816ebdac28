/* members.c - see members.h. Which flags go together depends on the version, as in HotSpot. */
#include "weaver/verify/members.h"

#include "formats/map.h"
#include "weaver/verify/constants.h"

enum {
    PROTECTED = 0x0004,
    SUPER = 0x0020,
    TRANSIENT = 0x0080,
    STRICT = 0x0800,
    ANNOTATION = 0x2000,
    ENUM = 0x4000,
    VISIBILITY = ACC_PUBLIC | ACC_PRIVATE | PROTECTED,
};

static bool one_visibility(unsigned access)
{
    unsigned v = access & VISIBILITY;
    return (v & (v - 1)) == 0;
}

static bool class_flags(const struct classfile *cf)
{
    const unsigned a = cf->access;
    if ((a & ACC_ABSTRACT) && (a & ACC_FINAL))
        return false;
    if (!(a & ACC_INTERFACE))
        return cf->major < 49 || !(a & ANNOTATION);
    return (cf->major < 50 || (a & ACC_ABSTRACT)) && (cf->major < 49 || !(a & (SUPER | ENUM)));
}

static bool field_flags(const struct classfile *cf, unsigned a)
{
    const unsigned constant = ACC_PUBLIC | ACC_STATIC | ACC_FINAL;
    if (!(cf->access & ACC_INTERFACE))
        return one_visibility(a) && !((a & ACC_FINAL) && (a & ACC_VOLATILE));
    return (a & constant) == constant && one_visibility(a) && !(a & (ACC_VOLATILE | TRANSIENT)) &&
           (cf->major < 49 || !(a & ENUM));
}

static bool method_of_interface_flags(unsigned major, unsigned a)
{
    const unsigned strict = major >= 49 && major < 60 ? STRICT : 0;
    if (major >= 52)
        return (a & (ACC_PUBLIC | ACC_PRIVATE)) != 0 && one_visibility(a) &&
               !(a & (ACC_NATIVE | PROTECTED | ACC_FINAL | ACC_SYNCHRONIZED)) &&
               !((a & ACC_ABSTRACT) && (a & (ACC_PRIVATE | ACC_STATIC | strict)));
    return (a & ACC_PUBLIC) && (a & ACC_ABSTRACT) && !(a & (ACC_STATIC | ACC_FINAL | ACC_NATIVE)) &&
           (major < 49 || !(a & (ACC_PRIVATE | PROTECTED | ACC_SYNCHRONIZED | STRICT)));
}

static bool method_flags(const struct classfile *cf, unsigned a, struct text name)
{
    const unsigned new = cf->major >= 49, strict = new && cf->major < 60 ? STRICT : 0;
    if (text_is(name, "<clinit>"))
        return cf->major < 51 || (a & ACC_STATIC);
    if (text_is(name, "<init>"))
        return !(cf->access & ACC_INTERFACE) && one_visibility(a) &&
               !(a & (ACC_STATIC | ACC_FINAL | ACC_SYNCHRONIZED | ACC_NATIVE | ACC_ABSTRACT)) &&
               !(new && (a & ACC_BRIDGE));
    if (cf->access & ACC_INTERFACE)
        return method_of_interface_flags(cf->major, a);
    return one_visibility(a) &&
           !((a & ACC_ABSTRACT) && (a & (ACC_FINAL | ACC_NATIVE | ACC_PRIVATE | ACC_STATIC | strict))) &&
           !(new && (a & ACC_ABSTRACT) && (a & ACC_SYNCHRONIZED));
}

static bool method_descriptor(const struct classfile *cf, unsigned access, struct text name, struct text desc)
{
    unsigned slots;
    struct text result;
    if (!constants_is_method_descriptor(desc) || !descriptor_measure(desc, &slots, &result) ||
        slots + !(access & ACC_STATIC) > 255)
        return false;
    if (text_is(name, "<init>"))
        return text_is(result, "V");
    return !text_is(name, "<clinit>") || (text_is(result, "V") && (cf->major < 51 || slots == 0));
}

/* Names and descriptors that were seen, by a hash of both. */
struct seen {
    uint64_t hash;
    struct text name, desc;
};
typedef MAP(struct seen) seen_map;

/* False: it was there. */
static bool add(seen_map *seen, struct text name, struct text desc, enum status *s)
{
    uint64_t hash = map_hash(name.data, name.size) ^ map_hash(desc.data, desc.size);
    struct seen *e;
    for (hash += hash == 0; (e = map_get(seen, hash)) != NULL; hash = map_next_hash(hash))
        if (text_equal(e->name, name) && text_equal(e->desc, desc))
            return false;
    e = map_put(seen, hash);
    if (e == NULL) {
        *s = ERR_MEMORY;
        return true;
    }
    e->name = name;
    e->desc = desc;
    return true;
}

/* JVMS 4.7.2, table 4.7.2-A. */
static bool constant_value(const struct classfile *cf, const struct member *m, struct text desc)
{
    const struct attribute *a = classfile_attribute(cf, m->first_attribute, m->attribute_count, "ConstantValue");
    if (a == NULL || !(m->access & ACC_STATIC))
        return true;
    unsigned tag = a->length == 2 ? cpool_tag(&cf->cp, be2(a->data)) : 0;
    switch (desc.data[0]) {
    case 'J': return tag == CONSTANT_Long;
    case 'D': return tag == CONSTANT_Double;
    case 'F': return tag == CONSTANT_Float;
    case 'L': return tag == CONSTANT_String && text_is(desc, "Ljava/lang/String;");
    case '[': return false;
    default: return tag == CONSTANT_Integer;
    }
}

static enum status check_member(const struct classfile *cf, const struct member *m, bool method, seen_map *seen,
                                struct error *err)
{
    struct text name, desc;
    enum status s = OK;
    const char *what = method ? "method" : "field";
    if (!cpool_utf8(&cf->cp, m->name, &name) || !constants_is_name(name, method) ||
        !cpool_utf8(&cf->cp, m->desc, &desc))
        return error_set(err, ERR_FORMAT, "a %s has no valid name and descriptor", what);
    const int length = (int)name.size;
    if (method ? !method_descriptor(cf, m->access, name, desc) : !constants_is_field_descriptor(desc))
        return error_set(err, ERR_FORMAT, "%s %.*s: a wrong descriptor", what, length, name.data);
    if (method ? !method_flags(cf, m->access, name) : !field_flags(cf, m->access))
        return error_set(err, ERR_FORMAT, "%s %.*s: flags %x do not go together", what, length, name.data, m->access);
    if (!method && !constant_value(cf, m, desc))
        return error_set(err, ERR_FORMAT, "field %.*s: a constant of another type", length, name.data);
    if (!add(seen, name, desc, &s))
        return error_set(err, ERR_FORMAT, "%s %.*s: there are two", what, length, name.data);
    return s == OK ? OK : error_memory(err, "the members of a class");
}

static bool is_class(const struct classfile *cf, uint32_t index, struct text *name)
{
    return cpool_class(&cf->cp, index, name) && name->data[0] != '[';
}

static enum status check_supertypes(const struct classfile *cf, seen_map *seen, struct error *err)
{
    struct text name, super;
    enum status s = OK;
    if (!is_class(cf, cf->this_class, &name) || !class_flags(cf))
        return error_set(err, ERR_FORMAT, "this_class is no class, or flags %x do not go together", cf->access);
    bool root = text_is(name, "java/lang/Object");
    if (root ? cf->super_class != 0 : !is_class(cf, cf->super_class, &super))
        return error_set(err, ERR_FORMAT, "super_class is no class");
    if (!root && (cf->access & ACC_INTERFACE) && !text_is(super, "java/lang/Object"))
        return error_set(err, ERR_FORMAT, "an interface extends a class");
    for (uint32_t i = 0; i < cf->interface_count && s == OK; i++)
        if (!is_class(cf, be2(cf->interfaces + 2 * (size_t)i), &name) || !add(seen, name, TEXT_OF(""), &s))
            return error_set(err, ERR_FORMAT, "interface %u is no class, or there twice", i);
    return s == OK ? OK : error_memory(err, "the interfaces of a class");
}

enum status members_check(const struct classfile *cf, struct error *err)
{
    seen_map interfaces = { 0 }, fields = { 0 }, methods = { 0 };
    enum status s = check_supertypes(cf, &interfaces, err);
    for (size_t i = 0; i < cf->fields.count && s == OK; i++)
        s = check_member(cf, &cf->fields.items[i], false, &fields, err);
    for (size_t i = 0; i < cf->methods.count && s == OK; i++)
        s = check_member(cf, &cf->methods.items[i], true, &methods, err);
    map_free(&interfaces);
    map_free(&fields);
    map_free(&methods);
    return s;
}
