/* table_list.c - the list of tables, from the rows of tables.def. */
#include "reader/tables/tables.h"

#define TABLE(name, traits, summary)       static const struct column columns_##name[] = {
#define COLUMN(table, name, type, meaning) { #name, COLUMN_##type, meaning },
/* clang-format off */
#define END(table) };
/* clang-format on */
#include "reader/tables/tables.def"
#undef TABLE
#undef COLUMN
#undef END

const struct table table_list[TABLE_COUNT] = {
#define TABLE(name, traits, summary) { #name, summary, columns_##name, COLUMNS_OF_##name, traits, &source_##name },
#define COLUMN(table, name, type, meaning)
#define END(table)
#include "reader/tables/tables.def"
#undef TABLE
#undef COLUMN
#undef END
};

const struct table *table_find(const char *name)
{
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (strcmp(table_list[i].name, name) == 0)
            return &table_list[i];
    return NULL;
}
