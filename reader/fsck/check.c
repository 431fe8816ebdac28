/* check.c - reports violations: see check.h. */
#include "reader/fsck/check.h"

#include <stdarg.h>
#include <stdio.h>

static const struct hs_rule rules[] = {
#define RULE(name, text) { #name, text },
#include "formats/search.h"
#include "reader/fsck/rules.def"
#undef RULE
};

int hs_rules_open(hs_cursor **out, struct hs_error *error)
{
    return cursor_over(ROW_rule, rules, sizeof *rules, RULE_COUNT, NULL, out, error);
}

/* What the code computes, and the way that it takes by it. */
static bool rests_on_numbers(enum rule rule)
{
    return rule == RULE_path || rule == RULE_label || rule == RULE_operand || rule == RULE_local ||
           rule == RULE_argument || rule == RULE_result || rule == RULE_field || rule == RULE_array;
}

void fsck_report(struct fsck *f, enum rule rule, uint64_t seq, const char *fmt, ...)
{
    if (f->redacted && rests_on_numbers(rule))
        return;
    char what[HS_ERROR_TEXT_MAX];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    f->result->violations++;
    if (f->report != NULL)
        f->report(f->context, &(struct hs_violation){ rules[rule].name, seq, what });
}
