/* cpool.h - the constant pool: bounded look-ups in the original entries, and new entries appended behind them.
 *
 * Indices that came with the class never change, so every attribute that is kept stays valid byte for byte. JVMS
 * 4.4. */
#ifndef FORMATS_JVM_CPOOL_H
#define FORMATS_JVM_CPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/bytes.h"
#include "formats/rows.h"
#include "formats/status.h"

enum constant_tag {
#define CONSTANT(tag, name, size, slots) CONSTANT_##name = (tag),
#include "formats/jvm/constants.def"
#undef CONSTANT
};
enum { CPOOL_MAX = 65535 }; /* constant_pool_count may not exceed it */
#define CPOOL_NO_ENTRY UINT32_MAX

struct cpool {
    const uint8_t *data; /* first entry; borrowed from the class file */
    size_t size;         /* bytes of all original entries */
    uint32_t *offsets;   /* of each entry's tag, 0 based at data, or CPOOL_NO_ENTRY; owned */
    uint32_t count;      /* constant_pool_count as read */
    uint32_t next;       /* count plus appended entries */
    struct writer added; /* appended entries */
};

/* Reads the pool at the reader's position (just behind constant_pool_count). Free with cpool_done. */
enum status cpool_read(struct cpool *cp, struct reader *r, uint32_t count, struct error *err);
void cpool_done(struct cpool *cp);

/* The tag of an original entry and what follows it; NULL for an index that is out of range or the second half of a long
 * or double. */
static inline const uint8_t *cpool_entry(const struct cpool *cp, uint32_t index)
{
    return index < cp->count && cp->offsets[index] != CPOOL_NO_ENTRY ? cp->data + cp->offsets[index] : NULL;
}
/* The bytes of an original entry, with its tag; it must be there. */
size_t cpool_entry_size(const struct cpool *cp, uint32_t index);
/* 0 where there is no entry. */
static inline unsigned cpool_tag(const struct cpool *cp, uint32_t index)
{
    const uint8_t *p = cpool_entry(cp, index);
    return p != NULL ? *p : 0;
}

/* All of these return false when the index does not hold that kind of constant. Texts are Modified UTF-8 in the
 * pool. */
static inline bool cpool_utf8(const struct cpool *cp, uint32_t index, struct text *out)
{
    const uint8_t *p = cpool_entry(cp, index);
    if (p == NULL || *p != CONSTANT_Utf8)
        return false;
    *out = (struct text){ (const char *)p + 3, be2(p + 1) };
    return true;
}
static inline bool cpool_class(const struct cpool *cp, uint32_t index, struct text *name)
{
    const uint8_t *p = cpool_entry(cp, index);
    return p != NULL && *p == CONSTANT_Class && cpool_utf8(cp, be2(p + 1), name);
}
bool cpool_name_and_type(const struct cpool *cp, uint32_t index, struct text *name, struct text *desc);
struct member_ref {
    unsigned tag;
    uint32_t class_index;
    struct text owner, name, desc;
};
bool cpool_member(const struct cpool *cp, uint32_t index, struct member_ref *out);
/* CONSTANT_Dynamic and CONSTANT_InvokeDynamic. */
bool cpool_dynamic(const struct cpool *cp, uint32_t index, uint32_t *bootstrap, struct text *name, struct text *desc);
bool cpool_method_handle(const struct cpool *cp, uint32_t index, struct member_ref *out);
/* The index of an original Utf8 entry with this content, 0 if there is none. */
uint32_t cpool_find_utf8(const struct cpool *cp, const char *content);

/* Append an entry; 0 when the pool is full (or memory is out: cp->added.bad). Equal entries are not shared: callers
 * keep the indices. */
uint32_t cpool_add_utf8(struct cpool *cp, const char *content);
uint32_t cpool_add_class(struct cpool *cp, uint32_t utf8);
uint32_t cpool_add_integer(struct cpool *cp, uint32_t value);
uint32_t cpool_add_name_and_type(struct cpool *cp, uint32_t name, uint32_t desc);
uint32_t cpool_add_field(struct cpool *cp, uint32_t class_index, uint32_t name_and_type);
uint32_t cpool_add_method(struct cpool *cp, uint32_t class_index, uint32_t name_and_type);

static inline bool text_is(struct text t, const char *s)
{
    return t.size == strlen(s) && memcmp(t.data, s, t.size) == 0;
}
static inline bool text_same(struct text a, struct text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}
/* Is it the internal name of this class, which is written with dots? */
static inline bool text_is_class(struct text t, const char *dotted)
{
    size_t i = 0;
    while (i < t.size && dotted[i] != '\0' && (t.data[i] == '/' ? '.' : t.data[i]) == dotted[i])
        i++;
    return i == t.size && dotted[i] == '\0';
}
static inline bool text_equal(struct text a, struct text b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

#endif
