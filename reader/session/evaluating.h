/* evaluating.h - what the files of this folder answer for an expression: names, members and calls at the moment. */
#ifndef READER_SESSION_EVALUATING_H
#define READER_SESSION_EVALUATING_H

#include "reader/query/expression_objects.h"
#include "reader/query/past_heap.h"
#include "reader/session/nav.h"

/* What else has a name where the expression stands (names.c): the names of enum hs_watch_place. */
struct moment_names {
    enum hs_watch_place kind;
    const struct hs_event *event;
    uint64_t object; /* WRITE: that has the field or element; 0: none */
};

/* The context of the host: where the expression stands. */
struct evaluating {
    struct trace_objects objects;
    struct nav *nav;
    uint32_t thread;
    size_t frame;
    const struct moment_names *names; /* NULL: no others */
    bool looked, has_top;             /* with names: the innermost frame */
    bool has_variables;               /* `top` has */
    struct hs_frame top;
    bool strict; /* a call is executed or not known: what it returned at another moment is no answer */
    /* executed.c */
    struct past_heap past;
    struct machine *machine;      /* NULL: no call yet */
    struct expression_objects of; /* what is asked of objects, also of those that it made */
};
static inline struct evaluating *evaluating(const struct evaluation *e) { return e->host->context; }

/* executed.c: a machine over the heap just after an event; `past`, which must not move, is its heap. NULL: out of
 * memory. */
struct machine *executed_machine(hs_trace *t, uint64_t seq, struct past_heap *past);
/* executed.c: what the call gives, executed over the heap of the moment; `receiver` NULL: of the class `owner`. Not
 * known: `missing` says what. */
struct expression_value value_executed(struct evaluation *e, const struct expression_call *c,
                                       const struct expression_value *receiver);
/* Of an object that the expression made: a field, or an element (index -1: the length). */
struct expression_value executed_member(struct evaluation *e, const struct expression_value *object, const char *name);
struct expression_value executed_element(struct evaluation *e, const struct expression_value *array, int64_t index);
/* A static field of the JDK that has an object; false: it is none that is known. */
bool executed_static(struct evaluation *e, const char *class_name, const char *field, struct expression_value *out);
struct expression_value executed_array(struct evaluation *e, const char *type, const struct expression_value *values,
                                       size_t count, bool sized);
/* The text of a value in a concatenation; false: it is not known, and an answer of another kind will do. */
bool executed_text(struct evaluation *e, const struct expression_value *v, struct expression_value *out);
/* Is an object that the expression made of this class? As is_a of struct expression_objects. */
enum expression_answer executed_is_a(void *context, uint64_t id, const char *name, const char **full);
/* An object that was made becomes its text, or else the name of its type. */
void executed_shown(struct evaluating *w, struct expression_value *v);
void executed_done(struct evaluating *w);

/* names.c: the class whose code the frame runs; NULL: there is no frame. Its loader; 0. */
const struct hs_class *evaluating_class(struct evaluation *e);
uint64_t evaluating_loader(struct evaluation *e);
/* names.c: the frame; NULL: there is none, or it failed. Of a watch without its monitors and variables. */
const struct hs_frame *evaluating_frame(struct evaluation *e);
/* Its variable of that name: a local before a parameter. False: it has none, or it failed. */
bool evaluating_variable(struct evaluation *e, const struct hs_frame *f, const char *name, struct hs_variable *out);
/* Evaluation of trees that were read before, in a frame of a thread at the moment of the session. A call is executed or
 * not known, and an exception is an answer (`thrown`). What is given lives in the arena, and as long as this. */
struct moment_host {
    struct evaluating where;
    struct expression_host host;
    struct evaluation evaluation;
};
void moment_begin(struct moment_host *h, struct nav *nav, uint32_t thread, size_t frame,
                  const struct moment_names *names, struct arena *arena, struct error *err);
struct expression_value moment_evaluate(struct moment_host *h, const struct expression *tree);
enum expression_answer moment_decide(struct moment_host *h, const struct expression *tree);
/* Appends the text that the value, which is known, has in a concatenation; an object whose text is not known is
 * Type#12. */
void moment_text(struct moment_host *h, const struct expression_value *v, struct writer *out);
enum status moment_end(struct moment_host *h);

/* names.c: a name that comes before variables and fields, or after them; false: it is none. */
bool names_first(struct evaluation *e, const char *name, struct expression_value *out);
bool names_last(struct evaluation *e, const char *name, struct expression_value *out);
/* An element of args, or its length (index -1); false: the value is not args. */
bool names_argument(struct evaluation *e, const struct expression_value *args, int64_t index,
                    struct expression_value *out);

/* evaluate.c: the answer as one of the library; texts are borrowed from the value. */
void evaluation_of(const struct expression_value *v, struct hs_evaluation *out);

/* expression.c: as nav_evaluate, but a call is executed or not known, and an exception is an answer (`thrown`). */
enum status evaluate_strictly(struct nav *nav, uint32_t thread, size_t frame, const char *text, struct arena *arena,
                              struct expression_value *out, struct error *err);

/* calls.c: what the method returned last for an object when it was given these arguments in this thread, up to the
 * moment, or else next. `object` 0: a static method of the class `owner`. */
struct expression_value value_called(struct evaluation *e, uint32_t object, const char *owner, const char *name,
                                     const struct expression_value *arguments, size_t n);
/* calls.c: what a method of this name returned last for the object (NULL: any) in the thread, up to the moment, or else
 * next. */
struct expression_value value_returned(struct evaluation *e, const struct expression_value *object, const char *name);
/* held.c: what size, isEmpty, get, contains or containsKey give for a collection of the JDK whose contents are known at
 * the moment, with the note value_note_contents; else not known. `type`: its type, of which that of an element is. */
extern const char value_note_contents[];
struct expression_value value_held(struct evaluation *e, uint32_t object, const char *type, const char *name,
                                   const struct expression_value *arguments, size_t n);

#endif
