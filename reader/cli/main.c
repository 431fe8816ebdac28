/* main.c - `hindsight COMMAND ...`: finds the command in the table and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/nearest.h"
#include "reader/command/cli.h"
#include "reader/command/topics.h"

/* Files are checked before they are read, but another process may truncate one while it is mapped; and a file with
 * holes, as some ways of copying make, needs room on its disk where one is mapped. */
static void on_sigbus(int number)
{
    static const char text[] =
        "hindsight: the answer is not complete: a file of the trace was truncated meanwhile, or its disk is full\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(EXIT_INCOMPLETE);
}

/* `topics_too`: behind `help`. */
static int unknown_command(const char *name, bool topics_too)
{
    struct nearest n;
    char text[NEAREST_TEXT_MAX], known[COMMAND_NAME_MAX];
    nearest_init(&n, name);
    for (const struct command *c = commands; c->name != NULL; c++)
        nearest_offer(&n, command_name(c, known));
    for (const struct topic *t = topics; topics_too && t->name != NULL; t++)
        nearest_offer(&n, t->name);
    return cli_fail(EXIT_USAGE, NULL, "unknown %s '%s'%s; see hindsight help",
                    topics_too ? "command or topic" : "command", name, nearest_text(&n, text));
}

static int help(const char *name)
{
    const struct command *c = command_find(name);
    const struct topic *t = topic_find(name);
    if (c != NULL)
        return help_command(&(struct context){ .name = "help" }, c);
    return t != NULL ? help_topic(t) : unknown_command(name, true);
}

int main(int argc, char **argv)
{
    files_fill_standard();
    (void)sigaction(SIGBUS, &(struct sigaction){ .sa_handler = on_sigbus }, NULL);
    commands = command_table;
    if (argc < 2)
        return help_list(true);
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        (void)printf("hindsight " HINDSIGHT_VERSION "\n");
        return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
    }
    bool asked = strcmp(name, "help") == 0;
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 || (asked && argc == 2))
        return help_list(false);
    if (asked)
        return help(argv[2]);
    const struct command *c = command_find(name);
    return c != NULL ? command_run(NULL, argc - 1, argv + 1) : unknown_command(name, false);
}
