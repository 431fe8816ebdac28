/* cpool.c - reading, looking up, appending. Every index is checked against the pool, every tag against what is
 * wanted. */
#include "formats/jvm/cpool.h"

#include <stdlib.h>

static const struct {
    int8_t size;
    uint8_t slots;
} tags[21] = {
#define CONSTANT(tag, name, bytes, n) [tag] = { bytes, n },
#include "formats/jvm/constants.def"
#undef CONSTANT
};

enum status cpool_read(struct cpool *cp, struct reader *r, uint32_t count, struct error *err)
{
    if (count == 0)
        return error_set(err, ERR_FORMAT, "constant_pool_count is 0");
    uint32_t *offsets = malloc(count * sizeof *offsets);
    if (offsets == NULL)
        return error_memory(err, "%u constants", count);
    size_t start = r->at;
    offsets[0] = CPOOL_NO_ENTRY;
    for (uint32_t i = 1; i < count; i++) {
        size_t at = r->at;
        unsigned tag = read_u1(r);
        if (tag >= sizeof tags / sizeof tags[0] || tags[tag].slots == 0) {
            free(offsets);
            return r->bad ? error_set(err, ERR_FORMAT, "the class file ends inside the constant pool at entry %u of %u",
                                      i, count)
                          : error_set(err, ERR_FORMAT, "constant pool entry %u has the unknown tag %u", i, tag);
        }
        (void)read_span(r, tag == CONSTANT_Utf8 ? read_u2(r) : (size_t)tags[tag].size);
        if (r->bad) {
            free(offsets);
            return error_set(err, ERR_FORMAT, "the class file ends inside the constant pool at entry %u of %u", i,
                             count);
        }
        offsets[i] = (uint32_t)(at - start);
        if (tags[tag].slots == 2) {
            if (++i == count) { /* then new entries would have other indices than they are given */
                free(offsets);
                return error_set(err, ERR_FORMAT, "the constant pool of %u entries ends inside of a long or double",
                                 count);
            }
            offsets[i] = CPOOL_NO_ENTRY;
        }
    }
    *cp = (struct cpool){
        .data = r->data + start, .size = r->at - start, .offsets = offsets, .count = count, .next = count
    };
    return OK;
}

size_t cpool_entry_size(const struct cpool *cp, uint32_t index)
{
    const uint8_t *p = cpool_entry(cp, index);
    return *p == CONSTANT_Utf8 ? 3 + (size_t)be2(p + 1) : 1 + (size_t)tags[*p].size;
}

void cpool_done(struct cpool *cp)
{
    free(cp->offsets);
    writer_free(&cp->added);
}

bool cpool_name_and_type(const struct cpool *cp, uint32_t index, struct text *name, struct text *desc)
{
    const uint8_t *p = cpool_entry(cp, index);
    return p != NULL && *p == CONSTANT_NameAndType && cpool_utf8(cp, be2(p + 1), name) &&
           cpool_utf8(cp, be2(p + 3), desc);
}

bool cpool_member(const struct cpool *cp, uint32_t index, struct member_ref *out)
{
    const uint8_t *p = cpool_entry(cp, index);
    if (p == NULL || (*p != CONSTANT_Fieldref && *p != CONSTANT_Methodref && *p != CONSTANT_InterfaceMethodref))
        return false;
    out->tag = *p;
    out->class_index = be2(p + 1);
    return cpool_class(cp, be2(p + 1), &out->owner) && cpool_name_and_type(cp, be2(p + 3), &out->name, &out->desc);
}

bool cpool_dynamic(const struct cpool *cp, uint32_t index, uint32_t *bootstrap, struct text *name, struct text *desc)
{
    const uint8_t *p = cpool_entry(cp, index);
    if (p == NULL || (*p != CONSTANT_Dynamic && *p != CONSTANT_InvokeDynamic))
        return false;
    *bootstrap = be2(p + 1);
    return cpool_name_and_type(cp, be2(p + 3), name, desc);
}

bool cpool_method_handle(const struct cpool *cp, uint32_t index, struct member_ref *out)
{
    const uint8_t *p = cpool_entry(cp, index);
    return p != NULL && *p == CONSTANT_MethodHandle && cpool_member(cp, be2(p + 2), out);
}

uint32_t cpool_find_utf8(const struct cpool *cp, const char *content)
{
    struct text t;
    for (uint32_t i = 1; i < cp->count; i++)
        if (cpool_utf8(cp, i, &t) && text_is(t, content))
            return i;
    return 0;
}

static uint32_t added_index(struct cpool *cp) { return cp->added.bad ? 0 : cp->next++; }

uint32_t cpool_add_utf8(struct cpool *cp, const char *content)
{
    if (cp->next >= CPOOL_MAX)
        return 0;
    size_t n = strlen(content);
    write_u1(&cp->added, CONSTANT_Utf8);
    write_u2(&cp->added, (unsigned)n);
    write_bytes(&cp->added, content, n);
    return added_index(cp);
}

uint32_t cpool_add_class(struct cpool *cp, uint32_t utf8)
{
    if (cp->next >= CPOOL_MAX || utf8 == 0)
        return 0;
    write_u1(&cp->added, CONSTANT_Class);
    write_u2(&cp->added, utf8);
    return added_index(cp);
}

uint32_t cpool_add_integer(struct cpool *cp, uint32_t value)
{
    if (cp->next >= CPOOL_MAX)
        return 0;
    write_u1(&cp->added, CONSTANT_Integer);
    write_u4(&cp->added, value);
    return added_index(cp);
}

static uint32_t add_pair(struct cpool *cp, unsigned tag, uint32_t a, uint32_t b)
{
    if (cp->next >= CPOOL_MAX || a == 0 || b == 0)
        return 0;
    write_u1(&cp->added, tag);
    write_u2(&cp->added, a);
    write_u2(&cp->added, b);
    return added_index(cp);
}

uint32_t cpool_add_name_and_type(struct cpool *cp, uint32_t name, uint32_t desc)
{
    return add_pair(cp, CONSTANT_NameAndType, name, desc);
}

uint32_t cpool_add_field(struct cpool *cp, uint32_t class_index, uint32_t name_and_type)
{
    return add_pair(cp, CONSTANT_Fieldref, class_index, name_and_type);
}

uint32_t cpool_add_method(struct cpool *cp, uint32_t class_index, uint32_t name_and_type)
{
    return add_pair(cp, CONSTANT_Methodref, class_index, name_and_type);
}
