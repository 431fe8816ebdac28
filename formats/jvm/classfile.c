/* classfile.c - the ClassFile structure. Reader and writer list the parts in the same order. */
#include "formats/jvm/classfile.h"
#include "formats/jvm/primitive.h"

#include <stdlib.h>

enum status attributes_read(struct reader *r, attribute_vec *out, uint32_t *count)
{
    *count = read_u2(r);
    for (uint32_t i = 0; i < *count && !r->bad; i++) {
        struct attribute *a = vec_push(out);
        if (a == NULL) {
            *count = i;
            r->bad = true;
            return ERR_MEMORY;
        }
        a->name = read_u2(r);
        a->length = read_u4(r);
        a->data = read_span(r, a->length);
    }
    return r->bad ? ERR_FORMAT : OK;
}

void attributes_write(struct writer *w, const struct attribute *a, uint32_t count)
{
    write_u2(w, count);
    for (uint32_t i = 0; i < count; i++) {
        write_u2(w, a[i].name);
        write_u4(w, a[i].length);
        write_bytes(w, a[i].data, a[i].length);
    }
}

#define READ_MEMBERS(r, list, cf)                                                                                      \
    do {                                                                                                               \
        uint32_t n_ = read_u2(r);                                                                                      \
        for (uint32_t i_ = 0; i_ < n_ && !(r)->bad; i_++) {                                                            \
            struct member *m_ = vec_push(list);                                                                        \
            if (m_ == NULL)                                                                                            \
                return error_memory(err, "the members of a class");                                                    \
            m_->access = read_u2(r);                                                                                   \
            m_->name = read_u2(r);                                                                                     \
            m_->desc = read_u2(r);                                                                                     \
            m_->first_attribute = (uint32_t)(cf)->attributes.count;                                                    \
            if (attributes_read((r), &(cf)->attributes, &m_->attribute_count) == ERR_MEMORY)                           \
                return error_memory(err, "the attributes of a class");                                                 \
        }                                                                                                              \
    } while (0)

enum status classfile_read(struct classfile *cf, const void *data, size_t size, struct error *err)
{
    *cf = (struct classfile){ .data = data, .size = size };
    struct reader r = reader_of(data, size);
    if (read_u4(&r) != 0xcafebabe)
        return error_set(err, ERR_FORMAT,
                         size < 4 ? "the class file ends inside its first 4 bytes"
                                  : "not a class file: the magic number is missing");
    cf->minor = read_u2(&r);
    cf->major = read_u2(&r);
    uint32_t constants = read_u2(&r);
    if (r.bad)
        return error_set(err, ERR_FORMAT, "the class file ends inside its header");
    enum status s = cpool_read(&cf->cp, &r, constants, err);
    if (s != OK)
        return s;
    cf->access = read_u2(&r);
    cf->this_class = read_u2(&r);
    cf->super_class = read_u2(&r);
    cf->interface_count = read_u2(&r);
    cf->interfaces = read_span(&r, 2 * (size_t)cf->interface_count);
    READ_MEMBERS(&r, &cf->fields, cf);
    READ_MEMBERS(&r, &cf->methods, cf);
    cf->first_attribute = (uint32_t)cf->attributes.count;
    if (attributes_read(&r, &cf->attributes, &cf->attribute_count) == ERR_MEMORY)
        return error_memory(err, "the attributes of a class");
    if (r.bad)
        return error_set(err, ERR_FORMAT,
                         "the class file ends too early: it has %zu bytes and its structures need more", size);
    if (r.at != size)
        return error_set(err, ERR_FORMAT, "%zu bytes stand behind the end of the class file", size - r.at);
    return OK;
}

static void write_members(struct writer *w, const struct classfile *cf, const struct member *m, size_t count)
{
    write_u2(w, (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        write_u2(w, m[i].access);
        write_u2(w, m[i].name);
        write_u2(w, m[i].desc);
        attributes_write(w, cf->attributes.items + m[i].first_attribute, m[i].attribute_count);
    }
}

/* No less than what will be written. */
static size_t written_size(const struct classfile *cf)
{
    size_t size = 32 + cf->cp.size + cf->cp.added.size + 2 * (size_t)cf->interface_count +
                  8 * (cf->fields.count + cf->methods.count);
    for (size_t i = 0; i < cf->attributes.count; i++)
        size += 6 + (size_t)cf->attributes.items[i].length;
    return size;
}

void classfile_write(const struct classfile *cf, struct writer *w)
{
    (void)writer_reserve(w, written_size(cf)); /* at once, not by doubling; if it fails, w->bad is set */
    write_u4(w, 0xcafebabe);
    write_u2(w, cf->minor);
    write_u2(w, cf->major);
    write_u2(w, cf->cp.next);
    write_bytes(w, cf->cp.data, cf->cp.size);
    write_bytes(w, cf->cp.added.data, cf->cp.added.size);
    write_u2(w, cf->access);
    write_u2(w, cf->this_class);
    write_u2(w, cf->super_class);
    write_u2(w, cf->interface_count);
    write_bytes(w, cf->interfaces, 2 * (size_t)cf->interface_count);
    write_members(w, cf, cf->fields.items, cf->fields.count);
    write_members(w, cf, cf->methods.items, cf->methods.count);
    attributes_write(w, cf->attributes.items + cf->first_attribute, cf->attribute_count);
}

void classfile_done(struct classfile *cf)
{
    cpool_done(&cf->cp);
    vec_free(&cf->fields);
    vec_free(&cf->methods);
    vec_free(&cf->attributes);
}

struct attribute *classfile_attribute(const struct classfile *cf, uint32_t first, uint32_t count, const char *name)
{
    for (uint32_t i = first; i < first + count; i++) {
        struct text t;
        if (cpool_utf8(&cf->cp, cf->attributes.items[i].name, &t) && text_is(t, name))
            return &cf->attributes.items[i];
    }
    return NULL;
}

size_t descriptor_type_length(const char *desc, size_t size)
{
    size_t i = 0;
    while (i < size && desc[i] == '[')
        i++;
    if (i == size)
        return 0;
    switch (desc[i]) {
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z': return i + 1;
    case 'V': return i == 0 ? 1 : 0;
    case 'L': break;
    default: return 0;
    }
    const char *end = memchr(desc + i, ';', size - i);
    return end != NULL ? (size_t)(end - desc) + 1 : 0;
}

size_t descriptor_to_source(const char *desc, size_t size, struct writer *w)
{
    size_t n = descriptor_type_length(desc, size), depth = 0;
    if (n == 0)
        return 0;
    while (desc[depth] == '[')
        depth++;
    const struct primitive *p = primitive_of_letter(desc[depth]);
    const char *word = p != NULL ? p->name : desc[depth] == 'V' ? "void" : NULL;
    for (size_t i = depth + 1; word == NULL && i < n - 1; i++)
        write_u1(w, desc[i] == '/' ? '.' : (unsigned char)desc[i]);
    if (word != NULL)
        write_bytes(w, word, strlen(word));
    for (size_t i = 0; i < depth; i++)
        write_bytes(w, "[]", 2);
    return n;
}

bool descriptor_to_parameters(const char *desc, size_t size, struct writer *w)
{
    size_t i = 1;
    if (size < 3 || desc[0] != '(')
        return false;
    write_u1(w, '(');
    while (i < size && desc[i] != ')') {
        if (i > 1)
            write_bytes(w, ", ", 2);
        size_t n = desc[i] != 'V' ? descriptor_to_source(desc + i, size - i, w) : 0;
        if (n == 0)
            return false;
        i += n;
    }
    write_u1(w, ')');
    return i + 1 < size;
}

unsigned descriptor_count(struct text desc)
{
    unsigned n = 0;
    for (size_t at = 1; at < desc.size && desc.data[at] != ')'; n++) {
        const size_t length = descriptor_type_length(desc.data + at, desc.size - at);
        if (length == 0)
            break;
        at += length;
    }
    return n;
}

bool descriptor_measure(struct text desc, unsigned *argument_slots, struct text *result)
{
    unsigned slots = 0;
    size_t i = 1;
    if (desc.size < 3 || desc.data[0] != '(')
        return false;
    while (i < desc.size && desc.data[i] != ')') {
        size_t n = descriptor_type_length(desc.data + i, desc.size - i);
        if (n == 0 || desc.data[i] == 'V')
            return false;
        slots += type_slots(desc.data[i]);
        i += n;
    }
    if (i >= desc.size)
        return false;
    i++;
    if (descriptor_type_length(desc.data + i, desc.size - i) != desc.size - i || i == desc.size || slots > 255)
        return false;
    *argument_slots = slots;
    *result = (struct text){ desc.data + i, desc.size - i };
    return true;
}
