/* target_mcp.c - the server for assistants: a byte chooses the trace, then lines, each a message. Every answer is one
 * line of JSON. @ in a line stands for the name of the trace. */
#include <string.h>

#include "reader/serve/mcp/mcp.h"
#include "test/fuzz/kept.h"

static void ask(struct mcp *mcp, const char *text)
{
    struct writer line = { 0 }, answer = { 0 };
    const char *name = mcp->traces.list.items[0].name;
    for (const char *p = text; *p != '\0'; p++)
        write_bytes(&line, *p == '@' ? name : p, *p == '@' ? strlen(name) : 1);
    write_u1(&line, '\0');
    if (line.size > 1) {
        protocol_message(mcp, (const char *)line.data, line.size - 1, &answer);
        FUZZ_CHECK(!answer.bad);
        if (answer.size > 0)
            fuzz_check_line(answer.data, answer.size);
    }
    writer_free(&line);
    writer_free(&answer);
}

void fuzz_mcp(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    struct mcp mcp = { .timeout_ms = 5000 };
    struct hs_error error = HS_ERROR_INIT;
    commands = command_table;
    FUZZ_CHECK(traces_add(&mcp.traces, kept_whole(read_u1(&in) % KEPT_CHOSEN), &error));
    fuzz_silent(true);
    while (in.at < in.size) {
        struct reader part = fuzz_part(&in, '\n');
        char *line = fuzz_text(&part);
        ask(&mcp, line);
        free(line);
    }
    fuzz_silent(false);
    traces_done(&mcp.traces);
}
