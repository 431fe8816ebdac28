/* table_list.c - the list of tables, from the rows of answers. */
#include "reader/tables/tables.h"

#define ROWS "reader/answers/tables.def"

/* The type of a column by that of a key. */
enum {
#define TYPE(name, column, json) COLUMN_OF_##name = COLUMN_##column,
#include "reader/answers/types.def"
#undef TYPE
};

/* clang-format off */
#define ANSWER(name, question, traits, summary) static const struct column columns_##name[] = {
#define COLUMN(name, key, type, value, meaning) { #key, (enum column_type)COLUMN_OF_##type, meaning },
#define CELL(name, column, type, statement, meaning) { #column, (enum column_type)COLUMN_OF_##type, meaning },
#define END(name) };
#include "reader/answers/rows.h"
/* clang-format on */

const struct table table_list[TABLE_COUNT] = {
#define ANSWER(name, question, traits, summary)                                                                        \
    { #name, summary, columns_##name, COLUMNS_OF_##name, traits, &source_##name },
#include "reader/answers/rows.h"
};

const struct table *table_find(const char *name)
{
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (strcmp(table_list[i].name, name) == 0)
            return &table_list[i];
    return NULL;
}
