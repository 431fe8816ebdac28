/* api/watch.h - a row each time that execution came to a place, with the values of expressions there: what the program
 * would have printed. */
#ifndef HINDSIGHT_API_WATCH_H
#define HINDSIGHT_API_WATCH_H

#include "evaluate.h"
#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the rows are, and so which names an expression may use besides those of Java. `args[N]`, `caller` and `stack`
 * give way to a variable or field of that name, the others come before it.
 *
 *     ENTRY  Class.method       after the parameters of each call   args[N], caller, stack
 *     EXIT   Class.method       as each call ends                   also result, exception
 *     LINE   Class.method:line  before the first instruction of the line, in Class:line of any method
 *     WRITE  a location as of hs_history_open (Class.field, ID.field, ID[index], Class.method:local): just after each
 *            write of it; value, object (that has the field or element)
 *
 * args[N] are the arguments as passed; a parameter by its name has the value that it has at that moment. `result` is
 * not known where the call threw, `exception` null where it did not. `caller` is the method around as
 * "a.b.Class.method", `stack` all methods around, innermost first, joined by " < ". */
enum hs_watch_place {
    HS_WATCH_ANY = 0, /* the first of those below that the text of the place means: LINE, ENTRY, WRITE */
    HS_WATCH_ENTRY = 1,
    HS_WATCH_EXIT = 2,
    HS_WATCH_LINE = 3,
    HS_WATCH_WRITE = 4
};
struct hs_watch_options {
    size_t size; /* sizeof(struct hs_watch_options) */
    enum hs_watch_place kind;
    const char *place;
    /* "text {expression} text"; {{ and }} are braces. NULL: nothing is evaluated */
    const char *text;
    const char *where;       /* an expression that has to be true; NULL: none */
    uint64_t from, to;       /* seq, both inclusive */
    const uint32_t *threads; /* thread numbers; NULL: all */
    size_t thread_count;
};
#define HS_WATCH_OPTIONS_INIT                                                                                          \
    {                                                                                                                  \
        .size = sizeof(struct hs_watch_options), .to = UINT64_MAX                                                      \
    }
struct hs_watched {
    const struct hs_event *event; /* the moment is just after it */
    const char *text; /* as the program would print it; in <> what is not known, with the reason, or thrown */
    const struct hs_evaluation *const *values; /* of the expressions, in their order */
    const char *const *texts;                  /* what each of them is in `text` */
    size_t value_count;
    bool known; /* all of them are */
};

/* The expressions are read once. Rows come in the order of the trace; one lives until the next step. HS_ERR_USAGE:
 * text, condition or place is not understood, or they name what is not there; HS_ERR_NOT_FOUND: the trace has no such
 * place. */
HS_API int hs_watch_open(hs_trace *trace, const struct hs_watch_options *options, hs_cursor **out,
                         struct hs_error *error);
HS_API int hs_watched_next(hs_cursor *cursor, const struct hs_watched **row, struct hs_error *error);
/* The text of expression `i` of the rows; NULL: there are less. */
HS_API const char *hs_watch_expression(const hs_cursor *watch, size_t i);
/* Which of the places it was. */
HS_API enum hs_watch_place hs_watch_kind(const hs_cursor *watch);
/* How many times so far it was not known whether the condition was true: there is no row of them. */
HS_API uint64_t hs_watch_undecided(const hs_cursor *watch);

#ifdef __cplusplus
}
#endif

#endif
