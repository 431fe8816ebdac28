/* option_list.c - prints the table of commands: COMMAND OPTION LETTER ARGUMENT per line, `-` for what an option has
 * not. Read by commands.sh. */
#include <stdio.h>

#include "reader/command/commands.h"

int main(void)
{
    char name[COMMAND_NAME_MAX];
    const struct option_row *o;
    commands = command_table;
    for (const struct command *c = commands; c->name != NULL; c++)
        for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
            (void)printf("%s %s %c %s\n", command_name(c, name), o->name, o->letter != '\0' ? o->letter : '-',
                         o->argument != NULL ? o->argument : "-");
    return 0;
}
