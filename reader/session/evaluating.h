/* evaluating.h - what the files of this folder answer for an expression: names, members and calls at the moment. */
#ifndef READER_SESSION_EVALUATING_H
#define READER_SESSION_EVALUATING_H

#include "reader/query/expression_objects.h"
#include "reader/session/nav.h"

/* The context of the host: where the expression stands. */
struct evaluating {
    struct trace_objects objects;
    struct nav *nav;
    uint32_t thread;
    size_t frame;
};
static inline struct evaluating *evaluating(const struct evaluation *e) { return e->host->context; }

/* calls.c: what the method returned last for an object when it was given these arguments in this thread, up to the
 * moment, or else next. `object` 0: a static method of the class `owner`. */
struct expression_value value_called(struct evaluation *e, uint32_t object, const char *owner, const char *name,
                                     const struct expression_value *arguments, size_t n);
/* calls.c: what a method of this name returned last for the object (NULL: any) in the thread, up to the moment, or else
 * next. */
struct expression_value value_returned(struct evaluation *e, const struct expression_value *object, const char *name);
/* held.c: what size, isEmpty, get, contains or containsKey give for a collection of the JDK whose contents are known at
 * the moment, with the note value_note_contents; else not known. */
extern const char value_note_contents[];
struct expression_value value_held(struct evaluation *e, uint32_t object, const char *name,
                                   const struct expression_value *arguments, size_t n);

#endif
