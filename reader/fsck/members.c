/* members.c - the field that an instruction certainly accesses, and what a call may do.
 *
 * Resolution follows JVMS 5.4.3.2 over the class files of woven classes; a class that is not woven ends the search
 * without a result. */
#include "reader/fsck/members.h"

#include <string.h>

/* Methods of the library that can neither write fields of woven classes nor elements of their arrays; and those that
 * could only by calling back code that is not woven. */
enum purity call_purity(const struct hs_dataid *row)
{
    static const char *const basics[] = { "Object", "String",    "StringBuilder", "StringBuffer",
                                          "Math",   "Integer",   "Long",          "Short",
                                          "Byte",   "Character", "Boolean",       "Float",
                                          "Double", "Throwable", "Exception",     "RuntimeException" };
    static const char string[] = "Ljava/lang/String;";
    const char *owner = attribute_text(row, "owner"), *desc = attribute_text(row, "desc"),
               *name = attribute_text(row, "name");
    if (owner == NULL || desc == NULL || name == NULL || row->event == EVENT_INVOKE_DYNAMIC)
        return CALL_ANYTHING;
    for (size_t i = 0; strncmp(owner, "java.lang.", 10) == 0 && i < sizeof basics / sizeof *basics; i++) {
        if (strcmp(owner + 10, basics[i]) != 0)
            continue;
        size_t size = strlen(desc);
        for (size_t at = 1, n; at < size && desc[at] != ')'; at += n) {
            n = descriptor_type_length(desc + at, size - at);
            if (n == 0)
                return CALL_ANYTHING;
            if (n > 1 && (n != sizeof string - 1 || memcmp(desc + at, string, n) != 0))
                return CALL_LIBRARY;
        }
        return i == 0 && strcmp(name, "<init>") != 0 ? CALL_LIBRARY
                                                     : CALL_PURE; /* other methods of Object may be overridden */
    }
    bool util = strncmp(owner, "java.util.", 10) == 0 && strncmp(owner + 10, "concurrent.", 11) != 0 &&
                strcmp(owner, "java.util.ServiceLoader") != 0;
    return util || strcmp(owner, "java.io.PrintStream") == 0 ? CALL_LIBRARY : CALL_ANYTHING;
}

struct ffield *field_of(struct fsck *f, const struct hs_dataid *row)
{
    const char *owner = attribute_text(row, "owner"), *name = attribute_text(row, "name"),
               *type = attribute_text(row, "type");
    struct fclass *c = owner != NULL ? class_by_name(f, owner, strlen(owner)) : NULL;
    bool is_static = row->event == EVENT_GET_STATIC_FIELD || row->event == EVENT_PUT_STATIC_FIELD;
    for (int depth = 0; name != NULL && type != NULL && class_is_woven(c) && depth < SUPERCLASSES_MOST;
         depth++, c = class_super(f, c)) {
        if (class_need(f, c) == NULL)
            return NULL;
        for (size_t i = 0; i < c->cf->fields.count; i++) {
            const struct member *m = &c->cf->fields.items[i];
            struct text n, d;
            if (!cpool_utf8(&c->cf->cp, m->name, &n) || !text_is(n, name) || !cpool_utf8(&c->cf->cp, m->desc, &d))
                continue;
            struct writer w = { 0 };
            (void)descriptor_to_source(d.data, d.size, &w);
            f->no_memory |= w.bad;
            bool same = !w.bad && text_is((struct text){ (const char *)w.data, w.size }, type);
            writer_free(&w);
            if (same)
                return c->fields[i].is_static == is_static ? &c->fields[i] : NULL;
        }
        if (is_static && c->cf->interface_count > 0)
            return NULL; /* it may be inherited from an interface */
    }
    return NULL;
}
