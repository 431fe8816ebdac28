/* parameters.c - which parameters a tool has: the options of its command that it names, its own, and those of all. */
#include <string.h>

#include "reader/serve/mcp/mcp.h"

/* Every tool has these. */
static const struct option_row for_all[] = {
    { "trace", 0, NULL, OPTION_TEXT, 0, "which trace, by its name in overview; only needed if there are several" },
    { "limit", 0, NULL, OPTION_U64, 0, "at most so many rows (of an object: members), up to 50" },
    { "cursor", 0, NULL, OPTION_TEXT, 0,
      "goes on where an answer ended: its `next`, with the same arguments as before" },
    { 0 },
};

bool word_in(const char *words, const char *name)
{
    size_t n = strlen(name);
    for (const char *w = words; w != NULL && *w != '\0'; w += strcspn(w, " "), w += strspn(w, " "))
        if (strcspn(w, " ") == n && memcmp(w, name, n) == 0)
            return true;
    return false;
}

const struct option_row *tool_parameter(const struct tool *t, size_t i)
{
    const struct option_row *o;
    const struct command *c = t->command != NULL ? command_find(t->command) : NULL;
    for (size_t k = 0; c != NULL && (o = command_option(c, k)) != NULL; k++)
        if (word_in(t->options, o->name) && i-- == 0)
            return o;
    for (o = t->parameters; o != NULL && o->name != NULL; o++)
        if (i-- == 0)
            return o;
    for (o = for_all; o->name != NULL; o++)
        if ((o == for_all || (t->key != NULL && (!t->single || t->members))) && i-- == 0)
            return o;
    return NULL;
}
