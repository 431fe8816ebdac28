/* constants.c - what the entries of the constant pool refer to. JVMS 4.4, 4.2, 4.3. */
#include "weaver/verify/constants.h"

static bool fault(struct error *err, uint32_t index, const char *what)
{
    (void)error_set(err, ERR_FORMAT, "constant %u: %s", index, what);
    return false;
}

/* Names of methods also have no < and >, but for <init> and <clinit>. */
bool constants_is_name(struct text t, bool method)
{
    if (method && (text_is(t, "<init>") || text_is(t, "<clinit>")))
        return true;
    for (size_t i = 0; i < t.size; i++)
        if (memchr(method ? ".;[/<>" : ".;[/", t.data[i], method ? 6 : 4) != NULL)
            return false;
    return t.size > 0;
}

/* JVMS 4.2.1: names divided by single slashes; or the descriptor of an array. */
static bool is_class_name(struct text t)
{
    if (t.size > 0 && t.data[0] == '[')
        return constants_is_field_descriptor(t);
    for (size_t i = 0; i < t.size; i++)
        if (memchr(".;[", t.data[i], 3) != NULL ||
            (t.data[i] == '/' && (i == 0 || i + 1 == t.size || t.data[i - 1] == '/')))
            return false;
    return t.size > 0;
}

/* Are the class names in a well-formed descriptor valid? */
static bool has_class_names(struct text t)
{
    for (size_t i = 0; i < t.size; i++) {
        if (t.data[i] != 'L')
            continue;
        const char *name = t.data + i + 1, *end = memchr(name, ';', t.size - i - 1);
        if (end == NULL || *name == '[' || !is_class_name((struct text){ name, (size_t)(end - name) }))
            return false;
        i = (size_t)(end - t.data);
    }
    return true;
}

bool constants_is_field_descriptor(struct text t)
{
    return t.size > 0 && t.data[0] != 'V' && descriptor_type_length(t.data, t.size) == t.size && has_class_names(t);
}

bool constants_is_method_descriptor(struct text t)
{
    unsigned slots;
    struct text result;
    return descriptor_measure(t, &slots, &result) && has_class_names(t);
}

/* Modified UTF-8, JVMS 4.4.7: no NUL, no more bytes than necessary, at most three. */
static bool is_modified_utf8(struct text t)
{
    const uint8_t *p = (const uint8_t *)t.data;
    for (size_t i = 0; i < t.size;) {
        unsigned more = p[i] < 0x80 ? 0 : p[i] >> 5 == 6 ? 1 : p[i] >> 4 == 14 ? 2 : 3;
        if (p[i] == 0 || more == 3 || t.size - i <= more)
            return false;
        uint32_t c = more == 0 ? p[i] : more == 1 ? p[i] & 0x1fU : p[i] & 0xfU;
        for (unsigned k = 1; k <= more; k++) {
            if (p[i + k] >> 6 != 2)
                return false;
            c = c << 6 | (p[i + k] & 0x3fU);
        }
        if ((more == 1 && c < 0x80 && c != 0) || (more == 2 && c < 0x800))
            return false;
        i += more + 1;
    }
    return true;
}

static bool check_member(const struct cpool *cp, uint32_t index, struct error *err)
{
    struct member_ref ref;
    if (!cpool_member(cp, index, &ref))
        return fault(err, index, "it refers to no class or no name and descriptor");
    if (!constants_is_name(ref.name, ref.tag != CONSTANT_Fieldref))
        return fault(err, index, "a malformed name");
    if (!(ref.tag == CONSTANT_Fieldref ? constants_is_field_descriptor(ref.desc)
                                       : constants_is_method_descriptor(ref.desc)))
        return fault(err, index, "a malformed descriptor");
    if (ref.tag != CONSTANT_Fieldref && ref.name.data[0] == '<' &&
        (!text_is(ref.name, "<init>") || ref.desc.data[ref.desc.size - 1] != 'V' || ref.tag != CONSTANT_Methodref))
        return fault(err, index, "no method of that name can be called");
    return true;
}

/* JVMS 4.4.8, table 5.4.3.5-A. */
static bool check_handle(const struct classfile *cf, uint32_t index, struct error *err)
{
    enum { GET_FIELD = 1, PUT_STATIC = 4, INVOKE_STATIC = 6, INVOKE_SPECIAL, NEW_INVOKE_SPECIAL, INVOKE_INTERFACE };
    const uint8_t *p = cpool_entry(&cf->cp, index);
    struct member_ref ref;
    if (!cpool_method_handle(&cf->cp, index, &ref))
        return fault(err, index, "it refers to no member");
    unsigned kind = p[1];
    bool constructor = text_is(ref.name, "<init>");
    bool either =
        ref.tag == CONSTANT_InterfaceMethodref && cf->major >= 52 && (kind == INVOKE_STATIC || kind == INVOKE_SPECIAL);
    unsigned wanted = kind <= PUT_STATIC         ? CONSTANT_Fieldref
                      : kind == INVOKE_INTERFACE ? CONSTANT_InterfaceMethodref
                                                 : CONSTANT_Methodref;
    if (kind < GET_FIELD || kind > INVOKE_INTERFACE || (ref.tag != wanted && !either) ||
        (kind > PUT_STATIC && constructor != (kind == NEW_INVOKE_SPECIAL)))
        return fault(err, index, "a method handle of the wrong kind");
    return true;
}

static bool check_entry(const struct classfile *cf, uint32_t i, uint32_t bootstraps, struct error *err)
{
    const struct cpool *cp = &cf->cp;
    const uint8_t *p = cpool_entry(cp, i);
    struct text name, desc;
    uint32_t bootstrap;
    switch ((enum constant_tag) * p) {
    case CONSTANT_Utf8: return (cpool_utf8(cp, i, &name) && is_modified_utf8(name)) || fault(err, i, "malformed text");
    case CONSTANT_Integer:
    case CONSTANT_Float:
    case CONSTANT_Long:
    case CONSTANT_Double:
    case CONSTANT_Module:
    case CONSTANT_Package: return true;
    case CONSTANT_Class:
        return (cpool_class(cp, i, &name) && is_class_name(name)) || fault(err, i, "no valid name of a class");
    case CONSTANT_String: return cpool_utf8(cp, be2(p + 1), &name) || fault(err, i, "a string without characters");
    case CONSTANT_NameAndType:
        return (cpool_name_and_type(cp, i, &name, &desc) && desc.size > 0 &&
                constants_is_name(name, desc.data[0] == '(') &&
                (desc.data[0] == '(' ? constants_is_method_descriptor(desc) : constants_is_field_descriptor(desc))) ||
               fault(err, i, "no valid name and descriptor");
    case CONSTANT_Fieldref:
    case CONSTANT_Methodref:
    case CONSTANT_InterfaceMethodref: return check_member(cp, i, err);
    case CONSTANT_MethodHandle:
        return cf->major >= 51 ? check_handle(cf, i, err) : fault(err, i, "not allowed before version 51");
    case CONSTANT_MethodType:
        return (cf->major >= 51 && cpool_utf8(cp, be2(p + 1), &desc) && constants_is_method_descriptor(desc)) ||
               fault(err, i, "no valid method type");
    case CONSTANT_Dynamic:
    case CONSTANT_InvokeDynamic:
        if (cf->major < (*p == CONSTANT_Dynamic ? 55 : 51) || !cpool_dynamic(cp, i, &bootstrap, &name, &desc))
            return fault(err, i, "it has no name and descriptor, or is not allowed in this version");
        if (!constants_is_name(name, *p == CONSTANT_InvokeDynamic) || name.data[0] == '<' ||
            !(*p == CONSTANT_Dynamic ? constants_is_field_descriptor(desc) : constants_is_method_descriptor(desc)))
            return fault(err, i, "a malformed name or descriptor");
        return bootstrap < bootstraps || fault(err, i, "its bootstrap method is missing");
    }
    return fault(err, i, "an unknown tag");
}

bool constants_check(const struct classfile *cf, struct error *err)
{
    const struct attribute *a = classfile_attribute(cf, cf->first_attribute, cf->attribute_count, "BootstrapMethods");
    uint32_t bootstraps = a != NULL && a->length >= 2 ? be2(a->data) : 0;
    for (uint32_t i = 1; i < cf->cp.count; i++)
        if (cf->cp.offsets[i] != CPOOL_NO_ENTRY && !check_entry(cf, i, bootstraps, err))
            return false;
    return true;
}
