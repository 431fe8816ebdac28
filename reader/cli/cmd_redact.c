/* cmd_redact.c - `hindsight redact`. */
#include "reader/cli/secrets.h"

struct args {
    struct common common;
    const char *out;
    struct texts secrets;
};
static const struct option_row options[] = {
    { "out", 'o', "DIR", OPTION_FILE, offsetof(struct args, out), "the new trace, a directory that is not there yet" },
    { "secret", 's', "TEXT", OPTION_TEXTS, offsetof(struct args, secrets),
      "a text or a number that is to be removed, repeatable; -: each line of standard input" },
    { 0 },
};
const struct usage usage_redact = {
    .about =
        "Writes a copy of a trace without a secret: each character of the text is a * in strings, messages, names, "
        "the command line and class files, with the index, the journal and dumped classes left behind. If it is a "
        "number, values and constants that are equal to it are 0, also in boxes and records; a BigDecimal, a UUID or a "
        "date that is shown with it loses its content. Not found is what is made of it: parts, encodings, "
        "elements of char[] and byte[], and numbers in bytecode: those up to 32767 and the keys of a switch. The "
        "length of a text stays. The "
        "trace itself is not changed: delete it. Arguments of a command can be seen by others; standard input cannot.",
    .example = "hindsight redact hindsight-20261120-2031-4711 --out clean --secret 'correct horse'",
    .options = options,
};

#define ROWS "reader/answers/redactions.def"
#define ROW  const struct redact_result *r
#include "reader/answers/row.h"

static int redact(struct session *s, const struct args *a, const secret_vec *v)
{
    struct redact_result result;
    if (a->out == NULL) {
        (void)session_fail(s, "--out DIR is missing: the directory of the new trace");
        return EXIT_USAGE;
    }
    int status = secrets_remove(s, v, a->out, &result);
    if (status != PARSED)
        return status;
    if (a->common.json)
        redactions_json(&s->out, &result);
    else
        out_format(&s->out, "%llu texts and %llu numbers replaced in %s%s\n", (unsigned long long)result.texts,
                   (unsigned long long)result.numbers, a->out,
                   result.texts + result.numbers == 0 ? ": the secret was not found" : "");
    return session_close(s, EXIT_DONE);
}

int cmd_redact(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    secret_vec secrets = { 0 };
    int status = cli_parse(context, &a);
    if (status == PARSED)
        status = secrets_collect(context, "secret", &a.secrets, &secrets);
    if (status == PARSED)
        status = session_open(&s, context, &a.common, a.common.arguments[0]);
    if (status == PARSED)
        status = redact(&s, &a, &secrets);
    secrets_free(&secrets);
    return status;
}
