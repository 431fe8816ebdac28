/* class_fixture.h - class files made by hand, for the tests of formats/jvm and weaver.
 *
 *     struct made k = made_class(52, "Made");
 *     uint16_t m = made_ref(&k, CONSTANT_Methodref, "Made", "m", "()V");
 *     made_method(&k, ACC_STATIC, "m", "()V", 2, 1, &code, NULL, 0, NULL, 0);
 *     made_finish(&k);                       // k.bytes is the class file
 *     made_done(&k); */
#ifndef TEST_UNIT_CLASS_FIXTURE_H
#define TEST_UNIT_CLASS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/code.h"

struct made {
    struct writer pool, fields, methods, attributes, bytes;
    unsigned next, field_count, method_count, attribute_count, major, access, this_class, super_class;
};

struct made_attribute {
    const char *name;
    const struct writer *data;
};

static inline uint16_t made_utf8(struct made *k, const char *s)
{
    write_u1(&k->pool, CONSTANT_Utf8);
    write_u2(&k->pool, (unsigned)strlen(s));
    write_bytes(&k->pool, s, strlen(s));
    return (uint16_t)k->next++;
}

static inline uint16_t made_pair(struct made *k, unsigned tag, unsigned a, unsigned b)
{
    write_u1(&k->pool, tag);
    write_u2(&k->pool, a);
    write_u2(&k->pool, b);
    return (uint16_t)k->next++;
}

static inline uint16_t made_class_ref(struct made *k, const char *name)
{
    unsigned utf8 = made_utf8(k, name);
    write_u1(&k->pool, CONSTANT_Class);
    write_u2(&k->pool, utf8);
    return (uint16_t)k->next++;
}

static inline uint16_t made_ref(struct made *k, unsigned tag, const char *owner, const char *name, const char *desc)
{
    unsigned c = made_class_ref(k, owner), n = made_utf8(k, name), d = made_utf8(k, desc);
    return made_pair(k, tag, c, made_pair(k, CONSTANT_NameAndType, n, d));
}

static inline struct made made_class(unsigned major, const char *name)
{
    struct made k = { .next = 1, .major = major, .access = ACC_PUBLIC | 0x20 };
    k.this_class = made_class_ref(&k, name);
    k.super_class = made_class_ref(&k, "java/lang/Object");
    return k;
}

static inline void made_attributes(struct made *k, struct writer *w, const struct made_attribute *a, unsigned count)
{
    write_u2(w, count);
    for (unsigned i = 0; i < count; i++) {
        write_u2(w, made_utf8(k, a[i].name));
        write_u4(w, (uint32_t)a[i].data->size);
        write_bytes(w, a[i].data->data, a[i].data->size);
    }
}

/* The content of a Code attribute. */
static inline struct writer made_code(struct made *k, unsigned max_stack, unsigned max_locals,
                                      const struct writer *code, const struct handler *h, unsigned handlers,
                                      const struct made_attribute *a, unsigned attributes)
{
    struct writer w = { 0 };
    write_u2(&w, max_stack);
    write_u2(&w, max_locals);
    write_u4(&w, (uint32_t)code->size);
    write_bytes(&w, code->data, code->size);
    write_u2(&w, handlers);
    for (unsigned i = 0; i < handlers; i++) {
        write_u2(&w, h[i].start);
        write_u2(&w, h[i].end);
        write_u2(&w, h[i].handler);
        write_u2(&w, h[i].type);
    }
    made_attributes(k, &w, a, attributes);
    return w;
}

static inline void made_method(struct made *k, unsigned access, const char *name, const char *desc, unsigned max_stack,
                               unsigned max_locals, const struct writer *code, const struct handler *h,
                               unsigned handlers, const struct made_attribute *a, unsigned attributes)
{
    write_u2(&k->methods, access);
    write_u2(&k->methods, made_utf8(k, name));
    write_u2(&k->methods, made_utf8(k, desc));
    struct writer w = made_code(k, max_stack, max_locals, code, h, handlers, a, attributes);
    made_attributes(k, &k->methods, &(struct made_attribute){ "Code", &w }, 1);
    writer_free(&w);
    k->method_count++;
}

static inline void made_field(struct made *k, unsigned access, const char *name, const char *desc)
{
    write_u2(&k->fields, access);
    write_u2(&k->fields, made_utf8(k, name));
    write_u2(&k->fields, made_utf8(k, desc));
    write_u2(&k->fields, 0);
    k->field_count++;
}

static inline void made_class_attribute(struct made *k, const char *name, const void *data, size_t size)
{
    write_u2(&k->attributes, made_utf8(k, name));
    write_u4(&k->attributes, (uint32_t)size);
    write_bytes(&k->attributes, data, size);
    k->attribute_count++;
}

static inline void made_finish(struct made *k)
{
    struct writer *w = &k->bytes;
    w->size = 0;
    write_u4(w, 0xcafebabe);
    write_u2(w, 0);
    write_u2(w, k->major);
    write_u2(w, k->next);
    write_bytes(w, k->pool.data, k->pool.size);
    write_u2(w, k->access);
    write_u2(w, k->this_class);
    write_u2(w, k->super_class);
    write_u2(w, 0);
    write_u2(w, k->field_count);
    write_bytes(w, k->fields.data, k->fields.size);
    write_u2(w, k->method_count);
    write_bytes(w, k->methods.data, k->methods.size);
    write_u2(w, k->attribute_count);
    write_bytes(w, k->attributes.data, k->attributes.size);
}

static inline void made_done(struct made *k)
{
    writer_free(&k->pool);
    writer_free(&k->fields);
    writer_free(&k->methods);
    writer_free(&k->attributes);
    writer_free(&k->bytes);
}

/* A copy in a block of exactly its size, so that the sanitizer sees every read behind it. */
static inline uint8_t *exact_copy(const void *data, size_t n)
{
    uint8_t *p = malloc(n != 0 ? n : 1);
    assert_non_null(p);
    if (n != 0)
        memcpy(p, data, n);
    return p;
}

/* Instructions: op alone, with one byte, with two, with four. */
static inline void op(struct writer *w, unsigned code) { write_u1(w, code); }
static inline void op1(struct writer *w, unsigned code, unsigned v)
{
    write_u1(w, code);
    write_u1(w, v);
}
static inline void op2(struct writer *w, unsigned code, unsigned v)
{
    write_u1(w, code);
    write_u2(w, v & 0xffff);
}
static inline void op4(struct writer *w, unsigned code, uint32_t v)
{
    write_u1(w, code);
    write_u4(w, v);
}
/* A two-byte distance at `at` (the pc of its instruction), so that it leads to where the code ends now. */
static inline void here(struct writer *w, size_t at) { put_be2(w->data + at + 1, (unsigned)(w->size - at) & 0xffff); }

static inline uint32_t noise(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20);
}

#endif
