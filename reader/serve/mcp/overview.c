/* overview.c - the tool `overview`: a few answers of commands in one. */
#include <string.h>

#include "reader/serve/mcp/mcp.h"

enum { WORDS = 5 };

/* The command line of a part, and which of its lines are shown: those that begin with these words, so many at most.
 * What it cannot answer (a format without a stream) becomes a note; of the first part it is the answer. */
static const struct part {
    const char *title, *only;
    uint64_t most;
    const char *words[WORDS];
} parts[] = {
    { NULL, "trace command format weave started end events lost threads classes", 0, { "info", "--" } },
    { "tests that failed:", NULL, 8, { "tests", "--status=failed", "--" } },
    { "exceptions:", NULL, 5, { "exceptions", "--" } },
    { "methods with most calls:", NULL, 9, { "report", "--sort=calls", "--" } },
    { "threads:", NULL, 9, { "threads", "--" } },
};

static void add_text(struct call *c, const char *text) { (void)page_sink(&c->page, text, strlen(text)); }

static void list_traces(struct call *c)
{
    const struct traces *all = &c->mcp->traces;
    add_text(c, all->list.count > 0 ? "traces, of which a call names one as `trace`:\n"
                                    : "there is no trace yet: `record` makes one\n");
    for (size_t i = 0; i < all->list.count; i++) {
        add_text(c, "    ");
        add_text(c, all->list.items[i].name);
        add_text(c, "\n");
    }
}

static bool add_part(struct call *c, const struct part *part)
{
    const char *words[WORDS + 1];
    size_t count = 0;
    struct page own;
    while (count < WORDS && part->words[count] != NULL) {
        words[count] = part->words[count];
        count++;
    }
    words[count++] = c->trace->path;
    page_init(&own, 0, c->page.room);
    own.words = part->only;
    own.most = part->most;
    const size_t said = c->host.messages.size;
    bool ok = call_command(c, &own, words, count);
    if (ok && own.lines > (part->title != NULL ? 1 : 0)) { /* its first line is a heading */
        if (part->title != NULL) {
            add_text(c, part->title);
            add_text(c, "\n");
        }
        (void)page_sink(&c->page, own.text.data, own.text.size);
        if (own.more)
            add_text(c, "    ... and more\n");
    }
    if (ok && own.lines <= 1)
        c->host.messages.size = said; /* that there is none is no news */
    page_done(&own);
    return ok;
}

bool tool_overview(struct call *c)
{
    if (c->trace == NULL) {
        list_traces(c);
        return true;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (add_part(c, &parts[i]))
            continue;
        if (i == 0 || c->host.late)
            return false;
        host_message(&c->host, (const char *)c->error.data, c->error.size);
    }
    return true;
}
