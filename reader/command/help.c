/* help.c - `hindsight help`, `hindsight help TOPIC` and the text of -h, from the tables of commands and topics. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reader/command/cli.h"
#include "reader/command/topics.h"

enum { WIDTH_MOST = 100, WIDTH_LEAST = 40, OPTION_COLUMN = 27, SUMMARY_COLUMN = 14 };

struct help {
    struct context context; /* of `help`, also if it is asked for by -h */
    struct out out;
    size_t width;
};

/* Standard output, or standard error for usage errors. */
static bool help_begin(struct help *h, struct host *host, int fd)
{
    h->context = (struct context){ .name = "help", .host = host };
    const struct common common = { .name_max = NAME_MAX_DEFAULT };
    if (!cli_out_init(&h->out, &h->context, &common))
        return false;
    if (fd != h->out.fd)
        h->out = (struct out){ .fd = fd, .data = h->out.data, .json = h->out.json };
    h->width = h->out.screen.columns > 0 ? h->out.screen.columns : WIDTH_MOST;
    if (h->width > WIDTH_MOST)
        h->width = WIDTH_MOST;
    if (h->width < WIDTH_LEAST)
        h->width = WIDTH_LEAST;
    return true;
}

static void blanks(struct out *o, size_t n)
{
    while (n-- > 0)
        out_char(o, ' ');
}

/* Prints text whose first line begins in column `at`, the others in column `indent`, broken at blanks. */
static void print_wrapped(struct help *h, const char *text, size_t at, size_t indent)
{
    struct out *o = &h->out;
    bool first = true; /* word of the line */
    while (*text != '\0') {
        size_t n = strcspn(text, " \n");
        if (!first && at + 1 + n > h->width) {
            out_char(o, '\n');
            blanks(o, indent);
            at = indent;
            first = true;
        }
        if (!first)
            out_char(o, ' ');
        out_bytes(o, text, n);
        at += n + !first;
        first = false;
        text += n;
        if (*text == '\n') {
            out_char(o, '\n');
            blanks(o, indent);
            at = indent;
            first = true;
        }
        text += *text != '\0';
    }
    out_char(o, '\n');
}

/* A term in the left column, and its text right of it: below, if the term is too long. */
static void print_row(struct help *h, const char *term, const char *text, int column)
{
    struct out *o = &h->out;
    out_text(o, "  ");
    out_colour(o, COLOUR_NAME);
    out_padded(o, term, column - 2);
    out_colour(o, COLOUR_NONE);
    if ((int)strlen(term) > column - 3) {
        out_char(o, '\n');
        blanks(o, (size_t)column);
    }
    print_wrapped(h, text, (size_t)column, (size_t)column);
}

static void print_option(struct help *h, const struct option_row *o)
{
    enum { ARGUMENT_MAX = 48 };
    const char *argument = o->argument;
    char left[64], letter[8] = "    ";
    if (o->type == OPTION_CHOICE && strlen(argument) > ARGUMENT_MAX)
        argument = "WORD"; /* the text of the command lists them */
    if (o->letter != '\0')
        (void)snprintf(letter, sizeof letter, "-%c, ", o->letter);
    (void)snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, argument != NULL ? " " : "",
                   argument != NULL ? argument : "");
    print_row(h, left, o->help, OPTION_COLUMN);
}

static void write_example(void *context, const char *command)
{
    struct help *h = context;
    out_format(&h->out, "Example:\n"); /* a newline inside a format would be shown as \n */
    out_format(&h->out, "  %s\n", command);
}

int help_command(struct context *context, const struct command *c)
{
    char name[COMMAND_NAME_MAX];
    const struct option_row *o;
    struct help h;
    if (!help_begin(&h, context->host, STDOUT_FILENO))
        return EXIT_FAILED;
    (void)command_name(c, name);
    out_format(&h.out, "hindsight %s - %s\n", name, c->summary);
    out_format(&h.out, "\nUsage: hindsight %s %s\n\n", name, c->synopsis);
    print_wrapped(&h, c->usage->about, 0, 0);
    out_format(&h.out, "\nOptions:\n");
    for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
        print_option(&h, o);
    out_char(&h.out, '\n');
    write_example(&h, c->usage->example);
    return cli_out_end(&h.out, &h.context, EXIT_DONE);
}

/* ---- topics ---- */

static void write_paragraph(void *context, const char *text)
{
    print_wrapped(context, text, 0, 0);
    out_char(&((struct help *)context)->out, '\n');
}

static void write_item(void *context, const char *term, const char *text)
{
    print_row(context, term, text, OPTION_COLUMN);
}

int help_topic(const struct topic *t)
{
    struct help h;
    const struct page page = { &h, write_paragraph, write_item, write_example };
    if (!help_begin(&h, NULL, STDOUT_FILENO))
        return EXIT_FAILED;
    out_format(&h.out, "%s - %s\n\n", t->name, t->summary);
    t->write(&page);
    return cli_out_end(&h.out, &h.context, EXIT_DONE);
}

static void write_topics(struct help *h)
{
    char names[1024];
    int n = 0;
    for (const struct topic *t = topics; t->name != NULL && n < (int)sizeof names; t++)
        n += snprintf(names + n, sizeof names - (size_t)n, "%s%s", n > 0 ? ", " : "", t->name);
    out_text(&h->out, "  ");
    print_wrapped(h, names, 2, 2);
}

int help_list(bool wrong_usage)
{
    char name[COMMAND_NAME_MAX];
    struct help h;
    if (!help_begin(&h, NULL, wrong_usage ? STDERR_FILENO : STDOUT_FILENO))
        return EXIT_FAILED;
    out_format(&h.out, "Usage: hindsight COMMAND [TRACE] [options]\n\n");
    print_wrapped(&h,
                  "Records what a Java program does and answers questions about it.\n"
                  "TRACE is the newest hindsight-* in the current directory unless given.",
                  0, 0);
    out_format(&h.out, "\nCommands:\n");
    for (const struct command *c = commands; c->name != NULL; c++)
        print_row(&h, command_name(c, name), c->summary, SUMMARY_COLUMN);
    out_format(&h.out, "\nTopics:\n");
    write_topics(&h);
    out_char(&h.out, '\n');
    print_wrapped(
        &h,
        "hindsight COMMAND -h explains a command, hindsight help TOPIC a topic; hindsight --version shows the "
        "version.",
        0, 0);
    return cli_out_end(&h.out, &h.context, wrong_usage ? EXIT_USAGE : EXIT_DONE);
}
