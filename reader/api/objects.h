/* api/objects.h - objects: their types, the texts of strings, what they stand for, when they were seen. */
#ifndef HINDSIGHT_API_OBJECTS_H
#define HINDSIGHT_API_OBJECTS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hs_object {
    uint32_t id;
    uint32_t class_id; /* object id of its class object; 0 unknown */
    const char *type;  /* as in Java source; NULL unknown */
    bool has_string;   /* a string whose content was recorded */
    bool latin1;       /* data is ISO 8859-1, else UTF-16 little-endian */
    bool cut;          /* data is only the beginning */
    uint64_t length;   /* of the whole string, in UTF-16 units */
    const void *data;
    size_t data_bytes;
};
HS_API const struct hs_object *hs_object_get(hs_trace *trace, uint32_t id);
/* All objects by rising id. A row also ends with the next hs_object_get or hs_object_next of its trace. */
HS_API int hs_objects_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
/* Only those whose type matches, as hs_class_matches compares it; pages of others are passed over. */
HS_API int hs_objects_of_type_open(hs_trace *trace, const char *type_glob, hs_cursor **out, struct hs_error *error);
HS_API int hs_object_next(hs_cursor *cursor, const struct hs_object **row, struct hs_error *error);

/* What an object stands for: the number in a box, the name of an enum constant, the text of a BigDecimal, LocalDate,
 * Path, ..., the components of a record, the elements of a short collection. */
struct hs_object_value {
    uint32_t id;
    char kind; /* enum hs_kind of the number in a box; 0: it has only a text */
    uint64_t bits;
    bool is_constant; /* `text` is the name of an enum constant */
    const char *text; /* as toString() gives it; a part that is not known is ? */
};
/* NULL: it stands for itself, or that is not known. `seq`: the moment of a collection that may change; with HS_NO_SEQ
 * only what never changes is answered. The effort is bounded: of the 5,000 objects that are asked for first (without an
 * index, of fewer), what must be found in the events is found; what the recording has copied is always known. */
HS_API const struct hs_object_value *hs_object_value_get(hs_trace *trace, uint32_t id, uint64_t seq);

/* Does the recorded content of a string hold this UTF-8 text? */
HS_API bool hs_string_contains(const struct hs_object *object, const char *text);

struct hs_type {
    uint32_t id;      /* of the class object */
    const char *name; /* as in Java source */
    /* number of its class loader, 0 the boot loader; with the name it says which class it is (hs_class) */
    uint64_t loader;
    uint32_t access;
};
/* Types by id; rows are kept. */
HS_API int hs_types_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_type_next(hs_cursor *cursor, const struct hs_type **row, struct hs_error *error);
HS_API size_t hs_type_count(const hs_trace *trace);
HS_API const struct hs_type *hs_type_get(const hs_trace *trace, uint32_t class_id);

/* First and last event that show an object. */
struct hs_life {
    uint32_t id;
    uint64_t first, last; /* seq */
};
/* Of all objects that events show, by rising id. Reads all events. */
HS_API int hs_lives_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_life_next(hs_cursor *cursor, const struct hs_life **row, struct hs_error *error);
/* Of one object, from the index: 1, 0 if no event shows it, -1. */
HS_API int hs_life_get(hs_trace *trace, uint32_t id, const struct hs_life **life, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
