/* cmd_fsck.c - `hindsight fsck`: proves a trace consistent (reader/fsck). */
#include <stdlib.h>
#include <string.h>

#include "formats/vec.h"
#include "reader/command/cli.h"

struct args {
    struct common common;
    bool rules, all;
};
static const struct option_row options[] = {
    { "rules", 'r', NULL, OPTION_FLAG, offsetof(struct args, rules), "list the rules and end" },
    { "all", 'a', NULL, OPTION_FLAG, offsetof(struct args, all),
      "as text: all violations of a rule, not the first 10" },
    { 0 },
};
const struct usage usage_fsck = {
    .about =
        "Reads everything: the tables, the chunks, and each event, which is compared with the event before it, "
        "the original bytecode, the call it belongs to and the last known values. The exit status is 0 only if "
        "there are no violations. As text the first 10 violations of each rule are printed, and how many more there "
        "are; with --all or --json, up to 10000 of all rules.",
    .example = "hindsight fsck --json --limit 20",
    .options = options,
};
enum { SHOWN_MAX = 10000, SHOWN_OF_RULE = 10 };

struct rule_count {
    const char *rule;
    uint64_t found, kept;
};
/* Kept until the numbers, which come first, are known. */
struct found {
    VEC(struct line {
        const char *rule;
        uint64_t seq;
        char *what;
    })
    lines;
    VEC(struct rule_count) rules;
    uint64_t limit, limit_of_rule;
    bool no_memory;
};

static struct rule_count *count_of(struct found *f, const char *rule)
{
    for (size_t i = 0; i < f->rules.count; i++)
        if (strcmp(f->rules.items[i].rule, rule) == 0)
            return &f->rules.items[i];
    struct rule_count *c = vec_push(&f->rules);
    if (c != NULL)
        *c = (struct rule_count){ .rule = rule };
    return c;
}

static void keep(void *context, const struct hs_violation *v)
{
    struct found *f = context;
    struct rule_count *c = count_of(f, v->rule);
    f->no_memory |= c == NULL;
    if (c == NULL || c->found++ >= f->limit_of_rule || f->lines.count >= f->limit)
        return;
    c->kept++;
    struct line *line = vec_push(&f->lines);
    if (line != NULL)
        *line = (struct line){ v->rule, v->seq, strdup(v->what) };
    f->no_memory |= line == NULL || line->what == NULL;
}

static void free_lines(struct found *f)
{
    for (size_t i = 0; i < f->lines.count; i++)
        free(f->lines.items[i].what);
    vec_free(&f->lines);
    vec_free(&f->rules);
}

static void print_text(struct out *o, const struct line *l)
{
    out_padded(o, l->rule, 10);
    if (l->seq != HS_NO_SEQ)
        out_format(o, " %12llu  ", (unsigned long long)l->seq);
    else
        out_format(o, " %12s  ", "-");
    out_line(o, l->what);
}

#define ROWS "reader/answers/checks.def"
#define ROW  const struct hs_fsck_result *r, const struct line *l
#include "reader/answers/row.h"

/* How many violations of each rule were not printed. */
static void print_rest(struct out *o, const struct found *f)
{
    for (size_t i = 0; i < f->rules.count; i++) {
        const struct rule_count *c = &f->rules.items[i];
        if (c->found == c->kept)
            continue;
        out_padded(o, c->rule, 10);
        out_format(o, " %12s  and %llu more of this rule%s\n", "-", (unsigned long long)(c->found - c->kept),
                   c->kept == f->limit_of_rule ? "; --all lists them" : "");
    }
}

static void print_result(struct out *o, const struct hs_fsck_result *r)
{
    out_format(o, "%llu events, %llu proofs, %llu violations\n", (unsigned long long)r->events,
               (unsigned long long)r->checked, (unsigned long long)r->violations);
}

static int list_rules(struct context *context, const struct common *c)
{
    const struct hs_rule *rule;
    hs_cursor *rules;
    struct out o;
    if (hs_rules_open(&rules, NULL) != 0)
        return cli_fail(EXIT_FAILED, context, "out of memory");
    if (!cli_out_init(&o, context, c)) {
        hs_cursor_close(rules);
        return cli_fail(EXIT_FAILED, context, "out of memory");
    }
    for (uint64_t left = c->limit; left > 0 && hs_rule_next(rules, &rule, NULL) > 0; left--) {
        struct line line = { .rule = rule->name, .seq = HS_NO_SEQ, .what = (char *)(uintptr_t)rule->sentence };
        if (c->json)
            checks_json(&o, NULL, &line);
        else
            out_format(&o, "%-10s %s\n", rule->name, rule->sentence);
    }
    hs_cursor_close(rules);
    return cli_out_end(&o, context, EXIT_DONE);
}

int cmd_fsck(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_fsck_result *r;
    int status = cli_parse(context, &a);
    if (status == PARSED && a.rules)
        return list_rules(context, &a.common);
    if (status == PARSED)
        status = session_open(&s, context, &a.common, a.common.arguments[0]);
    if (status != PARSED)
        return status;
    struct found found = { .limit = a.common.limit < SHOWN_MAX ? a.common.limit : SHOWN_MAX,
                           .limit_of_rule = a.all || a.common.json ? UINT64_MAX : SHOWN_OF_RULE };
    int failed = hs_fsck(s.trace, keep, &found, &r, &error);
    if (failed != 0 || found.no_memory) {
        free_lines(&found);
        return session_fail(&s, "%s", failed != 0 ? error.text : "out of memory");
    }
    if (a.common.json)
        checks_json(&s.out, r, NULL);
    else
        print_result(&s.out, r);
    for (size_t i = 0; i < found.lines.count; i++)
        if (a.common.json)
            checks_json(&s.out, NULL, &found.lines.items[i]);
        else
            print_text(&s.out, &found.lines.items[i]);
    if (!a.common.json)
        print_rest(&s.out, &found);
    if (!a.common.json && hs_info(s.trace, "redacted_numbers") != NULL)
        out_line(&s.out, "numbers were removed by `hindsight redact`: what code computes from them is not checked");
    free_lines(&found);
    return session_close(&s, r->violations == 0 ? EXIT_DONE : EXIT_FAILED);
}
