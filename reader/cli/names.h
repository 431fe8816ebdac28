/* names.h - what options of a command name: one rule for all commands.
 *
 * A name that is nowhere in the trace is told, and the exit status is 1: a wrong name must not look like an answer. A
 * name that is there but has nothing to show is an answer, an empty one: exit status 0, and one line on standard error
 * says that it is empty. The functions give PARSED, or the exit status after the error was told; the caller closes the
 * session. */
#ifndef READER_CLI_NAMES_H
#define READER_CLI_NAMES_H

#include "reader/cli/cli.h"

/* --class and --method, the method in one of these classes; NULL: not given. */
int names_class(struct session *s, const char *class_glob);
int names_method(struct session *s, const char *class_glob, const char *method_glob);
/* --type: a type of objects as in Java source. */
int names_type(struct session *s, const char *glob);
/* --object: an id that the trace describes, or at least shows. */
int names_object(struct session *s, uint32_t id);
/* --from and --to; `to` UINT64_MAX: not given. */
int names_range(struct session *s, uint64_t from, uint64_t to);
/* --at; UINT64_MAX: not given. */
int names_moment(struct session *s, uint64_t at);
/* Says that there is no `what` if `shown` is 0 and something could have been shown. */
void names_empty(const struct session *s, uint64_t shown, uint64_t limit, const char *what);

#endif
