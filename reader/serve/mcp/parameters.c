/* parameters.c - which parameters a tool has: its own, and those of all. */
#include <string.h>

#include "reader/serve/mcp/mcp.h"

/* Every tool has these. */
static const struct option_row for_all[] = {
    { "trace", 0, NULL, OPTION_TEXT, 0, "which trace, by its name in overview; only needed if there are several" },
    { "budget", 0, NULL, OPTION_U64, 0, "tokens that the answer may have: 500 to 20000 (default 1500)" },
    { "next", 0, NULL, OPTION_TEXT, 0, "goes on where an answer ended: its `next`, with the same arguments" },
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
    for (o = t->parameters; o != NULL && o->name != NULL; o++)
        if (i-- == 0)
            return o;
    return i < sizeof for_all / sizeof *for_all - 1 ? &for_all[i] : NULL;
}

const struct option_row *tool_find_parameter(const struct tool *t, const char *name)
{
    const struct option_row *o;
    for (size_t i = 0; (o = tool_parameter(t, i)) != NULL; i++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

bool tool_is_served(const struct mcp *mcp, const struct tool *t) { return !t->records || mcp->record != NULL; }
