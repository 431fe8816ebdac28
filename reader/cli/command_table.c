/* command_table.c - the table of commands, expanded from commands.def.
 *
 * It stands apart from commands.c, which the commands themselves use: main hands it over. */
#include "reader/command/commands.h"

const struct command command_table[] = {
#define NO_PAGE          ASKED_NEVER, NULL
#define ASKED(word)      ASKED_BY_GET, word
#define CONTROL(word)    ASKED_BY_POST, word
#define NO_ANSWER        ANSWER_NONE, NULL
#define SCREEN           ANSWER_SCREEN, NULL
#define PASS(form)       ANSWER_PASS, form
#define PASS_ALONE(form) ANSWER_PASS_ALONE, form
#define COMMAND(name, arguments, page, answer, synopsis, summary)                                                      \
    { #name, arguments, page, answer, synopsis, summary, &usage_##name, cmd_##name },
#include "reader/command/commands.def"
#undef COMMAND
    { 0 },
};
