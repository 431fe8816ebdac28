/* cli.h - what the commands share: parsing, errors, and the session with a trace.
 *
 * A command is a function `int cmd_<name>(struct context *)` (context.h) with the exit status as its result. Its row
 * stands in commands.def, its options in a table beside the function (commands.h).
 *
 * Exit status: 0 done, 1 failed, 2 wrong usage, 3 answered but the trace is incomplete, 130 Ctrl-C (interrupt.h). */
#ifndef READER_COMMAND_CLI_H
#define READER_COMMAND_CLI_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/command/commands.h"
#include "reader/command/context.h"
#include "reader/command/out.h"
#include "reader/trace.h"

enum exit_status { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_INCOMPLETE };

enum { ARGUMENTS_MAX = 32, TEXTS_MAX = 64 };

/* Values of an option that may be repeated. */
struct texts {
    const char *items[TEXTS_MAX];
    size_t count;
};

/* A moment that is no seq: what session_open finds, and where it puts that. */
struct moment_option {
    const char *option, *text;
    uint64_t *to;
};
enum { MOMENT_OPTIONS_MAX = 4 };

/* The first member of every command's struct of arguments. */
struct common {
    bool json, help;
    uint64_t limit;     /* UINT64_MAX: not given */
    uint64_t name_max;  /* characters of a name that are shown; 0: all */
    uint64_t budget;    /* tokens of the answer; 0: any number */
    const char *colour; /* auto, always or never; NULL: not given */
    uint64_t jobs;      /* of commands that have the option; 0: as many as there are cores */
    bool no_pager;
    bool makes_file;    /* set before session_open: that nobody reads standard output does not end the command */
    const char *source; /* paths, of commands that have the option */
    const char *arguments[ARGUMENTS_MAX]; /* operands */
    int argument_count;
    struct moment_option moments[MOMENT_OPTIONS_MAX];
    size_t moment_count;
    int rest; /* of a command that runs another: the index in argv of the other command; argc if there is none */
};

enum { PARSED = -1 };
/* Parses the command line of the context into `args` (zero before), as getopt_long does. PARSED, or the exit
 * status: help was shown, or an error was reported. */
int cli_parse(struct context *context, void *args);
/* One line `hindsight COMMAND: ...` (`hindsight: ...` for NULL) on standard error, made visible; returns `status`. With
 * a host it is a message of this. */
int cli_fail(int status, const struct context *context, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Writes this line to standard error, and frees it: the answer of a command whose standard output is another's. */
void cli_answer_on_error(struct writer *line);
/* The one line that a server prints, on standard output at once: the address, after `text`; with --json an object. */
void cli_address(const struct common *c, const char *text, const char *address);
/* out_init of the output of the context, with what the options common to all commands ask for; false: out of memory. */
bool cli_out_init(struct out *o, const struct context *context, const struct common *c);
/* Flushes, ends the pager, and reports what failed. Returns the exit status; `status` if nothing did. */
int cli_out_end(struct out *o, const struct context *context, int status);
/* The operands of a command that takes [TRACE] and one more, in either order. Returns the trace, NULL if it is not
 * given; `*word` gets the other one, NULL if it is not given. */
const char *cli_trace_and_word(const struct common *c, const char **word);
/* As cli_trace_and_word, of a command that takes an event, as SEQ or as --at, which is in `at` (HS_NO_SEQ: not given).
 * PARSED, or the exit status of what is wrong; `wanted` is said if there is none. */
int cli_trace_and_seq(struct context *context, const struct common *c, const char *wanted, const char **trace,
                      uint64_t *at);
/* As cli_trace_and_word, of a command that takes [TRACE] and `count` more: the trace may be the first or the last one.
 * Words that are not given are NULL. */
const char *cli_trace_and_words(const struct common *c, const char **words, int count);
/* The path of the newest trace here, malloc'ed; NULL: none. Those of name hindsight-*, and all in target/ and build/ of
 * this folder and of those in it, where the tests of Maven and Gradle are recorded. */
char *cli_newest_trace(void);
#define CLI_NO_TRACE "no trace: there is no directory hindsight-* here, and no trace in target/ or build/; name a trace"
/* The first of these paths, relative to the directory of this program, that exists; the list ends with NULL. */
bool cli_find_beside(const char *const *places, char out[PATH_MAX]);
/* Path of the agent library: what HINDSIGHT_AGENT names, beside this program, or in ../lib; false if there is none. */
bool cli_find_agent(char out[PATH_MAX]);
#define CLI_NO_AGENT "libhindsight.so not found beside this program or in ../lib; set HINDSIGHT_AGENT to its path"
/* An object as answers name it: 5, #5, Model#5 or "text"#5. `*type_length`: of the type (or text) at the beginning, 0
 * without one. False: it is none of these forms. */
bool cli_object(const char *text, uint32_t *id, size_t *type_length);
#define CLI_OBJECT_FORMS "the id of an object, a number from 1 on: 5, #5 or Type#5"
/* A decimal number without a sign that fits 64 bits; false: it is not one. */
bool cli_u64(const char *text, uint64_t *out);

/* A command's hold on its trace and its output. */
struct session {
    struct context *context;
    hs_trace *trace;
    struct out out;
    struct sources *sources; /* NULL: not asked for */
    bool stopped;            /* recover_stopped when it was opened ... */
    uint32_t period;         /* ... in this period */
};
/* Is the recording stopped for now, with all its events in the trace since that was opened? */
bool session_stopped(const struct session *s);
/* hs_open of a trace that is completed first if its recorder died: where it cannot be written, in a copy that is gone
 * when this returns. What was done, or failed, is reported. */
int session_open_trace(struct context *context, const char *dir, unsigned flags, const struct hs_open_options *options,
                       hs_trace **out, struct hs_error *error);
/* Opens the trace (NULL: the newest hindsight-* in the current directory), and recovers it first if its recorder died.
 * PARSED, or the exit status after the error was reported. */
int session_open(struct session *s, struct context *context, const struct common *c, const char *trace);
/* session_open for a command that reads the event stream: a trace whose format has none is refused. */
int session_open_stream(struct session *s, struct context *context, const struct common *c, const char *trace);
int session_needs_stream(struct session *s); /* the same for a session that is open */
/* The format of a trace that has no event stream, for NO_STREAM_TEXT; NULL: it has one. */
const char *format_without_stream(hs_trace *t);
#define NO_STREAM_TEXT "format=%s keeps no event stream; record with --format omni for one"
/* PARSED, or the exit status if the format of the trace keeps no values, and so no objects and strings. */
int session_needs_values(struct session *s);
int session_needs_end(struct session *s); /* the recording must have ended */
/* cli_parse, then session_open (or session_open_stream) of the trace that is the first operand. */
int session_begin(struct session *s, struct context *context, void *args);
int session_begin_stream(struct session *s, struct context *context, void *args);
/* Flushes, reports what is incomplete, and closes. `status` is what the command would exit with. */
int session_close(struct session *s, int status);
/* "at least " if more events may be lost than `lost` says, else "" (info_keys.def, lost_exact). */
const char *lost_at_least(const hs_trace *t);
/* A look-up failed for lack of memory, so the answer may be wrong: session_close fails then. */
bool session_no_memory(const struct session *s);
/* The seqs of an interval named on the command line: NAME, or NAME#2 for the second one of that name. PARSED, or the
 * exit status after the error was reported: no such mark, or several. Without events *from is above *to. */
int session_mark(struct session *s, const char *name, uint64_t *from, uint64_t *to);
#define MARK_OPTION(args)                                                                                              \
    {                                                                                                                  \
        "mark", 0, "NAME", OPTION_TEXT, offsetof(struct args, mark),                                                   \
            "inside this mark; NAME#2 is the second one of that name"                                                  \
    }
/* A moment in one of the forms of moment.h; `option` without dashes, "" for an operand. PARSED, or the exit status
 * after the error was reported. Where it is ambiguous, a note says which one is taken. */
int session_moment(struct session *s, const char *option, const char *text, uint64_t *to);
/* From now on counts, last values and times are those of that snapshot. PARSED, or the exit status after the session
 * was closed. */
int session_snapshot(struct session *s, uint64_t number);
#define SNAPSHOT_OPTION(args)                                                                                          \
    {                                                                                                                  \
        "snapshot", 0, "N", OPTION_U64, offsetof(struct args, snapshot),                                               \
            "as it was at snapshot N (logsave=, freeze=); info lists them"                                             \
    }
/* Everything that is long comes here often (hs_progress_fn): the one place for progress, Ctrl-C and the deadline of a
 * host. `context` is the struct context of the command; NULL: it has no host. */
int session_step(void *context, uint64_t done, uint64_t total, const char *phase);
/* Closes after the library refused the question: wrong usage, or a failure. Returns the exit status. */
int session_refused(struct session *s, const struct hs_error *error);
/* session_close with a failure. */
int session_fail(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
