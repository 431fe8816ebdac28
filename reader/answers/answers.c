/* answers.c - the list of answers, from their tables (answers.h). */
#include "reader/answers/answers.h"

#include <string.h>

static const struct type {
    const char *json;
    bool always;
} types[] = {
#define TYPE(name, column, json, always) { json, always },
#include "reader/answers/types.def"
#undef TYPE
};

#define ROWS "reader/answers/answers.def"
/* clang-format off */
#define ANSWER(name, question, traits, summary) static const struct answer_key keys_##name[] = {
#define COLUMN(name, key, type, value, meaning) { #key, ANSWER_##type, true, true, false, meaning },
#define MEMBER(name, key, type, statement, meaning) { #key, ANSWER_##type, true, false, false, meaning },
#define ALWAYS(name, key, type, statement, meaning) { #key, ANSWER_##type, true, false, true, meaning },
#define CELL(name, column, type, statement, meaning) { #column, ANSWER_##type, false, true, false, meaning },
#define END(name) };
#include "reader/answers/rows.h"
/* clang-format on */

const struct answer_rows answer_list[] = {
#define ANSWER(name, question, traits, summary)                                                                        \
    { #name, question, summary, keys_##name, sizeof keys_##name / sizeof *keys_##name, (traits) != NO_TABLE },
#include "reader/answers/rows.h"
    { 0 },
};

#undef ROWS

const char *answer_json_type(const struct answer_key *k) { return types[k->type].json; }

bool answer_always(const struct answer_key *k)
{
    return k->always || (k->member && k->column && types[k->type].always);
}

const struct answer_rows *answer_find(const char *name)
{
    for (const struct answer_rows *a = answer_list; a->name != NULL; a++)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}
