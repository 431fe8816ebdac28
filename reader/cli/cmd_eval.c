/* cmd_eval.c - `hindsight eval EXPR --at SEQ`. */
#include "reader/command/cli.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    uint64_t at, frame;
};
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "just after this event, where its thread stands" },
    { "frame", 0, "N", OPTION_U64, offsetof(struct args, frame), "in the scope of this frame; 0, the innermost one" },
    { 0 },
};
const struct usage usage_eval = {
    .about = "EXPR is a Java expression over local variables, parameters, this, fields of any access, statics and "
             "elements, with Java's operators and types, and calls. A call executes the recorded code of the method "
             "over the objects as they were; nothing of the trace changes. Where something that the value depends on "
             "was not recorded, the answer says what, and the exit status is 3. An exception that Java would throw is "
             "an answer.",
    .example = "hindsight eval 'half(8) + 1' --at 20",
    .options = options,
};

static void value_json(struct show *s, const struct hs_evaluation *x)
{
    struct json *j = &s->out->json;
    json_name(j, "value");
    if (x->text == NULL) {
        show_value_json(s, x->kind, x->bits);
        return;
    }
    json_object(j);
    json_member_text(j, "type", "java.lang.String");
    json_member_text(j, "string", x->text);
    json_end(j);
}

#define ROWS "reader/answers/evaluations.def"
#define ROW  struct show *show, const struct hs_evaluation *x
#include "reader/answers/row.h"

static void text(struct show *s, const struct hs_evaluation *v)
{
    if (v->throws != NULL) {
        out_text(s->out, "throws ");
        out_name(s->out, v->throws);
    } else if (v->not_recorded != NULL) {
        out_text(s->out, "not recorded: ");
        out_name(s->out, v->not_recorded);
    } else if (v->text != NULL) {
        out_char(s->out, '"');
        out_name(s->out, v->text);
        out_char(s->out, '"');
    } else {
        show_value_text(s, v->kind, v->bits);
    }
    out_char(s->out, '\n');
}

int cmd_eval(struct context *context)
{
    struct args a = { .at = HS_NO_SEQ };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_evaluation *v;
    const char *expression;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &expression);
    if (expression == NULL)
        return cli_fail(EXIT_USAGE, context, "EXPR is required, a Java expression");
    if (a.at == HS_NO_SEQ)
        return cli_fail(EXIT_USAGE, context, "--at SEQ is required, the number of an event");
    status = session_open_stream(&s, context, &a.common, trace);
    if (status != PARSED)
        return status;
    if (hs_evaluate(s.trace, a.at, (size_t)a.frame, expression, &v, &error) != 0)
        return session_fail(&s, "%s", error.text);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    show.at = a.at;
    if (a.common.json)
        evaluations_json(&s.out, &show, v);
    else
        text(&show, v);
    show_done(&show);
    return session_close(&s, v->not_recorded != NULL ? EXIT_INCOMPLETE : EXIT_DONE);
}
