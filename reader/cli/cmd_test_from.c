/* cmd_test_from.c - `hindsight test-from SEQ`: a JUnit test of one recorded call. */
#include <string.h>

#include "reader/answers/write.h"
#include "reader/command/cli.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    uint64_t junit, at;
    const char *name;
};
static const struct option_row options[] = {
    { "junit", 0, "N", OPTION_U64, offsetof(struct args, junit), "for JUnit 4 or 5 (default: 5)" },
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "instead of SEQ: the event" },
    { "name", 0, "NAME", OPTION_TEXT, offsetof(struct args, name),
      "name of its class (default: of class, method and number)" },
    { 0 },
};
const struct usage usage_test_from = {
    .about =
        "Prints a JUnit test of the call that event SEQ stands in: it makes the receiver and the arguments as the call "
        "found them, as far as it read them, sets static fields, calls the method, and compares the result or the "
        "exception, and the fields that it wrote. Objects are made by their constructors and setters where these do "
        "nothing else, else by reflection; objects of classes that are not woven, and lambdas, are stubs that answer "
        "as recorded. The test is in the package of the class. Where there can be none, the answer says why, and the "
        "exit status is 3; what may make it fail although nothing has changed (times, files) is said on standard "
        "error. EXEC, PARAM, CALL, FIELD and ARRAY must be recorded.",
    .example = "hindsight test-from 110 > Item_total_110Test.java",
    .options = options,
};

static void doubts_json(struct out *out, const struct hs_test_source *x)
{
    if (x->doubt_count == 0)
        return;
    json_name(&out->json, "doubts");
    json_array(&out->json);
    for (size_t i = 0; i < x->doubt_count; i++)
        json_text(&out->json, x->doubts[i]);
    json_end(&out->json);
}

#define ROWS "reader/answers/test_sources.def"
#define ROW  const struct hs_test_source *x
#include "reader/answers/row.h"

static void text(struct session *s, const struct hs_test_source *x)
{
    if (x->source != NULL)
        out_bytes(&s->out, x->source, strlen(x->source)); /* of printable ASCII alone */
    else
        (void)cli_fail(EXIT_DONE, s->context, "no test of event %llu: %s", (unsigned long long)x->seq, x->why);
    for (size_t i = 0; i < x->doubt_count; i++)
        (void)cli_fail(EXIT_DONE, s->context, "it may fail: %s", x->doubts[i]);
}

int cmd_test_from(struct context *context)
{
    struct args a = { .junit = 5, .at = HS_NO_SEQ };
    struct hs_test_source_options o = HS_TEST_SOURCE_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    struct session s;
    const struct hs_test_source *row;
    const char *seq;
    hs_cursor *rows;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &seq);
    o.seq = a.at;
    if (seq == NULL ? a.at == HS_NO_SEQ : a.at != HS_NO_SEQ || !cli_u64(seq, &o.seq))
        return cli_fail(EXIT_USAGE, context, "SEQ is required, the number of an event of the call");
    o.junit = a.junit == 4 ? 4 : a.junit == 5 ? 5 : 0;
    o.class_name = a.name;
    if ((status = session_open_stream(&s, context, &a.common, trace)) != PARSED)
        return status;
    if (hs_test_sources_open(s.trace, &o, &rows, &error) != 0)
        return session_refused(&s, &error);
    const bool more = hs_test_source_next(rows, &row, &error) > 0, has_test = more && row->source != NULL;
    if (more && a.common.json)
        test_sources_json(&s.out, row);
    else if (more)
        text(&s, row);
    hs_cursor_close(rows);
    return session_close(&s, has_test ? EXIT_DONE : EXIT_INCOMPLETE);
}
