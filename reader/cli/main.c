/* main.c - `hindsight COMMAND ...`: finds the command in commands.def and calls it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reader/cli/cli.h"

static const struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} commands[] = {
#define COMMAND(name, help) { #name, help, cmd_##name },
#include "reader/cli/commands.def"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int list_commands(FILE *to)
{
    (void)fprintf(
        to, "Usage: hindsight COMMAND [TRACE] [options]\n\nRecords what a Java program does and answers questions "
            "about it.\nTRACE is the newest hindsight-* in the current directory unless given.\n\nCommands:\n");
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        int width = 0;
        (void)fputs("  ", to);
        for (const char *p = commands[i].name; *p != '\0'; p++, width++)
            (void)fputc(*p == '_' ? '-' : *p, to);
        (void)fprintf(to, "%*s %s\n", width < 10 ? 10 - width : 0, "", commands[i].help);
    }
    (void)fprintf(to, "\nhindsight COMMAND -h explains a command; hindsight --version tells the version.\n");
    return fflush(to) == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* Files are proven before they are read, but somebody may cut one off while it is mapped. */
static void file_was_cut(int number)
{
    static const char text[] = "hindsight: a file of the trace became shorter while it was read\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
    (void)sigaction(SIGBUS, &(struct sigaction){ .sa_handler = file_was_cut }, NULL);
    const char *name = argc > 1 ? argv[1] : "";
    if (argc < 2) {
        (void)list_commands(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(name, "--version") == 0) {
        (void)printf("hindsight " HINDSIGHT_VERSION "\n");
        return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
    }
    bool help = strcmp(name, "help") == 0;
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 || (help && argc == 2))
        return list_commands(stdout);
    if (help)
        name = argv[2];
    for (unsigned i = 0; i < COMMAND_COUNT; i++)
        if (cli_is_command(name, commands[i].name)) {
            char *ask[] = { argv[help ? 2 : 1], (char[]){ "-h" }, NULL };
            return help ? commands[i].run(2, ask) : commands[i].run(argc - 1, argv + 1);
        }
    return cli_fail(EXIT_USAGE, NULL, "%s: unknown command, see hindsight help", name);
}
