/* manual.c - makes the manual pages from the tables of commands and topics (reader/command/commands.h, topics.h):
 *
 *     manual SOURCE OUT    OUT/man1/hindsight.1            the template hindsight.1.in
 *                          OUT/man1/hindsight-COMMAND.1    one for each command, with the template COMMAND.in, if any
 *                          OUT/man5/hindsight-format.5     the specification in formats/README.md
 *                          OUT/man7/hindsight-agent.7      options of the agent
 *
 * SOURCE is the root of the source tree. In templates the line @COMMANDS@ stands for the list of commands and
 * @TOPIC NAME@ for a topic of `hindsight help`. Run by the build. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reader/command/commands.h"
#include "reader/command/topics.h"
#include "reader/man/roff.h"

/* ---- parts ---- */

static void page_paragraph(void *context, const char *text)
{
    (void)context;
    roff_paragraph(text);
}

static void page_item(void *context, const char *term, const char *text)
{
    (void)context;
    roff_item(term, text);
}

static void page_example(void *context, const char *command)
{
    (void)context;
    roff_example(command);
}

static const struct page manual_page = { NULL, page_paragraph, page_item, page_example };

static bool print_topic(const char *name)
{
    const struct topic *t = topic_find(name);
    if (t == NULL)
        return false;
    t->write(&manual_page);
    return true;
}

static void print_commands(void)
{
    char name[COMMAND_NAME_MAX], page[COMMAND_NAME_MAX + 16];
    for (const struct command *c = commands; c->name != NULL; c++) {
        (void)snprintf(page, sizeof page, "hindsight-%s(1)", command_name(c, name));
        roff_item(page, c->summary);
    }
}

static void print_option(const struct option_row *o)
{
    (void)printf(".TP\n");
    if (o->letter != '\0')
        (void)printf("\\fB\\-%c\\fR, ", o->letter);
    (void)printf("\\fB\\-\\-");
    roff_text(o->name);
    (void)printf("\\fR");
    if (o->argument != NULL) {
        (void)printf(" \\fI");
        roff_text(o->argument);
        (void)printf("\\fR");
    }
    (void)putchar('\n');
    roff_text(o->help);
    (void)putchar('\n');
}

/* Prints a template; false: a line of it names no topic. */
static bool print_template(FILE *f)
{
    char line[4096], name[64];
    bool good = true;
    while (fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, ".S", 2) == 0)
            roff_fresh();
        if (strcmp(line, "@COMMANDS@\n") == 0)
            print_commands();
        else if (sscanf(line, "@TOPIC %63[a-z-]@", name) == 1)
            good = print_topic(name) && good;
        else
            (void)fputs(line, stdout);
    }
    return good;
}

/* ---- pages ---- */

static FILE *open_source(const char *source, const char *folder, const char *name)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s/%s", source, folder, name);
    return fopen(path, "r");
}

static bool print_main(const char *source)
{
    FILE *f = open_source(source, "reader/man", "hindsight.1.in");
    if (f == NULL)
        return false;
    bool good = print_template(f);
    (void)fclose(f);
    return good;
}

static bool print_command(const struct command *c, const char *source)
{
    char name[COMMAND_NAME_MAX], title[COMMAND_NAME_MAX + 16], template[COMMAND_NAME_MAX + 16];
    const struct option_row *o;
    bool good = true;
    (void)snprintf(title, sizeof title, "hindsight-%s", command_name(c, name));
    roff_head(title, "1", "User Commands", c->summary);
    roff_section("synopsis");
    (void)printf("\\fBhindsight ");
    roff_text(name);
    (void)printf("\\fR ");
    roff_text(c->synopsis);
    (void)putchar('\n');
    roff_section("description");
    roff_text(c->usage->about);
    (void)putchar('\n');
    roff_section("options");
    for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
        print_option(o);
    (void)snprintf(template, sizeof template, "%s.in", name);
    FILE *more = open_source(source, "reader/man", template);
    if (more != NULL) {
        good = print_template(more);
        (void)fclose(more);
    }
    roff_section("exit status");
    good = print_topic("exit-codes") && good;
    roff_section("example");
    roff_example(c->usage->example);
    roff_section("see also");
    (void)printf(".BR hindsight (1)\n");
    return good;
}

/* Of formats/README.md what stands below the heading Specification. */
static bool print_format(const char *source)
{
    char line[8192];
    struct roff_markdown markdown = { 0 };
    bool inside = false;
    FILE *f = open_source(source, "formats", "README.md");
    if (f == NULL)
        return false;
    roff_head("hindsight-format", "5", "File Formats", "the files of a trace");
    roff_section("description");
    (void)print_topic("format");
    while (fgets(line, sizeof line, f) != NULL) {
        if (inside)
            roff_markdown_line(&markdown, line);
        inside = inside || strcmp(line, "# Specification\n") == 0;
    }
    roff_markdown_end(&markdown);
    (void)fclose(f);
    roff_section("see also");
    (void)printf(".BR hindsight (1),\n.BR hindsight\\-agent (7)\n");
    return inside;
}

static bool print_agent(void)
{
    static const char *const parts[] = { "options", "formats", "groups" };
    bool good = true;
    roff_head("hindsight-agent", "7", "Miscellanea", "the agent that records, and its options");
    roff_section("synopsis");
    (void)printf("\\fBjava \\-agentpath:\\fIPATH\\fB/libhindsight.so\\fR[\\fB=\\fIKEY\\fB=\\fIVALUE\\fB,\\fR...] "
                 "\\fIarguments\\fR\n");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        roff_section(parts[i]);
        good = print_topic(parts[i]) && good;
    }
    roff_section("see also");
    (void)printf(".BR hindsight\\-record (1),\n.BR hindsight\\-attach (1),\n.BR hindsight\\-format (5)\n");
    return good;
}

/* Standard output goes to OUT/man<section>/<name>.<section>, in a folder that is made. */
static bool begin_page(const char *out, const char *name, char section)
{
    char folder[PATH_MAX], path[PATH_MAX + 64];
    (void)snprintf(folder, sizeof folder, "%s/man%c", out, section);
    (void)snprintf(path, sizeof path, "%s/%s.%c", folder, name, section);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return false;
    return freopen(path, "w", stdout) != NULL;
}

int main(int argc, char **argv)
{
    char name[COMMAND_NAME_MAX], title[COMMAND_NAME_MAX + 16];
    commands = command_table;
    if (argc != 3) {
        (void)fprintf(stderr, "usage: manual SOURCE OUT\n");
        return 2;
    }
    bool good = begin_page(argv[2], "hindsight", '1') && print_main(argv[1]);
    for (const struct command *c = commands; c->name != NULL && good; c++) {
        (void)snprintf(title, sizeof title, "hindsight-%s", command_name(c, name));
        good = begin_page(argv[2], title, '1') && print_command(c, argv[1]);
    }
    good = good && begin_page(argv[2], "hindsight-format", '5') && print_format(argv[1]);
    good = good && begin_page(argv[2], "hindsight-agent", '7') && print_agent();
    if (good && fflush(stdout) == 0 && ferror(stdout) == 0)
        return 0;
    (void)fprintf(stderr, "manual: a page cannot be made: %s\n", strerror(errno));
    return 1;
}
