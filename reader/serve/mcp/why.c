/* why.c - the tool `why`: its forms; of `what` two commands in one, who wrote it last and why that; and of a moment
 * without a value why it happened, as questions come from moments of all kinds. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reader/serve/mcp/mcp.h"

static bool explain_write(struct call *c)
{
    char seq[24];
    struct page write;
    page_init(&write, 0, c->page.room);
    bool ok = call_form(c, &write);
    if (ok && write.first == UINT64_MAX)
        (void)page_sink(&c->page, write.text.data, write.text.size);
    if (ok && write.first != UINT64_MAX) {
        (void)snprintf(seq, sizeof seq, "%" PRIu64, write.first);
        const char *words[] = { "why", "--", c->trace->path, seq };
        ok = call_command(c, &c->page, words, sizeof words / sizeof *words);
    }
    page_done(&write);
    return ok;
}

static bool explain_event(struct call *c, const char *seq)
{
    static const char note[] = "the event has no value: this is why it happened";
    const char *words[] = { "why", "--control", "--", c->trace->path, seq };
    host_message(&c->host, note, strlen(note));
    return call_command(c, &c->page, words, sizeof words / sizeof *words);
}

bool tool_why(struct call *c)
{
    char number[JSON_NUMBER_MAX], none[JSON_NUMBER_MAX];
    uint64_t seq;
    const struct hs_event *e;
    const char *at = call_text(c, "at", number);
    if (strcmp(c->form->command, "last-write") == 0)
        return explain_write(c);
    if (strcmp(c->form->command, "why") == 0 && call_text(c, "control", none) == NULL && cli_u64(at, &seq) &&
        hs_event_at(c->trace->open, seq, &e, NULL) == 0 && e->kind == HS_KIND_VOID)
        return explain_event(c, at);
    return call_form(c, &c->page);
}
