/* main.c - `hindsight COMMAND ...`: finds the command in the table and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/nearest.h"
#include "reader/cli/cli.h"

/* Files are checked before they are read, but another process may truncate one while it is mapped. */
static void on_sigbus(int number)
{
    static const char text[] = "hindsight: a file of the trace was truncated while it was read\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(EXIT_FAILED);
}

static int unknown_command(const char *name)
{
    struct nearest n;
    char text[NEAREST_TEXT_MAX], known[COMMAND_NAME_MAX];
    nearest_init(&n, name);
    for (const struct command *c = commands; c->name != NULL; c++)
        nearest_offer(&n, command_name(c, known));
    return cli_fail(EXIT_USAGE, NULL, "unknown command '%s'%s; see hindsight help", name, nearest_text(&n, text));
}

int main(int argc, char **argv)
{
    (void)sigaction(SIGBUS, &(struct sigaction){ .sa_handler = on_sigbus }, NULL);
    commands = command_table;
    if (argc < 2) {
        (void)help_list(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        (void)printf("hindsight " HINDSIGHT_VERSION "\n");
        return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
    }
    bool help = strcmp(name, "help") == 0;
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 || (help && argc == 2))
        return help_list(stdout);
    if (help)
        name = argv[2];
    const struct command *c = command_find(name);
    if (c == NULL)
        return unknown_command(name);
    return help ? help_command(c) : c->run(argc - 1, argv + 1);
}
