/* absences.h - a public header of this folder: `why-not`, also of an element that a collection does not contain. */
#ifndef READER_QUERY_ABSENCES_H
#define READER_QUERY_ABSENCES_H

#include "reader/expression/expression.h"
#include "reader/trace.h"

/* collection.contains(element), map.containsKey(element), map.containsValue(element), as they were evaluated. */
struct absent_member {
    uint32_t collection;
    uint64_t at; /* the moment */
    bool of_values;
    struct hs_value element; /* a reference, or a number that is boxed */
    const char *text;        /* of a string that the expression made; NULL */
    /* Evaluates element.equals(object), and object.hashCode() at a moment, by the recorded code. `context` is the
     * asker's. */
    enum expression_answer (*equals)(void *context, uint32_t object);
    bool (*hash)(void *context, uint32_t object, uint64_t at, int32_t *out);
    void *context;
};
/* hs_absences_open; `member` NULL: the place is no such question. */
int absences_open(hs_trace *trace, const struct hs_absence_options *options, const struct absent_member *member,
                  hs_cursor **out, struct hs_error *error);

#endif
