/* objects.h - fragments of the object table: type, and content of strings, for ids first seen in one stored batch.
 *
 * Ids are handed out in pages of OBJECT_PAGE_IDS (schema.h). A fragment holds ids of one page, ascending; a page may
 * have several fragments, their union is the page. Encoded: version, count, id deltas, class ids by move-to-front,
 * string flags and lengths, string bytes; zstd over all. */
#ifndef FORMATS_OBJECTS_H
#define FORMATS_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/bytes.h"
#include "formats/rows.h"
#include "formats/status.h"
#include "formats/vec.h"

/* Contents of longer strings are cut to this, so that they fit into a fragment. */
#define OBJECT_STRING_UNITS_MAX (UINT32_C(1) << 28)

struct object_entry {
    uint32_t id;
    uint32_t class_id;  /* object id of its class object; 0 not known */
    bool has_string;    /* a java.lang.String whose content was recorded */
    bool latin1;        /* `bytes` is ISO 8859-1, else UTF-16 little-endian */
    bool cut;           /* content is longer than what was kept */
    uint64_t length;    /* of the string, in UTF-16 units */
    bool is_value;      /* `bytes` is a copy of what the object stands for (values.def) */
    struct text bytes;  /* content as recorded */
    struct text thrown; /* a thrown_row (rows.h) for Throwables, empty otherwise; the one in the last fragment holds */
};
typedef VEC(struct object_entry) object_entry_vec;

static inline uint64_t object_key(uint32_t id, uint32_t fragment) { return (uint64_t)(id >> 10) << 32 | fragment; }

/* `entries` are sorted by id, all of one page. Appends the blob. */
enum status objects_encode(const struct object_entry *entries, size_t count, struct writer *out, struct error *err);
/* Sets `out` (free its items with vec_free) and `storage` (free with writer_free), which holds the bytes that texts
 * point into; their previous contents are overwritten, not freed. */
enum status objects_decode(const void *blob, size_t size, object_entry_vec *out, struct writer *storage,
                           struct error *err);
/* Appends the classes of a fragment, some of them several times: 0 where it is not known. `raw`: scratch. */
enum status objects_classes(const void *blob, size_t size, struct writer *raw, u32_vec *out, struct error *err);

/* What is looked for in strings: their text in both encodings. Or, where `classes` is not NULL, objects of these. */
struct object_search {
    const uint32_t *classes; /* rising */
    size_t class_count;
    struct text latin1; /* data NULL: it has characters that ISO 8859-1 has not */
    struct text utf16;
    bool values;       /* what objects stand for counts too */
    struct writer raw; /* scratch, owned */
};
bool objects_is_class(const struct object_search *search, uint64_t class_id);
/* Can a fragment hold such a string, or such an object? True as well where it is malformed: decoding says so. */
bool objects_may_hold(const void *blob, size_t size, struct object_search *search);

#endif
