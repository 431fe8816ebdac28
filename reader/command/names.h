/* names.h - checks the names given as options, by one rule for all commands.
 *
 * A name that does not exist in the trace is an error (exit status 1), so that a misspelt name does not look like an
 * empty answer. A name that exists but has nothing to show gives an empty answer: exit status 0 and one line on
 * standard error. The functions return PARSED, or the exit status after the error was reported; the caller closes the
 * session. */
#ifndef READER_COMMAND_NAMES_H
#define READER_COMMAND_NAMES_H

#include "reader/command/cli.h"

#include "formats/event.h"
#include "formats/nearest.h"
#include "formats/vec.h"

/* Event types that options name, each once, rising. */
struct event_choice {
    unsigned items[EVENT_LIMIT];
    size_t count;
};
/* Adds the event types of a list as --event takes it: names or globs joined by commas, in upper or lower case. */
int names_events(struct context *context, const char *list, struct event_choice *out);
/* Adds those of groups as --group takes them: joined by +, in upper or lower case. */
int names_groups(struct context *context, const char *list, struct event_choice *out);
/* Reports that no mark has the name that `option` names; returns the exit status. */
int names_no_mark(const struct session *s, const char *option, const char *name);
/* Adds the threads of a number, of a name, or, if no thread has that name, of a glob. The caller frees the vector. */
int names_threads(struct session *s, const char *wanted, u32_vec *out);
/* --class and --method, the method in one of these classes; NULL: not given. */
int names_class(struct session *s, const char *class_glob);
int names_method(struct session *s, const char *class_glob, const char *method_glob);
/* names_method of one option that names both; NULL: of --class and --method. */
int names_method_of(struct session *s, const char *option, const char *class_glob, const char *method_glob);
/* --type: a type of objects as in Java source. */
int names_type(struct session *s, const char *glob);
/* Is the object of the type in the first `length` characters of Type#ID, or a string if they are those of "text"#ID?
 * Yes where there is none, or no object. */
bool names_has_type(const struct hs_object *o, const char *type, size_t length);
/* An object in one of the forms of cli_object, which it has. `option`: "--object ", or "" for an operand. The type, if
 * it is named, is that of the object. */
int names_typed_object(struct session *s, const char *option, const char *text, uint32_t *id);
/* As names_typed_object, of an object that the trace describes, or at least shows. */
int names_object(struct session *s, const char *option, const char *text, uint32_t *id);
/* Offers the fields that recorded code reads and writes by their names, shown as Class.field. */
void names_offer_fields(hs_trace *t, struct nearest *n);
/* Offers local variables by their names, shown as Class.method:local. */
void names_offer_variables(hs_trace *t, struct nearest *n);
/* --from and --to; `to` UINT64_MAX: not given. */
int names_range(struct session *s, uint64_t from, uint64_t to);
/* These and --thread. */
int names_range_threads(struct session *s, uint64_t from, uint64_t to, const char *thread, u32_vec *threads);
/* --at; UINT64_MAX: not given. */
int names_moment(struct session *s, uint64_t at);
/* Why none of these event types can be in the trace: ", since FIELD was not woven (weave=EXEC+CALL)". "" if one can, or
 * the trace does not say what was woven. Returns `text`. The groups are those of formats/events.def. */
enum { NAMES_UNWOVEN_MAX = 256 };
const char *names_unwoven(const struct session *s, const unsigned *events, size_t count, char text[NAMES_UNWOVEN_MAX]);
const char *names_unwoven_uses(const struct session *s, uint32_t uses, char text[NAMES_UNWOVEN_MAX]); /* event_use */
/* names_empty, with that reason behind it; no events: without one. */
void names_empty_of(const struct session *s, uint64_t shown, uint64_t limit, const char *what, const unsigned *events,
                    size_t count);
void names_empty_without(const struct session *s, uint64_t shown, uint64_t limit, const char *what, uint32_t uses);
/* Reports that there is no `what` if `shown` is 0 although the limit is not. */
void names_empty(const struct session *s, uint64_t shown, uint64_t limit, const char *what);

#endif
