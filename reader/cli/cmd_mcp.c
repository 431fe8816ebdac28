/* cmd_mcp.c - `hindsight mcp`: a server for assistants on standard input and output, one JSON message a line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/vec.h"
#include "reader/command/cli.h"
#include "reader/serve/mcp/mcp.h"

struct args {
    struct common common;
    uint64_t timeout;
    const char *record;
    bool skill;
};
static const struct option_row options[] = {
    { "timeout", 0, "SECONDS", OPTION_U64, offsetof(struct args, timeout),
      "end a call that takes longer (default 50)" },
    { "record", 0, "WORDS", OPTION_TEXT, offsetof(struct args, record),
      "offer the tool `record`, which runs `hindsight record WORDS` in a shell: '--tests -- mvn -q test'" },
    { "skill", 0, NULL, OPTION_FLAG, offsetof(struct args, skill),
      "print the text that teaches an assistant how to use this, and end" },
    { "source", 0, "PATH:PATH", OPTION_FILE, offsetof(struct args, common.source),
      "answers show source lines, from these directories, jars or zips" },
    { 0 },
};
const struct usage usage_mcp = {
    .about =
        "Serves the Model Context Protocol on standard input and output, so that an assistant can ask about a "
        "recording: an assistant starts this command itself, as `hindsight mcp /path/of/trace`. TRACE is a trace, or a "
        "folder that holds traces; there may be several.\nThe tools are failure, call, why, evaluate, watch, find, "
        "sql, overview, and with --record also record. Each answers a whole question as text within a budget of tokens "
        "(1500, if the call names none), of three bytes each. All but record only read: nothing is written, not even "
        "an index (`hindsight index` makes one before, for a large trace), and no other file is opened than the traces "
        "and the sources named here. Each message is a line of JSON, with --json and without.",
    .example = "hindsight mcp trace --source src/main/java",
    .options = options,
    .plain = true,
};

enum { READ_BYTES = 1 << 16, TIMEOUT_MAX = 86400 };

static bool write_answer(const struct writer *answer)
{
    for (size_t at = 0; at < answer->size;) {
        ssize_t n = write(STDOUT_FILENO, answer->data + at, answer->size - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

struct input {
    VEC(char) line;
    bool skips; /* the rest of a line that is too long */
};

/* Answers what ends with these bytes; false: the answer cannot be written. */
static bool take(struct mcp *mcp, struct input *in, const char *bytes, size_t n)
{
    bool ok = true;
    while (ok && n > 0) {
        struct writer answer = { 0 };
        const char *end = memchr(bytes, '\n', n);
        size_t part = end != NULL ? (size_t)(end - bytes) : n, before = in->line.count;
        if (!in->skips && (part > MESSAGE_BYTES_MAX - before || !vec_extend(&in->line, before + part + 1))) {
            protocol_too_long(&answer);
            in->skips = true;
        }
        if (!in->skips) {
            memcpy(in->line.items + before, bytes, part);
            in->line.count = before + part;
        }
        if (end != NULL && !in->skips && in->line.count > 0 && strspn(in->line.items, " \t\r") < in->line.count) {
            in->line.items[in->line.count] = '\0';
            protocol_message(mcp, in->line.items, in->line.count, &answer);
        }
        if (end != NULL) {
            in->line.count = 0;
            in->skips = false;
        }
        ok = write_answer(&answer);
        writer_free(&answer);
        part += end != NULL;
        bytes += part;
        n -= part;
    }
    return ok;
}

static int serve(struct mcp *mcp)
{
    struct input in = { 0 };
    char *bytes = malloc(READ_BYTES);
    bool ok = bytes != NULL;
    while (ok) {
        ssize_t n = read(STDIN_FILENO, bytes, READ_BYTES);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        ok = take(mcp, &in, bytes, (size_t)n);
    }
    if (ok && in.line.count > 0)
        ok = take(mcp, &in, "\n", 1); /* the last line, without its end */
    vec_free(&in.line);
    free(bytes);
    return ok ? EXIT_DONE : cli_fail(EXIT_FAILED, mcp->traces.context, "standard output: %s", strerror(errno));
}

static int print_skill(struct context *context, const struct common *common)
{
    struct out out;
    if (!cli_out_init(&out, context, common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    out_bytes(&out, skill_text, strlen(skill_text));
    return cli_out_end(&out, context, EXIT_DONE);
}

int cmd_mcp(struct context *context)
{
    struct args a = { .timeout = 50 };
    struct mcp mcp = { .traces.context = context };
    struct hs_error error = HS_ERROR_INIT;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.timeout < 1 || a.timeout > TIMEOUT_MAX)
        return cli_fail(EXIT_USAGE, context, "--timeout wants 1 to %d seconds", TIMEOUT_MAX);
    if (a.skill)
        return print_skill(context, &a.common);
    mcp.source = a.common.source;
    mcp.record = a.record;
    mcp.timeout_ms = a.timeout * 1000;
    char *newest = a.common.argument_count == 0 ? cli_newest_trace() : NULL;
    if (a.common.argument_count == 0 && newest == NULL && a.record == NULL)
        return cli_fail(EXIT_FAILED, context, CLI_NO_TRACE);
    bool ok = newest == NULL || traces_add(&mcp.traces, newest, &error);
    for (int i = 0; ok && i < a.common.argument_count; i++)
        ok = traces_add(&mcp.traces, a.common.arguments[i], &error);
    if (ok && mcp.traces.list.count == 1) /* several are opened when they are asked for */
        ok = traces_open(&mcp.traces, mcp.traces.list.items, &error) == 0;
    status = ok ? serve(&mcp) : cli_fail(EXIT_FAILED, context, "%s", error.text);
    traces_done(&mcp.traces);
    free(newest);
    return status;
}
