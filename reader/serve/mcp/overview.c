/* overview.c - the tool `overview`: a few answers of commands in one. */
#include <string.h>

#include "reader/serve/mcp/mcp.h"

enum { WORDS = 5 };

/* What the command line of a part is; what it cannot answer (a format without a stream) becomes a note. */
static const struct part {
    const char *key;
    bool single;
    const char *words[WORDS];
} parts[] = {
    { "info", true, { "info", "--json", "--limit=10", "--" } },
    { "threads", false, { "threads", "--json", "--limit=20", "--" } },
    { "methods", false, { "report", "--json", "--sort=calls", "--limit=10", "--" } },
    { "exceptions", false, { "exceptions", "--json", "--limit=3", "--" } },
};

static void list_traces(struct call *c)
{
    json_name(c->json, "traces");
    json_array(c->json);
    for (size_t i = 0; i < c->mcp->traces.list.count; i++)
        json_text(c->json, c->mcp->traces.list.items[i].name);
    json_end(c->json);
}

bool tool_overview(struct call *c)
{
    if (c->trace == NULL) {
        list_traces(c);
        return true;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *words[WORDS + 1];
        size_t count = 0;
        while (count < WORDS && parts[i].words[count] != NULL) {
            words[count] = parts[i].words[count];
            count++;
        }
        words[count++] = c->trace->path;
        if (call_command(c, parts[i].key, parts[i].single, words, count))
            continue;
        if (i == 0 || c->host.late)
            return false;
        host_message(&c->host, (const char *)c->error.data, c->error.size);
    }
    c->more = false;
    return true;
}
