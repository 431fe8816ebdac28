/* commands.c - commands and their options by name; see commands.h. */
#include "reader/command/commands.h"

#include <string.h>

#include "reader/command/cli.h"

const struct command *commands;

/* A plain command has the first one alone. */
static const struct option_row common_options[] = {
    { "json", 'j', NULL, OPTION_FLAG, offsetof(struct common, json), "one JSON object per line" },
    { "limit", 'n', "N", OPTION_U64, offsetof(struct common, limit), "at most N lines" },
    { "maxname", 0, "N", OPTION_U64, offsetof(struct common, name_max),
      "cut names after N characters (default 1000; 0: never)" },
    { "budget", 0, "TOKENS", OPTION_U64, offsetof(struct common, budget),
      "end the answer after so many tokens, of three bytes each, with a whole line (for assistants: docs/mcp.md)" },
    { "color", 0, "auto|always|never", OPTION_CHOICE, offsetof(struct common, colour),
      "colours; auto (default): on a terminal, unless NO_COLOR is set" },
    { "no-pager", 0, NULL, OPTION_FLAG, offsetof(struct common, no_pager),
      "on a terminal, do not show what is longer than the screen with HINDSIGHT_PAGER, PAGER or less" },
    { 0 },
};
static const struct option_row source_option = { "source",
                                                 0,
                                                 "PATH:PATH",
                                                 OPTION_FILE,
                                                 offsetof(struct common, source),
                                                 "show source lines, from directories, jars or zips" };
static const struct option_row jobs_option = {
    "jobs", 0, "N", OPTION_U64, offsetof(struct common, jobs), "decode with N threads (default: one for each core)"
};
static const struct option_row help_option = { "help",          'h', NULL, OPTION_FLAG, offsetof(struct common, help),
                                               "show this help" };

const char *command_name(const struct command *c, char name[COMMAND_NAME_MAX])
{
    (void)snprintf(name, COMMAND_NAME_MAX, "%s", c->name);
    for (char *p = name; *p != '\0'; p++)
        if (*p == '_')
            *p = '-';
    return name;
}

const struct command *command_find(const char *typed)
{
    char name[COMMAND_NAME_MAX];
    for (const struct command *c = commands; c->name != NULL; c++)
        if (strcmp(typed, command_name(c, name)) == 0)
            return c;
    return NULL;
}

static size_t count_rows(const struct option_row *rows)
{
    size_t n = 0;
    while (rows != NULL && rows[n].name != NULL)
        n++;
    return n;
}

const struct option_row *command_option(const struct command *c, size_t i)
{
    size_t own = count_rows(c->usage->options), common = c->usage->plain ? 1 : count_rows(common_options);
    if (i < own)
        return &c->usage->options[i];
    i -= own;
    if (c->usage->source && i-- == 0)
        return &source_option;
    if (c->answer == ANSWER_PASS && i-- == 0)
        return &jobs_option;
    if (i < common)
        return &common_options[i];
    return i == common ? &help_option : NULL;
}
