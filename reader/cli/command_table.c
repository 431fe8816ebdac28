/* command_table.c - the table of commands, expanded from commands.def.
 *
 * It stands apart from commands.c, which the commands themselves use: main hands it over. */
#include "reader/command/commands.h"

const struct command command_table[] = {
#define COMMAND(name, arguments, synopsis, summary) { #name, arguments, synopsis, summary, &usage_##name, cmd_##name },
#include "reader/command/commands.def"
#undef COMMAND
    { 0 },
};
