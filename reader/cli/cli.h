/* cli.h - what the commands share: options, opening a trace, ending.
 *
 * A command is a function `int cmd_<name>(int argc, char **argv)` with argv[0] its name and the exit status as its
 * result. Its options are rows of a table that point into its own struct of arguments, which begins with `struct
 * common`:
 *
 *     struct args { struct common common; uint64_t depth; };
 *     static const struct option options[] = { { "depth", 0, "N", OPTION_U64, offsetof(struct args, depth), "..." }, {
 * 0 } };
 *
 * Exit status: 0 done, 1 failed, 2 wrong usage, 3 answered but the trace is incomplete. */
#ifndef READER_CLI_CLI_H
#define READER_CLI_CLI_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/cli/out.h"
#include "reader/trace.h"

enum exit_status { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_INCOMPLETE };

#define COMMAND(name, help) int cmd_##name(int argc, char **argv);
#include "reader/cli/commands.def"
#undef COMMAND

enum { ARGUMENTS_MAX = 4, TEXTS_MAX = 64 };
enum { COMMAND_LINE = -1 }; /* no words, but a command line behind `--`: common.rest */

/* Values of an option that may be repeated. */
struct texts {
    const char *items[TEXTS_MAX];
    size_t count;
};

struct common {
    bool json;
    uint64_t limit; /* UINT64_MAX: none given */
    /* characters of a name that are shown; 0: all. session_open hands it to the output */
    uint64_t name_max;
    const char *arguments[ARGUMENTS_MAX]; /* words that are no options */
    int argument_count;
    /* of a command that runs another: index in argv behind `--`, argc if there is none */
    int rest;
};

enum option_type { OPTION_FLAG, OPTION_U64, OPTION_TEXT, OPTION_TEXTS };
struct option {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* name of its value in the help, NULL for flags */
    enum option_type type;
    size_t offset; /* bool, uint64_t, const char * or struct texts in the arguments */
    const char *help;
};

struct usage {
    const char *synopsis;         /* "[TRACE] [options]" */
    const char *about;            /* further lines of help, NULL for none */
    const char *example;          /* a command line, as it is typed */
    const struct option *options; /* ends with a row without a name */
    int arguments;                /* words accepted, behind `--` also such as begin with a hyphen; or COMMAND_LINE */
    bool plain;                   /* without the common options */
};

enum { PARSED = -1 };
/* Fills `args`. PARSED, or the exit status: help was shown, or the line was wrong. */
int cli_parse(const struct usage *u, int argc, char **argv, void *args);
/* One line `hindsight COMMAND: ...` (`hindsight: ...` for NULL) on standard error, made visible; returns `status`. */
int cli_fail(int status, const char *command, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Is `typed` the command `name` of commands.def? A hyphen stands for an underscore. */
bool cli_is_command(const char *typed, const char *name);
/* The words of a command that takes [TRACE] and one more word, in either order. NULL for a trace not
 * named; `*word` NULL if there is none. */
const char *cli_trace_and_word(const struct common *c, const char **word);
/* The newest directory hindsight-* here that holds a trace, malloc'ed; NULL: none. */
char *cli_newest_trace(void);
/* Path of the agent library: what HINDSIGHT_AGENT names, beside this program, or in ../lib; false if there is none. */
bool cli_find_agent(char out[PATH_MAX]);
/* A number with all its digits used; false if it is none. */
bool cli_u64(const char *text, uint64_t *out);

/* A command's hold on its trace and its output. */
struct session {
    const char *command;
    hs_trace *trace;
    struct out out;
};
/* Opens the trace named (NULL: the newest hindsight-* in the current directory), recovering it first if its recorder
 * died. PARSED, or the exit status after the error was told. */
int session_open(struct session *s, const char *command, const char *trace);
/* session_open for a command that reads the event stream: a trace whose format keeps none is refused. */
int session_open_stream(struct session *s, const char *command, const char *trace);
int session_needs_stream(struct session *s); /* the same for a session that is open */
/* cli_parse, then session_open (or session_open_stream) of the trace that is its first word. */
int session_begin(struct session *s, const struct usage *u, int argc, char **argv, void *args);
int session_begin_stream(struct session *s, const struct usage *u, int argc, char **argv, void *args);
/* Flushes, tells what is incomplete, closes. `status` is what the command would end with. */
int session_close(struct session *s, int status);
/* The seqs of an interval named on the command line: NAME, or NAME#2 for the second one of that name. PARSED, or the
 * exit status after the error was told: no such mark, or several. Without events *from is above *to. */
int session_mark(struct session *s, const char *name, uint64_t *from, uint64_t *to);
#define MARK_OPTION(args)                                                                                              \
    {                                                                                                                  \
        "mark", 0, "NAME", OPTION_TEXT, offsetof(struct args, mark),                                                   \
            "inside this mark; NAME#2 is the second one of that name"                                                  \
    }
/* From now on counts, last values and times are those of that snapshot. PARSED, or the exit status after the session
 * was closed. */
int session_snapshot(struct session *s, uint64_t number);
#define SNAPSHOT_OPTION(args)                                                                                          \
    {                                                                                                                  \
        "snapshot", 0, "N", OPTION_U64, offsetof(struct args, snapshot),                                               \
            "as it was at snapshot N (logsave=, freeze=); info lists them"                                             \
    }
/* session_close with a failure. */
int session_fail(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
