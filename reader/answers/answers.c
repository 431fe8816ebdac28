/* answers.c - the list of answers, from their tables (answers.h). */
#include "reader/answers/answers.h"

static const char *const types[] = {
#define TYPE(name, column, json) json,
#include "reader/answers/types.def"
#undef TYPE
};

#define ROWS "reader/answers/answers.def"
/* clang-format off */
#define ANSWER(name, question, traits, summary) static const struct answer_key keys_##name[] = {
#define COLUMN(name, key, type, value, meaning) { #key, ANSWER_##type, true, true, meaning },
#define MEMBER(name, key, type, statement, meaning) { #key, ANSWER_##type, true, false, meaning },
#define ALWAYS(name, key, type, statement, meaning) { #key, ANSWER_##type, true, false, meaning },
#define CELL(name, column, type, statement, meaning) { #column, ANSWER_##type, false, true, meaning },
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

const char *answer_json_type(const struct answer_key *k) { return types[k->type]; }
