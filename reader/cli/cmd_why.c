/* cmd_why.c - `hindsight why SEQ`. */
#include "formats/status.h"
#include "reader/cli/cli.h"
#include "reader/cli/show.h"

struct args {
    struct common common;
    uint64_t at;
};
static const struct option_row options[] = {
    { "at", 0, "SEQ", OPTION_U64, offsetof(struct args, at), "the event to explain, if it is not given as SEQ" },
    { 0 },
};
const struct usage usage_why = {
    .about = "Follows the value of an event back: from a load to the last store, from a parameter to the caller's "
             "argument, from a result to the callee's return, and from a computed value to its first operand that is "
             "not a constant (operands lists all of them). The last line says why the chain ends.",
    .example = "hindsight why 20",
    .options = options,
};

static void json(struct show *s, const struct hs_cause *c)
{
    struct json *j = &s->out->json;
    show_event_json_open(s, c->event);
    json_member_text(j, "because", c->because);
    if (c->operand_count > 0)
        json_member_u64s(j, "operands", c->operands, c->operand_count);
    if (c->end != NULL)
        json_member_text(j, "end", c->end);
    json_end_line(j);
}

static void text(struct show *s, const struct hs_cause *c)
{
    struct out *o = s->out;
    show_event_text(s, c->event);
    out_colour(o, COLOUR_DIM);
    out_format(o, "%22s%s\n", "", c->because);
    if (c->end != NULL)
        out_format(o, "%22s(%s)\n", "", c->end);
    out_colour(o, COLOUR_NONE);
}

int cmd_why(int argc, char **argv)
{
    struct args a = { .at = UINT64_MAX };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_cause *cause;
    hs_cursor *causes;
    const char *word;
    uint64_t seq = 0;
    int status = cli_parse(argc, argv, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &word);
    if (word != NULL && a.at != UINT64_MAX)
        return cli_fail(EXIT_USAGE, argv[0], "name the event by SEQ or by --at SEQ, not both");
    if (word == NULL && a.at != UINT64_MAX)
        seq = a.at;
    else if (word == NULL || !cli_u64(word, &seq))
        return cli_fail(EXIT_USAGE, argv[0], "specify SEQ, the number of an event that has a value");
    if ((status = session_open_stream(&s, argv[0], &a.common, trace)) != PARSED)
        return status;
    if (hs_why_open(s.trace, seq, a.common.limit == UINT64_MAX ? 0 : (size_t)a.common.limit, &causes, &error) != 0) {
        if (error.code != HS_ERR_USAGE)
            return session_fail(&s, "%s", error.text);
        (void)session_close(&s, EXIT_USAGE);
        return cli_fail(EXIT_USAGE, argv[0], "%s", error.text);
    }
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    while (hs_cause_next(causes, &cause, NULL) > 0)
        (a.common.json ? json : text)(&show, cause);
    hs_cursor_close(causes);
    show_done(&show);
    return session_close(&s, EXIT_DONE);
}
