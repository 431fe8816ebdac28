/* commands.h - what is known of every command: its row of commands.def and its options.
 *
 * Options are rows of a table that point into the command's own struct of arguments, which begins with struct common:
 *
 *     struct args {
 *         struct common common;
 *         uint64_t depth;
 *     };
 *     static const struct option_row options[] = {
 *         { "depth", 'd', "N", OPTION_U64, offsetof(struct args, depth), "show calls down to this depth" },
 *         { 0 },
 *     }; */
#ifndef READER_COMMAND_COMMANDS_H
#define READER_COMMAND_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How the argument of an option is checked and stored, and what the shell completes. */
enum option_type {
    OPTION_FLAG,      /* bool; takes no argument */
    OPTION_U64,       /* uint64_t */
    OPTION_MOMENT,    /* uint64_t, a seq, from session_open on; before, 0 may stand for another form (moment.h) */
    OPTION_TEXT,      /* const char * */
    OPTION_TEXTS,     /* struct texts: may be repeated */
    OPTION_EVENT,     /* const char *: an event type */
    OPTION_EVENTS,    /* struct texts: event types joined by commas */
    OPTION_GROUPS,    /* const char *: event groups joined by + */
    OPTION_FORMAT,    /* const char *: a recording format */
    OPTION_CHOICE,    /* const char *: a word of `argument`, which has them separated by |; the command checks it */
    OPTION_OBJECT,    /* const char *: an object as answers name it; names_object reads it */
    OPTION_FILE,      /* const char * */
    OPTION_DIRECTORY, /* const char * */
};

struct option_row {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* its name in the help, or the choices; NULL for flags */
    enum option_type type;
    size_t offset; /* in the struct of arguments */
    const char *help;
};

struct usage {
    const char *about;                /* paragraphs of the help, separated by newlines */
    const char *example;              /* a command line, as it is typed */
    const struct option_row *options; /* ends with a row without a name; NULL: none of its own */
    const char *choices;              /* words that the operand can be; NULL: any */
    bool plain;                       /* of the options that most commands have only --json */
    bool source;                      /* shows places in the code: has --source */
};

struct context; /* context.h */

enum { COMMAND_LINE = -1 };

/* What an answer takes: see commands.def. */
enum answer_kind { ANSWER_NONE, ANSWER_SCREEN, ANSWER_PASS, ANSWER_PASS_ALONE };

/* How the page of `view` asks a command. */
enum asked_by { ASKED_NEVER, ASKED_BY_GET, ASKED_BY_POST };

struct command {
    const char *name; /* see command_name */
    int arguments;    /* operands accepted, or COMMAND_LINE */
    enum asked_by asked_by;
    const char *word; /* names of parameters of the page that become its operands; NULL: none */
    enum answer_kind answer;
    const char *pass; /* the forms in which it is a pass; NULL: it never is */
    const char *synopsis, *summary;
    const struct usage *usage;
    int (*run)(struct context *context); /* returns the exit status; command_run of context.h calls it */
};
extern const struct command command_table[]; /* ends with a row without a name */
/* The table in use: a program sets it to command_table before it uses anything else of this header. */
extern const struct command *commands;

#define COMMAND(name, arguments, page, answer, synopsis, summary)                                                      \
    extern const struct usage usage_##name;                                                                            \
    int cmd_##name(struct context *context);
#include "reader/command/commands.def"
#undef COMMAND

/* The command as it is typed; NULL: there is none. */
const struct command *command_find(const char *typed);
/* Its name as it is typed: with hyphens for underscores. */
enum { COMMAND_NAME_MAX = 32 };
const char *command_name(const struct command *c, char name[COMMAND_NAME_MAX]);
/* The i-th option: first the command's own, then those that all have; NULL behind the last. */
const struct option_row *command_option(const struct command *c, size_t i);

/* help.c. The list of all commands and topics, on standard error after a wrong usage; the text of -h; a topic. They
 * return the exit status. */
struct topic;
int help_list(bool wrong_usage);
int help_command(struct context *context, const struct command *c);
int help_topic(const struct topic *t);

#endif
