/* help.c - `hindsight help` and the text of -h, from the table of commands. */
#include <stdio.h>
#include <string.h>

#include "reader/cli/cli.h"

enum { WIDTH = 100, OPTION_COLUMN = 27, SUMMARY_COLUMN = 14 };

/* Prints text whose first line begins in column `at`, the others in column `indent`, broken at blanks. */
static void print_wrapped(const char *text, size_t at, size_t indent)
{
    bool first = true; /* word of the line */
    while (*text != '\0') {
        size_t n = strcspn(text, " \n");
        if (!first && at + 1 + n > WIDTH) {
            (void)printf("\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        (void)printf("%s%.*s", first ? "" : " ", (int)n, text);
        at += n + !first;
        first = false;
        text += n;
        if (*text == '\n') {
            (void)printf("\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        text += *text != '\0';
    }
    (void)putchar('\n');
}

static void print_option(const struct option_row *o)
{
    char left[64], letter[8] = "    ";
    if (o->letter != '\0')
        (void)snprintf(letter, sizeof letter, "-%c, ", o->letter);
    int n = snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->argument != NULL ? " " : "",
                     o->argument != NULL ? o->argument : "");
    (void)printf("  %-*s", OPTION_COLUMN - 2, left);
    if (n > OPTION_COLUMN - 3)
        (void)printf("\n%*s", OPTION_COLUMN, "");
    print_wrapped(o->help, OPTION_COLUMN, OPTION_COLUMN);
}

int help_command(const struct command *c)
{
    char name[COMMAND_NAME_MAX];
    const struct option_row *o;
    (void)command_name(c, name);
    (void)printf("hindsight %s - %s\n\nUsage: hindsight %s %s\n\n", name, c->summary, name, c->synopsis);
    print_wrapped(c->usage->about, 0, 0);
    (void)printf("\nOptions:\n");
    for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
        print_option(o);
    (void)printf("\nExample:\n  %s\n", c->usage->example);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

int help_list(FILE *to)
{
    char name[COMMAND_NAME_MAX];
    (void)fprintf(to, "Usage: hindsight COMMAND [TRACE] [options]\n\n"
                      "Records what a Java program does and answers questions about it.\n"
                      "TRACE is the newest hindsight-* in the current directory unless given.\n\nCommands:\n");
    for (const struct command *c = commands; c->name != NULL; c++)
        (void)fprintf(to, "  %-*s %s\n", SUMMARY_COLUMN - 3, command_name(c, name), c->summary);
    (void)fprintf(to, "\nhindsight COMMAND -h explains a command; hindsight --version shows the version.\n");
    return fflush(to) == 0 ? EXIT_DONE : EXIT_FAILED;
}
