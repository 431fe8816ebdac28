/* manual.c - makes the manual page: `manual hindsight.1.in` prints the template with the lines @COMMANDS@ and
 * @COMMON_OPTIONS@ replaced by what the table of commands (reader/cli/commands.h) holds. Run by the build. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/commands.h"

/* Text for roff: in which a hyphen is a minus sign and quotes are those of a program. */
static void print_text(const char *text)
{
    if (*text == '.' || *text == '\'')
        (void)fputs("\\&", stdout);
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '\\': (void)fputs("\\e", stdout); break;
        case '-': (void)fputs("\\-", stdout); break;
        case '\'': (void)fputs("\\(aq", stdout); break;
        case '`': (void)fputs("\\(ga", stdout); break;
        case '^': (void)fputs("\\(ha", stdout); break;
        case '~': (void)fputs("\\(ti", stdout); break;
        case '\n': (void)fputs("\n.br\n", stdout); break;
        default: (void)putchar(*text);
        }
    }
}

static void print_option(const struct option_row *o)
{
    (void)printf(".TP\n");
    if (o->letter != '\0')
        (void)printf("\\fB\\-%c\\fR, ", o->letter);
    (void)printf("\\fB\\-\\-");
    print_text(o->name);
    (void)printf("\\fR");
    if (o->argument != NULL) {
        (void)printf(" \\fI");
        print_text(o->argument);
        (void)printf("\\fR");
    }
    (void)putchar('\n');
    print_text(o->help);
    (void)putchar('\n');
}

static void print_command(const struct command *c)
{
    char name[COMMAND_NAME_MAX];
    const struct option_row *own = c->usage->options;
    (void)printf(".SS ");
    print_text(command_name(c, name));
    (void)printf("\n\\fBhindsight ");
    print_text(name);
    (void)printf("\\fR ");
    print_text(c->synopsis);
    (void)printf("\n.PP\n");
    (void)putchar(toupper((unsigned char)*c->summary));
    print_text(c->summary + 1);
    (void)printf(".\n.PP\n");
    print_text(c->usage->about);
    (void)putchar('\n');
    for (; own != NULL && own->name != NULL; own++)
        print_option(own);
    (void)printf(".PP\nExample: \\fB");
    print_text(c->usage->example);
    (void)printf("\\fR\n");
}

/* The options that `info` has are those of every command: it has none of its own. */
static void print_common_options(void)
{
    const struct command *c = command_find("info");
    const struct option_row *o;
    for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
        print_option(o);
}

int main(int argc, char **argv)
{
    char line[4096];
    commands = command_table;
    FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (f == NULL) {
        (void)fprintf(stderr, "manual: expected a template that can be read\n");
        return 1;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        if (strcmp(line, "@COMMANDS@\n") == 0) {
            for (const struct command *c = commands; c->name != NULL; c++)
                print_command(c);
        } else if (strcmp(line, "@COMMON_OPTIONS@\n") == 0) {
            print_common_options();
        } else {
            (void)fputs(line, stdout);
        }
    }
    (void)fclose(f);
    return fflush(stdout) == 0 ? 0 : 1;
}
