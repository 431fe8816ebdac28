/* conditions.h - --where: parsing, and what is said of names that no row has. The conditions are the library's
 * (reader/api/conditions.h). */
#ifndef READER_COMMAND_CONDITIONS_H
#define READER_COMMAND_CONDITIONS_H

#include "reader/command/cli.h"

/* The names that every row has stand in WHERE_*_WORDS. */
#define WHERE_EVENT_WORDS "seq thread event class method line pc value result"
#define WHERE_EVENT_NAMES                                                                                              \
    "of which this is true: names are " WHERE_EVENT_WORDS ", arg0 arg1 ..., and the names of fields, local variables " \
    "and parameters (state, Order.state), of which an event has one"
#define WHERE_CALL_WORDS "seq thread class method line depth calls this result exception"
#define WHERE_CALL_NAMES                                                                                               \
    "only calls of which this is true: names are " WHERE_CALL_WORDS ", arg0 arg1 ..., and the names of parameters"
#define WHERE_OBJECT_WORDS "id type length string"
#define WHERE_OBJECT_NAMES                                                                                             \
    "only objects of which this is true at the end, or at --at: names are those of fields (state, Base.state), [0] "   \
    "[1] ... of elements, and " WHERE_OBJECT_WORDS
#define WHERE_HELP                                                                                                     \
    "A condition is NAME == VALUE, with one of == != < <= > >= =~ (regular expression), joined by &&, || and ! with "  \
    "parentheses. VALUE is as answers show it: a number, true, null, \"text\" (with \\n, \\t, \\u001b), "              \
    "\"begin\"..., 'x' (120), Type#12; or a word: a text, or the constant of an enum. "                                \
    "Either side may also be a Java expression: price * count > 100. What is not known satisfies no comparison."

/* PARSED, or the exit status after the error was reported. `text` NULL: no condition. */
int condition_parse(struct context *context, const char *text, hs_condition **out);

/* Says on standard error which names of the condition no row has had, with the nearest of `words` (WHERE_*_WORDS), of
 * fields and, if rows have `locals`, of local variables and parameters; for an answer that is empty. The exit status:
 * EXIT_FAILED if the trace has nowhere a member of such a name. */
int condition_tell_unknown(const hs_condition *condition, const struct session *s, const char *words, bool locals);

/* Refuses a condition on events with a name that no event of the trace can have, before any is read: one line as of
 * condition_tell_unknown. PARSED, or EXIT_FAILED. */
int condition_refuse_unknown(const hs_condition *condition, const struct session *s);

/* Says on standard error which two names of the condition, joined by &&, no event has both, since an event has one
 * value; for an answer that is empty. False: there are none. `status`: EXIT_FAILED if the condition can therefore never
 * be true, else EXIT_DONE. */
bool condition_tell_apart(const hs_condition *condition, const struct session *s, int *status);

#endif
